/* memory_parts: the channels and banks of a memory; for timing/memory*.c alone. All times in them
 * are cycles of the memory: of the kernel, and memory->origin more. */
#ifndef TAKT_TIMING_MEMORY_PARTS_H
#define TAKT_TIMING_MEMORY_PARTS_H

#include "timing/memory.h"

#define NO_ROW  UINT32_MAX
#define NOTHING UINT32_MAX

/* An access that waits for its slot. */
struct memory_entry {
    struct memory_access access;
    uint64_t arrival;
    uint64_t number;       /* of all accesses of its channel: by priority, then arrival */
    uint64_t entered;      /* slots of the channel when it came into the window */
    uint32_t bank, row;    /* bank of all channels */
    uint32_t next, before; /* in its queue; next also among the free ones */
    uint32_t bank_next, bank_before;
    bool in_window;
};

/* Accesses of one direction that wait, by priority, then arrival; the window is its beginning. */
struct memory_queue {
    uint32_t head, window_tail;
    uint32_t last[MEMORY_PRIORITIES]; /* of each priority */
    uint64_t count, window;
};

struct memory_bank {
    uint64_t ready;   /* first cycle for its next command or access */
    uint64_t close;   /* first cycle in which its row may be closed (tRAS) */
    uint64_t due;     /* of the first refresh that it has not done */
    uint32_t row;     /* open row or NO_ROW */
    bool used;        /* it has given a slot */
    uint32_t head[2]; /* accesses that wait for it: reads, writes, in the order of the queue */
    uint32_t last[2][MEMORY_PRIORITIES];
    uint32_t waiting; /* how many */
    uint32_t place;   /* in the channel's list of banks for which accesses wait */
};

/* A bank for which accesses wait, and what it does next. */
struct memory_waiting {
    uint64_t command;   /* first cycle in which it may give a command; UINT64_MAX: in none */
    uint64_t slot;      /* first cycle in which its candidate can take a slot, or UINT64_MAX */
    uint64_t number;    /* of the candidate */
    uint32_t candidate; /* an access whose row is open */
    uint32_t bank;
    bool known; /* the others hold, unless the turn is another one or it is time for the command */
};

/* What a channel is about: the direction, and its oldest access if that is overdue. */
struct memory_turn {
    bool write;
    uint32_t overdue;
};

struct memory_channel {
    struct memory *memory;
    uint64_t wake; /* when it next has something to do, UINT64_MAX = when an access arrives */
    struct memory_queue queues[2]; /* reads, writes */
    struct memory_waiting *active; /* banks for which accesses wait */
    uint32_t active_count;
    struct memory_turn turn; /* the last one */
    bool draining;           /* it serves writes rather than reads */
    bool used, writing;      /* whether there was a slot, and the direction of the last */
    uint64_t next;           /* end of its last slot */
    uint64_t served, arrived;
    uint64_t before_until; /* end of the last slot of `before` */
    uint32_t last;         /* requester of the last slot, MEMORY_NOBODY before the first */
    uint32_t before;       /* the other requester that came before it */
    uint32_t room_by;      /* requester of the slot that made room for a write last */
    uint64_t room_at;
    uint64_t start; /* the last slot is kept until the run is known to continue */
    uint32_t statement;
    bool kept;
};

static inline uint64_t memory_channels(const struct memory *memory)
{
    return memory->groups * memory->config->channels;
}

/* Of an access, in the order in which accesses that could take a slot do. */
static inline uint64_t memory_number(uint8_t priority, uint64_t arrived)
{
    return (uint64_t)(MEMORY_PRIORITIES - 1 - priority) << 56 | arrived;
}

/* No access has waited for this bank since its last one: the refreshes that it has begun before
 * cycle `now`. */
void memory_refresh_idle(const struct memory_config *config, struct memory_bank *bank,
                         uint64_t now);
/* An entry that is not used, or NOTHING. */
uint32_t memory_take_entry(struct memory *memory);
/* An access whose bank and row are set takes its place in both queues. */
void memory_join(struct memory_channel *channel, uint32_t index);
/* Everything that a channel does in a cycle. */
void memory_act(struct memory_channel *channel, uint64_t now);

#endif
