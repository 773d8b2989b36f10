/*
 * bench_library: what one timing of a program of 200 lines costs those who ask for ten thousand: as
 * a process, in takt batch, by libtakt and by its Python package, beside one `takt --help`, the
 * least that a process costs.
 *
 * A call opens the program for a machine that is set up, runs it without values, reads the total
 * and closes it. Medians of rounds in which everything has its turn; processor time, the system's
 * included.
 */
#include <string.h>

#include "include/takt.h"
#include "tests/bench/bench_process.h"

enum { LINES = 200, ROUNDS = 101, CALLS = 20, BATCHES = 5, JOBS = 400 };

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

/* The program as a file, and as so many jobs of takt batch. */
static void write_files(const char *program, const char *jobs, const char *text)
{
    FILE *file = fopen(program, "w"), *list = fopen(jobs, "w");
    if (!file || !list || fputs(text, file) < 0 || fclose(file) != 0)
        exit(3);
    for (int i = 0; i < JOBS; i++)
        fprintf(list, "%s\n", program);
    if (fclose(list) != 0)
        exit(3);
}

static double time_call(struct takt_machine *machine, const struct takt_text *text, unsigned flags,
                        uint64_t *cycles)
{
    const struct takt_options options = {.size = sizeof options, .flags = flags};
    struct takt_error error;
    struct takt_program *program;
    struct takt_run *run;
    const double start = bench_cpu();
    check(takt_program_open(&program, machine, text, 1, &error), &error);
    check(takt_run_open(&run, program, &options, &error), &error);
    check(takt_run_advance(run, 0, &error), &error);
    *cycles = takt_run_totals(run)->cycles;
    takt_run_close(run);
    takt_program_close(program);
    return bench_cpu() - start;
}

static double time_machine(void)
{
    struct takt_machine *machine;
    struct takt_error error;
    const double start = bench_cpu();
    check(takt_machine_open(&machine, "mncore2", &error), &error);
    takt_machine_close(machine);
    return bench_cpu() - start;
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

static void print(const char *name, double time, double help)
{
    printf("  %-34s %8.3f ms  %6.2f of takt --help\n", name, 1e3 * time, time / help);
}

/* Seconds of a call from Python, by its own clock; 0 where BENCH_PYTHON names no interpreter. */
static double time_python(const char *program)
{
    const char *python = getenv("BENCH_PYTHON");
    char line[300];
    double time = 0;
    if (!python)
        return 0;
    snprintf(line, sizeof line, "%s tests/bench/call.py %s", python, program);
    FILE *said = popen(line, "r");
    if (!said || fscanf(said, "%lf", &time) != 1 || pclose(said) != 0)
        exit(1);
    return time;
}

int main(void)
{
    static const struct {
        const char *name;
        unsigned flags;
        size_t calls;
    } kinds[] = {{"library", 0, CALLS},
                 {"library, statements and transfers", TAKT_STATEMENTS | TAKT_TRANSFERS, CALLS},
                 {"library, range", TAKT_RANGE, 1},
                 {"library, bounds", TAKT_BOUNDS, 1},
                 {"library, verdict", TAKT_VERDICT, 1}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    static double help[ROUNDS], run[ROUNDS], setup[ROUNDS], calls[KINDS][ROUNDS * CALLS];
    static double batches[BATCHES], pythons[BATCHES];
    char folder[] = "/tmp/takt-bench-XXXXXX", program[64], jobs[64];
    char *source = make_text();
    if (!source || !mkdtemp(folder))
        return 3;
    snprintf(program, sizeof program, "%s/kernel.vsm", folder);
    snprintf(jobs, sizeof jobs, "%s/jobs", folder);
    write_files(program, jobs, source);
    const struct takt_text text = {"kernel.vsm", source, strlen(source)};
    const char *const ask_help[] = {"--help", NULL};
    const char *const ask_batch[] = {"batch", "--jobs", "1", "--list", jobs, NULL};
    const char *const ask_run[] = {"run",   "--quiet", "--timing-only", "--silence", "all",
                                   program, NULL};
    struct takt_machine *machine;
    struct takt_error error;
    uint64_t cycles = 0;
    check(takt_machine_open(&machine, "mncore2", &error), &error);
    for (size_t round = 0; round < ROUNDS; round++) {
        help[round] = bench_run(ask_help, "/dev/null").cpu;
        run[round] = bench_run(ask_run, "/dev/null").cpu;
        setup[round] = time_machine();
        for (size_t k = 0; k < KINDS; k++)
            for (size_t i = 0; i < kinds[k].calls; i++)
                calls[k][round * kinds[k].calls + i] =
                    time_call(machine, &text, kinds[k].flags, &cycles);
        if (round % (ROUNDS / BATCHES) == 0 && round / (ROUNDS / BATCHES) < BATCHES) {
            batches[round / (ROUNDS / BATCHES)] = bench_run(ask_batch, "/dev/null").cpu / JOBS;
            pythons[round / (ROUNDS / BATCHES)] = time_python(program);
        }
    }
    const double process = median(help, ROUNDS);
    printf("%d lines, %llu cycles; medians of processor time\n", LINES, (unsigned long long)cycles);
    print("takt --help, a process", process, process);
    print("takt run --timing-only, a process", median(run, ROUNDS), process);
    print("takt batch, a program and core", median(batches, BATCHES), process);
    if (getenv("BENCH_PYTHON"))
        print("Python, takt.run(text).cycles", median(pythons, BATCHES), process);
    for (size_t k = 0; k < KINDS; k++)
        print(kinds[k].name, median(calls[k], ROUNDS * kinds[k].calls), process);
    print("library, a machine, once", median(setup, ROUNDS), process);
    takt_machine_close(machine);
    free(source);
    unlink(program);
    unlink(jobs);
    rmdir(folder);
    return 0;
}
