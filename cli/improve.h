/*
 * improve: what takt advise and takt schedule share: one program, opened as struct candidates, and
 * a program that is written.
 */
#ifndef TAKT_CLI_IMPROVE_H
#define TAKT_CLI_IMPROVE_H

#include <time.h>

#include "analysis/candidate.h"
#include "cli/session.h"

struct improve {
    struct session session;
    /* Which machines have what a command gives, and its name. */
    bool (*served)(const struct machine *);
    const char *given;
    const struct machine_setting *settings; /* of the program as written; NULL: the session's */
    bool tags;                              /* takt schedule --tags */
    unsigned opened;     /* programs that are opened after the first one, which takes time, too */
    uint64_t seconds;    /* 0: no limit */
    struct timespec end; /* of the search, with --seconds */
    struct candidate_setup setup;
    struct candidates *candidates;
};

/* What both commands' help says of the options that they share. */
#define IMPROVE_HELP                                                                               \
    "  --seconds N        search N seconds at most, and print the best so far; so\n"               \
    "                     does Ctrl-C. How far that is depends on the host\n"                      \
    "  --load SPEC=FILE   read 64-bit words into a memory before each run; SPEC is of\n"           \
    "@places\n"                                                                                    \
    "@common\n"

#define IMPROVE_OPTIONS(improve)                                                                   \
    {"load", .list = &(improve).session.loads},                                                    \
        {"seconds", .number = &(improve).seconds, .low = 1, .high = 1000000, .what = "seconds"},   \
        SESSION_OPTIONS((improve).session)

/* Load, check, run. output: what an option (of that name) says is to be written; NULL: nothing.
 * Returns an exit code after saying why. */
int improve_open(struct improve *improve, char **paths, int count, const char *option,
                 const char *output);
void improve_close(struct improve *improve);

/* A text to a file as a whole, or not at all. Returns an exit code after saying why. */
int improve_write(const char *command, const char *path, const char *text, size_t size);

#endif
