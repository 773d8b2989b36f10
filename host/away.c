#include "host/away.h"

#include <sched.h>
#include <signal.h>

int away_create(pthread_t *thread, void *(*function)(void *argument), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int status = pthread_create(thread, NULL, function, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

void away_from_caller(pthread_t thread, int *from)
{
    const int here = sched_getcpu();
    cpu_set_t set;
    if (here < 0 || here >= CPU_SETSIZE || here == *from ||
        sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < 2)
        return;
    *from = here;
    CPU_CLR((size_t)here, &set);
    pthread_setaffinity_np(thread, sizeof set, &set);
}
