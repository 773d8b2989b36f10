#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "analysis/screen_part.h"

void screen_cut(char *text, int most)
{
    int columns = 0, more;
    size_t fits = 0, word = 0;
    for (size_t i = 0; text[i];) {
        const size_t size = columns_character(text + i, &more);
        columns += more;
        if (columns <= most - 2) {
            fits = i + size;
            word = text[i] == ' ' ? i + 1 : word;
        }
        i += size;
    }
    if (columns > most)
        strcpy(text + (word ? word : fits), "..");
}

void screen_shorten(char *name, int most)
{
    const int columns = columns_of(name);
    most = most < 8 ? 8 : most;
    if (columns <= most)
        return;
    const int head = (most - 2) / 2, tail = most - 2 - head;
    int column = 0, more;
    char *to = NULL, *from = name;
    while (*from && column < columns - tail) {
        const size_t size = columns_character(from, &more);
        if (!to && column + more > head)
            to = from;
        column += more;
        from += size;
    }
    if (to && from - to >= 2) {
        memcpy(to, "..", 2);
        memmove(to + 2, from, strlen(from) + 1);
    }
}

void screen_squeeze(char *to, size_t size, const struct stmt_info *stmt)
{
    size_t n = 0;
    for (size_t i = 0; i < stmt->text_length && stmt->text[i] && n + 1 < size; i++) {
        const char c = (char)(stmt->text[i] == '\t' ? ' ' : stmt->text[i]);
        if (c != ' ' || (n && to[n - 1] != ' '))
            to[n++] = c;
    }
    to[n] = '\0';
}

void screen_put(const struct screen *s, const char *style, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    va_start(args, format);
    const int n = vasprintf(&line, format, args);
    va_end(args);
    if (n < 0) {
        *s->short_of_memory = true;
        return;
    }
    columns_clean(line);
    screen_cut(line, s->width);
    fprintf(s->out, "%s%s%s\n", style, line, *style ? s->plain : "");
    free(line);
}

/* A line; what is beyond the width goes to further lines, indented. */
static void put_wrapped(const struct screen *s, const char *style, int indent, char *line)
{
    char *from = line;
    for (bool first = true;; first = false) {
        int columns;
        const int room = s->width - (first ? 0 : indent);
        size_t fits = columns_fit(from, room, &columns);
        const size_t lead = first ? (size_t)indent + strspn(from, " ") : 1;
        while (from[fits] && fits > lead && from[fits] != ' ')
            fits--;
        if (!from[fits] || fits <= lead)
            break; /* it fits, or a single word does not */
        from[fits] = '\0';
        screen_put(s, style, "%*s%s", first ? 0 : indent, "", from);
        from += fits + 1;
        style = "";
    }
    screen_put(s, style, "%*s%s", from == line ? 0 : indent, "", from);
}

void screen_put_phrases(const struct screen *s, const struct screen_phrases *list)
{
    char line[1024];
    size_t i = 0;
    for (bool first = true; i < list->count; first = false) {
        size_t n = first ? 0 : (size_t)snprintf(line, sizeof line, "%*s", list->indent, "");
        bool empty = true;
        line[n] = '\0';
        for (; i < list->count; i++) {
            const char *gap = empty ? "" : list->gap, *phrase = list->phrases[i];
            if (!empty && columns_of(line) + columns_of(gap) + columns_of(phrase) > s->width)
                break;
            const int more = snprintf(line + n, sizeof line - n, "%s%s", gap, phrase);
            if (more < 0 || (size_t)more >= sizeof line - n) {
                i++;
                break;
            }
            n += (size_t)more;
            empty = false;
        }
        put_wrapped(s, first ? list->style : "", list->indent, line);
    }
}

void screen_put_sentence(const struct screen *s, const char *head, const char *place,
                         const char *sentence)
{
    char line[1024];
    const int lead = snprintf(line, sizeof line, "%-*s%s%s", SCREEN_LABEL, head,
                              strlen(head) < SCREEN_LABEL ? "" : " ", place);
    const int room = s->width - columns_of(line);
    if (lead < 0 || (size_t)lead >= sizeof line || columns_of(sentence) <= room) {
        screen_put(s, "", "%s%s", line, sentence);
        return;
    }
    int columns = 0;
    size_t word = 0;
    for (size_t i = 0; sentence[i] && columns <= room; i++) {
        word = sentence[i] == ' ' ? i : word;
        columns += (sentence[i] & 0xc0) != 0x80;
    }
    screen_put(s, "", "%s%.*s", line, (int)word, sentence);
    screen_put(s, "", "%-*s  %s", SCREEN_LABEL, "", sentence + word + (sentence[word] == ' '));
}
