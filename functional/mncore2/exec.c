#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/arith_select.h"
#include "functional/mncore2/poison.h"
#include "functional/mncore2/state.h"

struct exec *mncore2_exec_new(const struct exec_options *options, char *error, size_t error_size)
{
    struct exec *e = calloc(1, sizeof *e);
    if (e == NULL) {
        snprintf(error, error_size, "no memory for the machine state");
        return NULL;
    }
    e->options = *options;
    mncore2_arith_select(options->reference);
    e->workers = workers_new(options->threads);
    e->lanes = calloc((size_t)2 * CYCLES * PES, sizeof *e->lanes);
    e->up = calloc(L1BS, sizeof *e->up);
    e->down = calloc(L1BS, sizeof *e->down);
    e->out = calloc(L2BS, sizeof *e->out);
    e->delivered = calloc((size_t)MABS * 32, sizeof *e->delivered);
    if (e->workers == NULL || e->lanes == NULL || e->up == NULL || e->down == NULL ||
        e->out == NULL || e->delivered == NULL || mncore2_exec_step_prepare(e) < 0 ||
        mncore2_state_init(e) < 0) {
        snprintf(error, error_size,
                 "no memory for the machine state (16 GiB of address space are reserved)");
        mncore2_exec_free(e);
        return NULL;
    }
    return e;
}

void mncore2_exec_free(struct exec *e)
{
    if (e == NULL)
        return;
    workers_free(e->workers);
    mncore2_poison_free(e->poison);
    mncore2_exec_step_release(e);
    mncore2_state_release(e);
    free(e->lanes);
    free(e->up);
    free(e->down);
    free(e->out);
    free(e->delivered);
    free(e->text);
    free(e);
}

int mncore2_exec_poison(struct exec *e, const struct program *program,
                        const struct poison_end *ends, uint64_t seed)
{
    e->poison = mncore2_poison_new(e, program, ends, seed);
    return e->poison ? 0 : -1;
}

static int run_item(struct exec *e, const struct program *program, size_t item,
                    struct diag_list *diags)
{
    const struct stmt *stmt = &program->stmts[program->items[item].stmt];
    switch (stmt->kind) {
    case STMT_STEP:
        return mncore2_exec_step_run(e, stmt->step);
    case STMT_MV:
        mncore2_exec_mv_run(e, stmt->mv);
        return 0;
    case STMT_GET:
        return mncore2_exec_debug_get(e, program, item, stmt->debug, diags);
    case STMT_SET:
    case STMT_PRESET:
        return mncore2_exec_debug_set(
            e, program->sources[mncore2_program_source(program, item)].text, stmt->debug);
    default: /* mvnop */
        return 0;
    }
}

int mncore2_exec_item(struct exec *e, const struct program *program, size_t item,
                      struct diag_list *diags)
{
    if (!e->poison)
        return run_item(e, program, item, diags);
    int status = mncore2_poison_begin(e->poison, item);
    if (status == 0)
        status = run_item(e, program, item, diags);
    return status == 0 ? mncore2_poison_end(e->poison, item) : status;
}
