/*
 * graph: what depends on what in random programs, held against work.h, which the graph does not
 * use: of two statements that touch a place and one of which writes it, the later one is behind the
 * earlier one on some way of arcs; and every arc stands between two such statements. Programs as
 * they are generated, with shared steps, and with one expression a step.
 *
 * A based LM (one whose base address register is written) is counted from its register: accesses
 * on both sides of a write of that may meet wherever they are. Forwarding registers, and $lbi,
 * which holds a value as they do, have RAW arcs alone, to whoever wrote last.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mncore2/work.h"
#include "tests/gen_program.h"
#include "tests/naive.h"
#include "tests/often.h"
#include "timing/machines.h"
#include "timing/mncore2/run.h"

enum { ITEMS = 512 };

struct places {
    struct mncore2_work_storage storage;
    struct work work;
    bool based[2]; /* LM0, LM1 is touched */
    bool bases[2]; /* its base address register is written */
};

static struct places places[ITEMS];
static bool reach[ITEMS][ITEMS];

static void find_places(const struct program *program)
{
    for (size_t i = 0; i < program->item_count; i++) {
        struct places *p = &places[i];
        mncore2_work(program, i, &p->storage, &p->work);
        p->based[0] = p->based[1] = p->bases[0] = p->bases[1] = false;
        for (size_t k = 0; k < p->work.read_count + p->work.write_count; k++) {
            const struct span *span = &p->storage.spans[k];
            if (span->space == SPACE_LM0 || span->space == SPACE_LM1)
                p->based[span->space - SPACE_LM0] = true;
            if (k >= p->work.read_count && (span->space == SPACE_BAR0 || span->space == SPACE_BAR1))
                p->bases[span->space - SPACE_BAR0] = true;
        }
    }
}

static bool latch(const struct span *span)
{
    return span->space == SPACE_FWD || span->space == SPACE_LBI;
}

/* Whether the later of two items reads or writes what the earlier one does, and one writes. */
static bool depends(size_t earlier, size_t later, bool latches)
{
    const struct work *a = &places[earlier].work, *b = &places[later].work;
    for (size_t i = 0; i < a->read_count + a->write_count; i++)
        for (size_t k = i < a->read_count ? b->read_count : 0; k < b->read_count + b->write_count;
             k++)
            if (span_meets(&a->reads[i], &b->reads[k]) &&
                (!latch(&a->reads[i]) || (latches && i >= a->read_count && k < b->read_count)))
                return true;
    return false;
}

/* An LM on both sides of a write of its base address register. */
static bool based_apart(size_t earlier, size_t later)
{
    for (unsigned lm = 0; lm < 2; lm++)
        for (size_t k = earlier; places[earlier].based[lm] && places[later].based[lm] && k < later;
             k++)
            if (places[k].bases[lm])
                return true;
    return false;
}

static void fail_lines(const struct program *program, const char *found, size_t from, size_t to)
{
    size_t first, second;
    const char *a = mncore2_program_text(program, from, &first),
               *b = mncore2_program_text(program, to, &second);
    fail_msg("%s arc from %u: %.*s\nto %u: %.*s", found, program->items[from].line, (int)first, a,
             program->items[to].line, (int)second, b);
}

static void close_arcs(const struct graph *graph, const struct program *program)
{
    memset(reach, 0, sizeof reach);
    for (size_t a = 0; a < graph->arc_count; a++) {
        const struct graph_arc *arc = &graph->arcs[a];
        const size_t from = graph->nodes[arc->from].stmt, to = graph->nodes[arc->to].stmt;
        const bool outside = graph->nodes[arc->from].outside || graph->nodes[arc->to].outside;
        if (arc->kind >= ARC_PORT || from == to)
            continue;
        reach[from][to] = true;
        if (!outside && !depends(from, to, true) && !based_apart(from, to))
            fail_lines(program, graph_arc_names[arc->kind], from, to);
    }
    for (size_t middle = 0; middle < program->item_count; middle++)
        for (size_t from = 0; from < middle; from++)
            for (size_t to = middle + 1; reach[from][middle] && to < program->item_count; to++)
                reach[from][to] |= reach[middle][to];
}

static size_t compare(const char *text)
{
    const struct source source = {
        .name = (char *)(uintptr_t) "program", .text = text, .size = strlen(text)};
    struct machine_program *program = NULL;
    struct diag_list diags;
    struct config config;
    struct graph graph = {.limit = 0};
    char error[MACHINE_ERROR] = "";
    size_t pairs = 0;
    diag_list_init(&diags);
    assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
    assert_int_equal(machine_mncore2.language->load(&program, &source, 1, &diags), 0);
    const struct run_options options = {.threads = 1};
    const struct run_setup setup = {program, &config, &options, NULL};
    assert_int_equal(machine_mncore2.advice->graph(&setup, &graph, error), 0);
    const struct program *p = &program->program;
    assert_true(p->item_count <= ITEMS);
    find_places(p);
    close_arcs(&graph, p);
    for (size_t to = 0; to < p->item_count; to++)
        for (size_t from = 0; from < to; from++) {
            const bool due = depends(from, to, false) || based_apart(from, to);
            if (due && !reach[from][to])
                fail_lines(p, "no", from, to);
            pairs += due;
        }
    graph_free(&graph);
    machine_mncore2.language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    return pairs;
}

static void arcs_are_what_places_say(void **state)
{
    (void)state;
    size_t pairs = 0, programs = 0;
    for (uint64_t round = 0; round < often_rare(160); round++) {
        const struct gen_options options = {.features = round % 3 ? GEN_ALL : GEN_ALL & ~GEN_MV,
                                            .statements = (unsigned)(4 + round % 60),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 2,
                                            .gets = 3};
        char *text = gen_program(round + 500, &options, NULL);
        pairs += compare(text);
        programs++;
        if (round % 5 == 0 && !(options.features & GEN_MV)) {
            char *naive = naive_steps(&machine_mncore2, text);
            pairs += compare(naive);
            free(naive);
        }
        free(text);
    }
    print_message("%zu programs, %zu pairs of statements that depend on each other\n", programs,
                  pairs);
    assert_true(pairs > 100 * programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arcs_are_what_places_say)};
    return cmocka_run_group_tests_name("mncore2, graph", tests, NULL, NULL);
}
