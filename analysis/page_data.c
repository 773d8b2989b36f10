#include "analysis/page_data.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/questions.h"
#include "host/grow.h"
#include "host/text.h"
#include "traces/rows.h"
#include "config/embed.h"
#include "timing/machines.h"
#include "timing/sink.h"
#include "traces/json_text.h"
#include "traces/trace.h"

EMBED(analysis_page_units_sql, "analysis/page/units.sql");
EMBED(analysis_page_reasons_sql, "analysis/page/reasons.sql");
EMBED(analysis_page_transfers_sql, "analysis/page/transfers.sql");
EMBED(analysis_page_critical_sql, "analysis/page/critical.sql");
EMBED(analysis_page_waits_sql, "analysis/page/waits.sql");
EMBED(analysis_page_statements_sql, "analysis/page/statements.sql");
EMBED(analysis_page_texts_sql, "analysis/page/texts.sql");

/* Numbers from 0 that something names. */
struct set {
    unsigned char *bits;
    int64_t size;
};

/* What one unit did, as JSON, for those that did the same. */
struct track {
    char *text;
    size_t size;
    int64_t unit;
};

struct data {
    sqlite3 *db;
    FILE *out;
    int rc;
    uint64_t from, to;
    struct set statements, texts;
    uint64_t left; /* intervals that the page still has room for */
    struct track *tracks;
    size_t track_count, track_capacity;
    uint8_t states[REASON_MAX]; /* of reasons: 0 busy, 1 waiting */
};

static bool make_set(struct data *d, struct set *set, const char *size)
{
    set->size = rows_value(d->db, size, 0, 0, 0);
    set->bits = set->size >= 0 ? calloc((size_t)set->size / 8 + 1, 1) : NULL;
    if (!set->bits)
        rows_fail(&d->rc, SQLITE_NOMEM);
    return set->bits;
}

static void add(struct set *set, int64_t number)
{
    if (number >= 0 && number < set->size)
        set->bits[number / 8] |= (unsigned char)(1u << number % 8);
}

static bool holds(const struct set *set, int64_t number)
{
    return number >= 0 && number < set->size && set->bits[number / 8] >> number % 8 & 1;
}

static void bind(struct data *d, sqlite3_stmt *s, const char *name, int64_t value)
{
    const int place = s ? sqlite3_bind_parameter_index(s, name) : 0;
    if (place)
        rows_fail(&d->rc, sqlite3_bind_int64(s, place, value));
}

static sqlite3_stmt *select_span(struct data *d, const char *sql)
{
    sqlite3_stmt *s = rows_select(d->db, sql, &d->rc);
    bind(d, s, ":from", (int64_t)d->from);
    bind(d, s, ":to", (int64_t)d->to);
    return s;
}

/* --- tables ----------------------------------------------------------------------------------- */

static void put_text(FILE *out, sqlite3_stmt *s, int column)
{
    size_t size;
    const char *text = rows_string(s, column, &size);
    json_text(out, text, size);
}

static void put_value(struct data *d, sqlite3_stmt *s, int column)
{
    const int type = sqlite3_column_type(s, column);
    if (type == SQLITE_INTEGER)
        fprintf(d->out, "%lld", sqlite3_column_int64(s, column));
    else if (type == SQLITE_FLOAT)
        json_text_real(d->out, sqlite3_column_double(s, column));
    else if (type == SQLITE_NULL)
        fputs("null", d->out);
    else
        put_text(d->out, s, column);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t size = strlen(text), length = strlen(ending);
    return size >= length && strcmp(text + size - length, ending) == 0;
}

/* Rows whose first column is in `only`, or all of them. Statements that they name, in columns
 * whose names end so, are kept. */
static void put_table(struct data *d, const char *name, const char *sql, const struct set *only)
{
    sqlite3_stmt *s = select_span(d, sql);
    bind(d, s, ":most", PAGE_ROWS + 1);
    bind(d, s, ":top", PAGE_ROWS + 1);
    const int columns = s ? sqlite3_column_count(s) : 0;
    fprintf(d->out, ",\n\"%s\":{\"columns\":[", name);
    for (int c = 0; c < columns; c++)
        fprintf(d->out, "%s\"%s\"", c ? "," : "", sqlite3_column_name(s, c));
    fputs("],\"rows\":[", d->out);
    int rows = 0;
    bool cut = false;
    while (!cut && rows_next(s, &d->rc)) {
        if (only && !holds(only, sqlite3_column_int64(s, 0)))
            continue;
        cut = !only && rows == PAGE_ROWS;
        for (int c = 0; c < columns && !cut; c++) {
            if (ends_with(sqlite3_column_name(s, c), "stmt") &&
                sqlite3_column_type(s, c) != SQLITE_NULL)
                add(&d->statements, sqlite3_column_int64(s, c));
            if (only == &d->statements && !strcmp(sqlite3_column_name(s, c), "text"))
                add(&d->texts, sqlite3_column_int64(s, c));
            fputs(c ? "," : rows ? ",\n[" : "\n[", d->out);
            put_value(d, s, c);
        }
        fputs(cut ? "" : "]", d->out);
        rows++;
    }
    fprintf(d->out, "],\"cut\":%s}", cut ? "true" : "false");
    sqlite3_finalize(s);
}

/* --- intervals -------------------------------------------------------------------------------- */

#define SPAN "FROM temp.slice WHERE track_id = :unit AND ts < :to AND till > :from"

static void list_intervals(struct data *d, int64_t unit, FILE *out)
{
    sqlite3_stmt *s = select_span(d, "SELECT ts, dur, reason, stmt " SPAN);
    bind(d, s, ":unit", unit);
    int64_t end = 0, last = 0;
    fputs("\"items\":[", out);
    for (bool first = true; rows_next(s, &d->rc); first = false) {
        const int64_t start = sqlite3_column_int64(s, 0), duration = sqlite3_column_int64(s, 1);
        const bool none = sqlite3_column_type(s, 3) == SQLITE_NULL;
        const int64_t statement = none ? 0 : sqlite3_column_int64(s, 3) + 1;
        fprintf(out, "%s%" PRId64 ",%" PRId64 ",%d,%" PRId64, first ? "" : ",", start - end,
                duration, sqlite3_column_int(s, 2), statement - last);
        add(&d->statements, statement - 1);
        end = start + duration;
        last = statement;
    }
    putc(']', out);
    sqlite3_finalize(s);
}

/* --- windows ---------------------------------------------------------------------------------- */

struct windows {
    uint64_t from, step;
    int count;
    uint64_t (*cycles)[REASON_MAX];
};

static void spread(const struct data *d, struct windows *w, sqlite3_stmt *s)
{
    const uint64_t start = (uint64_t)sqlite3_column_int64(s, 0);
    const uint64_t end = start + (uint64_t)sqlite3_column_int64(s, 1);
    const int64_t reason = sqlite3_column_int64(s, 2);
    const uint64_t stop = end < d->to ? end : d->to;
    for (uint64_t at = start > w->from ? start : w->from; at < stop;) {
        const uint64_t place = (at - w->from) / w->step;
        const uint64_t next = w->from + (place + 1) * w->step;
        const uint64_t until = next < stop ? next : stop;
        if (place < (uint64_t)w->count && reason >= 0 && reason < REASON_MAX)
            w->cycles[place][reason] += until - at;
        at = until;
    }
}

static void list_state(const struct data *d, const struct windows *w, unsigned state, FILE *out)
{
    fprintf(out, ",\"%s\":[", state ? "waiting" : "busy");
    for (int i = 0; i < w->count; i++) {
        uint64_t sum = 0;
        for (int r = 0; r < REASON_MAX; r++)
            sum += d->states[r] == state ? w->cycles[i][r] : 0;
        fprintf(out, "%s%" PRIu64, i ? "," : "", sum);
    }
    putc(']', out);
}

static void list_windows(const struct data *d, const struct windows *w, bool reasons, FILE *out)
{
    fprintf(out, "\"from\":%" PRIu64 ",\"step\":%" PRIu64, w->from, w->step);
    list_state(d, w, 0, out);
    if (!reasons)
        return;
    list_state(d, w, 1, out);
    fputs(",\"reason\":[", out);
    for (int i = 0; i < w->count; i++) {
        int most = 0;
        for (int r = 1; r < REASON_MAX; r++)
            if (d->states[r] == 1 && (!most || w->cycles[i][r] > w->cycles[i][most]))
                most = r;
        fprintf(out, "%s%d", i ? "," : "", most);
    }
    putc(']', out);
}

/* Windows of whole cycles or, without intervals, of whole windows of util_window. */
static void add_up(struct data *d, int64_t unit, uint64_t window, FILE *out)
{
    struct windows w = {.from = window ? d->from - d->from % window : d->from,
                        .step = window ? window : 1};
    const uint64_t pieces = (d->to - w.from - 1) / w.step / PAGE_WINDOWS + 1;
    w.step *= pieces;
    w.count = (int)((d->to - w.from - 1) / w.step) + 1;
    w.cycles = calloc((size_t)w.count, sizeof *w.cycles);
    if (!w.cycles) {
        rows_fail(&d->rc, SQLITE_NOMEM);
        return;
    }
    sqlite3_stmt *s = window ? rows_select(d->db,
                                           "SELECT idx * :window, busy, 0 FROM util_window "
                                           "WHERE unit = :unit",
                                           &d->rc)
                             : select_span(d, "SELECT ts, dur, reason " SPAN);
    bind(d, s, ":unit", unit);
    bind(d, s, ":window", (int64_t)window);
    while (rows_next(s, &d->rc))
        spread(d, &w, s);
    sqlite3_finalize(s);
    list_windows(d, &w, !window, out);
    free(w.cycles);
}

/* How many intervals it has; of more than the page has room for, one more than that. */
static uint64_t count_intervals(struct data *d, int64_t unit)
{
    sqlite3_stmt *s = select_span(d, "SELECT count(*) FROM (SELECT 1 " SPAN " LIMIT :most)");
    bind(d, s, ":unit", unit);
    bind(d, s, ":most", (int64_t)d->left + 1);
    const uint64_t count = rows_next(s, &d->rc) ? (uint64_t)sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return count;
}

/* A track; one equal to an earlier unit's refers to it. */
static void put_track(struct data *d, int64_t unit, const struct track *track)
{
    fprintf(d->out, "{\"unit\":%" PRId64 ",", unit);
    for (size_t i = 0; i < d->track_count; i++) {
        const struct track *other = &d->tracks[i];
        if (other->size == track->size && !memcmp(other->text, track->text, track->size)) {
            fprintf(d->out, "\"same\":%" PRId64 "}", other->unit);
            free(track->text);
            return;
        }
    }
    fprintf(d->out, "%s}", track->text);
    d->tracks[d->track_count++] = *track;
}

/* window: of util_window, 0 where there are intervals. */
static void add_track(struct data *d, int64_t unit, uint64_t window)
{
    const bool room =
        grow_list(&d->tracks, &d->track_capacity, d->track_count + 1, sizeof *d->tracks);
    struct track track = {.unit = unit};
    FILE *out = text_open(&track.text, &track.size);
    const uint64_t count = window ? 0 : count_intervals(d, unit);
    if (out && !window && count <= d->left)
        list_intervals(d, unit, out);
    else if (out)
        add_up(d, unit, window, out);
    if (text_close(out, &track.text) != 0 || !room) {
        rows_fail(&d->rc, SQLITE_NOMEM);
        free(track.text);
        return;
    }
    const size_t before = d->track_count;
    put_track(d, unit, &track);
    if (count > d->left)
        d->left = 0;
    else if (d->track_count > before)
        d->left -= count;
}

static void put_tracks(struct data *d)
{
    const bool intervals = rows_value(d->db, "SELECT 1 FROM temp.slice LIMIT 1", 0, 0, 0) == 1;
    const int64_t window = intervals ? 0 : trace_integer(d->db, "window", 0);
    const bool any = d->from < d->to && (intervals || window > 0);
    sqlite3_stmt *s = rows_select(
        d->db, "SELECT id FROM unit WHERE kind <> 'node' ORDER BY kind <> 'issue', id", &d->rc);
    fputs(",\n\"tracks\":[", d->out);
    for (bool first = true; any && rows_next(s, &d->rc); first = false) {
        fputs(first ? "\n" : ",\n", d->out);
        add_track(d, sqlite3_column_int64(s, 0), (uint64_t)window);
    }
    sqlite3_finalize(s);
    fprintf(d->out, "],\n\"intervals\":%s", intervals ? "true" : "false");
}

/* --- all of it -------------------------------------------------------------------------------- */

static void read_states(struct data *d)
{
    memset(d->states, UINT8_MAX, sizeof d->states);
    sqlite3_stmt *s = rows_select(d->db, "SELECT id, state FROM reason", &d->rc);
    while (rows_next(s, &d->rc)) {
        const int64_t id = sqlite3_column_int64(s, 0);
        if (id >= 0 && id < REASON_MAX)
            d->states[id] = (uint8_t)sqlite3_column_int(s, 1);
    }
    sqlite3_finalize(s);
}

static void put_facts(struct data *d, int64_t cycles)
{
    fprintf(d->out,
            "{\"cycles\":%" PRId64 ",\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"complete\":%s",
            cycles, d->from, d->to, trace_complete(d->db) ? "true" : "false");
    sqlite3_stmt *s = rows_select(d->db,
                                  "SELECT key, value FROM meta WHERE key IN "
                                  "('program', 'machine', 'clock_hz') ORDER BY key",
                                  &d->rc);
    while (rows_next(s, &d->rc)) {
        fprintf(d->out, ",\"%s\":", rows_text(s, 0));
        put_value(d, s, 1);
    }
    sqlite3_finalize(s);
    put_table(d, "files", "SELECT id, name FROM file ORDER BY id", NULL);
}

/* Phrases and meanings of the reasons, {name: [phrase, text]}. */
static void put_words(struct data *d)
{
    char name[64];
    const struct machine *machine = machine_named(trace_text(d->db, "machine", name, sizeof name));
    const struct machine *const lists[] = {NULL, machine};
    json_t *words = json_object();
    for (int i = 0; i < 2 && (i == 0 || machine); i++)
        for (const struct term *t = NULL; (t = terms_next(lists[i], "reason", NULL, t));)
            json_object_set_new(words, t->word, json_pack("[ss]", t->phrase, t->text));
    fputs(",\"words\":", d->out);
    if (!words || json_dumpf(words, d->out, JSON_SORT_KEYS | JSON_ENSURE_ASCII) != 0)
        rows_fail(&d->rc, SQLITE_NOMEM);
    json_decref(words);
}

static void put_data(struct data *d, int64_t cycles)
{
    put_facts(d, cycles);
    put_table(d, "reasons", analysis_page_reasons_sql, NULL);
    put_words(d);
    put_table(d, "units", analysis_page_units_sql, NULL);
    put_table(d, "transfers", analysis_page_transfers_sql, NULL);
    put_table(d, "critical", analysis_page_critical_sql, NULL);
    put_table(d, "waits", analysis_page_waits_sql, NULL);
    put_table(d, "roofline", question_find("roofline")->sql, NULL);
    put_tracks(d);
    put_table(d, "statements", analysis_page_statements_sql, &d->statements);
    put_table(d, "texts", analysis_page_texts_sql, &d->texts);
    fputs("}\n", d->out);
}

int page_data_print(sqlite3 *db, uint64_t from, uint64_t to, FILE *out)
{
    const int64_t reached = trace_reached(db), cycles = reached > 0 ? reached : 0;
    struct data d = {.db = db, .rc = SQLITE_OK, .left = PAGE_INTERVALS};
    d.to = to < (uint64_t)cycles ? to : (uint64_t)cycles;
    d.from = from < d.to ? from : d.to;
    char *text = NULL;
    size_t size = 0;
    d.out = text_open(&text, &size);
    if (d.out && make_set(&d, &d.statements, "SELECT count(*) FROM stmt_row") &&
        make_set(&d, &d.texts, "SELECT count(*) + 1 FROM text")) {
        read_states(&d);
        put_data(&d, cycles);
    }
    if (text_close(d.out, &text) != 0)
        rows_fail(&d.rc, SQLITE_NOMEM);
    for (size_t i = 0; d.rc == SQLITE_OK && i < size;) {
        const char *end = memchr(text + i, '<', size - i);
        const size_t length = end ? (size_t)(end - text) - i : size - i;
        fwrite(text + i, 1, length, out);
        fputs(end ? "\\u003c" : "", out);
        i += length + (end != NULL);
    }
    for (size_t i = 0; i < d.track_count; i++)
        free(d.tracks[i].text);
    free(d.tracks);
    free(d.statements.bits);
    free(d.texts.bits);
    free(text);
    return d.rc;
}
