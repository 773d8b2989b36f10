#include "traces/chunk.h"

#include <stdbool.h>
#include <string.h>

#include "timing/sink.h"

/* Of a start and of a duration, read from a file. */
#define CHUNK_LAST (UINT64_C(1) << 62)

struct token {
    uint64_t gap, duration;
    uint32_t stmt_step; /* modulo 2^32 */
    uint32_t reason;
};

static bool same(const struct token *a, const struct token *b)
{
    return a->duration == b->duration && a->stmt_step == b->stmt_step && a->gap == b->gap &&
           a->reason == b->reason;
}

static uint8_t *put(uint8_t *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

static uint64_t zigzag(uint32_t step)
{
    return (step << 1) ^ (step & 0x80000000u ? UINT32_MAX : 0);
}

static uint32_t unzigzag(uint64_t value)
{
    const uint32_t v = (uint32_t)value;
    return (v >> 1) ^ (v & 1 ? UINT32_MAX : 0);
}

enum { HASH_BITS = 10, MATCH_LEAST = 4 };

static uint32_t hash_pair(const struct token *t)
{
    uint64_t h = t[0].duration * 0x9e3779b97f4a7c15u + t[0].stmt_step;
    h = (h ^ t[0].gap) * 0xbf58476d1ce4e5b9u + t[0].reason;
    h = (h ^ (h >> 29) ^ t[1].duration) * 0x94d049bb133111ebu + t[1].stmt_step + t[1].reason;
    return (uint32_t)(h >> (64 - HASH_BITS));
}

/* Where the next gap begins. */
static uint64_t after(const struct slice_item *item, bool stream)
{
    return stream && item->reason == REASON_BUSY ? item->start : item->start + item->duration;
}

static size_t encode(const struct slice_item *items, size_t count, bool stream, uint8_t *out)
{
    static _Thread_local struct token tokens[CHUNK_ITEMS];
    uint64_t end = 0;
    uint32_t stmt = 0;
    for (size_t i = 0; i < count; i++) {
        tokens[i] = (struct token){.gap = items[i].start - end,
                                   .duration = items[i].duration,
                                   .stmt_step = items[i].stmt - stmt,
                                   .reason = items[i].reason};
        end = after(&items[i], stream);
        stmt = items[i].stmt;
    }
    uint16_t last[1 << HASH_BITS]; /* position + 1 */
    memset(last, 0, sizeof last);
    uint8_t *const begin = out;
    for (size_t i = 0; i < count;) {
        if (i + 1 < count) {
            const uint32_t h = hash_pair(tokens + i);
            const size_t before = last[h];
            last[h] = (uint16_t)(i + 1);
            if (before) {
                const size_t distance = i - (before - 1);
                size_t length = 0;
                while (i + length < count &&
                       same(tokens + i + length, tokens + i + length - distance)) {
                    length++;
                }
                if (length >= MATCH_LEAST) {
                    out = put(out, (uint64_t)distance << 1 | 1);
                    out = put(out, length);
                    i += length;
                    continue;
                }
            }
        }
        /* A gap of 2^59 cycles and more does not occur: 24 years at 1 GHz. */
        out = put(out, tokens[i].gap << 5 | (uint64_t)tokens[i].reason << 1);
        out = put(out, tokens[i].duration);
        out = put(out, zigzag(tokens[i].stmt_step));
        i++;
    }
    return (size_t)(out - begin);
}

size_t chunk_encode(const struct slice_item *items, size_t count, uint8_t *out)
{
    return encode(items, count, false, out);
}

size_t chunk_encode_stream(const struct slice_item *items, size_t count, uint8_t *out)
{
    return encode(items, count, true, out);
}

static bool get(const uint8_t **data, const uint8_t *end, uint64_t *value)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (*data == end) {
            return false;
        }
        const uint8_t byte = *(*data)++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *value = v;
            return true;
        }
    }
    return false;
}

static int decode(const uint8_t *data, size_t size, bool stream, struct slice_item *items,
                  size_t *count)
{
    const uint8_t *const end = data + size;
    uint64_t cycle = 0;
    uint32_t stmt = 0;
    size_t n = 0;
    while (data != end) {
        uint64_t head, a, b;
        if (!get(&data, end, &head) || !get(&data, end, &a)) {
            return -1;
        }
        if (head & 1) {
            const uint64_t distance = head >> 1;
            if (distance == 0 || distance > n || a > CHUNK_ITEMS - n) {
                return -1;
            }
            for (uint64_t k = 0; k < a; k++, n++) {
                /* The operation `distance` before, applied again. */
                const size_t from = n - (size_t)distance;
                const uint64_t before_end = from ? after(&items[from - 1], stream) : 0;
                const uint32_t before_stmt = from ? items[from - 1].stmt : 0;
                items[n] = (struct slice_item){.start = cycle + (items[from].start - before_end),
                                               .duration = items[from].duration,
                                               .stmt = stmt + (items[from].stmt - before_stmt),
                                               .reason = items[from].reason};
                cycle = after(&items[n], stream);
                stmt = items[n].stmt;
                if (cycle > CHUNK_LAST) {
                    return -1;
                }
            }
            continue;
        }
        const uint32_t reason = (uint32_t)(head >> 1 & 0xf);
        if (n == CHUNK_ITEMS || !get(&data, end, &b) || reason >= REASON_COUNT || a > CHUNK_LAST) {
            return -1;
        }
        stmt += unzigzag(b);
        items[n] = (struct slice_item){
            .start = cycle + (head >> 5), .duration = a, .stmt = stmt, .reason = reason};
        cycle = after(&items[n], stream);
        n++;
        if (cycle > CHUNK_LAST) {
            return -1;
        }
    }
    *count = n;
    return 0;
}

int chunk_decode(const uint8_t *data, size_t size, struct slice_item *items, size_t *count)
{
    return decode(data, size, false, items, count);
}

int chunk_decode_stream(const uint8_t *data, size_t size, struct slice_item *items, size_t *count)
{
    return decode(data, size, true, items, count);
}
