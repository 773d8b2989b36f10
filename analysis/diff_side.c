#include "analysis/diff_reader.h"

#include <stdlib.h>
#include <string.h>

#include "traces/slice.h"
#include "traces/trace.h"

/* --- rows ------------------------------------------------------------------------------------- */

/* A number of strings. */
static uint32_t name_of(struct diff_reader *r, const char *text)
{
    uint32_t number;
    if (strings_add(r->strings, text, &number) != 0)
        rows_fail(&r->rc, SQLITE_NOMEM);
    return number;
}

static uint32_t column_name(struct diff_reader *r, sqlite3_stmt *q, int column)
{
    return name_of(r, rows_text(q, column));
}

/* --- the program ------------------------------------------------------------------------------ */

/* The text with every run of blanks as one blank, and its first word. */
static void normalise(struct diff_reader *r, const char *text, size_t size, struct diff_stmt *stmt)
{
    char *copy = malloc(size + 1);
    if (!copy) {
        rows_fail(&r->rc, SQLITE_NOMEM);
        return;
    }
    size_t length = 0;
    for (size_t i = 0; i < size; i++) {
        const bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || !text[i];
        if (!blank)
            copy[length++] = text[i];
        else if (length && copy[length - 1] != ' ')
            copy[length++] = ' ';
    }
    length -= length && copy[length - 1] == ' ';
    copy[length] = '\0';
    stmt->text = name_of(r, copy);
    copy[strcspn(copy, " /;")] = '\0';
    stmt->word = name_of(r, copy);
    free(copy);
}

static void read_program(struct diff_reader *r)
{
    struct diff_side *side = r->side;
    sqlite3_stmt *q = rows_select(r->db, "SELECT name FROM file ORDER BY id", &r->rc);
    while (rows_next(q, &r->rc) && ROOM(r, side->files, side->file_count, r->file_capacity))
        side->files[side->file_count++] = column_name(r, q, 0);
    sqlite3_finalize(q);
    size_t regions = 0;
    q = rows_select(r->db, "SELECT name FROM region ORDER BY id", &r->rc);
    while (rows_next(q, &r->rc) && ROOM(r, side->regions, side->region_count, regions))
        side->regions[side->region_count++] = column_name(r, q, 0);
    sqlite3_finalize(q);
    q = rows_select(r->db, "SELECT id, file, line, text, region FROM stmt ORDER BY id", &r->rc);
    while (rows_next(q, &r->rc) && ROOM(r, side->stmts, side->stmt_count, r->stmt_capacity)) {
        struct diff_stmt *stmt = &side->stmts[side->stmt_count];
        if (sqlite3_column_int64(q, 0) != (int64_t)side->stmt_count++)
            rows_fail(&r->rc, SQLITE_CORRUPT);
        *stmt = (struct diff_stmt){.file = diff_reader_column_id(q, 1, side->file_count),
                                   .line = diff_reader_column_id(q, 2, UINT32_MAX)};
        const uint32_t region = diff_reader_column_id(q, 4, side->region_count);
        stmt->region = region == NONE_ID ? NONE_ID : side->regions[region];
        size_t size;
        const char *text = rows_string(q, 3, &size);
        normalise(r, text, size, stmt);
    }
    sqlite3_finalize(q);
    q = rows_select(
        r->db,
        "SELECT name, CASE typeof(value) WHEN 'text' THEN value ELSE printf('%.15g', value) "
        "END, unit FROM param ORDER BY name",
        &r->rc);
    while (rows_next(q, &r->rc) && ROOM(r, side->params, side->param_count, r->param_capacity)) {
        struct diff_param *param = &side->params[side->param_count++];
        param->name = column_name(r, q, 0);
        param->value = column_name(r, q, 1);
        param->unit = column_name(r, q, 2);
    }
    sqlite3_finalize(q);
}

/* --- units, reasons and the stream ------------------------------------------------------------ */

static void read_names(struct diff_reader *r)
{
    struct diff_side *side = r->side;
    sqlite3_stmt *q =
        rows_select(r->db, "SELECT key, value FROM meta WHERE key IN ('machine', 'state')", &r->rc);
    while (rows_next(q, &r->rc))
        *(strcmp(rows_text(q, 0), "state") ? &side->machine : &side->state) = column_name(r, q, 1);
    sqlite3_finalize(q);
    side->cycles = (uint64_t)trace_integer(r->db, "total_cycles", 0);
    size_t capacity = 0;
    q = rows_select(r->db, "SELECT id, name FROM unit ORDER BY id", &r->rc);
    while (rows_next(q, &r->rc) && ROOM(r, r->units, r->unit_count, capacity)) {
        if (sqlite3_column_int64(q, 0) != (int64_t)r->unit_count)
            rows_fail(&r->rc, SQLITE_CORRUPT);
        r->units[r->unit_count++] = column_name(r, q, 1);
    }
    sqlite3_finalize(q);
    q = rows_select(r->db, "SELECT id, name, state FROM reason", &r->rc);
    while (rows_next(q, &r->rc)) {
        const uint32_t id = diff_reader_column_id(q, 0, DIFF_REASONS);
        if (id == NONE_ID)
            continue;
        r->reasons[id] = column_name(r, q, 1);
        r->waits[id] = sqlite3_column_int64(q, 2) == STATE_WAITING;
    }
    sqlite3_finalize(q);
    q = rows_select(r->db,
                    "SELECT u.id FROM unit u WHERE u.kind = 'issue' ORDER BY "
                    "(SELECT sum(t.cycles) FROM unit_total t JOIN reason y ON y.id = t.reason "
                    " WHERE t.unit = u.id AND y.name = 'idle'), "
                    "(SELECT sum(t.cycles) FROM unit_total t JOIN reason y ON y.id = t.reason "
                    " WHERE t.unit = u.id AND y.name = 'drained'), u.id LIMIT 1",
                    &r->rc);
    r->unit = rows_next(q, &r->rc) ? diff_reader_column_id(q, 0, r->unit_count) : NONE_ID;
    side->stream = r->unit == NONE_ID ? NONE_ID : r->units[r->unit];
    sqlite3_finalize(q);
}

/* --- what each statement spent ---------------------------------------------------------------- */

static void add_spent(struct diff_reader *r, struct diff_spent spent)
{
    if (ROOM(r, r->spent, r->spent_count, r->spent_capacity))
        r->spent[r->spent_count++] = spent;
}

static void keep_runs(struct diff_reader *r, const struct diff_unit *unit)
{
    struct diff_side *side = r->side;
    side->runs = malloc((unit->run_count + 1) * sizeof *side->runs);
    if (!side->runs) {
        rows_fail(&r->rc, SQLITE_NOMEM);
        return;
    }
    for (size_t i = 0; i < unit->run_count; i++) {
        side->runs[i] = unit->runs[i];
        side->runs[i].reason = r->reasons[unit->runs[i].reason % DIFF_REASONS];
    }
    side->run_count = unit->run_count;
    while (unit->all && side->run_count && side->runs[side->run_count - 1].stmt == NONE_ID)
        side->run_count--; /* it has drained */
    side->ordered = true;
    side->all = unit->all;
    for (size_t i = 0; i < unit->cell_count; i++)
        add_spent(r, (struct diff_spent){unit->cells[i].stmt, unit->cells[i].reason,
                                         unit->cells[i].cycles, 1});
}

static void read_intervals(struct diff_reader *r)
{
    struct diff_unit unit;
    diff_unit_begin(&unit);
    sqlite3_stmt *q = rows_select(
        r->db, "SELECT ts, dur, reason, stmt FROM slice WHERE track_id = ? ORDER BY ts", &r->rc);
    if (q)
        sqlite3_bind_int64(q, 1, r->unit);
    while (rows_next(q, &r->rc)) {
        const struct sink_interval interval = {
            .start = diff_reader_column_cycles(q, 0),
            .duration = diff_reader_column_cycles(q, 1),
            .reason = diff_reader_column_id(q, 2, DIFF_REASONS),
            .stmt = diff_reader_column_id(q, 3, r->side->stmt_count)};
        if (interval.reason == NONE_ID)
            rows_fail(&r->rc, SQLITE_CORRUPT);
        else if (diff_unit_add(&unit, &interval) != 0)
            rows_fail(&r->rc, SQLITE_NOMEM);
    }
    sqlite3_finalize(q);
    if (r->rc == SQLITE_OK)
        keep_runs(r, &unit);
    diff_unit_free(&unit);
}

struct equal { /* statements of one text */
    uint32_t text, stmt;
    bool busy; /* it has a total of busy cycles, of whatever stream */
};

struct total {
    uint32_t text;
    struct diff_spent spent;
};

static int by_text(const void *a, const void *b)
{
    const struct equal *x = a, *y = b;
    return x->text != y->text ? (x->text > y->text) - (x->text < y->text)
                              : (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

static int in_order(const void *a, const void *b)
{
    const struct diff_spent *x = a, *y = b;
    const uint32_t p = x->reason == REASON_BUSY ? DIFF_REASONS : x->reason; /* after what held it */
    const uint32_t q = y->reason == REASON_BUSY ? DIFF_REASONS : y->reason;
    return x->stmt != y->stmt ? (x->stmt > y->stmt) - (x->stmt < y->stmt) : (p > q) - (p < q);
}

/* The statements of a text, in equals; *count of them. */
static const struct equal *equal_to(const struct equal *equals, size_t all, uint32_t text,
                                    size_t *count)
{
    const struct equal key = {.text = text};
    size_t low = 0, high = all;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_text(&equals[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < all && equals[high].text == text;)
        high++;
    *count = high - low;
    return &equals[low];
}

static int by_total(const void *a, const void *b)
{
    const struct total *x = a, *y = b;
    return x->text != y->text ? (x->text > y->text) - (x->text < y->text)
           : x->spent.reason != y->spent.reason
               ? (x->spent.reason > y->spent.reason) - (x->spent.reason < y->spent.reason)
               : (x->spent.stmt > y->spent.stmt) - (x->spent.stmt < y->spent.stmt);
}

/* Totals of one text and reason. Where they have as many executions as there are statements of the
 * text, each of as many cycles, each statement gets its own; but not if it is known by its busy
 * cycles that they have totals of their own. */
static void share(struct diff_reader *r, const struct total *totals, size_t count,
                  const struct equal *equals)
{
    const uint64_t each = totals->spent.cycles / (totals->spent.execs ? totals->spent.execs : 1);
    uint64_t execs = 0;
    size_t members;
    bool even = totals->text != NONE_ID;
    for (size_t i = 0; i < count; i++) {
        execs += totals[i].spent.execs;
        even &= totals[i].spent.execs && totals[i].spent.cycles == each * totals[i].spent.execs;
    }
    const struct equal *first = equal_to(equals, r->side->stmt_count, totals->text, &members);
    size_t own = 0;
    for (size_t i = 0; i < members; i++)
        own += first[i].busy;
    even &= own == (totals->spent.reason == REASON_BUSY ? count : 0);
    if (even && execs == members) {
        for (size_t i = 0; i < members; i++)
            add_spent(r, (struct diff_spent){first[i].stmt, totals->spent.reason, each, 1});
        return;
    }
    for (size_t i = 0; i < count; i++) {
        add_spent(r, totals[i].spent);
        r->side->ordered &= totals[i].spent.execs == 1;
    }
}

/* Without intervals: totals of statements. */
static void read_totals(struct diff_reader *r)
{
    struct diff_side *side = r->side;
    struct total *totals = NULL;
    size_t count = 0, capacity = 0;
    sqlite3_stmt *q = rows_select(
        r->db, "SELECT stmt, reason, cycles, execs FROM stmt_total WHERE unit = ?", &r->rc);
    if (q)
        sqlite3_bind_int64(q, 1, r->unit);
    while (rows_next(q, &r->rc) && ROOM(r, totals, count, capacity)) {
        const struct diff_spent spent = {diff_reader_column_id(q, 0, side->stmt_count),
                                         diff_reader_column_id(q, 1, DIFF_REASONS),
                                         diff_reader_column_cycles(q, 2),
                                         diff_reader_column_cycles(q, 3)};
        if (spent.stmt != NONE_ID && spent.reason != NONE_ID)
            totals[count++] = (struct total){side->stmts[spent.stmt].text, spent};
    }
    sqlite3_finalize(q);
    struct equal *equals = malloc((side->stmt_count + 1) * sizeof *equals);
    if (!equals)
        rows_fail(&r->rc, SQLITE_NOMEM);
    r->totals = side->ordered = true;
    for (size_t i = 0; equals && i < side->stmt_count; i++)
        equals[i] = (struct equal){side->stmts[i].text, (uint32_t)i, false};
    q = rows_select(r->db,
                    "SELECT t.stmt FROM stmt_total t JOIN unit u ON u.id = t.unit "
                    "JOIN reason y ON y.id = t.reason "
                    "WHERE u.kind = 'issue' AND y.name = 'busy'",
                    &r->rc);
    while (rows_next(q, &r->rc)) {
        const uint32_t stmt = diff_reader_column_id(q, 0, side->stmt_count);
        if (stmt != NONE_ID)
            equals[stmt].busy = true;
    }
    sqlite3_finalize(q);
    if (equals && side->stmt_count)
        qsort(equals, side->stmt_count, sizeof *equals, by_text);
    if (count)
        qsort(totals, count, sizeof *totals, by_total);
    for (size_t i = 0, end; r->rc == SQLITE_OK && i < count; i = end) {
        for (end = i + 1; end < count && totals[end].text == totals[i].text &&
                          totals[end].spent.reason == totals[i].spent.reason;)
            end++;
        share(r, &totals[i], end - i, equals);
    }
    free(equals);
    free(totals);
    if (r->spent_count)
        qsort(r->spent, r->spent_count, sizeof *r->spent, in_order);
    side->runs = malloc((r->spent_count + 1) * sizeof *side->runs);
    if (!side->runs)
        rows_fail(&r->rc, SQLITE_NOMEM);
    for (size_t i = 0; side->runs && i < r->spent_count; i++)
        side->runs[side->run_count++] =
            (struct diff_run){r->spent[i].stmt, r->reasons[r->spent[i].reason], r->spent[i].cycles};
    side->all = true;
}

int diff_side_read(struct diff_side *side, sqlite3 *db, const struct diff_stream *stream,
                   struct strings *strings)
{
    struct diff_reader r = {.side = side, .db = db, .strings = strings};
    *side = (struct diff_side){.machine = NONE_ID, .stream = NONE_ID, .state = NONE_ID};
    for (size_t i = 0; i < DIFF_REASONS; i++)
        r.reasons[i] = NONE_ID;
    read_program(&r);
    read_names(&r);
    if (r.rc == SQLITE_OK && r.unit != NONE_ID) {
        if (stream && r.unit < stream->unit_count)
            keep_runs(&r, &stream->units[r.unit]);
        else if (slice_packed(db))
            read_intervals(&r);
        else
            read_totals(&r);
    }
    if (r.rc == SQLITE_OK)
        diff_charge(&r);
    free(r.units);
    free(r.moved);
    free(r.holds);
    free(r.spent);
    return r.rc;
}

void diff_side_free(struct diff_side *side)
{
    free(side->files);
    free(side->regions);
    free(side->stmts);
    free(side->cells);
    free(side->runs);
    free(side->params);
    *side = (struct diff_side){.cycles = 0};
}
