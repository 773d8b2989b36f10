/* effect: footprints of statements, see effect.h. One function per instruction family; the
 * addresses follow the pseudocode of the section named at each. */
#include "functional/mncore2/effect.h"

#include <string.h>

/* Sets of blocks. A PE statement runs on all of them unless it names a subset. */
enum {
    ALL_L1B = (1 << L1B_PER_L2B) - 1,
    ALL_L2B = (1 << L2BS) - 1,
    ALL_GROUPS = (1 << GROUPS) - 1
};
enum { ALL_CYCLES = (1 << CYCLES) - 1 };

/* Write mask entries (3.6.2): 0 is all ones, 1..15 are variable, 16.. are the fixed patterns whose
 * lower four bits are the cycles, the highest bit for cycle 0. */
enum { MASK_FIXED = 16 };

/* Long words per cycle of the L2BM expressions (3.6.7.2 to 3.6.7.10) and address words of
 * DARBUF. */
enum { L2BM_NARROW = 16, L2BM_WIDE = 64, L1BM_SHARE = 8, DARBUF_RATE = 128 };

struct builder {
    struct effect *effect;
    const struct expr *expr;
    uint8_t write_cycles; /* cycles in which the step's mask lets a masked write happen */
    uint8_t write_entry;  /* the variable entry that controls a masked write, 0 = none */
    bool mask_wide;       /* the mask reaches the second long word (3.6.2) */
};

static struct access *add(struct builder *builder, enum space space, bool write)
{
    struct effect *effect = builder->effect;
    /* More accesses occur only in a statement that 3.6.4 forbids; they are dropped. */
    if (effect->count == MAX_ACCESSES)
        effect->count--;
    struct access *access = &effect->access[effect->count++];
    *access = (struct access){.space = (uint8_t)space,
                              .write = write,
                              .cycles = ALL_CYCLES,
                              .length = 1,
                              .expr = builder->expr};
    return access;
}

const uint32_t mncore2_space_size[SPACE_COUNT] = {
    [SPACE_LM0] = LM_WORDS,    [SPACE_LM1] = LM_WORDS,    [SPACE_GRF0] = GRF_WORDS,
    [SPACE_GRF1] = GRF_WORDS,  [SPACE_T] = 2 * T_LONGS,   [SPACE_MASK] = MASK_ENTRIES,
    [SPACE_BAR0] = 1,          [SPACE_BAR1] = 1,          [SPACE_X] = MATRIX_ROWS,
    [SPACE_Y] = MATRIX_ROWS,   [SPACE_FWD] = 4,           [SPACE_LBI] = 1,
    [SPACE_L1BM] = L1BM_LONGS, [SPACE_L2BM] = L2BM_LONGS, [SPACE_PDM] = PDM_LONGS,
    [SPACE_DRAM] = DRAM_LONGS, [SPACE_DAR] = DAR_ENTRIES, [SPACE_DARBUF] = DARBUF_ENTRIES,
};

const char *const mncore2_space_name[SPACE_COUNT] = {
    [SPACE_LM0] = "LM0",       [SPACE_LM1] = "LM1",   [SPACE_GRF0] = "GRF0",
    [SPACE_GRF1] = "GRF1",     [SPACE_T] = "T",       [SPACE_MASK] = "mask",
    [SPACE_BAR0] = "LM0 base", [SPACE_X] = "x",       [SPACE_Y] = "y",
    [SPACE_BAR1] = "LM1 base", [SPACE_LBI] = "lbi",   [SPACE_FWD] = "forwarding",
    [SPACE_L1BM] = "L1BM",     [SPACE_L2BM] = "L2BM", [SPACE_PDM] = "PDM",
    [SPACE_DRAM] = "DRAM",     [SPACE_DAR] = "DAR",   [SPACE_DARBUF] = "DARBUF",
};

enum space mncore2_space_of(uint8_t mem)
{
    static const uint8_t of[SPACE_COUNT] = {
        [SPACE_LM0] = MEM_LM0,   [SPACE_LM1] = MEM_LM1,   [SPACE_GRF0] = MEM_GRF0,
        [SPACE_GRF1] = MEM_GRF1, [SPACE_T] = MEM_T,       [SPACE_MASK] = MEM_OMR,
        [SPACE_BAR0] = MEM_BAR0, [SPACE_BAR1] = MEM_BAR1, [SPACE_X] = MEM_X,
        [SPACE_Y] = MEM_Y,       [SPACE_FWD] = MEM_COUNT, [SPACE_LBI] = MEM_LBI,
        [SPACE_L1BM] = MEM_L1BM, [SPACE_L2BM] = MEM_L2BM, [SPACE_PDM] = MEM_PDM,
        [SPACE_DRAM] = MEM_DRAM, [SPACE_DAR] = MEM_DAR,   [SPACE_DARBUF] = MEM_COUNT};
    unsigned space = 0;
    while (space < SPACE_COUNT && of[space] != mem)
        space++;
    return (enum space)space;
}

static uint32_t last_unit(const struct access *access)
{
    return mncore2_space_size[access->space] - 1;
}

/* Addresses that grow by `stride` units a cycle from first, wrapping at the memory's end. */
static void sequence(struct access *access, uint32_t first, uint32_t stride, uint32_t length)
{
    const uint32_t last = last_unit(access);
    for (uint32_t i = 0; i < CYCLES; i++)
        access->addr[i] = (first + i * stride) & last;
    access->length = length;
}

/* The same; the first address is a multiple of the operand's address. */
static void from_operand(struct access *access, const struct operand *operand, uint32_t scale,
                         uint32_t offset, uint32_t stride, uint32_t length)
{
    sequence(access, operand->addr[0] * scale + offset, stride, length);
}

/* --- PE memories ------------------------------------------------------------------------------ */

/* T holds two long words per cycle and is accessed at the slot of the current cycle (3.6.1.12). */
static void t_slots(struct access *access)
{
    enum { SLOT_WORDS = 4 };
    for (uint32_t i = 0; i < CYCLES; i++)
        access->addr[i] = i * SLOT_WORDS;
    access->length = SLOT_WORDS;
}

/* skipped: words of the operand's access before those of this access. */
static void pe_addresses(struct access *access, const struct operand *operand, uint32_t skipped)
{
    uint32_t offset = skipped;
    access->length = operand->words - skipped;
    /* 3.6.1.6: PEs numbered up to j access one place further, so the PEs of a MAB together touch
     * both. */
    if (operand->j >= 0 && operand->j < PE_PER_MAB - 1)
        access->length += operand->words;
    else if (operand->j >= 0)
        offset += operand->words;
    access->any = (operand->flags & OPERAND_T) != 0;
    for (uint32_t i = 0; i < CYCLES; i++)
        access->addr[i] = (operand->addr[i] + offset) & last_unit(access);
}

static void t_indirect(struct builder *builder, const struct operand *operand)
{
    if (operand->mem != MEM_LM0 || !(operand->flags & OPERAND_T))
        return;
    struct access *access = add(builder, SPACE_T, false);
    t_slots(access);
    access->operand = operand;
}

static void read_operand(struct builder *builder, const struct operand *operand)
{
    struct access *access;
    switch (operand->mem) {
    case MEM_LM0:
    case MEM_LM1:
    case MEM_GRF0:
    case MEM_GRF1:
        access = add(builder, mncore2_space_of(operand->mem), false);
        pe_addresses(access, operand, 0);
        access->operand = operand;
        t_indirect(builder, operand);
        return;
    case MEM_T:
        access = add(builder, SPACE_T, false);
        t_slots(access);
        access->operand = operand;
        return;
    case MEM_MAUF:
    case MEM_ALUF:
    case MEM_LBF:
    case MEM_MREADF:
        access = add(builder, SPACE_FWD, false);
        sequence(access, (uint32_t)operand->mem - MEM_MAUF, 0, 1);
        access->operand = operand;
        return;
    default:
        return; /* fixed inputs, immediates; matrices and block memories are handled elsewhere */
    }
}

static void write_operand(struct builder *builder, const struct operand *operand)
{
    const enum space space = mncore2_space_of(operand->mem);
    if (space > SPACE_BAR1)
        return; /* $nowrite; matrices and block memories are handled elsewhere */
    struct access *access = add(builder, space, true);
    if (space == SPACE_T)
        t_slots(access);
    else if (space == SPACE_MASK)
        from_operand(access, operand, 1, 0, 0, 1);
    else if (space == SPACE_BAR0 || space == SPACE_BAR1)
        sequence(access, 0, 0, 1);
    else
        pe_addresses(access, operand, 0);
    /* A mask register write is never suppressed: 3.6.2 stores flag AND mask. Its cycles are those
     * in which the entry can become 1; in the other cycles 0 is written. */
    if (operand->flags & OPERAND_MASKED) {
        access->cycles = builder->write_cycles;
        access->entry = builder->write_entry;
    }
    access->operand = operand;
    /* 3.6.2: a mask of one long word does not apply to the second one, which is written in every
     * cycle. */
    if (operand->flags & OPERAND_MASKED && !builder->mask_wide && operand->words == 4 &&
        space <= SPACE_T) {
        struct access *second = add(builder, space, true);
        if (space == SPACE_T) {
            t_slots(second);
            for (int i = 0; i < CYCLES; i++)
                second->addr[i] += 2;
            second->length -= 2;
        } else {
            pe_addresses(second, operand, 2); /* with j the access spans more than one place */
        }
        access->length -= 2;
        second->operand = operand;
    }
    t_indirect(builder, operand);
}

static void read_inputs(struct builder *builder)
{
    for (int i = 0; i < builder->expr->in_count; i++)
        read_operand(builder, &builder->expr->in[i]);
}

static void write_outputs(struct builder *builder)
{
    for (unsigned i = 0; i < builder->expr->out_count; i++)
        write_operand(builder, expr_out(builder->expr, i));
}

/* The forwarding register of a unit receives the unit's output (3.6.1.15 to .18). */
static void forward(struct builder *builder, enum mem mem, bool noforward)
{
    if (!noforward)
        sequence(add(builder, SPACE_FWD, true), (uint32_t)mem - MEM_MAUF, 0, 1);
}

/* --- matrix registers (3.6.1.14, 3.6.10, 3.6.11) ---------------------------------------------- */

/* Physical rows from one logical row to the next, by precision: 4, 8, 8, 16 rows out of 16. */
static uint32_t row_distance(uint8_t prec)
{
    switch (prec) {
    case PREC_D:
        return 4;
    case PREC_F:
    case PREC_G:
        return 2;
    default:
        return 1;
    }
}

static enum space plane(const struct operand *operand)
{
    return operand->mem == MEM_X ? SPACE_X : SPACE_Y;
}

static void matrix_write(struct builder *builder)
{
    const struct expr *expr = builder->expr;
    read_inputs(builder);
    for (unsigned i = 0; i < expr->out_count; i++) {
        const struct operand *operand = expr_out(expr, i);
        if (operand->mem != MEM_X && operand->mem != MEM_Y)
            continue;
        const uint32_t rows = operand->words > 2 ? 2 : 1; /* $ll: two rows a cycle */
        const uint32_t distance = row_distance(expr->prec);
        struct access *access = add(builder, plane(operand), true);
        from_operand(access, operand, distance, 0, rows * distance, rows);
        access->operand = operand;
    }
}

/* A column; or the whole plane for a product, which reads every row in every cycle. */
static void matrix_read(struct builder *builder, bool transposed)
{
    for (int i = 0; i < builder->expr->in_count; i++) {
        const struct operand *operand = &builder->expr->in[i];
        if (operand->mem != MEM_X && operand->mem != MEM_Y)
            continue;
        struct access *access = add(builder, plane(operand), false);
        sequence(access, 0, 0, MATRIX_ROWS);
        access->transposed = transposed;
        access->operand = operand;
    }
}

/* --- L1BM expressions (3.6.8, table 3.8) ------------------------------------------------------ */

static void l1bm_access(struct builder *builder, const struct operand *operand, bool write)
{
    const struct expr *expr = builder->expr;
    struct access *access = add(builder, SPACE_L1BM, write);
    access->side = SIDE_PE;
    access->set = ALL_L1B;
    access->operand = operand;
    if (expr->insn == INSN_L1BMP && operand->words > 2) {
        /* 3.6.8.7: the second long word is four addresses further, while cycles advance by one. */
        enum { SECOND = 4 };
        from_operand(access, operand, 1, 0, 1, 1);
        access = add(builder, SPACE_L1BM, write);
        access->side = SIDE_PE;
        access->set = ALL_L1B;
        access->operand = operand;
        from_operand(access, operand, 1, SECOND, 1, 1);
        return;
    }
    const uint32_t rate = mncore2_l1bm_rate(expr) * (operand->words > 2 ? 2 : 1);
    from_operand(access, operand, 1, 0, rate, rate);
}

static const struct operand *find(const struct operand *operands, int count, uint8_t a, uint8_t b)
{
    for (int i = 0; i < count; i++)
        if (operands[i].mem == a || operands[i].mem == b)
            return &operands[i];
    return NULL;
}

static void l1bm(struct builder *builder, bool noforward)
{
    const struct expr *expr = builder->expr;
    const struct operand *from = find(expr->in, expr->in_count, MEM_L1BM, MEM_LBI);
    if (from) {
        if (from->mem == MEM_L1BM) {
            l1bm_access(builder, from, false);
        } else {
            struct access *access = add(builder, SPACE_LBI, false);
            access->operand = from;
        }
        write_outputs(builder);
        forward(builder, MEM_LBF, noforward);
        return;
    }
    read_inputs(builder);
    const struct operand *to = find(expr_out(expr, 0), expr->out_count, MEM_L1BM, MEM_LBI);
    if (!to)
        return;
    if (to->mem == MEM_L1BM)
        l1bm_access(builder, to, true);
    if (!noforward) { /* 3.6.8.2, 3.6.6 */
        struct access *access = add(builder, SPACE_LBI, true);
        access->operand = to;
    }
}

/* --- L2BM expressions (3.6.7) ----------------------------------------------------------------- */

static void l2b_port(struct builder *builder, const struct operand *operand, bool write,
                     uint8_t set, uint32_t rate)
{
    struct access *access = add(builder, operand->mem == MEM_L2BM ? SPACE_L2BM : SPACE_L1BM, write);
    access->side = SIDE_L2B;
    access->set = set;
    access->operand = operand;
    from_operand(access, operand, 1, 0, rate, rate);
}

/* Receivers of l2bmi (3.6.7.9): the other L1Bs whose number matches a source under immode. */
static uint8_t multicast_targets(const struct expr *expr)
{
    unsigned targets = 0;
    for (unsigned from = 0; from < L1B_PER_L2B; from++) {
        if (!(expr->l1bset >> from & 1))
            continue;
        for (unsigned to = 0; to < L1B_PER_L2B; to++)
            if (to != from && (to & expr->immode) == (from & expr->immode))
                targets |= 1u << to;
    }
    return (uint8_t)targets;
}

static void l2bm(struct builder *builder)
{
    const struct expr *expr = builder->expr;
    if (expr->in_count < 1 || expr->out_count < 1)
        return;
    const struct operand *in = &expr->in[0], *out = expr_out(expr, 0);
    const uint8_t set = expr->l1bset;
    switch (expr->insn) {
    case INSN_L2BMB:
        l2b_port(builder, in, false, ALL_L2B, L2BM_NARROW);
        l2b_port(builder, out, true, set, L2BM_NARROW);
        break;
    case INSN_L2BMB2:
        l2b_port(builder, in, false, ALL_L2B, L2BM_WIDE);
        l2b_port(builder, out, true, set, L2BM_NARROW);
        break;
    case INSN_L2BMD:
        l2b_port(builder, in, false, ALL_L2B, L2BM_WIDE);
        l2b_port(builder, out, true, set, L1BM_SHARE);
        break;
    case INSN_L2BM:
    case INSN_L2BMR:
        l2b_port(builder, in, false, set, L2BM_NARROW);
        l2b_port(builder, out, true, ALL_L2B, L2BM_NARROW);
        break;
    case INSN_L2BMR2:
        l2b_port(builder, in, false, ALL_L1B, L2BM_NARROW);
        l2b_port(builder, out, true, ALL_L2B, L2BM_WIDE);
        break;
    case INSN_L2BMD_JOIN:
        l2b_port(builder, in, false, ALL_L1B, L1BM_SHARE);
        l2b_port(builder, out, true, ALL_L2B, L2BM_WIDE);
        break;
    case INSN_L2BMI:
        l2b_port(builder, in, false, set, L2BM_NARROW);
        l2b_port(builder, out, true, multicast_targets(expr), L2BM_NARROW);
        break;
    case INSN_L2BMDARS: {
        unsigned from = 0;
        for (unsigned group = 0; group < GROUPS; group++)
            from |= 1u << (group * L2B_PER_GROUP + in->l2b % L2B_PER_GROUP);
        l2b_port(builder, in, false, (uint8_t)from, L2BM_WIDE);
        struct access *access = add(builder, SPACE_DARBUF, true);
        access->set = ALL_GROUPS;
        access->operand = out;
        sequence(access, 0, DARBUF_RATE, DARBUF_RATE);
        break;
    }
    default:
        break;
    }
}

/* l2bmdarw (3.6.7.10): one word per cycle, at pointers set earlier by l2bmdars. */
static void l2bmdarw(struct builder *builder)
{
    struct access *access = add(builder, SPACE_DARBUF, false);
    access->set = ALL_GROUPS;
    access->any = true;
    access = add(builder, SPACE_DAR, true);
    access->set = ALL_GROUPS;
    access->any = true;
}

/* --- operations (1.4) ------------------------------------------------------------------------- */

/* Operations per MAB and cycle. A fused multiply-add counts as two. */
static uint32_t mau_flops(const struct expr *expr)
{
    /* m x n of the matrix modes, m of the vector modes, by precision D F G H. */
    static const uint32_t matrix[4] = {2 * 4, 8 * 4, 8 * 8, 16 * 16};
    static const uint32_t products[4] = {2, 8, 8, 16}, sums[4] = {4, 8, 8, 16};
    const unsigned prec = expr->prec - (unsigned)PREC_D;
    switch (expr->insn) {
    case INSN_MFMA:
    case INSN_MMUL:
        return 2 * matrix[prec];
    case INSN_VFMA:
        return 2 * products[prec];
    case INSN_VMUL:
        return products[prec];
    case INSN_VADD:
        return sums[prec];
    default:
        return 0; /* vpassa copies */
    }
}

static void mau(struct builder *builder, bool noforward)
{
    const struct expr *expr = builder->expr;
    matrix_read(builder, false);
    read_inputs(builder);
    write_outputs(builder);
    forward(builder, MEM_MAUF, noforward);
    if (expr->prec >= PREC_D && expr->prec <= PREC_H)
        builder->effect->flops[expr->prec - PREC_D] += mau_flops(expr) * MABS * CYCLES;
}

/* ---------------------------------------------------------------------------------------------- */

static void mask_read(struct builder *builder, const struct step *step)
{
    struct access *access = add(builder, SPACE_MASK, false);
    sequence(access, step->mask_entry, 0, 1);
}

bool mncore2_expr_masked(const struct expr *expr)
{
    if (expr->flush)
        return true;
    for (unsigned i = 0; i < expr->out_count; i++)
        if (expr_out(expr, i)->flags & OPERAND_MASKED)
            return true;
    return false;
}

void mncore2_effect_of_step(const struct step *step, struct effect *effect)
{
    effect->count = 0;
    memset(effect->flops, 0, sizeof effect->flops);
    struct builder builder = {
        .effect = effect, .write_cycles = ALL_CYCLES, .mask_wide = step->mask_wide};
    if (step->mask_entry >= MASK_FIXED) {
        builder.write_cycles = 0;
        for (int i = 0; i < CYCLES; i++)
            if (step->mask_entry >> (CYCLES - 1 - i) & 1)
                builder.write_cycles |= (uint8_t)(1 << i);
    } else {
        builder.write_entry = step->mask_entry;
    }
    bool mask_done = step->mask_entry == 0 || step->mask_entry >= MASK_FIXED;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step_expr(step, group);
        if (!expr)
            continue;
        builder.expr = expr;
        if (!mask_done && mncore2_expr_masked(expr)) {
            mask_read(&builder, step);
            mask_done = true;
        }
        switch (expr->group) {
        case GROUP_L2BM:
            l2bm(&builder);
            break;
        case GROUP_L1BM:
        case GROUP_L1BM_TURN:
            l1bm(&builder, step->noforward);
            break;
        case GROUP_MAU_CALC:
            mau(&builder, step->noforward);
            break;
        case GROUP_MAU_MWRITE:
            matrix_write(&builder);
            break;
        case GROUP_MAU_MREAD:
            matrix_read(&builder, true);
            write_outputs(&builder);
            forward(&builder, MEM_MREADF, step->noforward);
            break;
        case GROUP_ALU:
            read_inputs(&builder);
            write_outputs(&builder);
            forward(&builder, MEM_ALUF, step->noforward);
            break;
        default:
            break;
        }
    }
    builder.expr = NULL;
    if (step->darw)
        l2bmdarw(&builder);
}

/* --- MV statements (3.5.2, 3.5.3, 3.5.8) ------------------------------------------------------ */

static const struct {
    uint32_t from, to; /* long words of a unit operation in each memory */
} mv_unit[MV_COUNT] = {
#define MV(id, base, from, to, where, unit_from, unit_to, section, sentence)                       \
    [MV_##id] = {unit_from, unit_to},
#include "functional/mncore2/mv.def"
};

enum { MV_UNIT_SIZE = 64 }; /* long words that n<size> counts per unit operation (3.5.8) */

static void mv_region(const struct mv_operand *operand, bool write, uint64_t length,
                      struct region *region)
{
    *region = (struct region){.write = write, .length = length};
    if (operand->mem == MEM_L2BM) {
        region->space = SPACE_L2BM;
        for (int group = 0; group < GROUPS; group++)
            for (int l2b = 0; l2b < L2B_PER_GROUP; l2b++)
                if ((operand->group < 0 || operand->group == group) &&
                    (operand->l2b < 0 || operand->l2b == l2b))
                    region->set |= (uint8_t)(1 << (group * L2B_PER_GROUP + l2b));
    } else {
        region->space = operand->mem == MEM_PDM ? SPACE_PDM : SPACE_DRAM;
        region->set = (uint8_t)(operand->group < 0 ? ALL_GROUPS : 1 << operand->group);
    }
    region->any = operand->indirect;
    region->addr = operand->indirect ? 0 : operand->addr;
}

void mncore2_effect_of_mv(const struct mv *mv, struct region region[2])
{
    const uint64_t units = mv->size / MV_UNIT_SIZE;
    mv_region(&mv->from, false, units * mv_unit[mv->mode].from, &region[0]);
    mv_region(&mv->to, true, units * mv_unit[mv->mode].to, &region[1]);
}
