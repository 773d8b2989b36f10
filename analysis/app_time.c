#include "analysis/app_time.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/hash.h"

#define MOST_CYCLES (UINT64_C(1) << 62)

struct board {
    uint32_t state;
    uint64_t age; /* cycles since then */
    uint64_t ran; /* in this group */
};

/* Rows that a run adds to, and by how much. */
struct added {
    uint32_t row;
    uint64_t turns;
};
struct added_list {
    struct added *items;
    size_t count, capacity;
};

/* When a state was found in the turns of a run. */
struct mark {
    uint64_t run, at;
};

struct timer {
    struct app_time *time;
    const struct app_how *how;
    const struct app *app;
    struct board *boards;
    uint64_t *totals; /* everything that is counted: a vector, so that it can be multiplied */
    size_t total_count, total_capacity;
    size_t row_capacity;
    uint32_t *row_of; /* by turn: its newest row + 1 */
    uint32_t *row_before;
    size_t turn_capacity, before_capacity;
    struct mark *marks; /* by state */
    size_t mark_capacity, mark_count;
    uint64_t runs;
    uint32_t *sequence; /* turns of the run */
    size_t sequence_capacity;
    struct added_list now, longest;
    uint64_t *own;        /* by step, in this group */
    uint32_t waited_from; /* of the last state that has waited */
    uint64_t waited;
    uint32_t waited_to;
    bool looked; /* a turn has used the memory */
    bool overflow;
};

/* --- what is counted -------------------------------------------------------------------------- */

enum { TOTAL, HOST, STEPS };
enum { EXPOSED, OWN, DONE, EACH };       /* of a step */
enum { TURNS, TURNS_EXPOSED, EACH_ROW }; /* of a row */

static void add(struct timer *t, size_t index, uint64_t count, uint64_t times)
{
    uint64_t more;
    if (__builtin_mul_overflow(count, times, &more) || more > MOST_CYCLES ||
        (t->totals[index] += more) > MOST_CYCLES)
        t->overflow = true;
    if (t->overflow)
        t->totals[index] = MOST_CYCLES;
}

static size_t of_step(size_t step, unsigned what)
{
    return STEPS + EACH * step + what;
}

static size_t of_row(const struct timer *t, size_t row, unsigned what)
{
    return STEPS + EACH * t->app->count + EACH_ROW * row + what;
}

static uint64_t cycles_of(const struct timer *t, uint32_t turn)
{
    return t->time->turns.turns[turn].cycles;
}

/* The row of a step and a turn. */
static int find_row(struct timer *t, uint32_t step, uint32_t turn, uint32_t *row)
{
    struct app_time *time = t->time;
    const size_t turns = t->turn_capacity;
    if (!grow_list(&t->row_of, &t->turn_capacity, turn + (size_t)1, sizeof *t->row_of))
        return -1;
    for (size_t i = turns; i < t->turn_capacity; i++)
        t->row_of[i] = 0;
    for (uint32_t r = t->row_of[turn]; r; r = t->row_before[r - 1])
        if (time->rows[r - 1].step == step) {
            *row = r - 1;
            return 0;
        }
    const size_t count = time->row_count;
    if (!grow_list(&time->rows, &t->row_capacity, count + 1, sizeof *time->rows) ||
        !grow_list(&t->row_before, &t->before_capacity, count + 1, sizeof *t->row_before) ||
        !grow_list(&t->totals, &t->total_capacity, t->total_count + EACH_ROW, sizeof *t->totals) ||
        count >= UINT32_MAX - 1)
        return -1;
    time->rows[count] = (struct app_row){.step = step, .turn = turn};
    t->row_before[count] = t->row_of[turn];
    t->row_of[turn] = (uint32_t)count + 1;
    t->totals[t->total_count++] = 0;
    t->totals[t->total_count++] = 0;
    time->row_count++;
    *row = (uint32_t)count;
    return 0;
}

static int note_turns(struct timer *t, uint32_t step, uint32_t turn, uint64_t turns)
{
    struct added_list *now = &t->now;
    uint32_t row;
    if (!grow_list(&now->items, &now->capacity, now->count + 1, sizeof *now->items) ||
        find_row(t, step, turn, &row) != 0)
        return -1;
    now->items[now->count++] = (struct added){row, turns};
    add(t, of_row(t, row, TURNS), turns, 1);
    add(t, of_step(step, DONE), turns, 1);
    return 0;
}

/* --- runs of a board -------------------------------------------------------------------------- */

/* The state of a board now. */
static int settle(struct timer *t, struct board *board)
{
    if (!board->age)
        return 0;
    if (!t->waited || t->waited_from != board->state || t->waited != board->age) {
        if (app_turns_wait(&t->time->turns, board->state, board->age, &t->waited_to) != 0)
            return -1;
        t->waited_from = board->state;
        t->waited = board->age;
    }
    board->state = t->waited_to;
    board->age = 0;
    return 0;
}

static void pass(struct timer *t, struct board *board, uint64_t cycles, uint64_t times)
{
    uint64_t more;
    if (__builtin_mul_overflow(cycles, times, &more) || more > MOST_CYCLES ||
        (board->age += more) > MOST_CYCLES || (board->ran += more) > MOST_CYCLES)
        t->overflow = true;
}

/* Where this run found the state before; the turn that comes is at `at`. Returns 1 when it did. */
static int mark(struct timer *t, uint32_t state, uint64_t at, uint64_t *before)
{
    if (!grow_list(&t->marks, &t->mark_capacity, state + (size_t)1, sizeof *t->marks))
        return -1;
    for (; t->mark_count < t->mark_capacity; t->mark_count++)
        t->marks[t->mark_count] = (struct mark){0};
    if (t->marks[state].run == t->runs) {
        *before = t->marks[state].at;
        return 1;
    }
    t->marks[state] = (struct mark){t->runs, at};
    return 0;
}

/* All turns from `at` on, of `times`: those from `from` again and again. */
static int repeat_turns(struct timer *t, uint32_t step, struct board *board, uint64_t from,
                        uint64_t at)
{
    const uint64_t period = at - from, left = t->app->steps[step].times - at;
    for (uint64_t i = 0; i < period; i++) {
        const uint32_t turn = t->sequence[from + i];
        const uint64_t turns = left / period + (i < left % period);
        if (turns && note_turns(t, step, turn, turns) != 0)
            return -1;
        pass(t, board, cycles_of(t, turn), turns);
        if (left % period && i == left % period - 1)
            board->state = t->time->turns.turns[turn].leaves;
    }
    board->age = 0;
    return 0;
}

static int one_turn(struct timer *t, uint32_t step, struct board *board, uint64_t at)
{
    uint32_t turn;
    const int status =
        app_turns_at(&t->time->turns, t->app->steps[step].program, board->state, &turn);
    if (status != 0)
        return status;
    const struct app_turn *found = &t->time->turns.turns[turn];
    if (!t->how->every_turn) {
        if (!grow_list(&t->sequence, &t->sequence_capacity, at + 1, sizeof *t->sequence))
            return -1;
        t->sequence[at] = turn;
    }
    pass(t, board, found->cycles, 1);
    if (found->leaves != APP_NO_STATE) {
        t->looked = true;
        board->state = found->leaves;
        board->age = 0;
    }
    return note_turns(t, step, turn, 1);
}

static int run_board(struct timer *t, uint32_t step, struct board *board)
{
    const struct app_step *s = &t->app->steps[step];
    const struct app_turns *turns = &t->time->turns;
    int status = 0;
    t->runs++;
    for (uint64_t at = 0; status == 0 && at < s->times && !t->overflow; at++) {
        uint64_t before;
        const uint32_t unasked = t->how->every_turn ? 0 : turns->unasked[s->program];
        if (unasked) {
            pass(t, board, cycles_of(t, unasked - 1), s->times - at);
            return note_turns(t, step, unasked - 1, s->times - at);
        }
        if (settle(t, board) != 0)
            return -1;
        status = t->how->every_turn ? 0 : mark(t, board->state, at, &before);
        if (status > 0)
            return repeat_turns(t, step, board, before, at);
        if (status == 0)
            status = one_turn(t, step, board, at);
    }
    return status;
}

/* --- groups ----------------------------------------------------------------------------------- */

uint64_t app_transfer_cycles(const struct app_how *how, uint64_t bytes)
{
    const struct config *config = how->config;
    const bool documented = how->options->documented;
    const double bandwidth = config_number(config, "host_bandwidth", documented),
                 latency = config_number(config, "host_latency", documented);
    double clock = config_number(config, "clock_hz", documented);
    const size_t row = config_row(config, "clock_hz");
    const struct param *given = how->given && row < config->count ? &how->given->params[row] : NULL;
    /* At the slowest clock a transfer takes the fewest cycles. */
    if (how->alone && given && given->plausible && !given->overridden &&
        given->plausible_low < clock)
        clock = given->plausible_low;
    const double time =
        latency * clock / 1e9 + (bandwidth > 0 ? (double)bytes * clock / bandwidth : 0);
    const double cycles = ceil(time * (1 - 4 * DBL_EPSILON)); /* rounding is not a cycle */
    return cycles < (double)MOST_CYCLES ? (uint64_t)cycles : MOST_CYCLES;
}

static bool on_board(const struct app_step *step, uint32_t board)
{
    return step->board == APP_ALL || step->board == board;
}

/* Steps [first, end) on one board. *linked: cycles of its transfers. */
static int run_steps_of(struct timer *t, size_t first, size_t end, uint32_t number,
                        uint64_t *linked)
{
    struct board *board = &t->boards[number];
    *linked = 0;
    board->ran = 0;
    t->now.count = 0;
    for (size_t s = first; s < end; s++) {
        const struct app_step *step = &t->app->steps[s];
        uint64_t cycles = 0;
        if (!on_board(step, number))
            continue;
        if (step->kind == APP_RUN) {
            const int status = run_board(t, (uint32_t)s, board);
            if (status != 0)
                return status;
            cycles = board->ran;
        } else {
            const uint64_t one = app_transfer_cycles(t->how, step->bytes);
            if (__builtin_mul_overflow(one, step->times, &cycles) || cycles > MOST_CYCLES ||
                (*linked += cycles) > MOST_CYCLES)
                t->overflow = true;
            add(t, HOST, one, step->times);
            add(t, of_step(s, DONE), step->times, 1);
        }
        t->own[s] = cycles > t->own[s] ? cycles : t->own[s];
    }
    return 0;
}

/* What took longest on the board on which the group did. */
struct longest {
    uint64_t cycles;
    uint32_t board;
    bool transfers;
};

static void add_group(struct timer *t, size_t first, size_t end, const struct longest *longest)
{
    add(t, TOTAL, longest->cycles, 1);
    for (size_t s = first; s < end; s++) {
        const struct app_step *step = &t->app->steps[s];
        add(t, of_step(s, OWN), t->own[s], 1);
        if (!on_board(step, longest->board) || (step->kind != APP_RUN) != longest->transfers)
            continue;
        if (step->kind == APP_RUN)
            add(t, of_step(s, EXPOSED), longest->cycles, 1);
        else
            add(t, of_step(s, EXPOSED), app_transfer_cycles(t->how, step->bytes), step->times);
    }
    for (size_t i = 0; !longest->transfers && i < t->longest.count; i++)
        add(t, of_row(t, t->longest.items[i].row, TURNS_EXPOSED), t->longest.items[i].turns, 1);
}

static int run_group(struct timer *t, size_t first, size_t end)
{
    struct longest longest = {.board = UINT32_MAX};
    memset(t->own + first, 0, (end - first) * sizeof *t->own);
    for (uint32_t b = 0; b < t->app->boards; b++) {
        uint64_t linked;
        const int status = run_steps_of(t, first, end, b, &linked);
        if (status != 0)
            return status;
        const uint64_t ran = t->boards[b].ran, cycles = linked > ran ? linked : ran;
        if (longest.board != UINT32_MAX && cycles <= longest.cycles)
            continue;
        longest = (struct longest){cycles, b, linked > ran};
        const struct added_list shorter = t->longest;
        t->longest = t->now;
        t->now = shorter;
    }
    add_group(t, first, end, &longest);
    for (uint32_t b = 0; b < t->app->boards; b++)
        t->boards[b].age += longest.cycles - t->boards[b].ran;
    return 0;
}

/* --- repeats ---------------------------------------------------------------------------------- */

/* The boards and the sums at the end of a turn of a repeat. */
struct snapshot {
    uint64_t hash;
    uint32_t *states; /* by board */
    uint64_t *totals;
    size_t total_count;
};

struct snapshots {
    struct snapshot *items;
    size_t count, capacity;
};

static void free_snapshots(struct snapshots *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].states);
        free(list->items[i].totals);
    }
    free(list->items);
}

static int take_snapshot(struct timer *t, struct snapshots *list)
{
    if (!grow_list(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return -1;
    struct snapshot *now = &list->items[list->count++];
    *now = (struct snapshot){.hash = HASH_START,
                             .states = malloc(t->app->boards * sizeof *now->states),
                             .totals = malloc(t->total_count * sizeof *now->totals),
                             .total_count = t->total_count};
    if (!now->states || !now->totals)
        return -1;
    memcpy(now->totals, t->totals, t->total_count * sizeof *now->totals);
    for (uint32_t b = 0; b < t->app->boards; b++) {
        if (t->looked && settle(t, &t->boards[b]) != 0)
            return -1;
        now->states[b] = t->boards[b].state;
        now->hash = hash_bytes(now->hash, &now->states[b], sizeof now->states[b]);
    }
    return 0;
}

/* An earlier turn's end with the same boards as the last one's; list->count: none. The first
 * snapshot is not the end of a turn: its states may have waited since. */
static size_t find_same(const struct timer *t, const struct snapshots *list)
{
    const struct snapshot *now = &list->items[list->count - 1];
    for (size_t i = 1; i + 1 < list->count; i++)
        if (list->items[i].hash == now->hash &&
            memcmp(list->items[i].states, now->states, t->app->boards * sizeof *now->states) == 0)
            return i;
    return list->count;
}

/* Everything counted since the snapshot, `times` more. */
static void multiply(struct timer *t, const struct snapshot *from, uint64_t times)
{
    for (size_t i = 0; i < t->total_count; i++)
        add(t, i, t->totals[i] - (i < from->total_count ? from->totals[i] : 0), times);
}

static int run_list(struct timer *t, size_t first, size_t end);

/* What follows `left` turns that are like the last one, or the ones since an earlier one; returns
 * how many turns are left then. */
static uint64_t skip_turns(struct timer *t, const struct snapshots *list, bool looked,
                           uint64_t left)
{
    const struct snapshot *last = &list->items[list->count - 1];
    if (!looked) {
        const struct snapshot *before = last - 1;
        const uint64_t cycles = last->totals[TOTAL] - before->totals[TOTAL];
        multiply(t, before, left);
        for (uint32_t b = 0; b < t->app->boards; b++)
            pass(t, &t->boards[b], cycles, left);
        return 0;
    }
    const size_t same = find_same(t, list);
    const uint64_t period = list->count - 1 - same;
    if (same == list->count)
        return left;
    multiply(t, &list->items[same], left / period);
    return left % period;
}

static int run_repeat(struct timer *t, size_t step)
{
    const struct app_step *s = &t->app->steps[step];
    const bool outer = t->looked;
    bool looked = false, watch = !t->how->every_turn && s->times > 1;
    struct snapshots list = {0};
    int status = 0;
    t->looked = false;
    if (watch)
        status = take_snapshot(t, &list);
    for (uint64_t left = s->times; status == 0 && left && !t->overflow;) {
        t->looked = false;
        status = run_list(t, step + 1, s->end);
        left--;
        looked |= t->looked;
        if (watch && status == 0)
            status = take_snapshot(t, &list);
        if (watch && status == 0 && left) {
            const uint64_t then = skip_turns(t, &list, t->looked, left);
            watch = then == left;
            left = then;
        }
    }
    t->looked = outer || looked;
    free_snapshots(&list);
    return status;
}

static int run_list(struct timer *t, size_t first, size_t end)
{
    const struct app_step *steps = t->app->steps;
    int status = 0;
    for (size_t s = first; status == 0 && s < end && !t->overflow;) {
        if (steps[s].kind == APP_REPEAT) {
            status = run_repeat(t, s);
            s = steps[s].end;
            continue;
        }
        size_t last = s;
        while (steps[last].with_next)
            last++;
        status = run_group(t, s, last + 1);
        s = last + 1;
    }
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int open_timer(struct timer *t)
{
    const struct app *app = t->app;
    t->total_count = STEPS + EACH * app->count;
    t->boards = calloc(app->boards, sizeof *t->boards);
    t->own = calloc(app->count, sizeof *t->own);
    t->totals = grow(NULL, &t->total_capacity, t->total_count, sizeof *t->totals);
    if (t->totals)
        memset(t->totals, 0, t->total_count * sizeof *t->totals);
    return t->boards && t->own && t->totals && app_turns_open(&t->time->turns, app) == 0 ? 0 : -1;
}

static int take_sums(const struct timer *t)
{
    struct app_time *time = t->time;
    time->total = t->totals[TOTAL];
    time->host = t->totals[HOST];
    time->sums = calloc(t->app->count, sizeof *time->sums);
    for (size_t s = 0; time->sums && s < t->app->count; s++)
        time->sums[s] = (struct app_sum){t->totals[of_step(s, EXPOSED)], t->totals[of_step(s, OWN)],
                                         t->totals[of_step(s, DONE)]};
    for (size_t r = 0; r < time->row_count; r++) {
        time->rows[r].turns = t->totals[of_row(t, r, TURNS)];
        time->rows[r].exposed = t->totals[of_row(t, r, TURNS_EXPOSED)];
    }
    return time->sums ? 0 : -1;
}

static void close_timer(struct timer *t)
{
    free(t->boards);
    free(t->own);
    free(t->totals);
    free(t->row_of);
    free(t->row_before);
    free(t->marks);
    free(t->sequence);
    free(t->now.items);
    free(t->longest.items);
}

int app_time(struct app_time *time, const struct app_how *how, struct diag_list *fault)
{
    *time = (struct app_time){.turns = {.config = how->config,
                                        .options = how->options,
                                        .alone = how->alone || how->bound,
                                        .bound = how->bound,
                                        .fresh = how->every_turn,
                                        .shown = how->shown,
                                        .fault = fault}};
    struct timer t = {.time = time, .how = how, .app = how->app};
    time->clock_hz = config_number(how->config, "clock_hz", how->options->documented);
    int status = open_timer(&t);
    if (status == 0)
        status = run_list(&t, 0, how->app->count);
    if (status == 0 && t.overflow) {
        snprintf(time->turns.error, sizeof time->turns.error,
                 "the application takes more than 2^62 cycles, which are not counted");
        time->turns.faulty = UINT32_MAX;
        status = 1;
    }
    if (status == 0)
        status = take_sums(&t);
    close_timer(&t);
    return status;
}

void app_time_free(struct app_time *time)
{
    app_turns_close(&time->turns);
    free(time->sums);
    free(time->rows);
    *time = (struct app_time){0};
}
