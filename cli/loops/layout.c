#include "cli/loops/layout.h"

struct handing {
    const struct loops_shape *shape;
    const struct machine_level *levels;
    struct loops_layout current, *best;
};

/* Blocks of each dimension, and what of each level has any. */
static void fill(struct handing *h)
{
    struct loops_layout *c = &h->current;
    const struct loops_shape *shape = h->shape;
    uint64_t shared[LOOPS_RANK];
    c->elements = c->padded = c->units = 1;
    for (unsigned d = 0; d < shape->rank; d++)
        shared[d] = 1;
    for (unsigned l = 0; l < c->levels; l++) {
        c->units *= h->levels[l].count;
        if (c->dimension[l] < shape->rank)
            shared[c->dimension[l]] *= h->levels[l].count;
    }
    for (unsigned d = 0; d < shape->rank; d++) {
        c->block[d] = (shape->size[d] + shared[d] - 1) / shared[d];
        c->elements *= c->block[d];
        c->padded *= c->block[d] * shared[d];
    }
    /* From the top: a level's units have the blocks of all units below them. */
    for (unsigned l = 0; l < c->levels; l++) {
        const unsigned d = c->dimension[l];
        c->used[l] = 1;
        if (d == shape->rank)
            continue;
        uint64_t below = c->block[d], above = shape->size[d];
        for (unsigned k = l + 1; k < c->levels; k++)
            if (c->dimension[k] == d)
                below *= h->levels[k].count;
        for (unsigned k = 0; k < l; k++)
            if (c->dimension[k] == d) {
                uint64_t block = c->block[d];
                for (unsigned i = k + 1; i < c->levels; i++)
                    block *= c->dimension[i] == d ? h->levels[i].count : 1;
                above = block < above ? block : above;
            }
        const uint64_t needed = (above + below - 1) / below;
        c->used[l] = needed < h->levels[l].count ? needed : h->levels[l].count;
    }
}

static bool better(const struct handing *h)
{
    const struct loops_layout *a = &h->current, *b = h->best;
    if (!b->levels || a->elements != b->elements)
        return !b->levels || a->elements < b->elements;
    if (a->padded != b->padded)
        return a->padded < b->padded;
    for (unsigned l = a->levels; l-- > 0;)
        if (a->dimension[l] != b->dimension[l])
            return a->dimension[l] < h->shape->rank &&
                   (b->dimension[l] == h->shape->rank || a->dimension[l] > b->dimension[l]);
    return false;
}

static void hand_out(struct handing *h, unsigned level)
{
    if (level == h->current.levels) {
        fill(h);
        const uint64_t tried = h->best->tried + 1;
        if (better(h))
            *h->best = h->current;
        h->best->tried = tried;
        return;
    }
    for (unsigned d = 0; d <= h->shape->rank; d++) {
        h->current.dimension[level] = d;
        hand_out(h, level + 1);
    }
}

bool loops_layout(const struct loops_shape *shape, const struct machine_level *levels,
                  struct loops_layout *best)
{
    struct handing h = {.shape = shape, .levels = levels, .best = best};
    uint64_t ways = 1;
    *best = (struct loops_layout){.levels = 0};
    for (; levels[h.current.levels].name; h.current.levels++) {
        ways *= shape->rank + 1;
        if (h.current.levels == LOOPS_TREE || ways > UINT64_C(1) << 22)
            return false;
    }
    hand_out(&h, 0);
    return true;
}
