/* screen_waits: the lines WAITS of the first screen. */
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "analysis/screen_part.h"
#include "analysis/stalls.h"
#include "host/number.h"
#include "timing/terms.h"
#include "traces/edges.h"
#include "host/path.h"

enum { WAITS_SHOWN = 6 };

struct wait {
    char cycles[NUMBER_TEXT];
    char lines[200]; /* "line 81 waits for line 79" */
    char text[200];  /* of the statement that is waited for */
    char what[120];  /* "DRAM", "value", "memory (ldst0)" */
    const struct stall *stall;
    size_t count; /* streams that wait alike */
};

static void put_place(const struct screen *s, const struct stmt_info *stmt, char place[80])
{
    const char *path = store_file(s->store, stmt->file);
    char file[200];
    if (s->store->header.file_count < 2) {
        snprintf(place, 80, "line %u", (unsigned)stmt->line);
        return;
    }
    snprintf(file, sizeof file, "%s", path_base(path ? path : ""));
    screen_shorten(file, s->width / 6);
    snprintf(place, 80, "%.60s:%u", file, (unsigned)stmt->line);
}

/* What a transfer moves: "from -> to" instead of its two operands. */
static void put_operands(char *text)
{
    char *first = strchr(text, ' '), *second = first ? strchr(first + 1, ' ') : NULL;
    if (!second || strchr(second + 1, ' '))
        return;
    char from[200];
    snprintf(from, sizeof from, "%.*s -> %s", (int)(second - first - 1), first + 1, second + 1);
    strcpy(text, from);
}

static void find_lines(const struct screen *s, const struct stall *stall, struct wait *wait)
{
    const struct dep *dep = stall->dep;
    const struct stmt_info *culprit = store_stmt(s->store, dep->src),
                           *at = store_stmt(s->store, dep->dst);
    const char *edge = terms_phrase(s->store->header.machine, "edge", edge_rows[dep->kind].name);
    char waiting[80] = "", waited[80];
    if (at)
        put_place(s, at, waiting);
    if (!culprit)
        snprintf(waited, sizeof waited, "%s%.40s%s", dep->kind == EDGE_MEMORY ? "fixed " : "", edge,
                 dep->kind == EDGE_MEMORY ? " latency" : "");
    else if (culprit == at)
        snprintf(waited, sizeof waited, "its turn before");
    else
        put_place(s, culprit, waited);
    snprintf(wait->lines, sizeof wait->lines, "%s%s waits for %s",
             stall->transfer ? "transfer of " : "", waiting, waited);
    if (culprit)
        screen_squeeze(wait->text, sizeof wait->text, culprit);
    if (culprit && stall->sent)
        put_operands(wait->text);
}

/* The kind of the unit that limited a transfer; else the kind of the wait and its unit. */
static void find_what(const struct screen *s, const struct stall *stall, struct wait *wait)
{
    const struct dep *dep = stall->dep;
    const char *machine = s->store->header.machine;
    const uint32_t unit = stall->sent ? stall->sent->sink.limited_by : dep->unit;
    const char *name = store_unit(s->store, unit);
    const char *edge = terms_phrase(machine, "edge", edge_rows[dep->kind].name);
    const char *kind = name ? s->store->header.units[unit].kind : "";
    if (stall->sent && (strcmp(kind, "dram") == 0 || strcmp(kind, "link") == 0))
        snprintf(wait->what, sizeof wait->what, "%.60s", terms_phrase(machine, "unit", kind));
    else if (stall->sent)
        snprintf(wait->what, sizeof wait->what, "%.60s", name ? name : edge);
    else
        snprintf(wait->what, sizeof wait->what, "%.40s%s%.60s%s", edge, name ? " (" : "",
                 name ? name : "", name ? ")" : "");
}

/* Whether another stream waits for the same, as long. */
static bool is_alike(const struct wait *a, const struct wait *b)
{
    return a->stall->dep->waited == b->stall->dep->waited && strcmp(a->lines, b->lines) == 0 &&
           a->stall->dep->kind == b->stall->dep->kind;
}

static size_t find_waits(const struct screen *s, const struct stall *stalls, size_t count,
                         struct wait waits[WAITS_SHOWN])
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        struct wait wait = {.stall = &stalls[i], .count = 1};
        number_group(wait.cycles, (int64_t)stalls[i].dep->waited);
        find_lines(s, &stalls[i], &wait);
        find_what(s, &stalls[i], &wait);
        size_t k = 0;
        while (k < found && !is_alike(&waits[k], &wait))
            k++;
        if (k < found)
            waits[k].count++;
        else if (found < WAITS_SHOWN)
            waits[found++] = wait;
    }
    return found;
}

static int widest(int columns, const char *text)
{
    return columns_of(text) > columns ? columns_of(text) : columns;
}

static void pad(char *line, size_t size, const char *text, int columns)
{
    const size_t n = strlen(line);
    snprintf(line + n, size - n, "%s%*s", text, columns - columns_of(text), "");
}

static void print_waits(const struct screen *s, struct wait *waits, size_t count)
{
    int cycles = 0, lines = 0, what = 0, text = 0;
    for (size_t i = 0; i < count; i++) {
        if (waits[i].count > 1) {
            const size_t n = strlen(waits[i].what);
            snprintf(waits[i].what + n, sizeof waits[i].what - n, " x%zu", waits[i].count);
        }
        cycles = widest(cycles, waits[i].cycles);
        lines = widest(lines, waits[i].lines);
        what = widest(what, waits[i].what);
        text = widest(text, waits[i].text);
    }
    const int room = s->width - SCREEN_LABEL - cycles - 2 - lines - 3 - what - 3;
    text = text < room ? text : room;
    for (size_t i = 0; i < count; i++) {
        char line[700] = "";
        pad(line, sizeof line, i ? "" : "WAITS", SCREEN_LABEL);
        pad(line, sizeof line, "", cycles - columns_of(waits[i].cycles));
        pad(line, sizeof line, waits[i].cycles, columns_of(waits[i].cycles) + 2);
        pad(line, sizeof line, waits[i].lines, lines + 3);
        if (text >= 8) {
            screen_cut(waits[i].text, text);
            pad(line, sizeof line, waits[i].text, text + 3);
        }
        pad(line, sizeof line, waits[i].what, columns_of(waits[i].what));
        screen_put(s, "", "%s", line);
    }
}

uint32_t screen_waits(const struct screen *s)
{
    struct stall list[STALLS_MOST];
    struct wait waits[WAITS_SHOWN];
    size_t count;
    *s->short_of_memory |= stalls_find(s->store, true, STALLS_MOST, list, &count) != 0;
    const size_t found = find_waits(s, list, count, waits);
    print_waits(s, waits, found);
    const struct stmt_info *first =
        found && !waits[0].stall->transfer ? store_stmt(s->store, list[0].dep->dst) : NULL;
    return first ? first->line : 0;
}
