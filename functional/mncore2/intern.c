#include "functional/mncore2/intern.h"

#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"
#include "host/grow.h"

struct intern_slot {
    uint32_t hash, index; /* index of the entry + 1; 0 = empty */
};

static inline uint64_t load(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

uint32_t mncore2_intern_hash(const char *text, size_t length)
{
    uint64_t hash = mix(0, length);
    if (length < 8) {
        uint64_t word = 0;
        memcpy(&word, text, length);
        hash = mix(hash, word);
    } else {
        for (size_t i = 0; i + 8 < length; i += 8)
            hash = mix(hash, load(text + i));
        hash = mix(hash, load(text + length - 8));
    }
    return (uint32_t)(mix(hash, 0) >> 32);
}

static inline uint32_t with_mode(uint32_t hash, uint16_t mode)
{
    return hash ^ mode * 0x9e3779b1u;
}

static bool grow_slots(struct intern *intern)
{
    const size_t larger = intern->slot_count == 0 ? 1024 : intern->slot_count * 2;
    struct intern_slot *slots = big_memory_new(larger * sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < intern->slot_count; i++) {
        if (intern->slots[i].index == 0)
            continue;
        size_t at = intern->slots[i].hash & (larger - 1);
        while (slots[at].index != 0)
            at = (at + 1) & (larger - 1);
        slots[at] = intern->slots[i];
    }
    big_memory_free(intern->slots, intern->slot_count * sizeof *slots);
    intern->slots = slots;
    intern->slot_count = larger;
    return true;
}

struct intern_entry *mncore2_intern_find(struct intern *intern, uint32_t hash, const char *text,
                                         size_t length, uint16_t mode, bool *fresh)
{
    if (intern->count * 2 >= intern->slot_count && !grow_slots(intern))
        return NULL;
    hash = with_mode(hash, mode);
    const size_t mask = intern->slot_count - 1;
    size_t at = hash & mask;
    for (; intern->slots[at].index != 0; at = (at + 1) & mask) {
        if (intern->slots[at].hash != hash)
            continue;
        struct intern_entry *entry = &intern->entries[intern->slots[at].index - 1];
        if (entry->length == length && entry->mode == mode &&
            memcmp(entry->text, text, length) == 0) {
            *fresh = false;
            return entry;
        }
    }
    struct intern_entry *entries =
        grow_big(intern->entries, &intern->capacity, intern->count + 1, sizeof *entries);
    if (entries == NULL)
        return NULL;
    intern->entries = entries;
    struct intern_entry *entry = &entries[intern->count++];
    *entry = (struct intern_entry){
        .text = text, .length = (uint32_t)length, .stmt = INTERN_NONE, .mode = mode};
    intern->slots[at] = (struct intern_slot){hash, (uint32_t)intern->count};
    *fresh = true;
    return entry;
}

void mncore2_intern_free(struct intern *intern)
{
    big_memory_free(intern->entries, intern->capacity * sizeof *intern->entries);
    big_memory_free(intern->slots, intern->slot_count * sizeof *intern->slots);
    *intern = (struct intern){0};
}

enum { SMALLEST = 1 << 16, LARGEST = 1 << 23, SLACK = 1024, ALIGN = 8 };

struct pool_chunk {
    struct pool_chunk *next;
    size_t size; /* of the whole chunk, header and slack included */
};

/* Chunk sizes grow with the program. */
static struct pool_chunk *new_chunk(const struct pool *pool, size_t room)
{
    size_t size = pool->chunks == NULL ? SMALLEST : pool->chunks->size * 2;
    if (size > LARGEST)
        size = LARGEST;
    if (size < sizeof(struct pool_chunk) + room + SLACK)
        size = sizeof(struct pool_chunk) + room + SLACK;
    struct pool_chunk *chunk = big_memory_new(size);
    if (chunk != NULL)
        *chunk = (struct pool_chunk){.next = pool->chunks, .size = size};
    return chunk;
}

void *mncore2_pool_take(struct pool *pool, size_t size)
{
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (pool->next == NULL || (size_t)(pool->limit - pool->next) < size) {
        struct pool_chunk *chunk = new_chunk(pool, size);
        if (chunk == NULL)
            return NULL;
        pool->chunks = chunk;
        pool->next = (char *)(chunk + 1);
        pool->limit = (char *)chunk + chunk->size - SLACK;
    }
    void *taken = pool->next;
    pool->next += size;
    return taken;
}

void mncore2_pool_free(struct pool *pool)
{
    for (struct pool_chunk *chunk = pool->chunks; chunk != NULL;) {
        struct pool_chunk *next = chunk->next;
        big_memory_free(chunk, chunk->size);
        chunk = next;
    }
    free(pool->first_stmt);
    *pool = (struct pool){0};
}
