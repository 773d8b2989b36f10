/* print: the canonical form of a program. */
#include "cli/cli.h"

#include <string.h>

static const char help[] =
    "usage: takt print [OPTION]... PROGRAM\n"
    "The canonical form of a program: one spelling per meaning.\n\n"
    "  --packed          the packed stream with the nops and mvnops that packing inserts\n"
    "  --packing MODE    auto or flat, with --packed (default: flat if the program needs it)\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --help            this text\n\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

enum { OPT_PACKED = 256, OPT_PACKING, OPT_MACHINE, OPT_HELP };

static const struct option options[] = {{"packed", no_argument, NULL, OPT_PACKED},
                                        {"packing", required_argument, NULL, OPT_PACKING},
                                        {"machine", required_argument, NULL, OPT_MACHINE},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {NULL, 0, NULL, 0}};

int cmd_print(int argc, char **argv)
{
    bool packed = false;
    const char *packing = NULL, *machine_name = NULL;
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1)
        switch (option) {
        case OPT_PACKED:
            packed = true;
            break;
        case OPT_PACKING:
            packing = optarg;
            break;
        case OPT_MACHINE:
            machine_name = optarg;
            break;
        case 'h':
        case OPT_HELP:
            fputs(help, stdout);
            return EXIT_FINE;
        default:
            return cli_usage("print", "what was meant?");
        }
    if (optind + 1 != argc)
        return cli_usage("print", "one program is printed at a time");
    const struct machine *machine = cli_machine(machine_name, argv[optind]);
    if (!machine)
        return cli_usage("print", "no machine is named '%s'", machine_name);
    if (packing && strcmp(packing, "auto") != 0 && strcmp(packing, "flat") != 0)
        return cli_usage("print", "--packing takes auto or flat, not '%s'", packing);
    /* --packed asks for the packed stream, too. */
    const struct run_options asked = {.packing = packing ? packing : packed ? "auto" : NULL};
    int code = cli_options("print", machine, &asked);
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
