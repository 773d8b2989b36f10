/*
 * bench_batch: programs a second and core of `takt batch`, beside the same programs by one process
 * of `takt run` each. Programs of 20 lines, no two alike, as lines of JSON in a file.
 *
 * Cores are counted by processor time, the system's included, of the command and its processes.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum { PROGRAMS = 4000, ALONE = 60, LINES = 20 };

static void write_program(FILE *out, int number, const char *end)
{
    for (int i = 0; i < LINES; i++) {
        if (i % 5 == 4)
            fprintf(out, "nop/%d%s", 1 + (number >> 2 * (i / 5)) % 4, end);
        else
            fprintf(out, "fvfma $lm%dv $lr%dv $mauf $ln%dv%s", 8 * i, 8 * (number % 30), 8 * i,
                    end);
    }
}

/* Processor and wall seconds of a command that reads `input`. */
static double run(const char *takt, char *const *argv, const char *input, double *wall)
{
    extern char **environ;
    posix_spawn_file_actions_t files;
    struct rusage before, after;
    pid_t child;
    int status = 1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    getrusage(RUSAGE_CHILDREN, &before);
    const double start = bench_clock(CLOCK_MONOTONIC);
    if (posix_spawn(&child, takt, &files, NULL, argv, environ) != 0 ||
        waitpid(child, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "%s %s failed\n", takt, argv[1]);
        exit(1);
    }
    *wall += bench_clock(CLOCK_MONOTONIC) - start;
    getrusage(RUSAGE_CHILDREN, &after);
    posix_spawn_file_actions_destroy(&files);
    const struct timeval *const times[] = {&after.ru_utime, &after.ru_stime, &before.ru_utime,
                                           &before.ru_stime};
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (i < 2 ? 1 : -1) * ((double)times[i]->tv_sec + 1e-6 * (double)times[i]->tv_usec);
    return sum;
}

static void print(const char *name, int count, double cpu, double wall)
{
    printf("  %-32s %8.0f programs a second and core, %8.0f a second\n", name, count / cpu,
           count / wall);
}

int main(void)
{
    char folder[] = "/tmp/takt-bench-XXXXXX", lines[64], program[64];
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    if (!mkdtemp(folder))
        return 3;
    snprintf(lines, sizeof lines, "%s/lines", folder);
    snprintf(program, sizeof program, "%s/k.vsm", folder);
    FILE *out = fopen(lines, "w");
    for (int i = 0; out && i < PROGRAMS; i++) {
        fputs("{\"text\":\"", out);
        write_program(out, i, "\\n");
        fputs("\"}\n", out);
    }
    FILE *one = fopen(program, "w");
    if (!out || !one || fclose(out) != 0)
        return 3;
    write_program(one, 0, "\n");
    fclose(one);
    char name[] = "takt", batch[] = "batch", jobs[] = "--jobs", number[] = "1", two[] = "2";
    char command[] = "run", quiet[] = "--quiet", timing[] = "--timing-only", all[] = "all";
    char silence[] = "--silence";
    char *const by_one[] = {name, batch, jobs, number, NULL};
    char *const by_two[] = {name, batch, jobs, two, NULL};
    char *const alone[] = {name, command, quiet, timing, silence, all, program, NULL};
    printf("%d programs of %d lines\n", PROGRAMS, LINES);
    double wall = 0, cpu = 0;
    for (int i = 0; i < ALONE; i++)
        cpu += run(takt, alone, "/dev/null", &wall);
    print("takt run, a process each", ALONE, cpu, wall);
    wall = 0;
    cpu = run(takt, by_one, lines, &wall);
    print("takt batch --jobs 1", PROGRAMS, cpu, wall);
    wall = 0;
    cpu = run(takt, by_two, lines, &wall);
    print("takt batch --jobs 2", PROGRAMS, cpu, wall);
    unlink(lines);
    unlink(program);
    rmdir(folder);
    return 0;
}
