#include "analysis/verdict.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/units.h"
#include "analysis/utf8_json.h"
#include "timing/machines.h"
#include "host/path.h"

enum { KINDS = 3 * REASON_MAX };

struct look {
    const struct store *store;
    struct verdict *verdict;
    bool path;                          /* false: a region, or nothing is on the path */
    uint32_t *sent;                     /* transfers of each statement */
    uint64_t *charged;                  /* cycles of each statement that count for the verdict */
    uint64_t *held;                     /* cycles of each unit, or whether it is used */
    uint64_t passed;                    /* a bit for each reason: machine_timing.passed */
    uint32_t cause;                     /* a reason, or NONE_ID */
    char because[2 * VERDICT_NAME + 8]; /* the cause in words, or empty */
};

/* Cycles of a kind that have one cause: a reason, or a unit that limits transfers. */
struct share {
    const char *kind;
    uint32_t unit, reason; /* NONE_ID: not the cause */
    double cycles;
};

struct shares {
    struct share list[KINDS];
    size_t count;
};

static void add_share(struct shares *shares, const struct share *share)
{
    size_t i = 0;
    if (!share->kind || !*share->kind)
        return;
    while (i < shares->count &&
           (strcmp(shares->list[i].kind, share->kind) != 0 || shares->list[i].unit != share->unit ||
            shares->list[i].reason != share->reason))
        i++;
    if (i == KINDS)
        return;
    if (i == shares->count)
        shares->list[shares->count++] = *share;
    else
        shares->list[i].cycles += share->cycles;
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

/* The stream continues by itself. */
static bool is_own(const struct look *l, uint32_t reason)
{
    return reason_of(l, reason)->state == STATE_BUSY || l->passed >> reason & 1;
}

static struct share of_reason(const struct look *l, uint32_t reason, double cycles)
{
    const bool busy = reason_of(l, reason)->state == STATE_BUSY;
    return (struct share){.kind = busy ? "work" : reason_of(l, reason)->limit,
                          .unit = NONE_ID,
                          .reason = busy ? NONE_ID : reason,
                          .cycles = cycles};
}

/* The shares of the path; returns the cycles that are the streams' own. */
static double path_shares(const struct look *l, struct shares *shares)
{
    double own = 0;
    for (size_t i = 0; i < l->store->summary.crit_count; i++) {
        const struct sink_crit *c = &l->store->summary.crit[i];
        struct share share = of_reason(l, c->reason, (double)c->duration);
        if (works(l, c->unit) && sends(l, c->first_stmt)) {
            share.kind = "transfer";
            if (share.reason == NONE_ID)
                share.unit = c->unit;
        } else if (units_issues(l->store, c->unit) && is_own(l, c->reason)) {
            own += (double)c->duration;
            continue;
        }
        add_share(shares, &share);
    }
    return own;
}

/* The shares of the issuing units' cycles, on a path their own; returns their sum. */
static double issue_shares(const struct look *l, struct shares *shares)
{
    double sum = 0;
    for (size_t i = 0; i < l->store->unit_total_count; i++) {
        const struct sink_unit_total *t = &l->store->unit_totals[i];
        const struct share share = of_reason(l, t->reason, (double)t->cycles);
        if (!units_issues(l->store, t->unit) || (l->path && !is_own(l, t->reason)))
            continue;
        add_share(shares, &share);
        sum += (double)t->cycles;
    }
    return sum;
}

static double kind_cycles(const struct shares *shares, const char *kind)
{
    double sum = 0;
    for (size_t i = 0; i < shares->count; i++)
        if (strcmp(shares->list[i].kind, kind) == 0)
            sum += shares->list[i].cycles;
    return sum;
}

/* Cycles in which an issuing unit of a region waits for a port or a queue. */
static double port_cycles(const struct look *l, const struct shares *shares)
{
    double sum = 0;
    for (size_t i = 0; i < shares->count && !l->path; i++)
        if (shares->list[i].reason == REASON_PORT || shares->list[i].reason == REASON_QUEUE)
            sum += shares->list[i].cycles;
    return sum;
}

static bool is_work(const char *kind)
{
    return strcmp(kind, "work") == 0;
}

/* The kind but work that has most cycles, or NULL. */
static const char *largest_kind(const struct shares *shares)
{
    const char *best = NULL;
    double most = 0;
    for (size_t i = 0; i < shares->count; i++) {
        const char *kind = shares->list[i].kind;
        const double cycles = kind_cycles(shares, kind);
        if (!is_work(kind) && cycles > 0 &&
            (cycles > most || (cycles >= most && strcmp(kind, best) > 0))) {
            best = kind;
            most = cycles;
        }
    }
    return best;
}

/* Two largest shares of a kind; those of several units together are one without a unit. */
struct causes {
    struct share first, second;
};

static void add_cause(struct causes *causes, const struct share *share)
{
    if (share->cycles > causes->first.cycles) {
        causes->second = causes->first;
        causes->first = *share;
    } else if (share->cycles > causes->second.cycles) {
        causes->second = *share;
    }
}

static struct causes causes_of(const struct shares *shares, const char *kind)
{
    struct causes causes = {.first.cycles = 0};
    struct share ports = {.kind = kind, .unit = NONE_ID, .reason = NONE_ID};
    for (size_t i = 0; i < shares->count; i++) {
        const struct share *share = &shares->list[i];
        if (strcmp(share->kind, kind) != 0)
            continue;
        if (share->reason != NONE_ID)
            add_cause(&causes, share);
        else
            ports.cycles += share->cycles;
    }
    add_cause(&causes, &ports);
    return causes;
}

/* The unit of two thirds of a kind's cycles, or NONE_ID. */
static uint32_t unit_of(const struct shares *shares, const char *kind)
{
    for (size_t i = 0; i < shares->count; i++)
        if (strcmp(shares->list[i].kind, kind) == 0 && shares->list[i].unit != NONE_ID &&
            3 * shares->list[i].cycles >= 2 * kind_cycles(shares, kind))
            return shares->list[i].unit;
    return NONE_ID;
}

static void find_shares(const struct look *l, struct shares *shares)
{
    struct shares issuing = {.count = 0};
    shares->count = 0;
    const double own = l->path ? path_shares(l, shares) : 0;
    const double sum = issue_shares(l, &issuing);
    const double factor = l->path ? own / (sum > 1 ? sum : 1) : 1;
    for (size_t i = 0; i < issuing.count; i++) {
        issuing.list[i].cycles *= factor;
        add_share(shares, &issuing.list[i]);
    }
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

static bool busy_enough(const struct unit_use *use)
{
    return use->busy && 3 * use->busy >= 2 * use->total;
}

/* Resource or issue, if the unit is busy enough; returns whether one is. */
static bool find_work(struct look *l, const struct unit_use *uses)
{
    const size_t count = l->store->header.unit_count;
    uint32_t issue = NONE_ID, resource = NONE_ID;
    find_users(l);
    for (uint32_t u = 0; u < count; u++)
        if (units_issues(l->store, u) && (issue == NONE_ID || uses[u].busy > uses[issue].busy))
            issue = u;
    for (uint32_t u = 0; u < count && issue != NONE_ID; u++)
        if (works(l, u) && l->held[u] && busy_enough(&uses[u]) &&
            4 * uses[u].busy >= 3 * uses[issue].busy &&
            (resource == NONE_ID || uses[u].busy > uses[resource].busy))
            resource = u;
    memset(l->held, 0, count * sizeof *l->held);
    if (resource == NONE_ID && (issue == NONE_ID || !busy_enough(&uses[issue])))
        return false;
    snprintf(l->verdict->kind, VERDICT_NAME, "%s", resource != NONE_ID ? "resource" : "issue");
    name_unit(l, uses, resource != NONE_ID ? resource : issue);
    return true;
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
        charge(l, c->first_stmt, c->duration * l->sent[c->first_stmt]);
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
    if (l->path) {
        charge_path(l);
    } else {
        charge_waits(l);
        for (uint32_t u = 0; u < l->store->header.unit_count; u++)
            if (l->held[u] && (unit == NONE_ID || l->held[u] > l->held[unit]))
                unit = u;
        if (unit != NONE_ID && busy_enough(&uses[unit]))
            name_unit(l, uses, unit);
    }
    find_lines(l, true);
}

/* Whether cycles of the reason are of the verdict's kind, and of its cause if it has one. */
static bool is_limit(const struct look *l, uint32_t reason)
{
    const char *limit = reason_of(l, reason)->limit;
    return limit && strcmp(limit, l->verdict->kind) == 0 &&
           (l->cause == NONE_ID || l->cause == reason);
}

/* Statements that are charged with cycles of the kind: on an issuing unit, and where the path goes
 * through another; where there are none, on the path. */
static void find_charged(struct look *l)
{
    const struct costs *costs = l->store->summary.costs;
    bool issuing = false;
    for (size_t i = 0; costs && i < costs->stmt_count; i++) {
        const struct cost_set *set = &costs->sets[costs->stmts[i].set];
        for (size_t k = set->first; k < set->first + set->size; k++) {
            const struct sink_stmt_total *t = &costs->rows[k];
            if (units_issues(l->store, t->unit) && reason_of(l, t->reason)->state != STATE_BUSY &&
                is_limit(l, t->reason) && store_asks(l->store, costs->stmts[i].stmt)) {
                charge(l, costs->stmts[i].stmt, t->cycles);
                issuing |= t->cycles > 0;
            }
        }
    }
    for (size_t i = 0; l->path && i < l->store->summary.crit_count; i++) {
        const struct sink_crit *c = &l->store->summary.crit[i];
        if ((works(l, c->unit) || !issuing) && reason_of(l, c->reason)->state != STATE_BUSY &&
            is_limit(l, c->reason))
            charge(l, c->first_stmt, c->duration);
    }
    find_lines(l, false);
}

static const char *cause_name(const struct look *l, uint32_t reason)
{
    return reason == NONE_ID       ? "ports"
           : reason == REASON_DATA ? "chain"
                                   : reason_of(l, reason)->name;
}

/* How sentences name a cause, or two ("a and b"). */
static void name_words(const struct look *l, const char *name, char text[VERDICT_NAME])
{
    const char *machine = l->store->header.machine;
    const char *words = terms_phrase(machine, "cause", name);
    words = words != name ? words : terms_phrase(machine, "reason", name);
    snprintf(text, VERDICT_NAME, "%.60s", words);
}

/* A reason that makes two thirds of the kind's cycles, or two that do together. Returns their
 * cycles, or those of the kind. */
static double name_cause(struct look *l, const struct shares *shares)
{
    struct verdict *v = l->verdict;
    const struct causes causes = causes_of(shares, v->kind);
    const double least = 2 * kind_cycles(shares, v->kind) / 3;
    const char *first = cause_name(l, causes.first.reason);
    char one[VERDICT_NAME], other[VERDICT_NAME];
    if (causes.first.cycles >= least) {
        l->cause = causes.first.reason;
        if (strcmp(v->kind, first) != 0)
            snprintf(v->cause, VERDICT_NAME, "%s", first);
        name_words(l, first, l->because);
        return causes.first.cycles;
    } else if (causes.first.cycles + causes.second.cycles >= least) {
        snprintf(v->cause, VERDICT_NAME, "%.24s and %.24s", first,
                 cause_name(l, causes.second.reason));
        name_words(l, first, one);
        name_words(l, cause_name(l, causes.second.reason), other);
        snprintf(l->because, sizeof l->because, "%s and %s", one, other);
        return causes.first.cycles + causes.second.cycles;
    }
    return kind_cycles(shares, v->kind);
}

/* The sentence names the kind, and the cause in parentheses. */
static bool with_kind(const char *kind)
{
    return strcmp(kind, "transfer") == 0 || strcmp(kind, "issue") == 0;
}

static void find(struct look *l, const struct unit_use *uses)
{
    struct shares shares;
    struct verdict *v = l->verdict;
    double all = 0;
    find_shares(l, &shares);
    for (size_t i = 0; i < shares.count; i++)
        all += shares.list[i].cycles;
    const double work = kind_cycles(&shares, "work"), ports = port_cycles(l, &shares);
    const char *kind = largest_kind(&shares);
    if (work > 0 && 2 * (work + ports) >= all && find_work(l, uses)) {
        v->share = (work + ports) / all;
        return;
    }
    if (!kind) {
        if (work > 0)
            snprintf(v->kind, VERDICT_NAME, "issue");
        v->share = work > 0 ? work / all : 0;
        return;
    }
    snprintf(v->kind, VERDICT_NAME, "%s", kind);
    v->share = kind_cycles(&shares, kind) / all;
    name_unit(l, uses, unit_of(&shares, kind));
    if (!*v->unit) {
        const double named = name_cause(l, &shares);
        if (!with_kind(kind))
            v->share = named / all;
    }
    if (strcmp(kind, "transfer") == 0)
        find_transfers(l, uses);
    else
        find_charged(l);
}

/* --- words ------------------------------------------------------------------------------------ */

/* "DRAM ": what the transfers of the verdict's lines go through, if it has a name; or "". */
static void name_transfers(const struct look *l, char text[VERDICT_NAME])
{
    const char *kind = NULL;
    *text = '\0';
    for (int n = 0; n < l->verdict->count; n++) {
        uint32_t unit = NONE_ID;
        for (size_t i = 0; i < l->store->transfer_count && unit == NONE_ID; i++)
            if (l->store->transfers[i].sink.stmt == l->verdict->lines[n].stmt)
                unit = l->store->transfers[i].sink.limited_by;
        const char *found =
            unit < l->store->header.unit_count ? l->store->header.units[unit].kind : "";
        if (kind && strcmp(kind, found) != 0)
            return;
        kind = found;
    }
    if (kind && (strcmp(kind, "dram") == 0 || strcmp(kind, "link") == 0))
        snprintf(text, VERDICT_NAME, "%.40s ",
                 terms_phrase(l->store->header.machine, "unit", kind));
}

static void say(const struct look *l)
{
    struct verdict *v = l->verdict;
    const char *of = l->path                       ? "the critical path"
                     : l->store->region != NONE_ID ? "the region's cycles"
                                                   : "the cycles";
    const char *limit = terms_phrase(l->store->header.machine, "limit", v->kind);
    const char *named = *v->unit ? v->unit : l->because;
    char through[VERDICT_NAME];
    if (strcmp(v->kind, "resource") == 0)
        snprintf(v->words, VERDICT_WORDS, "%s is busy in %.1f %% of the cycles", v->unit,
                 100 * v->busy);
    else if (*v->unit && strcmp(v->kind, "issue") == 0)
        snprintf(v->words, VERDICT_WORDS, "%s%s%s%s: busy in %.1f %% of the cycles", limit,
                 strcmp(v->unit, v->kind) ? " (" : "", strcmp(v->unit, v->kind) ? v->unit : "",
                 strcmp(v->unit, v->kind) ? ")" : "", 100 * v->busy);
    else if (with_kind(v->kind)) {
        name_transfers(l, through);
        snprintf(v->words, VERDICT_WORDS, "%s%s%s%s%s: %.1f %% of %s", through, limit,
                 *named ? " (" : "", named, *named ? ")" : "", 100 * v->share, of);
    } else
        snprintf(v->words, VERDICT_WORDS, "%s: %.1f %% of %s", *l->because ? l->because : limit,
                 100 * v->share, of);
}

int verdict_find(const struct store *store, struct verdict *verdict)
{
    *verdict = (struct verdict){.kind = ""};
    const size_t stmts = store->header.stmt_count;
    const struct machine *machine = machine_named(store->header.machine);
    struct look l = {.store = store,
                     .verdict = verdict,
                     .passed = machine ? machine->timing->passed : 0,
                     .cause = NONE_ID,
                     .path = store->region == NONE_ID && store->summary.crit_count,
                     .sent = calloc(stmts + 1, sizeof *l.sent),
                     .charged = calloc(stmts + 1, sizeof *l.charged),
                     .held = calloc(store->header.unit_count + 1, sizeof *l.held)};
    struct unit_use *uses = units_use(store);
    const bool room = l.sent && l.charged && l.held && uses;
    for (size_t i = 0; room && i < store->transfer_count; i++)
        if (store->transfers[i].sink.stmt < stmts)
            l.sent[store->transfers[i].sink.stmt]++;
    if (room) {
        find(&l, uses);
        verdict->one_file = store->header.file_count < 2;
        if (*verdict->kind)
            say(&l);
    }
    free(l.sent);
    free(l.charged);
    free(l.held);
    free(uses);
    return room ? 0 : -1;
}

const char *verdict_lines(const struct verdict *v, char text[VERDICT_TEXT])
{
    size_t n = 0;
    *text = '\0';
    for (int i = 0; i < v->count && n + 60 < VERDICT_TEXT; i++) {
        const bool again = i && strcmp(v->lines[i].file, v->lines[i - 1].file) == 0;
        const char *first = !v->one_file ? "" : v->count > 1 ? "lines " : "line ";
        n += (size_t)snprintf(text + n, VERDICT_TEXT - n, "%s", i ? ", " : first);
        if (!v->one_file && !again)
            n +=
                (size_t)snprintf(text + n, VERDICT_TEXT - n, "%.30s:", path_base(v->lines[i].file));
        n += (size_t)snprintf(text + n, VERDICT_TEXT - n, "%lld", (long long)v->lines[i].line);
    }
    return text;
}

const char *verdict_print(const struct verdict *v, char text[VERDICT_TEXT])
{
    char lines[VERDICT_TEXT];
    if (!*v->kind)
        snprintf(text, VERDICT_TEXT, "nothing is done");
    else if (v->count)
        snprintf(text, VERDICT_TEXT, "%s (%.300s)", v->words, verdict_lines(v, lines));
    else
        snprintf(text, VERDICT_TEXT, "%s", v->words);
    return text;
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
    char sentence[VERDICT_TEXT];
    json_t *cause = *v->cause ? json_string(v->cause) : json_null();
    json_t *unit = *v->unit ? json_string(v->unit) : json_null();
    json_t *busy = *v->unit ? json_real(v->busy) : json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:f, s:o, s:o}", "kind", v->kind, "cause", cause, "unit",
                     unit, "busy", busy, "share", v->share, "sentence",
                     utf8_json(verdict_print(v, sentence)), "lines", lines);
}
