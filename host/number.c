#include "host/number.h"

#include <inttypes.h>
#include <stdio.h>

char *number_group(char text[NUMBER_TEXT], int64_t value)
{
    char digits[NUMBER_TEXT];
    const int n =
        snprintf(digits, sizeof digits, "%" PRIu64, value < 0 ? -(uint64_t)value : (uint64_t)value);
    char *at = text;
    if (value < 0)
        *at++ = '-';
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}
