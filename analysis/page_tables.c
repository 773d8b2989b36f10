/* page_tables: units, the answers of takt report, and the source with its cycles. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "analysis/html.h"
#include "analysis/page.h"
#include "analysis/page_part.h"
#include "analysis/questions.h"
#include "traces/file_text.h"
#include "traces/rows.h"
#include "traces/trace.h"

/* Together these keep the tables below 2 MB, whatever the program. */
enum { TABLE_ROWS = 400, SOURCE_BYTES = 400 << 10, SOURCE_LINES = 3000, CELL_BYTES = 160 };
enum { LOOP_STATEMENTS = 200000 }; /* finding loops takes 17 us a statement */

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
        html_words(p->out, rows_text(s, 0));
        fputs("</td><td>", p->out);
        html_words(p->out, rows_text(s, 1));
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
        html_words(p->out, rows_text(s, 6));
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
        html_words(p->out, rows_text(s, 1));
        fputs(".</p>", p->out);
    }
    sqlite3_finalize(s);
    fputs("</section>\n", p->out);
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
        fputs(is_code(sqlite3_column_name(s, c)) ? "<td class=\"c\">" : "<td>", p->out);
        html_cell(p->out, rows_text(s, c));
        fputs("</td>", p->out);
    }
}

/* The head of a question's table; returns the column with the line that its rows are about, or -1.
 */
static int question_head(struct page *p, const struct question *q, const char *title,
                         sqlite3_stmt *s)
{
    size_t size;
    int line_column = -1;
    const char *asks = question_asks(q, &size);
    fprintf(p->out, "<section id=\"%s\"><h2>%s</h2><p>", q->name, title);
    html_text(p->out, asks, size);
    fputs("</p><div class=\"scroll\"><table><thead><tr>", p->out);
    for (int c = 0; c < sqlite3_column_count(s); c++) {
        const char *column = sqlite3_column_name(s, c);
        const int type = sqlite3_column_type(s, c);
        if (!strcmp(column, "line") || (line_column < 0 && strstr(column, "_line")))
            line_column = c;
        fputs(type == SQLITE_INTEGER || type == SQLITE_FLOAT ? "<th class=\"n\">" : "<th>", p->out);
        for (const char *t = column; *t; t++)
            putc(*t == '_' ? ' ' : *t, p->out);
        fputs("</th>", p->out);
    }
    fputs("</tr></thead><tbody>\n", p->out);
    return line_column;
}

/* A question as a table; nothing at all when it has no answer. */
static void question(struct page *p, const char *name, const char *title)
{
    const struct question *q = question_find(name);
    if (q->prepare && p->rc == SQLITE_OK)
        rows_fail(&p->rc, q->prepare(p->db));
    char *sql = p->rc == SQLITE_OK ? trace_expand(p->db, q->sql) : NULL;
    sqlite3_stmt *s = sql ? rows_select(p->db, sql, &p->rc) : NULL;
    sqlite3_free(sql);
    if (!s)
        return;
    sqlite3_bind_int64(s, sqlite3_bind_parameter_index(s, ":top"), TABLE_ROWS + 1);
    int rows = 0, line_column = -1;
    while (rows < TABLE_ROWS && rows_next(s, &p->rc)) {
        if (rows++ == 0)
            line_column = question_head(p, q, title, s);
        if (line_column >= 0 && sqlite3_column_type(s, line_column) == SQLITE_INTEGER)
            fprintf(p->out, "<tr data-go=\"L%lld\">", sqlite3_column_int64(s, line_column));
        else
            fputs("<tr>", p->out);
        for (int c = 0; c < sqlite3_column_count(s); c++)
            cell(p, s, c);
        fputs("</tr>\n", p->out);
    }
    if (rows)
        fputs("</tbody></table></div>", p->out);
    if (rows == TABLE_ROWS && rows_next(s, &p->rc))
        fprintf(p->out, "<p>The first %d; takt report TRACE %s --top 0 shows all.</p>", TABLE_ROWS,
                name);
    fputs(rows ? "</section>\n" : "", p->out);
    sqlite3_finalize(s);
}

/* The first file with the cycles of the stream for each line. */
static void source(struct page *p)
{
    sqlite3_stmt *s = rows_select(p->db, "SELECT name FROM file WHERE id = 0", &p->rc);
    sqlite3_stmt *cost = rows_select(
        p->db,
        "SELECT sum(t.stream), sum(t.busy), s.line FROM v_top_stmt t JOIN stmt s ON s.id = "
        "t.stmt WHERE s.file = 0 GROUP BY s.line ORDER BY s.line",
        &p->rc);
    char *text = NULL;
    size_t size = 0;
    if (cost && rows_next(s, &p->rc)) {
        bool more = rows_next(cost, &p->rc);
        rows_fail(&p->rc, file_text(p->db, 0, SOURCE_LINES + 1, &text, &size));
        fputs("<section id=\"source\"><h2>Source</h2><p>", p->out);
        html_words(p->out, rows_text(s, 0));
        fputs(", with the cycles of the stream and of other units for each line.</p>"
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
            size_t part = length < CELL_BYTES ? length : CELL_BYTES;
            while (part < length && part && (text[at + part] & 0xc0) == 0x80)
                part--;
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
            html_text(p->out, text + at, part);
            fputs(part < length ? "...</td></tr>\n" : "</td></tr>\n", p->out);
            at += length + 1;
        }
        fputs("</tbody></table></div></section>\n", p->out);
    }
    free(text);
    sqlite3_finalize(s);
    sqlite3_finalize(cost);
}

void page_tables_print(struct page *p)
{
    static const struct {
        const char *name, *title;
    } tables[] = {{"stalls", "Stalls"},
                  {"transfers", "Transfers"},
                  {"regions", "Regions"},
                  {"loops", "Loops"},
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
    const int64_t statements = trace_integer(p->db, "statements", 0);
    units(p);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!strcmp(tables[i].name, "loops") && statements > LOOP_STATEMENTS)
            fputs("<section id=\"loops\"><h2>Loops</h2><p>Not looked for in so long a program: "
                  "takt report TRACE loops.</p></section>\n",
                  p->out);
        else
            question(p, tables[i].name, tables[i].title);
        if (!strcmp(tables[i].name, "statements"))
            source(p);
    }
}
