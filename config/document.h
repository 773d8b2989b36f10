/*
 * document: a text as one YAML document, of a depth and a length that its reader needs. One beyond
 * them is refused before libyaml loads it, which takes time by the square of what is nested or has
 * anchors.
 */
#ifndef TAKT_CONFIG_DOCUMENT_H
#define TAKT_CONFIG_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yaml.h>

struct document_limits {
    unsigned depth;
    size_t events;
    bool aliases; /* it may have some */
};

enum document_fault {
    DOCUMENT_NO_YAML,
    DOCUMENT_SECOND, /* it is another one after the first */
    DOCUMENT_ALIAS,
    DOCUMENT_DEEP,
    DOCUMENT_LONG
};

struct document_error {
    enum document_fault fault;
    yaml_mark_t at;
    const char *problem; /* of DOCUMENT_NO_YAML: libyaml's sentence */
};

/* Returns 0, after which it is to be deleted; 1 with an error; -1 when memory is out. */
int document_load(yaml_document_t *document, const char *text, size_t size,
                  const struct document_limits *limits, struct document_error *error);

/* A place for a finding: line and column from 1, in bytes; libyaml counts characters. */
struct document_span {
    uint32_t line, column, length;
};
/* to: the end, NULL or in another line: one byte. */
struct document_span document_span(const char *text, size_t size, const yaml_mark_t *from,
                                   const yaml_mark_t *to);

/* The text of a scalar; NULL for other nodes, and for NULL. */
const char *document_scalar(const yaml_node_t *node);

#endif
