#include "timing/memory.h"

#include <stdlib.h>

#define NO_ROW UINT32_MAX

struct memory_bank {
    uint64_t ready;   /* first cycle for its next access */
    uint64_t close;   /* first cycle in which its row may be closed (tRAS) */
    uint64_t refresh; /* when the first refresh that no access has met yet was or is due */
    uint32_t row;     /* open row or NO_ROW */
};

struct memory_channel {
    uint64_t next;         /* end of its last slot */
    uint64_t served;       /* slots so far ... */
    uint64_t noted;        /* ... and how many of them are in the account */
    uint64_t before_until; /* end of the last slot of `before` */
    uint32_t last;         /* requester of the last slot, MEMORY_NOBODY before the first */
    uint32_t before;       /* the other requester that came before it */
    bool used, writing;    /* whether there was a slot, and the direction of the last */
};

struct memory_slot {
    uint64_t start;
    uint32_t statement;
};

/* Where a granule lies. */
struct place {
    uint64_t channel; /* of all groups */
    struct memory_bank *bank;
    uint32_t row;
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t all_channels(const struct memory *memory)
{
    return memory->groups * memory->config->channels;
}

static uint64_t ring_size(const struct memory_config *config)
{
    const uint64_t backlog = config->tccd ? config->write_backlog / config->tccd : 0;
    uint64_t size = 1;
    while (size < backlog + config->in_flight + 1)
        size *= 2;
    return size;
}

int memory_init(struct memory *memory, const struct memory_config *config, uint32_t groups,
                uint32_t first_unit, struct account *account)
{
    *memory = (struct memory){.config = config,
                              .groups = groups,
                              .ring = ring_size(config),
                              .account = account,
                              .first_unit = first_unit,
                              .behind = MEMORY_NOBODY};
    const uint64_t channels = all_channels(memory), banks = channels * config->banks;
    memory->channels = calloc(channels, sizeof *memory->channels);
    memory->banks = calloc(banks, sizeof *memory->banks);
    memory->slots = calloc(channels * memory->ring, sizeof *memory->slots);
    if (!memory->channels || !memory->banks || !memory->slots) {
        memory_free(memory);
        return -1;
    }
    for (uint64_t c = 0; c < channels; c++)
        memory->channels[c].last = memory->channels[c].before = MEMORY_NOBODY;
    for (uint64_t b = 0; b < banks; b++) {
        const uint64_t above = config->banks - b % config->banks;
        memory->banks[b].row = NO_ROW;
        memory->banks[b].refresh =
            config->trefi ? config->trefi * above / config->banks : UINT64_MAX;
    }
    return 0;
}

void memory_free(struct memory *memory)
{
    free(memory->channels);
    free(memory->banks);
    free(memory->slots);
    *memory = (struct memory){0};
}

/* --- address ---------------------------------------------------------------------------------- */

static inline uint32_t field(const struct memory_config *config, enum memory_field which,
                             uint32_t granule)
{
    return granule / config->divisor[which] % config->size[which];
}

static inline uint64_t channel_of(const struct memory *memory, uint32_t group, uint32_t granule)
{
    return group * memory->config->channels + field(memory->config, MEMORY_CHANNEL, granule);
}

static inline struct place locate(const struct memory *memory, uint32_t group, uint32_t granule)
{
    const struct memory_config *config = memory->config;
    const uint64_t channel = channel_of(memory, group, granule);
    return (struct place){
        .channel = channel,
        .bank = &memory->banks[channel * config->banks + field(config, MEMORY_BANK, granule)],
        .row = field(config, MEMORY_ROW, granule)};
}

/* --- bank ------------------------------------------------------------------------------------- */

/* Make up for the refreshes that were due by cycle `now`. Only the first can meet an open row. */
static void refresh(const struct memory_config *config, struct memory_bank *bank, uint64_t now)
{
    const uint64_t due = bank->refresh;
    const uint64_t last = due + (now - due) / config->trefi * config->trefi;
    const uint64_t begin = bank->row == NO_ROW ? due : later(due, bank->close) + config->trp;
    bank->ready = later(bank->ready, begin + config->trfc);
    bank->ready = later(bank->ready, last + config->trfc);
    bank->refresh = last + config->trefi;
    bank->row = NO_ROW;
}

/* The first cycle in which the row is open for an access that arrives. */
static uint64_t open_row(const struct memory_config *config, struct memory_bank *bank, uint32_t row,
                         uint64_t arrival)
{
    const uint64_t look = later(arrival, bank->ready);
    if (look >= bank->refresh)
        refresh(config, bank, look);
    if (bank->row != row) {
        uint64_t activate = later(arrival, bank->ready);
        if (bank->row != NO_ROW)
            activate = later(activate, bank->close) + config->trp;
        bank->row = row;
        bank->close = activate + config->tras;
        bank->ready = activate + config->trcd;
    }
    return later(arrival, bank->ready);
}

/* --- channel ---------------------------------------------------------------------------------- */

/* The oldest slot that was kept back goes into the account, up to cycle `end`. */
static void note_oldest(struct memory *memory, uint64_t channel, uint64_t end)
{
    struct memory_channel *state = &memory->channels[channel];
    const uint64_t index = state->noted++ & (memory->ring - 1);
    const struct memory_slot *slot = &memory->slots[channel * memory->ring + index];
    const uint64_t tccd = memory->config->tccd;
    if (slot->start < end)
        account_busy(memory->account, memory->first_unit + (uint32_t)channel, slot->statement,
                     slot->start, end - slot->start < tccd ? end - slot->start : tccd);
}

static void keep_back(struct memory *memory, uint64_t channel, uint64_t start, uint32_t statement)
{
    struct memory_channel *state = &memory->channels[channel];
    if (state->served - state->noted == memory->ring)
        note_oldest(memory, channel, UINT64_MAX);
    const uint64_t index = state->served++ & (memory->ring - 1);
    memory->slots[channel * memory->ring + index] = (struct memory_slot){start, statement};
}

static void note_order(struct memory *memory, struct memory_channel *state,
                       const struct memory_access *access)
{
    if (state->last != access->requester) {
        state->before = state->last;
        state->before_until = state->next;
        state->last = access->requester;
    }
    if (state->before_until > access->arrival)
        memory->behind = state->before;
}

/* The begin of the next slot, which the channel gives to this access. */
static uint64_t take_slot(const struct memory_config *config, struct memory_channel *state,
                          bool write, uint64_t ready)
{
    const uint64_t turn = state->used && state->writing != write ? config->turnaround : 0;
    const uint64_t start = later(ready, state->next + turn);
    state->next = start + config->tccd;
    state->writing = write;
    state->used = true;
    return start;
}

uint64_t memory_serve(struct memory *memory, const struct memory_access *access)
{
    const struct memory_config *config = memory->config;
    if (config->ideal)
        return access->arrival;
    const struct place place = locate(memory, access->group, access->granule);
    struct memory_channel *state = &memory->channels[place.channel];
    if (memory->account)
        note_order(memory, state, access);
    const uint64_t ready = open_row(config, place.bank, place.row, access->arrival);
    const uint64_t start = take_slot(config, state, access->write, ready);
    place.bank->ready = state->next;
    if (memory->account && config->tccd)
        keep_back(memory, place.channel, start, access->statement);
    return start + config->tcl + config->tccd;
}

uint64_t memory_accepts(const struct memory *memory, uint32_t group, uint32_t granule)
{
    const uint64_t next = memory->channels[channel_of(memory, group, granule)].next;
    const uint64_t backlog = memory->config->write_backlog;
    return next > backlog ? next - backlog : 0;
}

uint64_t memory_free_at(const struct memory *memory)
{
    uint64_t last = 0;
    for (uint64_t c = 0; c < all_channels(memory); c++)
        last = later(last, memory->channels[c].next);
    return last;
}

void memory_finish(struct memory *memory, uint64_t end)
{
    for (uint64_t c = 0; c < all_channels(memory); c++)
        while (memory->channels[c].noted < memory->channels[c].served)
            note_oldest(memory, c, end);
}
