/*
 * The newer chip beside its RTL: the programs of public traces run by the model, every interval
 * between two issues of a warp and every total compared with the rows (tests/ventus/rtl/), and the
 * totals of micro programs (rtl_micro.tsv). What differs is known by its number, not accepted by a
 * tolerance that grows.
 */
#include <glob.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/ventus/rtl.h"

/* All intervals and totals of one, two and four warps; of eight the fifth warp issues an
 * instruction a cycle later than the model has it, while others end, and the last warp follows. */
static void intervals(void **state)
{
    (void)state;
    static struct rtl_rows rows;
    static struct rtl_score score;
    static char text[RTL_TEXT];
    unsigned runs = 0, alone = 0;
    glob_t found;
    assert_int_equal(glob("tests/ventus/rtl/*.csv", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++, runs++) {
        char name[96];
        snprintf(name, sizeof name, "%s", strrchr(found.gl_pathv[i], '/') + 1);
        *strrchr(name, '.') = '\0';
        if (!rtl_read(&rows, name))
            fail_msg("%s: not read", name);
        rtl_program(&rows, text);
        if (!rtl_run(text, &rows, rows.gated, rows.banks8, true, &score))
            fail_msg("%s: not run", name);
        assert_int_equal(score.intervals, rows.warps * (rows.count - 1));
        if (rows.warps <= 4 && score.exact != score.intervals)
            fail_msg("%s: cycle %" PRIu64 ", warp %u, instruction %u: %+" PRId64, name,
                     score.differences[0].cycle, score.differences[0].warp, score.differences[0].at,
                     score.differences[0].cycles);
        if (rows.warps <= 4)
            assert_int_equal(score.total, score.rtl_total);
        assert_true(score.exact + 4 >= score.intervals);
        if (score.rtl_total < score.low || score.rtl_total > score.high)
            fail_msg("%s: %" PRIu64 " is not in %" PRIu64 " to %" PRIu64, name, score.rtl_total,
                     score.low, score.high);
        alone += rows.warps == 1;
    }
    globfree(&found);
    assert_int_equal(runs, 29);
    assert_int_equal(alone, 24);
}

/* All are exact. */
static void totals(void **state)
{
    (void)state;
    static char line[4096], program[4096], text[1 << 16];
    FILE *file = fopen("tests/ventus/rtl_micro.tsv", "r");
    unsigned runs = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        static struct rtl_score score;
        char name[64];
        uint32_t warps;
        uint64_t total;
        if (line[0] == '#')
            continue;
        assert_int_equal(
            sscanf(line, "%63s %u %" SCNu64 " %4095[^\n]", name, &warps, &total, program), 4);
        if (!rtl_text(program, warps, text, sizeof text) ||
            !rtl_run(text, NULL, false, false, true, &score))
            fail_msg("%s: not run", name);
        if (score.total != total)
            fail_msg("%s: %" PRIu64 " cycles, not %" PRIu64, name, score.total, total);
        if (total < score.low || total > score.high)
            fail_msg("%s: %" PRIu64 " is not in %" PRIu64 " to %" PRIu64, name, total, score.low,
                     score.high);
        runs++;
    }
    fclose(file);
    assert_int_equal(runs, 34);
}

/* Changing a number that the rows show makes intervals differ. */
static void rows_see_the_numbers(void **state)
{
    (void)state;
    static struct rtl_rows rows;
    static struct rtl_score score;
    static char text[RTL_TEXT];
    assert_true(rtl_read(&rows, "kernel-warm-v3__resident-16-rf1-lds1"));
    rtl_program(&rows, text);
    assert_true(rtl_run(text, &rows, true, true, false, &score)); /* eight banks instead of four */
    assert_true(score.exact < score.intervals);
    assert_false(rtl_read(&rows, "no-such-file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals),
        cmocka_unit_test(totals),
        cmocka_unit_test(rows_see_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
