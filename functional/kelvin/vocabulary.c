#include "functional/kelvin/vocabulary.h"

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

const struct vocabulary kelvin_vocabulary = {
    .words = words, .marks = riscv_vocabulary_marks, .space = riscv_vocabulary_space};
