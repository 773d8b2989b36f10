/*
 * proof_text: bounds with their certificates as text that others can check (docs/proofs.md).
 *
 *   graph, bounds --proof_write--> text --proof_check (another graph of the program)--> the claims
 *
 * The text has what is taken for granted, the graph, and of each class the bound with its
 * certificate. What is checked: the graph is that of the program, byte for byte; the rest is in the
 * one form in which it can be written; timing/certify.c accepts each claim, and not one cycle more.
 * Of a claim that every order was searched the pieces are premises, too, and order_least searches
 * them again.
 */
#ifndef TAKT_ANALYSIS_PROOF_TEXT_H
#define TAKT_ANALYSIS_PROOF_TEXT_H

#include <stdio.h>

#include "timing/bounds.h"
#include "timing/machine.h"

/* What is proven of: a program's graph, and what its orders are found with; of a region there are
 * none: machine and setup are NULL. */
struct proof_subject {
    const struct graph *graph;
    const struct machine *machine;
    const struct run_setup *setup;
};

/* Returns 0, or -1 when the host failed. */
int proof_write(const struct proof_subject *subject, const struct bounds *bounds, FILE *out);

/* Bounds that a text proves; to be freed by proof_free. */
struct proof {
    uint64_t cycles[BOUND_CLASSES]; /* 0: it claims nothing of this class */
    char error[160];                /* why it is refused; "" */
};

/* Returns 0; 1 when it is refused; -1 when the host failed. */
int proof_check(const struct proof_subject *subject, const char *text, size_t size,
                struct proof *proof);

#endif
