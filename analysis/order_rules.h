/*
 * order_rules: the pieces of a small program, and what any order of them keeps: the premises of a
 * claim that every order was searched (docs/proofs.md).
 *
 *   machine, setup --order_rules_find--> struct order_rules --order_least--> cycles
 *                                                           --order_rules_put--> text
 *
 * They are those of timing/moves.h, but two steps that may share a slot may do so whatever else is
 * in it, and nothing is said of registers that hand values to the next step: so no run of any order
 * takes fewer cycles than order_least says. That shares no code with schedule_exact.h.
 */
#ifndef TAKT_ANALYSIS_ORDER_RULES_H
#define TAKT_ANALYSIS_ORDER_RULES_H

#include <stdio.h>

#include "timing/machine.h"

enum { ORDER_PIECES = 64 };

/* Neither a step nor a transfer: it takes no time. */
struct order_piece {
    bool step, transfer;
    uint32_t line;   /* of the program */
    uint32_t landed; /* of a step: cycles from its slot until its results are there */
    uint32_t way;    /* of a transfer: it shares this with others of the number; 0: none */
    uint64_t least;  /* cycles from its issue to its completion */
    uint64_t work;   /* of them those that no other of the way can have */
};

/* From a lower to a higher number. */
struct order_after {
    uint32_t from, to, slots;
    bool done;     /* not before `from`, a transfer, is complete ... */
    uint32_t kept; /* ... or that many cycles after its issue, whichever is earlier; 0: complete */
};

struct order_rules {
    uint32_t slot;                    /* cycles */
    uint32_t unit_slots, unit_cycles; /* 0: there are no units */
    uint32_t count;
    struct order_piece pieces[ORDER_PIECES];
    struct order_after *after; /* by `to` */
    size_t after_count, after_capacity;
    uint32_t apart[ORDER_PIECES][ORDER_PIECES]; /* slots of the second after the first, if the first
                                                   is in an earlier slot; steps */
    uint64_t alone[ORDER_PIECES];               /* bits: never in one slot */
};

/* Returns 0; 1: this program has no such rules; -1 when the host has no memory. *rules is to be
 * freed by order_rules_free in every case. */
int order_rules_find(struct order_rules **rules, const struct machine *machine,
                     const struct run_setup *setup);
void order_rules_free(struct order_rules *rules); /* or NULL */
void order_rules_put(const struct order_rules *rules, FILE *out);

/* The least cycles of any order, if that is at most *cycles, which gets it. Returns 0; 1: every
 * order takes more, or the search is too long; -1 when the host has no memory. */
int order_least(const struct order_rules *rules, uint64_t *cycles);

#endif
