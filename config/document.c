#include "config/document.h"

#include <string.h>

#include "host/failure.h"

/* A parser without a sentence ran out of memory, even where its error says something else. */
static int no_yaml(const yaml_parser_t *parser, struct document_error *error)
{
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem) {
        failure_memory(NULL);
        return -1;
    }
    /* Of the second of two anchors the problem alone says "second occurrence". */
    const bool twice = strcmp(parser->problem, "second occurrence") == 0;
    *error = (struct document_error){DOCUMENT_NO_YAML, parser->problem_mark,
                                     twice ? "found duplicate anchor" : parser->problem};
    return 1;
}

static int check_shape(yaml_parser_t *parser, const struct document_limits *limits,
                       struct document_error *error)
{
    unsigned depth = 0, documents = 0;
    for (size_t count = 0;; count++) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return no_yaml(parser, error);
        const yaml_event_type_t type = event.type;
        error->at = event.start_mark;
        yaml_event_delete(&event);
        depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
        depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
        documents += type == YAML_DOCUMENT_START_EVENT;
        if (documents > 1 || (type == YAML_ALIAS_EVENT && !limits->aliases) ||
            depth > limits->depth || count > limits->events) {
            error->fault = documents > 1                                  ? DOCUMENT_SECOND
                           : type == YAML_ALIAS_EVENT && !limits->aliases ? DOCUMENT_ALIAS
                           : depth > limits->depth                        ? DOCUMENT_DEEP
                                                                          : DOCUMENT_LONG;
            return 1;
        }
        if (type == YAML_STREAM_END_EVENT)
            return 0;
    }
}

int document_load(yaml_document_t *document, const char *text, size_t size,
                  const struct document_limits *limits, struct document_error *error)
{
    int status = 0;
    for (unsigned pass = 0; pass < 2 && status == 0; pass++) {
        yaml_parser_t parser;
        if (!yaml_parser_initialize(&parser)) {
            failure_memory(NULL);
            return -1;
        }
        yaml_parser_set_input_string(&parser, (const unsigned char *)(text ? text : ""), size);
        if (pass == 0)
            status = check_shape(&parser, limits, error);
        else
            status = yaml_parser_load(&parser, document) ? 0 : no_yaml(&parser, error);
        yaml_parser_delete(&parser);
    }
    return status;
}

const char *document_scalar(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static const char *after(const char *at, const char *end, size_t characters)
{
    for (size_t k = 0; at < end && k < characters; k++)
        for (at++; at < end && (*at & 0xc0) == 0x80;)
            at++;
    return at;
}

struct document_span document_span(const char *text, size_t size, const yaml_mark_t *from,
                                   const yaml_mark_t *to)
{
    const char *start = text, *end = text + size;
    for (size_t line = 0; start < end && line < from->line; start++)
        line += *start == '\n';
    const char *at = after(start, end, from->column);
    const bool one_line = to && to->line == from->line && to->column > from->column;
    const char *last = one_line ? after(at, end, to->column - from->column) : at + 1;
    return (struct document_span){(uint32_t)from->line + 1, (uint32_t)(at - start) + 1,
                                  last > at ? (uint32_t)(last - at) : 1};
}
