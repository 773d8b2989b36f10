/*
 * overlap: the places of a whole program whose loop has a modulo order.
 *
 *   moves, turns, modulo --overlap_places--> struct moves_place[], to be written
 *
 * What comes before the loop keeps its slots as written. The loop begins as early as what is before
 * it lets it, and so does what follows it, with its slots as written from there on.
 */
#ifndef TAKT_ANALYSIS_OVERLAP_H
#define TAKT_ANALYSIS_OVERLAP_H

#include "analysis/modulo.h"

enum { OVERLAP_NOTE = 160 };

struct overlap {
    const struct moves *moves;
    const struct turns *turns;
    const struct modulo *modulo;
    const char *name; /* of the loop */
    struct moves_place *places;
    uint32_t *slot; /* by node of the block */
    char note[3][OVERLAP_NOTE];
};

/* moves, turns, modulo and name are set. Returns 1; 0: there are no such places; -1 when the host
 * has no memory. To be freed in every case. */
int overlap_places(struct overlap *overlap);
void overlap_free(struct overlap *overlap);

/* Turns that are under way at a time in the steady state. */
uint32_t overlap_stages(const struct modulo *modulo);

#endif
