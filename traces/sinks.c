#include "traces/sinks.h"

struct sink sink_null(void)
{
    static const struct sink_ops ops = {.name = "null"};
    return (struct sink){.ops = &ops};
}

static int take_header(void *context, const struct sink_header *header)
{
    (void)context;
    (void)header;
    return 0;
}

struct sink sink_header(void)
{
    static const struct sink_ops ops = {.name = "header", .begin = take_header};
    return (struct sink){.ops = &ops};
}

/* --- tee -------------------------------------------------------------------------------------- */

static int tee_begin(void *context, const struct sink_header *header)
{
    const struct sink *a = &((struct tee_sink *)context)->sinks[0], *b = a + 1;
    const int rc = a->ops->begin ? a->ops->begin(a->context, header) : 0;
    return rc || !b->ops->begin ? rc : b->ops->begin(b->context, header);
}

static int tee_interval(void *context, const struct sink_interval *interval)
{
    const struct sink *a = &((struct tee_sink *)context)->sinks[0], *b = a + 1;
    const int rc = a->ops->interval ? a->ops->interval(a->context, interval) : 0;
    return rc || !b->ops->interval ? rc : b->ops->interval(b->context, interval);
}

static int tee_transfer(void *context, const struct sink_transfer *transfer)
{
    const struct sink *a = &((struct tee_sink *)context)->sinks[0], *b = a + 1;
    const int rc = a->ops->transfer ? a->ops->transfer(a->context, transfer) : 0;
    return rc || !b->ops->transfer ? rc : b->ops->transfer(b->context, transfer);
}

static int tee_edge(void *context, const struct sink_edge *edge)
{
    const struct sink *a = &((struct tee_sink *)context)->sinks[0], *b = a + 1;
    const int rc = a->ops->edge ? a->ops->edge(a->context, edge) : 0;
    return rc || !b->ops->edge ? rc : b->ops->edge(b->context, edge);
}

static int tee_warning(void *context, const struct sink_warning *warning)
{
    const struct sink *a = &((struct tee_sink *)context)->sinks[0], *b = a + 1;
    const int rc = a->ops->warning ? a->ops->warning(a->context, warning) : 0;
    return rc || !b->ops->warning ? rc : b->ops->warning(b->context, warning);
}

static int tee_finish(void *context, const struct sink_summary *summary)
{
    const struct sink *a = &((struct tee_sink *)context)->sinks[0], *b = a + 1;
    const int rc = a->ops->finish ? a->ops->finish(a->context, summary) : 0;
    return rc || !b->ops->finish ? rc : b->ops->finish(b->context, summary);
}

struct sink sink_tee(struct tee_sink *tee, struct sink first, struct sink second)
{
    const bool intervals = first.ops->interval || second.ops->interval;
    *tee = (struct tee_sink){.sinks = {first, second},
                             .ops = {.name = "tee",
                                     .begin = tee_begin,
                                     .interval = intervals ? tee_interval : NULL,
                                     .transfer = tee_transfer,
                                     .edge = tee_edge,
                                     .warning = tee_warning,
                                     .finish = tee_finish}};
    return (struct sink){.ops = &tee->ops, .context = tee};
}
