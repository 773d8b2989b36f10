/*
 * dictionary: texts to small numbers, for the string table and for statements that repeat.
 *
 *   text --dictionary_add--> id (from 1), the same for equal texts
 *
 * The texts are not copied: they must live as long as the table. `uses` and `written` are the
 * caller's: how many statements have the text, and whether its row stands in the trace.
 */
#ifndef TAKT_TRACES_DICTIONARY_H
#define TAKT_TRACES_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dictionary_entry {
    const char *text;
    size_t size;
    uint64_t hash;
    uint32_t uses;
    bool written;
};

struct dictionary {
    struct dictionary_entry *entries; /* id - 1 */
    size_t count, capacity;
    uint32_t *slots; /* id, or 0 */
    size_t slot_count;
};

/* The id of text; *added tells whether it is new. Returns 0 when memory is out. */
uint32_t dictionary_add(struct dictionary *dictionary, const char *text, size_t size, bool *added);
void dictionary_free(struct dictionary *dictionary);

/* 64 bits, eight bytes at a time (little-endian hosts), continued from seed. */
uint64_t dictionary_hash(uint64_t seed, const void *data, size_t size);
#define DICTIONARY_SEED 0xcbf29ce484222325u

#endif
