#include "analysis/interval.h"

#include <stdlib.h>
#include <string.h>

#include "timing/bounds.h"

const char *const interval_limit_names[] = {"", "unit", "steps", "chain"};
const char *const interval_class_names[INTERVAL_CLASSES] = {"any-order", "free-places", "waits"};

struct finder {
    const struct turns *turns;
    const struct node_starts *starts;
    const struct graph *graph;
    const struct moves *moves;
    uint32_t *piece; /* by node of the graph in the first turn: its position among pieces */
};

static uint64_t divide(uint64_t value, uint64_t by)
{
    return (value + by - 1) / by;
}

/* --- units ------------------------------------------------------------------------------------ */

static const struct graph_use *use_of(const struct graph *graph, uint32_t node, uint32_t unit)
{
    const struct graph_node *of = &graph->nodes[node];
    for (uint32_t u = 0; u < of->use_count; u++)
        if (graph->uses[of->use + u].unit == unit)
            return &graph->uses[of->use + u];
    return NULL;
}

/* Work and number of the uses of a unit, of the turn with the fewest of each. */
struct load {
    uint64_t work, uses;
};

static struct load load_of(const struct finder *f, enum bound_class class, uint32_t unit)
{
    struct load least = {UINT64_MAX, UINT64_MAX};
    for (uint32_t t = 0; t < f->turns->count; t++) {
        struct load load = {0, 0};
        for (uint32_t i = 0; i < f->turns->nodes; i++) {
            const struct graph_use *use =
                use_of(f->graph, f->turns->node[t * f->turns->nodes + i], unit);
            if (!use || !bounds_works(class, use))
                continue;
            load.work += use->cycles * (use->instances ? use->instances : 1);
            load.uses++;
        }
        least.work = load.work < least.work ? load.work : least.work;
        least.uses = load.uses < least.uses ? load.uses : least.uses;
    }
    return least;
}

/* Positions of the turn that use a unit, one step each, in every turn. */
static size_t users_of(const struct finder *f, uint32_t unit, uint32_t *users)
{
    size_t count = 0;
    for (uint32_t i = 0; i < f->turns->nodes; i++) {
        bool every = !f->graph->nodes[f->turns->node[i]].transfer && f->piece[i] != UINT32_MAX;
        for (uint32_t t = 0; t < f->turns->count && every; t++) {
            const struct graph_use *use =
                use_of(f->graph, f->turns->node[t * f->turns->nodes + i], unit);
            every = use && use->cycles == f->graph->quantum && !use->spread;
        }
        if (every)
            users[count++] = i;
    }
    return count;
}

/* Least slots of position b after a, whatever turns meet. */
static uint32_t least_distance(const struct finder *f, uint32_t a, uint32_t b)
{
    const struct moves *moves = f->moves;
    const uint32_t *first = f->turns->piece + f->piece[a], *second = f->turns->piece + f->piece[b];
    uint32_t least = UINT32_MAX;
    for (uint32_t t = 0; t < f->turns->count && least > 1; t++) {
        const uint32_t at = t * f->turns->pieces;
        const uint32_t later = moves->distance(moves->context, first[0], second[at]),
                       earlier = moves->distance(moves->context, first[at], second[0]);
        least = later < least ? later : least;
        least = earlier < least ? earlier : least;
    }
    return least;
}

/* Slots that a unit loses in an interval: some users, each of which keeps certain others off for
 * longer than one slot, come before those once at least. */
static uint64_t turned_of(const struct finder *f, const uint32_t *users, size_t count)
{
    uint64_t most = 0;
    for (size_t a = 0; a < count; a++) {
        uint32_t kept = UINT32_MAX; /* slots from a to the first that it keeps off */
        size_t off = 0;
        for (size_t b = 0; b < count; b++) {
            const uint32_t distance = b == a ? 1 : least_distance(f, users[a], users[b]);
            if (distance <= 1)
                continue;
            off++;
            kept = distance < kept ? distance : kept;
        }
        /* Of the others, those that a does not keep off may come between. */
        const size_t between = count - off - 1;
        if (off && kept - 1 > between)
            most = kept - 1 - between > most ? kept - 1 - between : most;
    }
    return most;
}

static int by_cycles(const void *first, const void *second)
{
    const struct interval_unit *a = first, *b = second;
    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

/* users: room for all positions. */
static struct interval_unit unit_of(const struct finder *f, enum bound_class class, uint32_t u,
                                    uint32_t *users)
{
    const struct graph_unit *unit = &f->graph->units[u];
    const struct load load = load_of(f, class, u);
    struct interval_unit found = {.unit = u,
                                  .cycles = divide(load.work, unit->width ? unit->width : 1)};
    if (unit->frame_uses) {
        const uint64_t frames = divide(load.uses * unit->frame, unit->frame_uses);
        found.cycles = frames > found.cycles ? frames : found.cycles;
    }
    if (load.uses < 2 || unit->width > 1 || class != BOUND_ANY_ORDER || !f->moves->distance)
        return found;
    const size_t count = users_of(f, u, users);
    const uint64_t turned = turned_of(f, users, count) * f->moves->slot_cycles,
                   needed = count * f->moves->slot_cycles + turned;
    if (needed > found.cycles) {
        found.cycles = needed;
        found.turned = turned;
    }
    return found;
}

static int find_units(const struct finder *f, enum bound_class class, struct interval *interval)
{
    const size_t count = f->graph->unit_count;
    interval->units = malloc((count + 1) * sizeof *interval->units);
    uint32_t *users = malloc((f->turns->nodes + 1) * sizeof *users);
    for (uint32_t u = 0; interval->units && users && u < count; u++) {
        const struct interval_unit found = unit_of(f, class, u, users);
        if (found.cycles)
            interval->units[interval->unit_count++] = found;
    }
    const bool whole = interval->units && users;
    if (whole && interval->unit_count)
        qsort(interval->units, interval->unit_count, sizeof *interval->units, by_cycles);
    free(users);
    return whole ? 0 : -1;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Pairs of positions and turns between them that are tried. */
enum { MOST_SHARED = 200000 };

static bool may_share(const struct finder *f, uint32_t a, uint32_t b)
{
    const struct turns *turns = f->turns;
    const struct moves_node *nodes = f->moves->blocks[0].nodes;
    if (nodes[turns->piece[a]].lanes & nodes[turns->piece[b]].lanes)
        return false;
    for (uint32_t t = 0; t < turns->count; t++) {
        const uint32_t later[] = {turns->piece[a], turns->piece[t * turns->pieces + b]},
                       earlier[] = {turns->piece[t * turns->pieces + a], turns->piece[b]};
        if (f->moves->together(f->moves->context, later, 2) ||
            f->moves->together(f->moves->context, earlier, 2))
            return true;
    }
    return false;
}

/* By pair of positions: they never share a step. */
static bool *find_apart(const struct finder *f)
{
    const uint32_t count = f->turns->pieces;
    const struct moves_node *nodes = f->moves->blocks[0].nodes;
    bool *apart = calloc((size_t)count * count + 1, sizeof *apart);
    for (uint32_t a = 0; apart && a < count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (nodes[f->turns->piece[a]].kind == NODE_STEP &&
                nodes[f->turns->piece[b]].kind == NODE_STEP)
                apart[a * count + b] = apart[b * count + a] = !may_share(f, a, b);
    return apart;
}

/* Positions of which no two share, one of them the first: as many as are found in order. */
static size_t collect(const bool *apart, uint32_t positions, uint32_t first, uint32_t *found)
{
    size_t count = 0;
    found[count++] = first;
    for (uint32_t i = 0; i < positions; i++) {
        bool good = i != first;
        for (size_t k = 0; k < count && good; k++)
            good = apart[i * positions + found[k]];
        if (good)
            found[count++] = i;
    }
    return count;
}

static int find_steps(const struct finder *f, struct interval *interval)
{
    const struct turns *turns = f->turns;
    const struct moves_node *nodes = f->moves->blocks[0].nodes;
    const uint32_t count = turns->pieces;
    if (!f->moves->together || (uint64_t)count * count * turns->count > MOST_SHARED)
        return 0;
    uint32_t *found = malloc((count + 1) * sizeof *found);
    bool *apart = find_apart(f);
    interval->apart = malloc((count + 1) * sizeof *interval->apart);
    const bool whole = found && apart && interval->apart;
    for (uint32_t i = 0; whole && i < count; i++) {
        const size_t more =
            nodes[turns->piece[i]].kind == NODE_STEP ? collect(apart, count, i, found) : 0;
        if (more <= interval->apart_count)
            continue;
        interval->apart_count = more;
        for (size_t k = 0; k < more; k++)
            interval->apart[k] = nodes[turns->piece[found[k]]].line;
    }
    interval->steps = interval->apart_count * f->moves->slot_cycles;
    free(found);
    free(apart);
    return whole ? 0 : -1;
}

/* --- chains ----------------------------------------------------------------------------------- */

/* line_of: of each position in the first turn. */
static int find_chain(const struct fold *fold, uint32_t positions, const uint32_t *line_of,
                      uint64_t cycles, struct interval *interval)
{
    struct fold_ring ring;
    int status = fold_longest(fold, positions, &ring);
    interval->lines = malloc((ring.count + 1) * sizeof *interval->lines);
    if (!interval->lines)
        status = -1;
    interval->chain = ring.lag * cycles;
    interval->turns = ring.turns;
    for (size_t i = 0; status == 0 && ring.lag && i < ring.count; i++)
        interval->lines[interval->line_count++] = line_of[ring.positions[i]];
    free(ring.positions);
    return status;
}

static int find_class(const struct finder *f, enum bound_class class, struct interval *interval)
{
    struct fold fold;
    uint32_t *lines = malloc((f->turns->nodes + 1) * sizeof *lines);
    int status = lines ? find_units(f, class, interval) : -1;
    for (uint32_t i = 0; lines && i < f->turns->nodes; i++)
        lines[i] = f->starts->lines[f->turns->node[i]];
    if (status == 0) {
        status = turns_fold(f->turns, f->graph, class == BOUND_FREE_PLACES, &fold);
        if (status == 0)
            status = find_chain(&fold, f->turns->nodes, lines, 1, interval);
        fold_free(&fold);
    }
    free(lines);
    return status;
}

int interval_fold(const struct turns *turns, const struct moves *moves, bool least,
                  struct fold *fold)
{
    const struct moves_block *block = &moves->blocks[0];
    uint32_t *place =
        turns_positions(turns->piece, turns->count * turns->pieces, block->node_count);
    int status = place ? 0 : -1;
    *fold = (struct fold){.arcs = NULL};
    for (size_t a = 0; a < block->arc_count && status == 0; a++) {
        const struct moves_arc *arc = &block->arcs[a];
        const struct moves_node *node = &block->nodes[arc->from];
        const uint32_t from = place[arc->from], to = place[arc->to];
        if (from == UINT32_MAX || to == UINT32_MAX || (least && arc->timed))
            continue;
        uint64_t slots = arc->slots;
        if (node->transfer && !arc->issued && block->nodes[arc->to].kind == NODE_WAIT) {
            const uint64_t whole = divide(least ? node->least : node->latency, moves->slot_cycles);
            slots = whole > slots ? whole : slots;
        }
        struct fold_arc folded = {.lag = slots, .relay = arc->relay};
        turns_arc(from, to, turns->pieces, &folded);
        status = fold_add(fold, &folded);
    }
    free(place);
    fold_merge(fold, turns->count);
    return status;
}

/* With the waits and tags as written. */
static int find_waits(const struct finder *f, struct interval *interval)
{
    const struct moves_block *block = &f->moves->blocks[0];
    struct fold fold;
    uint32_t *lines = malloc((f->turns->pieces + 1) * sizeof *lines);
    for (uint32_t i = 0; lines && i < f->turns->pieces; i++)
        lines[i] = block->nodes[f->turns->piece[i]].line;
    int status = lines ? interval_fold(f->turns, f->moves, true, &fold) : -1;
    if (status == 0)
        status = find_chain(&fold, f->turns->pieces, lines, f->moves->slot_cycles, interval);
    if (lines)
        fold_free(&fold);
    free(lines);
    return status;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Which piece each node of a turn is: of its line, by its lane. */
static int match_pieces(struct finder *f)
{
    const struct turns *turns = f->turns;
    const struct moves_node *nodes = f->moves->blocks[0].nodes;
    f->piece = malloc((turns->nodes + 1) * sizeof *f->piece);
    if (!f->piece)
        return -1;
    for (uint32_t i = 0; i < turns->nodes; i++) {
        const uint32_t node = turns->node[i];
        f->piece[i] = UINT32_MAX;
        for (uint32_t k = 0; k < turns->pieces; k++) {
            const struct moves_node *piece = &nodes[turns->piece[k]];
            if (piece->line == f->starts->lines[node] && piece->kind == NODE_STEP &&
                piece->lanes >> f->graph->nodes[node].part & 1)
                f->piece[i] = k;
        }
    }
    return 0;
}

static uint64_t chain_of(const struct interval *interval)
{
    return interval->chain ? divide(interval->chain, interval->turns) : 0;
}

static void set_limit(struct interval *interval, uint64_t quantum)
{
    const uint64_t chain = chain_of(interval),
                   unit = interval->unit_count ? interval->units[0].cycles : 0;
    uint64_t most = unit;
    interval->limit = unit ? INTERVAL_UNIT : INTERVAL_NOTHING;
    if (interval->steps > most) {
        most = interval->steps;
        interval->limit = INTERVAL_STEPS;
    }
    if (chain > most) {
        most = chain;
        interval->limit = INTERVAL_CHAIN;
    }
    interval->cycles = divide(most, quantum) * quantum;
}

int interval_find(struct interval intervals[INTERVAL_CLASSES], const struct turns *turns,
                  const struct node_starts *starts, const struct moves *moves)
{
    struct finder f = {.turns = turns, .starts = starts, .graph = &starts->graph, .moves = moves};
    for (unsigned c = 0; c < INTERVAL_CLASSES; c++)
        intervals[c] = (struct interval){.cycles = 0};
    int status = match_pieces(&f);
    if (status == 0)
        status = find_class(&f, BOUND_ANY_ORDER, &intervals[INTERVAL_ANY_ORDER]);
    if (status == 0)
        status = find_class(&f, BOUND_FREE_PLACES, &intervals[INTERVAL_FREE_PLACES]);
    if (status == 0)
        status = find_waits(&f, &intervals[INTERVAL_WAITS]);
    if (status == 0)
        status = find_steps(&f, &intervals[INTERVAL_ANY_ORDER]);
    for (unsigned c = 0; c < INTERVAL_CLASSES && status == 0; c++)
        set_limit(&intervals[c], f.graph->quantum);
    struct interval *waits = &intervals[INTERVAL_WAITS];
    if (waits->cycles < intervals[INTERVAL_ANY_ORDER].cycles)
        waits->cycles = intervals[INTERVAL_ANY_ORDER].cycles;
    free(f.piece);
    return status;
}

void interval_free(struct interval intervals[INTERVAL_CLASSES])
{
    for (unsigned c = 0; c < INTERVAL_CLASSES; c++) {
        free(intervals[c].units);
        free(intervals[c].apart);
        free(intervals[c].lines);
    }
}
