#include "editor/document.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

int document_open(struct document *document, const char *text, size_t size)
{
    char *copy = grow(document->text, &document->capacity, size + 1, 1);
    if (!copy)
        return -1;
    memcpy(copy, text, size);
    document->text = copy;
    document->size = size;
    free(document->lines);
    document->lines = NULL;
    return 0;
}

int document_replace(struct document *document, const char *text, size_t size)
{
    return document_open(document, text, size);
}

void document_close(struct document *document)
{
    free(document->text);
    free(document->lines);
    *document = (struct document){0};
}

/* --- lines ------------------------------------------------------------------------------------ */

static int find_lines(struct document *d)
{
    if (d->lines)
        return 0;
    size_t *lines = NULL, count = 0, capacity = 0;
    d->returns = false;
    for (size_t at = 0;;) {
        size_t *more = grow(lines, &capacity, count + 1, sizeof *lines);
        if (!more) {
            free(lines);
            return -1;
        }
        lines = more;
        lines[count++] = at;
        while (at < d->size && d->text[at] != '\n' && d->text[at] != '\r')
            at++;
        if (at == d->size)
            break;
        const bool pair = d->text[at] == '\r' && at + 1 < d->size && d->text[at + 1] == '\n';
        d->returns |= d->text[at] == '\r' && !pair;
        at += pair ? 2 : 1;
    }
    d->lines = lines;
    d->line_count = count;
    d->line_capacity = capacity;
    return 0;
}

/* The end of a line, without its line break. */
static size_t line_end(const struct document *d, size_t line)
{
    size_t end = line + 1 < d->line_count ? d->lines[line + 1] : d->size;
    if (line + 1 < d->line_count) {
        end--;
        end -= d->text[end] == '\n' && end > d->lines[line] && d->text[end - 1] == '\r';
    }
    return end;
}

/* The line that has a byte. */
static size_t line_of(const struct document *d, size_t offset)
{
    size_t low = 0, high = d->line_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (d->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* --- characters ------------------------------------------------------------------------------- */

/* Bytes of the character at `at`, by its first byte. */
static size_t width(const struct document *d, size_t at, size_t end)
{
    const unsigned char first = (unsigned char)d->text[at];
    const size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return size < end - at ? size : end - at;
}

static uint64_t units(const struct document *d, size_t bytes)
{
    return d->bytes ? bytes : bytes == 4 ? 2 : 1;
}

size_t document_offset(struct document *d, struct document_place place)
{
    if (find_lines(d) != 0)
        return 0;
    if (place.line >= d->line_count)
        return d->size;
    size_t at = d->lines[place.line];
    const size_t end = line_end(d, (size_t)place.line);
    for (uint64_t left = place.character; at < end;) {
        const size_t bytes = width(d, at, end);
        if (left < units(d, bytes))
            break;
        left -= units(d, bytes);
        at += bytes;
    }
    return at;
}

struct document_place document_place(struct document *d, size_t offset)
{
    if (find_lines(d) != 0)
        return (struct document_place){0, 0};
    offset = offset < d->size ? offset : d->size;
    const size_t line = line_of(d, offset), end = line_end(d, line);
    struct document_place place = {line, 0};
    for (size_t at = d->lines[line]; at < end && at < offset;) {
        const size_t bytes = width(d, at, end);
        place.character += units(d, bytes);
        at += bytes;
    }
    return place;
}

int document_edit(struct document *d, const struct document_place range[2], const char *text,
                  size_t size)
{
    if (find_lines(d) != 0)
        return -1;
    size_t from = document_offset(d, range[0]), to = document_offset(d, range[1]);
    if (from > to) {
        const size_t other = from;
        from = to;
        to = other;
    }
    if (size > SIZE_MAX - d->size)
        return -1;
    char *longer = grow(d->text, &d->capacity, d->size - (to - from) + size + 1, 1);
    if (!longer)
        return -1;
    d->text = longer;
    memmove(longer + from + size, longer + to, d->size - to);
    memcpy(longer + from, text, size);
    d->size = d->size - (to - from) + size;
    free(d->lines);
    d->lines = NULL;
    return 0;
}

/* --- lines of the program --------------------------------------------------------------------- */

const char *document_line(struct document *d, uint32_t line, size_t *size)
{
    *size = 0;
    if (line == 0 || find_lines(d) != 0)
        return d->text;
    if (!d->returns) {
        if (line > d->line_count)
            return d->text + d->size;
        *size = line_end(d, line - 1) - d->lines[line - 1];
        return d->text + d->lines[line - 1];
    }
    const char *at = d->text, *end = d->text + d->size;
    for (uint32_t i = 1; i < line; i++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        if (!next)
            return end;
        at = next + 1;
    }
    const char *next = memchr(at, '\n', (size_t)(end - at));
    *size = (size_t)((next ? next : end) - at);
    return at;
}

uint32_t document_line_at(struct document *d, size_t offset)
{
    if (find_lines(d) != 0)
        return 1;
    offset = offset < d->size ? offset : d->size;
    if (!d->returns)
        return (uint32_t)line_of(d, offset) + 1;
    uint32_t line = 1;
    for (size_t i = 0; i < offset; i++)
        line += d->text[i] == '\n';
    return line;
}
