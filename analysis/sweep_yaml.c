#include "analysis/sweep_yaml.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

/* libyaml counts characters, findings count bytes. */
static const char *after(const char *at, const char *end, size_t characters)
{
    for (size_t k = 0; at < end && k < characters; k++)
        for (at++; at < end && (*at & 0xc0) == 0x80;)
            at++;
    return at;
}

static struct sweep_place place_of(const struct source *source, const yaml_mark_t *from,
                                   const yaml_mark_t *to)
{
    const char *start = source->text, *end = start + source->size;
    for (size_t line = 0; start < end && line < from->line; start++)
        line += *start == '\n';
    const char *at = after(start, end, from->column);
    const bool one_line = to && to->line == from->line && to->column > from->column;
    const char *last = one_line ? after(at, end, to->column - from->column) : at + 1;
    return (struct sweep_place){(uint32_t)from->line + 1, (uint32_t)(at - start) + 1,
                                last > at ? (uint32_t)(last - at) : 1};
}

int sweep_yaml_fail_at(struct diag_list *diags, const struct sweep_place *at, const char *format,
                       ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const struct diag where = {.severity = DIAG_ERROR,
                               .line = at->line,
                               .column = at->column,
                               .length = at->length,
                               .missing_steps = -1,
                               .missing_cycles = -1,
                               .rule = "",
                               .name = ""};
    diag_add(diags, &where, "%s", text);
    return 1;
}

struct sweep_place sweep_yaml_place(const struct sweep_yaml *yaml, const yaml_node_t *node)
{
    return place_of(yaml->source, &node->start_mark, &node->end_mark);
}

int sweep_yaml_fail(struct sweep_yaml *yaml, const yaml_node_t *node, const char *format, ...)
{
    const struct sweep_place at =
        node ? sweep_yaml_place(yaml, node) : (struct sweep_place){1, 1, 1};
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return sweep_yaml_fail_at(yaml->diags, &at, "%s", text);
}

const yaml_node_t *sweep_yaml_node(struct sweep_yaml *yaml, int index)
{
    return yaml_document_get_node(&yaml->document, index);
}

const char *sweep_yaml_text(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

/* --- opening ---------------------------------------------------------------------------------- */

static int refuse(struct sweep_yaml *yaml, const yaml_mark_t *mark, const char *sentence)
{
    const struct sweep_place at = place_of(yaml->source, mark, NULL);
    return sweep_yaml_fail_at(yaml->diags, &at, "%.300s", sentence);
}

/* The loader takes time by the square of what is nested. */
static int check_shape(struct sweep_yaml *yaml, yaml_parser_t *parser)
{
    enum { DEEPEST = 8, MOST = 1 << 21 };
    unsigned depth = 0, documents = 0;
    for (size_t count = 0;; count++) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return parser->error == YAML_MEMORY_ERROR || !parser->problem
                       ? -1
                       : refuse(yaml, &parser->problem_mark, parser->problem);
        const yaml_event_type_t type = event.type;
        const yaml_mark_t mark = event.start_mark;
        yaml_event_delete(&event);
        depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
        depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
        documents += type == YAML_DOCUMENT_START_EVENT;
        if (documents > 1)
            return refuse(yaml, &mark, "a second document");
        if (type == YAML_ALIAS_EVENT)
            return refuse(yaml, &mark, "an alias; write the values out");
        if (depth > DEEPEST || count > MOST)
            return refuse(yaml, &mark, "nested too deep, or too long, for a sweep");
        if (type == YAML_STREAM_END_EVENT)
            return 0;
    }
}

static int load(struct sweep_yaml *yaml, yaml_parser_t *parser)
{
    return yaml_parser_load(parser, &yaml->document) ? 0 : -1;
}

int sweep_yaml_open(struct sweep_yaml *yaml, const struct source *source, struct diag_list *diags)
{
    int (*const passes[])(struct sweep_yaml *, yaml_parser_t *) = {check_shape, load};
    int status = 0;
    *yaml = (struct sweep_yaml){.source = source, .diags = diags};
    for (unsigned i = 0; i < 2 && status == 0; i++) {
        yaml_parser_t parser;
        if (!yaml_parser_initialize(&parser))
            return -1;
        yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->size);
        status = passes[i](yaml, &parser);
        yaml_parser_delete(&parser);
    }
    return status;
}

void sweep_yaml_close(struct sweep_yaml *yaml)
{
    yaml_document_delete(&yaml->document);
}

/* --- reading ---------------------------------------------------------------------------------- */

int sweep_yaml_pairs(struct sweep_yaml *yaml, const yaml_node_t *map, const char *what,
                     sweep_yaml_pair *take, void *context)
{
    int status = 0;
    if (map->type != YAML_MAPPING_NODE)
        return sweep_yaml_fail(yaml, map, "%s", what);
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         status >= 0 && pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = sweep_yaml_node(yaml, pair->key);
        const char *name = sweep_yaml_text(key);
        const int taken = name && *name
                              ? take(yaml, context, key, sweep_yaml_node(yaml, pair->value))
                              : sweep_yaml_fail(yaml, key, "%s", what);
        status = taken < 0 || taken > status ? taken : status;
    }
    return status;
}

int sweep_yaml_add(struct sweep_yaml *yaml, const yaml_node_t *node, struct sweep_values *values)
{
    const char *text = sweep_yaml_text(node);
    struct sweep_value *items =
        grow(values->items, &values->capacity, values->count + 1, sizeof *items);
    if (!items)
        return -1;
    values->items = items;
    items[values->count] = (struct sweep_value){strdup(text), sweep_yaml_place(yaml, node)};
    return items[values->count++].text ? 0 : -1;
}

int sweep_yaml_texts(struct sweep_yaml *yaml, const yaml_node_t *node, const char *what,
                     struct sweep_values *values)
{
    int status = 0;
    if (node->type == YAML_MAPPING_NODE)
        return sweep_yaml_fail(yaml, node, "%s", what);
    if (node->type == YAML_SCALAR_NODE)
        return *sweep_yaml_text(node) ? sweep_yaml_add(yaml, node, values)
                                      : sweep_yaml_fail(yaml, node, "%s", what);
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         status >= 0 && item < node->data.sequence.items.top; item++) {
        const yaml_node_t *each = sweep_yaml_node(yaml, *item);
        const char *text = sweep_yaml_text(each);
        const int taken = text && *text ? sweep_yaml_add(yaml, each, values)
                                        : sweep_yaml_fail(yaml, each, "%s", what);
        status = taken < 0 || taken > status ? taken : status;
    }
    return status || values->count ? status : sweep_yaml_fail(yaml, node, "%s", what);
}
