/*
 * program: the toy's language.
 *
 *   text --toy_parse--> struct toy_program --toy_check--> findings
 *                              |
 *                              +--toy_print--> canonical text
 */
#ifndef TAKT_FUNCTIONAL_TOY_PROGRAM_H
#define TAKT_FUNCTIONAL_TOY_PROGRAM_H

#include <stdio.h>

#include "functional/diag.h"
#include "functional/work.h"

enum { TOY_ACCS = 4, TOY_CELLS = 256, TOY_NO_ACC = TOY_ACCS };

enum toy_insn {
#define INSN(id, mnemonic, form, sentence) TOY_##id,
#include "functional/toy/insn.def"
    TOY_INSNS
};

struct toy_stmt {
    enum toy_insn insn;
    unsigned acc, other;  /* other: the second accumulator, or TOY_NO_ACC */
    int64_t number;       /* in its place */
    uint32_t cell, count; /* cells [cell, cell + count); */
    uint32_t from;        /* a copy reads as many from here on */
    uint32_t file, line, column;
    const char *text; /* in the source */
    size_t length;
};

struct toy_program {
    struct toy_stmt *stmts;
    size_t count, capacity;
    const struct source *sources; /* the caller's */
    size_t source_count;
};

/* Returns 0, 1 when the text has errors (diags say why), -1 when memory is out. To be freed in
 * every case. */
int toy_parse(struct toy_program *program, const struct source *sources, size_t count,
              struct diag_list *diags);
void toy_free(struct toy_program *program);

/* Cells of a copy that are touched before a wait. Returns 0 or 1. */
int toy_check(const struct toy_program *program, struct diag_list *diags);

/* Returns 0, or -1 when it could not be written. */
int toy_print(const struct toy_program *program, FILE *out);

/* What statement i reads and writes: one span each, bit a of set is accumulator a. */
struct toy_work_storage {
    struct span reads, writes;
};
void toy_work(const struct toy_program *program, size_t i, struct toy_work_storage *storage,
              struct work *work);

#endif
