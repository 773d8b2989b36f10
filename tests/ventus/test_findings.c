/* Findings of takt run as a user sees them: where they stand, their names, silence, the exit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_process.h"

#define LAUNCH ".launch grid 1\n.launch workgroup 16\n.launch threads 8\n.buffer a, 64\n.text\n"

/* Both warps store their number at one address. */
static const char racing[] = LAUNCH "_start:\n"
                                    "  la t0, a\n"
                                    "  csrr t1, wid\n"
                                    "  addi t1, t1, 1\n"
                                    "  sw t1, 0(t0)\n"
                                    "  endprg\n";

static struct takt_result run(const char *text, const char *option, const char *value)
{
    const char *const arguments[] = {"run", takt_temp_file("k.ventus", text), option, value, NULL};
    return takt_run(arguments);
}

static void says(struct takt_result *r, int code, const char *sentence)
{
    if (r->exit_code != code || !strstr(r->err, sentence))
        fail_msg("exit %d: %s", r->exit_code, r->err);
    takt_result_free(r);
}

static void warnings(void **state)
{
    (void)state;
    struct takt_result r = run(racing, NULL, NULL);
    assert_non_null(strstr(r.err, "k.ventus:10:3: warning: pc 0x8000"));
    assert_non_null(strstr(r.err, ": writes 0x90000000, written at pc 0x8000"));
    assert_non_null(strstr(r.err, "[race]\n    sw t1, 0(t0)\n    ^~~~~~~~~~~~"));
    says(&r, 0, "0 errors, 1 warning\n");
    r = run(racing, "--silence", "race");
    assert_null(strstr(r.err, "warning"));
    says(&r, 0, "");
    r = run(racing, "--silence", "rays");
    says(&r, 2,
         "no warning of ventus is named 'rays'; the names are all, uninitialised, registers, "
         "race, beyond-buffer, barrier, illegal");
    /* Without time, and in the answer of a run with time. */
    r = run(racing, "--functional-only", NULL);
    says(&r, 0, "[race]");
    r = run(racing, "--json", NULL);
    assert_non_null(strstr(r.out, "\"race\""));
    takt_result_free(&r);
    /* A barrier between: nothing to say. */
    r = run(LAUNCH "_start:\n  la t0, a\n  csrr t1, wid\n  bnez t1, 1f\n  sw t0, 0(t0)\n"
                   "1: barrier\n  beqz t1, 2f\n  sw t1, 0(t0)\n2: endprg\n",
            NULL, NULL);
    assert_string_equal(r.err, "");
    says(&r, 0, "");
}

static void faults(void **state)
{
    (void)state;
    struct takt_result r = run(LAUNCH "_start:\n  li t0, 0x1000\n  vmv.v.x v1, t0\n"
                                      "  vlw_global.v v2, 4(v1)\n  endprg\n",
                               "--functional-only", NULL);
    says(&r, 1,
         "k.ventus:9:3: error: pc 0x80000008: workgroup (0, 0, 0), warp 0: lane 0: load of "
         "4 bytes at 0x00001004, where no buffer is\n    vlw_global.v v2, 4(v1)\n    "
         "^~~~~~~~~~~~~~~~~~~~~~\n1 error, 0 warnings");
    r = run(LAUNCH "_start:\n  j _start\n", "--max-instructions", "1000");
    says(&r, 1, "the launch has not ended after 1000 instructions");
    r = run(LAUNCH "_start:\n  endprg\n", "--max-instructions", "2");
    says(&r, 0, "");
    r = run(LAUNCH "_start:\n  endprg\n", "--max-instructions", "1"); /* there are two warps */
    says(&r, 1, "the launch has not ended after 1 instructions");
}

/* Warp 0 prints twice: a text that ends, then eight bytes that fill the buffer. */
static void printed(void **state)
{
    (void)state;
    static const char text[] = ".launch grid 1\n.launch workgroup 16\n.launch threads 8\n"
                               ".launch print 8\n.text\n_start:\n  csrr t0, wid\n  bnez t0, 1f\n"
                               "  csrr t0, knl\n  lw t1, 48(t0)\n  li t2, 0x0a6968\n"
                               "  sw t2, 0(t1)\n  li t2, 1\n  csrw print, t2\n"
                               "  csrr t3, print\n  bnez t3, 1f\n  lw t3, 0(t1)\n"
                               "  bnez t3, 1f\n  li t2, 0x41414141\n  sw t2, 0(t1)\n"
                               "  sw t2, 4(t1)\n  li t2, 1\n  csrw print, t2\n1: endprg\n";
    for (int timed = 0; timed < 2; timed++) {
        const char *const arguments[] = {
            "run",     takt_temp_file("p.ventus", text),   "--dump", "-",
            "--quiet", timed ? NULL : "--functional-only", NULL};
        struct takt_result r = takt_run(arguments);
        assert_string_equal(r.err, "");
        assert_string_equal(r.out, "hi\nAAAAAAAA");
        assert_int_equal(r.exit_code, 0);
        takt_result_free(&r);
    }
}

static int64_t field(const char *option, const char *load, const char *name)
{
    struct takt_result r = takt_run((const char *[]){"run", "examples/ventus/collatz.ventus",
                                                     "--json", "--load", load, option, NULL});
    const char *at = strstr(r.out, name);
    if (r.exit_code || !at)
        fail_msg("exit %d: %s", r.exit_code, r.err);
    const int64_t value = strtoll(at + strlen(name), NULL, 10);
    takt_result_free(&r);
    return value;
}

/* 27 takes 111 steps to 1, the example's numbers fewer: what is loaded decides the time, of the
 * second, documented run of the same command, too. */
static void loaded(void **state)
{
    (void)state;
    char words[129] = "", load[300];
    for (unsigned i = 0; i < 32; i++)
        memcpy(words + 4 * i, "\x1b", 2);
    const char *file = takt_temp_file("n.bin", "");
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(words, 1, 128, out), 128);
    fclose(out);
    snprintf(load, sizeof load, "m:n=%s", file);
    const int64_t beside = field(NULL, load, "\"cycles_documented\": ");
    assert_int_equal(beside, field("--documented", load, "\"cycles\": "));
    assert_true(beside > 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warnings),
        cmocka_unit_test(faults),
        cmocka_unit_test(printed),
        cmocka_unit_test(loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
