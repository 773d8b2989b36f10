#include "timing/mncore2/meets.h"

#include <stdlib.h>

#include "host/big_memory.h"
#include "host/grow.h"

enum { GRANULE = 16 /* long words of one indirect access (3.5.6) */ };

/* What a distinct PE statement touches. */
struct reach {
    struct contact contact;
    bool dars;    /* l2bmdars */
    uint32_t dar; /* where it points l2bmdarw to */
};

enum { REACH_UNKNOWN, REACH_NOTHING, REACH_FIRST };

struct meets {
    const struct program *program;
    uint32_t *reach;       /* of each distinct statement: index into reaches */
    struct reach *reaches; /* from [REACH_FIRST] */
    size_t count, capacity;
    uint32_t dar_next; /* entry that the next l2bmdarw writes */
    struct contact contact;
};

struct meets *mncore2_meets_new(const struct program *program)
{
    struct meets *meets = calloc(1, sizeof *meets);
    if (!meets)
        return NULL;
    meets->program = program;
    meets->reach = big_memory_touched((program->stmt_count + 1) * sizeof *meets->reach);
    meets->capacity = 64;
    meets->reaches = calloc(meets->capacity, sizeof *meets->reaches);
    meets->count = REACH_FIRST;
    if (!meets->reach || !meets->reaches) {
        mncore2_meets_free(meets);
        return NULL;
    }
    return meets;
}

void mncore2_meets_free(struct meets *meets)
{
    if (!meets)
        return;
    big_memory_free(meets->reach, (meets->program->stmt_count + 1) * sizeof *meets->reach);
    free(meets->reaches);
    free(meets);
}

/* --- places ----------------------------------------------------------------------------------- */

static uint64_t units(enum space space)
{
    switch (space) {
    case SPACE_L2BM:
        return L2BM_LONGS;
    case SPACE_PDM:
        return PDM_LONGS;
    case SPACE_DAR:
        return DAR_ENTRIES;
    default:
        return DRAM_LONGS;
    }
}

bool mncore2_ranges_meet(enum space space, uint64_t a, uint64_t a_length, uint64_t b,
                         uint64_t b_length)
{
    const uint64_t last = units(space) - 1;
    return ((b - a) & last) < a_length || ((a - b) & last) < b_length;
}

bool mncore2_regions_meet(const struct region *a, const struct region *b, bool in_doubt)
{
    if (a->space != b->space || !(a->set & b->set))
        return false;
    return a->any || b->any
               ? in_doubt
               : mncore2_ranges_meet((enum space)a->space, a->addr, a->length, b->addr, b->length);
}

uint32_t mncore2_dar_entries(const struct mv *mv, const struct region *region)
{
    const uint64_t accesses = (region->length + GRANULE - 1) / GRANULE;
    const uint64_t entries = mv->nd ? (accesses + mv->nd - 1) / mv->nd : 1;
    return entries < DAR_ENTRIES ? (uint32_t)entries : DAR_ENTRIES;
}

void mncore2_flight_of(const struct mv *mv, struct flight_places *places)
{
    *places = (struct flight_places){.dar_count = 0};
    mncore2_effect_of_mv(mv, places->region);
    for (int side = 0; side < 2; side++) {
        if (!places->region[side].any)
            continue;
        places->dar_first = (uint32_t)((side == 0 ? mv->from.addr : mv->to.addr) % DAR_ENTRIES);
        places->dar_count = mncore2_dar_entries(mv, &places->region[side]);
    }
}

/* --- PE statements ---------------------------------------------------------------------------- */

static int learn(struct meets *meets, uint32_t index)
{
    const struct step *step = meets->program->stmts[index].step;
    struct reach reach = {.dars = false};
    struct effect effect;
    meets->reach[index] = REACH_NOTHING;
    if (!step_expr(step, GROUP_L2BM) && !step->darw)
        return 0;
    mncore2_effect_of_step(step, &effect);
    for (size_t i = 0; i < effect.count; i++) {
        const struct access *access = &effect.access[i];
        if (access->space == SPACE_L2BM) {
            reach.contact.l2bm = (struct region){.space = SPACE_L2BM,
                                                 .write = access->write,
                                                 .set = access->set,
                                                 .addr = access->addr[0],
                                                 .length = (uint64_t)access->length * CYCLES};
            reach.contact.operand = access->operand;
        } else if (access->space == SPACE_DAR) {
            reach.contact.writes_dar = true;
        } else if (access->space == SPACE_DARBUF && access->write && access->operand) {
            reach.dars = true;
            reach.dar = access->operand->addr[0];
        }
    }
    if (!reach.contact.l2bm.length && !reach.contact.writes_dar)
        return 0;
    struct reach *reaches =
        grow(meets->reaches, &meets->capacity, meets->count + 1, sizeof *reaches);
    if (!reaches)
        return -1;
    meets->reaches = reaches;
    meets->reach[index] = (uint32_t)meets->count;
    reaches[meets->count++] = reach;
    return 0;
}

int mncore2_meets_item(struct meets *meets, size_t item, const struct contact **contact)
{
    const uint32_t index = meets->program->items[item].stmt;
    const struct stmt *stmt = &meets->program->stmts[index];
    *contact = NULL;
    if (stmt->kind != STMT_STEP || stmt->step->nops)
        return 0;
    if (meets->reach[index] == REACH_UNKNOWN && learn(meets, index) != 0)
        return -1;
    if (meets->reach[index] == REACH_NOTHING)
        return 0;
    const struct reach *reach = &meets->reaches[meets->reach[index]];
    if (reach->dars)
        meets->dar_next = reach->dar % DAR_ENTRIES;
    meets->contact = reach->contact;
    meets->contact.dar_first = meets->dar_next;
    if (reach->contact.writes_dar)
        meets->dar_next = (meets->dar_next + CYCLES) % DAR_ENTRIES;
    *contact = &meets->contact;
    return 0;
}

enum meeting_place mncore2_meets_l2bm(const struct contact *contact,
                                      const struct flight_places *flight, bool in_doubt)
{
    if (!contact->l2bm.length)
        return MEETS_NOT;
    if (contact->l2bm.write && mncore2_regions_meet(&contact->l2bm, &flight->region[0], in_doubt))
        return MEETS_SOURCE;
    return mncore2_regions_meet(&contact->l2bm, &flight->region[1], in_doubt) ? MEETS_DESTINATION
                                                                              : MEETS_NOT;
}

bool mncore2_meets_dar(const struct contact *contact, const struct flight_places *flight)
{
    return contact->writes_dar && flight->dar_count &&
           mncore2_ranges_meet(SPACE_DAR, contact->dar_first, CYCLES, flight->dar_first,
                               flight->dar_count);
}
