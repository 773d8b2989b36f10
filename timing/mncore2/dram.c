#include "timing/mncore2/dram.h"

#include <stdlib.h>
#include <string.h>

#define NO_ROW UINT32_MAX

struct dram_bank {
    uint64_t ready;   /* first cycle for the next command */
    uint64_t close;   /* first cycle in which its row may be closed (tRAS) */
    uint64_t refresh; /* next refresh that was not looked at yet */
    uint32_t row;     /* open row or NO_ROW */
};

/* Granules that can lie beyond the end of a run: what a channel may have accepted, and one unit
 * operation more. */
static uint64_t recent_size(const struct dram_numbers *numbers)
{
    const uint64_t backlog = numbers->tccd ? numbers->write_backlog / numbers->tccd : 0;
    uint64_t size = 64;
    while (size < backlog + 64)
        size *= 2;
    return size;
}

int dram_init(struct dram *dram, const struct model *model, const struct dram_numbers *numbers,
              struct account *account)
{
    const uint64_t channels = GROUPS * numbers->channels;
    *dram = (struct dram){.numbers = numbers, .account = account, .model = model};
    dram->channels = calloc(channels, sizeof *dram->channels);
    dram->banks = calloc(channels * numbers->banks, sizeof *dram->banks);
    bool memory = dram->channels && dram->banks;
    if (memory && account) {
        dram->recent_mask = recent_size(numbers) - 1;
        for (uint64_t c = 0; c < channels; c++) {
            dram->channels[c].last = dram->channels[c].before = DRAM_NOBODY;
            dram->channels[c].recent = calloc(dram->recent_mask + 1, sizeof(uint64_t));
            dram->channels[c].recent_stmt = calloc(dram->recent_mask + 1, sizeof(uint32_t));
            memory &= dram->channels[c].recent && dram->channels[c].recent_stmt;
        }
    }
    if (!memory) {
        dram_free(dram);
        return -1;
    }
    for (uint64_t b = 0; b < channels * numbers->banks; b++) {
        const uint64_t bank = b % numbers->banks;
        dram->banks[b].row = NO_ROW;
        dram->banks[b].refresh =
            numbers->trefi ? numbers->trefi * (numbers->banks - bank) / numbers->banks : UINT64_MAX;
    }
    return 0;
}

void dram_free(struct dram *dram)
{
    for (uint64_t c = 0; dram->channels && c < GROUPS * dram->numbers->channels; c++) {
        free(dram->channels[c].recent);
        free(dram->channels[c].recent_stmt);
    }
    free(dram->channels);
    free(dram->banks);
    dram->channels = NULL;
    dram->banks = NULL;
}

static inline uint32_t field(const struct dram_numbers *numbers, enum dram_field which,
                             uint64_t granule)
{
    return (uint32_t)granule / numbers->divisor[which] % numbers->size[which];
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* When the first refresh that was not looked at ends: an open row is closed before it begins. */
static uint64_t refresh_end(const struct dram_numbers *numbers, const struct dram_bank *bank)
{
    const uint64_t begin = bank->row == NO_ROW
                               ? bank->refresh
                               : later(bank->refresh, bank->close) + numbers->trp;
    return begin + numbers->trfc;
}

/* The first cycle in which the bank takes an access to the row. */
static uint64_t open_row(const struct dram_numbers *numbers, struct dram_bank *bank, uint32_t row,
                         uint64_t arrival)
{
    const uint64_t first = later(arrival, bank->ready);
    if (first >= bank->refresh) {
        const uint64_t last = bank->refresh + (first - bank->refresh) / numbers->trefi *
                                                  numbers->trefi;
        bank->ready = later(bank->ready, refresh_end(numbers, bank));
        if (last > bank->refresh)
            bank->ready = later(bank->ready, last + numbers->trfc);
        bank->refresh = last + numbers->trefi;
        bank->row = NO_ROW;
    }
    if (bank->row != row) {
        uint64_t activate = later(arrival, bank->ready);
        if (bank->row != NO_ROW)
            activate = later(activate, bank->close) + numbers->trp;
        bank->row = row;
        bank->close = activate + numbers->tras;
        bank->ready = activate + numbers->trcd;
    }
    return later(arrival, bank->ready);
}

/* The oldest granule that is not in the account goes there, up to cycle `end`. */
static void account_oldest(struct dram *dram, unsigned group, unsigned channel,
                           struct dram_channel *state, uint64_t end)
{
    const uint64_t slot = state->noted++ & dram->recent_mask;
    const uint64_t start = state->recent[slot], stop = start + dram->numbers->tccd;
    if (start < end)
        account_busy(dram->account, model_channel(dram->model, group, channel),
                     state->recent_stmt[slot], start, (stop < end ? stop : end) - start);
}

/* The account of a granule is kept back while it could still lie beyond the end of the run. */
static void note(struct dram *dram, unsigned group, uint64_t channel, struct dram_channel *state,
                 uint64_t start, uint32_t stmt)
{
    if (state->served - state->noted > dram->recent_mask)
        account_oldest(dram, group, (unsigned)channel, state, UINT64_MAX);
    state->recent[state->served & dram->recent_mask] = start;
    state->recent_stmt[state->served & dram->recent_mask] = stmt;
    state->served++;
}

/* Whose granules are in front? A transfer that keeps its own in the queue is still behind those that
 * were there when its first one came. */
static void note_order(struct dram *dram, struct dram_channel *state, uint64_t arrival)
{
    if (state->last != dram->serving) {
        state->before = state->last;
        state->before_until = state->next;
        state->last = dram->serving;
    }
    if (state->before_until > arrival)
        dram->behind = state->before;
}

uint64_t dram_serve(struct dram *dram, unsigned group, uint64_t granule, bool write,
                    uint64_t arrival, uint32_t stmt)
{
    const struct dram_numbers *numbers = dram->numbers;
    const uint32_t channel = field(numbers, FIELD_CHANNEL, granule);
    const uint64_t index = group * numbers->channels + channel;
    struct dram_channel *state = &dram->channels[index];
    struct dram_bank *bank =
        &dram->banks[index * numbers->banks + field(numbers, FIELD_BANK, granule)];
    const uint64_t opened = open_row(numbers, bank, field(numbers, FIELD_ROW, granule), arrival);
    if (dram->account)
        note_order(dram, state, arrival);
    const uint64_t turn = state->next && state->writing != write ? numbers->turnaround : 0;
    const uint64_t start = later(opened, state->next + turn);
    state->next = start + numbers->tccd;
    state->writing = write;
    bank->ready = state->next;
    if (dram->account && numbers->tccd)
        note(dram, group, channel, state, start, stmt);
    return start + numbers->tcl + numbers->tccd;
}

uint64_t dram_accepts(const struct dram *dram, unsigned group, uint64_t granule)
{
    const struct dram_numbers *numbers = dram->numbers;
    const uint64_t next =
        dram->channels[group * numbers->channels + field(numbers, FIELD_CHANNEL, granule)].next;
    return next > numbers->write_backlog ? next - numbers->write_backlog : 0;
}

uint64_t dram_free_at(const struct dram *dram)
{
    uint64_t last = 0;
    for (uint64_t c = 0; c < GROUPS * dram->numbers->channels; c++)
        last = later(last, dram->channels[c].next);
    return last;
}

/* The granules whose slot is over by `now`; nothing counts from `end` on. */
static void account_until(struct dram *dram, uint64_t now, uint64_t end)
{
    const struct dram_numbers *numbers = dram->numbers;
    if (!dram->account || !numbers->tccd)
        return;
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned c = 0; c < numbers->channels; c++) {
            struct dram_channel *state = &dram->channels[g * numbers->channels + c];
            while (state->noted < state->served &&
                   state->recent[state->noted & dram->recent_mask] + numbers->tccd <= now)
                account_oldest(dram, g, c, state, end);
        }
}

void dram_finish(struct dram *dram, uint64_t end)
{
    account_until(dram, UINT64_MAX, end);
}

/* --- repetitions ------------------------------------------------------------------------------------- */

void dram_settle(struct dram *dram, uint64_t now)
{
    account_until(dram, now, UINT64_MAX);
}

/* A refresh that has ended without anybody's looking has left a closed row, and so has every one
 * since; of the last only its own time is left. */
static void bank_words(const struct dram_numbers *numbers, const struct dram_bank *bank,
                       uint64_t now, struct words *words)
{
    uint64_t refresh = bank->refresh, ready = bank->ready, close = bank->close;
    uint32_t row = bank->row;
    if (refresh <= now) {
        close = refresh_end(numbers, bank);
        row = NO_ROW;
        if (close <= now) {
            const uint64_t last = refresh + (now - refresh) / numbers->trefi * numbers->trefi;
            refresh = last + numbers->trefi;
            ready = later(ready, last + numbers->trfc);
            close = 0;
        }
    } else if (row == NO_ROW) {
        close = 0;
    }
    words_add_later(words, ready, now);
    words_add(words, row);
    words_add_later(words, close, now);
    words_add(words, refresh == UINT64_MAX ? UINT64_MAX : refresh - now);
}

void dram_words(const struct dram *dram, unsigned groups, uint64_t now, uint32_t item,
                uint32_t count, struct words *words)
{
    const struct dram_numbers *numbers = dram->numbers;
    for (uint64_t c = 0; c < GROUPS * numbers->channels; c++) {
        if (!(groups >> c / numbers->channels & 1))
            continue;
        const struct dram_channel *state = &dram->channels[c];
        words_add_later(words, state->next ? state->next + numbers->turnaround : 0, now);
        words_add(words, state->next + numbers->turnaround > now && state->writing);
        if (dram->account) {
            words_add(words, state->next > now ? count - state->last : 0);
            words_add(words, state->before_until > now ? count - state->before : 0);
            words_add_later(words, state->before_until, now);
        }
        words_add(words, state->served - state->noted);
        for (uint64_t i = state->noted; i < state->served; i++) {
            words_add(words, state->recent[i & dram->recent_mask] - now);
            words_add(words, item - state->recent_stmt[i & dram->recent_mask]);
        }
        for (uint64_t b = 0; b < numbers->banks; b++)
            bank_words(numbers, &dram->banks[c * numbers->banks + b], now, words);
    }
}

void dram_shift(struct dram *dram, unsigned groups, uint64_t cycles, uint32_t items,
                uint32_t transfers)
{
    const struct dram_numbers *numbers = dram->numbers;
    for (uint64_t c = 0; c < GROUPS * numbers->channels; c++) {
        if (!(groups >> c / numbers->channels & 1))
            continue;
        struct dram_channel *state = &dram->channels[c];
        if (state->next)
            state->next += cycles;
        if (state->last != DRAM_NOBODY)
            state->last += transfers;
        if (state->before != DRAM_NOBODY) {
            state->before += transfers;
            state->before_until += cycles;
        }
        for (uint64_t i = state->noted; i < state->served; i++) {
            state->recent[i & dram->recent_mask] += cycles;
            state->recent_stmt[i & dram->recent_mask] += items;
        }
        for (uint64_t b = 0; b < numbers->banks; b++) {
            struct dram_bank *bank = &dram->banks[c * numbers->banks + b];
            bank->ready += cycles;
            bank->close += cycles;
            if (bank->refresh != UINT64_MAX)
                bank->refresh += cycles;
        }
    }
}
