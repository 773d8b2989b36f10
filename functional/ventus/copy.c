/*
 * copy: cp_dma, cp_dma_bulk, cp_dma_tensor: global memory to the local memory of the workgroup.
 *
 * The bytes move when the instruction is executed; check.h reports
 * accesses to them before cp_dma_mbarrier.
 */
#include <string.h>

#include "functional/ventus/exec.h"

static int find(struct ventus_exec *exec, uint64_t address, uint64_t bytes, const uint8_t **at)
{
    *at = address + bytes > UINT64_C(1) << 32
              ? NULL
              : ventus_memory_at(exec->memory, (uint32_t)address, (uint32_t)bytes);
    if (*at)
        return 0;
    return ventus_fault(exec, "a copy of %llu bytes from 0x%08llx, where no buffer is",
                        (unsigned long long)bytes, (unsigned long long)address);
}

static int find_local(struct ventus_exec *exec, const struct ventus_warp *w, uint64_t address,
                      uint64_t bytes, uint8_t **at)
{
    const uint32_t local = w->group->local, most = exec->launch->local;
    if (address < local || bytes > most || address - local > most - bytes)
        return ventus_fault(exec,
                            "a copy of %llu bytes to 0x%08llx, beyond the local memory of its "
                            "workgroup, %u bytes at 0x%08x",
                            (unsigned long long)bytes, (unsigned long long)address, most, local);
    *at = ventus_memory_at(exec->memory, (uint32_t)address, (uint32_t)bytes);
    if (!*at)
        return ventus_fault(exec, "no local memory at 0x%08llx", (unsigned long long)address);
    return 0;
}

struct copy {
    uint64_t to, from;
    uint32_t bytes, given; /* given: from memory, the rest is 0 */
};

static int move(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                const struct copy *c)
{
    const uint8_t *from = NULL;
    uint8_t *to;
    if (c->given && find(exec, c->from, c->given, &from) != 0)
        return 1;
    if (find_local(exec, w, c->to, c->bytes, &to) != 0)
        return 1;
    if (c->given)
        ventus_touch(exec, w, (uint32_t)c->from, c->given, VENTUS_TOUCH_READ);
    ventus_touch(exec, w, (uint32_t)c->to, c->bytes, VENTUS_TOUCH_COPY);
    ventus_unreserve(exec, w, (uint32_t)c->to, c->bytes);
    if (c->given)
        memmove(to, from, c->given);
    memset(to + c->given, 0, c->bytes - c->given);
    e->access.copied += c->bytes;
    return 0;
}

/* Lanes of vs1 are destinations, of vs2 sources, of vs3 the bytes that are given. */
static int step_lanes(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const uint32_t size = 4u << (e->op->word >> 25 & 3);
    e->mask = w->active;
    for (uint32_t i = 0; i < exec->launch->threads; i++) {
        const struct copy c = {w->v[e->rs1][i], w->v[e->rs2][i], size, w->v[e->rs3][i]};
        if (!(e->mask >> i & 1))
            continue;
        if (c.given > size)
            return ventus_fault(exec, "lane %u: %u bytes are given of a copy of %u", i, c.given,
                                size);
        if (move(exec, w, e, &c) != 0) {
            char sentence[VENTUS_SENTENCE];
            memcpy(sentence, exec->error, sizeof sentence);
            return ventus_fault(exec, "lane %u: %.220s", i, sentence);
        }
        e->access.address[e->access.count++] = (uint32_t)c.from;
    }
    e->access.bytes = size;
    return 0;
}

static int step_bulk(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct copy c = {w->x[e->rs1], w->x[e->rs2], w->x[e->rd], w->x[e->rd]};
    if ((c.to | c.from | c.bytes) & 15)
        return ventus_fault(exec,
                            "cp_dma_bulk of %u bytes from 0x%08llx to 0x%08llx: all three "
                            "are multiples of 16",
                            c.bytes, (unsigned long long)c.from, (unsigned long long)c.to);
    if (!c.bytes)
        return ventus_fault(exec, "cp_dma_bulk of no bytes");
    e->access.count = 1;
    e->access.bytes = c.bytes;
    e->access.address[0] = (uint32_t)c.from;
    return move(exec, w, e, &c);
}

/* --- tensors ---------------------------------------------------------------------------------- */

enum {
    RANKS = 5,
    /* Lanes of vs1. */
    TYPE = 0,
    RANK = 1,
    ADDRESS = 2,
    DIMS = 3,
    STRIDES = 8,
    TENSOR_LANES = 13,
    /* Lanes of vs2. */
    BOX_ADDRESS = 0,
    BOX_DIMS = 1,
    STEPS = 6,
    INTERLEAVE = 11,
    SWIZZLE = 12,
    PROMOTION = 13,
    FILL = 14
};

struct tensor {
    uint32_t type, rank, size; /* size: bytes of an element */
    uint64_t address, box;
    uint64_t dims[RANKS], strides[RANKS]; /* elements; bytes, from dimension 2 on */
    uint32_t box_dims[RANKS], steps[RANKS], counts[RANKS];
    uint64_t start[RANKS]; /* coordinates of the box */
    uint32_t swizzle;
    bool nan;
};

/* Elements: unsigned and signed integers, then floats; 0 bytes: there is no such type. */
static const struct {
    uint8_t bytes;
    uint64_t nan; /* 0: it has none */
} types[] = {{1, 0},      {2, 0},          {4, 0},
             {4, 0},      {8, 0},          {8, 0},
             {2, 0x7e00}, {4, 0x7fc00000}, {8, UINT64_C(0x7ff8000000000000)},
             {2, 0x7fc0}};

static int read_tensor(struct ventus_exec *exec, const struct ventus_warp *w,
                       const struct ventus_effect *e, struct tensor *t)
{
    const uint32_t *a = w->v[e->rs1], *b = w->v[e->rs2];
    if (exec->launch->threads < VENTUS_TENSOR_LANES)
        return ventus_fault(exec, "cp_dma_tensor needs warps of %d threads or more",
                            VENTUS_TENSOR_LANES);
    *t = (struct tensor){.type = a[TYPE],
                         .rank = a[RANK],
                         .address = a[ADDRESS],
                         .box = b[BOX_ADDRESS],
                         .swizzle = b[SWIZZLE],
                         .nan = b[FILL]};
    if (t->type >= sizeof types / sizeof *types)
        return ventus_fault(exec, "cp_dma_tensor: %u is not a type of elements", t->type);
    if (t->rank < 1 || t->rank > RANKS)
        return ventus_fault(exec, "cp_dma_tensor: %u dimensions, and 1 to %d can be", t->rank,
                            RANKS);
    if (b[INTERLEAVE])
        return ventus_fault(exec, "cp_dma_tensor: interleave %u is not published", b[INTERLEAVE]);
    if (t->swizzle > 3 || b[PROMOTION] > 3 || b[FILL] > 1)
        return ventus_fault(exec, "cp_dma_tensor: swizzle and L2promotion are 0 to 3, oobfill 0 "
                                  "or 1");
    if (t->nan && !types[t->type].nan)
        return ventus_fault(exec, "cp_dma_tensor: elements of type %u have no NaN", t->type);
    t->size = types[t->type].bytes;
    for (uint32_t d = 0; d < t->rank; d++) {
        t->dims[d] = a[DIMS + d];
        t->strides[d] = d ? a[STRIDES + d] : t->size;
        t->box_dims[d] = b[BOX_DIMS + d];
        t->steps[d] = b[STEPS + d];
        if (!t->dims[d])
            return ventus_fault(exec, "cp_dma_tensor: dimension %u has no elements", d + 1);
        if (d && (!t->strides[d] || t->strides[d] % 16))
            return ventus_fault(exec,
                                "cp_dma_tensor: the stride of dimension %u, %llu, is not "
                                "a multiple of 16",
                                d + 1, (unsigned long long)t->strides[d]);
        if (t->box_dims[d] < 1 || t->box_dims[d] > 256 || t->steps[d] < 1 || t->steps[d] > 8)
            return ventus_fault(exec,
                                "cp_dma_tensor: dimension %u of the box has %u elements in "
                                "steps of %u; 1 to 256 and 1 to 8 can be",
                                d + 1, t->box_dims[d], t->steps[d]);
        t->counts[d] = (t->box_dims[d] + t->steps[d] - 1) / t->steps[d];
    }
    return 0;
}

/* Coordinates of the box by its address: the longest stride first. */
static int find_box(struct ventus_exec *exec, struct tensor *t)
{
    uint64_t rest = t->box - t->address;
    if (t->box < t->address)
        return ventus_fault(exec, "cp_dma_tensor: the box begins before the tensor");
    for (uint32_t d = t->rank; d-- > 0;) {
        t->start[d] = rest / t->strides[d];
        rest %= t->strides[d];
    }
    if (rest)
        return ventus_fault(exec, "cp_dma_tensor: the box begins inside an element");
    return 0;
}

/* Bits 4 and up of a local address with those of 7 and up: 32, 64 or 128 bytes change places. */
static uint64_t swizzled(uint64_t address, uint32_t swizzle)
{
    const uint64_t mask = (UINT64_C(1) << swizzle) - 1;
    return address ^ ((address >> 7 & mask) << 4);
}

/* One element, at coordinates index * step from the start of the box. */
static int step_element(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                        const struct tensor *t, const uint32_t index[RANKS], uint64_t to)
{
    struct copy c = {.to = swizzled(to, t->swizzle), .from = t->address, .bytes = t->size};
    bool inside = true;
    for (uint32_t d = 0; d < t->rank; d++) {
        const uint64_t at = t->start[d] + (uint64_t)index[d] * t->steps[d];
        inside &= at < t->dims[d];
        c.from += at * t->strides[d];
    }
    c.given = inside ? t->size : 0;
    if (move(exec, w, e, &c) != 0)
        return 1;
    if (!inside && t->nan) {
        uint8_t *at = ventus_memory_at(exec->memory, (uint32_t)c.to, t->size);
        for (uint32_t i = 0; i < t->size; i++)
            at[i] = (uint8_t)(types[t->type].nan >> 8 * i);
    }
    return 0;
}

static int step_tensor(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    struct tensor t = {.rank = 0};
    uint32_t index[RANKS] = {0};
    uint64_t to = w->x[e->rd], all = 1;
    uint8_t *unused;
    if (read_tensor(exec, w, e, &t) != 0 || find_box(exec, &t) != 0)
        return 1;
    for (uint32_t d = 0; d < t.rank; d++)
        all *= t.counts[d];
    if (to % 16 || (t.swizzle && to % 128))
        return ventus_fault(exec, "cp_dma_tensor to 0x%08llx, which is not a multiple of %d",
                            (unsigned long long)to, t.swizzle ? 128 : 16);
    if (find_local(exec, w, to, all * t.size, &unused) != 0)
        return 1;
    e->access.count = 1;
    e->access.bytes = (uint32_t)all * t.size;
    e->access.address[0] = (uint32_t)t.box;
    for (uint64_t i = 0; i < all; i++, to += t.size) {
        if (step_element(exec, w, e, &t, index, to) != 0)
            return 1;
        for (uint32_t d = 0; d < t.rank && ++index[d] == t.counts[d]; d++)
            index[d] = 0;
    }
    return 0;
}

int ventus_step_copy(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    w->copies = true;
    switch (e->op->form) {
    case FORM_DMA:
        return step_lanes(exec, w, e);
    case FORM_DMA_BULK:
        return step_bulk(exec, w, e);
    default:
        return step_tensor(exec, w, e);
    }
}
