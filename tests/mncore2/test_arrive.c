/*
 * arrive: accesses and transfers that only time keeps in order (manual 3.5.3: a transfer runs
 * beside the stream and ends later; 3.6.13: a wait is what the language has for that). Random
 * programs with transfers that nothing waits for, held against every pair of a transfer and a later
 * statement, one by one: what comes early is what the run says, and nothing that advise, schedule,
 * whatif --drop-nops and SPARE put out comes early where the program as written does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/effect.h"
#include "tests/dice.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

/* --- pairs, one by one ------------------------------------------------------------------------ */

static uint64_t size_of(uint8_t space)
{
    return space == SPACE_L2BM ? L2BM_LONGS : space == SPACE_PDM ? PDM_LONGS : DRAM_LONGS;
}

static bool holds(const struct region *r, uint64_t address)
{
    return (address + size_of(r->space) - r->addr) % size_of(r->space) < r->length;
}

static bool regions_share(const struct region *a, const struct region *b)
{
    return a->space == b->space && (a->set & b->set) && (holds(a, b->addr) || holds(b, a->addr));
}

/* What a step does to L2BM, cycle by cycle. */
static bool step_meets(const struct step *step, const struct region region[2])
{
    struct effect effect;
    mncore2_effect_of_step(step, &effect);
    for (size_t i = 0; i < effect.count; i++)
        for (unsigned c = 0; c < CYCLES; c++) {
            const struct access *access = &effect.access[i];
            const struct region part = {.space = access->space,
                                        .set = access->set,
                                        .addr = access->addr[c],
                                        .length = access->length};
            if (access->space == SPACE_L2BM &&
                (regions_share(&part, &region[1]) ||
                 (access->write && regions_share(&part, &region[0]))))
                return true;
        }
    return false;
}

/* Two transfers of one mode, way and priority on no DRAM go one behind the other. */
static bool in_order(const struct mv *a, const struct mv *b, const struct region x[2],
                     const struct region y[2])
{
    return a->mode == b->mode && a->priority == b->priority && a->size <= b->size &&
           x[0].set == y[0].set && x[1].set == y[1].set && x[0].space != SPACE_DRAM &&
           x[1].space != SPACE_DRAM;
}

static bool mv_meets(const struct mv *a, const struct mv *b, const struct region x[2])
{
    struct region y[2];
    mncore2_effect_of_mv(b, y);
    return !in_order(a, b, x, y) && (regions_share(&x[1], &y[0]) || regions_share(&x[1], &y[1]) ||
                                     regions_share(&x[0], &y[1]));
}

/* When each item issued, by the intervals of the issue unit and the transfers. */
static uint64_t *issues(const struct kit *kit, size_t count)
{
    uint64_t *at = calloc(count + 1, sizeof *at);
    for (size_t i = 0; i < kit->interval_count; i++)
        if (strcmp(kit->units[kit->intervals[i].unit].name, "issue") == 0 &&
            kit->intervals[i].reason == REASON_BUSY)
            at[kit->intervals[i].stmt] = kit->intervals[i].start;
    for (size_t i = 0; i < kit->transfer_count; i++)
        at[kit->transfers[i].stmt] = kit->transfers[i].issued;
    return at;
}

/* Cycles by which accesses come before the end of a transfer that they meet. */
static uint64_t early_by_pairs(const struct kit *kit, const char *text)
{
    struct source source;
    struct program program;
    struct diag_list diags;
    uint64_t early = 0;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k.vsm", text, strlen(text)), 0);
    assert_int_equal(mncore2_program_parse(&program, &source, 1, &diags), 0);
    uint64_t *at = issues(kit, program.item_count);
    for (size_t t = 0; t < kit->transfer_count; t++) {
        const size_t first = kit->transfers[t].stmt;
        const struct mv *mv = program.stmts[program.items[first].stmt].mv;
        struct region region[2];
        mncore2_effect_of_mv(mv, region);
        for (size_t i = first + 1; i < program.item_count; i++) {
            const struct stmt *stmt = &program.stmts[program.items[i].stmt];
            const bool meets = stmt->kind == STMT_MV
                                   ? mv_meets(mv, stmt->mv, region)
                                   : stmt->kind == STMT_STEP && !stmt->step->nops &&
                                         step_meets(stmt->step, region);
            if (meets && at[i] < kit->transfers[t].finished)
                early += kit->transfers[t].finished - at[i];
        }
    }
    free(at);
    mncore2_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
    return early;
}

/* Of a run of the text, which says the same itself. */
static uint64_t early_of(const char *text, bool drop_nops, uint64_t *cycles)
{
    struct kit kit = {.detail = true, .options.drop_nops = drop_nops};
    if (kit_run(&kit, text) != 0)
        fail_msg("%s\n%s", kit.error, text);
    const uint64_t early = early_by_pairs(&kit, text);
    if (early != kit.early)
        fail_msg("early by %llu cycles, the run says %llu\n%s", (unsigned long long)early,
                 (unsigned long long)kit.early, text);
    if (cycles)
        *cycles = kit.summary.cycles;
    kit_free(&kit);
    return early;
}

/* --- programs --------------------------------------------------------------------------------- */

static void put_transfer(FILE *out, struct dice *dice)
{
    const unsigned block = (unsigned)dice_below(dice, 2), words = 64u << dice_below(dice, 5);
    const unsigned far = 256u * (unsigned)dice_below(dice, 8);
    switch (dice_below(dice, 4)) {
    case 0:
        fprintf(out, "mvp/n%u $p%u@0 $lc%u@0.%u\n", words, far, far / 2, block);
        break;
    case 1:
        fprintf(out, "mvp/n%u $lc%u@0.%u $p%u@0\n", words, far, block, 8192 + far);
        break;
    case 2:
        fprintf(out, "mvp/n%u $d%u@0 $lc%u@0.%u\n", words, far, far, block);
        break;
    default:
        fprintf(out, "mvp/n%u $p%u@0 $p%u@1\n", words, far, far / 2);
    }
}

/* relaxed: enough nops behind each transfer for it to end. */
static char *random_text(struct dice *dice, bool relaxed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const unsigned count = 3 + (unsigned)dice_below(dice, 7);
    for (unsigned i = 0; i < count; i++) {
        const unsigned at = 64u * (unsigned)dice_below(dice, 32);
        switch (dice_below(dice, 5)) {
        case 0:
        case 1:
            put_transfer(out, dice);
            if (relaxed)
                fputs("nop/40\nnop/60\n", out);
            break;
        case 2:
            fprintf(out, "nop/6\nl2bmb@%u $lc%u $lb%u\n", (unsigned)dice_below(dice, 8), at,
                    at / 2);
            break;
        case 3:
            fprintf(out, "nop/6\nl2bm@%u $lb%u $lc%u\n", (unsigned)dice_below(dice, 8), at / 2, at);
            break;
        default:
            fprintf(out, "nop/%u\n", 1 + (unsigned)dice_below(dice, 30));
        }
    }
    fputs("nop/24\nd get $lb0n0c0b0 4\nd get $p8192n0 4\n", out);
    fclose(out);
    return text;
}

static void random_programs(void **state)
{
    (void)state;
    struct dice dice = {11};
    size_t early = 0, met = 0;
    for (size_t round = 0; round < often_rare(100); round++) {
        char *text = random_text(&dice, round % 3 == 0);
        early += early_of(text, false, NULL) > 0;
        met += early_of(text, true, NULL) == 0; /* every access waits */
        free(text);
    }
    assert_true(10 * early > often_rare(100));
    assert_int_equal(met, often_rare(100));
}

/* --- what the commands put out ---------------------------------------------------------------- */

static void expect_kept(const char *text, uint64_t early, const char *const *arguments,
                        const char *output)
{
    struct takt_result result = takt_run(arguments);
    size_t size;
    char *changed = result.exit_code == 0 ? takt_read_file(output, &size) : NULL;
    if (result.exit_code > 1)
        fail_msg("exit code %d: %s\n%s", result.exit_code, result.err, text);
    if (changed && early_of(changed, false, NULL) > early)
        fail_msg("%s: earlier than before\n%s\n->\n%s", arguments[0], text, changed);
    free(changed);
    takt_result_free(&result);
}

static void commands(void **state)
{
    (void)state;
    struct dice dice = {5};
    for (size_t round = 0; round < often(3); round++) {
        char *text = random_text(&dice, round % 3 != 1);
        const char *file = takt_temp_file("k.vsm", text), *out = takt_temp_path("out.vsm");
        const uint64_t early = early_of(text, false, NULL);
        remove(out);
        expect_kept(text, early, ARGS("advise", file, "--apply", out), out);
        remove(out);
        expect_kept(text, early, ARGS("schedule", file, "--out", out), out);
        free(text);
    }
}

/* A program that someone measured takt with: 420 cycles, and an advice of 76 that reads L2BM before
 * the transfer, which needs 512 long words at 8 a cycle (3.5.8.4), can have ended. */
#define READER "l2bmb@0 $lc0 $lb0\nnop/4\nl1bmd $lb0 $lm0v/1000\nnop/24\nd get $lm0n0c0b0m0p0 1\n"
static const char by_time[] = "mvp/n512 $p0@0 $lc0@0.0\nnop/24\nnop/24\nnop/24\n" READER;

static void small_case(void **state)
{
    (void)state;
    uint64_t cycles;
    const char *file = takt_temp_file("k.vsm", by_time), *out = takt_temp_path("out.vsm");
    const char *const changes[][5] = {{"advise", file, "--apply", out, NULL},
                                      {"schedule", file, "--out", out, NULL}};
    assert_int_equal(early_of(by_time, false, &cycles), 0);
    assert_int_equal(cycles / 4, 105);
    for (size_t i = 0; i < 2; i++) {
        struct takt_result result = takt_run(changes[i]);
        size_t size;
        assert_int_equal(result.exit_code, 0);
        char *changed = takt_read_file(out, &size);
        assert_non_null(changed);
        assert_int_equal(early_of(changed, false, &cycles), 0);
        assert_true(cycles >= 512 / 8 + 2 * CYCLES);
        free(changed);
        takt_result_free(&result);
    }
}

/* The rest of what looks at the same pairs. */
static void small_case_elsewhere(void **state)
{
    (void)state;
    static const char without[] = "mvp/n512 $p0@0 $lc0@0.0\n" READER;
    uint64_t held;
    assert_int_equal(early_of(without, true, &held), 0);
    assert_true(held >= 512 / 8 + 2 * CYCLES);
    assert_true(early_of(without, false, NULL) > 0);
    const char *file = takt_temp_file("k.vsm", by_time), *early = takt_temp_file("e.vsm", without);
    takt_expect(ARGS("run", file, "--silence", "mv-race"), 0, "SPARE", "");
    takt_expect(ARGS("run", early), 0, "EARLY", "mv-race");
    takt_expect(ARGS("expect", early, "warnings(early) == 0"), 1, NULL, NULL);
    takt_expect(ARGS("expect", file, "warnings(early) == 0"), 0, NULL, NULL);
    takt_expect(ARGS("deps", file), 0, "lag 64", "");
}

/* A value that is read before it has arrived is another one; the source must not change. */
static void poison(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool arrives;
    } cases[] = {
        {by_time, true},
        {"mvp/n512 $p0@0 $lc0@0.0\n" READER, false},
        {"mvp/n512i01 $p0@0 $lc0@0.0\nnop; wait i01\n" READER, true},
        /* The source changes: the destination is not to be trusted. */
        {"mvp/n512 $lc0@0.0 $p0@0\nl2bm@0 $lb0 $lc0\nnop/60\nd get $p0n0 4\n", false},
        {"mvp/n512 $lc0@0.0 $p0@0\nnop/60\nl2bm@0 $lb0 $lc0\nnop/60\nd get $p0n0 4\n", true},
        /* Two that write the same, the second one beside the first. */
        {"mvp/n512 $d0@0 $lc0@0.0\nmvp/n512 $p0@0 $lc0@0.0\nnop/60\nnop/60\nd get $lc0n0c0 4\n",
         false},
        /* What is printed has arrived. */
        {"mvp/n512 $p0@0 $lc0@0.0\nd get $lc0n0c0 4\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *file = takt_temp_file("k.vsm", cases[i].text);
        struct takt_result plain = takt_run(ARGS("run", file, "--init", "random:3", "--dump", "-",
                                                 "--quiet", "--silence", "all")),
                           poisoned =
                               takt_run(ARGS("run", file, "--init", "random:3", "--dump", "-",
                                             "--quiet", "--silence", "all", "--poison"));
        assert_int_equal(plain.exit_code, 0);
        assert_int_equal(poisoned.exit_code, 0);
        assert_true(plain.out_size > 40);
        if ((strcmp(plain.out, poisoned.out) == 0) != cases[i].arrives)
            fail_msg("%s\n%s%s", cases[i].text, plain.out, poisoned.out);
        takt_result_free(&plain);
        takt_result_free(&poisoned);
    }
}

/* The judge compares values as the vendor's emulator has them; it says what comes early, and with
 * --poison such an answer is wrong. */
static void judged(void **state)
{
    (void)state;
    static const char testcase[] = "d set $lc0n0c0 1 0000000000000007\n"
                                   "# ======= YOUR VSM WILL BE INSERTED HERE =======\n"
                                   "# ======= Output =======\n"
                                   "d get $lc64n0c0 1 # seven=[7] / Long @[0]\n";
    static const char late[] = "mvp/n64 $lc0@0.0 $p0@0\nnop/40\n"
                               "mvp/n64i01 $p0@0 $lc64@0.0\nnop; wait i01\n",
                      early[] = "mvp/n64 $lc0@0.0 $p0@0\n"
                                "mvp/n64i01 $p0@0 $lc64@0.0\nnop; wait i01\n",
                      endless[] = "mvp/n64i01 $lc0@0.0 $p0@0\nnop; wait i01\n"
                                  "mvp/n64i02 $p0@0 $lc64@0.0\nnop; wait i03\n";
    const char *in = takt_temp_file("case.vsm", testcase), *good = takt_temp_file("l.vsm", late),
               *bad = takt_temp_file("e.vsm", early), *hung = takt_temp_file("h.vsm", endless);
    takt_expect(ARGS("judge", in, good), 0, "ACCEPTED!!", "");
    /* The totals are those of takt run (docs/timing.md), of the same packing. */
    takt_expect(ARGS("judge", in, good), 0, "TOTALS  documented numbers alone: ", "");
    takt_expect(ARGS("judge", "--json", in, good), 0, "\"cycles_documented\": ", "");
    takt_expect(ARGS("judge", "--poison", in, good), 0, "ACCEPTED!!", "");
    takt_expect(ARGS("judge", in, bad), 0, "EARLY", "");
    takt_expect(ARGS("judge", "--poison", in, bad), 1, "REJECTED", "");
    takt_expect(ARGS("judge", in, hung), 0, "cycles=none", "");
    takt_expect(ARGS("judge", "--json", in, hung), 0, "\"cycles\": null", "");
}

/* 3.6.13: the stream waits until the transfers with the tag have ended; there is none. */
static void endless_waits(void **state)
{
    (void)state;
    const char *never = takt_temp_file("k.vsm", "nop; wait i33\n"),
               *late = takt_temp_file("l.vsm", "nop; wait i01\nmvp/n64i01 $p0@0 $lc0@0.0\n"),
               *twice = takt_temp_file("m.vsm",
                                       "mvp/n64i01 $p0@0 $lc0@0.0\nnop; wait i01\nnop; wait i01\n");
    takt_expect(ARGS("run", never), 1, "", "k.vsm:1:1: error: waits for tag i33");
    takt_expect(ARGS("run", late), 1, "", "l.vsm:1:1: error: waits for tag i01");
    takt_expect(ARGS("run", twice), 0, " cycles   ", NULL);
    takt_expect(ARGS("run", never, "--functional-only"), 0, NULL, "wait-without-mv");
    takt_expect(ARGS("check", never), 0, NULL, "wait-without-mv");
    takt_expect(ARGS("bound", never), 1, "", "never ends");
    takt_expect(ARGS("advise", never), 1, "", "never ends");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs), cmocka_unit_test(commands),
        cmocka_unit_test(small_case),      cmocka_unit_test(small_case_elsewhere),
        cmocka_unit_test(judged),          cmocka_unit_test(poison),
        cmocka_unit_test(endless_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
