#include "timing/memory_parts.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/producer.h"

static inline uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void resume(struct process *process, struct kernel *kernel);

static void describe(const struct process *process, char *text, size_t size)
{
    (void)process;
    snprintf(text, size, "memory");
}

static void init_bank(const struct memory_config *config, struct memory_bank *bank, uint64_t number)
{
    *bank = (struct memory_bank){.row = NO_ROW, .head = {NOTHING, NOTHING}, .due = UINT64_MAX};
    memset(bank->last, 0xff, sizeof bank->last);
    if (config->trefi)
        bank->due = config->trefi * (config->banks - number) / config->banks;
}

int memory_init(struct memory *memory, const struct memory_setup *setup)
{
    const struct memory_config *config = setup->config;
    *memory = (struct memory){.process = {.resume = resume, .describe = describe},
                              .config = config,
                              .kernel = setup->kernel,
                              .calls = setup->calls,
                              .context = setup->context,
                              .groups = setup->groups,
                              .account = setup->account,
                              .first_unit = setup->first_unit,
                              .free_entry = NOTHING};
    const uint64_t channels = memory_channels(memory), banks = channels * config->banks;
    memory->channels = calloc(channels, sizeof *memory->channels);
    memory->banks = calloc(banks, sizeof *memory->banks);
    memory->active = calloc(banks, sizeof *memory->active);
    if (!memory->channels || !memory->banks || !memory->active) {
        memory_free(memory);
        return -1;
    }
    for (uint64_t c = 0; c < channels; c++) {
        struct memory_channel *channel = &memory->channels[c];
        *channel = (struct memory_channel){.memory = memory,
                                           .wake = UINT64_MAX,
                                           .active = memory->active + c * config->banks,
                                           .last = MEMORY_NOBODY,
                                           .before = MEMORY_NOBODY,
                                           .room_by = MEMORY_NOBODY};
        for (unsigned w = 0; w < 2; w++) {
            struct memory_queue *queue = &channel->queues[w];
            *queue = (struct memory_queue){.head = NOTHING, .window_tail = NOTHING};
            memset(queue->last, 0xff, sizeof queue->last);
        }
    }
    for (uint64_t b = 0; b < banks; b++)
        init_bank(config, &memory->banks[b], b % config->banks);
    if (config->ideal ||
        memory_reserve(memory, channels * (config->write_buffer + setup->burst)) == 0)
        return 0;
    memory_free(memory);
    return -1;
}

void memory_free(struct memory *memory)
{
    free(memory->channels);
    free(memory->banks);
    free(memory->active);
    free(memory->entries);
    *memory = (struct memory){0};
}

/* --- accesses that wait ----------------------------------------------------------------------- */

int memory_reserve(struct memory *memory, uint64_t accesses)
{
    memory->reserved += accesses;
    if (memory->reserved <= memory->capacity)
        return 0;
    struct memory_entry *entries =
        memory->reserved < NOTHING / 2
            ? grow(memory->entries, &memory->capacity, memory->reserved, sizeof *entries)
            : NULL;
    if (!entries)
        return -1;
    memory->entries = entries;
    return 0;
}

uint32_t memory_take_entry(struct memory *memory)
{
    const uint32_t index = memory->free_entry;
    if (index != NOTHING)
        memory->free_entry = memory->entries[index].next;
    else if (memory->entry_count < memory->capacity)
        return memory->entry_count++;
    return index;
}

void memory_release(struct memory *memory, uint64_t accesses)
{
    memory->reserved -= accesses;
}

/* What the bank does next may be something else now. */
static void forget_plan(struct memory_channel *channel, const struct memory_bank *bank)
{
    channel->active[bank->place].known = false;
}

/* The window takes in the next access of the queue. */
static void widen_window(struct memory_channel *channel, struct memory_queue *queue)
{
    struct memory_entry *entries = channel->memory->entries;
    while (queue->window < queue->count && queue->window < channel->memory->config->window) {
        const uint32_t e =
            queue->window_tail == NOTHING ? queue->head : entries[queue->window_tail].next;
        entries[e].in_window = true;
        forget_plan(channel, &channel->memory->banks[entries[e].bank]);
        entries[e].entered = channel->served;
        queue->window_tail = e;
        queue->window++;
    }
}

/* An access of higher priority has come into it: the last one leaves where it is full. */
static void narrow_window(struct memory_channel *channel, struct memory_queue *queue)
{
    struct memory_entry *entries = channel->memory->entries;
    if (queue->window <= channel->memory->config->window)
        return;
    struct memory_entry *entry = &entries[queue->window_tail];
    entry->in_window = false;
    forget_plan(channel, &channel->memory->banks[entry->bank]);
    queue->window_tail = entry->before;
    queue->window--;
}

/* The last entry of this priority or a higher one, after which the next of this priority comes. */
static uint32_t last_of(const uint32_t last[MEMORY_PRIORITIES], unsigned priority)
{
    while (priority < MEMORY_PRIORITIES && last[priority] == NOTHING)
        priority++;
    return priority < MEMORY_PRIORITIES ? last[priority] : NOTHING;
}

/* The last of a priority leaves; `before` is in front of it. */
static void retire(struct memory_entry *entries, uint32_t last[MEMORY_PRIORITIES], uint32_t index,
                   uint32_t before)
{
    const unsigned priority = entries[index].access.priority;
    if (last[priority] == index)
        last[priority] =
            before != NOTHING && entries[before].access.priority == priority ? before : NOTHING;
}

static void join_bank(struct memory_channel *channel, uint32_t index)
{
    struct memory *memory = channel->memory;
    struct memory_entry *entry = &memory->entries[index];
    struct memory_bank *bank = &memory->banks[entry->bank];
    uint32_t *last = bank->last[entry->access.write];
    const uint32_t before = last_of(last, entry->access.priority);
    uint32_t *next =
        before == NOTHING ? &bank->head[entry->access.write] : &memory->entries[before].bank_next;
    entry->bank_before = before;
    entry->bank_next = *next;
    if (*next != NOTHING)
        memory->entries[*next].bank_before = index;
    *next = index;
    last[entry->access.priority] = index;
    if (bank->waiting++ == 0) {
        bank->place = channel->active_count++;
        channel->active[bank->place].bank = entry->bank;
    }
    forget_plan(channel, bank);
}

static void leave_bank(struct memory_channel *channel, const struct memory_entry *entry)
{
    struct memory *memory = channel->memory;
    const uint32_t index = (uint32_t)(entry - memory->entries);
    struct memory_bank *bank = &memory->banks[entry->bank];
    if (entry->bank_before == NOTHING)
        bank->head[entry->access.write] = entry->bank_next;
    else
        memory->entries[entry->bank_before].bank_next = entry->bank_next;
    if (entry->bank_next != NOTHING)
        memory->entries[entry->bank_next].bank_before = entry->bank_before;
    retire(memory->entries, bank->last[entry->access.write], index, entry->bank_before);
    forget_plan(channel, bank);
    if (--bank->waiting)
        return;
    channel->active[bank->place] = channel->active[--channel->active_count];
    memory->banks[channel->active[bank->place].bank].place = bank->place;
}

static void join_queue(struct memory_channel *channel, uint32_t index)
{
    struct memory_entry *entries = channel->memory->entries, *entry = &entries[index];
    struct memory_queue *queue = &channel->queues[entry->access.write];
    const uint32_t before = last_of(queue->last, entry->access.priority);
    uint32_t *next = before == NOTHING ? &queue->head : &entries[before].next;
    entry->before = before;
    entry->next = *next;
    entry->in_window = *next != NOTHING && entries[*next].in_window;
    if (*next != NOTHING)
        entries[*next].before = index;
    *next = index;
    queue->last[entry->access.priority] = index;
    queue->count++;
    if (entry->in_window) {
        entry->entered = channel->served;
        queue->window++;
        narrow_window(channel, queue);
    }
    widen_window(channel, queue);
}

static void leave_queue(struct memory_channel *channel, const struct memory_entry *entry)
{
    struct memory_entry *entries = channel->memory->entries;
    struct memory_queue *queue = &channel->queues[entry->access.write];
    if (entry->before == NOTHING)
        queue->head = entry->next;
    else
        entries[entry->before].next = entry->next;
    if (entry->next != NOTHING)
        entries[entry->next].before = entry->before;
    retire(entries, queue->last, (uint32_t)(entry - entries), entry->before);
    if (&entries[queue->window_tail] == entry)
        queue->window_tail = entry->before;
    queue->count--;
    queue->window--;
    widen_window(channel, queue);
}

void memory_join(struct memory_channel *channel, uint32_t index)
{
    join_bank(channel, index);
    join_queue(channel, index);
}

/* --- refresh ---------------------------------------------------------------------------------- */

/* The first cycle in which the refreshes due at a bank cannot be deferred further. */
static inline uint64_t refresh_limit(const struct memory_config *config,
                                     const struct memory_bank *bank)
{
    return config->trefi ? bank->due + config->defer * config->trefi : UINT64_MAX;
}

/* Even then an open row stays for one slot, so that accesses progress with any numbers. */
static inline bool must_refresh(const struct memory_config *config, const struct memory_bank *bank,
                                uint64_t now)
{
    return now >= refresh_limit(config, bank) && (bank->row == NO_ROW || bank->used);
}

static void begin_refresh(const struct memory_config *config, struct memory_bank *bank,
                          uint64_t now)
{
    const uint64_t more = (now - bank->due) / config->trefi; /* that are due */
    bank->due += (more > config->defer ? more - config->defer + 1 : 1) * config->trefi;
    bank->ready = now + config->trfc;
}

void memory_refresh_idle(const struct memory_config *config, struct memory_bank *bank, uint64_t now)
{
    while (later(bank->ready, bank->due) < now) {
        uint64_t at = later(bank->ready, bank->due);
        if (bank->row != NO_ROW) {
            at = later(at, bank->close);
            if (at >= now)
                return;
            bank->row = NO_ROW;
            bank->ready = at + config->trp;
            continue;
        }
        begin_refresh(config, bank, at);
        if (bank->ready > bank->due || bank->due >= now)
            continue;
        /* None is due any more: those that follow begin when they are due. */
        const uint64_t last = bank->due + (now - 1 - bank->due) / config->trefi * config->trefi;
        bank->ready = last + config->trfc;
        bank->due = last + config->trefi;
    }
}

/* --- banks ------------------------------------------------------------------------------------ */

/* The oldest access of this direction, if it is overdue. */
static uint32_t overdue(const struct memory_channel *channel, bool write)
{
    const uint32_t head = channel->queues[write].head;
    if (head == NOTHING || channel->served - channel->memory->entries[head].entered <
                               channel->memory->config->age_limit)
        return NOTHING;
    return head;
}

static uint8_t priority_of(const struct memory_channel *channel, bool write)
{
    return channel->memory->entries[channel->queues[write].head].access.priority;
}

static struct memory_turn choose_turn(struct memory_channel *channel)
{
    const struct memory *memory = channel->memory;
    const uint64_t reads = channel->queues[false].count, writes = channel->queues[true].count;
    if (!writes)
        channel->draining = false;
    else if (!reads || writes >= memory->config->write_high)
        channel->draining = true;
    else if (writes <= memory->config->write_low)
        channel->draining = false;
    if (reads && writes) {
        const uint8_t of_read = priority_of(channel, false), of_write = priority_of(channel, true);
        if (of_read != of_write)
            return (struct memory_turn){of_write > of_read, overdue(channel, of_write > of_read)};
    }
    const uint32_t read = overdue(channel, false), write = overdue(channel, true);
    if (read == NOTHING && write == NOTHING)
        return (struct memory_turn){channel->draining, NOTHING};
    const bool first = read == NOTHING || (write != NOTHING && memory->entries[write].number <
                                                                   memory->entries[read].number);
    return (struct memory_turn){first, first ? write : read};
}

/* The access for which a bank gets ready, or NOTHING. */
static uint32_t target(const struct memory_channel *channel, uint32_t number)
{
    const struct memory_turn turn = channel->turn;
    const struct memory_entry *entries = channel->memory->entries;
    const struct memory_bank *bank = &channel->memory->banks[number];
    if (turn.overdue != NOTHING && entries[turn.overdue].bank == number)
        return turn.overdue;
    const uint32_t first = bank->head[turn.write];
    for (uint32_t e = first; e != NOTHING && entries[e].in_window &&
                             entries[e].access.priority == entries[first].access.priority;
         e = entries[e].bank_next)
        if (entries[e].row == bank->row)
            return e;
    return first;
}

/* A bank for which accesses wait gives the commands that it can give now. */
static void step_bank(struct memory_channel *channel, struct memory_waiting *plan, uint64_t now)
{
    const struct memory_config *config = channel->memory->config;
    const struct memory_entry *entries = channel->memory->entries;
    struct memory_bank *bank = &channel->memory->banks[plan->bank];
    struct memory_counts *counts = &channel->memory->counts;
    plan->known = true;
    plan->slot = UINT64_MAX;
    for (;;) {
        const bool refreshes = must_refresh(config, bank, now);
        const uint32_t e = refreshes ? NOTHING : target(channel, plan->bank);
        const uint64_t limit = refresh_limit(config, bank);
        plan->command = limit > now ? limit : UINT64_MAX;
        if (!refreshes && e == NOTHING)
            return;
        if (!refreshes && entries[e].row == bank->row) {
            plan->candidate = e;
            plan->number = entries[e].number;
            plan->slot = entries[e].in_window ? bank->ready : UINT64_MAX;
            return;
        }
        const uint64_t at = bank->row == NO_ROW ? bank->ready : later(bank->ready, bank->close);
        if (at > now) {
            plan->command = sooner(at, plan->command);
            return;
        }
        if (bank->row != NO_ROW) {
            counts->conflicts += !refreshes;
            bank->row = NO_ROW;
            bank->ready = now + config->trp;
        } else if (refreshes) {
            begin_refresh(config, bank, now);
        } else {
            counts->opened++;
            bank->row = entries[e].row;
            bank->used = false;
            bank->close = now + config->tras;
            bank->ready = now + config->trcd;
        }
    }
}

/* --- channel ---------------------------------------------------------------------------------- */

/* The slot that was kept back goes into the account, up to cycle `end`. */
static void note_slot(struct memory *memory, struct memory_channel *channel, uint64_t end)
{
    if (channel->kept && channel->start < end)
        account_busy(memory->account, memory->first_unit + (uint32_t)(channel - memory->channels),
                     channel->statement, channel->start - memory->origin,
                     sooner(end - channel->start, memory->config->tccd));
    channel->kept = false;
}

/* Of two requesters one after the other: the one served before this access while it waited. */
static uint32_t note_order(struct memory_channel *channel, const struct memory_entry *entry)
{
    if (channel->last != entry->access.requester) {
        channel->before = channel->last;
        channel->before_until = channel->next;
        channel->last = entry->access.requester;
    }
    return channel->before_until > entry->arrival ? channel->before : MEMORY_NOBODY;
}

/* The access leaves its queue and takes the slot that begins now. */
static void serve(struct memory_channel *channel, uint32_t index, uint64_t now)
{
    struct memory *memory = channel->memory;
    const struct memory_config *config = memory->config;
    struct memory_entry *entry = &memory->entries[index];
    const struct memory_access access = entry->access;
    const uint32_t behind = note_order(channel, entry);
    channel->served++;
    memory->counts.accesses++;
    leave_bank(channel, entry);
    leave_queue(channel, entry);
    entry->next = memory->free_entry;
    memory->free_entry = index;
    channel->used = true;
    channel->writing = access.write;
    channel->next = now + config->tccd;
    memory->banks[entry->bank].ready = channel->next;
    memory->banks[entry->bank].used = true;
    if (memory->account && config->tccd) {
        note_slot(memory, channel, UINT64_MAX);
        channel->start = now;
        channel->statement = access.statement;
        channel->kept = true;
    }
    if (!access.write) {
        const uint64_t there = now + config->tcl + config->tccd + config->latency;
        memory->calls->served(memory->context, &access, later(there, now + 1) - memory->origin,
                              behind);
    } else if (channel->queues[true].count + 1 == config->write_buffer) {
        channel->room_by = access.requester;
        channel->room_at = now;
        memory->calls->room(memory->context);
    }
}

/* The banks give their commands; then the oldest access in the window whose row is open takes the
 * next slot. Returns whether one has taken it. If not, the channel next has something to do when
 * channel->wake is. A bank of which nothing has changed has nothing to do before its time. */
static bool take_slot(struct memory_channel *channel, uint64_t now)
{
    const struct memory_turn turn = choose_turn(channel), last = channel->turn;
    const bool turned = turn.write != last.write || turn.overdue != last.overdue;
    const bool other_way = channel->used && channel->writing != turn.write;
    const uint64_t free_at = channel->next + (other_way ? channel->memory->config->turnaround : 0);
    uint64_t wake = UINT64_MAX, oldest = UINT64_MAX;
    uint32_t served = NOTHING;
    channel->turn = turn;
    for (uint32_t i = 0; i < channel->active_count; i++) {
        struct memory_waiting *plan = &channel->active[i];
        if (turned || !plan->known || plan->command <= now)
            step_bank(channel, plan, now);
        const uint64_t at = later(plan->slot, free_at);
        wake = sooner(wake, sooner(at, plan->command));
        if (at <= now && plan->number < oldest) {
            served = plan->candidate;
            oldest = plan->number;
        }
    }
    channel->wake = wake;
    if (served != NOTHING)
        serve(channel, served, now);
    return served != NOTHING;
}

void memory_act(struct memory_channel *channel, uint64_t now)
{
    while (take_slot(channel, now))
        ;
}

static void resume(struct process *process, struct kernel *kernel)
{
    struct memory *memory = (struct memory *)process;
    const uint64_t now = kernel->now + memory->origin;
    uint64_t next = UINT64_MAX;
    if (kernel->now >= memory->calls->end(memory->context))
        return;
    for (uint64_t c = 0; c < memory_channels(memory); c++) {
        struct memory_channel *channel = &memory->channels[c];
        if (channel->wake <= now)
            memory_act(channel, now);
        next = sooner(next, channel->wake);
    }
    if (next != UINT64_MAX)
        kernel_wake(kernel, process, next - memory->origin, PHASE_SERVE, "commands");
}

/* --- calls ------------------------------------------------------------------------------------ */

static inline uint32_t field(const struct memory_config *config, enum memory_field which,
                             uint32_t granule)
{
    return granule / config->divisor[which] % config->size[which];
}

static inline struct memory_channel *channel_of(const struct memory *memory, uint32_t group,
                                                uint32_t granule)
{
    return &memory->channels[group * memory->config->channels +
                             field(memory->config, MEMORY_CHANNEL, granule)];
}

void memory_ask(struct memory *memory, const struct memory_access *access)
{
    const struct memory_config *config = memory->config;
    struct memory_channel *channel = channel_of(memory, access->group, access->granule);
    const uint64_t now = memory->kernel->now + memory->origin;
    const uint32_t index = memory_take_entry(memory);
    if (index == NOTHING) {
        memory->kernel->broken = "more accesses wait than were reckoned with";
        return;
    }
    struct memory_entry *entry = &memory->entries[index];
    memory->asked = true;
    entry->access = *access;
    entry->arrival = now;
    entry->number = memory_number(access->priority, channel->arrived++);
    entry->bank = (uint32_t)((uint64_t)(channel - memory->channels) * config->banks) +
                  field(config, MEMORY_BANK, access->granule);
    entry->row = field(config, MEMORY_ROW, access->granule);
    if (!memory->banks[entry->bank].waiting)
        memory_refresh_idle(config, &memory->banks[entry->bank], now);
    memory_join(channel, index);
    channel->wake = now;
    kernel_wake_by(memory->kernel, &memory->process, memory->kernel->now, PHASE_SERVE, "access");
}

bool memory_accepts(const struct memory *memory, uint32_t group, uint32_t granule)
{
    return channel_of(memory, group, granule)->queues[true].count < memory->config->write_buffer;
}

/* A cycle of the kernel; what was before it began is 0. */
static uint64_t since(const struct memory *memory, uint64_t at)
{
    return at > memory->origin ? at - memory->origin : 0;
}

struct memory_room memory_room(const struct memory *memory, uint32_t group, uint32_t granule)
{
    const struct memory_channel *channel = channel_of(memory, group, granule);
    return (struct memory_room){channel->room_by, since(memory, channel->room_at)};
}

uint64_t memory_free_at(const struct memory *memory)
{
    uint64_t last = 0;
    for (uint64_t c = 0; c < memory_channels(memory); c++)
        last = later(last, memory->channels[c].next);
    return since(memory, last);
}

void memory_finish(struct memory *memory, uint64_t end)
{
    for (uint64_t c = 0; c < memory_channels(memory); c++)
        note_slot(memory, &memory->channels[c], end + memory->origin);
}
