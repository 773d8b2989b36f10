/* why: the chain of who waited for whom. */
#include <string.h>

#include "analysis/why.h"
#include "cli/open_trace.h"
#include "cli/options.h"

static const char help[] =
    "usage: takt why [OPTION]... TRACE UNIT@CYCLE\n"
    "       takt why [OPTION]... TRACE --line [FILE:]N\n"
    "What a unit does in a cycle, or what held the statement of a line: the chain of\n"
    "who waited for whom, each link with its rule or resource. A trace without\n"
    "intervals answers from its totals and says how sure it is: exact, or busy so\n"
    "many cycles of a window.\n"
    "\n"
    "  --line [FILE:]N  the statement on line N; of several, the one held longest\n"
    "  --json           answer as JSON (docs/json.md)\n"
    "  --help           this text\n"
    "\n"
    "exit: 0 fine, 1 no such unit, cycle or line, or the trace is at fault, 2 usage,\n"
    "3 the host failed\n";

/* N or FILE:N; file stays empty without one. */
static bool parse_line(const char *text, char *file, size_t size, uint64_t *line)
{
    const char *colon = strrchr(text, ':');
    const size_t length = colon ? (size_t)(colon - text) : 0;
    if (length >= size || (colon && !length))
        return false;
    memcpy(file, text, length);
    file[length] = '\0';
    return options_number(colon ? colon + 1 : text, 1, UINT32_MAX, line);
}

int cmd_why(int argc, char **argv)
{
    bool json = false;
    uint64_t line = 0, cycle = 0;
    const char *place = NULL;
    const struct cli_option table[] = {{"line", .text = &place}, {"json", .flag = &json}};
    int code;
    if (!OPTIONS_TAKE("why", help, table, argc, argv, &code))
        return code;
    char file[4096] = "";
    const bool by_line = place != NULL;
    if (by_line && !parse_line(place, file, sizeof file, &line))
        return cli_usage("why", "--line takes N or FILE:N, a line from 1, not '%s'", place);
    if (argc - optind != (by_line ? 1 : 2))
        return cli_usage("why", "a trace and UNIT@CYCLE, or --line N");
    char unit[128] = "";
    if (!by_line) {
        const char *at = strrchr(argv[optind + 1], '@');
        if (!at || at == argv[optind + 1] || (size_t)(at - argv[optind + 1]) >= sizeof unit ||
            !options_number(at + 1, 0, INT64_MAX, &cycle))
            return cli_usage("why", "'%s' is not UNIT@CYCLE", argv[optind + 1]);
        memcpy(unit, argv[optind + 1], (size_t)(at - argv[optind + 1]));
    }
    sqlite3 *db;
    code = open_trace("why", argv[optind], &db);
    if (code != EXIT_FINE)
        return code;
    struct why why = {.db = db, .out = stdout, .json = json};
    const enum why_status status =
        by_line ? why_line(&why, *file ? file : NULL, line) : why_unit(&why, unit, cycle);
    code = status == WHY_FINE    ? EXIT_FINE
           : status == WHY_INPUT ? (int)cli_fail(EXIT_INPUT, "why", "%s", why.error)
                                 : open_trace_failed("why", argv[optind], db);
    sqlite3_close(db);
    return code;
}
