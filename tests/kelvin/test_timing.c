/* Timing: closed forms of the public description, with and without run-ahead. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/kelvin/random_text.h"
#include "tests/kelvin/table.h"
#include "tests/often.h"
#include "tests/takt_process.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

static json_t *answer_with(const char *set, const struct text *text)
{
    struct takt_result r =
        RUN("run", "--json", "--set", set, takt_temp_file("time.kelvin", text->bytes));
    json_t *answer = json_loads(r.out, 0, NULL);
    if (r.exit_code || !answer)
        fail_msg("%s\n%s", r.err, text->bytes);
    takt_result_free(&r);
    return answer;
}

/* With memory of one cycle. */
static json_t *answer_of(const struct text *text)
{
    return answer_with("memory_latency=1", text);
}

static int64_t field(const json_t *answer, const char *name)
{
    return json_integer_value(json_object_get(answer, name));
}

static int64_t busy(const json_t *answer, const char *name)
{
    size_t i;
    json_t *unit;
    json_array_foreach(json_object_get(answer, "units"), i, unit)
    {
        if (!strcmp(json_string_value(json_object_get(unit, "unit")), name))
            return field(unit, "busy");
    }
    fail_msg("there is no unit %s", name);
    return -1;
}

static json_t *repeated(const char *before, const char *insn, unsigned count, bool spread)
{
    struct text text = {.used = 0};
    text_add(&text, "_start: nop\n%s", before);
    for (unsigned i = 0; i < count; i++)
        if (spread)
            text_add(&text, " %s v%u, v32, v36\n", insn, i % 8 * 4);
        else
            text_add(&text, " %s\n", insn);
    text_add(&text, " mpause\n");
    return answer_of(&text);
}

/* Each additional instruction takes exactly `each` cycles, in hundredths. */
static void expect_rate(const char *before, const char *insn, bool spread, int64_t each)
{
    static const unsigned counts[] = {20, 40, 80, 160};
    int64_t constant = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        json_t *answer = repeated(before, insn, counts[i], spread);
        const int64_t rest = field(answer, "cycles") * 100 - each * (int64_t)counts[i];
        if (i && rest != constant)
            fail_msg("%u times %s: %" PRId64 " cycles, not %" PRId64 " a hundred and %" PRId64,
                     counts[i], insn, field(answer, "cycles"), each, constant);
        assert_true(rest > 0);
        constant = rest;
        json_decref(answer);
    }
}

/* Four registers are four cycles of an ALU, and there are two. */
static void streams_take_what_the_alus_need(void **state)
{
    (void)state;
    expect_rate("", "vadd.w.vv.m", true, 200);
    expect_rate("", "vmul.w.vv.m", true, 200);
}

/* 8 x 8 x 256 bytes: 8 passes of 8 cycles of 256 multiply-adds. */
static void convolutions_take_their_steps(void **state)
{
    (void)state;
    json_t *answer = repeated(" li a0, 7 << 7\n", "aconv.vxv v48, v0, a0, v16", 8, false);
    assert_int_equal(busy(answer, "conv"), 64);
    assert_int_equal(field(answer, "macs"), 8 * 8 * 256);
    assert_true(field(answer, "cycles") >= 64);
    json_decref(answer);
    for (unsigned start = 0; start < 8; start += 3)
        for (unsigned stop = start; stop < 8; stop++) {
            char before[60];
            snprintf(before, sizeof before, " li a0, %u << 7 | %u << 2\n", stop, start);
            answer = repeated(before, "aconv.vxv v48, v0, a0, v16", 1, false);
            assert_int_equal(busy(answer, "conv"), stop - start + 1);
            assert_int_equal(field(answer, "macs"), 256 * (stop - start + 1));
            json_decref(answer);
        }
}

/* Work that does not depend on timing. */
static void units_are_busy_for_their_registers(void **state)
{
    (void)state;
    static const struct {
        const char *insn;
        int64_t alus, ldst;
    } rows[] = {{"vadd.w.vv v0, v4, v8", 1, 0},      {"vadd.w.vv.m v0, v4, v8", 4, 0},
                {"vxor.vv.m v0, v4, v8", 4, 0},      {"vld.w.x v0, a0", 0, 1},
                {"vld.w.x.m v0, a0", 0, 4},          {"vst.w.x v0, a0", 0, 1},
                {"vst.w.x.m v0, a0", 0, 4},          {"vstq.b.s.xx v0, a0, a1", 0, 4},
                {"vstq.b.s.xx.m v0, a0, a1", 0, 16}, {"nop", 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *answer = repeated(" la a0, d\n li a1, 32\n .data\n .balign 32\n d: .zero 1024\n"
                                  " .text\n",
                                  rows[i].insn, 3, false);
        const int64_t alus = busy(answer, "valu0") + busy(answer, "valu1");
        if (alus != 3 * rows[i].alus || busy(answer, "vldst") != 3 * rows[i].ldst)
            fail_msg("%s: %" PRId64 " and %" PRId64 " cycles", rows[i].insn, alus,
                     busy(answer, "vldst"));
        json_decref(answer);
    }
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    const size_t size = strlen(text), end = strlen(with);
    return size >= end && !strcmp(text + size - end, with);
}

/* These lock both ALUs; four registers at once use both. */
static bool locks_both(const char *name)
{
    return begins(name, "adwinit") || begins(name, "vdwconv") || begins(name, "adwconv") ||
           begins(name, "vsraqs");
}

static bool is_joint(const char *name)
{
    const bool product = begins(name, "vmul.") || begins(name, "vmuls.") ||
                         begins(name, "vmulh.") || begins(name, "vmulhu.") ||
                         begins(name, "vdmulh.");
    return ends(name, ".m") &&
           ((product && ends(name, ".vx.m")) || begins(name, "vmv.") || begins(name, "vslideh"));
}

/* One mnemonic of the vendor's table, of each form, three times in a row. */
static void expect_unit(const char *name, const char *operands)
{
    static const struct {
        const char *name, *text;
    } given[] = {{"Vd", "v16"}, {"Vs", "v0"}, {"Vt", "v8"}, {"d", "a2"}, {"s", "a0"}, {"t", "a1"}};
    char insn[100];
    size_t used = (size_t)snprintf(insn, sizeof insn, "%s", name);
    for (const char *at = operands; *at && *at != '-'; at += *at == ',') {
        const size_t size = strcspn(at, ",");
        size_t i = 0;
        while (i < 6 && (strlen(given[i].name) != size || memcmp(given[i].name, at, size) != 0))
            i++;
        assert_in_range(i, 0, 5);
        used += (size_t)snprintf(insn + used, sizeof insn - used, "%s %s", at > operands ? "," : "",
                                 given[i].text);
        at += size;
    }
    json_t *answer = repeated(" la a0, d\n li a1, 128\n .data\n .balign 64\n d: .zero 8192\n"
                              " .text\n",
                              insn, 3, false);
    const bool load = begins(name, "vld") || begins(name, "vst"),
               vector = *name == 'v' || *name == 'a';
    const int64_t registers = (ends(name, ".m") ? 4 : 1) * (begins(name, "vstq") ? 4 : 1);
    const int64_t each = locks_both(name) ? 2 * registers : is_joint(name) ? 2 : registers;
    const int64_t alus = busy(answer, "valu0") + busy(answer, "valu1");
    if (alus != (vector && !load ? 3 * each : 0) ||
        busy(answer, "vldst") != (load ? 3 * registers : 0) ||
        ((locks_both(name) || is_joint(name)) && busy(answer, "valu0") != busy(answer, "valu1")))
        fail_msg("%s: %" PRId64 " and %" PRId64 " cycles", insn, alus, busy(answer, "vldst"));
    json_decref(answer);
}

static void every_family_has_its_unit(void **state)
{
    (void)state;
    /* Instructions that trap in machine mode, and that move registers of the convolution unit. */
    static const char *const others[] = {"eexit", "eyield",  "ectxsw",  "mpause",
                                         "aconv", "adwconv", "vdwconv", "acset",
                                         "actr",  "vcget",   "vmulw.b"};
    char *table = kelvin_table_match(), *rest = table, *line;
    static char seen[400][40];
    size_t tried = 0;
    while ((line = strsep(&rest, "\n")) && *line) {
        const char *name = strsep(&line, "\t"), *operands = strsep(&line, "\t");
        char form[40];
        snprintf(form, sizeof form, "%.*s %s%s", (int)strcspn(name, "."), name, operands,
                 ends(name, ".m") ? " m" : "");
        bool other = false;
        for (size_t i = 0; i < tried; i++)
            other |= !strcmp(form, seen[i]);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            other |= begins(name, others[i]);
        if (!other) {
            expect_unit(name, operands);
            assert_in_range(tried, 0, 399);
            strcpy(seen[tried++], form);
        }
    }
    assert_true(tried > 200);
    free(table);
}

/* In a chain each product waits for the previous one: two cycles, not one. */
static void chains_take_latencies(void **state)
{
    (void)state;
    static const char loop[] = "_start: li a0, %u\n li a1, 3\n"
                               "1: %s\n %s\n %s\n %s\n addi a0, a0, -1\n bnez a0, 1b\n mpause\n";
    static const struct {
        const char *insn;
        int64_t more; /* minimum cycles of the four in an iteration */
    } rows[] = {{"mul a1, a1, a1", 8}, {"add a1, a1, a1", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t cycles[3];
        for (unsigned k = 0; k < 3; k++) {
            struct text text = {.used = 0};
            const char *insn = rows[i].insn;
            text_add(&text, loop, 50 * (k + 1), insn, insn, insn, insn);
            json_t *answer = answer_of(&text);
            cycles[k] = field(answer, "cycles");
            json_decref(answer);
        }
        /* all iterations are equal */
        assert_int_equal(cycles[2] - cycles[1], cycles[1] - cycles[0]);
        const int64_t round = (cycles[1] - cycles[0]) / 50;
        assert_in_range(round, rows[i].more, rows[i].more + 2); /* the branch in addition */
    }
}

/* --- running ahead ---------------------------------------------------------------------------- */

static void running_ahead_changes_nothing(void **state)
{
    (void)state;
    for (size_t round = 0; round < often(20); round++) {
        static struct text text;
        random_text(&text, round * 104729 + 1);
        const char *path = takt_temp_file("ahead.kelvin", text.bytes);
        struct takt_result ahead = RUN("run", "--json", path),
                           step = RUN("run", "--json", "--no-run-ahead", path);
        if (ahead.exit_code || step.exit_code)
            fail_msg("%s%s%s", ahead.err, step.err, text.bytes);
        json_t *a = json_loads(ahead.out, 0, NULL), *b = json_loads(step.out, 0, NULL);
        assert_non_null(a);
        assert_non_null(b);
        if (!json_equal(a, b))
            fail_msg("%s\n%s\n%s", ahead.out, step.out, text.bytes);
        /* The range's low end, the total and its high end are in order. */
        const json_t *range = json_object_get(a, "range");
        if (json_is_object(range)) {
            assert_true(field(range, "low") <= field(a, "cycles"));
            assert_true(field(range, "high") >= field(a, "cycles"));
        }
        json_decref(a);
        json_decref(b);
        takt_result_free(&ahead);
        takt_result_free(&step);
    }
}

/* Thirty-two loads of uncached lines: with a memory latency of 200 cycles they dominate the run,
 * and the verdict must name their line. */
static void memory_is_what_bounds(void **state)
{
    (void)state;
    struct text text = {.used = 0};
    text_add(&text, "_start: lui a0, 0x10\n li a1, 32\n");
    text_add(&text, "loop: vld.w.p.x v0, a0\n addi a1, a1, -1\n bnez a1, loop\n mpause\n");
    json_t *answer = answer_with("memory_latency=200", &text);
    const json_t *limit = json_object_get(answer, "limit");
    const json_t *line = json_array_get(json_object_get(limit, "lines"), 0);
    assert_string_equal(json_string_value(json_object_get(limit, "kind")), "latency");
    assert_true(json_real_value(json_object_get(limit, "share")) > 0.8);
    assert_int_equal(field(line, "line"), 3);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(streams_take_what_the_alus_need),
                                       cmocka_unit_test(convolutions_take_their_steps),
                                       cmocka_unit_test(units_are_busy_for_their_registers),
                                       cmocka_unit_test(every_family_has_its_unit),
                                       cmocka_unit_test(chains_take_latencies),
                                       cmocka_unit_test(memory_is_what_bounds),
                                       cmocka_unit_test(running_ahead_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
