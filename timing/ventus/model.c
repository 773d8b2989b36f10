/* model: statements and units. */
#include "timing/ventus/model.h"

#include <stdlib.h>
#include <string.h>

static void shape(const void *context, uint32_t stmt, struct path_shape *shape)
{
    const struct ventus_cost *cost = &((const struct ventus_model *)context)->cost[stmt];
    *shape = (struct path_shape){cost->latency, cost->reads, cost->writes};
}

/* --- making and freeing ----------------------------------------------------------------------- */

static int make_stmts(struct ventus_model *m)
{
    const struct ventus_program *program = m->program;
    m->stmt_count = m->launch->op_count;
    m->cost = calloc(m->stmt_count + 1, sizeof *m->cost);
    m->stmts = calloc(m->stmt_count + 1, sizeof *m->stmts);
    if (!m->cost || !m->stmts)
        return -1;
    for (size_t i = 0; i < m->stmt_count; i++) {
        m->cost[i] = ventus_cost_of(m, i);
        const struct riscv_stmt *stmt = ventus_program_stmt(program, i);
        m->stmts[i] = (struct stmt_info){.line = 1, .text = "data", .text_length = 4};
        if (stmt)
            m->stmts[i] = (struct stmt_info){.file = stmt->file,
                                             .line = stmt->line,
                                             .text = stmt->text,
                                             .text_length = stmt->length};
    }
    return 0;
}

static const struct {
    const char *name, *path, *kind;
    bool shared;
} unit_rows[VENTUS_UNIT_KINDS] = {
#define UNIT(id, name, path, kind, shared, sentence)                                               \
    [VENTUS_UNIT_##id] = {name, path, kind, shared},
#include "timing/ventus/unit.def"
};

static struct unit_info *name_unit(struct ventus_model *m, uint32_t at, uint32_t kind, uint32_t sm,
                                   uint32_t slot)
{
    char(*name)[48] = m->names[at];
    const char *row = unit_rows[kind].name, *path = unit_rows[kind].path;
    if (unit_rows[kind].shared) {
        snprintf(name[0], sizeof name[0], "%s", row);
        snprintf(name[1], sizeof name[1], "chip.%s", path);
    } else if (kind == VENTUS_UNIT_WARP) {
        snprintf(name[0], sizeof name[0], "sm%u.%s%u", sm, row, slot);
        snprintf(name[1], sizeof name[1], "chip.sm%u.%s%u", sm, path, slot);
    } else {
        snprintf(name[0], sizeof name[0], "sm%u.%s", sm, row);
        snprintf(name[1], sizeof name[1], "chip.sm%u.%s", sm, path);
    }
    m->units[at] = (struct unit_info){
        .name = name[0], .path = name[1], .kind = unit_rows[kind].kind, .instances = 1};
    return &m->units[at];
}

static int make_units(struct ventus_model *m)
{
    m->unit_count = ventus_level_unit(m, VENTUS_UNIT_KINDS - VENTUS_UNIT_L2);
    m->units = calloc(m->unit_count, sizeof *m->units);
    m->names = calloc(m->unit_count, sizeof *m->names);
    if (!m->units || !m->names)
        return -1;
    for (uint32_t s = 0; s < m->sm_count; s++) {
        for (uint32_t p = 0; p < VENTUS_PORTS; p++)
            name_unit(m, ventus_port_unit(m, s, p), p, s, 0);
        for (uint32_t w = 0; w < m->sm_warps; w++)
            name_unit(m, s * (VENTUS_PORTS + m->sm_warps) + VENTUS_PORTS + w, VENTUS_UNIT_WARP, s,
                      w);
        m->units[ventus_port_unit(m, s, VENTUS_UNIT_FPU)].peak_flops = 2.0 * m->launch->threads;
        m->units[ventus_port_unit(m, s, VENTUS_UNIT_LSU)].width =
            (double)m->value[VENTUS_PARAM_l1d_line] / 8;
    }
    for (uint32_t kind = VENTUS_UNIT_L2; kind < VENTUS_UNIT_KINDS; kind++)
        name_unit(m, ventus_level_unit(m, kind - VENTUS_UNIT_L2), kind, 0, 0);
    return 0;
}

/* Ports are taken without requests: issue decides which comes first. */
static void start(void *context, const struct request *request, uint64_t now)
{
    (void)context;
    (void)request;
    (void)now;
}

static const struct resource_calls port_calls = {.start = start};

static int make_threads(struct ventus_model *m)
{
    const uint32_t count = m->sm_count * m->sm_warps;
    for (uint32_t s = 0; s < m->sm_count; s++) {
        struct ventus_sm *sm = &m->sms[s];
        sm->model = m;
        sm->free = m->sm_warps;
        sm->sgprs = (uint32_t)m->value[VENTUS_PARAM_sgprs];
        sm->vgprs = (uint32_t)m->value[VENTUS_PARAM_vgprs];
        sm->local = VENTUS_LOCAL_SIZE;
        for (uint32_t p = 0; p < VENTUS_PORTS; p++)
            sm->holder[p].by = NO_PRODUCER;
        ventus_issue_init(sm);
        ventus_fetch_init(sm);
        ventus_lsu_init(sm);
        if (resource_init(&sm->ports, &m->base.kernel, m->sm_warps, &port_calls, sm) != 0)
            return -1;
        for (uint32_t i = 0; i < VENTUS_SM_WARPS / m->launch->warps; i++) {
            sm->places[i].warps = calloc(m->launch->warps, sizeof *sm->places[i].warps);
            if (!sm->places[i].warps)
                return -1;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        struct ventus_thread *t = &m->threads[i];
        *t = (struct ventus_thread){
            .model = m, .sm = i / m->sm_warps, .slot = i % m->sm_warps, .number = i};
        t->current.group = VENTUS_NO_GROUP;
        t->fetch_from = VENTUS_NEVER;
        if (scoreboard_init(&t->board, VENTUS_PLACES) != 0)
            return -1;
        m->streams[i] = (struct path_stream){.unit = ventus_warp_unit(m, t), .quantum = 1};
    }
    return 0;
}

static void read_values(struct ventus_model *m, const struct config *config, bool documented)
{
    for (size_t i = 0; i < VENTUS_PARAMS; i++)
        if (config->rows[i].type != PARAM_TEXT)
            m->value[i] = (uint64_t)config_real(config, i, documented);
    m->shared = !strcmp(config_text(config, VENTUS_PARAM_local_path, documented), "shared");
    const uint32_t times = m->value[VENTUS_PARAM_warp_registers] ? m->launch->warps : 1;
    m->group_sgprs = (m->launch->sgprs + 3) / 4 * 4 * times;
    m->group_vgprs = (m->launch->vgprs + 3) / 4 * 4 * times;
    m->group_local = m->launch->local;
}

int ventus_model_init(struct machine_model *model)
{
    struct ventus_model *m = (struct ventus_model *)model;
    const struct model_options *options = &model->options;
    m->program = &model->run->program->program;
    m->launch = ventus_program_launch(m->program);
    m->run = model->sink ? model->run->own : &m->own;
    model->counters = m->counters;
    read_values(m, options->config, options->documented);
    m->groups = ventus_group_count(m->launch);
    m->sm_count = (uint32_t)m->value[VENTUS_PARAM_sms];
    m->sm_warps = (uint32_t)m->value[VENTUS_PARAM_sm_warps];
    const uint32_t warps = m->sm_count * m->sm_warps;
    if ((!model->sink && ventus_run_new(&m->own, m->program, model->error) != 0) ||
        kernel_init(&model->kernel, 4 * m->sm_count + 1, model->kernel.run_ahead) != 0 ||
        make_threads(m) != 0 || make_stmts(m) != 0 || make_units(m) != 0 ||
        ventus_memory_init(m) != 0)
        return -1;
    const struct path_config path = {.streams = m->streams,
                                     .stream_count = warps,
                                     .stmt_count = m->stmt_count,
                                     .remembered = 1 << 20,
                                     .places = VENTUS_PLACES,
                                     .shape = shape,
                                     .context = m};
    const struct ventus_run *first = model->run->own;
    m->run->exec.most = first->exec.most;
    if (m->run != first)
        ventus_run_same(m->run, first);
    if (model->sink) {
        m->idle = calloc(m->stmt_count + 1, sizeof *m->idle);
        if (!m->idle || account_init(&model->account, m->unit_count, model->sink) != 0 ||
            path_init(&model->path, &path) != 0)
            return -1;
    }
    ventus_dispatch(m, m->value[VENTUS_PARAM_launch_cycles]);
    return 0;
}

void ventus_model_free(struct machine_model *model)
{
    struct ventus_model *m = (struct ventus_model *)model;
    if (!model->sink)
        ventus_run_free(&m->own);
    for (uint32_t i = 0; i < m->sm_count * m->sm_warps; i++)
        scoreboard_free(&m->threads[i].board);
    for (uint32_t s = 0; s < m->sm_count; s++) {
        resource_free(&m->sms[s].ports);
        for (uint32_t i = 0; i < VENTUS_SM_WARPS; i++)
            free(m->sms[s].places[i].warps);
    }
    ventus_memory_levels_free(m);
    ventus_alone_free(m);
    free(m->cost);
    free(m->stmts);
    free(m->idle);
    free(m->units);
    free(m->names);
}
