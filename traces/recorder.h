/*
 * recorder: the SQLite sink: what a store has (traces/store.h) and intervals, as tables. Without a
 * path into a database in memory, for questions that are SQL.
 *
 *   recorder_open --recorder_sink--> model --recorder_db--> answers --recorder_close--> file
 *
 * Everything happens in the caller's thread, through SQLite's API. The program is written at begin,
 * intervals as they come, all else at finish.
 *
 * A file is NAME.partial until a complete run is closed (traces/trace_file.h).
 */
#ifndef TAKT_TRACES_RECORDER_H
#define TAKT_TRACES_RECORDER_H

#include <sqlite3.h>
#include <stdbool.h>

#include "traces/store.h"

struct recorder_options {
    bool intervals; /* every one, packed */
    uint64_t most;  /* of intervals: a run that has more keeps none of them; 0: any number */
    uint64_t plain; /* as plain rows, too, up to this many */
    uint64_t window_from, window_to; /* those that touch this as plain rows, too; 0, 0: none */
    struct store_options kept;       /* of the store */
    struct store *store; /* open, to be filled until the recorder is closed; NULL: a new one */
};

struct recorder;

/* path NULL: in memory. Returns 0; 1 when a file must not be replaced or another run writes it; -1
 * when the host failed. error gets a sentence. */
int recorder_open(struct recorder **recorder, const char *path,
                  const struct recorder_options *options, char *error, size_t error_size);

struct sink recorder_sink(struct recorder *recorder);

/* After finish: the hash of the final state, 16 hex digits. */
int recorder_state(struct recorder *recorder, const char *hash);

/* After finish: the store's slacks, which may be others now, instead of those that were written. */
int recorder_slack(struct recorder *recorder);

/* Let what was written so far survive a kill. recorder may be NULL. */
int recorder_commit(struct recorder *recorder);

/* The tables, as far as they are written. */
sqlite3 *recorder_db(struct recorder *recorder);

/* Why a call failed, or NULL. */
const char *recorder_error(const struct recorder *recorder);

/* End the recording. A complete run takes the name it was given; another stays under its partial
 * name; one that never began leaves nothing. Returns 0, 1 or -1 with a sentence in error. */
int recorder_close(struct recorder *recorder, char *error, size_t error_size);

#endif
