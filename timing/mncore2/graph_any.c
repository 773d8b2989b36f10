#include "timing/mncore2/graph_any.h"

#include <stdlib.h>
#include <string.h>

#include "timing/mncore2/graph_claim.h"

enum { KEPT = 2 }; /* nodes before another that are remembered of a row */

/* Of each node and row: those before it, by dependences, that start last of those that turn the
 * port. GRAPH_NONE: none. */
struct turns {
    struct graph *graph;
    const struct graph_lags *lags;
    unsigned row[HAZARD_COUNT], rows; /* that the program produces and consumes */
    uint32_t *kept;                   /* by node, row, place */
    uint64_t *head;                   /* by node: an earliest start */
};

/* --- port lags -------------------------------------------------------------------------------- */

static const struct hazard_profile *profile_of(const struct turns *t, uint32_t n)
{
    return t->graph->nodes[n].transfer ? NULL : t->lags->parts[n].profile;
}

static void find_rows(struct turns *t)
{
    uint32_t produces = 0, consumes = 0;
    for (uint32_t n = 0; n < t->graph->node_count; n++) {
        const struct hazard_profile *profile = profile_of(t, n);
        produces |= profile ? profile->produces : 0;
        consumes |= profile ? profile->consumes : 0;
    }
    for (unsigned row = 0; row < HAZARD_COUNT; row++)
        if (mncore2_hazard_rules[row].overlap == OVERLAP_ALWAYS && (produces & consumes) >> row & 1)
            t->row[t->rows++] = row;
}

static uint32_t *kept_of(const struct turns *t, uint32_t n, unsigned r)
{
    return t->kept + ((size_t)n * t->rows + r) * KEPT;
}

/* `node` comes before n. */
static void keep(const struct turns *t, uint32_t n, unsigned r, uint32_t node)
{
    uint32_t *kept = kept_of(t, n, r);
    for (unsigned k = 0; k < KEPT && node != GRAPH_NONE; k++) {
        if (kept[k] == node)
            return;
        if (kept[k] != GRAPH_NONE && t->head[kept[k]] >= t->head[node])
            continue;
        const uint32_t less = kept[k];
        kept[k] = node;
        node = less;
    }
}

/* What comes before the first node of an arc, and this one itself, comes before the second; if it
 * does not share its step: there are no rules between expressions of one. */
static void follow(const struct turns *t, const struct graph_arc *arc)
{
    const struct hazard_profile *profile = profile_of(t, arc->from);
    for (unsigned r = 0; r < t->rows; r++) {
        for (unsigned k = 0; k < KEPT; k++)
            keep(t, arc->to, r, kept_of(t, arc->from, r)[k]);
        if (arc->lag && profile && profile->produces >> t->row[r] & 1)
            keep(t, arc->to, r, arc->from);
    }
    if (t->head[arc->from] + arc->lag > t->head[arc->to])
        t->head[arc->to] = t->head[arc->from] + arc->lag;
}

static void add_turns(const struct turns *t, uint32_t n)
{
    const struct hazard_profile *profile = profile_of(t, n);
    for (unsigned r = 0; profile && r < t->rows; r++) {
        if (!(profile->consumes >> t->row[r] & 1))
            continue;
        for (unsigned k = 0; k < KEPT && kept_of(t, n, r)[k] != GRAPH_NONE; k++) {
            struct graph_arc arc = {
                .from = kept_of(t, n, r)[k], .to = n, .kind = ARC_ORDER, .always = true};
            arc.lag = mncore2_graph_distance(t->lags, profile_of(t, arc.from), profile, &arc.rule);
            if (t->head[arc.from] + arc.lag <= t->head[n])
                continue;
            t->head[n] = t->head[arc.from] + arc.lag;
            graph_add_arc(t->graph, &arc);
        }
    }
}

static int find_turns(struct turns *t)
{
    struct graph *graph = t->graph;
    const size_t count = graph->node_count, arcs = graph->arc_count;
    find_rows(t);
    if (!t->rows)
        return 0;
    t->kept = malloc(count * t->rows * KEPT * sizeof *t->kept);
    t->head = calloc(count, sizeof *t->head);
    if (!t->kept || !t->head)
        return -1;
    memset(t->kept, 0xff, count * t->rows * KEPT * sizeof *t->kept);
    size_t a = 0;
    for (uint32_t n = 0; n < count && graph->status == 0; n++) {
        for (; a < arcs && graph->arcs[a].to == n; a++) {
            const struct graph_arc arc = graph->arcs[a];
            if (arc.kind < ARC_PORT && arc.from < arc.to)
                follow(t, &arc);
        }
        add_turns(t, n);
    }
    return graph->status;
}

/* --- relays ----------------------------------------------------------------------------------- */

/* The most cycles that arcs keep `to` after `from`, by themselves or over one node between. */
static uint64_t longest(const struct graph *graph, uint32_t from, uint32_t to)
{
    uint64_t most = 0;
    for (size_t a = graph_arcs_of(graph, to); a < graph->arc_count && graph->arcs[a].to == to;
         a++) {
        const struct graph_arc *arc = &graph->arcs[a];
        if (arc->from > to || (arc->kind >= ARC_PORT && !arc->always))
            continue;
        if (arc->from == from && arc->lag > most)
            most = arc->lag;
        for (size_t b = graph_arcs_of(graph, arc->from);
             arc->from > from && b < graph->arc_count && graph->arcs[b].to == arc->from; b++)
            if (graph->arcs[b].from == from &&
                (graph->arcs[b].kind < ARC_PORT || graph->arcs[b].always) &&
                graph->arcs[b].lag + arc->lag > most)
                most = graph->arcs[b].lag + arc->lag;
    }
    return most;
}

static uint32_t relay_unit(const struct graph_node *node)
{
    return node->part == GROUP_ALU ? GRAPH_RELAY_ALU : GRAPH_RELAY_MAU;
}

/* An arc of a forwarding register that only its own unit fills. */
static bool is_relay(const struct graph *graph, const struct graph_arc *arc)
{
    const uint32_t part = graph->nodes[arc->from].part;
    return arc->adjacent && arc->from < arc->to && arc->space == SPACE_FWD &&
           (part == GROUP_ALU || part == GROUP_MAU_CALC);
}

/* By node: cycles in which no other relay of its unit may begin; 0: it is not a relay. A last
 * reader of the same unit takes a step of it, too. */
static void find_held(const struct graph *graph, uint64_t *held)
{
    for (size_t a = 0; a < graph->arc_count; a++)
        if (is_relay(graph, &graph->arcs[a]))
            held[graph->arcs[a].from] = CYCLES;
    for (size_t a = 0; a < graph->arc_count; a++) {
        const struct graph_arc *arc = &graph->arcs[a];
        if (!is_relay(graph, arc))
            continue;
        const bool last =
            !held[arc->to] && graph->nodes[arc->to].part == graph->nodes[arc->from].part;
        const uint64_t cycles = longest(graph, arc->from, arc->to) + (last ? CYCLES : 0);
        held[arc->from] = cycles > held[arc->from] ? cycles : held[arc->from];
    }
}

/* Relays have one more use. All are added again, so that nodes with the same uses share them. */
static int add_relays(struct graph *graph, uint32_t extras)
{
    uint64_t *held = calloc(graph->node_count + 1, sizeof *held);
    struct graph made = {.nodes = graph->nodes, .node_capacity = graph->node_capacity};
    const size_t count = graph->node_count;
    if (held)
        find_held(graph, held);
    for (uint32_t n = 0; held && made.status == 0 && n < count; n++) {
        const struct graph_node old = graph->nodes[n];
        struct graph_node *node = graph_add_node(&made);
        const uint32_t use = node ? node->use : 0;
        if (!node)
            break;
        *node = old;
        node->use = use;
        node->use_count = 0;
        for (uint32_t u = 0; u < old.use_count; u++)
            graph_add_use(&made, &graph->uses[old.use + u]);
        if (held[n])
            graph_add_use(&made, &(struct graph_use){.unit = extras + relay_unit(&old),
                                                     .placed = true,
                                                     .cycles = held[n]});
    }
    if (held)
        graph_share_uses(&made);
    free(graph->uses);
    free(graph->sharers);
    graph->uses = made.uses;
    graph->use_count = made.use_count;
    graph->use_capacity = made.use_capacity;
    graph->sharers = made.sharers;
    graph->sharer_count = made.sharer_count;
    graph->sharer_room = made.sharer_room;
    const int status = held ? made.status : -1;
    free(held);
    return status;
}

int mncore2_graph_any(struct graph *graph, const struct graph_lags *lags, uint32_t extras)
{
    struct turns turns = {.graph = graph, .lags = lags};
    const size_t arcs = graph->arc_count;
    int status = find_turns(&turns);
    free(turns.kept);
    free(turns.head);
    if (status == 0 && graph->arc_count > arcs)
        status = graph_sort(graph);
    if (status == 0)
        status = add_relays(graph, extras);
    if (status != 0)
        graph->status = -1;
    return status;
}
