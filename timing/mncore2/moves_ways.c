#include "timing/mncore2/moves_ways.h"

#include <stdlib.h>

#include "host/grow.h"
#include "timing/mncore2/model.h"

/* --- rows of the DRAM ------------------------------------------------------------------------- */

/* A transfer touches a row. */
struct row_touch {
    uint64_t row;
    uint32_t node;
};

struct row_touches {
    struct row_touch *list;
    size_t count, capacity;
    bool unknown; /* an address is not known, or there are too many */
};

static const struct mv *mv_of(const struct plain *p, uint32_t n)
{
    return p->program->stmts[p->program->items[p->pieces[n].item].stmt].mv;
}

static uint64_t row_of(const struct memory_config *dram, uint64_t granule)
{
    uint64_t row = 0;
    static const enum memory_field fields[] = {MEMORY_ROW, MEMORY_BANK, MEMORY_CHANNEL};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        row = row * dram->size[fields[i]] +
              granule / dram->divisor[fields[i]] % dram->size[fields[i]];
    return row;
}

static int touch_rows(struct row_touches *touches, const struct plain *p, uint32_t n,
                      const struct numbers *numbers)
{
    enum { MOST = 1 << 20 };
    const struct mv *mv = mv_of(p, n);
    struct plan plan;
    mncore2_model_plan(numbers, mv, &plan);
    const struct mv_operand *operand = plan.dram_write ? &mv->to : &mv->from;
    const uint64_t granules = plan.ops * plan.granules;
    if (!granules || touches->unknown)
        return 0;
    if (operand->indirect || granules > MOST || touches->count + granules > MOST) {
        touches->unknown = true;
        return 0;
    }
    struct row_touch *list =
        grow(touches->list, &touches->capacity, touches->count + granules, sizeof *list);
    if (!list)
        return -1;
    touches->list = list;
    for (uint64_t i = 0; i < granules; i++) {
        const uint64_t granule = (operand->addr / DRAM_GRANULE + i) % DRAM_GRANULES;
        list[touches->count++] = (struct row_touch){row_of(&numbers->dram, granule), n};
    }
    return 0;
}

static int by_row(const void *first, const void *second)
{
    const struct row_touch *a = first, *b = second;
    return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
                            : (a->node > b->node) - (a->node < b->node);
}

/* opening[n]: cycles before the first data of a read that opens all of its rows; else 0. */
static int find_openings(const struct plain *p, const struct numbers *numbers, uint64_t *opening)
{
    const struct moves_block *block = p->block;
    struct row_touches touches = {.unknown = numbers->dram.ideal};
    int status = 0;
    for (uint32_t n = 0; n < block->node_count && status == 0; n++)
        if (block->nodes[n].transfer)
            status = touch_rows(&touches, p, n, numbers);
    if (touches.count)
        qsort(touches.list, touches.count, sizeof *touches.list, by_row);
    for (size_t i = 0; i < touches.count && !touches.unknown; i++) {
        struct plan plan;
        mncore2_model_plan(numbers, mv_of(p, touches.list[i].node), &plan);
        opening[touches.list[i].node] = plan.dram_write ? 0 : numbers->dram.trcd;
    }
    for (size_t i = 1; i < touches.count; i++)
        if (touches.list[i].row == touches.list[i - 1].row &&
            touches.list[i].node != touches.list[i - 1].node)
            opening[touches.list[i].node] = opening[touches.list[i - 1].node] = 0;
    free(touches.list);
    return status;
}

/* --- ways that transfers share ---------------------------------------------------------------- */

/* Of what a transfer takes in parts: the one that it needs longest. */
static const struct graph_use *longest_use(const struct plain *p, uint32_t n)
{
    const struct graph *graph = &p->made.graph;
    const struct graph_node *node = &graph->nodes[p->pieces[n].first];
    const struct graph_use *best = NULL;
    for (const struct graph_use *use = graph->uses + node->use;
         use < graph->uses + node->use + node->use_count; use++)
        if (use->spread && graph->units[use->unit].width <= 1 &&
            (!best || use->cycles > best->cycles))
            best = use;
    return best;
}

/* Of all transfers of a way: the least cycles before and after their use of it, and the most by
 * which one of them takes longer than these and its use. */
struct way {
    uint64_t before, behind, slack;
};

/* One transfer of one of three passes: ends, slack, what follows. */
static void see(struct moves_node *node, const struct graph_use *use, uint64_t opening,
                struct way *way, unsigned pass)
{
    const uint64_t least = way->before + use->cycles + way->behind;
    if (pass == 0) {
        way->before = use->offset + opening < way->before ? use->offset + opening : way->before;
        way->behind = use->after < way->behind ? use->after : way->behind;
    } else if (pass == 1 && node->least > least && node->least - least > way->slack) {
        way->slack = node->least - least;
    } else if (pass == 2 && use->cycles > way->slack) {
        node->way = use->unit + 1;
        node->work = use->cycles - way->slack;
    }
}

static int find_ways(struct plain *p, const uint64_t *opening)
{
    struct moves_block *block = p->block;
    struct way *ways = malloc((p->made.graph.unit_count + 1) * sizeof *ways);
    if (!ways)
        return -1;
    for (size_t u = 0; u < p->made.graph.unit_count; u++)
        ways[u] = (struct way){UINT64_MAX, UINT64_MAX, 0};
    for (unsigned pass = 0; pass < 3; pass++)
        for (uint32_t n = 0; n < block->node_count; n++) {
            const struct graph_use *use = block->nodes[n].transfer ? longest_use(p, n) : NULL;
            if (use)
                see(&block->nodes[n], use, opening[n], &ways[use->unit], pass);
        }
    free(ways);
    return 0;
}

int mncore2_ways_find(struct plain *p, const struct config *config, char error[MACHINE_ERROR])
{
    struct moves_block *block = p->block;
    struct model model;
    uint64_t *opening = calloc(block->node_count + 1, sizeof *opening);
    int status = opening ? mncore2_model_init(&model, config, error, MACHINE_ERROR) : -1;
    if (status == 0) {
        status = find_openings(p, &model.estimate, opening);
        for (uint32_t n = 0; n < block->node_count; n++)
            block->nodes[n].least += opening[n];
        if (status == 0)
            status = find_ways(p, opening);
        mncore2_model_free(&model);
    }
    free(opening);
    return status;
}
