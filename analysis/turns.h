/*
 * turns: the loop of a region: statements that follow each other at least three times, equal up to
 * their numbers.
 *
 *   program, region --turns_find--> struct turns --turns_free-->
 *
 * Padding does not count. Of the repeats in the region the one of most statements is taken, with
 * the shortest turn. A turn is then as many of these as make all turns depend on each other alike,
 * if there is such a number: with two buffers used alternately it may be one of them or both.
 */
#ifndef TAKT_ANALYSIS_TURNS_H
#define TAKT_ANALYSIS_TURNS_H

#include "analysis/fold.h"
#include "analysis/node_starts.h"
#include "timing/moves.h"

struct turns_job {
    const struct source *source;
    const char *region;
    const struct moves_block *block; /* of the whole program */
    const struct node_starts *starts;
};

struct turns {
    uint32_t count; /* of turns */
    uint32_t lines; /* of a turn */
    uint32_t *line; /* count * lines of them, from 1 */
    /* The same of nodes of the block, and of nodes of the graph: position by position. */
    uint32_t pieces, *piece;
    uint32_t nodes, *node;
};

/* Returns 0; 1 and a sentence when the region is not there or does not repeat; -1. To be freed in
 * every case. */
int turns_find(struct turns *turns, const struct turns_job *job, char error[MACHINE_ERROR]);
/* By number of `all`: its position among those listed, or UINT32_MAX. NULL without memory. */
uint32_t *turns_positions(const uint32_t *listed, size_t count, size_t all);
void turns_free(struct turns *turns);

/* Positions and turns of an arc between two places, numbered from the first turn on. */
void turns_arc(uint32_t from, uint32_t to, uint32_t positions, struct fold_arc *arc);

/* The dependences of any order between the turns, by the graph; free: only those that remain with
 * other registers and addresses. Returns 0, or -1 when the host has no memory. */
int turns_fold(const struct turns *turns, const struct graph *graph, bool free, struct fold *fold);

#endif
