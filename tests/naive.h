/*
 * naive: a program as somebody writes it who does not think of time, made from one that is written
 * well: what a scheduler has to win back.
 *
 * MN-Core 2: one expression a step (readers of a step's registers before their writers), every wait
 * by itself, nops as the check asks for them and no more. AMX: every load as close in front of the
 * product that uses it as it can stand.
 */
#ifndef TAKT_TESTS_NAIVE_H
#define TAKT_TESTS_NAIVE_H

#include "timing/machine.h"

/* Text to be freed; fails the test when the program is not legal. */
char *naive_steps(const struct machine *machine, const char *text);
char *naive_loads(const struct machine *machine, const char *text);

#endif
