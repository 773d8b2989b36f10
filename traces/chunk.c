#include "traces/chunk.h"

#include <stdbool.h>
#include <stdlib.h>

#include "host/grow.h"
#include "timing/sink.h"

#define LAST_CYCLE (UINT64_C(1) << 62)

enum { REASON_BITS = 5, LONGEST = 10 + 10 + 5 /* bytes of three numbers */ };
_Static_assert(REASON_MAX <= 1 << REASON_BITS, "a reason fits");

static uint8_t *put(uint8_t *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *out++ = (uint8_t)(value | 0x80);
    *out++ = (uint8_t)value;
    return out;
}

int chunk_add(struct chunk *chunk, const struct chunk_interval *interval)
{
    uint8_t *data = grow(chunk->data, &chunk->capacity, chunk->size + LONGEST, 1);
    if (!data)
        return -1;
    chunk->data = data;
    const uint32_t step = interval->stmt - chunk->stmt;
    uint8_t *out = chunk->data + chunk->size;
    out = put(out, (interval->start - chunk->finish) << REASON_BITS | interval->reason);
    out = put(out, interval->duration);
    out = put(out, (uint32_t)(step << 1) ^ (step >> 31 ? UINT32_MAX : 0));
    chunk->size = (size_t)(out - chunk->data);
    chunk->start = chunk->count ? chunk->start : interval->start;
    chunk->finish = interval->start + interval->duration;
    chunk->stmt = interval->stmt;
    chunk->count++;
    return 0;
}

void chunk_clear(struct chunk *chunk)
{
    *chunk = (struct chunk){.data = chunk->data, .capacity = chunk->capacity};
}

void chunk_free(struct chunk *chunk)
{
    free(chunk->data);
    *chunk = (struct chunk){0};
}

struct chunk_reader chunk_read(const void *data, size_t size)
{
    return (struct chunk_reader){.at = data, .end = size ? (const uint8_t *)data + size : data};
}

static bool get(struct chunk_reader *reader, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && reader->at != reader->end; shift += 7) {
        const uint8_t byte = *reader->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

int chunk_next(struct chunk_reader *reader, struct chunk_interval *interval)
{
    uint64_t head, duration, step;
    if (reader->at == reader->end)
        return 0;
    if (!get(reader, &head) || !get(reader, &duration) || !get(reader, &step) ||
        duration > LAST_CYCLE)
        return -1;
    const uint64_t start = reader->cycle + (head >> REASON_BITS);
    if (start + duration > LAST_CYCLE)
        return -1;
    reader->stmt += (uint32_t)(step >> 1) ^ (step & 1 ? UINT32_MAX : 0);
    reader->cycle = start + duration;
    *interval = (struct chunk_interval){.start = start,
                                        .duration = duration,
                                        .stmt = reader->stmt,
                                        .reason = (uint32_t)(head & ((1 << REASON_BITS) - 1))};
    return 1;
}
