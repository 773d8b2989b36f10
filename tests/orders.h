/*
 * orders: every order of a few operations, against the bound of any order (tests/bounds_kit.h).
 *
 *   struct orders o = {.subject = ..., .before = ..., .after = ..., .count = n, .ops = ...};
 *   orders_try(&o, &sum); ... orders_say(&sum);
 */
#ifndef TAKT_TESTS_ORDERS_H
#define TAKT_TESTS_ORDERS_H

#include "tests/bounds_kit.h"

enum { ORDERS_MOST = 6, ORDERS_LINE = 48 };

struct orders_op {
    char text[ORDERS_LINE];
    uint32_t reads, writes; /* bits of places; what shares one with a write keeps its order */
};

struct orders {
    struct subject subject;
    const char *before, *after; /* text around the operations, which stays where it is */
    struct orders_op ops[ORDERS_MOST];
    unsigned count;
    /* its own */
    unsigned placed, order[ORDERS_MOST];
    uint32_t done;
    uint64_t bound, best;
};

struct orders_sum {
    size_t programs, equal; /* the best order's total is the bound */
    double gap;             /* of the best totals, added up */
};

/* Fails the test when an order takes less than the bound. */
void orders_try(struct orders *orders, struct orders_sum *sum);
void orders_say(const struct orders_sum *sum);

#endif
