/* Lines that are no machine statement (manual 3.1, 3.4, 3.6.2.1): comments, quit, mask lines, d
 * get, d set, r and c lines; and what else stands around statements in real files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/mncore2/lang_help.h"

static size_t items(const char *text)
{
    struct lang lang;
    lang_open(&lang, text);
    assert_int_equal(lang.result, 0);
    const size_t count = lang.program.item_count;
    lang_close(&lang);
    return count;
}

static void lines(void **unused)
{
    (void)unused;
    assert_int_equal(items(""), 0);
    assert_int_equal(items("\n\n  \t\n"), 0);
    assert_int_equal(items("# comment"), 0);
    assert_int_equal(items("  # comment\n#\n#"), 0);
    assert_int_equal(items("nop"), 1);
    assert_int_equal(items("\xef\xbb\xbfnop\nnop"), 2);
    assert_int_equal(items("\xef\xbb\xbf# comment\nnop"), 1);
    assert_int_equal(items("\xef\xbb\xbf"), 0);
    assert_int_equal(items("nop\n"), 1);
    assert_int_equal(items("nop\r\nnop\r\n"), 2);
    assert_int_equal(items("\tnop # a ; b\nnop#c\n"), 2);
    assert_int_equal(items("nop\nquit\nrubbish\n"), 1);
    assert_int_equal(items("nop\nquit;\nrubbish\n"), 1);
    assert_int_equal(items("quit # end"), 0);
    assert_int_equal(items("mask 0\nmaskr 1\nnop\n"), 1);
    struct lang lang;
    lang_open(&lang, "# first\n\n  nop/2 # two\r\nlpassa $t $t\r\n  nop/2 # two\nnop/2");
    assert_int_equal(lang.program.item_count, 4);
    static const uint32_t at[] = {3, 4, 5, 6};
    static const char *const text[] = {"  nop/2 # two", "lpassa $t $t", "  nop/2 # two", "nop/2"};
    for (size_t i = 0; i < 4; i++) {
        size_t length;
        const char *line = mncore2_program_line(&lang.program, i, &length);
        assert_int_equal(length, strlen(text[i]));
        assert_memory_equal(line, text[i], length);
        assert_int_equal(lang.program.items[i].line, at[i]);
        assert_int_equal(mncore2_program_source(&lang.program, i), 0);
    }
    /* equal text is decoded once */
    assert_int_equal(lang.program.items[0].stmt, lang.program.items[2].stmt);
    lang_close(&lang);
}

static void several_sources(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"maskr 1\nnop\nlpassa $t $lr0\nquit\nnop", "",
                                        "lpassa $t $lr0\nd set $lr0 1 l1\n", "# nothing",
                                        "d set $lr2 1 l22\nnop"};
    struct source sources[5];
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(source_from_text(&sources[i], "x", texts[i], strlen(texts[i])), 0);
    struct diag_list diags;
    diag_list_init(&diags);
    struct program program;
    assert_int_equal(mncore2_program_parse(&program, sources, 5, &diags), 0);
    assert_int_equal(program.item_count, 6);
    static const uint32_t source[] = {0, 0, 2, 2, 4, 4};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(mncore2_program_source(&program, i), source[i]);
    assert_int_equal(program.source_first[1], 2);
    assert_int_equal(program.source_first[2], 2);
    assert_int_equal(program.source_first[5], 6);
    /* the mask mode ends with its source */
    const struct step *first = program.stmts[program.items[1].stmt].step;
    const struct step *second = program.stmts[program.items[2].stmt].step;
    assert_int_equal(first->mask_entry, 1);
    assert_int_equal(second->mask_entry, 0);
    size_t length;
    assert_memory_equal(mncore2_program_line(&program, 4, &length), "d set $lr2", 10);
    char text[100];
    mncore2_stmt_print(&program, &program.stmts[program.items[4].stmt], text, sizeof text);
    assert_string_equal(text, "d set $lr2 1 0000000000000022");
    mncore2_program_free(&program);
    diag_list_free(&diags);
    for (size_t i = 0; i < 5; i++)
        source_close(&sources[i]);
}

/* A statement's text is what stands between blanks and a comment, so moving or annotating it keeps
 * it. */
static void text_of_an_item(void **unused)
{
    (void)unused;
    static const char text[] = "\xef\xbb\xbf  nop # first\n\tlpassa  $lm0v $ln0v\t \r\nnop#";
    static const char *const expected[] = {"nop", "lpassa  $lm0v $ln0v", "nop"};
    struct source source;
    struct diag_list diags;
    struct program program;
    assert_int_equal(source_from_text(&source, "x", text, sizeof text - 1), 0);
    diag_list_init(&diags);
    assert_int_equal(mncore2_program_parse(&program, &source, 1, &diags), 0);
    assert_int_equal(program.item_count, 3);
    for (size_t i = 0; i < 3; i++) {
        size_t length;
        const char *at = mncore2_program_text(&program, i, &length);
        assert_int_equal(length, strlen(expected[i]));
        assert_memory_equal(at, expected[i], length);
    }
    mncore2_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
}

/* --- mask lines ------------------------------------------------------------------------------- */

static void mask_lines(void **unused)
{
    (void)unused;
    static const struct {
        const char *line;
        const char *masked; /* letters of the outputs that are masked */
        uint8_t entry;
        bool wide;
    } cases[] = {
        {"mask 0", "", 0, false},
        {"maskr 0", "", 0, false},
        {"mask 5", "", 0, false},
        {"maskr 5", "r", 5, false},
        {"maskrstmnk 31", "rstmnk", 31, false},
        {"maskknmtsr 31", "rstmnk", 31, false},
        {"masklr 0b10001", "r", 17, false},
        {"maskllsk 0x1f", "sk", 31, true},
        {"maskm 1", "m", 1, false},
        {"maskn 15;", "n", 15, false},
        {"maskt 16 # none", "t", 16, false},
    };
    static const struct {
        char letter;
        uint8_t mem;
    } letters[] = {{'r', MEM_GRF0}, {'s', MEM_GRF1}, {'t', MEM_T},    {'m', MEM_LM0},
                   {'n', MEM_LM1},  {'k', MEM_OMR},  {'m', MEM_BAR0}, {'n', MEM_BAR1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s\nlpassa $t $lr0 $ls0 $t $lm0 $ln0 $omr1 $mb $nb\n",
                 cases[i].line);
        struct lang lang;
        const struct step *step = lang_step(&lang, text);
        const struct expr *expr = step_expr(step, GROUP_ALU);
        assert_int_equal(expr->out_count, 8);
        for (unsigned k = 0; k < 8; k++) {
            for (size_t l = 0; l < 8; l++) {
                if (letters[l].mem != expr_out(expr, k)->mem)
                    continue;
                const bool masked = strchr(cases[i].masked, letters[l].letter) != NULL;
                assert_int_equal((expr_out(expr, k)->flags & OPERAND_MASKED) != 0, masked);
            }
        }
        assert_int_equal(step->mask_entry, cases[i].entry);
        assert_int_equal(step->mask_wide, cases[i].wide);
        lang_close(&lang);
    }
}

/* A mask on an output cancels the mask line for its step, and only for that. */
static void single_line_masks_cancel(void **unused)
{
    (void)unused;
    struct lang lang;
    lang_open(&lang, "maskr 3\n"
                     "lpassa $t $lr0 $ls0/1100\n"
                     "lpassa $t $lr0 $ls0\n"
                     "lpassa $t $ls0\n"
                     "lpassa $t $llr0\n"
                     "mask 0\n"
                     "lpassa $t $lr0 $ls0\n");
    assert_int_equal(lang.result, 0);
    const struct program *program = &lang.program;
    const struct step *step[5];
    for (size_t i = 0; i < 5; i++)
        step[i] = program->stmts[program->items[i].stmt].step;
    assert_int_equal(step[0]->mask_entry, 28);
    assert_int_equal(expr_out(step_expr(step[0], GROUP_ALU), 0)->flags & OPERAND_MASKED, 0);
    assert_int_not_equal(expr_out(step_expr(step[0], GROUP_ALU), 1)->flags & OPERAND_MASKED, 0);
    assert_int_equal(step[1]->mask_entry, 3);
    assert_int_not_equal(expr_out(step_expr(step[1], GROUP_ALU), 0)->flags & OPERAND_MASKED, 0);
    assert_int_equal(expr_out(step_expr(step[1], GROUP_ALU), 1)->flags & OPERAND_MASKED, 0);
    assert_int_equal(step[2]->mask_entry, 0); /* nothing masked in this step */
    assert_int_equal(step[3]->mask_entry, 3); /* t and p are not needed */
    assert_int_equal(step[4]->mask_entry, 0);
    assert_true(step[1] != step[4]);
    lang_close(&lang);
}

/* --- d get, d set ----------------------------------------------------------------------------- */

static void d_get(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint8_t mem, words;
        const char *dtype;
        int8_t where[5];
        uint64_t addr, count;
    } cases[] = {
        {"d get $lm0n0c0b0m0p0 1", MEM_LM0, 2, "", {0, 0, 0, 0, 0}, 0, 1},
        {"d get $lm0n0c0b0m0 1", MEM_LM0, 2, "", {0, 0, 0, 0, -1}, 0, 1},
        {"d get $lr2n3c1b7m15p3 9", MEM_GRF0, 2, "", {3, 1, 7, 15, 3}, 2, 9},
        {"d getf $m5 1", MEM_LM0, 1, "f", {-1, -1, -1, -1, -1}, 5, 1},
        {"d geth $lls4n1 1", MEM_GRF1, 4, "h", {1, -1, -1, -1, -1}, 4, 1},
        {"d getbh $lln4n1m2 1", MEM_LM1, 4, "bh", {1, -1, -1, 2, -1}, 4, 1},
        {"d getbf $lm0b3 1", MEM_LM0, 2, "bf", {-1, -1, 3, -1, -1}, 0, 1},
        {"d getbg $lm8b0 1", MEM_LM0, 2, "bg", {-1, -1, 0, -1, -1}, 8, 1},
        {"d getbd $lm8c1 1", MEM_LM0, 2, "bd", {-1, 1, -1, -1, -1}, 8, 1},
        {"d getd $lm0x10n0 2", MEM_LM0, 2, "d", {0, -1, -1, -1, -1}, 16, 2},
        {"d get $tn0c0b0m0p0 4", MEM_T, 2, "", {0, 0, 0, 0, 0}, 0, 4},
        {"d get $ltm3p1 9", MEM_T, 2, "", {-1, -1, -1, 3, 1}, 0, 9},
        {"d get $llt 4", MEM_T, 4, "", {-1, -1, -1, -1, -1}, 0, 4},
        {"d get $p100n1 4", MEM_PDM, 2, "", {1, -1, -1, -1, -1}, 100, 4},
        {"d get $p0n1c1b1m1p1 4", MEM_PDM, 2, "", {1, -1, -1, -1, -1}, 0, 4},
        {"d get $d536870911 1", MEM_DRAM, 2, "", {-1, -1, -1, -1, -1}, 536870911, 1},
        {"d get $lc5n1c1b3 4", MEM_L2BM, 2, "", {1, 1, -1, -1, -1}, 5, 4},
        {"d get $lb5n1c1b3m4 4", MEM_L1BM, 2, "", {1, 1, 3, -1, -1}, 5, 4},
        {"d get $llb5n1c1b3 4", MEM_L1BM, 4, "", {1, 1, 3, -1, -1}, 5, 4},
        {"d getf $lx0n0c0b0m0 8", MEM_X, 2, "f", {0, 0, 0, 0, -1}, 0, 8},
        {"d getbh $ly15n0m2p3 1", MEM_Y, 2, "bh", {0, -1, -1, 2, -1}, 15, 1},
        {"d get $omr1n0c0b0m0p0 2", MEM_OMR, 1, "", {0, 0, 0, 0, 0}, 1, 2},
        {"d\tget  $r511\t1 ; # x", MEM_NONE, 0, "", {0}, 0, 0},
        {"d\tgeth  $r511\t1 ; # x", MEM_GRF0, 1, "h", {-1, -1, -1, -1, -1}, 511, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lang lang;
        if (cases[i].mem == MEM_NONE) {
            lang_expect_error(cases[i].text, "3.4.3", "double precision");
            continue;
        }
        const struct debug *debug = lang_debug(&lang, cases[i].text);
        assert_int_equal(lang.diags.warnings, 0);
        assert_int_equal(debug->mem, cases[i].mem);
        assert_int_equal(debug->words, cases[i].words);
        assert_string_equal(debug->dtype, cases[i].dtype);
        const int8_t where[] = {debug->group, debug->l2b, debug->l1b, debug->mab, debug->pe};
        assert_memory_equal(where, cases[i].where, sizeof where);
        assert_int_equal(debug->addr, cases[i].addr);
        assert_int_equal(debug->count, cases[i].count);
        assert_int_equal(debug->payload_size, 0);
        lang_close(&lang);
    }
}

/* 3.4.3: addresses follow the operands of real statements. LM (3.6.1.6) and DRAM (3.5.2.2) wrap;
 * PDM, L2BM, L1BM, GRF (3.5.2.1, 3.5.2.3, 3.6.1.5, 3.6.1.10) cannot name an address beyond their
 * end. */
static void start_addresses_beyond_the_end(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        uint64_t addr; /* the last one of the memory, or where it wraps to */
        bool wraps;
    } cases[] = {
        {"d get $lm4094 1", 4094, false},
        {"d get $lm4096 1", 0, true},
        {"d getf $n4095 1", 4095, false},
        {"d getf $n4097 1", 1, true},
        {"d get $llm8188 1", 4092, true},
        {"d get $lln4294967292n0 1", 4092, true},
        {"d get $lm0x1000n0c0b0m0p0 2048", 0, true},
        {"d set $lm4096n0c0b0m0p0 1 l7", 0, true},
        {"d set $ln4098 2 l7l8", 2, true},
        {"d get $d536870911n0 1", 536870911, false},
        {"d get $d536870912n0 1", 0, true},
        {"d get $d18446744073709551615 1", 536870911, true},
        {"d get $p524287 1", 524287, false},
        {"d get $lc32767 1", 32767, false},
        {"d get $lb8191 1", 8191, false},
        {"d get $lr510 1", 510, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct lang lang;
        const struct debug *debug = lang_debug(&lang, cases[i].text);
        assert_true(debug->addr == cases[i].addr);
        assert_int_equal(lang.diags.warnings, cases[i].wraps);
        if (cases[i].wraps)
            assert_string_equal(lang.diags.items[0].name, "address-wraps");
        lang_close(&lang);
    }
}

static void d_set(void **unused)
{
    (void)unused;
    struct lang lang;
    const struct debug *debug = lang_debug(&lang, " d set  $lm4n0c0b0m0p0 2  laabblccdd # x");
    assert_int_equal(debug->payload_size, 10);
    assert_memory_equal(lang.source.text + debug->payload, "laabblccdd", 10);
    lang_close(&lang);
    /* "PDM and DRAM cannot be given": the fix says how to fill them. */
}

/* A payload of megabytes, right and with one wrong byte anywhere. */
static void long_payload(void **unused)
{
    (void)unused;
    enum { WORDS = 4096, DIGITS = 16 * WORDS };
    char *text = malloc(DIGITS + 100);
    assert_non_null(text);
    const int head = sprintf(text, "d set $lc0n0c0 %d ", WORDS);
    for (int i = 0; i < DIGITS; i++)
        text[head + i] = "0123456789abcdefABCDEF"[i * 7 % 22];
    text[head + DIGITS] = '\0';
    lang_expect_clean(text);
    for (int at = 0; at < DIGITS; at += 1 + at / 3) {
        static const char wrong[] = "g/:@G`_\x7f";
        for (size_t k = 0; k < sizeof wrong - 1; k++) {
            const char good = text[head + at];
            text[head + at] = wrong[k];
            lang_expect_error(text, "3.4.4", "");
            text[head + at] = good;
        }
    }
    free(text);
}

static void emulator_lines(void **unused)
{
    (void)unused;
    struct lang lang;
    const struct debug *debug =
        lang_debug(&lang, "r 2 00000001f 002 00112233445566778899aabbccddeeff # preset");
    assert_int_equal(debug->mem, MEM_DRAM);
    assert_int_equal(debug->group, 2);
    assert_int_equal(debug->addr, 0x1f);
    assert_int_equal(debug->count, 2);
    assert_int_equal(debug->payload_size, 32);
    assert_int_equal(lang.program.stmts[0].kind, STMT_PRESET);
    lang_close(&lang);
    assert_int_equal(items("c dma\nnop"), 1);
}

/* The same warning at every occurrence, and only the names that are not silenced. */
static void repeated_and_silenced(void **unused)
{
    (void)unused;
    static const char text[] = "mvp/n64 $d16@0 $p0@0\nmvp/n64 $d16@0 $p0@0\nc x\n";
    struct lang lang;
    lang_open(&lang, text);
    assert_int_equal(lang.diags.warnings, 3);
    assert_int_equal(lang.diags.items[1].line, 2);
    lang_close(&lang);
    struct source source;
    assert_int_equal(source_from_text(&source, "x", text, sizeof text - 1), 0);
    static const char *const silenced[] = {"unaligned-dram", NULL};
    struct diag_list diags;
    diag_list_init(&diags);
    diags.silenced = silenced;
    struct program program;
    assert_int_equal(mncore2_program_parse(&program, &source, 1, &diags), 0);
    assert_int_equal(diags.warnings, 1);
    assert_string_equal(diags.items[0].name, "host-line");
    mncore2_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_an_item),
        cmocka_unit_test(lines),
        cmocka_unit_test(several_sources),
        cmocka_unit_test(mask_lines),
        cmocka_unit_test(single_line_masks_cancel),
        cmocka_unit_test(d_get),
        cmocka_unit_test(start_addresses_beyond_the_end),
        cmocka_unit_test(d_set),
        cmocka_unit_test(long_payload),
        cmocka_unit_test(emulator_lines),
        cmocka_unit_test(repeated_and_silenced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
