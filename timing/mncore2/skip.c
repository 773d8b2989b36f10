/*
 * skip: stretches of the stream that repeat are timed until their state recurs, then multiplied.
 *
 *   items:  .. A B C  A B C  A B C  A B C  A B C  ...  A B C  X ..      a turn is A B C
 *              |      |      |      |      |           |
 *            saved   ...   equal   over  logged  -- added --   rest, timed
 *
 * At the boundary of each turn the state of the whole model is told relative to its cycle, in words:
 * writes on their way, the packer, the instruction buffer, hazards that can still bind, transfers in
 * flight with their ports, events and reads, DRAM banks with their refresh. Where it equals an
 * earlier one, everything between the two follows again and again, as long as the items do. The
 * search is Brent's: the saved state moves to turn 1, 2, 4, 8 ..., so any cycle is found.
 *
 * Two more periods are timed. Transfers of the first are over when the second ends: that is how those
 * of every repetition end. Of the second the account, stalls and edges are recorded; they follow for
 * each repetition, later. Each of the two must end in the state in which it began, else nothing is
 * added and the search goes on.
 *
 * With --no-skip every total, transfer and edge is the same.
 */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

enum {
    TURN_ITEMS = 64,      /* at least; a turn of fewer is several of them */
    LEAST_TURNS = 8,      /* fewer are not worth the search */
    LEAST_WORK = 16384,   /* nor is less work than so many steps are */
    LEAST_CYCLES = 64,    /* of a period: no hazard reaches back further */
    FAILURES = 3,
    DEPTH = 4             /* loops in loops */
};

/* A moment of the run, and what it has counted so far. */
struct moment {
    struct words words;
    size_t item;
    uint64_t now[2], path;
    uint32_t transfers;
    uint64_t statements, nops_written, nops_packing, nops_wait, nops_empty, stalled;
    uint64_t slot_cycles, mv_statements, lag;
    uint64_t nops_tag[MV_TAGS];
    uint64_t landed[MV_FIRST][REASON_COUNT];
};

enum stage { STAGE_SEARCH, STAGE_OVER, STAGE_LOG };

struct loop {
    size_t first, end;  /* items: known to repeat */
    size_t turn;        /* items */
    size_t boundary;    /* next item at which to look */
    struct mv_loop mv;
    enum stage stage;
    struct moment saved;
    uint64_t power, steps; /* Brent's: turns until the next is saved, turns since */
    size_t period;      /* items, once found */
    uint64_t count;     /* repetitions to add */
    unsigned failures;
    uint64_t path_last, path_tag[MV_TAGS]; /* as they were when the log began */
};

struct skip {
    struct loop loops[DEPTH]; /* each lies in a turn of the one before */
    unsigned depth;
    size_t search_from;       /* item */
    struct words words;       /* of the moment that is looked at */
    struct stall *stalls;
    size_t stall_count, stall_capacity;
    struct sink_edge *edges;
    size_t edge_count, edge_capacity;
    bool failed;              /* the host has no memory */
};

static bool tag_in(const uint64_t bits[MV_TAGS / 64], unsigned tag)
{
    return bits[tag / 64] >> tag % 64 & 1;
}

/* --- the state ----------------------------------------------------------------------------------------- */

static void tell_lane(const struct machine_run *run, const struct loop *loop, unsigned l,
                      struct words *words)
{
    const struct lane *lane = &run->lanes[l];
    const struct numbers *n = lane->numbers;
    if (n->supply) {
        const uint64_t passed = lane->now - lane->told;
        const bool full = passed > n->buffer_bytes / n->supply ||
                          lane->tokens + passed * n->supply > n->buffer_bytes;
        words_add(words, full ? n->buffer_bytes : lane->tokens + passed * n->supply);
    }
    if (lane->window) {
        const size_t count = hazard_window_words(lane->window, lane->now, NULL, 0);
        words_add(words, count);
        if (words_reserve(words, count)) {
            hazard_window_words(lane->window, lane->now, &words->at[words->count], count);
            words->count += count;
        }
    }
    if (loop->mv.any)
        mv_words(&lane->mv, &loop->mv, lane->now, (uint32_t)run->next_item, words);
}

static void tell_recent(const struct machine_run *run, struct words *words)
{
    const uint64_t now = run->lanes[0].now, latency = run->lanes[0].numbers->write_latency;
    const uint64_t oldest = run->recent_count > RECENT ? run->recent_count - RECENT : 0;
    for (uint64_t r = run->recent_count; r-- > oldest;) {
        const struct recent *recent = &run->recent[r % RECENT];
        if (recent->at + latency + CYCLES <= now)
            break;
        words_add(words, now - recent->at);
        words_add(words, recent->class);
        words_add(words, run->next_item - recent->item);
    }
}

static void tell(struct machine_run *run, const struct loop *loop)
{
    struct words *words = &run->skip->words;
    words->count = 0;
    if (loop->mv.any)
        dram_settle(&run->lanes[0].mv.dram, run->lanes[0].now);
    words_add(words, run->packer.used);
    tell_recent(run, words);
    const uint64_t path = run->lanes[0].now - run->lag;
    for (unsigned tag = 1; tag < MV_TAGS; tag++)
        if (tag_in(loop->mv.waits, tag))
            words_add_later(words, run->path_tag[tag], path);
    for (unsigned l = 0; l < run->lane_count; l++)
        tell_lane(run, loop, l, words);
    if (words->failed)
        run->skip->failed = true;
}

static void save(const struct machine_run *run, struct moment *moment)
{
    const struct words *words = &run->skip->words;
    moment->words.count = 0;
    if (words_reserve(&moment->words, words->count)) {
        memcpy(moment->words.at, words->at, words->count * sizeof *words->at);
        moment->words.count = words->count;
    } else {
        run->skip->failed = true;
    }
    moment->item = run->next_item;
    for (unsigned l = 0; l < run->lane_count; l++)
        moment->now[l] = run->lanes[l].now;
    moment->path = run->lanes[0].now - run->lag;
    moment->transfers = run->lanes[0].mv.count;
    moment->statements = run->statements;
    moment->nops_written = run->nops_written;
    moment->nops_packing = run->nops_packing;
    moment->nops_wait = run->nops_wait;
    moment->nops_empty = run->nops_empty;
    moment->stalled = run->stalled;
    moment->slot_cycles = run->slot_cycles;
    moment->mv_statements = run->mv_statements;
    moment->lag = run->lag;
    memcpy(moment->nops_tag, run->nops_tag, sizeof moment->nops_tag);
    memcpy(moment->landed, run->landed, sizeof moment->landed);
}

/* Equal states can only be whole refresh intervals apart: two words that differ are seen at once. */
static bool may_equal(const struct machine_run *run, const struct loop *loop)
{
    for (unsigned l = 0; l < run->lane_count && loop->mv.groups; l++) {
        const struct dram_numbers *dram = &run->lanes[l].numbers->dram;
        if (!dram->ideal && dram->trefi &&
            (run->lanes[l].now - loop->saved.now[l]) % dram->trefi != 0)
            return false;
    }
    return true;
}

/* --- the log -------------------------------------------------------------------------------------------- */

static bool grow(void **rows, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return true;
    const size_t more = *capacity ? 2 * *capacity : 256;
    void *larger = realloc(*rows, more * size);
    if (!larger)
        return false;
    *rows = larger;
    *capacity = more;
    return true;
}

void skip_log_stall(struct machine_run *run, const struct stall *stall)
{
    struct skip *skip = run->skip;
    void *rows = skip->stalls;
    if (grow(&rows, &skip->stall_capacity, skip->stall_count, sizeof *stall)) {
        skip->stalls = rows;
        skip->stalls[skip->stall_count++] = *stall;
    } else {
        skip->failed = true;
    }
}

void skip_log_edge(struct machine_run *run, const struct sink_edge *edge)
{
    struct skip *skip = run->skip;
    void *rows = skip->edges;
    if (grow(&rows, &skip->edge_capacity, skip->edge_count, sizeof *edge)) {
        skip->edges = rows;
        skip->edges[skip->edge_count++] = *edge;
    } else {
        skip->failed = true;
    }
}

static void repeat_log(struct machine_run *run, const struct mv_shift *shift, uint64_t count)
{
    const struct skip *skip = run->skip;
    for (uint64_t c = 1; c <= count; c++) {
        const uint64_t cycles = shift->cycles * c;
        const uint32_t items = (uint32_t)(shift->items * c);
        const uint32_t ids = (uint32_t)(shift->transfers * c);
        for (size_t i = 0; i < skip->stall_count; i++) {
            struct stall stall = skip->stalls[i];
            stall.start += cycles;
            stall.end += cycles;
            stall.item += items;
            stall.head += stall.head == MV_NONE ? 0 : ids;
            stall.binding += stall.binding == MV_NONE ? 0 : ids;
            run_stall(run, &stall);
        }
        for (size_t i = 0; i < skip->edge_count; i++) {
            struct sink_edge edge = skip->edges[i];
            edge.src += edge.src == NONE_ID ? 0 : items;
            edge.dst += items;
            edge.released += cycles;
            edge.at += cycles;
            run_edge(run, &edge);
        }
    }
}

/* --- a stretch that repeats ------------------------------------------------------------------------------ */

/* Items from `item` on, before `limit`, that go on as they did `period` items before. */
static size_t matching(const struct machine_run *run, size_t item, size_t period, size_t limit)
{
    const struct item *items = run->program->items;
    size_t length = 0;
    while (item + length < limit && items[item + length].stmt == items[item + length - period].stmt)
        length++;
    return length;
}

/* What the items of one turn do with transfers, and how much work they are, in steps. */
static uint64_t survey(const struct machine_run *run, size_t item, size_t count,
                       struct mv_loop *loop)
{
    uint64_t work = 0;
    for (size_t i = item; i < item + count; i++) {
        const uint32_t index = run->program->items[i].stmt;
        const struct stmt_class *class = &run->classes[index];
        work++;
        loop->any |= class->wait != 0 || class->kind == STMT_MV;
        if (class->wait)
            loop->waits[class->wait / 64] |= 1ull << class->wait % 64;
        if (class->kind != STMT_MV)
            continue;
        const struct mv *mv = run->program->stmts[index].mv;
        struct plan plan;
        model_plan(run->lanes[0].numbers, mv, &plan);
        loop->tags[mv->tag / 64] |= 1ull << mv->tag % 64;
        loop->groups |= plan.dram_groups;
        work += 100 + plan.ops;
    }
    return work;
}

static void look_for_loop(struct machine_run *run)
{
    struct skip *skip = run->skip;
    const size_t item = run->next_item;
    const struct stmt_class *class = &run->classes[run->program->items[item].stmt];
    skip->search_from = item + 1;
    if (!class->known || skip->depth == DEPTH || class->last_item >= item)
        return;
    const size_t period = item - class->last_item;
    const size_t limit =
        skip->depth ? skip->loops[skip->depth - 1].boundary : run->program->item_count;
    const size_t length = matching(run, item, period, limit);
    skip->search_from = item + length + 1;
    const size_t turn = (TURN_ITEMS + period - 1) / period * period;
    if (length / turn < LEAST_TURNS)
        return;
    struct loop *loop = &skip->loops[skip->depth];
    struct moment saved = loop->saved; /* its memory */
    *loop = (struct loop){.first = item - period,
                          .end = item + length,
                          .turn = turn,
                          .boundary = item,
                          .power = 1};
    loop->saved = saved;
    loop->saved.item = SIZE_MAX;
    if (survey(run, item, turn, &loop->mv) * (length / turn) >= LEAST_WORK)
        skip->depth++;
}

/* --- one loop ---------------------------------------------------------------------------------------------- */

/* The oldest transfer that can still change, over the lanes. */
static uint32_t oldest_transfer(const struct machine_run *run, const struct loop *loop)
{
    uint32_t oldest = run->lanes[0].mv.count;
    for (unsigned l = 0; l < run->lane_count && loop->mv.any; l++) {
        const uint32_t id = mv_oldest(&run->lanes[l].mv, &loop->mv);
        oldest = id < oldest ? id : oldest;
    }
    return oldest;
}

/* The state equals the saved one. How many items are a period, long enough for what is in flight to be
 * over when it ends? 0: none that could be used. */
static size_t choose_period(const struct machine_run *run, const struct loop *loop)
{
    const struct mv_engine *mv = &run->lanes[0].mv;
    const size_t items = run->next_item - loop->saved.item;
    const uint64_t cycles = run->lanes[0].now - loop->saved.now[0];
    const uint32_t transfers = mv->count - loop->saved.transfers;
    const uint32_t oldest = oldest_transfer(run, loop);
    if (!cycles || (oldest < mv->count &&
                    (!transfers || mv->transfers[oldest].item < loop->first)))
        return 0;
    uint64_t times = (LEAST_CYCLES + cycles - 1) / cycles;
    if (oldest < mv->count && (mv->count - oldest + transfers - 1) / transfers > times)
        times = (mv->count - oldest + transfers - 1) / transfers;
    return (loop->end - run->next_item) / items / 3 < times ? 0 : (size_t)(items * times);
}

static void drop_log(struct machine_run *run)
{
    run->skip->stall_count = run->skip->edge_count = 0;
    run->logging = false;
}

/* The search begins anew, unless it has failed often. */
static void fail(struct machine_run *run, struct loop *loop)
{
    if (++loop->failures == FAILURES)
        loop->end = run->next_item;
    loop->stage = STAGE_SEARCH;
    loop->steps = 0;
    save(run, &loop->saved);
}

static void search(struct machine_run *run, struct loop *loop)
{
    const bool first = loop->saved.item == SIZE_MAX;
    const bool due = first || loop->steps == loop->power;
    const bool look = !first && may_equal(run, loop);
    if (!look && !due) {
        loop->steps++;
        return;
    }
    tell(run, loop);
    if (look && words_equal(&run->skip->words, &loop->saved.words)) {
        loop->period = choose_period(run, loop);
        if (loop->period) {
            save(run, &loop->saved);
            loop->stage = STAGE_OVER;
            return;
        }
    }
    if (due) {
        save(run, &loop->saved);
        loop->power *= first ? 1 : 2;
        loop->steps = 0;
    }
    loop->steps++;
}

/* The windows must have been reached as far as the last step does. */
static void reach(struct machine_run *run)
{
    if (run->recent_count)
        account_reach(&run->account, run->recent[(run->recent_count - 1) % RECENT].at +
                                         run->lanes[0].numbers->write_latency + CYCLES - 1);
}

/* The period before has ended as it began: the next one is recorded. */
static int begin_log(struct machine_run *run, struct loop *loop)
{
    const uint64_t length = run->lanes[0].now - loop->saved.now[0];
    loop->count = (loop->end - run->next_item) / loop->period;
    if (loop->count < 2) {
        fail(run, loop);
        return 0;
    }
    loop->count--;
    save(run, &loop->saved);
    reach(run);
    if (account_repeat_begin(&run->account, run->lanes[0].now, length, loop->count) != 0)
        return -1;
    loop->path_last = run->path_last;
    run->path_last = 0;
    for (unsigned tag = 1; tag < MV_TAGS; tag++)
        if (!tag_in(loop->mv.waits, tag)) {
            loop->path_tag[tag] = run->path_tag[tag];
            run->path_tag[tag] = 0;
        }
    run->logging = true;
    loop->stage = STAGE_LOG;
    return 0;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Ends of transfers that run alone: what the logged period found, `later`, or what was before. */
static void move_path(struct machine_run *run, const struct loop *loop, uint64_t later)
{
    const uint64_t path = run->lanes[0].now - run->lag;
    run->path_last = latest(loop->path_last, run->path_last ? run->path_last + later : 0);
    for (unsigned tag = 1; tag < MV_TAGS; tag++) {
        uint64_t *end = &run->path_tag[tag];
        if (!tag_in(loop->mv.waits, tag))
            *end = latest(loop->path_tag[tag], *end ? *end + later : 0);
        else if (*end > path)
            *end += later;
    }
}

static void multiply(struct machine_run *run, const struct moment *before, uint64_t count)
{
#define GROW(field) run->field += (run->field - before->field) * count
    GROW(statements);
    GROW(nops_written);
    GROW(nops_packing);
    GROW(nops_wait);
    GROW(nops_empty);
    GROW(stalled);
    GROW(slot_cycles);
    GROW(mv_statements);
    GROW(lag);
    for (unsigned tag = 0; tag < MV_TAGS; tag++)
        GROW(nops_tag[tag]);
    for (unsigned u = 0; u < MV_FIRST; u++)
        for (unsigned r = 0; r < REASON_COUNT; r++)
            GROW(landed[u][r]);
#undef GROW
    for (size_t i = before->item; i < run->next_item; i++) {
        struct stmt_class *class = &run->classes[run->program->items[i].stmt];
        if (class->kind == STMT_STEP)
            class->execs += count;
    }
}

static int add_repetitions(struct machine_run *run, const struct loop *loop)
{
    const struct moment *before = &loop->saved;
    const uint64_t count = loop->count;
    struct mv_shift shift = {.transfers = run->lanes[0].mv.count - before->transfers,
                             .items = (uint32_t)loop->period};
    move_path(run, loop, (run->lanes[0].now - run->lag - before->path) * count);
    multiply(run, before, count);
    for (unsigned l = 0; l < run->lane_count; l++) {
        struct lane *lane = &run->lanes[l];
        shift.cycles = lane->now - before->now[l];
        if (l == 0)
            repeat_log(run, &shift, count);
        if (loop->mv.any &&
            mv_repeat(&lane->mv, &loop->mv, &shift, count, before->now[l]) != 0)
            return -1;
        if (lane->window)
            hazard_window_shift(lane->window, shift.cycles * count, loop->period * count);
        lane->now += shift.cycles * count;
        lane->told += shift.cycles * count;
    }
    for (unsigned r = 0; r < RECENT; r++) {
        run->recent[r].at += (run->lanes[0].now - before->now[0]) / (count + 1) * count;
        run->recent[r].item += (uint32_t)(loop->period * count);
    }
    run->next_item += loop->period * count;
    run->items_skipped += loop->period * count;
    return 0;
}

static int end_log(struct machine_run *run, struct loop *loop, bool equal)
{
    run->logging = false;
    reach(run);
    if (!equal)
        account_repeat_drop(&run->account);
    if (!equal || !account_repeat_end(&run->account)) {
        move_path(run, loop, 0);
        drop_log(run);
        fail(run, loop);
        return 0;
    }
    const int status = add_repetitions(run, loop);
    drop_log(run);
    loop->end = run->next_item;
    return status;
}

static int at_boundary(struct machine_run *run, struct loop *loop)
{
    int status = 0;
    if (loop->stage == STAGE_SEARCH) {
        search(run, loop);
    } else {
        tell(run, loop);
        const bool equal = words_equal(&run->skip->words, &loop->saved.words);
        if (loop->stage == STAGE_LOG)
            status = end_log(run, loop, equal);
        else if (equal)
            status = begin_log(run, loop);
        else
            fail(run, loop);
    }
    loop->boundary = run->next_item + (loop->stage == STAGE_SEARCH ? loop->turn : loop->period);
    return status;
}

/* --- from run.c ---------------------------------------------------------------------------------------------- */

int skip_open(struct machine_run *run)
{
    if (!run->options.timing_only || run->options.no_skip || run->account.sink)
        return 0;
    run->skip = calloc(1, sizeof *run->skip);
    run->skip_from = 0;
    return run->skip ? 0 : -1;
}

void skip_close(struct machine_run *run)
{
    if (!run->skip)
        return;
    for (unsigned d = 0; d < DEPTH; d++)
        free(run->skip->loops[d].saved.words.at);
    free(run->skip->words.at);
    free(run->skip->stalls);
    free(run->skip->edges);
    free(run->skip);
    run->skip = NULL;
}

int skip_here(struct machine_run *run)
{
    struct skip *skip = run->skip;
    while (skip->depth) {
        struct loop *loop = &skip->loops[skip->depth - 1];
        if (run->next_item < loop->boundary)
            break;
        if (at_boundary(run, loop) != 0 || skip->failed)
            return -1;
        if (loop->boundary <= loop->end)
            break;
        /* Less than a turn is left. */
        skip->search_from = latest(skip->search_from, loop->end);
        skip->depth--;
    }
    if (run->next_item == run->program->item_count)
        return 0;
    const bool logging = run->logging;
    if (!logging && run->next_item >= skip->search_from)
        look_for_loop(run);
    run->skip_from = logging ? SIZE_MAX : skip->search_from;
    if (skip->depth && skip->loops[skip->depth - 1].boundary < run->skip_from)
        run->skip_from = skip->loops[skip->depth - 1].boundary;
    return 0;
}
