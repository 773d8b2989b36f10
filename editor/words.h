/* words: the vocabulary of a machine's language as a sorted list, made at the first use. */
#ifndef TAKT_EDITOR_WORDS_H
#define TAKT_EDITOR_WORDS_H

#include "timing/machine.h"

struct words {
    const struct machine *machine;
    struct vocabulary_word *rows; /* by name */
    size_t count, capacity;
    bool lost; /* one found no memory */
};

/* The words of a machine; valid until words_free, empty without memory. */
const struct words *words_of(const struct machine *machine);
/* The word of this name; or for a place the longest operand that it begins with. NULL: none. */
const struct vocabulary_word *words_find(const struct words *words, const char *name,
                                         size_t length);
/* All lists. */
void words_free(void);

#endif
