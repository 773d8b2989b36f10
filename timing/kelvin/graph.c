/*
 * graph: the nodes of a Kelvin program (timing/graph.h, timing/executed.h): one per executed
 * instruction at the core, another one for the execution of a vector instruction on its unit, and
 * one per line of data memory accessed.
 *
 *   stream CORE     start: dispatch. Scalar registers, memory, CSRs, output
 *   streams VECTOR  one per queue. start: start on its unit. Vector registers, accumulators
 *
 * Memory is ordered at the core: vector loads and stores stay in order, but the model does not
 * delay a scalar access until an earlier vector access is done (timing/kelvin/model.h). A fence
 * waits for all earlier memory accesses. Arcs of program order alone: the queues, the path of the
 * fetch, and the grouping of instructions for dispatch.
 */
#include <stdlib.h>
#include <string.h>

#include "timing/kelvin/graph_state.h"

static const char *const spaces[SPACES] = {"x", "v", "accumulator", "csr", "output", "memory"};

static void use(struct kelvin_builder *b, uint32_t unit, uint64_t cycles)
{
    graph_add_use(b->executed.graph, &(struct graph_use){.unit = unit, .cycles = cycles});
}

static void touch(struct kelvin_builder *b, uint16_t space, uint64_t first, uint64_t count,
                  bool write)
{
    executed_touch(
        &b->executed,
        &(struct graph_span){
            .space = space, .first = first, .count = count, .write = write, .definite = true});
}

/* One place per set bit. */
static void touch_bits(struct kelvin_builder *b, uint16_t space, uint64_t bits, bool write)
{
    for (; bits; bits &= bits - 1)
        touch(b, space, (uint64_t)__builtin_ctzll(bits), 1, write);
}

/* --- fetch, in program order ------------------------------------------------------------------ */

/* Lines of a code range, plus those that may be prefetched after it. */
static uint64_t lines_of(const struct kelvin_builder *b, const struct kelvin_code *code)
{
    return 4 * (uint64_t)code->words / kelvin_value(b, KELVIN_PARAM_line_bytes) + 2 +
           kelvin_value(b, KELVIN_PARAM_l0_ahead);
}

static struct kelvin_asked *asked_of(const struct kelvin_builder *b, uint64_t address)
{
    const struct kelvin_program *program = b->model->program;
    const uint64_t size = kelvin_value(b, KELVIN_PARAM_line_bytes);
    uint64_t before = 0;
    for (size_t i = 0; i + 1 < program->code_count &&
                       address - program->code[i].base >= 4 * (uint64_t)program->code[i].words;
         i++)
        before += lines_of(b, &program->code[i]);
    for (size_t i = program->code_count; i-- > 0;)
        if (address >= program->code[i].base)
            return &b->asked[before + address / size - program->code[i].base / size];
    return b->asked;
}

/* The core enters the line of an instruction and requests it and the next ones. */
static void fetch(struct kelvin_builder *b, uint64_t address, uint32_t before, uint64_t lag)
{
    const uint64_t size = kelvin_value(b, KELVIN_PARAM_line_bytes), line = address / size;
    struct kelvin_asked *asked = asked_of(b, address);
    if (b->entered == line + 1)
        return;
    b->entered = line + 1;
    for (uint64_t i = 0; i <= kelvin_value(b, KELVIN_PARAM_l0_ahead); i++)
        if (!asked[i].known)
            asked[i] = (struct kelvin_asked){.node = before, .known = true, .lag = lag};
    if (asked->node != GRAPH_NONE)
        executed_order(&b->executed, asked->node, kelvin_last_node(b),
                       asked->lag + kelvin_value(b, KELVIN_PARAM_l1i_latency) +
                           kelvin_value(b, KELVIN_PARAM_memory_latency));
    asked->node = GRAPH_NONE; /* whether it is fetched again later is not known */
}

/* --- at the core ------------------------------------------------------------------------------ */

static void use_core(struct kelvin_builder *b, const struct kelvin_cost *cost,
                     const struct kelvin_facts *facts)
{
    const uint64_t lost = facts->follow > 1 ? facts->follow - 1 : 0; /* cycles without dispatch */
    const struct graph_use slots = {
        .unit = UNIT_SLOTS,
        .offset = lost ? 1 : 0,
        .cycles = lost ? lost : 1,
        .instances = lost ? (uint32_t)kelvin_value(b, KELVIN_PARAM_dispatch_width) : 1};
    graph_add_use(b->executed.graph, &slots);
    if (facts->follow)
        use(b, UNIT_JUMPS, facts->follow);
    if (cost->class != KELVIN_TO_VECTOR && cost->unit != KELVIN_UNIT_CORE)
        use(b, cost->unit, cost->class == KELVIN_DIVIDE ? facts->latency : 1);
}

/* The bytes of a vector load or store. */
static void touch_pieces(struct kelvin_builder *b, const struct kelvin_step *step, bool write)
{
    const uint64_t whole = (uint64_t)step->pieces * step->piece;
    if (step->pieces && step->stride == step->piece) {
        touch(b, SPACE_MEMORY, step->address, whole - step->piece + step->last, write);
        return;
    }
    for (uint32_t i = 0; i < step->pieces; i++)
        touch(b, SPACE_MEMORY, step->address + i * step->stride,
              i + 1 == step->pieces ? step->last : step->piece, write);
}

static bool prints(const struct kelvin_cost *cost)
{
    const struct kelvin_form *form = cost->op.form;
    return form && form->family >= KELVIN_flog && form->family <= KELVIN_klog;
}

static void touch_core(struct kelvin_builder *b, const struct kelvin_cost *cost,
                       const struct kelvin_step *step)
{
    touch_bits(b, SPACE_X, cost->x_reads, false);
    touch_bits(b, SPACE_X, cost->x_writes, true);
    if (cost->class == KELVIN_CSR_ACCESS)
        touch(b, SPACE_CSR, 0, 1, true);
    if (prints(cost))
        touch(b, SPACE_OUTPUT, 0, 1, true);
    if (cost->class == KELVIN_WAIT)
        for (size_t i = 0; i < b->model->program->range_count; i++)
            touch(b, SPACE_MEMORY, b->model->program->ranges[i].base,
                  b->model->program->ranges[i].size, true);
    if (cost->class == KELVIN_LOAD || cost->class == KELVIN_STORE)
        touch(b, SPACE_MEMORY, step->address, cost->bytes, cost->class == KELVIN_STORE);
    if (cost->class == KELVIN_TO_VECTOR && cost->unit == KELVIN_UNIT_LDST)
        touch_pieces(b, step, cost->v_writes == 0);
}

/* Lines that registers are loaded from, and the lines of a scalar access. */
static void core_lines(struct kelvin_builder *b, const struct kelvin_cost *cost,
                       const struct kelvin_step *step)
{
    const uint32_t node = kelvin_last_node(b);
    const bool load = cost->class == KELVIN_LOAD;
    uint32_t filled[LINES];
    kelvin_no_lines(filled);
    for (uint32_t left = cost->x_reads; left; left &= left - 1)
        kelvin_read_lines(b, node, b->x_lines[__builtin_ctz(left)], 0, 0);
    if (load || cost->class == KELVIN_STORE)
        kelvin_access_lines(b,
                            &(struct kelvin_access){.by = node,
                                                    .address = step->address,
                                                    .bytes = cost->bytes,
                                                    .scalar = true,
                                                    .write = !load},
                            filled);
    for (uint32_t left = cost->x_writes; left; left &= left - 1)
        memcpy(b->x_lines[__builtin_ctz(left)], filled, sizeof filled);
}

/* Order arcs: from the instruction dispatch_width earlier, and from its fetch. */
static void order_core(struct kelvin_builder *b, const struct kelvin_cost *cost, uint32_t before,
                       uint64_t lag)
{
    const uint64_t width = kelvin_value(b, KELVIN_PARAM_dispatch_width);
    uint32_t *slot = &b->dispatched[b->dispatches++ % width];
    fetch(b, cost->address, before, lag);
    if (*slot != GRAPH_NONE)
        executed_order(&b->executed, *slot, kelvin_last_node(b), 1);
    *slot = kelvin_last_node(b);
}

static void add_core(struct kelvin_builder *b, const struct kelvin_step *step)
{
    const struct kelvin_model *m = b->model;
    const struct kelvin_cost *cost = &m->cost[step->stmt];
    const uint32_t before = b->executed.last[KELVIN_STREAM_CORE];
    const bool alone = cost->first;
    const uint64_t lag = before == GRAPH_NONE ? 0 : later(b->facts[before].follow, alone ? 1 : 0);
    struct graph_node *node = executed_add(&b->executed, KELVIN_STREAM_CORE, step->stmt, lag);
    struct kelvin_facts *facts = kelvin_add_facts(b);
    if (!node || !facts)
        return;
    facts->latency = kelvin_latency(m, cost, step, &facts->rule);
    facts->alone = alone;
    facts->fence = cost->class == KELVIN_WAIT;
    facts->complete = cost->x_writes ? facts->latency : 1;
    facts->follow = cost->last || step->taken ? 1 : 0;
    if (kelvin_missed(cost, step))
        facts->follow = 1 + kelvin_value(b, cost->class == KELVIN_BRANCH ? KELVIN_PARAM_branch_miss
                                                                         : KELVIN_PARAM_jump_miss);
    node->release = b->release;
    node->length = facts->complete;
    use_core(b, cost, facts);
    touch_core(b, cost, step);
    order_core(b, cost, before, lag);
    core_lines(b, cost, step);
}

/* --- lags ------------------------------------------------------------------------------------- */

static void core_lag(const struct kelvin_builder *b, struct graph_arc *arc)
{
    const struct kelvin_facts *from = &b->facts[arc->from], *to = &b->facts[arc->to];
    arc->lag = later(from->follow, to->alone ? 1 : 0);
    if (to->fence && arc->space == SPACE_MEMORY) {
        arc->lag = later(arc->lag, from->complete);
    } else if (arc->space == SPACE_X && arc->kind != ARC_WAR) {
        const uint64_t lands = arc->kind == ARC_RAW          ? from->latency
                               : from->latency > to->latency ? from->latency - to->latency
                                                             : 0;
        if (lands > arc->lag)
            arc->rule = from->rule;
        arc->lag = later(arc->lag, lands);
    }
}

static void find_lag(const void *context, const struct graph *graph, struct graph_arc *arc)
{
    const struct kelvin_builder *b = context;
    const struct kelvin_facts *from = &b->facts[arc->from], *to = &b->facts[arc->to];
    (void)graph;
    if (arc->kind == ARC_ORDER || from->kind != to->kind || from->kind == FACTS_LINE)
        return; /* they have their arcs */
    if (from->kind == FACTS_CORE)
        core_lag(b, arc);
    else
        kelvin_vector_lag(b, arc);
    arc->least = arc->lag;
}

/* --- the whole graph -------------------------------------------------------------------------- */

static void start(struct kelvin_builder *b)
{
    const struct kelvin_model *m = b->model;
    struct graph *graph = b->executed.graph;
    static const char *const names[KELVIN_UNITS] = {
#define UNIT(id, name, path, kind, width, sentence) name,
#include "timing/kelvin/unit.def"
    };
    const struct {
        const char *name;
        uint32_t unit, width;
    } more[] = {{"dispatch", GRAPH_NONE, (uint32_t)kelvin_value(b, KELVIN_PARAM_dispatch_width)},
                {"jumps", GRAPH_NONE, 1},
                {"valu", KELVIN_UNIT_ALU0, 2},
                {"l1d", KELVIN_UNIT_MEM, (uint32_t)kelvin_value(b, KELVIN_PARAM_l1d_misses)}};
    for (uint32_t u = 0; u < KELVIN_UNITS; u++)
        graph_add_unit(graph, names[u], u);
    for (uint32_t u = KELVIN_UNITS; u < UNITS; u++)
        graph_add_unit(graph, more[u - KELVIN_UNITS].name, more[u - KELVIN_UNITS].unit);
    for (uint32_t u = KELVIN_UNITS; u < graph->unit_count; u++)
        graph->units[u].width = more[u - KELVIN_UNITS].width;
    const uint64_t width = kelvin_value(b, KELVIN_PARAM_dispatch_width);
    uint64_t code = 1;
    for (size_t i = 0; i < m->program->code_count; i++)
        code += lines_of(b, &m->program->code[i]);
    b->dispatched = malloc(width * sizeof *b->dispatched);
    b->asked = calloc(code, sizeof *b->asked);
    for (uint64_t i = 0; b->dispatched && i < width; i++)
        b->dispatched[i] = GRAPH_NONE;
    for (unsigned r = 0; r < 32; r++)
        kelvin_no_lines(b->x_lines[r]);
    for (unsigned r = 0; r < KELVIN_REGISTERS; r++) {
        kelvin_no_lines(b->v_lines[r]);
        b->v_writer[r] = GRAPH_NONE;
    }
    b->release =
        kelvin_value(b, KELVIN_PARAM_l1i_latency) + kelvin_value(b, KELVIN_PARAM_memory_latency);
    if (!b->dispatched || !b->asked)
        graph->status = -1;
}

static void add_steps(struct kelvin_builder *b, struct kelvin_exec *exec, uint64_t most)
{
    enum { CHUNK = 256 };
    struct kelvin_step steps[CHUNK];
    const int *status = &b->executed.graph->status;
    while (*status == 0 && kelvin_exec_end(exec) == KELVIN_RUNS) {
        const uint64_t left = most - kelvin_exec_done(exec);
        const uint64_t count = kelvin_exec_advance(exec, left < CHUNK ? left : CHUNK, steps);
        for (uint64_t i = 0; i < count && *status == 0; i++) {
            add_core(b, &steps[i]);
            if (*status == 0 && b->model->cost[steps[i].stmt].class == KELVIN_TO_VECTOR)
                kelvin_add_vector(b, &steps[i]);
        }
        if (!count)
            break;
    }
}

/* The instruction that ends the program waits for everything else and takes a cycle. */
static void add_end(struct kelvin_builder *b)
{
    struct graph *graph = b->executed.graph;
    const uint32_t last = b->executed.last[KELVIN_STREAM_CORE];
    if (last == GRAPH_NONE || !b->facts[last].fence)
        return;
    graph->end = 1;
    graph->nodes[last].length = 0;
}

int kelvin_graph(struct kelvin_exec *exec, const struct kelvin_model *model, uint64_t most,
                 struct graph *graph, char error[MACHINE_ERROR])
{
    struct kelvin_builder b = {.model = model};
    graph->spaces = spaces;
    executed_init(&b.executed, graph, KELVIN_STREAM_VECTOR + KELVIN_QUEUES);
    start(&b);
    add_steps(&b, exec, most);
    if (graph->status > 0)
        executed_refusal(&b.executed, error);
    if (graph->status == 0 && kelvin_exec_end(exec) != KELVIN_ENDED) {
        snprintf(error, MACHINE_ERROR, "%s",
                 kelvin_exec_end(exec) == KELVIN_FAULTED ? kelvin_exec_sentence(exec)
                                                         : "the program has not ended");
        graph->status = 1;
    }
    if (graph->status == 0) {
        kelvin_close_lines(&b);
        add_end(&b);
    }
    const int status = executed_link(&b.executed, find_lag, &b);
    executed_free(&b.executed);
    free(b.facts);
    free(b.lines);
    free(b.line_of);
    free(b.sources);
    free(b.asked);
    free(b.dispatched);
    return status;
}
