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

enum { APART_JOBS = 7 };

struct apart {
    struct recorder *recorder;
    const struct sink_summary *summary;
    struct tree tables[RECORDER_TABLES], stmt;
    bool likely; /* instead of stmt it is the tree of what was likely */
    struct index transfer_stmt, dep, mip; /* the last two are tables without row ids */
    atomic_bool failed; /* memory was out */
    atomic_bool taken[APART_JOBS], made[APART_JOBS];
    unsigned attached;
    pthread_mutex_t attaching;
};

/* --- indexes, and tables without row ids ----------------------------------------------------------------- */

/* What is sorted by its key; keys are below 2^32. */
struct pair {
    uint64_t key, value;
};

/* Stable. Returns the pairs, or NULL when memory is out; then they are gone. */
static struct pair *sort_pairs(struct pair *pairs, size_t count)
{
    enum { BITS = 11, BUCKETS = 1 << BITS, KEY = 32 };
    struct pair *other = malloc(count * sizeof *other + 1);
    if (!other) {
        free(pairs);
        return NULL;
    }
    for (unsigned shift = 0; shift < KEY; shift += BITS) {
        size_t at[BUCKETS + 1] = {0};
        for (size_t i = 0; i < count; i++) {
            at[(pairs[i].key >> shift & (BUCKETS - 1)) + 1]++;
        }
        for (size_t b = 1; b <= BUCKETS; b++) {
            at[b] += at[b - 1];
        }
        for (size_t i = 0; i < count; i++) {
            other[at[pairs[i].key >> shift & (BUCKETS - 1)]++] = pairs[i];
        }
        struct pair *sorted = other;
        other = pairs;
        pairs = sorted;
    }
    free(other);
    return pairs;
}

/* Rows of transfers, by their statement. Nothing says that a machine issues in program order. */
static void index_transfers(struct apart *apart)
{
    const struct rows *rows = &apart->recorder->transfers;
    bool sorted = true;
    for (size_t i = 1; i < rows->count; i++) {
        sorted &= rows->values[TRANSFER_ENTRY * (i - 1)] <= rows->values[TRANSFER_ENTRY * i];
    }
    struct pair *pairs = sorted ? NULL : malloc(rows->count * sizeof *pairs);
    for (size_t i = 0; pairs && i < rows->count; i++) {
        const int64_t *row = rows->values + TRANSFER_ENTRY * i;
        pairs[i] = (struct pair){(uint64_t)row[0], (uint64_t)row[1]};
    }
    pairs = pairs ? sort_pairs(pairs, rows->count) : NULL;
    if (!sorted && !pairs) {
        apart->failed = true;
        return;
    }
    for (size_t i = 0; i < rows->count; i++) {
        const int64_t *row = rows->values + TRANSFER_ENTRY * i;
        index_row(&apart->transfer_stmt,
                  pairs ? (const int64_t[]){(int64_t)pairs[i].key, (int64_t)pairs[i].value} : row);
    }
    free(pairs);
}

static bool by_dst(const struct deps *deps)
{
    size_t i = 1;
    while (i < deps->count && deps->rows[i - 1].dst <= deps->rows[i].dst) {
        i++;
    }
    return i >= deps->count;
}

static void add_dep(struct apart *apart, const struct deps *deps, size_t i)
{
    int64_t row[DEP_FIELDS];
    recorder_dep_row(apart->recorder, deps, i, row);
    /* In the table the key comes first. */
    const int64_t id = row[0], src = row[DEP_SRC];
    row[0] = row[DEP_DST];
    row[1] = id;
    row[2] = src;
    index_row(&apart->dep, row);
}

/* Edges of the stream and those of transfers, by dst; each come by rising dst. What does not is sorted. */
static void make_deps(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    const struct deps *first = &r->deps, *second = &r->moved;
    if (by_dst(first) && by_dst(second)) {
        for (size_t a = 0, b = 0; a < first->count || b < second->count;) {
            if (b == second->count ||
                (a < first->count && first->rows[a].dst <= second->rows[b].dst)) {
                add_dep(apart, first, a++);
            } else {
                add_dep(apart, second, b++);
            }
        }
        return;
    }
    const size_t count = first->count + second->count;
    struct pair *pairs = malloc(count * sizeof *pairs);
    for (size_t i = 0; pairs && i < count; i++) {
        const bool late = i >= first->count;
        pairs[i] = (struct pair){(late ? second : first)->rows[late ? i - first->count : i].dst, i};
    }
    pairs = pairs ? sort_pairs(pairs, count) : NULL;
    for (size_t i = 0; pairs && i < count; i++) {
        const bool late = pairs[i].value >= first->count;
        add_dep(apart, late ? second : first,
                late ? pairs[i].value - first->count : pairs[i].value);
    }
    if (!pairs) {
        apart->failed = true;
    }
    free(pairs);
}

/* --- jobs: each has tables of its own ---------------------------------------------------------------- */

static void make_table(struct apart *apart, unsigned table)
{
    const struct recorder_table *t = &recorder_tables[table];
    struct out out = {.recorder = apart->recorder,
                      .tree = &apart->tables[table],
                      .columns = t->columns,
                      .keyed = t->keyed};
    if (t->rows(apart->recorder, &out, apart->summary)) {
        apart->failed = true;
    }
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
    struct out out = {.recorder = apart->recorder, .index = &apart->mip};
    if (recorder_tables[TABLE_MIP].rows(apart->recorder, &out, apart->summary)) {
        apart->failed = true;
    }
}

static void make_small(struct apart *apart)
{
    make_table(apart, TABLE_UNIT_TOTAL);
    make_table(apart, TABLE_SLACK_RANGE);
    make_table(apart, TABLE_CRIT);
    make_table(apart, TABLE_NOP_TAG);
}

static void make_warnings(struct apart *apart)
{
    (void)apart; /* they may be on their way to the file already */
}

static void make_stmts(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    if (ahead_all(r->ahead)) {
        return;
    }
    recorder_need_stmts(r, apart->summary);
    if (recorder_write_stmts(r, &apart->stmt, &apart->likely)) {
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
    if (!tree->pages) {
        tree_attach(tree, &r->pages, r->roots[ROOTS + table]);
    }
    tree_end(tree);
}

static void attach_index(struct apart *apart, struct index *index, unsigned root)
{
    index_attach(index, &apart->recorder->pages, apart->recorder->roots[root]);
    index_end(index);
}

static void attach_transfers(struct apart *apart)
{
    attach_table(apart, TABLE_TRANSFER);
    attach_index(apart, &apart->transfer_stmt, ROOT_TRANSFER_STMT);
}

static void attach_mip(struct apart *apart)
{
    attach_index(apart, &apart->mip, (unsigned)ROOTS + TABLE_MIP);
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

static void attach_deps(struct apart *apart)
{
    attach_index(apart, &apart->dep, (unsigned)ROOTS + TABLE_DEP);
}

/* With those that have not been written aside. */
static void attach_warnings(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    if (rows_write(&r->warnings, r->warnings.count, &r->warning_out)) {
        apart->failed = true;
    }
    attach_table(apart, TABLE_WARNING);
}

static void attach_stmts(struct apart *apart)
{
    struct recorder *r = apart->recorder;
    if (!ahead_all(r->ahead)) {
        struct tree *tree = apart->likely ? &r->ahead->stmt : &apart->stmt;
        tree_attach(tree, &r->pages, r->roots[ROOT_STMT]);
        tree_end(tree);
    }
}

/* The thread of ahead takes the last ones. */
enum { COSTS, SMALL, MIP, STMTS, WARNINGS, TRANSFERS, DEPS };
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
    [DEPS] = {make_deps, attach_deps, true},
};
/* In the file: first transfers, rows of which another thread writes until they have been told; then about as they are
 * made by both. */
static const unsigned attach_order[APART_JOBS] = {TRANSFERS, COSTS,    SMALL, STMTS,
                                                  DEPS,      WARNINGS, MIP};
/* They wait for no summary. */
static const unsigned early[] = {TRANSFERS, DEPS};

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
    index_begin(&apart->transfer_stmt, pool, TRANSFER_ENTRY);
    index_begin(&apart->dep, pool, DEP_FIELDS);
    index_begin(&apart->mip, pool, recorder_tables[TABLE_MIP].columns);
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
    index_free(&apart->transfer_stmt);
    index_free(&apart->dep);
    index_free(&apart->mip);
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
    const bool failed = apart->failed || r->deps.failed || r->moved.failed || r->failed;
    recorder_end_apart(r);
    return failed ? recorder_fail(r, "out of memory") : 0;
}
