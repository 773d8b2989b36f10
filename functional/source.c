#include "functional/source.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"
#include "host/file.h"

static const char nothing[1] = "";

static _Thread_local struct {
    void (*seen)(void *context, const char *path);
    void *context;
} watch;

void source_watch(void (*seen)(void *context, const char *path), void *context)
{
    watch.seen = seen;
    watch.context = context;
}

int source_open(struct source *source, const char *path, char *error, size_t error_size)
{
    if (watch.seen)
        watch.seen(watch.context, path);
    const int standard_input = strcmp(path, "-") == 0;
    *source = (struct source){.text = nothing};
    source->name = strdup(standard_input ? "<stdin>" : path);
    if (source->name == NULL) {
        snprintf(error, error_size, "no memory to open %s", path);
        return -1;
    }
    struct file_bytes bytes;
    const int result = file_read(path, SOURCE_MOST, &bytes, error, error_size);
    if (result == FILE_TOO_LARGE)
        snprintf(error, error_size, "%s holds 4 GiB or more; a program's text is less",
                 source->name);
    if (result != 0) {
        source_close(source);
        return result < 0 ? -1 : 1;
    }
    if (bytes.at)
        source->text = bytes.at;
    source->size = bytes.size;
    source->room = bytes.room;
    return 0;
}

int source_from_text(struct source *source, const char *name, const char *text, size_t size)
{
    *source = (struct source){.text = nothing, .size = size};
    source->name = strdup(name);
    /* Allocate exactly size bytes, so that a sanitizer detects reads beyond the end. */
    char *copy = size != 0 ? big_memory_new(size) : NULL;
    if (source->name == NULL || (size != 0 && copy == NULL)) {
        big_memory_free(copy, size);
        source_close(source);
        return -1;
    }
    if (size != 0) {
        source->text = memcpy(copy, text, size);
        source->room = size;
    }
    return 0;
}

void source_close(struct source *source)
{
    if (source->text != nothing)
        big_memory_free((void *)(uintptr_t)source->text, source->room);
    free(source->name);
    *source = (struct source){.text = nothing};
}

uint64_t source_hash(const struct source *source)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = source->size * factor;
    for (size_t at = 0; at < source->size;) {
        uint64_t word = 0;
        const size_t left = source->size - at, size = left < sizeof word ? left : sizeof word;
        memcpy(&word, source->text + at, size);
        hash = (hash ^ le64toh(word)) * factor;
        hash ^= hash >> 29;
        at += size;
    }
    return hash;
}

uint64_t source_list_hash(const struct source *sources, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = hash * UINT64_C(0x9e3779b97f4a7c15) + source_hash(&sources[i]);
    return hash;
}

static int by_name(const void *a, const void *b)
{
    const struct source *one = *(struct source *const *)a, *other = *(struct source *const *)b;
    const int order = strcmp(one->name, other->name);
    return order ? order : (one > other) - (one < other);
}

int source_number_turns(struct source *sources, size_t count)
{
    struct source **sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &sources[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 1; i < count; i++)
        if (strcmp(sorted[i]->name, sorted[i - 1]->name) == 0)
            sorted[i]->turn = sorted[i - 1]->turn + 1;
    free(sorted);
    return 0;
}
