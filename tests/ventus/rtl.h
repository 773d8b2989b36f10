/*
 * rtl: rows and totals of public runs of the RTL, and the same programs run by the model.
 *
 *   CSV "cycle,event,warp,pc,word" --rtl_read--> struct rtl_rows --rtl_run--> struct rtl_score
 *   "addi x1,x0,0; 64 x [addi x1,x1,1]; endprg" --rtl_text--> a program's text
 *
 * An interval is what lies between two issues of a warp, one behind the other in the rows.
 */
#ifndef TAKT_TESTS_VENTUS_RTL_H
#define TAKT_TESTS_VENTUS_RTL_H

#include "timing/ventus/model.h"

enum { RTL_WARPS = 8, RTL_WORDS = 512, RTL_TEXT = 32 * RTL_WORDS, RTL_DIFFERENCES = 128 };

struct rtl_rows {
    char name[96];
    uint32_t warps, words[RTL_WORDS], count; /* of a warp */
    uint64_t issue[RTL_WARPS][RTL_WORDS];    /* cycle in which each was collected */
    uint64_t total;                          /* from the request to host.finish */
    bool gated;                              /* the request came long after the reset */
    bool banks8;
};

struct rtl_difference {
    uint64_t cycle;
    uint32_t warp, at; /* instruction */
    int64_t cycles;    /* the model's interval is longer by so many */
};

/* Intervals by what ends them: enum ventus_class. */
struct rtl_kind {
    uint32_t intervals, exact;
};

struct rtl_score {
    uint32_t intervals, exact;
    struct rtl_kind kinds[VENTUS_CLASSES];
    uint64_t total, rtl_total, low, high; /* the range that takt run prints */
    struct rtl_difference differences[RTL_DIFFERENCES];
    uint32_t difference_count;
};

/* Rows of tests/ventus/rtl/NAME.csv. False: no such file, or a line that is none. */
bool rtl_read(struct rtl_rows *rows, const char *name);
/* The program of rows; of a line of rtl_micro.tsv. */
void rtl_program(const struct rtl_rows *rows, char text[RTL_TEXT]);
bool rtl_text(const char *listed, uint32_t warps, char *text, size_t size);
/* Runs a program on the newer chip. A launch `gated` comes when the caches have been cleared. */
bool rtl_run(const char *text, const struct rtl_rows *rows, bool gated, bool banks8, bool range,
             struct rtl_score *score);

#endif
