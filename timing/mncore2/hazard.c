/*
 * hazard: the rows of hazard.def, and the profiles of statements, see hazard.h.
 */
#include "timing/mncore2/hazard_profile.h"

#include <stdlib.h>
#include <string.h>

#include "host/hash.h"

const struct hazard_rule mncore2_hazard_rules[HAZARD_COUNT] = {
#define HAZARD(id, from, to, over, count, latency, rule, why)                                      \
    [HAZARD_##id] = {.name = #id,                                                                  \
                     .producer = KIND_##from,                                                      \
                     .consumer = KIND_##to,                                                        \
                     .overlap = OVERLAP_##over,                                                    \
                     .unit = HAZARD_##count,                                                       \
                     .parameter = #latency,                                                        \
                     .section = rule,                                                              \
                     .sentence = why},
#include "timing/mncore2/hazard.def"
};

const char *const mncore2_hazard_phrases[KIND_COUNT] = {
#define HAZARD_KIND(id, unit, phrase) [KIND_##id] = phrase,
#include "timing/mncore2/hazard.def"
};

_Static_assert(HAZARD_COUNT <= 32 && KIND_COUNT <= 32, "sets of rows and kinds are 32 bits wide");

enum { CHUNK = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t data[];
};

/* --- rows ------------------------------------------------------------------------------------- */

static bool parameter(const struct config *config, const char *name, bool documented,
                      uint32_t *value)
{
    for (size_t i = 0; i < config->count; i++) {
        if (strcmp(config->rows[i].name, name) == 0) {
            *value = (uint32_t)config_integer(config, i, documented);
            return true;
        }
    }
    return false;
}

struct hazard *mncore2_hazard_new(const struct config *config, bool documented)
{
    struct hazard *hazard = calloc(1, sizeof *hazard);
    if (!hazard)
        return NULL;
    for (unsigned row = 0; row < HAZARD_COUNT; row++) {
        const struct hazard_rule *rule = &mncore2_hazard_rules[row];
        if (!parameter(config, rule->parameter, documented, &hazard->latency[row])) {
            free(hazard);
            return NULL;
        }
        /* A latency of 0 steps is what issuing in order gives anyway. */
        const uint64_t latency = hazard->latency[row];
        if (rule->unit == HAZARD_STEPS && latency == 0)
            continue;
        hazard->reach[row] =
            rule->unit == HAZARD_STEPS ? (latency + 1) * CYCLES : latency + 1 + (CYCLES - 1);
        if (hazard->reach[row] > hazard->longest)
            hazard->longest = hazard->reach[row];
        hazard->produced_by[rule->producer] |= UINT32_C(1) << row;
        hazard->consumed_by[rule->consumer] |= UINT32_C(1) << row;
    }
    return hazard;
}

void mncore2_hazard_free(struct hazard *hazard)
{
    if (!hazard)
        return;
    for (struct chunk *chunk = hazard->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(hazard->once);
    free(hazard);
}

uint32_t mncore2_hazard_latency(const struct hazard *hazard, enum hazard_row row)
{
    return hazard->latency[row];
}

/* Of writes of a kind, from 1; 0: they land at once. */
static const int8_t landing_rows[KIND_COUNT + 1] = {
#define LANDING(kind, row) [KIND_##kind] = HAZARD_##row + 1,
#include "timing/mncore2/hazard.def"
};

const char *mncore2_hazard_landing_rule(enum hazard_kind kind)
{
    return landing_rows[kind] ? mncore2_hazard_rules[landing_rows[kind] - 1].parameter : "";
}

uint64_t mncore2_hazard_landing(const struct hazard *hazard, enum hazard_kind kind)
{
    if (!landing_rows[kind])
        return 0;
    const enum hazard_row row = (enum hazard_row)(landing_rows[kind] - 1);
    const uint64_t latency = hazard->latency[row];
    if (mncore2_hazard_rules[row].unit == HAZARD_CYCLES)
        return latency;
    return latency ? latency * CYCLES - CYCLES / 2 : 0;
}

uint64_t mncore2_hazard_longest(const struct hazard *hazard)
{
    return hazard->longest;
}

/* --- profiles --------------------------------------------------------------------------------- */

static uint32_t kind(enum hazard_kind id)
{
    return UINT32_C(1) << id;
}

static bool is(const struct access *access, enum insn insn)
{
    return access->expr && access->expr->insn == insn;
}

/* Which kinds of hazard.def an access of a PE statement is of. */
static uint32_t kinds_of(const struct access *access)
{
    const bool write = access->write;
    switch (access->space) {
    case SPACE_L2BM:
        if (write) /* 3.6.3.1 is about individual transfers alone (deviation 140) */
            return kind(KIND_L2BM_STORE) | (is(access, INSN_L2BM) ? kind(KIND_L2BM_SINGLE) : 0);
        return is(access, INSN_L2BMDARS) ? kind(KIND_L2BM_DARS) : kind(KIND_L2BM_LOAD);
    case SPACE_L1BM:
        if (access->side == SIDE_PE)
            return write ? kind(KIND_PE_STORE) : kind(KIND_PE_LOAD);
        if (!write)
            return kind(KIND_L1BM_STORE);
        return is(access, INSN_L2BMI) ? kind(KIND_L1BM_MULTICAST) : kind(KIND_L1BM_LOAD);
    case SPACE_LM0:
        return kind(KIND_LM0_ACCESS) | (write ? kind(KIND_LM0_WRITE) : kind(KIND_LM0_READ));
    case SPACE_LM1:
        return kind(KIND_LM1_ACCESS) | (write ? kind(KIND_LM1_WRITE) : kind(KIND_LM1_READ));
    case SPACE_GRF0:
        return write ? kind(KIND_GRF0_WRITE) : kind(KIND_GRF0_READ);
    case SPACE_GRF1:
        return write ? kind(KIND_GRF1_WRITE) : kind(KIND_GRF1_READ);
    case SPACE_T:
        return write ? kind(KIND_T_WRITE) : kind(KIND_T_READ);
    case SPACE_BAR0:
        return write ? kind(KIND_BAR0_WRITE) : 0;
    case SPACE_BAR1:
        return write ? kind(KIND_BAR1_WRITE) : 0;
    case SPACE_X:
        if (write)
            return kind(KIND_X_WRITE);
        return access->transposed ? kind(KIND_X_TRANSPOSED) : kind(KIND_X_PRODUCT);
    case SPACE_Y:
        if (write)
            return kind(KIND_Y_WRITE);
        return access->transposed ? kind(KIND_Y_TRANSPOSED) : kind(KIND_Y_PRODUCT);
    case SPACE_MASK:
        return write ? kind(KIND_MASK_WRITE) : kind(KIND_MASK_READ);
    default:
        return 0;
    }
}

/* Units of a memory minus 1. All sizes are powers of two. */
static uint16_t last_unit(uint8_t space)
{
    switch (space) {
    case SPACE_L2BM:
        return L2BM_LONGS - 1;
    case SPACE_L1BM:
        return L1BM_LONGS - 1;
    case SPACE_GRF0:
    case SPACE_GRF1:
        return GRF_WORDS - 1;
    case SPACE_X:
    case SPACE_Y:
        return MATRIX_ROWS - 1;
    default:
        return UINT16_MAX;
    }
}

static void rows_of(const struct hazard *hazard, uint32_t kinds, uint32_t *produces,
                    uint32_t *consumes)
{
    *produces = *consumes = 0;
    for (uint32_t left = kinds; left; left &= left - 1) {
        const unsigned bit = (unsigned)__builtin_ctz(left);
        *produces |= hazard->produced_by[bit];
        *consumes |= hazard->consumed_by[bit];
    }
}

static void *allocate(struct hazard *hazard, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct chunk *chunk = hazard->chunks;
    if (!chunk || chunk->size - chunk->used < size) {
        const size_t room = size > CHUNK ? size : CHUNK;
        chunk = malloc(sizeof *chunk + room);
        if (!chunk)
            return NULL;
        *chunk = (struct chunk){.next = hazard->chunks, .size = room};
        hazard->chunks = chunk;
    }
    void *memory = (char *)chunk->data + chunk->used;
    chunk->used += size;
    return memory;
}

static void bounds(struct touch *touch, unsigned cycles)
{
    uint32_t low = UINT16_MAX, high = 0;
    for (unsigned i = 0; i < cycles; i++) {
        const uint32_t first = touch->addr[i];
        low = first < low ? first : low;
        high = first > high ? first : high;
    }
    high += touch->length;
    if (high - 1 > touch->last) { /* wraps around */
        low = 0;
        high = UINT16_MAX;
    }
    touch->low = (uint16_t)low;
    touch->high = (uint16_t)high;
}

static void set_addresses(struct touch *touch, const uint32_t addr[CYCLES])
{
    for (unsigned i = 0; i < CYCLES; i++)
        touch->addr[i] = (uint16_t)addr[i];
    bounds(touch, CYCLES);
}

/* Each step takes CYCLES, so that many profiles outlast every latency. */
static size_t once_slots(const struct hazard *hazard)
{
    return (size_t)(hazard->longest / CYCLES) + 2;
}

static bool make_once(struct hazard *hazard)
{
    const size_t count = once_slots(hazard);
    const size_t size = sizeof(struct hazard_profile) + MAX_ACCESSES * sizeof(struct touch);
    struct hazard_once *once = calloc(count, sizeof *once);
    for (size_t i = 0; once && i < count; i++) {
        once[i].profile = allocate(hazard, size);
        once[i].takers = allocate(hazard, sizeof *once[i].takers);
        if (!once[i].profile || !once[i].takers) { /* what was allocated goes with the table */
            free(once);
            return false;
        }
    }
    hazard->once = once;
    hazard->once_count = count;
    return once != NULL;
}

/* Few differ: those kept last with the same hash serve again. */
static const struct takers *keep_takers(struct hazard *hazard, const struct takers *takers)
{
    uint64_t hash = 0;
    for (unsigned row = 0; row < HAZARD_COUNT; row++)
        hash = (hash ^ takers->produce[row] ^ takers->consume[row] << 32) * HASH_FACTOR;
    const struct takers **last = &hazard->takers[hash >> 32 & (HAZARD_TAKERS - 1)];
    if (*last && memcmp(*last, takers, sizeof *takers) == 0)
        return *last;
    struct takers *kept = allocate(hazard, sizeof *kept);
    if (kept)
        *kept = *takers;
    return *last = kept;
}

static const struct hazard_profile *keep(struct hazard *hazard, const struct hazard_profile *head,
                                         const struct touch *touches, const struct takers *takers)
{
    const size_t size = head->count * sizeof *touches;
    struct hazard_profile *profile = allocate(hazard, sizeof *profile + size);
    if (!profile)
        return NULL;
    *profile = *head;
    profile->takers = keep_takers(hazard, takers);
    memcpy(profile->touch, touches, size);
    return profile->takers ? profile : NULL;
}

static void add_rows(uint64_t takers[HAZARD_COUNT], uint32_t rows, unsigned touch)
{
    for (; rows; rows &= rows - 1)
        takers[__builtin_ctz(rows)] |= UINT64_C(1) << touch;
}

struct draft {
    struct touch touches[MAX_ACCESSES];
    struct takers takers;
};

/* head->count and head->mask_write_count 0: no row is about the effect. */
static void fill(const struct hazard *hazard, const struct effect *effect,
                 struct hazard_profile *profile, struct draft *draft)
{
    struct hazard_profile head = {0};
    draft->takers = (struct takers){{0}, {0}};
    for (size_t i = 0; i < effect->count; i++) {
        const struct access *access = &effect->access[i];
        if (access->space == SPACE_MASK && access->write && access->addr[0] > 0 &&
            access->addr[0] < MASK_ENTRIES && head.mask_write_count < MAX_MASK_WRITES)
            head.mask_writes[head.mask_write_count++] =
                (struct mask_write){(uint8_t)access->addr[0], access->cycles, access->entry};
        uint32_t produces, consumes;
        rows_of(hazard, kinds_of(access), &produces, &consumes);
        if (!(produces | consumes))
            continue;
        add_rows(draft->takers.produce, produces, head.count);
        add_rows(draft->takers.consume, consumes, head.count);
        struct touch *touch = &draft->touches[head.count++];
        *touch = (struct touch){.length = (uint16_t)access->length,
                                .last = last_unit(access->space),
                                .cycles = access->cycles,
                                .entry = access->entry,
                                .set = access->set,
                                .any = access->any,
                                .operand = access->operand};
        set_addresses(touch, access->addr);
        head.produces |= produces;
        head.consumes |= consumes;
        if (access->entry)
            head.entry = access->entry;
    }
    *profile = head;
}

int mncore2_hazard_profile_step(struct hazard *hazard, const struct effect *effect,
                                const struct hazard_profile **profile)
{
    struct hazard_profile head;
    struct draft draft;
    fill(hazard, effect, &head, &draft);
    *profile = NULL;
    if (!head.count && !head.mask_write_count)
        return 0;
    *profile = keep(hazard, &head, draft.touches, &draft.takers);
    return *profile ? 0 : -1;
}

int mncore2_hazard_profile_once(struct hazard *hazard, const struct effect *effect,
                                const struct hazard_profile **profile)
{
    struct hazard_profile head;
    struct draft draft;
    fill(hazard, effect, &head, &draft);
    *profile = NULL;
    if (!head.count && !head.mask_write_count)
        return 0;
    if (!hazard->once && !make_once(hazard))
        return -1;
    const struct hazard_once *slot = &hazard->once[hazard->once_next];
    *slot->takers = draft.takers;
    *slot->profile = head;
    slot->profile->takers = slot->takers;
    memcpy(slot->profile->touch, draft.touches, head.count * sizeof *draft.touches);
    hazard->once_next = (hazard->once_next + 1) % hazard->once_count;
    *profile = slot->profile;
    return 0;
}

int mncore2_hazard_profile_mv(struct hazard *hazard, const struct region region[2],
                              const struct hazard_profile **profile)
{
    struct hazard_profile head = {0};
    struct touch touch;
    *profile = NULL;
    if (region[0].space != SPACE_L2BM || region[0].length == 0)
        return 0;
    uint32_t produces;
    rows_of(hazard, kind(KIND_L2BM_MV), &produces, &head.consumes);
    if (!head.consumes)
        return 0;
    struct takers takers = {{0}, {0}};
    add_rows(takers.consume, head.consumes, 0);
    touch = (struct touch){.length = region[0].length > L2BM_LONGS ? L2BM_LONGS
                                                                   : (uint16_t)region[0].length,
                           .last = L2BM_LONGS - 1,
                           .addr = {(uint16_t)region[0].addr},
                           .cycles = 1,
                           .set = region[0].set,
                           .any = region[0].any};
    bounds(&touch, 1);
    head.count = 1;
    *profile = keep(hazard, &head, &touch, &takers);
    return *profile ? 0 : -1;
}

int mncore2_hazard_profile_stmt(struct hazard *hazard, const struct stmt *stmt,
                                const struct hazard_profile **profile)
{
    *profile = NULL;
    if (stmt->kind == STMT_STEP && !stmt->step->nops) {
        struct effect effect;
        mncore2_effect_of_step(stmt->step, &effect);
        return mncore2_hazard_profile_step(hazard, &effect, profile);
    }
    if (stmt->kind == STMT_MV) {
        struct region region[2];
        mncore2_effect_of_mv(stmt->mv, region);
        return mncore2_hazard_profile_mv(hazard, region, profile);
    }
    return 0;
}
