#include "analysis/sweep_yaml.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

int sweep_yaml_fail_at(struct diag_list *diags, const struct document_span *at, const char *format,
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
                               .rule = "",
                               .name = ""};
    diag_add(diags, &where, "%s", text);
    return 1;
}

struct document_span sweep_yaml_place(const struct sweep_yaml *yaml, const yaml_node_t *node)
{
    return document_span(yaml->source->text, yaml->source->size, &node->start_mark,
                         &node->end_mark);
}

int sweep_yaml_fail(struct sweep_yaml *yaml, const yaml_node_t *node, const char *format, ...)
{
    const struct document_span at =
        node ? sweep_yaml_place(yaml, node) : (struct document_span){1, 1, 1};
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

/* --- opening ---------------------------------------------------------------------------------- */

int sweep_yaml_open(struct sweep_yaml *yaml, const struct source *source, struct diag_list *diags)
{
    static const struct document_limits limits = {.depth = 8, .events = 1 << 21};
    static const char *const sentences[] = {
        [DOCUMENT_SECOND] = "a second document",
        [DOCUMENT_ALIAS] = "an alias\nwrite the values out",
        [DOCUMENT_DEEP] = "nested too deep, or too long, for a sweep",
        [DOCUMENT_LONG] = "nested too deep, or too long, for a sweep"};
    struct document_error error;
    *yaml = (struct sweep_yaml){.source = source, .diags = diags};
    const int status = document_load(&yaml->document, source->text, source->size, &limits, &error);
    if (status <= 0)
        return status;
    const struct document_span at = document_span(source->text, source->size, &error.at, NULL);
    return sweep_yaml_fail_at(diags, &at, "%.300s",
                              error.fault == DOCUMENT_NO_YAML ? error.problem
                                                              : sentences[error.fault]);
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
        const char *name = document_scalar(key);
        const int taken = name && *name
                              ? take(yaml, context, key, sweep_yaml_node(yaml, pair->value))
                              : sweep_yaml_fail(yaml, key, "%s", what);
        status = taken < 0 || taken > status ? taken : status;
    }
    return status;
}

int sweep_yaml_add(struct sweep_yaml *yaml, const yaml_node_t *node, struct sweep_values *values)
{
    const char *text = document_scalar(node);
    if (!grow_list(&values->items, &values->capacity, values->count + 1, sizeof *values->items))
        return -1;
    values->items[values->count] = (struct sweep_value){strdup(text), sweep_yaml_place(yaml, node)};
    return values->items[values->count++].text ? 0 : -1;
}

int sweep_yaml_texts(struct sweep_yaml *yaml, const yaml_node_t *node, const char *what,
                     struct sweep_values *values)
{
    int status = 0;
    if (node->type == YAML_MAPPING_NODE)
        return sweep_yaml_fail(yaml, node, "%s", what);
    if (node->type == YAML_SCALAR_NODE)
        return *document_scalar(node) ? sweep_yaml_add(yaml, node, values)
                                      : sweep_yaml_fail(yaml, node, "%s", what);
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         status >= 0 && item < node->data.sequence.items.top; item++) {
        const yaml_node_t *each = sweep_yaml_node(yaml, *item);
        const char *text = document_scalar(each);
        const int taken = text && *text ? sweep_yaml_add(yaml, each, values)
                                        : sweep_yaml_fail(yaml, each, "%s", what);
        status = taken < 0 || taken > status ? taken : status;
    }
    return status || values->count ? status : sweep_yaml_fail(yaml, node, "%s", what);
}
