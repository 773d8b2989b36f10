/* brute_random: numbers of a chip, transfers, programs without some of their nops, by chance. */
#ifndef TAKT_TESTS_BRUTE_RANDOM_H
#define TAKT_TESTS_BRUTE_RANDOM_H

#include "tests/dice.h"
#include "tests/mncore2/timing_kit.h"

struct brute_sets {
    char text[KIT_SETS][64];
    size_t count;
};

/* interlock: the brute hazards have the manual's numbers in them. */
void brute_random_sets(struct dice *dice, struct brute_sets *sets, bool interlock);
/* A transfer; tags[t] becomes true when its tag is t. Returns the length of its text. */
size_t brute_random_mv(struct dice *dice, char *out, size_t size, bool *tags);
/* So many of a hundred nop lines become blank. */
void brute_drop_nops(char *text, unsigned chance, struct dice *dice);

#endif
