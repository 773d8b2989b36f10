/*
 * app_time: how long an application takes.
 *
 *   struct app, configuration --app_time--> total, sums of steps, rows of (step, turn)
 *
 * Steps that begin together are a group; the next group begins when all boards have ended this one.
 * In a group a board makes its transfers one after the other, while its program runs.
 *
 * Repeats. Turns are simulated until every board's memory is as at the end of an earlier turn; what
 * follows is the same again, so that sums are multiplied. Turns that do not use the memory repeat
 * at once.
 */
#ifndef TAKT_ANALYSIS_APP_TIME_H
#define TAKT_ANALYSIS_APP_TIME_H

#include "analysis/app_turn.h"

/* exposed: the cycles of the total in which the step was what took longest. own: from its
 * beginning to its end, on the board on which that took longest; what is not exposed is hidden. */
struct app_sum {
    uint64_t exposed, own, done; /* done: turns or transfers, of all boards */
};

/* Turns of a step that find the same state: on all boards, and on those that took longest. */
struct app_row {
    uint32_t step, turn;
    uint64_t turns, exposed;
};

struct app_time {
    uint64_t total;
    uint64_t host; /* cycles of all links together */
    double clock_hz;
    struct app_sum *sums; /* by step */
    struct app_row *rows; /* in the order in which they came */
    size_t row_count;
    struct app_turns turns;
};

struct app_how {
    const struct app *app;
    const struct config *config;
    const struct config *given;        /* the range's own, where config is one of its variants */
    const struct run_options *options; /* documented, settings, silenced */
    bool alone;                        /* a lower bound, as in timing/range.h */
    const enum bound_class *bound;     /* a proven bound of each turn instead of its cycles */
    bool every_turn;                   /* simulate all of them */
    bool shown;                        /* units and paths, too */
};

/* Returns 0; 1 for a program that failed, numbers that make no chip, or more than 2^62 cycles
 * (time->turns.error and fault); -1. fault: for findings of the program that failed. To be freed in
 * every case. */
int app_time(struct app_time *time, const struct app_how *how, struct diag_list *fault);
void app_time_free(struct app_time *time);

/* Cycles of one transfer. */
uint64_t app_transfer_cycles(const struct app_how *how, uint64_t bytes);

#endif
