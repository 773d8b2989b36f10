/*
 * memory: when a granule is read or written by dynamic memory of several channels and banks.
 *
 *   access --address map--> group, channel, bank, row --memory_serve--> cycle its data are there
 *
 *                      arrival
 *   bank     ..........| close row (tRP) | open row (tRCD) |
 *   channel  [ slots of granules in front: tCCD each ......... ][ slot ]
 *   data                                                        |- tCL -|- tCCD -| there
 *
 * A granule is the unit of an access. A group is one memory: `channels` channels that share
 * nothing, each with `banks` banks, each bank with at most one open row.
 *
 *   memory_serve     an access arrives; arrivals come in order of time
 *   memory_accepts   from when on a channel takes a write at once
 *   memory_free_at   from when on no channel has work
 *   memory_finish    the run has ended
 *
 * Rules.
 * Address: a field of a granule's number is number / divisor % size.
 * Channel: accesses take their slots in the order in which they arrive. A slot begins when the row
 * is open and not before the one in front has ended; after an access of the other direction not
 * before `turnaround` more cycles. It takes tCCD cycles. Data are there tCL + tCCD after it has
 * begun.
 * Bank: it looks at its next access in the first cycle in which that has arrived and the slot of
 * its last one has ended. If the access's row is open, nothing more is needed. Else another open
 * row is closed first, not before tRAS after it was opened, in tRP cycles; then the row is opened,
 * in tRCD cycles. So banks prepare rows behind the slots in front.
 * Refresh: bank b of n is refreshed at tREFI * (n - b) / n and every tREFI cycles from then on.
 * (The highest bank comes first: a rising sequence of addresses then meets a refresh now and then,
 * and does not run behind it.) A refresh closes an open row (tRAS after its opening, tRP) and then
 * takes tRFC. It counts for accesses that the bank looks at from the cycle on in which it was due;
 * an access that was looked at before goes on beside it.
 * Backlog: a channel takes a write in a cycle if the slots that it has taken end at most
 * `write_backlog` cycles later.
 * Order: an access is behind another requester when the last access of its channel that was not its
 * own requester's has a slot that ends after its arrival.
 *
 * The slots of a channel are busy cycles of its unit, first_unit + group * channels + channel. As
 * slots can lie beyond the end of the run, the last ones are kept back until memory_finish: the
 * write backlog and `in_flight` more. What a requester sends beyond that, and beyond the end, is
 * charged although it does not happen.
 *
 * Does not model: command bus, activate windows (tFAW), write recovery, refresh put off or pulled
 * in, reordering in a channel.
 *
 * Nothing is allocated after memory_init.
 */
#ifndef TAKT_TIMING_MEMORY_H
#define TAKT_TIMING_MEMORY_H

#include "timing/account.h"

enum memory_field { MEMORY_ROW, MEMORY_BANK, MEMORY_COLUMN, MEMORY_CHANNEL, MEMORY_FIELDS };

/* Times in cycles. Sizes and divisors are at least 1; tRFC < tREFI, or no refresh: tREFI = 0. */
struct memory_config {
    uint64_t channels, banks; /* of a group, of a channel */
    uint64_t tccd, trcd, trp, tras, tcl, turnaround, trefi, trfc;
    uint64_t write_backlog;
    uint64_t in_flight; /* granules that may wait at one channel beside the backlog */
    uint32_t divisor[MEMORY_FIELDS], size[MEMORY_FIELDS];
    bool ideal; /* an access takes no time and waits for nothing */
};

#define MEMORY_NOBODY UINT32_MAX

struct memory_access {
    uint32_t group;
    uint32_t granule;
    bool write;
    uint64_t arrival;
    uint32_t statement; /* to which the slot is charged */
    uint32_t requester; /* of the owner; for `behind` */
};

struct memory_bank;
struct memory_channel;
struct memory_slot;

struct memory {
    const struct memory_config *config;
    uint64_t groups;
    struct memory_channel *channels; /* [groups][channels] */
    struct memory_bank *banks;       /* [groups][channels][banks] */
    struct memory_slot *slots;       /* [groups][channels][ring], those that were kept back */
    uint64_t ring;                   /* a power of two */
    struct account *account;         /* NULL: neither slots nor order are recorded */
    uint32_t first_unit;
    uint32_t behind; /* requester in front of the last access that was behind one; the owner resets
                      * it to MEMORY_NOBODY */
};

/* config and account stay the caller's. Returns 0, or -1 when the host has no memory. */
int memory_init(struct memory *memory, const struct memory_config *config, uint32_t groups,
                uint32_t first_unit, struct account *account);
void memory_free(struct memory *memory);

/* The cycle in which all data of the access are there (read) or would be (write). */
uint64_t memory_serve(struct memory *memory, const struct memory_access *access);

/* First cycle in which the channel of this granule takes a write at once. */
uint64_t memory_accepts(const struct memory *memory, uint32_t group, uint32_t granule);

/* First cycle from which no channel has a slot. */
uint64_t memory_free_at(const struct memory *memory);

/* The run ended at cycle `end`: slots count up to there. */
void memory_finish(struct memory *memory, uint64_t end);

#endif
