/*
 * dram: when a granule of 16 long words is served by the DRAM of its group (manual 3.5.6, 1.5).
 *
 *   granule --address map--> channel, bank, row --dram_serve(arrival)--> cycle its data are there
 *
 * A channel serves granules in the order in which they arrive, one every tCCD cycles. Rows stay open.
 * What the bank needs first (closing a row, opening another) starts at the arrival, so it hides
 * behind the granules in front. Each bank is refreshed every tREFI cycles, bank b of n first at
 * tREFI * (n - b) / n: an open row is closed first (tRAS, tRP), then it is away for tRFC. (The last bank comes first, so
 * that a rising sequence meets the refresh now and then and does not run after it.)
 *
 * Does not model: command bus, activate windows (tFAW), write recovery, refresh put off or pulled in,
 * reordering in a channel.
 */
#ifndef TAKT_TIMING_MNCORE2_DRAM_H
#define TAKT_TIMING_MNCORE2_DRAM_H

#include "timing/account.h"
#include "timing/mncore2/model.h"
#include "timing/words.h"

struct dram_bank;

struct dram_channel {
    uint64_t next;     /* first cycle for the next granule */
    uint64_t served;   /* granules so far ... */
    uint64_t noted;    /* ... and how many of them are in the account */
    bool writing;      /* direction of the last */
    uint64_t *recent;  /* start cycles of the last granules, by number & mask; NULL = not kept */
    uint32_t *recent_stmt;
    uint32_t last;         /* transfer of the last granule, DRAM_NOBODY before the first */
    uint32_t before;       /* the other one that came before it ... */
    uint64_t before_until; /* ... and when the channel is done with that */
};

#define DRAM_NOBODY UINT32_MAX

struct dram {
    const struct dram_numbers *numbers;
    struct dram_channel *channels; /* [GROUPS][channels] */
    struct dram_bank *banks;       /* [GROUPS][channels][banks] */
    struct account *account;       /* NULL: no account is kept */
    const struct model *model;
    uint64_t recent_mask;
    uint32_t serving; /* transfer whose granules arrive: the caller says so */
    uint32_t behind;  /* another one whose granules were in front of one of these; the caller clears it */
};

/* Returns 0, or -1 when the host has no memory. */
int dram_init(struct dram *dram, const struct model *model, const struct dram_numbers *numbers,
              struct account *account);
void dram_free(struct dram *dram);

/* A granule arrives at a channel's queue; arrivals come in order of time. Returns the cycle in which
 * all of its data are there (reads) or would be (writes). */
uint64_t dram_serve(struct dram *dram, unsigned group, uint64_t granule, bool write,
                    uint64_t arrival, uint32_t stmt);

/* First cycle in which the channel of a granule takes a write at once. */
uint64_t dram_accepts(const struct dram *dram, unsigned group, uint64_t granule);

/* First cycle from which no channel has work. */
uint64_t dram_free_at(const struct dram *dram);

/*
 * For skipping repetitions. dram_settle: what ended by `now` goes into the account. dram_words: what
 * the DRAMs of these groups (bits) do from `now` on, after dram_settle; items are told relative to
 * `item`, transfers to `count`. dram_shift: they do everything later.
 */
void dram_settle(struct dram *dram, uint64_t now);
void dram_words(const struct dram *dram, unsigned groups, uint64_t now, uint32_t item,
                uint32_t count, struct words *words);
void dram_shift(struct dram *dram, unsigned groups, uint64_t cycles, uint32_t items,
                uint32_t transfers);

/* The run ended at cycle `end`: what the channels would do later does not count. */
void dram_finish(struct dram *dram, uint64_t end);

#endif
