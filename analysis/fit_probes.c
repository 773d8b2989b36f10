#include "analysis/fit_probes.h"

#include <stdlib.h>
#include <string.h>

static const char *line_end(const char *text, const char *end)
{
    const char *at = memchr(text, '\n', (size_t)(end - text));
    return at ? at + 1 : end;
}

static bool is_head(const char *at, const char *end)
{
    return end - at > 3 && memcmp(at, "== ", 3) == 0;
}

static size_t count_heads(const char *at, const char *end)
{
    size_t count = 0;
    for (; at < end; at = line_end(at, end))
        count += is_head(at, end);
    return count;
}

int fit_probes_list(struct fit_probes *probes, const struct machine *machine)
{
    static char cycles[] = "cycles";
    const char *at = machine->timing->probes, *end = machine->timing->probes_end;
    *probes = (struct fit_probes){.count = 0};
    if (!at)
        return 0;
    char *name = probes->names = malloc((size_t)(end - at) + 1);
    probes->items = calloc(count_heads(at, end) + 1, sizeof *probes->items);
    if (!name || !probes->items)
        return -1;
    while (at < end) { /* at a head: "== name: what" */
        const char *after = line_end(at, end);
        const size_t size = (size_t)((const char *)memchr(at, ':', (size_t)(after - at)) - at) - 3;
        memcpy(name, at + 3, size);
        name[size] = '\0';
        for (at = after; at < end && !is_head(at, end);)
            at = line_end(at, end);
        probes->items[probes->count++] =
            (struct fit_measurement){.program = name,
                                     .path = name,
                                     .quantity = cycles,
                                     .kind = FIT_CYCLES,
                                     .place = name,
                                     .text = after,
                                     .text_size = (size_t)(at - after)};
        name += size + 1;
    }
    return 0;
}

void fit_probes_free(struct fit_probes *probes)
{
    free(probes->items);
    free(probes->names);
    *probes = (struct fit_probes){.count = 0};
}
