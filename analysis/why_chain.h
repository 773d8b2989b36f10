/*
 * why_chain: the chain of statements that held each other, for takt why: from a statement that was
 * held to the one that held it, and so on, as text or as JSON.
 */
#ifndef TAKT_ANALYSIS_WHY_CHAIN_H
#define TAKT_ANALYSIS_WHY_CHAIN_H

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CHAIN_TEXT = 200 };

struct chain_stmt {
    int64_t id, line;       /* id < 0: none */
    char place[CHAIN_TEXT]; /* file:12 */
    char text[CHAIN_TEXT];
};

/* What is known of the cycle in question. */
struct chain_instant {
    const char *reason; /* of the statement then; "" = not known */
    int64_t to;         /* end of the interval; < 0: not known */
    int64_t start;      /* when the statement used the unit next; < 0: not known */
};

struct chain {
    sqlite3 *db;
    json_t *links;
    FILE *out;   /* NULL for JSON */
    bool runs;   /* the slack comes from the run */
    int repeats; /* this many last links are a circle: a loop of the program */
    int rc;
};

/* A SELECT with its first parameter, and the second if it has one; or NULL. */
sqlite3_stmt *chain_select(struct chain *chain, const char *sql, int64_t first, int64_t second);
struct chain_stmt chain_stmt(struct chain *chain, int64_t id);
json_t *chain_stmt_json(const struct chain_stmt *stmt);
/* Write the chain from a statement that is held in a cycle. */
void chain_follow(struct chain *chain, int64_t stmt, int64_t cycle,
                  const struct chain_instant *instant);
/* A column as an id: -1 for NULL. */
int64_t chain_id(sqlite3_stmt *rows, int column);

#endif
