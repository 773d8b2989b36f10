/* whatif: the total of a changed program or machine, by running it. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/whatif.h"
#include "cli/application_answers.h"
#include "timing/run.h"

static const char help[] =
    "usage: takt whatif [OPTION]... CHANGE... PROGRAM...\n"
    "The total to the cycle of a program or a machine that is changed, beside that\n"
    "without the changes: what a full run of the changed one takes. - is standard\n"
    "input.\n"
    "\n"
    "changes\n"
    "  --free LINES      the statements in these lines take no time and no unit: as\n"
    "                    if they were not there. LINES: 12, 12-20, 12,15-17, of\n"
    "                    several programs NAME:12. Their waits go with them. What\n"
    "                    rules of time the others break then is counted, not refused\n"
    "  --speed UNIT=K    a unit K times as fast: its rates are multiplied, its times\n"
    "                    divided and rounded up; the same as the --set that the\n"
    "                    answer lists. UNIT is of\n"
    "@units\n"
    "  --set KEY=VALUE   one parameter\n"
    "options\n"
    "  --config FILE     parameters laid over the machine's chip file, before and\n"
    "                    after\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the program\n";

struct job {
    struct cli_list frees, speeds, sets;
    struct machine_setting unchanging[32]; /* the settings of both runs */
    struct session before, after;
    struct whatif answer;
};

static int no_memory(void)
{
    return cli_fail(EXIT_HOST, "whatif", "out of memory");
}

/* --- the runs -------------------------------------------------------------------------------- */

static int run(struct job *job, struct session *s)
{
    const unsigned side = s == &job->after;
    int code = session_keep(s, false);
    if (code == EXIT_FINE)
        code = session_run(s, NULL);
    if (code != EXIT_FINE)
        return code;
    job->answer.cycles[side] = (int64_t)s->cycles;
    job->answer.early[side] = run_early(s->running->run);
    return verdict_find(s->store, &job->answer.limits[side]) == 0 ? EXIT_FINE : no_memory();
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
    return code == EXIT_FINE ? run(job, s) : code;
}

/* What breaks rules of time is run all the same. */
static int run_after(struct job *job)
{
    struct session *s = &job->after;
    struct diag_list rules;
    diag_list_init(&rules);
    rules.silenced = s->program->diags.silenced = s->run.silenced;
    const int status = library_load_changed(s->program, s->run.settings, &rules);
    job->answer.errors = rules.errors;
    diag_list_free(&rules);
    const int code = session_report(s, status, "");
    return code == EXIT_FINE ? run(job, s) : code;
}

/* --- what is changed -------------------------------------------------------------------------- */

static void drop_line(void *context, uint32_t file, uint32_t line)
{
    struct job *job = context;
    whatif_blank(&job->after.program->sources[file], line);
}

/* Exit code of a status with its sentence. */
static int said(int status, const char *error)
{
    return status == 0 ? EXIT_FINE : status > 0 ? cli_usage("whatif", "%s", error) : no_memory();
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
    return said(whatif_speed(&job->answer.faster, job->before.machine, &job->before.chip->config,
                             text, error),
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
    for (size_t i = 0; i < job->answer.faster.count; i++)
        added &= cli_list_add(&sets, job->answer.faster.list[i]);
    for (size_t i = 0; i < job->sets.count; i++)
        added &= cli_list_add(&sets, job->sets.items[i]);
    if (code == EXIT_FINE)
        code = added ? cli_config("whatif", job->before.machine, &job->before.files, &sets,
                                  &job->after.chip->config)
                     : no_memory();
    cli_list_free(&sets);
    return code;
}

/* The handles of the changed program, with copies of the sources. */
static int open_after(struct job *job)
{
    struct session *after = &job->after;
    after->machine = job->before.machine;
    after->run = job->before.run;
    after->json = job->before.json;
    after->chip = library_machine(after->machine);
    after->program = after->chip ? library_copy(job->before.program, after->chip) : NULL;
    if (!after->program)
        return no_memory();
    if (!job->frees.count)
        return EXIT_FINE;
    if (library_freed(after->program, after->run.settings) != 0)
        return no_memory();
    after->run.settings = after->program->settings;
    return EXIT_FINE;
}

/* --- all ------------------------------------------------------------------------------------- */

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
    job->answer.program = before->program->sources[0].name;
    job->answer.machine = before->machine->name;
    job->answer.frees = job->frees.items;
    job->answer.sets = job->sets.items;
    job->answer.settings = job->after.run.settings;
    if (code == EXIT_FINE && before->json)
        return cli_json("whatif", whatif_json(&job->answer),
                        JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    if (code == EXIT_FINE)
        whatif_print(&job->answer, cli_width(stdout), stdout);
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
    const bool taken = SESSION_TAKE(s, help, table, argc, argv, &code);
    if (taken && application_given(argv + optind, argc - optind))
        code = job.frees.count
                   ? cli_usage("whatif", "--free is of a program, not of an application")
                   : application_whatif(s, argv[optind], &job.sets, &job.speeds);
    else if (taken)
        code = whatif(&job, argv + optind, (size_t)(argc - optind));
    session_close(&job.after);
    session_close(&job.before);
    free(job.answer.faster.list);
    struct cli_list *const lists[] = {&job.frees, &job.speeds, &job.sets};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        cli_list_free(lists[i]);
    return cli_end_json(job.before.json, code);
}
