/*
 * app_trace: the answer about an application as a run's report, for traces and expectations.
 *
 *   struct app_answer --app_trace_open--> lists --app_trace_send--> sink --app_trace_close-->
 *
 * Statements are the steps, each as often as its turns have kinds. Of the units `host` and `boards`
 * each cycle of the total is one's: of the step that took longest in it. The units of the chip have
 * their busy cycles as the mean of the boards, rounded down. There are no intervals.
 * On the critical path each statement is once, all its times together, in the order of the file.
 */
#ifndef TAKT_ANALYSIS_APP_TRACE_H
#define TAKT_ANALYSIS_APP_TRACE_H

#include "analysis/app_answer.h"

struct app_trace {
    struct sink_header header;
    struct sink_summary summary;
    struct machine_lists lists;
    struct unit_info *units;
    struct costs *costs;
    uint32_t *rows; /* by statement: its row, or NONE_ID for a step without turns */
    uint32_t *steps;
    char **texts;
    char limit[APP_LIMIT];
};

/* The answer must stay valid until app_trace_close, which is to be called in every case. command:
 * the command line. Returns 0, or -1 when the host has no memory. */
int app_trace_open(struct app_trace *trace, const struct app_answer *answer, const char *command);
int app_trace_send(struct app_trace *trace, const struct sink *sink);
void app_trace_close(struct app_trace *trace);

#endif
