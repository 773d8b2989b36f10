/* app: how long an application takes: programs repeated, transfers from the host, boards. */
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/app_trace.h"
#include "cli/application.h"
#include "cli/files.h"
#include "host/file.h"
#include "traces/recorder.h"

static const char help[] =
    "usage: takt app [OPTION]... APP.yaml\n"
    "Time a whole application: runs of programs many times over, loads and stores\n"
    "between the host and the boards (docs/applications.md):\n"
    "\n"
    "  machine: NAME\n"
    "  boards: 2\n"
    "  steps:\n"
    "  - load: {bytes: 1048576, board: all}\n"
    "  - run: tile.vsm\n"
    "    times: 4096\n"
    "  - store: {bytes: 65536}\n"
    "\n"
    "A turn is simulated once for each state of the memory that it finds; the others\n"
    "are multiplied, which gives the same total as all of them.\n"
    "\n"
    "  --no-repeat         simulate every turn\n"
    "  --trace FILE        keep a trace (SQLite): a statement for each step and kind\n"
    "                      of turn, no intervals\n"
    "  --html FILE         write the answer as one offline page\n"
    "  --documented        with documented numbers only\n"
    "  --no-range          without the runs for the range\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the application or a program\n";

struct job {
    struct application application;
    const char *trace, *html;
};

static int check_files(const struct job *job, const char *path)
{
    const struct application *a = &job->application;
    struct cli_files files = {.out_of_memory = false};
    if (job->trace && replace_is_output(job->trace))
        return cli_usage("app", "--trace writes a file; ./- is one of the name -");
    files_read(&files, path);
    for (size_t i = 0; i < a->app.program_count; i++)
        files_read(&files, a->app.programs[i].source.name);
    files_read_list(&files, &a->session.files);
    files_trace(&files, job->trace);
    files_written(&files, "--html", job->html);
    return files_check(&files, "app");
}

/* The trace is complete or not there. */
static int write_trace(const struct job *job)
{
    const struct recorder_options options = {.intervals = false};
    struct recorder *recorder;
    struct app_trace trace;
    char error[MACHINE_ERROR] = "", unsaid[MACHINE_ERROR];
    int status = recorder_open(&recorder, job->trace, &options, error, sizeof error);
    if (status != 0)
        return cli_status("app", status, error);
    const struct sink sink = recorder_sink(recorder);
    status = app_trace_open(&trace, &job->application.answer, "app");
    if (status == 0)
        status = app_trace_send(&trace, &sink);
    if (status != 0)
        snprintf(error, sizeof error, "%s",
                 recorder_error(recorder) ? recorder_error(recorder) : "out of memory");
    if (recorder_close(recorder, status ? unsaid : error, sizeof error) != 0 && status == 0)
        status = -1;
    app_trace_close(&trace);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "app", "%s", error);
}

static int print_page(const void *answer, FILE *out)
{
    return app_answer_html(answer, out);
}

static int answer(struct job *job)
{
    const struct application *a = &job->application;
    int code = job->trace ? write_trace(job) : EXIT_FINE;
    if (code == EXIT_FINE && job->html)
        code = cli_write("app", job->html, print_page, &a->answer);
    if (code != EXIT_FINE || (job->html && replace_is_output(job->html)))
        return code;
    if (a->session.json)
        return cli_json("app", app_answer_json(&a->answer),
                        JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    app_answer_print(&a->answer, cli_width(stdout), stdout);
    return EXIT_FINE;
}

int cmd_app(int argc, char **argv)
{
    struct job job = {.application.session.command = "app"};
    struct application *a = &job.application;
    struct session *s = &a->session;
    const struct cli_option table[] = {{"no-repeat", .flag = &a->answer.how.every_turn},
                                       {"trace", .text = &job.trace},
                                       {"html", .text = &job.html, .writes = true},
                                       {"documented", .flag = &s->run.documented},
                                       {"no-range", .flag = &s->run.no_range},
                                       {"json", .flag = &s->json},
                                       {"config", .list = &s->files},
                                       {"silence", .list = &s->silenced},
                                       {"set", .list = &s->sets}};
    int code;
    if (SESSION_TAKE(s, help, table, argc, argv, &code)) {
        a->answer.how.shown = true;
        code = argc - optind == 1 ? application_open(a, argv[optind])
                                  : cli_usage("app", "which application? One file");
        if (code == EXIT_FINE)
            code = check_files(&job, argv[optind]);
        if (code == EXIT_FINE)
            code = application_find(a);
        if (code == EXIT_FINE)
            code = answer(&job);
    }
    application_close(a);
    return cli_end_json(s->json, code);
}
