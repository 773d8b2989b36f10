/* vocabulary: what the vocabularies of RISC-V machines (functional/vocabulary.h) have in common:
 * scalar instructions, registers, directives of the assembler, labels. */
#ifndef TAKT_FUNCTIONAL_RISCV_VOCABULARY_H
#define TAKT_FUNCTIONAL_RISCV_VOCABULARY_H

#include "functional/vocabulary.h"

/* Of a machine with these extensions (enum riscv_extension). */
void riscv_vocabulary_words(unsigned extensions, vocabulary_found *found, void *context);
/* Labels, "loop:", and every name that could mean one. */
size_t riscv_vocabulary_marks(const char *line, size_t size, struct vocabulary_mark *marks,
                              size_t most);
/* "x" of a scalar register, "v" of a vector register. */
const char *riscv_vocabulary_space(const char *word, size_t length, uint64_t *address);

#endif
