/* random_setting: "NAME=VALUE" of a parameter, anywhere in its plausible range, or at one end. */
#ifndef TAKT_TESTS_RANDOM_SETTING_H
#define TAKT_TESTS_RANDOM_SETTING_H

#include "config/config.h"
#include "tests/dice.h"

enum { RANDOM_SETTING = 80 };

/* A third of the numbers are an end. */
void random_setting(struct dice *dice, const struct param *param, char text[RANDOM_SETTING]);

/* The numbers that are not certain, each with a chance that is drawn once: few of them, many, or
 * all. `sets` ends with NULL. Returns how many. */
size_t random_settings(struct dice *dice, const struct config *config, char texts[][RANDOM_SETTING],
                       const char **sets);

/* All of them at the ends that limit least; likewise. */
size_t optimistic_settings(const struct config *config, char texts[][RANDOM_SETTING],
                           const char **sets);

#endif
