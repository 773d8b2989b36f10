#include "functional/kelvin/vocabulary.h"

#include <stdio.h>

#include "functional/kelvin/program.h"
#include "functional/kelvin/vector.h"
#include "functional/riscv/vocabulary.h"

static const char *const sentences[KELVIN_FAMILIES] = {
#define VECTOR(family, group, func2, forms, sizes, variants, stripmine, sentence)                  \
    [KELVIN_##family] = sentence,
#define VECTOR_WORD(family, spelled, match, form, sentence) [KELVIN_##family] = sentence,
#include "functional/kelvin/vector.def"
};

static void words(vocabulary_found *found, void *context)
{
    const struct kelvin_form *forms;
    const size_t count = kelvin_forms(&forms);
    riscv_vocabulary_words(KELVIN_EXTENSIONS, found, context);
    for (size_t i = 0; i < count; i++)
        found(context, &(const struct vocabulary_word){forms[i].name, VOCABULARY_OPCODE, "",
                                                       sentences[forms[i].family]});
}

static bool place(const char *word, size_t length, char *place, size_t size)
{
    uint64_t number;
    const char *file = riscv_vocabulary_space(word, length, &number);
    return file && number && snprintf(place, size, "%s@%u", file, (unsigned)number) < (int)size;
}

const struct vocabulary kelvin_vocabulary = {.words = words,
                                             .marks = riscv_vocabulary_marks,
                                             .space = riscv_vocabulary_space,
                                             .place = place};
