/* reader: what the files that read a chip file share; for config/ alone. */
#ifndef TAKT_CONFIG_READER_H
#define TAKT_CONFIG_READER_H

#include "config/config.h"
#include "config/document.h"

struct config_reader {
    struct config *config;
    const char *name;
    char *error;
    size_t error_size;
    yaml_document_t document;
    bool overlay;
};

/* "FILE:LINE:COLUMN: error: sentence" into r->error; returns 1. */
int config_fail(struct config_reader *r, const yaml_mark_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Decimal or 0x integer, or a real; the whole text must be the number. */
bool config_digits(const char *text, double *value);

/* joint.c */
void config_free_joint(struct config_joint *joint);
/* New ranges of a parameter make settings that were found with the old ones void. */
void config_drop_joint(struct config *config, const struct param *param);
int config_read_joint(struct config_reader *r, const yaml_node_t *map);

#endif
