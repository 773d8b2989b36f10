/* fuzz_judge: a test case, a line "====", an answer. */
#include <getopt.h>
#include <stdint.h>

#include "cli/cli.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *quiet;
    size_t first, second;
    if (!quiet && !(quiet = freopen("/dev/null", "w", stdout)))
        abort();
    fuzz_split(data, size, &first, &second);
    char *arguments[] = {"takt judge", (char *)(uintptr_t)fuzz_file("case.vsm", data, first),
                         (char *)(uintptr_t)fuzz_file("answer.vsm", data + second, size - second),
                         NULL};
    optind = 0;
    const int code = cmd_judge(3, arguments);
    if (code != EXIT_FINE && code != EXIT_INPUT)
        abort();
    return 0;
}
