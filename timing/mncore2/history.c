/* history: what a place held during a run: the stream is timed again for the cycles of issue, and
 * the program executed again, statement by statement, for the values. */
#include "timing/history.h"

#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/watch.h"
#include "timing/mncore2/again.h"

struct search {
    const struct mncore2_run *run; /* complete */
    struct watch watch;
    struct arrivals times; /* at, finished: of every item */
    struct history *history;
    uint64_t latest; /* when all writes so far can be read */
};

/* --- times ------------------------------------------------------------------------------------ */

static int take_arrivals(struct machine_model *model)
{
    mncore2_lane_arrivals((const struct lane *)model);
    return 0;
}

static int find_times(struct search *s)
{
    const size_t count = s->run->program->item_count;
    uint64_t cycles;
    s->times = (struct arrivals){.program = s->run->program,
                                 .count = count,
                                 .at = calloc(count + 1, sizeof *s->times.at),
                                 .finished = calloc(count + 1, sizeof *s->times.finished)};
    if (!s->times.at || !s->times.finished)
        return -1;
    struct again again = {.arrivals = &s->times};
    const struct model_options how = {.config = s->run->config,
                                      .documented = s->run->options.documented,
                                      .own = &again,
                                      .done = take_arrivals};
    return run_again(s->run->shared, &how, &cycles);
}

/* What a step writes in its cycle i can be read from L + i + 1 cycles after its issue on. */
static void land(const struct search *s, const struct watch_write *from,
                 struct history_write *write)
{
    const enum hazard_kind kind = mncore2_landing_kind(from->space, from->side, from->multicast);
    const uint64_t latency = kind == KIND_COUNT ? 0 : s->run->landing[kind];
    for (unsigned i = 0; i < CYCLES; i++) {
        if (!(from->cycles >> i & 1))
            continue;
        const uint64_t at = write->issued + latency + i + 1;
        write->first = at < write->first ? at : write->first;
        write->readable = at > write->readable ? at : write->readable;
    }
}

/* --- values ----------------------------------------------------------------------------------- */

static int add(struct search *s, size_t item, const struct watch_write *from, size_t count,
               const uint64_t value[2])
{
    const struct program *program = s->run->program;
    const struct stmt *stmt = &program->stmts[program->items[item].stmt];
    struct history_write *write = history_add(s->history);
    if (!write)
        return -1;
    *write = (struct history_write){.stmt = (uint32_t)item,
                                    .issued = s->times.at[item],
                                    .first = UINT64_MAX,
                                    .words = {value[0], value[1]}};
    for (size_t i = 0; stmt->kind == STMT_STEP && i < count; i++)
        land(s, &from[i], write);
    if (stmt->kind == STMT_MV)
        write->first = write->readable = s->times.finished[item];
    else if (stmt->kind != STMT_STEP) /* the host writes when everything is there */
        write->first = write->readable = write->issued > s->latest ? write->issued : s->latest;
    s->latest = write->readable > s->latest ? write->readable : s->latest;
    return 0;
}

static int follow_item(struct search *s, struct exec *exec, size_t item, struct diag_list *diags)
{
    const struct program *program = s->run->program;
    struct watch_write writes[WATCH_WRITES];
    uint64_t before[2], after[2];
    const size_t count =
        mncore2_watch_writes(exec, &s->watch, &program->stmts[program->items[item].stmt], writes);
    bool maybe = true;
    for (size_t i = 0; i < count; i++)
        maybe &= writes[i].maybe;
    if (count)
        mncore2_watch_read(exec, &s->watch, before);
    const int status = mncore2_exec_item(exec, program, item, diags);
    if (status != 0 || !count)
        return status;
    mncore2_watch_read(exec, &s->watch, after);
    return maybe && memcmp(before, after, sizeof before) == 0 ? 0
                                                              : add(s, item, writes, count, after);
}

static int follow(struct search *s, struct diag_list *diags, char error[MACHINE_ERROR])
{
    struct machine_run *again;
    int status = run_values(s->run->shared, &again, diags, error);
    if (status != 0)
        return status;
    struct exec *exec = ((struct mncore2_run *)again->own)->exec;
    mncore2_watch_read(exec, &s->watch, s->history->start);
    for (size_t i = 0; i < s->run->program->item_count && status == 0; i++)
        status = follow_item(s, exec, i, diags);
    run_close(again);
    return status;
}

static double single_value(uint64_t bits)
{
    return mncore2_single_value((uint32_t)bits);
}

static double half_value(uint64_t bits)
{
    return mncore2_half_value((uint16_t)bits);
}

static const struct history_format formats[] = {{"double", 64, mncore2_double_value, false},
                                                {"single", 32, single_value, false},
                                                {"half", 16, half_value, false},
                                                {NULL, 0, NULL, false}};

int mncore2_history(struct machine_run *shared, const char *text, struct history *history,
                    char error[MACHINE_ERROR])
{
    struct search s = {.run = shared->own, .history = history};
    int status = mncore2_watch_parse(&s.watch, text, error, MACHINE_ERROR);
    if (status != 0)
        return status;
    history->formats = formats;
    history->bits = s.watch.words == 1 ? 32 : 64;
    history->words = s.watch.words == 4 ? 2 : 1;
    struct diag_list unsaid;
    diag_list_init(&unsaid);
    status = find_times(&s);
    if (status == 0)
        status = follow(&s, &unsaid, error);
    if (status > 0 && !error[0] && unsaid.count)
        snprintf(error, MACHINE_ERROR, "%.*s", MACHINE_ERROR - 1, unsaid.items[0].message);
    mncore2_arrivals_free(&s.times);
    diag_list_free(&unsaid);
    return status;
}
