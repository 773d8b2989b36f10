#include "tests/digest.h"

#include <string.h>

#include "timing/costs.h"
#include "traces/strings.h"

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
