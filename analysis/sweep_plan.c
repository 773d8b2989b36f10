#include "analysis/sweep_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/utf8_json.h"
#include "functional/diag.h"
#include "host/file.h"
#include "host/hash.h"
#include "version.h"
#include "host/path.h"

enum { LINE = JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17) };

static int out_of_memory(char error[SWEEP_ERROR])
{
    snprintf(error, SWEEP_ERROR, "out of memory");
    return -1;
}

static void set_hash(json_t *object, const char *name, uint64_t hash)
{
    json_object_set_new(object, name, json_sprintf("%016llx", (unsigned long long)hash));
}

/* --- the folder ------------------------------------------------------------------------------- */

static int make_folder(char error[SWEEP_ERROR], const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return 0;
    snprintf(error, SWEEP_ERROR, "%s: %s", path, strerror(errno));
    return file_blame(errno);
}

static int make_folders(const char *folder, char error[SWEEP_ERROR])
{
    static const char *const below[] = {"", "/chunks", "/inputs", "/inputs/programs",
                                        "/inputs/chips"};
    int status = 0;
    for (size_t i = 0; status == 0 && i < sizeof below / sizeof *below; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s%s", folder, below[i]) < 0)
            return out_of_memory(error);
        status = make_folder(error, path);
        free(path);
    }
    return status;
}

static int write_file(const char *path, const char *bytes, size_t size, char error[SWEEP_ERROR])
{
    struct replace file;
    const int status = replace_open(&file, path, error, SWEEP_ERROR);
    if (status)
        return status;
    fwrite(bytes, 1, size, file.file);
    return replace_close(&file, true, error, SWEEP_ERROR);
}

/* --- inputs ----------------------------------------------------------------------------------- */

/* One input of the spec, which may consist of several files. */
struct copies {
    struct sweep_plan *plan;
    char *from, *below; /* its file, and FOLDER/inputs/KIND/N */
    size_t stem;        /* of from: the folder with its '/' */
    uint64_t *hash;
    json_t *others; /* names of further files */
    int status;
    char *error;
};

/* FOLDER/inputs/KIND/N and the folders of a file in it. */
static int make_way(const struct copies *c, char *path)
{
    int status = make_folder(c->error, c->below);
    for (char *slash = path + strlen(c->below) + 1; status == 0; slash++) {
        slash = strchr(slash, '/');
        if (!slash)
            break;
        *slash = '\0';
        status = make_folder(c->error, path);
        *slash = '/';
    }
    return status;
}

static int copy_file(const struct copies *c, const struct source *file, const char *name)
{
    char *to = NULL;
    if (asprintf(&to, "%s/%s", c->below, name) < 0)
        return out_of_memory(c->error);
    int status = make_way(c, to);
    if (status == 0)
        status = write_file(to, file->text, file->size, c->error);
    free(to);
    return status;
}

/* Another file that the program is read from: it keeps its place next to the program. */
static void copy_other(void *context, const char *path)
{
    struct copies *c = context;
    struct source file;
    const char *name = path + c->stem;
    if (c->status || strcmp(path, c->from) == 0)
        return;
    if (strncmp(path, c->from, c->stem) != 0 || *name == '/' || strncmp(name, "../", 3) == 0 ||
        strstr(name, "/../")) {
        snprintf(c->error, SWEEP_ERROR,
                 "%s: it uses %s, which cannot be copied with it: only files in its folder and "
                 "below can",
                 c->from, path);
        c->status = 1;
        return;
    }
    source_watch(NULL, NULL);
    if (source_open(&file, path, c->error, SWEEP_ERROR) == 0) { /* else each point says it */
        c->status = copy_file(c, &file, name);
        *c->hash = hash_bytes(*c->hash, file.text, file.size);
        json_array_append_new(c->others, utf8_json(name));
        source_close(&file);
    }
    source_watch(copy_other, c);
}

/* What the program consists of is seen as it is read. What is wrong with it, each point says. */
static void copy_others(struct copies *c, const struct source *file)
{
    const struct machine_language *language = c->plan->spec->machine->language;
    struct machine_program *program = NULL;
    struct diag_list diags;
    diag_list_init(&diags);
    source_watch(copy_other, c);
    language->load(&program, file, 1, &diags);
    source_watch(NULL, NULL);
    if (program)
        language->unload(program);
    diag_list_free(&diags);
}

/* A row in a list of the head. */
static int list_input(const struct copies *c, const char *kind, const char *name, const char *file)
{
    json_t *row = json_pack("{s:s, s:s+, s:O}", "name", name, "file",
                            c->below + strlen(c->plan->folder) + 1, file, "others", c->others);
    if (row)
        set_hash(row, "hash", *c->hash);
    if (json_array_append_new(json_object_get(c->plan->head, kind), row) == 0)
        return 0;
    snprintf(c->error, SWEEP_ERROR, "%s: the name is not UTF-8", name);
    return 1;
}

static int copy_input(struct sweep_plan *plan, const char *kind, size_t n,
                      const struct sweep_value *input, uint64_t *hash, char error[SWEEP_ERROR])
{
    struct copies c = {.plan = plan, .hash = hash, .others = json_array(), .error = error};
    struct source file;
    c.from = sweep_spec_path(plan->spec, input->text);
    int status =
        c.from && c.others ? source_open(&file, c.from, error, SWEEP_ERROR) : out_of_memory(error);
    if (status) {
        json_decref(c.others);
        free(c.from);
        return status;
    }
    const char *name = path_base(c.from);
    c.stem = (size_t)(name - c.from);
    if (asprintf(&c.below, "%s/inputs/%s/%zu", plan->folder, kind, n) < 0)
        c.below = NULL;
    *hash = hash_bytes(HASH_START, file.text, file.size);
    status = c.below ? copy_file(&c, &file, name) : out_of_memory(error);
    if (status == 0 && strcmp(kind, "programs") == 0)
        copy_others(&c, &file);
    if (status == 0)
        status = c.status;
    if (status == 0) {
        char *last = NULL;
        status = asprintf(&last, "/%s", name) < 0 ? out_of_memory(error)
                                                  : list_input(&c, kind, input->text, last);
        free(last);
    }
    source_close(&file);
    json_decref(c.others);
    free(c.below);
    free(c.from);
    return status;
}

static int copy_inputs(struct sweep_plan *plan, char error[SWEEP_ERROR])
{
    const struct sweep_spec *spec = plan->spec;
    int status = 0;
    plan->program_texts = calloc(spec->programs.count + 1, sizeof *plan->program_texts);
    plan->chip_texts = calloc(spec->chips.count + 1, sizeof *plan->chip_texts);
    if (!plan->program_texts || !plan->chip_texts)
        return out_of_memory(error);
    for (size_t i = 0; status == 0 && i < spec->programs.count; i++)
        status = copy_input(plan, "programs", i, &spec->programs.items[i], &plan->program_texts[i],
                            error);
    for (size_t i = 0; status == 0 && i < spec->chips.count; i++)
        if (strcmp(spec->chips.items[i].text, "default") != 0)
            status =
                copy_input(plan, "chips", i, &spec->chips.items[i], &plan->chip_texts[i], error);
    return status;
}

/* --- the head --------------------------------------------------------------------------------- */

static json_t *names_of(const struct sweep_values *values)
{
    json_t *names = json_array();
    for (size_t i = 0; i < values->count; i++)
        json_array_append_new(names, json_string(values->items[i].text));
    return names;
}

static json_t *new_head(const struct sweep_spec *spec, const struct source *source)
{
    json_t *axes = json_array(), *quantities = json_object(), *pareto = json_array();
    for (size_t a = 0; a < spec->axis_count; a++)
        json_array_append_new(axes, json_string(spec->axes[a].name));
    for (size_t q = 0; q < spec->quantity_count; q++)
        json_object_set_new(quantities, spec->quantities[q].name,
                            json_string(spec->quantities[q].expression));
    for (size_t i = 0; i < 2 && spec->pareto[0].text; i++)
        json_array_append_new(pareto, json_string(spec->pareto[i].text));
    char *text = strndup(source->text, source->size);
    json_t *head = json_pack(
        "{s:i, s:s, s:s, s:o, s:o, s:[], s:[], s:o, s:o, s:s, s:o}", "format", SWEEP_FORMAT, "takt",
        TAKT_VERSION, "machine", spec->machine->name, "axes", axes, "counters",
        names_of(&spec->counters), "programs", "chips", "quantities", quantities, "pareto", pareto,
        "by", spec->by.text ? spec->by.text : "cycles", "spec", utf8_json(text ? text : ""));
    free(text);
    return head;
}

/* Of the numbers as built in: another build of the same version may have others. */
static int hash_numbers(struct sweep_plan *plan, char error[SWEEP_ERROR])
{
    struct config config;
    const int status = machine_config(plan->spec->machine, &config, error, SWEEP_ERROR);
    if (status)
        return status < 0 ? out_of_memory(error) : status;
    plan->numbers = config_hash(&config);
    set_hash(plan->head, "numbers", plan->numbers);
    config_free(&config);
    return 0;
}

int sweep_plan_begin(struct sweep_plan *plan, const struct sweep_spec *spec,
                     const struct source *source, const char *folder, char error[SWEEP_ERROR])
{
    *plan = (struct sweep_plan){.spec = spec, .folder = folder, .head = new_head(spec, source)};
    int status = plan->head ? 0 : out_of_memory(error);
    if (status == 0)
        status = make_folders(folder, error);
    if (status == 0)
        status = copy_inputs(plan, error);
    return status ? status : hash_numbers(plan, error);
}

void sweep_plan_free(struct sweep_plan *plan)
{
    json_decref(plan->head);
    free(plan->program_texts);
    free(plan->chip_texts);
}

/* --- points ----------------------------------------------------------------------------------- */

/* Of all that its result depends on. */
static uint64_t hash_point(const struct sweep_plan *plan, const struct sweep_point *point,
                           const json_t *line)
{
    json_t *all = json_copy((json_t *)(uintptr_t)line);
    json_object_set_new(all, "takt", json_string(TAKT_VERSION));
    json_object_set(all, "machine", json_object_get(plan->head, "machine"));
    json_object_set(all, "counters", json_object_get(plan->head, "counters"));
    set_hash(all, "numbers", plan->numbers);
    set_hash(all, "program_text", plan->program_texts[point->program]);
    set_hash(all, "chip_text", plan->chip_texts[point->chip]);
    char *text = json_dumps(all, LINE | JSON_SORT_KEYS);
    const uint64_t hash = text ? hash_bytes(HASH_START, text, strlen(text)) : 0;
    free(text);
    json_decref(all);
    return hash;
}

char *sweep_plan_line(const struct sweep_plan *plan, uint64_t point, uint64_t number,
                      uint64_t *hash)
{
    const struct sweep_spec *spec = plan->spec;
    struct sweep_point p;
    char *text = NULL;
    const bool good = sweep_points_make(spec, number, &p);
    json_t *line =
        good ? json_pack("{s:s, s:s, s:O, s:O}", "program", spec->programs.items[p.program].text,
                         "chip", spec->chips.count ? spec->chips.items[p.chip].text : "default",
                         "options", p.options, "set", p.set)
             : NULL;
    if (line) {
        *hash = hash_point(plan, &p, line);
        json_t *whole = json_pack("{s:I}", "point", (json_int_t)point);
        set_hash(whole, "hash", *hash);
        json_object_update(whole, line);
        text = json_dumps(whole, LINE);
        json_decref(whole);
    }
    json_decref(line);
    sweep_points_free(&p);
    return text;
}

/* --- the plan --------------------------------------------------------------------------------- */

/* Hashes of the points so far, to find repeated ones. */
struct seen {
    uint64_t *slots; /* 0: free */
    uint64_t mask;
};

static bool seen_before(struct seen *seen, uint64_t hash)
{
    hash += hash == 0;
    uint64_t at = hash & seen->mask;
    while (seen->slots[at] && seen->slots[at] != hash)
        at = (at + 1) & seen->mask;
    const bool before = seen->slots[at] == hash;
    seen->slots[at] = hash;
    return before;
}

struct writer {
    struct sweep_plan *plan;
    const struct sweep_division *division;
    FILE *out;
    struct seen seen;
    uint64_t hash, offset;
    json_t *chunks; /* [first point, points, offset of its first line] */
    uint64_t first, begins;
    double filled; /* share of the chunk */
};

static int end_chunk(struct writer *w)
{
    if (w->first == w->plan->points)
        return 0;
    const int status = json_array_append_new(
        w->chunks, json_pack("[I, I, I]", (json_int_t)w->first,
                             (json_int_t)(w->plan->points - w->first), (json_int_t)w->begins));
    w->first = w->plan->points;
    w->begins = w->offset;
    w->filled = 0;
    return status;
}

static int put_point(struct writer *w, uint64_t number, char error[SWEEP_ERROR])
{
    struct sweep_plan *plan = w->plan;
    const struct sweep_division *d = w->division;
    const size_t program = (size_t)(number / sweep_points_of_program(plan->spec));
    uint64_t hash;
    char *text = sweep_plan_line(plan, plan->points, number, &hash);
    if (!text)
        return out_of_memory(error);
    if (seen_before(&w->seen, hash)) {
        plan->dropped++;
        free(text);
        return 0;
    }
    const size_t size = strlen(text);
    text[size] = '\n';
    fwrite(text, 1, size + 1, w->out);
    w->hash = hash_bytes(w->hash, text, size + 1);
    w->offset += size + 1;
    free(text);
    plan->points++;
    w->filled +=
        d->chunk_points ? 1 / (double)d->chunk_points : d->seconds[program] / d->chunk_seconds;
    return w->filled > 1 - 1e-9 && end_chunk(w) != 0 ? out_of_memory(error) : 0;
}

static int write_points(struct writer *w, char error[SWEEP_ERROR])
{
    const uint64_t count = sweep_points_count(w->plan->spec);
    char *path = NULL;
    struct replace file;
    uint64_t slots = 16;
    while (slots < 2 * count)
        slots *= 2;
    w->seen = (struct seen){calloc(slots, sizeof *w->seen.slots), slots - 1};
    if (!w->seen.slots || asprintf(&path, "%s/plan.jsonl", w->plan->folder) < 0)
        return out_of_memory(error);
    int status = replace_open(&file, path, error, SWEEP_ERROR);
    free(path);
    if (status)
        return status;
    w->out = file.file;
    for (uint64_t number = 0; status == 0 && number < count; number++)
        status = put_point(w, number, error);
    if (status == 0 && end_chunk(w) != 0)
        status = out_of_memory(error);
    const int closed = replace_close(&file, status == 0, error, SWEEP_ERROR);
    return status ? status : closed;
}

static int write_head(struct sweep_plan *plan, char error[SWEEP_ERROR])
{
    char *path = NULL, *text = json_dumps(plan->head, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    int status = text && asprintf(&path, "%s/sweep.json", plan->folder) >= 0
                     ? write_file(path, text, strlen(text), error)
                     : out_of_memory(error);
    free(path);
    free(text);
    return status;
}

int sweep_plan_write(struct sweep_plan *plan, const struct sweep_division *division,
                     char error[SWEEP_ERROR])
{
    struct writer w = {
        .plan = plan, .division = division, .hash = HASH_START, .chunks = json_array()};
    int status = w.chunks ? write_points(&w, error) : out_of_memory(error);
    free(w.seen.slots);
    plan->chunks = json_array_size(w.chunks);
    json_object_set_new(plan->head, "chunks", w.chunks);
    json_object_set_new(plan->head, "points", json_integer((json_int_t)plan->points));
    json_object_set_new(plan->head, "engine", json_string(division->engine));
    json_object_set_new(plan->head, "jobs", json_integer((json_int_t)division->jobs));
    set_hash(plan->head, "plan", w.hash);
    return status ? status : write_head(plan, error);
}
