/*
 * code_moves: the movable parts of a program of machine code (timing/moves.h): its basic blocks,
 * and what depends on what in them. For machines whose program is a struct riscv_image.
 *
 *   pieces, executed, effect --code_moves_find--> struct moves
 *
 * A block is a run of adjacent pieces that were executed, between places where control can arrive:
 * the entry, labels, targets of branches, what follows a jump, addresses of code that the program
 * computes, and the marks of the machine. A jump or branch is last in its block and stays so. A
 * piece that is fixed is in no block. A function from which a computed jump goes to an unknown
 * place is fixed as a whole; so is the program if it has no functions.
 *
 * What holds for every run, not only for the one that was executed: registers as RAW, WAR, WAW;
 * two accesses to memory of which one is a store keep their order, unless they go by the same value
 * of a register, or by constants, to bytes that do not overlap. Loads may pass each other.
 */
#ifndef TAKT_TIMING_CODE_MOVES_H
#define TAKT_TIMING_CODE_MOVES_H

#include "functional/riscv/piece.h"
#include "timing/moves.h"

enum { CODE_PLACE_WORDS = 6, CODE_PLACES = 64 * CODE_PLACE_WORDS, CODE_SCALARS = 64 };

/* What one statement does. Places are numbered by the machine: below CODE_SCALARS the scalar
 * registers, of which 0 is never read or written. */
struct code_effect {
    uint64_t reads[CODE_PLACE_WORDS], writes[CODE_PLACE_WORDS];
    bool fixed;      /* nothing passes it */
    bool ends;       /* a jump or branch */
    bool returns;    /* a jump to where a call was */
    bool calls;      /* to an address in a register, where a function begins */
    bool computed;   /* a jump to an address in a register, other than those */
    bool has_target; /* a jump or branch to a known address */
    uint32_t target;

    bool loads, stores;
    bool in_order; /* a store that keeps its order with all others */
    uint16_t base; /* the place of the address */
    int32_t offset;
    uint32_t size; /* bytes from there; 0: unknown */

    bool sums; /* register `sum` becomes register `of`, or 0 for register 0, plus `amount` */
    uint8_t sum, of;
    uint32_t amount;

    uint32_t unit, busy; /* as in struct moves_node */
};

enum code_dependence { CODE_RAW, CODE_WAR, CODE_WAW };

struct code {
    struct riscv_pieces pieces; /* goes to the moves, which free it */
    const uint64_t *executed;   /* by statement: how often */
    const bool *arrives;        /* by statement: control can arrive there */
    const bool *fixed;          /* by statement: it must stay */
    uint32_t width;             /* statements issued in a cycle */
    uint32_t entry;             /* address */
    const void *context;
    void (*effect)(const void *context, uint32_t stmt, struct code_effect *effect);
    /* Cycles from one statement to another that depends on it by a place; what goes by memory is
     * 0. */
    uint32_t (*lag)(const void *context, uint32_t from, uint32_t to, enum code_dependence kind,
                    uint32_t place);
};

/* Returns 0; 1 with a sentence when nothing can be moved; -1. Free the moves in every case. */
int code_moves_find(struct code *code, struct moves *moves, char *error, size_t error_size);

#endif
