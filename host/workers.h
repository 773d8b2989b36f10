/*
 * workers: a pool of worker threads that stay alive between rounds of work.
 *
 *   workers_new --> workers_run (a round: all parts are done when it returns) --> workers_free
 *
 * workers_run hands out the parts in order to the caller and its helpers. The parts of one round
 * must not touch each other's data, so that results do not depend on the assignment. Only one
 * thread may call these functions.
 */
#ifndef TAKT_HOST_WORKERS_H
#define TAKT_HOST_WORKERS_H

#include <stddef.h>

struct workers;

/* threads: including the caller; 0 means one. There may be fewer if the host limits threads. NULL
 * when memory is out. */
struct workers *workers_new(unsigned threads);
void workers_free(struct workers *workers);

/* Run work(arg, part, worker) for part 0 .. parts-1; worker < threads. */
void workers_run(struct workers *workers, size_t parts,
                 void (*work)(void *arg, size_t part, unsigned worker), void *arg);

#endif
