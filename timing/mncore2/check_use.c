#include "timing/mncore2/check_use.h"

#include <stdlib.h>
#include <string.h>

#include "timing/mncore2/finding.h"
#include "timing/mncore2/check_pe.h"
#include "timing/mncore2/check_race.h"
#include "timing/mncore2/pieces.h"

/* L1BM or L2BM. */
struct block_memory {
    uint8_t *written; /* by long word: bit by bit the instances that hold something of worth */
    uint32_t units;
};

struct check_use {
    const struct program *program;
    struct diag_list *diags;
    struct pieces *pieces;

    struct check_pe pe;

    uint8_t l1bm[L1BM_LONGS]; /* bit b: written in some L1BM of number b */
    uint8_t l2bm[L2BM_LONGS]; /* bit group * 2 + l2b */
    uint16_t rows[2];         /* physical rows written of matrix registers x and y */
    uint16_t masks;           /* entries written */
    bool dar_written[DAR_ENTRIES];
    uint32_t dar_next; /* where l2bmdarw writes (3.6.7.10) */

    uint64_t step, previous; /* number of this and the last step that update forwarding registers */
    uint64_t forwarded[4];   /* number of the step that last filled each; 0 = none */
    bool warned[4];          /* said that nothing filled it */
    const struct expr *turned; /* what last filled $lbi */
};

/* --- making and freeing ----------------------------------------------------------------------- */

void mncore2_check_use_free(struct check_use *use)
{
    if (!use)
        return;
    mncore2_check_pe_free(&use->pe);
    mncore2_pieces_free(use->pieces);
    free(use);
}

struct check_use *mncore2_check_use_new(const struct program *program, struct diag_list *diags)
{
    struct check_use *use = calloc(1, sizeof *use);
    if (!use)
        return NULL;
    use->program = program;
    use->diags = diags;
    use->pieces = mncore2_pieces_new(program);
    if (!use->pieces || mncore2_check_pe_init(&use->pe, program, diags) != 0) {
        mncore2_check_use_free(use);
        return NULL;
    }
    return use;
}

int mncore2_check_use_learn(struct check_use *use, uint32_t index, const struct effect *effect)
{
    return mncore2_pieces_learn(use->pieces, index, effect);
}

void mncore2_check_use_pass(struct check_use *use, const struct effect *effect)
{
    mncore2_pieces_pass(use->pieces, effect);
}

/* --- findings --------------------------------------------------------------------------------- */

static struct diag warning(const struct check_use *use, size_t item, const struct operand *operand,
                           const char *name)
{
    return mncore2_finding_warning(use->program, use->diags, item, operand, name);
}

static void never_written(struct check_use *use, size_t item, const struct operand *operand,
                          const char *what)
{
    const struct diag at = warning(use, item, operand, "never-written");
    mncore2_finding_never_written(use->diags, &at, what);
}

/* --- block memories, matrices, masks ---------------------------------------------------------- */

/* Bits of words in a memory of blocks: bit by bit its instances. Eight words at a time. */
static bool some_marked(const uint8_t *marks, uint32_t first, uint32_t length, uint8_t set)
{
    const uint64_t sets = set * UINT64_C(0x0101010101010101);
    const uint8_t *at = marks + first, *end = at + length;
    for (; end - at >= 8; at += 8) {
        uint64_t eight;
        memcpy(&eight, at, sizeof eight);
        if (eight & sets)
            return true;
    }
    for (; at < end; at++)
        if (*at & set)
            return true;
    return false;
}

/* A range that may wrap around. */
static bool some_written(const struct block_memory *m, uint64_t first, uint64_t length, uint8_t set)
{
    const uint32_t at = (uint32_t)(first % m->units);
    const uint32_t here = length < m->units - at ? (uint32_t)length : m->units - at;
    const uint32_t rest = length - here < at ? (uint32_t)(length - here) : at;
    return some_marked(m->written, at, here, set) || some_marked(m->written, 0, rest, set);
}

static void write_block(const struct block_memory *m, uint64_t first, uint64_t length, uint8_t set)
{
    for (uint64_t i = 0; i < length && i < m->units; i++)
        m->written[(first + i) % m->units] |= set;
}

/* What comes from where nothing has written is worth nothing there either. */
static void spoil_block(const struct block_memory *m, uint64_t first, uint64_t length, uint8_t set)
{
    for (uint64_t i = 0; i < length && i < m->units; i++)
        m->written[(first + i) % m->units] &= (uint8_t)~set;
}

/* A transfer moves whole blocks of which a program may mean a part: some of it must be written.
 * What is not is followed by cycles. Returns the cycles that read nothing of worth. */
static unsigned read_block(struct check_use *use, const struct block_memory *m,
                           const struct piece *piece, size_t item)
{
    bool some = false;
    unsigned worthless = 0;
    for (unsigned i = 0; i < piece->count && !some; i++)
        some = some_written(m, piece->range[i].first, piece->range[i].length, piece->set);
    if (!some) {
        never_written(use, item, piece->operand, mncore2_space_name[piece->space]);
        for (unsigned i = 0; i < piece->count; i++)
            write_block(m, piece->range[i].first, piece->range[i].length, piece->set);
    }
    for (unsigned c = 0; c < CYCLES; c++) {
        uint16_t first, length;
        if (piece_cycle(piece, c, &first, &length) && !some_written(m, first, length, piece->set))
            worthless |= 1u << c;
    }
    return worthless;
}

static void fill_block(const struct block_memory *m, const struct piece *piece, unsigned worthless)
{
    const unsigned all = (1u << CYCLES) - 1;
    for (unsigned i = 0; i < piece->count; i++)
        (worthless == all ? spoil_block : write_block)(m, piece->range[i].first,
                                                       piece->range[i].length, piece->set);
    for (unsigned c = 0; worthless && worthless != all && c < CYCLES; c++) {
        uint16_t first, length;
        if (worthless >> c & 1 && piece_cycle(piece, c, &first, &length))
            spoil_block(m, first, length, piece->set);
    }
}

/* Physical rows that hold a plane's matrix in a precision; u and d of double precision use half. */
static uint16_t needed_rows(const struct expr *expr)
{
    const bool product = expr->insn == INSN_MFMA || expr->insn == INSN_MMUL;
    switch (expr->prec) {
    case PREC_D: {
        const uint16_t all = 0x1111, upper = 0x0011;
        if (!product)
            return all;
        return expr->lower ? (uint16_t)(all & ~upper) : upper;
    }
    case PREC_F:
    case PREC_G:
        return 0x5555;
    default:
        return 0xffff;
    }
}

static void matrix(struct check_use *use, const struct piece *piece, size_t item)
{
    uint16_t *rows = &use->rows[piece->space - SPACE_X];
    if (piece->write) {
        for (unsigned i = 0; i < piece->count; i++)
            for (uint32_t k = 0; k < piece->range[i].length; k++)
                *rows |= (uint16_t)(1u << (piece->range[i].first + k) % MATRIX_ROWS);
        return;
    }
    if (!piece->expr || !(needed_rows(piece->expr) & ~*rows))
        return;
    never_written(use, item, piece->operand,
                  piece->space == SPACE_X ? "matrix register x" : "matrix register y");
    *rows = UINT16_MAX;
}

static void mask(struct check_use *use, const struct piece *piece, size_t item)
{
    const uint16_t bit = (uint16_t)(1u << piece->range[0].first % MASK_ENTRIES);
    if (piece->write) {
        use->masks |= bit;
    } else if (!(use->masks & bit)) {
        use->masks |= bit;
        char what[32];
        snprintf(what, sizeof what, "mask register %u", piece->range[0].first % MASK_ENTRIES);
        never_written(use, item, NULL, what);
    }
}

/* --- forwarding and turning back (3.6.1.15 to 3.6.1.18, 3.6.8.2) ------------------------------ */

static void forwarding(struct check_use *use, const struct piece *piece, size_t item)
{
    static const char *const name[4] = {"$mauf", "$aluf", "$lbf", "$mreadf"};
    static const char *const unit[4] = {"the MAU", "the ALU", "a transfer L1BM to PE",
                                        "a transposed read"};
    static const char *const section[4] = {"3.6.1.15", "3.6.1.16", "3.6.1.17", "3.6.1.18"};
    const unsigned which = piece->range[0].first % 4;
    if (piece->write) {
        use->forwarded[which] = use->step;
        return;
    }
    const uint64_t filled = use->forwarded[which];
    if (filled == 0 && use->warned[which])
        return;
    if (filled == 0) {
        struct diag at = warning(use, item, piece->operand, "never-forwarded");
        at.rule = section[which];
        diag_add(use->diags, &at, "reads %s before %s has put anything out", name[which],
                 unit[which]);
        use->warned[which] = true;
    } else if (filled != use->previous) {
        struct diag at = warning(use, item, piece->operand, "stale-forward");
        at.rule = section[which];
        diag_add(
            use->diags, &at,
            "reads %s, but %s put nothing out in the step before (not counting nop and noforward)",
            name[which], unit[which]);
    }
}

/* Kinds of table 3.8: same speeds on both sides. The letter before @, r or d is the family. */
static unsigned transfer_kind(const struct expr *expr, const struct operand *operand)
{
    const unsigned wide = operand->words > 2;
    switch (mncore2_l1bm_rate(expr)) {
    case 1:
        return 0 + wide;
    case 4:
        return 2 + wide;
    case 16:
        return 4 + wide;
    default:
        return 6;
    }
}

static const struct operand *l1bm_operand(const struct expr *expr)
{
    for (int i = 0; i < expr->in_count; i++)
        if (expr->in[i].mem == MEM_L1BM || expr->in[i].mem == MEM_LBI)
            return &expr->in[i];
    for (unsigned i = 0; i < expr->out_count; i++)
        if (expr_out(expr, i)->mem == MEM_L1BM || expr_out(expr, i)->mem == MEM_LBI)
            return expr_out(expr, i);
    return NULL;
}

static void turn_back(struct check_use *use, const struct piece *piece, size_t item)
{
    if (piece->write) {
        use->turned = piece->expr;
        return;
    }
    if (piece->expr->insn == INSN_L1BMP) {
        struct diag at = warning(use, item, piece->operand, "turn-back-kind");
        at.rule = piece->operand->words > 2 ? "3.6.8.7" : "3.6.8.6";
        diag_add(use->diags, &at,
                 "l1bmp cannot turn back: no transfer PE to L1BM is of its kind\n"
                 "write l1bmm %s",
                 piece->operand->words > 2 ? "$llbi" : "$lbi");
        return;
    }
    if (!use->turned) {
        struct diag at = warning(use, item, piece->operand, "never-forwarded");
        at.rule = "3.6.8.2";
        diag_add(use->diags, &at, "reads $lbi before a transfer PE to L1BM has put anything in");
        use->turned = piece->expr;
        return;
    }
    const struct operand *in = l1bm_operand(use->turned), *out = piece->operand;
    if (!in || !out)
        return;
    struct diag at = warning(use, item, out, "turn-back-kind");
    at.rule = "3.6.8.2";
    if (transfer_kind(use->turned, in) != transfer_kind(piece->expr, out))
        diag_add(use->diags, &at,
                 "turns back by another kind of transfer than the one that filled $lbi");
    else if ((use->turned->mabdiff - piece->expr->mabdiff) % MAB_PER_L1B != 0) {
        /* 3.6.8.20 takes (mab + mabdiff) mod 16: +1 and -15 are one shift. */
        at.rule = "3.6.8.20";
        diag_add(use->diags, &at,
                 "turns back with mabdiff %d what was put into $lbi with mabdiff %d",
                 piece->expr->mabdiff, use->turned->mabdiff);
    }
}

/* --- statements ------------------------------------------------------------------------------- */

static void dar_write(struct check_use *use)
{
    for (unsigned i = 0; i < CYCLES; i++) {
        use->dar_written[use->dar_next] = true;
        use->dar_next = (use->dar_next + 1) % DAR_ENTRIES;
    }
}

/* What an expression of a step reads that is worth nothing, by cycles. */
struct spoiled {
    const struct expr *expr;
    unsigned cycles;
};

/* worthless: bit i: of what cycle i writes. Returns the cycles whose reads are. */
static unsigned touch(struct check_use *use, const struct piece *piece, unsigned worthless,
                      size_t item)
{
    const struct block_memory l1bm = {use->l1bm, L1BM_LONGS}, l2bm = {use->l2bm, L2BM_LONGS};
    const struct block_memory *block = piece->space == SPACE_L1BM ? &l1bm : &l2bm;
    switch (piece->space) {
    case SPACE_LM0:
    case SPACE_LM1:
    case SPACE_GRF0:
    case SPACE_GRF1:
    case SPACE_T:
    case SPACE_BAR0:
    case SPACE_BAR1:
        return mncore2_check_pe_touch(&use->pe, piece, worthless, item);
    case SPACE_L1BM:
    case SPACE_L2BM:
        if (!piece->write)
            return read_block(use, block, piece, item);
        fill_block(block, piece, worthless);
        break;
    case SPACE_X:
    case SPACE_Y:
        matrix(use, piece, item);
        break;
    case SPACE_MASK:
        if (piece->count)
            mask(use, piece, item);
        break;
    case SPACE_FWD:
        forwarding(use, piece, item);
        break;
    case SPACE_LBI:
        turn_back(use, piece, item);
        break;
    case SPACE_DARBUF:
        if (piece->write && piece->operand) /* l2bmdars also sets where to write */
            use->dar_next = piece->operand->addr[0] % DAR_ENTRIES;
        break;
    case SPACE_DAR:
        dar_write(use);
        break;
    default:
        break;
    }
    return 0;
}

static void step(struct check_use *use, size_t item, bool passing)
{
    const uint32_t index = use->program->items[item].stmt;
    const struct stmt *stmt = &use->program->stmts[index];
    if (stmt->step->nops)
        return;
    use->previous = use->step;
    if (!stmt->step->noforward)
        use->step++;
    const struct step_pieces pieces = mncore2_pieces_of(use->pieces, index, passing);
    struct spoiled spoiled[GROUP_COUNT];
    unsigned count = 0;
    use->pe.now++;
    for (unsigned i = 0; i < pieces.reads; i++) {
        const unsigned cycles = touch(use, &pieces.piece[i], 0, item);
        if (cycles && count < GROUP_COUNT)
            spoiled[count++] = (struct spoiled){pieces.piece[i].expr, cycles};
    }
    use->pe.now++;
    for (unsigned i = pieces.reads; i < pieces.count; i++) {
        unsigned cycles = 0;
        for (unsigned k = 0; k < count; k++)
            cycles |= spoiled[k].expr == pieces.piece[i].expr ? spoiled[k].cycles : 0;
        touch(use, &pieces.piece[i], cycles, item);
    }
}

static void mv_never_written(struct check_use *use, size_t item, const struct mv_operand *operand,
                             const char *what)
{
    struct diag at = warning(use, item, NULL, "never-written");
    if (operand->column) {
        at.column = operand->column;
        at.length = operand->length < UINT16_MAX ? operand->length : UINT16_MAX;
    }
    mncore2_finding_never_written(use->diags, &at, what);
}

/* Whether a unit operation reads something of worth of each L2BM that it needs; where every group
 * works by itself, of any. */
static bool operation_reads(const struct block_memory *l2bm, const struct region *region,
                            bool by_itself, uint64_t first, uint64_t length)
{
    if (by_itself)
        return some_written(l2bm, first, length, region->set);
    for (unsigned left = region->set; left; left &= left - 1)
        if (!some_written(l2bm, first, length, (uint8_t)(left & ~(left - 1))))
            return false;
    return true;
}

/* A transfer out of L2BM: each unit operation must find something of worth. One warning. */
static void mv_reads(struct check_use *use, size_t item, const struct region *region)
{
    enum { COUNTED = 64 /* long words of a unit operation (3.5.8) */ };
    const struct block_memory l2bm = {use->l2bm, L2BM_LONGS};
    const struct mv *mv = use->program->stmts[use->program->items[item].stmt].mv;
    const bool by_itself = mv->mode == MV_C_P_PAR || mv->mode == MV_C_D_PAR;
    const uint64_t operations = mv->size / COUNTED;
    const uint64_t each = operations ? region->length / operations : 0;
    uint64_t from = operations, to = 0;
    for (uint64_t i = 0; i < operations; i++)
        if (!operation_reads(&l2bm, region, by_itself, region->addr + i * each, each)) {
            from = i < from ? i : from;
            to = i + 1;
        }
    if (to == 0)
        return;
    char what[64] = "L2BM";
    if (from > 0 || to < operations)
        snprintf(what, sizeof what, "L2BM %llu..%llu",
                 (unsigned long long)((region->addr + from * each) % L2BM_LONGS),
                 (unsigned long long)((region->addr + to * each - 1) % L2BM_LONGS));
    mv_never_written(use, item, &mv->from, what);
}

static void mv(struct check_use *use, size_t item)
{
    const struct mv *statement = use->program->stmts[use->program->items[item].stmt].mv;
    struct region region[2];
    mncore2_effect_of_mv(statement, region);
    for (int i = 0; i < 2; i++) {
        const struct mv_operand *operand = i == 0 ? &statement->from : &statement->to;
        if (region[i].any) {
            const uint32_t entries = mncore2_dar_entries(statement, &region[i]);
            bool missing = false;
            for (uint32_t k = 0; k < entries; k++) {
                bool *written = &use->dar_written[(operand->addr + k) % DAR_ENTRIES];
                missing |= !*written;
                *written = true;
            }
            if (missing)
                mv_never_written(use, item, operand, "DAR");
        } else if (region[i].space == SPACE_L2BM) {
            const struct block_memory l2bm = {use->l2bm, L2BM_LONGS};
            if (!region[i].write)
                mv_reads(use, item, &region[i]);
            write_block(&l2bm, region[i].addr, region[i].length, region[i].set);
        }
    }
}

/* Instances that a statement names: of L2BM by group and L2B, of L1BM by the L1B's number. */
static uint8_t named_blocks(const struct debug *statement, enum space space)
{
    uint8_t set = 0;
    if (space == SPACE_L1BM)
        return (uint8_t)(statement->l1b < 0 ? UINT8_MAX : 1u << statement->l1b % L1B_PER_L2B);
    for (unsigned b = 0; b < L2BS; b++)
        if ((statement->group < 0 || (unsigned)statement->group == b / L2B_PER_GROUP) &&
            (statement->l2b < 0 || (unsigned)statement->l2b == b % L2B_PER_GROUP))
            set |= (uint8_t)(1u << b);
    return set;
}

/* d set writes, d get reads. */
static int debug(struct check_use *use, const struct debug *statement, bool write)
{
    const uint64_t count = statement->count;
    const enum space space = mncore2_space_of(statement->mem);
    if (write && (space == SPACE_L1BM || space == SPACE_L2BM)) {
        const struct block_memory memory = {space == SPACE_L1BM ? use->l1bm : use->l2bm,
                                            mncore2_space_size[space]};
        const uint64_t each = statement->words > 2 ? 2 : 1;
        write_block(&memory, statement->addr, count < memory.units ? count * each : memory.units,
                    named_blocks(statement, space));
    } else if (write && (space == SPACE_X || space == SPACE_Y)) {
        use->rows[space - SPACE_X] = UINT16_MAX;
    } else if (write && space == SPACE_MASK) {
        use->masks = UINT16_MAX;
    }
    return mncore2_check_pe_debug(&use->pe, statement, write);
}

int mncore2_check_use_item(struct check_use *use, size_t item, bool passing)
{
    const struct stmt *stmt = &use->program->stmts[use->program->items[item].stmt];
    switch (stmt->kind) {
    case STMT_STEP:
        step(use, item, passing);
        return 0;
    case STMT_MV:
        mv(use, item);
        return 0;
    case STMT_GET:
        return debug(use, stmt->debug, false);
    case STMT_SET:
        return debug(use, stmt->debug, true);
    default:
        return 0;
    }
}
