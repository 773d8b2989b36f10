#include "traces/extent.h"

#include <stdlib.h>

#include "traces/alike.h"
#include "traces/rows.h"
#include "traces/slice.h"
#include "traces/trace.h"

struct extent {
    sqlite3 *db;
    struct alike *units;
    size_t count;
    double *weights; /* per unit: share of its intervals that are shown */
    sqlite3_stmt *touched;
};

/* Waits for reasons that a stream has, too, are shown at the stream. */
static double weight(sqlite3 *db, const struct alike *unit)
{
    static const char shown[] =
        "SELECT sum(events) FROM unit_total WHERE unit = ?1 AND (state = 0 OR reason NOT IN "
        "(SELECT t.reason FROM unit_total t JOIN unit u ON u.id = t.unit WHERE u.kind = 'issue' "
        "AND u.id <> ?1))";
    static const char all[] = "SELECT sum(events) FROM unit_total WHERE unit = ?1";
    if (!unit->busy)
        return 0;
    const int64_t events = rows_value(db, all, unit->unit, 0, 0);
    return events > 0 ? (double)rows_value(db, shown, unit->unit, 0, events) / (double)events : 1;
}

static int begin(struct extent *e, sqlite3 *db)
{
    *e = (struct extent){.db = db};
    int rc = alike_find(db, ALIKE_FOLDED, &e->units, &e->count);
    e->weights = calloc(e->count + 1, sizeof *e->weights);
    if (rc == SQLITE_OK && !e->weights)
        rc = SQLITE_NOMEM;
    for (size_t i = 0; rc == SQLITE_OK && i < e->count; i++)
        e->weights[i] = weight(db, &e->units[i]);
    if (rc == SQLITE_OK)
        rc = rows_prepare(
            db,
            slice_packed(db)
                ? "SELECT sum(1.0 * count * (min(finish, ?3) - max(start, ?2)) / (finish - start)) "
                  "FROM main.slice_chunk WHERE unit = ?1 AND start < ?3 AND finish > ?2"
                : "SELECT count(*) FROM main.slice_row WHERE unit = ?1 AND start < ?3 AND "
                  "start + duration > ?2",
            &e->touched);
    return rc;
}

static void end(struct extent *e)
{
    sqlite3_finalize(e->touched);
    free(e->weights);
    free(e->units);
}

static uint64_t count(const struct extent *e, uint64_t from, uint64_t to)
{
    const int64_t first = (int64_t)from, last = to > INT64_MAX ? INT64_MAX : (int64_t)to;
    double events = 0;
    for (size_t i = 0; i < e->count; i++) {
        if (e->weights[i] <= 0)
            continue;
        sqlite3_bind_int64(e->touched, 1, e->units[i].unit);
        sqlite3_bind_int64(e->touched, 2, first);
        sqlite3_bind_int64(e->touched, 3, last);
        if (rows_step(e->touched) == SQLITE_ROW)
            events += e->weights[i] * sqlite3_column_double(e->touched, 0);
        sqlite3_reset(e->touched);
    }
    static const char transfers[] =
        "SELECT 3 * count(*) FROM transfer WHERE finished > ?1 AND issued < ?2";
    static const char path[] =
        "SELECT count(*) FROM crit WHERE start + duration > ?1 AND start < ?2";
    return (uint64_t)(events + 0.5) + (uint64_t)rows_value(e->db, transfers, first, last, 0) +
           (uint64_t)rows_value(e->db, path, first, last, 0);
}

uint64_t extent_events(sqlite3 *db, uint64_t from, uint64_t to)
{
    struct extent e;
    const uint64_t events = begin(&e, db) == SQLITE_OK ? count(&e, from, to) : 0;
    end(&e);
    return events;
}

uint64_t extent_end(sqlite3 *db, uint64_t from, uint64_t to, uint64_t most)
{
    struct extent e;
    const int64_t reached = trace_reached(db);
    uint64_t low = from + 1, high = reached > 0 && to > (uint64_t)reached ? (uint64_t)reached : to;
    if (begin(&e, db) != SQLITE_OK || count(&e, from, to) <= most) {
        end(&e);
        return to;
    }
    /* To a thousandth of the window: what is counted is an estimate. */
    for (const uint64_t fine = (high - from) / 1000; low + fine < high;) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (count(&e, from, middle) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    end(&e);
    return low;
}
