/*
 * bounds beside brute force: small programs of operations whose reads and writes the test knows by
 * itself, in every order and packing into steps that keeps their dependences, on chips of several
 * numbers, by the interlock or with as few nops as the rules ask for. None is faster than the
 * any-order bound; how often the best is as fast, and by how much it misses on average, is counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/exact_bound.h"
#include "analysis/order_rules.h"
#include "tests/dice.h"
#include "tests/often.h"
#include "timing/bounds.h"
#include "timing/machines.h"
#include "timing/run.h"
#include "traces/sinks.h"

enum { STATES = 20000, MOST = 7, PROGRAMS = 40, TEXT = 2048, LINE = 64 };

static struct dice dice = {19};

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

/* Places of the test's own, as bits. The PE memories have two regions each; a region of L2BM is one
 * place in each of two groups. */
static const char *const pe_names[] = {"$lr0v", "$lr16v", "$ls0v", "$ls16v",
                                       "$lm0v", "$lm16v", "$ln0v", "$ln16v"};
enum { PE_PLACES = 8, L1BM_FIRST = 8, L2BM_FIRST = 10, GROUPS_USED = 2 };

enum kind { KIND_ALU, KIND_MAU, KIND_L2BM, KIND_L1BM, KIND_MV };

struct op {
    enum kind kind;
    char text[LINE];
    uint32_t reads, writes;
};

static uint32_t bit(unsigned place)
{
    return UINT32_C(1) << place;
}

static bool same_memory(unsigned a, unsigned b)
{
    return a / 2 == b / 2;
}

/* A place of another memory than these, or the same place. */
static unsigned beside(unsigned a, unsigned b)
{
    unsigned place;
    do
        place = pick(PE_PLACES);
    while ((same_memory(place, a) && place != a) || (same_memory(place, b) && place != b));
    return place;
}

static void make_op(struct op *op, unsigned tag)
{
    const unsigned a = pick(PE_PLACES), b = beside(a, a), c = beside(a, b);
    const unsigned l1 = pick(2), l2 = pick(2), group = pick(GROUPS_USED);
    *op = (struct op){.kind = (enum kind)pick(KIND_MV + 1)};
    switch (op->kind) {
    case KIND_ALU:
        snprintf(op->text, LINE, "lpassa %s %s", pe_names[a], pe_names[b]);
        op->reads = bit(a);
        op->writes = bit(b);
        break;
    case KIND_MAU:
        snprintf(op->text, LINE, "dvadd %s %s %s", pe_names[a], pe_names[b], pe_names[c]);
        op->reads = bit(a) | bit(b);
        op->writes = bit(c);
        break;
    case KIND_L2BM:
        snprintf(op->text, LINE, "l2bmd $lc%u $lb%u", l2 * 256, l1 * 64);
        op->reads = bit(L2BM_FIRST + 2 * l2) | bit(L2BM_FIRST + 2 * l2 + 1);
        op->writes = bit(L1BM_FIRST + l1);
        break;
    case KIND_L1BM:
        snprintf(op->text, LINE, "l1bmm $lb%u %s", l1 * 64, pe_names[a]);
        op->reads = bit(L1BM_FIRST + l1);
        op->writes = bit(a);
        break;
    case KIND_MV:
        snprintf(op->text, LINE, "mvp/n%ui%02x $%c%u@%u $lc%u@%u.0", 64 * (1 + pick(3)), tag,
                 pick(4) ? 'p' : 'd', 256 * pick(4), pick(4) ? group : 0, l2 * 256, group);
        op->writes = bit(L2BM_FIRST + 2 * l2 + group);
        break;
    }
}

/* --- running ---------------------------------------------------------------------------------- */

static const struct machine_setting stalling[3][3] = {
    {{"packing", "none"}, {"interlock", ""}, {NULL, NULL}},
    {{"packing", "auto"}, {"interlock", ""}, {NULL, NULL}},
    {{"packing", "flat"}, {"interlock", ""}, {NULL, NULL}}};
static const struct machine_setting strict[3][2] = {{{"packing", "none"}, {NULL, NULL}},
                                                    {{"packing", "auto"}, {NULL, NULL}},
                                                    {{"packing", "flat"}, {NULL, NULL}}};
static const struct machine_setting *settings; /* of these */
static struct config config;

static size_t searched,
    raised;                  /* programs whose orders exact_bound searches; its bound is higher */
static size_t same_searches; /* of them: order_least has the same cycles */

static uint64_t total_of(const struct machine_program *program, struct diag_list *diags)
{
    char error[MACHINE_ERROR] = "";
    struct machine_run *run;
    struct run_progress progress;
    const struct sink sink = sink_null();
    const struct run_options options = {.timing_only = true, .settings = settings, .threads = 1};
    const struct run_setup setup = {program, &config, &options, &sink};
    assert_int_equal(run_open(&run, &machine_mncore2, &setup, diags, error), 0);
    while (run_advance(run, UINT64_MAX, diags, error) == RUN_MORE)
        ;
    run_progress(run, &progress);
    run_close(run);
    return progress.total;
}

/* The search that checks another one's claim: where nothing that it leaves out counts, it finds the
 * same, and never more. */
static void check_again(const struct run_setup *setup, const struct exact_found *found,
                        const char *text)
{
    struct order_rules *rules;
    uint64_t cycles = found->cycles;
    if (found->searched) {
        assert_int_equal(order_rules_find(&rules, &machine_mncore2, setup), 0);
        if (order_least(rules, &cycles) != 0)
            fail_msg("no order takes as few cycles as one that was found:\n%s", text);
        same_searches += cycles == found->cycles;
        order_rules_free(rules);
    }
}

/* Every bound is at most `total` and has a certificate; any-order's. */
static uint64_t prove(const struct machine_program *program, uint64_t total, const char *text)
{
    char error[MACHINE_ERROR];
    struct machine_proof proof = {.graph = {.limit = 0}};
    const struct run_options options = {.settings = settings};
    const struct run_setup setup = {program, &config, &options, NULL};
    assert_int_equal(machine_prove(&proof, &machine_mncore2, &setup, 0, error), 0);
    for (size_t i = 0; i < proof.bounds.count; i++) {
        assert_true(bound_certified(&proof.bounds.rows[i], &proof.graph));
        if (proof.bounds.rows[i].cycles > total)
            fail_msg("above its own total:\n%s", text);
    }
    struct exact_found found;
    assert_int_equal(exact_bound_add(&proof.bounds, &machine_mncore2, &setup,
                                     &(const struct exact_effort){.states = STATES}, &found),
                     0);
    searched += found.searched;
    const struct bound *row = bounds_best(&proof.bounds, BOUND_ANY_ORDER);
    raised += row->kind == BOUND_SEARCH;
    if (row->cycles > total)
        fail_msg("the search is above its own total:\n%s", text);
    check_again(&setup, &found, text);
    const uint64_t best = bounds_best(&proof.bounds, BOUND_ANY_ORDER)->cycles;
    machine_proof_free(&proof);
    return best;
}

/* 0: the steps may not be so. Without an interlock `early` is the first line that comes too early,
 * or 0. */
static uint64_t run_text(const char *text, uint64_t *bound, uint32_t *early)
{
    const struct source source = {
        .name = (char *)(uintptr_t) "program", .text = text, .size = strlen(text)};
    struct machine_program *program = NULL;
    struct diag_list diags;
    uint64_t total = 0;
    diag_list_init(&diags);
    const bool loaded = machine_mncore2.language->load(&program, &source, 1, &diags) == 0;
    if (early)
        *early = 0;
    if (loaded && early &&
        machine_mncore2.language->check(program, &config, settings, &diags) != 0) {
        diag_sort(&diags);
        size_t first = 0;
        while (diags.items[first].severity != DIAG_ERROR)
            first++;
        *early = diags.items[first].line;
    } else if (loaded) {
        total = total_of(program, &diags);
        if (bound)
            *bound = prove(program, total, text);
    }
    machine_mncore2.language->unload(program);
    diag_list_free(&diags);
    return total;
}

/* As few nops as the rules ask for: one more in front of the first line that comes too early. */
static void add_nop(char text[TEXT], uint32_t line)
{
    static const char nop[] = "nop\n";
    char *at = text;
    while (--line > 0)
        at = strchr(at, '\n') + 1;
    assert_true(strlen(text) + sizeof nop < TEXT);
    memmove(at + strlen(nop), at, strlen(at) + 1);
    memcpy(at, nop, strlen(nop));
}

/* --- every order ------------------------------------------------------------------------------ */

struct search {
    struct op ops[MOST];
    unsigned count;
    bool strict; /* without the interlock, and with as few nops as that takes */
    uint64_t bound, best;
    size_t runs;
    unsigned line[MOST]; /* of each operation that has been placed */
    unsigned order[MOST], placed;
    unsigned lines;
};

static bool waits_for(const struct op *op, const struct op *mv)
{
    return ((op->reads | op->writes) & mv->writes) != 0;
}

/* The order as text: each operation in its line, each wait where it is needed first. */
static void write_order(const struct search *s, char text[TEXT])
{
    size_t used = 0;
    uint32_t open = 0; /* transfers that nothing has waited for, by index */
    text[0] = '\0';
    for (unsigned first = 0, end; first < s->placed; first = end) {
        uint32_t wanted = 0;
        for (end = first; end < s->placed && s->line[s->order[end]] == s->line[s->order[first]];
             end++)
            for (unsigned m = 0; m < s->count; m++)
                if ((open >> m & 1) && waits_for(&s->ops[s->order[end]], &s->ops[m]))
                    wanted |= bit(m);
        const bool mv = s->ops[s->order[first]].kind == KIND_MV;
        unsigned left = (unsigned)__builtin_popcount(wanted);
        open &= ~wanted;
        for (; left > (mv ? 0u : 1u); left--, wanted &= wanted - 1)
            used += (size_t)snprintf(text + used, TEXT - used, "nop; wait i%02x\n",
                                     (unsigned)__builtin_ctz(wanted) + 1);
        for (unsigned k = first; k < end; k++) {
            used += (size_t)snprintf(text + used, TEXT - used, "%s%s", k > first ? "; " : "",
                                     s->ops[s->order[k]].text);
            if (s->ops[s->order[k]].kind == KIND_MV)
                open |= bit(s->order[k]);
        }
        if (left)
            used += (size_t)snprintf(text + used, TEXT - used, "; wait i%02x",
                                     (unsigned)__builtin_ctz(wanted) + 1);
        used += (size_t)snprintf(text + used, TEXT - used, "\n");
    }
}

/* Whether b, which comes later in the program, may not come before a; or, in one step, beside
 * it. */
static bool depends(const struct op *a, const struct op *b, bool beside_too)
{
    const bool raw_or_waw = (a->writes & (b->reads | b->writes)) != 0;
    return raw_or_waw || (!beside_too && (a->reads & b->writes) != 0);
}

static bool may_join(const struct search *s, unsigned op)
{
    const unsigned last = s->order[s->placed - 1], line = s->line[last];
    if (op < last || s->ops[op].kind == KIND_MV || s->ops[last].kind == KIND_MV)
        return false;
    for (unsigned k = 0; k < s->placed; k++) {
        const struct op *other = &s->ops[s->order[k]];
        if (s->line[s->order[k]] == line &&
            (other->kind == s->ops[op].kind || depends(other, &s->ops[op], true)))
            return false;
    }
    return true;
}

static bool is_placed(const struct search *s, unsigned op)
{
    for (unsigned k = 0; k < s->placed; k++)
        if (s->order[k] == op)
            return true;
    return false;
}

/* What has been placed, as text and timed. */
static uint64_t time_order(struct search *s, char text[TEXT], uint64_t *bound)
{
    uint32_t early = 0;
    uint64_t total;
    write_order(s, text);
    do {
        if (early)
            add_nop(text, early);
        total = run_text(text, bound, s->strict ? &early : NULL);
        s->runs++;
    } while (early);
    return total;
}

static void leaf(struct search *s)
{
    char text[TEXT];
    const uint64_t total = time_order(s, text, NULL);
    if (!total)
        return; /* 3.6.4 */
    if (total < s->bound)
        fail_msg("%llu cycles, below the bound of %llu:\n%s", (unsigned long long)total,
                 (unsigned long long)s->bound, text);
    if (total < s->best)
        s->best = total;
}

static void place(struct search *s);

static void place_op(struct search *s, unsigned op, bool join)
{
    s->line[op] = join ? s->lines : ++s->lines;
    s->order[s->placed++] = op;
    place(s);
    s->placed--;
    s->lines -= !join;
}

/* What has been placed takes so long by itself: no end of it can be faster than the best. */
static bool is_late(struct search *s)
{
    char text[TEXT];
    if (s->placed < 2 || s->best == UINT64_MAX)
        return false;
    return time_order(s, text, NULL) >= s->best;
}

static void place(struct search *s)
{
    if (s->best == s->bound)
        return;
    if (s->placed == s->count) {
        leaf(s);
        return;
    }
    if (is_late(s))
        return;
    for (unsigned op = 0; op < s->count; op++) {
        bool free = !is_placed(s, op), beside_free = free;
        for (unsigned before = 0; before < op && free; before++)
            if (!is_placed(s, before) && depends(&s->ops[before], &s->ops[op], false))
                free = beside_free = false;
        if (beside_free && s->placed && may_join(s, op))
            place_op(s, op, true);
        if (free)
            place_op(s, op, false);
    }
}

/* Numbers that are given are not varied: a run is one run. Every other chip is another one. */
static void make_chip(size_t number)
{
    static const char *const others[][3] = {
        {"mv_start_latency=0", "mv_notice_latency=0", "pdm_port=0"},
        {"mode_cap_scope=transfer", "l2bm_port=0", "link_width=0"},
        {"mv_slot_steps_auto=1", "mv_slot_steps_flat=2", "rate_mvp_group=3"},
        {"dram_channels=1", "dram_tccd=9", "dram_trcd=0"},
        {"supply_bytes=5", "buffer_bytes=4096", "unit_bytes=4096"},
        {"hazard_lm=0", "pe_write_latency=1", "pdm_port=5.3"},
    };
    char set[96], error[MACHINE_ERROR];
    assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
    for (size_t p = 0; p < config.count; p++) {
        const struct param *param = &config.params[p];
        if (param->row->type == PARAM_TEXT || !param->plausible)
            continue;
        snprintf(set, sizeof set, "%s=%.17g", param->row->name, param->value);
        assert_int_equal(config_set(&config, set, error, sizeof error), 0);
    }
    const size_t other = number / 2 % (sizeof others / sizeof *others);
    for (unsigned i = 0; i < 3 && number % 2; i++)
        assert_int_equal(config_set(&config, others[other][i], error, sizeof error), 0);
}

/* One program, written and in all of its orders; false: an operation is refused by itself. */
static bool search_orders(struct search *s)
{
    char text[TEXT];
    for (unsigned k = 0; k < s->count; k++) {
        make_op(&s->ops[k], k + 1);
        s->order[k] = k;
        s->line[k] = k;
    }
    s->placed = s->count;
    const uint64_t written = time_order(s, text, &s->bound);
    if (!written)
        return false; /* 3.6.4 */
    s->placed = 0;
    place(s);
    assert_true(s->best <= written);
    if (getenv("TAKT_BOUNDS_SHOW") && s->best != s->bound)
        printf("best %llu, bound %llu, packing %s%s:\n%s", (unsigned long long)s->best,
               (unsigned long long)s->bound, settings[0].value, s->strict ? " with nops" : "",
               text);
    return true;
}

static void best_order_is_not_below(void **unused)
{
    (void)unused;
    size_t equal = 0, programs = 0, runs = 0;
    double gap = 0;
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        struct search s = {.strict = p % 4 == 3, .best = UINT64_MAX};
        s.count = 2 + pick(p < PROGRAMS ? 4 : s.strict ? MOST - 2 : MOST - 1);
        settings = s.strict ? strict[p / 4 % 3] : stalling[p / 4 % 3];
        make_chip(p + p / 4);
        const bool legal = search_orders(&s);
        config_free(&config);
        if (!legal)
            continue;
        programs++;
        runs += s.runs;
        equal += s.best == s.bound;
        gap += (double)(s.best - s.bound) / (double)s.best;
    }
    printf(
        "%zu programs, %zu orders and beginnings tried until the bound was met: the best is equal "
        "to the bound in %.1f %%, the mean gap is %.2f %%\n",
        programs, runs, 100.0 * (double)equal / (double)programs, 100.0 * gap / (double)programs);
    assert_true(programs > often(PROGRAMS) / 2);
    printf("%zu were searched completely, which raised the bound of %zu\n", searched, raised);
    printf("of %zu the premises of a proof give the same\n", same_searches);
    assert_true(same_searches >= searched * 9 / 10);
    assert_true(2 * equal >= programs);
    assert_true(searched > programs / 8 && (raised > 0 || !often_long()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(best_order_is_not_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
