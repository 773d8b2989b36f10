#include "cli/mncore2/expect.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/arith.h"
#include "host/grow.h"

enum kind { KIND_UNSIGNED, KIND_SIGNED, KIND_FLOAT, KIND_STRING };

/* The types of an expectation. Half is the chip's half: 1 + 6 + 9 bits. */
static const struct type {
    const char *name;
    enum kind kind;
    int bits;
} types[] = {
    {"ULong", KIND_UNSIGNED, 64}, {"UInt", KIND_UNSIGNED, 32}, {"UShort", KIND_UNSIGNED, 16},
    {"UByte", KIND_UNSIGNED, 8},  {"Long", KIND_SIGNED, 64},   {"Int", KIND_SIGNED, 32},
    {"Short", KIND_SIGNED, 16},   {"Byte", KIND_SIGNED, 8},    {"Double", KIND_FLOAT, 64},
    {"Float", KIND_FLOAT, 32},    {"Half", KIND_FLOAT, 16},    {"E4M3", KIND_FLOAT, 8},
    {"E5M2", KIND_FLOAT, 8},      {"String", KIND_STRING, 8},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

static double small_float(unsigned bits, int exponent_bits, int mantissa_bits, bool has_infinity)
{
    const unsigned exponent = bits >> mantissa_bits & ((1u << exponent_bits) - 1);
    const unsigned mantissa = bits & ((1u << mantissa_bits) - 1);
    const double sign = bits >> 7 & 1 ? -1.0 : 1.0;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    if (has_infinity && exponent == (1u << exponent_bits) - 1)
        return mantissa ? NAN : sign * INFINITY;
    if (!has_infinity && (bits & 0x7f) == 0x7f)
        return NAN;
    if (exponent == 0)
        return sign * ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * ldexp((double)mantissa + (double)(1u << mantissa_bits),
                        (int)exponent - bias - mantissa_bits);
}

static struct expect_value decode(const struct type *type, uint64_t bits)
{
    struct expect_value value = {.real = 0, .integer = bits};
    if (type->kind == KIND_SIGNED && type->bits < 64 && bits >> (type->bits - 1))
        value.integer = bits | ~((UINT64_C(1) << type->bits) - 1);
    if (type->kind != KIND_FLOAT)
        return value;
    if (type->bits == 64)
        value.real = mncore2_double_value(bits);
    else if (type->bits == 32)
        value.real = mncore2_single_value((uint32_t)bits);
    else if (type->bits == 16)
        value.real = mncore2_half_value((uint16_t)bits);
    else
        value.real = strcmp(type->name, "E5M2") == 0 ? small_float((unsigned)bits, 5, 2, true)
                                                     : small_float((unsigned)bits, 4, 3, false);
    return value;
}

static void append(struct expect *expect, struct expect_list *list, struct expect_value value)
{
    struct expect_value *at = grow(list->at, &list->capacity, list->count + 1, sizeof *at);
    expect->lost = expect->lost || !at;
    if (!at)
        return;
    list->at = at;
    at[list->count++] = value;
}

static int fail(struct expect *expect, char *error, size_t size, const char *sentence,
                const char *what)
{
    snprintf(error, size, "%s%.60s", sentence, what);
    mncore2_expect_free(expect);
    return 1;
}

/* An integer of the type, 3.0 for 3 among them; hexadecimal digits are the type's bits. */
static bool read_integer(const struct type *type, const char *at, char **end, uint64_t *integer)
{
    const bool negative = *at == '-';
    at += negative;
    if (!isdigit((unsigned char)*at))
        return false;
    const bool hex = at[0] == '0' && tolower((unsigned char)at[1]) == 'x';
    errno = 0;
    const uint64_t magnitude = strtoull(at, end, hex ? 16 : 10);
    if (errno != 0)
        return false;
    if (!hex && **end == '.' && isdigit((unsigned char)(*end)[1]) && strtod(*end, end) != 0)
        return false;
    const uint64_t sign = UINT64_C(1) << (type->bits - 1), all = sign | (sign - 1);
    if (hex && !negative && magnitude <= all) {
        *integer = decode(type, magnitude).integer;
        return true;
    }
    const bool has_sign = type->kind == KIND_SIGNED;
    *integer = negative ? 0 - magnitude : magnitude;
    return magnitude <= (negative ? (has_sign ? sign : 0) : has_sign ? sign - 1 : all);
}

/* One number of the list at *at. */
static bool read_value(const struct type *type, const char **at, struct expect_value *value)
{
    char *end = NULL;
    *value = (struct expect_value){0};
    if (type->kind != KIND_FLOAT) {
        if (!read_integer(type, *at, &end, &value->integer))
            return false;
    } else {
        value->real = strtod(*at, &end);
        if (type->bits <= 32) { /* a decimal means the nearest value of the type */
            const float single = (float)value->real;
            uint32_t bits;
            memcpy(&bits, &single, sizeof bits);
            value->real = type->bits == 16 ? mncore2_half_value(mncore2_single_to_half(bits))
                                           : (double)single;
        }
    }
    if (end == *at)
        return false;
    *at = end;
    return true;
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

/* The character at *at, which moves past it; -1 where a backslash begins no escape. */
static int read_character(const char **at, const char *to)
{
    static const char letters[] = "nt\\\"0", characters[] = "\n\t\\\"";
    const char *from = *at;
    if (*from != '\\') {
        *at = from + 1;
        return (unsigned char)*from;
    }
    if (to - from >= 4 && from[1] == 'x' && hex_digit(from[2]) >= 0 && hex_digit(from[3]) >= 0) {
        *at = from + 4;
        return 16 * hex_digit(from[2]) + hex_digit(from[3]);
    }
    const char *letter = to - from >= 2 && from[1] ? strchr(letters, from[1]) : NULL;
    *at = from + 2;
    return letter ? characters[letter - letters] : -1;
}

static int read_string(struct expect *expect, const char *from, const char *to, char *error,
                       size_t size)
{
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    if (to - from >= 2 && (*from == '"' || *from == '\'') && to[-1] == *from)
        from++, to--;
    while (from < to) {
        const char *at = from;
        const int character = read_character(&from, to);
        if (character < 0)
            return fail(expect, error, size,
                        "the escapes of a String are \\n \\t \\\\ \\\" \\0 \\xHH, not ", at);
        append(expect, &expect->values, (struct expect_value){.integer = (uint64_t)character});
    }
    return 0;
}

static bool read_tolerance(const char *text, const char *name, double *value)
{
    const char *at = strstr(text, name);
    if (!at)
        return true;
    char *end;
    *value = strtod(at + strlen(name), &end);
    return end != at + strlen(name) && *value >= 0;
}

int mncore2_expect_parse(struct expect *expect, const char *text, size_t length, char *error,
                         size_t size)
{
    *expect = (struct expect){0};
    char *line = strndup(text, length);
    if (!line)
        return -1;
    char *equals = strchr(line, '=');
    char *slash = NULL;
    for (char *at = equals; at && (at = strstr(at, "/")) != NULL; at++)
        slash = at;
    int status = 0;
    if (!equals || !slash) {
        status = fail(expect, error, size, "an expectation is '# key=list / Type', not '", line);
        free(line);
        return status;
    }
    char *type_name = slash + 1;
    while (isspace((unsigned char)*type_name))
        type_name++;
    size_t type_length = strcspn(type_name, " \t\r@");
    expect->type = -1;
    for (int i = 0; i < TYPE_COUNT; i++)
        if (strlen(types[i].name) == type_length &&
            memcmp(types[i].name, type_name, type_length) == 0)
            expect->type = i;
    if (expect->type < 0) {
        mncore2_expect_free(expect);
        int at = snprintf(error, size, "no type of an expectation is named '%.*s'; they are",
                          type_length > 40 ? 40 : (int)type_length, type_name);
        for (int i = 0; i < TYPE_COUNT && at >= 0 && (size_t)at < size; i++)
            at += snprintf(error + at, size - (size_t)at, "%s %s", i ? "," : "", types[i].name);
        free(line);
        return 1;
    }
    const struct type *type = &types[expect->type];
    const char *options = type_name + type_length;
    if (!read_tolerance(options, "atol=", &expect->tolerance.absolute) ||
        !read_tolerance(options, "rtol=", &expect->tolerance.relative))
        status = fail(expect, error, size, "a tolerance is not a number: ", options);
    const char *places = strchr(options, '@');
    if (status == 0 && places) {
        expect->places = strndup(places + 1, strcspn(places + 1, " \t"));
        expect->lost = !expect->places;
    }
    *equals = '\0';
    const char *key = line;
    while (isspace((unsigned char)*key))
        key++;
    if (status == 0) {
        expect->key = strdup(key);
        expect->lost = expect->lost || !expect->key;
    }
    const char *at = equals + 1;
    *slash = '\0';
    if (status == 0 && type->kind == KIND_STRING) {
        while (isspace((unsigned char)*at))
            at++;
        status = read_string(expect, at, slash, error, size);
    }
    while (status == 0 && type->kind != KIND_STRING) {
        at += strspn(at, " \t[],()");
        if (!*at)
            break;
        struct expect_value value;
        if (!read_value(type, &at, &value))
            status = fail(expect, error, size, "not a number of this type: ", at);
        else
            append(expect, &expect->values, value);
    }
    if (status == 0 && expect->lost) {
        mncore2_expect_free(expect);
        status = -1;
    }
    if (status == 0 && expect->values.count == 0)
        status = fail(expect, error, size, "the expectation lists no value", "");
    free(line);
    return status;
}

/* Append the elements of `bits` bits of a printed hexadecimal number. */
static void take(struct expect *expect, uint64_t word, int bits)
{
    const struct type *type = &types[expect->type];
    if (type->bits >= bits) {
        append(expect, &expect->got, decode(type, word));
        return;
    }
    const uint64_t mask = (UINT64_C(1) << type->bits) - 1;
    for (int shift = bits - type->bits; shift >= 0; shift -= type->bits)
        append(expect, &expect->got, decode(type, word >> shift & mask));
}

size_t mncore2_expect_decode(struct expect *expect, const char *dump)
{
    const struct type *type = &types[expect->type];
    while (*dump) {
        const char *end = strchr(dump, '\n');
        end = end ? end : dump + strlen(dump);
        const char *hash = memchr(dump, '#', (size_t)(end - dump));
        const char *stop = hash ? hash : end;
        /* Untyped lines carry v:0x...; typed ones padded elements, joined here to long words. */
        bool untyped = false;
        for (const char *at = dump; at + 4 < stop; at++)
            untyped = untyped || memcmp(at, "v:0x", 4) == 0;
        uint64_t joined = 0;
        int joined_bits = 0;
        for (const char *at = dump; at + 2 < stop; at++) {
            if (memcmp(at, "0x", 2) != 0 ||
                (untyped && (at < dump + 2 || memcmp(at - 2, "v:", 2) != 0)))
                continue;
            char *number_end;
            const uint64_t word = strtoull(at, &number_end, 16);
            const int bits = untyped ? 64 : 4 * (int)(number_end - at - 2);
            if (untyped || bits >= type->bits) {
                take(expect, word, bits);
            } else { /* narrower elements than the type: put them together */
                joined = joined << bits | word;
                joined_bits += bits;
                if (joined_bits >= type->bits) {
                    take(expect, joined, joined_bits);
                    joined = 0;
                    joined_bits = 0;
                }
            }
            at = number_end - 1;
        }
        dump = *end ? end + 1 : end;
    }
    return expect->got.count;
}

static void describe(const struct type *type, struct expect_value value, char *text, size_t size)
{
    if (type->kind == KIND_FLOAT)
        snprintf(text, size, "%.17g", value.real);
    else if (type->kind == KIND_SIGNED)
        snprintf(text, size, "%lld", (long long)value.integer);
    else if (type->kind == KIND_STRING && value.integer > 31 && value.integer < 127)
        snprintf(text, size, "'%c'", (char)value.integer);
    else
        snprintf(text, size, "%llu", (unsigned long long)value.integer);
}

static bool within(const struct type *type, const struct expect_tolerance *tolerance,
                   struct expect_value want, struct expect_value got)
{
    if (type->kind != KIND_FLOAT && want.integer == got.integer)
        return true;
    long double a, b;
    if (type->kind == KIND_FLOAT) {
        if (want.real == got.real || (isnan(want.real) && isnan(got.real)))
            return true;
        if (!isfinite(want.real) || !isfinite(got.real))
            return false;
        a = want.real;
        b = got.real;
    } else if (type->kind == KIND_SIGNED) {
        a = (long double)(int64_t)want.integer;
        b = (long double)(int64_t)got.integer;
    } else {
        a = (long double)want.integer;
        b = (long double)got.integer;
    }
    const long double error = fabsl(a - b);
    return error <= (long double)tolerance->absolute ||
           error <= (long double)tolerance->relative * fabsl(a);
}

bool mncore2_expect_equal(const struct expect *expect, size_t i, bool printed, char *message,
                          size_t size)
{
    const struct type *type = &types[expect->type];
    if (printed && within(type, &expect->tolerance, expect->values.at[i], expect->got.at[i]))
        return true;
    char want[64], got[64] = "nothing";
    describe(type, expect->values.at[i], want, sizeof want);
    if (printed)
        describe(type, expect->got.at[i], got, sizeof got);
    snprintf(message, size, "%s[%zu] is %s, expected %s (%s%s%s)", expect->key, i, got, want,
             type->name, expect->places ? " @" : "", expect->places ? expect->places : "");
    return false;
}

void mncore2_expect_free(struct expect *expect)
{
    free(expect->key);
    free(expect->values.at);
    free(expect->got.at);
    free(expect->places);
    *expect = (struct expect){0};
}
