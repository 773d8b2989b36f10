#include "analysis/verdict.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/units.h"
#include "analysis/utf8_json.h"
#include "traces/edges.h"

enum { KINDS = REASON_MAX + 2 }; /* limits of reasons, transfer and work */

struct look {
    const struct store *store;
    struct verdict *verdict;
    bool path;         /* false: a region, or nothing is on the path */
    uint32_t *sent;    /* transfers of each statement */
    uint64_t *charged; /* cycles of each statement that count for the verdict */
    uint64_t *held;    /* the same of each unit */
};

/* Cycles of each kind, by name. */
struct kinds {
    const char *names[KINDS];
    double cycles[KINDS];
    size_t count;
};

static void add_kind(struct kinds *kinds, const char *name, double cycles)
{
    size_t at = 0;
    if (!name || !*name)
        return;
    while (at < kinds->count && strcmp(kinds->names[at], name) < 0)
        at++;
    if (at == kinds->count || strcmp(kinds->names[at], name) != 0) {
        if (kinds->count == KINDS)
            return;
        for (size_t i = kinds->count++; i > at; i--) {
            kinds->names[i] = kinds->names[i - 1];
            kinds->cycles[i] = kinds->cycles[i - 1];
        }
        kinds->names[at] = name;
        kinds->cycles[at] = 0;
    }
    kinds->cycles[at] += cycles;
}

static const struct reason_info *reason_of(const struct look *l, uint32_t reason)
{
    return &l->store->header.reasons[reason];
}

/* A unit that does not issue. */
static bool works(const struct look *l, uint32_t unit)
{
    return unit < l->store->header.unit_count && !units_issues(l->store, unit);
}

static bool sends(const struct look *l, uint32_t stmt)
{
    return stmt < l->store->header.stmt_count && l->sent[stmt];
}

/* --- the kind --------------------------------------------------------------------------------- */

/* The stream goes on by itself, or stands for a reason that no edge gives. */
static bool is_own(const struct look *l, uint32_t reason)
{
    return reason_of(l, reason)->state == STATE_BUSY || !edge_gives(reason);
}

/* The kinds of the path; returns the cycles that are the streams' own. */
static double path_kinds(const struct look *l, struct kinds *kinds)
{
    double own = 0;
    for (size_t i = 0; i < l->store->summary.crit_count; i++) {
        const struct sink_crit *c = &l->store->summary.crit[i];
        if (works(l, c->unit) && sends(l, c->first_stmt))
            add_kind(kinds, "transfer", (double)c->duration);
        else if (works(l, c->unit) && reason_of(l, c->reason)->state == STATE_BUSY)
            add_kind(kinds, "work", (double)c->duration);
        else if (units_issues(l->store, c->unit) && is_own(l, c->reason) &&
                 c->reason != REASON_DRAINED)
            own += (double)c->duration;
        else
            add_kind(kinds, reason_of(l, c->reason)->limit, (double)c->duration);
    }
    return own;
}

/* The kinds of the issuing units' cycles, on a path their own; returns their sum. */
static double issue_kinds(const struct look *l, struct kinds *kinds)
{
    double sum = 0;
    for (size_t i = 0; i < l->store->unit_total_count; i++) {
        const struct sink_unit_total *t = &l->store->unit_totals[i];
        const struct reason_info *reason = reason_of(l, t->reason);
        if (!units_issues(l->store, t->unit) ||
            (l->path && (!is_own(l, t->reason) || reason->state == STATE_IDLE)))
            continue;
        add_kind(kinds, reason->state == STATE_BUSY ? "work" : reason->limit, (double)t->cycles);
        sum += (double)t->cycles;
    }
    return sum;
}

/* Whether a kind says more than another: work from half of all cycles on, else never. */
static bool says_more(const struct kinds *kinds, size_t a, size_t b, double all)
{
    const bool work_a = strcmp(kinds->names[a], "work") == 0,
               work_b = strcmp(kinds->names[b], "work") == 0;
    const double x = kinds->cycles[a], y = kinds->cycles[b];
    if (work_a || work_b)
        return work_a == (2 * (work_a ? x : y) >= all);
    return x > y || (x >= y && strcmp(kinds->names[a], kinds->names[b]) > 0);
}

static void find_kind(struct look *l)
{
    struct kinds kinds = {.count = 0}, issuing = {.count = 0};
    const double own = l->path ? path_kinds(l, &kinds) : 0;
    const double sum = issue_kinds(l, &issuing);
    const double factor = l->path ? own / (sum > 1 ? sum : 1) : 1;
    for (size_t i = 0; i < issuing.count; i++)
        add_kind(&kinds, issuing.names[i], issuing.cycles[i] * factor);
    double all = 0;
    size_t best = KINDS;
    for (size_t i = 0; i < kinds.count; i++)
        all += kinds.cycles[i];
    for (size_t i = 0; i < kinds.count; i++)
        if (kinds.cycles[i] > 0 && (best == KINDS || says_more(&kinds, i, best, all)))
            best = i;
    if (best == KINDS)
        return;
    snprintf(l->verdict->kind, VERDICT_NAME, "%s", kinds.names[best]);
    l->verdict->share = kinds.cycles[best] / (all > 1 ? all : 1);
}

/* --- units ------------------------------------------------------------------------------------ */

static void name_unit(const struct look *l, const struct unit_use *uses, uint32_t unit)
{
    if (unit == NONE_ID)
        return;
    snprintf(l->verdict->unit, VERDICT_NAME, "%s", l->store->header.units[unit].name);
    l->verdict->busy = units_share(&uses[unit]);
}

/* Units that other statements than transfers use, marked in held. */
static void find_users(struct look *l)
{
    const struct costs *costs = l->store->summary.costs;
    for (size_t i = 0; costs && i < costs->stmt_count; i++) {
        const struct cost_set *set = &costs->sets[costs->stmts[i].set];
        for (size_t k = 0; k < set->size && !sends(l, costs->stmts[i].stmt); k++)
            l->held[costs->rows[set->first + k].unit] = 1;
    }
}

/* Resource or issue. */
static void find_work(struct look *l, const struct unit_use *uses)
{
    const size_t count = l->store->header.unit_count;
    uint32_t issue = NONE_ID, resource = NONE_ID;
    find_users(l);
    for (uint32_t u = 0; u < count; u++)
        if (units_issues(l->store, u) && (issue == NONE_ID || uses[u].busy > uses[issue].busy))
            issue = u;
    for (uint32_t u = 0; u < count && issue != NONE_ID; u++)
        if (works(l, u) && l->held[u] && uses[u].busy && 4 * uses[u].busy >= 3 * uses[issue].busy &&
            (resource == NONE_ID || uses[u].busy > uses[resource].busy))
            resource = u;
    snprintf(l->verdict->kind, VERDICT_NAME, "%s", resource != NONE_ID ? "resource" : "issue");
    name_unit(l, uses, resource != NONE_ID ? resource : issue);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void charge(struct look *l, uint32_t stmt, uint64_t cycles)
{
    if (stmt < l->store->header.stmt_count)
        l->charged[stmt] += cycles;
}

static const char *tag_of(const struct store *store, uint32_t stmt)
{
    for (size_t i = 0; i < store->transfer_count; i++)
        if (store->transfers[i].sink.stmt == stmt)
            return store_text(store, store->transfers[i].tag_name);
    return NULL;
}

static void add_line(struct look *l, uint32_t s, bool tags)
{
    const struct stmt_info *stmt = store_stmt(l->store, s);
    const char *file = store_file(l->store, stmt->file);
    const char *tag = tags ? tag_of(l->store, s) : NULL;
    if (!file)
        return;
    const int n = l->verdict->count++;
    l->verdict->lines[n].stmt = s;
    l->verdict->lines[n].line = stmt->line;
    snprintf(l->verdict->lines[n].file, sizeof l->verdict->lines[n].file, "%s", file);
    snprintf(l->verdict->lines[n].tag, VERDICT_NAME, "%s", tag ? tag : "");
}

/* The statements that are charged with most, in order of time. */
static void find_lines(struct look *l, bool tags)
{
    uint32_t most[VERDICT_LINES];
    size_t count = 0;
    for (uint32_t s = 0; s < l->store->header.stmt_count; s++) {
        if (!l->charged[s])
            continue;
        size_t at = count < VERDICT_LINES ? count++ : VERDICT_LINES;
        for (; at > 0 && l->charged[s] > l->charged[most[at - 1]]; at--)
            if (at < VERDICT_LINES)
                most[at] = most[at - 1];
        if (at < VERDICT_LINES)
            most[at] = s;
    }
    for (uint32_t after = 0, next = 0; next != NONE_ID; after = next + 1) {
        next = NONE_ID;
        for (size_t i = 0; i < count; i++)
            if (most[i] >= after && most[i] < next)
                next = most[i];
        if (next != NONE_ID)
            add_line(l, next, tags);
    }
}

/* What the path goes through; a statement of several transfers counts as often. */
static void charge_path(struct look *l)
{
    for (size_t i = 0; i < l->store->summary.crit_count; i++) {
        const struct sink_crit *c = &l->store->summary.crit[i];
        if (!works(l, c->unit) || !sends(l, c->first_stmt))
            continue;
        const uint64_t cycles = c->duration * l->sent[c->first_stmt];
        l->held[c->unit] += cycles;
        charge(l, c->first_stmt, cycles);
    }
}

/* In a region: what its statements waited for, wherever that was issued. */
static void charge_waits(struct look *l)
{
    for (size_t i = 0; i < l->store->transfer_count; i++) {
        const struct sink_transfer *t = &l->store->transfers[i].sink;
        const struct stmt_info *by = store_stmt(l->store, t->waited_by);
        if (!by || by->region != l->store->region)
            continue;
        if (t->limited_by < l->store->header.unit_count)
            l->held[t->limited_by] += t->waited;
        if (sends(l, t->stmt))
            charge(l, t->stmt, t->waited * l->sent[t->stmt]);
    }
}

static void find_transfers(struct look *l, const struct unit_use *uses)
{
    uint32_t unit = NONE_ID;
    if (l->path)
        charge_path(l);
    else
        charge_waits(l);
    for (uint32_t u = 0; u < l->store->header.unit_count; u++)
        if (l->held[u] && (unit == NONE_ID || l->held[u] > l->held[unit]))
            unit = u;
    name_unit(l, uses, unit);
    find_lines(l, true);
}

static bool is_limit(const struct look *l, uint32_t reason, const char *kind)
{
    const char *limit = reason_of(l, reason)->limit;
    return limit && strcmp(limit, kind) == 0;
}

/* Statements that are charged with cycles of the kind: on an issuing unit, and where the path goes
 * through another. */
static void find_charged(struct look *l)
{
    const struct costs *costs = l->store->summary.costs;
    const char *kind = l->verdict->kind;
    for (size_t i = 0; costs && i < costs->stmt_count; i++) {
        const struct cost_set *set = &costs->sets[costs->stmts[i].set];
        for (size_t k = set->first; k < set->first + set->size; k++) {
            const struct sink_stmt_total *t = &costs->rows[k];
            if (units_issues(l->store, t->unit) && reason_of(l, t->reason)->state != STATE_BUSY &&
                is_limit(l, t->reason, kind) && store_asks(l->store, costs->stmts[i].stmt))
                charge(l, costs->stmts[i].stmt, t->cycles);
        }
    }
    for (size_t i = 0; l->path && i < l->store->summary.crit_count; i++) {
        const struct sink_crit *c = &l->store->summary.crit[i];
        if (works(l, c->unit) && reason_of(l, c->reason)->state != STATE_BUSY &&
            is_limit(l, c->reason, kind))
            charge(l, c->first_stmt, c->duration);
    }
    find_lines(l, false);
}

int verdict_find(const struct store *store, struct verdict *verdict)
{
    *verdict = (struct verdict){.kind = ""};
    const size_t stmts = store->header.stmt_count;
    struct look l = {.store = store,
                     .verdict = verdict,
                     .path = store->region == NONE_ID && store->summary.crit_count,
                     .sent = calloc(stmts + 1, sizeof *l.sent),
                     .charged = calloc(stmts + 1, sizeof *l.charged),
                     .held = calloc(store->header.unit_count + 1, sizeof *l.held)};
    struct unit_use *uses = units_use(store);
    const bool room = l.sent && l.charged && l.held && uses;
    for (size_t i = 0; room && i < store->transfer_count; i++)
        if (store->transfers[i].sink.stmt < stmts)
            l.sent[store->transfers[i].sink.stmt]++;
    if (room)
        find_kind(&l);
    if (room && strcmp(verdict->kind, "work") == 0)
        find_work(&l, uses);
    else if (room && strcmp(verdict->kind, "transfer") == 0)
        find_transfers(&l, uses);
    else if (room && *verdict->kind)
        find_charged(&l);
    free(l.sent);
    free(l.charged);
    free(l.held);
    free(uses);
    return room ? 0 : -1;
}

/* The part of a path after its last slash. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void verdict_print(const struct verdict *v, char text[VERDICT_TEXT])
{
    size_t n = 0;
    const size_t size = VERDICT_TEXT;
    if (!*v->kind) {
        snprintf(text, size, "nothing is done");
        return;
    }
    n += (size_t)snprintf(text, size, "%s-bound (%s%s", v->kind, v->unit, *v->unit ? ", " : "");
    n += (size_t)snprintf(text + n, size - n, v->count || !*v->unit ? "%.1f %%" : "%.1f %% busy",
                          100 * (v->count || !*v->unit ? v->share : v->busy));
    for (int i = 0; i < v->count && n + 60 < size; i++) {
        const bool same = i && strcmp(v->lines[i].file, v->lines[i - 1].file) == 0;
        if (*v->lines[i].tag)
            n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : ": ", v->lines[i].tag);
        else
            n += (size_t)snprintf(text + n, size - n, "%s%.30s%s%lld", i ? " > " : ": ",
                                  same ? "" : base_name(v->lines[i].file), same ? "" : ":",
                                  (long long)v->lines[i].line);
    }
    snprintf(text + n, size - n, ")");
}

json_t *verdict_json(const struct verdict *v)
{
    if (!*v->kind)
        return json_null();
    json_t *lines = json_array();
    for (int i = 0; lines && i < v->count; i++)
        if (json_array_append_new(lines,
                                  json_pack("{s:o, s:I}", "file", utf8_json(v->lines[i].file),
                                            "line", (json_int_t)v->lines[i].line)) != 0) {
            json_decref(lines);
            lines = NULL;
        }
    json_t *unit = *v->unit ? json_string(v->unit) : json_null();
    json_t *busy = *v->unit ? json_real(v->busy) : json_null();
    return json_pack("{s:s, s:o, s:o, s:f, s:o}", "kind", v->kind, "unit", unit, "busy", busy,
                     "share", v->share, "lines", lines);
}
