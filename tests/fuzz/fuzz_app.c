/* fuzz_app: any text as an application, timed by libtakt, with programs of tests/hostile/small. */
#include "tests/fuzz/caller.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct takt_text text = {
        .name = "tests/hostile/small/fuzz.yaml", .text = (const char *)data, .size = size};
    caller_app(&text);
    return 0;
}
