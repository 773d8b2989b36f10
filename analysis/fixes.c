#include "analysis/fixes.h"

#include <stdlib.h>
#include <string.h>

#include "host/text.h"

/* --- words of a sentence ---------------------------------------------------------------------- */

/* What follows `begin` at the start of a text, or NULL. */
static const char *after(const char *text, const char *begin)
{
    const size_t length = strlen(begin);
    return strncmp(text, begin, length) == 0 ? text + length : NULL;
}

/* The bytes of a word up to one of `ends`. */
static size_t word_of(const char *text, const char *ends)
{
    return strcspn(text, ends);
}

static bool replace(struct fix *fix, const char *word, size_t length)
{
    if (length == 0 || length >= FIXES_TEXT - 16)
        return false;
    snprintf(fix->text, sizeof fix->text, "%.*s", (int)length, word);
    snprintf(fix->title, sizeof fix->title, "write %.*s", (int)length, word);
    return true;
}

/* "did you mean lpassa?", "did you mean 'lpassa'?", "did you mean $lm0v, with the letter l?" */
static bool suggested(const char *word, struct fix *fix)
{
    const bool quoted = word[0] == '\'';
    return replace(fix, word + quoted, word_of(word + quoted, quoted ? "'" : "?, "));
}

/* "nearest aligned address 2": the number at the finding. */
static bool nearest(const char *fix_text, const char *line, size_t size, struct fix *fix)
{
    const char *number = fix_text + strlen(fix_text);
    while (number > fix_text && number[-1] >= '0' && number[-1] <= '9')
        number--;
    size_t digits = 0;
    for (size_t at = fix->column - 1; at < size && line[at] >= '0' && line[at] <= '9'; at++)
        digits++;
    fix->length = (uint32_t)digits;
    return digits && replace(fix, number, strlen(number));
}

static bool edit_of(const struct diag *diag, const char *line, size_t size, struct fix *fix)
{
    const char *rest = after(diag->fix, "did you mean ");
    if (rest)
        return suggested(rest, fix);
    rest = after(diag->fix, "nearest ");
    if (rest)
        return nearest(diag->fix, line, size, fix);
    if (strcmp(diag->fix, "remove it") != 0 && strcmp(diag->fix, "remove them") != 0 &&
        strcmp(diag->fix, "remove the rest") != 0)
        return false;
    snprintf(fix->title, sizeof fix->title, "%s", diag->fix);
    return true;
}

enum { PADDING = FIXES_TEXT - 16 };

static bool finds_padding(const struct machine *machine, const struct diag *diag,
                          char padding[PADDING])
{
    const struct vocabulary *vocabulary = machine->language->vocabulary;
    return diag->fix && vocabulary && vocabulary->pad && vocabulary->pad(diag, padding, PADDING);
}

bool fixes_pads(const struct machine *machine, const struct diag *diag)
{
    char padding[PADDING];
    return finds_padding(machine, diag, padding);
}

/* Whether lines end with CR LF: this one, or, of the last one, the line before it. */
static bool returns(const char *text, const char *line, size_t size)
{
    return (size && line[size - 1] == '\r') || (line - text >= 2 && line[-2] == '\r');
}

bool fixes_of(const struct machine *machine, const struct diag *diag, const char *text,
              const char *line, size_t size, struct fix *fix)
{
    const struct vocabulary *vocabulary = machine->language->vocabulary;
    char padding[PADDING];
    *fix = (struct fix){.line = diag->line, .column = diag->column, .length = diag->length};
    if (!diag->fix || !vocabulary || diag->column == 0 || diag->column > size + 1)
        return false;
    if (finds_padding(machine, diag, padding)) {
        fix->pads = true;
        fix->column = 1;
        fix->length = 0;
        snprintf(fix->text, sizeof fix->text, "%s%s", padding,
                 returns(text, line, size) ? "\r\n" : "\n");
        snprintf(fix->title, sizeof fix->title, "insert %s", padding);
        return true;
    }
    if (fix->length > size + 1 - fix->column)
        fix->length = (uint32_t)(size + 1 - fix->column);
    return edit_of(diag, line, size, fix);
}

/* --- padding ---------------------------------------------------------------------------------- */

/* Where a line of the text starts, from a place at or before it. */
static const char *start_of(const char *at, const char *end, uint32_t from, uint32_t line)
{
    for (; from < line && at < end; from++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return at;
}

/* A pair of statements on both sides of a line where something was inserted has steps more. */
static bool spans(const struct diag *diag, uint32_t inserted)
{
    const uint32_t first = diag->other_file == diag->file ? diag->other_line : 0;
    return inserted && first < inserted;
}

/* Of the findings in the line of row i that padding mends the one that lacks most, or that of the
 * row; *next: the row after them. */
static const struct diag *largest(const struct machine *machine, const struct diag_list *diags,
                                  size_t i, size_t *next)
{
    const struct diag *most = &diags->items[i];
    bool found = fixes_pads(machine, most);
    for (i++; i < diags->count && diags->items[i].file == most->file &&
              diags->items[i].line == most->line;
         i++) {
        const struct diag *diag = &diags->items[i];
        if (!fixes_pads(machine, diag) || (found && diag->missing_steps <= most->missing_steps))
            continue;
        most = diag;
        found = true;
    }
    *next = i;
    return most;
}

char *fixes_pad(const struct machine *machine, const struct diag_list *diags, uint32_t file,
                const struct source *source, size_t *size, size_t *edits)
{
    char *text = NULL;
    FILE *out = text_open(&text, size);
    const char *at = source->text, *end = source->text + source->size, *from = at;
    uint32_t line = 1, inserted = 0;
    *edits = 0;
    for (size_t i = 0, next = 0; out && i < diags->count; i = next) {
        const struct diag *diag = largest(machine, diags, i, &next);
        struct fix fix;
        if (diag->file != file || diag->line < line || spans(diag, inserted))
            continue;
        at = start_of(at, end, line, diag->line);
        line = diag->line;
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        if (!fixes_of(machine, diag, source->text, at, length, &fix) || !fix.pads)
            continue;
        fwrite(from, 1, (size_t)(at - from), out);
        fputs(fix.text, out);
        from = at;
        inserted = line;
        ++*edits;
    }
    if (out)
        fwrite(from, 1, (size_t)(end - from), out);
    return text_close(out, &text) == 0 ? text : NULL;
}
