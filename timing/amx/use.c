/* use: what instructions do to arrays, ports and registers, in single cycles. */
#include "timing/amx/model.h"

/* The registers of a thread: X, Y and Z. */
enum { FILES = 3 };
static const struct {
    const char *part;
    unsigned first, count; /* places */
} files[FILES] = {
    {".x", PLACE_X, AMX_XY_REGS}, {".y", PLACE_Y, AMX_XY_REGS}, {".z", 0, AMX_Z_ROWS}};

/* Of a set of places, those of a file. */
static uint32_t rows(const uint64_t places[PLACE_WORDS], unsigned file)
{
    const uint64_t all =
        files[file].count < 64 ? (UINT64_C(1) << files[file].count) - 1 : UINT64_MAX;
    return (uint32_t)__builtin_popcountll(places[files[file].first / 64] >> files[file].first % 64 &
                                          all);
}

/* Cycles until what it stores is in memory; 0: it stores nothing. */
static uint32_t stored(const struct cost *cost)
{
    bool loads = false;
    for (unsigned f = 0; f < FILES; f++)
        loads = loads || rows(cost->writes, f);
    return cost->port == UNIT_LDST && !loads ? cost->latency : 0;
}

uint32_t amx_use_count(const struct cost *cost)
{
    uint32_t count = stored(cost) ? 2 : cost->port != UNIT_CPU;
    for (unsigned f = 0; f < FILES; f++) {
        count += rows(cost->reads, f) > 0;
        if (rows(cost->writes, f))
            count += cost->latency ? 2 : 1;
    }
    return count;
}

static void use_registers(struct thread *t, const struct cost *cost, uint64_t at, unsigned file)
{
    struct unit_events *set = t->model->base.unit_events;
    struct unit_event event = {.unit = cpu_unit(t),
                               .stmt = t->stmt,
                               .part = files[file].part,
                               .operation = "read",
                               .landing = "ready",
                               .phase = PHASE_NOTICE,
                               .amount = rows(cost->reads, file),
                               .of = "rows"};
    if (event.amount)
        unit_event_at(set, at, &event, "issue");
    event.operation = "write";
    event.amount = rows(cost->writes, file);
    event.lands = cost->latency;
    event.rule = cost->rule;
    if (event.amount)
        unit_event_at(set, at, &event, "issue");
}

void amx_use(struct thread *t, const struct cost *cost, uint64_t at)
{
    struct machine_model *model = &t->model->base;
    const uint32_t port = port_of(t, cost);
    const struct unit_event event = {.unit = port,
                                     .stmt = t->stmt,
                                     .part = "",
                                     .operation = "begin",
                                     .landing = "stored",
                                     .phase = PHASE_NOTICE,
                                     .amount = cost->interval,
                                     .of = "cycles",
                                     .lands = stored(cost),
                                     .rule = cost->rule};
    if (!model->unit_events) {
        model->kernel.unit_events += cost->events;
        return;
    }
    if (port != NO_PORT)
        unit_event_at(model->unit_events, at, &event, "issue");
    for (unsigned f = 0; f < FILES; f++)
        use_registers(t, cost, at, f);
}

static uint32_t line_of(const void *context, uint32_t stmt)
{
    return ((const struct amx_model *)context)->stmts[stmt].line;
}

const struct unit_event_calls amx_unit_events = {.line = line_of};
