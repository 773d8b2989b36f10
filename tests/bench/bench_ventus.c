/*
 * bench_ventus: the measured kernels of the older chip beside the model: mean and largest error,
 * order of pairs and ranges. Three numbers were fitted on these rows: what such a fit predicts of
 * kernels that it has not seen is in make bench-fit.
 *
 *   bench_ventus [KEY=VALUE ...]      the table; parameters laid over the chip file
 *
 * Rows and cases are in tests/ventus/.
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
    double measured, modelled;
    uint64_t low, high; /* the range that takt run prints */
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

struct score {
    double mean, largest;
    unsigned rows, pairs, kept;
};

static struct score score_of_rows(void)
{
    struct score s = {0};
    for (size_t i = 0; i < row_count; i++) {
        const double mine = rows[i].modelled;
        s.rows++;
        const double error = mine / rows[i].measured - 1, size = error < 0 ? -error : error;
        s.mean += 100 * size;
        s.largest = 100 * size > s.largest ? 100 * size : s.largest;
        for (size_t k = 0; k < i; k++) {
            const double ratio = rows[i].measured / rows[k].measured;
            if (ratio < 1.1 && ratio > 1 / 1.1)
                continue;
            s.pairs++;
            s.kept += (mine > rows[k].modelled) == (ratio > 1);
        }
    }
    s.mean /= s.rows ? s.rows : 1;
    return s;
}

static void print_table(void)
{
    size_t inside = 0;
    const struct score s = score_of_rows();
    printf("fitted on all rows: %u rows: mean %.1f %%, largest %.1f %%, order kept in %u of %u "
           "pairs\n",
           s.rows, s.mean, s.largest, s.kept, s.pairs);
    printf("%-6s %-9s %-18s %9s %9s %8s   range\n", "", "", "kernel", "measured", "modelled",
           "error");
    for (size_t i = 0; i < row_count; i++) {
        const struct row *r = &rows[i];
        printf("%-6s %-9s %-18s %9.0f %9.0f %+6.1f %%   %" PRIu64 " to %" PRIu64 "\n", r->config,
               r->folder, r->kernel, r->measured, r->modelled,
               100 * (r->modelled / r->measured - 1), r->low, r->high);
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

int main(int count, char **words)
{
    char root[] = "/tmp/takt-ventus-XXXXXX", command[256], error[512];
    struct config config;
    double modelled[ROWS] = {0};
    if (!mkdtemp(root) || machine_config(&machine_ventus, &config, error, sizeof error) != 0)
        return 3;
    diag_list_init(&diags);
    bool fine = read_rows(root, &config);
    for (int i = 1; i < count && fine; i++) {
        fine = config_set(&config, words[i], error, sizeof error) == 0;
        if (!fine)
            puts(error);
    }
    fine = fine && run_all(&config, modelled);
    for (size_t i = 0; i < row_count && fine; i++) {
        rows[i].modelled = modelled[i];
        fine = find_range(i);
    }
    if (fine)
        print_table();
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 || !fine;
}
