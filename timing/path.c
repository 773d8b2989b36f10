#include "timing/path.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

enum { FEW_RECORDS = 1024 };
#define NO_HOLD UINT32_MAX

int path_init(struct path *path, const struct path_config *config)
{
    *path = (struct path){.config = *config};
    for (size_t s = 0; s < config->stream_count; s++) {
        config->streams[s].records = NULL;
        config->streams[s].count = config->streams[s].capacity = 0;
        config->streams[s].last = PATH_NONE;
    }
    return 0;
}

void path_free(struct path *path)
{
    for (size_t s = 0; s < path->config.stream_count; s++) {
        free(path->config.streams[s].records);
        path->config.streams[s].records = NULL;
    }
    free(path->holds);
    path->holds = NULL;
    path->hold_count = path->hold_capacity = 0;
}

static bool is_remembered(const struct path *path, uint64_t number)
{
    if (number == PATH_NONE)
        return false;
    const struct path_stream *stream = &path->config.streams[number >> PATH_STREAM];
    return (number & ((UINT64_C(1) << PATH_STREAM) - 1)) + stream->capacity >= stream->count;
}

static int make_room(struct path *path, struct path_stream *stream)
{
    const uint64_t share = path->config.remembered / path->config.stream_count;
    if (stream->count < stream->capacity ||
        (path->config.remembered && stream->capacity && 2 * stream->capacity > share))
        return 0;
    const size_t needed = stream->capacity ? stream->capacity + 1 : FEW_RECORDS;
    struct path_record *records = grow(stream->records, &stream->capacity, needed, sizeof *records);
    if (!records)
        return path->status = -1;
    stream->records = records;
    return 0;
}

uint64_t path_issue(struct path *path, const struct path_record *given)
{
    struct path_stream *stream = &path->config.streams[given->stream];
    if (make_room(path, stream) != 0)
        return PATH_NONE;
    const uint64_t number = (uint64_t)given->stream << PATH_STREAM | stream->count++;
    struct path_record *record = path_at(path, number);
    *record = *given;
    record->oldest = record->newest = PATH_NONE;
    record->holds = NO_HOLD;
    record->limit = INT64_MAX;
    record->before = stream->last;
    if (record->end > record->start)
        stream->last = number;
    return number;
}

void path_extend(struct path *path, uint32_t stream, uint64_t end)
{
    path_at(path, path->config.streams[stream].last)->end = end;
}

void path_meet(struct path *path, uint64_t older, uint64_t younger)
{
    path_at(path, older)->newest = younger;
    struct path_record *record = path_at(path, younger);
    if (record->oldest == PATH_NONE || older < record->oldest)
        record->oldest = older;
}

/* Holds come newest first. One that ended before the other was issued is not for the same. */
void path_held(struct path *path, uint64_t number, const struct path_hold *hold)
{
    struct path_record *record = path_at(path, number);
    const uint64_t issued = hold->by == PATH_NONE ? 0 : path_at(path, hold->by)->end;
    uint32_t *link = &record->holds;
    for (; *link != NO_HOLD && path->holds[*link].at >= issued; link = &path->holds[*link].next) {
        struct path_hold *known = &path->holds[*link];
        if (known->by != hold->by || known->unit != hold->unit || known->reason != hold->reason)
            continue;
        const uint32_t index = *link;
        known->times++;
        known->waited += hold->waited;
        known->at = hold->at;
        *link = known->next;
        known->next = record->holds;
        record->holds = index;
        return;
    }
    struct path_hold *holds =
        path->hold_count + 1 < NO_HOLD
            ? grow(path->holds, &path->hold_capacity, path->hold_count + 1, sizeof *holds)
            : NULL;
    if (!holds) {
        path->status = -1;
        return;
    }
    path->holds = holds;
    struct path_hold *new = &path->holds[path->hold_count];
    *new = *hold;
    new->first = hold->at;
    new->times = 1;
    new->next = record->holds;
    record->holds = (uint32_t)path->hold_count++;
}

void path_end(struct path *path, uint64_t number, uint64_t freed, uint64_t finished)
{
    struct path_record *record = path_at(path, number);
    record->freed = freed;
    record->finished = finished;
    record->over = true;
}

static int by_first(const void *a, const void *b)
{
    const struct path_hold *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

size_t path_holds(const struct path *path, uint64_t number, struct path_hold *holds, size_t size)
{
    size_t count = 0;
    for (uint32_t h = path_at(path, number)->holds; h != NO_HOLD; h = path->holds[h].next)
        if (count++ < size)
            holds[count - 1] = path->holds[h];
    if (count <= size)
        qsort(holds, count, sizeof *holds, by_first);
    return count;
}

/* --- the critical path ------------------------------------------------------------------------ */

struct walk {
    const struct path *path;
    struct sink_crit *rows; /* the latest first */
    size_t count, capacity;
    uint64_t at;      /* the path reaches back to here, ... */
    uint64_t ordinal; /* ... before this statement of ... */
    uint32_t stream, stmt;
    uint64_t number; /* newest record of the stream that may have stalled before, or PATH_NONE */
    int status;
};

/* The path goes back to `from`. Rows of one unit and reason that meet are one, unless they
 * represent activities that held each other. */
static void add_row(struct walk *walk, uint64_t from, struct sink_crit row, bool joins)
{
    struct sink_crit *last = walk->count ? &walk->rows[walk->count - 1] : NULL;
    row.start = from;
    row.duration = walk->at - from;
    walk->at = from;
    if (!row.duration || walk->status != 0)
        return;
    if (joins && last && last->unit == row.unit && last->reason == row.reason) {
        last->start = row.start;
        last->duration += row.duration;
        last->first_stmt = row.first_stmt;
        return;
    }
    struct sink_crit *rows = grow(walk->rows, &walk->capacity, walk->count + 1, sizeof *rows);
    if (!rows) {
        walk->status = -1;
        return;
    }
    walk->rows = rows;
    walk->rows[walk->count++] = row;
}

/* Of two that hold until the same cycle: the one that held longer, then the one that held first. */
static bool held_more(const struct path_hold *hold, const struct path_hold *than)
{
    return hold->waited != than->waited ? hold->waited > than->waited : hold->first < than->first;
}

/* What held the activity back last before `at`. */
static const struct path_hold *last_hold(const struct path *path, const struct path_record *record,
                                         uint64_t at)
{
    const struct path_hold *last = NULL;
    uint64_t latest = 0;
    for (uint32_t h = record->holds; h != NO_HOLD; h = path->holds[h].next) {
        const struct path_hold *hold = &path->holds[h];
        const uint64_t until = hold->at < at ? hold->at : at;
        if (hold->first >= at)
            continue;
        if (!last || until > latest || (until == latest && held_more(hold, last))) {
            last = hold;
            latest = until;
        }
    }
    return last;
}

/* The path continues with the issue of this record. */
static void walk_to(struct walk *walk, uint64_t number)
{
    const struct path_record *record = path_at(walk->path, number);
    walk->stream = record->stream;
    walk->stmt = record->stmt;
    walk->ordinal = record->ordinal;
    walk->number = record->end > record->start ? number : record->before;
}

/* What an activity does by itself, back to `from`. */
static void add_own_rows(struct walk *walk, const struct path_record *record, uint64_t from)
{
    struct sink_crit row = {.first_stmt = record->stmt,
                            .last_stmt = record->stmt,
                            .unit = record->unit,
                            .reason = REASON_LATENCY};
    if (walk->at > record->freed)
        add_row(walk, record->freed > from ? record->freed : from, row, false);
    row.reason = record->pace;
    if (walk->at > record->claimed)
        add_row(walk, record->claimed > from ? record->claimed : from, row, false);
    row.reason = REASON_LATENCY;
    add_row(walk, from, row, false);
}

/*
 * Back to the issue of an activity: its own work back to the last hold, then the activity that
 * held it. Where two held each other in turn, the unit is the path from the first hold on, and one
 * row names both. A wait for memory is the path, charged to the requester ahead of it.
 */
static void walk_activity(struct walk *walk, uint64_t number)
{
    const struct path *path = walk->path;
    for (;;) {
        const struct path_record *record = path_at(path, number);
        const struct path_hold *hold = last_hold(path, record, walk->at);
        const bool in_turn = hold && hold->at >= walk->at;
        struct sink_crit row = {
            .first_stmt = record->stmt, .last_stmt = record->stmt, .unit = record->unit};
        add_own_rows(walk, record, !hold ? record->end : in_turn ? walk->at : hold->at);
        if (!hold)
            break;
        if (hold->by != PATH_NONE)
            number = hold->by;
        row.first_stmt = path_at(path, number)->stmt;
        row.unit = hold->unit;
        row.reason = hold->pace;
        if (hold->reason == REASON_MEMORY) {
            row.reason = REASON_MEMORY;
            add_row(walk, in_turn || hold->times > 1 ? hold->from : hold->at - hold->waited, row,
                    false);
        } else if (in_turn) {
            add_row(walk, hold->first, row, false);
        }
        if (path_at(path, number)->end >= walk->at) /* in that cycle: the issue is the link */
            break;
    }
    walk_to(walk, number);
}

/* The stall, back to the record that released the stream. */
static void walk_stall(struct walk *walk, const struct path_record *record)
{
    const struct path *path = walk->path;
    struct sink_crit row = {.first_stmt = record->stmt,
                            .last_stmt = record->stmt,
                            .unit = path->config.streams[walk->stream].unit,
                            .reason = record->reason};
    walk->stmt = record->stmt;
    walk->ordinal = record->ordinal;
    if (!is_remembered(path, record->by)) {
        add_row(walk, record->start, row, true);
    } else if (record->waited != PATH_NONE) {
        add_row(walk, record->released, row, true);
        walk_activity(walk, record->by);
    } else { /* from the issue of the one that it needed */
        const struct path_record *by = path_at(path, record->by);
        row.first_stmt = by->stmt;
        row.unit = by->unit;
        row.reason = record->reason == REASON_PORT ? REASON_BUSY : record->reason;
        add_row(walk, by->end, row, true);
        walk_to(walk, record->by);
    }
}

/* The stream by itself, back to `from`, at ordinal `first`. */
static void walk_stream(struct walk *walk, uint64_t from, uint64_t first, uint32_t stmt)
{
    const struct path_config *config = &walk->path->config;
    const struct sink_crit row = {
        .first_stmt = stmt,
        .last_stmt = walk->stmt,
        .unit = config->streams[walk->stream].unit,
        .reason = config->does ? config->does(config->context, walk->stream, first, walk->ordinal)
                               : REASON_BUSY};
    add_row(walk, from, row, true);
}

/* The newest record of the stream that stalled and continued by walk->at, or NULL. */
static const struct path_record *stall_before(struct walk *walk)
{
    while (is_remembered(walk->path, walk->number)) {
        const struct path_record *record = path_at(walk->path, walk->number);
        walk->number = record->before;
        if (record->end <= walk->at && record->ordinal <= walk->ordinal)
            return record;
    }
    return NULL;
}

/* The activity ending in this cycle; ties: earliest issue, longest stall, lowest stream. PATH_NONE
 * if no activity ends. */
static uint64_t ends_at(const struct path *path, uint64_t total)
{
    uint64_t best = PATH_NONE;
    const struct path_record *first = NULL;
    for (uint64_t s = 0; s < path->config.stream_count; s++) {
        const struct path_stream *stream = &path->config.streams[s];
        const uint64_t forgotten =
            stream->count > stream->capacity ? stream->count - stream->capacity : 0;
        for (uint64_t n = stream->count; n-- > forgotten;) {
            const struct path_record *record = path_at(path, s << PATH_STREAM | n);
            if (record->over && record->finished == total &&
                (!first || record->end < first->end ||
                 (record->end == first->end && record->start < first->start))) {
                first = record;
                best = s << PATH_STREAM | n;
            }
        }
    }
    return best;
}

/* The end waits for a result of the stream: from the end of the step that made it. */
static void walk_landing(struct walk *walk)
{
    const struct path_stream *stream = &walk->path->config.streams[walk->stream];
    walk->ordinal = stream->landed_ordinal + 1;
    walk->stmt = (uint32_t)stream->landed_ordinal;
    const struct sink_crit row = {.first_stmt = walk->stmt,
                                  .last_stmt = walk->stmt,
                                  .unit = stream->landed_on,
                                  .reason = REASON_DATA};
    add_row(walk, stream->landed_from, row, true);
}

/* Where the path ends: the activity that finished last, or else the stream. */
static void walk_end(struct walk *walk, uint64_t total)
{
    const struct path *path = walk->path;
    const struct path_stream *streams = path->config.streams;
    walk->at = total;
    for (uint32_t s = 0; s < path->config.stream_count; s++)
        if (streams[s].now > streams[walk->stream].now)
            walk->stream = s;
    walk->ordinal = streams[walk->stream].ordinal;
    walk->number = streams[walk->stream].last;
    const uint64_t now = streams[walk->stream].now;
    walk->stmt = path->config.places || !walk->ordinal ? NONE_ID : (uint32_t)walk->ordinal - 1;
    if (now >= total && !path->config.places)
        return;
    const uint64_t n = ends_at(path, total);
    if (n != PATH_NONE && path->config.places) { /* its result is what is waited for */
        const struct path_record *record = path_at(path, n);
        const struct sink_crit row = {.first_stmt = record->stmt,
                                      .last_stmt = record->stmt,
                                      .unit = record->unit,
                                      .reason = REASON_DATA};
        walk_to(walk, n);
        add_row(walk, record->end, row, true);
        return;
    }
    if (n != PATH_NONE) {
        walk_activity(walk, n);
        return;
    }
    if (streams[walk->stream].landed == total && total > now) {
        walk_landing(walk);
        return;
    }
    const struct sink_crit row = {.first_stmt = walk->stmt, /* a run that was stopped */
                                  .last_stmt = walk->stmt,
                                  .unit = streams[walk->stream].unit,
                                  .reason = REASON_DRAINED};
    add_row(walk, now < total ? now : total, row, true);
}

int path_critical(const struct path *path, uint64_t total, struct sink_crit **rows, size_t *count)
{
    struct walk walk = {.path = path};
    *rows = NULL;
    *count = 0;
    if (!path->config.stream_count)
        return 0;
    walk_end(&walk, total);
    const struct path_record *record;
    uint64_t most = 0; /* records: bounds the walk if records form a cycle */
    for (uint32_t s = 0; s < path->config.stream_count; s++)
        most += path->config.streams[s].count;
    while (walk.status == 0 && most-- && (record = stall_before(&walk))) {
        walk_stream(&walk, record->end, record->ordinal, record->stmt);
        walk_stall(&walk, record);
    }
    walk_stream(&walk, 0, 0,
                walk.ordinal || walk.stmt != NONE_ID ? path->config.streams[walk.stream].first
                                                     : NONE_ID);
    for (size_t i = 0, j = walk.count; i + 1 < j; i++) {
        const struct sink_crit row = walk.rows[i];
        walk.rows[i] = walk.rows[--j];
        walk.rows[j] = row;
    }
    *rows = walk.rows;
    *count = walk.count;
    return walk.status;
}
