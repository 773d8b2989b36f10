/* why: the chain of waits and their causes. */
#include <string.h>

#include "analysis/why.h"
#include "cli/open_trace.h"
#include "cli/trace_run.h"

static const char help[] =
    "usage: takt why [OPTION]... TRACE|PROGRAM UNIT@CYCLE\n"
    "       takt why [OPTION]... TRACE|PROGRAM --line [FILE:]N\n"
    "What a unit does in a cycle, or what held the statement of a line: the chain of\n"
    "waits and their causes, each link with its rule or resource. A trace without\n"
    "intervals answers from its totals and says how sure it is: exact, or busy so\n"
    "many cycles of a window.\n"
    "With --line also, of a statement that only passes steps, which pairs of lines\n"
    "need how many of them by which rule, or that nothing does. A program is run,\n"
    "and then the exact slack of the statement is known, by runs with every delay;\n"
    "all options but --line and --json are for that.\n"
    "\n"
    "  --line [FILE:]N   the statement on line N; of several, the one held longest\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 no such unit, cycle or line, or errors in what is read\n";

struct asked {
    const char *place; /* of --line; or NULL */
    char file[4096], unit[128];
    uint64_t line, cycle;
};

/* Where the answer is to be found in the arguments. EXIT_FINE, or EXIT_USAGE after saying why. */
static int parse(struct asked *q, int count, char **arguments)
{
    if (q->place && !options_line(q->place, q->file, sizeof q->file, &q->line))
        return cli_usage("why", "--line takes N or FILE:N, a line from 1, not '%s'", q->place);
    if (count != (q->place ? 1 : 2))
        return cli_usage("why", "a trace or program and UNIT@CYCLE, or --line N");
    if (q->place)
        return EXIT_FINE;
    const char *at = strrchr(arguments[1], '@');
    if (!at || at == arguments[1] || (size_t)(at - arguments[1]) >= sizeof q->unit ||
        !options_number(at + 1, 0, INT64_MAX, &q->cycle))
        return cli_usage("why", "'%s' is not UNIT@CYCLE", arguments[1]);
    memcpy(q->unit, arguments[1], (size_t)(at - arguments[1]));
    return EXIT_FINE;
}

static int ask(const struct asked *q, struct why *why)
{
    const enum why_status status = q->place ? why_line(why, *q->file ? q->file : NULL, q->line)
                                            : why_unit(why, q->unit, q->cycle);
    return status == WHY_FINE    ? EXIT_FINE
           : status == WHY_INPUT ? (int)cli_fail(EXIT_INPUT, "why", "%s", why->error)
                                 : EXIT_HOST;
}

static int of_trace(const struct asked *q, struct session *s, const char *path)
{
    sqlite3 *db;
    int code = open_trace("why", path, &db);
    if (code != EXIT_FINE)
        return code;
    if (q->place) /* without a run the answer has less */
        trace_run_open(s, db);
    struct why why = {.db = db,
                      .out = stdout,
                      .json = s->json,
                      .machine = s->machine,
                      .run = s->running ? s->running->run : NULL};
    code = ask(q, &why);
    if (code == EXIT_HOST)
        code = open_trace_failed("why", path, db);
    sqlite3_close(db);
    return code;
}

static int of_program(const struct asked *q, struct session *s, char **path)
{
    int code = session_open(s, path, 1);
    if (code == EXIT_FINE)
        code = session_load(s);
    if (code == EXIT_FINE)
        code = session_record(s, NULL, (struct recorder_options){.kept.regions = true});
    if (code == EXIT_FINE)
        code = session_run(s, NULL);
    if (code != EXIT_FINE)
        return code;
    struct why why = {.db = s->db,
                      .out = stdout,
                      .json = s->json,
                      .machine = s->machine,
                      .run = s->running->run,
                      .done = true};
    code = ask(q, &why);
    return code == EXIT_HOST ? (int)cli_fail(EXIT_HOST, "why", "out of memory") : code;
}

int cmd_why(int argc, char **argv)
{
    struct asked q = {.place = NULL};
    struct session s = {.command = "why", .light = true};
    const struct cli_option table[] = {
        {"line", .text = &q.place}, SESSION_OPTIONS(s), SESSION_VALUES(s)};
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = parse(&q, argc - optind, argv + optind);
        const bool trace =
            code == EXIT_FINE && trace_run_given(&s, argv[optind], s.run.init || !s.light, &code);
        if (code == EXIT_FINE)
            code = trace ? of_trace(&q, &s, argv[optind]) : of_program(&q, &s, argv + optind);
    }
    session_close(&s);
    return cli_end_json(s.json, code);
}
