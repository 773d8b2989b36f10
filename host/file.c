#include "host/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/big_memory.h"
#include "host/failure.h"
#include "host/file_identity.h"
#include "host/grow.h"
#include "host/in_use.h"

/* --- reading --- */

enum { FIRST = 1 << 16 };

int file_blame(int reason)
{
    return reason == ENOMEM || reason == EMFILE || reason == ENFILE || reason == EIO ||
                   reason == EBADF /* standard input that is closed */
               ? -1
               : 1;
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
            snprintf(r->error, r->error_size, "cannot read %.300s: %s", r->path, strerror(why));
            return file_blame(why);
        }
        b->size += got > 0 ? (size_t)got : 0;
        if (b->size >= most)
            return FILE_TOO_LARGE;
    }
}

static int read_twice(const struct reading *r)
{
    snprintf(r->error, r->error_size, "standard input can be read once, not again as %s", r->path);
    return 1;
}

static int read_named(const struct reading *r, size_t most)
{
    const int fd = open(r->path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        const int why = errno;
        snprintf(r->error, r->error_size, "cannot open %.300s: %s", r->path, strerror(why));
        if (fd >= 0)
            close(fd);
        return file_blame(why);
    }
    if (in_use_read(fd)) {
        close(fd);
        return read_twice(r);
    }
    /* The size is only a first guess: files in /proc report 0. */
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
    const int result = !standard_input             ? read_named(&reading, most)
                       : in_use_read(STDIN_FILENO) ? read_twice(&reading)
                                                   : read_all(&reading, STDIN_FILENO, FIRST, most);
    if (result != 0 || bytes->size == 0)
        file_free(bytes);
    return result;
}

bool file_is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

FILE *file_open(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && in_use_read(fd)) {
        close(fd);
        errno = EBUSY;
        return NULL;
    }
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (!file && fd >= 0)
        close(fd);
    return file;
}

void file_free(struct file_bytes *bytes)
{
    big_memory_free(bytes->at, bytes->room);
    *bytes = (struct file_bytes){0};
}

/* --- writing --- */

/* Names of the partial files, for a signal handler that ends the process. */
enum { OPEN = 1024 };
static char *_Atomic open_names[OPEN];

static void replace_remember(char *name)
{
    char *none = NULL;
    for (int i = 0; i < OPEN && !atomic_compare_exchange_strong(&open_names[i], &none, name); i++)
        none = NULL;
}

int replace_temporary(char *name, int end)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int fd = mkstemps(name, end);
    if (fd >= 0)
        replace_remember(name);
    const int why = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return fd;
}

void replace_forget(char *name)
{
    char *expected = name;
    for (int i = 0;
         i < OPEN && name && !atomic_compare_exchange_strong(&open_names[i], &expected, NULL); i++)
        expected = name;
}

void replace_abandon(void)
{
    for (int i = 0; i < OPEN; i++) {
        const char *name = open_names[i];
        if (name)
            unlink(name);
    }
}

int file_inherit(int fd, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        const mode_t mask = umask(0);
        umask(mask);
        return fchmod(fd, 0666 & ~mask);
    }
    const int owned = fchown(fd, status.st_uid, status.st_gid);
    (void)owned; /* only root may change the owner; the mode is set anyway */
    return access(path, W_OK) == 0 ? fchmod(fd, status.st_mode & 0777) : -1;
}

/* Create a new file PATH.XXXXXX; NULL with errno. */
static FILE *open_beside(const char *path, char **name)
{
    static const char end[] = ".XXXXXX";
    const char *slash = strrchr(path, '/'); /* a name of maximum length is shortened */
    const size_t most = (slash ? (size_t)(slash + 1 - path) : 0) + NAME_MAX - (sizeof end - 1);
    if (asprintf(name, "%.*s%s", (int)most, path, end) < 0) {
        *name = NULL;
        errno = ENOMEM;
        return NULL;
    }
    const int fd = replace_temporary(*name, 0);
    FILE *file = fd >= 0 && file_inherit(fd, path) == 0 ? fdopen(fd, "w") : NULL;
    if (!file && fd >= 0) {
        const int reason = errno;
        close(fd);
        unlink(*name);
        replace_forget(*name);
        errno = reason;
    }
    return file;
}

/* The descriptor that /dev/stdout, /dev/fd/N ... names, or -1. Output goes to its current position;
 * others may write to it too. */
static int descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/%d%n", "/proc/self/fd/%d%n"};
    if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0)
        return path[8] == 'o' ? STDOUT_FILENO : STDERR_FILENO;
    int fd, end = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (sscanf(path, folders[i], &fd, &end) == 1 && !path[end])
            return fd;
    return -1;
}

static FILE *open_descriptor(int fd)
{
    const int own = dup(fd);
    FILE *file = own < 0 ? NULL : fdopen(own, "w");
    if (!file && own >= 0)
        close(own);
    return file;
}

bool file_is_input(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 || descriptor(path) == STDIN_FILENO;
}

bool replace_is_output(const char *path)
{
    return strcmp(path, "-") == 0 || descriptor(path) == STDOUT_FILENO;
}

int replace_open(struct replace *replace, const char *path, char *error, size_t error_size)
{
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    *replace = (struct replace){.failures = failure_count()};
    if (replace_is_output(path)) {
        replace->file = stdout;
        return 0;
    }
    const int fd = descriptor(path);
    const int used = fd >= 0 ? 0 : in_use_write(path, error, error_size);
    if (used != 0) {
        *replace = (struct replace){0};
        return used;
    }
    const bool regular = !exists || S_ISREG(status.st_mode);
    replace->path = file_target(path); /* keep symbolic links */
    if (replace->path)
        replace->file = fd >= 0   ? open_descriptor(fd)
                        : regular ? open_beside(replace->path, &replace->partial)
                                  : fopen(path, "w");
    if (replace->file)
        return 0;
    snprintf(error, error_size, "%s: %s", path, strerror(errno));
    free(replace->path);
    free(replace->partial);
    *replace = (struct replace){0};
    return -1;
}

/* Flush all data to the system, and a partial file to the disk. 0, or errno. */
static int settle(struct replace *replace)
{
    FILE *file = replace->file;
    errno = 0;
    /* fflush retries after an earlier failure and sets errno */
    int why = fflush(file) != 0 ? errno : 0;
    if (!why && ferror(file))
        why = EIO;
    if (!why && replace->partial && fsync(fileno(file)) != 0 && errno != EINVAL && errno != EROFS)
        why = errno;
    if (file != stdout && fclose(file) != 0 && !why)
        why = errno ? errno : EIO;
    return why;
}

static const char *shown_name(const struct replace *replace)
{
    return replace->path ? replace->path : "standard output";
}

int replace_settle(struct replace *replace, char *error, size_t error_size)
{
    if (!replace->file || replace->settled)
        return replace->lost ? -1 : 0;
    const int why = settle(replace);
    replace->settled = true;
    replace->lost = why != 0;
    if (why)
        snprintf(error, error_size, "%s: not everything could be written: %s", shown_name(replace),
                 strerror(why));
    return why ? -1 : 0;
}

int replace_close(struct replace *replace, bool keep, char *error, size_t error_size)
{
    if (!replace->file)
        return 0;
    int result = replace_settle(replace, error, error_size);
    if (result == 0 && keep && failure_count() != replace->failures) {
        snprintf(error, error_size, "%s: not everything could be written: %s", shown_name(replace),
                 failure_sentence());
        result = -1;
    } else if (result == 0 && keep && replace->partial &&
               rename(replace->partial, replace->path) != 0) {
        snprintf(error, error_size, "%s: %s", replace->path, strerror(errno));
        result = -1;
    }
    if (replace->partial && (!keep || result != 0))
        unlink(replace->partial);
    replace_forget(replace->partial);
    free(replace->path);
    free(replace->partial);
    *replace = (struct replace){0};
    return result;
}
