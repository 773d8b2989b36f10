/* history: what a register or words of memory held during a run: the program is executed and timed
 * again, one instruction at a time. Each instruction that writes the place is one write, with the
 * value in the order of the program. */
#include "timing/history.h"

#include <stdlib.h>

#include "host/grow.h"
#include "timing/kelvin/values.h"

struct kelvin_times {
    struct history *history;
    const char *spec;
    char file; /* 'x', 'v', 'm' */
    unsigned reg;
    uint64_t low, high; /* bytes of memory */
    uint64_t *sequence; /* of each write that a vector operation makes; else UINT64_MAX */
    size_t capacity;
    bool executed; /* the last write is of the step that is not dispatched yet */
    bool failed;   /* memory is out */
};

/* --- the place -------------------------------------------------------------------------------- */

static int parse(struct kelvin_times *t, struct kelvin_exec *start, const char *text,
                 struct history *history, char error[MACHINE_ERROR])
{
    const struct place_owner owner = kelvin_exec_places(start);
    struct place place;
    if (place_find(&owner, text, HISTORY_WORDS, &place, error, MACHINE_ERROR) != 0)
        return 1;
    const uint64_t each = KELVIN_BYTES / 8;
    *t = (struct kelvin_times){.history = history, .spec = text, .file = *text};
    t->reg = (unsigned)(*text == 'v' ? place.at / each : place.index);
    t->low = 8 * place.at;
    t->high = t->low + 8 * place.count;
    history->words = place.count;
    history->bits = *text == 'x' ? 32 : 64;
    if ((*text == 'x' && place.count == 1) || *text == 'm' ||
        (place.at + place.count - 1) / each == t->reg)
        return 0;
    snprintf(error, MACHINE_ERROR, "'%.100s' is more than one register", text);
    return 1;
}

/* --- writes ----------------------------------------------------------------------------------- */

static bool overlaps(const struct kelvin_times *t, uint32_t address, uint32_t bytes)
{
    return bytes && address < t->high && t->low < (uint64_t)address + bytes;
}

static bool stores(const struct kelvin_times *t, const struct kelvin_cost *cost,
                   const struct kelvin_step *step)
{
    struct kelvin_flight f;
    if (cost->class == KELVIN_STORE)
        return overlaps(t, step->address, cost->bytes);
    if (cost->class != KELVIN_TO_VECTOR || cost->unit != KELVIN_UNIT_LDST || cost->v_writes)
        return false;
    kelvin_flight_fill(&f, cost, step);
    for (uint32_t i = 0; i < f.pieces; i++)
        if (overlaps(t, f.address + i * f.stride, i + 1 == f.pieces ? f.last : f.piece))
            return true;
    return false;
}

static bool writes(const struct kelvin_times *t, const struct kelvin_model *m,
                   const struct kelvin_step *step)
{
    const struct kelvin_cost *cost = &m->cost[step->stmt];
    struct kelvin_flight f;
    if (t->file == 'm')
        return stores(t, cost, step);
    if (t->file == 'x')
        return cost->x_writes >> t->reg & 1;
    if (cost->class != KELVIN_TO_VECTOR)
        return false;
    kelvin_flight_fill(&f, cost, step);
    return f.writes >> t->reg & 1;
}

static int read_words(const struct kelvin_times *t, struct kelvin_exec *exec, uint64_t *words)
{
    char unsaid[MACHINE_ERROR];
    const struct place_owner owner = kelvin_exec_places(exec);
    struct place place;
    if (place_find(&owner, t->spec, HISTORY_WORDS, &place, unsaid, sizeof unsaid) != 0)
        return -1;
    place_words(&place, words);
    return 0;
}

void kelvin_history_executed(struct kelvin_model *m, struct kelvin_exec *exec)
{
    struct kelvin_times *t = m->base.options.own;
    const struct kelvin_step *step = &m->steps[m->step_count - 1];
    if (!writes(t, m, step))
        return;
    uint64_t *sequence = grow(t->sequence, &t->capacity, t->history->count + 1, sizeof *sequence);
    struct history_write *write = sequence ? history_add(t->history) : NULL;
    if (sequence)
        t->sequence = sequence;
    t->failed |= !write || read_words(t, exec, write->words) != 0;
    if (!write) {
        m->base.status = -1;
        return;
    }
    sequence[t->history->count - 1] = UINT64_MAX;
    write->stmt = step->stmt;
    t->executed = true;
}

void kelvin_history_dispatched(struct kelvin_model *m, uint64_t at, uint64_t done)
{
    struct kelvin_times *t = m->base.options.own;
    if (!t->executed)
        return;
    const size_t last = t->history->count - 1;
    struct history_write *write = &t->history->writes[last];
    const struct kelvin_cost *cost = &m->cost[write->stmt];
    t->executed = false;
    write->issued = at;
    write->first = write->readable = done;
    if (cost->class != KELVIN_TO_VECTOR || t->file == 'x')
        return;
    t->sequence[last] = m->dispatched; /* kelvin_vector_push follows */
    write->first = UINT64_MAX;
    write->readable = 0;
}

/* --- what the vector side writes -------------------------------------------------------------- */

static void landed(struct kelvin_times *t, uint64_t sequence, uint64_t at)
{
    for (size_t i = t->history->count; i-- > 0;)
        if (t->sequence[i] == sequence) {
            struct history_write *write = &t->history->writes[i];
            write->first = at < write->first ? at : write->first;
            write->readable = at > write->readable ? at : write->readable;
            return;
        }
}

void kelvin_history_registers(struct kelvin_model *m, const struct kelvin_flight *f, uint64_t set,
                              uint64_t at)
{
    struct kelvin_times *t = m->base.options.own;
    if (t && t->file == 'v' && set >> t->reg & 1)
        landed(t, f->sequence, at);
}

void kelvin_history_memory(struct kelvin_model *m, const struct kelvin_flight *f, uint32_t address,
                           uint32_t bytes, uint64_t at)
{
    struct kelvin_times *t = m->base.options.own;
    if (t && t->file == 'm' && overlaps(t, address, bytes))
        landed(t, f->sequence, at);
}

/* --- the history ------------------------------------------------------------------------------ */

static const struct history_format formats[] = {{"int32", 32, history_int32, true},
                                                {"int16", 16, history_int16, true},
                                                {"int8", 8, history_int8, true},
                                                {NULL, 0, NULL, false}};

int kelvin_history(struct machine_run *run, const char *text, struct history *history,
                   char error[MACHINE_ERROR])
{
    struct kelvin_exec *start = ((const struct kelvin_values *)run->own)->start;
    struct kelvin_times times;
    uint64_t cycles;
    int status = parse(&times, start, text, history, error);
    if (status != 0)
        return status;
    history->formats = formats;
    history->low_first = true;
    status = read_words(&times, start, history->start);
    const struct model_options how = {
        .config = run->config, .documented = run->options.documented, .own = &times};
    if (status == 0)
        status = run_again(run, &how, &cycles);
    free(times.sequence);
    return status == 0 && !times.failed ? 0 : -1;
}
