/*
 * text: the user's bytes as printed on a terminal.
 *
 *   bytes --text_character--> one printable UTF-8 character --text_columns--> 0, 1 or 2 columns
 */
#ifndef TAKT_FUNCTIONAL_TEXT_H
#define TAKT_FUNCTIONAL_TEXT_H

#include <stddef.h>

/* Size in bytes of the character at text, where `left` bytes follow (1 or more); 0 if it may not be
 * printed: invalid UTF-8, or a control character (C0 except tab, DEL, C1). */
size_t text_character(const char *text, size_t left);

/* Terminal columns of this character of `size` bytes: two for East Asian wide ones and emoji, none
 * for combining ones. */
int text_columns(const char *text, size_t size);

#endif
