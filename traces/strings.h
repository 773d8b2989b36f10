/*
 * strings: texts to small numbers, for the string table.
 *
 *   text --strings_add--> number, the same for equal texts
 *   strings_sort: from then on strings_id gives the place of a number's text among all, sorted
 *
 * The ids in a trace are places, so that they do not depend on the order in which texts came.
 */
#ifndef TAKT_TRACES_STRINGS_H
#define TAKT_TRACES_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct strings {
    struct string_entry {
        char *text;
        uint64_t hash;
        uint32_t id; /* from 1, after strings_sort */
    } * entries;
    size_t count, capacity;
    uint32_t *order; /* after strings_sort: number of the text of each id, from that of 1 on */
    uint32_t *slots; /* number + 1; 0: empty */
    size_t slot_count;
};

#define STRINGS_SEED UINT64_C(0xcbf29ce484222325)

uint64_t strings_hash(uint64_t seed, const void *data, size_t size);

/* The text is copied. *number is NONE_ID for NULL and "". Returns 0, or -1 when memory is out. */
int strings_add(struct strings *strings, const char *text, uint32_t *number);
int strings_sort(struct strings *strings);
/* Of a number that strings_add gave; NONE_ID for NONE_ID. */
uint32_t strings_id(const struct strings *strings, uint32_t number);
/* The text of an id. */
const char *strings_text(const struct strings *strings, uint32_t id);
void strings_free(struct strings *strings);

#endif
