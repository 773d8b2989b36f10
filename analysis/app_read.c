#include "analysis/app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/document.h"
#include "host/grow.h"
#include "host/suggest.h"
#include "timing/machines.h"

enum { MOST_REPEATS = 8 };

struct reader {
    struct app *app;
    struct diag_list *diags;
    yaml_document_t document;
    int status;
};

static const char *const words[] = {
    [APP_LOAD] = "load", [APP_STORE] = "store", [APP_RUN] = "run", [APP_REPEAT] = "repeat"};
enum { KINDS = sizeof words / sizeof *words };

const char *app_kind_name(enum app_kind kind)
{
    return words[kind];
}

/* --- findings --------------------------------------------------------------------------------- */

static struct document_span span_of(const struct reader *r, const yaml_node_t *node)
{
    const struct source *source = r->app->source;
    return document_span(source->text, source->size, &node->start_mark,
                         node->type == YAML_SCALAR_NODE ? &node->end_mark : NULL);
}

static struct diag diag_at(struct document_span at)
{
    return (struct diag){.severity = DIAG_ERROR,
                         .line = at.line,
                         .column = at.column,
                         .length = at.length,
                         .rule = ""};
}

/* A finding at a node. Returns 1. */
static int fail(struct reader *r, const yaml_node_t *node, const char *sentence, const char *fix)
{
    const struct diag at = diag_at(span_of(r, node));
    diag_add(r->diags, &at, "%s\n%s", sentence, fix);
    return 1;
}

static int unknown(struct reader *r, const yaml_node_t *key, const char *what,
                   const char *const *names, size_t count)
{
    const char *word = document_scalar(key);
    const char *near = word ? suggest_name(word, strlen(word), names, count) : NULL;
    const struct diag at = diag_at(span_of(r, key));
    char list[160] = "";
    size_t size = 0;
    for (size_t i = 0; i < count && size < sizeof list; i++)
        size += (size_t)snprintf(list + size, sizeof list - size, "%s%s", i ? ", " : "", names[i]);
    if (near)
        diag_add(r->diags, &at, "%s has no '%.40s'\ndid you mean %s?", what, word, near);
    else
        diag_add(r->diags, &at, "%s has no '%.40s'\none of %s", what, word ? word : "list", list);
    return 1;
}

static int no_memory(struct reader *r)
{
    r->status = -1;
    return -1;
}

/* --- values ----------------------------------------------------------------------------------- */

static int read_number(struct reader *r, const yaml_node_t *node, uint64_t low, uint64_t high,
                       uint64_t *number)
{
    const char *text = document_scalar(node);
    char *end = NULL;
    errno = 0;
    const uint64_t value = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    if (end && !*end && !errno && value >= low && value <= high) {
        *number = value;
        return 0;
    }
    char sentence[96];
    snprintf(sentence, sizeof sentence, "a whole number from %llu to %llu belongs here",
             (unsigned long long)low, (unsigned long long)high);
    return fail(r, node, sentence, "digits alone, without unit or comma");
}

static int read_board(struct reader *r, const yaml_node_t *node, uint32_t *board)
{
    const char *text = document_scalar(node);
    uint64_t number;
    if (text && strcmp(text, "all") == 0)
        return 0;
    if (read_number(r, node, 0, r->app->boards - 1, &number) != 0)
        return 1;
    *board = (uint32_t)number;
    return 0;
}

static yaml_node_t *node_at(struct reader *r, int index)
{
    return yaml_document_get_node(&r->document, index);
}

struct field {
    const yaml_node_t *key, *value; /* NULL: it is not there */
};

/* What a mapping holds, by name; what: it is, "a step". */
static int list_fields(struct reader *r, const yaml_node_t *map, const char *what,
                       const char *const *names, size_t count, struct field *fields)
{
    int status = 0;
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
         p++) {
        const yaml_node_t *key = node_at(r, p->key);
        const char *name = document_scalar(key);
        size_t f = 0;
        while (name && f < count && strcmp(names[f], name) != 0)
            f++;
        if (!name || f == count)
            status |= unknown(r, key, what, names, count);
        else if (fields[f].key)
            status |= fail(r, key, "this is given twice", "give it once");
        else
            fields[f] = (struct field){key, node_at(r, p->value)};
    }
    return status;
}

/* load: {bytes: N, board: all} */
static int read_transfer(struct reader *r, const yaml_node_t *map, struct app_step *step)
{
    static const char *const names[] = {"bytes", "board"};
    struct field fields[2] = {{NULL, NULL}};
    if (map->type != YAML_MAPPING_NODE)
        return fail(r, map, "a transfer needs its bytes", "{bytes: N}, or {bytes: N, board: K}");
    int status = list_fields(r, map, "a transfer", names, 2, fields);
    status |= fields[0].key ? read_number(r, fields[0].value, 1, APP_TIMES, &step->bytes)
                            : fail(r, map, "a transfer needs its bytes", "add bytes: N");
    if (fields[1].key)
        status |= read_board(r, fields[1].value, &step->board);
    return status;
}

static int read_program(struct reader *r, const yaml_node_t *node, struct app_step *step)
{
    struct app *app = r->app;
    const char *text = document_scalar(node);
    if (!text || !*text || strlen(text) != node->data.scalar.length)
        return fail(r, node, "run names a program's file", "run: FILE");
    for (step->program = 0; step->program < app->program_count; step->program++)
        if (strcmp(app->programs[step->program].path, text) == 0)
            return 0;
    if (!grow_list(&app->programs, &app->program_capacity, app->program_count + 1,
                   sizeof *app->programs))
        return no_memory(r);
    const struct document_span at = span_of(r, node);
    app->programs[app->program_count] = (struct app_program){
        .path = strdup(text), .line = at.line, .column = at.column, .length = at.length};
    diag_list_init(&app->programs[app->program_count].diags);
    return app->programs[app->program_count++].path ? 0 : no_memory(r);
}

/* --- steps ------------------------------------------------------------------------------------ */

static const char *const step_names[] = {"load",  "store", "run",  "repeat",
                                         "times", "board", "with", "steps"};
enum { TIMES = KINDS, BOARD, WITH, STEPS, NAMES };

static int read_steps(struct reader *r, const yaml_node_t *list, uint32_t depth);

static struct app_step *add_step(struct reader *r)
{
    struct app *app = r->app;
    struct app_step *steps = grow(app->steps, &app->capacity, app->count + 1, sizeof *steps);
    if (!steps) {
        no_memory(r);
        return NULL;
    }
    app->steps = steps;
    return &steps[app->count++];
}

static int read_with(struct reader *r, const yaml_node_t *node, bool *with_next)
{
    const char *text = document_scalar(node);
    if (!text || strcmp(text, "next") != 0)
        return fail(r, node, "a step begins together with the next one only", "with: next");
    *with_next = true;
    return 0;
}

/* Fields that a kind of step has not. */
static int refuse_fields(struct reader *r, enum app_kind kind, const struct field *fields)
{
    static const char *const why[KINDS][NAMES] = {
        [APP_LOAD] = {[BOARD] = "the board of a transfer is in its braces",
                      [STEPS] = "steps belong to repeat"},
        [APP_STORE] = {[BOARD] = "the board of a transfer is in its braces",
                       [STEPS] = "steps belong to repeat"},
        [APP_RUN] = {[STEPS] = "steps belong to repeat"},
        [APP_REPEAT] = {[TIMES] = "repeat has its number already",
                        [BOARD] = "the steps in a repeat have the boards",
                        [WITH] = "a repeat has the boards for itself"}};
    int status = 0;
    for (size_t f = 0; f < NAMES; f++)
        if (fields[f].key && why[kind][f])
            status |= fail(r, fields[f].key, why[kind][f], "leave it out");
    return status;
}

static int read_repeat(struct reader *r, const struct field *fields, size_t index)
{
    uint64_t times = 0;
    int status = read_number(r, fields[APP_REPEAT].value, 1, APP_TIMES, &times);
    const uint32_t depth = r->app->steps[index].depth;
    if (!fields[STEPS].key)
        status |=
            fail(r, fields[APP_REPEAT].key, "a repeat needs its steps", "add steps: below it");
    else if (depth == MOST_REPEATS)
        status |= fail(r, fields[APP_REPEAT].key, "repeats are nested more than 8 deep",
                       "multiply their numbers");
    else
        status |= read_steps(r, fields[STEPS].value, depth + 1);
    r->app->steps[index].times = times;
    r->app->steps[index].end = r->app->count;
    return status;
}

static int read_step(struct reader *r, const yaml_node_t *map, uint32_t depth)
{
    struct field fields[NAMES] = {{NULL, NULL}};
    if (map->type != YAML_MAPPING_NODE)
        return fail(r, map, "a step is load, store, run or repeat", "- run: FILE");
    if (list_fields(r, map, "a step", step_names, NAMES, fields) != 0)
        return 1;
    int kinds = 0;
    enum app_kind kind = APP_LOAD;
    for (unsigned k = 0; k < KINDS; k++)
        if (fields[k].key && ++kinds)
            kind = (enum app_kind)k;
    if (kinds != 1)
        return fail(r, map, "a step is one of load, store, run and repeat",
                    kinds ? "make a step of each" : "- run: FILE");
    struct app_step *step = add_step(r);
    if (!step)
        return -1;
    const struct document_span at = span_of(r, fields[kind].key);
    *step = (struct app_step){.kind = kind,
                              .line = at.line,
                              .column = at.column,
                              .length = at.length,
                              .times = 1,
                              .board = APP_ALL,
                              .depth = depth,
                              .end = r->app->count};
    int status = refuse_fields(r, kind, fields);
    if (kind == APP_REPEAT)
        return read_repeat(r, fields, (size_t)(step - r->app->steps)) | status;
    status |= kind == APP_RUN ? read_program(r, fields[kind].value, step)
                              : read_transfer(r, fields[kind].value, step);
    if (fields[TIMES].key)
        status |= read_number(r, fields[TIMES].value, 1, APP_TIMES, &step->times);
    if (fields[BOARD].key && kind == APP_RUN)
        status |= read_board(r, fields[BOARD].value, &step->board);
    if (fields[WITH].key)
        status |= read_with(r, fields[WITH].value, &step->with_next);
    return status;
}

static bool meet(const struct app_step *a, const struct app_step *b)
{
    return a->board == APP_ALL || b->board == APP_ALL || a->board == b->board;
}

static void refuse_step(struct reader *r, const struct app_step *step, const char *text)
{
    const struct diag at = diag_at((struct document_span){step->line, step->column, step->length});
    diag_add(r->diags, &at, "%s", text);
}

/* Steps that begin together: each has a next one, and a board runs one program at a time. */
static int check_together(struct reader *r, size_t first, size_t end)
{
    const struct app_step *steps = r->app->steps;
    const size_t errors = r->diags->errors;
    size_t group = first;
    for (size_t s = first; s < end; s = steps[s].end) {
        if (steps[s].kind == APP_REPEAT && group < s)
            refuse_step(r, &steps[s],
                        "a repeat has the boards for itself\n"
                        "leave out the with: next before it");
        for (size_t t = group; t < s; t++)
            if (steps[t].kind == APP_RUN && steps[s].kind == APP_RUN && meet(&steps[t], &steps[s]))
                refuse_step(r, &steps[s],
                            "a board runs one program at a time\n"
                            "give each run another board:, or leave out with: "
                            "next");
        if (steps[s].with_next && steps[s].end == end)
            refuse_step(r, &steps[s], "there is no next step\nleave out with: next");
        if (!steps[s].with_next)
            group = steps[s].end;
    }
    return r->diags->errors > errors;
}

static int read_steps(struct reader *r, const yaml_node_t *list, uint32_t depth)
{
    const size_t first = r->app->count;
    int status = 0;
    if (list->type != YAML_SEQUENCE_NODE ||
        list->data.sequence.items.start == list->data.sequence.items.top)
        return fail(r, list, "steps is a list of at least one step", "- run: FILE");
    for (const yaml_node_item_t *i = list->data.sequence.items.start;
         r->status == 0 && i < list->data.sequence.items.top; i++)
        status |= read_step(r, node_at(r, *i), depth);
    return status ? status : check_together(r, first, r->app->count);
}

/* --- the file --------------------------------------------------------------------------------- */

static int read_machine(struct reader *r, const yaml_node_t *node)
{
    const char *text = document_scalar(node), *names[16];
    size_t count = 0;
    for (; count < machine_count && count < 16; count++)
        names[count] = machines[count]->name;
    r->app->machine = text ? machine_named(text) : NULL;
    return r->app->machine ? 0 : unknown(r, node, "takt", names, count);
}

static int read_root(struct reader *r)
{
    static const char *const names[] = {"machine", "boards", "steps"};
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    struct field fields[3] = {{NULL, NULL}};
    if (!root || root->type != YAML_MAPPING_NODE) {
        const struct diag at = diag_at((struct document_span){1, 1, 1});
        diag_add(r->diags, &at, "an application has machine: and steps:\nadd them");
        return 1;
    }
    int status = list_fields(r, root, "an application", names, 3, fields);
    uint64_t boards = 1;
    if (!fields[0].key)
        status |= fail(r, root, "an application names its machine", "add machine: NAME");
    else if (!fields[2].key)
        status |= fail(r, root, "an application needs its steps", "add steps:");
    if (fields[0].key)
        status |= read_machine(r, fields[0].value);
    if (fields[1].key)
        status |= read_number(r, fields[1].value, 1, APP_BOARDS, &boards);
    r->app->boards = (uint32_t)boards;
    return fields[2].key ? read_steps(r, fields[2].value, 0) | status : status;
}

static int read_document(struct reader *r)
{
    static const struct document_limits limits = {.depth = 24, .events = 40000};
    static const char *const sentences[] = {
        [DOCUMENT_SECOND] = "a second document\nan application is one",
        [DOCUMENT_ALIAS] = "an alias\nwrite the step out, or use repeat",
        [DOCUMENT_DEEP] = "nested too deep\nmultiply the numbers of repeats",
        [DOCUMENT_LONG] = "too many steps\nuse times: and repeat:"};
    const struct source *source = r->app->source;
    struct document_error error;
    int status = document_load(&r->document, source->text, source->size, &limits, &error);
    if (status > 0) {
        const struct diag at = diag_at(document_span(source->text, source->size, &error.at, NULL));
        if (error.fault == DOCUMENT_NO_YAML)
            diag_add(r->diags, &at, "%s\nan application is YAML", error.problem);
        else
            diag_add(r->diags, &at, "%s", sentences[error.fault]);
    }
    if (status != 0)
        return status;
    status = read_root(r);
    yaml_document_delete(&r->document);
    return r->status ? r->status : status != 0;
}

int app_read(struct app *app, const struct source *source, struct diag_list *diags)
{
    *app = (struct app){.source = source, .boards = 1};
    struct reader r = {.app = app, .diags = diags};
    const int status = read_document(&r);
    diag_sort(diags);
    return status;
}

bool app_recognise(const char *text, size_t size)
{
    static const char word[] = "steps:";
    for (const char *at = text, *end = text + size; at < end; at++) {
        if ((size_t)(end - at) >= sizeof word - 1 && memcmp(at, word, sizeof word - 1) == 0)
            return true;
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return false;
    }
    return false;
}
