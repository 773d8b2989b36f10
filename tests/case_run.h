/* case_run: what a case says of a program or a command, held against what it does. */
#ifndef TAKT_TESTS_CASE_RUN_H
#define TAKT_TESTS_CASE_RUN_H

#include "tests/case_file.h"

/* Returns how many expectations do not hold; each is printed with its place. */
size_t case_run_program(const struct case_file *file, const struct case_one *one);
size_t case_run_command(const struct case_file *file, const struct case_one *one);

/* A test's commands run in a folder of their own, which holds its files and links to examples,
 * docs and config; they find takt in their PATH. */
void case_folder_enter(void);
void case_folder_leave(void);
void case_folder_file(const struct case_one *one);

/* The words of an expectation: its last part, between quotes, with escapes replaced; or its block.
 * NULL: it has none. The quoted part is taken off the line's text. Free it. */
char *case_words(struct case_line *expected, size_t *size);

/* Prints where an expectation does not hold; what was found follows. */
void case_wrong(const struct case_file *file, const struct case_line *expected);

#endif
