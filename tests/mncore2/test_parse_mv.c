/* MV statements (manual 3.5): all 24 modes, their operands, sizes, alignment and parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/parse.h"
#include "tests/mncore2/lang_help.h"

/* The grammar box of each section, its opcode and operands; alignment of both sides by the unit
 * operation of the same section. */
static const struct {
    enum mv_mode mode;
    const char *opcode, *from, *to;
    unsigned unit_from, unit_to;
    const char *section;
} modes[] = {
    {MV_P_D, "mvp", "$p%u@0", "$d%u@1", 64, 64, "3.5.8.2"},
    {MV_D_P, "mvp", "$d%u@1", "$p%u@0", 64, 64, "3.5.8.3"},
    {MV_P_C, "mvp", "$p%u@0", "$lc%u@2.1", 64, 64, "3.5.8.4"},
    {MV_C_P, "mvp", "$lc%u@2.1", "$p%u@0", 64, 64, "3.5.8.5"},
    {MV_D_C, "mvp", "$d%u@0", "$lc%u@2.1", 64, 64, "3.5.8.6"},
    {MV_C_D, "mvp", "$lc%u@2.1", "$d%u@0", 64, 64, "3.5.8.7"},
    {MV_P_P, "mvp", "$p%u@0", "$p%u@1", 64, 64, "3.5.8.8"},
    {MV_P_C_PAR, "mvp", "$p%u", "$lc%u@.1", 64, 64, "3.5.8.9"},
    {MV_C_P_PAR, "mvp", "$lc%u@.1", "$p%u", 64, 64, "3.5.8.10"},
    {MV_D_C_PAR, "mvp", "$d%u", "$lc%u@.1", 64, 64, "3.5.8.11"},
    {MV_C_D_PAR, "mvp", "$lc%u@.1", "$d%u", 64, 64, "3.5.8.12"},
    {MV_D_C_B2, "mvb2", "$d%u", "$lc%u", 64, 64, "3.5.8.13"},
    {MV_C_D_R2, "mvr2dfadd", "$lc%u", "$d%u", 64, 64, "3.5.8.14"},
    {MV_C_P_R2, "mvr2dfadd", "$lc%u@1", "$p%u@1", 64, 64, "3.5.8.15"},
    {MV_D_C_B4, "mvb4", "$d%u", "$lc%u", 32, 64, "3.5.8.16"},
    {MV_C_D_R4, "mvr4dfadd", "$lc%u", "$d%u", 64, 32, "3.5.8.17"},
    {MV_P_C_B, "mvb", "$p%u@0", "$lc%u", 64, 64, "3.5.8.18"},
    {MV_C_P_R, "mvrdfadd", "$lc%u", "$p%u@0", 64, 64, "3.5.8.19"},
    {MV_D_C_B, "mvb", "$d%u", "$lc%u", 16, 64, "3.5.8.20"},
    {MV_C_D_R, "mvrdfadd", "$lc%u", "$d%u", 64, 16, "3.5.8.21"},
    {MV_P_C_DIST, "mvd", "$p%u@0", "$lc%u", 512, 64, "3.5.8.22"},
    {MV_C_P_JOIN, "mvd", "$lc%u", "$p%u@0", 64, 512, "3.5.8.23"},
    {MV_P_D_DIST, "mvd", "$p%u@0", "$d%u", 64, 16, "3.5.8.24"},
    {MV_D_P_JOIN, "mvd", "$d%u", "$p%u@0", 16, 64, "3.5.8.25"},
};
enum { MODES = sizeof modes / sizeof modes[0] };

static void text_of(char *text, size_t mode, const char *parameters, unsigned from, unsigned to)
{
    char a[40], b[40];
    snprintf(a, sizeof a, modes[mode].from, from);
    snprintf(b, sizeof b, modes[mode].to, to);
    snprintf(text, 200, "%s/%s %s %s", modes[mode].opcode, parameters, a, b);
}

static bool is_dram(const char *operand)
{
    return operand[1] == 'd';
}

static void expect_alignment(const char *text, const char *operand, unsigned unit, unsigned address)
{
    if (address % unit == 0)
        lang_expect_clean(text);
    else if (is_dram(operand) && unit == 64 && address % 16 == 0)
        lang_expect_warning(text, "unaligned-dram");
    else
        lang_expect_error(text, "3.5.3", "nearest aligned address");
}

static void all_modes(void **unused)
{
    (void)unused;
    assert_int_equal(MODES, MV_COUNT);
    for (size_t i = 0; i < MODES; i++) {
        char text[200];
        text_of(text, i, "n128", 0, 0);
        struct lang lang;
        const struct mv *mv = lang_mv(&lang, text);
        assert_int_equal(mv->mode, modes[i].mode);
        assert_int_equal(mv->size, 128);
        assert_string_equal(mncore2_mv_rows[mv->mode].base, mncore2_mv_rows[modes[i].mode].base);
        lang_close(&lang);
        static const unsigned addresses[] = {1, 8, 16, 24, 32, 48, 64, 128, 256, 512, 1024};
        for (size_t k = 0; k < sizeof addresses / sizeof addresses[0]; k++) {
            text_of(text, i, "n64", addresses[k], 0);
            expect_alignment(text, modes[i].from, modes[i].unit_from, addresses[k]);
            text_of(text, i, "n64", 0, addresses[k]);
            expect_alignment(text, modes[i].to, modes[i].unit_to, addresses[k]);
        }
        text_of(text, i, "n0", 0, 0);
        lang_expect_error(text, "3.5.3", "n64");
        text_of(text, i, "n32", 0, 0);
        lang_expect_error(text, "3.5.3", "multiple of 64");
        text_of(text, i, "n96", 0, 0);
        lang_expect_error(text, "3.5.3", "nearest size n128");
        text_of(text, i, "i01", 0, 0);
        lang_expect_error(text, "3.5.3", "missing");
    }
}

/* What stands behind an @ decides; every other combination is refused. */
static void only_these_forms(void **unused)
{
    (void)unused;
    static const char *const operands[] = {
        "$p0",  "$p0@0",  "$p0@1",   "$d0",      "$d0@0",    "$d0@1",
        "$lc0", "$lc0@1", "$lc0@.1", "$lc0@2.1", "$lc0@1.0",
    };
    static const char *const opcodes[] = {"mvp",       "mvb2", "mvr2dfadd", "mvb4",
                                          "mvr4dfadd", "mvb",  "mvrdfadd",  "mvd"};
    enum { OPERANDS = sizeof operands / sizeof operands[0], OPCODES = 8 };
    unsigned accepted = 0;
    for (size_t o = 0; o < OPCODES; o++) {
        for (size_t a = 0; a < OPERANDS; a++) {
            for (size_t b = 0; b < OPERANDS; b++) {
                char text[100];
                snprintf(text, sizeof text, "%s/n64 %s %s", opcodes[o], operands[a], operands[b]);
                struct lang lang;
                lang_open(&lang, text);
                accepted += lang.result == 0;
                lang_close(&lang);
            }
        }
    }
    /*
     * By the grammar boxes, with 2 groups for p and d, 2 explicit and 1 parallel form of lc:
     * mvp explicit: pd 4, dp 4, pc 4, cp 4, dc 4, cd 4, pp 2; parallel: 4 modes with 1 each;
     * and lc without @ to or from DRAM (accepted with a warning): 3 each way.
     * mvb2 1, mvr2 to d 1, mvr2 to p: lc@1 with p@1 1, mvb4 1, mvr4 1,
     * mvb p 2, mvb d 1, mvr p 2, mvr d 1, mvd pc 2, cp 2, pd 2, dp 2.
     */
    assert_int_equal(accepted, 26 + 4 + 6 + 1 + 1 + 1 + 1 + 1 + 2 + 1 + 2 + 1 + 8);
}

static void parameters(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint8_t tag, priority;
        uint32_t nd;
        uint64_t size;
    } cases[] = {
        {"mvp/n64 $p0@0 $d0@0", 0, 0, 0, 64},
        {"mvp/n64i01 $p0@0 $d0@0", 1, 0, 0, 64},
        {"mvp/i02n64 $p0@0 $d0@0", 2, 0, 0, 64},
        {"mvp/n0x40i0F $p0@0 $d0@0", 15, 0, 0, 64},
        {"mvp/n0x40iff $p0@0 $d0@0", 255, 0, 0, 64},
        {"mvp/n256p3 $p0@0 $d0@0", 0, 3, 0, 256},
        {"mvp/p3n256i3d $p0@0 $d0@0", 61, 3, 0, 256},
        {"mvp/n256nd4 $p1600@1 $di512@2", 0, 0, 4, 256},
        {"mvp/nd0x10i10p1n64 $di0@1 $lc0@0.0", 16, 1, 16, 64},
        {"mvp/n64 $di1023@1 $lc0@0.0", 0, 0, 0, 64},
        {"mvp/n64i00 $p0@0 $d0@0", 0, 0, 0, 64},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lang lang;
        const struct mv *mv = lang_mv(&lang, cases[i].text);
        assert_int_equal(mv->tag, cases[i].tag);
        assert_int_equal(mv->priority, cases[i].priority);
        assert_int_equal(mv->nd, cases[i].nd);
        assert_int_equal(mv->size, cases[i].size);
        assert_int_equal(lang.diags.warnings, 0);
        lang_close(&lang);
    }
    struct lang lang;
    const struct mv *mv = lang_mv(&lang, "mvp/n256nd4 $p1600@1 $di512@2");
    assert_true(mv->to.indirect && !mv->from.indirect);
    assert_int_equal(mv->to.addr, 512);
    assert_int_equal(mv->to.group, 2);
    assert_int_equal(mv->to.column, 22);
    assert_int_equal(mv->from.mem, MEM_PDM);
    assert_int_equal(mv->from.addr, 1600);
    assert_int_equal(mv->from.l2b, -1);
    lang_close(&lang);
}

static void reductions(void **unused)
{
    (void)unused;
    static const char *const floats[] = {"fadd", "max", "min"};
    static const char *const integers[] = {"iadd", "band", "and", "bor", "or"};
    static const char *const bases[] = {"mvr", "mvr2", "mvr4"};
    static const char letters[] = "dfhlis";
    for (size_t b = 0; b < 3; b++) {
        for (size_t p = 0; p < 6; p++) {
            for (size_t o = 0; o < 8; o++) {
                char text[100];
                snprintf(text, sizeof text, "%s%c%s/n64 $lc0 $d0", bases[b], letters[p],
                         o < 3 ? floats[o] : integers[o - 3]);
                if ((o < 3) != (p < 3)) {
                    lang_expect_error(text, "3.5.5", "precision");
                    continue;
                }
                struct lang lang;
                const struct mv *mv = lang_mv(&lang, text);
                static const uint8_t precs[] = {PREC_D, PREC_F, PREC_H, PREC_L, PREC_I, PREC_S};
                assert_int_equal(mv->prec, precs[p]);
                assert_int_equal(mv->rrn, RRN_FADD + (int)o);
                lang_close(&lang);
            }
        }
    }
}

/* Open points and what real programs write. */
static void open_points(void **unused)
{
    (void)unused;
    /* The address as it is written, also where it wraps; the nearest one inside the memory. */
    struct lang lang;
    const struct mv *mv = lang_mv(&lang, "mvp/n64 $lc0 $d0@3");
    assert_int_equal(mv->mode, MV_C_D);
    assert_int_equal(mv->from.group, 3);
    assert_int_equal(mv->from.l2b, 0);
    lang_close(&lang);
    mv = lang_mv(&lang, "mvp/n64 $d0 $lc0");
    assert_int_equal(mv->mode, MV_D_C_B2);
    assert_int_equal(mv->to.group, -1);
    assert_int_equal(mv->to.l2b, -1); /* both (3.5.2.3) */
    lang_close(&lang);
    /* indirect addresses have no alignment of their own */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_modes),   cmocka_unit_test(only_these_forms),
        cmocka_unit_test(parameters),  cmocka_unit_test(reductions),
        cmocka_unit_test(open_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
