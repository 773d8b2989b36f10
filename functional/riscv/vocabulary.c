#include "functional/riscv/vocabulary.h"

#include <string.h>

#include "functional/riscv/insn.h"

static const char *const sentences[RISCV_INSN_COUNT] = {
#define RISCV(id, mnemonic, extension, format, match, mask, sentence) [RISCV_##id] = sentence,
#include "functional/riscv/insn.def"
};

static const struct vocabulary_word directives[] = {
    {".text", VOCABULARY_DIRECTIVE, "", "what follows is code"},
    {".data", VOCABULARY_DIRECTIVE, "", "what follows is data"},
    {".bss", VOCABULARY_DIRECTIVE, "", "what follows is data that begins as zeros"},
    {".rodata", VOCABULARY_DIRECTIVE, "", "what follows is data that is only read"},
    {".section", VOCABULARY_DIRECTIVE, "", "the section of what follows"},
    {".globl", VOCABULARY_DIRECTIVE, "", "a label that the linker knows"},
    {".align", VOCABULARY_DIRECTIVE, "", "the next address is a multiple of 2 to this power"},
    {".byte", VOCABULARY_DIRECTIVE, "", "values of 8 bits"},
    {".half", VOCABULARY_DIRECTIVE, "", "values of 16 bits"},
    {".word", VOCABULARY_DIRECTIVE, "", "values of 32 bits"},
    {".zero", VOCABULARY_DIRECTIVE, "", "bytes of zeros"},
    {".equ", VOCABULARY_DIRECTIVE, "", "a name for a value"},
};

void riscv_vocabulary_words(unsigned extensions, vocabulary_found *found, void *context)
{
    for (size_t i = 0; i < RISCV_INSN_COUNT; i++)
        if (riscv_rows[i].extension & extensions)
            found(context, &(const struct vocabulary_word){riscv_rows[i].mnemonic,
                                                           VOCABULARY_OPCODE, "", sentences[i]});
    for (size_t i = 0; i < 32; i++)
        found(context,
              &(const struct vocabulary_word){riscv_register_names[i], VOCABULARY_OPERAND, "",
                                              i ? "scalar register" : "the register that is 0"});
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        found(context, &directives[i]);
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

/* 1: and 1b and 1f: the end of the number; 0: another word. */
static size_t numbered(const char *word, size_t length, bool defines)
{
    size_t digits = 0;
    while (digits < length && word[digits] >= '0' && word[digits] <= '9')
        digits++;
    const bool refers =
        digits + 1 == length && (word[digits] == 'b' || word[digits] == 'f') && !defines;
    return refers || (digits == length && defines) ? digits : 0;
}

size_t riscv_vocabulary_marks(const char *line, size_t size, struct vocabulary_mark *marks,
                              size_t most)
{
    size_t count = 0;
    size = vocabulary_statement(line, size);
    for (size_t at = 0; at < size && count < most;) {
        size_t end = at;
        while (end < size && in_name(line[end]))
            end++;
        const bool defines = end < size && line[end] == ':';
        const size_t digits = numbered(line + at, end - at, defines);
        if (digits)
            marks[count++] = (struct vocabulary_mark){at, digits, defines,
                                                      defines                ? VOCABULARY_HERE
                                                      : line[end - 1] == 'b' ? VOCABULARY_ABOVE
                                                                             : VOCABULARY_BELOW};
        else if (end > at && (line[at] < '0' || line[at] > '9'))
            marks[count++] =
                (struct vocabulary_mark){.at = at, .length = end - at, .defines = defines};
        at = end > at ? end : at + 1;
    }
    return count;
}

const char *riscv_vocabulary_space(const char *word, size_t length, uint64_t *address)
{
    const int scalar = riscv_register(word, length);
    *address = scalar >= 0 ? (uint64_t)scalar : VOCABULARY_ANY;
    if (scalar >= 0)
        return "x";
    if (length < 2 || word[0] != 'v')
        return NULL;
    for (size_t i = 1; i < length; i++)
        if (word[i] < '0' || word[i] > '9')
            return NULL;
    *address = vocabulary_number(word + 1, length - 1);
    return "v";
}
