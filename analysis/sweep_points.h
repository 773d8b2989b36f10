/*
 * sweep_points: the points of a sweep by number, from 0: programs vary slowest, then chips, then
 * axes in their order, and rows of a list or drawn points fastest. What is drawn depends on the
 * seed, the parameter's turn and the row alone.
 */
#ifndef TAKT_ANALYSIS_SWEEP_POINTS_H
#define TAKT_ANALYSIS_SWEEP_POINTS_H

#include <jansson.h>

#include "analysis/sweep_spec.h"

struct sweep_point {
    size_t program, chip; /* chip 0 where there are none */
    json_t *options, *set;
};

/* UINT64_MAX: more than can be counted. */
uint64_t sweep_points_count(const struct sweep_spec *spec);
/* Of one program. */
uint64_t sweep_points_of_program(const struct sweep_spec *spec);
/* To be freed; false when memory is out. */
bool sweep_points_make(const struct sweep_spec *spec, uint64_t number, struct sweep_point *point);
void sweep_points_free(struct sweep_point *point);

#endif
