/* recorder_finish: gathered events and the summary become rows, when a run ends. */
#include <stdlib.h>
#include <string.h>

#include "timing/range.h"
#include "traces/recorder_state.h"

/* --- gathered events ----------------------------------------------------------------------------
 */

static void bind_string(struct recorder *r, const struct recorder_rows *rows, size_t i,
                        sqlite3_stmt *s, int first)
{
    const struct string_entry *entry = (const struct string_entry *)rows->list + i;
    (void)r;
    sqlite3_bind_int64(s, first, entry->id);
    recorder_bind_text(s, first + 1, entry->text);
}

static int compare(const uint64_t (*keys)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static int by_issue(const void *a, const void *b)
{
    const struct recorder_transfer *p = a, *q = b;
    const struct sink_transfer *x = &p->sink, *y = &q->sink;
    const uint64_t keys[][2] = {
        {x->issued, y->issued},        {x->stmt, y->stmt},     {x->started, y->started},
        {x->finished, y->finished},    {x->tag, y->tag},       {p->mode, q->mode},
        {x->bytes, y->bytes},          {x->waited, y->waited}, {x->waited_by, y->waited_by},
        {x->limited_by, y->limited_by}};
    return compare(keys, sizeof keys / sizeof *keys);
}

static void bind_transfer(struct recorder *r, const struct recorder_rows *rows, size_t i,
                          sqlite3_stmt *s, int first)
{
    const struct recorder_transfer *row = (const struct recorder_transfer *)rows->list + i;
    const struct sink_transfer *t = &row->sink;
    (void)r;
    recorder_bind_id(s, first, NONE_ID); /* SQLite counts from 1 */
    recorder_bind_integers(s, first + 1, (const uint64_t[]){t->stmt, t->tag}, 2);
    recorder_bind_id(s, first + 3, row->tag_name);
    recorder_bind_integers(s, first + 4,
                           (const uint64_t[]){row->mode == NONE_ID ? 0 : row->mode, t->bytes,
                                              t->issued, t->started, t->finished, t->waited},
                           6);
    recorder_bind_id(s, first + 10, t->waited_by);
    recorder_bind_id(s, first + 11, t->limited_by);
}

static void bind_attribute(struct recorder *r, const struct recorder_rows *rows, size_t i,
                           sqlite3_stmt *s, int first)
{
    const size_t transfer = i / r->attribute_count, attribute = i % r->attribute_count;
    (void)rows;
    recorder_bind_integers(
        s, first,
        (const uint64_t[]){transfer + 1, attribute,
                           r->attributes[r->transfers[transfer].attributes + attribute]},
        3);
}

static int write_transfers(struct recorder *r)
{
    for (size_t i = 0; i < r->transfer_count; i++) {
        r->transfers[i].mode = strings_id(&r->strings, r->transfers[i].mode);
        r->transfers[i].tag_name = strings_id(&r->strings, r->transfers[i].tag_name);
    }
    if (r->transfer_count)
        qsort(r->transfers, r->transfer_count, sizeof *r->transfers, by_issue);
    const struct recorder_rows transfers = {"transfer", 12, r->transfer_count, bind_transfer,
                                            .list = r->transfers};
    const struct recorder_rows attributes = {"transfer_attribute", 3,
                                             r->transfer_count * r->attribute_count, bind_attribute,
                                             .list = NULL};
    return recorder_insert(r, &transfers) || recorder_insert(r, &attributes) ? -1 : 0;
}

static void bind_dep(struct recorder *r, const struct recorder_rows *rows, size_t i,
                     sqlite3_stmt *s, int first)
{
    const struct dep *d = (const struct dep *)rows->list + i;
    (void)r;
    recorder_bind_id(s, first, NONE_ID);
    recorder_bind_id(s, first + 1, d->src);
    sqlite3_bind_int64(s, first + 2, d->dst);
    sqlite3_bind_int64(s, first + 3, d->kind);
    recorder_bind_id(s, first + 4, d->unit);
    recorder_bind_id(s, first + 5, d->rule);
    recorder_bind_integers(s, first + 6,
                           (const uint64_t[]){d->times, d->waited, d->tight, d->min_slack,
                                              d->first_released, d->first_at, d->last_released,
                                              d->last_at},
                           8);
}

static int by_place(const void *a, const void *b)
{
    const struct recorder_warning *x = a, *y = b;
    const uint64_t keys[][2] = {
        {x->stmt, y->stmt}, {x->order, y->order}, {x->name, y->name}, {x->sentence, y->sentence}};
    return compare(keys, sizeof keys / sizeof *keys);
}

static void bind_warning(struct recorder *r, const struct recorder_rows *rows, size_t i,
                         sqlite3_stmt *s, int first)
{
    const struct recorder_warning *w = (const struct recorder_warning *)rows->list + i;
    const uint32_t ids[] = {w->name == NONE_ID ? 0 : w->name, w->stmt, w->file, w->line,
                            w->sentence == NONE_ID ? 0 : w->sentence};
    (void)r;
    for (int k = 0; k < 5; k++)
        recorder_bind_id(s, first + k, ids[k]);
}

static int write_warnings(struct recorder *r)
{
    for (size_t i = 0; i < r->warning_count; i++) {
        r->warnings[i].name = strings_id(&r->strings, r->warnings[i].name);
        r->warnings[i].sentence = strings_id(&r->strings, r->warnings[i].sentence);
    }
    if (r->warning_count)
        qsort(r->warnings, r->warning_count, sizeof *r->warnings, by_place);
    size_t placed = 0; /* those of statements, which come first */
    while (placed < r->warning_count && r->warnings[placed].stmt != NONE_ID)
        placed++;
    if (placed > DIAG_LIMIT) {
        r->left_out += placed - DIAG_LIMIT;
        r->warning_count -= placed - DIAG_LIMIT;
        memmove(&r->warnings[DIAG_LIMIT], &r->warnings[placed],
                (r->warning_count - DIAG_LIMIT) * sizeof *r->warnings);
    }
    const struct recorder_rows warnings = {"warning", 5, r->warning_count, bind_warning,
                                           .list = r->warnings};
    return recorder_insert(r, &warnings);
}

int recorder_write_events(struct recorder *r)
{
    if (strings_sort(&r->strings))
        return recorder_fail(r, "out of memory");
    const struct recorder_rows strings = {"string", 2, r->strings.count, bind_string,
                                          .list = r->strings.entries};
    if (recorder_insert(r, &strings) || write_transfers(r) || write_warnings(r))
        return -1;
    deps_sort(&r->deps, &r->strings);
    const struct recorder_rows deps = {"dep", 14, r->deps.count, bind_dep, .list = r->deps.rows};
    return recorder_insert(r, &deps);
}

/* --- the summary --------------------------------------------------------------------------------
 */

static bool keep_unit_total(const void *list, size_t i)
{
    const struct sink_unit_total *t = (const struct sink_unit_total *)list + i;
    return t->cycles || t->events;
}

static void bind_unit_total(struct recorder *r, const struct recorder_rows *rows, size_t i,
                            sqlite3_stmt *s, int first)
{
    const struct sink_unit_total *t = (const struct sink_unit_total *)rows->list + i;
    const uint64_t values[] = {t->unit,   t->region, r->states[t->reason % REASON_MAX],
                               t->reason, t->cycles, t->events};
    recorder_bind_integers(s, first, values, 6);
}

/* Sets of rows that differ in nothing but their statement are one cost. */
struct costs {
    const struct sink_stmt_total *rows; /* of all statements */
    struct {
        size_t first, size; /* rows */
        uint64_t stmts;     /* that have them */
    } * sets;
    uint32_t (*stmts)[2]; /* statement, cost */
    uint32_t *slots;      /* cost + 1; 0: empty */
    size_t set_count, stmt_count, row_count, slot_count;
    size_t set, row; /* to be bound next */
};

static uint64_t set_hash(const struct sink_stmt_total *t, size_t size)
{
    uint64_t hash = size;
    for (const struct sink_stmt_total *end = t + size; t < end; t++) {
        const uint64_t row = t->unit + t->reason * 0x9e3779b97f4a7c15u +
                             t->cycles * 0x9fb21c651e98df25u + t->execs * 0xd6e8feb86659fd93u +
                             t->ops * 0xc2b2ae3d27d4eb4fu + t->bytes * 0xff51afd7ed558ccdu;
        hash = (hash ^ row ^ row >> 32) * 0x9fb21c651e98df25u;
    }
    return hash ^ hash >> 32;
}

static bool same_rows(const struct sink_stmt_total *a, const struct sink_stmt_total *b, size_t size)
{
    size_t i = 0;
    while (i < size && a[i].unit == b[i].unit && a[i].reason == b[i].reason &&
           a[i].cycles == b[i].cycles && a[i].execs == b[i].execs && a[i].ops == b[i].ops &&
           a[i].bytes == b[i].bytes)
        i++;
    return i == size;
}

static void add_stmt(struct costs *c, size_t first, size_t size)
{
    const struct sink_stmt_total *rows = &c->rows[first];
    size_t at = set_hash(rows, size) & (c->slot_count - 1);
    while (c->slots[at] && (c->sets[c->slots[at] - 1].size != size ||
                            !same_rows(&c->rows[c->sets[c->slots[at] - 1].first], rows, size)))
        at = (at + 1) & (c->slot_count - 1);
    if (!c->slots[at]) {
        c->sets[c->set_count].first = first;
        c->sets[c->set_count].size = size;
        c->sets[c->set_count].stmts = 0;
        c->row_count += size;
        c->slots[at] = (uint32_t)++c->set_count;
    }
    c->sets[c->slots[at] - 1].stmts++;
    c->stmts[c->stmt_count][0] = rows->stmt;
    c->stmts[c->stmt_count++][1] = c->slots[at] - 1;
}

static void bind_cost(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    struct costs *c = rows->context;
    const struct sink_stmt_total *t = &c->rows[c->sets[c->set].first + c->row];
    const uint64_t values[] = {c->set, t->unit, t->reason, t->cycles, t->execs, t->ops, t->bytes};
    (void)r;
    (void)i;
    recorder_bind_integers(s, first, values, 7);
    if (++c->row == c->sets[c->set].size) {
        c->row = 0;
        c->set++;
    }
}

static void bind_cost_set(struct recorder *r, const struct recorder_rows *rows, size_t i,
                          sqlite3_stmt *s, int first)
{
    const struct costs *c = rows->context;
    (void)r;
    recorder_bind_integers(s, first, (const uint64_t[]){i, c->sets[i].stmts}, 2);
}

static void bind_stmt_cost_set(struct recorder *r, const struct recorder_rows *rows, size_t i,
                               sqlite3_stmt *s, int first)
{
    const uint32_t *stmt = ((const struct costs *)rows->context)->stmts[i];
    (void)r;
    recorder_bind_integers(s, first, (const uint64_t[]){stmt[0], stmt[1]}, 2);
}

static int write_costs(struct recorder *r, const struct sink_summary *s)
{
    struct costs c = {.rows = s->stmt_totals, .slot_count = 1};
    const size_t count = s->stmt_total_count;
    while (c.slot_count < 2 * count + 1)
        c.slot_count *= 2;
    c.sets = malloc((count + 1) * sizeof *c.sets);
    c.stmts = malloc((count + 1) * sizeof *c.stmts);
    c.slots = calloc(c.slot_count, sizeof *c.slots);
    if (!c.sets || !c.stmts || !c.slots) {
        recorder_fail(r, "out of memory");
    } else {
        for (size_t i = 0, end; i < count; i = end) {
            for (end = i + 1; end < count && c.rows[end].stmt == c.rows[i].stmt;)
                end++;
            add_stmt(&c, i, end - i);
        }
        const struct recorder_rows costs = {"cost", 7, c.row_count, bind_cost, .context = &c};
        const struct recorder_rows sets = {"cost_set", 2, c.set_count, bind_cost_set,
                                           .context = &c};
        const struct recorder_rows stmts = {"stmt_cost_set", 2, c.stmt_count, bind_stmt_cost_set,
                                            .context = &c};
        if (recorder_insert(r, &costs) == 0 && recorder_insert(r, &sets) == 0)
            recorder_insert(r, &stmts);
    }
    free(c.sets);
    free(c.stmts);
    free(c.slots);
    return r->failed ? -1 : 0;
}

static void bind_slack(struct recorder *r, const struct recorder_rows *rows, size_t i,
                       sqlite3_stmt *s, int first)
{
    const struct sink_slack *k = (const struct sink_slack *)rows->list + i;
    (void)r;
    recorder_bind_integers(
        s, first, (const uint64_t[]){k->first_stmt, k->last_stmt, (uint64_t)k->slack, k->exact}, 4);
}

int recorder_slack(struct recorder *r, const struct sink_slack *slack, size_t count)
{
    const struct recorder_rows rows = {"slack_range", 4, count, bind_slack, .list = slack};
    return recorder_exec(r, "DELETE FROM slack_range") || recorder_insert(r, &rows) ? -1 : 0;
}

static bool keep_crit(const void *list, size_t i)
{
    return ((const struct sink_crit *)list)[i].duration != 0;
}

static void bind_crit(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    const struct sink_crit *c = (const struct sink_crit *)rows->list + i;
    (void)r;
    recorder_bind_integers(s, first, (const uint64_t[]){c->start, c->duration}, 2);
    recorder_bind_id(s, first + 2, c->first_stmt);
    recorder_bind_id(s, first + 3, c->last_stmt);
    recorder_bind_id(s, first + 4, c->unit);
    sqlite3_bind_int64(s, first + 5, c->reason);
}

static bool keep_window(const void *list, size_t i)
{
    return ((const struct sink_window *)list)[i].busy != 0;
}

static void bind_window(struct recorder *r, const struct recorder_rows *rows, size_t i,
                        sqlite3_stmt *s, int first)
{
    const struct sink_window *w = (const struct sink_window *)rows->list + i;
    (void)r;
    recorder_bind_integers(s, first, (const uint64_t[]){w->unit, w->index, w->busy}, 3);
}

/* A counter's row of all together stands since begin, in the header's order. */
static int write_counters(struct recorder *r, const struct sink_summary *s)
{
    static const char *const sqls[] = {
        "UPDATE counter SET value = value + ?3 WHERE rowid = ?1",
        "INSERT INTO counter SELECT name, ?2, ?3, peak, unit, idx_name, sentence FROM counter "
        "WHERE rowid = ?1 AND idx_name IS NOT NULL AND ?3 > 0",
    };
    if (recorder_exec(r, "UPDATE counter SET value = 0"))
        return -1;
    for (size_t k = 0; k < sizeof sqls / sizeof *sqls; k++) {
        sqlite3_stmt *q = recorder_prepare(r, sqls[k]);
        for (size_t i = 0; q && i < s->counter_count && !r->failed; i++) {
            const struct sink_counter *c = &s->counters[i];
            recorder_bind_integers(q, 1, (const uint64_t[]){c->counter + 1ull, c->index, c->value},
                                   3);
            recorder_step(r, q);
        }
        sqlite3_finalize(q);
    }
    return r->failed ? -1 : 0;
}

/* What each number is worth that nobody has published. */
static int write_range(struct recorder *r, const struct range *range)
{
    const struct range_row *most = &range->rows[0];
    const struct recorder_fact facts[] = {
        {"range_low", NULL, range->low},
        {"range_high", NULL, range->high},
        {"range_parameters", NULL, range->count},
        {"range_most", most->name, 0},
        {"range_most_cycles", NULL, most->greatest - most->least},
    };
    sqlite3_stmt *s =
        recorder_prepare(r, "UPDATE param SET least = ?, greatest = ? WHERE name = ?");
    for (size_t i = 0; s && i < range->count && !r->failed; i++) {
        const struct range_row *row = &range->rows[i];
        recorder_bind_integers(s, 1, (const uint64_t[]){row->least, row->greatest}, 2);
        recorder_bind_text(s, 3, row->name);
        recorder_step(r, s);
    }
    sqlite3_finalize(s);
    return r->failed ? -1 : recorder_write_facts(r, facts, sizeof facts / sizeof *facts);
}

static int write_unit_totals(struct recorder *r, const struct sink_summary *s)
{
    struct recorder_rows rows = {"unit_total",           6,
                                 s->unit_total_count,    bind_unit_total,
                                 .list = s->unit_totals, .keep = keep_unit_total};
    if (!r->region_totals)
        return recorder_insert(r, &rows);
    struct sink_unit_total *divided =
        region_totals_finish(r->region_totals, s->unit_totals, s->unit_total_count, &rows.count);
    rows.list = divided;
    const int status = divided ? recorder_insert(r, &rows) : recorder_fail(r, "out of memory");
    free(divided);
    return status;
}

int recorder_write_summary(struct recorder *r, const struct sink_summary *s)
{
    /* Arbitration may make the more optimistic machine slower: then nothing rests on assumptions.
     */
    const uint64_t assumed = s->cycles_documented && s->cycles_documented <= s->cycles
                                 ? s->cycles - s->cycles_documented
                                 : 0;
    const struct recorder_fact facts[] = {
        {"cycles_reached", NULL, s->cycles}, {"events", NULL, s->events},
        {"window", NULL, s->window},         {"cycles_documented", NULL, s->cycles_documented},
        {"cycles_assumed", NULL, assumed},
    };
    const struct range *range = s->range && s->range->known && s->range->count ? s->range : NULL;
    const struct recorder_fact ending = {"ending", s->ending, 0};
    const struct recorder_fact left_out = {"warnings_left_out", NULL, r->left_out};
    const struct recorder_rows tables[] = {
        {"slack_range", 4, s->slack_count, bind_slack, .list = s->slack},
        {"crit", 6, s->crit_count, bind_crit, .list = s->crit, .keep = keep_crit},
        {"util_window", 3, s->window_count, bind_window, .list = s->windows, .keep = keep_window},
    };
    if (write_unit_totals(r, s))
        return -1;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (recorder_insert(r, &tables[i]))
            return -1;
    return write_costs(r, s) || write_counters(r, s) || (s->complete && recorder_write_bounds(r)) ||
                   recorder_write_facts(r, facts,
                                        sizeof facts / sizeof *facts - (s->complete ? 0 : 2)) ||
                   (range && write_range(r, range)) ||
                   (s->ending && recorder_write_facts(r, &ending, 1)) ||
                   (r->left_out && recorder_write_facts(r, &left_out, 1))
               ? -1
               : 0;
}
