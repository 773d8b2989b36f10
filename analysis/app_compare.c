#include "analysis/app_compare.h"

#include <inttypes.h>
#include <jansson.h>

#include "analysis/utf8_json.h"
#include "host/number.h"

/* --- bounds ----------------------------------------------------------------------------------- */

int app_bounds_find(struct app_bounds *b, char error[MACHINE_ERROR])
{
    int status = 0;
    for (unsigned c = 0; status == 0 && c < BOUND_CLASSES; c++)
        status = app_answer_bound(b->answer, (enum bound_class)c, &b->cycles[c], error);
    return status;
}

void app_bounds_print(const struct app_bounds *b, FILE *out)
{
    char cycles[NUMBER_TEXT], gap[NUMBER_TEXT];
    const uint64_t total = b->answer->time.total;
    fprintf(out, "%s   %s cycles\n", b->answer->how.app->source->name,
            number_group(cycles, (int64_t)total));
    for (unsigned c = 0; c < BOUND_CLASSES; c++) {
        const uint64_t less = total > b->cycles[c] ? total - b->cycles[c] : 0;
        fprintf(out, "  %-12s %18s   gap %s cycles, %.1f %%\n", bound_class_names[c],
                number_group(cycles, (int64_t)b->cycles[c]), number_group(gap, (int64_t)less),
                total ? 100 * (double)less / (double)total : 0);
    }
    fputs("  each turn by what is proven of its program; transfers as they are\n", out);
}

json_t *app_bounds_json(const struct app_bounds *b)
{
    json_t *list = json_array();
    for (unsigned c = 0; c < BOUND_CLASSES; c++)
        json_array_append_new(list, json_pack("{s:s, s:I}", "class", bound_class_names[c], "cycles",
                                              (json_int_t)b->cycles[c]));
    return json_pack("{s:o, s:I, s:o}", "application", utf8_json(b->answer->how.app->source->name),
                     "cycles", (json_int_t)b->answer->time.total, "bounds", list);
}

/* --- other numbers ---------------------------------------------------------------------------- */

static double percent(int64_t difference, uint64_t of)
{
    return of ? 100 * (double)difference / (double)of : 0;
}

void app_whatif_print(const struct app_whatif *w, FILE *out)
{
    char one[NUMBER_TEXT], two[NUMBER_TEXT], limit[APP_LIMIT], text[APP_TEXT];
    const struct app *app = w->before->how.app;
    const uint64_t before = w->before->time.total, after = w->after->time.total;
    const int64_t more = (int64_t)(after - before);
    fprintf(out, "%s   %s cycles -> %s", app->source->name, number_group(one, (int64_t)before),
            number_group(two, (int64_t)after));
    fprintf(out, "   %s%s cycles, %+.1f %%\n", more >= 0 ? "+" : "", number_group(one, more),
            percent(more, before));
    fprintf(out, "LIMIT   %s\n", app_answer_limit(w->before, limit));
    fprintf(out, "  then  %s\n", app_answer_limit(w->after, limit));
    for (size_t s = 0; s < app->count; s++) {
        const struct app_step *step = &app->steps[s];
        const uint64_t old = w->before->time.sums[s].own, new = w->after->time.sums[s].own;
        if (old == new)
            continue;
        fprintf(out, "%5" PRIu32 "  %-6s %-32.32s %14s -> %14s\n", step->line,
                app_kind_name(step->kind), app_step_text(app, step, text),
                number_group(one, (int64_t)old), number_group(two, (int64_t) new));
    }
}

json_t *app_whatif_json(const struct app_whatif *w)
{
    char before[APP_LIMIT], after[APP_LIMIT];
    json_t *sets = json_array();
    for (const char *const *set = w->sets; set && *set; set++)
        json_array_append_new(sets, utf8_json(*set));
    return json_pack("{s:o, s:[I,I], s:I, s:o, s:[o,o]}", "application",
                     utf8_json(w->before->how.app->source->name), "cycles",
                     (json_int_t)w->before->time.total, (json_int_t)w->after->time.total,
                     "difference", (json_int_t)(w->after->time.total - w->before->time.total),
                     "set", sets, "limit", utf8_json(app_answer_limit(w->before, before)),
                     utf8_json(app_answer_limit(w->after, after)));
}
