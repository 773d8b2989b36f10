/*
 * check_race: which transfers are in flight, followed in order, for the warnings mv-race,
 * tag-never-waited, tag-reused, wait-without-mv and dar-in-flight and the note mv-together.
 *
 *   mncore2_check_race_new --> mncore2_check_race_item for each item in order -->
 *   mncore2_check_race_end --> mncore2_check_race_free
 *
 * A transfer is in flight from its MV statement until something waits for its tag, or for the tag
 * of a later transfer on the same way: of the same mode, memories and priority, without DRAM, and
 * no smaller. Such two end in order, as the example of 3.2 without a tag relies on.
 */
#ifndef TAKT_TIMING_MNCORE2_CHECK_RACE_H
#define TAKT_TIMING_MNCORE2_CHECK_RACE_H

#include "functional/diag.h"
#include "timing/mncore2/meets.h"

struct check_race;

/* dar_latency: dar_write_latency of param.def. */
struct check_race *mncore2_check_race_new(const struct program *program, struct diag_list *diags,
                                          uint64_t dar_latency);
/* Two items that only the time between them keeps in order. */
enum check_pair_kind {
    PAIR_MEETS, /* a transfer and an access to what it moves or goes by */
    PAIR_TAG,   /* two transfers with the same tag */
    PAIR_DAR    /* a write of DAR and a transfer that goes by the entry */
};
struct check_pair {
    size_t first, second;
    enum check_pair_kind kind;
    bool sure;       /* of PAIR_MEETS: whatever addresses only the run knows */
    uint64_t spare;  /* steps between them that may go all the same */
    uint64_t cycles; /* of PAIR_DAR: from the issue of the first until the second may issue */
    const char *rule;
};
typedef void check_paired(void *self, const struct check_pair *pair);
/* Whether the transfer of an MV statement is over when the item issues. */
typedef bool check_over(void *self, size_t transfer, size_t item);

/* Call `paired` for all such items from now on, addresses that only the run knows included. over:
 * what ends transfers in addition to waits, or NULL. */
void mncore2_check_race_pairs(struct check_race *race, check_paired *paired, check_over *over,
                              void *self);
/* Returns 0, or -1 when the host has no memory. */
int mncore2_check_race_item(struct check_race *race, size_t item);
/* The end of the program: tags without a wait. */
void mncore2_check_race_end(struct check_race *race);
void mncore2_check_race_free(struct check_race *race);

/* Whether the earlier of two transfers ends before the other, whatever else is in flight. */
bool mncore2_mv_ends_before(const struct mv *earlier, const struct mv *later);

#endif
