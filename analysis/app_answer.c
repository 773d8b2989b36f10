#include "analysis/app_answer.h"
#include "host/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- totals by other numbers ------------------------------------------------------------------ */

/* error: why there is none; or NULL. */
static int total_of(const struct app_how *how, uint64_t *cycles, char *error)
{
    struct app_time time;
    struct diag_list unsaid;
    diag_list_init(&unsaid);
    const int status = app_time(&time, how, &unsaid);
    *cycles = time.total;
    if (error)
        memcpy(error, time.turns.error, MACHINE_ERROR);
    app_time_free(&time);
    diag_list_free(&unsaid);
    return status;
}

int app_answer_retime(void *context, const struct config *config, bool alone, uint64_t *cycles)
{
    const struct app_answer *answer = context;
    struct app_how how = answer->how;
    how.config = config;
    how.given = answer->how.config;
    how.alone = alone;
    how.shown = how.every_turn = false;
    const int status = total_of(&how, cycles, NULL);
    const double clock = config_number(answer->how.config, "clock_hz", false),
                 other = config_number(config, "clock_hz", false);
    if (status == 0 && alone && how.app->machine->timing->in_time && other > clock)
        *cycles = (uint64_t)floor((double)*cycles * (clock / other));
    return status;
}

int app_answer_range(const struct app_answer *answer, unsigned threads, struct range *range)
{
    const struct range_subject subject = {.config = answer->how.config,
                                          .cycles = answer->time.total,
                                          .retime = app_answer_retime,
                                          .context = (void *)answer};
    return range_find(range, &subject, threads);
}

int app_answer_bound(const struct app_answer *answer, enum bound_class class, uint64_t *cycles,
                     char error[MACHINE_ERROR])
{
    struct app_how how = answer->how;
    how.bound = &class;
    how.shown = how.every_turn = false;
    return total_of(&how, cycles, error);
}

static int find_documented(struct app_answer *answer)
{
    struct run_options options = *answer->how.options;
    struct app_how how = answer->how;
    options.documented = true;
    how.options = &options;
    how.shown = how.every_turn = false;
    return total_of(&how, &answer->documented, NULL);
}

/* --- where the cycles go ---------------------------------------------------------------------- */

static int by_cycles(const void *a, const void *b)
{
    const struct app_part *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return x->reason < y->reason ? -1 : x->reason > y->reason;
}

static void add_part(struct app_answer *answer, struct app_part part)
{
    size_t i = 0;
    while (i < answer->part_count &&
           (answer->parts[i].kind != part.kind || answer->parts[i].unit != part.unit ||
            answer->parts[i].reason != part.reason))
        i++;
    if (i == answer->part_count)
        answer->parts[answer->part_count++] =
            (struct app_part){part.kind, part.unit, part.reason, 0};
    answer->parts[i].cycles += part.cycles;
}

/* Of a transfer the latency alone; the rest is its bytes. */
static uint64_t latency_of(const struct app_how *how)
{
    return app_transfer_cycles(how, 0);
}

static int find_parts(struct app_answer *answer)
{
    const struct app_time *time = &answer->time;
    const struct app *app = answer->how.app;
    answer->parts = calloc((time->turns.unit_count + 1) * REASON_MAX + 2, sizeof *answer->parts);
    if (!answer->parts)
        return -1;
    for (size_t s = 0; s < app->count; s++) {
        const uint64_t exposed = time->sums[s].exposed;
        if (app->steps[s].kind == APP_RUN || app->steps[s].kind == APP_REPEAT || !exposed)
            continue;
        const uint64_t one = app_transfer_cycles(&answer->how, app->steps[s].bytes);
        const uint64_t latency = exposed / one * latency_of(&answer->how);
        if (latency)
            add_part(answer, (struct app_part){APP_LATENCY, NONE_ID, 0, latency});
        if (exposed > latency)
            add_part(answer, (struct app_part){APP_BANDWIDTH, NONE_ID, 0, exposed - latency});
    }
    for (size_t r = 0; r < time->row_count; r++) {
        const struct app_turn *turn = &time->turns.turns[time->rows[r].turn];
        for (size_t i = 0; time->rows[r].exposed && i < turn->path_count; i++)
            add_part(answer, (struct app_part){APP_UNIT, turn->path[i].unit, turn->path[i].reason,
                                               turn->path[i].cycles * time->rows[r].exposed});
    }
    if (answer->part_count)
        qsort(answer->parts, answer->part_count, sizeof *answer->parts, by_cycles);
    return 0;
}

static int by_busy(const void *a, const void *b)
{
    const struct app_busy *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int find_busy(struct app_answer *answer)
{
    const struct app_time *time = &answer->time;
    const size_t units = time->turns.unit_count;
    const double all = (double)time->total * answer->how.app->boards;
    answer->busy = calloc(units + 1, sizeof *answer->busy);
    if (!answer->busy)
        return -1;
    for (size_t u = 0; u < units; u++)
        answer->busy[u].name = time->turns.units[u].name;
    for (size_t r = 0; r < time->row_count; r++) {
        const struct app_turn *turn = &time->turns.turns[time->rows[r].turn];
        for (size_t i = 0; i < turn->busy_count; i++)
            answer->busy[turn->busy[i].unit].cycles += turn->busy[i].cycles * time->rows[r].turns;
    }
    answer->busy_count = units;
    if (time->host)
        answer->busy[answer->busy_count++] = (struct app_busy){.name = "host", time->host, 0};
    for (size_t u = 0; u < answer->busy_count; u++)
        answer->busy[u].share = all > 0 ? (double)answer->busy[u].cycles / all : 0;
    qsort(answer->busy, answer->busy_count, sizeof *answer->busy, by_busy);
    return 0;
}

/* In events of the kernel: a turn has to be opened and closed, too. */
static uint64_t work_of(const struct app_turns *turns)
{
    enum { OPENING = 6000 };
    return turns->events + OPENING * turns->simulated;
}

/* --- the answer ------------------------------------------------------------------------------- */

int app_answer_find(struct app_answer *answer, unsigned threads, struct diag_list *fault)
{
    int status = app_time(&answer->time, &answer->how, fault);
    answer->documented = answer->time.total;
    if (status == 0)
        status = find_parts(answer) || find_busy(answer) ? -1 : 0;
    if (status == 0 && !answer->how.options->documented)
        status = find_documented(answer);
    if (status == 0 && !answer->how.options->documented && !answer->how.options->no_range &&
        range_is_cheap(answer->how.config, work_of(&answer->time.turns)))
        status = app_answer_range(answer, threads, &answer->range);
    answer->whole = status == 0;
    return status;
}

void app_answer_free(struct app_answer *answer)
{
    app_time_free(&answer->time);
    range_free(&answer->range);
    free(answer->parts);
    free(answer->busy);
    answer->parts = NULL;
    answer->busy = NULL;
}

const char *app_part_name(const struct app_answer *answer, const struct app_part *part,
                          char text[APP_TEXT])
{
    const struct machine_timing *timing = answer->how.app->machine->timing;
    const char *unit = part->unit == NONE_ID ? "chip" : answer->time.turns.units[part->unit].name;
    if (part->kind == APP_UNIT)
        snprintf(text, APP_TEXT, "%s %s", unit, timing->reasons[part->reason].name);
    else
        snprintf(text, APP_TEXT, "host %s", part->kind == APP_LATENCY ? "latency" : "bandwidth");
    return text;
}

static double percent(const struct app_answer *answer, uint64_t cycles)
{
    return answer->time.total ? 100 * (double)cycles / (double)answer->time.total : 0;
}

const char *app_answer_limit(const struct app_answer *answer, char text[APP_LIMIT])
{
    const struct app *app = answer->how.app;
    uint64_t host = 0, runs = 0;
    size_t most = app->count;
    for (size_t s = 0; s < app->count; s++)
        *(app->steps[s].kind == APP_RUN ? &runs : &host) += answer->time.sums[s].exposed;
    for (size_t s = 0; s < app->count; s++)
        if ((app->steps[s].kind == APP_RUN) == (runs >= host) &&
            (most == app->count || answer->time.sums[s].exposed > answer->time.sums[most].exposed))
            most = s;
    if (most == app->count || !answer->time.total) {
        snprintf(text, APP_LIMIT, "nothing takes time");
        return text;
    }
    const struct app_step *step = &app->steps[most];
    const double share = percent(answer, answer->time.sums[most].exposed);
    char part[APP_TEXT + 32] = "";
    for (size_t i = 0; i < answer->part_count && !*part; i++)
        if ((answer->parts[i].kind == APP_UNIT) == (runs >= host))
            snprintf(part + strlen(app_part_name(answer, &answer->parts[i], part)), 32, " %.1f %%",
                     percent(answer, answer->parts[i].cycles));
    const char *path = step->kind == APP_RUN ? app->programs[step->program].path : "";
    snprintf(text, APP_LIMIT, "%s-bound (%.80s, line %u: %.1f %%%s%.80s)",
             runs >= host ? "run" : "host", *path ? path_base(path) : app_kind_name(step->kind),
             step->line, share, *part ? "; " : "", part);
    return text;
}
