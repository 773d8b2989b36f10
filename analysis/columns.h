/*
 * columns: text of the user in a number of columns of a terminal.
 *
 *   text --columns_clean--> printable --columns_fit--> bytes of what fits
 *
 * A byte that begins no printable character counts as a character of one column.
 */
#ifndef TAKT_ANALYSIS_COLUMNS_H
#define TAKT_ANALYSIS_COLUMNS_H

#include <stddef.h>

/* Bytes of the character at text, which is not empty, and the columns that it takes. */
size_t columns_character(const char *text, int *columns);
int columns_of(const char *text);
/* Bytes of the first characters that take at most `most` columns together, and what they take. */
size_t columns_fit(const char *text, int most, int *columns);
/* What cannot be printed becomes '?', and tabs and the like a blank, so that columns stay straight.
 * Returns the columns of all. */
int columns_clean(char *text);

#endif
