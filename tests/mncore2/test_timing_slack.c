/*
 * Slack: nops in front of a statement, as many cycles as its slack, never make the run longer;
 * where nothing shares a port one more step does. Expected figures are counted by hand with
 * KIT_DIRECT: a unit operation of mvp P->C takes 4 cycles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"

/* The program with `nops` nops in front of a line (from 0). */
static char *delayed(const char *text, unsigned line, uint64_t nops)
{
    const char *at = text;
    for (unsigned i = 0; i < line; i++)
        at = strchr(at, '\n') + 1;
    char *changed = malloc(strlen(text) + 40);
    assert_non_null(changed);
    const size_t head = (size_t)(at - text);
    memcpy(changed, text, head);
    sprintf(changed + head, "nop/%llu\n", (unsigned long long)nops);
    strcat(changed, at);
    return changed;
}

/* Its total; 0 when it does not run. */
static uint64_t later(const char *text, unsigned line, uint64_t nops, const struct kit *like)
{
    char *changed = delayed(text, line, nops);
    struct kit kit = *like;
    const uint64_t total = kit_run(&kit, changed) == 0 ? kit.summary.cycles : 0;
    kit_free(&kit);
    free(changed);
    return total;
}

static void by_hand(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int64_t slack[8];
        uint64_t total;
        bool exact; /* one step more makes the run longer, but for waits, which take it up */
    } rows[] = {
        /* 10 operations, [0, 40); 31 steps to the wait at 124: the transfer could be 84 later, but
         * the stream behind it could not. */
        {"mvp/n640i01 $p0@0 $lc0@0.0\nnop/30\nnop; wait i01\n", {0, 0, 0}, 124, true},
        /* [0, 80); the wait comes at 44 and stalls for 36 cycles. What the last step writes has
         * landed at 94, 6 cycles behind its own 4. */
        {"mvp/n1280i01 $p0@0 $lc0@0.0\nlpassa $peid $lr0v\nnop/10\nnop; wait i01\nlpassa $peid $lr0v\n",
         {0, 36, 36, 0, 0},
         94,
         true},
        /* The first [0, 80) and the second [4, 20) on ports of their own; the wait for the second
         * at 12 takes 8 cycles up, the one for the first, at 24, 56. Behind the second's wait: 56.
         * The second itself: 8 as its wait allows, and then 56 more. */
        {"mvp/n1280i01 $p0@0 $lc0@0.0\nlpassa $peid $lr0v\nmvp/n256i02 $p0@1 $lc0@1.0\n"
         "nop/2\nnop; wait i02\nnop; wait i01\nlpassa $peid $lr8v\n",
         {0, 56, 56, 64, 56, 0, 0},
         94,
         true},
        /* The two share PDM 0: nothing moves the second towards or away from the first. */
        {"mvp/n1280i01 $p0@0 $lc0@0.0\nlpassa $peid $lr0v\nmvp/n256i02 $p8192@0 $lc0@0.1\n"
         "nop/2\nnop; wait i02\nnop; wait i01\n",
         {0, 0, 0, 0, 0, 0},
         0,
         false},
    };
    const struct kit direct = {.options = {.packing = "none"}, .sets = {KIT_DIRECT}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct kit kit = direct;
        assert_int_equal(kit_run(&kit, rows[r].text), 0);
        if (rows[r].total)
            assert_int_equal(kit.summary.cycles, rows[r].total);
        unsigned line = 0;
        for (const char *at = rows[r].text; *at; at = strchr(at, '\n') + 1, line++) {
            const int64_t slack = kit_slack(&kit, line);
            if (rows[r].exact && slack != rows[r].slack[line])
                fail_msg("row %zu line %u: slack %lld", r, line, (long long)slack);
            if (slack)
                assert_int_equal(later(rows[r].text, line, (uint64_t)slack / 4, &direct),
                                 kit.summary.cycles);
            if (rows[r].exact && !strstr(at, "wait") && !strchr("m", *at))
                assert_true(later(rows[r].text, line, (uint64_t)slack / 4 + 1, &direct) >
                            kit.summary.cycles);
        }
        kit_free(&kit);
    }
}

/* With the interlock a delay that a wait takes up brings the statements before it nearer to those
 * behind, where a rule can bind: l1bmr .. writes L1BM, l2bm@0 reads it 10 cycles later at the
 * earliest (3.6.3.7). */
static void nearer_to_a_hazard(void **unused)
{
    (void)unused;
    static const char text[] = "mvp/n64i01 $p0@0 $lc0@0.0\nnop/4\nl1bmrdfadd $lr0v $lb0\n"
                               "lpassa $peid $lr0v; wait i01\nnop\nl2bm@0 $lb0 $lc64\n";
    const struct kit locked = {.options = {.packing = "none", .interlock = true}};
    struct kit kit = locked;
    assert_int_equal(kit_run(&kit, text), 0);
    assert_int_equal(kit.summary.cycles, 58); /* 48, and L2BM lands 10 later */
    assert_true(later(text, 2, 4, &locked) > 58);
    for (unsigned line = 0; line < 6; line++)
        if (kit_slack(&kit, line))
            assert_int_equal(later(text, line, (uint64_t)kit_slack(&kit, line) / 4, &locked), 58);
    kit_free(&kit);
}

/*
 * Likewise what is written to L2BM shortly before a stall and read behind it. The first transfer is
 * done at 16, so the second issues at 20, behind the step's landing in 10..13, ends at 24, and the
 * last nop at 28. Three steps later the step lands in 22..25, the second transfer ends at 30.
 */
static void nearer_to_a_landing(void **unused)
{
    (void)unused;
    static const char text[] = "mvp/n256i01 $p0@0 $lc0@0.0\nl2bmrdfadd $lb0 $lc512\n"
                               "nop; wait i01\nmvp/n64i02 $lc512@1.0 $p0@1\nnop; wait i02\n";
    const struct kit direct = {.options = {.packing = "none"}, .sets = {KIT_DIRECT}};
    struct kit kit = direct;
    assert_int_equal(kit_run(&kit, text), 0);
    assert_int_equal(kit.summary.cycles, 28);
    assert_int_equal(later(text, 1, 1, &direct), 28);
    assert_int_equal(later(text, 1, 3, &direct), 36); /* 30 in whole steps, and the nop */
    for (unsigned line = 0; line < 5; line++)
        if (kit_slack(&kit, line))
            assert_int_equal(later(text, line, (uint64_t)kit_slack(&kit, line) / 4, &direct), 28);
    kit_free(&kit);
}

static uint64_t early_with(const char *text, unsigned line, uint64_t nops, const struct kit *like)
{
    struct kit kit = *like;
    char *changed = delayed(text, line, nops);
    assert_int_equal(kit_run(&kit, changed), 0);
    const uint64_t early = kit.early;
    kit_free(&kit);
    free(changed);
    return early;
}

/*
 * l2bmb reads what the second transfer brings, and only time keeps it behind: the transfer ends at
 * 56, l2bmb issues at 84, when the wait for the first one, [0, 80), is over. The wait would take up
 * more, but more than 28 cycles later the transfer ends too late.
 */
static void no_later_than_its_reader(void **unused)
{
    (void)unused;
    static const char text[] = "mvp/n1280i01 $p0@0 $lc0@0.0\nmvp/n896i02 $p0@1 $lc0@1.0\nnop/2\n"
                               "nop; wait i01\nl2bmb@0 $lc0 $lb0\n";
    const struct kit direct = {.options = {.packing = "none"}, .sets = {KIT_DIRECT}};
    struct kit kit = direct;
    assert_int_equal(kit_run(&kit, text), 0);
    assert_int_equal(kit.early, 0);
    assert_int_equal(kit_slack(&kit, 1), 28);
    assert_int_equal(later(text, 1, 8, &direct), kit.summary.cycles);
    assert_int_equal(early_with(text, 1, 7, &direct), 0);
    assert_true(early_with(text, 1, 8, &direct) > 0);
    kit_free(&kit);
}

/* Lines are statements when the generator adds no style and no masks. */
static void random_programs(void **unused)
{
    (void)unused;
    static const char *const packings[] = {"none", "auto", "flat"};
    unsigned with_slack = 0, tried = 0;
    for (unsigned round = 0; round < often(400); round++) {
        const struct gen_options gen = {.features = GEN_MV | (round & 1 ? GEN_L1BM | GEN_L2BM : 0),
                                        .statements = 5 + round % 40,
                                        .tightness = round % 101};
        size_t size;
        char *made = gen_program(7000 + round, &gen, &size);
        assert_non_null(made);
        const char *text = strchr(made, '\n') + 1; /* behind the comment */
        const struct kit as = {.options = {.packing = packings[round % 3],
                                           .documented = round % 4 == 0,
                                           .interlock = round % 5 == 4},
                               .sets = {round % 4 == 1 ? "mv_start_latency=0" : NULL}};
        /* Nops that fill whole units leave the packing of what follows as it was. */
        const int64_t unit = round % 3 == 0 ? 4 : round % 3 == 1 ? 12 : 8;
        struct kit kit = as;
        assert_int_equal(kit_run(&kit, text), 0);
        for (size_t i = 0; i < kit.summary.slack_count; i++) {
            const struct sink_slack *range = &kit.summary.slack[i];
            if (!range->slack)
                continue;
            with_slack++;
            const uint32_t lines[2] = {range->first_stmt, range->last_stmt};
            for (unsigned k = 0; k < 2; k++)
                for (int64_t units = 1; units * unit <= range->slack; units *= 2) {
                    const int64_t cycles =
                        2 * units * unit > range->slack ? range->slack / unit * unit : units * unit;
                    const uint64_t total = later(text, lines[k], (uint64_t)cycles / 4, &as);
                    tried++;
                    if (total > kit.summary.cycles)
                        fail_msg("program %u, packing %s: %lld of the slack %lld of line %u make "
                                 "%llu cycles of %llu\n%s",
                                 round, as.options.packing, (long long)cycles,
                                 (long long)range->slack, lines[k] + 1, (unsigned long long)total,
                                 (unsigned long long)kit.summary.cycles, text);
                }
        }
        kit_free(&kit);
        free(made);
    }
    print_message("%u ranges with slack, %u programs with nops\n", with_slack, tried);
    assert_true(with_slack > often(200));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(nearer_to_a_hazard),
        cmocka_unit_test(nearer_to_a_landing),
        cmocka_unit_test(no_later_than_its_reader),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
