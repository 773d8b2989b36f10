#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "analysis/fit.h"
#include "cli/cli.h"
#include "host/file.h"
#include "cli/options.h"
int cmd_fit(int argc, char **argv)
{
    const char *out = NULL; uint64_t seed = 1, effort = 100, threads = 2;
    int code;
    const struct cli_option table[] = {{"out", .text = &out}, {"seed", .number = &seed, .high = 1000000}, {"effort", .number = &effort, .low = 1, .high = 10000}, {"threads", .number=&threads,.low=1,.high=16}};
    if (!OPTIONS_TAKE("fit", "usage\n", table, argc, argv, &code)) return code;
    struct fit_list list = {.count = 0};
    char error[FIT_ERROR] = "";
    struct source file;
    if (source_open(&file, argv[optind], error, sizeof error)) return cli_fail(EXIT_INPUT, "fit", "%s", error);
    if (fit_list_read(&list, &(struct config_file){file.name, file.text, file.size}, error)) return cli_fail(EXIT_INPUT, "fit", "%s", error);
    struct config config;
    machine_config(list.machine, &config, error, sizeof error);
    struct fit fit;
    const struct fit_options options = {.threads = (unsigned)threads, .seed = seed, .effort = (unsigned)effort};
    struct timespec t0, t1; clock_gettime(CLOCK_MONOTONIC,&t0); int status = fit_find(&fit, &list, &config, &options, error);
    clock_gettime(CLOCK_MONOTONIC,&t1); (void)t0; if (status) fprintf(stderr, "%d %s\n", status, error);
    else {
        printf("verdict %d reach %g settings %zu\n", fit.verdict, fit.settings.reach, fit.settings.size);
        for (size_t c = 0; c < fit.count; c++) printf("%-18s value %10g pred %10g [%g %g] excess %g out %g [%g %g] alone %d conf %d scale %g events %llu\n", fit.cases[c].measurement->program, fit.cases[c].measurement->value, fit.rows[c].predicted, fit.rows[c].low, fit.rows[c].high, fit.rows[c].excess, fit.rows[c].left_out, fit.rows[c].left_low, fit.rows[c].left_high, fit.rows[c].alone, fit.rows[c].conflicts, fit.model.scale[c], (unsigned long long)fit.cases[c].events);
        for (size_t a = 0; a < fit.space.count; a++) printf("%-20s %d value %8g in [%g %g] out [%g %g] box [%g %g]\n", fit_axis_name(&fit.space, a), fit.numbers[a].seen, fit.numbers[a].value, fit.numbers[a].inner[0], fit.numbers[a].inner[1], fit.numbers[a].outer[0], fit.numbers[a].outer[1], fit.space.axes[a].low, fit.space.axes[a].high);
        if (out) { FILE *f = fopen(out, "w"); fit_print_chip(&fit, f); fclose(f); }
    }
    fit_free(&fit); fit_list_free(&list); config_free(&config); source_close(&file);
    return 0;
}
