/* fuzz_launch: what a text of Ventus prints is the same launch, and runs; any text behind a Y
 * is a launch in YAML. */
#include <stdlib.h>
#include <string.h>

#include "functional/ventus/describe.h"
#include "functional/ventus/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int load(struct ventus_program *program, struct source *source, const char *text,
                size_t size)
{
    struct diag_list diags;
    diag_list_init(&diags);
    int status = source_from_text(source, "fuzz.ventus", text, size);
    if (status == 0)
        status = ventus_program_load(program, source, 1, &diags);
    diag_list_free(&diags);
    return status;
}

static void print_and_load(const struct ventus_program *program)
{
    const struct ventus_launch *launch = ventus_program_launch(program);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    const int status = ventus_program_print(program, out);
    fclose(out);
    struct source source;
    struct ventus_program again;
    const int loaded = status == 0 ? load(&again, &source, text, size) : -1;
    if (loaded > 0)
        abort();
    if (loaded == 0) {
        const struct ventus_launch *other = ventus_program_launch(&again);
        if (launch->op_count != other->op_count || launch->start != other->start)
            abort();
        for (size_t i = 0; i < launch->op_count; i++)
            if (launch->ops[i].word != other->ops[i].word)
                abort();
        ventus_program_free(&again);
        source_close(&source);
    }
    free(text);
}

static void run(const struct ventus_program *program)
{
    struct ventus_run values;
    char error[VENTUS_ERROR];
    FILE *dump = fopen("/dev/null", "w");
    if (ventus_run_new(&values, program, error) == 0) {
        ventus_run_gets(&values, dump);
        ventus_run_advance(&values, 1000, error);
        ventus_run_end_gets(&values, dump);
    }
    ventus_run_free(&values);
    if (dump)
        fclose(dump);
}

/* Files that it names are not opened. */
static void describe(const char *text, size_t size)
{
    struct ventus_setup setup;
    struct source source;
    struct diag_list diags;
    if (memmem(text, size, "file", 4) || source_from_text(&source, "fuzz.yaml", text, size) != 0)
        return;
    diag_list_init(&diags);
    ventus_setup_init(&setup);
    struct ventus_description d = {.source = &source, .diags = &diags, .setup = &setup};
    ventus_describe(&d);
    ventus_description_free(&d);
    ventus_setup_free(&setup);
    diag_list_free(&diags);
    source_close(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source source = {.text = NULL};
    struct ventus_program program = {.sources = NULL};
    const char *text = (const char *)data;
    if (size && *text == 'Y') {
        describe(text + 1, size - 1);
        return 0;
    }
    if (load(&program, &source, text, size) == 0) {
        print_and_load(&program);
        run(&program);
    }
    ventus_program_free(&program);
    source_close(&source);
    return 0;
}
