#include "timing/machines.h"

#include <string.h>
#include <sys/stat.h>

const struct machine *const machines[] = {
#define MACHINE(name) &machine_##name,
#include "config/machines.def"
};
const size_t machine_count = sizeof machines / sizeof *machines;

const struct machine *machine_named(const char *name)
{
    for (size_t i = 0; name && i < machine_count; i++)
        if (strcmp(machines[i]->name, name) == 0)
            return machines[i];
    return NULL;
}

/* Regular files only: reading a pipe would take its bytes from the next reader. */
static const struct machine *recognise(const char *path)
{
    const struct machine *best = NULL;
    unsigned char head[MACHINE_HEAD] = {0};
    unsigned surest = 0;
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; size && i < machine_count; i++) {
        const unsigned sure =
            machines[i]->language->recognise ? machines[i]->language->recognise(path, head) : 0;
        if (sure > surest)
            best = machines[i];
        surest = sure > surest ? sure : surest;
    }
    return best;
}

const struct machine *machine_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < machine_count; i++)
        if (machine_word_in(machines[i]->language->extensions, dot))
            return machines[i];
    return recognise(path);
}
