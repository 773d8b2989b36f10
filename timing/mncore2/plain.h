/*
 * plain: a program of MN-Core 2 as pieces that may be moved (moves.c), and their texts
 * (moves_text.c). A piece is a node of the graph (timing/mncore2/graph.h): an expression, a
 * transfer, a dump or preset. A wait is a piece but not a node. Nops are not pieces.
 *
 *   program, graph --mncore2_plain_make--> pieces, and the block's nodes
 *
 * Expressions that cannot be divided (each writes what the other reads; l2bmdars and l2bmdarw) and
 * those of a step with noforward are one piece. In a step, readers come before the writers
 * of what they read.
 */
#ifndef TAKT_TIMING_MNCORE2_PLAIN_H
#define TAKT_TIMING_MNCORE2_PLAIN_H

#include "timing/mncore2/graph.h"
#include "timing/mncore2/moves_tags.h"

struct piece {
    size_t item;           /* of the program */
    size_t at;             /* of its text, which ends with a line; waits have none */
    uint32_t first, count; /* its nodes of the graph; waits have none */
    uint8_t tag;           /* of a wait or transfer */
};

struct remembered {
    uint64_t key;
    uint32_t answer;
};

struct plain {
    const struct program *program;
    struct graph_made made;
    struct tags tags;
    struct moves_block *block;
    struct piece *pieces; /* as the block's nodes */
    size_t piece_capacity;
    uint32_t *piece_of; /* by node of the graph */
    size_t *first_span; /* by node, and after the last: its spans in made.spans */
    char *text;
    size_t size;
    uint64_t dar_latency;
    uint32_t slot;               /* as written: of the item that is made */
    bool free_waits, join_parts; /* as of struct moves */
    bool careful; /* some pieces are kept further apart than the rules require, or together */
    struct remembered *distances, *together;
    bool lost; /* there was no memory to read a step: mncore2_plain_write says so */
    char *error;
};

/* Of a program whose graph is made. Returns 0, or -1 when the host has no memory. */
int mncore2_plain_make(struct plain *p);
/* Frees what it made, whatever its status. */
void mncore2_plain_free(struct plain *p);

/* The expressions of some nodes of the block as one step, without a wait. */
void mncore2_plain_put(const struct plain *p, const uint32_t *nodes, size_t count, FILE *out);
/* As moves.write; context: struct plain. */
int mncore2_plain_write(void *context, const struct moves_place *const *orders, FILE *out);

#endif
