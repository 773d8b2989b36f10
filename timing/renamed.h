/*
 * renamed: a program in its order, with values in other places, so that fewer statements must keep
 * their order.
 *
 *   program --machine_advice.rename--> struct renamed --renamed_free-->
 *
 * Values only move to places that the program as written never touches. So both programs print the
 * same and leave the same state, except in those places; `clear` is program text that makes these
 * equal, too, if it is added to the end of both.
 */
#ifndef TAKT_TIMING_RENAMED_H
#define TAKT_TIMING_RENAMED_H

#include <stddef.h>
#include <stdint.h>

enum { RENAMED_PLACE = 32 };

/* A value that has moved. */
struct renamed_value {
    uint32_t line;     /* that writes it first */
    uint32_t accesses; /* operands that name its place, or tag */
    char from[RENAMED_PLACE], to[RENAMED_PLACE];
};

struct renamed {
    char *text; /* a line for each line of the program, up to the last statement and its comments */
    size_t size;
    size_t end; /* of the last statement of the program as written: clear can be added there */
    char *clear;
    size_t clear_size;
    uint64_t bytes;               /* of the new places, in each of their memories */
    struct renamed_value *values; /* by line */
    size_t count, capacity;
};

void renamed_free(struct renamed *renamed);

#endif
