/* complete: words that may be written at a place: opcodes first in a statement, operands and names
 * after them. */
#include "editor/buffer.h"

#include <string.h>

#include "editor/words.h"

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

struct completion {
    struct buffer *file;
    json_t *list;
    struct prefix prefix;
};

/* Labels and the like that the text defines. */
static void append_name(void *context, const char *start, uint32_t line,
                        const struct vocabulary_mark *mark)
{
    const struct completion *c = context;
    (void)line;
    if (mark->defines && begins(start + mark->at, mark->length, &c->prefix))
        append(c->file, c->list, &c->prefix, 18, json_stringn(start + mark->at, mark->length));
}

json_t *complete_at(struct buffer *file, size_t offset)
{
    struct completion c = {file, json_array(), prefix_of(file, offset)};
    append_words(file, c.list, &c.prefix);
    if (!c.prefix.first)
        buffer_each_mark(file, append_name, &c);
    return json_pack("{s:b,s:o}", "isIncomplete", c.prefix.length == 0, "items", c.list);
}
