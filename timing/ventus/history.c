/* history: what a register of a warp or words of memory held during a run, which is executed and
 * timed again. A register can be read from the cycle in which the scoreboard releases it; memory is
 * written when the store issues, since loads that issue later read it. */
#include "timing/history.h"

#include <stdlib.h>
#include <string.h>

#include "timing/ventus/model.h"

struct ventus_times {
    struct history *history;
    const char *spec;
    char file;     /* 'x', 'v', 'm' */
    uint32_t warp; /* its stream */
    uint32_t reg, lane;
    uint64_t low, high; /* bytes of memory */
    bool began;         /* the warp */
    bool failed;        /* memory is out */
};

/* --- the place -------------------------------------------------------------------------------- */

static int refuse(const char *text, const char *why, char error[MACHINE_ERROR])
{
    snprintf(error, MACHINE_ERROR, "'%.100s' %s", text, why);
    return 1;
}

static bool number(const char **at, const char *before, uint64_t *value)
{
    char *end;
    const size_t length = strlen(before);
    if (strncmp(*at, before, length) != 0 || (*at)[length] < '0' || (*at)[length] > '9')
        return false;
    *value = strtoull(*at + length, &end, 10);
    *at = end;
    return true;
}

/* x@WARP:N, v@WARP:N.LANE+COUNT */
static int parse_register(struct ventus_times *t, const struct machine_run *run, const char *text,
                          char error[MACHINE_ERROR])
{
    const struct ventus_launch *launch = ventus_program_launch(&run->program->program);
    const bool vector = *text == 'v';
    uint64_t warp = 0, reg = 0, lane = 0, count = 1;
    const char *at = text + 1;
    if (!number(&at, "@", &warp) || !number(&at, ":", &reg))
        return refuse(text, "is not x@WARP:N, v@WARP:N.LANE+COUNT or m:ADDR", error);
    if (vector && number(&at, ".", &lane))
        number(&at, "+", &count);
    if (*at || !count)
        return refuse(text, "is not x@WARP:N, v@WARP:N.LANE+COUNT or m:ADDR", error);
    if (warp >= (uint64_t)ventus_group_count(launch) * launch->warps)
        return refuse(text, "is of a warp that the launch does not have", error);
    if (reg >= (vector ? VENTUS_VREGS : VENTUS_XREGS))
        return refuse(text, "is no register: 64 scalar, 256 vector", error);
    if (count > HISTORY_WORDS || lane >= launch->threads || count > launch->threads - lane)
        return refuse(text, "is not 1 to 8 lanes of the warp", error);
    t->warp = (uint32_t)warp;
    t->reg = (uint32_t)reg;
    t->lane = (uint32_t)lane;
    t->history->words = count;
    t->history->bits = 32;
    return 0;
}

static int find_words(const struct ventus_times *t, struct ventus_run *run, struct place *place,
                      char error[MACHINE_ERROR])
{
    const struct place_owner owner = ventus_run_places(run);
    return place_find(&owner, t->spec, HISTORY_WORDS, place, error, MACHINE_ERROR);
}

static int parse_memory(struct ventus_times *t, struct ventus_run *run, char error[MACHINE_ERROR])
{
    struct place place;
    if (find_words(t, run, &place, error) != 0)
        return 1;
    t->low = 8 * place.at;
    t->high = t->low + 8 * place.count;
    t->history->words = place.count;
    t->history->bits = 64;
    if (t->low < VENTUS_LOCAL_BASE + (uint64_t)VENTUS_LOCAL_SIZE && t->high > VENTUS_LOCAL_BASE)
        return refuse(t->spec, "is in local memory, of which each SM has one", error);
    return 0;
}

/* --- values ----------------------------------------------------------------------------------- */

static void read_words(struct ventus_times *t, struct ventus_run *run,
                       const struct ventus_warp *warp, uint64_t *words)
{
    char unsaid[MACHINE_ERROR];
    struct place place;
    if (t->file == 'x')
        words[0] = warp->x[t->reg];
    for (size_t i = 0; t->file == 'v' && i < t->history->words; i++)
        words[i] = warp->v[t->reg][t->lane + i];
    if (t->file != 'm')
        return;
    t->failed |= find_words(t, run, &place, unsaid) != 0;
    if (!t->failed)
        place_words(&place, words);
}

void ventus_history_began(struct ventus_thread *thread)
{
    struct ventus_model *m = thread->model;
    struct ventus_times *t = m->base.options.own;
    if (t->began || t->file == 'm' || ventus_stream(m, thread->warp) != t->warp)
        return;
    t->began = true;
    read_words(t, m->run, thread->warp, t->history->start);
}

static bool stores(const struct ventus_times *t, const struct ventus_access *access)
{
    for (uint32_t i = 0; (access->store || access->atomic) && i < access->count; i++)
        if (access->address[i] < t->high && t->low < (uint64_t)access->address[i] + access->bytes)
            return true;
    return false;
}

static bool writes(const struct ventus_times *t, const struct ventus_thread *thread,
                   const struct ventus_effect *effect)
{
    const struct ventus_model *m = thread->model;
    const uint32_t place = t->file == 'v' ? VENTUS_XREGS + t->reg : t->reg;
    if (t->file == 'm')
        return stores(t, &effect->access);
    if (ventus_stream(m, thread->warp) != t->warp ||
        !(m->cost[thread->stmt].writes[place / 64] >> place % 64 & 1))
        return false;
    const uint32_t lanes = (uint32_t)(((UINT64_C(1) << t->history->words) - 1) << t->lane);
    return t->file == 'x' || (effect->mask & lanes);
}

void ventus_history_issued(struct ventus_thread *thread, const struct ventus_effect *effect,
                           uint64_t at)
{
    struct ventus_model *m = thread->model;
    struct ventus_times *t = m->base.options.own;
    if (!writes(t, thread, effect))
        return;
    struct history_write *write = history_add(t->history);
    t->failed |= !write;
    if (!write)
        return;
    write->stmt = thread->stmt;
    write->issued = at;
    write->first = write->readable = at + 1;
    read_words(t, m->run, thread->warp, write->words);
}

void ventus_history_written(struct ventus_thread *thread, const struct ventus_result *result,
                            uint64_t at)
{
    struct ventus_times *t = thread->model->base.options.own;
    if (t->file == 'm' || result->stream != t->warp)
        return;
    /* A warp issues one instruction in a cycle. */
    for (size_t i = t->history->count; i-- > 0;) {
        struct history_write *write = &t->history->writes[i];
        if (write->issued != result->issued)
            continue;
        write->first = write->readable = at;
        return;
    }
}

/* --- the history ------------------------------------------------------------------------------ */

static double single_value(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static double int32_value(uint64_t bits)
{
    return (int32_t)(uint32_t)bits;
}

static const struct history_format formats[] = {
    {"single", 32, single_value, false}, {"int32", 32, int32_value, true}, {NULL, 0, NULL, false}};

int ventus_history(struct machine_run *run, const char *text, struct history *history,
                   char error[MACHINE_ERROR])
{
    struct ventus_times times = {.history = history, .spec = text, .file = *text};
    struct ventus_run start;
    char unsaid[VENTUS_ERROR];
    uint64_t cycles;
    history->formats = formats;
    history->low_first = true;
    int status = ventus_run_new(&start, &run->program->program, unsaid);
    if (status == 0)
        ventus_run_same(&start, run->own);
    if (status == 0 && *text == 'f')
        status = refuse(text, "has no time in the model: registers x and v have", error);
    else if (status == 0)
        status = *text == 'm' ? parse_memory(&times, &start, error)
                              : parse_register(&times, run, text, error);
    if (status == 0 && *text == 'm')
        read_words(&times, &start, NULL, history->start);
    ventus_run_free(&start);
    const struct model_options how = {
        .config = run->config, .documented = run->options.documented, .own = &times};
    if (status == 0)
        status = run_again(run, &how, &cycles);
    return status == 0 && times.failed ? -1 : status;
}
