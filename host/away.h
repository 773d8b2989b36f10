/*
 * away: a thread that helps another one stays off that one's processor.
 *
 * A system may leave a thread that has just been created or woken for ten milliseconds on the processor of the thread
 * that did it, while another processor does nothing: the helper then takes the time that it should save.
 */
#ifndef TAKT_HOST_AWAY_H
#define TAKT_HOST_AWAY_H

#include <pthread.h>

/* A thread that leaves signals to the others. As pthread_create without attributes. */
int away_create(pthread_t *thread, void *(*function)(void *argument), void *argument);

/* Keep the thread off the processor on which the caller runs now, if the caller may use another. from: what the last call
 * for this thread left there; -1 before the first. */
void away_from_caller(pthread_t thread, int *from);

#endif
