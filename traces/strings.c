#include "traces/strings.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/sink.h"

uint64_t strings_hash(uint64_t seed, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    uint64_t hash = seed ^ size * 0x9e3779b97f4a7c15u;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * 0x9fb21c651e98df25u;
        hash ^= hash >> 35;
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < size; i++)
        rest |= (uint64_t)bytes[i] << 8 * i;
    hash = (hash ^ rest) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 28;
}

/* Room for one more. */
static int reserve(struct strings *strings)
{
    struct string_entry *entries =
        grow(strings->entries, &strings->capacity, strings->count + 1, sizeof *entries);
    if (!entries)
        return -1;
    strings->entries = entries;
    if (strings->count * 2 < strings->slot_count)
        return 0;
    const size_t slot_count = strings->slot_count ? strings->slot_count * 2 : 256;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return -1;
    for (size_t i = 0; i < strings->count; i++) {
        size_t at = strings->entries[i].hash & (slot_count - 1);
        while (slots[at])
            at = (at + 1) & (slot_count - 1);
        slots[at] = (uint32_t)(i + 1);
    }
    free(strings->slots);
    strings->slots = slots;
    strings->slot_count = slot_count;
    return 0;
}

int strings_add(struct strings *strings, const char *text, uint32_t *number)
{
    *number = NONE_ID;
    if (!text || !*text)
        return 0;
    if (reserve(strings))
        return -1;
    const uint64_t hash = strings_hash(STRINGS_SEED, text, strlen(text));
    size_t at = hash & (strings->slot_count - 1);
    for (; strings->slots[at]; at = (at + 1) & (strings->slot_count - 1)) {
        const struct string_entry *entry = &strings->entries[strings->slots[at] - 1];
        if (entry->hash == hash && strcmp(entry->text, text) == 0) {
            *number = strings->slots[at] - 1;
            return 0;
        }
    }
    char *copy = strdup(text);
    if (!copy)
        return -1;
    strings->entries[strings->count] = (struct string_entry){.text = copy, .hash = hash};
    *number = (uint32_t)strings->count++;
    strings->slots[at] = *number + 1;
    return 0;
}

static int by_text(const void *a, const void *b)
{
    const struct string_entry *const *x = a, *const *y = b;
    return strcmp((*x)->text, (*y)->text);
}

int strings_sort(struct strings *strings)
{
    struct string_entry **sorted = malloc((strings->count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < strings->count; i++)
        sorted[i] = &strings->entries[i];
    qsort(sorted, strings->count, sizeof *sorted, by_text);
    free(strings->order);
    strings->order = malloc((strings->count + 1) * sizeof *strings->order);
    for (size_t i = 0; strings->order && i < strings->count; i++) {
        sorted[i]->id = (uint32_t)(i + 1);
        strings->order[i] = (uint32_t)(sorted[i] - strings->entries);
    }
    free(sorted);
    return strings->order ? 0 : -1;
}

uint32_t strings_id(const struct strings *strings, uint32_t number)
{
    return number == NONE_ID ? NONE_ID : strings->entries[number].id;
}

const char *strings_text(const struct strings *strings, uint32_t id)
{
    return strings->entries[strings->order[id - 1]].text;
}

void strings_free(struct strings *strings)
{
    for (size_t i = 0; i < strings->count; i++)
        free(strings->entries[i].text);
    free(strings->entries);
    free(strings->slots);
    free(strings->order);
    *strings = (struct strings){0};
}
