#include "analysis/region.h"

#include <stdio.h>
#include <string.h>

#include "traces/rows.h"
#include "traces/trace.h"

int64_t region_find(sqlite3 *db, const char *name)
{
    sqlite3_stmt *s = NULL;
    int64_t found = -1;
    if (rows_prepare(db, "SELECT id FROM region WHERE name = ?", &s) == SQLITE_OK) {
        sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
        if (rows_step(s) == SQLITE_ROW)
            found = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    return found;
}

void region_names(sqlite3 *db, char *text, int size)
{
    sqlite3_stmt *s = NULL;
    *text = '\0';
    if (rows_prepare(db,
                     "SELECT group_concat(name, ', ') FROM (SELECT name FROM region "
                     "ORDER BY id = 0, id)",
                     &s) == SQLITE_OK &&
        rows_step(s) == SQLITE_ROW)
        snprintf(text, (size_t)size, "%s", rows_text(s, 0));
    sqlite3_finalize(s);
}

/* %1$lld: the region. */
static const char *const tables[] = {
    "CREATE TEMP TABLE meta AS SELECT key, value FROM main.meta "
    "WHERE substr(key, 1, 6) <> 'range_' AND key NOT IN "
    "('total_cycles', 'cycles_documented', 'cycles_assumed', 'window')",
    "INSERT INTO meta SELECT 'total_cycles', coalesce(max(cycles), 0) FROM (SELECT "
    "sum(t.cycles) AS cycles FROM main.unit_total t JOIN main.unit u ON u.id = t.unit "
    "WHERE u.kind = 'issue' AND t.region = %1$lld AND t.unit IN (SELECT unit FROM "
    "main.unit_total WHERE state < 2 AND cycles > 0) GROUP BY t.unit) WHERE EXISTS "
    "(SELECT 1 FROM main.meta WHERE key = 'total_cycles')",
    "INSERT INTO meta SELECT 'region', name FROM main.region WHERE id = %1$lld",
    "UPDATE meta SET value = value || ': ' || (SELECT name FROM main.region WHERE id = %1$lld) "
    "WHERE key = 'program'",
    "CREATE TEMP VIEW unit_total AS SELECT * FROM main.unit_total WHERE region = %1$lld",
    "CREATE TEMP VIEW stmt_cost_set AS SELECT c.* FROM main.stmt_cost_set c JOIN main.stmt s "
    "ON s.id = c.stmt WHERE s.region = %1$lld",
    "CREATE TEMP VIEW cost_set AS SELECT cost, count(*) AS stmts FROM temp.stmt_cost_set "
    "GROUP BY cost",
    "CREATE TEMP VIEW transfer AS SELECT t.* FROM main.transfer t JOIN main.stmt s "
    "ON s.id = t.stmt WHERE s.region = %1$lld",
    "CREATE TEMP VIEW dep AS SELECT d.* FROM main.dep d JOIN main.stmt s ON s.id = d.dst "
    "WHERE s.region = %1$lld",
    "CREATE TEMP VIEW crit AS SELECT c.* FROM main.crit c JOIN main.stmt s ON s.id = c.first_stmt "
    "WHERE s.region = %1$lld",
    "CREATE TEMP VIEW warning AS SELECT w.* FROM main.warning w WHERE EXISTS (SELECT 1 FROM "
    "main.stmt s WHERE s.region = %1$lld AND (s.id = w.stmt OR (w.stmt IS NULL AND "
    "s.file = w.file AND s.line = w.line)))",
    "CREATE TEMP VIEW counter AS SELECT * FROM main.counter WHERE 0",
    "CREATE TEMP VIEW bound AS SELECT * FROM main.bound WHERE 0",
    "CREATE TEMP VIEW slack_range AS SELECT * FROM main.slack_range WHERE 0",
    "CREATE TEMP VIEW util_window AS SELECT * FROM main.util_window WHERE 0",
};

static int run(sqlite3 *db, const char *sql)
{
    return rows_exec(db, sql);
}

/* Views look for their tables in their own schema. */
static int repeat_views(sqlite3 *db)
{
    static const char create[] = "CREATE VIEW ";
    sqlite3_stmt *s = NULL;
    int rc = rows_prepare(db,
                          "SELECT sql FROM main.sqlite_schema WHERE type = 'view' "
                          "ORDER BY rowid",
                          &s);
    while (rc == SQLITE_OK && (rc = rows_step(s)) == SQLITE_ROW) {
        const char *sql = rows_text(s, 0);
        char *copy =
            strncmp(sql, create, sizeof create - 1) == 0
                ? sqlite3_mprintf("CREATE TEMP VIEW IF NOT EXISTS %s", sql + sizeof create - 1)
                : NULL;
        rc = copy ? run(db, copy) : SQLITE_OK;
        if (!copy)
            rows_fail(&rc, *sql ? SQLITE_CORRUPT : SQLITE_NOMEM);
        sqlite3_free(copy);
    }
    sqlite3_finalize(s);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

void region_span(sqlite3 *db, int64_t region, uint64_t *from, uint64_t *to)
{
#define OF_REGION                                                                                  \
    "FROM temp.slice i JOIN unit u ON u.id = i.track_id JOIN stmt s ON s.id = i.stmt "             \
    "WHERE u.kind = 'issue' AND s.region = ?1"
    *from = (uint64_t)rows_value(db, "SELECT min(i.ts) " OF_REGION, region, 0, 0);
    *to = (uint64_t)rows_value(db, "SELECT max(i.ts + i.dur) " OF_REGION, region, 0, 0);
#undef OF_REGION
}

int region_select(sqlite3 *db, int64_t region)
{
    const bool closed = trace_temporary(db, false);
    int rc = run(db, "PRAGMA temp_store = MEMORY");
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof tables / sizeof *tables; i++) {
        char sql[600];
        snprintf(sql, sizeof sql, tables[i], (long long)region);
        rc = run(db, sql);
    }
    if (rc == SQLITE_OK)
        rc = repeat_views(db);
    trace_temporary(db, closed);
    return rc;
}
