/* Assembler: words and printed text, findings before the run and at its end. */
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
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

/* --- words and text --------------------------------------------------------------------------- */

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

/* All bytes, except zeros that are not given explicitly. */
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

/* As a user meets them. */
static void ends_have_codes(void **state)
{
    (void)state;
    takt_expect(ARGS("run", takt_temp_file("end.kelvin", "_start: nop\n mpause\n")), 0,
                "mpause at 0x4 (_start+0x4, ", NULL);
    takt_expect(ARGS("run", takt_temp_file("end.kelvin", "_start: ebreak\n")), 1, NULL,
                "end.kelvin:1:9: error: ebreak at 0x0");
    takt_expect(ARGS("run", takt_temp_file("end.kelvin", "_start: ebreak\n")), 1, NULL,
                "so ends a program that fails its own checks");
    takt_expect(ARGS("run", takt_temp_file("end.kelvin", "la t0, 1f\n csrw mepc, t0\n mret\n"
                                                         "1: ebreak\n")),
                1, NULL, "ebreak in user mode, mtvec is 0, at 0x10");
    const char *end = takt_temp_file("end.kelvin", "_start: ebreak\n");
    takt_expect(ARGS("run", "--functional-only", end), 1, NULL, "error: ebreak at 0x0");
    takt_expect(ARGS("run", "--functional-only", "--json", end), 1, "\"message\": \"ebreak at 0x0",
                NULL);
    end = takt_temp_file("end.kelvin", "_start: mpause\n");
    takt_expect(ARGS("run", "--functional-only", "--json", end), 0, "\"ending\": \"mpause at 0x0",
                NULL);
    end = takt_temp_file("end.kelvin", "csrr a0, mcycle\n mpause\n");
    takt_expect(ARGS("run", "--functional-only", end), 0, "; mcycle counted instructions", NULL);
    takt_expect(ARGS("run", takt_temp_file("bad.kelvin", "_start: nop\n lw a0, -4(zero)\n")), 1,
                NULL, "bad.kelvin:2:2: error: usage fault: a load from 0xfffffffc");
    takt_expect(ARGS("run", takt_temp_file("bad.kelvin", "_start: nop\n lw a0, -4(zero)\n")), 1,
                NULL, "outside of memory at 0x4 (_start+0x4, ");
    takt_expect(ARGS("run", takt_temp_file("bad.kelvin", "li t0, 64\n jr t0\n mpause\n")), 1, NULL,
                "bad.kelvin:2:2: error: execution left the code of the program, after ");
    takt_expect(ARGS("run", takt_temp_file("bad.kelvin", "la t0, 1f\n csrw mepc, t0\n mret\n"
                                                         "1: mpause\n")),
                1, NULL, "undefined instruction: mpause in user mode, mtvec is 0, at 0x10");
    takt_expect(ARGS("run", takt_temp_file("log.kelvin", "la a0, f\n flog a0\n mpause\n .data\n"
                                                         "f: .asciz \"hello\"\n")),
                0, "\nPRINTED 1 line: --dump - shows it\n", NULL);
    takt_expect(
        ARGS("run", "--max-instructions", "5", takt_temp_file("long.kelvin", "_start: j _start\n")),
        1, NULL, "has not ended after 5 instructions");
}

/* The records of the reference's examples: arguments, then the format that prints them. */
static void logs_print(void **state)
{
    (void)state;
    static const struct {
        const char *code, *data, *printed;
    } rows[] = {
        {"la a0, p\n klog a0\n", "p: .asciz \"text message\"\nfmt: .asciz \"Test %s\\n\"",
         "Test text message\n"},
        {"", "fmt: .asciz \"Test\"", "Test"},
        {"li a0, -7\n slog a0\n", "fmt: .asciz \"Test %d %%\"", "Test -7 %"},
        {"li a0, 123\n slog a0\n li a0, 0x00636261\n clog a0\n li a0, 0x34333231\n clog a0\n"
         "clog zero\n li a0, 0x41393837\n clog a0\n li a0, 0x42\n clog a0\n",
         "fmt: .asciz \"Test %d %s %s %s\\n\"", "Test 123 abc 1234 789AB\n"},
        {"li a0, 0x3fc00000\n slog a0\n li a0, 255\n slog a0\n slog a0\n",
         "fmt: .asciz \"%.2f %04x %u\"", "1.50 00ff 255"},
        {"", "fmt: .asciz \"%d %s\"", "? ?"},
        {"la a0, p\n slog a0\n", "p: .asciz \"pointed at\"\nfmt: .asciz \"%s\"", "pointed at"},
        {"li a0, 1\n slog a0\n la a0, fmt\n flog a0\n", "fmt: .asciz \"%d.\"", "1.?."},
        {"li a0, -1\n klog a0\n", "fmt: .asciz \"[%s]\"", "[]"}, /* outside memory */
        {"li a0, -1\n slog a0\n", "fmt: .asciz \"[%s]\"", "[]"},
        {"li a0, 0x1f\n slog a0\n slog a0\n slog a0\n slog a0\n", /* length modifiers are ignored */
         "fmt: .asciz \"%p %lx %#hho %zX\"", "0x1f 1f 037 1F"},
        {"li a0, 0x41\n slog a0\n li a0, 0x3e800000\n slog a0\n slog a0\n",
         "fmt: .asciz \"%-3c|%e|%+g\"", "A  |2.500000e-01|+0.25"},
        {"", "fmt: .asciz \"a%yb%\"", "a?b?"}, /* invalid conversions */
        {"li a0, 5\n slog a0\n", "fmt: .asciz \"%1234567d.\"", "?d."},
        {"li a0, 5\n slog a0\n", "fmt: .asciz \"%                              d.\"",
         "?        d."}, /* the maximum number of characters */
        {"la a0, p\n klog a0\n li a1, 9\n slog a1\n slog a1\n", /* one too many */
         "p: .asciz \"s\"\nfmt: .asciz \"%s%i\"", "s9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500];
        struct rig rig;
        char *printed = NULL;
        size_t size;
        snprintf(text, sizeof text, "%sla a1, fmt\n flog a1\n mpause\n .data\n%s\n", rows[i].code,
                 rows[i].data);
        rig_load(&rig, text);
        FILE *out = open_memstream(&printed, &size);
        rig.exec = kelvin_exec_new(&rig.program, &(struct kelvin_exec_options){.dump = out});
        assert_non_null(rig.exec);
        kelvin_exec_advance(rig.exec, 1000, NULL);
        fclose(out);
        assert_int_equal(kelvin_exec_end(rig.exec), KELVIN_ENDED);
        assert_string_equal(printed, rows[i].printed);
        free(printed);
        rig_free(&rig);
    }
}

/* Words are written and read back, by register, by address and by label. */
static void words_in_and_out(void **state)
{
    (void)state;
    const char *in = takt_temp_path("in"), *big = takt_temp_path("big");
    const char *program = takt_temp_file("words.kelvin", "_start:\n lw a0, 0(x9)\n"
                                                         " vadd.w.vv v2, v1, v1\n mpause\n"
                                                         " .data\n .align 3\nat: .dword 0\n");
    const uint64_t words[4] = {UINT64_C(0x0000000200000001), 3, 4, UINT64_C(0x7fffffff00000005)};
    FILE *file = fopen(in, "wb");
    assert_int_equal(fwrite(words, 8, 4, file), 4);
    fclose(file);
    file = fopen(big, "wb");
    for (int shift = 56; shift >= 0; shift -= 8) /* the address for x9 */
        putc((int)(UINT64_C(0x20004) >> shift & 0xff), file);
    fclose(file);
    static const struct {
        const char *save;
        uint64_t word;
    } rows[] = {{"v@2", UINT64_C(0x0000000400000002)},
                {"v@2:3+1", UINT64_C(0xfffffffe0000000a)},
                {"x@5", 3},
                {"m:0x4000+1", 4},
                {"m:at+1", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char v[300], x[300], m[300], save[300];
        const char *out = takt_temp_path("out");
        size_t size;
        snprintf(v, sizeof v, "v@1=%s", in);
        snprintf(x, sizeof x, "x@4=%s", in);
        snprintf(m, sizeof m, "m:0x3ffe=%s", in);
        snprintf(save, sizeof save, "%s=%s", rows[i].save, out);
        takt_expect(ARGS("run", program, "--load", v, "--load", x, "--load", m, "--save", save), 0,
                    " cycles   ", NULL);
        char *saved = takt_read_file(out, &size);
        uint64_t word;
        assert_non_null(saved);
        assert_int_equal(size, i == 0 ? 32 : 8);
        memcpy(&word, saved, 8);
        if (word != rows[i].word)
            fail_msg("%s: %llx", rows[i].save, (unsigned long long)word);
        free(saved);
    }
    /* x9 is 0x20004, where the upper half of the word 0x4000 is. */
    char x[300], m[300], saved[300];
    const char *out = takt_temp_path("x10");
    snprintf(x, sizeof x, "x@9=%s", big);
    snprintf(m, sizeof m, "m:0x4000=%s", big);
    snprintf(saved, sizeof saved, "x@10=%s", out);
    takt_expect(
        ARGS("run", program, "--load", x, "--load", m, "--save", saved, "--word-order", "big"), 0,
        " cycles   ", NULL);
    char *bytes = takt_read_file(out, NULL);
    assert_memory_equal(bytes, "\0\0\0\0\0\0\0\0", 8);
    free(bytes);

    static const struct {
        const char *save, *sentence;
    } bad[] = {{"x@32", "'x@32' is beyond the registers"},
               {"x@1:1", "'x@1:1' is beyond the registers"},
               {"v@64", "'v@64' is beyond the registers"},
               {"v@63:1+4", "'v@63:1+4' is beyond the words that are there"},
               {"m:_start+1", NULL},
               {"m:none+1", "names no label at a multiple of 8"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(saved, sizeof saved, "%s=%s", bad[i].save, takt_temp_path("no"));
        takt_expect(ARGS("run", program, "--save", saved), bad[i].sentence ? i == 5 ? 1 : 2 : 0,
                    NULL, bad[i].sentence);
    }
}

/* Warnings of check before execution, and similar programs without a warning. */
static void check_warns(void **state)
{
    (void)state;
    static const struct {
        const char *text, *warning; /* NULL: none */
    } rows[] = {
        {"csrr a2, 0x123\n mpause\n", ":1:1: error: there is no CSR 0x123"},
        {"csrr a2, kisa\n mpause\n", NULL},
        {"csrw kisa, a2\n mpause\n", ":1:1: error: kisa is read-only"},
        {"nop\n nop\n", ":2:2: error: execution continues after this"},
        {"nop\n ecall\n", NULL}, /* a supervisor may handle it */
        {"nop\n ret\n", NULL},
        {"nop\n ebreak\n", NULL},
        {"nop\n beqz a0, . + 8\n mpause\n", ":2:2: error: there is no code at the target 0xc"},
        {"nop\n beqz a0, . + 4\n mpause\n", NULL},
        {"nop\n .word 0xffffffff\n mpause\n", ":2:2: error: this is not an instruction"},
        {"j 1f\n .word 0\n1: .word 0xffffffff\n mpause\n",
         ":3:4: error: this is not an instruction"},
        {"lw a0, -4(zero)\n mpause\n", ":1:1: error: there is no memory at 0xfffffffc"},
        {"sb a0, 4(zero)\n mpause\n", NULL},
        {"nop\n j 1f\n .word 0xffffffff\n1: mpause\n", NULL},
        {"vadd.w.vv.m v0, v1, v4\n mpause\n", ":1:1: error: vector registers of a .m"},
        {"vmulw.b.vv v0, v2, v4\n mpause\n", ":1:1: error: vmulw has no .b"},
        {"vzip.b.vv v0, v0, v4\n mpause\n",
         ":1:1: warning: v0 to v1, which this writes, hold a source, v0"},
        {"vslidehn.b.1.vv.m v8, v4, v8\n mpause\n", ":1:1: warning: v8 is the destination"},
        {"aconv.vxv v0, v0, a0, v16\n mpause\n", ":1:1: error: vd is v48"},
    /* The reference: "must be dispatched without other instructions interleaved"; "adwinit must
         * be used to prepare the depthwise accumulator". */
#define DW(name) name ".vxv v8, v0, zero, v4\n"
        {"adwinit.v v0, v4\n" DW("adwconv") DW("vdwconv") "mpause\n", NULL},
        {"adwinit.v v0, v4\n" DW("adwconv") "li a1, 3\n" DW("vdwconv") "mpause\n", NULL},
        {"adwinit.v v0, v4\n vdup.b.x v0, a0\n" DW("adwconv") "mpause\n",
         ":3:1: warning: another vector instruction comes between this adwconv"},
        {"adwinit.v v0, v4\n" DW("adwconv") "vst.b.x v20, a0\n" DW("vdwconv") "mpause\n",
         ":4:1: warning: another vector instruction comes between this vdwconv"},
        {"adwinit.v v0, v4\n" DW("adwconv") "vst.b.x v20, a0\n adwinit.v v0, v4\n" DW(
             "vdwconv") "mpause\n",
         NULL},
        {DW("vdwconv") "mpause\n", ":1:1: warning: no adwinit comes before this vdwconv"},
        {"adwinit.v v0, v4\n1: " DW("vdwconv") "addi a0, a0, -1\n bnez a0, 1b\n mpause\n", NULL},
        {"adwinit.v v0, v4\n1: " DW("vdwconv") "vst.b.x v8, a1\n bnez a0, 1b\n mpause\n",
         ":2:4: warning: another vector instruction comes between this vdwconv"},
        {"call f\n" DW("vdwconv") "mpause\nf: adwinit.v v0, v4\n ret\n", NULL},
#undef DW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig rig;
        /* Code that always traps is an error, even if a run may never reach it. */
        const bool traps = rows[i].warning && strstr(rows[i].warning, " error: ");
        takt_expect(ARGS("check", takt_temp_file("check.kelvin", rows[i].text)), traps, NULL,
                    rows[i].warning);
        rig_load(&rig, rows[i].text);
        kelvin_program_check(&rig.program, &rig.diags);
        if ((rig.diags.count > 0) != (rows[i].warning != NULL))
            fail_msg("%s", rows[i].text);
        rig_free(&rig);
    }
}

/* vneg, vabs and vwiden equal their definitions in the reference. */
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_comes_back), cmocka_unit_test(ends_have_codes),
        cmocka_unit_test(logs_print),      cmocka_unit_test(words_in_and_out),
        cmocka_unit_test(check_warns),     cmocka_unit_test(aliases_are_instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
