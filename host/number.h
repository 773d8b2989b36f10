/* number: formats whole numbers for users. */
#ifndef TAKT_HOST_NUMBER_H
#define TAKT_HOST_NUMBER_H

#include <stdint.h>

enum { NUMBER_TEXT = 32 };

/* 1234567 as "1,234,567". Returns text. */
char *number_group(char text[NUMBER_TEXT], int64_t value);

#endif
