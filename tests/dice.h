/*
 * dice: random numbers for tests, the same in every run: splitmix64.
 *
 *   static struct dice dice = {1};
 *   dice_below(&dice, 6)
 */
#ifndef TAKT_TESTS_DICE_H
#define TAKT_TESTS_DICE_H

#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_next(struct dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint64_t dice_below(struct dice *dice, uint64_t limit)
{
    return dice_next(dice) % limit;
}

#endif
