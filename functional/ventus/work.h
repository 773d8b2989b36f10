/*
 * work: what an instruction of Ventus reads and writes (functional/work.h), and what it is to the
 * machine.
 *
 *   op, prefix --ventus_work--> struct work
 *
 *   stream, statement, next   0, 0 and WORK_END: the caller's
 *   operation                 enum ventus_insn_id, or enum riscv_insn
 *   spaces                    X: scalar registers of the warp; V: vector registers, all lanes
 *   addresses                 none: they are known when it is executed (struct ventus_effect)
 *
 * Registers alone: CSRs, the SIMT stack and memory are not places. Where groups of two vector
 * registers may be (op->two), both count.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_WORK_H
#define TAKT_FUNCTIONAL_VENTUS_WORK_H

#include "functional/ventus/state.h"
#include "functional/work.h"

enum ventus_space { VENTUS_SPACE_X, VENTUS_SPACE_V, VENTUS_SPACES };

/* The unit. */
enum ventus_class {
    VENTUS_CONTROL, /* branches, joins, barriers, configuration: the warp's own */
    VENTUS_SALU,
    VENTUS_VALU,
    VENTUS_MUL,
    VENTUS_FPU,
    VENTUS_SFU, /* divisions, roots, exponentials */
    VENTUS_TENSOR,
    VENTUS_CSR,
    VENTUS_MEMORY,
    VENTUS_CLASSES
};

enum { VENTUS_SPANS = 5 };
struct ventus_work_storage {
    struct span reads[VENTUS_SPANS], writes[VENTUS_SPANS];
};

void ventus_work(const struct ventus_op *op, const struct ventus_prefix *prefix,
                 struct ventus_work_storage *storage, struct work *work);
/* Whether it works on lanes, and needs a vtype for that. */
bool ventus_takes_vtype(const struct ventus_op *op);
enum ventus_class ventus_class_of(const struct ventus_op *op);
/* Whether what comes next is decided by its values: a jump, a branch, a join. */
bool ventus_is_jump(const struct ventus_op *op);
bool ventus_is_prefix(const struct ventus_op *op);
/* What a prefix says of the next instruction; of another op none. */
struct ventus_prefix ventus_prefix_of(const struct ventus_op *op);
/* Register numbers and immediate of the word as the prefix makes them; false: there is no such
 * register, and the op is as it was. */
bool ventus_extend(struct ventus_op *op, const struct ventus_prefix *prefix);
/* What the prefix requests that this instruction cannot do, or NULL. */
const char *ventus_prefix_refused(const struct ventus_op *op, const struct ventus_prefix *prefix);
/* Whether a pair of registers that it takes begins at an odd one. */
bool ventus_has_odd_pair(const struct ventus_op *op, const struct ventus_prefix *prefix);
/* The prefix that an op with whole numbers needs; set is false when it needs none. */
struct ventus_prefix ventus_prefix_for(const struct ventus_op *whole);
/* Whether these are what the prefix makes of its word. */
bool ventus_prefix_makes(const struct ventus_prefix *prefix, const struct ventus_op *whole);
/* Whether REGEXTI and PREFIXI make its immediate longer, and what it is after a prefix. */
bool ventus_extends_imm(const struct ventus_op *op);
int32_t ventus_immediate(const struct ventus_op *op, const struct ventus_prefix *prefix);

#endif
