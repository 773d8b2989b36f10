/* exec_state: internal state of exec.c, exec_new.c, csr.c, log.c and words.c. */
#ifndef TAKT_FUNCTIONAL_KELVIN_EXEC_STATE_H
#define TAKT_FUNCTIONAL_KELVIN_EXEC_STATE_H

#include "functional/kelvin/exec.h"

enum { LOG_BYTES = 4096, LOG_ARGUMENTS = 64, EXEC_BLOCK = 1 << 16 };

/* Arguments collected for the next flog. */
struct log {
    uint32_t count, used;
    bool open; /* a clog string is not yet terminated */
    struct {
        uint32_t value;  /* value of slog */
        uint32_t string; /* offset + 1 of its string in text; 0: a scalar */
    } arguments[LOG_ARGUMENTS];
    char text[LOG_BYTES];
};

struct kelvin_exec {
    const struct kelvin_program *program;
    struct kelvin_exec_options options;
    struct kelvin_state state;
    struct riscv_memory memory[KELVIN_RANGES]; /* one per range of the program, linked by `more` */
    /* A flag for each EXEC_BLOCK bytes of them in turn: set before the first instruction. */
    uint8_t *blocks;
    struct kelvin_insn *code; /* decoded, program->code_words of them */
    uint32_t *stmts;          /* their statements */
    enum kelvin_end end;
    uint32_t end_stmt, last; /* the statement that ended the run; the last one executed */
    bool printed;            /* flog has printed */
    /* mcycle needs a cycle of the timing model; it is known for the next instruction */
    bool timed, given;
    bool counted; /* mcycle was read without a timing model */
    char sentence[600];
    bool failed;
    struct log log;
    uint8_t x_words[32 * 8]; /* x registers as words of 64 bits (words.c) */
};

/* exec_new.c: bytes of memory are set before the first instruction. Others are zero then. */
void kelvin_exec_give(struct kelvin_exec *exec, const uint8_t *bytes, size_t size);
/* The instructions that are in memory now. */
void kelvin_exec_decode(struct kelvin_exec *exec);

/* csr.c: execute csrr..: rd receives the old value. False: undefined instruction. */
bool kelvin_access_csr(struct kelvin_exec *exec, const struct riscv_op *op);

/* log.c: slog, clog, klog and flog. */
void kelvin_log(struct kelvin_exec *exec, enum kelvin_family family, uint32_t value);
/* Print the gets of a statement; RISCV_NO_STMT: those at the end. */
void kelvin_print_gets(struct kelvin_exec *exec, uint32_t stmt);

#endif
