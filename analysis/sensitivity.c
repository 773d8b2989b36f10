#include "analysis/sensitivity.h"

#include <jansson.h>

#include "analysis/utf8_json.h"
#include "functional/text.h"
#include "host/number.h"

/* --- text ------------------------------------------------------------------------------------- */

static double percent(const struct sensitivity *s, uint64_t cycles)
{
    return s->cycles ? 100.0 * ((double)cycles - (double)s->cycles) / (double)s->cycles : 0;
}

static void print_ends(char *text, size_t size, const struct param *param)
{
    size_t choices = 0;
    while (param->choices && param->choices[choices])
        choices++;
    if (param->row->type == PARAM_TEXT)
        snprintf(text, size, "%zu choices", choices);
    else
        snprintf(text, size, "%.6g .. %.6g", param->plausible_low, param->plausible_high);
}

static void print_row(const struct sensitivity *s, const struct range_row *row, FILE *out)
{
    char ends[64], low[NUMBER_TEXT], high[NUMBER_TEXT];
    const struct param *param = &s->config->params[row->param];
    print_ends(ends, sizeof ends, param);
    number_group(low, (int64_t)row->at_low);
    number_group(high, (int64_t)row->at_high);
    text_print(out, "  %-22s %-18s %14s %+7.1f %% %14s %+7.1f %%\n", param->row->name, ends, low,
               percent(s, row->at_low), high, percent(s, row->at_high));
}

void sensitivity_print(const struct sensitivity *s, bool all, FILE *out)
{
    const struct range *range = s->range;
    char total[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
    text_print(out, "%s   %s cycles   uncertain: %s to %s; %zu constant%s unpublished\n",
               s->program, number_group(total, (int64_t)s->cycles),
               number_group(low, (int64_t)range->low), number_group(high, (int64_t)range->high),
               range->count, range->count == 1 ? " is" : "s are");
    text_print(out, "  %-22s %-18s %24s %24s\n", "parameter", "plausible", "at its least",
               "at its greatest");
    size_t still = 0;
    for (size_t i = 0; i < range->count; i++) {
        const struct range_row *row = &range->rows[i];
        if (all || row->greatest > row->least)
            print_row(s, row, out);
        else
            still++;
    }
    if (still)
        text_print(out, "  %zu more change nothing\n", still);
    text_print(out, "  all at the best plausible values %s, all at the worst %s; %s %s\n",
               number_group(total, (int64_t)range->optimistic),
               number_group(high, (int64_t)range->pessimistic),
               range->joint ? "least of what the measurements leave" : "proven minimum",
               number_group(low, (int64_t)range->low));
    if (range->count && range->rows[0].greatest > range->rows[0].least) {
        const struct range_row *most = &range->rows[0];
        text_print(out, "MEASURE  %s: largest effect, it moves the total by %s cycles\n",
                   s->config->params[most->param].row->name,
                   number_group(total, (int64_t)(most->greatest - most->least)));
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

json_t *sensitivity_plausible(const struct param *param)
{
    if (param->row->type != PARAM_TEXT)
        return json_pack("[f, f]", param->plausible_low, param->plausible_high);
    json_t *list = json_array();
    for (char **choice = param->choices; *choice; choice++)
        json_array_append_new(list, json_string(*choice));
    return list;
}

/* Of a text for each choice, null where it makes no chip. */
static json_t *totals_json(const struct range *range, const struct range_row *row, bool text)
{
    if (!text)
        return json_pack("[I, I]", (json_int_t)row->at_low, (json_int_t)row->at_high);
    json_t *list = json_array();
    for (size_t i = row->first; i < row->first + row->count; i++)
        json_array_append_new(list, range->totals[i] == UINT64_MAX
                                        ? json_null()
                                        : json_integer((json_int_t)range->totals[i]));
    return list;
}

static json_t *row_json(const struct sensitivity *s, const struct range_row *row)
{
    const struct param *param = &s->config->params[row->param];
    return json_pack("{s:s, s:s, s:o, s:o, s:I, s:I}", "name", param->row->name, "provenance",
                     provenance_name[param->provenance], "plausible", sensitivity_plausible(param),
                     "at", totals_json(s->range, row, param->row->type == PARAM_TEXT), "least",
                     (json_int_t)row->least, "greatest", (json_int_t)row->greatest);
}

json_t *sensitivity_json(const struct sensitivity *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->range->count; i++)
        json_array_append_new(rows, row_json(s, &s->range->rows[i]));
    return json_pack("{s:o, s:s, s:I, s:{s:I, s:I}, s:I, s:I, s:o}", "program",
                     utf8_json(s->program), "machine", s->machine, "cycles", (json_int_t)s->cycles,
                     "range", "low", (json_int_t)s->range->low, "high", (json_int_t)s->range->high,
                     "optimistic", (json_int_t)s->range->optimistic, "pessimistic",
                     (json_int_t)s->range->pessimistic, "parameters", rows);
}
