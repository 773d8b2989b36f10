/* fuzz_metadata: a launch of Ventus from files of words: the metadata, a line "====", the data. */
#include <stdint.h>

#include "functional/ventus/program.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t first, second;
    struct ventus_program program;
    struct source source;
    struct diag_list diags;
    char error[600];
    fuzz_split(data, size, &first, &second);
    fuzz_file("k.data", data + second, size - second);
    if (source_open(&source, fuzz_file("k.metadata", data, first), error, sizeof error) != 0)
        return 0;
    diag_list_init(&diags);
    if (ventus_program_load(&program, &source, 1, &diags) == 1 && !diags.errors)
        abort(); /* no sentence */
    ventus_program_free(&program);
    source_close(&source);
    diag_list_free(&diags);
    return 0;
}
