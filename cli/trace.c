/* trace: work on trace files. */
#include <inttypes.h>
#include <string.h>

#include "cli/open_trace.h"
#include "cli/options.h"
#include "traces/slice.h"
#include "traces/rows.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt trace materialize --window A:B TRACE\n"
    "Write the packed intervals of the cycles A to B as plain rows of slice_row, so\n"
    "that the plain sqlite3 shell and other tools see them through the view `slice`.\n"
    "Replaces an earlier window.\n"
    "\n"
    "  --window A:B   cycles; either may be empty\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the trace, has no intervals or the window is empty\n";

int cmd_trace(int argc, char **argv)
{
    struct cli_window window = {0};
    const struct cli_option table[] = {{"window", .window = &window}};
    int code;
    if (!OPTIONS_TAKE("trace", help, table, argc, argv, &code))
        return code;
    if (argc - optind != 2 || strcmp(argv[optind], "materialize") != 0)
        return cli_usage("trace", "materialize --window A:B TRACE is all there is");
    if (window.to == 0)
        return cli_usage("trace", "--window A:B says which cycles");
    const char *path = argv[optind + 1];
    if (!open_trace_name("trace", path))
        return EXIT_USAGE;
    char error[600];
    sqlite3 *db;
    const int status = trace_open_for_change(&db, path, error, sizeof error);
    if (status)
        return cli_status("trace", status, error);
    code = open_trace_holds("trace", db, window.from);
    if (code != EXIT_FINE) {
        sqlite3_close(db);
        return code;
    }
    if (!slice_packed(db)) {
        code = cli_fail(EXIT_INPUT, "trace",
                        "%s has no packed intervals: takt run --detail records "
                        "them",
                        path);
    } else {
        const int failed = trace_materialize(db, path, window.from, window.to, error, sizeof error);
        if (failed)
            code = cli_status("trace", failed, error);
        else
            printf("%" PRId64 " rows in slice_row\n",
                   rows_value(db, "SELECT count(*) FROM slice_row", 0, 0, 0));
    }
    sqlite3_close(db);
    return code;
}
