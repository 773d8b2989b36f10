/*
 * Mnemonics, operands and words against GNU as (gcc-riscv64-unknown-elf; skipped where it is
 * missing): random words of every row that is RISC-V's own, printed and assembled by it, are the
 * same words again. Scalar floats of vectors are F registers there, x registers here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/source.h"
#include "functional/ventus/insn.h"
#include "tests/dice.h"
#include "tests/often.h"
#include "tests/takt_process.h"

#define TOOL "riscv64-unknown-elf-"
enum { MOST = 1 << 18 };

static uint32_t words[MOST];
static size_t count;

static bool is_float_scalar(const char *name)
{
    const size_t length = strlen(name);
    return (length > 3 && strcmp(name + length - 3, ".vf") == 0) || strcmp(name, "vfmv.v.f") == 0 ||
           strcmp(name, "vfmv.s.f") == 0 || strcmp(name, "vfmerge.vfm") == 0;
}

/* The scalar operand as an F register. */
static void name_float(char *text, const char *reg, unsigned number)
{
    char rest[VENTUS_TEXT], *at = text;
    const size_t length = strlen(reg);
    while ((at = strstr(at, reg)) && (at[-1] != ' ' || (at[length] && at[length] != ',')))
        at++;
    assert_non_null(at);
    strcpy(rest, at + length);
    sprintf(at, "f%u%s", number, rest);
}

/* One line, when GNU as has such an instruction. */
static void write_line(FILE *out, uint32_t word)
{
    struct ventus_op op;
    char text[VENTUS_TEXT];
    if (!ventus_decode(word, NULL, &op))
        return;
    ventus_insn_print(&op, NULL, NULL, text);
    const bool base = op.insn < RISCV_INSN_COUNT;
    const char *name = base ? "base" : ventus_insns[op.insn - RISCV_INSN_COUNT].name;
    const bool custom_csr =
        base && riscv_is_csr((enum riscv_insn)op.insn) && op.imm >= 0x800 && op.imm <= 0x80c;
    const bool no_order = base && op.insn == RISCV_FENCE && (!(op.imm & 15) || !(op.imm >> 4 & 15));
    if (text[0] == '.' || custom_csr || no_order || (op.form == FORM_SHIFTW && op.imm > 31))
        return;
    if (!base && is_float_scalar(name))
        name_float(text, riscv_register_names[op.rs1], op.rs1);
    if (!base && strcmp(name, "vfmv.f.s") == 0)
        name_float(text, riscv_register_names[op.rd], op.rd);
    fprintf(out, "%s\n", text);
    assert_true(count < MOST);
    words[count++] = word;
}

static void assemble(const char *source, const char *march)
{
    char object[256], binary[256], line[1600], error[256];
    struct source bytes;
    snprintf(object, sizeof object, "%s", takt_temp_path("words.o"));
    snprintf(binary, sizeof binary, "%s", takt_temp_path("words.bin"));
    snprintf(line, sizeof line,
             TOOL "as -march=%s -o %s %s && " TOOL "objcopy -O binary -j .text %s %s", march,
             object, source, object, binary);
    assert_int_equal(system(line), 0);
    assert_int_equal(source_open(&bytes, binary, error, sizeof error), 0);
    assert_int_equal(bytes.size, 4 * count);
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, bytes.text + 4 * i, 4);
        if (word != words[i]) {
            struct ventus_op op;
            char text[VENTUS_TEXT];
            ventus_decode(words[i], NULL, &op);
            ventus_insn_print(&op, NULL, NULL, text);
            fail_msg("0x%08x is written %s, and GNU as makes 0x%08x of it", words[i], text, word);
        }
    }
    source_close(&bytes);
}

/* Rows of RISC-V's own opcodes. zfinx is no part of an architecture with F, whose rows stand in
 * another file. */
static bool is_riscv(uint32_t match)
{
    static const uint8_t opcodes[] = {0x03, 0x07, 0x1b, 0x23, 0x27, 0x2f, 0x3b, 0x57};
    return memchr(opcodes, (int)(match & 0x7f), sizeof opcodes);
}

static bool is_zfinx(const struct ventus_insn *row)
{
    const uint32_t opcode = row->match & 0x7f;
    return (opcode == 0x53 || (opcode >= 0x43 && opcode <= 0x4f && opcode % 4 == 3)) &&
           row->form != FORM_FMVWX && row->form != FORM_FMVXW;
}

static void compare(bool zfinx, const char *march)
{
    struct dice dice = {.state = 1};
    if (system("command -v " TOOL "as >/dev/null") != 0) {
        print_message("skipped: no " TOOL "as; make test-long installs it\n");
        return;
    }
    char path[256];
    snprintf(path, sizeof path, "%s", takt_temp_path("words.s"));
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(".option norelax\n", out);
    count = 0;
    for (size_t turn = 0; turn < often_rare(160); turn++) {
        for (size_t i = 0; i < VENTUS_INSNS - RISCV_INSN_COUNT; i++) {
            const struct ventus_insn *row = &ventus_insns[i];
            const uint32_t match = (uint32_t)row->match, mask = (uint32_t)row->mask;
            const uint32_t any = turn ? (uint32_t)dice_next(&dice) : 0;
            if (ventus_size(match) == 4 && (zfinx ? is_zfinx(row) : is_riscv(match)))
                write_line(out, match | (any & ~mask));
        }
        for (size_t i = 0; i < RISCV_INSN_COUNT && !zfinx; i++) {
            const struct riscv_row *row = &riscv_rows[i];
            if (row->extension & VENTUS_EXTENSIONS)
                write_line(out, row->match | ((uint32_t)dice_next(&dice) & ~row->mask));
        }
    }
    assert_int_equal(fclose(out), 0);
    assert_true(count > 500);
    assemble(path, march);
}

static void vectors(void **state)
{
    (void)state;
    compare(false, "rv64imafv_zicsr");
}

static void floats(void **state)
{
    (void)state;
    compare(true, "rv64ima_zfinx_zicsr");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vectors), cmocka_unit_test(floats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
