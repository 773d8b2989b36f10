/*
 * lang_help: tables of program text for the tests of the language.
 *
 *   text --lang_open--> struct lang { source, program, findings } --lang_close-->
 *
 * The lang_expect_ functions stop the test with the text and all findings when it is not as said.
 */
#ifndef TAKT_TESTS_MNCORE2_LANG_HELP_H
#define TAKT_TESTS_MNCORE2_LANG_HELP_H

#include "functional/mncore2/program.h"

struct lang {
    struct source source;
    struct diag_list diags;
    struct program program;
    int result;
};

void lang_open(struct lang *lang, const char *text);
void lang_open_bytes(struct lang *lang, const char *text, size_t size);
void lang_close(struct lang *lang);

/* No error; and no warning either. */
void lang_expect_clean(const char *text);
/* No error, and one warning of this name at least. */
void lang_expect_warning(const char *text, const char *name);
/* An error of this rule whose sentence or fix contains words ("" for any). */
void lang_expect_error(const char *text, const char *rule, const char *words);

/* The first step, MV or control statement of a legal text; lang must be closed. */
const struct step *lang_step(struct lang *lang, const char *text);
const struct mv *lang_mv(struct lang *lang, const char *text);
const struct debug *lang_debug(struct lang *lang, const char *text);

/* Do two statements mean the same? Columns and the origin of masks do not count. */
bool lang_same(const struct program *a, const struct stmt *x, const struct program *b,
               const struct stmt *y);

#endif
