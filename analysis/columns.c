#include "analysis/columns.h"

#include <limits.h>
#include <string.h>

#include "functional/text.h"

size_t columns_character(const char *text, int *columns)
{
    const size_t size = text_character(text, strnlen(text, 4));
    *columns = size ? text_columns(text, size) : 1;
    return size ? size : 1;
}

size_t columns_fit(const char *text, int most, int *columns)
{
    size_t bytes = 0;
    for (*columns = 0; text[bytes];) {
        int more;
        const size_t size = columns_character(text + bytes, &more);
        if (more > most - *columns)
            break;
        *columns += more;
        bytes += size;
    }
    return bytes;
}

int columns_of(const char *text)
{
    int columns;
    columns_fit(text, INT_MAX, &columns);
    return columns;
}

int columns_clean(char *text)
{
    for (char *at = text; *at;) {
        const size_t size = text_character(at, strnlen(at, 4));
        if (*at == '\t' || !size)
            *at = (unsigned char)*at < 0x80 ? ' ' : '?';
        at += size ? size : 1;
    }
    return columns_of(text);
}
