#include "cli/diff_measured.h"

#include <string.h>

#include <jansson.h>

#include "analysis/measured_found.h"
#include "host/failure.h"
#include "host/file.h"

struct job {
    const struct diff_measured *given;
    struct config config;
    struct fit_case c;
    struct measured_listener listener;
    struct measured_found found;
};

bool diff_is_measured(const char *path)
{
    const size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".csv") == 0;
}

static int print_page(const void *found, FILE *out)
{
    measured_found_html(found, out);
    return ferror(out);
}

static int answer(const struct job *job)
{
    const char *html = job->given->html;
    const int code = html ? cli_write("diff", html, print_page, &job->found) : EXIT_FINE;
    if (code == EXIT_FINE && job->given->both->json)
        return cli_json("diff", measured_found_json(&job->found),
                        JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    if (code == EXIT_FINE)
        measured_found_print(&job->found, stdout);
    return code;
}

/* --- the runs --------------------------------------------------------------------------------- */

static int find(struct job *job, struct fit_measurement *m, char error[FIT_ERROR])
{
    struct measured_found *f = &job->found;
    int status = fit_case_open(&job->c, job->given->both->machine, &job->config, m, error);
    job->c.sorts = true;
    if (status == 0)
        status = fit_case_issues(&job->c, &job->config, &job->listener, &f->answer);
    job->c.sorts = false;
    if (status == 0)
        status = measured_waits(&f->answer, &job->listener);
    if (status == 0)
        status = measured_blame(&job->c, &job->config, &f->answer, &f->suspects);
    return status == 0 ? measured_found_sum(f) : status;
}

int diff_measured(const struct diff_measured *given)
{
    struct session *both = given->both;
    char quantity[] = "issues";
    char error[FIT_ERROR] = "";
    struct job job = {.given = given,
                      .found = {.program = given->program, .list = given->list, .all = given->all}};
    job.found.config = &job.config;
    job.found.listener = &job.listener;
    struct fit_measurement m = {.path = (char *)(uintptr_t)given->program,
                                .kind = FIT_EVENTS,
                                .name = (char *)(uintptr_t)given->list,
                                .quantity = quantity,
                                .start = given->start,
                                .init = (char *)(uintptr_t)both->run.init};
    for (size_t i = 0; both->settings.items && both->settings.items[i].name && i < FIT_OPTIONS; i++)
        m.settings[i] = both->settings.items[i];
    for (size_t i = 0; i < both->loads.count && i < FIT_OPTIONS; i++)
        m.loads[i] = (char *)(uintptr_t)both->loads.items[i];
    both->machine = cli_machine_for("diff", both->machine_name,
                                    (char *[]){(char *)(uintptr_t)given->program}, 1);
    if (!both->machine)
        return EXIT_USAGE;
    int code = cli_config("diff", both->machine, &both->files, &both->sets, &job.config);
    if (code != EXIT_FINE)
        return code;
    const int status = find(&job, &m, error);
    code = status == 0 ? answer(&job) : cli_status("diff", status, error);
    fit_case_close(&job.c);
    measured_listener_free(&job.listener);
    measured_found_free(&job.found);
    config_free(&job.config);
    return code;
}
