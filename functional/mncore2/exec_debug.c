/* Control statements that read memories (manual 3.4.3): d get prints in the vendor emulator's
 * format. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/state.h"
#include "host/grow.h"

/* --- the elements of a line --- */

enum dtype { TYPE_NONE, TYPE_D, TYPE_F, TYPE_H, TYPE_BD, TYPE_BF, TYPE_BG, TYPE_BH };

static enum dtype type_of(const char *dtype)
{
    const bool block = dtype[0] == 'b';
    switch (dtype[block ? 1 : 0]) {
    case 'd':
        return block ? TYPE_BD : TYPE_D;
    case 'f':
        return block ? TYPE_BF : TYPE_F;
    case 'g':
        return TYPE_BG;
    case 'h':
        return block ? TYPE_BH : TYPE_H;
    default:
        return TYPE_NONE;
    }
}

static unsigned type_bits(enum dtype type)
{
    switch (type) {
    case TYPE_F:
    case TYPE_BF:
    case TYPE_BG:
        return 32;
    case TYPE_H:
    case TYPE_BH:
        return 16;
    default:
        return 64;
    }
}

static unsigned exponent_bits(unsigned bits)
{
    return bits == 64 ? 11 : bits == 32 ? 8 : 6;
}

static uint64_t element(uint64_t word, unsigned bits, unsigned i)
{
    return bits == 64 ? word : word >> (64 - bits * (i + 1)) & ((1ull << bits) - 1);
}

static unsigned exponent_of(uint64_t value, unsigned bits)
{
    const unsigned width = exponent_bits(bits);
    return (unsigned)(value >> (bits - 1 - width) & ((1u << width) - 1));
}

/* The common exponents of four long words that form a block, one in each PE or column (4.4). In
 * single precision the upper and the lower words are separate blocks (3.6.12.12). */
struct block_exponents {
    unsigned common[2];
    bool valid;
};

static struct block_exponents block_exponents(const uint64_t quad[PE_PER_MAB], enum dtype type)
{
    const unsigned bits = type_bits(type);
    struct block_exponents found = {.valid = true};
    for (unsigned round = 0; round < 2; round++)
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
            for (unsigned i = 0; i < 64 / bits; i++) {
                const unsigned block = type == TYPE_BF ? i : 0;
                const unsigned e = exponent_of(element(quad[pe], bits, i), bits);
                if (round == 0 && e > found.common[block])
                    found.common[block] = e;
                /* In half precision an element may have exponent 0 and 2^-6 of the block's
                 * scale. */
                if (round == 1 && e != found.common[block] && !(type == TYPE_BH && e == 0))
                    found.valid = false;
            }
    return found;
}

static double block_value(uint64_t value, enum dtype type, unsigned common)
{
    const unsigned bits = type_bits(type);
    const unsigned width = exponent_bits(bits);
    const unsigned mantissa_bits = bits - 1 - width;
    const bool negative = value >> (bits - 1) & 1;
    uint64_t mantissa = value & ((1ull << mantissa_bits) - 1);
    if (type == TYPE_BG)
        mantissa &= ~31ull;
    double magnitude;
    if (common == (1u << width) - 1) {
        magnitude = HUGE_VAL;
    } else if (common == 0) {
        magnitude = 0;
    } else {
        int scale = (int)common - ((1 << (width - 1)) - 1) - (int)(mantissa_bits - 1);
        if (type == TYPE_BH && exponent_of(value, bits) == 0)
            scale -= 6;
        magnitude = ldexp((double)mantissa, scale);
    }
    return negative ? -magnitude : magnitude;
}

static double plain_value(uint64_t value, unsigned bits)
{
    return bits == 64   ? mncore2_double_value(value)
           : bits == 32 ? mncore2_single_value((uint32_t)value)
                        : mncore2_half_value((uint16_t)value);
}

/* Print without a type; upper: capital hexadecimal digits were printed in this line. */
static void print_untyped(FILE *out, uint64_t word, bool *upper)
{
    fprintf(out, *upper ? "(f:%G" : "(f:%g", mncore2_double_value(word));
    fprintf(out, ", i:{{0x%X,0x%X},{0x%X,0x%X}}, v:0x%llX)", (unsigned)(word >> 48),
            (unsigned)(word >> 32 & 0xffff), (unsigned)(word >> 16 & 0xffff),
            (unsigned)(word & 0xffff), (unsigned long long)word);
    *upper = true;
}

/* Print with a type: values, then bits; words = 1 prints the upper word alone. */
static void print_typed(FILE *out, uint64_t word, enum dtype type, unsigned words,
                        const struct block_exponents *block)
{
    const unsigned bits = type_bits(type);
    const unsigned count = (words == 1 ? 32u : 64u) / bits;
    fputc('(', out);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t value = element(word, bits, i);
        const double shown = type >= TYPE_BD
                                 ? block_value(value, type, block->common[type == TYPE_BF ? i : 0])
                                 : plain_value(value, bits);
        fprintf(out, "%s%g", i > 0 ? ", " : "", shown);
    }
    fputs(") (", out);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s0x%0*llx", i > 0 ? ", " : "", (int)(bits / 4),
                (unsigned long long)element(word, bits, i));
    fputc(')', out);
}

/* --- d get --- */

struct get {
    struct exec *e;
    const struct program *program;
    size_t item;
    const struct debug *debug;
    struct diag_list *diags;
    enum dtype type;
    const char *echo;
    unsigned group, l2b, l1b, mab, pe; /* the current position of the walk */
};

/* Names as d get prints them. */
static const char *const memory_names[MEM_COUNT] = {
    [MEM_LM0] = "LM0",   [MEM_LM1] = "LM1",   [MEM_GRF0] = "GREG0", [MEM_GRF1] = "GREG1",
    [MEM_T] = "TREG",    [MEM_OMR] = "OMR",   [MEM_X] = "MRx",      [MEM_Y] = "MRy",
    [MEM_L1BM] = "L1BM", [MEM_L2BM] = "L2BM", [MEM_PDM] = "PDM",    [MEM_DRAM] = "DRAM"};

unsigned mncore2_exec_levels(unsigned mem)
{
    switch (mem) {
    case MEM_PDM:
    case MEM_DRAM:
        return 1;
    case MEM_L2BM:
        return 2;
    case MEM_L1BM:
        return 3;
    case MEM_X:
    case MEM_Y:
        return 4;
    default:
        return 5;
    }
}

/* Addresses before the memory wraps, in d get's unit: words in a PE, long words elsewhere. */
static uint64_t address_count(unsigned mem)
{
    switch (mem) {
    case MEM_PDM:
        return PDM_LONGS;
    case MEM_DRAM:
        return DRAM_LONGS;
    case MEM_L2BM:
        return L2BM_LONGS;
    case MEM_L1BM:
        return L1BM_LONGS;
    default:
        return state_size(mem) * 2;
    }
}

static void print_head(const struct get *g, uint64_t addr)
{
    FILE *out = g->e->options.dump;
    const unsigned levels = mncore2_exec_levels(g->debug->mem);
    fprintf(out, "DEBUG-%s(n%u", memory_names[g->debug->mem], g->group);
    if (levels >= 2)
        fprintf(out, "c%u", g->l2b);
    if (levels >= 3)
        fprintf(out, "b%u", g->l1b);
    if (levels >= 4)
        fprintf(out, "m%u", g->mab);
    if (levels >= 5)
        fprintf(out, "p%u", g->pe);
    fprintf(out, ",%llu):", (unsigned long long)addr);
}

static unsigned mab_number(const struct get *g)
{
    return ((g->group * L2B_PER_GROUP + g->l2b) * L1B_PER_L2B + g->l1b) * MAB_PER_L1B + g->mab;
}

/* One long word as one PE sees it; the caller picks a half if it needs one. */
static uint64_t pe_long(const struct get *g, size_t row, unsigned pe)
{
    const struct exec *e = g->e;
    return mncore2_state_long(e, row, e->class_of[mab_number(g)] * (size_t)PE_PER_MAB + pe);
}

/* Read long word `half` of entry i of the debug statement: in the four PE of the MAB, or in an
 * aligned group of four long words of another memory. mine: index of the one to print. */
static void read_quad(const struct get *g, uint64_t i, unsigned half, uint64_t quad[PE_PER_MAB],
                      unsigned *mine)
{
    const struct debug *d = g->debug;
    if (mncore2_exec_levels(d->mem) < 4) {
        const uint64_t addr = d->addr + i * (d->words / 2) + half;
        *mine = (unsigned)(addr % PE_PER_MAB);
        mncore2_exec_read(g->e, (struct exec_place){d->mem, g->group, g->l2b, g->l1b, addr - *mine},
                          PE_PER_MAB, quad);
        return;
    }
    *mine = g->pe;
    for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
        if (d->mem == MEM_T) {
            quad[pe] = pe_long(g, ROW_T + (i % CYCLES) * 2 + half, pe);
            continue;
        }
        const uint64_t size = state_size(d->mem);
        const uint64_t word = d->addr + i * d->words;
        const uint64_t row = state_base(d->mem) + (word / 2 + half) % size;
        quad[pe] = pe_long(g, row, pe);
        if (d->words == 1)
            quad[pe] = word % 2 == 0 ? quad[pe] >> 32 << 32 : quad[pe] << 32;
    }
}

static int block_fault(const struct get *g)
{
    size_t length;
    mncore2_program_line(g->program, g->item, &length);
    const struct diag at = {.severity = DIAG_ERROR,
                            .file = mncore2_program_source(g->program, g->item),
                            .line = g->program->items[g->item].line,
                            .column = 1,
                            .length = (uint32_t)length,
                            .rule = "4.4"};
    diag_add(g->diags, &at,
             "no valid block float value: the exponents of one block differ at "
             "n%uc%ub%um%u in %s",
             g->group, g->l2b, g->l1b, g->mab, memory_names[g->debug->mem]);
    return 1;
}

static int get_entries(const struct get *g)
{
    FILE *out = g->e->options.dump;
    const struct debug *d = g->debug;
    const unsigned halves = d->words == 4 ? 2 : 1;
    for (uint64_t i = 0; i < d->count; i++) {
        uint64_t word[2];
        struct block_exponents block[2];
        for (unsigned half = 0; half < halves; half++) {
            uint64_t quad[PE_PER_MAB];
            unsigned mine;
            read_quad(g, i, half, quad, &mine);
            word[half] = quad[mine];
            if (g->type >= TYPE_BD) {
                block[half] = block_exponents(quad, g->type);
                if (!block[half].valid)
                    return block_fault(g);
            }
        }
        if (out == NULL)
            continue;
        const unsigned step = mncore2_exec_levels(d->mem) < 4 ? d->words / 2 : d->words;
        /* Addresses beyond the end are printed wrapped, except those of T. */
        print_head(g, d->mem == MEM_T ? i : (d->addr + i * step) % address_count(d->mem));
        bool upper = false;
        if (halves == 2)
            fputc('{', out);
        for (unsigned half = 0; half < halves; half++) {
            if (half > 0)
                fputs(", ", out);
            if (g->type == TYPE_NONE)
                print_untyped(out, word[half], &upper);
            else
                print_typed(out, word[half], g->type, d->words, &block[half]);
        }
        fprintf(out, "%s #%s\n", halves == 2 ? "}" : "", g->echo);
    }
    return 0;
}

/* Rows of a matrix register counted in the precision's units (3.6.1.14); rows beyond do not
 * exist. */
static int get_matrix(const struct get *g)
{
    FILE *out = g->e->options.dump;
    const unsigned bits = type_bits(g->type);
    const unsigned rows = bits == 64 ? 4 : bits == 32 ? 8 : 16;
    const uint64_t *plane =
        g->e->planes[g->debug->mem == MEM_Y] + g->e->class_of[mab_number(g)] * (size_t)PLANE_LONGS;
    for (uint64_t i = 0; i < g->debug->count && g->debug->addr + i < rows; i++) {
        const uint64_t row = g->debug->addr + i;
        const uint64_t *quad = plane + row * (MATRIX_ROWS / rows) * PE_PER_MAB;
        const struct block_exponents block = block_exponents(quad, g->type);
        if (g->type >= TYPE_BD && !block.valid)
            return block_fault(g);
        if (out == NULL)
            continue;
        print_head(g, row);
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
            fputs(pe == 0 ? "{" : ", ", out);
            print_typed(out, quad[pe], g->type, 2, &block);
        }
        fprintf(out, "} #%s\n", g->echo);
    }
    return 0;
}

static unsigned mask_value(const struct get *g, unsigned entry, unsigned cycle)
{
    if (entry == 0)
        return 15;
    if (entry >= MASK_ENTRIES)
        return entry >> (CYCLES - 1 - cycle) & 1 ? 15 : 0;
    const size_t lane = g->e->class_of[mab_number(g)] * (size_t)PE_PER_MAB + g->pe;
    return state_mask(g->e, entry, cycle)[lane];
}

static int get_masks(const struct get *g)
{
    FILE *out = g->e->options.dump;
    for (unsigned cycle = 0; out != NULL && cycle < CYCLES; cycle++)
        for (uint64_t i = 0; i < g->debug->count; i++) {
            const unsigned entry = (unsigned)(g->debug->addr + i);
            print_head(g, entry);
            fprintf(out, "Mask{%u} #%s\n", mask_value(g, entry, cycle), g->echo);
        }
    return 0;
}

static int get_one(const struct get *g)
{
    switch (g->debug->mem) {
    case MEM_X:
    case MEM_Y:
        return get_matrix(g);
    case MEM_OMR:
        return get_masks(g);
    default:
        return get_entries(g);
    }
}

/* Print every element that the selectors leave, recursively from the group down. */
static int walk(struct get *g, unsigned level)
{
    const struct debug *d = g->debug;
    if (level == mncore2_exec_levels(d->mem))
        return get_one(g);
    const int8_t selected[5] = {d->group, d->l2b, d->l1b, d->mab, d->pe};
    static const unsigned counts[5] = {GROUPS, L2B_PER_GROUP, L1B_PER_L2B, MAB_PER_L1B, PE_PER_MAB};
    unsigned *const at[5] = {&g->group, &g->l2b, &g->l1b, &g->mab, &g->pe};
    for (unsigned i = 0; i < counts[level]; i++) {
        if (selected[level] >= 0 && (unsigned)selected[level] != i)
            continue;
        *at[level] = i;
        const int status = walk(g, level + 1);
        if (status != 0)
            return status;
    }
    return 0;
}

/* The statement's text without comment and surrounding blanks; "$t" becomes "$lt". */
static int make_echo(struct exec *e, const struct program *program, size_t item, unsigned mem)
{
    size_t length;
    const char *line = mncore2_program_text(program, item, &length);
    char *text = grow(e->text, &e->text_size, length + 2, 1);
    if (text == NULL)
        return -1;
    e->text = text;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        e->text[n++] = line[i];
        if (mem == MEM_T && line[i] == '$' && i + 1 < length && line[i + 1] == 't')
            e->text[n++] = 'l';
    }
    e->text[n] = '\0';
    return 0;
}

int mncore2_exec_debug_get(struct exec *e, const struct program *program, size_t item,
                           const struct debug *debug, struct diag_list *diags)
{
    struct get g = {.e = e,
                    .program = program,
                    .item = item,
                    .debug = debug,
                    .diags = diags,
                    .type = type_of(debug->dtype)};
    if (make_echo(e, program, item, debug->mem) < 0)
        return -1;
    g.echo = e->text;
    const int status = walk(&g, 0);
    if (status == 0 && e->options.dump != NULL && ferror(e->options.dump))
        return -1;
    return status;
}
