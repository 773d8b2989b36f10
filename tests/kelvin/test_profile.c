/* takt profile: a program counted by hand, sums, and the cycles of regions in a trace, which are
 * counted another way; callgrind_annotate reads the export (skipped where it is missing). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "host/text.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

/* main calls twice 3 times, which calls leaf 2 times each and returns by another register; rec 4
 * calls itself 4 times; main jumps to last, which returns for it. A label is where leaf begins. */
static const char by_hand[] = "    .globl _start\n"
                              "    .type _start, @function\n"
                              "    .type main, @function\n"
                              "    .type twice, @function\n"
                              "    .type leaf, @function\n"
                              "    .type rec, @function\n"
                              "    .type last, @function\n"
                              "_start:\n"
                              "    li sp, 0x10000\n"
                              "    jal ra, main\n"
                              "    mpause\n"
                              "main:\n"
                              "    mv s11, ra\n"
                              "    li s0, 3\n"
                              "again:\n"
                              "    jal ra, twice\n"
                              "    addi s0, s0, -1\n"
                              "    bnez s0, again\n"
                              "    li a0, 4\n"
                              "    jal ra, rec\n"
                              "    mv ra, s11\n"
                              "    j last\n"
                              "twice:\n"
                              "    mv s1, ra\n"
                              "    la t1, leaf\n"
                              "    jalr ra, 0(t1)\n"
                              "    jal ra, leaf\n"
                              "    jr s1\n"
                              "alabel:\n"
                              "leaf:\n"
                              "    mul a1, a1, a1\n"
                              "    addi a1, a1, 1\n"
                              "    ret\n"
                              "rec:\n"
                              "    beqz a0, done\n"
                              "    addi sp, sp, -4\n"
                              "    sw ra, 0(sp)\n"
                              "    addi a0, a0, -1\n"
                              "    jal ra, rec\n"
                              "    lw ra, 0(sp)\n"
                              "    addi sp, sp, 4\n"
                              "done:\n"
                              "    ret\n"
                              "last:\n"
                              "    addi a2, a2, 1\n"
                              "    ret\n";

static json_int_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static json_t *profile(const char *path)
{
    struct takt_result result = takt_run(ARGS("profile", path, "--json"));
    assert_int_equal(result.exit_code, 0);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    takt_result_free(&result);
    return root;
}

static const json_t *function(const json_t *root, const char *name)
{
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(root, "functions"), i,
                       row) if (strcmp(json_string_value(json_object_get(row, "name")), name) ==
                                0) return row;
    fail_msg("no function %s", name);
    return NULL;
}

/* A node's inclusive cycles are its exclusive ones and its callees'. Returns the exclusive ones. */
static json_int_t hold_sums(const json_t *nodes)
{
    json_int_t exclusive = 0;
    size_t i, k;
    const json_t *node, *callee;
    json_array_foreach(nodes, i, node)
    {
        const json_t *callees = json_object_get(node, "callees");
        json_int_t below = 0;
        json_array_foreach(callees, k, callee) below += number(callee, "inclusive");
        assert_int_equal(number(node, "inclusive"), number(node, "exclusive") + below);
        exclusive += number(node, "exclusive") + hold_sums(callees);
    }
    return exclusive;
}

static void hold_all_sums(const json_t *root)
{
    const json_int_t charged = number(root, "charged");
    json_int_t functions = 0, lines = 0;
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(root, "functions"), i, row)
    {
        functions += number(row, "exclusive");
        assert_true(number(row, "inclusive") >= number(row, "exclusive"));
        assert_true(number(row, "waiting") <= number(row, "exclusive"));
    }
    json_array_foreach(json_object_get(root, "lines"), i, row) lines += number(row, "cycles");
    assert_int_equal(functions, charged);
    assert_int_equal(lines, charged);
    assert_int_equal(hold_sums(json_object_get(root, "calls")), charged);
    assert_true(charged > 0 && charged <= number(root, "cycles") * number(root, "streams"));
}

static void calls_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int calls;
    } rows[] = {{"_start", 1}, {"main", 1}, {"twice", 3}, {"leaf", 6}, {"rec", 5}, {"last", 1}};
    json_t *root = profile(takt_temp_file("hand.kelvin", by_hand));
    hold_all_sums(root);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(number(function(root, rows[i].name), "calls"), rows[i].calls);
    const json_t *start = json_array_get(json_object_get(root, "calls"), 0);
    assert_string_equal(json_string_value(json_object_get(start, "function")), "_start");
    assert_int_equal(number(start, "inclusive"), number(root, "charged"));
    /* main, and last in its place; under main twice and rec, under twice leaf from two lines. */
    const json_t *callees = json_object_get(start, "callees");
    assert_int_equal(json_array_size(callees), 2);
    for (size_t i = 0; i < 2; i++) {
        const json_t *node = json_array_get(callees, i);
        const char *name = json_string_value(json_object_get(node, "function"));
        const size_t below = json_array_size(json_object_get(node, "callees"));
        assert_int_equal(below, strcmp(name, "main") == 0 ? 2 : 0);
    }
    /* Instructions: leaf has 3, six times; rec 7 and a last one of 2. */
    json_int_t leaf = 0, rec = 0;
    size_t i;
    const json_t *line;
    json_array_foreach(json_object_get(root, "lines"), i, line)
    {
        const char *name = json_string_value(json_object_get(line, "function"));
        leaf += strcmp(name, "leaf") == 0 ? number(line, "executions") : 0;
        rec += strcmp(name, "rec") == 0 ? number(line, "executions") : 0;
    }
    assert_int_equal(leaf, 18);
    assert_int_equal(rec, 4 * 8 + 2);
    json_decref(root);
}

static void as_regions_of_a_trace(void **state)
{
    (void)state;
    static const char sql[] =
        "SELECT r.name AS name, sum(t.cycles) AS cycles FROM unit_total t JOIN unit u ON "
        "u.id = t.unit JOIN region r ON r.id = t.region JOIN reason n ON n.id = t.reason WHERE "
        "u.name = 'core' AND n.name NOT IN ('idle', 'drained') AND t.cycles > 0 GROUP BY 1";
    const char *path = takt_temp_file("hand.kelvin", by_hand);
    json_t *root = profile(path);
    const char *trace = takt_record(path, "--no-detail");
    struct takt_result result = takt_run(ARGS("query", trace, sql, "--json"));
    assert_int_equal(result.exit_code, 0);
    json_t *rows = json_loads(result.out, 0, NULL);
    size_t i, count = 0;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        if (strcmp(name, "rest") == 0)
            continue;
        assert_int_equal(number(function(root, name), "exclusive"), number(row, "cycles"));
        count++;
    }
    assert_int_equal(count, 6);
    takt_result_free(&result);
    json_decref(rows);
    json_decref(root);
}

static void examples(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "examples/kelvin/dot.kelvin",     "examples/kelvin/matmul_vmacc.kelvin",
        "examples/ventus/collatz.ventus", "examples/ventus/reduce.ventus",
        "examples/ventus/saxpy.ventus",
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        json_t *root = profile(paths[i]);
        hold_all_sums(root);
        json_decref(root);
    }
    takt_expect(ARGS("profile", "examples/mncore2/fma.vsm"), 2, "", "have no functions");
}

static void callgrind(void **state)
{
    (void)state;
    const char *path = takt_temp_file("hand.kelvin", by_hand);
    const char *out = takt_temp_path("hand.callgrind");
    takt_expect(ARGS("profile", path, "--callgrind", out), 0, "CALLS", "");
    if (system("command -v callgrind_annotate >/dev/null") != 0) {
        print_message("skipped: no callgrind_annotate\n");
        return;
    }
    json_t *root = profile(path);
    struct takt_result result =
        takt_run_program((const char *const[]){"/usr/bin/env", "callgrind_annotate",
                                               "--inclusive=yes", "--auto=no", out, NULL},
                         "");
    assert_int_equal(result.exit_code, 0);
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%d (100.0%%)", (int)number(root, "charged"));
    assert_non_null(strstr(result.out, wanted));
    assert_non_null(strstr(result.out, ":twice"));
    assert_null(strstr(result.err, "malformed"));
    takt_result_free(&result);
    json_decref(root);
}

/* 40 short functions beside a long loop, and 30 that call each other: what is small or deep is
 * counted, and shown by --all. */
static void many_functions(void **state)
{
    (void)state;
    enum { SHORT = 40, DEEP = 30, SHOWN = 12 };
    char *text = NULL, line[80];
    size_t size, calls = 0;
    FILE *out = text_open(&text, &size);
    fputs("    .globl _start\n    .type _start, @function\n_start:\n    li sp, 0x10000\n"
          "    li s1, 30000\n1:  addi s1, s1, -1\n    bne s1, zero, 1b\n",
          out);
    for (unsigned i = 0; i < SHORT; i++)
        fprintf(out, "    call f%u\n", i);
    fputs("    call d0\n    mpause\n", out);
    for (unsigned i = 0; i < SHORT; i++)
        fprintf(out, "    .type f%u, @function\nf%u:\n    ret\n", i, i);
    for (unsigned i = 0; i < DEEP; i++) {
        fprintf(out, "    .type d%u, @function\nd%u:\n    addi sp, sp, -16\n    sw ra, 0(sp)\n", i,
                i);
        if (i + 1 < DEEP)
            fprintf(out, "    call d%u\n", i + 1);
        else
            fputs("    li s2, 3000\n1:  addi s2, s2, -1\n    bne s2, zero, 1b\n", out);
        fputs("    lw ra, 0(sp)\n    addi sp, sp, 16\n    ret\n", out);
    }
    assert_int_equal(text_close(out, &text), 0);
    const char *path = takt_temp_file("many.kelvin", text);
    struct takt_result few = takt_run(ARGS("profile", path)),
                       all = takt_run(ARGS("profile", "--all", path));
    assert_int_equal(few.exit_code, 0);
    snprintf(line, sizeof line, "\n  %d more: --all\n", 1 + SHORT + DEEP - SHOWN);
    assert_non_null(strstr(few.out, line)); /* functions */
    snprintf(line, sizeof line, "  %d more: --all\n", SHORT);
    assert_non_null(strstr(few.out, line));                  /* calls of a thousandth */
    assert_non_null(strstr(few.out, "    1 more: --all\n")); /* the next deeper one */
    assert_int_equal(all.exit_code, 0);
    for (const char *at = all.out; (at = strstr(at, "  x 1 from many.kelvin:")); at++)
        calls++;
    assert_int_equal(calls, SHORT + DEEP);
    takt_result_free(&few);
    takt_result_free(&all);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_by_hand),  cmocka_unit_test(as_regions_of_a_trace),
        cmocka_unit_test(examples),       cmocka_unit_test(callgrind),
        cmocka_unit_test(many_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
