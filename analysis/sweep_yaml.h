/* sweep_yaml: the document of a sweep, and findings at its nodes; for analysis/sweep_*.c alone. */
#ifndef TAKT_ANALYSIS_SWEEP_YAML_H
#define TAKT_ANALYSIS_SWEEP_YAML_H

#include "analysis/sweep_spec.h"
#include "config/document.h"

struct sweep_yaml {
    const struct source *source;
    struct diag_list *diags;
    yaml_document_t document;
};

/* One document, not deep. Returns 0, after which it is to be closed; 1 with a finding; -1 when
 * memory is out. */
int sweep_yaml_open(struct sweep_yaml *yaml, const struct source *source, struct diag_list *diags);
void sweep_yaml_close(struct sweep_yaml *yaml);

const yaml_node_t *sweep_yaml_node(struct sweep_yaml *yaml, int index);
struct document_span sweep_yaml_place(const struct sweep_yaml *yaml, const yaml_node_t *node);
/* A finding at a place, at a node; they return 1. */
int sweep_yaml_fail_at(struct diag_list *diags, const struct document_span *at, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));
int sweep_yaml_fail(struct sweep_yaml *yaml, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* take for each pair of a mapping, until it returns not 0; what: a sentence for other nodes. */
typedef int sweep_yaml_pair(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                            const yaml_node_t *value);
int sweep_yaml_pairs(struct sweep_yaml *yaml, const yaml_node_t *map, const char *what,
                     sweep_yaml_pair *take, void *context);
/* Texts of a list, or one text. */
int sweep_yaml_texts(struct sweep_yaml *yaml, const yaml_node_t *node, const char *what,
                     struct sweep_values *values);
/* Adds a copy of a scalar. */
int sweep_yaml_add(struct sweep_yaml *yaml, const yaml_node_t *node, struct sweep_values *values);

#endif
