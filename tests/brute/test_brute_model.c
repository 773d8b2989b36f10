/*
 * The event-driven model beside the cycle-by-cycle one of brute_model: totals, every transfer's
 * times, nops by cause and busy cycles of every unit and port, over hand-made and random programs,
 * all packings, random parameters. `make test-long` tries more programs.
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
#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/mncore2/check_text.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"

static unsigned below(struct dice *dice, unsigned limit)
{
    return (unsigned)dice_below(dice, limit);
}

/* --- comparing -------------------------------------------------------------------------------- */

struct trial {
    const char *text, *packing;
    const char *sets[KIT_SETS];
    bool interlock, values, documented;
};

static bool same(const char *what, uint64_t model, uint64_t brute)
{
    if (model != brute)
        fprintf(stderr, "%s: model %llu, brute %llu\n", what, (unsigned long long)model,
                (unsigned long long)brute);
    return model == brute;
}

/* Units that the brute model keeps an account of. */
static bool accounted(const struct unit_info *unit)
{
    return strcmp(unit->kind, "issue") != 0 && strcmp(unit->kind, "rrn") != 0;
}

static bool agree(const struct kit *kit, const struct brute_result *brute)
{
    bool good = same("cycles", kit->summary.cycles, brute->cycles);
    good &= same("written nops", kit_counter(kit, "nops.written"), brute->nops_written);
    good &= same("packing nops", kit_counter(kit, "nops.packing"), brute->nops_packing);
    good &= same("wait nops", kit_counter(kit, "nops.wait"), brute->nops_wait);
    good &= same("empty nops", kit_counter(kit, "nops.empty"), brute->nops_empty);
    if (!same("transfers", kit->transfer_count, brute->transfer_count))
        return false;
    for (size_t i = 0; i < kit->transfer_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "issue of transfer %zu (line %u)", i, brute->transfers[i].line);
        good &= same(name, kit->transfers[i].issued, brute->transfers[i].issued);
        snprintf(name, sizeof name, "start of transfer %zu (line %u)", i, brute->transfers[i].line);
        good &= same(name, kit->transfers[i].started, brute->transfers[i].started);
        snprintf(name, sizeof name, "end of transfer %zu (line %u)", i, brute->transfers[i].line);
        good &= same(name, kit->transfers[i].finished, brute->transfers[i].finished);
    }
    for (size_t u = 0; u < kit->unit_count && good; u++)
        if (accounted(&kit->units[u]))
            good &= same(kit->units[u].name, kit_cycles(kit, kit->units[u].name, REASON_BUSY),
                         brute_busy(brute, kit->units[u].name));
    return good;
}

enum outcome { AGREE, DISAGREE, REFUSED };

static enum outcome run_both(const struct trial *trial, uint64_t *cycles)
{
    struct kit kit = {.options = {.packing = trial->packing,
                                  .interlock = trial->interlock,
                                  .documented = trial->documented},
                      .values = trial->values};
    memcpy(kit.sets, trial->sets, sizeof kit.sets);
    if (kit_run(&kit, trial->text) != 0) {
        kit_free(&kit);
        return REFUSED;
    }
    struct check_text text;
    check_text_open(&text, trial->text);
    char error[256];
    for (size_t i = 0; i < KIT_SETS && trial->sets[i]; i++)
        assert_int_equal(config_set(&text.config, trial->sets[i], error, sizeof error), 0);
    const struct brute_options options = {.packing = trial->packing,
                                          .interlock = trial->interlock,
                                          .documented = trial->documented,
                                          .values = trial->values};
    struct brute_result brute;
    assert_int_equal(brute_run(&text.program, &text.config, &options, &brute), 0);
    const enum outcome outcome = agree(&kit, &brute) ? AGREE : DISAGREE;
    *cycles = brute.cycles;
    brute_result_free(&brute);
    check_text_close(&text);
    kit_free(&kit);
    return outcome;
}

/* Take out every line that is not needed for the disagreement. */
static void shrink(struct trial *trial, char *text)
{
    uint64_t cycles;
    trial->text = text;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (char *line = text; *line;) {
            char *end = strchr(line, '\n');
            const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
            char *kept = strndup(line, length);
            assert_non_null(kept);
            memmove(line, line + length, strlen(line + length) + 1);
            if (run_both(trial, &cycles) == DISAGREE) {
                smaller = true;
            } else {
                memmove(line + length, line, strlen(line) + 1);
                memcpy(line, kept, length);
                line += length;
            }
            free(kept);
        }
    }
}

static uint64_t compare(const struct trial *trial, uint64_t seed)
{
    uint64_t cycles = 0;
    const enum outcome outcome = run_both(trial, &cycles);
    if (outcome == AGREE)
        return cycles;
    struct trial small = *trial;
    char *text = strdup(trial->text);
    assert_non_null(text);
    if (outcome == DISAGREE) {
        shrink(&small, text);
        fputs("--- smallest:\n", stderr);
        run_both(&small, &cycles);
    }
    fprintf(stderr, "seed %llu, packing %s%s%s", (unsigned long long)seed, trial->packing,
            trial->interlock ? ", interlock" : "", trial->documented ? ", documented" : "");
    for (size_t i = 0; i < KIT_SETS && trial->sets[i]; i++)
        fprintf(stderr, ", %s", trial->sets[i]);
    fprintf(stderr, "%s\n%s", outcome == REFUSED ? ": refused" : "", text);
    free(text);
    fail();
    return 0;
}

/* --- hand-made programs: both must give what the manual gives --------------------------------- */

static void hand(void **state)
{
    (void)state;
#define IDEAL                                                                                      \
    "mv_start_latency=0", "mv_notice_latency=0", "dram_tccd=0", "dram_trcd=0", "dram_trp=0",       \
        "dram_tras=0", "dram_tcl=0", "dram_turnaround=0", "dram_trefi=0", "dram_controller=0"
    static const struct {
        struct trial trial;
        uint64_t cycles;
    } cases[] = {
        {{"nop/3\n", "none", {NULL}, false, false, false}, 12},
        {{"nop\nmvnop\nnop\n", "auto", {NULL}, false, false, false}, 24},
        /* 3.5.8.2: 16 a cycle inside a group, 8 across. */
        {{"mvp/n256 $p0@0 $d0@0\n", "none", {IDEAL}, false, false, false}, 16},
        {{"mvp/n256 $p0@0 $d0@1\n", "none", {IDEAL}, false, false, false}, 32},
        /* 3.5.8.3: 8 and 4. */
        {{"mvp/n256 $d0@0 $p0@0\n", "none", {IDEAL}, false, false, false}, 32},
        {{"mvp/n256 $d0@1 $p0@0\n", "none", {IDEAL}, false, false, false}, 64},
        /* 3.5.8.20: 32 counted in L2BM. 3.5.8.22: 8 counted in PDM. */
        {{"mvb/n256 $d0 $lc0\n", "none", {IDEAL}, false, false, false}, 8},
        {{"mvd/n64 $p0@0 $lc0\n", "none", {IDEAL}, false, false, false}, 64},
        /* Two that share the PDM take turns: its port serves 16 a cycle. */
        {{"mvp/n256 $p0@0 $d0@0\nmvp/n256 $p512@0 $lc0@0.0\n",
          "none",
          {IDEAL},
          false,
          false,
          false},
         32},
        /* Two on groups of their own do not meet. */
        {{"mvp/n256 $p0@0 $d0@0\nmvp/n256 $p0@1 $d0@1\n", "none", {IDEAL}, false, false, false},
         16},
        /* A wait holds the stream up to the end: 16 cycles, then a step. */
        {{"mvp/n256i01 $p0@0 $d0@0\nnop; wait i01\n", "none", {IDEAL}, false, false, false}, 20},
        /* 3.6.3.9 with interlock: two steps more, and 6 cycles for the last write. */
        {{"lpassa $lm0v $ln0v\nlpassa $ln0v $lr0v\n", "none", {NULL}, true, false, false}, 22},
        {{"lpassa $lm0v $lr0v\nlpassa $lr0v $ln0v\n", "none", {NULL}, true, false, false}, 18},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(compare(&cases[i].trial, i), cases[i].cycles);
}

/* Programs in which the two have differed: kept, so that it stays mended. */
static void found(void **state)
{
    (void)state;
    static const struct trial trials[] = {
        /* Reads that arrive while a write waits for room with another one's ports kept. */
        {"mvr4dfadd/n192i04p2 $lc6144 $d6205952\nmvp/n64 $d3807424@0 $lc2176@0.0\n"
         "mvp/n64i04p1 $lc12672@.0 $d2685120\nmvp/n512i06p3 $p33472@0 $p33472@3\n"
         "mvd/n3840i06 $p40256@0 $d4630464\nmvb2/n512 $d5632128 $lc11328\n",
         "auto",
         {"link_width=4", "dram_read_ahead=33", "dram_tras=22", "dram_write_buffer=16",
          "dram_write_high=12", "dram_write_low=4", "rate_mvp_across=12", "dram_trp=3",
          "rate_mvp_group=20", "dram_banks=1", "supply_bytes=11"},
         false,
         false,
         false},
        {"mvp/n3264i01 $lc21760@1.1 $p47424@0\nmvr4dfadd/n320p0 $lc5184 $d6395392\n"
         "mvd/n384p1 $p9728@3 $lc4544\nmvb2/n512 $d3520064 $lc8896\n"
         "mvrdfadd/n256p3 $lc8192 $d2185280\n",
         "auto",
         {"pdm_port=21", "l2bm_port=52", "dram_read_ahead=7", "dram_port=17", "dram_trefi=272",
          "dram_trfc=3", "dram_tcl=4", "dram_write_buffer=6", "dram_write_high=5",
          "dram_write_low=0", "dram_banks=2", "dram_map=bank:row:channel:column"},
         false,
         false,
         false},
    };
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
        compare(&trials[i], i);
}

/* --- random parameters ------------------------------------------------------------------------ */

static void use_sets(struct trial *trial, const struct brute_sets *sets)
{
    for (size_t i = 0; i < sets->count; i++)
        trial->sets[i] = sets->text[i];
}

/* --- long runs of nops ------------------------------------------------------------------------ */

/* Units that cost time by themselves and an instruction buffer that runs dry, fills up, or does
 * both in a long rhythm: the model multiplies such units, the other one goes through them one by
 * one. */
static void long_nops(void **state)
{
    (void)state;
    for (unsigned round = 0; round < often(20); round++) {
        struct dice dice = {round};
        char text[400], values[4][40];
        int length = 0;
        for (unsigned i = 1 + below(&dice, 4); i > 0; i--) {
            static const unsigned longest[] = {9, 400, 4000};
            length += snprintf(text + length, sizeof text - (size_t)length, "%snop/%u%s\n",
                               below(&dice, 3) ? "" : "lpassa $lm0v $ln0v\n",
                               1 + below(&dice, longest[below(&dice, 3)]),
                               below(&dice, 4) ? "" : "\nmvp/n256i01 $p0@0 $d0@0\nnop; wait i01");
        }
        static const unsigned rates[] = {1000, 20000, 400000}; /* thousandths of a byte a cycle */
        const unsigned range = rates[below(&dice, 3)], rate = 500 + below(&dice, range);
        const unsigned unit = below(&dice, 2) ? 128 : 1 + below(&dice, range / 100 + 90);
        snprintf(values[0], sizeof values[0], "supply_bytes=%u.%03u", rate / 1000, rate % 1000);
        snprintf(values[1], sizeof values[1], "unit_bytes=%u", unit);
        snprintf(values[2], sizeof values[2], "buffer_bytes=%u", 4096 + below(&dice, 3) * 700);
        snprintf(values[3], sizeof values[3], "mv_slot_steps_%s=%u",
                 below(&dice, 2) ? "auto" : "flat", below(&dice, 2) * below(&dice, 17));
        const struct trial trial = {.text = text,
                                    .packing = below(&dice, 2) ? "auto" : "flat",
                                    .sets = {values[0], values[1], values[2], values[3]},
                                    .interlock = true};
        compare(&trial, round);
    }
}

/* --- random transfers, many at once ----------------------------------------------------------- */

static void transfers(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", "auto", "flat"};
    for (uint64_t seed = 1; seed <= often(800); seed++) {
        struct dice dice = {seed};
        char text[8192];
        size_t used = 0;
        bool tags[8] = {false};
        const unsigned lines = 2 + below(&dice, 24);
        for (unsigned i = 0; i < lines; i++) {
            const unsigned what = below(&dice, 10);
            const unsigned tag = 1 + below(&dice, 6);
            if (what < 7)
                used += brute_random_mv(&dice, text + used, sizeof text - used, tags);
            else if (what < 9)
                used += (size_t)snprintf(text + used, sizeof text - used, "nop/%u\n",
                                         1 + below(&dice, 12));
            else if (tags[tag])
                used += (size_t)snprintf(text + used, sizeof text - used, "%s; wait i%02x\n",
                                         below(&dice, 2) ? "nop/3" : "zero $nowrite", tag);
        }
        struct brute_sets sets;
        brute_random_sets(&dice, &sets, false);
        struct trial trial = {
            .text = text, .packing = packings[below(&dice, 3)], .documented = below(&dice, 8) == 0};
        use_sets(&trial, &sets);
        compare(&trial, seed);
    }
}

/* --- random programs -------------------------------------------------------------------------- */

static void programs_of(uint64_t first, uint64_t count, unsigned features, bool values)
{
    static const char *const packings[] = {"none", "auto", "flat"};
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct dice dice = {seed};
        const struct gen_options options = {.features = features,
                                            .statements = 10 + below(&dice, 60),
                                            .tightness = below(&dice, 101),
                                            .sets = 2,
                                            .gets = 1};
        char *text = gen_program(seed, &options, NULL);
        assert_non_null(text);
        struct trial trial = {.text = text,
                              .packing = packings[below(&dice, features & GEN_FLAT ? 1 : 3)],
                              .interlock = below(&dice, 2) == 0,
                              .values = values};
        if (features & GEN_FLAT && below(&dice, 2))
            trial.packing = "flat";
        if (trial.interlock)
            brute_drop_nops(text, below(&dice, 100), &dice);
        struct brute_sets sets;
        brute_random_sets(&dice, &sets, trial.interlock);
        use_sets(&trial, &sets);
        compare(&trial, seed);
        free(text);
    }
}

static void programs(void **state)
{
    (void)state;
    const unsigned all = GEN_ALL & ~(unsigned)(GEN_STYLE | GEN_DAR);
    programs_of(1, often(800), all, false);
    programs_of(100001, often(400), all & ~(unsigned)GEN_FLAT, false);
}

/* With values, so that $di works. */
static void indirect(void **state)
{
    (void)state;
    programs_of(200001, often(40), GEN_MV | GEN_DAR | GEN_L2BM, true);
}

/* Entries of many rows, written and read close together: which of them a gather finds shows in its
 * time. */
static void dar_in_flight(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", "auto", "flat"};
    for (uint64_t seed = 1; seed <= often(60); seed++) {
        struct dice dice = {seed};
        char text[8192], latency[40];
        size_t used = (size_t)snprintf(text, sizeof text, "d set $lc0 256 ");
        for (unsigned i = 0; i < 512; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%08x",
                                     below(&dice, 3) ? below(&dice, 4) << 11 : 0);
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
        for (unsigned i = 0; i < 40; i++) {
            const char *wait = below(&dice, 6) || !strstr(text, "n64i01") ? "" : "; wait i01";
            const unsigned what = below(&dice, 8), entry = 1020 + below(&dice, 12);
            char *line = text + used;
            const size_t left = sizeof text - used;
            if (what < 2)
                used += (size_t)snprintf(line, left, "l2bmdars $lc0@.0 $dar%u%s\n", entry % 1024,
                                         what ? "; l2bmdarw" : "");
            else if (what < 5)
                used += (size_t)snprintf(line, left, "l2bmdarw; zero $nowrite%s\n", wait);
            else if (what < 6)
                used += (size_t)snprintf(line, left, "nop/%u%s\n", 1 + below(&dice, 4), wait);
            else
                used += (size_t)snprintf(line, left, "mvp/n64i01%s $di%u@0 $lc4096@0.0\n",
                                         below(&dice, 3) ? "nd1" : "", entry % 1024);
        }
        snprintf(latency, sizeof latency, "dar_write_latency=%u", below(&dice, 61));
        const struct trial trial = {.text = text,
                                    .packing = packings[below(&dice, 3)],
                                    .sets = {latency, "dram_trcd=40", "dram_read_ahead=4"},
                                    .values = true};
        compare(&trial, seed);
    }
}

/* L2BM written and read close together, with latencies so short that the reads have to wait until
 * it has landed. */
static void landed_in_time(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", "auto", "flat"};
    static const char *const stores[] = {"l2bm@1 $lb0 $lc%u\n", "l2bmrdfadd $lb0 $lc%u\n",
                                         "l2bmr2dfadd $lb0 $lc%u\n", "l2bmd $lb0 $lc%u\n"};
    static const char *const reads[] = {
        "mvp/n%ui01 $lc%u@0.0 $p0@0\n", "mvp/n%ui01 $lc%u@1.1 $p0@0\n", "mvp/n%ui02 $lc%u@.1 $d0\n",
        "mvp/n%u $lc%u@2.0 $d4096@2\n", "mvrdfadd/n%u $lc%u $p4096@3\n"};
    for (uint64_t seed = 1; seed <= often(300); seed++) {
        struct dice dice = {seed};
        char text[4096] = "", start[40], turn[40], port[40];
        size_t used = 0;
        for (unsigned i = 0; i < 20; i++) {
            char *line = text + used;
            const size_t left = sizeof text - used;
            const unsigned what = below(&dice, 10), at = 64 * below(&dice, 8);
            if (what < 4)
                used += (size_t)snprintf(line, left, stores[what], at);
            else if (what < 9)
                used +=
                    (size_t)snprintf(line, left, reads[what - 4], 64 * (1 + below(&dice, 8)), at);
            else
                used +=
                    (size_t)snprintf(line, left, "nop/%u%s\n", 1 + below(&dice, 3),
                                     below(&dice, 3) || !strstr(text, "i01 ") ? "" : "; wait i01");
        }
        snprintf(start, sizeof start, "mv_start_latency=%u", below(&dice, 20));
        snprintf(turn, sizeof turn, "hazard_l2bm_store_load=%u", below(&dice, 7));
        snprintf(port, sizeof port, "pdm_port=%u", 13 + below(&dice, 5));
        const struct trial trial = {.text = text,
                                    .packing = packings[below(&dice, 3)],
                                    .documented = below(&dice, 4) == 0,
                                    .sets = {start, turn, port}};
        compare(&trial, seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand),          cmocka_unit_test(found),
        cmocka_unit_test(long_nops),     cmocka_unit_test(transfers),
        cmocka_unit_test(programs),      cmocka_unit_test(indirect),
        cmocka_unit_test(dar_in_flight), cmocka_unit_test(landed_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
