/*
 * bench_ventus: the measured kernels beside the model: mean and largest error, order of pairs.
 *
 *   bench_ventus [KEY=VALUE ...]    parameters laid over the chip file, for tests/ventus/fit.py
 *
 * With keys it prints one line: the error of each row. Rows and cases are in tests/ventus/.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/ventus/model.h"

struct row {
    char config[16], folder[64], kernel[64];
    double measured, modelled;
};

static struct row rows[128];
static size_t row_count;
static struct ventus_program programs[128];
static struct source sources[128];
static struct diag_list diags;

/* The folders of a configuration: "4w4t" is also "4x4". */
static bool load_row(const char *root, struct row *row, size_t i)
{
    char path[512], error[512], other[16];
    snprintf(other, sizeof other, "%cx%c", row->config[0], row->config[2]);
    const char *const folders[] = {row->config, other};
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/tc_%s/softdata/%s/%s.metadata", root, row->folder,
                 folders[k], row->kernel);
        if (source_open(&sources[i], path, error, sizeof error) == 0)
            return ventus_program_load(&programs[i], &sources[i], 1, &diags) == 0;
    }
    return false;
}

static double cycles(const struct ventus_program *program, const struct config *config)
{
    const struct machine_program machine_program = {*program};
    uint64_t result = 0;
    run_cycles(&machine_ventus, &machine_program, config, &result);
    return (double)result;
}

static void print_table(void)
{
    double sum = 0, worst = 0;
    unsigned pairs = 0, kept = 0;
    for (size_t i = 0; i < row_count; i++) {
        const struct row *r = &rows[i];
        const double error = r->modelled / r->measured - 1;
        sum += error < 0 ? -error : error;
        worst = (error < 0 ? -error : error) > worst ? (error < 0 ? -error : error) : worst;
        printf("%-6s %-10s %-20s %6.0f measured %6.0f modelled %+6.1f %%\n", r->config, r->folder,
               r->kernel, r->measured, r->modelled, 100 * error);
        for (size_t k = 0; k < i; k++) {
            const double ratio = r->measured / rows[k].measured;
            if (ratio < 1.1 && ratio > 1 / 1.1)
                continue;
            pairs++;
            kept += (r->modelled > rows[k].modelled) == (ratio > 1);
        }
    }
    printf("%zu rows: mean %.1f %%, largest %.1f %%; order kept in %u of %u pairs that differ by "
           "more than 10 %%\n",
           row_count, 100 * sum / (double)row_count, 100 * worst, kept, pairs);
}

int main(int count, char **words)
{
    char root[] = "/tmp/takt-ventus-XXXXXX", command[256], line[256], error[512];
    struct config config;
    if (!mkdtemp(root) || machine_config(&machine_ventus, &config, error, sizeof error) != 0)
        return 3;
    snprintf(command, sizeof command, "tar -xzf tests/ventus/cases.tar.gz -C %s", root);
    FILE *file = fopen("tests/ventus/rtl_cycles.tsv", "r");
    if (!file || system(command) != 0)
        return 3;
    diag_list_init(&diags);
    while (fgets(line, sizeof line, file) && row_count < 128) {
        struct row *r = &rows[row_count];
        if (line[0] == '#' ||
            sscanf(line, "%15s %63s %63s %lf", r->config, r->folder, r->kernel, &r->measured) != 4)
            continue;
        if (!load_row(root, r, row_count)) {
            printf("%s %s: no case\n", r->config, r->kernel);
            return 1;
        }
        row_count++;
    }
    fclose(file);
    const bool fit = count > 1 && !strcmp(words[1], "-");
    do {
        for (int i = 1 + fit; i < count; i++)
            if (config_set(&config, words[i], error, sizeof error) != 0)
                return printf("%s\n", error), 1;
        if (fit) {
            if (!fgets(line, sizeof line, stdin))
                break;
            for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
                if (config_set(&config, word, error, sizeof error) != 0)
                    return printf("%s\n", error), 1;
        }
        for (size_t i = 0; i < row_count; i++) {
            rows[i].modelled = cycles(&programs[i], &config);
            if (fit)
                printf("%.0f ", rows[i].modelled);
        }
        if (fit)
            printf("\n");
        fflush(stdout);
    } while (fit);
    if (!fit)
        print_table();
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0;
}
