/* asm: the two passes, labels, and the addresses of sections. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "functional/riscv/asm_state.h"
#include "functional/riscv/extension.h"
#include "functional/riscv/insn.h"
#include "host/grow.h"

/* --- symbols ---------------------------------------------------------------------------------- */

static void define_label(struct riscv_asm *as, struct riscv_word name)
{
    struct symbol *symbol = riscv_asm_symbol(as, name);
    if (!symbol)
        return;
    const struct symbol *before = as->second ? riscv_asm_defined_before(as, symbol) : NULL;
    const uint32_t at = as->sections[as->section].at;
    if (!as->second && !symbol->defined) {
        symbol->defined = symbol->label = true;
        symbol->value = at;
        symbol->section = as->section;
        symbol->file = as->file;
        symbol->line = as->line;
    } else if (as->second && (before || !symbol->label || symbol->line != as->line)) {
        const struct symbol *first = before ? before : symbol;
        const struct diag_file of = diag_file(as->sources, as->file, first->file);
        riscv_asm_error(as, name,
                        "%.*s is defined twice, first in line %u%s%s\n"
                        "give one of them another name",
                        (int)name.length, name.text, first->line, of.of, of.name);
    } else if (as->second && symbol->value != at && !as->wrong) {
        riscv_asm_error(as, name,
                        "the place of %.*s depends on a value that is defined below it\n"
                        "define the value above",
                        (int)name.length, name.text);
    }
}

static void define_numbered(struct riscv_asm *as, struct riscv_word name)
{
    uint64_t number = 0;
    for (size_t i = 0; i < name.length; i++)
        number = number * 10 + (uint64_t)(name.text[i] - '0');
    if (name.length > 9) {
        riscv_asm_error(as, name, "a numbered label has at most 9 digits");
        return;
    }
    if (as->second || as->settling) {
        as->numbered_seen++;
        return;
    }
    struct numbered *rows =
        grow(as->numbered, &as->numbered_capacity, as->numbered_count + 1, sizeof *rows);
    if (!rows) {
        as->memory_out = true;
        return;
    }
    as->numbered = rows;
    rows[as->numbered_count++] =
        (struct numbered){(uint32_t)number, as->section, as->sections[as->section].at};
    as->numbered_seen = as->numbered_count;
}

/* --- sections at separate addresses ----------------------------------------------------------- */

enum { PAGE = 4096 };

/* A separately placed section other than `but` that has a byte in [from, to), or NULL. */
static const struct section *overlapping(const struct riscv_asm *as, const struct section *but,
                                         uint64_t from, uint64_t to)
{
    for (size_t i = 0; i < as->section_count; i++) {
        const struct section *s = &as->sections[i];
        if (s != but && s->room && s->given && s->base < to && (uint64_t)s->base + s->room > from)
            return s;
    }
    return NULL;
}

/* Place the separate sections without a given address on free pages. */
static void place_apart(struct riscv_asm *as)
{
    uint64_t at = as->dialect->apart;
    for (size_t i = 0; i < as->section_count; i++) {
        struct section *section = &as->sections[i];
        if (!section->room || section->given)
            continue;
        const struct section *other;
        while ((other = overlapping(as, section, at, at + section->room)))
            at = ((uint64_t)other->base + other->room + PAGE - 1) / PAGE * PAGE;
        if (at + section->room > UINT32_MAX)
            as->filled = UINT64_MAX; /* no space left for it */
        section->base = (uint32_t)at;
        at = (at + section->room + PAGE - 1) / PAGE * PAGE;
    }
}

bool riscv_asm_apart(struct riscv_asm *as, struct riscv_word label, uint32_t room,
                     const uint32_t *address)
{
    if (!riscv_asm_section(as, label, SECTION_DATA))
        return false;
    struct section *section = &as->sections[as->section];
    section->room = room;
    section->file = as->file;
    section->line = as->line;
    if (address && !as->second) {
        section->given = true;
        section->base = *address;
    }
    define_label(as, label);
    if (!as->second || !section->given)
        return true;
    const uint64_t end = (uint64_t)section->base + room;
    const struct section *other = overlapping(as, section, section->base, end);
    const bool in_code =
        section->base < (uint64_t)as->dialect->base + as->dialect->most && end > as->dialect->base;
    if (other || in_code || end > UINT64_C(1) << 32)
        riscv_asm_error(as, label, "%.*s, 0x%" PRIx32 " to 0x%" PRIx64 ", %s%.*s",
                        (int)label.length, label.text, section->base, end - 1,
                        other     ? "overlaps "
                        : in_code ? "overlaps the program's text"
                                  : "goes beyond the last address",
                        other ? (int)other->name.length : 0, other ? other->name.text : "");
    return !other && !in_code && end <= UINT64_C(1) << 32;
}

/* --- statements ------------------------------------------------------------------------------- */

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

static void statement(struct riscv_asm *as)
{
    for (;;) { /* labels */
        riscv_asm_blanks(as);
        as->start = as->at;
        if (riscv_asm_done(as))
            return;
        const char *from = as->at;
        const struct riscv_word word = riscv_asm_word(as);
        if (riscv_asm_take(as, ':')) {
            if (word.length && word.text[0] >= '0' && word.text[0] <= '9') {
                size_t digits = 0;
                while (digits < word.length && word.text[digits] >= '0' && word.text[digits] <= '9')
                    digits++;
                if (digits == word.length) {
                    define_numbered(as, word);
                    continue;
                }
            } else if (word.length && is_name_start(word.text[0])) {
                define_label(as, word);
                continue;
            }
            riscv_asm_error(as, word, "this is not a name of a label");
            return;
        }
        if (!word.length) {
            as->at = from;
            riscv_asm_error(as, riscv_asm_rest(as), "a statement was expected here");
            return;
        }
        riscv_asm_blanks(as);
        if (as->sections[as->section].kind == SECTION_NOTE && !riscv_asm_moves(word))
            return;
        if (as->at < as->end && *as->at == '=' && is_name_start(word.text[0])) { /* name = value */
            as->at = from;
            riscv_asm_directive(as, (struct riscv_word){".set", 4});
            return;
        }
        if (as->sections[as->section].kind == SECTION_NOTE && !riscv_asm_moves(word))
            return;
        if (word.text[0] == '.' ? riscv_asm_directive(as, word) : riscv_asm_insn(as, word))
            return;
        const char *near = riscv_asm_near(as, word);
        const char *extension = riscv_extension_named(word.text, word.length);
        riscv_asm_error(as, word, "there is no %s %.*s%s%s%s%s",
                        word.text[0] == '.' ? "directive" : "instruction",
                        (int)(word.length < 60 ? word.length : 60), word.text,
                        extension ? ": this machine does not have extension " : "",
                        extension ? extension : "", near ? "\ndid you mean " : "",
                        near ? near : "");
        return;
    }
}

/* The position after the string or character constant that begins at `at`; a character constant
 * needs no closing '. */
static const char *after_quoted(const char *at, const char *end)
{
    const char quote = *at++;
    while (at < end && *at != '"' && quote == '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    if (quote == '\'' && at < end)
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end && *at == quote ? at + 1 : at;
}

/* The end of the statement that begins at `at`: ; or a comment or the end of the line. *comment: a
 * C comment begins there and continues in the next line. */
static const char *statement_end(const char *at, const char *end, bool *comment)
{
    while (at < end) {
        const bool slash = *at == '/' && at + 1 < end;
        if (*at == '"' || *at == '\'') {
            at = after_quoted(at, end);
        } else if (*at == ';' || *at == '#' || (slash && at[1] == '/')) {
            return at;
        } else if (slash && at[1] == '*') {
            const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
            *comment = !close;
            if (!close)
                return at;
            at = close + 2;
        } else {
            at++;
        }
    }
    return end;
}

static void read_line(struct riscv_asm *as, const char *at, const char *end, bool *comment)
{
    as->line_start = at;
    if (end > at && end[-1] == '\r')
        end--;
    if (*comment) {
        const char *close = memmem(at, (size_t)(end - at), "*/", 2);
        if (!close)
            return;
        at = close + 2;
        *comment = false;
    }
    for (;;) {
        const char *stop = statement_end(at, end, comment);
        as->at = as->start = at;
        as->end = stop;
        while (as->end > as->at && (as->end[-1] == ' ' || as->end[-1] == '\t'))
            as->end--;
        statement(as);
        if (stop == end || *stop != ';')
            return;
        at = stop + 1;
    }
}

static void read_source(struct riscv_asm *as, uint32_t file)
{
    const struct source *source = &as->sources[file];
    const char *at = source->text, *const stop = source->text + source->size;
    bool comment = false;
    as->file = file;
    as->line = 0;
    riscv_asm_section(as, (struct riscv_word){".text", 5}, SECTION_CODE);
    while (at < stop && !as->memory_out) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        end = end ? end : stop;
        as->line++;
        read_line(as, at, end, &comment);
        at = end + 1;
    }
}

static void pass(struct riscv_asm *as, size_t count)
{
    as->numbered_seen = as->size_seen = 0;
    as->filled = 0;
    as->section = as->previous = as->pushed_count = 0;
    as->above_at = 0;
    as->distance_count = 0;
    for (size_t i = 0; i < as->section_count; i++)
        as->sections[i].at = 0;
    for (uint32_t i = 0; i < count && !as->memory_out; i++)
        read_source(as, i);
}

/* Assign addresses to the sections; -1 when memory is out. */
/* The section of a kind after `last` (NULL: the first) in memory order. */
static struct section *next_section(const struct riscv_asm *as, unsigned kind,
                                    const struct section *last)
{
    struct section *next = NULL;
    const bool array = kind == SECTION_ARRAY;
    const uint64_t from = last ? (uint64_t)(last - as->sections) : 0,
                   after = last && array ? (uint64_t)riscv_asm_array_order(last->name) << 32 : 0;
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < as->section_count; i++) {
        const struct section *s = &as->sections[i];
        const uint64_t order = array ? (uint64_t)riscv_asm_array_order(s->name) << 32 | i : i;
        if (s->kind != kind || order >= best || (last && order <= (after | from)))
            continue;
        best = order;
        next = &as->sections[i];
    }
    return next;
}

static void place_sections(struct riscv_asm *as)
{
    uint64_t at = as->dialect->base;
    for (size_t i = 0; i < as->section_count; i++)
        as->sections[i].size = as->sections[i].at;
    for (unsigned kind = SECTION_CODE; kind <= SECTION_ZERO; kind++)
        for (struct section *section = NULL;
             !as->memory_out && (section = next_section(as, kind, section));) {
            if (!section->room) {
                at = (at + section->align - 1) / section->align * section->align;
                section->base = (uint32_t)at;
                at += section->size;
            }
            if (section->size && kind != SECTION_ZERO &&
                !(section->bytes = calloc(section->size, 1)))
                as->memory_out = true;
        }
    at -= as->dialect->base;
    if (at > as->dialect->most)
        as->filled = at; /* alignment alone exceeds the limit */
    place_apart(as);
}

/* --- the image -------------------------------------------------------------------------------- */

static void add_symbols(struct riscv_asm *as)
{
    for (size_t i = 0; i < as->symbol_count && !as->memory_out; i++) {
        const struct symbol *from = &as->symbols[i];
        char own[300];
        size_t length = from->name.length;
        const bool label = from->label && from->section != NO_SECTION;
        if (!from->defined || (label && as->sections[from->section].kind == SECTION_NOTE))
            continue;
        const char *name = from->name.text;
        if (riscv_asm_taken(as, from) && length < 250) { /* no other symbol has this name */
            length = (size_t)snprintf(own, sizeof own, "%.*s$%u", (int)length, name,
                                      (unsigned)from->owner + 1);
            name = own;
        }
        struct riscv_symbol *to = riscv_image_add_symbol(as->image, name, length);
        if (!to) {
            as->memory_out = true;
            return;
        }
        const bool code = from->label && as->sections[from->section].kind == SECTION_CODE;
        to->label = from->label;
        to->value = (uint32_t)from->value;
        if (from->section != NO_SECTION)
            to->value += as->sections[from->section].base;
        to->function = code && (from->function || from->global);
        to->visible = from->name.length < 2 || memcmp(from->name.text, ".L", 2) != 0;
    }
}

static void add_segments(struct riscv_asm *as)
{
    for (unsigned kind = SECTION_CODE; kind <= SECTION_ZERO; kind++)
        for (size_t i = 0; i < as->section_count && !as->memory_out; i++) {
            struct section *from = &as->sections[i];
            if (from->kind != kind || (!from->size && !from->room))
                continue;
            struct riscv_segment *to = riscv_image_add_segment(as->image);
            if (!to) {
                as->memory_out = true;
                return;
            }
            *to = (struct riscv_segment){.address = from->base,
                                         .size = from->room ? from->room : from->size,
                                         .filled = from->bytes ? from->size : 0,
                                         .bytes = from->bytes,
                                         .code = kind == SECTION_CODE,
                                         .apart = from->room > 0,
                                         .file = from->file,
                                         .line = from->line};
            from->bytes = NULL;
        }
}

/* _start, else main, else the first statement. */
static uint32_t entry(const struct riscv_image *image)
{
    static const char *const names[] = {"_start", "main"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct riscv_symbol *symbol = riscv_image_symbol(image, names[i], strlen(names[i]));
        if (symbol && symbol->label)
            return symbol->value;
    }
    return image->stmt_count ? image->stmts[0].address : 0;
}

static void too_large(struct riscv_asm *as)
{
    const struct diag where = {.severity = DIAG_ERROR};
    as->wrong = true;
    diag_add(as->diags, &where, "the program is larger than the memory of %" PRIu32 " bytes",
             as->dialect->most);
}

int riscv_assemble(struct riscv_image *image, const struct source *sources, size_t count,
                   const struct riscv_dialect *dialect, struct diag_list *diags)
{
    *image = (struct riscv_image){.files = sources, .file_count = count};
    struct riscv_asm *as = calloc(1, sizeof *as);
    if (!as)
        return -1;
    as->image = image;
    as->dialect = dialect;
    as->sources = sources;
    as->diags = diags;
    pass(as, count);
    if (!as->memory_out) {
        place_sections(as);
        const bool large = as->filled > dialect->most;
        as->settling = as->unsettled;
        if (as->settling)
            pass(as, count);
        as->second = true;
        as->wrong = false;
        pass(as, count);
        if (large && !as->wrong)
            too_large(as);
    }
    if (!as->memory_out)
        add_symbols(as);
    if (!as->memory_out)
        add_segments(as);
    as->memory_out |= riscv_image_sort(image) != 0;
    image->entry = as->memory_out ? 0 : entry(image);
    const int status = as->memory_out ? -1 : as->wrong;
    for (size_t i = 0; i < as->section_count; i++)
        free(as->sections[i].bytes);
    free(as->sections);
    free(as->symbols);
    free(as->numbered);
    free(as->sizes);
    free(as->distances);
    free(as);
    return status;
}
