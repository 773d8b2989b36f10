#include "analysis/why.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "functional/diag.h"
#include "traces/trace.h"

enum { LINKS = 64, TEXT = 200 };

struct statement {
    int64_t id, line; /* id < 0: none */
    char place[TEXT]; /* k.vsm:12 */
    char text[TEXT];
};

/* One edge of the chain: dst was held for src. */
struct link {
    bool found, by_machine;
    int64_t src;
    char kind[32], unit[64], rule[TEXT];
    int64_t waited, times, released, at;
};

/* A link that the answer has already. */
struct told {
    int64_t stmt; /* that was held */
    struct link link;
};

/* What covers a cycle of a unit. */
struct state {
    char what[64]; /* reason */
    int64_t stmt;  /* < 0: none */
    int64_t from, to;
    bool exact;
};

struct chain {
    sqlite3 *db;
    json_t *links;
    FILE *out; /* NULL for JSON */
    int repeats; /* the last so many links are a circle: a loop of the program */
    bool failed;
};

static bool row(struct chain *c, sqlite3_stmt *s)
{
    const int rc = sqlite3_step(s);
    c->failed |= rc != SQLITE_ROW && rc != SQLITE_DONE;
    return rc == SQLITE_ROW;
}

static sqlite3_stmt *prepare(struct chain *c, const char *sql, int64_t a, int64_t b)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(c->db, sql, -1, &s, NULL) != SQLITE_OK) {
        c->failed = true;
        return NULL;
    }
    sqlite3_bind_int64(s, 1, a);
    if (sqlite3_bind_parameter_count(s) > 1) {
        sqlite3_bind_int64(s, 2, b);
    }
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
    if (s && row(c, s)) {
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

/* The edge that held stmt at or before cycle: one whose wait covers the cycle, else the latest one
 * that let it go, else the first. */
static struct link find_link(struct chain *c, int64_t stmt, int64_t cycle)
{
    struct link l = {.src = -1};
    sqlite3_stmt *s = prepare(
        c,
        "SELECT src, kind, unit, rule, waited, times, released, at FROM ("
        "  SELECT src, kind, unit, rule, waited, times, first_released AS released, first_at AS at "
        "  FROM v_dep WHERE dst = ?1 "
        "  UNION ALL SELECT src, kind, unit, rule, waited, times, last_released, last_at "
        "  FROM v_dep WHERE dst = ?1 AND times > 1) "
        "ORDER BY CASE WHEN ?2 < at AND ?2 >= at - waited / times THEN 0 WHEN at <= ?2 THEN 1 "
        "ELSE 2 END, abs(at - ?2), waited DESC LIMIT 1",
        stmt, cycle);
    if (s && row(c, s)) {
        l.found = true;
        l.src = id_of(s, 0);
        l.by_machine = l.src < 0;
        copy(l.kind, sizeof l.kind, s, 1);
        copy(l.unit, sizeof l.unit, s, 2);
        copy(l.rule, sizeof l.rule, s, 3);
        l.waited = sqlite3_column_int64(s, 4);
        l.times = sqlite3_column_int64(s, 5);
        l.released = sqlite3_column_int64(s, 6);
        l.at = sqlite3_column_int64(s, 7);
    }
    sqlite3_finalize(s);
    return l;
}

static json_t *stmt_json(const struct statement *st)
{
    json_t *text = json_string(st->text);
    return json_pack("{s:s*,s:I,s:o}", "place", st->place, "line", (json_int_t)st->line, "text",
                     text ? text : json_null());
}

/* If the statement is a transfer, what became of it. */
static void tell_transfer(struct chain *c, const struct statement *st, json_t *into)
{
    sqlite3_stmt *s = prepare(c,
                              "SELECT mode, issued, started, finished, limited_by, tag FROM "
                              "v_transfer WHERE id = (SELECT id FROM transfer WHERE stmt = ?1 "
                              "LIMIT 1)",
                              st->id, 0);
    if (s && row(c, s)) {
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

static void tell_end(struct chain *c, const struct statement *st, bool first)
{
    if (!c->out) {
        return;
    }
    const int64_t slack =
        trace_value(c->db, "SELECT slack FROM stmt_slack WHERE stmt = ?1", st->id, 0, -1);
    fprintf(c->out, "%s%s%s%s was held by nothing: it issued in program order",
            first ? "  " : "     ", st->place, *st->text && first ? " " : "",
            first ? st->text : "");
    if (slack >= 0) {
        fprintf(c->out, "; its slack is %" PRId64 " cycles", slack);
    }
    putc('\n', c->out);
}

static void tell_link(struct chain *c, const struct statement *st, const struct link *l)
{
    const bool many = l->times > 1;
    if (c->out) {
        fprintf(c->out, "  %s %s\n     held %" PRId64 " cycles%s until %" PRId64 ": %s%s%s%s%s%s\n",
                st->place, st->text, many ? l->waited / l->times : l->waited, many ? " a turn" : "",
                l->at, l->kind, *l->unit ? " " : "", l->unit, *l->rule ? " [" : "", l->rule,
                *l->rule ? "]" : "");
        return;
    }
    json_t *j = json_pack("{s:o,s:s,s:I,s:I,s:I,s:I}", "statement", stmt_json(st), "kind", l->kind,
                          "waited", (json_int_t)l->waited, "times", (json_int_t)l->times,
                          "released", (json_int_t)l->released, "at", (json_int_t)l->at);
    json_object_set_new(j, "unit", *l->unit ? json_string(l->unit) : json_null());
    json_object_set_new(j, "rule", *l->rule ? json_string(l->rule) : json_null());
    tell_transfer(c, st, j);
    json_array_append_new(c->links, j);
}

/* The link that was told `back` links ago is the same edge again: the program goes round in a loop,
 * whose turns one edge stands for. Returns how many links the circle has, 0 = none. */
static int circle(const struct told *told, int n, int64_t stmt, const struct link *l)
{
    for (int k = n - 1; k >= 0; k--) {
        if (told[k].stmt == stmt && told[k].link.src == l->src &&
            !strcmp(told[k].link.kind, l->kind) && !strcmp(told[k].link.unit, l->unit) &&
            !strcmp(told[k].link.rule, l->rule)) {
            return n - k;
        }
    }
    return 0;
}

static void tell_circle(const struct chain *c, int links, int64_t times)
{
    if (c->out && links == 1) {
        fprintf(c->out, "  ... and so on: %" PRId64 " times in all\n", times);
    } else if (c->out) {
        fprintf(c->out, "  ... and so on: these %d links %" PRId64 " times in all\n", links, times);
    }
}

static void follow(struct chain *c, int64_t stmt, int64_t cycle)
{
    struct told seen[LINKS];
    for (int n = 0; n < LINKS && !c->failed; n++) {
        const struct statement st = statement(c, stmt);
        const struct link l = find_link(c, stmt, cycle);
        c->repeats = l.found && l.times > 1 ? circle(seen, n, stmt, &l) : 0;
        if (c->repeats) {
            tell_circle(c, c->repeats, l.times);
            return;
        }
        bool again = false;
        for (int k = 0; k < n; k++) {
            again = again || (seen[k].stmt == stmt && l.times <= 1);
        }
        if (again && c->out) {
            fprintf(c->out, "     %s stands above already\n", st.place);
        }
        if (!l.found || again) {
            if (!again) {
                tell_end(c, &st, n == 0);
            }
            if (!c->out) {
                json_t *j = json_pack("{s:o,s:n}", "statement", stmt_json(&st), "kind");
                tell_transfer(c, &st, j);
                json_array_append_new(c->links, j);
            }
            return;
        }
        tell_link(c, &st, &l);
        seen[n] = (struct told){stmt, l};
        if (l.by_machine) {
            if (c->out) {
                fprintf(c->out, "  <- the machine itself, released at %" PRId64 "\n", l.released);
            }
            return;
        }
        const struct statement src = statement(c, l.src);
        if (c->out) {
            fprintf(c->out, "  <- %s %s, released at %" PRId64 "\n", src.place, src.text,
                    l.released);
            tell_transfer(c, &src, NULL);
        }
        stmt = l.src;
        cycle = l.released > cycle && n ? cycle : l.released;
    }
    if (c->out && !c->failed) {
        fprintf(c->out, "  ... and further back\n");
    }
}

static bool find_state(struct chain *c, int64_t unit, int64_t cycle, struct state *state)
{
    *state = (struct state){.stmt = -1};
    const bool packed = trace_value(c->db, "SELECT 1 FROM slice_chunk LIMIT 1", 0, 0, 0) == 1;
    const bool rows = trace_value(c->db,
                                  "SELECT 1 FROM meta a JOIN meta b ON b.key = 'window_to' WHERE "
                                  "a.key = 'window_from' AND a.value <= ?1 AND ?1 < b.value",
                                  cycle, 0, 0) == 1;
    if (packed || rows) {
        sqlite3_stmt *s = prepare(c,
                                  "SELECT category, stmt, ts, ts + dur FROM temp.slice WHERE "
                                  "track_id = ?1 AND ts <= ?2 AND ts + dur > ?2 LIMIT 1",
                                  unit, cycle);
        state->exact = true;
        const bool found = s && row(c, s);
        if (found) {
            copy(state->what, sizeof state->what, s, 0);
            state->stmt = id_of(s, 1);
            state->from = sqlite3_column_int64(s, 2);
            state->to = sqlite3_column_int64(s, 3);
        }
        sqlite3_finalize(s);
        if (found || c->failed) {
            return found;
        }
        /* Idle: whoever uses the unit next is what it has to wait for. */
        s = prepare(c,
                    "SELECT stmt, ts FROM temp.slice WHERE track_id = ?1 AND ts > ?2 "
                    "ORDER BY ts LIMIT 1",
                    unit, cycle);
        snprintf(state->what, sizeof state->what, "idle");
        state->to = -1;
        if (s && row(c, s)) {
            state->stmt = id_of(s, 0);
            state->to = sqlite3_column_int64(s, 1);
        }
        sqlite3_finalize(s);
        return false;
    }
    static const char *const covers[] = {
        "SELECT 'transfer', stmt, started, finished FROM transfer WHERE limited_by = ?1 AND "
        "started <= ?2 AND finished > ?2 ORDER BY finished - started LIMIT 1",
        "SELECT y.name, c.first_stmt, c.start, c.start + c.duration FROM crit c JOIN reason y ON "
        "y.id = c.reason WHERE ?1 >= 0 AND c.start <= ?2 AND c.start + c.duration > ?2 LIMIT 1"};
    for (size_t i = 0; i < sizeof covers / sizeof *covers; i++) {
        sqlite3_stmt *s = prepare(c, covers[i], unit, cycle);
        const bool found = s && row(c, s);
        if (found) {
            copy(state->what, sizeof state->what, s, 0);
            state->stmt = id_of(s, 1);
            state->from = sqlite3_column_int64(s, 2);
            state->to = sqlite3_column_int64(s, 3);
        }
        sqlite3_finalize(s);
        if (found) {
            return true;
        }
    }
    return false;
}

static int64_t find_unit(sqlite3 *db, const char *name, char *error, size_t size)
{
    enum { MOST = 512 };
    char *names[MOST];
    size_t count = 0;
    int64_t id = -1;
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, "SELECT id, name FROM unit WHERE kind <> 'node' ORDER BY id", -1, &s,
                           NULL) == SQLITE_OK) {
        while (id < 0 && count < MOST && sqlite3_step(s) == SQLITE_ROW) {
            const char *text = (const char *)sqlite3_column_text(s, 1);
            if (text && !strcmp(text, name)) {
                id = sqlite3_column_int64(s, 0);
            } else if (text && (names[count] = strdup(text))) {
                count++;
            }
        }
    }
    sqlite3_finalize(s);
    if (id < 0) {
        const char *near = diag_suggest(name, strlen(name), (const char *const *)names, count);
        snprintf(error, size, "there is no unit '%.80s'%s%s%s; takt report TRACE units shows all",
                 name, near ? "; do you mean " : "", near ? near : "", near ? "?" : "");
    }
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    return id;
}

static enum why_status finish(struct chain *c, json_t *answer)
{
    if (answer) {
        json_object_set_new(answer, "chain", c->links);
        json_object_set_new(answer, "repeats", json_integer(c->repeats));
    }
    return c->failed ? WHY_FAILED : WHY_FINE;
}

enum why_status why_unit(sqlite3 *db, const char *unit, uint64_t cycle, bool json, FILE *out,
                         char *error, size_t error_size)
{
    struct chain c = {.db = db, .out = json ? NULL : out, .links = json ? json_array() : NULL};
    const int64_t id = find_unit(db, unit, error, error_size);
    if (id < 0) {
        json_decref(c.links);
        return WHY_INPUT;
    }
    const int64_t cycles = trace_value(db, "SELECT cycles FROM v_reached", 0, 0, -1);
    if (cycles < 0 || cycle >= (uint64_t)cycles) {
        snprintf(error, error_size,
                 "cycle %" PRIu64 " is not in the run, which has %" PRId64 " cycles", cycle,
                 cycles < 0 ? 0 : cycles);
        json_decref(c.links);
        return WHY_INPUT;
    }
    struct state state;
    const bool covered = find_state(&c, id, (int64_t)cycle, &state);
    json_t *answer = NULL;
    if (json) {
        answer = json_pack("{s:s,s:I,s:b,s:s}", "unit", unit, "cycle", (json_int_t)cycle, "exact",
                           state.exact, "state", *state.what ? state.what : "unknown");
    } else if (covered && state.exact) {
        fprintf(out, "%s at cycle %" PRIu64 ": %s, from %" PRId64 " to %" PRId64 "\n", unit, cycle,
                state.what, state.from, state.to);
    } else if (covered) {
        fprintf(out,
                "%s at cycle %" PRIu64 ": the trace has no intervals (takt run --detail); "
                "what held the program there: %s, from %" PRId64 " to %" PRId64 "\n",
                unit, cycle, state.what, state.from, state.to);
    } else if (state.exact && state.stmt >= 0) {
        fprintf(out, "%s at cycle %" PRIu64 ": idle; it is used next at cycle %" PRId64 "\n", unit,
                cycle, state.to);
    } else {
        fprintf(out, "%s at cycle %" PRIu64 ": %s\n", unit, cycle,
                state.exact ? "idle; nothing uses it any more"
                            : "the trace has neither intervals (takt run --detail) nor a "
                              "transfer or critical path there");
    }
    if (state.stmt >= 0) {
        follow(&c, state.stmt, covered ? (int64_t)cycle : state.to);
    }
    const enum why_status status = finish(&c, answer);
    if (answer) {
        json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII);
        putc('\n', out);
        json_decref(answer);
    }
    return status;
}

enum why_status why_line(sqlite3 *db, uint64_t line, bool json, FILE *out, char *error,
                         size_t error_size)
{
    struct chain c = {.db = db, .out = json ? NULL : out, .links = json ? json_array() : NULL};
    /* Of the statements of the line, the one that was held longest. */
    sqlite3_stmt *s =
        prepare(&c,
                "SELECT s.id, coalesce(max(d.last_at), 0) FROM stmt s LEFT JOIN dep d "
                "ON d.dst = s.id WHERE s.line = ?1 GROUP BY s.id "
                "ORDER BY coalesce(sum(d.waited), 0) DESC, s.id LIMIT 1",
                (int64_t)line, 0);
    const bool found = s && row(&c, s);
    const int64_t stmt = found ? sqlite3_column_int64(s, 0) : -1;
    const int64_t cycle = found ? sqlite3_column_int64(s, 1) : 0;
    sqlite3_finalize(s);
    if (!found) {
        snprintf(error, error_size, "no statement stands on line %" PRIu64, line);
        json_decref(c.links);
        return c.failed ? WHY_FAILED : WHY_INPUT;
    }
    json_t *answer = json ? json_pack("{s:I}", "line", (json_int_t)line) : NULL;
    follow(&c, stmt, cycle);
    const enum why_status status = finish(&c, answer);
    if (answer) {
        json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII);
        putc('\n', out);
        json_decref(answer);
    }
    return status;
}
