/*
 * bench_timing: steps a second of the timing model alone (no values), on one core, beside what
 * llvm-mca does on a block of comparable length where it is installed.
 *
 *   bench_timing [STEPS]      straight-line VLIW code: few and all different statements, with
 *                             transfers and waits, nop runs, a repeated kernel, the interlock
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tests/bench/dice.h"
#include "timing/machines.h"
#include "timing/run.h"

enum { LINE = 160 };

/* A step that keeps five units busy. */
static int vliw(char *line, unsigned range)
{
    return snprintf(
        line, LINE,
        "fvfma $lm%uv $lr%uv $mauf $ls%uv; lpassa $ln%uv $lr%uv; l1bmm $lb%u $nowrite\n",
        8 * pick(range), 8 * pick(range) % 480, 8 * pick(range) % 480, 8 * pick(range),
        8 * pick(range) % 480, 16 * pick(range));
}

static int few(char *line, size_t step)
{
    (void)step;
    return vliw(line, 3);
}

static int different(char *line, size_t step)
{
    (void)step;
    return vliw(line, 500);
}

static int with_transfers(char *line, size_t step)
{
    const unsigned g = (unsigned)(step / 40 % 4);
    if (step % 40 == 0)
        return snprintf(line, LINE, "mvp/n256i%02x $d%u@%u $lc%u@%u.0\n", 1 + g, 64 * pick(4096), g,
                        64 * pick(500), g);
    if (step % 40 == 39)
        return snprintf(line, LINE, "nop; wait i%02x\n", 1 + (g + 1) % 4);
    return vliw(line, 3);
}

static int nops(char *line, size_t step)
{
    return step % 2 ? snprintf(line, LINE, "nop/9\n") : vliw(line, 3);
}

static int kernel(char *line, size_t step)
{
    state = BENCH_SEED + step % 1000;
    for (unsigned i = 0; i < 4; i++)
        pick(2);
    return vliw(line, 500);
}

/* 100 lines again and again: two transfers, of which the second waits for the first's PDM port. */
static int loop_of_transfers(char *line, size_t step)
{
    state = BENCH_SEED + step % 100;
    switch (step % 100) {
    case 0:
        return snprintf(line, LINE, "mvp/n1024i01 $p0@0 $lc0@0.0\n");
    case 1:
        return snprintf(line, LINE, "mvp/n1024i02 $p8192@0 $lc4096@0.1\n");
    case 60:
        return snprintf(line, LINE, "nop; wait i01\n");
    case 99:
        return snprintf(line, LINE, "nop; wait i02\n");
    default:
        return vliw(line, 3);
    }
}

/* The same from and to DRAM. */
static int loop_over_dram(char *line, size_t step)
{
    switch (step % 100) {
    case 0:
        return snprintf(line, LINE, "mvp/n1024i01 $d0@0 $lc0@0.0\n");
    case 1:
        return snprintf(line, LINE, "mvp/n1024i02 $lc8192@1.0 $d65536@1\n");
    default:
        return loop_of_transfers(line, step);
    }
}

static uint64_t seen_cycles, seen_steps;
static double mca_rate; /* instructions a second of llvm-mca; 0: it is not installed */

static int finish(void *context, const struct sink_summary *summary)
{
    (void)context;
    seen_cycles = summary->cycles;
    seen_steps = summary->counters[0].value; /* counter.def: steps come first */
    return 0;
}

static const struct sink_ops null_ops = {.name = "null", .finish = finish};

static void measure(const char *name, int (*line)(char *, size_t), size_t lines,
                    const struct run_options *options)
{
    const struct machine *machine = &machine_mncore2;
    char *text = malloc(lines * LINE + 1);
    if (!text)
        abort();
    char *at = text;
    *at = '\0';
    state = BENCH_SEED;
    for (size_t i = 0; i < lines; i++)
        at += line(at, i);
    struct source source;
    struct diag_list diags;
    struct machine_program *program;
    struct config config;
    char error[MACHINE_ERROR];
    if (source_from_text(&source, name, text, (size_t)(at - text)) != 0)
        abort();
    free(text);
    diag_list_init(&diags);
    if (machine_config(machine, &config, error, sizeof error) != 0)
        abort();
    const double start = bench_cpu();
    if (machine->language->load(&program, &source, 1, &diags) != 0) {
        diag_print(&diags, &source, 1, stdout, false);
        exit(1);
    }
    const double parsed = bench_cpu();
    const struct sink sink = {&null_ops, NULL};
    const struct run_setup setup = {program, &config, options, &sink};
    struct machine_run *run;
    if (run_open(&run, machine, &setup, &diags, error) != 0) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    const double opened = bench_cpu();
    while (run_advance(run, 1000000, &diags, error) == RUN_MORE)
        continue;
    const double end = bench_cpu();
    run_close(run);
    printf("%-34s %9zu lines %10llu steps  parse %5.2f s  open %5.3f s  run %6.3f s  "
           "%7.1f M steps/s\n",
           name, lines, (unsigned long long)seen_steps, parsed - start, opened - parsed,
           end - opened, (double)seen_steps / (end - parsed) * 1e-6);
    if (mca_rate > 0)
        printf("%-34s %.1f times llvm-mca's instructions a second, %.1f times with parsing\n", "",
               (double)lines / (end - parsed) / mca_rate, (double)lines / (end - start) / mca_rate);
    machine->language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
}

/* Instructions a second of llvm-mca on a block of 1,000 x86 instructions, 100 iterations. */
static void llvm_mca(void)
{
    if (system("command -v llvm-mca >/dev/null 2>&1") != 0) {
        printf("llvm-mca is not installed\n");
        return;
    }
    char path[] = "/tmp/takt-mca-XXXXXX";
    const int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file)
        return;
    for (unsigned i = 0; i < 1000; i++)
        fprintf(file,
                i % 3 ? "vfmadd231ps %%ymm%u, %%ymm%u, %%ymm%u\n" : "vmovaps %%ymm%u, %%ymm%u\n",
                i % 7, 7 + i % 5, 12 + i % 4);
    fclose(file);
    char command[200];
    snprintf(command, sizeof command, "llvm-mca -mcpu=skylake -iterations=100 %s >/dev/null 2>&1",
             path);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const int status = system(command);
    clock_gettime(CLOCK_MONOTONIC, &end);
    remove(path);
    const double took =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    if (status == 0)
        mca_rate = 100000 / took;
    if (status == 0)
        printf("%-34s %9u instructions, %.2f s wall: %.2f M instructions/s\n", "llvm-mca", 100000u,
               took, 0.1 / took);
}

int main(int argc, char **argv)
{
    const size_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    static const struct machine_setting plain[] = {{"packing", "none"}, {NULL, NULL}};
    static const struct machine_setting automatic[] = {{"packing", "auto"}, {NULL, NULL}};
    static const struct machine_setting stalls[] = {
        {"packing", "none"}, {"interlock", ""}, {NULL, NULL}};
    static const struct run_options none = {.settings = plain, .timing_only = true};
    static const struct run_options packed = {.settings = automatic, .timing_only = true};
    static const struct run_options interlock = {.settings = stalls, .timing_only = true};
    llvm_mca();
    measure("few statements", few, steps, &none);
    measure("few statements, packed", few, steps, &packed);
    measure("all different", different, steps, &none);
    measure("a transfer every 40 lines", with_transfers, steps, &packed);
    measure("nop/9 every second line", nops, steps, &packed);
    measure("kernel of 1000 lines, repeated", kernel, steps, &packed);
    measure("loop with transfers", loop_of_transfers, steps, &packed);
    measure("loop over DRAM", loop_over_dram, steps, &packed);
    measure("few statements, --interlock", few, steps, &interlock);
    return 0;
}
