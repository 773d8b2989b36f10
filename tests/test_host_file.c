/* Files read whole, files written whole or not at all, and rounds of worker threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/failure.h"
#include "host/file.h"
#include "host/workers.h"
#include "host/path.h"

enum { NAME = 200 };

static char folder[] = "/tmp/takt-host-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(folder); /* every test leaves it empty */
}

static void name(char path[NAME], const char *last)
{
    snprintf(path, NAME, "%s/%s", folder, last);
}

static void put(const char *path, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        assert_true(putc((int)(i * 7 % 251), file) != EOF);
    assert_int_equal(fclose(file), 0);
}

static bool holds(const char *path, const char *text)
{
    struct file_bytes bytes;
    char error[NAME];
    const bool same = file_read(path, SIZE_MAX, &bytes, error, sizeof error) == 0 &&
                      bytes.size == strlen(text) &&
                      (bytes.size == 0 || memcmp(bytes.at, text, bytes.size) == 0);
    file_free(&bytes);
    return same;
}

/* Sizes on both sides of what is read at first, and a file that says it is empty. */
static void read_to_the_end(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 3000000};
    char path[NAME], error[NAME];
    name(path, "in");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct file_bytes bytes;
        put(path, sizes[k]);
        assert_int_equal(file_read(path, sizes[k] + 1, &bytes, error, sizeof error), 0);
        assert_int_equal(bytes.size, sizes[k]);
        for (size_t i = 0; i < sizes[k]; i++)
            if ((unsigned char)bytes.at[i] != i * 7 % 251)
                fail_msg("byte %zu", i);
        file_free(&bytes);
        assert_int_equal(file_read(path, sizes[k], &bytes, error, sizeof error), FILE_TOO_LARGE);
        assert_null(bytes.at);
    }
    unlink(path);
    struct file_bytes bytes;
    assert_int_equal(file_read("/proc/self/maps", SIZE_MAX, &bytes, error, sizeof error), 0);
    assert_true(bytes.size > 0);
    file_free(&bytes);
    assert_int_equal(file_read(path, SIZE_MAX, &bytes, error, sizeof error), 1);
    assert_non_null(strstr(error, path));
    assert_int_equal(file_read(folder, SIZE_MAX, &bytes, error, sizeof error), 1);
    assert_null(bytes.at);
}

static void replaced_at_the_end(void **state)
{
    (void)state;
    char path[NAME], partial[NAME], error[NAME];
    struct replace out, other;
    name(path, "out");
    assert_int_equal(replace_open(&out, path, error, sizeof error), 0);
    fputs("one", out.file);
    fflush(out.file);
    assert_int_equal(access(path, F_OK), -1); /* not before the end */
    assert_int_equal(replace_close(&out, true, error, sizeof error), 0);
    assert_true(holds(path, "one"));
    /* A writer that gives up leaves what stood there. */
    assert_int_equal(replace_open(&out, path, error, sizeof error), 0);
    fputs("two", out.file);
    snprintf(partial, sizeof partial, "%s", out.partial);
    assert_int_equal(access(partial, F_OK), 0);
    assert_int_equal(replace_close(&out, false, error, sizeof error), 0);
    assert_true(holds(path, "one"));
    assert_int_equal(access(partial, F_OK), -1);
    /* Two writers at once do not meet; nothing is to be closed where nothing is open. */
    assert_int_equal(replace_open(&out, path, error, sizeof error), 0);
    assert_int_equal(replace_open(&other, path, error, sizeof error), 0);
    fputs("first", out.file);
    fputs("second", other.file);
    assert_int_equal(replace_close(&out, true, error, sizeof error), 0);
    assert_true(holds(path, "first"));
    assert_int_equal(replace_close(&other, true, error, sizeof error), 0);
    assert_true(holds(path, "second"));
    assert_int_equal(replace_close(&other, true, error, sizeof error), 0);
    /* Through a link: the file changes, the link stays. */
    char link[NAME];
    struct stat status;
    name(link, "link");
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(replace_open(&out, link, error, sizeof error), 0);
    fputs("three", out.file);
    assert_int_equal(replace_close(&out, true, error, sizeof error), 0);
    assert_true(holds(path, "three"));
    assert_true(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    unlink(link);
    unlink(path);
}

static void replaced_never(void **state)
{
    (void)state;
    char path[NAME], error[NAME];
    struct replace out;
    /* No such folder. */
    name(path, "none/out");
    assert_int_equal(replace_open(&out, path, error, sizeof error), -1);
    assert_non_null(strstr(error, path));
    /* What is no regular file is written as it is: a full device says so at the end. */
    assert_int_equal(replace_open(&out, "/dev/null", error, sizeof error), 0);
    assert_null(out.partial);
    assert_int_equal(replace_close(&out, true, error, sizeof error), 0);
    assert_int_equal(replace_open(&out, "/dev/full", error, sizeof error), 0);
    fputs("lost", out.file);
    assert_int_equal(replace_close(&out, true, error, sizeof error), -1);
    assert_int_equal(replace_open(&out, "-", error, sizeof error), 0);
    assert_ptr_equal(out.file, stdout);
    assert_int_equal(replace_close(&out, true, error, sizeof error), 0);
}

struct count {
    unsigned times[1000], threads;
};

static void count_part(void *arg, size_t part, unsigned worker)
{
    struct count *count = arg;
    count->times[part]++;
    if (worker >= count->threads)
        count->times[part] = 1000;
}

/* Each part is done once in a round, and is done when the round returns. */
static void rounds(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads < 6; threads++) {
        struct workers *workers = workers_new(threads);
        assert_non_null(workers);
        struct count count = {.threads = threads ? threads : 1};
        for (unsigned round = 1; round <= 200; round++) {
            const size_t parts = round % 3 ? 1000 : round % 7;
            memset(count.times, 0, sizeof count.times);
            workers_run(workers, parts, count_part, &count);
            for (size_t part = 0; part < 1000; part++)
                assert_int_equal(count.times[part], part < parts);
        }
        workers_free(workers);
    }
    workers_free(NULL);
}

struct elsewhere {
    unsigned long failures;
    atomic_uint failed;
};

/* Finds no memory in threads that are not the caller's. */
static void fail_elsewhere(void *arg, size_t part, unsigned worker)
{
    struct elsewhere *e = arg;
    (void)part;
    if (worker == 0) {
        usleep(1000);
        return;
    }
    free(malloc(SIZE_MAX / 2 - worker));
    atomic_fetch_add(&e->failed, 1);
}

static void failures_of_helpers(void **state)
{
    (void)state;
    enum { PARTS = 64 };
    struct elsewhere e = {.failures = failure_count_host()};
    struct workers *w = workers_new(3);
    for (unsigned tries = 0; tries < 100 && !e.failed; tries++)
        workers_run(w, PARTS, fail_elsewhere, &e);
    assert_true(e.failed > 0);
    assert_true(failure_count_host() > e.failures);
    workers_free(w);
}

static void parts_of_paths(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"kernels/a.yaml", "tile.vsm", "kernels/tile.vsm"},
        {"a.yaml", "tile.vsm", "tile.vsm"},
        {"kernels/a.yaml", "/t/tile.vsm", "/t/tile.vsm"},
        {"/a.yaml", "b/tile.vsm", "/b/tile.vsm"},
        {"kernels/a.yaml", "", "kernels/"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *path = path_relative(rows[i][0], rows[i][1]);
        assert_string_equal(path, rows[i][2]);
        free(path);
    }
    assert_string_equal(path_base("kernels/tile.vsm"), "tile.vsm");
    assert_string_equal(path_base("tile.vsm"), "tile.vsm");
    assert_string_equal(path_base("kernels/"), "kernels/");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_paths),
        cmocka_unit_test(read_to_the_end),
        cmocka_unit_test(replaced_at_the_end),
        cmocka_unit_test(replaced_never),
        cmocka_unit_test(rounds),
        cmocka_unit_test(failures_of_helpers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
