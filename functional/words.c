#include "functional/words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host/file.h"

enum { CHUNK = 512 }; /* words moved at a time */

static void swap_words(uint8_t *bytes, size_t words)
{
    for (size_t i = 0; i < words; i++)
        for (size_t k = 0; k < 4; k++) {
            const uint8_t byte = bytes[8 * i + k];
            bytes[8 * i + k] = bytes[8 * i + 7 - k];
            bytes[8 * i + 7 - k] = byte;
        }
}

int words_load(const char *path, bool big, uint8_t *bytes, uint64_t count, char *error,
               size_t error_size)
{
    FILE *file = file_open(path);
    if (!file) {
        const int why = errno;
        snprintf(error, error_size, "%s: %s", path, strerror(why));
        return file_blame(why);
    }
    uint8_t chunk[CHUNK * 8];
    size_t got;
    int result = 0;
    while (result == 0 && (got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        if (got % 8 != 0 || got / 8 > count) {
            snprintf(error, error_size,
                     got % 8 ? "%s: its size is not a multiple of 8"
                             : "%s is larger than the place",
                     path);
            result = 1;
            break;
        }
        if (big)
            swap_words(chunk, got / 8);
        memcpy(bytes, chunk, got);
        bytes += got;
        count -= got / 8;
    }
    if (ferror(file)) {
        result = file_blame(errno);
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
    }
    fclose(file);
    return result;
}

int words_save(const char *path, bool big, const uint8_t *bytes, uint64_t count, char *error,
               size_t error_size)
{
    struct replace file;
    const int opened = replace_open(&file, path, error, error_size);
    if (opened != 0)
        return opened;
    uint8_t chunk[CHUNK * 8];
    bool failed = false;
    while (count && !failed) {
        const size_t words = count < CHUNK ? (size_t)count : CHUNK;
        memcpy(chunk, bytes, words * 8);
        if (big)
            swap_words(chunk, words);
        failed = fwrite(chunk, 8, words, file.file) != words;
        bytes += words * 8;
        count -= words;
    }
    return replace_close(&file, true, error, error_size);
}
