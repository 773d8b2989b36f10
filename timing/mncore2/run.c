/* run: the instruction stream in time: packing, supply, waits and stalls. */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

static uint64_t boundary(uint64_t cycle)
{
    return (cycle + CYCLES - 1) / CYCLES * CYCLES;
}

/* --- lanes ------------------------------------------------------------------------------------------- */

static void pass(struct machine_run *run, unsigned l, enum reason reason, uint32_t item,
                 uint64_t cycles)
{
    struct lane *lane = &run->lanes[l];
    if (l == 0 && cycles)
        occupy_idle(run, reason, item, lane->now, lane->now + cycles);
    lane->now += cycles;
}

void run_stall(struct machine_run *run, const struct stall *stall)
{
    if (run->logging)
        skip_log_stall(run, stall);
    struct stall *last = run->stall_count ? &run->stalls[run->stall_count - 1] : NULL;
    if (stall->reason == REASON_EMPTY && last && last->reason == REASON_EMPTY) {
        last->end = stall->end;
        return;
    }
    if (run->stall_count == run->stall_capacity) {
        const size_t capacity = run->stall_capacity ? 2 * run->stall_capacity : 64;
        struct stall *stalls = realloc(run->stalls, capacity * sizeof *stalls);
        if (!stalls) {
            run->account.status = -1;
            return;
        }
        run->stalls = stalls;
        run->stall_capacity = capacity;
    }
    run->stalls[run->stall_count++] = *stall;
}

void run_edge(struct machine_run *run, const struct sink_edge *edge)
{
    const struct sink *sink = run->sink;
    if (run->logging)
        skip_log_edge(run, edge);
    if (sink->ops->edge && run->account.status == 0)
        run->account.status = sink->ops->edge(sink->self, edge);
}

/* A unit leaves the instruction buffer `passed` cycles after the one before it, which left `tokens`.
 * Returns what it leaves there; *wait: whole steps until all of it has arrived. */
static uint64_t draw_unit(const struct numbers *n, uint64_t tokens, uint64_t passed, uint64_t *wait)
{
    uint64_t level = n->buffer_bytes;
    if (passed <= n->buffer_bytes / n->supply && tokens + passed * n->supply < level)
        level = tokens + passed * n->supply;
    *wait = 0;
    if (level < n->unit_bytes) {
        *wait = boundary((n->unit_bytes - level + n->supply - 1) / n->supply);
        level += *wait * n->supply;
        if (level > n->buffer_bytes)
            level = n->buffer_bytes;
    }
    return level - n->unit_bytes;
}

/* Units of lane 0 that waited for the supply: `waits` times, `waited` cycles in all, the first time
 * from `first` to `first_end`, the last time to `last_end`. */
struct starved {
    uint64_t waits, waited, first, first_end, last_end;
};

static void tell_starved(struct machine_run *run, uint32_t item, const struct starved *s)
{
    const uint64_t once = s->first_end - s->first;
    const struct stall stall = {s->first, s->last_end, item, MV_NONE, MV_NONE, REASON_EMPTY};
    run_stall(run, &stall);
    run->nops_empty += s->waited / CYCLES;
    run->lag += s->waited;
    struct sink_edge edge = {.src = NONE_ID,
                             .dst = item,
                             .kind = EDGE_SUPPLY,
                             .unit = UNIT_ISSUE,
                             .rule = "supply_bytes",
                             .released = s->first_end,
                             .at = s->first_end,
                             .waited = once,
                             .times = 1};
    run_edge(run, &edge);
    if (s->waits == 1)
        return;
    edge.released = edge.at = s->last_end;
    edge.waited = s->waited - once;
    edge.times = s->waits - 1;
    run_edge(run, &edge);
}

/* A unit of the packed stream leaves the instruction buffer when its first slot issues. */
static void supply(struct machine_run *run, unsigned l, uint32_t item)
{
    struct lane *lane = &run->lanes[l];
    if (!lane->numbers->supply)
        return;
    uint64_t wait;
    lane->tokens = draw_unit(lane->numbers, lane->tokens, lane->now - lane->told, &wait);
    if (wait) {
        const uint64_t start = lane->now;
        pass(run, l, REASON_EMPTY, item, wait);
        if (l == 0)
            tell_starved(run, item, &(struct starved){1, wait, start, lane->now, lane->now});
    }
    lane->told = lane->now;
}

/* The MV slot of a unit that has closed. */
static void mv_slot(struct machine_run *run, uint32_t item)
{
    for (unsigned l = 0; l < run->lane_count; l++)
        pass(run, l, REASON_PACKING, item, run->lanes[l].numbers->mv_slot_cycles);
    run->slot_cycles += run->lanes[0].numbers->mv_slot_cycles;
}

/* `count` PE slots are filled; time passes only for what the packed stream itself costs. */
static void fill_slot(struct machine_run *run, uint32_t item)
{
    const bool closes = run->packer.used == run->packer.slots;
    const bool opens = packer_steps(&run->packer, 1) > 0;
    if (run->plain || !opens)
        return;
    if (closes)
        mv_slot(run, item);
    for (unsigned l = 0; l < run->lane_count; l++)
        supply(run, l, item);
}

static void send_nops(struct machine_run *run, enum reason reason, uint32_t item, uint64_t count)
{
    for (unsigned l = 0; l < run->lane_count; l++)
        pass(run, l, reason, item, count * CYCLES);
}

/* --- long runs of nops ------------------------------------------------------------------------------- */

/* What the buffer of one lane does while `units` units leave it, `sent` cycles each and the slot of
 * the one before in front of it. Units that wait for nothing, and states that recur, are multiplied;
 * the search for the latter is Brent's. */
static struct starved draw_units(struct lane *lane, uint64_t units, uint64_t sent)
{
    const struct numbers *n = lane->numbers;
    const uint64_t slot = n->mv_slot_cycles, fixed = slot + sent;
    struct starved sum = {0};
    uint64_t tokens = lane->tokens, passed = lane->now + slot - lane->told;
    uint64_t saved = UINT64_MAX, saved_done = 0, power = 1, steps = 0;
    struct starved saved_sum = sum;
    for (uint64_t done = 0; done < units;) {
        const uint64_t before = tokens;
        uint64_t wait, count = 0;
        tokens = draw_unit(n, tokens, passed, &wait);
        done++;
        if (wait) {
            const uint64_t start = lane->now + done * fixed - sent + sum.waited;
            if (!sum.waits) {
                sum.first = start;
                sum.first_end = start + wait;
            }
            sum.waits++;
            sum.waited += wait;
            sum.last_end = start + wait;
        } else if (passed == fixed && tokens < before) { /* so it goes on until it is empty */
            count = tokens / (before - tokens);
            count = count < units - done ? count : units - done;
            tokens -= count * (before - tokens);
        } else if (passed == fixed && tokens > before) { /* until it is full */
            count = (n->buffer_bytes - n->unit_bytes - tokens) / (tokens - before);
            count = count < units - done ? count : units - done;
            tokens += count * (tokens - before);
        }
        done += count;
        passed = fixed;
        if (tokens == saved) {
            const uint64_t period = done - saved_done, turns = (units - done) / period;
            const uint64_t waited = sum.waited - saved_sum.waited;
            sum.waits += turns * (sum.waits - saved_sum.waits);
            sum.waited += turns * waited;
            if (waited)
                sum.last_end += turns * (period * fixed + waited);
            done += turns * period;
            saved = UINT64_MAX; /* less than a period is left */
            power = UINT64_MAX;
        } else if (++steps == power) {
            saved = tokens;
            saved_done = done;
            saved_sum = sum;
            power *= 2;
            steps = 0;
        }
    }
    lane->tokens = tokens;
    return sum;
}

/* Units that hold nops of one nop/n alone: what fill_slot and send_nops would do for each of them. */
static void send_units(struct machine_run *run, uint32_t item, uint64_t units)
{
    const uint64_t slots = run->packer.slots, sent = slots * CYCLES;
    for (unsigned l = 0; l < run->lane_count; l++) {
        struct lane *lane = &run->lanes[l];
        const uint64_t slot = lane->numbers->mv_slot_cycles;
        struct starved starved = {0};
        if (lane->numbers->supply)
            starved = draw_units(lane, units, sent);
        lane->now += units * (slot + sent) + starved.waited;
        lane->told = lane->now - sent;
        if (l != 0)
            continue;
        uint64_t *cycles = run->account.cycles[UNIT_ISSUE], *events = run->account.events[UNIT_ISSUE];
        cycles[REASON_NOP] += units * sent;
        events[REASON_NOP] += units * slots;
        cycles[REASON_PACKING] += units * slot;
        events[REASON_PACKING] += slot ? units : 0;
        run->slot_cycles += units * slot;
        cycles[REASON_EMPTY] += starved.waited;
        events[REASON_EMPTY] += starved.waits;
        if (starved.waits)
            tell_starved(run, item, &starved);
    }
}

/* Nobody is to be told of each interval, and no write is on its way any more. */
static bool units_alike(const struct machine_run *run)
{
    if (run->account.sink || run->packer.used != run->packer.slots)
        return false;
    const struct lane *lane = &run->lanes[0];
    return !run->recent_count || run->recent[(run->recent_count - 1) % RECENT].at +
                                         lane->numbers->write_latency + CYCLES <=
                                     lane->now;
}

/* Some of what is left of a nop/n, of which the first has been sent; each costs one of the budget. */
static void go_on_with_nops(struct machine_run *run, uint32_t item, uint64_t *budget)
{
    for (; *budget && run->nops_left && run->account.status == 0; --*budget) {
        const uint64_t units = units_alike(run) ? run->nops_left / run->packer.slots : 0;
        if (units) {
            send_units(run, item, units);
            run->nops_left -= units * run->packer.slots;
        } else {
            fill_slot(run, item);
            send_nops(run, REASON_NOP, item, 1);
            run->nops_left--;
        }
    }
}

/* --- waits ------------------------------------------------------------------------------------------- */

/* Contention and waits make lane 0 fall behind the path on which every transfer runs alone. */
static void path_wait(struct machine_run *run, unsigned tag)
{
    const uint64_t released = boundary(run->path_tag[tag]);
    const uint64_t now = run->lanes[0].now;
    run->path_tag[tag] = 0;
    if (released > now - run->lag)
        run->lag = now - released;
}

static void wait_for_tag(struct machine_run *run, unsigned tag, uint32_t item)
{
    for (unsigned l = 0; l < run->lane_count; l++) {
        struct lane *lane = &run->lanes[l];
        const uint32_t head = lane->mv.by_tag[tag];
        uint32_t binding;
        const uint64_t notice = mv_wait(&lane->mv, tag, &binding);
        const uint64_t start = lane->now;
        const uint64_t end = notice > start ? boundary(notice) : start;
        pass(run, l, REASON_TAG, item, end - start);
        if (l != 0 || binding == MV_NONE)
            continue;
        struct transfer *transfer = &lane->mv.transfers[binding];
        run->nops_wait += (end - start) / CYCLES;
        run->nops_tag[tag] += (end - start) / CYCLES;
        run->lag += end - start;
        transfer->waited += end - start;
        if (end > start)
            transfer->waited_by = item;
        const struct stall stall = {start, end, item, head, binding, REASON_TAG};
        run_stall(run, &stall);
        const struct sink_edge edge = {transfer->item, item, EDGE_TAG, UNIT_ISSUE, "3.6.13",
                                       notice,         end,  end - start, 1};
        run_edge(run, &edge);
    }
    path_wait(run, tag);
}

/* What producer and consumer of a hazard share. */
static uint32_t hazard_place(enum hazard_row row)
{
    switch (hazard_rules[row].consumer) {
    case KIND_L2BM_STORE:
    case KIND_L2BM_LOAD:
    case KIND_L2BM_DARS:
    case KIND_L2BM_MV: return UNIT_L2BM0_PE;
    case KIND_L1BM_LOAD:
    case KIND_L1BM_MULTICAST:
    case KIND_L1BM_STORE: return UNIT_L1BM0;
    case KIND_PE_STORE:
    case KIND_PE_LOAD: return UNIT_L1BM_PE;
    case KIND_LM0_WRITE:
    case KIND_LM0_READ:
    case KIND_BAR0_WRITE:
    case KIND_LM0_ACCESS: return UNIT_LM0;
    case KIND_LM1_WRITE:
    case KIND_LM1_READ:
    case KIND_BAR1_WRITE:
    case KIND_LM1_ACCESS: return UNIT_LM1;
    case KIND_GRF0_WRITE:
    case KIND_GRF0_READ: return UNIT_GRF0R;
    case KIND_GRF1_WRITE:
    case KIND_GRF1_READ: return UNIT_GRF1R;
    case KIND_T_WRITE:
    case KIND_T_READ: return UNIT_TR;
    case KIND_X_WRITE:
    case KIND_X_PRODUCT:
    case KIND_X_TRANSPOSED: return UNIT_MATX;
    case KIND_Y_WRITE:
    case KIND_Y_PRODUCT:
    case KIND_Y_TRANSPOSED: return UNIT_MATY;
    case KIND_MASK_WRITE:
    case KIND_MASK_READ:
    case KIND_COUNT: break;
    }
    return NONE_ID;
}

/* With --interlock: the statement stalls until every rule of 3.6.3 lets it issue. */
static void interlock(struct machine_run *run, uint32_t index, uint32_t item)
{
    for (unsigned l = 0; l < run->lane_count; l++) {
        struct lane *lane = &run->lanes[l];
        if (!lane->window)
            continue;
        const struct hazard_profile *profile = run->profiles[l][index];
        struct hazard_finding why;
        const uint64_t start = lane->now;
        const uint64_t end = boundary(hazard_earliest(lane->window, profile, start, &why));
        if (end > start) {
            const enum reason reason = hazard_rules[why.row].overlap == OVERLAP_ADDRESS
                                           ? REASON_DATA
                                           : REASON_PORT;
            pass(run, l, reason, item, end - start);
            if (l == 0) {
                const struct stall stall = {start, end, item, MV_NONE, MV_NONE, reason};
                run_stall(run, &stall);
                run->stalled += (end - start) / CYCLES;
                run->lag += end - start;
                const struct sink_edge edge = {(uint32_t)why.producer,
                                               item,
                                               reason == REASON_DATA ? EDGE_DATA : EDGE_PORT,
                                               hazard_place(why.row),
                                               hazard_rules[why.row].section,
                                               why.earliest,
                                               end,
                                               end - start,
                                               1};
                run_edge(run, &edge);
            }
        }
        hazard_issue(lane->window, profile, lane->now, item);
    }
}

/* --- statements -------------------------------------------------------------------------------------- */

static void run_step(struct machine_run *run, uint32_t index, uint32_t item)
{
    const struct stmt_class *class = &run->classes[index];
    fill_slot(run, item);
    if (class->wait)
        wait_for_tag(run, class->wait, item);
    if (class->nops) {
        run->nops_written += class->nops;
        run->classes[index].execs++;
        if (run->plain) {
            packer_steps(&run->packer, class->nops - 1);
            send_nops(run, REASON_NOP, item, class->nops);
        } else {
            send_nops(run, REASON_NOP, item, 1);
            run->nops_left = class->nops - 1; /* run_items goes on with them */
        }
        return;
    }
    interlock(run, index, item);
    occupy_step(run, index, item, run->lanes[0].now);
    for (unsigned l = 0; l < run->lane_count; l++)
        run->lanes[l].now += CYCLES;
}

static bool indirect(const struct mv *mv)
{
    return mv->from.indirect || mv->to.indirect;
}

/* The contents of all DAR as they are now; one snapshot serves until the DAR change. */
static const uint32_t *dar_contents(struct machine_run *run)
{
    if (!run->exec || !run->dar_changed)
        return run->dar_count ? run->dars[run->dar_count - 1] : NULL;
    if (run->dar_count == run->dar_capacity) {
        const size_t capacity = run->dar_capacity ? 2 * run->dar_capacity : 16;
        uint32_t **dars = realloc(run->dars, capacity * sizeof *dars);
        if (!dars)
            return NULL;
        run->dars = dars;
        run->dar_capacity = capacity;
    }
    uint32_t *dar = malloc(GROUPS * DAR_ENTRIES * sizeof *dar);
    uint64_t *addresses = malloc(DAR_ENTRIES * sizeof *addresses);
    if (dar && addresses) {
        /* One access for each entry: the address is what the entry holds. */
        const struct mv whole = {.mode = MV_D_P,
                                 .nd = 1,
                                 .from = {.mem = MEM_DRAM, .group = -1, .indirect = true}};
        for (unsigned g = 0; g < GROUPS; g++) {
            exec_dar_addresses(run->exec, &whole, g, DAR_ENTRIES, addresses);
            for (unsigned i = 0; i < DAR_ENTRIES; i++)
                dar[g * DAR_ENTRIES + i] = (uint32_t)addresses[i];
        }
        run->dars[run->dar_count++] = dar;
        run->dar_changed = false;
    } else {
        free(dar);
        dar = NULL;
    }
    free(addresses);
    return dar;
}

static int run_mv(struct machine_run *run, uint32_t index, uint32_t item)
{
    const struct mv *mv = run->program->stmts[index].mv;
    const uint32_t *dar = NULL;
    if (indirect(mv) && !(dar = dar_contents(run)))
        return -1;
    interlock(run, index, item);
    for (unsigned l = 0; l < run->lane_count; l++)
        if (mv_issue(&run->lanes[l].mv, mv, item, run->lanes[l].now, dar) != 0)
            return -1;
    const struct lane *lane = &run->lanes[0];
    if (lane->mv.count >= run->tell_at && report_ahead(run) != 0)
        return -1;
    const struct plan *plan = &lane->mv.transfers[lane->mv.count - 1].plan;
    const uint64_t alone = lane->now - run->lag + lane->numbers->start + plan->ops * plan->pace +
                           lane->numbers->notice;
    if (alone > run->path_tag[mv->tag])
        run->path_tag[mv->tag] = alone;
    if (alone > run->path_last)
        run->path_last = alone;
    return 0;
}

/* An MV statement or a written mvnop: the nops before it, the slot, and what follows. */
static int run_mv_slot(struct machine_run *run, uint32_t index, uint32_t item)
{
    run->mv_statements++; /* mvnop is an MV statement that does nothing (3.5.8.1) */
    if (run->packer.slots) {
        if (!run->plain && run->packer.used == 0)
            for (unsigned l = 0; l < run->lane_count; l++)
                supply(run, l, item);
        const unsigned nops = packer_mv(&run->packer);
        if (nops)
            send_nops(run, REASON_PACKING, item, nops);
        run->nops_packing += nops;
    }
    if (run->classes[index].kind == STMT_MV && run_mv(run, index, item) != 0)
        return -1;
    if (run->packer.slots && !run->plain)
        mv_slot(run, item);
    return 0;
}

void run_end(struct machine_run *run)
{
    const uint32_t item =
        run->program->item_count ? (uint32_t)run->program->item_count - 1 : NONE_ID;
    const bool open = run->packer.used != 0;
    const unsigned nops = packer_end(&run->packer);
    if (nops)
        send_nops(run, REASON_PACKING, item, nops);
    run->nops_packing += nops;
    if (open && !run->plain)
        mv_slot(run, item);
    for (unsigned l = 0; l < run->lane_count; l++)
        mv_drain(&run->lanes[l].mv);
    run->ended = true;
}

/* --- items ------------------------------------------------------------------------------------------- */

static enum run_status run_values(struct machine_run *run, size_t item, struct diag_list *diags)
{
    const struct stmt *stmt = &run->program->stmts[run->program->items[item].stmt];
    const int status = exec_item(run->exec, run->program, item, diags);
    if (status != 0)
        return status > 0 ? RUN_FAULT : RUN_FAILED;
    if (stmt->kind == STMT_STEP ? stmt->step->darw
                                : stmt->kind == STMT_SET && stmt->debug->mem == MEM_DAR)
        run->dar_changed = true;
    if (stmt->kind == STMT_SET && stmt->debug->mem == MEM_OMR)
        for (unsigned l = 0; l < run->lane_count; l++)
            if (run->lanes[l].window)
                hazard_forget_mask(run->lanes[l].window, 0);
    return RUN_MORE;
}

static enum run_status run_time(struct machine_run *run, uint32_t index, uint32_t item)
{
    struct stmt_class *class = &run->classes[index];
    if (!class->known && class_learn(run, index) != 0)
        return RUN_FAILED;
    class->last_item = item;
    switch ((enum stmt_kind)class->kind) {
    case STMT_STEP: run_step(run, index, item); break;
    case STMT_MV:
    case STMT_MVNOP:
        if (run_mv_slot(run, index, item) != 0)
            return RUN_FAILED;
        break;
    case STMT_GET:
    case STMT_SET:
    case STMT_PRESET: break; /* they cost no time */
    }
    return RUN_MORE;
}

static const char *broken(const struct machine_run *run)
{
    for (unsigned l = 0; l < run->lane_count; l++)
        if (run->lanes[l].mv.broken)
            return run->lanes[l].mv.broken;
    return NULL;
}

enum run_status run_items(struct machine_run *run, uint64_t budget, struct diag_list *diags)
{
    const struct program *program = run->program;
    enum run_status status = RUN_MORE;
    while (budget && status == RUN_MORE) {
        if (!run->nops_left) {
            if (run->next_item >= run->skip_from && run->next_item < program->item_count &&
                skip_here(run) != 0)
                return RUN_FAILED;
            if (run->next_item == program->item_count)
                break;
            budget--;
            if (!run->options.functional_only)
                status = run_time(run, program->items[run->next_item].stmt,
                                  (uint32_t)run->next_item);
        }
        if (run->nops_left)
            go_on_with_nops(run, (uint32_t)run->next_item, &budget);
        if (!run->nops_left) {
            if (status == RUN_MORE && run->exec)
                status = run_values(run, run->next_item, diags);
            run->next_item++;
        }
        if (run->account.status != 0)
            status = RUN_FAILED;
    }
    if (broken(run)) {
        snprintf(run->error, MACHINE_ERROR,
                 "broken invariant of the model: %s (cycle %llu, statement %zu)", broken(run),
                 (unsigned long long)run->lanes[0].now, run->next_item);
        return RUN_FAILED;
    }
    return status;
}
