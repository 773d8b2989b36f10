#include "timing/code_moves.h"

#include <stdlib.h>
#include <string.h>

#include "timing/code_depend.h"

/* What moves keep for writing. */
struct code_order {
    struct riscv_pieces pieces;
    const struct moves *moves;
    uint32_t *first; /* of each block: its first piece */
    uint32_t *order; /* room for riscv_pieces_write */
    uint32_t width;
};

/* Of each statement. */
struct marks {
    const struct code *code;
    bool *leads, *fixed;
    size_t count;
    bool functions; /* there are some */
};

/* --- where control can arrive ----------------------------------------------------------------- */

static void arrive(struct marks *m, uint32_t address)
{
    const uint32_t stmt = riscv_image_stmt(m->code->pieces.image, address);
    if (stmt != RISCV_NO_STMT)
        m->leads[stmt] = true;
}

static void mark_labels(struct marks *m)
{
    const struct riscv_image *image = m->code->pieces.image;
    for (size_t i = 0; i < image->symbol_count; i++) {
        m->functions |= image->symbols[i].function;
        if (image->symbols[i].label)
            arrive(m, image->symbols[i].value);
    }
    arrive(m, m->code->entry);
}

/* The function of a statement stays as it is; without functions the program does. */
static void fix_function(struct marks *m, uint32_t stmt)
{
    const struct riscv_image *image = m->code->pieces.image;
    const uint32_t address = image->stmts[stmt].address;
    uint64_t from = 0, to = UINT64_MAX;
    for (size_t i = 0; i < image->symbol_count; i++) {
        const struct riscv_symbol *symbol = &image->symbols[i];
        if (!symbol->function)
            continue;
        if (symbol->value <= address)
            from = symbol->value;
        else if (symbol->value < to)
            to = symbol->value;
    }
    for (size_t i = 0; i < image->stmt_count; i++)
        m->fixed[i] |= image->stmts[i].address >= from && image->stmts[i].address < to;
}

/* Constants that the program adds up may be addresses of code. */
static void mark_constant(struct marks *m, const struct code_effect *effect,
                          uint32_t high[CODE_SCALARS])
{
    const uint8_t sum = effect->sum % CODE_SCALARS, of = effect->of % CODE_SCALARS;
    if (!effect->sums)
        return;
    if (of && high[of])
        arrive(m, high[of] + effect->amount);
    if (!of && effect->amount) {
        high[sum] = effect->amount;
        arrive(m, effect->amount);
    }
}

static void mark_jump(struct marks *m, uint32_t stmt, const struct code_effect *effect)
{
    const bool unknown = effect->computed || (effect->calls && !m->functions);
    if (effect->has_target)
        arrive(m, effect->target);
    if (unknown && !m->fixed[stmt])
        fix_function(m, stmt);
    if ((effect->ends || effect->fixed) && stmt + 1 < m->count)
        m->leads[stmt + 1] = true;
}

static void mark_all(struct marks *m)
{
    uint32_t high[CODE_SCALARS] = {0};
    mark_labels(m);
    for (uint32_t s = 0; s < m->count; s++) {
        struct code_effect effect = {.fixed = false};
        m->code->effect(m->code->context, s, &effect);
        m->leads[s] |= m->code->arrives[s];
        mark_jump(m, s, &effect);
        mark_constant(m, &effect, high);
        m->fixed[s] |= effect.fixed || m->code->fixed[s];
    }
}

/* --- blocks ----------------------------------------------------------------------------------- */

struct run {
    uint32_t first, end; /* pieces */
};

static bool stays(const struct marks *m, const struct riscv_piece *piece)
{
    bool stays = piece->fixed;
    for (uint32_t k = 0; k < piece->count; k++)
        stays |= m->fixed[piece->first + k] || !m->code->executed[piece->first + k] ||
                 (k && m->leads[piece->first + k]);
    return stays;
}

static bool ends(const struct code *code, const struct riscv_piece *piece)
{
    struct code_effect effect = {.fixed = false};
    code->effect(code->context, piece->first + piece->count - 1, &effect);
    return effect.ends;
}

/* The block that begins with this piece. */
static struct run block_at(const struct marks *m, uint32_t first)
{
    const struct riscv_pieces *pieces = &m->code->pieces;
    struct run run = {first, first};
    while (run.end < pieces->count && !stays(m, &pieces->items[run.end]) &&
           (run.end == first ||
            !(pieces->items[run.end].leads || m->leads[pieces->items[run.end].first]))) {
        run.end++;
        if (ends(m->code, &pieces->items[run.end - 1]))
            break;
    }
    return run;
}

static int add_block(struct code_depend *d, const struct code *code, struct moves *moves,
                     const struct run *run)
{
    const struct riscv_piece *items = code->pieces.items;
    struct code_order *order = moves->context;
    struct moves_block *block = &moves->blocks[moves->block_count];
    int status = 0;
    order->first[moves->block_count++] = run->first;
    block->weight = code->executed[items[run->first].first] * (run->end - run->first);
    code_depend_start(d, code, block);
    for (uint32_t i = run->first; i < run->end && status == 0; i++)
        status = code_depend_add(d, &items[i]);
    return status;
}

static int add_blocks(const struct marks *m, struct moves *moves)
{
    const struct code *code = m->code;
    struct code_depend *d = calloc(1, sizeof *d);
    int status = d ? 0 : -1;
    for (uint32_t first = 0; first < code->pieces.count && status == 0;) {
        const struct run run = block_at(m, first);
        const bool jumps = run.end > run.first && ends(code, &code->pieces.items[run.end - 1]);
        if (run.end - run.first > 1U + jumps)
            status = add_block(d, code, moves, &run);
        first = run.end > first ? run.end : first + 1;
    }
    if (d)
        code_depend_free(d);
    free(d);
    return status;
}

/* --- moves ------------------------------------------------------------------------------------ */

static bool issue_together(void *context, const uint32_t *nodes, size_t count)
{
    (void)nodes;
    return count <= ((const struct code_order *)context)->width;
}

static int write_order(void *context, const struct moves_place *const *places, FILE *out)
{
    struct code_order *o = context;
    for (uint32_t i = 0; i < o->pieces.count; i++)
        o->order[i] = i;
    for (size_t b = 0; b < o->moves->block_count; b++)
        for (uint32_t n = 0; n < o->moves->blocks[b].node_count; n++)
            o->order[o->first[b] + n] = o->first[b] + places[b][n].node;
    return riscv_pieces_write(&o->pieces, o->order, out);
}

static void free_order(void *context)
{
    struct code_order *o = context;
    riscv_pieces_free(&o->pieces);
    free(o->first);
    free(o->order);
    free(o);
}

static int start_moves(const struct code *code, struct moves *moves)
{
    struct code_order *o = calloc(1, sizeof *o);
    if (!o)
        return -1;
    moves->context = o;
    moves->free = free_order;
    moves->write = write_order;
    moves->together = issue_together;
    moves->slot_cycles = 1;
    o->pieces = code->pieces;
    o->moves = moves;
    o->width = code->width;
    o->first = calloc(code->pieces.count + 1, sizeof *o->first);
    o->order = calloc(code->pieces.count + 1, sizeof *o->order);
    moves->blocks = calloc(code->pieces.count + 1, sizeof *moves->blocks);
    for (size_t i = 0; i < code->pieces.image->stmt_count; i++)
        moves->run_work += code->executed[i];
    return o->first && o->order && moves->blocks ? 0 : -1;
}

int code_moves_find(struct code *code, struct moves *moves, char *error, size_t error_size)
{
    struct marks m = {.code = code, .count = code->pieces.image->stmt_count};
    int status = start_moves(code, moves);
    if (!moves->context)
        riscv_pieces_free(&code->pieces);
    m.leads = calloc(m.count + 1, sizeof *m.leads);
    m.fixed = calloc(m.count + 1, sizeof *m.fixed);
    if (!m.leads || !m.fixed)
        status = -1;
    if (status == 0) {
        mark_all(&m);
        status = add_blocks(&m, moves);
    }
    free(m.leads);
    free(m.fixed);
    if (status == 0 && moves->block_count == 0) {
        snprintf(error, error_size, "no block of it has two instructions that could change places");
        return 1;
    }
    return status;
}
