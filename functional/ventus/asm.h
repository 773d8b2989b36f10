/*
 * asm: Ventus's part of the assembler of functional/riscv: mnemonics and operands from insn.def,
 * form.def and option.def, and the directives of a launch (setup.h).
 *
 *     vadd.vv v40, v1, v2, v0.t     registers above 31: a REGEXT, or REGEXTI, is put
 *     vadd.vi v1, v1, 1000          above it, unless the text has one there, which must then fit
 *
 *     .launch KEY VALUE, ...        launch.def
 *     .arg VALUE, ...               kernel arguments, a word each; 1.5 is a single
 *     .buffer NAME, BYTES [, ADDRESS]
 *                                   global memory; what follows fills it from its begin on
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_ASM_H
#define TAKT_FUNCTIONAL_VENTUS_ASM_H

#include "functional/riscv/asm.h"
#include "functional/ventus/setup.h"

/* Number of a scalar register's name, x0 to x63, or -1. */
int ventus_register(const char *name, size_t length);

/* Returns as riscv_assemble. The setup is filled; free both in every case. */
int ventus_assemble(struct riscv_image *image, struct ventus_setup *setup,
                    const struct source *sources, size_t count, struct diag_list *diags);

#endif
