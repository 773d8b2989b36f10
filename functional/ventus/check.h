/*
 * check: what is said of a program while it runs, beyond the faults that end it.
 *
 *   ventus_step, registers, accesses, barriers --> struct ventus_finding --> the caller
 *
 *   uninitialised  a register, or a lane of one, is read that nothing has written
 *   registers      a register beyond those that the launch has
 *   race           two warps of a workgroup at one address with no barrier between, not both loads
 *                  and not both atomic; or bytes of a copy before cp_dma_mbarrier
 *   beyond-buffer  an access after the end of a buffer, in its last page; local memory of another
 *                  workgroup
 *   barrier        warps of a workgroup meet at different barriers, or one has ended before;
 *                  copies that nothing waits for
 *
 * A finding is said once for each place (of a race: each pair of places), and no more than
 * VENTUS_FINDINGS of one name.
 *
 * Races: each word has those that read and wrote it since the workgroup's last barrier (its stamp).
 * A store that leaves its bytes unchanged does not race with other stores. Single bytes are tracked
 * in pages that are accessed by less than words. The order of workgroups is not looked at: another
 * workgroup's access forgets this one's. A cp_dma_mbarrier counts as a barrier of all warps.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_CHECK_H
#define TAKT_FUNCTIONAL_VENTUS_CHECK_H

#include <stddef.h>

#include "functional/ventus/state.h"

enum { VENTUS_FINDINGS = 20, VENTUS_FINDING = 320 };

enum ventus_name {
    VENTUS_NAME_UNINITIALISED,
    VENTUS_NAME_REGISTERS,
    VENTUS_NAME_RACE,
    VENTUS_NAME_BEYOND_BUFFER,
    VENTUS_NAME_BARRIER,
    VENTUS_NAME_ILLEGAL, /* found without a run: illegal.h */
    VENTUS_NAMES
};
extern const char *const ventus_names[VENTUS_NAMES + 1]; /* NULL after the last */

struct ventus_finding {
    enum ventus_name name;
    uint32_t pc;
    char sentence[VENTUS_FINDING];
};

enum ventus_touch {
    VENTUS_TOUCH_READ,
    VENTUS_TOUCH_WRITE,
    VENTUS_TOUCH_SAME, /* a store of what is there */
    VENTUS_TOUCH_ATOMIC,
    VENTUS_TOUCH_COPY /* a store by cp_dma */
};

struct ventus_check;
struct ventus_exec;
struct ventus_effect;

/* find is called with each finding, which is valid during the call. NULL when the host has no
 * memory. */
struct ventus_check *
ventus_check_new(void (*find)(void *context, const struct ventus_finding *finding), void *context);
void ventus_check_free(struct ventus_check *check);

/* --- for the parts of exec; nothing where exec->check is NULL --------------------------------- */

/* Before an instruction: the registers that it reads and names. */
void ventus_check_registers(struct ventus_exec *exec, const struct ventus_warp *warp,
                            const struct ventus_effect *effect);
/* Bytes [address, address + bytes) by the instruction at warp->pc, before they change. */
void ventus_touch(struct ventus_exec *exec, const struct ventus_warp *warp, uint32_t address,
                  uint32_t bytes, enum ventus_touch kind);
/* Before the warps of a workgroup leave a barrier; before one ends. */
void ventus_check_barrier(struct ventus_exec *exec, const struct ventus_group *group);
void ventus_check_end(struct ventus_exec *exec, const struct ventus_warp *warp);

#endif
