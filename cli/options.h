/*
 * options: the options of one command as a table, each with the place its value goes to.
 *
 *   const struct cli_option table[] = {{"json", .flag = &json},
 *                                      {"packing", .text = &packing, .words = packings},
 *                                      {"rows", .number = &rows, .high = 100000, .what = "rows"}};
 */
#ifndef TAKT_CLI_OPTIONS_H
#define TAKT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/cli.h"

/* Cycles [from, to) of "A:B" with A < B; A may be empty for 0, B for the end (INT64_MAX). */
struct cli_window {
    uint64_t from, to; /* to = 0: not given */
};

/* Exactly one of flag, text, list, number and window is set. */
struct cli_option {
    const char *name; /* without the dashes */
    bool *flag;
    const char **text;
    const char *const *words; /* of text: all that it may be, with NULL at the end; or NULL */
    struct cli_list *list;    /* may be given again; any other only with the same value */
    uint64_t *number;
    uint64_t low, high; /* of number */
    const char *what;   /* of number: its unit, for sentences; or NULL */
    struct cli_window *window;
};

/* Take the options from argv; arguments are argv[optind] .. argv[argc - 1] then. True to go on;
 * false when the command is to return *code, after --help or an option that is told to be wrong. A
 * table with `help` decides itself what that does. */
bool options_take(const char *command, const char *help, const struct cli_option *table,
                  size_t count, int argc, char **argv, int *code);
#define OPTIONS_TAKE(command, help, table, argc, argv, code)                                       \
    options_take(command, help, table, sizeof table / sizeof *table, argc, argv, code)

/* A whole number of digits alone: false when text is none or lies outside [low, high]. */
bool options_number(const char *text, uint64_t low, uint64_t high, uint64_t *value);

/* The modes of --packing. */
extern const char *const options_packings[];

#endif
