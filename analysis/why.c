#include "analysis/why.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/moment.h"
#include "functional/text.h"
#include "traces/rows.h"
#include "analysis/why_chain.h"
#include "functional/diag.h"
#include "host/suggest.h"
#include "timing/slack.h"
#include "traces/slice.h"
#include "traces/trace.h"

/* What covers a cycle of a unit, by the intervals of the trace. */
struct state {
    char what[64]; /* reason */
    int64_t stmt;  /* < 0: none */
    int64_t from, to;
    bool exact;   /* the trace has intervals there */
    bool covered; /* by one of them; else the unit is idle, until `to` if that is not -1 */
};

static const struct chain_instant unknown = {"", -1, -1};

static void find_state(struct chain *c, int64_t unit, int64_t cycle, struct state *state)
{
    *state = (struct state){.stmt = -1};
    state->exact = slice_packed(c->db) ||
                   rows_value(c->db,
                              "SELECT 1 FROM meta a JOIN meta b ON b.key = 'window_to' WHERE "
                              "a.key = 'window_from' AND a.value <= ?1 AND ?1 < b.value",
                              cycle, 0, 0) == 1;
    if (!state->exact)
        return;
    sqlite3_stmt *s = chain_select(c,
                                   "SELECT category, stmt, ts, ts + dur FROM temp.slice WHERE "
                                   "track_id = ?1 AND ts <= ?2 AND ts + dur > ?2 LIMIT 1",
                                   unit, cycle);
    if (rows_next(s, &c->rc)) {
        state->covered = true;
        rows_copy(s, 0, state->what, sizeof state->what);
        state->stmt = chain_id(s, 1);
        state->from = sqlite3_column_int64(s, 2);
        state->to = sqlite3_column_int64(s, 3);
    }
    sqlite3_finalize(s);
    if (state->covered || c->rc != SQLITE_OK)
        return;
    /* Idle: what it waits for is the statement that uses it next. */
    s = chain_select(c,
                     "SELECT stmt, ts FROM temp.slice WHERE track_id = ?1 AND ts > ?2 "
                     "ORDER BY ts LIMIT 1",
                     unit, cycle);
    snprintf(state->what, sizeof state->what, "idle");
    state->to = -1;
    if (rows_next(s, &c->rc)) {
        state->stmt = chain_id(s, 0);
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
    if (rows_prepare(why->db, "SELECT id, name FROM unit WHERE kind <> 'node' ORDER BY id", &s) ==
        SQLITE_OK) {
        while (id < 0 && count < MOST && rows_step(s) == SQLITE_ROW) {
            const char *text = rows_text(s, 1);
            if (!strcmp(text, name))
                id = sqlite3_column_int64(s, 0);
            else if ((names[count] = strdup(text)))
                count++;
        }
    }
    sqlite3_finalize(s);
    if (id < 0) {
        const char *near = suggest_name(name, strlen(name), (const char *const *)names, count);
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
    struct chain_instant instant = {.reason = state.what, .to = -1, .start = -1};
    if (strcmp(state.what, "busy") != 0) {
        sqlite3_stmt *s =
            chain_select(c,
                         "SELECT ts FROM temp.slice WHERE track_id = ?1 AND ts >= ?2 AND "
                         "stmt = ?3 AND category = 'busy' ORDER BY ts LIMIT 1",
                         unit, state.to);
        if (s)
            sqlite3_bind_int64(s, 3, state.stmt);
        instant.to = state.to;
        instant.start = rows_next(s, &c->rc) ? sqlite3_column_int64(s, 0) : -1;
        sqlite3_finalize(s);
    }
    chain_follow(c, state.stmt, cycle, &instant);
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
        text_print(c->out, "%s at cycle %" PRId64 ": %s, from %" PRId64 " to %" PRId64 " (exact)\n",
                   unit, cycle, state->what, state->from, state->to);
    } else if (state->stmt >= 0) {
        text_print(c->out,
                   "%s at cycle %" PRId64 ": idle (exact); it is used next at cycle %" PRId64 "\n",
                   unit, cycle, state->to);
    } else {
        text_print(c->out, "%s at cycle %" PRId64 ": idle (exact); nothing uses it any more\n",
                   unit, cycle);
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
            chain_select(c, "SELECT stmt, started, finished, issued FROM transfer WHERE id = ?1",
                         m->flights[i], 0);
        if (rows_next(s, &c->rc)) {
            const struct chain_stmt st = chain_stmt(c, sqlite3_column_int64(s, 0));
            if (c->out)
                text_print(c->out, "     %s %s %s, issued %lld, started %lld, finished %lld\n",
                           sqlite3_column_int64(s, 1) <= cycle ? "in flight on it:"
                                                               : "to begin on it:",
                           st.place, st.text, sqlite3_column_int64(s, 3),
                           sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2));
            json_array_append_new(list, chain_stmt_json(&st));
        }
        sqlite3_finalize(s);
    }
    if (c->out && m->flight_count > MOMENT_FLIGHTS)
        text_print(c->out, "     and %" PRId64 " more\n", m->flight_count - MOMENT_FLIGHTS);
    if (answer)
        json_object_set_new(answer, "in_flight", json_incref(list));
    json_decref(list);
}

/* The statements with the nearest times. */
static void write_neighbours(struct chain *c, const struct moment *m)
{
    if (m->before >= 0) {
        const struct chain_stmt st = chain_stmt(c, m->before);
        text_print(c->out, "     after %s %s, issued at %" PRId64 "\n", st.place, st.text,
                   m->before_at);
    }
    if (m->after >= 0) {
        const struct chain_stmt st = chain_stmt(c, m->after);
        text_print(c->out, "     before %s %s, issued at %" PRId64 "\n", st.place, st.text,
                   m->after_at);
    }
}

static void write_moment(struct chain *c, const struct place *place, const struct moment *m)
{
    text_print(c->out, "%s at cycle %" PRId64 ": ", place->unit, place->cycle);
    if (m->sure == MOMENT_EXACT) {
        fputs(m->what, c->out);
        if (m->from >= 0)
            text_print(c->out, ", from %" PRId64 " to %" PRId64, m->from, m->to);
        fputs(" (exact)\n", c->out);
    } else if (m->window_from >= 0) {
        text_print(c->out,
                   "from windows: busy %" PRId64 " of %" PRId64 " cycles from %" PRId64
                   " to %" PRId64 "\n",
                   m->busy, m->window_to - m->window_from, m->window_from, m->window_to);
    } else {
        fputs("the trace has neither intervals nor windows there\n", c->out);
    }
    if (!strcmp(m->what, "issues"))
        text_print(c->out,
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
            text_print(c->out,
                       "     the stream there: %s, from %" PRId64 " to %" PRId64 " (exact)\n",
                       m.stream.reason, m.stream.from, m.stream.to);
        } else if (m.flight_count == 0 && m.stream.from < 0) {
            write_neighbours(c, &m);
        }
    }
    write_flights(c, answer, &m, place->cycle);
    if (c->out && (!exact || !strcmp(m.what, "not busy"))) {
        fputs("     for the exact answer record it with takt run --trace FILE --detail", c->out);
        if (m.window_from >= 0)
            text_print(c->out, ", or --window %" PRId64 ":%" PRId64, m.window_from, m.window_to);
        putc('\n', c->out);
    }
    if (c->out && m.often)
        text_print(c->out,
                   "     around it this is held %" PRId64 " times, %" PRId64
                   " cycles in all, the first until %" PRId64 ", the last until %" PRId64 ":\n",
                   m.often, m.often_waited, m.often_first, m.often_last);
    if (m.stmt >= 0)
        chain_follow(c, m.stmt, m.at, &unknown);
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
    const struct chain_stmt first = chain_stmt(c, need->first),
                            second = chain_stmt(c, need->second);
    return json_pack("{s:o, s:o, s:s, s:I}", "first", chain_stmt_json(&first), "second",
                     chain_stmt_json(&second), "rule", need->rule, "steps",
                     (json_int_t)need->steps);
}

static void write_needs(struct chain *c, const struct machine_needs *needs, json_t *answer)
{
    json_t *rows = answer ? json_array() : NULL;
    if (c->out && needs->first != needs->last)
        text_print(c->out, "  its %" PRIu64 " steps are those from %s to %s\n", needs->written,
                   chain_stmt(c, needs->first).place, chain_stmt(c, needs->last).place);
    for (size_t i = 0; i < needs->count; i++) {
        const struct machine_need *need = &needs->rows[i];
        if (answer)
            json_array_append_new(rows, need_json(c, need));
        else
            text_print(c->out, "  %" PRId64 " -> %" PRId64 ", %s: %" PRIu64 " of %" PRIu64 "\n",
                       chain_stmt(c, need->first).line, chain_stmt(c, need->second).line,
                       need->rule, need->steps, needs->written);
    }
    if (answer)
        json_object_set_new(answer, "needs",
                            json_pack("{s:I, s:I, s:o}", "written", (json_int_t)needs->written,
                                      "spare", (json_int_t)needs->spare, "pairs", rows));
    else
        text_print(c->out, "  %s%" PRIu64 " of %" PRIu64 " steps could go\n",
                   needs->count ? "" : "nothing needs it: ", needs->spare, needs->written);
}

/* slack: or NULL. */
static void write_slack(const struct chain *c, const struct slack *slack, json_t *answer)
{
    if (answer)
        json_object_set_new(answer, "slack",
                            slack ? json_pack("{s:I, s:b}", "cycles", (json_int_t)slack->cycles,
                                              "exact", slack->exact)
                                  : json_null());
    else if (!slack)
        fputs("  slack: not known: it is not executed, or a delay of it is not followed\n", c->out);
    else
        text_print(c->out, "  slack: %s%" PRIu64 " cycles%s\n", slack->exact ? "" : "at least ",
                   slack->cycles, slack->exact ? "" : "; to say it exactly takes too many runs");
}

/* answer: NULL for text. */
static void write_run_facts(struct chain *c, const struct why *why, uint32_t stmt, json_t *answer)
{
    struct machine_needs needs = {.count = 0};
    struct slack slack;
    uint64_t work = SLACK_WORK;
    const int64_t safe =
        rows_value(c->db, "SELECT slack FROM stmt_slack WHERE stmt = ?1", stmt, 0, -1);
    const int idle =
        why->machine->advice->needs ? why->machine->advice->needs(why->run, stmt, &needs) : 1;
    if (idle == 0)
        write_needs(c, &needs, answer);
    free(needs.rows);
    if (idle < 0 || (why->done && slack_find(why->machine, why->run, stmt,
                                             safe < 0 ? 0 : (uint64_t)safe, &work, &slack) != 0))
        rows_fail(&c->rc, SQLITE_NOMEM);
    else if (why->done)
        write_slack(c, safe < 0 && !slack.exact ? NULL : &slack, answer);
}

enum why_status why_line(struct why *why, const char *file, uint64_t line)
{
    struct chain c = begin(why);
    sqlite3_stmt *s =
        chain_select(&c,
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
        snprintf(why->error, sizeof why->error, "there is no statement on line %" PRIu64 "%s%.80s",
                 line, file ? " of " : "", file ? file : "");
        json_decref(c.links);
        return c.rc != SQLITE_OK ? WHY_FAILED : WHY_INPUT;
    }
    json_t *answer = why->json ? json_pack("{s:I}", "line", (json_int_t)line) : NULL;
    c.runs = why->done;
    chain_follow(&c, stmt, cycle, &unknown);
    if (why->run)
        write_run_facts(&c, why, (uint32_t)stmt, answer);
    return finish(&c, answer, why->out);
}
