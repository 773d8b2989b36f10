#include "tests/mncore2/work.h"

enum {
    ALL_CYCLES = (1 << CYCLES) - 1,
    DAR_ACCESS = 16
}; /* long words that one address serves (3.5.6) */

/* Append a span of `length` units, as two pieces if it wraps at the memory's end. */
static size_t put(struct span *spans, size_t count, struct span span, uint64_t first,
                  uint64_t length)
{
    const uint64_t size = mncore2_space_size[span.space];
    if (length >= size) {
        first = 0;
        length = size;
    }
    const uint64_t here = length < size - first ? length : size - first;
    span.first = (uint32_t)first;
    span.count = (uint32_t)here;
    spans[count++] = span;
    if (here < length) {
        span.first = 0;
        span.count = (uint32_t)(length - here);
        spans[count++] = span;
    }
    return count;
}

/* One span per address of an access, in the cycles with this address. A mask register is written in
 * every cycle, with 0 where the mask is 0 (3.6.2). */
static size_t put_access(struct span *spans, size_t count, const struct access *access)
{
    struct span span = {.space = access->space, .port = access->side, .set = access->set};
    const bool all = access->write && access->space == SPACE_MASK;
    if (access->any) {
        span.when = access->cycles;
        return span.when ? put(spans, count, span, 0, UINT64_MAX) : count;
    }
    for (unsigned left = all ? ALL_CYCLES : access->cycles, i = 0; i < CYCLES; i++) {
        span.when = 0;
        for (unsigned k = i; k < CYCLES; k++)
            if (left >> k & 1 && access->addr[k] == access->addr[i])
                span.when |= (uint8_t)(1 << k);
        left &= ~(unsigned)span.when;
        if (span.when)
            count = put(spans, count, span, access->addr[i], access->length);
    }
    return count;
}

static size_t put_accesses(struct span *spans, const struct effect *effect, bool write)
{
    size_t count = 0;
    uint8_t based[2] = {0}; /* cycles in which LM0, LM1 are used */
    for (size_t i = 0; i < effect->count; i++) {
        const struct access *access = &effect->access[i];
        if (access->write == write)
            count = put_access(spans, count, access);
        if (access->space == SPACE_LM0 || access->space == SPACE_LM1)
            based[access->space - SPACE_LM0] |= access->cycles;
    }
    for (unsigned i = 0; i < 2 && !write; i++)
        if (based[i])
            spans[count++] =
                (struct span){.space = (uint16_t)(SPACE_BAR0 + i), .when = based[i], .count = 1};
    return count;
}

static size_t put_region(struct span *spans, size_t count, const struct region *region)
{
    const struct span span = {.space = region->space, .when = ALL_CYCLES, .set = region->set};
    return put(spans, count, span, region->addr, region->any ? UINT64_MAX : region->length);
}

/* The entries of DAR that an indirect operand reads (3.5.6). */
static size_t put_dar(struct span *spans, size_t count, const struct mv *mv,
                      const struct mv_operand *operand, const struct region *region)
{
    if (!operand->indirect)
        return count;
    const uint64_t accesses = (region->length + DAR_ACCESS - 1) / DAR_ACCESS;
    const uint64_t entries = mv->nd ? (accesses + mv->nd - 1) / mv->nd : 1;
    const struct span span = {.space = SPACE_DAR, .when = ALL_CYCLES, .set = region->set};
    return put(spans, count, span, operand->addr % DAR_ENTRIES, entries);
}

static void work_of_mv(const struct mv *mv, struct mncore2_work_storage *storage, struct work *work)
{
    const struct mv_operand *const operand[2] = {&mv->from, &mv->to};
    struct region region[2];
    mncore2_effect_of_mv(mv, region);
    work->read_count = put_region(storage->spans, 0, &region[0]);
    for (unsigned i = 0; i < 2; i++) {
        work->read_count = put_dar(storage->spans, work->read_count, mv, operand[i], &region[i]);
        if (region[i].space == SPACE_DRAM && !region[i].any)
            storage->addresses[work->address_count++] = region[i].addr;
    }
    work->write_count = put_region(storage->spans + work->read_count, 0, &region[1]);
}

void mncore2_work(const struct program *program, size_t item, struct mncore2_work_storage *storage,
                  struct work *work)
{
    const struct stmt *stmt = &program->stmts[program->items[item].stmt];
    *work = (struct work){.statement = (uint32_t)item,
                          .operation = stmt->kind,
                          .reads = storage->spans,
                          .addresses = storage->addresses,
                          .next = item + 1 < program->item_count ? (uint32_t)item + 1 : WORK_END};
    if (stmt->kind == STMT_STEP && stmt->step->nops == 0) {
        struct effect effect;
        mncore2_effect_of_step(stmt->step, &effect);
        work->read_count = put_accesses(storage->spans, &effect, false);
        work->write_count = put_accesses(storage->spans + work->read_count, &effect, true);
    } else if (stmt->kind == STMT_MV) {
        work_of_mv(stmt->mv, storage, work);
    }
    work->writes = storage->spans + work->read_count;
}
