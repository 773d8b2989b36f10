#include "analysis/why.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/moment.h"
#include "analysis/rows.h"
#include "analysis/utf8_json.h"
#include "functional/diag.h"
#include "timing/slack.h"
#include "traces/slice.h"
#include "traces/trace.h"

enum { LINKS = 64, TEXT = 200 };

/* Edge d holds a transfer that has been issued, not the stream at its statement. */
#define MOVES "EXISTS (SELECT 1 FROM transfer t WHERE t.stmt = d.dst AND t.issued < d.first_at)"

struct statement {
    int64_t id, line; /* id < 0: none */
    char place[TEXT]; /* file:12 */
    char text[TEXT];
};

/* One edge of the chain: dst was held for src. */
struct link {
    bool found, by_machine;
    bool moves; /* dst is a transfer on its way */
    int64_t src;
    char kind[32], unit[64], rule[TEXT];
    int64_t waited, times, released, at, first_at, last_at;
    int64_t next; /* cycle from which the chain goes on with src */
    bool guessed; /* another wait of dst may be the one in question */
};

/* What covers a cycle of a unit, by the intervals of the trace. */
struct state {
    char what[64]; /* reason */
    int64_t stmt;  /* < 0: none */
    int64_t from, to;
    bool exact;   /* the trace has intervals there */
    bool covered; /* by one of them; else the unit is idle, until `to` if that is not -1 */
};

/* What is known of the cycle in question. */
struct instant {
    const char *reason; /* of the statement then; "" = not known */
    int64_t to;         /* end of the interval; < 0: not known */
    int64_t start;      /* when the statement used the unit next; < 0: not known */
};

static const struct instant unknown = {"", -1, -1};

struct chain {
    sqlite3 *db;
    json_t *links;
    FILE *out;   /* NULL for JSON */
    bool runs;   /* the slack comes from the run */
    int repeats; /* the last so many links are a circle: a loop of the program */
    int rc;
};

static sqlite3_stmt *prepare(struct chain *c, const char *sql, int64_t a, int64_t b)
{
    sqlite3_stmt *s = rows_select(c->db, sql, &c->rc);
    if (!s)
        return NULL;
    sqlite3_bind_int64(s, 1, a);
    if (sqlite3_bind_parameter_count(s) > 1)
        sqlite3_bind_int64(s, 2, b);
    return s;
}

static void copy(char *to, size_t size, sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);
    snprintf(to, size, "%s", text ? text : "");
}

static int64_t id_of(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, column);
}

static struct statement statement(struct chain *c, int64_t id)
{
    struct statement st = {.id = id};
    snprintf(st.place, sizeof st.place, "statement %" PRId64, id);
    sqlite3_stmt *s = prepare(c, "SELECT file, line, text FROM v_stmt WHERE stmt = ?1", id, 0);
    if (rows_next(s, &c->rc)) {
        const char *file = (const char *)sqlite3_column_text(s, 0);
        const char *slash = file ? strrchr(file, '/') : NULL;
        st.line = sqlite3_column_int64(s, 1);
        snprintf(st.place, sizeof st.place, "%.150s:%" PRId64,
                 slash  ? slash + 1
                 : file ? file
                        : "",
                 st.line);
        copy(st.text, sizeof st.text, s, 2);
    }
    sqlite3_finalize(s);
    return st;
}

/* A link that the answer has already. */
struct shown {
    int64_t stmt; /* that was held */
    struct link link;
};

static bool is_shown(const struct shown *shown, int n, int64_t src)
{
    for (int k = 0; k < n; k++)
        if (shown[k].stmt == src)
            return true;
    return false;
}

/* A link of (src, kind, unit, rule, waited, times, released, at, first_at, last_at, moves). */
static struct link link_of(sqlite3_stmt *s)
{
    struct link l = {.found = true, .src = id_of(s, 0)};
    l.by_machine = l.src < 0;
    copy(l.kind, sizeof l.kind, s, 1);
    copy(l.unit, sizeof l.unit, s, 2);
    copy(l.rule, sizeof l.rule, s, 3);
    l.waited = sqlite3_column_int64(s, 4);
    l.times = sqlite3_column_int64(s, 5);
    l.released = sqlite3_column_int64(s, 6);
    l.at = sqlite3_column_int64(s, 7);
    l.first_at = sqlite3_column_int64(s, 8);
    l.last_at = sqlite3_column_int64(s, 9);
    l.moves = sqlite3_column_int(s, 10);
    return l;
}

/*
 * The wait of transfer stmt that covers cycle, or else the last one before.
 *
 *   an edge:   begin        first_at              last_at
 *              |-- first wait --|  others, if times > 2  |-- last wait --|
 *
 * Known are both ends, and the begin where there is but one wait; a first wait of several begins no
 * earlier than `waited` less one cycle for each of the others. Where the trace has intervals, the
 * reason of the wait is known, and its end: the start of the operation, or (that of data, which may
 * go on to wait for a port) of the next interval. Waits of one transfer do not overlap.
 *
 *   rank 0: known to cover the cycle   1: may cover it   2: ended before
 */
static struct link find_moved(struct chain *c, int64_t stmt, int64_t cycle,
                              const struct instant *instant)
{
    struct link l = {.src = -1};
    const bool works = !strcmp(instant->reason, "busy");
    sqlite3_stmt *s = prepare(
        c,
        "WITH e AS (SELECT d.*, max((SELECT max(issued) FROM transfer t WHERE t.stmt = d.dst), "
        "    first_at - waited + times - 1) AS begin, CASE ?3 "
        "    WHEN 'priority' THEN d.kind IN ('port', 'link') "
        "    WHEN 'port' THEN d.kind = 'port' WHEN 'link' THEN d.kind = 'link' "
        "    WHEN 'memory' THEN d.kind = 'memory' ELSE 1 END AS fits "
        "  FROM v_dep d WHERE dst = ?1 AND waited > 0 AND " MOVES "), "
        "r AS (SELECT *, CASE "
        "    WHEN ?4 THEN CASE WHEN first_at <= ?2 THEN 2 END "
        "    WHEN times = 1 AND begin <= ?2 AND ?2 < first_at THEN 0 "
        "    WHEN first_at IN (?5, ?6) OR last_at IN (?5, ?6) THEN 0 "
        "    WHEN times > 1 AND begin <= ?2 AND ?2 < last_at AND (?6 < 0 OR ?3 = 'memory' "
        "      OR (times > 2 AND first_at <= ?2 AND ?6 < last_at)) THEN 1 "
        "    WHEN first_at <= ?2 THEN 2 END AS rank, "
        "    CASE WHEN last_at <= ?2 THEN last_at WHEN times > 2 THEN ?2 ELSE first_at END "
        "    AS ended "
        "  FROM e) "
        "SELECT src, kind, unit, rule, waited, times, last_released, last_at, first_at, last_at, "
        "  1, rank, first_released, count(*) FILTER (WHERE rank = 1 AND fits) OVER (), "
        "  max(times > 2 AND first_at <= ?2 AND ?2 < last_at) OVER () "
        "FROM r WHERE rank IS NOT NULL ORDER BY fits DESC, rank, "
        "CASE rank WHEN 0 THEN 0 "
        "WHEN 1 THEN CASE WHEN ?2 < first_at THEN first_at ELSE last_at END "
        "ELSE -ended END, waited DESC, id LIMIT 1",
        stmt, cycle);
    if (s) {
        sqlite3_bind_text(s, 3, instant->reason, -1, SQLITE_STATIC);
        sqlite3_bind_int(s, 4, works);
        sqlite3_bind_int64(s, 5, instant->to);
        sqlite3_bind_int64(s, 6, instant->start);
    }
    if (rows_next(s, &c->rc)) {
        l = link_of(s);
        const int rank = sqlite3_column_int(s, 11);
        l.guessed = rank == 1   ? !*instant->reason || sqlite3_column_int(s, 13) > 1
                    : rank == 2 ? sqlite3_column_int(s, 14)
                                : false;
        if (rank == 0 ? cycle < l.first_at : cycle < l.last_at) {
            l.released = sqlite3_column_int64(s, 12);
            l.at = l.first_at;
        }
        l.next = l.released;
    }
    sqlite3_finalize(s);
    return l;
}

/*
 * The edge that held stmt last before cycle. What began to hold it later cannot be the reason; only
 * in a loop, where the first turn and the last stand for all, the nearest of the two is taken. Two
 * transfers that hold each other in turn up to the cycle do so from the first time on: the chain
 * goes on there.
 */
static struct link find_link(struct chain *c, int64_t stmt, int64_t cycle,
                             const struct instant *instant)
{
    struct link l = {.src = -1};
    if (instant && (l = find_moved(c, stmt, cycle, instant)).found)
        return l;
    sqlite3_stmt *s = prepare(
        c,
        "SELECT src, kind, unit, rule, waited, times, released, at, first_at, last_at, moves, "
        "first_released FROM ("
        "  SELECT *, first_released AS released, first_at AS at, 0 AS moves FROM v_dep d "
        "  WHERE dst = ?1 AND waited > 0 AND NOT " MOVES
        "    AND (times > 1 OR first_at - waited <= ?2) "
        "  UNION ALL SELECT *, last_released, last_at, 0 FROM v_dep d "
        "  WHERE dst = ?1 AND waited > 0 AND NOT " MOVES " AND times > 1 "
        "  UNION ALL SELECT *, last_released, last_at, 1 FROM v_dep d "
        "  WHERE dst = ?1 AND waited > 0 AND " MOVES ") "
        "WHERE NOT moves OR first_at < ?2 "
        "ORDER BY CASE WHEN moves AND at > ?2 THEN 0 WHEN ?2 < at AND ?2 >= at - waited / times "
        "THEN 0 WHEN at <= ?2 THEN 1 ELSE 2 END, CASE WHEN moves AND at > ?2 THEN 0 ELSE "
        "abs(at - ?2) END, waited DESC LIMIT 1",
        stmt, cycle);
    if (rows_next(s, &c->rc)) {
        l = link_of(s);
        if (l.moves && l.at >= cycle) { /* in turn */
            l.released = sqlite3_column_int64(s, 11);
            l.at = l.first_at;
        }
        l.next = l.released;
    }
    sqlite3_finalize(s);
    return l;
}

static json_t *stmt_json(const struct statement *st)
{
    return json_pack("{s:o,s:I,s:o}", "place", utf8_json(st->place), "line", (json_int_t)st->line,
                     "text", utf8_json(st->text));
}

/* If the statement is a transfer, what became of it. */
static void write_transfer(struct chain *c, const struct statement *st, json_t *into)
{
    sqlite3_stmt *s = prepare(c,
                              "SELECT mode, issued, started, finished, limited_by, tag FROM "
                              "v_transfer WHERE id = (SELECT id FROM transfer WHERE stmt = ?1 "
                              "LIMIT 1)",
                              st->id, 0);
    if (rows_next(s, &c->rc)) {
        const char *mode = (const char *)sqlite3_column_text(s, 0);
        const char *unit = (const char *)sqlite3_column_text(s, 4);
        if (c->out) {
            fprintf(c->out,
                    "     it is a transfer: %s, issued %lld, started %lld, finished %lld%s%s\n",
                    mode ? mode : "", sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2),
                    sqlite3_column_int64(s, 3), unit ? ", limited by " : "", unit ? unit : "");
        } else if (into) {
            json_object_set_new(into, "transfer",
                                json_pack("{s:s*,s:I,s:I,s:I,s:s*}", "mode", mode, "issued",
                                          (json_int_t)sqlite3_column_int64(s, 1), "started",
                                          (json_int_t)sqlite3_column_int64(s, 2), "finished",
                                          (json_int_t)sqlite3_column_int64(s, 3), "limited_by",
                                          unit));
        }
    }
    sqlite3_finalize(s);
}

/* Nothing held the statement: its waits were over before, if it has any. */
static void write_end(struct chain *c, const struct statement *st, bool first)
{
    if (!c->out)
        return;
    if (trace_value(c->db, "SELECT cycles IS NULL FROM v_reached", 0, 0, 0)) {
        fprintf(c->out, "%s%s: the run was cut off before it wrote who held whom\n",
                first ? "  " : "     ", st->place);
        return;
    }
    fprintf(c->out, "%s%s%s%s was held by nothing: ", first ? "  " : "     ", st->place,
            *st->text && first ? " " : "", first ? st->text : "");
    sqlite3_stmt *s = prepare(c,
                              "SELECT src_line, first_at - first_released FROM v_dep WHERE dst = "
                              "?1 AND waited = 0 AND src IS NOT NULL ORDER BY id LIMIT 1",
                              st->id, 0);
    if (rows_next(s, &c->rc)) {
        fprintf(c->out, "what it waits for, line %lld, was there %lld cycles before",
                sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1));
    } else {
        fputs("it issued in program order", c->out);
    }
    sqlite3_finalize(s);
    const int64_t slack =
        c->runs ? -1
                : trace_value(c->db, "SELECT slack FROM stmt_slack WHERE stmt = ?1", st->id, 0, -1);
    if (slack >= 0)
        fprintf(c->out, "; its slack is %" PRId64 " cycles", slack);
    putc('\n', c->out);
}

static void write_link(struct chain *c, const struct statement *st, const struct link *l)
{
    const bool many = l->times > 1 && !l->moves;
    if (c->out) {
        fprintf(c->out, "  %s %s\n     held %" PRId64 " cycles", st->place, st->text,
                many ? l->waited / l->times : l->waited);
        if (l->moves && l->times > 1) {
            fprintf(c->out,
                    " in %" PRId64 " waits, the first until %" PRId64 ", the last until %" PRId64
                    ": ",
                    l->times, l->first_at, l->last_at);
        } else {
            fprintf(c->out, "%s until %" PRId64 ": ", many ? " a turn" : "", l->at);
        }
        fprintf(c->out, "%s%s%s%s%s%s\n", l->kind, *l->unit ? " " : "", l->unit,
                *l->rule ? " [" : "", l->rule, *l->rule ? "]" : "");
        return;
    }
    json_t *j = json_pack("{s:o,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:b}", "statement", stmt_json(st),
                          "kind", l->kind, "waited", (json_int_t)l->waited, "times",
                          (json_int_t)l->times, "released", (json_int_t)l->released, "at",
                          (json_int_t)l->at, "first_at", (json_int_t)l->first_at, "last_at",
                          (json_int_t)l->last_at, "certain", !l->guessed);
    json_object_set_new(j, "unit", *l->unit ? json_string(l->unit) : json_null());
    json_object_set_new(j, "rule", *l->rule ? json_string(l->rule) : json_null());
    write_transfer(c, st, j);
    json_array_append_new(c->links, j);
}

/* The link that was shown `back` links ago is the same edge again: the program goes round in a
 * loop, whose turns one edge stands for. Returns how many links the circle has, 0 = none. */
static int circle(const struct shown *shown, int n, int64_t stmt, const struct link *l)
{
    for (int k = n - 1; k >= 0; k--)
        if (shown[k].stmt == stmt && shown[k].link.src == l->src &&
            !strcmp(shown[k].link.kind, l->kind) && !strcmp(shown[k].link.unit, l->unit) &&
            !strcmp(shown[k].link.rule, l->rule))
            return n - k;
    return 0;
}

static void write_circle(const struct chain *c, int links, int64_t times)
{
    if (c->out && links == 1)
        fprintf(c->out, "  ... and so on: %" PRId64 " times in all\n", times);
    else if (c->out)
        fprintf(c->out, "  ... and so on: these %d links %" PRId64 " times in all\n", links, times);
}

static void follow(struct chain *c, int64_t stmt, int64_t cycle, const struct instant *instant)
{
    struct shown seen[LINKS];
    for (int n = 0; n < LINKS && c->rc == SQLITE_OK; n++) {
        const struct statement st = statement(c, stmt);
        const struct link l = find_link(c, stmt, cycle, n == 0 ? instant : NULL);
        c->repeats = l.found && l.times > 1 && !l.moves ? circle(seen, n, stmt, &l) : 0;
        if (c->repeats) {
            write_circle(c, c->repeats, l.times);
            return;
        }
        if (!l.found) {
            write_end(c, &st, n == 0);
            if (!c->out) {
                json_t *j = json_pack("{s:o,s:n}", "statement", stmt_json(&st), "kind");
                write_transfer(c, &st, j);
                json_array_append_new(c->links, j);
            }
            return;
        }
        const bool shown = l.moves && circle(seen, n, stmt, &l); /* the same turns, further back */
        seen[n] = (struct shown){stmt, l};
        if (shown && !l.by_machine) {
            stmt = l.src;
            cycle = l.next;
            continue;
        }
        if (c->out && l.guessed)
            fputs("     the trace does not say which of its waits this is; it may be:\n", c->out);
        write_link(c, &st, &l);
        if (l.by_machine) {
            if (c->out)
                fprintf(c->out, "  <- the machine itself, released at %" PRId64 "\n", l.released);
            return;
        }
        const struct statement src = statement(c, l.src);
        if (c->out) {
            fprintf(c->out, "  <- %s %s, released at %" PRId64 "\n", src.place, src.text,
                    l.released);
            if (!is_shown(seen, n + 1, l.src))
                write_transfer(c, &src, NULL);
        }
        stmt = l.src;
        cycle = l.next > cycle && n ? cycle : l.next;
    }
    if (c->out && c->rc == SQLITE_OK)
        fprintf(c->out, "  ... and further back\n");
}

static void find_state(struct chain *c, int64_t unit, int64_t cycle, struct state *state)
{
    *state = (struct state){.stmt = -1};
    state->exact = slice_packed(c->db) ||
                   trace_value(c->db,
                               "SELECT 1 FROM meta a JOIN meta b ON b.key = 'window_to' WHERE "
                               "a.key = 'window_from' AND a.value <= ?1 AND ?1 < b.value",
                               cycle, 0, 0) == 1;
    if (!state->exact)
        return;
    sqlite3_stmt *s = prepare(c,
                              "SELECT category, stmt, ts, ts + dur FROM temp.slice WHERE "
                              "track_id = ?1 AND ts <= ?2 AND ts + dur > ?2 LIMIT 1",
                              unit, cycle);
    if (rows_next(s, &c->rc)) {
        state->covered = true;
        copy(state->what, sizeof state->what, s, 0);
        state->stmt = id_of(s, 1);
        state->from = sqlite3_column_int64(s, 2);
        state->to = sqlite3_column_int64(s, 3);
    }
    sqlite3_finalize(s);
    if (state->covered || c->rc != SQLITE_OK)
        return;
    /* Idle: what it waits for is the statement that uses it next. */
    s = prepare(c,
                "SELECT stmt, ts FROM temp.slice WHERE track_id = ?1 AND ts > ?2 "
                "ORDER BY ts LIMIT 1",
                unit, cycle);
    snprintf(state->what, sizeof state->what, "idle");
    state->to = -1;
    if (rows_next(s, &c->rc)) {
        state->stmt = id_of(s, 0);
        state->to = sqlite3_column_int64(s, 1);
    }
    sqlite3_finalize(s);
}

static int64_t find_unit(struct why *why, const char *name)
{
    enum { MOST = 512 };
    char *names[MOST];
    size_t count = 0;
    int64_t id = -1;
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(why->db, "SELECT id, name FROM unit WHERE kind <> 'node' ORDER BY id",
                           -1, &s, NULL) == SQLITE_OK) {
        while (id < 0 && count < MOST && sqlite3_step(s) == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(s, 1);
            if (text && !strcmp(text, name))
                id = sqlite3_column_int64(s, 0);
            else if (text && (names[count] = strdup(text)))
                count++;
        }
    }
    sqlite3_finalize(s);
    if (id < 0) {
        const char *near = diag_suggest(name, strlen(name), (const char *const *)names, count);
        snprintf(why->error, sizeof why->error,
                 "there is no unit '%.80s'%s%s%s; takt report TRACE units shows all", name,
                 near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    return id;
}

/* The chain is complete; answer, if any, is written to out and freed. */
static enum why_status finish(struct chain *c, json_t *answer, FILE *out)
{
    if (answer) {
        json_object_set_new(answer, "chain", c->links);
        json_object_set_new(answer, "repeats", json_integer(c->repeats));
        json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII);
        putc('\n', out);
        json_decref(answer);
    }
    return c->rc != SQLITE_OK ? WHY_FAILED : WHY_FINE;
}

static void put_interval(json_t *into, int64_t from, int64_t to)
{
    json_object_set_new(into, "from", from < 0 ? json_null() : json_integer(from));
    json_object_set_new(into, "to", to < 0 ? json_null() : json_integer(to));
}

/* The waits that lead to the interval which covers the cycle. */
static void follow_state(struct chain *c, int64_t unit, int64_t cycle)
{
    struct state state;
    find_state(c, unit, cycle, &state);
    if (!state.covered || state.stmt < 0)
        return;
    struct instant instant = {.reason = state.what, .to = -1, .start = -1};
    if (strcmp(state.what, "busy") != 0) {
        sqlite3_stmt *s = prepare(c,
                                  "SELECT ts FROM temp.slice WHERE track_id = ?1 AND ts >= ?2 AND "
                                  "stmt = ?3 AND category = 'busy' ORDER BY ts LIMIT 1",
                                  unit, state.to);
        if (s)
            sqlite3_bind_int64(s, 3, state.stmt);
        instant.to = state.to;
        instant.start = rows_next(s, &c->rc) ? sqlite3_column_int64(s, 0) : -1;
        sqlite3_finalize(s);
    }
    follow(c, state.stmt, cycle, &instant);
}

/* The cycle of a unit that the question is about. */
struct place {
    const char *unit;
    int64_t id, cycle;
};

/* By the intervals of the trace. */
static void write_state(struct chain *c, json_t *answer, const struct place *place,
                        const struct state *state)
{
    const char *unit = place->unit;
    const int64_t cycle = place->cycle;
    if (answer) {
        json_object_set_new(answer, "exact", json_true());
        json_object_set_new(answer, "state", json_string(state->what));
        put_interval(answer, state->covered ? state->from : -1, state->covered ? state->to : -1);
    } else if (state->covered) {
        fprintf(c->out, "%s at cycle %" PRId64 ": %s, from %" PRId64 " to %" PRId64 " (exact)\n",
                unit, cycle, state->what, state->from, state->to);
    } else if (state->stmt >= 0) {
        fprintf(c->out,
                "%s at cycle %" PRId64 ": idle (exact); it is used next at cycle %" PRId64 "\n",
                unit, cycle, state->to);
    } else {
        fprintf(c->out, "%s at cycle %" PRId64 ": idle (exact); nothing uses it any more\n", unit,
                cycle);
    }
    if (state->stmt >= 0)
        follow_state(c, place->id, state->covered ? cycle : state->to);
}

/* Transfers that use the unit and are not finished. */
static void write_flights(struct chain *c, json_t *answer, const struct moment *m, int64_t cycle)
{
    json_t *list = json_array();
    for (int i = 0; i < MOMENT_FLIGHTS && i < m->flight_count; i++) {
        sqlite3_stmt *s =
            prepare(c, "SELECT stmt, started, finished, issued FROM transfer WHERE id = ?1",
                    m->flights[i], 0);
        if (rows_next(s, &c->rc)) {
            const struct statement st = statement(c, sqlite3_column_int64(s, 0));
            if (c->out)
                fprintf(c->out, "     %s %s %s, issued %lld, started %lld, finished %lld\n",
                        sqlite3_column_int64(s, 1) <= cycle ? "in flight on it:"
                                                            : "to begin on it:",
                        st.place, st.text, sqlite3_column_int64(s, 3), sqlite3_column_int64(s, 1),
                        sqlite3_column_int64(s, 2));
            json_array_append_new(list, stmt_json(&st));
        }
        sqlite3_finalize(s);
    }
    if (c->out && m->flight_count > MOMENT_FLIGHTS)
        fprintf(c->out, "     and %" PRId64 " more\n", m->flight_count - MOMENT_FLIGHTS);
    if (answer)
        json_object_set_new(answer, "in_flight", json_incref(list));
    json_decref(list);
}

/* The statements whose times stand nearest. */
static void write_neighbours(struct chain *c, const struct moment *m)
{
    if (m->before >= 0) {
        const struct statement st = statement(c, m->before);
        fprintf(c->out, "     after %s %s, issued at %" PRId64 "\n", st.place, st.text,
                m->before_at);
    }
    if (m->after >= 0) {
        const struct statement st = statement(c, m->after);
        fprintf(c->out, "     before %s %s, issued at %" PRId64 "\n", st.place, st.text,
                m->after_at);
    }
}

static void write_moment(struct chain *c, const struct place *place, const struct moment *m)
{
    fprintf(c->out, "%s at cycle %" PRId64 ": ", place->unit, place->cycle);
    if (m->sure == MOMENT_EXACT) {
        fputs(m->what, c->out);
        if (m->from >= 0)
            fprintf(c->out, ", from %" PRId64 " to %" PRId64, m->from, m->to);
        fputs(" (exact)\n", c->out);
    } else if (m->window_from >= 0) {
        fprintf(c->out,
                "from windows: busy %" PRId64 " of %" PRId64 " cycles from %" PRId64 " to %" PRId64
                "\n",
                m->busy, m->window_to - m->window_from, m->window_from, m->window_to);
    } else {
        fputs("the trace has neither intervals nor windows there\n", c->out);
    }
    if (!strcmp(m->what, "issues"))
        fprintf(c->out,
                "     nothing holds it from %" PRId64 " to %" PRId64
                ": it issues statements, or what the machine puts between them\n",
                m->from, m->to);
}

/* By what holds for the whole run: edges, transfers and windows of utilisation. */
static void write_totals(struct chain *c, json_t *answer, const struct place *place, int64_t cycles)
{
    struct moment m;
    if (!moment_find(c->db, place->id, place->cycle, cycles, &m)) {
        rows_fail(&c->rc, SQLITE_NOMEM);
        return;
    }
    const bool exact = m.sure == MOMENT_EXACT;
    const bool differs =
        m.stream.from >= 0 && m.stream.stmt >= 0 && strcmp(m.what, m.stream.reason);
    if (answer) {
        json_object_set_new(answer, "exact", json_boolean(exact));
        json_object_set_new(answer, "state", json_string(*m.what ? m.what : "unknown"));
        put_interval(answer, m.from, m.to);
        json_t *window = m.window_from < 0
                             ? json_null()
                             : json_pack("{s:I,s:I,s:I}", "from", (json_int_t)m.window_from, "to",
                                         (json_int_t)m.window_to, "busy", (json_int_t)m.busy);
        json_object_set_new(answer, "window", window);
        json_t *stream =
            m.stream.from < 0 ? json_null() : json_pack("{s:s}", "state", m.stream.reason);
        if (m.stream.from >= 0)
            put_interval(stream, m.stream.from, m.stream.to);
        json_object_set_new(answer, "stream", stream);
    } else {
        write_moment(c, place, &m);
        if (differs) {
            fprintf(c->out, "     the stream there: %s, from %" PRId64 " to %" PRId64 " (exact)\n",
                    m.stream.reason, m.stream.from, m.stream.to);
        } else if (m.flight_count == 0 && m.stream.from < 0) {
            write_neighbours(c, &m);
        }
    }
    write_flights(c, answer, &m, place->cycle);
    if (c->out && (!exact || !strcmp(m.what, "not busy"))) {
        fputs("     for the exact answer record it with takt run --trace FILE --detail", c->out);
        if (m.window_from >= 0)
            fprintf(c->out, ", or --window %" PRId64 ":%" PRId64, m.window_from, m.window_to);
        putc('\n', c->out);
    }
    if (c->out && m.often)
        fprintf(c->out,
                "     around it this is held %" PRId64 " times, %" PRId64
                " cycles in all, the first until %" PRId64 ", the last until %" PRId64 ":\n",
                m.often, m.often_waited, m.often_first, m.often_last);
    if (m.stmt >= 0)
        follow(c, m.stmt, m.at, &unknown);
}

static struct chain begin(const struct why *why)
{
    return (struct chain){.db = why->db,
                          .out = why->json ? NULL : why->out,
                          .links = why->json ? json_array() : NULL};
}

enum why_status why_unit(struct why *why, const char *unit, uint64_t cycle)
{
    const int64_t cycles = trace_reached(why->db);
    const struct place place = {unit, find_unit(why, unit), (int64_t)cycle};
    if (place.id < 0)
        return WHY_INPUT;
    if (cycles < 0 || cycle >= (uint64_t)cycles) {
        snprintf(why->error, sizeof why->error,
                 "cycle %" PRIu64 " is not in the run, which has %" PRId64 " cycles", cycle,
                 cycles < 0 ? 0 : cycles);
        return WHY_INPUT;
    }
    struct chain c = begin(why);
    json_t *answer =
        why->json ? json_pack("{s:s,s:I}", "unit", unit, "cycle", (json_int_t)cycle) : NULL;
    struct state state;
    find_state(&c, place.id, place.cycle, &state);
    if (state.exact)
        write_state(&c, answer, &place, &state);
    else if (c.rc == SQLITE_OK)
        write_totals(&c, answer, &place, cycles);
    return finish(&c, answer, why->out);
}

/* --- what the run says ------------------------------------------------------------------------ */

static json_t *need_json(struct chain *c, const struct machine_need *need)
{
    const struct statement first = statement(c, need->first), second = statement(c, need->second);
    return json_pack("{s:o, s:o, s:s, s:I}", "first", stmt_json(&first), "second",
                     stmt_json(&second), "rule", need->rule, "steps", (json_int_t)need->steps);
}

static void tell_needs(struct chain *c, const struct machine_needs *needs, json_t *answer)
{
    json_t *rows = answer ? json_array() : NULL;
    if (c->out && needs->first != needs->last)
        fprintf(c->out, "  its %" PRIu64 " steps are those from %s to %s\n", needs->written,
                statement(c, needs->first).place, statement(c, needs->last).place);
    for (size_t i = 0; i < needs->count; i++) {
        const struct machine_need *need = &needs->rows[i];
        if (answer)
            json_array_append_new(rows, need_json(c, need));
        else
            fprintf(c->out, "  %" PRId64 " -> %" PRId64 ", %s: %" PRIu64 " of %" PRIu64 "\n",
                    statement(c, need->first).line, statement(c, need->second).line, need->rule,
                    need->steps, needs->written);
    }
    if (answer)
        json_object_set_new(answer, "needs",
                            json_pack("{s:I, s:I, s:o}", "written", (json_int_t)needs->written,
                                      "spare", (json_int_t)needs->spare, "pairs", rows));
    else
        fprintf(c->out, "  %s%" PRIu64 " of %" PRIu64 " steps could go\n",
                needs->count ? "" : "nothing needs it: ", needs->spare, needs->written);
}

static void tell_slack(const struct chain *c, const struct slack *slack, json_t *answer)
{
    if (answer)
        json_object_set_new(
            answer, "slack",
            json_pack("{s:I, s:b}", "cycles", (json_int_t)slack->cycles, "exact", slack->exact));
    else
        fprintf(c->out, "  slack: %s%" PRIu64 " cycles%s\n", slack->exact ? "" : "at least ",
                slack->cycles, slack->exact ? "" : "; to say it exactly takes too many runs");
}

/* answer: NULL for text. */
static void tell_run(struct chain *c, const struct why *why, uint32_t stmt, json_t *answer)
{
    struct machine_needs needs = {.count = 0};
    struct slack slack;
    const int64_t safe =
        trace_value(c->db, "SELECT slack FROM stmt_slack WHERE stmt = ?1", stmt, 0, 0);
    const int idle = why->machine->needs ? why->machine->needs(why->run, stmt, &needs) : 1;
    if (idle == 0)
        tell_needs(c, &needs, answer);
    free(needs.rows);
    if (idle < 0 || slack_find(why->machine, why->run, stmt, (uint64_t)safe, &slack) != 0)
        rows_fail(&c->rc, SQLITE_NOMEM);
    else
        tell_slack(c, &slack, answer);
}

enum why_status why_line(struct why *why, const char *file, uint64_t line)
{
    struct chain c = begin(why);
    sqlite3_stmt *s =
        prepare(&c,
                "SELECT s.id, coalesce(max(d.last_at), 0) FROM stmt s LEFT JOIN dep d "
                "ON d.dst = s.id WHERE s.line = ?1 AND (?2 IS NULL OR s.file IN ("
                "  SELECT id FROM file WHERE name = ?2 OR "
                "  substr(name, -length(?2) - 1) = '/' || ?2)) GROUP BY s.id "
                "ORDER BY coalesce(sum(d.waited), 0) DESC, s.id LIMIT 1",
                (int64_t)line, 0);
    if (s) /* NULL where file is */
        sqlite3_bind_text(s, 2, file, -1, SQLITE_STATIC);
    const bool found = rows_next(s, &c.rc);
    const int64_t stmt = found ? sqlite3_column_int64(s, 0) : -1;
    const int64_t cycle = found ? sqlite3_column_int64(s, 1) : 0;
    sqlite3_finalize(s);
    if (!found) {
        snprintf(why->error, sizeof why->error, "no statement stands on line %" PRIu64 "%s%.80s",
                 line, file ? " of " : "", file ? file : "");
        json_decref(c.links);
        return c.rc != SQLITE_OK ? WHY_FAILED : WHY_INPUT;
    }
    json_t *answer = why->json ? json_pack("{s:I}", "line", (json_int_t)line) : NULL;
    c.runs = why->run != NULL;
    follow(&c, stmt, cycle, &unknown);
    if (why->run)
        tell_run(&c, why, (uint32_t)stmt, answer);
    return finish(&c, answer, why->out);
}
