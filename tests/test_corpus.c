/* corpus: the fuzz targets on the inputs that campaigns have kept, reduced to those that each reach
 * something else: none of them crashes, hangs or is answered in two ways. */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/takt_process.h"

#define TARGET(name) int fuzz_##name(const uint8_t *data, size_t size);
#include "tests/fuzz/targets.def"

static const struct target {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "tests/fuzz/targets.def"
};
enum { TARGETS = sizeof targets / sizeof *targets };

static char current[512];
static int said = STDERR_FILENO; /* where targets do not write their findings */

/* A target aborts where two answers differ. */
static void say_which(int number)
{
    static const char what[] = " goes wrong\n";
    if (write(said, current, strlen(current)) > 0)
        (void)!write(said, what, sizeof what - 1);
    signal(number, SIG_DFL);
    raise(number);
}

static void replay(void **state)
{
    const struct target *target = *state;
    char pattern[100];
    glob_t found;
    snprintf(pattern, sizeof pattern, "tests/fuzz/corpus/fuzz_%s/*", target->name);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    signal(SIGABRT, say_which);
    fflush(stderr);
    said = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    assert_true(said >= 0 && nowhere >= 0);
    int status = 0;
    dup2(nowhere, STDERR_FILENO);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t size;
        snprintf(current, sizeof current, "%s", found.gl_pathv[i]);
        char *bytes = takt_read_file(current, &size);
        status |= bytes ? target->run((const uint8_t *)bytes, size) : -1;
        free(bytes);
    }
    fflush(stderr);
    dup2(said, STDERR_FILENO);
    close(said);
    close(nowhere);
    said = STDERR_FILENO;
    assert_int_equal(status, 0);
    signal(SIGABRT, SIG_DFL);
    globfree(&found);
}

static void every_target_has_a_row(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("tests/fuzz/fuzz_*.c", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, TARGETS);
    globfree(&found);
}

int main(void)
{
    struct CMUnitTest tests[TARGETS + 1] = {cmocka_unit_test(every_target_has_a_row)};
    for (size_t i = 0; i < TARGETS; i++)
        tests[i + 1] = (struct CMUnitTest){
            .name = targets[i].name, .test_func = replay, .initial_state = (void *)&targets[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
