/* check: every rule of legality of a program, all findings in source order. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: takt check [OPTION]... PROGRAM...\n"
    "Every rule of the language and of time, without execution.\n\n"
    "  --json            findings as JSON on stdout (docs/json.md)\n"
    "  --packing MODE    none, auto or flat: count the nops that packing inserts\n"
    "                    (default: the stream as written)\n"
    "  --silence NAME    drop warnings of this name (may be given again); all drops every one\n"
    "  --removable       also note the steps of written nops that no hazard asks for; notes have\n"
    "                    the name removable and never change the exit code\n"
    "  --werror          warnings are errors for the exit code\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE   one parameter\n"
    "  --help            this text\n\n"
    "exit: 0 legal, 1 not, 2 usage, 3 the host failed\n";

enum {
    OPT_JSON = 256,
    OPT_PACKING,
    OPT_SILENCE,
    OPT_REMOVABLE,
    OPT_WERROR,
    OPT_MACHINE,
    OPT_CONFIG,
    OPT_SET,
    OPT_HELP
};

static const struct option options[] = {{"json", no_argument, NULL, OPT_JSON},
                                        {"packing", required_argument, NULL, OPT_PACKING},
                                        {"silence", required_argument, NULL, OPT_SILENCE},
                                        {"removable", no_argument, NULL, OPT_REMOVABLE},
                                        {"werror", no_argument, NULL, OPT_WERROR},
                                        {"machine", required_argument, NULL, OPT_MACHINE},
                                        {"config", required_argument, NULL, OPT_CONFIG},
                                        {"set", required_argument, NULL, OPT_SET},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {NULL, 0, NULL, 0}};

int cmd_check(int argc, char **argv)
{
    bool json = false, werror = false, removable = false;
    const char *packing = NULL, *machine_name = NULL;
    struct cli_list silenced = {0}, files = {0}, sets = {0};
    int code = EXIT_FINE, option;
    bool memory = true;
    optind = 1;
    while (code == EXIT_FINE && (option = getopt_long(argc, argv, "h", options, NULL)) != -1)
        switch (option) {
        case OPT_JSON:
            json = true;
            break;
        case OPT_PACKING:
            packing = optarg;
            break;
        case OPT_SILENCE:
            memory = memory && cli_list_add(&silenced, optarg);
            break;
        case OPT_REMOVABLE:
            removable = true;
            break;
        case OPT_WERROR:
            werror = true;
            break;
        case OPT_MACHINE:
            machine_name = optarg;
            break;
        case OPT_CONFIG:
            memory = memory && cli_list_add(&files, optarg);
            break;
        case OPT_SET:
            memory = memory && cli_list_add(&sets, optarg);
            break;
        case 'h':
        case OPT_HELP:
            fputs(help, stdout);
            return EXIT_FINE;
        default:
            code = cli_usage("check", "what was meant?");
        }
    if (code == EXIT_FINE && optind == argc)
        code = cli_usage("check", "which program?");
    const struct machine *machine = NULL;
    if (code == EXIT_FINE && !(machine = cli_machine(machine_name, argv[optind])))
        code = cli_usage("check", "no machine is named '%s'", machine_name);
    if (code == EXIT_FINE && packing && strcmp(packing, "none") != 0 &&
        strcmp(packing, "auto") != 0 && strcmp(packing, "flat") != 0)
        code = cli_usage("check", "--packing takes none, auto or flat, not '%s'", packing);
    if (code == EXIT_FINE)
        code = cli_silenced("check", machine, &silenced);
    if (code == EXIT_FINE)
        code = cli_options("check", machine, &(const struct run_options){.packing = packing});
    struct config config = {0};
    if (code == EXIT_FINE)
        code = memory ? cli_config("check", machine, &files, &sets, &config)
                      : cli_fail(EXIT_HOST, "check", "out of memory");
    if (code == EXIT_FINE) {
        const size_t count = (size_t)(argc - optind);
        struct source *sources = calloc(count, sizeof *sources);
        code = sources ? cli_open_sources("check", argv + optind, count, sources)
                       : cli_fail(EXIT_HOST, "check", "out of memory");
        if (code == EXIT_INPUT && json)
            cli_unread_json();
        if (code == EXIT_FINE) {
            struct diag_list diags;
            diag_list_init(&diags);
            diags.silenced = silenced.count ? silenced.items : NULL;
            struct machine_program *program = NULL;
            int status = machine->load(&program, sources, count, &diags);
            /* Rules of time are told even when the language has findings, for the statements that
             * could be decoded. */
            if (status >= 0 && program) {
                const int checked = machine->check(program, &config, packing, &diags);
                status = checked < 0 ? checked : status | checked;
            }
            /* Of a program that is legal: in another, what is missing comes first. */
            if (status == 0 && removable && machine->removable)
                status = machine->removable(program, &config, &diags);
            diag_sort(&diags);
            if (status < 0)
                code = cli_fail(EXIT_HOST, "check", "out of memory");
            else if (json)
                code = cli_diags_json(&diags, sources, count);
            else
                cli_diags(&diags, sources, count);
            if (code == EXIT_FINE && (diags.errors || (werror && diags.warnings)))
                code = EXIT_INPUT;
            if (program)
                machine->unload(program);
            diag_list_free(&diags);
            cli_close_sources(sources, count);
        }
        free(sources);
        config_free(&config);
    }
    cli_list_free(&silenced);
    cli_list_free(&files);
    cli_list_free(&sets);
    return code;
}
