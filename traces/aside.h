/*
 * aside: work that a recording can have done by a second thread, one job after the other.
 *
 *   job --aside_do--> queue --thread--> done --aside_wait--> its results may be read
 *   jobs --aside_share--> done by the thread and by the caller
 *
 * What comes out does not depend on the thread: jobs are done in the order in which they came, and
 * without a thread at once. Those that are shared do not touch what others do.
 */
#ifndef TAKT_TRACES_ASIDE_H
#define TAKT_TRACES_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct aside;

/* NULL when there can be none: then the calls below do without. One thread gives the jobs, and waits for
 * them. */
struct aside *aside_open(void);
/* aside NULL: the job is done before the call returns. */
void aside_do(struct aside *aside, void (*job)(void *argument), void *argument);
/* How many jobs came; until the first so many are done, and until all are. */
uint64_t aside_given(const struct aside *aside);
void aside_wait_for(struct aside *aside, uint64_t jobs);
void aside_wait(struct aside *aside);
/* Would a job be begun at once? */
bool aside_idle(struct aside *aside);
/* Jobs 0 to count - 1: the first ones by the caller, the last ones by the thread when it has done what came
 * before; which do the middle is a matter of luck. queued: this one needs the first `before` jobs of aside_do, whoever
 * does it. */
void aside_share(struct aside *aside, void (*job)(void *argument, size_t number), const bool queued[],
                 uint64_t before, size_t count, void *argument);
/* The same as aside_wait, and the end of the thread. */
void aside_close(struct aside *aside);

#endif
