#include "functional/riscv/print.h"

#include <stdlib.h>
#include <string.h>

#include "host/search.h"

struct printer {
    const struct riscv_image *image;
    const struct riscv_print_rules *rules;
    FILE *out;
    bool *named;   /* symbols to print: unique, valid names */
    size_t symbol; /* next symbol by value */
    size_t get;
    uint64_t at; /* address up to which bytes are printed */
    bool text;
    unsigned buffers; /* number of generated names */
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

/* Choose the symbols to print. Returns 0, or -1 when memory is out. */
static int find_names(struct printer *p)
{
    const struct riscv_image *image = p->image;
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

/* The first symbol with a value of at least this one. */
static size_t symbol_from(const struct riscv_image *image, uint64_t value)
{
    return search_u32(image->symbols, image->symbol_count, sizeof *image->symbols,
                      offsetof(struct riscv_symbol, value), value);
}

static const char *label_at(const struct printer *p, uint32_t address)
{
    const struct riscv_image *image = p->image;
    for (size_t i = symbol_from(image, address);
         i < image->symbol_count && image->symbols[i].value == address; i++)
        if (p->named[i])
            return image->symbols[i].name;
    return NULL;
}

/* Print the labels of an address, except `but`. Labels in the middle of a word are never
 * printed. */
static void print_labels(struct printer *p, uint32_t address, const char *but)
{
    const struct riscv_image *image = p->image;
    if (address == image->entry && !riscv_image_symbol(image, "_start", 6))
        fputs(".globl _start\n_start:\n", p->out);
    for (size_t i = symbol_from(image, address);
         i < image->symbol_count && image->symbols[i].value == address; i++)
        if (p->named[i] && strcmp(image->symbols[i].name, but) != 0)
            fprintf(p->out, "%s%s%s%s:\n", image->symbols[i].function ? ".globl " : "",
                    image->symbols[i].function ? image->symbols[i].name : "",
                    image->symbols[i].function ? "\n" : "", image->symbols[i].name);
}

/* Print a statement. Returns the number of words its text covers. */
static uint32_t print_stmt(struct printer *p, uint32_t number)
{
    const struct riscv_print_rules *rules = p->rules;
    const struct riscv_stmt *stmts = p->image->stmts;
    char text[256];
    uint32_t target;
    riscv_gets_write(rules->gets, number, &p->get, p->out);
    const bool inside = rules->target(rules->context, number, &target) &&
                        riscv_image_stmt(p->image, target) != RISCV_NO_STMT;
    uint32_t count =
        rules->text(rules->context, number, inside ? label_at(p, target) : NULL, text, sizeof text);
    for (uint32_t i = 1; i < count; i++)
        if (label_at(p, stmts[number + i].address)) { /* a label inside: print the single word */
            snprintf(text, sizeof text, ".word 0x%08x", stmts[number].word);
            count = 1;
        }
    fprintf(p->out, "    %s\n", text);
    return count;
}

/* Print bytes [from, to) of a segment that are not statements. */
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
        const bool words = !p->text && to - from >= 4 && segment->filled - from >= 4;
        uint32_t same = 4; /* run of equal words, in bytes */
        while (words && from + same + 4 <= to && from + same + 4 <= segment->filled &&
               !memcmp(bytes, bytes + same, 4))
            same += 4;
        if (words && same > 16) {
            fprintf(p->out, "    .fill %u, 4, 0x%02x%02x%02x%02x\n", same / 4, bytes[3], bytes[2],
                    bytes[1], bytes[0]);
            from += same;
        } else if (words) {
            fprintf(p->out, "    .word 0x%02x%02x%02x%02x\n", bytes[3], bytes[2], bytes[1],
                    bytes[0]);
            from += 4;
        } else {
            fprintf(p->out, "    .byte 0x%02x\n", *bytes);
            from++;
        }
    }
}

/* Print a .buffer directive; returns the name it defines. */
static const char *print_buffer(struct printer *p, const struct riscv_segment *segment,
                                char made[32])
{
    const char *name = label_at(p, segment->address);
    for (unsigned i = 0; !name; i++) {
        snprintf(made, 32, "buffer%u", p->buffers++);
        name = riscv_image_symbol(p->image, made, strlen(made)) ? NULL : made;
    }
    fprintf(p->out, "    .buffer %s, %u, 0x%x\n", name, segment->size, segment->address);
    return name;
}

static void print_segment(struct printer *p, const struct riscv_segment *segment)
{
    const struct riscv_image *image = p->image;
    char made[32];
    const char *name = segment->apart ? print_buffer(p, segment, made) : "";
    if (!segment->apart && segment->address > p->at)
        fprintf(p->out, "    .zero %u\n", (unsigned)(segment->address - p->at));
    uint32_t at = 0;
    const uint32_t end = segment->apart ? segment->filled : segment->size;
    while (at < end) {
        const uint32_t address = segment->address + at;
        const uint32_t stmt = segment->apart ? RISCV_NO_STMT : riscv_image_stmt(image, address);
        print_labels(p, address, name);
        if (stmt != RISCV_NO_STMT) {
            at += 4 * print_stmt(p, stmt);
            continue;
        }
        /* up to the next label or statement */
        uint32_t to = at + 1;
        const size_t next = symbol_from(image, (uint64_t)address + 1);
        uint64_t limit = (uint64_t)segment->address + end;
        for (size_t i = next; i < image->symbol_count && image->symbols[i].value < limit; i++)
            if (p->named[i])
                limit = image->symbols[i].value;
        while (segment->address + (uint64_t)to < limit &&
               riscv_image_stmt(image, segment->address + to) == RISCV_NO_STMT)
            to++;
        print_bytes(p, segment, at, to);
        at = to;
    }
    if (segment->apart)
        print_labels(p, segment->address + end, name);
    else
        p->at = (uint64_t)segment->address + segment->size;
}

static int by_address(const void *a, const void *b)
{
    const struct riscv_segment *const *x = a, *const *y = b;
    return ((*x)->address > (*y)->address) - ((*x)->address < (*y)->address);
}

static void print_segments(struct printer *p, const struct riscv_segment **order, size_t count)
{
    const struct riscv_image *image = p->image;
    const uint32_t last =
        image->stmt_count ? image->stmts[image->stmt_count - 1].address : image->entry;
    p->text = true;
    fputs("    .text\n", p->out);
    for (size_t i = 0; i < count; i++) {
        if (order[i]->apart)
            continue;
        if (p->text && order[i]->address > last) {
            p->text = false;
            fputs("    .data\n", p->out);
            p->at = (p->at + 15) / 16 * 16; /* where the next section begins */
        }
        if (order[i]->address >= p->at || p->at == p->rules->base)
            print_segment(p, order[i]);
    }
    p->text = false;
    for (size_t i = 0; i < count; i++)
        if (order[i]->apart)
            print_segment(p, order[i]);
}

int riscv_image_print(const struct riscv_image *image, const struct riscv_print_rules *rules,
                      FILE *out)
{
    struct printer p = {.image = image, .rules = rules, .out = out, .at = rules->base};
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
    riscv_gets_write(rules->gets, RISCV_NO_STMT, &p.get, out);
    free(order);
    free(p.named);
    return ferror(out) ? -1 : 0;
}
