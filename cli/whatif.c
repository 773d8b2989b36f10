/* whatif: the total of a changed program or machine, by running it. */
#include "cli/options.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/answer.h"
#include "analysis/utf8_json.h"
#include "analysis/verdict.h"
#include "cli/timed.h"

static const char help[] =
    "usage: takt whatif [OPTION]... CHANGE... PROGRAM...\n"
    "The total to the cycle of a program or a machine that is changed, beside that\n"
    "without the changes: what a full run of the changed one takes. - is standard\n"
    "input.\n"
    "\n"
    "changes\n"
    "  --free LINES      the statements in these lines take no time and no unit: as if\n"
    "                    they were not there. LINES: 12, 12-20, 12,15-17, of several\n"
    "                    programs NAME:12. Their waits go with them. What rules of\n"
    "                    time the others break then is counted, not refused\n"
    "  --speed UNIT=K    a unit K times as fast: its rates are multiplied, its times\n"
    "                    divided and rounded up; the same as the --set that the answer\n"
    "                    lists\n"
    "  --set KEY=VALUE   one parameter\n"
    "options\n"
    "  --json            the answer as JSON on standard output (docs/json.md)\n"
    "  --init KIND       as takt run\n"
    "  --load SPEC=FILE  as takt run\n"
    "  --timing-only     time without values\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file, before and\n"
    "                    after\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

struct args {
    bool json;
    const char *machine_name;
    struct run_options run;
    struct cli_list frees, speeds, files, sets, loads;
    struct cli_settings settings;
};

/* One of the two runs. */
struct outcome {
    uint64_t cycles;
    size_t errors; /* rules of time that it breaks */
    struct verdict verdict;
};

struct job {
    const struct args *args;
    const struct machine *machine;
    const struct source *sources;
    size_t source_count;
    struct source *changed; /* the sources without what is taken away */
    size_t changed_count;   /* opened */
    char (*sets)[128];      /* of --speed */
    size_t set_count;
    struct outcome before, after;
};

/* --- one run --------------------------------------------------------------------------------- */

/* The trace stands until its recorder is closed. */
static int run_once(struct job *job, const struct config *config, bool after, sqlite3 **kept,
                    struct recorder **recorder)
{
    struct run_options options = job->args->run;
    struct machine_setting settings[32];
    size_t count = 0;
    for (const struct machine_setting *s = options.settings; s && s->name && count < 31; s++) {
        bool changes = false;
        for (const struct machine_option *o = job->machine->options; o && o->name; o++)
            changes |= o->changes && strcmp(o->command, "whatif") == 0 && !strcmp(o->name, s->name);
        if (after || !changes)
            settings[count++] = *s;
    }
    settings[count] = (struct machine_setting){NULL, NULL};
    static const char *const all[] = {"all", NULL};
    options.settings = settings;
    options.silenced = all;
    struct outcome *outcome = after ? &job->after : &job->before;
    const struct timed timed = {.command = "whatif",
                                .machine = job->machine,
                                .config = config,
                                .sources = after ? job->changed : job->sources,
                                .source_count = job->source_count,
                                .options = &options,
                                .unchecked = after,
                                .json = job->args->json};
    char error[600];
    static const struct recorder_options plain = {.intervals = false};
    if (recorder_open(recorder, NULL, &plain, error, sizeof error) != 0)
        return cli_fail(EXIT_HOST, "whatif", "%s", error);
    int code = timed_run(&timed, *recorder, &outcome->cycles, &outcome->errors);
    *kept = recorder_db(*recorder);
    if (code == EXIT_FINE && verdict_find(*kept, &outcome->verdict) != SQLITE_OK)
        code = cli_fail(EXIT_HOST, "whatif", "out of memory");
    return code;
}

static void close_run(struct recorder *recorder)
{
    char error[600];
    if (recorder)
        recorder_close(recorder, error, sizeof error);
}

/* --- lines that are taken away -------------------------------------------------------------- */

/* A line of a changed source becomes blanks. */
static void blank(struct job *job, uint32_t file, uint32_t line)
{
    char *at = (char *)job->changed[file].text; /* its own copy */
    char *const end = at + job->changed[file].size;
    for (uint32_t l = 1; l < line && at < end; l++) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        at = stop ? stop + 1 : end;
    }
    for (; at < end && *at != '\n'; at++)
        *at = ' ';
}

static void drop_line(void *context, uint32_t file, uint32_t line)
{
    blank(context, file, line);
}

/* Statements in the lines [first, last] of a file go; how many there are. */
static int64_t free_lines(struct job *job, sqlite3 *db, int64_t file, int64_t first, int64_t last)
{
    sqlite3_stmt *s = NULL;
    int64_t count = 0;
    if (sqlite3_prepare_v2(db,
                           "SELECT DISTINCT line FROM stmt WHERE file = ?1 AND line BETWEEN ?2 "
                           "AND ?3",
                           -1, &s, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, file);
        sqlite3_bind_int64(s, 2, first);
        sqlite3_bind_int64(s, 3, last);
        for (; sqlite3_step(s) == SQLITE_ROW; count++)
            blank(job, (uint32_t)file, (uint32_t)sqlite3_column_int64(s, 0));
    }
    sqlite3_finalize(s);
    return count;
}

/* The source that is called so, with or without its folder; -1: none, or not only one. */
static int64_t find_source(const struct job *job, const char *name, size_t length)
{
    int64_t found = -1;
    for (size_t i = 0; i < job->source_count; i++) {
        const char *full = job->sources[i].name, *slash = strrchr(full, '/');
        const char *base = slash ? slash + 1 : full;
        if ((strlen(full) == length && memcmp(full, name, length) == 0) ||
            (strlen(base) == length && memcmp(base, name, length) == 0)) {
            if (found >= 0)
                return -1;
            found = (int64_t)i;
        }
    }
    return found;
}

/* "12", "12-20", "k.s:12,15-17" */
static int take_lines(struct job *job, sqlite3 *db, const char *text)
{
    const char *colon = strrchr(text, ':'), *at = colon ? colon + 1 : text;
    const int64_t file = colon                    ? find_source(job, text, (size_t)(colon - text))
                         : job->source_count == 1 ? 0
                                                  : -1;
    if (file < 0)
        return cli_usage("whatif",
                         colon ? "--free %s: no one program has this name"
                               : "--free %s: of several programs it takes NAME:LINES",
                         text);
    for (;;) {
        char *end;
        const bool digit = isdigit((unsigned char)*at);
        const unsigned long first = strtoul(at, &end, 10);
        unsigned long last = first;
        if (digit && *end == '-' && isdigit((unsigned char)end[1]))
            last = strtoul(end + 1, &end, 10);
        if (!digit || (*end && *end != ',') || !first || last < first || last > UINT32_MAX)
            return cli_usage("whatif", "--free takes lines as in 12 or 12-20 or 12,15-17, not '%s'",
                             text);
        if (free_lines(job, db, file, (int64_t)first, (int64_t)last) == 0)
            return cli_usage("whatif",
                             first == last ? "--free %s: there is no statement in line %lu of %s"
                                           : "--free %s: there is no statement in the lines from "
                                             "%lu on of %s",
                             text, first, job->sources[file].name);
        if (!*end)
            return EXIT_FINE;
        at = end + 1;
    }
}

/* --- a faster machine ------------------------------------------------------------------------ */

static int unknown_unit(const struct job *job, const char *unit, size_t length)
{
    const char *names[32];
    char list[400] = "", word[64];
    size_t count = 0;
    for (const struct machine_speed *s = job->machine->speeds; s && s->unit && count < 32; s++)
        if (!count || strcmp(names[count - 1], s->unit) != 0) {
            names[count++] = s->unit;
            strncat(list, count > 1 ? ", " : "", sizeof list - strlen(list) - 1);
            strncat(list, s->unit, sizeof list - strlen(list) - 1);
        }
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), unit);
    const char *near = diag_suggest(word, strlen(word), names, count);
    return cli_usage("whatif",
                     "--speed: %s has no parameters of a unit '%s'%s%s%s; those that it has "
                     "are of %s",
                     job->machine->name, word, near ? ", did you mean '" : "", near ? near : "",
                     near ? "'?" : "", *list ? list : "none");
}

/* "dram=2" becomes assignments. */
static int take_speed(struct job *job, const struct config *config, const char *text)
{
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const double factor = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || equals == text || !equals[1] || *end || !isfinite(factor) || factor <= 0)
        return cli_usage("whatif", "--speed takes UNIT=K with K above 0, not '%s'", text);
    for (size_t i = 0; job->args->speeds.items[i] != text; i++)
        if (strncmp(job->args->speeds.items[i], text, (size_t)(equals - text) + 1) == 0)
            return cli_usage("whatif", "--speed: of '%.*s' twice", (int)(equals - text), text);
    bool found = false;
    for (const struct machine_speed *s = job->machine->speeds; s && s->unit; s++) {
        if (strlen(s->unit) != (size_t)(equals - text) ||
            memcmp(s->unit, text, (size_t)(equals - text)) != 0)
            continue;
        found = true;
        for (size_t p = 0; p < config->count; p++) {
            const struct param *param = &config->params[p];
            if (strcmp(param->row->name, s->param) != 0)
                continue;
            double value = s->rate ? param->value * factor : param->value / factor;
            if (param->row->type == PARAM_INTEGER)
                value = s->rate ? floor(value) : ceil(value);
            if (s->rate && param->value > 0 && param->row->type == PARAM_INTEGER && value < 1)
                value = 1;
            void *sets = realloc(job->sets, (job->set_count + 1) * sizeof *job->sets);
            if (!sets)
                return cli_fail(EXIT_HOST, "whatif", "out of memory");
            job->sets = sets;
            snprintf(job->sets[job->set_count++], sizeof *job->sets, "%s=%.15g", s->param, value);
        }
    }
    return found ? EXIT_FINE : unknown_unit(job, text, (size_t)(equals - text));
}

/* The configuration after the changes. */
static int change_config(struct job *job, const struct config *before, struct config *after)
{
    int code = EXIT_FINE;
    for (size_t i = 0; i < job->args->speeds.count && code == EXIT_FINE; i++)
        code = take_speed(job, before, job->args->speeds.items[i]);
    struct cli_list sets = {0};
    bool added = true;
    for (size_t i = 0; i < job->set_count; i++)
        added &= cli_list_add(&sets, job->sets[i]);
    for (size_t i = 0; i < job->args->sets.count; i++)
        added &= cli_list_add(&sets, job->args->sets.items[i]);
    if (code == EXIT_FINE && !added)
        code = cli_fail(EXIT_HOST, "whatif", "out of memory");
    if (code == EXIT_FINE)
        code = cli_config("whatif", job->machine, &job->args->files, &sets, after);
    cli_list_free(&sets);
    return code;
}

/* --- the answer ------------------------------------------------------------------------------ */

static int print_json(const struct job *job)
{
    const int64_t difference = (int64_t)job->after.cycles - (int64_t)job->before.cycles;
    json_t *sets = json_array(), *frees = json_array(), *settings = json_object();
    for (size_t i = 0; i < job->set_count; i++)
        json_array_append_new(sets, json_string(job->sets[i]));
    for (size_t i = 0; i < job->args->sets.count; i++)
        json_array_append_new(sets, utf8_json(job->args->sets.items[i]));
    for (size_t i = 0; i < job->args->frees.count; i++)
        json_array_append_new(frees, utf8_json(job->args->frees.items[i]));
    for (const struct machine_setting *s = job->args->run.settings; s && s->name; s++)
        json_object_set_new(settings, s->name, *s->value ? utf8_json(s->value) : json_true());
    json_t *root =
        json_pack("{s:o, s:s, s:[I, I], s:I, s:b, s:I, s:o, s:o, s:o, s:[o, o]}", "program",
                  utf8_json(job->sources[0].name), "machine", job->machine->name, "cycles",
                  (json_int_t)job->before.cycles, (json_int_t)job->after.cycles, "difference",
                  (json_int_t)difference, "legal", job->after.errors == 0, "errors",
                  (json_int_t)job->after.errors, "free", frees, "set", sets, "options", settings,
                  "limit", verdict_json(&job->before.verdict), verdict_json(&job->after.verdict));
    return cli_json("whatif", root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

static void print_text(const struct job *job)
{
    char before[ANSWER_NUMBER], after[ANSWER_NUMBER], difference[ANSWER_NUMBER];
    char limit[VERDICT_TEXT];
    const int64_t d = (int64_t)job->after.cycles - (int64_t)job->before.cycles;
    printf("%s   %s cycles -> %s   %s%s cycles, %+.1f %%\n", job->sources[0].name,
           answer_number(before, (int64_t)job->before.cycles),
           answer_number(after, (int64_t)job->after.cycles), d > 0 ? "+" : "",
           answer_number(difference, d),
           job->before.cycles ? 100.0 * (double)d / (double)job->before.cycles : 0.0);
    verdict_print(&job->before.verdict, limit);
    printf("LIMIT   %s\n", limit);
    verdict_print(&job->after.verdict, limit);
    printf("  then  %s\n", limit);
    for (size_t i = 0; i < job->set_count; i++)
        printf("%s %s", i ? "" : "SET    ", job->sets[i]);
    if (job->set_count)
        putchar('\n');
    if (job->after.errors)
        printf("ILLEGAL the changed program breaks %zu rule%s of time (takt check)\n",
               job->after.errors, job->after.errors == 1 ? "" : "s");
}

/* --- all ------------------------------------------------------------------------------------- */

/* Copies of the sources, which may be changed. */
static int copy_sources(struct job *job)
{
    job->changed = calloc(job->source_count, sizeof *job->changed);
    for (; job->changed && job->changed_count < job->source_count; job->changed_count++) {
        const struct source *s = &job->sources[job->changed_count];
        struct source *copy = &job->changed[job->changed_count];
        if (source_from_text(copy, s->name, s->text, s->size) != 0)
            break;
        copy->turn = s->turn;
    }
    return job->changed_count == job->source_count ? EXIT_FINE
                                                   : cli_fail(EXIT_HOST, "whatif", "out of memory");
}

/* What the machine's settings take out of the program, which is right. */
static int drop_lines(struct job *job)
{
    struct machine_program *program = NULL;
    struct diag_list diags;
    diag_list_init(&diags);
    int status = 0;
    if (job->machine->drops) {
        status = job->machine->load(&program, job->sources, job->source_count, &diags);
        if (status == 0)
            job->machine->drops(program, job->args->run.settings, drop_line, job);
        if (program)
            job->machine->unload(program);
    }
    diag_list_free(&diags);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "whatif", "out of memory");
}

static int answer(struct job *job, const struct config *before, const struct config *after)
{
    sqlite3 *db = NULL;
    struct recorder *recorder = NULL;
    int code = copy_sources(job);
    if (code == EXIT_FINE)
        code = run_once(job, before, false, &db, &recorder);
    for (size_t i = 0; i < job->args->frees.count && code == EXIT_FINE; i++)
        code = take_lines(job, db, job->args->frees.items[i]);
    close_run(recorder);
    recorder = NULL;
    if (code == EXIT_FINE)
        code = drop_lines(job);
    if (code == EXIT_FINE)
        code = run_once(job, after, true, &db, &recorder);
    close_run(recorder);
    cli_close_sources(job->changed, job->changed_count);
    free(job->changed);
    if (code == EXIT_FINE && job->args->json)
        return print_json(job);
    if (code == EXIT_FINE)
        print_text(job);
    return code;
}

static bool is_changed(const struct args *args, const struct machine *machine)
{
    bool changes = args->frees.count || args->speeds.count || args->sets.count;
    for (const struct machine_option *o = machine->options; o && o->name; o++)
        changes |= o->changes && machine_setting(args->run.settings, o->name);
    return changes;
}

static int whatif(struct args *args, char **paths, size_t count)
{
    struct config before = {0}, after = {0};
    struct job job = {.args = args,
                      .machine = cli_machine_for("whatif", args->machine_name, paths, count)};
    const struct cli_list none = {0};
    if (!job.machine)
        return EXIT_USAGE;
    args->run.settings = args->settings.items;
    args->run.loads = args->loads.items;
    args->run.threads = 1;
    int code = cli_stdin_once("whatif", paths, count, &args->files);
    if (code == EXIT_FINE)
        code = options_accept("whatif", job.machine, &args->run);
    if (code == EXIT_FINE && !is_changed(args, job.machine))
        code = cli_usage("whatif", "what is to be changed?");
    if (code == EXIT_FINE)
        code = cli_config("whatif", job.machine, &args->files, &none, &before);
    if (code != EXIT_FINE)
        return code;
    code = change_config(&job, &before, &after);
    if (code == EXIT_FINE) {
        struct source *sources = calloc(count, sizeof *sources);
        job.sources = sources;
        job.source_count = count;
        code = sources ? cli_open_sources("whatif", paths, count, sources)
                       : cli_fail(EXIT_HOST, "whatif", "out of memory");
        if (code == EXIT_FINE) {
            code = answer(&job, &before, &after);
            cli_close_sources(sources, count);
        }
        free(sources);
        config_free(&after);
    }
    free(job.sets);
    config_free(&before);
    return code;
}

int cmd_whatif(int argc, char **argv)
{
    struct args args = {0};
    const struct cli_option table[] = {
        {"free", .list = &args.frees},
        {"speed", .list = &args.speeds},
        {"set", .list = &args.sets},
        {"json", .flag = &args.json},
        {"init", .text = &args.run.init},
        {"load", .list = &args.loads},
        {"timing-only", .flag = &args.run.timing_only},
        {"machine", .text = &args.machine_name},
        {"config", .list = &args.files},
    };
    const struct cli_options options = {"whatif", help, table, sizeof table / sizeof *table,
                                        &args.settings};
    int code;
    if (options_take(&options, argc, argv, &code))
        code = optind < argc ? whatif(&args, argv + optind, (size_t)(argc - optind))
                             : cli_usage("whatif", "which program?");
    struct cli_list *const lists[] = {&args.frees, &args.speeds, &args.files, &args.sets,
                                      &args.loads};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cli_list_free(lists[i]);
    cli_settings_free(&args.settings);
    return cli_end_json(args.json, code);
}
