#include "analysis/measured_found.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/html.h"
#include "analysis/utf8_json.h"
#include "functional/text.h"

static int64_t off(const struct measured_interval *one)
{
    return (int64_t)(one->measured - one->modelled);
}

static const struct measured_interval *first_off(const struct measured_answer *answer)
{
    const struct measured_interval *first = NULL;
    for (size_t i = 0; i < answer->count; i++)
        if (off(&answer->intervals[i]) &&
            (!first || answer->intervals[i].issue->cycle < first->issue->cycle))
            first = &answer->intervals[i];
    return first;
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
    f->lines = calloc(answer->count + 1, sizeof *f->lines);
    f->rules = calloc(answer->count + 1, sizeof *f->rules);
    if (!f->lines || !f->rules)
        return -1;
    for (size_t i = 0; i < answer->count; i++) {
        const struct measured_interval *one = &answer->intervals[i];
        if (off(one) == 0)
            continue;
        add(f->lines, &f->line_count, one->line, "", off(one));
        add(f->rules, &f->rule_count, 0, rule_of(one), off(one));
    }
    qsort(f->lines, f->line_count, sizeof *f->lines, by_times);
    qsort(f->rules, f->rule_count, sizeof *f->rules, by_times);
    return 0;
}

/* --- answers ---------------------------------------------------------------------------------- */

static void print_first(const struct measured_found *f, FILE *out)
{
    const struct measured_interval *first = first_off(&f->answer);
    if (!first)
        return;
    text_print(
        out,
        "FIRST    row %u, cycle %llu of the list: line %u issues %llu cycles after line %u, the "
        "run has %llu\n",
        first->issue->row, (unsigned long long)first->issue->cycle, first->line,
        (unsigned long long)first->measured, first->from_line, (unsigned long long)first->modelled);
    if (first->edge)
        text_print(out, "         in the run it waited %llu cycles for line %u by %s\n",
                   (unsigned long long)first->edge->waited, first->edge->src_line, rule_of(first));
    else
        text_print(out, "         in the run it waited for nothing\n");
}

void measured_found_print(const struct measured_found *f, FILE *out)
{
    enum { ROWS = 10 };
    const struct measured_answer *a = &f->answer;
    text_print(out, "%s and %s   %zu of %zu intervals equal (%.1f %%)\n", f->program, f->list,
               a->equal, a->count, 100.0 * (double)a->equal / (double)a->count);
    if (a->unmatched)
        text_print(out, "         %zu issues of the list are not in the run\n", a->unmatched);
    print_first(f, out);
    for (size_t i = 0; i < f->suspect_count; i++) {
        const struct measured_suspect *s = &f->suspects[i];
        const struct param *param = &f->config->params[s->param];
        text_print(out, "%s %s %.10g instead of %.10g: %zu of %zu equal\n",
                   i ? "        " : "NUMBER  ", param->row->name, s->value, param->value, s->equal,
                   a->count);
    }
    for (size_t i = 0; i < f->rule_count && i < ROWS; i++)
        text_print(out, "%s %-28s %8llu intervals differ, %+lld cycles\n",
                   i ? "        " : "RULES   ", f->rules[i].rule,
                   (unsigned long long)f->rules[i].times, (long long)f->rules[i].cycles);
    for (size_t i = 0; i < f->line_count && i < ROWS; i++)
        text_print(out, "%s line %-23u %8llu intervals differ, %+lld cycles\n",
                   i ? "        " : "LINES   ", f->lines[i].line,
                   (unsigned long long)f->lines[i].times, (long long)f->lines[i].cycles);
}

static json_t *interval_json(const struct measured_interval *one)
{
    json_t *row =
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "row", (json_int_t)one->issue->row,
                  "cycle", (json_int_t)one->issue->cycle, "line", (json_int_t)one->line,
                  "from_line", (json_int_t)one->from_line, "measured", (json_int_t)one->measured,
                  "modelled", (json_int_t)one->modelled, "rule", rule_of(one));
    if (row && one->edge)
        json_object_set_new(row, "waited_for_line", json_integer(one->edge->src_line));
    return row;
}

static json_t *sums_json(const struct measured_sum *sums, size_t count, bool rules)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list,
            json_pack("{s:o, s:I, s:I}", rules ? "rule" : "line",
                      rules ? json_string(sums[i].rule) : json_integer(sums[i].line), "intervals",
                      (json_int_t)sums[i].times, "cycles", (json_int_t)sums[i].cycles));
    return list;
}

json_t *measured_found_json(const struct measured_found *f)
{
    const struct measured_answer *a = &f->answer;
    const struct measured_interval *first = first_off(a);
    json_t *numbers = json_array(), *differ = json_array();
    for (size_t i = 0; i < f->suspect_count; i++) {
        const struct param *param = &f->config->params[f->suspects[i].param];
        json_array_append_new(numbers,
                              json_pack("{s:s, s:f, s:f, s:I}", "name", param->row->name, "value",
                                        f->suspects[i].value, "instead_of", param->value, "equal",
                                        (json_int_t)f->suspects[i].equal));
    }
    for (size_t i = 0; i < a->count; i++)
        if (off(&a->intervals[i]))
            json_array_append_new(differ, interval_json(&a->intervals[i]));
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "program",
                     utf8_json(f->program), "list", utf8_json(f->list), "intervals",
                     (json_int_t)a->count, "equal", (json_int_t)a->equal, "unmatched",
                     (json_int_t)a->unmatched, "first", first ? interval_json(first) : json_null(),
                     "numbers", numbers, "rules", sums_json(f->rules, f->rule_count, true), "lines",
                     sums_json(f->lines, f->line_count, false), "differ", differ);
}

void measured_found_html(const struct measured_found *f, FILE *out)
{
    enum { ROWS = 1000 };
    static const char *const sections[] = {"intervals=intervals"};
    const struct measured_answer *a = &f->answer;
    html_begin(out, "measured");
    fputs("<header>\n<h1>", out);
    html_cell(out, f->program);
    fprintf(out, "</h1>\n<p>%zu of %zu intervals as measured.</p>\n", a->equal, a->count);
    for (size_t i = 0; i < f->suspect_count; i++)
        fprintf(out, "<p>%s %.10g instead of %.10g: %zu equal.</p>\n",
                f->config->params[f->suspects[i].param].row->name, f->suspects[i].value,
                f->config->params[f->suspects[i].param].value, f->suspects[i].equal);
    fputs("</header>\n", out);
    html_main(out, sections, 1);
    fputs("<section id=\"intervals\"><h2>Intervals that differ</h2>\n<div class=\"scroll\"><table>"
          "<thead><tr><th class=\"n\">row</th><th class=\"n\">cycle</th><th class=\"n\">line</th>"
          "<th class=\"n\">after line</th><th class=\"n\">measured</th><th class=\"n\">run</th>"
          "<th>the run waited by</th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0, shown = 0; i < a->count && shown < ROWS; i++) {
        const struct measured_interval *one = &a->intervals[i];
        if (off(one) == 0)
            continue;
        shown++;
        text_print(out,
                   "<tr><td class=\"n\">%u</td><td class=\"n\">%llu</td><td class=\"n\">%u</td>"
                   "<td class=\"n\">%u</td><td class=\"n\">%llu</td><td class=\"n\">%llu</td><td>",
                   one->issue->row, (unsigned long long)one->issue->cycle, one->line,
                   one->from_line, (unsigned long long)one->measured,
                   (unsigned long long)one->modelled);
        html_cell(out, rule_of(one));
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table></div></section>\n", out);
    html_end(out);
}

void measured_found_free(struct measured_found *f)
{
    measured_answer_free(&f->answer);
    free(f->lines);
    free(f->rules);
}
