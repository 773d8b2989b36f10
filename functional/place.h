/*
 * place: what --load, --save, put and get name: 64-bit words of the state.
 *
 *     m:ADDRESS    m:SYMBOL    TENSOR:ADDRESS    x@N    v@N:WORD    with +COUNT or without
 *
 *   spec --place_load, place_save, place_put, place_get--> words of the state
 *
 * A machine says which files there are, and where their words stand.
 */
#ifndef TAKT_FUNCTIONAL_PLACE_H
#define TAKT_FUNCTIONAL_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place {
    const char *file; /* "m", "x", the name of a tensor: file_length bytes of the spec */
    size_t file_length;
    const char *symbol; /* in place of the address; NULL: none */
    size_t symbol_length;
    uint64_t index, at, count; /* @N; words */
    bool indexed, counted;
    /* Of find. */
    uint64_t first, words; /* of the file: address of its first word, how many there are */
    uint64_t usual;        /* those meant by --save of a register without +COUNT */
    uint8_t *bytes;        /* of the first word, little-endian */
};

struct place_rules {
    const char *takes; /* for people: "m:ADDRESS in 64-bit words or x@N" */
    const char *files; /* a letter each, of which m is memory and has no @N; NULL: any name */
    bool symbols;      /* m: an address may be a name */
    bool registers;    /* the other files have an @N and need no address and no +COUNT */
};

struct place_owner {
    const struct place_rules *rules;
    void *machine; /* NULL: only whether there may be such a place is asked */
    /* What the file is, and with an index or a symbol the address. Returns 0, or 1 with a
     * sentence. */
    int (*find)(void *machine, const char *spec, struct place *place, char *error,
                size_t error_size);
    /* Words have been written there; or NULL. Returns 0, or -1 when the host has no memory. */
    int (*written)(void *machine, const struct place *place);
};

/* Whether there may be such a place for --save, or --load: 0, or 1 with a sentence. */
int place_check(const struct place_owner *owner, const char *spec, bool save, char *error,
                size_t error_size);
/* The sentence of a place that lies beyond something; 1. */
int place_beyond(const char *spec, const char *what, char *error, size_t error_size);

/* Files of words, and words: exactly as many as +COUNT says, else as many as there are at most.
 * Returns 0; 1 with a sentence; -1 with one when the host failed. */
int place_load(const struct place_owner *owner, const char *spec, const char *path, bool big,
               char *error, size_t error_size);
int place_save(const struct place_owner *owner, const char *spec, const char *path, bool big,
               char *error, size_t error_size);
int place_put(const struct place_owner *owner, const char *spec, const uint64_t *words,
              size_t count, char *error, size_t error_size);
int place_get(const struct place_owner *owner, const char *spec, uint64_t *words, size_t count,
              char *error, size_t error_size);

#endif
