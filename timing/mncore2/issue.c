/* issue: the instruction stream as a process: packing, supply, waits and stalls. */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

static uint64_t boundary(uint64_t cycle)
{
    return (cycle + CYCLES - 1) / CYCLES * CYCLES;
}

/* The stream does nothing of the program for some cycles. */
static void pass(struct lane *lane, uint32_t reason, uint64_t cycles)
{
    if (lane->account && cycles)
        mncore2_occupy_idle(lane->run, reason, (uint32_t)lane->next_item, lane->now,
                            lane->now + cycles);
    lane->now += cycles;
}

static void count(struct lane *lane, enum counter_mncore2 counter, uint64_t steps)
{
    if (lane->account)
        lane->run->counters[counter] += steps;
}

static void send_edge(struct lane *lane, const struct sink_edge *edge)
{
    const struct sink *sink = lane->base.sink;
    if (lane->account && sink->ops->edge && lane->account->status == 0)
        lane->account->status = sink->ops->edge(sink->context, edge);
}

/* A record of the next item, which stalled from `start` until now. */
static struct path_record record_of(const struct lane *lane, uint64_t start)
{
    return (struct path_record){.start = start,
                                .end = lane->now,
                                .released = lane->now,
                                .by = PATH_NONE,
                                .waited = PATH_NONE,
                                .landed = lane->landed,
                                .ordinal = lane->next_item,
                                .stmt = (uint32_t)lane->next_item};
}

static void add_record(struct lane *lane, const struct path_record *record)
{
    if (!lane->path)
        return;
    lane->starved = record->reason == REASON_EMPTY;
    path_issue(lane->path, record);
    if (lane->path->status != 0)
        lane->account->status = -1;
}

/* --- supply ----------------------------------------------------------------------------------- */

/* Whole steps until all of a unit has arrived in the buffer, from which it is taken then. */
static uint64_t draw_unit(struct lane *lane)
{
    const struct numbers *n = lane->numbers;
    const uint64_t passed = lane->now - lane->filled;
    uint64_t level = n->buffer_bytes, wait = 0;
    if (passed <= n->buffer_bytes / n->supply && lane->tokens + passed * n->supply < level)
        level = lane->tokens + passed * n->supply;
    if (level < n->unit_bytes) {
        wait = boundary((n->unit_bytes - level + n->supply - 1) / n->supply);
        level += wait * n->supply;
        if (level > n->buffer_bytes)
            level = n->buffer_bytes;
    }
    lane->tokens = level - n->unit_bytes;
    return wait;
}

/* A unit of the packed stream leaves the instruction buffer when its first slot issues. Stalls
 * without another stall or a wait between them are one. */
static void supply(struct lane *lane)
{
    if (!lane->numbers->supply)
        return;
    const uint64_t wait = draw_unit(lane), start = lane->now;
    pass(lane, REASON_EMPTY, wait);
    lane->filled = lane->now;
    if (!wait)
        return;
    count(lane, COUNTER_NOPS_EMPTY, wait / CYCLES);
    const uint64_t last = lane->run->stream.last;
    struct path_record record = record_of(lane, start);
    record.reason = REASON_EMPTY;
    if (lane->starved && path_at(lane->path, last)->reason == REASON_EMPTY)
        path_extend(lane->path, 0, lane->now);
    else
        add_record(lane, &record);
    const struct sink_edge edge = {.src = NONE_ID,
                                   .dst = record.stmt,
                                   .kind = EDGE_SUPPLY,
                                   .unit = UNIT_ISSUE,
                                   .rule = "supply_bytes",
                                   .released = lane->now,
                                   .at = lane->now,
                                   .waited = wait,
                                   .times = 1};
    send_edge(lane, &edge);
}

/* MV slots of units that have closed. */
static void count_slots(struct lane *lane, uint64_t units)
{
    struct mncore2_run *run = lane->run;
    if (lane->account)
        run->slot_cycles += units * lane->slot_cycles;
}

static void mv_slot(struct lane *lane)
{
    pass(lane, REASON_PACKING, lane->slot_cycles);
    count_slots(lane, 1);
}

/* A PE slot is filled; time passes only for what the packed stream itself costs. */
static void fill_slot(struct lane *lane)
{
    const bool closes = lane->packer.used == lane->packer.slots;
    const bool opens = mncore2_packer_steps(&lane->packer, 1) > 0;
    if (lane->plain || !opens)
        return;
    if (closes)
        mv_slot(lane);
    supply(lane);
}

/* --- waits ------------------------------------------------------------------------------------ */

/* All transfers that carry the tag are done. */
static void end_wait(struct lane *lane, unsigned tag)
{
    struct mv_engine *mv = &lane->mv;
    const uint32_t item = (uint32_t)lane->next_item, head = mv->by_tag[tag];
    const uint32_t binding = mncore2_mv_waited(mv, tag);
    lane->waiter.tag = 0;
    if (binding == MV_NONE)
        return;
    struct transfer *transfer = &mv->transfers[binding];
    const uint64_t start = lane->now, notice = transfer->finished;
    if (notice > start)
        pass(lane, REASON_TAG, boundary(notice) - start);
    if (!lane->account)
        return;
    const uint64_t stalled = lane->now - start;
    count(lane, COUNTER_NOPS_WAIT, stalled / CYCLES);
    lane->run->nops_tag[tag] += stalled / CYCLES;
    transfer->waited = stalled;
    if (stalled)
        transfer->waited_by = item;
    struct path_record record = record_of(lane, start);
    record.reason = REASON_TAG;
    record.tag = (uint8_t)tag;
    record.absorbs = true;
    record.by = transfer->record;
    record.released = notice;
    record.waited = mv->transfers[head].record;
    add_record(lane, &record);
    const struct sink_edge edge = {.src = transfer->item,
                                   .dst = item,
                                   .kind = EDGE_TAG,
                                   .unit = UNIT_ISSUE,
                                   .rule = "3.6.13",
                                   .released = notice,
                                   .at = lane->now,
                                   .waited = stalled,
                                   .times = 1};
    send_edge(lane, &edge);
    for (uint32_t t = head; t != MV_NONE && lane->account->status == 0; t = mv->transfers[t].older)
        lane->account->status = mncore2_report_transfer(lane->run, &mv->transfers[t]);
}

/* What producer and consumer of a hazard share. */
static uint32_t hazard_place(enum hazard_row row)
{
    static const uint8_t units[KIND_COUNT] = {
#define HAZARD_KIND(id, unit, phrase) [KIND_##id] = UNIT_##unit,
#include "timing/mncore2/hazard.def"
    };
    const uint8_t unit = units[mncore2_hazard_rules[row].consumer];
    return unit == UNIT_ISSUE ? NONE_ID : unit;
}

/* The next item could issue now. */
static void hold_back(struct lane *lane)
{
    const struct machine_delay *delay = lane->base.options.delay;
    if (delay && delay->stmt == lane->next_item && lane->base.turns++ == delay->turn)
        lane->now += delay->cycles;
}

/* With --interlock: the statement stalls until every rule of 3.6.3 lets it issue. Returns when it
 * began to stall, and why. */
static uint64_t interlock(struct lane *lane, uint32_t index, uint32_t *reason)
{
    const uint64_t start = lane->now;
    const uint32_t item = (uint32_t)lane->next_item;
    if (!lane->window) {
        hold_back(lane);
        return start;
    }
    struct hazard_finding why;
    const struct hazard_profile *profile = lane->profiles[index];
    const uint64_t end = boundary(mncore2_hazard_earliest(lane->window, profile, start, &why));
    if (end > start) {
        *reason =
            mncore2_hazard_rules[why.row].overlap == OVERLAP_ADDRESS ? REASON_DATA : REASON_PORT;
        pass(lane, *reason, end - start);
        if (lane->account)
            lane->run->stalled += (end - start) / CYCLES;
        const struct sink_edge edge = {.src = (uint32_t)why.producer,
                                       .dst = item,
                                       .kind = *reason == REASON_DATA ? EDGE_DATA : EDGE_PORT,
                                       .unit = hazard_place(why.row),
                                       .rule = mncore2_hazard_rules[why.row].section,
                                       .released = why.earliest,
                                       .at = end,
                                       .waited = end - start,
                                       .times = 1};
        send_edge(lane, &edge);
    }
    hold_back(lane);
    mncore2_hazard_issue(lane->window, profile, lane->now, item);
    return start;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The first nop of a nop/n, or all of them where no unit costs anything. */
static void begin_nops(struct lane *lane, const struct stmt_class *class)
{
    const uint32_t nops = class->nops - (lane->cut ? lane->cut[lane->next_item] : 0);
    count(lane, COUNTER_NOPS_WRITTEN, nops);
    if (lane->plain) {
        mncore2_packer_steps(&lane->packer, nops - 1);
        pass(lane, REASON_NOP, nops * (uint64_t)CYCLES);
        lane->stage = STAGE_VALUES;
    } else {
        pass(lane, REASON_NOP, CYCLES);
        lane->nops_left = nops - 1;
        lane->stage = STAGE_NOPS;
    }
}

/* The program does not end before the last write of this step has landed. */
static void note_landing(struct lane *lane, const struct stmt_class *class)
{
    const unsigned documented = lane->base.options.documented;
    const uint64_t end = lane->now + class->lands[documented];
    if (!class->lands[documented] || end <= lane->landed)
        return;
    lane->landed = end;
    lane->landed_item = lane->next_item;
    lane->landed_on = class->lands_on[documented];
    lane->landed_from = lane->now + CYCLES;
}

/* The wait, if any, is over. */
static void issue_step(struct lane *lane, uint32_t index)
{
    struct mncore2_run *run = lane->run;
    const struct stmt_class *class = &run->classes[index];
    if (class->wait)
        end_wait(lane, class->wait);
    if (class->nops) {
        if (lane->account)
            run->classes[index].execs++;
        hold_back(lane);
        begin_nops(lane, class);
        return;
    }
    uint32_t reason = 0;
    struct path_record record = record_of(lane, interlock(lane, index, &reason));
    if (record.start < lane->now) {
        record.end = record.released = lane->now;
        record.reason = (uint8_t)reason;
        add_record(lane, &record);
    }
    if (lane->arrivals)
        lane->arrivals->at[lane->next_item] = lane->now;
    if (lane->account)
        mncore2_occupy_step(run, index, (uint32_t)lane->next_item, lane->now);
    if (class->meets_later[MEETING_L2BM])
        mncore2_landed_note(lane, index);
    note_landing(lane, class);
    if (class->darw)
        lane->darw_at[lane->darw_count++ % DAR_RECENT] = lane->now;
    lane->now += CYCLES;
    lane->stage = STAGE_VALUES;
}

static void begin_step(struct lane *lane, uint32_t index)
{
    const struct stmt_class *class = &lane->run->classes[index];
    const unsigned tag = class->wait;
    if (lane->cut && class->nops && lane->cut[lane->next_item] == class->nops) {
        lane->stage = STAGE_VALUES;
        return;
    }
    fill_slot(lane);
    if (tag && lane->mv.outstanding[tag]) {
        lane->waiter.tag = tag;
        lane->stage = STAGE_WAIT;
    } else {
        issue_step(lane, index);
    }
}

/* More of a nop/n. Without a limit on the supply, and without recorded intervals, whole units
 * of nops pass at once. */
static void go_on_with_nops(struct lane *lane)
{
    struct mncore2_run *run = lane->run;
    const uint64_t slots = lane->packer.slots, slot = lane->slot_cycles;
    const uint64_t last = run->pending_count - 1;
    const bool landed =
        !run->pending_count || !lane->account ||
        run->pending[last & (run->pending_size - 1)].at + run->landing_longest + CYCLES <=
            lane->now;
    while (lane->nops_left && !kernel_exhausted(&lane->base.kernel)) {
        const uint64_t units = lane->nops_left / slots;
        kernel_spend(&lane->base.kernel, 1);
        if (units && lane->packer.used == slots && !lane->numbers->supply && landed &&
            !(lane->account && lane->account->sink)) {
            const uint64_t sent = units * slots * CYCLES;
            if (lane->account) {
                uint64_t *cycles = lane->account->cycles[UNIT_ISSUE];
                uint64_t *events = lane->account->events[UNIT_ISSUE];
                cycles[REASON_NOP] += sent;
                events[REASON_NOP] += units * slots;
                cycles[REASON_PACKING] += units * slot;
                events[REASON_PACKING] += slot ? units : 0;
            }
            count_slots(lane, units);
            lane->now += sent + units * slot;
            lane->nops_left -= units * slots;
        } else {
            fill_slot(lane);
            pass(lane, REASON_NOP, CYCLES);
            lane->nops_left--;
        }
    }
    if (!lane->nops_left)
        lane->stage = STAGE_VALUES;
}

/* --- MV statements ---------------------------------------------------------------------------- */

/* What precedes the MV statement in its unit. */
static void begin_mv(struct lane *lane, uint32_t index)
{
    count(lane, COUNTER_MV_STATEMENTS, 1); /* mvnop is one that does nothing (3.5.8.1) */
    if (lane->packer.slots) {
        if (!lane->plain && lane->packer.used == 0)
            supply(lane);
        const unsigned nops = mncore2_packer_mv(&lane->packer);
        if (nops)
            pass(lane, REASON_PACKING, nops * (uint64_t)CYCLES);
        count(lane, COUNTER_NOPS_PACKING, nops);
    }
    if (lane->run->classes[index].kind == STMT_MV) {
        lane->stage = STAGE_MV;
        return;
    }
    if (!lane->plain)
        mv_slot(lane);
    lane->stage = STAGE_VALUES;
}

/* The kernel has reached the stream's cycle. */
static int issue_mv(struct lane *lane, uint32_t index)
{
    const struct mv *mv = lane->run->program->stmts[index].mv;
    const uint32_t *dar = NULL;
    if ((mv->from.indirect || mv->to.indirect) && !(dar = mncore2_dar_contents(lane)))
        return -1;
    struct path_record record = record_of(lane, lane->mv_start);
    record.reason = (uint8_t)lane->mv_reason;
    record.claimed = mncore2_landed_begin(lane, mv);
    if (lane->arrivals)
        lane->arrivals->at[lane->next_item] = lane->now;
    if (mncore2_mv_issue(&lane->mv, mv, dar, &record) != 0)
        return -1;
    mncore2_hold_issue(lane);
    if (!lane->plain)
        mv_slot(lane);
    lane->stage = STAGE_VALUES;
    return 0;
}

/* --- transfers that an access meets ----------------------------------------------------------- */

/* The transfer for which the stream slept has ended. */
static void end_hold(struct lane *lane)
{
    const struct transfer *transfer = &lane->mv.transfers[lane->waiter.transfer];
    const uint64_t start = lane->now;
    lane->waiter.transfer = MV_NONE;
    if (transfer->finished <= start)
        return;
    pass(lane, REASON_DATA, boundary(transfer->finished) - start);
    if (!lane->account)
        return;
    lane->run->stalled += (lane->now - start) / CYCLES;
    struct path_record record = record_of(lane, start);
    record.reason = REASON_DATA;
    record.by = transfer->record;
    record.released = transfer->finished;
    add_record(lane, &record);
    const struct sink_edge edge = {.src = transfer->item,
                                   .dst = (uint32_t)lane->next_item,
                                   .kind = EDGE_DATA,
                                   .unit = UNIT_ISSUE,
                                   .rule = "3.6.13",
                                   .released = transfer->finished,
                                   .at = lane->now,
                                   .waited = lane->now - start,
                                   .times = 1};
    send_edge(lane, &edge);
}

/* Whether the next item has to wait for a transfer. */
static bool hold(struct lane *lane)
{
    for (;;) {
        const uint32_t transfer = lane->hold ? mncore2_hold_find(lane) : MV_NONE;
        if (transfer == MV_NONE)
            return false;
        lane->waiter.transfer = transfer;
        if (lane->mv.transfers[transfer].state != MV_DONE) {
            lane->stage = STAGE_HOLD;
            return true;
        }
        end_hold(lane);
    }
}

/* --- items ------------------------------------------------------------------------------------ */

static int start_item(struct lane *lane, uint32_t index)
{
    const struct mncore2_run *run = lane->run;
    const struct stmt_class *class = &run->classes[index];
    switch ((enum stmt_kind) class->kind) {
    case STMT_STEP:
        begin_step(lane, index);
        break;
    case STMT_MV:
    case STMT_MVNOP:
        begin_mv(lane, index);
        lane->mv_reason = 0;
        lane->mv_start = lane->now;
        if (lane->stage == STAGE_MV)
            interlock(lane, index, &lane->mv_reason);
        else
            hold_back(lane);
        break;
    case STMT_GET:
    case STMT_SET:
    case STMT_PRESET:
        hold_back(lane);
        lane->stage = STAGE_VALUES;
        break; /* they cost no time */
    }
    return 0;
}

static int begin_item(struct lane *lane, uint32_t index)
{
    kernel_count(&lane->base.kernel, 1);
    if (mncore2_class_learn(lane->run, lane, index) != 0)
        return -1;
    if (lane->arrivals)
        lane->arrivals->at[lane->next_item] = lane->now;
    return hold(lane) ? 0 : start_item(lane, index);
}

/* The estimate's lane executes what it has timed. */
static int values(struct lane *lane)
{
    struct mncore2_run *run = lane->run;
    const struct stmt *stmt = &run->program->stmts[run->program->items[lane->next_item].stmt];
    if (!run->exec)
        return 0;
    if (lane->account) {
        mncore2_dar_follow(run, stmt);
        const int status =
            mncore2_exec_item(run->exec, run->program, lane->next_item, lane->base.run->diags);
        if (status != 0)
            return status;
    }
    if (lane->window && stmt->kind == STMT_SET && stmt->debug->mem == MEM_OMR)
        mncore2_hazard_forget_mask(lane->window, 0);
    return 0;
}

/* The last unit is filled up. */
static void end_stream(struct lane *lane)
{
    const bool open = lane->packer.used != 0;
    const unsigned nops = mncore2_packer_end(&lane->packer);
    lane->next_item -= lane->next_item > 0; /* on behalf of the last */
    if (nops)
        pass(lane, REASON_PACKING, nops * (uint64_t)CYCLES);
    count(lane, COUNTER_NOPS_PACKING, nops);
    if (open && !lane->plain)
        mv_slot(lane);
    lane->next_item = lane->run->program->item_count;
    lane->ended = true;
}

/* One thing of the next item. False when the stream sleeps, or has to wait for the kernel. */
static bool go_on(struct lane *lane)
{
    const struct program *program = lane->run->program;
    const uint32_t index =
        lane->next_item < program->item_count ? program->items[lane->next_item].stmt : 0;
    int status = 0;
    switch (lane->stage) {
    case STAGE_FETCH:
        if (lane->next_item < program->item_count)
            status = begin_item(lane, index);
        else
            end_stream(lane);
        break;
    case STAGE_WAIT:
        issue_step(lane, index);
        break;
    case STAGE_HOLD:
        end_hold(lane);
        if (!hold(lane))
            status = start_item(lane, index);
        break;
    case STAGE_NOPS:
        go_on_with_nops(lane);
        break;
    case STAGE_MV:
        status = issue_mv(lane, index);
        break;
    case STAGE_VALUES:
        lane->base.status = values(lane);
        lane->next_item++;
        lane->stage = STAGE_FETCH;
        break;
    }
    if (status != 0 || (lane->account && lane->account->status != 0))
        lane->base.status = -1;
    if (lane->base.status != 0)
        kernel_spend(&lane->base.kernel, UINT64_MAX);
    return lane->base.status == 0 && !lane->ended && !mv_waiter_sleeps(&lane->waiter);
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct lane *lane = (struct lane *)((char *)process - offsetof(struct lane, stream));
    const uint64_t limit = kernel_horizon(kernel, process);
    const char *cause = "next";
    for (bool more = true; more; more = go_on(lane)) {
        if (lane->stage == STAGE_MV && kernel->now < lane->now) {
            cause = "issue";
            break;
        }
        if (lane->stage == STAGE_FETCH && lane->now >= limit)
            break;
        if (kernel_exhausted(kernel)) {
            kernel_pause(kernel, process);
            return;
        }
        if (lane->stage == STAGE_WAIT && lane->mv.outstanding[lane->waiter.tag])
            return;
        if (lane->stage == STAGE_HOLD && lane->mv.transfers[lane->waiter.transfer].state != MV_DONE)
            return;
    }
    if (lane->base.status == 0 && !lane->ended && !mv_waiter_sleeps(&lane->waiter))
        kernel_wake(kernel, process, lane->now, PHASE_ISSUE, cause);
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct lane *lane =
        (const struct lane *)((const char *)process - offsetof(struct lane, stream));
    const struct program *program = lane->run->program;
    if (lane->next_item < program->item_count)
        snprintf(text, size, "stream (line %u)", program->items[lane->next_item].line);
    else
        snprintf(text, size, "stream (end)");
}

struct process mncore2_issue_process(void)
{
    return (struct process){.resume = resume, .horizon = kernel_never, .describe = describe};
}
