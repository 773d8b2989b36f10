/* recorder_finish: the summary of a run becomes rows. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "functional/big_memory.h"
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
    if (stmt >= r->told.stmt_count) {
        return recorder_fail(r, "a cost of no statement");
    }
    recorder_need_stmt(r, stmt);
    r->shape[stmt] = shape;
    return 0;
}

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
    uint32_t *ids = malloc((s->shared_count + 1) * sizeof *ids);
    if (!ids) {
        return recorder_fail(r, "out of memory");
    }
    int status = 0;
    for (size_t i = 0; status == 0 && i < s->shared_count; i++) {
        status = shape_of(r, s->costs + s->shared[i].first, s->shared[i].count, cost, shapes,
                          &ids[i]);
    }
    for (size_t i = 0; status == 0 && i < s->stmt_cost_count; i++) {
        status = add_stmt_cost(r, s->stmt_costs[i].stmt, ids[s->stmt_costs[i].cost]);
    }
    free(ids);
    return status;
}

static int write_costs(struct recorder *r, struct out *cost, const struct sink_summary *s)
{
    r->shape = big_memory_new((r->told.stmt_count + 1) * sizeof *r->shape);
    if (!r->shape) {
        return recorder_fail(r, "out of memory");
    }
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

/* Those that write_costs found. */
static int write_stmt_costs(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    (void)s;
    for (size_t i = 0; i < r->told.stmt_count; i++) {
        if (r->shape[i]) {
            seal_add(r, SEAL_stmt_cost, i + 3 * (uint64_t)r->shape[i]);
            const int64_t row[] = {(int64_t)i, r->shape[i]};
            if (out_row(out, row)) {
                return -1;
            }
        }
    }
    return 0;
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

static int write_deps(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    (void)s;
    /* The answer about the whole run names the longest waits; a lean trace holds no more. */
    if (r->lean ? deps_keep_longest(&r->deps, LEAN_DEPS) : deps_settle(&r->deps)) {
        return recorder_fail(r, "out of memory");
    }
    for (size_t i = 0; i < r->deps.count; i++) {
        const struct dep *d = &r->deps.rows[i];
        recorder_need_stmt(r, d->src);
        recorder_need_stmt(r, d->dst);
        seal_add(r, SEAL_dep,
                 d->times + 3 * d->waited + 5 * d->min_slack + 7 * d->first_released +
                     11 * d->first_at + 13 * d->last_released + 17 * d->last_at + 19 * d->tight);
        const int64_t row[] = {(int64_t)d->order,
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
        recorder_need_stmt(r, slack->first_stmt);
        recorder_need_stmt(r, slack->last_stmt);
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
        recorder_need_stmt(r, c->first_stmt);
        recorder_need_stmt(r, c->last_stmt);
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

enum {
    UNIT_TOTAL_COLUMNS = 6,
    COST_COLUMNS = 7,
    STMT_COST_COLUMNS = 2,
    SLACK_COLUMNS = 3,
    CRIT_COLUMNS = 6,
    DEP_COLUMNS = 14,
    MIP_COLUMNS = 3
};

typedef int write_rows(struct recorder *r, struct out *out, const struct sink_summary *s);

static int write_table(struct recorder *r, const char *table, unsigned columns, bool keyed,
                       write_rows *rows, const struct sink_summary *s)
{
    struct out out;
    const int status = out_open(&out, r, table, columns, keyed) ? -1 : rows(r, &out, s);
    return out_close(&out) ? -1 : status;
}

/* --- long tables of a file, as pages -------------------------------------------------------------- */

/* Of the tables that may be long. */
static int make_indexes(struct recorder *r)
{
    return recorder_exec(r, "CREATE INDEX dep_dst ON dep (dst);"
                            "CREATE INDEX transfer_stmt ON transfer (stmt);"
                            "CREATE INDEX mip_unit ON mip (unit, idx)");
}

/* Tables and indexes that are written as pages, in this order. */
#define PAGED(ROW)                                                                                 \
    ROW(unit_total) ROW(cost) ROW(stmt_cost) ROW(slack_range) ROW(crit) ROW(transfer) ROW(warning) ROW(dep)       \
    ROW(mip) ROW(source) ROW(stmt)                                                                 \
    ROW(transfer_stmt) ROW(dep_dst) ROW(mip_unit)
enum paged {
#define ROW(name) PAGED_##name,
    PAGED(ROW)
#undef ROW
        PAGED_COUNT
};
static const char *const paged_names[] = {
#define ROW(name) #name,
    PAGED(ROW)
#undef ROW
};

static int find_roots(struct recorder *r, uint32_t roots[PAGED_COUNT])
{
    sqlite3_stmt *s = recorder_prepare(r, "SELECT rootpage FROM sqlite_schema WHERE name = ?");
    for (unsigned i = 0; s && i < PAGED_COUNT; i++) {
        sqlite3_bind_text(s, 1, paged_names[i], -1, SQLITE_STATIC);
        roots[i] = sqlite3_step(s) == SQLITE_ROW ? (uint32_t)sqlite3_column_int64(s, 0) : 0;
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
    return s ? 0 : -1;
}

/* Entries of an index: some columns of rows that are numbered from 1. */
struct entries {
    int64_t *values;
    size_t count;
    unsigned columns;
};

static int by_two(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

static int by_three(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : by_two(x + 1, y + 1);
}

static void write_index(struct pages *pages, uint32_t root, struct entries *e)
{
    int (*const compare)(const void *, const void *) = e->columns == 2 ? by_two : by_three;
    bool sorted = true;
    for (size_t i = 1; i < e->count && sorted; i++) {
        sorted = compare(e->values + (i - 1) * e->columns, e->values + i * e->columns) < 0;
    }
    if (!sorted) {
        qsort(e->values, e->count, e->columns * sizeof *e->values, compare);
    }
    index_write(pages, root, e->values, e->count, e->columns);
}

static int write_indexes(struct recorder *r, struct pages *pages,
                         const uint32_t roots[PAGED_COUNT], const struct sink_summary *s)
{
    size_t most = s->window_count > r->deps.count ? s->window_count : r->deps.count;
    most = most > r->transfers.count ? most : r->transfers.count;
    struct entries e = {.values = malloc((3 * most + 1) * sizeof *e.values), .columns = 2};
    if (!e.values) {
        return recorder_fail(r, "out of memory");
    }
    for (size_t i = 0; i < r->transfers.count; i++) {
        const int64_t *row = r->transfers.values + i * r->transfers.columns;
        memcpy(e.values + 2 * e.count++, (const int64_t[]){row[1], row[0]}, 2 * sizeof *row);
    }
    write_index(pages, roots[PAGED_transfer_stmt], &e);
    e.count = 0;
    for (size_t i = 0; i < r->deps.count; i++) {
        const int64_t row[] = {r->deps.rows[i].dst, (int64_t)r->deps.rows[i].order};
        memcpy(e.values + 2 * e.count++, row, sizeof row);
    }
    write_index(pages, roots[PAGED_dep_dst], &e);
    e.count = 0;
    e.columns = 3;
    for (size_t i = 0; i < s->window_count; i++) {
        if (s->windows[i].busy) {
            const int64_t row[] = {s->windows[i].unit, (int64_t)s->windows[i].index,
                                   (int64_t)e.count + 1};
            memcpy(e.values + 3 * e.count++, row, sizeof row);
        }
    }
    write_index(pages, roots[PAGED_mip_unit], &e);
    free(e.values);
    return 0;
}

static int write_tree(struct recorder *r, struct pages *pages, uint32_t root, unsigned columns,
                      bool keyed, write_rows *rows, const struct sink_summary *s)
{
    struct tree tree;
    tree_begin(&tree, pages, root);
    struct out out = {.recorder = r, .tree = &tree, .columns = columns, .keyed = keyed};
    const int status = rows(r, &out, s);
    tree_end(&tree);
    return status;
}

static int write_transfers(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    (void)s;
    return rows_write(&r->transfers, out);
}

static int write_warnings(struct recorder *r, struct out *out, const struct sink_summary *s)
{
    (void)s;
    return rows_write(&r->warnings, out);
}


static int fill_pages(struct recorder *r, struct pages *pages, const uint32_t roots[PAGED_COUNT],
                      const struct sink_summary *s)
{
    /* The text is mostly the longest: the system can write it to the disk meanwhile. */
    struct tree source, stmt;
    tree_begin(&source, pages, roots[PAGED_source]);
    tree_begin(&stmt, pages, roots[PAGED_stmt]);
    int status = recorder_write_source(r, &source) ||
                         write_tree(r, pages, roots[PAGED_unit_total], UNIT_TOTAL_COLUMNS, false,
                            write_unit_totals, s) ||
                         write_tree(r, pages, roots[PAGED_cost], COST_COLUMNS, false, write_costs,
                                    s) ||
                         write_tree(r, pages, roots[PAGED_stmt_cost], STMT_COST_COLUMNS, true,
                                    write_stmt_costs, s) ||
                         write_tree(r, pages, roots[PAGED_slack_range], SLACK_COLUMNS, true,
                                    write_slack, s) ||
                         write_tree(r, pages, roots[PAGED_crit], CRIT_COLUMNS, true, write_crit,
                                    s) ||
                         write_tree(r, pages, roots[PAGED_transfer], r->transfers.columns, true,
                            write_transfers, s) ||
                         write_tree(r, pages, roots[PAGED_warning], r->warnings.columns, false,
                                    write_warnings, s) ||
                         write_tree(r, pages, roots[PAGED_dep], DEP_COLUMNS, true, write_deps, s) ||
                         write_tree(r, pages, roots[PAGED_mip], MIP_COLUMNS, false, write_mip, s)
                     ? -1
                     : 0;
    /* Last: now it is known which statements are referred to. */
    if (status == 0) {
        status = recorder_write_stmts(r, &source, &stmt);
    }
    tree_end(&source);
    tree_end(&stmt);
    return status == 0 ? write_indexes(r, pages, roots, s) : -1;
}

/* The connection makes room for the pages and comes back. */
static int write_pages(struct recorder *r, const struct sink_summary *s)
{
    uint32_t roots[PAGED_COUNT];
    if (make_indexes(r) || find_roots(r, roots) || recorder_exec(r, "COMMIT")) {
        return -1;
    }
    recorder_disconnect(r);
    struct pages pages;
    int status = pages_open(&pages, r->work.lock, r->work.path);
    if (status == 0) {
        status = fill_pages(r, &pages, roots, s);
    }
    if (pages_close(&pages, status == 0)) {
        recorder_fail(r, strerror(pages.error));
        status = -1;
    }
    const bool failed = r->failed;
    r->failed = false;
    if (recorder_connect(r) || recorder_exec(r, "BEGIN") ||
        !(r->insert_string = recorder_prepare(r, "INSERT INTO string VALUES (?, ?)"))) {
        status = -1;
    }
    r->failed |= failed;
    return status;
}

/* --- all ------------------------------------------------------------------------------------------ */

static int write_tables(struct recorder *r, const struct sink_summary *s)
{
    if (write_table(r, "unit_total", UNIT_TOTAL_COLUMNS, false, write_unit_totals, s) ||
        write_table(r, "dep", DEP_COLUMNS, true, write_deps, s)) {
        return -1;
    }
    /* A lean trace has no statements to hang these on. */
    if (!r->lean &&
        (write_table(r, "cost", COST_COLUMNS, false, write_costs, s) ||
         write_table(r, "stmt_cost", STMT_COST_COLUMNS, true, write_stmt_costs, s) ||
         write_table(r, "slack_range", SLACK_COLUMNS, true, write_slack, s) ||
         write_table(r, "crit", CRIT_COLUMNS, true, write_crit, s) ||
         write_table(r, "mip", MIP_COLUMNS, false, write_mip, s))) {
        return -1;
    }
    if (r->lean) {
        /* Live tables have a row of each for every statement. */
        r->seals[SEAL_stmt].rows = r->seals[SEAL_source].rows = r->told.stmt_count;
    }
    return recorder_write_rows(r);
}

int recorder_summary(struct recorder *r, const struct sink_summary *s)
{
    /* Of a file the pages come first, all of them or none: what is checked against each other stands in
     * them, and what says how far the run came follows. */
    if ((r->file ? write_pages(r, s) : write_tables(r, s)) ||
        write_table(r, "nop_tag", 2, true, write_nop_tags, s) || write_bounds(r, s) ||
        write_facts(r, s) ||
        (r->lazy && r->told.program_hash && recorder_program_hash(r, r->ahead.hash)) || write_seals(r)) {
        return -1;
    }
    /* The last thing said. Whoever asks this connection hears it; a file holds it from recorder_close
     * on. */
    return recorder_flush(r) || (s->complete && recorder_say(r, true)) ? -1 : 0;
}
