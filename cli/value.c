/* value: what a place holds in a cycle, by executing the program again. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/value.h"
#include "cli/open_trace.h"
#include "cli/trace_run.h"
#include "functional/source.h"
#include "timing/history.h"
#include "traces/sinks.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt value [OPTION]... TRACE|PROGRAM PLACE@CYCLE\n"
    "The value of a place in a cycle, by executing the program again: which\n"
    "statement wrote it, when that issued, and from which cycle on it can be read;\n"
    "and of a write that has not landed, what it will be and when. A write counts\n"
    "from the cycle in which the timing model lets it land. A PROGRAM is run; all\n"
    "options but --json are for that. The program of a TRACE must not have changed\n"
    "since, and its run must have had no options that change values.\n"
    "\n"
    "PLACE, by machine\n"
    "@history\n"
    "\n"
    "  --init KIND        memories start as zero (default), pattern or random:SEED\n"
    "  --load SPEC=FILE   read 64-bit words into a memory before the run\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 no such place or cycle, or errors in what is read\n";

struct asked {
    char place[MACHINE_SPEC];
    uint64_t cycle;
};

static int parse(struct asked *q, int count, char **arguments)
{
    if (count != 2)
        return cli_usage("value", "a trace or program and PLACE@CYCLE");
    const char *at = strrchr(arguments[1], '@');
    if (!at || at == arguments[1] || !options_number(at + 1, 0, INT64_MAX, &q->cycle))
        return cli_usage("value", "'%s' is not PLACE@CYCLE", arguments[1]);
    const size_t length = (size_t)(at - arguments[1]);
    if (length >= sizeof q->place)
        return cli_usage("value", "the place is longer than %zu bytes", sizeof q->place - 1);
    memcpy(q->place, arguments[1], length);
    return EXIT_FINE;
}

/* --- answer ----------------------------------------------------------------------------------- */

static bool served(const struct machine *machine)
{
    return machine->values->history != NULL;
}

static int refuse_machine(const struct machine *machine)
{
    char names[256] = "";
    for (size_t m = 0; m < machine_count; m++)
        if (served(machines[m]))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     *names ? ", " : "", machines[m]->name);
    return cli_fail(EXIT_INPUT, "value",
                    "places of %s have no history of their values; machines that have one: %s",
                    machine->name, names);
}

/* The run is complete. */
static int answer(const struct asked *q, const struct session *s)
{
    struct machine_run *run = s->running->run;
    struct history history = {.count = 0};
    char error[MACHINE_ERROR] = "";
    if (q->cycle > s->cycles)
        return cli_fail(EXIT_INPUT, "value", "cycle %llu is after the end, which is in cycle %llu",
                        (unsigned long long)q->cycle, (unsigned long long)s->cycles);
    int status = s->machine->values->history(run, q->place, &history, error);
    if (status == 0)
        status = value_print(&(struct value_question){q->place, q->cycle, run, &history}, s->json,
                             stdout);
    history_free(&history);
    return cli_status("value", status, error);
}

/* --- a trace ---------------------------------------------------------------------------------- */

/* Whether an option of the command line is this one; getopt takes the beginnings of names, too. */
static bool is_option(const char *given, size_t length, const char *name)
{
    return length && length <= strlen(name) && strncmp(given, name, length) == 0;
}

/* An option of the traced run that may change values or what is legal, or NULL. */
static const char *values_option(const struct machine *machine, const char *command)
{
    static const char *const names[] = {"load", "init"};
    for (const char *at = strstr(command, " --"); at; at = strstr(at + 1, " --")) {
        const size_t length = strcspn(at + 3, " =");
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (is_option(at + 3, length, names[i]))
                return names[i];
        for (const struct machine_option *o = machine->language->options; o && o->name; o++)
            if (machine_option_for(o, "run") && is_option(at + 3, length, o->name))
                return o->name;
    }
    return NULL;
}

/* A source that can be read has the text of the trace. */
static int unchanged(const struct session *s, const char *path)
{
    char error[MACHINE_ERROR];
    for (size_t i = 0; i < s->program->source_count; i++) {
        const struct source *traced = &s->program->sources[i];
        struct source now;
        if (access(traced->name, R_OK) != 0 ||
            source_open(&now, traced->name, error, sizeof error) != 0)
            continue;
        const bool same = source_hash(&now) == source_hash(traced);
        source_close(&now);
        if (!same)
            return cli_fail(EXIT_INPUT, "value",
                            "%s: %s has changed since it was traced; trace it again", path,
                            traced->name);
    }
    return EXIT_FINE;
}

static int repeat(struct session *s, sqlite3 *db, const char *path)
{
    char command[4096], name[64];
    const struct machine *machine = machine_named(trace_text(db, "machine", name, sizeof name));
    if (machine && !served(machine))
        return refuse_machine(machine);
    trace_text(db, "command", command, sizeof command);
    const char *option = machine ? values_option(machine, command) : NULL;
    if (option)
        return cli_fail(EXIT_INPUT, "value",
                        "%s: the traced run had --%s; ask about the program with the same options",
                        path, option);
    const int code = trace_run_repeat(s, db, path);
    return code == EXIT_FINE ? unchanged(s, path) : code;
}

static int of_trace(const struct asked *q, struct session *s, const char *path)
{
    sqlite3 *db;
    int code = open_trace("value", path, &db);
    if (code != EXIT_FINE)
        return code;
    code = repeat(s, db, path);
    sqlite3_close(db);
    return code == EXIT_FINE ? answer(q, s) : code;
}

/* --- a program -------------------------------------------------------------------------------- */

static int of_program(const struct asked *q, struct session *s, char **path)
{
    const struct sink sink = sink_header();
    int code = session_open(s, path, 1);
    if (code == EXIT_FINE && !served(s->machine))
        code = refuse_machine(s->machine);
    if (code == EXIT_FINE)
        code = session_load(s);
    s->run.total_only = true;
    if (code == EXIT_FINE)
        code = session_run(s, &sink);
    return code == EXIT_FINE ? answer(q, s) : code;
}

int cmd_value(int argc, char **argv)
{
    struct asked q = {.cycle = 0};
    struct session s = {.command = "value", .light = true};
    const struct cli_option table[] = {
        SESSION_OPTIONS(s), {"init", .text = &s.run.init}, {"load", .list = &s.loads}};
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = parse(&q, argc - optind, argv + optind);
        const bool trace = code == EXIT_FINE &&
                           trace_run_given(&s, argv[optind], s.run.init || s.loads.count, &code);
        if (code == EXIT_FINE)
            code = trace ? of_trace(&q, &s, argv[optind]) : of_program(&q, &s, argv + optind);
    }
    session_close(&s);
    return cli_end_json(s.json, code);
}
