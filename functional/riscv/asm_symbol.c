/* asm_symbol: symbols and the scope of names. */
#include <string.h>

#include "functional/riscv/asm_state.h"
#include "host/grow.h"
#include "host/hash.h"

static bool same_name(struct riscv_word a, struct riscv_word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static size_t chain_of(struct riscv_word name)
{
    return (size_t)(hash_bytes(HASH_START, name.text, name.length) % SYMBOL_CHAINS);
}

/* The next symbol of this name in its chain from number `at` (from 1) on, or NULL. */
static const struct symbol *next_named(const struct riscv_asm *as, uint32_t at,
                                       struct riscv_word name)
{
    while (at && !same_name(as->symbols[at - 1].name, name))
        at = as->symbols[at - 1].next;
    return at ? &as->symbols[at - 1] : NULL;
}

const struct symbol *riscv_asm_find(const struct riscv_asm *as, struct riscv_word name)
{
    const struct symbol *best = NULL;
    unsigned best_rank = 0;
    for (const struct symbol *s = next_named(as, as->chains[chain_of(name)], name); s;
         s = next_named(as, s->next, name)) {
        const unsigned rank = s->owner == as->file    ? 4
                              : s->global && !s->weak ? 3
                              : s->global             ? 2
                                                      : 1;
        const bool known = s->defined || s->alias.length;
        /* Chains begin with the newest symbol; among equal ranks the oldest wins. */
        if (known && rank >= best_rank) {
            best = s;
            best_rank = rank;
        }
    }
    /* A weak definition of this file yields to another file's. */
    for (const struct symbol *s = next_named(as, as->chains[chain_of(name)], name);
         best && best->weak && s; s = next_named(as, s->next, name))
        if (s->defined && s->global && !s->weak)
            best = s;
    return best;
}

struct symbol *riscv_asm_symbol(struct riscv_asm *as, struct riscv_word name)
{
    const size_t chain = chain_of(name);
    for (const struct symbol *s = next_named(as, as->chains[chain], name); s;
         s = next_named(as, s->next, name))
        if (s->owner == as->file)
            return &as->symbols[s - as->symbols];
    struct symbol *symbols =
        grow(as->symbols, &as->symbol_capacity, as->symbol_count + 1, sizeof *symbols);
    if (!symbols) {
        as->memory_out = true;
        return NULL;
    }
    as->symbols = symbols;
    symbols[as->symbol_count] = (struct symbol){
        .name = name, .owner = as->file, .section = NO_SECTION, .next = as->chains[chain]};
    as->chains[chain] = (uint32_t)++as->symbol_count;
    return &symbols[as->symbol_count - 1];
}

const struct symbol *riscv_asm_defined_before(const struct riscv_asm *as,
                                              const struct symbol *symbol)
{
    for (const struct symbol *s = next_named(as, as->chains[chain_of(symbol->name)], symbol->name);
         s; s = next_named(as, s->next, symbol->name))
        if (s->owner < symbol->owner && s->defined && s->global && !s->weak && symbol->global &&
            !symbol->weak)
            return s;
    return NULL;
}

bool riscv_asm_taken(const struct riscv_asm *as, const struct symbol *symbol)
{
    const bool strong = symbol->global && !symbol->weak;
    for (const struct symbol *s = next_named(as, as->chains[chain_of(symbol->name)], symbol->name);
         s; s = next_named(as, s->next, symbol->name)) {
        const bool stronger = s->global && !s->weak;
        if (s != symbol && s->defined && (stronger == strong ? s->owner < symbol->owner : stronger))
            return true;
    }
    return false;
}
