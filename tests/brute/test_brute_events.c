/*
 * The list of --events beside the cycle-by-cycle model of brute_model: each access of a port and
 * each landing of a write, with cycle, port, operation, amount and line, of hand-made and random
 * programs. With and without run-ahead the counts are the same. `make test-long` tries 10,000
 * programs or more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/brute/brute_model.h"
#include "tests/brute/brute_random.h"
#include "tests/event_list.h"
#include "tests/gen_program.h"
#include "tests/mncore2/check_text.h"
#include "tests/often.h"

static unsigned below(struct dice *dice, unsigned limit)
{
    return (unsigned)dice_below(dice, limit);
}

/* --- lists ------------------------------------------------------------------------------------ */

static const char *landing_rule(const struct event_row *row)
{
    if (strncmp(row->unit, "lm", 2) == 0)
        return "hazard_lm";
    if (strncmp(row->unit, "l2bm", 4) == 0)
        return "hazard_l2bm_store_load";
    if (strncmp(row->unit, "l1bm", 4) != 0)
        return "pe_write_latency";
    return strcmp(row->unit, "l1bm.pe") == 0              ? "hazard_pe_store_load"
           : strstr(row->cause, "hazard_multicast_store") ? "hazard_multicast_store"
                                                          : "hazard_l1bm_load_store";
}

/* A landing is caused by the write of its statement, a parameter later. */
static bool has_its_cause(const struct event_row *row)
{
    char cause[96];
    if (strcmp(row->operation, "land") != 0)
        return strstr(row->cause, ": issue") || strstr(row->cause, ": operation");
    snprintf(cause, sizeof cause, "%s write %u ", row->unit, row->amount);
    const char *end = strstr(row->cause, "(line ");
    if (strncmp(row->cause, cause, strlen(cause)) != 0 || !end)
        return false;
    snprintf(cause, sizeof cause, "(line %u): %s", row->line, landing_rule(row));
    return strcmp(end, cause) == 0;
}

static void brute_list(struct event_list *list, const struct brute_result *brute)
{
    for (size_t i = 0; i < brute->access_count; i++) {
        const struct brute_access *access = &brute->accesses[i];
        struct event_row row = {
            .cycle = access->cycle, .line = access->line, .amount = access->amount};
        memcpy(row.unit, access->unit, sizeof row.unit);
        snprintf(row.operation, sizeof row.operation, "%s", access->operation);
        event_list_add(list, &row);
    }
}

/* --- comparing -------------------------------------------------------------------------------- */

struct trial {
    const char *text, *packing;
    const char *sets[KIT_SETS];
    bool interlock, values, documented;
};

/* The brute model's list, of a program that is legal. */
static void run_brute(const struct trial *trial, struct brute_result *brute)
{
    struct check_text text;
    char error[256];
    check_text_open(&text, trial->text);
    for (size_t i = 0; i < KIT_SETS && trial->sets[i]; i++)
        assert_int_equal(config_set(&text.config, trial->sets[i], error, sizeof error), 0);
    const struct brute_options options = {.packing = trial->packing,
                                          .interlock = trial->interlock,
                                          .documented = trial->documented,
                                          .values = trial->values};
    assert_int_equal(brute_run(&text.program, &text.config, &options, brute), 0);
    check_text_close(&text);
}

static struct kit kit_of(const struct trial *trial, FILE *events)
{
    struct kit kit = {.options = {.packing = trial->packing,
                                  .interlock = trial->interlock,
                                  .documented = trial->documented},
                      .values = trial->values,
                      .events = events};
    memcpy(kit.sets, trial->sets, sizeof kit.sets);
    return kit;
}

/* The events of the accounts are those of the list: the busy cycles, their windows, the count. */
static bool same_account(const struct sink_summary *a, const struct sink_summary *b)
{
    bool good = a->cycles == b->cycles && a->events == b->events &&
                a->unit_total_count == b->unit_total_count && a->window_count == b->window_count;
    for (size_t i = 0; good && i < a->unit_total_count; i++)
        good = a->unit_totals[i].unit == b->unit_totals[i].unit &&
               a->unit_totals[i].reason == b->unit_totals[i].reason &&
               a->unit_totals[i].cycles == b->unit_totals[i].cycles;
    for (size_t i = 0; good && i < a->window_count; i++)
        good = a->windows[i].unit == b->windows[i].unit &&
               a->windows[i].index == b->windows[i].index &&
               a->windows[i].busy == b->windows[i].busy;
    return good;
}

static size_t compare(const struct trial *trial, uint64_t seed)
{
    char *text = NULL;
    size_t size, count = 0;
    FILE *events = open_memstream(&text, &size);
    assert_non_null(events);
    struct kit listed = kit_of(trial, events), ahead = kit_of(trial, NULL);
    bool good = kit_run(&listed, trial->text) == 0 && kit_run(&ahead, trial->text) == 0;
    fclose(events);
    if (good) {
        struct brute_result brute;
        struct event_list model = {0}, expected = {0};
        event_list_read(&model, text);
        for (size_t i = 0; i < model.count; i++)
            if (!has_its_cause(&model.rows[i]))
                fail_msg("%llu %s %s <- %s", (unsigned long long)model.rows[i].cycle,
                         model.rows[i].unit, model.rows[i].operation, model.rows[i].cause);
        run_brute(trial, &brute);
        brute_list(&expected, &brute);
        count = expected.count;
        good = event_list_same(&model, &expected) &&
               same_account(&listed.summary, &ahead.summary) && listed.summary.events >= count;
        brute_result_free(&brute);
        event_list_free(&model);
        event_list_free(&expected);
    }
    if (!good) {
        fprintf(stderr, "seed %llu, packing %s%s%s", (unsigned long long)seed, trial->packing,
                trial->interlock ? ", interlock" : "", trial->documented ? ", documented" : "");
        for (size_t i = 0; i < KIT_SETS && trial->sets[i]; i++)
            fprintf(stderr, ", %s", trial->sets[i]);
        fprintf(stderr, "\n%s%s\n", trial->text, listed.error);
        fail();
    }
    kit_free(&listed);
    kit_free(&ahead);
    free(text);
    return count;
}

/* --- hand-made programs ----------------------------------------------------------------------- */

static void by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *text, *packing;
        size_t events;
    } cases[] = {
        {"nop/9\n", "auto", 0},
        /* LM0 is read four times, LM1 written four times, each landing six cycles later. */
        {"lpassa $lm0v $ln0v\n", "none", 12},
        /* One of four cycles is written (3.6.2.1). */
        {"imm f\"1.0\" $r0/1000\n", "none", 2},
        /* 3.5.8.2: four unit operations, each through PDM and DRAM of a group. */
        {"mvp/n256 $p0@0 $d0@0\n", "none", 8},
        /* Across groups each of them passes a link, too. */
        {"mvp/n256 $p0@0 $d0@1\n", "none", 12},
        /* l2bmi from L1B 0 to the seven others: a read, seven writes and landings in each cycle. */
        {"l2bmi@0/0 $lb0 $lb64\n", "none", 4 * (1 + 2 * 7)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct trial trial = {.text = cases[i].text, .packing = cases[i].packing};
        assert_int_equal(compare(&trial, i), cases[i].events);
    }
}

/* l2bmi, and a transfer L2BM to L1BM a step later, land in the same cycles: no rule keeps them
 * apart, and the port is the earlier one's. */
static void two_that_land_together(void **state)
{
    (void)state;
    const struct trial trial = {.text = "l2bmi@0/0 $lb0 $lb64\nl2bmb $lc0 $lb128\n",
                                .packing = "none"};
    compare(&trial, 0);
}

/* --- random programs -------------------------------------------------------------------------- */

static const char *const packings[] = {"none", "auto", "flat"};

static void use_sets(struct trial *trial, const struct brute_sets *sets)
{
    for (size_t i = 0; i < sets->count; i++)
        trial->sets[i] = sets->text[i];
}

static void random_program(uint64_t seed)
{
    struct dice dice = {seed};
    const unsigned all = GEN_ALL & ~(unsigned)(GEN_STYLE | GEN_DAR);
    const bool values = below(&dice, 8) == 0;
    const unsigned features = values ? GEN_MV | GEN_DAR | GEN_L2BM : all;
    const struct gen_options options = {.features = features,
                                        .statements = 5 + below(&dice, 50),
                                        .tightness = below(&dice, 101),
                                        .sets = 1,
                                        .gets = 1};
    char *text = gen_program(seed, &options, NULL);
    assert_non_null(text);
    struct brute_sets sets;
    struct trial trial = {.text = text,
                          .packing = packings[2 * below(&dice, 2)],
                          .interlock = below(&dice, 2) == 0,
                          .values = values};
    /* The brute hazards have the manual's numbers and those that are assumed. */
    trial.documented = !trial.interlock && below(&dice, 4) == 0;
    if (trial.interlock)
        brute_drop_nops(text, below(&dice, 100), &dice);
    brute_random_sets(&dice, &sets, trial.interlock);
    use_sets(&trial, &sets);
    compare(&trial, seed);
    free(text);
}

static void random_transfers(uint64_t seed)
{
    struct dice dice = {seed};
    char text[8192];
    size_t used = 0;
    bool tags[8] = {false};
    for (unsigned i = 2 + below(&dice, 12); i > 0; i--)
        if (below(&dice, 10) < 7)
            used += brute_random_mv(&dice, text + used, sizeof text - used, tags);
        else
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "lpassa $lm0v $ln0v\nnop/%u\n", 2 + below(&dice, 12));
    struct brute_sets sets;
    brute_random_sets(&dice, &sets, false);
    struct trial trial = {
        .text = text, .packing = packings[below(&dice, 3)], .documented = below(&dice, 8) == 0};
    use_sets(&trial, &sets);
    compare(&trial, seed);
}

static void programs(void **state)
{
    (void)state;
    const size_t rounds = often_long() ? 5000 * often(1) : 100;
    for (uint64_t seed = 1; seed <= rounds; seed++)
        if (seed % 4)
            random_program(seed);
        else
            random_transfers(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand),
                                       cmocka_unit_test(two_that_land_together),
                                       cmocka_unit_test(programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
