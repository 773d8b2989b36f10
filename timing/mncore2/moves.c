/*
 * moves: a program of MN-Core 2 as pieces (plain.h) that may be moved.
 *
 * What must stay in order: whatever reads or writes a place that another writes. Of a step all
 * reads come before all writes, so a reader may share the step of a later writer. What a transfer
 * touches is behind the wait for it. Forwarding registers are relays: the reader stands in the next
 * step that is neither nop nor noforward.
 *
 * Nodes at more than MOVES_WINDOW are never compared: analysis/list_schedule.c does not change
 * the order of nodes at such a distance.
 */
#include "timing/mncore2/moves.h"

#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "host/grow.h"
#include "host/hash.h"
#include "timing/mncore2/model.h"
#include "timing/mncore2/plain.h"
#include "timing/mncore2/run.h"

enum { RELAYS = 4, CACHE = 1 << 16 };
#define NO_NODE UINT32_MAX

/* --- dependences ------------------------------------------------------------------------------ */

enum { RAW = 1, WAR = 2, WAW = 4, FAR = 8, DAR_ONLY = 16 };

/* How a later node depends on an earlier one. FAR: in L1BM, where a write may overtake another; not
 * DAR_ONLY: in something else than the address registers. */
static unsigned depends(const struct plain *p, uint32_t from, uint32_t to)
{
    const struct piece *a = &p->pieces[from], *b = &p->pieces[to];
    const struct span *ra = p->spans + a->spans, *rb = p->spans + b->spans;
    unsigned kinds = 0;
    bool other = false;
    for (size_t i = 0; i < a->reads + a->writes; i++) {
        if (ra[i].space == SPACE_FWD)
            continue;
        for (size_t k = i < a->reads ? b->reads : 0; k < b->reads + b->writes; k++) {
            if (!mncore2_plain_meet(p, &ra[i], &rb[k]))
                continue;
            const bool wrote = i >= a->reads, writes = k >= b->reads;
            kinds |= !wrote ? WAR : writes ? WAW : RAW;
            if (wrote && writes && ra[i].space == SPACE_L1BM)
                kinds |= FAR;
            other |= ra[i].space != SPACE_DAR;
        }
    }
    return kinds && !other ? kinds | DAR_ONLY : kinds;
}

/* --- calls of struct moves ------------------------------------------------------------------- */

/* By the hazards of the pair alone: nothing is known of masks. */
static uint32_t find_distance(struct plain *p, uint32_t first, uint32_t second)
{
    const struct hazard_profile *a = p->pieces[first].profile, *b = p->pieces[second].profile;
    if (!a || !b)
        return 0;
    p->now += 2 * (mncore2_hazard_longest(p->hazard) + 2 * CYCLES) / CYCLES * CYCLES;
    mncore2_hazard_forget_mask(p->window, 0);
    mncore2_hazard_issue(p->window, a, p->now, first);
    const uint64_t at = mncore2_hazard_earliest(p->window, b, p->now + CYCLES, NULL);
    return (uint32_t)((at - p->now) / CYCLES);
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

static void put_exprs(const struct plain *p, const uint32_t *nodes, size_t count, FILE *out)
{
    const char *divider = "";
    for (size_t i = 0; i < count; i++) {
        if (p->block->nodes[nodes[i]].kind != NODE_STEP)
            continue;
        const char *text = p->text + p->pieces[nodes[i]].at;
        fprintf(out, "%s%.*s", divider, (int)strcspn(text, "\n"), text);
        divider = "; ";
    }
}

/* Whether the language takes it: its text is read. */
static bool accepted(struct plain *p, const uint32_t *nodes, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return false;
    put_exprs(p, nodes, count, out);
    fputc('\n', out);
    struct source source;
    bool good = fclose(out) == 0;
    if (good && source_from_text(&source, "step", text, size) == 0) {
        struct program program;
        struct diag_list diags;
        diag_list_init(&diags);
        good = mncore2_program_parse(&program, &source, 1, &diags) == 0;
        mncore2_program_free(&program);
        diag_list_free(&diags);
        source_close(&source);
    }
    free(text);
    return good;
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

static int refuse(struct plain *p, uint32_t node, const char *why, uint32_t other)
{
    snprintf(p->error, MACHINE_ERROR, "line %u %s line %u, so that its order cannot be changed",
             p->block->nodes[node].line, why, p->block->nodes[other].line);
    return 1;
}

static bool region_known(const struct plain *p, uint32_t n)
{
    return !mncore2_plain_stmt(p, n)->mv->from.indirect &&
           !mncore2_plain_stmt(p, n)->mv->to.indirect;
}

/* `to` touches what the transfer `from` moves: it comes behind the wait. */
static int behind_transfer(struct plain *p, uint32_t from, uint32_t to, unsigned kinds)
{
    const struct moves_node *nodes = p->block->nodes;
    const uint8_t tag = p->pieces[from].tag;
    for (uint32_t w = from + 1; tag && w < to; w++)
        if (nodes[w].kind == NODE_WAIT && p->pieces[w].tag == tag)
            return arc(p, w, to, nodes[to].kind == NODE_FREE);
    const bool outside = nodes[to].kind == NODE_FREE && !nodes[to].transfer;
    if (kinds & DAR_ONLY || outside || !region_known(p, from) ||
        (nodes[to].transfer && !region_known(p, to)))
        return arc(p, from, to, 0);
    return refuse(p, to, "does not wait for the transfer in", from);
}

static int add_dependence(struct plain *p, uint32_t from, uint32_t to)
{
    const struct moves_node *a = &p->block->nodes[from], *b = &p->block->nodes[to];
    const unsigned kinds = depends(p, from, to);
    if (!kinds)
        return 0;
    if (a->transfer)
        return behind_transfer(p, from, to, kinds);
    if (a->kind == NODE_FREE)
        return arc(p, from, to, 0);
    const bool free = b->kind == NODE_FREE;
    uint32_t slots = kinds == WAR && !free ? 0 : kinds & FAR ? 2 : 1;
    if (kinds & RAW && distance(p, from, to) > slots)
        slots = distance(p, from, to);
    if (kinds & DAR_ONLY && kinds & RAW && b->transfer) /* 3.5.6 */
        slots = (uint32_t)(p->dar_latency + 2 * CYCLES - 1) / CYCLES;
    return arc(p, from, to, slots);
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
    const bool wait = nodes[n].kind == NODE_WAIT;
    if (nodes[n].kind == NODE_FREE && !nodes[n].transfer) {
        const uint32_t last = order->outside;
        order->outside = n;
        return last == NO_NODE ? 0 : arc(p, last, n, 0);
    }
    if (!tag)
        return 0;
    const uint32_t last = order->wait[tag];
    if (last != NO_NODE && arc(p, last, n, 1) != 0)
        return -1;
    for (uint32_t m = last == NO_NODE ? 0 : last + 1; wait && m < n; m++)
        if (nodes[m].transfer && p->pieces[m].tag == tag && arc(p, m, n, 0) != 0)
            return -1;
    if (wait)
        order->wait[tag] = n;
    return 0;
}

/* Which nodes filled the forwarding registers, in which item. */
struct forwards {
    uint32_t node[RELAYS], last[RELAYS];
    size_t item; /* the last step that may have */
};

static int add_relays(struct plain *p, const struct forwards *f, uint32_t n)
{
    const struct piece *piece = &p->pieces[n];
    for (size_t i = 0; i < piece->reads; i++) {
        const struct span *span = &p->spans[piece->spans + i];
        if (span->space != SPACE_FWD)
            continue;
        const uint32_t from = f->node[span->first];
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
    const struct piece *piece = &p->pieces[n];
    if (p->block->nodes[n].kind != NODE_STEP || p->block->nodes[n].quiet)
        return;
    for (size_t i = 0; i < piece->writes; i++) {
        const struct span *span = &p->spans[piece->spans + piece->reads + i];
        if (span->space == SPACE_FWD)
            f->node[span->first] = f->last[span->first] = n;
        if (span->space == SPACE_LBI)
            p->block->nodes[n].loud = true;
    }
    f->item = piece->item;
}

/* What fills a forwarding register last stays the last, so that the state at the end is the
 * same. */
static int keep_last(struct plain *p, const struct forwards *f)
{
    for (uint32_t n = 0; n < p->block->node_count; n++) {
        const struct piece *piece = &p->pieces[n];
        for (size_t i = piece->reads; i < piece->reads + piece->writes; i++) {
            const struct span *span = &p->spans[piece->spans + i];
            if (span->space != SPACE_FWD)
                continue;
            const uint32_t last = f->last[span->first];
            p->block->nodes[last].loud = true;
            if (n != last && arc(p, n, last, 1) != 0)
                return -1;
        }
    }
    return 0;
}

/* What stands in a region stays in it: its last pieces come before the first of what follows. */
static int part_regions(struct plain *p, bool *parted)
{
    struct moves_block *block = p->block;
    const uint32_t count = (uint32_t)block->node_count;
    struct directives directives;
    uint32_t *part = calloc(count + 1, sizeof *part);
    bool *inner = calloc(2 * (size_t)count + 1, sizeof *inner), *before = inner + count;
    int status = directives_read(&directives, p->program->sources, 1, NULL) < 0 || !part || !inner;
    for (uint32_t n = 0; n < count && !status; n++)
        part[n] = directives_part(&directives, 0, block->nodes[n].line);
    for (size_t a = 0; a < block->arc_count && !status; a++)
        if (part[block->arcs[a].from] == part[block->arcs[a].to])
            inner[block->arcs[a].from] = before[block->arcs[a].to] = true;
    for (uint32_t first = 0, next, end; first < count && !status; first = next) {
        for (next = first; next < count && part[next] == part[first];)
            next++;
        for (end = next; end < count && part[end] == part[next];)
            end++;
        *parted |= next < count;
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
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to)
                          : (x->from > y->from) - (x->from < y->from);
}

static int find_arcs(struct plain *p, bool *parted)
{
    struct order order = {.outside = NO_NODE};
    struct forwards f = {.item = SIZE_MAX};
    const uint32_t count = (uint32_t)p->block->node_count;
    int status = 0;
    for (unsigned t = 0; t < 256; t++)
        order.wait[t] = NO_NODE;
    for (unsigned r = 0; r < RELAYS; r++)
        f.node[r] = f.last[r] = NO_NODE;
    for (uint32_t n = 0, begin = 0; n < count && status == 0; n++) {
        for (uint32_t m = n > MOVES_WINDOW ? n - MOVES_WINDOW : 0; m < n && status == 0; m++)
            if (p->block->nodes[m].kind != NODE_WAIT && p->block->nodes[n].kind != NODE_WAIT)
                status = add_dependence(p, m, n);
        if (status == 0)
            status = add_order(p, &order, n);
        if (status == 0 && p->block->nodes[n].kind == NODE_STEP)
            status = add_relays(p, &f, n);
        /* All reads of a step come before its writes. */
        if (n + 1 == count || p->pieces[begin].item != p->pieces[n + 1].item)
            for (; begin <= n; begin++)
                fill_relays(p, &f, begin);
    }
    if (status == 0)
        status = keep_last(p, &f);
    if (status == 0)
        status = part_regions(p, parted);
    if (p->block->arc_count)
        qsort(p->block->arcs, p->block->arc_count, sizeof *p->block->arcs, by_to);
    return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A line of the program that is a comment alone. */
struct remark {
    const char *text;
    uint32_t line, length;
    uint32_t next; /* line of the piece that it stands above; UINT32_MAX: of none */
    bool directive, put;
};

struct writer {
    const struct plain *p;
    FILE *out;
    struct remark *remarks;
    size_t count, capacity, first; /* first: that has not been put */
    bool *put;                     /* by item: its comment */
};

static int add_remark(struct writer *w, const char *text, uint32_t length, uint32_t line)
{
    struct remark *remarks = grow(w->remarks, &w->capacity, w->count + 1, sizeof *remarks);
    if (!remarks)
        return -1;
    w->remarks = remarks;
    const struct moves_block *block = w->p->block;
    uint32_t next = UINT32_MAX;
    for (size_t low = 0, high = block->node_count; low < high;) { /* lines do not fall */
        const size_t middle = (low + high) / 2;
        if (block->nodes[middle].line > line)
            next = block->nodes[high = middle].line;
        else
            low = middle + 1;
    }
    remarks[w->count++] = (struct remark){.text = text,
                                          .line = line,
                                          .length = length,
                                          .next = next,
                                          .directive = directive_is(text, length, false)};
    return 0;
}

static int find_remarks(struct writer *w)
{
    const struct source *source = &w->p->program->sources[0];
    uint32_t line = 1;
    int status = 0;
    for (size_t at = 0, end; at < source->size && status == 0; at = end + 1, line++) {
        for (end = at; end < source->size && source->text[end] != '\n';)
            end++;
        size_t from = at;
        while (from < end && (source->text[from] == ' ' || source->text[from] == '\t'))
            from++;
        if (from < end && source->text[from] == '#')
            status = add_remark(w, source->text + from, (uint32_t)(end - from), line);
    }
    return status;
}

/* Comments that stand above a line, and all directives that do. */
static void put_remarks(struct writer *w, uint32_t line)
{
    while (w->first < w->count && w->remarks[w->first].put)
        w->first++;
    for (size_t i = w->first; i < w->count && w->remarks[i].line < line; i++) {
        struct remark *r = &w->remarks[i];
        if (r->put || !(r->directive || r->next == line || line == UINT32_MAX))
            continue;
        fprintf(w->out, "%.*s\n", (int)r->length, r->text);
        r->put = true;
    }
}

/* The line that a piece came from, and once the comment that stood behind it. */
static void put_origin(struct writer *w, uint32_t n)
{
    const struct program *program = w->p->program;
    const size_t item = w->p->pieces[n].item;
    size_t length, whole;
    const char *text = mncore2_program_text(program, item, &length),
               *line = mncore2_program_line(program, item, &whole), *end = line + whole,
               *at = text + length;
    fprintf(w->out, " %u", w->p->block->nodes[n].line);
    while (at < end && *at != '#')
        at++;
    if (at < end && !w->put[item])
        fprintf(w->out, ":%.*s", (int)(end - at - 1), at + 1);
    w->put[item] = true;
}

/* The nodes of one slot that take one, and from which lines they are. */
static void put_slot(struct writer *w, const struct moves_place *places, size_t count)
{
    const struct plain *p = w->p;
    const struct moves_node *nodes = p->block->nodes;
    uint32_t exprs[MOVES_TOGETHER];
    size_t used = 0;
    uint8_t tag = 0;
    bool already = false; /* noforward stands in a text */
    for (size_t i = 0; i < count; i++) {
        const uint32_t n = places[i].node;
        if (nodes[n].kind == NODE_WAIT)
            tag = p->pieces[n].tag;
        else if (used < MOVES_TOGETHER)
            exprs[used++] = n;
        already |= nodes[n].quiet;
    }
    if (used && places[0].quiet && !already)
        fputs("noforward; ", w->out);
    if (used)
        put_exprs(p, exprs, used, w->out);
    else
        fputs("nop", w->out);
    if (tag)
        fprintf(w->out, "; wait i%02x", tag);
    fputs("  #", w->out);
    for (size_t i = 0; i < count; i++) {
        bool said = false;
        for (size_t k = 0; k < i; k++)
            said |= nodes[places[k].node].line == nodes[places[i].node].line;
        if (!said)
            put_origin(w, places[i].node);
    }
    fputc('\n', w->out);
}

static void put_places(struct writer *w, const struct moves_place *places)
{
    const struct plain *p = w->p;
    const size_t count = p->block->node_count;
    uint32_t slot = 0;
    for (size_t i = 0, end; i < count; i = end) {
        const uint32_t n = places[i].node;
        end = i + 1;
        while (p->block->nodes[n].kind != NODE_FREE && end < count &&
               places[end].slot == places[i].slot &&
               p->block->nodes[places[end].node].kind != NODE_FREE)
            end++;
        for (size_t k = i; k < end; k++)
            put_remarks(w, p->block->nodes[places[k].node].line);
        if (places[i].slot > slot)
            fprintf(w->out, places[i].slot - slot > 1 ? "nop/%u\n" : "nop\n",
                    places[i].slot - slot);
        slot = places[i].slot;
        if (p->block->nodes[n].kind == NODE_FREE) {
            const char *text = p->text + p->pieces[n].at;
            fprintf(w->out, "%.*s  #", (int)strcspn(text, "\n"), text);
            put_origin(w, n);
            fputc('\n', w->out);
            continue;
        }
        put_slot(w, places + i, end - i);
        slot++;
    }
    put_remarks(w, UINT32_MAX);
}

static int write_program(void *context, const struct moves_place *const *orders, FILE *out)
{
    const struct plain *p = context;
    struct writer w = {
        .p = p, .out = out, .put = calloc(p->program->item_count + 1, sizeof *w.put)};
    const int status = w.put ? find_remarks(&w) : -1;
    if (status == 0)
        put_places(&w, orders[0]);
    free(w.remarks);
    free(w.put);
    return status == 0 && !ferror(out) ? 0 : -1;
}

/* --- making ----------------------------------------------------------------------------------- */

static void free_moves(void *context)
{
    struct plain *p = context;
    mncore2_hazard_window_free(p->window);
    mncore2_hazard_free(p->hazard);
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
    *moves = (struct moves){.slot_cycles = CYCLES,
                            .exact = true,
                            .context = p,
                            .distance = distance,
                            .together = together,
                            .write = write_program,
                            .free = p ? free_moves : NULL};
    if (!p)
        return -1;
    p->program = &program->program;
    p->error = error;
    p->hazard = mncore2_hazard_new(config, false);
    p->window = p->hazard ? mncore2_hazard_window_new(p->hazard) : NULL;
    p->distances = calloc(CACHE, sizeof *p->distances);
    p->together = calloc(CACHE, sizeof *p->together);
    p->block = moves->blocks = calloc(1, sizeof *moves->blocks);
    if (!p->window || !p->distances || !p->together || !p->block)
        return -1;
    moves->block_count = 1;
    p->dar_latency = config_integer(config, PARAM_dar_write_latency, false);
    moves->reach = (uint32_t)(mncore2_hazard_longest(p->hazard) / CYCLES) + 2;
    if (mncore2_packing_choose(p->program, machine_setting(settings, "packing"), &packing) == 0)
        moves->unit_slots = unit_slots[packing];
    const int status = mncore2_plain_make(p);
    return status == 0 ? find_arcs(p, &moves->parted) : status;
}
