/* Sources and findings: what is kept, in which order it is shown, and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "functional/diag.h"
#include "functional/text.h"
#include "host/suggest.h"

static struct diag at(enum diag_severity severity, uint32_t file, uint32_t line, uint32_t column)
{
    return (struct diag){.severity = severity,
                         .file = file,
                         .line = line,
                         .column = column,
                         .length = 1,
                         .rule = "",
                         .name = ""};
}

static void message_and_fix(void **unused)
{
    (void)unused;
    struct diag_list list;
    diag_list_init(&list);
    const struct diag error = at(DIAG_ERROR, 0, 1, 1);
    diag_add(&list, &error, "address %d is odd\nnearest %s", 3, "4");
    diag_add(&list, &error, "plain");
    assert_int_equal(list.count, 2);
    assert_int_equal(list.errors, 2);
    assert_string_equal(list.items[0].message, "address 3 is odd");
    assert_string_equal(list.items[0].fix, "nearest 4");
    assert_string_equal(list.items[1].message, "plain");
    assert_null(list.items[1].fix);
    diag_list_free(&list);
    assert_int_equal(list.count, 0);
}

static void sorted_and_stable(void **unused)
{
    (void)unused;
    struct diag_list list;
    diag_list_init(&list);
    uint32_t state = 1;
    for (unsigned i = 0; i < 1000; i++) {
        state = state * 1664525u + 1013904223u;
        struct diag diag = at(state >> 31 ? DIAG_ERROR : DIAG_WARNING, state >> 29 & 1,
                              1 + (state >> 24 & 7), 1 + (state >> 20 & 3));
        diag_add(&list, &diag, "%u", i);
    }
    diag_sort(&list);
    for (size_t i = 1; i < list.count; i++) {
        const struct diag *a = &list.items[i - 1], *b = &list.items[i];
        const uint64_t x = (uint64_t)a->file << 40 | (uint64_t)a->line << 20 | a->column << 2 |
                           (a->severity == DIAG_ERROR ? 0u : 1u);
        const uint64_t y = (uint64_t)b->file << 40 | (uint64_t)b->line << 20 | b->column << 2 |
                           (b->severity == DIAG_ERROR ? 0u : 1u);
        assert_true(x <= y);
        if (x == y)
            assert_true(atoi(a->message) < atoi(b->message));
    }
    diag_list_free(&list);
}

static void limit_and_silence(void **unused)
{
    (void)unused;
    static const char *const silenced[] = {"quiet", NULL};
    struct diag_list list;
    diag_list_init(&list);
    list.silenced = silenced;
    struct diag warning = at(DIAG_WARNING, 0, 1, 1);
    warning.name = "quiet";
    diag_add(&list, &warning, "not heard");
    assert_int_equal(list.count + list.warnings, 0);
    warning.name = "loud";
    struct diag error = at(DIAG_ERROR, 0, 1, 1);
    error.name = "quiet"; /* an error cannot be silenced */
    diag_add(&list, &error, "heard");
    for (unsigned i = 0; i < DIAG_LIMIT + 5; i++) {
        assert_int_equal(diag_full(&list), i >= DIAG_LIMIT - 1); /* the error is one of them */
        diag_add(&list, &warning, "heard");
    }
    assert_int_equal(list.count, DIAG_LIMIT);
    assert_int_equal(list.warnings, DIAG_LIMIT + 5);
    assert_int_equal(list.errors, 1);
    diag_list_free(&list);
    assert_ptr_equal(list.silenced, silenced);
}

/* Findings of a part are under the limit of the whole, those of a joined list are not. */
static void appended(void **unused)
{
    (void)unused;
    const struct diag warning = at(DIAG_WARNING, 0, 1, 1), error = at(DIAG_ERROR, 0, 2, 1);
    for (int joined = 0; joined < 2; joined++) {
        struct diag_list list, part;
        diag_list_init(&list);
        diag_list_init(&part);
        for (unsigned i = 0; i < DIAG_LIMIT - 3; i++)
            diag_add(&list, &warning, "of the whole");
        for (unsigned i = 0; i < 6; i++)
            diag_add(&part, &error, "part %u", i);
        (joined ? diag_join : diag_append)(&list, &part);
        assert_int_equal(list.count, joined ? DIAG_LIMIT + 3 : DIAG_LIMIT);
        assert_int_equal(list.errors, 6);
        assert_string_equal(list.items[DIAG_LIMIT - 3].message, "part 0");
        assert_string_equal(list.items[list.count - 1].message, joined ? "part 5" : "part 2");
        assert_int_equal(part.count, 0);
        diag_list_free(&list);
    }
}

static char *printed(const struct diag_list *list, const struct source *sources, size_t count,
                     bool colour)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    diag_print(list, sources, count, out, colour);
    fclose(out);
    return text;
}

static void printing(void **unused)
{
    (void)unused;
    static const char program[] = "nop\r\n\tlpassa $lr1v $ls0v # \xc3\xa4\r\nlast\x1b[31m";
    struct source source[2];
    assert_int_equal(source_from_text(&source[0], "k.vsm", program, sizeof program - 1), 0);
    assert_int_equal(source_from_text(&source[1], "l.vsm", "one\ntwo\nthree\n", 14), 0);
    struct diag_list list;
    diag_list_init(&list);
    struct diag diag = at(DIAG_ERROR, 0, 2, 9);
    diag.length = 5;
    diag.rule = "3.6.1.10";
    diag_add(&list, &diag, "not aligned\nnearest aligned address 2");
    diag = at(DIAG_WARNING, 0, 3, 5);
    diag.name = "odd-thing";
    diag_add(&list, &diag, "strange");
    diag = at(DIAG_NOTE, 0, 99, 1);
    diag_add(&list, &diag, "beyond the end");
    diag = at(DIAG_NOTE, 1, 3, 1);
    diag_add(&list, &diag, "of another file");
    diag = at(DIAG_ERROR, 7, 1, 1);
    diag_add(&list, &diag, "of no source");
    char *text = printed(&list, source, 2, false);
    assert_string_equal(text, "k.vsm:2:9: error: not aligned [manual 3.6.1.10]\n"
                              "  \tlpassa $lr1v $ls0v # \xc3\xa4\n"
                              "  \t       ^~~~~\n"
                              "  fix: nearest aligned address 2\n"
                              "k.vsm:3:5: warning: strange [odd-thing]\n"
                              "  last?[31m\n"
                              "      ^\n"
                              "k.vsm:99:1: note: beyond the end\n"
                              "l.vsm:3:1: note: of another file\n"
                              "  three\n"
                              "  ^\n"
                              "?:1:1: error: of no source\n");
    free(text);
    /* A list that is not in order. */
    struct diag first = list.items[0];
    list.items[0] = list.items[1];
    list.items[1] = first;
    text = printed(&list, source, 2, false);
    assert_ptr_equal(text, strstr(text, "k.vsm:3:5: warning: strange [odd-thing]\n"
                                        "  last?[31m\n"
                                        "      ^\n"
                                        "k.vsm:2:9: error: not aligned [manual 3.6.1.10]\n"
                                        "  \tlpassa $lr1v $ls0v # \xc3\xa4\n"));
    free(text);
    text = printed(&list, source, 2, true);
    assert_non_null(strstr(text, "\033[31merror:\033[0m not aligned"));
    free(text);
    diag_list_free(&list);
    source_close(&source[0]);
    source_close(&source[1]);
}

/* A line of megabytes is shown around the finding only. */
static void long_lines(void **unused)
{
    (void)unused;
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    memset(text, '0', SIZE);
    text[SIZE / 2] = 'g';
    struct source source;
    assert_int_equal(source_from_text(&source, "k", text, SIZE), 0);
    free(text);
    struct diag_list list;
    diag_list_init(&list);
    const uint32_t columns[] = {1, SIZE / 2 + 1, SIZE, SIZE + 1, UINT32_MAX};
    for (size_t i = 0; i < 5; i++) {
        const struct diag diag = at(DIAG_ERROR, 0, 1, columns[i]);
        diag_add(&list, &diag, "here");
    }
    char *out = printed(&list, &source, 1, false);
    assert_true(strlen(out) < 5 * 700);
    assert_non_null(strstr(out, "0g0"));
    free(out);
    diag_list_free(&list);
    source_close(&source);
}

static void suggestions(void **unused)
{
    (void)unused;
    static const char *const names[] = {"lpassa", "fvadd", "nop", "l2bmdarw", "l2bmdars", "mvp"};
    static const struct {
        const char *word, *suggestion;
    } cases[] = {
        {"lpasa", "lpassa"},
        {"lpassaa", "lpassa"},
        {"lpassb", "lpassa"},
        {"plassa", "lpassa"},
        {"fvad", "fvadd"},
        {"npo", "nop"},
        {"l2bmdarx", "l2bmdarw"},
        {"mvp", "mvp"},
        {"xyz", NULL},
        {"q", NULL},
        {"", NULL},
        {"completelyother", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = suggest_name(cases[i].word, strlen(cases[i].word), names,
                                         sizeof names / sizeof names[0]);
        if (cases[i].suggestion == NULL)
            assert_null(found);
        else
            assert_string_equal(found, cases[i].suggestion);
    }
}

/* Each byte counts, and the length: no two of these texts have the same hash. */
static void hashes(void **unused)
{
    (void)unused;
    char text[80];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 37 + 5);
    for (size_t size = 0; size <= sizeof text; size++) {
        struct source source;
        assert_int_equal(source_from_text(&source, "x", text, size), 0);
        const uint64_t hash = source_hash(&source);
        source_close(&source);
        for (size_t i = 0; i < size; i++) {
            text[i] ^= 1;
            assert_int_equal(source_from_text(&source, "x", text, size), 0);
            assert_true(source_hash(&source) != hash);
            source_close(&source);
            text[i] ^= 1;
        }
    }
    /* Zeros at the end count, and so do the files' borders and their order. */
    struct source parts[4];
    static const struct {
        const char *text;
        size_t size;
    } part[4] = {{"nop\n", 4}, {"nop\n\0", 5}, {"nop\nnop\n", 8}, {"", 0}};
    uint64_t seen[9];
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(source_from_text(&parts[i], "x", part[i].text, part[i].size), 0);
    for (size_t i = 0; i < 4; i++)
        seen[i] = source_list_hash(&parts[i], 1);
    seen[4] = source_list_hash((const struct source[]){parts[0], parts[0]}, 2);
    seen[5] = source_list_hash((const struct source[]){parts[2], parts[3]}, 2);
    seen[6] = source_list_hash((const struct source[]){parts[3], parts[2]}, 2);
    seen[7] = source_list_hash((const struct source[]){parts[0], parts[1]}, 2);
    seen[8] = source_list_hash((const struct source[]){parts[1], parts[0]}, 2);
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 0; k < i; k++)
            if (seen[i] == seen[k] && !(i == 6 && k == 2)) /* an empty file in front is nothing */
                fail_msg("%zu and %zu", i, k);
    for (size_t i = 0; i < 4; i++)
        source_close(&parts[i]);
}

static void sources(void **unused)
{
    (void)unused;
    char path[] = "/tmp/takt-source-XXXXXX", error[200];
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    struct source source;
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(source.size, 0);
    assert_non_null(source.text);
    source_close(&source);
    assert_int_equal(write(fd, "nop\n", 4), 4);
    close(fd);
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(source.size, 4);
    assert_memory_equal(source.text, "nop\n", 4);
    assert_string_equal(source.name, path);
    source_close(&source);
    /* A file of holes is refused by its size. */
    assert_int_equal(truncate(path, (off_t)UINT32_MAX), 0);
    assert_int_equal(source_open(&source, path, error, sizeof error), 1);
    assert_non_null(strstr(error, "4 GiB or more"));
    unlink(path);
    assert_int_equal(source_open(&source, path, error, sizeof error), 1);
    assert_non_null(strstr(error, path));
    assert_int_equal(source_open(&source, "/tmp", error, sizeof error), 1);
    /* No more files may be opened: that is no fault of this one. */
    struct rlimit usual, none;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = usual;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const int opened = source_open(&source, "/dev/null", error, sizeof error);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(opened, -1);
    assert_int_equal(source_open(&source, "/dev/null", error, sizeof error), 0);
    assert_int_equal(source.size, 0);
    source_close(&source);
    assert_int_equal(source_from_text(&source, "x", "ab", 2), 0);
    source_close(&source);
    assert_int_equal(source_from_text(&source, "x", NULL, 0), 0);
    assert_non_null(source.text);
    source_close(&source);
}

/* What somebody does to the file after it was opened does not reach the run. */
static void truncated_files(void **state)
{
    (void)state;
    enum { LINE = 4, LINES = 1 << 20 };
    char path[] = "/tmp/takt-source-XXXXXX", error[256];
    const int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    for (int i = 0; i < LINES; i++)
        fputs("nop\n", file);
    assert_int_equal(fflush(file), 0);
    struct source source;
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(source.size, LINE * LINES);
    assert_memory_equal(source.text + source.size - LINE, "nop\n", LINE);
    source_close(&source);
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(source.size, 0);
    source_close(&source);
    fclose(file);
    unlink(path);
}

/* No byte of the program but text reaches a terminal, and the caret stands below its column. */
static void control_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *line, *excerpt;
        uint32_t column;
    } cases[] = {
        {"a\x1b[31mb \x07x", "  a?[31mb ?x\n            ^\n", 11},
        {"\x80\x9b\xc2\x9b\xff x", "  ????? x\n        ^\n", 7}, /* C1 controls, raw and in UTF-8 */
        {"\xe3\x81\x82\t\xed\xa0\x80 x", "  \xe3\x81\x82\t??? x\n    \t    ^\n", 9},
        {"\xf0\x9f\x98\x80 \xf0\x9f x", "  \xf0\x9f\x98\x80 ?? x\n        ^\n", 9},
        {"\xc0\xaf\xf4\x90\x80\x80 x", "  ?????? x\n         ^\n", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source source;
        assert_int_equal(
            source_from_text(&source, "b\x1b.vsm", cases[i].line, strlen(cases[i].line)), 0);
        struct diag_list list;
        diag_list_init(&list);
        const struct diag at = {
            .severity = DIAG_ERROR, .line = 1, .column = cases[i].column, .length = 1};
        diag_add(&list, &at, "no word \x1b]0;\x9b here\nuse \x7f another");
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        diag_print(&list, &source, 1, out, false);
        fclose(out);
        char expected[300];
        snprintf(expected, sizeof expected,
                 "b?.vsm:1:%u: error: no word ?]0;? here\n%s  fix: use ? another\n",
                 cases[i].column, cases[i].excerpt);
        assert_string_equal(text, expected);
        free(text);
        diag_list_free(&list);
        source_close(&source);
    }
}

static void columns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int columns;
    } cases[] = {
        {"a", 1},
        {"\t", 1},
        {"\xc3\xa4", 1},
        {"\xcc\x81", 0},
        {"\xe3\x81\x82", 2},
        {"\xe6\xbc\xa2", 2},
        {"\xef\xbd\xb1", 1},
        {"\xef\xbc\xa1", 2},
        {"\xea\xb0\x80", 2},
        {"\xe2\x9c\x93", 1},
        {"\xf0\x9f\x98\x80", 2},
        {"\xe3\x82\x99", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t size = strlen(cases[i].text);
        assert_int_equal(text_character(cases[i].text, size), size);
        assert_int_equal(text_columns(cases[i].text, size), cases[i].columns);
        for (size_t part = 1; part < size; part++)
            assert_int_equal(text_character(cases[i].text, part), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_and_fix),
        cmocka_unit_test(sorted_and_stable),
        cmocka_unit_test(limit_and_silence),
        cmocka_unit_test(appended),
        cmocka_unit_test(printing),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(sources),
        cmocka_unit_test(hashes),
        cmocka_unit_test(truncated_files),
        cmocka_unit_test(control_bytes),
        cmocka_unit_test(columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
