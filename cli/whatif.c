/* whatif: the total of a changed program or machine, by running it. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/answer.h"
#include "analysis/utf8_json.h"
#include "analysis/verdict.h"
#include "analysis/whatif.h"
#include "cli/session.h"
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
    struct whatif_sets faster;             /* of --speed */
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
    for (const struct machine_option *o = machine->language->options; o && o->name; o++)
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
    int status = s->machine->language->load(&p->program, p->sources, p->source_count, &p->diags);
    if (status == 0 &&
        s->machine->language->check(p->program, &s->chip->config, s->run.settings, &rules) < 0)
        status = -1;
    job->errors = rules.errors;
    diag_list_free(&rules);
    const int code = session_report(s, status, "");
    return code == EXIT_FINE ? run(s, &job->limit_after, &job->early[1]) : code;
}

/* --- lines that are taken away -------------------------------------------------------------- */

static void drop_line(void *context, uint32_t file, uint32_t line)
{
    struct job *job = context;
    whatif_blank(&job->after.program->sources[file], line);
}

/* Exit code of a status with its sentence. */
static int said(int status, const char *error)
{
    return status == 0  ? EXIT_FINE
           : status > 0 ? cli_usage("whatif", "%s", error)
                        : (int)cli_fail(EXIT_HOST, "whatif", "out of memory");
}

static int take_lines(struct job *job, const char *text)
{
    char error[MACHINE_ERROR];
    struct takt_program *p = job->after.program;
    return said(whatif_free(p->sources, p->source_count, job->before.store, text, error), error);
}

static int take_speed(struct job *job, const char *text)
{
    char error[MACHINE_ERROR];
    const size_t unit = strcspn(text, "=") + 1;
    for (size_t i = 0; job->speeds.items[i] != text; i++)
        if (strncmp(job->speeds.items[i], text, unit) == 0)
            return cli_usage("whatif", "--speed: of '%.*s' twice", (int)unit - 1, text);
    return said(
        whatif_speed(&job->faster, job->before.machine, &job->before.chip->config, text, error),
        error);
}

/* The configuration after the changes. */
static int change_config(struct job *job)
{
    int code = EXIT_FINE;
    for (size_t i = 0; i < job->speeds.count && code == EXIT_FINE; i++)
        code = take_speed(job, job->speeds.items[i]);
    struct cli_list sets = {0};
    bool added = true;
    for (size_t i = 0; i < job->faster.count; i++)
        added &= cli_list_add(&sets, job->faster.list[i]);
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
    for (size_t i = 0; i < job->faster.count; i++)
        json_array_append_new(sets, json_string(job->faster.list[i]));
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
    for (size_t i = 0; i < job->faster.count; i++) {
        const size_t length = strlen(job->faster.list[i]) + 1;
        if (i && column + length > width) {
            putchar('\n');
            column = 0;
        }
        if (!column)
            column = (size_t)printf(i ? "       " : "SET    ");
        printf(" %s", job->faster.list[i]);
        column += length;
    }
    if (job->faster.count)
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
    if (code == EXIT_FINE && before->machine->advice->drops)
        before->machine->advice->drops(before->program->program, job->after.run.settings, drop_line,
                                       job);
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
    free(job.faster.list);
    struct cli_list *const lists[] = {&job.frees, &job.speeds, &job.sets};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cli_list_free(lists[i]);
    return cli_end_json(job.before.json, code);
}
