#include "cli/batch_job.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/utf8_json.h"
#include "cli/cli.h"

/* Fields of a job's options that are flags of a run, or of its answer. */
static const struct {
    const char *name;
    unsigned flag;
} flags[] = {{"documented", TAKT_DOCUMENTED},
             {"range", TAKT_RANGE},
             {"bounds", TAKT_BOUNDS},
             {"statements", TAKT_STATEMENTS},
             {"transfers", TAKT_TRANSFERS},
             {"values", TAKT_VALUES},
             {"path", TAKT_PATH},
             {"limit", TAKT_VERDICT}};
static const char *const shown[] = {"units", "counters", "diagnostics", "dump", "hash"};
static const char *const texts[] = {"init", "trace"};
static const char *const lists[] = {"set", "silence"};

/* One job on its way. Fields of `given` are borrowed. */
struct job {
    struct batch *batch;
    json_t *given, *options; /* options: with those of all jobs */
    json_t *answer;
    struct takt_error error;
    const char *name, *text; /* of the program; text NULL: a file */
    size_t size;
    unsigned flags;
};

static enum takt_status wrong(struct job *job, const char *format, const char *name)
{
    job->error.status = TAKT_MISUSE;
    snprintf(job->error.text, sizeof job->error.text, format, name);
    return TAKT_MISUSE;
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
#define ONE_OF(name, names) is_one_of(name, names, sizeof(names) / sizeof *(names))

static unsigned flag_of(const char *name)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(name, flags[i].name) == 0)
            return flags[i].flag;
    return 0;
}

static bool wants(const struct job *job, const char *name)
{
    return json_is_true(json_object_get(job->options, name));
}

/* --- options ---------------------------------------------------------------------------------- */

/* {"key": value} as ["key=value"]; NULL: it has another shape. */
static json_t *assignments(const json_t *set)
{
    const char *key;
    json_t *value, *list = json_array();
    json_object_foreach((json_t *)(uintptr_t)set, key, value)
    {
        char *number = json_is_number(value) ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
        const char *text = number ? number : json_string_value(value);
        json_t *assignment = text ? json_sprintf("%s=%s", key, text) : NULL;
        free(number);
        if (!assignment || json_array_append_new(list, assignment) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static bool are_strings(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return json_is_array(list);
}

/* A list of the job goes behind that of all jobs. */
static enum takt_status add_list(struct job *job, const char *name, const json_t *value)
{
    json_t *more = json_is_object(value) && strcmp(name, "set") == 0
                       ? assignments(value)
                       : json_copy((json_t *)(uintptr_t)value);
    json_t *all = json_copy(json_object_get(job->options, name));
    if (!all)
        all = json_array();
    const bool good = are_strings(more) && json_array_extend(all, more) == 0 &&
                      json_object_set(job->options, name, all) == 0;
    json_decref(more);
    json_decref(all);
    return good ? TAKT_FINE
                : wrong(job, "options.%s has another shape than docs/json.md says", name);
}

static enum takt_status take_options(struct job *job)
{
    const json_t *own = json_object_get(job->given, "options");
    const char *name;
    json_t *value;
    job->options = json_copy(job->batch->options);
    if (own && !json_is_object(own))
        return wrong(job, "%s is to be an object", "options");
    json_object_foreach((json_t *)(uintptr_t)own, name, value)
    {
        if (ONE_OF(name, lists)) {
            if (add_list(job, name, value) != TAKT_FINE)
                return TAKT_MISUSE;
            continue;
        }
        const bool flag = flag_of(name) || ONE_OF(name, shown);
        if (flag ? !json_is_boolean(value) : !json_is_boolean(value) && !json_is_string(value))
            return wrong(job,
                         flag ? "options.%s is to be true or false"
                              : "options.%s is to be a text, true or false",
                         name);
        if (ONE_OF(name, texts) && !json_is_string(value))
            return wrong(job, "options.%s is to be a text", name);
        json_object_set(job->options, name, value);
    }
    json_object_foreach(job->options, name, value) job->flags |=
        json_is_true(value) ? flag_of(name) : 0;
    if (wants(job, "dump") || wants(job, "hash"))
        job->flags |= TAKT_VALUES;
    return TAKT_FINE;
}

/* --- the machine ------------------------------------------------------------------------------ */

static enum takt_status set_up(struct job *job, struct takt_machine *machine)
{
    struct takt_error *error = &job->error;
    enum takt_status status = TAKT_FINE;
    const char *name;
    json_t *value;
    for (size_t i = 0; status == TAKT_FINE && i < job->batch->config_count; i++) {
        const struct takt_text *config = &job->batch->configs[i];
        status = takt_machine_config(machine, config->name, config->text, config->size, error);
    }
    const json_t *sets = json_object_get(job->options, "set");
    for (size_t i = 0; status == TAKT_FINE && i < json_array_size(sets); i++)
        status = takt_machine_set(machine, json_string_value(json_array_get(sets, i)), error);
    const json_t *names = json_object_get(job->options, "silence");
    for (size_t i = 0; status == TAKT_FINE && i < json_array_size(names); i++)
        status = takt_machine_silence(machine, json_string_value(json_array_get(names, i)), error);
    json_object_foreach(job->options, name, value)
    {
        const bool known =
            flag_of(name) || ONE_OF(name, shown) || ONE_OF(name, texts) || ONE_OF(name, lists);
        if (status == TAKT_FINE && !known && !json_is_false(value))
            status = takt_machine_option(machine, name, json_string_value(value), error);
    }
    return status;
}

/* The machine of the last job serves again when it would be set up the same. */
static enum takt_status find_machine(struct job *job)
{
    struct batch *batch = job->batch;
    const json_t *own = json_object_get(job->given, "machine");
    if (own && !json_is_string(own))
        return wrong(job, "%s is to be a text", "machine");
    const char *asked = own ? json_string_value(own) : batch->machine;
    const struct machine *known = asked ? NULL : cli_machine(NULL, job->name);
    const char *name = asked ? asked : known->name;
    json_t *key_of = json_pack("[s, O]", name, job->options);
    char *key = key_of ? json_dumps(key_of, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    json_decref(key_of);
    if (key && batch->open_key && strcmp(key, batch->open_key) == 0) {
        free(key);
        return TAKT_FINE;
    }
    takt_machine_close(batch->open);
    free(batch->open_key);
    batch->open_key = NULL;
    enum takt_status status = takt_machine_open(&batch->open, name, &job->error);
    if (status == TAKT_FINE)
        status = set_up(job, batch->open);
    if (status == TAKT_FINE)
        batch->open_key = key;
    else
        free(key);
    return status;
}

/* --- the answer ------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *text)
{
    return text ? utf8_json(text) : json_null();
}

/* Objects of a list; a NULL item, for want of memory, is left out as jansson does. */
static void add(json_t *list, json_t *item)
{
    json_array_append_new(list, item);
}

static json_t *findings_json(const struct takt_program *program)
{
    static const char *const severities[] = {"note", "warning", "error"};
    const struct takt_finding *f;
    const size_t count = takt_program_findings(program, &f);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_pack("{s:o, s:I, s:I, s:s, s:s, s:o}", "file", utf8_json(f[i].file),
                                "line", (json_int_t)f[i].line, "column", (json_int_t)f[i].column,
                                "severity", severities[f[i].severity], "rule", f[i].rule, "message",
                                utf8_json(f[i].text));
        if (f[i].name[0])
            json_object_set_new(row, "name", json_string(f[i].name));
        if (f[i].fix)
            json_object_set_new(row, "fix", utf8_json(f[i].fix));
        if (f[i].missing_steps >= 0)
            json_object_set_new(row, "missing_steps", json_integer(f[i].missing_steps));
        if (f[i].spare_steps)
            json_object_set_new(row, "spare_steps", json_integer((json_int_t)f[i].spare_steps));
        if (f[i].spare_cycles)
            json_object_set_new(row, "spare_cycles", json_integer((json_int_t)f[i].spare_cycles));
        add(list, row);
    }
    return list;
}

/* How many, and all of them where the program is at fault or the job wants them. */
static void list_findings(struct job *job, const struct takt_program *program, bool at_fault)
{
    const struct takt_finding *f;
    const size_t count = takt_program_findings(program, &f);
    size_t found[] = {[TAKT_NOTE] = 0, [TAKT_WARNING] = 0, [TAKT_ERROR] = 0};
    for (size_t i = 0; i < count; i++)
        found[f[i].severity]++;
    json_object_set_new(job->answer, "errors", json_integer((json_int_t)found[TAKT_ERROR]));
    json_object_set_new(job->answer, "warnings", json_integer((json_int_t)found[TAKT_WARNING]));
    if (at_fault || wants(job, "diagnostics"))
        json_object_set_new(job->answer, "diagnostics", findings_json(program));
}

static json_t *units_json(const struct takt_run *run)
{
    const struct takt_unit *u;
    const size_t count = takt_run_units(run, &u);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *reasons = json_object();
        for (size_t r = 0; r < u[i].reason_count; r++)
            json_object_set_new(reasons, u[i].reasons[r].name,
                                json_integer((json_int_t)u[i].reasons[r].cycles));
        add(list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "unit", u[i].name, "kind", u[i].kind,
                            "busy", (json_int_t)u[i].busy, "waiting", (json_int_t)u[i].waiting,
                            "idle", (json_int_t)u[i].idle, "reasons", reasons));
    }
    return list;
}

static json_t *statements_json(const struct takt_run *run)
{
    const struct takt_statement *s;
    const size_t count = takt_run_statements(run, &s);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        add(list,
            json_pack("{s:o, s:I, s:s, s:s, s:I, s:I, s:I, s:I}", "file", utf8_json(s[i].file),
                      "line", (json_int_t)s[i].line, "unit", s[i].unit, "reason", s[i].reason,
                      "cycles", (json_int_t)s[i].cycles, "executions", (json_int_t)s[i].executions,
                      "operations", (json_int_t)s[i].operations, "bytes", (json_int_t)s[i].bytes));
    return list;
}

static json_t *transfer_json(const struct takt_transfer *t)
{
    json_t *row = json_pack("{s:o, s:I, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "file",
                            utf8_json(t->file), "line", (json_int_t)t->line, "mode", t->mode,
                            "tag_name", text_or_null(t->tag), "bytes", (json_int_t)t->bytes,
                            "issued", (json_int_t)t->issued, "started", (json_int_t)t->started,
                            "finished", (json_int_t)t->finished, "waited", (json_int_t)t->waited,
                            "waited_by", t->waited_by ? json_integer(t->waited_by) : json_null(),
                            "limited_by", text_or_null(t->limited_by));
    for (size_t i = 0; i < t->attribute_count; i++)
        json_object_set_new(row, t->attributes[i].name,
                            json_integer((json_int_t)t->attributes[i].value));
    return row;
}

static json_t *transfers_json(const struct takt_run *run)
{
    const struct takt_transfer *t;
    const size_t count = takt_run_transfers(run, &t);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        add(list, transfer_json(&t[i]));
    return list;
}

static json_t *path_json(const struct takt_run *run)
{
    const struct takt_step *p;
    const size_t count = takt_run_path(run, &p);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        add(list, json_pack("{s:I, s:I, s:o, s:s, s:o, s:I, s:o, s:I}", "start",
                            (json_int_t)p[i].start, "cycles", (json_int_t)p[i].cycles, "unit",
                            text_or_null(p[i].unit), "reason", p[i].reason, "file",
                            text_or_null(p[i].file), "line", (json_int_t)p[i].line, "last_file",
                            text_or_null(p[i].last_file), "last_line", (json_int_t)p[i].last_line));
    return list;
}

static json_t *limit_json(const struct takt_run *run)
{
    const struct takt_verdict *v = takt_run_verdict(run);
    if (!v->kind[0])
        return json_null();
    json_t *lines = json_array();
    for (size_t i = 0; i < v->line_count; i++)
        add(lines, json_pack("{s:o, s:I}", "file", utf8_json(v->lines[i].file), "line",
                             (json_int_t)v->lines[i].line));
    return json_pack("{s:o, s:s, s:o, s:o, s:f, s:o}", "text", utf8_json(v->text), "kind", v->kind,
                     "unit", text_or_null(v->unit), "busy",
                     v->unit ? json_real(v->busy) : json_null(), "share", v->share, "lines", lines);
}

static json_t *bounds_json(const struct takt_run *run)
{
    const struct takt_bound *b;
    const size_t count = takt_run_bounds(run, &b);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        add(list, json_pack("{s:s, s:s, s:o, s:I}", "class", b[i].class_name, "kind", b[i].kind,
                            "unit", text_or_null(b[i].unit), "cycles", (json_int_t)b[i].cycles));
    return list;
}

static json_t *counters_json(const struct takt_run *run)
{
    const struct takt_counter *c;
    const size_t count = takt_run_counters(run, &c);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        add(list, json_pack("{s:s, s:o, s:I}", "name", c[i].name, "index",
                            c[i].index_name ? json_integer(c[i].index) : json_null(), "value",
                            (json_int_t)c[i].value));
    return list;
}

static void describe(struct job *job, const struct takt_run *run)
{
    json_t *a = job->answer;
    const struct takt_totals *totals = takt_run_totals(run);
    json_object_set_new(a, "cycles", json_integer((json_int_t)totals->cycles));
    json_object_set_new(a, "cycles_documented",
                        totals->cycles_documented
                            ? json_integer((json_int_t)totals->cycles_documented)
                            : json_null());
    json_object_set_new(a, "seconds", json_real((double)totals->cycles / totals->clock_hz));
    if (totals->has_range)
        json_object_set_new(a, "range",
                            json_pack("{s:I, s:I}", "low", (json_int_t)totals->range_low, "high",
                                      (json_int_t)totals->range_high));
    static const struct {
        const char *name;
        json_t *(*rows)(const struct takt_run *run);
    } parts[] = {{"units", units_json},         {"statements", statements_json},
                 {"transfers", transfers_json}, {"bounds", bounds_json},
                 {"path", path_json},           {"limit", limit_json},
                 {"counters", counters_json}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (wants(job, parts[i].name))
            json_object_set_new(a, parts[i].name, parts[i].rows(run));
    if (wants(job, "dump"))
        json_object_set_new(a, "dump", utf8_json(takt_run_dump(run, NULL)));
    if (wants(job, "hash"))
        json_object_set_new(a, "state",
                            json_sprintf("%016llx", (unsigned long long)takt_run_state(run)));
}

/* --- the run ---------------------------------------------------------------------------------- */

static enum takt_status time_it(struct job *job)
{
    struct takt_program *program = NULL;
    struct takt_run *run = NULL;
    const struct takt_text text = {job->name, job->text, job->size};
    const struct takt_options options = {
        .size = sizeof options,
        .flags = job->flags,
        .init = json_string_value(json_object_get(job->options, "init")),
        .trace = json_string_value(json_object_get(job->options, "trace"))};
    enum takt_status status = find_machine(job);
    if (status == TAKT_FINE)
        status = takt_program_open(&program, job->batch->open, &text, 1, &job->error);
    if (program)
        list_findings(job, program, status != TAKT_FINE);
    if (status == TAKT_FINE)
        status = takt_run_open(&run, program, &options, &job->error);
    if (status == TAKT_FINE)
        status = takt_run_advance(run, 0, &job->error);
    if (status == TAKT_FINE)
        describe(job, run);
    takt_run_close(run);
    takt_program_close(program);
    return status;
}

/* The fields of a line. */
static enum takt_status take_fields(struct job *job)
{
    static const char *const fields[] = {"id", "text", "file", "name", "machine", "options"};
    static const char *const strings[] = {"text", "file", "name"};
    const char *name;
    json_t *value;
    if (!json_is_object(job->given))
        return wrong(job, "%s is to be an object", "a line");
    json_object_foreach(job->given, name, value)
    {
        if (!ONE_OF(name, fields))
            return wrong(job, "a job has no field '%.100s'", name);
        if (ONE_OF(name, strings) && !json_is_string(value))
            return wrong(job, "%s is to be a text", name);
    }
    const json_t *text = json_object_get(job->given, "text");
    const json_t *file = json_object_get(job->given, "file");
    const json_t *called = json_object_get(job->given, "name");
    if (!text == !file || (file && called))
        return wrong(job, "a job has %s", "either a text, which may have a name, or a file");
    job->text = json_string_value(text);
    job->size = json_string_length(text);
    job->name = file ? json_string_value(file) : called ? json_string_value(called) : "<text>";
    return take_options(job);
}

static json_t *id_of(const struct job *job, const struct batch_job *line)
{
    json_t *id = json_object_get(job->given, "id");
    if (id)
        return json_incref(id);
    const json_t *file = json_object_get(job->given, "file");
    if (line->kind == BATCH_FILE || json_is_string(file))
        return utf8_json(file ? json_string_value(file) : job->name);
    return json_integer((json_int_t)line->number);
}

static char *dump(json_t *answer)
{
    char *text = json_dumps(answer, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
    json_decref(answer);
    return text;
}

char *batch_lost(const struct batch_job *line, const char *why)
{
    struct job job = {.answer = json_object()};
    char *path = NULL;
    if (line->kind == BATCH_JSON)
        job.given = json_loadb(line->text, line->size, JSON_REJECT_DUPLICATES, NULL);
    else if (line->kind == BATCH_FILE)
        job.name = path = strndup(line->text, line->size);
    json_object_set_new(job.answer, "id", id_of(&job, line));
    json_object_set_new(job.answer, "ok", json_false());
    json_object_set_new(job.answer, "why", utf8_json(why));
    json_decref(job.given);
    free(path);
    return dump(job.answer);
}

char *batch_answer(struct batch *batch, const struct batch_job *line, enum takt_status *status)
{
    struct job job = {.batch = batch, .answer = json_object()};
    char *path = NULL;
    json_error_t why;
    *status = TAKT_FINE;
    if (line->kind == BATCH_TOO_LONG) {
        *status = wrong(&job, "the line is longer than %s", "16 MiB; a file may be longer");
    } else if (line->kind == BATCH_FILE) {
        job.name = path = strndup(line->text, line->size);
        *status = path ? take_options(&job) : TAKT_HOST;
    } else {
        job.given = json_loadb(line->text, line->size, JSON_REJECT_DUPLICATES, &why);
        if (!job.given)
            *status = wrong(&job, "the line is no JSON: %.300s", why.text);
        else
            *status = take_fields(&job);
    }
    json_object_set_new(job.answer, "id", id_of(&job, line));
    json_object_set_new(job.answer, "ok", json_true());
    if (*status == TAKT_FINE)
        *status = time_it(&job);
    if (*status != TAKT_FINE) {
        json_object_set_new(job.answer, "ok", json_false());
        json_object_set_new(job.answer, "why", utf8_json(job.error.text));
    }
    json_decref(job.given);
    json_decref(job.options);
    free(path);
    return dump(job.answer);
}
