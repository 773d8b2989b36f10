/*
 * Figures of libtakt: the same as the command's, sums that must hold, what flags and budgets leave
 * out.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/handles.h"
#include "tests/takt_process.h"

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void same_as_command(void **state)
{
    (void)state;
    for (size_t e = 0; e < HANDLES_EXAMPLES; e++) {
        const char *const arguments[] = {"run", handles_examples[e], "--json", NULL};
        json_t *root = handles_command(arguments);
        struct takt_program *program = handles_program(handles_examples[e]);
        const struct takt_options options = {.size = sizeof options,
                                             .flags = TAKT_RANGE | TAKT_TRANSFERS};
        struct takt_run *run = handles_done(program, &options);
        const struct takt_totals *totals = takt_run_totals(run);
        assert_true(totals->complete);
        assert_int_equal(totals->cycles, handles_integer(root, "cycles"));
        assert_int_equal(totals->cycles_documented, handles_integer(root, "cycles_documented"));
        assert_int_equal(totals->events, handles_integer(root, "events"));
        assert_true(totals->clock_hz == json_number_value(json_object_get(root, "clock_hz")));
        const json_t *range = json_object_get(root, "range");
        if (range) {
            assert_true(totals->has_range);
            assert_int_equal(totals->range_low, handles_integer(range, "low"));
            assert_int_equal(totals->range_high, handles_integer(range, "high"));
            const struct takt_parameter *parameters;
            assert_int_equal(takt_run_parameters(run, &parameters),
                             handles_integer(range, "parameters"));
            assert_string_equal(parameters[0].name, text_of(range, "most"));
        }
        const struct takt_unit *units;
        const size_t unit_count = takt_run_units(run, &units);
        const json_t *rows = json_object_get(root, "units");
        assert_int_equal(unit_count, json_array_size(rows));
        for (size_t i = 0; i < unit_count; i++) {
            const json_t *row = json_array_get(rows, i);
            assert_string_equal(units[i].name, text_of(row, "unit"));
            assert_int_equal(units[i].busy, handles_integer(row, "busy"));
            assert_int_equal(units[i].waiting, handles_integer(row, "waiting"));
            assert_int_equal(units[i].idle, handles_integer(row, "idle"));
        }
        const struct takt_transfer *transfers;
        rows = json_object_get(root, "transfers");
        assert_int_equal(takt_run_transfers(run, &transfers), json_array_size(rows));
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t *row = json_array_get(rows, i);
            assert_int_equal(transfers[i].line, handles_integer(row, "line"));
            assert_int_equal(transfers[i].bytes, handles_integer(row, "bytes"));
            assert_int_equal(transfers[i].finished, handles_integer(row, "finished"));
            assert_int_equal(transfers[i].waited_by, handles_integer(row, "waited_by"));
            assert_string_equal(transfers[i].tag, text_of(row, "tag_name"));
            assert_string_equal(transfers[i].limited_by, text_of(row, "limited_by"));
            for (size_t a = 0; a < transfers[i].attribute_count; a++)
                assert_int_equal(transfers[i].attributes[a].value,
                                 handles_integer(row, transfers[i].attributes[a].name));
        }
        takt_run_close(run);
        takt_program_close(program);
        json_decref(root);
    }
}

static void bounds_as_command(void **state)
{
    (void)state;
    for (size_t e = 0; e < HANDLES_EXAMPLES; e++) {
        const char *const arguments[] = {"bound", handles_examples[e], "--json", NULL};
        json_t *root = handles_command(arguments);
        const json_t *rows = json_object_get(root, "bounds");
        struct takt_program *program = handles_program(handles_examples[e]);
        const struct takt_options options = {.size = sizeof options, .flags = TAKT_BOUNDS};
        struct takt_run *run = handles_done(program, &options);
        const struct takt_bound *bounds;
        const size_t count = takt_run_bounds(run, &bounds);
        assert_int_equal(count, json_array_size(rows));
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            const json_t *row = json_array_get(rows, i);
            assert_string_equal(bounds[i].class_name, text_of(row, "class"));
            assert_string_equal(bounds[i].kind, text_of(row, "kind"));
            assert_int_equal(bounds[i].cycles, handles_integer(row, "cycles"));
            assert_true(bounds[i].cycles <= takt_run_totals(run)->cycles);
        }
        takt_run_close(run);
        takt_program_close(program);
        json_decref(root);
    }
}

/* Each unit is in one state in each cycle; what statements keep it busy with is what it is busy. */
static void sums(void **state)
{
    (void)state;
    for (size_t e = 0; e < HANDLES_EXAMPLES; e++) {
        struct takt_program *program = handles_program(handles_examples[e]);
        const struct takt_options options = {.size = sizeof options, .flags = TAKT_STATEMENTS};
        struct takt_run *run = handles_done(program, &options);
        const uint64_t cycles = takt_run_totals(run)->cycles;
        const struct takt_unit *units;
        const struct takt_statement *statements;
        const size_t unit_count = takt_run_units(run, &units);
        const size_t statement_count = takt_run_statements(run, &statements);
        assert_true(unit_count > 0 && statement_count > 0);
        for (size_t u = 0; u < unit_count; u++) {
            uint64_t reasons = 0, busy = 0;
            for (size_t r = 0; r < units[u].reason_count; r++)
                reasons += units[u].reasons[r].cycles;
            for (size_t s = 0; s < statement_count; s++)
                if (strcmp(statements[s].unit, units[u].name) == 0 &&
                    strcmp(statements[s].reason, "busy") == 0)
                    busy += statements[s].cycles;
            assert_int_equal(units[u].busy + units[u].waiting + units[u].idle, cycles);
            assert_int_equal(reasons, cycles);
            /* Channels of a memory work for no statement by itself. */
            assert_int_equal(strstr(units[u].name, ".ch") ? units[u].busy : busy, units[u].busy);
        }
        for (size_t s = 0; s < statement_count; s++) {
            assert_string_equal(statements[s].file, handles_examples[e]);
            assert_true(statements[s].line > 0 && statements[s].text[0]);
        }
        takt_run_close(run);
        takt_program_close(program);
    }
}

/* Whatever is asked for, and however the work is cut: the same totals. */
static void flags_and_budgets(void **state)
{
    (void)state;
    static const unsigned flags[] = {0, TAKT_VALUES, TAKT_RANGE,
                                     TAKT_BOUNDS | TAKT_STATEMENTS | TAKT_TRANSFERS | TAKT_VALUES};
    struct takt_error error;
    for (size_t e = 0; e < HANDLES_EXAMPLES; e++) {
        struct takt_program *program = handles_program(handles_examples[e]);
        struct takt_run *whole = handles_done(program, NULL);
        const struct takt_totals first = *takt_run_totals(whole);
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            const struct takt_options options = {.size = sizeof options, .flags = flags[f]};
            struct takt_run *run;
            handles_fine(takt_run_open(&run, program, &options, &error), &error);
            assert_int_equal(takt_run_totals(run)->cycles, 0);
            enum takt_status status;
            size_t calls = 0;
            const struct takt_unit *units;
            while ((status = takt_run_advance(run, 7, &error)) == TAKT_MORE && ++calls)
                assert_int_equal(takt_run_units(run, &units), 0);
            handles_fine(status, &error);
            assert_true(calls > 1);
            assert_int_equal(takt_run_totals(run)->cycles, first.cycles);
            assert_int_equal(takt_run_totals(run)->cycles_documented, first.cycles_documented);
            handles_fine(takt_run_advance(run, 7, &error), &error); /* done stays done */
            takt_run_close(run);
        }
        const struct takt_options best = {.size = sizeof best, .flags = TAKT_DOCUMENTED};
        struct takt_run *documented = handles_done(program, &best);
        assert_int_equal(takt_run_totals(documented)->cycles, first.cycles_documented);
        takt_run_close(documented);
        takt_run_close(whole);
        takt_program_close(program);
    }
}

/* What the statements of the example say: mvp/n2048i01p3. */
static void attributes(void **state)
{
    (void)state;
    static const uint64_t priorities[] = {3, 3, 2, 2, 1, 1, 0, 0};
    struct takt_program *program = handles_program(HANDLES_FMA);
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_TRANSFERS};
    struct takt_run *run = handles_done(program, &options);
    const struct takt_transfer *t;
    const size_t count = takt_run_transfers(run, &t);
    assert_int_equal(count, sizeof priorities / sizeof *priorities);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(t[i].attribute_count, 3);
        assert_string_equal(t[i].attributes[0].name, "priority");
        assert_int_equal(t[i].attributes[0].value, priorities[i]);
        assert_string_equal(t[i].attributes[1].name, "long_words");
        assert_int_equal(t[i].attributes[1].value, 2048);
        /* 3.5.8.11 and .12: 16 long words a cycle. */
        assert_string_equal(t[i].attributes[2].name, "cycles_alone");
        assert_int_equal(t[i].attributes[2].value, 2048 / 16);
    }
    takt_run_close(run);
    takt_program_close(program);
}

/* It covers every cycle once, and names statements of the program. */
static void critical_path(void **state)
{
    (void)state;
    for (size_t e = 0; e < HANDLES_EXAMPLES; e++) {
        struct takt_program *program = handles_program(handles_examples[e]);
        const struct takt_options options = {.size = sizeof options, .flags = TAKT_PATH};
        struct takt_run *run = handles_done(program, &options),
                        *plain = handles_done(program, NULL);
        const struct takt_step *steps;
        const size_t count = takt_run_path(run, &steps);
        uint64_t at = 0;
        bool named = false;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(steps[i].start, at);
            assert_true(steps[i].cycles > 0);
            at += steps[i].cycles;
            assert_true(!steps[i].file == !steps[i].line);
            named |= steps[i].file && strcmp(steps[i].file, handles_examples[e]) == 0;
        }
        assert_int_equal(at, takt_run_totals(run)->cycles);
        assert_true(named);
        assert_int_equal(takt_run_path(plain, &steps), 0);
        takt_run_close(run);
        takt_run_close(plain);
        takt_program_close(program);
    }
}

/* What takt run says, with a trace and without. */
static void verdict(void **state)
{
    (void)state;
    for (size_t e = 0; e < HANDLES_EXAMPLES; e++) {
        const char *const arguments[] = {"run", handles_examples[e], "--json", "--timing-only",
                                         NULL};
        json_t *root = handles_command(arguments);
        const json_t *limit = json_object_get(root, "limit");
        const json_t *lines = json_object_get(limit, "lines");
        struct takt_program *program = handles_program(handles_examples[e]);
        for (int traced = 0; traced < 2; traced++) {
            const struct takt_options options = {.size = sizeof options,
                                                 .flags = TAKT_VERDICT,
                                                 .trace =
                                                     traced ? takt_temp_path("verdict.db") : NULL};
            struct takt_run *run = handles_done(program, &options);
            const struct takt_verdict *v = takt_run_verdict(run);
            assert_string_equal(v->kind, text_of(limit, "kind"));
            assert_string_equal(v->text, text_of(limit, "sentence"));
            assert_true(fabs(v->share - json_number_value(json_object_get(limit, "share"))) < 1e-9);
            if (v->unit)
                assert_string_equal(v->unit, text_of(limit, "unit"));
            assert_true(!v->unit == json_is_null(json_object_get(limit, "unit")));
            assert_int_equal(v->line_count, json_array_size(lines));
            for (size_t i = 0; i < v->line_count; i++) {
                assert_string_equal(v->lines[i].file, handles_examples[e]);
                assert_int_equal(v->lines[i].line,
                                 handles_integer(json_array_get(lines, i), "line"));
            }
            const struct takt_counter *rows;
            bool removable = false;
            for (size_t i = takt_run_counters(run, &rows); i-- > 0;)
                removable |= strstr(rows[i].name, "removable") != NULL;
            assert_true(!removable || traced); /* looked for with a trace alone */
            takt_run_close(run);
        }
        struct takt_run *plain = handles_done(program, NULL);
        assert_string_equal(takt_run_verdict(plain)->text, "");
        takt_run_close(plain);
        takt_program_close(program);
        json_decref(root);
    }
}

/* Two empty steps are needed after the first statement (early), nine are there. */
static void removable(void **state)
{
    (void)state;
    static const char *const texts[] = {"imm f\"1.0\" $r0/0010\nnop/2\ndvadd $lm0v $r0e $ln0v\n",
                                        "imm f\"1.0\" $r0/0010\nnop/9\ndvadd $lm0v $r0e $ln0v\n"};
    struct takt_error error;
    uint64_t cycles[2], saved = 0;
    struct takt_machine *machine = handles_machine("mncore2");
    handles_fine(takt_machine_option(machine, "removable", NULL, &error), &error);
    handles_fine(takt_machine_silence(machine, "never-written", &error), &error);
    for (size_t i = 0; i < 2; i++) {
        struct takt_program *program;
        const struct takt_finding *found;
        const struct takt_text text = {"k.vsm", texts[i], strlen(texts[i])};
        handles_fine(takt_program_open(&program, machine, &text, 1, &error), &error);
        /* One is about the run of nops, one about all of them. */
        assert_int_equal(takt_program_findings(program, &found), i == 0 ? 0 : 2);
        for (size_t f = 0; i == 1 && f < 2; f++) {
            assert_string_equal(found[f].name, "removable");
            assert_int_equal(found[f].severity, TAKT_NOTE);
            assert_int_equal(found[f].line, 2);
            assert_int_equal(found[f].spare_steps, 9 - 2);
            saved += found[f].spare_cycles;
        }
        struct takt_run *run = handles_done(program, NULL);
        cycles[i] = takt_run_totals(run)->cycles;
        takt_run_close(run);
        takt_program_close(program);
    }
    assert_int_equal(saved, cycles[1] - cycles[0]);
    takt_machine_close(machine);
}

/* The options of a caller compiled for another version, in memory of exactly their size. */
static enum takt_status open_sized(struct takt_program *program, size_t size, unsigned flags,
                                   unsigned char beyond)
{
    struct takt_error error;
    struct takt_run *run;
    const struct takt_options known = {.size = size, .flags = flags};
    unsigned char *given = malloc(size);
    memset(given, beyond, size);
    memcpy(given, &known, size < sizeof known ? size : sizeof known);
    const enum takt_status status =
        takt_run_open(&run, program, (const struct takt_options *)(void *)given, &error);
    free(given);
    if (status != TAKT_FINE)
        handles_refused(status, TAKT_MISUSE, &error, "size");
    else
        handles_fine(takt_run_advance(run, 0, &error), &error);
    const struct takt_step *steps;
    if (status == TAKT_FINE)
        assert_true((takt_run_path(run, &steps) > 0) == !!(flags & TAKT_PATH));
    takt_run_close(run);
    return status;
}

static void option_sizes(void **state)
{
    (void)state;
    const size_t first = offsetof(struct takt_options, init), all = sizeof(struct takt_options);
    struct takt_program *program = handles_program(HANDLES_FMA);
    for (size_t size = first; size <= all + 64; size += sizeof(void *)) {
        assert_int_equal(open_sized(program, size, 0, 0), TAKT_FINE);
        assert_int_equal(open_sized(program, size, TAKT_PATH, 0), TAKT_FINE);
        assert_int_equal(open_sized(program, size, 0, 1), size <= all ? TAKT_FINE : TAKT_MISUSE);
    }
    assert_int_equal(open_sized(program, sizeof(size_t), 0, 0), TAKT_MISUSE);
    assert_int_equal(open_sized(program, first + 1, 0, 0), TAKT_MISUSE);
    assert_int_equal(open_sized(program, all - 1, 0, 0), TAKT_MISUSE);
    takt_program_close(program);
}

static void counters(void **state)
{
    (void)state;
    const char *const arguments[] = {"run", HANDLES_FMA, "--json", NULL};
    json_t *root = handles_command(arguments);
    struct takt_program *program = handles_program(HANDLES_FMA);
    struct takt_run *run = handles_done(program, NULL);
    const struct takt_counter *rows;
    const size_t count = takt_run_counters(run, &rows);
    bool steps = false;
    for (size_t i = 0; i < count; i++) {
        assert_null(strstr(rows[i].name, "removable")); /* looked for with a trace alone */
        if (strcmp(rows[i].name, "steps") == 0) {
            assert_int_equal(rows[i].value, handles_integer(root, "steps"));
            assert_null(rows[i].index_name);
            steps = true;
        }
    }
    assert_true(steps);
    takt_run_close(run);
    takt_program_close(program);
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_command),
        cmocka_unit_test(bounds_as_command),
        cmocka_unit_test(sums),
        cmocka_unit_test(flags_and_budgets),
        cmocka_unit_test(counters),
        cmocka_unit_test(attributes),
        cmocka_unit_test(critical_path),
        cmocka_unit_test(verdict),
        cmocka_unit_test(removable),
        cmocka_unit_test(option_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
