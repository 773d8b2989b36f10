/*
 * graph: the nodes of a launch (timing/graph.h, timing/executed.h): each instruction of each warp
 * as the run executes it; a stream is a warp, a start the cycle of issue. Other nodes: lines of
 * memory and code, and the opening of each barrier.
 *
 * A vector register is one place, whatever lanes take part. Through memory a warp keeps its own
 * order; of two warps only barriers do, for what touches memory. Units are those of the SM that a
 * workgroup is given at the begin; where some wait for others to end, any SM may take them, and
 * the units of all SMs are one of several instances.
 *
 * Stores go through to the second level, where all but the last ones have been before the launch
 * ends. Not there: what the caches have to fetch again, register banks of other warps, the ports of
 * write-back, the destination of copies.
 */
#include <stdlib.h>

#include "timing/executed.h"
#include "timing/ventus/collect.h"

enum { SPACE_X, SPACE_V, SPACE_MEMORY, SPACE_BARRIER, SPACES };
static const char *const spaces[SPACES] = {"x", "v", "memory", "barrier"};

/* Units of the graph: of each SM, or of all; then those of the chip; then a warp each. */
enum { KIND_L1I = VENTUS_PORTS, KIND_L1D, KINDS };
enum { CHIP_L2, CHIP_RAM, CHIP_MISSES, CHIP_UNITS };

enum line_kind { LINE_CODE, LINE_DATA, LINE_RAM };

struct facts {
    uint64_t follow; /* cycles until the warp can issue the next one */
    uint64_t ready;  /* ... until what it writes can be read */
    const char *rule;
    bool jumps; /* the next one waits until it is decided or fetched */
    bool line;
    bool waited; /* an instruction waits for what it writes, or for the line */
    bool queued; /* it may wait for its unit after its issue: what it writes is then later, too */
};

/* Lines that the load of a register was the first to need: [first, first + count) of fills. */
struct fill {
    uint32_t first, count;
};

struct warp_state {
    uint32_t unit;      /* of the graph, GRAPH_NONE: none yet */
    uint32_t collected; /* last node but for prefixes, or GRAPH_NONE */
    uint32_t released;  /* node of the barrier that let it go, or GRAPH_NONE */
    bool fresh;         /* ... and it has not issued since */
    struct fill *fills; /* by place */
};

/* A warp that waits at a barrier. */
struct pending {
    const struct ventus_warp *warp;
    uint32_t node, stream, stamp;
};

struct ventus_builder {
    struct ventus_model *model;
    struct executed executed;
    bool fixed; /* workgroups to SMs */
    struct facts *facts;
    size_t capacity;
    struct warp_state *warps;
    size_t warp_count;
    uint32_t *lines; /* nodes */
    size_t line_count, line_capacity;
    struct pending *pending;
    size_t pending_count, pending_capacity;
    uint64_t writes; /* lines of stores */
    uint64_t release;
};

static uint64_t value(const struct ventus_builder *b, enum ventus_param param)
{
    return b->model->value[param];
}

static uint32_t last_node(const struct ventus_builder *b)
{
    return (uint32_t)b->executed.graph->node_count - 1;
}

static struct facts *add_facts(struct ventus_builder *b)
{
    struct graph *graph = b->executed.graph;
    struct facts *facts =
        graph_grow(graph, b->facts, &b->capacity, graph->node_count, sizeof *facts);
    if (!facts)
        return NULL;
    b->facts = facts;
    facts += last_node(b);
    *facts = (struct facts){.rule = ""};
    return facts;
}

static uint32_t unit_of(const struct ventus_builder *b, uint32_t sm, uint32_t kind)
{
    return CHIP_UNITS + (b->fixed ? sm * KINDS : 0) + kind;
}

static void use(struct ventus_builder *b, uint32_t unit, uint64_t offset, uint64_t cycles)
{
    graph_add_use(b->executed.graph, &(struct graph_use){.unit = unit,
                                                         .placed = b->facts[last_node(b)].line,
                                                         .offset = offset,
                                                         .cycles = cycles});
}

static void arc(struct ventus_builder *b, uint32_t from, uint32_t to, uint64_t lag)
{
    const struct graph_arc one = {.from = from,
                                  .to = to,
                                  .kind = ARC_RAW,
                                  .certain = !b->facts[from].ready, /* not where a place decides */
                                  .space = SPACE_MEMORY,
                                  .lag = lag,
                                  .least = lag,
                                  .rule = ""};
    graph_add_arc(b->executed.graph, &one);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A line that is new in a cache. */
static void new_line(struct ventus_builder *b, enum line_kind kind, uint32_t sm)
{
    struct graph_node *node = &b->executed.graph->nodes[last_node(b)];
    struct facts *facts = add_facts(b);
    if (!facts)
        return;
    const bool code = kind == LINE_CODE;
    const uint64_t hit = value(b, code ? VENTUS_PARAM_fetch_latency : VENTUS_PARAM_l1d_latency),
                   l2 = value(b, VENTUS_PARAM_l2_latency), ram = value(b, VENTUS_PARAM_ram_latency);
    facts->line = true;
    facts->ready = kind == LINE_RAM ? l2 + ram : hit + l2 + value(b, VENTUS_PARAM_l2_return);
    node->length = facts->ready;
    node->release = value(b, VENTUS_PARAM_launch_cycles);
    if (kind == LINE_DATA)
        node->release =
            b->release + VENTUS_BEHIND_ISSUE + 1 + value(b, VENTUS_PARAM_address_cycles);
    if (kind == LINE_RAM) {
        node->release += value(b, VENTUS_PARAM_fetch_latency);
        use(b, CHIP_MISSES, 0, l2 + ram);
        use(b, CHIP_RAM, l2, value(b, VENTUS_PARAM_ram_interval));
    } else {
        use(b, unit_of(b, sm, code ? KIND_L1I : KIND_L1D), 0, facts->ready);
        use(b, CHIP_L2, hit, value(b, VENTUS_PARAM_l2_interval));
    }
}

/* by: the node that loads it, or GRAPH_NONE: a part of the launch does not have it. */
static void need_line(struct ventus_builder *b, enum line_kind kind, uint32_t sm, uint64_t line,
                      uint32_t by)
{
    bool first;
    struct graph *graph = b->executed.graph;
    const uint64_t where = kind == LINE_RAM || !b->fixed ? 0 : sm;
    const uint32_t stmt = graph->node_count ? graph->nodes[0].stmt : 0;
    const uint32_t node =
        executed_line(&b->executed, (where << 2 | kind) << 32 | line, stmt, &first);
    if (first)
        new_line(b, kind, sm);
    if (by != GRAPH_NONE)
        executed_access(&b->executed, node, by);
    uint32_t *lines =
        first ? graph_grow(graph, b->lines, &b->line_capacity, b->line_count + 1, sizeof *lines)
              : NULL;
    if (!lines)
        return;
    b->lines = lines;
    lines[b->line_count++] = node;
}

/* A line of the first level, and that of the second one from which it comes. */
static void need_lines(struct ventus_builder *b, enum line_kind kind, uint32_t sm, uint64_t address,
                       uint32_t by)
{
    const uint64_t size =
        value(b, kind == LINE_CODE ? VENTUS_PARAM_l1i_line : VENTUS_PARAM_l1d_line);
    const uint64_t line = address / size, second = line * size / value(b, VENTUS_PARAM_l2_line);
    need_line(b, kind, sm, line, by);
    need_line(b, LINE_RAM, sm, second, GRAPH_NONE);
}

/* The last node waits for lines, `more` cycles beyond their own. */
static void wait_for(struct ventus_builder *b, struct fill fill, uint32_t node, uint64_t more)
{
    for (uint32_t i = fill.first; i < fill.first + fill.count; i++)
        arc(b, b->lines[i], node, b->facts[b->lines[i]].ready + more);
}

/* --- barriers --------------------------------------------------------------------------------- */

/* A released warp depends on the last one to arrive. */
static void open_barriers(struct ventus_builder *b, const struct ventus_group *group)
{
    uint32_t node = GRAPH_NONE;
    size_t kept = 0;
    for (size_t i = 0; i < b->pending_count; i++) {
        const struct pending one = b->pending[i];
        const bool open = one.warp->group == group && one.stamp != group->stamp &&
                          (one.warp->state == VENTUS_RUNS || one.warp->state == VENTUS_ENDED);
        if (!open) {
            b->pending[kept++] = one;
            continue;
        }
        if (node == GRAPH_NONE) {
            bool first;
            const uint64_t key = UINT64_C(3) << 32 | group->stamp | UINT64_C(1) << 63;
            node =
                executed_line(&b->executed, key, b->executed.graph->nodes[one.node].stmt, &first);
            add_facts(b);
        }
        arc(b, one.node, node, 1);
        b->warps[one.stream].released = node;
        b->warps[one.stream].fresh = true;
    }
    b->pending_count = kept;
}

static void wait_at_barrier(struct ventus_builder *b, const struct ventus_warp *warp,
                            uint32_t stream, uint32_t stamp)
{
    struct pending *pending = graph_grow(b->executed.graph, b->pending, &b->pending_capacity,
                                         b->pending_count + 1, sizeof *pending);
    if (!pending)
        return;
    b->pending = pending;
    pending[b->pending_count++] = (struct pending){warp, last_node(b), stream, stamp};
}

/* --- instructions ----------------------------------------------------------------------------- */

/* One instruction of a warp. */
struct executing {
    const struct ventus_warp *warp;
    const struct ventus_effect *effect;
    const struct ventus_cost *cost;
    uint32_t stmt, stream, sm, node;
    bool access;
    struct ventus_transit transit; /* of an access */
    uint64_t operands;             /* cycles until they have been read */
    uint64_t interval;             /* that its unit is taken at least */
};

/* Cycles until it leaves its collector: registers of one bank are read one after the other. */
static uint64_t operands_of(const struct ventus_builder *b, const struct ventus_cost *cost)
{
    const uint32_t most = ventus_bank_reads(b->model, cost);
    return most ? VENTUS_BEHIND_READ + most : VENTUS_BEHIND_ISSUE;
}

/* Cycles that the lines of an access follow the first one. */
static uint64_t lines_take(const struct ventus_builder *b, const struct ventus_transit *x)
{
    uint64_t cycles = x->count - 1;
    for (uint32_t i = 0; i < x->count && x->shared; i++)
        cycles += x->rounds[i] ? x->rounds[i] - 1u : 0;
    if (x->shared && x->store)
        cycles += (x->shared - 1) * (value(b, VENTUS_PARAM_shared_store) - 1);
    return cycles;
}

/* Cycles that the load and store unit is taken. */
static uint64_t access_takes(const struct ventus_builder *b, const struct ventus_transit *x)
{
    return value(b, VENTUS_PARAM_address_cycles) + 1 + lines_take(b, x);
}

/* What comes next is issued when it has left its collector; a result is read in the cycle after
 * that in which it is there. */
static void find_facts(const struct ventus_builder *b, const struct executing *x,
                       struct facts *facts)
{
    const struct ventus_cost *cost = x->cost;
    const bool passes = cost->unit == VENTUS_UNIT_SFU;
    facts->rule = cost->rule;
    facts->follow = x->operands;
    facts->ready = x->operands + cost->latency + x->interval - (passes ? 0 : 1) + 1;
    if (x->access) {
        const uint64_t shared = value(b, VENTUS_PARAM_shared_latency);
        uint64_t latency = value(b, VENTUS_PARAM_l1d_latency);
        if (x->transit.shared && (x->transit.shared == x->transit.count || shared < latency))
            latency = shared;
        facts->ready = x->operands + 1 + value(b, VENTUS_PARAM_address_cycles) +
                       lines_take(b, &x->transit) + latency +
                       (x->transit.copy ? 1 : 2); /* a copy writes no register */
    } else if (cost->unit == VENTUS_UNIT_ISSUE) {
        facts->ready = x->operands + 1;
    }
    facts->jumps =
        cost->jump || x->effect->next != x->effect->pc + ventus_size(x->effect->op->word);
    if (cost->jump)
        facts->follow += cost->latency + 1;
    if (x->effect->next != x->effect->pc + ventus_size(x->effect->op->word))
        facts->follow = later(facts->follow, 1) + value(b, VENTUS_PARAM_fetch_latency) + 2;
}

static void use_units(struct ventus_builder *b, const struct executing *x, struct facts *facts)
{
    struct graph *graph = b->executed.graph;
    struct warp_state *warp = &b->warps[x->stream];
    char name[GRAPH_NAME];
    if (warp->unit == GRAPH_NONE) {
        snprintf(name, sizeof name, "warp %u", x->stream);
        graph_add_unit(graph, name, GRAPH_NONE);
        warp->unit = (uint32_t)graph->unit_count - 1;
    }
    const bool ends = x->warp->state == VENTUS_ENDED;
    use(b, unit_of(b, x->sm, x->cost->vector ? VENTUS_UNIT_VISSUE : VENTUS_UNIT_ISSUE), 0, 1);
    use(b, warp->unit, 0, ends ? 1 : facts->follow);
    if (x->cost->unit == VENTUS_UNIT_ISSUE || (x->access && x->transit.store))
        return; /* stores may still be on their way when the launch is over */
    const uint64_t offset = x->operands + x->access,
                   cycles = x->access ? access_takes(b, &x->transit) : x->interval;
    facts->queued = true;
    graph_add_use(graph, &(struct graph_use){.unit = unit_of(b, x->sm, x->cost->unit),
                                             .spread = true,
                                             .offset = offset,
                                             .cycles = cycles,
                                             .after = facts->ready - offset - cycles});
}

static void touch(struct ventus_builder *b, uint16_t space, uint64_t first, uint64_t count,
                  bool write)
{
    executed_touch(
        &b->executed,
        &(struct graph_span){
            .space = space, .first = first, .count = count, .write = write, .definite = true});
}

static void touch_places(struct ventus_builder *b, const struct executing *x, bool write)
{
    const uint64_t *places = write ? x->cost->writes : x->cost->reads;
    const uint32_t lanes = b->model->launch->threads;
    const bool all =
        lanes >= 32 ? x->effect->mask == UINT32_MAX : x->effect->mask == (UINT32_C(1) << lanes) - 1;
    for (uint32_t word = 0; word < VENTUS_PLACE_WORDS; word++)
        for (uint64_t left = places[word]; left; left &= left - 1)
            executed_touch(&b->executed,
                           &(struct graph_span){.space = word ? SPACE_V : SPACE_X,
                                                .first = 64 * (word - (word > 0)) +
                                                         (uint64_t)__builtin_ctzll(left),
                                                .count = 1,
                                                .write = write,
                                                .definite = !word || all});
}

/* The bytes of the lanes, neighbours as one; accesses keep their side of the warp's barriers. */
static void touch_memory(struct ventus_builder *b, const struct executing *x)
{
    const struct ventus_access *access = &x->effect->access;
    for (uint32_t i = 0, end; i < access->count && !access->copied; i = end) {
        for (end = i + 1; end < access->count &&
                          access->address[end] == access->address[end - 1] + access->bytes;)
            end++;
        touch(b, SPACE_MEMORY, access->address[i], (uint64_t)(end - i) * access->bytes,
              access->store || access->atomic);
    }
    if (x->effect->barrier || access->count)
        touch(b, SPACE_BARRIER, 0, 1, x->effect->barrier);
}

/* What was loaded into the registers that it reads, and into those that it writes. */
static void follow_lines(struct ventus_builder *b, const struct executing *x)
{
    struct warp_state *warp = &b->warps[x->stream];
    struct fill filled = {.first = (uint32_t)b->line_count};
    if (!warp->fills && !(warp->fills = calloc(VENTUS_PLACES, sizeof *warp->fills))) {
        b->executed.graph->status = -1;
        return;
    }
    for (uint32_t word = 0; word < VENTUS_PLACE_WORDS; word++)
        for (uint64_t left = x->cost->reads[word]; left; left &= left - 1)
            wait_for(b, warp->fills[64 * word + (uint32_t)__builtin_ctzll(left)], x->node, 1);
    const bool load = x->access && !x->transit.store;
    for (uint32_t i = 0; load && i < x->transit.count; i++)
        if (!ventus_transit_rounds(&x->transit, i))
            need_lines(b, LINE_DATA, x->sm,
                       ventus_transit_line(&x->transit, i) * value(b, VENTUS_PARAM_l1d_line),
                       x->node);
    filled.count = (uint32_t)b->line_count - filled.first;
    for (uint32_t word = 0; word < VENTUS_PLACE_WORDS; word++)
        for (uint64_t left = x->cost->writes[word]; left; left &= left - 1)
            warp->fills[64 * word + (uint32_t)__builtin_ctzll(left)] = filled;
    if (x->access && x->transit.store)
        b->writes += x->transit.count - x->transit.shared;
}

/* Cycles from the issue of the one before it: a prefix does not wait until that has left its
 * collector. */
static uint64_t lag_after(const struct ventus_builder *b, uint32_t before,
                          const struct ventus_cost *cost)
{
    if (before == GRAPH_NONE)
        return 0;
    return cost->prefix && !b->facts[before].jumps ? 1 : b->facts[before].follow;
}

static void add(struct ventus_builder *b, struct executing *x)
{
    struct warp_state *warp = &b->warps[x->stream];
    const uint32_t before = b->executed.last[x->stream];
    struct fill code = {.first = (uint32_t)b->line_count};
    need_lines(b, LINE_CODE, x->sm, x->effect->pc, GRAPH_NONE);
    code.count = (uint32_t)b->line_count - code.first;
    struct graph_node *node =
        executed_add(&b->executed, x->stream, x->stmt, lag_after(b, before, x->cost));
    struct facts *facts = add_facts(b);
    if (!node || !facts)
        return;
    x->node = last_node(b);
    x->operands = operands_of(b, x->cost);
    x->interval = ventus_interval(b->model, x->cost, x->effect->op, NULL);
    find_facts(b, x, facts);
    node->release = b->release;
    /* A warp ends some cycles after its endprg, whatever is in flight then. */
    node->length = x->warp->state == VENTUS_ENDED ? value(b, VENTUS_PARAM_end_cycles) : 1;
    if (x->cost->prefix) {
        facts->follow = 1;
    } else {
        use_units(b, x, facts);
        if (warp->collected != before && warp->collected != GRAPH_NONE)
            executed_order(&b->executed, warp->collected, x->node,
                           b->facts[warp->collected].follow);
        warp->collected = x->node;
    }
    touch_places(b, x, false);
    touch_places(b, x, true);
    touch_memory(b, x);
    wait_for(b, code, x->node, 0);
    if (warp->fresh)
        executed_order(&b->executed, warp->released, x->node, 0);
    warp->fresh = false;
    if (warp->released != GRAPH_NONE && x->effect->access.count)
        arc(b, warp->released, x->node, 0);
    follow_lines(b, x);
}

static void observe(void *context, const struct ventus_warp *warp,
                    const struct ventus_effect *effect)
{
    struct ventus_builder *b = context;
    const struct ventus_model *m = b->model;
    struct executing x = {.warp = warp,
                          .effect = effect,
                          .stmt = (effect->pc - m->launch->code) / 4,
                          .stream = ventus_stream(m, warp),
                          .sm = warp->group->sm};
    if (b->executed.graph->status != 0)
        return;
    x.cost = &m->cost[x.stmt];
    x.access = x.cost->memory && effect->access.count;
    if (x.access)
        ventus_transit_fill(m, &effect->access, &x.transit);
    /* The one that opens a barrier has changed the stamp itself. */
    const bool opens = effect->barrier && warp->state == VENTUS_RUNS;
    if (!opens)
        open_barriers(b, warp->group);
    add(b, &x);
    if (effect->barrier)
        wait_at_barrier(b, warp, x.stream, warp->group->stamp - opens);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void add_units(struct ventus_builder *b)
{
    static const char *const names[VENTUS_UNIT_KINDS] = {
#define UNIT(id, name, path, kind, shared, sentence) name,
#include "timing/ventus/unit.def"
    };
    const struct ventus_model *m = b->model;
    struct graph *graph = b->executed.graph;
    const uint32_t l2 = ventus_level_unit(m, 0), ram = ventus_level_unit(m, 1);
    graph_add_unit(graph, "l2", l2);
    graph_add_unit(graph, "ram", ram);
    graph_add_unit(graph, "l2.misses", ram);
    for (uint32_t sm = 0; sm < (b->fixed ? m->sm_count : 1); sm++)
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            char name[GRAPH_NAME];
            const bool port = kind < VENTUS_PORTS;
            const char *own = port ? names[kind] : kind == KIND_L1I ? "l1i" : "l1d";
            const uint32_t of = port               ? kind
                                : kind == KIND_L1I ? (uint32_t)VENTUS_UNIT_FETCH
                                                   : (uint32_t)VENTUS_UNIT_LSU;
            if (b->fixed)
                snprintf(name, sizeof name, "sm%u.%s", sm, own);
            else
                snprintf(name, sizeof name, "%s", own);
            graph_add_unit(graph, name, ventus_port_unit(m, sm, of));
            if (graph->status == 0)
                graph->units[graph->unit_count - 1].width =
                    (b->fixed ? 1 : m->sm_count) *
                    (port ? 1 : (uint32_t)value(b, VENTUS_PARAM_l1d_mshrs));
        }
    if (graph->status == 0)
        graph->units[CHIP_MISSES].width = (uint32_t)value(b, VENTUS_PARAM_l2_mshrs);
}

struct ventus_builder *ventus_graph_new(struct ventus_model *m, struct graph *graph)
{
    struct ventus_builder *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->model = m;
    b->fixed = m->next_group == m->groups; /* all have been given to an SM */
    b->warp_count = (size_t)m->groups * m->launch->warps;
    b->warps = malloc((b->warp_count + 1) * sizeof *b->warps);
    for (size_t w = 0; b->warps && w < b->warp_count; w++)
        b->warps[w] = (struct warp_state){
            .unit = GRAPH_NONE, .collected = GRAPH_NONE, .released = GRAPH_NONE};
    graph->spaces = spaces;
    b->release = value(b, VENTUS_PARAM_launch_cycles) + 2 * value(b, VENTUS_PARAM_fetch_latency) +
                 value(b, VENTUS_PARAM_l2_latency) + value(b, VENTUS_PARAM_l2_return) +
                 value(b, VENTUS_PARAM_ram_latency) + 2;
    executed_init(&b->executed, graph, b->warp_count);
    if (!b->warps)
        graph->status = -1;
    add_units(b);
    m->run->observe = observe;
    m->run->context = b;
    return b;
}

static void find_lag(const void *context, const struct graph *graph, struct graph_arc *arc)
{
    const struct ventus_builder *b = context;
    const struct facts *from = &b->facts[arc->from];
    if (arc->kind == ARC_ORDER || from->line || b->facts[arc->to].line ||
        graph->nodes[arc->from].stream != graph->nodes[arc->to].stream)
        return; /* they have theirs */
    arc->lag = from->follow;
    if ((arc->space == SPACE_X || arc->space == SPACE_V) && arc->kind != ARC_WAR &&
        from->ready > arc->lag) {
        arc->lag = from->ready;
        arc->rule = from->rule;
        arc->completes = from->queued;
    }
    arc->least = arc->lag;
}

/* Of all stores' lines those that the second level has taken before the last one could go. */
static void add_writes(struct ventus_builder *b)
{
    struct graph *graph = b->executed.graph;
    const uint64_t flying =
        (value(b, VENTUS_PARAM_l1d_writes) + 2 * VENTUS_LINES) * b->model->sm_count + 1;
    bool first;
    if (!value(b, VENTUS_PARAM_l1d_writes) || b->writes <= flying || !graph->node_count)
        return;
    const uint32_t node = executed_line(&b->executed, UINT64_MAX, graph->nodes[0].stmt, &first);
    struct facts *facts = add_facts(b);
    if (!facts)
        return;
    facts->line = facts->waited = true;
    graph->nodes[node].release = b->release + VENTUS_BEHIND_ISSUE + 1 +
                                 value(b, VENTUS_PARAM_address_cycles) +
                                 value(b, VENTUS_PARAM_l1d_latency);
    graph_add_use(graph, &(struct graph_use){.unit = CHIP_L2,
                                             .placed = true,
                                             .spread = true,
                                             .cycles = (b->writes - flying) *
                                                       value(b, VENTUS_PARAM_l2_interval)});
}

/* What no instruction waits for may still be in flight when the launch is over: results in their
 * units, lines. */
static void drop_unread(struct ventus_builder *b)
{
    struct graph *graph = b->executed.graph;
    for (size_t a = 0; a < graph->arc_count; a++) {
        const struct graph_arc *arc = &graph->arcs[a];
        struct facts *from = &b->facts[arc->from];
        from->waited |= from->line || ((arc->space == SPACE_X || arc->space == SPACE_V) &&
                                       (arc->kind == ARC_RAW || arc->kind == ARC_WAW));
    }
    for (size_t n = 0; n < graph->node_count; n++) {
        const struct facts *facts = &b->facts[n];
        if (!facts->waited && facts->queued)
            graph->nodes[n].use_count--; /* that of its unit, the last one */
        else if (!facts->waited && facts->line)
            graph->nodes[n].length = graph->nodes[n].use_count = 0;
    }
}

int ventus_graph_end(struct ventus_builder *b, char error[MACHINE_ERROR])
{
    add_writes(b);
    if (b->executed.graph->status > 0)
        executed_refusal(&b->executed, error);
    const int status = executed_link(&b->executed, find_lag, b);
    if (status == 0)
        drop_unread(b);
    return status;
}

void ventus_graph_free(struct ventus_builder *b)
{
    if (!b)
        return;
    for (size_t w = 0; b->warps && w < b->warp_count; w++)
        free(b->warps[w].fills);
    executed_free(&b->executed);
    free(b->warps);
    free(b->facts);
    free(b->lines);
    free(b->pending);
    free(b);
}
