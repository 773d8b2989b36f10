#include "analysis/exact_bound.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/schedule_exact.h"
#include "host/grow.h"

/* As the largest of its class, if it is that. */
static int add_row(struct bounds *bounds, enum bound_class class, const struct exact_found *found)
{
    const struct bound *best = bounds_best(bounds, class);
    size_t at = 0;
    if (!best || best->cycles >= found->cycles)
        return 0;
    if (!grow_list(&bounds->rows, &bounds->capacity, bounds->count + 1, sizeof *bounds->rows))
        return -1;
    while (at < bounds->count && bounds->rows[at].class < class)
        at++;
    memmove(bounds->rows + at + 1, bounds->rows + at, (bounds->count - at) * sizeof *bounds->rows);
    bounds->rows[at] = (struct bound){.class = class,
                                      .kind = BOUND_SEARCH,
                                      .unit = GRAPH_NONE,
                                      .cycles = found->cycles,
                                      .pieces = found->pieces,
                                      .states = found->states};
    bounds->count++;
    return 0;
}

static bool stops(void *self)
{
    const struct exact_effort *effort = self;
    return effort->stop(effort->self);
}

static int search(struct list *list, const struct exact_effort *effort, struct exact_found *found)
{
    struct exact_effort given = *effort;
    struct exact_job job = {.most = effort->states,
                            .stop = effort->stop ? stops : NULL,
                            .self = &given,
                            .tried = &found->states};
    int all;
    do {
        found->cycles = UINT64_MAX;
        all = schedule_exact(list, &job, &found->cycles);
        job.most *= 2;
    } while (all == 0 && effort->stop && !effort->stop(effort->self));
    found->searched = all > 0 && found->cycles != UINT64_MAX;
    found->why = found->searched ? "" : "the search did not end";
    return all < 0 ? -1 : 0;
}

const char *exact_bound_refusal(const struct moves *moves)
{
    if (moves->block_count != 1 || !moves->exact || !moves->together)
        return "programs of this machine are not searched completely";
    if (moves->careful)
        return "some of its pieces are kept together or apart without need";
    return moves->blocks[0].node_count > EXACT_NODES ? "it has more than 64 pieces" : NULL;
}

int exact_bound_add(struct bounds *bounds, const struct machine *machine,
                    const struct run_setup *setup, const struct exact_effort *effort,
                    struct exact_found *found)
{
    char error[MACHINE_ERROR];
    struct moves moves = {.free_waits = true};
    struct list list = {.moves = NULL};
    *found = (struct exact_found){.why = "programs of this machine are not searched completely"};
    if (!machine->advice->moves)
        return 0;
    int status = machine->advice->moves(setup, &moves, error);
    if (status > 0)
        found->why = "its order cannot be changed";
    const char *why = status == 0 ? exact_bound_refusal(&moves) : NULL;
    if (why)
        found->why = why;
    if (status == 0 && !why) {
        found->pieces = moves.blocks[0].node_count;
        status = list_open(&list, &moves, &moves.blocks[0]);
        if (status == 0)
            status = search(&list, effort, found);
        list_free(&list);
    }
    moves_free(&moves);
    for (unsigned class = BOUND_THIS_ORDER; class <= BOUND_ANY_ORDER && found->searched; class ++)
        if (status == 0) /* this order is one of them */
            status = add_row(bounds, (enum bound_class) class, found);
    return status < 0 ? -1 : 0;
}
