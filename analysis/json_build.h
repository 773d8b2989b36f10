/*
 * json_build: objects and lists of JSON whose length a run decides. Without memory the object or
 * list becomes NULL; json_pack and these functions hand that on, so only the root is checked.
 */
#ifndef TAKT_ANALYSIS_JSON_BUILD_H
#define TAKT_ANALYSIS_JSON_BUILD_H

#include <jansson.h>
#include <stdint.h>

/* value: taken. */
void build_field(json_t **object, const char *key, json_t *value);
void build_row(json_t **list, json_t *value);
json_t *build_count(uint64_t value);

#endif
