#include "functional/mncore2/poison.h"

#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/effect.h"
#include "functional/mncore2/state.h"
#include "host/grow.h"
#include "host/hash.h"

typedef uint32_t dar_table[GROUPS][DAR_ENTRIES];

/* A transfer in flight. */
struct pending {
    const struct mv *mv;
    struct region region[2];
    struct poison_end end;
    uint64_t key;     /* key of its undefined words */
    uint64_t *words;  /* storage of all lists below, one allocation */
    uint64_t *source; /* source contents when the transfer began */
    uint64_t *result; /* data it will write */
    /* actual destination contents, saved while a d get sees the transfer as ended */
    uint64_t *now;
    uint64_t *scratch; /* as long as the longer side */
    size_t length[2];  /* long words of source and destination, all memories together */
    dar_table *dar;    /* DAR when the transfer began, if it is indirect; else NULL */
};

struct poison {
    struct exec *exec;
    const struct program *program;
    struct poison_end *ends;
    uint64_t mark;        /* upper half of every undefined word */
    struct pending *list; /* ordered by end, then by issue */
    size_t count, capacity, added;
    dar_table swapped; /* the current DAR while an older one is in use */
};

struct poison *mncore2_poison_new(struct exec *exec, const struct program *program,
                                  const struct poison_end *ends, uint64_t seed)
{
    struct poison *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->exec = exec;
    p->program = program;
    p->ends = malloc(program->item_count * sizeof *ends);
    if (!p->ends) {
        free(p);
        return NULL;
    }
    memcpy(p->ends, ends, program->item_count * sizeof *ends);
    p->mark = hash_mix(seed + UINT64_C(0x9e3779b97f4a7c15)) << 32;
    return p;
}

static void drop(struct pending *pending)
{
    free(pending->words);
    free(pending->dar);
}

void mncore2_poison_free(struct poison *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->count; i++)
        drop(&p->list[i]);
    free(p->list);
    free(p->ends);
    free(p);
}

/* --- words ------------------------------------------------------------------------------------ */

/* The i-th word of a destination in flight; lost: its value after the end is undefined, too. */
static uint64_t word_of(const struct poison *p, const struct pending *t, uint64_t i, bool lost)
{
    return p->mark | (uint32_t)hash_mix(t->key + 2 * i + lost);
}

static bool is_poison(const struct poison *p, uint64_t word)
{
    return (word & UINT64_C(0xffffffff00000000)) == p->mark;
}

/* --- one side of a transfer ------------------------------------------------------------------- */

static unsigned members(const struct region *region)
{
    return (unsigned)__builtin_popcount(region->set);
}

/* Copy all memories of a side, one after the other, to or from the machine. */
static void move(const struct poison *p, const struct pending *t, unsigned side, bool to,
                 uint64_t *words)
{
    const struct region *region = &t->region[side];
    for (unsigned left = region->set; left; left &= left - 1, words += region->length) {
        const unsigned bit = (unsigned)__builtin_ctz(left);
        const bool blocks = region->space == SPACE_L2BM;
        const struct mv_place place = {.mv = t->mv,
                                       .to = side != 0,
                                       .group = blocks ? bit / L2B_PER_GROUP : bit,
                                       .l2b = blocks ? bit % L2B_PER_GROUP : 0};
        mncore2_exec_mv_words(p->exec, &place, to, words, region->length);
    }
}

/* The same with the DAR of the transfer's begin. */
static void move_as_begun(struct poison *p, const struct pending *t, unsigned side, bool to,
                          uint64_t *words)
{
    if (t->dar) {
        memcpy(p->swapped, p->exec->dar, sizeof p->swapped);
        memcpy(p->exec->dar, *t->dar, sizeof *t->dar);
    }
    move(p, t, side, to, words);
    if (t->dar)
        memcpy(p->exec->dar, p->swapped, sizeof p->swapped);
}

/* --- begin and end ---------------------------------------------------------------------------- */

static bool dar_changed(const struct poison *p, const struct pending *t)
{
    const struct mv_operand *operand = t->mv->from.indirect ? &t->mv->from : &t->mv->to;
    const struct region *region = &t->region[t->mv->from.indirect ? 0 : 1];
    if (!t->dar)
        return false;
    const uint64_t accesses = (region->length + 15) / 16; /* of 16 long words each (3.5.6) */
    const uint64_t entries = t->mv->nd ? (accesses + t->mv->nd - 1) / t->mv->nd : 1;
    for (unsigned g = 0; g < GROUPS; g++)
        for (uint64_t i = 0; i < entries && i < DAR_ENTRIES; i++) {
            const uint64_t entry = (operand->addr + i) % DAR_ENTRIES;
            if (p->exec->dar[g][entry] != (*t->dar)[g][entry])
                return true;
        }
    return false;
}

/* Turn the destination's current contents in `words` into those after the end of the transfer. */
static void settle(struct poison *p, const struct pending *t, uint64_t *words)
{
    bool lost = dar_changed(p, t);
    if (!lost) {
        move_as_begun(p, t, 0, false, t->scratch);
        lost = memcmp(t->scratch, t->source, t->length[0] * sizeof *t->source) != 0;
    }
    for (size_t i = 0; i < t->length[1]; i++)
        if (!lost && words[i] == word_of(p, t, i, false))
            words[i] = t->result[i];
        else if (lost || (words[i] != t->result[i] && !is_poison(p, words[i])))
            words[i] = word_of(p, t, i, true);
}

/* Show the destination as if the transfer ended now; now keeps the actual contents. */
static void show_end(struct poison *p, struct pending *t)
{
    move_as_begun(p, t, 1, false, t->now);
    uint64_t *ended = t->scratch + t->length[0];
    memcpy(ended, t->now, t->length[1] * sizeof *ended);
    settle(p, t, ended);
    move_as_begun(p, t, 1, true, ended);
}

static void end_transfers(struct poison *p, size_t item)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        struct pending *t = &p->list[i];
        if (t->end.over <= item) {
            show_end(p, t);
            drop(t);
        } else {
            p->list[kept++] = *t;
        }
    }
    p->count = kept;
}

static const struct stmt *stmt_of(const struct poison *p, size_t item)
{
    return &p->program->stmts[p->program->items[item].stmt];
}

/* True for an MV statement whose transfer is still in flight after its item. */
static bool in_flight(const struct poison *p, size_t item)
{
    return stmt_of(p, item)->kind == STMT_MV && p->ends[item].over > item + 1;
}

/* Add a transfer that is about to be executed. */
static int add(struct poison *p, const struct mv *mv, size_t item)
{
    struct pending *list = grow(p->list, &p->capacity, p->count + 1, sizeof *list);
    if (!list)
        return -1;
    p->list = list;
    struct pending made = {.mv = mv, .end = p->ends[item]}, *t = &made;
    mncore2_effect_of_mv(mv, t->region);
    for (unsigned side = 0; side < 2; side++)
        t->length[side] = members(&t->region[side]) * t->region[side].length;
    t->key =
        hash_mix(hash_mix(mv->from.addr * 8 + mv->mode) + hash_mix(mv->to.addr) + mv->size) * 2;
    t->words = malloc((2 * t->length[0] + 3 * t->length[1]) * sizeof *t->words);
    if (!t->words)
        return -1;
    t->source = t->words;
    t->scratch = t->source + t->length[0];
    t->result = t->scratch + t->length[0] + t->length[1];
    t->now = t->result + t->length[1];
    if (mv->from.indirect || mv->to.indirect) {
        t->dar = malloc(sizeof *t->dar);
        if (!t->dar) {
            drop(t);
            return -1;
        }
        memcpy(*t->dar, p->exec->dar, sizeof *t->dar);
    }
    move(p, t, 0, false, t->source);
    p->added = p->count++;
    for (; p->added > 0 && list[p->added - 1].end.cycle > made.end.cycle; p->added--)
        list[p->added] = list[p->added - 1];
    list[p->added] = made;
    return 0;
}

int mncore2_poison_begin(struct poison *p, size_t item)
{
    const struct stmt *stmt = stmt_of(p, item);
    end_transfers(p, item);
    if (stmt->kind == STMT_GET)
        for (size_t i = 0; i < p->count; i++)
            show_end(p, &p->list[i]);
    return in_flight(p, item) ? add(p, stmt->mv, item) : 0;
}

int mncore2_poison_end(struct poison *p, size_t item)
{
    const struct stmt *stmt = stmt_of(p, item);
    if (in_flight(p, item)) { /* it has been executed */
        const struct pending *t = &p->list[p->added];
        move(p, t, 1, false, t->result);
        for (size_t i = 0; i < t->length[1]; i++)
            t->now[i] = word_of(p, t, i, false);
        move(p, t, 1, true, t->now);
    }
    if (stmt->kind == STMT_GET)
        for (size_t i = p->count; i-- > 0;)
            move_as_begun(p, &p->list[i], 1, true, p->list[i].now);
    if (item + 1 == p->program->item_count)
        end_transfers(p, SIZE_MAX);
    return 0;
}
