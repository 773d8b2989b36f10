#include "analysis/loops.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statement_key.h"
#include "traces/rows.h"
#include "host/grow.h"
#include "traces/slice.h"
#include "traces/trace.h"

enum {
    LEAST_TURNS = 3,
    MOST_PERIOD = 1 << 14,
    MOST_TRIES = 256,
    MOST_LOOPS = 1000,
    MOST_TOKENS = 1 << 22 /* of a stream, about; they are held in memory */
};
#define NONE UINT32_MAX

/* A statement that a stream has executed. */
struct token {
    uint64_t key; /* of its text without numbers */
    int64_t start;
    uint32_t stmt, next; /* next: the next one of this key, or NONE */
};

struct look {
    sqlite3 *db;
    int rc;
    uint64_t *keys; /* by statement */
    size_t key_count;
    struct token *tokens; /* of one stream */
    size_t count, capacity, loops;
    int64_t unit, end;      /* the stream, and where it ends */
    int64_t *sums;          /* cycles by unit and reason */
    int64_t units, reasons; /* above their ids */
};

/* --- statements ------------------------------------------------------------------------------ */

static void read_keys(struct look *l)
{
    sqlite3_stmt *s = rows_select(l->db, "SELECT text FROM stmt ORDER BY id", &l->rc);
    size_t capacity = 0;
    while (rows_next(s, &l->rc)) {
        if (!grow_list(&l->keys, &capacity, l->key_count + 1, sizeof *l->keys)) {
            rows_fail(&l->rc, SQLITE_NOMEM);
            break;
        }
        const char *text = rows_text(s, 0);
        l->keys[l->key_count++] = statement_key(text, strlen(text));
    }
    sqlite3_finalize(s);
}

static void add_token(struct look *l, int64_t start, int64_t stmt)
{
    if (!grow_list(&l->tokens, &l->capacity, l->count + 1, sizeof *l->tokens)) {
        l->rc = SQLITE_NOMEM;
        return;
    }
    l->tokens[l->count++] = (struct token){.key = stmt < (int64_t)l->key_count ? l->keys[stmt] : 0,
                                           .start = start,
                                           .stmt = (uint32_t)stmt};
}

/* What the stream is at, and whether it has worked on it. */
struct issue {
    int64_t stmt;
    bool worked;
};

/* One execution: the stall at a statement and its busy cycles; a longer busy interval counts as
 * several, by how many the statement has in all its busy cycles. */
static void add_execution(struct look *l, struct issue *at, const struct token *token,
                          int64_t duration, bool works, double a_cycle)
{
    if (token->stmt != at->stmt || at->worked)
        add_token(l, token->start, token->stmt);
    const bool whole = works && a_cycle <= 1; /* more begin in a cycle: each has an interval */
    const int64_t count = whole ? (int64_t)((double)duration * a_cycle + 1e-6) : 1;
    for (int64_t k = 1; k < count && l->count < MOST_TOKENS && l->rc == SQLITE_OK; k++)
        add_token(l, token->start + duration * k / count, token->stmt);
    *at = (struct issue){token->stmt, works};
    if (token->start + duration > l->end)
        l->end = token->start + duration;
}

static struct token token_of(sqlite3_stmt *s)
{
    return (struct token){.start = sqlite3_column_int64(s, 0),
                          .stmt = (uint32_t)sqlite3_column_int64(s, 1)};
}

/* Transfers that come before this, or all. They issue in no time. */
static bool add_transfers(struct look *l, struct issue *at, sqlite3_stmt *transfers, bool more,
                          const struct token *before)
{
    for (; more && l->count < MOST_TOKENS; more = rows_next(transfers, &l->rc)) {
        const struct token token = token_of(transfers);
        if (before && (token.start > before->start ||
                       (token.start == before->start && token.stmt >= before->stmt)))
            break;
        add_execution(l, at, &token, 0, true, 0);
    }
    return more;
}

/* What the stream has issued, in its order. Where there is one stream, transfers are its. */
static void read_tokens(struct look *l)
{
    sqlite3_stmt *s = rows_select(
        l->db,
        "SELECT i.ts, i.stmt, i.dur, y.state = 0, (SELECT 1.0 * sum(c.execs) / sum(c.cycles) "
        "FROM stmt_total c WHERE c.stmt = i.stmt AND c.unit = ?1 AND c.reason = i.reason) "
        "FROM temp.slice i CROSS JOIN reason y ON y.id = i.reason "
        "WHERE i.track_id = ?1 AND i.stmt NOT NULL",
        &l->rc);
    sqlite3_stmt *transfers =
        rows_select(l->db,
                    "SELECT issued, stmt FROM transfer WHERE "
                    "(SELECT count(*) FROM unit WHERE kind = 'issue') = 1 ORDER BY id",
                    &l->rc);
    struct issue at = {.stmt = -1};
    l->count = 0;
    if (s)
        sqlite3_bind_int64(s, 1, l->unit);
    bool more = rows_next(transfers, &l->rc);
    while (l->count < MOST_TOKENS && rows_next(s, &l->rc)) {
        const struct token token = token_of(s);
        more = add_transfers(l, &at, transfers, more, &token);
        add_execution(l, &at, &token, sqlite3_column_int64(s, 2), sqlite3_column_int(s, 3),
                      sqlite3_column_double(s, 4));
    }
    add_transfers(l, &at, transfers, more, NULL);
    sqlite3_finalize(s);
    sqlite3_finalize(transfers);
}

static int by_key(const void *a, const void *b)
{
    const struct token *x = *(const struct token *const *)a, *y = *(const struct token *const *)b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : x < y ? -1 : x > y;
}

static void link_tokens(struct look *l)
{
    struct token **sorted = malloc((l->count + 1) * sizeof *sorted);
    if (!sorted) {
        l->rc = SQLITE_NOMEM;
        return;
    }
    for (size_t i = 0; i < l->count; i++)
        sorted[i] = &l->tokens[i];
    if (l->count)
        qsort(sorted, l->count, sizeof *sorted, by_key);
    for (size_t i = 0; i < l->count; i++)
        sorted[i]->next = i + 1 < l->count && sorted[i + 1]->key == sorted[i]->key
                              ? (uint32_t)(sorted[i + 1] - l->tokens)
                              : NONE;
    free(sorted);
}

/* --- loops ----------------------------------------------------------------------------------- */

struct loop {
    size_t first, period, turns, depth;
    int64_t turn, entry, leave; /* turn: cycles in the steady state */
    size_t steady;              /* turns of it */
    int64_t from, to;           /* the steady state, first turn to last */
    size_t steady_turn;         /* first of it */
};

static int64_t start_of(const struct look *l, const struct loop *loop, size_t turn)
{
    const size_t token = loop->first + turn * loop->period;
    return token < l->count ? l->tokens[token].start : l->end;
}

static int by_length(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void find_steady(struct look *l, struct loop *loop)
{
    int64_t *lengths = malloc(loop->turns * sizeof *lengths);
    if (!lengths) {
        l->rc = SQLITE_NOMEM;
        return;
    }
    for (size_t k = 0; k < loop->turns; k++)
        lengths[k] = start_of(l, loop, k + 1) - start_of(l, loop, k);
    qsort(lengths, loop->turns, sizeof *lengths, by_length);
    for (size_t k = 0, same; k < loop->turns; k += same) {
        for (same = 1; k + same < loop->turns && lengths[k + same] == lengths[k];)
            same++;
        if (same > loop->steady) {
            loop->steady = same;
            loop->turn = lengths[k];
        }
    }
    free(lengths);
    bool found = false;
    for (size_t k = 0; k < loop->turns; k++) {
        const int64_t from = start_of(l, loop, k), to = start_of(l, loop, k + 1);
        if (to - from != loop->turn)
            continue;
        if (!found) {
            loop->from = from;
            loop->steady_turn = k;
        }
        found = true;
        loop->to = to;
    }
    loop->entry = loop->from - start_of(l, loop, 0);
    loop->leave = start_of(l, loop, loop->turns) - loop->to;
}

/* The loop that begins at this token and ends by `end`. */
static bool find_loop(const struct look *l, size_t at, size_t end, size_t longest,
                      struct loop *loop)
{
    const struct token *t = l->tokens;
    size_t best = 0, tries = 0;
    for (size_t other = t[at].next; other != NONE && other < end && tries++ < MOST_TRIES;
         other = t[other].next) {
        const size_t period = other - at;
        if (period > longest || at + LEAST_TURNS * period > end)
            break;
        size_t same = 0;
        while (other + same < end && t[at + same].key == t[other + same].key)
            same++;
        const size_t turns = 1 + same / period;
        if (turns >= LEAST_TURNS && turns * period > best) {
            best = turns * period;
            *loop = (struct loop){.first = at, .period = period, .turns = turns};
        }
    }
    return best > 0;
}

/* Cycles of the steady state by unit and reason, into temp.part. GROUP BY would hold all intervals
 * in memory. */
static void add_up(struct look *l, const struct loop *loop)
{
    memset(l->sums, 0, (size_t)(l->units * l->reasons) * sizeof *l->sums);
    sqlite3_stmt *s = rows_select(l->db,
                                  "SELECT track_id, reason, min(till, ?2) - max(ts, ?1) "
                                  "FROM temp.slice WHERE ts < ?2 AND till > ?1",
                                  &l->rc);
    rows_window(s, (uint64_t)loop->from, (uint64_t)loop->to);
    while (rows_next(s, &l->rc)) {
        const int64_t unit = sqlite3_column_int64(s, 0), reason = sqlite3_column_int64(s, 1);
        if (unit >= 0 && unit < l->units && reason >= 0 && reason < l->reasons)
            l->sums[unit * l->reasons + reason] += sqlite3_column_int64(s, 2);
    }
    sqlite3_finalize(s);
    rows_do(l->db, "DELETE FROM temp.part", &l->rc);
    s = rows_select(l->db, "INSERT INTO temp.part VALUES (?1, ?2, ?3)", &l->rc);
    for (int64_t i = 0; i < l->units * l->reasons; i++) {
        if (!l->sums[i])
            continue;
        sqlite3_bind_int64(s, 1, i / l->reasons);
        sqlite3_bind_int64(s, 2, i % l->reasons);
        sqlite3_bind_int64(s, 3, l->sums[i]);
        rows_next(s, &l->rc);
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
}

/* What the steady state is bound by: as analysis/verdict.h says of a region. */
static void insert(struct look *l, const struct loop *loop)
{
    static const char sql[] =
        "WITH kinds AS (SELECT CASE y.state WHEN 0 THEN 'work' ELSE y.limits END AS kind, "
        "sum(p.cycles) AS cycles FROM temp.part p JOIN reason y ON y.id = p.reason "
        "WHERE p.unit = ?3 AND (y.state = 0 OR y.limits <> '') GROUP BY 1), "
        "busiest AS (SELECT u.name AS name, p.cycles AS cycles FROM temp.part p "
        "JOIN unit u ON u.id = p.unit JOIN reason y ON y.id = p.reason WHERE y.state = 0 AND "
        "u.kind <> 'issue' AND p.unit IN (SELECT unit FROM temp.worker) AND "
        "4 * p.cycles >= 3 * (SELECT cycles FROM kinds WHERE kind = 'work') AND "
        "3 * p.cycles >= 2 * (?2 - ?1) ORDER BY p.cycles DESC, p.unit LIMIT 1), "
        "ports AS (SELECT coalesce(sum(p.cycles), 0) AS cycles FROM temp.part p "
        "JOIN reason y ON y.id = p.reason WHERE p.unit = ?3 AND y.name IN ('port', 'queue')), "
        "worst AS (SELECT kind, cycles FROM kinds ORDER BY kind = 'work' AND "
        "2 * (cycles + (SELECT cycles FROM ports)) >= "
        "(SELECT sum(cycles) FROM kinds) AND (EXISTS (SELECT 1 FROM busiest) OR "
        "3 * cycles >= 2 * (?2 - ?1)) DESC, kind = 'work', cycles DESC, kind DESC LIMIT 1) "
        "INSERT INTO temp.loop SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "
        "CASE WHEN kind <> 'work' THEN kind WHEN EXISTS (SELECT 1 FROM busiest) THEN 'resource' "
        "ELSE 'issue' END, CASE WHEN kind = 'work' THEN (SELECT name FROM busiest) END, "
        "1.0 * CASE WHEN kind = 'work' THEN coalesce((SELECT cycles FROM busiest), cycles) "
        "ELSE cycles END / max(?2 - ?1, 1) "
        "FROM (SELECT coalesce((SELECT kind FROM worst), '') AS kind, "
        "coalesce((SELECT cycles FROM worst), 0) AS cycles)";
    const int64_t values[] = {
        loop->from,
        loop->to,
        l->unit,
        (int64_t)loop->depth,
        l->tokens[loop->first].stmt,
        l->tokens[loop->first + loop->turns * loop->period - 1].stmt,
        (int64_t)loop->period,
        (int64_t)loop->turns,
        start_of(l, loop, loop->turns) - start_of(l, loop, 0),
        loop->turn,
        (int64_t)loop->steady,
        loop->entry,
        loop->leave,
    };
    add_up(l, loop);
    sqlite3_stmt *s = rows_select(l->db, sql, &l->rc);
    for (int i = 0; s && i < (int)(sizeof values / sizeof *values); i++)
        sqlite3_bind_int64(s, i + 1, values[i]);
    rows_next(s, &l->rc);
    sqlite3_finalize(s);
}

static void find_loops(struct look *l, size_t from, size_t to, size_t depth, size_t longest)
{
    struct loop loop = {.first = 0};
    for (size_t at = from; at < to && l->rc == SQLITE_OK && l->loops < MOST_LOOPS;) {
        if (!find_loop(l, at, to, longest, &loop)) {
            at++;
            continue;
        }
        loop.depth = depth;
        find_steady(l, &loop);
        if (l->rc == SQLITE_OK)
            insert(l, &loop);
        l->loops++;
        if (loop.period >= LEAST_TURNS) {
            const size_t turn = loop.first + loop.steady_turn * loop.period;
            find_loops(l, turn, turn + loop.period, depth + 1, loop.period / LEAST_TURNS);
        }
        at = loop.first + loop.turns * loop.period;
    }
}

/* An array for ids of both tables, which count from 0. */
static void make_sums(struct look *l)
{
    enum { MOST_SUMS = 1 << 24 };
    l->units = rows_value(l->db, "SELECT max(id) + 1 FROM unit", 0, 0, 0);
    l->reasons = rows_value(l->db, "SELECT max(id) + 1 FROM reason", 0, 0, 0);
    if (l->units <= 0 || l->reasons <= 0 || l->units > MOST_SUMS / l->reasons)
        l->units = l->reasons = 0;
    l->sums = calloc((size_t)(l->units * l->reasons) + 1, sizeof *l->sums);
    if (!l->sums)
        rows_fail(&l->rc, SQLITE_NOMEM);
}

static void find_all(struct look *l)
{
    sqlite3_stmt *s =
        rows_select(l->db, "SELECT id FROM unit WHERE kind = 'issue' ORDER BY id", &l->rc);
    read_keys(l);
    make_sums(l);
    while (rows_next(s, &l->rc)) {
        l->unit = sqlite3_column_int64(s, 0);
        l->end = 0;
        read_tokens(l);
        if (l->rc == SQLITE_OK)
            link_tokens(l);
        find_loops(l, 0, l->count, 1, MOST_PERIOD);
    }
    sqlite3_finalize(s);
    free(l->keys);
    free(l->tokens);
    free(l->sums);
}

int loops_find(sqlite3 *db)
{
    struct look l = {.db = db, .rc = SQLITE_OK};
    const bool closed = trace_temporary(db, false);
    /* worker: units at which statements other than transfers work. */
    l.rc = rows_exec(
        db, "DROP TABLE IF EXISTS temp.loop; DROP TABLE IF EXISTS temp.part; "
            "DROP TABLE IF EXISTS temp.worker; "
            "CREATE TEMP TABLE loop (unit INTEGER, depth INTEGER, first INTEGER, last INTEGER, "
            "statements INTEGER, turns INTEGER, cycles INTEGER, turn INTEGER, steady INTEGER, "
            "entry INTEGER, leave INTEGER, kind TEXT, limit_unit TEXT, share REAL); "
            "CREATE TEMP TABLE part (unit INTEGER, reason INTEGER, cycles INTEGER); "
            "CREATE TEMP TABLE worker AS SELECT DISTINCT c.unit AS unit FROM cost c WHERE c.cost "
            "IN (SELECT s.cost FROM stmt_cost_set s "
            "WHERE s.stmt NOT IN (SELECT stmt FROM transfer))");
    if (l.rc == SQLITE_OK && slice_packed(db))
        find_all(&l);
    trace_temporary(db, closed);
    return l.rc;
}
