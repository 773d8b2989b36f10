/*
 * measured_found: where a run and measured issues differ, for people and programs.
 *
 *   answer, suspects --measured_found_sum--> lines, rules --measured_found_print, _json, _html-->
 */
#ifndef TAKT_ANALYSIS_MEASURED_FOUND_H
#define TAKT_ANALYSIS_MEASURED_FOUND_H

#include <stdio.h>

#include "analysis/measured_blame.h"

/* Intervals of one instruction, of a kind of it or of one rule, that differ. */
struct measured_sum {
    uint32_t line;
    char rule[MEASURED_KIND]; /* or kind */
    uint64_t times;
    int64_t cycles; /* measured less modelled */
};

struct measured_found {
    const char *program, *list;
    bool all; /* print every rule, kind and line */
    const struct config *config;
    struct measured_answer answer;
    struct measured_suspects suspects;
    const struct measured_listener *listener;
    struct measured_sum *lines, *kinds, *rules; /* of one allocation; the most intervals first */
    size_t line_count, kind_count, rule_count;
};

/* Lines, kinds and rules from the rest. Returns 0, or -1 when the host has no memory. */
int measured_found_sum(struct measured_found *found);
void measured_found_free(struct measured_found *found);

void measured_found_print(const struct measured_found *found, FILE *out);
struct json_t;
struct json_t *measured_found_json(const struct measured_found *found);
/* One offline page. */
void measured_found_html(const struct measured_found *found, FILE *out);

#endif
