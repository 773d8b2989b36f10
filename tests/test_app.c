/*
 * app: applications at random: every turn simulated gives the same as repeats by state; where a
 * machine keeps nothing between runs an oracle adds up what programs take alone; on MN-Core 2 the
 * text repeated in one program takes what its turns take, whatever the DRAM's numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/app_answer.h"
#include "host/text.h"
#include "tests/dice.h"
#include "tests/often.h"
#include "tests/random_setting.h"
#include "tests/takt_process.h"
#include "timing/machines.h"
#include "timing/run.h"

/* --- an application of a text ----------------------------------------------------------------- */

struct made {
    struct source source;
    struct app app;
    struct config config;
    struct diag_list diags;
    struct run_options options;
};

static void make(struct made *m, const char *text, const char *const *sets)
{
    char error[MACHINE_ERROR];
    *m = (struct made){.options = {.threads = 1}};
    diag_list_init(&m->diags);
    assert_int_equal(source_from_text(&m->source, "app.yaml", text, strlen(text)), 0);
    if (app_read(&m->app, &m->source, &m->diags) != 0) {
        diag_print(&m->diags, &m->source, 1, stderr, false);
        fail_msg("%s", text);
    }
    assert_int_equal(machine_config(m->app.machine, &m->config, error, sizeof error), 0);
    for (; sets && *sets; sets++)
        assert_int_equal(config_set(&m->config, *sets, error, sizeof error), 0);
    assert_int_equal(app_load(&m->app, &m->config, m->options.settings, &m->diags), 0);
}

static void drop(struct made *m)
{
    app_free(&m->app);
    config_free(&m->config);
    diag_list_free(&m->diags);
    source_close(&m->source);
}

static void time_app(struct made *m, bool every_turn, struct app_time *time)
{
    const struct app_how how = {.app = &m->app,
                                .config = &m->config,
                                .options = &m->options,
                                .every_turn = every_turn,
                                .shown = true};
    if (app_time(time, &how, &m->diags) != 0) {
        diag_print(&m->diags, &m->app.programs[0].source, 1, stderr, false);
        fail_msg("%s\n%.*s", time->turns.error, (int)m->source.size, m->source.text);
    }
}

static uint64_t total_of(const char *text, const char *const *sets)
{
    struct made m;
    struct app_time time;
    make(&m, text, sets);
    time_app(&m, false, &time);
    const uint64_t total = time.total;
    app_time_free(&time);
    drop(&m);
    return total;
}

/* --- random applications ---------------------------------------------------------------------- */

static const struct {
    const char *machine;
    const char *programs[3];
} machines_of[] = {
    {"mncore2", {"examples/mncore2/fma.vsm", "examples/mncore2/measure/read-write.vsm", NULL}},
    {"amx", {"examples/amx/block.amx", "examples/amx/accumulators.amx", NULL}},
    {"loops", {"examples/loops/dot.loops", "examples/loops/rest.loops", NULL}},
    {"kelvin", {"examples/kelvin/dot.kelvin", "examples/kelvin/depthwise_vacc.kelvin", NULL}},
    {"ventus", {"examples/ventus/saxpy.ventus", NULL}},
};
enum { MACHINES = sizeof machines_of / sizeof *machines_of };

/* A program with transfers of the DRAM that are waited for: it ends with its stream. */
static const char *random_program(struct dice *dice, const char *name)
{
    char text[1024];
    size_t size = 0;
    const unsigned count = 1 + (unsigned)dice_below(dice, 3);
    for (unsigned i = 0; i < count; i++) {
        const unsigned words = 64U << dice_below(dice, 5);
        const unsigned dram = (unsigned)dice_below(dice, 1 << 16) * 64, pdm = i * 2048;
        size += dice_below(dice, 2)
                    ? (size_t)snprintf(text + size, sizeof text - size,
                                       "mvp/n%ui%02u $d%u@0 $p%u@0\n", words, i + 1, dram, pdm)
                    : (size_t)snprintf(text + size, sizeof text - size,
                                       "mvp/n%ui%02u $p%u@0 $d%u@0\n", words, i + 1, pdm, dram);
        if (dice_below(dice, 2))
            size += (size_t)snprintf(text + size, sizeof text - size, "nop/%u\n",
                                     1 + (unsigned)dice_below(dice, 40));
    }
    for (unsigned i = 0; i < count; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "nop; wait i%02u\n", i + 1);
    return takt_temp_file(name, text);
}

struct maker {
    struct dice *dice;
    FILE *out;
    const char *programs[3];
    unsigned program_count, boards;
    bool ran; /* a run in this group, on which boards cannot be told apart */
};

static void put_board(struct maker *m, const char *before, const char *after)
{
    const unsigned board = (unsigned)dice_below(m->dice, m->boards + 1);
    if (board < m->boards)
        fprintf(m->out, "%sboard: %u%s", before, board, after);
}

static void put_steps(struct maker *m, unsigned depth)
{
    const unsigned count = 1 + (unsigned)dice_below(m->dice, 3);
    bool together = false;
    for (unsigned i = 0; i < count; i++) {
        const unsigned kind = (unsigned)dice_below(m->dice, depth < 2 && !together ? 4 : 3);
        const int indent = 2 * (int)depth;
        const bool next = i + 1 < count && dice_below(m->dice, 3) == 0;
        m->ran &= together;
        if (kind == 3) {
            fprintf(m->out, "%*s- repeat: %u\n%*s  steps:\n", indent, "",
                    1 + (unsigned)dice_below(m->dice, 5), indent, "");
            put_steps(m, depth + 1);
            together = false;
            continue;
        }
        if (kind == 2 && !m->ran) {
            fprintf(m->out, "%*s- run: %s\n", indent, "",
                    m->programs[dice_below(m->dice, m->program_count)]);
            fprintf(m->out, "%*s  times: %u\n", indent, "", 1 + (unsigned)dice_below(m->dice, 6));
            char before[16];
            snprintf(before, sizeof before, "%*s  ", indent, "");
            put_board(m, before, "\n");
            m->ran = true;
        } else {
            fprintf(m->out, "%*s- %s: {bytes: %u", indent, "", kind ? "load" : "store",
                    1 + (unsigned)dice_below(m->dice, 1000000));
            put_board(m, ", ", "");
            fprintf(m->out, "}\n");
        }
        if (next)
            fprintf(m->out, "%*s  with: next\n", indent, "");
        together = next;
    }
    m->ran = false;
}

static char *random_text(struct dice *dice, unsigned round)
{
    struct maker m = {.dice = dice};
    char *text = NULL;
    size_t size = 0;
    const unsigned machine = round % 2 ? (unsigned)dice_below(dice, MACHINES) : 0;
    for (; machines_of[machine].programs[m.program_count]; m.program_count++)
        m.programs[m.program_count] = machines_of[machine].programs[m.program_count];
    if (!machine)
        m.programs[m.program_count++] = random_program(dice, "tile.vsm");
    m.boards = 1 + (unsigned)dice_below(dice, 3);
    m.out = text_open(&text, &size);
    fprintf(m.out, "machine: %s\nboards: %u\nsteps:\n", machines_of[machine].machine, m.boards);
    put_steps(&m, 0);
    assert_int_equal(text_close(m.out, &text), 0);
    return text;
}

/* --- the oracle ------------------------------------------------------------------------------- */

static uint64_t program_cycles(const struct made *m, const struct app_step *step)
{
    uint64_t cycles = 0;
    assert_int_equal(
        run_cycles(m->app.machine, m->app.programs[step->program].program, &m->config, &cycles), 0);
    return cycles;
}

static double number_of(const struct made *m, const char *name)
{
    for (size_t i = 0; i < m->config.count; i++)
        if (strcmp(m->config.rows[i].name, name) == 0)
            return m->config.params[i].value;
    fail_msg("no %s", name);
    return 0;
}

__extension__ typedef unsigned __int128 wide;

/* Whole cycles for latency + bytes / bandwidth, in integers. */
static uint64_t transfer(const struct made *m, uint64_t bytes)
{
    const wide clock = (wide)number_of(m, "clock_hz"), second = 1000000000;
    const wide latency = (wide)number_of(m, "host_latency"),
               bandwidth = (wide)number_of(m, "host_bandwidth");
    const wide part = second * bandwidth;
    return (uint64_t)((latency * clock * bandwidth + bytes * clock * second + part - 1) / part);
}

/* Where runs leave nothing: step by step, board by board. */
static uint64_t add_up(const struct made *m, size_t first, size_t end)
{
    uint64_t total = 0;
    for (size_t s = first; s < end;) {
        const struct app_step *steps = m->app.steps;
        uint64_t most = 0;
        size_t last = s;
        if (steps[s].kind == APP_REPEAT) {
            total += steps[s].times * add_up(m, s + 1, steps[s].end);
            s = steps[s].end;
            continue;
        }
        while (steps[last].with_next)
            last++;
        for (uint32_t b = 0; b < m->app.boards; b++) {
            uint64_t link = 0, run = 0;
            for (size_t i = s; i <= last; i++)
                if (steps[i].board == APP_ALL || steps[i].board == b)
                    *(steps[i].kind == APP_RUN ? &run : &link) +=
                        steps[i].times * (steps[i].kind == APP_RUN ? program_cycles(m, &steps[i])
                                                                   : transfer(m, steps[i].bytes));
            most = link > most ? link : most;
            most = run > most ? run : most;
        }
        total += most;
        s = last + 1;
    }
    return total;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void same_answers(const struct made *m, const struct app_time *a, const struct app_time *b)
{
    assert_int_equal(a->total, b->total);
    assert_int_equal(a->host, b->host);
    assert_int_equal(a->row_count, b->row_count);
    assert_true(a->turns.simulated <= b->turns.simulated);
    for (size_t s = 0; s < m->app.count; s++) {
        assert_int_equal(a->sums[s].exposed, b->sums[s].exposed);
        assert_int_equal(a->sums[s].own, b->sums[s].own);
        assert_int_equal(a->sums[s].done, b->sums[s].done);
    }
    for (size_t r = 0; r < a->row_count; r++) {
        assert_int_equal(a->rows[r].step, b->rows[r].step);
        assert_int_equal(a->rows[r].turns, b->rows[r].turns);
        assert_int_equal(a->rows[r].exposed, b->rows[r].exposed);
        assert_int_equal(a->turns.turns[a->rows[r].turn].cycles,
                         b->turns.turns[b->rows[r].turn].cycles);
    }
}

/* Exposed cycles are all there are, and a turn's path is its cycles. */
static void adds_up(const struct made *m, const struct app_time *t)
{
    uint64_t exposed = 0;
    for (size_t s = 0; s < m->app.count; s++)
        exposed += t->sums[s].exposed;
    assert_int_equal(exposed, t->total);
    for (size_t i = 0; i < t->turns.count; i++) {
        uint64_t path = 0;
        for (size_t p = 0; p < t->turns.turns[i].path_count; p++)
            path += t->turns.turns[i].path[p].cycles;
        assert_int_equal(path, t->turns.turns[i].cycles);
    }
}

static void every_turn_is_the_same(void **state)
{
    static struct dice dice = {41};
    const size_t rounds = often(250);
    (void)state;
    for (size_t round = 0; round < rounds; round++) {
        struct made m;
        struct app_time repeated, simulated;
        char *text = random_text(&dice, (unsigned)round);
        make(&m, text, NULL);
        time_app(&m, false, &repeated);
        time_app(&m, true, &simulated);
        same_answers(&m, &repeated, &simulated);
        adds_up(&m, &repeated);
        if (strcmp(m.app.machine->name, "mncore2") != 0)
            assert_int_equal(repeated.total, add_up(&m, 0, m.app.count));
        app_time_free(&repeated);
        app_time_free(&simulated);
        drop(&m);
        free(text);
    }
}

/* Numbers of the DRAM at random, within what makes a chip. */
static void random_dram(struct dice *dice, const struct config *config, char sets[][RANDOM_SETTING],
                        const char **list)
{
    size_t count = 0;
    for (size_t i = 0; i < config->count; i++)
        if (strncmp(config->rows[i].name, "dram_t", 6) == 0 && config->params[i].plausible &&
            dice_below(dice, 2)) {
            random_setting(dice, &config->params[i], sets[count]);
            count++;
        }
    snprintf(sets[count++], RANDOM_SETTING, "dram_trefi=%u", 400 + (unsigned)dice_below(dice, 900));
    /* A slow bus, whose writes are not done when the program is. */
    if (dice_below(dice, 2)) {
        snprintf(sets[count++], RANDOM_SETTING, "dram_tccd=%u", 4 + (unsigned)dice_below(dice, 30));
        snprintf(sets[count++], RANDOM_SETTING, "dram_turnaround=%u",
                 (unsigned)dice_below(dice, 100));
        snprintf(sets[count++], RANDOM_SETTING, "mv_notice_latency=0");
        snprintf(sets[count++], RANDOM_SETTING, "mv_start_latency=0");
    }
    for (size_t i = 0; i < count; i++)
        list[i] = sets[i];
    list[count] = NULL;
}

static void text_repeated_is_the_same(void **state)
{
    static struct dice dice = {42};
    const size_t rounds = often(120);
    struct config config;
    char error[MACHINE_ERROR];
    (void)state;
    assert_int_equal(machine_config(machine_named("mncore2"), &config, error, sizeof error), 0);
    for (size_t round = 0; round < rounds; round++) {
        char sets[80][RANDOM_SETTING], yaml[512], *text = NULL;
        const char *list[81];
        size_t size = 0, length = 0;
        const char *path = random_program(&dice, "once.vsm");
        char *once = takt_read_file(path, &length);
        const unsigned times = 2 + (unsigned)dice_below(&dice, 60);
        random_dram(&dice, &config, sets, list);
        snprintf(yaml, sizeof yaml, "machine: mncore2\nsteps:\n- run: %s\n  times: %u\n", path,
                 times);
        struct made m;
        make(&m, yaml, list);
        const struct machine_setting settings[] = {{"packing", "none"}, {NULL, NULL}};
        m.options.settings = settings;
        struct app_time time;
        time_app(&m, false, &time);
        FILE *out = text_open(&text, &size);
        for (unsigned i = 0; i < times; i++)
            fwrite(once, 1, length, out);
        assert_int_equal(text_close(out, &text), 0);
        const char *all = takt_temp_file("all.vsm", text);
        snprintf(yaml, sizeof yaml, "machine: mncore2\nsteps:\n- run: %s\n", all);
        struct made whole;
        struct app_time of_text;
        make(&whole, yaml, list);
        whole.options.settings = settings;
        time_app(&whole, false, &of_text);
        if (time.total != of_text.total)
            fail_msg("%u times %s%s: %llu turns, %llu text", times, once, list[0],
                     (unsigned long long)time.total, (unsigned long long)of_text.total);
        app_time_free(&time);
        app_time_free(&of_text);
        drop(&m);
        drop(&whole);
        free(text);
        free(once);
    }
    config_free(&config);
}

/* A thousand million turns, in no time. */
static void many_turns(void **state)
{
    char text[256];
    (void)state;
    for (size_t i = 0; i < MACHINES; i++) {
        if (strcmp(machines_of[i].machine, "mncore2") == 0)
            continue;
        snprintf(text, sizeof text, "machine: %s\nsteps:\n- run: %s\n", machines_of[i].machine,
                 machines_of[i].programs[0]);
        const uint64_t once = total_of(text, NULL);
        strcat(text, "  times: 1000000000\n");
        const clock_t begin = clock();
        assert_int_equal(total_of(text, NULL), once * 1000000000);
        assert_true(clock() - begin < 10 * CLOCKS_PER_SEC);
    }
}

/* Numbers that anybody can check: 1 GHz, 1 byte a ns, 100 ns. */
static void transfers(void **state)
{
    static const char *const sets[] = {"clock_hz=1000000000", "host_bandwidth=1000000000",
                                       "host_latency=100", NULL};
#define TWO "machine: kelvin\nboards: 2\nsteps:\n"
    (void)state;
    assert_int_equal(total_of(TWO "- load: {bytes: 1000}\n", sets), 1100);
    assert_int_equal(total_of(TWO "- load: {bytes: 1000}\n  times: 3\n", sets), 3300);
    assert_int_equal(total_of(TWO "- load: {bytes: 1000}\n- store: {bytes: 1}\n", sets), 1201);
    assert_int_equal(
        total_of(TWO "- load: {bytes: 1000}\n  with: next\n- store: {bytes: 1}\n", sets), 1201);
    assert_int_equal(total_of(TWO "- load: {bytes: 1000, board: 0}\n  with: next\n"
                                  "- store: {bytes: 1, board: 1}\n",
                              sets),
                     1100);
    assert_int_equal(total_of(TWO "- repeat: 10\n  steps:\n  - load: {bytes: 1000, board: 0}\n"
                                  "  - repeat: 4\n    steps:\n    - store: {bytes: 1}\n",
                              sets),
                     10 * (1100 + 4 * 101));
    const uint64_t run = total_of(TWO "- run: examples/kelvin/dot.kelvin\n", sets);
    assert_int_equal(total_of(TWO "- load: {bytes: 100000}\n  with: next\n"
                                  "- run: examples/kelvin/dot.kelvin\n",
                              sets),
                     run > 100100 ? run : 100100);
    assert_int_equal(
        total_of(TWO "- load: {bytes: 100000}\n- run: examples/kelvin/dot.kelvin\n", sets),
        run + 100100);
#undef TWO
}

/* Whatever the numbers inside their plausible ranges, the total is not below the range. */
static void nothing_is_below_the_range(void **state)
{
    static struct dice dice = {43};
    const size_t rounds = often(40);
    (void)state;
    for (size_t round = 0; round < rounds; round++) {
        struct made m;
        char *text = random_text(&dice, (unsigned)round);
        make(&m, text, NULL);
        struct app_answer answer = {
            .how = {.app = &m.app, .config = &m.config, .options = &m.options}};
        uint64_t low, total;
        struct config best = config_variant(&m.config);
        for (size_t i = 0; i < best.count; i++)
            if (best.params[i].plausible && best.params[i].row->type != PARAM_TEXT)
                best.params[i].value = best.params[i].high_is_optimistic
                                           ? best.params[i].plausible_high
                                           : best.params[i].plausible_low;
            else if (best.params[i].plausible)
                best.params[i].text = best.params[i].choices[0];
        assert_int_equal(app_answer_retime(&answer, &best, true, &low), 0);
        for (unsigned i = 0; i < 4; i++) {
            struct config other = config_variant(&m.config);
            for (size_t p = 0; p < other.count; p++) {
                struct param *param = &other.params[p];
                if (param->plausible && param->row->type == PARAM_REAL && dice_below(&dice, 2))
                    param->value =
                        param->plausible_low + (param->plausible_high - param->plausible_low) *
                                                   (double)dice_below(&dice, 101) / 100;
                else if (param->plausible && param->row->type == PARAM_INTEGER &&
                         dice_below(&dice, 2))
                    param->value =
                        dice_below(&dice, 2) ? param->plausible_low : param->plausible_high;
            }
            const int status = app_answer_retime(&answer, &other, false, &total);
            assert_true(status == 1 || (status == 0 && total >= low));
            free(other.params);
        }
        free(best.params);
        drop(&m);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_turn_is_the_same),
        cmocka_unit_test(text_repeated_is_the_same),
        cmocka_unit_test(many_turns),
        cmocka_unit_test(transfers),
        cmocka_unit_test(nothing_is_below_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
