#include "analysis/measured_found.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/html.h"
#include "analysis/utf8_json.h"
#include "functional/text.h"

enum { SUSPECT_TEXT = 80 };

static int64_t off(const struct measured_interval *one)
{
    return one->measured - one->modelled;
}

static const struct measured_interval *first_off(const struct measured_answer *answer)
{
    for (size_t i = 0; i < answer->count; i++)
        if (off(&answer->intervals[i]))
            return &answer->intervals[i];
    return NULL;
}

/* --- sums ------------------------------------------------------------------------------------- */

static void add(struct measured_sum *sums, size_t *count, uint32_t line, const char *rule,
                int64_t cycles)
{
    size_t i = 0;
    while (i < *count && (sums[i].line != line || strcmp(sums[i].rule, rule) != 0))
        i++;
    if (i == *count) {
        sums[(*count)++] = (struct measured_sum){.line = line};
        snprintf(sums[i].rule, sizeof sums->rule, "%s", rule);
    }
    sums[i].times++;
    sums[i].cycles += cycles;
}

static int by_times(const void *a, const void *b)
{
    const struct measured_sum *x = a, *y = b;
    if (x->times != y->times)
        return x->times > y->times ? -1 : 1;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : strcmp(x->rule, y->rule);
}

static const char *rule_of(const struct measured_interval *one)
{
    return !one->edge ? "no wait" : *one->edge->rule ? one->edge->rule : "a wait";
}

int measured_found_sum(struct measured_found *f)
{
    const struct measured_answer *answer = &f->answer;
    const size_t most = answer->count + 1;
    f->lines = calloc(3 * most, sizeof *f->lines);
    if (!f->lines)
        return -1;
    f->kinds = f->lines + most;
    f->rules = f->kinds + most;
    for (size_t i = 0; i < answer->count; i++) {
        const struct measured_interval *one = &answer->intervals[i];
        if (off(one) == 0)
            continue;
        add(f->lines, &f->line_count, one->line, "", off(one));
        add(f->kinds, &f->kind_count, 0, f->listener->kinds[one->stmt], off(one));
        add(f->rules, &f->rule_count, 0, rule_of(one), off(one));
    }
    qsort(f->lines, f->line_count, sizeof *f->lines, by_times);
    qsort(f->kinds, f->kind_count, sizeof *f->kinds, by_times);
    qsort(f->rules, f->rule_count, sizeof *f->rules, by_times);
    return 0;
}

/* --- answers ---------------------------------------------------------------------------------- */

/* "5 cycles after", "5 cycles before". */
static void print_distance(int64_t cycles, FILE *out)
{
    text_print(out, "%lld cycles %s", (long long)(cycles < 0 ? -cycles : cycles),
               cycles < 0 ? "before" : "after");
}

static void print_first(const struct measured_found *f, FILE *out)
{
    const struct measured_interval *first = first_off(&f->answer);
    if (!first)
        return;
    text_print(out, "FIRST    row %u, cycle %llu of the list: line %u issues ", first->issue->row,
               (unsigned long long)first->issue->cycle, first->line);
    print_distance(first->measured, out);
    if (first->from_line)
        text_print(out, " line %u, in the run ", first->from_line);
    else
        fputs(" the start, in the run ", out);
    print_distance(first->modelled, out);
    fputs(first->from_line ? " it\n" : "\n", out);
    const struct measured_edge *edge = first->edge;
    if (!edge) {
        text_print(out, "         in the run nothing waited between\n");
        return;
    }
    text_print(out, "         in the run line %u waited %llu cycles ", edge->dst_line,
               (unsigned long long)edge->waited);
    if (edge->src_line)
        text_print(out, "for line %u ", edge->src_line);
    text_print(out, "by %s\n", rule_of(first));
    if (first->waits > 1)
        text_print(out, "         and %zu more, %llu cycles together\n", first->waits - 1,
                   (unsigned long long)(first->waited - edge->waited));
}

/* "33", "32 to 35", or a choice. */
static void suspect_text(const struct measured_suspect *s, char *text, size_t size)
{
    if (s->choice)
        snprintf(text, size, "%s", s->choice);
    else if (s->low < s->high)
        snprintf(text, size, "%.8g to %.8g", s->low, s->high);
    else
        snprintf(text, size, "%.8g", s->value);
}

static void param_text(const struct param *param, char *text, size_t size)
{
    if (param->row->type == PARAM_TEXT)
        snprintf(text, size, "%s", param->text);
    else
        snprintf(text, size, "%.8g", param->value);
}

static void print_suspects(const struct measured_found *f, FILE *out)
{
    const struct measured_suspects *suspects = &f->suspects;
    for (size_t i = 0; i < suspects->count; i++) {
        const struct measured_suspect *s = &suspects->items[i];
        const struct param *param = &f->config->params[s->param];
        char text[SUSPECT_TEXT], was[SUSPECT_TEXT];
        suspect_text(s, text, sizeof text);
        param_text(param, was, sizeof was);
        text_print(out, "%s %s %s instead of %s: %zu of %zu equal%s\n", i ? "        " : "NUMBER  ",
                   param->row->name, text, was, s->equal, s->count,
                   s->plausible ? "" : ", beyond its plausible range");
    }
    if (suspects->tied > 1)
        text_print(out, "         %zu explain as much: the list does not tell them apart\n",
                   suspects->tied);
}

/* Of a kind, a rule or "line 7". */
static const char *sum_text(const struct measured_sum *sum, char text[SUSPECT_TEXT])
{
    if (sum->line)
        snprintf(text, SUSPECT_TEXT, "line %u", sum->line);
    else
        snprintf(text, SUSPECT_TEXT, "%s", sum->rule);
    return text;
}

static void print_sums(const char *head, const struct measured_sum *sums, size_t count, size_t rows,
                       FILE *out)
{
    char text[SUSPECT_TEXT];
    for (size_t i = 0; i < count && i < rows; i++)
        text_print(out, "%s %-28s %8llu intervals differ, %+lld cycles\n", i ? "        " : head,
                   sum_text(&sums[i], text), (unsigned long long)sums[i].times,
                   (long long)sums[i].cycles);
    if (count > rows)
        text_print(out, "         %zu more; --all shows them\n", count - rows);
}

void measured_found_print(const struct measured_found *f, FILE *out)
{
    const size_t rows = f->all ? SIZE_MAX : 10;
    const struct measured_answer *a = &f->answer;
    text_print(out, "%s and %s   %zu of %zu intervals equal (%.1f %%)\n", f->program, f->list,
               a->equal, a->count, 100.0 * (double)a->equal / (double)a->count);
    if (a->unmatched)
        text_print(out,
                   "         %zu issues of the list are not in the run, or not in this order\n",
                   a->unmatched);
    if (a->missing)
        text_print(out, "         %zu issues of the run at these places are not in the list\n",
                   a->missing);
    print_first(f, out);
    print_suspects(f, out);
    print_sums("RULES   ", f->rules, f->rule_count, rows, out);
    print_sums("KINDS   ", f->kinds, f->kind_count, rows, out);
    print_sums("LINES   ", f->lines, f->line_count, rows, out);
}

static json_t *interval_json(const struct measured_interval *one)
{
    json_t *row =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "row", (json_int_t)one->issue->row,
                  "cycle", (json_int_t)one->issue->cycle, "line", (json_int_t)one->line,
                  "from_line", (json_int_t)one->from_line, "measured", (json_int_t)one->measured,
                  "modelled", (json_int_t)one->modelled, "rule", rule_of(one));
    if (row && one->edge) {
        json_object_set_new(row, "waiting_line", json_integer(one->edge->dst_line));
        json_object_set_new(row, "waited_for_line", json_integer(one->edge->src_line));
        json_object_set_new(row, "waited", json_integer((json_int_t)one->edge->waited));
        json_object_set_new(row, "waits", json_integer((json_int_t)one->waits));
        json_object_set_new(row, "waited_in_all", json_integer((json_int_t)one->waited));
    }
    return row;
}

/* word: what is summed by, "line" by number. */
static json_t *sums_json(const struct measured_sum *sums, size_t count, const char *word)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:I}", word,
                            sums[i].line ? json_integer(sums[i].line) : utf8_json(sums[i].rule),
                            "intervals", (json_int_t)sums[i].times, "cycles",
                            (json_int_t)sums[i].cycles));
    return list;
}

static json_t *suspect_json(const struct measured_suspect *s, const struct param *param)
{
    json_t *row =
        json_pack("{s:s, s:I, s:I, s:b}", "name", param->row->name, "equal", (json_int_t)s->equal,
                  "intervals", (json_int_t)s->count, "plausible", s->plausible);
    if (!row)
        return NULL;
    if (s->choice) {
        json_object_set_new(row, "value", utf8_json(s->choice));
        json_object_set_new(row, "instead_of", utf8_json(param->text));
        return row;
    }
    json_object_set_new(row, "value", json_real(s->value));
    json_object_set_new(row, "low", json_real(s->low));
    json_object_set_new(row, "high", json_real(s->high));
    json_object_set_new(row, "instead_of", json_real(param->value));
    return row;
}

json_t *measured_found_json(const struct measured_found *f)
{
    const struct measured_answer *a = &f->answer;
    const struct measured_interval *first = first_off(a);
    json_t *numbers = json_array(), *differ = json_array();
    for (size_t i = 0; i < f->suspects.count; i++) {
        const struct measured_suspect *s = &f->suspects.items[i];
        json_array_append_new(numbers, suspect_json(s, &f->config->params[s->param]));
    }
    for (size_t i = 0; i < a->count; i++)
        if (off(&a->intervals[i]))
            json_array_append_new(differ, interval_json(&a->intervals[i]));
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "program",
                     utf8_json(f->program), "list", utf8_json(f->list), "intervals",
                     (json_int_t)a->count, "equal", (json_int_t)a->equal, "unmatched",
                     (json_int_t)a->unmatched, "missing", (json_int_t)a->missing, "first",
                     first ? interval_json(first) : json_null(), "numbers", numbers, "tied",
                     (json_int_t)f->suspects.tied, "rules",
                     sums_json(f->rules, f->rule_count, "rule"), "kinds",
                     sums_json(f->kinds, f->kind_count, "kind"), "lines",
                     sums_json(f->lines, f->line_count, "line"), "differ", differ);
}

static void put_head(const struct measured_found *f, FILE *out)
{
    const struct measured_answer *a = &f->answer;
    html_put(out, "<header>\n<h1>%.160s", f->program);
    fprintf(out, "</h1>\n<p>%zu of %zu intervals as measured.</p>\n", a->equal, a->count);
    if (a->unmatched || a->missing)
        fprintf(out,
                "<p>%zu issues of the list are not in the run, or not in this order; %zu of the "
                "run at these places are not in the list.</p>\n",
                a->unmatched, a->missing);
    for (size_t i = 0; i < f->suspects.count; i++) {
        const struct measured_suspect *suspect = &f->suspects.items[i];
        const struct param *param = &f->config->params[suspect->param];
        char text[SUSPECT_TEXT], was[SUSPECT_TEXT];
        suspect_text(suspect, text, sizeof text);
        param_text(param, was, sizeof was);
        html_put(out, "<p>%s %.160s instead of %.160s", param->row->name, text, was);
        fprintf(out, ": %zu of %zu equal%s.</p>\n", suspect->equal, suspect->count,
                suspect->plausible ? "" : ", beyond its plausible range");
    }
    if (f->suspects.tied > 1)
        fprintf(out, "<p>%zu explain as much: the list does not tell them apart.</p>\n",
                f->suspects.tied);
    fputs("</header>\n", out);
}

enum { ROWS = 1000 };

static void put_sums(const char *id, const char *title, const char *const *columns,
                     const struct measured_sum *sums, size_t count, FILE *out)
{
    char text[SUSPECT_TEXT];
    html_table(out, id, title, NULL, columns);
    for (size_t i = 0; i < count && i < ROWS; i++) {
        html_put(out, "<tr><td>%.160s</td>", sum_text(&sums[i], text));
        fprintf(out, "<td class=\"n\">%llu</td><td class=\"n\">%+lld</td></tr>\n",
                (unsigned long long)sums[i].times, (long long)sums[i].cycles);
    }
    html_table_end(out);
}

static void put_intervals(const struct measured_answer *a, FILE *out)
{
    static const char *const columns[] = {
        "#row", "#cycle", "#line", "#after line", "#measured", "#run", "the run waited by", NULL};
    html_table(out, "intervals", "Intervals that differ", NULL, columns);
    for (size_t i = 0, shown = 0; i < a->count && shown < ROWS; i++) {
        const struct measured_interval *one = &a->intervals[i];
        if (off(one) == 0)
            continue;
        shown++;
        text_print(out,
                   "<tr><td class=\"n\">%u</td><td class=\"n\">%llu</td><td class=\"n\">%u</td>"
                   "<td class=\"n\">%u</td><td class=\"n\">%lld</td><td class=\"n\">%lld</td><td>",
                   one->issue->row, (unsigned long long)one->issue->cycle, one->line,
                   one->from_line, (long long)one->measured, (long long)one->modelled);
        html_put(out, "%.160s</td></tr>\n", rule_of(one));
    }
    html_table_end(out);
}

void measured_found_html(const struct measured_found *f, FILE *out)
{
    static const char *const sections[] = {"intervals=intervals", "rules=rules", "kinds=kinds",
                                           "lines=lines"};
    static const char *const rules[] = {"the run waited by", "#intervals", "#cycles", NULL};
    static const char *const kinds[] = {"statement", "#intervals", "#cycles", NULL};
    html_begin(out, "measured");
    put_head(f, out);
    html_main(out, sections, 4);
    put_intervals(&f->answer, out);
    put_sums("rules", "By rule", rules, f->rules, f->rule_count, out);
    put_sums("kinds", "By kind of statement", kinds, f->kinds, f->kind_count, out);
    put_sums("lines", "By line", kinds, f->lines, f->line_count, out);
    html_end(out);
}

void measured_found_free(struct measured_found *f)
{
    measured_answer_free(&f->answer);
    free(f->lines);
}
