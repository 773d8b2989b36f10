#include "analysis/slacks.h"

#include <stdlib.h>

#include "timing/slack.h"
#include "traces/recorder.h"
#include "traces/rows.h"

/* A row for each statement that has a slack, in their order. */
static struct sink_slack *read_all(sqlite3 *db, size_t *count)
{
    sqlite3_stmt *s = NULL;
    struct sink_slack *rows = NULL;
    size_t n = 0;
    int step = rows_prepare(db,
                            "SELECT stmt, slack, exact, (SELECT count(*) FROM stmt) "
                            "FROM stmt_slack ORDER BY stmt",
                            &s);
    while (step == SQLITE_OK && (step = rows_step(s)) == SQLITE_ROW) {
        if (!rows)
            rows = calloc((size_t)sqlite3_column_int64(s, 3), sizeof *rows);
        if (!rows)
            break;
        const uint32_t stmt = (uint32_t)sqlite3_column_int64(s, 0);
        rows[n++] = (struct sink_slack){.first_stmt = stmt,
                                        .last_stmt = stmt,
                                        .slack = sqlite3_column_int64(s, 1),
                                        .exact = sqlite3_column_int(s, 2)};
        step = SQLITE_OK;
    }
    sqlite3_finalize(s);
    *count = n;
    if (step == SQLITE_DONE && !rows)
        rows = calloc(1, sizeof *rows);
    return rows;
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

static struct sink_slack *row_of(struct sink_slack *rows, size_t count, uint32_t stmt)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (rows[middle].first_stmt < stmt)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && rows[low].first_stmt == stmt ? &rows[low] : NULL;
}

static int find(struct takt_run *run, uint64_t *work, struct sink_slack *row)
{
    struct slack slack;
    if (!row || row->exact)
        return 0;
    const int status = slack_find(run->program->machine->machine, run->run, row->first_stmt,
                                  (uint64_t)row->slack, work, &slack);
    row->slack = (int64_t)slack.cycles;
    row->exact = slack.exact;
    return status;
}

int slacks_find(struct takt_run *run, uint64_t work, const char *wanted, const char *argument)
{
    const struct machine *machine = run->program->machine->machine;
    sqlite3 *db = recorder_db(run->recorder);
    sqlite3_stmt *s = NULL;
    size_t count, left = 0;
    struct sink_slack *rows = read_all(db, &count);
    int step = rows_prepare(db, wanted ? wanted : "SELECT id FROM stmt", &s);
    if (step == SQLITE_OK && sqlite3_bind_parameter_count(s))
        sqlite3_bind_text(s, 1, argument, -1, SQLITE_STATIC);
    const bool good = rows && step == SQLITE_OK;
    while (good && (step = rows_step(s)) == SQLITE_ROW)
        left++;
    int status = good && step == SQLITE_DONE ? 0 : -1;
    const bool enough = machine->quantum && left <= work / slack_work(run->run);
    if (status == 0 && enough && sqlite3_reset(s) == SQLITE_OK) {
        while (status == 0 && (step = rows_step(s)) == SQLITE_ROW)
            status = find(run, &work, row_of(rows, count, (uint32_t)sqlite3_column_int64(s, 0)));
        if (status == 0)
            status = step == SQLITE_DONE ? 0 : -1;
    }
    sqlite3_finalize(s);
    if (status == 0 && enough)
        status = recorder_slack(run->recorder, rows, join(rows, count));
    free(rows);
    return status;
}

int slacks_keep(struct takt_run *run)
{
    enum { WORK = 1 << 24 };
    return run->kept ? slacks_find(run, WORK, NULL, NULL) : 0;
}
