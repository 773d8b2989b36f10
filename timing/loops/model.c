/* model: statements, units and tiles. */
#include "timing/loops/model.h"

#include <stdlib.h>

enum { REMEMBERED = 1 << 20 }; /* steps for critical path and slack */

static void no_places(const void *context, uint32_t stmt, struct path_shape *shape)
{
    static const uint64_t none[1];
    (void)context;
    (void)stmt;
    *shape = (struct path_shape){0, none, none};
}

static struct stmt_info stmt_of(const struct loops_program *program,
                                const struct loops_place *place)
{
    return (struct stmt_info){.file = place->source,
                              .line = place->line,
                              .text = program->sources[place->source].text + place->offset,
                              .text_length = place->length};
}

/* Tiles that have a lane in some part; and what is known of the code without running it. */
static void look_at_code(struct loops_model *m)
{
    const struct loops_program *program = m->program;
    m->tile_count = 1;
    for (size_t n = 0; n < program->nest_count; n++) {
        const struct loops_nest *nest = &program->nests[n];
        struct loops_code code;
        uint64_t count[LOOPS_LEVELS], tensors = 0;
        int64_t offset[LOOPS_OPERANDS];
        loops_generate(program, nest, &code);
        for (unsigned o = 0; o < LOOPS_OPERANDS; o++)
            tensors += nest->operand[o].kind == LOOPS_TENSOR;
        uint64_t state = 0;
        for (unsigned p = 0; p < code.part_count; p++) {
            struct loops_traversal at;
            loops_traversal_start(&at, nest, &code.parts[p], code.parts[p].sequential);
            while (m->tile_count < program->tiles &&
                   loops_tile_lanes(program, &at, m->tile_count, count, offset))
                m->tile_count++;
            m->counters[LOOPS_COUNTER_INSTRUCTIONS] += loops_part_instructions(&code.parts[p]);
            state += loops_part_state(&code.parts[p]) * tensors;
        }
        if (state > m->counters[LOOPS_COUNTER_STATE])
            m->counters[LOOPS_COUNTER_STATE] = state;
        m->stmts[m->stmt_count] = stmt_of(program, &nest->head);
        m->stmts[m->stmt_count++].last = nest->last;
        m->stmts[m->stmt_count++] = stmt_of(program, &nest->body);
    }
}

static void name_units(struct loops_model *m)
{
    static const struct {
        const char *name, *path, *kind;
    } row[LOOPS_TILE_UNITS] = {
#define UNIT(id, name, path, kind, sentence) {name, path, kind},
#include "timing/loops/unit.def"
    };
    const double units = (double)m->program->processors * m->program->math;
    for (uint32_t t = 0; t < m->tile_count; t++)
        for (unsigned u = 0; u < LOOPS_TILE_UNITS; u++) {
            const uint32_t unit = loops_unit_of(m, t, u);
            char(*name)[48] = m->names[unit];
            snprintf(name[0], sizeof name[0], "%s%u", row[u].name, t);
            snprintf(name[1], sizeof name[1], "chip.tile%u.%s", t, row[u].path);
            m->units[unit] = (struct unit_info){
                .name = name[0], .path = name[1], .kind = row[u].kind, .instances = 1};
            if (u == LOOPS_UNIT_MATH)
                m->units[unit].peak_flops = 2 * units / (double)m->value[LOOPS_PARAM_math_interval];
            if (u == LOOPS_UNIT_MEMORY)
                m->units[unit].width = (double)(UINT64_C(1) << m->value[LOOPS_PARAM_bank_bits]) /
                                       2 / (double)m->value[LOOPS_PARAM_bank_interval];
        }
}

/* Runs that come back, of all parts: places of a tile's scoreboard. */
static uint64_t most_places(const struct loops_model *m, struct loops_walk *walk)
{
    uint64_t most = 1;
    for (; walk->nest < m->program->nest_count; loops_walk_part(walk)) {
        loops_walk_begin(walk);
        most = walk->places > most ? walk->places : most;
    }
    return most;
}

static int make_tiles(struct loops_model *m)
{
    struct loops_walk walk;
    int status = loops_walk_init(&walk, m, 0);
    const uint64_t places = status == 0 ? most_places(m, &walk) : 1;
    loops_walk_free(&walk);
    for (uint32_t t = 0; t < m->tile_count && status == 0; t++) {
        struct loops_tile *tile = &m->tiles[t];
        tile->model = m;
        m->streams[t] =
            (struct path_stream){.unit = loops_unit_of(m, t, LOOPS_UNIT_CONTROL), .quantum = 1};
        if (loops_walk_init(&tile->walk, m, t) != 0 || scoreboard_init(&tile->board, places) != 0)
            status = -1;
    }
    return status;
}

int loops_model_make(struct loops_model *m, const struct loops_program *program,
                     const struct config *config, bool documented)
{
    m->program = program;
    for (size_t i = 0; i < LOOPS_PARAMS; i++)
        m->value[i] = (uint64_t)config_real(config, i, documented);
    m->stmts = calloc(2 * program->nest_count + 1, sizeof *m->stmts);
    if (!m->stmts)
        return -1;
    look_at_code(m);
    m->units = calloc(loops_unit_count(m), sizeof *m->units);
    m->names = calloc(loops_unit_count(m), sizeof *m->names);
    if (!m->units || !m->names)
        return -1;
    name_units(m);
    return make_tiles(m);
}

int loops_model_init(struct machine_model *model)
{
    static const struct resource_calls calls = {.start = NULL}; /* its list stays empty */
    struct loops_model *m = (struct loops_model *)model;
    const struct model_options *options = &model->options;
    model->counters = m->counters;
    if (loops_model_make(m, &model->run->program->program, options->config, options->documented) !=
            0 ||
        kernel_init(&model->kernel, m->tile_count + 1, model->kernel.run_ahead) != 0)
        return -1;
    for (uint32_t t = 0; t < m->tile_count; t++)
        if (resource_init(&m->tiles[t].ports, &model->kernel, 1, &calls, m) != 0)
            return -1;
    const struct path_config path = {.streams = m->streams,
                                     .stream_count = m->tile_count,
                                     .stmt_count = m->stmt_count,
                                     .remembered = REMEMBERED,
                                     .places = 1,
                                     .shape = no_places,
                                     .context = m};
    if (model->sink && (account_init(&model->account, loops_unit_count(m), model->sink) != 0 ||
                        path_init(&model->path, &path) != 0))
        return -1;
    if (model->sink && !model->kernel.run_ahead &&
        !(model->unit_events =
              unit_events_open(&model->kernel, &model->status, m->units, &loops_unit_events, m)))
        return -1;
    loops_tiles_start(m);
    return 0;
}

void loops_model_free(struct machine_model *model)
{
    struct loops_model *m = (struct loops_model *)model;
    for (uint32_t t = 0; t < m->tile_count; t++) {
        loops_walk_free(&m->tiles[t].walk);
        scoreboard_free(&m->tiles[t].board);
        resource_free(&m->tiles[t].ports);
    }
    free(m->stmts);
    free(m->units);
    free(m->names);
}
