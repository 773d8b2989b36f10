#include "traces/work_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/schema.h"

enum { TRIES = 100 };

/* Does the database say complete = 1? A stopped writer may have left a journal: then the file is
 * opened for writing, so that SQLite can roll it back. */
static bool says_complete(const char *path)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    bool complete = false;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, "SELECT value FROM meta WHERE key = 'complete'", -1, &s, NULL) ==
            SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW) {
        complete = sqlite3_column_int(s, 0) == 1;
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return complete;
}

enum trace_kind work_file_kind(const char *path)
{
    struct stat st;
    if (stat(path, &st)) {
        return errno == ENOENT ? TRACE_ABSENT : TRACE_FOREIGN;
    }
    if (!S_ISREG(st.st_mode)) {
        return TRACE_FOREIGN;
    }
    if (st.st_size == 0) {
        return TRACE_ABSENT; /* mktemp and the like */
    }
    unsigned char head[100] = {0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    if (fd >= 0) {
        close(fd);
    }
    const uint32_t id =
        (uint32_t)head[68] << 24 | (uint32_t)head[69] << 16 | (uint32_t)head[70] << 8 | head[71];
    if (n != (ssize_t)sizeof head || memcmp(head, "SQLite format 3", 16) ||
        id != SCHEMA_APPLICATION_ID) {
        return TRACE_FOREIGN;
    }
    return says_complete(path) ? TRACE_FINISHED : TRACE_UNFINISHED;
}

static char *join(const char *a, const char *b)
{
    char *text = NULL;
    return asprintf(&text, "%s%s", a, b) < 0 ? NULL : text;
}

static int lock_folder(const char *target)
{
    char *folder = strdup(target);
    if (!folder) {
        return -1;
    }
    char *slash = strrchr(folder, '/');
    if (slash) {
        slash[slash == folder] = '\0';
    }
    const int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd >= 0) {
        /* A file system without locks leaves the rename itself, which is atomic. */
        while (flock(fd, LOCK_EX) && errno == EINTR) {
        }
    }
    return fd;
}

static void unlock_folder(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static void remove_with(const char *path, const char *suffix)
{
    char *name = join(path, suffix);
    if (name) {
        unlink(name);
    }
    free(name);
}

static void remove_journals(const char *path)
{
    static const char *const suffixes[] = {"-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        remove_with(path, suffixes[i]);
    }
}

/* After a failed write SQLite leaves a journal for whoever opens the file next, under a name that a
 * rename would orphan: be that next one. False when the journal still holds something. */
static bool settle(const char *path)
{
    char *name = join(path, "-journal");
    struct stat st;
    if (name && stat(name, &st) == 0) {
        sqlite3 *db = NULL;
        if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
            sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
        }
        sqlite3_close(db);
    }
    const bool settled = name && (stat(name, &st) || st.st_size == 0);
    if (settled) {
        unlink(name);
    }
    free(name);
    return settled;
}

static int write_bytes(int fd, const unsigned char *bytes, size_t size)
{
    while (size) {
        const ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            errno = n ? errno : ENOSPC;
            return -1;
        }
        bytes += n;
        size -= (size_t)n;
    }
    return 0;
}

/* Connections of SQLite are kept out as by one that writes. Locks of this kind belong to the open file: no other
 * descriptor of the process drops them. A file system without locks keeps nobody out. */
static void keep_out(int fd, bool out)
{
    enum { LOCK_BYTE = 0x40000000, LOCKS = 512 };
    struct flock range = {.l_type = out ? F_WRLCK : F_UNLCK,
                          .l_whence = SEEK_SET,
                          .l_start = LOCK_BYTE,
                          .l_len = LOCKS};
    fcntl(fd, F_OFD_SETLK, &range);
}

/* A locked file with these bytes gets the name at once: nobody ever sees a part of them there. */
static int place(struct work_file *work, const unsigned char *bytes, size_t size)
{
    const char *name = work->start;
    const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    int status = -1;
    if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) && !write_bytes(fd, bytes, size)) {
        keep_out(fd, true);
        status = rename(name, work->path);
    }
    const int reason = errno;
    if (status && fd >= 0) {
        unlink(name);
        close(fd);
    }
    if (status == 0 && work->abandoned) {
        unlink(work->path);
    }
    errno = reason;
    work->lock = status ? -1 : fd;
    return status;
}

/* A run that was killed may have left a whole trace that only lacked its name: it gets it now,
 * unless a finished one has it. */
static void publish_left(const char *path, int left, const char *target)
{
    const enum trace_kind there = work_file_kind(target);
    if ((there == TRACE_ABSENT || there == TRACE_UNFINISHED) &&
        work_file_kind(path) == TRACE_FINISHED && settle(path) && fsync(left) == 0) {
        remove_journals(target);
        rename(path, target); /* if that fails the new run takes the place, as ever */
    }
}

/* One candidate name, under the lock of its folder. Returns 0 and the lock, 1 when another run
 * holds it or something stands there that is no trace, -1. */
static int claim(struct work_file *work, const unsigned char *bytes, size_t size)
{
    const char *path = work->path;
    const int left = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (left < 0 && errno != ENOENT) {
        return -1;
    }
    int status = 0;
    if (left >= 0 && flock(left, LOCK_EX | LOCK_NB)) {
        status = errno == EWOULDBLOCK ? 1 : -1;
    } else if (left >= 0 && work_file_kind(path) == TRACE_FOREIGN) {
        status = 1;
    }
    if (status == 0) {
        if (left >= 0) {
            publish_left(path, left, work->target);
        }
        remove_journals(path);
        remove_with(path, "-announce"); /* the lock tells that nobody is writing it */
        work->named = true;
        status = place(work, bytes, size);
        work->named = status == 0;
    }
    const int reason = errno;
    if (left >= 0) {
        close(left);
    }
    errno = reason;
    return status;
}

int work_file_open(struct work_file *work, const char *target, const unsigned char *bytes,
                   size_t size, char error[WORK_ERROR])
{
    struct stat st;
    if (!stat(target, &st) && !S_ISREG(st.st_mode)) {
        snprintf(error, WORK_ERROR, "cannot write a trace to %s: not a regular file", target);
        return -1;
    }
    if (work_file_kind(target) == TRACE_FOREIGN) {
        snprintf(error, WORK_ERROR, "%s exists and is no takt trace: it is left alone", target);
        return 1;
    }
    work->target = strdup(target);
    char *partial = join(target, ".partial");
    int status = work->target && partial ? 1 : -1;
    const int folder = lock_folder(target);
    for (int i = 1; status == 1 && i <= TRIES; i++) {
        char suffix[16] = "";
        if (i > 1) {
            snprintf(suffix, sizeof suffix, "-%d", i);
        }
        free(work->path);
        free(work->journal);
        free(work->start);
        work->path = join(partial, suffix);
        work->journal = work->path ? join(work->path, "-journal") : NULL;
        work->start = work->path ? join(work->path, "-start") : NULL;
        status = work->journal && work->start ? claim(work, bytes, size) : -1;
    }
    const int reason = errno;
    unlock_folder(folder);
    errno = reason;
    if (status) {
        snprintf(error, WORK_ERROR, "cannot write %s: %s", work->path ? work->path : target,
                 status == 1 ? "too many runs write this trace" : strerror(errno));
        work_file_leave(work);
        free(partial);
        return -1;
    }
    free(partial);
    return 0;
}

int work_file_announce(struct work_file *work, const unsigned char *bytes, size_t size,
                       char error[WORK_ERROR])
{
    const int folder = lock_folder(work->target);
    int status = 0;
    if (work_file_kind(work->target) == TRACE_ABSENT) {
        char *name = join(work->path, "-announce");
        const int fd =
            name ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666) : -1;
        status = fd < 0 ? -1 : write_bytes(fd, bytes, size);
        if (!status) {
            status = fstat(fd, &work->announced);
        }
        if (fd >= 0 && close(fd)) {
            status = -1;
        }
        if (!status) {
            status = rename(name, work->target);
        }
        if (status) {
            snprintf(error, WORK_ERROR, "cannot write %s: %s", work->target, strerror(errno));
            if (name) {
                unlink(name);
            }
        }
        free(name);
    }
    unlock_folder(folder);
    return status;
}

/* As work_file_kind, which need not read an announcement that nobody has touched. */
static enum trace_kind target_kind(const struct work_file *work)
{
    const struct stat *put = &work->announced;
    struct stat st;
    return put->st_ino && stat(work->target, &st) == 0 && st.st_ino == put->st_ino &&
                   st.st_dev == put->st_dev && st.st_size == put->st_size &&
                   st.st_mtim.tv_sec == put->st_mtim.tv_sec &&
                   st.st_mtim.tv_nsec == put->st_mtim.tv_nsec
               ? TRACE_UNFINISHED
               : work_file_kind(work->target);
}

int work_file_publish(struct work_file *work, bool complete, char error[WORK_ERROR])
{
    int status = 0;
    keep_out(work->lock, false); /* nobody writes any more */
    if (!settle(work->path)) {
        snprintf(error, WORK_ERROR, "what was recorded stays in %s", work->path);
        work_file_leave(work);
        return 1;
    }
    /* The one point where the data must be on the disk: before the name points to it. */
    if (fdatasync(work->lock) && errno != EINVAL && errno != EROFS) {
        snprintf(error, WORK_ERROR, "cannot write %s: %s", work->path, strerror(errno));
        work_file_leave(work);
        return -1;
    }
    const int folder = lock_folder(work->target);
    const enum trace_kind kind = target_kind(work);
    if (kind == TRACE_FOREIGN || (kind == TRACE_FINISHED && !complete)) {
        snprintf(error, WORK_ERROR, "%s is %s and stays; this %s run is in %s", work->target,
                 kind == TRACE_FINISHED ? "a finished trace" : "no takt trace",
                 complete ? "complete" : "unfinished", work->path);
        status = 1;
    } else {
        remove_journals(work->target);
        if (rename(work->path, work->target)) {
            snprintf(error, WORK_ERROR, "cannot rename %s to %s: %s", work->path, work->target,
                     strerror(errno));
            status = -1;
        }
    }
    unlock_folder(folder);
    work_file_leave(work);
    return status;
}

void work_file_drop(struct work_file *work)
{
    if (work->path && work->lock >= 0) {
        unlink(work->path);
        remove_journals(work->path);
    }
    work_file_leave(work);
}

void work_file_abandon(struct work_file *work)
{
    work->abandoned = true;
    if (work->named) {
        unlink(work->start);
        unlink(work->path);
        unlink(work->journal);
    }
}

bool work_file_left(const char *target)
{
    char *path = join(target, ".partial");
    struct stat st;
    const bool left = path && lstat(path, &st) == 0;
    free(path);
    return left;
}

void work_file_leave(struct work_file *work)
{
    work->named = false;
    if (work->lock >= 0) {
        close(work->lock);
    }
    free(work->target);
    free(work->path);
    free(work->journal);
    free(work->start);
    *work = (struct work_file){.lock = -1};
}
