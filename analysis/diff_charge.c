/* diff_charge: what a statement spent, split by what it waited for. */
#include "analysis/diff_reader.h"

#include <stdlib.h>

#include "host/search.h"
#include "traces/edges.h"

/* --- waits ------------------------------------------------------------------------------------ */

static int by_stmt(const void *a, const void *b)
{
    const struct diff_moved *x = a, *y = b;
    return (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

static int by_stmt_and_issue(const void *a, const void *b)
{
    const struct diff_moved *x = a, *y = b;
    return x->stmt != y->stmt ? by_stmt(a, b) : (x->issued > y->issued) - (x->issued < y->issued);
}

static const struct diff_moved *transfer_of(const struct diff_reader *r, uint32_t stmt)
{
    const struct diff_moved key = {.stmt = stmt};
    return r->moved_count ? bsearch(&key, r->moved, r->moved_count, sizeof key, by_stmt) : NULL;
}

/* id, or NONE_ID where it is not below count. */
static uint32_t below(uint32_t id, size_t count)
{
    return id < count ? id : NONE_ID;
}

/* The first transfer of each statement. */
static void read_moved(struct diff_reader *r)
{
    const struct store *store = r->store;
    for (size_t i = 0; i < store->transfer_count && r->status == 0; i++) {
        const struct sink_transfer *sent = &store->transfers[i].sink;
        if (sent->stmt < r->side->stmt_count &&
            diff_reader_room(r, &r->moved, r->moved_count, &r->moved_capacity, sizeof *r->moved))
            r->moved[r->moved_count++] = (struct diff_moved){
                sent->stmt, below(sent->limited_by, r->unit_count), sent->issued};
    }
    if (r->moved_count)
        qsort(r->moved, r->moved_count, sizeof *r->moved, by_stmt_and_issue);
    size_t kept = 0;
    for (size_t i = 0; i < r->moved_count; i++)
        if (i == 0 || r->moved[i].stmt != r->moved[i - 1].stmt)
            r->moved[kept++] = r->moved[i];
    r->moved_count = kept;
}

static int by_waited(const void *a, const void *b)
{
    const struct diff_hold *x = a, *y = b;
    return x->dst != y->dst         ? (x->dst > y->dst) - (x->dst < y->dst)
           : x->waited != y->waited ? (x->waited < y->waited) - (x->waited > y->waited)
                                    : (x->number > y->number) - (x->number < y->number);
}

static void read_holds(struct diff_reader *r)
{
    const size_t stmts = r->side->stmt_count;
    const struct deps *deps = &r->store->deps;
    read_moved(r);
    for (size_t i = 0; i < deps->count && r->status == 0; i++) {
        const struct dep *dep = &deps->rows[i];
        const int reason = edge_rows[dep->kind].reason;
        if (!dep->waited || dep->dst >= stmts ||
            !diff_reader_room(r, &r->holds, r->hold_count, &r->hold_capacity, sizeof *r->holds))
            continue;
        const struct diff_moved *moved = transfer_of(r, dep->dst);
        r->holds[r->hold_count++] =
            (struct diff_hold){.dst = dep->dst,
                               .src = below(dep->src, stmts),
                               .unit = below(dep->unit, r->unit_count),
                               .reason = reason < 0 ? NONE_ID : (uint32_t)reason,
                               .moves = moved && moved->issued < dep->first_at,
                               .waited = dep->waited,
                               .number = i};
    }
    if (r->hold_count)
        qsort(r->holds, r->hold_count, sizeof *r->holds, by_waited);
}

/* The first hold of this statement. */
static size_t holds_of(const struct diff_reader *r, uint32_t stmt)
{
    return search_u32(r->holds, r->hold_count, sizeof *r->holds, offsetof(struct diff_hold, dst),
                      stmt);
}

/* --- cells ------------------------------------------------------------------------------------ */

static void add_cell(struct diff_reader *r, struct diff_cell cell)
{
    struct diff_side *side = r->side;
    if (cell.cycles && diff_reader_room(r, &side->cells, side->cell_count, &side->cell_capacity,
                                        sizeof *side->cells))
        side->cells[side->cell_count++] = cell;
}

static uint32_t unit_name(const struct diff_reader *r, uint32_t unit)
{
    return unit == NONE_ID ? r->side->stream : r->units[unit];
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* cell: cycles that its statement waited for this transfer, to be split among what delayed the
 * transfer. */
static void charge_transfer(struct diff_reader *r, struct diff_cell cell,
                            const struct diff_moved *moved)
{
    uint64_t left = cell.cycles;
    for (size_t i = holds_of(r, moved->stmt); left && i < r->hold_count; i++) {
        const struct diff_hold *hold = &r->holds[i];
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

static void charge(struct diff_reader *r, const struct diff_spent *spent)
{
    struct diff_cell cell = {.stmt = spent->stmt,
                             .source = NONE_ID,
                             .reason = r->reasons[spent->reason],
                             .unit = r->side->stream};
    uint64_t left = spent->cycles;
    for (size_t i = r->waits[spent->reason] && spent->stmt != NONE_ID ? holds_of(r, spent->stmt)
                                                                      : r->hold_count;
         left && i < r->hold_count; i++) {
        const struct diff_hold *hold = &r->holds[i];
        if (hold->dst != spent->stmt)
            break;
        if (hold->moves || hold->reason != spent->reason)
            continue;
        const struct diff_moved *moved =
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
static void charge_rest(struct diff_reader *r)
{
    struct diff_side *side = r->side;
    uint64_t rest[DIFF_REASONS] = {0}, all = side->cycles;
    const struct store *store = r->store;
    for (size_t i = 0; i < store->unit_total_count; i++) {
        const struct sink_unit_total *total = &store->unit_totals[i];
        if (total->unit != r->unit)
            continue;
        rest[total->reason] += total->cycles;
        all -= total->cycles;
    }
    rest[REASON_IDLE] += all; /* nothing, but in a machine without a stream */
    for (size_t i = 0; i < r->spent_count; i++)
        if (r->spent[i].stmt != NONE_ID)
            rest[r->spent[i].reason] -= r->spent[i].cycles;
    struct diff_cell last = {.stmt = NONE_ID, .source = NONE_ID, .unit = side->stream};
    if (store->summary.crit_count) {
        const struct sink_crit *crit = &store->summary.crit[store->summary.crit_count - 1];
        last.stmt = below(crit->first_stmt, side->stmt_count);
        last.unit = unit_name(r, below(crit->unit, r->unit_count));
    }
    const struct diff_moved *moved = last.stmt == NONE_ID ? NULL : transfer_of(r, last.stmt);
    for (uint32_t reason = 0; reason < DIFF_REASONS; reason++) {
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

void diff_charge(struct diff_reader *r)
{
    read_holds(r);
    for (size_t i = 0; r->status == 0 && i < r->spent_count; i++)
        if (r->spent[i].stmt != NONE_ID)
            charge(r, &r->spent[i]);
    if (r->status == 0)
        charge_rest(r);
}
