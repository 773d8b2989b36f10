/*
 * whatif: changes of a program and of a machine as `takt whatif` takes them.
 *
 *   "12-20", sources --whatif_free--> sources without these statements
 *   "dram=2", configuration --whatif_speed--> "KEY=VALUE" for each parameter of the unit
 *   two runs --struct whatif --whatif_print, whatif_json-->
 */
#ifndef TAKT_ANALYSIS_WHATIF_H
#define TAKT_ANALYSIS_WHATIF_H

#include <stdio.h>

#include "analysis/verdict.h"
#include "functional/source.h"
#include "timing/machine.h"
#include "traces/store.h"

/* Lines of a source become blanks; its text must be its own copy. */
void whatif_blank(struct source *source, uint32_t line);

/* text: "12", "12-20", "12,15-17", of several sources "NAME:12": their statements go. store: of the
 * program's run, where its statements are. Returns 0, or 1 with a sentence. */
int whatif_free(struct source *sources, size_t count, const struct store *store, const char *text,
                char error[MACHINE_ERROR]);

enum { WHATIF_ASSIGNMENT = 128 };
struct whatif_sets {
    char (*list)[WHATIF_ASSIGNMENT]; /* to be freed */
    size_t count, capacity;
};

enum { WHATIF_UNITS = 32 };
/* The names of the units that have parameters, each once. Returns how many. */
size_t whatif_units(const struct machine *machine, const char *units[WHATIF_UNITS]);

/* "UNIT=K": the unit K times as fast; adds assignments. Returns 0; 1 with a sentence; -1 when
 * memory is out. */
int whatif_speed(struct whatif_sets *sets, const struct machine *machine,
                 const struct config *config, const char *text, char error[MACHINE_ERROR]);

/* The answer: a run as written and one of what is changed. */
struct whatif {
    const char *program, *machine;
    const char *const *frees, *const *sets; /* as given, NULL-terminated; or NULL */
    const struct machine_setting *settings; /* of the changed run */
    struct whatif_sets faster;              /* of --speed */
    int64_t cycles[2];
    uint64_t early[2];        /* run_early */
    struct verdict limits[2]; /* what it is bound by */
    size_t errors;            /* rules of time that the changed program breaks */
};

/* width: columns of a line. */
void whatif_print(const struct whatif *whatif, int width, FILE *out);
struct json_t;
struct json_t *whatif_json(const struct whatif *whatif);

#endif
