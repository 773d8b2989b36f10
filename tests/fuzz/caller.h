/* caller: what a caller does with the handles of libtakt, and what must hold of every answer. A
 * property that does not hold aborts. */
#ifndef TAKT_TESTS_FUZZ_CALLER_H
#define TAKT_TESTS_FUZZ_CALLER_H

#include "include/takt.h"

/* Abort unless this holds. */
void caller_must(bool holds, const char *what, const struct takt_error *error);
/* Status and sentence of a call that failed; a place in a program is in front of the sentence. */
void caller_check_error(enum takt_status status, const struct takt_error *error);

/* A machine by its name, whose programs end after a number of instructions. */
struct takt_machine *caller_machine(const char *name);
/* All that can be done with a program of these texts. Closes the machine. */
void caller_program(struct takt_machine *machine, const struct takt_text *texts, size_t count);
/* An application, timed twice. */
void caller_app(const struct takt_text *text);

#endif
