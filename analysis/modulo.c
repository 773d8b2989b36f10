#include "analysis/modulo.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

struct modulo_node {
    struct moves_node of; /* what holds in any turn */
    int64_t height;
    uint32_t gang, next_member; /* the least of those that go into one slot; the next of them */
    uint32_t next;              /* in its row */
    int64_t last;               /* slot where it was placed last; -1: nowhere yet */
    bool clashes;               /* it is in the list */
};

/* --- what does not change --------------------------------------------------------------------- */

static uint32_t piece(const struct modulo *m, uint32_t position, uint32_t turn)
{
    return m->turns->piece[turn * m->turns->pieces + position];
}

static const struct fold_arc *arc_of(const struct modulo *m, uint32_t a)
{
    return &m->fold->arcs[a];
}

static void join_nodes(struct modulo *m)
{
    for (uint32_t i = 0; i < m->turns->pieces; i++) {
        struct modulo_node *node = &m->nodes[i];
        *node = (struct modulo_node){
            .of = m->moves->blocks[0].nodes[piece(m, i, 0)], .gang = i, .next_member = MODULO_NONE};
        for (uint32_t t = 1; t < m->turns->count; t++) {
            const struct moves_node *other = &m->moves->blocks[0].nodes[piece(m, i, t)];
            node->of.loud |= other->loud;
            node->of.quiet |= other->quiet;
        }
        if (node->of.transfer && m->moves->unit_slots)
            m->align = m->moves->unit_slots;
    }
}

/* The writers of what one position reads of relays share a slot. */
static void join_gangs(struct modulo *m)
{
    const uint32_t count = m->turns->pieces;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t first = MODULO_NONE;
        for (size_t k = m->first_in[n]; k < m->first_in[n + 1]; k++) {
            const struct fold_arc *arc = arc_of(m, m->in[k]);
            if (!arc->relay)
                continue;
            if (first == MODULO_NONE) {
                first = m->nodes[arc->from].gang;
                continue;
            }
            const uint32_t a = m->nodes[arc->from].gang, least = a < first ? a : first,
                           most = a < first ? first : a;
            for (uint32_t i = 0; i < count; i++)
                if (m->nodes[i].gang == most)
                    m->nodes[i].gang = least;
            first = least;
        }
    }
    for (uint32_t i = count; i-- > 0;) {
        struct modulo_node *head = &m->nodes[m->nodes[i].gang];
        if (head == &m->nodes[i])
            continue;
        m->nodes[i].next_member = head->next_member;
        head->next_member = i;
    }
}

/* Arcs by one of their ends. */
static void sort_arcs(const struct modulo *m, bool by_from, size_t *first, uint32_t *list)
{
    const struct fold *fold = m->fold;
    for (size_t a = 0; a < fold->count; a++)
        first[(by_from ? fold->arcs[a].from : fold->arcs[a].to) + 2]++;
    for (size_t n = 2; n < (size_t)m->turns->pieces + 2; n++)
        first[n] += first[n - 1];
    for (size_t a = 0; a < fold->count; a++)
        list[first[(by_from ? fold->arcs[a].from : fold->arcs[a].to) + 1]++] = (uint32_t)a;
}

int modulo_open(struct modulo *m, const struct moves *moves, const struct turns *turns,
                const struct fold *fold)
{
    const size_t count = turns->pieces;
    *m = (struct modulo){.moves = moves,
                         .turns = turns,
                         .fold = fold,
                         .align = 1,
                         .at = calloc(count + 1, sizeof *m->at),
                         .nodes = calloc(count + 1, sizeof *m->nodes),
                         .clashes = calloc(count + 1, sizeof *m->clashes),
                         .first_out = calloc(count + 2, sizeof *m->first_out),
                         .first_in = calloc(count + 2, sizeof *m->first_in),
                         .out = calloc(fold->count + 1, sizeof *m->out),
                         .in = calloc(fold->count + 1, sizeof *m->in)};
    if (!m->at || !m->nodes || !m->clashes || !m->first_out || !m->first_in || !m->out || !m->in)
        return -1;
    sort_arcs(m, true, m->first_out, m->out);
    sort_arcs(m, false, m->first_in, m->in);
    join_nodes(m);
    join_gangs(m);
    return 0;
}

void modulo_free(struct modulo *m)
{
    free(m->at);
    free(m->nodes);
    free(m->clashes);
    free(m->first_out);
    free(m->first_in);
    free(m->out);
    free(m->in);
    free(m->rows);
}

uint32_t modulo_step(const struct modulo *m)
{
    return m->align;
}

/* --- turns that meet -------------------------------------------------------------------------- */

/* Some turns of [from, to]: all of a few, else the first, the last and some between. */
enum { SAMPLES = 8 };
struct samples {
    uint32_t turn[SAMPLES], count;
};

static struct samples sample(int64_t from, int64_t to)
{
    struct samples samples = {.count = 0};
    const int64_t many = to - from + 1;
    for (int64_t i = 0; i < SAMPLES && i < many; i++)
        samples.turn[samples.count++] =
            (uint32_t)(many <= SAMPLES ? from + i : from + i * (many - 1) / (SAMPLES - 1));
    return samples;
}

/* Turns t of a position such that t + later is a turn, too. */
static struct samples meeting(const struct modulo *m, int64_t later)
{
    const int64_t last = (int64_t)m->turns->count - 1;
    return sample(later < 0 ? -later : 0, later > 0 ? last - later : last);
}

/* Whether b, `later` turns later, may come `slots` after a. */
static bool far_enough(const struct modulo *m, uint32_t a, uint32_t b, int64_t later,
                       uint32_t slots)
{
    const struct samples turns = meeting(m, later);
    for (uint32_t i = 0; i < turns.count; i++)
        if (m->moves->distance(m->moves->context, piece(m, a, turns.turn[i]),
                               piece(m, b, (uint32_t)(turns.turn[i] + later))) > slots)
            return false;
    return true;
}

/* Whether some positions share a slot; later: turns of each, compared with the first. Turns that do
 * not meet in this loop would in a longer one, of which nothing is known. */
static bool share(const struct modulo *m, const uint32_t *positions, const int64_t *later,
                  size_t count)
{
    int64_t from = 0, to = (int64_t)m->turns->count - 1;
    for (size_t i = 0; i < count; i++) {
        from = -later[i] > from ? -later[i] : from;
        to = (int64_t)m->turns->count - 1 - later[i] < to ? (int64_t)m->turns->count - 1 - later[i]
                                                          : to;
    }
    const struct samples turns = sample(from, to);
    uint32_t nodes[MOVES_TOGETHER];
    for (uint32_t k = 0; k < turns.count; k++) {
        for (size_t i = 0; i < count; i++)
            nodes[i] = piece(m, positions[i], (uint32_t)(turns.turn[k] + later[i]));
        if (!m->moves->together(m->moves->context, nodes, count))
            return false;
    }
    return turns.count > 0;
}

/* --- what is in the way ----------------------------------------------------------------------- */

static bool placed(const struct modulo *m, uint32_t i)
{
    return m->at[i] != MODULO_NONE;
}

/* Of one gang nothing is in the way of the others. */
static void clash(struct modulo *m, uint32_t i, uint32_t other)
{
    const uint32_t gang = m->nodes[other].gang;
    if (gang == m->nodes[i].gang || m->nodes[gang].clashes)
        return;
    m->nodes[gang].clashes = true;
    m->clashes[m->clash_count++] = gang;
}

static uint32_t row_of(const struct modulo *m, int64_t slot)
{
    const int64_t row = slot % (int64_t)m->interval;
    return (uint32_t)(row < 0 ? row + (int64_t)m->interval : row);
}

/* Slots from `from` to `to` by an arc, as they are placed. */
static int64_t gap_of(const struct modulo *m, const struct fold_arc *arc, uint32_t i, int64_t slot)
{
    const int64_t from = arc->from == i ? slot : m->at[arc->from],
                  to = arc->to == i ? slot : m->at[arc->to];
    return to + (int64_t)arc->turns * m->interval - from;
}

/* A relay is filled at `from` and read `gap` slots later: between them nothing loud may be. */
static void clash_between(struct modulo *m, uint32_t i, int64_t from, int64_t gap)
{
    for (int64_t slot = from + 1; slot < from + gap; slot++)
        for (uint32_t k = m->rows[row_of(m, slot)]; k != MODULO_NONE; k = m->nodes[k].next)
            if (m->nodes[k].of.loud)
                clash(m, i, k);
}

static void clash_arc(struct modulo *m, const struct fold_arc *arc, uint32_t i, uint32_t other,
                      int64_t slot)
{
    if (other == i || !placed(m, other))
        return;
    const int64_t gap = gap_of(m, arc, i, slot);
    if (gap < (int64_t)arc->lag || (arc->relay && gap > m->interval))
        clash(m, i, other);
    else if (arc->relay)
        clash_between(m, i, arc->from == i ? slot : m->at[arc->from], gap);
}

static void clash_arcs(struct modulo *m, uint32_t i, int64_t slot)
{
    for (size_t k = m->first_out[i]; k < m->first_out[i + 1]; k++)
        clash_arc(m, arc_of(m, m->out[k]), i, arc_of(m, m->out[k])->to, slot);
    for (size_t k = m->first_in[i]; k < m->first_in[i + 1]; k++)
        clash_arc(m, arc_of(m, m->in[k]), i, arc_of(m, m->in[k])->from, slot);
}

/* A loud position between the ends of relays. */
static void clash_relays(struct modulo *m, uint32_t i, int64_t slot)
{
    for (size_t a = 0; m->nodes[i].of.loud && a < m->fold->count; a++) {
        const struct fold_arc *arc = arc_of(m, (uint32_t)a);
        if (!arc->relay || !placed(m, arc->from) || !placed(m, arc->to))
            continue;
        const int64_t gap = gap_of(m, arc, MODULO_NONE, 0),
                      in = row_of(m, slot - (int64_t)m->at[arc->from]);
        if (in > 0 && in < gap)
            clash(m, i, arc->to);
    }
}

static void clash_row(struct modulo *m, uint32_t i, int64_t slot)
{
    const struct moves_node *node = &m->nodes[i].of;
    uint32_t positions[MOVES_TOGETHER] = {i};
    int64_t later[MOVES_TOGETHER] = {0};
    size_t count = 1;
    const size_t before = m->clash_count;
    for (uint32_t k = m->rows[row_of(m, slot)]; k != MODULO_NONE; k = m->nodes[k].next) {
        const struct moves_node *other = &m->nodes[k].of;
        if (node->kind == NODE_WAIT && other->kind == NODE_WAIT)
            clash(m, i, k);
        if (node->transfer && other->transfer && m->align > 1)
            clash(m, i, k);
        if (node->kind != NODE_STEP || other->kind != NODE_STEP)
            continue;
        if ((node->loud && other->quiet) || (node->quiet && other->loud)) {
            clash(m, i, k);
            continue;
        }
        const uint32_t two[] = {i, k};
        const int64_t turns[] = {0, (slot - (int64_t)m->at[k]) / (int64_t)m->interval};
        if (count == MOVES_TOGETHER || !share(m, two, turns, 2)) {
            clash(m, i, k);
            continue;
        }
        positions[count] = k;
        later[count++] = turns[1];
    }
    if (m->clash_count == before && count > 2 && !share(m, positions, later, count))
        for (size_t k = 1; k < count; k++)
            clash(m, i, positions[k]);
}

/* Ports that turn: slots before and after. */
static void clash_ports(struct modulo *m, uint32_t i, int64_t slot)
{
    if (m->nodes[i].of.kind != NODE_STEP || !m->moves->distance)
        return;
    for (uint32_t away = 1; away < m->moves->reach; away++) {
        for (uint32_t k = m->rows[row_of(m, slot - away)]; k != MODULO_NONE; k = m->nodes[k].next) {
            const int64_t later = (slot - (int64_t)away - (int64_t)m->at[k]) / (int64_t)m->interval;
            if (m->nodes[k].of.kind == NODE_STEP && !far_enough(m, k, i, -later, away))
                clash(m, i, k);
        }
        for (uint32_t k = m->rows[row_of(m, slot + away)]; k != MODULO_NONE; k = m->nodes[k].next) {
            const int64_t later = (slot + (int64_t)away - (int64_t)m->at[k]) / (int64_t)m->interval;
            if (m->nodes[k].of.kind == NODE_STEP && !far_enough(m, i, k, later, away))
                clash(m, i, k);
        }
    }
}

/* What is in the way of a gang in a slot: m->clashes. */
static void find_clashes(struct modulo *m, uint32_t gang, int64_t slot)
{
    for (size_t k = 0; k < m->clash_count; k++)
        m->nodes[m->clashes[k]].clashes = false;
    m->clash_count = 0;
    m->tries++;
    for (uint32_t i = gang; i != MODULO_NONE; i = m->nodes[i].next_member) {
        clash_arcs(m, i, slot);
        clash_row(m, i, slot);
        clash_ports(m, i, slot);
        clash_relays(m, i, slot);
    }
}

/* --- one interval ----------------------------------------------------------------------------- */

/* Longest ways to the end of a turn. False: a chain takes longer than its turns. */
static bool find_heights(struct modulo *m)
{
    bool longer = true;
    for (uint32_t i = 0; i < m->turns->pieces; i++)
        m->nodes[i].height = 0;
    for (uint32_t pass = 0; pass <= m->turns->pieces && longer; pass++) {
        longer = false;
        for (size_t a = 0; a < m->fold->count; a++) {
            const struct fold_arc *arc = &m->fold->arcs[a];
            const int64_t height =
                m->nodes[arc->to].height + (int64_t)arc->lag - (int64_t)arc->turns * m->interval;
            if (height <= m->nodes[arc->from].height)
                continue;
            m->nodes[arc->from].height = height;
            longer = true;
        }
    }
    return !longer;
}

/* A statement keeps its own later turns off its ports. */
static bool fits_itself(const struct modulo *m)
{
    for (uint32_t i = 0; i < m->turns->pieces; i++)
        for (uint32_t later = 1; later * m->interval < m->moves->reach && later < m->turns->count;
             later++)
            if (m->nodes[i].of.kind == NODE_STEP && m->moves->distance &&
                !far_enough(m, i, i, later, later * m->interval))
                return false;
    return true;
}

static void place(struct modulo *m, uint32_t gang, int64_t slot)
{
    for (uint32_t i = gang; i != MODULO_NONE; i = m->nodes[i].next_member) {
        const uint32_t row = row_of(m, slot);
        m->at[i] = (uint32_t)slot;
        m->nodes[i].next = m->rows[row];
        m->rows[row] = i;
    }
    m->nodes[gang].last = slot;
}

static void take_out(struct modulo *m, uint32_t gang)
{
    for (uint32_t i = gang; i != MODULO_NONE; i = m->nodes[i].next_member) {
        uint32_t *at = &m->rows[row_of(m, m->at[i])];
        while (*at != i)
            at = &m->nodes[*at].next;
        *at = m->nodes[i].next;
        m->at[i] = MODULO_NONE;
    }
}

/* The gang with the longest way to the end; MODULO_NONE: all are placed. */
static uint32_t pick(const struct modulo *m)
{
    uint32_t best = MODULO_NONE;
    int64_t most = 0;
    for (uint32_t i = 0; i < m->turns->pieces; i++) {
        if (m->nodes[i].gang != i || placed(m, i))
            continue;
        int64_t height = 0;
        for (uint32_t k = i; k != MODULO_NONE; k = m->nodes[k].next_member)
            height = m->nodes[k].height > height ? m->nodes[k].height : height;
        if (best != MODULO_NONE && height <= most)
            continue;
        best = i;
        most = height;
    }
    return best;
}

static int64_t aligned(const struct modulo *m, uint32_t gang, int64_t slot)
{
    const int64_t align = m->nodes[gang].of.transfer ? m->align : 1;
    return (slot + align - 1) / align * align;
}

/* What is placed before it lets it begin. */
static int64_t earliest(const struct modulo *m, uint32_t gang)
{
    int64_t slot = 0;
    for (uint32_t i = gang; i != MODULO_NONE; i = m->nodes[i].next_member)
        for (size_t k = m->first_in[i]; k < m->first_in[i + 1]; k++) {
            const struct fold_arc *arc = arc_of(m, m->in[k]);
            if (!placed(m, arc->from) || m->nodes[arc->from].gang == gang)
                continue;
            const int64_t at =
                (int64_t)m->at[arc->from] + (int64_t)arc->lag - (int64_t)arc->turns * m->interval;
            slot = at > slot ? at : slot;
        }
    return slot;
}

static void place_gang(struct modulo *m, uint32_t gang)
{
    const int64_t first = aligned(m, gang, earliest(m, gang));
    const int64_t step = aligned(m, gang, 1);
    for (int64_t slot = first; slot < first + m->interval; slot += step) {
        find_clashes(m, gang, slot);
        if (!m->clash_count) {
            place(m, gang, slot);
            return;
        }
    }
    const int64_t last = m->nodes[gang].last;
    const int64_t slot = last < first ? first : aligned(m, gang, last + 1);
    find_clashes(m, gang, slot);
    for (size_t k = 0; k < m->clash_count; k++)
        take_out(m, m->clashes[k]);
    place(m, gang, slot);
}

static void begin_at_zero(struct modulo *m)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < m->turns->pieces; i++) {
        least = m->at[i] < least ? m->at[i] : least;
        most = m->at[i] > most ? m->at[i] : most;
    }
    least = least / m->align * m->align;
    for (uint32_t i = 0; i < m->turns->pieces; i++)
        m->at[i] -= least;
    m->length = most - least + 1;
}

int modulo_run(struct modulo *m, uint32_t interval)
{
    enum { PATIENCE = 20, FAR = 1 << 24 };
    const uint32_t count = m->turns->pieces;
    if (!grow_list(&m->rows, &m->row_capacity, (size_t)interval + 1, sizeof *m->rows))
        return -1;
    m->interval = interval;
    if (!find_heights(m) || !fits_itself(m))
        return 0;
    for (uint32_t row = 0; row < interval; row++)
        m->rows[row] = MODULO_NONE;
    for (uint32_t i = 0; i < count; i++) {
        m->at[i] = MODULO_NONE;
        m->nodes[i].last = -1;
    }
    for (uint64_t left = (uint64_t)PATIENCE * count; left > 0; left--) {
        const uint32_t gang = pick(m);
        if (gang == MODULO_NONE) {
            begin_at_zero(m);
            return (m->length - 1) / interval + 2 <= m->turns->count;
        }
        place_gang(m, gang);
        if (m->nodes[gang].last > FAR)
            return 0;
    }
    return 0;
}
