#include "analysis/moment.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "traces/rows.h"
#include "traces/trace.h"

struct look {
    sqlite3 *db;
    struct moment *m;
    int64_t unit, cycle, cycles;
    bool failed;
};

/* Edges of the stream ?1: not those of a transfer, which begin after its issue; of a reason that it
 * is charged for; with several streams, of statements that this one is charged for. */
#define STREAM_EDGES                                                                               \
    "SELECT * FROM (SELECT d.dst AS stmt, d.waited AS waited, d.times AS times, d.first_at AS "    \
    "at, coalesce(y.name, k.name) AS reason "                                                      \
    "FROM dep d JOIN dep_kind k ON k.id = d.kind LEFT JOIN reason y ON y.id = k.reason "           \
    "WHERE NOT EXISTS (SELECT 1 FROM transfer t WHERE t.stmt = d.dst AND t.issued < d.first_at) "  \
    "AND ((SELECT count(*) FROM unit WHERE kind = 'issue') = 1 OR EXISTS (SELECT 1 FROM "          \
    "stmt_total c WHERE c.stmt = d.dst AND c.unit = ?1))) WHERE waited = 0 OR reason IN (SELECT "  \
    "y.name FROM unit_total t JOIN reason y ON y.id = t.reason WHERE t.unit = ?1)"

/* The first row of an answer: its integers into numbers, -1 for NULL; if text is not NULL, the last
 * column is a name and goes there. */
static bool first_row(struct look *l, const char *sql, int64_t a, int64_t b, int64_t *numbers,
                      char *text)
{
    sqlite3_stmt *s = NULL;
    if (l->failed || rows_prepare(l->db, sql, &s) != SQLITE_OK) {
        l->failed = true;
        return false;
    }
    const int parameters = sqlite3_bind_parameter_count(s);
    if (parameters > 0)
        sqlite3_bind_int64(s, 1, a);
    if (parameters > 1)
        sqlite3_bind_int64(s, 2, b);
    const int rc = rows_step(s);
    const int count = sqlite3_column_count(s) - (text ? 1 : 0);
    for (int i = 0; rc == SQLITE_ROW && i < count; i++)
        numbers[i] = sqlite3_column_type(s, i) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, i);
    if (rc == SQLITE_ROW && text)
        rows_copy(s, count, text, MOMENT_NAME);
    l->failed = l->failed || (rc != SQLITE_ROW && rc != SQLITE_DONE);
    sqlite3_finalize(s);
    return rc == SQLITE_ROW;
}

static void set_state(struct look *l, enum moment_sure sure, const char *what, int64_t from,
                      int64_t to)
{
    l->m->sure = sure;
    snprintf(l->m->what, sizeof l->m->what, "%s", what);
    l->m->from = from;
    l->m->to = to;
}

/* Cycles of the unit for a reason. */
static int64_t charged(struct look *l, int64_t unit, const char *reason)
{
    char sql[160];
    int64_t cycles = 0;
    snprintf(sql, sizeof sql,
             "SELECT coalesce(sum(t.cycles), 0) FROM unit_total t JOIN reason y ON y.id = t.reason "
             "WHERE t.unit = ?1 AND y.name = '%s'",
             reason);
    first_row(l, sql, unit, 0, &cycles, NULL);
    return cycles;
}

static void find_window(struct look *l)
{
    const int64_t window = trace_integer(l->db, "window", 0);
    if (window <= 0)
        return;
    l->m->window_from = l->cycle / window * window;
    l->m->window_to =
        l->cycles - l->m->window_from < window ? l->cycles : l->m->window_from + window;
    l->m->busy = 0;
    first_row(l, "SELECT busy FROM util_window WHERE unit = ?1 AND idx = ?2", l->unit,
              l->cycle / window, &l->m->busy, NULL);
}

/* The edges explain every cycle in which the stream waited. */
static bool edges_explain_all(struct look *l, int64_t stream)
{
    int64_t wrong = 1;
    first_row(
        l,
        "SELECT count(*) FROM (SELECT y.name AS reason, sum(t.cycles) AS cycles FROM unit_total t "
        "JOIN reason y ON y.id = t.reason WHERE t.unit = ?1 AND y.state = 1 AND y.id IN "
        "(SELECT reason FROM dep_kind) GROUP BY y.id) a LEFT JOIN (SELECT reason, sum(waited) AS "
        "cycles, max(times) AS times FROM (" STREAM_EDGES ") GROUP BY reason) b ON b.reason = "
        "a.reason "
        "WHERE a.cycles <> coalesce(b.cycles, 0) OR b.times > 1",
        stream, 0, &wrong, NULL);
    return wrong == 0;
}

/* What the stream does: drained, held by an edge, or issuing. Returns whether it is known to issue,
 * with the interval in *from, *to. */
static bool find_stream(struct look *l, int64_t stream, int64_t *from, int64_t *to)
{
    struct moment_hold *hold = &l->m->stream;
    const int64_t end = l->cycles - charged(l, stream, "drained");
    int64_t found[3] = {0, -1, -1};
    if (l->cycle >= end) {
        *hold = (struct moment_hold){"drained", -1, end, l->cycles};
        return false;
    }
    if (first_row(l,
                  "SELECT stmt, at - waited, at, reason FROM (" STREAM_EDGES ") e "
                  "WHERE waited > 0 AND times = 1 AND at - waited <= ?2 AND ?2 < at LIMIT 1",
                  stream, l->cycle, found, hold->reason)) {
        hold->stmt = found[0];
        hold->from = found[1];
        hold->to = found[2];
        return false;
    }
    const bool all = edges_explain_all(l, stream);
    first_row(l,
              "SELECT coalesce(max(CASE WHEN at <= ?2 THEN at END), 0), "
              "min(CASE WHEN at > ?2 THEN at - waited END) FROM (" STREAM_EDGES
              ") WHERE waited > 0",
              stream, l->cycle, found, NULL);
    *from = found[0];
    *to = found[1] < 0 || found[1] > end ? end : found[1];
    return all;
}

/* The statements before and after the cycle whose times the trace holds. */
static void find_neighbours(struct look *l, int64_t stream)
{
#define ANCHORS                                                                                    \
    "SELECT stmt, at FROM (SELECT stmt, issued AS at FROM transfer UNION ALL "                     \
    "SELECT stmt, at FROM (" STREAM_EDGES ") WHERE times = 1)"
    int64_t found[2];
    if (first_row(l, ANCHORS " WHERE at <= ?2 ORDER BY at DESC, stmt DESC LIMIT 1", stream,
                  l->cycle, found, NULL)) {
        l->m->before = found[0];
        l->m->before_at = found[1];
    }
    if (first_row(l, ANCHORS " WHERE at > ?2 ORDER BY at, stmt LIMIT 1", stream, l->cycle, found,
                  NULL)) {
        l->m->after = found[0];
        l->m->after_at = found[1];
    }
}

/* Transfers in flight that use the port. Returns whether any transfer of the run does. */
static bool find_flights(struct look *l, int64_t port)
{
#define PORT "EXISTS (SELECT 1 FROM stmt_total c WHERE c.stmt = t.stmt AND c.unit = ?1)"
    struct moment *m = l->m;
    int64_t used = 0;
    first_row(l, "SELECT EXISTS (SELECT 1 FROM transfer t WHERE " PORT ")", port, 0, &used, NULL);
    if (!used)
        return false;
    first_row(l, "SELECT count(*) FROM transfer t WHERE issued <= ?2 AND finished > ?2 AND " PORT,
              port, l->cycle, &m->flight_count, NULL);
    sqlite3_stmt *s = NULL;
    if (m->flight_count && !l->failed &&
        rows_prepare(l->db,
                     "SELECT id, stmt FROM transfer t WHERE issued <= ?2 AND finished > ?2 "
                     "AND " PORT " ORDER BY started > ?2, started, issued, id LIMIT 4",
                     &s) == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, port);
        sqlite3_bind_int64(s, 2, l->cycle);
        int rc = SQLITE_ROW;
        for (int i = 0; i < MOMENT_FLIGHTS && (rc = rows_step(s)) == SQLITE_ROW; i++) {
            m->flights[i] = sqlite3_column_int64(s, 0);
            if (i == 0) {
                m->stmt = sqlite3_column_int64(s, 1);
                m->at = l->cycle;
            }
        }
        l->failed = rc != SQLITE_ROW && rc != SQLITE_DONE;
    }
    l->failed = l->failed || (m->flight_count && !s);
    sqlite3_finalize(s);
    return true;
}

/* A port, link or memory of transfers. */
static void look_at_port(struct look *l)
{
    struct moment *m = l->m;
    int64_t found[2];
    if (m->flight_count > 0)
        return;
    set_state(l, MOMENT_EXACT, "idle", -1, -1);
    if (first_row(l,
                  "SELECT stmt, issued FROM transfer t WHERE issued > ?2 AND " PORT
                  " ORDER BY issued, id LIMIT 1",
                  l->unit, l->cycle, found, NULL)) {
        m->after = m->stmt = found[0];
        m->after_at = m->at = found[1];
    }
}

/* Empty and full windows leave no doubt. */
static void look_at_window(struct look *l)
{
    struct moment *m = l->m;
    if (m->sure != MOMENT_UNKNOWN || m->window_from < 0)
        return;
    const bool full = m->busy == m->window_to - m->window_from;
    set_state(l, full || m->busy == 0 ? MOMENT_EXACT : MOMENT_WINDOWS,
              full           ? "busy"
              : m->busy == 0 ? "not busy"
                             : "",
              full || m->busy == 0 ? m->window_from : -1, full || m->busy == 0 ? m->window_to : -1);
}

static void look_at_stream(struct look *l)
{
    struct moment *m = l->m;
    int64_t from = 0, to = 0;
    const bool issues = find_stream(l, l->unit, &from, &to);
    if (m->stream.from >= 0) {
        set_state(l, MOMENT_EXACT, m->stream.reason, m->stream.from, m->stream.to);
        m->stmt = m->stream.stmt;
        m->at = l->cycle;
        return;
    }
    find_neighbours(l, l->unit);
    look_at_window(l);
    if (m->sure == MOMENT_EXACT && m->busy)
        return;
    if (issues) { /* statements, or cycles of the machine itself that no edge explains */
        int64_t others = 0;
        first_row(
            l,
            "SELECT count(*) FROM unit_total t JOIN reason y ON y.id = t.reason WHERE t.unit = ?1 "
            "AND t.cycles > 0 AND y.state <> 0 AND y.name <> 'drained' AND y.id NOT IN "
            "(SELECT reason FROM dep_kind WHERE reason NOT NULL)",
            l->unit, 0, &others, NULL);
        set_state(l, others ? MOMENT_WINDOWS : MOMENT_EXACT, others ? "issues" : "busy", from, to);
    }
}

/* In a loop one edge represents all turns: which wait of them was the longest in this time? */
static void find_loop(struct look *l)
{
    struct moment *m = l->m;
    int64_t found[5];
    if (m->stmt < 0 && !(m->sure == MOMENT_EXACT && m->busy) &&
        first_row(
            l,
            "SELECT d.dst, d.times, d.waited, d.first_at, d.last_at FROM dep d "
            "WHERE d.times > 1 AND d.waited > 0 AND d.first_at - d.waited + d.times - 1 <= ?2 "
            "AND ?2 < d.last_at AND EXISTS "
            "(SELECT 1 FROM stmt_total c WHERE c.stmt = d.dst AND c.unit = ?1) "
            "ORDER BY d.waited DESC, d.id LIMIT 1",
            l->unit, l->cycle, found, NULL)) {
        m->stmt = found[0];
        m->at = l->cycle;
        m->often = found[1];
        m->often_waited = found[2];
        m->often_first = found[3];
        m->often_last = found[4];
    }
}

bool moment_find(sqlite3 *db, int64_t unit, int64_t cycle, int64_t cycles, struct moment *moment)
{
    *moment = (struct moment){.from = -1,
                              .to = -1,
                              .stmt = -1,
                              .window_from = -1,
                              .before = -1,
                              .after = -1,
                              .stream = {.stmt = -1, .from = -1}};
    struct look l = {.db = db, .m = moment, .unit = unit, .cycle = cycle, .cycles = cycles};
    int64_t found[2] = {0, -1};
    char text[MOMENT_NAME];
    find_window(&l);
    first_row(&l,
              "SELECT kind = 'issue', coalesce((SELECT p.id FROM unit p WHERE p.id = u.parent AND "
              "p.kind <> 'node'), -1) FROM unit u WHERE u.id = ?1",
              unit, 0, found, NULL);
    const bool stream = found[0] == 1;
    const int64_t parent = found[1];
    /* One reason for the whole run needs no search. */
    if (first_row(
            &l,
            "SELECT t.cycles, y.name FROM unit_total t JOIN reason y ON y.id = t.reason WHERE "
            "t.unit = ?1 AND t.cycles = ?2",
            unit, cycles, found, text)) {
        set_state(&l, MOMENT_EXACT, text, 0, cycles);
        return !l.failed;
    }
    if (!charged(&l, unit, "busy"))
        set_state(&l, MOMENT_EXACT, "not busy", 0, cycles);
    if (stream) {
        look_at_stream(&l);
        find_loop(&l);
        return !l.failed;
    }
    if (find_flights(&l, unit)) {
        look_at_port(&l);
        look_at_window(&l);
        return !l.failed;
    }
    if (parent >= 0 && find_flights(&l, parent)) { /* a channel: its parent's transfers use it */
        look_at_window(&l);
        return !l.failed;
    }
    look_at_window(&l);
    int64_t streams[2], from, to; /* which of several streams drives the unit is not known */
    if (first_row(&l, "SELECT count(*), min(id) FROM unit WHERE kind = 'issue'", 0, 0, streams,
                  NULL) &&
        streams[0] == 1) {
        find_stream(&l, streams[1], &from, &to);
        find_neighbours(&l, streams[1]);
        if (moment->stream.from >= 0 && !(moment->sure == MOMENT_EXACT && moment->busy)) {
            moment->stmt = moment->stream.stmt;
            moment->at = cycle;
        }
    }
    find_loop(&l);
    return !l.failed;
}
