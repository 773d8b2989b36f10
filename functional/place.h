/*
 * place: the places of --load, --save, put and get: 64-bit words of the state.
 *
 *     m:ADDRESS    m:SYMBOL    TENSOR:ADDRESS    x@N    v@N:WORD    with +COUNT or without
 *
 *   spec --place_load, place_save, place_put, place_get--> words of the state
 *
 * A machine defines which files exist and where their words are stored.
 */
#ifndef TAKT_FUNCTIONAL_PLACE_H
#define TAKT_FUNCTIONAL_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place {
    const char *file; /* "m", "x", the name of a tensor: the first file_length bytes of the spec */
    size_t file_length;
    const char *symbol; /* given instead of an address, or NULL */
    size_t symbol_length;
    uint64_t index, at, count; /* @N; address and count in words */
    bool indexed, counted;
    /* Filled by find. */
    uint64_t first, words; /* of the file: address of its first word, and number of words */
    uint64_t usual;        /* words saved by --save of a register without +COUNT */
    uint8_t *bytes;        /* storage of the first word, little-endian */
};

struct place_rules {
    const char *takes; /* for messages: "m:ADDRESS in 64-bit words or x@N" */
    const char *files; /* one letter per file; m is memory and has no @N; NULL: any name */
    bool symbols;      /* m: symbols are allowed as addresses */
    bool registers;    /* other files have an @N; address and +COUNT are optional */
};

struct place_owner {
    const struct place_rules *rules;
    void *machine; /* NULL: only the syntax is checked */
    /* Resolve the file, and with an index or a symbol the address. Returns 0, or 1 with a
     * message. */
    int (*find)(void *machine, const char *spec, struct place *place, char *error,
                size_t error_size);
    /* Called after words were written; may be NULL. Returns 0, or -1 when memory is out. */
    int (*written)(void *machine, const struct place *place);
};

/* Check the syntax of a spec for --save, or --load: 0, or 1 with a message. */
int place_check(const struct place_owner *owner, const char *spec, bool save, char *error,
                size_t error_size);
/* Resolve the place of a history: +COUNT words, else a whole register (`usual`), or one word. As
 * place_get; more than `most` words are refused. */
int place_find(const struct place_owner *owner, const char *spec, uint64_t most,
               struct place *place, char *error, size_t error_size);
/* The words of a place that is found. */
void place_words(const struct place *place, uint64_t *words);
/* Write the message for a place beyond the end of something; returns 1. */
int place_beyond(const char *spec, const char *what, char *error, size_t error_size);

/* Load or save words from or to a file, or put or get them: exactly +COUNT words, else at most as
 * many as exist. Returns 0; 1 with a message; -1 with one when the host failed. */
int place_load(const struct place_owner *owner, const char *spec, const char *path, bool big,
               char *error, size_t error_size);
int place_save(const struct place_owner *owner, const char *spec, const char *path, bool big,
               char *error, size_t error_size);
int place_put(const struct place_owner *owner, const char *spec, const uint64_t *words,
              size_t count, char *error, size_t error_size);
int place_get(const struct place_owner *owner, const char *spec, uint64_t *words, size_t count,
              char *error, size_t error_size);

#endif
