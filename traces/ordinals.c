#include "traces/ordinals.h"

#include <stdbool.h>
#include "host/big_memory.h"
#include "traces/dictionary.h"

/* Half a hash each; where it stands says the other half. Texts that agree in both count as the same,
 * which one pair of a hundred thousand million does. */
struct ordinal_slot {
    uint32_t hash, uses; /* uses 0: empty */
};

struct counting {
    const struct told *told;
    const struct packed *packed;
    struct kind_text *kinds;
    struct ordinal_slot *slots;
    size_t mask, slot_bytes;
    struct alike *alike; /* of a line of the packed text, or of a kind, unless kinds hold it. Both NULL: each
                            statement is looked at */
    size_t alike_bytes;
};

/* Room for as many texts as there may be. */
static bool prepare(struct counting *c)
{
    const bool known = c->packed->count || c->told->lines;
    const size_t texts = c->packed->count ? c->packed->count
                         : known          ? c->told->kind_count
                                          : c->told->stmt_count;
    size_t slots = 64;
    while (slots < texts + texts / 2) {
        slots *= 2;
    }
    c->mask = slots - 1;
    c->slots = big_memory_touched(c->slot_bytes = slots * sizeof *c->slots);
    if (known && !c->kinds) {
        c->alike = big_memory_touched(c->alike_bytes = (texts + 1) * sizeof *c->alike);
    }
    return c->slots && (!known || c->kinds || c->alike);
}

static struct ordinal_slot *find_slot(const struct counting *c, uint64_t hash)
{
    size_t at = hash & c->mask;
    const uint32_t rest = (uint32_t)(hash >> 32);
    while (c->slots[at].uses && c->slots[at].hash != rest) {
        at = (at + 1) & c->mask;
    }
    c->slots[at].hash = rest;
    return &c->slots[at];
}

/* Statements at a time: their texts are hashed and the slots on their way before the first is used. */
enum { BLOCK = 64 };

struct block {
    struct stmt_line lines[BLOCK];
    struct alike own[BLOCK]; /* where nothing is known */
    struct alike *of[BLOCK];
};

/* How the statement begins to be one of those that are alike. */
static void look_at(const struct counting *c, size_t id, const struct stmt_line *line, struct alike *alike)
{
    if (c->packed->count) {
        alike->hash = c->packed->entries[c->packed->of_stmt[id] - 1].hash;
        return;
    }
    const struct stmt_info info = told_stmt(c->told, id);
    alike->hash = dictionary_hash(DICTIONARY_SEED, info.text, info.text_length);
    if (c->kinds) {
        /* A text holds less than 4 GiB. */
        struct kind_text *kind = &c->kinds[line->kind];
        kind->at = (uint32_t)(info.text - (c->told->files[line->file].text + line->offset));
        kind->length = (uint32_t)info.text_length;
    }
}

static void read_block(const struct counting *c, size_t first, size_t count, struct block *block)
{
    const bool kinds = !c->packed->count && (c->kinds || c->alike);
    if (kinds) {
        c->told->lines(c->told->asked, first, count, block->lines);
    }
    for (size_t i = 0; i < count; i++) {
        const struct stmt_line *line = &block->lines[i];
        struct alike *alike = c->packed->count ? &c->alike[c->packed->of_stmt[first + i]]
                              : c->kinds       ? &c->kinds[line->kind].alike
                              : c->alike       ? &c->alike[line->kind]
                                               : &block->own[i];
        block->of[i] = alike;
        if ((c->alike || c->kinds) && alike->slot) {
            continue;
        }
        alike->slot = NULL;
        look_at(c, first + i, line, alike);
        __builtin_prefetch(&c->slots[alike->hash & c->mask], 1);
    }
}

int ordinals_make(uint32_t *ordinals, const struct told *told, const struct packed *packed,
                  struct kind_text *kinds)
{
    struct counting c = {
        .told = told, .packed = packed, .kinds = told->lines && !packed->count ? kinds : NULL};
    const bool room = prepare(&c);
    struct block block;
    for (size_t first = 0; room && first < told->stmt_count; first += BLOCK) {
        const size_t left = told->stmt_count - first, count = left < BLOCK ? left : BLOCK;
        read_block(&c, first, count, &block);
        for (size_t i = 0; i < count; i++) {
            if (!block.of[i]->slot) {
                block.of[i]->slot = find_slot(&c, block.of[i]->hash);
            }
            ordinals[first + i] = ++block.of[i]->slot->uses;
        }
    }
    big_memory_free(c.slots, c.slot_bytes);
    big_memory_free(c.alike, c.alike_bytes);
    return room ? 0 : -1;
}
