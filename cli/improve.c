#include "cli/improve.h"

#include <string.h>

#include "host/file.h"

/* Whether the file that is to be written may be. */
static int check_output(const struct improve *improve, const char *option, const char *path,
                        const char *program)
{
    if (!path)
        return EXIT_FINE;
    if (strcmp(path, "-") == 0)
        return improve->session.json
                   ? cli_usage(improve->session.command,
                               "--json and %s - both want standard output", option)
                   : EXIT_FINE;
    return cli_same_file(path, program)
               ? cli_usage(improve->session.command, "%s %s would write over the program", option,
                           path)
               : EXIT_FINE;
}

int improve_open(struct improve *improve, char **paths, int count, const char *option,
                 const char *output)
{
    struct session *s = &improve->session;
    char error[MACHINE_ERROR] = "";
    s->warnings = true;
    if (count > 1)
        return cli_usage(s->command, "one program at a time");
    int code = session_choose(s, paths, (size_t)count);
    if (code == EXIT_FINE)
        code = check_output(improve, option, output, paths[0]);
    if (code == EXIT_FINE)
        code = session_open(s, paths, (size_t)count);
    if (code != EXIT_FINE)
        return code;
    improve->setup = (struct candidate_setup){.machine = s->machine,
                                              .config = &s->chip->config,
                                              .source = s->program->sources,
                                              .settings = s->run.settings,
                                              .loads = s->run.loads};
    return session_report(
        s, candidate_open(&improve->candidates, &improve->setup, &s->program->diags, error), error);
}

void improve_close(struct improve *improve)
{
    candidate_free(improve->candidates);
    session_close(&improve->session);
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
