/* why: the chain of who waited for whom. */
#include <string.h>

#include "analysis/why.h"
#include "cli/open_trace.h"
#include "cli/options.h"

static const char help[] =
    "usage: takt why [OPTION]... TRACE UNIT@CYCLE\n"
    "       takt why [OPTION]... TRACE --line N\n"
    "What a unit does in a cycle, or what held the statement of a line: the chain of who waited "
    "for\n"
    "whom, each link with its rule or resource. A trace without intervals answers from its totals "
    "and\n"
    "says how sure it is: exact, or busy so many cycles of a window.\n\n"
    "  --line N       the statement on line N\n"
    "  --json         answer as JSON\n"
    "  --help         this text\n\n"
    "exit: 0 fine, 1 no such unit, cycle or line, or the trace is at fault, 2 usage, 3 the host "
    "failed\n";

int cmd_why(int argc, char **argv)
{
    bool json = false;
    uint64_t line = 0, cycle = 0;
    const struct cli_option table[] = {{"line", .number = &line, .low = 1, .high = UINT32_MAX},
                                       {"json", .flag = &json}};
    int code;
    if (!OPTIONS_TAKE("why", help, table, argc, argv, &code)) {
        return code;
    }
    const bool by_line = line > 0;
    if (argc - optind != (by_line ? 1 : 2)) {
        return cli_usage("why", "a trace and UNIT@CYCLE, or --line N");
    }
    char unit[128] = "";
    if (!by_line) {
        const char *at = strrchr(argv[optind + 1], '@');
        if (!at || at == argv[optind + 1] || (size_t)(at - argv[optind + 1]) >= sizeof unit ||
            !options_number(at + 1, 0, INT64_MAX, &cycle)) {
            return cli_usage("why", "'%s' is not UNIT@CYCLE", argv[optind + 1]);
        }
        memcpy(unit, argv[optind + 1], (size_t)(at - argv[optind + 1]));
    }
    sqlite3 *db;
    code = open_trace("why", argv[optind], &db);
    if (code != EXIT_FINE) {
        return code;
    }
    char error[300];
    const enum why_status status =
        by_line ? why_line(db, line, json, stdout, error, sizeof error)
                : why_unit(db, unit, cycle, json, stdout, error, sizeof error);
    code = status == WHY_FINE    ? EXIT_FINE
           : status == WHY_INPUT ? (int)cli_fail(EXIT_INPUT, "why", "%s", error)
                                 : open_trace_failed("why", argv[optind], db);
    sqlite3_close(db);
    return code;
}
