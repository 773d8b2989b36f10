/*
 * bench_run: takt run --timing-only beside takt check of the same file: CPU time and the most
 * memory of the whole process, as ratios. At most 2 and 1.5 are wanted.
 *
 *   bench_run [LINES]     2,000,000 lines, nearly all distinct (tests/bench/distinct.h)
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench_process.h"
#include "tests/bench/distinct.h"

enum { ROUNDS = 3 };

struct spent {
    double seconds, megabytes;
};

/* One command, its output dropped; ends this process when it fails. */
static struct spent spend(char *const *argv)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    struct rusage usage;
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, bench_takt(), &files, NULL, argv, environ) != 0 ||
        wait4(child, &status, 0, &usage) < 0 || status != 0) {
        fprintf(stderr, "%s %s failed\n", bench_takt(), argv[1]);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&files);
    return (struct spent){(double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                              1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
                          (double)usage.ru_maxrss / 1024};
}

/* The best of some rounds. */
static struct spent best_of(const char *name, const char *option, const char *path)
{
    char *const argv[] = {(char *)(uintptr_t) "takt", (char *)(uintptr_t)name,
                          (char *)(uintptr_t)option, (char *)(uintptr_t)path, NULL};
    struct spent best = {0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        const struct spent now = spend(argv);
        if (round == 0 || now.seconds < best.seconds)
            best.seconds = now.seconds;
        if (round == 0 || now.megabytes < best.megabytes)
            best.megabytes = now.megabytes;
    }
    printf("takt %-5s %-14s %7.2f s of CPU  %7.0f MB\n", name, option, best.seconds,
           best.megabytes);
    return best;
}

int main(int argc, char **argv)
{
    const size_t lines = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
    char path[] = "/tmp/bench_run-XXXXXX.vsm";
    const int fd = mkstemps(path, 4);
    size_t size = 0;
    char *text = distinct_text(lines, 0, &size);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        return 1;
    }
    free(text);
    const struct spent check = best_of("check", "--silence=all", path),
                       run = best_of("run", "--timing-only", path);
    printf("run / check: %.2f of the CPU time (2), %.2f of the memory (1.5)\n",
           run.seconds / check.seconds, run.megabytes / check.megabytes);
    unlink(path);
    return 0;
}
