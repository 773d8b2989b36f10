/* recorder_finish: gathered events and the summary become rows, when a run ends. */
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

static void bind_transfer(struct recorder *r, const struct recorder_rows *rows, size_t i,
                          sqlite3_stmt *s, int first)
{
    const struct store_transfer *row = (const struct store_transfer *)rows->list + i;
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
    const struct store *store = r->store;
    const size_t count = store->header.attribute_count;
    const size_t transfer = i / count, attribute = i % count;
    (void)rows;
    recorder_bind_integers(
        s, first,
        (const uint64_t[]){transfer + 1, attribute,
                           store->attributes[store->transfers[transfer].attributes + attribute]},
        3);
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

static void bind_warning(struct recorder *r, const struct recorder_rows *rows, size_t i,
                         sqlite3_stmt *s, int first)
{
    const struct store_warning *w = (const struct store_warning *)rows->list + i;
    const uint32_t ids[] = {w->name == NONE_ID ? 0 : w->name, w->stmt, w->file, w->line,
                            w->sentence == NONE_ID ? 0 : w->sentence};
    (void)r;
    for (int k = 0; k < 5; k++)
        recorder_bind_id(s, first + k, ids[k]);
}

int recorder_write_events(struct recorder *r)
{
    const struct store *store = r->store;
    const struct recorder_rows tables[] = {
        {"string", 2, store->strings.count, bind_string, .list = store->strings.entries},
        {"transfer", 12, store->transfer_count, bind_transfer, .list = store->transfers},
        {"transfer_attribute", 3, store->transfer_count * store->header.attribute_count,
         bind_attribute, .list = NULL},
        {"warning", 5, store->warning_count, bind_warning, .list = store->warnings},
        {"dep", 14, store->deps.count, bind_dep, .list = store->deps.rows},
    };
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof tables / sizeof *tables; i++)
        status = recorder_insert(r, &tables[i]);
    return status;
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
    const uint64_t values[] = {t->unit,   t->region, r->store->header.reasons[t->reason].state,
                               t->reason, t->cycles, t->events};
    recorder_bind_integers(s, first, values, 6);
}

/* Position of a row of the costs. */
struct cost_at {
    const struct costs *costs;
    size_t set, row;
};

static void bind_cost(struct recorder *r, const struct recorder_rows *rows, size_t i,
                      sqlite3_stmt *s, int first)
{
    struct cost_at *at = rows->context;
    const struct sink_stmt_total *t = &at->costs->rows[i];
    (void)r;
    while (at->row == at->costs->sets[at->set].size) {
        at->set++;
        at->row = 0;
    }
    at->row++;
    recorder_bind_integers(
        s, first,
        (const uint64_t[]){at->set, t->unit, t->reason, t->cycles, t->execs, t->ops, t->bytes}, 7);
}

static void bind_cost_set(struct recorder *r, const struct recorder_rows *rows, size_t i,
                          sqlite3_stmt *s, int first)
{
    (void)r;
    recorder_bind_integers(
        s, first, (const uint64_t[]){i, ((const struct cost_set *)rows->list)[i].stmts}, 2);
}

static void bind_cost_stmt(struct recorder *r, const struct recorder_rows *rows, size_t i,
                           sqlite3_stmt *s, int first)
{
    const struct cost_stmt *stmt = (const struct cost_stmt *)rows->list + i;
    (void)r;
    recorder_bind_integers(s, first, (const uint64_t[]){stmt->stmt, stmt->set}, 2);
}

static int write_costs(struct recorder *r)
{
    const struct costs *costs = r->store->summary.costs;
    if (!costs)
        return 0;
    struct cost_at at = {.costs = costs};
    const struct recorder_rows tables[] = {
        {"cost", 7, costs->row_count, bind_cost, .context = &at},
        {"cost_set", 2, costs->set_count, bind_cost_set, .list = costs->sets},
        {"stmt_cost_set", 2, costs->stmt_count, bind_cost_stmt, .list = costs->stmts},
    };
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof tables / sizeof *tables; i++)
        status = recorder_insert(r, &tables[i]);
    return status;
}

static void bind_slack(struct recorder *r, const struct recorder_rows *rows, size_t i,
                       sqlite3_stmt *s, int first)
{
    const struct sink_slack *k = (const struct sink_slack *)rows->list + i;
    (void)r;
    recorder_bind_integers(
        s, first, (const uint64_t[]){k->first_stmt, k->last_stmt, (uint64_t)k->slack, k->exact}, 4);
}

int recorder_slack(struct recorder *r)
{
    struct recorder_rows rows = {"slack_range", 4, 0, bind_slack, .list = NULL};
    rows.list = store_slacks(r->store, &rows.count);
    return recorder_exec(r, "DELETE FROM slack_range") || recorder_insert(r, &rows) ? -1 : 0;
}

static void bind_bound(struct recorder *r, const struct recorder_rows *rows, size_t i,
                       sqlite3_stmt *s, int first)
{
    const struct store_bound *bound = (const struct store_bound *)rows->list + i;
    (void)r;
    recorder_bind_text(s, first, bound->class);
    recorder_bind_text(s, first + 1, bound->kind);
    sqlite3_bind_text(s, first + 2, bound->resource, -1, SQLITE_STATIC); /* NULL stays NULL */
    recorder_bind_id(s, first + 3, bound->unit);
    sqlite3_bind_int64(s, first + 4, (int64_t)bound->cycles);
    recorder_bind_text(s, first + 5, bound->certificate);
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

/* The row of a counter's sum was written at begin, in the header's order. */
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

/* The effect of each unpublished number. */
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

int recorder_write_summary(struct recorder *r)
{
    const struct store *store = r->store;
    const struct sink_summary *s = &store->summary;
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
    const struct recorder_fact ending = {"ending", s->ending, 0}, limit = {"limit", s->limit, 0};
    const struct recorder_fact left_out = {"warnings_left_out", NULL, store->left_out};
    const struct recorder_rows tables[] = {
        {"unit_total", 6, store->unit_total_count, bind_unit_total, .list = store->unit_totals,
         .keep = keep_unit_total},
        {"slack_range", 4, s->slack_count, bind_slack, .list = s->slack},
        {"crit", 6, s->crit_count, bind_crit, .list = s->crit, .keep = keep_crit},
        {"util_window", 3, s->window_count, bind_window, .list = s->windows, .keep = keep_window},
        {"bound", 6, store->bound_count, bind_bound, .list = store->bounds},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (recorder_insert(r, &tables[i]))
            return -1;
    return write_costs(r) || write_counters(r, s) ||
                   recorder_write_facts(r, facts,
                                        sizeof facts / sizeof *facts - (s->complete ? 0 : 2)) ||
                   (store->range.known && write_range(r, s->range)) ||
                   (s->ending && recorder_write_facts(r, &ending, 1)) ||
                   (s->limit && recorder_write_facts(r, &limit, 1)) ||
                   (store->left_out && recorder_write_facts(r, &left_out, 1))
               ? -1
               : 0;
}
