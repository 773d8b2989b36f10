/*
 * The printer: printing then parsing gives the same statement, and the printed text prints as
 * itself (one spelling for each meaning). Shown on every opcode of the rows, on statements of all
 * kinds, and on random legal programs; damaged programs never do more than produce findings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/parse.h"
#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/mncore2/lang_help.h"

/* Print every item, parse the result, compare. */
static void round_trip(const char *text, size_t size)
{
    struct lang before, after;
    lang_open_bytes(&before, text, size);
    if (before.result != 0) {
        diag_print(&before.diags, &before.source, 1, stderr, false);
        fail_msg("not legal: %.*s", (int)size, text);
    }
    char *printed = NULL;
    size_t printed_size = 0;
    FILE *out = open_memstream(&printed, &printed_size);
    assert_non_null(out);
    for (size_t i = 0; i < before.program.item_count; i++) {
        const struct stmt *stmt = &before.program.stmts[before.program.items[i].stmt];
        const int length = mncore2_stmt_print(&before.program, stmt, NULL, 0);
        assert_true(length > 0);
        char *line = malloc((size_t)length + 1);
        assert_non_null(line);
        assert_int_equal(mncore2_stmt_print(&before.program, stmt, line, (size_t)length + 1),
                         length);
        assert_int_equal(strlen(line), (size_t)length);
        fprintf(out, "%s\n", line);
        free(line);
    }
    fclose(out);
    lang_open_bytes(&after, printed, printed_size);
    if (after.result != 0)
        diag_print(&after.diags, &after.source, 1, stderr, false);
    assert_int_equal(after.result, 0);
    assert_int_equal(after.program.item_count, before.program.item_count);
    for (size_t i = 0; i < before.program.item_count; i++) {
        const struct stmt *x = &before.program.stmts[before.program.items[i].stmt];
        const struct stmt *y = &after.program.stmts[after.program.items[i].stmt];
        size_t length, again;
        const char *line = mncore2_program_line(&before.program, i, &length);
        const char *print = mncore2_program_line(&after.program, i, &again);
        if (!lang_same(&before.program, x, &after.program, y))
            fail_msg("%.*s\nprints as another statement\n%.*s", (int)length, line, (int)again,
                     print);
        char *third = malloc(again + 1);
        assert_non_null(third);
        mncore2_stmt_print(&after.program, y, third, again + 1);
        if (strlen(third) != again || memcmp(third, print, again) != 0)
            fail_msg("%.*s\nprints differently the second time\n%s", (int)again, print, third);
        free(third);
    }
    free(printed);
    lang_close(&before);
    lang_close(&after);
}

static void every_opcode(void **unused)
{
    (void)unused;
    size_t count;
    const struct opcode *all = mncore2_opcode_all(&count);
    assert_true(count > 300);
    for (size_t i = 0; i < count; i++) {
        const struct opcode *opcode = &all[i];
        for (size_t k = i + 1; k < count; k++)
            if (strcmp(opcode->name, all[k].name) == 0)
                fail_msg("%s means two things", opcode->name);
        if (opcode->kind == OPCODE_MVNOP)
            continue;
        const char *suffix = "", *operands = "";
        char inputs[40] = "";
        if (opcode->kind == OPCODE_MV) {
            suffix = "/n64";
            operands = opcode->base == BASE_MVP   ? "$p0@0 $d0@0"
                       : opcode->rrn != 0         ? "$lc0 $d0"
                       : opcode->base == BASE_MVD ? "$p0@0 $lc0"
                                                  : "$d0 $lc0";
        } else if (mncore2_insns[opcode->insn].group == GROUP_ALU) {
            if (opcode->prec == PREC_H && (opcode->insn == INSN_BFN || opcode->insn == INSN_BFE))
                suffix = "/7";
            snprintf(inputs, sizeof inputs, "%s%s", opcode->insn == INSN_IMM ? "f\"2\" " : "",
                     (const char *const[]){"", "$lm0v ",
                                           "$lm0v $lr0v "}[mncore2_insns[opcode->insn].inputs]);
            operands = "$ls0v/$imr1 $omr2/$imr1";
        } else {
            switch (mncore2_insns[opcode->insn].group) {
            case GROUP_MAU_CALC:
                snprintf(inputs, sizeof inputs, "%s ",
                         opcode->insn == INSN_MFMA                 ? "$ly $lm0v -$t"
                         : opcode->insn == INSN_MMUL               ? "$ly $lm0v"
                         : mncore2_insns[opcode->insn].inputs == 3 ? "$lm0v -$lr0v $t"
                         : mncore2_insns[opcode->insn].inputs == 2 ? "$lm0v -$lr0v"
                                                                   : "-$lm0v");
                operands = "$ls0v $omr2";
                break;
            case GROUP_MAU_MWRITE:
                operands = "-$lr0v $lx1";
                break;
            case GROUP_MAU_MREAD:
                operands = opcode->prec == PREC_H ? "$llx2 $t" : "$lx1 $lr0v";
                break;
            case GROUP_L1BM:
                operands = opcode->rrn != 0 ? "$lr0v $lb64" : "$lb64 $lr0v $lm0v";
                break;
            case GROUP_L2BM:
                suffix = opcode->insn == INSN_L2BM || opcode->insn == INSN_L2BMI ? "@3" : "";
                operands = opcode->insn == INSN_L2BMDARS                   ? "$lc64@.1 $dar5"
                           : opcode->insn == INSN_L2BMI                    ? "$lb64 $lb0"
                           : opcode->rrn != 0 || opcode->insn == INSN_L2BM ? "$lb64 $lc64"
                                                                           : "$lc64 $lb64";
                break;
            default:
                operands = opcode->insn == INSN_WAIT ? "i2a; nop" : "";
            }
        }
        char text[200];
        snprintf(text, sizeof text, "%s%s %s%s", opcode->name, suffix, inputs, operands);
        round_trip(text, strlen(text));
    }
}

static void spellings(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *canonical;
    } cases[] = {
        {"nop/1", "nop"},
        {"nop/0x10;wait iAb;", "nop/16; wait iab"},
        {"wait i01; linc $lt $llt", "linc $t $t; wait i01"},
        {"lpassa $lm0x10v2 $lr0v0", "lpassa $lm16v $lr0"},
        {"lpassa $lm4097v4100 $r0", NULL}, /* misaligned: not legal */
        {"lpassa $m4097v4100 $r0", "lpassa $m1v4 $r0"},
        {"hrelu0 $t $t $t", "hrelu $t $t $t"},
        {"hlrelo $t $t $t", "hlrelu0 $t $t $t"},
        {"imm s\"-1\" $t", "imm ui\"0xffffffff\" $t"},
        {"immu f\"1.0\" $t", "immu ui\"0x3f800000\" $t"},
        {"l2bmb@[3,1] $lc0 $lb0", "l2bmb@1/2 $lc0 $lb0"},
        {"l2bmb@3/2 $lc0 $lb0", "l2bmb@1/2 $lc0 $lb0"},
        {"l2bmb@0/7 $lc0 $lb0", "l2bmb $lc0 $lb0"},
        {"l2bmi@5/0 $lb0 $lb0", "l2bmi@5 $lb0 $lb0"},
        {"l1bmd+0 $lb0 $lr0", "l1bmd $lb0 $lr0"},
        {"lpassa $lmt0 $t/1000p", "lpassa $lmt $t/1000"},
        {"lpassa $lm[0, 2,4 ,6] $t", "lpassa $lm[0,2,4,6] $t"},
        {"lpassa $m0v4j3 $n0j0", "lpassa $m0v4j3 $n0j0"},
        {"mvp/i00p0n0x40 $p0@0 $d0@0", "mvp/n64 $p0@0 $d0@0"},
        {"mvp/p1iFFnd2n64 $p0@0 $di3@0", "mvp/n64nd2iffp1 $p0@0 $di3@0"},
        {"maskr 0b10001\nlpassa $t $llr0 $ls0", "lpassa $t $llr0/0001p $ls0"},
        {"maskllrk 3\nlpassa $t $lr0 $omr1", "lpassa $t $lr0/$llimr3t $omr1/$llimr3"},
        {"maskr 0\nlpassa $t $lr0", "lpassa $t $lr0"},
        {"d get $tn0p1 3", "d get $ltn0p1 3"},
        {"d get $lm00b1 1", "d get $lm00b1 1"},
        {"d set $lm0 2 LABC", NULL},
        {"d set $lm0 2 labcs1_2", "d set $lm0 2 0000000000000abc0000000100000002"},
        {"r 1 00000001F 001 0123456789ABCDEF", "r 1 00000001f 001 0123456789abcdef"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lang lang;
        lang_open(&lang, cases[i].text);
        if (cases[i].canonical == NULL) {
            assert_int_equal(lang.result, 1);
        } else {
            char text[200];
            assert_int_equal(lang.result, 0);
            mncore2_stmt_print(&lang.program, &lang.program.stmts[lang.program.items[0].stmt], text,
                               sizeof text);
            assert_string_equal(text, cases[i].canonical);
            round_trip(cases[i].text, strlen(cases[i].text));
        }
        lang_close(&lang);
    }
}

/* A buffer that is too small gets what fits and a NUL. */
static void short_buffer(void **unused)
{
    (void)unused;
    struct lang lang;
    lang_open(&lang, "lpassa $lm0v $lr0v");
    char text[8];
    memset(text, 'x', sizeof text);
    assert_int_equal(mncore2_stmt_print(&lang.program, &lang.program.stmts[0], text, 7), 18);
    assert_string_equal(text, "lpassa");
    assert_int_equal(text[7], 'x');
    lang_close(&lang);
}

static char *program_of(uint64_t seed, size_t *size)
{
    const struct gen_options options = {.features = GEN_ALL,
                                        .statements = 60,
                                        .tightness = (unsigned)(seed % 101),
                                        .sets = 4,
                                        .gets = 4};
    char *text = gen_program(seed, &options, size);
    assert_non_null(text);
    return text;
}

static void random_programs(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        size_t size;
        char *text = program_of(seed, &size);
        round_trip(text, size);
        free(text);
    }
}

/* One byte changed, removed or doubled: findings at most, and what is left still prints. */
static void random_mutations(void **unused)
{
    (void)unused;
    static const char bytes[] = "$lmnrstvjexyb/[],;@.+-_0123456789abcdefip\"# \n\t\x80\xff";
    struct dice dice = {1};
    unsigned refused = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        size_t size;
        char *text = program_of(seed + 5000, &size);
        char *copy = malloc(size + 1);
        assert_non_null(copy);
        for (unsigned round = 0; round < 20; round++) {
            size_t length = size;
            memcpy(copy, text, size);
            const size_t at = dice_below(&dice, size);
            const char byte = bytes[dice_below(&dice, sizeof bytes - 1)];
            switch (dice_below(&dice, 8)) {
            case 0:
                memmove(copy + at, copy + at + 1, size - at - 1);
                length--;
                break;
            case 1:
                memmove(copy + at + 1, copy + at, size - at);
                length++;
                break;
            default:
                copy[at] = byte;
            }
            struct lang lang;
            lang_open_bytes(&lang, copy, length);
            refused += lang.result != 0;
            char line[4000];
            for (size_t i = 0; i < lang.program.item_count; i++)
                assert_true(mncore2_stmt_print(&lang.program,
                                               &lang.program.stmts[lang.program.items[i].stmt],
                                               line, sizeof line) > 0);
            lang_close(&lang);
        }
        free(copy);
        free(text);
    }
    assert_true(refused > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_opcode),     cmocka_unit_test(spellings),
        cmocka_unit_test(short_buffer),     cmocka_unit_test(random_programs),
        cmocka_unit_test(random_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
