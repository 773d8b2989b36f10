#include "functional/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Controls of the direction of text, U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069:
 * with them a line shows other words than it has. */
static bool turns(const unsigned char *u)
{
    if (u[0] == 0xd8)
        return u[1] == 0x9c;
    if (u[0] != 0xe2)
        return false;
    return u[1] == 0x80 ? u[2] == 0x8e || u[2] == 0x8f || (u[2] >= 0xaa && u[2] <= 0xae)
                        : u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9;
}

size_t text_character(const char *text, size_t left)
{
    const unsigned char *u = (const unsigned char *)text;
    if (u[0] < 0x80)
        return u[0] == '\t' || (u[0] >= 0x20 && u[0] != 0x7f);
    const size_t size = u[0] >= 0xc2 && u[0] <= 0xdf   ? 2
                        : u[0] >= 0xe0 && u[0] <= 0xef ? 3
                        : u[0] >= 0xf0 && u[0] <= 0xf4 ? 4
                                                       : 0;
    if (size == 0 || size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
    const bool surrogate = u[0] == 0xed && u[1] >= 0xa0, beyond = u[0] == 0xf4 && u[1] >= 0x90;
    const bool control = u[0] == 0xc2 && u[1] < 0xa0;
    return overlong || surrogate || beyond || control || turns(u) ? 0 : size;
}

static uint32_t code_of(const char *text, size_t size)
{
    const unsigned char *u = (const unsigned char *)text;
    if (size < 2)
        return u[0];
    uint32_t code = u[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (u[i] & 0x3f);
    return code;
}

struct range {
    uint32_t first, last;
};

static bool lies_in(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

int text_columns(const char *text, size_t size)
{
    /* Unicode 15, UAX 11 (wide and fullwidth) and categories Mn and Cf, the most common blocks. */
    static const struct range wide[] = {
        {0x1100, 0x115f},   {0x2329, 0x232a},   {0x2e80, 0x303e},   {0x3041, 0x3098},
        {0x309b, 0x4dbf},   {0x4e00, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},
        {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},
        {0x16fe0, 0x18cff}, {0x1aff0, 0x1b2ff}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
        {0x1f7e0, 0x1f7eb}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};
    static const struct range none[] = {{0x300, 0x36f},   {0x200b, 0x200f}, {0x20d0, 0x20ff},
                                        {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}};
    const uint32_t code = code_of(text, size);
    if (code < 0x300)
        return 1;
    return lies_in(code, none, sizeof none / sizeof *none)   ? 0
           : lies_in(code, wide, sizeof wide / sizeof *wide) ? 2
                                                             : 1;
}

void text_put(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t size = text_character(text + i, length - i);
        if (size > 0)
            fwrite(text + i, 1, size, out);
        else
            putc('?', out);
        i += size > 0 ? size : 1;
    }
}

/* In a format its line ends are this byte, which no UTF-8 text has. */
#define LINE_END '\xff'

static size_t count_of(const char *text, char byte)
{
    size_t count = 0;
    for (; (text = strchr(text, byte)); text++)
        count++;
    return count;
}

static void exchange(char *text, char from, char to)
{
    for (; (text = strchr(text, from)); text++)
        *text = to;
}

void text_print(FILE *out, const char *format, ...)
{
    char *marked = strdup(format), *text = NULL;
    va_list args;
    va_start(args, format);
    if (marked)
        exchange(marked, '\n', LINE_END);
    if (!marked || vasprintf(&text, marked, args) < 0)
        text = NULL;
    va_end(args);
    if (text) {
        const bool ends = format[0] && format[strlen(format) - 1] == '\n';
        /* Arguments that have this byte, too, cost all line ends but the last. */
        const bool known = count_of(text, LINE_END) == count_of(marked, LINE_END);
        if (ends)
            text[strlen(text) - 1] = '\0';
        exchange(text, '\t', ' ');
        for (char *at = text, *end; at; at = end ? end + 1 : NULL) {
            end = known ? strchr(at, LINE_END) : NULL;
            text_put(out, at, end ? (size_t)(end - at) : strlen(at));
            if (end)
                putc('\n', out);
        }
        if (ends)
            putc('\n', out);
    }
    free(marked);
    free(text);
}
