/* fuzz_chip: a chip file laid over a machine, by libtakt, and a small program on it. The first byte
 * chooses the machine. */
#include <string.h>

#include "tests/fuzz/caller.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const programs[] = {
        "tests/hostile/small/p.amx", "tests/hostile/small/p.kelvin", "tests/hostile/small/p.ventus",
        "tests/hostile/small/p.vsm", "examples/loops/dot.loops"};
    if (size == 0)
        return 0;
    struct takt_error error;
    const char *name = programs[data[0] % 5];
    struct takt_machine *machine = caller_machine(name);
    const struct takt_text text = {.name = name};
    const enum takt_status status =
        takt_machine_config(machine, "fuzz.yaml", (const char *)data + 1, size - 1, &error);
    if (status == TAKT_FINE) {
        caller_program(machine, &text, 1);
        return 0;
    }
    caller_check_error(status, &error);
    takt_machine_close(machine);
    return 0;
}
