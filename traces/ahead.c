#include "traces/ahead.h"

#include "functional/big_memory.h"

static int work(struct ahead *a)
{
    a->hash = a->told.program_hash ? a->told.program_hash(a->told.asked) : 0;
    if (a->pack && a->told.lines && packed_make(&a->packed, &a->told)) {
        return -1;
    }
    a->ordinal_bytes = (a->told.stmt_count + 1) * sizeof *a->ordinals;
    a->ordinals = big_memory_new(a->ordinal_bytes);
    if (a->told.lines && !a->packed.count) {
        a->kind_bytes = (a->told.kind_count + 1) * sizeof *a->kinds;
        a->kinds = big_memory_new(a->kind_bytes);
        if (!a->kinds) {
            return -1;
        }
    }
    return a->ordinals ? ordinals_make(a->ordinals, &a->told, &a->packed, a->kinds) : -1;
}

static void *run(void *self)
{
    struct ahead *a = self;
    a->status = work(a);
    return NULL;
}

void ahead_start(struct ahead *a, const struct told *told, bool pack)
{
    *a = (struct ahead){.told = *told, .pack = pack};
    a->threaded = pthread_create(&a->thread, NULL, run, a) == 0;
}

int ahead_join(struct ahead *a, const struct told *told)
{
    if (!a->done) {
        if (a->threaded) {
            pthread_join(a->thread, NULL);
        } else {
            a->told = *told;
            run(a);
        }
        a->done = true;
    }
    return a->status;
}

void ahead_free(struct ahead *a)
{
    if (a->threaded && !a->done) {
        pthread_join(a->thread, NULL);
    }
    packed_free(&a->packed);
    big_memory_free(a->ordinals, a->ordinal_bytes);
    big_memory_free(a->kinds, a->kind_bytes);
    *a = (struct ahead){0};
}
