/*
 * events: the kernel's event list of each example is a golden, and running ahead changes no answer.
 * TAKT_REGENERATE=1 writes the lists anew (make events); the diff goes to review. Of a long list
 * the golden holds the first lines, and the number and a hash of all.
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

#include "tests/often.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

/* tests/golden/<machine>/<name>.events of examples/<machine>/<name>.<extension> */
static void golden_path(char *path, size_t size, const char *example)
{
    const char *name = strchr(example, '/') + 1;
    snprintf(path, size, "tests/golden/%.*s.events", (int)(strrchr(name, '.') - name), name);
}

static char *list_events(const char *example)
{
    const char *list = takt_temp_path("list.events");
    struct takt_result r = takt_run(
        (const char *[]){"run", example, "--quiet", "--silence", "all", "--events", list, NULL});
    if (r.exit_code != 0)
        fail_msg("%s: exit %d\n%s", example, r.exit_code, r.err);
    takt_result_free(&r);
    char *text = takt_read_file(list, NULL);
    assert_non_null(text);
    return text;
}

/* The text becomes its first lines, and a line about the rest. */
static void shorten(char **text)
{
    enum { LINES = 3200, ROOM = 100 };
    uint64_t hash = UINT64_C(0xcbf29ce484222325), lines = 0; /* FNV-1a */
    size_t size = 0, kept = 0;
    for (; (*text)[size]; size++) {
        hash = (hash ^ (uint8_t)(*text)[size]) * UINT64_C(0x100000001b3);
        lines += (*text)[size] == '\n';
        if (lines == LINES && !kept)
            kept = size + 1;
    }
    if (lines <= LINES)
        return;
    *text = realloc(*text, kept + ROOM);
    assert_non_null(*text);
    snprintf(*text + kept, ROOM, "... %llu lines in all, hash %016llx\n", (unsigned long long)lines,
             (unsigned long long)hash);
}

static void for_examples(void (*check)(const char *example), size_t step)
{
    glob_t files;
    assert_int_equal(glob("examples/*/*.*", 0, NULL, &files), 0);
    size_t found = 0, checked = 0;
    for (size_t i = 0; i < files.gl_pathc; i++)
        /* Not: C sources, applications, halves of a program. */
        if (machine_of(files.gl_pathv[i]) && !strstr(files.gl_pathv[i], "judge-") &&
            !strstr(files.gl_pathv[i], "examples/apps/") && found++ % step == 0) {
            check(files.gl_pathv[i]);
            checked++;
        }
    assert_true(checked > 0);
    globfree(&files);
}

/* Each line is a wake: times never fall, and who is woken has a name. */
static void is_in_order(const char *example, const char *text)
{
    unsigned long long cycle, last = 0;
    assert_true(*text);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1, last = cycle) {
        char start[100], phase[16], who[64];
        snprintf(start, sizeof start, "%.*s", (int)strcspn(line, "\n"), line);
        if (sscanf(start, "%llu %15s %63[^<]", &cycle, phase, who) != 3 || cycle < last)
            fail_msg("%s: %s", example, start);
    }
}

static void lists_as_written(const char *example)
{
    char path[256];
    golden_path(path, sizeof path, example);
    char *got = list_events(example);
    is_in_order(example, got);
    shorten(&got);
    if (getenv("TAKT_REGENERATE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(got, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    char *expected = takt_read_file(path, NULL);
    if (!expected || strcmp(got, expected) != 0)
        fail_msg("%s: the events differ from %s", example, path);
    free(got);
    free(expected);
}

static void event_lists(void **unused)
{
    (void)unused;
    for_examples(lists_as_written, 1);
}

static void answers_alike(const char *example)
{
    struct takt_result ahead = takt_run((const char *[]){"run", example, "--json", NULL});
    struct takt_result step =
        takt_run((const char *[]){"run", example, "--json", "--no-run-ahead", NULL});
    assert_int_equal(ahead.exit_code, 0);
    assert_string_equal(ahead.out, step.out);
    const char *events = strstr(ahead.out, "\"events\": ");
    assert_non_null(events);
    assert_true(strtoull(events + strlen("\"events\": "), NULL, 10) > 0);
    takt_result_free(&ahead);
    takt_result_free(&step);
}

static void running_ahead_changes_nothing(void **unused)
{
    (void)unused;
    for_examples(answers_alike, often_long() ? 1 : 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(event_lists),
                                       cmocka_unit_test(running_ahead_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
