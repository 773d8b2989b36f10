/*
 * What a run says could go, by editing the program: each claim alone, and all together. The shorter
 * program is legal, has no more warnings, leaves the same state and takes no longer; all together
 * it takes exactly as long as was said. With one step more gone it is refused, takes longer, or the
 * steps keep a transfer and what races with it apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/emulator.h"
#include "tests/gen_program.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"
#include "timing/machines.h"
#include "timing/mncore2/check.h"
#include "timing/mncore2/run.h"

/* A program and its run. */
struct subject {
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program;
    struct machine_run *run;
    bool legal;
    uint64_t total, hash;
    size_t warnings;
};

static int take_warning(void *context, const struct sink_warning *warning)
{
    (void)context;
    (void)warning;
    return 0;
}

static const struct sink_ops ops = {.name = "subject", .warning = take_warning};

static void subject_run(struct subject *s, const char *text, const char *packing)
{
    const struct machine *machine = &machine_mncore2;
    const struct machine_setting settings[] = {{"packing", packing}, {NULL, NULL}};
    const struct run_options options = {.settings = settings, .threads = 1};
    const struct sink sink = {&ops, NULL};
    char error[MACHINE_ERROR] = "";
    *s = (struct subject){.total = 0};
    diag_list_init(&s->diags);
    assert_int_equal(source_from_text(&s->source, "k.vsm", text, strlen(text)), 0);
    assert_int_equal(machine_config(machine, &s->config, error, sizeof error), 0);
    assert_int_equal(machine->language->load(&s->program, &s->source, 1, &s->diags), 0);
    s->legal = machine->language->check(s->program, &s->config, settings, &s->diags) == 0;
    s->warnings = s->diags.warnings;
    const struct run_setup setup = {s->program, &s->config, &options, &sink};
    if (!s->legal)
        return;
    assert_int_equal(run_open(&s->run, machine, &setup, &s->diags, error), 0);
    while (run_advance(s->run, UINT64_MAX, &s->diags, error) == RUN_MORE)
        continue;
    struct run_progress progress;
    run_progress(s->run, &progress);
    s->total = progress.total;
    s->hash = run_hash(s->run);
}

static void subject_free(struct subject *s)
{
    if (s->run)
        run_close(s->run);
    machine_mncore2.language->unload(s->program);
    config_free(&s->config);
    diag_list_free(&s->diags);
    source_close(&s->source);
}

/* The text without the nops of `cut`; every statement has a line of its own. */
static char *shorten(const struct subject *s, const char *text, const uint32_t *cut)
{
    const struct program *program = &s->program->program;
    char *shorter = malloc(strlen(text) + 16 * program->item_count + 1), *to = shorter;
    assert_non_null(shorter);
    size_t item = 0;
    uint32_t line = 1;
    for (const char *at = text; *at; line++) {
        const char *end = strchr(at, '\n') + 1;
        while (item < program->item_count && program->items[item].line < line)
            item++;
        const bool here = item < program->item_count && program->items[item].line == line;
        if (here && cut[item]) {
            const uint32_t nops = program->stmts[program->items[item].stmt].step->nops - cut[item];
            to += nops ? sprintf(to, "nop/%u\n", nops) : sprintf(to, "#\n");
        } else {
            memcpy(to, at, (size_t)(end - at));
            to += end - at;
        }
        at = end;
    }
    *to = '\0';
    return shorter;
}

/* Whether a race or a tag keeps the steps. */
static bool kept_by_pair(const struct subject *s, const struct removable *row)
{
    struct machine_needs needs;
    assert_int_equal(machine_mncore2.advice->needs(s->run, (uint32_t)row->item, &needs), 0);
    assert_int_equal(needs.written, row->written);
    bool kept = false;
    for (size_t i = 0; i < needs.count; i++)
        kept |= strncmp(needs.rows[i].rule, "3.6.3", 5) != 0 &&
                needs.rows[i].steps == row->written - row->steps;
    free(needs.rows);
    return kept;
}

static void edit(struct subject *s, const char *text, const char *packing, const uint32_t *cut,
                 struct subject *shorter)
{
    char *other = shorten(s, text, cut);
    subject_run(shorter, other, packing);
    free(other);
}

static void fine(const struct subject *s, const struct subject *shorter, const char *text,
                 const struct removable *row)
{
    if (shorter->legal && shorter->warnings <= s->warnings && shorter->hash == s->hash &&
        shorter->total <= s->total)
        return;
    fail_msg(
        "%llu of %llu steps of line %u: legal %d, warnings %zu of %zu, %llu cycles of %llu\n%s",
        (unsigned long long)row->steps, (unsigned long long)row->written,
        s->program->program.items[row->item].line, shorter->legal, shorter->warnings, s->warnings,
        (unsigned long long)shorter->total, (unsigned long long)s->total, text);
}

static void check_text(const char *text, const char *packing, unsigned *claims, unsigned *behind)
{
    struct subject s, other;
    subject_run(&s, text, packing);
    assert_true(s.legal);
    const struct program *program = &s.program->program;
    const struct mncore2_run *run = s.run->own;
    const struct removable_list *list = &run->removable;
    uint32_t *cut = calloc(program->item_count + 1, sizeof *cut);
    assert_non_null(cut);
    for (size_t i = 0; i < list->count; i++) {
        const struct removable *row = &list->rows[i];
        ++*claims;
        mncore2_removable_cut(program, row, row->steps, cut);
        edit(&s, text, packing, cut, &other);
        fine(&s, &other, text, row);
        subject_free(&other);
        if (row->steps < row->written && !kept_by_pair(&s, row)) {
            mncore2_removable_cut(program, row, row->steps + 1, cut);
            edit(&s, text, packing, cut, &other);
            if (other.legal && other.total <= s.total)
                fail_msg("one more of line %u could go\n%s", program->items[row->item].line, text);
            subject_free(&other);
        }
        mncore2_removable_cut(program, row, 0, cut);
    }
    for (size_t i = 0; i < list->count; i++) {
        *behind += list->rows[i].together > 0;
        mncore2_removable_cut(program, &list->rows[i], list->rows[i].together, cut);
    }
    edit(&s, text, packing, cut, &other);
    if (list->count)
        fine(&s, &other, text, &list->rows[0]);
    if (other.total + run->counters[COUNTER_REMOVABLE_CYCLES] != s.total)
        fail_msg("together %llu cycles, not %llu less than %llu\n%s",
                 (unsigned long long)other.total,
                 (unsigned long long)run->counters[COUNTER_REMOVABLE_CYCLES],
                 (unsigned long long)s.total, text);
    subject_free(&other);
    free(cut);
    subject_free(&s);
}

static void random_programs(void **unused)
{
    (void)unused;
    static const char *const packings[] = {"none", "auto", "flat"};
    unsigned claims = 0, together = 0;
    const size_t rounds = emulated() ? 10 : often(60); /* each of several states */
    for (unsigned round = 0; round < rounds; round++) {
        const struct gen_options gen = {.features = GEN_MV | GEN_L2BM | GEN_L1BM |
                                                    (round % 4 == 0 ? GEN_DAR : 0) |
                                                    (round % 3 == 0 ? GEN_MASKS | GEN_INDIRECT : 0),
                                        .statements = 5 + round % 20,
                                        .sets = 6,
                                        .tightness = round * 13 % 101};
        char *text = gen_program(4000 + round, &gen, NULL);
        assert_non_null(text);
        check_text(text, packings[round % 3], &claims, &together);
        free(text);
    }
    print_message("%u claims, %u of them together\n", claims, together);
    assert_true(2 * claims > rounds && 2 * together > rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests_name("removable by editing", tests, NULL, NULL);
}
