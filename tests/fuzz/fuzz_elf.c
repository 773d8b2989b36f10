/* fuzz_elf: an ELF file as a program of each machine that takes one, by libtakt. */
#include "tests/fuzz/caller.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct takt_text text = {.name = "fuzz.elf", .text = (const char *)data, .size = size};
    static const char launch[] = "elf: launched.elf\ngrid: 2\nworkgroup: 8\nthreads: 8\n"
                                 "buffers:\n- {name: b, value: [1, 2, 3], size: 256}\n"
                                 "arguments: [b, b, 3]\n";
    const struct takt_text yaml = {.name = fuzz_file("launched.yaml", launch, sizeof launch - 1)};
    fuzz_file("launched.elf", data, size);
    caller_program(caller_machine("kelvin"), &text, 1);
    caller_program(caller_machine("ventus"), &yaml, 1);
    return 0;
}
