#include "functional/ventus/vocabulary.h"

#include <stdio.h>

#include "functional/riscv/insn.h"
#include "functional/riscv/vocabulary.h"
#include "functional/ventus/insn.h"

static void words(vocabulary_found *found, void *context)
{
    riscv_vocabulary_words(VENTUS_EXTENSIONS, found, context);
    for (size_t i = 0; i < VENTUS_INSNS - RISCV_INSN_COUNT; i++)
        found(context,
              &(const struct vocabulary_word){ventus_insns[i].name, VOCABULARY_OPCODE, "", ""});
    found(context, &(const struct vocabulary_word){".launch", VOCABULARY_DIRECTIVE, "",
                                                   "what the launch is started with"});
    found(context,
          &(const struct vocabulary_word){".arg", VOCABULARY_DIRECTIVE, "", "kernel arguments"});
}

/* Of the first warp; a vector's first lane. */
static bool place(const char *word, size_t length, char *place, size_t size)
{
    uint64_t number;
    const char *file = riscv_vocabulary_space(word, length, &number);
    return file && snprintf(place, size, *file == 'v' ? "v@0:%u.0" : "x@0:%u", (unsigned)number) <
                       (int)size;
}

const struct vocabulary ventus_vocabulary = {.words = words,
                                             .marks = riscv_vocabulary_marks,
                                             .space = riscv_vocabulary_space,
                                             .place = place};
