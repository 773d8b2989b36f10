#include "traces/konata.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/sink.h"
#include "traces/alike.h"
#include "traces/interval.h"
#include "traces/rows.h"
#include "traces/trace.h"

enum { QUEUE = -1, MOVE = -2, LANES = 32 };

/* A statement in a stream, from its first wait to the end of its last stage. */
struct visit {
    uint64_t start, end;
    uint32_t stmt, thread;
    bool transfer;
};

struct stage {
    uint64_t start, end;
    size_t visit;
    int32_t unit; /* index of log.units, QUEUE or MOVE */
    uint16_t reason, lane;
};

/* What happens in one cycle comes in this order. */
enum kind { STAGE_ENDS, VISIT_ENDS, VISIT_BEGINS, STAGE_BEGINS };

struct event {
    uint64_t cycle;
    size_t index; /* of a visit or a stage */
    enum kind kind;
};

struct log {
    sqlite3 *db;
    uint64_t from, to;
    struct alike *units;
    size_t unit_count;
    struct visit *visits;
    size_t visit_count, visit_capacity, sorted; /* sorted: those that can be looked up */
    uint32_t threads;
    struct stage *stages;
    size_t stage_count, stage_capacity;
    struct event *events;
    size_t event_count;
    char reasons[REASON_MAX][64];
    int rc; /* the first failure */
};

static void add_visit(struct log *log, const struct visit *visit)
{
    struct visit *visits =
        grow(log->visits, &log->visit_capacity, log->visit_count + 1, sizeof *visits);
    if (!visits) {
        rows_fail(&log->rc, SQLITE_NOMEM);
        return;
    }
    log->visits = visits;
    visits[log->visit_count++] = *visit;
}

static void add_stage(struct log *log, const struct stage *stage)
{
    struct stage *stages =
        grow(log->stages, &log->stage_capacity, log->stage_count + 1, sizeof *stages);
    if (!stages) {
        rows_fail(&log->rc, SQLITE_NOMEM);
        return;
    }
    log->stages = stages;
    stages[log->stage_count++] = *stage;
    struct visit *visit = &log->visits[stage->visit];
    visit->end = stage->end > visit->end ? stage->end : visit->end;
}

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_statement(const void *x, const void *y)
{
    const struct visit *a = x, *b = y;
    return a->stmt != b->stmt       ? compare(a->stmt, b->stmt)
           : a->thread != b->thread ? compare(a->thread, b->thread)
                                    : compare(a->start, b->start);
}

static int by_visit(const void *x, const void *y)
{
    const struct stage *a = x, *b = y;
    return a->visit != b->visit   ? compare(a->visit, b->visit)
           : a->start != b->start ? compare(a->start, b->start)
                                  : (a->unit > b->unit) - (a->unit < b->unit);
}

static int by_cycle(const void *x, const void *y)
{
    const struct event *a = x, *b = y;
    return a->cycle != b->cycle ? compare(a->cycle, b->cycle)
           : a->kind != b->kind ? compare(a->kind, b->kind)
                                : compare(a->index, b->index);
}

/* The last visit of a statement in a stream that begins by that cycle; NULL: there is none. */
static struct visit *visit_in(const struct log *log, uint32_t stmt, uint32_t thread, uint64_t cycle)
{
    const struct visit key = {.start = cycle, .stmt = stmt, .thread = thread};
    size_t low = 0, high = log->sorted;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (by_statement(&log->visits[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    struct visit *found = low > 0 ? &log->visits[low - 1] : NULL;
    return found && found->stmt == stmt && found->thread == thread ? found : NULL;
}

/* The same in any stream. */
static struct visit *visit_at(const struct log *log, uint32_t stmt, uint64_t cycle)
{
    struct visit *last = NULL;
    for (uint32_t thread = 0; thread < log->threads || thread == 0; thread++) {
        struct visit *found = visit_in(log, stmt, thread, cycle);
        if (found && (!last || found->start > last->start))
            last = found;
    }
    return last;
}

/* --- collecting ------------------------------------------------------------------------------- */

static void read_stream(struct log *log, size_t unit, uint32_t thread)
{
    struct interval_reader reader;
    struct chunk_interval i;
    uint64_t reached = 0;
    uint32_t last = NONE_ID;
    interval_open(&reader, log->db, log->units[unit].unit, log->from, log->to, &log->rc);
    while (interval_next(&reader, &i)) {
        if (i.stmt != NONE_ID && (i.stmt != last || i.start != reached))
            add_visit(log, &(struct visit){i.start, i.start, i.stmt, thread, false});
        last = i.stmt;
        reached = i.start + i.duration;
    }
    interval_close(&reader);
}

static void add_stages(struct log *log, size_t visit, uint64_t issued, uint64_t started,
                       uint64_t finished)
{
    if (started > issued)
        add_stage(log, &(struct stage){issued, started, visit, QUEUE, 0, 0});
    if (finished > started)
        add_stage(log, &(struct stage){started, finished, visit, MOVE, 0, 0});
}

/* Marks visits as transfers; one that no stream shows begins when it is issued. With `stages` it
 * takes their stages instead. */
static void read_transfers(struct log *log, bool stages)
{
    sqlite3_stmt *s = rows_select(log->db,
                                  "SELECT stmt, issued, started, finished FROM transfer "
                                  "WHERE finished > ?1 AND issued < ?2 ORDER BY id",
                                  &log->rc);
    rows_window(s, log->from, log->to);
    while (rows_next(s, &log->rc)) {
        const uint32_t stmt = (uint32_t)sqlite3_column_int64(s, 0);
        const uint64_t issued = (uint64_t)sqlite3_column_int64(s, 1);
        struct visit *visit = visit_at(log, stmt, issued);
        if (visit && stages)
            add_stages(log, (size_t)(visit - log->visits), issued,
                       (uint64_t)sqlite3_column_int64(s, 2), (uint64_t)sqlite3_column_int64(s, 3));
        else if (visit)
            visit->transfer = true;
        else if (!stages)
            add_visit(log, &(struct visit){issued, issued, stmt, 0, true});
    }
    sqlite3_finalize(s);
}

/* thread: of a unit that is a stream. */
static void read_unit(struct log *log, size_t unit, uint32_t thread)
{
    struct interval_reader reader;
    struct chunk_interval i;
    const bool issues = log->units[unit].issues;
    interval_open(&reader, log->db, log->units[unit].unit, log->from, log->to, &log->rc);
    while (interval_next(&reader, &i)) {
        if (i.stmt == NONE_ID || (!issues && i.reason != REASON_BUSY))
            continue;
        const struct visit *visit =
            issues ? visit_in(log, i.stmt, thread, i.start) : visit_at(log, i.stmt, i.start);
        if (visit && (issues || !visit->transfer))
            add_stage(log,
                      &(struct stage){i.start, i.start + i.duration, (size_t)(visit - log->visits),
                                      (int32_t)unit, (uint16_t)i.reason, 0});
    }
    interval_close(&reader);
}

static void sort_visits(struct log *log)
{
    if (log->visit_count)
        qsort(log->visits, log->visit_count, sizeof *log->visits, by_statement);
    log->sorted = log->visit_count;
}

static void collect(struct log *log)
{
    rows_fail(&log->rc, alike_find(log->db, ALIKE_FOLDED, &log->units, &log->unit_count));
    for (size_t i = 0; i < log->unit_count; i++)
        if (log->units[i].issues)
            read_stream(log, i, log->threads++);
    sort_visits(log);
    read_transfers(log, false);
    sort_visits(log);
    read_transfers(log, true);
    uint32_t thread = 0;
    for (size_t i = 0; i < log->unit_count; i++)
        if (log->units[i].busy || log->units[i].issues)
            read_unit(log, i, log->units[i].issues ? thread++ : 0);
}

/* --- ordering --------------------------------------------------------------------------------- */

/* Stages in lanes of their visit: the first that is free. */
static void choose_lanes(struct log *log)
{
    uint64_t ends[LANES] = {0};
    if (log->stage_count)
        qsort(log->stages, log->stage_count, sizeof *log->stages, by_visit);
    for (size_t i = 0; i < log->stage_count; i++) {
        struct stage *s = &log->stages[i];
        if (i == 0 || s->visit != s[-1].visit)
            memset(ends, 0, sizeof ends);
        while (s->lane < LANES - 1 && ends[s->lane] > s->start)
            s->lane++;
        ends[s->lane] = s->end;
    }
}

static void add_event(struct log *log, uint64_t cycle, enum kind kind, size_t index)
{
    log->events[log->event_count++] = (struct event){cycle, index, kind};
}

static void order_events(struct log *log)
{
    log->events = malloc((2 * (log->visit_count + log->stage_count) + 1) * sizeof *log->events);
    if (!log->events) {
        rows_fail(&log->rc, SQLITE_NOMEM);
        return;
    }
    for (size_t i = 0; i < log->stage_count; i++) {
        add_event(log, log->stages[i].start, STAGE_BEGINS, i);
        add_event(log, log->stages[i].end, STAGE_ENDS, i);
    }
    for (size_t i = 0; i < log->visit_count; i++) {
        if (log->visits[i].end == log->visits[i].start)
            continue; /* nothing of it is in the window */
        add_event(log, log->visits[i].start, VISIT_BEGINS, i);
        add_event(log, log->visits[i].end, VISIT_ENDS, i);
    }
    qsort(log->events, log->event_count, sizeof *log->events, by_cycle);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A tab or the end of the line would end the field. */
static void put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        putc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

static const char *stage_name(const struct log *log, const struct stage *s)
{
    return s->unit == QUEUE              ? "queue"
           : s->unit == MOVE             ? "move"
           : !log->units[s->unit].issues ? log->units[s->unit].name
           : s->reason == REASON_BUSY    ? "Is"
           : s->reason < REASON_MAX      ? log->reasons[s->reason]
                                         : "wait";
}

static void put_begin(struct log *log, const struct visit *visit, size_t id,
                      sqlite3_stmt *statement, FILE *out)
{
    fprintf(out, "I\t%zu\t%" PRIu32 "\t%" PRIu32 "\n", id, visit->stmt, visit->thread);
    sqlite3_bind_int64(statement, 1, visit->stmt);
    if (rows_next(statement, &log->rc)) {
        fprintf(out, "L\t%zu\t0\t%lld: ", id, sqlite3_column_int64(statement, 1));
        put_text(out, rows_text(statement, 2));
        fprintf(out, "\nL\t%zu\t1\t", id);
        put_text(out, rows_text(statement, 0));
        fprintf(out, ":%lld\n", sqlite3_column_int64(statement, 1));
    }
    sqlite3_reset(statement);
}

static void put_events(struct log *log, FILE *out)
{
    sqlite3_stmt *statement =
        rows_select(log->db, "SELECT file, line, text FROM v_stmt WHERE stmt = ?1", &log->rc);
    size_t *ids = calloc(log->visit_count + 1, sizeof *ids);
    if (!ids)
        rows_fail(&log->rc, SQLITE_NOMEM);
    fputs("Kanata\t0004\n", out);
    uint64_t cycle = log->event_count ? log->events[0].cycle : log->from;
    fprintf(out, "C=\t%" PRIu64 "\n", cycle);
    size_t begun = 0, retired = 0;
    for (size_t i = 0; log->rc == SQLITE_OK && i < log->event_count; i++) {
        const struct event *e = &log->events[i];
        if (e->cycle != cycle)
            fprintf(out, "C\t%" PRIu64 "\n", e->cycle - cycle);
        cycle = e->cycle;
        if (e->kind == VISIT_BEGINS) {
            ids[e->index] = begun++;
            put_begin(log, &log->visits[e->index], ids[e->index], statement, out);
        } else if (e->kind == VISIT_ENDS) {
            fprintf(out, "R\t%zu\t%zu\t0\n", ids[e->index], retired++);
        } else {
            const struct stage *s = &log->stages[e->index];
            fprintf(out, "%s\t%zu\t%u\t", e->kind == STAGE_BEGINS ? "S" : "E", ids[s->visit],
                    (unsigned)s->lane);
            put_text(out, stage_name(log, s));
            putc('\n', out);
        }
    }
    sqlite3_finalize(statement);
    free(ids);
}

int konata_write(sqlite3 *db, uint64_t from, uint64_t to, FILE *out)
{
    struct log log = {.db = db, .from = from, .to = to};
    trace_reasons(db, log.reasons, &log.rc);
    collect(&log);
    choose_lanes(&log);
    order_events(&log);
    put_events(&log, out);
    free(log.units);
    free(log.visits);
    free(log.stages);
    free(log.events);
    if (fflush(out) || ferror(out))
        rows_fail(&log.rc, SQLITE_IOERR);
    return log.rc;
}
