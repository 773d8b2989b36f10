#include "analysis/bound_answer.h"

#include <stdlib.h>

#include <jansson.h>

#include "analysis/proof_text.h"
#include "analysis/proven.h"
#include "functional/text.h"
#include "host/number.h"

/* Which nodes are of statements of the region. NULL when the host has no memory. */
static bool *nodes_of(const struct store *store, const struct graph *graph, uint32_t region)
{
    bool *chosen = calloc(graph->node_count + 1, sizeof *chosen);
    for (size_t n = 0; chosen && n < graph->node_count; n++) {
        const struct stmt_info *stmt = store_stmt(store, graph->nodes[n].stmt);
        chosen[n] = stmt && stmt->region == region;
    }
    return chosen;
}

/* Cycles from the first start of a chosen node until all of them are over. */
static int span_of(struct starts *starts, const struct graph *graph, const bool *chosen,
                   uint64_t *cycles)
{
    uint64_t *started = NULL, *finished = NULL, first = UINT64_MAX, end = 0;
    const int status = starts_nodes(starts, graph, &started, &finished);
    for (size_t n = 0; n < graph->node_count && status == 0; n++) {
        if (!chosen[n] || started[n] == STARTS_NONE)
            continue;
        const uint64_t over =
            started[n] + graph->nodes[n].length - graph->nodes[n].settle; /* as a part has it */
        first = started[n] < first ? started[n] : first;
        end = over > end ? over : end;
        end = finished[n] != STARTS_NONE && finished[n] > end ? finished[n] : end;
    }
    *cycles = end > first ? end - first : 0;
    free(started);
    free(finished);
    return status;
}

static int find_part(struct bound_answer *answer, const struct graph *graph, uint32_t region)
{
    struct store *own = &answer->store;
    own->options.graph = &answer->part;
    own->options.bounds = &answer->found;
    bool *chosen = nodes_of(own, graph, region);
    int status = chosen ? span_of(answer->starts, graph, chosen, &own->summary.cycles) : -1;
    if (status == 0)
        status = graph_select(&answer->part, graph, chosen);
    if (status == 0)
        status = bounds_find(&answer->found, &answer->part);
    free(chosen);
    return status == 0 ? store_list_bounds(own) : status;
}

int bound_answer_find(struct bound_answer *answer, const struct store *store)
{
    const uint32_t region = answer->region ? store_region(store, answer->region) : 0;
    int status = region == NONE_ID ? 1 : 0;
    answer->store = *store;
    if (answer->region) {
        answer->store.bounds = NULL;
        answer->store.bound_count = 0;
    }
    if (answer->region && status == 0)
        status = find_part(answer, store->options.graph, region);
    const struct bounds *bounds = answer->store.options.bounds;
    for (size_t i = 0; status == 0 && i < bounds->count; i++)
        answer->uncertified |= bounds->rows[i].kind != BOUND_SEARCH &&
                               !bound_certified(&bounds->rows[i], answer->store.options.graph);
    return status;
}

void bound_answer_free(struct bound_answer *answer)
{
    for (size_t i = 0; answer->region && i < answer->store.bound_count; i++)
        free(answer->store.bounds[i].certificate);
    if (answer->region)
        free(answer->store.bounds);
    bounds_free(&answer->found);
    graph_free(&answer->part);
    *answer = (struct bound_answer){.region = NULL};
}

int bound_answer_print(const struct bound_answer *answer, FILE *out)
{
    struct proven proven;
    char number[NUMBER_TEXT];
    if (proven_find(&answer->store, &proven) != 0)
        return -1;
    text_print(out, "%s%s%s   %s cycles\n", answer->program, answer->region ? ": " : "",
               answer->region ? answer->region : "",
               number_group(number, (int64_t)answer->store.summary.cycles));
    if (proven.computed)
        fprintf(out, "  %s\n  %s   %s\n  %s\n", proven.this_order, proven.any_order, proven.gap,
                proven.free_places);
    else
        fputs("  nothing to prove: no statement takes time\n", out);
    return 0;
}

json_t *bound_answer_json(const struct bound_answer *answer)
{
    const struct store *store = &answer->store;
    return json_pack("{s:I, s:o, s:o}", "cycles", (json_int_t)store->summary.cycles, "bounds",
                     proven_json(store), "gap", proven_gap_json(store));
}

int bound_answer_proof(const struct bound_answer *answer, FILE *out)
{
    const struct proof_subject subject = {answer->store.options.graph,
                                          answer->region ? NULL : answer->machine,
                                          answer->region ? NULL : answer->setup};
    return proof_write(&subject, answer->store.options.bounds, out);
}
