/*
 * verdict: what a run is bound by, in one sentence, from its accounting and the causes of its
 * waits. The unit that is busiest is not the answer: it may be busy where nothing waits for it.
 *
 *   alu is busy in 86.0 % of the cycles
 *   issue of statements: busy in 70.0 % of the cycles
 *   DRAM transfers (mode rate): 81.5 % of the critical path (lines 3, 5)
 *   dependent statements: 76.2 % of the critical path (lines 2, 4)
 *
 * The words are those of the table of timing/terms.h.
 *
 * The rule. Each cycle of the critical path counts for one kind:
 *   1. A row of a transfer, on another unit than an issuing one: transfer.
 *   2. Another unit than an issuing one that is busy: work. Where a reason holds it or an issuing
 *      unit: the reason's limit (timing/reason.def).
 *   3. Rows in which a stream issues: these cycles are divided as the issuing units' cycles of the
 *      whole run are, into work where these are busy, and the limits of reasons in which the stream
 *      passes statements (nops, machine_timing.passed).
 *
 * The verdict is work if that is half of the cycles or more and a unit is busy enough, that is in
 * two thirds of all cycles. Where another unit than an issuing one is busy enough, and in 3/4 of
 * the cycles of the busiest issuing unit, the run is resource-bound by the busiest such unit that
 * other statements than transfers use (of equal ones the first). Where only an issuing unit is busy
 * enough, it is issue-bound: no unit has work in most of the steps, so they could be fewer. Else
 * the verdict is the kind but work that has most, of equal ones the last in the alphabet.
 *
 * cause: the reason of two thirds of the cycles of this kind, or the two reasons that have most and
 * two thirds together ("nop and wait-data"); "chain" where values are waited for, "ports" where
 * several units are busy for transfers. A unit that is busy in two thirds of these cycles is named
 * in its place. So a port is named only if it limits transfers, not where their rate does, the
 * memory, or the latency of each (reasons rate, memory and latency). Otherwise neither is named.
 *
 * A region (analysis/region.h) has no critical path: all cycles of issuing units are
 * divided as in 3, and those in which they wait for a port or a queue count as work where a unit is
 * busy enough. Of transfers the unit is named that limited what the region waited for, if it is
 * busy enough.
 *
 * lines: empty for resource and issue. Of transfer the transfers on the path that take most of it,
 * in a region those that it waited for; of other kinds the statements that the cycles of the cause
 * are charged to, of equal ones the first. The longest four, in the order of the program.
 */
#ifndef TAKT_ANALYSIS_VERDICT_H
#define TAKT_ANALYSIS_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/store.h"

enum { VERDICT_NAME = 64, VERDICT_LINES = 4, VERDICT_WORDS = 240, VERDICT_TEXT = 600 };

struct verdict {
    char kind[VERDICT_NAME];   /* "resource"; empty: nothing was done */
    char unit[VERDICT_NAME];   /* that limits, or empty */
    char cause[VERDICT_NAME];  /* what these cycles are due to, or empty */
    char words[VERDICT_WORDS]; /* the limit in words, without its lines */
    bool one_file;             /* lines need no file */
    double busy;               /* share of the unit, 0 to 1 */
    double share;              /* 0 to 1: of the path, for what the sentence names: kind or cause */
    int count;
    struct {
        int64_t stmt;
        char file[200];
        int64_t line;
        char tag[VERDICT_NAME]; /* of a transfer, or empty */
    } lines[VERDICT_LINES];
};

/* Returns 0, or -1 when memory is out. */
int verdict_find(const struct store *store, struct verdict *verdict);

/* The sentence above. Returns text. */
const char *verdict_print(const struct verdict *verdict, char text[VERDICT_TEXT]);
/* "lines 3, 5", or "" without lines. Returns text. */
const char *verdict_lines(const struct verdict *verdict, char text[VERDICT_TEXT]);

/* As JSON, {"kind", "unit", "busy", "share", "sentence", "lines": [{file, line}]}; NULL without a
 * verdict or memory. */
struct json_t;
struct json_t *verdict_json(const struct verdict *verdict);

#endif
