/*
 * sweep_spec: what a sweep runs, as a user writes it down.
 *
 *   machine: NAME                        # default: from the programs' extension
 *   programs: [one.prog, two.prog]       # relative to this file, as are chips
 *   chips: [default, mine.yaml]          # files laid over the machine's own; may be left out
 *   options: {NAME: VALUE, NAME: [VALUE, VALUE]}     # of takt batch
 *   set: {PARAMETER: VALUE}              # the same in all points
 *   counters: [NAME]                     # further columns of the result
 *   quantities: {NAME: "SQL expression over columns"}
 *   by: QUANTITY                         # what the report ranks by; default cycles
 *   pareto: [QUANTITY, QUANTITY]         # both the less the better
 *
 * and at most one of
 *
 *   grid: {PARAMETER: [VALUE, VALUE], ..}             # every combination
 *   list: [{PARAMETER: VALUE, ..}, ..]                # these
 *   draw: {points: N, seed: N, parameters: {PARAMETER: plausible | [LOW, HIGH] | [TEXT, ..]}}
 *
 * Programs, chips and options are combined with all of that. What is wrong is a finding with its
 * place in the file.
 *
 *   source --sweep_spec_read--> struct sweep_spec
 */
#ifndef TAKT_ANALYSIS_SWEEP_SPEC_H
#define TAKT_ANALYSIS_SWEEP_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/document.h"
#include "functional/diag.h"
#include "timing/machine.h"

enum { SWEEP_POINTS = 10000000 }; /* at most */

struct sweep_value {
    char *text; /* NULL: not given in this row of a list */
    struct document_span at;
};

struct sweep_values {
    struct sweep_value *items;
    size_t count, capacity;
};

enum sweep_kind { SWEEP_OPTION, SWEEP_SET };
enum sweep_way {
    SWEEP_EACH, /* every value with every value of the others */
    SWEEP_ROW,  /* value N in row N of the list */
    SWEEP_DRAWN /* from low to high, or one of the values */
};

struct sweep_axis {
    char *name;
    struct document_span at;
    enum sweep_kind kind;
    enum sweep_way way;
    enum param_type type; /* of a parameter; an option is a text */
    bool flag;            /* an option whose values are true and false */
    struct sweep_values values;
    double low, high;
};

struct sweep_quantity {
    char *name, *expression;
    struct document_span at;
};

struct sweep_spec {
    const struct machine *machine;
    const char *folder; /* of the file, for what is relative to it; "" or with a slash at the end */
    char *folder_text;
    struct config config; /* the machine's own */
    struct sweep_values programs, chips, counters;
    struct sweep_axis *axes;
    size_t axis_count, axis_capacity;
    struct sweep_quantity *quantities;
    size_t quantity_count, quantity_capacity;
    struct sweep_value by, pareto[2]; /* text NULL: not given */
    size_t rows;                      /* of the list, or points drawn; else 1 */
    uint64_t seed;
};

/* Returns 0; 1 with findings; -1 when memory is out. Free it in every case. */
int sweep_spec_read(struct sweep_spec *spec, const struct source *source, struct diag_list *diags);
void sweep_spec_free(struct sweep_spec *spec);

/* A path relative to the spec, to be freed; NULL when memory is out. */
char *sweep_spec_path(const struct sweep_spec *spec, const char *name);

#endif
