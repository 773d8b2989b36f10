#include "timing/machine.h"

int machine_config(const struct machine *machine, struct config *config, char *error,
                   size_t error_size)
{
    return config_read(config, machine->params, machine->param_count, machine->config_name,
                       machine->config_text, (size_t)(machine->config_end - machine->config_text),
                       error, error_size);
}
