#include "cli/files.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/file.h"
#include "host/file_identity.h"

static void add(struct cli_files *files, struct cli_list *list, const char *item)
{
    files->out_of_memory |= !cli_list_add(list, item);
}

void files_read(struct cli_files *files, const char *path)
{
    if (path && strcmp(path, "-") != 0)
        add(files, &files->inputs, path);
}

void files_read_list(struct cli_files *files, const struct cli_list *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        files_read(files, paths->items[i]);
}

void files_written(struct cli_files *files, const char *option, const char *path)
{
    if (!path || replace_is_output(path))
        return;
    add(files, &files->outputs, path);
    add(files, &files->options, option);
}

void files_trace(struct cli_files *files, const char *path)
{
    static const char *const ends[] = {".partial", "-journal", ".partial-journal"};
    char *target = path ? file_target(path) : NULL; /* NULL: opening it says why */
    files_written(files, "--trace", path);
    for (size_t i = 0; target && i < sizeof ends / sizeof *ends; i++) {
        if (asprintf(&files->beside[i], "%s%s", target, ends[i]) < 0)
            files->beside[i] = NULL;
        files->out_of_memory |= !files->beside[i];
        files_written(files, "--trace", files->beside[i]);
    }
    free(target);
}

static const char *behind_equals(const char *text)
{
    const char *equals = strchr(text, '=');
    return equals ? equals + 1 : NULL;
}

void files_of_run(struct cli_files *files, const struct machine *machine,
                  const struct run_options *options)
{
    for (size_t i = 0; options->loads && options->loads[i]; i++)
        files_read(files, behind_equals(options->loads[i]));
    for (size_t i = 0; options->saves && options->saves[i]; i++)
        files_written(files, "--save", behind_equals(options->saves[i]));
    for (const struct machine_option *o = machine->language->options; o && o->name; o++) {
        const char *path = o->file ? machine_setting(options->settings, o->name) : NULL;
        if (o->file == MACHINE_READS)
            files_read(files, path);
        else if (o->file == MACHINE_WRITES)
            files_written(files, o->name, path);
    }
}

static int compare(const struct cli_files *files, const char *command)
{
    const struct cli_list *outputs = &files->outputs;
    for (size_t i = 0; i < outputs->count; i++) {
        const char *path = outputs->items[i], *option = files->options.items[i];
        const char *dashes = *option == '-' ? "" : "--"; /* of a machine's own */
        for (size_t k = 0; k < files->inputs.count; k++)
            if (file_same(path, files->inputs.items[k]))
                return cli_usage(command, "%s%s %s would write over %s, which is read", dashes,
                                 option, path, files->inputs.items[k]);
        for (size_t k = 0; k < i; k++)
            if (file_same(path, outputs->items[k]))
                return cli_usage(command, "%s and %s%s would both write %s",
                                 files->options.items[k], dashes, option, path);
    }
    return EXIT_FINE;
}

/* A new file whose folder is not there, or may not be written: said before the work. */
static int check_folders(const struct cli_files *files, const char *command)
{
    for (size_t i = 0; i < files->outputs.count; i++) {
        const char *path = files->outputs.items[i];
        char *folder = access(path, F_OK) != 0 ? strdup(path) : NULL;
        const int error = folder && access(dirname(folder), W_OK) != 0 ? errno : 0;
        free(folder);
        if (error)
            return cli_fail(EXIT_HOST, command, "%s: %s", path, strerror(error));
    }
    return EXIT_FINE;
}

int files_check(struct cli_files *files, const char *command)
{
    int code = files->out_of_memory ? cli_fail(EXIT_HOST, command, "out of memory")
                                    : compare(files, command);
    if (code == EXIT_FINE)
        code = check_folders(files, command);
    cli_list_free(&files->inputs);
    cli_list_free(&files->outputs);
    cli_list_free(&files->options);
    for (size_t i = 0; i < sizeof files->beside / sizeof *files->beside; i++)
        free(files->beside[i]);
    return code;
}
