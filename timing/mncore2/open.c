/* open: a run is opened and closed. */
#include "timing/mncore2/run.h"

#include <stdlib.h>

#include "functional/init.h"

static int choose_packing(struct machine_run *run)
{
    const char *packing = machine_setting(run->options.settings, "packing");
    if (mncore2_packing_choose(run->program, packing, &run->packing) == 0)
        return 0;
    snprintf(run->error, MACHINE_ERROR, "packing must be none, auto or flat, not '%.60s'", packing);
    return 1;
}

/* What the stream does from one statement to another: busy, if there is a step among them that is
 * no nop; else nops, or what packing sends before MV statements. */
static uint32_t stream_does(const void *context, uint32_t stream, uint64_t from, uint64_t to)
{
    const struct machine_run *run = context;
    uint32_t does = REASON_PACKING;
    (void)stream;
    for (uint64_t i = from; i < to && i < run->lane.next_item; i++) {
        const struct stmt_class *class = &run->classes[run->program->items[i].stmt];
        if (class->kind == STMT_STEP && !class->nops)
            return REASON_BUSY;
        if (class->kind == STMT_STEP)
            does = REASON_NOP;
    }
    return does;
}

/* So near behind a step an MV statement may matter: the interlock, or what has not landed. */
static uint64_t nearest(const struct machine_run *run)
{
    const struct hazard *hazard = run->lane.hazard;
    const uint64_t lands = run->lane.l2bm_lands, start = run->lane.numbers->start;
    uint64_t near = hazard ? mncore2_hazard_longest(hazard) : 0;
    for (size_t i = 0; i < run->program->stmt_count && lands > start; i++) {
        const struct stmt *stmt = &run->program->stmts[i];
        if (stmt->kind == STMT_MV && stmt->mv->from.mem == MEM_L2BM &&
            near < lands + CYCLES - start)
            near = lands + CYCLES - start;
    }
    return (near + CYCLES - 1) / CYCLES * CYCLES;
}

static int open_path(struct machine_run *run)
{
    run->stream = (struct path_stream){.unit = UNIT_ISSUE, .quantum = CYCLES, .near = nearest(run)};
    const struct path_config config = {.streams = &run->stream,
                                       .stream_count = 1,
                                       .stmt_count = run->program->item_count,
                                       .does = stream_does,
                                       .context = run};
    return path_init(&run->path, &config);
}

static int open_landings(struct machine_run *run)
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

static int open_time(struct machine_run *run)
{
    if (open_landings(run) != 0)
        return -1;
    run->pending_size = 4;
    while (run->pending_size < run->landing_longest / CYCLES + 3)
        run->pending_size *= 2;
    run->pending = calloc(run->pending_size, sizeof *run->pending);
    run->landed = calloc(run->model.unit_count, sizeof *run->landed);
    if (!run->landed || !run->pending || mncore2_classes_init(run) != 0 ||
        account_init(&run->account, run->model.unit_count, run->sink) != 0)
        return -1;
    run->lane.account = &run->account;
    run->lane.path = &run->path;
    if (mncore2_lane_open(&run->lane, run, &run->model, run->options.documented) != 0 ||
        open_path(run) != 0)
        return -1;
    if (run->options.events) {
        run->lane.kernel.observe = kernel_print_event;
        run->lane.kernel.context = run->options.events;
    }
    run->dars.used = calloc(run->lane.mv.capacity + 1, sizeof *run->dars.used);
    return run->dars.used ? 0 : -1;
}

int mncore2_run_move(struct machine_run *run, bool save, const char *spec, const char *path,
                     char error[MACHINE_ERROR])
{
    const bool big = run->options.word_order_big;
    return save ? mncore2_exec_save(run->exec, spec, path, big, error, MACHINE_ERROR)
                : mncore2_exec_load(run->exec, spec, path, big, error, MACHINE_ERROR);
}

static int open_values(struct machine_run *run)
{
    struct exec_options options = {.dump = run->options.dump,
                                   .threads = run->options.threads,
                                   .reference = run->options.reference};
    if (init_parse(&options.init, run->options.init, run->error, MACHINE_ERROR) != 0)
        return 1;
    run->exec = mncore2_exec_new(&options, run->error, MACHINE_ERROR);
    if (!run->exec)
        return -1;
    run->dars.changed = true;
    return machine_move(run->options.loads, false, mncore2_run_move, run, run->error);
}

/* Without values an indirect address is known from a file only. */
static int open_dar(struct machine_run *run, struct diag_list *diags)
{
    const char *file = machine_setting(run->options.settings, "dar");
    if (file)
        return mncore2_dar_read(run, file);
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
                                .length = operand->length ? operand->length : 1,
                                .missing_steps = -1,
                                .missing_cycles = -1,
                                .rule = "3.5.6",
                                .name = ""};
        diag_add(diags, &at,
                 "the time of an indirect access depends on the DAR, which a run without values "
                 "does not know\nrun with values, or give the DAR contents with --dar FILE");
        status = 1;
    }
    return status;
}

static int open_parts(struct machine_run *run, struct diag_list *diags)
{
    int status = choose_packing(run);
    if (status == 0)
        status = mncore2_model_init(&run->model, run->config, run->error, MACHINE_ERROR);
    if (status == 0 && !run->options.functional_only)
        status = open_time(run);
    if (status == 0)
        status = run->options.timing_only ? open_dar(run, diags) : open_values(run);
    if (status == 0)
        status = mncore2_report_begin(run);
    return status;
}

void mncore2_run_close(struct machine_run *run)
{
    if (!run)
        return;
    mncore2_lane_free(&run->lane);
    mncore2_dar_free(&run->dars);
    free(run->landed);
    free(run->pending);
    free(run->lost);
    mncore2_classes_free(run);
    path_free(&run->path);
    range_free(&run->range);
    free(run->removable.rows);
    account_free(&run->account);
    mncore2_model_free(&run->model);
    if (run->exec)
        mncore2_exec_free(run->exec);
    free(run);
}

int mncore2_run_open(struct machine_run **result, const struct run_setup *setup,
                     struct diag_list *diags, char error[MACHINE_ERROR])
{
    struct machine_run *run = calloc(1, sizeof *run);
    *result = NULL;
    if (!run) {
        snprintf(error, MACHINE_ERROR, "out of memory");
        return -1;
    }
    error[0] = '\0';
    run->program = &setup->program->program;
    run->config = setup->config;
    run->options = *setup->options;
    run->interlock = mncore2_stalls(run->options.settings);
    run->sink = setup->sink;
    run->error = error;
    const int status = open_parts(run, diags);
    if (status != 0) {
        if (status < 0 && !error[0])
            snprintf(error, MACHINE_ERROR, "out of memory");
        mncore2_run_close(run);
        return status;
    }
    *result = run;
    return 0;
}
