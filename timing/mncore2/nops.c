#include "timing/mncore2/nops.h"

#include <stdio.h>
#include <stdlib.h>

#include "functional/away.h"
#include "timing/mncore2/removable.h"

enum { LONG_PROGRAM = 100000 };

static int add_sentence(struct nops *nops, uint64_t steps)
{
    if (nops->sentence_count == nops->sentence_capacity) {
        const size_t capacity = nops->sentence_capacity ? 2 * nops->sentence_capacity : NOPS_FEW;
        void *sentences = realloc(nops->sentences, capacity * sizeof *nops->sentences);
        if (!sentences)
            return -1;
        nops->sentences = sentences;
        nops->sentence_capacity = capacity;
    }
    snprintf(nops->sentences[nops->sentence_count++], NOPS_SENTENCE, "nop x%llu",
             (unsigned long long)steps);
    return 0;
}

/* Most runs can lose a few steps only: those sentences are made once. */
static int keep(void *self, size_t item, uint64_t steps, uint64_t written)
{
    struct nops *nops = self;
    (void)written;
    if (nops->count == nops->capacity) {
        const size_t capacity = nops->capacity ? 2 * nops->capacity : 64;
        struct sink_warned *found = realloc(nops->found, capacity * sizeof *found);
        if (!found)
            return -1;
        nops->found = found;
        nops->capacity = capacity;
    }
    const bool few = steps < NOPS_FEW;
    if (!few || !nops->few[steps]) {
        if (add_sentence(nops, steps) != 0)
            return -1;
        if (few)
            nops->few[steps] = (uint32_t)nops->sentence_count;
    }
    const size_t sentence = few ? nops->few[steps] : nops->sentence_count;
    nops->found[nops->count++] = (struct sink_warned){(uint32_t)item, (uint32_t)sentence - 1};
    return 0;
}

void nops_begin(struct nops *nops, const struct program *program, const struct config *config,
                bool documented)
{
    *nops = (struct nops){.program = program, .config = config, .documented = documented};
}

void nops_look(struct nops *nops)
{
    nops->status = removable_find(nops->program, nops->config, nops->documented, keep, nops);
    nops->looked = true;
}

static void *look(void *self)
{
    nops_look(self);
    return NULL;
}

void nops_start(struct nops *nops)
{
    nops->threaded = nops->program->item_count > LONG_PROGRAM &&
                     away_create(&nops->thread, look, nops) == 0;
    int from = -1;
    if (nops->threaded)
        away_from_caller(nops->thread, &from);
}

static void join(struct nops *nops)
{
    if (nops->threaded)
        pthread_join(nops->thread, NULL);
    nops->threaded = false;
}

int nops_tell(struct nops *nops, const struct sink *sink)
{
    if (!nops->program || nops->told)
        return 0; /* nobody asked for them */
    nops->told = true;
    join(nops);
    if (!nops->looked)
        nops_look(nops);
    if (nops->status != 0)
        return nops->status;
    static const char *const name = "removable";
    if (!sink->ops->warnings) {
        int status = 0;
        for (size_t i = 0; status == 0 && i < nops->count; i++)
            status = sink->ops->warning(sink->self, name, nops->found[i].stmt,
                                        nops->sentences[nops->found[i].sentence]);
        return status;
    }
    const char **sentences = malloc((nops->sentence_count + 1) * sizeof *sentences);
    if (!sentences)
        return -1;
    for (size_t i = 0; i < nops->sentence_count; i++)
        sentences[i] = nops->sentences[i];
    const struct sink_warnings warnings = {sentences, nops->sentence_count, nops->found,
                                           nops->count};
    const int status = sink->ops->warnings(sink->self, name, &warnings);
    free(sentences);
    return status;
}

void nops_free(struct nops *nops)
{
    join(nops);
    free(nops->found);
    free(nops->sentences);
    *nops = (struct nops){0};
}
