#include "analysis/slacks.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/search.h"
#include "timing/slack.h"
#include "timing/run.h"

/* A row for each statement that has a slack, in their order. */
struct slacks {
    struct sink_slack *rows;
    size_t count, capacity;
};

/* For one more. */
static bool has_room(struct slacks *all)
{
    return grow_list(&all->rows, &all->capacity, all->count + 1, sizeof *all->rows);
}

static int read_all(struct slacks *all, const struct store *store)
{
    size_t count;
    const struct sink_slack *rows = store_slacks(store, &count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t s = rows[i].first_stmt; s <= rows[i].last_stmt; s++) {
            if (!has_room(all))
                return -1;
            all->rows[all->count++] = (struct sink_slack){s, s, rows[i].slack, rows[i].exact};
        }
    return 0;
}

/* Neighbours that have the same. */
static size_t join(struct sink_slack *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct sink_slack *last = kept ? &rows[kept - 1] : NULL;
        if (last && last->last_stmt + 1 == rows[i].first_stmt && last->slack == rows[i].slack &&
            last->exact == rows[i].exact)
            last->last_stmt = rows[i].last_stmt;
        else
            rows[kept++] = rows[i];
    }
    return kept;
}

/* The place of the row of a statement, present or not. */
static size_t place_of(const struct sink_slack *rows, size_t count, uint32_t stmt)
{
    return search_u32(rows, count, sizeof *rows, offsetof(struct sink_slack, first_stmt), stmt);
}

static int find(struct machine_run *run, uint64_t *work, struct slacks *all, uint32_t stmt)
{
    struct slack slack;
    if (!has_room(all))
        return -1;
    const size_t at = place_of(all->rows, all->count, stmt);
    struct sink_slack *row = &all->rows[at];
    const bool known = at < all->count && row->first_stmt == stmt;
    if (known && row->exact)
        return 0;
    const int status =
        slack_find(run->machine, run, stmt, known ? (uint64_t)row->slack : 0, work, &slack);
    if (status != 0 || (!known && !slack.exact))
        return status;
    if (!known)
        memmove(row + 1, row, (all->count++ - at) * sizeof *row);
    *row = (struct sink_slack){stmt, stmt, (int64_t)slack.cycles, slack.exact};
    return 0;
}

int slacks_find(struct machine_run *run, struct store *store, uint64_t work, const bool *wanted)
{
    const size_t stmts = store->header.stmt_count;
    struct slacks all = {.count = 0};
    size_t left = 0;
    for (size_t s = 0; s < stmts; s++)
        left += !wanted || wanted[s];
    if (!run->machine->timing->quantum || left > work / slack_work(run))
        return 0;
    int status = read_all(&all, store);
    for (uint32_t s = 0; status == 0 && s < stmts; s++)
        if (!wanted || wanted[s])
            status = find(run, &work, &all, s);
    if (status != 0 || !has_room(&all)) {
        free(all.rows);
        return -1;
    }
    store_slack(store, all.rows, join(all.rows, all.count));
    return 0;
}
