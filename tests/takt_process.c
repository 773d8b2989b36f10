#include "tests/takt_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what)
{
    perror(what);
    exit(99);
}

struct buffer {
    char *text;
    size_t size, capacity;
};

static void append(struct buffer *b, const char *from, size_t count)
{
    if (b->size + count + 1 > b->capacity) {
        b->capacity = 2 * (b->size + count + 1);
        b->text = realloc(b->text, b->capacity);
        if (!b->text)
            die("realloc");
    }
    memcpy(b->text + b->size, from, count);
    b->size += count;
    b->text[b->size] = '\0';
}

struct takt_result takt_run_program(const char *const *argv, const char *input)
{
    int out[2], err[2];
    FILE *in = tmpfile();
    if (!in || pipe(out) != 0 || pipe(err) != 0)
        die("pipe");
    fputs(input, in);
    rewind(in);
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        dup2(fileno(in), 0);
        dup2(out[1], 1);
        dup2(err[1], 2);
        for (int *fd = (int[]){out[0], out[1], err[0], err[1], -1}; *fd >= 0; fd++)
            close(*fd);
        execv(argv[0], (char *const *)(void *)argv);
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    fclose(in);
    struct buffer buffers[2] = {{0}, {0}};
    append(&buffers[0], "", 0);
    append(&buffers[1], "", 0);
    struct pollfd fds[2] = {{.fd = out[0], .events = POLLIN}, {.fd = err[0], .events = POLLIN}};
    for (int open = 2; open > 0;) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            die("poll");
        for (int i = 0; i < 2; i++) {
            if (!(fds[i].revents & (POLLIN | POLLHUP | POLLERR)))
                continue;
            char chunk[65536];
            const ssize_t got = read(fds[i].fd, chunk, sizeof chunk);
            if (got > 0) {
                append(&buffers[i], chunk, (size_t)got);
            } else {
                close(fds[i].fd);
                fds[i].fd = -1;
                fds[i].revents = 0;
                open--;
            }
        }
    }
    int status;
    if (waitpid(child, &status, 0) < 0)
        die("waitpid");
    return (struct takt_result){.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                                                 : WEXITSTATUS(status),
                                .out = buffers[0].text,
                                .err = buffers[1].text,
                                .out_size = buffers[0].size,
                                .err_size = buffers[1].size};
}

struct takt_result takt_run_input(const char *const *arguments, const char *input)
{
    const char *program = getenv("TAKT");
    const char *argv[64] = {program ? program : "build/takt"};
    for (size_t i = 0; arguments[i] && i < 62; i++)
        argv[i + 1] = arguments[i];
    return takt_run_program(argv, input);
}

struct takt_result takt_run(const char *const *arguments)
{
    return takt_run_input(arguments, "");
}

void takt_result_free(struct takt_result *result)
{
    free(result->out);
    free(result->err);
    *result = (struct takt_result){0};
}

static char folder[64];

static void remove_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (folder[0] && system(command) != 0)
        fputs("a temporary folder was left\n", stderr);
}

const char *takt_temp_path(const char *name)
{
    static char paths[16][160];
    static unsigned next;
    if (!folder[0]) {
        strcpy(folder, "/tmp/takt-test-XXXXXX");
        if (!mkdtemp(folder))
            die("mkdtemp");
        atexit(remove_folder);
    }
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *takt_temp_file(const char *name, const char *text)
{
    const char *path = takt_temp_path(name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        die(path);
    return path;
}

char *takt_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    struct buffer b = {0};
    append(&b, "", 0);
    char chunk[65536];
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
        append(&b, chunk, got);
    fclose(file);
    if (size)
        *size = b.size;
    return b.text;
}
