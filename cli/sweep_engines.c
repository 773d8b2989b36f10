#include "cli/sweep_engines.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "host/file.h"
#include "host/text.h"

/* Slurm's default MaxArraySize is 1001. */
enum { MOST_TASKS = 1000, OUTPUT = 4096 };

/* --- commands --------------------------------------------------------------------------------- */

/* For sh: within quotes. */
static void put_quoted(FILE *out, const char *text)
{
    putc('\'', out);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[2]){*text, '\0'}, out);
    putc('\'', out);
}

/* As it is where sh takes it so. */
static void put_word(FILE *out, const char *text)
{
    if (text[strspn(text,
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+:,@")])
        put_quoted(out, text);
    else
        fputs(text, out);
}

/* takt sweep chunk FOLDER, with absolute names. */
static int put_command(FILE *out, const struct sweep_folder *folder)
{
    char self[PATH_MAX];
    const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    char *root = realpath(folder->path, NULL);
    if (size <= 0 || !root) {
        free(root);
        return -1;
    }
    self[size] = '\0';
    put_quoted(out, self);
    fputs(" sweep chunk ", out);
    put_quoted(out, root);
    free(root);
    return 0;
}

static int write_text(const struct sweep_folder *folder, const char *name, const char *text)
{
    char error[600] = "out of memory";
    struct replace file;
    char *path = sweep_folder_path(folder, name);
    int status = path ? replace_open(&file, path, error, sizeof error) : -1;
    if (status == 0) {
        fputs(text, file.file);
        status = replace_close(&file, true, error, sizeof error);
    }
    free(path);
    return status ? cli_fail(EXIT_HOST, "sweep", "%s", error) : EXIT_FINE;
}

/* A program's output and exit code; 127: it could not be started. */
static int run_tool(char *const *argv, char output[OUTPUT])
{
    int ends[2], status = 0;
    size_t size = 0;
    ssize_t got;
    *output = '\0';
    if (pipe(ends) != 0)
        return 127;
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(ends[1]);
    while (size < OUTPUT - 1 && ((got = read(ends[0], output + size, OUTPUT - 1 - size)) > 0 ||
                                 (got < 0 && errno == EINTR)))
        size += got > 0 ? (size_t)got : 0;
    close(ends[0]);
    output[size] = '\0';
    while (size && output[size - 1] == '\n')
        output[--size] = '\0';
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                           : 127;
}

/* --- Slurm ------------------------------------------------------------------------------------ */

/* Tasks whose chunks are not all done, as sbatch takes them: "0,3-5%2". */
static void put_tasks(FILE *out, const struct sweep_progress *progress, size_t each)
{
    const size_t count = progress->folder->chunk_count, tasks = (count + each - 1) / each;
    bool any = false;
    for (size_t task = 0, from = SIZE_MAX; task <= tasks; task++) {
        bool missing = false;
        for (size_t i = task * each; i < count && i < (task + 1) * each; i++)
            missing |= progress->chunks[i].state != SWEEP_DONE;
        if (missing && from == SIZE_MAX)
            from = task;
        if (missing || from == SIZE_MAX)
            continue;
        fprintf(out, from + 1 == task ? "%s%zu" : "%s%zu-%zu", any ? "," : "", from, task - 1);
        any = true;
        from = SIZE_MAX;
    }
}

static int write_script(const struct sweep_progress *progress, size_t jobs)
{
    const struct sweep_folder *folder = progress->folder;
    const size_t each = (folder->chunk_count + MOST_TASKS - 1) / MOST_TASKS;
    char *text = NULL;
    size_t size;
    FILE *out = text_open(&text, &size);
    if (!out)
        return cli_fail(EXIT_HOST, "sweep", "out of memory");
    fputs("#!/bin/sh\n#SBATCH --job-name=takt-sweep --requeue --open-mode=append\n"
          "#SBATCH --output=logs/%a.txt --array=",
          out);
    put_tasks(out, progress, each);
    if (jobs)
        fprintf(out, "%%%zu", jobs);
    fputs("\nexec ", out);
    const int status = put_command(out, folder);
    fprintf(out, " $((SLURM_ARRAY_TASK_ID * %zu)) %zu\n", each, each);
    if (text_close(out, &text) != 0 || status != 0) {
        free(text);
        return cli_fail(EXIT_HOST, "sweep", "the command could not be written");
    }
    const int code = write_text(folder, "slurm.sh", text);
    free(text);
    return code;
}

/* Two arrays at once would do the same work twice. */
static int check_running(const struct sweep_folder *folder)
{
    char output[OUTPUT], job[40] = "";
    char *path = sweep_folder_path(folder, "slurm.job");
    FILE *file = path ? fopen(path, "r") : NULL; /* it is written again later */
    free(path);
    if (!file)
        return EXIT_FINE;
    const bool any = fgets(job, sizeof job, file);
    fclose(file);
    job[strcspn(job, "\n;")] = '\0';
    if (!any || !*job)
        return EXIT_FINE;
    char queue[] = "squeue", bare[] = "--noheader", jobs[] = "--jobs";
    const int code = run_tool((char *[]){queue, bare, jobs, job, NULL}, output);
    if (code == 0 && *output)
        return cli_fail(EXIT_INPUT, "sweep",
                        "job %s of Slurm has tasks still: takt sweep status %s shows how far it "
                        "is, scancel %s ends them",
                        job, folder->path, job);
    if (code == 0 || strstr(output, "Invalid job id")) /* Slurm forgets what has ended */
        return EXIT_FINE;
    return cli_fail(EXIT_HOST, "sweep", "squeue: %s", *output ? output : "it could not be started");
}

int sweep_engines_slurm(const struct sweep_progress *progress, size_t jobs)
{
    const struct sweep_folder *folder = progress->folder;
    char output[OUTPUT], chdir_to[PATH_MAX + 20];
    char *logs = sweep_folder_path(folder, "logs"), *script = sweep_folder_path(folder, "slurm.sh");
    char *root = realpath(folder->path, NULL);
    int code = check_running(folder);
    if (code == EXIT_FINE &&
        (!logs || !script || !root || (mkdir(logs, 0777) != 0 && errno != EEXIST)))
        code = cli_fail(EXIT_HOST, "sweep", "%s/logs cannot be made", folder->path);
    if (code == EXIT_FINE)
        code = write_script(progress, jobs);
    if (code == EXIT_FINE) {
        char tool[] = "sbatch", short_answer[] = "--parsable";
        snprintf(chdir_to, sizeof chdir_to, "--chdir=%s", root);
        const int status = run_tool((char *[]){tool, short_answer, chdir_to, script, NULL}, output);
        if (status != 0)
            code = cli_fail(EXIT_HOST, "sweep", "sbatch: %s",
                            *output ? output : "it could not be started");
    }
    if (code == EXIT_FINE) {
        output[strcspn(output, ";")] = '\0';
        code = write_text(folder, "slurm.job", output);
        printf("job %s of Slurm; takt sweep status %s shows how far it is\n", output, folder->path);
    }
    free(logs);
    free(script);
    free(root);
    return code;
}

/* --- GNU parallel ----------------------------------------------------------------------------- */

int sweep_engines_parallel(const struct sweep_progress *progress, size_t jobs)
{
    const struct sweep_folder *folder = progress->folder;
    char *text = NULL, *log = sweep_folder_path(folder, "parallel.log");
    size_t size;
    FILE *out = text_open(&text, &size);
    int status = out && log ? 0 : -1;
    for (size_t i = 0; status == 0 && i < folder->chunk_count; i++) {
        status = put_command(out, folder);
        fprintf(out, " %zu\n", i);
    }
    if ((out && text_close(out, &text) != 0) || status != 0) {
        free(text);
        free(log);
        return cli_fail(EXIT_HOST, "sweep", "the commands could not be written");
    }
    /* The log says that chunks were done, which may have been lost since. */
    unlink(log);
    const int code = write_text(folder, "parallel.txt", text);
    if (code == EXIT_FINE) {
        char *list = sweep_folder_path(folder, "parallel.txt");
        fputs("parallel --joblog ", stdout);
        put_word(stdout, log);
        fputs(" --resume-failed ", stdout);
        if (jobs)
            printf("--jobs %zu ", jobs);
        fputs("< ", stdout);
        put_word(stdout, list ? list : "parallel.txt");
        putchar('\n');
        free(list);
    }
    free(text);
    free(log);
    return code;
}
