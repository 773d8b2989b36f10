/* warp: what each kind of instruction needs of its warp: lanes, registers, flags, faults. */
#include "functional/ventus/exec.h"

#include <stdarg.h>
#include <string.h>

int ventus_fault(struct ventus_exec *exec, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(exec->error, sizeof exec->error, format, arguments);
    va_end(arguments);
    return 1;
}

void ventus_write_v(struct ventus_exec *exec, struct ventus_warp *w, uint32_t reg, uint32_t mask,
                    const uint32_t value[VENTUS_LANES])
{
    uint32_t *to = w->v[reg];
    if (!mask)
        return;
    w->v_known[reg] |= mask;
    for (uint32_t i = 0; i < VENTUS_LANES; i++)
        to[i] = mask >> i & 1 ? value[i] : to[i];
    ventus_note(exec, reg, VENTUS_KEY_V);
}

void ventus_raise(struct ventus_exec *exec, struct ventus_warp *w, uint8_t flags)
{
    if (!flags)
        return;
    w->fcsr.flags |= flags;
    ventus_note(exec, 1, VENTUS_KEY_CSR); /* fflags */
}

static uint32_t all_lanes(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

void ventus_group_start(struct ventus_exec *exec, struct ventus_group *group, uint32_t number,
                        uint32_t slot)
{
    const struct ventus_launch *launch = exec->launch;
    const uint32_t threads = launch->threads * launch->warps;
    struct ventus_warp *warps = group->warps;
    *group = (struct ventus_group){.x = number % launch->grid[0],
                                   .y = number / launch->grid[0] % launch->grid[1],
                                   .z = number / launch->grid[0] / launch->grid[1],
                                   .slot = slot,
                                   .local = VENTUS_LOCAL_BASE + slot * launch->local,
                                   .private_base =
                                       launch->private_base + number * threads * launch->private,
                                   .count = launch->warps,
                                   .stamp = ++exec->stamps,
                                   .warps = warps};
    memset(warps, 0, launch->warps * sizeof *warps);
    for (uint32_t i = exec->reservation_count; i-- > 0;)
        if (exec->reservations[i].warp >= warps &&
            exec->reservations[i].warp < warps + launch->warps)
            exec->reservations[i].address = UINT32_MAX;
    for (uint32_t w = 0; w < launch->warps; w++) {
        warps[w].pc = launch->start;
        warps[w].active = all_lanes(launch->threads);
        warps[w].vl = launch->threads;
        warps[w].vtype = 0xd0;
        warps[w].mstatus = UINT32_C(0x80000600); /* vector state dirty */
        warps[w].x_known = 1;
        warps[w].number = w;
        warps[w].group = group;
    }
}

uint32_t ventus_lanes(const struct ventus_exec *exec, const struct ventus_warp *w,
                      const struct ventus_op *op, uint32_t g)
{
    const uint32_t threads = exec->launch->threads, before = g * threads;
    const uint32_t count = w->vl <= before            ? 0
                           : w->vl - before < threads ? w->vl - before
                                                      : threads;
    uint32_t mask = w->active & all_lanes(count);
    if (op->masked)
        for (uint32_t i = 0; i < threads; i++)
            if (!(w->v[g][i] & 1))
                mask &= ~(UINT32_C(1) << i);
    return mask;
}
