/* lane: one kernel with its stream and transfers is opened, run and closed. */
#include "timing/mncore2/run.h"

#include <stdlib.h>

int mncore2_lane_open(struct lane *lane, struct machine_run *run, const struct model *model,
                      bool documented)
{
    const struct program *program = run->program;
    size_t transfers = 0;
    for (size_t i = 0; i < program->item_count; i++)
        transfers += program->stmts[program->items[i].stmt].kind == STMT_MV;
    lane->stream = mncore2_issue_process();
    lane->run = run;
    lane->numbers = documented ? &model->documented : &model->estimate;
    lane->packer = mncore2_packer_start(run->packing);
    lane->slot_cycles = lane->numbers->slot_cycles[run->packing];
    lane->l2bm_lands = documented ? 0 : run->landing[KIND_L2BM_STORE];
    lane->plain = run->packing == PACKING_NONE || (!lane->numbers->supply && !lane->slot_cycles);
    lane->tokens = lane->numbers->buffer_bytes;
    lane->waiter = (struct mv_waiter){.stream = &lane->stream, .now = &lane->now};
    if (kernel_init(&lane->kernel, transfers + 3, !run->options.no_run_ahead) != 0)
        return -1;
    if (run->interlock) {
        lane->hazard = mncore2_hazard_new(model->config, documented);
        lane->window = lane->hazard ? mncore2_hazard_window_new(lane->hazard) : NULL;
        lane->profiles = calloc(program->stmt_count + 1, sizeof *lane->profiles);
        lane->hazard_shapes = calloc((size_t)program->shape_count + 1, sizeof *lane->hazard_shapes);
        if (!lane->window || !lane->profiles || !lane->hazard_shapes)
            return -1;
    }
    const struct mv_config config = {.kernel = &lane->kernel,
                                     .program = program,
                                     .model = model,
                                     .numbers = lane->numbers,
                                     .account = lane->account,
                                     .path = lane->path,
                                     .waiter = &lane->waiter,
                                     .capacity = transfers};
    if (mncore2_mv_init(&lane->mv, &config) != 0)
        return -1;
    kernel_wake(&lane->kernel, &lane->stream, 0, PHASE_ISSUE, "begin");
    return 0;
}

void mncore2_lane_free(struct lane *lane)
{
    if (!lane->run)
        return;
    mncore2_mv_free(&lane->mv);
    for (size_t d = 0; d < lane->dar_count; d++)
        free(lane->dars[d]);
    free(lane->dars);
    mncore2_hazard_window_free(lane->window);
    mncore2_hazard_free(lane->hazard);
    free(lane->profiles);
    free(lane->hazard_shapes);
    kernel_free(&lane->kernel);
}

enum run_status mncore2_lane_advance(struct lane *lane, uint64_t budget, struct diag_list *diags)
{
    lane->diags = diags;
    const bool more = kernel_run(&lane->kernel, budget);
    if (lane->kernel.broken) {
        snprintf(lane->run->error, MACHINE_ERROR,
                 "broken invariant of the model: %s (cycle %llu, statement %zu)",
                 lane->kernel.broken, (unsigned long long)lane->kernel.now, lane->next_item);
        return RUN_FAILED;
    }
    if (lane->status != RUN_MORE)
        return lane->status;
    return more ? RUN_MORE : RUN_DONE;
}

void mncore2_lane_settle(struct lane *lane)
{
    const uint64_t until = lane->now > lane->kernel.now ? lane->now : lane->kernel.now;
    lane->waiter.tag = 0;
    kernel_wake(&lane->kernel, &lane->stream, until, PHASE_ISSUE, "stop");
    kernel_run_until(&lane->kernel, until);
    kernel_sleep(&lane->kernel, &lane->stream);
}

uint64_t mncore2_lane_total(const struct lane *lane)
{
    return lane->now > lane->mv.finished_last ? lane->now : lane->mv.finished_last;
}
