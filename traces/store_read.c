#include "traces/store_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/rows.h"

struct reader {
    sqlite3 *db;
    struct store *store;
    int rc;
};

/* Zeros, freed when the store is closed; NULL when memory is out. */
static void *keep(struct reader *r, size_t size)
{
    void **copy = calloc(1, sizeof(max_align_t) + size);
    if (!copy) {
        rows_fail(&r->rc, SQLITE_NOMEM);
        return NULL;
    }
    *copy = r->store->copies;
    r->store->copies = copy;
    return (max_align_t *)copy + 1;
}

/* "" for NULL. */
static const char *keep_text(struct reader *r, sqlite3_stmt *q, int column)
{
    size_t size;
    const char *text = rows_string(q, column, &size);
    char *copy = keep(r, size + 1);
    if (!copy)
        return "";
    memcpy(copy, text, size);
    return copy;
}

/* Texts for which memory was out are heard of here. */
static void end(struct reader *r, sqlite3_stmt *q)
{
    const int ended = sqlite3_finalize(q);
    if (ended != SQLITE_OK)
        rows_fail(&r->rc, ended);
}

/* fallback where there is no such row. */
static int64_t value_of(struct reader *r, const char *sql, int64_t argument, int64_t fallback)
{
    const int64_t value =
        r->rc == SQLITE_OK ? rows_value(r->db, sql, argument, 0, fallback) : fallback;
    if (sqlite3_errcode(r->db) == SQLITE_NOMEM)
        rows_fail(&r->rc, SQLITE_NOMEM);
    return value;
}

static uint64_t number(sqlite3_stmt *q, int column)
{
    return (uint64_t)sqlite3_column_int64(q, column);
}

static uint32_t id(sqlite3_stmt *q, int column)
{
    const int64_t value = sqlite3_column_int64(q, column);
    return sqlite3_column_type(q, column) == SQLITE_NULL || value < 0 || value >= NONE_ID
               ? NONE_ID
               : (uint32_t)value;
}

/* An index into a list of `count`; of another number r->rc is set. */
static uint32_t within(struct reader *r, sqlite3_stmt *q, int column, size_t count)
{
    const uint32_t value = id(q, column);
    if (value < count)
        return value;
    rows_fail(&r->rc, SQLITE_CORRUPT);
    return 0;
}

static uint32_t unit(struct reader *r, sqlite3_stmt *q, int column)
{
    return within(r, q, column, r->store->header.unit_count);
}

static uint32_t reason(struct reader *r, sqlite3_stmt *q, int column)
{
    return within(r, q, column, r->store->header.reason_count);
}

/* A table as an array: `size` bytes a row, which `take` fills. */
struct table {
    const char *columns, *from, *order;
    size_t size;
    void (*take)(struct reader *r, sqlite3_stmt *q, void *row);
    unsigned how; /* of these */
};

/* The first column is the row's number, from 0 or 1 on; the array is allocated, not kept. */
enum { ANY = 0, FROM_0 = 1, FROM_1 = 2, OWN = 4 };

/* Never NULL unless *rc says why. */
static void *read_table(struct reader *r, const struct table *t, size_t *count)
{
    char sql[600];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", t->from);
    const size_t rows = (size_t)value_of(r, sql, 0, 0);
    char *list = t->how & OWN ? calloc(rows + 1, t->size) : keep(r, rows * t->size);
    *count = 0;
    if (!list)
        rows_fail(&r->rc, SQLITE_NOMEM);
    snprintf(sql, sizeof sql, "SELECT %s FROM %s ORDER BY %s", t->columns, t->from, t->order);
    sqlite3_stmt *q = rows_select(r->db, sql, &r->rc);
    while (rows_next(q, &r->rc)) {
        if (*count == rows ||
            (t->how & (FROM_0 | FROM_1) &&
             sqlite3_column_int64(q, 0) != (int64_t)*count + (t->how & FROM_1 ? 1 : 0))) {
            rows_fail(&r->rc, SQLITE_CORRUPT);
            break;
        }
        t->take(r, q, list + (*count)++ * t->size);
    }
    end(r, q);
    return list;
}

/* --- facts ------------------------------------------------------------------------------------ */

static void take_fact(struct reader *r, sqlite3_stmt *q, const char *key)
{
    struct store *s = r->store;
    uint64_t *const numbers[] = {&s->summary.cycles_documented,
                                 &s->summary.events,
                                 &s->left_out,
                                 &s->range.low,
                                 &s->range.high,
                                 &s->range.parameters,
                                 &s->range.most_cycles};
    static const char *const number_keys[] = {
        "cycles_documented", "events",           "warnings_left_out", "range_low",
        "range_high",        "range_parameters", "range_most_cycles"};
    const char **const texts[] = {&s->header.machine, &s->header.program, &s->summary.ending,
                                  &s->summary.limit, &s->range.most};
    static const char *const text_keys[] = {"machine", "program", "ending", "limit", "range_most"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(key, number_keys[i]) == 0)
            *numbers[i] = number(q, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, text_keys[i]) == 0)
            *texts[i] = keep_text(r, q, 1);
    s->range.known |= strcmp(key, "range_low") == 0;
    if (strcmp(key, "clock_hz") == 0)
        s->header.clock_hz = sqlite3_column_double(q, 1);
    else if (strcmp(key, "complete") == 0)
        s->complete = s->summary.complete = number(q, 1) == 1;
    else if (strcmp(key, "cycles_reached") == 0)
        s->finished = true;
    else if (strcmp(key, "state") == 0)
        rows_copy(q, 1, s->state, sizeof s->state);
}

static void read_facts(struct reader *r)
{
    struct store *s = r->store;
    sqlite3_stmt *q = rows_select(r->db, "SELECT key, value FROM meta", &r->rc);
    s->header.machine = s->header.program = "";
    while (rows_next(q, &r->rc))
        take_fact(r, q, rows_text(q, 0));
    end(r, q);
    s->summary.cycles = (uint64_t)value_of(
        r, "SELECT value FROM meta WHERE key = iif(?1, 'total_cycles', 'cycles_reached')",
        s->complete, 0);
    s->region = (uint32_t)value_of(
        r, "SELECT r.id FROM region r JOIN meta m ON m.key = 'region' AND m.value = r.name", 0,
        NONE_ID);
}

/* --- the header ------------------------------------------------------------------------------- */

static void take_file(struct reader *r, sqlite3_stmt *q, void *row)
{
    ((struct file_info *)row)->name = keep_text(r, q, 1);
}

static void take_unit(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct unit_info *u = row;
    *u = (struct unit_info){.name = keep_text(r, q, 1), .kind = keep_text(r, q, 2)};
}

static void take_reason(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct reason_info *reason_row = row;
    *reason_row = (struct reason_info){.name = keep_text(r, q, 1),
                                       .state = within(r, q, 2, STATE_IDLE + 1),
                                       .limit = keep_text(r, q, 3)};
}

static void take_attribute(struct reader *r, sqlite3_stmt *q, void *row)
{
    ((struct attribute_info *)row)->name = keep_text(r, q, 1);
}

static void take_param(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct param_info *param = row;
    *param = (struct param_info){.provenance = keep_text(r, q, 0),
                                 .name = keep_text(r, q, 1),
                                 .unit = keep_text(r, q, 2),
                                 .value = sqlite3_column_double(q, 3)};
    if (sqlite3_column_type(q, 3) == SQLITE_TEXT)
        param->text = keep_text(r, q, 3);
}

static void take_region(struct reader *r, sqlite3_stmt *q, void *row)
{
    *(const char **)row = keep_text(r, q, 1);
}

static void take_bound_of_region(struct reader *r, sqlite3_stmt *q, void *row)
{
    (void)r;
    *(uint64_t *)row = number(q, 1);
}

static void take_stmt(struct reader *r, sqlite3_stmt *q, void *row)
{
    (void)r;
    struct stmt_info *stmt = row;
    *stmt = (struct stmt_info){
        .file = id(q, 1), .line = id(q, 2), .region = id(q, 3), .text = "", .text_length = 0};
}

/* The reasons, of which other lists have indexes, come first. */
static void read_header(struct reader *r)
{
    static const struct table
        files = {"id, name", "file", "id", sizeof(struct file_info), take_file, FROM_0},
        units = {"id, name, kind",
                 "unit WHERE kind <> 'node'",
                 "id",
                 sizeof(struct unit_info),
                 take_unit,
                 FROM_0},
        reasons = {"id, name, state, limits",  "reason",    "id",
                   sizeof(struct reason_info), take_reason, FROM_0},
        attributes = {"id, name",     "attribute", "id", sizeof(struct attribute_info),
                      take_attribute, FROM_0},
        params = {"provenance, name, unit, value", "param",    "name",
                  sizeof(struct param_info),       take_param, ANY},
        regions = {"id, name", "region", "id", sizeof(char *), take_region, FROM_0},
        region_bounds = {"id, bound",      "region WHERE bound NOT NULL", "id",
                         sizeof(uint64_t), take_bound_of_region,          FROM_0 | OWN},
        stmts = {"s.id, s.file, s.line, t.region",
                 "stmt_row s LEFT JOIN text t ON t.id = s.text",
                 "s.id",
                 sizeof(struct stmt_info),
                 take_stmt,
                 FROM_0};
    struct sink_header *h = &r->store->header;
    size_t bounds;
    h->files = read_table(r, &files, &h->file_count);
    h->units = read_table(r, &units, &h->unit_count);
    h->reasons = read_table(r, &reasons, &h->reason_count);
    h->attributes = read_table(r, &attributes, &h->attribute_count);
    h->params = read_table(r, &params, &h->param_count);
    h->regions = read_table(r, &regions, &h->region_count);
    h->region_count -= h->region_count > 0; /* "rest" */
    r->store->region_bounds = read_table(r, &region_bounds, &bounds);
    if (!bounds) {
        free(r->store->region_bounds);
        r->store->region_bounds = NULL;
    } else if (bounds <= h->region_count) {
        rows_fail(&r->rc, SQLITE_CORRUPT);
    }
    h->stmts = read_table(r, &stmts, &h->stmt_count);
}

static void read_texts(struct reader *r, const char *sql)
{
    struct stmt_info *stmts = (struct stmt_info *)r->store->header.stmts;
    sqlite3_stmt *q = rows_select(r->db, sql, &r->rc);
    while (rows_next(q, &r->rc)) {
        const uint32_t stmt = within(r, q, 0, r->store->header.stmt_count);
        if (r->rc != SQLITE_OK)
            break;
        stmts[stmt].text = keep_text(r, q, 1);
        stmts[stmt].text_length = (size_t)sqlite3_column_bytes(q, 1);
    }
    end(r, q);
}

int store_read_texts(struct store *store, sqlite3 *db)
{
    struct reader r = {.db = db, .store = store, .rc = SQLITE_OK};
    read_texts(&r, "SELECT id, text FROM stmt");
    return r.rc;
}

/* --- counters --------------------------------------------------------------------------------- */

static void take_counter(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct counter_info *c = row;
    *c = (struct counter_info){.name = keep_text(r, q, 0), .unit = keep_text(r, q, 1)};
    if (sqlite3_column_type(q, 2) != SQLITE_NULL)
        c->index = keep_text(r, q, 2);
}

static void take_count(struct reader *r, sqlite3_stmt *q, void *row)
{
    const struct sink_header *h = &r->store->header;
    struct sink_counter *c = row;
    const char *name = rows_text(q, 0);
    *c = (struct sink_counter){.counter = 0, .index = id(q, 1), .value = number(q, 2)};
    while (c->counter < h->counter_count && strcmp(h->counters[c->counter].name, name) != 0)
        c->counter++;
    if (c->counter == h->counter_count)
        rows_fail(&r->rc, SQLITE_CORRUPT);
}

/* Single counts of those that have some, all together of the others. */
static void read_counters(struct reader *r)
{
    static const struct table infos = {"name, unit, idx_name",
                                       "counter WHERE idx IS NULL",
                                       "rowid",
                                       sizeof(struct counter_info),
                                       take_counter,
                                       ANY},
                              counts = {"name, idx, value",
                                        "counter WHERE idx NOT NULL OR idx_name IS NULL",
                                        "idx",
                                        sizeof(struct sink_counter),
                                        take_count,
                                        ANY};
    struct store *s = r->store;
    s->header.counters = read_table(r, &infos, &s->header.counter_count);
    s->summary.counters = read_table(r, &counts, &s->summary.counter_count);
}

/* --- events ----------------------------------------------------------------------------------- */

static void take_string(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct string_entry *entry = row;
    entry->text = strdup(rows_text(q, 1));
    if (!entry->text)
        rows_fail(&r->rc, SQLITE_NOMEM);
}

static void take_transfer(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct store_transfer *t = row;
    (void)r;
    *t = (struct store_transfer){.sink = {.stmt = id(q, 1),
                                          .tag = id(q, 2),
                                          .bytes = number(q, 5),
                                          .issued = number(q, 6),
                                          .started = number(q, 7),
                                          .finished = number(q, 8),
                                          .waited = number(q, 9),
                                          .waited_by = id(q, 10),
                                          .limited_by = id(q, 11)},
                                 .tag_name = id(q, 3),
                                 .mode = id(q, 4),
                                 .attributes = (size_t)(sqlite3_column_int64(q, 0) - 1) *
                                               r->store->header.attribute_count};
}

static void take_value(struct reader *r, sqlite3_stmt *q, void *row)
{
    (void)r;
    *(uint64_t *)row = number(q, 0);
}

static void take_dep(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct dep *d = row;
    *d = (struct dep){.src = id(q, 0),
                      .dst = id(q, 1),
                      .kind = within(r, q, 2, EDGE_KINDS),
                      .unit = id(q, 3),
                      .rule = id(q, 4),
                      .times = number(q, 5),
                      .waited = number(q, 6),
                      .first_at = number(q, 7)};
}

static void take_warning(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct store_warning *w = row;
    (void)r;
    *w = (struct store_warning){.name = id(q, 0),
                                .stmt = id(q, 1),
                                .file = id(q, 2),
                                .line = id(q, 3),
                                .sentence = id(q, 4)};
}

static void read_events(struct reader *r)
{
    static const struct table strings = {"id, text",  "string",
                                         "id",        sizeof(struct string_entry),
                                         take_string, FROM_1 | OWN},
                              transfers = {"id, stmt, tag, tag_name, mode, bytes, issued, started, "
                                           "finished, waited, waited_by, limited_by",
                                           "main.transfer",
                                           "id",
                                           sizeof(struct store_transfer),
                                           take_transfer,
                                           FROM_1 | OWN},
                              values = {"value",
                                        "transfer_attribute",
                                        "transfer, attribute",
                                        sizeof(uint64_t),
                                        take_value,
                                        OWN},
                              deps = {"src, dst, kind, unit, rule, times, waited, first_at",
                                      "dep",
                                      "id",
                                      sizeof(struct dep),
                                      take_dep,
                                      OWN},
                              warnings = {"name, stmt, file, line, sentence",
                                          "warning",
                                          "stmt IS "
                                          "NULL, stmt",
                                          sizeof(struct store_warning),
                                          take_warning,
                                          OWN};
    struct store *s = r->store;
    s->strings.entries = read_table(r, &strings, &s->strings.count);
    s->strings.order = calloc(s->strings.count + 1, sizeof *s->strings.order);
    if (!s->strings.order)
        rows_fail(&r->rc, SQLITE_NOMEM);
    for (size_t i = 0; s->strings.order && i < s->strings.count; i++)
        s->strings.order[i] = (uint32_t)i;
    s->transfers = read_table(r, &transfers, &s->transfer_count);
    s->attributes = read_table(r, &values, &s->attribute_count);
    if (s->attribute_count != s->transfer_count * s->header.attribute_count)
        rows_fail(&r->rc, SQLITE_CORRUPT);
    s->deps.rows = read_table(r, &deps, &s->deps.count);
    s->warnings = read_table(r, &warnings, &s->warning_count);
}

/* --- the summary ------------------------------------------------------------------------------ */

static void take_unit_total(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct sink_unit_total *t = row;
    *t = (struct sink_unit_total){.unit = unit(r, q, 0),
                                  .region = id(q, 1),
                                  .reason = reason(r, q, 2),
                                  .cycles = number(q, 3),
                                  .events = number(q, 4)};
}

static void take_cost(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct sink_stmt_total *t = row;
    *t = (struct sink_stmt_total){.unit = unit(r, q, 0),
                                  .reason = reason(r, q, 1),
                                  .cycles = number(q, 2),
                                  .execs = number(q, 3),
                                  .ops = number(q, 4),
                                  .bytes = number(q, 5)};
}

static void take_cost_set(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct cost_set *set = row;
    (void)r;
    *set = (struct cost_set){.stmts = number(q, 1), .size = (size_t)number(q, 2)};
}

static void take_cost_stmt(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct cost_stmt *stmt = row;
    *stmt = (struct cost_stmt){.stmt = within(r, q, 0, r->store->header.stmt_count),
                               .set = within(r, q, 1, r->store->summary.costs->set_count)};
}

static void take_crit(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct sink_crit *c = row;
    *c = (struct sink_crit){.start = number(q, 0),
                            .duration = number(q, 1),
                            .first_stmt = id(q, 2),
                            .last_stmt = id(q, 3),
                            .unit = id(q, 4),
                            .reason = reason(r, q, 5)};
}

static void take_slack(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct sink_slack *slack = row;
    (void)r;
    *slack = (struct sink_slack){id(q, 0), id(q, 1), sqlite3_column_int64(q, 2),
                                 sqlite3_column_int(q, 3) != 0};
}

static void take_bound(struct reader *r, sqlite3_stmt *q, void *row)
{
    struct store_bound *b = row;
    *b = (struct store_bound){.class = keep_text(r, q, 0),
                              .kind = keep_text(r, q, 1),
                              .unit = id(q, 3),
                              .cycles = number(q, 4),
                              .certificate = strdup(rows_text(q, 5))};
    if (sqlite3_column_type(q, 2) != SQLITE_NULL)
        b->resource = keep_text(r, q, 2);
    if (!b->certificate)
        rows_fail(&r->rc, SQLITE_NOMEM);
}

/* Of all statements, also of one region's trace. */
static void read_costs(struct reader *r)
{
    static const struct table rows = {"unit, reason, cycles, execs, ops, bytes",
                                      "main.cost",
                                      "cost, unit, reason",
                                      sizeof(struct sink_stmt_total),
                                      take_cost,
                                      ANY},
                              sets = {"cost, stmts, (SELECT count(*) FROM main.cost c WHERE "
                                      "c.cost = s.cost)",
                                      "main.cost_set s",
                                      "cost",
                                      sizeof(struct cost_set),
                                      take_cost_set,
                                      FROM_0},
                              stmts = {"stmt, cost",   "main.stmt_cost_set",
                                       "stmt",         sizeof(struct cost_stmt),
                                       take_cost_stmt, ANY};
    struct costs *costs = keep(r, sizeof *costs);
    if (!costs)
        return;
    r->store->summary.costs = costs;
    costs->rows = read_table(r, &rows, &costs->row_count);
    costs->sets = read_table(r, &sets, &costs->set_count);
    costs->stmts = read_table(r, &stmts, &costs->stmt_count);
    size_t first = 0;
    for (size_t i = 0; i < costs->set_count; first += costs->sets[i++].size)
        costs->sets[i].first = first;
    if (first != costs->row_count)
        rows_fail(&r->rc, SQLITE_CORRUPT);
}

static void read_summary(struct reader *r)
{
    static const struct table totals = {"unit, region, reason, cycles, events",
                                        "unit_total",
                                        "unit, region, reason",
                                        sizeof(struct sink_unit_total),
                                        take_unit_total,
                                        OWN},
                              crit = {"start, duration, first_stmt, last_stmt, unit, reason",
                                      "crit",
                                      "start",
                                      sizeof(struct sink_crit),
                                      take_crit,
                                      ANY},
                              slack = {"first_stmt, last_stmt, slack, exact",
                                       "slack_range",
                                       "first_stmt",
                                       sizeof(struct sink_slack),
                                       take_slack,
                                       ANY},
                              bounds = {"class, kind, resource, unit, cycles, certificate",
                                        "bound",
                                        "rowid",
                                        sizeof(struct store_bound),
                                        take_bound,
                                        OWN};
    struct store *s = r->store;
    s->unit_totals = s->divided = read_table(r, &totals, &s->unit_total_count);
    s->summary.crit = read_table(r, &crit, &s->summary.crit_count);
    s->summary.slack = read_table(r, &slack, &s->summary.slack_count);
    s->bounds = read_table(r, &bounds, &s->bound_count);
    read_costs(r);
}

int store_read(struct store *store, sqlite3 *db)
{
    struct reader r = {.db = db, .store = store, .rc = SQLITE_OK};
    store_open(store, &(const struct store_options){.regions = false});
    read_facts(&r);
    read_header(&r);
    if (r.rc == SQLITE_OK)
        read_texts(&r, "SELECT id, text FROM stmt WHERE id IN (SELECT src FROM dep WHERE waited > "
                       "0 UNION SELECT dst FROM dep WHERE waited > 0)");
    read_counters(&r);
    read_events(&r);
    read_summary(&r);
    if (r.rc != SQLITE_OK)
        store_close(store); /* nothing rather than a part */
    return r.rc;
}
