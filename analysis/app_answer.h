/*
 * app_answer: how long an application takes, where the cycles go, and what limits it.
 *
 *   struct app_how --app_answer_find--> struct app_answer --app_answer_print, app_answer_json-->
 */
#ifndef TAKT_ANALYSIS_APP_ANSWER_H
#define TAKT_ANALYSIS_APP_ANSWER_H

#include "analysis/app_time.h"
#include "timing/range.h"

/* A part of the total: transfers, or a unit on the critical paths of turns and the reason. */
struct app_part {
    enum { APP_LATENCY, APP_BANDWIDTH, APP_UNIT } kind;
    uint32_t unit, reason; /* of time.turns.units, NONE_ID; of the machine's */
    uint64_t cycles;
};

/* Of all boards over the whole. The last one is the host's link. */
struct app_busy {
    const char *name;
    uint64_t cycles; /* of a board, summed over the boards */
    double share;
};

struct app_answer {
    struct app_how how;
    struct app_time time;
    bool whole;          /* everything has been found; else time alone */
    uint64_t documented; /* total by documented numbers alone */
    struct range range;
    struct app_part *parts; /* the largest first; together the total */
    size_t part_count;
    struct app_busy *busy; /* likewise, the link where there are transfers */
    size_t busy_count;
    uint64_t hash; /* of everything that goes in */
};

/* Status as app_time; to be freed in every case. threads: of the range. */
int app_answer_find(struct app_answer *answer, unsigned threads, struct diag_list *fault);
/* The total by other numbers, and range_find with it. */
int app_answer_retime(void *answer, const struct config *config, bool alone, uint64_t *cycles);
int app_answer_range(const struct app_answer *answer, unsigned threads, struct range *range);
/* The total with what is proven of each turn, and transfers as they are. */
int app_answer_bound(const struct app_answer *answer, enum bound_class class, uint64_t *cycles,
                     char error[MACHINE_ERROR]);
void app_answer_free(struct app_answer *answer);

/* "host-bound (store, line 9: 55.0 %)", "run-bound (tile.vsm, line 7: 80.1 %; issue busy 40.2 %)"
 */
enum { APP_LIMIT = 256 };
const char *app_answer_limit(const struct app_answer *answer, char text[APP_LIMIT]);
const char *app_part_name(const struct app_answer *answer, const struct app_part *part,
                          char text[APP_TEXT]);

/* At most `width` columns a line. */
void app_answer_print(const struct app_answer *answer, int width, FILE *out);
/* One offline page. Returns 0, or -1 when it could not be written. */
int app_answer_html(const struct app_answer *answer, FILE *out);
struct json_t;
/* NULL: the host has no memory. */
struct json_t *app_answer_json(const struct app_answer *answer);

#endif
