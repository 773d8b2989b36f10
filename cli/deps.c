/* deps: what must come before what in a program: dependences and ports that turn, with their
 * lags. */
#include <jansson.h>

#include "analysis/dependences.h"
#include "analysis/slacks.h"
#include "cli/session.h"
#include "timing/slack.h"

static const char help[] =
    "usage: takt deps [OPTION]... PROGRAM...\n"
    "What must come before what: for each pair of statements the place, the cycles\n"
    "that the second must follow the first (lag), the rule, and the slack: how\n"
    "many more there are in the run. Then how much later each statement could issue,\n"
    "all that follows moving along, without a later end; exactly, where runs with\n"
    "every delay do not take too long. Pairs that come again and again are one row:\n"
    "x N, with the least slack.\n"
    "\n"
    "  RAW   the second reads what the first wrote\n"
    "  WAR   it writes what the first read\n"
    "  WAW   it writes what the first wrote\n"
    "  PORT  a port has to change its direction between them, in this order\n"
    "\n"
    "  --line [FILE:]N   only those from or to a statement of this line\n"
    "  --region NAME     only those from or to a statement of this region\n"
    "  --dot             as a graph for Graphviz\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the program or it is too large\n";

/* --line as it was given, or NULL, and its parts. */
struct line {
    const char *place;
    char file[4096];
    uint64_t number;
};

static int print(struct dependences *d, bool json, bool dot)
{
    if (json)
        return cli_json("deps", dependences_json(d), JSON_INDENT(1));
    if (dot)
        dependences_dot(d, stdout);
    else
        dependences_print(d, stdout);
    return EXIT_FINE;
}

static int answer(struct session *s, struct dependences *d, struct starts *starts, bool dot)
{
    enum { FEW = 1 << 25 }; /* work, without --line */
    d->store = s->store;
    d->graph = &s->running->proof.graph;
    int status = dependences_find(d, starts);
    if (status > 0)
        return cli_fail(EXIT_INPUT, "deps", "the program has no region '%s'", d->region);
    if (status == 0 && !dot)
        status = slacks_find(s->running->run, s->store, d->line ? SLACK_WORK : FEW, d->wanted);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "deps", "out of memory");
}

/* The run, with when each node started. */
static int run(struct session *s, struct starts *starts)
{
    const struct sink kept = library_sink(s->running);
    starts_open(starts, &kept);
    const struct sink sink = starts_sink(starts);
    return session_run(s, &sink);
}

int cmd_deps(int argc, char **argv)
{
    struct session s = {.command = "deps", .light = true};
    struct dependences deps = {.store = NULL};
    struct starts starts = {.rows = NULL};
    struct line line = {.place = NULL};
    bool dot = false;
    uint64_t most = 1000000;
    const struct cli_option table[] = {
        {"line", .text = &line.place},
        {"region", .text = &deps.region},
        {"dot", .flag = &dot},
        {"most", .number = &most, .low = 1, .high = UINT32_MAX - 1, .what = "pieces of work"},
        SESSION_OPTIONS(s),
        SESSION_VALUES(s),
    };
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        if (s.json && dot)
            code = cli_usage("deps", "--json and --dot exclude each other");
        else if (line.place && !options_line(line.place, line.file, sizeof line.file, &line.number))
            code =
                cli_usage("deps", "--line takes N or FILE:N, a line from 1, not '%s'", line.place);
        else
            code = session_open(&s, argv + optind, (size_t)(argc - optind));
        deps.file = line.file;
        deps.line = line.number;
        if (code == EXIT_FINE)
            code = session_keep_proven(&s, most, true);
        if (code == EXIT_FINE)
            code = run(&s, &starts);
        if (code == EXIT_FINE)
            code = answer(&s, &deps, &starts, dot);
        if (code == EXIT_FINE && !dot && line.place && !deps.wanted_count)
            code = cli_fail(EXIT_INPUT, "deps", "there is no statement on line %s", line.place);
        if (code == EXIT_FINE)
            code = print(&deps, s.json, dot);
    }
    dependences_free(&deps);
    session_close(&s);
    starts_close(&starts);
    return cli_end_json(s.json, code);
}
