/* bounds_raise: heads and tails by the work of other units, see bounds_search.h. */
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/bounds_search.h"

/* Windows are so small that all of them together are not much more than this. */
enum { VISITS = 1 << 18, NARROW = 16, WIDE = 512 };

int raises_start(struct search *search)
{
    const struct graph *graph = search->graph;
    const size_t each = VISITS / graph->node_count;
    search->window = each < NARROW ? NARROW : each > WIDE ? WIDE : each;
    search->lag = malloc((search->window + 1) * sizeof *search->lag);
    search->done = malloc((search->window + 1) * sizeof *search->done);
    search->load = calloc(graph->unit_count + 1, sizeof *search->load);
    search->loaded = malloc((graph->unit_count + 1) * sizeof *search->loaded);
    size_t most = 0; /* uses of a node */
    for (size_t n = 0; n < graph->node_count; n++)
        most = graph->nodes[n].use_count > most ? graph->nodes[n].use_count : most;
    const size_t room = (search->window + 1) * most + 1;
    search->found = malloc(room * sizeof *search->found);
    search->found_unit = malloc(room * sizeof *search->found_unit);
    return search->lag && search->done && search->load && search->loaded && search->found &&
                   search->found_unit
               ? 0
               : -1;
}

void raises_end(struct search *search)
{
    free(search->lag);
    free(search->done);
    free(search->load);
    free(search->loaded);
    free(search->found);
    free(search->found_unit);
}

/* --- lags within a window --------------------------------------------------------------------- */

static void reach(int64_t *lag, int64_t most)
{
    if (most > *lag)
        *lag = most;
}

static void forget(struct search *search, size_t count)
{
    for (size_t k = 0; k <= count; k++)
        search->lag[k] = search->done[k] = -1;
}

/* From a node to the next one as written; -1: they are of two streams, or the order is free. */
static int64_t step_lag(const struct search *search, size_t next)
{
    const struct graph_node *nodes = search->graph->nodes;
    if (search->class != BOUND_THIS_ORDER || nodes[next].stream != nodes[next - 1].stream)
        return -1;
    return nodes[next].joined ? 0 : (int64_t)nodes[next - 1].issue;
}

/* From starts and completions of the nodes [first, node) to the start of the node. */
static void lags_to(struct search *search, uint32_t first, uint32_t node)
{
    const struct graph *graph = search->graph;
    int64_t *lag = search->lag, *done = search->done;
    forget(search, node - first);
    lag[node - first] = 0;
    size_t a = graph_arcs_of(graph, (size_t)node + 1);
    for (uint32_t to = node; to > first; to--) {
        const int64_t here = lag[to - first], step = step_lag(search, to);
        if (here >= 0 && step >= 0)
            reach(&lag[to - 1 - first], here + step);
        for (uint64_t least; a > 0 && graph->arcs[a - 1].to == to; a--) {
            const struct graph_arc *arc = &graph->arcs[a - 1];
            if (here < 0 || arc->from < first || !search_holds(search->class, arc, &least))
                continue;
            reach(&lag[arc->from - first], here + (int64_t)least);
            if (arc->completes)
                reach(&done[arc->from - first], here + (int64_t)arc->after);
        }
    }
}

/* From the start of a node, or from its completion, to the starts of the nodes (node, last]. */
static void lags_from(struct search *search, uint32_t node, uint32_t last, bool completion)
{
    const struct graph *graph = search->graph;
    int64_t *lag = search->lag;
    forget(search, last - node);
    lag[0] = completion ? -1 : 0;
    size_t a = graph_arcs_of(graph, (size_t)node + 1);
    for (uint32_t to = node + 1; to <= last; to++) {
        const int64_t step = step_lag(search, to);
        if (lag[to - 1 - node] >= 0 && step >= 0)
            reach(&lag[to - node], lag[to - 1 - node] + step);
        for (uint64_t least; a < graph->arc_count && graph->arcs[a].to == to; a++) {
            const struct graph_arc *arc = &graph->arcs[a];
            if (arc->from < node || !search_holds(search->class, arc, &least))
                continue;
            if (completion && arc->from == node && arc->completes)
                reach(&lag[to - node], (int64_t)arc->after);
            else if (lag[arc->from - node] >= 0)
                reach(&lag[to - node], lag[arc->from - node] + (int64_t)least);
        }
    }
}

/* --- the work in a window --------------------------------------------------------------------- */

struct place {
    enum raise_event event;
    uint32_t node;
    size_t units, found; /* in search->loaded, search->found */
};

static void load(struct search *search, struct place *place, const struct job *job, uint32_t unit)
{
    struct raise_load *load = &search->load[unit];
    if (!load->count) {
        search->loaded[place->units++] = unit;
        *load = (struct raise_load){.tail = INT64_MIN};
    }
    load->count++;
    load->work += job->work;
    load->head = job->head > load->head ? job->head : load->head;
    load->tail = job->tail > load->tail ? job->tail : load->tail;
    search->found[place->found] = *job;
    search->found_unit[place->found++] = unit;
}

/* Uses of a node that is `lag` cycles before or after. */
static void load_node(struct search *search, struct place *place, uint32_t node, int64_t lag,
                      int64_t done)
{
    const struct graph_node *of = &search->graph->nodes[node];
    for (size_t u = of->use; u < of->use + of->use_count; u++) {
        const struct graph_use *use = &search->graph->uses[u];
        const uint64_t width = search_width(search->graph, use->unit);
        struct job job = {.work = search_work(use), .node = node};
        if (!search_works(search->class, use))
            continue;
        if (place->event != RAISE_HEAD) {
            job.head = (uint64_t)lag + use->offset;
            job.tail = search_tail(search, node, use);
        } else if (!use->spread || done >= 0) {
            job.head = search->ends[node].head + use->offset;
            job.tail = use->spread ? (int64_t)use->after + done
                                   : lag - (int64_t)(use->offset + use->cycles);
        } else {
            continue;
        }
        job.head *= width;
        job.tail *= (int64_t)width;
        load(search, place, &job, use->unit);
    }
}

static int by_number(const void *first, const void *second)
{
    const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return a < b ? -1 : a > b;
}

static int record(struct search *search, const struct place *place, uint32_t unit,
                  const struct job_set *set, uint64_t cycles)
{
    struct bound_raises *raises = search->raises;
    const uint64_t width = search_width(search->graph, unit);
    struct bound_raise *list =
        grow(raises->list, &raises->capacity, raises->count + 1, sizeof *list);
    if (!list)
        return -1;
    raises->list = list;
    uint32_t *members = grow(raises->members, &raises->member_capacity,
                             raises->member_count + set->count, sizeof *members);
    if (!members)
        return -1;
    raises->members = members;
    list[raises->count++] = (struct bound_raise){.event = place->event,
                                                 .node = place->node,
                                                 .unit = unit,
                                                 .cycles = cycles,
                                                 .head = set->head / width,
                                                 .tail = set->tail / (int64_t)width,
                                                 .first = raises->member_count,
                                                 .count = set->count};
    for (size_t j = 0; j < search->load[unit].count; j++)
        if (job_in(&search->jobs[j], set))
            members[raises->member_count++] = search->jobs[j].node;
    qsort(members + list[raises->count - 1].first, set->count, sizeof *members, by_number);
    return 0;
}

/* Starts are multiples of the quantum. */
static uint64_t proved(const struct search *search, const struct place *place, uint32_t unit,
                       const struct job_set *set)
{
    const uint64_t width = search_width(search->graph, unit), quantum = search->graph->quantum;
    const int64_t sum = (int64_t)(set->head + set->work) + set->tail;
    const uint64_t cycles = sum > 0 ? ((uint64_t)sum + width - 1) / width : 0;
    return place->event == RAISE_HEAD ? (cycles + quantum - 1) / quantum * quantum : cycles;
}

/* Of each unit the set that proves most, where that is more than is known. */
static void raise(struct search *search, const struct place *place, uint64_t *value)
{
    for (size_t i = 0; i < place->units; i++) {
        const uint32_t unit = search->loaded[i];
        struct raise_load *load = &search->load[unit];
        const struct job_set most = {.head = load->head, .work = load->work, .tail = load->tail};
        if (load->count > 1 && !search->failed && proved(search, place, unit, &most) > *value) {
            size_t count = 0;
            for (size_t j = 0; j < place->found; j++)
                if (search->found_unit[j] == unit)
                    search->jobs[count++] = search->found[j];
            const struct job_set set = one_unit_most(search->jobs, count, search->heap);
            const uint64_t cycles = proved(search, place, unit, &set);
            if (cycles > *value) {
                *value = cycles;
                search->failed |= record(search, place, unit, &set, cycles) != 0;
            }
        }
        load->count = 0;
    }
}

void raise_head(struct search *search, uint32_t node)
{
    const uint32_t first = node > search->window ? node - (uint32_t)search->window : 0;
    struct place place = {.event = RAISE_HEAD, .node = node};
    lags_to(search, first, node);
    for (uint32_t n = first; n < node; n++)
        if (search->lag[n - first] >= 0)
            load_node(search, &place, n, search->lag[n - first], search->done[n - first]);
    raise(search, &place, &search->ends[node].head);
}

static void raise_from(struct search *search, uint32_t node, bool completion, uint64_t *value)
{
    const size_t count = search->graph->node_count;
    const uint32_t last =
        count - node > search->window ? node + (uint32_t)search->window : (uint32_t)count - 1;
    struct place place = {.event = completion ? RAISE_BEHIND : RAISE_TAIL, .node = node};
    lags_from(search, node, last, completion);
    for (uint32_t n = node + 1; n <= last; n++)
        if (search->lag[n - node] >= 0)
            load_node(search, &place, n, search->lag[n - node], -1);
    raise(search, &place, value);
}

void raise_tail(struct search *search, uint32_t node)
{
    raise_from(search, node, false, &search->ends[node].tail);
    if (search->graph->nodes[node].transfer)
        raise_from(search, node, true, &search->behind[node]);
}
