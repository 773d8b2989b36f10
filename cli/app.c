/* app: how long an application takes: programs repeated, transfers from the host, boards. */
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/application.h"

static const char help[] =
    "usage: takt app [OPTION]... APP.yaml\n"
    "Time a whole application: runs of programs many times over, loads and stores\n"
    "between the host and the boards (docs/applications.md):\n"
    "\n"
    "  machine: NAME\n"
    "  boards: 2\n"
    "  steps:\n"
    "  - load: {bytes: 1048576, board: all}\n"
    "  - run: tile.vsm\n"
    "    times: 4096\n"
    "  - store: {bytes: 65536}\n"
    "\n"
    "A turn is simulated once for each state of the memory that it finds; the others\n"
    "are multiplied, which gives the same total as all of them.\n"
    "\n"
    "  --no-repeat         simulate every turn\n"
    "  --documented        with documented numbers only\n"
    "  --no-range          without the runs for the range\n"
    "@common\n"
    "\n"
    "exit: 0 fine, 1 errors in the application or a program, 2 usage, 3 the host\n"
    "failed\n";

int cmd_app(int argc, char **argv)
{
    struct application a = {.session = {.command = "app"}};
    struct session *s = &a.session;
    const struct cli_option table[] = {{"no-repeat", .flag = &a.answer.how.every_turn},
                                       {"documented", .flag = &s->run.documented},
                                       {"no-range", .flag = &s->run.no_range},
                                       {"json", .flag = &s->json},
                                       {"config", .list = &s->files},
                                       {"silence", .list = &s->silenced},
                                       {"set", .list = &s->sets}};
    int code;
    if (SESSION_TAKE(s, help, table, argc, argv, &code)) {
        a.answer.how.shown = true;
        code = argc - optind == 1 ? application_open(&a, argv[optind])
                                  : cli_usage("app", "which application? One file");
        if (code == EXIT_FINE)
            code = application_find(&a);
        if (code == EXIT_FINE && s->json)
            code = cli_json("app", app_answer_json(&a.answer),
                            JSON_INDENT(1) | JSON_REAL_PRECISION(15));
        else if (code == EXIT_FINE)
            app_answer_print(&a.answer, cli_width(stdout), stdout);
    }
    application_close(&a);
    return cli_end_json(s->json, code);
}
