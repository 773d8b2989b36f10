/*
 * asm_directive: the directives.
 *
 *   .text .data .rodata .bss .section NAME      select the section; flags and
 *   .pushsection NAME .popsection .previous     @nobits as in GNU as
 *   .globl NAME ... .weak NAME ... .local NAME ...   visibility of a symbol
 *   .type NAME, @function                       NAME begins a function
 *   .align N .p2align N .balign BYTES           padding: addi x0, x0, 0 in code, else zeros
 *   .byte .half .short .2byte .word .long .4byte .dword .quad .8byte VALUE, ...
 *   .float .single NUMBER, ...
 *   .ascii .asciz .string "TEXT", ...
 *   .zero .skip .space BYTES [, FILL]  .fill COUNT [, SIZE [, VALUE]]  .org OFFSET
 *   .equ .set NAME, VALUE  NAME = VALUE         .comm NAME, BYTES [, ALIGN]
 *   .size .file .ident .option ...              emitted by compilers; ignored
 *
 * A .word in a code section is a statement: it encodes instructions without a mnemonic.
 */
#include <string.h>

#include "functional/riscv/asm_state.h"
#include "functional/riscv/insn.h"
#include "host/suggest.h"

#define MOST_BYTES INT64_C(0xffffffff)

/* A number that must not depend on later definitions. */
static bool known(struct riscv_asm *as, const char *what, int64_t low, int64_t high, int64_t *value)
{
    return riscv_asm_value(as, what, low, high, value);
}

static bool name_operand(struct riscv_asm *as, struct riscv_word *name)
{
    *name = riscv_asm_word(as);
    const bool fine = name->length && !(name->text[0] >= '0' && name->text[0] <= '9');
    if (!fine)
        riscv_asm_error(as, riscv_asm_rest(as), "a name was expected here");
    return fine;
}

/* --- sections --------------------------------------------------------------------------------- */

static bool begins(struct riscv_word name, const char *with)
{
    return name.length >= strlen(with) && memcmp(name.text, with, strlen(with)) == 0;
}

static enum section_kind kind_of(struct riscv_word name)
{
    return begins(name, ".preinit_array") || begins(name, ".init_array") ||
                   begins(name, ".fini_array")
               ? SECTION_ARRAY
           : begins(name, ".text") || begins(name, ".init") || begins(name, ".fini") ||
                   begins(name, "._init") || begins(name, "._fini")
               ? SECTION_CODE
           : begins(name, ".debug") || begins(name, ".comment") || begins(name, ".note")
               ? SECTION_NOTE
           : begins(name, ".rodata") || begins(name, ".srodata") ? SECTION_CONSTANT
           : begins(name, ".bss") || begins(name, ".sbss")       ? SECTION_ZERO
                                                                 : SECTION_DATA;
}

/* Parse the flags after their opening quote. x is code, w is writable; without a the section is not
 * part of the program. */
static enum section_kind kind_of_flags(struct riscv_asm *as, enum section_kind kind)
{
    bool code = false, written = false, loaded = false;
    for (; as->at < as->end && *as->at != '"'; as->at++) {
        code = code || *as->at == 'x';
        written = written || *as->at == 'w';
        loaded = loaded || *as->at == 'a';
    }
    const bool zeros = memmem(as->at, (size_t)(as->end - as->at), "nobits", 6) != NULL;
    return code                                           ? SECTION_CODE
           : !loaded && !written                          ? SECTION_NOTE
           : kind == SECTION_ARRAY                        ? kind
           : zeros                                        ? SECTION_ZERO
           : kind == SECTION_ZERO || kind == SECTION_NOTE ? SECTION_DATA
           : written                                      ? SECTION_DATA
                                                          : SECTION_CONSTANT;
}

static void section(struct riscv_asm *as)
{
    riscv_asm_blanks(as);
    struct riscv_word name;
    if (as->at < as->end && *as->at == '"') {
        name.text = ++as->at;
        while (as->at < as->end && *as->at != '"')
            as->at++;
        name.length = (size_t)(as->at - name.text);
        as->at += as->at < as->end;
    } else if (!name_operand(as, &name)) {
        return;
    }
    enum section_kind kind = kind_of(name);
    if (riscv_asm_take(as, ',') && riscv_asm_take(as, '"')) /* flags, @nobits */
        kind = kind_of_flags(as, kind);
    as->at = as->end; /* the rest is for the linker */
    riscv_asm_section(as, name, kind);
}

static void push_section(struct riscv_asm *as)
{
    const struct riscv_word at = riscv_asm_rest(as);
    if (as->pushed_count == PUSHED) {
        riscv_asm_error(as, at, "sections are pushed at most %d times", PUSHED);
        return;
    }
    as->pushed[as->pushed_count][0] = as->section;
    as->pushed[as->pushed_count++][1] = as->previous;
    section(as);
}

static void pop_section(struct riscv_asm *as)
{
    if (!as->pushed_count) {
        riscv_asm_error(as, riscv_asm_rest(as), "there is no .pushsection above");
        return;
    }
    as->section = as->pushed[--as->pushed_count][0];
    as->previous = as->pushed[as->pushed_count][1];
    riscv_asm_end(as);
}

static void previous(struct riscv_asm *as)
{
    const uint32_t section = as->section;
    as->section = as->previous;
    as->previous = section;
}

/* --- data ------------------------------------------------------------------------------------- */

static void numbers(struct riscv_asm *as, unsigned size)
{
    const uint64_t most = size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
    const bool code = size == 4 && as->sections[as->section].kind == SECTION_CODE &&
                      as->sections[as->section].at % 4 == 0;
    if (riscv_asm_done(as))
        return;
    do {
        int64_t value;
        const int64_t low = size == 8 ? INT64_MIN : -(int64_t)(most / 2) - 1;
        if (!riscv_asm_value(as, "the value", low, size == 8 ? INT64_MAX : (int64_t)most, &value))
            return;
        if (code) {
            riscv_asm_emit(as, (uint32_t)value);
            continue;
        }
        uint8_t bytes[8];
        for (unsigned i = 0; i < size; i++)
            bytes[i] = (uint8_t)((uint64_t)value >> 8 * i);
        if (!riscv_asm_bytes(as, bytes, size))
            return;
    } while (riscv_asm_take(as, ','));
    riscv_asm_end(as);
}

static void floats(struct riscv_asm *as)
{
    do {
        uint32_t bits;
        if (!riscv_asm_float(as, &bits))
            return;
        const uint8_t bytes[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                                  (uint8_t)(bits >> 24)};
        if (!riscv_asm_bytes(as, bytes, 4))
            return;
    } while (riscv_asm_take(as, ','));
    riscv_asm_end(as);
}

static void strings(struct riscv_asm *as, bool ends)
{
    do {
        char text[256];
        size_t length;
        bool more;
        if (!riscv_asm_take(as, '"')) {
            riscv_asm_error(as, riscv_asm_rest(as), "a text in \" was expected here");
            return;
        }
        do {
            more = riscv_asm_string(as, text, sizeof text, &length);
            if (length == UINT32_MAX || !riscv_asm_bytes(as, text, length))
                return;
        } while (more);
        if (ends && !riscv_asm_bytes(as, "", 1))
            return;
    } while (riscv_asm_take(as, ','));
    riscv_asm_end(as);
}

/* --- space ------------------------------------------------------------------------------------ */

static void repeat(struct riscv_asm *as, uint64_t count, unsigned size, uint64_t value)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    if (!value) {
        riscv_asm_bytes(as, NULL, count * size);
        return;
    }
    for (; count; count--)
        if (!riscv_asm_bytes(as, bytes, size))
            return;
}

static void zero(struct riscv_asm *as)
{
    int64_t count, value = 0;
    if (!known(as, "the size", 0, MOST_BYTES, &count))
        return;
    if (riscv_asm_take(as, ',') && !known(as, "the value", -128, 255, &value))
        return;
    if (riscv_asm_end(as))
        repeat(as, (uint64_t)count, 1, (uint64_t)value & 0xff);
}

static void fill(struct riscv_asm *as)
{
    int64_t count, size = 1, value = 0;
    if (!known(as, "the count", 0, MOST_BYTES, &count))
        return;
    if (riscv_asm_take(as, ',') && !known(as, "the size", 1, 8, &size))
        return;
    if (riscv_asm_take(as, ',') && !known(as, "the value", INT64_MIN, INT64_MAX, &value))
        return;
    if (riscv_asm_end(as))
        repeat(as, (uint64_t)count, (unsigned)size, (uint64_t)value);
}

static void align(struct riscv_asm *as, bool power)
{
    struct section *section = &as->sections[as->section];
    int64_t value;
    riscv_asm_blanks(as);
    const struct riscv_word at = riscv_asm_rest(as);
    if (!known(as, power ? "the power of two" : "the alignment", power ? 0 : 1,
               power ? 20 : 1 << 20, &value))
        return;
    as->at = as->end; /* fill and limit are ignored */
    const uint32_t bytes = power ? UINT32_C(1) << value : (uint32_t)value;
    if (bytes & (bytes - 1)) {
        riscv_asm_error(as, at, "%u is no power of two", bytes);
        return;
    }
    if (bytes > section->align)
        section->align = bytes;
    const uint32_t gap = (bytes - section->at % bytes) % bytes;
    const uint32_t fills = section->kind == SECTION_CODE ? gap / 4 : 0;
    riscv_asm_bytes(as, NULL, gap - 4 * fills);
    for (uint32_t i = 0; i < fills; i++)
        riscv_asm_emit(as, riscv_encode(&(struct riscv_op){.insn = RISCV_ADDI}));
}

static void org(struct riscv_asm *as)
{
    const uint32_t at = as->sections[as->section].at;
    int64_t value;
    riscv_asm_blanks(as);
    const struct riscv_word where = riscv_asm_rest(as);
    struct value given;
    if (!riscv_asm_expression(as, &given))
        return;
    value = given.number - (given.moves ? (int64_t)as->sections[as->section].base : 0);
    if (value < at || value > MOST_BYTES)
        riscv_asm_error(as, where, "offset %lld is before the current end, at %u", (long long)value,
                        at);
    else if (riscv_asm_end(as))
        riscv_asm_bytes(as, NULL, (uint64_t)value - at);
}

static void comm(struct riscv_asm *as)
{
    struct riscv_word name;
    int64_t size, alignment = 8;
    if (!name_operand(as, &name) || !riscv_asm_comma(as) ||
        !known(as, "the size", 0, MOST_BYTES, &size))
        return;
    if (riscv_asm_take(as, ',') && !known(as, "the alignment", 1, 1 << 20, &alignment))
        return;
    const uint32_t section = as->section, before = as->previous;
    struct symbol *symbol = riscv_asm_symbol(as, name);
    if (!symbol || !riscv_asm_section(as, (struct riscv_word){".bss", 4}, SECTION_ZERO))
        return;
    struct section *bss = &as->sections[as->section];
    if (alignment > bss->align && !(alignment & (alignment - 1)))
        bss->align = (uint32_t)alignment;
    const uint32_t to = (uint32_t)alignment;
    riscv_asm_bytes(as, NULL, (to - bss->at % to) % to);
    if (!as->second && !symbol->defined) {
        symbol->defined = symbol->label = true;
        symbol->global = symbol->weak = !symbol->local; /* another file may define it */
        symbol->section = as->section;
        symbol->value = bss->at;
        symbol->file = as->file;
        symbol->line = as->line;
    }
    riscv_asm_bytes(as, NULL, (uint64_t)size);
    as->section = section;
    as->previous = before;
}

/* --- names ------------------------------------------------------------------------------------ */

static void names(struct riscv_asm *as, bool weak, bool local)
{
    do {
        struct riscv_word name;
        if (!name_operand(as, &name))
            return;
        struct symbol *symbol = riscv_asm_symbol(as, name);
        if (!symbol)
            return;
        symbol->global = symbol->global || !local;
        symbol->weak = symbol->weak || weak;
        symbol->local = symbol->local || local;
    } while (riscv_asm_take(as, ','));
    riscv_asm_end(as);
}

static void global(struct riscv_asm *as)
{
    names(as, false, false);
}
static void weak(struct riscv_asm *as)
{
    names(as, true, false);
}
static void local(struct riscv_asm *as)
{
    names(as, false, true);
}

static void type(struct riscv_asm *as)
{
    struct riscv_word name;
    if (!name_operand(as, &name) || !riscv_asm_comma(as))
        return;
    if (!riscv_asm_take(as, '@'))
        riscv_asm_take(as, '%');
    struct symbol *symbol = riscv_asm_symbol(as, name);
    if (symbol && riscv_word_is(riscv_asm_word(as), "function"))
        symbol->function = true;
    as->at = as->end;
}

static void set(struct riscv_asm *as)
{
    struct riscv_word name;
    struct value value;
    if (!name_operand(as, &name))
        return;
    if (!riscv_asm_take(as, '=') && !riscv_asm_comma(as))
        return;
    const struct riscv_asm_mark mark = riscv_asm_mark(as);
    const struct riscv_word alias = riscv_asm_word(as);
    const bool is_alias = riscv_asm_done(as) && alias.length && !riscv_word_is(alias, ".") &&
                          !(alias.text[0] >= '0' && alias.text[0] <= '9');
    riscv_asm_back(as, mark);
    if (!riscv_asm_expression(as, &value) || !riscv_asm_end(as))
        return;
    struct symbol *symbol = riscv_asm_symbol(as, name);
    if (!symbol)
        return;
    if (is_alias && !as->second)
        symbol->alias = alias;
    as->unsettled = as->unsettled || value.moves || value.unknown;
    if (symbol->label) {
        riscv_asm_error(as, name, "%.*s is the label of line %u\ngive the value another name",
                        (int)name.length, name.text, symbol->line);
        return;
    }
    if (value.unknown)
        return; /* resolved in the second pass */
    symbol->defined = true;
    symbol->value = value.number;
}

/* --- the list --------------------------------------------------------------------------------- */

static void text(struct riscv_asm *as)
{
    riscv_asm_section(as, (struct riscv_word){".text", 5}, SECTION_CODE);
    riscv_asm_end(as);
}
static void data(struct riscv_asm *as)
{
    riscv_asm_section(as, (struct riscv_word){".data", 5}, SECTION_DATA);
    riscv_asm_end(as);
}
static void rodata(struct riscv_asm *as)
{
    riscv_asm_section(as, (struct riscv_word){".rodata", 7}, SECTION_CONSTANT);
    riscv_asm_end(as);
}
static void bss(struct riscv_asm *as)
{
    riscv_asm_section(as, (struct riscv_word){".bss", 4}, SECTION_ZERO);
    riscv_asm_end(as);
}
static void bytes1(struct riscv_asm *as)
{
    numbers(as, 1);
}
static void bytes2(struct riscv_asm *as)
{
    numbers(as, 2);
}
static void bytes4(struct riscv_asm *as)
{
    numbers(as, 4);
}
static void bytes8(struct riscv_asm *as)
{
    numbers(as, 8);
}
static void ascii(struct riscv_asm *as)
{
    strings(as, false);
}
static void asciz(struct riscv_asm *as)
{
    strings(as, true);
}
static void p2align(struct riscv_asm *as)
{
    align(as, true);
}
static void balign(struct riscv_asm *as)
{
    align(as, false);
}
static void nothing(struct riscv_asm *as)
{
    as->at = as->end;
}

static const struct {
    const char *name;
    void (*read)(struct riscv_asm *as);
} directives[] = {
    {".text", text},
    {".data", data},
    {".rodata", rodata},
    {".bss", bss},
    {".section", section},
    {".previous", previous},
    {".pushsection", push_section},
    {".popsection", pop_section},
    {".globl", global},
    {".global", global},
    {".type", type},
    {".align", p2align},
    {".p2align", p2align},
    {".balign", balign},
    {".byte", bytes1},
    {".half", bytes2},
    {".short", bytes2},
    {".2byte", bytes2},
    {".hword", bytes2},
    {".word", bytes4},
    {".long", bytes4},
    {".4byte", bytes4},
    {".int", bytes4},
    {".dword", bytes8},
    {".quad", bytes8},
    {".8byte", bytes8},
    {".ascii", ascii},
    {".asciz", asciz},
    {".string", asciz},
    {".zero", zero},
    {".skip", zero},
    {".space", zero},
    {".fill", fill},
    {".org", org},
    {".equ", set},
    {".set", set},
    {".equiv", set},
    {".comm", comm},
    {".size", nothing},
    {".file", nothing},
    {".ident", nothing},
    {".option", nothing},
    {".attribute", nothing},
    {".local", local},
    {".weak", weak},
    {".loc", nothing},
    {".hidden", nothing},
    {".p2alignl", p2align},
    {".end", nothing},
    {".addrsig", nothing},
    {".addrsig_sym", nothing},
    {".variant_cc", nothing},
    {".float", floats},
    {".single", floats},
};

bool riscv_asm_moves(struct riscv_word name)
{
    static const char *const moves[] = {".text",    ".data",        ".rodata",     ".bss",
                                        ".section", ".pushsection", ".popsection", ".previous"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (riscv_word_is(name, moves[i]))
            return true;
    return false;
}

bool riscv_asm_directive(struct riscv_asm *as, struct riscv_word name)
{
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (riscv_word_is(name, directives[i].name)) {
            directives[i].read(as);
            return true;
        }
    if (begins(name, ".cfi_")) {
        nothing(as);
        return true;
    }
    return as->dialect->directive && as->dialect->directive(as, name);
}

const char *riscv_asm_near(struct riscv_asm *as, struct riscv_word mnemonic)
{
    const char *names[sizeof directives / sizeof *directives];
    const size_t count = sizeof directives / sizeof *directives;
    for (size_t i = 0; i < count; i++)
        names[i] = directives[i].name;
    if (mnemonic.text[0] == '.')
        return suggest_name(mnemonic.text, mnemonic.length, names, count);
    const char *near =
        as->dialect->suggest ? as->dialect->suggest(mnemonic.text, mnemonic.length) : NULL;
    const char *scalar = riscv_asm_scalar_near(mnemonic);
    const char *both[] = {scalar, near};
    return !near ? scalar : !scalar ? near : suggest_name(mnemonic.text, mnemonic.length, both, 2);
}
