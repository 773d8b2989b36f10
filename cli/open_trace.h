/*
 * open_trace: what the commands about traces share.
 */
#ifndef TAKT_CLI_OPEN_TRACE_H
#define TAKT_CLI_OPEN_TRACE_H

#include <sqlite3.h>
#include <stdint.h>

#include "analysis/questions.h"
#include "cli/cli.h"

/* Whether path can be a trace's: not standard input. If not, says so; the command ends with
 * EXIT_USAGE. */
bool open_trace_name(const char *command, const char *path);

/* The named question; NULL after saying that there is none, the command ends with EXIT_USAGE. */
const struct question *open_trace_question(const char *command, const char *name);

/* Open the trace of a command line. Returns EXIT_FINE or an exit code after saying why. */
int open_trace(const char *command, const char *path, sqlite3 **db);

/* From here on the trace is that of one region (analysis/region.h); name may be NULL. EXIT_FINE, or
 * EXIT_INPUT after saying which there are. */
int open_trace_region(const char *command, const char *path, sqlite3 *db, const char *name);

/* Say what SQLite says about the trace; returns the exit code. */
int open_trace_failed(const char *command, const char *path, sqlite3 *db);

/* Whether the run has a cycle from `from` on. Returns EXIT_FINE or EXIT_INPUT after saying why. */
int open_trace_holds(const char *command, sqlite3 *db, uint64_t from);

#endif
