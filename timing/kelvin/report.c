/* report: what a run gives its sink. */
#include <stdlib.h>

#include "host/grow.h"
#include "timing/kelvin/model.h"
#include "timing/summary.h"

/* --- lists of the header ---------------------------------------------------------------------- */

static const struct reason_info reasons[KELVIN_REASONS] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/kelvin/reason.def"
};
static const struct unit_info units[KELVIN_UNITS] = {
#define UNIT(id, name, path, kind, width, sentence) {name, path, kind, 1, width, 0},
#include "timing/kelvin/unit.def"
};
static const struct counter_info counters[KELVIN_COUNTERS] = {
#define COUNTER(id, name, unit, peak, sentence) {name, NULL, unit, sentence, peak},
#include "timing/kelvin/counter.def"
};

int kelvin_report_begin(const struct kelvin_model *m, const struct sink *sink,
                        const struct config *config, const char *command)
{
    const struct kelvin_program *program = m->program;
    const struct riscv_image *image = &program->image;
    struct stmt_info *stmts = calloc(image->stmt_count + 1, sizeof *stmts);
    struct file_info *files = calloc(image->file_count + 1, sizeof *files);
    int status = stmts && files ? 0 : -1;
    for (size_t i = 0; status == 0 && i < image->stmt_count; i++) {
        const struct riscv_stmt *s = &image->stmts[i];
        stmts[i] = (struct stmt_info){.file = s->file,
                                      .line = s->line,
                                      .region = program->region_of ? program->region_of[i] : 0,
                                      .text = s->text,
                                      .text_length = s->length};
    }
    for (size_t i = 0; status == 0 && i < image->file_count; i++)
        files[i] =
            (struct file_info){image->files[i].name, image->files[i].text, image->files[i].size};
    struct sink_header header = {.machine = "kelvin",
                                 .command = command,
                                 .clock_hz = config_real(config, KELVIN_PARAM_clock_hz, false),
                                 .files = files,
                                 .file_count = image->file_count,
                                 .stmts = stmts,
                                 .stmt_count = image->stmt_count,
                                 .regions = program->regions,
                                 .region_count = program->region_count,
                                 .units = units,
                                 .unit_count = KELVIN_UNITS,
                                 .reasons = reasons,
                                 .reason_count = KELVIN_REASONS,
                                 .counters = counters,
                                 .counter_count = KELVIN_COUNTERS};
    if (status == 0)
        status = machine_begin(sink, &header, config, program->sources, program->source_count);
    free(stmts);
    free(files);
    return status;
}

/* --- while it runs ---------------------------------------------------------------------------- */

static struct kelvin_cell *cell_of(struct kelvin_model *m, uint32_t stmt)
{
    if (!m->cell_of[stmt]) {
        struct kelvin_cell *cells =
            grow_big(m->cells, &m->cell_capacity, m->cell_count + 1, sizeof *cells);
        if (!cells) {
            m->status = -1;
            return NULL;
        }
        m->cells = cells;
        m->cell_of[stmt] = (uint32_t)++m->cell_count;
    }
    return &m->cells[m->cell_of[stmt] - 1];
}

void kelvin_count_event(struct kelvin_model *m, enum kelvin_unit unit, uint32_t stmt)
{
    struct kelvin_cell *cell = m->sink ? cell_of(m, stmt) : NULL;
    if (cell)
        cell->events[unit][REASON_BUSY]++;
}

void kelvin_charge(struct kelvin_model *m, enum kelvin_unit unit, uint32_t reason, uint32_t stmt,
                   uint64_t from, uint64_t to)
{
    struct kelvin_cell *cell = m->sink && to > from ? cell_of(m, stmt) : NULL;
    if (!cell)
        return;
    cell->cycles[unit][reason] += to - from;
    cell->events[unit][reason]++;
    if (reason == REASON_BUSY)
        account_busy(&m->account, unit, stmt, from, to - from);
    else
        account_reason(&m->account, unit, reason, stmt, from, to);
}

static enum edge_kind edge_of(uint32_t reason)
{
    return reason == REASON_PORT            ? EDGE_PORT
           : reason == REASON_QUEUE         ? EDGE_QUEUE
           : reason == REASON_MEMORY        ? EDGE_MEMORY
           : reason == KELVIN_REASON_FETCH  ? EDGE_SUPPLY
           : reason == KELVIN_REASON_BRANCH ? EDGE_ORDER
                                            : EDGE_DATA;
}

void kelvin_report_wait(struct kelvin_model *m, const struct kelvin_hold *cause, uint32_t dst,
                        uint64_t from)
{
    const struct sink_edge edge = {.src = cause->by.statement == UINT32_MAX ? NONE_ID
                                                                            : cause->by.statement,
                                   .dst = dst,
                                   .kind = edge_of(cause->reason),
                                   .unit = cause->unit,
                                   .rule = cause->rule ? cause->rule : "",
                                   .released = cause->at,
                                   .at = cause->at,
                                   .waited = cause->at > from ? cause->at - from : 0,
                                   .times = 1};
    if (m->sink && m->sink->ops->edge && m->status == 0 && edge.waited)
        m->status = m->sink->ops->edge(m->sink->context, &edge);
}

void kelvin_report_execution(struct kelvin_model *m, const struct sink_execution *execution)
{
    if (m->sink && m->sink->ops->execution && m->status == 0)
        m->status = m->sink->ops->execution(m->sink->context, execution);
}

/* --- at the end ------------------------------------------------------------------------------- */

static struct sink_stmt_total *stmt_rows(const struct kelvin_model *m, size_t *count)
{
    size_t most = 0;
    for (size_t c = 0; c < m->cell_count; c++)
        for (uint32_t u = 0; u < KELVIN_UNITS; u++)
            for (uint32_t r = 0; r < KELVIN_REASONS; r++)
                most += m->cells[c].events[u][r] != 0;
    struct sink_stmt_total *rows = malloc((most + 1) * sizeof *rows);
    for (uint32_t s = 0; rows && s < m->program->image.stmt_count; s++) {
        if (!m->cell_of[s])
            continue;
        const struct kelvin_cell *cell = &m->cells[m->cell_of[s] - 1];
        for (uint32_t u = 0; u < KELVIN_UNITS; u++)
            for (uint32_t r = 0; r < KELVIN_REASONS; r++)
                if (cell->events[u][r])
                    rows[(*count)++] = (struct sink_stmt_total){.stmt = s,
                                                                .unit = u,
                                                                .reason = r,
                                                                .cycles = cell->cycles[u][r],
                                                                .execs = cell->events[u][r]};
    }
    return rows;
}

int kelvin_report_finish(struct kelvin_model *m, struct sink_summary *s)
{
    if (!m->sink || !m->sink->ops->finish)
        return 0;
    account_reason(&m->account, KELVIN_UNIT_CORE, REASON_DRAINED, NONE_ID, m->settled, m->finish);
    account_flush(&m->account);
    struct sink_counter values[KELVIN_COUNTERS];
    for (uint32_t i = 0; i < KELVIN_COUNTERS; i++)
        values[i] = (struct sink_counter){.counter = i, .value = m->counters[i]};
    s->cycles = m->finish;
    s->events = m->kernel.events;
    s->counters = values;
    s->counter_count = KELVIN_COUNTERS;
    s->stmt_totals = stmt_rows(m, &s->stmt_total_count);
    int status = s->stmt_totals ? m->account.status : -1;
    if (status == 0)
        status = summary_fill(s, &m->account, &m->path);
    if (status == 0)
        status = m->sink->ops->finish(m->sink->context, s);
    summary_free(s);
    return status;
}
