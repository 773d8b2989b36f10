/*
 * bench_trace: what recording costs, beside the same run that records nothing, and the bytes of an
 * interval in each form.
 *
 *   bench_trace [LINES [CASE [FORM]]]    straight-line VLIW code with transfers and waits, timing
 * only; 200,000 lines when none are said
 *
 *   CASE  regular    few distinct lines in a rhythm
 *         irregular  few hundred distinct lines, written nops of no rhythm
 *         distinct   nearly every line with other addresses, as generators write them
 *         equal      the same with values, which are those of one MAB in all
 *         values     the same with values of each MAB, a twentieth of the lines
 *   FORM  of those below, by number, or several: 13
 *
 * "whole run" is reading and checking the program and timing it, as takt run --timing-only does;
 * "timing" is the run by itself. The percentages are against the run that reports as much and
 * records nothing: the best round beside the best one. A round is a run of each form, each time
 * another one first.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "functional/mncore2/program.h"
#include "timing/machines.h"
#include "timing/run.h"
#include "traces/recorder.h"
#include "traces/rows.h"
#include "traces/trace.h"
#include "tests/bench/bench.h"
#include "tests/bench/distinct.h"

/* Seconds of the whole run, and of it from the begin of its time on. */
struct cost {
    double whole, timing;
};

enum { LINE = 160, REPEATS = 7, ROWS_REPEATS = 2 };

/* Kernels of a few statements around transfers; irregular: addresses that do not repeat, and gaps
 * that do not either. */
static char *make_text(size_t lines, bool irregular)
{
    char *text = malloc(lines * LINE + 1), *at = text;
    if (!text)
        abort();
    for (size_t i = 0; i < lines; i++) {
        draw();
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

enum kind { KIND_REGULAR, KIND_IRREGULAR, KIND_DISTINCT, KIND_EQUAL, KIND_VALUES };
enum form { FORM_BARE, FORM_NULL, FORM_MEMORY, FORM_FILE, FORM_CHUNKS, FORM_ROWS, FORM_COUNT };

static int drop_header(void *context, const struct sink_header *header)
{
    (void)context;
    (void)header;
    return 0;
}

static int drop_transfer(void *context, const struct sink_transfer *transfer)
{
    (void)context;
    (void)transfer;
    return 0;
}

static int drop_edge(void *context, const struct sink_edge *edge)
{
    (void)context;
    (void)edge;
    return 0;
}

static int drop_warning(void *context, const struct sink_warning *warning)
{
    (void)context;
    (void)warning;
    return 0;
}

static int drop_summary(void *context, const struct sink_summary *summary)
{
    (void)context;
    (void)summary;
    return 0;
}

/* What totals are made of comes, and what costs a run for it has been done; nothing is kept. */
static const struct sink_ops drop = {.name = "drop",
                                     .begin = drop_header,
                                     .transfer = drop_transfer,
                                     .edge = drop_edge,
                                     .warning = drop_warning,
                                     .finish = drop_summary};

static struct cost run_once(const char *text, enum kind kind, enum form form, const char *path)
{
    const struct machine *machine = &machine_mncore2;
    struct source source;
    struct diag_list diags;
    struct machine_program *program;
    struct machine_run *run;
    struct config config;
    struct recorder *recorder = NULL;
    char error[MACHINE_ERROR];
    static const struct sink_ops none = {.name = "none"};
    struct sink sink = {.ops = form == FORM_BARE ? &none : &drop};
    const struct run_options options = {.timing_only = kind < KIND_EQUAL,
                                        .init = kind == KIND_VALUES ? "random:1" : NULL,
                                        .threads = 1,
                                        .command = "bench"};
    unlink(path);
    const double start = bench_cpu();
    diag_list_init(&diags);
    if (source_from_text(&source, "bench.vsm", text, strlen(text)) ||
        machine_config(machine, &config, error, sizeof error) ||
        machine->language->load(&program, &source, 1, &diags)) {
        fprintf(stderr, "the program could not be read\n");
        exit(1);
    }
    if (machine->language->check(program, &config, NULL, &diags)) {
        fprintf(stderr, "the program is not legal\n");
        exit(1);
    }
    const double begin = bench_cpu();
    if (form >= FORM_MEMORY) {
        const struct recorder_options recording = {.intervals = form == FORM_CHUNKS,
                                                   .window_to = form == FORM_ROWS ? INT64_MAX : 0};
        if (recorder_open(&recorder, form == FORM_MEMORY ? NULL : path, &recording, error,
                          sizeof error)) {
            fprintf(stderr, "%s\n", error);
            exit(3);
        }
        sink = recorder_sink(recorder);
    }
    const struct run_setup setup = {program, &config, &options, &sink};
    if (run_open(&run, machine, &setup, &diags, error)) {
        fprintf(stderr, "the program could not be run\n");
        diag_print(&diags, &source, 1, stderr, false);
        exit(1);
    }
    enum run_status status;
    while ((status = run_advance(run, 1000000, &diags, error)) == RUN_MORE) {
    }
    if (status != RUN_DONE) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    run_close(run);
    if (recorder && recorder_close(recorder, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(3);
    }
    const double end = bench_cpu();
    machine->language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return (struct cost){end - start, end - begin};
}

/* In a process of its own, as takt runs: each form finds the same fresh memory. */
static struct cost run_apart(const char *text, enum kind kind, enum form form, const char *path)
{
    int ends[2];
    struct cost time;
    fflush(stdout);
    if (pipe(ends)) {
        perror("pipe");
        exit(3);
    }
    const pid_t child = fork();
    if (child == 0) {
        time = run_once(text, kind, form, path);
        _exit(write(ends[1], &time, sizeof time) != sizeof time);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &time, sizeof time) != sizeof time)
        exit(3);
    close(ends[0]);
    waitpid(child, NULL, 0);
    return time;
}

static long long ask(const char *path, const char *sql)
{
    sqlite3 *db;
    char error[600];
    if (trace_open(&db, path, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(3);
    }
    const long long value = rows_value(db, sql, 0, 0, 0);
    sqlite3_close(db);
    return value;
}

static void print_size(const char *path, enum form form, long long *intervals)
{
    struct stat st;
    if (form >= FORM_FILE && !stat(path, &st))
        printf("  %8.2f MB", (double)st.st_size * 1e-6);
    if (form == FORM_CHUNKS) {
        *intervals = ask(path, "SELECT count(*) FROM temp.slice");
        printf("  %lld intervals, %.3f bytes each", *intervals,
               (double)ask(path, "SELECT sum(length(data)) FROM slice_chunk") /
                   (double)(*intervals ? *intervals : 1));
    } else if (form == FORM_ROWS) {
        printf("  %.1f bytes each",
               (double)ask(path, "SELECT sum(pgsize) FROM dbstat WHERE name = 'slice_row'") /
                   (double)(*intervals ? *intervals : 1));
    }
}

/* What the rounds gave, in their order. */
struct measured {
    struct cost times[REPEATS];
    int count;
};

static struct cost best(const struct measured *m)
{
    struct cost least = m->times[0];
    for (int i = 1; i < m->count; i++) {
        least.whole = m->times[i].whole < least.whole ? m->times[i].whole : least.whole;
        least.timing = m->times[i].timing < least.timing ? m->times[i].timing : least.timing;
    }
    return least;
}

static void measure(const char *name, size_t lines, enum kind kind, const char *only)
{
    char folder[] = "/tmp/takt-bench-XXXXXX", path[64];
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(3);
    }
    snprintf(path, sizeof path, "%s/k.db", folder);
    state = BENCH_SEED;
    char *text = kind >= KIND_DISTINCT ? distinct_text(lines, 40, NULL)
                                       : make_text(lines, kind == KIND_IRREGULAR);
    printf("%s, %zu lines, whole run\n", name, lines);
    static const char *const names[] = {
        "nothing reported", "nothing recorded",      "totals in memory (no --trace)",
        "totals in a file", "and intervals, packed", "and intervals, plain rows"};
    struct measured measured[FORM_COUNT] = {{.count = 0}};
    long long intervals = 0;
    /* One round after the other, so that a slow minute is no form's alone. */
    for (int round = 0; round < REPEATS; round++) {
        for (int turn = 0; turn < FORM_COUNT; turn++) {
            /* The last round prints the figures of all. */
            const int form = round == REPEATS - 1 ? turn : (round + turn) % FORM_COUNT;
            if ((only && !strchr(only, '0' + form)) ||
                (kind >= KIND_EQUAL && form != FORM_NULL && form != FORM_FILE) ||
                (form == FORM_ROWS && round < REPEATS - ROWS_REPEATS))
                continue;
            struct measured *m = &measured[form];
            m->times[m->count++] = run_apart(text, kind, (enum form)form, path);
            if (round == REPEATS - 1) {
                const struct cost time = best(m);
                printf("  %-30s whole run %7.3f s, timing %7.3f s", names[form], time.whole,
                       time.timing);
                if (form > FORM_NULL && measured[FORM_NULL].count) {
                    const struct cost none = best(&measured[FORM_NULL]);
                    printf("  whole run %+6.1f %%, of timing %+6.1f %%",
                           100 * (time.whole / none.whole - 1),
                           100 * (time.timing - none.timing) / none.timing);
                }
                print_size(path, (enum form)form, &intervals);
                putchar('\n');
            }
        }
    }
    free(text);
    unlink(path);
    rmdir(folder);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"regular", "irregular", "distinct", "equal", "values"};
    const size_t said = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
    for (int kind = KIND_REGULAR; kind <= KIND_VALUES; kind++)
        if (argc <= 2 || strcmp(argv[2], names[kind]) == 0)
            measure(names[kind], kind == KIND_VALUES ? said / 20 : said, (enum kind)kind,
                    argc > 3 ? argv[3] : NULL);
    return 0;
}
