/* brute_state: what the parts of the brute-force model share. */
#ifndef TAKT_TESTS_BRUTE_BRUTE_STATE_H
#define TAKT_TESTS_BRUTE_BRUTE_STATE_H

#include "functional/mncore2/exec.h"
#include "tests/brute/brute_hazard.h"
#include "tests/brute/brute_model.h"

enum { MAX_PORTS = 32, CHANNELS_MAX = 64, BANKS_MAX = 256 };

struct field {
    char name; /* first letter of channel, bank, column, row */
    uint64_t size;
};

struct numbers {
    uint64_t slot_steps[2]; /* of units of 3 and of 2 PE slots */
    uint64_t start_latency, notice_latency, dar_latency;
    /* Cycles until a write takes its port, by memory; of L1BM from L2BM, by l2bmi, from the PE. */
    uint64_t lm_lands, registers_land, l2bm_lands, load_lands, multicast_lands, store_lands;
    uint64_t supply, unit, buffer; /* 65536ths of a byte */
    double pdm_port, dram_port, l2bm_port, link_width;
    bool shared_rates; /* by transfers of one mode between the same groups */
    uint64_t channels, banks, row_bytes, tccd, trcd, trp, tras, tcl, turnaround, trefi, trfc;
    uint64_t read_ahead, window, age_limit, write_buffer, write_high, write_low, defer, controller;
    struct field map[4]; /* from the highest field to the lowest */
};

struct port {
    char name[BRUTE_NAME];
    uint64_t end;           /* of its use so far, in 65536ths of a cycle */
    uint64_t held;          /* by all uses, likewise */
    uint64_t marked, until; /* its busy cycles, and the end of the last one */
};

/* Transfers of one mode between the same groups. */
struct way {
    unsigned mode;
    int from, to;
    uint64_t free_at;
};

struct transfer {
    const struct mv *mv;
    uint64_t issued, started, finished;
    uint64_t operations, done;
    uint64_t next; /* cycle from which the next operation may start, and since when in 65536ths */
    uint64_t exact;
    uint64_t pace; /* 65536ths of a cycle */
    struct way *way;
    uint64_t way_pace; /* cycles */
    struct port *ports[MAX_PORTS];
    const char *does[MAX_PORTS]; /* what is done there, and to how many long words */
    unsigned words[MAX_PORTS];
    uint64_t hold[MAX_PORTS]; /* 65536ths of a cycle */
    size_t port_count;
    uint64_t granules; /* of one operation in each group; 0 = no DRAM */
    unsigned dram_groups;
    bool writes_dram, begun, tag_open;
    uint64_t *data;         /* of each operation: cycle in which its data are there */
    uint64_t *missing;      /* of each operation: granules without a slot */
    uint64_t *addresses[4]; /* granules of each group */
    uint32_t line;
};

struct bank {
    uint64_t free_at, row, opened, owed;
    bool open, slot_since;
};

/* A granule that waits in a channel. */
struct waiting {
    struct transfer *transfer;
    uint64_t operation, bank, row;
    bool write, entered; /* into the window, at so many slots of the channel: */
    uint64_t slots;
};

struct channel {
    uint64_t slot_end, slots;
    int last; /* 0 none, 1 read, 2 write */
    bool drains;
    struct bank banks[BANKS_MAX];
    struct waiting *list; /* both directions, by priority, then in order of arrival */
    size_t count, room;
};

/* An entry of DAR that l2bmdarw has replaced, and the last cycle in which it still counts. */
struct old_entry {
    unsigned entry;
    uint64_t last;
    uint64_t held[4]; /* by group */
};

struct brute {
    const struct program *program;
    const struct brute_options *options;
    struct brute_result *result;
    struct numbers numbers;
    const struct config *config;
    uint64_t now;
    uint64_t level;      /* of the instruction buffer */
    uint64_t landed_all; /* end of the last write of a step */
    unsigned slots, used;
    uint32_t line;    /* of the statement that issues */
    size_t statement; /* and how many were before it */
    struct port ports[64];
    size_t port_count;
    struct way ways[1024];
    size_t way_count;
    struct old_entry *old; /* in the order of writing */
    size_t old_count, old_size;
    unsigned dar_next;
    uint64_t landed[L2BM_LONGS]; /* first cycle in which a long word of every L2BM can be read */
    struct channel *channels[4];
    struct transfer *transfers;
    size_t transfer_count;
    struct brute_hazard *hazard;
    struct exec *exec;
    bool failed;
};

/* brute_numbers.c: by the name of the parameter, and all that the model uses. */
uint64_t brute_number(const struct config *config, const char *name, bool documented);
void brute_numbers_read(const struct config *config, bool documented, struct numbers *n);

/* brute_transfer.c: one cycle of all transfers; an MV statement issues; l2bmdarw in the step at
 * brute->now writes an entry of DAR a cycle. */
void brute_transfer_cycle(struct brute *brute, uint64_t t);
void brute_transfer_issue(struct brute *brute, const struct mv *mv, uint32_t line);
void brute_transfer_replace_entries(struct brute *brute);

/* brute_step.c: units that the step at brute->now keeps busy. */
void brute_step_busy(struct brute *brute, const struct step *step);

/* brute_access.c: a unit is busy for some cycles. */
void brute_mark(struct brute *brute, const char *name, uint64_t from, uint64_t length);

/* The statement that issues does this in a cycle. Calls are in order of issue. */
struct brute_use {
    const char *unit, *operation;
    unsigned amount;
    bool holds; /* its port: an access that only begins does not */
};
void brute_access(struct brute *brute, const struct brute_use *use, uint64_t cycle);

/* brute_dram.c */
uint64_t brute_greatest(uint64_t a, uint64_t b);
/* One cycle of all channels. */
void brute_dram_cycle(struct brute *brute, uint64_t t);
/* All granules of one operation arrive. */
void brute_dram_arrive(struct brute *brute, struct transfer *transfer, uint64_t operation);
/* Whether there is room for the next operation's writes. */
bool brute_dram_accepts(const struct brute *brute, const struct transfer *transfer);

#endif
