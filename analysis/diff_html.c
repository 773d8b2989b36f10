/* diff_html: both programs side by side, in one offline page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff_print.h"
#include "analysis/html.h"
#include "host/number.h"
#include "host/search.h"

/* Together these keep the tables below 2 MB, whatever the programs. */
enum { TERM_ROWS = 400, SIDE_ROWS = 2500, AROUND = 3 };

/* Cells of a side by statement. */
struct line_costs {
    struct diff_cell *cells;
    size_t count;
};

struct page {
    const struct diff_answer *answer;
    const struct diff *diff;
    FILE *out;
    struct line_costs costs[2];
};

/* A row of the table: a statement of each side, or of one. */
struct pair {
    uint32_t stmt[2];
    bool shown;
};

static void put_number(struct page *p, int64_t value, bool change)
{
    char number[NUMBER_TEXT];
    fprintf(p->out, "<td class=\"n%s\">%s%s</td>",
            !change || !value ? ""
            : value > 0       ? " more"
                              : " less",
            change && value > 0 ? "+" : "", number_group(number, value));
}

/* --- what a statement cost -------------------------------------------------------------------- */

static int by_stmt(const void *a, const void *b)
{
    const struct diff_cell *x = a, *y = b;
    return x->stmt != y->stmt ? (x->stmt > y->stmt) - (x->stmt < y->stmt)
                              : (x->reason > y->reason) - (x->reason < y->reason);
}

static int sort_costs(struct page *p, unsigned s)
{
    const struct diff_side *side = p->diff->sides[s];
    struct line_costs *costs = &p->costs[s];
    costs->cells = malloc((side->cell_count + 1) * sizeof *costs->cells);
    costs->count = side->cell_count;
    if (!costs->cells)
        return -1;
    if (costs->count) {
        memcpy(costs->cells, side->cells, costs->count * sizeof *costs->cells);
        qsort(costs->cells, costs->count, sizeof *costs->cells, by_stmt);
    }
    return 0;
}

static size_t first_cell(const struct line_costs *costs, uint32_t stmt)
{
    return search_u32(costs->cells, costs->count, sizeof *costs->cells,
                      offsetof(struct diff_cell, stmt), stmt);
}

static int64_t cycles_of(const struct page *p, unsigned s, uint32_t stmt)
{
    const struct line_costs *costs = &p->costs[s];
    uint64_t cycles = 0;
    for (size_t i = first_cell(costs, stmt); i < costs->count && costs->cells[i].stmt == stmt; i++)
        cycles += costs->cells[i].cycles;
    return (int64_t)cycles;
}

/* Each reason once, with its cycles. */
static void put_reasons(struct page *p, unsigned s, uint32_t stmt)
{
    const struct line_costs *costs = &p->costs[s];
    size_t i = first_cell(costs, stmt);
    for (bool first = true; i < costs->count && costs->cells[i].stmt == stmt; first = false) {
        const uint32_t reason = costs->cells[i].reason;
        uint64_t cycles = 0;
        for (; i < costs->count && costs->cells[i].stmt == stmt && costs->cells[i].reason == reason;
             i++)
            cycles += costs->cells[i].cycles;
        html_put(p->out, first ? "%.160s" : ", %.160s", diff_text(p->diff, reason));
        fprintf(p->out, " %llu", (unsigned long long)cycles);
    }
}

/* --- side by side ----------------------------------------------------------------------------- */

static void put_half(struct page *p, unsigned s, const struct pair *pair)
{
    static const char *const alone[] = {" gone", " new"};
    const uint32_t stmt = pair->stmt[s];
    char place[DIFF_PLACE];
    if (stmt == NONE_ID) {
        fputs("<td></td><td></td><td></td><td></td>", p->out);
        return;
    }
    const char *class = p->diff->kinds[s][stmt] == DIFF_ALONE ? alone[s] : "";
    html_put(p->out, "<td class=\"n%s\">%.160s</td><td class=\"c%s\">%.160s</td>", class,
             diff_place(p->diff, s, stmt, place), class,
             diff_text(p->diff, p->diff->sides[s]->stmts[stmt].text));
    put_number(p, cycles_of(p, s, stmt), false);
    fputs("<td class=\"why\">", p->out);
    if (p->diff->kinds[s][stmt] == DIFF_MOVED) {
        html_put(p->out, "%s %.160s; ", s ? "from" : "to",
                 diff_place(p->diff, 1 - s, p->diff->other[s][stmt], place));
    }
    put_reasons(p, s, stmt);
    fputs("</td>", p->out);
}

static void put_pair(struct page *p, const struct pair *pair)
{
    static const char *const classes[] = {"", " class=\"moved\"", " class=\"changed\"", ""};
    const unsigned s = pair->stmt[0] == NONE_ID;
    const uint32_t other = p->diff->other[s][pair->stmt[s]];
    fprintf(p->out, "<tr%s>", classes[p->diff->kinds[s][pair->stmt[s]]]);
    put_half(p, 0, pair);
    int64_t change = 0;
    for (unsigned k = 0; k < 2; k++)
        if (pair->stmt[k] != NONE_ID)
            change += k ? cycles_of(p, k, pair->stmt[k]) : -cycles_of(p, k, pair->stmt[k]);
    /* The change of a moved statement is shown once, at its new place. */
    if (other != NONE_ID && pair->stmt[1 - s] == NONE_ID)
        change = s ? cycles_of(p, 1, pair->stmt[1]) - cycles_of(p, 0, other) : 0;
    put_number(p, change, true);
    put_half(p, 1, pair);
    fputs("</tr>\n", p->out);
}

/* Rows in the order of both programs. Returns how many; NULL in *pairs without memory. */
static size_t list_pairs(const struct diff *diff, struct pair **pairs)
{
    const size_t counts[2] = {diff->sides[0]->stmt_count, diff->sides[1]->stmt_count};
    struct pair *list = *pairs = malloc((counts[0] + counts[1] + 1) * sizeof *list);
    size_t count = 0;
    uint32_t a = 0, b = 0;
    while (list && (a < counts[0] || b < counts[1])) {
        const bool a_free = a < counts[0] && diff->kinds[0][a] != DIFF_SAME;
        const bool b_free = b < counts[1] && diff->kinds[1][b] != DIFF_SAME;
        const bool a_waits = a_free && diff->kinds[0][a] == DIFF_CHANGED && b_free;
        const bool together = (!a_free && !b_free) || (a_waits && diff->other[0][a] == b);
        if (together)
            list[count++] = (struct pair){{a++, b++}, false};
        else if (a_free && !(a_waits && b_free && b < diff->other[0][a]))
            list[count++] = (struct pair){{a++, NONE_ID}, false};
        else
            list[count++] = (struct pair){{NONE_ID, b++}, false};
    }
    return count;
}

/* Whether something about the row is to be seen. */
static bool is_news(const struct page *p, const struct pair *pair)
{
    const unsigned s = pair->stmt[0] == NONE_ID;
    return p->diff->kinds[s][pair->stmt[s]] != DIFF_SAME ||
           cycles_of(p, 0, pair->stmt[0]) != cycles_of(p, 1, pair->stmt[1]);
}

static int put_sides(struct page *p)
{
    struct pair *pairs;
    const size_t count = list_pairs(p->diff, &pairs);
    if (!pairs)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (is_news(p, &pairs[i]))
            for (size_t k = i < AROUND ? 0 : i - AROUND; k < count && k <= i + AROUND; k++)
                pairs[k].shown = true;
    fputs("<section id=\"sides\"><h2>Side by side</h2>\n<p>Cycles of the issuing stream that each "
          "statement took, waits included, and why.</p>\n<div class=\"scroll\"><table "
          "class=\"sides\"><thead><tr>",
          p->out);
    for (unsigned s = 0; s < 2; s++)
        fprintf(p->out,
                "%s<th class=\"n line\">%c</th><th>statement</th><th class=\"n cycles\">cycles"
                "</th><th class=\"why\">reasons</th>",
                s ? "<th class=\"n cycles\">change</th>" : "", 'A' + (int)s);
    fputs("</tr></thead><tbody>\n", p->out);
    size_t rows = 0;
    for (size_t i = 0; i < count && rows < SIDE_ROWS; rows++) {
        if (pairs[i].shown) {
            put_pair(p, &pairs[i++]);
            continue;
        }
        const size_t first = i;
        while (i < count && !pairs[i].shown)
            i++;
        fprintf(p->out, "<tr class=\"skipped\"><td colspan=\"9\">%zu equal statements</td></tr>\n",
                i - first);
    }
    if (rows == SIDE_ROWS)
        fputs("<tr class=\"skipped\"><td colspan=\"9\">the rest is left out; takt diff --json has "
              "all of it</td></tr>\n",
              p->out);
    html_table_end(p->out);
    free(pairs);
    return 0;
}

/* --- tables ----------------------------------------------------------------------------------- */

static int put_sums(struct page *p, enum diff_by by)
{
    static const struct {
        const char *id, *title, *columns[3];
    } tables[] = {{"reasons", "By reason", {"reason", "#cycles", NULL}},
                  {"units", "By unit", {"unit", "#cycles", NULL}},
                  {"regions", "By region", {"region", "#cycles", NULL}}};
    size_t count;
    struct diff_sum *sums = diff_sums(p->diff, by, &count);
    if (!sums)
        return -1;
    if (count)
        html_table(p->out, tables[by].id, tables[by].title, NULL, tables[by].columns);
    for (size_t i = 0; i < count; i++) {
        html_put(p->out, "<tr><td>%.160s</td>", diff_text(p->diff, sums[i].name));
        put_number(p, sums[i].cycles, true);
        fputs("</tr>\n", p->out);
    }
    if (count)
        html_table_end(p->out);
    free(sums);
    return 0;
}

static void put_terms(struct page *p)
{
    static const char *const columns[] = {"#cycles",   "reason",     "unit",       "#A", "#B",
                                          "statement", "#held by A", "#held by B", NULL};
    const struct diff *diff = p->diff;
    if (!diff->term_count)
        return;
    html_table(p->out, "terms", "Terms",
               "They add up to the difference. Those of statements that were edited come first.",
               columns);
    for (size_t i = 0; i < diff->term_count && i < TERM_ROWS; i++) {
        const struct diff_term *term = &diff->terms[i];
        char place[DIFF_PLACE];
        fputs("<tr>", p->out);
        put_number(p, term->cycles, true);
        html_put(p->out, "<td>%.160s</td><td>%.160s</td>", diff_text(diff, term->reason),
                 diff_text(diff, term->unit));
        for (unsigned s = 0; s < 2; s++)
            html_put(p->out, "<td class=\"n\">%.160s</td>",
                     diff_place(diff, s, term->stmt[s], place));
        html_put(p->out, "<td class=\"c\">%.160s</td>", diff_term_text(diff, term));
        for (unsigned s = 0; s < 2; s++)
            html_put(p->out, "<td class=\"n\">%.160s</td>",
                     term->source[s] == NONE_ID ? "" : diff_place(diff, s, term->source[s], place));
        fputs("</tr>\n", p->out);
    }
    if (diff->term_count > TERM_ROWS)
        fprintf(p->out,
                "<tr class=\"skipped\"><td colspan=\"8\">%zu more; takt diff --json has all "
                "of them</td></tr>\n",
                diff->term_count - TERM_ROWS);
    html_table_end(p->out);
}

static void put_values(struct page *p)
{
    static const char *const columns[] = {"name", "A", "B", "unit", NULL};
    const struct diff *diff = p->diff;
    if (!diff->value_count)
        return;
    html_table(p->out, "parameters", "Parameters", NULL, columns);
    for (size_t i = 0; i < diff->value_count; i++) {
        const struct diff_value *value = &diff->values[i];
        html_put(p->out, "<tr><td>%.160s</td><td>%.160s</td><td>%.160s</td><td>%.160s</td></tr>\n",
                 diff_text(diff, value->name), diff_text(diff, value->value[0]),
                 diff_text(diff, value->value[1]), diff_text(diff, value->unit));
    }
    html_table_end(p->out);
}

static void put_head(struct page *p)
{
    const struct diff *diff = p->diff;
    const struct diff_values_found *found = &p->answer->values;
    const size_t *a = diff->counts[0];
    char number[NUMBER_TEXT];
    char title[400];
    snprintf(title, sizeof title, "%.190s and %.190s", p->answer->names[0], p->answer->names[1]);
    html_begin(p->out, title);
    fputs("<header>\n", p->out);
    for (unsigned s = 0; s < 2; s++) {
        html_put(p->out, "<h1>%s: %.160s, %s cycles</h1>\n", s ? "B" : "A", p->answer->names[s],
                 number_group(number, (int64_t)diff->sides[s]->cycles));
    }
    fprintf(p->out, "<p class=\"verdict\">%s%s cycles</p>\n", diff->difference > 0 ? "+" : "",
            number_group(number, diff->difference));
    fprintf(
        p->out,
        "<p class=\"facts\">%zu statements are the same, %zu moved, %zu changed, %zu added, %zu "
        "removed.",
        a[DIFF_SAME], a[DIFF_MOVED], a[DIFF_CHANGED], diff->counts[1][DIFF_ALONE], a[DIFF_ALONE]);
    if (diff->diverges)
        fprintf(p->out, " The streams part in cycle %s.",
                number_group(number, (int64_t)diff->diverging));
    if (found->verdict != DIFF_NOT_COMPARED)
        html_put(p->out, " Values are %sequal (%.160s).",
                 found->verdict == DIFF_EQUAL ? "" : "not ", found->what);
    fputs("</p>\n</header>\n", p->out);
}

/* Both runs by cycles, one above the other, in one scale. */
static void put_pictures(struct page *p)
{
    fputs("<section id=\"time\"><h2>Time</h2>\n<p>Both runs in one scale of cycles: what zooms one "
          "zooms the other.</p>\n",
          p->out);
    for (unsigned s = 0; s < 2; s++) {
        char name[400];
        snprintf(name, sizeof name, "%c: %.390s", 'A' + (int)s, p->answer->names[s]);
        html_picture(p->out, name, p->answer->data[s], strlen(p->answer->data[s]));
    }
    fputs("</section>\n", p->out);
}

int diff_print_html(const struct diff_answer *answer, FILE *out)
{
    struct page p = {.answer = answer, .diff = answer->diff, .out = out};
    int status = sort_costs(&p, 0) | sort_costs(&p, 1);
    if (status == 0) {
        static const char *const sections[] = {"time=time", "reasons=reasons",
                                               "parameters=parameters", "terms=terms",
                                               "sides=side by side"};
        put_head(&p);
        html_main(out, sections, sizeof sections / sizeof *sections);
        put_pictures(&p);
        status = put_sums(&p, DIFF_BY_REASON) | put_sums(&p, DIFF_BY_UNIT);
        if (p.diff->sides[0]->region_count > 1 || p.diff->sides[1]->region_count > 1)
            status |= put_sums(&p, DIFF_BY_REGION);
        put_values(&p);
        put_terms(&p);
        status |= put_sides(&p);
        html_end(out);
    }
    free(p.costs[0].cells);
    free(p.costs[1].cells);
    return status == 0 && !ferror(out) ? 0 : -1;
}
