#include "analysis/screen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "analysis/proven.h"
#include "analysis/stalls.h"
#include "analysis/units.h"
#include "analysis/verdict.h"
#include "analysis/warned.h"
#include "host/number.h"
#include "traces/edges.h"

static const double LEAST_SHARE = 0.005; /* of a unit that is listed */
enum {
    BAR = 30,
    UNITS_SHOWN = 14,
    STALLS_SHOWN = 8,
    EARLY_SHOWN = 4,
    REMOVABLE_SHOWN = 4,
    WARNINGS_SHOWN = 3
};

struct screen {
    const struct store *store;
    FILE *out;
    int width;
    const char *bold, *dim, *plain;
    bool *short_of_memory; /* something is missing */
};

/* A text in at most `most` columns (3 or more). The cut is between two words if possible: half a
 * figure reads as another figure. */
static void cut(char *text, int most)
{
    int columns = 0, more;
    size_t fits = 0, word = 0;
    for (size_t i = 0; text[i];) {
        const size_t size = columns_character(text + i, &more);
        columns += more;
        if (columns <= most - 2) {
            fits = i + size;
            word = text[i] == ' ' ? i + 1 : word;
        }
        i += size;
    }
    if (columns > most)
        strcpy(text + (word ? word : fits), "..");
}

/* One line, cut to the width in characters, so that no terminal wraps it. */
static void put_line(const struct screen *s, const char *style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void put_line(const struct screen *s, const char *style, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    va_start(args, format);
    const int n = vasprintf(&line, format, args);
    va_end(args);
    if (n < 0) {
        *s->short_of_memory = true;
        return;
    }
    columns_clean(line);
    cut(line, s->width);
    fprintf(s->out, "%s%s%s\n", style, line, *style ? s->plain : "");
    free(line);
}

/* Statement text with its runs of blanks squeezed. */
static void squeeze(char *to, size_t size, const struct stmt_info *stmt)
{
    size_t n = 0;
    for (size_t i = 0; i < stmt->text_length && stmt->text[i] && n + 1 < size; i++) {
        const char c = (char)(stmt->text[i] == '\t' ? ' ' : stmt->text[i]);
        if (c != ' ' || (n && to[n - 1] != ' '))
            to[n++] = c;
    }
    to[n] = '\0';
}

/* The part of a path after its last slash. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* A name in at most `most` columns: the middle goes, so that the ending stays. */
static void shorten(char *name, int most)
{
    const int columns = columns_of(name);
    most = most < 8 ? 8 : most;
    if (columns <= most)
        return;
    const int head = (most - 2) / 2, tail = most - 2 - head;
    int column = 0, more;
    char *to = NULL, *from = name;
    while (*from && column < columns - tail) {
        const size_t size = columns_character(from, &more);
        if (!to && column + more > head)
            to = from;
        column += more;
        from += size;
    }
    if (to && from - to >= 2) {
        memcpy(to, "..", 2);
        memmove(to + 2, from, strlen(from) + 1);
    }
}

/* Phrases with three blanks between, as many on a line as fit; the others on the next, indented.
 * A phrase is never cut for the sake of another. */
static void put_phrases(const struct screen *s, const char *style, int indent,
                        const char *const *phrases, size_t count)
{
    char line[1024];
    size_t i = 0;
    for (bool first = true; i < count; first = false) {
        size_t n = first ? 0 : (size_t)snprintf(line, sizeof line, "%*s", indent, "");
        bool empty = true;
        line[n] = '\0';
        for (; i < count; i++) {
            const char *gap = empty ? "" : "   ";
            if (!empty && columns_of(line) + 3 + columns_of(phrases[i]) > s->width)
                break;
            const int more = snprintf(line + n, sizeof line - n, "%s%s", gap, phrases[i]);
            if (more < 0 || (size_t)more >= sizeof line - n) {
                i++;
                break;
            }
            n += (size_t)more;
            empty = false;
        }
        put_line(s, first ? style : "", "%s", line);
    }
}

static void put_time(char *text, size_t size, double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i < 3 && seconds < units[i].unit)
        i++;
    snprintf(text, size, "%.4g %s", seconds / units[i].unit, units[i].name);
}

static void put_clock(char *text, size_t size, double hz)
{
    if (hz >= 1e9)
        snprintf(text, size, "%.4g GHz", hz / 1e9);
    else
        snprintf(text, size, "%.4g MHz", hz / 1e6);
}

static void print_incomplete(const struct screen *s, const char *program)
{
    char number[NUMBER_TEXT];
    char name[272],
        verdict[120] = "INCOMPLETE: the run was cut off or still runs; there is no total";
    if (s->store->finished)
        snprintf(verdict, sizeof verdict, "INCOMPLETE: stopped at cycle %s; there is no total",
                 number_group(number, (int64_t)s->store->summary.cycles));
    snprintf(name, sizeof name, "%s", program);
    shorten(name, s->width - columns_of(verdict) - 3);
    program = name;
    put_phrases(s, s->bold, 2, (const char *const[]){name, verdict}, 2);
    size_t count = 0;
    uint64_t finished = 0;
    for (size_t i = 0; i < s->store->transfer_count; i++) {
        const struct sink_transfer *t = &s->store->transfers[i].sink;
        if (!store_asks(s->store, t->stmt))
            continue;
        count++;
        finished = t->finished > finished ? t->finished : finished;
    }
    char last[NUMBER_TEXT];
    if (count)
        put_line(s, "", "%*s   recorded: %s transfers, the last finished at cycle %s",
                 (int)strlen(program), "", number_group(number, (int64_t)count),
                 number_group(last, (int64_t)finished));
}

static void print_head(const struct screen *s, const char *program, int64_t total)
{
    char number[NUMBER_TEXT], time[32] = "", clock[32] = "";
    const struct store_range *range = &s->store->range;
    const double hz = s->store->header.clock_hz;
    size_t assumed = 0, params = s->store->header.param_count;
    if (hz > 0) {
        put_time(time, sizeof time, (double)total / hz);
        put_clock(clock, sizeof clock, hz);
    }
    for (size_t i = 0; i < params; i++)
        assumed += strcmp(s->store->header.params[i].provenance, "assumed") == 0;
    char figures[160], range_text[240] = "", documented_text[64] = "", assumed_text[64] = "",
                       name[272], most[80] = "";
    const char *elsewhere = NULL;
    snprintf(figures, sizeof figures, "%s cycles  %s%s%s", number_group(number, total), time,
             *clock ? " @ " : "", clock);
    snprintf(name, sizeof name, "%s", program);
    shorten(name, s->width - columns_of(figures) - 14); /* "complete" and two gaps */
    const char *phrases[7] = {name, figures};
    size_t count = 2;
    const uint64_t documented = s->store->summary.cycles_documented;
    if (range->known) {
        char least[NUMBER_TEXT];
        if (range->most && range->most_cycles && total > 0)
            snprintf(most, sizeof most, "most: %.40s %.3g %%", range->most,
                     100.0 * (double)range->most_cycles / (double)total);
        snprintf(range_text, sizeof range_text,
                 "range %s to %s over %" PRIu64 " unpublished numbers",
                 number_group(least, (int64_t)range->low),
                 number_group(number, (int64_t)range->high), range->parameters);
        phrases[count++] = range_text;
    }
    if (documented > 0) {
        snprintf(documented_text, sizeof documented_text, "documented-only %s",
                 number_group(number, (int64_t)documented));
        phrases[count++] = documented_text;
    }
    if (*most)
        phrases[count++] = most;
    if (range->known)
        params = 0; /* how many are assumed is said with the range */
    else if (documented > 0 && assumed)
        elsewhere = "range: takt sensitivity PROGRAM";
    if (params) {
        snprintf(assumed_text, sizeof assumed_text, "%zu of %zu parameters assumed", assumed,
                 params);
        phrases[count++] = assumed_text;
    }
    if (elsewhere) /* too many runs for a run to make them */
        phrases[count++] = elsewhere;
    phrases[count++] = "complete";
    int columns = 3 * (int)(count - 1);
    for (size_t i = 0; i < count; i++)
        columns += columns_of(phrases[i]);
    if (columns <= s->width) {
        put_phrases(s, s->bold, 0, phrases, count);
        return;
    }
    const char *const first[] = {name, figures, "complete"};
    put_phrases(s, s->bold, 2, first, 3);
    if (count > 3) {
        const int room = s->width - columns_of(*range_text ? range_text : documented_text) -
                         columns_of(assumed_text) - 3;
        int indent = columns_of(name) + 3;
        indent = indent > room ? room : indent;
        indent = indent < 2 ? 2 : indent;
        char blank[400];
        snprintf(blank, sizeof blank, "%*s%s", indent, "", phrases[2]);
        phrases[2] = blank;
        put_phrases(s, "", indent, phrases + 2, count - 3);
    }
}

static void print_limit(const struct screen *s)
{
    struct verdict verdict;
    char sentence[VERDICT_TEXT];
    *s->short_of_memory |= verdict_find(s->store, &verdict) != 0;
    verdict_print(&verdict, sentence);
    put_line(s, s->bold, "LIMIT   %s", sentence);
}

/* What was proven before the run; what would have taken longer than the run is left to takt bound.
 * */
static void print_bound(const struct screen *s)
{
    struct proven proven;
    *s->short_of_memory |= proven_find(s->store, &proven) != 0;
    char first[PROVEN_PHRASE + 8];
    snprintf(first, sizeof first, "BOUND   %s",
             proven.computed ? proven.this_order : "not computed: takt bound PROGRAM");
    const char *const phrases[] = {first, proven.any_order, proven.gap};
    put_phrases(s, s->bold, 8, phrases, proven.computed ? 3 : 1);
}

/* Reasons why a unit is not busy, greatest first, as many as fit. */
static void append_reasons(const struct screen *s, uint32_t unit, int64_t total, char *line,
                           size_t size)
{
    const struct sink_header *h = &s->store->header;
    uint64_t cycles[REASON_MAX] = {0};
    for (size_t i = 0; i < s->store->unit_total_count; i++) {
        const struct sink_unit_total *t = &s->store->unit_totals[i];
        if (t->unit == unit && h->reasons[t->reason].state != STATE_BUSY)
            cycles[t->reason % REASON_MAX] += t->cycles;
    }
    for (;;) {
        size_t most = REASON_MAX;
        for (size_t r = 0; r < h->reason_count && r < REASON_MAX; r++)
            if (cycles[r] &&
                (most == REASON_MAX || cycles[r] > cycles[most] ||
                 (cycles[r] == cycles[most] && h->reasons[r].state < h->reasons[most].state)))
                most = r;
        if (most == REASON_MAX)
            break;
        char item[64];
        const int n = snprintf(item, sizeof item, "  %s %.1f", h->reasons[most].name,
                               100.0 * (double)cycles[most] / (double)total);
        const size_t length = strlen(line);
        if ((int)length + n > s->width || length + (size_t)n >= size)
            break;
        strcpy(line + length, item);
        cycles[most] = 0;
    }
}

/* Units that do the same under names that differ in numbers alone: one line. */
struct group {
    char name[64], pattern[64];
    uint32_t unit;
    uint64_t busy, waiting;
    size_t count;
    double share;
};

static void make_pattern(char *pattern, size_t size, const char *name)
{
    size_t n = 0;
    for (; *name && n + 1 < size; name++) {
        const bool digit = *name >= '0' && *name <= '9';
        if (!digit || n == 0 || pattern[n - 1] != '#')
            pattern[n++] = digit ? '#' : *name;
    }
    pattern[n] = '\0';
}

/* The unit with most busy cycles below `below`, after one that has as many; NONE_ID: none. */
static uint32_t next_unit(const struct store *store, const struct unit_use *uses, uint32_t last)
{
    uint32_t next = NONE_ID;
    for (uint32_t u = 0; u < store->header.unit_count; u++) {
        const bool after = last == NONE_ID || uses[u].busy < uses[last].busy ||
                           (uses[u].busy == uses[last].busy && u > last);
        if (after && uses[u].busy && (next == NONE_ID || uses[u].busy > uses[next].busy))
            next = u;
    }
    return next;
}

/* Units from 0.5 % on, the busiest first; the others are counted in one line. */
static void print_units(const struct screen *s, int64_t total)
{
    struct group groups[UNITS_SHOWN];
    size_t count = 0, shown = 0, used = 0, seldom = 0;
    const size_t units = s->store->header.unit_count;
    struct unit_use *uses = units_use(s->store);
    *s->short_of_memory |= !uses;
    for (uint32_t u = NONE_ID; uses && (u = next_unit(s->store, uses, u)) != NONE_ID;) {
        struct group g = {.unit = u,
                          .share = units_share(&uses[u]),
                          .busy = uses[u].busy,
                          .waiting = uses[u].waiting,
                          .count = 1};
        snprintf(g.name, sizeof g.name, "%s", s->store->header.units[u].name);
        make_pattern(g.pattern, sizeof g.pattern, g.name);
        used++;
        if (g.share < LEAST_SHARE) {
            seldom++;
            continue;
        }
        size_t i = 0;
        while (i < count && (groups[i].busy != g.busy || groups[i].waiting != g.waiting ||
                             strcmp(groups[i].pattern, g.pattern)))
            i++;
        if (i < count) {
            groups[i].count++;
            shown++;
        } else if (count < UNITS_SHOWN) {
            groups[count++] = g;
            shown++;
        }
    }
    free(uses);
    const int columns = s->width - 30 < BAR ? s->width - 30 : BAR; /* the figure has to fit */
    for (size_t i = 0; i < count; i++) {
        const struct group *g = &groups[i];
        char bar[BAR + 1], line[512], name[64];
        int full = (int)(g->share * columns + 0.5);
        full = full < 0 ? 0 : full > columns ? columns : full;
        memset(bar, '-', (size_t)columns);
        memset(bar, '#', (size_t)full);
        bar[columns] = '\0';
        char times[24] = "";
        if (g->count > 1)
            snprintf(times, sizeof times, " x%zu", g->count);
        snprintf(name, sizeof name, "%.40s", g->name);
        shorten(name, s->width - columns - 12 - (int)strlen(times));
        strcat(name, times);
        snprintf(line, sizeof line, "  %-13s %s %5.1f %%", name, bar, 100.0 * g->share);
        append_reasons(s, g->unit, total, line, sizeof line);
        put_line(s, "", "%s", line);
    }
    char more[64] = "", below[64] = "", never[64] = "";
    const char *phrases[3];
    size_t phrase_count = 0;
    if (used > shown + seldom) {
        snprintf(more, sizeof more, "%zu more units", used - shown - seldom);
        phrases[phrase_count++] = more;
    }
    if (seldom) {
        snprintf(below, sizeof below, "%zu below 0.5 %%", seldom);
        phrases[phrase_count++] = below;
    }
    if (units > used) {
        snprintf(never, sizeof never, "%zu of %zu units never busy", units - used, units);
        phrases[phrase_count++] = never;
    }
    if (phrase_count) {
        char head[80];
        snprintf(head, sizeof head, "  %s", phrases[0]);
        phrases[0] = head;
        put_phrases(s, s->dim, 2, phrases, phrase_count);
    }
}

/* The statement's text gives way to the figures and names around it. */
static void put_culprit(const struct screen *s, const char *lead, const char *file,
                        const struct stmt_info *culprit, const char *unit)
{
    char text[200], place[240], where[80] = "";
    snprintf(place, sizeof place, "%s:%u", file, (unsigned)culprit->line);
    if (*unit)
        snprintf(where, sizeof where, " (%.60s)", unit);
    squeeze(text, sizeof text, culprit);
    const int room = s->width - columns_of(lead) - columns_of(place) - columns_of(where) - 1;
    cut(text, room < 3 ? 3 : room > 60 ? 60 : room);
    put_line(s, "", "%s%s %s%s", lead, place, text, where);
}

static void print_stall(const struct screen *s, const char *head, const struct stall *stall)
{
    const struct dep *dep = stall->dep;
    char number[NUMBER_TEXT], what[128], lead[200], file[200];
    const char *kind = edge_rows[dep->kind].name, *rule = store_text(s->store, dep->rule);
    const char *tag = stall->sent ? store_text(s->store, stall->sent->tag_name) : NULL;
    const char *unit = store_unit(s->store, dep->unit);
    if (tag) {
        const char *limit = store_unit(s->store, stall->sent->sink.limited_by);
        snprintf(what, sizeof what, "%s %.60s", kind, tag);
        unit = limit ? limit : unit;
    } else {
        snprintf(what, sizeof what, "%s%s%s", kind, rule ? " " : "", rule ? rule : "");
    }
    unit = unit ? unit : "";
    snprintf(lead, sizeof lead, "%-6s %7s  %s <- ", head,
             number_group(number, (int64_t)dep->waited), what);
    const struct stmt_info *culprit = store_stmt(s->store, dep->src);
    const struct stmt_info *at = culprit ? culprit : store_stmt(s->store, dep->dst);
    const char *path = at ? store_file(s->store, at->file) : NULL;
    snprintf(file, sizeof file, "%s", base_name(path ? path : ""));
    shorten(file, s->width / 4);
    if (culprit)
        put_culprit(s, lead, file, culprit, unit);
    else
        put_line(s, "", "%s%s   for %s:%u", lead, *unit ? unit : "the machine", file,
                 at ? (unsigned)at->line : 0);
}

/* What held the stream, then what held transfers. */
static void print_stalls(const struct screen *s)
{
    struct stall list[STALLS_MOST];
    size_t count;
    *s->short_of_memory |= stalls_find(s->store, true, STALLS_SHOWN, list, &count) != 0;
    for (size_t i = 0; i < count; i++)
        print_stall(s, i ? "" : "STALLS", &list[i]);
}

/* A sentence after its place: the words that do not fit are on a second line, what does not fit
 * there is cut. */
static void put_sentence(const struct screen *s, const char *head, const char *place,
                         const char *sentence)
{
    char line[1024];
    const int lead = snprintf(line, sizeof line, "%-10s %s", head, place);
    const int room = s->width - columns_of(line);
    if (lead < 0 || (size_t)lead >= sizeof line || columns_of(sentence) <= room) {
        put_line(s, "", "%-10s %s%s", head, place, sentence);
        return;
    }
    int columns = 0;
    size_t word = 0;
    for (size_t i = 0; sentence[i] && columns <= room; i++) {
        word = sentence[i] == ' ' ? i : word;
        columns += (sentence[i] & 0xc0) != 0x80;
    }
    put_line(s, "", "%s%.*s", line, (int)word, sentence);
    put_line(s, "", "%-10s   %s", "", sentence + word + (sentence[word] == ' '));
}

static bool is_headed(const char *name)
{
    return strcmp(name, "removable") == 0 || strcmp(name, "early") == 0;
}

/* Warnings of one name at most `most`; of NULL: those without a heading. */
static void print_warnings(const struct screen *s, const char *head, const char *name, size_t most)
{
    struct warned *list = warned_list(s->store);
    *s->short_of_memory |= !list;
    size_t all = 0;
    for (size_t i = 0; list && i < s->store->warning_count; i++) {
        char place[300] = "", file[200];
        if (name ? strcmp(list[i].name, name) != 0 : is_headed(list[i].name))
            continue;
        if (all++ >= most)
            continue;
        if (list[i].line) {
            snprintf(file, sizeof file, "%s", base_name(list[i].file ? list[i].file : ""));
            shorten(file, s->width / 2);
            snprintf(place, sizeof place, "%s:%u ", file, (unsigned)list[i].line);
        }
        put_sentence(s, all > 1 ? "" : head, place, list[i].sentence);
    }
    free(list);
    const size_t shown = all < most ? all : most;
    if (!name)
        all += s->store->left_out;
    if (all > shown)
        put_line(s, s->dim, "%-10s and %zu more", "", all - shown);
}

int screen_print(const struct store *store, const struct screen_options *options, FILE *out)
{
    const int width = options->width;
    const bool colour = options->colour;
    bool short_of_memory = false;
    const struct screen s = {.store = store,
                             .out = out,
                             .short_of_memory = &short_of_memory,
                             .width = width < 40    ? 40
                                      : width > 200 ? 200
                                                    : width,
                             .bold = colour ? "\033[1m" : "",
                             .dim = colour ? "\033[2m" : "",
                             .plain = colour ? "\033[0m" : ""};
    char program[272] = "";
    snprintf(program, sizeof program - 24, "%.240s", base_name(store->header.program));
    if (store->header.file_count > 1)
        snprintf(program + strlen(program), 24, " +%zu", store->header.file_count - 1);
    if (!store->complete) {
        print_incomplete(&s, program);
    } else {
        const int64_t total = (int64_t)store->summary.cycles;
        print_head(&s, program, total);
        if (store->summary.ending)
            put_line(&s, "", "ENDED   %s", store->summary.ending);
        print_limit(&s);
        if (total > 0)
            print_bound(&s);
        print_units(&s, total ? total : 1);
        print_stalls(&s);
        print_warnings(&s, "EARLY", "early", EARLY_SHOWN);
        print_warnings(&s, "REMOVABLE", "removable", REMOVABLE_SHOWN);
    }
    if (!options->no_warnings)
        print_warnings(&s, "WARNINGS", NULL, WARNINGS_SHOWN);
    return !short_of_memory && !ferror(out) ? 0 : -1;
}
