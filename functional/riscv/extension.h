/*
 * extension: which extension of RISC-V a word or a mnemonic belongs to that no row of insn.def has,
 * for sentences about programs that were made for another core.
 *
 * Known: C F D V A Zba Zbb Zbs, by major opcode and function fields of the RISC-V manual's
 * listings, and by the names that the manual gives the instructions.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_EXTENSION_H
#define TAKT_FUNCTIONAL_RISCV_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

/* "F", or NULL: none is known. The word has 32 bits: what ends with other bits than 11 is not
 * judged. */
const char *riscv_extension_of(uint32_t word);
const char *riscv_extension_named(const char *mnemonic, size_t length);

#endif
