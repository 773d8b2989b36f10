#include "functional/loops/vocabulary.h"

#include <stdio.h>
#include <string.h>

static const struct vocabulary_word rows[] = {
    {"units", VOCABULARY_OPCODE, "", "how many tiles, processors and math units there are"},
    {"tensor", VOCABULARY_OPCODE, "", "a tensor: name, type, sizes"},
    {"nest", VOCABULARY_OPCODE, "", "begins a loop nest"},
    {"for", VOCABULARY_OPCODE, "", "a loop: name, iterations"},
    {"end", VOCABULARY_OPCODE, "", "ends a loop nest"},
#define TYPE(id, name, bytes)        {name, VOCABULARY_OPERAND, "", #bytes " bytes an element"},
#define STRATEGY(id, name, sentence) {name, VOCABULARY_OPERAND, "", sentence},
#include "functional/loops/op.def"
    {"units", VOCABULARY_OPERAND, "", "over all units"},
    {"tiles", VOCABULARY_OPERAND, "", "over the tiles"},
    {"processors", VOCABULARY_OPERAND, "", "over the processors of a tile"},
    {"math", VOCABULARY_OPERAND, "", "over the math units of a processor"},
};

static void words(vocabulary_found *found, void *context)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        found(context, &rows[i]);
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Names of tensors and loops: "tensor in f32 8", "for o 12" define them. */
static size_t marks(const char *line, size_t size, struct vocabulary_mark *found, size_t most)
{
    size_t count = 0, word = 0;
    bool declares = false;
    size = vocabulary_statement(line, size);
    for (size_t at = 0; at < size && count < most;) {
        size_t end = at;
        while (end < size && in_name(line[end]))
            end++;
        if (end == at) {
            at++;
            continue;
        }
        const size_t length = end - at;
        if (word == 0)
            declares = (length == 6 && memcmp(line + at, "tensor", 6) == 0) ||
                       (length == 3 && memcmp(line + at, "for", 3) == 0);
        if (line[at] < '0' || line[at] > '9')
            found[count++] = (struct vocabulary_mark){
                .at = at, .length = length, .defines = declares && word == 1};
        word++;
        at = end;
    }
    return count;
}

/* The first word of a tensor; loops are names, too, but no places. */
static bool place(const char *word, size_t length, char *place, size_t size)
{
    for (size_t i = 0; i < length; i++)
        if (!in_name(word[i]))
            return false;
    return length && (word[0] < '0' || word[0] > '9') &&
           snprintf(place, size, "%.*s:0", (int)length, word) < (int)size;
}

const struct vocabulary loops_vocabulary = {.words = words, .marks = marks, .place = place};
