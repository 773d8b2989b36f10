/*
 * Hazards of random programs: takt check and the interlock's arithmetic against the
 * address-by-address model of brute_hazard. Programs come from gen_program, legal, and lose nops at
 * random, so that both sides of every edge occur.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/brute/brute_hazard.h"
#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/mncore2/check_text.h"
#include "tests/often.h"
#include "timing/mncore2/hazard.h"

enum { PROGRAMS = 500, INTERLOCKED = 2400 };

/* Lines that are only nops go, or become shorter, with the given chance in a hundred. */
static void drop_nops(char *text, unsigned chance, uint64_t seed)
{
    struct dice dice = {seed};
    for (char *line = text; *line;) {
        char *end = strchr(line, '\n');
        if (!end)
            break;
        if (strncmp(line, "nop", 3) == 0 && !memchr(line, ';', (size_t)(end - line)) &&
            dice_below(&dice, 100) < chance)
            memset(line, ' ', (size_t)(end - line));
        line = end + 1;
    }
}

static void generate(struct check_text *text, uint64_t seed, unsigned chance)
{
    const struct gen_options options = {.features = GEN_ALL & ~(unsigned)GEN_STYLE,
                                        .statements = 60,
                                        .tightness = 100,
                                        .sets = 1,
                                        .gets = 0};
    char *program = gen_program(seed, &options, NULL);
    assert_non_null(program);
    drop_nops(program, chance, seed);
    check_text_open(text, program);
    free(program);
    if (text->parsed != 0)
        check_text_show(text);
    assert_int_equal(text->parsed, 0);
}

static uint64_t steps_of(const struct step *step)
{
    return step->nops ? step->nops : 1;
}

/* Which lines are refused. */
static void check_agrees(void **state)
{
    (void)state;
    size_t legal = 0, illegal = 0;
    for (uint64_t seed = 1; seed <= often_rare(PROGRAMS); seed++) {
        struct check_text text;
        generate(&text, seed, (unsigned)(seed % 5 * 15));
        check_text_run(&text, NULL);
        struct brute_hazard *brute = brute_hazard_new();
        assert_non_null(brute);
        int64_t t = 0;
        size_t next = 0;
        for (size_t i = 0; i < text.program.item_count; i++) {
            const struct item *item = &text.program.items[i];
            const struct stmt *stmt = &text.program.stmts[item->stmt];
            bool good = true;
            if (stmt->kind == STMT_STEP && !stmt->step->nops) {
                good = brute_hazard_step_legal(brute, stmt->step, t);
                brute_hazard_issue(brute, stmt->step, t);
            } else if (stmt->kind == STMT_MV) {
                good = brute_hazard_mv_legal(brute, stmt->mv, t);
            } else if (stmt->kind == STMT_SET && stmt->debug->mem == MEM_OMR) {
                brute_hazard_set_mask(brute);
            }
            if (stmt->kind == STMT_STEP)
                t += (int64_t)steps_of(stmt->step) * 4;
            bool refused = false;
            for (; next < text.diags.count && text.diags.items[next].line <= item->line; next++)
                refused |= text.diags.items[next].severity == DIAG_ERROR &&
                           text.diags.items[next].line == item->line;
            if (refused == good) {
                check_text_show(&text);
                fail_msg("seed %llu line %u: brute says %s", (unsigned long long)seed, item->line,
                         good ? "legal" : "illegal");
            }
            *(good ? &legal : &illegal) += 1;
        }
        brute_hazard_free(brute);
        check_text_close(&text);
    }
    /* The programs must have been worth it. */
    assert_true(legal > 20 * often_rare(PROGRAMS) && illegal > often_rare(PROGRAMS));
}

/* Stalling until legal: the same cycles, found by trying one step after the other. */
static void interlock_agrees(void **state)
{
    (void)state;
    uint64_t stalled = 0, hits[HAZARD_COUNT] = {0};
    for (uint64_t seed = 1; seed <= often_rare(INTERLOCKED); seed++) {
        struct check_text text;
        generate(&text, UINT64_C(1000000) + seed, 60);
        struct hazard *hazard = mncore2_hazard_new(&text.config, false);
        assert_non_null(hazard);
        struct hazard_window *window = mncore2_hazard_window_new(hazard);
        struct brute_hazard *brute = brute_hazard_new();
        assert_true(window && brute);
        uint64_t t = 0;
        for (size_t i = 0; i < text.program.item_count; i++) {
            const struct item *item = &text.program.items[i];
            const struct stmt *stmt = &text.program.stmts[item->stmt];
            const struct hazard_profile *profile = NULL;
            if (stmt->kind == STMT_STEP) {
                struct effect effect;
                mncore2_effect_of_step(stmt->step, &effect);
                assert_int_equal(mncore2_hazard_profile_step(hazard, &effect, &profile), 0);
            } else if (stmt->kind == STMT_MV) {
                struct region region[2];
                mncore2_effect_of_mv(stmt->mv, region);
                assert_int_equal(mncore2_hazard_profile_mv(hazard, region, &profile), 0);
            } else {
                if (stmt->kind == STMT_SET && stmt->debug->mem == MEM_OMR) {
                    brute_hazard_set_mask(brute);
                    mncore2_hazard_forget_mask(window, 0);
                }
                continue;
            }
            uint64_t slow = t;
            while (stmt->kind == STMT_MV
                       ? !brute_hazard_mv_legal(brute, stmt->mv, (int64_t)slow)
                       : !brute_hazard_step_legal(brute, stmt->step, (int64_t)slow))
                slow += 4;
            struct hazard_finding why;
            const uint64_t fast = mncore2_hazard_earliest(window, profile, t, &why);
            if (fast != slow)
                check_text_show(&text);
            assert_int_equal(fast, slow);
            if (fast > t) {
                assert_int_equal(why.earliest, fast);
                hits[why.row]++;
            }
            stalled += fast - t;
            t = fast;
            mncore2_hazard_issue(window, profile, t, i);
            if (stmt->kind == STMT_STEP) {
                brute_hazard_issue(brute, stmt->step, (int64_t)t);
                t += steps_of(stmt->step) * 4;
            }
        }
        brute_hazard_free(brute);
        mncore2_hazard_window_free(window);
        mncore2_hazard_free(hazard);
        check_text_close(&text);
    }
    /* Every row with a latency has stalled something. */
    struct config config;
    check_text_config(&config);
    struct hazard *hazard = mncore2_hazard_new(&config, false);
    for (unsigned row = 0; row < HAZARD_COUNT; row++)
        if (mncore2_hazard_latency(hazard, row) && !hits[row])
            fail_msg("row %s never stalled", mncore2_hazard_rules[row].name);
    mncore2_hazard_free(hazard);
    config_free(&config);
    assert_true(stalled > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_agrees),
        cmocka_unit_test(interlock_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
