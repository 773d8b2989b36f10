#include "analysis/diff_stream.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

static size_t slot_of(const struct diff_unit *unit, uint32_t stmt, uint32_t reason)
{
    const uint64_t key = (uint64_t)stmt << 8 | reason;
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (unit->slot_count - 1);
}

static int more_slots(struct diff_unit *unit)
{
    const size_t count = unit->slot_count ? unit->slot_count * 2 : 64;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return -1;
    free(unit->slots);
    unit->slots = slots;
    unit->slot_count = count;
    for (size_t i = 0; i < unit->cell_count; i++) {
        size_t at = slot_of(unit, unit->cells[i].stmt, unit->cells[i].reason);
        while (slots[at])
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t)i + 1;
    }
    return 0;
}

static int add_cell(struct diff_unit *unit, const struct sink_interval *interval)
{
    if (2 * unit->cell_count >= unit->slot_count && more_slots(unit) != 0)
        return -1;
    size_t at = slot_of(unit, interval->stmt, interval->reason);
    for (; unit->slots[at]; at = (at + 1) & (unit->slot_count - 1)) {
        struct diff_run *cell = &unit->cells[unit->slots[at] - 1];
        if (cell->stmt == interval->stmt && cell->reason == interval->reason) {
            cell->cycles += interval->duration;
            return 0;
        }
    }
    if (!grow_list(&unit->cells, &unit->cell_capacity, unit->cell_count + 1, sizeof *unit->cells))
        return -1;
    unit->cells[unit->cell_count++] =
        (struct diff_run){interval->stmt, interval->reason, interval->duration};
    unit->slots[at] = (uint32_t)unit->cell_count;
    return 0;
}

void diff_unit_begin(struct diff_unit *unit)
{
    *unit = (struct diff_unit){.issues = true, .all = true};
}

static int add_run(struct diff_unit *unit, uint32_t stmt, uint32_t reason, uint64_t cycles)
{
    struct diff_run *last = unit->run_count ? &unit->runs[unit->run_count - 1] : NULL;
    if (!unit->all || !cycles)
        return 0;
    if (last && last->stmt == stmt && last->reason == reason) {
        last->cycles += cycles;
        return 0;
    }
    unit->all = unit->run_count < DIFF_RUNS;
    if (!unit->all)
        return 0;
    if (!grow_list(&unit->runs, &unit->run_capacity, unit->run_count + 1, sizeof *unit->runs))
        return -1;
    unit->runs[unit->run_count++] = (struct diff_run){stmt, reason, cycles};
    return 0;
}

int diff_unit_add(struct diff_unit *unit, const struct sink_interval *interval)
{
    if (interval->start > unit->reached &&
        add_run(unit, NONE_ID, REASON_IDLE, interval->start - unit->reached) != 0)
        return -1;
    unit->reached = interval->start + interval->duration;
    return add_cell(unit, interval) != 0 ||
                   add_run(unit, interval->stmt, interval->reason, interval->duration) != 0
               ? -1
               : 0;
}

static void free_unit(struct diff_unit *unit)
{
    free(unit->cells);
    free(unit->slots);
    free(unit->runs);
    *unit = (struct diff_unit){.issues = false};
}

/* --- the sink --------------------------------------------------------------------------------- */

static int begin(void *context, const struct sink_header *header)
{
    struct diff_stream *stream = context;
    stream->units = calloc(header->unit_count + 1, sizeof *stream->units);
    if (!stream->units)
        return -1;
    stream->unit_count = header->unit_count;
    for (size_t i = 0; i < header->unit_count; i++)
        if (strcmp(header->units[i].kind, "issue") == 0)
            diff_unit_begin(&stream->units[i]);
    return 0;
}

static int take(void *context, const struct sink_interval *interval)
{
    struct diff_stream *stream = context;
    if (interval->unit >= stream->unit_count || !stream->units[interval->unit].issues)
        return 0;
    return diff_unit_add(&stream->units[interval->unit], interval);
}

struct sink diff_stream_sink(struct diff_stream *stream)
{
    static const struct sink_ops ops = {.name = "stream", .begin = begin, .interval = take};
    return (struct sink){&ops, stream};
}

void diff_stream_free(struct diff_stream *stream)
{
    for (size_t i = 0; i < stream->unit_count; i++)
        free_unit(&stream->units[i]);
    free(stream->units);
    *stream = (struct diff_stream){.units = NULL};
}
