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

static int write_cost_lines(struct recorder *r, struct bulk *cost, uint32_t shape,
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
        if (recorder_sql(r, bulk_add(cost, row))) {
            return -1;
        }
    }
    return 0;
}

/* The shape with these lines, written if it is new. */
static int shape_of(struct recorder *r, const struct sink_stmt_total *lines, size_t count,
                    struct bulk *cost, struct shapes *shapes, uint32_t *id)
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

static int add_stmt_cost(struct recorder *r, struct bulk *stmt_cost, uint32_t stmt, uint32_t shape)
{
    seal_add(r, SEAL_stmt_cost, shape);
    if (recorder_need_stmt(r, stmt)) {
        return -1;
    }
    return recorder_sql(r, bulk_add(stmt_cost, (const int64_t[]){stmt, shape}));
}

static int write_shapes(struct recorder *r, const struct sink_stmt_total *totals, size_t count,
                        struct bulk *cost, struct bulk *stmt_cost, struct shapes *shapes)
{
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && totals[end].stmt == totals[i].stmt) {
            end++;
        }
        uint32_t shape;
        if (shape_of(r, totals + i, end - i, cost, shapes, &shape) ||
            add_stmt_cost(r, stmt_cost, totals[i].stmt, shape)) {
            return -1;
        }
        i = end;
    }
    return 0;
}

/* Those that the model found alike have been told once. */
static int write_shared(struct recorder *r, const struct sink_summary *s, struct bulk *cost,
                        struct bulk *stmt_cost, struct shapes *shapes)
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
        status = add_stmt_cost(r, stmt_cost, s->stmt_costs[i].stmt, ids[s->stmt_costs[i].cost]);
    }
    free(ids);
    return status;
}

static int write_costs(struct recorder *r, const struct sink_summary *s)
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
    struct bulk cost, stmt_cost = {0};
    struct shapes shapes = {0};
    int status = recorder_sql(r, bulk_open(&cost, r->db, "cost", 7)) ||
                         recorder_sql(r, bulk_open(&stmt_cost, r->db, "stmt_cost", 2)) ||
                         write_shared(r, s, &cost, &stmt_cost, &shapes) ||
                         write_shapes(r, totals, s->stmt_total_count, &cost, &stmt_cost, &shapes) ||
                         recorder_sql(r, bulk_flush(&cost)) ||
                         recorder_sql(r, bulk_flush(&stmt_cost))
                     ? -1
                     : 0;
    bulk_close(&cost);
    bulk_close(&stmt_cost);
    free(shapes.slots);
    free(sorted);
    return status;
}

/* --- the other tables ------------------------------------------------------------------------- */

static int write_unit_totals(struct recorder *r, struct bulk *b, const struct sink_summary *s)
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
        if (recorder_sql(r, bulk_add(b, row))) {
            return -1;
        }
    }
    return 0;
}

/* By kind, the longest waits first. */
static int by_wait(const void *a, const void *b)
{
    const struct dep_entry *x = a, *y = b;
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    if (x->waited != y->waited) {
        return x->waited > y->waited ? -1 : 1;
    }
    return x->order < y->order ? -1 : 1;
}

static int write_deps(struct recorder *r, struct bulk *b, const struct sink_summary *s)
{
    (void)s;
    /* The answer about the whole run names the longest waits; a lean trace holds no more. */
    if (r->lean && r->dep_count) {
        qsort(r->deps, r->dep_count, sizeof *r->deps, by_wait);
    }
    size_t of_kind = 0;
    for (size_t i = 0; i < r->dep_count; i++) {
        const struct dep_entry *d = &r->deps[i];
        of_kind = i && d->kind == d[-1].kind ? of_kind + 1 : 0;
        if (r->lean && of_kind >= LEAN_DEPS) {
            continue;
        }
        if (recorder_need_stmt(r, d->src) || recorder_need_stmt(r, d->dst)) {
            return -1;
        }
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
        if (recorder_sql(r, bulk_add(b, row))) {
            return -1;
        }
    }
    return 0;
}

static int write_slack(struct recorder *r, struct bulk *b, const struct sink_summary *s)
{
    for (size_t i = 0; i < s->slack_count; i++) {
        const struct sink_slack *slack = &s->slack[i];
        seal_add(r, SEAL_slack_range,
                 (uint64_t)slack->slack + 3 * (uint64_t)slack->first_stmt +
                     5 * (uint64_t)slack->last_stmt);
        const int64_t row[] = {slack->first_stmt, slack->last_stmt, slack->slack};
        if (recorder_need_stmt(r, slack->first_stmt) || recorder_need_stmt(r, slack->last_stmt) ||
            recorder_sql(r, bulk_add(b, row))) {
            return -1;
        }
    }
    return 0;
}

static int write_crit(struct recorder *r, struct bulk *b, const struct sink_summary *s)
{
    for (size_t i = 0; i < s->crit_count; i++) {
        const struct sink_crit *c = &s->crit[i];
        if (c->duration == 0) {
            continue;
        }
        seal_add(r, SEAL_crit, c->start + 3 * c->duration);
        if (recorder_need_stmt(r, c->first_stmt) || recorder_need_stmt(r, c->last_stmt)) {
            return -1;
        }
        const int64_t row[] = {(int64_t)c->start,         (int64_t)c->duration,
                               id_or_null(c->first_stmt), id_or_null(c->last_stmt),
                               id_or_null(c->unit),       c->reason};
        if (recorder_sql(r, bulk_add(b, row))) {
            return -1;
        }
    }
    return 0;
}

static int write_mip(struct recorder *r, struct bulk *b, const struct sink_summary *s)
{
    for (size_t i = 0; i < s->window_count; i++) {
        const struct sink_window *w = &s->windows[i];
        if (w->busy == 0) {
            continue;
        }
        seal_add(r, SEAL_mip, w->busy + 3 * w->index);
        const int64_t row[] = {w->unit, (int64_t)w->index, (int64_t)w->busy};
        if (recorder_sql(r, bulk_add(b, row))) {
            return -1;
        }
    }
    return 0;
}

static int write_nop_tags(struct recorder *r, struct bulk *b, const struct sink_summary *s)
{
    for (size_t i = 0; i < sizeof s->nops_tag / sizeof *s->nops_tag; i++) {
        if (s->nops_tag[i]) {
            seal_add(r, SEAL_nop_tag, s->nops_tag[i]);
            const int64_t row[] = {(int64_t)i, (int64_t)s->nops_tag[i]};
            if (recorder_sql(r, bulk_add(b, row))) {
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
        {s->complete ? "total_cycles" : "cycles_reached", s->cycles},
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

typedef int write_rows(struct recorder *r, struct bulk *bulk, const struct sink_summary *s);

static int write_table(struct recorder *r, const char *table, int columns, write_rows *rows,
                       const struct sink_summary *s)
{
    struct bulk bulk;
    const int status = recorder_sql(r, bulk_open(&bulk, r->db, table, columns)) ||
                               rows(r, &bulk, s) || recorder_sql(r, bulk_flush(&bulk))
                           ? -1
                           : 0;
    bulk_close(&bulk);
    return status;
}

int recorder_summary(struct recorder *r, const struct sink_summary *s)
{
    if (write_facts(r, s) || write_table(r, "unit_total", 6, write_unit_totals, s) ||
        write_table(r, "dep", 14, write_deps, s) ||
        write_table(r, "nop_tag", 2, write_nop_tags, s) || write_bounds(r, s)) {
        return -1;
    }
    /* A lean trace has no statements to hang these on. */
    if (!r->lean &&
        (write_costs(r, s) || write_table(r, "slack_range", 3, write_slack, s) ||
         write_table(r, "crit", 6, write_crit, s) || write_table(r, "mip", 3, write_mip, s))) {
        return -1;
    }
    if (write_seals(r)) {
        return -1;
    }
    /* The last thing said, in one transaction with the totals. */
    return s->complete ? recorder_meta_integer(r, "complete", 1) : 0;
}
