#include "timing/memory_state.h"

#include <stdlib.h>
#include <string.h>

#include "host/text.h"
#include "timing/memory_parts.h"
#include "timing/producer.h"

/* Cycle of the memory at which a kept state begins: later than any time that it refers to. */
#define BEGINNING (UINT64_C(1) << 40)

void memory_state_free(struct memory_state *state)
{
    free(state->bytes);
    *state = (struct memory_state){0};
}

bool memory_state_equal(const struct memory_state *a, const struct memory_state *b)
{
    if (!a->bytes || !b->bytes)
        return !a->bytes && !b->bytes && a->at == b->at;
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

int memory_state_copy(struct memory_state *copy, const struct memory_state *state)
{
    char *bytes = state->bytes ? malloc(state->size) : NULL;
    if (state->bytes && !bytes)
        return -1;
    if (bytes)
        memcpy(bytes, state->bytes, state->size);
    memory_state_free(copy);
    *copy = *state;
    copy->bytes = bytes;
    return 0;
}

/* --- to bytes --------------------------------------------------------------------------------- */

/* Seven bits a byte, the least first. */
static void put(FILE *out, uint64_t value)
{
    for (; value >> 7; value >>= 7)
        putc_unlocked((int)(value & 127) | 128, out);
    putc_unlocked((int)value, out);
}

static void put_later(FILE *out, uint64_t at, uint64_t now)
{
    put(out, at > now ? at - now : 0);
}

static void put_bank(const struct memory_config *config, const struct memory_bank *now_bank,
                     uint64_t now, FILE *out)
{
    struct memory_bank bank = *now_bank;
    if (!bank.waiting)
        memory_refresh_idle(config, &bank, now);
    const bool open = bank.row != NO_ROW;
    put(out, open ? 1 + (uint64_t)bank.row : 0);
    put(out, open && bank.used);
    put_later(out, open ? bank.close : 0, now);
    put_later(out, bank.ready, now);
    if (config->trefi)
        put(out, bank.due + BEGINNING - now); /* it may be past */
}

/* Reads have ended with their run; writes may wait. */
static void put_channel(const struct memory *memory, const struct memory_channel *channel,
                        uint64_t now, FILE *out)
{
    const struct memory_queue *writes = &channel->queues[true];
    const bool matters = channel->used && channel->next + memory->config->turnaround > now;
    put(out, matters ? 1U + channel->writing : 0);
    if (matters)
        put(out, channel->next + BEGINNING - now);
    put(out, writes->count && channel->draining);
    put(out, writes->count);
    for (uint32_t e = writes->head; e != NOTHING; e = memory->entries[e].next) {
        const struct memory_entry *entry = &memory->entries[e];
        put(out, entry->bank);
        put(out, entry->row);
        put(out, entry->access.priority);
        put(out, entry->in_window ? channel->served - entry->entered : 0);
    }
}

static int keep(const struct memory *memory, uint64_t now, struct memory_state *state)
{
    struct memory_state kept = {.groups = memory->groups, .config = *memory->config};
    const uint64_t channels = memory_channels(memory);
    FILE *out = text_open(&kept.bytes, &kept.size);
    for (uint64_t c = 0; out && c < channels; c++)
        put_channel(memory, &memory->channels[c], now, out);
    for (uint64_t b = 0; out && b < channels * memory->config->banks; b++)
        put_bank(memory->config, &memory->banks[b], now, out);
    if (text_close(out, &kept.bytes) != 0)
        return -1;
    memory_state_free(state);
    *state = kept;
    return 0;
}

int memory_leave(const struct memory *memory, uint64_t end, struct memory_state *state)
{
    return keep(memory, memory->origin + end, state);
}

/* --- from bytes ------------------------------------------------------------------------------- */

static uint64_t get(const char **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const unsigned char byte = (unsigned char)*(*at)++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static void get_bank(const struct memory_config *config, struct memory_bank *bank, const char **at)
{
    const uint64_t row = get(at);
    bank->row = row ? (uint32_t)(row - 1) : NO_ROW;
    bank->used = get(at);
    bank->close = BEGINNING + get(at);
    bank->ready = BEGINNING + get(at);
    bank->due = config->trefi ? get(at) : UINT64_MAX;
}

static void get_channel(struct memory *memory, struct memory_channel *channel, const char **at)
{
    const uint64_t direction = get(at);
    channel->used = direction;
    channel->writing = direction == 2;
    channel->next = direction ? get(at) : 0;
    channel->draining = get(at);
    channel->served = BEGINNING;
    for (uint64_t count = get(at); count; count--) {
        const uint32_t index = memory_take_entry(memory);
        struct memory_entry *entry = &memory->entries[index];
        *entry = (struct memory_entry){
            .access = {.write = true, .statement = NONE_ID, .requester = MEMORY_NOBODY},
            .arrival = BEGINNING};
        entry->bank = (uint32_t)get(at);
        entry->row = (uint32_t)get(at);
        entry->access.priority = (uint8_t)get(at);
        entry->number = memory_number(entry->access.priority, channel->arrived++);
        memory_join(channel, index);
        entry->entered -= get(at);
        channel->wake = BEGINNING;
    }
}

int memory_find(struct memory *memory, const struct memory_state *state)
{
    memory->origin = state->at;
    if (!state->bytes)
        return 0;
    memory->origin = BEGINNING;
    bool waits = false;
    const char *at = state->bytes;
    const uint64_t channels = memory_channels(memory);
    for (uint64_t c = 0; c < channels; c++) {
        get_channel(memory, &memory->channels[c], &at);
        waits |= memory->channels[c].wake == BEGINNING;
    }
    for (uint64_t b = 0; b < channels * memory->config->banks; b++)
        get_bank(memory->config, &memory->banks[b], &at);
    if (waits && memory->kernel)
        kernel_wake(memory->kernel, &memory->process, 0, PHASE_SERVE, "earlier writes");
    return 0;
}

/* --- time passes ------------------------------------------------------------------------------ */

static void no_room(void *context)
{
    (void)context;
}

int memory_wait(struct memory_state *state, uint64_t cycles)
{
    static const struct memory_calls calls = {.room = no_room};
    const struct memory_config config = state->config;
    const struct memory_setup setup = {
        .config = &config, .calls = &calls, .groups = (uint32_t)state->groups};
    struct memory memory;
    if (!state->bytes || !cycles) {
        state->at += cycles;
        return 0;
    }
    int status = memory_init(&memory, &setup);
    if (status == 0)
        status = memory_find(&memory, state);
    for (uint64_t c = 0; status == 0 && c < memory_channels(&memory); c++) {
        struct memory_channel *channel = &memory.channels[c];
        while (channel->wake < BEGINNING + cycles)
            memory_act(channel, channel->wake);
    }
    if (status == 0)
        status = keep(&memory, BEGINNING + cycles, state);
    memory_free(&memory);
    return status;
}
