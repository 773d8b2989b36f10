/*
 * machine_language: the programs of a machine: reading, checking, printing. Reached from struct
 * machine (timing/machine.h), as are the other three tables. Status of calls: 0, 1 or -1, as
 * there.
 */
#ifndef TAKT_TIMING_MACHINE_LANGUAGE_H
#define TAKT_TIMING_MACHINE_LANGUAGE_H

#include "functional/diag.h"
#include "functional/source.h"
#include "functional/vocabulary.h"
#include "timing/machine_options.h"

struct riscv_image; /* functional/riscv/image.h */

/* An option that commands have for programs of this machine only: one row for each command and
 * option. Machines that share the name of an option agree on whether it takes an argument. */
struct machine_option {
    const char *commands;     /* blank-separated: "run check" */
    const char *name;         /* without the dashes */
    const char *argument;     /* as in the help, "MODE"; NULL: a flag */
    const char *const *words; /* the valid arguments, NULL-terminated; NULL: any text */
    const char *with;         /* the option of the machine that this one needs, or NULL */
    bool changes;             /* of takt whatif: applies to the changed run only */
    enum { MACHINE_NO_FILE, MACHINE_READS, MACHINE_WRITES } file; /* the argument is a file */
    const char *help; /* lines of at most 59 columns, divided by '\n' */
};

struct machine_language {
    const char *extensions; /* of program files, blank-separated: ".s .asm" */

    /* Whether a file with an unknown extension is a program of this machine, by its first
     * MACHINE_HEAD bytes (zeros after its end): 0 for no; a larger number is more certain. NULL:
     * never. */
    unsigned (*recognise)(const char *path, const unsigned char *head);
    int (*load)(struct machine_program **program, const struct source *sources, size_t count,
                struct diag_list *diags);
    void (*unload)(struct machine_program *program);
    /* Every rule of legality that load does not check; settings as in run_options. */
    int (*check)(const struct machine_program *program, const struct config *config,
                 const struct machine_setting *settings, struct diag_list *diags);
    /* Canonical text. 1: a binary program of which there is none, since it has memory where text
     * has none. */
    int (*print)(const struct machine_program *program, const struct machine_setting *settings,
                 FILE *out);

    const char *const *warnings; /* names for --silence, NULL-terminated */
    /* The warning about statements that fail whenever they are executed, an error in takt check; or
     * NULL. */
    const char *traps;
    const char *const *about_values; /* warnings that equal values settle; or NULL */

    const struct machine_option *options; /* up to a NULL name; or NULL */
    /* Options that can be judged before anything is opened; NULL: all are valid. Returns 0, or 1
     * with a sentence. */
    int (*accept)(const struct run_options *options, char error[MACHINE_ERROR]);
    bool regions; /* programs without directives can have regions, too */

    /* The code of a RISC-V program, whose statements are those of a run; NULL: another machine. */
    const struct riscv_image *(*image)(const struct machine_program *program);
    bool wide; /* a stream begins several instructions a cycle: each is reported as an execution */
    /* Each statement is executed once; costs of a run have one row for all of the same text, that
     * of the first. */
    bool once;
    const struct vocabulary *vocabulary; /* for editors; or NULL */
};

#endif
