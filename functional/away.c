#include "functional/away.h"

#include <sched.h>

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
