/* number: formats numbers for users. */
#ifndef TAKT_HOST_NUMBER_H
#define TAKT_HOST_NUMBER_H

#include <stdint.h>

enum { NUMBER_TEXT = 32 };

/* 1234567 as "1,234,567". Returns text. */
char *number_group(char text[NUMBER_TEXT], int64_t value);
/* 1234567.25 as "1,234,567.25": at most 10 digits; with an exponent where it needs more. Returns
 * text. */
char *number_group_real(char text[NUMBER_TEXT], double value);

#endif
