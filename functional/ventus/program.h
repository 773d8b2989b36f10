/*
 * program: what is to be run. The one type between files and whoever executes, times or prints it.
 *
 *   NAME.metadata (NAME.data beside it) --ventus_program_load--> struct ventus_program
 *
 *   launches[]   in the order in which they run on one memory. The last one is the program; those
 *                before it only fill buffers that it reads
 *   ops[]        the words of the last one's code, decoded; each is a statement
 *   text         their listing, a line each: the program's text where it has none of its own
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_PROGRAM_H
#define TAKT_FUNCTIONAL_VENTUS_PROGRAM_H

#include <stdio.h>

#include "functional/diag.h"
#include "functional/source.h"
#include "functional/ventus/launch.h"

struct ventus_program {
    const struct source *sources; /* borrowed */
    size_t source_count;
    struct ventus_launch *launches;
    size_t launch_count, launch_capacity;
    struct source text;
    size_t *lines; /* where the line of each statement begins, and where the last one ends */
};

static inline const struct ventus_launch *
ventus_program_launch(const struct ventus_program *program)
{
    return &program->launches[program->launch_count - 1];
}

/* Returns 0, 1 when there was an error, -1 when the host has no memory. Free it in every case. */
int ventus_program_load(struct ventus_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags);
void ventus_program_free(struct ventus_program *program);

/* Where the instruction at pc stands in the program's own text: file, line, column and length of a
 * finding. False where it has none; what stands there is put into `insn`, "" where nothing does. */
bool ventus_program_where(const struct ventus_program *program, uint32_t pc, struct diag *at,
                          char insn[VENTUS_TEXT]);

/* Canonical text. Returns 0 or -1. */
int ventus_program_print(const struct ventus_program *program, FILE *out);

/* case.c: one launch from the text of NAME.metadata. Status as above. */
int ventus_case_read(struct ventus_launch *launch, const struct source *sources, uint32_t file,
                     struct diag_list *diags);
/* Whether an address lies in a buffer of the launch, or in local memory. */
bool ventus_launch_has(const struct ventus_launch *launch, uint32_t address);
void ventus_launch_free(struct ventus_launch *launch);
/* Add the launch's buffers to a memory, as far as they are not there, and fill them. Returns 0; 1
 * with a sentence; -1. */
int ventus_launch_fill(const struct ventus_launch *launch, struct ventus_memory *memory,
                       char *error, size_t error_size);

#endif
