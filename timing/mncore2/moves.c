/*
 * moves: a program of MN-Core 2 as pieces (plain.h) that may be moved.
 *
 * What must stay in order is what the graph says (timing/graph.h). Beyond that: what a transfer
 * touches comes after the wait for it; dumps and presets keep their order, and so do transfers and
 * waits of one tag. Forwarding registers are relays: the reader is in the next step that is
 * neither nop nor noforward.
 */
#include "timing/mncore2/moves.h"

#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "host/hash.h"
#include "host/text.h"
#include "timing/mncore2/check_race.h"
#include "timing/mncore2/model.h"
#include "timing/mncore2/moves_ways.h"
#include "timing/mncore2/plain.h"
#include "timing/mncore2/run.h"

enum { RELAYS = 4, CACHE = 1 << 16 };
#define NO_NODE UINT32_MAX

/* --- calls of struct moves ------------------------------------------------------------------- */

/* By the hazards of the pair alone: nothing is known of masks. */
static uint32_t find_distance(const struct plain *p, uint32_t first, uint32_t second)
{
    const struct piece *a = &p->pieces[first], *b = &p->pieces[second];
    const struct graph_part *parts = p->made.lags.parts;
    const char *rule;
    uint64_t most = 0;
    for (uint32_t i = a->first; i < a->first + a->count; i++)
        for (uint32_t k = b->first; k < b->first + b->count; k++) {
            const uint64_t cycles =
                mncore2_graph_distance(&p->made.lags, parts[i].any_mask, parts[k].any_mask, &rule);
            most = cycles > most ? cycles : most;
        }
    return (uint32_t)(most / CYCLES);
}

static uint32_t distance(void *context, uint32_t first, uint32_t second)
{
    struct plain *p = context;
    const uint64_t key = ((uint64_t)first << 32 | second) + 1;
    struct remembered *slot = &p->distances[(key * HASH_FACTOR >> 40) % CACHE];
    if (slot->key != key)
        *slot = (struct remembered){key, find_distance(p, first, second)};
    return slot->answer;
}

/* Whether the language takes it: its text is read. */
static bool accepted(struct plain *p, const uint32_t *nodes, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    struct source source;
    int status = -1;
    FILE *out = text_open(&text, &size);
    if (out) {
        mncore2_plain_put(p, nodes, count, out);
        fputc('\n', out);
    }
    if (out && text_close(out, &text) == 0 && source_from_text(&source, "step", text, size) == 0) {
        struct program program;
        struct diag_list diags;
        diag_list_init(&diags);
        status = mncore2_program_parse(&program, &source, 1, &diags);
        mncore2_program_free(&program);
        diag_list_free(&diags);
        source_close(&source);
    }
    free(text);
    p->lost |= status < 0;
    return status == 0;
}

static bool together(void *context, const uint32_t *nodes, size_t count)
{
    struct plain *p = context;
    uint64_t key = 0; /* the same in any order */
    uint32_t lanes = 0;
    for (size_t i = 0; i < count; i++) {
        if (lanes & p->block->nodes[nodes[i]].lanes)
            return false;
        lanes |= p->block->nodes[nodes[i]].lanes;
        uint64_t x = (nodes[i] + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
        key += (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    }
    struct remembered *slot = &p->together[(key >> 40) % CACHE];
    if (slot->key != key)
        *slot = (struct remembered){key, accepted(p, nodes, count)};
    return slot->answer;
}

/* --- arcs ------------------------------------------------------------------------------------- */

static int arc(struct plain *p, uint32_t from, uint32_t to, uint32_t slots)
{
    return moves_add_arc(p->block, &(struct moves_arc){.from = from, .to = to, .slots = slots});
}

static const struct mv *mv_of(const struct plain *p, uint32_t n)
{
    return p->program->stmts[p->program->items[p->pieces[n].item].stmt].mv;
}

/* The first piece of an item, or of a later one: its waits, those that were added before its
 * own. */
static uint32_t first_piece(const struct plain *p, size_t item)
{
    size_t low = 0, high = p->block->node_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (p->pieces[middle].item < item)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* The wait for a transfer; NO_NODE: none. */
static uint32_t wait_for(const struct plain *p, uint32_t transfer)
{
    const uint32_t written = p->made.graph.nodes[p->pieces[transfer].first].waited;
    const struct added_wait *added = mncore2_tags_wait(&p->tags, p->pieces[transfer].item);
    if (!added && written == GRAPH_NONE)
        return NO_NODE;
    uint32_t wait = first_piece(p, added ? added->item : written);
    if (added) {
        while (p->pieces[wait].tag != added->tag)
            wait++;
        return wait;
    }
    while (wait + 1 < p->block->node_count && p->pieces[wait + 1].item == written &&
           p->block->nodes[wait + 1].kind == NODE_WAIT)
        wait++;
    return wait;
}

/* The same without waits. */
static int behind_end(struct plain *p, uint32_t from, uint32_t to, const struct graph_arc *found)
{
    const struct graph_node *transfer = &p->made.graph.nodes[p->pieces[from].first];
    const bool waited = !p->made.graph.nodes[found->to].outside && transfer->waited != GRAPH_NONE &&
                        transfer->waited <= p->pieces[to].item,
               behind = p->block->nodes[to].transfer &&
                        mncore2_mv_ends_before(mv_of(p, from), mv_of(p, to)),
               pair = mncore2_tags_slots(&p->made, p->program, found) > 0;
    return moves_add_arc(
        p->block, &(struct moves_arc){.from = from,
                                      .to = to,
                                      .timed = (waited && !behind) || pair,
                                      .kept = mncore2_tags_kept(&p->made, p->program, found)});
}

/* The last transfer before a wait with its tag; NO_NODE: there is none near. */
static uint32_t waited_by(const struct plain *p, uint32_t wait)
{
    const uint32_t least = wait > MOVES_WINDOW ? wait - MOVES_WINDOW : 0;
    for (uint32_t n = wait; n-- > least;)
        if (p->block->nodes[n].transfer && p->pieces[n].tag == p->pieces[wait].tag)
            return n;
    return NO_NODE;
}

/* A pair of transfer and access that only time keeps in order may be right because of waits for
 * other transfers between them: these stay between them, and the transfers keep their order. Of
 * each tag the last wait is enough. */
static int keep_waits(struct plain *p, uint32_t from, uint32_t to)
{
    const struct moves_node *nodes = p->block->nodes;
    const uint32_t least = to - from > MOVES_WINDOW ? to - MOVES_WINDOW : from + 1;
    bool seen[256] = {false};
    int status = 0;
    for (uint32_t wait = to; wait-- > least && status == 0;) {
        if (nodes[wait].kind != NODE_WAIT || seen[p->pieces[wait].tag])
            continue;
        seen[p->pieces[wait].tag] = true;
        const uint32_t other = waited_by(p, wait);
        status = arc(p, wait, to, nodes[to].kind == NODE_FREE);
        if (status == 0)
            status = moves_add_arc(p->block,
                                   &(struct moves_arc){.from = from, .to = wait, .issued = true});
        if (status == 0 && other != NO_NODE)
            status = arc(p, other < from ? other : from, other < from ? from : other, 0);
    }
    return status;
}

/* `to` touches what the transfer `from` moves: it comes after the wait, or after its end. */
static int behind_transfer(struct plain *p, uint32_t from, uint32_t to,
                           const struct graph_arc *found)
{
    const struct moves_node *nodes = p->block->nodes;
    if (p->free_waits)
        return behind_end(p, from, to, found);
    const uint32_t wait = wait_for(p, from);
    if (wait != NO_NODE && p->pieces[wait].item <= p->pieces[to].item)
        return arc(p, wait, to, nodes[to].kind == NODE_FREE);
    const uint32_t slots = mncore2_tags_slots(&p->made, p->program, found);
    const uint32_t kept = mncore2_tags_kept(&p->made, p->program, found);
    if (slots && keep_waits(p, from, to) != 0)
        return -1;
    return moves_add_arc(
        p->block, &(struct moves_arc){
                      .from = from, .to = to, .slots = slots, .timed = slots > 0, .kept = kept});
}

/* A multicast lands one step later than other writes of L1BM (3.6.3.5, 3.6.3.6). One step apart,
 * the later write might land first; no rule forbids it (docs/deviations.md, row 146). */
static bool overtaken(const struct plain *p, const struct graph_arc *found)
{
    const struct expr *first = p->made.lags.parts[found->from].expr,
                      *second = p->made.lags.parts[found->to].expr;
    return found->kind == ARC_WAW && found->space == SPACE_L1BM && first &&
           first->insn == INSN_L2BMI && !(second && second->insn == INSN_L2BMI);
}

static int add_dependence(struct plain *p, const struct graph_arc *found)
{
    const uint32_t from = p->piece_of[found->from], to = p->piece_of[found->to];
    const struct moves_node *a = &p->block->nodes[from], *b = &p->block->nodes[to];
    const bool dar = found->space == SPACE_DAR;
    const struct graph_part *parts = p->made.lags.parts;
    if (found->kind >= ARC_PORT || found->adjacent || from == to)
        return 0;
    if (a->transfer)
        return behind_transfer(p, from, to, found);
    if (a->kind == NODE_FREE)
        return arc(p, from, to, 0);
    uint32_t slots = 1;
    if (found->kind ==
        ARC_WAR) /* l2bmdarw counts on, too: it does not go with l2bmdars (3.6.7.10) */
        slots = b->kind == NODE_FREE || found->space == SPACE_DARBUF;
    p->careful |= dar;
    if (parts[found->from].item == parts[found->to].item)
        return arc(p, from, to, 0); /* of one step, as written */
    if (overtaken(p, found) && !p->free_waits) {
        slots = 2;
        p->careful = true;
    }
    if (found->kind == ARC_RAW && distance(p, from, to) > slots)
        slots = distance(p, from, to);
    if (found->kind == ARC_RAW && dar && b->transfer) /* 3.5.6 */
        slots = (uint32_t)(p->dar_latency + 2 * CYCLES - 1) / CYCLES;
    return arc(p, from, to, slots);
}

/* A transfer comes before the wait for it; and if that waits for a later one, which ends after it,
 * before that one. */
static int add_wait(struct plain *p, uint32_t transfer)
{
    const uint32_t wait = wait_for(p, transfer);
    if (wait == NO_NODE)
        return 0;
    const uint8_t tag = p->pieces[wait].tag;
    int status = arc(p, transfer, wait, 0);
    for (uint32_t m = transfer + 1; p->pieces[transfer].tag != tag && m < wait && status == 0; m++)
        if (p->block->nodes[m].transfer && p->pieces[m].tag == tag &&
            mncore2_mv_ends_before(mv_of(p, transfer), mv_of(p, m)))
            status = arc(p, transfer, m, 0);
    return status;
}

/* Order of transfers and waits of one tag, and of all dumps and presets. */
struct order {
    uint32_t wait[256]; /* last of each tag */
    uint32_t outside;   /* last dump or preset */
};

static int add_order(struct plain *p, struct order *order, uint32_t n)
{
    const struct moves_node *nodes = p->block->nodes;
    const uint8_t tag = p->pieces[n].tag;
    if (nodes[n].kind == NODE_FREE && !nodes[n].transfer) {
        const uint32_t last = order->outside;
        order->outside = n;
        return last == NO_NODE ? 0 : arc(p, last, n, 0);
    }
    if (p->free_waits)
        return 0;
    const uint32_t last = order->wait[tag];
    if (tag && last != NO_NODE && arc(p, last, n, 1) != 0)
        return -1;
    if (nodes[n].kind == NODE_WAIT)
        order->wait[tag] = n;
    return nodes[n].transfer ? add_wait(p, n) : 0;
}

/* --- forwarding registers --------------------------------------------------------------------- */

/* Which nodes filled the forwarding registers, in which item. */
struct forwards {
    uint32_t node[RELAYS], last[RELAYS];
    size_t item; /* the last step that may have */
};

/* The spans of a piece: [.., *end) of made.spans. */
static size_t spans_of(const struct plain *p, uint32_t n, size_t *end)
{
    const struct piece *piece = &p->pieces[n];
    *end = p->first_span[piece->first + piece->count];
    return p->first_span[piece->first];
}

static int add_relays(struct plain *p, const struct forwards *f, uint32_t n)
{
    size_t end, s = spans_of(p, n, &end);
    for (; s < end; s++) {
        const struct graph_span span = graph_spans_at(&p->made.spans, s);
        if (!span.latch || span.write)
            continue;
        const uint32_t from = f->node[span.first];
        if (from == NO_NODE || p->pieces[from].item != f->item) {
            snprintf(p->error, MACHINE_ERROR,
                     "line %u reads a forwarding register that the step before did not fill, so "
                     "that its order cannot be changed",
                     p->block->nodes[n].line);
            return 1;
        }
        p->block->nodes[from].loud = true;
        if (moves_add_arc(p->block, &(struct moves_arc){
                                        .from = from, .to = n, .slots = 1, .relay = true}) != 0)
            return -1;
    }
    return 0;
}

static void fill_relays(struct plain *p, struct forwards *f, uint32_t n)
{
    if (p->block->nodes[n].kind != NODE_STEP || p->block->nodes[n].quiet)
        return;
    size_t end, s = spans_of(p, n, &end);
    for (; s < end; s++) {
        const struct graph_span span = graph_spans_at(&p->made.spans, s);
        if (span.latch && span.write)
            f->node[span.first] = f->last[span.first] = n;
        if (span.space == SPACE_LBI && span.write)
            p->block->nodes[n].loud = true;
    }
    f->item = p->pieces[n].item;
}

/* What fills a forwarding register last stays the last, so that the state at the end is the
 * same. */
static int keep_last(struct plain *p, const struct forwards *f)
{
    for (uint32_t n = 0; n < p->block->node_count; n++) {
        size_t end, s = spans_of(p, n, &end);
        for (; s < end; s++) {
            const struct graph_span span = graph_spans_at(&p->made.spans, s);
            if (!span.latch || !span.write)
                continue;
            const uint32_t last = f->last[span.first];
            p->block->nodes[last].loud = true;
            if (n != last && arc(p, n, last, 1) != 0)
                return -1;
        }
    }
    return 0;
}

static int find_relays(struct plain *p)
{
    struct forwards f = {.item = SIZE_MAX};
    const uint32_t count = (uint32_t)p->block->node_count;
    int status = 0;
    for (unsigned r = 0; r < RELAYS; r++)
        f.node[r] = f.last[r] = NO_NODE;
    for (uint32_t n = 0, begin = 0; n < count && status == 0; n++) {
        if (p->block->nodes[n].kind == NODE_STEP)
            status = add_relays(p, &f, n);
        /* All reads of a step come before its writes. */
        if (n + 1 == count || p->pieces[begin].item != p->pieces[n + 1].item)
            for (; begin <= n; begin++)
                fill_relays(p, &f, begin);
    }
    return status == 0 ? keep_last(p, &f) : status;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Regions are barriers: the last pieces of one precede the first of the next. */
static int divide_regions(struct plain *p, bool *divided)
{
    struct moves_block *block = p->block;
    const uint32_t count = (uint32_t)block->node_count;
    struct directives directives;
    uint32_t *part = calloc(count + 1, sizeof *part);
    bool *inner = calloc(2 * (size_t)count + 1, sizeof *inner), *before = inner + count;
    int status = directives_read(&directives, p->program->sources, 1, NULL) < 0 || !part || !inner;
    for (uint32_t n = 0; n < count && !status; n++)
        part[n] = p->join_parts ? directives_region(&directives, 0, block->nodes[n].line)
                                : directives_part(&directives, 0, block->nodes[n].line);
    for (size_t a = 0; a < block->arc_count && !status; a++)
        if (part[block->arcs[a].from] == part[block->arcs[a].to])
            inner[block->arcs[a].from] = before[block->arcs[a].to] = true;
    for (uint32_t first = 0, next, end; first < count && !status; first = next) {
        for (next = first; next < count && part[next] == part[first];)
            next++;
        for (end = next; end < count && part[end] == part[next];)
            end++;
        *divided |= next < count;
        for (uint32_t m = first; m < next; m++)
            for (uint32_t n = next; n < end && !inner[m] && !status; n++)
                if (!before[n])
                    status = arc(p, m, n, block->nodes[m].kind != NODE_FREE);
    }
    directives_free(&directives);
    free(part);
    free(inner);
    return status ? -1 : 0;
}

static int by_to(const void *a, const void *b)
{
    const struct moves_arc *x = a, *y = b;
    return x->to != y->to       ? (x->to > y->to) - (x->to < y->to)
           : x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                                : (x->slots > y->slots) - (x->slots < y->slots);
}

static int find_arcs(struct plain *p, bool *divided)
{
    const struct graph *graph = &p->made.graph;
    struct order order = {.outside = NO_NODE};
    int status = 0;
    for (unsigned t = 0; t < 256; t++)
        order.wait[t] = NO_NODE;
    for (size_t a = 0; a < graph->arc_count && status == 0; a++)
        status = add_dependence(p, &graph->arcs[a]);
    for (uint32_t n = 0; n < p->block->node_count && status == 0; n++)
        status = add_order(p, &order, n);
    if (status == 0)
        status = find_relays(p);
    if (status == 0 && !p->free_waits)
        status = divide_regions(p, divided);
    if (p->block->arc_count)
        qsort(p->block->arcs, p->block->arc_count, sizeof *p->block->arcs, by_to);
    return status;
}

static void free_moves(void *context)
{
    struct plain *p = context;
    mncore2_graph_free(&p->made);
    mncore2_plain_free(p);
    free(p->distances);
    free(p->together);
    free(p);
}

int mncore2_moves(const struct machine_program *program, const struct config *config,
                  const struct machine_setting *settings, struct moves *moves,
                  char error[MACHINE_ERROR])
{
    static const uint32_t unit_slots[PACKING_COUNT] = {[PACKING_AUTO] = 3, [PACKING_FLAT] = 2};
    struct plain *p = calloc(1, sizeof *p);
    enum packing packing;
    *moves = (struct moves){.tags = moves->tags,
                            .free_waits = moves->free_waits,
                            .join_parts = moves->join_parts,
                            .slot_cycles = CYCLES,
                            .exact = !mncore2_stalls(settings),
                            .context = p,
                            .distance = distance,
                            .together = together,
                            .write = mncore2_plain_write,
                            .free = p ? free_moves : NULL};
    if (!p)
        return -1;
    p->program = &program->program;
    p->error = error;
    p->made.places = true;
    p->free_waits = moves->free_waits;
    p->join_parts = moves->join_parts;
    p->distances = calloc(CACHE, sizeof *p->distances);
    p->together = calloc(CACHE, sizeof *p->together);
    p->block = moves->blocks = calloc(1, sizeof *moves->blocks);
    if (!p->distances || !p->together || !p->block)
        return -1;
    moves->block_count = 1;
    p->dar_latency = config_integer(config, PARAM_dar_write_latency, false);
    const struct run_options options = {.settings = settings};
    const struct run_setup setup = {program, config, &options, NULL};
    int status = mncore2_graph_make(&p->made, &setup, error);
    if (status != 0)
        return status;
    moves->reach = (uint32_t)(mncore2_hazard_longest(p->made.lags.hazard) / CYCLES) + 2;
    if (mncore2_packing_choose(p->program, machine_setting(settings, "packing"), &packing) == 0)
        moves->unit_slots = unit_slots[packing];
    moves->unit_cycles = (uint32_t)p->made.lags.slot;
    status = mncore2_tags_find(&p->tags, &p->made, p->program, moves);
    if (status == 0)
        status = mncore2_plain_make(p);
    if (status == 0)
        status = mncore2_ways_find(p, config, error);
    if (status == 0)
        status = find_arcs(p, &moves->divided);
    moves->careful = p->careful;
    return status;
}
