/*
 * pieces: the accesses of a PE statement as ranges of units, for the checks that follow what a
 * program does to its memories.
 *
 *   mncore2_pieces_new --> mncore2_pieces_learn for each statement that comes again
 *                      --> mncore2_pieces_pass for one that comes once, before its step
 *                      --> mncore2_pieces_of for each step, in any order --> mncore2_pieces_free
 */
#ifndef TAKT_TIMING_MNCORE2_PIECES_H
#define TAKT_TIMING_MNCORE2_PIECES_H

#include "functional/mncore2/effect.h"
#include "functional/mncore2/program.h"

/* One access of a statement as ranges of units; cycles that continue each other are joined. */
struct piece {
    uint8_t space, entry, set, count;
    uint8_t unit; /* PE memories: words of one access */
    bool write, any;
    bool definite; /* every PE touches every unit of the ranges */
    struct {
        uint16_t first, length;
    } range[CYCLES];
    const struct operand *operand;
    const struct expr *expr;
};

/* The range of one cycle; false where a piece does not divide into its cycles. */
static inline bool piece_cycle(const struct piece *piece, unsigned cycle, uint16_t *first,
                               uint16_t *length)
{
    *length = (uint16_t)(piece->range[0].length / CYCLES);
    *first = (uint16_t)(piece->range[0].first + cycle * *length);
    return piece->count == 1 && piece->range[0].length == CYCLES * piece->unit;
}

/* Of one step: the reads come before the writes (3.6.3.9). */
struct step_pieces {
    const struct piece *piece;
    unsigned reads, count;
};

struct pieces;

/* NULL when the host has no memory. */
struct pieces *mncore2_pieces_new(const struct program *program);
void mncore2_pieces_free(struct pieces *pieces);

/* The program's statement `index` is kept. Returns 0, or -1 when the host has no memory. */
int mncore2_pieces_learn(struct pieces *pieces, uint32_t index, const struct effect *effect);
/* A statement that is not kept: its pieces are valid until the next one passes. */
void mncore2_pieces_pass(struct pieces *pieces, const struct effect *effect);
/* Those of statement `index`, which has been learned, or of the one that is passing. */
struct step_pieces mncore2_pieces_of(const struct pieces *pieces, uint32_t index, bool passing);

#endif
