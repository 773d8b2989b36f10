/* recorder_finish: the summary of a run becomes rows. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/recorder_state.h"

/* --- costs: statements that cost the same share their lines ----------------------------------- */

struct shape_entry {
    const struct sink_stmt_total *lines;
    size_t count;
    uint32_t id; /* 0: empty slot */
    uint64_t hash;
};

static int by_stmt(const void *a, const void *b)
{
    const struct sink_stmt_total *x = a, *y = b;
    if (x->stmt != y->stmt) {
        return x->stmt < y->stmt ? -1 : 1;
    }
    if (x->unit != y->unit) {
        return x->unit < y->unit ? -1 : 1;
    }
    return x->reason == y->reason ? 0 : x->reason < y->reason ? -1 : 1;
}

static uint64_t hash_lines(const struct sink_stmt_total *t, size_t count)
{
    uint64_t h = DICTIONARY_SEED;
    for (size_t i = 0; i < count; i++) {
        const uint64_t values[] = {(uint64_t)t[i].unit << 32 | (uint64_t)t[i].reason, t[i].cycles,
                                   t[i].execs, t[i].ops, t[i].bytes};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            h = (h ^ values[k]) * 0x9e3779b97f4a7c15u;
            h ^= h >> 32;
        }
    }
    return h;
}

static bool same_lines(const struct sink_stmt_total *a, const struct sink_stmt_total *b,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i].unit != b[i].unit || a[i].reason != b[i].reason || a[i].cycles != b[i].cycles ||
            a[i].execs != b[i].execs || a[i].ops != b[i].ops || a[i].bytes != b[i].bytes) {
            return false;
        }
    }
    return true;
}

struct shapes {
    struct shape_entry *slots;
    size_t slot_count, count;
};

static bool grow_shapes(struct shapes *s)
{
    if (s->count * 2 < s->slot_count) {
        return true;
    }
    const size_t slot_count = s->slot_count ? s->slot_count * 2 : 256;
    struct shape_entry *slots = calloc(slot_count, sizeof *slots);
    if (!slots) {
        return false;
    }
    for (size_t i = 0; i < s->slot_count; i++) {
        if (s->slots[i].id) {
            size_t at = s->slots[i].hash & (slot_count - 1);
            while (slots[at].id) {
                at = (at + 1) & (slot_count - 1);
            }
            slots[at] = s->slots[i];
        }
    }
    free(s->slots);
    s->slots = slots;
    s->slot_count = slot_count;
    return true;
}

static int write_cost_lines(struct recorder *r, struct out *cost, uint32_t shape,
                            const struct sink_stmt_total *t, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        seal_add(r, SEAL_cost, t[i].cycles + 3 * t[i].execs + 5 * t[i].ops + 7 * t[i].bytes);
        const int64_t row[] = {shape,
                               t[i].unit,
                               t[i].reason,
                               (int64_t)t[i].cycles,
                               (int64_t)t[i].execs,
                               (int64_t)t[i].ops,
                               (int64_t)t[i].bytes};
        if (out_row(cost, row)) {
            return -1;
        }
    }
    return 0;
}

/* The shape with these lines, written if it is new. */
static int shape_of(struct recorder *r, const struct sink_stmt_total *lines, size_t count,
                    struct out *cost, struct shapes *shapes, uint32_t *id)
{
    if (!grow_shapes(shapes)) {
        return recorder_fail(r, "out of memory");
    }
    const uint64_t hash = hash_lines(lines, count);
    size_t at = hash & (shapes->slot_count - 1);
    struct shape_entry *entry = &shapes->slots[at];
    while (entry->id && (entry->hash != hash || entry->count != count ||
                         !same_lines(entry->lines, lines, count))) {
        at = (at + 1) & (shapes->slot_count - 1);
        entry = &shapes->slots[at];
    }
    *id = entry->id;
    if (entry->id) {
        return 0;
    }
    *entry = (struct shape_entry){
        .lines = lines, .count = count, .id = *id = (uint32_t)++shapes->count, .hash = hash};
    return write_cost_lines(r, cost, *id, lines, count);
}

static int add_stmt_cost(struct recorder *r, uint32_t stmt, uint32_t shape)
{
    if (r->cost_count == r->cost_capacity) {
        const size_t capacity = r->cost_capacity ? r->cost_capacity * 2 : 256;
        struct stmt_cost *costs = realloc(r->costs, capacity * sizeof *costs);
        if (!costs) {
            return recorder_fail(r, "out of memory");
        }
        r->costs = costs;
        r->cost_capacity = capacity;
    }
    r->costs[r->cost_count++] = (struct stmt_cost){stmt, shape};
    return 0;
}

/* Those of one statement follow each other. */
static int write_shapes(struct recorder *r, const struct sink_stmt_total *totals, size_t count,
                        struct out *cost, struct shapes *shapes)
{
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && totals[end].stmt == totals[i].stmt) {
            end++;
        }
        uint32_t shape;
        if (shape_of(r, totals + i, end - i, cost, shapes, &shape) ||
            add_stmt_cost(r, totals[i].stmt, shape)) {
            return -1;
        }
        i = end;
    }
    return 0;
}

/* Those that the model found alike have been told once. */
static int write_shared(struct recorder *r, const struct sink_summary *s, struct out *cost,
                        struct shapes *shapes)
{
    r->shared_shapes = malloc((s->shared_count + 1) * sizeof *r->shared_shapes);
    if (!r->shared_shapes) {
        return recorder_fail(r, "out of memory");
    }
    int status = 0;
    for (size_t i = 0; status == 0 && i < s->shared_count; i++) {
        status = shape_of(r, s->costs + s->shared[i].first, s->shared[i].count, cost, shapes,
                          &r->shared_shapes[i]);
    }
    return status;
}

static int write_costs(struct recorder *r, struct out *cost, const struct sink_summary *s)
{
    const struct sink_stmt_total *totals = s->stmt_totals;
    struct sink_stmt_total *sorted = NULL;
    for (size_t i = 1; i < s->stmt_total_count; i++) {
        if (by_stmt(&totals[i - 1], &totals[i]) > 0) {
            sorted = malloc(s->stmt_total_count * sizeof *sorted);
            if (!sorted) {
                return recorder_fail(r, "out of memory");
            }
            memcpy(sorted, totals, s->stmt_total_count * sizeof *sorted);
            qsort(sorted, s->stmt_total_count, sizeof *sorted, by_stmt);
            totals = sorted;
            break;
        }
    }
    struct shapes shapes = {0};
    const int status = write_shared(r, s, cost, &shapes) ||
                               write_shapes(r, totals, s->stmt_total_count, cost, &shapes)
                           ? -1
                           : 0;
    free(shapes.slots);
    free(sorted);
    return status;
}

static int by_first(const void *a, const void *b)
{
    const struct sink_cost_range *x = a, *y = b;
    return (x->first_stmt > y->first_stmt) - (x->first_stmt < y->first_stmt);
}

static int write_range(struct recorder *r, struct out *out, const struct sink_cost_range *range)
{
    seal_add(r, SEAL_cost_range,
             (uint64_t)range->first_stmt + 3 * (uint64_t)range->last_stmt + 5 * (uint64_t)range->cost);
    return out_row(out, (const int64_t[]){range->first_stmt, range->last_stmt, range->cost});
}

/* What write_costs found: those with a cost of their own and those that share one, by statement. Neighbours with
 * the same lines become one row. */
static int merge_costs(struct recorder *r, struct out *out, const struct sink_cost_range *shared,
                       size_t shared_count)
{
    struct sink_cost_range row = {1, 0, 0}; /* none yet */
    for (size_t own = 0, other = 0; own < r->cost_count || other < shared_count;) {
        const bool mine = other == shared_count ||
                          (own < r->cost_count && r->costs[own].stmt < shared[other].first_stmt);
        struct sink_cost_range next;
        if (mine) {
            const struct stmt_cost *cost = &r->costs[own++];
            next = (struct sink_cost_range){cost->stmt, cost->stmt, cost->shape};
        } else {
            next = shared[other++];
            next.cost = r->shared_shapes[next.cost];
        }
        const bool first = row.first_stmt > row.last_stmt;
        if (next.last_stmt >= r->told.stmt_count || next.first_stmt > next.last_stmt) {
            return recorder_fail(r, "a cost of no statement");
        }
        if (!first && next.first_stmt <= row.last_stmt) {
            return recorder_fail(r, "a statement has two costs");
        }
        if (!first && next.first_stmt == row.last_stmt + 1 && next.cost == row.cost) {
            row.last_stmt = next.last_stmt;
            continue;
        }
        if (!first && write_range(r, out, &row)) {
            return -1;
        }
        row = next;
    }
    return row.first_stmt > row.last_stmt ? 0 : write_range(r, out, &row);
}

static int write_ranges(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    const size_t bytes = s->cost_range_count * sizeof *s->cost_ranges;
    struct sink_cost_range *sorted = NULL;
    for (size_t i = 1; i < s->cost_range_count && !sorted; i++) {
        if (s->cost_ranges[i - 1].first_stmt > s->cost_ranges[i].first_stmt) {
            sorted = malloc(bytes);
            if (!sorted) {
                return recorder_fail(r, "out of memory");
            }
            memcpy(sorted, s->cost_ranges, bytes);
            qsort(sorted, s->cost_range_count, sizeof *sorted, by_first);
        }
    }
    const int status = merge_costs(r, out, sorted ? sorted : s->cost_ranges, s->cost_range_count);
    free(sorted);
    return status;
}

/* --- the other tables ------------------------------------------------------------------------- */

static int write_unit_totals(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    for (size_t i = 0; i < s->unit_total_count; i++) {
        const struct sink_unit_total *t = &s->unit_totals[i];
        const int state = t->reason == REASON_BUSY                                  ? 0
                          : t->reason == REASON_IDLE || t->reason == REASON_DRAINED ? 2
                                                                                    : 1;
        if (t->cycles == 0 && t->events == 0) {
            continue;
        }
        seal_add(r, SEAL_unit_total, t->cycles + 3 * t->events);
        const int64_t row[] = {t->unit,   t->region,          state,
                               t->reason, (int64_t)t->cycles, (int64_t)t->events};
        if (out_row(out, row)) {
            return -1;
        }
    }
    return 0;
}

void recorder_dep_row(struct recorder *r, const struct deps *deps, size_t i, int64_t row[DEP_FIELDS])
{
    const struct dep *d = &deps->rows[i];
    const uint64_t before = deps == &r->moved ? r->deps.count : 0;
    seal_add(r, SEAL_dep,
             d->times + 3 * d->waited + 5 * d->min_slack + 7 * d->first_released +
                 11 * d->first_at + 13 * d->last_released + 17 * d->last_at + 19 * d->tight);
    const int64_t values[DEP_FIELDS] = {(int64_t)(before + d->order),
                                        id_or_null(d->src),
                                        d->dst,
                                        d->kind,
                                        id_or_null(d->unit),
                                        id_or_null(d->rule),
                                        (int64_t)d->times,
                                        (int64_t)d->waited,
                                        (int64_t)d->tight,
                                        (int64_t)d->min_slack,
                                        (int64_t)d->first_released,
                                        (int64_t)d->first_at,
                                        (int64_t)d->last_released,
                                        (int64_t)d->last_at};
    memcpy(row, values, sizeof values);
}

static int write_deps(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    (void)s;
    for (size_t i = 0; i < r->deps.count; i++) {
        int64_t row[DEP_FIELDS];
        recorder_dep_row(r, &r->deps, i, row);
        if (out_row(out, row)) {
            return -1;
        }
    }
    return 0;
}

static int write_slack(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    for (size_t i = 0; i < s->slack_count; i++) {
        const struct sink_slack *slack = &s->slack[i];
        seal_add(r, SEAL_slack_range,
                 (uint64_t)slack->slack + 3 * (uint64_t)slack->first_stmt +
                     5 * (uint64_t)slack->last_stmt);
        const int64_t row[] = {slack->first_stmt, slack->last_stmt, slack->slack};
        if (out_row(out, row)) {
            return -1;
        }
    }
    return 0;
}

static int write_crit(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    for (size_t i = 0; i < s->crit_count; i++) {
        const struct sink_crit *c = &s->crit[i];
        if (c->duration == 0) {
            continue;
        }
        seal_add(r, SEAL_crit, c->start + 3 * c->duration);
        const int64_t row[] = {(int64_t)c->start,         (int64_t)c->duration,
                               id_or_null(c->first_stmt), id_or_null(c->last_stmt),
                               id_or_null(c->unit),       c->reason};
        if (out_row(out, row)) {
            return -1;
        }
    }
    return 0;
}

static int write_mip(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    for (size_t i = 0; i < s->window_count; i++) {
        const struct sink_window *w = &s->windows[i];
        if (w->busy == 0) {
            continue;
        }
        seal_add(r, SEAL_mip, w->busy + 3 * w->index);
        const int64_t row[] = {w->unit, (int64_t)w->index, (int64_t)w->busy};
        if (out_row(out, row)) {
            return -1;
        }
    }
    return 0;
}

static int write_nop_tags(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    for (size_t i = 0; i < sizeof s->nops_tag / sizeof *s->nops_tag; i++) {
        if (s->nops_tag[i]) {
            seal_add(r, SEAL_nop_tag, s->nops_tag[i]);
            const int64_t row[] = {(int64_t)i, (int64_t)s->nops_tag[i]};
            if (out_row(out, row)) {
                return -1;
            }
        }
    }
    return 0;
}

static int write_bounds(struct recorder *r, const struct sink_summary *s)
{
    sqlite3_stmt *insert = NULL;
    int rc = sqlite3_prepare_v2(r->db, "INSERT INTO bound VALUES (?, ?, ?, ?)", -1, &insert, NULL);
    for (size_t i = 0; i < s->bound_count && rc == SQLITE_OK; i++) {
        const struct sink_bound *b = &s->bounds[i];
        seal_add(r, SEAL_bound, b->cycles);
        sqlite3_bind_text(insert, 1, b->name, -1, SQLITE_STATIC);
        if (b->unit == NONE_ID) {
            sqlite3_bind_null(insert, 2);
        } else {
            sqlite3_bind_int64(insert, 2, b->unit);
        }
        sqlite3_bind_int64(insert, 3, (int64_t)b->cycles);
        sqlite3_bind_text(insert, 4, b->proof ? b->proof : "", -1, SQLITE_STATIC);
        const int step = sqlite3_step(insert);
        sqlite3_reset(insert);
        rc = step == SQLITE_DONE ? SQLITE_OK : step;
    }
    sqlite3_finalize(insert);
    return recorder_sql(r, rc);
}

static int write_seals(struct recorder *r)
{
    static const char *const names[] = {
#define TABLE(name) #name,
        SEAL_TABLES(TABLE)
#undef TABLE
    };
    sqlite3_stmt *insert = NULL;
    int rc = sqlite3_prepare_v2(r->db, "INSERT INTO seal VALUES (?, ?, ?)", -1, &insert, NULL);
    for (size_t i = 0; i < SEAL_COUNT && rc == SQLITE_OK; i++) {
        sqlite3_bind_text(insert, 1, names[i], -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, (int64_t)r->seals[i].rows);
        sqlite3_bind_int64(insert, 3, (int64_t)r->seals[i].sum);
        const int step = sqlite3_step(insert);
        sqlite3_reset(insert);
        rc = step == SQLITE_DONE ? SQLITE_OK : step;
    }
    sqlite3_finalize(insert);
    return recorder_sql(r, rc);
}

static int write_facts(struct recorder *r, const struct sink_summary *s)
{
    const struct {
        const char *key;
        uint64_t value;
    } facts[] = {
        {"cycles_reached", s->cycles},
        {"steps", s->steps},
        {"pe_statements", s->pe_statements},
        {"mv_statements", s->mv_statements},
        {"nops_written", s->nops_written},
        {"nops_packing", s->nops_packing},
        {"nops_wait", s->nops_wait},
        {"nops_empty", s->nops_empty},
        {"flops_double", s->flops[0]},
        {"flops_single", s->flops[1]},
        {"flops_pseudo_single", s->flops[2]},
        {"flops_half", s->flops[3]},
        {"window", s->window},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        if (recorder_meta_integer(r, facts[i].key, facts[i].value)) {
            return -1;
        }
    }
    if (r->left_out && recorder_meta_integer(r, "warnings_left_out", r->left_out)) {
        return -1;
    }
    /* Arbitration may make the more optimistic machine slower: then nothing rests on assumptions.
     */
    const bool known = s->cycles_documented && s->cycles_documented <= s->cycles;
    if (s->complete &&
        (recorder_meta_integer(r, "cycles_documented", s->cycles_documented) ||
         recorder_meta_integer(r, "cycles_assumed", known ? s->cycles_assumed : 0))) {
        return -1;
    }
    return 0;
}

/* Those of a file have trees of their own. */
static int write_transfers(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    (void)s;
    return r->file ? 0 : rows_write(&r->transfers, r->transfers.count, out);
}

static int write_warnings(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    (void)s;
    return r->file ? 0 : rows_write(&r->warnings, r->warnings.count, out);
}

/* --- all
 * ------------------------------------------------------------------------------------------ */

const struct recorder_table recorder_tables[RECORDER_TABLES] = {
    [TABLE_UNIT_TOTAL] = {"unit_total", 6, false, write_unit_totals},
    [TABLE_COST] = {"cost", 7, false, write_costs},
    [TABLE_COST_RANGE] = {"cost_range", 3, true, write_ranges},
    [TABLE_SLACK_RANGE] = {"slack_range", 3, true, write_slack},
    [TABLE_CRIT] = {"crit", 6, true, write_crit},
    [TABLE_TRANSFER] = {"transfer", TRANSFER_FIELDS, true, write_transfers},
    [TABLE_WARNING] = {"warning", WARNING_FIELDS, false, write_warnings},
    [TABLE_DEP] = {"dep", DEP_FIELDS, false, write_deps},
    [TABLE_MIP] = {"mip", 3, false, write_mip},
    [TABLE_NOP_TAG] = {"nop_tag", 2, true, write_nop_tags},
};

void recorder_need_stmts(struct recorder *r, const struct sink_summary *s)
{
    if (!r->lazy) {
        return;
    }
    for (size_t i = 0; r->ahead->likely && i <= r->told.stmt_count / 8; i++) {
        r->stmt_seen[i] |= r->ahead->likely[i];
    }
    for (size_t i = 0; i < s->stmt_total_count; i++) {
        recorder_need_stmt(r, s->stmt_totals[i].stmt);
    }
    for (size_t i = 0; i < s->cost_range_count; i++) {
        const struct sink_cost_range *range = &s->cost_ranges[i];
        /* Those beyond the last one are told when the ranges are written. */
        for (uint64_t stmt = range->first_stmt;
             stmt <= range->last_stmt && stmt < r->told.stmt_count; stmt++) {
            recorder_need_stmt(r, (uint32_t)stmt);
        }
    }
    for (size_t i = 0; i < s->slack_count; i++) {
        recorder_need_stmt(r, s->slack[i].first_stmt);
        recorder_need_stmt(r, s->slack[i].last_stmt);
    }
    for (size_t i = 0; i < s->crit_count; i++) {
        if (s->crit[i].duration) {
            recorder_need_stmt(r, s->crit[i].first_stmt);
            recorder_need_stmt(r, s->crit[i].last_stmt);
        }
    }
    const struct deps *const all[] = {&r->deps, &r->moved};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        for (size_t i = 0; i < all[k]->count; i++) {
            recorder_need_stmt(r, all[k]->rows[i].src);
            recorder_need_stmt(r, all[k]->rows[i].dst);
        }
    }
}

static int write_table(struct recorder *r, const struct recorder_table *table,
                       const struct sink_summary *s)
{
    struct out out;
    const int status =
        out_open(&out, r, table->name, table->columns, table->keyed) ? -1 : table->rows(r, &out, s);
    return out_close(&out) ? -1 : status;
}

static int write_tables(struct recorder *r, const struct sink_summary *s)
{
    /* The answer about the whole run names the longest waits; a lean trace holds no more. */
    if (r->lean ? deps_keep_longest(&r->deps, LEAN_DEPS) : deps_settle(&r->deps)) {
        return recorder_fail(r, "out of memory");
    }
    for (size_t i = 0; i < RECORDER_TABLES; i++) {
        const struct recorder_table *table = &recorder_tables[i];
        /* A lean trace has no statements to hang costs on, and its own rows of what was gathered.
         */
        const bool lean = table->rows == write_unit_totals || table->rows == write_deps ||
                          table->rows == write_nop_tags;
        if ((lean || !r->lean) && write_table(r, table, s)) {
            return -1;
        }
    }
    if (r->lean) {
        /* Live tables have a row of each for every statement. */
        r->seals[SEAL_stmt].rows = r->seals[SEAL_source].rows = r->told.stmt_count;
    }
    recorder_need_stmts(r, s);
    return recorder_write_rows(r);
}

int recorder_summary(struct recorder *r, const struct sink_summary *s)
{
    /* Of a file the pages come first, all of them or none: what is checked against each other
     * stands in them, and what says how far the run came follows. */
    if ((r->file ? recorder_write_pages(r, s) : write_tables(r, s)) || write_bounds(r, s) ||
        write_facts(r, s) ||
        (r->ahead && r->told.program_hash && recorder_program_hash(r, r->program_hash)) ||
        write_seals(r)) {
        return -1;
    }
    /* The last thing said. Whoever asks this connection hears it; a file holds it from
     * recorder_close on. */
    return recorder_flush(r) || (s->complete && recorder_say(r, true)) ? -1 : 0;
}
