#include "timing/mncore2/costs.h"

#include <stdlib.h>
#include <string.h>

#include "timing/mncore2/run.h"

/* --- lines --------------------------------------------------------------------------------------------- */

static int add_line(struct cost_lines *lines, const struct sink_stmt_total *row)
{
    if (lines->count == lines->capacity) {
        const size_t capacity = lines->capacity ? 2 * lines->capacity : 256;
        struct sink_stmt_total *rows = realloc(lines->rows, capacity * sizeof *rows);
        if (!rows)
            return -1;
        lines->rows = rows;
        lines->capacity = capacity;
    }
    lines->rows[lines->count++] = *row;
    return 0;
}

static int add_lines(struct cost_lines *lines, const struct sink_stmt_total *rows, size_t count)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < count; i++)
        status = add_line(lines, &rows[i]);
    return status;
}

/* Cycles of a class's writes that would land after the end. */
static uint64_t cut_off(const struct machine_run *run, uint32_t class, const struct usage *usage,
                        uint64_t total)
{
    const uint64_t latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    uint64_t cut = 0;
    for (uint64_t r = oldest; usage->lands && r < run->recent_count; r++) {
        const struct recent *recent = &run->recent[r % RECENT];
        for (unsigned i = 0; recent->class == class && i < CYCLES; i++)
            cut += (usage->mask >> i & 1) && recent->at + latency + i >= total;
    }
    return cut;
}

/* Nops of this class that a stopped run had still to send. */
static uint64_t unsent(const struct machine_run *run, uint32_t s)
{
    return run->nops_left && run->program->items[run->next_item].stmt == s ? run->nops_left : 0;
}

enum { CLASS_LINES = 64 };

/* The lines of a class, under its first item. Returns how many. */
static size_t class_lines(const struct machine_run *run, uint32_t s, uint64_t total,
                          struct sink_stmt_total lines[CLASS_LINES])
{
    const struct stmt_class *class = &run->classes[s];
    size_t count = 0;
    if (class->nops)
        lines[count++] = (struct sink_stmt_total){
            .stmt = class->first_item,
            .unit = UNIT_ISSUE,
            .reason = REASON_NOP,
            .cycles = (class->execs * class->nops - unsent(run, s)) * CYCLES,
            .execs = class->execs};
    const size_t nops = count;
    for (unsigned i = 0; i < class->usage_count; i++) {
        const struct usage *usage = &run->usages[class->usage + i];
        const uint64_t cycles = class->execs * usage->cycles - cut_off(run, s, usage, total);
        /* Read and write of a single-port memory are one line. */
        size_t same = nops;
        while (same < count && lines[same].unit != usage->unit)
            same++;
        if (same < count)
            lines[same].cycles += cycles;
        else if (count < CLASS_LINES)
            lines[count++] = (struct sink_stmt_total){
                .stmt = class->first_item,
                .unit = usage->unit,
                .reason = REASON_BUSY,
                .cycles = cycles,
                .execs = class->execs,
                .ops = usage->unit == UNIT_MAU ? class->flops * class->execs : 0};
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (lines[i].cycles)
            lines[kept++] = lines[i];
    return kept;
}

/* The lines of a transfer: its own share of each port. Returns how many. */
static size_t transfer_lines(const struct transfer *transfer,
                             struct sink_stmt_total lines[PORT_COUNT])
{
    const struct plan *plan = &transfer->plan;
    size_t count = 0;
    for (unsigned p = 0; p < PORT_COUNT && transfer->done; p++)
        if (plan->ports >> p & 1)
            lines[count++] = (struct sink_stmt_total){
                .stmt = transfer->item,
                .unit = MV_FIRST + p,
                .reason = REASON_BUSY,
                .cycles = transfer->done * plan->hold[port_kind(p)],
                .execs = 1,
                .bytes = transfer->done * plan->words[port_kind(p)] * sizeof(uint64_t)};
    return count;
}

/* --- costs that are shared ------------------------------------------------------------------------------- */

/* A new one with these lines; its index + 1 in *cost. */
static int add_shared(struct costs *costs, const struct sink_stmt_total *lines, size_t count,
                      uint32_t *cost)
{
    if (costs->shared_count == costs->shared_capacity) {
        const size_t capacity = costs->shared_capacity ? 2 * costs->shared_capacity : 64;
        struct sink_cost *shared = realloc(costs->shared, capacity * sizeof *shared);
        if (!shared)
            return -1;
        costs->shared = shared;
        costs->shared_capacity = capacity;
    }
    costs->shared[costs->shared_count++] = (struct sink_cost){costs->lines.count, count};
    *cost = (uint32_t)costs->shared_count;
    return add_lines(&costs->lines, lines, count);
}

/* The next statement has this cost. */
static int add_stmt(struct costs *costs, uint32_t item, uint32_t cost)
{
    struct sink_cost_range *last =
        costs->range_count ? &costs->ranges[costs->range_count - 1] : NULL;
    if (last && last->cost == cost && last->last_stmt + 1 == item) {
        last->last_stmt = item;
        return 0;
    }
    if (costs->range_count == costs->range_capacity) {
        const size_t capacity = costs->range_capacity ? 2 * costs->range_capacity : 256;
        struct sink_cost_range *ranges = realloc(costs->ranges, capacity * sizeof *ranges);
        if (!ranges)
            return -1;
        costs->ranges = ranges;
        costs->range_capacity = capacity;
    }
    costs->ranges[costs->range_count++] = (struct sink_cost_range){item, item, cost};
    return 0;
}

static const uint64_t factor = 0x9e3779b97f4a7c15u;

/* Classes with the same of these have the same lines, if nothing of theirs was cut off. */
struct class_key {
    uint64_t execs;
    uint32_t usage, usage_count, nops, flops;
    uint32_t cost; /* index + 1; 0 = the slot is empty */
};

static bool same_class(const struct class_key *a, const struct class_key *b)
{
    return a->execs == b->execs && a->usage == b->usage && a->nops == b->nops &&
           a->usage_count == b->usage_count && a->flops == b->flops;
}

static struct class_key *find_class(struct class_key *slots, size_t count,
                                    const struct class_key *key)
{
    uint64_t hash = (key->execs ^ (uint64_t)key->usage << 32) * factor;
    hash = (hash ^ hash >> 32 ^ key->nops ^ (uint64_t)key->flops << 32) * factor;
    struct class_key *slot = &slots[(hash >> 32) & (count - 1)];
    while (slot->cost && !same_class(slot, key))
        slot = slot == slots + count - 1 ? slots : slot + 1;
    return slot;
}

static int grow_classes(struct costs *costs)
{
    if (2 * costs->class_count < costs->class_slots)
        return 0;
    const size_t slots = costs->class_slots ? 2 * costs->class_slots : 128;
    struct class_key *keys = calloc(slots, sizeof *keys);
    if (!keys)
        return -1;
    for (size_t i = 0; i < costs->class_slots; i++)
        if (costs->class_keys[i].cost)
            *find_class(keys, slots, &costs->class_keys[i]) = costs->class_keys[i];
    free(costs->class_keys);
    costs->last_class = NULL;
    costs->class_keys = keys;
    costs->class_slots = slots;
    return 0;
}

/* The cost of such classes, made of this one's lines if it is the first. */
static int share_class(const struct machine_run *run, struct costs *costs, uint32_t s, uint64_t total)
{
    const struct stmt_class *class = &run->classes[s];
    const struct class_key key = {.execs = class->execs,
                                  .usage = class->usage,
                                  .usage_count = class->usage_count,
                                  .nops = class->nops,
                                  .flops = class->flops};
    if (grow_classes(costs) != 0)
        return -1;
    /* Neighbours are often alike. */
    struct class_key *slot = costs->last_class && same_class(costs->last_class, &key)
                                 ? costs->last_class
                                 : find_class(costs->class_keys, costs->class_slots, &key);
    costs->last_class = slot;
    if (!slot->cost) {
        struct sink_stmt_total lines[CLASS_LINES];
        const size_t count = class_lines(run, s, total, lines);
        *slot = key;
        if (add_shared(costs, lines, count, &slot->cost) != 0)
            return -1;
        costs->class_count++;
    }
    return add_stmt(costs, class->first_item, slot->cost - 1);
}

/* Transfers with the same of these have the same lines: how long a port is held follows from the words. */
struct transfer_key {
    uint64_t ports, done, words[4];
    uint64_t cost; /* index + 1; 0 = the slot is empty */
};

static struct transfer_key *find_transfer(struct transfer_key *slots, size_t count,
                                          const struct transfer_key *key)
{
    uint64_t hash = (key->ports ^ key->done << 32) * factor;
    for (unsigned i = 0; i < 4; i++)
        hash = (hash ^ hash >> 32 ^ key->words[i]) * factor;
    struct transfer_key *slot = &slots[(hash >> 32) & (count - 1)];
    while (slot->cost && memcmp(slot, key, offsetof(struct transfer_key, cost)) != 0)
        slot = slot == slots + count - 1 ? slots : slot + 1;
    return slot;
}

static int grow_transfers(struct costs *costs)
{
    if (2 * costs->transfer_count < costs->transfer_slots)
        return 0;
    const size_t slots = costs->transfer_slots ? 2 * costs->transfer_slots : 128;
    struct transfer_key *keys = calloc(slots, sizeof *keys);
    if (!keys)
        return -1;
    for (size_t i = 0; i < costs->transfer_slots; i++)
        if (costs->transfer_keys[i].cost)
            *find_transfer(keys, slots, &costs->transfer_keys[i]) = costs->transfer_keys[i];
    free(costs->transfer_keys);
    costs->transfer_keys = keys;
    costs->transfer_slots = slots;
    return 0;
}

static int share_transfer(struct costs *costs, const struct transfer *transfer)
{
    struct transfer_key key = {.ports = transfer->plan.ports, .done = transfer->done};
    memcpy(key.words, transfer->plan.words, sizeof key.words);
    if (grow_transfers(costs) != 0)
        return -1;
    struct transfer_key *slot = find_transfer(costs->transfer_keys, costs->transfer_slots, &key);
    if (!slot->cost) {
        struct sink_stmt_total lines[PORT_COUNT];
        const size_t count = transfer_lines(transfer, lines);
        uint32_t cost;
        if (add_shared(costs, lines, count, &cost) != 0)
            return -1;
        *slot = key;
        slot->cost = cost;
        costs->transfer_count++;
    }
    return add_stmt(costs, transfer->item, (uint32_t)slot->cost - 1);
}

/* --- all ------------------------------------------------------------------------------------------------- */

static void set_own(struct costs *costs, uint32_t item)
{
    costs->own[item / 8] |= (uint8_t)(1 << item % 8);
}

static bool is_shared(const struct costs *costs, uint32_t item)
{
    return costs->own && !(costs->own[item / 8] >> item % 8 & 1);
}

static int find_own(const struct machine_run *run, struct costs *costs)
{
    costs->own = calloc(run->program->item_count / 8 + 1, 1);
    if (!costs->own)
        return -1;
    for (size_t i = 0; i < run->stall_count; i++)
        if (run->stalls[i].item != NONE_ID)
            set_own(costs, run->stalls[i].item);
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = oldest; r < run->recent_count; r++)
        set_own(costs, run->classes[run->recent[r % RECENT].class].first_item);
    if (run->nops_left)
        set_own(costs, run->classes[run->program->items[run->next_item].stmt].first_item);
    return 0;
}

static int transfer_cost(struct costs *costs, const struct transfer *transfer)
{
    struct sink_stmt_total lines[PORT_COUNT];
    return is_shared(costs, transfer->item) && transfer->done
               ? share_transfer(costs, transfer)
               : add_lines(&costs->stmts, lines, transfer_lines(transfer, lines));
}

/* A row stands for all executions of the same statement, under its first item. */
static int class_cost(const struct machine_run *run, struct costs *costs, uint32_t s, uint64_t total)
{
    if (is_shared(costs, run->classes[s].first_item))
        return share_class(run, costs, s, total);
    struct sink_stmt_total lines[CLASS_LINES];
    return add_lines(&costs->stmts, lines, class_lines(run, s, total, lines));
}

static int stall_costs(const struct machine_run *run, struct costs *costs)
{
    int status = 0;
    for (size_t i = 0; status == 0 && i < run->stall_count; i++) {
        const struct stall *stall = &run->stalls[i];
        const struct sink_stmt_total row = {.stmt = stall->item,
                                            .unit = UNIT_ISSUE,
                                            .reason = stall->reason,
                                            .cycles = stall->end - stall->start,
                                            .execs = 1};
        /* A run of empty-buffer stalls is not one statement's. */
        if (row.cycles && stall->reason != REASON_EMPTY)
            status = add_line(&costs->stmts, &row);
    }
    return status;
}

int costs_find(const struct machine_run *run, uint64_t total, struct costs *costs, uint64_t flops[4])
{
    const struct mv_engine *mv = &run->lanes[0].mv;
    const bool rows = !run->sink->ops->whole_only;
    int status = rows && run->sink->ops->shares_costs ? find_own(run, costs) : 0;
    /* Both come in the order of their items, and go on like that. */
    uint32_t t = 0;
    for (uint32_t s = 0; status == 0 && s < run->program->stmt_count; s++) {
        const struct stmt_class *class = &run->classes[s];
        if (class->kind != STMT_STEP || !class->execs)
            continue;
        flops[class->precision] += class->flops * class->execs;
        if (!rows)
            continue;
        while (status == 0 && t < mv->count && mv->transfers[t].item < class->first_item)
            status = transfer_cost(costs, &mv->transfers[t++]);
        if (status == 0)
            status = class_cost(run, costs, s, total);
    }
    while (rows && status == 0 && t < mv->count)
        status = transfer_cost(costs, &mv->transfers[t++]);
    return rows && status == 0 ? stall_costs(run, costs) : status;
}

void costs_free(struct costs *costs)
{
    free(costs->stmts.rows);
    free(costs->lines.rows);
    free(costs->shared);
    free(costs->class_keys);
    free(costs->transfer_keys);
    free(costs->ranges);
    free(costs->own);
}
