/* words: --load, --save, put and get: 64-bit words of the state. */
#include "functional/words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functional/kelvin/exec_state.h"

struct place {
    char file;          /* m, x or v */
    bool counted;       /* +COUNT is written */
    uint64_t at, count; /* words of memory or of v; of x: registers */
    const char *symbol; /* m:SYMBOL: its name ... */
    size_t symbol_length;
};

static uint64_t words_of(char file)
{
    return file == 'm' ? KELVIN_MEMORY / 8 : file == 'v' ? KELVIN_REGISTERS * KELVIN_BYTES / 8 : 32;
}

static bool number(char **at, uint64_t *value)
{
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *value = strtoull(*at, at, 0);
    return !errno;
}

static bool read_place(const char *spec, struct place *place)
{
    char *at = (char *)spec + 1;
    uint64_t offset = 0;
    *place = (struct place){.file = spec[0]};
    if (spec[0] == 'm' && *at++ == ':') {
        if (!number(&at, &place->at)) {
            place->symbol = at;
            place->symbol_length = strcspn(at, "+");
            at += place->symbol_length;
            if (!place->symbol_length)
                return false;
        }
    } else if ((spec[0] == 'v' || spec[0] == 'x') && *at++ == '@') {
        if (!number(&at, &place->at) || place->at >= words_of(spec[0]))
            return false;
        place->at *= spec[0] == 'v' ? KELVIN_BYTES / 8 : 1;
        if (*at == ':') {
            at++;
            if (!number(&at, &offset) || (spec[0] == 'x' && offset))
                return false;
        }
    } else {
        return false;
    }
    place->at = offset > words_of(place->file) ? words_of(place->file) : place->at + offset;
    if (*at == '+') {
        at++;
        place->counted = number(&at, &place->count) && place->count;
        if (!place->counted)
            return false;
    }
    return !*at;
}

static int parse(const char *spec, bool save, struct place *place, char *error, size_t size)
{
    if (!read_place(spec, place)) {
        snprintf(
            error, size,
            "'%.100s' is not what --%s takes: m:ADDRESS in 64-bit words, m:SYMBOL, x@N, v@N or "
            "v@N:WORD%s",
            spec, save ? "save" : "load", save ? ", with +COUNT words" : "");
        return 1;
    }
    if (!place->counted && save && place->file == 'm') {
        snprintf(error, size, "'%.100s' does not say how many words: +COUNT", spec);
        return 1;
    }
    if (!place->symbol && (place->at >= words_of(place->file) ||
                           (place->counted && place->count > words_of(place->file) - place->at))) {
        snprintf(error, size, "'%.100s' is beyond the %s", spec,
                 place->file == 'm' ? "memory" : "registers");
        return 1;
    }
    return 0;
}

int kelvin_exec_spec(const char *spec, bool save, char *error, size_t error_size)
{
    struct place place;
    return parse(spec, save, &place, error, error_size);
}

static int find(const struct kelvin_exec *exec, const char *spec, bool save, struct place *place,
                char *error, size_t size)
{
    if (parse(spec, save, place, error, size) != 0)
        return 1;
    uint32_t address;
    if (place->symbol) {
        if (!kelvin_program_address(exec->program, place->symbol, place->symbol_length, &address) ||
            address % 8 || address >= KELVIN_MEMORY) {
            snprintf(error, size, "'%.100s' names no label at a multiple of 8 in memory", spec);
            return 1;
        }
        place->at = address / 8;
    }
    const uint64_t room = words_of(place->file) - place->at;
    if (!place->counted)
        place->count = !save ? room : place->file == 'v' ? KELVIN_BYTES / 8 : 1;
    if (place->count <= room)
        return 0;
    snprintf(error, size, "'%.100s' is beyond the %s", spec,
             place->file == 'm' ? "memory" : "registers");
    return 1;
}

/* The words as bytes in the state; of x a copy of them. */
static uint8_t *bytes_of(const struct kelvin_exec *exec, const struct place *place,
                         uint8_t copy[32 * 8])
{
    if (place->file == 'm')
        return exec->memory.bytes + 8 * place->at;
    if (place->file == 'v')
        return (uint8_t *)exec->state.vector.v[0].b + 8 * place->at;
    memset(copy, 0, 32 * 8);
    for (uint64_t i = 0; i < place->count; i++)
        for (unsigned k = 0; k < 4; k++)
            copy[8 * i + k] = (uint8_t)(exec->state.x[place->at + i] >> 8 * k);
    return copy;
}

static void put_back(struct kelvin_exec *exec, const struct place *place, const uint8_t *copy)
{
    for (uint64_t i = 0; place->file == 'x' && i < place->count; i++)
        if (place->at + i) {
            uint32_t value = 0;
            for (unsigned k = 0; k < 4; k++)
                value |= (uint32_t)copy[8 * i + k] << 8 * k;
            exec->state.x[place->at + i] = value;
        }
}

int kelvin_exec_load(struct kelvin_exec *exec, const char *spec, const char *path, bool big,
                     char *error, size_t error_size)
{
    struct place place;
    uint8_t copy[32 * 8];
    int status = find(exec, spec, false, &place, error, error_size);
    if (status == 0) {
        uint8_t *bytes = bytes_of(exec, &place, copy);
        status = words_load(path, big, bytes, place.count, error, error_size);
        put_back(exec, &place, bytes);
    }
    return status;
}

int kelvin_exec_save(const struct kelvin_exec *exec, const char *spec, const char *path, bool big,
                     char *error, size_t error_size)
{
    struct place place;
    uint8_t copy[32 * 8];
    const int status = find(exec, spec, true, &place, error, error_size);
    return status ? status
                  : words_save(path, big, bytes_of(exec, &place, copy), place.count, error,
                               error_size);
}

/* A place that so many words fit into. */
static int find_words(const struct kelvin_exec *exec, const char *spec, size_t count,
                      struct place *place, char *error, size_t size)
{
    const int status = find(exec, spec, false, place, error, size);
    if (status != 0 || (place->counted ? count == place->count : count <= place->count)) {
        place->count = count;
        return status;
    }
    snprintf(error, size, "%.100s: %zu words are given, not %s%llu", spec, count,
             place->counted ? "" : "at most ", (unsigned long long)place->count);
    return 1;
}

int kelvin_exec_put(struct kelvin_exec *exec, const char *spec, const uint64_t *words, size_t count,
                    char *error, size_t error_size)
{
    struct place place;
    uint8_t copy[32 * 8];
    const int status = find_words(exec, spec, count, &place, error, error_size);
    if (status != 0)
        return status;
    uint8_t *bytes = bytes_of(exec, &place, copy);
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 8; k++)
            bytes[8 * i + k] = (uint8_t)(words[i] >> 8 * k);
    put_back(exec, &place, bytes);
    return 0;
}

int kelvin_exec_get(const struct kelvin_exec *exec, const char *spec, uint64_t *words, size_t count,
                    char *error, size_t error_size)
{
    struct place place;
    uint8_t copy[32 * 8];
    const int status = find_words(exec, spec, count, &place, error, error_size);
    if (status != 0)
        return status;
    const uint8_t *bytes = bytes_of(exec, &place, copy);
    for (size_t i = 0; i < count; i++) {
        words[i] = 0;
        for (unsigned k = 0; k < 8; k++)
            words[i] |= (uint64_t)bytes[8 * i + k] << 8 * k;
    }
    return 0;
}
