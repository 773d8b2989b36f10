/* history: what words of a register held during a run: the program is executed again, instruction
 * by instruction, for the values, and timed again for the cycles of their issue. */
#include "timing/history.h"

#include <stdlib.h>
#include <string.h>

#include "functional/amx/exec.h"
#include "host/grow.h"
#include "timing/amx/model.h"

enum { ROW_WORDS = AMX_ROW / 8 };

struct watched {
    uint32_t thread;
    unsigned place; /* PLACE_X ... */
    char spec[MACHINE_SPEC];
    size_t words;
    char file;      /* 'x', 'y', 'z' */
    uint64_t first; /* its first word in the file */
};

/* The writes in program order, of one thread: the next one to issue. */
struct amx_times {
    const struct watched *watched;
    struct history *history;
    size_t next;
    uint64_t order, done;    /* instructions of the thread so far; and when the last had issued */
    uint64_t latest;         /* when all writes so far can be read */
    const uint64_t *ordinal; /* of each write: instructions before it */
};

/* --- the place -------------------------------------------------------------------------------- */

static int refuse(const char *text, const char *why, char error[MACHINE_ERROR])
{
    snprintf(error, MACHINE_ERROR, "'%.100s' %s", text, why);
    return 1;
}

static int parse(struct watched *w, const char *text, char error[MACHINE_ERROR])
{
    const struct place_owner owner = amx_exec_places(NULL);
    const char *colon = strchr(text, ':'), *at = strchr(text, '@'), *plus = strchr(text, '+');
    if (*text == 'm')
        return refuse(text, "is in memory: when a store is there is not modelled", error);
    if (place_check(&owner, text, false, error, MACHINE_ERROR) != 0)
        return 1;
    *w = (struct watched){.thread = at ? (uint32_t)strtoul(at + 1, NULL, 0) : 0,
                          .first = strtoull(colon + 1, NULL, 0),
                          .words = plus ? strtoull(plus + 1, NULL, 0) : 1,
                          .file = *text};
    const uint64_t row = w->first / ROW_WORDS;
    if ((w->first + w->words - 1) / ROW_WORDS != row)
        return refuse(text, "is more than one register: words of one, 8 at most", error);
    w->place = (unsigned)(row + (*text == 'x' ? PLACE_X : *text == 'y' ? PLACE_Y : 0));
    snprintf(w->spec, sizeof w->spec, "%s", text);
    return 0;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Whether d set writes some of the words. */
static bool host_writes(const struct watched *w, const struct amx_debug *debug)
{
    const uint64_t first = debug->at * ROW_WORDS;
    return debug->file == w->file && first < w->first + w->words && w->first < first + debug->count;
}

static bool writes(const struct amx_model *m, const struct watched *w, const struct amx_item *item)
{
    if (item->kind == AMX_ITEM_SET)
        return host_writes(w, &item->debug);
    if (item->kind != AMX_ITEM_INSN)
        return false;
    const uint32_t stmt = m->stmt_of_item[item - m->program->items];
    return m->cost[PERFORMANCE][stmt].writes[w->place / 64] >> w->place % 64 & 1;
}

/* What the thread has executed. */
struct pass {
    const struct amx_model *model;
    const struct watched *watched;
    struct history *history;
    uint64_t *ordinal, instructions;
    size_t capacity;
};

static int note(struct pass *p, struct amx_exec *exec, const struct amx_item *item)
{
    char unsaid[MACHINE_ERROR];
    const bool insn = item->kind == AMX_ITEM_INSN;
    const struct place_owner owner = amx_exec_places(exec);
    uint64_t *ordinal = grow(p->ordinal, &p->capacity, p->history->count + 1, sizeof *ordinal);
    struct history_write *write = ordinal ? history_add(p->history) : NULL;
    if (ordinal)
        p->ordinal = ordinal;
    if (!write)
        return -1;
    ordinal[p->history->count - 1] = p->instructions;
    *write = (struct history_write){
        .stmt = insn ? p->model->stmt_of_item[item - p->model->program->items] : NONE_ID,
        .file = item->source,
        .line = item->line};
    return place_get(&owner, p->watched->spec, write->words, p->watched->words, unsaid,
                     sizeof unsaid);
}

static int follow(struct pass *p, struct amx_exec *exec)
{
    const struct place_owner owner = amx_exec_places(exec);
    const struct amx_item *item;
    char unsaid[MACHINE_ERROR];
    uint32_t thread;
    int status = place_get(&owner, p->watched->spec, p->history->start, p->watched->words, unsaid,
                           sizeof unsaid);
    while (status == 0 && amx_exec_one(exec, &item, &thread) > 0) {
        if (thread != p->watched->thread)
            continue;
        if (writes(p->model, p->watched, item))
            status = note(p, exec, item);
        p->instructions += item->kind == AMX_ITEM_INSN;
    }
    return status;
}

static int execute(struct pass *p, const struct machine_run *run, char error[MACHINE_ERROR])
{
    struct machine_run *again;
    struct diag_list unsaid;
    diag_list_init(&unsaid);
    int status = run_values(run, &again, &unsaid, error);
    if (status == 0) {
        status = follow(p, again->own);
        run_close(again);
    }
    diag_list_free(&unsaid);
    return status;
}

/* --- times ------------------------------------------------------------------------------------ */

/* d set lines in front of the thread's next instruction: the host writes when everything is
 * there. */
static void pass_host(struct amx_times *times)
{
    struct history_write *write = times->history->writes + times->next;
    for (; times->next < times->history->count && times->ordinal[times->next] == times->order &&
           write->stmt == NONE_ID;
         times->next++, write++)
        write->issued = write->first = write->readable = later(times->done, times->latest);
}

void amx_history_issue(struct amx_times *times, const struct thread *t, uint64_t at)
{
    const struct cost *cost = &costs_of(t)[t->stmt];
    if (t->number != times->watched->thread)
        return;
    pass_host(times);
    if (times->next < times->history->count && times->ordinal[times->next] == times->order) {
        struct history_write *write = &times->history->writes[times->next++];
        write->issued = at;
        write->first = write->readable = at + cost->latency;
        times->latest = later(times->latest, write->readable);
    }
    times->order++;
    times->done = at + cost->cpu;
}

static const struct history_format formats[] = {
    {"f64", 64, history_double, false}, {"f32", 32, history_single, false}, {NULL, 0, NULL, false}};

int amx_history(struct machine_run *run, const char *text, struct history *history,
                char error[MACHINE_ERROR])
{
    struct watched watched;
    if (parse(&watched, text, error) != 0)
        return 1;
    history->bits = 64;
    history->words = watched.words;
    history->formats = formats;
    history->low_first = true;
    struct pass pass = {
        .model = (const struct amx_model *)run->model, .watched = &watched, .history = history};
    int status = execute(&pass, run, error);
    struct amx_times times = {.watched = &watched, .history = history, .ordinal = pass.ordinal};
    const struct model_options how = {
        .config = run->config, .documented = run->options.documented, .own = &times};
    uint64_t cycles;
    if (status == 0)
        status = run_again(run, &how, &cycles);
    pass_host(&times);
    free(pass.ordinal);
    return status;
}
