/*
 * junit: results as JUnit XML, which CI servers show as tests.
 *
 *   junit_open --junit_case*--> one suite of cases --junit_close--> text
 */
#ifndef TAKT_ANALYSIS_JUNIT_H
#define TAKT_ANALYSIS_JUNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct junit {
    FILE *cases;
    char *text;
    size_t size;
    uint64_t count, failures, errors;
};

enum junit_result { JUNIT_PASSED, JUNIT_FAILED, JUNIT_ERROR };

struct junit_case {
    const char *group, *name; /* the file, and what is tested */
    enum junit_result result;
    const char *sentence; /* why it failed; or NULL */
};

/* Returns 0, or -1 when memory is out. */
int junit_open(struct junit *junit);
void junit_case(struct junit *junit, const struct junit_case *row);
/* The whole text, the caller's; NULL when memory is out. Ends the struct. */
char *junit_close(struct junit *junit, const char *suite, size_t *size);

#endif
