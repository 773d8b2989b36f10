/*
 * recorder_state: what the files of the recorder share. Calls return 0, or -1 after recorder_fail.
 */
#ifndef TAKT_TRACES_RECORDER_STATE_H
#define TAKT_TRACES_RECORDER_STATE_H

#include "traces/chunk.h"
#include "traces/recorder.h"

struct recorder {
    sqlite3 *db;
    char *path, *partial; /* NULL: in memory */
    struct recorder_options options;
    struct store *store, own;
    char error[512];
    bool failed, begun, complete;
    bool written; /* something since the last commit */

    size_t unit_count;
    struct recorder_unit {
        struct chunk chunk;
        uint32_t chunks; /* written */
    } * units;
    sqlite3_stmt *insert_chunk, *insert_row;
    uint64_t intervals; /* so far */
};

/* recorder_sql.c */
int recorder_fail(struct recorder *r, const char *sentence);
/* An SQLite code: nothing when it is SQLITE_OK. */
int recorder_sql(struct recorder *r, int rc);
int recorder_exec(struct recorder *r, const char *sql);
/* NULL after recorder_fail. */
sqlite3_stmt *recorder_prepare(struct recorder *r, const char *sql);
/* Step and reset. */
int recorder_step(struct recorder *r, sqlite3_stmt *insert);

/* recorder_rows.c: rows of a list. Row i is bound to the parameters from `first` on; rows come in
 * order, each once. */
struct recorder_rows {
    const char *table;
    int columns;
    size_t count;
    void (*bind)(struct recorder *r, const struct recorder_rows *rows, size_t i, sqlite3_stmt *s,
                 int first);
    const void *list;
    void *context;
    bool (*keep)(const void *list, size_t i); /* NULL: all rows are kept */
};

int recorder_insert(struct recorder *r, const struct recorder_rows *rows);
/* NONE_ID is NULL; a text that is NULL is empty. */
void recorder_bind_id(sqlite3_stmt *s, int index, uint32_t id);
void recorder_bind_integers(sqlite3_stmt *s, int first, const uint64_t *values, int count);
void recorder_bind_text(sqlite3_stmt *s, int index, const char *text);

/* Facts of meta. */
struct recorder_fact {
    const char *key;
    const char *text; /* NULL: a number */
    uint64_t number;
};

int recorder_write_facts(struct recorder *r, const struct recorder_fact *facts, size_t count);

/* recorder_header.c, recorder_finish.c */
int recorder_write_header(struct recorder *r);
int recorder_write_events(struct recorder *r);
int recorder_write_summary(struct recorder *r);

#endif
