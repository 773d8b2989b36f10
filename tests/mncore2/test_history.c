/*
 * history: what a place holds in a cycle. Random legal programs: at the end of the run each place
 * that some statement writes has the value that d get prints there, and what it holds one cycle
 * before a write can be read is what it held before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/effect.h"
#include "tests/dice.h"
#include "tests/emulator.h"
#include "tests/gen_program.h"
#include "tests/often.h"
#include "timing/history.h"
#include "timing/machines.h"
#include "timing/run.h"

enum { PLACES = 12, NAME = 64 };

struct places {
    char name[PLACES][NAME];
    size_t count;
};

/* --- places that a program writes ------------------------------------------------------------- */

static void add(struct places *p, uint8_t space, uint64_t addr, unsigned set, uint64_t dice)
{
    static const char *const names[SPACE_COUNT] = {
        [SPACE_LM0] = "lm",  [SPACE_LM1] = "ln", [SPACE_GRF0] = "lr",
        [SPACE_GRF1] = "ls", [SPACE_T] = "lt",   [SPACE_L1BM] = "lb",
        [SPACE_L2BM] = "lc", [SPACE_PDM] = "p",  [SPACE_DRAM] = "d"};
    if (p->count == PLACES || !names[space] || (space > SPACE_T && !set))
        return;
    unsigned bit = space > SPACE_T ? (unsigned)__builtin_ctz(set) : 0;
    char *at = p->name[p->count++];
    int n = space == SPACE_T
                ? snprintf(at, NAME, "$lt")
                : snprintf(at, NAME, "$%s%llu", names[space],
                           (unsigned long long)(space < SPACE_T ? addr & ~1ull : addr));
    n += snprintf(at + n, (size_t)(NAME - n), "n%u",
                  space == SPACE_PDM || space == SPACE_DRAM ? bit
                  : space == SPACE_L2BM                     ? bit / 2
                                                            : (unsigned)(dice & 3));
    if (space != SPACE_PDM && space != SPACE_DRAM)
        n += snprintf(at + n, (size_t)(NAME - n), "c%u",
                      space == SPACE_L2BM ? bit % 2 : (unsigned)(dice >> 2 & 1));
    if (space == SPACE_L1BM || space <= SPACE_T)
        n += snprintf(at + n, (size_t)(NAME - n), "b%u",
                      space == SPACE_L1BM ? bit : (unsigned)(dice >> 3 & 7));
    if (space <= SPACE_T)
        snprintf(at + n, (size_t)(NAME - n), "m%up%u", (unsigned)(dice >> 6 & 15),
                 (unsigned)(dice >> 10 & 3));
}

static void add_of(struct places *p, const struct stmt *stmt, uint64_t dice)
{
    struct effect effect = {.count = 0};
    if (stmt->kind == STMT_STEP && !stmt->step->nops)
        mncore2_effect_of_step(stmt->step, &effect);
    for (size_t i = 0; i < effect.count; i++) {
        const struct access *a = &effect.access[i];
        if (a->write && a->cycles && !a->any)
            add(p, a->space, a->addr[__builtin_ctz(a->cycles)], a->set, dice);
    }
    if (stmt->kind == STMT_MV) {
        struct region region[2];
        mncore2_effect_of_mv(stmt->mv, region);
        if (!region[1].any)
            add(p, region[1].space, region[1].addr + dice % region[1].length, region[1].set, dice);
    }
}

static void find_places(struct places *p, const struct source *source, uint64_t seed)
{
    struct program program;
    struct diag_list diags;
    diag_list_init(&diags);
    assert_int_equal(mncore2_program_parse(&program, source, 1, &diags), 0);
    *p = (struct places){.count = 0};
    for (size_t i = program.item_count; i-- > 0;) /* the last writers matter most */
        add_of(p, &program.stmts[program.items[i].stmt],
               seed * 0x9e3779b97f4a7c15u + i * 2654435761u);
    mncore2_program_free(&program);
    diag_list_free(&diags);
}

/* --- one program ------------------------------------------------------------------------------ */

static size_t followed, landed;

static void judge(struct machine_run *run, const char *place, uint64_t printed)
{
    struct history h = {.count = 0};
    char error[MACHINE_ERROR] = "";
    const uint64_t end = run_total(run->model);
    if (machine_mncore2.values->history(run, place, &h, error) != 0)
        fail_msg("%s: %s", place, error);
    const struct history_at at = history_at(&h, end);
    assert_non_null(at.words);
    if (at.words[0] != printed)
        fail_msg("%s: %016llx at the end, d get prints %016llx", place,
                 (unsigned long long)at.words[0], (unsigned long long)printed);
    assert_null(at.landing);
    assert_null(at.next);
    followed += h.count != 0;
    for (size_t i = 0; i < h.count; i++) {
        const struct history_write *w = &h.writes[i];
        assert_true(w->issued <= w->first && w->first <= w->readable && w->readable <= end);
        const struct history_at on = history_at(&h, w->readable);
        assert_true(on.last && on.last->readable == w->readable);
        if (w->first == w->issued)
            continue;
        const struct history_at before = history_at(&h, w->first - 1);
        assert_true(!before.last || before.last->readable < w->first);
        assert_true(before.landing || before.last == NULL || before.last != w);
        landed++;
    }
    history_free(&h);
}

static void judge_all(struct machine_run *run, const struct places *places, const char *dump)
{
    for (size_t i = 0; i < places->count; i++) {
        const char *value = strstr(dump, "v:0x");
        assert_non_null(value);
        judge(run, places->name[i], strtoull(value + 4, NULL, 16));
        dump = value + 4;
    }
}

static void run_one(const struct source *source, const struct places *places)
{
    static const struct sink_ops none = {.name = "none"};
    const struct sink sink = {&none, NULL};
    char error[MACHINE_ERROR] = "", *dump;
    size_t size;
    struct config config;
    struct diag_list diags;
    struct machine_program *program;
    struct machine_run *run;
    diag_list_init(&diags);
    assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
    assert_int_equal(machine_mncore2.language->load(&program, source, 1, &diags), 0);
    FILE *out = open_memstream(&dump, &size);
    const struct run_options options = {.dump = out, .total_only = true, .threads = 1};
    const struct run_setup setup = {program, &config, &options, &sink};
    assert_int_equal(run_open(&run, &machine_mncore2, &setup, &diags, error), 0);
    assert_int_equal(run_whole(run, &diags, error), 0);
    fflush(out);
    judge_all(run, places, dump);
    run_close(run);
    fclose(out);
    free(dump);
    machine_mncore2.language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
}

static void random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (emulated() ? 4 : often(200)); seed++) {
        const struct gen_options options = {.features = GEN_ALL & ~(unsigned)GEN_STYLE,
                                            .statements = 4 + (unsigned)(seed % 17),
                                            .tightness = 50,
                                            .sets = (unsigned)(seed % 8)};
        size_t size;
        struct places places;
        struct source source;
        char *text = gen_program(seed, &options, &size);
        assert_non_null(text);
        assert_int_equal(source_from_text(&source, "generated", text, size), 0);
        find_places(&places, &source, seed);
        source_close(&source);
        text = realloc(text, size + PLACES * (NAME + 16));
        for (size_t i = 0; i < places.count; i++)
            size += (size_t)sprintf(text + size, "\nd get %s 1\n", places.name[i]);
        assert_int_equal(source_from_text(&source, "generated", text, size), 0);
        run_one(&source, &places);
        source_close(&source);
        free(text);
    }
    const size_t least = emulated() ? 10 : 100;
    assert_true(followed > least);
    assert_true(landed > least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
