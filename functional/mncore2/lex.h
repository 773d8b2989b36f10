/* lex: characters, tokens and numbers of a line (manual 3.1, 3.2). A token ends at a blank; blanks
 * inside [...] and "..." belong to it. Nothing is reported here: the caller knows what was
 * expected. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_LEX_H
#define TAKT_FUNCTIONAL_MNCORE2_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct token {
    const char *text;
    size_t length;
};

enum lex_class {
    LEX_BLANK = 1 << 0,
    LEX_DIGIT = 1 << 1,
    LEX_HEX = 1 << 2,
    LEX_LOWER = 1 << 3,
    LEX_OPEN = 1 << 4 /* [ and " */
};

extern const uint8_t mncore2_lex_classes[256];

static inline bool lex_is(char c, unsigned class)
{
    return (mncore2_lex_classes[(unsigned char)c] & class) != 0;
}

static inline unsigned lex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

enum lex_number { LEX_NONE, LEX_NUMBER, LEX_TOO_BIG };

/* A natural number: decimal, or with 0b, 0o, 0x (3.2.1). *cursor is moved past it. */
enum lex_number mncore2_lex_natural(const char **cursor, const char *end, uint64_t *value);
/* Decimal digits only (selectors and counts of d get, 3.4.3). */
enum lex_number mncore2_lex_decimal(const char **cursor, const char *end, uint64_t *value);
/* Exactly two hexadecimal digits after an i: a tag (3.2.3). */
bool mncore2_lex_tag(const char **cursor, const char *end, uint8_t *tag);

/* The next token of [*cursor, end); false when only blanks are left. */
bool mncore2_lex_token(const char **cursor, const char *end, struct token *token);

/* True if the token equals the word. */
bool mncore2_lex_equal(struct token token, const char *word);

/* Number of leading hexadecimal digits; fast for payloads of megabytes. */
size_t mncore2_lex_hex_run(const char *text, size_t length);
/* Number of leading bytes that are printable ASCII or blanks. */
size_t mncore2_lex_plain_run(const char *text, size_t length);

#endif
