#include "timing/mncore2/pieces.h"

#include <stdlib.h>

#include "host/grow.h"

/* Where the pieces of a statement are kept: reads, then writes. */
struct known {
    size_t first;
    uint16_t reads, count;
};

struct pieces {
    struct known *known; /* of each distinct statement */
    struct piece *piece;
    size_t piece_count, piece_capacity;
    struct known pass; /* of a statement of which nothing is kept */
    struct piece passing[MAX_ACCESSES];
};

struct pieces *mncore2_pieces_new(const struct program *program)
{
    struct pieces *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    all->known = calloc(program->stmt_count + 1, sizeof *all->known);
    if (all->known)
        return all;
    mncore2_pieces_free(all);
    return NULL;
}

void mncore2_pieces_free(struct pieces *all)
{
    if (!all)
        return;
    free(all->piece);
    free(all->known);
    free(all);
}

/* cycles: those that count. */
static void join_cycles(struct piece *piece, const uint32_t addr[CYCLES], uint32_t length,
                        unsigned cycles)
{
    for (unsigned i = 0; i < CYCLES; i++) {
        const uint32_t first = addr[i];
        if (!(cycles >> i & 1))
            continue;
        bool done = false;
        for (unsigned k = 0; k < piece->count && !done; k++)
            done = first >= piece->range[k].first &&
                   first + length <= piece->range[k].first + piece->range[k].length;
        if (done)
            continue;
        if (piece->count) {
            const unsigned last = piece->count - 1u;
            if (piece->range[last].first + piece->range[last].length == first) {
                piece->range[last].length = (uint16_t)(piece->range[last].length + length);
                continue;
            }
        }
        piece->range[piece->count].first = (uint16_t)first;
        piece->range[piece->count++].length = (uint16_t)length;
    }
}

static void make_piece(struct piece *piece, const struct access *access)
{
    *piece = (struct piece){.space = access->space,
                            .entry = access->entry,
                            .set = access->set,
                            .unit = (uint8_t)access->length,
                            .write = access->write,
                            .any = access->any,
                            .definite = !access->entry && !access->any &&
                                        !(access->operand && access->operand->j >= 0),
                            .operand = access->operand,
                            .expr = access->expr};
    join_cycles(piece, access->addr, access->length,
                access->write ? access->cycles : (1 << CYCLES) - 1);
}

static struct known make_pieces(const struct effect *effect, struct piece *pieces)
{
    struct known known = {.count = 0};
    for (unsigned write = 0; write < 2; write++)
        for (size_t i = 0; i < effect->count; i++) {
            if (effect->access[i].write != (write == 1))
                continue;
            make_piece(&pieces[known.count++], &effect->access[i]);
            known.reads = (uint16_t)(known.reads + !write);
        }
    return known;
}

int mncore2_pieces_learn(struct pieces *all, uint32_t index, const struct effect *effect)
{
    struct piece *larger =
        grow(all->piece, &all->piece_capacity, all->piece_count + effect->count, sizeof *larger);
    if (!larger)
        return -1;
    all->piece = larger;
    all->known[index] = make_pieces(effect, larger + all->piece_count);
    all->known[index].first = all->piece_count;
    all->piece_count += effect->count;
    return 0;
}

void mncore2_pieces_pass(struct pieces *all, const struct effect *effect)
{
    all->pass = make_pieces(effect, all->passing);
}

struct step_pieces mncore2_pieces_of(const struct pieces *all, uint32_t index, bool passing)
{
    const struct known *known = passing ? &all->pass : &all->known[index];
    return (struct step_pieces){.piece = passing ? all->passing : &all->piece[known->first],
                                .reads = known->reads,
                                .count = known->count};
}
