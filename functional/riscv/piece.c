#include "functional/riscv/piece.h"

#include <stdlib.h>
#include <string.h>

#include "functional/riscv/elf.h"

/* --- lines of a text -------------------------------------------------------------------------- */

struct line {
    const char *start, *end; /* without "\n" and "\r" */
};

static struct line line_of(const struct source *source, const char *at)
{
    const char *const stop = source->text + source->size;
    struct line line = {.start = at, .end = memchr(at, '\n', (size_t)(stop - at))};
    while (line.start > source->text && line.start[-1] != '\n')
        line.start--;
    line.end = line.end ? line.end : stop;
    line.end -= line.end > line.start && line.end[-1] == '\r';
    return line;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

static bool is_comment(const char *at, const char *end)
{
    return at < end && (*at == '#' || (end - at > 1 && at[0] == '/' && at[1] == '/'));
}

/* Whether only blanks and comments that are about nothing are in these lines. */
static bool only_comments(const char *at, const char *end)
{
    static const char directive[] = "takt:";
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *text = skip_blanks(at, stop);
        if (text < stop && !is_comment(text, stop))
            return false;
        if (memmem(text, (size_t)(stop - text), directive, sizeof directive - 1))
            return false;
        at = stop + 1;
    }
    return true;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

/* Whether a text names the place where it is. */
static bool names_here(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '.' && !(i && in_name(text[i - 1])) &&
            !(i + 1 < length && in_name(text[i + 1])))
            return true;
    return false;
}

/* --- pieces of a text ------------------------------------------------------------------------- */

static const struct riscv_stmt *stmt_of(const struct riscv_pieces *p, size_t piece)
{
    return &p->image->stmts[p->items[piece].first];
}

/* After its text nothing but a comment, which moves with it. */
static bool can_be_cut(const struct riscv_pieces *p, const struct riscv_stmt *stmt)
{
    const struct line line = line_of(p->source, stmt->text);
    const char *rest = skip_blanks(stmt->text + stmt->length, line.end);
    return (rest >= line.end || is_comment(rest, line.end)) &&
           !names_here(stmt->text, stmt->length);
}

static void look_at_text(struct riscv_pieces *p)
{
    const char *after = NULL, *before = NULL; /* of the last piece: end and start of its line */
    for (size_t i = 0; i < p->count; i++) {
        struct riscv_piece *piece = &p->items[i];
        const struct riscv_stmt *stmt = stmt_of(p, i);
        const struct line line = line_of(p->source, stmt->text);
        piece->fixed |= !can_be_cut(p, stmt);
        if (before == line.start) { /* several in one line */
            piece->fixed = true;
            p->items[i - 1].fixed = true;
        }
        piece->leads |= !after || line.start < after ||
                        skip_blanks(line.start, stmt->text) != stmt->text ||
                        !only_comments(after, line.start);
        before = line.start;
        after = line.end;
    }
}

static bool follows(const struct riscv_image *image, uint32_t stmt)
{
    return stmt && image->stmts[stmt - 1].address + 4 == image->stmts[stmt].address;
}

int riscv_pieces_find(struct riscv_pieces *p, const struct riscv_image *image,
                      const struct source *source,
                      uint32_t (*together)(const struct riscv_image *image, uint32_t stmt))
{
    *p = (struct riscv_pieces){.image = image, .source = source, .elf = riscv_is_elf(source)};
    p->items = calloc(image->stmt_count + 1, sizeof *p->items);
    if (!p->items)
        return -1;
    for (uint32_t s = 0; s < image->stmt_count;) {
        struct riscv_piece *piece = &p->items[p->count++];
        const uint32_t most = together ? together(image, s) : 1;
        *piece = (struct riscv_piece){.first = s, .count = 1, .leads = !follows(image, s)};
        for (s++; s < image->stmt_count && follows(image, s); s++, piece->count++) {
            const bool written = !p->elf && image->stmts[s].text == image->stmts[piece->first].text;
            if (!written && piece->count >= most)
                break;
            piece->fixed |= !p->elf && !written; /* in two lines */
        }
    }
    if (!p->elf)
        look_at_text(p);
    return 0;
}

void riscv_pieces_free(struct riscv_pieces *pieces)
{
    free(pieces->items);
    *pieces = (struct riscv_pieces){.items = NULL};
}

/* --- writing ---------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return (*x > *y) - (*x < *y);
}

/* A place of the text whose piece is another one. */
struct exchange {
    const char *from, *to;
    const struct riscv_stmt *with;
};

static int write_exchanges(const struct source *source, struct exchange *exchanges, size_t count,
                           FILE *out)
{
    const char *at = source->text;
    if (count)
        qsort(exchanges, count, sizeof *exchanges, by_text);
    for (size_t i = 0; i < count; i++) {
        const struct line with = line_of(source, exchanges[i].with->text);
        fwrite(at, 1, (size_t)(exchanges[i].from - at), out);
        fwrite(exchanges[i].with->text, 1, (size_t)(with.end - exchanges[i].with->text), out);
        at = exchanges[i].to;
    }
    fwrite(at, 1, (size_t)(source->text + source->size - at), out);
    return ferror(out) ? -1 : 0;
}

static int write_text(const struct riscv_pieces *p, const uint32_t *order, FILE *out)
{
    struct exchange *exchanges = malloc((p->count + 1) * sizeof *exchanges);
    size_t count = 0;
    if (!exchanges)
        return -1;
    for (size_t i = 0; i < p->count; i++) {
        const struct riscv_stmt *there = stmt_of(p, i);
        if (order[i] != i)
            exchanges[count++] = (struct exchange){there->text, line_of(p->source, there->text).end,
                                                   stmt_of(p, order[i])};
    }
    const int status = write_exchanges(p->source, exchanges, count, out);
    free(exchanges);
    return status;
}

/* A word of code at the place of a statement. Returns 0 or -1. */
static int put_word(const struct riscv_pieces *p, char *bytes, uint32_t place, uint32_t word)
{
    const struct riscv_stmt *there = &p->image->stmts[place];
    const size_t offset = there->word == word ? 0 : riscv_elf_offset(p->source, there->address);
    for (unsigned b = 0; b < 4 && there->word != word && offset != SIZE_MAX; b++)
        bytes[offset + b] = (char)(word >> 8 * b);
    return offset == SIZE_MAX ? -1 : 0;
}

static int write_elf(const struct riscv_pieces *p, const uint32_t *order, FILE *out)
{
    char *bytes = malloc(p->source->size + 1);
    int status = bytes ? 0 : -1;
    if (bytes)
        memcpy(bytes, p->source->text, p->source->size);
    for (uint32_t i = 0, place = 0; i < p->count && status == 0; i++) {
        const struct riscv_piece *piece = &p->items[order[i]];
        for (uint32_t k = 0; k < piece->count && status == 0; k++)
            status = put_word(p, bytes, place++, p->image->stmts[piece->first + k].word);
    }
    if (status == 0)
        fwrite(bytes, 1, p->source->size, out);
    free(bytes);
    return status == 0 && !ferror(out) ? 0 : -1;
}

int riscv_pieces_write(const struct riscv_pieces *pieces, const uint32_t *order, FILE *out)
{
    return pieces->elf ? write_elf(pieces, order, out) : write_text(pieces, order, out);
}
