#include "functional/place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functional/words.h"

static bool number(const char **at, uint64_t *value)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *value = strtoull(*at, &end, 0);
    *at = end;
    return !errno;
}

static bool read_place(const struct place_rules *rules, const char *spec, bool save,
                       struct place *place)
{
    const char *at = spec + strcspn(spec, "@:+");
    bool addressed = false;
    *place = (struct place){.file = spec, .file_length = (size_t)(at - spec)};
    const bool memory = place->file_length == 1 && *spec == 'm';
    if (at == spec || (rules->files && (at != spec + 1 || !strchr(rules->files, *spec))))
        return false;
    if (*at == '@' && !memory) {
        at++;
        place->indexed = number(&at, &place->index);
        if (!place->indexed)
            return false;
    }
    if (*at == ':') {
        at++;
        addressed = number(&at, &place->at);
        if (!addressed && rules->symbols && memory) {
            place->symbol = at;
            place->symbol_length = strcspn(at, "+");
            at += place->symbol_length;
            addressed = place->symbol_length > 0;
        }
        if (!addressed)
            return false;
    }
    if (*at == '+') {
        at++;
        place->counted = number(&at, &place->count) && place->count;
        if (!place->counted)
            return false;
    }
    const bool whole = rules->registers && place->indexed;
    return !*at && (addressed || whole) && (place->indexed || memory || !rules->registers) &&
           (place->counted || whole || !save);
}

int place_beyond(const char *spec, const char *what, char *error, size_t error_size)
{
    snprintf(error, error_size, "'%.100s' is beyond the %s", spec, what);
    return 1;
}

static int find(const struct place_owner *owner, const char *spec, bool save, struct place *place,
                char *error, size_t error_size)
{
    if (!read_place(owner->rules, spec, save, place)) {
        snprintf(error, error_size, "'%.100s' is not what --%s takes: %s%s", spec,
                 save ? "save" : "load", owner->rules->takes, save ? ", with +COUNT words" : "");
        return 1;
    }
    if (owner->find(owner->machine, spec, place, error, error_size) != 0)
        return 1;
    const uint64_t offset = place->at - place->first;
    const bool inside = place->at >= place->first && offset < place->words;
    if (!place->counted && inside)
        place->count = save ? place->usual : place->words - offset;
    if (!inside || place->count > place->words - offset)
        return place_beyond(spec, *spec == 'm' ? "memory" : "words that are there", error,
                            error_size);
    if (place->bytes)
        place->bytes += 8 * offset;
    return 0;
}

int place_check(const struct place_owner *owner, const char *spec, bool save, char *error,
                size_t error_size)
{
    struct place place;
    return find(owner, spec, save, &place, error, error_size);
}

int place_find(const struct place_owner *owner, const char *spec, uint64_t most,
               struct place *place, char *error, size_t error_size)
{
    if (!read_place(owner->rules, spec, false, place)) {
        snprintf(error, error_size, "'%.100s' is not a place: %s, with +COUNT words", spec,
                 owner->rules->takes);
        return 1;
    }
    const bool whole = !place->counted && place->indexed && !strchr(spec, ':');
    if (find(owner, spec, false, place, error, error_size) != 0)
        return 1;
    if (!place->counted)
        place->count = whole ? place->usual : 1;
    if (place->count <= most)
        return 0;
    snprintf(error, error_size, "'%.100s' has %llu words; a place is %llu at most", spec,
             (unsigned long long)place->count, (unsigned long long)most);
    return 1;
}

int place_load(const struct place_owner *owner, const char *spec, const char *path, bool big,
               char *error, size_t error_size)
{
    struct place place;
    int status = find(owner, spec, false, &place, error, error_size);
    if (status == 0)
        status = words_load(path, big, place.bytes, place.count, error, error_size);
    return status == 0 && owner->written ? owner->written(owner->machine, &place) : status;
}

int place_save(const struct place_owner *owner, const char *spec, const char *path, bool big,
               char *error, size_t error_size)
{
    struct place place;
    const int status = find(owner, spec, true, &place, error, error_size);
    return status ? status : words_save(path, big, place.bytes, place.count, error, error_size);
}

/* Find a place that holds exactly (with +COUNT) or at least `count` words. */
static int find_words(const struct place_owner *owner, const char *spec, size_t count,
                      struct place *place, char *error, size_t error_size)
{
    const int status = find(owner, spec, false, place, error, error_size);
    if (status != 0 || (place->counted ? count == place->count : count <= place->count)) {
        place->count = count;
        return status;
    }
    snprintf(error, error_size, "%.100s: %zu words are given, not %s%llu", spec, count,
             place->counted ? "" : "at most ", (unsigned long long)place->count);
    return 1;
}

int place_put(const struct place_owner *owner, const char *spec, const uint64_t *words,
              size_t count, char *error, size_t error_size)
{
    struct place place;
    const int status = find_words(owner, spec, count, &place, error, error_size);
    for (size_t i = 0; status == 0 && i < count; i++)
        for (unsigned k = 0; k < 8; k++)
            place.bytes[8 * i + k] = (uint8_t)(words[i] >> 8 * k);
    return status == 0 && owner->written ? owner->written(owner->machine, &place) : status;
}

void place_words(const struct place *place, uint64_t *words)
{
    for (size_t i = 0; i < place->count; i++) {
        words[i] = 0;
        for (unsigned k = 0; k < 8; k++)
            words[i] |= (uint64_t)place->bytes[8 * i + k] << 8 * k;
    }
}

int place_get(const struct place_owner *owner, const char *spec, uint64_t *words, size_t count,
              char *error, size_t error_size)
{
    struct place place;
    const int status = find_words(owner, spec, count, &place, error, error_size);
    if (status == 0)
        place_words(&place, words);
    return status;
}
