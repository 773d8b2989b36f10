/* diff_charge: what a statement spent, split by who made it wait. */
#include "analysis/diff_reader.h"

#include <stdlib.h>

/* --- waits ------------------------------------------------------------------------------------ */

static int by_stmt(const void *a, const void *b)
{
    const struct diff_moved *x = a, *y = b;
    return (x->stmt > y->stmt) - (x->stmt < y->stmt);
}

static const struct diff_moved *transfer_of(const struct diff_reader *r, uint32_t stmt)
{
    const struct diff_moved key = {.stmt = stmt};
    return r->moved_count ? bsearch(&key, r->moved, r->moved_count, sizeof key, by_stmt) : NULL;
}

static void read_holds(struct diff_reader *r)
{
    const size_t stmts = r->side->stmt_count;
    sqlite3_stmt *q =
        rows_select(r->db,
                    "SELECT stmt, limited_by, min(issued) FROM transfer GROUP BY stmt "
                    "ORDER BY stmt",
                    &r->rc);
    while (rows_next(q, &r->rc) && ROOM(r, r->moved, r->moved_count, r->moved_capacity))
        r->moved[r->moved_count++] = (struct diff_moved){diff_reader_column_id(q, 0, stmts),
                                                         diff_reader_column_id(q, 1, r->unit_count),
                                                         diff_reader_column_cycles(q, 2)};
    sqlite3_finalize(q);
    q = rows_select(r->db,
                    "SELECT d.dst, d.src, d.unit, k.reason, d.waited, d.first_at FROM dep d "
                    "JOIN dep_kind k ON k.id = d.kind WHERE d.waited > 0 "
                    "ORDER BY d.dst, d.waited DESC, d.id",
                    &r->rc);
    while (rows_next(q, &r->rc) && ROOM(r, r->holds, r->hold_count, r->hold_capacity)) {
        struct diff_hold *hold = &r->holds[r->hold_count];
        *hold = (struct diff_hold){.dst = diff_reader_column_id(q, 0, stmts),
                                   .src = diff_reader_column_id(q, 1, stmts),
                                   .unit = diff_reader_column_id(q, 2, r->unit_count),
                                   .reason = diff_reader_column_id(q, 3, DIFF_REASONS),
                                   .waited = diff_reader_column_cycles(q, 4)};
        if (hold->dst == NONE_ID)
            continue;
        const struct diff_moved *moved = transfer_of(r, hold->dst);
        hold->moves = moved && moved->issued < diff_reader_column_cycles(q, 5);
        r->hold_count++;
    }
    sqlite3_finalize(q);
}

/* The first hold of this statement. */
static size_t holds_of(const struct diff_reader *r, uint32_t stmt)
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

/* --- cells ------------------------------------------------------------------------------------ */

static void add_cell(struct diff_reader *r, struct diff_cell cell)
{
    struct diff_side *side = r->side;
    if (cell.cycles && ROOM(r, side->cells, side->cell_count, side->cell_capacity))
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

/* cell: cycles that its statement stood for this transfer, on whose behalf others may be to
 * blame. */
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
    sqlite3_stmt *q =
        rows_select(r->db, "SELECT reason, cycles FROM unit_total WHERE unit = ?", &r->rc);
    if (q)
        sqlite3_bind_int64(q, 1, r->unit);
    while (rows_next(q, &r->rc)) {
        const uint32_t reason = diff_reader_column_id(q, 0, DIFF_REASONS);
        rest[reason == NONE_ID ? REASON_IDLE : reason] += diff_reader_column_cycles(q, 1);
        all -= diff_reader_column_cycles(q, 1);
    }
    sqlite3_finalize(q);
    rest[REASON_IDLE] += all; /* nothing, but in a machine without a stream */
    for (size_t i = 0; i < r->spent_count; i++)
        if (r->spent[i].stmt != NONE_ID)
            rest[r->spent[i].reason] -= r->spent[i].cycles;
    struct diff_cell last = {.stmt = NONE_ID, .source = NONE_ID, .unit = side->stream};
    q = rows_select(r->db, "SELECT first_stmt, unit FROM crit ORDER BY start DESC LIMIT 1", &r->rc);
    if (rows_next(q, &r->rc)) {
        last.stmt = diff_reader_column_id(q, 0, side->stmt_count);
        last.unit = unit_name(r, diff_reader_column_id(q, 1, r->unit_count));
    }
    sqlite3_finalize(q);
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
    for (size_t i = 0; r->rc == SQLITE_OK && i < r->spent_count; i++)
        if (r->spent[i].stmt != NONE_ID)
            charge(r, &r->spent[i]);
    if (r->rc == SQLITE_OK)
        charge_rest(r);
}
