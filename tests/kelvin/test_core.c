/* Scalar core and assembler: arithmetic against arithmetic in wider integers, branches, memory,
 * CSRs, traps and ends, pseudo-instructions, printed text, findings. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/kelvin/exec.h"
#include "tests/dice.h"
#include "tests/kelvin/scalar.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

struct rig {
    struct source source;
    struct kelvin_program program;
    struct diag_list diags;
    struct kelvin_exec *exec;
};

static void rig_load(struct rig *rig, const char *text)
{
    assert_int_equal(source_from_text(&rig->source, "k.kelvin", text, strlen(text)), 0);
    diag_list_init(&rig->diags);
    rig->exec = NULL;
    if (kelvin_program_load(&rig->program, &rig->source, 1, &rig->diags) != 0) {
        diag_print(&rig->diags, &rig->source, 1, stderr, false);
        fail_msg("not assembled:\n%s", text);
    }
}

static void rig_run(struct rig *rig, const char *text)
{
    rig_load(rig, text);
    const struct kelvin_exec_options options = {.dump = NULL};
    rig->exec = kelvin_exec_new(&rig->program, &options);
    assert_non_null(rig->exec);
    kelvin_exec_advance(rig->exec, 100000, NULL);
}

static void rig_free(struct rig *rig)
{
    kelvin_exec_free(rig->exec);
    kelvin_program_free(&rig->program);
    diag_list_free(&rig->diags);
    source_close(&rig->source);
}

/* A program that ends as it should; then register by register "10=5 11=6". */
static void expect_registers(const char *text, const uint32_t *numbers, const uint32_t *values,
                             size_t count)
{
    struct rig rig;
    rig_run(&rig, text);
    if (kelvin_exec_end(rig.exec) != KELVIN_ENDED)
        fail_msg("%s\n%s", kelvin_exec_sentence(rig.exec), text);
    for (size_t i = 0; i < count; i++) {
        const uint32_t is = kelvin_exec_state(rig.exec)->x[numbers[i]];
        if (is != values[i])
            fail_msg("x%" PRIu32 " is 0x%" PRIx32 ", not 0x%" PRIx32 "\n%s", numbers[i], is,
                     values[i], text);
    }
    rig_free(&rig);
}

#define A0(text, value) expect_registers(text, (const uint32_t[]){10}, (const uint32_t[]){value}, 1)

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

/* Random register and immediate forms on all registers, x0 among them. */
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
            /* keep edges coming */
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
    A0("nop\n nop\n csrr a0, minstret\n mpause", 2); /* those before it */
    A0("nop\n csrw mcycle, zero\n csrr a0, mcycle\n mpause", 0);
    A0("nop\n csrw mcycle, zero\n nop\n csrr a0, cycle\n mpause", 1);
    A0("nop\n csrw mcycle, zero\n nop\n csrr a0, minstret\n mpause", 3); /* a counter of its own */
    A0("li a1, -1\n csrw minstret, a1\n nop\n csrr a0, minstreth\n mpause", 1);
    A0("li a1, 7\n csrw minstreth, a1\n csrr a0, minstreth\n mpause", 7);
    A0("li a1, 7\n csrw minstreth, a1\n csrr a0, minstret\n mpause", 2);
    A0("li a0, 7\n csrr a0, mcycleh\n mpause", 0);
    A0("csrr a0, misa\n mpause", UINT32_C(1) << 30 | 1 << 8 | 1 << 12 | 1 << 23);
    A0("li a0, 7\n csrr a0, mhartid\n mpause", 0);
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
        expect_end(text, rows[i].cause >> 31 ? KELVIN_FAULTED : KELVIN_ENDED,
                   "in user mode, mtvec is 0, at 0x10", rows[i].cause);
    }
    expect_end(USER "eyield\n ecall\n", KELVIN_ENDED, "at 0x14", 2);
}

static void machine_mode_ends(void **state)
{
    (void)state;
    expect_end("nop\n mpause", KELVIN_ENDED, "mpause at 0x4", 0);
    expect_end("nop\n ebreak", KELVIN_ENDED, "ebreak at 0x4", KELVIN_CAUSE_UNDEFINED);
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

/* Execution goes through what .balign fills in, as after the usual assemblers. */
static void padding_of_code_is_executed(void **state)
{
    (void)state;
    expect_end("li a0, 1\n .balign 32\n mpause", KELVIN_ENDED, "mpause at 0x20", 0);
    expect_end(".balign 32\n mpause", KELVIN_ENDED, "mpause at 0x0", 0);
    expect_end("j f\n .byte 1\n .balign 16\n f: mpause", KELVIN_ENDED, "mpause at 0x10", 0);
    A0("li a1, 1\n .p2align 4\n csrr a0, minstret\n mpause", 4);
    A0("la a1, d\n lw a0, -4(a1)\n mpause\n .data\n .word 0\n .balign 16\n d: .word 1", 0);
}

/* Code that the program changes is executed as it was until fence.i. */
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

/* --- words and text --------------------------------------------------------------------------- */

/* Words of the instruction manual's formats, put together by hand. */
static void words_are_the_manuals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t word;
    } rows[] = {{"nop", 0x00000013},
                {"ret", 0x00008067},
                {"ecall", 0x00000073},
                {"ebreak", 0x00100073},
                {"mret", 0x30200073},
                {"fence.i", 0x0000100f},
                {"li a0, -1", 0xfff00513},
                {"li a0, 2047", 0x7ff00513},
                {"li a0, 0x1000", 0x00001537},
                {"mv a0, a1", 0x00058513},
                {"not a0, a1", 0xfff5c513},
                {"neg a0, a1", 0x40b00533},
                {"seqz a0, a1", 0x0015b513},
                {"snez a0, a1", 0x00b03533},
                {"jr a0", 0x00050067},
                {"csrr a0, mcycle", 0xb0002573},
                {"csrw mtvec, a0", 0x30551073},
                {"csrwi mscratch, 31", 0x340fd073},
                {"lw a0, -4(sp)", 0xffc12503},
                {"sw a0, -4(sp)", 0xfea12e23},
                {"srai a0, a0, 31", 0x41f55513},
                {"lui a0, 0xfffff", 0xfffff537},
                {"mulhsu a0, a1, a2", 0x02c5a533},
                {"remu a0, a1, a2", 0x02c5f533},
                {"x: beq a0, a1, x", 0x00b50063},
                {"x: j x", 0x0000006f},
                {"nop\nx: bnez a0, x-4", 0xfe051ee3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        rig_load(&rig, rows[i].text);
        const struct riscv_image *image = &rig.program.image;
        const uint32_t word = image->stmts[image->stmt_count - 1].word;
        if (word != rows[i].word)
            fail_msg("%s: %08" PRIx32 ", not %08" PRIx32, rows[i].text, word, rows[i].word);
        rig_free(&rig);
    }
}

static void expect_same_image(const struct riscv_image *a, const struct riscv_image *b,
                              const char *text)
{
    if (a->stmt_count != b->stmt_count || a->entry != b->entry)
        fail_msg("%zu statements, not %zu:\n%s", b->stmt_count, a->stmt_count, text);
    for (size_t i = 0; i < a->stmt_count; i++)
        if (a->stmts[i].word != b->stmts[i].word || a->stmts[i].address != b->stmts[i].address)
            fail_msg("0x%" PRIx32 ": %08" PRIx32 ", not %08" PRIx32 "\n%s", a->stmts[i].address,
                     b->stmts[i].word, a->stmts[i].word, text);
}

/* All bytes, of zeros those that are given alone. */
static void flatten(const struct riscv_image *image, uint8_t bytes[4096])
{
    memset(bytes, 0, 4096);
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct riscv_segment *segment = &image->segments[i];
        assert_true(segment->address + segment->size <= 4096);
        if (segment->filled)
            memcpy(bytes + segment->address, segment->bytes, segment->filled);
    }
}

/* Printed and assembled again: the same words and the same bytes. */
static void expect_round_trip(const char *text)
{
    static uint8_t bytes[2][4096];
    struct rig first, second;
    char *printed = NULL;
    size_t size;
    rig_load(&first, text);
    FILE *out = open_memstream(&printed, &size);
    assert_int_equal(kelvin_program_print(&first.program, out), 0);
    fclose(out);
    rig_load(&second, printed);
    expect_same_image(&first.program.image, &second.program.image, printed);
    flatten(&first.program.image, bytes[0]);
    flatten(&second.program.image, bytes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
    free(printed);
    rig_free(&first);
    rig_free(&second);
}

static void text_comes_back(void **state)
{
    (void)state;
    expect_round_trip("_start: la sp, top\n call f\n 1: beqz a0, 1b\n bgt a0, a1, 2f\n li a1, -1\n"
                      "csrr a0, mcycle\n csrw 0x7c0, a0\n fence\n fence.i\n 2: ebreak\n mpause\n"
                      ".globl f\n f: vneg.b.v.m v0, v4\n vabs.w.v v1, v2\n vwiden.h.v v8, v3\n"
                      "vld.b.p.xx v0, a0, a1\n aconv.vxv v48, v0, a0, v16\n flog a0\n ret\n"
                      ".data\n d: .word 1, d\n .byte 3\n .bss\n .zero 64\n top:\n");
    for (size_t round = 0; round < often(100); round++) { /* words, most of them instructions */
        static const uint8_t opcodes[] = {0x03, 0x13, 0x17, 0x23, 0x33, 0x37,
                                          0x63, 0x67, 0x6f, 0x73, 0x0f};
        struct dice dice = {round * 7919 + 3};
        char text[100 * 24];
        size_t used = 0;
        for (unsigned i = 0; i < 100; i++) {
            uint32_t word = (uint32_t)dice_next(&dice);
            if (dice_below(&dice, 3))
                word = (word & ~UINT32_C(127)) | opcodes[dice_below(&dice, sizeof opcodes)];
            if (dice_below(&dice, 2))
                word &= UINT32_C(0x01ffffff);
            used +=
                (size_t)snprintf(text + used, sizeof text - used, ".word 0x%08" PRIx32 "\n", word);
        }
        expect_round_trip(text);
    }
}

/* --- findings --------------------------------------------------------------------------------- */

static void ranges_have_edges(void **state)
{
    (void)state;
    static const struct {
        const char *good, *bad, *finding;
    } rows[] = {
        {"addi a0, a0, 2047", "addi a0, a0, 2048", ":1:14: error: the immediate 2048 is not in"},
        {"addi a0, a0, -2048", "addi a0, a0, -2049", ":1:14: error: the immediate -2049"},
        {"slli a0, a0, 31", "slli a0, a0, 32", ":1:14: error: the immediate 32 is not in 0 to 31"},
        {"slli a0, a0, 0", "slli a0, a0, -1", ":1:14: error: the immediate -1"},
        {"lw a0, 2047(a1)", "lw a0, 2048(a1)", ":1:8: error: the offset 2048"},
        {"sw a0, -2048(a1)", "sw a0, -2049(a1)", ":1:8: error: the offset -2049"},
        {"csrwi mscratch, 31", "csrwi mscratch, 32", ":1:17: error:"},
        {"lui a0, 0xfffff", "lui a0, 0x100000", ":1:9: error:"},
        {"li a0, 0xffffffff", "li a0, 0x100000000", ":1:8: error: the number 4294967296"},
        {"li a0, -2147483648", "li a0, -2147483649", ":1:8: error: the number -2147483649"},
        {"beqz a0, f\n.zero 4084\nnop\nf: nop", "beqz a0, f\n.zero 4092\nf: nop",
         ":1:10: error: the target is 4096 bytes away"},
        {"f: .zero 4096\nbeqz a0, f", "f: .zero 4096\nnop\nbeqz a0, f",
         ":3:10: error: the target is -4100 bytes away"},
        {"j f\n.zero 1048568\nf: nop", "j f\n.zero 1048572\nf: nop",
         ":1:3: error: the target is 1048576 bytes away"},
        {"nop", "adid a0, a0, 1", ":1:1: error: there is no instruction adid"},
        {"nop", "adid a0, a0, 1", "fix: did you mean addi"},
        {"nop", " vadd.w.vw v0, v1, v2", "fix: did you mean vadd.w.v"},
        {"vadd.w.vv v63, v0, v0", "vadd.w.vv v64, v0, v0", ":1:11: error: a vector register"},
        {"mv a0, x31", "mv a0, x32", ":1:8: error: a scalar register was expected"},
        {"j 1f\n1: nop", "j f", ":1:3: error:"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        rig_load(&rig, rows[i].good);
        rig_free(&rig);
        takt_expect(ARGS("run", takt_temp_file("bad.kelvin", rows[i].bad)), 1, NULL,
                    rows[i].finding);
    }
}

/* As a user meets them. */
static void ends_have_codes(void **state)
{
    (void)state;
    takt_expect(ARGS("run", takt_temp_file("end.kelvin", "_start: nop\n mpause\n")), 0,
                "mpause at 0x4 (_start+0x4, ", NULL);
    takt_expect(ARGS("run", takt_temp_file("end.kelvin", "_start: ebreak\n")), 0, "ebreak at 0x0",
                NULL);
    takt_expect(ARGS("run", takt_temp_file("bad.kelvin", "_start: nop\n lw a0, -4(zero)\n")), 1,
                NULL, "bad.kelvin:2:2: error: usage fault: a load from 0xfffffffc");
    takt_expect(ARGS("run", takt_temp_file("bad.kelvin", "_start: nop\n lw a0, -4(zero)\n")), 1,
                NULL, "outside of memory at 0x4 (_start+0x4, ");
    takt_expect(
        ARGS("run", "--max-instructions", "5", takt_temp_file("long.kelvin", "_start: j _start\n")),
        1, NULL, "has not ended after 5 instructions");
}

/* What check sees before anything is executed, and its other side. */
static void check_warns(void **state)
{
    (void)state;
    static const struct {
        const char *text, *warning; /* NULL: none */
    } rows[] = {
        {"csrr a2, 0x123\n mpause\n", ":1:1: warning: there is no CSR 0x123"},
        {"csrr a2, kisa\n mpause\n", NULL},
        {"csrw kisa, a2\n mpause\n", ":1:1: warning: kisa is read-only"},
        {"nop\n nop\n", ":2:2: warning: execution goes on behind this"},
        {"nop\n ret\n", NULL},
        {"nop\n ebreak\n", NULL},
        {"nop\n beqz a0, . + 8\n mpause\n", ":2:2: warning: there is no code at the target 0xc"},
        {"nop\n beqz a0, . + 4\n mpause\n", NULL},
        {"nop\n .word 0xffffffff\n mpause\n", ":2:2: warning: this is no instruction"},
        {"nop\n j 1f\n .word 0xffffffff\n1: mpause\n", NULL},
        {"vadd.w.vv.m v0, v1, v4\n mpause\n", ":1:1: warning: vector registers of a .m"},
        {"vmulw.b.vv v0, v2, v4\n mpause\n", ":1:1: warning: vmulw has no .b"},
        {"vzip.b.vv v0, v0, v4\n mpause\n", ":1:1: warning: the registers of vd"},
        {"aconv.vxv v0, v0, a0, v16\n mpause\n", ":1:1: warning: vd is v48"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        takt_expect(ARGS("check", takt_temp_file("check.kelvin", rows[i].text)), 0, NULL,
                    rows[i].warning);
        rig_load(&rig, rows[i].text);
        kelvin_program_check(&rig.program, &rig.diags);
        if ((rig.diags.count > 0) != (rows[i].warning != NULL))
            fail_msg("%s", rows[i].text);
        rig_free(&rig);
    }
}

/* vneg, vabs and vwiden are what the reference says they stand for. */
static void aliases_are_instructions(void **state)
{
    (void)state;
    static const struct {
        const char *alias, *insn, *sizes;
    } rows[] = {{"vneg", "vrsub", "bhw"}, {"vabs", "vabsd", "bhw"}, {"vwiden", "vaddw", "hw"}};
    for (size_t i = 0; i < 3; i++)
        for (const char *size = rows[i].sizes; *size; size++)
            for (unsigned m = 0; m < 2; m++) {
                char text[200];
                struct rig rig;
                snprintf(text, sizeof text, "%s.%c.v%s v8, v4\n%s.%c.vx%s v8, v4, zero\n",
                         rows[i].alias, *size, m ? ".m" : "", rows[i].insn, *size, m ? ".m" : "");
                rig_load(&rig, text);
                assert_int_equal(rig.program.image.stmts[0].word, rig.program.image.stmts[1].word);
                rig_free(&rig);
            }
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
                                       cmocka_unit_test(words_are_the_manuals),
                                       cmocka_unit_test(text_comes_back),
                                       cmocka_unit_test(ranges_have_edges),
                                       cmocka_unit_test(ends_have_codes),
                                       cmocka_unit_test(check_warns),
                                       cmocka_unit_test(aliases_are_instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
