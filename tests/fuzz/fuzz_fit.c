/* fuzz_fit: a list of measurements, and its first programs with the numbers of the machine. */
#include <stdlib.h>

#include "analysis/fit_case.h"
#include "tests/fuzz/caller.h"
#include "timing/machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void open_case(const struct fit_list *list, const struct fit_measurement *measurement)
{
    struct config config;
    struct fit_case c;
    char error[FIT_ERROR] = "";
    double value;
    caller_must(machine_config(list->machine, &config, error, sizeof error) == 0, "a chip", NULL);
    const int status = fit_case_open(&c, list->machine, &config, measurement, error);
    caller_must(status != 1 || *error, "an error has a sentence", NULL);
    if (status == 0)
        fit_case_time(&c, &config, false, &value);
    fit_case_close(&c);
    config_free(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 4 };
    struct fit_list list = {.machine = NULL};
    char error[FIT_ERROR] = "";
    const struct config_file file = {"tests/hostile/small/fuzz.yaml", (const char *)data, size};
    const int status = fit_list_read(&list, &file, error);
    caller_must(status != 1 || *error, "an error has a sentence", NULL);
    for (size_t i = 0; status == 0 && i < list.count && i < MOST; i++)
        open_case(&list, &list.items[i]);
    fit_list_free(&list);
    return 0;
}
