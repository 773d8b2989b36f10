/*
 * session: programs of the command line, from the options to the end of their run, by the handles
 * of the library (library/library.h). What is wrong is reported here, in the same way for every
 * command.
 *
 *   session_take     options
 *   session_open     machine, configuration, sources
 *   session_load     the program, which is legal
 *   session_prove    what depends on what, and lower bounds (where an answer needs them)
 *   session_keep     what the run reports, kept (where an answer needs it)
 *   session_record   and recorded (where an answer is SQL)
 *   session_run      the run, to its end
 *   session_close    in every case
 *
 * They return EXIT_FINE, or an exit code after saying why; nothing may be called then but
 * session_finish and session_close. With --json, errors of a program have been reported on standard
 * output, too.
 */
#ifndef TAKT_CLI_SESSION_H
#define TAKT_CLI_SESSION_H

#include <sqlite3.h>

#include "library/library.h"
#include "cli/options.h"

struct session {
    const char *command;
    const char *prefix; /* before each sentence about this program; NULL: nothing */
    bool warnings;      /* print those of a legal program, too */
    bool light;         /* run without values, unless memories are given or the time needs them */

    /* options */
    bool json;
    const char *machine_name;
    struct run_options run;
    struct cli_list files, sets, loads, saves, silenced;
    struct cli_settings settings;

    const struct machine *machine;
    struct takt_machine *chip;    /* from session_open on, with its configuration */
    struct takt_program *program; /* from there on, too: its sources and findings */
    struct takt_run *running;     /* from the first of prove, record and run on */

    const char *trace;   /* name of the recorder's file; NULL: it is in memory */
    sqlite3 *db;         /* of the recorder, if there is one */
    struct store *store; /* from keep or record on */
    uint64_t cycles;     /* after session_run */
};

/* Rows of an option table: those of every session, and those of one that has values. */
#define SESSION_OPTIONS(s)                                                                         \
    {"json", .flag = &(s).json}, {"machine", .text = &(s).machine_name},                           \
        {"config", .list = &(s).files}, {"silence", .list = &(s).silenced},                        \
    {                                                                                              \
        "set", .list = &(s).sets                                                                   \
    }
#define SESSION_VALUES(s)                                                                          \
    {"init", .text = &(s).run.init}, {"load", .list = &(s).loads},                                 \
    {                                                                                              \
        "timing-only", .flag = &(s).run.timing_only                                                \
    }

/* As options_take. The table is an array. */
bool session_take(struct session *s, const struct cli_options *options, int argc, char **argv,
                  int *code);
#define SESSION_TAKE(s, help, table, argc, argv, code)                                             \
    session_take(s,                                                                                \
                 &(const struct cli_options){(s)->command, help, table,                            \
                                             sizeof table / sizeof *table, &(s)->settings,         \
                                             (s)->light},                                          \
                 argc, argv, code)

/* The machine alone, for a command that has more to judge before anything is read. */
int session_choose(struct session *s, char **paths, size_t count);
int session_open(struct session *s, char **paths, size_t count);
int session_load(struct session *s);
/* required: without a graph there is no answer. Else a program that has none, or one of more than
 * `most` nodes, is run all the same. */
int session_prove(struct session *s, size_t most, bool required);
/* regions: divided among those of the program. */
int session_keep(struct session *s, bool regions);
/* path NULL: in memory. */
int session_record(struct session *s, const char *path, struct recorder_options options);
/* sink NULL: the library's. What it refers to must stay valid until session_close. */
int session_run(struct session *s, const struct sink *sink);
/* Close the run and its trace before all else is. As recorder_close. */
int session_finish(struct session *s, char error[MACHINE_ERROR]);
void session_close(struct session *s);

/* What a search of every order proves of a small program, in the time that any answer takes. */
int session_search(struct session *s);

/* Load, prove and keep; only a program with a graph has an answer. events: of the run, transfers,
 * dependences and warnings are kept, too; else its total. */
int session_keep_proven(struct session *s, size_t most, bool events);

/* Findings of the program; then, unless status is 0, the sentence (which may be empty) and the exit
 * code of a machine's callback that returned status: EXIT_INPUT above 0, EXIT_HOST below. */
int session_report(struct session *s, int status, const char *error);

#endif
