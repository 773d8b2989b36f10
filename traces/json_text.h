/*
 * json_text: one JSON string on a stream, for answers too large to be built in memory.
 *
 * Bytes that are not UTF-8 become U+FFFD, so that the result is valid for any program text.
 */
#ifndef TAKT_TRACES_JSON_TEXT_H
#define TAKT_TRACES_JSON_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* With its quotes. */
void json_text(FILE *out, const char *text, size_t size);

/* Length of the valid UTF-8 sequence at text, or 0. */
size_t json_text_utf8(const char *text, size_t size);

/* A number: as an integer when it is one; null when it is not finite. */
void json_text_real(FILE *out, double value);

#endif
