/* bounds: longest paths, and the work of each unit between heads and tails, see bounds.h. */
#include "timing/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

const char *const bound_class_names[BOUND_CLASSES] = {"this-order", "any-order", "free-places"};
const char *const bound_kind_names[BOUND_KINDS] = {"path", "unit", "issue", "transfer", "combined"};

/* Of each node: its earliest start and where that comes from, the least from its start to the end
 * of the program and what follows. */
struct ends {
    uint64_t head, tail;
    uint32_t before, after; /* GRAPH_NONE: it begins, or ends, a path */
};

struct search {
    const struct graph *graph;
    struct bounds *bounds;
    enum bound_class class;
    struct ends *ends;
    uint64_t *behind;  /* of each node: the least that follows its completion */
    size_t *first_use; /* by unit: where its uses begin in `used` */
    uint32_t *used;    /* nodes, by unit */
};

void bounds_free(struct bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++) {
        free(bounds->rows[i].nodes);
        free(bounds->rows[i].lags);
    }
    free(bounds->rows);
    *bounds = (struct bounds){.rows = NULL};
}

const struct bound *bounds_best(const struct bounds *bounds, enum bound_class class)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].class == class)
            return &bounds->rows[i];
    return NULL;
}

/* --- heads and tails -------------------------------------------------------------------------- */

/* Whether an arc holds in a class, and with which lag. */
static bool holds(enum bound_class class, const struct graph_arc *arc, uint64_t *lag)
{
    *lag = class == BOUND_FREE_PLACES ? arc->least : arc->lag;
    if (arc->from > arc->to)
        return false; /* both start together, or the other one later */
    return class == BOUND_THIS_ORDER ||
           (arc->kind != ARC_PORT &&
            (class == BOUND_ANY_ORDER || (arc->kind == ARC_RAW && arc->certain)));
}

static void push_head(struct ends *ends, uint32_t from, uint32_t to, uint64_t lag)
{
    if (ends[from].head + lag <= ends[to].head)
        return;
    ends[to].head = ends[from].head + lag;
    ends[to].before = from;
}

static void push_tail(struct ends *ends, uint32_t from, uint32_t to, uint64_t lag)
{
    if (ends[to].tail + lag <= ends[from].tail)
        return;
    ends[from].tail = ends[to].tail + lag;
    ends[from].after = to;
}

/* The nodes [first, end) start together: so all of them start with the last, and end with it. */
static void level(struct search *search, size_t first, size_t end, bool tails)
{
    struct ends *ends = search->ends;
    size_t last = first;
    for (size_t n = first + 1; n < end; n++)
        if (tails ? ends[n].tail > ends[last].tail : ends[n].head > ends[last].head)
            last = n;
    for (size_t n = first; n < end; n++)
        if (tails)
            push_tail(ends, (uint32_t)n, (uint32_t)last, 0);
        else
            push_head(ends, (uint32_t)last, (uint32_t)n, 0);
}

/* The end of the nodes that start with node n, as written. */
static size_t together(const struct graph *graph, size_t n)
{
    size_t end = n + 1;
    while (end < graph->node_count && graph->nodes[end].joined)
        end++;
    return end;
}

static size_t first_of(const struct graph *graph, size_t n)
{
    while (graph->nodes[n].joined)
        n--;
    return n;
}

static void find_heads(struct search *search)
{
    const struct graph *graph = search->graph;
    const bool ordered = search->class == BOUND_THIS_ORDER;
    size_t a = 0;
    for (size_t n = 0, end; n < graph->node_count; n = end) {
        end = ordered ? together(graph, n) : n + 1;
        for (size_t k = n; k < end; k++) {
            search->ends[k].head = graph->nodes[k].release;
            search->ends[k].before = GRAPH_NONE;
        }
        if (ordered && n > 0 && graph->nodes[n].stream == graph->nodes[n - 1].stream)
            push_head(search->ends, (uint32_t)n - 1, (uint32_t)n, graph->nodes[n - 1].issue);
        for (uint64_t lag; a < graph->arc_count && graph->arcs[a].to < end; a++)
            if (holds(search->class, &graph->arcs[a], &lag))
                push_head(search->ends, graph->arcs[a].from, graph->arcs[a].to, lag);
        if (ordered)
            level(search, n, end, false);
    }
}

static void pull(struct search *search, const struct graph_arc *arc)
{
    uint64_t lag;
    if (!holds(search->class, arc, &lag))
        return;
    push_tail(search->ends, arc->from, arc->to, lag);
    const uint64_t behind = arc->after + search->ends[arc->to].tail;
    if (arc->completes && behind > search->behind[arc->from])
        search->behind[arc->from] = behind;
}

static void find_tails(struct search *search)
{
    const struct graph *graph = search->graph;
    const bool ordered = search->class == BOUND_THIS_ORDER;
    size_t a = graph->arc_count;
    for (size_t n = 0; n < graph->node_count; n++) {
        search->ends[n].tail = graph->nodes[n].length;
        search->ends[n].after = GRAPH_NONE;
        search->behind[n] = 0;
    }
    for (size_t end = graph->node_count, n; end > 0; end = n) {
        n = ordered ? first_of(graph, end - 1) : end - 1;
        if (ordered)
            level(search, n, end, true);
        for (; a > 0 && graph->arcs[a - 1].to >= n; a--)
            pull(search, &graph->arcs[a - 1]);
        if (ordered && n > 0 && graph->nodes[n].stream == graph->nodes[n - 1].stream)
            push_tail(search->ends, (uint32_t)n - 1, (uint32_t)n, graph->nodes[n - 1].issue);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A row with room for so many nodes. */
static struct bound *add_row(struct search *search, enum bound_kind kind, uint32_t unit,
                             size_t nodes)
{
    struct bounds *bounds = search->bounds;
    struct bound *rows = grow(bounds->rows, &bounds->capacity, bounds->count + 1, sizeof *rows);
    if (!rows)
        return NULL;
    bounds->rows = rows;
    struct bound *row = &rows[bounds->count];
    *row =
        (struct bound){.class = search->class,
                       .kind = kind,
                       .unit = unit,
                       .nodes = malloc((nodes + 1) * sizeof *row->nodes),
                       .lags = kind == BOUND_PATH ? malloc((nodes + 1) * sizeof *row->lags) : NULL,
                       .node_count = nodes};
    bounds->count++;
    return row->nodes && (row->lags || kind != BOUND_PATH) ? row : NULL;
}

static int add_path(struct search *search)
{
    const struct ends *ends = search->ends;
    size_t best = 0, count = 1, at = 0;
    for (size_t n = 0; n < search->graph->node_count; n++)
        if (ends[n].head + ends[n].tail > ends[best].head + ends[best].tail)
            best = n;
    uint32_t first = (uint32_t)best, last = (uint32_t)best;
    for (; ends[first].before != GRAPH_NONE; count++)
        first = ends[first].before;
    for (; ends[last].after != GRAPH_NONE; count++)
        last = ends[last].after;
    struct bound *row = add_row(search, BOUND_PATH, GRAPH_NONE, count);
    if (!row)
        return -1;
    row->cycles = ends[best].head + ends[best].tail;
    row->head = ends[first].head;
    row->tail = (int64_t)ends[last].tail;
    for (uint32_t n = (uint32_t)best; n != GRAPH_NONE; n = ends[n].before)
        at++;
    for (uint32_t n = (uint32_t)best, k = (uint32_t)at; n != GRAPH_NONE; n = ends[n].before) {
        row->nodes[--k] = n;
        if (k > 0)
            row->lags[k - 1] = ends[n].head - ends[ends[n].before].head;
    }
    for (uint32_t n = (uint32_t)best; ends[n].after != GRAPH_NONE; n = ends[n].after) {
        row->lags[at - 1] = ends[n].tail - ends[ends[n].after].tail;
        row->nodes[at++] = ends[n].after;
    }
    return 0;
}

/* --- the work of a unit ----------------------------------------------------------------------- */

struct job {
    uint64_t head, work, left, ended;
    int64_t tail;
    uint32_t node;
};

static int by_head(const void *first, const void *second)
{
    const struct job *a = first, *b = second;
    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static int by_number(const void *first, const void *second)
{
    const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return a < b ? -1 : a > b;
}

/* A heap of jobs by the largest tail. */
struct heap {
    struct job **jobs;
    size_t count;
};

static bool longer(const struct job *a, const struct job *b)
{
    return a->tail != b->tail ? a->tail > b->tail : a->node < b->node;
}

static void heap_push(struct heap *heap, struct job *job)
{
    size_t at = heap->count++;
    for (; at > 0 && longer(job, heap->jobs[(at - 1) / 2]); at = (at - 1) / 2)
        heap->jobs[at] = heap->jobs[(at - 1) / 2];
    heap->jobs[at] = job;
}

static void heap_pop(struct heap *heap)
{
    struct job *moved = heap->jobs[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && longer(heap->jobs[child + 1], heap->jobs[child]))
            child++;
        if (!longer(heap->jobs[child], moved))
            break;
        heap->jobs[at] = heap->jobs[child];
    }
    heap->jobs[at] = moved;
}

/* Who works when it is always the one with the longest tail of those that may: the latest end is
 * the largest of what all sets of jobs prove (Carlier 1982). Sets `ended`; returns the job that
 * ends latest with its tail. */
static const struct job *serve(struct job *jobs, size_t count, struct heap *heap)
{
    const struct job *worst = NULL;
    uint64_t now = 0;
    size_t next = 0;
    heap->count = 0;
    while (next < count || heap->count) {
        if (!heap->count && jobs[next].head > now)
            now = jobs[next].head;
        while (next < count && jobs[next].head <= now)
            heap_push(heap, &jobs[next++]);
        struct job *job = heap->jobs[0];
        const uint64_t until = now + job->left;
        if (next < count && jobs[next].head < until) {
            job->left -= jobs[next].head - now;
            now = jobs[next].head;
            continue;
        }
        now = job->ended = until;
        job->left = 0;
        heap_pop(heap);
        if (!worst || (int64_t)now + job->tail > (int64_t)worst->ended + worst->tail)
            worst = job;
    }
    return worst;
}

/* The set behind the worst job: of the jobs with at least its tail those with heads from the one on
 * that proves most. Returns its head. */
static uint64_t head_of_set(const struct job *jobs, size_t count, const struct job *worst)
{
    uint64_t head = worst->head, most = 0, work = 0;
    for (size_t j = count; j-- > 0;) {
        if (jobs[j].tail < worst->tail)
            continue;
        work += jobs[j].work;
        if (jobs[j].head + work >= most) {
            most = jobs[j].head + work;
            head = jobs[j].head;
        }
    }
    return head;
}

static int add_unit(struct search *search, uint32_t unit, bool spread, struct job *jobs,
                    size_t count, struct heap *heap)
{
    qsort(jobs, count, sizeof *jobs, by_head);
    const struct job *worst = serve(jobs, count, heap);
    const uint64_t head = head_of_set(jobs, count, worst);
    size_t members = 0;
    for (size_t j = 0; j < count; j++)
        members += jobs[j].head >= head && jobs[j].tail >= worst->tail;
    const enum bound_kind kind = spread                                          ? BOUND_TRANSFER
                                 : search->graph->units[unit].unit == GRAPH_NONE ? BOUND_ISSUE
                                                                                 : BOUND_UNIT;
    struct bound *row = add_row(search, kind, unit, members);
    if (!row)
        return -1;
    row->head = head;
    row->tail = worst->tail;
    uint64_t work = 0;
    members = 0;
    for (size_t j = 0; j < count; j++) {
        if (jobs[j].head < head || jobs[j].tail < worst->tail)
            continue;
        row->nodes[members++] = jobs[j].node;
        work += jobs[j].work;
    }
    row->cycles = (uint64_t)((int64_t)(head + work) + worst->tail);
    qsort(row->nodes, members, sizeof *row->nodes, by_number);
    return 0;
}

/* Jobs of a unit in a class: those whose uses hold. */
static size_t make_jobs(const struct search *search, uint32_t unit, struct job *jobs, bool *spread)
{
    const struct graph *graph = search->graph;
    size_t count = 0;
    *spread = false;
    for (size_t i = search->first_use[unit]; i < search->first_use[unit + 1]; i++) {
        const uint32_t n = search->used[i];
        const struct graph_use *use = graph->uses + graph->nodes[n].use;
        while (use->unit != unit)
            use++;
        if (!use->cycles || (use->placed && search->class == BOUND_FREE_PLACES))
            continue;
        const struct ends *ends = &search->ends[n];
        jobs[count++] =
            (struct job){.head = ends->head + use->offset,
                         .work = use->cycles,
                         .left = use->cycles,
                         .node = n,
                         .tail = use->spread ? (int64_t)(use->after + search->behind[n])
                                             : (int64_t)(ends->tail - use->offset - use->cycles)};
        *spread |= use->spread;
    }
    return count;
}

static int add_units(struct search *search)
{
    const size_t room = search->graph->use_count + 1;
    struct job *jobs = malloc(room * sizeof *jobs);
    struct heap heap = {.jobs = malloc(room * sizeof *heap.jobs)};
    int status = jobs && heap.jobs ? 0 : -1;
    for (uint32_t unit = 0; unit < search->graph->unit_count && status == 0; unit++) {
        bool spread;
        const size_t count = make_jobs(search, unit, jobs, &spread);
        if (count)
            status = add_unit(search, unit, spread, jobs, count, &heap);
    }
    free(jobs);
    free(heap.jobs);
    return status;
}

/* --- all classes ------------------------------------------------------------------------------ */

/* Each unit's nodes, in order. */
static void sort_uses(struct search *search)
{
    const struct graph *graph = search->graph;
    size_t *first = search->first_use;
    for (size_t u = 0; u < graph->use_count; u++)
        first[graph->uses[u].unit + 2]++;
    for (size_t unit = 2; unit <= graph->unit_count + 1; unit++)
        first[unit] += first[unit - 1];
    for (uint32_t n = 0; n < graph->node_count; n++)
        for (uint32_t u = 0; u < graph->nodes[n].use_count; u++)
            search->used[first[graph->uses[graph->nodes[n].use + u].unit + 1]++] = n;
}

static int by_class(const void *first, const void *second)
{
    const struct bound *a = first, *b = second;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

/* Of each class and kind the first, which is the largest. */
static void keep_largest(struct bounds *bounds)
{
    bool seen[BOUND_CLASSES][BOUND_KINDS] = {{false}};
    size_t kept = 0;
    for (size_t i = 0; i < bounds->count; i++) {
        struct bound *row = &bounds->rows[i];
        if (seen[row->class][row->kind]) {
            free(row->nodes);
            free(row->lags);
            continue;
        }
        seen[row->class][row->kind] = true;
        bounds->rows[kept++] = *row;
    }
    bounds->count = kept;
}

int bounds_find(struct bounds *bounds, const struct graph *graph)
{
    *bounds = (struct bounds){.rows = NULL};
    if (!graph->node_count)
        return 0;
    struct search search = {.graph = graph,
                            .bounds = bounds,
                            .ends = calloc(graph->node_count, sizeof *search.ends),
                            .behind = calloc(graph->node_count, sizeof *search.behind),
                            .first_use = calloc(graph->unit_count + 2, sizeof *search.first_use),
                            .used = calloc(graph->use_count + 1, sizeof *search.used)};
    int status = search.ends && search.behind && search.first_use && search.used ? 0 : -1;
    if (status == 0)
        sort_uses(&search);
    for (unsigned class = 0; class < BOUND_CLASSES && status == 0; class ++) {
        search.class = (enum bound_class) class;
        find_heads(&search);
        find_tails(&search);
        status = add_path(&search);
        if (status == 0)
            status = add_units(&search);
    }
    if (status == 0)
        qsort(bounds->rows, bounds->count, sizeof *bounds->rows, by_class);
    if (status == 0)
        keep_largest(bounds);
    free(search.ends);
    free(search.behind);
    free(search.first_use);
    free(search.used);
    return status;
}
