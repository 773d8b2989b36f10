/* Values of whole AMX programs through the machine: dumps, memory, threads, files. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/amx/recording.h"

static void expect_dump(const char *text, const char *dump)
{
    struct recording *r = recording_run(text, NULL, NULL);
    if (r->status != 0)
        diag_print(&r->diags, &r->source, 1, stderr, false);
    recording_assert_sound(r);
    assert_string_equal(r->dump, dump);
    recording_free(r);
}

/* The form of issue 7: words as numbers, word 0 first, bytes little-endian. */
static void set_and_get_have_the_agreed_form(void **state)
{
    (void)state;
    expect_dump("d set $z5 8 0000000000000000111111111111111122222222222222223333333333333333"
                "4444444444444444555555555555555566666666666666660123456789ABCDEF\n"
                "  d get $z5 8   # now\n",
                "DEBUG-Z(5,0):(0x0000000000000000, 0x1111111111111111, 0x2222222222222222, "
                "0x3333333333333333, 0x4444444444444444, 0x5555555555555555, 0x6666666666666666, "
                "0x0123456789abcdef) #d get $z5 8\n");
    /* A store shows the byte order: byte 0 of the register is the lowest of word 0. */
    expect_dump("d set $x3 1 0807060504030201\nstx x=3 addr=1\nd get $m0 2\n",
                "DEBUG-M(0,0):(0x0706050403020100, 0x0000000000000008) #d get $m0 2\n");
}

static void a_long_get_has_one_line_a_register(void **state)
{
    (void)state;
    expect_dump(
        "d set $x1 1 0000000000000005\nd get $x0 9\nd get $m64 9\n",
        "DEBUG-X(0,0):(0x0000000000000000, 0x0000000000000000, 0x0000000000000000, "
        "0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, "
        "0x0000000000000000) #d get $x0 9\nDEBUG-X(1,0):(0x0000000000000005) #d get $x0 9\n"
        "DEBUG-M(64,0):(0x0000000000000000, 0x0000000000000000, 0x0000000000000000, "
        "0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, "
        "0x0000000000000000) #d get $m64 9\nDEBUG-M(128,0):(0x0000000000000000) #d get $m64 "
        "9\n");
}

/* 1.0f * 2.0f added three times; only lane 0 of X and of Y. */
static void a_kernel_accumulates(void **state)
{
    (void)state;
    expect_dump(
        "d set $x0 1 000000003f800000\nd set $y0 1 0000000040000000\n.repeat 3\n"
        "matfp f32 z=1\n.end\nmatfp f32 z=2 alu=fms\nd get $z1 1\nd get $z2 1\nd get $z0 1\n",
        "DEBUG-Z(1,0):(0x0000000040c00000) #d get $z1 1\n"
        "DEBUG-Z(2,0):(0x00000000c0000000) #d get $z2 1\n"
        "DEBUG-Z(0,0):(0x0000000000000000) #d get $z0 1\n");
}

/* Loads and stores of every file, pairs over the end of the ring, steps in two blocks. */
static void memory_goes_round(void **state)
{
    (void)state;
    expect_dump("d set $m0 1 00000000000000aa\nd set $m64 1 00000000000000bb\n"
                "ldx x=7 addr=0 pair\nldy y=7 addr=0 pair\nldz z=63 addr=0 pair\n"
                "d get $x7 1\nd get $x0 1\nd get $y7 1\nd get $y0 1\nd get $z63 1\nd get $z0 1\n"
                "sty y=7 addr=256 pair\nstz z=63 addr=512\nd get $m256 1\nd get $m320 1\n"
                "d get $m512 1\n",
                "DEBUG-X(7,0):(0x00000000000000aa) #d get $x7 1\n"
                "DEBUG-X(0,0):(0x00000000000000bb) #d get $x0 1\n"
                "DEBUG-Y(7,0):(0x00000000000000aa) #d get $y7 1\n"
                "DEBUG-Y(0,0):(0x00000000000000bb) #d get $y0 1\n"
                "DEBUG-Z(63,0):(0x00000000000000aa) #d get $z63 1\n"
                "DEBUG-Z(0,0):(0x00000000000000bb) #d get $z0 1\n"
                "DEBUG-M(256,0):(0x00000000000000aa) #d get $m256 1\n"
                "DEBUG-M(320,0):(0x00000000000000bb) #d get $m320 1\n"
                "DEBUG-M(512,0):(0x00000000000000aa) #d get $m512 1\n");
    /* Outer turn o, inner turn i: address 1000 + 1000 o - 64 i. Six stores, the last at 1872. */
    expect_dump("d set $x0 1 0000000000000001\n.repeat 2\n.repeat 3\n"
                "stx x=0 addr=1000 step=-64,1000\n.end\n.end\nd get $m872 1\nd get $m936 1\n"
                "d get $m1000 1\nd get $m1872 1\nd get $m2000 1\nd get $m2064 1\n",
                "DEBUG-M(872,0):(0x0000000000000001) #d get $m872 1\n"
                "DEBUG-M(936,0):(0x0000000000000001) #d get $m936 1\n"
                "DEBUG-M(1000,0):(0x0000000000000001) #d get $m1000 1\n"
                "DEBUG-M(1872,0):(0x0000000000000001) #d get $m1872 1\n"
                "DEBUG-M(2000,0):(0x0000000000000001) #d get $m2000 1\n"
                "DEBUG-M(2064,0):(0x0000000000000000) #d get $m2064 1\n");
}

static void set_makes_registers_zero(void **state)
{
    (void)state;
    expect_dump(
        "ldx x=0 addr=0\nd set $x0 1 0000000000000001\nclr\nd get $x0 1\nset\nd get $x0 1\n",
        "DEBUG-X(0,0):(0x0000000000000001) #d get $x0 1\n"
        "DEBUG-X(0,0):(0x0000000000000000) #d get $x0 1\n");
}

/* Registers are a thread's own, memory is one; sections run in the order of the text. */
static void threads_have_their_own_registers(void **state)
{
    (void)state;
    expect_dump(
        ".thread 0\nd set $x0 1 0000000000000001\n.thread 1..2\nd get $x0 1\n"
        "d set $x0 1 0000000000000002\nstx x=0 addr=0\n.thread 0\nd get $x0 1\nldx x=0 addr=0\n"
        "d get $x0 1\n",
        "DEBUG-X(0,0):(0x0000000000000000) #d get $x0 1\n"
        "DEBUG-X(0,0):(0x0000000000000000) #d get $x0 1\n"
        "DEBUG-X(0,0):(0x0000000000000001) #d get $x0 1\n"
        "DEBUG-X(0,0):(0x0000000000000002) #d get $x0 1\n");
}

/* The raw form of a bf16 operand means f16 on the M1: 1.0 in bf16 is 0x3f80. */
static void the_version_decides_what_modes_mean(void **state)
{
    (void)state;
    static const char body[] = "d set $x0 1 0000000000003f80\nd set $y0 1 0000000000003f80\n"
                               ".operand 0x0\nd get $z0 1\n";
    char text[300];
    snprintf(text, sizeof text, ".version M2\n%s", body);
    expect_dump(text, "DEBUG-Z(0,0):(0x0000000000003f80) #d get $z0 1\n");
    /* f16: 1.875 * 1.875 = 3.515625 = 0x4308. */
    expect_dump(body, "DEBUG-Z(0,0):(0x0000000000004308) #d get $z0 1\n");
}

/* --load and --save move 64-bit words; the reference arithmetic gives the same state. */
static void files_go_in_and_out(void **state)
{
    (void)state;
    char in[] = "/tmp/takt-amx-in-XXXXXX", out[] = "/tmp/takt-amx-out-XXXXXX";
    const int in_file = mkstemp(in);
    int out_file = mkstemp(out);
    assert_true(in_file >= 0 && out_file >= 0);
    const uint8_t bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 0xff};
    assert_int_equal(write(in_file, bytes, sizeof bytes), sizeof bytes);
    char load[100], save[100];
    snprintf(load, sizeof load, "m:3=%s", in);
    snprintf(save, sizeof save, "x@1:8+2=%s", out);
    const char *const loads[] = {load, NULL}, *const saves[] = {save, NULL};
    const struct run_options options = {.loads = loads, .saves = saves};
    struct recording *r = recording_run(".thread 1\nldx x=1 addr=24\n", &options, NULL);
    assert_int_equal(r->status, 0);
    uint8_t got[17];
    close(out_file);
    out_file = open(out, O_RDONLY); /* another file of the same name */
    assert_int_equal(read(out_file, got, sizeof got), 16);
    assert_memory_equal(got, bytes, 16);
    recording_free(r);
    static const char *const bad[] = {"m:0",
                                      "q:0=/dev/null",
                                      "m:8388608=/dev/null",
                                      "x@16:0=/dev/null",
                                      "m@0:0=/dev/null",
                                      "m:0=/nonexistent/file"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const list[] = {bad[i], NULL};
        const struct run_options wrong = {.loads = list};
        r = recording_run("clr\n", &wrong, NULL);
        assert_int_equal(r->status, 1);
        assert_true(r->error[0] != '\0');
        recording_free(r);
    }
    close(in_file);
    close(out_file);
    unlink(in);
    unlink(out);
}

static void state_hashes_differ(void **state)
{
    (void)state;
    static const char text[] =
        ".version M2\n.repeat 20\nmatfp f32 x=3 ix=1:4\nmatfp f16f32 y=7 alu=fms\n"
        "matfp f64 z=3\nmatfp bf16\n.end\nstz z=0 addr=640\n";
    const struct run_options random = {.init = "random:5"}, other = {.init = "random:6"};
    const struct run_options reference = {.init = "random:5", .reference = true};
    struct recording *a = recording_run(text, &random, NULL);
    struct recording *b = recording_run(text, &reference, NULL);
    struct recording *c = recording_run(text, &other, NULL);
    recording_assert_sound(a);
    assert_int_equal(a->hash, b->hash);
    assert_int_not_equal(a->hash, c->hash);
    recording_free(a);
    recording_free(b);
    recording_free(c);
    const struct run_options wrong = {.init = "ones"};
    a = recording_run(text, &wrong, NULL);
    assert_int_equal(a->status, 1);
    recording_free(a);
}

/* A cluster that the chip does not have is found by check. */
static void clusters_must_exist(void **state)
{
    (void)state;
    struct recording *r = recording_run("\n.thread 1..4\n.cluster 3\nclr\n", NULL, NULL);
    assert_int_equal(r->status, 1);
    assert_int_equal(r->diags.errors, 1);
    assert_int_equal(r->diags.items[0].line, 3);
    recording_free(r);
    static const char *const sets[] = {"clusters=3", NULL};
    r = recording_run("\n.thread 1..4\n.cluster 3\nclr\n", NULL, sets);
    assert_int_equal(r->status, 0);
    recording_free(r);
    static const char *const none[] = {"efficiency_clusters=0", NULL};
    r = recording_run("\n.thread 1..4\n.cluster 2\nclr\n", NULL, none);
    assert_int_equal(r->status, 1);
    recording_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_and_get_have_the_agreed_form),
        cmocka_unit_test(a_long_get_has_one_line_a_register),
        cmocka_unit_test(a_kernel_accumulates),
        cmocka_unit_test(memory_goes_round),
        cmocka_unit_test(set_makes_registers_zero),
        cmocka_unit_test(threads_have_their_own_registers),
        cmocka_unit_test(the_version_decides_what_modes_mean),
        cmocka_unit_test(files_go_in_and_out),
        cmocka_unit_test(state_hashes_differ),
        cmocka_unit_test(clusters_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
