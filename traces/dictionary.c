#include "traces/dictionary.h"

#include <stdlib.h>
#include <string.h>

uint64_t dictionary_hash(uint64_t seed, const void *data, size_t size)
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
    for (size_t i = 0; i < size; i++) {
        rest |= (uint64_t)bytes[i] << 8 * i;
    }
    hash = (hash ^ rest) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 28;
}

static bool grow(struct dictionary *dictionary)
{
    if (dictionary->count == dictionary->capacity) {
        const size_t capacity = dictionary->capacity ? dictionary->capacity * 2 : 64;
        struct dictionary_entry *entries = realloc(dictionary->entries, capacity * sizeof *entries);
        if (!entries) {
            return false;
        }
        dictionary->entries = entries;
        dictionary->capacity = capacity;
    }
    if (dictionary->count * 2 >= dictionary->slot_count) {
        const size_t slot_count = dictionary->slot_count ? dictionary->slot_count * 2 : 256;
        uint32_t *slots = calloc(slot_count, sizeof *slots);
        if (!slots) {
            return false;
        }
        for (size_t i = 0; i < dictionary->count; i++) {
            size_t at = dictionary->entries[i].hash & (slot_count - 1);
            while (slots[at]) {
                at = (at + 1) & (slot_count - 1);
            }
            slots[at] = (uint32_t)(i + 1);
        }
        free(dictionary->slots);
        dictionary->slots = slots;
        dictionary->slot_count = slot_count;
    }
    return true;
}

uint32_t dictionary_add(struct dictionary *dictionary, const char *text, size_t size, bool *added)
{
    if (!grow(dictionary)) {
        return 0;
    }
    const uint64_t hash = dictionary_hash(DICTIONARY_SEED, text, size);
    size_t at = hash & (dictionary->slot_count - 1);
    for (; dictionary->slots[at]; at = (at + 1) & (dictionary->slot_count - 1)) {
        const struct dictionary_entry *entry = &dictionary->entries[dictionary->slots[at] - 1];
        if (entry->hash == hash && entry->size == size && !memcmp(entry->text, text, size)) {
            *added = false;
            return dictionary->slots[at];
        }
    }
    dictionary->entries[dictionary->count] =
        (struct dictionary_entry){.text = text, .size = size, .hash = hash};
    dictionary->slots[at] = (uint32_t)++dictionary->count;
    *added = true;
    return dictionary->slots[at];
}

void dictionary_free(struct dictionary *dictionary)
{
    free(dictionary->entries);
    free(dictionary->slots);
    memset(dictionary, 0, sizeof *dictionary);
}
