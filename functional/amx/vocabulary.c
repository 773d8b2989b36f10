#include "functional/amx/vocabulary.h"

#include <string.h>

static const struct vocabulary_word rows[] = {
#define INSN(id, mnemonic, form, code, sentence) {mnemonic, VOCABULARY_OPCODE, "", sentence},
#define LANE(id, name, x, z, mode, m2, sentence) {name, VOCABULARY_OPERAND, "", sentence},
#define ALU(id, name, mode, sentence)            {name, VOCABULARY_OPERAND, "", sentence},
#include "functional/amx/insn.def"
#undef INSN
#undef LANE
#undef ALU
};

static void words(vocabulary_found *found, void *context)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        found(context, &rows[i]);
}

/* "x=3", "y=0", "z=1". */
static const char *space(const char *word, size_t length, uint64_t *address)
{
    static const char *const names[] = {"X", "Y", "Z"};
    *address = VOCABULARY_ANY;
    return length > 0 && word[0] >= 'x' && word[0] <= 'z' && (length == 1 || word[1] == '=')
               ? names[word[0] - 'x']
               : NULL;
}

const struct vocabulary amx_vocabulary = {.words = words, .space = space};
