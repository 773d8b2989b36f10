/*
 * bounds_kit: a program's graph, its bounds and the total of its run, for the tests of both
 * machines.
 *
 *   struct subject s = {.machine = &machine_x, .settings = ..., .sets = ...};
 *   if (subject_take(&s, text)) ... s.graph, s.bounds, s.cycles ...  subject_free(&s);
 */
#ifndef TAKT_TESTS_BOUNDS_KIT_H
#define TAKT_TESTS_BOUNDS_KIT_H

#include "timing/bounds.h"
#include "timing/machine.h"

struct subject {
    const struct machine *machine;
    const struct machine_setting *settings;
    const char *const *sets; /* "key=value", NULL-terminated; or NULL */
    struct graph graph;
    struct bounds bounds;
    uint64_t cycles, critical;    /* the total; the rows of the critical path together */
    uint64_t *started, *finished; /* by node of the graph, as traces/starts.h gives them */
};

/* False when the program is at fault. Fails the test when the host fails. */
bool subject_take(struct subject *subject, const char *text);
void subject_free(struct subject *subject);

/* The total alone; 0: the program is at fault. */
uint64_t subject_total(const struct subject *subject, const char *text);
/* The low end of its totals over the plausible ranges (timing/range.h); 0 likewise. */
uint64_t subject_low(const struct subject *subject, const char *text);

/* Every bound is at most the total and has a certificate that holds; one that claims a cycle more
 * has none; classes that keep more are not smaller. The same of parts of the program, beside what
 * they took from their first start until all of them were over. */
void subject_sound(const struct subject *subject, const char *text);

/* The run keeps every arc whose ends it says the start of: no lag is too large. At least one is. */
void subject_keeps_arcs(const struct subject *subject, const char *text);

#endif
