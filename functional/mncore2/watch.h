/*
 * watch: a place of the machine as d get names it, $lm0n0c0b0m0p0, and what writes it.
 *
 *   text --mncore2_watch_parse--> struct watch --mncore2_watch_read--> its value
 *   item before it is executed --mncore2_watch_writes--> in which cycles, by which kind of access
 *
 * Places are one word, long word or two of them, in LM0, LM1, GRF0, GRF1 and T of one PE and in
 * L1BM, L2BM, PDM and DRAM. Of T it is the one of cycle 0. The form of --save, p@0:16, names one
 * long word.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_WATCH_H
#define TAKT_FUNCTIONAL_MNCORE2_WATCH_H

#include "functional/mncore2/effect.h"
#include "functional/mncore2/exec.h"

struct watch {
    uint8_t mem;    /* enum mem */
    unsigned words; /* of 32 bits: 1, 2, 4 */
    unsigned group, l2b, l1b, mab, pe;
    uint64_t addr; /* words in a PE, long words elsewhere */
};

/* Returns 0, 1 with a message, -1 when memory is out. */
int mncore2_watch_parse(struct watch *watch, const char *text, char *error, size_t error_size);

/* value[0]: the word, or the long word; value[1]: the second long word. */
void mncore2_watch_read(const struct exec *exec, const struct watch *watch, uint64_t value[2]);

/* The writes of one kind that a statement is about to make to the place. */
struct watch_write {
    enum space space;
    unsigned side; /* enum side */
    bool multicast;
    uint8_t cycles; /* of the step; of a transfer, d set or r line: all */
    bool maybe;     /* the place may be left as it is: only the value says it */
};
enum { WATCH_WRITES = 4 };
/* Returns their number. */
size_t mncore2_watch_writes(const struct exec *exec, const struct watch *watch,
                            const struct stmt *stmt, struct watch_write writes[WATCH_WRITES]);

#endif
