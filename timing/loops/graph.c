/*
 * graph: the nodes of a program of tensor loops (timing/graph.h): writing the state and each step,
 * tile after tile. d set and d get are in the stream of tile 0, outside of any nest.
 *
 * Tiles wait for each other at the end of a nest only, and no arc goes from one to another.
 */
#include "timing/graph.h"

#include <stdlib.h>

#include "timing/loops/model.h"

enum { SPACE_MEMORY, SPACE_STATE, SPACES };
static const char *const spaces[SPACES] = {"memory", "state"};

/* What a lag needs to know of a node. */
struct facts {
    uint64_t control, sum, length;
    size_t part; /* of the program's generated code */
    bool stores, outer;
    const char *rule; /* of the sum */
};

struct builder {
    const struct loops_model *model;
    struct graph *graph;
    struct graph_spans spans;
    struct facts *facts; /* of each node */
    size_t capacity, part;
    char *error;
};

static void put(struct builder *b, struct graph_span span)
{
    span.node = (uint32_t)b->graph->node_count - 1;
    span.definite = true;
    graph_spans_add(&b->spans, &span);
}

static struct graph_node *add_node(struct builder *b, const struct facts *facts)
{
    struct facts *list =
        graph_grow(b->graph, b->facts, &b->capacity, b->graph->node_count + 1, sizeof *list);
    if (!list)
        return NULL;
    b->facts = list;
    list[b->graph->node_count] = *facts;
    return graph_add_node(b->graph);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* An element after the span, or a new span. */
static void put_element(struct builder *b, struct graph_span *span, uint64_t address, uint64_t size)
{
    if (span->count && address == span->first + span->count) {
        span->count += size;
        return;
    }
    if (span->count && address >= span->first && address + size <= span->first + span->count)
        return;
    if (span->count)
        put(b, *span);
    span->first = address;
    span->count = size;
}

/* The elements that the lanes of a step touch. */
static void put_lanes(struct builder *b, const struct loops_walk *walk, unsigned o, bool write)
{
    const struct loops_program *program = b->model->program;
    const struct loops_operand *operand = &program->nests[walk->nest].operand[o];
    const struct loops_part *part = &walk->code.parts[walk->part];
    const uint64_t size = loops_type_size[program->tensors[operand->tensor].type];
    uint64_t count[LOOPS_LEVELS], index[LOOPS_LEVELS] = {0};
    int64_t offset[LOOPS_OPERANDS];
    struct graph_span span = {.space = SPACE_MEMORY, .write = write};
    const uint64_t lanes = loops_tile_lanes(program, &walk->at, walk->tile, count, offset);
    int64_t address = walk->at.address[o] + offset[o];
    for (uint64_t i = 0; i < lanes; i++) {
        put_element(b, &span, (uint64_t)address, size);
        for (unsigned k = part->count; k-- > part->sequential;) {
            address += walk->at.multiplier[o][k];
            if (++index[k] < count[k])
                break;
            address -= walk->at.multiplier[o][k] * (int64_t)count[k];
            index[k] = 0;
        }
    }
    put(b, span);
}

static void put_operands(struct builder *b, const struct loops_walk *walk)
{
    const struct loops_nest *nest = &b->model->program->nests[walk->nest];
    for (unsigned o = LOOPS_A; o < LOOPS_OPERANDS; o++)
        if (nest->operand[o].kind == LOOPS_TENSOR)
            put_lanes(b, walk, o, false);
    if (nest->assign != LOOPS_ASSIGN_SET)
        put_lanes(b, walk, LOOPS_TO, false);
    put_lanes(b, walk, LOOPS_TO, true);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static void add_step(struct builder *b, const struct loops_walk *walk, uint32_t occurrence)
{
    const struct loops_step *step = &walk->step;
    const struct loops_nest *nest = &b->model->program->nests[walk->nest];
    const bool outer = b->model->value[LOOPS_PARAM_outer_drain] && !step->setup &&
                       loops_walk_outer(walk); /* all that follow wait for its end */
    struct graph_node *node =
        add_node(b, &(const struct facts){.control = step->control,
                                          .sum = step->sum,
                                          .length = step->length,
                                          .part = b->part,
                                          .stores = step->stores,
                                          .outer = outer,
                                          .rule = nest->type == LOOPS_F32 ? "add_latency"
                                                                          : "integer_latency"});
    if (!node)
        return;
    node->stmt = step->stmt;
    node->occurrence = occurrence;
    node->stream = walk->tile;
    node->issue = (uint32_t)step->control;
    node->length = step->length;
    if (step->control)
        graph_add_use(b->graph, &(const struct graph_use){
                                    .unit = loops_unit_of(b->model, walk->tile, LOOPS_UNIT_CONTROL),
                                    .cycles = step->control});
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        if (step->taken[u])
            graph_add_use(b->graph,
                          &(const struct graph_use){.unit = loops_unit_of(b->model, walk->tile, u),
                                                    .cycles = step->taken[u]});
    put(b, (struct graph_span){.space = SPACE_STATE, .count = 1, .write = step->setup || outer});
    if (!step->setup)
        put_operands(b, walk);
}

static void check_limit(const struct builder *b)
{
    struct graph *graph = b->graph;
    if (!graph->limit || graph->node_count <= graph->limit)
        return;
    snprintf(b->error, MACHINE_ERROR, "the program executes more than %zu steps", graph->limit);
    graph->status = 1;
}

static void add_nest(struct builder *b, struct loops_walk *walk)
{
    const size_t nest = walk->nest;
    uint32_t steps = 0, setups = 0;
    for (; walk->nest == nest && b->graph->status == 0; loops_walk_part(walk), b->part++)
        for (loops_walk_begin(walk); !walk->ended && b->graph->status == 0; loops_walk_next(walk)) {
            if (walk->step.lanes)
                add_step(b, walk, walk->step.setup ? setups++ : steps++);
            check_limit(b);
        }
}

static void add_debug(struct builder *b, const struct loops_item *item)
{
    const struct loops_tensor *tensor = &b->model->program->tensors[item->debug.tensor];
    struct graph_node *node = add_node(b, &(const struct facts){0});
    if (!node)
        return;
    node->stmt = GRAPH_NONE;
    node->outside = true;
    put(b, (struct graph_span){.space = SPACE_MEMORY,
                               .first = tensor->low,
                               .count = tensor->high - tensor->low,
                               .write = item->kind == LOOPS_ITEM_SET});
}

static void add_tile(struct builder *b, uint32_t tile)
{
    const struct loops_program *program = b->model->program;
    struct loops_walk walk;
    if (loops_walk_init(&walk, b->model, tile) != 0)
        b->graph->status = -1;
    b->part = 0;
    for (size_t i = 0; i < program->item_count && b->graph->status == 0; i++)
        if (program->items[i].kind == LOOPS_ITEM_NEST)
            add_nest(b, &walk);
        else if (tile == 0)
            add_debug(b, &program->items[i]);
    loops_walk_free(&walk);
}

/* --- arcs ------------------------------------------------------------------------------------- */

/* Inside a run a sum continues as soon as it is there, in a later run when it is stored. A
 * nest begins when the one before has ended, whatever it reads, and an outer iteration where
 * outer_drain says so. */
static void find_lag(const void *context, const struct graph *graph, struct graph_arc *arc)
{
    const struct builder *b = context;
    const struct facts *from = &b->facts[arc->from], *to = &b->facts[arc->to];
    if (graph->nodes[arc->from].outside || graph->nodes[arc->to].outside)
        return;
    arc->lag = from->control;
    arc->rule = "";
    if (from->part != to->part) {
        arc->lag = from->length;
    } else if (arc->kind == ARC_RAW && arc->space == SPACE_MEMORY) {
        arc->lag = from->stores ? from->length : from->sum;
        arc->rule = from->stores ? "write_latency" : from->rule;
    }
    if (from->outer && from->part == to->part && arc->kind != ARC_WAR && arc->lag < from->length) {
        arc->lag = from->length;
        arc->rule = "outer_drain";
    }
    arc->least = arc->lag;
}

static int build(struct builder *b)
{
    const struct loops_model *m = b->model;
    for (uint32_t u = 0; u < loops_unit_count(m); u++)
        graph_add_unit(b->graph, m->units[u].name, u);
    for (uint32_t t = 0; t < m->tile_count && b->graph->status == 0; t++)
        add_tile(b, t);
    return graph_link(b->graph, &b->spans, find_lag, b);
}

int loops_graph(const struct loops_program *program, const struct config *config, bool documented,
                struct graph *graph, char error[MACHINE_ERROR])
{
    struct loops_model *model = calloc(1, sizeof *model);
    if (!model)
        return -1;
    graph->spaces = spaces;
    graph->quantum = 1;
    struct builder b = {.model = model, .graph = graph, .error = error};
    int status = loops_model_make(model, program, config, documented);
    if (status == 0)
        status = build(&b);
    free(b.facts);
    graph_spans_free(&b.spans);
    loops_model_free(&model->base);
    free(model);
    return status;
}
