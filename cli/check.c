/* check: every rule of legality of a program, all findings in source order. */
#include "cli/options.h"

#include <stdlib.h>

static const char help[] =
    "usage: takt check [OPTION]... PROGRAM...\n"
    "Every rule of the language and of time, without execution. Several programs are\n"
    "checked one after the other, as takt run runs them. - is standard input.\n"
    "\n"
    "  --json            findings as JSON on stdout (docs/json.md)\n"
    "  --silence NAME    drop warnings of this name (may be given again); all drops\n"
    "                    every one\n"
    "  --werror          warnings are errors for the exit code\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE   one parameter\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 legal, 1 not, 2 usage, 3 the host failed\n";

struct args {
    bool json, werror;
    const char *machine_name;
    struct cli_list silenced, files, sets;
    struct cli_settings settings;
};

/* All findings, in source order. */
static int report(const struct args *args, const struct machine *machine,
                  const struct config *config, const struct source *sources, size_t count)
{
    struct diag_list diags;
    diag_list_init(&diags);
    diags.silenced = args->silenced.count ? args->silenced.items : NULL;
    struct machine_program *program = NULL;
    int status = machine->load(&program, sources, count, &diags);
    /* Statements that could be decoded are checked even when others have errors. */
    if (status >= 0 && program) {
        const int checked = machine->check(program, config, args->settings.items, &diags);
        status = checked < 0 ? checked : status | checked;
    }
    diag_sort(&diags);
    int code = EXIT_FINE;
    if (status < 0)
        code = cli_fail(EXIT_HOST, "check", "out of memory");
    else if (args->json)
        code = cli_diags_json("check", &diags, sources, count);
    else
        cli_diags(&diags, sources, count);
    if (code == EXIT_FINE && (diags.errors || (args->werror && diags.warnings)))
        code = EXIT_INPUT;
    if (program)
        machine->unload(program);
    diag_list_free(&diags);
    return code;
}

static int check(const struct args *args, char **paths, size_t count)
{
    const struct machine *machine = cli_machine(args->machine_name, paths[0]);
    if (!machine)
        return cli_usage("check", "no machine is named '%s'", args->machine_name);
    int code = cli_stdin_once("check", paths, count, &args->files);
    if (code == EXIT_FINE)
        code = cli_silenced("check", machine, &args->silenced);
    if (code == EXIT_FINE)
        code = options_accept("check", machine,
                              &(const struct run_options){.settings = args->settings.items});
    struct config config;
    if (code == EXIT_FINE)
        code = cli_config("check", machine, &args->files, &args->sets, &config);
    if (code == EXIT_INPUT && args->json)
        cli_unread_json();
    if (code != EXIT_FINE)
        return code;
    struct source *sources = calloc(count, sizeof *sources);
    code = sources ? cli_open_sources("check", paths, count, sources)
                   : cli_fail(EXIT_HOST, "check", "out of memory");
    if (code == EXIT_FINE) {
        code = report(args, machine, &config, sources, count);
        cli_close_sources(sources, count);
    } else if (code == EXIT_INPUT && args->json) {
        cli_unread_json();
    }
    free(sources);
    config_free(&config);
    return code;
}

int cmd_check(int argc, char **argv)
{
    struct args args = {0};
    const struct cli_option table[] = {
        {"json", .flag = &args.json},     {"silence", .list = &args.silenced},
        {"werror", .flag = &args.werror}, {"machine", .text = &args.machine_name},
        {"config", .list = &args.files},  {"set", .list = &args.sets},
    };
    const struct cli_options options = {"check", help, table, sizeof table / sizeof *table,
                                        &args.settings};
    int code;
    if (options_take(&options, argc, argv, &code))
        code = optind < argc ? check(&args, argv + optind, (size_t)(argc - optind))
                             : cli_usage("check", "which program?");
    cli_list_free(&args.silenced);
    cli_list_free(&args.files);
    cli_list_free(&args.sets);
    cli_settings_free(&args.settings);
    return code;
}
