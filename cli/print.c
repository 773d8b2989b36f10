/* print: the canonical form of a program. */
#include "cli/options.h"

static const char help[] =
    "usage: takt print [OPTION]... PROGRAM\n"
    "The canonical form of a program: one spelling per meaning.\n\n"
    "  --packed          the packed stream with the nops and mvnops that packing inserts\n"
    "  --packing MODE    auto or flat, with --packed (default: flat if the program needs it)\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --help            this text\n\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

int cmd_print(int argc, char **argv)
{
    bool packed = false;
    const char *packing = NULL, *machine_name = NULL;
    static const char *const packings[] = {"auto", "flat", NULL};
    const struct cli_option table[] = {{"packed", .flag = &packed},
                                       {"packing", .text = &packing, .words = packings},
                                       {"machine", .text = &machine_name}};
    int code;
    if (!OPTIONS_TAKE("print", help, table, argc, argv, &code))
        return code;
    if (optind + 1 != argc)
        return cli_usage("print", "one program is printed at a time");
    const struct machine *machine = cli_machine(machine_name, argv[optind]);
    if (!machine)
        return cli_usage("print", "no machine is named '%s'", machine_name);
    /* --packed asks for the packed stream, too. */
    const struct run_options asked = {.packing = packing ? packing : packed ? "auto" : NULL};
    code = cli_options("print", machine, &asked);
    if (code != EXIT_FINE)
        return code;
    struct source source;
    code = cli_open_sources("print", argv + optind, 1, &source);
    if (code != EXIT_FINE)
        return code;
    struct diag_list diags;
    diag_list_init(&diags);
    struct machine_program *program = NULL;
    int status = machine->load(&program, &source, 1, &diags);
    diag_sort(&diags);
    cli_diags(&diags, &source, 1);
    if (status == 0)
        status = machine->print(program, packing, packed, stdout);
    code = status == 0  ? EXIT_FINE
           : status > 0 ? EXIT_INPUT
                        : cli_fail(EXIT_HOST, "print", "could not write");
    if (program)
        machine->unload(program);
    diag_list_free(&diags);
    source_close(&source);
    return code;
}
