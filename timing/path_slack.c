/* path_slack: how much later each statement could issue without a later end of the run. The records
 * are read backwards. */
#include "timing/path.h"

#include <stdlib.h>

#include "host/grow.h"

/* A rigid activity on a unit. */
struct use {
    int64_t claimed, loose;
};

/* All that are still to come on a unit, the nearest last. */
struct uses {
    struct use *rows;
    size_t count, capacity;
};

/* From the activity `oldest` on, to a later one, activities must keep their distance. */
struct pair {
    uint64_t oldest;
    int64_t absorbed;
};

/* The next operation of a stream on a unit. */
struct turn {
    int64_t order, ready, issued; /* its stream reached it, it was ready, it issued */
    int64_t pushed;               /* how much later others may make it go */
    bool any;
};

/* Bounds on how far an activity may move: units still held, data not ready, and the arrival order
 * of its stream. */
struct room {
    int64_t pushed, own, order;
};

struct stream_slack {
    int64_t slack;    /* how much later it may be at this point, in whole steps */
    int64_t absorbed; /* least delay that the stalls after this point absorb ... */
    int64_t loose;    /* ... and the greatest */
    uint64_t ordinal; /* statements before this have no slack yet */
    uint64_t left;    /* records in front of this point */
};

struct backwards {
    const struct path *path;
    int64_t total;
    struct stream_slack *streams;
    int64_t *need; /* [stream][place] latest cycle in which it must be ready */
    struct uses uses[PATH_UNITS];
    struct turn *turns; /* [unit][stream] */
    struct pair *pairs; /* the nearest last, which reaches back further than those before */
    size_t pair_count;
    int64_t *slack; /* by statement; -1: none */
    int status;     /* -1 once the host had no memory */
};

enum { FAR = 1 << 20 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t whole_steps(int64_t cycles, uint64_t quantum)
{
    return cycles / (int64_t)quantum * (int64_t)quantum;
}

/* A rigid activity may come as near to the next one as the gap between them. Those that it meets
 * come before that. */
static int64_t rigid_slack(const struct uses *uses, const struct path_record *record, int64_t loose)
{
    size_t low = 0, high = uses->count; /* of those that come after it */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (uses->rows[middle].claimed >= (int64_t)record->freed)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return INT64_MAX;
    const int64_t gap = uses->rows[low - 1].claimed - (int64_t)record->freed;
    return loose - uses->rows[low - 1].loose > gap ? gap : INT64_MAX;
}

static void rigid_room(const struct backwards *walk, const struct path_record *record,
                       struct room *room)
{
    const int64_t loose = walk->streams[record->stream].loose;
    if (record->newest != PATH_NONE && loose != path_at(walk->path, record->newest)->limit)
        room->own = 0;
    for (uint64_t left = record->units; left; left &= left - 1)
        room->own =
            least(room->own, rigid_slack(&walk->uses[__builtin_ctzll(left)], record, loose));
}

/* The next operation on a unit may be pushed, but must not become ready before this operation
 * starts, unless it arrived later. */
static void turn_room(const struct turn *turn, const struct path_record *record, bool same,
                      struct room *room)
{
    const int64_t gap = turn->ready - 1 - (int64_t)record->end;
    room->pushed = least(room->pushed, turn->pushed + turn->issued - (int64_t)record->freed);
    if (same)
        return;
    room->own = least(room->own, gap > 0 ? gap : 0);
    if (gap >= 0 && (int64_t)record->start >= turn->order)
        room->pushed = least(room->pushed, gap);
}

static void single_room(const struct backwards *walk, const struct path_record *record,
                        struct room *room)
{
    const size_t streams = walk->path->config.stream_count;
    for (uint64_t left = record->units; left; left &= left - 1) {
        const struct turn *turns = walk->turns + (size_t)__builtin_ctzll(left) * streams;
        for (size_t s = 0; s < streams; s++)
            if (turns[s].any)
                turn_room(&turns[s], record, s == record->stream, room);
        for (size_t s = 0; s < streams; s++) {
            const int64_t behind = turns[s].order - 1 - (int64_t)record->start;
            if (turns[s].any && s != record->stream &&
                turns[s].ready <= (int64_t)record->end + room->pushed)
                room->order = least(room->order, behind > 0 ? behind : 0);
        }
    }
}

/* The latest issue that places allow. */
static int64_t places_slack(const struct backwards *walk, const struct path_record *record,
                            const struct path_shape *shape)
{
    const size_t places = walk->path->config.places;
    const int64_t *need = walk->need + record->stream * places;
    int64_t slack = INT64_MAX;
    for (size_t p = 0; p < places; p++)
        if (shape->writes[p / 64] >> p % 64 & 1)
            slack = least(slack, need[p] - (int64_t)(shape->latency + record->end));
    return slack;
}

/* Places need what this statement reads, and an earlier write must have landed before its own. */
static void pass_places(struct backwards *walk, const struct path_record *record,
                        const struct path_shape *shape, int64_t slack)
{
    const size_t places = walk->path->config.places;
    int64_t *need = walk->need + record->stream * places;
    const int64_t latest = (int64_t)record->end + slack;
    for (size_t p = 0; p < places; p++) {
        if (shape->writes[p / 64] >> p % 64 & 1)
            need[p] = latest + (int64_t)shape->latency;
        if (shape->reads[p / 64] >> p % 64 & 1)
            need[p] = least(need[p], latest);
    }
}

static struct room activity_room(struct backwards *walk, uint64_t number)
{
    const struct path_config *config = &walk->path->config;
    const struct path_record *record = path_at(walk->path, number);
    const uint64_t quantum = config->streams[record->stream].quantum;
    int64_t slack = least(walk->streams[record->stream].slack, record->limit);
    struct path_shape shape;
    slack = least(slack, walk->total - (int64_t)record->finished);
    if (walk->need) {
        config->shape(config->context, record->stmt, &shape);
        slack = least(slack, places_slack(walk, record, &shape));
    }
    if (record->pinned)
        slack = 0;
    struct room room = {slack, slack, INT64_MAX};
    if (record->rigid)
        rigid_room(walk, record, &room);
    else
        single_room(walk, record, &room);
    room.pushed = whole_steps(room.pushed, quantum);
    room.own = whole_steps(least(room.own, room.pushed), quantum);
    if (walk->need)
        pass_places(walk, record, &shape, room.own);
    return room;
}

static void pass_unit(struct backwards *walk, unsigned unit, const struct path_record *record,
                      int64_t pushed)
{
    struct turn *turns = walk->turns + (size_t)unit * walk->path->config.stream_count;
    struct uses *uses = &walk->uses[unit];
    if (!record->rigid) {
        turns[record->stream] = (struct turn){.order = (int64_t)record->start,
                                              .ready = (int64_t)record->claimed,
                                              .issued = (int64_t)record->end,
                                              .pushed = pushed,
                                              .any = true};
        return;
    }
    struct use *rows = grow(uses->rows, &uses->capacity, uses->count + 1, sizeof *rows);
    if (!rows) {
        walk->status = -1;
        return;
    }
    uses->rows = rows;
    rows[uses->count++] =
        (struct use){(int64_t)record->claimed, walk->streams[record->stream].loose};
}

/* The activity comes after those that are still to come. */
static void pass_activity(struct backwards *walk, uint64_t number, int64_t pushed)
{
    struct path_record *record = path_at(walk->path, number);
    const struct stream_slack *stream = &walk->streams[record->stream];
    record->limit = stream->loose;
    for (uint64_t left = record->units; left; left &= left - 1)
        pass_unit(walk, (unsigned)__builtin_ctzll(left), record, pushed);
    if (record->oldest == PATH_NONE)
        return;
    while (walk->pair_count && walk->pairs[walk->pair_count - 1].oldest >= record->oldest)
        walk->pair_count--;
    walk->pairs[walk->pair_count++] = (struct pair){record->oldest, stream->absorbed};
}

/* The stream's statements between record `number` and the previous one. */
static int64_t slack_here(struct backwards *walk, const struct stream_slack *stream,
                          uint64_t number)
{
    while (walk->pair_count && walk->pairs[walk->pair_count - 1].oldest >= number)
        walk->pair_count--;
    int64_t slack = stream->slack;
    if (walk->pair_count)
        slack = least(slack, stream->absorbed - walk->pairs[walk->pair_count - 1].absorbed);
    return slack;
}

static void set_slack(struct backwards *walk, uint64_t stmt, int64_t slack)
{
    int64_t *of = &walk->slack[stmt];
    if (*of < 0 || slack < *of)
        *of = slack;
}

/* Statements without a record, from ordinal `first` on. */
static void set_quiet(struct backwards *walk, struct stream_slack *stream, uint64_t first,
                      uint64_t number)
{
    if (stream->ordinal <= first)
        return;
    const int64_t slack = slack_here(walk, stream, number);
    for (; stream->ordinal > first && !walk->need; stream->ordinal--)
        set_slack(walk, stream->ordinal - 1, slack);
}

/* Record `number` stalled. What it waited for may end later, as far as the statement may issue
 * later. */
static void pass_stall(struct backwards *walk, uint64_t number)
{
    const struct path *path = walk->path;
    const struct path_record *record = path_at(path, number);
    const struct path_stream *facts = &path->config.streams[record->stream];
    struct stream_slack *stream = &walk->streams[record->stream];
    const int64_t slack = slack_here(walk, stream, number);
    for (uint64_t n = record->waited; n != PATH_NONE; n = path_at(path, n)->older) {
        struct path_record *waited = path_at(path, n);
        waited->limit = least(waited->limit, (int64_t)(record->end - waited->finished) + slack);
    }
    const int64_t stalled = (int64_t)(record->end - record->start), near = (int64_t)facts->near;
    const int64_t taken = record->absorbs && stalled > near ? stalled - near : 0;
    stream->slack += taken;
    if (record->landed) /* results of those before it land later, too */
        stream->slack = least(stream->slack,
                              whole_steps(walk->total - (int64_t)record->landed, facts->quantum));
    stream->absorbed += taken;
    stream->loose += stalled;
}

/* The latest of the records that are left; PATH_NONE: there is none. */
static uint64_t take_latest(struct backwards *walk)
{
    const struct path_config *config = &walk->path->config;
    uint64_t latest = PATH_NONE;
    for (uint64_t s = 0; s < config->stream_count; s++) {
        const uint64_t n = s << PATH_STREAM | (walk->streams[s].left - 1);
        if (walk->streams[s].left &&
            (latest == PATH_NONE || path_at(walk->path, n)->end > path_at(walk->path, latest)->end))
            latest = n;
    }
    if (latest != PATH_NONE)
        walk->streams[latest >> PATH_STREAM].left--;
    return latest;
}

static void go_back(struct backwards *walk)
{
    const struct path *path = walk->path;
    for (uint64_t n; walk->status == 0 && (n = take_latest(walk)) != PATH_NONE;) {
        const struct path_record *record = path_at(path, n);
        struct stream_slack *stream = &walk->streams[record->stream];
        set_quiet(walk, stream, record->ordinal + 1, n + 1);
        struct room room = {0, 0, INT64_MAX};
        if (record->active) {
            room = activity_room(walk, n);
            stream->slack = room.own;
            pass_activity(walk, n, room.pushed);
        }
        if (walk->need)
            set_slack(walk, record->stmt, stream->slack);
        else
            set_quiet(walk, stream, record->ordinal, n);
        pass_stall(walk, n);
        stream->slack = least(stream->slack, room.order);
    }
    for (uint32_t s = 0; s < path->config.stream_count && !walk->need; s++)
        set_quiet(walk, &walk->streams[s], 0, 0);
}

static int make_ranges(const struct backwards *walk, struct sink_slack **rows, size_t *count)
{
    const size_t stmts = walk->path->config.stmt_count;
    size_t ranges = 0;
    for (size_t i = 0; i < stmts; i++)
        ranges += walk->slack[i] >= 0 && (i == 0 || walk->slack[i] != walk->slack[i - 1]);
    *rows = malloc((ranges + 1) * sizeof **rows);
    if (!*rows)
        return -1;
    for (uint32_t i = 0; i < stmts; i++)
        if (walk->slack[i] >= 0 && (i == 0 || walk->slack[i] != walk->slack[i - 1]))
            (*rows)[(*count)++] = (struct sink_slack){i, i, walk->slack[i], false};
        else if (walk->slack[i] >= 0)
            (*rows)[*count - 1].last_stmt = i;
    return 0;
}

/* Of a stream with what has landed. */
static uint64_t end_of(const struct path_stream *stream)
{
    return stream->landed > stream->now ? stream->landed : stream->now;
}

int path_slack(const struct path *path, uint64_t total, struct sink_slack **rows, size_t *count)
{
    const struct path_config *config = &path->config;
    *rows = NULL;
    *count = 0;
    uint64_t records = 0;
    if (config->no_slack)
        return 0;
    for (size_t s = 0; s < config->stream_count; s++) {
        records += config->streams[s].count;
        if (config->streams[s].count > config->streams[s].capacity)
            return 0; /* of a part alone it would not be the slack of the statement */
    }
    const size_t streams = config->stream_count, places = streams * config->places;
    struct backwards walk = {.path = path,
                             .total = (int64_t)total,
                             .streams = calloc(streams + 1, sizeof *walk.streams),
                             .need = places ? malloc(places * sizeof *walk.need) : NULL,
                             .turns = calloc(PATH_UNITS * streams + 1, sizeof *walk.turns),
                             .pairs = malloc((records + 1) * sizeof *walk.pairs),
                             .slack = malloc((config->stmt_count + 1) * sizeof *walk.slack)};
    int status = -1;
    if (walk.streams && walk.turns && (walk.need || !places) && walk.pairs && walk.slack) {
        for (size_t s = 0; s < streams; s++)
            walk.streams[s] = (struct stream_slack){
                .slack = whole_steps((int64_t)total - (int64_t)end_of(&config->streams[s]),
                                     config->streams[s].quantum),
                .ordinal = config->streams[s].ordinal,
                .left = config->streams[s].count};
        for (size_t p = 0; p < places; p++)
            walk.need[p] = (int64_t)total + FAR;
        for (size_t i = 0; i < config->stmt_count; i++)
            walk.slack[i] = -1;
        go_back(&walk);
        status = walk.status == 0 ? make_ranges(&walk, rows, count) : -1;
    }
    for (size_t u = 0; u < PATH_UNITS; u++)
        free(walk.uses[u].rows);
    free(walk.streams);
    free(walk.need);
    free(walk.turns);
    free(walk.pairs);
    free(walk.slack);
    return status;
}
