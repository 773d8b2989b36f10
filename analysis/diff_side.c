#include "analysis/diff_side.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "traces/slice.h"
#include "traces/trace.h"

enum { KINDS = REASON_MAX };

/* What holds a statement, or the transfer that it began. */
struct hold {
    uint32_t dst, src, unit, reason;
    bool moves; /* a transfer that has been issued */
    uint64_t waited;
};

struct moved {
    uint32_t stmt, unit; /* unit: that limits it */
    uint64_t issued;
};

/* What a statement spent, before it is split. */
struct spent {
    uint32_t stmt, reason;
    uint64_t cycles, execs;
};

struct reader {
    struct diff_side *side;
    sqlite3 *db;
    struct strings *strings;
    int rc;
    bool totals;     /* there are no intervals */
    uint32_t unit;   /* of the stream */
    uint32_t *units; /* names, by unit.id */
    size_t unit_count;
    uint32_t reasons[KINDS]; /* names */
    bool waits[KINDS];
    struct moved *moved; /* by statement */
    size_t moved_count, moved_capacity;
    struct hold *holds; /* by dst, the longest first */
    size_t hold_count, hold_capacity;
    struct spent *spent;
    size_t spent_count, spent_capacity;
    size_t file_capacity, stmt_capacity, param_capacity;
};

/* --- rows ------------------------------------------------------------------------------------- */

static void fail(struct reader *r, int rc)
{
    if (r->rc == SQLITE_OK)
        r->rc = rc;
}

static sqlite3_stmt *ask(struct reader *r, const char *sql)
{
    sqlite3_stmt *q = NULL;
    if (r->rc == SQLITE_OK)
        fail(r, sqlite3_prepare_v2(r->db, sql, -1, &q, NULL));
    return q;
}

static bool row(struct reader *r, sqlite3_stmt *q)
{
    const int rc = q && r->rc == SQLITE_OK ? sqlite3_step(q) : SQLITE_DONE;
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        fail(r, rc);
    return rc == SQLITE_ROW;
}

/* A number of strings. */
static uint32_t name_of(struct reader *r, const char *text)
{
    uint32_t number;
    if (strings_add(r->strings, text, &number) != 0)
        fail(r, SQLITE_NOMEM);
    return number;
}

static uint32_t column_name(struct reader *r, sqlite3_stmt *q, int column)
{
    return name_of(r, (const char *)sqlite3_column_text(q, column));
}

/* An id below count, or NONE_ID. */
static uint32_t column_id(sqlite3_stmt *q, int column, size_t count)
{
    const int64_t id = sqlite3_column_int64(q, column);
    const bool valid =
        sqlite3_column_type(q, column) == SQLITE_INTEGER && id >= 0 && (uint64_t)id < count;
    return valid ? (uint32_t)id : NONE_ID;
}

static uint64_t column_cycles(sqlite3_stmt *q, int column)
{
    return (uint64_t)sqlite3_column_int64(q, column);
}

/* Room for one more; false without memory. */
#define ROOM(r, list, count, capacity)                                                             \
    room((r), (void **)&(list), (count), &(capacity), sizeof *(list))
static bool room(struct reader *r, void **list, size_t count, size_t *capacity, size_t size)
{
    void *more = grow(*list, capacity, count + 1, size);
    if (!more)
        fail(r, SQLITE_NOMEM);
    else
        *list = more;
    return more != NULL;
}

/* --- the program ------------------------------------------------------------------------------ */

/* The text with every run of blanks as one blank, and its first word. */
static void normalise(struct reader *r, const char *text, size_t size, struct diff_stmt *stmt)
{
    char *copy = malloc(size + 1);
    if (!copy) {
        fail(r, SQLITE_NOMEM);
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

static void read_program(struct reader *r)
{
    struct diff_side *side = r->side;
    sqlite3_stmt *q = ask(r, "SELECT name FROM file ORDER BY id");
    while (row(r, q) && ROOM(r, side->files, side->file_count, r->file_capacity))
        side->files[side->file_count++] = column_name(r, q, 0);
    sqlite3_finalize(q);
    size_t regions = 0;
    q = ask(r, "SELECT name FROM region ORDER BY id");
    while (row(r, q) && ROOM(r, side->regions, side->region_count, regions))
        side->regions[side->region_count++] = column_name(r, q, 0);
    sqlite3_finalize(q);
    q = ask(r, "SELECT id, file, line, text, region FROM stmt ORDER BY id");
    while (row(r, q) && ROOM(r, side->stmts, side->stmt_count, r->stmt_capacity)) {
        struct diff_stmt *stmt = &side->stmts[side->stmt_count];
        if (sqlite3_column_int64(q, 0) != (int64_t)side->stmt_count++)
            fail(r, SQLITE_CORRUPT);
        *stmt = (struct diff_stmt){.file = column_id(q, 1, side->file_count),
                                   .line = column_id(q, 2, UINT32_MAX)};
        const uint32_t region = column_id(q, 4, side->region_count);
        stmt->region = region == NONE_ID ? NONE_ID : side->regions[region];
        const char *text = (const char *)sqlite3_column_text(q, 3);
        normalise(r, text ? text : "", text ? (size_t)sqlite3_column_bytes(q, 3) : 0, stmt);
    }
    sqlite3_finalize(q);
    q = ask(r, "SELECT name, CASE typeof(value) WHEN 'text' THEN value ELSE printf('%.15g', value) "
               "END, unit FROM param ORDER BY name");
    while (row(r, q) && ROOM(r, side->params, side->param_count, r->param_capacity)) {
        struct diff_param *param = &side->params[side->param_count++];
        param->name = column_name(r, q, 0);
        param->value = column_name(r, q, 1);
        param->unit = column_name(r, q, 2);
    }
    sqlite3_finalize(q);
}

/* --- units, reasons and the stream ------------------------------------------------------------ */

static void read_names(struct reader *r)
{
    struct diff_side *side = r->side;
    sqlite3_stmt *q = ask(r, "SELECT key, value FROM meta WHERE key IN ('machine', 'state')");
    while (row(r, q))
        *(strcmp((const char *)sqlite3_column_text(q, 0), "state") ? &side->machine
                                                                   : &side->state) =
            column_name(r, q, 1);
    sqlite3_finalize(q);
    side->cycles = (uint64_t)trace_integer(r->db, "total_cycles", 0);
    size_t capacity = 0;
    q = ask(r, "SELECT id, name FROM unit ORDER BY id");
    while (row(r, q) && ROOM(r, r->units, r->unit_count, capacity)) {
        if (sqlite3_column_int64(q, 0) != (int64_t)r->unit_count)
            fail(r, SQLITE_CORRUPT);
        r->units[r->unit_count++] = column_name(r, q, 1);
    }
    sqlite3_finalize(q);
    q = ask(r, "SELECT id, name, state FROM reason");
    while (row(r, q)) {
        const uint32_t id = column_id(q, 0, KINDS);
        if (id == NONE_ID)
            continue;
        r->reasons[id] = column_name(r, q, 1);
        r->waits[id] = sqlite3_column_int64(q, 2) == STATE_WAITING;
    }
    sqlite3_finalize(q);
    q = ask(r, "SELECT u.id FROM unit u WHERE u.kind = 'issue' ORDER BY "
               "(SELECT sum(t.cycles) FROM unit_total t JOIN reason y ON y.id = t.reason "
               " WHERE t.unit = u.id AND y.name = 'idle'), "
               "(SELECT sum(t.cycles) FROM unit_total t JOIN reason y ON y.id = t.reason "
               " WHERE t.unit = u.id AND y.name = 'drained'), u.id LIMIT 1");
    r->unit = row(r, q) ? column_id(q, 0, r->unit_count) : NONE_ID;
    side->stream = r->unit == NONE_ID ? NONE_ID : r->units[r->unit];
    sqlite3_finalize(q);
}

static int by_stmt(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    return (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

static const struct moved *transfer_of(const struct reader *r, uint32_t stmt)
{
    const struct moved key = {.stmt = stmt};
    return r->moved_count ? bsearch(&key, r->moved, r->moved_count, sizeof key, by_stmt) : NULL;
}

static void read_holds(struct reader *r)
{
    const size_t stmts = r->side->stmt_count;
    sqlite3_stmt *q = ask(r, "SELECT stmt, limited_by, min(issued) FROM transfer GROUP BY stmt "
                             "ORDER BY stmt");
    while (row(r, q) && ROOM(r, r->moved, r->moved_count, r->moved_capacity))
        r->moved[r->moved_count++] = (struct moved){
            column_id(q, 0, stmts), column_id(q, 1, r->unit_count), column_cycles(q, 2)};
    sqlite3_finalize(q);
    q = ask(r, "SELECT d.dst, d.src, d.unit, k.reason, d.waited, d.first_at FROM dep d "
               "JOIN dep_kind k ON k.id = d.kind WHERE d.waited > 0 "
               "ORDER BY d.dst, d.waited DESC, d.id");
    while (row(r, q) && ROOM(r, r->holds, r->hold_count, r->hold_capacity)) {
        struct hold *hold = &r->holds[r->hold_count];
        *hold = (struct hold){.dst = column_id(q, 0, stmts),
                              .src = column_id(q, 1, stmts),
                              .unit = column_id(q, 2, r->unit_count),
                              .reason = column_id(q, 3, KINDS),
                              .waited = column_cycles(q, 4)};
        if (hold->dst == NONE_ID)
            continue;
        const struct moved *moved = transfer_of(r, hold->dst);
        hold->moves = moved && moved->issued < column_cycles(q, 5);
        r->hold_count++;
    }
    sqlite3_finalize(q);
}

/* The first hold of this statement. */
static size_t holds_of(const struct reader *r, uint32_t stmt)
{
    size_t low = 0, high = r->hold_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->holds[middle].dst < stmt)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- what each statement spent ---------------------------------------------------------------- */

static void add_spent(struct reader *r, struct spent spent)
{
    if (ROOM(r, r->spent, r->spent_count, r->spent_capacity))
        r->spent[r->spent_count++] = spent;
}

static void keep_runs(struct reader *r, const struct diff_unit *unit)
{
    struct diff_side *side = r->side;
    side->runs = malloc((unit->run_count + 1) * sizeof *side->runs);
    if (!side->runs) {
        fail(r, SQLITE_NOMEM);
        return;
    }
    for (size_t i = 0; i < unit->run_count; i++) {
        side->runs[i] = unit->runs[i];
        side->runs[i].reason = r->reasons[unit->runs[i].reason % KINDS];
    }
    side->run_count = unit->run_count;
    while (unit->all && side->run_count && side->runs[side->run_count - 1].stmt == NONE_ID)
        side->run_count--; /* it has drained */
    side->ordered = true;
    side->all = unit->all;
    for (size_t i = 0; i < unit->cell_count; i++)
        add_spent(r, (struct spent){unit->cells[i].stmt, unit->cells[i].reason,
                                    unit->cells[i].cycles, 1});
}

static void read_intervals(struct reader *r)
{
    struct diff_unit unit;
    diff_unit_begin(&unit);
    sqlite3_stmt *q =
        ask(r, "SELECT ts, dur, reason, stmt FROM slice WHERE track_id = ? ORDER BY ts");
    if (q)
        sqlite3_bind_int64(q, 1, r->unit);
    while (row(r, q)) {
        const struct sink_interval interval = {.start = column_cycles(q, 0),
                                               .duration = column_cycles(q, 1),
                                               .reason = column_id(q, 2, KINDS),
                                               .stmt = column_id(q, 3, r->side->stmt_count)};
        if (interval.reason == NONE_ID)
            fail(r, SQLITE_CORRUPT);
        else if (diff_unit_add(&unit, &interval) != 0)
            fail(r, SQLITE_NOMEM);
    }
    sqlite3_finalize(q);
    if (r->rc == SQLITE_OK)
        keep_runs(r, &unit);
    diff_unit_free(&unit);
}

struct equal { /* statements of one text */
    uint32_t text, stmt;
    bool busy; /* it has a total of busy cycles */
};

struct total {
    uint32_t text;
    struct spent spent;
};

static int by_text(const void *a, const void *b)
{
    const struct equal *x = a, *y = b;
    return x->text != y->text ? (x->text > y->text) - (x->text < y->text)
                              : (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

static int in_order(const void *a, const void *b)
{
    const struct spent *x = a, *y = b;
    const uint32_t p = x->reason == REASON_BUSY ? KINDS : x->reason; /* after what held it */
    const uint32_t q = y->reason == REASON_BUSY ? KINDS : y->reason;
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
static void share(struct reader *r, const struct total *totals, size_t count,
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
    for (size_t i = 0; even && totals->spent.reason != REASON_BUSY && i < members; i++)
        even = !first[i].busy;
    if (even && execs == members) {
        for (size_t i = 0; i < members; i++)
            add_spent(r, (struct spent){first[i].stmt, totals->spent.reason, each, 1});
        return;
    }
    for (size_t i = 0; i < count; i++) {
        add_spent(r, totals[i].spent);
        r->side->ordered &= totals[i].spent.execs == 1;
    }
}

/* Without intervals: totals of statements. */
static void read_totals(struct reader *r)
{
    struct diff_side *side = r->side;
    struct total *totals = NULL;
    size_t count = 0, capacity = 0;
    sqlite3_stmt *q = ask(r, "SELECT stmt, reason, cycles, execs FROM stmt_total WHERE unit = ?");
    if (q)
        sqlite3_bind_int64(q, 1, r->unit);
    while (row(r, q) && ROOM(r, totals, count, capacity)) {
        const struct spent spent = {column_id(q, 0, side->stmt_count), column_id(q, 1, KINDS),
                                    column_cycles(q, 2), column_cycles(q, 3)};
        if (spent.stmt != NONE_ID && spent.reason != NONE_ID)
            totals[count++] = (struct total){side->stmts[spent.stmt].text, spent};
    }
    sqlite3_finalize(q);
    struct equal *equals = malloc((side->stmt_count + 1) * sizeof *equals);
    if (!equals)
        fail(r, SQLITE_NOMEM);
    r->totals = side->ordered = true;
    for (size_t i = 0; equals && i < side->stmt_count; i++)
        equals[i] = (struct equal){side->stmts[i].text, (uint32_t)i, false};
    for (size_t i = 0; equals && i < count; i++)
        equals[totals[i].spent.stmt].busy |= totals[i].spent.reason == REASON_BUSY;
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
        fail(r, SQLITE_NOMEM);
    for (size_t i = 0; side->runs && i < r->spent_count; i++)
        side->runs[side->run_count++] =
            (struct diff_run){r->spent[i].stmt, r->reasons[r->spent[i].reason], r->spent[i].cycles};
    side->all = true;
}

/* --- cells ------------------------------------------------------------------------------------ */

static void add_cell(struct reader *r, struct diff_cell cell)
{
    struct diff_side *side = r->side;
    if (cell.cycles && ROOM(r, side->cells, side->cell_count, side->cell_capacity))
        side->cells[side->cell_count++] = cell;
}

static uint32_t unit_name(const struct reader *r, uint32_t unit)
{
    return unit == NONE_ID ? r->side->stream : r->units[unit];
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* cell: cycles that its statement stood for this transfer, on whose behalf others may be to
 * blame. */
static void charge_transfer(struct reader *r, struct diff_cell cell, const struct moved *moved)
{
    uint64_t left = cell.cycles;
    for (size_t i = holds_of(r, moved->stmt); left && i < r->hold_count; i++) {
        const struct hold *hold = &r->holds[i];
        if (hold->dst != moved->stmt)
            break;
        if (!hold->moves)
            continue;
        cell.cycles = less(left, hold->waited);
        cell.unit = unit_name(r, hold->unit);
        cell.source = hold->src == NONE_ID ? moved->stmt : hold->src;
        left -= cell.cycles;
        add_cell(r, cell);
    }
    cell.cycles = left;
    cell.unit = unit_name(r, moved->unit);
    cell.source = moved->stmt;
    add_cell(r, cell);
}

static void charge(struct reader *r, const struct spent *spent)
{
    struct diff_cell cell = {.stmt = spent->stmt,
                             .source = NONE_ID,
                             .reason = r->reasons[spent->reason],
                             .unit = r->side->stream};
    uint64_t left = spent->cycles;
    for (size_t i = r->waits[spent->reason] && spent->stmt != NONE_ID ? holds_of(r, spent->stmt)
                                                                      : r->hold_count;
         left && i < r->hold_count; i++) {
        const struct hold *hold = &r->holds[i];
        if (hold->dst != spent->stmt)
            break;
        if (hold->moves || hold->reason != spent->reason)
            continue;
        const struct moved *moved =
            hold->reason == REASON_TAG && hold->src != NONE_ID ? transfer_of(r, hold->src) : NULL;
        cell.cycles = less(left, hold->waited);
        left -= cell.cycles;
        cell.unit = unit_name(r, hold->unit);
        cell.source = hold->src;
        if (moved)
            charge_transfer(r, cell, moved);
        else
            add_cell(r, cell);
    }
    cell.cycles = left;
    cell.unit = r->side->stream;
    cell.source = NONE_ID;
    add_cell(r, cell);
}

/* The cycles that no statement of the stream has. */
static void charge_rest(struct reader *r)
{
    struct diff_side *side = r->side;
    uint64_t rest[KINDS] = {0}, all = side->cycles;
    sqlite3_stmt *q = ask(r, "SELECT reason, cycles FROM unit_total WHERE unit = ?");
    if (q)
        sqlite3_bind_int64(q, 1, r->unit);
    while (row(r, q)) {
        const uint32_t reason = column_id(q, 0, KINDS);
        rest[reason == NONE_ID ? REASON_IDLE : reason] += column_cycles(q, 1);
        all -= column_cycles(q, 1);
    }
    sqlite3_finalize(q);
    rest[REASON_IDLE] += all; /* nothing, but in a machine without a stream */
    for (size_t i = 0; i < r->spent_count; i++)
        if (r->spent[i].stmt != NONE_ID)
            rest[r->spent[i].reason] -= r->spent[i].cycles;
    struct diff_cell last = {.stmt = NONE_ID, .source = NONE_ID, .unit = side->stream};
    q = ask(r, "SELECT first_stmt, unit FROM crit ORDER BY start DESC LIMIT 1");
    if (row(r, q)) {
        last.stmt = column_id(q, 0, side->stmt_count);
        last.unit = unit_name(r, column_id(q, 1, r->unit_count));
    }
    sqlite3_finalize(q);
    const struct moved *moved = last.stmt == NONE_ID ? NULL : transfer_of(r, last.stmt);
    for (uint32_t reason = 0; reason < KINDS; reason++) {
        const bool over = reason == REASON_DRAINED || reason == REASON_IDLE;
        struct diff_cell cell =
            over ? last : (struct diff_cell){NONE_ID, NONE_ID, 0, side->stream, 0};
        cell.reason = r->reasons[reason];
        cell.cycles = rest[reason];
        side->ordered &= over || !rest[reason] || !r->totals;
        if (over && moved)
            charge_transfer(r, cell, moved);
        else
            add_cell(r, cell);
    }
}

int diff_side_read(struct diff_side *side, sqlite3 *db, const struct diff_stream *stream,
                   struct strings *strings)
{
    struct reader r = {.side = side, .db = db, .strings = strings};
    *side = (struct diff_side){.machine = NONE_ID, .stream = NONE_ID, .state = NONE_ID};
    for (size_t i = 0; i < KINDS; i++)
        r.reasons[i] = NONE_ID;
    read_program(&r);
    read_names(&r);
    read_holds(&r);
    if (r.rc == SQLITE_OK && r.unit != NONE_ID) {
        if (stream && r.unit < stream->unit_count)
            keep_runs(&r, &stream->units[r.unit]);
        else if (slice_packed(db))
            read_intervals(&r);
        else
            read_totals(&r);
    }
    for (size_t i = 0; r.rc == SQLITE_OK && i < r.spent_count; i++)
        if (r.spent[i].stmt != NONE_ID)
            charge(&r, &r.spent[i]);
    if (r.rc == SQLITE_OK)
        charge_rest(&r);
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
