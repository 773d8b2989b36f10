/* app_json: the answer about an application as JSON. docs/json.md has the names. */
#include <jansson.h>
#include <stdlib.h>

#include "analysis/app_answer.h"
#include "analysis/json_build.h"
#include "analysis/utf8_json.h"

static json_t *step_json(const struct app_answer *a, size_t s)
{
    const struct app_step *step = &a->how.app->steps[s];
    const struct app_sum *sum = &a->time.sums[s];
    json_t *o = json_pack("{s:s, s:I, s:I}", "step", app_kind_name(step->kind), "line",
                          (json_int_t)step->line, "depth", (json_int_t)step->depth);
    build_field(&o, "times", json_integer((json_int_t)step->times));
    if (step->kind == APP_REPEAT)
        return o;
    if (step->kind == APP_RUN)
        build_field(&o, "program", utf8_json(a->how.app->programs[step->program].path));
    else
        build_field(&o, "bytes", json_integer((json_int_t)step->bytes));
    build_field(&o, "board",
                step->board == APP_ALL ? json_string("all") : json_integer(step->board));
    build_field(&o, "with_next", json_boolean(step->with_next));
    build_field(&o, "done", json_integer((json_int_t)sum->done));
    build_field(&o, "cycles", json_integer((json_int_t)sum->own));
    build_field(&o, "exposed", json_integer((json_int_t)sum->exposed));
    return o;
}

static json_t *turns_json(const struct app_answer *a)
{
    json_t *list = json_array();
    for (size_t r = 0; r < a->time.row_count; r++) {
        const struct app_row *row = &a->time.rows[r];
        const struct app_turn *turn = &a->time.turns.turns[row->turn];
        build_row(&list,
                  json_pack("{s:I, s:I, s:I, s:I, s:I}", "line",
                            (json_int_t)a->how.app->steps[row->step].line, "kind",
                            (json_int_t)row->turn, "turns", (json_int_t)row->turns, "exposed",
                            (json_int_t)row->exposed, "cycles", (json_int_t)turn->cycles));
    }
    return list;
}

static json_t *shares_json(const struct app_answer *a)
{
    json_t *path = json_array(), *busy = json_array();
    char text[APP_TEXT];
    for (size_t i = 0; i < a->part_count; i++)
        build_row(&path,
                  json_pack("{s:o, s:I}", "what", utf8_json(app_part_name(a, &a->parts[i], text)),
                            "cycles", (json_int_t)a->parts[i].cycles));
    for (size_t i = 0; i < a->busy_count; i++)
        if (a->busy[i].cycles)
            build_row(&busy, json_pack("{s:s, s:I, s:f}", "unit", a->busy[i].name, "busy",
                                       (json_int_t)a->busy[i].cycles, "share", a->busy[i].share));
    return json_pack("{s:o, s:o}", "path", path, "units", busy);
}

json_t *app_answer_json(const struct app_answer *a)
{
    const struct app *app = a->how.app;
    char limit[APP_LIMIT];
    json_t *o = json_pack("{s:o, s:s, s:I, s:I}", "application", utf8_json(app->source->name),
                          "machine", app->machine->name, "boards", (json_int_t)app->boards,
                          "cycles", (json_int_t)a->time.total);
    if (!a->how.options->documented)
        build_field(&o, "cycles_documented", json_integer((json_int_t)a->documented));
    if (a->range.known)
        build_field(&o, "range",
                    json_pack("{s:I, s:I, s:I}", "low", (json_int_t)a->range.low, "high",
                              (json_int_t)a->range.high, "parameters", (json_int_t)a->range.count));
    if (a->time.clock_hz > 0) {
        build_field(&o, "seconds", json_real((double)a->time.total / a->time.clock_hz));
        build_field(&o, "clock_hz", json_real(a->time.clock_hz));
    }
    build_field(&o, "limit", utf8_json(app_answer_limit(a, limit)));
    build_field(&o, "simulated", json_integer((json_int_t)a->time.turns.simulated));
    json_t *steps = json_array();
    for (size_t s = 0; s < app->count; s++)
        build_row(&steps, step_json(a, s));
    build_field(&o, "steps", steps);
    build_field(&o, "turns", turns_json(a));
    json_t *shares = shares_json(a);
    if (json_object_update(o, shares) != 0) {
        json_decref(o);
        o = NULL;
    }
    json_decref(shares);
    return o;
}
