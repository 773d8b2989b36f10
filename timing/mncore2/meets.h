/*
 * meets: whether a statement touches what a transfer in flight still has to read, or has not
 * written yet (manual 3.5.3, 3.6.13).
 *
 *   program --mncore2_meets_new--> struct meets --mncore2_meets_item, each item in order--> contact
 *   MV statement --mncore2_flight_of--> struct flight_places
 *   contact, flight --mncore2_meets_l2bm, mncore2_meets_dar--> do they meet?
 *
 * A PE statement meets transfers in L2BM and in the DAR; MV statements meet each other by region.
 */
#ifndef TAKT_TIMING_MNCORE2_MEETS_H
#define TAKT_TIMING_MNCORE2_MEETS_H

#include "functional/mncore2/effect.h"

/* What a transfer reads and writes. */
struct flight_places {
    struct region region[2];       /* source, destination */
    uint32_t dar_first, dar_count; /* entries that it reads; count 0: none */
};

void mncore2_flight_of(const struct mv *mv, struct flight_places *places);

/* How many DAR entries an indirect side of an MV uses from its first (3.5.6). */
uint32_t mncore2_dar_entries(const struct mv *mv, const struct region *region);

/* What a PE statement touches of L2BM and DAR. */
struct contact {
    struct region l2bm;            /* length 0: nothing */
    const struct operand *operand; /* of the L2BM access; or NULL */
    bool writes_dar;
    uint32_t dar_first; /* CYCLES entries from here, where writes_dar */
};

struct meets;

/* NULL when the host has no memory. */
struct meets *mncore2_meets_new(const struct program *program);
void mncore2_meets_free(struct meets *meets);
/* The next item in order. *contact: what it touches, valid until the next call; NULL: neither L2BM
 * nor DAR, or not a PE statement. Returns 0, or -1 when the host has no memory. */
int mncore2_meets_item(struct meets *meets, size_t item, const struct contact **contact);

/* Whether two ranges of a memory meet. It wraps around, and its size is a power of two. */
bool mncore2_ranges_meet(enum space space, uint64_t a, uint64_t a_length, uint64_t b,
                         uint64_t b_length);
/* Whether two regions meet. Where only the run knows an address: in_doubt. */
bool mncore2_regions_meet(const struct region *a, const struct region *b, bool in_doubt);

/* How a contact meets a transfer. */
enum meeting_place { MEETS_NOT, MEETS_SOURCE, MEETS_DESTINATION };
enum meeting_place mncore2_meets_l2bm(const struct contact *contact,
                                      const struct flight_places *flight, bool in_doubt);
bool mncore2_meets_dar(const struct contact *contact, const struct flight_places *flight);

#endif
