/*
 * failure: records failures, so that an incomplete answer is never reported as complete.
 *
 * A function that cannot get memory, or a row of a trace, records it here in addition to its return
 * value. Code that is about to report success (the end of a command, the renaming of a finished
 * file) checks here first. A command therefore fails even if some caller ignored a return value.
 * Records are per thread; threads of host/workers.h and timing/range.h pass theirs on.
 */
#ifndef TAKT_HOST_FAILURE_H
#define TAKT_HOST_FAILURE_H

#include <stddef.h>

/* sentence: a string with static lifetime. The first is for failures of the host, the second for
 * bad input. */
void failure_note(const char *sentence);
void failure_note_input(const char *sentence);
/* Failures so far, of both kinds; failures of the host. */
unsigned long failure_count(void);
unsigned long failure_count_host(void);
/* The first failure of the host, else the first of the input, else a general message. */
const char *failure_sentence(void);

/* What a call returned; NULL is recorded as memory that is not there. */
void *failure_memory(void *memory);
/* The same for calls that fail for other reasons, too: recorded where errno is ENOMEM. */
void *failure_opened(void *opened);
/* What a call returned, of which -1 is recorded as memory that is not there: always; where errno is
 * ENOMEM. */
int failure_printed(int count);
ptrdiff_t failure_read(ptrdiff_t count);

/* malloc and realloc as functions, for libraries that take an allocator. */
void *failure_malloc(size_t size);
void *failure_realloc(void *memory, size_t size);

#endif
