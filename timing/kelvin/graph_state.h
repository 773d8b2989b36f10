/*
 * graph_state: what makes the graph of a Kelvin program (timing/kelvin/graph.c) while it does.
 */
#ifndef TAKT_TIMING_KELVIN_GRAPH_STATE_H
#define TAKT_TIMING_KELVIN_GRAPH_STATE_H

#include "timing/executed.h"
#include "timing/kelvin/model.h"

enum { SPACE_X, SPACE_V, SPACE_ACCUMULATOR, SPACE_CSR, SPACE_OUTPUT, SPACE_MEMORY, SPACES };

/* Units of the graph: those of unit.def, then these. */
enum {
    UNIT_SLOTS = KELVIN_UNITS, /* of dispatch */
    UNIT_JUMPS,                /* a jump ends its group */
    UNIT_ALUS,                 /* either of two */
    UNIT_MISSES,               /* lines that the data cache fetches */
    UNITS
};

enum { LINES = 2 }; /* that a piece can lie on */

/* What a lag needs to know of a node. */
struct kelvin_facts {
    enum { FACTS_CORE, FACTS_VECTOR, FACTS_LINE } kind;
    uint64_t complete;           /* cycles until what it does is there */
    uint64_t latency;            /* CORE: until what it writes can be read */
    uint64_t follow;             /* CORE: until the core can go on behind it */
    bool alone, fence;           /* CORE: first of its group; waits for everything */
    const char *rule;            /* CORE: behind the latency */
    struct kelvin_flight flight; /* VECTOR */
    size_t sources; /* VECTOR: who wrote what it reads and, behind these, writes, by register */
};

/* A line of memory. */
struct kelvin_line {
    uint32_t node, store; /* the store that makes it, or GRAPH_NONE */
    uint64_t lag;         /* ... so many cycles behind its start */
    bool scalar, read;    /* whether one accesses it; whether a load does */
};

struct kelvin_builder {
    const struct kelvin_model *model;
    struct executed executed;
    struct kelvin_facts *facts; /* by node */
    size_t capacity;
    struct kelvin_line *lines;
    size_t line_count, line_capacity;
    uint32_t *line_of; /* by node */
    size_t line_of_capacity;
    /* Lines that fill a register, whose first access is its load. */
    uint32_t x_lines[32][LINES], v_lines[KELVIN_REGISTERS][LINES];
    uint32_t v_writer[KELVIN_REGISTERS];
    uint32_t *sources; /* nodes */
    size_t source_count, source_capacity;
    unsigned turn;    /* ALU of the next operation */
    uint64_t entered; /* line of code that is executed, from 1 */
    struct kelvin_asked {
        uint32_t node; /* at the core: the line was asked for behind it */
        bool known;
        uint64_t lag;
    } * asked;            /* by line of code */
    uint32_t *dispatched; /* the last nodes at the core, a ring of a group's width */
    uint64_t dispatches;
    uint64_t release; /* the first dispatch */
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
/* Facts of the node that was added last. NULL: the graph's status is not 0. */
struct kelvin_facts *kelvin_add_facts(struct kelvin_builder *builder);
void kelvin_no_lines(uint32_t lines[LINES]);
/* An access of the node `by`: `lag` cycles behind its start, if that is a vector store. */
struct kelvin_access {
    uint32_t by, address, bytes;
    uint64_t lag;
    bool scalar, write;
};
/* filled: gets the lines that are new. */
void kelvin_access_lines(struct kelvin_builder *builder, const struct kelvin_access *access,
                         uint32_t filled[LINES]);
/* The node reads a register so many cycles behind its start, and waits for its lines. */
void kelvin_read_lines(struct kelvin_builder *builder, uint32_t node, const uint32_t lines[LINES],
                       uint64_t latency, uint64_t behind);
/* Once everything is known: when a line can be asked for, and what follows. */
void kelvin_close_lines(struct kelvin_builder *builder);

/* graph_vector.c: what a vector instruction does on its unit, behind its dispatch. */
void kelvin_add_vector(struct kelvin_builder *builder, const struct kelvin_step *step);
/* Between two of them. */
void kelvin_vector_lag(const struct kelvin_builder *builder, struct graph_arc *arc);

#endif
