/*
 * extension: the RISC-V extension of a word or mnemonic that is not in insn.def, for messages about
 * programs built for another core.
 *
 * Known: C F D V A Zba Zbb Zbs, by major opcode and function fields of the RISC-V manual's
 * listings, and by the mnemonics in the manual.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_EXTENSION_H
#define TAKT_FUNCTIONAL_RISCV_EXTENSION_H

#include <stddef.h>
#include <stdint.h>

/* "F", or NULL if unknown. The word has 32 bits; words not ending in the bits 11 are not
 * classified. */
const char *riscv_extension_of(uint32_t word);
const char *riscv_extension_named(const char *mnemonic, size_t length);

#endif
