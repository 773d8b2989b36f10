/* format: statements in one spelling, in their lines; comments stay. */
#include "editor/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "functional/riscv/image.h"
#include "host/text.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static size_t trimmed(const char *text, size_t size)
{
    while (size && is_blank(text[size - 1]))
        size--;
    return size;
}

/* --- statements as printed -------------------------------------------------------------------- */

/* Comments and directives stay as they are written: canonical text has its own. */
static bool is_statement(const char *line, size_t size)
{
    size_t at = 0;
    while (at < size && is_blank(line[at]))
        at++;
    return at < size && line[at] != '#' && line[at] != '.';
}

static const char *next_statement(const char *at)
{
    while (*at && !is_statement(at, strcspn(at, "\n"))) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return at;
}

/* Each statement as printed. Whether the lines correspond. */
static bool lay_out(const struct source *source, const char *canonical, FILE *out)
{
    const char *at = source->text, *end = at + source->size;
    canonical = next_statement(canonical);
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        size_t kept = 0;
        if (is_statement(at, length)) {
            const size_t line = strcspn(canonical, "\n");
            fwrite(canonical, 1, line, out);
            canonical = next_statement(canonical + line);
            kept = trimmed(at, vocabulary_statement(at, length));
        }
        fwrite(at + kept, 1, length - kept, out);
        if (stop)
            fputc('\n', out);
        at = stop ? stop + 1 : end;
    }
    return !*canonical;
}

/* --- statements of an assembler --------------------------------------------------------------- */

/* Its canonical text has numbers for names, and several instructions for one pseudo-instruction:
 * here only blanks change. */

struct span {
    const char *start;
    size_t length;
};

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Instructions in the text, in their order there; several can be of one statement. */
static struct span *spans_of(const struct riscv_image *image, const struct source *source,
                             size_t *count)
{
    struct span *spans = malloc((image->stmt_count + 1) * sizeof *spans);
    const char *end = source->text + source->size;
    *count = 0;
    for (size_t i = 0; spans && i < image->stmt_count; i++) {
        const struct riscv_stmt *stmt = &image->stmts[i];
        if (stmt->text >= source->text && stmt->text < end)
            spans[(*count)++] = (struct span){stmt->text, stmt->length};
    }
    if (spans)
        qsort(spans, *count, sizeof *spans, by_start);
    return spans;
}

/* The first is not a blank. */
static void tidy(const char *text, size_t size, FILE *out)
{
    for (size_t i = 0; i < size; i++) {
        const char next = i + 1 < size ? text[i + 1] : '\0';
        if (text[i] == ',')
            fputs(", ", out);
        else if (!is_blank(text[i]))
            fputc(text[i], out);
        else if (next && !is_blank(next) && next != ',' && text[i - 1] != ',')
            fputc(' ', out);
    }
}

static bool lay_out_assembly(const struct source *source, const struct riscv_image *image,
                             FILE *out)
{
    size_t count;
    struct span *spans = spans_of(image, source, &count);
    const char *at = source->text;
    for (size_t i = 0; spans && i < count; i++) {
        const char *start = spans[i].start, *line = start, *end = start + spans[i].length;
        while (start < end && is_blank(*start))
            start++;
        const size_t size = trimmed(start, (size_t)(end - start));
        if (start < at || memchr(start, '\'', size) || memchr(start, '"', size) ||
            memmem(start, size, "/*", 2))
            continue;
        while (line > at && is_blank(line[-1]))
            line--;
        const bool first = line == source->text || line[-1] == '\n';
        fwrite(at, 1, (size_t)((first ? line : start) - at), out);
        fputs(first ? "    " : "", out);
        tidy(start, size, out);
        at = start + size;
    }
    fwrite(at, 1, (size_t)(source->text + source->size - at), out);
    free(spans);
    return spans != NULL;
}

/* --- the text --------------------------------------------------------------------------------- */

/* A program of a text, printed; NULL: it has errors, or no memory. *tidied: the text in one
 * spelling, NULL: its lines do not correspond to those printed. May be NULL. */
static char *printed(struct buffer *file, const char *text, size_t size, char **tidied,
                     size_t *tidied_size)
{
    const struct machine_language *language = file->machine->language;
    struct machine_program *program = NULL;
    struct source source;
    struct diag_list diags;
    char *canonical = NULL;
    size_t length;
    if (source_from_text(&source, file->path, text, size) != 0)
        return NULL;
    diag_list_init(&diags);
    if (language->load(&program, &source, 1, &diags) == 0) {
        FILE *out = text_open(&canonical, &length);
        const bool whole = out && language->print(program, NULL, out) == 0;
        if (text_close(out, &canonical) != 0 || !whole) {
            free(canonical);
            canonical = NULL;
        }
    }
    if (canonical && tidied) {
        FILE *out = text_open(tidied, tidied_size);
        const bool good =
            out && (language->image ? lay_out_assembly(&source, language->image(program), out)
                                    : lay_out(&source, canonical, out));
        if (text_close(out, tidied) != 0 || !good) {
            free(*tidied);
            *tidied = NULL;
        }
    }
    if (program)
        language->unload(program);
    diag_list_free(&diags);
    source_close(&source);
    return canonical;
}

json_t *format_text(struct buffer *file)
{
    json_t *edits = json_null();
    const struct document *d = &file->document;
    char *text = NULL;
    size_t size = 0;
    char *canonical = printed(file, d->text, d->size, &text, &size);
    char *again = text ? printed(file, text, size, NULL, NULL) : NULL;
    if (again && strcmp(again, canonical) == 0)
        edits = json_pack("[{s:o,s:o}]", "range", buffer_range_of(file, 0, d->size), "newText",
                          json_stringn(text, size));
    free(canonical);
    free(text);
    free(again);
    return edits;
}
