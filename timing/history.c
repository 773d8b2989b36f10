#include "timing/history.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

double history_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double history_single(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

double history_int32(uint64_t bits)
{
    return (int32_t)(uint32_t)bits;
}

double history_int16(uint64_t bits)
{
    return (int16_t)(uint16_t)bits;
}

double history_int8(uint64_t bits)
{
    return (int8_t)(uint8_t)bits;
}

struct history_write *history_add(struct history *h)
{
    struct history_write *writes = grow(h->writes, &h->capacity, h->count + 1, sizeof *writes);
    if (!writes)
        return NULL;
    h->writes = writes;
    writes[h->count] = (struct history_write){.stmt = 0};
    return &writes[h->count++];
}

void history_free(struct history *h)
{
    free(h->writes);
    *h = (struct history){.count = 0};
}

/* The earlier of two that become readable; of equal ones the first in the program. */
static const struct history_write *sooner(const struct history_write *a,
                                          const struct history_write *b)
{
    return a && a->readable <= b->readable ? a : b;
}

struct history_at history_at(const struct history *h, uint64_t cycle)
{
    struct history_at at = {.words = h->start};
    bool in_parts = false;
    for (const struct history_write *w = h->writes; w < h->writes + h->count; w++) {
        if (w->readable <= cycle) {
            if (!at.last || w->readable >= at.last->readable)
                at.last = w;
        } else if (w->issued <= cycle) {
            at.landing = sooner(at.landing, w);
            in_parts |= w->first <= cycle;
        } else {
            at.next = sooner(at.next, w);
        }
    }
    if (at.last)
        at.words = at.last->words;
    if (in_parts)
        at.words = NULL;
    return at;
}
