#include "timing/queue.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)PHASE_COUNT <= (int)QUEUE_LISTS, "a slot has a list for each phase");
_Static_assert((QUEUE_SPAN & (QUEUE_SPAN - 1)) == 0, "slots are found by masking");

enum { WORDS = QUEUE_SPAN / 64 };

/* 32 bytes: two slots a cache line. */
struct queue_slot {
    uint32_t tails[QUEUE_LISTS]; /* per phase: last node of a circular list; 0 = none */
    uint32_t phases;             /* bit = list in use */
};

struct queue_node {
    uint64_t cycle;
    uint64_t sequence;
    uint64_t data;
    uint32_t what;
    uint32_t next; /* in its list or in the free list */
    uint32_t phase;
};

int queue_init(struct queue *queue, size_t capacity)
{
    memset(queue, 0, sizeof *queue);
    if (capacity > UINT32_MAX - 2)
        return -1;
    queue->capacity = capacity;
    queue->nodes = calloc(capacity + 1, sizeof *queue->nodes); /* node 0 means none */
    queue->slots = calloc(QUEUE_SPAN, sizeof *queue->slots);
    queue->heap = calloc(capacity + 1, sizeof *queue->heap);
    if (!queue->nodes || !queue->slots || !queue->heap) {
        queue_free(queue);
        return -1;
    }
    for (size_t i = 1; i < capacity; i++)
        queue->nodes[i].next = (uint32_t)(i + 1);
    queue->free_list = capacity ? 1 : 0;
    return 0;
}

void queue_free(struct queue *queue)
{
    free(queue->nodes);
    free(queue->slots);
    free(queue->heap);
    memset(queue, 0, sizeof *queue);
}

static bool before(const struct queue_node *a, const struct queue_node *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle;
    if (a->phase != b->phase)
        return a->phase < b->phase;
    return a->sequence < b->sequence;
}

static void heap_push(struct queue *queue, uint32_t node)
{
    size_t i = queue->heap_count++;
    while (i > 0) {
        const size_t parent = (i - 1) / 2;
        if (!before(&queue->nodes[node], &queue->nodes[queue->heap[parent]]))
            break;
        queue->heap[i] = queue->heap[parent];
        i = parent;
    }
    queue->heap[i] = node;
}

static uint32_t heap_pop(struct queue *queue)
{
    const uint32_t top = queue->heap[0];
    const uint32_t last = queue->heap[--queue->heap_count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= queue->heap_count)
            break;
        if (child + 1 < queue->heap_count &&
            before(&queue->nodes[queue->heap[child + 1]], &queue->nodes[queue->heap[child]]))
            child++;
        if (!before(&queue->nodes[queue->heap[child]], &queue->nodes[last]))
            break;
        queue->heap[i] = queue->heap[child];
        i = child;
    }
    queue->heap[i] = last;
    return top;
}

static inline void slot_append(struct queue *queue, uint32_t index)
{
    struct queue_node *node = &queue->nodes[index];
    const uint32_t slot = (uint32_t)node->cycle & (QUEUE_SPAN - 1);
    struct queue_slot *lists = &queue->slots[slot];
    uint32_t *tail = &lists->tails[node->phase];
    if (*tail) {
        node->next = queue->nodes[*tail].next;
        queue->nodes[*tail].next = index;
    } else {
        node->next = index;
        lists->phases |= 1u << node->phase;
        queue->bitmap[slot / 64] |= 1ull << (slot % 64);
    }
    *tail = index;
}

bool queue_push(struct queue *queue, uint64_t cycle, enum phase phase, uint32_t what,
                uint64_t data)
{
    const uint32_t index = queue->free_list;
    if (!index || cycle < queue->now || (cycle == queue->now && (uint32_t)phase < queue->phase))
        return false;
    struct queue_node *node = &queue->nodes[index];
    queue->free_list = node->next;
    node->cycle = cycle;
    node->phase = (uint32_t)phase;
    node->what = what;
    node->data = data;
    node->sequence = queue->sequence++;
    queue->count++;
    if (cycle - queue->now < QUEUE_SPAN)
        slot_append(queue, index);
    else
        heap_push(queue, index);
    return true;
}

/* Slot in use that comes first from `now` on; QUEUE_SPAN when the wheel is empty. */
static inline uint32_t first_slot(const struct queue *queue)
{
    const uint32_t start = (uint32_t)queue->now & (QUEUE_SPAN - 1);
    uint32_t word = start / 64;
    const uint64_t first = queue->bitmap[word] & (~0ull << (start % 64));
    if (first)
        return word * 64 + (uint32_t)__builtin_ctzll(first);
    for (uint32_t i = 0; i < WORDS; i++) {
        word = (word + 1) % WORDS;
        if (queue->bitmap[word])
            return word * 64 + (uint32_t)__builtin_ctzll(queue->bitmap[word]);
    }
    return QUEUE_SPAN;
}

uint64_t queue_next(const struct queue *queue)
{
    const uint32_t slot = first_slot(queue);
    if (slot < QUEUE_SPAN)
        return queue->now + ((slot - (uint32_t)queue->now) & (QUEUE_SPAN - 1));
    return queue->heap_count ? queue->nodes[queue->heap[0]].cycle : UINT64_MAX;
}

bool queue_pop(struct queue *queue, struct queue_event *event)
{
    uint32_t slot = first_slot(queue);
    if (slot == QUEUE_SPAN) {
        if (!queue->heap_count)
            return false;
        queue->now = queue->nodes[queue->heap[0]].cycle;
        slot = (uint32_t)queue->now & (QUEUE_SPAN - 1);
    } else {
        queue->now += (slot - (uint32_t)queue->now) & (QUEUE_SPAN - 1);
    }
    /* Time has come nearer to the overflow: move it before anyone can push to those cycles. */
    while (queue->heap_count && queue->nodes[queue->heap[0]].cycle - queue->now < QUEUE_SPAN)
        slot_append(queue, heap_pop(queue));
    struct queue_slot *lists = &queue->slots[slot];
    const uint32_t phase = (uint32_t)__builtin_ctz(lists->phases);
    uint32_t *tail = &lists->tails[phase];
    const uint32_t index = queue->nodes[*tail].next;
    struct queue_node *node = &queue->nodes[index];
    if (index == *tail) {
        *tail = 0;
        lists->phases &= lists->phases - 1;
        if (!lists->phases)
            queue->bitmap[slot / 64] &= ~(1ull << (slot % 64));
    } else {
        queue->nodes[*tail].next = node->next;
    }
    *event = (struct queue_event){node->cycle, phase, node->what, node->data};
    queue->phase = phase;
    node->next = queue->free_list;
    queue->free_list = index;
    queue->count--;
    return true;
}

/* The nodes of the wheel come in order slot by slot, phase by phase; those of the heap come later. */
size_t queue_list(const struct queue *queue, struct queue_event *events, size_t size)
{
    size_t count = 0;
    for (uint32_t s = 0; s < QUEUE_SPAN; s++) {
        const struct queue_slot *lists =
            &queue->slots[((uint32_t)queue->now + s) & (QUEUE_SPAN - 1)];
        for (uint32_t left = lists->phases; left; left &= left - 1) {
            const uint32_t tail = lists->tails[__builtin_ctz(left)];
            uint32_t index = tail;
            do {
                index = queue->nodes[index].next;
                const struct queue_node *node = &queue->nodes[index];
                if (count < size)
                    events[count] =
                        (struct queue_event){node->cycle, node->phase, node->what, node->data};
                count++;
            } while (index != tail);
        }
    }
    /* A selection by rank: the heap holds what is far away, which is little. */
    const struct queue_node *last = NULL;
    for (size_t taken = 0; taken < queue->heap_count; taken++) {
        const struct queue_node *next = NULL;
        for (size_t i = 0; i < queue->heap_count; i++) {
            const struct queue_node *node = &queue->nodes[queue->heap[i]];
            if ((!last || before(last, node)) && (!next || before(node, next)))
                next = node;
        }
        if (count < size)
            events[count] = (struct queue_event){next->cycle, next->phase, next->what, next->data};
        count++;
        last = next;
    }
    return count;
}

void queue_shift(struct queue *queue, uint64_t cycles, uint64_t data)
{
    /* Taken out of the wheel slot by slot, the nodes keep their order. */
    uint32_t chain = 0, *end = &chain;
    for (uint32_t s = 0; s < QUEUE_SPAN; s++) {
        struct queue_slot *lists = &queue->slots[((uint32_t)queue->now + s) & (QUEUE_SPAN - 1)];
        for (uint32_t left = lists->phases; left; left &= left - 1) {
            uint32_t *tail = &lists->tails[__builtin_ctz(left)];
            *end = queue->nodes[*tail].next;
            end = &queue->nodes[*tail].next;
            *tail = 0;
        }
        lists->phases = 0;
    }
    *end = 0;
    memset(queue->bitmap, 0, sizeof queue->bitmap);
    queue->now += cycles;
    for (uint32_t index = chain, next; index; index = next) {
        struct queue_node *node = &queue->nodes[index];
        next = node->next;
        node->cycle += cycles;
        node->data += data;
        slot_append(queue, index);
    }
    for (size_t i = 0; i < queue->heap_count; i++) {
        queue->nodes[queue->heap[i]].cycle += cycles;
        queue->nodes[queue->heap[i]].data += data;
    }
}
