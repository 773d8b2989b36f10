#include "functional/amx/work.h"

/* The registers of each space, one bit each. */
struct registers {
    uint64_t set[AMX_SPACE_COUNT];
};

/* The registers covered by a 64-byte vector at a byte offset of the ring. */
static uint64_t ring(unsigned offset)
{
    const unsigned first = offset / AMX_ROW;
    uint64_t set = UINT64_C(1) << first;
    if (offset % AMX_ROW)
        set |= UINT64_C(1) << (first + 1) % AMX_XY_REGS;
    return set;
}

static void matfp(const struct matfp *matfp, struct registers *reads, struct registers *writes)
{
    if (matfp->noop)
        return;
    reads->set[AMX_SPACE_X] = ring(matfp->x_offset);
    reads->set[AMX_SPACE_Y] = ring(matfp->y_offset);
    if (matfp->indexed)
        reads->set[matfp->indexed == MATFP_INDEX_Y ? AMX_SPACE_Y : AMX_SPACE_X] |=
            UINT64_C(1) << matfp->index_reg;
    writes->set[AMX_SPACE_Z] = matfp->rows;
    if (matfp->alu != MATFP_RELU && !matfp->result_zero)
        reads->set[AMX_SPACE_Z] = matfp->rows;
}

/* AMX_SPACE_COUNT unless the instruction is a load or store. */
static enum amx_space transfer_space(const struct amx_item *item)
{
    switch ((enum amx_insn)item->insn) {
    case AMX_LDX:
    case AMX_STX:
        return AMX_SPACE_X;
    case AMX_LDY:
    case AMX_STY:
        return AMX_SPACE_Y;
    case AMX_LDZ:
    case AMX_STZ:
        return AMX_SPACE_Z;
    default:
        return AMX_SPACE_COUNT;
    }
}

static bool is_store(const struct amx_item *item)
{
    return item->insn == AMX_STX || item->insn == AMX_STY || item->insn == AMX_STZ;
}

static uint64_t transfer(const struct amx_item *item, enum amx_space space)
{
    const unsigned count = space == AMX_SPACE_Z ? AMX_Z_ROWS : AMX_XY_REGS;
    uint64_t set = 0;
    for (unsigned i = 0; i <= item->pair; i++)
        set |= UINT64_C(1) << (item->reg + i) % count;
    return set;
}

static size_t put(const struct registers *registers, struct span *spans)
{
    size_t count = 0;
    for (unsigned space = 0; space < AMX_SPACE_COUNT; space++)
        if (registers->set[space])
            spans[count++] = (struct span){.space = (uint16_t)space,
                                           .when = 1,
                                           .set = registers->set[space],
                                           .count = AMX_ROW};
    return count;
}

void amx_work_item(const struct amx_program *program, size_t item, struct amx_work_storage *storage,
                   struct work *work)
{
    const struct amx_item *insn = &program->items[item];
    struct registers reads = {0}, writes = {0};
    const enum amx_space space = transfer_space(insn);
    if (space != AMX_SPACE_COUNT) {
        (is_store(insn) ? &reads : &writes)->set[space] = transfer(insn, space);
    } else if (insn->insn == AMX_MATFP) {
        matfp(&insn->matfp.decoded, &reads, &writes);
    } else if (insn->insn == AMX_SET) { /* set zeroes all registers */
        writes.set[AMX_SPACE_X] = writes.set[AMX_SPACE_Y] = (1 << AMX_XY_REGS) - 1;
        writes.set[AMX_SPACE_Z] = UINT64_MAX;
    }
    *work = (struct work){.statement = (uint32_t)item,
                          .operation = insn->insn,
                          .reads = storage->reads,
                          .read_count = put(&reads, storage->reads),
                          .writes = storage->writes,
                          .write_count = put(&writes, storage->writes),
                          .addresses = storage->addresses,
                          .next = WORK_END};
}
