#include "traces/sinks.h"

#include <string.h>

#include "timing/costs.h"

#include "traces/strings.h"

struct sink sink_null(void)
{
    static const struct sink_ops ops = {.name = "null"};
    return (struct sink){.ops = &ops};
}

/* --- digest ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const uint64_t *values, size_t count)
{
    return strings_hash(hash, values, count * sizeof *values);
}

static uint64_t text_hash(const char *text)
{
    return text ? strings_hash(STRINGS_SEED, text, strlen(text)) : 0;
}

/* A sum does not depend on the order. */
static int add(struct digest_sink *d, uint64_t hash)
{
    d->digest += hash;
    d->events++;
    return 0;
}

static int digest_begin(void *context, const struct sink_header *h)
{
    struct digest_sink *d = context;
    d->attribute_count = h->attribute_count;
    uint64_t hash = mix(text_hash(h->machine),
                        (const uint64_t[]){h->program_hash, h->machine_hash, h->unit_count,
                                           h->stmt_count, h->reason_count, h->counter_count},
                        6);
    for (size_t i = 0; i < h->unit_count; i++)
        hash = mix(hash, (const uint64_t[]){text_hash(h->units[i].path), h->units[i].instances}, 2);
    for (size_t i = 0; i < h->stmt_count; i++) {
        const struct stmt_info *s = &h->stmts[i];
        hash = mix(strings_hash(hash, s->text, s->text_length),
                   (const uint64_t[]){s->file, s->line, s->region}, 3);
    }
    return add(d, hash);
}

static int digest_transfer(void *context, const struct sink_transfer *t)
{
    struct digest_sink *d = context;
    const uint64_t values[] = {t->stmt,     t->tag,    t->bytes,     t->issued,    t->started,
                               t->finished, t->waited, t->waited_by, t->limited_by};
    const uint64_t hash = mix(text_hash(t->mode), values, sizeof values / sizeof *values);
    return add(d, mix(hash, t->attributes, d->attribute_count));
}

static int digest_edge(void *context, const struct sink_edge *e)
{
    const uint64_t values[] = {e->src,      e->dst, (uint64_t)e->kind, e->unit,
                               e->released, e->at,  e->waited,         e->times};
    return add(context, mix(text_hash(e->rule), values, sizeof values / sizeof *values));
}

static int digest_warning(void *context, const struct sink_warning *w)
{
    return add(context,
               mix(text_hash(w->name), (const uint64_t[]){w->stmt, text_hash(w->sentence)}, 2));
}

static int digest_finish(void *context, const struct sink_summary *s)
{
    uint64_t hash =
        mix(STRINGS_SEED, (const uint64_t[]){s->complete, s->cycles, s->cycles_documented}, 3);
    for (size_t i = 0; i < s->counter_count; i++)
        hash = mix(
            hash,
            (const uint64_t[]){s->counters[i].counter, s->counters[i].index, s->counters[i].value},
            3);
    for (size_t i = 0; i < s->unit_total_count; i++) {
        const struct sink_unit_total *t = &s->unit_totals[i];
        hash = mix(hash, (const uint64_t[]){t->unit, t->reason, t->cycles, t->events}, 4);
    }
    for (size_t i = 0; s->costs && i < s->costs->stmt_count; i++) {
        const struct cost_set *set = &s->costs->sets[s->costs->stmts[i].set];
        for (const struct sink_stmt_total *t = &s->costs->rows[set->first], *end = t + set->size;
             t < end; t++)
            hash = mix(hash,
                       (const uint64_t[]){s->costs->stmts[i].stmt, t->unit, t->reason, t->cycles,
                                          t->execs, t->ops, t->bytes},
                       7);
    }
    for (size_t i = 0; i < s->crit_count; i++)
        hash = mix(hash, (const uint64_t[]){s->crit[i].start, s->crit[i].duration}, 2);
    for (size_t i = 0; i < s->slack_count; i++) {
        const struct sink_slack *k = &s->slack[i];
        hash = mix(hash, (const uint64_t[]){k->first_stmt, k->last_stmt, (uint64_t)k->slack}, 3);
    }
    for (size_t i = 0; i < s->window_count; i++) {
        const struct sink_window *w = &s->windows[i];
        hash = mix(hash, (const uint64_t[]){w->unit, w->index, w->busy}, 3);
    }
    return add(context, hash);
}

void digest_init(struct digest_sink *digest)
{
    *digest = (struct digest_sink){.digest = STRINGS_SEED};
}

struct sink sink_digest(struct digest_sink *digest)
{
    static const struct sink_ops ops = {.name = "digest",
                                        .begin = digest_begin,
                                        .transfer = digest_transfer,
                                        .edge = digest_edge,
                                        .warning = digest_warning,
                                        .finish = digest_finish};
    return (struct sink){.ops = &ops, .context = digest};
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
