/* Control statements that change memories (manual 3.4.4): d set and r lines. */
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/state.h"

/* --- payloads of d set and r lines (3.4.4) --- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

struct payload {
    const char *text;
    size_t size, at;
    const char *wrong; /* what is wrong at `at`; NULL = nothing */
    char notation;     /* of the first long word: x for 16 digits, else l */
};

static void skip_blanks(struct payload *p)
{
    while (p->at < p->size && (unsigned char)p->text[p->at] <= ' ')
        p->at++;
}

/* parts numbers of at most `digits` digits joined by _ make one long word. */
static uint64_t read_parts(struct payload *p, unsigned parts, unsigned digits)
{
    uint64_t word = 0;
    for (unsigned part = 0; part < parts; part++) {
        if (part > 0) {
            if (p->at >= p->size || p->text[p->at] != '_') {
                p->wrong = parts == 2 ? "s needs two words joined by _"
                                      : "h needs four half words joined by _";
                return 0;
            }
            p->at++;
        }
        uint64_t value = 0;
        unsigned count = 0;
        while (p->at < p->size && hex_digit(p->text[p->at]) >= 0) {
            if (count == digits) {
                p->wrong = "too many digits";
                return 0;
            }
            value = value << 4 | (uint64_t)hex_digit(p->text[p->at]);
            p->at++;
            count++;
        }
        if (count == 0) {
            p->wrong = "a hexadecimal digit is missing";
            return 0;
        }
        word = (parts == 1 ? 0 : word << (64 / parts)) | value;
    }
    return word;
}

static uint64_t read_payload_word(struct payload *p, bool plain)
{
    const char c = p->text[p->at];
    const bool marked = c == 'l' || c == 's' || c == 'h';
    const char notation = marked ? 'l' : 'x';
    if (plain && marked) {
        p->wrong = "only numbers of 16 hexadecimal digits are possible here";
        return 0;
    }
    if (p->notation != '\0' && p->notation != notation) {
        p->wrong = "16-digit numbers cannot be mixed with l, s and h";
        return 0;
    }
    p->notation = notation;
    if (marked) {
        p->at++;
        return read_parts(p, c == 'l' ? 1 : c == 's' ? 2 : 4, c == 'l' ? 16 : c == 's' ? 8 : 4);
    }
    uint64_t word = 0;
    for (unsigned i = 0; i < 16; i++) {
        if (p->at + i >= p->size || hex_digit(p->text[p->at + i]) < 0) {
            p->at += p->at + i >= p->size ? 0 : i;
            p->wrong = "a long word needs 16 hexadecimal digits, or l, s or h in front";
            return 0;
        }
        word = word << 4 | (uint64_t)hex_digit(p->text[p->at + i]);
    }
    p->at += 16;
    return word;
}

/* Long words that a payload must have, and that an r line has numbers of 16 digits only. */
struct wanted {
    uint64_t count;
    bool plain;
};

/* 0 with *words on the heap; 1 with a finding; -1 without memory. */
static int read_payload(const struct program *program, size_t item, const struct debug *debug,
                        struct wanted wanted, struct diag_list *diags, uint64_t **words)
{
    const struct source *source = &program->sources[mncore2_program_source(program, item)];
    struct payload p = {.text = source->text + debug->payload, .size = debug->payload_size};
    *words = malloc((p.size / 2 + 1) * sizeof **words);
    if (*words == NULL)
        return -1;
    uint64_t got = 0;
    for (skip_blanks(&p); p.at < p.size && p.wrong == NULL; skip_blanks(&p)) {
        const uint64_t word = read_payload_word(&p, wanted.plain);
        if (p.wrong == NULL)
            (*words)[got++] = word;
    }
    if (p.wrong == NULL && got == wanted.count)
        return 0;
    free(*words);
    *words = NULL;
    if (p.wrong != NULL) {
        const struct diag at = mncore2_exec_fault(program, item, debug->payload + p.at, 1, "3.4.4");
        diag_add(diags, &at, "%s", p.wrong);
    } else {
        const struct diag at =
            mncore2_exec_fault(program, item, debug->payload, debug->payload_size, "3.4.4");
        diag_add(diags, &at, "the payload has %llu long words, but %llu are to be written",
                 (unsigned long long)got, (unsigned long long)wanted.count);
    }
    return 1;
}

/* --- d set --- */

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

/* Write one entry of a PE memory in one lane: data is its payload, two long words at most. */
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

/* L1BM, L2BM, and what an r line presets. */
static void set_above(struct exec *e, const struct debug *d, const uint64_t *data, uint64_t count)
{
    const unsigned levels = mncore2_exec_levels(d->mem);
    for (unsigned l1b = 0; l1b < L1BS; l1b++) {
        const unsigned group = l1b / (L1BS / GROUPS);
        const unsigned l2b = l1b / L1B_PER_L2B % L2B_PER_GROUP;
        const unsigned b = l1b % L1B_PER_L2B;
        if ((levels < 3 && b != 0) || (levels < 2 && l2b != 0))
            continue;
        if (selected(d->group, group) && (levels < 2 || selected(d->l2b, l2b)) &&
            (levels < 3 || selected(d->l1b, b)))
            mncore2_exec_write(e, (struct exec_place){d->mem, group, l2b, b, d->addr},
                               (size_t)count, data);
    }
}

int mncore2_exec_debug_set(struct exec *e, const struct program *program, size_t item,
                           const struct debug *debug, struct diag_list *diags)
{
    const uint64_t want = debug->count * (debug->words == 4 ? 2 : 1);
    uint64_t *data;
    int status = read_payload(program, item, debug, (struct wanted){want, false}, diags, &data);
    if (status != 0)
        return status;
    if (mncore2_exec_levels(debug->mem) == 5)
        status = set_pe(e, debug, data);
    else
        set_above(e, debug, data, want);
    free(data);
    return status;
}

int mncore2_exec_debug_preset(struct exec *e, const struct program *program, size_t item,
                              const struct debug *debug, struct diag_list *diags)
{
    uint64_t *data;
    const int status =
        read_payload(program, item, debug, (struct wanted){debug->count, true}, diags, &data);
    if (status != 0)
        return status;
    set_above(e, debug, data, debug->count);
    free(data);
    return 0;
}
