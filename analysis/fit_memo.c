#include "analysis/fit_memo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/hash.h"

enum { SLOTS = 1 << 17, LOCKS = 64 };

/* A slot: the case (from 1; 0: empty), doubled, and 1 more for a lower bound; the value; the
 * point. */
enum { WHICH, VALUE, POINT };

struct fit_memo {
    size_t axes;
    double *slots;
    pthread_mutex_t locks[LOCKS];
};

struct fit_memo *fit_memo_new(size_t axes)
{
    struct fit_memo *memo = calloc(1, sizeof *memo);
    if (!memo)
        return NULL;
    memo->axes = axes;
    memo->slots = calloc(SLOTS, (POINT + axes) * sizeof *memo->slots);
    if (!memo->slots) {
        free(memo);
        return NULL;
    }
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_init(&memo->locks[i], NULL);
    return memo;
}

void fit_memo_free(struct fit_memo *memo)
{
    if (!memo)
        return;
    for (size_t i = 0; i < LOCKS; i++)
        pthread_mutex_destroy(&memo->locks[i]);
    free(memo->slots);
    free(memo);
}

static double which_of(struct fit_memo_key key)
{
    return (double)(2 * (key.c + 1) + key.alone);
}

static size_t slot_of(const struct fit_memo *memo, struct fit_memo_key key)
{
    const double which = which_of(key);
    uint64_t hash = hash_bytes(HASH_START, &which, sizeof which);
    hash = hash_bytes(hash, key.point, memo->axes * sizeof *key.point);
    return (size_t)((hash ^ hash >> 32) % SLOTS);
}

bool fit_memo_find(struct fit_memo *memo, struct fit_memo_key key, double *value)
{
    const size_t at = slot_of(memo, key), size = memo->axes * sizeof *key.point;
    const double *slot = memo->slots + at * (POINT + memo->axes);
    pthread_mutex_lock(&memo->locks[at % LOCKS]);
    const bool found = slot[WHICH] == which_of(key) && memcmp(slot + POINT, key.point, size) == 0;
    if (found)
        *value = slot[VALUE];
    pthread_mutex_unlock(&memo->locks[at % LOCKS]);
    return found;
}

void fit_memo_keep(struct fit_memo *memo, struct fit_memo_key key, double value)
{
    const size_t at = slot_of(memo, key);
    double *slot = memo->slots + at * (POINT + memo->axes);
    pthread_mutex_lock(&memo->locks[at % LOCKS]);
    slot[WHICH] = which_of(key);
    slot[VALUE] = value;
    memcpy(slot + POINT, key.point, memo->axes * sizeof *key.point);
    pthread_mutex_unlock(&memo->locks[at % LOCKS]);
}
