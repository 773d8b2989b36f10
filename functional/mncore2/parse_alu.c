/* parse_alu: ALU expressions (manual 3.6.12) and immediate values (3.2.2). */
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/parse.h"

/* Single to half, 1 + 6 + 9 bits, nearest even; the range is checked after rounding. */
static uint16_t half_of(uint32_t single)
{
    const uint32_t sign = single >> 16 & 0x8000;
    const int32_t exponent = (int32_t)(single >> 23 & 0xff);
    if (exponent == 0)
        return (uint16_t)sign;
    if (exponent == 0xff)
        return (uint16_t)(sign | 0x7e00);
    const int64_t value = (int64_t)(exponent - 127 + 31) * (1 << 23) + (single & 0x7fffff);
    const int64_t rounded = (value + 0x1fff + (value >> 14 & 1)) >> 14;
    if (rounded < 0x200)
        return (uint16_t)sign;
    return (uint16_t)(sign | (rounded >= 0x7e00 ? 0x7e00 : (uint32_t)rounded));
}

enum { LITERAL = 1100 }; /* longer than any exact decimal of a float */

static bool float_literal(struct reading *reading, struct token token, const char *text,
                          size_t length, bool half)
{
    struct parser *parser = reading->parser;
    char copy[LITERAL + 1];
    if (length > LITERAL) {
        parse_error(parser, token.text, token.length, "3.2.2", "the literal is too long");
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end;
    const float value = (float)strtod(copy, &end);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (length == 0 || end != copy + length || value != value) {
        parse_error(parser, token.text, token.length, "3.2.2",
                    "%.*s is not a floating-point number\nas in f\"-1.5\"", parse_quote(length),
                    text);
        return false;
    }
    const bool infinite = (bits & 0x7fffffff) == 0x7f800000;
    const char *digits = copy + strspn(copy, " \t+-");
    const uint32_t word = half ? (uint32_t)half_of(bits) * 0x10001u : bits;
    if ((digits[0] | 0x20) != 'i' && (infinite || (half && (word & 0x7fff) == 0x7e00)))
        parse_warning(parser, token.text, token.length, "3.2.2", "immediate-overflow",
                      "the value becomes infinity");
    reading->expr->imm = word;
    return true;
}

static bool integer_literal(struct reading *reading, struct token token, const char *text,
                            size_t length, bool is_signed, bool half)
{
    struct parser *parser = reading->parser;
    const char *p = text, *end = text + length;
    bool negative = false;
    if (is_signed && p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    uint64_t value = 0;
    const enum lex_number found = mncore2_lex_natural(&p, end, &value);
    if (found == LEX_NONE || p != end) {
        parse_error(parser, token.text, token.length, "3.2.2", "%.*s is not a valid %s\n%s",
                    parse_quote(length), text, is_signed ? "integer" : "natural number",
                    is_signed ? "as in i\"-1\" or i\"0x7f\""
                              : "as in ui\"0x8000\"; it has no sign");
        return false;
    }
    const uint64_t limit = (half ? UINT64_C(1) << 16 : UINT64_C(1) << 32) / (is_signed ? 2 : 1);
    if (found == LEX_TOO_BIG || value > (negative ? limit : limit - 1)) {
        const unsigned bits = half ? 16 : 32;
        parse_error(parser, token.text, token.length, "3.2.2",
                    "%.*s is beyond a%s integer of %u bits\n%s%llu to %llu%s", parse_quote(length),
                    text, is_signed ? " signed" : "n unsigned", bits, is_signed ? "-" : "",
                    is_signed ? (unsigned long long)limit : 0ull, (unsigned long long)(limit - 1),
                    is_signed && !negative && found == LEX_NUMBER && value < 2 * limit
                        ? (half ? "; or write us" : "; or write ui")
                        : "");
        return false;
    }
    const uint32_t word = negative ? (uint32_t)(0 - value) : (uint32_t)value;
    reading->expr->imm = half ? (word & 0xffff) * 0x10001u : word;
    return true;
}

static void parse_imm(struct reading *reading)
{
    struct token token;
    struct parser *parser = reading->parser;
    if (!mncore2_lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(parser, reading->token.text, reading->token.length, "3.6.12.3",
                    "%s lacks its value\nas in imm f\"1.0\" $lr0", reading->opcode->name);
        reading->bad = true;
        return;
    }
    const char *p = token.text, *end = token.text + token.length;
    while (p < end && lex_is(*p, LEX_LOWER))
        p++;
    const struct token type = {token.text, (size_t)(p - token.text)};
    const bool floating = mncore2_lex_equal(type, "f") || mncore2_lex_equal(type, "h");
    const bool is_signed = mncore2_lex_equal(type, "i") || mncore2_lex_equal(type, "s");
    const bool is_unsigned = mncore2_lex_equal(type, "ui") || mncore2_lex_equal(type, "us");
    const bool half = type.length > 0 && (p[-1] == 'h' || p[-1] == 's');
    if (!floating && !is_signed && !is_unsigned) {
        parse_error(parser, token.text, token.length, "3.2.2",
                    "%.*s is not an immediate value\ntype and quotes, as in f\"1.0\", h\"0.5\", "
                    "i\"-1\", s\"7\", ui\"0x80000000\", us\"1\"",
                    parse_quote(token.length), token.text);
        reading->bad = true;
        return;
    }
    if (end - p < 2 || *p != '"' || end[-1] != '"' || memchr(p + 1, '"', (size_t)(end - p) - 2)) {
        parse_error(parser, token.text, token.length, "3.2.2",
                    "an immediate value is written in double quotes\nas in %.*s\"1\"",
                    (int)type.length, type.text);
        reading->bad = true;
        return;
    }
    const char *text = p + 1;
    const size_t length = (size_t)(end - p) - 2;
    const bool good = floating ? float_literal(reading, token, text, length, half)
                               : integer_literal(reading, token, text, length, is_signed, half);
    if (!good)
        reading->bad = true;
}

/* The n of hbfn/n and hbfe/n. */
static void parse_mantissa(struct reading *reading, const char **at, const char *end)
{
    struct expr *expr = reading->expr;
    uint64_t n = 0;
    const char *p = *at;
    if (p < end && *p == '/')
        p++;
    const char *number = p;
    const enum lex_number number_kind = p != *at ? mncore2_lex_natural(&p, end, &n) : LEX_NONE;
    const bool found = number_kind == LEX_NUMBER;
    if (!found || n < 6 || n > 9) {
        const char *name = reading->opcode->name;
        const size_t length = (size_t)(end - *at);
        if (length == 0)
            parse_error(reading->parser, reading->token.text, reading->token.length, "3.6.12.12",
                        "%s needs the length of the mantissa, 6 to 9\nas in %s/9", name, name);
        else if (number_kind == LEX_NONE)
            parse_error(reading->parser, *at, length, "3.6.12.12",
                        "%.*s is not a length of the mantissa, which is 6 to 9\nas in %s/9",
                        parse_quote(length), *at, name);
        else
            parse_error(reading->parser, *at, (size_t)(p - *at), "3.6.12.12",
                        "the length of the mantissa %.*s is outside 6 to 9\nas in %s/9",
                        parse_quote((size_t)(p - number)), number, name);
        reading->bad = true;
        /* Do not report a possible mask as another error. */
        *at = found && p - number == 1 ? p : end;
        return;
    }
    expr->mantissa = (uint8_t)n;
    *at = p;
}

/* /n on another precision than half, such as dbfn/9. */
static void refuse_mantissa(struct reading *reading, const char **at, const char *end)
{
    const char *p = *at;
    if (end - p < 2 || *p != '/' || !lex_is(p[1], LEX_DIGIT) || (end - p > 2 && p[2] != '/'))
        return;
    parse_error(reading->parser, p, 2, "3.6.12.12",
                "only half precision has a length of the mantissa\nremove it");
    reading->bad = true;
    *at = p + 2;
}

void mncore2_parse_alu(struct reading *reading, const char *at, const char *end)
{
    struct expr *expr = reading->expr;
    if (expr->prec == PREC_H && (expr->insn == INSN_BFN || expr->insn == INSN_BFE))
        parse_mantissa(reading, &at, end);
    else if (expr->insn == INSN_BFN)
        refuse_mantissa(reading, &at, end);
    mncore2_reading_flush(reading, at, end, true);
    if (expr->insn == INSN_IMM)
        parse_imm(reading);
    for (unsigned i = 0; i < mncore2_insns[expr->insn].inputs; i++) {
        if (!mncore2_reading_in(reading, i == 0 ? MEMS_IN_ALU : MEMS_IN,
                                i == 0 ? "the first input" : "the second input"))
            continue;
        const struct operand *operand = &expr->in[i];
        mncore2_reading_flags(reading, operand, OPERAND_REDUCE, "\nthe ALU takes r only");
        if ((operand->flags & OPERAND_REDUCE) != 0 &&
            (expr->prec == PREC_D || expr->prec == PREC_L || expr->prec == PREC_NONE))
            parse_warning(reading->parser, reading_text(reading, operand),
                          reading_length(reading, operand), "3.6.12.19", "reduce-long",
                          "r hands four half precision values to an operation on long words");
        mncore2_reading_lengths(reading, operand);
    }
    mncore2_reading_outs(reading, MEMS_OUT_CALC, "an output");
}
