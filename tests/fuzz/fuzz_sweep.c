/* fuzz_sweep: a spec of a sweep, and its first points. */
#include <stdint.h>

#include "analysis/sweep_points.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source source;
    struct sweep_spec spec;
    struct sweep_point point;
    struct diag_list diags;
    if (source_from_text(&source, "sweep.yaml", (const char *)data, size) != 0)
        return 0;
    diag_list_init(&diags);
    const int status = sweep_spec_read(&spec, &source, &diags);
    if ((status == 0) != (diags.errors == 0))
        abort();
    const uint64_t count = status == 0 ? sweep_points_count(&spec) : 0;
    for (uint64_t i = 0; i < count && i < 50; i++) {
        if (!sweep_points_make(&spec, i, &point))
            abort();
        sweep_points_free(&point);
    }
    sweep_spec_free(&spec);
    diag_list_free(&diags);
    source_close(&source);
    return 0;
}
