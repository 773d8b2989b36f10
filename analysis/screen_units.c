/* screen_units: the lines UNITS of the first screen. */
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "analysis/screen_part.h"
#include "analysis/units.h"
#include "timing/terms.h"

static const double LEAST_SHARE = 0.005; /* of a unit that is listed */
enum { BAR = 24, SHORT_BAR = 8, REASONS = 36, UNITS_SHOWN = 12, SHARE = 8 };

/* Cycles of a unit's reasons that are not busy. */
static void reason_cycles(const struct store *store, uint32_t unit, uint64_t cycles[REASON_MAX])
{
    const struct sink_header *h = &store->header;
    memset(cycles, 0, REASON_MAX * sizeof *cycles);
    for (size_t i = 0; i < store->unit_total_count; i++) {
        const struct sink_unit_total *t = &store->unit_totals[i];
        if (t->unit == unit && h->reasons[t->reason].state != STATE_BUSY)
            cycles[t->reason % REASON_MAX] += t->cycles;
    }
}

/* The reason with most cycles, waits before idle ones; REASON_MAX: none has any. */
static size_t longest(const struct sink_header *h, const uint64_t cycles[REASON_MAX])
{
    size_t most = REASON_MAX;
    for (size_t r = 0; r < h->reason_count && r < REASON_MAX; r++)
        if (cycles[r] &&
            (most == REASON_MAX || cycles[r] > cycles[most] ||
             (cycles[r] == cycles[most] && h->reasons[r].state < h->reasons[most].state)))
            most = r;
    return most;
}

/* Reasons why a unit is not busy, greatest first, as many as fit. */
static void append_reasons(const struct screen *s, const struct unit_group *g, char *line,
                           size_t size)
{
    const struct sink_header *h = &s->store->header;
    const double total = g->use.total ? (double)g->use.total : 1;
    uint64_t cycles[REASON_MAX];
    reason_cycles(s->store, g->unit, cycles);
    const char *gap = "  ";
    for (size_t r; (r = longest(h, cycles)) < REASON_MAX; cycles[r] = 0) {
        char item[96];
        const int n = snprintf(item, sizeof item, "%s%.60s %.1f", gap,
                               terms_phrase(h->machine, "reason", h->reasons[r].name),
                               100.0 * (double)cycles[r] / total);
        const size_t length = strlen(line);
        if ((int)length + n > s->width || length + (size_t)n >= size)
            break;
        strcpy(line + length, item);
        gap = ", ";
    }
}

/* Units that are counted instead of listed. */
struct rest {
    size_t more, seldom, never;
};

/* The groups that are listed, the busiest first: those from 0.5 % on. */
static size_t find_groups(const struct screen *s, struct unit_group **groups, struct rest *rest)
{
    size_t count, listed = 0;
    *groups = units_groups(s->store, &count);
    *s->short_of_memory |= !*groups;
    rest->never = s->store->header.unit_count;
    for (size_t i = 0; i < count; i++) {
        const struct unit_group *g = &(*groups)[i];
        rest->never -= g->count;
        if (units_share(&g->use) < LEAST_SHARE)
            rest->seldom += g->count;
        else if (listed < UNITS_SHOWN)
            listed++;
        else
            rest->more += g->count;
    }
    return listed;
}

/* "mem0 x4" */
static void name_group(const struct screen *s, const struct unit_group *g, char name[80], int most)
{
    char times[24] = "";
    if (g->count > 1)
        snprintf(times, sizeof times, " x%zu", g->count);
    snprintf(name, 48, "%.40s", s->store->header.units[g->unit].name);
    screen_shorten(name, most - (int)strlen(times));
    strcat(name, times);
}

/* The bar gives way to the reasons; where these have no room, it takes all. */
static int bar_columns(const struct screen *s, int names)
{
    const int room = s->width - SCREEN_LABEL - names - SHARE - 4;
    const int columns = room - REASONS < SHORT_BAR ? room : room - REASONS;
    return columns < BAR ? columns : BAR;
}

static void print_group(const struct screen *s, const char *head, const struct unit_group *g,
                        int names)
{
    const int columns = bar_columns(s, names);
    char bar[BAR + 1], line[512], name[80];
    const double share = units_share(&g->use);
    int full = (int)(share * columns + 0.5);
    full = full < 0 ? 0 : full > columns ? columns : full;
    memset(bar, '.', (size_t)columns);
    memset(bar, '#', (size_t)full);
    bar[columns] = '\0';
    name_group(s, g, name, names);
    snprintf(line, sizeof line, "%-*s%-*s  %5.1f %%  %s", SCREEN_LABEL, head, names, name,
             100.0 * share, bar);
    append_reasons(s, g, line, sizeof line);
    screen_put(s, "", "%s", line);
}

static void print_rest(const struct screen *s, const struct rest *rest)
{
    char more[64], below[64], never[80];
    struct screen_phrases list = {.style = s->dim, .gap = ", ", .indent = SCREEN_LABEL};
    if (rest->more) {
        snprintf(more, sizeof more, "%zu more", rest->more);
        list.phrases[list.count++] = more;
    }
    if (rest->seldom) {
        snprintf(below, sizeof below, "%zu below 0.5 %%", rest->seldom);
        list.phrases[list.count++] = below;
    }
    if (rest->never) {
        snprintf(never, sizeof never, "%zu of %zu units never busy", rest->never,
                 s->store->header.unit_count);
        list.phrases[list.count++] = never;
    }
    if (!list.count)
        return;
    char head[120];
    snprintf(head, sizeof head, "%*s%s", SCREEN_LABEL, "", list.phrases[0]);
    list.phrases[0] = head;
    screen_put_phrases(s, &list);
}

/* The wait that takes most cycles of the issuing units together. */
static uint32_t longest_wait(const struct store *store)
{
    const struct sink_header *h = &store->header;
    uint64_t cycles[REASON_MAX] = {0};
    for (size_t i = 0; i < store->unit_total_count; i++) {
        const struct sink_unit_total *t = &store->unit_totals[i];
        if (units_issues(store, t->unit) && h->reasons[t->reason].state == STATE_WAITING)
            cycles[t->reason % REASON_MAX] += t->cycles;
    }
    const size_t most = longest(h, cycles);
    return most < REASON_MAX ? (uint32_t)most : NONE_ID;
}

uint32_t screen_units(const struct screen *s)
{
    struct unit_group *groups;
    struct rest rest = {0};
    const size_t count = find_groups(s, &groups, &rest);
    int names = 0;
    for (size_t i = 0; i < count; i++) {
        char name[80];
        name_group(s, &groups[i], name, s->width / 4);
        names = columns_of(name) > names ? columns_of(name) : names;
    }
    for (size_t i = 0; i < count; i++)
        print_group(s, i ? "" : "UNITS", &groups[i], names);
    free(groups);
    print_rest(s, &rest);
    return longest_wait(s->store);
}
