#include "cli/open_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/trace.h"

int open_trace(const char *command, const char *path, sqlite3 **db)
{
    char error[600];
    const int status = trace_open(db, path, error, sizeof error);
    return status == 0 ? EXIT_FINE
                       : (int)cli_fail(status > 0 ? EXIT_INPUT : EXIT_HOST, command, "%s", error);
}

int open_trace_failed(const char *command, const char *path, sqlite3 *db)
{
    char error[600];
    const int status = trace_error(db, path, error, sizeof error);
    return cli_fail(status > 0 ? EXIT_INPUT : EXIT_HOST, command, "%s", error);
}

bool open_trace_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    if (*text < '0' || *text > '9') {
        return false;
    }
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (errno || *end || number < low || number > high) {
        return false;
    }
    *value = number;
    return true;
}

bool open_trace_window(const char *text, uint64_t *from, uint64_t *to)
{
    const char *colon = strchr(text, ':');
    char first[24] = "0";
    if (!colon || (size_t)(colon - text) >= sizeof first) {
        return false;
    }
    if (colon != text) {
        memcpy(first, text, (size_t)(colon - text));
        first[colon - text] = '\0';
    }
    *to = INT64_MAX;
    return open_trace_number(first, 0, INT64_MAX, from) &&
           (!colon[1] || open_trace_number(colon + 1, 0, INT64_MAX, to)) && *from < *to;
}

int open_trace_holds(const char *command, sqlite3 *db, uint64_t from)
{
    const int64_t cycles = trace_value(db, "SELECT cycles FROM v_reached", 0, 0, -1);
    return cycles < 0 || from < (uint64_t)cycles
               ? EXIT_FINE
               : cli_fail(EXIT_INPUT, command,
                          "the window holds no cycle of the run, which has %lld",
                          (long long)cycles);
}
