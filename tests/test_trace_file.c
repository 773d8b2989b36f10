/* How a trace comes to its file: names, kills, full disks, two runs; and what a reader refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <dirent.h>
#include <fcntl.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/trace_sample.h"
#include "traces/recorder.h"
#include "traces/schema.h"
#include "traces/rows.h"
#include "traces/trace.h"

static char folder[] = "/tmp/takt-trace-XXXXXX";
static char path[sizeof folder + 16], partial[sizeof folder + 24];
static const struct recorder_options totals;

static void remove_all(const char *name)
{
    DIR *dir = opendir(name);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char file[600];
        snprintf(file, sizeof file, "%s/%s", name, e->d_name);
        if (e->d_name[0] != '.')
            unlink(file);
    }
    if (dir)
        closedir(dir);
}

static int count_files(void)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        count += e->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return count;
}

static int setup(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/k.db", folder);
    snprintf(partial, sizeof partial, "%s.partial", path);
    remove_all(folder);
    return 0;
}

static int group_setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int group_teardown(void **state)
{
    (void)state;
    remove_all(folder);
    return rmdir(folder);
}

static struct recorder *begin(struct sink *sink)
{
    struct recorder *r = NULL;
    char error[600] = "";
    if (recorder_open(&r, path, &totals, error, sizeof error))
        fail_msg("%s", error);
    *sink = recorder_sink(r);
    assert_int_equal(sample_begin(sink), 0);
    return r;
}

static void record(bool complete)
{
    struct sink sink;
    char error[600] = "";
    struct recorder *r = begin(&sink);
    assert_int_equal(sample_events(&sink), 0);
    assert_int_equal(sample_finish(&sink, complete), 0);
    if (recorder_close(r, error, sizeof error))
        fail_msg("%s", error);
}

static int64_t ask(const char *file, const char *sql)
{
    sqlite3 *db = NULL;
    char error[600] = "";
    if (trace_open(&db, file, error, sizeof error))
        fail_msg("%s", error);
    const int64_t value = rows_value(db, sql, 0, 0, -1);
    sqlite3_close(db);
    return value;
}

static bool sound(const char *file)
{
    sqlite3 *db = NULL;
    char error[600] = "";
    if (trace_open(&db, file, error, sizeof error))
        fail_msg("%s", error);
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    const bool whole = !strcmp((const char *)sqlite3_column_text(s, 0), "ok");
    const bool fine = whole && rows_value(db, "SELECT count(*) FROM v_check", 0, 0, -1) == 0;
    if (!whole) {
        print_error("%s: %s\n", file, (const char *)sqlite3_column_text(s, 0));
    } else if (!fine) {
        sqlite3_stmt *found = NULL;
        sqlite3_prepare_v2(db,
                           "SELECT rule || ': ' || subject || ', ' || expected || ', ' || found "
                           "FROM v_check",
                           -1, &found, NULL);
        while (sqlite3_step(found) == SQLITE_ROW)
            print_error("%s: %s\n", file, (const char *)sqlite3_column_text(found, 0));
        sqlite3_finalize(found);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return fine;
}

static const char complete_sql[] = "SELECT value FROM meta WHERE key = 'complete'";

static void finished_run(void **state)
{
    (void)state;
    record(true);
    assert_int_equal(count_files(), 1);
    assert_int_equal(ask(path, complete_sql), 1);
    assert_true(sound(path));
    assert_int_equal(ask(path, "SELECT count(*) FROM source"), SAMPLE_STMTS);
    assert_int_equal(ask(path, "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND "
                               "name = 'transfer_stmt'"),
                     1);
}

static void refuses(const char *file, int status, const char *part)
{
    sqlite3 *db = NULL;
    char error[600] = "";
    assert_int_equal(trace_open(&db, file, error, sizeof error), status);
    if (!strstr(error, part))
        fail_msg("'%s' does not say '%s'", error, part);
}

static char *bytes_of(const char *file, size_t *size)
{
    struct stat st;
    assert_int_equal(stat(file, &st), 0);
    *size = (size_t)st.st_size;
    char *text = malloc(*size);
    FILE *f = fopen(file, "rb");
    assert_non_null(text);
    assert_non_null(f);
    assert_int_equal(fread(text, 1, *size, f), *size);
    fclose(f);
    return text;
}

/* Same input, same bytes, whenever it is committed, and whatever was left by a run before. */
static void bytes_repeat(void **state)
{
    (void)state;
    char *texts[3];
    size_t sizes[3];
    for (int i = 0; i < 3; i++) {
        struct recorder *r = NULL;
        char error[600] = "";
        const struct recorder_options all = {.intervals = true, .window_from = 8, .window_to = 30};
        if (i == 2)
            record(false);
        assert_int_equal(recorder_open(&r, path, &all, error, sizeof error), 0);
        const struct sink sink = recorder_sink(r);
        assert_int_equal(sample_begin(&sink), 0);
        assert_int_equal(sample_events(&sink), 0);
        for (int k = 0; k < i; k++)
            assert_int_equal(recorder_commit(r), 0);
        assert_int_equal(sample_finish(&sink, true), 0);
        assert_int_equal(recorder_close(r, error, sizeof error), 0);
        texts[i] = bytes_of(path, &sizes[i]);
        remove_all(folder);
    }
    for (int i = 1; i < 3; i++) {
        assert_int_equal(sizes[0], sizes[i]);
        assert_memory_equal(texts[0], texts[i], sizes[0]);
    }
    for (int i = 0; i < 3; i++)
        free(texts[i]);
}

static void stopped_run(void **state)
{
    (void)state;
    record(false);
    assert_int_equal(count_files(), 1);
    assert_int_equal(ask(partial, complete_sql), 0);
    assert_int_equal(ask(partial, "SELECT count(*) FROM meta WHERE key = 'total_cycles'"), 0);
    assert_int_equal(ask(partial, "SELECT value FROM meta WHERE key = 'cycles_reached'"),
                     SAMPLE_CYCLES);
    assert_true(sound(partial));
    refuses(path, 1, "k.db does not exist");
    refuses(path, 1, "k.db.partial does");
    /* A later run takes its place. */
    record(true);
    assert_int_equal(count_files(), 1);
    assert_int_equal(ask(path, complete_sql), 1);
}

static void a_good_trace_stays(void **state)
{
    (void)state;
    char *before, *after;
    size_t sizes[2];
    record(true);
    before = bytes_of(path, &sizes[0]);
    record(false);
    assert_int_equal(ask(partial, complete_sql), 0);
    after = bytes_of(path, &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(before, after, sizes[0]);
    assert_int_equal(count_files(), 2);
    free(before);
    free(after);
    record(true);
    assert_int_equal(count_files(), 1);
}

static void a_run_that_never_began(void **state)
{
    (void)state;
    struct recorder *r = NULL;
    char error[600] = "";
    assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), 0);
    assert_int_equal(recorder_close(r, error, sizeof error), 0);
    assert_int_equal(count_files(), 0);
}

/* The second of two runs with one name is refused, and the first goes on. */
static void two_runs_do_not_mix(void **state)
{
    (void)state;
    struct recorder *second = NULL;
    struct sink sink;
    char error[600] = "";
    struct recorder *r = begin(&sink);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(recorder_open(&second, path, &totals, error, sizeof error), 1);
        assert_null(second);
        assert_non_null(strstr(error, "another run writes this trace"));
        assert_int_equal(sample_events(&sink), 0);
    }
    assert_int_equal(sample_finish(&sink, true), 0);
    assert_int_equal(recorder_open(&second, path, &totals, error, sizeof error), 1);
    assert_int_equal(recorder_close(r, error, sizeof error), 0);
    assert_int_equal(count_files(), 1);
    assert_true(sound(path));
    record(true);
    assert_int_equal(count_files(), 1);
}

/* Of runs in processes of their own that all want one name at once, at least one has it; several do
 * when one ends before another begins. */
static void many_processes(void **state)
{
    (void)state;
    enum { RUNS = 12, ROUNDS = 20 };
    for (int round = 0; round < ROUNDS; round++) {
        pid_t children[RUNS];
        int fine = 0, gate[2]; /* closed when all of them stand at it */
        assert_int_equal(pipe(gate), 0);
        if (round % 2)
            record(false); /* left over, to be fought for */
        for (int i = 0; i < RUNS; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                struct recorder *r;
                char error[600], byte;
                close(gate[1]);
                if (read(gate[0], &byte, 1) != 0)
                    _exit(4);
                const int status = recorder_open(&r, path, &totals, error, sizeof error);
                if (status)
                    _exit(status == 1 ? 1 : 2);
                const struct sink sink = recorder_sink(r);
                _exit(sample_run(&sink) || recorder_close(r, error, sizeof error) ? 3 : 0);
            }
        }
        close(gate[0]);
        close(gate[1]);
        for (int i = 0; i < RUNS; i++) {
            int status;
            waitpid(children[i], &status, 0);
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
            fine += WEXITSTATUS(status) == 0;
        }
        assert_true(fine >= 1);
        assert_int_equal(count_files(), 1);
        assert_true(sound(path));
        assert_int_equal(ask(path, complete_sql), 1);
    }
}

/* A run whose folder another process holds for a moment waits for its turn. */
static void a_turn_comes(void **state)
{
    (void)state;
    int held[2];
    char byte;
    struct timespec from, to;
    assert_int_equal(pipe(held), 0);
    clock_gettime(CLOCK_MONOTONIC, &from);
    const pid_t child = fork();
    if (child == 0) {
        const int fd = open(folder, O_RDONLY | O_DIRECTORY);
        const struct timespec moment = {.tv_nsec = 100000000};
        if (fd < 0 || flock(fd, LOCK_EX) != 0 || write(held[1], "x", 1) != 1)
            _exit(1);
        nanosleep(&moment, NULL);
        _exit(0);
    }
    close(held[1]);
    assert_int_equal(read(held[0], &byte, 1), 1);
    record(true);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert_true((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000 > 95);
    close(held[0]);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_true(sound(path));
}

static bool is_journal(const char *name)
{
    const char *end = strrchr(name, '-');
    return end && strcmp(end, "-journal") == 0;
}

/* Records intervals and commits them until it is killed; says when the run has begun. */
static void record_for_ever(int begun)
{
    struct recorder *r;
    char error[600];
    const struct recorder_options intervals = {.intervals = true};
    if (recorder_open(&r, path, &intervals, error, sizeof error))
        _exit(1);
    const struct sink sink = recorder_sink(r);
    if (sample_begin(&sink) || write(begun, "x", 1) != 1)
        _exit(1);
    for (uint64_t i = 0;; i++) {
        const struct sink_interval one = {SAMPLE_STREAM, REASON_BUSY, (uint32_t)(i % 5), 3 * i, 2};
        if (sink.ops->interval(sink.context, &one) || (i % 1000 == 0 && recorder_commit(r)))
            _exit(1);
    }
}

/* Every file that a killed run leaves can be read, and holds what was committed. */
static void killed(void **state)
{
    (void)state;
    const int kills = (int)often_rare(60);
    unsigned seed = 1;
    int with_intervals = 0;
    for (int i = 0; i < kills; i++) {
        remove_all(folder);
        int begun[2];
        char byte;
        assert_int_equal(pipe(begun), 0);
        const pid_t child = fork();
        if (child == 0)
            record_for_ever(begun[1]);
        assert_true(child > 0);
        close(begun[1]);
        seed = seed * 1103515245 + 12345;
        /* A quarter from before the first byte on, the others when the run has begun. */
        if (i % 4)
            assert_int_equal(read(begun[0], &byte, 1), 1);
        close(begun[0]);
        nanosleep(&(const struct timespec){.tv_nsec = (long)(seed >> 4) % 8000000}, NULL);
        kill(child, i % 2 ? SIGKILL : SIGTERM);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
        DIR *dir = opendir(folder);
        for (struct dirent *e; (e = readdir(dir));) {
            char file[600];
            struct stat st;
            snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
            if (e->d_name[0] == '.' || is_journal(e->d_name) || stat(file, &st))
                continue;
            assert_string_equal(e->d_name, "k.db.partial");
            sqlite3 *db = NULL;
            char error[600];
            if (trace_open(&db, file, error, sizeof error)) {
                /* Before its first commit. */
                if (i % 4 || !strstr(error, "not a takt trace"))
                    fail_msg("%s: %s", e->d_name, error);
                continue;
            }
            sqlite3_close(db);
            assert_int_equal(ask(file, complete_sql), 0);
            assert_true(sound(file));
            assert_true(i % 4 == 0 || ask(file, "SELECT count(*) FROM stmt") == SAMPLE_STMTS);
            with_intervals += ask(file, "SELECT count(*) FROM slice_chunk") > 0;
        }
        closedir(dir);
    }
    assert_true(with_intervals > 0);
    /* The next run takes over what the killed one left. */
    record(true);
    assert_int_equal(ask(path, complete_sql), 1);
    assert_int_equal(count_files(), 1);
}

/* Few intervals are plain rows, too, which a run that ends without its chunks has alone. */
static void rows_without_chunks(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        struct recorder *r;
        char error[600];
        const struct recorder_options few = {.intervals = true, .plain = 1000};
        if (recorder_open(&r, path, &few, error, sizeof error))
            _exit(1);
        const struct sink sink = recorder_sink(r);
        _exit(sample_begin(&sink) || sample_events(&sink) || recorder_commit(r) ? 1 : 0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(ask(partial, "SELECT count(*) FROM slice_chunk"), 0);
    assert_true(ask(partial, "SELECT count(*) FROM slice_row") > 0);
    assert_int_equal(ask(partial, "SELECT (SELECT count(*) FROM slice) - count(*) FROM slice_row"),
                     0);
    assert_int_equal(ask(partial,
                         "SELECT (SELECT sum(ts + dur) FROM slice) - sum(start + duration) "
                         "FROM slice_row"),
                     0);
}

/* A full disk: writes beyond a limit fail with EFBIG, which SQLite reports as an I/O error. */
static void full_disk(void **state)
{
    (void)state;
    static const rlim_t limits[] = {1000, 40000, 200000, 1000000, 3000000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        remove_all(folder);
        int pipes[2];
        assert_int_equal(pipe(pipes), 0);
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGXFSZ, SIG_IGN);
            const struct rlimit limit = {limits[i], limits[i]};
            setrlimit(RLIMIT_FSIZE, &limit);
            struct recorder *r;
            char error[600] = "";
            int status = recorder_open(&r, path, &totals, error, sizeof error);
            if (status == 0) {
                const struct sink sink = recorder_sink(r);
                const int run = sample_long(&sink, 100000, 7, 100000);
                const char *why = recorder_error(r);
                /* The model sees the failure, or closing does; never silence. */
                status = recorder_close(r, error, sizeof error);
                if (run && !why)
                    _exit(10);
            }
            const ssize_t n = write(pipes[1], error, strlen(error));
            _exit(n < 0 ? 11 : status == -1 ? 3 : 12);
        }
        close(pipes[1]);
        char sentence[600] = "";
        assert_true(read(pipes[0], sentence, sizeof sentence - 1) > 0);
        close(pipes[0]);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 3);
        assert_non_null(strstr(sentence, "k.db"));
        struct stat st;
        assert_int_equal(stat(path, &st), -1);
        if (!stat(partial, &st)) {
            assert_int_equal(ask(partial, complete_sql), 0);
            assert_true(sound(partial));
        }
    }
}

static void places_that_cannot_be_written(void **state)
{
    (void)state;
    static const char *const places[] = {"/nonexistent/folder/k.db", "/dev/full", "/dev/null",
                                         "/proc/k.db", "/"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct recorder *r = NULL;
        char error[600] = "";
        assert_int_equal(recorder_open(&r, places[i], &totals, error, sizeof error), -1);
        assert_non_null(strstr(error, "cannot write"));
    }
    /* A folder without write permission; root is stopped by nothing. */
    if (geteuid() != 0) {
        assert_int_equal(chmod(folder, 0500), 0);
        struct recorder *r = NULL;
        char error[600] = "";
        assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), -1);
        assert_non_null(strstr(error, "ermission"));
        chmod(folder, 0700);
    }
}

static void write_file(const char *file, const void *data, size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

/* Killed between its last commit and its name: the trace is whole, and nobody but the user touches
 * it. */
static void nameless_but_whole(void **state)
{
    (void)state;
    struct recorder *r = NULL;
    char error[600] = "";
    record(true);
    assert_int_equal(rename(path, partial), 0);
    assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), 1);
    assert_non_null(strstr(error, "k.db.partial is a finished trace that has not got its name"));
    assert_int_equal(ask(partial, complete_sql), 1);
    assert_true(sound(partial));
    assert_int_equal(count_files(), 1);
}

/* Kills around the end of a run: a file that says it is complete is whole, under either name. */
static void killed_at_the_end(void **state)
{
    (void)state;
    const int kills = (int)often_rare(60);
    unsigned seed = 5;
    for (int i = 0; i < kills; i++) {
        remove_all(folder);
        int ready[2];
        assert_int_equal(pipe(ready), 0);
        const pid_t child = fork();
        if (child == 0) {
            char error[600];
            struct recorder *r = NULL;
            if (recorder_open(&r, path, &totals, error, sizeof error))
                _exit(1);
            const struct sink sink = recorder_sink(r);
            if ((i % 2 && write(ready[1], "x", 1) != 1) || sample_run(&sink) ||
                (i % 2 == 0 && write(ready[1], "x", 1) != 1))
                _exit(1);
            recorder_close(r, error, sizeof error);
            pause();
        }
        assert_true(child > 0);
        char byte;
        assert_int_equal(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        close(ready[1]);
        seed = seed * 1103515245 + 12345;
        nanosleep(&(const struct timespec){.tv_nsec = (long)(seed >> 8) % 4000000}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        const char *const files[] = {path, partial};
        int complete = 0;
        for (size_t f = 0; f < 2; f++) {
            if (access(files[f], F_OK) == 0) {
                assert_true(sound(files[f]));
                complete += ask(files[f], complete_sql) == 1;
            }
        }
        assert_true(complete <= 1);
        if (access(partial, F_OK) == 0 && ask(partial, complete_sql) == 1)
            unlink(partial);
        record(true);
        assert_int_equal(ask(path, complete_sql), 1);
        assert_int_equal(count_files(), 1);
    }
}

enum { MAJOR = SCHEMA_VERSION / 100 };

static int set_version(sqlite3 *db, int version)
{
    char sql[60];
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", version);
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static void other_files_are_left_alone(void **state)
{
    (void)state;
    static const char thesis[] = "my only copy of the thesis, longer than the hundred bytes of a "
                                 "database header, which is why it goes on for a while";
    write_file(path, thesis, sizeof thesis);
    struct recorder *r = NULL;
    char error[600] = "";
    assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), 1);
    assert_non_null(strstr(error, "is not a takt trace"));
    assert_int_equal(count_files(), 1);
    /* An empty file, as mktemp leaves it, is nobody's work. */
    write_file(path, "", 0);
    record(true);
    assert_int_equal(ask(path, complete_sql), 1);
}

static void readers_refuse(void **state)
{
    (void)state;
    refuses(path, 1, "No such file");
    refuses(folder, 1, "a folder");
    refuses("/dev/null", 1, "not a regular file");
    write_file(path, "", 0);
    refuses(path, 1, "not a takt trace");
    write_file(path,
               "not a database at all, but long enough to be one, if only it had the right "
               "words at its beginning, which it has not",
               100);
    refuses(path, 1, "not a takt trace");
    remove_all(folder);

    /* A database of somebody else. */
    char format[40];
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE a (b)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    refuses(path, 1, "not a takt trace");
    remove_all(folder);

    record(true);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(set_version(db, MAJOR * 100 + 99), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(ask(path, complete_sql), 1); /* a newer minor is fine */
    /* Its views may be others; those of this version are what takt makes. */
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP VIEW v_stall", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(ask(path, complete_sql), 1);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(set_version(db, SCHEMA_VERSION), SQLITE_OK);
    sqlite3_close(db);
    refuses(path, 1, "v_stall in it is not what takt makes");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(set_version(db, (MAJOR + 1) * 100), SQLITE_OK);
    sqlite3_close(db);
    snprintf(format, sizeof format, "trace format %d.0", MAJOR + 1);
    refuses(path, 1, format);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(set_version(db, (MAJOR - 1) * 100), SQLITE_OK);
    sqlite3_close(db);
    snprintf(format, sizeof format, "trace format %d.0", MAJOR - 1);
    refuses(path, 1, format); /* its tables are others */
    remove_all(folder);
}

/* Cut at any place, or with damaged bytes: a sentence, never a crash. */
static void damaged_files(void **state)
{
    (void)state;
    record(true);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    for (off_t size = 0; size < st.st_size; size += 1 + st.st_size / 40) {
        record(true);
        assert_int_equal(truncate(path, size), 0);
        refuses(path, 1, size < 100 ? "not a takt trace" : "cut short");
    }
    unsigned seed = 7;
    for (int i = 0; i < 60; i++) {
        remove_all(folder);
        record(true);
        const int fd = open(path, O_RDWR);
        assert_true(fd >= 0);
        for (int k = 0; k < 200; k++) {
            seed = seed * 1103515245 + 12345;
            const unsigned char byte = (unsigned char)(seed >> 16);
            seed = seed * 1103515245 + 12345;
            assert_int_equal(pwrite(fd, &byte, 1, 100 + (off_t)(seed >> 4) % (st.st_size - 100)),
                             1);
        }
        close(fd);
        sqlite3 *db = NULL;
        char error[600] = "";
        if (trace_open(&db, path, error, sizeof error) == 0) {
            rows_value(db, "SELECT count(*) FROM v_check", 0, 0, -1);
            rows_value(db, "SELECT sum(dur) FROM slice", 0, 0, -1);
            sqlite3_close(db);
        } else {
            assert_true(*error);
        }
    }
    remove_all(folder);
}

static void windows_become_rows(void **state)
{
    (void)state;
    struct recorder *r = NULL;
    char error[600] = "";
    const struct recorder_options chunks = {.intervals = true};
    assert_int_equal(recorder_open(&r, path, &chunks, error, sizeof error), 0);
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_run(&sink), 0);
    assert_int_equal(recorder_close(r, error, sizeof error), 0);
    assert_int_equal(ask(path, "SELECT count(*) FROM slice"), 11);
    assert_int_equal(ask(path, "SELECT count(*) FROM slice_row"), 0);
    sqlite3 *db = NULL;
    assert_int_equal(trace_open_for_change(&db, path, error, sizeof error), 0);
    /* 40..44: the stream's fvfma, lm0's work and its wait; not the tag wait that ends at 40. */
    for (int i = 0; i < 2; i++) { /* a second window replaces the first */
        assert_int_equal(trace_materialize(db, path, 40, 44, error, sizeof error), 0);
        assert_int_equal(rows_value(db, "SELECT count(*) FROM slice_row", 0, 0, 0), 3);
    }
    sqlite3_close(db);
    assert_true(sound(path));
    assert_int_equal(ask(path, "SELECT count(*) FROM slice_row"), 3);
    assert_int_equal(ask(path, "SELECT count(*) FROM slice"), 11);
    /* The plain shell has the view. */
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(rows_value(db,
                                "SELECT count(*) FROM slice WHERE category = 'port' AND "
                                "name LIKE 'fvfma%'",
                                0, 0, -1),
                     1);
    sqlite3_close(db);
    /* Of a window, the packed intervals are recorded, too. */
    const struct recorder_options window = {.window_from = 40, .window_to = 44};
    assert_int_equal(recorder_open(&r, path, &window, error, sizeof error), 0);
    const struct sink rows = recorder_sink(r);
    assert_int_equal(sample_run(&rows), 0);
    assert_int_equal(recorder_close(r, error, sizeof error), 0);
    assert_int_equal(ask(path, "SELECT count(*) FROM slice"), 11);
    assert_int_equal(ask(path, "SELECT count(*) FROM slice_row"), 3);
    assert_int_equal(ask(path, "SELECT sum(duration) FROM slice_row WHERE unit = 2"), 6);
    assert_true(sound(path));
}

/* A full disk or a place that cannot be written is the host's fault; the trace stays as is. */
static void rows_that_find_no_place(void **state)
{
    (void)state;
    struct recorder *r = NULL;
    char error[600] = "";
    const struct recorder_options chunks = {.intervals = true};
    assert_int_equal(recorder_open(&r, path, &chunks, error, sizeof error), 0);
    const struct sink sink = recorder_sink(r);
    assert_int_equal(sample_long(&sink, 20000, 4, 20000), 0);
    assert_int_equal(recorder_close(r, error, sizeof error), 0);
    sqlite3 *db = NULL;
    assert_int_equal(trace_open_for_change(&db, path, error, sizeof error), 0);
    assert_int_equal(rows_value(db, "PRAGMA max_page_count = 1", 0, 0, 0),
                     rows_value(db, "PRAGMA page_count", 0, 0, 0));
    assert_int_equal(trace_materialize(db, path, 0, INT64_MAX, error, sizeof error), -1);
    assert_non_null(strstr(error, "full"));
    sqlite3_close(db);
    assert_int_equal(trace_open(&db, path, error, sizeof error), 0);
    assert_int_equal(trace_materialize(db, path, 0, INT64_MAX, error, sizeof error), -1);
    assert_non_null(strstr(error, "readonly"));
    sqlite3_close(db);
    assert_true(sound(path));
    assert_int_equal(ask(path, "SELECT count(*) FROM slice_row"), 0);
    assert_int_equal(ask(path, "SELECT count(*) FROM meta WHERE key = 'window_to'"), 0);
}

/* What a connection of somebody else gets. */
static int look_into(const char *file)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, "SELECT * FROM meta", NULL, NULL, NULL);
    sqlite3_close(db);
    return rc;
}

/* While it is recorded nobody gets in, so that nobody who reads can be in the way. */
static void readers_are_kept_out(void **state)
{
    (void)state;
    static const struct recorder_options forms[] = {{0}, {.intervals = true}, {.window_to = 30}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char error[600] = "";
        struct recorder *r = NULL;
        unlink(path);
        assert_int_equal(recorder_open(&r, path, &forms[i], error, sizeof error), 0);
        assert_int_equal(look_into(partial), SQLITE_BUSY);
        const struct sink sink = recorder_sink(r);
        assert_int_equal(sample_begin(&sink), 0);
        assert_int_equal(look_into(partial), SQLITE_BUSY);
        assert_int_equal(sample_events(&sink), 0);
        assert_int_equal(recorder_commit(r), 0);
        assert_int_equal(look_into(partial), SQLITE_BUSY);
        assert_int_equal(sample_finish(&sink, true), 0);
        assert_int_equal(look_into(partial), SQLITE_BUSY);
        assert_int_equal(recorder_close(r, error, sizeof error), 0);
        assert_int_equal(look_into(path), SQLITE_OK);
        assert_true(sound(path));
        assert_int_equal(ask(path, complete_sql), 1);
    }
}

/* Whatever else stands under the partial name stays, and the run is refused. */
static void what_is_no_trace_stays(void **state)
{
    (void)state;
    static const char note[] = "a note\n";
    struct recorder *r = NULL;
    char error[600] = "";
    size_t size;
    write_file(partial, note, sizeof note);
    assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), 1);
    assert_non_null(strstr(error, "k.db.partial exists and is not a takt trace"));
    char *text = bytes_of(partial, &size);
    assert_int_equal(size, sizeof note);
    assert_memory_equal(text, note, size);
    free(text);
    unlink(partial);
    /* A database of somebody else, a folder, a link. */
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(partial, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE meta (key, value)", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), 1);
    assert_non_null(strstr(error, "is not a takt trace"));
    assert_int_equal(unlink(partial), 0);
    assert_int_equal(mkdir(partial, 0700), 0);
    assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), 1);
    assert_int_equal(rmdir(partial), 0);
    assert_int_equal(symlink("elsewhere", partial), 0);
    assert_int_equal(recorder_open(&r, path, &totals, error, sizeof error), 1);
    assert_non_null(strstr(error, "not a regular file"));
    assert_int_equal(unlink(partial), 0);
    assert_int_equal(count_files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(finished_run, setup),
        cmocka_unit_test_setup(bytes_repeat, setup),
        cmocka_unit_test_setup(stopped_run, setup),
        cmocka_unit_test_setup(a_good_trace_stays, setup),
        cmocka_unit_test_setup(a_run_that_never_began, setup),
        cmocka_unit_test_setup(two_runs_do_not_mix, setup),
        cmocka_unit_test_setup(many_processes, setup),
        cmocka_unit_test_setup(a_turn_comes, setup),
        cmocka_unit_test_setup(rows_without_chunks, setup),
        cmocka_unit_test_setup(killed, setup),
        cmocka_unit_test_setup(nameless_but_whole, setup),
        cmocka_unit_test_setup(killed_at_the_end, setup),
        cmocka_unit_test_setup(full_disk, setup),
        cmocka_unit_test_setup(places_that_cannot_be_written, setup),
        cmocka_unit_test_setup(other_files_are_left_alone, setup),
        cmocka_unit_test_setup(readers_refuse, setup),
        cmocka_unit_test_setup(damaged_files, setup),
        cmocka_unit_test_setup(windows_become_rows, setup),
        cmocka_unit_test_setup(rows_that_find_no_place, setup),
        cmocka_unit_test_setup(readers_are_kept_out, setup),
        cmocka_unit_test_setup(what_is_no_trace_stays, setup),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
