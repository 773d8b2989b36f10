/*
 * schedule and advise: small programs whose best order was worked out by hand; the examples written
 * naively, which must come back at least as good as they were written by hand; and random programs,
 * which must keep their values and get no longer. What they give is run here once more by takt run,
 * from another start of the memories than they compare with; of advise each item by itself.
 *
 * TAKT_UPDATE_DOCS=1 writes the table of the examples into docs/schedules.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advise.h"
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

/* --- by hand ---------------------------------------------------------------------------------- */

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

/* --- the examples, written naively ------------------------------------------------------------ */

struct example {
    const struct machine *machine;
    const char *path;
    uint64_t naive, scheduled, written, bound;
    bool optimal, large;
};

static struct example examples[] = {
    {&machine_mncore2, "examples/mncore2/fma.vsm", 0, 0, 0, 0, false, true},
    {&machine_mncore2, "examples/mncore2/matmul.vsm", 0, 0, 0, 0, false, false},
    {&machine_mncore2, "examples/mncore2/reduce.vsm", 0, 0, 0, 0, false, false},
    {&machine_amx, "examples/amx/accumulators.amx", 0, 0, 0, 0, false, true},
    {&machine_amx, "examples/amx/block.amx", 0, 0, 0, 0, false, true},
    {&machine_amx, "examples/amx/matmul.amx", 0, 0, 0, 0, false, false},
    {&machine_amx, "examples/amx/threads.amx", 0, 0, 0, 0, false, true},
};

/* The large examples take seconds: make test-long has them, and whoever writes the table. */
static bool long_campaign(void)
{
    return getenv("TAKT_OFTEN") || getenv("TAKT_UPDATE_DOCS");
}

static void examples_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct example *e = &examples[i];
        if (e->large && !long_campaign())
            continue;
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
        e->bound = s.bound;
        assert_true(e->scheduled <= e->naive);
        assert_true(s.bound <= e->scheduled);
        assert_true(e->scheduled <= e->written);
        schedule_free(&s);
        free(naive);
        free(text);
    }
}

/* The page shows the figures of this run. */
static void table_of_examples(void **state)
{
    (void)state;
    if (!long_campaign())
        return;
    static const char *const begin = "| program | naive | scheduled | by hand | any order needs |\n"
                                     "|---|---|---|---|---|\n";
    const char *path = "docs/schedules.md";
    char *table = NULL, *page = takt_read_file(path, NULL);
    size_t size = 0;
    FILE *out = open_memstream(&table, &size);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        fprintf(out, "| `%s` | %llu | %llu%s | %llu | %llu |\n", examples[i].path,
                (unsigned long long)examples[i].naive, (unsigned long long)examples[i].scheduled,
                examples[i].optimal ? ", optimal" : "", (unsigned long long)examples[i].written,
                (unsigned long long)examples[i].bound);
    fclose(out);
    assert_non_null(page);
    char *from = strstr(page, begin);
    assert_non_null(from);
    from += strlen(begin);
    const char *behind = from;
    while (*behind == '|')
        behind += strcspn(behind, "\n") + 1;
    if (getenv("TAKT_UPDATE_DOCS")) {
        FILE *file = fopen(path, "w");
        fprintf(file, "%.*s%s%s", (int)(from - page), page, table, behind);
        fclose(file);
    } else if (strncmp(from, table, size) != 0) {
        fail_msg("%s is not what is found: TAKT_UPDATE_DOCS=1 build/tests/test_schedule\n%s", path,
                 table);
    }
    free(table);
    free(page);
}

/* --- random programs -------------------------------------------------------------------------- */

static void random_programs(void **state)
{
    (void)state;
    enum { ROUNDS = 2 };
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
            assert_true(s.bound <= is);
            assert_string_equal(before, after);
            shorter++;
        }
        schedule_free(&s);
        close_text(&o);
        free(text);
    }
    if (getenv("TAKT_OFTEN"))
        print_message("%zu shorter, %zu refused\n", shorter, refused);
    assert_true(shorter > 0);
}

/* --- advice ----------------------------------------------------------------------------------- */

/* The edits of an item done to a text, by nobody's code but this. */
static char *edited(const char *text, const struct advice_item *item)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    uint32_t line = 1;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n', line++) {
        const struct advice_edit *edit = NULL;
        for (size_t e = 0; e < item->edit_count; e++)
            if (item->edits[e].line == line)
                edit = &item->edits[e];
        if (edit && edit->text)
            fprintf(out, "%s\n", edit->text);
        else if (!edit)
            fprintf(out, "%.*s\n", (int)strcspn(at, "\n"), at);
    }
    fclose(out);
    return result;
}

/* Each item saves what it says, in its turn, and leaves the state as it was. Returns how many. */
static size_t items_hold(const struct machine *machine, const char *name, const char *text,
                         const char *packing)
{
    const struct machine_setting settings[] = {{"packing", packing}, {NULL, NULL}};
    struct opened o;
    struct advice advice;
    char state[32], after[32], *now = strdup(text);
    size_t items = 0;
    uint64_t saved = 0;
    open_text(&o, machine, text, packing ? settings : NULL);
    assert_int_equal(advise_find(o.candidates, &o.setup, ADVISE_BUDGET, true, &advice), 0);
    assert_int_equal(run_again(name, text, packing, state), advice.before);
    for (size_t i = 0; i < advice.count; i++) {
        const struct advice_item *item = &advice.items[i];
        if (item->edit_count == 0 || (item->finding && !long_campaign())) /* none: other options */
            continue;
        char *next = edited(now, item);
        assert_int_equal(run_again(name, next, packing, after), item->after);
        if (!item->dumps_only)
            assert_string_equal(state, after);
        assert_int_equal(item->before, advice.before - saved);
        assert_true(item->finding || item->after < item->before);
        if (item->finding) {
            free(next);
            continue;
        }
        saved += item->before - item->after;
        items++;
        free(now);
        now = next;
    }
    assert_int_equal(advice.before - advice.after, saved);
    assert_int_equal(run_again(name, advice.text, packing, after), advice.after);
    assert_string_equal(state, after);
    advise_free(&advice);
    close_text(&o);
    free(now);
    return items;
}

static void advice_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t items;
    } programs[] = {
        {"lpassa $lm0v $lr0v\nnop/24\nlpassa $lm0v $lr8v\n", 1},
        /* 3 empty steps are due in front of a read of LM; a nop of 8 has 6 that go */
        {"lpassa $lr0v $lm0v\nnop/8\nlpassa $lm0v $ls0v\n", 1},
        {"lpassa $lm0v $lr0v\ndvpassa $ln0v $ls0v # beside\n", 1},
        {"lpassa $lm0v $lr0v\nladd $lr8v $lr8v $lr16v\n", 0}, /* one ALU */
        /* A transfer in flight: what stands behind it is no shorter by its nops alone. */
        {"mvp/n64i01 $d0 $lc0\nnop/2\nlpassa $lm0v $lr0v\nnop; wait i01\nl2bmb $lc0 $lb0\n", 1},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i += long_campaign() ? 1 : 2) {
        const size_t items = items_hold(&machine_mncore2, "k.vsm", programs[i].text, "none");
        if ((items > 0) != (programs[i].items > 0))
            fail_msg("%zu items\n%s", items, programs[i].text);
    }
}

static void advice_of_random_programs(void **state)
{
    (void)state;
    enum { ROUNDS = 1 };
    size_t items = 0;
    for (uint64_t round = 0; round < often(ROUNDS); round++) {
        const struct gen_options options = {.features = round % 2 ? GEN_ALL : GEN_ALL & ~GEN_MV,
                                            .statements = (unsigned)(4 + round % 16),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 1,
                                            .gets = 2};
        char *text = gen_program(round + 100, &options, NULL);
        items += items_hold(&machine_mncore2, "k.vsm", text, NULL);
        free(text);
    }
    assert_true(items > 0);
    char *text = takt_read_file("examples/amx/matmul.amx", NULL);
    char *naive = naive_loads(&machine_amx, text);
    items_hold(&machine_amx, "k.amx", naive, NULL);
    free(naive);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_derived),      cmocka_unit_test(examples_come_back),
        cmocka_unit_test(table_of_examples), cmocka_unit_test(random_programs),
        cmocka_unit_test(advice_by_hand),    cmocka_unit_test(advice_of_random_programs)};
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
