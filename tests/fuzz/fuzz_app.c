/* fuzz_app: any bytes as an application; one of transfers alone is timed, too. */
#include <stdlib.h>

#include "analysis/app_answer.h"
#include "timing/machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void time_transfers(const struct app *app)
{
    char error[MACHINE_ERROR];
    const struct run_options options = {.threads = 1};
    struct config config;
    struct diag_list fault;
    diag_list_init(&fault);
    if (machine_config(app->machine, &config, error, sizeof error) != 0)
        abort();
    struct app_answer answer = {.how = {.app = app, .config = &config, .options = &options}};
    if (app_answer_find(&answer, 1, &fault) < 0)
        abort();
    app_answer_free(&answer);
    config_free(&config);
    diag_list_free(&fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source source;
    struct app app;
    struct diag_list diags;
    diag_list_init(&diags);
    if (source_from_text(&source, "fuzz.yaml", (const char *)data, size) != 0)
        return 0;
    const int status = app_read(&app, &source, &diags);
    if ((status == 1) != (diags.errors > 0))
        abort(); /* no sentence, or one without need */
    if (status == 0 && !app.program_count)
        time_transfers(&app);
    app_free(&app);
    diag_list_free(&diags);
    source_close(&source);
    return 0;
}
