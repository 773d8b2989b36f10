/* The hash of a state is a sum over its long words of a mix of address and contents; zeros add
 * nothing. It is therefore independent of the order, and untouched memory is skipped. PE memories,
 * PDM and DRAM contribute their difference from the contents at power-on, whose kind and seed enter
 * the hash. */
#include "functional/mncore2/state.h"

#include "host/hash.h"

static uint64_t sum(const uint64_t *memory, size_t count, uint64_t place)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += hash_place(place + i, memory[i]);
    return total;
}

/* Hash one row of PE memories, added to the total of each class; classes are consecutive within a
 * row. */
static void add_row(const struct exec *e, size_t from, size_t as, uint64_t *of_class)
{
    if (!e->touched[from])
        return;
    const uint64_t place = state_place(PLACE_PE, as * PE_PER_MAB);
    const bool zero = e->options.init.kind == INIT_ZERO;
    for (size_t lane = 0; lane < state_lanes(e); lane++) {
        const uint64_t initial = zero ? 0 : mncore2_state_initial(e, from, lane);
        of_class[lane / PE_PER_MAB] +=
            hash_place(place + lane % PE_PER_MAB, state_row(e, from)[lane] ^ initial);
    }
}

/* Hash all rows; of forwarding registers the readable buffer. */
static void add_rows(const struct exec *e, uint64_t *of_class)
{
    for (size_t row = 0; row < ROW_FWD; row++)
        add_row(e, row, row, of_class);
    for (unsigned unit = 0; unit < UNITS; unit++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (unsigned half = 0; half < (e->fwd_wide[unit] ? 2u : 1u); half++)
                add_row(e, state_fwd_row(unit, e->fwd_buffer[unit], cycle, half),
                        state_fwd_row(unit, 0, cycle, half), of_class);
}

static uint64_t class_hash(const struct exec *e, size_t k)
{
    uint64_t total = 0;
    for (unsigned plane = 0; plane < 2; plane++)
        total += sum(e->planes[plane] + k * PLANE_LONGS, PLANE_LONGS,
                     state_place(PLACE_PLANE, plane * (uint64_t)PLANE_LONGS));
    for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
        const size_t lane = k * PE_PER_MAB + pe;
        for (unsigned entry = 1; entry < MASK_ENTRIES; entry++)
            for (unsigned cycle = 0; cycle < CYCLES; cycle++)
                total +=
                    hash_place(state_place(PLACE_MASK, (entry * CYCLES + cycle) * PE_PER_MAB + pe),
                               state_mask(e, entry, cycle)[lane]);
        for (unsigned lm = 0; lm < 2; lm++)
            total += hash_place(state_place(PLACE_BAR, lm * PE_PER_MAB + pe), e->bar[lm][lane]);
    }
    return total;
}

static uint64_t pages_hash(const struct exec *e, const struct paged *memory)
{
    uint64_t total = 0;
    for (uint64_t word = 0; word < memory->longs / PAGE_LONGS / 64; word++) {
        for (uint64_t bits = memory->touched[word]; bits != 0; bits &= bits - 1) {
            const uint64_t page = word * 64 + (uint64_t)__builtin_ctzll(bits);
            const uint64_t place = memory->place + page * PAGE_LONGS;
            const uint64_t *words = memory->words + page * PAGE_LONGS;
            if (e->options.init.kind == INIT_ZERO) {
                total += sum(words, PAGE_LONGS, place);
                continue;
            }
            for (unsigned i = 0; i < PAGE_LONGS; i++)
                total += hash_place(place + i, words[i] ^ init_word(&e->options.init, place + i));
        }
    }
    return total;
}

uint64_t mncore2_exec_hash(const struct exec *e)
{
    uint64_t total = hash_place(state_place(PLACE_POINTERS, 0), e->dar_write) +
                     hash_place(state_place(PLACE_POINTERS, 1), e->darbuf_read) +
                     hash_place(state_place(PLACE_POINTERS, 2), e->options.init.kind);
    if (e->options.init.kind == INIT_RANDOM)
        total += hash_place(state_place(PLACE_POINTERS, 3), e->options.init.seed);
    uint64_t of_class[MABS];
    for (size_t k = 0; k < e->classes; k++)
        of_class[k] = class_hash(e, k);
    add_rows(e, of_class);
    for (unsigned mab = 0; mab < MABS; mab++)
        total += hash_place(state_place(PLACE_PE, mab) | 1ull << 63, of_class[e->class_of[mab]]);
    total += sum(e->l1bm[0], (size_t)L1BS * L1BM_LONGS, state_place(PLACE_L1BM, 0));
    total += sum(e->l2bm[0], (size_t)L2BS * L2BM_LONGS, state_place(PLACE_L2BM, 0));
    total += sum(e->turn[0][0], (size_t)L1BS * CYCLES * TURN_LONGS, state_place(PLACE_TURN, 0));
    for (unsigned group = 0; group < GROUPS; group++) {
        total += pages_hash(e, &e->pdm[group]) + pages_hash(e, &e->dram[group]);
        for (unsigned i = 0; i < DAR_ENTRIES; i++)
            total += hash_place(state_place(PLACE_DAR, group * DAR_ENTRIES + i), e->dar[group][i]);
        for (unsigned i = 0; i < DARBUF_ENTRIES; i++)
            total += hash_place(state_place(PLACE_DARBUF, group * DARBUF_ENTRIES + i),
                                e->darbuf[group][i]);
    }
    return total;
}
