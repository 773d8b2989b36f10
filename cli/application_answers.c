#include "cli/application_answers.h"

#include <jansson.h>
#include <stdlib.h>

#include "analysis/app_compare.h"
#include "analysis/sensitivity.h"
#include "analysis/whatif.h"

enum { ROUND = JSON_INDENT(1) | JSON_REAL_PRECISION(15) };

bool application_given(char **paths, int count)
{
    return count == 1 && application_is(paths[0]);
}

/* The total as configured. */
static int open_total(struct application *a, struct session *session, const char *path)
{
    application_take(a, session);
    int code = application_open(a, path);
    a->session.run.no_range = true;
    if (code == EXIT_FINE)
        code = application_find(a);
    return code;
}

static int fail(const struct application *a, int status, const char *error)
{
    if (status < 0)
        return cli_fail(EXIT_HOST, a->session.command, "out of memory");
    return cli_fail(EXIT_INPUT, a->session.command, "%s: %s", a->source.name, error);
}

int application_bound(struct session *session, const char *path, bool program_only)
{
    struct application a = {.source = {.name = NULL}};
    struct app_bounds bounds = {.answer = &a.answer};
    char error[MACHINE_ERROR] = "";
    const bool json = session->json;
    if (program_only)
        return cli_usage("bound", "--region, --proof and --search are of a program, not of an "
                                  "application");
    int code = open_total(&a, session, path);
    if (code == EXIT_FINE) {
        const int status = app_bounds_find(&bounds, error);
        code = status == 0 ? EXIT_FINE : fail(&a, status, error);
    }
    if (code == EXIT_FINE && json)
        code = cli_json("bound", app_bounds_json(&bounds), ROUND);
    else if (code == EXIT_FINE)
        app_bounds_print(&bounds, stdout);
    application_close(&a);
    return code;
}

int application_sensitivity(struct session *session, const char *path, bool all)
{
    struct application a = {.source = {.name = NULL}};
    struct range range = {.known = false};
    const bool json = session->json;
    int code = open_total(&a, session, path);
    if (code == EXIT_FINE && app_answer_range(&a.answer, cli_processors(), &range) != 0)
        code = cli_fail(EXIT_HOST, "sensitivity", "out of memory");
    const struct sensitivity found = {.machine = a.app.machine ? a.app.machine->name : "",
                                      .program = a.source.name,
                                      .config = &a.config,
                                      .cycles = a.answer.time.total,
                                      .range = &range};
    if (code == EXIT_FINE && json)
        code = cli_json("sensitivity", sensitivity_json(&found), ROUND);
    else if (code == EXIT_FINE)
        sensitivity_print(&found, all, stdout);
    range_free(&range);
    application_close(&a);
    return code;
}

/* --- whatif ----------------------------------------------------------------------------------- */

/* All changes as assignments. */
static int list_changes(const struct application *a, const struct cli_list *sets,
                        const struct cli_list *speeds, struct whatif_sets *faster,
                        struct cli_list *changes)
{
    char error[MACHINE_ERROR];
    bool added = true;
    for (size_t i = 0; i < speeds->count; i++) {
        const int status =
            whatif_speed(faster, a->app.machine, &a->config, speeds->items[i], error);
        if (status != 0)
            return status > 0 ? cli_usage("whatif", "%s", error) : fail(a, -1, "");
    }
    for (size_t i = 0; i < faster->count; i++)
        added &= cli_list_add(changes, faster->list[i]);
    for (size_t i = 0; i < sets->count; i++)
        added &= cli_list_add(changes, sets->items[i]);
    return added ? EXIT_FINE : fail(a, -1, "");
}

/* The same application with other numbers. */
static int find_changed(struct application *a, const struct cli_list *changes)
{
    struct application changed = *a;
    changed.answer = (struct app_answer){.how = a->answer.how};
    int code = cli_config("whatif", a->app.machine, &a->session.files, changes, &changed.config);
    if (code != EXIT_FINE)
        return code;
    changed.answer.how.config = &changed.config;
    code = application_find(&changed);
    const struct app_whatif whatif = {&a->answer, &changed.answer, changes->items};
    if (code == EXIT_FINE && a->session.json)
        code = cli_json("whatif", app_whatif_json(&whatif), ROUND);
    else if (code == EXIT_FINE)
        app_whatif_print(&whatif, stdout);
    app_answer_free(&changed.answer);
    config_free(&changed.config);
    return code;
}

/* Options of the machine that change a program have no before and after here. */
static int refuse_changing(const struct application *a)
{
    for (const struct machine_setting *s = a->session.run.settings; s && s->name; s++) {
        const struct machine_option *o = machine_option(a->app.machine, "whatif", s->name);
        if (o && o->changes)
            return cli_usage("whatif", "--%s is of a program, not of an application", s->name);
    }
    return EXIT_FINE;
}

int application_whatif(struct session *session, const char *path, const struct cli_list *sets,
                       const struct cli_list *speeds)
{
    struct application a = {.source = {.name = NULL}};
    struct whatif_sets faster = {NULL, 0, 0};
    struct cli_list changes = {0};
    if (!sets->count && !speeds->count)
        return cli_usage("whatif", "of an application --set and --speed can be changed");
    a.answer.how.shown = true;
    int code = open_total(&a, session, path);
    if (code == EXIT_FINE)
        code = refuse_changing(&a);
    if (code == EXIT_FINE)
        code = list_changes(&a, sets, speeds, &faster, &changes);
    if (code == EXIT_FINE)
        code = find_changed(&a, &changes);
    cli_list_free(&changes);
    free(faster.list);
    application_close(&a);
    return code;
}
