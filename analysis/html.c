#include "analysis/html.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "analysis/proven.h"
#include "analysis/questions.h"
#include "analysis/rows.h"
#include "analysis/verdict.h"
#include "config/embed.h"
#include "traces/json_text.h"
#include "traces/schema.h"
#include "traces/trace.h"

EMBED(analysis_html_css, "analysis/html.css");
EMBED(analysis_html_js, "analysis/html.js");

/* Together these keep the file below 2 MB, whatever the program. */
enum {
    TABLE_ROWS = 400,
    SOURCE_BYTES = 400 << 10,
    SOURCE_LINES = 3000,
    CHART_UNITS = 40,
    CHART_POINTS = 200,
    CELL_BYTES = 160,
    CHART_WIDTH = 900,
    CHART_HEIGHT = 26,
    CHART_LABEL = 110
};

struct page {
    sqlite3 *db;
    FILE *out;
    int rc;
};

void html_put_text(FILE *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const size_t n = json_text_utf8(text + i, size - i);
        const char c = text[i];
        if (n == 0 || (n == 1 && (unsigned char)c < ' ' && c != '\t'))
            fputs("\xef\xbf\xbd", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '&')
            fputs("&amp;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else
            fwrite(text + i, 1, n, out);
        i += n ? n : 1;
    }
}

static void put(FILE *out, const char *text)
{
    html_put_text(out, text, strlen(text));
}

static const char *text_of(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? text : "";
}

static void print_bounds(struct page *p)
{
    struct proven proven;
    const int rc = proven_find(p->db, &proven);
    if (rc != SQLITE_OK && p->rc == SQLITE_OK)
        p->rc = rc;
    if (!proven.computed)
        return;
    fputs("Proven lower bounds: ", p->out);
    put(p->out, proven.this_order);
    fputs(", ", p->out);
    put(p->out, proven.any_order);
    fputs(", ", p->out);
    put(p->out, proven.free_places);
    fprintf(p->out, "; to any order a %s.", proven.gap);
}

static void head(struct page *p)
{
    const bool complete = trace_complete(p->db);
    sqlite3_stmt *s = rows_select(p->db,
                                  "SELECT key, value FROM meta WHERE key IN ('program', 'machine', "
                                  "'command') ORDER BY key",
                                  &p->rc);
    char program[256] = "", machine[64] = "", command[1024] = "";
    while (rows_next(s, &p->rc)) {
        const char *key = text_of(s, 0), *value = text_of(s, 1);
        snprintf(*key == 'p'   ? program
                 : *key == 'm' ? machine
                               : command,
                 *key == 'p'   ? sizeof program
                 : *key == 'm' ? sizeof machine
                               : sizeof command,
                 "%s", value);
    }
    sqlite3_finalize(s);
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
          p->out);
    put(p->out, program);
    fputs(" - takt</title>\n<style>\n", p->out);
    fwrite(analysis_html_css, 1, EMBED_SIZE(analysis_html_css), p->out);
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#units\">to the units</a>\n"
          "<header>\n<h1>",
          p->out);
    put(p->out, program);
    fputs(" on ", p->out);
    put(p->out, machine);
    fputs("</h1>\n", p->out);
    char a[ANSWER_NUMBER];
    if (!complete) {
        const int64_t reached = trace_integer(p->db, "cycles_reached", -1);
        fputs("<p class=\"verdict bad\">incomplete: there is no total</p>\n", p->out);
        if (reached >= 0)
            fprintf(p->out, "<p class=\"facts\">stopped at cycle %s</p>\n",
                    answer_number(a, reached));
    } else {
        const int64_t total = trace_integer(p->db, "total_cycles", 0);
        fprintf(p->out, "<p class=\"verdict\">%s cycles", answer_number(a, total));
        struct verdict verdict;
        char sentence[VERDICT_TEXT];
        const int found = verdict_find(p->db, &verdict);
        if (found != SQLITE_OK)
            p->rc = found;
        verdict_print(&verdict, sentence);
        fputs(", ", p->out);
        put(p->out, sentence);
        fputs("</p>\n<p class=\"facts\">", p->out);
        s = rows_select(p->db, "SELECT value FROM meta WHERE key = 'clock_hz' AND value > 0",
                        &p->rc);
        if (rows_next(s, &p->rc))
            fprintf(p->out, "%.6g us at %.6g MHz. ",
                    1e6 * (double)total / sqlite3_column_double(s, 0),
                    sqlite3_column_double(s, 0) / 1e6);
        sqlite3_finalize(s);
        const int64_t documented = trace_integer(p->db, "cycles_documented", 0);
        if (documented > 0)
            fprintf(p->out, "Documented-only: %s cycles. ", answer_number(a, documented));
        print_bounds(p);
        fputs("</p>\n", p->out);
    }
    if (*command) {
        fputs("<p class=\"facts\"><code>", p->out);
        put(p->out, command);
        fputs("</code></p>\n", p->out);
    }
    fputs("</header>\n", p->out);
}

/* A bar of shares: busy, waiting, the rest. */
static void bar(struct page *p, double busy, double waiting)
{
    fprintf(p->out,
            "<svg width=\"160\" height=\"12\" role=\"img\" aria-label=\"%.1f %% busy\">"
            "<rect class=\"f-rest\" width=\"160\" height=\"12\"/>"
            "<rect class=\"f-busy\" width=\"%.1f\" height=\"12\"/>"
            "<rect class=\"f-wait\" x=\"%.1f\" width=\"%.1f\" height=\"12\"/></svg>",
            100 * busy, 160 * busy, 160 * busy, 160 * waiting);
}

static void units(struct page *p)
{
    fputs("<section id=\"units\"><h2>Units</h2><p>Busy, held back, and no work: for each unit the "
          "cycles add up to the total.</p><div class=\"scroll\"><table><thead><tr><th>unit</th>"
          "<th>kind</th><th>share</th><th class=\"n\">busy</th><th class=\"n\">waiting</th>"
          "<th class=\"n\">idle</th><th class=\"n\">percent</th><th>waits for</th></tr></thead>"
          "<tbody>\n",
          p->out);
    sqlite3_stmt *s = rows_select(
        p->db,
        "SELECT unit, kind, busy, waiting, idle, total, (SELECT group_concat(reason || ' ' || "
        "cycles, ', ') FROM (SELECT reason, cycles FROM v_stall s WHERE s.unit = v.unit ORDER BY "
        "cycles DESC LIMIT 3)) FROM v_util v WHERE busy > 0 ORDER BY busy DESC, waiting DESC, "
        "unit_id "
        "LIMIT 200",
        &p->rc);
    while (rows_next(s, &p->rc)) {
        const double total = sqlite3_column_double(s, 5) > 0 ? sqlite3_column_double(s, 5) : 1;
        fputs("<tr><td>", p->out);
        put(p->out, text_of(s, 0));
        fputs("</td><td>", p->out);
        put(p->out, text_of(s, 1));
        fprintf(p->out, "</td><td data-v=\"%lld\">", sqlite3_column_int64(s, 2));
        bar(p, sqlite3_column_double(s, 2) / total, sqlite3_column_double(s, 3) / total);
        fputs("</td>", p->out);
        for (int c = 2; c <= 4; c++) {
            char number[ANSWER_NUMBER];
            fprintf(p->out, "<td class=\"n\" data-v=\"%lld\">%s</td>", sqlite3_column_int64(s, c),
                    answer_number(number, sqlite3_column_int64(s, c)));
        }
        fprintf(p->out, "<td class=\"n\" data-v=\"%.1f\">%.1f</td><td>",
                100 * sqlite3_column_double(s, 2) / total,
                100 * sqlite3_column_double(s, 2) / total);
        put(p->out, text_of(s, 6));
        fputs("</td></tr>\n", p->out);
    }
    sqlite3_finalize(s);
    fputs("</tbody></table></div>", p->out);
    s = rows_select(p->db,
                    "SELECT count(*), group_concat(unit, ', ') FROM (SELECT unit FROM v_util WHERE "
                    "busy = 0 ORDER BY unit_id LIMIT 200)",
                    &p->rc);
    if (rows_next(s, &p->rc) && sqlite3_column_int64(s, 0) > 0) {
        fprintf(p->out, "<p>Never busy: ");
        put(p->out, text_of(s, 1));
        fputs(".</p>", p->out);
    }
    sqlite3_finalize(s);
    fputs("</section>\n", p->out);
}

/* Utilisation over time: an area a unit, from util_window. */
static void chart(struct page *p)
{
    const int64_t window = trace_integer(p->db, "window", 0);
    const int64_t cycles = trace_value(p->db, "SELECT cycles FROM v_reached", 0, 0, 0);
    if (window <= 0 || cycles <= 0)
        return;
    fputs("<section id=\"time\"><h2>Utilisation over time</h2><p>Busy share of each unit, left to "
          "right from cycle 0.</p><div class=\"scroll\">\n",
          p->out);
    const int64_t windows = (cycles + window - 1) / window;
    const int64_t points = windows < CHART_POINTS ? windows : CHART_POINTS;
    const int64_t many = (windows + points - 1) / points; /* windows a point */
    double *busy = malloc((size_t)points * sizeof *busy);
    sqlite3_stmt *list = rows_select(p->db,
                                     "SELECT unit_id, unit FROM v_util WHERE busy > 0 "
                                     "ORDER BY busy DESC, unit_id LIMIT 40",
                                     &p->rc);
    sqlite3_stmt *windows_of =
        rows_select(p->db, "SELECT idx, busy FROM util_window WHERE unit = ?1", &p->rc);
    const int64_t shown = trace_value(
        p->db, "SELECT min(count(*), ?1 + 0) FROM v_util WHERE busy > 0", CHART_UNITS, 0, 0);
    fprintf(p->out,
            "<svg viewBox=\"0 0 %d %lld\" width=\"100%%\" role=\"img\" aria-label=\"busy "
            "share of each unit over time\">\n",
            CHART_WIDTH + CHART_LABEL, (long long)(shown * CHART_HEIGHT + 20));
    int line = 0;
    while (busy && windows_of && rows_next(list, &p->rc)) {
        memset(busy, 0, (size_t)points * sizeof *busy);
        sqlite3_bind_int64(windows_of, 1, sqlite3_column_int64(list, 0));
        while (rows_next(windows_of, &p->rc)) {
            const int64_t point = sqlite3_column_int64(windows_of, 0) / many;
            if (point >= 0 && point < points)
                busy[point] += sqlite3_column_double(windows_of, 1);
        }
        sqlite3_reset(windows_of);
        const int base = (line + 1) * CHART_HEIGHT - 3;
        fprintf(p->out, "<text x=\"4\" y=\"%d\">", base - 5);
        put(p->out, text_of(list, 1));
        fprintf(p->out,
                "</text><line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>"
                "<path class=\"f-busy\" d=\"M%d,%d",
                CHART_LABEL, CHART_LABEL + CHART_WIDTH, base, base, CHART_LABEL, base);
        for (int64_t i = 0; i < points; i++) {
            const int64_t from = i * many * window;
            const int64_t to = (i + 1) * many * window < cycles ? (i + 1) * many * window : cycles;
            const double share = to > from ? busy[i] / (double)(to - from) : 0;
            const double x0 = CHART_LABEL + CHART_WIDTH * ((double)from / (double)cycles);
            const double x1 = CHART_LABEL + CHART_WIDTH * ((double)to / (double)cycles);
            const double y = base - (CHART_HEIGHT - 6) * (share > 1 ? 1 : share);
            fprintf(p->out, "L%.1f,%.1fL%.1f,%.1f", x0, y, x1, y);
        }
        fprintf(p->out, "L%d,%dZ\"/>\n", CHART_LABEL + CHART_WIDTH, base);
        line++;
    }
    char number[ANSWER_NUMBER];
    fprintf(p->out,
            "<text x=\"%d\" y=\"%lld\">0</text><text x=\"%d\" y=\"%lld\" "
            "text-anchor=\"end\">%s cycles</text>\n</svg></div></section>\n",
            CHART_LABEL, (long long)(shown * CHART_HEIGHT + 14), CHART_LABEL + CHART_WIDTH,
            (long long)(shown * CHART_HEIGHT + 14), answer_number(number, cycles));
    sqlite3_finalize(list);
    sqlite3_finalize(windows_of);
    free(busy);
}

static bool is_code(const char *column)
{
    return !strcmp(column, "text") || !strcmp(column, "waiting") || !strcmp(column, "culprit") ||
           !strcmp(column, "first") || !strcmp(column, "then_text");
}

static void cell(struct page *p, sqlite3_stmt *s, int c)
{
    char number[ANSWER_NUMBER];
    const int type = sqlite3_column_type(s, c);
    if (type == SQLITE_INTEGER) {
        const int64_t value = sqlite3_column_int64(s, c);
        const char *name = sqlite3_column_name(s, c);
        const bool plain = strstr(name, "line") || !strcmp(name, "tag");
        fprintf(p->out, "<td class=\"n\" data-v=\"%lld\">", (long long)value);
        if (plain)
            fprintf(p->out, "%lld</td>", (long long)value);
        else
            fprintf(p->out, "%s</td>", answer_number(number, value));
    } else if (type == SQLITE_FLOAT) {
        fprintf(p->out, "<td class=\"n\" data-v=\"%.6g\">%.6g</td>", sqlite3_column_double(s, c),
                sqlite3_column_double(s, c));
    } else {
        const char *text = text_of(s, c);
        size_t size = strlen(text);
        bool cut = false;
        for (; size > CELL_BYTES; cut = true)
            size = CELL_BYTES;
        while (cut && size && ((unsigned char)text[size] & 0xc0) == 0x80)
            size--;
        fputs(is_code(sqlite3_column_name(s, c)) ? "<td class=\"c\">" : "<td>", p->out);
        html_put_text(p->out, text, size);
        fputs(cut ? "...</td>" : "</td>", p->out);
    }
}

/* A question as a table; nothing at all when it has no answer. */
static void question(struct page *p, const char *name, const char *title)
{
    const struct question *q = question_find(name);
    char *sql = q ? trace_expand(p->db, q->sql) : NULL;
    sqlite3_stmt *s = sql ? rows_select(p->db, sql, &p->rc) : NULL;
    sqlite3_free(sql);
    if (!s)
        return;
    sqlite3_bind_int64(s, sqlite3_bind_parameter_index(s, ":top"), TABLE_ROWS + 1);
    int rows = 0, line_column = -1;
    while (rows <= TABLE_ROWS && rows_next(s, &p->rc)) {
        const int columns = sqlite3_column_count(s);
        if (rows == TABLE_ROWS) {
            fprintf(p->out,
                    "<tr><td colspan=\"%d\">the first %d; takt report TRACE %s --top 0 "
                    "shows all</td></tr>\n",
                    columns, TABLE_ROWS, name);
            rows++;
            break;
        }
        if (rows == 0) {
            size_t size;
            const char *asks = question_asks(q, &size);
            fprintf(p->out, "<section id=\"%s\"><h2>%s</h2><p>", name, title);
            html_put_text(p->out, asks, size);
            fputs("</p><div class=\"scroll\"><table><thead><tr>", p->out);
            for (int c = 0; c < columns; c++) {
                const char *column = sqlite3_column_name(s, c);
                const int type = sqlite3_column_type(s, c);
                if (!strcmp(column, "line") || (line_column < 0 && strstr(column, "_line")))
                    line_column = c;
                fputs(type == SQLITE_INTEGER || type == SQLITE_FLOAT ? "<th class=\"n\">" : "<th>",
                      p->out);
                for (const char *t = column; *t; t++)
                    putc(*t == '_' ? ' ' : *t, p->out);
                fputs("</th>", p->out);
            }
            fputs("</tr></thead><tbody>\n", p->out);
        }
        if (line_column >= 0 && sqlite3_column_type(s, line_column) == SQLITE_INTEGER)
            fprintf(p->out, "<tr data-go=\"L%lld\">", sqlite3_column_int64(s, line_column));
        else
            fputs("<tr>", p->out);
        for (int c = 0; c < columns; c++)
            cell(p, s, c);
        fputs("</tr>\n", p->out);
        rows++;
    }
    if (rows)
        fputs("</tbody></table></div></section>\n", p->out);
    sqlite3_finalize(s);
}

/* The first file with the cycles of the stream beside each line. */
static void source(struct page *p)
{
    sqlite3_stmt *s = rows_select(p->db, "SELECT name, text FROM v_file WHERE id = 0", &p->rc);
    sqlite3_stmt *cost = rows_select(
        p->db,
        "SELECT sum(t.stream), sum(t.busy), s.line FROM v_top_stmt t JOIN stmt s ON s.id = "
        "t.stmt WHERE s.file = 0 GROUP BY s.line ORDER BY s.line",
        &p->rc);
    if (cost && rows_next(s, &p->rc)) {
        bool more = rows_next(cost, &p->rc);
        const char *text = text_of(s, 1);
        const size_t size = (size_t)sqlite3_column_bytes(s, 1);
        fputs("<section id=\"source\"><h2>Source</h2><p>", p->out);
        put(p->out, text_of(s, 0));
        fputs(", with the cycles of the stream and of other units beside each line.</p>"
              "<div class=\"scroll\"><table><thead><tr><th class=\"n\">line</th>"
              "<th class=\"n\">stream</th><th class=\"n\">busy</th><th>text</th></tr></thead>"
              "<tbody>\n",
              p->out);
        int line = 1;
        for (size_t at = 0; at < size; line++) {
            if (line > SOURCE_LINES || at > SOURCE_BYTES) {
                fputs("<tr><td colspan=\"4\">the rest is left out; takt report TRACE statements "
                      "--top 0 shows all statements</td></tr>\n",
                      p->out);
                break;
            }
            const char *end = memchr(text + at, '\n', size - at);
            const size_t length = end ? (size_t)(end - text) - at : size - at;
            const size_t part = length < CELL_BYTES ? length : CELL_BYTES;
            fprintf(p->out, "<tr id=\"L%d\"><td class=\"n\" data-v=\"%d\">%d</td>", line, line,
                    line);
            while (more && sqlite3_column_int64(cost, 2) < line)
                more = rows_next(cost, &p->rc);
            const bool found = more && sqlite3_column_int64(cost, 2) == line;
            for (int c = 0; c < 2; c++) {
                char number[ANSWER_NUMBER];
                if (found && sqlite3_column_int64(cost, c) > 0) {
                    fprintf(p->out, "<td class=\"n\" data-v=\"%lld\">%s</td>",
                            sqlite3_column_int64(cost, c),
                            answer_number(number, sqlite3_column_int64(cost, c)));
                } else {
                    fputs("<td class=\"n\" data-v=\"0\"></td>", p->out);
                }
            }
            fputs("<td class=\"c\">", p->out);
            html_put_text(p->out, text + at, part);
            fputs(part < length ? "...</td></tr>\n" : "</td></tr>\n", p->out);
            at += length + 1;
        }
        fputs("</tbody></table></div></section>\n", p->out);
    }
    sqlite3_finalize(s);
    sqlite3_finalize(cost);
}

int html_print(sqlite3 *db, FILE *out)
{
    struct page p = {.db = db, .out = out, .rc = SQLITE_OK};
    static const struct {
        const char *name, *title;
    } tables[] = {{"stalls", "Stalls"},
                  {"transfers", "Transfers"},
                  {"statements", "Statements"},
                  {"bandwidth", "Bandwidth"},
                  {"roofline", "Roofline"},
                  {"counters", "Counters"},
                  {"tags", "Tags"},
                  {"critical", "Critical path"},
                  {"bounds", "Lower bounds"},
                  {"assumed", "What the result rests on"},
                  {"parameters", "Parameters"},
                  {"warnings", "Warnings"}};
    head(&p);
    fputs("<nav><div><a href=\"#units\">units</a><a href=\"#time\">time</a>"
          "<a href=\"#stalls\">stalls</a><a href=\"#transfers\">transfers</a>"
          "<a href=\"#statements\">statements</a><a href=\"#source\">source</a>"
          "<a href=\"#bounds\">bounds</a><a href=\"#parameters\">parameters</a>"
          "<button id=\"theme\" type=\"button\">light / dark</button></div></nav>\n<main>\n",
          out);
    units(&p);
    chart(&p);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        question(&p, tables[i].name, tables[i].title);
        if (!strcmp(tables[i].name, "statements"))
            source(&p);
    }
    fputs(
        "</main>\n<footer><kbd>1</kbd> to <kbd>9</kbd> sections, <kbd>j</kbd> <kbd>k</kbd> or "
        "arrows rows, <kbd>Enter</kbd> to the source line, <kbd>t</kbd> light or dark; heads sort. "
        "Written by takt " SCHEMA_TAKT_VERSION ".</footer>\n<script>\n",
        out);
    fwrite(analysis_html_js, 1, EMBED_SIZE(analysis_html_js), out);
    fputs("</script>\n</body>\n</html>\n", out);
    return p.rc != SQLITE_OK ? p.rc : fflush(out) || ferror(out) ? SQLITE_IOERR : SQLITE_OK;
}
