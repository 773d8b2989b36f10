/*
 * memory: what a launch sees: pieces of the address space, little-endian.
 *
 *   address, count --ventus_memory_at--> bytes, or NULL when they are not all in one piece
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_MEMORY_H
#define TAKT_FUNCTIONAL_VENTUS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ventus_piece {
    uint32_t base, size; /* size >= 1 */
    uint32_t given;      /* bytes to the end of the last buffer in it */
    uint8_t *bytes;      /* zero when it was added */
    uint8_t *copies;     /* all of them, consecutive; bytes is one */
    size_t room;         /* for big_memory_free */
};

struct ventus_memory {
    struct ventus_piece *pieces;
    size_t count, capacity;
};

/* `count` copies of a piece; the first is in use (ventus_memory_turn). Pieces may not
 * overlap. Returns 0; 1 when this one does, or runs over the end of the addresses;
 * -1 when the host has no memory. */
int ventus_memory_add(struct ventus_memory *memory, uint32_t base, uint64_t size, uint32_t copies);
/* The copy that is to be there of the pieces that have several. */
void ventus_memory_turn(struct ventus_memory *memory, uint32_t copy);
/* Remove the piece that begins at base. */
void ventus_memory_remove(struct ventus_memory *memory, uint32_t base);
void ventus_memory_free(struct ventus_memory *memory);
/* The bytes of a memory with the same pieces. */
void ventus_memory_copy(struct ventus_memory *to, const struct ventus_memory *from);
/* Bytes from an address to the end of the last buffer of its piece. */
uint32_t ventus_memory_given(const struct ventus_memory *memory, uint32_t address);
/* Bytes [base, base + size) are a buffer. */
void ventus_memory_give(struct ventus_memory *memory, uint32_t base, uint64_t size);
uint8_t *ventus_memory_at(const struct ventus_memory *memory, uint32_t address, uint32_t count);

#endif
