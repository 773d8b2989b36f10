#include "traces/starts.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/search.h"

void starts_open(struct starts *starts, const struct sink *next)
{
    *starts = (struct starts){.next = *next};
}

void starts_close(struct starts *starts)
{
    free(starts->streams);
    free(starts->rows);
    free(starts->ends);
}

/* --- the calls -------------------------------------------------------------------------------- */

/* Units that issue are in the order of their streams. */
static int begin(void *context, const struct sink_header *header)
{
    struct starts *starts = context;
    uint32_t streams = 0;
    starts->unit_count = header->unit_count;
    starts->streams = malloc((header->unit_count + 1) * sizeof *starts->streams);
    if (!starts->streams)
        return -1;
    for (size_t u = 0; u < header->unit_count; u++)
        starts->streams[u] = strcmp(header->units[u].kind, "issue") == 0 ? streams++ : NONE_ID;
    return starts->next.ops->begin ? starts->next.ops->begin(starts->next.context, header) : 0;
}

static int interval(void *context, const struct sink_interval *interval)
{
    struct starts *starts = context;
    if (!starts->executions && interval->reason == REASON_BUSY &&
        starts->streams[interval->unit] != NONE_ID) {
        struct starts_row *rows =
            grow(starts->rows, &starts->capacity, starts->count + 1, sizeof *rows);
        if (!rows)
            return -1;
        starts->rows = rows;
        rows[starts->count++] = (struct starts_row){.start = interval->start,
                                                    .duration = interval->duration,
                                                    .end = STARTS_NONE,
                                                    .stream = starts->streams[interval->unit],
                                                    .stmt = interval->stmt};
    }
    return starts->next.ops->interval ? starts->next.ops->interval(starts->next.context, interval)
                                      : 0;
}

static int transfer(void *context, const struct sink_transfer *transfer)
{
    struct starts *starts = context;
    struct starts_end *ends =
        grow(starts->ends, &starts->end_capacity, starts->end_count + 1, sizeof *ends);
    if (!ends)
        return -1;
    starts->ends = ends;
    ends[starts->end_count++] =
        (struct starts_end){transfer->issued, transfer->finished, transfer->stmt};
    return starts->next.ops->transfer ? starts->next.ops->transfer(starts->next.context, transfer)
                                      : 0;
}

static int edge(void *context, const struct sink_edge *edge)
{
    const struct sink *next = &((struct starts *)context)->next;
    return next->ops->edge ? next->ops->edge(next->context, edge) : 0;
}

static int warning(void *context, const struct sink_warning *warning)
{
    const struct sink *next = &((struct starts *)context)->next;
    return next->ops->warning ? next->ops->warning(next->context, warning) : 0;
}

/* They say all: intervals are not looked at any more. */
static int execution(void *context, const struct sink_execution *execution)
{
    struct starts *starts = context;
    if (!starts->executions)
        starts->count = 0;
    starts->executions = true;
    struct starts_row *rows =
        grow(starts->rows, &starts->capacity, starts->count + 1, sizeof *rows);
    if (!rows)
        return -1;
    starts->rows = rows;
    rows[starts->count++] = (struct starts_row){.start = execution->start,
                                                .end = execution->end,
                                                .stream = execution->stream,
                                                .stmt = execution->stmt};
    return 0;
}

static int finish(void *context, const struct sink_summary *summary)
{
    const struct sink *next = &((struct starts *)context)->next;
    return next->ops->finish ? next->ops->finish(next->context, summary) : 0;
}

struct sink starts_sink(struct starts *starts)
{
    static const struct sink_ops ops = {.name = "starts",
                                        .begin = begin,
                                        .interval = interval,
                                        .transfer = transfer,
                                        .edge = edge,
                                        .warning = warning,
                                        .execution = execution,
                                        .finish = finish};
    return (struct sink){&ops, starts};
}

/* --- by node ---------------------------------------------------------------------------------- */

static int by_stmt(const void *first, const void *second)
{
    const struct starts_row *a = first, *b = second;
    if (a->stream != b->stream)
        return a->stream < b->stream ? -1 : 1;
    if (a->stmt != b->stmt)
        return a->stmt < b->stmt ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static int by_issue(const void *first, const void *second)
{
    const struct starts_end *a = first, *b = second;
    if (a->stmt != b->stmt)
        return a->stmt < b->stmt ? -1 : 1;
    return a->issued < b->issued ? -1 : a->issued > b->issued;
}

/* The row of a node; *start: when it began, since consecutive executions may be one
 * interval. NULL: not known. */
static const struct starts_row *row_of(const struct starts *starts, const struct graph_node *node,
                                       uint64_t *start)
{
    const struct starts_row wanted = {.stream = node->stream, .stmt = node->stmt};
    size_t low = search_rows(starts->rows, starts->count, sizeof wanted, &wanted, by_stmt);
    uint64_t left = node->occurrence;
    for (; low < starts->count && starts->rows[low].stream == node->stream &&
           starts->rows[low].stmt == node->stmt;
         low++) {
        const struct starts_row *row = &starts->rows[low];
        const uint64_t times = node->issue && !starts->executions ? row->duration / node->issue : 1;
        *start = row->start + left * node->issue;
        if (left < times)
            return row;
        left -= times;
    }
    return NULL;
}

static const struct starts_end *end_of(const struct starts *starts, const struct graph_node *node)
{
    const struct starts_end wanted = {.stmt = node->stmt};
    const size_t low =
        search_rows(starts->ends, starts->end_count, sizeof wanted, &wanted, by_issue) +
        node->occurrence;
    return low < starts->end_count && starts->ends[low].stmt == node->stmt ? &starts->ends[low]
                                                                           : NULL;
}

int starts_nodes(struct starts *starts, const struct graph *graph, uint64_t **started,
                 uint64_t **finished)
{
    uint64_t *start = *started = malloc((graph->node_count + 1) * sizeof *start);
    uint64_t *end = *finished = malloc((graph->node_count + 1) * sizeof *end);
    if (!start || !end)
        return -1;
    if (starts->count)
        qsort(starts->rows, starts->count, sizeof *starts->rows, by_stmt);
    if (starts->end_count)
        qsort(starts->ends, starts->end_count, sizeof *starts->ends, by_issue);
    for (size_t n = 0; n < graph->node_count; n++) {
        const struct graph_node *node = &graph->nodes[n];
        const struct starts_end *of = node->transfer ? end_of(starts, node) : NULL;
        uint64_t began;
        const struct starts_row *row =
            node->transfer || node->outside || node->line ? NULL : row_of(starts, node, &began);
        end[n] = of ? of->finished : row ? row->end : STARTS_NONE;
        start[n] = of ? of->issued : row ? began : STARTS_NONE;
    }
    return 0;
}
