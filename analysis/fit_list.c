#include "analysis/fit_list.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/document.h"
#include "host/grow.h"
#include "timing/machines.h"
#include "host/path.h"

struct reader {
    struct fit_list *list;
    const char *name;
    char *error;
    yaml_document_t document;
};

static int fail(struct reader *r, const yaml_mark_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(struct reader *r, const yaml_mark_t *at, const char *format, ...)
{
    char sentence[300];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    snprintf(r->error, FIT_ERROR, "%.300s:%zu:%zu: error: %s", r->name, at->line + 1,
             at->column + 1, sentence);
    return 1;
}

static struct fit_spot spot_of(const yaml_node_t *node)
{
    return (struct fit_spot){node->start_mark.line + 1, node->start_mark.column + 1};
}

static int take_text(struct reader *r, const yaml_node_t *node, const char *what, char **target)
{
    const char *text = document_scalar(node);
    if (!text || !*text)
        return fail(r, &node->start_mark, "%s must be a text", what);
    if (*target)
        return fail(r, &node->start_mark, "%s is given twice", what);
    *target = strdup(text);
    return *target ? 0 : -1;
}

/* --- fields of a measurement ------------------------------------------------------------------ */

/* Above, a double is not each integer. */
static const double LARGEST = 9007199254740992;

/* 2^53 + 1 is 2^53 as a double. */
static bool is_above_largest(const char *text, double value)
{
    return value > LARGEST || (value == LARGEST && strtold(text, NULL) > (long double)LARGEST);
}

static bool read_number(const char *text, double *value, const char **end)
{
    char *after;
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hexadecimal || (!isdigit((unsigned char)text[0]) && text[0] != '.'))
        return false;
    *value = strtod(text, &after);
    while (*after == ' ')
        after++;
    *end = after;
    return true;
}

static bool is_empty(const char *text)
{
    return text && (!*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
}

static int take_value(struct reader *r, const yaml_node_t *node, struct fit_measurement *m)
{
    const char *text = document_scalar(node), *end;
    if (is_empty(text))
        return 0;
    if (!text || !read_number(text, &m->value, &end) || *end)
        return fail(r, &node->start_mark,
                    "value is not a decimal number of 0 or more; "
                    "fix: leave it empty when it is not measured yet");
    if (is_above_largest(text, m->value))
        return fail(r, &node->start_mark, "value is above 2^53");
    m->known = true;
    return 0;
}

/* A percentage stays negative until the value is known. */
static int take_tolerance(struct reader *r, const yaml_node_t *node, struct fit_measurement *m)
{
    const char *text = document_scalar(node), *end;
    if (is_empty(text))
        return 0;
    if (!text || !read_number(text, &m->tolerance, &end) || (*end && strcmp(end, "%") != 0))
        return fail(r, &node->start_mark, "tolerance is not a number or a percentage");
    if (is_above_largest(text, m->tolerance))
        return fail(r, &node->start_mark, "tolerance is above 2^53");
    if (*end)
        m->tolerance = -m->tolerance / 100;
    return 0;
}

static bool take_lines(const char *text, uint32_t *lines, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char *end;
        const unsigned long line = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
        if (line == 0 || line > UINT32_MAX)
            return false;
        lines[i] = (uint32_t)line;
        text = end + strspn(end, " ");
    }
    return !*text;
}

/* NAME, or NAME/INDEX of a counter. */
static int take_name(struct reader *r, const yaml_mark_t *at, struct fit_measurement *m,
                     const char *text)
{
    m->name = m->kind == FIT_EVENTS ? path_relative(r->name, text) : strdup(text);
    char *slash = m->name && m->kind == FIT_COUNTER ? strrchr(m->name, '/') : NULL;
    if (slash && isdigit((unsigned char)slash[1])) {
        char *end;
        const unsigned long index = strtoul(slash + 1, &end, 10);
        if (*end || index > UINT32_MAX)
            return fail(r, at, "quantity '%.60s': the index is not a number below 2^32",
                        m->quantity);
        m->lines[0] = (uint32_t)index;
        *slash = '\0';
    }
    return m->name ? 0 : -1;
}

static int take_quantity(struct reader *r, const yaml_node_t *node, struct fit_measurement *m)
{
    static const struct {
        const char *word;
        unsigned lines;
        bool named;
    } kinds[] = {[FIT_CYCLES] = {"cycles", 0, false},  [FIT_TIME] = {"time", 0, false},
                 [FIT_COUNTER] = {"counter", 0, true}, [FIT_TRANSFER] = {"transfer", 1, false},
                 [FIT_REGION] = {"region", 0, true},   [FIT_BETWEEN] = {"between", 2, false},
                 [FIT_EVENTS] = {"events", 0, true}};
    const int status = take_text(r, node, "quantity", &m->quantity);
    if (status)
        return status;
    const size_t length = strcspn(m->quantity, " ");
    const char *rest = m->quantity + length + strspn(m->quantity + length, " ");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strlen(kinds[k].word) != length || strncmp(kinds[k].word, m->quantity, length) != 0)
            continue;
        m->kind = (enum fit_quantity)k;
        if (kinds[k].named ? !*rest : !take_lines(rest, m->lines, kinds[k].lines))
            return fail(r, &node->start_mark, "quantity '%.60s': %s", m->quantity,
                        kinds[k].named   ? "a name follows"
                        : kinds[k].lines ? "numbers of lines follow"
                                         : "nothing follows");
        return kinds[k].named ? take_name(r, &node->start_mark, m, rest) : 0;
    }
    return fail(r, &node->start_mark,
                "quantity '%.60s' is not cycles, time, counter NAME, transfer LINE, region NAME, "
                "between LINE LINE or events FILE",
                m->quantity);
}

static char **next_of(char **list)
{
    size_t i = 0;
    while (i < FIT_OPTIONS && list[i])
        i++;
    return i < FIT_OPTIONS ? &list[i] : NULL;
}

/* SPEC=FILE, the file relative to the list. */
static int take_load(struct reader *r, const yaml_node_t *node, char **place)
{
    char *text = NULL;
    int status = take_text(r, node, "load", &text);
    const char *equals = text ? strchr(text, '=') : NULL;
    char *path = equals && equals[1] ? path_relative(r->name, equals + 1) : NULL;
    if (status == 0 && !(equals && equals[1]))
        status = fail(r, &node->start_mark, "load is SPEC=FILE, as of takt run");
    else if (status == 0)
        status = path && asprintf(place, "%.*s=%s", (int)(equals - text), text, path) >= 0 ? 0 : -1;
    free(path);
    free(text);
    return status;
}

/* An option that is a flag of takt run: whether it is given. */
static int read_flag(struct reader *r, const yaml_node_t *node, const char *name, bool *given)
{
    const char *value = document_scalar(node);
    *given = is_empty(value) || strcasecmp(value, "true") == 0;
    return *given || strcasecmp(value, "false") == 0
               ? 0
               : fail(r, &node->start_mark, "option %s is true or false, not '%.60s'", name, value);
}

/* One option, as takt run has it. */
static int take_option(struct reader *r, struct fit_measurement *m, const yaml_node_t *key,
                       const yaml_node_t *node)
{
    const char *name = document_scalar(key), *value = document_scalar(node);
    if (!name || !value)
        return fail(r, &key->start_mark, "an option is NAME: VALUE");
    if (strcmp(name, "init") == 0)
        return take_text(r, node, "init", &m->init);
    if (strcmp(name, "set") == 0)
        return fail(
            r, &key->start_mark,
            "a measurement cannot set a number: all are of one chip, and its file has them; "
            "fix: chip: FILE, above measurements");
    if (strcmp(name, "load") == 0) {
        char **place = next_of(m->loads);
        return place ? take_load(r, node, place)
                     : fail(r, &key->start_mark, "more than %d of %s", FIT_OPTIONS, name);
    }
    const struct machine_option *option = machine_option(r->list->machine, "run", name);
    if (!option)
        return fail(r, &key->start_mark, "%s has no option '%.60s' of takt run",
                    r->list->machine->title, name);
    bool given = true;
    const int status = option->argument ? 0 : read_flag(r, node, name, &given);
    if (status != 0 || !given)
        return status;
    size_t i = 0;
    for (; m->settings[i].name; i++)
        if (strcmp(m->settings[i].name, name) == 0)
            return fail(r, &key->start_mark, "option %s is given twice", name);
    if (i == FIT_OPTIONS)
        return fail(r, &key->start_mark, "more than %d options", FIT_OPTIONS);
    bool known = !option->words;
    for (const char *const *word = option->words; !known && *word; word++)
        known = strcmp(*word, value) == 0;
    if (!known)
        return fail(r, &node->start_mark, "option %s cannot be '%.60s'", name, value);
    m->settings[i].value = option->file == MACHINE_NO_FILE ? strdup(option->argument ? value : "")
                                                           : path_relative(r->name, value);
    if (!m->settings[i].value)
        return -1;
    m->settings[i].name = option->name;
    return 0;
}

/* The key of a pair, where an earlier pair has it, too. */
static const char *repeated(struct reader *r, const yaml_node_t *map, const yaml_node_pair_t *pair)
{
    const char *name = document_scalar(yaml_document_get_node(&r->document, pair->key));
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; name && p < pair; p++) {
        const char *other = document_scalar(yaml_document_get_node(&r->document, p->key));
        if (other && strcmp(name, other) == 0)
            return name;
    }
    return NULL;
}

static int take_options(struct reader *r, const yaml_node_t *map, struct fit_measurement *m)
{
    int status = 0;
    if (map->type != YAML_MAPPING_NODE)
        return fail(r, &map->start_mark, "options is a mapping: {NAME: VALUE}");
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         !status && pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
        const yaml_node_t *value = yaml_document_get_node(&r->document, pair->value);
        if (repeated(r, map, pair))
            return fail(r, &key->start_mark, "option %.60s is given twice", repeated(r, map, pair));
        if (value->type != YAML_SEQUENCE_NODE) {
            status = take_option(r, m, key, value);
            continue;
        }
        for (yaml_node_item_t *item = value->data.sequence.items.start;
             !status && item < value->data.sequence.items.top; item++)
            status = take_option(r, m, key, yaml_document_get_node(&r->document, *item));
    }
    return status;
}

static int take_field(struct reader *r, struct fit_measurement *m, const yaml_node_t *key,
                      const yaml_node_t *node)
{
    static const char *const fields[FIT_SPOTS] = {
        [FIT_AT_PROGRAM] = "program", [FIT_AT_OPTIONS] = "options", [FIT_AT_QUANTITY] = "quantity"};
    const char *name = document_scalar(key);
    for (unsigned f = 0; f < FIT_SPOTS; f++)
        if (name && fields[f] && strcmp(name, fields[f]) == 0)
            m->spots[f] = spot_of(node);
    if (name && strcmp(name, "program") == 0)
        return take_text(r, node, name, &m->program);
    if (name && strcmp(name, "source") == 0)
        return take_text(r, node, name, &m->source);
    if (name && strcmp(name, "group") == 0)
        return take_text(r, node, name, &m->group);
    if (name && strcmp(name, "quantity") == 0)
        return take_quantity(r, node, m);
    if (name && strcmp(name, "value") == 0)
        return take_value(r, node, m);
    if (name && strcmp(name, "tolerance") == 0)
        return take_tolerance(r, node, m);
    if (name && strcmp(name, "options") == 0)
        return take_options(r, node, m);
    return fail(r, &key->start_mark,
                "a measurement has no field '%.60s' (program, options, quantity, value, "
                "tolerance, source, group)",
                name ? name : "?");
}

/* --- the list --------------------------------------------------------------------------------- */

static int take_measurement(struct reader *r, const yaml_node_t *map)
{
    struct fit_list *list = r->list;
    if (map->type != YAML_MAPPING_NODE)
        return fail(r, &map->start_mark, "a measurement is a mapping with program and value");
    if (!grow_list(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return -1;
    struct fit_measurement *m = &list->items[list->count++];
    *m = (struct fit_measurement){.kind = FIT_CYCLES};
    for (unsigned f = 0; f < FIT_SPOTS; f++)
        m->spots[f] = spot_of(map);
    int status = asprintf(&m->place, "%s:%zu", r->name, map->start_mark.line + 1) < 0 ? -1 : 0;
    for (yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         !status && pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
        const char *twice = repeated(r, map, pair);
        status = twice ? fail(r, &key->start_mark, "%.60s is given twice", twice)
                       : take_field(r, m, key, yaml_document_get_node(&r->document, pair->value));
    }
    if (status)
        return status;
    if (!m->program)
        return fail(r, &map->start_mark,
                    "which program is it a measurement of?; fix: program: FILE");
    if (!m->quantity && !(m->quantity = strdup("cycles")))
        return -1;
    if (m->kind == FIT_EVENTS)
        m->known = true;
    if (m->tolerance < 0)
        m->tolerance *= -m->value;
    m->path = path_relative(r->name, m->program);
    return m->path ? 0 : -1;
}

static int take_machine(struct reader *r, const yaml_node_t *node)
{
    const char *name = document_scalar(node);
    const struct machine *machine = name ? machine_named(name) : NULL;
    if (!machine)
        return fail(r, &node->start_mark, "no machine is named '%.60s'", name ? name : "?");
    if (r->list->machine && r->list->machine != machine)
        return fail(r, &node->start_mark, "%s, and a list before it is of %s", machine->title,
                    r->list->machine->title);
    r->list->machine = machine;
    return 0;
}

static int take_other_chip(struct reader *r, const yaml_node_t *node, const char *name)
{
    char *path = path_relative(r->name, name);
    const struct fit_spot at = spot_of(node);
    if (path && r->list->chip && strcmp(path, r->list->chip) != 0) {
        free(path);
        return fail(r, &node->start_mark,
                    "another chip than %.200s of a list before it; fix: a fit for each chip",
                    r->list->chip);
    }
    if (path && r->list->chip) {
        free(path);
        return 0;
    }
    r->list->chip = path;
    return path && asprintf(&r->list->chip_place, "%.300s:%zu:%zu", r->name, at.line, at.column) >=
                       0
               ? 0
               : -1;
}

/* A file, or the name of the machine's own chip. */
static int take_chip(struct reader *r, const yaml_node_t *node)
{
    const char *name = document_scalar(node), *own = r->list->machine->name;
    if (is_empty(name))
        return 0;
    if (!name)
        return fail(r, &node->start_mark, "chip must be the name of a chip file");
    const bool is_own = strcmp(name, own) == 0;
    const struct machine *other = is_own ? NULL : machine_named(name);
    if (other)
        return fail(r, &node->start_mark,
                    "chip %s is that of another machine, and the list is of %s; fix: chip: %s",
                    name, own, own);
    if (is_own ? r->list->chip != NULL : r->list->own_chip)
        return fail(r, &node->start_mark,
                    "chip %.100s, and %.200s of a list before it; fix: a fit for each chip", name,
                    is_own ? r->list->chip : own);
    r->list->own_chip |= is_own;
    return is_own ? 0 : take_other_chip(r, node, name);
}

int fit_list_chip(const struct fit_list *list, struct source *chip, char error[FIT_ERROR])
{
    char why[FIT_ERROR / 2] = "";
    const int status = source_open(chip, list->chip, why, sizeof why);
    if (status > 0)
        snprintf(error, FIT_ERROR, "%.340s: error: %s", list->chip_place, why);
    return status;
}

static int read_root(struct reader *r)
{
    static const char *const names[] = {"machine", "chip", "measurements"};
    const yaml_mark_t start = {0, 0, 0};
    const yaml_node_t *node[3] = {NULL};
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    if (!root || root->type != YAML_MAPPING_NODE)
        return fail(r, root ? &root->start_mark : &start,
                    "expected machine, chip and measurements");
    for (yaml_node_pair_t *pair = root->data.mapping.pairs.start;
         pair < root->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
        const char *name = document_scalar(key);
        unsigned i = 0;
        while (name && i < 3 && strcmp(names[i], name) != 0)
            i++;
        if (!name || i == 3 || node[i])
            return fail(r, &key->start_mark, "'%.60s' is %s (machine, chip, measurements)",
                        name ? name : "?", name && i < 3 ? "given twice" : "no field of a list");
        node[i] = yaml_document_get_node(&r->document, pair->value);
    }
    if (!node[0])
        return fail(r, &root->start_mark,
                    "machine: NAME is required; fix: names are "
                    "those of takt config");
    int status = take_machine(r, node[0]);
    if (!status && node[1])
        status = take_chip(r, node[1]);
    if (status)
        return status;
    if (!node[2] || node[2]->type != YAML_SEQUENCE_NODE)
        return fail(r, node[2] ? &node[2]->start_mark : &root->start_mark,
                    "measurements is a list, each with program and value");
    for (yaml_node_item_t *item = node[2]->data.sequence.items.start;
         !status && item < node[2]->data.sequence.items.top; item++)
        status = take_measurement(r, yaml_document_get_node(&r->document, *item));
    return status;
}

int fit_list_read(struct fit_list *list, const struct config_file *file, char error[FIT_ERROR])
{
    static const struct document_limits limits = {.depth = 8, .events = 1 << 20};
    static const char *const sentences[] = {
        [DOCUMENT_SECOND] = "a second document",
        [DOCUMENT_ALIAS] = "an alias; write the values out",
        [DOCUMENT_DEEP] = "nested too deep, or too long, for a list",
        [DOCUMENT_LONG] = "nested too deep, or too long, for a list"};
    struct reader r = {.list = list, .name = file->name, .error = error};
    struct document_error why;
    int status = document_load(&r.document, file->text, file->size, &limits, &why);
    if (status > 0)
        return fail(&r, &why.at, "%.200s",
                    why.fault == DOCUMENT_NO_YAML ? why.problem : sentences[why.fault]);
    if (status < 0)
        return status;
    status = read_root(&r);
    yaml_document_delete(&r.document);
    return status;
}

void fit_list_free(struct fit_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct fit_measurement *m = &list->items[i];
        char *const texts[] = {m->program, m->path,   m->quantity, m->name,
                               m->init,    m->source, m->place,    m->group};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free(texts[k]);
        for (size_t k = 0; k < FIT_OPTIONS; k++) {
            free((char *)(uintptr_t)m->settings[k].value);
            free(m->loads[k]);
        }
    }
    free(list->items);
    free(list->chip);
    free(list->chip_place);
    *list = (struct fit_list){.machine = NULL};
}
