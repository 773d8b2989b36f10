#include "analysis/run_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/json_build.h"
#include "analysis/proven.h"
#include "analysis/stalls.h"
#include "analysis/units.h"
#include "analysis/utf8_json.h"
#include "analysis/verdict.h"
#include "analysis/warned.h"
#include "traces/edges.h"
#include "version.h" /* TAKT_VERSION */

static json_t *real_of(double value)
{
    return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value)
                                                       : json_real(value);
}

/* File and line of a statement; of none null. */
static json_t *file_json(const struct store *store, const struct stmt_info *stmt)
{
    return utf8_json(stmt ? store_file(store, stmt->file) : NULL);
}

static json_t *line_json(const struct stmt_info *stmt)
{
    return stmt ? json_integer(stmt->line) : json_null();
}

static json_t *number_if(bool known, uint64_t value)
{
    return known ? build_count(value) : json_null();
}

/* --- counters --------------------------------------------------------------------------------- */

static int by_index(const void *a, const void *b)
{
    const struct sink_counter *const *x = a, *const *y = b;
    return ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

/* Single counts: [{index name, unit}]. */
static json_t *counts(const struct store *store, uint32_t counter)
{
    const struct counter_info *info = &store->header.counters[counter];
    size_t count = 0;
    const struct sink_counter **rows = calloc(store->summary.counter_count + 1, sizeof *rows);
    json_t *list = rows ? json_array() : NULL;
    for (size_t i = 0; rows && i < store->summary.counter_count; i++)
        if (store->summary.counters[i].counter == counter && store->summary.counters[i].value)
            rows[count++] = &store->summary.counters[i];
    if (rows)
        qsort(rows, count, sizeof *rows, by_index);
    for (size_t i = 0; i < count; i++)
        build_row(&list, json_pack("{s:I, s:I}", info->index, (json_int_t)rows[i]->index,
                                   info->unit, (json_int_t)rows[i]->value));
    free(rows);
    return list;
}

static json_t *total(const struct store *store, uint32_t counter)
{
    uint64_t value = 0;
    for (size_t i = 0; i < store->summary.counter_count; i++)
        if (store->summary.counters[i].counter == counter)
            value += store->summary.counters[i].value;
    return number_if(store->finished, value);
}

/* Each counter as a field of its name; "a.b" is field b of object a. */
static void put_counters(const struct store *store, json_t **answer)
{
    for (uint32_t c = 0; c < store->header.counter_count; c++) {
        const struct counter_info *info = &store->header.counters[c];
        const char *dot = strchr(info->name, '.');
        json_t *value = info->index ? counts(store, c) : total(store, c);
        if (!dot) {
            build_field(answer, info->name, value);
            continue;
        }
        char *group = strndup(info->name, (size_t)(dot - info->name));
        json_t *object = group ? json_incref(json_object_get(*answer, group)) : NULL;
        if (group && !object)
            object = json_object();
        build_field(&object, dot + 1, value);
        build_field(answer, group, object);
        free(group);
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static json_t *units(const struct store *store)
{
    struct unit_use *uses = units_use(store);
    json_t *list = uses ? json_array() : NULL;
    for (uint32_t u = 0; uses && u < store->header.unit_count; u++)
        build_row(&list,
                  json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:f}", "unit",
                            utf8_json(store->header.units[u].name), "kind",
                            utf8_json(store->header.units[u].kind), "busy",
                            (json_int_t)uses[u].busy, "waiting", (json_int_t)uses[u].waiting,
                            "idle", (json_int_t)uses[u].idle, "total", (json_int_t)uses[u].total,
                            "utilization", units_share(&uses[u])));
    free(uses);
    return list;
}

static json_t *limit(const struct store *store)
{
    struct verdict verdict;
    if (store->summary.limit)
        return json_pack("{s:o}", "sentence", utf8_json(store->summary.limit));
    return verdict_find(store, &verdict) == 0 ? verdict_json(&verdict) : NULL;
}

/* "rest", which is region 0, is the last. */
static json_t *regions(const struct store *store)
{
    const uint32_t count = (uint32_t)store->header.region_count;
    const uint64_t *bounds = store->region_bounds;
    json_t *list = json_array();
    for (uint32_t i = 1; count && i <= count + 1; i++) {
        const uint32_t region = i % (count + 1);
        uint64_t cycles, statements = 0;
        if (!units_region(store, region, &cycles))
            continue;
        for (size_t s = 0; s < store->header.stmt_count; s++)
            statements += store->header.stmts[s].region == region;
        build_row(&list, json_pack("{s:o, s:I, s:I, s:o}", "region",
                                   utf8_json(store->header.regions[region]), "statements",
                                   (json_int_t)statements, "cycles", (json_int_t)cycles, "bound",
                                   number_if(bounds, bounds ? bounds[region] : 0)));
    }
    return list;
}

static json_t *transfer(const struct store *store, const struct store_transfer *t)
{
    const struct stmt_info *stmt = store_stmt(store, t->sink.stmt);
    json_t *row =
        json_pack("{s:o, s:o, s:o, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "file",
                  file_json(store, stmt), "line", line_json(stmt), "mode",
                  utf8_json(store_text(store, t->mode)), "tag", (json_int_t)t->sink.tag, "tag_name",
                  utf8_json(store_text(store, t->tag_name)), "bytes", (json_int_t)t->sink.bytes,
                  "issued", (json_int_t)t->sink.issued, "started", (json_int_t)t->sink.started,
                  "finished", (json_int_t)t->sink.finished, "waited", (json_int_t)t->sink.waited,
                  "waited_by", line_json(store_stmt(store, t->sink.waited_by)), "limited_by",
                  utf8_json(store_unit(store, t->sink.limited_by)));
    for (size_t i = 0; i < store->header.attribute_count; i++)
        build_field(&row, store->header.attributes[i].name,
                    build_count(store->attributes[t->attributes + i]));
    return row;
}

static json_t *transfers(const struct store *store)
{
    json_t *list = json_array();
    for (size_t i = 0; i < store->transfer_count; i++)
        if (store_asks(store, store->transfers[i].sink.stmt))
            build_row(&list, transfer(store, &store->transfers[i]));
    return list;
}

static json_t *stalls(const struct store *store)
{
    struct stall list[STALLS_MOST];
    size_t count;
    json_t *rows = stalls_find(store, false, STALLS_MOST, list, &count) == 0 ? json_array() : NULL;
    for (size_t i = 0; i < count; i++) {
        const struct dep *dep = list[i].dep;
        const struct stmt_info *from = store_stmt(store, dep->src),
                               *to = store_stmt(store, dep->dst);
        build_row(&rows, json_pack("{s:I, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "waited",
                                   (json_int_t)dep->waited, "times", (json_int_t)dep->times, "kind",
                                   edge_rows[dep->kind].name, "unit",
                                   utf8_json(store_unit(store, dep->unit)), "rule",
                                   utf8_json(store_text(store, dep->rule)), "culprit_file",
                                   file_json(store, from), "culprit_line", line_json(from), "file",
                                   file_json(store, to), "line", line_json(to)));
    }
    return rows;
}

static json_t *parameters(const struct store *store)
{
    json_t *list = json_array();
    const struct sink_header *h = &store->header;
    for (const char *last = NULL, *next; h->param_count; last = next) {
        size_t count = 0;
        next = NULL;
        for (size_t i = 0; i < h->param_count; i++) {
            const char *name = h->params[i].provenance;
            if (last && strcmp(name, last) <= 0)
                continue;
            const int order = next ? strcmp(name, next) : -1;
            count = order < 0 ? 1 : count + (order == 0);
            next = order < 0 ? name : next;
        }
        if (!next)
            break;
        build_row(&list, json_pack("{s:o, s:I}", "provenance", utf8_json(next), "count",
                                   (json_int_t)count));
    }
    return list;
}

static json_t *warnings(const struct store *store)
{
    struct warned *rows = warned_list(store);
    json_t *list = rows ? json_array() : NULL;
    for (size_t i = 0; rows && i < store->warning_count; i++)
        build_row(&list,
                  json_pack("{s:o, s:o, s:o, s:o}", "file", utf8_json(rows[i].file), "line",
                            number_if(rows[i].line, rows[i].line), "name", utf8_json(rows[i].name),
                            "message", utf8_json(rows[i].sentence)));
    free(rows);
    return list;
}

/* --- all -------------------------------------------------------------------------------------- */

static json_t *range_json(const struct store_range *range)
{
    return json_pack("{s:I, s:I, s:I, s:o, s:I}", "low", (json_int_t)range->low, "high",
                     (json_int_t)range->high, "parameters", (json_int_t)range->parameters, "most",
                     utf8_json(range->most), "most_cycles", (json_int_t)range->most_cycles);
}

static void put_totals(const struct store *store, json_t **answer)
{
    const struct sink_summary *s = &store->summary;
    const bool complete = store->complete;
    const double hz = store->header.clock_hz;
    if (s->ending)
        build_field(answer, "ending", utf8_json(s->ending));
    /* A run that did not complete has no total. */
    build_field(answer, "cycles", number_if(complete, s->cycles));
    build_field(answer, "cycles_documented",
                number_if(complete && s->cycles_documented, s->cycles_documented));
    if (store->range.known)
        build_field(answer, "range", range_json(&store->range));
    if (!complete)
        build_field(answer, "cycles_reached", number_if(store->finished, s->cycles));
    build_field(answer, "seconds",
                complete && hz > 0 ? json_real((double)s->cycles / hz) : json_null());
    build_field(answer, "clock_hz", real_of(hz));
    build_field(answer, "events", number_if(store->finished, s->events));
}

int run_json_print(const struct store *store, const char *state, FILE *out)
{
    const bool complete = store->complete;
    json_t *answer = json_pack("{s:s, s:o, s:o, s:b}", "takt", TAKT_VERSION, "program",
                               utf8_json(store->header.program), "machine",
                               utf8_json(store->header.machine), "complete", complete);
    put_totals(store, &answer);
    if (store->region == NONE_ID)
        put_counters(store, &answer);
    build_field(&answer, "units", complete ? units(store) : json_array());
    build_field(&answer, "limit", complete ? limit(store) : json_null());
    build_field(&answer, "regions", complete ? regions(store) : json_array());
    build_field(&answer, "transfers", transfers(store));
    build_field(&answer, "stalls", stalls(store));
    build_field(&answer, "bounds", proven_json(store));
    build_field(&answer, "gap", proven_gap_json(store));
    build_field(&answer, "parameters", parameters(store));
    build_field(&answer, "warnings", warnings(store));
    build_field(&answer, "left_out", build_count(store->left_out));
    if (state)
        build_field(&answer, "state", json_string(state));
    const int written =
        answer
            ? json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15))
            : -1;
    json_decref(answer);
    if (written == 0)
        putc('\n', out);
    return written == 0 && !ferror(out) ? 0 : -1;
}
