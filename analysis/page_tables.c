/* page_tables: units, the answers of takt report, and the source with its cycles. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/html.h"
#include "analysis/page.h"
#include "analysis/page_part.h"
#include "analysis/questions.h"
#include "analysis/units.h"
#include "host/number.h"
#include "timing/terms.h"
#include "traces/file_text.h"
#include "traces/rows.h"
#include "traces/trace.h"

/* Together these keep the tables below 2 MB, whatever the program. */
enum { TABLE_ROWS = 400, SOURCE_BYTES = 400 << 10, SOURCE_LINES = 3000, CELL_BYTES = 160 };
enum { LOOP_STATEMENTS = 200000 }; /* finding loops takes 17 us a statement */

/* Cycles of a unit by reason. */
static void reason_cycles(const struct store *store, uint32_t unit, uint64_t cycles[REASON_MAX])
{
    memset(cycles, 0, REASON_MAX * sizeof *cycles);
    for (size_t i = 0; i < store->unit_total_count; i++)
        if (store->unit_totals[i].unit == unit)
            cycles[store->unit_totals[i].reason % REASON_MAX] += store->unit_totals[i].cycles;
}

/* Busy cycles, then waits in the colours that the pictures give their reasons. */
static void bar(struct page *p, const struct unit_use *use, const uint64_t cycles[REASON_MAX])
{
    enum { WIDTH = 160, COLOURS = 12 };
    const struct sink_header *h = &p->store.header;
    const double scale = use->total ? WIDTH / (double)use->total : 0;
    double x = scale * (double)use->busy;
    fprintf(p->out,
            "<svg width=\"160\" height=\"12\" role=\"img\" aria-label=\"%.1f %% busy\">"
            "<rect class=\"f-rest\" width=\"160\" height=\"12\"/>"
            "<rect class=\"f-busy\" width=\"%.1f\" height=\"12\"/>",
            100 * units_share(use), x);
    unsigned waiting = 0;
    for (size_t r = 0; r < h->reason_count && r < REASON_MAX; r++) {
        if (h->reasons[r].state != STATE_WAITING)
            continue;
        if (cycles[r])
            fprintf(p->out, "<rect class=\"f-wait%u\" x=\"%.1f\" width=\"%.1f\" height=\"12\"/>",
                    waiting % COLOURS, x, scale * (double)cycles[r]);
        x += scale * (double)cycles[r];
        waiting++;
    }
    fputs("</svg>", p->out);
}

/* The longest waits, in words. */
static void put_waits(struct page *p, uint64_t cycles[REASON_MAX])
{
    enum { WAITS = 3 };
    const struct sink_header *h = &p->store.header;
    for (int n = 0; n < WAITS; n++) {
        size_t most = REASON_MAX;
        for (size_t r = 0; r < h->reason_count && r < REASON_MAX; r++)
            if (h->reasons[r].state == STATE_WAITING && cycles[r] &&
                (most == REASON_MAX || cycles[r] > cycles[most]))
                most = r;
        if (most == REASON_MAX)
            return;
        char number[NUMBER_TEXT];
        html_put(p->out, n ? ", %s %s" : "%s %s",
                 terms_phrase(h->machine, "reason", h->reasons[most].name),
                 number_group(number, (int64_t)cycles[most]));
        cycles[most] = 0;
    }
}

static void unit_row(struct page *p, const struct unit_group *group)
{
    const struct unit_info *unit = &p->store.header.units[group->unit];
    uint64_t cycles[REASON_MAX];
    const uint64_t figures[] = {group->use.busy, group->use.waiting, group->use.idle};
    reason_cycles(&p->store, group->unit, cycles);
    html_put(p->out, "<tr><td>%s", unit->name);
    if (group->count > 1)
        fprintf(p->out, " x%zu", group->count);
    html_put(p->out, "</td><td>%s", unit->kind);
    fprintf(p->out, "</td><td data-v=\"%llu\">", (unsigned long long)group->use.busy);
    bar(p, &group->use, cycles);
    fputs("</td>", p->out);
    for (int c = 0; c < 3; c++) {
        char number[NUMBER_TEXT];
        fprintf(p->out, "<td class=\"n\" data-v=\"%llu\">%s</td>", (unsigned long long)figures[c],
                number_group(number, (int64_t)figures[c]));
    }
    fprintf(p->out, "<td class=\"n\" data-v=\"%.1f\">%.1f</td><td>", 100 * units_share(&group->use),
            100 * units_share(&group->use));
    put_waits(p, cycles);
    fputs("</td></tr>\n", p->out);
}

static void units(struct page *p)
{
    enum { GROUPS = 200 };
    size_t count;
    struct unit_group *groups = units_groups(&p->store, &count);
    if (!groups) {
        rows_fail(&p->rc, SQLITE_NOMEM);
        return;
    }
    fputs(
        "<section id=\"units\"><h2>Units</h2><p>Busy, waiting and idle cycles of each unit add up "
        "to the total. Units with equal figures share a row, which has the figures of one.</p>"
        "<div class=\"scroll\"><table><thead><tr><th>unit</th>"
        "<th>kind</th><th>share</th><th class=\"n\">busy</th><th class=\"n\">waiting</th>"
        "<th class=\"n\">idle</th><th class=\"n\">percent</th><th>waits</th></tr></thead>"
        "<tbody>\n",
        p->out);
    for (size_t i = 0; i < count && i < GROUPS; i++)
        unit_row(p, &groups[i]);
    free(groups);
    fputs("</tbody></table></div>", p->out);
    sqlite3_stmt *s =
        rows_select(p->db,
                    "SELECT count(*), group_concat(unit, ', ') FROM (SELECT unit FROM v_util WHERE "
                    "busy = 0 ORDER BY unit_id LIMIT 200)",
                    &p->rc);
    if (rows_next(s, &p->rc) && sqlite3_column_int64(s, 0) > 0)
        html_put(p->out, "<p>Never busy: %s.</p>", rows_text(s, 1));
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
    char number[NUMBER_TEXT];
    const int type = sqlite3_column_type(s, c);
    if (type == SQLITE_INTEGER) {
        const int64_t value = sqlite3_column_int64(s, c);
        const char *name = sqlite3_column_name(s, c);
        const bool plain = strstr(name, "line") || !strcmp(name, "tag");
        fprintf(p->out, "<td class=\"n\" data-v=\"%lld\">", (long long)value);
        if (plain)
            fprintf(p->out, "%lld</td>", (long long)value);
        else
            fprintf(p->out, "%s</td>", number_group(number, value));
    } else if (type == SQLITE_FLOAT) {
        fprintf(p->out, "<td class=\"n\" data-v=\"%.10g\">%s</td>", sqlite3_column_double(s, c),
                number_group_real(number, sqlite3_column_double(s, c)));
    } else {
        const char *name = sqlite3_column_name(s, c);
        fputs(is_code(name) ? "<td class=\"c\">" : "<td>", p->out);
        if (strcmp(name, "rule") == 0 && type == SQLITE_TEXT)
            page_rule_put(p, rows_text(s, c));
        else
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

/* A row that links name, if it has a name. */
static void begin_row(struct page *p, const char *name)
{
    html_put(p->out, *name ? "<tr id=\"rule-%s\">" : "<tr%s>", name);
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
            begin_row(p, strcmp(name, "parameters") == 0 ? rows_text(s, 0) : "");
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
        html_put(p->out,
                 "<section id=\"source\"><h2>Source</h2><p>%s, with the cycles of the stream for "
                 "each line, and the sum over the other units.</p>"
                 "<div class=\"scroll\"><table><thead><tr><th class=\"n\">line</th>"
                 "<th class=\"n\">stream</th><th class=\"n\">busy, sum</th><th>text</th></tr>"
                 "</thead><tbody>\n",
                 rows_text(s, 0));
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
                char number[NUMBER_TEXT];
                if (found && sqlite3_column_int64(cost, c) > 0) {
                    fprintf(p->out, "<td class=\"n\" data-v=\"%lld\">%s</td>",
                            sqlite3_column_int64(cost, c),
                            number_group(number, sqlite3_column_int64(cost, c)));
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

/* Whether statements execute more than once: a text that repeats its lines has none. */
static bool has_loops(struct page *p)
{
    const struct question *q = question_find("loops");
    if (p->rc == SQLITE_OK)
        rows_fail(&p->rc, q->prepare(p->db));
    return p->rc == SQLITE_OK &&
           rows_value(p->db,
                      "SELECT 1 FROM temp.loop WHERE last - first + 1 < statements * turns LIMIT 1",
                      0, 0, 0) == 1;
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
        else if (strcmp(tables[i].name, "loops") || has_loops(p))
            question(p, tables[i].name, tables[i].title);
        if (!strcmp(tables[i].name, "statements"))
            source(p);
    }
}
