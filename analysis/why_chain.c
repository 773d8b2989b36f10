#include "analysis/why_chain.h"

#include <inttypes.h>
#include <string.h>

#include "functional/text.h"
#include "traces/rows.h"
#include "analysis/utf8_json.h"
#include "timing/terms.h"
#include "traces/trace.h"
#include "host/path.h"

enum { LINKS = 64, TEXT = CHAIN_TEXT };

/* Edge d holds a transfer that has been issued, not the stream at its statement. */
#define MOVES "EXISTS (SELECT 1 FROM transfer t WHERE t.stmt = d.dst AND t.issued < d.first_at)"

/* One edge of the chain: dst was held for src. */
struct link {
    int64_t id; /* dep.id; 0 of what moves */
    bool found, by_machine;
    bool moves; /* dst is a transfer on its way */
    int64_t src;
    char kind[32], unit[64], rule[TEXT];
    int64_t waited, times, released, at, first_at, last_at;
    int64_t next; /* cycle from which the chain continues with src */
    bool guessed; /* another wait of dst may be the one in question */
};

sqlite3_stmt *chain_select(struct chain *c, const char *sql, int64_t a, int64_t b)
{
    sqlite3_stmt *s = rows_select(c->db, sql, &c->rc);
    if (!s)
        return NULL;
    sqlite3_bind_int64(s, 1, a);
    if (sqlite3_bind_parameter_count(s) > 1)
        sqlite3_bind_int64(s, 2, b);
    return s;
}

int64_t chain_id(sqlite3_stmt *s, int column)
{
    return sqlite3_column_type(s, column) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, column);
}

struct chain_stmt chain_stmt(struct chain *c, int64_t id)
{
    struct chain_stmt st = {.id = id};
    snprintf(st.place, sizeof st.place, "statement %" PRId64, id);
    sqlite3_stmt *s = chain_select(c, "SELECT file, line, text FROM v_stmt WHERE stmt = ?1", id, 0);
    if (rows_next(s, &c->rc)) {
        st.line = sqlite3_column_int64(s, 1);
        snprintf(st.place, sizeof st.place, "%.150s:%" PRId64, path_base(rows_text(s, 0)), st.line);
        rows_copy(s, 2, st.text, sizeof st.text);
    }
    sqlite3_finalize(s);
    return st;
}

/* A link that the answer has already. */
struct shown {
    int64_t stmt; /* that was held */
    struct link link;
};

/* The wait happened once, and the chain has come through it: the statement's execution before that,
 * of another stream, was held by something else. */
static bool is_past(const struct shown *shown, int n, const struct link *l)
{
    for (int k = 0; k < n && l->times == 1 && !l->moves; k++)
        if (shown[k].link.id == l->id)
            return true;
    return false;
}

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
    struct link l = {.found = true, .src = chain_id(s, 0)};
    l.by_machine = l.src < 0;
    rows_copy(s, 1, l.kind, sizeof l.kind);
    rows_copy(s, 2, l.unit, sizeof l.unit);
    rows_copy(s, 3, l.rule, sizeof l.rule);
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
 * then wait for a port) of the next interval. Waits of one transfer do not overlap.
 *
 *   rank 0: known to cover the cycle   1: may cover it   2: ended before
 */
static struct link find_moved(struct chain *c, int64_t stmt, int64_t cycle,
                              const struct chain_instant *instant)
{
    struct link l = {.src = -1};
    const bool works = !strcmp(instant->reason, "busy");
    sqlite3_stmt *s = chain_select(
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
    sqlite3_bind_text(s, 3, instant->reason, -1, SQLITE_STATIC);
    sqlite3_bind_int(s, 4, works);
    sqlite3_bind_int64(s, 5, instant->to);
    sqlite3_bind_int64(s, 6, instant->start);
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
 * in a loop, where the first turn and the last represent all, the nearest of the two is taken. Two
 * transfers that hold each other in turn up to the cycle do so from the first time on: the chain
 * continues there.
 */
static struct link find_link(struct chain *c, int64_t stmt, int64_t cycle,
                             const struct chain_instant *instant, const struct shown *shown, int n)
{
    struct link l = {.src = -1};
    if (instant && (l = find_moved(c, stmt, cycle, instant)).found)
        return l;
    sqlite3_stmt *s = chain_select(
        c,
        "SELECT src, kind, unit, rule, waited, times, released, at, first_at, last_at, moves, "
        "first_released, id FROM ("
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
        "abs(at - ?2) END, waited DESC",
        stmt, cycle);
    while (!l.found && rows_next(s, &c->rc)) {
        l = link_of(s);
        l.id = sqlite3_column_int64(s, 12);
        if (is_past(shown, n, &l)) {
            l = (struct link){.src = -1};
            continue;
        }
        if (l.moves && l.at >= cycle) { /* in turn */
            l.released = sqlite3_column_int64(s, 11);
            l.at = l.first_at;
        }
        l.next = l.released;
    }
    sqlite3_finalize(s);
    return l;
}

json_t *chain_stmt_json(const struct chain_stmt *st)
{
    return json_pack("{s:o,s:I,s:o}", "place", utf8_json(st->place), "line", (json_int_t)st->line,
                     "text", utf8_json(st->text));
}

/* If the statement is a transfer, what became of it. */
static void write_transfer(struct chain *c, const struct chain_stmt *st, json_t *into)
{
    sqlite3_stmt *s = chain_select(c,
                                   "SELECT mode, issued, started, finished, limited_by, tag FROM "
                                   "v_transfer WHERE id = (SELECT id FROM transfer WHERE stmt = ?1 "
                                   "LIMIT 1)",
                                   st->id, 0);
    if (rows_next(s, &c->rc)) {
        const char *mode = rows_text(s, 0);
        const char *unit = rows_text(s, 4);
        if (c->out) {
            text_print(c->out,
                       "     it is a transfer: %s, issued %lld, started %lld, finished %lld%s%s\n",
                       mode, sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2),
                       sqlite3_column_int64(s, 3), *unit ? ", limited by " : "", unit);
        } else if (into) {
            json_object_set_new(into, "transfer",
                                json_pack("{s:s*,s:I,s:I,s:I,s:s*}", "mode", *mode ? mode : NULL,
                                          "issued", (json_int_t)sqlite3_column_int64(s, 1),
                                          "started", (json_int_t)sqlite3_column_int64(s, 2),
                                          "finished", (json_int_t)sqlite3_column_int64(s, 3),
                                          "limited_by", *unit ? unit : NULL));
        }
    }
    sqlite3_finalize(s);
}

/* Nothing held the statement: its waits were over before, if it has any. */
static void write_end(struct chain *c, const struct chain_stmt *st, bool first)
{
    if (!c->out)
        return;
    if (rows_value(c->db, "SELECT cycles IS NULL FROM v_reached", 0, 0, 0)) {
        text_print(c->out, "%s%s: the run was cut off before it wrote what held what\n",
                   first ? "  " : "     ", st->place);
        return;
    }
    text_print(c->out, "%s%s%s%s was held by nothing: ", first ? "  " : "     ", st->place,
               *st->text && first ? " " : "", first ? st->text : "");
    sqlite3_stmt *s =
        chain_select(c,
                     "SELECT src_line, first_at - first_released FROM v_dep WHERE dst = "
                     "?1 AND waited = 0 AND src IS NOT NULL ORDER BY id LIMIT 1",
                     st->id, 0);
    if (rows_next(s, &c->rc)) {
        text_print(c->out, "what it waits for, line %lld, was there %lld cycles before",
                   sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1));
    } else {
        fputs("it issued in program order", c->out);
    }
    sqlite3_finalize(s);
    s = c->runs ? NULL
                : chain_select(c, "SELECT slack, exact FROM stmt_slack WHERE stmt = ?1", st->id, 0);
    if (s && rows_next(s, &c->rc))
        text_print(c->out, "; its slack is %s%lld cycles",
                   sqlite3_column_int(s, 1) ? "" : "at least ", sqlite3_column_int64(s, 0));
    sqlite3_finalize(s);
    putc('\n', c->out);
}

static void write_link(struct chain *c, const struct chain_stmt *st, const struct link *l)
{
    const bool many = l->times > 1 && !l->moves;
    if (c->out) {
        text_print(c->out, "  %s %s\n     held %" PRId64 " cycles", st->place, st->text,
                   many ? l->waited / l->times : l->waited);
        if (l->moves && l->times > 1) {
            text_print(c->out,
                       " in %" PRId64 " waits, the first until %" PRId64 ", the last until %" PRId64
                       ": ",
                       l->times, l->first_at, l->last_at);
        } else {
            text_print(c->out, "%s until %" PRId64 ": ", many ? " a turn" : "", l->at);
        }
        char machine[64];
        text_print(
            c->out, "%s%s%s%s%s%s%s\n",
            terms_phrase(trace_text(c->db, "machine", machine, sizeof machine), "edge", l->kind),
            *l->unit ? " (" : "", l->unit, *l->unit ? ")" : "", *l->rule ? " [" : "", l->rule,
            *l->rule ? "]" : "");
        return;
    }
    json_t *j = json_pack("{s:o,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:b}", "statement", chain_stmt_json(st),
                          "kind", l->kind, "waited", (json_int_t)l->waited, "times",
                          (json_int_t)l->times, "released", (json_int_t)l->released, "at",
                          (json_int_t)l->at, "first_at", (json_int_t)l->first_at, "last_at",
                          (json_int_t)l->last_at, "certain", !l->guessed);
    json_object_set_new(j, "unit", *l->unit ? json_string(l->unit) : json_null());
    json_object_set_new(j, "rule", *l->rule ? json_string(l->rule) : json_null());
    write_transfer(c, st, j);
    json_array_append_new(c->links, j);
}

/* The link that was shown `back` links ago is the same edge again: the program is in a
 * loop, whose turns share one edge. Returns how many links the circle has, 0 = none. */
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
        text_print(c->out, "  ... and so on: %" PRId64 " times in all\n", times);
    else if (c->out)
        text_print(c->out, "  ... and so on: these %d links %" PRId64 " times in all\n", links,
                   times);
}

void chain_follow(struct chain *c, int64_t stmt, int64_t cycle, const struct chain_instant *instant)
{
    struct shown seen[LINKS];
    for (int n = 0; n < LINKS && c->rc == SQLITE_OK; n++) {
        const struct chain_stmt st = chain_stmt(c, stmt);
        const struct link l = find_link(c, stmt, cycle, n == 0 ? instant : NULL, seen, n);
        c->repeats = l.found && l.times > 1 && !l.moves ? circle(seen, n, stmt, &l) : 0;
        if (c->repeats) {
            write_circle(c, c->repeats, l.times);
            return;
        }
        if (!l.found) {
            write_end(c, &st, n == 0);
            if (!c->out) {
                json_t *j = json_pack("{s:o,s:n}", "statement", chain_stmt_json(&st), "kind");
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
                text_print(c->out, "  <- fixed %s latency, over at %" PRId64 "\n",
                           strcmp(l.kind, "supply") ? l.kind : "instruction", l.released);
            return;
        }
        const struct chain_stmt src = chain_stmt(c, l.src);
        if (c->out) {
            text_print(c->out, "  <- %s %s, released at %" PRId64 "\n", src.place, src.text,
                       l.released);
            if (!is_shown(seen, n + 1, l.src))
                write_transfer(c, &src, NULL);
        }
        stmt = l.src;
        cycle = l.next > cycle && n ? cycle : l.next;
    }
    if (c->out && c->rc == SQLITE_OK)
        text_print(c->out, "  ... and further back\n");
}
