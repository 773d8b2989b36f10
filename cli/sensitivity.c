/* sensitivity: the effect of each unpublished number on a program, by runs. */
#include <jansson.h>

#include "analysis/sensitivity.h"
#include "cli/application_answers.h"
#include "timing/run.h"
#include "traces/sinks.h"

static const char help[] =
    "usage: takt sensitivity [OPTION]... PROGRAM...\n"
    "Run the program with each unpublished number at both ends of its plausible range\n"
    "(takt config lists them), one number at a time and then all together. The table\n"
    "is sorted by effect. Numbers given by --set or --config stay as they are.\n"
    "\n"
    "  --all             also numbers that change nothing\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the program\n";

/* --- the runs --------------------------------------------------------------------------------- */

/* The run as configured, then the others. */
static int find(struct session *s, struct range *range)
{
    const struct sink sink = sink_null();
    const int code = session_run(s, &sink);
    if (code == EXIT_FINE && run_range(s->running->run, cli_processors(), range) != 0)
        return cli_fail(EXIT_HOST, "sensitivity", "out of memory");
    return code;
}

static int answer(struct session *s, bool all)
{
    struct range range = {.known = false};
    int code = session_load(s);
    if (code == EXIT_FINE)
        code = find(s, &range);
    const struct sensitivity found = {.machine = s->machine->name,
                                      .program = s->program->sources[0].name,
                                      .config = &s->chip->config,
                                      .cycles = s->cycles,
                                      .range = &range};
    if (code == EXIT_FINE && s->json)
        code = cli_json("sensitivity", sensitivity_json(&found),
                        JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    else if (code == EXIT_FINE)
        sensitivity_print(&found, all, stdout);
    range_free(&range);
    return code;
}

int cmd_sensitivity(int argc, char **argv)
{
    struct session s = {.command = "sensitivity"};
    bool all = false;
    const struct cli_option table[] = {
        {"all", .flag = &all}, SESSION_OPTIONS(s), SESSION_VALUES(s)};
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        const bool app = application_given(argv + optind, argc - optind);
        code = app ? application_sensitivity(&s, argv[optind], all)
                   : session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE && !app)
            code = answer(&s, all);
    }
    session_close(&s);
    return cli_end_json(s.json, code);
}
