/* app_json: the answer about an application as JSON. docs/json.md has the names. */
#include <jansson.h>
#include <stdlib.h>

#include "analysis/app_answer.h"
#include "analysis/utf8_json.h"

/* NULL is a value for which the host has no memory. */
static void put(json_t *object, const char *key, json_t *value, bool *whole)
{
    *whole &= json_object_set_new(object, key, value) == 0;
}

static void append(json_t *array, json_t *value, bool *whole)
{
    *whole &= json_array_append_new(array, value) == 0;
}

static json_t *step_json(const struct app_answer *a, size_t s, bool *whole)
{
    const struct app_step *step = &a->how.app->steps[s];
    const struct app_sum *sum = &a->time.sums[s];
    json_t *o = json_pack("{s:s, s:I, s:I}", "step", app_kind_name(step->kind), "line",
                          (json_int_t)step->line, "depth", (json_int_t)step->depth);
    put(o, "times", json_integer((json_int_t)step->times), whole);
    if (step->kind == APP_REPEAT)
        return o;
    if (step->kind == APP_RUN)
        put(o, "program", utf8_json(a->how.app->programs[step->program].path), whole);
    else
        put(o, "bytes", json_integer((json_int_t)step->bytes), whole);
    put(o, "board", step->board == APP_ALL ? json_string("all") : json_integer(step->board), whole);
    put(o, "with_next", json_boolean(step->with_next), whole);
    put(o, "done", json_integer((json_int_t)sum->done), whole);
    put(o, "cycles", json_integer((json_int_t)sum->own), whole);
    put(o, "exposed", json_integer((json_int_t)sum->exposed), whole);
    return o;
}

static json_t *turns_json(const struct app_answer *a, bool *whole)
{
    json_t *list = json_array();
    for (size_t r = 0; r < a->time.row_count; r++) {
        const struct app_row *row = &a->time.rows[r];
        const struct app_turn *turn = &a->time.turns.turns[row->turn];
        append(list,
               json_pack("{s:I, s:I, s:I, s:I, s:I}", "line",
                         (json_int_t)a->how.app->steps[row->step].line, "kind",
                         (json_int_t)row->turn, "turns", (json_int_t)row->turns, "exposed",
                         (json_int_t)row->exposed, "cycles", (json_int_t)turn->cycles),
               whole);
    }
    return list;
}

static json_t *shares_json(const struct app_answer *a, bool *whole)
{
    json_t *path = json_array(), *busy = json_array();
    char text[APP_TEXT];
    for (size_t i = 0; i < a->part_count; i++)
        append(path,
               json_pack("{s:o, s:I}", "what", utf8_json(app_part_name(a, &a->parts[i], text)),
                         "cycles", (json_int_t)a->parts[i].cycles),
               whole);
    for (size_t i = 0; i < a->busy_count; i++)
        if (a->busy[i].cycles)
            append(busy,
                   json_pack("{s:s, s:I, s:f}", "unit", a->busy[i].name, "busy",
                             (json_int_t)a->busy[i].cycles, "share", a->busy[i].share),
                   whole);
    return json_pack("{s:o, s:o}", "path", path, "units", busy);
}

json_t *app_answer_json(const struct app_answer *a)
{
    const struct app *app = a->how.app;
    char limit[APP_LIMIT];
    bool fine = true, *whole = &fine;
    json_t *o = json_pack("{s:o, s:s, s:I, s:I}", "application", utf8_json(app->source->name),
                          "machine", app->machine->name, "boards", (json_int_t)app->boards,
                          "cycles", (json_int_t)a->time.total);
    if (!a->how.options->documented)
        put(o, "cycles_documented", json_integer((json_int_t)a->documented), whole);
    if (a->range.known)
        put(o, "range",
            json_pack("{s:I, s:I, s:I}", "low", (json_int_t)a->range.low, "high",
                      (json_int_t)a->range.high, "parameters", (json_int_t)a->range.count),
            whole);
    if (a->time.clock_hz > 0) {
        put(o, "seconds", json_real((double)a->time.total / a->time.clock_hz), whole);
        put(o, "clock_hz", json_real(a->time.clock_hz), whole);
    }
    put(o, "limit", utf8_json(app_answer_limit(a, limit)), whole);
    put(o, "simulated", json_integer((json_int_t)a->time.turns.simulated), whole);
    json_t *steps = json_array();
    for (size_t s = 0; s < app->count; s++)
        append(steps, step_json(a, s, whole), whole);
    put(o, "steps", steps, whole);
    put(o, "turns", turns_json(a, whole), whole);
    json_t *shares = shares_json(a, whole);
    fine &= json_object_update(o, shares) == 0;
    json_decref(shares);
    if (fine)
        return o;
    json_decref(o);
    return NULL;
}
