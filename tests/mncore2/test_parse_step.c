/* Expressions of PE statements (manual 3.2.2, 3.6.5, 3.6.6, 3.6.9 to 3.6.13): opcodes, immediates,
 * what each input port takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/parse.h"
#include "tests/mncore2/lang_help.h"

static bool accepted(const char *text)
{
    struct lang lang;
    lang_open(&lang, text);
    const bool result = lang.result == 0;
    lang_close(&lang);
    return result;
}

/* --- table 3.9 -------------------------------------------------------------------------------- */

/* Typed in from tables 3.9 and 3.10: name, letters, inputs, letters that take the u option. */
static const struct {
    const char *name, *letters;
    unsigned inputs;
    const char *uns;
} alu[] = {
    {"passa", "dfhlis", 1, ""},  {"inc", "lis", 1, "lis"},     {"dec", "lis", 1, "lis"},
    {"not", "lis", 1, ""},       {"lnot", "lis", 1, ""},       {"rsqrt", "dfh", 1, ""},
    {"floor", "dfh", 1, ""},     {"ftoi", "dfh", 1, "dfh"},    {"max", "dfhlis", 2, "lis"},
    {"min", "dfhlis", 2, "lis"}, {"packbit", "dfhlis", 2, ""}, {"and", "lis", 2, ""},
    {"or", "lis", 2, ""},        {"xor", "lis", 2, ""},        {"add", "lis", 2, "lis"},
    {"sub", "lis", 2, "lis"},    {"lsl", "lis", 2, ""},        {"lsr", "lis", 2, "lis"},
    {"bsl", "lis", 2, ""},       {"bsr", "lis", 2, ""},        {"relu", "dfh", 2, ""},
    {"relu0", "dfh", 2, ""},     {"relu1", "dfh", 2, ""},      {"relu2", "dfh", 2, ""},
    {"relu3", "dfh", 2, ""},     {"lrelud", "dfh", 2, ""},     {"lrelu0", "dfh", 2, ""},
    {"ilrelud", "dfh", 2, ""},   {"lrelu", "dfh", 2, ""},      {"lrelo", "dfh", 2, ""},
    {"ilrelu", "dfh", 2, ""},    {"ilrelo", "dfh", 2, ""},
};

static void alu_opcodes(void **unused)
{
    (void)unused;
    static const char letters[] = "dfghlis";
    for (size_t i = 0; i < sizeof alu / sizeof alu[0]; i++) {
        for (unsigned uns = 0; uns < 2; uns++) {
            for (size_t p = 0; p < 7; p++) {
                char text[100];
                snprintf(text, sizeof text, "%s%c%s $t%s $nowrite", uns ? "u" : "", letters[p],
                         alu[i].name, alu[i].inputs == 2 ? " $t" : "");
                const bool legal = strchr(uns ? alu[i].uns : alu[i].letters, letters[p]) != NULL;
                /* llrelu and the like: a letter that makes another opcode */
                const bool other = strncmp(text, "inot", 4) == 0 ||
                                   strncmp(text, "ilrel", 5) == 0 || strncmp(text, "llnot", 5) == 0;
                if (!other && accepted(text) != legal)
                    fail_msg("%s should be %s", text, legal ? "legal" : "refused");
            }
        }
        char text[100];
        snprintf(text, sizeof text, "%s $t%s $nowrite", alu[i].name,
                 alu[i].inputs == 2 ? " $t" : "");
        /* lnot is not in precision l */
        assert_int_equal(accepted(text), strcmp(alu[i].name, "lnot") == 0);
    }
    static const char *const untyped[] = {"zero $t", "msl $t $t", "msr $t $t", "imm i\"0\" $t",
                                          "immu i\"0\" $t"};
    for (size_t i = 0; i < sizeof untyped / sizeof untyped[0]; i++) {
        assert_true(accepted(untyped[i]));
        char text[100];
        snprintf(text, sizeof text, "f%s", untyped[i]);
        assert_false(accepted(text));
    }
}

static void alu_decoding(void **unused)
{
    (void)unused;
    static const struct {
        const char *opcode;
        uint8_t insn, prec;
        bool uns;
    } cases[] = {
        {"lnot", INSN_NOT, PREC_L, false},        {"llnot", INSN_LNOT, PREC_L, false},
        {"ilnot", INSN_LNOT, PREC_I, false},      {"land", INSN_AND, PREC_L, false},
        {"llsl", INSN_LSL, PREC_L, false},        {"uslsr", INSN_LSR, PREC_S, true},
        {"uimax", INSN_MAX, PREC_I, true},        {"umax", 0, 0, false},
        {"ufftoi", INSN_FTOI, PREC_F, true},      {"hilrelud", INSN_ILRELUD, PREC_H, false},
        {"hlrelud", INSN_LRELUD, PREC_H, false},  {"frelu0", INSN_RELU, PREC_F, false},
        {"dlrelo", INSN_LRELU0, PREC_D, false},   {"dlrelu", INSN_LRELUD, PREC_D, false},
        {"dilrelo", INSN_ILRELUD, PREC_D, false}, {"ssub", INSN_SUB, PREC_S, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        struct lang lang;
        snprintf(text, sizeof text, "%s $t $t $nowrite", cases[i].opcode);
        if (cases[i].prec == 0) {
            lang_expect_error(text, "3.6.12.13", "precision letter");
            continue;
        }
        if (mncore2_insns[cases[i].insn].mnemonic[0] == 'n' ||
            strcmp(cases[i].opcode, "ufftoi") == 0 || cases[i].insn == INSN_LNOT)
            snprintf(text, sizeof text, "%s $t $nowrite", cases[i].opcode);
        const struct expr *expr = step_expr(lang_step(&lang, text), GROUP_ALU);
        assert_int_equal(expr->insn, cases[i].insn);
        assert_int_equal(expr->prec, cases[i].prec);
        assert_int_equal(expr->uns, cases[i].uns);
        lang_close(&lang);
    }
    assert_true(accepted("dbfn $t $t"));
    assert_true(accepted("fbfn $t $t"));
    assert_true(accepted("gbfn $t $t"));
    for (unsigned n = 0; n < 12; n++) {
        char text[100];
        snprintf(text, sizeof text, "hbfn/%u $t $t", n);
        assert_int_equal(accepted(text), n >= 6 && n <= 9);
        snprintf(text, sizeof text, "hbfe/%u/ll1100 $t $t", n);
        assert_int_equal(accepted(text), n >= 6 && n <= 9);
    }
    assert_false(accepted("dbfn/9 $t $t"));
    assert_false(accepted("dbfe $t $t"));
}

/* --- MAU -------------------------------------------------------------------------------------- */

static void mau_opcodes(void **unused)
{
    (void)unused;
    struct lang lang;
    const struct expr *expr = step_expr(lang_step(&lang, "dmfmadr $ly $t -$t $r0"), GROUP_MAU_CALC);
    assert_int_equal(expr->insn, INSN_MFMA);
    assert_int_equal(expr->prec, PREC_D);
    assert_true(expr->lower && expr->reduce && expr->in_count == 3 && expr->out_count == 1);
    assert_int_equal(expr->in[0].mem, MEM_Y);
    assert_int_equal(expr->in[2].flags, OPERAND_NEGATE);
    lang_close(&lang);
}

/* 3.6.9.22 to .24: port, modifier, legal. */
static void modifiers(void **unused)
{
    (void)unused;
}

/* --- immediates (3.2.2) ----------------------------------------------------------------------- */

static void immediates(void **unused)
{
    (void)unused;
    static const struct {
        const char *literal;
        uint32_t word;
    } cases[] = {
        {"f\"-1.0\"", 0xbf800000},
        {"f\"1.5\"", 0x3fc00000},
        {"f\"8388608\"", 0x4b000000},
        {"f\"1e-1\"", 0x3dcccccd},
        {"f\"0x1p-3\"", 0x3e000000},
        {"f\"inf\"", 0x7f800000},
        {"f\"-inf\"", 0xff800000},
        {"f\"-0\"", 0x80000000},
        {"f\"+2\"", 0x40000000},
        {"f\".5\"", 0x3f000000},
        /* half: 1 + 6 + 9 bits, bias 31, nearest even */
        {"h\"1.0\"", 0x3e003e00},
        {"h\"1.5\"", 0x3f003f00},
        {"h\"-2\"", 0xc000c000},
        {"h\"0\"", 0x00000000},
        {"h\"1.0009765625\"", 0x3e003e00},  /* 1 + 2^-10: tie, to even */
        {"h\"1.0029296875\"", 0x3e023e02},  /* 1 + 3 * 2^-10: tie, to even */
        {"h\"1.001953125\"", 0x3e013e01},   /* 1 + 2^-9 */
        {"h\"1.00097656251\"", 0x3e003e00}, /* float rounds it to the tie first */
        {"h\"1.00097668\"", 0x3e013e01},    /* the next float above the tie */
        {"h\"4290772992\"", 0x7dff7dff},    /* (2 - 2^-9) * 2^31, the largest */
        {"h\"inf\"", 0x7e007e00},
        {"h\"-inf\"", 0xfe00fe00},
        {"h\"9.313225746154785e-10\"", 0x02000200}, /* 2^-30, the smallest */
        {"h\"4.6566e-10\"", 0x00000000},            /* 2^-31 underflows to zero */
        {"h\"-4.6566e-10\"", 0x80008000},
        /* (2 - 2^-10) * 2^-31 rounds up to 2^-30 before the range is checked */
        {"h\"9.308678091e-10\"", 0x02000200},
        {"i\"0\"", 0},
        {"i\"-1\"", 0xffffffff},
        {"i\"+7\"", 7},
        {"i\"0x7fffffff\"", 0x7fffffff},
        {"i\"-2147483648\"", 0x80000000},
        {"i\"-0x80000000\"", 0x80000000},
        {"i\"0b101\"", 5},
        {"i\"0o17\"", 15},
        {"i\"010\"", 10},
        {"ui\"4294967295\"", 0xffffffff},
        {"s\"1\"", 0x00010001},
        {"s\"-1\"", 0xffffffff},
        {"s\"-32768\"", 0x80008000},
        {"s\"32767\"", 0x7fff7fff},
        {"us\"0x8000\"", 0x80008000},
        {"us\"65535\"", 0xffffffff},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "imm %s $nowrite", cases[i].literal);
        struct lang lang;
        const struct expr *expr = step_expr(lang_step(&lang, text), GROUP_ALU);
        if (expr->imm != cases[i].word)
            fail_msg("%s: 0x%08x", text, expr->imm);
        assert_int_equal(expr->in_count, 0);
        assert_int_equal(expr->out_count, 1);
        lang_close(&lang);
    }
    struct lang lang;
    assert_true(step_expr(lang_step(&lang, "immu s\"1\" $lr0"), GROUP_ALU)->uns);
    lang_close(&lang);
}

/* --- steps ------------------------------------------------------------------------------------ */

static void steps(void **unused)
{
    (void)unused;
    struct lang lang;
    const struct step *step = lang_step(&lang, "nop/24; wait i3F");
    assert_int_equal(step->nops, 24);
    assert_int_equal(step->wait, 0x3f);
    assert_true(step->noforward);
    lang_close(&lang);
    step = lang_step(&lang, "noforward; l2bmdarw");
    assert_true(step->noforward && step->darw && step->nops == 0);
    lang_close(&lang);
    step = lang_step(&lang, "linc/$llimr9 $t $llr0v/$llimr9");
    assert_int_equal(step->mask_entry, 9);
    assert_true(step->mask_wide && step_expr(step, GROUP_ALU)->flush);
    assert_int_equal(expr_out(step_expr(step, GROUP_ALU), 0)->flags & OPERAND_MASKED,
                     OPERAND_MASKED);
    lang_close(&lang);
    step = lang_step(&lang, "linc $t $lr0v/1000");
    assert_int_equal(step->mask_entry, 24); /* the first cycle is the highest bit */
    assert_false(step->mask_wide || step_expr(step, GROUP_ALU)->flush);
    lang_close(&lang);
    step = lang_step(&lang, "  linc $t $lr0v;\tfvpassa/1000 $t $ls0v");
    struct text_place place;
    place = mncore2_program_place(&lang.program, 0, &step_expr(step, GROUP_ALU)->in[0]);
    assert_int_equal(place.column, 8);
    assert_int_equal(place.length, 2);
    place = mncore2_program_place(&lang.program, 0, expr_out(step_expr(step, GROUP_MAU_CALC), 0));
    assert_int_equal(place.column, 34);
    assert_int_equal(place.length, 5);
    lang_close(&lang);
    /* Under a mask line, behind a byte order mark, before a comment, with a warning. */
    step = lang_step(&lang, "\xef\xbb\xbfmaskr 1\n nop\n\tlpassa $lm4098v $lr0v $ln0v # $lm0");
    const struct expr *pass =
        step_expr(lang.program.stmts[lang.program.items[1].stmt].step, GROUP_ALU);
    static const uint32_t columns[] = {9, 18, 24};
    assert_int_equal(pass->in_count + pass->out_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        place = mncore2_program_place(&lang.program, 1, &pass->in[i]);
        assert_int_equal(place.column, columns[i]);
        assert_int_equal(place.length, i == 0 ? 8 : 5);
    }
    lang_close(&lang);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alu_opcodes), cmocka_unit_test(alu_decoding),
        cmocka_unit_test(mau_opcodes), cmocka_unit_test(modifiers),
        cmocka_unit_test(immediates),  cmocka_unit_test(steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
