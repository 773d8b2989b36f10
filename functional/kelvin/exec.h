/*
 * exec: executes the instructions in program order.
 *
 *   struct kelvin_program --kelvin_exec_advance--> struct kelvin_state, memory
 *                                             \--> steps: input of the timing model
 *
 * A run ends by mpause in machine mode, or in user mode by a trap while mtvec is 0. ebreak aborts
 * it: programs use it when their own checks fail. Faults are undefined instructions and usage
 * faults in machine mode, or in user mode while mtvec is 0. Code is decoded at the start and after
 * each fence.i; only words of the program's code can be executed.
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_EXEC_H
#define TAKT_FUNCTIONAL_KELVIN_EXEC_H

#include "functional/init.h"
#include "functional/kelvin/program.h"
#include "functional/place.h"

/* One executed instruction. */
struct kelvin_step {
    uint32_t stmt;
    uint32_t address; /* first piece of a load or store; the address of flushat */
    uint32_t value;   /* the scalar operand xs2 of a vector instruction */
    uint32_t stride;  /* distance of pieces in memory */
    uint16_t pieces, piece, last;
    uint8_t taken;    /* control did not continue with the next word */
    uint8_t quotient; /* of a division: significant bits of the longer operand */
};

enum kelvin_end { KELVIN_RUNS, KELVIN_ENDED, KELVIN_BROKE_OFF, KELVIN_FAULTED };

struct kelvin_exec;

struct kelvin_exec_options {
    FILE *dump;       /* output of get and log instructions; NULL discards it */
    struct init init; /* contents of registers and memory not set by the program */
    bool reference;   /* use the plain C bodies */
};

/* NULL when memory is out. */
struct kelvin_exec *kelvin_exec_new(const struct kelvin_program *program,
                                    const struct kelvin_exec_options *options);
void kelvin_exec_free(struct kelvin_exec *exec);
/* An independent run from the current state of this one, without a dump. NULL when memory is
 * out. */
struct kelvin_exec *kelvin_exec_copy(const struct kelvin_exec *exec);

/* Execute at most `budget` instructions; writes one row each to steps (may be NULL). Returns their
 * number. */
uint64_t kelvin_exec_advance(struct kelvin_exec *exec, uint64_t budget, struct kelvin_step *steps);
/* From here on mcycle is the cycle of the timing model: kelvin_exec_advance stops before an
 * instruction that accesses it, kelvin_exec_asks returns that statement (else RISCV_NO_STMT), and
 * kelvin_exec_tell supplies the cycle. Without a timing model mcycle counts instructions. */
void kelvin_exec_time(struct kelvin_exec *exec);
uint32_t kelvin_exec_asks(const struct kelvin_exec *exec);
void kelvin_exec_tell(struct kelvin_exec *exec, uint64_t cycle);
enum kelvin_end kelvin_exec_end(const struct kelvin_exec *exec);
/* How the run ended: "mpause at 0x40 (main+0x10, k.s:12)". */
const char *kelvin_exec_sentence(const struct kelvin_exec *exec);
uint64_t kelvin_exec_done(const struct kelvin_exec *exec); /* instructions executed so far */
/* The last statement of an ended run, or RISCV_NO_STMT. */
uint32_t kelvin_exec_stmt(const struct kelvin_exec *exec);
/* True if the dump could not be written. */
bool kelvin_exec_failed(const struct kelvin_exec *exec);

const struct kelvin_state *kelvin_exec_state(const struct kelvin_exec *exec);
/* Equal registers and memory have equal hashes. Words of code count only as far as they differ from
 * those that were loaded. */
uint64_t kelvin_exec_hash(const struct kelvin_exec *exec);

/* m:ADDR or m:SYMBOL, x@N (one word per register, its high half 0), v@N or v@N:WORD; --save without
 * +COUNT saves one x or v register. */
struct place_owner kelvin_exec_places(struct kelvin_exec *exec);

#endif
