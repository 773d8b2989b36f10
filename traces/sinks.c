#include "traces/sinks.h"

#include <inttypes.h>
#include <string.h>

#include "traces/dictionary.h"

const char *sink_reason_name(enum reason reason)
{
    static const char *const names[] = {
#define REASON(id, name, sentence) name,
        TAKT_REASONS(REASON)
#undef REASON
    };
    return (unsigned)reason < REASON_COUNT ? names[reason] : "?";
}

const char *sink_edge_name(enum edge_kind kind)
{
    static const char *const names[] = {
        [EDGE_ORDER] = "order",  [EDGE_TAG] = "tag",   [EDGE_PORT] = "port",
        [EDGE_DATA] = "data",    [EDGE_LINK] = "link", [EDGE_MEMORY] = "memory",
        [EDGE_SUPPLY] = "supply"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "?";
}

struct sink sink_null(void)
{
    static const struct sink_ops ops = {.name = "null"};
    return (struct sink){.ops = &ops};
}

/* --- text ------------------------------------------------------------------------------------ */

static const char *unit_name(const struct text_sink *text, uint32_t unit)
{
    return unit < text->header.unit_count ? text->header.units[unit].name : "-";
}

static void put_stmt(const struct text_sink *text, uint32_t stmt)
{
    if (stmt >= text->header.stmt_count) {
        fputs(" -", text->out);
        return;
    }
    fprintf(text->out, " %" PRIu32, text->header.stmts[stmt].line);
}

static int put_end(const struct text_sink *text)
{
    return putc('\n', text->out) == EOF ? -1 : 0;
}

static int text_begin(void *self, const struct sink_header *header)
{
    struct text_sink *text = self;
    text->header = *header;
    fprintf(text->out, "begin %s %zu units %zu statements", header->machine, header->unit_count,
            header->stmt_count);
    return put_end(text);
}

static int text_slice(void *self, uint32_t unit, enum reason reason, uint32_t stmt, uint64_t start,
                      uint64_t duration)
{
    const struct text_sink *text = self;
    fprintf(text->out, "slice %s %s %" PRIu64 " +%" PRIu64, unit_name(text, unit),
            sink_reason_name(reason), start, duration);
    put_stmt(text, stmt);
    return put_end(text);
}

static int text_transfer(void *self, const struct sink_transfer *t)
{
    const struct text_sink *text = self;
    fprintf(text->out, "transfer");
    put_stmt(text, t->stmt);
    fprintf(text->out,
            " %s i%02" PRIu32 " %" PRIu64 " lw issued %" PRIu64 " started %" PRIu64
            " finished %" PRIu64 " waited %" PRIu64 " limited-by %s",
            t->mode, t->tag, t->long_words, t->issued, t->started, t->finished, t->waited,
            unit_name(text, t->limited_by));
    return put_end(text);
}

static int text_edge(void *self, const struct sink_edge *e)
{
    const struct text_sink *text = self;
    fprintf(text->out, "edge %s", sink_edge_name(e->kind));
    put_stmt(text, e->src);
    fputs(" ->", text->out);
    put_stmt(text, e->dst);
    fprintf(text->out, " %s %s released %" PRIu64 " at %" PRIu64 " waited %" PRIu64,
            unit_name(text, e->unit), e->rule && *e->rule ? e->rule : "-", e->released, e->at,
            e->waited);
    return put_end(text);
}

static int text_warning(void *self, const char *name, uint32_t stmt, const char *sentence)
{
    const struct text_sink *text = self;
    fprintf(text->out, "warning %s", name);
    put_stmt(text, stmt);
    fprintf(text->out, " %s", sentence);
    return put_end(text);
}

static int text_finish(void *self, const struct sink_summary *s)
{
    const struct text_sink *text = self;
    for (size_t i = 0; i < s->unit_total_count; i++) {
        const struct sink_unit_total *t = &s->unit_totals[i];
        fprintf(text->out, "unit %s %s %" PRIu64 "\n", unit_name(text, t->unit),
                sink_reason_name(t->reason), t->cycles);
    }
    for (size_t i = 0; i < s->bound_count; i++) {
        fprintf(text->out, "bound %s %" PRIu64 "\n", s->bounds[i].name, s->bounds[i].cycles);
    }
    fprintf(text->out, "finish %s %" PRIu64 " cycles %" PRIu64 " documented %" PRIu64 " steps",
            s->complete ? "complete" : "incomplete", s->cycles, s->cycles_documented, s->steps);
    const int status = put_end(text);
    return status || fflush(text->out) ? -1 : 0;
}

struct sink sink_text(struct text_sink *text)
{
    static const struct sink_ops plain = {.name = "text",
                                          .begin = text_begin,
                                          .transfer = text_transfer,
                                          .edge = text_edge,
                                          .warning = text_warning,
                                          .finish = text_finish};
    static const struct sink_ops with_slices = {.name = "text",
                                                .begin = text_begin,
                                                .slice = text_slice,
                                                .transfer = text_transfer,
                                                .edge = text_edge,
                                                .warning = text_warning,
                                                .finish = text_finish};
    return (struct sink){.ops = text->slices ? &with_slices : &plain, .self = text};
}

/* --- digest ---------------------------------------------------------------------------------- */

static void mix(struct digest_sink *d, uint64_t value)
{
    d->digest = (d->digest ^ value) * 0x100000001b3u;
    d->digest ^= d->digest >> 29;
}

static void mix_text(struct digest_sink *d, const char *text)
{
    mix(d, text ? dictionary_hash(DICTIONARY_SEED, text, strlen(text)) : 0);
}

static int digest_begin(void *self, const struct sink_header *h)
{
    struct digest_sink *d = self;
    d->events++;
    mix_text(d, h->machine);
    mix(d, h->program_hash ? h->program_hash(h->asked, NULL) : 0);
    mix(d, h->machine_hash);
    mix(d, h->unit_count);
    for (size_t i = 0; i < h->unit_count; i++) {
        mix_text(d, h->units[i].path);
        mix(d, h->units[i].instances);
    }
    mix(d, h->stmt_count);
    for (size_t i = 0; i < h->stmt_count; i++) {
        mix(d, (uint64_t)h->stmts[i].line << 32 | h->stmts[i].region);
        mix(d, dictionary_hash(DICTIONARY_SEED, h->stmts[i].text, h->stmts[i].text_length));
    }
    return 0;
}

static int digest_transfer(void *self, const struct sink_transfer *t)
{
    struct digest_sink *d = self;
    d->events++;
    mix(d, (uint64_t)t->stmt << 32 | t->tag << 8 | t->priority);
    mix_text(d, t->mode);
    const uint64_t values[] = {t->long_words, t->bytes,  t->issued,    t->started,
                               t->finished,   t->waited, t->waited_by, t->limited_by};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        mix(d, values[i]);
    }
    return 0;
}

static int digest_edge(void *self, const struct sink_edge *e)
{
    struct digest_sink *d = self;
    d->events++;
    mix_text(d, e->rule);
    const uint64_t values[] = {e->src, e->dst, e->kind, e->unit, e->released, e->at, e->waited};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        mix(d, values[i]);
    }
    return 0;
}

static int digest_warning(void *self, const char *name, uint32_t stmt, const char *sentence)
{
    struct digest_sink *d = self;
    d->events++;
    mix_text(d, name);
    mix(d, stmt);
    mix_text(d, sentence);
    return 0;
}

static int digest_finish(void *self, const struct sink_summary *s)
{
    struct digest_sink *d = self;
    d->events++;
    const uint64_t values[] = {
        s->complete,      s->cycles,       s->cycles_documented, s->steps,     s->pe_statements,
        s->mv_statements, s->nops_written, s->nops_packing,      s->nops_wait, s->nops_empty,
        s->flops[0],      s->flops[1],     s->flops[2],          s->flops[3]};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        mix(d, values[i]);
    }
    for (size_t i = 0; i < s->unit_total_count; i++) {
        const struct sink_unit_total *t = &s->unit_totals[i];
        mix(d, (uint64_t)t->unit << 32 | t->reason);
        mix(d, t->cycles);
        mix(d, t->events);
    }
    for (size_t i = 0; i < s->stmt_total_count; i++) {
        const struct sink_stmt_total *t = &s->stmt_totals[i];
        mix(d, (uint64_t)t->stmt << 32 | t->unit);
        mix(d, (uint64_t)t->reason << 48 ^ t->cycles);
        mix(d, t->execs);
        mix(d, t->ops);
        mix(d, t->bytes);
    }
    for (size_t i = 0; i < s->crit_count; i++) {
        mix(d, s->crit[i].start);
        mix(d, s->crit[i].duration);
    }
    for (size_t i = 0; i < s->slack_count; i++) {
        mix(d, (uint64_t)s->slack[i].first_stmt << 40 ^ (uint64_t)s->slack[i].slack);
        mix(d, s->slack[i].last_stmt);
    }
    for (size_t i = 0; i < s->bound_count; i++) {
        mix(d, s->bounds[i].cycles);
    }
    for (size_t i = 0; i < s->window_count; i++) {
        mix(d, (uint64_t)s->windows[i].unit << 40 ^ s->windows[i].index);
        mix(d, s->windows[i].busy);
    }
    return 0;
}

void digest_init(struct digest_sink *digest)
{
    *digest = (struct digest_sink){.digest = DICTIONARY_SEED};
}

struct sink sink_digest(struct digest_sink *digest)
{
    static const struct sink_ops ops = {.name = "digest",
                                        .begin = digest_begin,
                                        .transfer = digest_transfer,
                                        .edge = digest_edge,
                                        .warning = digest_warning,
                                        .finish = digest_finish};
    return (struct sink){.ops = &ops, .self = digest};
}

/* --- tee ------------------------------------------------------------------------------------- */

static int tee_begin(void *self, const struct sink_header *header)
{
    const struct tee_sink *t = self;
    const int rc = t->first.ops->begin ? t->first.ops->begin(t->first.self, header) : 0;
    return rc || !t->second.ops->begin ? rc : t->second.ops->begin(t->second.self, header);
}

static int tee_slice(void *self, uint32_t unit, enum reason reason, uint32_t stmt, uint64_t start,
                     uint64_t duration)
{
    const struct tee_sink *t = self;
    const int rc = t->first.ops->slice
                       ? t->first.ops->slice(t->first.self, unit, reason, stmt, start, duration)
                       : 0;
    return rc || !t->second.ops->slice
               ? rc
               : t->second.ops->slice(t->second.self, unit, reason, stmt, start, duration);
}

static int tee_transfer(void *self, const struct sink_transfer *transfer)
{
    const struct tee_sink *t = self;
    const int rc = t->first.ops->transfer ? t->first.ops->transfer(t->first.self, transfer) : 0;
    return rc || !t->second.ops->transfer ? rc : t->second.ops->transfer(t->second.self, transfer);
}

static int tee_edge(void *self, const struct sink_edge *edge)
{
    const struct tee_sink *t = self;
    const int rc = t->first.ops->edge ? t->first.ops->edge(t->first.self, edge) : 0;
    return rc || !t->second.ops->edge ? rc : t->second.ops->edge(t->second.self, edge);
}

static int tee_warning(void *self, const char *name, uint32_t stmt, const char *sentence)
{
    const struct tee_sink *t = self;
    const int rc =
        t->first.ops->warning ? t->first.ops->warning(t->first.self, name, stmt, sentence) : 0;
    return rc || !t->second.ops->warning
               ? rc
               : t->second.ops->warning(t->second.self, name, stmt, sentence);
}

static int tee_finish(void *self, const struct sink_summary *summary)
{
    const struct tee_sink *t = self;
    const int rc = t->first.ops->finish ? t->first.ops->finish(t->first.self, summary) : 0;
    return rc || !t->second.ops->finish ? rc : t->second.ops->finish(t->second.self, summary);
}

struct sink sink_tee(struct tee_sink *tee, struct sink first, struct sink second)
{
    *tee =
        (struct tee_sink){.first = first,
                          .second = second,
                          .ops = {.name = "tee",
                                  .begin = tee_begin,
                                  .slice = first.ops->slice || second.ops->slice ? tee_slice : NULL,
                                  .transfer = tee_transfer,
                                  .edge = tee_edge,
                                  .warning = tee_warning,
                                  .finish = tee_finish}};
    return (struct sink){.ops = &tee->ops, .self = tee};
}
