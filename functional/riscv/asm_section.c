/* asm_section: the current section, and appending bytes to it. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "functional/riscv/asm_state.h"
#include "host/grow.h"

bool riscv_word_is(struct riscv_word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

void riscv_asm_error(struct riscv_asm *as, struct riscv_word at, const char *format, ...)
{
    as->wrong = true;
    if (!as->second)
        return;
    char sentence[600];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    const struct diag where = {.severity = DIAG_ERROR,
                               .file = as->file,
                               .line = as->line,
                               .column = (uint32_t)(at.text - as->line_start) + 1,
                               .length = at.length ? (uint32_t)at.length : 1};
    diag_add(as->diags, &where, "%s", sentence);
}

struct riscv_asm_mark riscv_asm_mark(const struct riscv_asm *as)
{
    return (struct riscv_asm_mark){as->at};
}

void riscv_asm_back(struct riscv_asm *as, struct riscv_asm_mark mark)
{
    as->at = mark.at;
}

void riscv_asm_no_memory(struct riscv_asm *as)
{
    as->memory_out = true;
}

struct riscv_word riscv_asm_rest(const struct riscv_asm *as)
{
    return (struct riscv_word){as->at, (size_t)(as->end - as->at)};
}

static struct riscv_word whole(const struct riscv_asm *as)
{
    return (struct riscv_word){as->start, (size_t)(as->end - as->start)};
}

/* --- sections --------------------------------------------------------------------------------- */

bool riscv_asm_section(struct riscv_asm *as, struct riscv_word name, enum section_kind kind)
{
    uint32_t number = 0;
    while (number < as->section_count &&
           (as->sections[number].name.length != name.length ||
            memcmp(as->sections[number].name.text, name.text, name.length) != 0))
        number++;
    if (number == as->section_count) {
        struct section *sections = NULL;
        if (number < SECTIONS)
            sections =
                grow(as->sections, &as->section_capacity, (size_t)number + 1, sizeof *sections);
        if (!sections) {
            as->memory_out = as->memory_out || number < SECTIONS;
            riscv_asm_error(as, name, "there are more than %d sections", SECTIONS);
            return false;
        }
        as->sections = sections;
        sections[as->section_count++] =
            (struct section){.name = name, .kind = kind, .align = kind == SECTION_ARRAY ? 4 : 16};
    }
    as->previous = as->section;
    as->section = number;
    return true;
}

uint32_t riscv_asm_here(const struct riscv_asm *as)
{
    return as->sections[as->section].base + as->sections[as->section].at;
}

bool riscv_asm_bytes(struct riscv_asm *as, const void *from, uint64_t count)
{
    struct section *section = &as->sections[as->section];
    if (count > as->dialect->most - as->filled) {
        riscv_asm_error(as, whole(as), "the program is larger than the memory of %" PRIu32 " bytes",
                        as->dialect->most);
        return false;
    }
    if (section->room && count > section->room - section->at) {
        riscv_asm_error(as, whole(as), "%.*s holds %" PRIu32 " bytes, and this goes beyond them",
                        (int)section->name.length, section->name.text, section->room);
        return false;
    }
    if (as->second && count > section->size - section->at) {
        riscv_asm_error(as, whole(as),
                        "a size depends on a value that is defined below it\n"
                        "define the value above");
        return false;
    }
    if (as->second && from && section->bytes)
        memcpy(section->bytes + section->at, from, (size_t)count);
    section->at += (uint32_t)count;
    as->filled += count;
    return true;
}

void riscv_asm_emit(struct riscv_asm *as, uint32_t word)
{
    const struct section *section = &as->sections[as->section];
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};
    if (section->kind != SECTION_CODE) {
        riscv_asm_error(as, whole(as), "an instruction in section %.*s\nput .text above it",
                        (int)section->name.length, section->name.text);
        return;
    }
    if (section->at % 4) {
        riscv_asm_error(as, whole(as),
                        "the address of this instruction is not a multiple of 4\n"
                        "put .balign 4 above it");
        return;
    }
    const uint32_t address = riscv_asm_here(as);
    if (!riscv_asm_bytes(as, bytes, 4))
        return;
    as->above = word;
    as->above_section = as->section;
    as->above_at = as->sections[as->section].at;
    if (!as->second)
        return;
    struct riscv_stmt *stmt = riscv_image_add_stmt(as->image);
    if (!stmt) {
        as->memory_out = true;
        return;
    }
    *stmt = (struct riscv_stmt){.address = address,
                                .word = word,
                                .file = as->file,
                                .line = as->line,
                                .column = (uint32_t)(as->start - as->line_start) + 1,
                                .length = (uint32_t)(as->end - as->start),
                                .text = as->start};
}

bool riscv_asm_above(const struct riscv_asm *as, uint32_t *word)
{
    *word = as->above;
    return as->above_at && as->above_section == as->section &&
           as->above_at == as->sections[as->section].at;
}

void *riscv_asm_context(const struct riscv_asm *as)
{
    return as->dialect->context;
}

bool riscv_asm_second(const struct riscv_asm *as)
{
    return as->second;
}
