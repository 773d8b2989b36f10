/*
 * screen: the first screen of a run or a report: at most 40 lines.
 *
 *   k.s   1,400 cycles   1.867 us at 750 MHz   (documented numbers alone: 1,204)
 *     uncertain: 1,352 to 1,600; 12 constants are unpublished
 *   ENDED   exit at 0x40 (main+0x10, k.s:12)
 *   LIMIT   memory latency: 86.0 % of the critical path (lines 12, 13)
 *   FLOOR   1,204 in any order of these statements: 196 cycles (14.0 %) to gain (limited by alu)
 *   WAITS   112  line 13 waits for line 12   copy a b 4096   memory (mem0)
 *   SPARE   3 steps, line 41: 12 cycles
 *   UNITS   alu   86.0 %  ####################....  value not ready 9.1, port taken 3.2
 *   PRINTED 4 lines: --dump - shows them
 *   next: takt why k.db --line 13, takt advise k.s, takt explain memory
 *
 * EARLY and SPARE show warnings of the names "early" and "removable". A run that did not complete
 * has no totals here. Parts are in screen_units.c, screen_waits.c and screen_text.c.
 */
#ifndef TAKT_ANALYSIS_SCREEN_H
#define TAKT_ANALYSIS_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "traces/store.h"

struct screen_options {
    bool colour;
    int width;           /* columns of the terminal, at least 40 are used */
    bool no_warnings;    /* they have been printed */
    const char *trace;   /* the trace of the run, or NULL */
    const char *program; /* the program as the user names it, or NULL: not known */
    uint64_t printed;    /* lines that the program printed and that are not shown */
};

/* Returns 0, or -1 when memory is out or out failed. */
int screen_print(const struct store *store, const struct screen_options *options, FILE *out);

#endif
