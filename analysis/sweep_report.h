/*
 * sweep_report: what a merged sweep says.
 *
 *   FOLDER/sweep.db --sweep_report_open--> tables --print, csv, json, html-->
 *
 * A design is a setting of chip, options and parameters. Its quantities are means over the
 * programs; a design of which some program has no result is not ranked.
 *
 *   worth    of each parameter: cycles divided by their mean over the program's points, so that
 *            long and short programs count alike; the mean of that for each value, the others
 *            varying; the share of the variance that these means explain
 *   totals   over each value of each parameter
 *   front    designs that no other beats in one of two quantities without losing in the other
 *   best     designs by one quantity
 *   failures by message
 *
 * Of a parameter with more than eight values, eight groups of neighbouring values are shown.
 */
#ifndef TAKT_ANALYSIS_SWEEP_REPORT_H
#define TAKT_ANALYSIS_SWEEP_REPORT_H

#include "analysis/sweep_folder.h"

struct sweep_report_options {
    const char *by, *pareto; /* "A,B"; NULL: as the spec says */
    uint64_t best;
};

enum sweep_section {
    SWEEP_WORTH,
    SWEEP_TOTALS,
    SWEEP_FRONT,
    SWEEP_BEST,
    SWEEP_FAILURES,
    SWEEP_SECTIONS
};

struct sweep_report {
    const struct sweep_folder *folder;
    sqlite3 *db;
    char *by, *pareto[2]; /* as given; pareto NULL: no front */
    int64_t points, failed, programs, designs;
    char *columns; /* of a design: ", \"chip\", \"NAME\".." of what varies */
    uint64_t best;
};

/* Returns 0; with a sentence 1 for what the user names, -1 when the host failed. Close it in every
 * case. */
int sweep_report_open(struct sweep_report *report, const struct sweep_folder *folder,
                      const struct sweep_report_options *options, char error[SWEEP_ERROR]);
void sweep_report_close(struct sweep_report *report);

extern const char *const sweep_section_name[SWEEP_SECTIONS];
extern const char *const sweep_section_title[SWEEP_SECTIONS];
/* The rows of a section; NULL: it has none. To be finalized. */
sqlite3_stmt *sweep_report_rows(const struct sweep_report *report, enum sweep_section section,
                                int *rc);

/* These return 0, or -1 where something could not be read or written. */
int sweep_report_print(const struct sweep_report *report, int width, FILE *out);
int sweep_report_csv(const struct sweep_report *report, FILE *out); /* every point */
int sweep_report_json(const struct sweep_report *report, FILE *out);
int sweep_report_html(const struct sweep_report *report, FILE *out); /* sweep_html.c */

#endif
