/*
 * libtakt through its public header: settings, findings, values worked out by hand, errors as
 * values, traces, handles in several threads, and the installed files.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/emulator.h"
#include "tests/handles.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

static const char early[] = "imm f\"1.0\" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n";

/* --- machines --------------------------------------------------------------------------------- */

static uint64_t cycles_with(const char *assignment, const char *config)
{
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine(HANDLES_FMA);
    assert_string_equal(takt_machine_name(machine), "mncore2");
    if (assignment)
        handles_fine(takt_machine_set(machine, assignment, &error), &error);
    if (config)
        handles_fine(takt_machine_config(machine, "c.yaml", config, strlen(config), &error),
                     &error);
    const struct takt_text text = {.name = HANDLES_FMA};
    handles_fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    handles_refused(takt_machine_set(machine, "mv_start_latency=1", &error), TAKT_MISUSE, &error,
                    "before");
    struct takt_run *run = handles_done(program, NULL);
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
        "run", HANDLES_FMA, "--json", "--timing-only", "--set", "mv_start_latency=400", NULL};
    json_t *root = handles_command(arguments);
    const uint64_t plain = cycles_with(NULL, NULL);
    const uint64_t set = cycles_with("mv_start_latency=400", NULL);
    assert_int_equal(set, handles_integer(root, "cycles"));
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
    handles_refused(takt_machine_open(&none, "mncore3", &error), TAKT_MISUSE, &error, "mncore3");
    assert_null(none);
    handles_refused(takt_machine_open(&none, "k.xyz", &error), TAKT_MISUSE, &error, "k.xyz");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    struct takt_machine *machine = handles_machine(NULL);
    handles_refused(takt_machine_set(machine, "mv_start_latencyy=1", &error), TAKT_INPUT, &error,
                    "mv_start_latency");
    handles_refused(takt_machine_set(machine, "\x1b[31m\n\xe2\x80\xae=3", &error), TAKT_INPUT,
                    &error, "'?[31m ?");
    handles_refused(takt_machine_set(machine, "mv_start_latency", &error), TAKT_MISUSE, &error,
                    "KEY=VALUE");
    handles_refused(takt_machine_set(machine, "mv_start_latency=-1", &error), TAKT_INPUT, &error,
                    "mv_start_latency");
    handles_refused(takt_machine_config(machine, "c.yaml", "a: [", 4, &error), TAKT_INPUT, &error,
                    "c.yaml");
    handles_fine(takt_machine_config(machine, "empty.yaml", NULL, 0, &error), &error);
    handles_refused(takt_machine_option(machine, "packing", "tight", &error), TAKT_MISUSE, &error,
                    "tight");
    handles_refused(takt_machine_option(machine, "packing", NULL, &error), TAKT_MISUSE, &error,
                    "a value");
    handles_refused(takt_machine_option(machine, "interlock", "1", &error), TAKT_MISUSE, &error,
                    "no value");
    handles_refused(takt_machine_option(machine, "packed", NULL, &error), TAKT_MISUSE, &error,
                    "packed"); /* of takt print */
    handles_refused(takt_machine_silence(machine, "never", &error), TAKT_MISUSE, &error, "never");
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
    struct takt_machine *machine = handles_machine("mncore2");
    const struct takt_text text = {"early.vsm", early, sizeof early - 1};
    handles_refused(takt_program_open(&program, machine, &text, 1, &error), TAKT_INPUT, &error,
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
    handles_refused(takt_run_open(&run, program, NULL, &error), TAKT_MISUSE, &error, "errors");
    assert_null(run);
    takt_program_close(program);
    takt_machine_close(machine);

    machine = handles_machine("mncore2");
    handles_fine(takt_machine_silence(machine, "never-written", &error), &error);
    handles_fine(takt_machine_option(machine, "interlock", NULL, &error),
                 &error); /* it is a stall then */
    handles_fine(takt_program_open(&program, machine, &text, 1, &error), &error);
    const size_t left = takt_program_findings(program, &found);
    for (size_t i = 0; i < left; i++)
        assert_string_not_equal(found[i].name, "never-written");
    takt_run_close(handles_done(program, NULL));
    takt_program_close(program);
    takt_machine_close(machine);
}

static void wrong_programs(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine("mncore2");
    const struct takt_text missing = {.name = "/nowhere/k.vsm"}, standard = {.name = "-"};
    const struct takt_text empty = {"empty", "", 0};
    handles_refused(takt_program_open(&program, machine, &missing, 1, &error), TAKT_INPUT, &error,
                    "/nowhere/k.vsm");
    assert_null(program);
    handles_refused(takt_program_open(&program, machine, &standard, 1, &error), TAKT_INPUT, &error,
                    "./-");
    handles_refused(takt_program_open(&program, machine, &missing, 0, &error), TAKT_MISUSE, &error,
                    "text");
    handles_fine(takt_program_open(&program, machine, &empty, 1, &error), &error);
    struct takt_run *run = handles_done(program, NULL);
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
        {{.size = sizeof wrong->options, .flags = TAKT_VALUES, .threads = 257}, TAKT_MISUSE, "256"},
        {{.size = sizeof wrong->options, .flags = 2 * TAKT_DIFF}, TAKT_MISUSE, "does not know"},
        {{.size = sizeof wrong->options, .flags = 1u << 31}, TAKT_MISUSE, "does not know"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        handles_refused(takt_run_open(&run, program, &wrong[i].options, &error), wrong[i].status,
                        &error, wrong[i].words);
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
    struct takt_machine *machine = handles_machine("kelvin");
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
    handles_refused(takt_run_open(&run, NULL, NULL, &error), TAKT_MISUSE, &error,
                    "needs a program");
    /* Two texts of one name; the second has the fault, which its turn names. */
    static const char start[] = "_start: la a0, end\n j more\n", more[] = "more: jr a0\nend:\n";
    const struct takt_text both[] = {{"same", start, sizeof start - 1},
                                     {"same", more, sizeof more - 1}};
    handles_fine(takt_program_open(&program, machine, both, 2, &error), &error);
    for (unsigned values = 0; values < 2; values++) {
        size_t size = 1;
        const struct takt_options options = {.size = sizeof options,
                                             .flags = values ? TAKT_VALUES : 0};
        handles_fine(takt_run_open(&run, program, &options, &error), &error);
        assert_int_equal(takt_run_advance(run, 0, &error), TAKT_INPUT);
        assert_true(error.text[0] != '\0');
        handles_refused(takt_run_advance(run, 0, &error), TAKT_MISUSE, &error, "failed before");
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
    struct takt_program *program = handles_program(HANDLES_FMA);
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_VALUES};
    const uint64_t a = (uint64_t)TWO << 32 | ONE, x = (uint64_t)ONE << 32 | TWO;
    const uint64_t b = (uint64_t)THREE << 32 | THREE, y = (uint64_t)FIVE << 32 | FIVE;
    uint64_t words[3] = {0};
    handles_fine(takt_run_open(&run, program, &options, &error), &error);
    handles_refused(takt_run_get(run, "d@0:12288", words, 3, &error), TAKT_MISUSE, &error, "done");
    handles_refused(takt_run_put(run, "q@0:0", &a, 1, &error), TAKT_INPUT, &error, "q@0:0");
    handles_refused(takt_run_put(run, "d@0:100+2", &a, 1, &error), TAKT_INPUT, &error,
                    "1 long words");
    handles_fine(takt_run_put(run, "d@0:100", &a, 1, &error), &error);
    handles_fine(takt_run_put(run, "d@0:4196+1", &x, 1, &error), &error);
    handles_fine(takt_run_put(run, "d@0:8292", &b, 1, &error), &error);
    handles_fine(takt_run_advance(run, 0, &error), &error);
    handles_refused(takt_run_put(run, "d@0:100", &a, 1, &error), TAKT_MISUSE, &error, "before");
    handles_fine(takt_run_get(run, "d@0:12388+1", words, 1, &error), &error);
    assert_true(words[0] == y);
    handles_fine(takt_run_get(run, "d@0:12387", words, 3, &error),
                 &error); /* 0 * 0 + 0 beside it */
    assert_true(words[0] == 0 && words[1] == y && words[2] == 0);
    const uint64_t hash = takt_run_state(run);
    takt_run_close(run);
    run = handles_done(program, &options);
    assert_true(hash != takt_run_state(run));
    takt_run_close(run);
    takt_program_close(program);
}

static void values_of_memory(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_run *run;
    struct takt_program *program = handles_program("examples/amx/block.amx");
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_VALUES};
    const uint64_t words[2] = {UINT64_C(0x0123456789abcdef), 42};
    uint64_t back[2] = {0};
    handles_fine(takt_run_open(&run, program, &options, &error), &error);
    /* Nothing in the example is so high in memory. */
    handles_fine(takt_run_put(run, "m:8000", words, 2, &error), &error);
    handles_fine(takt_run_advance(run, 0, &error), &error);
    handles_fine(takt_run_get(run, "m:8000+2", back, 2, &error), &error);
    assert_memory_equal(words, back, sizeof words);
    handles_refused(takt_run_get(run, "m:8000+3", back, 2, &error), TAKT_INPUT, &error, "2 words");
    handles_refused(takt_run_get(run, "x@9999:0", back, 2, &error), TAKT_INPUT, &error, "threads");
    takt_run_close(run);
    run = handles_done(program, NULL);
    handles_refused(takt_run_get(run, "m:0", back, 1, &error), TAKT_MISUSE, &error, "TAKT_VALUES");
    takt_run_close(run);
    takt_program_close(program);
}

/* What the command writes to a file lies in memory here. */
static void dump(void **state)
{
    (void)state;
    static const unsigned flags[] = {TAKT_VALUES, TAKT_VALUES | TAKT_NO_TIME};
    const char *path = takt_temp_path("dump.txt");
    const char *const arguments[] = {"run", HANDLES_FMA, "--quiet", "--dump", path, NULL};
    struct takt_result r = takt_run(arguments);
    assert_int_equal(r.exit_code, 0);
    takt_result_free(&r);
    size_t size, expected_size;
    char *expected = takt_read_file(path, &expected_size);
    assert_true(expected_size > 0);
    struct takt_program *program = handles_program(HANDLES_FMA);
    for (size_t f = 0; f < 2; f++) {
        const struct takt_options options = {.size = sizeof options, .flags = flags[f]};
        struct takt_run *run = handles_done(program, &options);
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
    struct takt_program *program = handles_program(HANDLES_FMA);
    const struct takt_options options = {
        .size = sizeof options, .flags = TAKT_DETAIL | TAKT_BOUNDS, .trace = path};
    struct takt_run *run = handles_done(program, &options);
    const char *const arguments[] = {"report", path, "--json", NULL};
    json_t *root = handles_command(arguments);
    assert_int_equal(handles_integer(root, "cycles"), takt_run_totals(run)->cycles);
    assert_true(json_array_size(json_object_get(root, "bounds")) > 0);
    json_decref(root);
    const char *const check[] = {"report", path, "check", NULL};
    struct takt_result r = takt_run(check);
    assert_int_equal(r.exit_code, 0);
    takt_result_free(&r);
    takt_run_close(run);

    /* The last byte is of its checksum. */
    handles_fine(takt_trace_check(path, &error), &error);
    FILE *file = fopen(path, "r+");
    fseek(file, -1, SEEK_END);
    const int last = fgetc(file);
    fseek(file, -1, SEEK_END);
    fputc(last ^ 1, file);
    fclose(file);
    handles_refused(takt_trace_check(path, &error), TAKT_INPUT, &error, "is damaged");
    handles_refused(takt_trace_check(HANDLES_FMA, &error), TAKT_INPUT, &error, "not a takt trace");
    handles_refused(takt_trace_check(NULL, &error), TAKT_MISUSE, &error, "NULL");

    /* One that is given up leaves nothing under its name. */
    unlink(path);
    handles_fine(takt_run_open(&run, program, &options, &error), &error);
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
    uint64_t cycles[HANDLES_EXAMPLES];
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
        const size_t e = turn % HANDLES_EXAMPLES;
        const struct takt_text text = {.name = handles_examples[e]};
        const struct takt_options options = {.size = sizeof options,
                                             .flags = turn % 2 ? TAKT_VALUES | TAKT_TRANSFERS
                                                               : TAKT_BOUNDS | TAKT_STATEMENTS};
        struct takt_run *run = NULL;
        if (e) /* the first example is the one that all threads share */
            w->good &= takt_machine_open(&machine, handles_examples[e], &error) == TAKT_FINE &&
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
    struct takt_program *shared = handles_program(handles_examples[0]);
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
/* A required pointer that is NULL is a misuse with its name; the handle is NULL then. */
static void null_pointers(void **state)
{
    (void)state;
    struct takt_error error;
    struct takt_machine *m = handles_machine(NULL);
    struct takt_program *p = handles_program(HANDLES_FMA), *program;
    struct takt_run *r = handles_done(p, NULL), *run;
    struct takt_expectation found;
    struct takt_diff *diff;
    struct takt_proof *proof;
    struct takt_advice *advice;
    struct takt_schedule *schedule;
    struct takt_loop *loop;
    struct takt_app *app;
    const struct takt_text nameless = {.text = "nop", .size = 3};
    uint64_t word;
#define MISSES(words, call) handles_refused(call, TAKT_MISUSE, &error, words)
    MISSES("place of the answer", takt_machine_open(NULL, NULL, &error));
    MISSES("machine", takt_machine_set(NULL, "a=1", &error));
    MISSES("assignment", takt_machine_set(m, NULL, &error));
    MISSES("text", takt_machine_config(m, "c.yaml", NULL, 1, &error));
    MISSES("name", takt_machine_config(m, NULL, "", 0, &error));
    MISSES("name", takt_machine_option(m, NULL, NULL, &error));
    MISSES("name", takt_machine_silence(m, NULL, &error));
    MISSES("text", takt_machine_speed(m, NULL, &error));
    MISSES("place of the answer", takt_program_open(NULL, m, &nameless, 1, &error));
    MISSES("text", takt_program_open(&program, m, NULL, 1, &error));
    MISSES("machine", takt_program_open(&program, NULL, &nameless, 1, &error));
    MISSES("name", takt_program_open(&program, m, &nameless, 1, &error));
    assert_null(program);
    MISSES("place of the answer", takt_run_open(NULL, p, NULL, &error));
    MISSES("program", takt_run_open(&run, NULL, NULL, &error));
    assert_null(run);
    MISSES("run", takt_run_advance(NULL, 0, &error));
    MISSES("run", takt_run_put(NULL, "d@0:0", &word, 1, &error));
    MISSES("place", takt_run_put(r, NULL, &word, 1, &error));
    MISSES("words", takt_run_get(r, "d@0:0", NULL, 1, &error));
    MISSES("run", takt_run_expect(NULL, "cycles <= 1", &found, &error));
    MISSES("text", takt_run_expect(r, NULL, &found, &error));
    MISSES("place of the answer", takt_run_expect(r, "cycles <= 1", NULL, &error));
    MISSES("lines", takt_run_without(r, &program, NULL, &error));
    MISSES("run", takt_run_without(NULL, &program, "1", &error));
    MISSES("run", takt_proof_open(&proof, NULL, NULL, &error));
    MISSES("run", takt_diff_open(&diff, NULL, r, &error));
    MISSES("program", takt_advice_open(&advice, NULL, NULL, &error));
    MISSES("program", takt_schedule_open(&schedule, NULL, NULL, &error));
    MISSES("program", takt_loop_open(&loop, NULL, "rows", NULL, &error));
    MISSES("region", takt_loop_open(&loop, p, NULL, NULL, &error));
    MISSES("name", takt_app_open(&app, m, &nameless, 0, &error));
    MISSES("place of the answer", takt_app_open(NULL, m, &nameless, 0, &error));
#undef MISSES
    assert_int_equal(takt_run_advance(NULL, 0, NULL), TAKT_MISUSE);
    takt_run_close(r);
    takt_program_close(p);
    takt_machine_close(m);
}

static double open_many(size_t count)
{
    struct takt_error error;
    struct takt_program *program;
    struct takt_machine *machine = handles_machine(NULL);
    struct takt_text *texts = calloc(count, sizeof *texts);
    char(*names)[64] = calloc(count, sizeof *names);
    struct timespec from, to;
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "a-program-in-many-parts-%zu", i);
        texts[i] = (struct takt_text){names[i], "nop\n", 4};
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    handles_fine(takt_program_open(&program, machine, texts, count, &error), &error);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    takt_program_close(program);
    takt_machine_close(machine);
    free(texts);
    free(names);
    return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* Eight times as many texts took 64 times as long once. */
static void many_texts(void **state)
{
    (void)state;
    const double few = open_many(2000), many = open_many(16000);
    assert_true(many < 24 * few + 0.05);
}

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
        cmocka_unit_test(null_pointers),
        cmocka_unit_test(many_texts),
        cmocka_unit_test(silent),
        cmocka_unit_test(installed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
