/*
 * plain: a program of MN-Core 2 in its plain form, for timing/mncore2/moves.c: one expression a
 * line, without nops and waits. That is parsed as any program is, so that each piece has its
 * effect, its places (work.h) and its hazards (hazard.h). Steps are put together again from the
 * lines' texts.
 *
 *   struct plain { program, block, hazard, error } --mncore2_plain_make--> pieces and nodes
 *
 * Expressions that cannot be divided (each writes what the other reads) and steps with
 * noforward stay as they are. Of a step, readers stand in front of the writers of what they read.
 */
#ifndef TAKT_TIMING_MNCORE2_PLAIN_H
#define TAKT_TIMING_MNCORE2_PLAIN_H

#include "functional/mncore2/work.h"
#include "timing/mncore2/hazard.h"
#include "timing/machine.h"

/* A node's line in the plain form, and what it came from. */
struct piece {
    size_t item;                 /* of the program */
    size_t at;                   /* of its text in the plain form; without the end of line */
    uint32_t plain;              /* item there; waits have none */
    uint8_t tag;                 /* of a wait or transfer */
    size_t spans, reads, writes; /* first of its places, and how many */
    const struct hazard_profile *profile;
};

struct remembered {
    uint64_t key;
    uint32_t answer;
};

struct plain {
    const struct program *program;
    struct moves_block *block;
    struct piece *pieces;
    size_t piece_capacity;
    char *text; /* the plain form */
    size_t size;
    struct source source;
    struct program plain;
    struct diag_list diags;
    struct hazard *hazard;
    struct hazard_window *window;
    uint64_t now; /* of the window */
    uint64_t dar_latency;
    struct span *spans;
    size_t span_count, span_capacity;
    bool *whole;   /* by item: it cannot be divided */
    bool based[2]; /* a base address register is written */
    struct remembered *distances, *together;
    char *error;
};

/* The pieces, in the order of the program, as nodes of the block. Returns 0; 1 and a sentence in
 * error; -1 when the host has no memory. */
int mncore2_plain_make(struct plain *p);
/* Frees what it made, whatever its status. */
void mncore2_plain_free(struct plain *p);

/* Of a node that is no wait. */
const struct stmt *mncore2_plain_stmt(const struct plain *p, uint32_t node);
/* Whether two spans may have a place in common. */
bool mncore2_plain_meet(const struct plain *p, const struct span *a, const struct span *b);

#endif
