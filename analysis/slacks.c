#include "analysis/slacks.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/slack.h"
#include "traces/recorder.h"
#include "traces/rows.h"
#include "traces/trace.h"

/* A row for each statement that has a slack, in their order. */
struct slacks {
    struct sink_slack *rows;
    size_t count, capacity;
};

/* For one more. */
static bool has_room(struct slacks *all)
{
    struct sink_slack *rows = grow(all->rows, &all->capacity, all->count + 1, sizeof *rows);
    all->rows = rows ? rows : all->rows;
    return rows != NULL;
}

static int read_all(struct slacks *all, sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    int step = rows_prepare(db, "SELECT stmt, slack, exact FROM stmt_slack ORDER BY stmt", &s);
    while (step == SQLITE_OK && (step = rows_step(s)) == SQLITE_ROW) {
        if (!has_room(all)) {
            step = SQLITE_NOMEM;
            break;
        }
        const uint32_t stmt = (uint32_t)sqlite3_column_int64(s, 0);
        all->rows[all->count++] = (struct sink_slack){.first_stmt = stmt,
                                                      .last_stmt = stmt,
                                                      .slack = sqlite3_column_int64(s, 1),
                                                      .exact = sqlite3_column_int(s, 2)};
        step = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return step == SQLITE_DONE ? 0 : -1;
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

/* Where the row of a statement stands or would stand. */
static size_t place_of(const struct sink_slack *rows, size_t count, uint32_t stmt)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (rows[middle].first_stmt < stmt)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int find(struct takt_run *run, uint64_t *work, struct slacks *all, uint32_t stmt)
{
    struct slack slack;
    if (!has_room(all))
        return -1;
    const size_t at = place_of(all->rows, all->count, stmt);
    struct sink_slack *row = &all->rows[at];
    const bool known = at < all->count && row->first_stmt == stmt;
    if (known && row->exact)
        return 0;
    const int status = slack_find(run->program->machine->machine, run->run, stmt,
                                  known ? (uint64_t)row->slack : 0, work, &slack);
    if (status != 0 || (!known && !slack.exact))
        return status;
    if (!known)
        memmove(row + 1, row, (all->count++ - at) * sizeof *row);
    *row = (struct sink_slack){stmt, stmt, (int64_t)slack.cycles, slack.exact};
    return 0;
}

int slacks_find(struct takt_run *run, uint64_t work, const char *wanted, const char *argument)
{
    const struct machine *machine = run->program->machine->machine;
    sqlite3 *db = recorder_db(run->recorder);
    sqlite3_stmt *s = NULL;
    size_t left = 0;
    struct slacks all = {.count = 0};
    int step = rows_prepare(db, wanted ? wanted : "SELECT id FROM stmt", &s);
    if (step == SQLITE_OK && sqlite3_bind_parameter_count(s))
        sqlite3_bind_text(s, 1, argument, -1, SQLITE_STATIC);
    while (step == SQLITE_OK || step == SQLITE_ROW) {
        step = rows_step(s);
        left += step == SQLITE_ROW;
    }
    int status = step == SQLITE_DONE ? 0 : -1;
    const bool enough = machine->quantum && left <= work / slack_work(run->run);
    if (status == 0 && enough)
        status = read_all(&all, db);
    if (status == 0 && enough && sqlite3_reset(s) == SQLITE_OK) {
        while (status == 0 && (step = rows_step(s)) == SQLITE_ROW)
            status = find(run, &work, &all, (uint32_t)sqlite3_column_int64(s, 0));
        if (status == 0)
            status = step == SQLITE_DONE ? 0 : -1;
    }
    sqlite3_finalize(s);
    if (status == 0 && enough)
        status = recorder_slack(run->recorder, all.rows, join(all.rows, all.count));
    free(all.rows);
    return status;
}

int slacks_keep(struct takt_run *run)
{
    enum { WORK = 1 << 21 }; /* what the slowest model does in a second */
    return run->kept ? slacks_find(run, WORK, NULL, NULL) : 0;
}
