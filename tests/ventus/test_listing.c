/*
 * How the log of a launch writes scalar instructions: the short names of the unprivileged manual's
 * table of pseudoinstructions, and beside each one that must not have it. Words are put together
 * here from the manual's formats.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "functional/ventus/listing.h"

enum { OP_IMM = 0x13, OP = 0x33, LOAD = 0x03, JALR = 0x67, SYSTEM = 0x73 };

static uint32_t type_i(uint32_t opcode, uint32_t f3, uint32_t rd, uint32_t rs1, int imm)
{
    return (uint32_t)imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}

static uint32_t type_r(uint32_t f7, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return f7 << 25 | rs2 << 20 | type_i(OP, f3, rd, rs1, 0);
}

static uint32_t type_b(uint32_t f3, uint32_t rs1, uint32_t rs2, int offset)
{
    const uint32_t o = (uint32_t)offset;
    return (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
           (o >> 1 & 15) << 8 | (o >> 11 & 1) << 7 | 0x63;
}

static uint32_t type_j(uint32_t rd, int offset)
{
    const uint32_t o = (uint32_t)offset;
    return (o >> 20 & 1) << 31 | (o >> 1 & 0x3ff) << 21 | (o >> 11 & 1) << 20 |
           (o >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

static void names(void **state)
{
    (void)state;
    const struct {
        uint32_t word;
        const char *text;
    } rows[] = {{type_i(OP_IMM, 0, 0, 0, 0), "nop"},
                {type_i(OP_IMM, 0, 5, 0, -3), "li      x5, -3"},
                {type_i(OP_IMM, 0, 5, 0, 0), "li      x5, 0"},
                {type_i(OP_IMM, 0, 5, 6, 0), "mv      x5, x6"},
                {type_i(OP_IMM, 0, 5, 6, 1), "addi    x5, x6, 1"},
                {type_i(OP_IMM, 4, 5, 6, -1), "not     x5, x6"},
                {type_i(OP_IMM, 4, 5, 6, 1), "xori    x5, x6, 1"},
                {type_i(OP_IMM, 3, 5, 6, 1), "seqz    x5, x6"},
                {type_i(OP_IMM, 3, 5, 6, 2), "sltiu   x5, x6, 2"},
                {type_i(OP_IMM, 7, 5, 6, 255), "zext.b  x5, x6"},
                {type_i(OP_IMM, 7, 5, 6, 254), "andi    x5, x6, 254"},
                {type_i(OP_IMM, 1, 5, 6, 31), "slli    x5, x6, 31"},
                {type_r(0x20, 0, 5, 0, 6), "neg     x5, x6"},
                {type_r(0x20, 0, 5, 6, 7), "sub     x5, x6, x7"},
                {type_r(0, 3, 5, 0, 6), "snez    x5, x6"},
                {type_r(0, 3, 5, 6, 7), "sltu    x5, x6, x7"},
                {type_i(LOAD, 2, 5, 6, -4), "lw      x5, -4(x6)"},
                {0xfe532e23, "sw      x5, -4(x6)"},
                {0x123452b7, "lui     x5, 0x12345"},
                {0x12345297, "auipc   x5, 0x12345"},
                {type_j(0, 16), "j       pc + 0x10"},
                {type_j(1, -16), "jal     pc - 0x10"},
                {type_j(5, 2048), "jal     x5, pc + 0x800"},
                {type_i(JALR, 0, 0, 1, 0), "ret"},
                {type_i(JALR, 0, 0, 5, 0), "jr      x5"},
                {type_i(JALR, 0, 1, 5, 0), "jalr    x5"},
                {type_i(JALR, 0, 1, 5, 4), "jalr    x1, x5, 4"},
                {type_i(JALR, 0, 6, 5, 0), "jalr    x6, x5, 0"},
                {type_b(0, 5, 0, 48), "beqz    x5, pc + 48"},
                {type_b(1, 5, 0, -48), "bnez    x5, pc - 48"},
                {type_b(4, 5, 0, 48), "bltz    x5, pc + 48"},
                {type_b(5, 5, 0, 48), "bgez    x5, pc + 48"},
                {type_b(6, 5, 0, 48), "bltu    x5, x0, pc + 48"},
                {type_b(7, 5, 6, -4096), "bgeu    x5, x6, pc - 4096"},
                {type_b(0, 5, 6, 4094), "beq     x5, x6, pc + 4094"},
                {type_i(SYSTEM, 2, 5, 0, 0x003), "csrr    x5, fcsr"},
                {type_i(SYSTEM, 1, 0, 5, 0x003), "csrw    fcsr, x5"},
                {type_i(SYSTEM, 2, 0, 5, 0x003), "csrs    fcsr, x5"},
                {type_i(SYSTEM, 3, 0, 5, 0x003), "csrc    fcsr, x5"},
                {type_i(SYSTEM, 5, 0, 5, 0x003), "csrwi   fcsr, 5"},
                {type_i(SYSTEM, 6, 0, 5, 0x003), "csrsi   fcsr, 5"},
                {type_i(SYSTEM, 7, 0, 5, 0x003), "csrci   fcsr, 5"},
                {type_i(SYSTEM, 1, 5, 6, 0x003), "csrrw   x5, fcsr, x6"},
                {type_i(SYSTEM, 7, 5, 6, 0x003), "csrrci  x5, fcsr, 6"},
                {type_i(SYSTEM, 2, 5, 0, 0x7c0), "csrr    x5, unknown_7c0"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ventus_op op;
        char text[VENTUS_TEXT];
        assert_true(ventus_decode(rows[i].word, NULL, &op));
        ventus_list(&op, text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
