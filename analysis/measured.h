/*
 * measured: a list of when instructions were issued, compared with a run.
 *
 *   text --measured_read--> struct measured
 *   model --interval*, execution*, edge*--> struct measured_listener
 *   both --measured_compare--> struct measured_answer: of each interval between two issues of a
 *                              stream, whether it is the same in both
 *
 * A list has the header cycle,event,stream,place,word (columns in any order; stream and place may
 * be called otherwise, and are then in this order) and a row for each event, in any order. Rows
 * whose event is issue or collect count. A place is a line of the program, or an address: 0x..., or
 * eight hex digits; where not all are addresses of the program, the least is that of the first
 * instruction, and each is 4 bytes long. A stream is the name of an issuing unit, its number from
 * 0, or of other names, in their order, the first is the first unit that issues anything. Only
 * intervals are compared, not when the first begins.
 */
#ifndef TAKT_ANALYSIS_MEASURED_H
#define TAKT_ANALYSIS_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "timing/sink.h"

struct riscv_image;

enum { MEASURED_ERROR = 700, MEASURED_NAME = 80, MEASURED_KIND = 40 };
#define MEASURED_CYCLES (UINT64_C(1) << 62) /* no cycle of a list is larger */

struct measured_issue {
    uint64_t cycle, place; /* place: a line, or an index of an instruction */
    uint32_t stream;
    uint32_t row; /* of the list, from 1 */
};

struct measured {
    struct measured_issue *issues; /* by cycle */
    size_t count, capacity;
    uint32_t streams;
    char (*names)[MEASURED_NAME]; /* of streams */
    bool by_address;
    bool start; /* the cycle of the first issue of each stream counts, too */
};

/* image: of the program, or NULL. Returns 0; 1 with a sentence; -1 when the host failed.
 * measured_free takes NULL. */
int measured_read(struct measured **measured, const char *path, const struct riscv_image *image,
                  char error[MEASURED_ERROR]);
void measured_free(struct measured *measured);

/* What a run did; zero at first, but for `wide` and `sorts`. */
struct measured_run_issue {
    uint64_t cycle;
    uint32_t stream, stmt, line;
    bool idle;   /* the unit did no work for it: an issue where it never does */
    bool part;   /* of executions that intervals do not show: likewise */
    bool passes; /* it is a nop, and its cycle that of the nop */
};
struct measured_edge {
    uint64_t at, waited;
    uint32_t src_line, dst, dst_line;
    char rule[40];
    enum edge_kind kind;
};
struct measured_listener {
    struct measured_run_issue *issues;
    size_t count, capacity;
    struct measured_edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t *lines; /* by statement */
    bool *works;     /* by statement: it has intervals of work, or is a transfer */
    size_t stmt_count;
    uint32_t *streams; /* by unit: number of the issuing one, or NONE_ID */
    size_t unit_count;
    char (*names)[MEASURED_NAME]; /* of issuing units, by stream */
    uint32_t stream_count;
    size_t *lasts; /* by stream: issues up to its last */
    /* Reasons of the machine's own by which a statement waits for a latency: so does one that does
     * nothing else, and it issues there. */
    uint32_t passing;
    bool wide; /* of the machine (machine_language.wide): its executions are the issues */
    bool sorts;
    char (*kinds)[MEASURED_KIND]; /* by statement, where `sorts`: its text without numbers */
};
struct sink measured_sink(struct measured_listener *listener);
void measured_listener_free(struct measured_listener *listener);

/* One interval that is in both: from the issue before in its stream to this one. */
struct measured_interval {
    const struct measured_issue *issue;
    uint32_t line, from_line; /* of the instruction, and of the one before it; 0: of the start */
    uint32_t stmt;
    uint32_t stream; /* of the run */
    int64_t measured, modelled;
    uint64_t from, cycle; /* of the run: the issue before, and this one */
    /* Waits in the run: of this instruction and of those that its stream issues between. */
    const struct measured_edge *edge; /* the longest; or NULL */
    size_t waits;
    uint64_t waited; /* cycles, of all */
};
struct measured_answer {
    struct measured_interval *intervals; /* in the order of the list's cycles */
    size_t count, equal;
    size_t unmatched;  /* issues that the run does not have, or in another order */
    size_t missing;    /* issues of the run that the list lacks, at places that it has */
    double worst, off; /* largest difference of an interval, and the sum of all */
};
/* The answer points into both. Returns 0, 1 when nothing can be compared, -1. */
int measured_compare(struct measured_answer *answer, const struct measured *measured,
                     const struct measured_listener *listener);
/* The waits of the intervals that differ. Returns 0 or -1. */
int measured_waits(struct measured_answer *answer, const struct measured_listener *listener);
void measured_answer_free(struct measured_answer *answer);

#endif
