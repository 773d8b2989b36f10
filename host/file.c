#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/big_memory.h"
#include "host/grow.h"

/* --- reading --- */

enum { FIRST = 1 << 16 };

/* What file_read returns after a call that failed. */
static int blame(int reason)
{
    return reason == ENOMEM || reason == EMFILE || reason == ENFILE || reason == EIO ? -1 : 1;
}

struct reading {
    const char *path;
    struct file_bytes *bytes;
    char *error;
    size_t error_size;
};

static int read_all(const struct reading *r, int fd, size_t expected, size_t most)
{
    struct file_bytes *b = r->bytes;
    for (;;) {
        char *at = grow_big(b->at, &b->room, b->size < expected ? expected + 1 : b->size + 1, 1);
        if (!at) {
            snprintf(r->error, r->error_size, "no memory to read %s", r->path);
            return -1;
        }
        b->at = at;
        const ssize_t got = read(fd, at + b->size, b->room - b->size);
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR) {
            const int why = errno;
            snprintf(r->error, r->error_size, "cannot read %s: %s", r->path, strerror(why));
            return blame(why);
        }
        b->size += got > 0 ? (size_t)got : 0;
        if (b->size >= most)
            return FILE_TOO_LARGE;
    }
}

static int read_named(const struct reading *r, size_t most)
{
    const int fd = open(r->path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        const int why = errno;
        snprintf(r->error, r->error_size, "cannot open %s: %s", r->path, strerror(why));
        if (fd >= 0)
            close(fd);
        return blame(why);
    }
    /* A size is only a first guess: files of /proc are not as empty as they say. */
    const size_t size = S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size : 0;
    const int result =
        size >= most ? FILE_TOO_LARGE : read_all(r, fd, size > FIRST ? size : FIRST, most);
    close(fd);
    return result;
}

int file_read(const char *path, size_t most, struct file_bytes *bytes, char *error,
              size_t error_size)
{
    *bytes = (struct file_bytes){0};
    const bool standard_input = strcmp(path, "-") == 0;
    const struct reading reading = {standard_input ? "<stdin>" : path, bytes, error, error_size};
    const int result =
        standard_input ? read_all(&reading, STDIN_FILENO, FIRST, most) : read_named(&reading, most);
    if (result != 0 || bytes->size == 0)
        file_free(bytes);
    return result;
}

void file_free(struct file_bytes *bytes)
{
    big_memory_free(bytes->at, bytes->room);
    *bytes = (struct file_bytes){0};
}

/* --- writing --- */

/* A new file PATH.XXXXXX with the rights that fopen would give it; NULL with errno. */
static FILE *open_beside(const char *path, char **name)
{
    if (asprintf(name, "%s.XXXXXX", path) < 0) {
        *name = NULL;
        errno = ENOMEM;
        return NULL;
    }
    const int fd = mkstemp(*name);
    const mode_t mask = umask(0);
    umask(mask);
    FILE *file = fd >= 0 && fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (!file && fd >= 0) {
        const int reason = errno;
        close(fd);
        unlink(*name);
        errno = reason;
    }
    return file;
}

int replace_open(struct replace *replace, const char *path, char *error, size_t error_size)
{
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    *replace = (struct replace){0};
    if (strcmp(path, "-") == 0) {
        replace->file = stdout;
        return 0;
    }
    const bool regular = !exists || S_ISREG(status.st_mode);
    replace->path = exists && regular ? realpath(path, NULL) : strdup(path); /* a link stays one */
    if (replace->path)
        replace->file = regular ? open_beside(replace->path, &replace->partial) : fopen(path, "w");
    if (replace->file)
        return 0;
    snprintf(error, error_size, "%s: %s", path, strerror(errno));
    free(replace->path);
    free(replace->partial);
    *replace = (struct replace){0};
    return -1;
}

int replace_close(struct replace *replace, bool keep, char *error, size_t error_size)
{
    FILE *file = replace->file;
    const char *name = file == stdout ? "standard output" : replace->path;
    int result = 0;
    if (!file)
        return 0;
    bool bad = ferror(file) != 0;
    bad |= (file == stdout ? fflush(file) : fclose(file)) != 0;
    if (bad) {
        snprintf(error, error_size, "%s: not everything could be written", name);
        result = -1;
    } else if (keep && replace->partial && rename(replace->partial, replace->path) != 0) {
        snprintf(error, error_size, "%s: %s", replace->path, strerror(errno));
        result = -1;
    }
    if (replace->partial && (!keep || result != 0))
        unlink(replace->partial);
    free(replace->path);
    free(replace->partial);
    *replace = (struct replace){0};
    return result;
}
