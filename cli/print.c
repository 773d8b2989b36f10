/* print: the canonical form of a program. */
#include <jansson.h>
#include <stdlib.h>

#include "analysis/utf8_json.h"
#include "cli/options.h"

static const char help[] =
    "usage: takt print [OPTION]... PROGRAM\n"
    "The canonical form of a program: one spelling per meaning. Of many warnings a\n"
    "few are shown; takt check lists them all. - is standard input.\n"
    "\n"
    "  --silence NAME    drop warnings of this name (may be given again); all drops\n"
    "                    every one\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --json            the answer as JSON on standard output (docs/json.md)\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

struct args {
    const char *machine_name;
    bool json;
    struct cli_list silenced;
    struct cli_settings settings;
};

static int print_json(const struct args *args, const struct machine *machine,
                      const struct machine_program *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const bool printed = out && machine->print(program, args->settings.items, out) == 0;
    const bool whole = out && fclose(out) == 0 && printed;
    const int code =
        whole ? cli_json("print", json_pack("{s:b,s:o}", "ok", 1, "program", utf8_json(text)),
                         JSON_INDENT(1) | JSON_ENSURE_ASCII)
              : cli_fail(EXIT_HOST, "print", "out of memory");
    free(text);
    return code;
}

static int print(const struct args *args, char **path)
{
    const struct machine *machine = cli_machine_for("print", args->machine_name, path, 1);
    if (!machine)
        return EXIT_USAGE;
    const struct run_options run = {.settings = args->settings.items};
    int code = cli_silenced("print", machine, &args->silenced);
    if (code == EXIT_FINE)
        code = options_accept("print", machine, &run);
    struct source source;
    if (code == EXIT_FINE)
        code = cli_open_sources("print", path, 1, &source);
    if (code != EXIT_FINE)
        return code;
    struct diag_list diags;
    diag_list_init(&diags);
    diags.silenced = args->silenced.count ? args->silenced.items : NULL;
    struct machine_program *program = NULL;
    int status = machine->load(&program, &source, 1, &diags);
    diag_sort(&diags);
    cli_diags_few(&diags, &source, 1);
    if (status == 0 && args->json)
        code = print_json(args, machine, program);
    else if (status == 0)
        status = machine->print(program, args->settings.items, stdout);
    else if (args->json && status > 0)
        cli_diags_json("print", &diags, &source, 1);
    code = code != EXIT_FINE ? code
           : status == 0     ? EXIT_FINE
           : status > 0      ? EXIT_INPUT
                             : cli_fail(EXIT_HOST, "print", "could not write");
    if (program)
        machine->unload(program);
    diag_list_free(&diags);
    source_close(&source);
    return code;
}

int cmd_print(int argc, char **argv)
{
    struct args args = {0};
    const struct cli_option table[] = {{"silence", .list = &args.silenced},
                                       {"machine", .text = &args.machine_name},
                                       {"json", .flag = &args.json}};
    const struct cli_options options = {"print", help, table, sizeof table / sizeof *table,
                                        &args.settings};
    int code;
    if (options_take(&options, argc, argv, &code))
        code = optind == argc       ? cli_usage("print", "which program?")
               : optind + 1 != argc ? cli_usage("print", "one program is printed at a time")
                                    : cli_end_json(args.json, print(&args, argv + optind));
    cli_list_free(&args.silenced);
    cli_settings_free(&args.settings);
    return code;
}
