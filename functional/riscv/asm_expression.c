/*
 * asm_expression: words, numbers and expressions of a statement.
 *
 *   expression   C's operators and precedence: | ^ & << >> + - * / % unary - ~ + ( )
 *   primary      number (decimal, 0x, 0b, 0 octal, 'c'), symbol, . (this address), 1b, 1f,
 *                %hi(expression), %lo(expression), %pcrel_hi(expression), %pcrel_lo(label)
 */
#include <stdlib.h>
#include <string.h>

#include "functional/riscv/asm_state.h"
#include "functional/riscv/insn.h"
#include "host/grow.h"
#include "host/suggest.h"

enum { DEPTH = 64 };  /* nesting of parentheses and signs */
enum { ALIASES = 8 }; /* length of a chain of .set aliases */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '$';
}

void riscv_asm_blanks(struct riscv_asm *as)
{
    while (as->at < as->end) {
        if (*as->at == ' ' || *as->at == '\t') {
            as->at++;
        } else if (as->end - as->at >= 4 && as->at[0] == '/' && as->at[1] == '*') {
            const char *close = memmem(as->at + 2, (size_t)(as->end - as->at - 2), "*/", 2);
            if (!close)
                return;
            as->at = close + 2;
        } else {
            return;
        }
    }
}

bool riscv_asm_done(struct riscv_asm *as)
{
    riscv_asm_blanks(as);
    return as->at == as->end;
}

bool riscv_asm_take(struct riscv_asm *as, char sign)
{
    if (riscv_asm_done(as) || *as->at != sign)
        return false;
    as->at++;
    return true;
}

bool riscv_asm_comma(struct riscv_asm *as)
{
    if (riscv_asm_take(as, ','))
        return true;
    riscv_asm_error(as, riscv_asm_rest(as), "a comma and one more operand were expected here");
    return false;
}

bool riscv_asm_end(struct riscv_asm *as)
{
    if (riscv_asm_done(as))
        return true;
    riscv_asm_error(as, riscv_asm_rest(as), "nothing more was expected here");
    return false;
}

struct riscv_word riscv_asm_word(struct riscv_asm *as)
{
    riscv_asm_blanks(as);
    struct riscv_word word = {as->at, 0};
    while (as->at < as->end && is_name(*as->at))
        as->at++;
    word.length = (size_t)(as->at - word.text);
    return word;
}

bool riscv_asm_reg(struct riscv_asm *as, uint8_t *number)
{
    const struct riscv_word word = riscv_asm_word(as);
    const int found =
        (as->dialect->reg ? as->dialect->reg : riscv_register)(word.text, word.length);
    if (found < 0) {
        riscv_asm_error(as, word.length ? word : riscv_asm_rest(as),
                        "a scalar register was expected here: x0 to x31, or its name (a0, sp ...)");
        return false;
    }
    *number = (uint8_t)found;
    return true;
}

/* --- primaries -------------------------------------------------------------------------------- */

static int digit_value(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

static bool number(struct riscv_asm *as, struct riscv_word word, int64_t *value)
{
    int base = 10;
    size_t i = 0;
    if (word.length > 2 && word.text[0] == '0' && (word.text[1] | 32) == 'x')
        base = 16, i = 2;
    else if (word.length > 2 && word.text[0] == '0' && (word.text[1] | 32) == 'b')
        base = 2, i = 2;
    else if (word.length > 1 && word.text[0] == '0')
        base = 8, i = 1;
    uint64_t sum = 0;
    for (; i < word.length; i++) {
        const int digit = digit_value(word.text[i]);
        if (digit >= base || sum > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base) {
            riscv_asm_error(as, word,
                            digit >= base ? "this is no number"
                                          : "this number has more than 64 bits");
            return false;
        }
        sum = sum * (uint64_t)base + (uint64_t)digit;
    }
    *value = (int64_t)sum;
    return true;
}

/* 1b and 1f. */
static bool numbered(struct riscv_asm *as, struct riscv_word word, struct value *value)
{
    uint64_t wanted = 0;
    for (size_t i = 0; i + 1 < word.length; i++)
        wanted = wanted * 10 + (uint64_t)(word.text[i] - '0');
    const bool back = word.text[word.length - 1] == 'b';
    const struct numbered *found = NULL;
    value->moves = true;
    for (size_t i = as->numbered_seen; back && i-- > 0 && !found;)
        found = as->numbered[i].number == wanted ? &as->numbered[i] : NULL;
    for (size_t i = as->numbered_seen; !back && i < as->numbered_count && !found; i++)
        found = as->numbered[i].number == wanted ? &as->numbered[i] : NULL;
    if (found) {
        value->number = (int64_t)as->sections[found->section].base + found->at;
        return true;
    }
    value->unknown = true;
    if (as->second || back) {
        riscv_asm_error(as, word, "there is no label %llu: %s this line",
                        (unsigned long long)wanted, back ? "above" : "below");
        return false;
    }
    return true;
}

static const char *nearest_symbol(const struct riscv_asm *as, struct riscv_word word, char name[64])
{
    const char *near = NULL;
    for (size_t i = 0; i < as->symbol_count && i < 4096; i++) {
        const struct symbol *symbol = &as->symbols[i];
        char copy[64];
        if (!symbol->defined || symbol->name.length >= sizeof copy)
            continue;
        memcpy(copy, symbol->name.text, symbol->name.length);
        copy[symbol->name.length] = '\0';
        const char *names[] = {copy, near ? name : copy};
        const char *best = suggest_name(word.text, word.length, names, near ? 2 : 1);
        if (best) {
            memmove(name, best, strlen(best) + 1);
            near = name;
        }
    }
    return near;
}

static bool symbol(struct riscv_asm *as, struct riscv_word word, struct value *value)
{
    if (riscv_word_is(word, ".")) {
        value->number = riscv_asm_here(as);
        value->moves = true;
        return true;
    }
    const struct symbol *found = riscv_asm_find(as, word);
    for (unsigned i = 0; found && !found->defined && i < ALIASES; i++)
        found = riscv_asm_find(as, found->alias);
    if (as->end - as->at >= 4 && memcmp(as->at, "@plt", 4) == 0)
        as->at += 4;
    if (!found || !found->defined) {
        const struct symbol *own = found ? NULL : riscv_asm_symbol(as, word);
        if (!found && !own)
            return false;
        value->unknown = !as->second;
        value->moves = true;
        uint32_t place = 0;
        if ((as->dialect->layout && riscv_asm_layout(as, word, &place)) || (own && own->weak)) {
            value->number = place;
            return true;
        }
        if (!as->second)
            return true;
        char name[64];
        const char *near = nearest_symbol(as, word, name);
        riscv_asm_error(as, word, "%.*s is not defined%s%s",
                        (int)(word.length < 60 ? word.length : 60), word.text,
                        near ? "\ndid you mean " : "", near ? near : "");
        return false;
    }
    value->moves = found->section != NO_SECTION;
    value->number = found->value + (value->moves ? as->sections[found->section].base : 0);
    return true;
}

/* Read one byte of a string or character constant that is not at its end. */
static bool string_byte(struct riscv_asm *as, char *byte)
{
    static const char escapes[] = "n\nt\tr\rb\bf\f\\\\\"\"''";
    if (*as->at != '\\') {
        *byte = *as->at++;
        return true;
    }
    if (++as->at == as->end)
        return false;
    for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
        if (escapes[i] == *as->at) {
            *byte = escapes[i + 1];
            as->at++;
            return true;
        }
    unsigned value = 0, digits = 0;
    if (*as->at == 'x') {
        as->at++;
        for (; digits < 2 && as->at < as->end && digit_value(*as->at) < 16; digits++)
            value = value * 16 + (unsigned)digit_value(*as->at++);
    } else {
        for (; digits < 3 && as->at < as->end && *as->at >= '0' && *as->at <= '7'; digits++)
            value = value * 8 + (unsigned)(*as->at++ - '0');
    }
    *byte = (char)value;
    return digits > 0;
}

static bool character(struct riscv_asm *as, struct value *value)
{
    const char *from = as->at++;
    char byte;
    if (as->at == as->end || !string_byte(as, &byte)) {
        riscv_asm_error(as, (struct riscv_word){from, (size_t)(as->end - from)},
                        "this is no character");
        return false;
    }
    value->number = (unsigned char)byte;
    as->at += as->at < as->end && *as->at == '\'';
    return true;
}

static bool binary(struct riscv_asm *as, unsigned least, unsigned depth, struct value *value);

static bool inside(struct riscv_asm *as, unsigned depth, struct value *value)
{
    if (!binary(as, 0, depth, value))
        return false;
    if (riscv_asm_take(as, ')'))
        return true;
    riscv_asm_error(as, riscv_asm_rest(as), "a ) was expected here");
    return false;
}

/* Record the distance of a %pcrel_hi; its %pcrel_lo looks it up by address. */
static bool note_distance(struct riscv_asm *as, const struct value *value)
{
    struct distance *rows =
        grow(as->distances, &as->distance_capacity, as->distance_count + 1, sizeof *rows);
    if (!rows) {
        as->memory_out = true;
        return false;
    }
    as->distances = rows;
    rows[as->distance_count++] =
        (struct distance){riscv_asm_here(as), value->number - riscv_asm_here(as)};
    return true;
}

static bool find_distance(struct riscv_asm *as, struct riscv_word at, struct value *value)
{
    for (size_t i = as->distance_count; i-- > 0;)
        if (as->distances[i].address == value->number) {
            value->number = as->distances[i].value;
            return true;
        }
    if (!as->second)
        return true;
    riscv_asm_error(as, at, "there is no %%pcrel_hi at 0x%llx", (unsigned long long)value->number);
    return false;
}

/* %hi(...) and %lo(...), such that (hi << 12) + lo is the value; with pcrel_ the distance from the
 * pcrel_hi instruction to the value. %pcrel_lo names that instruction's label. */
static bool part(struct riscv_asm *as, unsigned depth, struct value *value)
{
    static const char *const names[] = {"lo", "hi", "pcrel_lo", "pcrel_hi"};
    const char *from = as->at++;
    const struct riscv_word word = riscv_asm_word(as);
    unsigned kind = 0;
    while (kind < 4 && !riscv_word_is(word, names[kind]))
        kind++;
    const struct riscv_word at = {from, word.length + 1};
    if (kind == 4 || !riscv_asm_take(as, '(')) {
        riscv_asm_error(as, at, "%%hi(...), %%lo(...) or their pcrel_ was expected here");
        return false;
    }
    if (!inside(as, depth, value) || (kind == 3 && !note_distance(as, value)) ||
        (kind == 2 && !find_distance(as, at, value)))
        return false;
    if (kind == 3)
        value->number = as->distances[as->distance_count - 1].value;
    const uint32_t whole = (uint32_t)value->number;
    value->number = kind & 1 ? (int64_t)((whole + 0x800) >> 12) : (int32_t)(whole << 20) >> 20;
    return true;
}

static bool primary(struct riscv_asm *as, unsigned depth, struct value *value)
{
    *value = (struct value){0};
    riscv_asm_blanks(as);
    if (depth == DEPTH) {
        riscv_asm_error(as, riscv_asm_rest(as), "an expression has at most %d levels", DEPTH);
        return false;
    }
    if (as->at < as->end) {
        const char c = *as->at;
        if (c == '-' || c == '~' || c == '+' || c == '!') {
            as->at++;
            if (!primary(as, depth + 1, value))
                return false;
            value->number = c == '-'   ? (int64_t)(0 - (uint64_t)value->number)
                            : c == '~' ? ~value->number
                            : c == '!' ? !value->number
                                       : value->number;
            return true;
        }
        if (c == '(') {
            as->at++;
            return inside(as, depth + 1, value);
        }
        if (c == '%')
            return part(as, depth + 1, value);
        if (c == '\'')
            return character(as, value);
    }
    const struct riscv_word word = riscv_asm_word(as);
    if (!word.length) {
        riscv_asm_error(as, riscv_asm_rest(as), "a value was expected here");
        return false;
    }
    if (!is_digit(word.text[0]))
        return symbol(as, word, value);
    size_t digits = 0;
    while (digits < word.length && is_digit(word.text[digits]))
        digits++;
    if (digits < 10 && digits + 1 == word.length &&
        (word.text[digits] == 'b' || word.text[digits] == 'f'))
        return numbered(as, word, value);
    return number(as, word, &value->number);
}

/* --- operators -------------------------------------------------------------------------------- */

enum operator_kind {
    OR_ELSE,
    AND_THEN,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    ADD,
    SUBTRACT,
    OR,
    OR_NOT,
    XOR,
    AND,
    LEFT,
    RIGHT,
    MULTIPLY,
    DIVIDE,
    REMAINDER
};

/* Operators and precedence of GNU as (Using as, 6.2.4), longer ones first; a higher rank binds
 * tighter. Comparisons give -1 or 0. */
static const struct operator_row {
    char text[3];
    uint8_t rank, kind;
} operators[] = {
    {"||", 1, OR_ELSE}, {"&&", 2, AND_THEN}, {"==", 3, EQUAL},
    {"!=", 3, UNEQUAL}, {"<>", 3, UNEQUAL},  {"<=", 3, LESS_EQUAL},
    {"<<", 6, LEFT},    {"<", 3, LESS},      {">=", 3, GREATER_EQUAL},
    {">>", 6, RIGHT},   {">", 3, GREATER},   {"+", 4, ADD},
    {"-", 4, SUBTRACT}, {"|", 5, OR},        {"!!", 5, XOR},
    {"!", 5, OR_NOT},   {"^", 5, XOR},       {"&", 5, AND},
    {"*", 6, MULTIPLY}, {"/", 6, DIVIDE},    {"%", 6, REMAINDER},
};

/* The operator at the cursor, or NULL. */
static const struct operator_row *operator(const struct riscv_asm *as)
{
    const size_t left = (size_t)(as->end - as->at);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const size_t size = strlen(operators[i].text);
        if (size <= left && memcmp(as->at, operators[i].text, size) == 0)
            return &operators[i];
    }
    return NULL;
}

/* For divisions right is not 0. */
static int64_t apply(enum operator_kind kind, int64_t left, int64_t right)
{
    const uint64_t a = (uint64_t)left, b = (uint64_t)right;
    switch (kind) {
    case OR_ELSE:
        return left || right;
    case AND_THEN:
        return left && right;
    case EQUAL:
        return -(left == right);
    case UNEQUAL:
        return -(left != right);
    case LESS:
        return -(left < right);
    case LESS_EQUAL:
        return -(left <= right);
    case GREATER:
        return -(left > right);
    case GREATER_EQUAL:
        return -(left >= right);
    case OR:
        return (int64_t)(a | b);
    case OR_NOT:
        return (int64_t)(a | ~b);
    case XOR:
        return (int64_t)(a ^ b);
    case AND:
        return (int64_t)(a & b);
    case LEFT:
        return b < 64 ? (int64_t)(a << b) : 0;
    case RIGHT:
        return b < 64 ? (int64_t)(a >> b) : 0;
    case ADD:
        return (int64_t)(a + b);
    case SUBTRACT:
        return (int64_t)(a - b);
    case MULTIPLY:
        return (int64_t)(a * b);
    case DIVIDE:
        return right == -1 ? (int64_t)(0 - a) : left / right;
    default:
        return right == -1 ? 0 : left % right;
    }
}

static bool binary(struct riscv_asm *as, unsigned least, unsigned depth, struct value *value)
{
    if (!primary(as, depth, value))
        return false;
    for (;;) {
        riscv_asm_blanks(as);
        const struct operator_row *sign = operator(as);
        if (!sign || sign->rank <= least)
            return true;
        const struct riscv_word at = {as->at, strlen(sign->text)};
        const enum operator_kind kind = (enum operator_kind)sign->kind;
        struct value right;
        as->at += at.length;
        if (!binary(as, sign->rank, depth + 1, &right))
            return false;
        value->unknown = value->unknown || right.unknown;
        if ((kind == DIVIDE || kind == REMAINDER) && !right.number && !value->unknown) {
            riscv_asm_error(as, at, "a division by zero");
            return false;
        }
        /* The difference of two addresses is a plain number. */
        value->moves =
            !(kind == SUBTRACT && value->moves && right.moves) && (value->moves || right.moves);
        value->number = value->unknown ? 0 : apply(kind, value->number, right.number);
    }
}

bool riscv_asm_expression(struct riscv_asm *as, struct value *value)
{
    return binary(as, 0, 0, value);
}

bool riscv_asm_value(struct riscv_asm *as, const char *what, int64_t low, int64_t high,
                     int64_t *number)
{
    struct value value;
    riscv_asm_blanks(as);
    const char *from = as->at;
    if (!riscv_asm_expression(as, &value))
        return false;
    *number = value.number;
    if (value.number >= low && value.number <= high)
        return true;
    if (!as->second && (value.unknown || value.moves)) {
        *number = low;
        return true;
    }
    riscv_asm_error(as, (struct riscv_word){from, (size_t)(as->at - from)},
                    "%s %lld is not in %lld to %lld", what, (long long)value.number, (long long)low,
                    (long long)high);
    return false;
}

/* --- single-precision numbers ----------------------------------------------------------------- */

/* Length of the number at the cursor, including its sign and exponent. */
static size_t float_length(const struct riscv_asm *as)
{
    const char *at = as->at;
    at += at < as->end && (*at == '-' || *at == '+');
    const bool hex = as->end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
    while (at < as->end && (is_name(*at) || ((*at == '-' || *at == '+') && at > as->at &&
                                             (at[-1] | 32) == (hex ? 'p' : 'e'))))
        at++;
    return (size_t)(at - as->at);
}

bool riscv_asm_is_float(struct riscv_asm *as)
{
    riscv_asm_blanks(as);
    const char *at = as->at;
    const size_t length = float_length(as);
    const bool sign = length && (*at == '-' || *at == '+');
    return length > sign && is_digit(at[sign]) &&
           (memchr(at, '.', length) ||
            (length > 2u + sign && (at[sign + 1] | 32) != 'x' && memchr(at, 'e', length)));
}

bool riscv_asm_float(struct riscv_asm *as, uint32_t *bits)
{
    char text[64], *end;
    bool fine = false;
    riscv_asm_blanks(as);
    const struct riscv_word word = {as->at, float_length(as)};
    if (word.length && word.length < sizeof text) {
        memcpy(text, word.text, word.length);
        text[word.length] = '\0';
        const float value = strtof(text, &end);
        memcpy(bits, &value, sizeof *bits);
        fine = !*end;
    }
    as->at += word.length;
    if (!fine)
        riscv_asm_error(as, word, "a number was expected here, as 1, -2.5 or 1e-3");
    return fine;
}

/* --- strings ---------------------------------------------------------------------------------- */

bool riscv_asm_string(struct riscv_asm *as, char *text, size_t room, size_t *length)
{
    *length = 0;
    while (as->at < as->end && *as->at != '"') {
        const char *from = as->at;
        if (*length == room)
            return true;
        if (!string_byte(as, &text[*length])) {
            riscv_asm_error(as, (struct riscv_word){from, 2}, "there is no such escape");
            *length = UINT32_MAX;
            return false;
        }
        ++*length;
    }
    if (as->at < as->end) {
        as->at++;
        return false;
    }
    riscv_asm_error(as, riscv_asm_rest(as), "the string has no end\nput \" after it");
    *length = UINT32_MAX;
    return false;
}
