#include "traces/leaves.h"

#include <stdbool.h>
#include <stdlib.h>

#include "host/big_memory.h"

enum { PIECES = LEAVES_BLOCK / LEAVES_PIECE };

static const size_t piece_bytes = (size_t)LEAVES_PIECE * PAGE_SIZE,
                    block_bytes = (size_t)LEAVES_BLOCK * PAGE_SIZE;

/* --- the pool ----------------------------------------------------------------------------------- */

/* What a piece that nobody has begins with. */
struct leaf_piece {
    struct leaf_piece *next;
};

struct leaf_chunk {
    uint8_t *memory; /* PIECES pieces */
    struct leaf_chunk *next;
};

void leaf_pool_begin(struct leaf_pool *pool)
{
    *pool = (struct leaf_pool){.spare = NULL};
    pthread_mutex_init(&pool->mutex, NULL);
}

void leaf_pool_drop(struct leaf_pool *pool)
{
    for (struct leaf_chunk *chunk = pool->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        big_memory_free(chunk->memory, block_bytes);
        free(chunk);
    }
    pool->chunks = NULL;
    pool->spare = NULL;
}

void leaf_pool_end(struct leaf_pool *pool)
{
    leaf_pool_drop(pool);
    pthread_mutex_destroy(&pool->mutex);
}

static void put_back(struct leaf_pool *pool, uint8_t *memory)
{
    struct leaf_piece *piece = (void *)memory;
    piece->next = pool->spare;
    pool->spare = piece;
}

static bool add_chunk(struct leaf_pool *pool, uint8_t *memory)
{
    struct leaf_chunk *chunk = memory ? malloc(sizeof *chunk) : NULL;
    if (!chunk) {
        big_memory_free(memory, block_bytes);
        return false;
    }
    *chunk = (struct leaf_chunk){memory, pool->chunks};
    pool->chunks = chunk;
    for (unsigned i = PIECES; i-- > 0;) {
        put_back(pool, memory + i * piece_bytes);
    }
    return true;
}

void leaf_pool_reserve(struct leaf_pool *pool, size_t pages)
{
    bool fine = true;
    for (size_t there = 0; fine && there < pages; there += LEAVES_BLOCK) {
        uint8_t *memory = big_memory_touched(block_bytes);
        pthread_mutex_lock(&pool->mutex);
        fine = add_chunk(pool, memory);
        pthread_mutex_unlock(&pool->mutex);
    }
}

static uint8_t *take_piece(struct leaf_pool *pool)
{
    if (!pool) {
        return malloc(piece_bytes);
    }
    pthread_mutex_lock(&pool->mutex);
    if (!pool->spare) {
        add_chunk(pool, big_memory_new(block_bytes));
    }
    struct leaf_piece *piece = pool->spare;
    if (piece) {
        pool->spare = piece->next;
    }
    pthread_mutex_unlock(&pool->mutex);
    return (void *)piece;
}

static void give_piece(struct leaf_pool *pool, uint8_t *memory)
{
    if (!pool) {
        free(memory);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    put_back(pool, memory);
    pthread_mutex_unlock(&pool->mutex);
}

/* --- leaves of a tree ----------------------------------------------------------------------------- */

void leaves_begin(struct leaves *leaves, struct leaf_pool *pool)
{
    *leaves = (struct leaves){.pool = pool};
}

/* Which block a page is in, its place there, and how many there are from it to the block's end. */
static size_t find(size_t page, size_t *at, size_t *left)
{
    const size_t first = page < LEAVES_BLOCK ? 0 : LEAVES_BLOCK;
    const size_t size = page < LEAVES_BLOCK ? LEAVES_PIECE : LEAVES_BLOCK;
    *at = page % size;
    *left = size - *at;
    return (first ? PIECES : 0) + (page - first) / size;
}

uint8_t *leaves_add(struct leaves *leaves)
{
    size_t at, left;
    const size_t number = find(leaves->count, &at, &left);
    if (number == leaves->block_count) {
        uint8_t **grown = realloc(leaves->blocks, (number + 1) * sizeof *grown);
        leaves->blocks = grown ? grown : leaves->blocks;
        uint8_t *block = !grown              ? NULL
                         : number < PIECES ? take_piece(leaves->pool)
                                             : big_memory_new(block_bytes);
        if (!block) {
            return NULL;
        }
        leaves->blocks[leaves->block_count++] = block;
    }
    leaves->count++;
    return leaves->blocks[number] + at * PAGE_SIZE;
}

const uint8_t *leaves_run(const struct leaves *leaves, size_t first, size_t *count)
{
    size_t at, left;
    const size_t number = find(first, &at, &left), more = leaves->count - first;
    *count = left < more ? left : more;
    return leaves->blocks[number] + at * PAGE_SIZE;
}

void leaves_free(struct leaves *leaves)
{
    for (size_t i = 0; i < leaves->block_count; i++) {
        if (i < PIECES) {
            give_piece(leaves->pool, leaves->blocks[i]);
        } else {
            big_memory_free(leaves->blocks[i], block_bytes);
        }
    }
    free(leaves->blocks);
    leaves_begin(leaves, leaves->pool);
}
