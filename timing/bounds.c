/* bounds: longest paths, and the work of each unit between heads and tails, see bounds.h. */
#include "timing/bounds.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/bounds_search.h"

const char *const bound_class_names[BOUND_CLASSES] = {"this-order", "any-order", "free-places"};
const char *const bound_kind_names[BOUND_KINDS] = {"path",     "unit",     "issue",
                                                   "transfer", "combined", "search"};

void bounds_free(struct bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++) {
        free(bounds->rows[i].nodes);
        free(bounds->rows[i].lags);
    }
    for (unsigned i = 0; bounds->raises && i < 2 * BOUND_CLASSES; i++) {
        free(bounds->raises[i].list);
        free(bounds->raises[i].members);
    }
    free(bounds->raises);
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

bool bounds_holds(enum bound_class class, const struct graph_arc *arc, uint64_t *lag)
{
    return search_holds(class, arc, lag);
}

bool bounds_works(enum bound_class class, const struct graph_use *use)
{
    return search_works(class, use);
}

/* --- heads and tails -------------------------------------------------------------------------- */

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
            if (search_holds(search->class, &graph->arcs[a], &lag))
                push_head(search->ends, graph->arcs[a].from, graph->arcs[a].to, lag);
        for (size_t k = n; search->raises && k < end; k++)
            raise_head(search, (uint32_t)k);
        if (ordered)
            level(search, n, end, false);
    }
}

static void pull(struct search *search, const struct graph_arc *arc)
{
    uint64_t lag;
    if (!search_holds(search->class, arc, &lag))
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
        search->ends[n].tail =
            graph->nodes[n].length - (search->stream ? graph->nodes[n].settle : 0);
        search->ends[n].after = GRAPH_NONE;
        search->behind[n] = 0;
    }
    for (size_t end = graph->node_count, n; end > 0; end = n) {
        n = ordered ? first_of(graph, end - 1) : end - 1;
        for (size_t k = end; search->raises && k-- > n;)
            raise_tail(search, (uint32_t)k);
        if (ordered)
            level(search, n, end, true);
        for (; a > 0 && graph->arcs[a - 1].to >= n; a--)
            pull(search, &graph->arcs[a - 1]);
        if (ordered && n > 0 && graph->nodes[n].stream == graph->nodes[n - 1].stream)
            push_tail(search->ends, (uint32_t)n - 1, (uint32_t)n, graph->nodes[n - 1].issue);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A row with room for that many nodes. */
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
                       .stream = search->stream,
                       .lags = kind == BOUND_PATH ? malloc((nodes + 1) * sizeof *row->lags) : NULL,
                       .node_count = nodes,
                       .raises = search->raises};
    bounds->count++;
    return row->nodes && (row->lags || kind != BOUND_PATH) ? row : NULL;
}

/* Whether a row that came later is kept instead of another of its class and kind. */
static bool is_better(const struct bound *later, const struct bound *row)
{
    return later->cycles > row->cycles || (later->cycles == row->cycles && later->unit < row->unit);
}

/* The last row is complete: of each class and kind the largest is kept alone. */
static void end_row(struct search *search)
{
    struct bounds *bounds = search->bounds;
    struct bound *last = &bounds->rows[bounds->count - 1];
    const uint64_t whole = last->stream ? search->graph->whole : 1;
    last->cycles = (last->cycles + search->graph->end + whole - 1) / whole * whole;
    for (struct bound *row = bounds->rows; row < last; row++) {
        if (row->class != last->class || row->kind != last->kind)
            continue;
        const struct bound lesser = is_better(last, row) ? *row : *last;
        if (is_better(last, row))
            *row = *last;
        free(lesser.nodes);
        free(lesser.lags);
        bounds->count--;
        return;
    }
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
    end_row(search);
    return 0;
}

/* --- the work of a unit ----------------------------------------------------------------------- */

static int by_number(const void *first, const void *second)
{
    const uint32_t a = *(const uint32_t *)first, b = *(const uint32_t *)second;
    return a < b ? -1 : a > b;
}

static int add_unit(struct search *search, uint32_t unit, enum bound_kind kind, size_t count)
{
    const struct job_set set = one_unit_most(search->jobs, count, search->heap);
    struct bound *row = add_row(search, kind, unit, set.count);
    if (!row)
        return -1;
    const uint64_t width = search_width(search->graph, unit);
    row->head = set.head / width;
    row->tail = set.tail / (int64_t)width;
    const int64_t sum = (int64_t)(row->head + (set.work + width - 1) / width) + row->tail;
    row->cycles = sum > 0 ? (uint64_t)sum : 0; /* the end may come before the unit is done */
    size_t members = 0;
    for (size_t j = 0; j < count; j++)
        if (job_in(&search->jobs[j], &set))
            row->nodes[members++] = search->jobs[j].node;
    qsort(row->nodes, members, sizeof *row->nodes, by_number);
    end_row(search);
    return 0;
}

/* Jobs of a unit in a class: those whose uses hold. */
static size_t make_jobs(const struct search *search, uint32_t unit, bool *transfers)
{
    const struct graph *graph = search->graph;
    const uint64_t width = search_width(graph, unit);
    size_t count = 0;
    *transfers = false;
    for (size_t i = search->first_use[unit]; i < search->first_use[unit + 1]; i++) {
        const uint32_t n = search->used[i];
        const struct graph_use *use = graph->uses + graph->nodes[n].use;
        while (use->unit != unit)
            use++;
        if (!search_works(search->class, use))
            continue;
        search->jobs[count++] = (struct job){.head = width * (search->ends[n].head + use->offset),
                                             .work = search_work(use),
                                             .node = n,
                                             .tail = (int64_t)width * search_tail(search, n, use)};
        *transfers |= graph->nodes[n].transfer && use->spread;
    }
    return count;
}

/* Of all uses of a unit that comes in frames: their number of frames. */
static int add_frames(struct search *search, uint32_t unit, enum bound_kind kind, size_t count)
{
    const struct graph_unit *of = &search->graph->units[unit];
    struct bound *row = add_row(search, kind, unit, count);
    if (!row)
        return -1;
    const uint64_t width = search_width(search->graph, unit);
    uint64_t head = UINT64_MAX;
    int64_t tail = INT64_MAX;
    for (size_t j = 0; j < count; j++) {
        row->nodes[j] = search->jobs[j].node;
        head = search->jobs[j].head < head ? search->jobs[j].head : head;
        tail = search->jobs[j].tail < tail ? search->jobs[j].tail : tail;
    }
    row->cycles = (count + of->frame_uses - 1) / of->frame_uses * of->frame;
    row->head = head / width;
    row->tail = tail / (int64_t)width;
    qsort(row->nodes, count, sizeof *row->nodes, by_number);
    end_row(search);
    return 0;
}

static int add_units(struct search *search)
{
    int status = 0;
    for (uint32_t unit = 0; unit < search->graph->unit_count && status == 0; unit++) {
        bool transfers;
        const size_t count = make_jobs(search, unit, &transfers);
        const enum bound_kind kind = search->raises ? BOUND_COMBINED
                                     : transfers    ? BOUND_TRANSFER
                                     : search->graph->units[unit].unit == GRAPH_NONE ? BOUND_ISSUE
                                                                                     : BOUND_UNIT;
        if (count)
            status = add_unit(search, unit, kind, count);
        if (count && status == 0 && !search->raises && search->graph->units[unit].frame)
            status = add_frames(search, unit, kind, count);
    }
    return status;
}

/* --- all classes ------------------------------------------------------------------------------ */

/* Each unit's nodes, in order, and room for the jobs of one. Returns 0, or -1 when the host has no
 * memory. */
static int sort_uses(struct search *search)
{
    const struct graph *graph = search->graph;
    size_t *first = search->first_use;
    for (size_t n = 0; n < graph->node_count; n++)
        for (uint32_t u = 0; u < graph->nodes[n].use_count; u++)
            first[graph->uses[graph->nodes[n].use + u].unit + 2]++;
    for (size_t unit = 2; unit <= graph->unit_count + 1; unit++)
        first[unit] += first[unit - 1];
    for (uint32_t n = 0; n < graph->node_count; n++)
        for (uint32_t u = 0; u < graph->nodes[n].use_count; u++)
            search->used[first[graph->uses[graph->nodes[n].use + u].unit + 1]++] = n;
    size_t most = 0;
    for (size_t unit = 0; unit < graph->unit_count; unit++)
        most = first[unit + 1] - first[unit] > most ? first[unit + 1] - first[unit] : most;
    search->jobs = malloc((most + 1) * sizeof *search->jobs);
    search->heap = malloc((most + 1) * sizeof *search->heap);
    return search->jobs && search->heap ? 0 : -1;
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

/* A combined bound is kept only where it is the largest of its class. */
static void drop_combined(struct bounds *bounds)
{
    size_t kept = 0;
    for (size_t i = 0; i < bounds->count; i++) {
        struct bound *row = &bounds->rows[i];
        const bool first = !kept || bounds->rows[kept - 1].class != row->class;
        if (row->kind == BOUND_COMBINED && !first) {
            free(row->nodes);
            free(row->lags);
            continue;
        }
        bounds->rows[kept++] = *row;
    }
    bounds->count = kept;
}

/* The node with the greatest head and tail; it exists, since a node has been raised. */
static int add_node(struct search *search)
{
    const struct graph_node *nodes = search->graph->nodes;
    const struct ends *ends = search->ends;
    uint32_t best = 0;
    for (uint32_t n = 0; n < search->graph->node_count; n++)
        if (!nodes[n].outside && (nodes[best].outside ||
                                  ends[n].head + ends[n].tail > ends[best].head + ends[best].tail))
            best = n;
    struct bound *row = add_row(search, BOUND_COMBINED, GRAPH_NONE, 1);
    if (!row)
        return -1;
    row->nodes[0] = best;
    row->head = ends[best].head;
    row->tail = (int64_t)ends[best].tail;
    row->cycles = ends[best].head + ends[best].tail;
    end_row(search);
    return 0;
}

static int find_class(struct search *search, enum bound_class class)
{
    search->class = class;
    search->raises = NULL;
    find_heads(search);
    find_tails(search);
    if (add_path(search) != 0 || add_units(search) != 0)
        return -1;
    search->raises =
        &search->bounds->raises[(search->stream ? BOUND_CLASSES : 0) + (unsigned)class];
    find_heads(search);
    find_tails(search);
    if (search->failed)
        return -1;
    return !search->raises->count || (add_node(search) == 0 && add_units(search) == 0) ? 0 : -1;
}

/* First the program with all that settles after its streams; then the streams alone, where they
 * end at whole multiples. Without settling nodes the second pass is not needed. */
static bool has_pass(const struct graph *graph, unsigned pass)
{
    if (pass == 1 || !graph->whole)
        return (pass == 1) == (graph->whole != 0);
    for (size_t n = 0; n < graph->node_count; n++)
        if (graph->nodes[n].settle)
            return true;
    return false;
}

int bounds_find(struct bounds *bounds, const struct graph *graph)
{
    *bounds = (struct bounds){.rows = NULL};
    if (!graph->node_count)
        return 0;
    const size_t uses = graph_use_total(graph);
    bounds->raises = calloc(2 * BOUND_CLASSES, sizeof *bounds->raises);
    struct search search = {.graph = graph,
                            .bounds = bounds,
                            .ends = calloc(graph->node_count, sizeof *search.ends),
                            .behind = calloc(graph->node_count, sizeof *search.behind),
                            .first_use = calloc(graph->unit_count + 2, sizeof *search.first_use),
                            .used = calloc(uses + 1, sizeof *search.used)};
    int status = raises_start(&search);
    if (!bounds->raises || !search.ends || !search.behind || !search.first_use || !search.used)
        status = -1;
    if (status == 0)
        status = sort_uses(&search);
    for (unsigned pass = 0; pass < 2 && status == 0; pass++) {
        search.stream = pass == 1;
        for (unsigned class = 0; class < BOUND_CLASSES && status == 0 && has_pass(graph, pass);
             class ++)
            status = find_class(&search, (enum bound_class) class);
    }
    if (status == 0)
        qsort(bounds->rows, bounds->count, sizeof *bounds->rows, by_class);
    if (status == 0)
        drop_combined(bounds);
    raises_end(&search);
    free(search.ends);
    free(search.behind);
    free(search.first_use);
    free(search.used);
    free(search.jobs);
    free(search.heap);
    return status;
}
