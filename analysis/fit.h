/*
 * fit: what measurements say of a machine's unpublished numbers.
 *
 *   measurements, numbers with plausible ranges --fit_find--> struct fit
 *       which numbers each measurement can see
 *       settings that explain all, or come near, spread as far as they were found
 *       for each number the values in these, and those that bounds leave (a lower bound above the
 *         measurement excludes)
 *       without such a setting: measurements that contradict each other
 *       each measurement as the others alone predict it
 *   struct fit --fit_print_text, fit_json, fit_print_html, fit_make_chip--> answers
 */
#ifndef TAKT_ANALYSIS_FIT_H
#define TAKT_ANALYSIS_FIT_H

#include <stdio.h>

#include "analysis/fit_search.h"

enum fit_verdict {
    FIT_EXPLAINED,   /* a setting explains all, within their tolerances */
    FIT_NEARLY,      /* the nearest setting misses by what the search cannot resolve */
    FIT_CONTRADICTS, /* the nearest setting misses by more */
    FIT_NOTHING      /* no measurement has a value */
};

/* A measurement that has a value; in the order of the list. */
struct fit_row {
    double predicted, excess; /* of the fit: the chosen setting */
    double low, high;         /* of all settings found */
    double spread;            /* over the whole box, as points of it were tried */
    double tried[2];          /* least and most of all that was tried of the box, and kept */
    bool unreached;           /* none explains all, and nothing tried comes up or down to it */
    bool impossible;          /* proven: no setting of the plausible ranges gives it */
    bool conflicts;           /* the nearest setting misses it, and none explains all */
    bool alone;               /* without it a setting explains the others */
    bool undecided;           /* in a contradiction no search without it explained the others */
    bool repeated;            /* another part has the same quantity of the same run */
    double others;            /* least cost of the others without it, as a search found it */
    double left_out, left_low, left_high; /* by the others alone; NAN: not known */
    double *effect; /* by axis: largest change of the prediction over the axis */
};

struct fit_number {
    double value;    /* of the chosen setting */
    double inner[2]; /* over all settings kept */
    double outer[2]; /* what bounds leave */
    bool seen;       /* where fit.sensed */
    bool *choices;   /* of a text: which bounds leave */
    bool *kept;      /* of a text: which the settings kept have */
};

/* Numbers that the kept settings trade against each other: one is high where the other is low. Of
 * other settings, which were not found, the sum may be another. */
struct fit_group {
    size_t axes[4];
    size_t count;
    double low, high; /* of their sum, over all settings kept */
};

struct fit_options {
    unsigned threads;
    uint64_t seed;
    unsigned effort; /* 100: as usual */
    bool (*stopped)(void *context);
    void *context;                      /* of stopped */
    void (*progress)(unsigned percent); /* after each round of the search; or NULL */
};

struct fit {
    const struct fit_list *list;
    const struct config *config;
    struct fit_options options;
    struct fit_space space;
    struct fit_case *cases; /* those with a value */
    size_t count;
    size_t *parts; /* by case: which of the parts that are left out in turn */
    size_t part_count;
    struct fit_model model;
    struct fit_set pool;     /* of the whole box */
    struct fit_set settings; /* kept: they explain all, or come near */
    size_t explaining;       /* of these, how many explain all */
    struct fit_set near;     /* the nearest of the search for all */
    size_t chosen;
    double reach; /* the cost that these do not exceed */
    enum fit_verdict verdict;
    struct fit_row *rows;
    struct fit_number *numbers; /* by axis */
    struct fit_group *groups;
    size_t group_count;
    bool sensed; /* it is known which numbers a measurement sees */
    bool interrupted;
};

/* config: of the list's machine, with its chip laid over; stands until fit_free. Returns 0; 1 with
 * a sentence, also where it was interrupted before a setting was found; -1 when the host failed.
 * Free it in every case. */
int fit_find(struct fit *fit, const struct fit_list *list, const struct config *config,
             const struct fit_options *options, char error[FIT_ERROR]);
void fit_free(struct fit *fit);

/* Whether the chip file may call its numbers measured. */
bool fit_is_explained(const struct fit *fit);

/* Measurements that were predicted by the others alone. */
struct fit_score {
    size_t count, inside; /* inside: the range of that prediction, where it is not open */
    size_t open;          /* of these the others leave nearly all that was tried of the box */
    double mean, largest; /* errors of those above 0, per cent */
};
struct fit_score fit_left_out(const struct fit *fit);
const char *fit_verdict_words(const struct fit *fit);

int fit_print_text(const struct fit *fit, FILE *out);
struct json_t;
struct json_t *fit_json(const struct fit *fit);
int fit_print_html(const struct fit *fit, FILE *out);
/* A chip file to be laid over the machine's; it was read back. Returns 0; 1 with a sentence when
 * the machine refuses it; -1 when the host failed. *text is NULL or to be freed in every case. */
int fit_make_chip(const struct fit *fit, char **text, size_t *size, char error[FIT_ERROR]);

#endif
