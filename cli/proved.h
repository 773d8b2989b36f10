/*
 * proved: a program that is legal, what is proven of it, and its run: for commands that ask the
 * graph.
 *
 *   proved_run --> load, check, graph and bounds, run into a trace in memory --> answer(proved)
 */
#ifndef TAKT_CLI_PROVED_H
#define TAKT_CLI_PROVED_H

#include <sqlite3.h>

#include "cli/options.h"

struct proved_args {
    const char *command, *machine_name;
    uint64_t most; /* nodes */
    bool starts;   /* when each node started is wanted */
    bool json;     /* findings are wanted as JSON, too */
    struct cli_list files, sets;
    struct cli_settings settings;
};
void proved_args_free(struct proved_args *args);

struct proved {
    const struct machine *machine;
    struct machine_run *run;
    const struct source *sources;
    struct machine_proof proof;
    sqlite3 *db; /* of the run, which is complete */
    uint64_t cycles;
    uint64_t *started, *finished; /* by node (traces/starts.h); NULL: not wanted */
};

/* Returns an exit code: answer's, or another after saying why. */
int proved_run(struct proved_args *args, char **paths, size_t count,
               int (*answer)(const void *context, const struct proved *proved),
               const void *context);

#endif
