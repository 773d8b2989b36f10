/* run: the instruction stream in time: packing, supply, waits, and what each step occupies. */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

static uint64_t boundary(uint64_t cycle)
{
    return (cycle + CYCLES - 1) / CYCLES * CYCLES;
}

/* --- occupancy of a step --------------------------------------------------------------------------- */

/* Cycles of `mask`, issued at t and landing `latency` later, that lie in [from, to). */
static uint64_t overlap(unsigned mask, uint64_t t, uint64_t from, uint64_t to)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < CYCLES; i++)
        count += (mask >> i & 1) && t + i >= from && t + i < to;
    return count;
}

static void occupy_slowly(struct machine_run *run, const struct usage *usage, uint64_t t)
{
    const uint64_t start = t + (usage->lands ? run->lanes[0].numbers->write_latency : 0);
    for (unsigned i = 0; i < CYCLES;) {
        unsigned length = 0;
        while (i + length < CYCLES && (usage->mask >> (i + length) & 1))
            length++;
        account_add(&run->account, usage->unit, start + i, length);
        i += length ? length : 1;
    }
}

/* The first run of neighbouring cycles in mask from *i on: its length, 0 when there is none. */
static unsigned next_run(unsigned mask, unsigned *i)
{
    while (*i < CYCLES && !(mask >> *i & 1))
        ++*i;
    unsigned length = 0;
    while (*i + length < CYCLES && (mask >> (*i + length) & 1))
        length++;
    return length;
}

/* Runs of neighbouring cycles become one slice: those that end after `told`, cut at end. */
static void slices(struct machine_run *run, const struct usage *usage, uint32_t item, uint64_t start,
                   uint64_t told, uint64_t end)
{
    unsigned i = 0;
    for (unsigned length; (length = next_run(usage->mask, &i)) != 0; i += length) {
        const uint64_t from = start + i, to = from + length;
        if (to > told && from < end)
            account_slice(&run->account, usage->unit, REASON_BUSY, item, from,
                          (to < end ? to : end) - from);
    }
}

void run_flush(struct machine_run *run, uint64_t before, uint64_t end)
{
    if (!run->account.sink || run->steps_whole)
        return;
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t first = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = first; r < run->recent_count; r++) {
        struct recent *recent = &run->recent[r % RECENT];
        const uint64_t start = recent->at + latency;
        if (recent->told >= start + CYCLES || start >= before)
            continue;
        const struct stmt_class *class = &run->classes[recent->class];
        for (unsigned u = 0; u < class->usage_count; u++)
            if (run->usages[class->usage + u].lands)
                slices(run, &run->usages[class->usage + u], recent->item, start, recent->told,
                       end);
        recent->told = start + CYCLES;
    }
}

/* What the PE side's units do in [from, to), where the stream does nothing: writes of the steps
 * before land, and the stream's reason holds for the rest, as in the totals. A write that goes on
 * beyond `to` is told when it is known that the run does, too. */
static void idle_slices(struct machine_run *run, enum reason reason, uint32_t item, uint64_t from,
                        uint64_t to)
{
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    uint64_t told[MV_FIRST];
    for (uint32_t u = 0; u < MV_FIRST; u++)
        told[u] = from;
    for (uint64_t r = oldest; r < run->recent_count; r++) {
        struct recent *recent = &run->recent[r % RECENT];
        const uint64_t start = recent->at + latency;
        if (recent->told >= start + CYCLES || start >= to)
            continue;
        const struct stmt_class *class = &run->classes[recent->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            unsigned i = 0, length = usage->lands ? next_run(usage->mask, &i) : 0;
            for (; length && start + i < to; i += length, length = next_run(usage->mask, &i)) {
                const uint64_t begin = start + i, end = begin + length;
                uint64_t *at = &told[usage->unit];
                if (end <= recent->told)
                    continue;
                if (begin > *at)
                    account_slice(&run->account, usage->unit, reason, item, *at, begin - *at);
                if (end <= to)
                    account_slice(&run->account, usage->unit, REASON_BUSY, recent->item, begin,
                                  length);
                if (end > *at)
                    *at = end < to ? end : to;
            }
        }
        recent->told = to;
    }
    for (uint32_t u = 0; u < MV_FIRST; u++)
        if (u != UNIT_ISSUE && told[u] < to)
            account_slice(&run->account, u, reason, item, told[u], to - told[u]);
}

/* A step's slices in one call; its pattern is told when it first comes. */
static int tell_step(struct machine_run *run, const struct stmt_class *class, uint32_t item,
                     uint64_t t)
{
    const struct sink *sink = run->sink;
    if (class->usage >= run->pattern_capacity) {
        const size_t capacity = 2 * (size_t)class->usage + 64;
        uint32_t *patterns = realloc(run->patterns, capacity * sizeof *patterns);
        if (!patterns)
            return -1;
        memset(patterns + run->pattern_capacity, 0,
               (capacity - run->pattern_capacity) * sizeof *patterns);
        run->patterns = patterns;
        run->pattern_capacity = capacity;
    }
    uint32_t *pattern = &run->patterns[class->usage];
    if (!*pattern) {
        struct sink_part parts[UINT8_MAX * CYCLES / 2];
        size_t count = 0;
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            const uint32_t lands =
                usage->lands ? (uint32_t)run->lanes[0].numbers->write_latency : 0;
            for (uint32_t i = 0; i < CYCLES; i++)
                if (usage->mask >> i & 1) {
                    if (i && (usage->mask >> (i - 1) & 1))
                        parts[count - 1].duration++;
                    else
                        parts[count++] = (struct sink_part){usage->unit, i + lands, 1};
                }
        }
        if (sink->ops->pattern(sink->self, parts, count) != 0)
            return -1;
        *pattern = ++run->pattern_count;
    }
    return sink->ops->step(sink->self, *pattern - 1, item, t);
}

static inline void occupy(struct machine_run *run, uint32_t index, uint32_t item, uint64_t t)
{
    struct account *account = &run->account;
    struct stmt_class *class = &run->classes[index];
    const struct usage *usage = run->usages + class->usage;
    const uint64_t last = t + run->lanes[0].numbers->write_latency + CYCLES - 1;
    if (last >> account->shift >= ACCOUNT_WINDOWS)
        account_reach(account, last);
    if (last >> account->shift == t >> account->shift && account_direct(account)) {
        uint64_t *row = account_row(account, t);
        for (unsigned u = 0; u < class->usage_count; u++)
            row[usage[u].unit] += usage[u].cycles;
    } else {
        for (unsigned u = 0; u < class->usage_count; u++)
            occupy_slowly(run, &usage[u], t);
    }
    if (run->steps_whole) {
        if (class->usage_count && account->status == 0)
            account->status = tell_step(run, class, item, t);
    } else if (account->sink) {
        run_flush(run, t, UINT64_MAX);
        for (unsigned u = 0; u < class->usage_count; u++)
            if (!usage[u].lands)
                slices(run, &usage[u], item, t, t, UINT64_MAX);
    }
    run->recent[run->recent_count++ % RECENT] = (struct recent){t, index, item, 0};
    class->execs++;
    run->statements++;
}

void run_idle(struct machine_run *run, enum reason reason, uint32_t item, uint64_t from, uint64_t to)
{
    run->account.cycles[UNIT_ISSUE][reason] += to - from;
    run->account.events[UNIT_ISSUE][reason]++;
    if (run->steps_whole) {
        if (to > from && run->account.status == 0)
            run->account.status =
                run->sink->ops->hold(run->sink->self, reason, item, from, to - from);
    } else if (run->account.sink) {
        run_flush(run, from < CYCLES ? 0 : from - CYCLES + 1, UINT64_MAX); /* what has landed */
        account_slice(&run->account, UNIT_ISSUE, reason, item, from, to - from);
        if (to > from)
            idle_slices(run, reason, item, from, to);
    }
    /* Writes of the steps before land while nothing is issued: those cycles are busy, not idle. */
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = run->recent_count; r-- > oldest;) {
        const struct recent *recent = &run->recent[r % RECENT];
        if (recent->at + latency + CYCLES <= from)
            break;
        const struct stmt_class *class = &run->classes[recent->class];
        for (unsigned u = 0; u < class->usage_count; u++) {
            const struct usage *usage = &run->usages[class->usage + u];
            if (usage->lands)
                run->landed[usage->unit][reason] +=
                    overlap(usage->mask, recent->at + latency, from, to);
        }
    }
}

/* --- lanes ------------------------------------------------------------------------------------------- */

static void pass(struct machine_run *run, unsigned l, enum reason reason, uint32_t item,
                 uint64_t cycles)
{
    struct lane *lane = &run->lanes[l];
    if (l == 0 && cycles)
        run_idle(run, reason, item, lane->now, lane->now + cycles);
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

/* A unit of the packed stream leaves the instruction buffer when its first slot issues. */
static void supply(struct machine_run *run, unsigned l, uint32_t item)
{
    struct lane *lane = &run->lanes[l];
    const struct numbers *n = lane->numbers;
    if (!n->supply)
        return;
    const uint64_t passed = lane->now - lane->told;
    uint64_t level = n->buffer_bytes;
    if (passed <= n->buffer_bytes / n->supply && lane->tokens + passed * n->supply < level)
        level = lane->tokens + passed * n->supply;
    if (level < n->unit_bytes) {
        const uint64_t needed = (n->unit_bytes - level + n->supply - 1) / n->supply;
        const uint64_t start = lane->now, end = boundary(start + needed);
        pass(run, l, REASON_EMPTY, item, end - start);
        level += (end - start) * n->supply;
        if (level > n->buffer_bytes)
            level = n->buffer_bytes;
        if (l == 0) {
            const struct stall stall = {start, end, item, MV_NONE, MV_NONE, REASON_EMPTY};
            run_stall(run, &stall);
            run->nops_empty += (end - start) / CYCLES;
            run->lag += end - start;
            const struct sink_edge edge = {NONE_ID, item, EDGE_SUPPLY, UNIT_ISSUE, "supply_bytes",
                                           end,     end,  end - start, 1};
            run_edge(run, &edge);
        }
    }
    lane->tokens = level - n->unit_bytes;
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
        uint64_t left = class->nops;
        run->nops_written += left;
        run->classes[index].execs++;
        if (!run->plain)
            for (; left > 1; left--) {
                send_nops(run, REASON_NOP, item, 1);
                fill_slot(run, item);
            }
        else
            packer_steps(&run->packer, left - 1);
        send_nops(run, REASON_NOP, item, left);
        return;
    }
    interlock(run, index, item);
    occupy(run, index, item, run->lanes[0].now);
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
    for (; budget && status == RUN_MORE; budget--) {
        if (run->next_item >= run->skip_from && run->next_item < program->item_count &&
            skip_here(run) != 0)
            return RUN_FAILED;
        const size_t item = run->next_item;
        if (item == program->item_count || status != RUN_MORE)
            break;
        if (!run->options.functional_only)
            status = run_time(run, program->items[item].stmt, (uint32_t)item);
        if (status == RUN_MORE && run->exec)
            status = run_values(run, item, diags);
        run->next_item++;
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
