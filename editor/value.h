/*
 * value: what the place that an operand names holds when its line first issues, and what wrote it,
 * by executing the program again (timing/history.h). Nothing for programs that take long.
 */
#ifndef TAKT_EDITOR_VALUE_H
#define TAKT_EDITOR_VALUE_H

#include <stdio.h>

#include "editor/buffer.h"

/* The file is timed. */
void value_say(struct buffer *file, const struct buffer_word *word, FILE *out);

#endif
