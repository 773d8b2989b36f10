/* bench_process: a command as a process of its own, timed. */
#ifndef TAKT_TESTS_BENCH_BENCH_PROCESS_H
#define TAKT_TESTS_BENCH_BENCH_PROCESS_H

#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

struct bench_process {
    double cpu, wall; /* seconds; cpu of its own processes, too */
};

static inline const char *bench_takt(void)
{
    return getenv("TAKT") ? getenv("TAKT") : "build/takt";
}

/* Of children that have ended. */
static inline double bench_children(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* takt with arguments that end with NULL, which reads `input`; ends this process when it fails. */
static inline struct bench_process bench_run(const char *const *arguments, const char *input)
{
    extern char **environ;
    char *argv[16] = {(char *)(uintptr_t) "takt"};
    for (size_t i = 0; arguments[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    const double cpu = bench_children(), wall = bench_wall();
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, bench_takt(), &files, NULL, argv, environ) != 0 ||
        waitpid(child, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "%s %s failed\n", bench_takt(), argv[1]);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&files);
    return (struct bench_process){bench_children() - cpu, bench_wall() - wall};
}

#endif
