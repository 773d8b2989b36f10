#include "timing/mncore2/nops.h"

#include <stdio.h>
#include <stdlib.h>

#include "timing/mncore2/removable.h"

/* Most runs can lose a few steps only: those sentences are made once. */
enum { LONG_PROGRAM = 100000, FEW = 32, SENTENCE = 32 };

static int keep(void *self, size_t item, uint64_t steps, uint64_t written)
{
    struct nops *nops = self;
    (void)written;
    if (nops->count == nops->capacity) {
        const size_t capacity = nops->capacity ? 2 * nops->capacity : 64;
        struct nop_run *found = realloc(nops->found, capacity * sizeof *found);
        if (!found)
            return -1;
        nops->found = found;
        nops->capacity = capacity;
    }
    nops->found[nops->count++] = (struct nop_run){(uint32_t)item, steps};
    return 0;
}

static void *look(void *self)
{
    struct nops *nops = self;
    nops->status = removable_find(nops->program, nops->config, nops->documented, keep, nops);
    return NULL;
}

void nops_start(struct nops *nops, const struct program *program, const struct config *config,
                bool documented)
{
    *nops = (struct nops){.program = program, .config = config, .documented = documented};
    nops->threaded = program->item_count > LONG_PROGRAM &&
                     pthread_create(&nops->thread, NULL, look, nops) == 0;
}

static void join(struct nops *nops)
{
    if (nops->threaded)
        pthread_join(nops->thread, NULL);
    nops->threaded = false;
}

int nops_tell(struct nops *nops, const struct sink *sink)
{
    if (!nops->program)
        return 0; /* nobody asked for them */
    if (nops->threaded)
        join(nops);
    else
        look(nops);
    int status = nops->status;
    char few[FEW][SENTENCE] = {""};
    for (size_t i = 0; status == 0 && i < nops->count; i++) {
        const uint64_t steps = nops->found[i].steps;
        char made[SENTENCE] = "", *sentence = steps < FEW ? few[steps] : made;
        if (!*sentence)
            snprintf(sentence, SENTENCE, "nop x%llu", (unsigned long long)steps);
        status = sink->ops->warning(sink->self, "removable", nops->found[i].item, sentence);
    }
    return status;
}

void nops_free(struct nops *nops)
{
    join(nops);
    free(nops->found);
    *nops = (struct nops){0};
}
