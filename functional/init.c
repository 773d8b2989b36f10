#include "functional/init.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int init_parse(struct init *init, const char *text, char *error, size_t error_size)
{
    static const char random[] = "random:";
    const size_t prefix = sizeof random - 1;
    *init = (struct init){INIT_ZERO, 0};
    if (!text || strcmp(text, "zero") == 0)
        return 0;
    if (strcmp(text, "pattern") == 0) {
        init->kind = INIT_PATTERN;
        return 0;
    }
    if (strncmp(text, random, prefix) != 0) {
        snprintf(error, error_size, "--init takes zero, pattern or random:SEED, not '%.60s'", text);
        return 1;
    }
    char *end;
    const char *number = text + prefix;
    init->kind = INIT_RANDOM;
    errno = 0;
    init->seed = strtoull(number, &end, 0);
    if (errno || *end || *number < '0' || *number > '9') {
        snprintf(error, error_size, "--init random:SEED needs a number, not '%.60s'", number);
        return 1;
    }
    return 0;
}
