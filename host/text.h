/*
 * text: what is printed into memory.
 *
 *   FILE *out = text_open(&text, &size);
 *   fprintf(out, ...);
 *   if (text_close(out, &text) != 0)
 *       return -1;                    text is NULL
 *   free(text);
 *
 * As open_memstream, which loses what finds no memory and does not say so.
 */
#ifndef TAKT_HOST_TEXT_H
#define TAKT_HOST_TEXT_H

#include <stdio.h>

/* NULL, and NULL in *text, when memory is out. Both stand until text_close, and say what was
 * flushed; text ends with NUL. */
FILE *text_open(char **text, size_t *size);
/* 0; or -1, with *text freed and NULL, when out is NULL or something found no memory. */
int text_close(FILE *out, char **text);

#endif
