/*
 * leaves: pages of a tree that are kept in memory until they can go to the file (traces/pages.h).
 *
 *   struct leaf_pool --leaves_begin--> struct leaves --leaves_add*--> leaves_run*, leaves_free
 *
 * Most trees are small, and some large ones are made at once by two threads. The first leaves of each lie in pieces
 * of a pool that they share: what one tree has given back the next one takes, and it is memory that is there.
 */
#ifndef TAKT_TRACES_LEAVES_H
#define TAKT_TRACES_LEAVES_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { PAGE_SIZE = 4096 };
enum { LEAVES_PIECE = 64, LEAVES_BLOCK = 512 }; /* pages: of a piece of the pool, of what a large tree takes more */

struct leaf_pool {
    pthread_mutex_t mutex;
    struct leaf_piece *spare;
    struct leaf_chunk *chunks;
};

void leaf_pool_begin(struct leaf_pool *pool);
/* Have memory for so many pages there, with nobody waiting for it. Without it, or with less, pieces come as they are
 * asked for. */
void leaf_pool_reserve(struct leaf_pool *pool, size_t pages);
/* Nobody may have leaves of it. The memory goes; more can be asked for. */
void leaf_pool_drop(struct leaf_pool *pool);
/* The same, and the end of the pool. */
void leaf_pool_end(struct leaf_pool *pool);

struct leaves {
    struct leaf_pool *pool; /* NULL: the heap */
    uint8_t **blocks;       /* pieces, then blocks */
    size_t block_count, count;
};

/* The pool has to stand until leaves_free. */
void leaves_begin(struct leaves *leaves, struct leaf_pool *pool);
/* Room for the next page, not cleared; NULL when memory is out. */
uint8_t *leaves_add(struct leaves *leaves);
/* Page `first` (below count), and how many there are from it on, one behind the other. */
const uint8_t *leaves_run(const struct leaves *leaves, size_t first, size_t *count);
/* Gives all back; it is as after leaves_begin. */
void leaves_free(struct leaves *leaves);

#endif
