#include "cli/open_trace.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/region.h"
#include "host/suggest.h"
#include "traces/trace.h"

bool open_trace_name(const char *command, const char *path)
{
    if (strcmp(path, "-") != 0)
        return true;
    cli_usage(command, "a trace is read from a file; ./- is one of the name -");
    return false;
}

const struct question *open_trace_question(const char *command, const char *name)
{
    const struct question *question = question_find(name);
    if (question)
        return question;
    const char *names[64];
    size_t count = 0;
    for (; count < question_count && count < 64; count++)
        names[count] = questions[count].name;
    const char *near = suggest_name(name, strlen(name), names, count);
    cli_usage(command, "there is no question '%s'%s%s%s; takt report --list shows all", name,
              near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

int open_trace(const char *command, const char *path, sqlite3 **db)
{
    if (!open_trace_name(command, path))
        return EXIT_USAGE;
    char error[600];
    return cli_status(command, trace_open(db, path, error, sizeof error), error);
}

int open_trace_region(const char *command, const char *path, sqlite3 *db, const char *name)
{
    if (!name)
        return EXIT_FINE;
    const int64_t region = region_find(db, name);
    if (region >= 0)
        return region_select(db, region) == SQLITE_OK ? EXIT_FINE
                                                      : open_trace_failed(command, path, db);
    char names[400];
    region_names(db, names, sizeof names);
    return cli_fail(EXIT_INPUT, command, "%s has no region '%s'; its regions are %s", path, name,
                    names);
}

int open_trace_failed(const char *command, const char *path, sqlite3 *db)
{
    char error[600];
    const int status = trace_error(db, path, error, sizeof error);
    return cli_fail(status > 0 ? EXIT_INPUT : EXIT_HOST, command, "%s", error);
}

int open_trace_holds(const char *command, sqlite3 *db, uint64_t from)
{
    const int64_t cycles = trace_reached(db);
    return cycles < 0 || from < (uint64_t)cycles
               ? EXIT_FINE
               : cli_fail(EXIT_INPUT, command,
                          "the window holds no cycle of the run, which has %lld",
                          (long long)cycles);
}
