/* machine: any text through one machine: what it prints parses again, and all that a caller of
 * libtakt does with it. Before it includes this, a target defines FUZZED and the NAME of its
 * programs. */
#include <stdlib.h>

#include "tests/fuzz/caller.h"
#include "timing/machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source source;
    struct diag_list diags;
    struct machine_program *program = NULL;
    const struct takt_text text = {.name = NAME, .text = (const char *)data, .size = size};
    diag_list_init(&diags);
    if (source_from_text(&source, NAME, (const char *)data, size) != 0)
        return 0;
    if (FUZZED.language->load(&program, &source, 1, &diags) == 0)
        print_and_parse(program);
    FUZZED.language->unload(program);
    diag_list_free(&diags);
    source_close(&source);
    caller_program(caller_machine(NAME), &text, 1);
    return 0;
}
