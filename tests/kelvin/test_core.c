/* Scalar core: arithmetic against wider integers, branches, memory, CSRs, traps and ends. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/kelvin/rig.h"
#include "tests/kelvin/scalar.h"
#include "tests/often.h"

/* --- arithmetic ------------------------------------------------------------------------------- */

static uint32_t operand(struct dice *dice)
{
    static const uint32_t edges[] = {0,          1,          2,          UINT32_MAX, 0xfffffffe,
                                     0x7fffffff, 0x80000000, 0x80000001, 31,         32};
    switch (dice_below(dice, 3)) {
    case 0:
        return edges[dice_below(dice, sizeof edges / sizeof *edges)];
    case 1:
        return (uint32_t)dice_below(dice, 200) - 100;
    default:
        return (uint32_t)dice_next(dice);
    }
}

/* Random register and immediate forms on all registers, including x0. */
static void arithmetic_is_exact(void **state)
{
    (void)state;
    static const uint8_t immediates[] = {0, 2, 3, 4, 5, 6, 7, 8, 9};
    enum { INSNS = 300 };
    static char text[INSNS * 40 + 32 * 40];
    for (size_t round = 0; round < often(60); round++) {
        struct dice dice = {round + 1};
        uint32_t x[32] = {0}, numbers[32];
        size_t used = 0;
        for (uint32_t i = 0; i < 32; i++)
            numbers[i] = i;
        for (unsigned i = 1; i < 32; i++) {
            x[i] = operand(&dice);
            used += (size_t)snprintf(text + used, sizeof text - used, "li x%u, %" PRId64 "\n", i,
                                     i % 2 ? scalar_sign(x[i]) : (int64_t)x[i]);
        }
        for (unsigned i = 0; i < INSNS; i++) {
            const unsigned d = (unsigned)dice_below(&dice, 32), s = (unsigned)dice_below(&dice, 32),
                           t = (unsigned)dice_below(&dice, 32);
            unsigned name = (unsigned)dice_below(&dice, SCALAR_NAMES);
            uint32_t b = x[t];
            if (dice_below(&dice, 3)) {
                used += (size_t)snprintf(text + used, sizeof text - used, "%s x%u, x%u, x%u\n",
                                         scalar_names[name], d, s, t);
            } else {
                name = immediates[dice_below(&dice, sizeof immediates)];
                const bool shift = name == 2 || name == 6 || name == 7;
                const int number =
                    shift ? (int)dice_below(&dice, 32) : (int)dice_below(&dice, 4096) - 2048;
                b = (uint32_t)number;
                used += (size_t)snprintf(text + used, sizeof text - used, "%.3si%s x%u, x%u, %d\n",
                                         scalar_names[name], name == 4 ? "u" : "", d, s, number);
            }
            const uint32_t value = scalar_value(name, x[s], b);
            x[d] = d ? value : 0;
            /* mix in edge values repeatedly */
            if (d && dice_below(&dice, 4) == 0) {
                x[d] = operand(&dice);
                used += (size_t)snprintf(text + used, sizeof text - used, "li x%u, 0x%" PRIx32 "\n",
                                         d, x[d]);
            }
            assert_true(used + 200 < sizeof text);
        }
        snprintf(text + used, sizeof text - used, "mpause\n");
        expect_registers(text, numbers, x, 32);
    }
}

/* The manual's table of divisions, written out. */
static void divisions_have_no_trap(void **state)
{
    (void)state;
    A0("li a1, 7\n div a0, a1, zero\n mpause", UINT32_MAX);
    A0("li a1, -7\n div a0, a1, zero\n mpause", UINT32_MAX);
    A0("li a1, 7\n divu a0, a1, zero\n mpause", UINT32_MAX);
    A0("li a1, -7\n rem a0, a1, zero\n mpause", UINT32_C(0xfffffff9));
    A0("li a1, 7\n remu a0, a1, zero\n mpause", 7);
    A0("li a1, 0x80000000\n li a2, -1\n div a0, a1, a2\n mpause", UINT32_C(0x80000000));
    A0("li a1, 0x80000000\n li a2, -1\n rem a0, a1, a2\n mpause", 0);
    A0("li a1, -7\n li a2, 2\n div a0, a1, a2\n mpause", UINT32_C(0xfffffffd));
    A0("li a1, -7\n li a2, 2\n rem a0, a1, a2\n mpause", UINT32_MAX);
    A0("li a1, 7\n li a2, -2\n rem a0, a1, a2\n mpause", 1);
}

/* --- branches and jumps ----------------------------------------------------------------------- */

static void branches_go_both_ways(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool less, equal, more; /* taken for -1 and 1, 1 and 1, 1 and -1 */
    } rows[] = {{"beq", false, true, false},  {"bne", true, false, true},
                {"blt", true, false, false},  {"bge", false, true, true},
                {"bgt", false, false, true},  {"ble", true, true, false},
                {"bltu", false, false, true}, {"bgeu", true, true, false},
                {"bgtu", true, false, false}, {"bleu", false, true, true}};
    static const int pairs[3][2] = {{-1, 1}, {1, 1}, {1, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned k = 0; k < 3; k++) {
            const bool taken = k == 0 ? rows[i].less : k == 1 ? rows[i].equal : rows[i].more;
            char text[200];
            snprintf(text, sizeof text,
                     "li a1, %d\n li a2, %d\n %s a1, a2, 1f\n li a0, 5\n mpause\n"
                     "1: li a0, 6\n mpause\n",
                     pairs[k][0], pairs[k][1], rows[i].name);
            A0(text, taken ? 6 : 5);
            /* The same branch to a lower address. */
            snprintf(text, sizeof text,
                     "j 2f\n 1: li a0, 6\n mpause\n 2: li a1, %d\n li a2, %d\n %s a1, a2, 1b\n"
                     "li a0, 5\n mpause\n",
                     pairs[k][0], pairs[k][1], rows[i].name);
            A0(text, taken ? 6 : 5);
        }
    static const char *const zero[] = {"beqz", "bnez", "blez", "bgez", "bltz", "bgtz"};
    static const bool at_zero[] = {true, false, true, true, false, false},
                      at_minus[] = {false, true, true, false, true, false};
    for (size_t i = 0; i < 6; i++)
        for (int k = 0; k < 2; k++) {
            char text[200];
            snprintf(text, sizeof text,
                     "li a1, %d\n %s a1, 1f\n li a0, 5\n mpause\n"
                     "1: li a0, 6\n mpause\n",
                     -k, zero[i]);
            A0(text, (k ? at_minus : at_zero)[i] ? 6 : 5);
        }
}

static void jumps_link(void **state)
{
    (void)state;
    A0("call f\n mpause\n f: mv a0, ra\n ret\n", 4);
    A0("la t0, f+1\n jalr a0, 0(t0)\n mpause\n f: mpause\n", 12); /* bit 0 is dropped */
    A0("nop\n auipc a0, 1\n mpause\n", 0x1004);
    A0("jal a0, f\n f: mpause\n", 4);
    A0("la a0, f\n jr a0\n li a0, 1\n f: mpause\n", 16);
    A0("li a0, 3\n tail f\n li a0, 1\n f: mpause\n", 3);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void memory_extends_signs(void **state)
{
    (void)state;
#define DATA "\n mpause\n .data\n d: .byte 0x80, 0x81, 0x7f, 0xff, 1, 2, 3, 4\n"
    A0("la a1, d\n lb a0, 0(a1)" DATA, UINT32_C(0xffffff80));
    A0("la a1, d\n lb a0, 2(a1)" DATA, 0x7f);
    A0("la a1, d\n lbu a0, 0(a1)" DATA, 0x80);
    A0("la a1, d\n lh a0, 0(a1)" DATA, UINT32_C(0xffff8180));
    A0("la a1, d\n lh a0, 4(a1)" DATA, 0x0201);
    A0("la a1, d\n lhu a0, 0(a1)" DATA, 0x8180);
    A0("la a1, d\n lw a0, 0(a1)" DATA, UINT32_C(0xff7f8180));
    A0("la a1, d+8\n lw a0, -7(a1)" DATA, UINT32_C(0x01ff7f81)); /* any alignment */
    A0("la a1, d\n li a2, -1\n sb a2, 5(a1)\n lw a0, 4(a1)" DATA, UINT32_C(0x0403ff01));
    A0("la a1, d\n li a2, 0xabcd1234\n sh a2, 5(a1)\n lw a0, 4(a1)" DATA, UINT32_C(0x04123401));
    A0("la a1, d\n li a2, 0xabcd1234\n sw a2, 3(a1)\n lw a0, 4(a1)" DATA, UINT32_C(0x04abcd12));
    A0("li a1, 0x400000\n li a0, 9\n sw a0, -4(a1)\n lw a0, -4(a1)\n mpause", 9);
    A0("la a1, d\n lw zero, 0(a1)\n mv a0, zero" DATA, 0);
#undef DATA
}

/* --- CSRs, traps, ends ------------------------------------------------------------------------ */

static void csrs_change_as_told(void **state)
{
    (void)state;
    A0("li a1, 12\n csrw mscratch, a1\n csrr a0, mscratch\n mpause", 12);
    A0("csrwi mscratch, 31\n csrci mscratch, 5\n csrr a0, mscratch\n mpause", 26);
    A0("csrwi mscratch, 8\n csrsi mscratch, 3\n csrr a0, mscratch\n mpause", 11);
    A0("csrwi mscratch, 8\n li a0, 12\n csrrs a1, mscratch, a0\n mv a0, a1\n mpause", 8);
    A0("csrwi mscratch, 8\n li a0, 5\n csrrw a0, mscratch, a0\n mpause", 8);
    A0("csrwi mscratch, 15\n li a1, 5\n csrc mscratch, a1\n csrr a0, mscratch\n mpause", 10);
    A0("nop\n nop\n csrr a0, minstret\n mpause", 2); /* the instructions before it */
    A0("nop\n csrw mcycle, zero\n csrr a0, mcycle\n mpause", 0);
    A0("nop\n csrw mcycle, zero\n nop\n csrr a0, cycle\n mpause", 1);
    A0("nop\n csrw mcycle, zero\n nop\n csrr a0, minstret\n mpause", 3); /* a separate counter */
    A0("li a1, -1\n csrw minstret, a1\n nop\n csrr a0, minstreth\n mpause", 1);
    A0("li a1, 7\n csrw minstreth, a1\n csrr a0, minstreth\n mpause", 7);
    A0("li a1, 7\n csrw minstreth, a1\n csrr a0, minstret\n mpause", 2);
    A0("li a0, 7\n csrr a0, mcycleh\n mpause", 0);
    A0("csrr a0, misa\n mpause", UINT32_C(1) << 30 | 1 << 8 | 1 << 12 | 1 << 23);
    A0("li a0, 7\n csrr a0, mhartid\n mpause", 0);
}

/* A timing model supplies mcycle: its value in the reading instruction, and the cycles elapsed
 * after a write. */
static void cycles_are_given(void **state)
{
    (void)state;
    struct rig rig;
    const struct kelvin_exec_options options = {.dump = NULL};
    rig_load(&rig, "nop\n csrr a0, mcycle\n csrw mcycle, zero\n nop\n csrr a1, cycle\n"
                   "csrr a2, minstret\n csrr a3, mcycleh\n mpause\n");
    struct kelvin_exec *exec = kelvin_exec_new(&rig.program, &options);
    kelvin_exec_time(exec);
    const uint64_t cycles[] = {1000, 2000, 2007, 3000};
    const uint32_t stmts[] = {1, 2, 4, 6};
    assert_int_equal(kelvin_exec_asks(exec), RISCV_NO_STMT);
    for (size_t i = 0; i < 4; i++) {
        kelvin_exec_advance(exec, 100, NULL);
        assert_int_equal(kelvin_exec_end(exec), KELVIN_RUNS);
        assert_int_equal(kelvin_exec_asks(exec), stmts[i]);
        kelvin_exec_tell(exec, cycles[i]);
        assert_int_equal(kelvin_exec_advance(exec, 1, NULL), 1);
    }
    kelvin_exec_advance(exec, 100, NULL);
    assert_int_equal(kelvin_exec_end(exec), KELVIN_ENDED);
    assert_null(strstr(kelvin_exec_sentence(exec), "mcycle"));
    assert_int_equal(kelvin_exec_state(exec)->x[10], 1000);
    assert_int_equal(kelvin_exec_state(exec)->x[11], 6); /* 2007 - 2001 */
    assert_int_equal(kelvin_exec_state(exec)->x[12], 5);
    assert_int_equal(kelvin_exec_state(exec)->x[13], 0);
    kelvin_exec_free(exec);
    rig_free(&rig);
}

static void expect_end(const char *text, enum kelvin_end end, const char *sentence, uint32_t cause)
{
    struct rig rig;
    rig_run(&rig, text);
    if (kelvin_exec_end(rig.exec) != end || !strstr(kelvin_exec_sentence(rig.exec), sentence) ||
        kelvin_exec_state(rig.exec)->csr[KELVIN_CSR_mcause] != cause)
        fail_msg("%d: %s (cause 0x%" PRIx32 "), not %s\n%s", kelvin_exec_end(rig.exec),
                 kelvin_exec_sentence(rig.exec),
                 kelvin_exec_state(rig.exec)->csr[KELVIN_CSR_mcause], sentence, text);
    rig_free(&rig);
}

#define USER "la t0, 1f\n csrw mepc, t0\n mret\n 1: "

static void user_mode_traps(void **state)
{
    (void)state;
    static const struct {
        const char *insn;
        uint32_t cause;
    } rows[] = {{"ebreak", 1},
                {"ecall", 2},
                {"eexit", 3},
                {"ectxsw", 5},
                {"mpause", KELVIN_CAUSE_UNDEFINED},
                {"mret", KELVIN_CAUSE_UNDEFINED},
                {".word 0xffffffff", KELVIN_CAUSE_UNDEFINED},
                {"lw a1, -4(zero)", KELVIN_CAUSE_USAGE},
                {"sb a1, -1(zero)", KELVIN_CAUSE_USAGE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "la t1, 2f\n csrw mtvec, t1\n" USER "%s\n nop\n"
                 "2: csrr a0, mcause\n csrr a1, mepc\n la a2, 1b\n sub a1, a1, a2\n mpause\n",
                 rows[i].insn);
        expect_registers(text, (const uint32_t[]){10, 11}, (const uint32_t[]){rows[i].cause, 0}, 2);
        snprintf(text, sizeof text, USER "%s\n", rows[i].insn); /* without a supervisor */
        expect_end(text,
                   rows[i].cause >> 31                    ? KELVIN_FAULTED
                   : rows[i].cause == KELVIN_CAUSE_EBREAK ? KELVIN_BROKE_OFF
                                                          : KELVIN_ENDED,
                   "in user mode, mtvec is 0, at 0x10", rows[i].cause);
    }
    expect_end(USER "eyield\n ecall\n", KELVIN_ENDED, "at 0x14", 2);
}

static void machine_mode_ends(void **state)
{
    (void)state;
    expect_end("nop\n mpause", KELVIN_ENDED, "mpause at 0x4", 0);
    expect_end("nop\n ebreak", KELVIN_BROKE_OFF, "ebreak at 0x4", KELVIN_CAUSE_UNDEFINED);
    expect_end(".word 0xffffffff", KELVIN_FAULTED, "undefined instruction", KELVIN_CAUSE_UNDEFINED);
    expect_end("csrr a0, 0x123", KELVIN_FAULTED, "there is no CSR 0x123", KELVIN_CAUSE_UNDEFINED);
    expect_end("csrw mhartid, a0", KELVIN_FAULTED, "CSR 0xf14 is read-only",
               KELVIN_CAUSE_UNDEFINED);
    expect_end("csrci cycle, 1", KELVIN_FAULTED, "read-only", KELVIN_CAUSE_UNDEFINED);
    expect_end("csrci cycle, 0\n csrs kisa, zero\n mpause", KELVIN_ENDED, "mpause", 0);
    expect_end("lw a0, -3(zero)", KELVIN_FAULTED, "a load from 0xfffffffd", KELVIN_CAUSE_USAGE);
    expect_end("li a1, 0x400000\n lw a0, -3(a1)", KELVIN_FAULTED, "a load from 0x3ffffd",
               KELVIN_CAUSE_USAGE);
    expect_end("li a1, 0x400000\n sb a0, 0(a1)", KELVIN_FAULTED, "a store to 0x400000",
               KELVIN_CAUSE_USAGE);
    static const char *const calls[] = {"ecall", "eexit", "ectxsw", "eyield"};
    for (size_t i = 0; i < 4; i++)
        expect_end(calls[i], KELVIN_FAULTED, "in machine mode", KELVIN_CAUSE_USAGE);
    expect_end("nop", KELVIN_FAULTED, "left the code", 0);
    expect_end("la a0, d\n jr a0\n .data\n d: .word 0x13", KELVIN_FAULTED, "left the code", 0);
    struct rig rig;
    rig_run(&rig, "nop\n nop\n ecall\n");
    assert_int_equal(kelvin_exec_state(rig.exec)->csr[KELVIN_CSR_mfault], 8);
    rig_free(&rig);
}

/* Execution continues through the padding of .balign, as after the usual assemblers. */
static void padding_of_code_is_executed(void **state)
{
    (void)state;
    expect_end("li a0, 1\n .balign 32\n mpause", KELVIN_ENDED, "mpause at 0x20", 0);
    expect_end(".balign 32\n mpause", KELVIN_ENDED, "mpause at 0x0", 0);
    expect_end("j f\n .byte 1\n .balign 16\n f: mpause", KELVIN_ENDED, "mpause at 0x10", 0);
    A0("li a1, 1\n .p2align 4\n csrr a0, minstret\n mpause", 4);
    A0("la a1, d\n lw a0, -4(a1)\n mpause\n .data\n .word 0\n .balign 16\n d: .word 1", 0);
}

/* Changed code takes effect only at fence.i. */
static void code_changes_at_fence_i(void **state)
{
    (void)state;
#define CHANGE(between)                                                                            \
    "la a1, 1f\n li a2, 0x00200513\n sw a2, 0(a1)\n" between "\n 1: li a0, 1\n mpause\n"
    A0(CHANGE("nop"), 1);
    A0(CHANGE("fence.i"), 2);
    A0(CHANGE("fence"), 1);
#undef CHANGE
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arithmetic_is_exact),
                                       cmocka_unit_test(divisions_have_no_trap),
                                       cmocka_unit_test(branches_go_both_ways),
                                       cmocka_unit_test(jumps_link),
                                       cmocka_unit_test(memory_extends_signs),
                                       cmocka_unit_test(csrs_change_as_told),
                                       cmocka_unit_test(user_mode_traps),
                                       cmocka_unit_test(machine_mode_ends),
                                       cmocka_unit_test(padding_of_code_is_executed),
                                       cmocka_unit_test(code_changes_at_fence_i),
                                       cmocka_unit_test(cycles_are_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
