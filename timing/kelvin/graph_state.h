/* graph_state: state while the graph of a Kelvin program is built (timing/kelvin/graph.c). */
#ifndef TAKT_TIMING_KELVIN_GRAPH_STATE_H
#define TAKT_TIMING_KELVIN_GRAPH_STATE_H

#include "timing/executed.h"
#include "timing/kelvin/model.h"

enum { SPACE_X, SPACE_V, SPACE_ACCUMULATOR, SPACE_CSR, SPACE_OUTPUT, SPACE_MEMORY, SPACES };

/* Units of the graph: those of unit.def, then the following. */
enum {
    UNIT_SLOTS = KELVIN_UNITS, /* dispatch slots */
    UNIT_JUMPS,                /* instructions that end their group */
    UNIT_ALUS,                 /* either of the two ALUs */
    UNIT_MISSES,               /* lines fetched by the data cache */
    UNITS
};

enum { LINES = 2 }; /* lines that one piece can span */

/* Properties of a node needed to compute lags. */
struct kelvin_facts {
    enum { FACTS_CORE, FACTS_VECTOR, FACTS_LINE } kind;
    uint64_t complete;           /* cycles until its results are complete */
    uint64_t latency;            /* CORE: until its result can be read */
    uint64_t follow;             /* CORE: until the core can continue after it */
    bool alone, fence;           /* CORE: first of its group; waits for everything in flight */
    const char *rule;            /* CORE: the parameter of its latency */
    struct kelvin_flight flight; /* VECTOR */
    size_t sources; /* VECTOR: first producer of the registers it reads and, after these, writes */
};

/* A memory line. */
struct kelvin_line {
    uint32_t node, store; /* its node; the store that overwrites the whole line, or GRAPH_NONE */
    uint64_t lag;         /* lag from the start of that store */
    bool scalar, read;    /* a scalar access uses it; a load uses it */
};

struct kelvin_builder {
    const struct kelvin_model *model;
    struct executed executed;
    struct kelvin_facts *facts; /* indexed by node */
    size_t capacity;
    struct kelvin_line *lines;
    size_t line_count, line_capacity;
    uint32_t *line_of; /* indexed by node */
    size_t line_of_capacity;
    /* Lines loaded into a register, whose first access is that load. */
    uint32_t x_lines[32][LINES], v_lines[KELVIN_REGISTERS][LINES];
    uint32_t v_writer[KELVIN_REGISTERS];
    uint32_t *sources; /* nodes */
    size_t source_count, source_capacity;
    unsigned turn;    /* ALU of the next operation */
    uint64_t entered; /* current line of code, from 1 */
    struct kelvin_asked {
        uint32_t node; /* core node after which the line was requested */
        bool known;
        uint64_t lag;
    } * asked;            /* by line of code */
    uint32_t *dispatched; /* the last nodes at the core, a ring of one group's width */
    uint64_t dispatches;
    uint64_t release; /* cycle of the first dispatch */
};

static inline uint64_t kelvin_value(const struct kelvin_builder *b, enum kelvin_param param)
{
    return b->model->value[param];
}

static inline uint32_t kelvin_last_node(const struct kelvin_builder *b)
{
    return (uint32_t)b->executed.graph->node_count - 1;
}

/* graph_lines.c. */
/* Facts of the last added node. NULL: the graph's status is not 0. */
struct kelvin_facts *kelvin_add_facts(struct kelvin_builder *builder);
void kelvin_no_lines(uint32_t lines[LINES]);
/* A memory access of the node `by`; for a vector store `lag` cycles after its start. */
struct kelvin_access {
    uint32_t by, address, bytes;
    uint64_t lag;
    bool scalar, write;
};
/* filled: receives the lines accessed for the first time. */
void kelvin_access_lines(struct kelvin_builder *builder, const struct kelvin_access *access,
                         uint32_t filled[LINES]);
/* The node reads a register this many cycles after its start and waits for the register's lines. */
void kelvin_read_lines(struct kelvin_builder *builder, uint32_t node, const uint32_t lines[LINES],
                       uint64_t latency, uint64_t behind);
/* At the end: the release of each line's node and the arcs from stores. */
void kelvin_close_lines(struct kelvin_builder *builder);

/* graph_vector.c: the execution of a vector instruction on its unit. */
void kelvin_add_vector(struct kelvin_builder *builder, const struct kelvin_step *step);
/* The lag between two vector nodes. */
void kelvin_vector_lag(const struct kelvin_builder *builder, struct graph_arc *arc);

#endif
