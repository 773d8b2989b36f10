#include "analysis/screen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "analysis/proven.h"
#include "traces/rows.h"
#include "analysis/verdict.h"
#include "analysis/columns.h"
#include "traces/trace.h"

static const double LEAST_SHARE = 0.005; /* of a unit that is listed */
enum { BAR = 30, UNITS_SHOWN = 14, EARLY_SHOWN = 4, REMOVABLE_SHOWN = 4, WARNINGS_SHOWN = 3 };

struct screen {
    sqlite3 *db;
    FILE *out;
    int width;
    const char *bold, *dim, *plain;
    bool *short_of_memory; /* a line is missing */
};

/* A text in at most `most` columns (3 or more). The cut lies between two words where it can: half a
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
static const char *squeeze(char *to, size_t size, const char *text)
{
    size_t n = 0;
    for (; *text && n + 1 < size; text++) {
        const char c = (char)(*text == '\t' ? ' ' : *text);
        if (c != ' ' || (n && to[n - 1] != ' '))
            to[n++] = c;
    }
    to[n] = '\0';
    return to;
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

/* Phrases with three blanks between, as many on a line as fit; the others go on the next, indented.
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

/* A text for which memory was out is heard of here. */
static void end(sqlite3_stmt *q, int *rc)
{
    const int ended = sqlite3_finalize(q);
    if (ended != SQLITE_OK)
        *rc = ended;
}

/* What a function of trace.h found: it gives its fallback, too, when memory is out. */
static int64_t found(const struct screen *s, int64_t value, int *rc)
{
    if (sqlite3_errcode(s->db) == SQLITE_NOMEM)
        *rc = SQLITE_NOMEM;
    return value;
}

static void print_incomplete(const struct screen *s, const char *program, int *rc)
{
    char number[ANSWER_NUMBER];
    const int64_t reached = found(s, trace_integer(s->db, "cycles_reached", -1), rc);
    char name[256],
        verdict[120] = "INCOMPLETE: the run was cut off or still runs; there is no total";
    if (reached >= 0) {
        snprintf(verdict, sizeof verdict, "INCOMPLETE: stopped at cycle %s; there is no total",
                 answer_number(number, reached));
    }
    snprintf(name, sizeof name, "%s", program);
    shorten(name, s->width - columns_of(verdict) - 3);
    program = name;
    put_phrases(s, s->bold, 2, (const char *const[]){name, verdict}, 2);
    sqlite3_stmt *q = rows_select(
        s->db, "SELECT count(*), coalesce(max(finished), 0) FROM transfer HAVING count(*) > 0", rc);
    if (rows_next(q, rc)) {
        char last[ANSWER_NUMBER];
        put_line(s, "", "%*s   recorded: %s transfers, the last finished at cycle %s",
                 (int)strlen(program), "", answer_number(number, sqlite3_column_int64(q, 0)),
                 answer_number(last, sqlite3_column_int64(q, 1)));
    }
    end(q, rc);
}

static void print_head(const struct screen *s, const char *program, int64_t total, int *rc)
{
    char number[ANSWER_NUMBER], time[32] = "", clock[32] = "";
    sqlite3_stmt *q =
        rows_select(s->db,
                    "SELECT value, (SELECT count(*) FROM param WHERE provenance = 'assumed'),"
                    " (SELECT count(*) FROM param) FROM meta WHERE key = 'clock_hz'",
                    rc);
    int64_t assumed = 0, params = 0;
    if (rows_next(q, rc)) {
        const double hz = sqlite3_column_double(q, 0);
        if (hz > 0) {
            put_time(time, sizeof time, (double)total / hz);
            put_clock(clock, sizeof clock, hz);
        }
        assumed = sqlite3_column_int64(q, 1);
        params = sqlite3_column_int64(q, 2);
    }
    end(q, rc);
    char figures[160], range_text[240] = "", documented_text[64] = "", assumed_text[64] = "",
                       name[256], most[80] = "";
    const char *elsewhere = NULL;
    snprintf(figures, sizeof figures, "%s cycles  %s%s%s", answer_number(number, total), time,
             *clock ? " @ " : "", clock);
    snprintf(name, sizeof name, "%s", program);
    shorten(name, s->width - columns_of(figures) - 14); /* "complete" and two gaps */
    const char *phrases[7] = {name, figures};
    size_t count = 2;
    const int64_t low = found(s, trace_integer(s->db, "range_low", -1), rc);
    const int64_t documented = found(s, trace_integer(s->db, "cycles_documented", 0), rc);
    if (low >= 0) {
        char least[ANSWER_NUMBER];
        const int64_t effect = found(s, trace_integer(s->db, "range_most_cycles", 0), rc);
        sqlite3_stmt *by =
            rows_select(s->db, "SELECT value FROM meta WHERE key = 'range_most'", rc);
        if (rows_next(by, rc) && effect > 0 && total > 0)
            snprintf(most, sizeof most, "most: %.40s %.3g %%", rows_text(by, 0),
                     100.0 * (double)effect / (double)total);
        end(by, rc);
        snprintf(range_text, sizeof range_text,
                 "range %s to %s over %" PRId64 " unpublished numbers", answer_number(least, low),
                 answer_number(number, found(s, trace_integer(s->db, "range_high", 0), rc)),
                 found(s, trace_integer(s->db, "range_parameters", 0), rc));
        phrases[count++] = range_text;
    }
    if (documented > 0) {
        snprintf(documented_text, sizeof documented_text, "documented-only %s",
                 answer_number(number, documented));
        phrases[count++] = documented_text;
    }
    if (*most)
        phrases[count++] = most;
    if (low >= 0)
        params = 0; /* how many are assumed is said with the range */
    else if (documented > 0 && assumed)
        elsewhere = "range: takt sensitivity PROGRAM";
    if (params) {
        snprintf(assumed_text, sizeof assumed_text, "%" PRId64 " of %" PRId64 " parameters assumed",
                 assumed, params);
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

/* How the program ended, where that is known. */
static void print_ending(const struct screen *s, int *rc)
{
    sqlite3_stmt *q = rows_select(s->db, "SELECT value FROM meta WHERE key = 'ending'", rc);
    if (rows_next(q, rc))
        put_line(s, "", "ENDED   %s", rows_text(q, 0));
    end(q, rc);
}

static void print_limit(const struct screen *s, int *rc)
{
    struct verdict verdict;
    char sentence[VERDICT_TEXT];
    const int status = verdict_find(s->db, &verdict);
    if (status != SQLITE_OK)
        *rc = status;
    verdict_print(&verdict, sentence);
    put_line(s, s->bold, "LIMIT   %s", sentence);
}

/* What was proven before the run; what would have taken longer than the run is left to a command of
 * its own. */
static void print_bound(const struct screen *s, int *rc)
{
    struct proven proven;
    const int status = proven_find(s->db, &proven);
    if (status != SQLITE_OK)
        *rc = status;
    char first[PROVEN_PHRASE + 8];
    snprintf(first, sizeof first, "BOUND   %s",
             proven.computed ? proven.this_order : "not computed: takt bound PROGRAM");
    const char *const phrases[] = {first, proven.any_order, proven.gap};
    put_phrases(s, s->bold, 8, phrases, proven.computed ? 3 : 1);
}

/* Reasons why a unit is not busy, greatest first, as many as fit. */
static void append_reasons(const struct screen *s, int64_t unit, int64_t total, char *line,
                           size_t size, int *rc)
{
    sqlite3_stmt *q = rows_select(s->db,
                                  "SELECT y.name, sum(t.cycles) FROM unit_total t JOIN reason y "
                                  "ON y.id = t.reason WHERE t.unit = ?1 AND t.state <> 0 "
                                  "GROUP BY t.reason HAVING sum(t.cycles) > 0 "
                                  "ORDER BY 2 DESC, t.state, t.reason",
                                  rc);
    if (q)
        sqlite3_bind_int64(q, 1, unit);
    while (rows_next(q, rc)) {
        char item[64];
        const int n = snprintf(item, sizeof item, "  %s %.1f", rows_text(q, 0),
                               100.0 * (double)sqlite3_column_int64(q, 1) / (double)total);
        const size_t length = strlen(line);
        if ((int)length + n > s->width || length + (size_t)n >= size)
            break;
        strcpy(line + length, item);
    }
    end(q, rc);
}

/* Units that do the same under names that differ in numbers alone: one line. */
struct group {
    char name[64], pattern[64];
    int64_t unit, busy, waiting, count;
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

/* Units from 0.5 % on, the busiest first; the others are counted in one line. */
static void print_units(const struct screen *s, int64_t total, int *rc)
{
    struct group groups[UNITS_SHOWN];
    size_t count = 0;
    int64_t shown = 0, used = 0, seldom = 0;
    sqlite3_stmt *q = rows_select(s->db,
                                  "SELECT unit_id, unit, utilization, busy, waiting FROM v_util "
                                  "WHERE busy > 0 ORDER BY busy DESC, unit_id",
                                  rc);
    while (rows_next(q, rc)) {
        struct group g = {.unit = sqlite3_column_int64(q, 0),
                          .share = sqlite3_column_double(q, 2),
                          .busy = sqlite3_column_int64(q, 3),
                          .waiting = sqlite3_column_int64(q, 4),
                          .count = 1};
        snprintf(g.name, sizeof g.name, "%s", rows_text(q, 1));
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
    end(q, rc);
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
            snprintf(times, sizeof times, " x%" PRId64, g->count);
        snprintf(name, sizeof name, "%.40s", g->name);
        shorten(name, s->width - columns - 12 - (int)strlen(times));
        strcat(name, times);
        snprintf(line, sizeof line, "  %-13s %s %5.1f %%", name, bar, 100.0 * g->share);
        append_reasons(s, g->unit, total, line, sizeof line, rc);
        put_line(s, "", "%s", line);
    }
    const int64_t units =
        found(s, rows_value(s->db, "SELECT count(*) FROM unit WHERE kind <> 'node'", 0, 0, 0), rc);
    char more[64] = "", below[64] = "", never[64] = "";
    const char *phrases[3];
    size_t phrase_count = 0;
    if (used > shown + seldom) {
        snprintf(more, sizeof more, "%" PRId64 " more units", used - shown - seldom);
        phrases[phrase_count++] = more;
    }
    if (seldom) {
        snprintf(below, sizeof below, "%" PRId64 " below 0.5 %%", seldom);
        phrases[phrase_count++] = below;
    }
    if (units > used) {
        snprintf(never, sizeof never, "%" PRId64 " of %" PRId64 " units never busy", units - used,
                 units);
        phrases[phrase_count++] = never;
    }
    if (phrase_count) {
        char head[80];
        snprintf(head, sizeof head, "  %s", phrases[0]);
        phrases[0] = head;
        put_phrases(s, s->dim, 2, phrases, phrase_count);
    }
}

static void print_stalls(const struct screen *s, int *rc)
{
    sqlite3_stmt *q = rows_select(
        s->db,
        /* What held the stream, then what held transfers. Names and texts only of those that are
           shown. */
        "WITH most AS (SELECT id, CASE "
        /* Where it need not be looked up: a tag holds the stream, memory and links hold transfers.
         */
        "WHEN NOT EXISTS (SELECT 1 FROM transfer) "
        "OR kind = (SELECT id FROM dep_kind WHERE name = 'tag') THEN 0 "
        "WHEN kind IN (SELECT id FROM dep_kind WHERE name IN ('memory', 'link')) THEN 1 "
        "ELSE EXISTS (SELECT 1 FROM transfer t WHERE t.stmt = e.dst AND t.issued < e.first_at) END "
        "AS held FROM dep e WHERE waited > 0 ORDER BY held, waited DESC, id LIMIT 8) "
        "SELECT d.waited, d.kind, coalesce(d.rule, ''), coalesce(d.unit, ''), d.src_file, "
        "d.src_line, d.src_text, d.dst_file, d.dst_line, d.dst_text, d.times, "
        "(SELECT t.tag_name FROM v_transfer t WHERE d.kind = 'tag' AND t.id = (SELECT id FROM "
        "transfer "
        " WHERE stmt = d.src LIMIT 1)), "
        "(SELECT u.name FROM transfer t JOIN unit u ON u.id = t.limited_by "
        " WHERE d.kind = 'tag' AND t.stmt = d.src LIMIT 1) "
        "FROM most m JOIN v_dep d ON d.id = m.id ORDER BY m.held, d.waited DESC, d.id",
        rc);
    const char *head = "STALLS";
    while (rows_next(q, rc)) {
        char number[ANSWER_NUMBER], what[128], lead[200], file[200];
        const char *unit = rows_text(q, 3);
        if (sqlite3_column_type(q, 11) != SQLITE_NULL) {
            snprintf(what, sizeof what, "%s %.60s", rows_text(q, 1), rows_text(q, 11));
            unit = sqlite3_column_type(q, 12) == SQLITE_NULL ? unit : rows_text(q, 12);
        } else {
            snprintf(what, sizeof what, "%s%s%s", rows_text(q, 1), *rows_text(q, 2) ? " " : "",
                     rows_text(q, 2));
        }
        snprintf(lead, sizeof lead, "%-6s %7s  %s <- ", head,
                 answer_number(number, sqlite3_column_int64(q, 0)), what);
        const bool culprit = sqlite3_column_type(q, 5) != SQLITE_NULL;
        snprintf(file, sizeof file, "%s", base_name(rows_text(q, culprit ? 4 : 7)));
        shorten(file, s->width / 4);
        if (culprit) {
            /* The statement's text gives way to the figures and names around it. */
            char text[200], place[240], where[80] = "";
            snprintf(place, sizeof place, "%s:%d", file, sqlite3_column_int(q, 5));
            if (*unit)
                snprintf(where, sizeof where, " (%.60s)", unit);
            squeeze(text, sizeof text, rows_text(q, 6));
            const int room =
                s->width - columns_of(lead) - columns_of(place) - columns_of(where) - 1;
            cut(text, room < 3 ? 3 : room > 60 ? 60 : room);
            put_line(s, "", "%s%s %s%s", lead, place, text, where);
        } else {
            put_line(s, "", "%s%s   for %s:%d", lead, *unit ? unit : "the machine", file,
                     sqlite3_column_int(q, 8));
        }
        head = "";
    }
    end(q, rc);
}

/* A sentence after its place: the words that do not fit go on a second line, what does not fit
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

/* Warnings of one name at most `most`; of NULL: those that have no head of their own. */
#define OTHER_NAMES "name NOT IN ('removable', 'early')"
static void print_warnings(const struct screen *s, const char *head, const char *name, int most,
                           int *rc)
{
    sqlite3_stmt *q = rows_select(s->db,
                                  "SELECT name, file, line, sentence FROM v_warning WHERE CASE "
                                  "WHEN ?1 IS NULL THEN " OTHER_NAMES
                                  " ELSE name = ?1 END ORDER BY file, line, name",
                                  rc);
    if (q && name)
        sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
    int64_t all = 0;
    for (; rows_next(q, rc); all++) {
        char place[300] = "", file[200];
        if (all >= most)
            continue;
        if (sqlite3_column_type(q, 2) != SQLITE_NULL) {
            snprintf(file, sizeof file, "%s", base_name(rows_text(q, 1)));
            shorten(file, s->width / 2);
            snprintf(place, sizeof place, "%s:%d ", file, sqlite3_column_int(q, 2));
        }
        put_sentence(s, all ? "" : head, place, rows_text(q, 3));
    }
    end(q, rc);
    const int64_t shown = all < most ? all : most;
    if (!name)
        all += found(
            s, rows_value(s->db, "SELECT value FROM meta WHERE key = 'warnings_left_out'", 0, 0, 0),
            rc);
    if (all > shown)
        put_line(s, s->dim, "%-10s and %" PRId64 " more", "", all - shown);
}

int screen_print(sqlite3 *db, const struct screen_options *options, FILE *out)
{
    const int width = options->width;
    const bool colour = options->colour;
    bool short_of_memory = false;
    const struct screen s = {.db = db,
                             .out = out,
                             .short_of_memory = &short_of_memory,
                             .width = width < 40    ? 40
                                      : width > 200 ? 200
                                                    : width,
                             .bold = colour ? "\033[1m" : "",
                             .dim = colour ? "\033[2m" : "",
                             .plain = colour ? "\033[0m" : ""};
    int rc = SQLITE_OK;
    char program[256] = "";
    sqlite3_stmt *q = rows_select(s.db, "SELECT value FROM meta WHERE key = 'program'", &rc);
    if (rows_next(q, &rc))
        snprintf(program, sizeof program, "%.*s", (int)sizeof program - 16,
                 base_name(rows_text(q, 0)));
    end(q, &rc);
    const int64_t files = found(&s, rows_value(db, "SELECT count(*) FROM file", 0, 0, 1), &rc);
    if (files > 1) {
        const size_t length = strlen(program);
        snprintf(program + length, sizeof program - length, " +%" PRId64, files - 1);
    }
    const bool complete = found(&s, trace_complete(db), &rc);
    if (rc != SQLITE_OK)
        return -1; /* rather than a head that is not so */
    if (!complete) {
        print_incomplete(&s, program, &rc);
    } else {
        const int64_t total = found(&s, trace_integer(db, "total_cycles", 0), &rc);
        print_head(&s, program, total, &rc);
        print_ending(&s, &rc);
        print_limit(&s, &rc);
        if (total > 0)
            print_bound(&s, &rc);
        print_units(&s, total ? total : 1, &rc);
        print_stalls(&s, &rc);
        print_warnings(&s, "EARLY", "early", EARLY_SHOWN, &rc);
        print_warnings(&s, "REMOVABLE", "removable", REMOVABLE_SHOWN, &rc);
    }
    if (!options->no_warnings)
        print_warnings(&s, "WARNINGS", NULL, WARNINGS_SHOWN, &rc);
    return rc == SQLITE_OK && !short_of_memory && !ferror(out) ? 0 : -1;
}
