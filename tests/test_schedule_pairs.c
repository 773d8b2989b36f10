/*
 * schedule of programs whose transfers are not waited for: pairs that time alone keeps apart stay
 * apart, or get tags. The programs are those of tests/naive that say so; each result is run again
 * by tests/improved.h, which sees that no access comes earlier before the end of a transfer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/improved.h"
#include "tests/often.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

struct expected {
    const char *path;
    size_t pairs, early, waits; /* by hand: accesses that no wait keeps, of them before the end;
                                   transfers with such an access */
};

static const struct expected programs[] = {
    {"tests/naive/load-nops.vsm", 4, 0, 2},        {"tests/naive/double-buffer.vsm", 4, 0, 2},
    {"tests/naive/gather.vsm", 4, 0, 4},           {"tests/naive/too-early.vsm", 3, 1, 2},
    {"tests/naive/overwrite-source.vsm", 1, 1, 1}, {"tests/naive/store-at-end.vsm", 0, 0, 0},
};

static size_t times(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        count++;
    return count;
}

static void pairs_are_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const struct expected *e = &programs[i];
        char *text = takt_read_file(e->path, NULL);
        for (unsigned tags = 0; tags < 2; tags++) {
            if (!often_long() && tags != i % 2)
                continue;
            struct schedule s;
            size_t early = 0;
            const struct schedule_job job = {.tags = tags == 1};
            assert_true(improved_job(&machine_mncore2, text, NULL, &job, &s));
            assert_false(s.kept);
            assert_int_equal(s.pair_count, e->pairs);
            for (size_t p = 0; p < s.pair_count; p++) {
                early += s.pairs[p].early;
                assert_int_equal(s.pairs[p].tag[0] != 0, tags);
            }
            assert_int_equal(early, e->early);
            assert_int_equal(times(s.text, "wait i"), tags ? e->waits : 0);
            schedule_free(&s);
        }
        free(text);
    }
}

/* A tag that the program has is not given to another transfer, and the wait that is written stays:
 * without it the second load would have no end. */
static void written_tags_stay(void **state)
{
    (void)state;
    static const char text[] = "mvp/n256i01 $d0 $lc0@.0\nmvp/n256 $d1024 $lc256@.0\n"
                               "nop/24\nnop/24\nnop/24\nl2bmd $lc0 $lb0\nl2bmd $lc256 $lb64\n"
                               "nop; wait i01\n";
    struct schedule s;
    assert_true(
        improved_job(&machine_mncore2, text, NULL, &(struct schedule_job){.tags = true}, &s));
    assert_false(s.kept);
    assert_int_equal(s.pair_count, 2);
    assert_string_equal(s.pairs[0].tag, "i01");
    assert_string_equal(s.pairs[1].tag, "i02");
    assert_int_equal(times(s.text, "wait i01"), 2);
    assert_int_equal(times(s.text, "wait i02"), 1);
    assert_int_equal(times(s.text, "mvp/n256i02 $d1024"), 1);
    schedule_free(&s);
}

/* --- a search that is stopped ----------------------------------------------------------------- */

/* Wherever it is stopped, what there is holds to what it says, and it is no longer than before. */
static void stopped_anywhere(void **state)
{
    (void)state;
    char *text = takt_read_file("tests/naive/load-nops.vsm", NULL);
    uint64_t cycles = UINT64_MAX, last = 0;
    for (size_t asked = 0; asked < 4000; asked = asked * 8 + 1) {
        struct schedule s;
        improved_stop(asked);
        assert_true(improved_schedule(&machine_mncore2, text, NULL, &s));
        assert_true(s.after <= cycles);
        assert_true(s.stopped || asked > 300);
        last = cycles = s.after;
        schedule_free(&s);
        improved_stop(asked);
        improved_advice(&machine_mncore2, text, NULL, false);
    }
    struct schedule s;
    improved_stop(SIZE_MAX);
    assert_true(improved_schedule(&machine_mncore2, text, NULL, &s));
    assert_false(s.stopped);
    assert_int_equal(s.after, last);
    schedule_free(&s);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stopped_anywhere),
                                       cmocka_unit_test(pairs_are_kept),
                                       cmocka_unit_test(written_tags_stay)};
    return cmocka_run_group_tests_name("schedule pairs", tests, NULL, NULL);
}
