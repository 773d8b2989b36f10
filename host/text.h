/*
 * text: printing into memory.
 *
 *   FILE *out = text_open(&text, &size);
 *   fprintf(out, ...);
 *   if (text_close(out, &text) != 0)
 *       return -1;                    text is NULL
 *   free(text);
 *
 * Like open_memstream, but reports when memory was out instead of losing text silently.
 */
#ifndef TAKT_HOST_TEXT_H
#define TAKT_HOST_TEXT_H

#include <stdio.h>

/* NULL, and NULL in *text, when memory is out. text and size must live until text_close; they
 * describe the text flushed so far, which ends with NUL. */
FILE *text_open(char **text, size_t *size);
/* 0; or -1, with *text freed and NULL, if out is NULL or memory ran out. */
int text_close(FILE *out, char **text);

#endif
