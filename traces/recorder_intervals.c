/* recorder_intervals: the intervals of units, packed (traces/chunk.h) or as plain rows. They go through
 * SQL as they come. */
#include <stdlib.h>

#include "traces/recorder_state.h"

static int flush_unit(struct recorder *r, uint32_t unit)
{
    struct slice_buffer *b = &r->slices[unit];
    if (!b->count) {
        return 0;
    }
    for (size_t i = 0; r->lazy && i < b->count; i++) {
        recorder_need_stmt(r, b->items[i].stmt);
    }
    static _Thread_local uint8_t data[CHUNK_BYTES];
    const size_t size = chunk_encode(b->items, b->count, data);
    const uint64_t start = b->items[0].start;
    const struct slice_item *last = &b->items[b->count - 1];
    const uint64_t finish = last->start + last->duration;
    sqlite3_stmt *s = r->insert_chunk;
    sqlite3_bind_int64(s, 1, (int64_t)++r->chunk_count);
    sqlite3_bind_int64(s, 2, unit);
    sqlite3_bind_int64(s, 3, (int64_t)start);
    sqlite3_bind_int64(s, 4, (int64_t)finish);
    sqlite3_bind_int64(s, 5, (int64_t)b->count);
    sqlite3_bind_blob64(s, 6, data, size, SQLITE_STATIC);
    seal_add(r, SEAL_slice_chunk, start + 3 * finish + 5 * b->count + 7 * size);
    r->pending_rows += size / 32;
    b->count = 0;
    return recorder_insert(r, s) || recorder_flush_now_and_then(r) ? -1 : 0;
}

int recorder_slice(void *self, uint32_t unit, enum reason reason, uint32_t stmt,
                          uint64_t start, uint64_t duration)
{
    struct recorder *r = self;
    if (duration == 0 || unit >= r->unit_count) {
        return 0;
    }
    if (start < r->options.window_to && start + duration > r->options.window_from) {
        seal_add(r, SEAL_slice_row, start + 3 * duration);
        r->pending_rows++;
        recorder_need_stmt(r, stmt);
        if (recorder_sql(
                r, bulk_add(&r->slice_row, (const int64_t[]){unit, reason, id_or_null(stmt),
                                                             (int64_t)start, (int64_t)duration})) ||
            recorder_flush_now_and_then(r)) {
            return -1;
        }
    }
    if (r->options.detail != DETAIL_CHUNKS) {
        return 0;
    }
    struct slice_buffer *b = &r->slices[unit];
    if (!b->items && !(b->items = malloc(CHUNK_ITEMS * sizeof *b->items))) {
        return recorder_fail(r, "out of memory");
    }
    b->items[b->count++] = (struct slice_item){
        .start = start, .duration = duration, .stmt = stmt, .reason = (uint32_t)reason};
    return b->count == CHUNK_ITEMS ? flush_unit(r, unit) : 0;
}

static int flush_steps(struct recorder *r)
{
    struct step_buffer *b = &r->steps;
    if (b->count == b->carried) {
        return 0;
    }
    for (size_t i = b->carried; r->lazy && i < b->count; i++) {
        recorder_need_stmt(r, b->items[i].stmt);
    }
    static _Thread_local uint8_t data[CHUNK_BYTES];
    const size_t size = chunk_encode_stream(b->items, b->count, data);
    const uint64_t start = b->items[b->carried].start, own = b->count - b->carried;
    sqlite3_stmt *s = r->insert_steps;
    sqlite3_bind_int64(s, 1, (int64_t)++b->chunks);
    sqlite3_bind_int64(s, 2, (int64_t)start);
    sqlite3_bind_int64(s, 3, (int64_t)b->finish);
    sqlite3_bind_int64(s, 4, (int64_t)b->carried);
    sqlite3_bind_int64(s, 5, (int64_t)own);
    sqlite3_bind_blob64(s, 6, data, size, SQLITE_STATIC);
    seal_add(r, SEAL_step_chunk, start + 3 * b->finish + 5 * own + 7 * size + 11 * b->carried);
    r->pending_rows += size / 32;
    /* What still works when the next item starts, which is not before the last one did. */
    const struct slice_item *last = &b->items[b->count - 1];
    const uint64_t now = last->reason == REASON_BUSY ? last->start : last->start + last->duration;
    size_t first = b->count, kept = 0;
    while (first > 0 && b->items[first - 1].start + b->longest > now) {
        first--;
    }
    for (size_t i = first; i < b->count; i++) {
        if (b->items[i].reason == REASON_BUSY) {
            b->items[kept++] = b->items[i];
        }
    }
    b->count = b->carried = kept < CHUNK_ITEMS / 2 ? kept : 0;
    b->finish = 0;
    return recorder_insert(r, s) || recorder_flush_now_and_then(r) ? -1 : 0;
}

int recorder_pattern(void *self, const struct sink_part *parts, size_t count)
{
    struct recorder *r = self;
    struct step_buffer *b = &r->steps;
    if (b->pattern_count == b->pattern_capacity) {
        const size_t capacity = b->pattern_capacity ? b->pattern_capacity * 2 : 64;
        uint32_t *reach = realloc(b->reach, capacity * sizeof *reach);
        if (!reach) {
            return recorder_fail(r, "out of memory");
        }
        b->reach = reach;
        b->pattern_capacity = capacity;
    }
    sqlite3_stmt *s = recorder_prepare(r, "INSERT INTO pattern VALUES (?, ?, ?, ?)");
    uint32_t reach = 0;
    for (size_t i = 0; s && i < count && !r->failed; i++) {
        unsigned same = 0;
        for (size_t k = 0; k <= i; k++) {
            same += parts[k].unit == parts[i].unit;
        }
        if (same > SINK_UNIT_PARTS) {
            recorder_fail(r, "a step keeps a unit busy in too many pieces");
        }
        const uint32_t end = parts[i].offset + parts[i].duration;
        reach = end > reach ? end : reach;
        seal_add(r, SEAL_pattern, (uint64_t)parts[i].offset + 3 * (uint64_t)parts[i].duration);
        sqlite3_bind_int64(s, 1, (int64_t)b->pattern_count);
        sqlite3_bind_int64(s, 2, parts[i].unit);
        sqlite3_bind_int64(s, 3, parts[i].offset);
        sqlite3_bind_int64(s, 4, parts[i].duration);
        recorder_insert(r, s);
    }
    sqlite3_finalize(s);
    b->reach[b->pattern_count++] = reach;
    b->longest = reach > b->longest ? reach : b->longest;
    return r->failed ? -1 : 0;
}

static int add_step(struct recorder *r, const struct slice_item *item, uint64_t finish)
{
    struct step_buffer *b = &r->steps;
    if (!b->items && !(b->items = malloc(CHUNK_ITEMS * sizeof *b->items))) {
        return recorder_fail(r, "out of memory");
    }
    b->items[b->count++] = *item;
    b->finish = finish > b->finish ? finish : b->finish;
    return b->count == CHUNK_ITEMS ? flush_steps(r) : 0;
}

int recorder_step(void *self, uint32_t pattern, uint32_t stmt, uint64_t start)
{
    struct recorder *r = self;
    const struct slice_item item = {
        .start = start, .duration = pattern, .stmt = stmt, .reason = REASON_BUSY};
    return add_step(r, &item, start + r->steps.reach[pattern]);
}

int recorder_hold(void *self, enum reason reason, uint32_t stmt, uint64_t start,
                         uint64_t duration)
{
    const struct slice_item item = {
        .start = start, .duration = duration, .stmt = stmt, .reason = (uint32_t)reason};
    return add_step(self, &item, start + duration);
}

int recorder_flush_intervals(struct recorder *r)
{
    if (flush_steps(r)) {
        return -1;
    }
    for (uint32_t u = 0; u < r->unit_count; u++) {
        if (flush_unit(r, u)) {
            return -1;
        }
    }
    return 0;
}
