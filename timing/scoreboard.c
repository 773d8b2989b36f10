#include "timing/scoreboard.h"

#include <stdlib.h>

int scoreboard_init(struct scoreboard *scoreboard, size_t places)
{
    scoreboard->places = places;
    scoreboard->ready = calloc(places + 1, sizeof *scoreboard->ready);
    scoreboard->by = calloc(places + 1, sizeof *scoreboard->by);
    if (scoreboard->ready && scoreboard->by)
        return 0;
    scoreboard_free(scoreboard);
    return -1;
}

void scoreboard_free(struct scoreboard *scoreboard)
{
    free(scoreboard->ready);
    free(scoreboard->by);
    *scoreboard = (struct scoreboard){0};
}

uint64_t scoreboard_issue(const struct scoreboard *scoreboard, const struct place_set *sets,
                          size_t count, uint64_t latency, struct producer *by)
{
    uint64_t issue = 0;
    size_t binds = 0;
    for (const struct place_set *set = sets; set < sets + count; set++) {
        const uint64_t *ready = scoreboard->ready + set->first;
        for (uint64_t left = set->reads | set->writes; left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctzll(left);
            uint64_t from = ready[i];
            if (!(set->reads >> i & 1))
                from = from > latency ? from - latency : 0;
            if (from > issue) {
                issue = from;
                binds = set->first + i;
            }
        }
    }
    *by = issue ? scoreboard->by[binds] : NO_PRODUCER;
    return issue;
}

void scoreboard_write(struct scoreboard *scoreboard, const struct place_set *sets, size_t count,
                      uint64_t ready, const struct producer *by)
{
    for (const struct place_set *set = sets; set < sets + count; set++)
        for (uint64_t left = set->writes; left; left &= left - 1) {
            const size_t place = set->first + (size_t)__builtin_ctzll(left);
            scoreboard->ready[place] = ready;
            scoreboard->by[place] = *by;
        }
}
