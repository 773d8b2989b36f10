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
    assert_string_equal(said, "1:18: there is no %pcrel_hi at 0x80000004");
    riscv_image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(any_word),
        cmocka_unit_test(prefixes_of_the_text),
        cmocka_unit_test(distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
