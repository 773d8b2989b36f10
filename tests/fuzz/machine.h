/* machine: any text through one machine: parse, print, check, a bounded run, an early stop. Before
 * it includes this, a target defines FUZZED and the NAME of its programs. */
#include <stdlib.h>

#include "timing/machines.h"
#include "timing/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct config config;

static void read_config(void)
{
    char error[400];
    if (!config.params && machine_config(&FUZZED, &config, error, sizeof error) != 0)
        abort();
}

/* What is printed must parse again. */
static void print_and_parse(const struct machine_program *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    const int status = FUZZED.language->print(program, NULL, out);
    fclose(out);
    struct source source;
    struct diag_list diags;
    struct machine_program *again = NULL;
    diag_list_init(&diags);
    if (status == 0 && source_from_text(&source, NAME, text, size) == 0) {
        if (FUZZED.language->load(&again, &source, 1, &diags) == 1) {
            diag_print(&diags, &source, 1, stderr, false);
            abort();
        }
        FUZZED.language->unload(again);
        source_close(&source);
    }
    diag_list_free(&diags);
    free(text);
}

static void run(const struct machine_program *program, struct diag_list *diags)
{
    static const struct sink_ops ops = {.name = "null"};
    const struct sink sink = {&ops, NULL};
    const struct run_options options = {0};
    char error[MACHINE_ERROR];
    struct machine_run *run;
    const struct run_setup setup = {program, &config, &options, &sink};
    if (run_open(&run, &FUZZED, &setup, diags, error) != 0)
        return;
    enum run_status status = RUN_MORE;
    for (unsigned i = 0; i < 10 && status == RUN_MORE; i++)
        status = run_advance(run, 100, diags, error);
    if (status == RUN_MORE)
        run_stop(run);
    run_close(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_config();
    struct source source;
    struct diag_list diags;
    struct machine_program *program = NULL;
    diag_list_init(&diags);
    if (source_from_text(&source, NAME, (const char *)data, size) != 0)
        return 0;
    if (FUZZED.language->load(&program, &source, 1, &diags) == 0) {
        print_and_parse(program);
        if (!FUZZED.language->check || FUZZED.language->check(program, &config, NULL, &diags) == 0)
            run(program, &diags);
    }
    FUZZED.language->unload(program);
    diag_list_free(&diags);
    source_close(&source);
    return 0;
}
