/* slack: how much later each statement could issue without a later end of the run. */
#include "timing/mncore2/run.h"

#include <stdlib.h>

struct ranges {
    struct sink_slack *rows;
    size_t count, capacity;
};

/*
 * A statement that issues d cycles later moves everything behind it, until a wait that stalled has
 * taken the d cycles up. What is known then: transfers that moved by themselves, or all together, take
 * as long as they took. So the slack ends where that would not hold: where a transfer would come nearer
 * to another one on its ports, or to a refresh of DRAM. It is never too large, but can be too small.
 */
struct slack_use { /* of a port, by the next transfer */
    int64_t from, absorbed;
    bool any;
};

/* From `oldest`, a transfer, to a later one, they must keep their distance. */
struct slack_pair {
    uint32_t oldest;
    int64_t absorbed;
};

struct slack_walk {
    const struct machine_run *run;
    int64_t total;      /* cycles of the run */
    int64_t *transfers; /* how much later waits let each finish; once passed, its `absorbed` */
    int64_t stream;     /* how much later the stream may be at this point, in whole steps */
    int64_t absorbed;   /* by the waits behind this point */
    size_t stall;       /* stalls not passed yet */
    uint32_t transfer;  /* transfers not passed yet */
    struct slack_use next[PORT_COUNT];
    struct slack_pair *pairs; /* the nearest last, which reaches back further than those before */
    size_t pair_count;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The stream moves in steps; it may be late by whole ones only. */
static int64_t whole_steps(int64_t cycles)
{
    return cycles / CYCLES * CYCLES;
}

/* Cycles of delay that a wait takes up. With the interlock what is issued behind it must stay as far
 * from what is in front as the longest rule reaches: a statement nearer by could stall. */
static int64_t slack_taken(const struct machine_run *run, const struct stall *stall)
{
    const struct hazard *hazard = run->lanes[0].hazard;
    const int64_t stalled = (int64_t)(stall->end - stall->start);
    const int64_t near = hazard ? whole_steps((int64_t)hazard_longest(hazard) + CYCLES - 1) : 0;
    return stalled > near ? stalled - near : 0;
}

/* What a stalled statement's delay takes up, and what its transfers may use of it. */
static void slack_stalls(struct slack_walk *walk, uint32_t item)
{
    const struct machine_run *run = walk->run;
    while (walk->stall && run->stalls[walk->stall - 1].item >= item) {
        const struct stall *stall = &run->stalls[--walk->stall];
        if (stall->reason != REASON_TAG)
            continue; /* the same delay follows whatever comes before */
        for (uint32_t t = stall->head; t != MV_NONE; t = run->lanes[0].mv.transfers[t].older) {
            const uint64_t finished = run->lanes[0].mv.transfers[t].finished;
            walk->transfers[t] = least(walk->transfers[t],
                                       (int64_t)stall->end - (int64_t)finished + walk->stream);
        }
        const int64_t taken = slack_taken(run, stall);
        walk->stream += taken;
        walk->absorbed += taken;
    }
}

/* How much later a transfer may be issued, and all that is behind it with it. */
static int64_t slack_transfer(const struct slack_walk *walk, const struct transfer *transfer)
{
    const struct numbers *numbers = walk->run->lanes[0].numbers;
    const uint32_t id = walk->transfer;
    int64_t slack = least(walk->stream, walk->transfers[id]);
    slack = least(slack, walk->total - (int64_t)transfer->finished);
    if (transfer->plan.granules && !numbers->dram.ideal)
        return 0;
    if (transfer->last_rival != MV_NONE &&
        walk->absorbed > walk->transfers[transfer->last_rival])
        return 0;
    for (uint64_t left = transfer->plan.ports; left; left &= left - 1) {
        const struct slack_use *next = &walk->next[__builtin_ctzll(left)];
        const int64_t gap =
            next->from - (int64_t)transfer->finished + (int64_t)numbers->notice;
        if (next->any && walk->absorbed - next->absorbed > (gap > 0 ? gap : 0))
            slack = least(slack, gap > 0 ? gap : 0);
    }
    return slack;
}

static void pass_transfer(struct slack_walk *walk, const struct transfer *transfer)
{
    const struct numbers *numbers = walk->run->lanes[0].numbers;
    walk->transfers[walk->transfer] = walk->absorbed;
    for (uint64_t left = transfer->plan.ports; left; left &= left - 1)
        walk->next[__builtin_ctzll(left)] = (struct slack_use){
            (int64_t)(transfer->issued + numbers->start), walk->absorbed, true};
    if (transfer->first_rival == MV_NONE)
        return;
    while (walk->pair_count && walk->pairs[walk->pair_count - 1].oldest >= transfer->first_rival)
        walk->pair_count--;
    walk->pairs[walk->pair_count++] =
        (struct slack_pair){transfer->first_rival, walk->absorbed};
}

/* Slack of a statement at this point, behind `transfer` transfers. */
static int64_t slack_here(struct slack_walk *walk)
{
    while (walk->pair_count && walk->pairs[walk->pair_count - 1].oldest >= walk->transfer)
        walk->pair_count--;
    int64_t slack = walk->stream;
    if (walk->pair_count)
        slack = least(slack, walk->absorbed - walk->pairs[walk->pair_count - 1].absorbed);
    return slack;
}

/* Ranges are found from the last to the first. */
static int add_slack(struct ranges *ranges, size_t first, size_t last_item, int64_t slack)
{
    struct sink_slack *last = ranges->count ? &ranges->rows[ranges->count - 1] : NULL;
    if (last && last->slack == slack) {
        last->first_stmt = (uint32_t)first;
        return 0;
    }
    if (ranges->count == ranges->capacity) {
        const size_t capacity = 2 * ranges->capacity + 64;
        struct sink_slack *rows = realloc(ranges->rows, capacity * sizeof *rows);
        if (!rows)
            return -1;
        ranges->rows = rows;
        ranges->capacity = capacity;
    }
    ranges->rows[ranges->count++] = (struct sink_slack){(uint32_t)first, (uint32_t)last_item, slack};
    return 0;
}

/* The first of the items right in front of `item` that neither are transfers nor can have stalled. */
static size_t quiet_from(const struct slack_walk *walk, size_t item)
{
    const struct machine_run *run = walk->run;
    size_t first = 0;
    if (walk->transfer)
        first = run->lanes[0].mv.transfers[walk->transfer - 1].item + (size_t)1;
    if (walk->stall && run->stalls[walk->stall - 1].item >= first)
        first = run->stalls[walk->stall - 1].item + (size_t)1;
    return first < item ? first : item;
}

static int make_slack(const struct machine_run *run, struct ranges *ranges, uint64_t total)
{
    const struct program *program = run->program;
    const struct mv_engine *mv = &run->lanes[0].mv;
    struct slack_walk walk = {.run = run,
                              .total = (int64_t)total,
                              .transfers = malloc((mv->count + 1) * sizeof(int64_t)),
                              .pairs = malloc((mv->count + 1) * sizeof(struct slack_pair)),
                              .stream = whole_steps((int64_t)total - (int64_t)run->lanes[0].now),
                              .stall = run->stall_count,
                              .transfer = mv->count};
    int status = walk.transfers && walk.pairs ? 0 : -1;
    for (uint32_t t = 0; status == 0 && t < mv->count; t++)
        walk.transfers[t] = INT64_MAX;
    for (size_t i = run->next_item; status == 0 && i-- > 0;) {
        const unsigned kind = run->classes[program->items[i].stmt].kind;
        if (kind == STMT_MV) {
            const struct transfer *transfer = &mv->transfers[--walk.transfer];
            walk.stream = whole_steps(slack_transfer(&walk, transfer));
            pass_transfer(&walk, transfer);
        }
        status = add_slack(ranges, i, i, slack_here(&walk));
        if (kind == STMT_STEP)
            slack_stalls(&walk, (uint32_t)i);
        const size_t quiet = quiet_from(&walk, i);
        if (status == 0 && quiet < i) {
            status = add_slack(ranges, quiet, i - 1, slack_here(&walk));
            i = quiet;
        }
    }
    for (size_t i = 0, j = ranges->count; i + 1 < j; i++) {
        const struct sink_slack row = ranges->rows[i];
        ranges->rows[i] = ranges->rows[--j];
        ranges->rows[j] = row;
    }
    free(walk.transfers);
    free(walk.pairs);
    return status;
}

int slack_find(const struct machine_run *run, uint64_t total, struct sink_slack **rows,
               size_t *count)
{
    struct ranges ranges = {0};
    const int status = make_slack(run, &ranges, total);
    *rows = ranges.rows;
    *count = ranges.count;
    return status;
}
