/*
 * golden: each tests/golden/<machine>/<name>.{vsm,amx} prints what <name>.dump says, and legality
 * and cycles are what its first comment lines state:
 *   # cycles N        with --packing none
 *   # refused RULE    takt check gives an error of this rule
 *   # never ends      takt check takes it; it waits for what never comes (3.6.13)
 * The dumps come from the manual's printed examples or from the arithmetic named beside them.
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

#include "tests/takt_process.h"

static void prints(const char *program, const char *expected_path)
{
    const char *dump = takt_temp_path("golden.dump");
    struct takt_result r = takt_run(
        (const char *[]){"run", program, "--quiet", "--packing", "none", "--dump", dump, NULL});
    if (r.exit_code != 0)
        fail_msg("%s: exit %d\n%s", program, r.exit_code, r.err);
    char *got = takt_read_file(dump, NULL), *expected = takt_read_file(expected_path, NULL);
    assert_non_null(got);
    assert_non_null(expected);
    if (strcmp(got, expected) != 0)
        fail_msg("%s: expected\n%s\ngot\n%s", program, expected, got);
    free(got);
    free(expected);
    takt_result_free(&r);
}

static void takes(const char *program, unsigned long long cycles)
{
    struct takt_result r =
        takt_run((const char *[]){"run", program, "--json", "--packing", "none", NULL});
    const char *at = strstr(r.out, "\"cycles\":");
    if (r.exit_code != 0 || !at)
        fail_msg("%s: exit %d\n%s", program, r.exit_code, r.err);
    const unsigned long long got = strtoull(at + strlen("\"cycles\":"), NULL, 10);
    if (got != cycles)
        fail_msg("%s: %llu cycles, expected %llu", program, got, cycles);
    takt_result_free(&r);
}

static void never_ends(const char *program)
{
    struct takt_result r = takt_run((const char *[]){"check", program, NULL});
    assert_int_equal(r.exit_code, 0);
    takt_result_free(&r);
    r = takt_run((const char *[]){"run", program, NULL});
    if (r.exit_code != 1 || *r.out || !strstr(r.err, "[manual 3.6.13]"))
        fail_msg("%s: exit %d, expected rule 3.6.13 in\n%s%s", program, r.exit_code, r.out, r.err);
    takt_result_free(&r);
}

static void is_refused(const char *program, const char *rule)
{
    char key[64];
    snprintf(key, sizeof key, "\"rule\": \"%s\"", rule);
    struct takt_result r =
        takt_run((const char *[]){"check", program, "--json", "--silence", "all", NULL});
    if (r.exit_code != 1 || !strstr(r.out, key))
        fail_msg("%s: exit %d, expected rule %s in\n%s%s", program, r.exit_code, rule, r.out,
                 r.err);
    takt_result_free(&r);
}

static void goldens(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("tests/golden/*/*.vsm", 0, NULL, &files), 0);
    glob("tests/golden/*/*.amx", GLOB_APPEND, NULL, &files);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *program = files.gl_pathv[i];
        char *text = takt_read_file(program, NULL);
        assert_non_null(text);
        int stated = 0;
        unsigned long long cycles;
        char rule[32];
        for (const char *line = text; *line == '#'; line = strchr(line, '\n') + 1) {
            if (sscanf(line, "# cycles %llu", &cycles) == 1) {
                takes(program, cycles);
                stated++;
            } else if (sscanf(line, "# refused %31s", rule) == 1) {
                is_refused(program, rule);
                stated++;
            } else if (strncmp(line, "# never ends", 12) == 0) {
                never_ends(program);
                stated++;
            }
            if (!strchr(line, '\n'))
                break;
        }
        char dump[512];
        snprintf(dump, sizeof dump, "%.*s.dump", (int)(strrchr(program, '.') - program), program);
        FILE *file = fopen(dump, "r");
        if (file) {
            fclose(file);
            prints(program, dump);
            stated++;
        }
        if (!stated)
            fail_msg("%s states nothing to be checked", program);
        free(text);
    }
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(goldens)};
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
