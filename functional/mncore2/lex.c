#include "functional/mncore2/lex.h"

#include <string.h>

#define DIGIT  (LEX_DIGIT | LEX_HEX)
#define LETTER LEX_LOWER
const uint8_t mncore2_lex_classes[256] = {
    [' '] = LEX_BLANK,
    ['\t'] = LEX_BLANK,
    ['\r'] = LEX_BLANK,
    ['['] = LEX_OPEN,
    ['"'] = LEX_OPEN,
    ['0'] = DIGIT,
    ['1'] = DIGIT,
    ['2'] = DIGIT,
    ['3'] = DIGIT,
    ['4'] = DIGIT,
    ['5'] = DIGIT,
    ['6'] = DIGIT,
    ['7'] = DIGIT,
    ['8'] = DIGIT,
    ['9'] = DIGIT,
    ['a'] = LETTER | LEX_HEX,
    ['b'] = LETTER | LEX_HEX,
    ['c'] = LETTER | LEX_HEX,
    ['d'] = LETTER | LEX_HEX,
    ['e'] = LETTER | LEX_HEX,
    ['f'] = LETTER | LEX_HEX,
    ['g'] = LETTER,
    ['h'] = LETTER,
    ['i'] = LETTER,
    ['j'] = LETTER,
    ['k'] = LETTER,
    ['l'] = LETTER,
    ['m'] = LETTER,
    ['n'] = LETTER,
    ['o'] = LETTER,
    ['p'] = LETTER,
    ['q'] = LETTER,
    ['r'] = LETTER,
    ['s'] = LETTER,
    ['t'] = LETTER,
    ['u'] = LETTER,
    ['v'] = LETTER,
    ['w'] = LETTER,
    ['x'] = LETTER,
    ['y'] = LETTER,
    ['z'] = LETTER,
    ['A'] = LEX_HEX,
    ['B'] = LEX_HEX,
    ['C'] = LEX_HEX,
    ['D'] = LEX_HEX,
    ['E'] = LEX_HEX,
    ['F'] = LEX_HEX,
};
#undef DIGIT
#undef LETTER

static enum lex_number digits(const char **cursor, const char *end, unsigned base, uint64_t *value)
{
    const char *p = *cursor;
    uint64_t sum = 0;
    bool big = false;
    for (; p < end && lex_is(*p, LEX_HEX) && lex_digit(*p) < base; p++) {
        big |= sum > (UINT64_MAX - lex_digit(*p)) / base;
        sum = sum * base + lex_digit(*p);
    }
    if (p == *cursor)
        return LEX_NONE;
    *cursor = p;
    *value = sum;
    return big ? LEX_TOO_BIG : LEX_NUMBER;
}

/* The usual case: a short decimal number. */
static enum lex_number short_decimal(const char **cursor, const char *end, uint64_t *value)
{
    const char *p = *cursor;
    const char *limit = end - p > 18 ? p + 18 : end;
    uint64_t sum = 0;
    for (; p < limit && lex_is(*p, LEX_DIGIT); p++)
        sum = sum * 10 + (unsigned)(*p - '0');
    if (p < end && lex_is(*p, LEX_DIGIT))
        return digits(cursor, end, 10, value);
    if (p == *cursor)
        return LEX_NONE;
    *cursor = p;
    *value = sum;
    return LEX_NUMBER;
}

enum lex_number mncore2_lex_decimal(const char **cursor, const char *end, uint64_t *value)
{
    return short_decimal(cursor, end, value);
}

enum lex_number mncore2_lex_natural(const char **cursor, const char *end, uint64_t *value)
{
    const char *p = *cursor;
    if (end - p >= 3 && p[0] == '0') {
        const unsigned base = p[1] == 'x' ? 16 : p[1] == 'b' ? 2 : p[1] == 'o' ? 8 : 0;
        if (base != 0 && lex_is(p[2], LEX_HEX) && lex_digit(p[2]) < base) {
            *cursor = p + 2;
            return digits(cursor, end, base, value);
        }
    }
    return short_decimal(cursor, end, value);
}

bool mncore2_lex_tag(const char **cursor, const char *end, uint8_t *tag)
{
    const char *p = *cursor;
    if (end - p < 3 || (p[0] | 0x20) != 'i' || !lex_is(p[1], LEX_HEX) || !lex_is(p[2], LEX_HEX))
        return false;
    *tag = (uint8_t)(lex_digit(p[1]) << 4 | lex_digit(p[2]));
    *cursor = p + 3;
    return true;
}

bool mncore2_lex_token(const char **cursor, const char *end, struct token *token)
{
    const char *p = *cursor;
    while (p < end && lex_is(*p, LEX_BLANK))
        p++;
    token->text = p;
    while (p < end) {
        const char c = *p;
        if (lex_is(c, LEX_BLANK | LEX_OPEN)) {
            if (lex_is(c, LEX_BLANK))
                break;
            const char close = c == '[' ? ']' : '"';
            const char *found = memchr(p + 1, close, (size_t)(end - p) - 1);
            if (found != NULL)
                p = found;
        }
        p++;
    }
    token->length = (size_t)(p - token->text);
    *cursor = p;
    return token->length != 0;
}

bool mncore2_lex_equal(struct token token, const char *word)
{
    return strlen(word) == token.length && memcmp(word, token.text, token.length) == 0;
}

/* Sixteen bytes at a time in portable vectors of GCC and clang. */
typedef uint8_t bytes __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));

size_t mncore2_lex_hex_run(const char *text, size_t length)
{
    size_t at = 0;
    for (; length - at >= sizeof(bytes); at += sizeof(bytes)) {
        bytes chunk;
        memcpy(&chunk, text + at, sizeof chunk);
        const bytes number = chunk - '0';
        const bytes letter = (chunk | 0x20) - 'a';
        const halves good = (halves)((number < 10) | (letter < 6));
        if ((good[0] & good[1]) != UINT64_MAX)
            break;
    }
    while (at < length && lex_is(text[at], LEX_HEX))
        at++;
    return at;
}

size_t mncore2_lex_plain_run(const char *text, size_t length)
{
    size_t at = 0;
    for (; length - at >= sizeof(bytes); at += sizeof(bytes)) {
        bytes chunk;
        memcpy(&chunk, text + at, sizeof chunk);
        const halves good = (halves)((chunk - 0x20 < 0x5f) | (chunk == '\t') | (chunk == '\r'));
        if ((good[0] & good[1]) != UINT64_MAX)
            break;
    }
    while (at < length && ((unsigned char)(text[at] - 0x20) < 0x5f || lex_is(text[at], LEX_BLANK)))
        at++;
    return at;
}
