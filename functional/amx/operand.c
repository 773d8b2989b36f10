/* operand: matfp with named fields: text to 64 bits and back. */
#include <stdio.h>
#include <string.h>

#include "functional/amx/program.h"
#include "functional/line.h"

static const char *const lanes_name[MATFP_LANES_COUNT] = {
#define LANE(id, name, x, z, mode, m2, sentence) [MATFP_##id] = name,
#include "functional/amx/insn.def"
};

static const char *const alu_name[] = {
#define ALU(id, name, mode, sentence) name,
#include "functional/amx/insn.def"
};
static const uint8_t alu_mode[] = {
#define ALU(id, name, mode, sentence) mode,
#include "functional/amx/insn.def"
};
enum { ALU_COUNT = sizeof alu_mode };

enum key {
    KEY_X,
    KEY_Y,
    KEY_Z,
    KEY_ALU,
    KEY_XEN,
    KEY_YEN,
    KEY_SHUFX,
    KEY_SHUFY,
    KEY_IX,
    KEY_IY,
    KEY_COUNT
};
static const char *const key_name[KEY_COUNT] = {"x",   "y",     "z",     "alu", "xen",
                                                "yen", "shufx", "shufy", "ix",  "iy"};

/* Names of enable modes: first those without a number, then those with one. */
static const struct {
    const char *name;
    uint8_t mode, value;
} enable_plain[] = {
    {"all", 0, 0}, {"odd", 0, 1}, {"even", 0, 2}, {"clear", 0, 3}, {"zero", 0, 4}, {"none", 6, 0},
};
enum { ENABLE_PLAIN = sizeof enable_plain / sizeof *enable_plain };
static const char *const enable_name[] = {"all",  "odd",  "even",  "clear", "zero",
                                          "none", "only", "first", "last"};
enum { ENABLE_ONLY = ENABLE_PLAIN, ENABLE_FIRST, ENABLE_LAST, ENABLE_COUNT };

static const char rule_enable[] = "matfp: X/Y enable modes";
static const char rule_lanes[] = "matfp: lane width modes";
static const char rule_alu[] = "matfp: ALU modes";
static const char rule_operand[] = "matfp: operand";

static bool is_digit(struct word word)
{
    return word.length && word.text[0] >= '0' && word.text[0] <= '9';
}

/* all odd even clear zero none, only:N first:N last:N, or MODE/VALUE. */
static bool parse_enable(struct line *line, struct word word, unsigned lanes, unsigned *mode,
                         unsigned *value)
{
    struct word rest;
    uint64_t a, b;
    if (is_digit(word)) {
        if (!word_cut(&word, '/', &rest)) {
            line_error(line, word, rule_enable,
                       "an enable mode by number needs its value\nwrite MODE/VALUE, as in 2/8");
            return false;
        }
        if (!line_range(line, word, "enable mode", 0, 7, &a) ||
            !line_range(line, rest, "enable value", 0, 31, &b))
            return false;
        *mode = (unsigned)a;
        *value = (unsigned)b;
        return true;
    }
    const bool numbered = word_cut(&word, ':', &rest);
    const int choice = line_choose(line, word, enable_name, ENABLE_COUNT, "enable mode");
    if (choice < 0)
        return false;
    if (numbered != (choice >= ENABLE_ONLY)) {
        if (numbered)
            line_error(line, rest, rule_enable, "'%s' takes no number", enable_name[choice]);
        else
            line_error(line, word, rule_enable, "'%s' needs a number of lanes\nwrite %s:N",
                       enable_name[choice], enable_name[choice]);
        return false;
    }
    if (choice < ENABLE_ONLY) {
        *mode = enable_plain[choice].mode;
        *value = enable_plain[choice].value;
        return true;
    }
    if (!line_range(line, rest, choice == ENABLE_ONLY ? "lane" : "number of lanes", 0,
                    choice == ENABLE_ONLY ? lanes - 1 : lanes, &a))
        return false;
    /* No lanes at all is mode 4 or 5 with 0; in modes 2 and 3, 0 means all lanes. */
    *value = (unsigned)(a == lanes ? 0 : a);
    if (choice == ENABLE_ONLY)
        *mode = 1;
    else if (choice == ENABLE_FIRST)
        *mode = a ? 2 : 4;
    else
        *mode = a ? 3 : 5;
    return true;
}

/* REG:BITS of an indexed load. */
static bool parse_index(struct line *line, struct word word, uint64_t *operand, bool of_y)
{
    struct word rest;
    uint64_t reg, bits;
    if (!word_cut(&word, ':', &rest)) {
        line_error(line, word, rule_operand,
                   "an indexed load names a register and the bits of an index\nwrite %s=REG:2 or "
                   "%s=REG:4",
                   of_y ? "iy" : "ix", of_y ? "iy" : "ix");
        return false;
    }
    if (!line_range(line, word, "register", 0, AMX_XY_REGS - 1, &reg))
        return false;
    if (!word_number(rest, &bits) || (bits != 2 && bits != 4)) {
        line_error(line, rest, rule_operand, "an index has 2 or 4 bits");
        return false;
    }
    *operand = amx_matfp_with(*operand, MATFP_FIELD_INDEXED, 1);
    *operand = amx_matfp_with(*operand, MATFP_FIELD_INDEX_REG, (unsigned)reg);
    *operand = amx_matfp_with(*operand, MATFP_FIELD_INDEX_4BIT, bits == 4);
    *operand = amx_matfp_with(*operand, MATFP_FIELD_INDEX_Y, of_y);
    return true;
}

static void parse_alu(struct line *line, struct word word, unsigned *mode)
{
    uint64_t number;
    if (is_digit(word)) {
        if (line_range(line, word, "ALU mode", 0, 63, &number))
            *mode = (unsigned)number;
        return;
    }
    const int choice = line_choose(line, word, alu_name, ALU_COUNT, "ALU operation");
    if (choice >= 0)
        *mode = alu_mode[choice];
}

static void parse_lanes(struct line *line, struct word word, enum amx_version version,
                        unsigned *lanes)
{
    const int choice = line_choose(line, word, lanes_name, MATFP_LANES_COUNT, "lane type");
    if (choice < 0)
        return;
    *lanes = (unsigned)choice;
    if (amx_matfp_lane[choice].m2 && version < AMX_M2)
        line_error(line, word, rule_lanes,
                   "%s exists on the M2 only\nput '.version M2' at the top of the program",
                   amx_matfp_lane[choice].name);
}

/* One key=value. */
static void parse_field(struct line *line, enum key key, struct word word, unsigned lanes,
                        uint64_t *operand, unsigned *alu)
{
    static const struct {
        uint8_t field;
        uint16_t high;
    } number[KEY_COUNT] = {
        [KEY_X] = {MATFP_FIELD_X_OFFSET, 511},    [KEY_Y] = {MATFP_FIELD_Y_OFFSET, 511},
        [KEY_Z] = {MATFP_FIELD_Z_ROW, 7},         [KEY_SHUFX] = {MATFP_FIELD_X_SHUFFLE, 3},
        [KEY_SHUFY] = {MATFP_FIELD_Y_SHUFFLE, 3},
    };
    uint64_t value;
    unsigned mode, n;
    switch (key) {
    case KEY_X:
    case KEY_Y:
    case KEY_Z:
    case KEY_SHUFX:
    case KEY_SHUFY:
        if (!line_range(line, word, key_name[key], 0, number[key].high, &value))
            return;
        *operand = amx_matfp_with(*operand, number[key].field, (unsigned)value);
        if (key == KEY_Z) {
            const struct matfp_lane_info *lane = &amx_matfp_lane[lanes];
            const unsigned rows = lane->x == lane->z ? lane->bits / 8 : 1;
            if (value >= rows)
                line_warning(line, word, rule_lanes, "z-row",
                             "%s has %u accumulator%s: z=%llu is z=%llu", lane->name, rows,
                             rows == 1 ? "" : "s", (unsigned long long)value,
                             (unsigned long long)(value % rows));
        }
        return;
    case KEY_ALU:
        parse_alu(line, word, alu);
        return;
    case KEY_XEN:
    case KEY_YEN:
        if (!parse_enable(line, word, amx_matfp_lane[lanes].count, &mode, &n))
            return;
        *operand = amx_matfp_with(*operand,
                                  key == KEY_XEN ? MATFP_FIELD_X_MODE : MATFP_FIELD_Y_MODE, mode);
        *operand =
            amx_matfp_with(*operand, key == KEY_XEN ? MATFP_FIELD_X_VALUE : MATFP_FIELD_Y_VALUE, n);
        return;
    case KEY_IX:
    case KEY_IY:
        parse_index(line, word, operand, key == KEY_IY);
        return;
    case KEY_COUNT:
        return;
    }
}

/* matfp 0x..., matfp .operand 0x...: the 64 bits as given. */
static bool parse_raw(struct line *line, struct word word, uint64_t *operand)
{
    if (!word_number(word, operand)) {
        line_error(line, word, rule_operand,
                   "an operand is one number of at most 64 bits\nas in matfp 0x100000");
        return false;
    }
    if (line_word(line, &word))
        line_error(line, word, rule_operand, "nothing may follow a raw operand");
    return !line->wrong;
}

bool amx_line_operand(struct line *line, enum amx_version version, uint64_t *operand)
{
    struct word word;
    const struct word end = {line->end > line->start ? line->end - 1 : line->end, 1};
    if (!line_word(line, &word)) {
        line_error(line, end, rule_operand,
                   "matfp needs a lane type or an operand\nas in 'matfp f32 x=0 y=0 z=0' or 'matfp "
                   "0x100000'");
        return false;
    }
    if (word_is(word, ".operand")) {
        if (line_word(line, &word))
            return parse_raw(line, word, operand);
        line_error(line, end, rule_operand, ".operand needs a number of at most 64 bits");
        return false;
    }
    if (is_digit(word))
        return parse_raw(line, word, operand);

    unsigned lanes = MATFP_F16, alu = MATFP_FMA;
    parse_lanes(line, word, version, &lanes);
    *operand = amx_matfp_with(0, MATFP_FIELD_LANES, amx_matfp_lane[lanes].mode);
    struct word seen[KEY_COUNT] = {{NULL, 0}};
    while (line_word(line, &word)) {
        struct word value;
        if (!word_cut(&word, '=', &value)) {
            line_error(line, word, "", "a field of matfp is written name=value");
            continue;
        }
        const int key = line_choose(line, word, key_name, KEY_COUNT, "field of matfp");
        if (key < 0)
            continue;
        if (seen[key].text) {
            line_error(line, word, "", "field '%s' is written twice", key_name[key]);
            continue;
        }
        seen[key] = word;
        if (value.length == 0) {
            line_error(line, word, "", "field '%s' has no value", key_name[key]);
            continue;
        }
        parse_field(line, (enum key)key, value, lanes, operand, &alu);
    }
    if (seen[KEY_IX].text && seen[KEY_IY].text) {
        line_error(line, seen[KEY_IY], rule_operand, "only one of X and Y can be loaded by index");
    } else if (seen[KEY_IX].text || seen[KEY_IY].text) {
        if (alu != MATFP_FMA)
            line_error(line, seen[KEY_ALU], rule_alu,
                       "an indexed load always computes z + x*y\ndrop alu=, or ix= and iy=");
    } else {
        *operand = amx_matfp_with(*operand, MATFP_FIELD_ALU, alu);
    }
    return !line->wrong;
}

bool amx_operand_parse(const char *text, size_t length, enum amx_version version, uint64_t *operand)
{
    struct line line = {.start = text, .at = text, .end = text + length};
    return amx_line_operand(&line, version, operand);
}

/* Output text limited to size; counts further characters. */
struct out {
    char *text;
    size_t size, used;
};

static void put(struct out *out, const char *key, const char *value)
{
    const size_t left = out->used < out->size ? out->size - out->used : 0;
    out->used += (size_t)snprintf(left ? out->text + out->used : NULL, left, "%s%s", key, value);
}

static void put_number(struct out *out, const char *key, unsigned value)
{
    char number[16];
    snprintf(number, sizeof number, "%u", value);
    put(out, key, number);
}

static void put_enable(struct out *out, const char *key, unsigned mode, unsigned value,
                       unsigned lanes)
{
    if (mode == 0 && value == 0)
        return;
    put(out, key, "");
    for (unsigned i = 0; i < ENABLE_PLAIN; i++)
        if (enable_plain[i].mode == mode && enable_plain[i].value == value) {
            put(out, enable_plain[i].name, "");
            return;
        }
    static const char *const numbered[6] = {
        [1] = "only:", [2] = "first:", [3] = "last:", [4] = "first:", [5] = "last:"};
    const bool named =
        mode >= 1 && mode <= 5 && value < lanes && (mode == 1 || (value == 0) == (mode >= 4));
    if (named) {
        put_number(out, numbered[mode], value);
    } else {
        put_number(out, "", mode);
        put_number(out, "/", value);
    }
}

int amx_operand_print(uint64_t operand, enum amx_version version, char *text, size_t size)
{
    struct matfp m;
    amx_matfp_decode(&m, operand, version);
    const struct matfp_lane_info *lane = &amx_matfp_lane[m.lanes];
    char named[200];
    struct out out = {named, sizeof named, 0};
    put(&out, "", lane->name);
    put_number(&out, " x=", m.x_offset);
    put_number(&out, " y=", m.y_offset);
    put_number(&out, " z=", amx_matfp_field(operand, MATFP_FIELD_Z_ROW));
    if (m.indexed) {
        put_number(&out, m.indexed == MATFP_INDEX_Y ? " iy=" : " ix=", m.index_reg);
        put_number(&out, ":", m.index_bits);
    } else if (m.alu != MATFP_FMA) {
        const char *name = NULL;
        for (unsigned i = 0; i < ALU_COUNT; i++)
            if (alu_mode[i] == m.alu)
                name = alu_name[i];
        if (name)
            put(&out, " alu=", name);
        else
            put_number(&out, " alu=", m.alu);
    }
    put_enable(&out, " xen=", amx_matfp_field(operand, MATFP_FIELD_X_MODE),
               amx_matfp_field(operand, MATFP_FIELD_X_VALUE), lane->count);
    put_enable(&out, " yen=", amx_matfp_field(operand, MATFP_FIELD_Y_MODE),
               amx_matfp_field(operand, MATFP_FIELD_Y_VALUE), lane->count);
    if (m.x_shuffle)
        put_number(&out, " shufx=", m.x_shuffle);
    if (m.y_shuffle)
        put_number(&out, " shufy=", m.y_shuffle);

    /* If bits are in no field, or another value encodes the same lanes, only the raw form is
     * lossless. */
    uint64_t again;
    if (!amx_operand_parse(named, strlen(named), version, &again) || again != operand)
        return snprintf(text, size, "0x%016llx", (unsigned long long)operand);
    return snprintf(text, size, "%s", named);
}
