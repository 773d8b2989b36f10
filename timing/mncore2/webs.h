/*
 * webs: the values of a program, each with its definitions and uses, in the memories whose places
 * are written in the program: LM0, LM1, GRF0, GRF1, L1BM and L2BM.
 *
 *   program --mncore2_webs_find--> struct webs: operands, accesses by web, webs by first access
 *
 * A web is a set of operands that must stay together if one of them gets another address: a write
 * and the reads that may get its value; what a read may get from several writes; what a write
 * leaves as it was in some PEs, cycles or blocks. Programs have no branches, so that a web is a run
 * of accesses in the order of the program. In a step, all reads of one memory have the same
 * address, and those of an LM that of its write (3.6.4).
 *
 * Pinned are webs whose places can be seen from outside: what is read and was never written, what
 * remains at the end, and what a dump or preset touches. If an address is known at run time only
 * (T-indirect, a base address register), all webs of that LM are pinned.
 */
#ifndef TAKT_TIMING_MNCORE2_WEBS_H
#define TAKT_TIMING_MNCORE2_WEBS_H

#include "functional/mncore2/effect.h"

enum { WEB_LANES = 8 }; /* blocks of a memory whose values differ */

/* An operand of an item. */
struct web_operand {
    uint32_t item, web;
    uint16_t at; /* of a step: bytes from there to the operand; of a transfer: 0 source, 1 target */
};

/* Words, or long words, [first, first + count) in the blocks of a set. */
struct web_access {
    uint32_t operand, first, count;
    uint8_t space, set;
    bool write, definite; /* definite: all of them are written */
};

struct web {
    uint32_t first, last; /* items of its accesses */
    uint32_t reader;      /* the only item that reads; NONE_ID: there is none */
    uint32_t operands;
    uint8_t space;
    bool pinned, many; /* many: several items read */
    size_t access, access_end;
};

struct webs {
    const struct program *program;
    struct web_operand *operands; /* by item */
    size_t operand_count, operand_capacity;
    struct web_access *accesses; /* by web */
    size_t access_count, access_capacity;
    struct web *webs;
    size_t web_count;
    bool frozen[SPACE_COUNT];     /* all webs of the space are pinned */
    uint32_t *piece[SPACE_COUNT]; /* by word: words with the same number are accessed together */
};

/* Whether the places of a space can be changed. */
bool mncore2_webs_cover(unsigned space);

/* Returns 0, or -1 when the host has no memory; to be freed in every case. */
int mncore2_webs_find(struct webs *webs, const struct program *program);
void mncore2_webs_free(struct webs *webs);

#endif
