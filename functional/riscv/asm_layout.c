/*
 * asm_layout: symbols that linker scripts define, for programs compiled or written for one. They
 * begin with underscores and may end with them; a definition in a file takes precedence:
 *
 *   text_start etext text_end   rodata_start rodata_end   data_start edata data_end
 *   bss_start bss_end  end      global_pointer$ global_pointer
 *   preinit_array_start ...     init_array_start ...      fini_array_start ..., and _end of each
 *   heap_start heap_end         after the program, up to the stack
 *   stack_start                 the last 64 KiB of memory
 *   stack stack_end stack_top stack_ptr                   the end of memory
 *   ret                         a word below the stack, for main's return value
 */
#include <string.h>

#include "functional/riscv/asm_state.h"

enum { STACK = 65536, SMALL_DATA = 0x800 };

uint32_t riscv_asm_array_order(struct riscv_word name)
{
    static const char *const names[] = {".preinit_array", ".init_array", ".fini_array"};
    uint32_t order = 0, number = 0;
    size_t at = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (name.length >= strlen(names[i]) && memcmp(name.text, names[i], strlen(names[i])) == 0) {
            order = i;
            at = strlen(names[i]);
        }
    if (at == name.length)
        return order << 20 | 65536; /* after those with a priority */
    for (at++; at < name.length && name.text[at] >= '0' && name.text[at] <= '9'; at++)
        number = number < 65536 ? 10 * number + (uint32_t)(name.text[at] - '0') : number;
    return order << 20 | (number < 65536 ? number : 65535);
}

struct range {
    uint64_t from, to;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The address range of the sections of a kind; if there are none, an empty range after all earlier
 * kinds. */
static struct range range_of(const struct riscv_asm *as, unsigned kind, const char *array)
{
    struct range range = {UINT64_MAX, 0};
    uint64_t before = as->dialect->base;
    for (size_t i = 0; i < as->section_count; i++) {
        const struct section *s = &as->sections[i];
        const bool named = !array || (s->name.length > strlen(array) &&
                                      memcmp(s->name.text + 1, array, strlen(array)) == 0);
        if (s->room || s->kind == SECTION_NOTE)
            continue;
        if (s->kind < kind)
            before = later(before, (uint64_t)s->base + s->size);
        if (s->kind != kind || !named || !s->size)
            continue;
        range.from = s->base < range.from ? s->base : range.from;
        range.to = later(range.to, (uint64_t)s->base + s->size);
    }
    return range.to ? range : (struct range){before, before};
}

bool riscv_asm_layout(const struct riscv_asm *as, struct riscv_word name, uint32_t *value)
{
    static const struct {
        const char *name;
        uint8_t kind;
        bool end;
        const char *array;
    } rows[] = {
        {"text_start", SECTION_CODE, false, NULL},
        {"text_end", SECTION_CODE, true, NULL},
        {"etext", SECTION_CODE, true, NULL},
        {"rodata_start", SECTION_CONSTANT, false, NULL},
        {"rodata_end", SECTION_CONSTANT, true, NULL},
        {"preinit_array_start", SECTION_ARRAY, false, "preinit_array"},
        {"preinit_array_end", SECTION_ARRAY, true, "preinit_array"},
        {"init_array_start", SECTION_ARRAY, false, "init_array"},
        {"init_array_end", SECTION_ARRAY, true, "init_array"},
        {"fini_array_start", SECTION_ARRAY, false, "fini_array"},
        {"fini_array_end", SECTION_ARRAY, true, "fini_array"},
        {"data_start", SECTION_DATA, false, NULL},
        {"data_end", SECTION_DATA, true, NULL},
        {"edata", SECTION_DATA, true, NULL},
        {"bss_start", SECTION_ZERO, false, NULL},
        {"bss_end", SECTION_ZERO, true, NULL},
        {"end", SECTION_ZERO, true, NULL},
        {"heap_start", SECTION_ZERO, true, NULL},
    };
    static const char *const ends[] = {"stack", "stack_end", "stack_top", "stack_ptr"};
    const uint64_t top = (uint64_t)as->dialect->base + as->dialect->most;
    if (!name.length || name.text[0] != '_')
        return false;
    while (name.length && name.text[0] == '_') {
        name.text++;
        name.length--;
    }
    while (name.length && name.text[name.length - 1] == '_')
        name.length--;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (riscv_word_is(name, rows[i].name)) {
            const struct range range = range_of(as, rows[i].kind, rows[i].array);
            const uint64_t at = rows[i].end ? range.to : range.from;
            *value = (uint32_t)(riscv_word_is(name, "heap_start") ? (at + 15) / 16 * 16 : at);
            return true;
        }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (riscv_word_is(name, ends[i])) {
            *value = (uint32_t)top;
            return true;
        }
    if (riscv_word_is(name, "ret")) {
        *value = (uint32_t)(top - STACK - 16);
        return true;
    }
    if (riscv_word_is(name, "stack_start") || riscv_word_is(name, "heap_end")) {
        *value = (uint32_t)(top - STACK);
        return true;
    }
    if (riscv_word_is(name, "global_pointer$") || riscv_word_is(name, "global_pointer")) {
        *value = (uint32_t)range_of(as, SECTION_DATA, NULL).from + SMALL_DATA;
        return true;
    }
    return false;
}
