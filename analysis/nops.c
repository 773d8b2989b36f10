#include "analysis/nops.h"

#include "traces/rows.h"
#include "traces/trace.h"

struct writer {
    sqlite3_stmt *insert;
    int rc;
};

int nops_table(sqlite3 *db)
{
    const bool closed = trace_temporary(db, false);
    const int rc =
        rows_exec(db, "CREATE TEMP TABLE IF NOT EXISTS nop (stmt INTEGER, steps INTEGER, spare "
                      "INTEGER, rule TEXT, first INTEGER, second INTEGER, needed INTEGER, cycles "
                      "INTEGER)");
    trace_temporary(db, closed);
    return rc;
}

/* need: NULL where nothing needs the nop. */
static void add(struct writer *w, const struct machine_needs *needs,
                const struct machine_need *need)
{
    sqlite3_reset(w->insert);
    sqlite3_clear_bindings(w->insert);
    sqlite3_bind_int64(w->insert, 1, needs->first);
    sqlite3_bind_int64(w->insert, 2, (sqlite3_int64)needs->written);
    sqlite3_bind_int64(w->insert, 3, (sqlite3_int64)needs->spare);
    if (need) {
        sqlite3_bind_text(w->insert, 4, need->rule, -1, SQLITE_STATIC);
        sqlite3_bind_int64(w->insert, 5, need->first);
        sqlite3_bind_int64(w->insert, 6, need->second);
        sqlite3_bind_int64(w->insert, 7, (sqlite3_int64)need->steps);
        sqlite3_bind_int64(w->insert, 8, (sqlite3_int64)(need->steps * needs->step_cycles));
    }
    const int step = rows_step(w->insert);
    if (step != SQLITE_DONE)
        rows_fail(&w->rc, step);
}

static int write(void *self, const struct machine_needs *needs)
{
    struct writer *w = self;
    for (size_t i = 0; i < needs->count; i++)
        add(w, needs, &needs->rows[i]);
    if (!needs->count)
        add(w, needs, NULL);
    return w->rc == SQLITE_OK ? 0 : 1;
}

int nops_find(sqlite3 *db, const struct machine *machine, const struct machine_run *run)
{
    struct writer w = {.rc = nops_table(db)};
    const bool closed = trace_temporary(db, false);
    rows_do(db, "DELETE FROM temp.nop", &w.rc);
    w.insert =
        rows_select(db, "INSERT INTO temp.nop VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", &w.rc);
    if (w.insert && machine->advice->all_needs && machine->advice->all_needs(run, write, &w) < 0)
        rows_fail(&w.rc, SQLITE_NOMEM);
    sqlite3_finalize(w.insert);
    trace_temporary(db, closed);
    return w.rc;
}
