#include "timing/kelvin/values.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

enum { CHUNK = 4096, KEPT = 1 << 16 }; /* steps executed at a time; steps kept at most */

int kelvin_values_judge(const struct machine_run *run, char error[MACHINE_ERROR])
{
    const struct kelvin_values *values = run->own;
    const struct kelvin_program *program = &run->program->program;
    const enum kelvin_end end = kelvin_exec_end(values->exec);
    if (end == KELVIN_RUNS && kelvin_exec_done(values->exec) >= values->most) {
        snprintf(error, MACHINE_ERROR,
                 "the program has not ended after %llu instructions (--max-instructions)",
                 (unsigned long long)values->most);
        return 1;
    }
    if (end == KELVIN_RUNS || end == KELVIN_ENDED)
        return kelvin_exec_failed(values->exec) ? -1 : 0;
    const uint32_t stmt = kelvin_exec_stmt(values->exec);
    if (program->elf || stmt == RISCV_NO_STMT) {
        snprintf(error, MACHINE_ERROR, "%s", kelvin_exec_sentence(values->exec));
        return 1;
    }
    const struct riscv_stmt *at = &program->image.stmts[stmt];
    const struct diag where = {.severity = DIAG_ERROR,
                               .file = at->file,
                               .line = at->line,
                               .column = at->column,
                               .length = at->length};
    diag_add(run->diags, &where, "%s%s", kelvin_exec_sentence(values->exec),
             end == KELVIN_BROKE_OFF ? "\nend a program that passes with mpause" : "");
    return 1;
}

uint64_t kelvin_values_room(const struct kelvin_values *values, uint64_t budget)
{
    const uint64_t left = values->most - kelvin_exec_done(values->exec);
    return left < budget ? left : budget;
}

/* Keep the steps of the first model for others: a short program is executed only once. */
static void keep_steps(struct kelvin_values *values, const struct kelvin_model *m)
{
    const size_t count = values->kept_count + m->step_count;
    struct kelvin_step *kept =
        values->kept_count == m->fed && count <= KEPT
            ? grow(values->kept, &values->kept_capacity, count + 1, sizeof *kept)
            : NULL;
    if (!kept)
        return;
    values->kept = kept;
    memcpy(kept + values->kept_count, m->steps, m->step_count * sizeof *kept);
    values->kept_count = count;
    values->kept_all = m->all && m->base.status == 0;
}

/* The first model of a run uses the run's executor; others use a copy. */
void kelvin_feed(struct kelvin_model *m)
{
    struct kelvin_values *values = m->base.run->own;
    m->step = m->step_count = 0;
    if (!m->steps && !m->base.sink && values->kept_all && !m->base.options.own) {
        m->steps = values->kept;
        m->step_count = values->kept_count;
        m->borrowed = m->all = true;
        return;
    }
    if (!m->steps) {
        m->steps = malloc(CHUNK * sizeof *m->steps);
        if (m->base.sink)
            values->start = kelvin_exec_copy(values->exec);
        else
            m->copy = kelvin_exec_copy(values->start);
        if (!m->steps || !(m->base.sink ? values->start : m->copy))
            m->base.status = -1;
    }
    struct kelvin_exec *exec = m->copy ? m->copy : values->exec;
    if (m->base.status == 0)
        kelvin_exec_time(exec);
    const uint64_t most = m->base.options.own ? 1 : CHUNK; /* a history sees each instruction */
    if (m->base.status == 0)
        m->step_count =
            (size_t)kelvin_exec_advance(exec, kelvin_values_room(values, most), m->steps);
    if (m->base.status == 0 && !m->copy)
        m->base.status = kelvin_values_judge(m->base.run, m->base.error);
    m->all = m->base.status != 0 || kelvin_exec_end(exec) != KELVIN_RUNS;
    if (m->base.status == 0 && !m->step_count && kelvin_exec_asks(exec) != RISCV_NO_STMT) {
        m->steps[0] = (struct kelvin_step){.stmt = kelvin_exec_asks(exec)};
        m->step_count = 1;
        m->asks = true;
    } else if (m->base.options.own && m->step_count) {
        kelvin_history_executed(m, exec);
    } else if (m->base.sink) { /* with other cycles, execution may take another path */
        keep_steps(values, m);
    }
    m->fed += m->step_count;
}

/* Execute the step that waited for its cycle. */
void kelvin_tell(struct kelvin_model *m, uint64_t cycle)
{
    struct kelvin_values *values = m->base.run->own;
    struct kelvin_exec *exec = m->copy ? m->copy : values->exec;
    m->asks = false;
    kelvin_exec_tell(exec, cycle);
    kelvin_exec_advance(exec, 1, &m->steps[m->step]);
    if (m->base.options.own)
        kelvin_history_executed(m, exec);
    if (!m->copy)
        m->base.status = kelvin_values_judge(m->base.run, m->base.error);
    m->all = m->base.status != 0 || kelvin_exec_end(exec) != KELVIN_RUNS;
}
