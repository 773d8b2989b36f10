/* Control statements that change memories (manual 3.4.4): d set and r lines. */
#include <stdlib.h>

#include "functional/mncore2/lex.h"
#include "functional/mncore2/state.h"

/* Read the words of a payload that the parser has checked: 16 digits each, or l, s and h
 * notation. */
static void read_payload(const char *text, const char *end, uint64_t *words)
{
    const bool marked = !lex_is(*text, LEX_HEX);
    while (text < end) {
        const char mark = marked ? *text++ : 'l';
        const unsigned digits = mark == 'l' ? 16 : mark == 's' ? 8 : 4;
        uint64_t word = 0;
        for (unsigned part = 0; part < 16 / digits; part++) {
            uint64_t value = 0;
            text += part > 0; /* a _ between the parts */
            for (unsigned i = 0; i < digits && text < end && lex_is(*text, LEX_HEX); i++)
                value = value << 4 | lex_digit(*text++);
            word = (part == 0 ? 0 : word << 4 * digits) | value;
        }
        *words++ = word;
    }
}

static bool selected(int8_t selector, unsigned number)
{
    return selector < 0 || (unsigned)selector == number;
}

static bool mab_selected(const struct debug *d, unsigned mab)
{
    return selected(d->group, mab / (MABS / GROUPS)) &&
           selected(d->l2b, mab / (MABS / L2BS) % L2B_PER_GROUP) &&
           selected(d->l1b, mab / MAB_PER_L1B % L1B_PER_L2B) && selected(d->mab, mab % MAB_PER_L1B);
}

/* Write one entry of a PE memory in one lane; data is its payload, at most two long words. */
static void set_lane(struct exec *e, const struct debug *d, uint64_t i, size_t lane,
                     const uint64_t *data)
{
    const unsigned halves = d->words == 4 ? 2 : 1;
    for (unsigned half = 0; half < halves; half++) {
        const uint64_t word = d->addr + i * d->words;
        const size_t row = d->mem == MEM_T
                               ? ROW_T + (size_t)(i % CYCLES) * 2 + half
                               : state_base(d->mem) + (word / 2 + half) % state_size(d->mem);
        uint64_t *at = &state_row(e, row)[lane];
        mncore2_state_fill(e, row, 1);
        state_touch(e, row);
        if (d->words != 1 || d->mem == MEM_T)
            *at = data[half];
        else if (word % 2 == 0)
            *at = (*at & 0xffffffffu) | data[0] >> 32 << 32;
        else
            *at = *at >> 32 << 32 | data[0] >> 32;
    }
}

static int set_pe(struct exec *e, const struct debug *d, const uint64_t *data)
{
    uint32_t key[MABS];
    for (unsigned mab = 0; mab < MABS; mab++)
        key[mab] = mab_selected(d, mab);
    if (mncore2_state_split(e, key) < 0)
        return -1;
    for (size_t k = 0; k < e->classes; k++) {
        if (!mab_selected(d, e->rep[k]))
            continue;
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
            for (uint64_t i = 0; selected(d->pe, pe) && i < d->count; i++)
                set_lane(e, d, i, k * PE_PER_MAB + pe, data + i * (d->words == 4 ? 2 : 1));
    }
    return 0;
}

/* Write L1BM and L2BM, and the DRAM presets of r lines. */
static void set_above(struct exec *e, const struct debug *d, const uint64_t *data, uint64_t count)
{
    const unsigned levels = mncore2_exec_levels(d->mem);
    const unsigned each = levels < 2 ? L1BS / GROUPS : levels < 3 ? L1B_PER_L2B : 1;
    for (unsigned l1b = 0; l1b < L1BS; l1b += each) {
        const unsigned group = l1b / (L1BS / GROUPS);
        const unsigned l2b = l1b / L1B_PER_L2B % L2B_PER_GROUP;
        const unsigned b = l1b % L1B_PER_L2B;
        if (selected(d->group, group) && (levels < 2 || selected(d->l2b, l2b)) &&
            (levels < 3 || selected(d->l1b, b)))
            mncore2_exec_write(e, (struct exec_place){d->mem, group, l2b, b, d->addr},
                               (size_t)count, data);
    }
}

int mncore2_exec_debug_set(struct exec *e, const char *text, const struct debug *debug)
{
    const uint64_t count = debug->count * (debug->words == 4 ? 2 : 1);
    uint64_t *data = malloc((size_t)count * sizeof *data);
    int status = data == NULL ? -1 : 0;
    if (status == 0) {
        read_payload(text + debug->payload, text + debug->payload + debug->payload_size, data);
        if (mncore2_exec_levels(debug->mem) == 5)
            status = set_pe(e, debug, data);
        else
            set_above(e, debug, data, count);
    }
    free(data);
    return status;
}
