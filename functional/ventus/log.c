#include "functional/ventus/log.h"

#include "functional/ventus/listing.h"

struct log {
    FILE *out;
    struct ventus_run run;
    struct ventus_listed listed[VENTUS_WARPS];
};

/* Of a workgroup that begins: each core's boot ROM, in turn. */
static void boot(struct log *log)
{
    for (uint32_t i = 0; i < VENTUS_BOOT; i++)
        for (uint32_t core = 0; core < log->run.group.count; core++) {
            if (!i)
                log->listed[core] = (struct ventus_listed){.times = 0};
            ventus_listing_boot(log->out, &log->run.exec, &log->listed[core], core, i);
        }
}

static void step(void *context, const struct ventus_warp *w, const struct ventus_effect *e)
{
    struct log *log = context;
    const struct ventus_group *group = &log->run.group;
    if (!w->number && w->executed == 1)
        boot(log);
    ventus_listing_step(log->out, &log->run.exec, &log->listed[w->number], w, e, w->number);
    if (group->ended == group->count)
        ventus_listing_tail(log->out, &log->run.exec, &log->listed[0], &log->run.warps[0], 0);
}

int ventus_log(FILE *out, const struct ventus_run *of, uint64_t most, char error[VENTUS_ERROR])
{
    struct log log = {.out = out};
    int status = ventus_run_new(&log.run, of->program, error);
    if (status == 0) {
        ventus_run_same(&log.run, of);
        log.run.exec.listing = true;
        log.run.exec.most = most;
        log.run.observe = step;
        log.run.context = &log;
        status = ventus_run_advance(&log.run, UINT64_MAX, error) < 0;
    }
    ventus_run_free(&log.run);
    return status;
}
