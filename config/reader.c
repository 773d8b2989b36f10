#include "config/reader.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int config_fail(struct config_reader *r, const yaml_mark_t *at, const char *format, ...)
{
    char sentence[400];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    snprintf(r->error, r->error_size, "%.300s:%zu:%zu: error: %s", r->name, at->line + 1,
             at->column + 1, sentence);
    return 1;
}

size_t config_row(const struct config *config, const char *name)
{
    size_t i = 0;
    while (i < config->count && strcmp(config->rows[i].name, name) != 0)
        i++;
    return i;
}

bool config_digits(const char *text, double *value)
{
    char *end;
    errno = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        const unsigned long long integer = strtoull(text, &end, 16);
        if (errno || *end || end == text + 2 || integer > (1ull << 53))
            return false;
        *value = (double)integer;
        return true;
    }
    if (!(isdigit((unsigned char)text[0]) || text[0] == '-' || text[0] == '.'))
        return false;
    *value = strtod(text, &end);
    return !errno && end != text && !*end && isfinite(*value);
}
