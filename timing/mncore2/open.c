/* open: a run is opened and closed. */
#include "timing/mncore2/finding.h"
#include "timing/mncore2/run.h"

#include <stdlib.h>

static int choose_packing(struct mncore2_run *run, char error[MACHINE_ERROR])
{
    const char *packing = machine_setting(run->options.settings, "packing");
    if (mncore2_packing_choose(run->program, packing, &run->packing) == 0)
        return 0;
    snprintf(error, MACHINE_ERROR, "packing must be none, auto or flat, not '%.60s'", packing);
    return 1;
}

static int open_landings(struct mncore2_run *run)
{
    struct hazard *hazard = mncore2_hazard_new(run->config, run->options.documented);
    if (!hazard)
        return -1;
    for (unsigned k = 0; k < KIND_COUNT; k++) {
        run->landing[k] = mncore2_hazard_landing(hazard, (enum hazard_kind)k);
        if (run->landing[k] > run->landing_longest)
            run->landing_longest = run->landing[k];
    }
    mncore2_hazard_free(hazard);
    return 0;
}

/* A wait for a tag that nothing carries never ends (3.6.13). */
static int refuse_endless(const struct mncore2_run *run)
{
    const struct program *program = run->program;
    const size_t item = mncore2_endless_wait(program, run->options.settings);
    if (item == program->item_count)
        return 0;
    const unsigned tag = program->stmts[program->items[item].stmt].step->wait;
    struct diag at = mncore2_finding_place(program, item, NULL, run->shared->diags);
    at.severity = DIAG_ERROR;
    at.rule = "3.6.13";
    diag_add(run->shared->diags, &at,
             "waits for tag i%02x, which no MV statement before carries, so that the program never "
             "ends\ngive an MV statement before it the tag i%02x, or leave the wait out",
             tag, tag);
    return 1;
}

static int open_time(struct mncore2_run *run)
{
    const int refused = refuse_endless(run);
    if (refused != 0)
        return refused;
    if (open_landings(run) != 0 ||
        mncore2_arrivals_open(&run->arrivals, run->program, run->config) != 0)
        return -1;
    run->pending_size = 4;
    while (run->pending_size < run->landing_longest / CYCLES + 3)
        run->pending_size *= 2;
    run->pending = calloc(run->pending_size, sizeof *run->pending);
    run->landed = calloc(run->model.unit_count, sizeof *run->landed);
    return run->landed && run->pending && mncore2_classes_init(run) == 0 ? 0 : -1;
}

static int open_values(struct mncore2_run *run, char error[MACHINE_ERROR])
{
    const struct exec_options options = {.dump = run->options.dump,
                                         .threads = run->options.threads,
                                         .reference = run->options.reference,
                                         .init = run->shared->init};
    run->exec = mncore2_exec_new(&options, error, MACHINE_ERROR);
    run->dars.changed = true;
    if (!run->exec)
        return -1;
    const struct run_setup setup = {run->shared->program, run->config, &run->options, NULL};
    return machine_setting(run->options.settings, "poison")
               ? mncore2_arrivals_poison(run->exec, &setup, run->shared->init.seed, error)
               : 0;
}

/* Without values an indirect address is known from a file only. */
static int open_dar(struct mncore2_run *run, char error[MACHINE_ERROR])
{
    const char *file = machine_setting(run->options.settings, "dar");
    if (file)
        return mncore2_dar_read(run, file, error);
    const struct program *program = run->program;
    int status = 0;
    for (size_t i = 0; i < program->item_count; i++) {
        const struct stmt *stmt = &program->stmts[program->items[i].stmt];
        if (stmt->kind != STMT_MV)
            continue;
        const struct mv_operand *operand =
            stmt->mv->from.indirect ? &stmt->mv->from : &stmt->mv->to;
        if (!operand->indirect)
            continue;
        const struct diag at = {.severity = DIAG_ERROR,
                                .file = mncore2_program_source(program, i),
                                .line = program->items[i].line,
                                .column = operand->column ? operand->column : 1,
                                .length = operand->length,
                                .rule = "3.5.6"};
        diag_add(run->shared->diags, &at,
                 "the time of an indirect access depends on the DAR, which a run without values "
                 "does not know\nrun with values, or give the DAR contents with --dar FILE");
        status = 1;
    }
    return status;
}

int mncore2_run_open(struct machine_run *shared, char error[MACHINE_ERROR])
{
    struct mncore2_run *run = shared->own = calloc(1, sizeof *run);
    if (!run)
        return -1;
    run->shared = shared;
    run->program = &shared->program->program;
    run->config = shared->config;
    run->options = shared->options;
    run->interlock = mncore2_stalls(run->options.settings);
    run->holds = mncore2_holds(run->options.settings);
    run->sink = shared->sink;
    int status = choose_packing(run, error);
    if (status == 0)
        status = mncore2_model_init(&run->model, run->config, error, MACHINE_ERROR);
    if (status == 0 && !run->options.functional_only)
        status = open_time(run);
    if (status == 0)
        status = run->options.timing_only ? open_dar(run, error) : open_values(run, error);
    return status;
}

void mncore2_run_close(struct machine_run *shared)
{
    struct mncore2_run *run = shared->own;
    if (!run)
        return;
    mncore2_dar_free(&run->dars);
    free(run->landed);
    free(run->pending);
    free(run->lost);
    mncore2_classes_free(run);
    free(run->removable.rows);
    mncore2_arrivals_free(&run->arrivals);
    mncore2_model_free(&run->model);
    if (run->exec)
        mncore2_exec_free(run->exec);
    free(run);
}
