#include "functional/riscv/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/search.h"

void riscv_image_free(struct riscv_image *image)
{
    for (size_t i = 0; i < image->segment_count; i++)
        free(image->segments[i].bytes);
    for (size_t i = 0; i < image->symbol_count; i++)
        free(image->symbols[i].name);
    for (size_t i = 0; image->own_files && i < image->file_count; i++)
        source_close(&image->own_files[i]);
    free(image->own_files);
    free(image->segments);
    free(image->stmts);
    free(image->symbols);
    free(image->by_name);
    *image = (struct riscv_image){.files = NULL};
}

uint32_t riscv_image_stmt(const struct riscv_image *image, uint32_t address)
{
    const size_t low = search_u32(image->stmts, image->stmt_count, sizeof *image->stmts,
                                  offsetof(struct riscv_stmt, address), address);
    return low < image->stmt_count && image->stmts[low].address == address ? (uint32_t)low
                                                                           : RISCV_NO_STMT;
}

/* The number of symbols with a value of at most `value`. */
static size_t symbols_to(const struct riscv_image *image, uint64_t value)
{
    return search_u32(image->symbols, image->symbol_count, sizeof *image->symbols,
                      offsetof(struct riscv_symbol, value), value + 1);
}

/* The nearest label at or below an address, a function if possible; or NULL. */
static const struct riscv_symbol *label_of(const struct riscv_image *image, uint32_t address)
{
    const struct riscv_symbol *nearest = NULL;
    for (size_t i = symbols_to(image, address); i-- > 0;) {
        const struct riscv_symbol *symbol = &image->symbols[i];
        if (symbol->label && symbol->function)
            return symbol;
        if (symbol->label && symbol->visible && (!nearest || nearest->value == symbol->value))
            nearest = symbol;
    }
    return nearest;
}

const struct riscv_symbol *riscv_image_at(const struct riscv_image *image, uint32_t address)
{
    const struct riscv_symbol *found = NULL;
    for (size_t i = symbols_to(image, address); i-- > 0 && image->symbols[i].value == address;)
        if (image->symbols[i].label)
            found = &image->symbols[i];
    return found;
}

struct name {
    const char *text;
    size_t length;
};

static int name_compare(const void *row, const void *wanted)
{
    const struct riscv_symbol *const *symbol = row;
    const struct name *name = wanted;
    const size_t length = strlen((*symbol)->name);
    const int differs =
        memcmp((*symbol)->name, name->text, length < name->length ? length : name->length);
    return differs ? differs : (length > name->length) - (length < name->length);
}

const struct riscv_symbol *riscv_image_symbol(const struct riscv_image *image, const char *name,
                                              size_t length)
{
    const struct name wanted = {name, length};
    const size_t at = search_rows(image->by_name, image->symbol_count, sizeof *image->by_name,
                                  &wanted, name_compare);
    return at < image->symbol_count && name_compare(&image->by_name[at], &wanted) == 0
               ? image->by_name[at]
               : NULL;
}

void riscv_image_place(const struct riscv_image *image, uint32_t address, char *text, size_t size)
{
    const uint32_t stmt = riscv_image_stmt(image, address);
    const struct riscv_symbol *label = label_of(image, address);
    char line[200] = "";
    if (stmt != RISCV_NO_STMT && image->stmts[stmt].file < image->file_count) {
        const char *name = image->files[image->stmts[stmt].file].name;
        const char *slash =
            image->own_files ? strrchr(name, '/') : NULL; /* a line table has full paths */
        snprintf(line, sizeof line, "%.150s:%u", slash ? slash + 1 : name, image->stmts[stmt].line);
    }
    const uint32_t offset = label ? address - label->value : 0;
    if (label && offset)
        snprintf(text, size, "%.60s+0x%x%s%s", label->name, offset, *line ? ", " : "", line);
    else
        snprintf(text, size, "%.60s%s%s", label ? label->name : "", label && *line ? ", " : "",
                 line);
}

static int by_value(const void *a, const void *b)
{
    const struct riscv_symbol *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->function != y->function)
        return x->function ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_address(const void *a, const void *b)
{
    const struct riscv_stmt *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* Of symbols of one name the first by value. */
static int by_name(const void *a, const void *b)
{
    const struct riscv_symbol *const *x = a, *const *y = b;
    const int names = strcmp((*x)->name, (*y)->name);
    return names ? names : (*x > *y) - (*x < *y);
}

int riscv_image_sort(struct riscv_image *image)
{
    if (image->symbol_count)
        qsort(image->symbols, image->symbol_count, sizeof *image->symbols, by_value);
    if (image->stmt_count)
        qsort(image->stmts, image->stmt_count, sizeof *image->stmts, by_address);
    free(image->by_name);
    image->by_name = malloc((image->symbol_count + 1) * sizeof *image->by_name);
    if (!image->by_name)
        return -1;
    for (size_t i = 0; i < image->symbol_count; i++)
        image->by_name[i] = &image->symbols[i];
    if (image->symbol_count)
        qsort(image->by_name, image->symbol_count, sizeof *image->by_name, by_name);
    return 0;
}

struct riscv_segment *riscv_image_add_segment(struct riscv_image *image)
{
    struct riscv_segment *segments =
        grow(image->segments, &image->segment_capacity, image->segment_count + 1, sizeof *segments);
    if (!segments)
        return NULL;
    image->segments = segments;
    segments[image->segment_count] = (struct riscv_segment){.address = 0};
    return &segments[image->segment_count++];
}

struct riscv_stmt *riscv_image_add_stmt(struct riscv_image *image)
{
    struct riscv_stmt *stmts =
        grow(image->stmts, &image->stmt_capacity, image->stmt_count + 1, sizeof *stmts);
    if (!stmts)
        return NULL;
    image->stmts = stmts;
    stmts[image->stmt_count] = (struct riscv_stmt){.address = 0};
    return &stmts[image->stmt_count++];
}

struct riscv_symbol *riscv_image_add_symbol(struct riscv_image *image, const char *name,
                                            size_t length)
{
    struct riscv_symbol *symbols =
        grow(image->symbols, &image->symbol_capacity, image->symbol_count + 1, sizeof *symbols);
    if (!symbols)
        return NULL;
    image->symbols = symbols;
    char *copy = strndup(name, length);
    if (!copy)
        return NULL;
    symbols[image->symbol_count] = (struct riscv_symbol){.name = copy};
    return &symbols[image->symbol_count++];
}
