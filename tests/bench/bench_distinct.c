/*
 * bench_distinct: programs as generators write them, every line with other addresses: how fast they
 * are read, checked and timed, each beside a plain count of the lines of the same text.
 *
 *   bench_distinct [LINES [FILE]]     1,000,000 lines; FILE: also write the program there
 *
 * The figures are those of a program in good order, without a warning (tests/bench/distinct.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "functional/mncore2/program.h"
#include "timing/machines.h"
#include "timing/run.h"
#include "tests/bench/bench.h"
#include "tests/bench/distinct.h"

static uint64_t seen_cycles;

static int finish(void *self, const struct sink_summary *summary)
{
    (void)self;
    seen_cycles = summary->cycles;
    return 0;
}

static const struct sink_ops null_ops = {.name = "null", .finish = finish};

static double counted; /* seconds of the plain line count */

static void print_time(const char *phase, size_t size, size_t items, double seconds)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    static double system_before;
    const double system_now = (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
    printf("%-24s %7.3f s (system %5.3f)  %8.1f MB/s  %6.2f M statements/s  %6.1fx the line count  "
           "peak %ld MB\n",
           phase, seconds, system_now - system_before, (double)size / seconds / 1e6,
           (double)items / seconds / 1e6, seconds / counted, usage.ru_maxrss / 1024);
    system_before = system_now;
}

static void fail(const struct diag_list *diags, const struct source *source, const char *error)
{
    diag_print(diags, source, 1, stderr, false);
    fprintf(stderr, "%s\n", error);
    exit(1);
}

int main(int argc, char **argv)
{
    const size_t lines = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    size_t size = 0;
    char *text = distinct_text(lines, 0, &size), error[MACHINE_ERROR] = "";
    struct source source;
    if (text == NULL || source_from_text(&source, "distinct.vsm", text, size) != 0)
        return 1;
    if (argc > 2) {
        FILE *file = fopen(argv[2], "w");
        if (file == NULL || fwrite(text, 1, size, file) != size || fclose(file) != 0) {
            perror(argv[2]);
            return 1;
        }
    }
    free(text);

    double start = bench_cpu();
    size_t items = 0;
    for (const char *p = source.text, *end = p + size;
         p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        items++;
    counted = bench_cpu() - start;
    printf("%zu lines, nearly all distinct, %.1f MB\n", items, (double)size / 1e6);
    print_time("plain line count", size, items, counted);

    const struct machine *machine = &machine_mncore2;
    struct config config;
    struct machine_program *program;
    struct diag_list diags;
    diag_list_init(&diags);
    if (machine_config(machine, &config, error, sizeof error) != 0)
        fail(&diags, &source, error);
    start = bench_cpu();
    if (machine->language->load(&program, &source, 1, &diags) != 0)
        fail(&diags, &source, "");
    const double parsed = bench_cpu() - start;
    print_time("parse", size, items, parsed);

    static const struct machine_setting settings[] = {{"packing", "none"}, {NULL, NULL}};
    const struct run_options options = {.settings = settings, .timing_only = true};
    const struct sink sink = {&null_ops, NULL};
    const struct run_setup setup = {program, &config, &options, &sink};
    struct machine_run *run;
    start = bench_cpu();
    if (run_open(&run, machine, &setup, &diags, error) != 0)
        fail(&diags, &source, error);
    const double opened = bench_cpu() - start;
    print_time("run --timing-only: open", size, items, opened);
    enum run_status status;
    start = bench_cpu();
    while ((status = run_advance(run, 1000000, &diags, error)) == RUN_MORE)
        continue;
    if (status != RUN_DONE)
        fail(&diags, &source, error);
    const double ran = bench_cpu() - start;
    print_time("run --timing-only: steps", size, items, ran);
    print_time("  both", size, items, opened + ran);
    start = bench_cpu();
    run_close(run);
    print_time("  close", size, items, bench_cpu() - start);

    start = bench_cpu();
    if (machine->language->check(program, &config, NULL, &diags) != 0 || diags.warnings > 0)
        fail(&diags, &source, "");
    const double checked = bench_cpu() - start;
    print_time("check", size, items, checked);
    print_time("parse + check", size, items, parsed + checked);
    start = bench_cpu();
    machine->language->unload(program);
    print_time("unload", size, items, bench_cpu() - start);
    printf("%llu cycles\n", (unsigned long long)seen_cycles);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return 0;
}
