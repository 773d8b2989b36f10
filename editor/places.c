/* places: where a name or the value of a place comes from and goes to; symbols. */
#include "editor/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "host/text.h"

enum { MARKS = 64 };

/* --- names ------------------------------------------------------------------------------------ */

void buffer_each_mark(struct buffer *file, buffer_mark *found, void *context)
{
    const struct vocabulary *vocabulary = file->machine->language->vocabulary;
    struct vocabulary_mark marks[MARKS];
    size_t size;
    if (!vocabulary || !vocabulary->marks)
        return;
    const char *end = file->document.text + file->document.size;
    for (uint32_t line = 1;; line++) {
        const char *start = document_line(&file->document, line, &size);
        const size_t count = vocabulary->marks(start, size, marks, MARKS);
        for (size_t i = 0; i < count; i++)
            found(context, start, line, &marks[i]);
        if (start + size >= end)
            break;
    }
}

struct search {
    struct buffer *file;
    const char *name;
    struct vocabulary_mark mark; /* of the name */
    bool definitions, defined;   /* definitions alone; the name has one */
    /* Where it is a number: the definition that is meant, and its neighbours. */
    bool found;
    size_t above, here, below;
    json_t *list;
};

static bool same_text(const struct search *search, const char *start,
                      const struct vocabulary_mark *mark)
{
    return mark->length == search->mark.length &&
           memcmp(start + mark->at, search->name, mark->length) == 0;
}

/* One definition after the other. */
static void see_number(void *context, const char *start, uint32_t line,
                       const struct vocabulary_mark *mark)
{
    struct search *search = context;
    (void)line;
    if (!mark->defines || !same_text(search, start, mark))
        return;
    const size_t at = (size_t)(start - search->file->document.text) + mark->at;
    const size_t from = (size_t)(search->name - search->file->document.text);
    const bool below = search->mark.numbered == VOCABULARY_BELOW;
    if (below ? at > from && !search->found : at <= from) {
        search->above = search->found ? search->here : search->above;
        search->here = at;
        search->found = true;
    } else if (!search->found) {
        search->above = at;
    } else if (search->below == SIZE_MAX) {
        search->below = at;
    }
}

/* A mark of the same number. */
static bool is_meant(const struct search *search, size_t at, const struct vocabulary_mark *mark)
{
    if (mark->numbered == VOCABULARY_ABOVE)
        return search->found && at > search->here && at < search->below;
    if (mark->numbered == VOCABULARY_BELOW)
        return search->found && at < search->here && at > search->above;
    return search->found && at == search->here;
}

static void same_name(void *context, const char *start, uint32_t line,
                      const struct vocabulary_mark *mark)
{
    struct search *search = context;
    (void)line;
    const size_t at = (size_t)(start - search->file->document.text) + mark->at;
    if (!same_text(search, start, mark) || (search->mark.numbered && !is_meant(search, at, mark)))
        return;
    search->defined |= mark->defines;
    if (search->definitions && !mark->defines)
        return;
    json_array_append_new(search->list, buffer_location(search->file, at, at + mark->length));
}

/* The name at a byte, if it is a mark of its line. */
static bool name_at(struct buffer *file, size_t offset, struct search *search)
{
    const struct vocabulary *vocabulary = file->machine->language->vocabulary;
    const struct buffer_word word = buffer_word(file, offset);
    const size_t at = offset - (size_t)(word.start - file->document.text);
    struct vocabulary_mark marks[MARKS];
    const size_t count = vocabulary && vocabulary->marks
                             ? vocabulary->marks(word.start, word.size, marks, MARKS)
                             : 0;
    for (size_t i = 0; i < count; i++)
        if (at >= marks[i].at && at <= marks[i].at + marks[i].length) {
            search->name = word.start + marks[i].at;
            search->mark = marks[i];
            return true;
        }
    return false;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Registers or words of one operand, at most: an arc has the first that both statements touch. */
enum { SPAN = 8 };

struct value {
    struct buffer *file;
    const struct graph *graph;
    const char *space; /* NULL: any */
    uint64_t address;
    bool nearby; /* also shortly before this address */
    bool from;   /* of arcs that begin at the line */
    bool wanted; /* their other ends */
    bool made;   /* the line writes it */
    json_t *list;
};

static void add_line(struct value *value, uint32_t line)
{
    size_t size;
    const char *start = document_line(&value->file->document, line, &size);
    const size_t at = (size_t)(start - value->file->document.text);
    json_t *location = buffer_location(value->file, at, at + size);
    for (size_t i = 0; i < json_array_size(value->list); i++)
        if (json_equal(json_array_get(value->list, i), location)) {
            json_decref(location);
            return;
        }
    json_array_append_new(value->list, location);
}

static bool is_of(const struct value *value, const struct graph_arc *arc)
{
    if (value->space && strcmp(value->graph->spaces[arc->space], value->space) != 0)
        return false;
    return value->address == VOCABULARY_ANY ||
           (value->address >= arc->first &&
            value->address <= arc->last + (value->nearby ? SPAN - 1 : 0));
}

static void see_arc(void *context, const struct graph_arc *arc, uint32_t line)
{
    struct value *value = context;
    if (arc->kind > ARC_WAW || !is_of(value, arc))
        return;
    value->made |= arc->kind == ARC_WAW || (arc->kind == ARC_RAW) == value->from;
    if (arc->kind == ARC_RAW && value->wanted)
        add_line(value, line);
}

static void see_arcs(struct value *value, uint32_t line, bool readers)
{
    value->from = false;
    value->wanted = true;
    buffer_arcs(value->file, line, false, see_arc, value);
    value->from = true;
    value->wanted = readers;
    buffer_arcs(value->file, line, true, see_arc, value);
}

/* Statements that wrote what the line reads at this place, or also those that read what it wrote.
 * Where it only writes the place, it is the one that does. */
static json_t *flow(struct buffer *file, size_t offset, bool readers)
{
    const struct vocabulary *vocabulary = file->machine->language->vocabulary;
    const struct buffer_word word = buffer_word(file, offset);
    struct value value = {.file = file, .address = VOCABULARY_ANY, .list = json_array()};
    study_prove(&file->study);
    if (!file->study.proven)
        return value.list;
    value.graph = &file->study.run->proof.graph;
    if (vocabulary && vocabulary->space)
        value.space = vocabulary->space(word.start + word.at, word.length, &value.address);
    see_arcs(&value, word.line, readers);
    if (json_array_size(value.list))
        return value.list;
    value.nearby = true;
    if (value.address != VOCABULARY_ANY && !value.made)
        see_arcs(&value, word.line, readers);
    else if (value.address != VOCABULARY_ANY && !readers)
        add_line(&value, word.line);
    return value.list;
}

static json_t *names_or_values(struct buffer *file, size_t offset, bool definitions)
{
    struct search search = {
        .file = file, .definitions = definitions, .below = SIZE_MAX, .list = json_array()};
    const bool named = name_at(file, offset, &search);
    if (named && search.mark.numbered)
        buffer_each_mark(file, see_number, &search);
    if (named)
        buffer_each_mark(file, same_name, &search);
    if (search.defined || search.mark.numbered)
        return search.list;
    json_decref(search.list);
    return flow(file, offset, !definitions);
}

json_t *places_definition(struct buffer *file, size_t offset)
{
    return names_or_values(file, offset, true);
}

json_t *places_references(struct buffer *file, size_t offset)
{
    return names_or_values(file, offset, false);
}

/* --- symbols ---------------------------------------------------------------------------------- */

struct symbols {
    struct buffer *file;
    json_t *list;
};

static void add_symbol(void *context, const char *start, uint32_t line,
                       const struct vocabulary_mark *mark)
{
    enum { CONSTANT = 14 };
    struct symbols *symbols = context;
    (void)line;
    if (!mark->defines || mark->numbered)
        return;
    const size_t at = (size_t)(start - symbols->file->document.text) + mark->at;
    json_t *range = buffer_range_of(symbols->file, at, at + mark->length);
    json_array_append_new(symbols->list,
                          json_pack("{s:o,s:i,s:O,s:o}", "name",
                                    json_stringn(start + mark->at, mark->length), "kind", CONSTANT,
                                    "range", range, "selectionRange", range));
}

static void add_region(struct buffer *file, json_t *list, const struct directives *directives,
                       const struct directive_part *part)
{
    enum { NAMESPACE = 3 };
    size_t size;
    const char *first = document_line(&file->document, part->first, &size);
    const size_t from = (size_t)(first - file->document.text), name_end = from + size;
    const char *last = document_line(&file->document, part->last, &size);
    const size_t to = (size_t)(last - file->document.text) + size;
    json_array_append_new(list,
                          json_pack("{s:s,s:i,s:o,s:o}", "name", directives->names[part->region],
                                    "kind", NAMESPACE, "range",
                                    buffer_range_of(file, from, to > name_end ? to : name_end),
                                    "selectionRange", buffer_range_of(file, from, name_end)));
}

json_t *places_symbols(struct buffer *file)
{
    struct symbols symbols = {file, json_array()};
    struct directives directives = {0};
    buffer_study(file);
    const struct takt_program *program = file->study.program;
    if (program && directives_read(&directives, program->sources, 1, NULL) == 0)
        for (size_t i = 0; i < directives.part_count; i++)
            add_region(file, symbols.list, &directives, &directives.parts[i]);
    if (program)
        directives_free(&directives);
    buffer_each_mark(file, add_symbol, &symbols);
    return symbols.list;
}
