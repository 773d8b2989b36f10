/* intern: the distinct statements of a program, looked up by their text and the mask mode in
 * effect, and the arena for decoded statements. Real programs repeat themselves, so most lines cost
 * one hash and one comparison. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_INTERN_H
#define TAKT_FUNCTIONAL_MNCORE2_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INTERN_NONE UINT32_MAX

struct intern_entry {
    const char *text; /* in its source */
    uint32_t length;
    uint32_t stmt; /* INTERN_NONE: it has errors */
    uint16_t mode; /* mask mode, packed */
    bool noisy;    /* it has findings, which are reported at every occurrence */
};

struct intern {
    struct intern_entry *entries;
    struct intern_slot *slots;
    size_t count, capacity, slot_count;
};

/* Hash of a statement's text; mncore2_intern_find mixes the mask mode in. */
uint32_t mncore2_intern_hash(const char *text, size_t length);
/* Find the entry, or create one with stmt = INTERN_NONE and *fresh set; NULL when memory is out.
 * The pointer is valid until the next call. */
struct intern_entry *mncore2_intern_find(struct intern *intern, uint32_t hash, const char *text,
                                         size_t length, uint16_t mode, bool *fresh);
void mncore2_intern_free(struct intern *intern);

/* An arena. Chunks end with spare bytes, so that a structure with an unallocated unused tail may
 * still be copied whole. */
struct pool {
    struct pool_chunk *chunks;
    char *next, *limit;
    size_t stmt_capacity, item_capacity; /* of program.stmts and program.items */
    uint32_t *first_stmt; /* of each source: to find the source of a d set payload (print.c) */
};

void *mncore2_pool_take(struct pool *pool, size_t size);
void mncore2_pool_free(struct pool *pool);

#endif
