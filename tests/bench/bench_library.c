/*
 * bench_library: what one timing costs a program that calls libtakt ten thousand times, beside one
 * `takt --help`, the least that a process costs.
 *
 * A call opens a program of 200 lines for a machine that is set up, runs it without values, reads
 * the total and closes it. Medians, of calls and processes in turns; wall time.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/takt.h"
#include "tests/bench/bench.h"

enum { LINES = 200, ROUNDS = 101, CALLS = 20 };

static void check(enum takt_status status, const struct takt_error *error)
{
    if (status == TAKT_FINE)
        return;
    fprintf(stderr, "%s\n", error->text);
    exit(1);
}

/* A kernel of transfers, arithmetic and waits, all of it legal and read by somebody. */
static char *make_text(void)
{
    char *text = malloc(LINES * 80), *at = text;
    for (int i = 0; text && i < LINES; i++) {
        const int kernel = i / 20 % 8;
        switch (i % 20) {
        case 0:
            at += sprintf(at, "mvp/n256i%02x $d%d@0 $lc%d@0.0\n", 1 + kernel, 64 * kernel,
                          64 * kernel);
            break;
        case 19:
            at += sprintf(at, "nop; wait i%02x\n", 1 + kernel);
            break;
        case 9:
            at += sprintf(at, "nop/4\n");
            break;
        default:
            at += sprintf(at, "fvfma $lm%dv $lr%dv $mauf $ln%dv; lpassa $ls%dv $nowrite\n",
                          8 * (i % 20), 8 * kernel, 8 * (i % 20), 8 * kernel);
        }
    }
    return text;
}

static double seconds(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

static double time_process(const char *takt)
{
    extern char **environ;
    char help[] = "--help", *argv[] = {(char *)(uintptr_t)takt, help, NULL};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    const double start = seconds();
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, takt, &quiet, NULL, argv, environ) != 0 ||
        waitpid(child, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "%s --help failed\n", takt);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&quiet);
    return seconds() - start;
}

static double time_call(struct takt_machine *machine, const struct takt_text *text, unsigned flags,
                        uint64_t *cycles)
{
    const struct takt_options options = {.size = sizeof options, .flags = flags};
    struct takt_error error;
    struct takt_program *program;
    struct takt_run *run;
    const double start = seconds();
    check(takt_program_open(&program, machine, text, 1, &error), &error);
    check(takt_run_open(&run, program, &options, &error), &error);
    check(takt_run_advance(run, 0, &error), &error);
    *cycles = takt_run_totals(run)->cycles;
    takt_run_close(run);
    takt_program_close(program);
    return seconds() - start;
}

static double time_machine(void)
{
    struct takt_machine *machine;
    struct takt_error error;
    const double start = seconds();
    check(takt_machine_open(&machine, "mncore2", &error), &error);
    takt_machine_close(machine);
    return seconds() - start;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return values[count / 2];
}

int main(void)
{
    static const struct {
        const char *name;
        unsigned flags;
    } kinds[] = {{"total", 0},
                 {"and statements, transfers", TAKT_STATEMENTS | TAKT_TRANSFERS},
                 {"and range", TAKT_RANGE},
                 {"and bounds", TAKT_BOUNDS},
                 {"and verdict", TAKT_VERDICT}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    static double process[ROUNDS], machines[ROUNDS], calls[KINDS][ROUNDS * CALLS];
    const char *takt = getenv("TAKT") ? getenv("TAKT") : "build/takt";
    char *source = make_text();
    if (!source)
        return 3;
    const struct takt_text text = {"kernel.vsm", source, strlen(source)};
    struct takt_machine *machine;
    struct takt_error error;
    uint64_t cycles = 0;
    check(takt_machine_open(&machine, "mncore2", &error), &error);
    for (size_t round = 0; round < ROUNDS; round++) {
        process[round] = time_process(takt);
        machines[round] = time_machine();
        for (size_t k = 0; k < KINDS; k++)
            for (size_t i = 0; i < (k < 2 ? CALLS : 1); i++)
                calls[k][round * (k < 2 ? CALLS : 1) + i] =
                    time_call(machine, &text, kinds[k].flags, &cycles);
    }
    const double help = median(process, ROUNDS);
    printf("%d lines, %llu cycles; medians\n", LINES, (unsigned long long)cycles);
    printf("  %-32s %8.3f ms\n", "takt --help, a process", 1e3 * help);
    const double setup = median(machines, ROUNDS);
    printf("  %-32s %8.3f ms  %6.2f of the process\n", "machine, once", 1e3 * setup, setup / help);
    for (size_t k = 0; k < KINDS; k++) {
        const double call = median(calls[k], ROUNDS * (k < 2 ? CALLS : 1));
        printf("  call: %-26s %8.3f ms  %6.2f of the process\n", kinds[k].name, 1e3 * call,
               call / help);
    }
    takt_machine_close(machine);
    free(source);
    return 0;
}
