/* whatif: the total of a changed program or machine, by running it. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/answer.h"
#include "analysis/utf8_json.h"
#include "analysis/verdict.h"
#include "cli/session.h"
#include "host/grow.h"
#include "host/suggest.h"
#include "timing/run.h"

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
    "  --silence NAME    as takt run; no warning is shown anyway\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file, before and\n"
    "                    after\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

enum { WHATIF_SETTINGS = 32 };

struct job {
    struct cli_list frees, speeds, sets;
    char (*speed_sets)[128]; /* of --speed */
    size_t speed_set_count, speed_set_capacity;
    struct machine_setting unchanging[32]; /* the settings of both runs */
    /* Those of the second, where statements are taken away: with "freed", so that what waits for
     * them does not. */
    struct machine_setting changed[WHATIF_SETTINGS + 2];
    struct session before, after;
    struct verdict limit_before, limit_after;
    uint64_t early[2]; /* run_early before and after */
    size_t errors;     /* rules of time that the changed program breaks */
};

/* --- the runs -------------------------------------------------------------------------------- */

static int run(struct session *s, struct verdict *limit, uint64_t *early)
{
    int code = session_keep(s, false);
    if (code == EXIT_FINE)
        code = session_run(s, NULL);
    if (code == EXIT_FINE)
        *early = run_early(s->running->run);
    return code == EXIT_FINE && verdict_find(s->store, limit) != 0
               ? cli_fail(EXIT_HOST, "whatif", "out of memory")
               : code;
}

static bool changes(const struct machine *machine, const char *setting)
{
    for (const struct machine_option *o = machine->options; o && o->name; o++)
        if (o->changes && machine_option_for(o, "whatif") && strcmp(o->name, setting) == 0)
            return true;
    return false;
}

static int run_before(struct job *job)
{
    struct session *s = &job->before;
    size_t count = 0;
    for (const struct machine_setting *m = s->run.settings; m && m->name && count < 31; m++)
        if (!changes(s->machine, m->name))
            job->unchanging[count++] = *m;
    s->run.settings = job->unchanging;
    const int code = session_load(s);
    return code == EXIT_FINE ? run(s, &job->limit_before, &job->early[0]) : code;
}

/* The language must be right; what breaks rules of time is run all the same. */
static int run_after(struct job *job)
{
    struct session *s = &job->after;
    struct diag_list rules;
    struct takt_program *p = s->program;
    diag_list_init(&rules);
    rules.silenced = p->diags.silenced = s->run.silenced;
    int status = s->machine->load(&p->program, p->sources, p->source_count, &p->diags);
    if (status == 0 && s->machine->check(p->program, &s->chip->config, s->run.settings, &rules) < 0)
        status = -1;
    job->errors = rules.errors;
    diag_list_free(&rules);
    const int code = session_report(s, status, "");
    return code == EXIT_FINE ? run(s, &job->limit_after, &job->early[1]) : code;
}

/* --- lines that are taken away -------------------------------------------------------------- */

/* A line of a changed source becomes blanks. */
static void blank(struct job *job, uint32_t file, uint32_t line)
{
    char *at = (char *)job->after.program->sources[file].text; /* its own copy */
    char *const end = at + job->after.program->sources[file].size;
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

/* Statements in the lines [first, last] of a file go; whether there are some. */
static bool free_lines(struct job *job, uint32_t file, unsigned long first, unsigned long last)
{
    const struct sink_header *h = &job->before.store->header;
    bool any = false;
    for (const struct stmt_info *s = h->stmts; s < h->stmts + h->stmt_count; s++)
        if (s->file == file && s->line >= first && s->line <= last) {
            blank(job, file, s->line);
            any = true;
        }
    return any;
}

/* The source that is called so, with or without its folder; -1: none, or not only one. */
static int64_t find_source(const struct job *job, const char *name, size_t length)
{
    int64_t found = -1;
    for (size_t i = 0; i < job->before.program->source_count; i++) {
        const char *full = job->before.program->sources[i].name, *slash = strrchr(full, '/');
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
static int take_lines(struct job *job, const char *text)
{
    const char *colon = strrchr(text, ':'), *at = colon ? colon + 1 : text;
    const int64_t file = colon ? find_source(job, text, (size_t)(colon - text))
                         : job->before.program->source_count == 1 ? 0
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
        if (!free_lines(job, (uint32_t)file, first, last))
            return cli_usage("whatif",
                             first == last ? "--free %s: there is no statement in line %lu of %s"
                                           : "--free %s: there is no statement in the lines from "
                                             "%lu on of %s",
                             text, first, job->before.program->sources[file].name);
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
    for (const struct machine_speed *s = job->before.machine->speeds; s && s->unit && count < 32;
         s++)
        if (!count || strcmp(names[count - 1], s->unit) != 0) {
            names[count++] = s->unit;
            strncat(list, count > 1 ? ", " : "", sizeof list - strlen(list) - 1);
            strncat(list, s->unit, sizeof list - strlen(list) - 1);
        }
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), unit);
    const char *near = suggest_name(word, strlen(word), names, count);
    return cli_usage("whatif",
                     "--speed: %s has no parameters of a unit '%s'%s%s%s; those that it has "
                     "are of %s",
                     job->before.machine->name, word, near ? ", did you mean '" : "",
                     near ? near : "", near ? "'?" : "", *list ? list : "none");
}

/* "dram=2" becomes assignments. */
static int take_speed(struct job *job, const char *text)
{
    const struct config *config = &job->before.chip->config;
    const char *equals = strchr(text, '=');
    char *end = NULL;
    const double factor = equals ? strtod(equals + 1, &end) : 0;
    if (!equals || equals == text || !equals[1] || *end || !isfinite(factor) || factor <= 0)
        return cli_usage("whatif", "--speed takes UNIT=K with K above 0, not '%s'", text);
    for (size_t i = 0; job->speeds.items[i] != text; i++)
        if (strncmp(job->speeds.items[i], text, (size_t)(equals - text) + 1) == 0)
            return cli_usage("whatif", "--speed: of '%.*s' twice", (int)(equals - text), text);
    bool found = false;
    for (const struct machine_speed *s = job->before.machine->speeds; s && s->unit; s++) {
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
            void *sets = grow(job->speed_sets, &job->speed_set_capacity, job->speed_set_count + 1,
                              sizeof *job->speed_sets);
            if (!sets)
                return cli_fail(EXIT_HOST, "whatif", "out of memory");
            job->speed_sets = sets;
            snprintf(job->speed_sets[job->speed_set_count++], sizeof *job->speed_sets, "%s=%.15g",
                     s->param, value);
        }
    }
    return found ? EXIT_FINE : unknown_unit(job, text, (size_t)(equals - text));
}

/* The configuration after the changes. */
static int change_config(struct job *job)
{
    int code = EXIT_FINE;
    for (size_t i = 0; i < job->speeds.count && code == EXIT_FINE; i++)
        code = take_speed(job, job->speeds.items[i]);
    struct cli_list sets = {0};
    bool added = true;
    for (size_t i = 0; i < job->speed_set_count; i++)
        added &= cli_list_add(&sets, job->speed_sets[i]);
    for (size_t i = 0; i < job->sets.count; i++)
        added &= cli_list_add(&sets, job->sets.items[i]);
    if (code == EXIT_FINE && !added)
        code = cli_fail(EXIT_HOST, "whatif", "out of memory");
    if (code == EXIT_FINE)
        code = cli_config("whatif", job->before.machine, &job->before.files, &sets,
                          &job->after.chip->config);
    cli_list_free(&sets);
    return code;
}

/* --- the answer ------------------------------------------------------------------------------ */

static int print_json(const struct job *job)
{
    const int64_t difference = (int64_t)job->after.cycles - (int64_t)job->before.cycles;
    json_t *sets = json_array(), *frees = json_array(), *settings = json_object();
    for (size_t i = 0; i < job->speed_set_count; i++)
        json_array_append_new(sets, json_string(job->speed_sets[i]));
    for (size_t i = 0; i < job->sets.count; i++)
        json_array_append_new(sets, utf8_json(job->sets.items[i]));
    for (size_t i = 0; i < job->frees.count; i++)
        json_array_append_new(frees, utf8_json(job->frees.items[i]));
    for (const struct machine_setting *s = job->after.run.settings; s && s->name; s++)
        if (strcmp(s->name, "freed") != 0)
            json_object_set_new(settings, s->name, *s->value ? utf8_json(s->value) : json_true());
    json_t *root = json_pack(
        "{s:o, s:s, s:[I, I], s:I, s:b, s:I, s:[I, I], s:o, s:o, s:o, s:[o, o]}", "program",
        utf8_json(job->before.program->sources[0].name), "machine", job->before.machine->name,
        "cycles", (json_int_t)job->before.cycles, (json_int_t)job->after.cycles, "difference",
        (json_int_t)difference, "legal", job->errors == 0, "errors", (json_int_t)job->errors,
        "early_cycles", (json_int_t)job->early[0], (json_int_t)job->early[1], "free", frees, "set",
        sets, "options", settings, "limit", verdict_json(&job->limit_before),
        verdict_json(&job->limit_after));
    return cli_json("whatif", root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

/* What --speed has set, in lines of the terminal's width. */
static void print_speeds(const struct job *job)
{
    const size_t width = (size_t)cli_width(stdout);
    size_t column = 0;
    for (size_t i = 0; i < job->speed_set_count; i++) {
        const size_t length = strlen(job->speed_sets[i]) + 1;
        if (i && column + length > width) {
            putchar('\n');
            column = 0;
        }
        if (!column)
            column = (size_t)printf(i ? "       " : "SET    ");
        printf(" %s", job->speed_sets[i]);
        column += length;
    }
    if (job->speed_set_count)
        putchar('\n');
}

static void print_text(const struct job *job)
{
    char before[ANSWER_NUMBER], after[ANSWER_NUMBER], difference[ANSWER_NUMBER];
    char limit[VERDICT_TEXT];
    const int64_t d = (int64_t)job->after.cycles - (int64_t)job->before.cycles;
    printf("%s   %s cycles -> %s   %s%s cycles, %+.1f %%\n", job->before.program->sources[0].name,
           answer_number(before, (int64_t)job->before.cycles),
           answer_number(after, (int64_t)job->after.cycles), d > 0 ? "+" : "",
           answer_number(difference, d),
           job->before.cycles ? 100.0 * (double)d / (double)job->before.cycles : 0.0);
    verdict_print(&job->limit_before, limit);
    printf("LIMIT   %s\n", limit);
    verdict_print(&job->limit_after, limit);
    printf("  then  %s\n", limit);
    print_speeds(job);
    if (job->early[1] > job->early[0])
        printf("EARLY   accesses come before the end of a transfer that they meet: by %s cycles "
               "in all, as written by %s\n",
               answer_number(after, (int64_t)job->early[1]),
               answer_number(before, (int64_t)job->early[0]));
    if (job->errors)
        printf("ILLEGAL the changed program breaks %zu rule%s of time (takt check)\n", job->errors,
               job->errors == 1 ? "" : "s");
}

/* --- all ------------------------------------------------------------------------------------- */

/* The handles of the changed program, with copies of the sources. */
static int open_after(struct job *job)
{
    const struct takt_program *from = job->before.program;
    struct session *after = &job->after;
    after->machine = job->before.machine;
    after->run = job->before.run;
    if (job->frees.count) {
        size_t count = 0;
        for (const struct machine_setting *m = after->run.settings;
             m && m->name && count < WHATIF_SETTINGS; m++)
            job->changed[count++] = *m;
        job->changed[count] = (struct machine_setting){"freed", ""};
        after->run.settings = job->changed;
    }
    after->json = job->before.json;
    after->chip = library_machine(after->machine);
    struct takt_program *to = after->chip ? library_program(after->chip, from->source_count) : NULL;
    after->program = to;
    for (size_t i = 0; to && i < from->source_count; i++) {
        const struct source *s = &from->sources[i];
        if (source_from_text(&to->sources[i], s->name, s->text, s->size) != 0)
            return cli_fail(EXIT_HOST, "whatif", "out of memory");
        to->sources[i].turn = s->turn;
    }
    return to ? EXIT_FINE : cli_fail(EXIT_HOST, "whatif", "out of memory");
}

static int answer(struct job *job)
{
    struct session *before = &job->before;
    char error[MACHINE_ERROR];
    int code = run_before(job);
    for (size_t i = 0; i < job->frees.count && code == EXIT_FINE; i++)
        code = take_lines(job, job->frees.items[i]);
    session_finish(before, error);
    if (code == EXIT_FINE && before->machine->drops)
        before->machine->drops(before->program->program, job->after.run.settings, drop_line, job);
    if (code == EXIT_FINE)
        code = run_after(job);
    if (code == EXIT_FINE && before->json)
        return print_json(job);
    if (code == EXIT_FINE)
        print_text(job);
    return code;
}

static bool is_changed(const struct job *job)
{
    bool changed = job->frees.count || job->speeds.count || job->sets.count;
    for (const struct machine_setting *s = job->before.run.settings; s && s->name; s++)
        changed |= changes(job->before.machine, s->name);
    return changed;
}

static int whatif(struct job *job, char **paths, size_t count)
{
    static const char *const all[] = {"all", NULL};
    struct session *before = &job->before;
    before->run.silenced = all;
    int code = session_open(before, paths, count);
    if (code == EXIT_FINE && !is_changed(job))
        code = cli_usage("whatif", "what is to be changed?");
    if (code != EXIT_FINE)
        return code;
    code = open_after(job);
    if (code == EXIT_FINE)
        code = change_config(job);
    return code == EXIT_FINE ? answer(job) : code;
}

int cmd_whatif(int argc, char **argv)
{
    struct job job = {.before.command = "whatif", .after.command = "whatif"};
    struct session *const s = &job.before;
    const struct cli_option table[] = {
        {"free", .list = &job.frees},
        {"speed", .list = &job.speeds},
        {"set", .list = &job.sets},
        {"json", .flag = &s->json},
        {"machine", .text = &s->machine_name},
        {"config", .list = &s->files},
        {"silence", .list = &s->silenced},
        SESSION_VALUES(*s),
    };
    int code;
    if (SESSION_TAKE(s, help, table, argc, argv, &code))
        code = whatif(&job, argv + optind, (size_t)(argc - optind));
    session_close(&job.after);
    session_close(&job.before);
    free(job.speed_sets);
    struct cli_list *const lists[] = {&job.frees, &job.speeds, &job.sets};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cli_list_free(lists[i]);
    return cli_end_json(job.before.json, code);
}
