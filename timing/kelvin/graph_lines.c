/* graph_lines: the memory lines accessed by a Kelvin program, as nodes of its graph. */
#include "timing/kelvin/graph_state.h"

struct kelvin_facts *kelvin_add_facts(struct kelvin_builder *b)
{
    struct graph *graph = b->executed.graph;
    struct kelvin_facts *facts =
        graph_grow(graph, b->facts, &b->capacity, graph->node_count, sizeof *facts);
    if (!facts)
        return NULL;
    b->facts = facts;
    facts += kelvin_last_node(b);
    *facts = (struct kelvin_facts){.rule = ""};
    return facts;
}

static struct kelvin_line *new_line(struct kelvin_builder *b, uint32_t node)
{
    struct graph *graph = b->executed.graph;
    struct kelvin_line *lines =
        graph_grow(graph, b->lines, &b->line_capacity, b->line_count + 1, sizeof *lines);
    b->lines = lines ? lines : b->lines;
    uint32_t *line_of =
        graph_grow(graph, b->line_of, &b->line_of_capacity, (size_t)node + 1, sizeof *line_of);
    b->line_of = line_of ? line_of : b->line_of;
    struct kelvin_facts *facts = kelvin_add_facts(b);
    if (!facts)
        return NULL;
    facts->kind = FACTS_LINE;
    line_of[node] = (uint32_t)b->line_count;
    lines[b->line_count] = (struct kelvin_line){.node = node, .store = GRAPH_NONE};
    return &lines[b->line_count++];
}

/* Each line is fetched by the data cache at least once, and served by memory. */
static void use_line(struct kelvin_builder *b)
{
    const uint64_t hit = kelvin_value(b, KELVIN_PARAM_load_latency);
    if (!kelvin_value(b, KELVIN_PARAM_caches))
        return;
    const struct graph_use miss = {.unit = UNIT_MISSES,
                                   .placed = true,
                                   .cycles = hit + kelvin_value(b, KELVIN_PARAM_memory_latency)},
                           memory = {.unit = KELVIN_UNIT_MEM,
                                     .placed = true,
                                     .offset = hit,
                                     .cycles = kelvin_value(b, KELVIN_PARAM_memory_interval)};
    graph_add_use(b->executed.graph, &miss);
    graph_add_use(b->executed.graph, &memory);
}

void kelvin_access_lines(struct kelvin_builder *b, const struct kelvin_access *a,
                         uint32_t filled[LINES])
{
    const uint64_t size = kelvin_value(b, KELVIN_PARAM_line_bytes);
    const uint64_t first = a->address / size, end = (uint64_t)a->address + a->bytes;
    for (uint64_t l = first; l * size < end; l++) {
        bool fresh;
        const uint32_t stmt = b->executed.graph->nodes[a->by].stmt,
                       node = executed_line(&b->executed, l, stmt, &fresh);
        executed_access(&b->executed, node, a->by);
        if (b->executed.graph->status != 0)
            return;
        struct kelvin_line *line = fresh ? new_line(b, node) : &b->lines[b->line_of[node]];
        if (!line)
            return;
        if (fresh && a->write && !a->scalar && a->address <= l * size && end >= (l + 1) * size) {
            line->store = a->by; /* later accesses depend on it */
            line->lag = a->lag;
        }
        line->scalar |= a->scalar;
        line->read |= !a->write;
        if (fresh && !a->write && l - first < LINES)
            filled[l - first] = node;
        if (fresh)
            use_line(b);
    }
}

void kelvin_no_lines(uint32_t lines[LINES])
{
    for (unsigned i = 0; i < LINES; i++)
        lines[i] = GRAPH_NONE;
}

void kelvin_read_lines(struct kelvin_builder *b, uint32_t node, const uint32_t lines[LINES],
                       uint64_t latency, uint64_t behind)
{
    const uint64_t all = kelvin_value(b, KELVIN_PARAM_load_latency) +
                         kelvin_value(b, KELVIN_PARAM_memory_latency) + latency;
    for (unsigned i = 0; i < LINES; i++)
        if (lines[i] != GRAPH_NONE && all > behind)
            graph_add_arc(b->executed.graph, &(struct graph_arc){.from = lines[i],
                                                                 .to = node,
                                                                 .kind = ARC_RAW,
                                                                 .space = SPACE_MEMORY,
                                                                 .lag = all - behind,
                                                                 .least = all - behind,
                                                                 .rule = "memory_latency"});
}

void kelvin_close_lines(struct kelvin_builder *b)
{
    struct graph *graph = b->executed.graph;
    for (size_t i = 0; i < b->line_count; i++) {
        const struct kelvin_line *line = &b->lines[i];
        struct graph_node *node = &graph->nodes[line->node];
        node->release = b->release;
        /* Nothing waits for a line that is only stored to; the program may end earlier. */
        node->length = !line->read ? 1
                                   : kelvin_value(b, KELVIN_PARAM_load_latency) +
                                         kelvin_value(b, KELVIN_PARAM_memory_latency);
        if (line->store == GRAPH_NONE || line->scalar)
            continue;
        const struct graph_arc arc = {.from = line->store,
                                      .to = line->node,
                                      .kind = ARC_RAW,
                                      .space = SPACE_MEMORY,
                                      .lag = line->lag,
                                      .least = line->lag,
                                      .rule = ""};
        graph_add_arc(graph, &arc);
    }
}
