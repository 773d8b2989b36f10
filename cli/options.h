/*
 * options: the options of one command as a table, each with the place its value goes to. A command
 * about programs also takes what the machines declare for it (struct machine_option).
 *
 *   const struct cli_option table[] = {{"json", .flag = &json},
 *                                      {"format", .text = &format, .words = formats},
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

/* The machines' own options that were given: a list as in struct run_options. */
struct cli_settings {
    struct machine_setting *items;
    size_t count, capacity;
};
void cli_settings_free(struct cli_settings *settings);

/* Exactly one of flag, text, list, number, window and settings is set. */
struct cli_option {
    const char *name; /* without the dashes */
    bool *flag;
    const char **text;
    const char *const *words; /* of text: all that it may be, with NULL at the end; or NULL */
    bool writes; /* text names a file that is written; - and its like are standard output */
    struct cli_list *list; /* may be given again; any other only with the same value */
    uint64_t *number;
    uint64_t low, high; /* of number */
    const char *what;   /* of number: its unit, for sentences; or NULL */
    struct cli_window *window;
    struct cli_settings *settings;
    bool bare; /* of settings: it takes no value */
};

struct cli_options {
    const char *command;
    /* A line "@common" in help is replaced by the rows of the table that many commands have and the
     * text has not, for --help, and for the options of the machines; "@places" for what SPEC of
     * --load and --save may be; "@history" for the places of machine_values.history; "@units" for
     * the units of whatif --speed; "@exit" and a sentence of the exit
     * codes 0 and 1 for that of all exit codes. */
    const char *help;
    const struct cli_option *table;
    size_t count;
    struct cli_settings *settings; /* NULL: the command has no options of machines */
    bool light;                    /* as of struct session */
};

/* Take the options from argv; arguments are argv[optind] .. argv[argc - 1] then. True to continue;
 * false when the command is to return *code, after --help or after a wrong option has been
 * reported. Of options that write and --json one may have standard output. A table with `help`
 * decides itself what that does. */
bool options_take(const struct cli_options *options, int argc, char **argv, int *code);
/* The same for an array, without the machines' options. */
#define OPTIONS_TAKE(command, help, table, argc, argv, code)                                       \
    options_take(&(const struct cli_options){command, help, table, sizeof table / sizeof *table,   \
                                             NULL, false},                                         \
                 argc, argv, code)

/* Print what --help prints. */
void options_help(const struct cli_options *options);

/* Whether the machine has what is in options->settings, and takes the rest. EXIT_FINE, or
 * EXIT_USAGE after saying why. */
int options_accept(const char *command, const struct machine *machine,
                   const struct run_options *options);

/* A whole number of digits alone: false for other text or outside [low, high]. */
bool options_number(const char *text, uint64_t low, uint64_t high, uint64_t *value);

/* N or FILE:N, a line from 1; file stays empty without one. False: neither. */
bool options_line(const char *text, char *file, size_t size, uint64_t *line);

#endif
