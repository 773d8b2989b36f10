/*
 * Words, their text and the assembler: what is printed gives the same words again, for every row
 * and for any word; and hand-made words, pairs of good and bad operands, other names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/asm.h"
#include "functional/ventus/work.h"
#include "tests/dice.h"

static char said[600];

/* Assembles a text; its words are image's statements. The first finding is in `said`. */
static int assemble(const char *text, size_t size, struct riscv_image *image)
{
    struct ventus_setup setup;
    struct source source;
    struct diag_list diags;
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "t.ventus", text, size), 0);
    const int status = ventus_assemble(image, &setup, &source, 1, &diags);
    said[0] = '\0';
    if (diags.count)
        snprintf(said, sizeof said, "%u:%u: %s", diags.items[0].line, diags.items[0].column,
                 diags.items[0].message);
    ventus_setup_free(&setup);
    source_close(&source);
    diag_list_free(&diags);
    return status;
}

/* --- words to text to words ------------------------------------------------------------------- */

enum { WORDS = 4096 };

/* Prints the words one below the other and assembles them. */
static void there_and_back(const uint32_t *words, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    uint8_t *code = malloc(4 * count);
    struct ventus_op *ops = calloc(count, sizeof *ops);
    struct ventus_prefix prefix = {.set = false};
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            code[4 * i + k] = (uint8_t)(words[i] >> 8 * k);
    ventus_decode_all(code, count, ops);
    for (size_t i = 0; i < count; i++) {
        char line[VENTUS_TEXT];
        ventus_insn_print(&ops[i], &prefix, NULL, line);
        fprintf(out, "%s\n", line);
        prefix = ventus_prefix_of(&ops[i]);
        i += ops[i].insn != VENTUS_NO_INSN && ventus_size(ops[i].word) == 8 &&
             strncmp(line, ".word", 5) != 0;
    }
    fclose(out);
    struct riscv_image image;
    if (assemble(text, size, &image) != 0)
        fail_msg("%s", said);
    assert_int_equal(image.stmt_count, count);
    for (size_t i = 0; i < count; i++)
        if (image.stmts[i].word != words[i])
            fail_msg("0x%08x is written %.*s and that is 0x%08x", words[i],
                     (int)image.stmts[i].length, image.stmts[i].text, image.stmts[i].word);
    riscv_image_free(&image);
    free(text);
    free(code);
    free(ops);
}

static void every_row(void **state)
{
    (void)state;
    struct dice dice = {.state = 1};
    static uint32_t words[2 * (VENTUS_INSNS - RISCV_INSN_COUNT)];
    for (int turn = 0; turn < 200; turn++) {
        size_t count = 0;
        for (size_t i = 0; i < VENTUS_INSNS - RISCV_INSN_COUNT; i++) {
            const struct ventus_insn *row = &ventus_insns[i];
            const uint64_t any = dice_next(&dice) & ~row->mask;
            const uint64_t word = row->match | (turn ? any : 0);
            words[count++] = (uint32_t)word;
            if (ventus_size((uint32_t)word) == 8)
                words[count++] = (uint32_t)(word >> 32);
        }
        there_and_back(words, count);
    }
}

static void any_word(void **state)
{
    (void)state;
    struct dice dice = {.state = 2};
    static uint32_t words[WORDS];
    for (int turn = 0; turn < 50; turn++) {
        for (size_t i = 0; i < WORDS; i++)
            words[i] = (uint32_t)dice_next(&dice);
        there_and_back(words, WORDS);
    }
}

/* --- by hand ---------------------------------------------------------------------------------- */

/* Words of the manual's and the cases' own listings, and of the fields by hand. */
static void known_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t words[2]; /* the second one 0: there is one */
    } rows[] = {
        {"vbeq v0, v1, . + 48", {0x0200885b, 0}}, /* of a case's log */
        {"setrpc x0, x6, 76", {0x04c3305b, 0}},
        {"setrpc x0, t1, -52", {0xfcc3305b, 0}},
        {"join", {0x0000205b, 0}},
        {"join v0, v0, .", {0x0000205b, 0}},
        {"csrr x5, knl", {0x803022f3, 0}},
        {"csrr x10, CSR_KNL", {0x80302573, 0}},
        {"endprg", {0x0000400b, 0}},
        {"endprg x0, x0, x0", {0x0000400b, 0}},
        {"barrier", {0x0400400b, 0}},
        {"barrier x0, x0, 3", {0x0401c00b, 0}},
        {"barriersub 1", {0x0600c00b, 0}},
        {"regext x0, x0, 0x249", {0x2490200b, 0}},
        {"regexti zero, zero, 1", {0x0010300b, 0}},
        {"vadd12.vi v1, v2, 4095", {0xfff1008b, 0}},
        {"vfexp v1, v2", {0x0820608b, 0}},
        {"vfexp v1, v2, vm", {0x0a20608b, 0}},
        {"vftta.vv v1, v2, v3", {0x0c21c08b, 0}},
        {"vftta.vv v1, v2, v3, vm", {0x0e21c08b, 0}}, /* of the published micro programs */
        {"vftta.vv v1, v3, v2, vm", {0x0e31408b, 0}}, /* of the published RTL traces */
        {"vlw12.v v1, -4(v2)", {0xffc120fb, 0}},
        {"vlw12 v1, (v2)", {0x000120fb, 0}},
        {"vsw12.v v1, 4(v2)", {0x0011627b, 0}},
        {"vlw.v v1, 1023(v2)", {0x3ff120ab, 0}},
        {"vsw.v v1, -1(v2)", {0xfe112fab, 0}},
        {"vlw_private.v v1, 0(v2)", {0x000120ab, 0}},
        /* Registers above 31: three bits each of rs3, rs2, rs1, rd. */
        {"vadd.vv v40, v1, v2", {0x0010200b, 0x02110457}},
        {"vadd.vv v1, v2, v40", {0x0080200b, 0x022400d7}},
        {"vadd.vv v1, v40, v2", {0x0400200b, 0x028100d7}},
        {"vfmacc.vv v40, v1, v2", {0x2010200b, 0xb2209457}},
        {"vse32.v v40, (a0)", {0x2000200b, 0x02056427}},
        {"add x40, x1, x33", {0x0410200b, 0x00108433}},
        /* An immediate of 11 bits: its six high ones. */
        {"vadd.vi v1, v2, 100", {0x0c00300b, 0x022230d7}},
        {"vadd.vi v1, v2, -17", {0xfc00300b, 0x0227b0d7}},
        {"vsll.vi v1, v2, 32", {0x0400300b, 0x962030d7}},
        /* Fields of insn.def and option.def. */
        {"vadd64.vv v1, v2, v3, s32", {0x020000bf, 0x10000406}},
        {"mma64.m16n8k16.f16.f32 v200, v1, v2, v3, acol", {0x3c80003f, 0x14040340}},
        {"prefix 1, neg1, abs2", {0x0012120b, 0}},
        {"prefix_memory 0, 3, local, w64, pair", {0x000eb1ab, 0}},
        {"cp_dma_bulk a0, a1, a2", {0x06b5662b, 0}},
        {"vlw12d.v v1, 4(v2)", {0x0041209f, 0}},
        {"vlw_global.v v1, -1(v2)", {0x7ff120eb, 0}},
        {"amoadd.w.aqrl a0, a1, (a2)", {0x06b6252f, 0}},
        /* A branch is as far from its own place. */
        {"vbeq v32, v0, . + 8", {0x0400200b, 0x0000025b}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct riscv_image image;
        char line[200];
        snprintf(line, sizeof line, "%s\n", rows[i].text);
        if (assemble(line, strlen(line), &image) != 0)
            fail_msg("%s: %s", rows[i].text, said);
        const size_t count = rows[i].words[1] ? 2 : 1;
        assert_int_equal(image.stmt_count, count);
        for (size_t k = 0; k < count; k++)
            if (image.stmts[k].word != rows[i].words[k])
                fail_msg("%s: 0x%08x", rows[i].text, image.stmts[k].word);
        riscv_image_free(&image);
    }
}

/* Other names are the same words as what they stand for. */
static void other_names(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"vneg.v v1, v2", "vrsub.vx v1, v2, zero"},
        {"vnot.v v1, v2, v0.t", "vxor.vi v1, v2, -1, v0.t"},
        {"vfneg.v v1, v2", "vfsgnjn.vv v1, v2, v2"},
        {"vfabs.v v1, v2", "vfsgnjx.vv v1, v2, v2"},
        {"vmmv.m v1, v2", "vmand.mm v1, v2, v2"},
        {"vmnot.m v1, v2", "vmnand.mm v1, v2, v2"},
        {"vmclr.m v1", "vmxor.mm v1, v1, v1"},
        {"vmset.m v1", "vmxnor.mm v1, v1, v1"},
        {"vmsgt.vv v1, v2, v3", "vmslt.vv v1, v3, v2"},
        {"vmsgeu.vv v1, v2, v3", "vmsleu.vv v1, v3, v2"},
        {"vmfgt.vv v1, v2, v3", "vmflt.vv v1, v3, v2"},
        {"vmfge.vv v1, v2, v3, v0.t", "vmfle.vv v1, v3, v2, v0.t"},
        {"vmslt.vi v1, v2, 16", "vmsle.vi v1, v2, 15"},
        {"vmsgeu.vi v1, v2, 5", "vmsgtu.vi v1, v2, 4"},
        {"fmv.s a0, a1", "fsgnj.s a0, a1, a1"},
        {"fneg.s a0, a1", "fsgnjn.s a0, a1, a1"},
        {"fabs.s a0, a1", "fsgnjx.s a0, a1, a1"},
        {"fadd.s a0, a1, a2", "fadd.s a0, a1, a2, dyn"},
        {"vsetvli t4, t4, e32, m1, ta, ma", "vsetvli t4, t4, 0xd0"},
        {"vsetvli t4, t4, e32, m2", "vsetvli t4, t4, 17"},
        {"mv x40, x41", "addi x40, x41, 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct riscv_image image[2];
        for (unsigned k = 0; k < 2; k++) {
            char line[200];
            snprintf(line, sizeof line, "%s\n", rows[i][k]);
            if (assemble(line, strlen(line), &image[k]) != 0)
                fail_msg("%s: %s", rows[i][k], said);
        }
        assert_int_equal(image[0].stmt_count, image[1].stmt_count);
        for (size_t k = 0; k < image[0].stmt_count; k++)
            if (image[0].stmts[k].word != image[1].stmts[k].word)
                fail_msg("%s is not %s", rows[i][0], rows[i][1]);
        riscv_image_free(&image[0]);
        riscv_image_free(&image[1]);
    }
}

static void wrong_lines(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"vadd.vv v256, v0, v0", "1:9: a register v0 to v255 was expected here"},
        {"vadd.vx v1, v2, v3", "1:17: a scalar register was expected here"},
        {"add x64, x0, x0", "1:5: a scalar register was expected here"},
        {"vadd.vi v1, v2, 1024", "1:17: the immediate 1024 is not in -1024 to 1023"},
        {"vsll.vi v1, v2, 2048", "1:17: the immediate 2048 is not in 0 to 2047"},
        {"vlw12.v v1, 2048(v2)", "1:13: the immediate 2048 is not in -2048 to 2047"},
        {"vlw.v v1, 1024(v2)", "1:11: the immediate 1024 is not in -1024 to 1023"},
        {"vlw12.v v1, 4", "1:14: a ( was expected here"},
        {"vadd.vv v1, v2, v3, v1.t", "1:21: v0.t was expected here"},
        {"vmerge.vvm v1, v2, v3, v1", "1:24: v0 was expected here"},
        {"vand.mm v1, v2, v3", "1:1: there is no instruction vand.mm"},
        {"vmand.mm v1, v2, v3, v0.t", "1:22: v0.t is no option of this instruction"},
        {"fadd.s a0, a1, a2, rxx", "1:20: rne, rtz, rdn, rup, rmm or dyn was expected here"},
        {"endprg x1, x0, x0", "1:8: x0 was expected here"},
        {"barrier 32", "1:9: the immediate 32 is not in 0 to 31"},
        {"vsetvli a0, a1, e32, ma, ta", "1:26: m1 or m2, then ta or tu, then ma or mu"},
        {"vbeq v0, v1, . + 4096", "1:14: the target is 4096 bytes away, not in -4096 to 4094"},
        {"vbeq v0, v1, . + 3", "1:14: the target 0x80000003 is odd"},
        {"vbeq v32, v1, . - 4096", "1:23: the target is too far away"},
        {"vmadd.vv v1, v2", "1:16: a comma and one more operand were expected here"},
        {"join v0", "1:8: a comma and one more operand were expected here"},
        {"vadd64.vv v1, v2, v3, s32, s64", "1:28: s64: this has been said"},
        {"vadd64.vv v1, v2, v3, x32", "1:23: x32 is no option of this instruction"},
        {"regext x0, x0, 1; vadd.vv v64, v1, v2", "1:38: regext above does not make"},
        {"regext x0, x0, 1; vadd.vi v1, v1, 100", "1:38: regext above does not make"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct riscv_image image;
        char line[200];
        snprintf(line, sizeof line, "%s\n", rows[i][0]);
        if (assemble(line, strlen(line), &image) != 1)
            fail_msg("%s is taken", rows[i][0]);
        said[strlen(rows[i][1])] = '\0';
        assert_string_equal(said, rows[i][1]);
        riscv_image_free(&image);
    }
}

/* A prefix in the text serves what stands below it, whole numbers and those of the word. */
static void prefixes_of_the_text(void **state)
{
    (void)state;
    static const char text[] = "regext x0, x0, 1\nvadd.vv v40, v1, v2\n"
                               "regext x0, x0, 1\nvadd.vv v8, v1, v2\n"
                               "prefix 1, neg1\nvadd.vv v40, v1, v2\n";
    struct riscv_image image;
    if (assemble(text, strlen(text), &image) != 0)
        fail_msg("%s", said);
    assert_int_equal(image.stmt_count, 6);
    for (size_t i = 1; i < 6; i += 2)
        assert_int_equal(image.stmts[i].word, 0x02110457);
    riscv_image_free(&image);
}

/* As compilers write addresses: the pair gives the distance of the label from the auipc. */
static void distances(void **state)
{
    (void)state;
    static const char text[] = "    nop\n"
                               ".La: auipc t1, %pcrel_hi(far)\n"
                               "    setrpc zero, t1, %pcrel_lo(.La)\n"
                               ".Lb: auipc t2, %pcrel_hi(near)\n"
                               "    addi t2, t2, %pcrel_lo(.Lb)\n"
                               "near: .zero 0x1800\n"
                               "far: endprg\n";
    struct riscv_image image;
    if (assemble(text, strlen(text), &image) != 0)
        fail_msg("%s", said);
    /* far is 20 + 0x1800 - 4 = 0x1810 away: 2 << 12 less 0x7f0; near is 20 - 12 = 8 away. */
    const uint32_t want[] = {0x00000013, 0x00002317, 0x8103305b, 0x00000397, 0x00838393};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(image.stmts[i].word, want[i]);
    riscv_image_free(&image);
    static const char wrong[] = "    addi t2, t2, %pcrel_lo(x)\nx: endprg\n";
    assert_int_equal(assemble(wrong, strlen(wrong), &image), 1);
    assert_string_equal(said, "1:18: no %pcrel_hi stands at 0x80000004");
    riscv_image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),   cmocka_unit_test(any_word),
        cmocka_unit_test(known_words), cmocka_unit_test(other_names),
        cmocka_unit_test(wrong_lines), cmocka_unit_test(prefixes_of_the_text),
        cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
