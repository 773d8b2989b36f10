/*
 * files: what a command line reads and writes. Before anything is opened, outputs are held against
 * inputs and each other: writing over an input would destroy it, and of two answers in one file one
 * would be lost. host/in_use.h holds to the same when files are opened; this check comes
 * before a long run.
 */
#ifndef TAKT_CLI_FILES_H
#define TAKT_CLI_FILES_H

#include "cli/cli.h"

struct cli_files {
    struct cli_list inputs, outputs, options; /* options: of each output, its option */
    char *beside[3];                          /* further names that a trace takes */
    bool out_of_memory;
};

/* path NULL: nothing. Standard input and output are compared with nothing. */
void files_read(struct cli_files *files, const char *path);
void files_read_list(struct cli_files *files, const struct cli_list *paths);
void files_written(struct cli_files *files, const char *option, const char *path);
/* A trace, and the files written with it. */
void files_trace(struct cli_files *files, const char *path);
/* All that a run reads or writes except its programs and its trace: "SPEC=FILE" of loads and saves,
 * and the options of the machine that name files. */
void files_of_run(struct cli_files *files, const struct machine *machine,
                  const struct run_options *options);
/* EXIT_FINE; EXIT_USAGE or EXIT_HOST after saying why. Frees what files holds. */
int files_check(struct cli_files *files, const char *command);

#endif
