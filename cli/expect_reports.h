/*
 * expect_reports: the expectations of takt expect for other tools.
 *
 * The report of JUnit is written twice: first, before the run, with an error for each expectation,
 * so that a command that ends early, however it does, leaves a file that says so.
 */
#ifndef TAKT_CLI_EXPECT_REPORTS_H
#define TAKT_CLI_EXPECT_REPORTS_H

#include "analysis/expectation.h"

/* One expectation: of the command line when it has no line. */
struct expect_row {
    char *text;
    const char *file; /* NULL: of the command line */
    uint32_t line;
    struct expectation expectation;
    long double value;
    bool holds;
};

struct expect_reports {
    const char *junit, *sarif; /* names; or NULL */
    const char *path;          /* of the program */
    const struct expect_row *rows;
    size_t count;
    bool early, judged; /* the first report of JUnit is written; the last ones are */
};

/* Whether one of them is standard output, which is not for people then. */
bool expect_reports_standard(const struct expect_reports *reports);
/* EXIT_FINE, or an exit code after saying why. */
int expect_reports_early(struct expect_reports *reports);
int expect_reports_judged(struct expect_reports *reports);
/* The command ends with this exit code. Returns it, or another after saying why. */
int expect_reports_end(struct expect_reports *reports, int code);

#endif
