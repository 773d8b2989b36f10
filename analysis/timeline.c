#include "analysis/timeline.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/utf8_json.h"
#include "analysis/columns.h"
#include "functional/text.h"
#include "timing/sink.h"
#include "traces/alike.h"
#include "traces/interval.h"
#include "traces/rows.h"
#include "traces/slice.h"
#include "traces/trace.h"
#include "host/number.h"

/* Of the reasons of every machine; a machine's own get a letter of their names. */
static const char common_letters[REASON_MACHINE] = {
    [REASON_BUSY] = '#',  [REASON_DATA] = 'd',    [REASON_PORT] = 'p', [REASON_TAG] = 't',
    [REASON_QUEUE] = 'u', [REASON_MEMORY] = 'm',  [REASON_LINK] = 'l', [REASON_PRIORITY] = 'r',
    [REASON_EMPTY] = 'e', [REASON_DRAINED] = '_', [REASON_IDLE] = '.'};

enum {
    LABEL = 34,
    LABEL_UNITS = 12,
    LABEL_LONGEST = 16,
    COLUMNS_LEAST = 10,
    COLUMNS_MOST = 2000,
    TICK = 10
};

struct picture {
    sqlite3 *db;
    FILE *out;
    uint64_t from, to, step; /* cycles a column */
    int columns, label;
    json_t *rows; /* NULL for text */
    struct alike *units;
    size_t unit_count;
    char letters[REASON_MAX + 1];
    char own[400]; /* legend of the machine's own reasons, "  c copying  n none" */
};

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    return rows_prepare(db, sql, &s) == SQLITE_OK ? s : NULL;
}

/* The letters of all reasons of the trace: of a machine's own the first consonant that is free,
 * else its first letter as a capital. */
static bool name_letters(struct picture *p)
{
    sqlite3_stmt *s = prepare(p->db, "SELECT id, name FROM reason ORDER BY id");
    memset(p->letters, '?', REASON_MAX);
    memcpy(p->letters, common_letters, REASON_MACHINE);
    size_t n = 0;
    while (s && rows_step(s) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(s, 0);
        const char *name = rows_text(s, 1);
        if (id < REASON_MACHINE || id >= REASON_MAX)
            continue;
        const char *at = name;
        while (*at && (*at < 'a' || *at > 'z' || strchr("aeioqu", *at) || strchr(p->letters, *at)))
            at++;
        p->letters[id] = *at ? *at : *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : '?';
        const int more =
            snprintf(p->own + n, sizeof p->own - n, "  %c %.40s", p->letters[id], name);
        n = more > 0 && (size_t)more < sizeof p->own - n ? n + (size_t)more : n;
        p->own[n] = '\0';
    }
    sqlite3_finalize(s);
    return s;
}

static void put_row(const struct picture *p, const char *label, const char *line_key, int64_t line,
                    const char *cells)
{
    if (p->rows) {
        json_t *row = json_object();
        json_object_set_new(row, line_key ? "statement" : "unit", utf8_json(label));
        if (line_key)
            json_object_set_new(row, line_key, json_integer(line));
        json_object_set_new(row, "cells", json_string(cells));
        json_array_append_new(p->rows, row);
        return;
    }
    int width;
    const size_t bytes = columns_fit(label, p->label, &width);
    text_print(p->out, "%.*s%*s  %s\n", (int)bytes, label, p->label - width, "", cells);
}

static void put_head(const struct picture *p)
{
    char number[NUMBER_TEXT], other[NUMBER_TEXT], step[NUMBER_TEXT];
    if (p->rows)
        return;
    fprintf(p->out, "cycles %s to %s, one column = %s cycle%s\n",
            number_group(number, (int64_t)p->from), number_group(other, (int64_t)p->to),
            number_group(step, (int64_t)p->step), p->step == 1 ? "" : "s");
    fprintf(p->out, "%*s  ", p->label, "");
    for (int c = 0; c < p->columns;) {
        char tick[24];
        const int n = snprintf(tick, sizeof tick, "%" PRIu64, p->from + (uint64_t)c * p->step);
        if (c && c + n > p->columns)
            break;
        fputs(tick, p->out);
        const int next = ((c + n) / TICK + 1) * TICK;
        if (next < p->columns)
            fprintf(p->out, "%*s", next - c - n, "");
        c = next;
    }
    putc('\n', p->out);
}

/* Spread an interval over the columns it touches. */
static void spread(const struct picture *p, uint64_t *cells, size_t stride, uint64_t start,
                   uint64_t duration)
{
    const uint64_t end = start + duration < p->to ? start + duration : p->to;
    uint64_t at = start > p->from ? start : p->from;
    while (at < end) {
        const uint64_t column = (at - p->from) / p->step;
        const uint64_t column_end = p->from + (column + 1) * p->step;
        const uint64_t stop = column_end < end ? column_end : end;
        cells[column * stride] += stop - at;
        at = stop;
    }
}

/* What took most of each column; what is not covered is idle. */
static void choose(const struct picture *p, const uint64_t *counts, char *cells)
{
    for (int c = 0; c < p->columns; c++) {
        const uint64_t *count = counts + (size_t)c * REASON_MAX;
        const uint64_t start = p->from + (uint64_t)c * p->step;
        const uint64_t length = (start + p->step < p->to ? start + p->step : p->to) - start;
        uint64_t covered = 0;
        int best = REASON_IDLE;
        for (int r = 0; r < REASON_MAX; r++)
            covered += count[r];
        uint64_t most = length > covered ? length - covered + count[REASON_IDLE] : 0;
        for (int r = 0; r < REASON_MAX; r++) {
            if (r == REASON_IDLE)
                continue;
            if (count[r] > most || (count[r] == most && r == REASON_BUSY && most)) {
                most = count[r];
                best = r;
            }
        }
        cells[c] = best == REASON_IDLE && count[REASON_BUSY] ? ':' : p->letters[best];
    }
    cells[p->columns] = '\0';
}

/* Cells of one unit; *used: it has intervals in the window. False: the trace failed. */
static bool fill_unit(const struct picture *p, const struct alike *unit, uint64_t *counts,
                      bool *used)
{
    struct interval_reader reader;
    struct chunk_interval i;
    memset(counts, 0, (size_t)p->columns * REASON_MAX * sizeof *counts);
    *used = false;
    int rc = SQLITE_OK;
    interval_open(&reader, p->db, unit->unit, p->from, p->to, &rc);
    while (interval_next(&reader, &i)) {
        *used = true;
        if (i.reason < REASON_MAX)
            spread(p, counts + i.reason, REASON_MAX, i.start, i.duration);
    }
    interval_close(&reader);
    return rc == SQLITE_OK;
}

static bool units_by_slices(const struct picture *p, bool all)
{
    uint64_t *counts = malloc((size_t)p->columns * REASON_MAX * sizeof *counts);
    char *cells = malloc((size_t)p->columns + 1);
    bool fine = counts && cells;
    for (size_t i = 0; fine && i < p->unit_count; i++) {
        const struct alike *unit = &p->units[i];
        bool used;
        if (!all && !unit->busy)
            continue;
        fine = fill_unit(p, unit, counts, &used);
        choose(p, counts, cells);
        if (fine &&
            (all || used || unit->busy_cycles > 0)) /* a run that was killed has no totals */
            put_row(p, unit->name, NULL, 0, cells);
    }
    free(counts);
    free(cells);
    return fine;
}

/* Without intervals: busy tenths. A column takes its share of the windows it touches. */
static bool units_by_windows(const struct picture *p, bool all)
{
    const uint64_t window = (uint64_t)trace_integer(p->db, "window", 0);
    sqlite3_stmt *windows = prepare(p->db, "SELECT idx, busy FROM util_window WHERE unit = ?1");
    double *busy = malloc((size_t)p->columns * sizeof *busy);
    char *cells = malloc((size_t)p->columns + 1);
    const bool fine = windows && busy && cells;
    for (size_t i = 0; fine && i < p->unit_count; i++) {
        if (!all && !p->units[i].busy)
            continue;
        memset(busy, 0, (size_t)p->columns * sizeof *busy);
        sqlite3_bind_int64(windows, 1, p->units[i].unit);
        while (window && rows_step(windows) == SQLITE_ROW) {
            const uint64_t start = (uint64_t)sqlite3_column_int64(windows, 0) * window;
            const double share = (double)sqlite3_column_int64(windows, 1) / (double)window;
            const uint64_t end = start + window < p->to ? start + window : p->to;
            for (uint64_t at = start > p->from ? start : p->from; at < end;) {
                const uint64_t column = (at - p->from) / p->step;
                const uint64_t column_end = p->from + (column + 1) * p->step;
                const uint64_t stop = column_end < end ? column_end : end;
                busy[column] += share * (double)(stop - at);
                at = stop;
            }
        }
        sqlite3_reset(windows);
        for (int c = 0; c < p->columns; c++) {
            const int tenths = (int)(10.0 * busy[c] / (double)p->step + 0.5);
            cells[c] = (char)(busy[c] <= 0   ? '.'
                              : tenths >= 10 ? '#'
                              : tenths < 1   ? '1'
                                             : '0' + tenths);
        }
        cells[p->columns] = '\0';
        put_row(p, p->units[i].name, NULL, 0, cells);
    }
    sqlite3_finalize(windows);
    free(busy);
    free(cells);
    return fine;
}

/* What hides what: a transfer's marks, the machine's own reasons, common ones, work. */
static size_t rank(char letter)
{
    static const char low[] = " q~_", high[] = "tuemlrdp#I";
    const char *found = strchr(low, letter);
    if (found)
        return (size_t)(found - low);
    found = strchr(high, letter);
    return sizeof low + (found ? 1 + (size_t)(found - high) : 0);
}

/* A later mark replaces an earlier one of lower rank. */
static void mark(const struct picture *p, char *cells, char letter, uint64_t start, uint64_t end)
{
    if (end <= p->from || start >= p->to)
        return;
    const uint64_t first = (start > p->from ? start - p->from : 0) / p->step;
    const uint64_t last = ((end < p->to ? end : p->to) - 1 - p->from) / p->step;
    for (uint64_t c = first; c <= last; c++)
        if (rank(letter) > rank(cells[c]))
            cells[c] = letter;
}

static void mark_transfer(const struct picture *p, sqlite3_stmt *transfers, int64_t stmt,
                          char *cells)
{
    sqlite3_bind_int64(transfers, 1, stmt);
    while (rows_step(transfers) == SQLITE_ROW) {
        const uint64_t issued = (uint64_t)sqlite3_column_int64(transfers, 0);
        const uint64_t started = (uint64_t)sqlite3_column_int64(transfers, 1);
        const uint64_t finished = (uint64_t)sqlite3_column_int64(transfers, 2);
        mark(p, cells, 'q', issued, started);
        mark(p, cells, '~', started, finished);
    }
    sqlite3_reset(transfers);
}

/* Statements of the window, in program order, and a row of cells for each. */
struct statements {
    int64_t *ids;
    char *cells;
    size_t stride, count, all; /* all: with those that have no row */
};

static bool note(uint8_t *seen, size_t most, int64_t stmt)
{
    const bool known = stmt >= 0 && (uint64_t)stmt < most;
    if (known)
        seen[stmt / 8] = (uint8_t)(seen[stmt / 8] | 1u << stmt % 8);
    return known;
}

/* Mark the statements that touch the window, a bit each. */
static bool find_statements(const struct picture *p, uint8_t *seen, size_t most, bool slices)
{
    int rc = SQLITE_OK;
    sqlite3_stmt *s =
        rows_select(p->db, "SELECT stmt FROM transfer WHERE issued < ?2 AND finished > ?1", &rc);
    rows_window(s, p->from, p->to);
    while (rows_next(s, &rc))
        note(seen, most, sqlite3_column_int64(s, 0));
    sqlite3_finalize(s);
    for (size_t u = 0; slices && u < p->unit_count; u++) {
        struct interval_reader reader;
        struct chunk_interval i;
        interval_open(&reader, p->db, p->units[u].unit, p->from, p->to, &rc);
        while (interval_next(&reader, &i))
            note(seen, most, i.stmt == NONE_ID ? -1 : (int64_t)i.stmt);
        interval_close(&reader);
    }
    return rc == SQLITE_OK;
}

static bool list_statements(const struct picture *p, uint64_t most, bool slices,
                            struct statements *list)
{
    const size_t stmts =
        (size_t)rows_value(p->db, "SELECT coalesce(max(id), -1) + 1 FROM stmt_row", 0, 0, 0);
    uint8_t *seen = calloc(stmts / 8 + 1, 1);
    *list = (struct statements){.stride = (size_t)p->columns + 1};
    list->ids = malloc((most + 1) * sizeof *list->ids);
    list->cells = malloc((most + 1) * list->stride);
    const bool fine = seen && list->ids && list->cells && find_statements(p, seen, stmts, slices);
    for (size_t i = 0; fine && i < stmts; i++) {
        if (!(seen[i / 8] >> i % 8 & 1))
            continue;
        if (list->all++ < most) {
            char *cells = list->cells + list->count * list->stride;
            memset(cells, ' ', (size_t)p->columns);
            cells[p->columns] = '\0';
            list->ids[list->count++] = (int64_t)i;
        }
    }
    free(seen);
    return fine;
}

/* NULL when the statement has no row. */
static char *cells_of(const struct statements *list, int64_t stmt)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (list->ids[middle] < stmt)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->ids[low] == stmt ? list->cells + low * list->stride : NULL;
}

static bool mark_slices(const struct picture *p, const struct statements *list)
{
    int rc = SQLITE_OK;
    for (size_t u = 0; u < p->unit_count; u++) {
        struct interval_reader reader;
        struct chunk_interval i;
        interval_open(&reader, p->db, p->units[u].unit, p->from, p->to, &rc);
        while (interval_next(&reader, &i)) {
            if (i.stmt == NONE_ID || i.reason >= REASON_MAX || i.reason == REASON_IDLE)
                continue;
            char *cells = cells_of(list, i.stmt);
            if (cells)
                mark(p, cells,
                     i.reason == REASON_BUSY && p->units[u].issues ? 'I' : p->letters[i.reason],
                     i.start, i.start + i.duration);
        }
        interval_close(&reader);
    }
    return rc == SQLITE_OK;
}

static bool put_statements(const struct picture *p, const struct statements *list)
{
    sqlite3_stmt *text = prepare(p->db, "SELECT line, text FROM v_stmt WHERE stmt = ?1");
    sqlite3_stmt *transfers =
        prepare(p->db, "SELECT issued, started, finished FROM transfer WHERE stmt = ?1");
    const bool fine = text && transfers;
    for (size_t i = 0; fine && i < list->count; i++) {
        char label[256] = "", *cells = list->cells + i * list->stride;
        mark_transfer(p, transfers, list->ids[i], cells);
        sqlite3_bind_int64(text, 1, list->ids[i]);
        int64_t line = 0;
        if (rows_step(text) == SQLITE_ROW) {
            line = sqlite3_column_int64(text, 0);
            if (p->rows)
                snprintf(label, sizeof label, "%s", rows_text(text, 1));
            else
                snprintf(label, sizeof label, "%6" PRId64 " %.200s", line, rows_text(text, 1));
        }
        sqlite3_reset(text);
        put_row(p, label, "line", line, cells);
    }
    sqlite3_finalize(text);
    sqlite3_finalize(transfers);
    return fine;
}

static bool show_statements(const struct picture *p, uint64_t most, bool slices)
{
    struct statements list;
    const bool fine = list_statements(p, most, slices, &list) &&
                      (!slices || !list.count || mark_slices(p, &list)) && put_statements(p, &list);
    if (fine && !p->rows && list.all > list.count)
        fprintf(p->out, "and %zu more statements in this window (--window, --rows)\n",
                list.all - list.count);
    if (fine && !p->rows && list.count == 0) {
        fputs(slices ? "no statement in this window\n"
                     : "no transfer in this window; other statements need takt run --detail\n",
              p->out);
    }
    free(list.ids);
    free(list.cells);
    return fine;
}

/* Entries are separated by two spaces; no line is wider than the picture. */
static void put_legend(FILE *out, const char *text, int width)
{
    for (int column = 0; *text;) {
        const char *gap = strstr(text, "  ");
        const int size = gap ? (int)(gap - text) : (int)strlen(text);
        const bool wraps = column && column + 2 + size > width;
        fputs(wraps ? "\n" : column ? "  " : "", out);
        text_put(out, text, (size_t)size);
        column = (wraps || !column ? 0 : column + 2) + size;
        text += size + (gap ? 2 : 0);
    }
    putc('\n', out);
}

/* How wide labels and columns are. A narrow picture has short labels: cycles are what it is for. */
static void lay_out(struct picture *p, const struct timeline_options *o)
{
    const int share = o->width * 2 / 5;
    p->label = !o->statements ? LABEL_UNITS : share < LABEL ? share : LABEL;
    for (size_t i = 0; !o->statements && i < p->unit_count; i++) {
        const int length = (int)strlen(p->units[i].name);
        if (length > p->label && (o->all_units || p->units[i].busy))
            p->label = length < LABEL_LONGEST ? length : LABEL_LONGEST;
    }
    int columns = o->width - p->label - 2;
    columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
    columns = columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
    const uint64_t length = p->to - p->from;
    p->step = (length + (uint64_t)columns - 1) / (uint64_t)columns;
    p->columns = (int)((length + p->step - 1) / p->step);
}

enum timeline_status timeline_print(sqlite3 *db, const struct timeline_options *o, FILE *out)
{
    const int64_t cycles = trace_reached(db);
    struct picture p = {.db = db, .out = out, .from = o->from, .to = o->to};
    p.to = cycles > 0 && p.to > (uint64_t)cycles ? (uint64_t)cycles : p.to;
    if (cycles <= 0 || p.from >= p.to)
        return TIMELINE_EMPTY;
    p.rows = o->json ? json_array() : NULL;
    const bool slices = slice_any(db);
    /* In JSON each unit has its row. */
    const enum alike_which which =
        o->statements || (!o->json && !o->all_units) ? ALIKE_FOLDED : ALIKE_EACH;
    bool fine = name_letters(&p) && alike_find(db, which, &p.units, &p.unit_count) == SQLITE_OK;
    if (fine) {
        lay_out(&p, o);
        put_head(&p);
        fine = o->statements ? show_statements(&p, o->rows, slices)
               : slices      ? units_by_slices(&p, o->all_units)
                             : units_by_windows(&p, o->all_units);
    }
    if (o->json) {
        json_t *answer =
            json_pack("{s:I,s:I,s:I,s:b,s:o}", "from", (json_int_t)p.from, "to", (json_int_t)p.to,
                      "cycles_per_column", (json_int_t)p.step, "exact", slices, "rows", p.rows);
        json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII);
        putc('\n', out);
        json_decref(answer);
    } else if (fine) {
        char legend[700];
        snprintf(legend, sizeof legend, "%s%s",
                 o->statements
                     ? "I issued  # busy  q issued, not started  ~ in flight  t tag  p port"
                 : slices ? "# busy  : a little  . idle  d data  p port  t tag  u queue  m memory  "
                            "l link  r priority  e empty  _ drained"
                          : "1 to 9: tenths busy  # all busy  . not busy; takt run --detail shows "
                            "reasons",
                 o->statements || slices ? p.own : "");
        put_legend(out, legend, o->width);
    }
    free(p.units);
    return fine ? TIMELINE_FINE : TIMELINE_FAILED;
}
