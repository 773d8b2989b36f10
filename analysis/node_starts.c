#include "analysis/node_starts.h"

#include <stdlib.h>

#include "timing/run.h"
#include "traces/starts.h"

enum { MOST = 100000 }; /* nodes */

/* A sink that keeps the lines of the statements. */
struct keeper {
    uint32_t *lines;
    size_t count;
};

static int begin(void *context, const struct sink_header *header)
{
    struct keeper *keeper = context;
    keeper->lines = malloc((header->stmt_count + 1) * sizeof *keeper->lines);
    if (!keeper->lines)
        return -1;
    keeper->count = header->stmt_count;
    for (size_t i = 0; i < header->stmt_count; i++)
        keeper->lines[i] = header->stmts[i].line;
    return 0;
}

static const struct sink_ops keeper_ops = {.name = "lines", .begin = begin};

static int run(const struct machine *machine, struct run_setup *setup, struct starts *starts,
               char error[MACHINE_ERROR])
{
    const struct sink sink = starts_sink(starts);
    struct machine_run *run = NULL;
    struct diag_list diags;
    diag_list_init(&diags);
    setup->sink = &sink;
    int status = run_open(&run, machine, setup, &diags, error);
    if (status == 0) {
        status = run_whole(run, &diags, error);
        run_close(run);
    }
    diag_list_free(&diags);
    return status;
}

static int find_lines(struct node_starts *starts, const struct keeper *keeper)
{
    const struct graph *graph = &starts->graph;
    starts->lines = calloc(graph->node_count + 1, sizeof *starts->lines);
    for (size_t n = 0; starts->lines && n < graph->node_count; n++)
        if (graph->nodes[n].stmt < keeper->count)
            starts->lines[n] = keeper->lines[graph->nodes[n].stmt];
    return starts->lines ? 0 : -1;
}

int node_starts_find(struct node_starts *result, const struct candidate_setup *setup,
                     const struct machine_program *program, bool values, char error[MACHINE_ERROR])
{
    const struct run_options options = {.settings = setup->settings,
                                        .threads = 1,
                                        .total_only = true,
                                        .timing_only = !values,
                                        .loads = values ? setup->loads : NULL,
                                        .word_order_big = setup->word_order_big};
    struct run_setup run_setup = {.program = program, .config = setup->config, .options = &options};
    struct keeper keeper = {.lines = NULL};
    const struct sink kept = {&keeper_ops, &keeper};
    struct starts starts;
    uint64_t *ends = NULL;
    *result = (struct node_starts){.graph.limit = MOST};
    starts_open(&starts, &kept);
    int status = setup->machine->advice->graph(&run_setup, &result->graph, error);
    if (status == 0)
        status = run(setup->machine, &run_setup, &starts, error);
    if (status == 0)
        status = starts_nodes(&starts, &result->graph, &result->start, &ends);
    if (status == 0)
        status = find_lines(result, &keeper);
    free(ends);
    free(keeper.lines);
    starts_close(&starts);
    return status;
}

void node_starts_free(struct node_starts *starts)
{
    graph_free(&starts->graph);
    free(starts->start);
    free(starts->lines);
}
