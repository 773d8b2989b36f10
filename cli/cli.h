/*
 * cli: what the commands share. One file a command; each exports int cmd_<name>(argc, argv) with
 * argv[0] = the command's name, and returns the exit code.
 */
#ifndef TAKT_CLI_CLI_H
#define TAKT_CLI_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "timing/machines.h"
#include "version.h" /* TAKT_VERSION; the Makefile makes it */

enum exit_code {
    EXIT_FINE = 0,
    EXIT_INPUT = 1, /* errors in the program or input */
    EXIT_USAGE = 2,
    EXIT_HOST = 3, /* memory, disk, SQLite */
    EXIT_INTERRUPTED = 130
};

struct command {
    const char *name, *arguments, *sentence;
    int (*run)(int argc, char **argv);
};
extern const struct command commands[];
extern const size_t command_count;

#define COMMAND(name, arguments, sentence) int cmd_##name(int argc, char **argv);
#include "all-commands.def" /* the Makefile puts it together */

/* "takt run: sentence" on stderr; returns code. */
int cli_fail(enum exit_code code, const char *command, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* EXIT_FINE for a status of 0. Above it EXIT_INPUT, below it EXIT_HOST, after saying error, or that
 * memory is out where that is empty. */
int cli_status(const char *command, int status, const char *error);
/* The same of a file; below an error that begins with FILE:LINE:COL are the line and a caret. */
int cli_fail_in(const char *command, int status, const struct source *file, const char *error);
/* These lines alone. */
void cli_excerpt(const struct source *file, const char *error);
/* As cli_fail, followed by how to get help. Returns EXIT_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends the process after the seconds of an option --seconds (0: no limit) and the grace, within a
 * function of SQL, too. Partial files are removed. */
void cli_alarm(const char *command, double seconds, unsigned grace);

/* Whether one of them was called. */
bool cli_said(void);

/* Colour on this stream: a terminal, no NO_COLOR, TERM not dumb. */
bool cli_colour(FILE *stream);
/* Columns of the terminal of stream; 80 for other files. */
int cli_width(FILE *stream);
/* Processors of this host: one at least. */
unsigned cli_processors(void);

/* The machine for a program: by name when given, else by the file's extension, else the first. */
const struct machine *cli_machine(const char *name, const char *path);

/* The one that all of the programs are for; NULL after saying why, which is a usage error. */
const struct machine *cli_machine_for(const char *command, const char *name, char **paths,
                                      size_t count);

/* A growing NULL-terminated list of option arguments. */
struct cli_list {
    const char **items;
    size_t count, capacity;
};
bool cli_list_add(struct cli_list *list, const char *item);
bool cli_list_join(struct cli_list *list, const struct cli_list *more);
void cli_list_free(struct cli_list *list);

/* Names for --silence that the machine has. EXIT_FINE, or EXIT_USAGE after saying why. */
int cli_silenced(const char *command, const struct machine *machine, const struct cli_list *names);

/* Sources of the command line, opened; a trace is refused. Returns 0 or an exit code after saying
 * why. */
int cli_open_sources(const char *command, char **paths, size_t count, struct source *sources);
/* Of paths and files (which may be NULL) at most one is standard input; or EXIT_USAGE after saying
 * so. */
int cli_stdin_once(const char *command, char **paths, size_t count, const struct cli_list *files);
void cli_close_sources(struct source *sources, size_t count);

/* The machine's configuration with --config files and --set assignments laid over it, in that
 * order. Returns 0 or an exit code after saying why. */
int cli_config(const char *command, const struct machine *machine, const struct cli_list *files,
               const struct cli_list *sets, struct config *config);

/* Diagnostics as text on stderr, with a closing count when there are any. */
void cli_diags(const struct diag_list *diags, const struct source *sources, size_t count);
/* Some of them, and the count of all. */
void cli_diags_shown(const struct diag_list *shown, const struct diag_list *diags,
                     const struct source *sources, size_t count);
/* The errors alone, where warnings have been printed before; nothing when there is none. */
void cli_diags_errors(const struct diag_list *diags, const struct source *sources, size_t count);
/* Of warnings a few, and of errors as many as are useful; the rest is counted: takt check lists
 * them all. */
void cli_diags_few(const struct diag_list *diags, const struct source *sources, size_t count);
struct json_t;
/* A JSON value (which is given up) on stdout, with a line's end; flags are jansson's. EXIT_FINE, or
 * EXIT_HOST after saying why. */
int cli_json(const char *command, struct json_t *root, size_t flags);

/* A file that appears whole or not at all: what `print` writes; it returns 0, or not 0 when the
 * answer could not be made. Returns an exit code; what went wrong has been said. */
int cli_write(const char *command, const char *path, int (*print)(const void *answer, FILE *out),
              const void *answer);
/* A finding as an object of docs/json.md. */
struct json_t *cli_diag_json(const struct diag *diag, const struct source *sources, size_t count);
/* Diagnostics as {"ok":bool,"diagnostics":[...]} in that way. */
int cli_diags_json(const char *command, const struct diag_list *diags, const struct source *sources,
                   size_t count);
/* The same for errors without a place in a program: standard error has them. */
void cli_unread_json(void);
/* The same at the end of a command with errors in its input, if JSON is wanted and none was
 * written. Returns code. */
int cli_end_json(bool json, int code);

/* SIGINT, SIGTERM and SIGHUP end the process with a sentence and EXIT_INTERRUPTED, unless they are
 * ignored. */
void loop_guard(const char *command);
/* The same signals end a run that loop_run runs, or will run, instead of the process: from before a
 * trace is begun until it is closed; then they do again what they did before. One that hangs ends
 * as by loop_guard some seconds later. Calls may be nested. */
void loop_watch(bool on);
/* Between these, for work without a run: whether a signal requests its end. May be called in any
 * thread; the work then has no time limit any more. */
bool loop_signalled(void);

/* Drive a run to its end in slices from the libevent loop: signals, progress on stderr. */
struct loop_result {
    enum run_status status;
    bool interrupted;
};
struct takt_run;
/* What the run's trace holds survives a kill after each slice. */
int loop_run(struct takt_run *run, bool progress, char error[MACHINE_ERROR],
             struct loop_result *result);

#endif
