#include "traces/alike.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "traces/rows.h"
#include "traces/slice.h"

/* What has to be equal before intervals or windows are compared at all. */
static const char columns[] =
    "SELECT u.id, u.name, u.kind = 'issue', 8.0 * u.width * u.instances, coalesce(m.bytes, 0), "
    "coalesce(t.busy, -1), "
    "u.kind || '/' || u.width || '/' || u.instances || '/' || coalesce(m.bytes, 0) || '/' || "
    "coalesce(c.size, 0) || '/' || coalesce(t.parts, '') AS sign "
    "FROM unit u "
    "LEFT JOIN (SELECT unit, sum(CASE WHEN state = 0 THEN cycles ELSE 0 END) AS busy, "
    " group_concat(region || ' ' || reason || ' ' || cycles || ' ' || events) AS parts "
    " FROM unit_total GROUP BY unit) t ON t.unit = u.id "
    "LEFT JOIN (SELECT unit, sum(bytes) AS bytes FROM unit_cost GROUP BY unit) m ON m.unit = u.id "
    "LEFT JOIN (SELECT unit, count(*) || ' ' || sum(length(data)) AS size FROM main.slice_chunk "
    " GROUP BY unit UNION ALL SELECT unit, count(*) FROM main.slice_row WHERE NOT EXISTS "
    "  (SELECT 1 FROM main.slice_chunk) GROUP BY unit) c ON c.unit = u.id "
    "WHERE u.kind <> 'node' ORDER BY u.id";

/* One is 1 when units ?1 and ?2, of the same sign, differ. */
static const char packed[] =
    "SELECT 1 FROM main.slice_chunk a LEFT JOIN main.slice_chunk b ON b.id = a.id + (?2 - ?1) * "
    "(1 << 32) WHERE a.unit = ?1 AND a.data IS NOT b.data LIMIT 1";
static const char plain[] =
    "SELECT 1 FROM (SELECT start, duration, reason, stmt FROM main.slice_row WHERE unit = ?1 "
    "EXCEPT SELECT start, duration, reason, stmt FROM main.slice_row WHERE unit = ?2) "
    "UNION ALL SELECT 1 FROM (SELECT idx, busy FROM util_window WHERE unit = ?1 "
    "EXCEPT SELECT idx, busy FROM util_window WHERE unit = ?2) LIMIT 1";

/* SQLITE_ROW: they differ, SQLITE_DONE: they do not. */
static int differ(sqlite3_stmt *compare, int64_t a, int64_t b)
{
    sqlite3_bind_int64(compare, 1, a);
    sqlite3_bind_int64(compare, 2, b);
    const int rc = rows_step(compare);
    sqlite3_reset(compare);
    return rc;
}

static struct alike read_unit(sqlite3_stmt *s)
{
    struct alike unit = {.unit = sqlite3_column_int64(s, 0),
                         .count = 1,
                         .issues = sqlite3_column_int(s, 2),
                         .peak = sqlite3_column_double(s, 3),
                         .bytes = sqlite3_column_double(s, 4),
                         .busy_cycles = sqlite3_column_int64(s, 5)};
    snprintf(unit.name, sizeof unit.name, "%.63s", rows_text(s, 1));
    unit.busy = unit.busy_cycles != 0;
    return unit;
}

/* The unit before that this one is alike, *count if there is none. */
static int find_equal(sqlite3_stmt *compare, const struct alike *units, char **signs, size_t *count)
{
    const size_t last = *count;
    for (size_t i = 0; compare && i < last; i++) {
        if (strcmp(signs[i], signs[last]) != 0)
            continue;
        const int rc = differ(compare, units[i].unit, units[last].unit);
        if (rc == SQLITE_DONE)
            *count = i;
        if (rc != SQLITE_ROW)
            return rc;
    }
    return SQLITE_DONE;
}

static void name_groups(struct alike *units, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(units[i].name);
        if (units[i].count > 1)
            snprintf(units[i].name + length, sizeof units[i].name - length, " x%" PRId64,
                     units[i].count);
    }
}

int alike_find(sqlite3 *db, enum alike_which which, struct alike **units, size_t *count)
{
    struct alike *list = NULL;
    char **signs = NULL;
    size_t capacity = 0, sign_capacity = 0, n = 0;
    sqlite3_stmt *s = NULL, *compare = NULL;
    int rc = rows_prepare(db, columns, &s);
    if (rc == SQLITE_OK && which == ALIKE_FOLDED)
        rc = rows_prepare(db, slice_packed(db) ? packed : plain, &compare);
    while (rc == SQLITE_OK && (rc = rows_step(s)) == SQLITE_ROW) {
        struct alike *longer = grow(list, &capacity, n + 1, sizeof *list);
        list = longer ? longer : list;
        char **more = longer ? grow(signs, &sign_capacity, n + 1, sizeof *signs) : NULL;
        signs = more ? more : signs;
        char *copy = more ? strdup(rows_text(s, 6)) : NULL;
        if (!copy) {
            rc = SQLITE_NOMEM;
            break;
        }
        list[n] = read_unit(s);
        signs[n] = copy;
        size_t same = n;
        rc = find_equal(compare, list, signs, &same);
        if (same < n || rc != SQLITE_DONE)
            free(copy);
        if (rc != SQLITE_DONE)
            break;
        list[same].count += same < n;
        n += same == n;
        rc = SQLITE_OK;
    }
    sqlite3_finalize(s);
    sqlite3_finalize(compare);
    for (size_t i = 0; i < n; i++)
        free(signs[i]);
    free(signs);
    if (rc != SQLITE_DONE) {
        free(list);
        return rc;
    }
    name_groups(list, n);
    *units = list;
    *count = n;
    return SQLITE_OK;
}
