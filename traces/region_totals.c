#include "traces/region_totals.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

/* From this cycle on an issuing unit is at statements of the region. */
struct cut {
    uint64_t start;
    uint32_t region;
};

struct stream {
    struct cut *cuts; /* neighbours are of different regions */
    size_t count, capacity;
    uint64_t known; /* end of its last interval */
};

struct region_totals {
    size_t units, regions; /* regions: region 0 included */
    uint32_t *stmts;       /* region of each statement */
    size_t stmt_count;
    uint32_t *stream_of;           /* by unit: the issuing unit that it follows */
    struct stream *streams;        /* by unit; only those of issuing units are used */
    struct sink_interval *pending; /* the streams may not have ended yet */
    size_t pending_count, pending_capacity, pending_limit;
    uint64_t *cycles, *events; /* [region][unit][REASON_MAX] */
};

/* Parts of a path, "chip.cluster0", that two have in common. */
static size_t common(const char *a, const char *b)
{
    size_t parts = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++)
        parts += a[i] == '.';
    return parts + ((!a[i] || a[i] == '.') && (!b[i] || b[i] == '.'));
}

/* The issuing unit that each unit follows; itself when there is none. */
static void find_streams(struct region_totals *t, const struct sink_header *header)
{
    for (uint32_t u = 0; u < t->units; u++) {
        size_t best = 0;
        t->stream_of[u] = u;
        for (uint32_t i = 0; i < t->units && strcmp(header->units[u].kind, "issue"); i++) {
            if (strcmp(header->units[i].kind, "issue"))
                continue;
            const size_t shared = 1 + common(header->units[u].path, header->units[i].path);
            if (shared > best)
                t->stream_of[u] = i;
            best = shared > best ? shared : best;
        }
    }
}

struct region_totals *region_totals_new(const struct sink_header *header)
{
    struct region_totals *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->units = header->unit_count;
    t->regions = header->region_count + 1;
    t->stmt_count = header->stmt_count;
    t->stmts = malloc((t->stmt_count + 1) * sizeof *t->stmts);
    t->stream_of = malloc((t->units + 1) * sizeof *t->stream_of);
    t->streams = calloc(t->units + 1, sizeof *t->streams);
    t->cycles = calloc(t->regions * t->units * REASON_MAX + 1, sizeof *t->cycles);
    t->events = calloc(t->regions * t->units * REASON_MAX + 1, sizeof *t->events);
    if (!t->stmts || !t->stream_of || !t->streams || !t->cycles || !t->events) {
        region_totals_free(t);
        return NULL;
    }
    for (size_t i = 0; i < t->stmt_count; i++)
        t->stmts[i] = header->stmts[i].region;
    find_streams(t, header);
    return t;
}

void region_totals_free(struct region_totals *t)
{
    if (!t)
        return;
    for (size_t u = 0; t->streams && u < t->units; u++)
        free(t->streams[u].cuts);
    free(t->streams);
    free(t->stmts);
    free(t->stream_of);
    free(t->pending);
    free(t->cycles);
    free(t->events);
    free(t);
}

static size_t cell(const struct region_totals *t, uint32_t region, uint32_t unit, uint32_t reason)
{
    return (region * t->units + unit) * REASON_MAX + reason;
}

/* Cycles [from, to) of what an interval says, all in one region. */
static void charge(struct region_totals *t, const struct sink_interval *interval, uint32_t region,
                   uint64_t from, uint64_t to)
{
    const size_t at = cell(t, region, interval->unit, interval->reason);
    t->cycles[at] += to - from;
    t->events[at] += from == interval->start;
}

/* An interval that ends where the stream is known. */
static void divide(struct region_totals *t, const struct sink_interval *interval)
{
    const struct stream *stream = &t->streams[t->stream_of[interval->unit]];
    const uint64_t end = interval->start + interval->duration;
    size_t low = 0, high = stream->count; /* the first cut after the start */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (stream->cuts[middle].start <= interval->start)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint64_t from = interval->start; from < end; low++) {
        const uint64_t stop =
            low < stream->count && stream->cuts[low].start < end ? stream->cuts[low].start : end;
        charge(t, interval, low ? stream->cuts[low - 1].region : 0, from, stop);
        from = stop;
    }
}

static int add_cut(struct stream *stream, uint64_t start, uint32_t region)
{
    if (stream->count ? stream->cuts[stream->count - 1].region == region : region == 0)
        return 0;
    struct cut *cuts = grow(stream->cuts, &stream->capacity, stream->count + 1, sizeof *cuts);
    if (!cuts)
        return -1;
    stream->cuts = cuts;
    cuts[stream->count++] = (struct cut){start, region};
    return 0;
}

/* The intervals of an issuing unit give the position of its stream. */
static int follow(struct region_totals *t, const struct sink_interval *interval)
{
    struct stream *stream = &t->streams[interval->unit];
    const uint32_t region = interval->stmt < t->stmt_count ? t->stmts[interval->stmt] : 0;
    if (interval->start > stream->known && add_cut(stream, stream->known, 0) != 0)
        return -1;
    stream->known = interval->start + interval->duration;
    charge(t, interval, region, interval->start, stream->known);
    return add_cut(stream, interval->start, region);
}

static void settle(struct region_totals *t, bool all)
{
    size_t left = 0;
    for (size_t i = 0; i < t->pending_count; i++) {
        const struct sink_interval *p = &t->pending[i];
        if (all || p->start + p->duration <= t->streams[t->stream_of[p->unit]].known)
            divide(t, p);
        else
            t->pending[left++] = *p;
    }
    t->pending_count = left;
    t->pending_limit = 2 * left < 4096 ? 4096 : 2 * left;
}

int region_totals_add(struct region_totals *t, const struct sink_interval *interval)
{
    if (t->stream_of[interval->unit] == interval->unit)
        return follow(t, interval);
    if (t->pending_count >= t->pending_limit)
        settle(t, false);
    struct sink_interval *pending =
        grow(t->pending, &t->pending_capacity, t->pending_count + 1, sizeof *pending);
    if (!pending)
        return -1;
    t->pending = pending;
    pending[t->pending_count++] = *interval;
    return 0;
}

/* Cycles in which a stream is in a region. */
static uint64_t length(const struct stream *stream, uint32_t region)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < stream->count; i++)
        if (stream->cuts[i].region == region)
            sum += (i + 1 < stream->count ? stream->cuts[i + 1].start : stream->known) -
                   stream->cuts[i].start;
    return sum;
}

/* In a region's time a unit is idle when nothing else is said of it. */
static void fill_idle(struct region_totals *t)
{
    for (uint32_t r = 1; r < t->regions; r++)
        for (uint32_t u = 0; u < t->units; u++) {
            uint64_t *cycles = &t->cycles[cell(t, r, u, 0)];
            uint64_t idle = length(&t->streams[t->stream_of[u]], r);
            for (uint32_t reason = 0; reason < REASON_MAX; reason++)
                idle -= cycles[reason] < idle ? cycles[reason] : idle;
            cycles[REASON_IDLE] += idle;
        }
}

struct sink_unit_total *region_totals_finish(struct region_totals *t,
                                             const struct sink_unit_total *rows, size_t row_count,
                                             size_t *count)
{
    struct sink_unit_total *divided = malloc((row_count * t->regions + 1) * sizeof *divided);
    *count = 0;
    for (size_t u = 0; u < t->units; u++) /* after the last statement: the rest */
        if (t->stream_of[u] == u && add_cut(&t->streams[u], t->streams[u].known, 0) != 0)
            goto no_memory;
    settle(t, true);
    fill_idle(t);
    for (size_t i = 0; divided && i < row_count; i++) {
        struct sink_unit_total rest = rows[i];
        const size_t place = (*count)++;
        for (uint32_t r = 1; r < t->regions; r++) {
            const size_t at = cell(t, r, rest.unit, rest.reason);
            struct sink_unit_total row = rest;
            row.region = r;
            row.cycles = t->cycles[at] < rest.cycles ? t->cycles[at] : rest.cycles;
            row.events = t->events[at] < rest.events ? t->events[at] : rest.events;
            rest.cycles -= row.cycles;
            rest.events -= row.events;
            if (row.cycles)
                divided[(*count)++] = row;
        }
        divided[place] = rest;
    }
    return divided;
no_memory:
    free(divided);
    return NULL;
}
