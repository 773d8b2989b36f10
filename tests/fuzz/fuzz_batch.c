/* fuzz_batch: a line of takt batch: whatever it holds, there is an answer of one line. */
#include <stdlib.h>
#include <string.h>

#include "cli/batch_job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = strndup((const char *)data, size);
    struct batch batch = {.options = json_object()};
    enum takt_status status = TAKT_FINE;
    if (!line)
        return 0;
    const struct batch_job job = {BATCH_JSON, line, strlen(line), 1};
    char *answer = batch_answer(&batch, &job, &status);
    json_t *value = answer ? json_loads(answer, 0, NULL) : NULL;
    if (!value || strchr(answer, '\n'))
        abort();
    json_decref(value);
    free(answer);
    takt_machine_close(batch.open);
    free(batch.open_key);
    json_decref(batch.options);
    free(line);
    return 0;
}
