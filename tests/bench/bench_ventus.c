/*
 * bench_ventus: the measured kernels beside the model: first the error of each kernel with numbers
 * that were fitted without it, then the mean and largest error, order of pairs and ranges.
 *
 *   bench_ventus [KEY=VALUE ...]      the table; parameters laid over the chip file
 *   bench_ventus - [KEY=VALUE ...]    for tests/ventus/fit.py: a line of keys on stdin, a line of
 *                                     cycles on stdout
 *
 * Rows, cases and folds are in tests/ventus/. A fold is a line "KERNEL <tab> KEY=VALUE ...": what
 * was fitted without that kernel.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/machines.h"
#include "timing/ventus/model.h"

enum { ROWS = 128, LINE = 512 };

struct row {
    char config[16], folder[64], kernel[64];
    double measured, modelled, kernel_out; /* modelled with what was fitted without its kernel */
    uint64_t low, high;                    /* the range that takt run prints */
};

static struct row rows[ROWS];
static size_t row_count;
static struct machine_program programs[ROWS];
static struct source sources[ROWS];
static struct machine_run *runs[ROWS];
static struct diag_list diags;

/* The program's run, which is done. */
static bool run_once(size_t i, const struct config *config)
{
    static const struct sink_ops none = {.name = "none"};
    static const struct sink sink = {&none, NULL};
    static const struct run_options options = {.total_only = true};
    const struct run_setup setup = {&programs[i], config, &options, &sink};
    char error[MACHINE_ERROR];
    enum run_status status = RUN_MORE;
    if (run_open(&runs[i], &machine_ventus, &setup, &diags, error) != 0)
        return false;
    while (status == RUN_MORE)
        status = run_advance(runs[i], UINT64_MAX, &diags, error);
    return status == RUN_DONE;
}

/* The folders of a configuration: "4w4t" is also "4x4". */
static bool load_row(const char *root, const struct row *row, size_t i)
{
    char path[512], error[512], other[16];
    snprintf(other, sizeof other, "%cx%c", row->config[0], row->config[2]);
    const char *const folders[] = {row->config, other};
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/tc_%s/softdata/%s/%s.metadata", root, row->folder,
                 folders[k], row->kernel);
        if (source_open(&sources[i], path, error, sizeof error) == 0)
            return ventus_program_load(&programs[i].program, &sources[i], 1, &diags) == 0;
    }
    return false;
}

/* Cycles of all rows: each was run when it was loaded, and is timed again. */
static bool run_all(const struct config *config, double modelled[ROWS])
{
    for (size_t i = 0; i < row_count; i++) {
        uint64_t cycles = 0;
        if (run_again(runs[i], &(struct model_options){.config = config}, &cycles) != 0)
            return false;
        modelled[i] = (double)cycles;
    }
    return true;
}

static bool find_range(size_t i)
{
    struct range range;
    if (run_range(runs[i], 1, &range) != 0)
        return false;
    rows[i].low = range.low;
    rows[i].high = range.high;
    range_free(&range);
    return true;
}

/* Lay the words of a line over the chip file. */
static bool set_all(struct config *config, char *line)
{
    char error[512];
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
        if (config_set(config, word, error, sizeof error) != 0)
            return printf("%s\n", error), false;
    return true;
}

static bool is_of(const struct row *row, const char *kernel)
{
    const size_t length = strlen(kernel);
    return !strncmp(row->kernel, kernel, length) && row->kernel[length] == '_';
}

static bool read_folds(struct config *config)
{
    char line[LINE];
    FILE *file = fopen("tests/ventus/folds.tsv", "r");
    if (!file)
        return false;
    bool fine = true;
    while (fine && fgets(line, sizeof line, file)) {
        double modelled[ROWS] = {0};
        char *keys = strchr(line, '\t');
        if (line[0] == '#' || !keys)
            continue;
        *keys++ = '\0';
        fine = set_all(config, keys) && run_all(config, modelled);
        for (size_t i = 0; i < row_count; i++)
            if (is_of(&rows[i], line))
                rows[i].kernel_out = modelled[i];
    }
    fclose(file);
    return fine;
}

struct score {
    double mean, largest;
    unsigned rows, pairs, kept;
};

/* of: where the modelled cycles are in a row. */
static struct score score_of(size_t of)
{
    struct score s = {0};
    for (size_t i = 0; i < row_count; i++) {
        const double mine = *(const double *)((const char *)&rows[i] + of);
        s.rows++;
        const double error = mine / rows[i].measured - 1, size = error < 0 ? -error : error;
        s.mean += 100 * size;
        s.largest = 100 * size > s.largest ? 100 * size : s.largest;
        for (size_t k = 0; k < i; k++) {
            const double ratio = rows[i].measured / rows[k].measured;
            if (ratio < 1.1 && ratio > 1 / 1.1)
                continue;
            s.pairs++;
            s.kept += (mine > *(const double *)((const char *)&rows[k] + of)) == (ratio > 1);
        }
    }
    s.mean /= s.rows ? s.rows : 1;
    return s;
}

static void print_score(const char *what, size_t of)
{
    const struct score s = score_of(of);
    printf("%-42s %2u rows: mean %4.1f %%, largest %4.1f %%, order kept in %u of %u pairs\n", what,
           s.rows, s.mean, s.largest, s.kept, s.pairs);
}

static void print_table(void)
{
    size_t inside = 0;
    print_score("each kernel, fitted on the others", offsetof(struct row, kernel_out));
    print_score("fitted on all rows", offsetof(struct row, modelled));
    printf("%-6s %-9s %-18s %9s %9s %8s %12s   range\n", "", "", "kernel", "measured", "modelled",
           "error", "kernel out");
    for (size_t i = 0; i < row_count; i++) {
        const struct row *r = &rows[i];
        printf("%-6s %-9s %-18s %9.0f %9.0f %+6.1f %% %+10.1f %%   %" PRIu64 " to %" PRIu64 "\n",
               r->config, r->folder, r->kernel, r->measured, r->modelled,
               100 * (r->modelled / r->measured - 1), 100 * (r->kernel_out / r->measured - 1),
               r->low, r->high);
        inside += r->measured >= (double)r->low && r->measured <= (double)r->high;
    }
    printf("%zu of %zu inside the range; pairs: those that differ by more than 10 %%\n", inside,
           row_count);
}

static bool read_rows(const char *root, const struct config *config)
{
    char line[LINE], command[256];
    snprintf(command, sizeof command, "tar -xzf tests/ventus/cases.tar.gz -C %s", root);
    FILE *file = fopen("tests/ventus/rtl_cycles.tsv", "r");
    if (!file || system(command) != 0)
        return false;
    while (fgets(line, sizeof line, file) && row_count < ROWS) {
        struct row *r = &rows[row_count];
        if (line[0] == '#' ||
            sscanf(line, "%15s %63s %63s %lf", r->config, r->folder, r->kernel, &r->measured) != 4)
            continue;
        if (!load_row(root, r, row_count) || !run_once(row_count, config)) {
            printf("%s %s: no case, or none that ends\n", r->config, r->kernel);
            return false;
        }
        row_count++;
    }
    fclose(file);
    return true;
}

static int answer_fit(struct config *config)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        double modelled[ROWS] = {0};
        if (!set_all(config, line) || !run_all(config, modelled))
            return 1;
        for (size_t i = 0; i < row_count; i++)
            printf("%.0f ", modelled[i]);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}

int main(int count, char **words)
{
    char root[] = "/tmp/takt-ventus-XXXXXX", command[256], error[512];
    struct config config;
    double modelled[ROWS] = {0};
    if (!mkdtemp(root) || machine_config(&machine_ventus, &config, error, sizeof error) != 0)
        return 3;
    diag_list_init(&diags);
    bool fine = read_rows(root, &config);
    const bool fit = count > 1 && !strcmp(words[1], "-");
    for (int i = 1 + fit; i < count && fine; i++)
        fine = set_all(&config, words[i]);
    if (fine && fit) {
        fine = answer_fit(&config) == 0;
    } else if (fine) {
        fine = run_all(&config, modelled);
        for (size_t i = 0; i < row_count; i++)
            fine = fine && find_range(i);
        for (size_t i = 0; i < row_count; i++)
            rows[i].modelled = modelled[i];
        fine = fine && read_folds(&config);
        print_table();
    }
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 || !fine;
}
