#include "functional/line.h"
#include "host/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool line_next(struct line *line, const struct source *source)
{
    const char *const end = source->text + source->size;
    const char *at = source->text;
    if (line->start) {
        const char *last = memchr(line->start, '\n', (size_t)(end - line->start));
        at = last ? last + 1 : end;
    }
    if (at == end)
        return false;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    const char *comment = memchr(at, '#', (size_t)(stop - at));
    line->start = line->at = at;
    line->end = comment ? comment : stop;
    while (line->end > at && blank(line->end[-1]))
        line->end--;
    line->number++;
    line->wrong = false;
    return true;
}

bool line_word(struct line *line, struct word *word)
{
    while (line->at < line->end && blank(*line->at))
        line->at++;
    word->text = line->at;
    while (line->at < line->end && !blank(*line->at))
        line->at++;
    word->length = (size_t)(line->at - word->text);
    return word->length > 0;
}

bool word_is(struct word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool word_cut(struct word *word, char at, struct word *rest)
{
    const char *found = word->length ? memchr(word->text, at, word->length) : NULL;
    if (!found)
        return false;
    rest->text = found + 1;
    rest->length = word->length - (size_t)(found + 1 - word->text);
    word->length = (size_t)(found - word->text);
    return true;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

bool word_number(struct word word, uint64_t *number)
{
    unsigned base = 10;
    size_t i = 0;
    if (word.length > 2 && word.text[0] == '0' && (word.text[1] == 'x' || word.text[1] == 'X'))
        base = 16, i = 2;
    else if (word.length > 2 && word.text[0] == '0' && (word.text[1] == 'b' || word.text[1] == 'B'))
        base = 2, i = 2;
    if (i == word.length)
        return false;
    uint64_t value = 0;
    for (; i < word.length; i++) {
        const unsigned d = (unsigned)digit(word.text[i]);
        if (d >= base || value > (UINT64_MAX - d) / base)
            return false;
        value = value * base + d;
    }
    *number = value;
    return true;
}

static void report(struct line *line, struct word word, const struct diag *kind, const char *format,
                   va_list args)
{
    if (!line->diags)
        return;
    struct diag at = *kind;
    at.file = line->source;
    at.line = line->number;
    at.column = (uint32_t)(word.text - line->start) + 1;
    at.length = word.length ? (uint32_t)word.length : 1;
    char text[400];
    vsnprintf(text, sizeof text, format, args);
    diag_add(line->diags, &at, "%s", text);
}

void line_error(struct line *line, struct word word, const char *rule, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    line->wrong = true;
    const struct diag kind = {.severity = DIAG_ERROR, .rule = rule, .name = ""};
    report(line, word, &kind, format, args);
    va_end(args);
}

void line_warning(struct line *line, struct word word, const char *rule, const char *name,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const struct diag kind = {.severity = DIAG_WARNING, .rule = rule, .name = name};
    report(line, word, &kind, format, args);
    va_end(args);
}

/* Words are quoted up to this many bytes. */
#define SHOWN(word) (int)((word).length < 40 ? (word).length : 40), (word).text

int line_choose(struct line *line, struct word word, const char *const *names, size_t count,
                const char *what)
{
    for (size_t i = 0; i < count; i++)
        if (word_is(word, names[i]))
            return (int)i;
    const bool wanted = line->diags && !diag_full(line->diags);
    const char *near =
        wanted && word.length ? suggest_name(word.text, word.length, names, count) : NULL;
    char list[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    if (near)
        line_error(line, word, "", "unknown %s '%.*s'\ndid you mean '%s'?", what, SHOWN(word),
                   near);
    else
        line_error(line, word, "", "unknown %s '%.*s'\none of %s", what, SHOWN(word), list);
    return -1;
}

bool line_range(struct line *line, struct word word, const char *what, uint64_t low, uint64_t high,
                uint64_t *number)
{
    if (!word_number(word, number) && word.length > 1 && word.text[word.length - 1] == ',') {
        line_error(line, word, "",
                   "a comma between operands\nblanks divide operands; remove the comma");
        return false;
    }
    if (!word_number(word, number)) {
        line_error(line, word, "", "%s: '%.*s' is not a number\ndecimal, 0x or 0b, at most 64 bits",
                   what, SHOWN(word));
        return false;
    }
    if (*number < low || *number > high) {
        line_error(line, word, "", "%s: %llu is not in %llu to %llu", what,
                   (unsigned long long)*number, (unsigned long long)low, (unsigned long long)high);
        return false;
    }
    return true;
}
