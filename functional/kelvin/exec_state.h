/* exec_state: of exec.c and its neighbours alone. */
#ifndef TAKT_FUNCTIONAL_KELVIN_EXEC_STATE_H
#define TAKT_FUNCTIONAL_KELVIN_EXEC_STATE_H

#include "functional/kelvin/exec.h"

enum { LOG_BYTES = 4096, LOG_ARGUMENTS = 64 };

/* The record that flog closes. */
struct log {
    uint32_t count, used;
    bool open; /* a string of clog has not ended */
    struct {
        uint32_t value;  /* of slog */
        uint32_t string; /* from 1: where it begins in text; 0: a scalar */
    } arguments[LOG_ARGUMENTS];
    char text[LOG_BYTES];
};

struct kelvin_exec {
    const struct kelvin_program *program;
    struct kelvin_exec_options options;
    struct kelvin_state state;
    struct riscv_memory memory[KELVIN_RANGES]; /* of program->ranges, one `more` of the other */
    struct kelvin_insn *code;                  /* of program->code_words */
    uint32_t *stmts;                           /* and their statements */
    enum kelvin_end end;
    uint32_t end_stmt, last; /* that ended it; executed last */
    bool printed;            /* a record was closed */
    bool timed, given;       /* cycles are asked for; that of the next instruction is known */
    bool counted;            /* mcycle was read without a time */
    char sentence[600];
    uint32_t next_get;
    bool failed;
    struct log log;
    uint8_t x_words[32 * 8]; /* x registers as words of 64 bits (words.c) */
};

/* csr.c: the instruction csrr..: rd gets the old value. False: it is undefined. */
bool kelvin_access_csr(struct kelvin_exec *exec, const struct riscv_op *op);

/* log.c: slog, clog, klog and flog. */
void kelvin_log(struct kelvin_exec *exec, enum kelvin_family family, uint32_t value);
/* Gets of a statement, RISCV_NO_STMT: of the end. */
void kelvin_print_gets(struct kelvin_exec *exec, uint32_t stmt);

#endif
