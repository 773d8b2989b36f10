/*
 * print: canonical text. Everything up to the last word of code stands in .text, bytes that are no
 * code as .byte; what comes behind it stands in .data.
 */
#include <stdlib.h>
#include <string.h>

#include "functional/kelvin/program.h"

struct printer {
    const struct kelvin_program *program;
    FILE *out;
    bool *named;   /* symbols that are printed: their names are unique and can be written */
    size_t symbol; /* next in order of values */
    size_t get;
    uint64_t at; /* bytes printed so far, by address */
    bool text;
};

static bool can_be_written(const char *name)
{
    if (*name >= '0' && *name <= '9')
        return false;
    for (const char *at = name; *at; at++)
        if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
              (*at >= '0' && *at <= '9') || *at == '_' || *at == '.' || *at == '$'))
            return false;
    return *name && strcmp(name, ".") != 0;
}

static int by_name(const void *a, const void *b)
{
    const struct riscv_symbol *const *x = a, *const *y = b;
    const int order = strcmp((*x)->name, (*y)->name);
    return order ? order : (*x > *y) - (*x < *y);
}

/* Returns 0, or -1 when the host has no memory. */
static int find_names(struct printer *p)
{
    const struct riscv_image *image = &p->program->image;
    const struct riscv_symbol **order = malloc((image->symbol_count + 1) * sizeof *order);
    p->named = calloc(image->symbol_count + 1, sizeof *p->named);
    if (!order || !p->named) {
        free(order);
        return -1;
    }
    for (size_t i = 0; i < image->symbol_count; i++)
        order[i] = &image->symbols[i];
    if (image->symbol_count)
        qsort(order, image->symbol_count, sizeof *order, by_name);
    for (size_t i = 0; i < image->symbol_count; i++)
        p->named[order[i] - image->symbols] = order[i]->label && can_be_written(order[i]->name) &&
                                              (!i || strcmp(order[i]->name, order[i - 1]->name));
    free(order);
    return 0;
}

/* The first symbol with a value of at least this. */
static size_t symbol_from(const struct riscv_image *image, uint64_t value)
{
    size_t low = 0, high = image->symbol_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (image->symbols[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const char *label_at(const struct printer *p, uint32_t address)
{
    const struct riscv_image *image = &p->program->image;
    for (size_t i = symbol_from(image, address);
         i < image->symbol_count && image->symbols[i].value == address; i++)
        if (p->named[i])
            return image->symbols[i].name;
    return NULL;
}

/* Labels of an address; those in the middle of a word are not printed. */
static void print_labels(struct printer *p, uint32_t address)
{
    const struct riscv_image *image = &p->program->image;
    if (address == image->entry && !riscv_image_symbol(image, "_start", 6))
        fputs(".globl _start\n_start:\n", p->out);
    for (size_t i = symbol_from(image, address);
         i < image->symbol_count && image->symbols[i].value == address; i++)
        if (p->named[i])
            fprintf(p->out, "%s%s%s%s:\n", image->symbols[i].function ? ".globl " : "",
                    image->symbols[i].function ? image->symbols[i].name : "",
                    image->symbols[i].function ? "\n" : "", image->symbols[i].name);
}

static void print_stmt(struct printer *p, uint32_t number)
{
    const struct riscv_image *image = &p->program->image;
    const struct riscv_stmt *stmt = &image->stmts[number];
    const struct kelvin_program *program = p->program;
    for (; p->get < program->get_count && program->gets[p->get].stmt == number; p->get++)
        fprintf(p->out, "# takt: get %.*s\n", (int)program->gets[p->get].length,
                program->gets[p->get].text);
    struct kelvin_insn insn;
    char text[256];
    kelvin_insn_decode(stmt->word, &insn);
    const bool branches = insn.kind == KELVIN_SCALAR &&
                          (riscv_is_branch(insn.scalar.insn) || insn.scalar.insn == RISCV_JAL);
    const uint32_t target = stmt->address + (uint32_t)insn.scalar.imm;
    const bool inside = branches && riscv_image_stmt(image, target) != RISCV_NO_STMT;
    kelvin_insn_print(stmt->word, inside ? label_at(p, target) : NULL, text, sizeof text);
    fprintf(p->out, "    %s\n", text);
}

/* Bytes of a segment that are no statement, [from, to) of it. */
static void print_bytes(struct printer *p, const struct riscv_segment *segment, uint32_t from,
                        uint32_t to)
{
    while (from < to) {
        uint32_t zeros = 0;
        while (from + zeros < to &&
               (from + zeros >= segment->filled || !segment->bytes[from + zeros]))
            zeros++;
        if (zeros >= 8 || from + zeros == to) {
            fprintf(p->out, "    .zero %u\n", zeros);
            from += zeros;
            continue;
        }
        const uint8_t *bytes = segment->bytes + from;
        if (!p->text && to - from >= 4 && segment->filled - from >= 4) {
            fprintf(p->out, "    .word 0x%02x%02x%02x%02x\n", bytes[3], bytes[2], bytes[1],
                    bytes[0]);
            from += 4;
        } else {
            fprintf(p->out, "    .byte 0x%02x\n", *bytes);
            from++;
        }
    }
}

static void print_segment(struct printer *p, const struct riscv_segment *segment)
{
    const struct riscv_image *image = &p->program->image;
    if (segment->address > p->at)
        fprintf(p->out, "    .zero %u\n", (unsigned)(segment->address - p->at));
    uint32_t at = 0;
    while (at < segment->size) {
        const uint32_t address = segment->address + at;
        const uint32_t stmt = riscv_image_stmt(image, address);
        print_labels(p, address);
        if (stmt != RISCV_NO_STMT) {
            print_stmt(p, stmt);
            at += 4;
            continue;
        }
        /* Up to the next label or statement. */
        uint32_t to = at + 1;
        const size_t next = symbol_from(image, (uint64_t)address + 1);
        uint64_t limit = (uint64_t)segment->address + segment->size;
        for (size_t i = next; i < image->symbol_count && image->symbols[i].value < limit; i++)
            if (p->named[i])
                limit = image->symbols[i].value;
        while (segment->address + (uint64_t)to < limit &&
               riscv_image_stmt(image, segment->address + to) == RISCV_NO_STMT)
            to++;
        print_bytes(p, segment, at, to);
        at = to;
    }
    p->at = (uint64_t)segment->address + segment->size;
}

static int by_address(const void *a, const void *b)
{
    const struct riscv_segment *const *x = a, *const *y = b;
    return ((*x)->address > (*y)->address) - ((*x)->address < (*y)->address);
}

static void print_segments(struct printer *p, const struct riscv_segment **order, size_t count)
{
    const struct riscv_image *image = &p->program->image;
    const uint32_t last =
        image->stmt_count ? image->stmts[image->stmt_count - 1].address : image->entry;
    p->text = true;
    fputs("    .text\n", p->out);
    for (size_t i = 0; i < count; i++) {
        if (p->text && order[i]->address > last) {
            p->text = false;
            fputs("    .data\n", p->out);
            p->at = (p->at + 15) / 16 * 16; /* where the section begins */
        }
        if (order[i]->address >= p->at || !i)
            print_segment(p, order[i]);
    }
}

int kelvin_program_print(const struct kelvin_program *program, FILE *out)
{
    const struct riscv_image *image = &program->image;
    struct printer p = {.program = program, .out = out};
    const struct riscv_segment **order = malloc((image->segment_count + 1) * sizeof *order);
    if (!order || find_names(&p) != 0) {
        free(order);
        free(p.named);
        return -1;
    }
    for (size_t i = 0; i < image->segment_count; i++)
        order[i] = &image->segments[i];
    if (image->segment_count)
        qsort(order, image->segment_count, sizeof *order, by_address);
    print_segments(&p, order, image->segment_count);
    for (; p.get < program->get_count; p.get++)
        fprintf(out, "# takt: get %.*s\n", (int)program->gets[p.get].length,
                program->gets[p.get].text);
    free(order);
    free(p.named);
    return ferror(out) ? -1 : 0;
}
