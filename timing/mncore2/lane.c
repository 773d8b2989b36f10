/* lane: one kernel with its stream and transfers is opened, run and closed. */
#include "timing/mncore2/run.h"

#include <stdlib.h>

/* What the stream does from one statement to another: busy, if one of them is a step other than
 * nop; else nops, or what packing sends before MV statements. */
static uint32_t stream_does(const void *context, uint32_t stream, uint64_t from, uint64_t to)
{
    const struct mncore2_run *run = context;
    uint32_t does = REASON_PACKING;
    (void)stream;
    for (uint64_t i = from; i < to && i < run->lane->next_item; i++) {
        const struct stmt_class *class = &run->classes[run->program->items[i].stmt];
        if (class->kind == STMT_STEP && !class->nops)
            return REASON_BUSY;
        if (class->kind == STMT_STEP)
            does = REASON_NOP;
    }
    return does;
}

/* Distance after a step within which an MV statement may matter: the interlock, or what has not
 * landed. */
static uint64_t nearest(const struct mncore2_run *run)
{
    const struct hazard *hazard = run->lane->hazard;
    const uint64_t lands = run->lane->l2bm_lands, start = run->lane->numbers->start;
    uint64_t near = hazard ? mncore2_hazard_longest(hazard) : 0;
    for (size_t i = 0; i < run->program->stmt_count && lands > start; i++) {
        const struct stmt *stmt = &run->program->stmts[i];
        if (stmt->kind == STMT_MV && stmt->mv->from.mem == MEM_L2BM &&
            near < lands + CYCLES - start)
            near = lands + CYCLES - start;
    }
    return (near + CYCLES - 1) / CYCLES * CYCLES;
}

static int open_path(struct mncore2_run *run)
{
    run->stream = (struct path_stream){.unit = UNIT_ISSUE, .quantum = CYCLES, .near = nearest(run)};
    const struct path_config config = {.streams = &run->stream,
                                       .stream_count = 1,
                                       .stmt_count = run->program->item_count,
                                       .does = stream_does,
                                       .context = run};
    run->dars.used = calloc(run->lane->mv.capacity + 1, sizeof *run->dars.used);
    return run->dars.used ? path_init(run->path, &config) : -1;
}

static int open_lane(struct lane *lane, const struct model *model)
{
    struct mncore2_run *run = lane->run;
    const struct program *program = run->program;
    const bool documented = lane->base.options.documented;
    size_t transfers = 0;
    for (size_t i = 0; i < program->item_count; i++)
        transfers += program->stmts[program->items[i].stmt].kind == STMT_MV;
    lane->stream = mncore2_issue_process();
    const struct again *again = lane->base.options.own;
    lane->cut = again ? again->cut : NULL;
    lane->arrivals = again                                  ? again->arrivals
                     : lane->account && run->arrivals.count ? &run->arrivals
                                                            : NULL;
    lane->numbers = documented ? &model->documented : &model->estimate;
    lane->packer = mncore2_packer_start(run->packing);
    lane->slot_cycles = lane->numbers->slot_cycles[run->packing];
    lane->l2bm_lands = documented ? 0 : run->landing[KIND_L2BM_STORE];
    lane->plain = run->packing == PACKING_NONE || (!lane->numbers->supply && !lane->slot_cycles);
    lane->tokens = lane->numbers->buffer_bytes;
    lane->waiter = (struct mv_waiter){
        .stream = &lane->stream, .now = &lane->now, .landed = &lane->landed, .transfer = MV_NONE};
    if (kernel_init(&lane->base.kernel, transfers + 3, lane->base.kernel.run_ahead) != 0)
        return -1;
    if (run->holds && !(lane->hold = mncore2_hold_new(program)))
        return -1;
    if (run->interlock) {
        lane->hazard = mncore2_hazard_new(model->config, documented);
        lane->window = lane->hazard ? mncore2_hazard_window_new(lane->hazard) : NULL;
        lane->profiles = calloc(program->stmt_count + 1, sizeof *lane->profiles);
        if (!lane->window || !lane->profiles)
            return -1;
    }
    const struct mv_config config = {.kernel = &lane->base.kernel,
                                     .program = program,
                                     .model = model,
                                     .numbers = lane->numbers,
                                     .account = lane->account,
                                     .path = lane->path,
                                     .unit_events = lane->base.unit_events,
                                     .waiter = &lane->waiter,
                                     .capacity = transfers};
    if (mncore2_mv_init(&lane->mv, &config) != 0)
        return -1;
    lane->mv.alone = lane->base.options.alone;
    kernel_wake(&lane->base.kernel, &lane->stream, 0, PHASE_ISSUE, "begin");
    return 0;
}

int mncore2_lane_open(struct machine_model *model)
{
    struct lane *lane = (struct lane *)model;
    struct mncore2_run *run = lane->run = model->run->own;
    const struct model *chip = &run->model;
    if (model->options.config != run->config) {
        chip = &lane->chip;
        const int status =
            mncore2_model_init(&lane->chip, model->options.config, model->error, MACHINE_ERROR);
        if (status != 0)
            return status;
    }
    if (!model->sink)
        return open_lane(lane, chip);
    model->counters = run->counters;
    run->lane = lane;
    lane->account = run->account = &model->account;
    lane->path = run->path = &model->path;
    if (!model->kernel.run_ahead &&
        !(model->unit_events = unit_events_open(&model->kernel, &model->status, run->model.units,
                                                &mncore2_unit_events, run)))
        return -1;
    return account_init(run->account, chip->unit_count, model->sink) != 0 ||
                   open_lane(lane, chip) != 0 || open_path(run) != 0
               ? -1
               : 0;
}

void mncore2_lane_free(struct machine_model *model)
{
    struct lane *lane = (struct lane *)model;
    mncore2_model_free(&lane->chip);
    mncore2_mv_free(&lane->mv);
    for (size_t d = 0; d < lane->dar_count; d++)
        free(lane->dars[d]);
    free(lane->dars);
    mncore2_hold_free(lane->hold);
    mncore2_hazard_window_free(lane->window);
    mncore2_hazard_free(lane->hazard);
    free(lane->profiles);
}

void mncore2_lane_arrivals(const struct lane *lane)
{
    for (uint32_t t = 0; lane->arrivals && t < lane->mv.count; t++)
        if (lane->mv.transfers[t].state >= MV_SENT)
            lane->arrivals->finished[lane->mv.transfers[t].item] = lane->mv.transfers[t].finished;
}

void mncore2_lane_settle(struct lane *lane)
{
    const uint64_t until = lane->now > lane->base.kernel.now ? lane->now : lane->base.kernel.now;
    lane->waiter.tag = 0;
    lane->waiter.transfer = MV_NONE;
    kernel_wake(&lane->base.kernel, &lane->stream, until, PHASE_ISSUE, "stop");
    kernel_run_until(&lane->base.kernel, until);
    kernel_sleep(&lane->base.kernel, &lane->stream);
    if (lane->base.unit_events)
        unit_events_stop(lane->base.unit_events);
}

struct memory *mncore2_lane_memory(struct machine_model *model)
{
    return &((struct lane *)model)->mv.dram;
}

uint64_t mncore2_lane_total(const struct machine_model *model)
{
    const struct lane *lane = (const struct lane *)model;
    uint64_t total = lane->now > lane->mv.finished_last ? lane->now : lane->mv.finished_last;
    if (lane->landed > total)
        total = lane->landed;
    if (model->options.alone && mncore2_mv_least(&lane->mv) > total)
        total = mncore2_mv_least(&lane->mv);
    return total;
}
