/* handles: handles of libtakt for tests, which fail where one cannot be had. */
#ifndef TAKT_TESTS_HANDLES_H
#define TAKT_TESTS_HANDLES_H

#include <jansson.h>

#include "include/takt.h"

#define HANDLES_FMA "examples/mncore2/fma.vsm"
enum { HANDLES_EXAMPLES = 4 };
extern const char *const handles_examples[HANDLES_EXAMPLES];

void handles_fine(enum takt_status status, const struct takt_error *error);
/* The status and the error are so, and its text has these words. */
void handles_refused(enum takt_status status, enum takt_status expected,
                     const struct takt_error *error, const char *words);

struct takt_machine *handles_machine(const char *name);
/* The file's program for its machine, which the program keeps. */
struct takt_program *handles_program(const char *path);
/* The same without warnings. */
struct takt_program *handles_silent(const char *path);
struct takt_run *handles_done(struct takt_program *program, const struct takt_options *options);

/* What the command prints as JSON, to be freed; an integer of it. */
json_t *handles_command(const char *const *arguments);
uint64_t handles_integer(const json_t *object, const char *key);

#endif
