/*
 * rename: other places for the values of an MN-Core 2 program, and other tags for its transfers.
 *
 *   program --mncore2_renaming_find--> struct renaming --mncore2_rename--> struct renamed
 *
 * A web (webs.h) moves if at its place a later value, or a pinned one, must wait for it without
 * need: unless its only reader is the item that writes the next value. It goes to words of the same
 * memory that no statement of the program touches; if these run out, to those whose last value is
 * over for the longest time. L2BM, where transfers may still be on their way, is used once. Tags:
 * all but the last transfers of a tag, with the waits for them, get a tag that the program does not
 * have.
 */
#ifndef TAKT_TIMING_MNCORE2_RENAME_H
#define TAKT_TIMING_MNCORE2_RENAME_H

#include "timing/machine.h"
#include "timing/mncore2/webs.h"
#include "timing/renamed.h"

/* A transfer and those that share its tag before the wait for them. */
struct rename_tags {
    uint32_t first, last; /* items: the first transfer; its last transfer or wait */
    uint32_t items;       /* transfers and waits */
    uint8_t from, to;     /* to: as from, if it stays */
    bool waited;
};

struct renaming {
    const struct program *program;
    struct webs webs;
    uint32_t *shift;            /* by web: words, modulo the memory's size; 0: it stays */
    uint32_t *end[SPACE_COUNT]; /* by word: 0 unused, RENAME_TAKEN by the program as written, or 1 +
                                   the item at which its last value ends */
    struct rename_tags *tags;   /* by first */
    size_t tag_count, tag_capacity;
    uint32_t *tags_of; /* by item: 1 + the number of its tags; 0: none */
};
#define RENAME_TAKEN UINT32_MAX

/* Returns 0, or -1 when the host has no memory; to be freed in every case. */
int mncore2_renaming_find(struct renaming *renaming, const struct program *program);
void mncore2_renaming_free(struct renaming *renaming);

/* As machine_advice.rename. */
int mncore2_rename(const struct machine_program *program, struct renamed *renamed);

#endif
