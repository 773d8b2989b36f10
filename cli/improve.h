/*
 * improve: what takt advise and takt schedule share: one program, opened as struct candidates, and
 * a program that is written.
 *
 *   improve_take (options) --> improve_open (the program, run as written) --> improve_close
 */
#ifndef TAKT_CLI_IMPROVE_H
#define TAKT_CLI_IMPROVE_H

#include "analysis/candidate.h"
#include "cli/options.h"

struct improve {
    const char *command, *machine_name;
    const bool *json;
    struct cli_list files, sets, loads;
    struct cli_settings settings;
    struct config config;
    struct source source;
    struct candidate_setup setup;
    struct candidates *candidates;
    bool has_config, has_source;
};

struct improve_command {
    const char *name, *help;
    const struct cli_option *own; /* options beside those of both */
    size_t own_count;
    const bool *json;
};

/* What both commands' help says of the options that they share. */
#define IMPROVE_HELP                                                                               \
    "  --load SPEC=FILE   read 64-bit words into a memory before each run; SPEC is of\n"           \
    "@places\n"                                                                                    \
    "  --machine NAME     instead of the one that the file's extension tells\n"                    \
    "  --config FILE      parameters laid over the machine's chip file\n"                          \
    "  --set KEY=VALUE    one parameter\n"                                                         \
    "  --help             this text\n"                                                             \
    "@options\n"

/* True to go on, with one argument left; else *code is what the command is to return. */
bool improve_take(struct improve *improve, const struct improve_command *command, int argc,
                  char **argv, int *code);
/* Load, check, run. Returns an exit code after saying why. */
int improve_open(struct improve *improve, char *path);
void improve_close(struct improve *improve);

/* Whether the file that is to be written may be; NULL: none is. EXIT_FINE or EXIT_USAGE. */
int improve_output(const struct improve *improve, const char *option, const char *path,
                   const char *program);
/* A text to a file as a whole, or not at all. Returns an exit code after saying why. */
int improve_write(const char *command, const char *path, const char *text, size_t size);

#endif
