/*
 * Logs beyond the cases'. What is known from outside: the cases' logs of one workgroup, which a
 * grid of several begins with; that the public simulator prints stack sizes in hexadecimal and
 * "Executed N times" in decimal, and runs one workgroup after the other; the seed's rules of the
 * SIMT stack, by which depths are counted here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_process.h"
#include "tests/ventus/logged.h"

static size_t times(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        count++;
    return count;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Lane k leaves at branch k for the join that all go to: a branch pushes two entries, the join of
 * that lane takes one away. Then 20 are left, and all of them name the join itself; a last join
 * finds none. */
enum { BRANCHES = 20 };

static void radix(void **state)
{
    (void)state;
    char program[2000], want[64];
    int used =
        snprintf(program, sizeof program,
                 ".launch threads 32\n.text\n_start:\nla t0, end\nsetrpc x0, t0, 0\nvid.v v1\n");
    for (int k = 0; k < BRANCHES; k++)
        used += snprintf(program + used, sizeof program - (size_t)used,
                         "li t1, %d\nvmv.v.x v2, t1\nvbeq v1, v2, end\n", k);
    snprintf(program + used, sizeof program - (size_t)used, "end: join\nendprg\n");
    size_t size;
    char *log = logged_of_text(program, &size);
    const char *seen = strstr(log, "stack size: "); /* that of setrpc */
    assert_non_null(seen);
    for (int k = 0; k <= 3 * BRANCHES; k++) {
        const int depth = k == 3 * BRANCHES   ? 0
                          : k >= 2 * BRANCHES ? 3 * BRANCHES - 1 - k
                          : k % 2             ? k / 2 + 1
                                              : k / 2 + 2;
        seen = strstr(seen + 1, "stack size: ");
        assert_non_null(seen);
        snprintf(want, sizeof want, "stack size: %x\n", (unsigned)depth);
        if (strncmp(seen, want, strlen(want)) != 0)
            fail_msg("change %d: %.20s, not %s", k, seen, want);
    }
    assert_null(strstr(seen + 1, "stack size: "));
    /* The last lane's join, 20 more and the last one, at one place. */
    snprintf(want, sizeof want, "core   0: Executed %d times\n", BRANCHES + 2);
    if (times(log, want) != 1)
        fail_msg("%s", strstr(log, "Executed") ? strstr(log, "Executed") : "no Executed");
    free(log);
}

/* --- workgroups ------------------------------------------------------------------------------- */

/* A program that does not ask where it is: the log of a grid is that of one workgroup, again and
 * again. */
static void same_groups(void **state)
{
    (void)state;
    static const char body[] = ".launch workgroup 12\n.launch threads 4\n.text\n_start:\n"
                               "csrr t0, lds\ncsrr t1, wid\nslli t2, t1, 10\nadd sp, t0, t2\n"
                               "beqz t1, 1f\nnop\nnop\n1: barrier\nsw t1, 0(sp)\nlw t3, 0(sp)\n"
                               "endprg\nj end\nend: li t1, 1\nsw t1, 0(sp)\nj end\n";
    char text[1000];
    size_t one, many;
    snprintf(text, sizeof text, ".launch grid 1\n%s", body);
    char *single = logged_of_text(text, &one);
    snprintf(text, sizeof text, ".launch grid 2, 1, 3\n%s", body);
    char *all = logged_of_text(text, &many);
    assert_int_equal(many, 6 * one);
    for (size_t i = 0; i < 6; i++)
        assert_memory_equal(all + i * one, single, one);
    /* Each ends with the store of core 0 that tells the host; the cores are the warps. */
    assert_int_equal(times(all, "0x00001000 (0x00000297) auipc"), 18);
    assert_int_equal(times(all, "core   2: 0x00001000 "), 6);
    assert_int_equal(times(all, "core   3:"), 0);
    free(single);
    free(all);
}

/* The order is that of x, then y, then z, with and without time. */
static void order(void **state)
{
    (void)state;
    static const char text[] = ".launch grid 3, 2, 2\n.launch workgroup 8\n.launch threads 4\n"
                               ".text\n_start:\ncsrr a0, gidx\ncsrr a1, gidy\ncsrr a2, gidz\n"
                               "bnez a0, 1f\nnop\nnop\nnop\nnop\n1: endprg\n";
    size_t size;
    char *log = logged_of_text(text, &size);
    const char *at = log;
    char want[80];
    for (unsigned group = 0; group < 12; group++)
        for (unsigned core = 0; core < 2; core++) {
            snprintf(want, sizeof want, "core   %u: 3 0x80000000 (0x80802573) x10 0x%08x\n", core,
                     group % 3);
            at = strstr(at, want);
            assert_non_null(at);
            snprintf(want, sizeof want, "core   %u: 3 0x80000004 (0x809025f3) x11 0x%08x\n", core,
                     group / 3 % 2);
            assert_non_null(strstr(at, want));
            snprintf(want, sizeof want, "core   %u: 3 0x80000008 (0x80a02673) x12 0x%08x\n", core,
                     group / 6);
            assert_non_null(strstr(at, want));
        }
    for (int timed = 0; timed < 2; timed++) {
        const char *program = takt_temp_file("order.ventus", text);
        const char *path = takt_temp_path("order.log");
        const char *const arguments[] = {
            "run", "--log", path, program, timed ? NULL : "--functional-only", NULL};
        struct takt_result result = takt_run(arguments);
        assert_int_equal(result.exit_code, 0);
        char *written = takt_read_file(path, NULL);
        assert_string_equal(written, log);
        free(written);
        takt_result_free(&result);
    }
    free(log);
}

/* A case with a grid of three: workgroup 0 does what it did alone. */
static void case_of_three(void **state)
{
    (void)state;
    struct logged_file *files;
    const size_t count = logged_files("8w4t/vecadd_0.metadata", &files);
    assert_int_equal(count, 1);
    /* Low and high words of start, kernel id, x. */
    char *x = files[0].text;
    for (int line = 0; line < 4; line++)
        x = strchr(x, '\n') + 1;
    assert_true(!strncmp(x, "00000001\n", 9) || !strncmp(x, "1\n", 2));
    *(strchr(x, '\n') - 1) = '3';
    FILE *out = fopen(files[0].path, "w");
    fwrite(files[0].text, 1, files[0].size, out);
    fclose(out);
    size_t size;
    char *log = logged_of_file(files[0].path, &size);
    struct logged_file *logs;
    assert_int_equal(logged_files("8w4t/vecadd_0.log", &logs), 1);
    assert_true(size > 2 * logs[0].size);
    assert_memory_equal(log, logs[0].text, logs[0].size);
    /* The others read another gidx, and then begin as this one did. */
    assert_int_equal(times(log, "csrr    x10, mhartid"), 3 * 8);
    free(log);
    logged_free(files, count);
    logged_free(logs, 1);
}

/* --- no log ----------------------------------------------------------------------------------- */

/* Workgroup 0 waits for the other one, which runs beside it in time: one after the other it never
 * ends. */
static void waits(void **state)
{
    (void)state;
    const char *path = takt_temp_path("waits.log");
    const char *program =
        takt_temp_file("waits.ventus", ".launch grid 2\n.launch threads 4\n.arg flag\n"
                                       ".buffer flag, 64\n.text\n_start:\ncsrr t0, knl\n"
                                       "lw t1, 4(t0)\nlw t1, 0(t1)\ncsrr t2, gidx\nbnez t2, set\n"
                                       "1: lw t3, 0(t1)\nbeqz t3, 1b\nendprg\nset: li t4, 1\n"
                                       "sw t4, 0(t1)\nendprg\n");
    const char *const alone[] = {"run", program, NULL};
    struct takt_result result = takt_run(alone);
    assert_int_equal(result.exit_code, 0);
    takt_result_free(&result);
    const char *const logged[] = {"run", "--log", path, program, NULL};
    result = takt_run(logged);
    assert_int_equal(result.exit_code, 1);
    assert_non_null(strstr(result.err, "does one wait for a later one?"));
    takt_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radix),         cmocka_unit_test(same_groups), cmocka_unit_test(order),
        cmocka_unit_test(case_of_three), cmocka_unit_test(waits),
    };
    return cmocka_run_group_tests(tests, logged_unpack, logged_clear);
}
