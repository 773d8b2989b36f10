#include "cli/application.h"

#include <string.h>

/* --- what is wrong ---------------------------------------------------------------------------- */

/* Errors of the application, or of one of its programs; JSON has the first list with errors. */
static int report(struct application *a, int status)
{
    const char *command = a->session.command;
    if (status < 0)
        return cli_fail(EXIT_HOST, command, "out of memory");
    const struct diag_list *wrong = a->diags.errors ? &a->diags : NULL;
    const struct source *source = &a->source;
    cli_diags_errors(&a->diags, &a->source, 1);
    for (size_t i = 0; i < a->app.program_count; i++) {
        const struct app_program *program = &a->app.programs[i];
        if (!program->diags.errors)
            continue;
        cli_diags_errors(&program->diags, &program->source, 1);
        if (!wrong)
            source = &program->source;
        wrong = wrong ? wrong : &program->diags;
    }
    if (a->session.json && !wrong)
        cli_unread_json();
    else if (a->session.json && cli_diags_json(command, wrong, source, 1) != EXIT_FINE)
        return EXIT_HOST;
    return EXIT_INPUT;
}

/* A turn that failed: its findings, then why. */
static int report_turn(struct application *a, int status, struct diag_list *fault)
{
    const struct app_turns *turns = &a->answer.time.turns;
    const struct app *app = &a->app;
    const char *name =
        turns->faulty < app->program_count ? app->programs[turns->faulty].path : a->source.name;
    if (fault->errors && turns->faulty < app->program_count)
        diag_append(&a->app.programs[turns->faulty].diags, fault);
    if (*turns->error)
        cli_fail(EXIT_INPUT, a->session.command, "%s: %s", name, turns->error);
    if (status < 0)
        return *turns->error ? EXIT_HOST : report(a, status);
    return report(a, status);
}

/* --- opening ---------------------------------------------------------------------------------- */

bool application_is(const char *path)
{
    struct source source;
    char unsaid[MACHINE_ERROR];
    if (strcmp(path, "-") == 0 || source_open(&source, path, unsaid, sizeof unsaid) != 0)
        return false;
    const bool is = app_recognise(source.text, source.size);
    source_close(&source);
    return is;
}

static int open_app(struct application *a)
{
    struct session *s = &a->session;
    const int status = app_read(&a->app, &a->source, &a->diags);
    if (status != 0)
        return report(a, status);
    s->machine = a->app.machine;
    if (s->machine_name && machine_named(s->machine_name) != s->machine)
        return cli_usage(s->command, "%s is for the machine %s", a->source.name, s->machine->name);
    int code = cli_silenced(s->command, s->machine, &s->silenced);
    if (code == EXIT_FINE)
        code = options_accept(s->command, s->machine, &s->run);
    if (code == EXIT_FINE)
        code = cli_config(s->command, s->machine, &s->files, &s->sets, &a->config);
    a->opened = code == EXIT_FINE;
    if (code == EXIT_INPUT && s->json)
        cli_unread_json();
    return code;
}

void application_take(struct application *a, struct session *session)
{
    a->session = *session;
    *session = (struct session){.command = session->command, .json = session->json};
}

int application_open(struct application *a, const char *path)
{
    char *paths[] = {(char *)path};
    diag_list_init(&a->diags);
    if (a->session.loads.count || a->session.run.init)
        return cli_usage(a->session.command, "--load and --init are of a program: an application "
                                             "has its programs' own values");
    a->diags.silenced = a->session.silenced.items;
    a->session.run.timing_only = true;
    int code = cli_open_sources(a->session.command, paths, 1, &a->source);
    if (code == EXIT_FINE)
        code = open_app(a);
    if (code != EXIT_FINE)
        return code;
    a->answer.how.app = &a->app;
    a->answer.how.config = &a->config;
    a->answer.how.options = &a->session.run;
    const int status = app_load(&a->app, &a->config, a->session.run.settings, &a->diags);
    return status == 0 ? EXIT_FINE : report(a, status);
}

int application_find(struct application *a)
{
    struct diag_list fault;
    diag_list_init(&fault);
    const int status = app_answer_find(&a->answer, cli_processors(), &fault);
    const int code = status == 0 ? EXIT_FINE : report_turn(a, status, &fault);
    diag_list_free(&fault);
    return code;
}

void application_close(struct application *a)
{
    app_answer_free(&a->answer);
    app_free(&a->app);
    if (a->opened)
        config_free(&a->config);
    diag_list_free(&a->diags);
    if (a->source.name)
        cli_close_sources(&a->source, 1);
    session_close(&a->session);
}
