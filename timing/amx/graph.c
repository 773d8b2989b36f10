/*
 * graph: the nodes of an AMX program (timing/graph.h): each instruction as often as a thread
 * executes it, thread after thread. d set and d get have no nodes.
 *
 * Threads do not wait for each other, so no arc goes from one to another, though they share memory.
 * A load does not wait for a store either: through memory there is the order alone.
 */
#include "timing/graph.h"

#include <stdlib.h>
#include <string.h>

#include "functional/amx/work.h"
#include "timing/amx/model.h"

enum { SPACE_MEMORY = AMX_SPACE_COUNT, SPACES };
static const char *const spaces[SPACES] = {
    [AMX_SPACE_X] = "X", [AMX_SPACE_Y] = "Y", [AMX_SPACE_Z] = "Z", [SPACE_MEMORY] = "memory"};

enum { WAYS = 64 };

struct builder {
    const struct amx_model *model;
    struct graph *graph;
    struct graph_spans spans;
    uint32_t *executed; /* of each statement, by the thread */
    /* Of a block: the ways in which its addresses grow. */
    const struct amx_address *ways[WAYS];
    unsigned way_count;
};

static void put(struct builder *b, struct graph_span span, bool write)
{
    span.node = (uint32_t)b->graph->node_count - 1;
    span.write = write;
    span.definite = true;
    graph_spans_add(&b->spans, &span);
}

static void put_registers(struct builder *b, const struct span *spans, size_t count, bool write)
{
    for (size_t i = 0; i < count; i++)
        put(b,
            (struct graph_span){.space = spans[i].space,
                                .set = spans[i].set,
                                .first = spans[i].first,
                                .count = spans[i].count},
            write);
}

static void put_memory(struct builder *b, uint64_t address, uint64_t bytes, bool write)
{
    put(b, (struct graph_span){.space = SPACE_MEMORY, .first = address, .count = bytes}, write);
}

static bool is_store(const struct amx_item *item)
{
    return item->insn == AMX_STX || item->insn == AMX_STY || item->insn == AMX_STZ;
}

static bool is_load(const struct amx_item *item)
{
    return item->insn == AMX_LDX || item->insn == AMX_LDY || item->insn == AMX_LDZ;
}

/* A thread that may move uses the unit of no certain cluster. */
static void add_uses(struct builder *b, const struct thread *t, const struct cost *cost)
{
    const uint32_t port = port_of(t, cost);
    graph_add_use(b->graph, &(const struct graph_use){.unit = cpu_unit(t), .cycles = cost->cpu});
    if (port != NO_PORT && !t->moves)
        graph_add_use(b->graph, &(const struct graph_use){.unit = port, .cycles = cost->interval});
}

/* A node that executes an item, and the registers that it touches. */
static struct graph_node *add_item(struct builder *b, size_t number)
{
    struct graph_node *node = graph_add_node(b->graph);
    struct amx_work_storage storage;
    struct work work;
    if (!node)
        return NULL;
    node->stmt = b->model->stmt_of_item[number];
    amx_work_item(b->model->program, number, &storage, &work);
    put_registers(b, work.reads, work.read_count, false);
    put_registers(b, work.writes, work.write_count, true);
    return node;
}

/* What its statements take at least. */
static const struct cost *least_costs(const struct thread *t)
{
    return t->moves ? t->model->cost[PERFORMANCE] : costs_of(t);
}

static void add_insn(struct builder *b, const struct thread *t, const struct amx_cursor *cursor,
                     const struct amx_item *item)
{
    const size_t number = (size_t)(item - b->model->program->items);
    const uint32_t stmt = b->model->stmt_of_item[number];
    const struct cost *cost = &least_costs(t)[stmt];
    struct graph_node *node = add_item(b, number);
    if (!node)
        return;
    node->occurrence = b->executed[stmt]++;
    node->stream = t->index;
    node->issue = cost->cpu;
    node->length = cost->length;
    add_uses(b, t, cost);
    if (is_load(item) || is_store(item))
        put_memory(b, amx_address_at(&item->address, cursor), cost->bytes, is_store(item));
}

/* d set and d get: words of 64 bits from a register, or from a byte of memory. */
static void add_debug(struct builder *b, const struct thread *t, const struct amx_item *item)
{
    const struct amx_debug *debug = &item->debug;
    const bool write = item->kind == AMX_ITEM_SET;
    struct graph_node *node = graph_add_node(b->graph);
    if (!node)
        return;
    node->stmt = GRAPH_NONE;
    node->stream = t->index;
    node->outside = true;
    if (debug->file == 'm') {
        put_memory(b, debug->at, debug->count * 8, write);
        return;
    }
    const enum amx_space space = debug->file == 'x'   ? AMX_SPACE_X
                                 : debug->file == 'y' ? AMX_SPACE_Y
                                                      : AMX_SPACE_Z;
    const struct graph_span span = {
        .space = (uint16_t)space, .set = UINT64_MAX, .count = AMX_ROW}; /* of all registers */
    put(b, span, write);
}

static void add_thread(struct builder *b, const struct thread *t, char error[MACHINE_ERROR])
{
    const struct amx_program *program = b->model->program;
    struct graph *graph = b->graph;
    struct amx_cursor cursor;
    const struct amx_item *item;
    for (size_t s = 0; s < b->model->stmt_count; s++)
        b->executed[s] = 0;
    amx_cursor_start(&cursor, program, t->number);
    while (graph->status == 0 && (item = amx_cursor_next(&cursor, program))) {
        if (item->kind == AMX_ITEM_INSN)
            add_insn(b, t, &cursor, item);
        else
            add_debug(b, t, item);
        if (graph->limit && graph->node_count > graph->limit) {
            snprintf(error, MACHINE_ERROR, "the program executes more than %zu instructions",
                     graph->limit);
            graph->status = 1;
        }
    }
}

static void find_lag(const void *context, const struct graph *graph, struct graph_arc *arc)
{
    const struct amx_model *m = ((const struct builder *)context)->model;
    const struct graph_node *from = &graph->nodes[arc->from], *to = &graph->nodes[arc->to];
    if (from->outside)
        return;
    const struct cost *costs = least_costs(&m->threads[from->stream]);
    const struct cost *first = &costs[from->stmt];
    arc->lag = first->cpu;
    arc->least = arc->lag;
    if (to->outside || arc->space == SPACE_MEMORY || arc->kind == ARC_WAR)
        return;
    const struct cost *second = &costs[to->stmt];
    /* Two writes of a place may land in the same cycle. */
    const uint64_t lands = arc->kind == ARC_RAW               ? first->latency
                           : first->latency > second->latency ? first->latency - second->latency
                                                              : 0;
    if (lands > arc->lag) {
        arc->lag = lands;
        arc->rule = first->rule ? first->rule : "";
    }
    arc->least = arc->lag;
}

static int build(struct builder *b, char error[MACHINE_ERROR])
{
    const struct amx_model *m = b->model;
    for (uint32_t u = 0; u < m->unit_count; u++)
        graph_add_unit(b->graph, m->units[u].name, u);
    for (uint32_t t = 0; t < m->thread_count; t++)
        add_thread(b, &m->threads[t], error);
    return graph_link(b->graph, &b->spans, find_lag, b);
}

/* --- a block ---------------------------------------------------------------------------------- */

static unsigned way_of(struct builder *b, const struct amx_address *address)
{
    unsigned way = 0;
    while (way < b->way_count &&
           (b->ways[way]->steps != address->steps ||
            memcmp(b->ways[way]->step, address->step, address->steps * sizeof *address->step) != 0))
        way++;
    if (way == b->way_count && way < WAYS - 1)
        b->ways[b->way_count++] = address;
    return way;
}

/* Addresses that grow alike keep their distance. Those that grow in another way may be anywhere:
 * each way has separate memory, and an access counts as one to the whole memory of every other way.
 * */
static void put_address(struct builder *b, const struct amx_item *item, uint64_t bytes)
{
    const unsigned way = way_of(b, &item->address);
    const uint64_t used = (UINT64_C(1) << b->way_count) - 1, own = UINT64_C(1) << way;
    const bool known = way < b->way_count;
    if (known)
        put(b,
            (struct graph_span){
                .space = SPACE_MEMORY, .set = own, .first = item->address.base, .count = bytes},
            is_store(item));
    if (used & ~own)
        put(b, (struct graph_span){.space = SPACE_MEMORY, .set = used & ~own, .count = UINT64_MAX},
            !known && is_store(item));
}

int amx_graph_block(const struct amx_model *model, size_t first, size_t end, struct graph *graph)
{
    struct builder *b = calloc(1, sizeof *b);
    *graph = (struct graph){.quantum = 1, .spaces = spaces};
    if (!b)
        return -1;
    b->model = model;
    b->graph = graph;
    for (size_t i = first; i < end; i++) {
        const struct amx_item *item = &model->program->items[i];
        if (is_load(item) || is_store(item))
            way_of(b, &item->address);
    }
    for (size_t i = first; i < end && add_item(b, i); i++) {
        const struct amx_item *item = &model->program->items[i];
        if (is_load(item) || is_store(item))
            put_address(b, item, model->cost[PERFORMANCE][model->stmt_of_item[i]].bytes);
    }
    const int status = graph_link(graph, &b->spans, find_lag, b);
    graph_spans_free(&b->spans);
    free(b);
    return status;
}

int amx_graph(const struct amx_program *program, const struct config *config, bool documented,
              struct graph *graph, char error[MACHINE_ERROR])
{
    struct amx_model model = {.program = NULL};
    struct builder b = {.model = &model, .graph = graph};
    int status = amx_model_make(&model, program, config, documented);
    graph->quantum = 1;
    graph->spaces = spaces;
    b.executed = calloc(model.stmt_count + 1, sizeof *b.executed);
    if (status == 0)
        status = b.executed ? build(&b, error) : -1;
    free(b.executed);
    graph_spans_free(&b.spans);
    amx_model_free(&model.base);
    return status;
}
