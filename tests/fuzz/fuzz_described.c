/* fuzz_described: a launch in YAML, a line "====", the file a.elf, "====", b.elf, as a program of
 * libtakt. */
#include "tests/fuzz/caller.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t yaml, at, end, next;
    fuzz_split(data, size, &yaml, &at);
    const struct takt_text text = {.name = fuzz_file("a.yaml", data, yaml)};
    fuzz_split(data + at, size - at, &end, &next);
    fuzz_file("a.elf", data + at, end);
    fuzz_file("b.elf", data + at + next, size - at - next);
    caller_program(caller_machine("ventus"), &text, 1);
    return 0;
}
