/*
 * libtakt through its public header: the same figures as the command's, sums that must hold, values
 * worked out by hand, errors as values, handles in several threads, and the installed files.
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "include/takt.h"
#include "tests/emulator.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define FMA "examples/mncore2/fma.vsm"
static const char *const examples[] = {FMA, "examples/mncore2/reduce.vsm",
                                       "examples/amx/matmul.amx", "examples/amx/threads.amx"};
enum { EXAMPLES = sizeof examples / sizeof *examples };
static const char early[] = "imm f\"1.0\" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n";

static void fine(enum takt_status status, const struct takt_error *error)
{
    if (status != TAKT_FINE)
        fail_msg("status %d: %s", (int)status, error->text);
}

static void refused(enum takt_status status, enum takt_status expected,
                    const struct takt_error *error, const char *words)
{
    if (status != expected || error->status != expected || !strstr(error->text, words))
        fail_msg("status %d: %s; expected %d: %s", (int)status, error->text, (int)expected, words);
}

static struct takt_machine *machine_of(const char *name)
{
    struct takt_error error;
    struct takt_machine *machine;
    fine(takt_machine_open(&machine, name, &error), &error);
    return machine;
}

/* The file's program for its machine, which the program keeps. */
static struct takt_program *program_of(const char *path)
{
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = machine_of(path);
    const struct takt_text text = {.name = path};
    fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    takt_machine_close(machine);
    return program;
}

static struct takt_run *done(struct takt_program *program, const struct takt_options *options)
{
    struct takt_error error;
    struct takt_run *run;
    fine(takt_run_open(&run, program, options, &error), &error);
    fine(takt_run_advance(run, 0, &error), &error);
    return run;
}

/* --- figures ---------------------------------------------------------------------------------- */

static json_t *command(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_t *root = json_loads(r.out, 0, NULL);
    if (r.exit_code != 0 || !root)
        fail_msg("takt %s: exit %d: %.300s", arguments[1], r.exit_code, r.err);
    takt_result_free(&r);
    return root;
}

static uint64_t integer(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void same_as_command(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        const char *const arguments[] = {"run", examples[e], "--json", NULL};
        json_t *root = command(arguments);
        struct takt_program *program = program_of(examples[e]);
        const struct takt_options options = {.size = sizeof options,
                                             .flags = TAKT_RANGE | TAKT_TRANSFERS};
        struct takt_run *run = done(program, &options);
        const struct takt_totals *totals = takt_run_totals(run);
        assert_true(totals->complete);
        assert_int_equal(totals->cycles, integer(root, "cycles"));
        assert_int_equal(totals->cycles_documented, integer(root, "cycles_documented"));
        assert_int_equal(totals->events, integer(root, "events"));
        assert_true(totals->clock_hz == json_number_value(json_object_get(root, "clock_hz")));
        const json_t *range = json_object_get(root, "range");
        if (range) {
            assert_true(totals->has_range);
            assert_int_equal(totals->range_low, integer(range, "low"));
            assert_int_equal(totals->range_high, integer(range, "high"));
            const struct takt_parameter *parameters;
            assert_int_equal(takt_run_parameters(run, &parameters), integer(range, "parameters"));
            assert_string_equal(parameters[0].name, text_of(range, "most"));
        }
        const struct takt_unit *units;
        const size_t unit_count = takt_run_units(run, &units);
        const json_t *rows = json_object_get(root, "units");
        assert_int_equal(unit_count, json_array_size(rows));
        for (size_t i = 0; i < unit_count; i++) {
            const json_t *row = json_array_get(rows, i);
            assert_string_equal(units[i].name, text_of(row, "unit"));
            assert_int_equal(units[i].busy, integer(row, "busy"));
            assert_int_equal(units[i].waiting, integer(row, "waiting"));
            assert_int_equal(units[i].idle, integer(row, "idle"));
        }
        const struct takt_transfer *transfers;
        rows = json_object_get(root, "transfers");
        assert_int_equal(takt_run_transfers(run, &transfers), json_array_size(rows));
        for (size_t i = 0; i < json_array_size(rows); i++) {
            const json_t *row = json_array_get(rows, i);
            assert_int_equal(transfers[i].line, integer(row, "line"));
            assert_int_equal(transfers[i].bytes, integer(row, "bytes"));
            assert_int_equal(transfers[i].finished, integer(row, "finished"));
            assert_int_equal(transfers[i].waited_by, integer(row, "waited_by"));
            assert_string_equal(transfers[i].tag, text_of(row, "tag_name"));
            assert_string_equal(transfers[i].limited_by, text_of(row, "limited_by"));
            for (size_t a = 0; a < transfers[i].attribute_count; a++)
                assert_int_equal(transfers[i].attributes[a].value,
                                 integer(row, transfers[i].attributes[a].name));
        }
        takt_run_close(run);
        takt_program_close(program);
        json_decref(root);
    }
}

static void bounds_as_command(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        const char *const arguments[] = {"bound", examples[e], "--json", NULL};
        json_t *root = command(arguments);
        const json_t *rows = json_object_get(root, "bounds");
        struct takt_program *program = program_of(examples[e]);
        const struct takt_options options = {.size = sizeof options, .flags = TAKT_BOUNDS};
        struct takt_run *run = done(program, &options);
        const struct takt_bound *bounds;
        const size_t count = takt_run_bounds(run, &bounds);
        assert_int_equal(count, json_array_size(rows));
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            const json_t *row = json_array_get(rows, i);
            assert_string_equal(bounds[i].class_name, text_of(row, "class"));
            assert_string_equal(bounds[i].kind, text_of(row, "kind"));
            assert_int_equal(bounds[i].cycles, integer(row, "cycles"));
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
    for (size_t e = 0; e < EXAMPLES; e++) {
        struct takt_program *program = program_of(examples[e]);
        const struct takt_options options = {.size = sizeof options, .flags = TAKT_STATEMENTS};
        struct takt_run *run = done(program, &options);
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
            assert_string_equal(statements[s].file, examples[e]);
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
    for (size_t e = 0; e < EXAMPLES; e++) {
        struct takt_program *program = program_of(examples[e]);
        struct takt_run *whole = done(program, NULL);
        const struct takt_totals first = *takt_run_totals(whole);
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            const struct takt_options options = {.size = sizeof options, .flags = flags[f]};
            struct takt_run *run;
            fine(takt_run_open(&run, program, &options, &error), &error);
            assert_int_equal(takt_run_totals(run)->cycles, 0);
            enum takt_status status;
            size_t calls = 0;
            const struct takt_unit *units;
            while ((status = takt_run_advance(run, 7, &error)) == TAKT_MORE && ++calls)
                assert_int_equal(takt_run_units(run, &units), 0);
            fine(status, &error);
            assert_true(calls > 1);
            assert_int_equal(takt_run_totals(run)->cycles, first.cycles);
            assert_int_equal(takt_run_totals(run)->cycles_documented, first.cycles_documented);
            fine(takt_run_advance(run, 7, &error), &error); /* done stays done */
            takt_run_close(run);
        }
        const struct takt_options best = {.size = sizeof best, .flags = TAKT_DOCUMENTED};
        struct takt_run *documented = done(program, &best);
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
    struct takt_program *program = program_of(FMA);
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_TRANSFERS};
    struct takt_run *run = done(program, &options);
    const struct takt_transfer *t;
    const size_t count = takt_run_transfers(run, &t);
    assert_int_equal(count, sizeof priorities / sizeof *priorities);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(t[i].attribute_count, 2);
        assert_string_equal(t[i].attributes[0].name, "priority");
        assert_int_equal(t[i].attributes[0].value, priorities[i]);
        assert_string_equal(t[i].attributes[1].name, "long_words");
        assert_int_equal(t[i].attributes[1].value, 2048);
    }
    takt_run_close(run);
    takt_program_close(program);
}

/* It covers every cycle once, and names statements of the program. */
static void critical_path(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXAMPLES; e++) {
        struct takt_program *program = program_of(examples[e]);
        const struct takt_options options = {.size = sizeof options, .flags = TAKT_PATH};
        struct takt_run *run = done(program, &options), *plain = done(program, NULL);
        const struct takt_step *steps;
        const size_t count = takt_run_path(run, &steps);
        uint64_t at = 0;
        bool named = false;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(steps[i].start, at);
            assert_true(steps[i].cycles > 0);
            at += steps[i].cycles;
            assert_true(!steps[i].file == !steps[i].line);
            named |= steps[i].file && strcmp(steps[i].file, examples[e]) == 0;
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
    for (size_t e = 0; e < EXAMPLES; e++) {
        const char *const arguments[] = {"run", examples[e], "--json", "--timing-only", NULL};
        json_t *root = command(arguments);
        const json_t *limit = json_object_get(root, "limit");
        const json_t *lines = json_object_get(limit, "lines");
        struct takt_program *program = program_of(examples[e]);
        for (int traced = 0; traced < 2; traced++) {
            const struct takt_options options = {.size = sizeof options,
                                                 .flags = TAKT_VERDICT,
                                                 .trace =
                                                     traced ? takt_temp_path("verdict.db") : NULL};
            struct takt_run *run = done(program, &options);
            const struct takt_verdict *v = takt_run_verdict(run);
            assert_string_equal(v->kind, text_of(limit, "kind"));
            assert_true(strncmp(v->text, v->kind, strlen(v->kind)) == 0);
            assert_true(fabs(v->share - json_number_value(json_object_get(limit, "share"))) < 1e-9);
            if (v->unit)
                assert_string_equal(v->unit, text_of(limit, "unit"));
            assert_true(!v->unit == json_is_null(json_object_get(limit, "unit")));
            assert_int_equal(v->line_count, json_array_size(lines));
            for (size_t i = 0; i < v->line_count; i++) {
                assert_string_equal(v->lines[i].file, examples[e]);
                assert_int_equal(v->lines[i].line, integer(json_array_get(lines, i), "line"));
            }
            const struct takt_counter *rows;
            bool removable = false;
            for (size_t i = takt_run_counters(run, &rows); i-- > 0;)
                removable |= strstr(rows[i].name, "removable") != NULL;
            assert_true(!removable || traced); /* looked for with a trace alone */
            takt_run_close(run);
        }
        struct takt_run *plain = done(program, NULL);
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
    struct takt_machine *machine = machine_of("mncore2");
    fine(takt_machine_option(machine, "removable", NULL, &error), &error);
    fine(takt_machine_silence(machine, "never-written", &error), &error);
    for (size_t i = 0; i < 2; i++) {
        struct takt_program *program;
        const struct takt_finding *found;
        const struct takt_text text = {"k.vsm", texts[i], strlen(texts[i])};
        fine(takt_program_open(&program, machine, &text, 1, &error), &error);
        /* One is about the run of nops, one about all of them. */
        assert_int_equal(takt_program_findings(program, &found), i == 0 ? 0 : 2);
        for (size_t f = 0; i == 1 && f < 2; f++) {
            assert_string_equal(found[f].name, "removable");
            assert_int_equal(found[f].severity, TAKT_NOTE);
            assert_int_equal(found[f].line, 2);
            assert_int_equal(found[f].spare_steps, 9 - 2);
            saved += found[f].spare_cycles;
        }
        struct takt_run *run = done(program, NULL);
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
        refused(status, TAKT_MISUSE, &error, "size");
    else
        fine(takt_run_advance(run, 0, &error), &error);
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
    struct takt_program *program = program_of(FMA);
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
    const char *const arguments[] = {"run", FMA, "--json", NULL};
    json_t *root = command(arguments);
    struct takt_program *program = program_of(FMA);
    struct takt_run *run = done(program, NULL);
    const struct takt_counter *rows;
    const size_t count = takt_run_counters(run, &rows);
    bool steps = false;
    for (size_t i = 0; i < count; i++) {
        assert_null(strstr(rows[i].name, "removable")); /* looked for with a trace alone */
        if (strcmp(rows[i].name, "steps") == 0) {
            assert_int_equal(rows[i].value, integer(root, "steps"));
            assert_null(rows[i].index_name);
            steps = true;
        }
    }
    assert_true(steps);
    takt_run_close(run);
    takt_program_close(program);
    json_decref(root);
}

/* --- machines --------------------------------------------------------------------------------- */

static uint64_t cycles_with(const char *assignment, const char *config)
{
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = machine_of(FMA);
    assert_string_equal(takt_machine_name(machine), "mncore2");
    if (assignment)
        fine(takt_machine_set(machine, assignment, &error), &error);
    if (config)
        fine(takt_machine_config(machine, "c.yaml", config, strlen(config), &error), &error);
    const struct takt_text text = {.name = FMA};
    fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    refused(takt_machine_set(machine, "mv_start_latency=1", &error), TAKT_MISUSE, &error, "before");
    struct takt_run *run = done(program, NULL);
    takt_machine_close(machine); /* in no order */
    takt_program_close(program);
    const uint64_t cycles = takt_run_totals(run)->cycles;
    takt_run_close(run);
    return cycles;
}

static void settings(void **state)
{
    (void)state;
    const char *const arguments[] = {
        "run", FMA, "--json", "--timing-only", "--set", "mv_start_latency=400", NULL};
    json_t *root = command(arguments);
    const uint64_t plain = cycles_with(NULL, NULL);
    const uint64_t set = cycles_with("mv_start_latency=400", NULL);
    assert_int_equal(set, integer(root, "cycles"));
    assert_true(set > plain);
    assert_int_equal(cycles_with(NULL, "mv_start_latency:\n  value: 400\n"), set);
    assert_int_equal(cycles_with("mv_start_latency=7", "mv_start_latency:\n  value: 400\n"), set);
    json_decref(root);
}

static void wrong_settings(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_machine *none;
    refused(takt_machine_open(&none, "mncore3", &error), TAKT_MISUSE, &error, "mncore3");
    assert_null(none);
    refused(takt_machine_open(&none, "k.xyz", &error), TAKT_MISUSE, &error, "k.xyz");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    struct takt_machine *machine = machine_of(NULL);
    refused(takt_machine_set(machine, "mv_start_latencyy=1", &error), TAKT_INPUT, &error,
            "mv_start_latency");
    refused(takt_machine_set(machine, "mv_start_latency", &error), TAKT_MISUSE, &error,
            "KEY=VALUE");
    refused(takt_machine_set(machine, "mv_start_latency=-1", &error), TAKT_INPUT, &error,
            "mv_start_latency");
    refused(takt_machine_config(machine, "c.yaml", "a: [", 4, &error), TAKT_INPUT, &error,
            "c.yaml");
    fine(takt_machine_config(machine, "empty.yaml", NULL, 0, &error), &error);
    refused(takt_machine_option(machine, "packing", "tight", &error), TAKT_MISUSE, &error, "tight");
    refused(takt_machine_option(machine, "packing", NULL, &error), TAKT_MISUSE, &error, "a value");
    refused(takt_machine_option(machine, "interlock", "1", &error), TAKT_MISUSE, &error,
            "no value");
    refused(takt_machine_option(machine, "packed", NULL, &error), TAKT_MISUSE, &error,
            "packed"); /* of takt print */
    refused(takt_machine_silence(machine, "never", &error), TAKT_MISUSE, &error, "never");
    assert_int_equal(takt_machine_set(machine, "no=1", NULL), TAKT_INPUT); /* without a sentence */
    takt_machine_close(machine);
    takt_machine_close(NULL);
}

/* --- findings --------------------------------------------------------------------------------- */

static void findings(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_program *program;
    struct takt_run *run;
    struct takt_machine *machine = machine_of("mncore2");
    const struct takt_text text = {"early.vsm", early, sizeof early - 1};
    refused(takt_program_open(&program, machine, &text, 1, &error), TAKT_INPUT, &error,
            "early.vsm:3:13: read of GRF0 too soon");
    assert_string_equal(error.file, "early.vsm");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 13);
    assert_string_equal(error.rule, "3.6.3.9");
    assert_string_equal(error.fix, "needs 1 more empty step");
    const struct takt_finding *found;
    const size_t count = takt_program_findings(program, &found);
    size_t errors = 0, warnings = 0;
    for (size_t i = 0; i < count; i++) {
        warnings += found[i].severity == TAKT_WARNING;
        if (found[i].severity != TAKT_ERROR)
            continue;
        errors++;
        assert_string_equal(found[i].file, "early.vsm");
        assert_int_equal(found[i].line, 3);
        assert_int_equal(found[i].column, 13);
        assert_int_equal(found[i].length, strlen("$r0e"));
        assert_string_equal(found[i].rule, "3.6.3.9");
        assert_string_equal(found[i].name, "");
        assert_string_equal(found[i].fix, "needs 1 more empty step");
        assert_int_equal(found[i].missing_steps, 1);
    }
    assert_int_equal(errors, 1);
    assert_true(warnings > 0); /* LM0 was never written */
    refused(takt_run_open(&run, program, NULL, &error), TAKT_MISUSE, &error, "at fault");
    assert_null(run);
    takt_program_close(program);
    takt_machine_close(machine);

    machine = machine_of("mncore2");
    fine(takt_machine_silence(machine, "never-written", &error), &error);
    fine(takt_machine_option(machine, "interlock", NULL, &error), &error); /* it is a stall then */
    fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    const size_t left = takt_program_findings(program, &found);
    for (size_t i = 0; i < left; i++)
        assert_string_not_equal(found[i].name, "never-written");
    takt_run_close(done(program, NULL));
    takt_program_close(program);
    takt_machine_close(machine);
}

static void wrong_programs(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = machine_of("mncore2");
    const struct takt_text missing = {.name = "/nowhere/k.vsm"}, standard = {.name = "-"};
    const struct takt_text empty = {"empty", "", 0};
    refused(takt_program_open(&program, machine, &missing, 1, &error), TAKT_INPUT, &error,
            "/nowhere/k.vsm");
    assert_null(program);
    refused(takt_program_open(&program, machine, &standard, 1, &error), TAKT_INPUT, &error, "./-");
    refused(takt_program_open(&program, machine, &missing, 0, &error), TAKT_MISUSE, &error, "text");
    fine(takt_program_open(&program, machine, &empty, 1, &error), &error);
    struct takt_run *run = done(program, NULL);
    assert_int_equal(takt_run_totals(run)->cycles, 0);
    takt_run_close(run);

    static const struct {
        struct takt_options options;
        enum takt_status status;
        const char *words;
    } wrong[] = {
        {{.size = 1}, TAKT_MISUSE, "size"},
        {{.size = sizeof wrong->options, .flags = TAKT_NO_TIME}, TAKT_MISUSE, "TAKT_VALUES"},
        {{.size = sizeof wrong->options, .init = "zero"}, TAKT_MISUSE, "TAKT_VALUES"},
        {{.size = sizeof wrong->options, .flags = TAKT_DETAIL}, TAKT_MISUSE, "trace"},
        {{.size = sizeof wrong->options, .flags = TAKT_VALUES | TAKT_NO_TIME | TAKT_BOUNDS},
         TAKT_MISUSE,
         "TAKT_NO_TIME"},
        {{.size = sizeof wrong->options, .flags = TAKT_VALUES, .init = "ones"}, TAKT_INPUT, "ones"},
        {{.size = sizeof wrong->options, .trace = "/nowhere/t.db"}, TAKT_HOST, "/nowhere/t.db"},
        {{.size = sizeof wrong->options, .trace = ""}, TAKT_HOST, "cannot write the trace"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refused(takt_run_open(&run, program, &wrong[i].options, &error), wrong[i].status, &error,
                wrong[i].words);
        assert_null(run);
    }
    takt_program_close(program);
    takt_machine_close(machine);
}

/* Errors may be left out. A run at fault stays so, and has no figures. */
static void faults(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_program *program;
    struct takt_run *run;
    struct takt_machine *machine = machine_of("kelvin");
    struct takt_result r = takt_run(ARGS("--version"));
    assert_non_null(strstr(r.out, takt_version()));
    takt_result_free(&r);
    assert_int_equal(takt_machine_set(machine, "nothing=1", NULL), TAKT_INPUT);
    assert_int_equal(takt_machine_set(machine, "=1", NULL), TAKT_MISUSE);
    assert_int_equal(takt_machine_option(machine, "nothing", NULL, NULL), TAKT_MISUSE);
    const struct takt_text wrong = {"wrong", "bad a0\n", 7};
    assert_int_equal(takt_program_open(&program, machine, &wrong, 1, NULL), TAKT_INPUT);
    takt_program_close(program);
    assert_int_equal(takt_program_open(&program, NULL, &wrong, 1, NULL), TAKT_MISUSE);
    refused(takt_run_open(&run, NULL, NULL, &error), TAKT_MISUSE, &error, "needs a program");
    /* Two texts of one name; the second has the fault, which its turn names. */
    static const char start[] = "_start: la a0, end\n j more\n", more[] = "more: jr a0\nend:\n";
    const struct takt_text both[] = {{"same", start, sizeof start - 1},
                                     {"same", more, sizeof more - 1}};
    fine(takt_program_open(&program, machine, both, 2, &error), &error);
    for (unsigned values = 0; values < 2; values++) {
        size_t size = 1;
        const struct takt_options options = {.size = sizeof options,
                                             .flags = values ? TAKT_VALUES : 0};
        fine(takt_run_open(&run, program, &options, &error), &error);
        assert_int_equal(takt_run_advance(run, 0, &error), TAKT_INPUT);
        assert_true(error.text[0] != '\0');
        refused(takt_run_advance(run, 0, &error), TAKT_MISUSE, &error, "failed before");
        assert_false(takt_run_totals(run)->complete);
        assert_int_equal(takt_run_totals(run)->cycles, 0);
        assert_string_equal(takt_run_dump(run, &size), "");
        assert_int_equal(size, 0);
        assert_string_equal(takt_run_dump(run, NULL), "");
        takt_run_close(run);
    }
    takt_program_close(program);
    takt_machine_close(machine);
}

/* --- values ----------------------------------------------------------------------------------- */

enum { ONE = 0x3f800000, TWO = 0x40000000, THREE = 0x40400000, FIVE = 0x40a00000 };

/* y = a * x + b of the example: 1 * 2 + 3 in the lower half of a word, 2 * 1 + 3 in the upper. */
static void values(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_run *run;
    struct takt_program *program = program_of(FMA);
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_VALUES};
    const uint64_t a = (uint64_t)TWO << 32 | ONE, x = (uint64_t)ONE << 32 | TWO;
    const uint64_t b = (uint64_t)THREE << 32 | THREE, y = (uint64_t)FIVE << 32 | FIVE;
    uint64_t words[3] = {0};
    fine(takt_run_open(&run, program, &options, &error), &error);
    refused(takt_run_get(run, "d@0:12288", words, 3, &error), TAKT_MISUSE, &error, "done");
    refused(takt_run_put(run, "q@0:0", &a, 1, &error), TAKT_INPUT, &error, "q@0:0");
    refused(takt_run_put(run, "d@0:100+2", &a, 1, &error), TAKT_INPUT, &error, "1 long words");
    fine(takt_run_put(run, "d@0:100", &a, 1, &error), &error);
    fine(takt_run_put(run, "d@0:4196+1", &x, 1, &error), &error);
    fine(takt_run_put(run, "d@0:8292", &b, 1, &error), &error);
    fine(takt_run_advance(run, 0, &error), &error);
    refused(takt_run_put(run, "d@0:100", &a, 1, &error), TAKT_MISUSE, &error, "before");
    fine(takt_run_get(run, "d@0:12388+1", words, 1, &error), &error);
    assert_true(words[0] == y);
    fine(takt_run_get(run, "d@0:12387", words, 3, &error), &error); /* 0 * 0 + 0 beside it */
    assert_true(words[0] == 0 && words[1] == y && words[2] == 0);
    const uint64_t hash = takt_run_state(run);
    takt_run_close(run);
    run = done(program, &options);
    assert_true(hash != takt_run_state(run));
    takt_run_close(run);
    takt_program_close(program);
}

static void values_of_memory(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_run *run;
    struct takt_program *program = program_of("examples/amx/block.amx");
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_VALUES};
    const uint64_t words[2] = {UINT64_C(0x0123456789abcdef), 42};
    uint64_t back[2] = {0};
    fine(takt_run_open(&run, program, &options, &error), &error);
    /* Nothing in the example is so high in memory. */
    fine(takt_run_put(run, "m:8000", words, 2, &error), &error);
    fine(takt_run_advance(run, 0, &error), &error);
    fine(takt_run_get(run, "m:8000+2", back, 2, &error), &error);
    assert_memory_equal(words, back, sizeof words);
    refused(takt_run_get(run, "m:8000+3", back, 2, &error), TAKT_INPUT, &error, "2 words");
    refused(takt_run_get(run, "x@9999:0", back, 2, &error), TAKT_INPUT, &error, "threads");
    takt_run_close(run);
    run = done(program, NULL);
    refused(takt_run_get(run, "m:0", back, 1, &error), TAKT_MISUSE, &error, "TAKT_VALUES");
    takt_run_close(run);
    takt_program_close(program);
}

/* What the command writes to a file lies in memory here. */
static void dump(void **state)
{
    (void)state;
    static const unsigned flags[] = {TAKT_VALUES, TAKT_VALUES | TAKT_NO_TIME};
    const char *path = takt_temp_path("dump.txt");
    const char *const arguments[] = {"run", FMA, "--quiet", "--dump", path, NULL};
    struct takt_result r = takt_run(arguments);
    assert_int_equal(r.exit_code, 0);
    takt_result_free(&r);
    size_t size, expected_size;
    char *expected = takt_read_file(path, &expected_size);
    assert_true(expected_size > 0);
    struct takt_program *program = program_of(FMA);
    for (size_t f = 0; f < 2; f++) {
        const struct takt_options options = {.size = sizeof options, .flags = flags[f]};
        struct takt_run *run = done(program, &options);
        const char *text = takt_run_dump(run, &size);
        assert_int_equal(size, expected_size);
        assert_memory_equal(text, expected, size);
        const struct takt_unit *units;
        assert_true((takt_run_units(run, &units) == 0) == !!(flags[f] & TAKT_NO_TIME));
        takt_run_close(run);
    }
    free(expected);
    takt_program_close(program);
}

/* --- traces ----------------------------------------------------------------------------------- */

static void trace(void **state)
{
    (void)state;
    char path[200];
    struct takt_error error;
    snprintf(path, sizeof path, "%s", takt_temp_path("library.db"));
    struct takt_program *program = program_of(FMA);
    const struct takt_options options = {
        .size = sizeof options, .flags = TAKT_DETAIL | TAKT_BOUNDS, .trace = path};
    struct takt_run *run = done(program, &options);
    const char *const arguments[] = {"report", path, "--json", NULL};
    json_t *root = command(arguments);
    assert_int_equal(integer(root, "cycles"), takt_run_totals(run)->cycles);
    assert_true(json_array_size(json_object_get(root, "bounds")) > 0);
    json_decref(root);
    const char *const check[] = {"report", path, "check", NULL};
    struct takt_result r = takt_run(check);
    assert_int_equal(r.exit_code, 0);
    takt_result_free(&r);
    takt_run_close(run);

    /* One that is given up leaves nothing under its name. */
    unlink(path);
    fine(takt_run_open(&run, program, &options, &error), &error);
    assert_int_equal(takt_run_advance(run, 1, &error), TAKT_MORE);
    takt_run_close(run);
    assert_int_equal(access(path, F_OK), -1);
    takt_program_close(program);
}

/* --- threads ---------------------------------------------------------------------------------- */

enum { THREADS = 2, TURNS = 6 };

struct worker {
    pthread_t thread;
    struct takt_program *shared;
    uint64_t cycles[EXAMPLES];
    bool good;
};

static void *work(void *context)
{
    struct worker *w = context;
    struct takt_error error;
    w->good = true;
    for (size_t turn = 0; turn < TURNS; turn++) {
        struct takt_program *program = w->shared;
        struct takt_machine *machine = NULL;
        const size_t e = turn % EXAMPLES;
        const struct takt_text text = {.name = examples[e]};
        const struct takt_options options = {.size = sizeof options,
                                             .flags = turn % 2 ? TAKT_VALUES | TAKT_TRANSFERS
                                                               : TAKT_BOUNDS | TAKT_STATEMENTS};
        struct takt_run *run = NULL;
        if (e) /* the first example is the one that all threads share */
            w->good &= takt_machine_open(&machine, examples[e], &error) == TAKT_FINE &&
                       takt_program_open(&program, machine, &text, 1, &error) == TAKT_FINE;
        w->good &= takt_run_open(&run, program, &options, &error) == TAKT_FINE &&
                   takt_run_advance(run, 0, &error) == TAKT_FINE;
        w->cycles[e] = run ? takt_run_totals(run)->cycles : 0;
        takt_run_close(run);
        if (e)
            takt_program_close(program);
        takt_machine_close(machine);
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    struct worker workers[THREADS] = {{0}};
    struct takt_program *shared = program_of(examples[0]);
    for (size_t t = 0; t < THREADS; t++) {
        workers[t].shared = shared;
        assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
    }
    for (size_t t = 0; t < THREADS; t++) {
        pthread_join(workers[t].thread, NULL);
        assert_true(workers[t].good);
        assert_memory_equal(workers[t].cycles, workers[0].cycles, sizeof workers[0].cycles);
    }
    takt_program_close(shared);
}

/* --- what is outside -------------------------------------------------------------------------- */

/* Nothing is printed, whatever happens. */
static void silent(void **state)
{
    (void)state;
    fflush(stdout);
    fflush(stderr);
    const char *path = takt_temp_file("said", "");
    const int out = dup(1), err = dup(2), file = open(path, O_WRONLY);
    dup2(file, 1);
    dup2(file, 2);
    wrong_settings(NULL);
    findings(NULL);
    wrong_programs(NULL);
    values(NULL);
    fflush(stdout);
    fflush(stderr);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    close(file);
    size_t size;
    char *said = takt_read_file(path, &size);
    assert_string_equal(said, "");
    free(said);
}

static void installed(void **state)
{
    (void)state;
    if (emulated())
        skip(); /* make install runs takt for its pages */
    char build[200], line[300];
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    snprintf(build, sizeof build, "%.*s", (int)(strrchr(takt, '/') - takt), takt);
    snprintf(line, sizeof line, "nm %s/libtakt.so | grep -qE '__asan|__tsan|__gcov'", build);
    if (system(line) == 0)
        skip(); /* the example would have to be built with the same sanitizer, or counters */
    snprintf(line, sizeof line, "tests/installed.sh %s", build);
    FILE *said = popen(line, "r");
    assert_non_null(said);
    char last[300] = "";
    size_t lines = 0;
    while (fgets(last, sizeof last, said))
        lines++;
    assert_int_equal(pclose(said), 0);
    /* By the rule of early.vsm: one nop is there, and one more is needed. */
    assert_int_equal(lines, 3);
    assert_true(strncmp(last, " 2 nops: ", 9) == 0);
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
        cmocka_unit_test(settings),
        cmocka_unit_test(wrong_settings),
        cmocka_unit_test(findings),
        cmocka_unit_test(wrong_programs),
        cmocka_unit_test(faults),
        cmocka_unit_test(values),
        cmocka_unit_test(values_of_memory),
        cmocka_unit_test(dump),
        cmocka_unit_test(trace),
        cmocka_unit_test(threads),
        cmocka_unit_test(silent),
        cmocka_unit_test(installed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
