/*
 * aside: work that a recording can have done by a second thread, one job after the other.
 *
 *   job --aside_do--> queue --thread--> done --aside_wait--> its results may be read
 *
 * What comes out does not depend on the thread: jobs are done in the order in which they came, and
 * without a thread at once.
 */
#ifndef TAKT_TRACES_ASIDE_H
#define TAKT_TRACES_ASIDE_H

#include <stdbool.h>

struct aside;

/* NULL when there can be none: then the calls below do without. */
struct aside *aside_open(void);
/* aside NULL: the job is done before the call returns. */
void aside_do(struct aside *aside, void (*job)(void *argument), void *argument);
/* Until every job that came is done. */
void aside_wait(struct aside *aside);
/* The same, and the end of the thread. */
void aside_close(struct aside *aside);

#endif
