/*
 * study: what takt knows of one text: findings, and for a legal program the time of each line, the
 * total, what limits it, and how far it is from the best.
 *
 *   study_open (reads and checks) --> findings --study_advance*--> lines, totals
 *                                                                     --study_prove--> bound
 *
 * Work after the check comes in slices, so that a caller can serve others in between and give up
 * when the text has changed. Answers are those of takt check and takt run --timing-only.
 */
#ifndef TAKT_EDITOR_STUDY_H
#define TAKT_EDITOR_STUDY_H

#include "library/library.h"
#include "timing/charges.h"

enum study_stage {
    STUDY_ERRORS,  /* the program cannot be run: findings say why */
    STUDY_RUNNING, /* study_advance has more to do */
    STUDY_TIMED,   /* lines and total are known */
    STUDY_STOPPED, /* the run failed or took too long: `why` */
    STUDY_FAILED   /* the host has no memory */
};

/* All executions of the statements in a line. */
struct study_line {
    uint64_t issue;     /* first cycle; STUDY_NEVER: not executed */
    uint64_t times;     /* executions, at least 1 */
    uint64_t lost;      /* cycles in which a stream waited here */
    const char *reason; /* of most of them, or NULL */
    uint64_t most;      /* cycles for that reason */
    uint64_t slack;     /* STUDY_NEVER: not known */
    bool exact;         /* the slack is; else at least */
    uint32_t last;      /* statement + 1; 0: none */
};
#define STUDY_NEVER UINT64_MAX

struct study {
    enum study_stage stage;
    struct takt_program *program;
    struct takt_run *run;
    struct sink_ops ops;
    struct sink next; /* the store's */
    struct study_issue {
        uint64_t first;
        bool known;
        bool busy; /* `first` is work, not a wait before it */
    } * issues;    /* by statement */
    bool executions;
    struct charges waits;     /* of issuing units, by statement and reason */
    struct study_line *lines; /* by line, from 1; NULL: not timed */
    uint32_t line_count;      /* the last line */
    uint64_t cycles;
    struct verdict limit;
    bool ranged; /* low and high are known: the caller's, from range_job.h */
    uint64_t low, high;
    bool tried;     /* study_prove has been called */
    bool proven;    /* a graph and bounds are in run->proof */
    uint64_t bound; /* no order takes fewer cycles; 0: not known */
    uint64_t spent; /* work of this run so far */
    char why[MACHINE_ERROR];
};

/* Read and check; the first of the machine's findings are in study->program->diags. */
void study_open(struct study *study, const struct machine *machine, const struct takt_text *text);
/* Some milliseconds of work. Whether there is more. */
bool study_advance(struct study *study);
/* Dependences and bound of a program that is timed, where it is short enough. Takes longer than a
 * slice. */
void study_prove(struct study *study);
void study_close(struct study *study);

/* Whether its range takes few enough runs for an editor. */
bool study_has_range(const struct study *study);

/* The time of a line of the program; NULL: not known, or nothing is executed there. */
const struct study_line *study_line(const struct study *study, uint32_t line);

#endif
