/*
 * timed: sources run to their end for another answer than takt run's: loaded, checked, timed, kept
 * in a recorder that the caller opens and closes.
 */
#ifndef TAKT_CLI_TIMED_H
#define TAKT_CLI_TIMED_H

#include <sqlite3.h>

#include "cli/cli.h"
#include "traces/recorder.h"

struct timed {
    const char *command; /* for sentences */
    const struct machine *machine;
    const struct config *config;
    const struct source *sources;
    size_t source_count;
    const struct run_options *options;
    struct machine_proof *proof; /* what is proven of it, for the recorder; or NULL */
    bool json;                   /* findings are wanted as JSON, too */
    bool unchecked; /* time it even though rules of time forbid it; the language must be right */
};

/* EXIT_FINE and the total in *cycles, or an exit code after saying why. *errors: what the rules of
 * time found in an unchecked program; or NULL. */
int timed_run(const struct timed *timed, struct recorder *recorder, uint64_t *cycles,
              size_t *errors);

#endif
