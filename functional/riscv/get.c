#include "functional/riscv/get.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/search.h"

struct get_text {
    const struct riscv_get_rules *rules;
    const struct riscv_image *image;
    const char *at, *end;
};

static bool number(struct get_text *t, uint32_t *number)
{
    uint64_t sum = 0;
    const char *from = t->at;
    const bool hex = t->end - t->at > 2 && t->at[0] == '0' && t->at[1] == 'x';
    t->at += hex ? 2 : 0;
    for (; t->at < t->end && sum <= UINT32_MAX; t->at++) {
        const char c = *t->at;
        const int digit = c >= '0' && c <= '9'          ? c - '0'
                          : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                                                        : -1;
        if (digit < 0)
            break;
        sum = sum * (hex ? 16 : 10) + (unsigned)digit;
    }
    *number = (uint32_t)sum;
    return t->at > from + (hex ? 2 : 0) && sum <= UINT32_MAX;
}

static void blanks(struct get_text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
        t->at++;
}

/* A name, up to a blank or to a dot after its first character. */
static size_t name(struct get_text *t)
{
    const char *from = t->at;
    while (t->at < t->end && *t->at != ' ' && *t->at != '\t' && !(*t->at == '.' && t->at > from))
        t->at++;
    return (size_t)(t->at - from);
}

/* xN or a register name, vN, m:ADDRESS or m:SYMBOL. */
static bool place(struct get_text *t, struct riscv_get *get)
{
    const char *from = t->at;
    if (t->end - t->at > 2 && t->at[0] == 'm' && t->at[1] == ':') {
        get->file = 'm';
        t->at += 2;
        if (t->at < t->end && *t->at >= '0' && *t->at <= '9')
            return number(t, &get->at);
        from = t->at;
        const struct riscv_symbol *symbol = riscv_image_symbol(t->image, from, name(t));
        get->at = symbol ? symbol->value : 0;
        return symbol && symbol->label;
    }
    if (t->end - t->at > 1 && *t->at == 'v' && t->at[1] >= '0' && t->at[1] <= '9') {
        get->file = 'v';
        t->at++;
        return number(t, &get->at) && get->at < t->rules->vectors;
    }
    const int found = t->rules->scalar(from, name(t));
    get->file = 'x';
    get->at = found < 0 ? 0 : (uint32_t)found;
    return found >= 0;
}

static uint32_t size_of(const struct riscv_get *get)
{
    return get->size == 'b' ? 1 : get->size == 'h' ? 2 : 4;
}

static bool read_one(struct get_text *t, struct riscv_get *get)
{
    const struct riscv_get_rules *rules = t->rules;
    *get = (struct riscv_get){
        .size = 'w', .count = 1, .text = t->at, .length = (size_t)(t->end - t->at)};
    if (!place(t, get))
        return false;
    get->count = get->file == 'v' ? rules->vector_words : 1;
    if (t->end - t->at >= 2 && *t->at == '.') {
        get->size = t->at[1];
        t->at += 2;
    }
    blanks(t);
    if (t->at < t->end && !number(t, &get->count))
        return false;
    const uint64_t bytes = (uint64_t)get->count * size_of(get);
    const uint64_t room = get->file == 'm'   ? rules->memory
                          : get->file == 'v' ? (uint64_t)rules->vectors * rules->vector_bytes
                                             : rules->scalars * UINT64_C(4);
    const uint64_t at = get->file == 'm'   ? get->at
                        : get->file == 'v' ? (uint64_t)get->at * rules->vector_bytes
                                           : get->at * UINT64_C(4);
    return t->at == t->end && strchr("bhw", get->size) && get->size && get->count && at <= room &&
           bytes <= room - at;
}

static int by_line(const void *row, const void *wanted)
{
    const struct directive_expect *get = row;
    const struct riscv_stmt *stmt = wanted;
    if (get->file != stmt->file)
        return get->file < stmt->file ? -1 : 1;
    return (get->line > stmt->line) - (get->line < stmt->line);
}

/* Of each directive the first statement of its file after its line, or RISCV_NO_STMT; to be freed.
 * Directives are sorted by file and line. NULL when memory is out. */
static uint32_t *stmts_below(const struct riscv_image *image, const struct directives *directives)
{
    const struct directive_expect *gets = directives->gets;
    const size_t count = directives->get_count;
    uint32_t *below = malloc((count + 1) * sizeof *below);
    if (!below)
        return NULL;
    for (size_t i = 0; i < count; i++)
        below[i] = RISCV_NO_STMT;
    for (uint32_t s = 0; count && s < image->stmt_count; s++) {
        const struct riscv_stmt *stmt = &image->stmts[s];
        const size_t next = search_rows(gets, count, sizeof *gets, stmt, by_line);
        uint32_t *best = next && gets[next - 1].file == stmt->file ? &below[next - 1] : NULL;
        if (best && (*best == RISCV_NO_STMT || stmt->line < image->stmts[*best].line))
            *best = s;
    }
    for (size_t i = count; i-- > 1;)
        if (below[i - 1] == RISCV_NO_STMT && gets[i - 1].file == gets[i].file)
            below[i - 1] = below[i];
    return below;
}

static int by_stmt(const void *a, const void *b)
{
    const struct riscv_get *x = a, *y = b;
    if (x->stmt != y->stmt)
        return x->stmt < y->stmt ? -1 : 1;
    return (x->text > y->text) - (x->text < y->text);
}

int riscv_gets_read(struct riscv_gets *gets, const struct riscv_get_rules *rules,
                    const struct riscv_image *image, const struct directives *directives,
                    struct diag_list *diags)
{
    int status = 0;
    uint32_t *below = stmts_below(image, directives);
    for (size_t i = 0; below && i < directives->get_count; i++) {
        const struct directive_expect *row = &directives->gets[i];
        struct get_text t = {rules, image, row->text, row->text + row->length};
        struct riscv_get *items =
            grow(gets->items, &gets->capacity, gets->count + 1, sizeof *items);
        if (!items) {
            status = -1;
            break;
        }
        gets->items = items;
        struct riscv_get *get = &items[gets->count];
        const bool fine = read_one(&t, get);
        get->stmt = below[i];
        const bool ended =
            get->stmt == RISCV_NO_STMT && rules->ends_with_memory && get->file != 'm';
        if (fine && !ended) {
            gets->count++;
            continue;
        }
        const struct diag at = {.severity = DIAG_ERROR,
                                .file = row->file,
                                .line = row->line,
                                .column = row->column,
                                .length = row->length ? (uint32_t)row->length : 1};
        diag_add(diags, &at, "%s",
                 fine ? "at the end of the run there is memory alone\n"
                        "put this above the statement at which the register is meant"
                      : "get takes xN, vN or m:ADDRESS, then .b, .h or .w and a count\n"
                        "as in # takt: get v8.w 8");
        status = 1;
    }
    if (gets->count)
        qsort(gets->items, gets->count, sizeof *gets->items, by_stmt);
    free(below);
    return below ? status : -1;
}

void riscv_gets_free(struct riscv_gets *gets)
{
    free(gets->items);
    *gets = (struct riscv_gets){.items = NULL};
}

/* --- lines ------------------------------------------------------------------------------------ */

static void print_one(const struct riscv_get *get, uint32_t unit,
                      const struct riscv_get_state *state, FILE *out)
{
    enum { A_LINE = 8 };
    const uint32_t size = size_of(get);
    for (uint32_t i = 0; i < get->count; i += A_LINE) {
        const uint32_t from = i * size;
        fprintf(out, "DEBUG-%c(%u,%u):(", get->file - 'a' + 'A', get->at + from / unit,
                from % unit / size);
        for (uint32_t k = i; k < get->count && k < i + A_LINE; k++) {
            const uint8_t *b = state->bytes(state->context, get, (uint64_t)k * size, size);
            uint32_t value = 0;
            for (uint32_t n = 0; b && n < size; n++)
                value |= (uint32_t)b[n] << 8 * n;
            if (b)
                fprintf(out, "%s0x%0*x", k > i ? ", " : "", (int)(2 * size), value);
            else
                fprintf(out, "%sno memory", k > i ? ", " : "");
        }
        fprintf(out, ") #get %.*s%s\n", (int)get->length, get->text, state->who);
    }
}

/* The first get of a statement. */
static size_t first_of(const struct riscv_gets *gets, uint32_t stmt)
{
    return search_u32(gets->items, gets->count, sizeof *gets->items,
                      offsetof(struct riscv_get, stmt), stmt);
}

void riscv_gets_print(const struct riscv_gets *gets, uint32_t stmt,
                      const struct riscv_get_state *state, FILE *out)
{
    for (size_t i = first_of(gets, stmt); i < gets->count && gets->items[i].stmt == stmt; i++) {
        const char file = gets->items[i].file;
        print_one(&gets->items[i],
                  file == 'm'   ? 1
                  : file == 'v' ? state->rules->vector_bytes
                                : 4,
                  state, out);
    }
}

void riscv_gets_write(const struct riscv_gets *gets, uint32_t stmt, size_t *next, FILE *out)
{
    for (; *next < gets->count && gets->items[*next].stmt == stmt; ++*next)
        fprintf(out, "# takt: get %.*s\n", (int)gets->items[*next].length, gets->items[*next].text);
}
