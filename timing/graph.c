/* graph: dependences between spans of places, see graph.h. */
#include "timing/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/search.h"

const char *const graph_arc_names[ARC_KINDS] = {"RAW", "WAR", "WAW", "PORT", "ORDER"};

enum { INSTANCES = 64 };

void graph_free(struct graph *graph)
{
    free(graph->nodes);
    free(graph->arcs);
    free(graph->uses);
    free(graph->sharers);
    free(graph->units);
    free(graph->accesses);
    *graph = (struct graph){.nodes = NULL};
}

void *graph_grow(struct graph *graph, void *list, size_t *capacity, size_t count, size_t size)
{
    void *more = graph->status == 0 ? grow(list, capacity, count, size) : NULL;
    if (!more && graph->status == 0)
        graph->status = -1;
    return more;
}

void graph_add_unit(struct graph *graph, const char *name, uint32_t unit)
{
    struct graph_unit *units = graph_grow(graph, graph->units, &graph->unit_capacity,
                                          graph->unit_count + 1, sizeof *units);
    if (!units)
        return;
    graph->units = units;
    units += graph->unit_count++;
    *units = (struct graph_unit){.unit = unit};
    snprintf(units->name, sizeof units->name, "%s", name);
}

struct graph_node *graph_add_node(struct graph *graph)
{
    graph_share_uses(graph);
    struct graph_node *nodes = graph_grow(graph, graph->nodes, &graph->node_capacity,
                                          graph->node_count + 1, sizeof *nodes);
    if (!nodes)
        return NULL;
    graph->nodes = nodes;
    nodes += graph->node_count++;
    *nodes = (struct graph_node){.use = (uint32_t)graph->use_count, .waited = GRAPH_NONE};
    return nodes;
}

void graph_add_arc(struct graph *graph, const struct graph_arc *arc)
{
    struct graph_arc *arcs =
        graph_grow(graph, graph->arcs, &graph->arc_capacity, graph->arc_count + 1, sizeof *arcs);
    if (!arcs)
        return;
    graph->arcs = arcs;
    arcs[graph->arc_count++] = *arc;
}

bool graph_arc_told(const struct graph *graph, const struct graph_arc *arc)
{
    const struct graph_node *from = &graph->nodes[arc->from], *to = &graph->nodes[arc->to];
    const bool within = arc->to == arc->from + 1 && from->stmt == to->stmt &&
                        from->stream != to->stream && !from->outside;
    return arc->kind != ARC_ORDER && !from->line && !to->line && !within;
}

size_t graph_arcs_of(const struct graph *graph, size_t node)
{
    return search_u32(graph->arcs, graph->arc_count, sizeof *graph->arcs,
                      offsetof(struct graph_arc, to), node);
}

/* --- a part ----------------------------------------------------------------------------------- */

static void select_node(struct graph *part, const struct graph *graph, size_t n, bool joined)
{
    const struct graph_node *from = &graph->nodes[n];
    struct graph_node *node = graph_add_node(part);
    if (!node)
        return;
    const uint32_t use = node->use;
    *node = *from;
    node->use = use;
    node->use_count = 0;
    node->joined = joined;
    node->release = 0;
    node->length -= node->settle; /* what follows a part does not wait for it */
    node->settle = 0;
    for (size_t u = 0; u < from->use_count; u++)
        graph_add_use(part, &graph->uses[from->use + u]);
}

/* Which nodes the part has. NULL: the host has no memory. */
static bool *with_lines(const struct graph *graph, const bool *wanted)
{
    bool *chosen = malloc(graph->node_count + 1);
    for (size_t n = 0; chosen && n < graph->node_count; n++)
        chosen[n] = wanted[n] && !graph->nodes[n].line;
    for (size_t a = 0; chosen && a < graph->access_count; a++)
        chosen[graph->accesses[a].line] = true;
    for (size_t a = 0; chosen && a < graph->access_count; a++)
        if (!wanted[graph->accesses[a].node])
            chosen[graph->accesses[a].line] = false;
    return chosen;
}

int graph_select(struct graph *part, const struct graph *graph, const bool *wanted)
{
    *part = (struct graph){.spaces = graph->spaces, .quantum = graph->quantum};
    uint32_t *number = calloc(graph->node_count + 1, sizeof *number);
    bool *chosen = with_lines(graph, wanted);
    part->status = number && chosen ? 0 : -1;
    for (size_t u = 0; u < graph->unit_count; u++)
        graph_add_unit(part, graph->units[u].name, graph->units[u].unit);
    for (size_t u = 0; u < part->unit_count; u++)
        part->units[u].width = graph->units[u].width;
    for (size_t n = 0; n < graph->node_count && part->status == 0; n++) {
        number[n] = (uint32_t)part->node_count;
        if (chosen[n])
            select_node(part, graph, n, graph->nodes[n].joined && chosen[n - 1]);
    }
    for (size_t a = 0; a < graph->arc_count && part->status == 0; a++) {
        struct graph_arc arc = graph->arcs[a];
        if (!chosen[arc.from] || !chosen[arc.to])
            continue;
        arc.from = number[arc.from];
        arc.to = number[arc.to];
        graph_add_arc(part, &arc);
    }
    free(number);
    free(chosen);
    return part->status;
}

/* --- pieces: the addresses of a lane, cut wherever a span begins or ends ---------------------- */

/* A lane is a space of one stream and instance. */
struct edge {
    uint64_t lane, address;
};

struct reader {
    uint32_t node, next;
};

struct piece {
    uint64_t first; /* up to the first of the next piece */
    uint32_t writer, readers;
    bool definite; /* the writer's */
};

/* An arc that has been found to a node of the step that is looked at. */
struct seen {
    uint64_t from, to; /* with its kind; of latches another */
    size_t step;
    size_t arc;
};

struct link {
    struct graph *graph;
    const struct graph_spans *spans;
    struct edge *edges;
    size_t edge_count, edge_capacity;
    struct piece *pieces; /* one for each edge */
    struct reader *readers;
    size_t reader_count, reader_capacity;
    uint32_t spare;    /* readers to use again */
    struct seen *seen; /* by hash; those of earlier steps are free */
    size_t seen_room, seen_count;
    size_t step; /* from 1 */
};

static uint64_t lane_of(const struct link *link, const struct graph_span *span, unsigned instance)
{
    const uint64_t stream = span->shared ? GRAPH_NONE : link->graph->nodes[span->node].stream;
    return (stream << 16 | span->space) * INSTANCES + instance;
}

static void add_edge(struct link *link, uint64_t lane, uint64_t address)
{
    struct edge *edges = graph_grow(link->graph, link->edges, &link->edge_capacity,
                                    link->edge_count + 1, sizeof *edges);
    if (!edges)
        return;
    link->edges = edges;
    edges[link->edge_count++] = (struct edge){lane, address};
}

static int by_address(const void *first, const void *second)
{
    const struct edge *a = first, *b = second;
    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void drop_twins(struct link *link)
{
    size_t kept = 0;
    for (size_t i = 0; i < link->edge_count; i++)
        if (!kept || by_address(&link->edges[kept - 1], &link->edges[i]) != 0)
            link->edges[kept++] = link->edges[i];
    link->edge_count = kept;
}

/* Programs come back to the same places, so most edges are not even noted. */
static void find_edges(struct link *link)
{
    enum { LEAST = 1 << 6, MOST = 1 << 14 };
    size_t places = LEAST;
    while (places < MOST && places < 4 * link->spans->count)
        places *= 2;
    struct edge *recent = malloc(places * sizeof *recent);
    if (!recent) {
        link->graph->status = -1;
        return;
    }
    for (size_t i = 0; i < places; i++)
        recent[i].lane = UINT64_MAX;
    for (size_t s = 0; s < link->spans->count; s++) {
        const struct graph_span at = graph_spans_at(link->spans, s), *span = &at;
        for (uint64_t left = span->set ? span->set : 1; left; left &= left - 1) {
            const uint64_t lane = lane_of(link, span, (unsigned)__builtin_ctzll(left));
            for (unsigned end = 0; end < 2; end++) {
                const uint64_t address = span->first + (end ? span->count : 0);
                struct edge *slot = &recent[(lane * 509 + address) & (places - 1)];
                if (slot->lane == lane && slot->address == address)
                    continue;
                *slot = (struct edge){lane, address};
                add_edge(link, lane, address);
            }
        }
    }
    free(recent);
    if (link->edge_count)
        qsort(link->edges, link->edge_count, sizeof *link->edges, by_address);
    drop_twins(link);
    link->pieces = malloc((link->edge_count + 1) * sizeof *link->pieces);
    if (!link->pieces)
        link->graph->status = -1;
    for (size_t i = 0; link->pieces && i < link->edge_count; i++)
        link->pieces[i] = (struct piece){link->edges[i].address, GRAPH_NONE, GRAPH_NONE, false};
}

/* The piece that begins at an address at which one does. */
static size_t piece_at(const struct link *link, uint64_t lane, uint64_t address)
{
    const struct edge wanted = {lane, address};
    return search_rows(link->edges, link->edge_count, sizeof *link->edges, &wanted, by_address);
}

/* --- dependences ------------------------------------------------------------------------------ */

/* Where an arc to a node of this step is, or goes. */
static struct seen *seen_of(const struct link *link, uint64_t from, uint64_t to)
{
    const size_t mask = link->seen_room - 1;
    const uint64_t hash = (from * 8 + to * 31) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        struct seen *seen = &link->seen[at];
        if (seen->step != link->step || (seen->from == from && seen->to == to))
            return seen;
    }
}

/* At least twice as much room as arcs of the step. */
static bool make_room(struct link *link)
{
    enum { FIRST = 1024 };
    if (link->seen_count < link->seen_room / 2)
        return true;
    struct seen *old = link->seen;
    const size_t room = link->seen_room;
    link->seen = calloc(room ? 2 * room : FIRST, sizeof *link->seen);
    if (!link->seen) {
        link->seen = old;
        return false;
    }
    link->seen_room = room ? 2 * room : FIRST;
    for (size_t i = 0; i < room; i++)
        if (old[i].step == link->step)
            *seen_of(link, old[i].from, old[i].to) = old[i];
    free(old);
    return true;
}

static void arc_between(struct link *link, uint32_t from, const struct graph_span *span,
                        const struct piece *piece, enum arc_kind kind)
{
    struct graph *graph = link->graph;
    const size_t number = graph->arc_count;
    const uint64_t what = (uint64_t)(span->latch ? ARC_KINDS : kind) << 32 | span->node;
    const bool certain = kind == ARC_RAW && piece->definite && span->definite;
    if (!make_room(link)) {
        graph->status = -1;
        return;
    }
    struct seen *seen = seen_of(link, from, what);
    if (seen->step == link->step) {
        graph->arcs[seen->arc].certain |= certain;
        return;
    }
    graph_add_arc(graph, &(const struct graph_arc){.from = from,
                                                   .to = span->node,
                                                   .kind = (uint8_t)kind,
                                                   .certain = certain,
                                                   .adjacent = span->latch,
                                                   .space = span->space,
                                                   .first = piece->first,
                                                   .last = piece[1].first - 1,
                                                   .rule = ""});
    if (graph->status != 0)
        return;
    *seen = (struct seen){from, what, link->step, number};
    link->seen_count++;
}

static void add_reader(struct link *link, struct piece *piece, uint32_t node)
{
    uint32_t index = link->spare;
    if (piece->readers != GRAPH_NONE && link->readers[piece->readers].node == node)
        return;
    if (index != GRAPH_NONE) {
        link->spare = link->readers[index].next;
    } else {
        struct reader *readers = graph_grow(link->graph, link->readers, &link->reader_capacity,
                                            link->reader_count + 1, sizeof *readers);
        if (!readers)
            return;
        link->readers = readers;
        index = (uint32_t)link->reader_count++;
    }
    link->readers[index] = (struct reader){node, piece->readers};
    piece->readers = index;
}

static void read_piece(struct link *link, const struct graph_span *span, struct piece *piece)
{
    if (piece->writer != GRAPH_NONE)
        arc_between(link, piece->writer, span, piece, ARC_RAW);
    if (!span->latch)
        add_reader(link, piece, span->node);
}

static void write_piece(struct link *link, const struct graph_span *span, struct piece *piece)
{
    const uint32_t node = span->node;
    if (!span->latch && piece->writer != GRAPH_NONE && piece->writer != node)
        arc_between(link, piece->writer, span, piece, ARC_WAW);
    for (uint32_t *next = &piece->readers; *next != GRAPH_NONE;) {
        const uint32_t reader = *next;
        if (link->readers[reader].node != node)
            arc_between(link, link->readers[reader].node, span, piece, ARC_WAR);
        *next = link->readers[reader].next;
        link->readers[reader].next = link->spare;
        link->spare = reader;
    }
    piece->writer = node;
    piece->definite = span->definite;
}

static void touch(struct link *link, const struct graph_span *span)
{
    for (uint64_t left = span->set ? span->set : 1; left; left &= left - 1) {
        const uint64_t lane = lane_of(link, span, (unsigned)__builtin_ctzll(left));
        struct piece *piece = &link->pieces[piece_at(link, lane, span->first)];
        for (; piece->first != span->first + span->count; piece++)
            if (span->write)
                write_piece(link, span, piece);
            else
                read_piece(link, span, piece);
    }
}

static int by_target(const void *first, const void *second)
{
    const struct graph_arc *a = first, *b = second;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->adjacent - b->adjacent;
}

/* The first of the nodes that start together. */
static uint32_t leader(const struct graph *graph, uint32_t node)
{
    while (graph->nodes[node].joined)
        node--;
    return node;
}

/* What starts together reads before it writes. */
static void follow(struct link *link)
{
    const struct graph_touch *list = link->spans->list;
    size_t end;
    for (size_t begin = 0; begin < link->spans->count && link->graph->status == 0; begin = end) {
        const uint32_t first = leader(link->graph, list[begin].node);
        const size_t arcs = link->graph->arc_count;
        link->step++;
        link->seen_count = 0;
        end = begin + 1;
        while (end < link->spans->count && leader(link->graph, list[end].node) == first)
            end++;
        for (unsigned write = 0; write < 2; write++)
            for (size_t s = begin; s < end; s++) {
                const struct graph_span span = graph_spans_at(link->spans, s);
                if (span.count && span.write == (write == 1))
                    touch(link, &span);
            }
        if (link->graph->arc_count > arcs + 1)
            qsort(link->graph->arcs + arcs, link->graph->arc_count - arcs, sizeof(struct graph_arc),
                  by_target);
    }
}

/* --- the arcs --------------------------------------------------------------------------------- */

/* Of two sorted parts, [0, middle) and the rest, one. The smaller part is copied. */
static int merge_arcs(struct graph *graph, size_t middle)
{
    struct graph_arc *arcs = graph->arcs;
    const size_t rest = graph->arc_count - middle, smaller = middle < rest ? middle : rest;
    struct graph_arc *copy = malloc((smaller + 1) * sizeof *copy);
    if (!copy)
        return -1;
    if (smaller)
        memcpy(copy, smaller == middle ? arcs : arcs + middle, smaller * sizeof *copy);
    if (smaller == middle) {
        size_t next = middle, to = 0;
        for (size_t c = 0; c < smaller; to++)
            arcs[to] = next < graph->arc_count && by_target(&arcs[next], &copy[c]) < 0
                           ? arcs[next++]
                           : copy[c++];
    } else {
        size_t next = middle, to = graph->arc_count;
        for (size_t c = smaller; c > 0;)
            arcs[--to] =
                next > 0 && by_target(&arcs[next - 1], &copy[c - 1]) > 0 ? arcs[--next] : copy[--c];
    }
    free(copy);
    return 0;
}

/* The end of the sorted part from `first` on. */
static size_t sorted_until(const struct graph *graph, size_t first)
{
    size_t end = first < graph->arc_count ? first + 1 : first;
    while (end < graph->arc_count && by_target(&graph->arcs[end - 1], &graph->arcs[end]) <= 0)
        end++;
    return end;
}

int graph_sort(struct graph *graph)
{
    const size_t middle = sorted_until(graph, 0);
    if (middle == graph->arc_count)
        return 0;
    if (sorted_until(graph, middle) < graph->arc_count)
        qsort(graph->arcs + middle, graph->arc_count - middle, sizeof *graph->arcs, by_target);
    return merge_arcs(graph, middle);
}

int graph_link(struct graph *graph, const struct graph_spans *spans, graph_lag *lag,
               const void *context)
{
    struct link link = {.graph = graph, .spans = spans, .spare = GRAPH_NONE};
    if (graph->status != 0 || spans->lost)
        return graph->status ? graph->status : -1;
    find_edges(&link);
    if (graph->status == 0)
        follow(&link);
    free(link.seen);
    free(link.edges);
    free(link.pieces);
    free(link.readers);
    if (graph->status != 0)
        return -1;
    for (size_t a = 0; a < graph->arc_count; a++)
        lag(context, graph, &graph->arcs[a]);
    return graph->status = graph_sort(graph);
}
