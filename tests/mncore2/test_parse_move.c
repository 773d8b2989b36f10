/* Transfers between L2BM, L1BM and PE (manual 3.6.7, 3.6.8): L1B sets, alignment, lengths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/lang_help.h"

/* --- L2BM (3.6.7) ----------------------------------------------------------------------------- */

/* Table 3.7, typed in. */
static const struct {
    const char *list, *pair;
    uint8_t set, immode;
} sets[] = {
    {"[0]", "0/0", 0x01, 0},       {"[1]", "1/0", 0x02, 0},       {"[2]", "2/0", 0x04, 0},
    {"[3]", "3/0", 0x08, 0},       {"[4]", "4/0", 0x10, 0},       {"[5]", "5/0", 0x20, 0},
    {"[6]", "6/0", 0x40, 0},       {"[7]", "7/0", 0x80, 0},       {"[0,1]", "0/1", 0x03, 1},
    {"[0,2]", "0/2", 0x05, 2},     {"[0,4]", "0/4", 0x11, 4},     {"[1,3]", "1/2", 0x0a, 2},
    {"[1,5]", "1/4", 0x22, 4},     {"[2,3]", "2/1", 0x0c, 1},     {"[2,6]", "2/4", 0x44, 4},
    {"[3,7]", "3/4", 0x88, 4},     {"[4,5]", "4/1", 0x30, 1},     {"[4,6]", "4/2", 0x50, 2},
    {"[5,7]", "5/2", 0xa0, 2},     {"[6,7]", "6/1", 0xc0, 1},     {"[0,1,2,3]", "0/3", 0x0f, 3},
    {"[0,1,4,5]", "0/5", 0x33, 5}, {"[0,2,4,6]", "0/6", 0x55, 6}, {"[1,3,5,7]", "1/6", 0xaa, 6},
    {"[2,3,6,7]", "2/5", 0xcc, 5}, {"[4,5,6,7]", "4/3", 0xf0, 3},
};

static void l1b_sets(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        const char *const notations[] = {sets[i].list, sets[i].pair};
        for (size_t k = 0; k < 2; k++) {
            char text[100];
            snprintf(text, sizeof text, "l2bmi@%s $lb0 $lb64", notations[k]);
            struct lang lang;
            const struct expr *expr = step_expr(lang_step(&lang, text), GROUP_L2BM);
            assert_int_equal(expr->l1bset, sets[i].set);
            assert_int_equal(expr->immode, sets[i].immode);
            lang_close(&lang);
        }
    }
    /* the short form; the address only counts under the bits not hidden; any order, blanks */
    static const struct {
        const char *text;
        uint8_t set;
    } more[] = {
        {"l2bmb@5 $lc0 $lb0", 0x20},         {"l2bmb@7/4 $lc0 $lb0", 0x88},
        {"l2bmb@3/4 $lc0 $lb0", 0x88},       {"l2bmb $lc0 $lb0", 0xff},
        {"l2bmb@0/7 $lc0 $lb0", 0xff},       {"l2bmb@[7,6,5,4,3,2,1,0] $lc0 $lb0", 0xff},
        {"l2bmb@[ 3 , 1 ] $lc0 $lb0", 0x0a}, {"l2bmd@[3,2,1,0] $lc0 $lb0", 0x0f},
        {"l2bmb2@0/4 $lc0 $lb0", 0x11},      {"l2bmrdfadd@[0,4] $lb0 $lc0", 0x11},
        {"l2bm@6 $lb0 $lc0", 0x40},
    };
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        struct lang lang;
        assert_int_equal(step_expr(lang_step(&lang, more[i].text), GROUP_L2BM)->l1bset,
                         more[i].set);
        lang_close(&lang);
    }
}

static void alignment(const char *format, bool first, unsigned unit, const char *rule)
{
    for (unsigned address = 0; address <= 128; address += address < 16 ? 1 : 8) {
        char text[100];
        snprintf(text, sizeof text, format, first ? address : 0, first ? 0 : address);
        if (address % unit == 0)
            lang_expect_clean(text);
        else
            lang_expect_error(text, rule, "nearest aligned address");
    }
}

static void l2bm_alignment(void **unused)
{
    (void)unused;
    static const struct {
        const char *format, *rule;
        unsigned first, second;
    } cases[] = {
        {"l2bmb $lc%u $lb%u", "3.6.7.2", 16, 16},
        {"l2bmb2 $lc%u $lb%u", "3.6.7.3", 64, 16},
        {"l2bmd $lc%u $lb%u", "3.6.7.4", 64, 8},
        {"l2bm@0 $lb%u $lc%u", "3.6.7.5", 16, 16},
        {"l2bmrdfadd $lb%u $lc%u", "3.6.7.6", 16, 16},
        {"l2bmr2dfadd $lb%u $lc%u", "3.6.7.7", 16, 64},
        {"l2bmd $lb%u $lc%u", "3.6.7.8", 8, 64},
        {"l2bmi@0 $lb%u $lb%u", "3.6.7.9", 16, 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        alignment(cases[i].format, true, cases[i].first, cases[i].rule);
        alignment(cases[i].format, false, cases[i].second, cases[i].rule);
    }
    struct lang lang;
    const struct expr *expr = step_expr(lang_step(&lang, "l2bmd $lb8184 $lc32704"), GROUP_L2BM);
    assert_int_equal(expr->insn, INSN_L2BMD_JOIN);
    assert_int_equal(expr->in[0].addr[0], 8184);
    assert_int_equal(expr->in[0].addr[1], 0);
    assert_int_equal(expr_out(expr, 0)->addr[1], 0);
    lang_close(&lang);
    expr = step_expr(lang_step(&lang, "l2bmdars $lc64@.1 $dar16"), GROUP_L2BM);
    assert_int_equal(expr->in[0].l2b, 1);
    assert_int_equal(expr_out(expr, 0)->addr[0], 16);
    lang_close(&lang);
}

/* --- L1BM (3.6.8) ----------------------------------------------------------------------------- */

static void l1bm_alignment(void **unused)
{
    (void)unused;
    static const struct {
        const char *format, *rule;
        bool first;
        unsigned unit;
    } cases[] = {
        {"l1bmp $lb%u $lr%uv", "3.6.8.6", true, 1},
        {"l1bmm $lb%u $lr%uv", "3.6.8.8", true, 4},
        {"l1bmm $llb%u $llr%uv", "3.6.8.9", true, 8},
        {"l1bmm@15 $lr%uv $lb%u", "3.6.8.10", false, 4},
        {"l1bmm@15 $llr%uv $llb%u", "3.6.8.11", false, 8},
        {"l1bmrdfadd $lr%uv $lb%u", "3.6.8.12", false, 4},
        {"l1bmrffadd $llr%uv $llb%u", "3.6.8.13", false, 8},
        {"l1bmrffaddr $llr%uv $lb%u", "3.6.8.12", false, 4},
        {"l1bmm4 $lb%u $lr%uv", "3.6.8.14", true, 16},
        {"l1bmm4 $llb%u $llr%uv", "3.6.8.15", true, 32},
        {"l1bmm4@3 $lr%uv $lb%u", "3.6.8.16", false, 16},
        {"l1bmm4@3 $llr%uv $llb%u", "3.6.8.17", false, 32},
        {"l1bmr4dfadd $lr%uv $lb%u", "3.6.8.18", false, 16},
        {"l1bmr4ffadd $llr%uv $llb%u", "3.6.8.19", false, 32},
        {"l1bmd $lb%u $lr%uv", "3.6.8.20", true, 64},
        {"l1bmd $lr%uv $lb%u", "3.6.8.21", false, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        alignment(cases[i].format, cases[i].first, cases[i].unit, cases[i].rule);
    for (unsigned address = 0; address < 130; address++) {
        char text[100];
        snprintf(text, sizeof text, "l1bmp $llb%u $llr0v", address);
        if (address % 64 <= 56)
            lang_expect_clean(text);
        else
            lang_expect_error(text, "3.6.8.7", "0 to 56");
    }
}

static void l1bm_forms(void **unused)
{
    (void)unused;
    struct lang lang;
    const struct expr *expr = step_expr(lang_step(&lang, "l1bmrland $lr0v $lb4"), GROUP_L1BM);
    assert_int_equal(expr->rrn, RRN_AND);
    assert_int_equal(expr->prec, PREC_L);
    lang_close(&lang);
    expr = step_expr(lang_step(&lang, "l1bmr4hfadd $lr0v $lb16"), GROUP_L1BM);
    assert_int_equal(expr->insn, INSN_L1BMR4);
    assert_int_equal(expr->rrn, RRN_FADD);
    assert_int_equal(expr->prec, PREC_H);
    lang_close(&lang);
    expr = step_expr(lang_step(&lang, "l1bmrffaddr $llr0v $lb16"), GROUP_L1BM);
    assert_true(expr->reduce && expr->prec == PREC_F);
    lang_close(&lang);
    expr = step_expr(lang_step(&lang, "l1bmm4@2 $lr0v $lb16"), GROUP_L1BM);
    assert_int_equal(expr->insn, INSN_L1BMM4_AT);
    assert_int_equal(expr->mab, 2);
    assert_int_equal(expr_out(expr, 0)->addr[3], 64);
    lang_close(&lang);
    expr = step_expr(lang_step(&lang, "l1bmd-3 $lr0v $lb64"), GROUP_L1BM);
    assert_int_equal(expr->insn, INSN_L1BMD_JOIN);
    assert_int_equal(expr->mabdiff, -3);
    lang_close(&lang);
    expr = step_expr(lang_step(&lang, "l1bmd+3 $lb64 $lr0v"), GROUP_L1BM);
    assert_int_equal(expr->insn, INSN_L1BMD);
    assert_int_equal(expr->mabdiff, 3);
    lang_close(&lang);
    expr = step_expr(lang_step(&lang, "l1bmd $lbf $lb64"), GROUP_L1BM);
    assert_int_equal(expr->insn, INSN_L1BMD_JOIN);
    assert_int_equal(expr->in[0].mem, MEM_LBF);
    lang_close(&lang);
}

static void turnaround(void **unused)
{
    (void)unused;
    /* 3.6.8.2 */
    struct lang lang;
    const struct step *step = lang_step(&lang, "l1bmm $lbi $lr0v");
    assert_null(step_expr(step, GROUP_L1BM));
    assert_int_equal(step_expr(step, GROUP_L1BM_TURN)->group, GROUP_L1BM_TURN);
    assert_int_equal(step_expr(step, GROUP_L1BM_TURN)->in[0].mem, MEM_LBI);
    lang_close(&lang);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1b_sets),       cmocka_unit_test(l2bm_alignment),
        cmocka_unit_test(l1bm_alignment), cmocka_unit_test(l1bm_forms),
        cmocka_unit_test(turnaround),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
