#include "cli/trace_run.h"

#include <string.h>

#include "traces/sinks.h"
#include "traces/trace.h"

bool trace_run_given(const struct session *s, const char *path, bool own, int *code)
{
    const bool options = own || s->machine_name || s->files.count || s->sets.count ||
                         s->silenced.count || s->settings.count;
    const bool is_trace = trace_is(path);
    if (is_trace && options)
        *code =
            cli_usage(s->command, "a trace has its machine and numbers: these are for a program");
    return is_trace || (!options && strcmp(path, "-") != 0 && !machine_of(path));
}

static bool open_program(struct session *s, sqlite3 *db)
{
    char name[64], command[4096];
    int rc;
    trace_text(db, "machine", name, sizeof name);
    trace_text(db, "command", command, sizeof command);
    s->machine = machine_named(name);
    if (!s->machine || !(s->chip = library_machine(s->machine)) ||
        library_trace_numbers(s->chip, db) != 0 ||
        !(s->program = library_trace_program(s->chip, db, &rc)) ||
        library_judge(s->program, NULL) != 0)
        return false;
    s->run.documented = strstr(command, " --documented") != NULL;
    s->running = library_run(s->program, &s->run);
    if (s->running)
        s->running->found = &s->program->diags;
    return s->running;
}

bool trace_run_open(struct session *s, sqlite3 *db)
{
    char error[MACHINE_ERROR];
    return open_program(s, db) && library_begin(s->running, sink_null(), error) == 0;
}

int trace_run_repeat(struct session *s, sqlite3 *db, const char *path)
{
    const struct sink nothing = sink_header();
    if (!open_program(s, db))
        return cli_fail(EXIT_INPUT, s->command,
                        "%s: its program cannot be run again without its options; ask about the "
                        "program instead",
                        path);
    const int code = session_run(s, &nothing);
    if (code != EXIT_FINE || trace_reached(db) == (int64_t)s->cycles)
        return code;
    return cli_fail(EXIT_INPUT, s->command,
                    "%s: its program takes %llu cycles without its options; ask about the program "
                    "instead",
                    path, (unsigned long long)s->cycles);
}
