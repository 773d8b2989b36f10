#include "analysis/screen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/columns.h"
#include "analysis/proven.h"
#include "analysis/screen_part.h"
#include "analysis/verdict.h"
#include "analysis/warned.h"
#include "host/number.h"
#include "timing/machines.h"
#include "host/path.h"

enum { EARLY_SHOWN = 4, SPARE_SHOWN = 8, WARNINGS_SHOWN = 3 };

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
    char number[NUMBER_TEXT], name[272];
    char verdict[120] = "INCOMPLETE: the run was cut off or still runs; there is no total";
    if (s->store->finished)
        snprintf(verdict, sizeof verdict, "INCOMPLETE: stopped at cycle %s; there is no total",
                 number_group(number, (int64_t)s->store->summary.cycles));
    snprintf(name, sizeof name, "%s", program);
    screen_shorten(name, s->width - columns_of(verdict) - 3);
    screen_put_phrases(
        s,
        &(const struct screen_phrases){
            .style = s->bold, .gap = "   ", .indent = 2, .phrases = {name, verdict}, .count = 2});
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
        screen_put(s, "", "  recorded: %s transfers, the last finished at cycle %s",
                   number_group(number, (int64_t)count), number_group(last, (int64_t)finished));
}

/* fma.vsm   1,256 cycles   1.675 us at 750 MHz   (documented numbers alone: 908) */
static void print_head(const struct screen *s, const char *program, int64_t total)
{
    char number[NUMBER_TEXT], time[40] = "", clock[32], seconds[32], name[272];
    char cycles[48], documented[64];
    const double hz = s->store->header.clock_hz;
    if (hz > 0) {
        put_time(seconds, sizeof seconds, (double)total / hz);
        put_clock(clock, sizeof clock, hz);
        snprintf(time, sizeof time, "%.15s at %.15s", seconds, clock);
    }
    snprintf(cycles, sizeof cycles, "%s cycle%s", number_group(number, total),
             total == 1 ? "" : "s");
    snprintf(name, sizeof name, "%s", program);
    screen_shorten(name, s->width - columns_of(cycles) - columns_of(time) - 6);
    struct screen_phrases list = {.style = s->bold, .gap = "   ", .indent = 2};
    list.phrases[list.count++] = name;
    list.phrases[list.count++] = cycles;
    if (*time)
        list.phrases[list.count++] = time;
    if (s->store->summary.cycles_documented) {
        snprintf(documented, sizeof documented, "(documented numbers alone: %s)",
                 number_group(number, (int64_t)s->store->summary.cycles_documented));
        list.phrases[list.count++] = documented;
    }
    screen_put_phrases(s, &list);
}

/* What the unpublished constants may change. */
static void print_uncertain(const struct screen *s)
{
    const struct store_range *range = &s->store->range;
    char low[NUMBER_TEXT], high[NUMBER_TEXT], most[NUMBER_TEXT];
    char span[120], constants[80], largest[120];
    struct screen_phrases list = {.style = "", .gap = "; ", .indent = 2 + 11};
    size_t assumed = 0;
    bool moves = range->known; /* something can; not by documented numbers alone */
    for (size_t i = 0; i < s->store->header.param_count; i++) {
        const struct param_info *param = &s->store->header.params[i];
        if (strcmp(param->provenance, "assumed") != 0)
            continue;
        assumed++;
        moves |=
            !param->text && (param->value < param->documented || param->value > param->documented);
    }
    if (!moves)
        return;
    if (range->known)
        snprintf(span, sizeof span, "  uncertain: %s to %s", number_group(low, (int64_t)range->low),
                 number_group(high, (int64_t)range->high));
    else
        snprintf(span, sizeof span, "  uncertain: takt sensitivity gives the range");
    list.phrases[list.count++] = span;
    const uint64_t count = range->known ? range->parameters : assumed;
    snprintf(constants, sizeof constants, "%" PRIu64 " constant%s unpublished", count,
             count == 1 ? " is" : "s are");
    list.phrases[list.count++] = constants;
    /* Alone a number may move the total by more than all do in settings that measurements leave. */
    if (range->known && range->most && range->most_cycles &&
        range->most_cycles <= range->high - range->low) {
        snprintf(largest, sizeof largest, "largest effect: %.40s, %s cycle%s", range->most,
                 number_group(most, (int64_t)range->most_cycles),
                 range->most_cycles == 1 ? "" : "s");
        list.phrases[list.count++] = largest;
    }
    screen_put_phrases(s, &list);
}

static void print_limit(const struct screen *s)
{
    struct verdict verdict;
    char first[VERDICT_WORDS + 16], text[VERDICT_TEXT], lines[VERDICT_TEXT + 4];
    if (s->store->summary.limit) {
        screen_put(s, s->bold, "LIMIT   %s", s->store->summary.limit);
        return;
    }
    *s->short_of_memory |= verdict_find(s->store, &verdict) != 0;
    snprintf(first, sizeof first, "LIMIT   %s",
             *verdict.kind ? verdict.words : verdict_print(&verdict, text));
    snprintf(lines, sizeof lines, "(%.500s)", verdict_lines(&verdict, text));
    screen_put_phrases(s, &(const struct screen_phrases){.style = s->bold,
                                                         .gap = " ",
                                                         .indent = SCREEN_LABEL,
                                                         .phrases = {first, lines},
                                                         .count = verdict.count ? 2 : 1});
}

/* What was proven before the run; what would have taken longer than the run is left to takt bound.
 * Returns whether another order may be faster. */
static bool print_floor(const struct screen *s)
{
    struct proven proven;
    *s->short_of_memory |= proven_find(s->store, &proven) != 0;
    if (!proven.computed) {
        const uint32_t region = s->store->region;
        const char *const *names = s->store->header.regions;
        if (region == NONE_ID)
            screen_put(s, "", "FLOOR   not computed here: takt bound %s",
                       s->store->summary.limit ? "APPLICATION" : "PROGRAM");
        else
            screen_put(s, "", "FLOOR   not computed here: takt bound --region %.200s PROGRAM",
                       names ? names[region] : "rest");
        return true;
    }
    const bool gap = proven.gap[0] >= '0' && proven.gap[0] <= '9';
    char floor[2 * PROVEN_PHRASE + 16], limit[PROVEN_PHRASE + 4];
    snprintf(floor, sizeof floor, "FLOOR   %s: %s", proven.floor, proven.gap);
    snprintf(limit, sizeof limit, "(%s)", proven.limit);
    screen_put_phrases(s, &(const struct screen_phrases){.style = s->bold,
                                                         .gap = " ",
                                                         .indent = SCREEN_LABEL,
                                                         .phrases = {floor, limit},
                                                         .count = gap ? 2 : 1});
    return gap;
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
            snprintf(file, sizeof file, "%s", path_base(list[i].file ? list[i].file : ""));
            screen_shorten(file, s->width / 2);
            snprintf(place, sizeof place, "%s:%u ", file, (unsigned)list[i].line);
        }
        screen_put_sentence(s, all > 1 ? "" : head, place, list[i].sentence);
    }
    free(list);
    const size_t shown = all < most ? all : most;
    if (!name)
        all += s->store->left_out;
    if (all > shown)
        screen_put(s, s->dim, "%-*sand %zu more", SCREEN_LABEL, "", all - shown);
}

/* The lines of what can go: ", lines 78, 80". Returns the sentence about all of it, or NULL. */
static const char *find_spare(const struct screen *s, const struct warned *list, char *lines,
                              size_t size)
{
    const bool one_file = s->store->header.file_count < 2;
    const char *sentence = NULL;
    size_t count = 0, n = 0;
    *lines = '\0';
    for (size_t i = 0; list && i < s->store->warning_count; i++) {
        if (strcmp(list[i].name, "removable") != 0)
            continue;
        if (!list[i].line)
            sentence = list[i].sentence;
        else if (count++ < SPARE_SHOWN && n + 100 < size)
            n += (size_t)snprintf(lines + n, size - n, ", %.60s%s%u",
                                  one_file       ? ""
                                  : list[i].file ? path_base(list[i].file)
                                                 : "",
                                  one_file ? "" : ":", (unsigned)list[i].line);
    }
    if (count > SPARE_SHOWN)
        snprintf(lines + n, size - n, " and %zu more", count - SPARE_SHOWN);
    return sentence;
}

/* SPARE   1 nop, line 78: 12 cycles */
static void print_spare(const struct screen *s)
{
    struct warned *list = warned_list(s->store);
    *s->short_of_memory |= !list;
    char lines[700], text[1000];
    const char *sentence = find_spare(s, list, lines, sizeof lines);
    if (!sentence && *lines)
        sentence = "steps: not timed together";
    const char *colon = sentence ? strchr(sentence, ':') : NULL;
    if (colon) {
        const bool one_file = s->store->header.file_count < 2;
        const char *first = !*lines || !one_file     ? ""
                            : strchr(lines + 1, ',') ? ", lines"
                                                     : ", line";
        snprintf(text, sizeof text, "SPARE   %.*s%s%s%.150s", (int)(colon - sentence), sentence,
                 first, *lines && one_file ? lines + 1 : lines, colon);
        screen_put_phrases(
            s, &(const struct screen_phrases){
                   .style = "", .gap = "", .indent = SCREEN_LABEL, .phrases = {text}, .count = 1});
    }
    free(list);
}

/* --- what to do next -------------------------------------------------------------------------- */

/* Whether a shell takes the name as it is. */
static bool is_plain(const char *name)
{
    return name && *name && *name != '-' && !strpbrk(name, " \t\n\"'\\$`*?[]{}()<>|&;#~!");
}

struct next {
    uint32_t line;   /* that waits, or 0 */
    uint32_t reason; /* why the stream waits, or NONE_ID */
    bool gain;       /* another order may be faster */
};

/* Adds a command, unless it is wider than a line: a part of a command is of no use. */
static void add_command(const struct screen *s, struct screen_phrases *list, char *command)
{
    static const char lead[] = "next: ";
    if (columns_of(command) > s->width - (int)sizeof lead)
        return;
    if (!list->count) {
        memmove(command + sizeof lead - 1, command, strlen(command) + 1);
        memcpy(command, lead, sizeof lead - 1);
    }
    list->phrases[list->count++] = command;
}

static void print_next(const struct screen *s, const struct next *next)
{
    const struct screen_options *o = s->options;
    const struct sink_header *h = &s->store->header;
    const struct machine *machine = machine_named(h->machine);
    const char *why = o->trace ? o->trace : o->program;
    char first[260], advise[260], explain[120];
    struct screen_phrases list = {.style = s->dim, .gap = ", ", .indent = 6};
    if (next->line && is_plain(why) && (o->trace || h->file_count < 2)) {
        snprintf(first, sizeof first - 8, "takt why %.200s --line %u", why, (unsigned)next->line);
        add_command(s, &list, first);
    }
    if (next->gain && is_plain(o->program) && h->file_count < 2 && machine &&
        machine->advice->advise) {
        snprintf(advise, sizeof advise - 8, "takt advise %.200s", o->program);
        add_command(s, &list, advise);
    }
    if (next->reason < h->reason_count) {
        snprintf(explain, sizeof explain - 8, "takt explain %.80s", h->reasons[next->reason].name);
        add_command(s, &list, explain);
    }
    if (list.count)
        screen_put_phrases(s, &list);
}

static void print_complete(const struct screen *s, const char *program)
{
    const int64_t total = (int64_t)s->store->summary.cycles;
    char number[NUMBER_TEXT];
    struct next next = {.reason = NONE_ID};
    print_head(s, program, total);
    print_uncertain(s);
    if (s->store->summary.ending)
        screen_put(s, "", "ENDED   %s", s->store->summary.ending);
    print_limit(s);
    if (total > 0)
        next.gain = print_floor(s);
    next.line = screen_waits(s);
    print_warnings(s, "EARLY", "early", EARLY_SHOWN);
    print_spare(s);
    next.reason = screen_units(s);
    if (s->options->printed)
        screen_put(s, "", "PRINTED %s line%s: --dump - shows %s",
                   number_group(number, (int64_t)s->options->printed),
                   s->options->printed == 1 ? "" : "s", s->options->printed == 1 ? "it" : "them");
    if (!s->options->no_warnings)
        print_warnings(s, "WARNINGS", NULL, WARNINGS_SHOWN);
    print_next(s, &next);
}

int screen_print(const struct store *store, const struct screen_options *options, FILE *out)
{
    const int width = options->width;
    const bool colour = options->colour;
    bool short_of_memory = false;
    const struct screen s = {.store = store,
                             .options = options,
                             .out = out,
                             .short_of_memory = &short_of_memory,
                             .width = width < 40    ? 40
                                      : width > 200 ? 200
                                                    : width,
                             .bold = colour ? "\033[1m" : "",
                             .dim = colour ? "\033[2m" : "",
                             .plain = colour ? "\033[0m" : ""};
    char program[272] = "";
    snprintf(program, sizeof program - 24, "%.240s", path_base(store->header.program));
    if (store->header.file_count > 1)
        snprintf(program + strlen(program), 24, " +%zu", store->header.file_count - 1);
    if (store->complete) {
        print_complete(&s, program);
    } else {
        print_incomplete(&s, program);
        if (!options->no_warnings)
            print_warnings(&s, "WARNINGS", NULL, WARNINGS_SHOWN);
    }
    return !short_of_memory && !ferror(out) ? 0 : -1;
}
