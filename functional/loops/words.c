/* words: the meaning of a word of a line (a name, a value of a type), and the position of a
 * line. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "functional/loops/parse.h"

static const char *const reserved[] = {"units", "tensor", "nest", "for", "end", "d", "m", "max"};

struct loops_place loops_place(const struct loops_parser *p, const struct line *line)
{
    const char *from = line->start;
    while (from < line->end && (*from == ' ' || *from == '\t'))
        from++;
    return (struct loops_place){.source = line->source,
                                .line = line->number,
                                .column = (uint32_t)(from - line->start) + 1,
                                .length = (uint32_t)(line->end - from),
                                .offset = (size_t)(from - p->program->sources[line->source].text)};
}

bool loops_take_name(struct line *line, struct word word, const char *what, char name[LOOPS_NAME])
{
    bool fine = word.length > 0 && !(word.text[0] >= '0' && word.text[0] <= '9');
    for (size_t i = 0; i < word.length; i++) {
        const char c = word.text[i];
        fine = fine && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_');
    }
    if (!fine)
        loops_error(line, word, "no name of a %s\nletters, digits and _", what);
    else if (word.length >= LOOPS_NAME)
        loops_error(line, word, "a name has at most %d bytes", LOOPS_NAME - 1);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (word_is(word, reserved[i])) {
            loops_error(line, word, "'%s' is a word of the language\nanother name", reserved[i]);
            return false;
        }
    if (!fine || word.length >= LOOPS_NAME)
        return false;
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    return true;
}

static bool take_float(const char *text, uint32_t *bits)
{
    char *end;
    errno = 0;
    const float value = strtof(text, &end);
    const bool named = strchr(text, 'n') != NULL; /* inf, nan */
    if (end == text || *end || strchr(text, 'x') || strchr(text, 'X') || (isinf(value) && !named))
        return false;
    memcpy(bits, &value, sizeof *bits);
    if (isnan(value))
        *bits = UINT32_C(0x7fc00000);
    return true;
}

bool loops_take_value(struct line *line, struct word word, enum loops_type type, uint32_t *bits)
{
    const bool negative = word.length && word.text[0] == '-';
    const uint64_t most = type == LOOPS_I8 ? 127 : INT32_MAX;
    char text[64];
    uint64_t number;
    if (type == LOOPS_F32) {
        if (word.length < sizeof text) {
            memcpy(text, word.text, word.length);
            text[word.length] = '\0';
            if (word.length && take_float(text, bits))
                return true;
        }
        loops_error(line, word, "no number of type f32\nas in 1.5, -2 or 1e-3");
        return false;
    }
    if (!word_number((struct word){word.text + negative, word.length - negative}, &number) ||
        number > most + negative) {
        loops_error(line, word, "no number of type %s\n-%llu to %llu", loops_type_name[type],
                    (unsigned long long)most + 1, (unsigned long long)most);
        return false;
    }
    *bits = negative ? (uint32_t)-number : (uint32_t)number;
    return true;
}
