#include "host/text.h"

#include <stdlib.h>
#include <string.h>

#include "host/failure.h"
#include "host/grow.h"

struct text {
    char **at;
    size_t *size, capacity;
};

static ssize_t put(void *cookie, const char *piece, size_t size)
{
    struct text *text = cookie;
    char *at = grow(*text->at, &text->capacity, *text->size + size + 1, 1);
    if (!at)
        return 0;
    memcpy(at + *text->size, piece, size);
    *text->at = at;
    *text->size += size;
    at[*text->size] = '\0';
    return (ssize_t)size;
}

static int end(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *text_open(char **text, size_t *size)
{
    struct text *cookie = calloc(1, sizeof *cookie);
    *text = calloc(1, 1);
    *size = 0;
    FILE *out = NULL;
    if (cookie && *text) {
        *cookie = (struct text){text, size, 1};
        out = fopencookie(cookie, "w", (cookie_io_functions_t){.write = put, .close = end});
    }
    if (!out) {
        failure_note("out of memory");
        free(cookie);
        free(*text);
        *text = NULL;
    }
    return out;
}

int text_close(FILE *out, char **text)
{
    int lost = !out;
    if (out) {
        lost = fflush(out) != 0 || ferror(out);
        lost |= fclose(out) != 0;
    }
    if (!lost)
        return 0;
    failure_note("out of memory");
    free(*text);
    *text = NULL;
    return -1;
}
