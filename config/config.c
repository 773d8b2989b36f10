#include "config/reader.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/hash.h"
#include "host/suggest.h"

const char *const provenance_name[PROVENANCE_COUNT] = {"documented", "public", "measured",
                                                       "inferred", "assumed"};

/* The keys of one parameter in a chip file. */
enum field {
    FIELD_VALUE,
    FIELD_UNIT,
    FIELD_LOW,
    FIELD_HIGH,
    FIELD_PROVENANCE,
    FIELD_DOCUMENTED,
    FIELD_SOURCE,
    FIELD_PLAUSIBLE,
    FIELD_OPTIMISTIC,
    FIELD_REASON,
    FIELD_COUNT
};
static const char *const field_name[FIELD_COUNT] = {
    "value",      "unit",   "low",       "high",       "provenance",
    "documented", "source", "plausible", "optimistic", "reason"};

static const char *nearest(const struct config *config, const char *word)
{
    const char **names = malloc((config->count + 1) * sizeof *names);
    for (size_t i = 0; names && i < config->count; i++)
        names[i] = config->rows[i].name;
    const char *best = names ? suggest_name(word, strlen(word), names, config->count) : NULL;
    free(names);
    return best;
}

static int read_numeric(struct config_reader *r, const struct param_row *row,
                        const yaml_node_t *node, const char *what, double *value)
{
    const char *text = document_scalar(node);
    if (!text || !config_digits(text, value))
        return config_fail(r, &node->start_mark, "%s of %s is not a number", what, row->name);
    if (row->type == PARAM_INTEGER && (*value != floor(*value) || fabs(*value) > 0x1p53))
        return config_fail(r, &node->start_mark, "%s of %s must be an integer", what, row->name);
    return 0;
}

static int replace_text(struct config_reader *r, const yaml_node_t *node, const char *what,
                        char **target)
{
    const char *text = document_scalar(node);
    if (!text)
        return config_fail(r, &node->start_mark, "%s must be a text", what);
    char *copy = strdup(text);
    if (!copy)
        return -1;
    free(*target);
    *target = copy;
    return 0;
}

static int read_fields(struct config_reader *r, const struct param_row *row, const yaml_node_t *map,
                       yaml_node_t *field[FIELD_COUNT])
{
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start; pair < map->data.mapping.pairs.top;
         pair++) {
        yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
        yaml_node_t *value = yaml_document_get_node(&r->document, pair->value);
        const char *name = document_scalar(key);
        size_t f = 0;
        while (name && f < FIELD_COUNT && strcmp(field_name[f], name) != 0)
            f++;
        if (!name || f == FIELD_COUNT)
            return config_fail(
                r, &key->start_mark,
                "%s has no field '%s' (value, unit, low, high, provenance, documented, source, "
                "plausible, optimistic, reason)",
                row->name, name ? name : "?");
        if (field[f])
            return config_fail(r, &key->start_mark, "%s of %s is given twice", name, row->name);
        field[f] = value;
    }
    for (size_t f = 0; f < FIELD_COUNT; f++) {
        const bool optional = f == FIELD_DOCUMENTED || f >= FIELD_PLAUSIBLE ||
                              (row->type == PARAM_TEXT && (f == FIELD_LOW || f == FIELD_HIGH));
        if (!field[f] && !optional && (!r->overlay || f == FIELD_VALUE))
            return config_fail(r, &map->start_mark, "%s lacks its %s", row->name, field_name[f]);
    }
    return 0;
}

static int read_provenance(struct config_reader *r, struct param *param, const yaml_node_t *node)
{
    const char *text = document_scalar(node);
    for (int i = 0; text && i < PROVENANCE_COUNT; i++)
        if (strcmp(provenance_name[i], text) == 0) {
            param->provenance = (enum provenance)i;
            return 0;
        }
    return config_fail(r, &node->start_mark,
                       "provenance of %s must be documented, public, measured, inferred or assumed",
                       param->row->name);
}

static int check_range(struct config_reader *r, const struct param *param, const yaml_node_t *node,
                       double value)
{
    if (value >= param->low && value <= param->high)
        return 0;
    return config_fail(r, &node->start_mark, "%s = %.17g is outside its range %.17g .. %.17g",
                       param->row->name, value, param->low, param->high);
}

/* low or high. An overlay may narrow the range of the machine's file, for which the model is made;
 * it cannot widen it. */
static int read_limit(struct config_reader *r, const struct param *param, const yaml_node_t *node,
                      const char *what, double *limit)
{
    double value;
    if (!node)
        return 0;
    const int status = read_numeric(r, param->row, node, what, &value);
    if (status)
        return status;
    if (r->overlay && (value < param->low || value > param->high))
        return config_fail(
            r, &node->start_mark,
            "%s of %s = %.17g is outside %.17g .. %.17g, for which the model is made", what,
            param->row->name, value, param->low, param->high);
    *limit = value;
    return 0;
}

static void free_choices(struct param *param)
{
    for (char **choice = param->choices; choice && *choice; choice++)
        free(*choice);
    free(param->choices);
    param->choices = NULL;
}

/* The texts that a parameter may plausibly be. */
static int read_choices(struct config_reader *r, struct param *param, const yaml_node_t *list)
{
    const size_t count = (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
    free_choices(param);
    param->choices = calloc(count + 1, sizeof *param->choices);
    if (!param->choices)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *item =
            yaml_document_get_node(&r->document, list->data.sequence.items.start[i]);
        const int status = replace_text(r, item, "a choice", &param->choices[i]);
        if (status)
            return status;
    }
    return 0;
}

/* Two numbers of which the first is not the greater, within the range. */
static int read_ends(struct config_reader *r, struct param *param, const yaml_node_t *list)
{
    double ends[2];
    if (list->data.sequence.items.top - list->data.sequence.items.start != 2)
        return config_fail(r, &list->start_mark, "plausible of %s must be [least, greatest]",
                           param->row->name);
    for (unsigned i = 0; i < 2; i++) {
        const yaml_node_t *item =
            yaml_document_get_node(&r->document, list->data.sequence.items.start[i]);
        int status = read_numeric(r, param->row, item, "plausible", &ends[i]);
        if (!status)
            status = check_range(r, param, item, ends[i]);
        if (status)
            return status;
    }
    if (ends[0] > ends[1])
        return config_fail(r, &list->start_mark, "plausible of %s: %.17g is above %.17g",
                           param->row->name, ends[0], ends[1]);
    param->plausible_low = ends[0];
    param->plausible_high = ends[1];
    return 0;
}

/* True if the value comes from documents, rather than a measurement or an assumption. */
static bool is_published(const struct param *param)
{
    return param->provenance == PROVENANCE_DOCUMENTED || param->provenance == PROVENANCE_PUBLIC;
}

/* An overlay publishes a value: the range that it had before does not hold for it. */
static void drop_plausible(struct config_reader *r, struct param *param)
{
    free_choices(param);
    free(param->reason);
    param->reason = NULL;
    param->plausible = param->high_is_optimistic = false;
    config_drop_joint(r->config, param);
}

static int read_plausible(struct config_reader *r, struct param *param, const yaml_node_t *map,
                          yaml_node_t *const *field)
{
    const yaml_node_t *list = field[FIELD_PLAUSIBLE], *end = field[FIELD_OPTIMISTIC];
    const bool text = param->row->type == PARAM_TEXT;
    if (r->overlay && is_published(param) && !list)
        drop_plausible(r, param);
    if (!list && !end && !field[FIELD_REASON])
        return r->overlay || is_published(param)
                   ? 0
                   : config_fail(r, &map->start_mark, "%s is %s and lacks plausible, %s",
                                 param->row->name, provenance_name[param->provenance],
                                 text ? "the texts that it may be" : "where its number may lie");
    if (!list || list->type != YAML_SEQUENCE_NODE || !field[FIELD_REASON] || (!end && !text))
        return config_fail(
            r,
            &(list  ? list
              : end ? end
                    : field[FIELD_REASON])
                 ->start_mark,
            "plausible, optimistic and reason of %s belong together, the first a list",
            param->row->name);
    const char *word = end ? document_scalar(end) : "low";
    if (text && end)
        return config_fail(r, &end->start_mark, "of a text the first choice is the optimistic one");
    if (!word || (strcmp(word, "low") != 0 && strcmp(word, "high") != 0))
        return config_fail(r, &end->start_mark, "optimistic of %s must be low or high",
                           param->row->name);
    param->high_is_optimistic = word[0] == 'h';
    param->plausible = true;
    param->overridden = false; /* it varies, in this range */
    config_drop_joint(r->config, param);
    const int status = replace_text(r, field[FIELD_REASON], "reason", &param->reason);
    return status ? status : text ? read_choices(r, param, list) : read_ends(r, param, list);
}

/* The machine's own value is one of those that are plausible; one that a user gives need not be. */
static int check_plausible(struct config_reader *r, const struct param *param,
                           const yaml_node_t *value)
{
    bool inside = !param->plausible;
    if (param->row->type != PARAM_TEXT)
        inside |= param->value >= param->plausible_low && param->value <= param->plausible_high;
    for (char **choice = param->choices; choice && *choice; choice++)
        inside |= strcmp(*choice, param->text) == 0;
    return inside ? 0
                  : config_fail(r, &value->start_mark, "value of %s is not one that is plausible",
                                param->row->name);
}

/* True if the value is unpublished, so that it may have an optimistic value. */
static bool is_guess(const struct param *param)
{
    return param->provenance == PROVENANCE_ASSUMED || param->provenance == PROVENANCE_INFERRED;
}

static int refuse_documented(struct config_reader *r, const struct param *param,
                             const yaml_node_t *node)
{
    if (!node || is_guess(param))
        return 0;
    return config_fail(r, &node->start_mark,
                       "only an assumed or inferred parameter has an optimistic value, %s is %s",
                       param->row->name, provenance_name[param->provenance]);
}

static int read_text(struct config_reader *r, struct param *param, const yaml_node_t *map,
                     yaml_node_t *field[FIELD_COUNT])
{
    int status = read_plausible(r, param, map, field);
    if (!status)
        status = refuse_documented(r, param, field[FIELD_DOCUMENTED]);
    if (!status)
        status = replace_text(r, field[FIELD_VALUE], "value", &param->text);
    if (!status && !r->overlay)
        status = check_plausible(r, param, field[FIELD_VALUE]);
    if (!status && field[FIELD_DOCUMENTED])
        status = replace_text(r, field[FIELD_DOCUMENTED], "documented", &param->documented_text);
    return status;
}

static int read_value(struct config_reader *r, struct param *param, const yaml_node_t *map,
                      yaml_node_t *field[FIELD_COUNT])
{
    const struct param_row *row = param->row;
    double value;
    int status = read_limit(r, param, field[FIELD_LOW], "low", &param->low);
    if (!status)
        status = read_limit(r, param, field[FIELD_HIGH], "high", &param->high);
    if (!status)
        status = read_plausible(r, param, map, field);
    if (!status)
        status = read_numeric(r, row, field[FIELD_VALUE], "value", &value);
    if (!status)
        status = check_range(r, param, field[FIELD_VALUE], value);
    if (!status)
        status = refuse_documented(r, param, field[FIELD_DOCUMENTED]);
    if (status)
        return status;
    if (!r->overlay || !is_guess(param))
        param->documented = value;
    param->value = value;
    if (!r->overlay && (status = check_plausible(r, param, field[FIELD_VALUE])) != 0)
        return status;
    if (!field[FIELD_DOCUMENTED])
        return r->overlay || !is_guess(param)
                   ? 0
                   : config_fail(r, &map->start_mark,
                                 "%s is %s and lacks documented, its most optimistic value",
                                 row->name, provenance_name[param->provenance]);
    status = read_numeric(r, row, field[FIELD_DOCUMENTED], "documented", &param->documented);
    return status ? status : check_range(r, param, field[FIELD_DOCUMENTED], param->documented);
}

static int read_param(struct config_reader *r, struct param *param, const yaml_node_t *map)
{
    const struct param_row *row = param->row;
    if (map->type != YAML_MAPPING_NODE)
        return config_fail(
            r, &map->start_mark,
            "%s must be a mapping with value, unit, low, high, provenance and source", row->name);
    yaml_node_t *field[FIELD_COUNT] = {NULL};
    int status = read_fields(r, row, map, field);
    if (!status && field[FIELD_UNIT] && param->unit && document_scalar(field[FIELD_UNIT]) &&
        strcmp(document_scalar(field[FIELD_UNIT]), param->unit) != 0)
        status =
            config_fail(r, &field[FIELD_UNIT]->start_mark,
                        "%s is counted in %s, not in %.60s: leave unit out or write %s", row->name,
                        param->unit, document_scalar(field[FIELD_UNIT]), param->unit);
    if (!status && field[FIELD_UNIT])
        status = replace_text(r, field[FIELD_UNIT], "unit", &param->unit);
    if (!status && field[FIELD_SOURCE])
        status = replace_text(r, field[FIELD_SOURCE], "source", &param->source);
    if (!status && field[FIELD_SOURCE] && !*param->source)
        status =
            config_fail(r, &field[FIELD_SOURCE]->start_mark, "source of %s is empty", row->name);
    if (!status && field[FIELD_PROVENANCE])
        status = read_provenance(r, param, field[FIELD_PROVENANCE]);
    if (status)
        return status;
    return row->type == PARAM_TEXT ? read_text(r, param, map, field)
                                   : read_value(r, param, map, field);
}

/* --- the whole -------------------------------------------------------------------------------- */

static int read_root(struct config_reader *r)
{
    yaml_node_t *root = yaml_document_get_root_node(&r->document);
    const yaml_mark_t start = {0, 0, 0};
    if (!root && r->overlay)
        return 0;
    if (!root || root->type != YAML_MAPPING_NODE)
        return config_fail(r, root ? &root->start_mark : &start,
                           "expected a mapping of parameters");
    bool *seen = calloc(r->config->count + 1, sizeof *seen);
    if (!seen)
        return -1;
    const yaml_node_t *joint = NULL;
    int status = 0;
    for (yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         !status && pair < root->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
        yaml_node_t *value = yaml_document_get_node(&r->document, pair->value);
        const char *name = document_scalar(key);
        if (name && strcmp(name, "joint") == 0 && !joint) {
            joint = value;
            continue;
        }
        const size_t i = name ? config_row(r->config, name) : r->config->count;
        if (i == r->config->count) {
            const char *hint = name ? nearest(r->config, name) : NULL;
            status = config_fail(r, &key->start_mark, "no parameter is named '%s'%s%s%s",
                                 name ? name : "?", hint ? ", did you mean '" : "",
                                 hint ? hint : "", hint ? "'?" : "");
        } else if (seen[i]) {
            status = config_fail(r, &key->start_mark, "%s is given twice", name);
        } else {
            seen[i] = true;
            r->config->params[i].overridden |= r->overlay;
            status = read_param(r, &r->config->params[i], value);
        }
    }
    for (size_t i = 0; !status && !r->overlay && i < r->config->count; i++)
        if (!seen[i])
            status = config_fail(r, &root->end_mark, "parameter %s is missing (%s)",
                                 r->config->rows[i].name, r->config->rows[i].sentence);
    free(seen);
    return !status && joint ? config_read_joint(r, joint) : status;
}

/* The number of events that parameters need, and a chip's settings found together. */
static size_t most_events(const struct config *config)
{
    enum { EACH = 64, SETTINGS = 1024 };
    return (config->count + 1) * EACH + SETTINGS;
}

static int read_document(struct config_reader *r, const char *text, size_t size)
{
    static const char *const sentences[] = {
        [DOCUMENT_SECOND] = "a second document; all parameters stand in one",
        [DOCUMENT_DEEP] = "nested too deep for a parameter",
        [DOCUMENT_LONG] = "more than all parameters of the machine take"};
    const struct document_limits limits = {
        .depth = 8, .events = most_events(r->config), .aliases = true};
    struct document_error error;
    int status = document_load(&r->document, text, size, &limits, &error);
    if (status > 0)
        return config_fail(r, &error.at, "%s",
                           error.fault == DOCUMENT_NO_YAML ? error.problem
                                                           : sentences[error.fault]);
    if (status < 0)
        return status;
    status = read_root(r);
    yaml_document_delete(&r->document);
    return status;
}

int config_read(struct config *config, const struct param_row *rows, size_t count,
                const struct config_file *file, char *error, size_t error_size)
{
    *config = (struct config){.rows = rows, .count = count};
    config->params = calloc(count + 1, sizeof *config->params);
    if (!config->params)
        return -1;
    for (size_t i = 0; i < count; i++)
        config->params[i].row = &rows[i];
    struct config_reader r = {
        .config = config, .name = file->name, .error = error, .error_size = error_size};
    const int status = read_document(&r, file->text, file->size);
    if (status)
        config_free(config);
    return status;
}

int config_overlay(struct config *config, const struct config_file *file, char *error,
                   size_t error_size)
{
    struct config_reader r = {.config = config,
                              .name = file->name,
                              .error = error,
                              .error_size = error_size,
                              .overlay = true};
    return read_document(&r, file->text, file->size);
}

int config_set(struct config *config, const char *assignment, char *error, size_t error_size)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment) {
        snprintf(error, error_size, "--set takes KEY=VALUE, not '%.80s'", assignment);
        return 1;
    }
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    const size_t i = config_row(config, name);
    if (i == config->count) {
        const char *hint = nearest(config, name);
        snprintf(error, error_size, "no parameter is named '%s'%s%s%s", name,
                 hint ? ", did you mean '" : "", hint ? hint : "; takt config MACHINE lists them",
                 hint ? "'?" : "");
        return 1;
    }
    struct param *param = &config->params[i];
    if (param->row->type == PARAM_TEXT) {
        char *copy = strdup(equals + 1);
        if (!copy)
            return -1;
        free(param->text);
        param->text = copy;
    } else {
        double value;
        if (!config_digits(equals + 1, &value) ||
            (param->row->type == PARAM_INTEGER && value != floor(value))) {
            snprintf(error, error_size, "%s takes %s, not '%.80s'", name,
                     param->row->type == PARAM_INTEGER ? "an integer" : "a number", equals + 1);
            return 1;
        }
        if (value < param->low || value > param->high) {
            snprintf(error, error_size, "%s = %.17g is outside its range %.17g .. %.17g", name,
                     value, param->low, param->high);
            return 1;
        }
        /* Assumed and inferred values keep their optimistic value: the documented bound does not
         * change. */
        if (!is_guess(param))
            param->documented = value;
        param->value = value;
    }
    param->overridden = true;
    return 0;
}

void config_free(struct config *config)
{
    for (size_t i = 0; config->params && i < config->count; i++) {
        free(config->params[i].text);
        free(config->params[i].documented_text);
        free(config->params[i].unit);
        free(config->params[i].source);
        free(config->params[i].reason);
        free_choices(&config->params[i]);
    }
    free(config->params);
    config->params = NULL;
    config_free_joint(&config->joint);
}

bool config_of_host(const struct param_row *row)
{
    return strncmp(row->name, "host_", 5) == 0;
}

struct config config_without_host(const struct config *config)
{
    struct config variant = config_variant(config);
    for (size_t i = 0; variant.params && i < variant.count; i++)
        variant.params[i].overridden |= config_of_host(variant.params[i].row);
    return variant;
}

struct config config_variant(const struct config *config)
{
    struct config variant = *config;
    variant.params = malloc((config->count + 1) * sizeof *variant.params);
    if (variant.params && config->count)
        memcpy(variant.params, config->params, config->count * sizeof *variant.params);
    return variant;
}

double config_number(const struct config *config, const char *name, bool documented)
{
    const size_t i = config_row(config, name);
    return i < config->count ? config_real(config, i, documented) : 0;
}

double config_real(const struct config *config, size_t index, bool documented)
{
    const struct param *param = &config->params[index];
    return documented ? param->documented : param->value;
}

uint64_t config_integer(const struct config *config, size_t index, bool documented)
{
    return (uint64_t)config_real(config, index, documented);
}

const char *config_text(const struct config *config, size_t index, bool documented)
{
    const struct param *param = &config->params[index];
    return documented && param->documented_text ? param->documented_text : param->text;
}

uint64_t config_hash(const struct config *config)
{
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < config->count; i++) {
        const struct param *param = &config->params[i];
        char line[256];
        const int length =
            snprintf(line, sizeof line, "%s=%.17g/%.17g/%.60s/%.60s\n", param->row->name,
                     param->value, param->documented, param->text ? param->text : "",
                     param->documented_text ? param->documented_text : "");
        const size_t shown = (size_t)length < sizeof line - 1 ? (size_t)length : sizeof line - 1;
        hash = hash_bytes(hash, line, shown);
    }
    return hash;
}
