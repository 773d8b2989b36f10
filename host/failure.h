/*
 * failure: what went wrong behind the back of an answer, so that none is given as whole that lacks
 * something.
 *
 * Who cannot get memory, or a row of a trace, notes it here beside what it returns; who is about to
 * say that all went well (the end of a command, a file that takes its name) looks here first. A
 * caller that forgets to look at what it was given then still ends with a failure. Of one thread.
 */
#ifndef TAKT_HOST_FAILURE_H
#define TAKT_HOST_FAILURE_H

#include <stddef.h>

/* sentence: a text that stands for ever. The host failed, or the input is at fault. */
void failure_note(const char *sentence);
void failure_note_input(const char *sentence);
/* Failures so far, of both kinds; of the host. */
unsigned long failure_count(void);
unsigned long failure_count_host(void);
/* The first of the host, else the first; of none that the host failed. */
const char *failure_sentence(void);

/* malloc and realloc that note; for libraries that take an allocator. */
void *failure_malloc(size_t size);
void *failure_realloc(void *memory, size_t size);

#endif
