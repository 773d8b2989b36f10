#include "analysis/screen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "traces/trace.h"

enum { BAR = 30, UNITS_SHOWN = 14, REMOVABLE_SHOWN = 4, WARNINGS_SHOWN = 3 };

struct screen {
    sqlite3 *db;
    FILE *out;
    int width;
    const char *bold, *dim, *plain;
};

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
        return;
    }
    int columns = 0;
    size_t bytes = 0, fits = 0;
    for (; line[bytes]; bytes++) {
        if ((line[bytes] & 0xc0) != 0x80 && ++columns == s->width - 1) {
            fits = bytes;
        }
        if ((unsigned char)line[bytes] < ' ') {
            line[bytes] = ' ';
        }
    }
    if (columns > s->width) {
        strcpy(line + fits, "..");
    }
    fprintf(s->out, "%s%s%s\n", style, line, *style ? s->plain : "");
    free(line);
}

static const char *text_of(sqlite3_stmt *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);
    return text ? text : "";
}

/* Statement text with its runs of blanks squeezed. */
static const char *squeeze(char *to, size_t size, const char *text)
{
    size_t n = 0;
    for (; *text && n + 1 < size; text++) {
        const char c = (char)(*text == '\t' ? ' ' : *text);
        if (c != ' ' || (n && to[n - 1] != ' ')) {
            to[n++] = c;
        }
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

static void put_time(char *text, size_t size, double seconds)
{
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    size_t i = 0;
    while (i < 3 && seconds < units[i].unit) {
        i++;
    }
    snprintf(text, size, "%.4g %s", seconds / units[i].unit, units[i].name);
}

static void put_clock(char *text, size_t size, double hz)
{
    if (hz >= 1e9) {
        snprintf(text, size, "%.4g GHz", hz / 1e9);
    } else {
        snprintf(text, size, "%.4g MHz", hz / 1e6);
    }
}

/* Step a query; false at its end. Failures are kept in *rc. */
static bool next(sqlite3_stmt *q, int *rc)
{
    const int step = q ? sqlite3_step(q) : SQLITE_DONE;
    if (step != SQLITE_ROW && step != SQLITE_DONE) {
        *rc = step;
    }
    return step == SQLITE_ROW;
}

static sqlite3_stmt *ask(const struct screen *s, const char *sql, int *rc)
{
    sqlite3_stmt *q = NULL;
    const int prepared = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);
    if (prepared != SQLITE_OK) {
        *rc = prepared;
    }
    return q;
}

static void print_incomplete(const struct screen *s, const char *program, int *rc)
{
    char number[ANSWER_NUMBER];
    const int64_t reached = trace_integer(s->db, "cycles_reached", -1);
    if (reached >= 0) {
        put_line(s, s->bold, "%s   INCOMPLETE: stopped at cycle %s; there is no total", program,
                 answer_number(number, reached));
    } else {
        put_line(s, s->bold, "%s   INCOMPLETE: the run was killed or still runs; there is no total",
                 program);
    }
    sqlite3_stmt *q = ask(s, "SELECT value FROM meta WHERE key = 'partial'", rc);
    if (next(q, rc)) {
        put_line(s, "", "%*s   what it recorded is in %s", (int)strlen(program), "", text_of(q, 0));
    }
    sqlite3_finalize(q);
    q = ask(s, "SELECT count(*), coalesce(max(finished), 0) FROM transfer HAVING count(*) > 0", rc);
    if (next(q, rc)) {
        char last[ANSWER_NUMBER];
        put_line(s, "", "%*s   recorded: %s transfers, the last finished at cycle %s",
                 (int)strlen(program), "", answer_number(number, sqlite3_column_int64(q, 0)),
                 answer_number(last, sqlite3_column_int64(q, 1)));
    }
    sqlite3_finalize(q);
}

static void print_head(const struct screen *s, const char *program, int64_t total, int *rc)
{
    char number[ANSWER_NUMBER], time[32] = "", clock[32] = "", first[300], second[200] = "";
    sqlite3_stmt *q = ask(s,
                          "SELECT value, (SELECT count(*) FROM param WHERE provenance = 'assumed'),"
                          " (SELECT count(*) FROM param) FROM meta WHERE key = 'clock_hz'",
                          rc);
    int64_t assumed = 0, params = 0;
    if (next(q, rc)) {
        const double hz = sqlite3_column_double(q, 0);
        if (hz > 0) {
            put_time(time, sizeof time, (double)total / hz);
            put_clock(clock, sizeof clock, hz);
        }
        assumed = sqlite3_column_int64(q, 1);
        params = sqlite3_column_int64(q, 2);
    }
    sqlite3_finalize(q);
    snprintf(first, sizeof first, "%s   %s cycles  %s%s%s", program, answer_number(number, total),
             time, *clock ? " @ " : "", clock);
    const int64_t documented = trace_integer(s->db, "cycles_documented", 0);
    int n = 0;
    if (documented > 0) {
        n = snprintf(second, sizeof second, "documented-only %s   ",
                     answer_number(number, documented));
    }
    if (params) {
        snprintf(second + n, sizeof second - (size_t)n,
                 "%" PRId64 " of %" PRId64 " parameters assumed   ", assumed, params);
    }
    if ((int)(strlen(first) + strlen(second)) + 11 <= s->width) {
        put_line(s, s->bold, "%s   %scomplete", first, second);
    } else {
        put_line(s, s->bold, "%s   complete", first);
        if (*second) {
            second[strlen(second) - 3] = '\0'; /* the gap before "complete" */
            put_line(s, "", "%*s   %s", (int)strlen(program), "", second);
        }
    }
}

static void print_limit(const struct screen *s, int64_t total, int *rc)
{
    sqlite3_stmt *q =
        ask(s, "SELECT unit, utilization FROM v_util ORDER BY busy DESC, unit_id LIMIT 1", rc);
    char limit[128] = "nothing is busy";
    if (next(q, rc) && sqlite3_column_double(q, 1) > 0) {
        snprintf(limit, sizeof limit, "%s   %.1f %% busy", text_of(q, 0),
                 100.0 * sqlite3_column_double(q, 1));
    }
    sqlite3_finalize(q);
    q = ask(s,
            "SELECT bound || CASE WHEN unit IS NULL OR instr(bound, unit) THEN '' ELSE ' ' || unit "
            "END, "
            "cycles, gap FROM v_gap ORDER BY cycles DESC, bound LIMIT 1",
            rc);
    if (next(q, rc)) {
        char bound[ANSWER_NUMBER], gap[ANSWER_NUMBER];
        put_line(s, s->bold, "LIMIT   %s   bound %s (%s)   gap %s cycles, %.1f %%", limit,
                 answer_number(bound, sqlite3_column_int64(q, 1)), text_of(q, 0),
                 answer_number(gap, sqlite3_column_int64(q, 2)),
                 total ? 100.0 * (double)sqlite3_column_int64(q, 2) / (double)total : 0.0);
    } else {
        put_line(s, s->bold, "LIMIT   %s", limit);
    }
    sqlite3_finalize(q);
}

/* Reasons why a unit is not busy, greatest first, as many as fit. */
static void append_reasons(const struct screen *s, int64_t unit, int64_t total, char *line,
                           size_t size, int *rc)
{
    sqlite3_stmt *q = ask(s,
                          "SELECT y.name, sum(t.cycles) FROM unit_total t JOIN reason y "
                          "ON y.id = t.reason WHERE t.unit = ?1 AND t.state <> 0 "
                          "GROUP BY t.reason HAVING sum(t.cycles) > 0 ORDER BY 2 DESC, t.reason",
                          rc);
    if (q) {
        sqlite3_bind_int64(q, 1, unit);
    }
    while (next(q, rc)) {
        char item[64];
        const int n = snprintf(item, sizeof item, "  %s %.1f", text_of(q, 0),
                               100.0 * (double)sqlite3_column_int64(q, 1) / (double)total);
        const size_t length = strlen(line);
        if ((int)length + n > s->width || length + (size_t)n >= size) {
            break;
        }
        strcpy(line + length, item);
    }
    sqlite3_finalize(q);
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
        if (!digit || n == 0 || pattern[n - 1] != '#') {
            pattern[n++] = digit ? '#' : *name;
        }
    }
    pattern[n] = '\0';
}

static void print_units(const struct screen *s, int64_t total, int *rc)
{
    struct group groups[UNITS_SHOWN];
    size_t count = 0;
    int64_t shown = 0, used = 0;
    sqlite3_stmt *q = ask(s,
                          "SELECT unit_id, unit, utilization, busy, waiting FROM v_util "
                          "WHERE busy > 0 ORDER BY busy DESC, unit_id",
                          rc);
    while (next(q, rc)) {
        struct group g = {.unit = sqlite3_column_int64(q, 0),
                          .share = sqlite3_column_double(q, 2),
                          .busy = sqlite3_column_int64(q, 3),
                          .waiting = sqlite3_column_int64(q, 4),
                          .count = 1};
        snprintf(g.name, sizeof g.name, "%s", text_of(q, 1));
        make_pattern(g.pattern, sizeof g.pattern, g.name);
        used++;
        size_t i = 0;
        while (i < count && (groups[i].busy != g.busy || groups[i].waiting != g.waiting ||
                             strcmp(groups[i].pattern, g.pattern))) {
            i++;
        }
        if (i < count) {
            groups[i].count++;
            shown++;
        } else if (count < UNITS_SHOWN) {
            groups[count++] = g;
            shown++;
        }
    }
    sqlite3_finalize(q);
    for (size_t i = 0; i < count; i++) {
        const struct group *g = &groups[i];
        char bar[BAR + 1], line[512], name[64];
        int full = (int)(g->share * BAR + 0.5);
        full = full < 0 ? 0 : full > BAR ? BAR : full;
        memset(bar, '-', BAR);
        memset(bar, '#', (size_t)full);
        bar[BAR] = '\0';
        if (g->count > 1) {
            snprintf(name, sizeof name, "%.40s x%" PRId64, g->name, g->count);
        } else {
            snprintf(name, sizeof name, "%.50s", g->name);
        }
        snprintf(line, sizeof line, "  %-13s %s %5.1f %%", name, bar, 100.0 * g->share);
        append_reasons(s, g->unit, total, line, sizeof line, rc);
        put_line(s, "", "%s", line);
    }
    const int64_t units =
        trace_value(s->db, "SELECT count(*) FROM unit WHERE kind <> 'node'", 0, 0, 0);
    if (units > shown) {
        put_line(s, s->dim,
                 "  %" PRId64 " more; %" PRId64 " of all %" PRId64 " units are never busy",
                 units - shown, units - used, units);
    }
}

static void print_stalls(const struct screen *s, int *rc)
{
    sqlite3_stmt *q =
        ask(s,
            "SELECT d.waited, d.kind, coalesce(d.rule, ''), coalesce(d.unit, ''), d.src_file, "
            "d.src_line, d.src_text, d.dst_file, d.dst_line, d.dst_text, d.times, "
            "(SELECT t.tag FROM transfer t WHERE d.kind = 'tag' AND t.stmt = d.src LIMIT 1), "
            "(SELECT u.name FROM transfer t JOIN unit u ON u.id = t.limited_by "
            " WHERE d.kind = 'tag' AND t.stmt = d.src LIMIT 1) "
            /* What held the stream, then what held transfers. */
            "FROM v_dep d WHERE d.waited > 0 "
            "ORDER BY d.dst IN (SELECT stmt FROM transfer), d.waited DESC, d.id LIMIT 8",
            rc);
    const char *head = "STALLS";
    while (next(q, rc)) {
        char number[ANSWER_NUMBER], what[128], culprit[600];
        const char *unit = text_of(q, 3);
        if (sqlite3_column_type(q, 11) != SQLITE_NULL && sqlite3_column_int(q, 11) > 0) {
            snprintf(what, sizeof what, "tag i%02d", sqlite3_column_int(q, 11));
            unit = sqlite3_column_type(q, 12) == SQLITE_NULL ? unit : text_of(q, 12);
        } else {
            snprintf(what, sizeof what, "%s%s%s", text_of(q, 1), *text_of(q, 2) ? " " : "",
                     text_of(q, 2));
        }
        if (sqlite3_column_type(q, 5) != SQLITE_NULL) {
            char text[200];
            snprintf(culprit, sizeof culprit, "%.200s:%d %s%s%.60s%s", base_name(text_of(q, 4)),
                     sqlite3_column_int(q, 5), squeeze(text, sizeof text, text_of(q, 6)),
                     *unit ? " (" : "", unit, *unit ? ")" : "");
        } else {
            snprintf(culprit, sizeof culprit, "%s   for %s:%d", *unit ? unit : "the machine",
                     base_name(text_of(q, 7)), sqlite3_column_int(q, 8));
        }
        put_line(s, "", "%-6s %7s  %s <- %s", head,
                 answer_number(number, sqlite3_column_int64(q, 0)), what, culprit);
        head = "";
    }
    sqlite3_finalize(q);
}

/* Warnings by whether they are named "removable": a line each, at most `most`. */
static void print_warnings(const struct screen *s, const char *head, bool removable, int most,
                           int *rc)
{
    sqlite3_stmt *q = ask(s,
                          "SELECT name, file, line, sentence, count(*) OVER () FROM v_warning "
                          "WHERE (name = 'removable') = ?1 ORDER BY file, line, name",
                          rc);
    if (q) {
        sqlite3_bind_int(q, 1, removable);
    }
    int64_t all = 0;
    int shown = 0;
    while (next(q, rc)) {
        all = sqlite3_column_int64(q, 4);
        if (shown == most) {
            break;
        }
        char place[300] = "";
        if (sqlite3_column_type(q, 2) != SQLITE_NULL) {
            snprintf(place, sizeof place, "%.200s:%d ", base_name(text_of(q, 1)),
                     sqlite3_column_int(q, 2));
        }
        put_line(s, "", "%-10s %s%s", shown ? "" : head, place, text_of(q, 3));
        shown++;
    }
    sqlite3_finalize(q);
    if (all > shown) {
        put_line(s, s->dim, "%-10s and %" PRId64 " more", "", all - shown);
    }
}

int screen_print(sqlite3 *db, FILE *out, bool colour, int width)
{
    const struct screen s = {.db = db,
                             .out = out,
                             .width = width < 40    ? 40
                                      : width > 200 ? 200
                                                    : width,
                             .bold = colour ? "\033[1m" : "",
                             .dim = colour ? "\033[2m" : "",
                             .plain = colour ? "\033[0m" : ""};
    int rc = SQLITE_OK;
    char program[128] = "";
    sqlite3_stmt *q = ask(&s, "SELECT value FROM meta WHERE key = 'program'", &rc);
    if (next(q, &rc)) {
        snprintf(program, sizeof program, "%s", base_name(text_of(q, 0)));
    }
    sqlite3_finalize(q);
    if (!trace_complete(db)) {
        print_incomplete(&s, program, &rc);
    } else {
        const int64_t total = trace_integer(db, "total_cycles", 0);
        print_head(&s, program, total, &rc);
        print_limit(&s, total, &rc);
        print_units(&s, total ? total : 1, &rc);
        print_stalls(&s, &rc);
        print_warnings(&s, "REMOVABLE", true, REMOVABLE_SHOWN, &rc);
    }
    print_warnings(&s, "WARNINGS", false, WARNINGS_SHOWN, &rc);
    return rc == SQLITE_OK && !ferror(out) ? 0 : -1;
}
