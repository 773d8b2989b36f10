#include "analysis/diff_reader.h"
#include "host/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of strings. */
static uint32_t name_of(struct diff_reader *r, const char *text)
{
    uint32_t number;
    if (strings_add(r->strings, text ? text : "", &number) != 0)
        r->status = -1;
    return number;
}

/* Zeros for `count` items. */
static void *room_for(struct diff_reader *r, size_t count, size_t size)
{
    void *items = calloc(count + 1, size);
    if (!items)
        r->status = -1;
    return items;
}

/* --- the program ------------------------------------------------------------------------------ */

/* The text with every run of blanks as one blank, and its first word. */
static void normalise(struct diff_reader *r, const char *text, size_t size, struct diff_stmt *stmt)
{
    char *copy = malloc(size + 1);
    if (!copy) {
        r->status = -1;
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

static int by_name(const void *a, const void *b)
{
    const struct param_info *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static void read_params(struct diff_reader *r, const struct sink_header *h)
{
    struct diff_side *side = r->side;
    const struct param_info **params = room_for(r, h->param_count, sizeof *params);
    side->params = room_for(r, h->param_count, sizeof *side->params);
    for (size_t i = 0; params && i < h->param_count; i++)
        params[i] = &h->params[i];
    if (params && h->param_count)
        qsort(params, h->param_count, sizeof *params, by_name);
    for (size_t i = 0; r->status == 0 && i < h->param_count; i++) {
        char number[40];
        const struct param_info *param = params[i];
        snprintf(number, sizeof number, "%.15g", param->value);
        side->params[side->param_count++] = (struct diff_param){
            name_of(r, param->name), name_of(r, param->text ? param->text : number),
            name_of(r, param->unit)};
    }
    free(params);
}

static void read_program(struct diff_reader *r)
{
    struct diff_side *side = r->side;
    const struct sink_header *h = &r->store->header;
    side->files = room_for(r, h->file_count, sizeof *side->files);
    side->regions = room_for(r, h->region_count + 1, sizeof *side->regions);
    side->stmts = room_for(r, h->stmt_count, sizeof *side->stmts);
    for (size_t i = 0; r->status == 0 && i < h->file_count; i++)
        side->files[side->file_count++] = name_of(r, h->files[i].name);
    for (size_t i = 0; r->status == 0 && i <= h->region_count; i++)
        side->regions[side->region_count++] = name_of(r, h->regions ? h->regions[i] : "rest");
    for (size_t i = 0; r->status == 0 && i < h->stmt_count; i++) {
        const struct stmt_info *info = &h->stmts[i];
        struct diff_stmt *stmt = &side->stmts[side->stmt_count++];
        *stmt = (struct diff_stmt){
            .file = info->file < side->file_count ? info->file : NONE_ID,
            .line = info->line,
            .region = info->region < side->region_count ? side->regions[info->region] : NONE_ID};
        normalise(r, info->text, info->text_length, stmt);
    }
    read_params(r, h);
}

/* --- units, reasons and the stream ------------------------------------------------------------ */

/* Cycles of a unit for a reason; -1: it has no such total. */
static int64_t total_of(const struct store *store, uint32_t unit, uint32_t reason)
{
    int64_t cycles = -1;
    for (size_t i = 0; i < store->unit_total_count; i++) {
        const struct sink_unit_total *total = &store->unit_totals[i];
        if (total->unit == unit && total->reason == reason)
            cycles = (cycles < 0 ? 0 : cycles) + (int64_t)total->cycles;
    }
    return cycles;
}

uint32_t diff_side_stream(const struct store *store)
{
    uint32_t best = NONE_ID;
    int64_t idle = 0, drained = 0;
    for (uint32_t u = 0; u < store->header.unit_count; u++) {
        if (strcmp(store->header.units[u].kind, "issue") != 0)
            continue;
        const int64_t i = total_of(store, u, REASON_IDLE), d = total_of(store, u, REASON_DRAINED);
        if (best != NONE_ID && (i > idle || (i == idle && d >= drained)))
            continue;
        best = u;
        idle = i;
        drained = d;
    }
    return best;
}

static void read_names(struct diff_reader *r)
{
    struct diff_side *side = r->side;
    const struct store *store = r->store;
    const struct sink_header *h = &store->header;
    side->machine = name_of(r, h->machine);
    side->state = *store->state ? name_of(r, store->state) : NONE_ID;
    side->cycles = store->complete ? store->summary.cycles : 0;
    r->units = room_for(r, h->unit_count, sizeof *r->units);
    for (size_t i = 0; r->status == 0 && i < h->unit_count; i++)
        r->units[r->unit_count++] = name_of(r, h->units[i].name);
    if (h->reason_count > DIFF_REASONS)
        r->status = 1;
    for (size_t i = 0; r->status == 0 && i < h->reason_count; i++) {
        r->reasons[i] = name_of(r, h->reasons[i].name);
        r->waits[i] = h->reasons[i].state == STATE_WAITING;
    }
    r->unit = diff_side_stream(store);
    side->stream = r->unit >= r->unit_count ? NONE_ID : r->units[r->unit];
}

/* --- what each statement spent ---------------------------------------------------------------- */

static void add_spent(struct diff_reader *r, struct diff_spent spent)
{
    if (diff_reader_room(r, &r->spent, r->spent_count, &r->spent_capacity, sizeof *r->spent))
        r->spent[r->spent_count++] = spent;
}

static void keep_runs(struct diff_reader *r, const struct diff_unit *unit)
{
    struct diff_side *side = r->side;
    side->runs = malloc((unit->run_count + 1) * sizeof *side->runs);
    if (!side->runs) {
        r->status = -1;
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
    const size_t low = search_rows(equals, all, sizeof key, &key, by_text);
    size_t high = low;
    while (high < all && equals[high].text == text)
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
 * text, each of as many cycles, each statement gets its own; but not if busy
 * cycles show that they have separate totals. */
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

static bool issues(const struct store *store, uint32_t unit)
{
    return strcmp(store->header.units[unit].kind, "issue") == 0;
}

/* Without intervals: totals of statements. */
static void read_totals(struct diff_reader *r)
{
    struct diff_side *side = r->side;
    size_t rows = 0, count = 0;
    struct sink_stmt_total *costs = costs_rows(r->store->summary.costs, &rows);
    struct total *totals = room_for(r, rows, sizeof *totals);
    struct equal *equals = room_for(r, side->stmt_count, sizeof *equals);
    r->totals = side->ordered = true;
    if (!costs)
        r->status = -1;
    for (size_t i = 0; r->status == 0 && i < side->stmt_count; i++)
        equals[i] = (struct equal){side->stmts[i].text, (uint32_t)i, false};
    for (size_t i = 0; r->status == 0 && i < rows; i++) {
        const struct sink_stmt_total *cost = &costs[i];
        if (cost->stmt >= side->stmt_count)
            continue;
        if (cost->unit == r->unit)
            totals[count++] = (struct total){side->stmts[cost->stmt].text,
                                             {cost->stmt, cost->reason, cost->cycles, cost->execs}};
        if (cost->reason == REASON_BUSY && issues(r->store, cost->unit))
            equals[cost->stmt].busy = true;
    }
    free(costs);
    if (r->status == 0 && side->stmt_count)
        qsort(equals, side->stmt_count, sizeof *equals, by_text);
    if (r->status == 0 && count)
        qsort(totals, count, sizeof *totals, by_total);
    for (size_t i = 0, end; r->status == 0 && i < count; i = end) {
        for (end = i + 1; end < count && totals[end].text == totals[i].text &&
                          totals[end].spent.reason == totals[i].spent.reason;)
            end++;
        share(r, &totals[i], end - i, equals);
    }
    free(equals);
    free(totals);
    if (r->spent_count)
        qsort(r->spent, r->spent_count, sizeof *r->spent, in_order);
    side->runs = room_for(r, r->spent_count, sizeof *side->runs);
    for (size_t i = 0; side->runs && i < r->spent_count; i++)
        side->runs[side->run_count++] =
            (struct diff_run){r->spent[i].stmt, r->reasons[r->spent[i].reason], r->spent[i].cycles};
    side->all = true;
}

int diff_side_read(struct diff_side *side, const struct store *store,
                   const struct diff_stream *stream, struct strings *strings)
{
    struct diff_reader r = {.side = side, .store = store, .strings = strings};
    *side = (struct diff_side){.machine = NONE_ID, .stream = NONE_ID, .state = NONE_ID};
    for (size_t i = 0; i < DIFF_REASONS; i++)
        r.reasons[i] = NONE_ID;
    read_program(&r);
    read_names(&r);
    if (r.status == 0 && r.unit != NONE_ID) {
        if (stream && r.unit < stream->unit_count)
            keep_runs(&r, &stream->units[r.unit]);
        else
            read_totals(&r);
    }
    if (r.status == 0)
        diff_charge(&r);
    free(r.units);
    free(r.moved);
    free(r.holds);
    free(r.spent);
    return r.status;
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
