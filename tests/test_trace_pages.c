/* pages: SQLite itself finds the file sound and reads back every row and entry; a process that is
 * killed at the worst moment, and a disk that is full, leave the file as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traces/pages.h"

static char path[] = "/tmp/takt-pages-XXXXXX";

/* Stands before the C library's: the journal is dropped by it. */
static bool die_at_truncate;

int ftruncate(int fd, off_t size)
{
    if (die_at_truncate && size == 0) {
        raise(SIGKILL);
    }
    return (int)syscall(SYS_ftruncate, fd, size);
}

static uint64_t state = 1;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Every size that a number can take, both signs, both edges of each. */
static int64_t number(void)
{
    const unsigned bits = (unsigned)(draw() % 64);
    const int64_t edge = bits == 63 ? INT64_MAX : (int64_t)(1ull << bits);
    switch (draw() % 6) {
    case 0: return PAGES_NULL;
    case 1: return edge;
    case 2: return edge - 1;
    case 3: return -edge;
    case 4: return -edge - (bits < 63);
    default: return (int64_t)(draw() >> bits % 64 >> 1);
    }
}

static void execute(const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    sqlite3_close(db);
}

static int64_t ask(const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    const int64_t value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return value;
}

static void fresh(void)
{
    char journal[sizeof path + 8];
    snprintf(journal, sizeof journal, "%s-journal", path);
    unlink(path);
    unlink(journal);
    execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE;"
            "CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, text TEXT) STRICT;"
            "CREATE TABLE b (x INTEGER, y INTEGER) STRICT; CREATE INDEX b_x ON b (x, y);"
            "CREATE TABLE other (x); INSERT INTO other VALUES (1), (2)");
}

static uint32_t root(const char *name)
{
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", name);
    return (uint32_t)ask(sql);
}

static void expect_sound(void)
{
    assert_int_equal(ask("SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    assert_int_equal(ask("SELECT sum(x) FROM other"), 3);
}

static void check_value(sqlite3_stmt *s, int column, int64_t value)
{
    if (value == PAGES_NULL) {
        assert_int_equal(sqlite3_column_type(s, column), SQLITE_NULL);
    } else {
        assert_int_equal(sqlite3_column_type(s, column), SQLITE_INTEGER);
        assert_true(sqlite3_column_int64(s, column) == value);
    }
}

struct row {
    int64_t id, x, y;
    size_t size; /* of the text; SIZE_MAX: none */
};

/* Text of row i: any slice of this. */
static char letters[100000];

static void write_and_read(size_t count, size_t longest)
{
    struct row *rows = calloc(count + 1, sizeof *rows);
    int64_t id = -5; /* row ids may be negative */
    for (size_t i = 0; i < count; i++) {
        id += 1 + (draw() % 8 == 0 ? (int64_t)(draw() % 100000) : 0);
        rows[i] = (struct row){id, number(), number(),
                               draw() % 16 == 0 ? SIZE_MAX
                               : longest        ? draw() % (longest + 1)
                                                : 0};
    }
    fresh();
    const uint32_t a = root("a"), b = root("b"), b_x = root("b_x");
    const int fd = open(path, O_RDWR);
    struct pages pages;
    assert_int_equal(pages_open(&pages, fd, path), 0);
    struct tree tree, second;
    tree_begin(&tree, NULL);
    tree_attach(&tree, &pages, a);
    tree_begin(&second, NULL);
    const size_t attached = draw() % (count + 1); /* its rows before are kept meanwhile */
    /* Without NULLs: how SQLite sorts them is not this test's matter. */
    int64_t *entries = calloc(3 * count + 1, sizeof *entries);
    for (size_t i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        const bool text = r->size != SIZE_MAX;
        /* The text column is always there: without one it is a NULL number. */
        if (text) {
            tree_text(&tree, r->id, (const int64_t[]){0, r->x, r->y}, 3, true, letters + i % 7, r->size);
        } else {
            tree_row(&tree, r->id, (const int64_t[]){0, r->x, r->y, PAGES_NULL}, 4, true);
        }
        const int64_t pair[] = {(int64_t)(i / 3), (int64_t)(i % 3)};
        if (i == attached) {
            tree_attach(&second, &pages, b);
        }
        tree_row(&second, (int64_t)i + 1, pair, 2, false);
        memcpy(entries + 3 * i, (const int64_t[]){pair[0], pair[1], (int64_t)i + 1},
               3 * sizeof *entries);
    }
    struct index index;
    index_begin(&index, NULL, 3);
    for (size_t i = 0; i < count; i++) {
        if (i == attached / 2) {
            index_attach(&index, &pages, b_x);
        }
        index_row(&index, entries + 3 * i);
    }
    tree_end(&tree);
    if (attached == count) {
        tree_attach(&second, &pages, b);
    }
    tree_end(&second);
    if (attached / 2 >= count) {
        index_attach(&index, &pages, b_x);
    }
    index_end(&index);
    assert_int_equal(pages_close(&pages, true), 0);
    pages_free(&pages);
    close(fd);
    expect_sound(); /* entries and rows of b agree too */
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT id, x, y, text FROM a ORDER BY id", -1, &s, NULL),
                     SQLITE_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(sqlite3_step(s), SQLITE_ROW);
        check_value(s, 0, rows[i].id);
        check_value(s, 1, rows[i].x);
        check_value(s, 2, rows[i].y);
        if (rows[i].size == SIZE_MAX) {
            assert_int_equal(sqlite3_column_type(s, 3), SQLITE_NULL);
        } else {
            assert_int_equal(sqlite3_column_bytes(s, 3), rows[i].size);
            assert_memory_equal(sqlite3_column_text(s, 3), letters + i % 7, rows[i].size);
        }
    }
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    sqlite3_close(db);
    /* SQLite goes on with the file as with any other. */
    execute("INSERT INTO b VALUES (-1, 7), (1, 7)");
    if (count) {
        execute("DELETE FROM a WHERE id % 2 = 0; UPDATE a SET text = 'short' WHERE id % 3 = 0;"
                "DELETE FROM b WHERE x % 2 = 0; VACUUM");
    }
    expect_sound();
    free(entries);
    free(rows);
}

static void rows_come_back(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof letters; i++) {
        letters[i] = (char)('a' + i % 26);
    }
    /* Leaves, then one, two and three levels above them; texts that fit, and that do not. */
    static const size_t counts[] = {0, 1, 2, 3, 50, 270, 271, 300, 1000, 40000};
    static const size_t longest[] = {0, 30, 5000, 20000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (size_t l = 0; l < sizeof longest / sizeof *longest; l++) {
            if (counts[c] * longest[l] < 20000000) {
                write_and_read(counts[c], longest[l]);
            }
        }
    }
    write_and_read(600000, 0);
}

/* Each size around where a text leaves its page, and where its last page is full. */
static void texts_of_every_size(void **unused)
{
    (void)unused;
    for (size_t size = 4000; size < 4100; size++) {
        write_and_read(1, size);
    }
    fresh();
    const uint32_t a = root("a");
    const int fd = open(path, O_RDWR);
    struct pages pages;
    assert_int_equal(pages_open(&pages, fd, path), 0);
    struct tree tree;
    tree_begin(&tree, NULL);
    tree_attach(&tree, &pages, a);
    for (int64_t size = 4000; size < 13000; size += 1) {
        tree_text(&tree, size, (const int64_t[]){0, size, 1}, 3, true, letters, (size_t)size);
    }
    tree_end(&tree);
    assert_int_equal(pages_close(&pages, true), 0);
    pages_free(&pages);
    close(fd);
    expect_sound();
    assert_int_equal(ask("SELECT count(*) FROM a WHERE length(text) = id AND x = id"), 9000);
}

/* Page 262145 holds the byte of the locks: whatever comes there goes around it. */
static void page_of_the_locks(void **unused)
{
    (void)unused;
    enum { LOCKS = 0x40000000 / PAGE_SIZE + 1, LEAVES = 3 * LEAVES_BLOCK };
    for (uint32_t before = LOCKS - 2 * LEAVES_BLOCK - 2; before < LOCKS + 2; before += LEAVES_BLOCK / 2) {
        fresh();
        const uint32_t b = root("b");
        const int fd = open(path, O_RDWR);
        struct pages pages;
        assert_int_equal(pages_open(&pages, fd, path), 0);
        pages.count = before;
        struct tree tree;
        tree_begin(&tree, NULL);
        for (int64_t id = 1; tree.child_count < LEAVES; id++) {
            tree_row(&tree, id, (const int64_t[]){id, 1}, 2, false);
        }
        tree_attach(&tree, &pages, b);
        assert_int_equal(pages.error, 0);
        uint32_t expected = before;
        for (size_t i = 0; i < LEAVES; i++) {
            expected += expected + 1 == LOCKS ? 2 : 1;
            assert_int_equal(tree.children[i].page, expected);
        }
        assert_int_equal(pages.count, expected);
        tree_free(&tree);
        assert_int_equal(pages_close(&pages, false), 0);
        pages_free(&pages);
        close(fd);
        expect_sound();
    }
}

/* Without pages there is no place for what does not fit into a leaf. */
static void long_rows_need_pages(void **unused)
{
    (void)unused;
    for (size_t size = 4000; size < 4200; size++) {
        fresh();
        const uint32_t a = root("a");
        const int fd = open(path, O_RDWR);
        struct pages pages;
        assert_int_equal(pages_open(&pages, fd, path), 0);
        struct tree tree;
        tree_begin(&tree, NULL);
        tree_text(&tree, 1, (const int64_t[]){0, 7, 1}, 3, true, letters, size);
        tree_attach(&tree, &pages, a);
        tree_end(&tree);
        /* Payload: 6 bytes of head, one number, the text; at most 4061 stay in the leaf. */
        const bool fits = 6 + 1 + size <= PAGE_SIZE - 35;
        assert_int_equal(pages_close(&pages, true), fits ? 0 : -1);
        pages_free(&pages);
        close(fd);
        expect_sound();
        assert_int_equal(ask("SELECT count(*) FROM a"), fits);
    }
}

/* Returns how the child ended. */
static int write_in_child(bool die, rlim_t limit)
{
    const uint32_t a = root("a"), b = root("b");
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        if (limit) {
            setrlimit(RLIMIT_FSIZE, &(const struct rlimit){limit, limit});
        }
        const int fd = open(path, O_RDWR);
        struct pages pages;
        struct tree tree;
        if (pages_open(&pages, fd, path)) {
            _exit(2);
        }
        tree_begin(&tree, NULL);
        tree_attach(&tree, &pages, a);
        for (int64_t i = 0; i < 2000; i++) {
            tree_text(&tree, i, (const int64_t[]){0, i, 1}, 3, true, letters, 300);
        }
        tree_end(&tree);
        tree_begin(&tree, NULL);
        tree_attach(&tree, &pages, b);
        for (int64_t i = 0; i < 2000; i++) {
            tree_row(&tree, i, (const int64_t[]){i, 1}, 2, false);
        }
        tree_end(&tree);
        die_at_truncate = die;
        _exit(pages_close(&pages, true) ? 3 : 0);
    }
    int status;
    waitpid(child, &status, 0);
    return status;
}

/* All is changed and the journal still stands: the next reader undoes it. */
static void killed_before_the_end(void **unused)
{
    (void)unused;
    fresh();
    execute("DROP INDEX b_x");
    const int status = write_in_child(true, 0);
    assert_true(WIFSIGNALED(status));
    expect_sound();
    assert_int_equal(ask("SELECT count(*) FROM a"), 0);
    assert_int_equal(ask("SELECT count(*) FROM b"), 0);
    /* And then it works. */
    assert_int_equal(write_in_child(false, 0), 0);
    expect_sound();
    assert_int_equal(ask("SELECT count(*) FROM a"), 2000);
    assert_int_equal(ask("SELECT sum(x) FROM b"), 1999000);
}

static void full_disk(void **unused)
{
    (void)unused;
    int failed = 0, written = 0;
    for (rlim_t limit = 30000; limit < 1000000; limit += 70000) {
        fresh();
        execute("DROP INDEX b_x");
        const int status = write_in_child(false, limit);
        assert_true(WIFEXITED(status));
        const int code = WEXITSTATUS(status);
        assert_true(code == 0 || code == 3);
        failed += code == 3;
        written += code == 0;
        expect_sound();
        assert_int_equal(ask("SELECT count(*) FROM a"), code == 0 ? 2000 : 0);
        if (code == 0) {
            assert_true(ask("SELECT page_count * 4096 FROM pragma_page_count") <= (int64_t)limit);
        }
    }
    assert_true(failed > 3 && written > 3);
}

/* What does not fit the format's assumptions is refused, and left alone. */
static void refused(void **unused)
{
    (void)unused;
    fresh();
    unlink(path);
    execute("PRAGMA page_size = 8192; CREATE TABLE other (x); INSERT INTO other VALUES (3)");
    const int fd = open(path, O_RDWR);
    struct pages pages;
    assert_int_equal(pages_open(&pages, fd, path), -1);
    assert_int_equal(pages_close(&pages, true), -1);
    pages_free(&pages);
    expect_sound();
    close(fd);
}

static int set_up(void **unused)
{
    (void)unused;
    const int fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int tear_down(void **unused)
{
    (void)unused;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back), cmocka_unit_test(texts_of_every_size),
        cmocka_unit_test(page_of_the_locks), cmocka_unit_test(long_rows_need_pages),
        cmocka_unit_test(killed_before_the_end), cmocka_unit_test(full_disk),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
