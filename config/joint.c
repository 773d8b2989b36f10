/* joint: settings of several parameters together, in a chip file (config.h). */
#include "config/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void config_free_joint(struct config_joint *joint)
{
    free(joint->params);
    free(joint->values);
    *joint = (struct config_joint){.count = 0};
}

/* New ranges of a parameter make settings that were found with the old ones void. */
void config_drop_joint(struct config *config, const struct param *param)
{
    for (size_t i = 0; i < config->joint.width; i++)
        if (&config->params[config->joint.params[i]] == param) {
            config_free_joint(&config->joint);
            return;
        }
}

static size_t items_of(const yaml_node_t *list)
{
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

static const yaml_node_t *item_of(struct config_reader *r, const yaml_node_t *list, size_t i)
{
    return yaml_document_get_node(&r->document, list->data.sequence.items.start[i]);
}

static int read_joint_names(struct config_reader *r, const yaml_node_t *list,
                            struct config_joint *joint)
{
    joint->width = items_of(list);
    joint->params = calloc(joint->width + 1, sizeof *joint->params);
    for (size_t i = 0; joint->params && i < joint->width; i++) {
        const yaml_node_t *item = item_of(r, list, i);
        const char *name = document_scalar(item);
        const size_t index = name ? config_row(r->config, name) : r->config->count;
        if (index == r->config->count || !r->config->params[index].plausible)
            return config_fail(r, &item->start_mark,
                               "joint: no parameter with a plausible range is '%s'",
                               name ? name : "?");
        for (size_t k = 0; k < i; k++)
            if (joint->params[k] == index)
                return config_fail(r, &item->start_mark, "joint names %s twice", name);
        joint->params[i] = index;
    }
    return joint->params ? 0 : -1;
}

/* A number inside the plausible range, or one of the choices. */
static bool read_joint_value(const struct param *param, const char *word, double *value)
{
    if (param->row->type != PARAM_TEXT)
        return config_digits(word, value) && *value >= param->plausible_low &&
               *value <= param->plausible_high &&
               (param->row->type != PARAM_INTEGER || *value == floor(*value));
    for (size_t i = 0; param->choices[i]; i++)
        if (strcmp(param->choices[i], word) == 0) {
            *value = (double)i;
            return true;
        }
    return false;
}

static int read_setting(struct config_reader *r, const yaml_node_t *item,
                        struct config_joint *joint)
{
    const char *text = document_scalar(item);
    char *copy = text ? strdup(text) : NULL, *rest = NULL;
    double *values = joint->values + joint->count * joint->width;
    size_t i = 0;
    if (text && !copy)
        return -1;
    char *word = copy ? strtok_r(copy, " ", &rest) : NULL;
    while (word && i < joint->width &&
           read_joint_value(&r->config->params[joint->params[i]], word, &values[i])) {
        i++;
        word = strtok_r(NULL, " ", &rest);
    }
    const bool whole = copy && i == joint->width && !word;
    free(copy);
    if (!whole)
        return config_fail(r, &item->start_mark,
                           "a setting of joint has a plausible value of each of its parameters");
    joint->count++;
    return 0;
}

int config_read_joint(struct config_reader *r, const yaml_node_t *map)
{
    struct config_joint *joint = &r->config->joint;
    const yaml_node_t *lists[2] = {NULL}, *off = NULL;
    static const char *const names[2] = {"parameters", "settings"};
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         map->type == YAML_MAPPING_NODE && pair < map->data.mapping.pairs.top; pair++) {
        const char *name = document_scalar(yaml_document_get_node(&r->document, pair->key));
        for (unsigned i = 0; i < 2; i++)
            if (name && strcmp(name, names[i]) == 0)
                lists[i] = yaml_document_get_node(&r->document, pair->value);
        if (name && strcmp(name, "error") == 0)
            off = yaml_document_get_node(&r->document, pair->value);
    }
    for (unsigned i = 0; i < 2; i++)
        if (!lists[i] || lists[i]->type != YAML_SEQUENCE_NODE)
            return config_fail(r, &map->start_mark, "joint has two lists, parameters and settings");
    config_free_joint(joint);
    const char *share = off ? document_scalar(off) : "0";
    if (!share || !config_digits(share, &joint->error) || !(joint->error >= 0) || joint->error > 1)
        return config_fail(r, &off->start_mark, "error of joint is a share from 0 to 1");
    int status = read_joint_names(r, lists[0], joint);
    joint->values = calloc(items_of(lists[1]) * joint->width + 1, sizeof *joint->values);
    if (status == 0 && !joint->values)
        status = -1;
    for (size_t i = 0; status == 0 && i < items_of(lists[1]); i++)
        status = read_setting(r, item_of(r, lists[1], i), joint);
    if (status != 0)
        config_free_joint(joint);
    return status;
}

void config_apply_joint(const struct config *config, size_t k, struct config *variant)
{
    const struct config_joint *joint = &config->joint;
    for (size_t i = 0; i < joint->width; i++) {
        struct param *param = &variant->params[joint->params[i]];
        const double value = joint->values[k * joint->width + i];
        if (param->overridden)
            continue;
        if (param->row->type == PARAM_TEXT)
            param->text = param->choices[(size_t)value];
        else
            param->value = value;
        param->documented = param->value;
    }
}
