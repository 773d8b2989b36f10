/* sweep_html: the report of a sweep in one offline page. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "analysis/html.h"
#include "analysis/sweep_report.h"
#include "config/embed.h"
#include "host/number.h"
#include "host/text.h"
#include "traces/rows.h"

EMBED(analysis_points_js, "analysis/page/points.js");

enum { CLOUD = 4000, ROWS = 400 };

static const char *const sentences[SWEEP_SECTIONS] = {
    ("Mean over all other values, of each program in proportion to its own mean: how much more the "
     "worst value takes than the best, and the share of the variance that the parameter alone "
     "explains."),
    "Each value with all values of the others.",
    ("Designs that no other beats in one quantity without losing in the other; means over the "
     "programs."),
    "Means over the programs.", "Points without a result, by message."};

/* --- tables ----------------------------------------------------------------------------------- */

static void put_cell(sqlite3_stmt *s, int column, FILE *out)
{
    char number[NUMBER_TEXT];
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        fprintf(out, "<td class=\"n\" data-v=\"%lld\">%s</td>", sqlite3_column_int64(s, column),
                number_group(number, sqlite3_column_int64(s, column)));
        break;
    case SQLITE_FLOAT:
        fprintf(out, "<td class=\"n\" data-v=\"%.17g\">%s</td>", sqlite3_column_double(s, column),
                number_group_real(number, sqlite3_column_double(s, column)));
        break;
    case SQLITE_NULL:
        fputs("<td></td>", out);
        break;
    default:
        html_put(out, "<td>%.160s</td>", rows_text(s, column));
    }
}

/* Over the first row, by which it is aligned. Names of parameters and quantities stay as they are
 * in the spec. */
static void put_head(sqlite3_stmt *s, enum sweep_section section, FILE *out)
{
    fputs("<div class=\"scroll\"><table><thead><tr>", out);
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        const char *name = sqlite3_column_name(s, i);
        const int type = sqlite3_column_type(s, i);
        const char *percent = section == SWEEP_WORTH ? strstr(name, "_percent") : NULL;
        fputs(type == SQLITE_INTEGER || type == SQLITE_FLOAT ? "<th class=\"n\">" : "<th>", out);
        html_text(out, name, percent ? (size_t)(percent - name) : strlen(name));
        fputs(percent ? ", %</th>" : "</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
}

static void put_table(sqlite3_stmt *s, enum sweep_section section, int *rc, FILE *out)
{
    const int columns = sqlite3_column_count(s);
    uint64_t rows = 0;
    while (rows_next(s, rc) && rows++ < ROWS) {
        if (rows == 1)
            put_head(s, section, out);
        fputs("<tr>", out);
        for (int i = 0; i < columns; i++)
            put_cell(s, i, out);
        fputs("</tr>\n", out);
    }
    fputs(rows ? "</tbody></table></div>\n" : "<p>No rows.</p>\n", out);
    if (rows > ROWS)
        fprintf(out, "<p>The first %d; takt sweep report --json has all.</p>\n", ROWS);
}

static void put_section(const struct sweep_report *r, enum sweep_section section, int *rc,
                        FILE *out)
{
    sqlite3_stmt *s = sweep_report_rows(r, section, rc);
    if (s) {
        const char *title = sweep_section_title[section];
        fprintf(out, "<section id=\"%s\"><h2>%c%s</h2><p>%s</p>\n", sweep_section_name[section],
                toupper((unsigned char)*title), title + 1, sentences[section]);
        if (section == SWEEP_FRONT || section == SWEEP_TOTALS)
            fprintf(out, "<div class=\"%s\"></div>\n",
                    section == SWEEP_FRONT ? "chart front" : "totals");
        put_table(s, section, rc, out);
        fputs("</section>\n", out);
    }
    sqlite3_finalize(s);
}

/* --- pictures --------------------------------------------------------------------------------- */

/* JSON within a page: no text in it begins a tag. */
static void put_safe(FILE *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '<')
            fputs("\\u003c", out);
        else
            putc(text[i], out);
}

/* Rows as JSON, which are given up. */
static int put_rows(sqlite3_stmt *s, int rc, FILE *out)
{
    const struct answer_options options = {.form = ANSWER_JSON};
    uint64_t rows;
    if (s)
        rc = answer_print(s, &options, out, &rows);
    sqlite3_finalize(s);
    return rc;
}

static int put_data(const struct sweep_report *r, FILE *out)
{
    char cloud[200];
    const int64_t step = r->designs / CLOUD + 1;
    snprintf(cloud, sizeof cloud,
             "SELECT a, b, point FROM design WHERE a IS NOT NULL AND b IS NOT NULL AND rowid %% "
             "%lld = 0 ORDER BY a",
             (long long)step);
    json_t *head =
        json_pack("{s:s, s:s?, s:s?}", "by", r->by, "x", r->pareto[0], "y", r->pareto[1]);
    char *text = head ? json_dumps(head, JSON_ENSURE_ASCII) : NULL;
    json_decref(head);
    fprintf(out, "{\"names\": %s, \"cloud\": ", text ? text : "{}");
    free(text);
    int rc = SQLITE_OK;
    sqlite3_stmt *s = rows_select(r->db, cloud, &rc);
    rc = put_rows(s, rc, out);
    fputs(", \"front\": ", out);
    s = rc == SQLITE_OK ? sweep_report_rows(r, SWEEP_FRONT, &rc) : NULL;
    fputs(s ? "" : "[]", out);
    rc = put_rows(s, rc, out);
    fputs(", \"totals\": ", out);
    s = rows_select(r->db,
                    "SELECT t.parameter, value, least, mean, greatest FROM total t JOIN worth w "
                    "USING (parameter) ORDER BY w.explains DESC, w.spread DESC, w.rowid, t.rowid",
                    &rc);
    rc = put_rows(s, rc, out);
    fputs("}", out);
    return rc;
}

static int put_pictures(const struct sweep_report *r, FILE *out)
{
    char *text = NULL;
    size_t size;
    FILE *data = text_open(&text, &size);
    const int rc = data ? put_data(r, data) : SQLITE_NOMEM;
    if (text_close(data, &text) != 0 || rc != SQLITE_OK) {
        free(text);
        return -1;
    }
    fputs("<script type=\"application/json\" id=\"sweep\">", out);
    put_safe(out, text, size);
    fputs("</script>\n<script>\n", out);
    fwrite(analysis_points_js, 1, EMBED_SIZE(analysis_points_js), out);
    fputs("</script>\n", out);
    free(text);
    return 0;
}

int sweep_report_html(const struct sweep_report *r, FILE *out)
{
    static const char *const links[] = {"front=front", "worth=worth", "totals=totals", "best=best",
                                        "failures=failures"};
    static const enum sweep_section order[] = {SWEEP_FRONT, SWEEP_WORTH, SWEEP_TOTALS, SWEEP_BEST,
                                               SWEEP_FAILURES};
    int rc = SQLITE_OK;
    html_begin(out, "sweep");
    fprintf(out, "<header>\n<h1>sweep of %lld program%s</h1>\n<p class=\"verdict\">",
            (long long)r->programs, r->programs == 1 ? "" : "s");
    fprintf(out, "%lld points, %lld failed, %lld designs</p>\n<p class=\"facts\">",
            (long long)r->points, (long long)r->failed, (long long)r->designs);
    html_put(out, "ranked by %s, the less the better</p>\n</header>\n", r->by);
    html_main(out, links, sizeof links / sizeof *links);
    for (size_t i = 0; rc == SQLITE_OK && i < sizeof order / sizeof *order; i++)
        put_section(r, order[i], &rc, out);
    if (rc != SQLITE_OK || put_pictures(r, out) != 0)
        return -1;
    html_end(out);
    return ferror(out) ? -1 : 0;
}
