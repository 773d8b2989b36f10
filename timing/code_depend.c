#include "timing/code_depend.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

void code_depend_start(struct code_depend *d, const struct code *code, struct moves_block *block)
{
    d->code = code;
    d->block = block;
    d->roots = CODE_PLACES;
    for (uint32_t p = 0; p < CODE_PLACES; p++)
        d->values[p] = (struct code_value){.root = p ? p : CODE_CONSTANT};
    memset(d->written, 0, sizeof d->written);
    d->reader_count = d->access_count = 0;
}

void code_depend_free(struct code_depend *d)
{
    free(d->readers);
    free(d->accesses);
}

static uint32_t this_node(const struct code_depend *d)
{
    return (uint32_t)d->block->node_count - 1;
}

/* Nodes further apart keep their order. */
static bool is_far(const struct code_depend *d, uint32_t node)
{
    return this_node(d) - node > MOVES_WINDOW;
}

static int add_arc(struct code_depend *d, uint32_t from, uint32_t slots)
{
    const struct moves_arc arc = {.from = from, .to = this_node(d), .slots = slots};
    return from == arc.to ? 0 : moves_add_arc(d->block, &arc);
}

/* --- registers -------------------------------------------------------------------------------- */

static int add_reader(struct code_depend *d, uint32_t stmt, uint32_t place)
{
    struct code_reader *readers =
        grow(d->readers, &d->reader_capacity, d->reader_count + 1, sizeof *readers);
    if (!readers)
        return -1;
    d->readers = readers;
    readers[d->reader_count++] = (struct code_reader){place, {this_node(d), stmt}};
    return 0;
}

static int read_place(struct code_depend *d, uint32_t stmt, uint32_t place)
{
    const struct code_use *by = &d->writer[place];
    int status = add_reader(d, stmt, place);
    if (status == 0 && d->written[place / 64] >> place % 64 & 1)
        status =
            add_arc(d, by->node, d->code->lag(d->code->context, by->stmt, stmt, CODE_RAW, place));
    return status;
}

static int write_place(struct code_depend *d, uint32_t stmt, uint32_t place)
{
    const struct code *code = d->code;
    struct code_use *by = &d->writer[place];
    size_t kept = 0;
    int status = 0;
    for (size_t i = 0; i < d->reader_count && status == 0; i++) {
        const struct code_reader reader = d->readers[i];
        if (reader.place == place)
            status = add_arc(d, reader.use.node,
                             code->lag(code->context, reader.use.stmt, stmt, CODE_WAR, place));
        else if (!is_far(d, reader.use.node))
            d->readers[kept++] = reader;
    }
    d->reader_count = kept;
    if (status == 0 && d->written[place / 64] >> place % 64 & 1)
        status = add_arc(d, by->node, code->lag(code->context, by->stmt, stmt, CODE_WAW, place));
    d->written[place / 64] |= UINT64_C(1) << place % 64;
    *by = (struct code_use){this_node(d), stmt};
    return status;
}

static int each_place(struct code_depend *d, uint32_t stmt, const uint64_t set[CODE_PLACE_WORDS],
                      int (*touch)(struct code_depend *d, uint32_t stmt, uint32_t place))
{
    int status = 0;
    for (uint32_t word = 0; word < CODE_PLACE_WORDS; word++)
        for (uint64_t left = set[word]; left && status == 0; left &= left - 1)
            status = touch(d, stmt, 64 * word + (uint32_t)__builtin_ctzll(left));
    return status;
}

/* --- memory ----------------------------------------------------------------------------------- */

static bool overlap(const struct code_access *a, const struct code_access *b)
{
    const uint32_t distance = b->offset - a->offset; /* addresses wrap around */
    return a->root != b->root || !a->size || !b->size || distance < a->size ||
           0 - distance < b->size;
}

static bool keeps_order(const struct code_access *a, const struct code_access *b)
{
    return (a->store || b->store) &&
           ((a->store && b->store && (a->in_order || b->in_order)) || overlap(a, b));
}

static int add_access(struct code_depend *d, const struct code_effect *effect)
{
    const struct code_value *base = &d->values[effect->base];
    const struct code_access access = {.node = this_node(d),
                                       .store = effect->stores,
                                       .in_order = effect->in_order,
                                       .root = base->root,
                                       .offset = base->amount + (uint32_t)effect->offset,
                                       .size = effect->size};
    size_t kept = 0;
    int status = 0;
    for (size_t i = 0; i < d->access_count && status == 0; i++) {
        const struct code_access earlier = d->accesses[i];
        if (is_far(d, earlier.node))
            continue;
        d->accesses[kept++] = earlier;
        if (keeps_order(&earlier, &access))
            status = add_arc(d, earlier.node, 0);
    }
    d->access_count = kept;
    struct code_access *accesses =
        grow(d->accesses, &d->access_capacity, kept + 1, sizeof *accesses);
    if (!accesses)
        return -1;
    d->accesses = accesses;
    accesses[d->access_count++] = access;
    return status;
}

/* --- pieces ----------------------------------------------------------------------------------- */

static void set_values(struct code_depend *d, const struct code_effect *effect)
{
    const struct code_value from = d->values[effect->of % CODE_SCALARS];
    for (uint32_t word = 0; word < CODE_PLACE_WORDS; word++)
        for (uint64_t left = effect->writes[word]; left; left &= left - 1)
            d->values[64 * word + (uint32_t)__builtin_ctzll(left)] =
                (struct code_value){.root = d->roots++};
    if (effect->sums && effect->sum % CODE_SCALARS)
        d->values[effect->sum % CODE_SCALARS] =
            (struct code_value){from.root, from.amount + effect->amount};
}

static int add_stmt(struct code_depend *d, uint32_t stmt, struct moves_node *node)
{
    struct code_effect effect = {.fixed = false};
    d->code->effect(d->code->context, stmt, &effect);
    if (effect.unit && effect.busy >= node->busy) {
        node->unit = effect.unit;
        node->busy = effect.busy;
    }
    int status = each_place(d, stmt, effect.reads, read_place);
    if (status == 0 && (effect.loads || effect.stores))
        status = add_access(d, &effect);
    if (status == 0)
        status = each_place(d, stmt, effect.writes, write_place);
    set_values(d, &effect);
    for (uint32_t n = 0; effect.ends && n < this_node(d) && status == 0; n++)
        status = add_arc(d, n, 0); /* it stays last */
    return status;
}

int code_depend_add(struct code_depend *d, const struct riscv_piece *piece)
{
    const struct riscv_stmt *stmt = &d->code->pieces.image->stmts[piece->first];
    const struct moves_node node = {.line = stmt->line, .kind = NODE_STEP, .issue = piece->count};
    struct moves_node *added = moves_add_node(d->block, &node);
    int status = added ? 0 : -1;
    for (uint32_t k = 0; k < piece->count && status == 0; k++)
        status = add_stmt(d, piece->first + k, added);
    return status;
}
