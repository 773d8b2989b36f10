/* access: instructions that touch memory. */
#include <string.h>

#include "functional/ventus/exec.h"

static uint32_t width(uint8_t body)
{
    switch (body) {
    case BODY_LOAD_B:
    case BODY_LOAD_BU:
    case BODY_STORE_B:
        return 1;
    case BODY_LOAD_H:
    case BODY_LOAD_HU:
    case BODY_STORE_H:
        return 2;
    default:
        return 4;
    }
}

static bool is_store(uint8_t body)
{
    return body >= BODY_STORE_B && body <= BODY_STORE_W;
}

static bool is_atomic(const struct ventus_op *op)
{
    return op->form >= FORM_AMO && op->form <= FORM_LR64;
}

/* The place of an access, or NULL with a sentence. */
static uint8_t *place(struct ventus_exec *exec, const struct ventus_effect *e, uint64_t address)
{
    const uint32_t bytes = e->access.bytes;
    const char *what = e->access.atomic ? "atomic access" : e->access.store ? "store" : "load";
    if (address % bytes) {
        ventus_fault(exec, "%s of %u bytes at 0x%08llx, which is not a multiple of %u", what, bytes,
                     (unsigned long long)address, bytes);
        return NULL;
    }
    uint8_t *at =
        address >> 32 ? NULL : ventus_local_at(exec->memory, (uint32_t)address, bytes, exec->sm);
    if (!at)
        ventus_fault(exec, "%s of %u bytes at 0x%08llx, where no buffer is", what, bytes,
                     (unsigned long long)address);
    return at;
}

static uint32_t get(const uint8_t *at, uint8_t body)
{
    const uint32_t half =
        (uint32_t)(at[0] | at[1] * (body == BODY_LOAD_B || body == BODY_LOAD_BU ? 0 : 256));
    switch (body) {
    case BODY_LOAD_B:
        return (uint32_t)(int8_t)at[0];
    case BODY_LOAD_BU:
        return at[0];
    case BODY_LOAD_H:
        return (uint32_t)(int16_t)half;
    case BODY_LOAD_HU:
        return half;
    default:
        return half | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
}

static void put(uint8_t *at, uint32_t bytes, uint32_t value)
{
    for (uint32_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* A store that leaves bytes unchanged does not race with others that store the same. */
static enum ventus_touch kind_of(const uint8_t *at, uint32_t bytes, uint32_t value)
{
    for (uint32_t i = 0; i < bytes; i++)
        if (at[i] != (uint8_t)(value >> 8 * i))
            return VENTUS_TOUCH_WRITE;
    return VENTUS_TOUCH_SAME;
}

/* Remove entry i. */
static void forget(struct ventus_exec *exec, uint32_t i)
{
    struct ventus_reservation *r = exec->reservations;
    memmove(&r[i], &r[i + 1], (--exec->reservation_count - i) * sizeof *r);
}

/* Local memory is another one in each SM. */
void ventus_unreserve(struct ventus_exec *exec, const struct ventus_warp *w, uint32_t address,
                      uint32_t bytes)
{
    const bool local = address - VENTUS_LOCAL_BASE < VENTUS_LOCAL_SPACE;
    for (uint32_t i = exec->reservation_count; i-- > 0;) {
        const struct ventus_reservation *r = &exec->reservations[i];
        if (r->warp != w && (!local || r->sm == exec->sm) &&
            (r->address - address < bytes || address - r->address < 4))
            forget(exec, i);
    }
}

/* Whether the warp has it; afterwards it has none. */
static bool take_reservation(struct ventus_exec *exec, const struct ventus_warp *w,
                             uint32_t address)
{
    bool taken = false;
    for (uint32_t i = exec->reservation_count; i-- > 0;)
        if (exec->reservations[i].warp == w) {
            taken = exec->reservations[i].address == address;
            forget(exec, i);
        }
    return taken;
}

static void reserve(struct ventus_exec *exec, const struct ventus_warp *w, uint32_t address)
{
    take_reservation(exec, w, address);
    if (exec->reservation_count == VENTUS_RESERVATIONS)
        forget(exec, 0);
    exec->reservations[exec->reservation_count++] =
        (struct ventus_reservation){w, address, exec->sm};
}

/* A store of one value, of at most four bytes. */
static void store(struct ventus_exec *exec, struct ventus_warp *w, uint8_t *at, uint32_t address,
                  uint32_t bytes, uint32_t value)
{
    if (exec->reservation_count)
        ventus_unreserve(exec, w, address, bytes);
    if (exec->check)
        ventus_touch(exec, w, address, bytes, kind_of(at, bytes, value));
    put(at, bytes, value);
}

static uint32_t load(struct ventus_exec *exec, struct ventus_warp *w, const uint8_t *at,
                     uint32_t address, uint32_t bytes, uint8_t body)
{
    if (exec->check)
        ventus_touch(exec, w, address, bytes, VENTUS_TOUCH_READ);
    return get(at, body);
}

/* Registers of 32 bits that form one element in memory: more than one after a prefix. */
static uint32_t words_of(const struct ventus_warp *w)
{
    return w->prefix.memory ? w->prefix.words : 1;
}

static int check_words(struct ventus_exec *exec, const struct ventus_warp *w,
                       const struct ventus_effect *e, uint32_t first, uint32_t registers)
{
    const uint32_t words = words_of(w);
    if (words == 1)
        return 0;
    if (e->access.bytes != 4 || e->access.atomic)
        return ventus_fault(exec, "a width of %u bits for an access that is not of words",
                            32 * words);
    if (first + words > registers)
        return ventus_fault(exec, "%u registers from %u on, of %u", words, first, registers);
    return 0;
}

/* --- scalars ---------------------------------------------------------------------------------- */

static uint8_t base_body(uint16_t insn)
{
    switch (insn) {
    case RISCV_LB:
        return BODY_LOAD_B;
    case RISCV_LH:
        return BODY_LOAD_H;
    case RISCV_LW:
        return BODY_LOAD_W;
    case RISCV_LBU:
        return BODY_LOAD_BU;
    case RISCV_LHU:
        return BODY_LOAD_HU;
    case RISCV_SB:
        return BODY_STORE_B;
    case RISCV_SH:
        return BODY_STORE_H;
    default:
        return BODY_STORE_W;
    }
}

/* Result of an atomic operation's body. */
static uint32_t combine(uint8_t body, uint32_t old, uint32_t operand)
{
    switch (body) {
    case BODY_ADD:
        return old + operand;
    case BODY_XOR:
        return old ^ operand;
    case BODY_AND:
        return old & operand;
    case BODY_OR:
        return old | operand;
    case BODY_MIN:
        return (int32_t)old < (int32_t)operand ? old : operand;
    case BODY_MAX:
        return (int32_t)old > (int32_t)operand ? old : operand;
    case BODY_MINU:
        return old < operand ? old : operand;
    case BODY_MAXU:
        return old > operand ? old : operand;
    default:
        return operand;
    }
}

static int step_atomic(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                       uint8_t *at)
{
    const uint8_t body = e->op->body;
    const uint32_t address = e->access.address[0];
    if (exec->check)
        ventus_touch(exec, w, address, 4, VENTUS_TOUCH_ATOMIC);
    const uint32_t old = get(at, BODY_LOAD_W), operand = w->x[e->rs2];
    const bool fails = body == BODY_SC && !take_reservation(exec, w, address);
    if (body != BODY_LR && !fails) {
        exec->stored[0] = combine(body, old, operand);
        put(at, 4, exec->stored[0]);
        ventus_unreserve(exec, w, address, 4);
    }
    if (body == BODY_LR)
        reserve(exec, w, address);
    ventus_write_x(exec, w, e->rd, body == BODY_SC ? fails : old);
    return 0;
}

/* A pair of registers, the even one is the low half. */
static uint64_t scalar_base(const struct ventus_warp *w, uint32_t reg, bool pair)
{
    return pair && reg ? (uint64_t)w->x[reg + 1] << 32 | w->x[reg] : w->x[reg];
}

static int step_scalar(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const uint8_t body = op->form == FORM_RISCV ? base_body(op->insn) : op->body;
    const bool atomic = is_atomic(op);
    const bool pair = op->form == FORM_AMO64 || op->form == FORM_LR64 || op->form == FORM_LOAD64 ||
                      op->form == FORM_STORE64 || (w->prefix.memory && w->prefix.pair);
    if (pair && (e->rs1 & 1))
        return ventus_fault(exec, "a pair of registers begins at an even one");
    if (w->prefix.memory && w->prefix.space == VENTUS_IN_PRIVATE)
        return ventus_fault(exec, "private memory is that of a lane: a scalar has none");
    const uint64_t offset = (uint64_t)(int64_t)(atomic ? 0 : op->imm);
    const uint32_t local =
        w->prefix.memory && w->prefix.space == VENTUS_IN_LOCAL ? w->group->local : 0;
    const uint64_t sum = scalar_base(w, e->rs1, pair) + offset + local;
    const uint64_t address = pair ? sum : (uint32_t)sum;
    e->access.bytes = width(body);
    e->access.store = atomic ? body != BODY_LR : is_store(body);
    e->access.atomic = atomic;
    const uint32_t first = e->access.store ? e->rs2 : e->rd, words = words_of(w);
    if (check_words(exec, w, e, first, VENTUS_XREGS) != 0)
        return 1;
    e->access.count = 1;
    e->access.address[0] = (uint32_t)address;
    exec->stored[0] = w->x[e->rs2];
    for (uint32_t k = 0; k < words; k++) {
        const uint64_t here = address + 4 * k;
        uint8_t *at = place(exec, e, here);
        if (!at)
            return 1;
        if (atomic)
            return step_atomic(exec, w, e, at);
        const uint32_t bytes = e->access.bytes;
        if (e->access.store)
            store(exec, w, at, (uint32_t)here, bytes, w->x[e->rs2 + k]);
        else
            ventus_write_x(exec, w, e->rd + k, load(exec, w, at, (uint32_t)here, bytes, body));
    }
    e->access.bytes *= words;
    return 0;
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* Private memory: words of all threads of the workgroup are adjacent. */
static uint32_t private_address(const struct ventus_exec *exec, const struct ventus_warp *w,
                                uint32_t offset, uint32_t lane)
{
    const struct ventus_launch *launch = exec->launch;
    return w->group->private_base + (offset & ~3u) * launch->threads * launch->warps +
           (w->number * launch->threads + lane) * 4 + (offset & 3);
}

/* Whether the address is a pair of registers. */
static bool is_pair(const struct ventus_warp *w, const struct ventus_op *op)
{
    return op->form == FORM_DLOAD || op->form == FORM_DSTORE ||
           (w->prefix.memory && w->prefix.pair);
}

static bool base_is_vector(const struct ventus_op *op)
{
    return op->form >= FORM_VLOAD && op->form <= FORM_DSTORE;
}

/* Base and offset of a lane, and what the instruction says of the space. */
struct lane_place {
    uint64_t base, offset;
    uint8_t space;
};

static struct lane_place lane_place(const struct ventus_exec *exec, const struct ventus_warp *w,
                                    const struct ventus_effect *e, uint32_t g, uint32_t lane)
{
    const struct ventus_op *op = e->op;
    const uint32_t index = g * exec->launch->threads + lane, bytes = width(op->body);
    const bool pair = is_pair(w, op);
    struct lane_place p = {.space = VENTUS_IN_GLOBAL};
    if (base_is_vector(op)) {
        const uint32_t reg = (e->rs1 + g) % VENTUS_VREGS;
        p.base = w->v[reg][lane] | (pair ? (uint64_t)w->v[reg + 1][lane] << 32 : 0);
        p.offset = (uint64_t)(int64_t)op->imm;
    } else {
        p.base = scalar_base(w, e->rs1, pair);
        p.offset = op->form == FORM_VLE || op->form == FORM_VSE ? index * bytes
                   : op->form == FORM_VLSE || op->form == FORM_VSSE
                       ? index * w->x[e->rs2]
                       : w->v[(e->rs2 + g) % VENTUS_VREGS][lane];
    }
    if (op->form == FORM_VLOAD || op->form == FORM_VSTORE)
        p.space = p.base >> 24 ? VENTUS_IN_GLOBAL : VENTUS_IN_PRIVATE;
    else if (op->form == FORM_PLOAD || op->form == FORM_PSTORE)
        p.space = VENTUS_IN_PRIVATE;
    else if (op->form == FORM_LLOAD || op->form == FORM_LSTORE)
        p.space = VENTUS_IN_LOCAL;
    if (w->prefix.memory && w->prefix.space != VENTUS_IN_DEFAULT)
        p.space = w->prefix.space;
    return p;
}

static uint64_t lane_address(const struct ventus_exec *exec, const struct ventus_warp *w,
                             const struct ventus_effect *e, uint32_t g, uint32_t lane)
{
    const struct lane_place p = lane_place(exec, w, e, g, lane);
    const uint64_t sum = p.base + p.offset;
    if (p.space == VENTUS_IN_PRIVATE)
        return private_address(exec, w, (uint32_t)sum, lane);
    const uint64_t local = p.space == VENTUS_IN_LOCAL ? w->group->local : 0;
    return is_pair(w, e->op) ? sum + local : (uint32_t)(sum + local);
}

/* Words of one lane from `at` on; wide private ones are apart, as those of all threads are. */
static int step_lane(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                     uint32_t g, uint32_t lane)
{
    const struct ventus_op *op = e->op;
    const bool named = e->access.store && base_is_vector(op); /* data is vs2 */
    const uint32_t first = named ? e->rs2 : e->access.store ? e->rs3 : e->rd;
    const uint64_t address = lane_address(exec, w, e, g, lane);
    const bool apart = lane_place(exec, w, e, g, lane).space == VENTUS_IN_PRIVATE;
    const uint32_t step = apart ? 4 * exec->launch->threads * exec->launch->warps : 4;
    exec->stored[e->access.count] = w->v[(first + g) % VENTUS_VREGS][lane];
    e->access.address[e->access.count++] = (uint32_t)address;
    for (uint32_t k = 0; k < words_of(w); k++) {
        const uint64_t here = address + (uint64_t)k * step;
        uint8_t *at = place(exec, e, here);
        if (!at)
            return 1;
        uint32_t *data = &w->v[(first + g + k) % VENTUS_VREGS][lane];
        if (e->access.store)
            store(exec, w, at, (uint32_t)here, e->access.bytes, *data);
        else
            *data = load(exec, w, at, (uint32_t)here, e->access.bytes, op->body);
    }
    return 0;
}

static int step_group(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                      uint32_t g)
{
    const uint32_t mask = ventus_lanes(exec, w, e->op, g);
    e->mask |= mask;
    for (uint32_t i = 0; i < exec->launch->threads; i++)
        if (mask >> i & 1 && step_lane(exec, w, e, g, i) != 0) {
            char sentence[VENTUS_SENTENCE];
            memcpy(sentence, exec->error, sizeof sentence);
            return ventus_fault(exec, "lane %u: %.200s", i, sentence);
        }
    if (!mask || e->access.store)
        return 0;
    for (uint32_t k = 0; k < words_of(w); k++) {
        const uint32_t reg = (e->rd + g + k) % VENTUS_VREGS;
        w->v_known[reg] |= mask;
        ventus_note(exec, reg, VENTUS_KEY_V);
    }
    return 0;
}

static int check_lanes(struct ventus_exec *exec, const struct ventus_warp *w,
                       const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const bool pair = is_pair(w, op);
    const uint32_t first = !e->access.store ? e->rd : base_is_vector(op) ? e->rs2 : e->rs3;
    if (pair && (e->rs1 & 1))
        return ventus_fault(exec, "a pair of registers begins at an even one");
    if ((w->vtype & 1) && (pair || words_of(w) > 1))
        return ventus_fault(exec, "several registers of a lane with groups of two registers");
    return check_words(exec, w, e, first, VENTUS_VREGS);
}

int ventus_step_access(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    if (!ventus_is_vector(op))
        return step_scalar(exec, w, e);
    e->access.bytes = width(op->body);
    e->access.store = is_store(op->body);
    if (check_lanes(exec, w, e) != 0)
        return 1;
    w->vstart = 0;
    if (op->form == FORM_VSTORE)
        ventus_note(exec, 0, VENTUS_KEY_HINT);
    ventus_note(exec, 8, VENTUS_KEY_CSR);
    for (uint32_t g = 0; g <= (w->vtype & 1); g++)
        if (step_group(exec, w, e, g) != 0)
            return 1;
    e->access.bytes *= words_of(w);
    return 0;
}

const char *ventus_access_illegal(const struct ventus_op *whole, const struct ventus_prefix *prefix)
{
    const bool vector = ventus_is_vector(whole), atomic = is_atomic(whole);
    const uint8_t body = whole->form == FORM_RISCV ? base_body(whole->insn) : whole->body;
    const bool stores = atomic ? body != BODY_LR : is_store(body);
    const uint32_t words = prefix->memory ? prefix->words : 1, bytes = width(body);
    const uint32_t first = !stores                            ? whole->rd
                           : vector && !base_is_vector(whole) ? whole->rs3
                                                              : whole->rs2;
    if (words > 1 && (bytes != 4 || atomic))
        return "a width of more than 32 bits for an access that is not of words";
    if (words > 1 && first + words > (vector ? VENTUS_VREGS : VENTUS_XREGS))
        return "registers beyond the last one";
    return !vector && !whole->rs1 && !atomic && whole->imm % (int32_t)bytes
               ? "an address that is not a multiple of the size"
               : NULL;
}
