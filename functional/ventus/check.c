#include "functional/ventus/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "functional/ventus/exec.h"
#include "functional/ventus/work.h"

const char *const ventus_names[VENTUS_NAMES + 1] = {
    [VENTUS_NAME_UNINITIALISED] = "uninitialised",
    [VENTUS_NAME_REGISTERS] = "registers",
    [VENTUS_NAME_RACE] = "race",
    [VENTUS_NAME_BEYOND_BUFFER] = "beyond-buffer",
    [VENTUS_NAME_BARRIER] = "barrier",
    [VENTUS_NAME_ILLEGAL] = "illegal",
};

enum {
    PAGE_BITS = 12,
    PAGES = 1 << (32 - PAGE_BITS),
    SAID = 1024 /* a power of two, well above all that is ever said */
};

/* What the warps of one workgroup did to a word, or to a byte, since the barrier `stamp`: a bit a
 * warp. */
struct shadow {
    uint32_t stamp;
    uint32_t writers, readers, atomics;
    uint32_t write_pc, read_pc;
    bool copied;
};

struct shadow_page {
    bool bytes;    /* an entry a byte; else one a word */
    uint32_t next; /* number of the page that was made before, and 1; 0: it was the first */
    struct shadow entries[];
};

struct ventus_check {
    void (*find)(void *context, const struct ventus_finding *finding);
    void *context;
    uint32_t counts[VENTUS_NAMES];
    uint64_t said[SAID]; /* of what has been said: its key; 0: none */
    uint32_t keys;
    struct shadow_page **pages; /* by number; few are there */
    uint32_t last;              /* number of the one made last, and 1; 0: there are no pages */
};

struct ventus_check *
ventus_check_new(void (*find)(void *context, const struct ventus_finding *finding), void *context)
{
    struct ventus_check *check = calloc(1, sizeof *check);
    if (!check)
        return NULL;
    *check = (struct ventus_check){.find = find, .context = context};
    check->pages = calloc(PAGES, sizeof(struct shadow_page *));
    if (check->pages)
        return check;
    free(check);
    return NULL;
}

void ventus_check_free(struct ventus_check *check)
{
    if (!check)
        return;
    for (uint32_t next; check->last; check->last = next) {
        struct shadow_page *page = check->pages[check->last - 1];
        next = page->next;
        free(page);
    }
    free(check->pages);
    free(check);
}

/* --- what is said ----------------------------------------------------------------------------- */

/* Whether it is the first time; `other` distinguishes findings of one place. */
static bool first_time(struct ventus_check *check, enum ventus_name name, uint32_t pc,
                       uint32_t other)
{
    const uint64_t key = ((uint64_t)pc << 32 | other) * VENTUS_NAMES * 2 + 2 * name + 1;
    if (check->counts[name] > VENTUS_FINDINGS)
        return false;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 54);
    while (check->said[at] && check->said[at] != key)
        at = (at + 1) % SAID;
    if (check->said[at])
        return false;
    check->said[at] = key;
    check->counts[name]++;
    return true;
}

__attribute__((format(printf, 4, 5))) static void say(struct ventus_check *check,
                                                      enum ventus_name name,
                                                      const struct ventus_warp *w,
                                                      const char *format, ...)
{
    struct ventus_finding finding = {.name = name, .pc = w->pc};
    va_list arguments;
    const int at =
        snprintf(finding.sentence, VENTUS_FINDING, "workgroup (%u, %u, %u), warp %u: ", w->group->x,
                 w->group->y, w->group->z, w->number);
    va_start(arguments, format);
    vsnprintf(finding.sentence + at, (size_t)(VENTUS_FINDING - at), format, arguments);
    va_end(arguments);
    if (check->counts[name] > VENTUS_FINDINGS)
        snprintf(finding.sentence, VENTUS_FINDING,
                 "more places of this kind than the %d above are not listed", VENTUS_FINDINGS);
    check->find(check->context, &finding);
}

/* --- registers -------------------------------------------------------------------------------- */

static void check_scalars(struct ventus_exec *exec, const struct ventus_warp *w, uint64_t set,
                          bool read)
{
    const uint32_t most = exec->launch->sgprs;
    const uint64_t unknown = read ? set & ~w->x_known : 0;
    const uint32_t one = unknown ? (uint32_t)__builtin_ctzll(unknown) : 0;
    if (one && first_time(exec->check, VENTUS_NAME_UNINITIALISED, w->pc, 0))
        say(exec->check, VENTUS_NAME_UNINITIALISED, w, "reads x%u%s%s, which nothing has written",
            one, one < 32 ? ", " : "", one < 32 ? riscv_register_names[one] : "");
    if (most < VENTUS_XREGS && set >> most &&
        first_time(exec->check, VENTUS_NAME_REGISTERS, w->pc, 0))
        say(exec->check, VENTUS_NAME_REGISTERS, w, "x%d of a launch with %u scalar registers",
            63 - __builtin_clzll(set), most);
}

static void check_vectors(struct ventus_exec *exec, const struct ventus_warp *w,
                          const struct span *span, const uint32_t lanes[2], bool read)
{
    const uint32_t most = exec->launch->vgprs, end = span->first + span->count;
    for (uint32_t r = span->first; read && r < end && r < VENTUS_VREGS; r++) {
        const uint32_t unknown = lanes[(w->vtype & 1) && r > span->first] & ~w->v_known[r];
        if (unknown && first_time(exec->check, VENTUS_NAME_UNINITIALISED, w->pc, VENTUS_XREGS))
            say(exec->check, VENTUS_NAME_UNINITIALISED, w,
                "reads v%u, which nothing has written in lane %d", r, __builtin_ctz(unknown));
    }
    if (end > most && first_time(exec->check, VENTUS_NAME_REGISTERS, w->pc, 1))
        say(exec->check, VENTUS_NAME_REGISTERS, w, "v%u of a launch with %u vector registers",
            end - 1, most);
}

/* A register minus itself, or exclusive-ored with itself, gives the same whatever it holds. */
static bool is_constant(const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    if (e->rs1 != e->rs2 || (op->masked && !e->rs1))
        return false;
    if (op->form == FORM_RISCV)
        return op->insn == RISCV_XOR || op->insn == RISCV_SUB;
    return (op->form == FORM_VV && (op->body == BODY_VXOR || op->body == BODY_VSUB)) ||
           op->body == BODY_VMXOR || op->body == BODY_VMXNOR;
}

void ventus_check_registers(struct ventus_exec *exec, const struct ventus_warp *w,
                            const struct ventus_effect *e)
{
    struct ventus_work_storage storage;
    struct work work;
    struct ventus_op op = *e->op;
    op.two = w->vtype & 1;
    const bool vector = ventus_is_vector(&op);
    const uint32_t lanes[2] = {vector ? ventus_lanes(exec, w, &op, 0) : 0,
                               vector && op.two ? ventus_lanes(exec, w, &op, 1) : 0};
    ventus_work(&op, &w->prefix, &storage, &work);
    /* A function saves registers to private memory whatever they hold. */
    const uint32_t saved = e->op->form == FORM_PSTORE || is_constant(e) ? e->rs2 : UINT32_MAX;
    for (size_t i = 0; i < work.read_count + work.write_count; i++) {
        const bool read = i < work.read_count;
        const struct span *span = read ? &work.reads[i] : &work.writes[i - work.read_count];
        if (span->space == VENTUS_SPACE_X)
            check_scalars(exec, w, span->set, read && !is_constant(e));
        else
            check_vectors(exec, w, span, lanes, read && span->first != saved);
    }
}

/* --- memory ----------------------------------------------------------------------------------- */

static struct shadow_page *make_page(struct ventus_check *check, uint32_t page, bool bytes)
{
    struct shadow_page *old = check->pages[page];
    const size_t count = (size_t)1 << (PAGE_BITS - (bytes ? 0 : 2));
    if (old && (old->bytes || !bytes))
        return old;
    struct shadow_page *new = calloc(1, sizeof *new + count * sizeof *new->entries);
    if (!new) /* continue with less */
        return old;
    new->bytes = bytes;
    new->next = old ? old->next : check->last;
    check->last = old ? check->last : page + 1;
    for (size_t i = 0; old && i < count; i++)
        new->entries[i] = old->entries[i / 4];
    free(old);
    check->pages[page] = new;
    return new;
}

/* The pc of what the access races with, or 0. */
static uint32_t meets(const struct shadow *s, uint32_t own, enum ventus_touch kind,
                      const char **what)
{
    const uint32_t writers = s->writers & ~own, readers = s->readers & ~own,
                   atomics = s->atomics & ~own;
    *what = s->copied ? "copied" : "written";
    switch (kind) {
    case VENTUS_TOUCH_READ:
        if (s->copied || ((writers | atomics) && !(s->writers & own)))
            return s->write_pc;
        return 0;
    case VENTUS_TOUCH_SAME:
        return s->copied ? s->write_pc : 0;
    case VENTUS_TOUCH_ATOMIC:
        if (s->copied || writers)
            return s->write_pc;
        break;
    case VENTUS_TOUCH_WRITE:
    case VENTUS_TOUCH_COPY:
        if ((s->copied && kind == VENTUS_TOUCH_WRITE) || writers || atomics)
            return s->write_pc;
        break;
    }
    *what = "read";
    return readers ? s->read_pc : 0;
}

static void mark(struct shadow *s, uint32_t own, enum ventus_touch kind, uint32_t pc)
{
    if (kind == VENTUS_TOUCH_READ) {
        s->readers |= own;
        s->read_pc = pc;
        return;
    }
    if (kind == VENTUS_TOUCH_SAME) { /* one of those that wrote it, if there are any */
        s->writers |= s->writers ? own : 0;
        return;
    }
    s->write_pc = pc;
    s->atomics |= kind == VENTUS_TOUCH_ATOMIC ? own : 0;
    s->writers |= kind == VENTUS_TOUCH_ATOMIC ? 0 : own;
    s->copied |= kind == VENTUS_TOUCH_COPY;
}

static void touch(struct ventus_exec *exec, const struct ventus_warp *w, struct shadow *s,
                  uint32_t address, enum ventus_touch kind)
{
    static const char *const verbs[] = {"reads", "writes", "writes", "atomically changes",
                                        "copies to"};
    const uint32_t own = UINT32_C(1) << w->number;
    const char *what;
    if (s->stamp != w->group->stamp)
        *s = (struct shadow){.stamp = w->group->stamp};
    const uint32_t pc = meets(s, own, kind, &what);
    if (pc && first_time(exec->check, VENTUS_NAME_RACE, w->pc, pc))
        say(exec->check, VENTUS_NAME_RACE, w, "%s 0x%08x, %s at pc 0x%08x %s with no %s between",
            verbs[kind], address, what, pc, s->copied ? "and not waited for," : "by another warp",
            s->copied ? "cp_dma_mbarrier" : "barrier");
    mark(s, own, kind, w->pc);
}

/* Bytes from the workgroup's local memory on that are its own: where there are others, its local
 * memory; after the local memory of an SM, its stacks. */
static uint32_t own_bytes(const struct ventus_exec *exec, uint32_t address)
{
    const uint32_t *grid = exec->launch->grid;
    if (address - VENTUS_LOCAL_BASE >= VENTUS_LOCAL_SIZE)
        return exec->launch->warps * VENTUS_STACK_SIZE;
    return grid[0] > 1 || grid[1] > 1 || grid[2] > 1 ? exec->launch->local : VENTUS_LOCAL_SIZE;
}

/* Local memory and stacks outside of the workgroup's own. */
static bool is_foreign(const struct ventus_exec *exec, const struct ventus_warp *w,
                       uint32_t address, uint32_t bytes)
{
    const uint32_t from = address - w->group->local, own = own_bytes(exec, address);
    return address - VENTUS_LOCAL_BASE < VENTUS_LOCAL_SPACE && (from >= own || bytes > own - from);
}

void ventus_touch(struct ventus_exec *exec, const struct ventus_warp *w, uint32_t address,
                  uint32_t bytes, enum ventus_touch kind)
{
    struct ventus_check *check = exec->check;
    if (!check)
        return;
    if (ventus_memory_given(exec->memory, address) < bytes &&
        first_time(check, VENTUS_NAME_BEYOND_BUFFER, w->pc, 0))
        say(check, VENTUS_NAME_BEYOND_BUFFER, w,
            "%u bytes at 0x%08x, beyond the end of their buffer", bytes, address);
    if (is_foreign(exec, w, address, bytes) &&
        first_time(check, VENTUS_NAME_BEYOND_BUFFER, w->pc, 1))
        say(check, VENTUS_NAME_BEYOND_BUFFER, w,
            address - VENTUS_LOCAL_BASE < VENTUS_LOCAL_SIZE
                ? "%u bytes at 0x%08x, in local memory that is another workgroup's: this one has "
                  "%u at 0x%08x"
                : "%u bytes at 0x%08x, in no warp's stack: this workgroup has %u bytes of them at "
                  "0x%08x",
            bytes, address, own_bytes(exec, address), w->group->local);
    for (uint32_t done = 0; done < bytes;) {
        const uint32_t at = address + done, offset = at & ((1u << PAGE_BITS) - 1);
        const bool whole = !(at & 3) && bytes - done >= 4;
        struct shadow_page *page = make_page(check, at >> PAGE_BITS, !whole);
        if (!page)
            return;
        touch(exec, w, &page->entries[page->bytes ? offset : offset / 4], at, kind);
        done += page->bytes ? 1 : 4;
    }
}

/* --- barriers --------------------------------------------------------------------------------- */

void ventus_check_barrier(struct ventus_exec *exec, const struct ventus_group *group)
{
    const struct ventus_warp *first = NULL;
    if (!exec->check)
        return;
    for (const struct ventus_warp *w = group->warps; w < group->warps + group->count; w++) {
        if (w->state != VENTUS_WAITS)
            continue;
        first = first ? first : w;
        if (w->copies && first_time(exec->check, VENTUS_NAME_BARRIER, w->pc - 4, 0))
            say(exec->check, VENTUS_NAME_BARRIER, w,
                "a barrier does not wait for copies: cp_dma_mbarrier does");
        if (w->pc != first->pc && first_time(exec->check, VENTUS_NAME_BARRIER, w->pc, first->pc))
            say(exec->check, VENTUS_NAME_BARRIER, w,
                "waits at the barrier at pc 0x%08x, warp %u at that at 0x%08x", w->pc - 4,
                first->number, first->pc - 4);
    }
    if (group->ended && first && first_time(exec->check, VENTUS_NAME_BARRIER, first->pc, 1))
        say(exec->check, VENTUS_NAME_BARRIER, first,
            "the barrier at pc 0x%08x, which %u of %u warps have not reached before they ended",
            first->pc - 4, group->ended, group->count);
}

void ventus_check_end(struct ventus_exec *exec, const struct ventus_warp *w)
{
    if (exec->check && w->copies && first_time(exec->check, VENTUS_NAME_BARRIER, w->pc, 2))
        say(exec->check, VENTUS_NAME_BARRIER, w, "ends with copies that nothing has waited for");
}
