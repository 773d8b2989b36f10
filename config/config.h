/*
 * config: the parameters of one chip. Each machine lists the parameters of its model as rows of
 * timing/<m>/param.def (names and types); the values are in config/<m>/<chip>.yaml, each with unit,
 * range, provenance and source. Values that are neither documented nor public also have a plausible
 * range and its reason. A missing, unknown, repeated or out-of-range parameter is an error with
 * file:line:column and a suggestion.
 *
 *   clock_hz:
 *     value: 750000000
 *     unit: Hz
 *     low: 1
 *     high: 10000000000
 *     provenance: measured          # documented | public | measured | inferred | assumed
 *     documented: 1e9               # the best value the documents permit; only if assumed or
 *                                   # inferred
 *     plausible: [7e8, 8e8]         # range of the hardware's value; of a text, its choices
 *     optimistic: high              # which end is faster; of a text the first choice
 *     reason: "why these ends"
 *     source: "public figure, design note 4"
 *
 * A chip file that was fitted to measurements (takt fit) also keeps settings that explain them, as
 * far apart as they were found: of two numbers of which a measurement sees only the sum, the ranges
 * of both stay wide and the sum is known.
 *
 *   joint:
 *     parameters: [start_latency, end_latency]
 *     settings:
 *     - 4 28
 *     - 20 12
 *     error: 0.02                   # share by which what was measured may be off; default 0
 */
#ifndef TAKT_CONFIG_CONFIG_H
#define TAKT_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum param_type { PARAM_INTEGER, PARAM_REAL, PARAM_TEXT };
enum provenance {
    PROVENANCE_DOCUMENTED, /* in the machine's documents */
    PROVENANCE_PUBLIC,     /* published elsewhere, as its source states */
    PROVENANCE_MEASURED,
    PROVENANCE_INFERRED, /* follows from what is documented */
    PROVENANCE_ASSUMED,
    PROVENANCE_COUNT
};

/* One row of a machine's param.def. */
struct param_row {
    const char *name;
    enum param_type type;
    const char *sentence; /* its description */
};

struct param {
    const struct param_row *row;
    enum provenance provenance;
    double value, low, high; /* for INTEGER and REAL; integers are exact up to 2^53 */
    double documented; /* the value under --documented; equals value unless assumed or inferred */
    char *text;        /* for TEXT */
    char *documented_text; /* for TEXT; NULL: equals text */
    char *unit, *source;
    bool overridden; /* set by --set or --config */
    bool plausible;  /* it has a plausible range, or choices */
    bool high_is_optimistic;
    double plausible_low, plausible_high;
    char **choices; /* for TEXT, NULL-terminated, the optimistic choice first */
    char *reason;
};

/* Settings of some parameters together. */
struct config_joint {
    size_t width;   /* parameters of each */
    size_t *params; /* indices */
    double *values; /* count * width; of a text, the index of its choice */
    size_t count;   /* 0: none are known */
    double error;   /* share of a total, 0 to 1 */
};

struct config {
    const struct param_row *rows;
    size_t count;
    struct param *params; /* in the order of rows */
    struct config_joint joint;
};

struct config_file {
    const char *name; /* for messages */
    const char *text;
    size_t size;
};

/* Read a chip file for the given rows. Returns 0, 1 with a message (file:line:column: ...), -1 when
 * memory is out. */
int config_read(struct config *config, const struct param_row *rows, size_t count,
                const struct config_file *file, char *error, size_t error_size);
/* Overlay: a file that may omit parameters and may give only `value`. Its ranges may be narrower
 * than the current ones, not wider. */
int config_overlay(struct config *config, const struct config_file *file, char *error,
                   size_t error_size);
/* --set KEY=VALUE. Returns 0, or 1 with a message and a suggestion. */
int config_set(struct config *config, const char *assignment, char *error, size_t error_size);
void config_free(struct config *config);

/* Setting k of config->joint in a variant of the configuration; what was overridden stays. */
void config_apply_joint(const struct config *config, size_t k, struct config *variant);

/* The index of a parameter; config->count: no parameter has the name. */
size_t config_row(const struct config *config, const char *name);
/* That of the name as a real; 0 if there is none. */
double config_number(const struct config *config, const char *name, bool documented);
/* The value by index of the row; documented selects the --documented value. */
double config_real(const struct config *config, size_t index, bool documented);
uint64_t config_integer(const struct config *config, size_t index, bool documented);
const char *config_text(const struct config *config, size_t index, bool documented);
/* A copy of the parameters whose values can be changed independently; it owns only `params`, to be
 * freed with free(). NULL params: memory is out. */
struct config config_variant(const struct config *config);
/* Whether a parameter is of the host (config/host.def), which the run of a program does not read.
 */
bool config_of_host(const struct param_row *row);
/* config_variant in which these do not vary. */
struct config config_without_host(const struct config *config);

/* Hash over all values: the machine hash in a trace. */
uint64_t config_hash(const struct config *config);

extern const char *const provenance_name[PROVENANCE_COUNT];

#endif
