#include "functional/ventus/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool number(char **at, uint64_t *value)
{
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *value = strtoull(*at, at, 0);
    return !errno;
}

int ventus_place_parse(const char *spec, bool counted, struct ventus_place_words *place,
                       char *error, size_t error_size)
{
    char *at = (char *)spec + 2;
    *place = (struct ventus_place_words){.count = 0};
    bool fine = spec[0] == 'm' && spec[1] == ':' && number(&at, &place->address);
    if (fine && *at == '+') {
        at++;
        fine = number(&at, &place->count) && place->count;
    } else if (counted) {
        fine = false;
    }
    if (fine && !*at)
        return 0;
    snprintf(error, error_size, "'%s' is not what --%s takes: m:ADDRESS%s in 64-bit words", spec,
             counted ? "save" : "load", counted ? "+COUNT" : "");
    return 1;
}

uint8_t *ventus_place_find(const struct ventus_memory *memory,
                           const struct ventus_place_words *place, uint64_t *count, char *error,
                           size_t error_size)
{
    for (size_t i = 0; i < memory->count; i++) {
        const struct ventus_piece *p = &memory->pieces[i];
        const uint64_t end = (uint64_t)p->base + p->size, at = place->address * 8;
        if (place->address >> 29 || at < p->base || at >= end)
            continue;
        const uint64_t most = (end - at) / 8;
        if (place->count > most)
            break;
        *count = place->count ? place->count : most;
        return p->bytes + (at - p->base);
    }
    snprintf(error, error_size, "no buffer holds all words from m:0x%llx on",
             (unsigned long long)place->address);
    return NULL;
}
