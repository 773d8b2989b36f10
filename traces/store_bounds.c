/* store_bounds: lower bounds with their certificates, as JSON of statements. */
#include "traces/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/text.h"

static void print_stmt(FILE *out, uint32_t stmt)
{
    if (stmt == NONE_ID)
        fputs("null", out); /* it is outside the machine */
    else
        fprintf(out, "%" PRIu32, stmt);
}

static void print_path(FILE *out, const struct bound *bound, const struct graph *graph)
{
    fprintf(out, "{\"head\":%" PRIu64 ",\"path\":[", bound->head);
    for (size_t k = 0; k < bound->node_count; k++) {
        fputs(k ? ",[" : "[", out);
        print_stmt(out, graph->nodes[bound->nodes[k]].stmt);
        fprintf(out, ",%" PRIu64 "]", k + 1 < bound->node_count ? bound->lags[k] : 0);
    }
    fprintf(out, "],\"tail\":%" PRId64 "}", bound->tail);
}

/* Neighbouring statements are one range. */
static void print_stmts(FILE *out, const uint32_t *nodes, size_t count, const struct graph *graph)
{
    fputs("\"statements\":[", out);
    for (size_t k = 0, end; k < count; k = end) {
        const uint32_t first = graph->nodes[nodes[k]].stmt;
        uint32_t last = first;
        for (end = k + 1; end < count; last = graph->nodes[nodes[end++]].stmt)
            if (graph->nodes[nodes[end]].stmt - last > 1)
                break;
        fprintf(out, "%s[%" PRIu32 ",%" PRIu32 "]", k ? "," : "", first, last);
    }
    fputc(']', out);
}

static void print_raises(FILE *out, const struct bound_raises *raises, const struct graph *graph)
{
    static const char *const events[] = {
        [RAISE_HEAD] = "head", [RAISE_TAIL] = "tail", [RAISE_BEHIND] = "behind"};
    enum { MOST = 4096 }; /* statements that are named */
    fprintf(out, ",\"raised\":%zu", raises->count);
    if (raises->member_count > MOST)
        return;
    fputs(",\"raises\":[", out);
    for (size_t i = 0; i < raises->count; i++) {
        const struct bound_raise *raise = &raises->list[i];
        fprintf(out, "%s{\"event\":\"%s\",\"stmt\":", i ? "," : "", events[raise->event]);
        print_stmt(out, graph->nodes[raise->node].stmt);
        fprintf(out,
                ",\"cycles\":%" PRIu64 ",\"unit\":\"%s\",\"head\":%" PRIu64 ",\"tail\":%" PRId64
                ",",
                raise->cycles, graph->units[raise->unit].name, raise->head, raise->tail);
        print_stmts(out, raises->members + raise->first, raise->count, graph);
        fputc('}', out);
    }
    fputc(']', out);
}

static void print_set(FILE *out, const struct bound *bound, const struct graph *graph)
{
    const uint64_t work = bound->cycles - bound->head - (uint64_t)bound->tail;
    fprintf(out, "{\"head\":%" PRIu64 ",\"work\":%" PRIu64 ",\"tail\":%" PRId64 ",", bound->head,
            work, bound->tail);
    print_stmts(out, bound->nodes, bound->node_count, graph);
    if (bound->raises)
        print_raises(out, bound->raises, graph);
    fputc('}', out);
}

static char *certificate(const struct bound *bound, const struct graph *graph)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_open(&text, &size);
    if (!out)
        return NULL;
    if (bound->kind == BOUND_SEARCH)
        fprintf(out, "{\"pieces\":%zu,\"states\":%" PRIu64 "}", bound->pieces, bound->states);
    else if (bound->kind == BOUND_PATH)
        print_path(out, bound, graph);
    else
        print_set(out, bound, graph);
    text_close(out, &text);
    return text;
}

int store_list_bounds(struct store *store)
{
    const struct bounds *bounds = store->options.bounds;
    const struct graph *graph = store->options.graph;
    if (!bounds || !bounds->count)
        return 0;
    store->bounds = calloc(bounds->count, sizeof *store->bounds);
    for (size_t i = 0; store->bounds && i < bounds->count; i++) {
        const struct bound *row = &bounds->rows[i];
        const struct graph_unit *unit = row->unit == GRAPH_NONE ? NULL : &graph->units[row->unit];
        struct store_bound *bound = &store->bounds[store->bound_count++];
        *bound = (struct store_bound){.class = bound_class_names[row->class],
                                      .kind = bound_kind_names[row->kind],
                                      .resource = unit ? unit->name : NULL,
                                      .unit = unit ? unit->unit : NONE_ID,
                                      .cycles = row->cycles,
                                      .certificate = certificate(row, graph)};
        if (!bound->certificate)
            return -1;
    }
    return store->bounds ? 0 : -1;
}

/* Of the statements of a region, as a separate program. */
static int bound_region(const struct graph *graph, const struct sink_header *h, size_t region,
                        uint64_t *cycles)
{
    struct graph part = {.nodes = NULL};
    struct bounds bounds = {.rows = NULL};
    bool *chosen = calloc(graph->node_count + 1, sizeof *chosen);
    for (size_t n = 0; chosen && n < graph->node_count; n++) {
        const uint32_t stmt = graph->nodes[n].stmt;
        chosen[n] = stmt < h->stmt_count && h->stmts[stmt].region == region;
    }
    const int status =
        chosen && graph_select(&part, graph, chosen) == 0 && bounds_find(&bounds, &part) == 0 ? 0
                                                                                              : -1;
    const struct bound *best = bounds_best(&bounds, BOUND_ANY_ORDER);
    *cycles = best ? best->cycles : 0;
    bounds_free(&bounds);
    graph_free(&part);
    free(chosen);
    return status;
}

int store_bound_regions(struct store *store)
{
    const struct sink_header *h = &store->header;
    const struct graph *graph = store->options.graph;
    if (!h->region_count || !graph || !graph->node_count)
        return 0;
    store->region_bounds = calloc(h->region_count + 1, sizeof *store->region_bounds);
    for (size_t i = 0; store->region_bounds && i <= h->region_count; i++)
        if (bound_region(graph, h, i, &store->region_bounds[i]) != 0)
            return -1;
    return store->region_bounds ? 0 : -1;
}
