/*
 * moves: the movable parts of a program, and how a program in another order is written.
 *
 *   program --machine_advice.moves--> struct moves
 *           --analysis/schedule.h--> struct moves_place[] of each block
 *           --moves.write--> program text
 *
 * A block is a run of the program whose statements may change their order. Its nodes are in
 * program order, and every arc goes from a lower to a higher number. Padding (statements that only
 * pass time) has no nodes.
 *
 *   NODE_STEP   takes a slot of the stream, alone or together with others
 *   NODE_FREE   precedes a slot and takes none: a transfer, a dump or a preset
 *   NODE_WAIT   holds the stream until transfers are complete; it joins a slot
 *
 * An arc says: the slot of `to` is at least `slots` after that of `from`; a free node before
 * slot n counts as n. A wait holds all of its slot, so a step before it is in an earlier slot.
 * These hold in any order that keeps the values. Beyond them two nodes may be
 * too close in one order and not in the other (ports that turn): moves.distance.
 *
 * A relay is a register that holds what a slot put out until the next slot puts something out. A
 * relay arc says that no slot between the two may do so: those are written quiet, which a node that
 * is loud does not allow.
 */
#ifndef TAKT_TIMING_MOVES_H
#define TAKT_TIMING_MOVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    MOVES_WINDOW = 256, /* nodes at a larger distance keep their order */
    MOVES_TOGETHER = 16 /* most nodes in a slot */
};

enum node_kind { NODE_STEP, NODE_FREE, NODE_WAIT };

struct moves_node {
    uint32_t line;    /* of the program, from 1 */
    uint32_t written; /* its slot as written, padding included; set where loops can be overlapped */
    uint8_t kind;     /* enum node_kind */
    bool transfer;    /* of NODE_FREE: it runs in parallel with the stream */
    bool loud;        /* what its slot puts out is needed */
    bool quiet;       /* its slot must put out nothing */
    uint32_t lanes;   /* bits: two nodes that share one never share a slot */
    uint32_t unit;    /* taken for `busy` slots, from 1; 0: none */
    uint32_t busy;
    uint32_t issue;   /* slots of the stream that it takes, at least 1 */
    uint32_t landed;  /* cycles from the start of its slot until its results are there: the program
                         does not end before; 0: with its slot */
    uint64_t latency; /* of a transfer: an estimate of its cycles, which the scheduler sets */
    uint64_t least;   /* of a transfer: cycles from its issue to its completion that no run of any
                         order goes below */
    uint32_t way;     /* of a transfer: it shares this with others of the number, from 1; 0: none */
    uint64_t work;    /* cycles of it: of `least` those that no other of the way can have */
};

struct moves_arc {
    uint32_t from, to, slots;
    bool relay;
    bool issued;   /* from a transfer to a wait that is not for it: they keep their order alone */
    bool timed;    /* only the slots keep `to` after the transfer `from`: they are the time that
                   it took as written, and another order may need more */
    uint32_t kept; /* timed: cycles between them as written, where the access comes before the
                      end of the transfer; 0: it comes after it */
};

/* A transfer and an access that only time, and no wait, keeps after it. */
struct moves_pair {
    uint32_t transfer, access; /* lines */
    uint64_t cycles; /* that are kept between them: until the transfer ended, as written; if the
                        access came before that, those that were between them */
    bool early;
    uint32_t wait; /* line of the last wait between them, for another transfer, which stays there;
                      0: there is no wait between them, and the order rests on the cycles alone */
    char tag[8];   /* that the access waits for instead, as the program names it; "": none */
};

struct moves_block {
    struct moves_node *nodes;
    size_t node_count, node_capacity;
    struct moves_arc *arcs; /* by `to` */
    size_t arc_count, arc_capacity;
    uint64_t weight; /* statements of it that a run executes; 0: not known */
};

/* Where a node goes; a block's are in the order of the new program. */
struct moves_place {
    uint32_t node, slot;
    bool quiet;        /* its slot is written so */
    const char *above; /* a line of comment above it, of the first of a slot; or NULL */
};

struct moves {
    bool tags; /* set before: transfers that time alone keeps apart from accesses get tags */

    /* Set before: for a bound of any order. Waits have no nodes: a timed arc leads from a transfer
     * to what comes after it, and the stream may be held for it anywhere. Regions divide
     * nothing. Not to be written. */
    bool free_waits;

    bool join_parts; /* set before: parts of one region that follow each other are one */

    struct moves_block *blocks;
    size_t block_count;
    uint64_t run_work;        /* statements that a run executes, which limits the tries; 0: they
                                 are limited by the nodes */
    uint32_t slot_cycles;     /* that the stream moves on with each slot */
    uint32_t reach;           /* slots after a node in which distance can forbid something */
    uint32_t unit_slots;      /* slots issued together, followed by one place for a transfer; 0:
                             transfers take no room */
    uint32_t unit_cycles;     /* cycles of such a group with its transfer */
    bool careful;             /* some nodes are kept together, or further apart than the rules
                                 require: what no order of theirs does another may do */
    bool divided;             /* regions divide nodes that depend on nothing of each other */
    bool exact;               /* slots and results make the time of a program without transfers */
    struct moves_pair *pairs; /* by access */
    size_t pair_count;

    void *context;
    /* Least distance in slots of `second` after `first`; NULL: any. */
    uint32_t (*distance)(void *context, uint32_t first, uint32_t second);
    /* Whether the language takes the nodes as one slot; NULL: a slot has one node. */
    bool (*together)(void *context, const uint32_t *nodes, size_t count);
    /* The program, each block in its new order. Returns 0, or -1 when the host failed, here or in a
     * call of the two above. */
    int (*write)(void *context, const struct moves_place *const *places, FILE *out);
    void (*free)(void *context);
};

/* What a machine calls to make one. A node or arc more; NULL or -1 when the host has no memory. */
struct moves_node *moves_add_node(struct moves_block *block, const struct moves_node *node);
int moves_add_arc(struct moves_block *block, const struct moves_arc *arc);
void moves_free(struct moves *moves);
/* The same; its pairs are the caller's then, to be freed. */
struct moves_pair *moves_free_but_pairs(struct moves *moves, size_t *count);
/* No tags were added in the end. */
void moves_pairs_untagged(struct moves_pair *pairs, size_t count);

/* --- what could be better --------------------------------------------------------------------- */

/* A line of the program that changes; line from 1. */
struct moves_edit {
    uint32_t line;
    const char *text; /* lines divided by '\n'; NULL: the line goes */
};

enum { MOVES_EDITS = 3 };

/* A change that might save time and keeps what depends on what, or is a finding; whether it is
 * legal and what it saves is found by running it. */
struct moves_advice {
    const char *kind;     /* one word: "padding", "share", "transfer" ... */
    const char *sentence; /* what to do, without the final stop */
    uint32_t line;        /* that it is about */
    struct moves_edit edits[MOVES_EDITS];
    size_t edit_count;
    const struct machine_setting *settings; /* other options instead of edits; or NULL */
    bool finding; /* for people to decide: never applied, and worth saying without a cycle saved */
    bool joint;   /* one edit, which may save nothing without others of this kind: they are tried
                     all at once, then halves of them */
    bool dumps_only; /* only dumped values must be equal, the rest of the state may differ */
};

/* Called per proposal; the argument is valid during the call. Non-zero stops the search and is
 * returned. */
typedef int moves_advised(void *self, const struct moves_advice *advice);

#endif
