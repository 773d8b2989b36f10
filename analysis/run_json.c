#include "analysis/run_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* value NULL: memory was out. */
static void set(json_t *object, const char *key, json_t *value, int *status)
{
    if (json_object_set_new(object, key, value))
        *status = -1;
}

static void set_number(json_t *object, const char *key, uint64_t value, int *status)
{
    set(object, key, json_integer((json_int_t)value), status);
}

/* NULL is null. */
static json_t *text_of(const char *text)
{
    return text ? utf8_json(text) : json_null();
}

static void add(json_t *list, json_t *row, int *status)
{
    if (json_array_append_new(list, row))
        *status = -1;
}

/* File and line of a statement; of none null. */
static void set_place(const struct store *store, json_t *row, const char *const keys[2],
                      uint32_t stmt, int *status)
{
    const struct stmt_info *info = store_stmt(store, stmt);
    set(row, keys[0], text_of(info ? store_file(store, info->file) : NULL), status);
    set(row, keys[1], info ? json_integer(info->line) : json_null(), status);
}

/* --- counters --------------------------------------------------------------------------------- */

static int by_index(const void *a, const void *b)
{
    const struct sink_counter *const *x = a, *const *y = b;
    return ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

/* Single counts: [{index name, unit}]. */
static json_t *counts(const struct store *store, uint32_t counter, int *status)
{
    const struct counter_info *info = &store->header.counters[counter];
    json_t *list = json_array();
    size_t count = 0;
    const struct sink_counter **rows = calloc(store->summary.counter_count + 1, sizeof *rows);
    if (!rows)
        *status = -1;
    for (size_t i = 0; rows && i < store->summary.counter_count; i++)
        if (store->summary.counters[i].counter == counter && store->summary.counters[i].value)
            rows[count++] = &store->summary.counters[i];
    if (rows)
        qsort(rows, count, sizeof *rows, by_index);
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_object();
        set_number(row, info->index, rows[i]->index, status);
        set_number(row, info->unit, rows[i]->value, status);
        add(list, row, status);
    }
    free(rows);
    return list;
}

static json_t *total(const struct store *store, uint32_t counter)
{
    uint64_t value = 0;
    for (size_t i = 0; i < store->summary.counter_count; i++)
        if (store->summary.counters[i].counter == counter)
            value += store->summary.counters[i].value;
    return store->finished ? json_integer((json_int_t)value) : json_null();
}

/* Each counter as a field of its name; "a.b" is field b of object a. */
static void set_counters(const struct store *store, json_t *answer, int *status)
{
    for (uint32_t c = 0; c < store->header.counter_count; c++) {
        const struct counter_info *info = &store->header.counters[c];
        const char *dot = strchr(info->name, '.');
        char *group = strndup(info->name, dot ? (size_t)(dot - info->name) : 0);
        json_t *object = answer;
        if (!group) {
            *status = -1;
            return;
        }
        if (dot && !(object = json_object_get(answer, group))) {
            object = json_object();
            set(answer, group, object, status);
        }
        set(object, dot ? dot + 1 : info->name,
            info->index ? counts(store, c, status) : total(store, c), status);
        free(group);
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static json_t *units(const struct store *store, int *status)
{
    json_t *list = json_array();
    struct unit_use *uses = units_use(store);
    if (!uses)
        *status = -1;
    for (uint32_t u = 0; uses && u < store->header.unit_count; u++) {
        json_t *row = json_object();
        set(row, "unit", utf8_json(store->header.units[u].name), status);
        set(row, "kind", utf8_json(store->header.units[u].kind), status);
        set_number(row, "busy", uses[u].busy, status);
        set_number(row, "waiting", uses[u].waiting, status);
        set_number(row, "idle", uses[u].idle, status);
        set_number(row, "total", uses[u].total, status);
        set(row, "utilization", json_real(units_share(&uses[u])), status);
        add(list, row, status);
    }
    free(uses);
    return list;
}

static json_t *limit(const struct store *store, int *status)
{
    struct verdict verdict;
    if (verdict_find(store, &verdict) != 0)
        *status = -1;
    return verdict_json(&verdict);
}

/* The cycles of the first issuing unit in a region; false: it was never there. */
static bool region_cycles(const struct store *store, uint32_t region, uint64_t *cycles)
{
    uint32_t unit = 0;
    bool any = false;
    *cycles = 0;
    while (unit < store->header.unit_count && !units_issues(store, unit))
        unit++;
    for (size_t i = 0; i < store->unit_total_count; i++) {
        const struct sink_unit_total *t = &store->unit_totals[i];
        if (t->unit != unit || t->region != region || (!t->cycles && !t->events))
            continue;
        *cycles += t->cycles;
        any = true;
    }
    return any;
}

/* "rest", which is region 0, is the last. */
static json_t *regions(const struct store *store, int *status)
{
    const uint32_t count = (uint32_t)store->header.region_count;
    json_t *list = json_array();
    for (uint32_t i = 1; count && i <= count + 1; i++) {
        const uint32_t region = i % (count + 1);
        uint64_t cycles, statements = 0;
        if (!region_cycles(store, region, &cycles))
            continue;
        for (size_t s = 0; s < store->header.stmt_count; s++)
            statements += store->header.stmts[s].region == region;
        json_t *row = json_object();
        set(row, "region", utf8_json(store->header.regions[region]), status);
        set_number(row, "statements", statements, status);
        set_number(row, "cycles", cycles, status);
        set(row, "bound",
            store->region_bounds ? json_integer((json_int_t)store->region_bounds[region])
                                 : json_null(),
            status);
        add(list, row, status);
    }
    return list;
}

static json_t *transfer(const struct store *store, const struct store_transfer *t, int *status)
{
    const char *mode = store_text(store, t->mode);
    json_t *row = json_object();
    set_place(store, row, (const char *const[]){"file", "line"}, t->sink.stmt, status);
    set(row, "mode", text_of(mode), status);
    set_number(row, "tag", t->sink.tag, status);
    set(row, "tag_name", text_of(store_text(store, t->tag_name)), status);
    set_number(row, "bytes", t->sink.bytes, status);
    set_number(row, "issued", t->sink.issued, status);
    set_number(row, "started", t->sink.started, status);
    set_number(row, "finished", t->sink.finished, status);
    set_number(row, "waited", t->sink.waited, status);
    const struct stmt_info *by = store_stmt(store, t->sink.waited_by);
    set(row, "waited_by", by ? json_integer(by->line) : json_null(), status);
    set(row, "limited_by", text_of(store_unit(store, t->sink.limited_by)), status);
    for (size_t i = 0; i < store->header.attribute_count; i++)
        set_number(row, store->header.attributes[i].name, store->attributes[t->attributes + i],
                   status);
    return row;
}

static json_t *transfers(const struct store *store, int *status)
{
    json_t *list = json_array();
    for (size_t i = 0; i < store->transfer_count; i++)
        if (store_asks(store, store->transfers[i].sink.stmt))
            add(list, transfer(store, &store->transfers[i], status), status);
    return list;
}

static json_t *stalls(const struct store *store, int *status)
{
    struct stall list[STALLS_MOST];
    size_t count;
    json_t *rows = json_array();
    if (stalls_find(store, false, STALLS_MOST, list, &count) != 0)
        *status = -1;
    for (size_t i = 0; i < count; i++) {
        const struct dep *dep = list[i].dep;
        json_t *row = json_object();
        set_number(row, "waited", dep->waited, status);
        set_number(row, "times", dep->times, status);
        set(row, "kind", json_string(edge_rows[dep->kind].name), status);
        set(row, "unit", text_of(store_unit(store, dep->unit)), status);
        set(row, "rule", text_of(store_text(store, dep->rule)), status);
        set_place(store, row, (const char *const[]){"culprit_file", "culprit_line"}, dep->src,
                  status);
        set_place(store, row, (const char *const[]){"file", "line"}, dep->dst, status);
        add(rows, row, status);
    }
    return rows;
}

static json_t *parameters(const struct store *store, int *status)
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
        json_t *row = json_object();
        set(row, "provenance", utf8_json(next), status);
        set_number(row, "count", count, status);
        add(list, row, status);
    }
    return list;
}

static json_t *warnings(const struct store *store, int *status)
{
    json_t *list = json_array();
    struct warned *rows = warned_list(store);
    if (!rows)
        *status = -1;
    for (size_t i = 0; rows && i < store->warning_count; i++) {
        json_t *row = json_object();
        set(row, "file", text_of(rows[i].file), status);
        set(row, "line", rows[i].line ? json_integer(rows[i].line) : json_null(), status);
        set(row, "name", utf8_json(rows[i].name), status);
        set(row, "message", utf8_json(rows[i].sentence), status);
        add(list, row, status);
    }
    free(rows);
    return list;
}

/* --- all -------------------------------------------------------------------------------------- */

static void set_range(const struct store *store, json_t *answer, int *status)
{
    const struct store_range *range = &store->range;
    json_t *object = json_object();
    set_number(object, "low", range->low, status);
    set_number(object, "high", range->high, status);
    set_number(object, "parameters", range->parameters, status);
    set(object, "most", text_of(range->most), status);
    set_number(object, "most_cycles", range->most_cycles, status);
    set(answer, "range", object, status);
}

static void set_totals(const struct store *store, json_t *answer, int *status)
{
    const struct sink_summary *s = &store->summary;
    const bool complete = store->complete;
    const double hz = store->header.clock_hz;
    if (s->ending)
        set(answer, "ending", utf8_json(s->ending), status);
    /* A run that did not complete has no total. */
    set(answer, "cycles", complete ? json_integer((json_int_t)s->cycles) : json_null(), status);
    set(answer, "cycles_documented",
        complete && s->cycles_documented ? json_integer((json_int_t)s->cycles_documented)
                                         : json_null(),
        status);
    if (store->range.known)
        set_range(store, answer, status);
    if (!complete)
        set(answer, "cycles_reached",
            store->finished ? json_integer((json_int_t)s->cycles) : json_null(), status);
    set(answer, "seconds", complete && hz > 0 ? json_real((double)s->cycles / hz) : json_null(),
        status);
    set(answer, "clock_hz", real_of(hz), status);
    set(answer, "events", store->finished ? json_integer((json_int_t)s->events) : json_null(),
        status);
}

int run_json_print(const struct store *store, const char *state, FILE *out)
{
    int status = 0;
    const bool complete = store->complete;
    json_t *answer = json_object();
    set(answer, "takt", json_string(TAKT_VERSION), &status);
    set(answer, "program", utf8_json(store->header.program), &status);
    set(answer, "machine", utf8_json(store->header.machine), &status);
    set(answer, "complete", json_boolean(complete), &status);
    set_totals(store, answer, &status);
    if (store->region == NONE_ID)
        set_counters(store, answer, &status);
    set(answer, "units", complete ? units(store, &status) : json_array(), &status);
    set(answer, "limit", complete ? limit(store, &status) : json_null(), &status);
    set(answer, "regions", complete ? regions(store, &status) : json_array(), &status);
    set(answer, "transfers", transfers(store, &status), &status);
    set(answer, "stalls", stalls(store, &status), &status);
    set(answer, "bounds", proven_json(store, &status), &status);
    set(answer, "gap", proven_gap_json(store), &status);
    set(answer, "parameters", parameters(store, &status), &status);
    set(answer, "warnings", warnings(store, &status), &status);
    set_number(answer, "left_out", store->left_out, &status);
    if (state)
        set(answer, "state", json_string(state), &status);
    const int written =
        answer && status == 0
            ? json_dumpf(answer, out, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15))
            : -1;
    json_decref(answer);
    if (written == 0)
        putc('\n', out);
    return written == 0 && !ferror(out) ? 0 : -1;
}
