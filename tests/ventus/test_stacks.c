/*
 * Scalar stacks. What is known from outside: the manual's start-up code, with its 1,024 bytes for a
 * warp and the "1M size for single warp" of its comment, by which warp 1 has 0x70100000; and the
 * cases, whose logs another start-up code changes in the addresses of the stacks alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/takt_process.h"
#include "tests/ventus/logged.h"

/* --- the cases with a MiB a warp -------------------------------------------------------------- */

static bool digits(const char *at, size_t count)
{
    return strspn(at, "0123456789abcdef") >= count;
}

/* The line of a core as it is when a stack is a MiB: words in its stack move, and the two
 * instructions say so that make its address. */
static void move(char *line, unsigned core)
{
    static const char *const says[][2] = {
        {"0x80000024 (0x40000e13) li      x28, 1024", "0x80000024 (0x00100e37) lui     x28, 0x100"},
        {"0x80000024 (0x40000e13) x28 0x00000400", "0x80000024 (0x00100e37) x28 0x00100000"},
    };
    for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
        char *at = strstr(line, says[i][0]);
        if (!at)
            continue;
        memmove(at + strlen(says[i][1]), at + strlen(says[i][0]),
                strlen(at + strlen(says[i][0])) + 1);
        memcpy(at, says[i][1], strlen(says[i][1]));
    }
    const bool product = strstr(line, "0x80000028 (0x03c30333) x6 ") != NULL;
    for (char *at = line; *at; at++) {
        if (!digits(at, 8))
            continue;
        char word[9] = "";
        memcpy(word, at, 8);
        const unsigned long value = strtoul(word, NULL, 16), from = 0x70000000 + 1024 * core;
        unsigned long moved = value;
        if (value >= from && value < from + 1024)
            moved = value + core * (0x100000ul - 1024);
        else if (product && value == 1024 * core)
            moved = core * 0x100000ul;
        snprintf(word, sizeof word, "%08lx", moved);
        memcpy(at, word, 8);
        at += 7;
    }
}

static char *moved(const char *log)
{
    char *out, line[4096];
    size_t size;
    unsigned core = 0;
    FILE *file = open_memstream(&out, &size);
    for (const char *at = log, *end; *at; at = end) {
        end = strchr(at, '\n') + 1;
        assert_true((size_t)(end - at) < sizeof line - 64);
        snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
        if (!strncmp(line, "core", 4))
            core = (unsigned)strtoul(line + 4, NULL, 10);
        move(line, core);
        fputs(line, file);
    }
    fclose(file);
    return out;
}

static void start_up_of_a_mib(void **state)
{
    (void)state;
    struct logged_file *logs, *data;
    const size_t count = logged_files(".log", &logs), all = logged_files(".data", &data);
    /* `li t3, 1024` of the start-up code: lui t3, 0x100. Those in kernels stay. */
    for (size_t i = 0; i < all; i++) {
        char *start = strstr(data[i].text, "02000e93");
        char *at = start ? strstr(start, "40000e13") : NULL;
        assert_non_null(at);
        memcpy(at, "00100e37", 8);
        FILE *file = fopen(data[i].path, "w");
        fwrite(data[i].text, 1, data[i].size, file);
        fclose(file);
    }
    size_t far = 0;
    for (size_t i = 0; i < count; i++) {
        char metadata[512];
        snprintf(metadata, sizeof metadata, "%.*s.metadata", (int)(strlen(logs[i].path) - 4),
                 logs[i].path);
        size_t size;
        char *want = moved(logs[i].text), *got = logged_of_file(metadata, &size);
        if (strcmp(want, got) != 0)
            fail_msg("%s: another log", logs[i].path);
        far += strstr(got, "mem 0x701000") != NULL;
        free(want);
        free(got);
    }
    assert_int_equal(count, 45);
    assert_true(far >= 16); /* those with several warps do use them */
    logged_free(logs, count);
    logged_free(data, all);
}

/* --- programs --------------------------------------------------------------------------------- */

static struct takt_result run(const char *text, const char *mode)
{
    const char *program = takt_temp_file("stack.ventus", text);
    const char *const arguments[] = {"run", "--dump", "-", "--quiet", program, mode, NULL};
    return takt_run(arguments);
}

/* The sum over lines "(0x........)" of --dump. */
static unsigned long sum(const char *dump, unsigned *count)
{
    unsigned long total = 0;
    *count = 0;
    for (const char *at = dump; (at = strstr(at, ":(0x")); at++, ++*count)
        total += strtoul(at + 2, NULL, 16);
    return total;
}

/* The manual's stack of warp `wid`, a MiB each: every warp fills 64 KiB of it and adds it up. */
#define STACK "csrr t1, wid\ncsrr t2, lds\nli t3, 0x100000\nmul t1, t1, t3\nadd sp, t1, t2\n"
#define DEEP                                                                                       \
    "mv s0, sp\nli s1, 0x10000\nadd s1, s0, s1\n"                                                  \
    "1: csrr a1, wid\nadd a1, a1, a2\nsw a1, 0(s0)\naddi s0, s0, 1024\nbltu s0, s1, 1b\n"          \
    "barrier\nli a0, 0\nmv s0, sp\n"                                                               \
    "2: lw a1, 0(s0)\nadd a0, a0, a1\naddi s0, s0, 1024\nbltu s0, s1, 2b\n"

static void eight_warps(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; timed++) {
        struct takt_result result =
            run(".launch workgroup 32\n.launch threads 4\n.text\n_start:\nli a2, 1\n" STACK DEEP
                "# takt: get a0\nendprg\n",
                timed ? NULL : "--functional-only");
        unsigned count;
        assert_int_equal(result.exit_code, 0);
        assert_string_equal(result.err, ""); /* no warning */
        /* 64 words of wid + 1 in each of 8 warps. */
        assert_int_equal(sum(result.out, &count), 64 * 36);
        assert_int_equal(count, 8);
        takt_result_free(&result);
    }
}

/* Workgroups on different SMs see stacks of their own, also when they run at the same time. */
static void sms(void **state)
{
    (void)state;
    for (int timed = 0; timed < 2; timed++) {
        struct takt_result result =
            run(".launch grid 2\n.launch workgroup 32\n.launch threads 4\n.text\n_start:\n"
                "csrr a2, gidx\nslli a2, a2, 8\n" STACK DEEP "# takt: get a0\nendprg\n",
                timed ? NULL : "--functional-only");
        unsigned count;
        assert_int_equal(result.exit_code, 0);
        /* 64 words of wid, then of wid + 256. */
        assert_int_equal(sum(result.out, &count), 64 * (28 + 28 + 8 * 256));
        assert_int_equal(count, 16);
        if (timed)
            assert_null(strstr(result.err, "race"));
        takt_result_free(&result);
    }
}

/* What a workgroup leaves on a stack is no part of the state: it is the same with and without time,
 * where other SMs have other stacks. */
static void hash(void **state)
{
    (void)state;
    const char *program =
        takt_temp_file("hash.ventus", ".launch grid 5\n.launch workgroup 8\n.launch threads 4\n"
                                      ".text\n_start:\n" STACK "csrr a0, gidx\nsw a0, 0(sp)\n"
                                      "endprg\n");
    const char *const with[] = {"run", "--quiet", "--hash", program, NULL};
    const char *const without[] = {"run", "--quiet", "--hash", "--functional-only", program, NULL};
    struct takt_result a = takt_run(with), b = takt_run(without);
    assert_int_equal(a.exit_code, 0);
    assert_int_equal(b.exit_code, 0);
    assert_true(a.out_size > 8);
    assert_string_equal(a.out, b.out);
    takt_result_free(&a);
    takt_result_free(&b);
}

/* Addresses and what is said of a store there, by two warps of four threads. */
static void edges(void **state)
{
    (void)state;
    static const struct {
        uint32_t address;
        int exit_code;
        const char *says; /* NULL: nothing */
    } rows[] = {
        {0x70000000, 0, NULL},
        {0x7001fffc, 0, NULL},
        {0x70020000, 0, NULL}, /* warp 0, deep */
        {0x700ffffc, 0, NULL},
        {0x70100000, 0, NULL},
        {0x701ffffc, 0, NULL},
        {0x70200000, 0, "4 bytes at 0x70200000, in no warp's stack: this workgroup has 2097152"},
        {0x7ffffffc, 0, "4 bytes at 0x7ffffffc, in no warp's stack"},
        {0x6ffffffc, 1, "store of 4 bytes at 0x6ffffffc, where no buffer is"},
        {0x80001000, 1, "store of 4 bytes at 0x80001000, where no buffer is"},
        {0x50000000, 1, "store of 4 bytes at 0x50000000, where no buffer is"},
        {0xa0000000, 1, "store of 4 bytes at 0xa0000000, where no buffer is"},
        {0x70100002, 1, "store of 4 bytes at 0x70100002, which is not a multiple of 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        snprintf(
            text, sizeof text,
            ".launch workgroup 8\n.launch threads 4\n.text\n_start:\ncsrr t1, wid\n"
            "beqz t1, 1f\nli t0, 0x%x\nsw t1, 0(t0)\nlw a0, 0(t0)\n# takt: get a0\n1: endprg\n",
            rows[i].address);
        struct takt_result result = run(text, "--functional-only");
        if (result.exit_code != rows[i].exit_code)
            fail_msg("0x%x: %s", rows[i].address, result.err);
        if (rows[i].says ? !strstr(result.err, rows[i].says) : result.err[0] != '\0')
            fail_msg("0x%x: %s", rows[i].address, result.err);
        unsigned count;
        if (!rows[i].exit_code)
            assert_int_equal(sum(result.out, &count), 1);
        takt_result_free(&result);
    }
}

/* Lanes, atomic operations and wide words get there, across the border between two MiB. */
static void all_kinds(void **state)
{
    (void)state;
    struct takt_result result =
        run(".launch workgroup 4\n.launch threads 4\n.text\n_start:\nli t0, 0x700ffff8\n"
            "vid.v v1\nvsll.vi v2, v1, 2\nvadd.vx v2, v2, t0\nvsw12.v v1, 0(v2)\n" /* 0 1 | 2 3 */
            "prefix_memory 0, 0, w128\nlw a0, 0(t0)\nadd a0, a0, a1\nadd a0, a0, a2\n"
            "add a0, a0, a3\n"                                                    /* 6 */
            "li t1, 0x70100000\nli t2, 40\namoadd.w a1, t2, (t1)\nlw a2, 0(t1)\n" /* 2, 42 */
            "add a0, a0, a1\nadd a0, a0, a2\nvlw12.v v3, 0(v2)\nvmv.x.s a1, v3\nadd a0, a0, a1\n"
            "# takt: get a0\nendprg\n",
            "--functional-only");
    unsigned count;
    assert_int_equal(result.exit_code, 0);
    assert_int_equal(sum(result.out, &count), 6 + 2 + 42 + 3);
    takt_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_up_of_a_mib),
        cmocka_unit_test(eight_warps),
        cmocka_unit_test(sms),
        cmocka_unit_test(hash),
        cmocka_unit_test(edges),
        cmocka_unit_test(all_kinds),
    };
    return cmocka_run_group_tests(tests, logged_unpack, logged_clear);
}
