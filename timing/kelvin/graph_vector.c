/* graph_vector: vector instructions on their units, in the graph of a Kelvin program. */
#include <string.h>

#include "timing/kelvin/graph_state.h"

/* Cycles from the arrival of a line until its register can be read. */
static uint64_t line_latency(const struct kelvin_builder *b, const struct kelvin_flight *f,
                             unsigned piece)
{
    const bool nothing = piece + 1U == f->pieces && !f->last;
    return (nothing ? 1 : kelvin_value(b, KELVIN_PARAM_load_latency)) +
           kelvin_value(b, KELVIN_PARAM_vload_write);
}

/* The last piece of a load or store that accesses a register. */
static unsigned piece_of(const struct kelvin_flight *f, unsigned reg)
{
    const unsigned each = kelvin_pieces_each(f), last = f->pieces - 1U;
    const unsigned piece = f->strip ? reg % KELVIN_STRIPS * each + each - 1 : last;
    return piece < last ? piece : last;
}

/* Cycles from the start until a written register can be read. */
static uint64_t ready_in(const struct kelvin_builder *b, const struct kelvin_flight *f,
                         unsigned reg)
{
    const uint64_t latency = kelvin_value(b, KELVIN_PARAM_vector_latency);
    if (f->unit != KELVIN_UNIT_LDST)
        return (f->strip ? reg % KELVIN_STRIPS : f->cycles - 1U) + latency;
    return piece_of(f, reg) + line_latency(b, f, piece_of(f, reg));
}

static uint64_t completes_in(const struct kelvin_builder *b, const struct kelvin_flight *f)
{
    const unsigned last = f->pieces - 1U;
    if (f->unit != KELVIN_UNIT_LDST)
        return f->cycles - 1U + kelvin_value(b, KELVIN_PARAM_vector_latency);
    return last + (f->load ? line_latency(b, f, last) : 1);
}

static void use_vector(struct kelvin_builder *b, const struct kelvin_cost *cost,
                       const struct kelvin_flight *f)
{
    const uint64_t last = f->pieces - 1U, pieces = f->last ? f->pieces : last;
    const bool alu = cost->in_turn || f->both;
    graph_add_use(b->executed.graph,
                  &(struct graph_use){.unit = alu ? UNIT_ALUS : (uint32_t)f->unit,
                                      .instances = f->both ? 2 : 1,
                                      .cycles = f->cycles});
    if (!alu && f->unit == KELVIN_UNIT_LDST && pieces)
        graph_add_use(b->executed.graph,
                      &(struct graph_use){.unit = KELVIN_UNIT_DBUS,
                                          .spread = true,
                                          .cycles = pieces,
                                          .after = completes_in(b, f) - last - (f->last ? 1 : 0)});
}

static void touch_shared(struct kelvin_builder *b, uint16_t space, uint64_t bits, bool write)
{
    for (; bits; bits &= bits - 1)
        executed_touch(&b->executed, &(struct graph_span){.space = space,
                                                          .first = (uint64_t)__builtin_ctzll(bits),
                                                          .count = 1,
                                                          .shared = true,
                                                          .definite = true,
                                                          .write = write});
}

static void touch_vector(struct kelvin_builder *b, const struct kelvin_cost *cost,
                         const struct kelvin_step *step, const struct kelvin_flight *f)
{
    uint32_t x[32] = {0};
    struct kelvin_vector_work work = {0};
    x[cost->op.operands.at[KELVIN_T] & 31] = step->value;
    kelvin_vector_work(&cost->op, x, &work);
    const uint64_t reads = work.accum_reads | (uint64_t)work.dwacc_reads << 1,
                   writes = work.accum_writes | (uint64_t)work.dwacc_writes << 1;
    touch_shared(b, SPACE_V, f->reads, false);
    touch_shared(b, SPACE_V, f->writes, true);
    touch_shared(b, SPACE_ACCUMULATOR, reads, false);
    touch_shared(b, SPACE_ACCUMULATOR, writes, true);
}

static void note_sources(struct kelvin_builder *b, struct kelvin_facts *facts, uint32_t node)
{
    const uint64_t sets[] = {facts->flight.reads, facts->flight.writes};
    uint32_t *sources = graph_grow(b->executed.graph, b->sources, &b->source_capacity,
                                   b->source_count + 2 * KELVIN_REGISTERS, sizeof *sources);
    if (!sources)
        return;
    b->sources = sources;
    facts->sources = b->source_count;
    for (unsigned s = 0; s < 2; s++)
        for (uint64_t left = sets[s]; left; left &= left - 1)
            sources[b->source_count++] = b->v_writer[__builtin_ctzll(left)];
    for (uint64_t left = sets[1]; left; left &= left - 1)
        b->v_writer[__builtin_ctzll(left)] = node;
}

/* Lines that registers are loaded from, and the lines of a load or store. */
static void vector_lines(struct kelvin_builder *b, const struct kelvin_flight *f, uint32_t node)
{
    const uint64_t more = f->unit == KELVIN_UNIT_CONV ? kelvin_value(b, KELVIN_PARAM_conv_wait) : 0;
    for (uint64_t left = f->reads; left; left &= left - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(left);
        kelvin_read_lines(b, node, b->v_lines[reg],
                          kelvin_value(b, KELVIN_PARAM_vload_write) + more,
                          f->strip ? reg % KELVIN_STRIPS : 0);
    }
    for (uint64_t left = f->writes; left; left &= left - 1)
        kelvin_no_lines(b->v_lines[__builtin_ctzll(left)]);
    for (unsigned i = 0; f->unit == KELVIN_UNIT_LDST && i < f->pieces; i++) {
        uint32_t filled[LINES];
        kelvin_no_lines(filled);
        kelvin_access_lines(
            b,
            &(struct kelvin_access){.by = node,
                                    .address = f->address + i * f->stride,
                                    .bytes = i + 1U == f->pieces ? f->last : f->piece,
                                    .lag = i,
                                    .write = !f->load},
            filled);
        for (uint64_t left = f->writes; left; left &= left - 1) {
            const unsigned reg = (unsigned)__builtin_ctzll(left);
            if (piece_of(f, reg) == i)
                memcpy(b->v_lines[reg], filled, sizeof filled);
        }
    }
}

/* An operation of both ALUs is the last node of both queues. */
static void order_both(struct kelvin_builder *b, uint32_t node)
{
    uint32_t *last = &b->executed.last[KELVIN_STREAM_VECTOR + 1];
    const uint32_t before = *last;
    *last = node;
    if (before != GRAPH_NONE)
        executed_order(&b->executed, before, node, b->facts[before].flight.cycles);
}

void kelvin_add_vector(struct kelvin_builder *b, const struct kelvin_step *step)
{
    const struct kelvin_cost *cost = &b->model->cost[step->stmt];
    const uint32_t core = b->executed.last[KELVIN_STREAM_CORE];
    const uint64_t delay = kelvin_value(b, KELVIN_PARAM_vector_delay) + 1;
    struct kelvin_flight flight;
    kelvin_flight_fill(&flight, cost, step);
    if (cost->in_turn) {
        flight.unit = (uint8_t)(KELVIN_UNIT_ALU0 + (int)b->turn);
        b->turn = !b->turn;
    }
    const uint32_t stream = KELVIN_STREAM_VECTOR + flight.unit - (uint32_t)KELVIN_UNIT_ALU0,
                   before = b->executed.last[stream];
    struct graph_node *added =
        executed_add(&b->executed, stream, step->stmt,
                     before == GRAPH_NONE ? 0 : b->facts[before].flight.cycles);
    struct kelvin_facts *facts = kelvin_add_facts(b);
    if (!added || !facts)
        return;
    const uint32_t node = kelvin_last_node(b);
    facts->kind = FACTS_VECTOR;
    facts->flight = flight;
    facts->complete = added->length = completes_in(b, &flight);
    b->facts[core].complete = later(b->facts[core].complete, delay + facts->complete);
    note_sources(b, facts, node);
    use_vector(b, cost, &flight);
    touch_vector(b, cost, step, &flight);
    graph_add_arc(b->executed.graph, &(struct graph_arc){.from = core,
                                                         .to = node,
                                                         .kind = ARC_RAW,
                                                         .certain = true,
                                                         .lag = delay,
                                                         .least = delay,
                                                         .rule = "vector_delay"});
    if (flight.both)
        order_both(b, node);
    vector_lines(b, &flight, node);
}

/* The lag of an arc: the largest over the registers that both nodes access in the way of the arc's
 * kind. */
void kelvin_vector_lag(const struct kelvin_builder *b, struct graph_arc *arc)
{
    const struct kelvin_facts *from = &b->facts[arc->from], *to = &b->facts[arc->to];
    const struct kelvin_flight *f = &from->flight, *t = &to->flight;
    const bool raw = arc->kind == ARC_RAW;
    /* An overwriting operation is decoded once the earlier one no longer needs the register, and
     * reaches its unit a cycle later. Accumulators belong to one unit, which executes one operation
     * at a time. */
    const uint64_t behind = raw ? 0 : 1,
                   lands = raw ? 0 : kelvin_value(b, KELVIN_PARAM_vector_latency),
                   more = raw && t->unit == KELVIN_UNIT_CONV
                              ? kelvin_value(b, KELVIN_PARAM_conv_wait)
                              : 0;
    size_t source = to->sources;
    if (arc->kind == ARC_WAW)
        source += (size_t)__builtin_popcountll(t->reads);
    arc->lag = arc->space == SPACE_ACCUMULATOR ? 1 : behind;
    for (uint64_t left = raw ? t->reads : t->writes; left; left &= left - 1, source++) {
        const unsigned reg = (unsigned)__builtin_ctzll(left);
        const bool same =
            arc->kind == ARC_WAR ? f->reads >> reg & 1 : b->sources[source] == arc->from;
        if (!same)
            continue;
        if (f->unit == KELVIN_UNIT_LDST)
            arc->lag = later(arc->lag, piece_of(f, reg) + behind);
        else if (arc->kind == ARC_WAR && kelvin_value(b, KELVIN_PARAM_read_hold))
            arc->lag = later(arc->lag, kelvin_last_read(f, reg) + behind);
        const uint64_t before = lands + (t->strip ? reg % KELVIN_STRIPS : 0),
                       ready = arc->kind == ARC_WAR ? 0 : ready_in(b, f, reg);
        if (ready > lands && ready + more > before + arc->lag) {
            arc->lag = ready + more - before;
            arc->rule = f->unit == KELVIN_UNIT_LDST ? "load_latency"
                        : more                      ? "conv_wait"
                                                    : "vector_latency";
        }
    }
}
