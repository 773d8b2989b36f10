#include "analysis/fit_next.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One program with all settings; a part of the work each. */
struct task {
    struct fit *fit;
    const struct fit_case *c;
    double *totals; /* by setting */
};

static void time_setting(void *context, size_t i, unsigned worker)
{
    const struct task *task = context;
    struct fit_model *model = &task->fit->model;
    const double *point = task->fit->settings.points + i * task->fit->space.count;
    fit_space_apply(&task->fit->space, point, &model->variants[worker]);
    task->totals[i] = NAN;
    if (!fit_is_stopped(model) &&
        fit_case_time(task->c, &model->variants[worker], false, &task->totals[i]) < 0)
        model->status = -1;
}

static int time_all(struct fit *fit, const struct fit_measurement *m, double *totals,
                    char error[FIT_ERROR])
{
    struct fit_case c;
    int status = fit_case_open(&c, fit->list->machine, fit->config, m, error);
    struct task task = {fit, &c, totals};
    if (status == 0) {
        workers_run(fit->model.workers, fit->settings.size, time_setting, &task);
        status = fit->model.status;
    }
    fit_case_close(&c);
    return status;
}

struct rank {
    double away, total;
};

static int by_away(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    return (x->away > y->away) - (x->away < y->away);
}

static double width_of(const struct rank *ranks, size_t count)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = ranks[i].total < least ? ranks[i].total : least;
        most = ranks[i].total > most ? ranks[i].total : most;
    }
    return most > least ? most - least : 0;
}

/* What is left of a program's range when the measurement's value is known: over the eighth of the
 * settings nearest to each. 1 when there is no range. */
static double left_of(const double *measurement, const double *program, size_t count,
                      struct rank *ranks)
{
    const size_t near = count / 8 + 2 < count ? count / 8 + 2 : count;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++)
            ranks[k] = (struct rank){fabs(measurement[k] - measurement[i]), program[k]};
        qsort(ranks, count, sizeof *ranks, by_away);
        /* Those that are as near as the last one are no better known. */
        size_t same = near;
        while (same < count && ranks[same].away <= ranks[near - 1].away)
            same++;
        sum += width_of(ranks, same);
    }
    for (size_t k = 0; k < count; k++)
        ranks[k] = (struct rank){0, program[k]};
    const double whole = width_of(ranks, count);
    return whole > 0 ? sum / (double)count / whole : 1;
}

static int by_left(const void *a, const void *b)
{
    const struct fit_next_row *x = a, *y = b;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static struct fit_measurement total_of(const char *program)
{
    static char quantity[] = "cycles";
    char *path = (char *)(uintptr_t)program; /* nothing is written there */
    return (struct fit_measurement){
        .program = path, .path = path, .quantity = quantity, .kind = FIT_CYCLES, .place = path};
}

int fit_next_check(const struct fit_list *list, const struct config *config,
                   const char *const *programs, size_t count, char error[FIT_ERROR])
{
    int status = 0;
    for (size_t p = 0; status == 0 && p < count; p++) {
        const struct fit_measurement m = total_of(programs[p]);
        struct fit_case c;
        status = fit_case_open(&c, list->machine, config, &m, error);
        fit_case_close(&c);
    }
    return status;
}

static bool varies(const double *totals, size_t size)
{
    size_t i = 1;
    while (i < size && totals[i] == totals[0])
        i++;
    return i < size;
}

/* What is left of the programs when one more is measured. */
static int add_row(struct fit_next *next, struct fit *fit, const struct fit_measurement *m,
                   const double *totals, size_t count, char error[FIT_ERROR])
{
    const size_t size = fit->settings.size;
    double *own = malloc((size + 1) * sizeof *own), sum = 0;
    struct rank *ranks = malloc((size + 1) * sizeof *ranks);
    const int status = own && ranks ? time_all(fit, m, own, error) : -1;
    for (size_t p = 0; status == 0 && p < count; p++)
        sum += left_of(own, totals + p * size, size, ranks);
    if (status == 0)
        next->rows[next->count] =
            (struct fit_next_row){m, next->count, count ? sum / (double)count : 1};
    next->count += status == 0;
    free(own);
    free(ranks);
    return status;
}

int fit_next_find(struct fit_next *next, struct fit *fit, const char *const *programs, size_t count,
                  char error[FIT_ERROR])
{
    const size_t size = fit->settings.size;
    double *totals = calloc(count * size + 1, sizeof *totals);
    *next = (struct fit_next){.count = 0};
    int status = fit_probes_list(&next->probes, fit->list->machine);
    next->rows = calloc(fit->list->count + next->probes.count + 1, sizeof *next->rows);
    if (!totals || !next->rows)
        status = -1;
    for (size_t p = 0; status == 0 && p < count; p++) {
        const struct fit_measurement m = total_of(programs[p]);
        status = time_all(fit, &m, totals + p * size, error);
        next->varies |= varies(totals + p * size, size);
    }
    for (size_t i = 0; status == 0 && i < fit->list->count; i++)
        if (!fit->list->items[i].known)
            status = add_row(next, fit, &fit->list->items[i], totals, count, error);
    for (size_t i = 0; status == 0 && i < next->probes.count; i++)
        if (add_row(next, fit, &next->probes.items[i], totals, count, error) < 0)
            status = -1; /* one that the chip refuses is left out */
    if (status == 0)
        qsort(next->rows, next->count, sizeof *next->rows, by_left);
    next->interrupted = fit_is_stopped(&fit->model);
    if (next->interrupted)
        next->count = 0;
    free(totals);
    return status;
}

void fit_next_free(struct fit_next *next)
{
    free(next->rows);
    fit_probes_free(&next->probes);
    *next = (struct fit_next){.count = 0};
}
