/*
 * case_file: tests as text, tests/cases/<room>/NAME.case, read into tests with their cases. The
 * format is described in docs/cases.md.
 *
 *   text of the file --case_file_read--> tests { cases { expectations } } --case_file_free-->
 */
#ifndef TAKT_TESTS_CASE_FILE_H
#define TAKT_TESTS_CASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the file's text. */
struct case_slice {
    const char *at;
    size_t length;
};

struct case_line {
    unsigned line;           /* of the file, from 1 */
    struct case_slice text;  /* its own */
    struct case_slice block; /* indented lines below it */
};

enum case_kind { CASE_PROGRAM, CASE_COMMAND, CASE_FILE };

struct case_one {
    enum case_kind kind;
    struct case_line what;
    struct case_slice language; /* of a program: "mncore2", "mncore2 check" */
    struct case_line within;    /* the text that its own stands in for {}; line 0: none */
    size_t first, count;        /* its expectations in the file */
};

struct case_test {
    char *name; /* "mncore2/rules: masks" */
    size_t first, count;
};

struct case_file {
    const char *path;
    char *text;
    struct case_test *tests;
    struct case_one *cases;
    struct case_line *expected;
    size_t test_count, case_count, expected_count;
};

/* Stops the process with the place of a malformed line. */
void case_file_read(struct case_file *file, const char *path, const char *name);
void case_file_free(struct case_file *file);

/* Text of a line with its escapes replaced, or of its block, each line without its indentation.
 * Free it. */
char *case_text(const struct case_line *line, size_t *size);

bool case_is(struct case_slice slice, const char *word);

/* Takes the next blank-separated word of a slice; length 0 at its end. */
struct case_slice case_word(struct case_slice *rest);

#endif
