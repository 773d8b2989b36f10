#include "analysis/app_turn.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/hash.h"
#include "timing/run.h"

/* --- tables ----------------------------------------------------------------------------------- */

static uint64_t hash_state(const struct memory_state *state)
{
    return state->bytes ? hash_bytes(HASH_START, state->bytes, state->size)
                        : hash_bytes(HASH_START, &state->at, sizeof state->at);
}

static uint64_t hash_turn(uint32_t program, uint32_t state)
{
    const uint32_t key[] = {program, state};
    return hash_bytes(HASH_START, key, sizeof key);
}

/* Slots for one more entry, at most half full. hash gives that of entry i. */
static int widen(struct app_turns *t, uint32_t **slots, size_t *slot_count, size_t count,
                 uint64_t (*hash)(const struct app_turns *t, size_t i))
{
    if (*slot_count > 2 * (count + 1))
        return 0;
    const size_t size = *slot_count ? 2 * *slot_count : 64;
    uint32_t *wider = count < UINT32_MAX / 4 ? calloc(size, sizeof *wider) : NULL;
    if (!wider)
        return -1;
    for (size_t i = 0; i < count; i++) {
        size_t at = hash(t, i) % size;
        while (wider[at])
            at = (at + 1) % size;
        wider[at] = (uint32_t)i + 1;
    }
    free(*slots);
    *slots = wider;
    *slot_count = size;
    return 0;
}

static uint64_t state_hash(const struct app_turns *t, size_t i)
{
    return hash_state(&t->states[i]);
}

static uint64_t turn_hash(const struct app_turns *t, size_t i)
{
    return hash_turn(t->turns[i].program, t->turns[i].state);
}

/* The number of a state, which is given up. */
static int number_state(struct app_turns *t, struct memory_state *state, uint32_t *number)
{
    if (!grow_list(&t->states, &t->state_capacity, t->state_count + 1, sizeof *t->states) ||
        widen(t, &t->state_slots, &t->state_slot_count, t->state_count, state_hash)) {
        memory_state_free(state);
        return -1;
    }
    size_t at = hash_state(state) % t->state_slot_count;
    for (; t->state_slots[at]; at = (at + 1) % t->state_slot_count)
        if (memory_state_equal(&t->states[t->state_slots[at] - 1], state)) {
            *number = t->state_slots[at] - 1;
            memory_state_free(state);
            return 0;
        }
    t->states[t->state_count] = *state;
    *number = (uint32_t)t->state_count++;
    t->state_slots[at] = *number + 1;
    return 0;
}

int app_turns_wait(struct app_turns *t, uint32_t state, uint64_t cycles, uint32_t *after)
{
    struct memory_state later = {0};
    if (memory_state_copy(&later, &t->states[state]) != 0 || memory_wait(&later, cycles) != 0) {
        memory_state_free(&later);
        return -1;
    }
    return number_state(t, &later, after);
}

int app_turns_open(struct app_turns *t, const struct app *app)
{
    struct memory_state start = {0};
    uint32_t number;
    t->app = app;
    t->unasked = calloc(app->program_count + 1, sizeof *t->unasked);
    return t->unasked ? number_state(t, &start, &number) : -1;
}

void app_turns_close(struct app_turns *t)
{
    for (size_t i = 0; i < t->state_count; i++)
        memory_state_free(&t->states[i]);
    for (size_t i = 0; i < t->count; i++) {
        free(t->turns[i].busy);
        free(t->turns[i].path);
    }
    for (size_t i = 0; i < t->unit_count; i++) {
        free(t->units[i].name);
        free(t->units[i].path);
    }
    free(t->states);
    free(t->turns);
    free(t->units);
    free(t->slots);
    free(t->state_slots);
    free(t->unasked);
    t->states = NULL;
    t->turns = NULL;
    t->units = NULL;
    t->slots = t->state_slots = t->unasked = NULL;
    t->state_count = t->count = t->unit_count = 0;
}

/* --- what a turn is shown as ------------------------------------------------------------------ */

/* Taken from the run's sink. */
struct shown {
    struct app_turns *turns;
    struct app_turn *turn;
    uint32_t *units; /* numbers of the run's units */
};

static int number_unit(struct app_turns *t, const struct unit_info *unit, uint32_t *number)
{
    for (*number = 0; *number < t->unit_count; ++*number)
        if (strcmp(t->units[*number].path, unit->path) == 0)
            return 0;
    if (!grow_list(&t->units, &t->unit_capacity, t->unit_count + 1, sizeof *t->units))
        return -1;
    struct app_unit *added = &t->units[t->unit_count++];
    *added = (struct app_unit){strdup(unit->name), strdup(unit->path), unit->instances};
    return added->name && added->path ? 0 : -1;
}

static int begin(void *context, const struct sink_header *header)
{
    struct shown *s = context;
    s->units = calloc(header->unit_count + 1, sizeof *s->units);
    for (size_t u = 0; s->units && u < header->unit_count; u++)
        if (number_unit(s->turns, &header->units[u], &s->units[u]) != 0)
            return -1;
    return s->units ? 0 : -1;
}

static void add_share(struct app_share *shares, size_t *count, const struct app_share *more)
{
    size_t i = 0;
    while (i < *count && (shares[i].unit != more->unit || shares[i].reason != more->reason))
        i++;
    if (i == *count)
        shares[(*count)++] = (struct app_share){more->unit, more->reason, 0};
    shares[i].cycles += more->cycles;
}

static int finish(void *context, const struct sink_summary *summary)
{
    struct shown *s = context;
    struct app_turn *turn = s->turn;
    turn->busy = calloc(summary->unit_total_count + 1, sizeof *turn->busy);
    turn->path = calloc(s->turns->unit_count * REASON_MAX + 1, sizeof *turn->path);
    if (!turn->busy || !turn->path)
        return -1;
    for (size_t i = 0; i < summary->unit_total_count; i++) {
        const struct sink_unit_total *total = &summary->unit_totals[i];
        const struct app_share share = {s->units[total->unit], REASON_BUSY, total->cycles};
        if (total->reason == REASON_BUSY && total->cycles)
            add_share(turn->busy, &turn->busy_count, &share);
    }
    for (size_t i = 0; i < summary->crit_count; i++) {
        const struct sink_crit *crit = &summary->crit[i];
        const struct app_share share = {crit->unit == NONE_ID ? NONE_ID : s->units[crit->unit],
                                        crit->reason, crit->duration};
        add_share(turn->path, &turn->path_count, &share);
    }
    return 0;
}

/* --- a turn ----------------------------------------------------------------------------------- */

/* The lower bound of the turn, by the run that has ended. */
static int find_alone(const struct app_turns *t, struct machine_run *run, struct app_turn *turn)
{
    return t->alone ? run_again(run, &(struct model_options){.config = t->config, .alone = true},
                                &turn->cycles)
                    : 0;
}

/* What is proven of the program, whatever memory it finds: the rows of a DRAM are left out. */
static int prove(struct app_turns *t, const struct run_setup *setup, struct app_turn *turn)
{
    enum { MOST_NODES = 1000000 };
    struct machine_proof proof;
    const int status = machine_prove(&proof, t->app->machine, setup, MOST_NODES, t->error);
    for (size_t i = 0; status == 0 && i < proof.bounds.count; i++)
        if (proof.bounds.rows[i].class == *t->bound && proof.bounds.rows[i].cycles > turn->cycles)
            turn->cycles = proof.bounds.rows[i].cycles;
    machine_proof_free(&proof);
    return status;
}

/* The run to its end; later: the memory after it. */
static int run_to_end(struct app_turns *t, struct machine_run *run, struct app_turn *turn,
                      struct memory_state *later, bool *asked)
{
    int status = run_whole(run, t->fault, t->error);
    if (status != 0)
        return status;
    turn->cycles = run_total(run->model);
    turn->events = run->model->kernel.events;
    t->simulated++;
    t->events += turn->events;
    if (run_leave(run, later, asked) != 0)
        return -1;
    return find_alone(t, run, turn);
}

static int simulate(struct app_turns *t, struct app_turn *turn, struct memory_state *later,
                    bool *asked)
{
    static const struct sink_ops shows = {.name = "turn", .begin = begin, .finish = finish};
    struct shown shown = {t, turn, NULL};
    const struct sink sink = {t->shown ? &shows : run_unseen.ops, &shown};
    struct run_options options = *t->options;
    options.timing_only = true;
    options.total_only = true;
    options.found = t->alone ? NULL : &t->states[turn->state];
    const struct run_setup setup = {t->app->programs[turn->program].program, t->config, &options,
                                    &sink};
    struct machine_run *run;
    t->faulty = turn->program;
    if (t->bound)
        return prove(t, &setup, turn);
    int status = memory_state_copy(later, &t->states[turn->state]);
    if (status == 0)
        status = run_open(&run, t->app->machine, &setup, t->fault, t->error);
    if (status == 0) {
        status = run_to_end(t, run, turn, later, asked);
        run_close(run);
    }
    free(shown.units);
    return status;
}

static int add_turn(struct app_turns *t, struct app_turn *turn, uint32_t *number)
{
    if (!grow_list(&t->turns, &t->capacity, t->count + 1, sizeof *t->turns) ||
        widen(t, &t->slots, &t->slot_count, t->count, turn_hash) != 0) {
        free(turn->busy);
        free(turn->path);
        return -1;
    }
    size_t at = hash_turn(turn->program, turn->state) % t->slot_count;
    while (t->slots[at])
        at = (at + 1) % t->slot_count;
    t->turns[t->count] = *turn;
    *number = (uint32_t)t->count++;
    t->slots[at] = *number + 1;
    return 0;
}

/* A turn seen before, or false. */
static bool seen(const struct app_turns *t, uint32_t program, uint32_t state, uint32_t *turn)
{
    if (t->unasked[program]) {
        *turn = t->unasked[program] - 1;
        return true;
    }
    size_t at = t->slot_count ? hash_turn(program, state) % t->slot_count : 0;
    for (; t->slot_count && t->slots[at]; at = (at + 1) % t->slot_count) {
        *turn = t->slots[at] - 1;
        if (t->turns[*turn].program == program && t->turns[*turn].state == state)
            return true;
    }
    return false;
}

/* Another turn of what has been shown already: it is the same, or the model is broken. */
static int check_again(struct app_turns *t, const struct app_turn *first, struct app_turn *again)
{
    free(again->busy);
    free(again->path);
    if (first->cycles == again->cycles && first->leaves == again->leaves)
        return 0;
    snprintf(
        t->error, sizeof t->error,
        "broken invariant of the model: of two turns that find the same one takes %llu cycles, "
        "one %llu",
        (unsigned long long)first->cycles, (unsigned long long)again->cycles);
    return -1;
}

int app_turns_at(struct app_turns *t, uint32_t program, uint32_t state, uint32_t *number)
{
    const bool known = seen(t, program, state, number);
    if (known && !t->fresh)
        return 0;
    struct app_turn turn = {.program = program, .state = state};
    struct memory_state later = {0};
    bool asked = false;
    int status = simulate(t, &turn, &later, &asked);
    if (status == 0 && asked && !t->alone)
        status = number_state(t, &later, &turn.leaves);
    else
        memory_state_free(&later);
    if (status != 0) {
        free(turn.busy);
        free(turn.path);
        return status;
    }
    if (!asked || t->alone)
        turn.state = turn.leaves = APP_NO_STATE;
    if (known)
        return check_again(t, &t->turns[*number], &turn);
    status = add_turn(t, &turn, number);
    if (status == 0 && turn.state == APP_NO_STATE)
        t->unasked[program] = *number + 1;
    return status;
}
