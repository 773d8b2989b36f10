/*
 * text: the user's bytes as printed on a terminal.
 *
 *   bytes --text_character--> one printable UTF-8 character --text_columns--> 0, 1 or 2 columns
 *
 * Whatever is printed for people and may have names or texts from outside goes through text_put or
 * text_print: a terminal gets no control characters from them.
 */
#ifndef TAKT_FUNCTIONAL_TEXT_H
#define TAKT_FUNCTIONAL_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Size in bytes of the character at text, where `left` bytes follow (1 or more); 0 if it may not be
 * printed: invalid UTF-8, a control character (C0 except tab, DEL, C1), or one that turns the
 * direction of text. */
size_t text_character(const char *text, size_t left);

/* Terminal columns of this character of `size` bytes: two for East Asian wide ones and emoji, none
 * for combining ones. */
int text_columns(const char *text, size_t size);

/* Print a text; '?' replaces each byte that may not be printed. */
void text_put(FILE *out, const char *text, size_t length);
/* As fprintf, with the same for the arguments: lines end where the format says so, and a tab is a
 * blank. */
void text_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
