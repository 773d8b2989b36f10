/*
 * utf8_json: a text of the user as a JSON string. File names and programs may hold any bytes, JSON
 * takes UTF-8 only: any other byte becomes '?'.
 */
#ifndef TAKT_ANALYSIS_UTF8_JSON_H
#define TAKT_ANALYSIS_UTF8_JSON_H

#include <jansson.h>

/* JSON null of NULL; NULL without memory. */
json_t *utf8_json(const char *text);

#endif
