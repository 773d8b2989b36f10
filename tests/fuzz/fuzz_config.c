/* fuzz_config: any bytes as a chip file, as a file laid over another one, and as a --set; the first
 * byte chooses the machine. */
#include <stdlib.h>
#include <string.h>

#include "timing/machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct machine *machine = machines[data[0] % machine_count];
    const struct config_file file = {"fuzz.yaml", (const char *)data + 1, size - 1};
    struct config config = {0};
    char error[600] = "";
    if (config_read(&config, machine->timing->params, machine->timing->param_count, &file, error,
                    sizeof error) == 0)
        config_free(&config);
    if (machine_config(machine, &config, error, sizeof error) != 0)
        abort();
    char *text = strndup(file.text, file.size);
    *error = '\0';
    if (config_overlay(&config, &file, error, sizeof error) != 0 && !*error)
        abort(); /* no sentence */
    if (text && config_set(&config, text, error, sizeof error) == 0 && machine->timing->valid)
        machine->timing->valid(&config, error);
    free(text);
    config_free(&config);
    return 0;
}
