#include "editor/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "timing/machines.h"

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The path in "file:///home/a%20b.vsm"; of another URI the URI itself. */
static char *path_of(const char *uri)
{
    char *path = strdup(strncmp(uri, "file://", 7) == 0 ? uri + 7 : uri);
    char *to = path;
    for (const char *from = path; from && *from; to++) {
        const int high = *from == '%' ? digit(from[1]) : -1;
        const int low = high >= 0 ? digit(from[2]) : -1;
        const bool coded = low >= 0 && (high || low);
        *to = coded ? (char)(high * 16 + low) : *from;
        from += coded ? 3 : 1;
    }
    if (path)
        *to = '\0';
    return path;
}

int buffer_open(struct buffer *file, const char *uri, const char *language,
                const struct machine *machine)
{
    *file = (struct buffer){.uri = strdup(uri), .path = path_of(uri), .machine = machine};
    if (!file->uri || !file->path) {
        buffer_close(file);
        return -1;
    }
    if (!file->machine)
        file->machine = machine_named(language);
    if (!file->machine)
        file->machine = machine_of(file->path);
    if (file->machine)
        return 0;
    buffer_close(file);
    return 1;
}

void buffer_close(struct buffer *file)
{
    free(file->uri);
    free(file->path);
    document_close(&file->document);
    study_close(&file->study);
    *file = (struct buffer){0};
}

void buffer_edited(struct buffer *file)
{
    study_close(&file->study);
    file->studied = file->published = false;
    file->wants_range = true;
    file->said = STUDY_RUNNING;
}

bool buffer_too_long(const struct buffer *file)
{
    return file->document.size > BUFFER_MOST;
}

void buffer_study(struct buffer *file)
{
    if (file->studied)
        return;
    study_close(&file->study);
    file->studied = true;
    if (buffer_too_long(file))
        return;
    study_open(&file->study, file->machine,
               &(const struct takt_text){file->path, file->document.text, file->document.size});
}

bool buffer_work(struct buffer *file)
{
    if (buffer_too_long(file))
        return false;
    if (!file->studied) {
        buffer_study(file);
        return file->study.stage == STUDY_RUNNING;
    }
    return study_advance(&file->study);
}

bool buffer_runs(const struct buffer *file, uint64_t most)
{
    const struct study *study = &file->study;
    return !buffer_too_long(file) &&
           (!file->studied || (study->stage == STUDY_RUNNING && study->spent < most));
}

/* --- places ----------------------------------------------------------------------------------- */

static json_t *position(struct buffer *file, size_t offset)
{
    const struct document_place place = document_place(&file->document, offset);
    return json_pack("{s:I,s:I}", "line", (json_int_t)place.line, "character",
                     (json_int_t)place.character);
}

json_t *buffer_range_of(struct buffer *file, size_t from, size_t to)
{
    return json_pack("{s:o,s:o}", "start", position(file, from), "end", position(file, to));
}

json_t *buffer_range(struct buffer *file, uint32_t line, uint32_t column, size_t length)
{
    size_t size;
    const char *start = document_line(&file->document, line, &size);
    const size_t at = (size_t)(start - file->document.text);
    const size_t from = column && column - 1 < size ? column - 1 : size;
    const size_t to = length < size - from ? from + length : size;
    return buffer_range_of(file, at + from, at + to);
}

json_t *buffer_location(struct buffer *file, size_t from, size_t to)
{
    return json_pack("{s:s,s:o}", "uri", file->uri, "range", buffer_range_of(file, from, to));
}

static bool separates(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r' || c == '(' || c == ')' ||
           c == ':' || c == '[' || c == ']';
}

struct buffer_word buffer_word(struct buffer *file, size_t offset)
{
    struct buffer_word word = {.line = document_line_at(&file->document, offset)};
    word.start = document_line(&file->document, word.line, &word.size);
    const size_t start = (size_t)(word.start - file->document.text);
    size_t at = offset > start ? offset - start : 0;
    at = at < word.size ? at : word.size;
    size_t from = at, to = at;
    while (from > 0 && !separates(word.start[from - 1]))
        from--;
    while (to < word.size && !separates(word.start[to]))
        to++;
    word.at = from;
    word.length = to - from;
    return word;
}
