#include "timing/mncore2/arrive.h"

#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/poison.h"
#include "host/grow.h"
#include "timing/mncore2/run.h"

static bool moves_something(const struct program *program)
{
    for (size_t i = 0; i < program->stmt_count; i++)
        if (program->stmts[i].kind == STMT_MV)
            return true;
    return false;
}

/* --- following the program -------------------------------------------------------------------- */

struct walk {
    struct arrivals *arrivals;
    bool found;
    bool *listed; /* by item, of judge: the transfer has its early access */
    int status;
};

/* Calls `paired` for each pair until *end, or of the whole program. */
static int follow(struct walk *walk, check_paired *paired, check_over *over, const bool *end)
{
    static const char *const all[] = {"all", NULL};
    const struct arrivals *a = walk->arrivals;
    struct diag_list dropped = {.silenced = all};
    struct check_race *race = mncore2_check_race_new(a->program, &dropped, a->dar_latency);
    if (!race)
        return -1;
    mncore2_check_race_pairs(race, paired, over, walk);
    for (size_t i = 0; i < a->program->item_count && walk->status == 0 && !(end && *end); i++)
        walk->status = mncore2_check_race_item(race, i) != 0 ? -1 : walk->status;
    mncore2_check_race_free(race);
    diag_list_free(&dropped);
    return walk->status;
}

static void find(void *self, const struct check_pair *pair)
{
    struct walk *walk = self;
    walk->found |= pair->kind == PAIR_MEETS;
}

int mncore2_arrivals_open(struct arrivals *a, const struct program *program,
                          const struct config *config)
{
    struct walk walk = {.arrivals = a};
    *a = (struct arrivals){.program = program,
                           .dar_latency = config_integer(config, PARAM_dar_write_latency, false)};
    if (!moves_something(program))
        return 0;
    if (follow(&walk, find, NULL, &walk.found) != 0)
        return -1;
    if (!walk.found)
        return 0;
    a->at = calloc(program->item_count, sizeof *a->at);
    a->finished = malloc(program->item_count * sizeof *a->finished);
    a->spare = malloc(program->item_count * sizeof *a->spare);
    if (!a->at || !a->finished || !a->spare)
        return -1;
    memset(a->finished, 0xff, program->item_count * sizeof *a->finished);
    memset(a->spare, 0xff, program->item_count * sizeof *a->spare);
    a->count = program->item_count;
    return 0;
}

void mncore2_arrivals_free(struct arrivals *a)
{
    free(a->at);
    free(a->finished);
    free(a->spare);
    free(a->early);
    *a = (struct arrivals){.count = 0};
}

size_t mncore2_arrivals_over(const struct arrivals *a, size_t transfer)
{
    size_t low = transfer < a->count ? transfer + 1 : a->count, high = a->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (a->at[middle] < a->finished[transfer])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- judging ---------------------------------------------------------------------------------- */

/* The first access after a transfer's end is the only one that matters: stalls between it and a
 * later one keep that one away as well. */
static bool is_over(void *self, size_t transfer, size_t item)
{
    const struct arrivals *a = ((const struct walk *)self)->arrivals;
    return a->at[item] >= a->finished[transfer] && a->spare[transfer] != UINT64_MAX;
}

static void note(void *self, const struct check_pair *pair)
{
    struct walk *walk = self;
    struct arrivals *a = walk->arrivals;
    if (pair->kind != PAIR_MEETS)
        return;
    if (a->at[pair->second] >= a->finished[pair->first]) {
        const uint64_t spare = a->at[pair->second] - a->finished[pair->first];
        if (spare < a->spare[pair->first])
            a->spare[pair->first] = spare;
        return;
    }
    if (!pair->sure)
        return;
    const uint64_t cycles = a->finished[pair->first] - a->at[pair->second];
    a->early_cycles += cycles;
    if (walk->listed[pair->first])
        return;
    walk->listed[pair->first] = true;
    struct early *early = grow(a->early, &a->early_capacity, a->early_count + 1, sizeof *early);
    if (!early) {
        walk->status = -1;
        return;
    }
    a->early = early;
    early[a->early_count++] = (struct early){pair->first, pair->second, cycles};
}

int mncore2_arrivals_judge(struct arrivals *a)
{
    struct walk walk = {.arrivals = a};
    a->early_count = 0;
    a->early_cycles = 0;
    if (!a->count)
        return 0;
    walk.listed = calloc(a->count, sizeof *walk.listed);
    const int status = walk.listed ? follow(&walk, note, is_over, NULL) : -1;
    free(walk.listed);
    return status;
}

/* --- of a whole run --------------------------------------------------------------------------- */

static int take(struct arrivals *a, const struct run_setup *setup, char error[MACHINE_ERROR])
{
    struct run_setup own = *setup;
    struct machine_run *shared;
    struct diag_list unsaid;
    own.sink = &run_unseen;
    diag_list_init(&unsaid);
    int status = run_open(&shared, setup->program->machine, &own, &unsaid, error);
    if (status == 0)
        status = run_whole(shared, &unsaid, error);
    if (status == 0) {
        struct mncore2_run *run = shared->own;
        *a = run->arrivals;
        run->arrivals = (struct arrivals){.count = 0};
    }
    if (status > 0 && !error[0] && unsaid.count)
        snprintf(error, MACHINE_ERROR, "%.*s", MACHINE_ERROR - 1, unsaid.items[0].message);
    run_close(shared);
    diag_list_free(&unsaid);
    return status;
}

int mncore2_arrivals_of(struct arrivals *a, const struct run_setup *setup,
                        char error[MACHINE_ERROR])
{
    const struct program *program = &setup->program->program;
    int status = mncore2_arrivals_open(a, program, setup->config);
    const bool needed = a->count != 0;
    mncore2_arrivals_free(a);
    if (status != 0 || !needed)
        return status;
    enum { MOST = 31 };
    struct machine_setting settings[MOST + 1] = {{NULL, NULL}};
    size_t count = 0;
    for (const struct machine_setting *m = setup->options->settings; m && m->name; m++)
        if (strcmp(m->name, "poison") != 0 && count < MOST)
            settings[count++] = *m;
    struct run_options options = *setup->options;
    options = (struct run_options){.settings = settings,
                                   .loads = options.loads,
                                   .word_order_big = options.word_order_big,
                                   .init = options.init,
                                   .threads = 1,
                                   .total_only = true,
                                   .timing_only = true};
    const struct run_setup how = {setup->program, setup->config, &options, NULL};
    struct run_setup with_values = how;
    const char *const *loads = options.loads;
    options.loads = NULL;
    status = take(a, &how, error);
    if (status <= 0 || machine_setting(options.settings, "dar"))
        return status;
    options.timing_only = false; /* its time depends on them */
    options.loads = loads;
    return take(a, &with_values, error);
}

int mncore2_arrivals_poison(struct exec *exec, const struct run_setup *setup, uint64_t seed,
                            char error[MACHINE_ERROR])
{
    const struct program *program = &setup->program->program;
    struct arrivals a;
    int status = mncore2_arrivals_of(&a, setup, error);
    struct poison_end *ends = status == 0 && a.count ? calloc(a.count, sizeof *ends) : NULL;
    if (status == 0 && a.count && !ends)
        status = -1;
    for (size_t i = 0; ends && i < a.count; i++)
        if (program->stmts[program->items[i].stmt].kind == STMT_MV)
            ends[i] = (struct poison_end){a.finished[i], mncore2_arrivals_over(&a, i)};
    if (ends)
        status = mncore2_exec_poison(exec, program, ends, seed);
    free(ends);
    mncore2_arrivals_free(&a);
    return status;
}

/* --- waits ------------------------------------------------------------------------------------ */

size_t mncore2_endless_wait(const struct program *program, const struct machine_setting *settings)
{
    bool carried[MV_TAGS] = {false}, waits = false;
    const bool freed = machine_setting(settings, "freed");
    for (size_t s = 0; s < program->stmt_count && !waits && !freed; s++)
        waits = program->stmts[s].kind == STMT_STEP && program->stmts[s].step->wait;
    for (size_t i = 0; waits && i < program->item_count; i++) {
        const struct stmt *stmt = &program->stmts[program->items[i].stmt];
        if (stmt->kind == STMT_MV)
            carried[stmt->mv->tag] = true;
        if (stmt->kind == STMT_STEP && stmt->step->wait && !carried[stmt->step->wait])
            return i;
    }
    return program->item_count;
}
