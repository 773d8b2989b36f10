/*
 * bench_trace: what recording costs, beside the same run that records nothing, and the bytes of an
 * interval in each form, beside plain rows.
 *
 *   bench_trace [STEPS]      straight-line VLIW code with transfers and waits, timing only
 *
 * "whole run" is reading and checking the program and timing it, as takt run --timing-only does;
 * the percentages are against that.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "timing/machine.h"
#include "traces/recorder.h"
#include "traces/trace.h"

/* Processor time, so that neighbours on the machine count less. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

enum { LINE = 160, REPEATS = 3 };

/* Kernels of a few statements around transfers, as real programs are; irregular: addresses that do
 * not repeat, and gaps that do not either. */
static char *make_text(size_t lines, bool irregular)
{
    char *text = malloc(lines * LINE + 1), *at = text;
    if (!text) {
        abort();
    }
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < lines; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const unsigned a = irregular ? (unsigned)(state >> 33) % 400 : (unsigned)(i % 3);
        const unsigned g = (unsigned)(i / 40 % 4);
        if (i % 40 == 0) {
            at += snprintf(at, LINE, "mvp/n256i%02x $d%u@%u $lc%u@%u.0\n", 1 + g, 64 * a, g, 64 * a,
                           g);
        } else if (i % 40 == 39) {
            at += snprintf(at, LINE, "nop; wait i%02x\n", 1 + (g + 1) % 4);
        } else if (irregular && (state >> 20) % 5 == 0) {
            at += snprintf(at, LINE, "nop/%u\n", 1 + (unsigned)(state >> 40) % 4);
        } else {
            at += snprintf(at, LINE,
                           "fvfma $lm%uv $lr%uv $mauf $ls%uv; lpassa $ln%uv $nowrite; "
                           "l1bmm $lb%u $nowrite\n",
                           8 * a, 8 * a % 480, 8 * a % 480, 8 * a, 16 * a);
        }
    }
    return text;
}

/* Takes everything and keeps nothing, so that the model does all it does for a recorder. */
static int take_header(void *self, const struct sink_header *header)
{
    (void)self, (void)header;
    return 0;
}

static int take_transfer(void *self, const struct sink_transfer *transfer)
{
    (void)self, (void)transfer;
    return 0;
}

static int take_edge(void *self, const struct sink_edge *edge)
{
    (void)self, (void)edge;
    return 0;
}

static int take_summary(void *self, const struct sink_summary *summary)
{
    (void)self, (void)summary;
    return 0;
}

static const struct sink_ops taker = {.name = "taker",
                                      .begin = take_header,
                                      .transfer = take_transfer,
                                      .edge = take_edge,
                                      .finish = take_summary};

enum form { FORM_NULL, FORM_MEMORY, FORM_FILE, FORM_CHUNKS, FORM_ROWS };

static double run_once(const char *text, enum form form, const char *path)
{
    const struct machine *machine = &machine_mncore2;
    struct source source;
    struct diag_list diags;
    struct machine_program *program;
    struct machine_run *run;
    struct config config;
    struct recorder *recorder = NULL;
    char error[MACHINE_ERROR];
    struct sink sink = {.ops = &taker};
    const struct run_options options = {.timing_only = true, .threads = 1, .command = "bench"};
    const double start = now();
    if (form != FORM_NULL) {
        const struct recorder_options recording = {.detail = form == FORM_CHUNKS ? DETAIL_CHUNKS
                                                                                 : DETAIL_TOTALS,
                                                   .window_to = form == FORM_ROWS ? UINT64_MAX : 0};
        unlink(path);
        if (recorder_open(&recorder, form == FORM_MEMORY ? NULL : path, &recording, error,
                          sizeof error)) {
            fprintf(stderr, "%s\n", error);
            exit(3);
        }
        sink = recorder_sink(recorder);
    }
    diag_list_init(&diags);
    if (source_from_text(&source, "bench.vsm", text, strlen(text)) ||
        machine_config(machine, &config, error, sizeof error) ||
        machine->load(&program, &source, 1, &diags) ||
        machine->check(program, &config, NULL, &diags) ||
        machine->open(&run, program, &config, &options, &sink, &diags, error)) {
        fprintf(stderr, "the program could not be run\n");
        diag_print(&diags, &source, 1, stderr, false);
        exit(1);
    }
    enum run_status status;
    while ((status = machine->advance(run, 1000000, &diags, error)) == RUN_MORE) {
    }
    if (status != RUN_DONE) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    machine->close(run);
    if (recorder && recorder_close(recorder, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(3);
    }
    const double end = now();
    machine->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return end - start;
}

static double best_of(const char *text, enum form form, const char *path)
{
    double best = run_once(text, form, path);
    for (int i = 1; i < REPEATS; i++) {
        const double time = run_once(text, form, path);
        best = time < best ? time : best;
    }
    return best;
}

static long long ask(const char *path, const char *sql)
{
    sqlite3 *db;
    char error[600];
    if (trace_open(&db, path, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(3);
    }
    const long long value = trace_value(db, sql, 0, 0, 0);
    sqlite3_close(db);
    return value;
}

static void measure(const char *name, size_t lines, bool irregular)
{
    char folder[] = "/tmp/takt-bench-XXXXXX", path[64];
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(3);
    }
    snprintf(path, sizeof path, "%s/k.db", folder);
    char *text = make_text(lines, irregular);
    const double base = best_of(text, FORM_NULL, path);
    printf("%s, %zu lines\n  %-30s %7.3f s whole run\n", name, lines, "nothing recorded", base);
    static const struct {
        enum form form;
        const char *name;
    } forms[] = {{FORM_MEMORY, "totals in memory (no --trace)"},
                 {FORM_FILE, "totals in a file"},
                 {FORM_CHUNKS, "and intervals, packed"},
                 {FORM_ROWS, "and intervals, plain rows"}};
    long long intervals = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const double time = best_of(text, forms[i].form, path);
        printf("  %-30s %7.3f s %+7.1f %%", forms[i].name, time, 100 * (time - base) / base);
        struct stat st;
        if (forms[i].form != FORM_MEMORY && !stat(path, &st)) {
            printf("  %8.2f MB", (double)st.st_size * 1e-6);
        }
        if (forms[i].form == FORM_CHUNKS) {
            intervals = ask(path, "SELECT sum(count) FROM slice_chunk");
            printf("  %lld intervals, %.3f bytes each", intervals,
                   (double)ask(path, "SELECT sum(length(data)) FROM slice_chunk") /
                       (double)(intervals ? intervals : 1));
        } else if (forms[i].form == FORM_ROWS) {
            printf("  %.1f bytes each",
                   (double)ask(path, "SELECT sum(pgsize) FROM dbstat WHERE name = 'slice_row'") /
                       (double)(intervals ? intervals : 1));
        }
        putchar('\n');
    }
    free(text);
    unlink(path);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    const size_t lines = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
    measure("regular", lines, false);
    measure("irregular", lines, true);
    return 0;
}
