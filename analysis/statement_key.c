#include "analysis/statement_key.h"

#include <stdbool.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

uint64_t statement_key(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *at = text, *end = text + length; at < end;) {
        char c = *at++;
        if (is_digit(c)) {
            c = '#';
            while (at < end && (is_digit(*at) || (*at >= 'a' && *at <= 'f') || *at == 'x'))
                at++;
        }
        hash = (hash ^ (unsigned char)c) * UINT64_C(1099511628211);
    }
    return hash;
}
