#include "cli/improve.h"

#include <signal.h>
#include <string.h>

#include "cli/files.h"
#include "host/failure.h"
#include "host/file.h"

/* Whether the file that is to be written may be. */
static int check_output(const struct improve *improve, const char *option, const char *path,
                        const char *program)
{
    const struct session *s = &improve->session;
    struct cli_files files = {.out_of_memory = false};
    files_read(&files, program);
    files_read_list(&files, &s->files);
    files_written(&files, option, path);
    files_of_run(&files, s->machine, &s->run);
    return files_check(&files, s->command);
}

/* --- when to stop ----------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;
static struct sigaction before;

/* The second one ends the process, as ever. */
static void note_interrupt(int number)
{
    interrupted = 1;
    sigaction(number, &before, NULL);
}

static bool must_stop(void *self)
{
    const struct improve *improve = self;
    struct timespec now;
    if (interrupted)
        return true;
    if (!improve->seconds)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > improve->end.tv_sec ||
           (now.tv_sec == improve->end.tv_sec && now.tv_nsec >= improve->end.tv_nsec);
}

/* The last order is run and compared after the search, which takes about as long as it took to open
 * the program. One order is tried in any case. */
static void set_end(struct improve *improve, const struct timespec *start)
{
    enum { NANO = 1000000000 };
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t opened =
                      (int64_t)(now.tv_sec - start->tv_sec) * NANO + now.tv_nsec - start->tv_nsec,
                  end = (int64_t)start->tv_sec * NANO + start->tv_nsec +
                        (int64_t)improve->seconds * NANO - opened * (1 + improve->opened);
    improve->end.tv_sec = (time_t)(end / NANO);
    improve->end.tv_nsec = (long)(end % NANO);
}

static void watch(void)
{
    sigaction(SIGINT, NULL, &before);
    if (before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &(const struct sigaction){.sa_handler = note_interrupt}, NULL);
}

int improve_open(struct improve *improve, char **paths, int count, const char *option,
                 const char *output)
{
    struct session *s = &improve->session;
    char error[MACHINE_ERROR] = "";
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    s->warnings = true;
    if (count > 1)
        return cli_usage(s->command, "one program at a time");
    int code = session_choose(s, paths, (size_t)count);
    if (code == EXIT_FINE)
        code = check_output(improve, option, output, paths[0]);
    if (code == EXIT_FINE && !improve->served(s->machine))
        return cli_fail(EXIT_INPUT, s->command,
                        "there is no %s for programs of %s; docs/schedules.md says why",
                        improve->given, s->machine->name);
    if (code == EXIT_FINE)
        code = session_open(s, paths, (size_t)count);
    if (code != EXIT_FINE)
        return code;
    improve->setup = (struct candidate_setup){.machine = s->machine,
                                              .config = &s->chip->config,
                                              .source = s->program->sources,
                                              .settings = improve->settings ? improve->settings
                                                                            : s->run.settings,
                                              .new_warnings = improve->settings != NULL,
                                              .loads = s->run.loads,
                                              .stop = must_stop,
                                              .stop_self = improve};
    code = session_report(
        s, candidate_open(&improve->candidates, &improve->setup, &s->program->diags, error), error);
    set_end(improve, &start);
    watch();
    return code;
}

void improve_close(struct improve *improve)
{
    candidate_free(improve->candidates);
    session_close(&improve->session);
}

struct text {
    const char *text;
    size_t size;
};

static int print_text(const void *text, FILE *out)
{
    const struct text *t = text;
    return fwrite(t->text, 1, t->size, out) != t->size;
}

int improve_write(const char *command, const char *path, const char *text, size_t size)
{
    return cli_write(command, path, print_text, &(struct text){text, size});
}
