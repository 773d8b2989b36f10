/* Mnemonics and encodings, expanded from the rows of vector.def. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "functional/kelvin/vector.h"

enum group { ARITHMETIC, LOGICAL, SHIFT, MULTIPLY, ARITHMETIC2, SHUFFLE, MEMORY, LENGTH, FIXED };

/*
 * The common bits of a group's words, and the position of size and stripmine bit.
 *
 *   31    26 25  20 19  14 13 12 11   6  5  4   2 1 0
 *   | func2 | vs2  | vs1  | sz  | vd   | m | func1 | form
 */
static const struct {
    uint32_t base;
    uint8_t size, m;
} groups[] = {
    [ARITHMETIC] = {0 << 2, 12, 5}, [LOGICAL] = {1 << 2, 12, 5},     [SHIFT] = {2 << 2, 12, 5},
    [MULTIPLY] = {3 << 2, 12, 5},   [ARITHMETIC2] = {4 << 2, 12, 5}, [SHUFFLE] = {6 << 2, 12, 5},
    [MEMORY] = {7 << 2 | 3, 12, 5}, [LENGTH] = {0x10000077, 25, 27}, [FIXED] = {0, 0, 0},
};

enum {
    VV = 1 << 0,
    VX = 1 << 1,
    V = 1 << 2,
    XX = 1 << 3,
    X = 1 << 4,
    DUP = 1 << 5,
    LENGTH0 = 1 << 6,
    LENGTH1 = 1 << 7,
    LENGTH2 = 1 << 8,
    WORD = 1 << 9,
    WORD_S = 1 << 10,
    WORD_VD = 1 << 11,
    WORD_VXV = 1 << 12,
    ALL_FORMS = (1 << 13) - 1,
    FORMS = 13,
};

enum { D = KELVIN_D, S, T, VD, VS, VT, VR };

static const struct {
    const char *suffix;
    uint8_t low, count, operands[4];
    bool scalar;
} forms_of[FORMS] = {
    {".vv", 0, 3, {VD, VS, VT}, false}, /* VV */
    {".vx", 2, 3, {VD, VS, T}, true},   /* VX */
    {".v", 2, 2, {VD, VS}, false},      /* V */
    {".xx", 0, 3, {VD, S, T}, true},    /* XX */
    {".x", 0, 2, {VD, S}, false},       /* X */
    {".x", 0, 2, {VD, T}, true},        /* DUP */
    {"", 0, 1, {D}, false},             /* LENGTH0 */
    {".x", 0, 2, {D, S}, false},        /* LENGTH1 */
    {".xx", 0, 3, {D, S, T}, true},     /* LENGTH2 */
    {"", 0, 0, {0}, false},             /* WORD */
    {"", 0, 1, {S}, false},             /* WORD_S */
    {"", 0, 1, {VD}, false},            /* WORD_VD */
    {"", 0, 4, {VD, VS, T, VR}, true},  /* WORD_VXV: .vxv is spelled in the row */
};

enum variants { PLAIN, SIGN, ROUND, ROUNDSIGN, ROUNDNEGATIVE, STEPS, ADDRESSES, QUADS };

static const struct variant {
    const char *suffix; /* the list ends with NULL */
    uint8_t step;
    uint16_t forms;
} variants_of[][9] = {
    [PLAIN] = {{"", 0, ALL_FORMS}},
    [SIGN] = {{"", 0, ALL_FORMS}, {".u", 1, ALL_FORMS}},
    [ROUND] = {{"", 0, ALL_FORMS}, {".r", 2, ALL_FORMS}},
    [ROUNDSIGN] = {{"", 0, ALL_FORMS},
                   {".r", 2, ALL_FORMS},
                   {".u", 1, ALL_FORMS},
                   {".ur", 3, ALL_FORMS}},
    [ROUNDNEGATIVE] = {{"", 0, ALL_FORMS}, {".r", 2, ALL_FORMS}, {".rn", 3, ALL_FORMS}},
    [STEPS] = {{".1", 0, ALL_FORMS},
               {".2", 1, ALL_FORMS},
               {".3", 2, ALL_FORMS},
               {".4", 3, ALL_FORMS}},
    /* Length 1, stride 2, post-increment 4. */
    [ADDRESSES] = {{"", 0, X},
                   {".p", 4, X | XX},
                   {".l", 1, XX},
                   {".s", 2, XX},
                   {".lp", 5, XX},
                   {".sp", 6, XX},
                   {".tp", 7, XX}},
    [QUADS] = {{".s", 2, XX}, {".sp", 6, XX}},
};

enum { B = 1, H = 2, W = 4, TYPELESS = 8 };
enum { EITHER, ONLY, NEVER };

static const struct row {
    const char *name;
    uint32_t match;
    uint16_t forms;
    uint8_t group, sizes, variants, stripmine;
} rows[] = {
#define VECTOR(family, group, func2, forms, sizes, variants, stripmine, sentence)                  \
    {#family, (uint32_t)(func2) << 26, forms, group, sizes, variants, stripmine},
#define VECTOR_WORD(family, spelled, match, form, sentence)                                        \
    {#spelled, match, form, FIXED, TYPELESS, PLAIN, NEVER},
#include "functional/kelvin/vector.def"
};

static const struct {
    uint8_t shift, bits;
} fields[KELVIN_OPERAND_KINDS] = {
    [KELVIN_D] = {7, 5},   [KELVIN_S] = {15, 5},  [KELVIN_T] = {20, 5},  [KELVIN_VD] = {6, 6},
    [KELVIN_VS] = {14, 6}, [KELVIN_VT] = {20, 6}, [KELVIN_VR] = {26, 6},
};

#define SIZE_FIELD (UINT32_C(3) << 12)
#define SIZE_W     (UINT32_C(2) << 12) /* vcget's */
#define M_BIT      (UINT32_C(1) << 5)
#define IDLE_BITS  (SIZE_FIELD | M_BIT)

enum {
    FORM_NAME = 32,
    MOST_FORMS = 1280,
    KEYS = 1 << 14, /* func2, size, m, func1, form: bits that are fixed in every word */
    NAMES = 4096,   /* hash of names, open addressing */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct kelvin_form forms[MOST_FORMS];
static size_t form_count;
static uint16_t first[KEYS], next[MOST_FORMS], named[NAMES]; /* form + 1; 0: none */

static uint32_t field_mask(unsigned operand)
{
    return ((UINT32_C(1) << fields[operand].bits) - 1) << fields[operand].shift;
}

/* With three sources, bits 31 to 26 hold one of them instead of func2. */
static unsigned key_of(uint32_t word)
{
    return ((word & 3) == 1 ? 0 : word >> 26) << 8 | (word >> 12 & 3) << 6 | (word & 63);
}

static unsigned hash_of(const char *name, size_t length)
{
    unsigned hash = 5381;
    for (size_t i = 0; i < length; i++)
        hash = hash * 33 + (unsigned char)name[i];
    return hash;
}

static void append(char *name, size_t *length, const char *part)
{
    const size_t more = strlen(part);
    memcpy(name + *length, part, more);
    *length += more;
}

/* Chains are sorted: forms with more fixed bits first. */
static void link_key(unsigned key, uint16_t index)
{
    uint16_t *at = &first[key];
    while (*at && (forms[*at - 1].mask & forms[index].mask) == forms[index].mask)
        at = &next[*at - 1];
    next[index] = *at;
    *at = (uint16_t)(index + 1);
}

static void add(const struct row *row, const struct variant *variant, unsigned kind, unsigned size,
                bool m)
{
    static const char *const sizes[] = {".b", ".h", ".w"};
    const uint16_t index = (uint16_t)form_count++;
    struct kelvin_form *form = &forms[index];
    *form = (struct kelvin_form){
        .match = row->match | groups[row->group].base | forms_of[kind].low |
                 (uint32_t)variant->step << 26 | (uint32_t)size << groups[row->group].size |
                 (uint32_t)m << groups[row->group].m,
        .mask = UINT32_MAX,
        .family = (uint8_t)(row - rows),
        .size = (uint8_t)size,
        .step = variant->step,
        .m = m,
        .scalar = forms_of[kind].scalar,
        .count = forms_of[kind].count,
    };
    for (unsigned i = 0; i < form->count; i++) {
        form->operands[i] = forms_of[kind].operands[i];
        form->mask &= ~field_mask(form->operands[i]);
    }

    size_t length = 0;
    append(form->name, &length, row->name);
    if (!(row->sizes & TYPELESS && !(1u << kind & VX)))
        append(form->name, &length, sizes[size]);
    append(form->name, &length, variant->suffix);
    append(form->name, &length, forms_of[kind].suffix);
    append(form->name, &length, m ? ".m" : "");
    unsigned slot = hash_of(form->name, length) % NAMES;
    while (named[slot])
        slot = (slot + 1) % NAMES;
    named[slot] = (uint16_t)(index + 1);

    link_key(key_of(form->match), index);
}

static void add_row(const struct row *row)
{
    for (unsigned size = 0; size < 3; size++)
        for (const struct variant *v = variants_of[row->variants]; v->suffix; v++)
            for (unsigned kind = 0; kind < FORMS; kind++) {
                const unsigned of = row->forms & v->forms & 1u << kind;
                const bool one = row->sizes & TYPELESS && !(of & VX);
                if (!of || !(one ? size == 0 : row->sizes & 1u << size))
                    continue;
                if (row->stripmine != ONLY)
                    add(row, v, kind, size, false);
                if (row->stripmine != NEVER)
                    add(row, v, kind, size, true);
            }
}

static void build(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_row(&rows[i]);
}

size_t kelvin_forms(const struct kelvin_form **list)
{
    pthread_once(&once, build);
    *list = forms;
    return form_count;
}

static const struct kelvin_form *find(const char *name, size_t length)
{
    for (unsigned slot = hash_of(name, length) % NAMES; named[slot]; slot = (slot + 1) % NAMES) {
        const struct kelvin_form *form = &forms[named[slot] - 1];
        if (strlen(form->name) == length && memcmp(form->name, name, length) == 0)
            return form;
    }
    return NULL;
}

/* A variant's letters, such as "ur", as bits; 0: contains other letters. */
static unsigned letters_of(const char *part)
{
    unsigned set = 0;
    for (; *part; part++) {
        const char *at = strchr("urn", *part);
        if (!at)
            return 0;
        set |= 1u << (at - "urn");
    }
    return set;
}

/* Translate a spelling of the reference to the vendor's: sign and rounding in one part or two,
 * those of vmulh after the size; actr.w.v and actr.w.v.m. */
static size_t respell(const char *name, size_t length, char spelled[FORM_NAME])
{
    char copy[FORM_NAME], rest[FORM_NAME] = "", size[3] = "";
    if (length >= sizeof copy || !length || name[length - 1] == '.' ||
        memmem(name, length, "..", 2))
        return 0;
    memcpy(copy, name, length);
    copy[length] = '\0';
    unsigned letters = 0;
    char *save = NULL, *base = strtok_r(copy, ".", &save);
    for (char *part; base && (part = strtok_r(NULL, ".", &save));) {
        const unsigned more = *rest ? 0 : letters_of(part);
        if (letters & more)
            return 0;
        letters |= more;
        if (!*rest && !letters && !*size && strlen(part) == 1 && strchr("bhw", *part))
            memcpy(size, (const char[]){'.', *part, '\0'}, 3);
        else if (!more)
            strcat(strcat(rest, "."), part);
    }
    if (base && strcmp(base, "actr") == 0 && strcmp(size, ".w") == 0)
        size[0] = rest[strcmp(rest, ".v.m") == 0 ? 2 : strlen(rest)] = '\0';
    const bool in_name = base && (letters & 1) && strcmp(base, "vmulh") == 0;
    if (!base || (letters & 4) || (in_name && !*size))
        return 0;
    return (size_t)snprintf(spelled, FORM_NAME, "%s%s%s%s%s", base, in_name ? "u" : "", size,
                            letters & 2 && letters & 1 && !in_name ? ".ur"
                            : letters & 2                          ? ".r"
                            : letters && !in_name                  ? ".u"
                                                                   : "",
                            rest);
}

const struct kelvin_form *kelvin_form_find(const char *name, size_t length)
{
    char spelled[FORM_NAME];
    pthread_once(&once, build);
    const struct kelvin_form *form = find(name, length);
    if (form)
        return form;
    const size_t size = respell(name, length, spelled);
    return size && size < sizeof spelled ? find(spelled, size) : NULL;
}

/* Bits ignored in decoding: the size field of a form without a size; for actr also the stripmine
 * bit, since the reference writes it actr.[w].v.{m}. */
static uint32_t idle_bits(const struct kelvin_form *form)
{
    switch (form->family) {
    case KELVIN_actr:
        return SIZE_FIELD | M_BIT;
    case KELVIN_vand:
    case KELVIN_vor:
    case KELVIN_vxor:
    case KELVIN_vmvp:
        return form->scalar ? 0 : SIZE_FIELD;
    case KELVIN_vnot:
    case KELVIN_vmv:
    case KELVIN_acset:
    case KELVIN_adwinit:
    case KELVIN_vcget:
        return SIZE_FIELD;
    default:
        return 0;
    }
}

static bool decode(uint32_t word, uint32_t idle, struct kelvin_vop *op)
{
    for (unsigned i = first[key_of(word)]; i; i = next[i - 1]) {
        const struct kelvin_form *form = &forms[i - 1];
        if ((word & form->mask) != form->match || (idle & ~idle_bits(form)))
            continue;
        *op = (struct kelvin_vop){.form = form};
        for (unsigned k = 0; k < form->count; k++) {
            const unsigned operand = form->operands[k];
            op->operands.at[operand] =
                (uint8_t)((word & field_mask(operand)) >> fields[operand].shift);
        }
        op->legal = kelvin_vector_illegal(op) == NULL;
        return true;
    }
    return false;
}

bool kelvin_vector_decode(uint32_t word, struct kelvin_vop *op)
{
    static const uint32_t sizes[] = {0, SIZE_W};
    pthread_once(&once, build);
    if (decode(word, 0, op))
        return true;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t with_m = (word & ~SIZE_FIELD) | sizes[i], plain = with_m & ~M_BIT;
        if (decode(with_m, SIZE_FIELD, op) || (with_m != plain && decode(plain, IDLE_BITS, op)))
            return true;
    }
    return false;
}

uint32_t kelvin_vector_encode(const struct kelvin_form *form,
                              const struct kelvin_operands *operands)
{
    uint32_t word = form->match;
    for (unsigned k = 0; k < form->count; k++) {
        const unsigned operand = form->operands[k];
        word |= (uint32_t)operands->at[operand] << fields[operand].shift & field_mask(operand);
    }
    return word;
}
