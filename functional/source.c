#include "functional/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "functional/big_memory.h"
#include "functional/text_hash.h"

static const char nothing[1] = "";

static void too_large(const struct source *source, char *error, size_t error_size)
{
    snprintf(error, error_size, "%s holds 4 GiB or more; a program's text is less", source->name);
}

enum { LARGE = 1 << 20 };

/* What source_open returns after a call that failed. */
static int blame(int error)
{
    return error == ENOMEM || error == EMFILE || error == ENFILE || error == EIO ? -1 : 1;
}

/* Read a descriptor to its end: small files, stdin, pipes and whatever else tells no size. */
static int read_all(struct source *source, int fd, char *error, size_t error_size)
{
    size_t capacity = 1 << 16, size = 0;
    char *text = malloc(capacity);
    while (text != NULL) {
        const ssize_t got = read(fd, text + size, capacity - size);
        if (got < 0) {
            if (errno == EINTR)
                continue;
            const int why = errno;
            snprintf(error, error_size, "cannot read %s: %s", source->name, strerror(why));
            free(text);
            return blame(why);
        }
        if (got == 0)
            break;
        size += (size_t)got;
        if (size >= SOURCE_MOST) {
            too_large(source, error, error_size);
            free(text);
            return 1;
        }
        if (size == capacity) {
            char *larger = realloc(text, capacity *= 2);
            if (larger == NULL)
                free(text);
            text = larger;
        }
    }
    if (text == NULL) {
        snprintf(error, error_size, "no memory to read %s", source->name);
        return -1;
    }
    source->text = text;
    source->size = size;
    return 0;
}

/* A large file: read at once. A mapping of it would end the process when somebody cuts the file short. */
static int read_large(struct source *source, int fd, size_t size, char *error, size_t error_size)
{
    if (size >= SOURCE_MOST) {
        too_large(source, error, error_size);
        return 1;
    }
    char *text = big_memory_new(size);
    if (text == NULL) {
        snprintf(error, error_size, "no memory to read %s", source->name);
        return -1;
    }
    source->text = text;
    source->big = size;
    while (source->size < size) {
        const ssize_t got = read(fd, text + source->size, size - source->size);
        if (got == 0)
            break; /* it has become shorter since */
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            const int why = errno;
            snprintf(error, error_size, "cannot read %s: %s", source->name, strerror(why));
            big_memory_free(text, size);
            source->big = 0;
            return blame(why);
        }
        source->size += (size_t)got;
    }
    return 0;
}

static int open_named(struct source *source, const char *path, char *error, size_t error_size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        const int why = errno;
        snprintf(error, error_size, "cannot open %s: %s", path, strerror(why));
        if (fd >= 0)
            close(fd);
        return blame(why);
    }
    /* Files of size 0, too: those of /proc are not as empty as they say. */
    const int result = S_ISREG(status.st_mode) && status.st_size >= LARGE
                           ? read_large(source, fd, (size_t)status.st_size, error, error_size)
                           : read_all(source, fd, error, error_size);
    close(fd);
    return result;
}

int source_open(struct source *source, const char *path, char *error, size_t error_size)
{
    const int standard_input = strcmp(path, "-") == 0;
    *source = (struct source){.text = nothing};
    source->name = strdup(standard_input ? "<stdin>" : path);
    if (source->name == NULL) {
        snprintf(error, error_size, "no memory to open %s", path);
        return -1;
    }
    const int result = standard_input ? read_all(source, STDIN_FILENO, error, error_size)
                                      : open_named(source, path, error, error_size);
    if (result != 0) {
        source->text = nothing;
        source_close(source);
    }
    return result;
}

int source_from_text(struct source *source, const char *name, const char *text, size_t size)
{
    *source = (struct source){.text = nothing, .size = size};
    source->name = strdup(name);
    /* Exactly size bytes, so that a sanitizer sees every read beyond the end. */
    char *copy = size != 0 ? malloc(size) : NULL;
    if (source->name == NULL || (size != 0 && copy == NULL)) {
        free(source->name);
        free(copy);
        *source = (struct source){.text = nothing};
        return -1;
    }
    if (size != 0) {
        memcpy(copy, text, size);
        source->text = copy;
    }
    return 0;
}

void source_close(struct source *source)
{
    if (source->big)
        big_memory_free((void *)(uintptr_t)source->text, source->big);
    else if (source->text != nothing)
        free((void *)(uintptr_t)source->text);
    free(source->name);
    *source = (struct source){.text = nothing};
}

uint64_t source_hash(const struct source *source)
{
    return text_hash_end(text_hash_of(source->text, source->size), source->size);
}
