/*
 * recorder: the SQLite sink. A run always records; without a path into a database in memory, so
 * that the first screen, the JSON answer and every question are SQL over the same tables.
 *
 *   recorder_open --recorder_sink--> model --recorder_db--> answers --recorder_close--> file
 *
 * In a file everything of design tier 1 is written. In memory only what an answer about the whole
 * run needs: no program hash, no source text but that of statements, no cost, slack or utilisation
 * of single statements and windows. Transfers, warnings and statements are read where they are
 * gathered (traces/live.h). The program has to stand until recorder_close.
 *
 * A file is written as pages (traces/pages.h): what the program alone gives while it is checked and the run
 * goes on (traces/ahead.h), the rest when it has ended. Intervals go through SQL meanwhile, since they are what
 * a killed run leaves; then all pages come at the end.
 *
 * A file appears under its name only when the run has ended (traces/work_file.h).
 */
#ifndef TAKT_TRACES_RECORDER_H
#define TAKT_TRACES_RECORDER_H

#include <sqlite3.h>

#include "functional/diag.h"
#include "timing/sink.h"

enum detail {
    DETAIL_TOTALS, /* tier 1 */
    DETAIL_CHUNKS  /* and every interval, packed */
};

struct recorder_options {
    enum detail detail;
    uint64_t window_from, window_to; /* also plain rows for intervals that touch this; 0, 0: none */
    bool whole;                      /* record in memory what a file would hold */
    const struct sink_header *header; /* of the run that will come: what can be done before it is, while the
                                         program is checked; to stand until recorder_ready. Or NULL */
};

struct recorder;

/* path NULL: in memory. Returns 0; 1 when what stands at path is no trace and must not be replaced;
 * -1 when the host failed. error gets a sentence. With a header most of that is found later (recorder_ready). */
int recorder_open(struct recorder **recorder, const char *path,
                  const struct recorder_options *options, char *error, size_t error_size);

/* To be called after recorder_open with a header, when the run begins, before anything else but recorder_close.
 * Returns as recorder_open; then too the recorder is gone if not 0. */
int recorder_ready(struct recorder *recorder, char *error, size_t error_size);
/* Before that: remove what recorder_open put into the folder, by a signal handler that ends the process. */
void recorder_abandon(struct recorder *recorder);

struct sink recorder_sink(struct recorder *recorder);

/* A finding of the language or of time, to stand among the trace's warnings. */
int recorder_diag(struct recorder *recorder, const struct diag *diag);
/* How many more there were than DIAG_LIMIT keeps. */
int recorder_left_out(struct recorder *recorder, uint64_t warnings);

/* Let what was recorded so far survive a kill; also done by itself now and then. */
int recorder_flush(struct recorder *recorder);

/* The tables. In memory everything recorded so far is visible. In a file all is once the run has ended;
 * before that intervals are, and without them there is no database to ask: NULL. */
sqlite3 *recorder_db(struct recorder *recorder);

/* Why a call of the sink failed, or NULL. */
const char *recorder_error(const struct recorder *recorder);

/*
 * End the recording. A complete run takes the name it was given. An unfinished one takes it too,
 * marked complete = 0, unless a finished trace stands there: then it keeps its partial name, and
 * error says so (status 1). A run that never began leaves nothing. Returns 0, 1 or -1.
 */
int recorder_close(struct recorder *recorder, char *error, size_t error_size);

#endif
