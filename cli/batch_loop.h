/*
 * batch_loop: the loop of takt batch. It reads lines or takes names, hands them to processes
 * (batch_serve.h) and prints their answers in the order of input. Never more than a window of jobs
 * is under way, so that memory does not grow with the input.
 *
 *   input --feed--> window --send_job--> process --on_answer--> window --print_ready--> stdout
 */
#ifndef TAKT_CLI_BATCH_LOOP_H
#define TAKT_CLI_BATCH_LOOP_H

#include "analysis/junit.h"
#include "cli/batch_best.h"
#include "timing/machine.h"

enum { BATCH_WINDOW = 256, BATCH_MOST_JOBS = 256 };

struct bufferevent;
struct event_base;

struct batch_loop;
struct batch_process {
    struct batch_loop *loop;
    pid_t pid;
    struct bufferevent *link; /* NULL: not running */
    struct batch_job job;     /* that it works at; number 0: none */
    char *text;               /* of the job */
};

struct batch_loop {
    struct batch batch;
    struct batch_best *best; /* or NULL */
    struct junit junit;      /* with --junit, else without cases */
    const char *report;      /* --junit */
    bool over;               /* the report would replace a program */
    struct event_base *base;
    char **paths; /* of the command line, */
    size_t path_count;
    struct bufferevent *input; /* or lines that are */
    enum batch_kind kind;
    size_t searched; /* of the line that has not ended yet */
    bool skipping;   /* the rest of a line that is too long */
    bool ended;      /* of the input */
    bool comparing;  /* with --best, after that */
    struct batch_process processes[BATCH_MOST_JOBS];
    size_t process_count;
    uint64_t sent, printed;      /* jobs */
    char *answers[BATCH_WINDOW]; /* by number; NULL: under way */
    int code;                    /* of the command */
    bool interrupted;
    char failure[MACHINE_ERROR]; /* of the host */
};

/* All jobs; fd: of the file whose lines they are, or -1. Returns an exit code after saying why. */
int batch_loop_run(struct batch_loop *loop, int fd);

#endif
