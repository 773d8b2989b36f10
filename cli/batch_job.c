#include "cli/batch_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "library/library.h"
#include "analysis/utf8_json.h"
#include "cli/cli.h"
#include "host/file.h"
#include "host/text.h"

enum {
    MOST_ANSWER = 1 << 28, /* bytes; more are in a trace */
    COMPACT = JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)
};

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
             {"limit", TAKT_VERDICT},
             {"diagnostics", TAKT_WARNINGS}};
static const char *const shown[] = {"units", "counters", "dump", "hash"};
static const char *const texts[] = {"init", "trace"};
static const char *const lists[] = {"set", "silence"};

/* One job on its way. Fields of `given` are borrowed. */
struct job {
    struct batch *batch;
    json_t *given, *options; /* options: with those of all jobs */
    struct takt_error error;
    char *path;
    const char *name, *text; /* of the program; text NULL: a file */
    size_t size;
    unsigned flags;
    struct takt_program *program;
    struct takt_run *run;
    FILE *out;        /* fields of the answer, each after a comma, into */
    char *fields;     /* here */
    size_t written;   /* bytes of it that were flushed */
    size_t described; /* bytes of what it says of the program alone */
    size_t rows;      /* of the list that is being written */
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

/* A list of the job follows that of all jobs. */
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
    if (json_object_get(job->options, "init") && !(job->flags & TAKT_VALUES))
        return wrong(job, "options.%s needs values, dump or hash: without values no memory is read",
                     "init");
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
        const struct machine_option *option =
            known ? NULL : machine_option(machine->machine, "run", name);
        if (option && option->file == MACHINE_WRITES)
            return wrong(job, "option %s writes a file: takt run has it", name);
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

/* Where memory is out a value is NULL, which jansson's allocator has noted: batch_serve then
 * answers otherwise. */
static void put(struct job *job, json_t *value)
{
    json_dumpf(value, job->out, COMPACT);
    json_decref(value);
}

static void field(struct job *job, const char *name, json_t *value)
{
    fprintf(job->out, ",\"%s\":", name);
    put(job, value);
}

static void integer(struct job *job, const char *name, uint64_t value)
{
    fprintf(job->out, ",\"%s\":%llu", name, (unsigned long long)value);
}

static bool too_long(const struct job *job)
{
    return job->written > MOST_ANSWER;
}

/* One of a list. False: the answer has become too long for more. */
static bool row(struct job *job, json_t *value)
{
    if (job->rows++ > 0)
        fputc(',', job->out);
    put(job, value);
    return !too_long(job);
}

static void begin_list(struct job *job, const char *name)
{
    fprintf(job->out, ",\"%s\":[", name);
    job->rows = 0;
}

static void end_list(struct job *job)
{
    fputc(']', job->out);
}

static void list_findings(struct job *job, const struct takt_program *program)
{
    const struct diag_list *diags = &program->diags;
    bool more = true;
    begin_list(job, "diagnostics");
    for (size_t i = 0; more && i < diags->count; i++)
        more = row(job, cli_diag_json(&diags->items[i], program->sources, program->source_count));
    end_list(job);
    const size_t found = diags->errors + diags->warnings + diags->notes;
    if (found > diags->count)
        integer(job, "left_out", found - diags->count);
}

/* How many, and all of them where the program has errors or the job wants them. */
static void describe_program(struct job *job, const struct takt_program *program, bool at_fault)
{
    integer(job, "errors", takt_program_count(program, TAKT_ERROR));
    integer(job, "warnings", takt_program_count(program, TAKT_WARNING));
    fflush(job->out);
    job->described = job->written;
    if (!at_fault && !wants(job, "diagnostics"))
        return;
    list_findings(job, program);
    fflush(job->out);
    if (!too_long(job))
        job->described = job->written;
}

static void list_warnings(struct job *job, const struct takt_run *run)
{
    const struct takt_finding *f;
    const size_t count = takt_run_findings(run, &f);
    bool more = true;
    for (size_t i = 0; more && i < count; i++)
        more = row(job, json_pack("{s:o, s:I, s:s, s:s, s:o}", "file", utf8_json(f[i].file), "line",
                                  (json_int_t)f[i].line, "severity", "warning", "name", f[i].name,
                                  "message", utf8_json(f[i].text)));
}

static void list_units(struct job *job, const struct takt_run *run)
{
    const struct takt_unit *u;
    const size_t count = takt_run_units(run, &u);
    bool more = true;
    for (size_t i = 0; more && i < count; i++) {
        json_t *reasons = json_object();
        for (size_t r = 0; r < u[i].reason_count; r++)
            json_object_set_new(reasons, u[i].reasons[r].name,
                                json_integer((json_int_t)u[i].reasons[r].cycles));
        more = row(job,
                   json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "unit", u[i].name, "kind", u[i].kind,
                             "busy", (json_int_t)u[i].busy, "waiting", (json_int_t)u[i].waiting,
                             "idle", (json_int_t)u[i].idle, "reasons", reasons));
    }
}

static void list_statements(struct job *job, const struct takt_run *run)
{
    const struct takt_statement *s;
    const size_t count = takt_run_statements(run, &s);
    bool more = true;
    for (size_t i = 0; more && i < count; i++)
        more =
            row(job, json_pack("{s:o, s:I, s:s, s:s, s:I, s:I, s:I, s:I}", "file",
                               utf8_json(s[i].file), "line", (json_int_t)s[i].line, "unit",
                               s[i].unit, "reason", s[i].reason, "cycles", (json_int_t)s[i].cycles,
                               "executions", (json_int_t)s[i].executions, "operations",
                               (json_int_t)s[i].operations, "bytes", (json_int_t)s[i].bytes));
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

static void list_transfers(struct job *job, const struct takt_run *run)
{
    const struct takt_transfer *t;
    const size_t count = takt_run_transfers(run, &t);
    bool more = true;
    for (size_t i = 0; more && i < count; i++)
        more = row(job, transfer_json(&t[i]));
}

static void list_path(struct job *job, const struct takt_run *run)
{
    const struct takt_step *p;
    const size_t count = takt_run_path(run, &p);
    bool more = true;
    for (size_t i = 0; more && i < count; i++)
        more = row(job, json_pack("{s:I, s:I, s:o, s:s, s:o, s:I, s:o, s:I}", "start",
                                  (json_int_t)p[i].start, "cycles", (json_int_t)p[i].cycles, "unit",
                                  text_or_null(p[i].unit), "reason", p[i].reason, "file",
                                  text_or_null(p[i].file), "line", (json_int_t)p[i].line,
                                  "last_file", text_or_null(p[i].last_file), "last_line",
                                  (json_int_t)p[i].last_line));
}

static json_t *limit_json(const struct takt_run *run)
{
    const struct takt_verdict *v = takt_run_verdict(run);
    if (!v->kind[0])
        return json_null();
    json_t *lines = json_array();
    for (size_t i = 0; i < v->line_count; i++)
        json_array_append_new(lines, json_pack("{s:o, s:I}", "file", utf8_json(v->lines[i].file),
                                               "line", (json_int_t)v->lines[i].line));
    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:f, s:o}", "text", utf8_json(v->text),
                     "sentence", utf8_json(v->text), "kind", v->kind, "cause",
                     text_or_null(v->cause), "unit", text_or_null(v->unit), "busy",
                     v->unit ? json_real(v->busy) : json_null(), "share", v->share, "lines", lines);
}

static void list_bounds(struct job *job, const struct takt_run *run)
{
    const struct takt_bound *b;
    const size_t count = takt_run_bounds(run, &b);
    bool more = true;
    for (size_t i = 0; more && i < count; i++)
        more =
            row(job, json_pack("{s:s, s:s, s:o, s:I}", "class", b[i].class_name, "kind", b[i].kind,
                               "unit", text_or_null(b[i].unit), "cycles", (json_int_t)b[i].cycles));
}

static void list_counters(struct job *job, const struct takt_run *run)
{
    const struct takt_counter *c;
    const size_t count = takt_run_counters(run, &c);
    bool more = true;
    for (size_t i = 0; more && i < count; i++)
        more = row(job, json_pack("{s:s, s:o, s:I}", "name", c[i].name, "index",
                                  c[i].index_name ? json_integer(c[i].index) : json_null(), "value",
                                  (json_int_t)c[i].value));
}

static void describe(struct job *job, const struct takt_run *run)
{
    const struct takt_totals *totals = takt_run_totals(run);
    integer(job, "cycles", totals->cycles);
    field(job, "cycles_documented",
          totals->cycles_documented ? json_integer((json_int_t)totals->cycles_documented)
                                    : json_null());
    field(job, "seconds", json_real((double)totals->cycles / totals->clock_hz));
    if (totals->has_range)
        field(job, "range",
              json_pack("{s:I, s:I}", "low", (json_int_t)totals->range_low, "high",
                        (json_int_t)totals->range_high));
    static const struct {
        const char *option, *name;
        void (*list)(struct job *job, const struct takt_run *run);
    } lists_of_run[] = {{"units", "units", list_units},
                        {"statements", "statements", list_statements},
                        {"transfers", "transfers", list_transfers},
                        {"bounds", "bounds", list_bounds},
                        {"path", "path", list_path},
                        {"counters", "counters", list_counters},
                        {"diagnostics", "run_warnings", list_warnings}};
    for (size_t i = 0; i < sizeof lists_of_run / sizeof *lists_of_run; i++)
        if (wants(job, lists_of_run[i].option)) {
            begin_list(job, lists_of_run[i].name);
            lists_of_run[i].list(job, run);
            end_list(job);
        }
    if (wants(job, "limit"))
        field(job, "limit", limit_json(run));
    if (wants(job, "dump"))
        field(job, "dump", utf8_json(takt_run_dump(run, NULL)));
    if (wants(job, "hash"))
        fprintf(job->out, ",\"state\":\"%016llx\"", (unsigned long long)takt_run_state(run));
}

/* --- the run ---------------------------------------------------------------------------------- */

/* A pipe may have no end, nor may a device. */
static enum takt_status check_file(struct job *job)
{
    struct stat status;
    if (job->text || job->batch->any_file || stat(job->name, &status) != 0 ||
        S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return TAKT_FINE; /* what does not exist is said where it is opened */
    return wrong(job, "%.400s is not a regular file: --any-file reads it", job->name);
}

static enum takt_status open_program(struct job *job)
{
    const struct takt_text text = {job->name, job->text, job->size};
    enum takt_status status = check_file(job);
    if (status == TAKT_FINE)
        status = find_machine(job);
    return status == TAKT_FINE
               ? takt_program_open(&job->program, job->batch->open, &text, 1, &job->error)
               : status;
}

static enum takt_status run(struct job *job, const char *trace)
{
    const struct takt_options options = {
        .size = sizeof options,
        .flags = job->flags,
        .init = json_string_value(json_object_get(job->options, "init")),
        .trace = trace};
    const enum takt_status status = takt_run_open(&job->run, job->program, &options, &job->error);
    return status == TAKT_FINE ? takt_run_advance(job->run, 0, &job->error) : status;
}

static enum takt_status time_it(struct job *job)
{
    enum takt_status status = open_program(job);
    if (job->program)
        describe_program(job, job->program, status != TAKT_FINE);
    if (status == TAKT_FINE)
        status = run(job, json_string_value(json_object_get(job->options, "trace")));
    if (status == TAKT_FINE)
        describe(job, job->run);
    if (too_long(job))
        status = wrong(job, "the answer is longer than %s",
                       "256 MiB: request fewer of its lists, or a trace, which has them");
    return status;
}

static void close_job(struct job *job)
{
    takt_run_close(job->run);
    takt_program_close(job->program);
    json_decref(job->given);
    json_decref(job->options);
    free(job->path);
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
    if (file && file_is_input(json_string_value(file)))
        return wrong(job, "standard input is not read; a file %s", "has another name");
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

/* {"id": .., "ok": .., fields, "why": ..}. Takes id. */
static char *assemble(json_t *id, const char *fields, size_t size, const char *why)
{
    char *text = NULL;
    size_t length;
    struct job answer = {.out = text_open(&text, &length)};
    if (answer.out) {
        fputs("{\"id\":", answer.out);
        put(&answer, id);
        fprintf(answer.out, ",\"ok\":%s", why ? "false" : "true");
        fwrite(fields, 1, size, answer.out);
        if (why)
            field(&answer, "why", utf8_json(why));
        fputc('}', answer.out);
    } else {
        json_decref(id);
    }
    text_close(answer.out, &text);
    return text;
}

char *batch_lost(const struct batch_job *line, const char *why)
{
    struct job job = {0};
    if (line->kind == BATCH_JSON)
        job.given = json_loadb(line->text, line->size, JSON_REJECT_DUPLICATES, NULL);
    else if (line->kind == BATCH_FILE)
        job.name = job.path = strndup(line->text, line->size);
    char *answer = assemble(id_of(&job, line), "", 0, why);
    close_job(&job);
    return answer;
}

static enum takt_status take_line(struct job *job, const struct batch_job *line)
{
    json_error_t why;
    switch (line->kind) {
    case BATCH_TOO_LONG:
        return wrong(job, "the line is longer than %s", "16 MiB; a file may be longer");
    case BATCH_FILE:
        job->name = job->path = strndup(line->text, line->size);
        if (memchr(line->text, '\0', line->size))
            return wrong(job, "the name has %s", "a NUL byte");
        if (job->path && file_is_input(job->path))
            return wrong(job, "standard input is not read; a file %s", "has another name");
        return job->path ? take_options(job) : TAKT_HOST;
    case BATCH_JSON:
        break;
    }
    if (memchr(line->text, '\0', line->size))
        return wrong(job, "the line has %s", "a NUL byte");
    job->given = json_loadb(line->text, line->size, JSON_REJECT_DUPLICATES, &why);
    return job->given ? take_fields(job) : wrong(job, "the line is not JSON: %.300s", why.text);
}

char *batch_answer(struct batch *batch, const struct batch_job *line, enum takt_status *status)
{
    char *answer = NULL;
    struct job job = {.batch = batch};
    job.out = text_open(&job.fields, &job.written);
    *status = job.out ? take_line(&job, line) : TAKT_HOST;
    if (*status == TAKT_FINE)
        *status = time_it(&job);
    if (text_close(job.out, &job.fields) == 0) {
        const bool fine = *status == TAKT_FINE;
        answer = assemble(id_of(&job, line), job.fields, fine ? job.written : job.described,
                          fine ? NULL : job.error.text);
    }
    free(job.fields);
    close_job(&job);
    return answer;
}

int batch_diff(const struct batch *batch, const struct batch_job lines[2], struct batch_diff *found)
{
    int result = 0;
    for (unsigned s = 0; s < 2 && result == 0; s++) {
        struct batch own = {.machine = batch->machine,
                            .options = batch->options,
                            .configs = batch->configs,
                            .config_count = batch->config_count,
                            .any_file = batch->any_file};
        struct job job = {.batch = &own};
        enum takt_status status = take_line(&job, &lines[s]);
        job.flags = (job.flags & (TAKT_VALUES | TAKT_DOCUMENTED)) | TAKT_DIFF;
        if (status == TAKT_FINE)
            status = open_program(&job);
        if (status == TAKT_FINE)
            status = run(&job, NULL);
        result = status == TAKT_FINE ? diff_side_read(&found->sides[s], &job.run->store,
                                                      &job.run->stream, &found->strings)
                                     : -1;
        close_job(&job);
        takt_machine_close(own.open);
        free(own.open_key);
    }
    return result == 0
               ? diff_make(&found->diff, &found->sides[0], &found->sides[1], &found->strings)
               : result;
}

void batch_diff_free(struct batch_diff *found)
{
    diff_free(&found->diff);
    diff_side_free(&found->sides[0]);
    diff_side_free(&found->sides[1]);
    strings_free(&found->strings);
}
