#include "tests/brute/brute_model.h"

#include <stdlib.h>
#include <string.h>

#include "tests/brute/brute_state.h"

/* --- the stream (README 1) -------------------------------------------------------------------- */

/* The stream stands still for a step: four cycles go by. */
static void step_passes(struct brute *brute)
{
    for (int i = 0; i < 4; i++) {
        brute_transfer_cycle(brute, brute->now);
        brute->now++;
        brute->level += brute->numbers.supply;
        if (brute->level > brute->numbers.buffer)
            brute->level = brute->numbers.buffer;
    }
}

static void close_unit(struct brute *brute)
{
    for (uint64_t i = 0; i < brute->numbers.slot_steps[brute->slots == 2]; i++) {
        step_passes(brute);
        brute->result->nops_packing++;
    }
    brute->used = 0;
}

static void open_unit(struct brute *brute)
{
    if (!brute->numbers.supply)
        return;
    while (brute->level < brute->numbers.unit) {
        step_passes(brute);
        brute->result->nops_empty++;
    }
    brute->level -= brute->numbers.unit;
}

/* A PE slot for the next step. */
static void take_slot(struct brute *brute)
{
    if (!brute->slots)
        return;
    if (brute->used == brute->slots)
        close_unit(brute);
    if (brute->used == 0)
        open_unit(brute);
    brute->used++;
}

static void packing_nops(struct brute *brute)
{
    for (; brute->used < brute->slots; brute->used++) {
        step_passes(brute);
        brute->result->nops_packing++;
    }
}

static void wait_for(struct brute *brute, unsigned tag)
{
    for (;;) {
        bool all = true;
        for (size_t i = 0; i < brute->transfer_count; i++) {
            const struct transfer *transfer = &brute->transfers[i];
            if (transfer->mv->tag == tag && transfer->tag_open)
                all &= transfer->done == transfer->operations && transfer->finished <= brute->now;
        }
        if (all)
            break;
        step_passes(brute);
        brute->result->nops_wait++;
    }
    for (size_t i = 0; i < brute->transfer_count; i++)
        if (brute->transfers[i].mv->tag == tag)
            brute->transfers[i].tag_open = false;
}

static void do_step(struct brute *brute, const struct step *step, uint32_t line)
{
    const uint64_t count = step->nops ? step->nops : 1;
    for (uint64_t i = 0; i < count; i++) {
        take_slot(brute);
        if (i == 0 && step->wait)
            wait_for(brute, step->wait);
        if (!step->nops) {
            while (brute->options->interlock &&
                   !brute_hazard_step_legal(brute->hazard, step, (int64_t)brute->now)) {
                step_passes(brute);
                brute->result->nops_hazard++;
            }
            brute_hazard_issue(brute->hazard, step, (int64_t)brute->now);
            brute->line = line;
            brute->statement++;
            brute_step_busy(brute, step);
        } else {
            brute->result->nops_written++;
        }
        step_passes(brute);
    }
}

static void do_mv(struct brute *brute, const struct stmt *stmt, uint32_t line)
{
    if (brute->slots) {
        if (brute->used == 0)
            open_unit(brute);
        packing_nops(brute);
    }
    if (stmt->kind == STMT_MV) {
        while (brute->options->interlock &&
               !brute_hazard_mv_legal(brute->hazard, stmt->mv, (int64_t)brute->now)) {
            step_passes(brute);
            brute->result->nops_hazard++;
        }
        brute_transfer_issue(brute, stmt->mv, line);
    }
    if (brute->slots)
        close_unit(brute);
}

static bool running(const struct brute *brute)
{
    for (size_t i = 0; i < brute->transfer_count; i++)
        if (brute->transfers[i].done < brute->transfers[i].operations)
            return true;
    return false;
}

static void run(struct brute *brute, struct diag_list *diags)
{
    for (size_t i = 0; i < brute->program->item_count && !brute->failed; i++) {
        const struct item *item = &brute->program->items[i];
        const struct stmt *stmt = &brute->program->stmts[item->stmt];
        if (stmt->kind == STMT_STEP)
            do_step(brute, stmt->step, item->line);
        else if (stmt->kind == STMT_MV || stmt->kind == STMT_MVNOP)
            do_mv(brute, stmt, item->line);
        else if (stmt->kind == STMT_SET && stmt->debug->mem == MEM_OMR)
            brute_hazard_set_mask(brute->hazard);
        if (brute->exec && mncore2_exec_item(brute->exec, brute->program, i, diags) != 0)
            brute->failed = true;
    }
    if (brute->used) {
        packing_nops(brute);
        close_unit(brute);
    }
    uint64_t t = brute->now;
    for (; running(brute) && !brute->failed; t++)
        brute_transfer_cycle(brute, t);
    uint64_t total = brute_greatest(brute->now, brute->landed_all);
    for (size_t i = 0; i < brute->transfer_count; i++)
        total = brute_greatest(total, brute->transfers[i].finished);
    for (; t < total && !brute->failed; t++) /* writes that still wait in the channels */
        brute_transfer_cycle(brute, t);
    brute->result->cycles = total;
}

/* --- results ---------------------------------------------------------------------------------- */

static int results(struct brute *brute)
{
    struct brute_result *result = brute->result;
    result->transfers = calloc(brute->transfer_count + 1, sizeof *result->transfers);
    if (!result->transfers)
        return -1;
    result->transfer_count = brute->transfer_count;
    for (size_t i = 0; i < brute->transfer_count; i++) {
        const struct transfer *transfer = &brute->transfers[i];
        result->transfers[i] = (struct brute_transfer){transfer->line, transfer->issued,
                                                       transfer->started, transfer->finished};
    }
    for (size_t u = 0; u < result->unit_count; u++) {
        struct brute_unit *unit = &result->units[u];
        for (size_t t = 0; t < unit->size && t < result->cycles; t++)
            unit->busy += unit->marks[t];
    }
    return 0;
}

static bool make(struct brute *brute)
{
    char error[256];
    brute->hazard = brute_hazard_new();
    brute->transfers = calloc(brute->program->item_count + 1, sizeof *brute->transfers);
    if (!brute->hazard || !brute->transfers || brute->numbers.channels > CHANNELS_MAX ||
        brute->numbers.banks > BANKS_MAX)
        return false;
    for (int g = 0; g < 4; g++) {
        brute->channels[g] = calloc(brute->numbers.channels, sizeof *brute->channels[g]);
        if (!brute->channels[g])
            return false;
    }
    if (brute->options->values) {
        const struct exec_options options = {.threads = 1};
        brute->exec = mncore2_exec_new(&options, error, sizeof error);
        return brute->exec != NULL;
    }
    return true;
}

int brute_run(const struct program *program, const struct config *config,
              const struct brute_options *options, struct brute_result *result)
{
    memset(result, 0, sizeof *result);
    struct brute brute = {
        .program = program, .options = options, .result = result, .config = config};
    brute_numbers_read(config, options->documented, &brute.numbers);
    brute.level = brute.numbers.buffer;
    brute.slots = strcmp(options->packing, "auto") == 0   ? 3
                  : strcmp(options->packing, "flat") == 0 ? 2
                                                          : 0;
    struct diag_list diags;
    diag_list_init(&diags);
    int status = -1;
    if (make(&brute)) {
        run(&brute, &diags);
        if (!brute.failed)
            status = results(&brute);
    }
    for (size_t i = 0; i < brute.transfer_count; i++) {
        free(brute.transfers[i].data);
        free(brute.transfers[i].missing);
        for (int g = 0; g < 4; g++)
            free(brute.transfers[i].addresses[g]);
    }
    for (int g = 0; g < 4; g++) {
        for (uint64_t c = 0; brute.channels[g] && c < brute.numbers.channels; c++)
            free(brute.channels[g][c].list);
        free(brute.channels[g]);
    }
    free(brute.transfers);
    free(brute.old);
    brute_hazard_free(brute.hazard);
    if (brute.exec)
        mncore2_exec_free(brute.exec);
    diag_list_free(&diags);
    return status;
}

void brute_result_free(struct brute_result *result)
{
    for (size_t u = 0; u < result->unit_count; u++)
        free(result->units[u].marks);
    free(result->transfers);
    free(result->accesses);
    memset(result, 0, sizeof *result);
}

uint64_t brute_busy(const struct brute_result *result, const char *name)
{
    for (size_t u = 0; u < result->unit_count; u++)
        if (strcmp(result->units[u].name, name) == 0)
            return result->units[u].busy;
    return 0;
}
