/*
 * exec: what the instructions do to registers and memory, one after the other.
 *
 *   struct kelvin_program --kelvin_exec_advance--> struct kelvin_state, memory
 *                                             \--> steps: what the timing needs to know
 *
 * Ends: mpause in machine mode; in user mode whatever goes to the supervisor while mtvec is 0.
 * ebreak breaks off: so ends a program that fails its own checks. Faults: an undefined instruction
 * and a usage fault in machine mode, or in user mode while mtvec is 0. Code is decoded when the run
 * begins and after each fence.i; what is not part of the program's code is not executed.
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_EXEC_H
#define TAKT_FUNCTIONAL_KELVIN_EXEC_H

#include "functional/init.h"
#include "functional/kelvin/program.h"
#include "functional/place.h"

/* One executed instruction. */
struct kelvin_step {
    uint32_t stmt;
    uint32_t address; /* of a load or store, its first piece; of flushat */
    uint32_t value;   /* of the scalar operand xs2 of a vector instruction */
    uint32_t stride;  /* of pieces in memory */
    uint16_t pieces, piece, last;
    uint8_t taken;    /* it did not go on to the next word */
    uint8_t quotient; /* of a division: bits of the longer operand */
};

enum kelvin_end { KELVIN_RUNS, KELVIN_ENDED, KELVIN_BROKE_OFF, KELVIN_FAULTED };

struct kelvin_exec;

struct kelvin_exec_options {
    FILE *dump;       /* of get and log instructions; NULL drops them */
    struct init init; /* of registers and memory that the program does not fill */
    bool reference;   /* plain C */
};

/* NULL when memory is out. */
struct kelvin_exec *kelvin_exec_new(const struct kelvin_program *program,
                                    const struct kelvin_exec_options *options);
void kelvin_exec_free(struct kelvin_exec *exec);
/* A run from the state of this one, without a dump. NULL when memory is out. */
struct kelvin_exec *kelvin_exec_copy(const struct kelvin_exec *exec);

/* Execute at most `budget` instructions; steps (or NULL) gets one row each. Returns how many. */
uint64_t kelvin_exec_advance(struct kelvin_exec *exec, uint64_t budget, struct kelvin_step *steps);
/* From here on mcycle gives what a time says: advance stops before an instruction that accesses it,
 * asks is its statement (else RISCV_NO_STMT), and tell says the cycle for it. Without a time mcycle
 * counts instructions. */
void kelvin_exec_time(struct kelvin_exec *exec);
uint32_t kelvin_exec_asks(const struct kelvin_exec *exec);
void kelvin_exec_tell(struct kelvin_exec *exec, uint64_t cycle);
enum kelvin_end kelvin_exec_end(const struct kelvin_exec *exec);
/* How it ended: "mpause at 0x40 (main+0x10, k.s:12)". */
const char *kelvin_exec_sentence(const struct kelvin_exec *exec);
uint64_t kelvin_exec_done(const struct kelvin_exec *exec); /* instructions so far */
/* Statement that ended it, or RISCV_NO_STMT. */
uint32_t kelvin_exec_stmt(const struct kelvin_exec *exec);
/* The dump could not be written. */
bool kelvin_exec_failed(const struct kelvin_exec *exec);

const struct kelvin_state *kelvin_exec_state(const struct kelvin_exec *exec);
/* Equal registers and memory have equal hashes. */
uint64_t kelvin_exec_hash(const struct kelvin_exec *exec);

/* m:ADDR or m:SYMBOL, x@N (a word for each register, its high half 0), v@N or v@N:WORD; --save
 * without +COUNT: one x register, or one v register. */
struct place_owner kelvin_exec_places(struct kelvin_exec *exec);

#endif
