/*
 * diff_run: one side of takt diff, from a program that is run in this process or from a trace.
 *
 *   struct diff_input --diff_input_open--> machine --diff_input_read--> struct diff_side
 *                                                   --diff_input_values--> what both computed
 */
#ifndef TAKT_CLI_DIFF_RUN_H
#define TAKT_CLI_DIFF_RUN_H

#include "analysis/diff_print.h"
#include "cli/session.h"
#include "traces/sinks.h"

struct diff_options {
    struct session both;     /* options of both programs */
    struct cli_list compare; /* "get", "state" or SPEC of --save */
    bool pictures;           /* keep what a page draws */
};

enum { DIFF_SETTINGS = 32 };

struct diff_input {
    struct machine_setting settings[DIFF_SETTINGS + 1]; /* of its run */
    const char *path;
    struct cli_list sets; /* of this side alone */
    sqlite3 *trace;       /* NULL: a program */
    struct session session;
    struct diff_stream stream;
    struct tee_sink tee;
    struct diff_side side;
    bool has_values; /* a program that was run with them */
    FILE *dump;      /* what d get printed */
    char state[17];  /* hash of the final state; "" where it is not known */
    char **saved;    /* names of the files of --compare, by place in that list; NULL: no range */
    size_t saved_count;
    char *data; /* what a page draws of it (analysis/page_data.h), or NULL */
};

/* Return an exit code after saying why. */
int diff_input_open(struct diff_input *input, const struct diff_options *options);
int diff_input_read(struct diff_input *input, const struct diff_options *options,
                    struct strings *strings);
void diff_input_close(struct diff_input *input);

/* texts: for lines or words that differ, to be freed. */
int diff_input_values(struct diff_input *a, struct diff_input *b,
                      const struct diff_options *options, struct diff_values_found *found,
                      char *texts[2]);

#endif
