#include "traces/store.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/range.h"

void store_open(struct store *store, const struct store_options *options)
{
    *store = (struct store){.options = *options, .region = NONE_ID};
}

static void free_bounds(struct store *store)
{
    for (size_t i = 0; i < store->bound_count; i++)
        free(store->bounds[i].certificate);
    free(store->bounds);
    store->bounds = NULL;
    store->bound_count = 0;
}

void store_close(struct store *store)
{
    free_bounds(store);
    region_totals_free(store->region_totals);
    strings_free(&store->strings);
    deps_free(&store->deps);
    free(store->region_bounds);
    free(store->divided);
    free(store->transfers);
    free(store->attributes);
    free(store->warnings);
    free(store->slack);
    for (void **copy = store->copies, **next; copy; copy = next) {
        next = *copy;
        free(copy);
    }
    store_open(store, &(const struct store_options){.regions = false});
}

static int no_memory(struct store *store)
{
    store->failed = true;
    return -1;
}

/* --- events ----------------------------------------------------------------------------------- */

int store_begin(void *context, const struct sink_header *header)
{
    struct store *store = context;
    store->header = *header;
    store->begun = true;
    if (store->options.regions && !store->options.no_events && header->region_count &&
        !(store->region_totals = region_totals_new(header)))
        return no_memory(store);
    return store_bound_regions(store) == 0 ? 0 : no_memory(store);
}

int store_interval(void *context, const struct sink_interval *interval)
{
    struct store *store = context;
    return store->region_totals && region_totals_add(store->region_totals, interval) != 0
               ? no_memory(store)
               : 0;
}

int store_transfer(void *context, const struct sink_transfer *transfer)
{
    struct store *store = context;
    const size_t count = store->header.attribute_count;
    struct store_transfer row = {.sink = *transfer, .attributes = store->attribute_count};
    struct store_transfer *rows =
        grow(store->transfers, &store->transfer_capacity, store->transfer_count + 1, sizeof *rows);
    store->transfers = rows ? rows : store->transfers;
    uint64_t *values = grow(store->attributes, &store->attribute_capacity,
                            store->attribute_count + count + 1, sizeof *values);
    store->attributes = values ? values : store->attributes;
    if (!rows || !values || strings_add(&store->strings, transfer->mode, &row.mode) ||
        strings_add(&store->strings, transfer->tag_name, &row.tag_name))
        return no_memory(store);
    if (count)
        memcpy(values + row.attributes, transfer->attributes, count * sizeof *values);
    store->attribute_count += count;
    rows[store->transfer_count++] = row;
    return 0;
}

int store_edge(void *context, const struct sink_edge *edge)
{
    struct store *store = context;
    uint32_t rule;
    return strings_add(&store->strings, edge->rule, &rule) || deps_add(&store->deps, edge, rule)
               ? no_memory(store)
               : 0;
}

static int add_warning(struct store *store, struct store_warning row, const char *name,
                       const char *sentence)
{
    struct store_warning *rows =
        grow(store->warnings, &store->warning_capacity, store->warning_count + 1, sizeof *rows);
    store->warnings = rows ? rows : store->warnings;
    if (!rows || strings_add(&store->strings, name, &row.name) ||
        strings_add(&store->strings, sentence, &row.sentence))
        return no_memory(store);
    rows[store->warning_count++] = row;
    return 0;
}

int store_warning(void *context, const struct sink_warning *warning)
{
    struct store *store = context;
    const struct store_warning row = {.stmt = warning->stmt, .file = NONE_ID, .line = NONE_ID};
    return add_warning(store, row, warning->name, warning->sentence);
}

int store_diags(struct store *store, const struct diag_list *diags)
{
    int status = 0;
    if (store->options.no_events)
        return 0;
    for (size_t i = 0; status == 0 && i < diags->count; i++) {
        const struct diag *diag = &diags->items[i];
        const struct store_warning row = {.stmt = NONE_ID,
                                          .file = diag->file,
                                          .line = diag->line,
                                          .order = (uint32_t)store->warning_count + 1};
        if (diag->severity == DIAG_WARNING)
            status = add_warning(store, row, diag->name && *diag->name ? diag->name : diag->rule,
                                 diag->message);
    }
    store->left_out += diags->warnings + diags->errors + diags->notes - diags->count;
    return status;
}

/* --- finish ----------------------------------------------------------------------------------- */

static int compare(const uint64_t (*keys)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static int by_issue(const void *a, const void *b)
{
    const struct store_transfer *p = a, *q = b;
    const struct sink_transfer *x = &p->sink, *y = &q->sink;
    const uint64_t keys[][2] = {
        {x->issued, y->issued},        {x->stmt, y->stmt},     {x->started, y->started},
        {x->finished, y->finished},    {x->tag, y->tag},       {p->mode, q->mode},
        {x->bytes, y->bytes},          {x->waited, y->waited}, {x->waited_by, y->waited_by},
        {x->limited_by, y->limited_by}};
    return compare(keys, sizeof keys / sizeof *keys);
}

static int by_place(const void *a, const void *b)
{
    const struct store_warning *x = a, *y = b;
    const uint64_t keys[][2] = {
        {x->stmt, y->stmt}, {x->order, y->order}, {x->name, y->name}, {x->sentence, y->sentence}};
    return compare(keys, sizeof keys / sizeof *keys);
}

static void sort_transfers(struct store *store)
{
    for (size_t i = 0; i < store->transfer_count; i++) {
        store->transfers[i].mode = strings_id(&store->strings, store->transfers[i].mode);
        store->transfers[i].tag_name = strings_id(&store->strings, store->transfers[i].tag_name);
    }
    if (store->transfer_count)
        qsort(store->transfers, store->transfer_count, sizeof *store->transfers, by_issue);
}

static void sort_warnings(struct store *store)
{
    struct store_warning *rows = store->warnings;
    for (size_t i = 0; i < store->warning_count; i++) {
        rows[i].name = strings_id(&store->strings, rows[i].name);
        rows[i].sentence = strings_id(&store->strings, rows[i].sentence);
    }
    if (store->warning_count)
        qsort(rows, store->warning_count, sizeof *rows, by_place);
    size_t placed = 0; /* those of statements, which come first */
    while (placed < store->warning_count && rows[placed].stmt != NONE_ID)
        placed++;
    if (placed <= DIAG_LIMIT)
        return;
    store->left_out += placed - DIAG_LIMIT;
    store->warning_count -= placed - DIAG_LIMIT;
    memmove(&rows[DIAG_LIMIT], &rows[placed], (store->warning_count - DIAG_LIMIT) * sizeof *rows);
}

static int divide_totals(struct store *store)
{
    store->unit_totals = store->summary.unit_totals;
    store->unit_total_count = store->summary.unit_total_count;
    if (!store->region_totals)
        return 0;
    store->divided =
        region_totals_finish(store->region_totals, store->summary.unit_totals,
                             store->summary.unit_total_count, &store->unit_total_count);
    store->unit_totals = store->divided;
    return store->divided ? 0 : -1;
}

static void take_range(struct store *store)
{
    const struct range *range = store->summary.range;
    if (!range || !range->known || !range->count)
        return;
    const struct range_row *most = &range->rows[0];
    store->range = (struct store_range){.known = true,
                                        .low = range->low,
                                        .high = range->high,
                                        .parameters = range->count,
                                        .most = most->name,
                                        .most_cycles = most->greatest - most->least};
}

int store_finish(void *context, const struct sink_summary *summary)
{
    struct store *store = context;
    store->summary = *summary;
    store->finished = true;
    store->complete = summary->complete;
    if (strings_sort(&store->strings) != 0)
        return no_memory(store);
    sort_transfers(store);
    sort_warnings(store);
    deps_sort(&store->deps, &store->strings);
    take_range(store);
    return divide_totals(store) != 0 || (summary->complete && store_list_bounds(store) != 0)
               ? no_memory(store)
               : 0;
}

void store_slack(struct store *store, struct sink_slack *slack, size_t count)
{
    free(store->slack);
    store->slack = slack;
    store->slack_count = count;
}

const struct sink_slack *store_slacks(const struct store *store, size_t *count)
{
    *count = store->slack ? store->slack_count : store->summary.slack_count;
    return store->slack ? store->slack : store->summary.slack;
}

/* --- the sink --------------------------------------------------------------------------------- */

struct sink store_sink(struct store *store)
{
    static const struct sink_ops whole = {.name = "store",
                                          .begin = store_begin,
                                          .transfer = store_transfer,
                                          .edge = store_edge,
                                          .warning = store_warning,
                                          .finish = store_finish};
    static const struct sink_ops divided = {.name = "store",
                                            .begin = store_begin,
                                            .interval = store_interval,
                                            .transfer = store_transfer,
                                            .edge = store_edge,
                                            .warning = store_warning,
                                            .finish = store_finish};
    static const struct sink_ops ends = {
        .name = "store", .begin = store_begin, .finish = store_finish, .brief = true};
    return (struct sink){store->options.no_events ? &ends
                         : store->options.regions ? &divided
                                                  : &whole,
                         store};
}

/* --- rows ------------------------------------------------------------------------------------- */

const char *store_text(const struct store *store, uint32_t id)
{
    return id && id <= store->strings.count ? strings_text(&store->strings, id) : NULL;
}

const struct stmt_info *store_stmt(const struct store *store, uint32_t stmt)
{
    return stmt < store->header.stmt_count ? &store->header.stmts[stmt] : NULL;
}

const char *store_file(const struct store *store, uint32_t file)
{
    return file < store->header.file_count ? store->header.files[file].name : NULL;
}

const char *store_unit(const struct store *store, uint32_t unit)
{
    return unit < store->header.unit_count ? store->header.units[unit].name : NULL;
}

uint32_t store_region(const struct store *store, const char *name)
{
    const struct sink_header *h = &store->header;
    for (uint32_t i = 0; i <= h->region_count; i++)
        if (strcmp(h->regions ? h->regions[i] : "rest", name) == 0)
            return i;
    return NONE_ID;
}

const char *store_place(const struct store *store, const struct store_warning *warning,
                        uint32_t *line)
{
    const struct stmt_info *stmt = store_stmt(store, warning->stmt);
    const uint32_t file = warning->file != NONE_ID ? warning->file : stmt ? stmt->file : NONE_ID;
    *line = warning->line != NONE_ID ? warning->line : stmt ? stmt->line : 0;
    return store_file(store, file);
}

bool store_asks(const struct store *store, uint32_t stmt)
{
    const struct stmt_info *info = store_stmt(store, stmt);
    return store->region == NONE_ID || (info && info->region == store->region);
}
