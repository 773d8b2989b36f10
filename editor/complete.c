/* complete: words that may be written at a place: opcodes first in a statement, operands and names
 * after them. */
#include "editor/buffer.h"

#include <string.h>

#include "editor/words.h"
#include "host/grow.h"

/* What is being written: from the start of the word to the cursor. */
struct prefix {
    const char *text;
    size_t length;
    size_t from, to; /* bytes of the document that the completion replaces */
    bool first;      /* of its statement */
};

static struct prefix prefix_of(struct buffer *file, size_t offset)
{
    const struct buffer_word word = buffer_word(file, offset);
    const size_t start = (size_t)(word.start - file->document.text);
    struct prefix prefix = {.text = word.start + word.at, .from = start + word.at, .first = true};
    prefix.length = offset > prefix.from ? offset - prefix.from : 0;
    prefix.to = prefix.from + prefix.length;
    for (size_t i = word.at; i > 0; i--) {
        const char c = word.start[i - 1];
        if (c == ';' || c == ':')
            break;
        if (c != ' ' && c != '\t') {
            prefix.first = false;
            break;
        }
    }
    return prefix;
}

static bool begins(const char *name, size_t size, const struct prefix *prefix)
{
    return size >= prefix->length && memcmp(name, prefix->text, prefix->length) == 0;
}

/* Kinds of the protocol: function, variable, keyword, reference. */
static void append(struct buffer *file, json_t *list, const struct prefix *prefix, int kind,
                   json_t *name)
{
    json_t *range = buffer_range_of(file, prefix->from, prefix->to);
    json_array_append_new(list, json_pack("{s:O,s:i,s:{s:o,s:o}}", "label", name, "kind", kind,
                                          "textEdit", "range", range, "newText", name));
}

static void append_words(struct buffer *file, json_t *list, const struct prefix *prefix)
{
    static const int kinds[] = {3, 6, 14};
    const struct words *words = words_of(file->machine);
    for (size_t i = 0; i < words->count; i++) {
        const struct vocabulary_word *row = &words->rows[i];
        if ((row->kind == VOCABULARY_OPERAND) == prefix->first ||
            !begins(row->name, strlen(row->name), prefix))
            continue;
        append(file, list, prefix, kinds[row->kind], json_string(row->name));
        json_t *item = json_array_get(list, json_array_size(list) - 1);
        char detail[256];
        snprintf(detail, sizeof detail, "%s%s%s%s", row->sentence, row->section[0] ? " (" : "",
                 row->section, row->section[0] ? ")" : "");
        if (item && detail[0])
            json_object_set_new(item, "detail", json_string(detail));
    }
}

/* Labels and the like that the text defines. */
static void append_names(struct buffer *file, json_t *list, const struct prefix *prefix)
{
    enum { MARKS = 16 };
    const struct vocabulary *vocabulary = file->machine->language->vocabulary;
    struct vocabulary_mark marks[MARKS];
    size_t size;
    if (!vocabulary || !vocabulary->marks || prefix->first)
        return;
    const char *end = file->document.text + file->document.size;
    for (uint32_t line = 1;; line++) {
        const char *start = document_line(&file->document, line, &size);
        const size_t count = vocabulary->marks(start, size, marks, MARKS);
        for (size_t i = 0; i < count; i++)
            if (marks[i].defines && begins(start + marks[i].at, marks[i].length, prefix))
                append(file, list, prefix, 18, json_stringn(start + marks[i].at, marks[i].length));
        if (start + size >= end)
            break;
    }
}

json_t *complete_at(struct buffer *file, size_t offset)
{
    json_t *list = json_array();
    const struct prefix prefix = prefix_of(file, offset);
    append_words(file, list, &prefix);
    append_names(file, list, &prefix);
    return json_pack("{s:b,s:o}", "isIncomplete", prefix.length == 0, "items", list);
}
