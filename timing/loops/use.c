/* use: what steps do to units and accumulators, in single cycles. */
#include "timing/loops/model.h"

const char *loops_sum_rule(const struct loops_tile *t)
{
    return t->model->program->nests[t->walk.nest].type == LOOPS_F32 ? "add_latency"
                                                                    : "integer_latency";
}

/* The step adds to what earlier ones have left: sums in the math units, or in memory. */
static struct unit_event taking(const struct loops_step *step)
{
    return (struct unit_event){.unit = step->chained ? LOOPS_UNIT_MATH : LOOPS_UNIT_MEMORY,
                               .part = step->chained ? ".sums" : "",
                               .operation = "read",
                               .amount = (uint32_t)step->lanes,
                               .of = "lanes"};
}

/* It leaves sums in the math units, or stores its results. */
static struct unit_event leaving(const struct loops_tile *t)
{
    const struct loops_step *step = &t->walk.step;
    return (struct unit_event){.unit = step->stores ? LOOPS_UNIT_MEMORY : LOOPS_UNIT_MATH,
                               .part = step->stores ? "" : ".sums",
                               .operation = "write",
                               .landing = step->stores ? "stored" : "ready",
                               .phase = PHASE_NOTICE,
                               .amount = (uint32_t)step->lanes,
                               .of = "lanes",
                               .lands = (uint32_t)loops_result(step),
                               .rule = step->stores ? "write_latency" : loops_sum_rule(t)};
}

static uint64_t count_of(const struct loops_step *step)
{
    uint64_t count = 0;
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        count += step->taken[u] > 0;
    if (!step->setup)
        count += (step->chained || step->loads) + (loops_result(step) ? UINT64_C(2) : 1);
    return count;
}

static void happens(struct loops_tile *t, uint64_t at, struct unit_event event)
{
    event.unit = loops_unit_of(t->model, t->walk.tile, event.unit);
    event.stmt = t->walk.step.stmt;
    unit_event_at(t->model->base.unit_events, at, &event, "step");
}

void loops_use(struct loops_tile *t, uint64_t at)
{
    const struct loops_step *step = &t->walk.step;
    struct machine_model *model = &t->model->base;
    if (!model->unit_events) {
        model->kernel.unit_events += count_of(step);
        return;
    }
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        if (step->taken[u])
            happens(t, at,
                    (struct unit_event){.unit = u,
                                        .part = "",
                                        .operation = "begin",
                                        .amount = (uint32_t)step->taken[u],
                                        .of = "cycles"});
    if (step->setup)
        return;
    if (step->chained || step->loads)
        happens(t, at, taking(step));
    happens(t, at, leaving(t));
}

static uint32_t line_of(const void *context, uint32_t stmt)
{
    return ((const struct loops_model *)context)->stmts[stmt].line;
}

const struct unit_event_calls loops_unit_events = {.line = line_of};
