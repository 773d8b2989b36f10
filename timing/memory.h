/*
 * memory: when a granule is read or written by dynamic memory of several channels and banks, each
 * channel with a controller that chooses what it serves next.
 *
 *   memory_ask --> reads   [ r r r r | r r ]  --+
 *                            window             +--> slot on the data bus --> calls->served
 *   memory_ask --> writes  [ w w w w | w ]  ----+                        \--> calls->room
 *
 *   bank     | close row (tRP) | open row (tRCD) |
 *   channel  [ slots of others: tCCD each ...... ][ slot ]
 *   data                                          |- tCL -|- tCCD -| there
 *
 * A granule is the unit of an access. A group is one memory: `channels` channels that share
 * nothing, each with `banks` banks, each bank with at most one open row. All groups together are
 * one process of the kernel: their channels act in phase SERVE of a cycle, on everything that has
 * arrived in that cycle or before.
 *
 * Rules. In a cycle a channel chooses its direction, then its banks give commands, then an access
 * takes a slot if one can; after a slot all of this again, until no access can.
 *
 * Address: a field of a granule's number is number / divisor % size.
 * Queues: reads wait by priority, those of one priority in the order in which they arrive, and so
 * do writes. The first `window` of either are its window.
 * Age: of an access in the window, the number of slots that its channel has given since it came
 * into the window. The first of a queue is overdue when its age has reached `age_limit`.
 * Direction: that of the higher priority of the first read and the first write. Of equal ones: if
 * the first read or the first write is overdue, that direction; if both are, that of the one that
 * arrived first. Otherwise writes while the channel drains, else reads. It begins to
 * drain when writes wait and no read does, or at least `write_high` writes; it ends when no write
 * waits, or at most `write_low` do and a read.
 * Target: for which access a bank gets ready. Of those that wait for the bank in the direction of
 * the channel: the overdue one that decided the direction; else, of those of the highest priority,
 * the first in the window whose row is open; else the first.
 * Commands: a bank gives the next one from the cycle on in which the last one and its last slot
 * have ended. If its target's row is not open, it closes the open row, not before tRAS after it was
 * opened, in tRP cycles, or opens the row if none is open, in tRCD cycles.
 * Slot: of the accesses in the window of the direction whose row is open and whose bank's last
 * command and slot have ended, the first one takes it; but in the bank of an overdue access that
 * decided the direction only that one can, and in each bank only those of the highest priority that
 * waits for it. A slot begins not before the one in front has ended, and
 * after one of the other direction not before `turnaround` more cycles. It takes tCCD cycles. The
 * data of a read are there tCL + tCCD + latency after it has begun, but not in the same cycle.
 * Refresh: bank b of n has to be refreshed at tREFI * (n - b) / n and every tREFI cycles from then
 * on. (The highest bank comes first: a rising sequence of addresses then meets a refresh now and
 * then instead of following it.) A bank for which no access waits does it as soon as it can; a
 * bank for which one waits puts it off until more than `defer` are due: then neither its other
 * commands nor slots come before it, but a row that is open stays so for its first slot. At most
 * defer + 1 are due at a time; further ones are dropped. It closes an open row first, as above, and
 * then takes tRFC.
 * Room: a channel takes writes while fewer than `write_buffer` wait.
 * Order: `behind` of an access is the last other requester to which its channel gave a slot, if
 * that slot ended after the arrival of the access.
 *
 * Slots of a channel are busy cycles of its unit, first_unit + group * channels + channel, up to
 * the end of the run: calls->end says where that is as soon as it is known, and channels do nothing
 * from there on.
 *
 * Does not model: command bus, activate windows (tFAW), write recovery, reads served from waiting
 * writes.
 *
 * Nothing is allocated except by memory_init and memory_reserve.
 */
#ifndef TAKT_TIMING_MEMORY_H
#define TAKT_TIMING_MEMORY_H

#include "timing/account.h"
#include "timing/kernel.h"

enum memory_field { MEMORY_ROW, MEMORY_BANK, MEMORY_COLUMN, MEMORY_CHANNEL, MEMORY_FIELDS };

/* Times in cycles. Sizes, divisors, window and write_buffer are at least 1; write_low < write_high
 * <= write_buffer; tRFC < tREFI, or no refresh: tREFI = 0. */
struct memory_config {
    uint64_t channels, banks; /* of a group, of a channel */
    uint64_t tccd, trcd, trp, tras, tcl, turnaround, trefi, trfc;
    uint64_t latency;                             /* that the controller adds to a read */
    uint64_t window, age_limit;                   /* accesses, slots */
    uint64_t write_buffer, write_high, write_low; /* accesses of a channel */
    uint64_t defer;                               /* refreshes of a bank that may be put off */
    uint32_t divisor[MEMORY_FIELDS], size[MEMORY_FIELDS];
    bool ideal; /* the owner skips memory_ask */
};

#define MEMORY_NOBODY UINT32_MAX
enum { MEMORY_PRIORITIES = 4 };

struct memory_access {
    uint32_t group;
    uint32_t granule;
    bool write;
    uint32_t statement; /* to which the slot is charged */
    uint32_t requester; /* of the owner; for `behind` */
    uint32_t tag;       /* of the owner, returned to it */
    uint8_t priority;   /* below MEMORY_PRIORITIES; the larger goes first */
};

struct memory_calls {
    /* A read has its slot: its data are there in cycle `there`, after now. behind: a requester, or
     * MEMORY_NOBODY. */
    void (*served)(void *context, const struct memory_access *access, uint64_t there,
                   uint32_t behind);
    /* A channel that took no writes takes them again, after this cycle. */
    void (*room)(void *context);
    /* The end of the run; UINT64_MAX while it is not known. */
    uint64_t (*end)(void *context);
};

/* What all channels did. */
struct memory_counts {
    uint64_t accesses;  /* slots given */
    uint64_t opened;    /* rows */
    uint64_t conflicts; /* rows closed for an access to another one of the same bank */
};

/* The access that made room for a write last, and in which cycle. */
struct memory_room {
    uint32_t requester;
    uint64_t at;
};

struct memory_entry;
struct memory_bank;
struct memory_channel;
struct memory_waiting;

struct memory {
    struct process process; /* first */
    const struct memory_config *config;
    struct kernel *kernel;
    const struct memory_calls *calls;
    void *context;
    uint64_t groups;
    struct memory_channel *channels; /* [groups][channels] */
    struct memory_bank *banks;       /* [groups][channels][banks] */
    struct memory_waiting *active;   /* [groups][channels][banks] */
    struct memory_entry *entries;    /* a pool */
    uint64_t reserved, capacity;
    uint32_t free_entry, entry_count; /* entries from entry_count on were never used */
    struct account *account;          /* NULL: slots are not recorded */
    uint32_t first_unit;
    struct memory_counts counts;
    uint64_t origin; /* cycles of the memory before cycle 0 of the kernel */
    bool asked;      /* an access has arrived */
};

struct memory_setup {
    const struct memory_config *config;
    struct kernel *kernel;
    const struct memory_calls *calls;
    void *context;
    uint32_t groups;
    uint64_t burst; /* writes at most that arrive together in one channel */
    struct account *account;
    uint32_t first_unit;
};

/* What setup points to stays the caller's. Returns 0, or -1 when the host has no memory. */
int memory_init(struct memory *memory, const struct memory_setup *setup);
void memory_free(struct memory *memory);

/* Reserve room for more reads that wait at the same time, and release it. Returns 0, or -1
 * when the host has no memory. */
int memory_reserve(struct memory *memory, uint64_t accesses);
void memory_release(struct memory *memory, uint64_t accesses);

/* An access arrives now, in a phase before SERVE; a write only where memory_accepts. */
void memory_ask(struct memory *memory, const struct memory_access *access);

/* Whether the channel of this granule takes writes. */
bool memory_accepts(const struct memory *memory, uint32_t group, uint32_t granule);
struct memory_room memory_room(const struct memory *memory, uint32_t group, uint32_t granule);

/* First cycle from which no channel has a slot, as far as slots have been given. */
uint64_t memory_free_at(const struct memory *memory);

/* The run ended at cycle `end`: the last slots count up to there. */
void memory_finish(struct memory *memory, uint64_t end);

#endif
