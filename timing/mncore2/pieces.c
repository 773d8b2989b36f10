#include "timing/mncore2/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

/* Where the pieces of a statement, or the models of a shape, are kept: reads, then writes. */
struct known {
    size_t first;
    uint16_t reads, count;
};

/* A piece of any step of a shape: all but the ranges, operand and expr holds for each of them. */
struct model {
    struct piece piece;
    struct address_rule rule;
    uint32_t addr[CYCLES], length;
    uint8_t cycles;
    uint16_t operand, expr; /* byte offsets from the step, 0 = none */
};

struct pieces {
    const struct program *program;
    struct known *known, *shapes; /* of each distinct statement, of each shape */
    struct piece *piece;
    size_t piece_count, piece_capacity;
    struct model *models;
    size_t model_count, model_capacity;
    struct piece passing[MAX_ACCESSES]; /* of a statement of which nothing is kept */
};

struct pieces *mncore2_pieces_new(const struct program *program)
{
    struct pieces *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    all->program = program;
    all->known = calloc(program->stmt_count + 1, sizeof *all->known);
    all->shapes = calloc((size_t)program->shape_count + 1, sizeof *all->shapes);
    if (all->known && all->shapes)
        return all;
    mncore2_pieces_free(all);
    return NULL;
}

void mncore2_pieces_free(struct pieces *all)
{
    if (!all)
        return;
    free(all->piece);
    free(all->models);
    free(all->known);
    free(all->shapes);
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

static uint16_t place_of(const struct step *step, const void *part)
{
    return part ? (uint16_t)((const char *)part - (const char *)step) : 0;
}

static const void *part_at(const struct step *step, uint16_t place)
{
    return place ? (const char *)step + place : NULL;
}

static void make_model(struct model *model, const struct step *step, const struct access *access)
{
    *model = (struct model){.piece = {.space = access->space,
                                      .entry = access->entry,
                                      .set = access->set,
                                      .unit = (uint8_t)access->length,
                                      .write = access->write,
                                      .any = access->any,
                                      .definite = !access->entry && !access->any &&
                                                  !(access->operand && access->operand->j >= 0)},
                            .rule = access->rule,
                            .length = access->length,
                            .cycles = access->write ? access->cycles : (1 << CYCLES) - 1,
                            .operand = place_of(step, access->operand),
                            .expr = place_of(step, access->expr)};
    memcpy(model->addr, access->addr, sizeof model->addr);
    if (model->rule.kind == ADDRESS_FIXED)
        join_cycles(&model->piece, model->addr, model->length, model->cycles);
}

static void make_piece(struct piece *piece, const struct model *model, const struct step *step)
{
    *piece = model->piece;
    piece->operand = part_at(step, model->operand);
    piece->expr = part_at(step, model->expr);
    if (model->rule.kind == ADDRESS_FIXED)
        return;
    uint32_t addr[CYCLES];
    const uint32_t length = model->length;
    effect_addresses(&model->rule, piece->operand, addr);
    if (model->cycles == (1 << CYCLES) - 1 && addr[1] == addr[0] + length &&
        addr[2] == addr[1] + length && addr[3] == addr[2] + length) {
        piece->range[0].first = (uint16_t)addr[0];
        piece->range[0].length = (uint16_t)(CYCLES * length);
        piece->count = 1;
        return;
    }
    join_cycles(piece, addr, length, model->cycles);
}

int mncore2_pieces_shape(struct pieces *all, const struct stmt *stmt, const struct effect *effect)
{
    struct model *models =
        grow(all->models, &all->model_capacity, all->model_count + effect->count, sizeof *models);
    if (!models)
        return -1;
    all->models = models;
    struct known *shape = &all->shapes[stmt->shape];
    *shape = (struct known){.first = all->model_count, .count = (uint16_t)effect->count};
    for (unsigned write = 0; write < 2; write++)
        for (size_t i = 0; i < effect->count; i++) {
            if (effect->access[i].write != (write == 1))
                continue;
            make_model(&all->models[all->model_count++], stmt->step, &effect->access[i]);
            if (!write)
                shape->reads++;
        }
    return 0;
}

static void make_pieces(const struct pieces *all, const struct stmt *stmt, struct piece *pieces)
{
    const struct known *shape = &all->shapes[stmt->shape];
    for (unsigned i = 0; i < shape->count; i++)
        make_piece(&pieces[i], &all->models[shape->first + i], stmt->step);
}

int mncore2_pieces_learn(struct pieces *all, uint32_t index)
{
    const struct stmt *stmt = &all->program->stmts[index];
    const struct known *shape = &all->shapes[stmt->shape];
    struct piece *larger =
        grow(all->piece, &all->piece_capacity, all->piece_count + shape->count, sizeof *larger);
    if (!larger)
        return -1;
    all->piece = larger;
    all->known[index] = *shape;
    all->known[index].first = all->piece_count;
    make_pieces(all, stmt, all->piece + all->piece_count);
    all->piece_count += shape->count;
    return 0;
}

struct step_pieces mncore2_pieces_of(struct pieces *all, uint32_t index, bool passing)
{
    const struct stmt *stmt = &all->program->stmts[index];
    const struct known *known = passing ? &all->shapes[stmt->shape] : &all->known[index];
    if (passing)
        make_pieces(all, stmt, all->passing);
    return (struct step_pieces){.piece = passing ? all->passing : &all->piece[known->first],
                                .reads = known->reads,
                                .count = known->count};
}
