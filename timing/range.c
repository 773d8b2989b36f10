#include "timing/range.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/failure.h"

enum { MOST_THREADS = 16 };
#define NO_TOTAL UINT64_MAX

/* One run: a number, or all of them, at one of its ends. */
struct trial {
    const struct config *base; /* what is as in it, the rest; NULL: as configured */
    size_t param;              /* of the row; ALL; JOINT; SAMPLE */
    size_t
        choice; /* 0 and 1: least and greatest; of a text, joint settings or sample, its number */
    bool alone;
    uint64_t cycles; /* NO_TOTAL: these numbers make no chip */
};
#define ALL    SIZE_MAX
#define JOINT  (SIZE_MAX - 1)
#define SAMPLE (SIZE_MAX - 2)
enum { OPTIMISTIC, PESSIMISTIC };
enum { ALONE_AND_ENDS = 3 }; /* first runs: all optimistic, alone and not, and all pessimistic */

struct campaign {
    const struct range_subject *subject;
    struct trial *trials;
    size_t count, next;
    int status;
    pthread_mutex_t lock;
};

static size_t choices_of(const struct param *param)
{
    size_t count = 0;
    if (param->row->type != PARAM_TEXT)
        return 2;
    while (param->choices[count])
        count++;
    return count;
}

static bool varies(const struct param *param)
{
    if (!param->plausible || param->overridden)
        return false;
    return param->row->type == PARAM_TEXT ? choices_of(param) > 1
                                          : param->plausible_low < param->plausible_high;
}

/* Settings drawn from all plausible ranges; joint settings take their place. */
static size_t samples_of(const struct config *config)
{
    enum { SAMPLES = 1 }; /* for each number */
    size_t samples = 0;
    for (size_t i = 0; i < config->count && !config->joint.count; i++)
        if (varies(&config->params[i]))
            samples += SAMPLES;
    return samples;
}

/* Runs that range_find needs. */
static size_t runs_of(const struct config *config)
{
    size_t runs = ALONE_AND_ENDS + config->joint.count + samples_of(config);
    for (size_t i = 0; i < config->count; i++)
        if (varies(&config->params[i]))
            runs += choices_of(&config->params[i]);
    return runs;
}

bool range_is_cheap(const struct config *config, uint64_t events)
{
    enum { FEW = 12000000 }; /* events: a fraction of a second */
    const size_t first = runs_of(config) - config->joint.count / 2; /* they are worth more */
    const size_t runs = config->joint.count ? first : 2 * first;    /* those of the high end, too */
    return first > ALONE_AND_ENDS && events <= FEW / runs;
}

static void choose(struct param *param, size_t choice)
{
    if (param->row->type == PARAM_TEXT)
        param->text = param->choices[choice];
    else
        param->value = choice ? param->plausible_high : param->plausible_low;
    param->documented = param->value;
}

static void choose_end(struct param *param, bool pessimistic)
{
    if (param->row->type == PARAM_TEXT)
        choose(param, pessimistic ? choices_of(param) - 1 : 0);
    else
        choose(param, param->high_is_optimistic != pessimistic);
}

/* splitmix64 (Steele, Lea, Flood 2014): the state's next number, from 0 to 1. */
static double next_share(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Somewhere in the plausible range; in every other sample at one of its ends. */
static void choose_sample(struct param *param, bool end, uint64_t *state)
{
    const double share = next_share(state);
    if (end || param->row->type == PARAM_TEXT) {
        choose(param, (size_t)(share * (double)choices_of(param)));
        return;
    }
    const double span = param->plausible_high - param->plausible_low;
    param->value = param->row->type == PARAM_INTEGER
                       ? param->plausible_low + floor(share * (span + 1))
                       : param->plausible_low + share * span;
    param->documented = param->value;
}

/* The configuration of a run; without params the host has no memory. */
static struct config setting_of(const struct range_subject *subject, const struct trial *trial)
{
    struct config config = config_variant(trial->base ? trial->base : subject->config);
    if (!config.params)
        return config;
    if (trial->param == JOINT)
        config_apply_joint(subject->config, trial->choice, &config);
    uint64_t state = trial->choice;
    for (size_t i = 0; i < config.count; i++)
        if (varies(&config.params[i]) && trial->param == SAMPLE)
            choose_sample(&config.params[i], trial->choice % 2, &state);
        else if (varies(&config.params[i]) && trial->param == ALL)
            choose_end(&config.params[i], trial->choice == PESSIMISTIC);
        else if (trial->param == i)
            choose(&config.params[i], trial->choice);
    return config;
}

static int try(const struct range_subject *subject, struct trial *trial)
{
    struct config config = setting_of(subject, trial);
    if (!config.params)
        return -1;
    const int status = subject->retime(subject->context, &config, trial->alone, &trial->cycles);
    if (status > 0)
        trial->cycles = NO_TOTAL;
    free(config.params);
    return status < 0 ? -1 : 0;
}

/* Returns the campaign if its thread recorded a failure of the host. */
static void *work(void *context)
{
    struct campaign *campaign = context;
    const unsigned long before = failure_count_host();
    for (;;) {
        pthread_mutex_lock(&campaign->lock);
        const size_t i = campaign->status == 0 ? campaign->next++ : campaign->count;
        pthread_mutex_unlock(&campaign->lock);
        if (i >= campaign->count)
            return failure_count_host() != before ? campaign : NULL;
        if (try(campaign->subject, &campaign->trials[i]) != 0) {
            pthread_mutex_lock(&campaign->lock);
            campaign->status = -1;
            pthread_mutex_unlock(&campaign->lock);
        }
    }
}

/* Threads that cannot be made are done without. */
static int run_all(struct campaign *campaign, unsigned threads)
{
    pthread_t others[MOST_THREADS];
    unsigned made = 0;
    pthread_mutex_init(&campaign->lock, NULL);
    while (made + 1 < threads && made < MOST_THREADS &&
           pthread_create(&others[made], NULL, work, campaign) == 0)
        made++;
    work(campaign);
    for (unsigned t = 0; t < made; t++) {
        void *failed = NULL;
        pthread_join(others[t], &failed);
        if (failed)
            failure_note("out of memory");
    }
    pthread_mutex_destroy(&campaign->lock);
    return campaign->status;
}

static int by_effect(const void *a, const void *b)
{
    const struct range_row *x = a, *y = b;
    const uint64_t one = x->greatest - x->least, other = y->greatest - y->least;
    if (one != other)
        return one > other ? -1 : 1;
    return x->param < y->param ? -1 : 1;
}

static void take_row(struct range_row *row, const struct trial *trials, size_t count, uint64_t base)
{
    *row = (struct range_row){.param = trials[0].param, .least = base, .greatest = base};
    uint64_t least = NO_TOTAL, greatest = 0;
    for (size_t i = 0; i < count; i++) {
        if (trials[i].cycles == NO_TOTAL)
            continue;
        least = trials[i].cycles < least ? trials[i].cycles : least;
        greatest = trials[i].cycles > greatest ? trials[i].cycles : greatest;
    }
    if (least == NO_TOTAL)
        least = greatest = base;
    row->at_low = least;
    row->at_high = greatest;
    row->least = least < base ? least : base;
    row->greatest = greatest > base ? greatest : base;
}

/* Totals with joint settings and as configured: what they span, and at either end a part more,
 * since settings near those that were found explain the measurements, too, and measurements have
 * their own error. */
static void take_joint(struct range *range, const struct campaign *campaign, size_t first)
{
    enum { PART = 8, RESOLVED = 200 };
    const uint64_t cycles = campaign->subject->cycles;
    uint64_t least = cycles, greatest = cycles;
    for (size_t i = first; i < campaign->count; i++) {
        const uint64_t total = campaign->trials[i].cycles;
        if (total == NO_TOTAL)
            continue;
        least = total < least ? total : least;
        greatest = total > greatest ? total : greatest;
    }
    const uint64_t fine = greatest > least ? (greatest + RESOLVED - 1) / RESOLVED : 0,
                   off = (uint64_t)ceil(campaign->subject->config->joint.error * (double)greatest),
                   margin = (greatest - least + PART - 1) / PART + fine + off;
    const uint64_t low = least > margin ? least - margin : 0;
    range->low = low > range->low ? low : range->low;
    range->high = greatest + margin;
    range->joint = true;
}

static void take_rows(struct range *range, const struct campaign *campaign)
{
    const struct range_subject *subject = campaign->subject;
    const struct trial *trials = campaign->trials;
    range->known = true;
    range->high = subject->cycles;
    range->low = trials[0].cycles == NO_TOTAL ? 0 : trials[0].cycles;
    range->optimistic = trials[1].cycles == NO_TOTAL ? subject->cycles : trials[1].cycles;
    range->pessimistic = trials[2].cycles == NO_TOTAL ? subject->cycles : trials[2].cycles;
    for (size_t i = 0; i < campaign->count; i++)
        range->totals[i] = trials[i].cycles;
    for (size_t i = 1; i < campaign->count; i++)
        if (trials[i].cycles != NO_TOTAL && trials[i].cycles > range->high)
            range->high = trials[i].cycles;
    const size_t joint = subject->config->joint.count;
    const size_t rows_end = campaign->count - joint - samples_of(subject->config);
    for (size_t i = ALONE_AND_ENDS; i < rows_end;) {
        const struct param *param = &subject->config->params[trials[i].param];
        const size_t count = choices_of(param);
        struct range_row *row = &range->rows[range->count++];
        take_row(row, &trials[i], count, subject->cycles);
        row->name = param->row->name;
        row->first = i;
        row->count = count;
        if (param->row->type != PARAM_TEXT) {
            if (trials[i].cycles != NO_TOTAL)
                row->at_low = trials[i].cycles;
            if (trials[i + 1].cycles != NO_TOTAL)
                row->at_high = trials[i + 1].cycles;
        }
        i += count;
    }
    if (joint)
        take_joint(range, campaign, rows_end);
    if (range->count)
        qsort(range->rows, range->count, sizeof *range->rows, by_effect);
}

/* --- the high end ----------------------------------------------------------------------------- */

/* The longest setting so far. */
struct climb {
    const struct range_subject *subject;
    struct config best;
    uint64_t cycles;
    unsigned threads;
};

static bool is_at(const struct param *param, size_t choice)
{
    if (param->row->type == PARAM_TEXT)
        return strcmp(param->text, param->choices[choice]) == 0;
    const double end = choice ? param->plausible_high : param->plausible_low;
    return !(param->value < end || param->value > end);
}

static int longest_first(const void *a, const void *b)
{
    const struct trial *x = a, *y = b;
    const uint64_t one = x->cycles == NO_TOTAL ? 0 : x->cycles,
                   other = y->cycles == NO_TOTAL ? 0 : y->cycles;
    if (one != other)
        return one > other ? -1 : 1;
    if (x->param != y->param)
        return x->param < y->param ? -1 : 1;
    return (x->choice > y->choice) - (x->choice < y->choice);
}

/* Keep a change that makes it longer. */
static void take_change(struct climb *climb, const struct trial *trial)
{
    if (trial->cycles == NO_TOTAL || trial->cycles <= climb->cycles)
        return;
    choose(&climb->best.params[trial->param], trial->choice);
    climb->cycles = trial->cycles;
}

/* Each number moved alone to its other end, then those that made it longer together, the best
 * first. Returns 1 when something was kept, 0, or -1. */
static int climb_once(struct climb *climb, struct trial *trials)
{
    enum { TOGETHER = 8 };
    struct campaign campaign = {.subject = climb->subject, .trials = trials};
    const uint64_t before = climb->cycles;
    for (size_t i = 0; i < climb->best.count; i++) {
        const struct param *param = &climb->best.params[i];
        for (size_t c = 0; varies(param) && c < choices_of(param); c++)
            if (!is_at(param, c))
                trials[campaign.count++] =
                    (struct trial){.base = &climb->best, .param = i, .choice = c};
    }
    int status = run_all(&campaign, climb->threads);
    if (status != 0)
        return status;
    qsort(trials, campaign.count, sizeof *trials, longest_first);
    for (size_t k = 0; k < campaign.count && k < TOGETHER && status == 0; k++) {
        if (trials[k].cycles == NO_TOTAL || trials[k].cycles <= before)
            break;
        if (k > 0)
            status = try(climb->subject, &trials[k]);
        if (status == 0)
            take_change(climb, &trials[k]);
    }
    return status != 0 ? -1 : climb->cycles > before;
}

/* From the longest setting of all trials. */
static int find_high(struct range *range, const struct campaign *campaign, unsigned threads)
{
    enum { ROUNDS = 3 };
    const struct trial *longest = NULL;
    for (size_t i = 1; i < campaign->count; i++)
        if (campaign->trials[i].cycles != NO_TOTAL &&
            (!longest || campaign->trials[i].cycles > longest->cycles))
            longest = &campaign->trials[i];
    if (!longest || longest->cycles < range->high)
        return 0;
    struct climb climb = {.subject = campaign->subject,
                          .best = setting_of(campaign->subject, longest),
                          .cycles = longest->cycles,
                          .threads = threads};
    struct trial *trials = calloc(campaign->count, sizeof *trials);
    int status = climb.best.params && trials ? 1 : -1;
    for (unsigned r = 0; r < ROUNDS && status == 1; r++)
        status = climb_once(&climb, trials);
    range->high = climb.cycles;
    free(climb.best.params);
    free(trials);
    return status < 0 ? -1 : 0;
}

int range_find(struct range *range, const struct range_subject *subject, unsigned threads)
{
    const struct config *config = subject->config;
    const size_t runs = runs_of(config);
    struct campaign campaign = {.subject = subject, .trials = calloc(runs, sizeof(struct trial))};
    *range = (struct range){.rows = calloc(config->count + 1, sizeof *range->rows),
                            .totals = calloc(runs, sizeof *range->totals)};
    int status = -1;
    if (campaign.trials && range->rows && range->totals) {
        struct trial *trials = campaign.trials;
        trials[0] = (struct trial){.param = ALL, .choice = OPTIMISTIC, .alone = true};
        trials[1] = (struct trial){.param = ALL, .choice = OPTIMISTIC};
        trials[2] = (struct trial){.param = ALL, .choice = PESSIMISTIC};
        campaign.count = ALONE_AND_ENDS;
        for (size_t i = 0; i < config->count; i++)
            for (size_t c = 0; varies(&config->params[i]) && c < choices_of(&config->params[i]);
                 c++)
                trials[campaign.count++] = (struct trial){.param = i, .choice = c};
        for (size_t k = 0; k < samples_of(config); k++)
            trials[campaign.count++] = (struct trial){.param = SAMPLE, .choice = k};
        for (size_t k = 0; k < config->joint.count; k++)
            trials[campaign.count++] = (struct trial){.param = JOINT, .choice = k};
        status = run_all(&campaign, threads);
    }
    if (status == 0)
        take_rows(range, &campaign);
    if (status == 0 && !config->joint.count)
        status = find_high(range, &campaign, threads);
    free(campaign.trials);
    return status;
}

void range_free(struct range *range)
{
    free(range->rows);
    free(range->totals);
    range->rows = NULL;
    range->totals = NULL;
    range->count = 0;
}
