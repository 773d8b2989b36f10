/*
 * hold: an access waits until the transfers that it meets have ended (manual 3.5.3), where the nops
 * that gave them time were removed.
 */
#include "timing/mncore2/run.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

struct held {
    uint32_t transfer;
    struct flight_places places;
};

struct hold {
    struct meets *meets;
    const struct contact *contact; /* of `item` */
    size_t item;
    struct held *list; /* transfers that may not have ended */
    size_t count, capacity;
};

struct hold *mncore2_hold_new(const struct program *program)
{
    struct hold *hold = calloc(1, sizeof *hold);
    if (!hold)
        return NULL;
    hold->item = SIZE_MAX;
    hold->meets = mncore2_meets_new(program);
    if (!hold->meets) {
        free(hold);
        return NULL;
    }
    return hold;
}

void mncore2_hold_free(struct hold *hold)
{
    if (!hold)
        return;
    mncore2_meets_free(hold->meets);
    free(hold->list);
    free(hold);
}

/* Whether an MV statement meets a transfer that does not end before it in any case. */
static bool mv_meets(const struct mv *earlier, const struct held *held, const struct mv *mv)
{
    struct flight_places places;
    if (mncore2_mv_ends_before(earlier, mv))
        return false;
    mncore2_flight_of(mv, &places);
    for (int side = 0; side < 2; side++)
        for (int other = 0; other < 2; other++)
            if ((side || other) &&
                mncore2_regions_meet(&places.region[side], &held->places.region[other], true))
                return true;
    return false;
}

static bool meets(const struct lane *lane, const struct held *held, const struct mv *mv)
{
    const struct contact *contact = lane->hold->contact;
    if (mv)
        return mv_meets(lane->mv.transfers[held->transfer].mv, held, mv);
    return contact && (mncore2_meets_l2bm(contact, &held->places, true) != MEETS_NOT ||
                       mncore2_meets_dar(contact, &held->places));
}

uint32_t mncore2_hold_find(struct lane *lane)
{
    struct hold *hold = lane->hold;
    const struct program *program = lane->run->program;
    const struct stmt *stmt = &program->stmts[program->items[lane->next_item].stmt];
    if (hold->item != lane->next_item &&
        mncore2_meets_item(hold->meets, lane->next_item, &hold->contact) != 0) {
        lane->base.status = -1;
        return MV_NONE;
    }
    hold->item = lane->next_item;
    size_t kept = 0;
    for (size_t i = 0; i < hold->count; i++) {
        const struct transfer *transfer = &lane->mv.transfers[hold->list[i].transfer];
        if (transfer->state != MV_DONE || transfer->finished > lane->now)
            hold->list[kept++] = hold->list[i];
    }
    hold->count = kept;
    for (size_t i = 0; i < kept; i++)
        if (meets(lane, &hold->list[i], stmt->kind == STMT_MV ? stmt->mv : NULL))
            return hold->list[i].transfer;
    return MV_NONE;
}

void mncore2_hold_issue(struct lane *lane)
{
    struct hold *hold = lane->hold;
    if (!hold)
        return;
    struct held *list = grow(hold->list, &hold->capacity, hold->count + 1, sizeof *list);
    if (!list) {
        lane->base.status = -1;
        return;
    }
    hold->list = list;
    const struct transfer *transfer = &lane->mv.transfers[lane->mv.count - 1];
    struct held *held = &list[hold->count++];
    held->transfer = lane->mv.count - 1;
    mncore2_flight_of(transfer->mv, &held->places);
}
