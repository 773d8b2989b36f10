/*
 * place: what --load, --save, put and get name.
 *
 *   m:ADDRESS[+COUNT]   memory; address and count in 64-bit words, so that byte 0x90000000 is
 *                       m:0x12000000
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_PLACE_H
#define TAKT_FUNCTIONAL_VENTUS_PLACE_H

#include "functional/ventus/memory.h"

struct ventus_place_words {
    uint64_t address, count; /* in words; count 0: as many as there are */
};

/* Returns 0, or 1 with a sentence. counted: +COUNT must be there. */
int ventus_place_parse(const char *spec, bool counted, struct ventus_place_words *place,
                       char *error, size_t error_size);
/* Its bytes; *count: at most so many words. NULL with a sentence when it lies where no buffer
 * is. */
uint8_t *ventus_place_find(const struct ventus_memory *memory,
                           const struct ventus_place_words *place, uint64_t *count, char *error,
                           size_t error_size);

#endif
