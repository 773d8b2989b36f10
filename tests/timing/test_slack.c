/* The slack of statements of real machines: what path_slack calls safe, and what slack_find calls
 * exact, against runs with every delay up to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/often.h"
#include "timing/machines.h"
#include "timing/run.h"
#include "timing/slack.h"

/* What the sink keeps. */
struct kept {
    struct sink_slack *slack;
    size_t count;
};

static int keep(void *context, const struct sink_summary *summary)
{
    struct kept *kept = context;
    kept->count = summary->slack_count;
    kept->slack = malloc((kept->count + 1) * sizeof *kept->slack);
    assert_non_null(kept->slack);
    if (kept->count)
        memcpy(kept->slack, summary->slack, kept->count * sizeof *kept->slack);
    return 0;
}

static const struct sink_ops keep_ops = {.name = "kept", .finish = keep};

struct tally {
    unsigned statements, equal, loose,
        nonzero; /* loose: of statements with a slack, those reported too small */
    bool exact;  /* look for the exact slack, too */
};

static void check_stmt(const struct machine *machine, struct machine_run *run, const char *text,
                       uint32_t stmt, uint64_t safe, struct tally *tally)
{
    struct run_progress progress;
    run_progress(run, &progress);
    struct machine_delay delay = {.stmt = stmt};
    uint64_t total = 0;
    int status = 0;
    bool more = true; /* one quantum more leaves the total as it is, in every turn */
    for (; status == 0; delay.turn++) {
        for (delay.cycles = machine->timing->quantum;
             delay.cycles <= safe + machine->timing->quantum;
             delay.cycles += machine->timing->quantum) {
            status = run_delayed(run, &delay, &total);
            assert_true(status >= 0);
            if (status == 0 && total > progress.total && delay.cycles <= safe)
                fail_msg("statement %u has a slack of %llu, but turn %llu that is %llu later makes "
                         "%llu cycles of %llu:\n%s",
                         stmt, (unsigned long long)safe, (unsigned long long)delay.turn,
                         (unsigned long long)delay.cycles, (unsigned long long)total,
                         (unsigned long long)progress.total, text);
        }
        more &= status != 0 || total <= progress.total;
    }
    tally->statements++;
    tally->nonzero += safe > 0;
    tally->equal += !more;
    if (!tally->exact)
        return;
    struct slack exact;
    uint64_t work = SLACK_WORK;
    assert_int_equal(slack_find(machine, run, stmt, safe, &work, &exact), 0);
    assert_true(exact.exact);
    assert_true(more ? exact.cycles > safe : exact.cycles == safe);
    tally->loose += exact.cycles > safe;
}

static void check_program(const struct machine *machine, const char *text, const char *const *sets,
                          const struct machine_setting *settings, struct tally *tally)
{
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program;
    struct machine_run *run;
    struct kept kept = {NULL, 0};
    char error[MACHINE_ERROR] = "";
    const struct run_options options = {.timing_only = true, .settings = settings};
    const struct sink sink = {&keep_ops, &kept};
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "p", text, strlen(text)), 0);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    for (; *sets; sets++)
        assert_int_equal(config_set(&config, *sets, error, sizeof error), 0);
    assert_int_equal(machine->language->load(&program, &source, 1, &diags), 0);
    const struct run_setup setup = {program, &config, &options, &sink};
    assert_int_equal(run_open(&run, machine, &setup, &diags, error), 0);
    enum run_status status;
    while ((status = run_advance(run, UINT64_MAX, &diags, error)) == RUN_MORE)
        continue;
    assert_int_equal(status, RUN_DONE);
    for (size_t i = 0; i < kept.count; i++)
        for (uint32_t s = kept.slack[i].first_stmt; s <= kept.slack[i].last_stmt; s++)
            check_stmt(machine, run, text, s, (uint64_t)kept.slack[i].slack, tally);
    free(kept.slack);
    run_close(run);
    machine->language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
}

static struct dice dice = {5};

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

/* Transfers that meet on few ports, and waits close behind; most have some slack to a long one on
 * ports of its own. */
static char *crowded(void)
{
    const unsigned lines = 4 + pick(16);
    char *text = malloc(lines * 64 + 100), *at = text;
    assert_non_null(text);
    bool carried[5] = {false};
    at += sprintf(at, "mvp/n%ui09 $p0@3 $lc0@3.0\n", 64 * (1 + pick(100)));
    for (unsigned i = 0; i < lines; i++) {
        const unsigned kind = pick(10), group = pick(2), bank = pick(2), tag = 1 + pick(4);
        const unsigned size = 64 * (1 + pick(8));
        if (kind < 3)
            at += sprintf(at, "mvp/n%ui0%u%s $p%u@%u $lc%u@%u.%u\n", size, tag, pick(3) ? "" : "p1",
                          i * 512, group, i * 512, group, bank);
        else if (kind < 4)
            at += sprintf(at, "mvp/n%ui0%u $lc%u@%u.%u $p%u@%u\n", size, tag, i * 512, group, bank,
                          i * 512, pick(2));
        else if (kind < 7)
            at += sprintf(at, carried[tag] ? "nop; wait i0%u\n" : "nop\n", tag);
        else if (kind < 9)
            at += sprintf(at, "nop/%u\n", 1 + pick(12));
        else
            at += sprintf(at, "lpassa $lr0v $ls0v\n");
        carried[tag] |= kind < 4;
    }
    sprintf(at, "nop; wait i09\n");
    return text;
}

/* Transfers that share ports and ways, waits, stalls by rules and for the supply. */
static void transfers(void **unused)
{
    (void)unused;
    static const char *const packings[] = {"none", "auto", "flat"};
    static const char *const sets[][9] = {
        {NULL},
        {"mv_start_latency=0", "mv_notice_latency=0", "dram_tccd=0", "dram_trcd=0", "dram_trp=0",
         "dram_tras=0", NULL},
        {"supply_bytes=10", NULL},
        {"mode_cap_scope=transfer", "pdm_port=0", "mv_start_latency=4", NULL},
    };
    static const char *const ideal[] = {"dram_tcl=0", "dram_turnaround=0", "dram_trefi=0",
                                        "dram_controller=0"};
    struct tally tally = {.exact = true};
    for (unsigned round = 0; round < often(60); round++) {
        const struct gen_options gen = {.features = GEN_MV | (round & 1 ? GEN_L1BM | GEN_L2BM : 0),
                                        .statements = 5 + round % 23,
                                        .tightness = round * 7 % 101};
        const char *all[12] = {NULL};
        size_t count = 0;
        const unsigned chosen = round % 3 ? 1 + round % 2 : round % 4;
        for (const char *const *set = sets[chosen == 2 ? 3 : chosen]; *set; set++)
            all[count++] = *set;
        for (size_t i = 0; chosen == 1 && i < 4; i++)
            all[count++] = ideal[i];
        const struct machine_setting settings[] = {{"packing", packings[round % 3]},
                                                   {round % 5 == 4 ? "interlock" : NULL, ""},
                                                   {NULL, NULL}};
        char *text = round % 3 ? crowded() : gen_program(9000 + round, &gen, NULL);
        assert_non_null(text);
        check_program(&machine_mncore2, text, all, settings, &tally);
        free(text);
    }
    print_message("%u statements, %u with slack, that of %u is exact\n", tally.statements,
                  tally.nonzero, tally.equal);
}

static size_t one_line(char *text, size_t size)
{
    static const char *const lanes[] = {"f16", "f32", "f64"};
    static const char *const moves[] = {"ldx x", "ldy y", "ldz z", "stx x", "sty y", "stz z"};
    if (pick(3))
        return (size_t)snprintf(text, size, "matfp %s x=%u y=%u z=%u\n", lanes[pick(3)],
                                pick(8) * 64, pick(8) * 64, pick(2));
    return (size_t)snprintf(text, size, "%s=%u addr=%u\n", moves[pick(6)], pick(8), pick(4) * 64);
}

/* Threads that share the array and the load/store port of a cluster, with loops. */
static void threads(void **unused)
{
    (void)unused;
    static const char *const sets[] = {"result_latency=9", "interval_f64=3", "load_interval=2",
                                       "load_latency=7", NULL};
    struct tally tally = {.exact = true};
    for (unsigned round = 0; round < often(60); round++) {
        char text[4096];
        size_t used = (size_t)snprintf(text, sizeof text, ".version M2\n");
        for (unsigned thread = 0; thread <= round % 4; thread++) {
            used += (size_t)snprintf(text + used, sizeof text - used, ".thread %u\n.repeat %u\n",
                                     2 * thread, 1 + pick(2));
            for (unsigned i = 1 + pick(8); i; i--)
                used += one_line(text + used, sizeof text - used);
            used += (size_t)snprintf(text + used, sizeof text - used, ".end\n");
        }
        check_program(&machine_amx, text, sets, NULL, &tally);
    }
    print_message("%u statements, %u with slack, that of %u is exact\n", tally.statements,
                  tally.nonzero, tally.equal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(transfers), cmocka_unit_test(threads)};
    return cmocka_run_group_tests_name("slack", tests, NULL, NULL);
}
