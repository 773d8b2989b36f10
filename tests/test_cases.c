/*
 * Tests as text (docs/cases.md): each test of tests/cases/<room>/NAME.case is a test here.
 * TAKT_CASES names other files, separated by blanks.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/case_run.h"

struct scheduled {
    const struct case_file *file;
    const struct case_test *test;
};

static size_t wrong_in_all;

void case_wrong(const struct case_file *file, const struct case_line *expected)
{
    fprintf(stderr, "%s:%u: expected: %.*s\n", file->path, expected->line,
            (int)expected->text.length, expected->text.at);
}

char *case_words(struct case_line *expected, size_t *size)
{
    struct case_slice *text = &expected->text;
    struct case_line words = {.block = expected->block};
    if (!words.block.length) {
        const char *open = memchr(text->at, '"', text->length);
        if (!open || text->at[text->length - 1] != '"')
            return NULL;
        const size_t before = (size_t)(open - text->at);
        words.text = (struct case_slice){open + 1, text->length - before - 2};
        text->length = before;
    }
    return case_text(&words, size);
}

static size_t run_one(const struct case_file *file, const struct case_one *one)
{
    switch (one->kind) {
    case CASE_PROGRAM:
        return case_run_program(file, one);
    case CASE_COMMAND:
        return case_run_command(file, one);
    case CASE_FILE:
        case_folder_file(one);
        return 0;
    }
    return 1;
}

static void run_scheduled(void **state)
{
    const struct scheduled *scheduled = *state;
    const struct case_file *file = scheduled->file;
    const struct case_one *cases = &file->cases[scheduled->test->first];
    bool folder = false;
    size_t wrong = 0;
    for (size_t i = 0; i < scheduled->test->count; i++)
        folder |= cases[i].kind != CASE_PROGRAM;
    if (folder)
        case_folder_enter();
    for (size_t i = 0; i < scheduled->test->count; i++)
        wrong += run_one(file, &cases[i]);
    if (folder)
        case_folder_leave();
    wrong_in_all += wrong;
    if (wrong)
        fail_msg("%zu expectations do not hold", wrong);
}

/* "tests/cases/mncore2/rules.case" is mncore2/rules. */
static char *name_of(const char *path)
{
    const char *end = strrchr(path, '.'), *begin = strrchr(path, '/');
    while (begin > path && begin[-1] != '/')
        begin--;
    return strndup(begin, (size_t)(end - begin));
}

static void paths_of(glob_t *paths)
{
    const char *named = getenv("TAKT_CASES");
    char *list = strdup(named ? named : "tests/cases/*/*.case"), *rest = list;
    int flags = 0;
    for (char *pattern; (pattern = strtok_r(rest, " ", &rest)); flags = GLOB_APPEND)
        if (glob(pattern, flags, NULL, paths) != 0) {
            fprintf(stderr, "no cases: %s\n", pattern); /* not run from the root */
            exit(99);
        }
    free(list);
}

int main(void)
{
    glob_t paths;
    paths_of(&paths);
    struct case_file *files = calloc(paths.gl_pathc, sizeof *files);
    size_t count = 0, next = 0, expected = 0;
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        char *name = name_of(paths.gl_pathv[i]);
        case_file_read(&files[i], paths.gl_pathv[i], name);
        count += files[i].test_count;
        expected += files[i].expected_count;
        free(name);
    }
    struct CMUnitTest *tests = calloc(count, sizeof *tests);
    struct scheduled *scheduled = calloc(count, sizeof *scheduled);
    for (size_t i = 0; i < paths.gl_pathc; i++)
        for (size_t k = 0; k < files[i].test_count; k++, next++) {
            scheduled[next] = (struct scheduled){&files[i], &files[i].tests[k]};
            tests[next] = (struct CMUnitTest){.name = files[i].tests[k].name,
                                              .test_func = run_scheduled,
                                              .initial_state = &scheduled[next]};
        }
    const int failed = _cmocka_run_group_tests("cases", tests, count, NULL, NULL);
    printf("%zu expectations in %zu files, %zu do not hold\n", expected, paths.gl_pathc,
           wrong_in_all);
    for (size_t i = 0; i < paths.gl_pathc; i++)
        case_file_free(&files[i]);
    free(tests);
    free(scheduled);
    free(files);
    globfree(&paths);
    return failed;
}
