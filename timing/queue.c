#include "timing/queue.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

_Static_assert((int)PHASE_COUNT <= (int)QUEUE_LISTS, "a slot has a list for each phase");
_Static_assert((QUEUE_SPAN & (QUEUE_SPAN - 1)) == 0, "slots are found by masking");

enum { WORDS = QUEUE_SPAN / 64 };

/* 32 bytes: two slots a cache line. */
struct queue_slot {
    uint32_t tails[QUEUE_LISTS]; /* per phase: last node of a circular list; 0 = none */
    uint32_t phases;             /* bit = list in use */
};

/* A list is circular in both directions. In the heap `next` is the node's place there. */
struct queue_node {
    uint64_t cycle;
    uint64_t sequence;
    void *data;
    uint32_t next, before; /* in its list; next also in the free list */
    uint32_t phase;
    bool in_heap;
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

static inline void heap_put(struct queue *queue, size_t place, uint32_t node)
{
    queue->heap[place] = node;
    queue->nodes[node].next = (uint32_t)place;
}

/* Move a node from a free place towards the top, to its place. */
static void heap_up(struct queue *queue, size_t i, uint32_t node)
{
    while (i > 0) {
        const size_t parent = (i - 1) / 2;
        if (!before(&queue->nodes[node], &queue->nodes[queue->heap[parent]]))
            break;
        heap_put(queue, i, queue->heap[parent]);
        i = parent;
    }
    heap_put(queue, i, node);
}

/* The same away from the top. */
static void heap_down(struct queue *queue, size_t i, uint32_t node)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= queue->heap_count)
            break;
        if (child + 1 < queue->heap_count &&
            before(&queue->nodes[queue->heap[child + 1]], &queue->nodes[queue->heap[child]]))
            child++;
        if (!before(&queue->nodes[queue->heap[child]], &queue->nodes[node]))
            break;
        heap_put(queue, i, queue->heap[child]);
        i = child;
    }
    heap_put(queue, i, node);
}

static void heap_push(struct queue *queue, uint32_t node)
{
    queue->nodes[node].in_heap = true;
    heap_up(queue, queue->heap_count++, node);
}

static void heap_remove(struct queue *queue, size_t place)
{
    queue->nodes[queue->heap[place]].in_heap = false;
    const uint32_t last = queue->heap[--queue->heap_count];
    if (place == queue->heap_count)
        return;
    if (place > 0 && before(&queue->nodes[last], &queue->nodes[queue->heap[(place - 1) / 2]]))
        heap_up(queue, place, last);
    else
        heap_down(queue, place, last);
}

static inline struct queue_slot *slot_of(struct queue *queue, const struct queue_node *node)
{
    return &queue->slots[node->cycle & (QUEUE_SPAN - 1)];
}

static inline void slot_append(struct queue *queue, uint32_t index)
{
    struct queue_node *nodes = queue->nodes, *node = &nodes[index];
    struct queue_slot *lists = slot_of(queue, node);
    uint32_t *tail = &lists->tails[node->phase];
    if (*tail) {
        node->next = nodes[*tail].next;
        node->before = *tail;
        nodes[node->next].before = index;
        nodes[*tail].next = index;
    } else {
        const uint32_t slot = (uint32_t)node->cycle & (QUEUE_SPAN - 1);
        node->next = node->before = index;
        lists->phases |= 1u << node->phase;
        queue->bitmap[slot / 64] |= 1ull << (slot % 64);
    }
    *tail = index;
}

static inline void slot_remove(struct queue *queue, uint32_t index)
{
    struct queue_node *nodes = queue->nodes, *node = &nodes[index];
    struct queue_slot *lists = slot_of(queue, node);
    uint32_t *tail = &lists->tails[node->phase];
    if (node->next == index) {
        const uint32_t slot = (uint32_t)node->cycle & (QUEUE_SPAN - 1);
        *tail = 0;
        lists->phases &= ~(1u << node->phase);
        if (!lists->phases)
            queue->bitmap[slot / 64] &= ~(1ull << (slot % 64));
        return;
    }
    nodes[node->before].next = node->next;
    nodes[node->next].before = node->before;
    if (*tail == index)
        *tail = node->before;
}

int queue_grow(struct queue *queue, size_t more)
{
    const size_t before = queue->capacity + 1;
    size_t room = before, heap_room = before;
    struct queue_node *nodes = grow(queue->nodes, &room, before + more, sizeof *nodes);
    queue->nodes = nodes ? nodes : queue->nodes;
    uint32_t *heap = nodes ? grow(queue->heap, &heap_room, room, sizeof *heap) : NULL;
    queue->heap = heap ? heap : queue->heap;
    if (!heap || room > UINT32_MAX - 2)
        return -1;
    for (size_t i = before; i < room; i++) {
        nodes[i] = (struct queue_node){.next = queue->free_list};
        queue->free_list = (uint32_t)i;
    }
    queue->capacity = room - 1;
    return 0;
}

uint32_t queue_push(struct queue *queue, uint64_t cycle, enum phase phase, void *data)
{
    const uint32_t index = queue->free_list;
    if (!index || cycle < queue->now || (cycle == queue->now && (uint32_t)phase < queue->phase))
        return 0;
    struct queue_node *node = &queue->nodes[index];
    queue->free_list = node->next;
    node->cycle = cycle;
    node->phase = (uint32_t)phase;
    node->data = data;
    node->sequence = queue->sequence++;
    queue->count++;
    if (cycle - queue->now < QUEUE_SPAN)
        slot_append(queue, index);
    else
        heap_push(queue, index);
    return index;
}

static inline void release(struct queue *queue, uint32_t index)
{
    queue->nodes[index].next = queue->free_list;
    queue->free_list = index;
    queue->count--;
}

void queue_remove(struct queue *queue, uint32_t number)
{
    if (queue->nodes[number].in_heap)
        heap_remove(queue, queue->nodes[number].next);
    else
        slot_remove(queue, number);
    release(queue, number);
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

bool queue_pop(struct queue *queue, struct queue_entry *entry)
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
    while (queue->heap_count && queue->nodes[queue->heap[0]].cycle - queue->now < QUEUE_SPAN) {
        const uint32_t near = queue->heap[0];
        heap_remove(queue, 0);
        slot_append(queue, near);
    }
    const struct queue_slot *lists = &queue->slots[slot];
    const uint32_t phase = (uint32_t)__builtin_ctz(lists->phases);
    const uint32_t index = queue->nodes[lists->tails[phase]].next;
    *entry = (struct queue_entry){queue->now, phase, queue->nodes[index].data};
    queue->phase = phase;
    slot_remove(queue, index);
    release(queue, index);
    return true;
}
