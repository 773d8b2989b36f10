/* flight: what a vector operation reads, writes and takes, as far as its dispatch says it. */
#include "timing/kelvin/model.h"

/* Registers and cycles that depend on the control word. */
static void widen(const struct kelvin_cost *cost, const struct kelvin_step *step,
                  struct kelvin_flight *f)
{
    uint32_t x[32] = {0};
    struct kelvin_vector_work work = {0};
    x[cost->op.operands.at[KELVIN_T] & 31] = step->value;
    kelvin_vector_work(&cost->op, x, &work);
    f->reads = work.reads;
    f->writes = work.writes;
    if (!cost->cycles) { /* aconv: from lane start to lane stop */
        const uint32_t start = step->value >> 2 & 31, stop = step->value >> 7 & 31;
        f->cycles = (uint16_t)(stop >= start ? stop - start + 1 : 1);
    }
}

void kelvin_flight_fill(struct kelvin_flight *f, const struct kelvin_cost *cost,
                        const struct kelvin_step *step)
{
    *f = (struct kelvin_flight){.stmt = step->stmt,
                                .both = cost->both,
                                .strip = cost->strip,
                                .load = cost->v_writes != 0,
                                .unit = cost->unit,
                                .cycles = cost->cycles,
                                .reads = cost->v_reads,
                                .writes = cost->v_writes,
                                .address = step->address,
                                .stride = step->stride,
                                .pieces = step->pieces,
                                .piece = step->piece,
                                .last = step->last};
    if (cost->wide)
        widen(cost, step, f);
    if (cost->unit != KELVIN_UNIT_LDST)
        return;
    if (!f->pieces) { /* of length 0: it only passes through the unit */
        f->pieces = 1;
        f->last = 0;
    }
    f->cycles = f->pieces;
}
