/* diff_kit: answers of takt diff --json, and the fields that tests look at. */
#ifndef TAKT_TESTS_DIFF_KIT_H
#define TAKT_TESTS_DIFF_KIT_H

#include <jansson.h>
#include <stddef.h>

/* Fields that must be there. */
const json_t *diff_get(const json_t *object, const char *key);
json_int_t diff_number(const json_t *object, const char *key);
const char *diff_text(const json_t *object, const char *key);

/* An answer whose terms, and their sums by reason, unit and region, add up to the difference of the
 * cycles; NULL: a program is at fault. */
json_t *diff_run(const char *const *arguments);

#define DIFF(...) diff_run((const char *const[]){"diff", "--json", __VA_ARGS__, NULL})

/* How many statements were edited: of a kind, which is a field of `statements`, and of all. */
size_t diff_edits(const json_t *answer, const char *kind);
size_t diff_all_edits(const json_t *answer);

#endif
