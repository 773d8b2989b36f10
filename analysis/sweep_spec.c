#include "analysis/sweep_spec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/sweep_store.h"
#include "analysis/sweep_yaml.h"
#include "host/grow.h"
#include "host/suggest.h"
#include "timing/machines.h"

struct reader {
    struct sweep_spec *spec;
    enum sweep_kind kind; /* of the mapping that is being read */
    enum sweep_way way;
    size_t row;
};

/* --- axes ------------------------------------------------------------------------------------- */

/* Flags of a run that do not belong to one machine. */
static const char *const flags[] = {"documented", "range", "values", "limit"};

static bool is_flag(const char *name)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i], name) == 0)
            return true;
    return false;
}

static int check_option(struct sweep_yaml *yaml, const struct reader *r, const yaml_node_t *key,
                        struct sweep_axis *axis)
{
    const struct machine_option *option = machine_option(r->spec->machine, "run", axis->name);
    axis->type = PARAM_TEXT;
    axis->flag = is_flag(axis->name) || (option && !option->argument);
    if (option && option->file != MACHINE_NO_FILE)
        return sweep_yaml_fail(yaml, key, "option %s names a file: takt run has it, no sweep",
                               axis->name);
    return option || axis->flag || strcmp(axis->name, "init") == 0
               ? 0
               : sweep_yaml_fail(yaml, key,
                                 "%s has no option '%.60s' of takt run\n"
                                 "all machines have documented, init, limit, range and values",
                                 r->spec->machine->title, axis->name);
}

static int check_parameter(struct sweep_yaml *yaml, const struct reader *r, const yaml_node_t *key,
                           struct sweep_axis *axis)
{
    const struct config *config = &r->spec->config;
    const size_t row = config_row(config, axis->name);
    if (row < config->count) {
        axis->type = config->rows[row].type;
        return 0;
    }
    const char **names = malloc((config->count + 1) * sizeof *names);
    if (!names)
        return -1;
    for (size_t i = 0; i < config->count; i++)
        names[i] = config->rows[i].name;
    const char *near = suggest_name(axis->name, strlen(axis->name), names, config->count);
    free(names);
    return sweep_yaml_fail(yaml, key, "%s has no parameter '%.60s'\n%s%s%s",
                           r->spec->machine->title, axis->name, near ? "did you mean '" : "",
                           near ? near : "", near ? "'?" : "takt config lists them");
}

/* The numbers that are used for no run: each value is set to see whether it may be. */
static int check_value(struct sweep_yaml *yaml, struct reader *r, const yaml_node_t *node,
                       const struct sweep_axis *axis)
{
    const char *text = document_scalar(node);
    char assignment[400], error[600];
    if (axis->kind == SWEEP_SET) {
        const int length = snprintf(assignment, sizeof assignment, "%s=%s", axis->name, text);
        if (length >= (int)sizeof assignment)
            return sweep_yaml_fail(yaml, node, "a value of %d bytes", length);
        const int status = config_set(&r->spec->config, assignment, error, sizeof error);
        return status > 0 ? sweep_yaml_fail(yaml, node, "%s", error) : status;
    }
    if (axis->flag)
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0
                   ? 0
                   : sweep_yaml_fail(yaml, node, "option %s is true or false, not '%.60s'",
                                     axis->name, text);
    const struct machine_option *option = machine_option(r->spec->machine, "run", axis->name);
    bool known = !option || !option->words;
    for (const char *const *word = known ? NULL : option->words; !known && *word; word++)
        known = strcmp(*word, text) == 0;
    return known ? 0 : sweep_yaml_fail(yaml, node, "option %s cannot be '%.60s'", axis->name, text);
}

static struct sweep_axis *axis_named(const struct sweep_spec *spec, const char *name)
{
    for (size_t a = 0; a < spec->axis_count; a++)
        if (strcmp(spec->axes[a].name, name) == 0)
            return &spec->axes[a];
    return NULL;
}

static int new_axis(struct sweep_yaml *yaml, struct reader *r, const yaml_node_t *key,
                    struct sweep_axis **made)
{
    enum { MOST_AXES = 200 };
    struct sweep_spec *spec = r->spec;
    const char *name = document_scalar(key);
    if (axis_named(spec, name))
        return sweep_yaml_fail(yaml, key, "'%.60s' is given twice", name);
    if (sweep_store_has(name) || spec->axis_count == MOST_AXES)
        return sweep_yaml_fail(yaml, key,
                               spec->axis_count == MOST_AXES
                                   ? "'%.60s' is one parameter too many"
                                   : "'%.60s' is the name of a column that every result has",
                               name);
    if (!grow_list(&spec->axes, &spec->axis_capacity, spec->axis_count + 1, sizeof *spec->axes))
        return -1;
    struct sweep_axis *axis = &spec->axes[spec->axis_count++];
    *axis = (struct sweep_axis){
        .name = strdup(name), .at = sweep_yaml_place(yaml, key), .kind = r->kind, .way = r->way};
    *made = axis;
    if (!axis->name)
        return -1;
    return r->kind == SWEEP_OPTION ? check_option(yaml, r, key, axis)
                                   : check_parameter(yaml, r, key, axis);
}

/* NAME: VALUE or NAME: [VALUE, ..]. */
static int take_axis(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                     const yaml_node_t *node)
{
    struct reader *r = context;
    struct sweep_axis *axis;
    int status = new_axis(yaml, r, key, &axis);
    if (status)
        return status;
    status = sweep_yaml_texts(yaml, node, "a value, or a list of values", &axis->values);
    if (node->type == YAML_SCALAR_NODE)
        return status ? status : check_value(yaml, r, node, axis);
    for (size_t i = 0; status == 0 && i < axis->values.count; i++)
        status =
            check_value(yaml, r, sweep_yaml_node(yaml, node->data.sequence.items.start[i]), axis);
    return status;
}

static int take_constant(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                         const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE
               ? take_axis(yaml, context, key, node)
               : sweep_yaml_fail(yaml, node, "set has one value of each\ngrid has several");
}

/* --- list ------------------------------------------------------------------------------------- */

/* Rows before and after those in which it is given have no value. */
static int fill_rows(struct sweep_axis *axis, size_t rows)
{
    struct sweep_values *values = &axis->values;
    if (values->count >= rows)
        return 0;
    if (!grow_list(&values->items, &values->capacity, rows, sizeof *values->items))
        return -1;
    memset(values->items + values->count, 0, (rows - values->count) * sizeof *values->items);
    values->count = rows;
    return 0;
}

static int take_cell(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                     const yaml_node_t *node)
{
    struct reader *r = context;
    struct sweep_axis *axis = axis_named(r->spec, document_scalar(key));
    int status = 0;
    if (axis && (axis->way != SWEEP_ROW || axis->values.count > r->row))
        return sweep_yaml_fail(yaml, key, "'%.60s' is given twice", axis->name);
    if (!axis)
        status = new_axis(yaml, r, key, &axis);
    if (status)
        return status;
    if (!document_scalar(node) || !*document_scalar(node))
        return sweep_yaml_fail(yaml, node, "one value of '%.60s'", axis->name);
    status = check_value(yaml, r, node, axis);
    if (status || fill_rows(axis, r->row) != 0)
        return status ? status : -1;
    return sweep_yaml_add(yaml, node, &axis->values);
}

static int take_list(struct sweep_yaml *yaml, struct reader *r, const yaml_node_t *node)
{
    int status = 0;
    if (node->type != YAML_SEQUENCE_NODE ||
        node->data.sequence.items.start == node->data.sequence.items.top)
        return sweep_yaml_fail(yaml, node, "list is a list of {PARAMETER: VALUE, ..}");
    r->way = SWEEP_ROW;
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         status == 0 && item < node->data.sequence.items.top; item++, r->row++)
        status = sweep_yaml_pairs(yaml, sweep_yaml_node(yaml, *item),
                                  "a point is {PARAMETER: VALUE, ..}", take_cell, r);
    r->spec->rows = r->row;
    for (size_t a = 0; status == 0 && a < r->spec->axis_count; a++)
        if (r->spec->axes[a].way == SWEEP_ROW)
            status = fill_rows(&r->spec->axes[a], r->row);
    return status;
}

/* --- draw ------------------------------------------------------------------------------------- */

static int plausible(struct sweep_yaml *yaml, struct reader *r, const yaml_node_t *node,
                     struct sweep_axis *axis)
{
    const struct config *config = &r->spec->config;
    const struct param *param = &config->params[config_row(config, axis->name)];
    if (!param->plausible)
        return sweep_yaml_fail(yaml, node,
                               "%s has no plausible range: it is published\n[LOW, HIGH] gives one",
                               axis->name);
    axis->low = param->plausible_low;
    axis->high = param->plausible_high;
    for (char **choice = param->choices; choice && *choice; choice++) {
        struct sweep_values *values = &axis->values;
        if (!grow_list(&values->items, &values->capacity, values->count + 1, sizeof *values->items))
            return -1;
        values->items[values->count] = (struct sweep_value){strdup(*choice), axis->at};
        if (!values->items[values->count++].text)
            return -1;
    }
    return 0;
}

static int take_drawn(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                      const yaml_node_t *node)
{
    struct reader *r = context;
    struct sweep_axis *axis;
    int status = new_axis(yaml, r, key, &axis);
    if (status)
        return status;
    if (document_scalar(node) && strcmp(document_scalar(node), "plausible") == 0)
        return plausible(yaml, r, node, axis);
    if (node->type != YAML_SEQUENCE_NODE)
        return sweep_yaml_fail(yaml, node, "plausible, or [LOW, HIGH]");
    status = sweep_yaml_texts(yaml, node, "plausible, or [LOW, HIGH]", &axis->values);
    for (size_t i = 0; status == 0 && i < axis->values.count; i++)
        status =
            check_value(yaml, r, sweep_yaml_node(yaml, node->data.sequence.items.start[i]), axis);
    if (status || axis->type == PARAM_TEXT)
        return status;
    if (axis->values.count != 2)
        return sweep_yaml_fail(yaml, node, "a range is [LOW, HIGH]");
    axis->low = strtod(axis->values.items[0].text, NULL);
    axis->high = strtod(axis->values.items[1].text, NULL);
    return axis->low <= axis->high ? 0 : sweep_yaml_fail(yaml, node, "LOW is above HIGH");
}

static int take_number(struct sweep_yaml *yaml, const yaml_node_t *node, uint64_t most,
                       uint64_t *value)
{
    const char *text = document_scalar(node);
    const size_t length = text ? strspn(text, "0123456789") : 0;
    if (!length || length > 18 || text[length] || strtoull(text, NULL, 10) > most)
        return sweep_yaml_fail(yaml, node, "a number of 0 to %llu", (unsigned long long)most);
    *value = strtoull(text, NULL, 10);
    return 0;
}

static int take_draw_field(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                           const yaml_node_t *node)
{
    struct reader *r = context;
    const char *name = document_scalar(key);
    uint64_t points = 0;
    if (strcmp(name, "seed") == 0)
        return take_number(yaml, node, 1000000000, &r->spec->seed);
    if (strcmp(name, "parameters") == 0)
        return sweep_yaml_pairs(yaml, node, "parameters is {PARAMETER: plausible, ..}", take_drawn,
                                r);
    if (strcmp(name, "points") != 0)
        return sweep_yaml_fail(yaml, key, "'%.60s' is no field of draw (points, seed, parameters)",
                               name);
    const int status = take_number(yaml, node, SWEEP_POINTS, &points);
    if (status == 0 && points == 0)
        return sweep_yaml_fail(yaml, node, "no point is drawn");
    r->spec->rows = points;
    return status;
}

static int take_draw(struct sweep_yaml *yaml, struct reader *r, const yaml_node_t *node)
{
    r->way = SWEEP_DRAWN;
    r->spec->rows = 0;
    r->spec->seed = 1;
    const int status =
        sweep_yaml_pairs(yaml, node, "draw has points, seed and parameters", take_draw_field, r);
    if (status)
        return status;
    bool any = false;
    for (size_t a = 0; a < r->spec->axis_count; a++)
        any |= r->spec->axes[a].way == SWEEP_DRAWN;
    if (!r->spec->rows || !any)
        return sweep_yaml_fail(yaml, node, "draw lacks %s",
                               any ? "points: how many" : "parameters: {PARAMETER: plausible}");
    return 0;
}

/* --- the rest --------------------------------------------------------------------------------- */

static int take_quantity(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                         const yaml_node_t *node)
{
    struct sweep_spec *spec = ((struct reader *)context)->spec;
    const char *name = document_scalar(key), *text = document_scalar(node);
    if (!text || !*text)
        return sweep_yaml_fail(yaml, node, "an expression over columns, as a text");
    if (sweep_store_has(name) || axis_named(spec, name))
        return sweep_yaml_fail(yaml, key, "'%.60s' is the name of a column", name);
    for (size_t q = 0; q < spec->quantity_count; q++)
        if (strcmp(spec->quantities[q].name, name) == 0)
            return sweep_yaml_fail(yaml, key, "'%.60s' is given twice", name);
    if (!grow_list(&spec->quantities, &spec->quantity_capacity, spec->quantity_count + 1,
                   sizeof *spec->quantities))
        return -1;
    struct sweep_quantity *q = &spec->quantities[spec->quantity_count++];
    *q = (struct sweep_quantity){strdup(name), strdup(text), sweep_yaml_place(yaml, node)};
    return q->name && q->expression ? 0 : -1;
}

enum {
    MACHINE_,
    PROGRAMS,
    CHIPS,
    OPTIONS,
    SET,
    GRID,
    LIST,
    DRAW,
    COUNTERS,
    QUANTITIES,
    BY,
    PARETO,
    FIELDS
};
static const char *const fields[FIELDS] = {"machine",  "programs",   "chips", "options",
                                           "set",      "grid",       "list",  "draw",
                                           "counters", "quantities", "by",    "pareto"};

static int take_field(struct sweep_yaml *yaml, void *context, const yaml_node_t *key,
                      const yaml_node_t *value)
{
    const yaml_node_t **nodes = context;
    const char *name = document_scalar(key);
    size_t f = 0;
    while (f < FIELDS && strcmp(fields[f], name) != 0)
        f++;
    if (f == FIELDS) {
        const char *near = suggest_name(name, strlen(name), fields, FIELDS);
        return sweep_yaml_fail(yaml, key, "'%.60s' is no field of a sweep%s%s%s", name,
                               near ? "\ndid you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (nodes[f])
        return sweep_yaml_fail(yaml, key, "'%.60s' is given twice", name);
    if (f >= GRID && f <= DRAW)
        for (size_t other = GRID; other <= DRAW; other++)
            if (nodes[other])
                return sweep_yaml_fail(yaml, key, "a sweep has %s or %s, not both", fields[other],
                                       name);
    nodes[f] = value;
    return 0;
}

static int find_machine(struct sweep_yaml *yaml, struct sweep_spec *spec, const yaml_node_t *node)
{
    const char *name = node ? document_scalar(node) : NULL;
    char error[600];
    if (node) {
        spec->machine = name ? machine_named(name) : NULL;
        if (!spec->machine)
            return sweep_yaml_fail(yaml, node, "no machine is named '%.60s'", name ? name : "?");
    }
    for (size_t i = 0; !node && i < spec->programs.count; i++) {
        const struct sweep_value *program = &spec->programs.items[i];
        char *path = sweep_spec_path(spec, program->text);
        const struct machine *machine = path ? machine_of(path) : NULL;
        free(path);
        if (!machine || (spec->machine && machine != spec->machine))
            return sweep_yaml_fail_at(yaml->diags, &program->at, "%s",
                                      machine ? "a program of another machine than the first"
                                              : "which machine is it for?\nmachine: NAME says it");
        spec->machine = machine;
    }
    const int status = machine_config(spec->machine, &spec->config, error, sizeof error);
    return status > 0 ? sweep_yaml_fail(yaml, node, "%s", error) : status;
}

/* Plausible ranges are those of the chip, where all runs have one. */
static int read_chip(struct sweep_yaml *yaml, struct sweep_spec *spec,
                     const struct sweep_value *chip)
{
    char error[600];
    if (strcmp(chip->text, "default") == 0)
        return 0;
    char *path = sweep_spec_path(spec, chip->text);
    struct source file;
    struct config config = {.count = 0};
    if (!path)
        return -1;
    int status = source_open(&file, path, error, sizeof error);
    free(path);
    if (status > 0)
        return sweep_yaml_fail_at(yaml->diags, &chip->at, "%s", error);
    if (status < 0)
        return -1;
    status = machine_config(spec->machine, &config, error, sizeof error);
    if (status == 0)
        status = config_overlay(&config, &(struct config_file){file.name, file.text, file.size},
                                error, sizeof error);
    source_close(&file);
    if (status > 0)
        sweep_yaml_fail_at(yaml->diags, &chip->at, "%s", error);
    if (status || spec->chips.count > 1) {
        config_free(&config);
        return status;
    }
    config_free(&spec->config);
    spec->config = config;
    return 0;
}

/* A file of whatever kind, so that what is wrong has its place in the spec. */
static int check_program(struct sweep_yaml *yaml, const struct sweep_spec *spec,
                         const struct sweep_value *program)
{
    char *path = sweep_spec_path(spec, program->text);
    if (!path)
        return -1;
    const bool readable = access(path, R_OK) == 0;
    const int why = errno;
    free(path);
    return readable ? 0
                    : sweep_yaml_fail_at(yaml->diags, &program->at, "%s: %s", program->text,
                                         strerror(why));
}

static int take_programs(struct sweep_yaml *yaml, struct sweep_spec *spec,
                         const yaml_node_t **nodes, const yaml_node_t *root)
{
    if (!nodes[PROGRAMS])
        return sweep_yaml_fail(yaml, root, "which programs?\nprograms: [FILE, ..] says it");
    int status =
        sweep_yaml_texts(yaml, nodes[PROGRAMS], "programs is a list of files", &spec->programs);
    for (size_t i = 0; status >= 0 && i < spec->programs.count; i++) {
        const int checked = check_program(yaml, spec, &spec->programs.items[i]);
        status = checked ? checked : status;
    }
    if (status == 0)
        status = find_machine(yaml, spec, nodes[MACHINE_]);
    if (status == 0 && nodes[CHIPS])
        status =
            sweep_yaml_texts(yaml, nodes[CHIPS],
                             "chips is a list of files, of which one may be default", &spec->chips);
    for (size_t i = 0; status == 0 && i < spec->chips.count; i++)
        status = read_chip(yaml, spec, &spec->chips.items[i]);
    return status;
}

static int take_axes(struct sweep_yaml *yaml, struct reader *r, const yaml_node_t **nodes)
{
    int status = 0;
    r->kind = SWEEP_OPTION;
    if (nodes[OPTIONS])
        status =
            sweep_yaml_pairs(yaml, nodes[OPTIONS], "options is {NAME: VALUE, ..}", take_axis, r);
    r->kind = SWEEP_SET;
    if (status >= 0 && nodes[SET]) {
        const int more =
            sweep_yaml_pairs(yaml, nodes[SET], "set is {PARAMETER: VALUE, ..}", take_constant, r);
        status = more ? more : status;
    }
    if (status < 0)
        return status;
    const int more = nodes[GRID]
                         ? sweep_yaml_pairs(yaml, nodes[GRID],
                                            "grid is {PARAMETER: [VALUE, ..], ..}", take_axis, r)
                     : nodes[LIST] ? take_list(yaml, r, nodes[LIST])
                     : nodes[DRAW] ? take_draw(yaml, r, nodes[DRAW])
                                   : 0;
    return more ? more : status;
}

static int take_rank(struct sweep_yaml *yaml, struct sweep_spec *spec, const yaml_node_t **nodes)
{
    struct sweep_values one = {.count = 0}, two = {.count = 0};
    int status = 0;
    if (nodes[BY] && (!document_scalar(nodes[BY]) || !*document_scalar(nodes[BY])))
        return sweep_yaml_fail(yaml, nodes[BY], "by is one quantity");
    if (nodes[BY])
        status = sweep_yaml_add(yaml, nodes[BY], &one);
    if (one.count)
        spec->by = one.items[0];
    free(one.items);
    if (status || !nodes[PARETO])
        return status;
    status = sweep_yaml_texts(yaml, nodes[PARETO], "pareto is two quantities", &two);
    if (status == 0 && two.count != 2)
        status = sweep_yaml_fail(yaml, nodes[PARETO], "pareto is two quantities");
    for (size_t i = 0; i < two.count; i++)
        if (i < 2)
            spec->pareto[i] = two.items[i];
        else
            free(two.items[i].text);
    free(two.items);
    return status;
}

static int read_root(struct sweep_yaml *yaml, struct sweep_spec *spec)
{
    const yaml_node_t *nodes[FIELDS] = {NULL};
    const yaml_node_t *root = yaml_document_get_root_node(&yaml->document);
    struct reader r = {.spec = spec, .way = SWEEP_EACH};
    if (!root)
        return sweep_yaml_fail(yaml, NULL, "a sweep has programs, and what is varied");
    int status =
        sweep_yaml_pairs(yaml, root, "a sweep has programs, and what is varied", take_field, nodes);
    if (status == 0)
        status = take_programs(yaml, spec, nodes, root);
    if (status == 0)
        status = take_axes(yaml, &r, nodes);
    if (status == 0 && nodes[COUNTERS])
        status =
            sweep_yaml_texts(yaml, nodes[COUNTERS], "counters is a list of names", &spec->counters);
    if (status == 0 && nodes[QUANTITIES])
        status = sweep_yaml_pairs(yaml, nodes[QUANTITIES],
                                  "quantities is {NAME: \"expression\", ..}", take_quantity, &r);
    return status ? status : take_rank(yaml, spec, nodes);
}

int sweep_spec_read(struct sweep_spec *spec, const struct source *source, struct diag_list *diags)
{
    struct sweep_yaml yaml;
    const char *slash = strrchr(source->name, '/');
    *spec = (struct sweep_spec){.rows = 1};
    spec->folder_text = strndup(source->name, slash ? (size_t)(slash + 1 - source->name) : 0);
    spec->folder = spec->folder_text;
    if (!spec->folder)
        return -1;
    int status = sweep_yaml_open(&yaml, source, diags);
    if (status)
        return status;
    status = read_root(&yaml, spec);
    sweep_yaml_close(&yaml);
    return status ? status : sweep_store_check(spec, diags);
}

char *sweep_spec_path(const struct sweep_spec *spec, const char *name)
{
    char *path = NULL;
    return asprintf(&path, "%s%s", *name == '/' ? "" : spec->folder, name) < 0 ? NULL : path;
}

static void free_values(struct sweep_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        free(values->items[i].text);
    free(values->items);
}

void sweep_spec_free(struct sweep_spec *spec)
{
    for (size_t a = 0; a < spec->axis_count; a++) {
        free(spec->axes[a].name);
        free_values(&spec->axes[a].values);
    }
    free(spec->axes);
    for (size_t q = 0; q < spec->quantity_count; q++) {
        free(spec->quantities[q].name);
        free(spec->quantities[q].expression);
    }
    free(spec->quantities);
    free_values(&spec->programs);
    free_values(&spec->chips);
    free_values(&spec->counters);
    free(spec->by.text);
    free(spec->pareto[0].text);
    free(spec->pareto[1].text);
    free(spec->folder_text);
    if (spec->config.params)
        config_free(&spec->config);
    *spec = (struct sweep_spec){.rows = 0};
}
