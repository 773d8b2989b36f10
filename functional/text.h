/*
 * text: bytes of the user on a terminal.
 *
 *   bytes --text_character--> one printable UTF-8 character --text_columns--> 0, 1 or 2 columns
 */
#ifndef TAKT_FUNCTIONAL_TEXT_H
#define TAKT_FUNCTIONAL_TEXT_H

#include <stddef.h>

/* Bytes of the character at text, of which `left` bytes follow (1 or more); 0 when there is none
 * that may be printed: no UTF-8, or a control (C0 but tab, DEL, C1). */
size_t text_character(const char *text, size_t left);

/* Columns that a terminal gives to this character, of `size` bytes: East Asian wide ones and emoji
 * take two, combining ones none. */
int text_columns(const char *text, size_t size);

#endif
