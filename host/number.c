#include "host/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

char *number_group_real(char text[NUMBER_TEXT], double value)
{
    char plain[NUMBER_TEXT];
    snprintf(plain, sizeof plain, "%.10g", value);
    const size_t sign = *plain == '-', digits = strspn(plain + sign, "0123456789");
    const bool grouped = digits > 3 && !strchr(plain, 'e');
    size_t n = 0;
    for (size_t i = 0; plain[i] && n + 1 < NUMBER_TEXT; i++) {
        const size_t left = i < sign ? 0 : digits - (i - sign);
        if (grouped && i > sign && i < sign + digits && left % 3 == 0 && n + 2 < NUMBER_TEXT)
            text[n++] = ',';
        text[n++] = plain[i];
    }
    text[n] = '\0';
    return text;
}
