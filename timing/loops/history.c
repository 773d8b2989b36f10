/* history: what words of memory held during a run: the program is executed again for the values,
 * and timed again for the cycles in which steps store. Sums that stay in the math units are not in
 * memory: of a run of steps that adds to one element only the last one writes it. */
#include "timing/history.h"

#include <stdlib.h>
#include <string.h>

#include "functional/loops/exec.h"
#include "host/grow.h"
#include "timing/loops/model.h"

/* Of each write: its step, which is that of its last element. */
struct loops_times {
    struct history *history;
    const struct loops_program *program;
    const char *spec;
    struct loops_exec *exec;
    uint64_t low, high; /* bytes of memory */
    struct loops_write *steps;
    size_t capacity;
    size_t next[LOOPS_TILES]; /* of each tile: the first write that its next step may make */
    uint64_t *begins;         /* of each nest: its first step issues */
    bool failed;              /* memory is out */
};

/* --- values ----------------------------------------------------------------------------------- */

static bool overlaps(const struct loops_times *t, uint64_t address, uint64_t bytes)
{
    return address < t->high && t->low < address + bytes;
}

static bool same_step(const struct loops_write *a, const struct loops_write *b)
{
    return a->item == b->item && a->part == b->part &&
           memcmp(a->index, b->index, sizeof a->index) == 0;
}

static struct history_write *new_write(struct loops_times *t, const struct loops_write *step)
{
    struct history *h = t->history;
    const struct loops_item *item = &t->program->items[step->item];
    struct loops_write *steps = grow(t->steps, &t->capacity, h->count + 1, sizeof *steps);
    struct history_write *write = steps ? history_add(h) : NULL;
    if (steps)
        t->steps = steps;
    if (!write) {
        t->failed = true;
        return NULL;
    }
    steps[h->count - 1] = *step;
    write->stmt = item->kind == LOOPS_ITEM_NEST ? 2 * (uint32_t)item->nest + 1 : NONE_ID;
    write->file = item->place.source;
    write->line = item->place.line;
    write->issued = write->first = UINT64_MAX;
    return write;
}

static void wrote(void *context, const struct loops_write *step)
{
    struct loops_times *t = context;
    struct history *h = t->history;
    struct place place;
    char unsaid[MACHINE_ERROR];
    if (t->failed || !overlaps(t, step->address, step->bytes))
        return;
    const struct place_owner owner = loops_exec_places(t->exec);
    struct history_write *write = h->count && same_step(&t->steps[h->count - 1], step)
                                      ? &h->writes[h->count - 1]
                                      : new_write(t, step);
    if (write && place_find(&owner, t->spec, HISTORY_WORDS, &place, unsaid, sizeof unsaid) == 0)
        place_words(&place, write->words);
}

static int find_place(struct loops_times *t, const char *text, char error[MACHINE_ERROR])
{
    const struct place_owner owner = loops_exec_places(t->exec);
    struct place place;
    const struct loops_tensor *tensor;
    if (place_find(&owner, text, HISTORY_WORDS, &place, error, MACHINE_ERROR) != 0)
        return 1;
    tensor = loops_find_tensor(t->program, place.file, place.file_length);
    t->low = 8 * place.at + (tensor ? tensor->low : 0);
    t->high = t->low + 8 * place.count;
    t->history->words = place.count;
    place_words(&place, t->history->start);
    return 0;
}

static int execute(struct loops_times *t, const struct machine_run *run, const char *text,
                   char error[MACHINE_ERROR])
{
    struct machine_run *again;
    struct diag_list unsaid;
    diag_list_init(&unsaid);
    int status = run_values(run, &again, &unsaid, error);
    if (status == 0) {
        t->exec = again->own;
        status = find_place(t, text, error);
        loops_exec_watch(t->exec, wrote, t);
        while (status == 0 && loops_exec_advance(t->exec, UINT64_MAX) > 0)
            continue;
        run_close(again);
    }
    diag_list_free(&unsaid);
    return t->failed ? -1 : status;
}

/* --- times ------------------------------------------------------------------------------------ */

/* Whether a lane of the tile has an element of the place. */
static bool stores_place(const struct loops_times *t, const struct loops_tile *tile)
{
    const struct loops_walk *walk = &tile->walk;
    const struct loops_part *part = walk->at.part;
    const struct loops_nest *nest = &t->program->nests[walk->nest];
    const uint8_t bytes = loops_type_size[t->program->tensors[nest->operand[LOOPS_TO].tensor].type];
    uint64_t count[LOOPS_LEVELS], index[LOOPS_LEVELS] = {0};
    int64_t offset[LOOPS_OPERANDS];
    const uint64_t lanes = loops_tile_lanes(t->program, &walk->at, walk->tile, count, offset);
    int64_t address = walk->at.address[LOOPS_TO] + offset[LOOPS_TO];
    for (uint64_t i = 0; i < lanes; i++) {
        if (overlaps(t, (uint64_t)address, bytes))
            return true;
        for (unsigned k = part->count; k-- > part->sequential;) {
            address += walk->at.multiplier[LOOPS_TO][k];
            if (++index[k] < count[k])
                break;
            address -= walk->at.multiplier[LOOPS_TO][k] * (int64_t)count[k];
            index[k] = 0;
        }
    }
    return false;
}

static size_t item_of(const struct loops_program *program, size_t nest)
{
    size_t item = 0;
    while (program->items[item].kind != LOOPS_ITEM_NEST || program->items[item].nest != nest)
        item++;
    return item;
}

void loops_history_issued(struct loops_tile *tile, uint64_t at)
{
    struct loops_times *t = tile->model->base.options.own;
    const struct loops_walk *walk = &tile->walk;
    struct loops_write step = {.part = walk->part};
    if (at < t->begins[walk->nest])
        t->begins[walk->nest] = at;
    if (walk->step.setup || !walk->step.stores || !t->history->count || !stores_place(t, tile))
        return;
    step.item = item_of(t->program, walk->nest);
    for (unsigned k = 0; k < walk->at.part->sequential; k++)
        step.index[k] = walk->at.index[k];
    for (size_t i = t->next[walk->tile]; i < t->history->count; i++) {
        struct history_write *write = &t->history->writes[i];
        if (!same_step(&t->steps[i], &step))
            continue;
        const uint64_t stored = at + walk->step.length;
        write->issued = at < write->issued ? at : write->issued;
        write->first = stored < write->first ? stored : write->first;
        write->readable = later(write->readable, stored);
        t->next[walk->tile] = i + 1;
        return;
    }
}

/* d set writes between two nests: when the next one begins. */
static uint64_t host_cycle(const struct loops_times *t, size_t item, uint64_t end)
{
    for (; item < t->program->item_count; item++)
        if (t->program->items[item].kind == LOOPS_ITEM_NEST)
            return t->begins[t->program->items[item].nest];
    return end;
}

/* Without the writes that stay in the math units. */
static void settle(struct loops_times *t, uint64_t end)
{
    struct history *h = t->history;
    size_t kept = 0;
    for (size_t i = 0; i < h->count; i++) {
        struct history_write *write = &h->writes[i];
        if (write->stmt == NONE_ID)
            write->issued = write->first = write->readable = host_cycle(t, t->steps[i].item, end);
        if (write->issued != UINT64_MAX)
            h->writes[kept++] = *write;
    }
    h->count = kept;
}

/* --- the history ------------------------------------------------------------------------------ */

static const struct history_format formats[] = {{"f32", 32, history_single, false},
                                                {"i32", 32, history_int32, true},
                                                {"i8", 8, history_int8, true},
                                                {NULL, 0, NULL, false}};

int loops_history(struct machine_run *run, const char *text, struct history *history,
                  char error[MACHINE_ERROR])
{
    const struct loops_program *program = &run->program->program;
    struct loops_times times = {.history = history, .program = program, .spec = text};
    uint64_t cycles = 0;
    history->bits = 64;
    history->formats = formats;
    history->low_first = true;
    int status = execute(&times, run, text, error);
    times.begins = malloc((program->nest_count + 1) * sizeof *times.begins);
    for (size_t i = 0; times.begins && i < program->nest_count; i++)
        times.begins[i] = UINT64_MAX;
    const struct model_options how = {
        .config = run->config, .documented = run->options.documented, .own = &times};
    if (status == 0)
        status = times.begins ? run_again(run, &how, &cycles) : -1;
    if (status == 0)
        settle(&times, cycles);
    free(times.begins);
    free(times.steps);
    return status;
}
