/* report: what the sink is given. */
#include "timing/ventus/model.h"

#include <stdlib.h>

const struct reason_info ventus_reasons[VENTUS_REASONS] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/ventus/reason.def"
};
const struct counter_info ventus_counters[VENTUS_COUNTERS] = {
#define COUNTER(id, name, index, unit, sentence) {name, index, unit, sentence, 0},
#include "timing/ventus/counter.def"
};

int ventus_report_describe(const struct machine_run *run, struct sink_header *header,
                           struct machine_lists *lists)
{
    const struct ventus_program *program = &run->program->program;
    const struct ventus_model *m = (const struct ventus_model *)run->model;
    const struct riscv_image *image = &program->image;
    struct file_info *files = lists->files = calloc(image->file_count + 1, sizeof *files);
    if (!files)
        return -1;
    for (size_t i = 0; i < image->file_count; i++)
        files[i] =
            (struct file_info){image->files[i].name, image->files[i].text, image->files[i].size};
    header->files = files;
    header->file_count = image->file_count;
    lists->sources = program->sources;
    lists->source_count = program->source_count;
    if (!m)
        return 0;
    lists->counters[VENTUS_COUNTER_SINGLE].peak = 2.0 * m->launch->threads * m->sm_count;
    header->stmts = m->stmts;
    header->stmt_count = m->stmt_count;
    header->units = m->units;
    header->unit_count = m->unit_count;
    return 0;
}

/* The cycles of each warp after its last instruction, while others still run. */
static void charge_tails(struct ventus_model *m)
{
    for (struct ventus_thread *t = m->threads; t < m->threads + m->sm_count * m->sm_warps; t++)
        if (m->streams[t->number].ordinal)
            account_reason(&m->base.account, ventus_warp_unit(m, t), REASON_DRAINED, NONE_ID,
                           t->order, m->base.finish);
}

/* Those of one value, then lanes by line and accesses by lines. */
static struct sink_counter *counter_rows(const struct ventus_model *m, size_t *count)
{
    const size_t most = VENTUS_COUNTERS + m->stmt_count + VENTUS_LINES + 1;
    struct sink_counter *rows = malloc(most * sizeof *rows);
    if (!rows)
        return NULL;
    for (uint32_t c = 0; c < VENTUS_COUNTERS; c++)
        if (!ventus_counters[c].index)
            rows[(*count)++] = (struct sink_counter){.counter = c, .value = m->counters[c]};
    for (size_t i = 0; i < m->stmt_count; i++)
        if (m->idle[i])
            rows[(*count)++] =
                (struct sink_counter){VENTUS_COUNTER_IDLE_AT, m->stmts[i].line, m->idle[i]};
    for (uint32_t lines = 0; lines <= VENTUS_LINES; lines++)
        if (m->by_lines[lines])
            rows[(*count)++] =
                (struct sink_counter){VENTUS_COUNTER_ACCESSES_OF, lines, m->by_lines[lines]};
    return rows;
}

int ventus_settle(struct machine_model *model, struct sink_summary *s)
{
    struct ventus_model *m = (struct ventus_model *)model;
    charge_tails(m);
    ventus_levels_settle(m);
    s->counters = counter_rows(m, &s->counter_count);
    return s->counters ? 0 : -1;
}

void ventus_report_finding(const struct machine_run *run, enum diag_severity severity, uint32_t pc,
                           const char *name, const char *sentence)
{
    char insn[VENTUS_TEXT];
    struct diag at = {.severity = severity, .length = 1, .name = name};
    if (ventus_program_where(&run->program->program, pc, &at, insn) || !insn[0])
        diag_add(run->diags, &at, "pc 0x%08x: %s", pc, sentence);
    else
        diag_add(run->diags, &at, "pc 0x%08x (%s): %s", pc, insn, sentence);
}

void ventus_report_fault(const struct machine_run *run, const char *sentence)
{
    const struct ventus_run *values = run->own; /* first there */
    ventus_report_finding(run, DIAG_ERROR, values->fault_pc, "", sentence);
}
