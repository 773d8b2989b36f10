/*
 * screen: the first screen of a run or a report: the verdict first, at most 40 lines.
 *
 *   k.s     1,400 cycles   1.867 us @ 750 MHz   complete
 *           range 1,352 to 1,600 over 12 unpublished numbers   most: load_latency 9 %
 *   ENDED   exit at 0x40 (main+0x10, k.s:12)
 *   LIMIT   resource-bound (alu, 86.0 % busy)
 *   BOUND   this order 1,380   any order 1,204 (unit alu)   gap 196 cycles, 14.0 %
 *     alu        ##########################----  86.0 %  wait-data 9.1  port 3.2
 *   STALLS   112  tag 3 <- k.s:12 copy a b 4096 (mem0)
 *   REMOVABLE  k.s:41 idle x3
 *
 * EARLY and REMOVABLE show warnings of the names "early" and "removable". A run that did not
 * complete has no totals here.
 */
#ifndef TAKT_ANALYSIS_SCREEN_H
#define TAKT_ANALYSIS_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "traces/store.h"

struct screen_options {
    bool colour;
    int width;        /* columns of the terminal, at least 40 are used */
    bool no_warnings; /* they have been printed */
};

/* Returns 0, or -1 when memory is out or out failed. */
int screen_print(const struct store *store, const struct screen_options *options, FILE *out);

#endif
