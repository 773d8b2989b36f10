#include "traces/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host/failure.h"
#include "host/file.h"
#include "host/in_use.h"
#include "traces/schema.h"
#include "traces/rows.h"
#include "traces/trace.h"

static int fail(int status, char *error, const char *path, const char *why)
{
    snprintf(error, TRACE_FILE_ERROR, "cannot write the trace %s: %s", path, why);
    return status;
}

/* Whether a trace may take this name: no file, an empty file or a trace has it. */
static int check_name(const char *name, char *error)
{
    struct stat st;
    unsigned char head[TRACE_HEADER] = {0};
    bool journal;
    if (trace_beside(name, &journal, error, TRACE_FILE_ERROR))
        return 1;
    if (stat(name, &st))
        return errno == ENOENT && *name ? 0 : fail(-1, error, name, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return fail(-1, error, name, "it is not a regular file");
    if (access(name, W_OK))
        return fail(-1, error, name, strerror(errno));
    if (st.st_size == 0)
        return 0;
    const int fd = open(name, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    if (n < 0)
        return fail(-1, error, name, strerror(reason));
    if (n < (ssize_t)sizeof head || !trace_is_header(head)) {
        snprintf(error, TRACE_FILE_ERROR, "%s exists and is not a takt trace: it is not changed",
                 name);
        return 1;
    }
    return 0;
}

/* Files that a killed writer left; trace_beside has checked them. */
static void remove_journal(const char *path)
{
    char *name = NULL;
    if (asprintf(&name, "%s-journal", path) > 0)
        unlink(name);
    free(name);
}

/* What a killed writer had not completed in the trace that is to be replaced. */
static void roll_back(const char *name)
{
    sqlite3 *db = NULL;
    if (trace_connect(&db, name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX) == SQLITE_OK)
        sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    sqlite3_close(db);
}

void trace_file_drop(const char *partial)
{
    remove_journal(partial);
    unlink(partial);
}

enum { AGAIN = 2 }; /* a status of lock and judge: another run came between */

/* Open the file at partial and lock it; NULL in *db and a status if that cannot be. */
static int lock(sqlite3 **db, const char *partial, char *error)
{
    sqlite3 *opened = NULL;
    *db = NULL;
    int rc = trace_connect(&opened, partial, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(opened,
                          "PRAGMA locking_mode = EXCLUSIVE;"
                          "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;"
                          "BEGIN EXCLUSIVE",
                          NULL, NULL, NULL);
    if (rc == SQLITE_OK) {
        *db = opened;
        return 0;
    }
    int status = -1;
    if (rc == SQLITE_CANTOPEN && access(partial, F_OK) && errno == ENOENT) {
        status = AGAIN;
    } else if (rc == SQLITE_BUSY) {
        snprintf(error, TRACE_FILE_ERROR, "%s is in use: another run writes this trace", partial);
        status = 1;
    } else if (rc == SQLITE_NOTADB) {
        snprintf(error, TRACE_FILE_ERROR, "%s exists and is not a takt trace: it is not changed",
                 partial);
        status = 1;
    } else {
        fail(-1, error, partial, opened ? sqlite3_errmsg(opened) : "out of memory");
    }
    sqlite3_close(opened);
    return status;
}

/* The locked file: 0 when it is empty and still has its name, AGAIN when it was an unfinished
 * trace, now removed, 1 when it must stay. */
static int judge(sqlite3 *db, const char *partial, char *error)
{
    int moved = 0;
    const unsigned long failures = failure_count_host();
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved)
        return AGAIN;
    const int64_t tables = rows_value(db, "SELECT count(*) FROM sqlite_schema", 0, 0, -1);
    if (tables == 0)
        return 0;
    const int64_t id = rows_value(db, "PRAGMA application_id", 0, 0, 0);
    const int64_t complete =
        rows_value(db, "SELECT value FROM meta WHERE key = 'complete'", 0, 0, 1);
    if (failure_count_host() == failures && id == SCHEMA_APPLICATION_ID && complete == 0) {
        trace_file_drop(partial);
        return AGAIN;
    }
    if (failure_count_host() != failures)
        return fail(-1, error, partial, failure_sentence());
    snprintf(error, TRACE_FILE_ERROR,
             id == SCHEMA_APPLICATION_ID
                 ? "%s is a finished trace that has not got its name: rename or remove it"
                 : "%s exists and is not a takt trace: it is not changed",
             partial);
    return 1;
}

/*
 * Runs that want one name at the same time claim it in turn. SQLite gets its lock in steps, so that
 * each of them could find another one on the way to it, and all would be refused. The lock on the
 * folder leaves no file, whatever happens to the process. Returns a descriptor to be closed;
 * -1 where the folder cannot be locked (some network file systems) or another process holds it: the
 * claim continues without.
 */
static int take_turn(const char *partial)
{
    enum { TRIES = 5000 };
    const struct timespec pause = {.tv_nsec = 1000000};
    char *folder = strdup(partial);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    const int fd = folder ? open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    int failed = fd < 0 ? -1 : flock(fd, LOCK_EX | LOCK_NB);
    for (int i = 0; failed && fd >= 0 && i < TRIES && (errno == EWOULDBLOCK || errno == EINTR);
         i++) {
        if (nanosleep(&pause, NULL) != 0)
            break; /* a signal: the run will look at it */
        failed = flock(fd, LOCK_EX | LOCK_NB);
    }
    if (!failed)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Neither the trace nor what is written and removed next to it is another file of the command. */
static int check_use(const char *name, const char *partial, char *error)
{
    static const char *const ends[] = {"", "-journal"};
    const char *const names[] = {name, partial};
    for (size_t i = 0; i < 4; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s%s", names[i / 2], ends[i % 2]) < 0)
            return fail(-1, error, name, "out of memory");
        const int used = in_use_write(path, error, TRACE_FILE_ERROR);
        free(path);
        if (used != 0)
            return used;
    }
    return 0;
}

static int claim(sqlite3 **db, const char *name, const char *partial, char *error)
{
    enum { TRIES = 20 };
    bool journal;
    int status = check_name(name, error);
    if (status == 0)
        status = trace_beside(partial, &journal, error, TRACE_FILE_ERROR);
    for (int i = 0; status == 0 && i < TRIES; i++) {
        struct stat st;
        const int fd = open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return fail(-1, error, partial, strerror(errno));
        if (fd >= 0)
            close(fd);
        else if (lstat(partial, &st) == 0 && !S_ISREG(st.st_mode))
            return fail(1, error, partial, "it is not a regular file");
        status = lock(db, partial, error);
        if (status == 0 && (status = judge(*db, partial, error)) == 0)
            return 0;
        sqlite3_close(*db);
        *db = NULL;
        status = status == AGAIN ? 0 : status;
    }
    return status ? status : fail(1, error, partial, "other runs come and go there");
}

int trace_file_claim(sqlite3 **db, const char *name, const char *partial,
                     char error[TRACE_FILE_ERROR])
{
    const int used = check_use(name, partial, error);
    if (used != 0)
        return used;
    const int turn = take_turn(partial);
    const int status = claim(db, name, partial, error);
    if (turn >= 0)
        close(turn);
    return status;
}

int trace_file_publish(const char *name, const char *partial, char error[TRACE_FILE_ERROR])
{
    const int fd = open(partial, O_RDONLY | O_CLOEXEC);
    int status =
        fd < 0 || file_inherit(fd, name) || (fsync(fd) && errno != EINVAL && errno != EROFS) ? -1
                                                                                             : 0;
    if (status)
        fail(-1, error, partial, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (status == 0)
        status = check_name(name, error);
    if (status)
        return status;
    roll_back(name); /* should the rename fail */
    remove_journal(name);
    return rename(partial, name) ? fail(-1, error, name, strerror(errno)) : 0;
}
