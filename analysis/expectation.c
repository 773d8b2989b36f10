#include "analysis/expectation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/proven.h"
#include "analysis/units.h"
#include "host/number.h"
#include "host/suggest.h"

/* --- text ------------------------------------------------------------------------------------ */

static const char *const compares[] = {[EXPECT_LE] = "<=", [EXPECT_GE] = ">=", [EXPECT_LT] = "<",
                                       [EXPECT_GT] = ">",  [EXPECT_EQ] = "==", [EXPECT_NE] = "!="};

static const char *skip(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

/* [from, to) without blanks around it; false when it is empty or too long. */
static bool keep(char *to, size_t size, const char *from, const char *end)
{
    from = skip(from, end);
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    if (end == from || (size_t)(end - from) >= size)
        return false;
    memcpy(to, from, (size_t)(end - from));
    to[end - from] = '\0';
    return true;
}

static bool parse_limit(struct expectation *e, const char *at, const char *end)
{
    char number[64], *stop;
    if (!keep(number, sizeof number, at, end))
        return false;
    e->baseline = strcmp(number, "baseline") == 0;
    if (e->baseline)
        return true;
    if (!isdigit((unsigned char)number[number[0] == '-']) || strpbrk(number, "xXpP"))
        return false;
    e->limit = strtold(number, &stop);
    if (!expectation_whole(e->limit))
        e->limit = strtod(number, &stop);
    while (isspace((unsigned char)*stop))
        stop++;
    e->percent = *stop == '%';
    if (e->percent)
        e->limit = (double)e->limit / 100;
    return isfinite(e->limit) && !stop[e->percent];
}

bool expectation_compares_values(const struct expectation *e)
{
    return strcmp(e->name, "values") == 0 && !*e->argument;
}

static int check_values(const struct expectation *e, char error[EXPECTATION_ERROR])
{
    if (!expectation_compares_values(e) ||
        (e->baseline && (e->compare == EXPECT_EQ || e->compare == EXPECT_NE)))
        return 0;
    snprintf(error, EXPECTATION_ERROR,
             "values are compared with those of another run alone: values == baseline");
    return 1;
}

int expectation_parse(struct expectation *e, const char *text, size_t length,
                      char error[EXPECTATION_ERROR])
{
    const char *const end = text + length;
    *e = (struct expectation){.name = ""};
    const char *at = text;
    while (at < end && !strchr("<>=!", *at))
        at++;
    const char *open = memchr(text, '(', (size_t)(at - text)), *after = at;
    size_t compare = 0;
    const size_t count = sizeof compares / sizeof *compares;
    while (compare < count && ((size_t)(end - at) < strlen(compares[compare]) ||
                               strncmp(at, compares[compare], strlen(compares[compare]))))
        compare++;
    if (compare < count)
        after = at + strlen(compares[compare]);
    e->compare = (enum expectation_compare)compare;
    const char *close = open ? memchr(open, ')', (size_t)(at - open)) : NULL;
    const bool named = keep(e->name, sizeof e->name, text, open ? open : at) &&
                       (!open || (close && skip(close + 1, at) == at &&
                                  keep(e->argument, sizeof e->argument, open + 1, close)));
    if (compare < count && named && parse_limit(e, after, end))
        return check_values(e, error);
    snprintf(error, EXPECTATION_ERROR,
             "'%.*s' is not an expectation; one is a name, a comparison and a number, as in "
             "cycles <= 1400 or util(UNIT) >= 90%%",
             (int)(length < 200 ? length : 200), text);
    return 1;
}

/* --- values ---------------------------------------------------------------------------------- */

/* What a run has of a name. */
struct found {
    long double value;
    bool at_least; /* it may be more */
};

/* Whether the run has something of this argument. */
typedef bool reader(const struct store *store, const char *argument, struct found *found);

static bool read_cycles(const struct store *store, const char *argument, struct found *found)
{
    (void)argument;
    found->value = store->summary.cycles;
    return store->complete;
}

static bool read_region(const struct store *store, const char *name, struct found *found)
{
    uint64_t cycles;
    const bool any = units_region(store, store_region(store, name), &cycles);
    found->value = cycles;
    return any;
}

static bool read_use(const struct store *store, const char *name, struct unit_use *use)
{
    const uint32_t unit = units_named(store, name);
    struct unit_use *uses = units_use(store);
    *use = uses && unit != NONE_ID ? uses[unit] : (struct unit_use){0};
    free(uses);
    return uses && unit != NONE_ID;
}

static bool read_busy(const struct store *store, const char *name, struct found *found)
{
    struct unit_use use;
    const bool known = read_use(store, name, &use);
    found->value = use.busy;
    return known;
}

static bool read_util(const struct store *store, const char *name, struct found *found)
{
    struct unit_use use;
    const bool known = read_use(store, name, &use);
    found->value = units_share(&use);
    return known;
}

static bool read_wait(const struct store *store, const char *name, struct found *found)
{
    const struct sink_header *h = &store->header;
    size_t reason = 0;
    while (reason < h->reason_count && (h->reasons[reason].state != STATE_WAITING ||
                                        strcmp(h->reasons[reason].name, name) != 0))
        reason++;
    for (size_t i = 0; i < store->unit_total_count; i++)
        if (store->unit_totals[i].reason == reason &&
            units_issues(store, store->unit_totals[i].unit))
            found->value += store->unit_totals[i].cycles;
    return reason < h->reason_count;
}

static bool read_bound(const struct store *store, const char *class, struct found *found)
{
    const struct store_bound *best = proven_best(store, class);
    found->value = best ? best->cycles : 0;
    return best;
}

static bool read_gap(const struct store *store, const char *class, struct found *found)
{
    const struct store_bound *best = proven_best(store, class);
    const double total = (double)store->summary.cycles;
    if (best)
        found->value = (total - (double)best->cycles) / (total > 1 ? total : 1);
    return best;
}

bool expectation_delays(const struct store *store, const struct expectation *e, uint32_t stmt)
{
    const struct stmt_info *info = store_stmt(store, stmt);
    const char *file = info ? store_file(store, info->file) : NULL;
    char line[24];
    if (strcmp(e->name, "slack") != 0 || !file)
        return false;
    snprintf(line, sizeof line, "%u", (unsigned)info->line);
    const size_t length = strlen(file);
    return (store->header.file_count == 1 && strcmp(line, e->argument) == 0) ||
           (strncmp(e->argument, file, length) == 0 && e->argument[length] == ':' &&
            strcmp(e->argument + length + 1, line) == 0);
}

static bool read_slack(const struct store *store, const char *argument, struct found *found)
{
    struct expectation e = {.name = "slack"};
    size_t count;
    const struct sink_slack *rows = store_slacks(store, &count), *least = NULL;
    snprintf(e.argument, sizeof e.argument, "%s", argument);
    for (size_t i = 0; i < count; i++)
        for (uint32_t s = rows[i].first_stmt; s <= rows[i].last_stmt && s != NONE_ID; s++)
            if (expectation_delays(store, &e, s) &&
                (!least || rows[i].slack < least->slack ||
                 (rows[i].slack == least->slack && rows[i].exact > least->exact)))
                least = &rows[i];
    if (least)
        *found = (struct found){least->slack, !least->exact};
    return least;
}

static bool read_warnings(const struct store *store, const char *name, struct found *found)
{
    for (size_t i = 0; i < store->warning_count; i++) {
        const char *known = store_text(store, store->warnings[i].name);
        found->value += known && (*name ? strcmp(known, name) == 0 : strcmp(known, "removable"));
    }
    if (!*name)
        found->value += store->left_out;
    return true;
}

static uint32_t find_counter(const struct store *store, const char *name)
{
    uint32_t counter = 0;
    while (counter < store->header.counter_count &&
           strcmp(store->header.counters[counter].name, name) != 0)
        counter++;
    return counter;
}

static bool read_counter(const struct store *store, const char *name, struct found *found)
{
    const uint32_t counter = find_counter(store, name);
    for (size_t i = 0; i < store->summary.counter_count; i++)
        if (store->summary.counters[i].counter == counter)
            found->value += store->summary.counters[i].value;
    return counter < store->header.counter_count && store->finished;
}

bool expectation_is_uncounted(const struct store *store, const struct expectation *e)
{
    const uint32_t counter = find_counter(store, e->name);
    bool row = *e->argument || counter == store->header.counter_count ||
               store->header.counters[counter].index; /* one counted by an index may have none */
    for (size_t i = 0; i < store->summary.counter_count && !row; i++)
        row = store->summary.counters[i].counter == counter;
    return !row;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Name number i of those that an argument may be; NULL: there are no more. */
typedef const char *namer(const struct store *store, size_t i);

static const char *name_region(const struct store *store, size_t i)
{
    return store->header.regions && i <= store->header.region_count ? store->header.regions[i]
                                                                    : NULL;
}

static const char *name_unit(const struct store *store, size_t i)
{
    return store_unit(store, (uint32_t)i);
}

static const char *name_wait(const struct store *store, size_t i)
{
    for (size_t r = 0; r < store->header.reason_count; r++)
        if (store->header.reasons[r].state == STATE_WAITING && i-- == 0)
            return store->header.reasons[r].name;
    return NULL;
}

static const char *name_bound(const struct store *store, size_t i)
{
    return i < store->bound_count ? store->bounds[i].class : NULL;
}

static const char *name_counter(const struct store *store, size_t i)
{
    return i < store->header.counter_count ? store->header.counters[i].name : NULL;
}

/* names: the words that an argument may be, for suggestions. */
struct term {
    const char *name;
    bool with, without; /* an argument */
    const char *what;   /* the argument is, for sentences */
    reader *read;
    namer *names;
};

static const struct term terms[] = {
    {"cycles", false, true, NULL, read_cycles, NULL},
    {"cycles", true, false, "region", read_region, name_region},
    {"busy", true, false, "unit", read_busy, name_unit},
    {"util", true, false, "unit", read_util, name_unit},
    {"wait", true, false, "reason", read_wait, name_wait},
    {"bound", true, false, "class of bounds", read_bound, name_bound},
    {"gap", true, false, "class of bounds", read_gap, name_bound},
    {"slack", true, false, "line with a known slack", read_slack, NULL},
    {"warnings", false, true, NULL, read_warnings, NULL},
    {"warnings", true, false, "warning", read_warnings, NULL},
};
enum { TERMS = sizeof terms / sizeof *terms };

/* ", did you mean 'x'?" from some names, and those of all terms when also; or nothing. */
static void suggest(const struct store *store, namer *named, bool also, const char *word,
                    char text[100])
{
    enum { MOST = 512 };
    const char *names[MOST];
    size_t count = 0;
    for (size_t i = 0; also && i < TERMS; i++)
        names[count++] = terms[i].name;
    for (size_t i = 0; named && count < MOST && (names[count] = named(store, i)); i++)
        count++;
    const char *near = suggest_name(word, strlen(word), names, count);
    *text = '\0';
    if (near)
        snprintf(text, 100, ", did you mean '%.60s'?", near);
}

int expectation_value(const struct store *store, struct expectation *e, long double *value,
                      char error[EXPECTATION_ERROR])
{
    const struct term *other = NULL;
    struct found found = {.value = 0};
    char near[100];
    for (const struct term *t = terms; t < terms + TERMS; t++) {
        if (strcmp(t->name, e->name) != 0)
            continue;
        other = t;
        if (*e->argument ? !t->with : !t->without)
            continue;
        if (!t->read(store, e->argument, &found)) {
            suggest(store, t->names, false, e->argument, near);
            snprintf(error, EXPECTATION_ERROR, "the run has no %s '%.200s'%s",
                     t->what ? t->what : "total", e->argument, near);
            return 1;
        }
        *value = found.value;
        e->at_least = found.at_least;
        return 0;
    }
    if (other) {
        snprintf(error, EXPECTATION_ERROR,
                 other->with ? "%s has an argument, a %s" : "%s has no argument", e->name,
                 other->what);
        return 1;
    }
    if (!*e->argument && read_counter(store, e->name, &found)) {
        *value = found.value;
        return 0;
    }
    suggest(store, name_counter, true, e->name, near);
    snprintf(error, EXPECTATION_ERROR, "nothing is called '%s'%s%s", e->name, near,
             *near ? "" : "; takt expect --help lists the names");
    return 1;
}

bool expectation_needs_proof(const struct expectation *e)
{
    return strcmp(e->name, "bound") == 0 || strcmp(e->name, "gap") == 0;
}

bool expectation_whole(long double value)
{
    return value >= -0x1p63L && value < 0x1p63L && floorl(value) >= value;
}

bool expectation_holds(const struct expectation *e, long double value)
{
    const bool above = e->compare == EXPECT_GE || e->compare == EXPECT_GT,
               below = e->compare == EXPECT_LE || e->compare == EXPECT_LT;
    if ((e->at_least && !above) || (e->limit_at_least && !below))
        return false;
    switch (e->compare) {
    case EXPECT_LE:
        return value <= e->limit;
    case EXPECT_GE:
        return value >= e->limit;
    case EXPECT_LT:
        return value < e->limit;
    case EXPECT_GT:
        return value > e->limit;
    case EXPECT_EQ:
        return value <= e->limit && value >= e->limit;
    case EXPECT_NE:
        return value < e->limit || value > e->limit;
    }
    return false;
}

void expectation_number(const struct expectation *e, long double value, char text[40])
{
    const bool share = strcmp(e->name, "util") == 0 || strcmp(e->name, "gap") == 0;
    if (e->percent)
        snprintf(text, 40, "%.6Lg %%", 100 * value);
    else if (share)
        snprintf(text, 40, "%.6Lg", value);
    else if (expectation_whole(value))
        number_group(text, (int64_t)value);
    else
        snprintf(text, 40, "%.6Lg", value);
}
