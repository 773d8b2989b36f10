/*
 * value: what a place holds in a cycle, which statement wrote it, and what is about to change it.
 *
 *   complete run, its history of a place, cycle --value_print--> lines, or JSON
 */
#ifndef TAKT_ANALYSIS_VALUE_H
#define TAKT_ANALYSIS_VALUE_H

#include <stdio.h>

#include "timing/history.h"
#include "timing/run.h"

struct value_question {
    const char *place; /* as written */
    uint64_t cycle;
    const struct machine_run *run; /* with its header */
    const struct history *history;
};

/* The words, and what they are as numbers in each format that makes a few of them, in one line
 * without its end. */
void value_words(const struct history *history, const uint64_t *words, FILE *out);
/* Returns 0, or -1 when memory is out. */
int value_print(const struct value_question *question, bool json, FILE *out);

#endif
