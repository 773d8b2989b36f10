/* Operands of PE expressions (manual 3.6.1, 3.6.2.1): every form in every position, and what each
 * form decodes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/lang_help.h"

enum position {
    ALU_FIRST,
    ALU_SECOND,
    MAU_FIRST,
    MAU_ADDEND,
    VECTOR,
    MATRIX,
    MWRITE_IN,
    MWRITE_OUT,
    MREAD_IN,
    MREAD_OUT,
    ALU_OUT,
    MAU_OUT,
    UP_IN,
    UP_OUT,
    DOWN_IN,
    DOWN_OUT,
    L2_IN,
    L2_OUT,
    DARS_IN,
    DARS_OUT,
    POSITIONS
};

static const char *const frames[POSITIONS] = {
    [ALU_FIRST] = "iadd %s $t $nowrite",
    [ALU_SECOND] = "iadd $t %s $nowrite",
    [MAU_FIRST] = "fvfma %s $t $t $nowrite",
    [MAU_ADDEND] = "fvfma $t $t %s $nowrite",
    [VECTOR] = "fmfma $lx %s $t $nowrite",
    [MATRIX] = "fmfma %s $t $t $nowrite",
    [MWRITE_IN] = "fmwrite %s $lx0",
    [MWRITE_OUT] = "fmwrite $t %s",
    [MREAD_IN] = "fmread %s $t",
    [MREAD_OUT] = "fmread $lx0 %s",
    [ALU_OUT] = "ipassa $aluf %s",
    [MAU_OUT] = "fvpassa $mauf %s",
    [UP_IN] = "l1bmm@0 %s $lb0",
    [UP_OUT] = "l1bmm@0 $t %s",
    [DOWN_IN] = "l1bmm %s $llr0v",
    [DOWN_OUT] = "l1bmm $lb0 %s",
    [L2_IN] = "l2bmb %s $lb0",
    [L2_OUT] = "l2bmb $lc0 %s",
    [DARS_IN] = "l2bmdars %s $dar0",
    [DARS_OUT] = "l2bmdars $lc0@.0 %s",
};

#define AT(position) (1u << (position))
#define MAU_INS      (AT(MAU_FIRST) | AT(MAU_ADDEND))
#define ALU_INS      (AT(ALU_FIRST) | AT(ALU_SECOND))
#define INS          (ALU_INS | MAU_INS | AT(VECTOR) | AT(MWRITE_IN) | AT(UP_IN))
#define OUTS         (AT(MREAD_OUT) | AT(ALU_OUT) | AT(MAU_OUT) | AT(DOWN_OUT))

static const struct {
    const char *text;
    unsigned legal;
} forms[] = {
    /* 3.6.1.6, 3.6.1.8: LM */
    {"$m8", INS | OUTS},
    {"$m9", INS | OUTS},
    {"$m8v", INS | OUTS},
    {"$m8v3", INS | OUTS},
    {"$m8j2", INS | OUTS},
    {"$m8v2j3", INS | OUTS},
    {"$lm8v", INS | OUTS},
    {"$lm0x10v", INS | OUTS},
    {"$lm0b100v", INS | OUTS},
    {"$lm0o10v", INS | OUTS},
    {"$llm8v", INS | OUTS},
    {"$llm8v8j0", INS | OUTS},
    {"$lm[0,2,4,6]", INS | OUTS},
    {"$lm[0, 4, 10, 14]", INS | OUTS},
    {"$m[0,1,2,0xff]", INS | OUTS},
    {"$lm[0,2,4,6]j1", INS | OUTS},
    {"$mt", INS | OUTS},
    {"$lmt", INS | OUTS},
    {"$lmt8", INS | OUTS},
    {"$lmt8v", INS | OUTS},
    {"$llmt[0,4,8,12]", INS | OUTS},
    {"$n8v", INS | OUTS},
    {"$ln8vj3", INS | OUTS},
    {"$lln[0,4,8,12]j0", INS | OUTS},
    /* 3.6.1.10, 3.6.1.11: GRF */
    {"$r511", INS | OUTS},
    {"$lr8v", INS | OUTS},
    {"$llr508", INS | OUTS},
    {"$r[0,1,2,3]", INS | OUTS},
    {"$s8v4", INS | OUTS},
    {"$ls8v", INS | OUTS},
    {"$lls8v", INS | OUTS},
    /* 3.6.1.12: T, whose length is ignored */
    {"$t", INS | OUTS},
    {"$lt", INS | OUTS},
    {"$llt", INS | OUTS},
    /* 3.6.9.22, .23: sign and extension, on MAU inputs; a product's vector takes the sign only */
    {"-$lr8v", MAU_INS | AT(VECTOR) | AT(MWRITE_IN)},
    {"-$lm[0,2,4,6]", MAU_INS | AT(VECTOR) | AT(MWRITE_IN)},
    {"-$mauf", MAU_INS | AT(VECTOR) | AT(MWRITE_IN)},
    {"$r8ve", MAU_INS | AT(MWRITE_IN)},
    {"-$m8vj1e", MAU_INS | AT(MWRITE_IN)},
    {"$te", MAU_INS | AT(MWRITE_IN)},
    {"$alufe", MAU_INS | AT(MWRITE_IN)},
    {"$r[0,1,2,3]e", MAU_INS | AT(MWRITE_IN)},
    /* 3.6.12.19: reduction, on ALU inputs (single precision MAU inputs take none) */
    {"$llr8vr", AT(ALU_FIRST) | AT(ALU_SECOND)},
    {"$tr", AT(ALU_FIRST) | AT(ALU_SECOND)},
    {"$maufr", AT(ALU_FIRST) | AT(ALU_SECOND)},
    /* 3.6.1.15 to .18: forwarding */
    {"$mauf", INS},
    {"$aluf", INS},
    {"$lbf", INS},
    {"$mreadf", AT(ALU_FIRST)},
    /* 3.6.1.20 */
    {"$l2bid", AT(ALU_FIRST)},
    {"$l1bid", AT(ALU_FIRST)},
    {"$mabid", AT(ALU_FIRST)},
    {"$peid", AT(ALU_FIRST)},
    {"$subpeid", AT(ALU_FIRST)},
    {"$msb1", AT(ALU_FIRST)},
    /* outputs: 3.6.1.7, .9, .13, .19 */
    {"$mb", OUTS},
    {"$lmb", OUTS},
    {"$nb", OUTS},
    {"$lnb", OUTS},
    {"$omr1", AT(ALU_OUT) | AT(MAU_OUT)},
    {"$omr15", AT(ALU_OUT) | AT(MAU_OUT)},
    {"$nowrite", OUTS},
    /* masks: 3.6.2.1 */
    {"$lr8v/1100", OUTS},
    {"$lr8v/$imr3", OUTS},
    {"$llr8v/ll1100", OUTS},
    {"$llr8v/$llimr15", OUTS},
    {"$llr8v/1100p", OUTS},
    {"$lr8v/ll1100t", OUTS},
    {"$r8v/$llimr2t", OUTS},
    {"$lm8vj1/0001", OUTS},
    {"$lm[0,2,4,6]/0001", OUTS},
    {"$mt/0001", OUTS},
    {"$t/1000", OUTS},
    {"$t/1000p", OUTS},
    {"$t/ll1000", OUTS},
    {"$mb/1111", OUTS},
    {"$lnb/$llimr1t", OUTS},
    {"$omr2/0011", AT(ALU_OUT) | AT(MAU_OUT)},
    {"$omr2/ll0011", AT(ALU_OUT) | AT(MAU_OUT)},
    {"$omr2/$imr2", AT(ALU_OUT) | AT(MAU_OUT)},
    /* L1BM, L2BM, DAR, matrix registers */
    {"$lb0", AT(UP_OUT) | AT(DOWN_IN) | AT(L2_OUT)},
    {"$llb0", AT(UP_OUT) | AT(DOWN_IN)},
    {"$lbi", AT(UP_OUT) | AT(DOWN_IN)},
    {"$llbi", AT(UP_OUT) | AT(DOWN_IN)},
    {"$lc0", AT(L2_IN)},
    {"$lc64@.1", AT(DARS_IN)},
    {"$dar1023", AT(DARS_OUT)},
    {"$lx", AT(MATRIX)},
    {"$ly", AT(MATRIX)},
    {"$lx0", AT(MWRITE_OUT) | AT(MREAD_IN)},
    {"$ly7", AT(MWRITE_OUT) | AT(MREAD_IN)},
    /* nowhere */
    {"$m", 0},
    {"$1m0v", 0},
    {"$11m0v", 0},
    {"lm0v", 0},
    {"$lm0w", 0},
    {"$lm0v v", 0},
    {"$lm1v", 0},
    {"$llm2v", 0},
    {"$lm0v3", 0},
    {"$llm0v2", 0},
    {"$lm0j4", 0},
    {"$lmt0j1", 0},
    {"$lmtv", 0},
    {"$lnt", 0},
    {"$lm[0,2,4]", 0},
    {"$lm[0,2,4,6,8]", 0},
    {"$lm[0,2,4,7]", 0},
    {"$lm[0,2,4,6]v", 0},
    {"$lm0v[0,2,4,6]", 0},
    {"$r512", 0},
    {"$r0v512", 0},
    {"$r[0,1,2,512]", 0},
    {"$lr1v", 0},
    {"$lr0j1", 0},
    {"$lr0t", 0},
    {"$lr99999999999999999999", 0},
    {"$t0", 0},
    {"$lllr0", 0},
    {"$llmb", 0},
    {"$mauf0", 0},
    {"$lmauf", 0},
    {"$omr", 0},
    {"$omr0", 0},
    {"$omr16", 0},
    {"$lomr1", 0},
    {"$nowrite/1111", 0},
    {"$subpeidr", 0},
    {"$lr0ve/1100", 0},
    {"$llr8v/1100", 0},
    {"$lr8v/ll1100", 0},
    {"$lr8v/1100t", 0},
    {"$lr8v/1100p", 0},
    {"$llr8v/ll1100p", 0},
    {"$llr8v/ll1100t", 0},
    {"$t/ll1000t", 0},
    {"$lr8v/110", 0},
    {"$lr8v/11001", 0},
    {"$lr8v/111100", 0},
    {"$lr8v/l1100", 0},
    {"$lr8v/1200", 0},
    {"$lr8v/", 0},
    {"$lr8v/$imr0", 0},
    {"$lr8v/$imr16", 0},
    {"$lr8v/$limr1", 0},
    {"$lr8v/imr1", 0},
    {"$lr8v/1100x", 0},
    {"$lb", 0},
    {"$b0", 0},
    {"$lb8192", 0},
    {"$lc32768", 0},
    {"$llc0", 0},
    {"$lc0@.2", 0},
    {"$lc0@0.1", 0},
    {"$dar1024", 0},
    {"$x", 0},
    {"$llx0", 0}, /* two rows a cycle: half precision only */
    {"-$lx", 0},
    {"--$lr0", 0},
    {"$", 0},
    {"-", 0},
};

static void every_form_in_every_position(void **unused)
{
    (void)unused;
    unsigned wrong = 0;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        for (unsigned position = 0; position < POSITIONS; position++) {
            char text[200];
            snprintf(text, sizeof text, frames[position], forms[f].text);
            struct lang lang;
            lang_open(&lang, text);
            const bool legal = (forms[f].legal & AT(position)) != 0;
            if ((lang.result == 0) != legal) {
                fprintf(stderr, "should be %s: %s\n", legal ? "legal" : "refused", text);
                diag_print(&lang.diags, &lang.source, 1, stderr, false);
                wrong++;
            }
            lang_close(&lang);
        }
    }
    assert_int_equal(wrong, 0);
}

/* What follows is decoded from "lpassa IN OUT": address of each cycle by the formula of 3.6.1.6. */
static void addresses_of_each_cycle(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint8_t mem, words;
        uint16_t flags;
        int8_t j;
        uint32_t addr[CYCLES];
    } cases[] = {
        {"$m3", MEM_LM0, 1, 0, -1, {3, 3, 3, 3}},
        {"$m3v", MEM_LM0, 1, OPERAND_STRIDE, -1, {3, 4, 5, 6}},
        {"$lm4v", MEM_LM0, 2, OPERAND_STRIDE, -1, {4, 6, 8, 10}},
        {"$llm4v", MEM_LM0, 4, OPERAND_STRIDE, -1, {4, 8, 12, 16}},
        {"$lm4v8", MEM_LM0, 2, OPERAND_STRIDE, -1, {4, 12, 20, 28}},
        {"$m0v4", MEM_LM0, 1, OPERAND_STRIDE, -1, {0, 4, 8, 12}},
        {"$lm4094v", MEM_LM0, 2, OPERAND_STRIDE, -1, {4094, 0, 2, 4}},
        {"$ln0v2048", MEM_LM1, 2, OPERAND_STRIDE, -1, {0, 2048, 0, 2048}},
        {"$lr508v", MEM_GRF0, 2, OPERAND_STRIDE, -1, {508, 510, 0, 2}},
        {"$lls500v4", MEM_GRF1, 4, OPERAND_STRIDE, -1, {500, 504, 508, 0}},
        {"$lr[8,2,510,0x10]", MEM_GRF0, 2, OPERAND_FLAT, -1, {8, 2, 510, 16}},
        {"$lm0vj2", MEM_LM0, 2, OPERAND_STRIDE, 2, {0, 2, 4, 6}},
        {"$lmt", MEM_LM0, 2, OPERAND_T, -1, {0, 0, 0, 0}},
        {"$mt7v", MEM_LM0, 1, OPERAND_T | OPERAND_STRIDE, -1, {7, 8, 9, 10}},
        {"$lmt[2,4,8,16]", MEM_LM0, 2, OPERAND_T | OPERAND_FLAT, -1, {2, 4, 8, 16}},
        {"$t", MEM_T, 4, 0, -1, {0}},
        {"$lt", MEM_T, 4, 0, -1, {0}},
        {"$aluf", MEM_ALUF, 4, 0, -1, {0}},
        {"$llr4r", MEM_GRF0, 4, OPERAND_REDUCE, -1, {4, 4, 4, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "ipassa %s $nowrite", cases[i].text);
        struct lang lang;
        const struct step *step = lang_step(&lang, text);
        const struct operand *in = &step_expr(step, GROUP_ALU)->in[0];
        assert_int_equal(in->mem, cases[i].mem);
        assert_int_equal(in->words, cases[i].words);
        assert_int_equal(in->flags, cases[i].flags);
        assert_int_equal(in->j, cases[i].j);
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            assert_int_equal(in->addr[cycle], cases[i].addr[cycle]);
        const struct text_place place = mncore2_program_place(&lang.program, 0, in);
        assert_int_equal(place.column, 8);
        assert_int_equal(place.length, strlen(cases[i].text));
        assert_int_equal(step->needs_flat, strchr(cases[i].text, '[') != NULL);
        lang_close(&lang);
    }
}

static void wrapping_is_warned_about(void **unused)
{
    (void)unused;
    struct lang lang;
    const struct step *step = lang_step(&lang, "lpassa $lm4098v $nowrite");
    assert_int_equal(step_expr(step, GROUP_ALU)->in[0].addr[0], 2);
    lang_close(&lang);
    step = lang_step(&lang, "dmwrite $lr0v $lx6");
    const uint32_t rows[CYCLES] = {2, 3, 0, 1};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        assert_int_equal(expr_out(step_expr(step, GROUP_MAU_MWRITE), 0)->addr[cycle], rows[cycle]);
    lang_close(&lang);
    step = lang_step(&lang, "hmread $lly12 $llr0v");
    const uint32_t columns[CYCLES] = {12, 14, 0, 2};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        assert_int_equal(step_expr(step, GROUP_MAU_MREAD)->in[0].addr[cycle], columns[cycle]);
    assert_int_equal(step_expr(step, GROUP_MAU_MREAD)->in[0].words, 4);
    lang_close(&lang);
}

/* What an operand means, and what is wrong with it or with the expression around it, does not
 * depend on what was read before. */
static void read_again(void **unused)
{
    (void)unused;
    static const char *const operands[] = {
        "$lm8v",
        "$lm8v4",
        "$llm8v4",
        "$lm4098v",
        "$lm9v",
        "$ln[0,2,4,6]",
        "$lr0v8r",
        "$llr0ve",
        "-$ls8v",
        "$lm0vj2",
        "$lmt",
        "$lmt8v",
        "$t",
        "$lt",
        "$aluf",
        "$mauf",
        "$peid",
        "$lx",
        "$ly3",
        "$lx4294967299",
        "$lb64",
        "$llb64",
        "$lbi",
        "$lc64@.1",
        "$lc64",
        "$omr3",
        "$omr16",
        "$mb",
        "$lnb",
        "$nowrite",
        "$lr0v/1100",
        "$lr0v/$imr3",
        "$llr0v/ll1100",
        "$llr0v/1100p",
        "$lr0v/ll1100t",
        "$lr0v/110",
        "$lm00000000008v",
        "$lm000000000008v",
        "$lm0000000000008v",
        "$1m8v",
        "$lmx",
        "$lm[0, 2, 4, 6]",
        "$lr0x10v",
        "$lr512v",
        "$msb1",
        "$subpeid",
        "lm8v",
        "$",
    };
    /* Expressions that the operand stands in: as the first input, the second, and the output. */
    static const char *const within[] = {"ladd %s $ls64v $nowrite", "fvadd $ls64v %s $nowrite",
                                         "lpassa $ls64v %s",        "l1bmm@0 %s $lb0",
                                         "l1bmm %s $nowrite",       "l2bmdars %s $dar0",
                                         "fmwrite $lr64v %s",       "dmmulu %s $lr64v $nowrite",
                                         "l1bmp %s $ls8v",          "l1bmm %s $llm8v",
                                         "l1bmd %s $ls8v",          "l1bmm@0 $ls8v %s",
                                         "fmread %s $nowrite",      "hfmad %s $lr8v $mauf $t",
                                         "fvpassa %s $lr8v $ln8v"};
    enum {
        FORMS = sizeof within / sizeof within[0],
        OPERANDS = sizeof operands / sizeof operands[0],
        LINES = 2 * FORMS * OPERANDS,
        LINE = 100
    };
    /* All in one program: each operand in all places, then each place with all operands. */
    char(*lines)[LINE] = calloc(LINES, sizeof *lines);
    char *all = calloc(LINES + 1, LINE), *at = all;
    assert_true(lines != NULL && all != NULL);
    for (size_t k = 0; k < LINES; k++) {
        const bool again = k >= LINES / 2;
        const size_t i = k % (LINES / 2);
        char text[LINE - 2];
        snprintf(text, sizeof text, within[again ? i / OPERANDS : i % FORMS],
                 operands[again ? i % OPERANDS : i / FORMS]);
        snprintf(lines[k], sizeof lines[k], "%s%s", again ? " " : "", text);
        at += sprintf(at, "%s\n", lines[k]);
    }
    sprintf(at, "nop/99999999999"); /* nothing may be read behind the text's end */
    struct lang lang;
    lang_open(&lang, all);
    size_t item = 0, finding = 0;
    for (size_t k = 0; k < LINES; k++) {
        struct lang alone;
        lang_open(&alone, lines[k]);
        for (size_t d = 0; d < alone.diags.count; d++, finding++) {
            const struct diag *a = &alone.diags.items[d], *b = &lang.diags.items[finding];
            assert_true(finding < lang.diags.count);
            assert_int_equal(b->line, k + 1);
            assert_int_equal(a->column, b->column);
            assert_int_equal(a->length, b->length);
            assert_string_equal(a->rule, b->rule);
            assert_string_equal(a->message, b->message);
        }
        if (alone.program.item_count != 0) {
            assert_int_equal(lang.program.items[item].line, k + 1);
            assert_true(lang_same(&alone.program, &alone.program.stmts[0], &lang.program,
                                  &lang.program.stmts[lang.program.items[item].stmt]));
            item++;
        }
        lang_close(&alone);
    }
    assert_int_equal(item + 1, lang.program.item_count); /* the refused nop takes a step */
    assert_int_equal(finding + 1, lang.diags.count);
    lang_close(&lang);
    free(lines);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_in_every_position),
        cmocka_unit_test(addresses_of_each_cycle),
        cmocka_unit_test(wrapping_is_warned_about),
        cmocka_unit_test(read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
