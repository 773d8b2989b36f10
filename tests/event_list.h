/*
 * event_list: what units do in single cycles, as takt run --events lists it (lines of phase access,
 * and landings of phase notice)
 * and as an oracle expects it.
 *
 *   text --event_list_read--> list   oracle --event_list_add--> list   event_list_same(list, list)
 */
#ifndef TAKT_TESTS_EVENT_LIST_H
#define TAKT_TESTS_EVENT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_row {
    uint64_t cycle;
    char unit[24], operation[8];
    unsigned amount, line; /* 0 of the oracle: not known */
    char cause[96];        /* behind the arrow; "" of the oracle */
};

struct event_list {
    struct event_row *rows;
    size_t count, room;
};

/* The text is cut up. */
void event_list_read(struct event_list *list, char *text);
void event_list_add(struct event_list *list, const struct event_row *row);
/* Both are sorted; the first difference goes to stderr. */
bool event_list_same(struct event_list *model, struct event_list *oracle);
void event_list_free(struct event_list *list);

#endif
