/*
 * bench_batch: programs a second and core of `takt batch`, beside the same programs by one process
 * of `takt run` each. Programs of 20 lines, no two alike, as lines of JSON in a file.
 *
 * Cores are counted by processor time, the system's included, of the command and its processes.
 */
#include "tests/bench/bench_process.h"

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

static void print(const char *name, int count, struct bench_process took)
{
    printf("  %-32s %8.0f programs a second and core, %8.0f a second\n", name, count / took.cpu,
           count / took.wall);
}

int main(void)
{
    char folder[] = "/tmp/takt-bench-XXXXXX", lines[64], program[64];
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
    const char *const alone[] = {"run",   "--quiet", "--timing-only", "--silence", "all",
                                 program, NULL};
    printf("%d programs of %d lines\n", PROGRAMS, LINES);
    struct bench_process sum = {0, 0};
    for (int i = 0; i < ALONE; i++) {
        const struct bench_process took = bench_run(alone, "/dev/null");
        sum.cpu += took.cpu;
        sum.wall += took.wall;
    }
    print("takt run, a process each", ALONE, sum);
    print("takt batch --jobs 1", PROGRAMS,
          bench_run((const char *const[]){"batch", "--jobs", "1", NULL}, lines));
    print("takt batch --jobs 2", PROGRAMS,
          bench_run((const char *const[]){"batch", "--jobs", "2", NULL}, lines));
    unlink(lines);
    unlink(program);
    rmdir(folder);
    return 0;
}
