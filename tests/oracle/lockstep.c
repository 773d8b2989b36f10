#include "tests/oracle/lockstep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/arith_select.h"
#include "tests/often.h"

static const char *const kernel_names[LOCKSTEP_KERNELS] = {"reference", "avx2"};

unsigned lockstep_kernels(void)
{
    static unsigned count; /* a host that supports the wider kernels supports the narrower ones */
    if (count)
        return count;
    while (count < LOCKSTEP_KERNELS && mncore2_arith_select_name(kernel_names[count]))
        count++;
    mncore2_arith_select(false);
    if (count == 0)
        count = 1; /* always compare at least the plain kernels */
    return count;
}

void lockstep_select(unsigned kernel)
{
    mncore2_arith_select_name(kernel_names[kernel]);
}

static const char *const mnemonic[INSN_COUNT] = {
#define INSN(id, text, group, types, inputs, wide, uns, section, sentence) [INSN_##id] = text,
#include "functional/mncore2/insn.def"
};

size_t lockstep_sets(void)
{
    return often(LOCKSTEP_SETS);
}

uint64_t lockstep_seed(uint64_t seed)
{
    const char *text = getenv("TAKT_ORACLE_SEED");
    return text ? strtoull(text, NULL, 0) : seed;
}

void batch_shape(struct batch *batch, struct dice *fill)
{
    static const uint8_t mabs[8] = {1, 2, 3, 5, 7, 8, 13, LOCKSTEP_MABS};
    batch->lanes = 4U * mabs[fill_below(fill, 8)];
    for (unsigned i = 0; i < 3; i++)
        batch->null[i] = fill_chance(fill, 8);
}

void batch_clear(struct batch *batch)
{
    memset(batch->in, 0, sizeof batch->in);
}

const uint64_t *const *batch_input(const struct batch *batch, unsigned input,
                                   const uint64_t *bus[2])
{
    bus[0] = batch->in[input][0];
    bus[1] = batch->null[input] ? NULL : batch->in[input][1];
    return bus;
}

void batch_mab(const struct batch *batch, unsigned input, size_t mab, mab_bus bus)
{
    for (size_t pe = 0; pe < 4; pe++) {
        bus[pe][0] = batch->in[input][0][4 * mab + pe];
        bus[pe][1] = batch->null[input] ? 0 : batch->in[input][1][4 * mab + pe];
    }
}

void batch_put(struct batch *batch, unsigned input, size_t lane, unsigned bits, unsigned i,
               uint64_t value)
{
    const unsigned per_long = 64 / bits;
    batch->in[input][i / per_long][lane] |= oracle_place(value, bits, i % per_long);
}

static void print_bus(const char *name, size_t pe, uint64_t high, uint64_t low)
{
    fprintf(stderr, "  %-8s pe%zu %016" PRIx64 " %016" PRIx64 "\n", name, pe, high, low);
}

static bool kernel_check(const struct batch *batch, unsigned kernel, size_t mab,
                         const struct expected *e)
{
    const uint64_t *const out[2] = {batch->out[kernel][0], batch->out[kernel][1]};
    bool same = true;
    for (size_t pe = 0; pe < 4; pe++) {
        const size_t lane = 4 * mab + pe;
        same &= ((out[0][lane] ^ e->out[pe][0]) & e->care[pe][0]) == 0;
        same &= ((out[1][lane] ^ e->out[pe][1]) & e->care[pe][1]) == 0;
        same &= !e->flags || batch->flags[kernel][lane] == e->flags[pe];
    }
    if (same)
        return true;
    static const char *const name[3] = {"x", "y", "z"};
    fprintf(stderr, "%s: %s differs from the oracle (TAKT_ORACLE_SEED=%#" PRIx64 ", lanes %zu)\n",
            e->what, kernel_names[kernel], e->seed, batch->lanes);
    for (unsigned input = 0; input < e->inputs; input++) {
        mab_bus bus;
        batch_mab(batch, input, mab, bus);
        for (size_t pe = 0; pe < 4; pe++)
            print_bus(name[input], pe, bus[pe][0], bus[pe][1]);
    }
    for (size_t pe = 0; pe < 4; pe++) {
        const size_t lane = 4 * mab + pe;
        print_bus("expected", pe, e->out[pe][0], e->out[pe][1]);
        print_bus("got", pe, out[0][lane], out[1][lane]);
        if (e->flags)
            fprintf(stderr, "  flags    pe%zu expected %x got %x\n", pe, e->flags[pe],
                    batch->flags[kernel][lane]);
    }
    return false;
}

bool batch_check(const struct batch *batch, size_t mab, const struct expected *expected)
{
    bool same = true;
    for (unsigned kernel = 0; kernel < lockstep_kernels(); kernel++)
        same &= kernel_check(batch, kernel, mab, expected);
    return same;
}

const char *lockstep_prec(uint8_t prec)
{
    static const char *const letter[] = {"", "d", "f", "g", "h", "l", "i", "s"};
    return letter[prec];
}

static const char *flag_text(uint16_t flags)
{
    static const char *const text[] = {"", "-", "e", "-e", "r", "-r", "er", "-er"};
    return text[flags & 7];
}

const char *lockstep_alu_name(const struct alu_op *op)
{
    static char text[96];
    snprintf(text, sizeof text, "%s%s%s/%u x:%s y:%s imm %#" PRIx32, op->uns ? "u" : "",
             lockstep_prec(op->prec), mnemonic[op->insn], op->mantissa, flag_text(op->x),
             flag_text(op->y), op->imm);
    return text;
}

const char *lockstep_mau_name(const struct mau_op *op)
{
    static char text[96];
    snprintf(text, sizeof text, "%s%s%s%s x:%s y:%s z:%s", lockstep_prec(op->prec),
             mnemonic[op->insn],
             op->prec != PREC_D ? ""
             : op->lower        ? "d"
                                : "u",
             op->reduce ? "r" : "", flag_text(op->x), flag_text(op->y), flag_text(op->z));
    return text;
}
