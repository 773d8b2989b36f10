#include "analysis/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/overlap.h"
#include "analysis/shrink.h"
#include "host/text.h"
#include "traces/starts.h"

struct piper {
    struct candidates *candidates;
    const struct pipeline_job *job;
    struct moves moves;
    struct node_starts written;
    struct fold fold;
    struct modulo modulo;
    struct pipeline *result;
    char *error;
};

/* --- rates ------------------------------------------------------------------------------------ */

/* How much later all statements of the turn after `turn` begin than those of it; STARTS_NONE: they
 * differ. */
static uint64_t shift_of(const struct turns *turns, const uint64_t *starts, uint32_t turn)
{
    uint64_t shift = STARTS_NONE;
    for (uint32_t i = 0; i < turns->pieces; i++) {
        const uint64_t from = starts[turn * turns->pieces + i],
                       to = starts[(turn + 1) * turns->pieces + i];
        if (from == STARTS_NONE || to == STARTS_NONE)
            continue;
        if (shift != STARTS_NONE && to - from != shift)
            return STARTS_NONE;
        shift = to - from;
    }
    return shift;
}

/* Of turns that are not steady: of the first position that has a start. */
static uint64_t average(const struct turns *turns, const uint64_t *starts)
{
    for (uint32_t i = 0; i < turns->pieces; i++) {
        const uint64_t from = starts[i], to = starts[(turns->count - 1) * turns->pieces + i];
        if (from != STARTS_NONE && to != STARTS_NONE && to > from)
            return (to - from + turns->count - 2) / (turns->count - 1);
    }
    return 0;
}

/* starts: of the pieces, turn by turn. */
static struct pipeline_rate rate_of(const struct turns *turns, const uint64_t *starts)
{
    struct pipeline_rate rate = {.steady = 0};
    for (uint32_t t = 0, end; t + 1 < turns->count; t = end) {
        const uint64_t shift = shift_of(turns, starts, t);
        for (end = t + 1; end + 1 < turns->count && shift_of(turns, starts, end) == shift;)
            end++;
        const uint32_t in_row = end - t + 1;
        if (shift != STARTS_NONE && in_row > 2 && in_row > rate.steady)
            rate = (struct pipeline_rate){shift, in_row};
    }
    if (!rate.steady)
        rate.interval = average(turns, starts);
    return rate;
}

static int rate_as_written(struct piper *p)
{
    const struct turns *turns = &p->result->turns;
    const struct moves_node *nodes = p->moves.blocks[0].nodes;
    const size_t count = (size_t)turns->count * turns->pieces;
    uint64_t *starts = malloc((count + 1) * sizeof *starts);
    for (size_t i = 0, n = 0; starts && i < count; i++) {
        const uint32_t line = nodes[turns->piece[i]].line;
        while (n < p->written.graph.node_count && p->written.lines[n] < line)
            n++;
        const bool has = n < p->written.graph.node_count && p->written.lines[n] == line;
        starts[i] = has ? p->written.start[n] : STARTS_NONE;
    }
    if (starts)
        p->result->written = rate_of(turns, starts);
    free(starts);
    return starts ? 0 : -1;
}

/* The nodes of the graph of what was written are in the order of the places: those of a slot are
 * one statement. */
static int rate_of_places(struct piper *p, const struct overlap *overlap,
                          const struct node_starts *found)
{
    const struct moves_block *block = &p->moves.blocks[0];
    const struct turns *turns = &p->result->turns;
    const struct graph *graph = &found->graph;
    const size_t count = (size_t)turns->count * turns->pieces;
    uint64_t *of = malloc((block->node_count + 1) * sizeof *of),
             *starts = malloc((count + 1) * sizeof *starts);
    size_t n = 0;
    for (size_t i = 0, end; of && starts && i < block->node_count; i = end) {
        const bool takes_none = block->nodes[overlap->places[i].node].kind == NODE_FREE;
        bool has = takes_none;
        for (end = i; end == i || (!takes_none && end < block->node_count &&
                                   overlap->places[end].slot == overlap->places[i].slot);
             end++) {
            const uint32_t node = overlap->places[end].node;
            has |= block->nodes[node].kind == NODE_STEP;
            of[node] = block->nodes[node].kind == NODE_WAIT || n == graph->node_count
                           ? STARTS_NONE
                           : found->start[n];
        }
        for (const size_t first = n;
             has && n < graph->node_count && graph->nodes[n].stmt == graph->nodes[first].stmt;)
            n++;
    }
    for (size_t i = 0; of && starts && i < count; i++)
        starts[i] = of[turns->piece[i]];
    if (of && starts)
        p->result->found = rate_of(turns, starts);
    const bool whole = of && starts;
    free(of);
    free(starts);
    return whole ? 0 : -1;
}

/* --- one order -------------------------------------------------------------------------------- */

static int write_text(struct piper *p, const struct overlap *overlap, char **text, size_t *size)
{
    const struct moves_place *const places[] = {overlap->places};
    *text = NULL;
    FILE *out = text_open(text, size);
    if (!out)
        return -1;
    const int status = p->moves.write(p->moves.context, places, out);
    return text_close(out, text) == 0 && status == 0 ? 0 : -1;
}

static int measure(struct piper *p, const struct overlap *overlap,
                   const struct candidate *candidate)
{
    struct source source;
    struct machine_program *program;
    struct node_starts found;
    int status = candidate_load(p->candidates, candidate, &source, &program);
    if (status != 0)
        return status;
    status = node_starts_find(&found, p->job->setup, program, candidate_needs_values(p->candidates),
                              p->error);
    if (status == 0)
        status = rate_of_places(p, overlap, &found);
    node_starts_free(&found);
    p->job->setup->machine->language->unload(program);
    source_close(&source);
    return status;
}

/* Steps between two turns in the middle. */
static uint32_t steps_of(const struct piper *p, const struct overlap *overlap)
{
    const struct turns *turns = &p->result->turns;
    const uint32_t from = turns->piece[(turns->count / 2 - 1) * turns->pieces],
                   to = turns->piece[turns->count / 2 * turns->pieces];
    uint32_t steps = 0;
    for (size_t i = 0; i < p->moves.blocks[0].node_count; i++) {
        const struct moves_place *place = &overlap->places[i];
        steps += place->node == to ? place->slot : place->node == from ? -place->slot : 0;
    }
    return steps;
}

/* Returns 1 when it is taken: it is legal, shorter and equal. */
static int judge(struct piper *p, const struct overlap *overlap)
{
    struct pipeline *result = p->result;
    uint64_t cycles = UINT64_MAX;
    bool equal = false;
    char *text;
    size_t size = 0;
    int status = write_text(p, overlap, &text, &size);
    struct candidate candidate = {.text = text, .size = size, .waits = p->job->tags};
    if (status == 0)
        status = candidate_time(p->candidates, &candidate, &cycles);
    if (status == 0 && cycles < result->before) {
        struct shrink shrink = {.candidates = p->candidates,
                                .moves = &p->moves,
                                .places = overlap->places,
                                .waits = p->job->tags,
                                .cycles = cycles};
        status = shrink_waits(&shrink);
        cycles = shrink.cycles;
        free(text);
        text = NULL;
        status = status == 0 ? write_text(p, overlap, &text, &size) : status;
        candidate.text = text;
        candidate.size = size;
    }
    if (status == 0 && cycles < result->before)
        status = candidate_compare(p->candidates, &candidate, false, &equal);
    if (status == 0 && equal)
        status = measure(p, overlap, &candidate);
    if (status == 0 && equal) {
        result->text = text;
        result->size = size;
        result->after = cycles;
        result->slots = steps_of(p, overlap);
        result->stages = overlap_stages(&p->modulo);
        return 1;
    }
    free(text);
    return status < 0 ? -1 : 0;
}

/* Returns 1 when an order with this many slots from turn to turn is taken. */
static int try_interval(struct piper *p, uint32_t slots)
{
    struct overlap overlap = {.moves = &p->moves,
                              .turns = &p->result->turns,
                              .modulo = &p->modulo,
                              .name = p->job->region};
    p->result->tries++;
    int status = modulo_run(&p->modulo, slots);
    if (status != 1)
        return status;
    status = overlap_places(&overlap);
    if (status == 1)
        status = judge(p, &overlap);
    overlap_free(&overlap);
    return status;
}

/* From the bound up to what is written. */
static int search(struct piper *p)
{
    const uint64_t most_tries = 20000000; /* slots of positions */
    struct pipeline *result = p->result;
    const uint32_t step = modulo_step(&p->modulo);
    const uint64_t each = p->moves.slot_cycles, least = result->intervals[INTERVAL_WAITS].cycles;
    uint64_t slots = (least + each - 1) / each;
    slots = slots ? (slots + step - 1) / step * step : step;
    int status = 0;
    for (; status == 0 && slots * each < result->written.interval; slots += step) {
        if (candidate_stopped(p->candidates)) {
            result->stopped = true;
            break;
        }
        if (p->modulo.tries > most_tries)
            break;
        status = try_interval(p, (uint32_t)slots);
    }
    result->kept = status == 0;
    return status < 0 ? -1 : 0;
}

/* --- all -------------------------------------------------------------------------------------- */

static void set_latencies(struct piper *p)
{
    size_t count;
    const struct candidate_transfer *list = candidate_transfers(p->candidates, &count);
    struct moves_block *block = &p->moves.blocks[0];
    for (size_t n = 0; n < block->node_count; n++)
        for (size_t i = 0; block->nodes[n].transfer && i < count; i++)
            if (list[i].line == block->nodes[n].line)
                block->nodes[n].latency = list[i].cycles;
}

/* The loop is one run of the block's nodes. */
static int check_run(struct piper *p)
{
    const struct turns *turns = &p->result->turns;
    const struct moves_node *nodes = p->moves.blocks[0].nodes;
    const uint32_t size = turns->count * turns->pieces;
    for (uint32_t i = 1; i < size; i++) {
        const uint32_t before = turns->piece[i - 1], next = turns->piece[i];
        const uint32_t low = before < next ? before : next, high = before < next ? next : before;
        for (uint32_t n = low + 1; n < high; n++)
            if (nodes[n].line != nodes[low].line && nodes[n].line != nodes[high].line) {
                snprintf(p->error, MACHINE_ERROR,
                         "line %u is between two turns of '%.60s' and not in that region",
                         nodes[n].line, p->job->region);
                return 1;
            }
    }
    return 0;
}

static int keep_names(struct piper *p)
{
    const struct graph *graph = &p->written.graph;
    p->result->unit = calloc(graph->unit_count + 1, sizeof *p->result->unit);
    for (size_t u = 0; p->result->unit && u < graph->unit_count; u++)
        memcpy(p->result->unit[u], graph->units[u].name, GRAPH_NAME);
    return p->result->unit ? 0 : -1;
}

static int find_loop(struct piper *p)
{
    struct pipeline *result = p->result;
    const struct candidate_setup *setup = p->job->setup;
    int status = candidate_moves(p->candidates, &p->moves, p->error);
    if (status == 0)
        status = node_starts_find(&p->written, setup, candidate_program(p->candidates),
                                  candidate_needs_values(p->candidates), p->error);
    if (status != 0)
        return status;
    set_latencies(p);
    const struct turns_job job = {.source = setup->source,
                                  .region = p->job->region,
                                  .block = &p->moves.blocks[0],
                                  .starts = &p->written};
    status = turns_find(&result->turns, &job, p->error);
    if (status == 0)
        status = check_run(p);
    if (status == 0)
        status = rate_as_written(p);
    if (status == 0)
        status = interval_find(result->intervals, &result->turns, &p->written, &p->moves);
    return status == 0 ? keep_names(p) : status;
}

/* A write fails if there was no memory for an earlier call that says what shares a step. */
static int check_answers(struct piper *p)
{
    const size_t count = p->moves.blocks[0].node_count;
    struct overlap as_written = {.places = malloc((count + 1) * sizeof *as_written.places)};
    char *text = NULL;
    size_t size;
    for (uint32_t n = 0; as_written.places && n < count; n++)
        as_written.places[n] = (struct moves_place){.node = n, .slot = n};
    const int status = as_written.places ? write_text(p, &as_written, &text, &size) : -1;
    free(text);
    free(as_written.places);
    return status;
}

static void set_verdict(struct piper *p)
{
    struct pipeline *result = p->result;
    const uint64_t bound = result->intervals[INTERVAL_ANY_ORDER].cycles,
                   waits = result->intervals[INTERVAL_WAITS].cycles;
    if (result->kept)
        result->found = result->written;
    result->optimal = result->found.steady && result->found.interval == waits;
    result->same_waits = result->optimal && result->found.interval > bound;
    result->reason = !result->kept     ? ""
                     : result->optimal ? "no shorter interval is possible"
                     : result->found.interval < waits
                         ? "its turns begin faster than any number of turns can"
                     : result->stopped ? "the search was stopped"
                                       : "no shorter interval was found that saves time";
    result->first = result->turns.line[0];
    result->last = result->turns.line[result->turns.count * result->turns.lines - 1];
}

int pipeline_find(struct candidates *candidates, const struct pipeline_job *job,
                  struct pipeline *result, char error[MACHINE_ERROR])
{
    struct piper p = {.candidates = candidates,
                      .job = job,
                      .moves = {.tags = job->tags, .join_parts = true},
                      .result = result,
                      .error = error};
    *result = (struct pipeline){.program = job->setup->source->name,
                                .region = job->region,
                                .equal = candidate_tried(candidates, job->tags),
                                .before = candidate_cycles(candidates),
                                .after = candidate_cycles(candidates),
                                .reason = ""};
    int status = find_loop(&p);
    if (status == 0)
        status = interval_fold(&result->turns, &p.moves, false, &p.fold);
    fold_thin(&p.fold);
    if (status == 0)
        status = modulo_open(&p.modulo, &p.moves, &result->turns, &p.fold);
    if (status == 0)
        status = search(&p);
    if (status == 0)
        status = check_answers(&p);
    if (status == 0)
        set_verdict(&p);
    modulo_free(&p.modulo);
    fold_free(&p.fold);
    node_starts_free(&p.written);
    result->pairs = moves_free_but_pairs(&p.moves, &result->pair_count);
    if (result->kept)
        moves_pairs_untagged(result->pairs, result->pair_count);
    return status;
}

void pipeline_free(struct pipeline *pipeline)
{
    turns_free(&pipeline->turns);
    interval_free(pipeline->intervals);
    free(pipeline->unit);
    free(pipeline->text);
    free(pipeline->pairs);
}
