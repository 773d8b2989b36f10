#include "functional/vocabulary.h"

#include <string.h>

size_t vocabulary_statement(const char *line, size_t size)
{
    const char *comment = memchr(line, '#', size);
    return comment ? (size_t)(comment - line) : size;
}

uint64_t vocabulary_number(const char *text, size_t length)
{
    uint64_t number = 0;
    size_t i = 0;
    for (; i < length && i < 18 && text[i] >= '0' && text[i] <= '9'; i++)
        number = number * 10 + (uint64_t)(text[i] - '0');
    return i ? number : VOCABULARY_ANY;
}
