#include "analysis/schedule.h"

#include "analysis/advise.h"
#include "analysis/exact_bound.h"
#include "analysis/schedule_exact.h"
#include "analysis/shrink.h"
#include "host/text.h"

#include <stdlib.h>
#include <string.h>

enum { POLISH = 200000 }; /* lines that are loaded and run for the last single changes */

/* All blocks of a program, and the best orders so far. */
struct scheduler {
    struct candidates *candidates;
    struct moves moves;
    struct list *lists;          /* by block */
    struct moves_place **places; /* by block: the best so far */
    uint64_t **priorities;       /* by block: of the best so far */
    uint64_t *tails;             /* of the block that is searched: where it begins */
    uint64_t best;               /* cycles */
    bool slots_alone;            /* slots make the time */
    char *text;
    size_t size;
    uint64_t dice;
    size_t tries;
    size_t tries_left; /* SIZE_MAX: as many as the blocks have */
    size_t turn;       /* of the search */
    size_t *turns;     /* blocks, the heaviest first */
    uint64_t weight;   /* of all blocks */
    bool searched;     /* every order */
    bool stopped;
};

static bool stopped(struct scheduler *s)
{
    s->stopped = s->stopped || candidate_stopped(s->candidates);
    return s->stopped;
}

/* --- text and time ---------------------------------------------------------------------------- */

static int write_text(struct scheduler *s, const struct moves_place *const *places)
{
    free(s->text);
    s->text = NULL;
    FILE *out = text_open(&s->text, &s->size);
    if (!out)
        return -1;
    const int status = s->moves.write(s->moves.context, places, out);
    return text_close(out, &s->text) == 0 && status == 0 ? 0 : -1;
}

/* Cycles with the list's last order of a block, or of every block. */
#define EVERY SIZE_MAX
static int measure(struct scheduler *s, size_t block, uint64_t *cost)
{
    if (s->slots_alone) {
        *cost = schedule_cycles(&s->lists[block]);
        return 0;
    }
    const struct moves_place **places = calloc(s->moves.block_count, sizeof *places);
    if (!places)
        return -1;
    for (size_t b = 0; b < s->moves.block_count; b++)
        places[b] = block == EVERY || b == block ? s->lists[b].places : s->places[b];
    int status = write_text(s, places);
    free(places);
    if (status == 0)
        status = candidate_time(s->candidates,
                                &(struct candidate){.text = s->text, .size = s->size}, cost);
    return status;
}

static void take(struct scheduler *s, size_t block, uint64_t cost)
{
    const size_t count = s->moves.blocks[block].node_count;
    memcpy(s->places[block], s->lists[block].places, count * sizeof *s->places[block]);
    memcpy(s->priorities[block], s->lists[block].priority, count * sizeof *s->priorities[block]);
    s->best = cost;
}

/* --- search ----------------------------------------------------------------------------------- */

static uint64_t roll(struct scheduler *s, uint64_t below)
{
    s->dice ^= s->dice << 13;
    s->dice ^= s->dice >> 7;
    s->dice ^= s->dice << 17;
    return s->dice % below;
}

/* Other priorities: those of the best order, or its ranks, with some changed; or now and then all
 * new. */
static void shake(struct scheduler *s, size_t block, size_t turn)
{
    enum { ANEW = 16, FEW = 3, RANKS = 2 };
    struct list *list = &s->lists[block];
    const size_t count = list->block->node_count;
    if (turn % ANEW == ANEW - 1) {
        for (size_t n = 0; n < count; n++)
            list->priority[n] = s->tails[n] + roll(s, s->tails[n] / 2 + 2);
        return;
    }
    memcpy(list->priority, s->priorities[block], count * sizeof *list->priority);
    for (size_t i = 0; turn % RANKS && i < count; i++) /* the best order itself */
        list->priority[s->places[block][i].node] = 2 * (count - i);
    for (uint64_t times = 1 + roll(s, FEW); times > 0; times--) {
        const size_t a = roll(s, count), b = roll(s, count);
        list->priority[a] = list->priority[b] + roll(s, 3) - 1;
    }
}

static int try_order(struct scheduler *s, size_t block)
{
    uint64_t cost;
    if (s->tries && (!s->tries_left || stopped(s))) /* one is tried in any case */
        return 0;
    s->tries++;
    s->tries_left -= s->tries_left != SIZE_MAX && s->tries_left > 0;
    if (!list_run(&s->lists[block]))
        return 0;
    if (measure(s, block, &cost) != 0)
        return -1;
    if (cost <= s->best)
        take(s, block, cost);
    return 0;
}

/* Transfers may take longer in this order than as written: those that time alone keeps apart from
 * accesses get more of it, until none comes too early. */
static int stretch(struct scheduler *s, size_t block)
{
    enum { TIMES = 16 };
    struct moves_block *of = &s->moves.blocks[block];
    const uint64_t each = s->moves.slot_cycles;
    size_t timed = 0;
    int status = 0;
    for (size_t a = 0; a < of->arc_count; a++)
        timed += of->arcs[a].timed;
    for (unsigned turn = 0; turn < TIMES && timed && status == 0; turn++) {
        const uint64_t excess = candidate_excess(s->candidates);
        if (!excess)
            break;
        for (size_t a = 0; a < of->arc_count; a++)
            if (of->arcs[a].timed)
                of->arcs[a].slots += (uint32_t)(excess / timed / each + 1);
        list_arcs(&s->lists[block]);
        status = try_order(s, block);
    }
    return status;
}

/* Fewer tries for more nodes: what a try costs grows with them. */
static size_t tries_for(size_t nodes)
{
    enum { WORK = 40000, MOST = 400, FEWEST = 4 };
    const size_t tries = nodes ? WORK / nodes : 0;
    return tries > MOST ? MOST : tries < FEWEST ? FEWEST : tries;
}

/* Of a program whose blocks have weights, those of a block: its part of what is left. */
static size_t tries_of(const struct scheduler *s, size_t block)
{
    const struct moves_block *of = &s->moves.blocks[block];
    const size_t tries = tries_for(of->node_count);
    if (s->tries_left == SIZE_MAX || !s->weight)
        return tries;
    const double part = (double)s->tries_left * (double)of->weight / (double)s->weight;
    return part < (double)tries ? (size_t)part : tries;
}

/* A wait may find a better place in its unit when it comes a slot later. */
static int try_linger(struct scheduler *s, size_t block)
{
    struct list *list = &s->lists[block];
    int status = 0;
    uint32_t best = 0;
    memcpy(list->priority, s->priorities[block], list->block->node_count * sizeof *list->priority);
    for (uint32_t slots = 1; slots < s->moves.unit_slots && status == 0; slots++) {
        const uint64_t before = s->best;
        list->linger = slots;
        status = try_order(s, block);
        best = s->best < before ? slots : best;
    }
    list->linger = best;
    return status;
}

/* least: no order is shorter. */
static int search_block(struct scheduler *s, size_t block, uint64_t least)
{
    struct list *list = &s->lists[block];
    const size_t count = list->block->node_count;
    if (count < 2)
        return 0;
    list_tails(list);
    memcpy(s->tails, list->priority, count * sizeof *s->tails);
    memcpy(s->priorities[block], list->priority, count * sizeof *list->priority);
    int status = try_order(s, block);
    if (status == 0 && !s->slots_alone)
        status = stretch(s, block);
    if (status == 0 && s->moves.unit_slots && !s->slots_alone) {
        list->fill_units = true;
        const uint64_t before = s->best;
        status = try_order(s, block);
        list->fill_units = s->best < before;
    }
    for (size_t i = 0; i < count; i++) /* and the order so far, as far as it keeps the rules */
        list->priority[s->places[block][i].node] = 2 * (count - i);
    if (status == 0)
        status = try_order(s, block);
    const size_t tries = tries_of(s, block);
    for (size_t turn = 0; turn < tries && status == 0 && s->best > least && !s->stopped; turn++) {
        shake(s, block, turn);
        status = try_order(s, block);
    }
    return status == 0 && s->moves.unit_slots && !s->slots_alone ? try_linger(s, block) : status;
}

/* --- the program ------------------------------------------------------------------------------ */

/* Of any order: the same whatever the order is that it is found in. */
static int find_bounds(const struct candidate_setup *setup, const struct candidates *candidates,
                       struct schedule *result, char error[MACHINE_ERROR])
{
    enum { MOST = 100000 }; /* nodes */
    const struct run_options options = {.settings = setup->settings};
    const struct run_setup run = {
        .program = candidate_program(candidates), .config = setup->config, .options = &options};
    struct machine_proof proof;
    int status = machine_prove(&proof, setup->machine, &run, MOST, error);
    const struct bound *any = status == 0 ? bounds_best(&proof.bounds, BOUND_ANY_ORDER) : NULL,
                       *free = status == 0 ? bounds_best(&proof.bounds, BOUND_FREE_PLACES) : NULL;
    result->bound = any ? any->cycles : 0;
    result->free_places = free ? free->cycles : 0;
    machine_proof_free(&proof);
    return status < 0 ? -1 : 0;
}

/* What takt bound finds by a search without the limit of the written waits. */
static int search_bound(const struct scheduler *s, const struct candidate_setup *setup,
                        struct schedule *result)
{
    const struct run_options options = {.settings = setup->settings};
    const struct run_setup run = {
        .program = candidate_program(s->candidates), .config = setup->config, .options = &options};
    struct bounds none = {.rows = NULL};
    struct exact_found found;
    const int status =
        exact_bound_add(&none, setup->machine, &run,
                        &(const struct exact_effort){.states = EXACT_BOUND_MORE}, &found);
    if (status == 0 && found.searched && found.cycles >= result->bound) {
        result->bound = found.cycles;
        result->same_waits = false;
    }
    return status;
}

static void set_latencies(struct scheduler *s)
{
    size_t count;
    const struct candidate_transfer *list = candidate_transfers(s->candidates, &count);
    for (size_t b = 0; b < s->moves.block_count; b++) {
        struct moves_block *block = &s->moves.blocks[b];
        for (size_t n = 0; n < block->node_count; n++) {
            s->slots_alone &= !block->nodes[n].transfer;
            for (size_t i = 0; block->nodes[n].transfer && i < count; i++)
                if (list[i].line == block->nodes[n].line)
                    block->nodes[n].latency = list[i].cycles;
        }
    }
}

/* As written: nothing has moved. */
static void start_as_written(struct scheduler *s, size_t b)
{
    for (uint32_t n = 0; n < s->moves.blocks[b].node_count; n++)
        s->places[b][n] = (struct moves_place){.node = n, .slot = n};
}

static int by_weight(const void *a, const void *b, void *of)
{
    const size_t *x = a, *y = b;
    const struct moves_block *blocks = of;
    const uint64_t first = blocks[*x].weight, second = blocks[*y].weight;
    return first != second ? first < second ? 1 : -1 : (*x > *y) - (*x < *y);
}

static int set_turns(struct scheduler *s)
{
    s->turns = calloc(s->moves.block_count + 1, sizeof *s->turns);
    if (!s->turns)
        return -1;
    for (size_t b = 0; b < s->moves.block_count; b++) {
        s->turns[b] = b;
        s->weight += s->moves.blocks[b].weight;
    }
    qsort_r(s->turns, s->moves.block_count, sizeof *s->turns, by_weight, s->moves.blocks);
    return 0;
}

static int prepare(struct scheduler *s, struct schedule *result)
{
    const size_t blocks = s->moves.block_count;
    size_t most = 0;
    s->slots_alone = s->moves.exact;
    set_latencies(s);
    s->lists = calloc(blocks + 1, sizeof *s->lists);
    s->places = calloc(blocks + 1, sizeof *s->places);
    s->priorities = calloc(blocks + 1, sizeof *s->priorities);
    if (!s->lists || !s->places || !s->priorities)
        return -1;
    for (size_t b = 0; b < blocks; b++) {
        const size_t count = s->moves.blocks[b].node_count;
        s->places[b] = calloc(count + 1, sizeof **s->places);
        s->priorities[b] = calloc(count + 1, sizeof **s->priorities);
        if (!s->places[b] || !s->priorities[b] ||
            list_open(&s->lists[b], &s->moves, &s->moves.blocks[b]) != 0)
            return -1;
        start_as_written(s, b);
        most = count > most ? count : most;
        result->nodes += count;
    }
    s->tails = calloc(most + 1, sizeof *s->tails);
    return s->tails ? set_turns(s) : -1;
}

static bool stop_search(void *self)
{
    return stopped(self);
}

/* What schedule_exact finds, timed. cost: UINT64_MAX if it is not legal, or nothing was found. */
static int try_exact(struct scheduler *s, const struct exact_job *job, uint64_t *cycles,
                     uint64_t *cost, int *all)
{
    struct list *list = &s->lists[0];
    memcpy(list->places, s->places[0], list->block->node_count * sizeof *list->places);
    const uint64_t limit = *cycles;
    *cost = UINT64_MAX;
    *all = schedule_exact(list, job, cycles);
    if (*all < 0)
        return -1;
    if (*cycles == limit)
        return 0;
    s->tries++;
    if (measure(s, 0, cost) != 0)
        return -1;
    if (*cost < s->best)
        take(s, 0, *cost);
    return 0;
}

/* lengths of transfers, by node: those of the text that was written last, which has them in the
 * order of these places. */
static int learn_lengths(struct scheduler *s, const struct moves_place *places, uint64_t *lengths)
{
    const struct moves_block *block = &s->moves.blocks[0];
    const struct candidate candidate = {.text = s->text, .size = s->size};
    struct candidate_transfer *list;
    size_t count, transfers = 0, next = 0;
    const int status = candidate_lengths(s->candidates, &candidate, &list, &count);
    for (size_t n = 0; n < block->node_count; n++)
        transfers += block->nodes[n].transfer;
    for (size_t i = 0; i < block->node_count && transfers == count; i++)
        if (block->nodes[places[i].node].transfer)
            lengths[places[i].node] = list[next++].cycles;
    free(list);
    return status;
}

/* With transfers as long as they took in the best order, then in what was found with these lengths,
 * until nothing new is found. Those that time alone keeps apart from accesses get more of it, as in
 * stretch. */
static int search_lengths(struct scheduler *s, struct exact_job job)
{
    enum { TIMES = 6 };
    const struct moves_block *block = &s->moves.blocks[0];
    uint64_t *lengths = calloc(block->node_count + 1, sizeof *lengths), cycles, cost;
    int status = lengths ? 0 : -1, all;
    for (size_t n = 0; lengths && n < block->node_count; n++)
        lengths[n] = block->nodes[n].latency;
    job.lengths = lengths;
    for (unsigned turn = 0; turn < TIMES && status == 0 && !s->stopped; turn++) {
        const uint64_t limit = s->best;
        cycles = limit;
        status = try_exact(s, &job, &cycles, &cost, &all);
        const uint64_t excess = candidate_excess(s->candidates);
        if (status != 0 || cycles == limit || (cost == UINT64_MAX && !excess))
            break;
        if (cost != UINT64_MAX)
            status = learn_lengths(s, s->lists[0].places, lengths);
        for (size_t a = 0; a < block->arc_count && cost == UINT64_MAX; a++)
            if (block->arcs[a].timed)
                lengths[block->arcs[a].from] += s->moves.slot_cycles;
    }
    free(lengths);
    return status;
}

/* All orders of a small program, or as many as a budget allows. */
static int search_all(struct scheduler *s, size_t turn, struct schedule *result)
{
    enum { DOUBLED = 16 };
    const struct exact_job job = {.most = (uint64_t)EXACT_STATES
                                          << (turn < DOUBLED ? turn : DOUBLED),
                                  .stop = stop_search,
                                  .self = s};
    uint64_t cycles = s->best, cost;
    int all, status = s->slots_alone ? 0 : search_lengths(s, job);
    if (status == 0)
        status = try_exact(s, &job, &cycles, &cost, &all);
    s->searched = status == 0 && all == 1;
    if (s->searched && !s->moves.divided && !s->moves.careful && cycles > result->bound) {
        result->bound = cycles;
        result->same_waits = !s->slots_alone;
    }
    return status;
}

/* Whether the statements of some block can have another order. */
static bool has_orders(const struct scheduler *s)
{
    for (size_t b = 0; b < s->moves.block_count; b++)
        if (s->moves.blocks[b].node_count > 1)
            return true;
    return false;
}

/* Every block in its first order. */
static int try_all_blocks(struct scheduler *s)
{
    uint64_t cost;
    for (size_t b = 0; b < s->moves.block_count; b++)
        if (!list_run(&s->lists[b]))
            return 0;
    s->tries++;
    if (measure(s, EVERY, &cost) != 0)
        return -1;
    for (size_t b = 0; cost <= s->best && b < s->moves.block_count; b++)
        take(s, b, b + 1 < s->moves.block_count ? s->best : cost);
    return 0;
}

/* Fewer tries for a longer run. */
static size_t tries_for_work(uint64_t work)
{
    enum { WORK = 40000000, MOST = 800, FEWEST = 8 };
    const uint64_t tries = work ? WORK / work : SIZE_MAX;
    return !work ? SIZE_MAX : tries > MOST ? MOST : tries < FEWEST ? FEWEST : (size_t)tries;
}

/* Whether the program is one block that is searched with transfers in their places. */
static bool has_lengths(const struct scheduler *s, const struct schedule *result)
{
    return s->moves.block_count == 1 && s->moves.exact && !s->slots_alone && !s->stopped &&
           s->best != UINT64_MAX && s->best > result->bound;
}

/* Transfers take another time in the order found: it is searched again with that time, until
 * nothing shorter is found. */
static int search_again(struct scheduler *s, struct schedule *result)
{
    enum { TIMES = 8 };
    const struct exact_job job = {.most = EXACT_STATES, .stop = stop_search, .self = s};
    struct moves_block *block = &s->moves.blocks[0];
    uint64_t before = result->after, *lengths = calloc(block->node_count + 1, sizeof *lengths);
    struct moves_place *places = calloc(block->node_count + 1, sizeof *places);
    int status = lengths && places ? 0 : -1;
    for (unsigned turn = 0; turn < TIMES && status == 0 && s->best < before; turn++) {
        before = s->best;
        memcpy(places, s->places[0], block->node_count * sizeof *places);
        for (size_t n = 0; n < block->node_count; n++)
            lengths[n] = block->nodes[n].latency;
        status = write_text(s, (const struct moves_place *const *)s->places);
        if (status == 0)
            status = learn_lengths(s, s->places[0], lengths);
        for (size_t n = 0; n < block->node_count; n++)
            block->nodes[n].latency = lengths[n];
        if (status == 0)
            status = search_block(s, 0, result->bound);
        if (status == 0 && has_lengths(s, result))
            status = search_lengths(s, job);
        if (s->best == before) /* of others of the same length the first stays */
            memcpy(s->places[0], places, block->node_count * sizeof *places);
    }
    free(places);
    free(lengths);
    return status;
}

/* on: until it is stopped, or nothing can be better. */
static int search(struct scheduler *s, bool on, struct schedule *result)
{
    int status = 0;
    s->best = s->slots_alone ? UINT64_MAX : result->after;
    const size_t blocks = s->moves.block_count, passes = blocks > 1 ? 2 : 1;
    s->tries_left = on ? SIZE_MAX : tries_for_work(s->moves.run_work);
    if (blocks > 1 && s->moves.run_work && !s->turn)
        status = try_all_blocks(s);
    for (; (s->turn < passes * blocks || on) && status == 0 &&
           (!s->tries || (s->tries_left && !stopped(s))) && s->best > result->bound;
         s->turn++) {
        status = search_block(s, s->turns[s->turn % blocks], result->bound);
        if (status == 0 && blocks == 1 && s->moves.exact && !s->searched && !s->stopped &&
            s->best != UINT64_MAX && s->best > result->bound)
            status = search_all(s, s->turn, result);
    }
    return status == 0 && has_lengths(s, result) ? search_again(s, result) : status;
}

/* Of the best order, which takes these cycles: slots that only precede waits. */
static int shrink_best(struct scheduler *s, uint64_t *cycles)
{
    struct shrink shrink = {.candidates = s->candidates,
                            .moves = &s->moves,
                            .places = s->places[0],
                            .waits = s->moves.tags,
                            .cycles = *cycles};
    int status = s->moves.block_count == 1 ? shrink_waits(&shrink) : 0;
    *cycles = shrink.cycles;
    return status == 0 ? write_text(s, (const struct moves_place *const *)s->places) : status;
}

/* The best orders, judged like any other candidate. */
static int judge(struct scheduler *s, struct schedule *result)
{
    bool equal = false;
    uint64_t cycles = UINT64_MAX;
    int status = write_text(s, (const struct moves_place *const *)s->places);
    struct candidate candidate = {.text = s->text, .size = s->size, .waits = s->moves.tags};
    if (status == 0 && s->best != UINT64_MAX)
        status = candidate_time(s->candidates, &candidate, &cycles);
    if (status == 0 && cycles < result->after && !s->slots_alone)
        status = shrink_best(s, &cycles);
    candidate.text = s->text;
    candidate.size = s->size;
    if (status == 0 && cycles < result->after)
        status = candidate_compare(s->candidates, &candidate, false, &equal);
    if (status != 0)
        return status;
    if (equal) {
        free(result->text);
        result->after = cycles;
        result->text = s->text;
        result->size = s->size;
        result->kept = false;
        result->reason = "";
        s->text = NULL;
        return 0;
    }
    if (result->text)
        return 0;
    result->kept = true;
    result->reason = result->after == UINT64_MAX ? "no legal order with these tags was found"
                     : s->best == UINT64_MAX     ? "no other order was found"
                     : cycles == UINT64_MAX      ? "no other order was found that is legal"
                     : cycles >= result->before  ? "no shorter order was found"
                                                 : "the order that was found changes values";
    return 0;
}

/* Single changes of the best program, or of the program as written, each verified (advise.h). */
static int polish(struct scheduler *s, const struct candidate_setup *setup, bool written,
                  struct schedule *result)
{
    const bool kept = written || result->kept;
    const struct advise_job job = {
        .setup = setup,
        .text = kept ? setup->source->text : result->text,
        .size = kept ? setup->source->size : result->size,
        .cycles = written ? result->before : result->after,
        .budget = POLISH,
        .waits = s->moves.tags,
    };
    struct advice advice;
    const int status = advise_find(s->candidates, &job, &advice);
    if (status == 0 && advice.after < result->after) {
        free(result->text);
        result->text = advice.text;
        result->size = advice.size;
        result->after = advice.after;
        result->kept = false;
        result->reason = "";
        advice.text = NULL;
    }
    result->tries += advice.tried;
    s->stopped |= advice.stopped;
    advise_free(&advice);
    return status;
}

/* Unless nothing can be better. What was written has none of the tags that were added. */
static int polish_once(struct scheduler *s, const struct candidate_setup *setup, bool written,
                       struct schedule *result)
{
    const bool wanted = setup->machine->advice->advise && result->after > result->bound &&
                        !(written && s->moves.tags && s->moves.pair_count) &&
                        result->after != UINT64_MAX;
    return wanted && !stopped(s) ? polish(s, setup, written, result) : 0;
}

/* on: until it is stopped. */
static int find(struct scheduler *s, const struct candidate_setup *setup, bool on,
                struct schedule *result)
{
    const size_t before = s->tries;
    int status = search(s, on, result);
    if (status == 0)
        status = judge(s, result);
    result->tries += s->tries - before;
    return status == 0 ? polish_once(s, setup, false, result) : status;
}

/* With tags a program that reads too early cannot be the answer: it does not wait. */
static bool waits_longer(const struct moves *moves)
{
    bool early = false;
    for (size_t i = 0; moves->tags && i < moves->pair_count; i++)
        early |= moves->pairs[i].early;
    return early;
}

int schedule_find(struct candidates *candidates, const struct schedule_job *job,
                  struct schedule *result, char error[MACHINE_ERROR])
{
    struct scheduler s = {
        .candidates = candidates, .moves.tags = job->tags, .dice = UINT64_C(0x9e3779b97f4a7c15)};
    *result = (struct schedule){.program = job->setup->source->name,
                                .equal = candidate_tried(candidates, job->tags),
                                .before = candidate_cycles(candidates),
                                .after = candidate_cycles(candidates),
                                .reason = ""};
    const struct candidate_setup *setup = job->setup;
    int status = candidate_moves(candidates, &s.moves, error);
    if (status == 0)
        status = find_bounds(setup, candidates, result, error);
    const uint64_t before = result->bound;
    result->divided = s.moves.divided;
    if (waits_longer(&s.moves))
        result->after = UINT64_MAX;
    if (status == 0)
        status = prepare(&s, result);
    if (status == 0 && job->on) /* before the time is over */
        status = polish_once(&s, setup, true, result);
    if (status == 0)
        status = find(&s, setup, false, result);
    if (status == 0 && !job->on && !result->kept)
        status = polish_once(&s, setup, true, result);
    if (status == 0 && job->on && has_orders(&s) && result->after > result->bound && !stopped(&s))
        status = find(&s, setup, true, result);
    if (status == 0 && result->after > result->bound && result->nodes <= EXACT_BOUND_NODES &&
        s.moves.exact && !stopped(&s))
        status = search_bound(&s, setup, result);
    result->stopped = s.stopped && !result->optimal;
    if (status == 0 && result->after == result->bound) {
        result->stopped = false;
        result->optimal = true;
        result->reason =
            result->bound > before ? "every order was searched" : "the bound of any order is met";
    }
    for (size_t b = 0; b < s.moves.block_count; b++) {
        if (s.lists)
            list_free(&s.lists[b]);
        if (s.places)
            free(s.places[b]);
        if (s.priorities)
            free(s.priorities[b]);
    }
    free(s.lists);
    free(s.places);
    free(s.priorities);
    free(s.tails);
    free(s.turns);
    free(s.text);
    result->pairs = moves_free_but_pairs(&s.moves, &result->pair_count);
    if (result->kept) { /* as written: without the tags that were added */
        result->after = result->before;
        moves_pairs_untagged(result->pairs, result->pair_count);
    }
    return status;
}

void schedule_free(struct schedule *schedule)
{
    free(schedule->text);
    free(schedule->pairs);
    renamed_free(&schedule->renamed);
    schedule->text = NULL;
    schedule->pairs = NULL;
}
