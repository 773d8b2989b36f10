#include "timing/machine.h"

#include <string.h>

int machine_config(const struct machine *machine, struct config *config, char *error,
                   size_t error_size)
{
    return config_read(config, machine->params, machine->param_count, machine->config_name,
                       machine->config_text, (size_t)(machine->config_end - machine->config_text),
                       error, error_size);
}

const char *machine_spec(const char *text, bool save, char spec[MACHINE_SPEC],
                         char error[MACHINE_ERROR])
{
    const char *equals = strchr(text, '=');
    if (!equals || equals - text >= MACHINE_SPEC || !equals[1]) {
        snprintf(error, MACHINE_ERROR, "--%s takes SPEC=FILE, not '%.100s'", save ? "save" : "load",
                 text);
        return NULL;
    }
    memcpy(spec, text, (size_t)(equals - text));
    spec[equals - text] = '\0';
    return equals + 1;
}

int machine_specs(const char *const *list, bool save,
                  int (*spec)(const char *text, bool save, char *error, size_t size),
                  char error[MACHINE_ERROR])
{
    char text[MACHINE_SPEC];
    for (; list && *list; list++)
        if (!machine_spec(*list, save, text, error) || spec(text, save, error, MACHINE_ERROR) != 0)
            return 1;
    return 0;
}
