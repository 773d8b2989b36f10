#include "cli/improve.h"

#include <string.h>

#include "host/file.h"

enum { MOST_OWN = 16 };

bool improve_take(struct improve *improve, const struct improve_command *command, int argc,
                  char **argv, int *code)
{
    struct cli_option table[MOST_OWN];
    size_t count = 0;
    *improve = (struct improve){.command = command->name, .json = command->json};
    for (; count < command->own_count; count++)
        table[count] = command->own[count];
    table[count++] = (struct cli_option){"load", .list = &improve->loads};
    table[count++] = (struct cli_option){"machine", .text = &improve->machine_name};
    table[count++] = (struct cli_option){"config", .list = &improve->files};
    table[count++] = (struct cli_option){"set", .list = &improve->sets};
    const struct cli_options options = {command->name, command->help, table, count,
                                        &improve->settings};
    if (!options_take(&options, argc, argv, code))
        return false;
    *code = optind == argc       ? cli_usage(command->name, "which program?")
            : optind + 1 != argc ? cli_usage(command->name, "one program at a time")
                                 : EXIT_FINE;
    return *code == EXIT_FINE;
}

static int open_candidates(struct improve *improve)
{
    struct diag_list diags;
    char error[MACHINE_ERROR];
    diag_list_init(&diags);
    const int status = candidate_open(&improve->candidates, &improve->setup, &diags, error);
    int code = EXIT_FINE;
    diag_sort(&diags);
    cli_diags_few(&diags, &improve->source, 1);
    if (status < 0)
        code = cli_fail(EXIT_HOST, improve->command, "%s", error[0] ? error : "out of memory");
    else if (status > 0)
        code = diags.errors ? EXIT_INPUT : cli_fail(EXIT_INPUT, improve->command, "%s", error);
    if (code == EXIT_INPUT && *improve->json)
        code = diags.errors ? cli_diags_json(improve->command, &diags, &improve->source, 1)
                            : (cli_unread_json(), EXIT_INPUT);
    diag_list_free(&diags);
    return status > 0 && code == EXIT_FINE ? EXIT_INPUT : code;
}

int improve_open(struct improve *improve, char *path)
{
    const struct machine *machine = cli_machine(improve->machine_name, path);
    if (!machine)
        return cli_usage(improve->command, "no machine is named '%s'", improve->machine_name);
    const struct run_options options = {.settings = improve->settings.items,
                                        .loads = improve->loads.items};
    int code = cli_stdin_once(improve->command, &path, 1, &improve->files);
    if (code == EXIT_FINE)
        code = options_accept(improve->command, machine, &options);
    if (code == EXIT_FINE)
        code = cli_config(improve->command, machine, &improve->files, &improve->sets,
                          &improve->config);
    improve->has_config = code == EXIT_FINE;
    if (code == EXIT_FINE)
        code = cli_open_sources(improve->command, &path, 1, &improve->source);
    improve->has_source = improve->has_config && code == EXIT_FINE;
    if (code == EXIT_INPUT && *improve->json)
        cli_unread_json();
    improve->setup = (struct candidate_setup){.machine = machine,
                                              .config = &improve->config,
                                              .source = &improve->source,
                                              .settings = improve->settings.items,
                                              .loads = improve->loads.items};
    return code == EXIT_FINE ? open_candidates(improve) : code;
}

void improve_close(struct improve *improve)
{
    candidate_free(improve->candidates);
    if (improve->has_source)
        source_close(&improve->source);
    if (improve->has_config)
        config_free(&improve->config);
    cli_list_free(&improve->files);
    cli_list_free(&improve->sets);
    cli_list_free(&improve->loads);
    cli_settings_free(&improve->settings);
}

int improve_output(const struct improve *improve, const char *option, const char *path,
                   const char *program)
{
    if (!path)
        return EXIT_FINE;
    if (strcmp(path, "-") == 0)
        return *improve->json ? cli_usage(improve->command,
                                          "--json and %s - both want standard output", option)
                              : EXIT_FINE;
    return cli_same_file(path, program)
               ? cli_usage(improve->command, "%s %s would write over the program", option, path)
               : EXIT_FINE;
}

int improve_write(const char *command, const char *path, const char *text, size_t size)
{
    char error[MACHINE_ERROR];
    struct replace replace;
    if (replace_open(&replace, path, error, sizeof error) != 0)
        return cli_fail(EXIT_HOST, command, "%s", error);
    const bool written = fwrite(text, 1, size, replace.file) == size;
    if (replace_close(&replace, written, error, sizeof error) != 0 || !written)
        return cli_fail(EXIT_HOST, command, "%s", error);
    return EXIT_FINE;
}
