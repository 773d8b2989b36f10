#include "functional/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "functional/text.h"
#include "host/grow.h"

enum { EXCERPT = 160 }; /* columns shown of a long line around the finding */

void diag_list_init(struct diag_list *list)
{
    *list = (struct diag_list){0};
}

void diag_list_free(struct diag_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].message);
        free(list->items[i].fix);
    }
    free(list->items);
    const char *const *silenced = list->silenced;
    *list = (struct diag_list){.silenced = silenced};
}

static bool is_silenced(const struct diag_list *list, const struct diag *at)
{
    if (at->severity == DIAG_ERROR || at->name == NULL || list->silenced == NULL)
        return false;
    for (const char *const *name = list->silenced; *name != NULL; name++)
        if (strcmp(*name, at->name) == 0 ||
            (at->severity == DIAG_WARNING && strcmp(*name, "all") == 0))
            return true;
    return false;
}

static bool make_room(struct diag_list *list)
{
    struct diag *items = grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
    if (items == NULL)
        return false;
    list->items = items;
    return true;
}

void diag_add(struct diag_list *list, const struct diag *at, const char *format, ...)
{
    if (is_silenced(list, at))
        return;
    if (at->severity == DIAG_ERROR)
        list->errors++;
    else if (at->severity == DIAG_WARNING)
        list->warnings++;
    else
        list->notes++;
    /* If memory is out, at least count the finding. */
    if (diag_full(list) || !make_room(list))
        return;
    va_list arguments;
    va_start(arguments, format);
    char *message = NULL;
    if (vasprintf(&message, format, arguments) < 0)
        message = NULL;
    va_end(arguments);
    if (message == NULL)
        return;
    struct diag *diag = &list->items[list->count++];
    *diag = *at;
    diag->column = at->line ? at->column : 0;
    diag->message = message;
    diag->fix = NULL;
    char *split = strchr(message, '\n');
    if (split != NULL) {
        *split = '\0';
        diag->fix = strdup(split + 1);
    }
    if (diag->rule == NULL)
        diag->rule = "";
    if (diag->name == NULL)
        diag->name = "";
    if (diag->length == 0)
        diag->length = 1;
}

/* Those that the list silences, which `from` did not. */
static void drop_silenced(const struct diag_list *list, struct diag_list *from)
{
    size_t kept = 0;
    for (size_t i = 0; i < from->count; i++) {
        struct diag *diag = &from->items[i];
        if (!is_silenced(list, diag)) {
            from->items[kept++] = *diag;
            continue;
        }
        from->warnings -= diag->severity == DIAG_WARNING;
        from->notes -= diag->severity == DIAG_NOTE;
        free(diag->message);
        free(diag->fix);
    }
    from->count = kept;
}

static void move(struct diag_list *list, struct diag_list *from, bool all)
{
    size_t moved = 0;
    drop_silenced(list, from);
    while (moved < from->count && (all || !diag_full(list)) && make_room(list))
        list->items[list->count++] = from->items[moved++];
    list->errors += from->errors;
    list->warnings += from->warnings;
    list->notes += from->notes;
    for (size_t i = 0; i < from->count - moved; i++)
        from->items[i] = from->items[moved + i];
    from->count -= moved;
    diag_list_free(from);
}

void diag_append(struct diag_list *list, struct diag_list *from)
{
    move(list, from, false);
}

void diag_join(struct diag_list *list, struct diag_list *from)
{
    move(list, from, true);
}

static int compare(const struct diag *a, const struct diag *b)
{
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    return 0;
}

void diag_sort(struct diag_list *list)
{
    /* Merge sort: it must be stable, and the list is usually almost sorted. */
    if (list->count < 2)
        return;
    struct diag *spare = malloc(list->count * sizeof *spare);
    if (spare == NULL)
        return; /* in another order */
    struct diag *from = list->items, *to = spare;
    for (size_t width = 1; width < list->count; width *= 2) {
        for (size_t start = 0; start < list->count; start += 2 * width) {
            const size_t middle = start + width < list->count ? start + width : list->count;
            const size_t end = start + 2 * width < list->count ? start + 2 * width : list->count;
            size_t left = start, right = middle;
            for (size_t i = start; i < end; i++) {
                const bool take_left =
                    left < middle && (right == end || compare(&from[left], &from[right]) <= 0);
                to[i] = take_left ? from[left++] : from[right++];
            }
        }
        struct diag *swap = from;
        from = to;
        to = swap;
    }
    if (from != list->items)
        memcpy(list->items, from, list->count * sizeof *from);
    free(spare);
}

/* Remembers the start of a line, so that printing sorted findings reads each source once. */
struct cursor {
    uint32_t file, line;
    size_t offset;
};

static bool find_line(struct cursor *cursor, const struct source *sources, const struct diag *diag,
                      const char **text, size_t *length)
{
    const struct source *source = &sources[diag->file];
    if (cursor->line == 0 || cursor->file != diag->file || cursor->line > diag->line)
        *cursor = (struct cursor){.file = diag->file, .line = 1};
    while (cursor->line < diag->line) {
        const char *from = source->text + cursor->offset;
        const char *newline = memchr(from, '\n', source->size - cursor->offset);
        if (newline == NULL)
            return false;
        cursor->offset = (size_t)(newline - source->text) + 1;
        cursor->line++;
    }
    *text = source->text + cursor->offset;
    const char *newline = memchr(*text, '\n', source->size - cursor->offset);
    *length = newline != NULL ? (size_t)(newline - *text) : source->size - cursor->offset;
    if (*length > 0 && (*text)[*length - 1] == '\r')
        --*length;
    return true;
}

/* Print as many columns of blanks or marks as put_text printed for the text. */
static void put_columns(const char *text, size_t length, size_t left, char mark, FILE *out)
{
    for (size_t i = 0; i < length;) {
        const size_t size = text_character(text + i, left - i);
        if (mark == ' ' && text[i] == '\t')
            putc('\t', out);
        else
            for (int c = size > 0 ? text_columns(text + i, size) : 1; c > 0; c--)
                putc(mark, out);
        i += size > 0 ? size : 1;
    }
}

/* True if byte i continues a character that began earlier. */
static bool continues(const char *text, size_t i, size_t length)
{
    for (size_t back = 1; back <= 3 && back <= i; back++)
        if (text_character(text + i - back, length - i + back) > back)
            return true;
    return false;
}

static void print_excerpt(const struct diag *diag, const char *text, size_t length, FILE *out,
                          const char *on, const char *off)
{
    const size_t column = diag->column > 0 ? diag->column - 1 : 0;
    size_t from = 0, to = length;
    if (length > EXCERPT) {
        from = column > EXCERPT / 2 ? column - EXCERPT / 2 : 0;
        if (from > length)
            from = length;
        while (from < length && continues(text, from, length))
            from--;
        to = length - from > EXCERPT ? from + EXCERPT : length;
        while (to < length && continues(text, to, length))
            to++;
    }
    fputs(from > 0 ? "  ..." : "  ", out);
    text_put(out, text + from, to - from);
    fputs(to < length ? "...\n" : "\n", out);
    fputs(from > 0 ? "     " : "  ", out);
    const size_t before = column < to ? column : to;
    if (before > from)
        put_columns(text + from, before - from, to - from, ' ', out);
    fprintf(out, "%s^", on);
    size_t first = column;
    if (first < to)
        first += text_character(text + first, to - first) > 0
                     ? text_character(text + first, to - first)
                     : 1;
    const size_t last = column + diag->length < to ? column + diag->length : to;
    if (last > first)
        put_columns(text + first, last - first, to - first, '~', out);
    fprintf(out, "%s\n", off);
}

void diag_print(const struct diag_list *list, const struct source *sources, size_t source_count,
                FILE *out, bool colour)
{
    static const char *const severity[] = {"note", "warning", "error"};
    static const char *const paint[] = {"\033[36m", "\033[35m", "\033[31m"};
    const char *off = colour ? "\033[0m" : "";
    struct cursor cursor = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct diag *diag = &list->items[i];
        const char *on = colour ? paint[diag->severity] : "";
        const bool known = diag->file < source_count;
        const char *name = known ? sources[diag->file].name : "?";
        text_put(out, name, strlen(name));
        if (diag->line > 0) /* otherwise it concerns the whole file */
            fprintf(out, ":%u:%u", diag->line, diag->column);
        fprintf(out, ": %s%s:%s ", on, severity[diag->severity], off);
        text_put(out, diag->message, strlen(diag->message));
        if (diag->rule[0] != '\0')
            fprintf(out, " [manual %s]", diag->rule);
        if (diag->name[0] != '\0')
            fprintf(out, " [%s]", diag->name);
        putc('\n', out);
        const char *text;
        size_t length;
        if (known && diag->line > 0 && find_line(&cursor, sources, diag, &text, &length))
            print_excerpt(diag, text, length, out, on, off);
        if (diag->fix != NULL) {
            fputs("  fix: ", out);
            text_put(out, diag->fix, strlen(diag->fix));
            putc('\n', out);
        }
    }
    const size_t all = list->errors + list->warnings;
    if (diag_full(list) && all > list->count)
        fprintf(out, "... and %zu more\n", all - list->count);
}

void diag_excerpt(const struct source *source, uint32_t line, uint32_t column, FILE *out)
{
    struct cursor cursor = {0};
    struct diag diag = {.line = line, .length = 1};
    const char *text;
    size_t length, at = 0;
    if (line == 0 || !find_line(&cursor, source, &diag, &text, &length))
        return;
    for (uint32_t c = 1; c < column && at < length; c++) {
        const size_t size = text_character(text + at, length - at);
        at += size > 0 ? size : 1;
    }
    diag.column = (uint32_t)at + 1;
    print_excerpt(&diag, text, length, out, "", "");
}

struct diag_file diag_file(const struct source *sources, uint32_t here, uint32_t there)
{
    const struct source *to = &sources[there];
    if (strcmp(sources[here].name, to->name) != 0)
        return (struct diag_file){" of ", to->name};
    if (sources[here].turn != to->turn)
        return (struct diag_file){there < here ? " of an earlier " : " of a later ", to->name};
    return (struct diag_file){"", ""};
}
