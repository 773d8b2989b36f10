/* Programs: control statements, MV statements (3.5), waits, and the steps in order. */
#include "tests/gen_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gen_model.h"

void gen_put(struct gen *gen, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int need = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (gen->size + (size_t)need + 1 > gen->room) {
        const size_t room = 2 * gen->room + (size_t)need + 4096;
        char *text = realloc(gen->text, room);
        if (!text) {
            gen->out_of_memory = true;
            va_end(again);
            return;
        }
        gen->text = text;
        gen->room = room;
    }
    vsnprintf(gen->text + gen->size, gen->room - gen->size, format, again);
    va_end(again);
    gen->size += (size_t)need;
}

/* 3.2.1: decimal, or with a prefix. */
void gen_number(struct gen *gen, char *text, size_t size, uint64_t value)
{
    const bool other = gen_has(gen, GEN_STYLE) && gen_chance(gen, 8);
    snprintf(text, size, other ? "0x%llx" : "%llu", (unsigned long long)value);
}

uint32_t gen_dar_entry(struct gen *gen)
{
    return gen_chance(gen, 8)   ? gen_below(gen, DAR_ENTRIES)
           : gen_chance(gen, 4) ? DAR_ENTRIES - 1 - gen_below(gen, 3)
                                : gen_below(gen, 6);
}

static void end_line(struct gen *gen)
{
    static const char *const comments[] = {" # a comment", "# no blank before it", "\t# tab",
                                           " # \"quotes\"; and $lr0v"};
    if (gen_has(gen, GEN_STYLE) && gen_chance(gen, 12))
        gen_put(gen, "%s", comments[gen_below(gen, 4)]);
    gen_put(gen, "\n");
    if (gen_has(gen, GEN_STYLE) && gen_chance(gen, 24))
        gen_put(gen, gen_chance(gen, 2) ? "\n" : "# a line of its own\n");
}

static void nops(struct gen *gen, int64_t count)
{
    gen->step += count;
    while (count > 0) {
        const int64_t now = count > 1 && gen_chance(gen, 3) ? 1 : count;
        if (now == 1)
            gen_put(gen, "nop");
        else
            gen_put(gen, "nop/%lld", (long long)now);
        end_line(gen);
        count -= now;
    }
}

/* Nops that are due, and those that the tightness adds. */
static void until(struct gen *gen, int64_t earliest)
{
    int64_t count = earliest > gen->step ? earliest - gen->step : 0;
    if (gen->options.tightness == 0)
        count += 4;
    else if (gen_below(gen, 100) >= gen->options.tightness)
        count += 1 + gen_below(gen, 3);
    nops(gen, count);
}

static void wait_alone(struct gen *gen, unsigned index)
{
    gen_put(gen, "nop; wait i%02x", gen->flight[index].tag);
    end_line(gen);
    gen_model_landed(gen, index);
    gen->step++;
}

static void emit_step(struct gen *gen)
{
    struct plan plan;
    gen_plan_step(gen, &plan);
    const struct region c = {
        .mem = MEM_L2BM, .set = plan.c_set, .start = plan.c_start, .length = plan.c_length};
    const bool dar = plan.l2b == L2B_DARS || plan.darw;
    int index, tag = -1;
    while ((index = gen_model_conflict(gen, plan.c_length ? &c : NULL, plan.l2b == L2B_UP, dar)) >=
           0) {
        if (tag < 0 && gen_chance(gen, 2)) { /* on the step itself: it is held until the tag */
            tag = (int)gen->flight[index].tag;
            gen_model_landed(gen, (unsigned)index);
        } else {
            wait_alone(gen, (unsigned)index);
        }
    }
    if (tag < 0 && gen->in_flight && gen_chance(gen, 8)) { /* earlier than needed */
        index = (int)gen_below(gen, gen->in_flight);
        tag = (int)gen->flight[index].tag;
        gen_model_landed(gen, (unsigned)index);
    }
    until(gen, gen_model_earliest(gen, &plan));
    const unsigned first = gen_below(gen, plan.count);
    for (unsigned i = 0; i < plan.count; i++) {
        if (i)
            gen_put(gen, gen_has(gen, GEN_STYLE) && gen_chance(gen, 6) ? ";" : "; ");
        gen_put(gen, "%s", plan.expr[(first + i) % plan.count]);
    }
    if (tag >= 0)
        gen_put(gen, "; wait i%02x", (unsigned)tag);
    end_line(gen);
    gen_model_issue(gen, &plan);
}

/* --- MV statements ------------------------------------------------------------------------- */

enum { P = MEM_PDM, D = MEM_DRAM, C = MEM_L2BM };

static const struct {
    const char *base;
    uint8_t from, to, where;
    uint32_t unit_from, unit_to;
} modes[MV_COUNT] = {
#define MV(id, base, from, to, where, unit_from, unit_to, section, sentence)                       \
    {base, from, to, WHERE_##where, unit_from, unit_to},
#include "functional/mncore2/mv.def"
};

static void make_region(struct gen *gen, struct region *region, uint8_t mem, uint32_t unit,
                        uint64_t units)
{
    const uint64_t size = mem == MEM_PDM    ? PDM_LONGS
                          : mem == MEM_DRAM ? DRAM_LONGS
                                            : (uint64_t)L2BM_LONGS;
    region->mem = mem;
    region->length = unit * units;
    region->start = (uint64_t)unit * gen_below(gen, unit > 64 ? 4 : 16);
    if (gen_chance(gen, 24)) /* the end: wraps around */
        region->start = size - (uint64_t)unit * (1 + gen_below(gen, 2));
}

enum { SIDE_TEXT = 16 };

/* The memories of a side, as bits, and the text behind its address. */
static void side_set(struct region *region, unsigned where, bool explicit_side, unsigned group,
                     unsigned l2b, char text[SIDE_TEXT])
{
    const bool c = region->mem == MEM_L2BM;
    const size_t size = SIDE_TEXT;
    *text = '\0';
    region->set = c ? 0xff : 0x0f;
    if (where == WHERE_ONE || (where == WHERE_ALL && explicit_side)) {
        if (c)
            snprintf(text, size, "@%u.%u", group, l2b);
        else
            snprintf(text, size, "@%u", group);
        region->set = (uint8_t)(1U << (c ? 2 * group + l2b : group));
    } else if (where == WHERE_EACH && c) {
        snprintf(text, size, "@.%u", l2b);
        region->set = l2b ? 0xaa : 0x55;
    } else if (where == WHERE_GRP2) {
        snprintf(text, size, "@%u", group);
        region->set = (uint8_t)(c ? 3U << 2 * group : 1U << group);
    }
}

static const char *mv_reduction(struct gen *gen)
{
    static const char *const ops[] = {"dfadd", "ffadd", "hfadd", "dmax", "fmin", "hmax", "liadd",
                                      "siadd", "iband", "sand",  "lbor", "ior",  "hmin", "fmax"};
    return ops[gen_below(gen, 14)];
}

static void emit_mv(struct gen *gen)
{
    if (gen_has(gen, GEN_STYLE) && gen_chance(gen, 16)) {
        gen_put(gen, "mvnop");
        end_line(gen);
        return;
    }
    const unsigned mode = gen_below(gen, MV_COUNT);
    const uint64_t units = 1 + gen_below(gen, 3);
    struct transfer transfer = {.tag = gen->next_tag};
    char side[2][SIDE_TEXT], address[2][32], number[24];
    unsigned group[2] = {gen_below(gen, 4), gen_below(gen, 4)};
    if (mode == MV_P_P && group[0] == group[1])
        group[1] = (group[0] + 1) % 4;
    if (modes[mode].where == WHERE_GRP2)
        group[1] = group[0];
    const uint8_t mems[2] = {modes[mode].from, modes[mode].to};
    const uint32_t unit[2] = {modes[mode].unit_from, modes[mode].unit_to};
    const bool indirect =
        gen_has(gen, GEN_DAR) && (mems[0] == D || mems[1] == D) && gen_chance(gen, 3);
    for (unsigned s = 0; s < 2; s++) {
        struct region *region = &transfer.region[s];
        make_region(gen, region, mems[s], unit[s], units);
        /* ALL: the side with an explicit group is PDM. */
        side_set(region, modes[mode].where, mems[s] == P, group[s], gen_below(gen, 2), side[s]);
        const char letter = mems[s] == P ? 'p' : mems[s] == D ? 'd' : 'c';
        gen_number(gen, number, sizeof number, region->start);
        snprintf(address[s], sizeof address[s], "$%s%c%s", letter == 'c' ? "l" : "", letter,
                 number);
        if (indirect && mems[s] == D) {
            region->any = true;
            transfer.indirect = true;
            snprintf(address[s], sizeof address[s], "$di%u", gen_dar_entry(gen));
        }
    }
    /* Without a tag no statement can wait for it: only where no other ever comes. */
    const bool untagged = !indirect && mode == MV_P_D && gen_chance(gen, 3) && gen->untagged < 64;
    if (untagged) {
        for (unsigned s = 0; s < 2; s++) {
            transfer.region[s].start = 262144 + 1024 * (uint64_t)gen->untagged;
            snprintf(address[s], sizeof address[s], "$%c%llu", s ? 'd' : 'p',
                     (unsigned long long)transfer.region[s].start);
        }
        gen->untagged++;
    }
    int index;
    while ((index = gen_model_conflict(gen, &transfer.region[0], false, false)) >= 0 ||
           (index = gen_model_conflict(gen, &transfer.region[1], true, false)) >= 0)
        wait_alone(gen, (unsigned)index);
    if (gen->in_flight == FLIGHT)
        wait_alone(gen, gen_below(gen, FLIGHT));
    until(gen, gen_model_mv_earliest(gen, transfer.region));
    gen_put(gen, "%s%s/n%llu", modes[mode].base,
            modes[mode].base[2] == 'r' ? mv_reduction(gen) : "", (unsigned long long)(64 * units));
    if (!untagged)
        gen_put(gen, "i%02x", transfer.tag);
    if (gen_chance(gen, 3))
        gen_put(gen, "p%u", gen_below(gen, 4));
    if (indirect && gen_chance(gen, 2))
        gen_put(gen, "nd%u", 1 + gen_below(gen, 6));
    gen_put(gen, " %s%s %s%s", address[0], side[0], address[1], side[1]);
    end_line(gen);
    if (!untagged) {
        gen->flight[gen->in_flight++] = transfer;
        gen->next_tag = gen->next_tag % 63 + 1; /* more than can be in flight */
    }
}

/* --- control statements -------------------------------------------------------------------- */

static void selectors(struct gen *gen, char *text, size_t size, unsigned levels, bool one)
{
    static const char letters[] = "ncbmp";
    static const uint8_t limits[] = {4, 2, 8, 16, 4};
    size_t used = 0;
    *text = '\0';
    for (unsigned level = 0; level < levels; level++) {
        if (!one && gen_chance(gen, 3)) {
            if (level < 3)
                break; /* c and b need n (3.4.3) */
            continue;
        }
        used += (size_t)snprintf(text + used, size - used, "%c%u", letters[level],
                                 gen_below(gen, limits[level]));
    }
}

/* Long words that are values somewhere: floats of one precision near 1, extremes, integers. */
static uint64_t payload(struct gen *gen)
{
    static const struct format *const formats[] = {&oracle_half, &oracle_single, &oracle_double};
    const struct format *format = formats[gen_below(gen, 3)];
    uint64_t word = 0;
    if (gen_chance(gen, 4))
        return fill_integer(&gen->fill, 64);
    for (unsigned i = 0; i < 64 / format->bits; i++)
        word |= oracle_place(gen_chance(gen, 4) ? fill_float(&gen->fill, format)
                                                : fill_near(&gen->fill, format,
                                                            (unsigned)oracle_bias(format) + 2, 6),
                             format->bits, i);
    return word;
}

static void emit_set(struct gen *gen)
{
    static const struct {
        const char *name;
        unsigned levels, longs; /* of one payload */
        uint32_t limit, align;
    } memories[] = {
        {"$lr", 5, 1, 64, 2},  {"$ls", 5, 1, 64, 2},  {"$lm", 5, 1, 96, 2},  {"$ln", 5, 1, 96, 2},
        {"$llr", 5, 2, 64, 4}, {"$lln", 5, 2, 96, 4}, {"$r", 5, 1, 64, 1},   {"$m", 5, 1, 96, 1},
        {"$t", 5, 1, 0, 0},    {"$llt", 5, 2, 0, 0},  {"$lb", 3, 1, 512, 1}, {"$llb", 3, 2, 512, 2},
        {"$lc", 2, 1, 960, 1},
    };
    if (gen_has(gen, GEN_MV) && gen_chance(gen, 6)) { /* r: presets DRAM */
        const unsigned count = 1 + gen_below(gen, 32);
        gen_put(gen, "r %u %09x %03x ", gen_below(gen, 4), 16 * gen_below(gen, 32), count);
        for (unsigned i = 0; i < count; i++)
            gen_put(gen, "%016llx", (unsigned long long)payload(gen));
        gen_put(gen, "\n");
        return;
    }
    char text[32];
    const unsigned which = gen_below(gen, 13);
    const bool t = memories[which].limit == 0;
    const unsigned count = 1 + gen_below(gen, t ? 4 : which >= 10 ? 64 : 32);
    *text = '\0'; /* often all elements at once, so that values stand everywhere */
    if (gen_chance(gen, 2))
        selectors(gen, text, sizeof text, memories[which].levels, false);
    gen_put(gen, "d set %s", memories[which].name);
    if (!t)
        gen_put(gen, "%u",
                gen_below(gen, memories[which].limit / memories[which].align) *
                    memories[which].align);
    gen_put(gen, "%s %u ", text, count);
    for (unsigned i = 0; i < count * memories[which].longs; i++)
        gen_put(gen, "%016llx", (unsigned long long)payload(gen));
    gen_put(gen, "\n");
}

static void emit_get(struct gen *gen)
{
    static const struct {
        const char *name;
        unsigned levels, limit, align;
        const char *types[4];
    } memories[] = {
        {"$lr", 5, 64, 2, {"", "d", "f", "h"}},  {"$ls", 5, 64, 2, {"", "d", "f", "h"}},
        {"$lm", 5, 96, 2, {"", "d", "f", "h"}},  {"$ln", 5, 96, 2, {"", "d", "f", "h"}},
        {"$llr", 5, 64, 4, {"", "d", "f", "h"}}, {"$m", 5, 96, 1, {"f", "h", "f", "h"}},
        {"$t", 5, 0, 0, {"", "d", "f", "h"}},    {"$lb", 3, 512, 1, {"", "d", "f", "h"}},
        {"$lc", 2, 960, 1, {"", "d", "f", "h"}}, {"$p", 1, 960, 1, {"", "d", "f", "h"}},
        {"$d", 1, 960, 1, {"", "d", "f", "h"}},  {"$omr", 5, 0, 0, {"", "", "", ""}},
        {"$lx", 4, 0, 0, {"d", "f", "h", "d"}},  {"$ly", 4, 0, 0, {"d", "f", "h", "f"}},
    };
    char text[32];
    const unsigned which = gen_below(gen, 14);
    selectors(gen, text, sizeof text, memories[which].levels, true);
    gen_put(gen, "d get%s %s", memories[which].types[gen_below(gen, 4)], memories[which].name);
    if (which == 11)
        gen_put(gen, "%u%s 1\n", 1 + gen_below(gen, 15), text);
    else if (which > 11)
        gen_put(gen, "0%s %u\n", text, 1 + gen_below(gen, 4));
    else if (memories[which].limit == 0)
        gen_put(gen, "%s %u\n", text, 1 + gen_below(gen, 4));
    else
        gen_put(gen, "%u%s %u\n",
                gen_below(gen, memories[which].limit / memories[which].align) *
                    memories[which].align,
                text, 1 + gen_below(gen, 8));
}

/* Address words for DAR: small ones, so that $di meets what other statements wrote. */
static void emit_addresses(struct gen *gen)
{
    gen_put(gen, "d set $lc%u 256 ", (unsigned)GEN_DAR_SOURCE);
    for (unsigned i = 0; i < 512; i++)
        gen_put(gen, "%08x", gen_below(gen, 40));
    gen_put(gen, "\n");
}

/* 3.6.2.1: a mask line stands until the next. */
static void emit_mask_line(struct gen *gen)
{
    static const char letters[] = "rstmnk";
    if (gen->mask_mode && !gen_chance(gen, 3)) {
        gen_put(gen, "mask 0");
        gen->mask_mode = false;
    } else {
        gen_put(gen, "mask%s", gen_chance(gen, 2) ? "" : gen_chance(gen, 2) ? "l" : "ll");
        for (unsigned i = 0; i < 6; i++)
            if (gen_chance(gen, 2))
                gen_put(gen, "%c", letters[i]);
        gen_put(gen, " %u", gen_below(gen, 32));
        gen->mask_mode = true;
    }
    end_line(gen);
}

char *gen_program(uint64_t seed, const struct gen_options *options, size_t *size)
{
    struct gen *gen = calloc(1, sizeof *gen);
    if (!gen)
        return NULL;
    gen->fill.state = seed;
    gen->options = *options;
    gen_model_init(gen);
    gen_put(gen, "# seed %llu\n", (unsigned long long)seed);
    if (options->sets) /* a value of one PE alone breaks the blocks of zeros */
        memset(gen->untouched, 0, sizeof gen->untouched);
    for (unsigned i = 0; i < options->sets; i++)
        emit_set(gen);
    if (options->sets && gen_has(gen, GEN_DAR))
        emit_addresses(gen);
    for (unsigned i = 0; i < options->statements; i++) {
        if (gen_has(gen, GEN_MV) && gen_chance(gen, 8)) {
            emit_mv(gen);
            continue;
        }
        if (gen_has(gen, GEN_MASKS) && gen_chance(gen, 24))
            emit_mask_line(gen);
        emit_step(gen);
    }
    while (gen->in_flight)
        wait_alone(gen, 0);
    for (unsigned i = 0; i < options->gets; i++)
        emit_get(gen);
    if (gen_has(gen, GEN_STYLE) && gen_chance(gen, 4))
        gen_put(gen, "quit\nnothing below is read $lr0v\n");
    char *text = gen->text;
    if (gen->out_of_memory) {
        free(text);
        text = NULL;
    }
    if (size)
        *size = gen->size;
    free(gen);
    return text;
}
