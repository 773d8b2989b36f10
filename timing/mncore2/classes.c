/* classes: which units a distinct statement uses, and in which of its cycles. */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/effect.h"
#include "host/big_memory.h"
#include "host/grow.h"
#include "host/hash.h"

enum { ALL = (1 << CYCLES) - 1, MAX_USAGES = 64 };

struct list {
    struct usage rows[MAX_USAGES];
    unsigned count;
    const uint64_t *landing;
    bool multicast; /* the step's transfer between L2BM and L1BM is l2bmi */
};

/* Reads of one port in one step are one access (3.6.4), so cycles are joined, not added. */
static struct usage *use(struct list *list, unsigned unit, uint64_t lands, unsigned mask)
{
    static struct usage too_many;
    struct usage *row = list->rows;
    while (row < list->rows + list->count && (row->unit != unit || row->lands != lands))
        row++;
    if (row == list->rows + MAX_USAGES)
        return &too_many;
    if (row == list->rows + list->count)
        list->rows[list->count++] = (struct usage){.unit = (uint8_t)unit, .lands = (uint8_t)lands};
    row->mask |= (uint8_t)mask;
    return row;
}

/* L2BM: bit group * 2 + l2b; all groups do the same (l2bmdars names a number in every group). */
static unsigned l2b_numbers(unsigned set)
{
    unsigned numbers = 0;
    for (unsigned b = 0; b < L2BS; b++)
        if (set >> b & 1)
            numbers |= 1u << b % L2B_PER_GROUP;
    return numbers;
}

enum hazard_kind mncore2_landing_kind(enum space space, unsigned side, bool multicast)
{
    static const uint8_t kinds[SPACE_COUNT] = {
        [SPACE_LM0] = KIND_LM0_WRITE,   [SPACE_LM1] = KIND_LM1_WRITE,
        [SPACE_GRF0] = KIND_GRF0_WRITE, [SPACE_GRF1] = KIND_GRF1_WRITE,
        [SPACE_T] = KIND_T_WRITE,       [SPACE_L2BM] = KIND_L2BM_STORE};
    if (space == SPACE_L1BM)
        return side == SIDE_PE ? KIND_PE_STORE : multicast ? KIND_L1BM_MULTICAST : KIND_L1BM_LOAD;
    return space <= SPACE_T || space == SPACE_L2BM ? (enum hazard_kind)kinds[space] : KIND_COUNT;
}

/* What one operand moves through its port in a cycle: equal reads are one (3.6.4); the two halves
 * of l1bmp are two (3.6.8.7). */
static uint8_t amount(const struct access *access, uint8_t before)
{
    const bool shared = access->space == SPACE_L1BM || access->space == SPACE_L2BM;
    const bool pe = access->space <= SPACE_T && access->operand &&
                    mncore2_space_of(access->operand->mem) == access->space;
    const uint32_t here = pe ? access->operand->words : access->length;
    return (uint8_t)(shared ? before + here : here > before ? here : before);
}

static void use_memory(struct list *list, const struct access *access, unsigned unit,
                       enum hazard_kind kind)
{
    const uint64_t lands = access->write ? list->landing[kind] : 0;
    struct usage *row = use(list, unit, lands, access->cycles);
    row->space = access->space;
    if (access->write) {
        row->writes |= access->cycles;
        row->written = amount(access, row->written);
        row->kind = (uint8_t)kind;
    } else {
        row->reads |= access->cycles;
        row->read = amount(access, row->read);
    }
}

static void use_each(struct list *list, const struct access *access, unsigned first, unsigned set,
                     enum hazard_kind kind)
{
    for (unsigned b = 0; set >> b; b++)
        if (set >> b & 1)
            use_memory(list, access, first + b, kind);
}

static void use_access(struct list *list, const struct access *access)
{
    /* Of reads and writes; other memories are registers without a port, or of MV statements. */
    static const uint8_t units[SPACE_COUNT][2] = {
        [SPACE_LM0] = {UNIT_LM0, UNIT_LM0},      [SPACE_LM1] = {UNIT_LM1, UNIT_LM1},
        [SPACE_GRF0] = {UNIT_GRF0R, UNIT_GRF0W}, [SPACE_GRF1] = {UNIT_GRF1R, UNIT_GRF1W},
        [SPACE_T] = {UNIT_TR, UNIT_TW},          [SPACE_X] = {UNIT_MATX, UNIT_MATX},
        [SPACE_Y] = {UNIT_MATY, UNIT_MATY},      [SPACE_DARBUF] = {UNIT_DARBUF, UNIT_DARBUF},
        [SPACE_DAR] = {UNIT_DAR, UNIT_DAR}};
    const enum hazard_kind kind =
        mncore2_landing_kind((enum space)access->space, access->side, list->multicast);
    const unsigned unit = units[access->space][access->write];
    if (!access->cycles)
        return;
    if (access->space == SPACE_L2BM)
        use_each(list, access, UNIT_L2BM0_PE, l2b_numbers(access->set), kind);
    else if (access->space == SPACE_L1BM && access->side != SIDE_PE)
        use_each(list, access, UNIT_L1BM0, access->set, kind);
    else if (access->space == SPACE_L1BM)
        use_memory(list, access, UNIT_L1BM_PE, kind);
    else if (unit)
        use_memory(list, access, unit, kind);
}

static void use_expressions(struct list *list, const struct step *step)
{
    if (step_expr(step, GROUP_ALU))
        use(list, UNIT_ALU, 0, ALL);
    if (step_expr(step, GROUP_MAU_CALC))
        use(list, UNIT_MAU, 0, ALL);
    const struct expr *l1bm = step_expr(step, GROUP_L1BM), *l2bm = step_expr(step, GROUP_L2BM);
    if (l1bm && l1bm->rrn != RRN_NONE)
        use(list, UNIT_RRN_L1B, 0, ALL);
    if (l2bm && l2bm->rrn != RRN_NONE)
        use(list, UNIT_RRN_L2B, 0, ALL);
}

int mncore2_classes_init(struct mncore2_run *run)
{
    const struct program *program = run->program;
    /* Filled in when a statement is first met. */
    run->classes = big_memory_touched((program->stmt_count + 1) * sizeof *run->classes);
    return run->classes ? 0 : -1;
}

void mncore2_classes_free(struct mncore2_run *run)
{
    big_memory_free(run->classes, (run->program->stmt_count + 1) * sizeof *run->classes);
    free(run->usages);
}

/* What the hazard table needs to know of a statement, whose addresses matter. */
static int learn_hazards(const struct mncore2_run *run, struct lane *lane, uint32_t index)
{
    const struct hazard_profile **profile = &lane->profiles[index];
    return *profile
               ? 0
               : mncore2_hazard_profile_stmt(lane->hazard, &run->program->stmts[index], profile);
}

/* What it does on the ports where statements may meet. */
static void learn_meetings(const struct list *list, struct stmt_class *class)
{
    for (unsigned i = 0; i < list->count; i++) {
        const struct usage *usage = &list->rows[i];
        if (usage->unit < MEETING_FIRST || usage->unit >= MEETING_FIRST + MEETING_COUNT ||
            usage->unit == UNIT_RRN_L2B)
            continue;
        const enum meeting at = usage->unit < UNIT_RRN_L2B ? MEETING_L1BM : MEETING_L2BM;
        if (usage->lands)
            class->meets_later[at] = usage->lands;
        else
            class->meets_now |= (uint8_t)(1u << at);
    }
}

/* When its last write has landed. A write under a variable mask counts, as in its port. */
static void learn_landing(const struct list *list, struct stmt_class *class)
{
    for (unsigned i = 0; i < list->count; i++) {
        const struct usage *usage = &list->rows[i];
        if (!usage->lands || !usage->mask)
            continue;
        const unsigned last = 32 - (unsigned)__builtin_clz(usage->mask);
        const bool l2bm = usage->unit == UNIT_L2BM0_PE || usage->unit == UNIT_L2BM1_PE;
        for (unsigned k = 0; k < (l2bm ? 1u : 2u); k++)
            if (usage->lands + last > class->lands[k]) {
                class->lands[k] = (uint16_t)(usage->lands + last);
                class->lands_on[k] = usage->unit;
            }
    }
}

static void learn_masks(const struct effect *effect, struct stmt_class *class)
{
    unsigned cycles[2] = {0, 0};
    for (size_t i = 0; i < effect->count; i++) {
        const struct access *access = &effect->access[i];
        if (!access->write || !access->expr || !mncore2_expr_masked(access->expr))
            continue;
        cycles[0] |= ALL & ~access->cycles;
        cycles[1] |= access->entry ? access->cycles : 0u;
    }
    for (unsigned k = 0; k < 2; k++)
        class->masked[k] = (uint8_t)__builtin_popcount(cycles[k]);
}

/* Statements differ in addresses more than in what they use. */
static int keep_usages(struct mncore2_run *run, const struct list *list, uint32_t *first)
{
    const size_t size = list->count * sizeof *list->rows;
    struct usage_run *last =
        &run->usage_runs[hash_bytes(HASH_START, list->rows, size) % USAGE_RUNS];
    if (last->count == list->count && memcmp(&run->usages[last->first], list->rows, size) == 0) {
        *first = last->first;
        return 0;
    }
    struct usage *usages =
        grow(run->usages, &run->usage_capacity, run->usage_count + list->count, sizeof *usages);
    if (!usages)
        return -1;
    run->usages = usages;
    memcpy(usages + run->usage_count, list->rows, size);
    *last = (struct usage_run){(uint32_t)run->usage_count, list->count};
    run->usage_count += list->count;
    *first = last->first;
    return 0;
}

static int learn_step(struct mncore2_run *run, size_t item, struct stmt_class *class)
{
    const struct step *step = run->program->stmts[run->program->items[item].stmt].step;
    class->nops = step->nops;
    class->wait = step->wait;
    class->darw = step->darw;
    if (step->nops)
        return 0;
    struct effect effect;
    mncore2_effect_of_step(step, &effect);
    const struct expr *l2bm = step_expr(step, GROUP_L2BM);
    struct list list = {.landing = run->landing, .multicast = l2bm && l2bm->insn == INSN_L2BMI};
    use(&list, UNIT_ISSUE, 0, ALL);
    use_expressions(&list, step);
    for (unsigned i = 0; i < 2 * effect.count; i++) { /* reads, then writes */
        const struct access *access = &effect.access[i % effect.count];
        if (access->write == (i >= effect.count))
            use_access(&list, access);
    }
    const struct expr *mau = step_expr(step, GROUP_MAU_CALC);
    for (unsigned p = 0; p < 4; p++)
        if (effect.flops[p]) { /* one MAU expression, so one precision */
            class->flops = effect.flops[p];
            class->precision = p & 3;
            class->vector = mau && mau->insn != INSN_MFMA && mau->insn != INSN_MMUL;
        }
    learn_masks(&effect, class);
    learn_meetings(&list, class);
    learn_landing(&list, class);
    for (unsigned i = 0; i < list.count; i++) {
        struct usage *row = &list.rows[i];
        const unsigned written = (unsigned)__builtin_popcount(row->writes);
        row->cycles = (uint8_t)__builtin_popcount(row->mask);
        class->accesses = (uint16_t)(class->accesses + (unsigned)__builtin_popcount(row->reads) +
                                     (row->lands ? 2 : 1) * written);
    }
    if (keep_usages(run, &list, &class->usage) != 0)
        return -1; /* without usages: the run is settled, too, when it ends here */
    class->usage_count = (uint8_t)list.count;
    return 0;
}

int mncore2_class_learn(struct mncore2_run *run, struct lane *lane, uint32_t index)
{
    struct stmt_class *class = &run->classes[index];
    if (!class->known) {
        const struct stmt *stmt = &run->program->stmts[index];
        *class = (struct stmt_class){
            .kind = stmt->kind, .known = 1, .first_item = (uint32_t)lane->next_item};
        if (stmt->kind == STMT_STEP && learn_step(run, lane->next_item, class) != 0)
            return -1;
    }
    return lane->window ? learn_hazards(run, lane, index) : 0;
}
