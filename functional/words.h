/* words: copies 64-bit words between a file and little-endian memory (--load, --save). The file is
 * little-endian, or big-endian on request. */
#ifndef TAKT_FUNCTIONAL_WORDS_H
#define TAKT_FUNCTIONAL_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read the whole file into bytes, at most count words. Returns 0, or 1 with a message. */
int words_load(const char *path, bool big, uint8_t *bytes, uint64_t count, char *error,
               size_t error_size);
/* Write exactly count words. Returns 0, or -1 with a message. */
int words_save(const char *path, bool big, const uint8_t *bytes, uint64_t count, char *error,
               size_t error_size);

#endif
