#include "analysis/turns.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/statement_key.h"
#include "functional/directive.h"
#include "host/grow.h"
#include "timing/bounds.h"

enum { LEAST_TURNS = 3, MOST_LINES = 1 << 12, MOST_MULTIPLE = 8, SHOWN = 60 };

/* A line of the region with its pieces and nodes. */
struct turn_line {
    uint32_t number;
    uint32_t piece, piece_count; /* in struct look's pieces */
    uint32_t node, node_count;   /* of the graph */
    const char *text;
    size_t length;
    uint64_t key;
};

struct look {
    const struct turns_job *job;
    struct turn_line *lines;
    size_t count, capacity;
    uint32_t *pieces; /* of the block, those of a line sorted by what distinguishes them */
};

/* A repeat: lines [first, first + turns * period) of the region. */
struct repeat {
    size_t first, period, turns;
};

/* --- lines ------------------------------------------------------------------------------------ */

static void set_text(struct turn_line *line, const char *from, const char *end)
{
    const char *comment = memchr(from, '#', (size_t)(end - from));
    end = comment ? comment : end;
    while (from < end && (*from == ' ' || *from == '\t'))
        from++;
    while (end > from && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    line->text = from;
    line->length = (size_t)(end - from);
}

/* Waits first, then by lane. */
static void sort_pieces(const struct look *l, const struct turn_line *line)
{
    const struct moves_node *nodes = l->job->block->nodes;
    uint32_t *list = l->pieces + line->piece;
    for (uint32_t i = 1; i < line->piece_count; i++)
        for (uint32_t k = i; k > 0; k--) {
            const struct moves_node *a = &nodes[list[k - 1]], *b = &nodes[list[k]];
            const bool waits = a->kind == NODE_WAIT, other = b->kind == NODE_WAIT;
            if (waits != other ? waits : a->lanes <= b->lanes)
                break;
            const uint32_t swapped = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swapped;
        }
}

/* What has to be equal in each turn. */
static void set_key(const struct look *l, struct turn_line *line)
{
    enum { FACTOR = 0x01000193 };
    const struct moves_node *nodes = l->job->block->nodes;
    const struct graph_node *of = l->job->starts->graph.nodes;
    uint64_t key = statement_key(line->text, line->length);
    for (uint32_t i = 0; i < line->piece_count; i++) {
        const struct moves_node *node = &nodes[l->pieces[line->piece + i]];
        key = (key ^ node->kind) * FACTOR;
        key = (key ^ node->lanes) * FACTOR;
    }
    for (uint32_t i = 0; i < line->node_count; i++)
        key = (key ^ of[line->node + i].part) * FACTOR;
    line->key = key;
}

static int add_line(struct look *l, uint32_t number, const char *from, const char *end,
                    struct turn_line line)
{
    if (!grow_list(&l->lines, &l->capacity, l->count + 1, sizeof *l->lines))
        return -1;
    line.number = number;
    set_text(&line, from, end);
    sort_pieces(l, &line);
    set_key(l, &line);
    l->lines[l->count++] = line;
    return 0;
}

/* Lines of the region that are more than padding. */
static int read_lines(struct look *l, const struct directives *directives, uint32_t region)
{
    const struct source *source = l->job->source;
    const struct moves_block *block = l->job->block;
    const struct node_starts *starts = l->job->starts;
    uint32_t number = 1, piece = 0, node = 0;
    int status = 0;
    l->pieces = malloc((block->node_count + 1) * sizeof *l->pieces);
    if (!l->pieces)
        return -1;
    for (uint32_t n = 0; n < block->node_count; n++)
        l->pieces[n] = n;
    for (size_t at = 0, end; at < source->size && status == 0; at = end + 1, number++) {
        const char *break_at = memchr(source->text + at, '\n', source->size - at);
        end = break_at ? (size_t)(break_at - source->text) : source->size;
        struct turn_line line = {.piece = piece, .node = node};
        while (piece < block->node_count && block->nodes[piece].line == number)
            piece++;
        while (node < starts->graph.node_count && starts->lines[node] == number)
            node++;
        line.piece_count = piece - line.piece;
        line.node_count = node - line.node;
        if (line.piece_count && directives_region(directives, 0, number) == region)
            status = add_line(l, number, source->text + at, source->text + end, line);
    }
    return status;
}

/* --- repeats ---------------------------------------------------------------------------------- */

static bool better(const struct repeat *a, const struct repeat *b)
{
    return a->turns * a->period > b->turns * b->period;
}

static bool alike(const struct turn_line *a, const struct turn_line *b)
{
    return a->key == b->key && a->piece_count == b->piece_count && a->node_count == b->node_count;
}

/* The repeat of most statements; near: that which comes closest to one, its lines equal to those
 * one period later, if there is none. */
static struct repeat find_repeat(const struct look *l, struct repeat *near)
{
    struct repeat best = {.turns = 0};
    size_t most = 0;
    for (size_t period = 1; period <= MOST_LINES && period < l->count; period++)
        for (size_t from = 0, end; from + period < l->count; from = end + 1) {
            for (end = from;
                 end + period < l->count && alike(&l->lines[end], &l->lines[end + period]);)
                end++;
            const size_t equal = end - from;
            const struct repeat found = {from, period, 1 + equal / period};
            if (found.turns >= LEAST_TURNS && better(&found, &best))
                best = found;
            if (equal > most) {
                most = equal;
                *near = (struct repeat){from, period, equal};
            }
        }
    return best;
}

static const char *ending(const struct turn_line *line)
{
    return line->length > SHOWN ? "..." : "";
}

static int shown(const struct turn_line *line)
{
    return (int)(line->length > SHOWN ? SHOWN : line->length);
}

/* near->turns: how many lines are equal to those one period later. */
static int refuse(const struct look *l, const struct repeat *near, char error[MACHINE_ERROR])
{
    const struct turn_line *lines = l->lines;
    if (!near->turns) {
        snprintf(error, MACHINE_ERROR,
                 "region '%.60s' has no loop: no two of its %zu statements are equal up to numbers "
                 "(nops do not count)",
                 l->job->region, l->count);
        return 1;
    }
    const size_t last = near->first + near->turns, other = last + near->period;
    const int used =
        snprintf(error, MACHINE_ERROR,
                 "region '%.60s' has no loop of %d turns or more: lines %u to %u are equal up to "
                 "numbers to lines %u to %u, ",
                 l->job->region, LEAST_TURNS, lines[near->first].number, lines[last - 1].number,
                 lines[near->first + near->period].number, lines[other - 1].number);
    if (other == l->count)
        snprintf(error + used, MACHINE_ERROR - (size_t)used, "where the region ends");
    else
        snprintf(error + used, MACHINE_ERROR - (size_t)used,
                 "but line %u, '%.*s%s', differs from line %u, '%.*s%s'", lines[other].number,
                 shown(&lines[other]), lines[other].text, ending(&lines[other]), lines[last].number,
                 shown(&lines[last]), lines[last].text, ending(&lines[last]));
    return 1;
}

/* --- positions -------------------------------------------------------------------------------- */

static int take_positions(struct turns *turns, const struct look *l, const struct repeat *repeat)
{
    const size_t lines = repeat->turns * repeat->period;
    const struct turn_line *first = &l->lines[repeat->first];
    *turns = (struct turns){.count = (uint32_t)repeat->turns, .lines = (uint32_t)repeat->period};
    for (size_t i = 0; i < repeat->period; i++) {
        turns->pieces += first[i].piece_count;
        turns->nodes += first[i].node_count;
    }
    turns->line = malloc((lines + 1) * sizeof *turns->line);
    turns->piece = malloc((repeat->turns * turns->pieces + 1) * sizeof *turns->piece);
    turns->node = malloc((repeat->turns * turns->nodes + 1) * sizeof *turns->node);
    if (!turns->line || !turns->piece || !turns->node)
        return -1;
    size_t piece = 0, node = 0;
    for (size_t i = 0; i < lines; i++) {
        turns->line[i] = first[i].number;
        for (uint32_t k = 0; k < first[i].piece_count; k++)
            turns->piece[piece++] = l->pieces[first[i].piece + k];
        for (uint32_t k = 0; k < first[i].node_count; k++)
            turns->node[node++] = first[i].node + k;
    }
    return 0;
}

void turns_free(struct turns *turns)
{
    free(turns->line);
    free(turns->piece);
    free(turns->node);
    *turns = (struct turns){.line = NULL};
}

/* --- dependences ------------------------------------------------------------------------------ */

uint32_t *turns_positions(const uint32_t *listed, size_t count, size_t all)
{
    uint32_t *position = malloc((all + 1) * sizeof *position);
    for (size_t n = 0; position && n < all; n++)
        position[n] = UINT32_MAX;
    for (size_t i = 0; position && i < count; i++)
        position[listed[i]] = (uint32_t)i;
    return position;
}

void turns_arc(uint32_t from, uint32_t to, uint32_t positions, struct fold_arc *arc)
{
    arc->from = from % positions;
    arc->to = to % positions;
    arc->turn = from / positions;
    arc->turns = to / positions - arc->turn;
}

int turns_fold(const struct turns *turns, const struct graph *graph, bool free_places,
               struct fold *fold)
{
    const enum bound_class class = free_places ? BOUND_FREE_PLACES : BOUND_ANY_ORDER;
    uint32_t *place = turns_positions(turns->node, turns->count * turns->nodes, graph->node_count);
    int status = place ? 0 : -1;
    *fold = (struct fold){.arcs = NULL};
    for (size_t a = 0; a < graph->arc_count && status == 0; a++) {
        const struct graph_arc *arc = &graph->arcs[a];
        const uint32_t from = place[arc->from], to = place[arc->to];
        struct fold_arc folded;
        if (from == UINT32_MAX || to == UINT32_MAX || !bounds_holds(class, arc, &folded.lag))
            continue;
        folded.relay = false;
        turns_arc(from, to, turns->nodes, &folded);
        status = fold_add(fold, &folded);
    }
    free(place);
    fold_merge(fold, turns->count);
    return status;
}

/* Whether all dependences come back in each turn. */
static int is_regular(const struct turns *turns, const struct graph *graph, bool *regular)
{
    struct fold fold;
    const int status = turns_fold(turns, graph, false, &fold);
    *regular = status == 0;
    for (size_t a = 0; a < fold.count; a++)
        *regular &= fold.arcs[a].every || fold.arcs[a].turns > turns->count / 2;
    fold_free(&fold);
    return status;
}

/* The repeat itself, or the first multiple of its turn that is regular. */
static int choose_turn(struct turns *turns, const struct look *l, const struct repeat *repeat)
{
    for (size_t times = 1; times <= MOST_MULTIPLE && repeat->turns / times >= LEAST_TURNS;
         times++) {
        const struct repeat longer = {repeat->first, repeat->period * times, repeat->turns / times};
        bool regular = false;
        int status = take_positions(turns, l, &longer);
        if (status == 0)
            status = is_regular(turns, &l->job->starts->graph, &regular);
        if (status != 0 || regular)
            return status;
        turns_free(turns);
    }
    return take_positions(turns, l, repeat);
}

/* --- all -------------------------------------------------------------------------------------- */

static int refuse_region(const struct directives *directives, const char *name,
                         char error[MACHINE_ERROR])
{
    int used = snprintf(error, MACHINE_ERROR, "the program has no region '%.60s'", name);
    for (size_t r = 1; r <= directives->region_count && used < MACHINE_ERROR - 80; r++)
        used += snprintf(error + used, MACHINE_ERROR - (size_t)used, "%s'%.60s'",
                         r > 1 ? ", " : "; its regions: ", directives->names[r]);
    return 1;
}

int turns_find(struct turns *turns, const struct turns_job *job, char error[MACHINE_ERROR])
{
    struct directives directives;
    struct look l = {.job = job};
    struct repeat near = {.turns = 0};
    uint32_t region = 1;
    *turns = (struct turns){.line = NULL};
    int status = directives_read(&directives, job->source, 1, NULL) < 0 ? -1 : 0;
    while (status == 0 && region <= directives.region_count &&
           strcmp(directives.names[region], job->region) != 0)
        region++;
    if (status == 0 && region > directives.region_count)
        status = refuse_region(&directives, job->region, error);
    if (status == 0)
        status = read_lines(&l, &directives, region);
    if (status == 0) {
        const struct repeat repeat = find_repeat(&l, &near);
        status = repeat.turns ? choose_turn(turns, &l, &repeat) : refuse(&l, &near, error);
    }
    directives_free(&directives);
    free(l.lines);
    free(l.pieces);
    return status;
}
