/*
 * schedule: small programs whose best order was worked out by hand; the examples written naively,
 * which must come back at least as good as they were written by hand; and random programs, which
 * must keep their values and get no longer. What schedule gives is run here once more by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/schedule.h"
#include "tests/gen_program.h"
#include "tests/naive.h"
#include "tests/often.h"
#include "tests/takt_process.h"

struct opened {
    struct config config;
    struct source source;
    struct diag_list diags;
    struct candidate_setup setup;
    struct candidates *candidates;
    char error[MACHINE_ERROR];
};

static void open_text(struct opened *o, const struct machine *machine, const char *text,
                      const struct machine_setting *settings)
{
    diag_list_init(&o->diags);
    assert_int_equal(source_from_text(&o->source, "k", text, strlen(text)), 0);
    assert_int_equal(machine_config(machine, &o->config, o->error, sizeof o->error), 0);
    o->setup = (struct candidate_setup){
        .machine = machine, .config = &o->config, .source = &o->source, .settings = settings};
    if (candidate_open(&o->candidates, &o->setup, &o->diags, o->error) != 0) {
        diag_print(&o->diags, &o->source, 1, stderr, false);
        fail_msg("%s\n%s", o->error, text);
    }
}

static void close_text(struct opened *o)
{
    candidate_free(o->candidates);
    diag_list_free(&o->diags);
    source_close(&o->source);
    config_free(&o->config);
}

/* What takt run says of a text: its cycles, and the hash of its state. */
static uint64_t run_again(const char *name, const char *text, const char *packing, char state[32])
{
    const char *file = takt_temp_file(name, text);
    const char *const with[] = {"run", "--json",    "--hash", "--init", "random:5", "--silence",
                                "all", "--packing", packing,  file,     NULL};
    const char *const without[] = {"run",       "--json", "--hash", "--init", "random:5",
                                   "--silence", "all",    file,     NULL};
    struct takt_result result = takt_run(packing ? with : without);
    if (result.exit_code != 0)
        fail_msg("%s\n%s", result.err, text);
    const char *cycles = strstr(result.out, "\"cycles\": "),
               *hash = strstr(result.out, "\"state\": ");
    assert_non_null(cycles);
    assert_non_null(hash);
    snprintf(state, 32, "%.16s", hash + strlen("\"state\": \""));
    const uint64_t value = strtoull(cycles + strlen("\"cycles\": "), NULL, 10);
    takt_result_free(&result);
    return value;
}

/* Cycles of the schedule. */
static uint64_t schedule(const struct machine *machine, const char *text, const char *packing,
                         struct schedule *schedule)
{
    const struct machine_setting settings[] = {{"packing", packing}, {NULL, NULL}};
    struct opened o;
    open_text(&o, machine, text, packing ? settings : NULL);
    if (schedule_find(o.candidates, &o.setup, schedule, o.error) != 0)
        fail_msg("%s\n%s", o.error, text);
    close_text(&o);
    return schedule->after;
}

/* --- by hand ------------------------------------------------------------------------------------- */

struct known {
    const char *why, *text;
    uint64_t cycles;
    bool optimal;
};

/* Without packing: 4 cycles a step. A GRF can be read two steps after it was written, LM three. */
static const struct known known[] = {
    {"two chains of three steps of the ALU, each step two behind the one before: 5 steps for one, "
     "and the other goes one step behind it",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $lr8v\nnop\nladd $lr8v $lr8v $ls0v\n"
     "lpassa $lm8v $lr16v\nnop\nladd $lr16v $lr16v $lr24v\nnop\nladd $lr24v $lr24v $ls8v\n",
     24, true},
    {"ALU and MAU in one step each",
     "lpassa $lm0v $lr0v\nlpassa $lm0v $lr8v\ndvpassa $ln0v $ls0v\ndvpassa $ln0v $ls8v\n", 8, true},
    {"the register forwards: nothing may come between, but beside it",
     "lpassa $lm0v $nowrite\nladd $aluf $lr0v $lr8v\ndvpassa $ln0v $ls0v\ndvpassa $ln0v $ls8v\n", 8,
     true},
    {"a chain by forwarding needs its step; what is not wanted there can stand noforward",
     "lpassa $lm0v $nowrite\nladd $aluf $lr0v $lr8v\nnop\nladd $lr8v $lr8v $lr16v\n", 16, true},
    {"an LM turns in two empty steps, a GRF's value needs one, and the ALU takes one a step: of four "
     "steps the last would be the reader of LM, and the reader of GRF stand there too",
     "lpassa $lr0v $lm0v\nnop/2\nlpassa $lm0v $ls0v\nlpassa $lr8v $lr16v\nnop\nlpassa $lr16v $ls8v\n",
     20, true},
    {"nops that nothing asks for", "lpassa $lm0v $lr0v\nnop/24\nlpassa $lm0v $lr8v\n", 8, true},
    {"one swaps what the other reads: they stay in one step",
     "lpassa $lr0v $ls0v; dvpassa $ls0v $lr0v\nnop/5\nlpassa $lr0v $lr8v\n", 12, true},
};

static void hand_derived(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct schedule s;
        const uint64_t cycles = schedule(&machine_mncore2, known[i].text, "none", &s);
        if (cycles != known[i].cycles || s.optimal != known[i].optimal)
            fail_msg("%s: %llu cycles, optimal %d\n%s", known[i].why, (unsigned long long)cycles,
                     s.optimal, s.text ? s.text : "kept");
        schedule_free(&s);
    }
}

/* --- the examples, written naively --------------------------------------------------------------- */

struct example {
    const struct machine *machine;
    const char *path;
    uint64_t naive, scheduled, written;
    bool optimal;
};

static struct example examples[] = {
    {&machine_mncore2, "examples/mncore2/fma.vsm", 0, 0, 0, false},
    {&machine_mncore2, "examples/mncore2/matmul.vsm", 0, 0, 0, false},
    {&machine_mncore2, "examples/mncore2/reduce.vsm", 0, 0, 0, false},
    {&machine_amx, "examples/amx/accumulators.amx", 0, 0, 0, false},
    {&machine_amx, "examples/amx/block.amx", 0, 0, 0, false},
    {&machine_amx, "examples/amx/matmul.amx", 0, 0, 0, false},
    {&machine_amx, "examples/amx/threads.amx", 0, 0, 0, false},
};

static void examples_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct example *e = &examples[i];
        char before[32], after[32];
        const bool steps = e->machine == &machine_mncore2;
        const char *name = steps ? "naive.vsm" : "naive.amx";
        char *text = takt_read_file(e->path, NULL);
        char *naive = steps ? naive_steps(e->machine, text) : naive_loads(e->machine, text);
        struct schedule s;
        e->written = run_again(name, text, NULL, before);
        e->naive = run_again(name, naive, NULL, after);
        assert_string_equal(before, after);
        e->scheduled = schedule(e->machine, naive, NULL, &s);
        e->optimal = s.optimal;
        if (!s.kept) {
            assert_int_equal(run_again(name, s.text, NULL, after), e->scheduled);
            assert_string_equal(before, after);
        }
        print_message("%-32s naive %6llu  scheduled %6llu  by hand %6llu%s\n", e->path,
                      (unsigned long long)e->naive, (unsigned long long)e->scheduled,
                      (unsigned long long)e->written, e->optimal ? "  optimal" : "");
        assert_true(e->scheduled <= e->naive);
        assert_true(e->scheduled <= e->written);
        schedule_free(&s);
        free(naive);
        free(text);
    }
}

/* --- random programs ------------------------------------------------------------------------------ */

static void random_programs(void **state)
{
    (void)state;
    enum { ROUNDS = 5 };
    size_t shorter = 0, refused = 0;
    for (uint64_t round = 0; round < often(ROUNDS); round++) {
        const struct gen_options options = {.features = round % 3 ? GEN_ALL : GEN_ALL & ~GEN_MV,
                                            .statements = (unsigned)(4 + round % 40),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 2,
                                            .gets = 3};
        char *text = gen_program(round + 1, &options, NULL);
        struct opened o;
        struct schedule s = {.text = NULL};
        char before[32], after[32];
        open_text(&o, &machine_mncore2, text, NULL);
        const int status = schedule_find(o.candidates, &o.setup, &s, o.error);
        if (status > 0) {
            refused++;
        } else if (status < 0) {
            fail_msg("round %llu: %s", (unsigned long long)round, o.error);
        } else if (!s.kept) {
            const uint64_t was = run_again("k.vsm", text, NULL, before),
                           is = run_again("k.vsm", s.text, NULL, after);
            assert_int_equal(s.before, was);
            assert_int_equal(s.after, is);
            assert_true(is < was);
            assert_string_equal(before, after);
            shorter++;
        } else if (strcmp(s.reason, "no shorter order was found") != 0 && !s.optimal) {
            print_message("round %llu: %s\n", (unsigned long long)round, s.reason);
        }
        schedule_free(&s);
        close_text(&o);
        free(text);
    }
    print_message("%zu shorter, %zu refused\n", shorter, refused);
    assert_true(shorter > ROUNDS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hand_derived),
                                       cmocka_unit_test(examples_come_back),
                                       cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
