/*
 * range of AMX: no setting of the numbers that are not certain, inside their plausible ranges,
 * gives a total below the low end, nor does another placement of threads. At either end of its
 * legal range each number leaves values and accounts sound.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/amx/random_program.h"
#include "tests/amx/recording.h"
#include "tests/often.h"
#include "tests/random_setting.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

enum { SETTINGS = 20, PROGRAMS = 50, PLACEMENTS = 8, PLACED = 25, MOST = 32, TEXT = 16384 };

static struct dice dice = {19};
static struct config config;
static const struct run_options timing = {.timing_only = true};
static const struct run_options total = {.timing_only = true, .total_only = true};

static int read_config(void **state)
{
    (void)state;
    char error[MACHINE_ERROR];
    return machine_config(&machine_amx, &config, error, sizeof error);
}

static int drop_config(void **state)
{
    (void)state;
    config_free(&config);
    return 0;
}

static void low_is_a_bound(void **state)
{
    (void)state;
    char *text = malloc(TEXT);
    size_t narrower = 0;
    assert_non_null(text);
    for (unsigned p = 0; p < PROGRAMS; p++) {
        amx_random_program(&dice, text, TEXT);
        struct recording *base = recording_run(text, &timing, NULL);
        const struct range range = base->range;
        assert_true(range.known);
        assert_true(range.low <= base->summary.cycles && range.high >= base->summary.cycles);
        narrower += range.low < range.high;
        recording_free(base);
        for (size_t i = 0; i < often(SETTINGS); i++) {
            char values[MOST][RANDOM_SETTING];
            const char *sets[MOST];
            random_settings(&dice, &config, values, sets);
            struct recording *r = recording_run(text, &total, sets);
            assert_int_equal(r->status, 0);
            if (r->summary.cycles < range.low)
                fail_msg("%llu cycles, below %llu\n%s", (unsigned long long)r->summary.cycles,
                         (unsigned long long)range.low, text);
            recording_free(r);
        }
    }
    assert_true(narrower > PROGRAMS / 2);
    free(text);
}

/* Where the system puts threads is its choice: with one on a slow cluster, the low end holds for
 * threads that stay wherever they are put. */
static void low_holds_for_every_placement(void **state)
{
    (void)state;
    char *text = malloc(TEXT), *placed = malloc(TEXT);
    size_t tried = 0;
    assert_true(text && placed);
    while (tried < PLACED) {
        amx_random_program(&dice, text, TEXT);
        if (strstr(text, ".cluster"))
            continue;
        struct recording *base = recording_run(text, &timing, NULL);
        const uint64_t low = base->range.low;
        bool slow = false;
        for (size_t u = 0; u < base->unit_count; u++)
            slow |= strcmp(base->unit_name[u], "array2") == 0;
        recording_free(base);
        for (size_t i = 0; slow && i < often(PLACEMENTS); i++) {
            const char *after = strchr(text, '\n') + 1; /* .version */
            size_t used = (size_t)snprintf(placed, TEXT, "%.*s", (int)(after - text), text);
            for (unsigned t = 0; t < 8; t++)
                used += (size_t)snprintf(placed + used, TEXT - used, ".thread %u\n.cluster %u\n", t,
                                         (unsigned)dice_below(&dice, 3));
            snprintf(placed + used, TEXT - used, "%s", after);
            struct recording *r = recording_run(placed, &total, NULL);
            assert_int_equal(r->status, 0);
            if (r->summary.cycles < low)
                fail_msg("%llu cycles, below %llu\n%s", (unsigned long long)r->summary.cycles,
                         (unsigned long long)low, placed);
            recording_free(r);
        }
        tried += slow;
    }
    free(text);
    free(placed);
}

static void every_end_is_sound(void **state)
{
    (void)state;
    glob_t files;
    assert_int_equal(glob("examples/amx/*.amx", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f += often_long() ? 1 : 4) {
        char *text = takt_read_file(files.gl_pathv[f], NULL);
        assert_non_null(text);
        struct recording *base = recording_run(text, NULL, NULL);
        for (size_t p = 0; p < config.count; p++)
            for (unsigned end = 0; end < 2; end++) {
                const struct param *param = &config.params[p];
                char set[RANDOM_SETTING];
                snprintf(set, sizeof set, "%s=%.17g", param->row->name,
                         end ? param->high : param->low);
                alarm(60);
                struct recording *r = recording_run(text, NULL, (const char *[]){set, NULL});
                alarm(0);
                if (r->status != 0) { /* a thread on a cluster that is not there */
                    assert_int_equal(r->status, 1);
                    assert_true(r->diags.errors > 0);
                    recording_free(r);
                    continue;
                }
                recording_assert_sound(r);
                if (r->hash != base->hash)
                    fail_msg("%s: other values", set);
                recording_free(r);
            }
        recording_free(base);
        free(text);
    }
    globfree(&files);
}

int main(void)
{
    recording_ranges = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_is_a_bound),
        cmocka_unit_test(low_holds_for_every_placement),
        cmocka_unit_test(every_end_is_sound),
    };
    return cmocka_run_group_tests_name("amx range", tests, read_config, drop_config);
}
