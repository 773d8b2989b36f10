/*
 * recorder_apart: tables of a file, and indexes, that are made in memory when the run has ended, by the
 * thread of traces/ahead.h and the caller.
 *
 *   what was gathered --recorder_begin_apart--+
 *   struct sink_summary --recorder_write_apart--> make --> trees --attach--> pages of the file
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "traces/recorder_state.h"

/* In the order of their roots. */
enum { INDEX_TRANSFER, INDEX_DEP, INDEXES, TREE_MIP = INDEXES, ENTRIES };
enum { APART_JOBS = 8 };

struct apart {
    struct recorder *recorder;
    const struct sink_summary *summary;
    struct tree tables[RECORDER_TABLES], stmt;
    struct entries entries[ENTRIES];
    struct index indexes[ENTRIES]; /* mip is a table without row ids, which is kept like an index */
    atomic_bool failed; /* memory was out */
    atomic_bool taken[APART_JOBS], made[APART_JOBS];
    unsigned attached;
    pthread_mutex_t attaching;
};

/* --- indexes -------------------------------------------------------------------------------------- */

static bool in_order(const struct entries *e)
{
    for (size_t i = 1; i < e->count; i++) {
        const int64_t *x = e->values + (i - 1) * e->columns, *y = x + e->columns;
        unsigned k = 0;
        while (k + 1 < e->columns && x[k] == y[k]) {
            k++;
        }
        if (x[k] >= y[k]) {
            return false;
        }
    }
    return true;
}

/* Stable, by the first column, which is below 2^32: rows come in order of what follows it. */
static bool sort_entries(struct entries *e)
{
    enum { BITS = 11, BUCKETS = 1 << BITS, KEY = 32 };
    const size_t row = e->columns * sizeof *e->values;
    int64_t *other = in_order(e) ? NULL : malloc(e->count * row + 1);
    if (!other) {
        return in_order(e);
    }
    for (unsigned shift = 0; shift < KEY; shift += BITS) {
        size_t at[BUCKETS + 1] = {0};
        for (size_t i = 0; i < e->count; i++) {
            at[(e->values[i * e->columns] >> shift & (BUCKETS - 1)) + 1]++;
        }
        for (size_t b = 1; b <= BUCKETS; b++) {
            at[b] += at[b - 1];
        }
        for (size_t i = 0; i < e->count; i++) {
            const int64_t *from = e->values + i * e->columns;
            memcpy(other + at[from[0] >> shift & (BUCKETS - 1)]++ * e->columns, from, row);
        }
        int64_t *sorted = other;
        other = e->values;
        e->values = sorted;
        if (in_order(e)) {
            break;
        }
    }
    free(other);
    return in_order(e);
}

static bool make_entries(struct entries *e, size_t most, unsigned columns)
{
    e->columns = columns;
    e->values = malloc((most * columns + 1) * sizeof *e->values);
    return e->values != NULL;
}

static struct entries *begin_entries(struct apart *apart, unsigned index, size_t most,
                                     unsigned columns)
{
    struct entries *e = &apart->entries[index];
    if (!make_entries(e, most, columns)) {
        apart->failed = true;
        return NULL;
    }
    return e;
}

static void end_entries(struct apart *apart, unsigned index)
{
    struct entries *e = &apart->entries[index];
    if (sort_entries(e)) {
        index_make(&apart->indexes[index], &apart->recorder->ahead->leaves, e->values, e->count, e->columns);
    } else {
        apart->failed = true;
    }
}

static void index_transfers(struct apart *apart)
{
    const struct rows *rows = &apart->recorder->transfers;
    struct entries *e = begin_entries(apart, INDEX_TRANSFER, rows->count, TRANSFER_ENTRY);
    if (e) {
        e->count = rows->count;
        if (e->count) {
            memcpy(e->values, rows->values, e->count * TRANSFER_ENTRY * sizeof *e->values);
        }
        end_entries(apart, INDEX_TRANSFER);
    }
}

/* Edges come by rising dst, those of the stream first, then those of transfers: two runs, which are merged. What is
 * not so is sorted. */
static void index_deps(struct apart *apart)
{
    const struct deps *deps = &apart->recorder->deps;
    struct entries *e = begin_entries(apart, INDEX_DEP, deps->count, 2);
    const struct dep *rows = deps->rows;
    size_t second = deps->count ? 1 : 0;
    while (second < deps->count && rows[second - 1].dst <= rows[second].dst) {
        second++;
    }
    for (size_t a = 0, b = second; e && (a < second || b < deps->count);) {
        const bool first = b == deps->count || (a < second && rows[a].dst <= rows[b].dst);
        const struct dep *row = &rows[first ? a++ : b++];
        int64_t *entry = e->values + 2 * e->count++;
        entry[0] = row->dst;
        entry[1] = (int64_t)row->order;
    }
    if (e) {
        end_entries(apart, INDEX_DEP);
    }
}

/* --- jobs: each has tables of its own ---------------------------------------------------------------- */

static void make_table_of(struct apart *apart, unsigned table, const struct sink_summary *summary)
{
    const struct recorder_table *t = &recorder_tables[table];
    struct out out = {.recorder = apart->recorder,
                      .tree = &apart->tables[table],
                      .columns = t->columns,
                      .keyed = t->keyed};
    if (t->rows(apart->recorder, &out, summary)) {
        apart->failed = true;
    }
}

static void make_table(struct apart *apart, unsigned table)
{
    make_table_of(apart, table, apart->summary);
}

/* Which statement has which cost is known when costs are. */
static void make_costs(struct apart *apart)
{
    make_table(apart, TABLE_COST);
    if (!apart->failed) {
        make_table(apart, TABLE_COST_RANGE);
    }
}

static void make_mip(struct apart *apart)
{
    const struct recorder_table *t = &recorder_tables[TABLE_MIP];
    struct out out = {.recorder = apart->recorder, .columns = t->columns};
    out.entries = begin_entries(apart, TREE_MIP, apart->summary->window_count, t->columns);
    if (out.entries) {
        t->rows(apart->recorder, &out, apart->summary);
        end_entries(apart, TREE_MIP);
    }
}

static void make_small(struct apart *apart)
{
    make_table(apart, TABLE_UNIT_TOTAL);
    make_table(apart, TABLE_SLACK_RANGE);
    make_table(apart, TABLE_CRIT);
    make_table(apart, TABLE_NOP_TAG);
}

/* The first in the file: nobody else writes before they have come to their end, so that their pages need not be
 * kept. */
static void make_deps(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    struct tree *tree = &apart->tables[TABLE_DEP];
    tree_attach(tree, &r->pages, r->roots[ROOTS + TABLE_DEP]);
    make_table_of(apart, TABLE_DEP, NULL); /* there may be no summary yet */
    tree_end(tree);
}

static void attach_deps(struct apart *apart)
{
    (void)apart;
}

/* Those that have not been written aside. */
static void make_warnings(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    if (rows_write(&r->warnings, r->warnings.count, &r->warning_out)) {
        apart->failed = true;
    }
}

static void make_stmts(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    if (ahead_all(r->ahead)) {
        return;
    }
    recorder_need_stmts(r, apart->summary);
    if (recorder_write_stmts(r, &apart->stmt)) {
        apart->failed = true;
    }
}

/* --- into the file: one thread at a time, in the order of the jobs --------------------------------------- */

static void attach_table(struct apart *apart, unsigned table)
{
    struct recorder *r = apart->recorder;
    struct tree *tree = table == TABLE_TRANSFER  ? &r->transfer_tree
                        : table == TABLE_WARNING ? &r->warning_tree
                                                 : &apart->tables[table];
    tree_attach(tree, &r->pages, r->roots[ROOTS + table]);
    tree_end(tree);
}

static void attach_index(struct apart *apart, unsigned index)
{
    struct recorder *r = apart->recorder;
    const unsigned root =
        index == TREE_MIP ? (unsigned)ROOTS + TABLE_MIP : (unsigned)ROOT_TRANSFER_STMT + index;
    index_attach(&apart->indexes[index], &r->pages, r->roots[root]);
    free(apart->entries[index].values);
    apart->entries[index].values = NULL;
}

static void attach_transfers(struct apart *apart)
{
    attach_table(apart, TABLE_TRANSFER);
    attach_index(apart, INDEX_TRANSFER);
}

static void attach_mip(struct apart *apart)
{
    attach_index(apart, TREE_MIP);
}

static void attach_small(struct apart *apart)
{
    attach_table(apart, TABLE_UNIT_TOTAL);
    attach_table(apart, TABLE_SLACK_RANGE);
    attach_table(apart, TABLE_CRIT);
    attach_table(apart, TABLE_NOP_TAG);
}

static void attach_costs(struct apart *apart)
{
    attach_table(apart, TABLE_COST);
    attach_table(apart, TABLE_COST_RANGE);
}

static void attach_dep_index(struct apart *apart)
{
    attach_index(apart, INDEX_DEP);
}

static void attach_warnings(struct apart *apart)
{
    attach_table(apart, TABLE_WARNING);
}

static void attach_stmts(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    if (!ahead_all(r->ahead)) {
        tree_attach(&apart->stmt, &r->pages, r->roots[ROOT_STMT]);
        tree_end(&apart->stmt);
    }
}

/* In the order in which they go to the file, which is about that in which they are made: the thread of ahead
 * takes the last ones. */
enum { COSTS, SMALL, MIP, STMTS, WARNINGS, TRANSFERS, DEP_INDEX, DEPS };
static const struct {
    void (*make)(struct apart *apart), (*attach)(struct apart *apart);
    bool queued; /* as in aside_share: what is told aside comes first */
} jobs[APART_JOBS] = {
    [COSTS] = {make_costs, attach_costs, false},
    [SMALL] = {make_small, attach_small, false},
    [MIP] = {make_mip, attach_mip, false},
    [STMTS] = {make_stmts, attach_stmts, true},
    [WARNINGS] = {make_warnings, attach_warnings, true},
    [TRANSFERS] = {index_transfers, attach_transfers, true},
    [DEP_INDEX] = {index_deps, attach_dep_index, true},
    [DEPS] = {make_deps, attach_deps, true},
};
static const unsigned attach_order[APART_JOBS] = {DEPS,     COSTS, SMALL,     MIP,
                                                  WARNINGS, STMTS, TRANSFERS, DEP_INDEX};
/* They wait for no summary. */
static const unsigned early[] = {DEPS, DEP_INDEX, TRANSFERS};

/* What has been made, unless the other thread is at it. */
static void attach_made(struct apart *apart)
{
    if (pthread_mutex_trylock(&apart->attaching)) {
        return;
    }
    while (apart->attached < APART_JOBS && apart->made[attach_order[apart->attached]] &&
           !apart->failed) {
        jobs[attach_order[apart->attached++]].attach(apart);
    }
    pthread_mutex_unlock(&apart->attaching);
}

static void do_job(void *self, size_t job)
{
    struct apart *apart = self;
    if (!atomic_exchange(&apart->taken[job], true)) {
        jobs[job].make(apart);
        apart->made[job] = true;
        attach_made(apart);
    }
}

static void do_early(void *self)
{
    struct recorder *r = self;
    for (size_t i = 0; i < sizeof early / sizeof *early && !r->apart->failed && !r->failed; i++) {
        do_job(r->apart, early[i]);
    }
}

static void begin(struct apart *apart)
{
    struct leaf_pool *pool = &apart->recorder->ahead->leaves;
    for (unsigned i = 0; i < RECORDER_TABLES; i++) {
        tree_begin(&apart->tables[i], pool);
    }
    tree_begin(&apart->stmt, pool);
    pthread_mutex_init(&apart->attaching, NULL);
}

static void end(struct apart *apart)
{
    if (!apart) {
        return;
    }
    pthread_mutex_destroy(&apart->attaching);
    for (unsigned i = 0; i < RECORDER_TABLES; i++) {
        tree_free(&apart->tables[i]);
    }
    tree_free(&apart->stmt);
    for (unsigned i = 0; i < ENTRIES; i++) {
        tree_free(&apart->indexes[i].tree);
        free(apart->entries[i].values);
    }
    free(apart);
}

static int make_apart(struct recorder *r)
{
    r->apart = calloc(1, sizeof *r->apart);
    if (!r->apart) {
        return recorder_fail(r, "out of memory");
    }
    r->apart->recorder = r;
    begin(r->apart);
    return 0;
}

int recorder_begin_apart(struct recorder *r)
{
    if (make_apart(r)) {
        return -1;
    }
    aside_do(r->ahead->aside, do_early, r);
    return 0;
}

void recorder_end_apart(struct recorder *r)
{
    end(r->apart);
    r->apart = NULL;
}

int recorder_write_apart(struct recorder *r, const struct sink_summary *summary)
{
    if (!r->apart && make_apart(r)) {
        return -1;
    }
    struct apart *apart = r->apart;
    apart->summary = summary;
    if (!r->telling) {
        deps_hand_over(&r->deps);
        r->told_jobs = aside_given(r->ahead->aside);
    }
    bool queued[APART_JOBS];
    for (unsigned i = 0; i < APART_JOBS; i++) {
        queued[i] = jobs[i].queued;
    }
    aside_share(r->ahead->aside, do_job, queued, r->told_jobs, APART_JOBS, apart);
    r->telling = false;
    attach_made(apart);
    const bool failed = apart->failed || r->deps.failed || r->failed;
    recorder_end_apart(r);
    return failed ? recorder_fail(r, "out of memory") : 0;
}
