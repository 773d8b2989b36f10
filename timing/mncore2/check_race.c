#include "timing/mncore2/check_race.h"

#include <stdlib.h>
#include <string.h>

#include "timing/mncore2/check.h"
#include "timing/mncore2/finding.h"

enum { TAGS = 256 };

/* Steps back that the longest dar_write_latency, 60 cycles, reaches. */
enum { DAR_WRITES = 16 };

/* A transfer in flight. */
struct flight {
    size_t item;
    struct flight_places places;
    uint8_t tag;
    bool warned_pe, warned_mv; /* one finding of each kind says enough */
};

struct tag {
    size_t item;
    bool carried, open; /* some MV statement had it; nothing has waited for it since */
};

struct check_race {
    const struct program *program;
    struct diag_list *diags;
    struct flight flights[CHECK_FLIGHTS]; /* in order of issue */
    size_t count;
    struct tag tags[TAGS];
    struct meets *meets;
    uint64_t cycle; /* of the next step, in the stream as written */
    uint64_t dar_latency;
    struct dar_write {
        size_t item;
        uint64_t cycle;
        uint32_t first;    /* entry; one a cycle */
    } written[DAR_WRITES]; /* by l2bmdarw, a ring */
    uint64_t written_count;
    bool together;        /* transfers in flight together have been noted */
    check_paired *paired; /* or NULL */
    check_over *over;     /* or NULL: only waits end transfers */
    void *self;
};

struct check_race *mncore2_check_race_new(const struct program *program, struct diag_list *diags,
                                          uint64_t dar_latency)
{
    struct check_race *race = calloc(1, sizeof *race);
    if (!race)
        return NULL;
    race->program = program;
    race->diags = diags;
    race->dar_latency = dar_latency;
    race->meets = mncore2_meets_new(program);
    if (!race->meets) {
        free(race);
        return NULL;
    }
    return race;
}

void mncore2_check_race_free(struct check_race *race)
{
    if (!race)
        return;
    mncore2_meets_free(race->meets);
    free(race);
}

void mncore2_check_race_pairs(struct check_race *race, check_paired *paired, check_over *over,
                              void *self)
{
    race->paired = paired;
    race->over = over;
    race->self = self;
}

static void pair(struct check_race *race, const struct check_pair *pair)
{
    if (race->paired)
        race->paired(race->self, pair);
}

/* Addresses that only the run knows are given the benefit of the doubt in findings. */
static bool in_doubt(const struct check_race *race)
{
    return race->paired != NULL;
}

/* --- findings --------------------------------------------------------------------------------- */

static const struct mv *mv_of(const struct check_race *race, size_t item)
{
    return race->program->stmts[race->program->items[item].stmt].mv;
}

static struct diag warning(const struct check_race *race, size_t item, uint32_t column,
                           uint32_t length, const char *name)
{
    struct diag at = mncore2_finding_warning(race->program, race->diags, item, NULL, name);
    if (column) {
        at.column = column;
        at.length = length;
    }
    at.rule = "3.6.13";
    return at;
}

/* What a later statement does to a place of a transfer in flight. */
struct use {
    const char *what; /* "reads" or "writes" */
    uint8_t space;
    uint64_t addr, length;
    bool source; /* of the transfer, which may still read it; else its destination */
};

static void warn_race(struct check_race *race, struct diag at, const struct flight *flight,
                      const struct use *use)
{
#define SENTENCE "%s %s %llu..%llu, which the transfer of line %u%s%s may %s\n"
    const struct diag_file other = mncore2_finding_other(race->program, &at, flight->item);
    const unsigned long long first = use->addr;
    const unsigned long long last = first + (use->length ? use->length - 1 : 0);
    const char *may = use->source ? "still have to read" : "not have written yet";
    if (flight->tag)
        diag_add(race->diags, &at, SENTENCE "wait i%02x in between", use->what,
                 mncore2_space_name[use->space], first, last, at.other_line, other.of, other.name,
                 may, flight->tag);
    else
        diag_add(race->diags, &at,
                 SENTENCE "give the MV statement of line %u%s%s a tag and wait for it", use->what,
                 mncore2_space_name[use->space], first, last, at.other_line, other.of, other.name,
                 may, at.other_line, other.of, other.name);
#undef SENTENCE
}

/* --- MV statements ---------------------------------------------------------------------------- */

/* Operation by operation two transfers on the same way take the same ports, the earlier one first;
 * so it ends first, unless it has more of them. Operations on DRAM may wait for their own reads. */
bool mncore2_mv_ends_before(const struct mv *earlier, const struct mv *later)
{
    struct region a[2], b[2];
    if (earlier->mode != later->mode || earlier->priority != later->priority ||
        earlier->size > later->size)
        return false;
    mncore2_effect_of_mv(earlier, a);
    mncore2_effect_of_mv(later, b);
    return a[0].set == b[0].set && a[1].set == b[1].set && a[0].space != SPACE_DRAM &&
           a[1].space != SPACE_DRAM;
}

static void compare(struct check_race *race, struct flight *earlier, const struct flight *later)
{
    if ((earlier->warned_mv && !race->paired) ||
        mncore2_mv_ends_before(mv_of(race, earlier->item), mv_of(race, later->item)))
        return;
    const struct mv *mv = mv_of(race, later->item);
    for (int side = 0; side < 2; side++) {
        const struct region *region = &later->places.region[side];
        const struct mv_operand *operand = side == 0 ? &mv->from : &mv->to;
        for (int other = 0; other < 2; other++) {
            if (side == 0 && other == 0)
                continue; /* both read */
            const struct region *before = &earlier->places.region[other];
            if (!mncore2_regions_meet(region, before, in_doubt(race)))
                continue;
            pair(race, &(struct check_pair){.first = earlier->item,
                                            .second = later->item,
                                            .kind = PAIR_MEETS,
                                            .sure = !region->any && !before->any,
                                            .rule = "3.6.13"});
            const struct use use = {side == 0 ? "reads" : "writes", region->space, region->addr,
                                    region->length, other == 0};
            warn_race(race, warning(race, later->item, operand->column, operand->length, "mv-race"),
                      earlier, &use);
            earlier->warned_mv = true;
            return;
        }
    }
}

static void issue_tag(struct check_race *race, const struct mv *mv, size_t item)
{
    struct tag *tag = &race->tags[mv->tag];
    if (tag->open) {
        pair(race, &(struct check_pair){
                       .first = tag->item, .second = item, .kind = PAIR_TAG, .rule = "3.5.4"});
        struct diag at = warning(race, item, 0, 0, "tag-reused");
        at.rule = "3.5.4";
        const struct diag_file other = mncore2_finding_other(race->program, &at, tag->item);
        diag_add(race->diags, &at,
                 "tag i%02x is given again, but nothing has waited for the transfer of line "
                 "%u%s%s\n"
                 "wait i%02x in between, or give another tag",
                 mv->tag, at.other_line, other.of, other.name, mv->tag);
    }
    *tag = (struct tag){.item = item, .carried = true, .open = true};
}

static void note_together(struct check_race *race, size_t item)
{
    struct diag at = warning(race, item, 0, 0, "mv-together");
    at.severity = DIAG_NOTE;
    at.rule = "3.5.9";
    const struct diag_file other = mncore2_finding_other(race->program, &at, race->flights[0].item);
    diag_add(race->diags, &at,
             "the transfer of line %u%s%s may still be in flight: MV statements in flight together "
             "have constraints that the manual leaves to another document, so they are not checked",
             at.other_line, other.of, other.name);
    race->together = true;
}

/* When all entries of a write that the transfer uses have taken effect; 0: it uses none. */
static uint64_t dar_effective(const struct check_race *race, const struct dar_write *write,
                              const struct flight *flight)
{
    uint64_t effective = 0;
    for (uint32_t i = 0; i < CYCLES; i++)
        if (mncore2_ranges_meet(SPACE_DAR, write->first + i, 1, flight->places.dar_first,
                                flight->places.dar_count))
            effective = write->cycle + i + race->dar_latency + 1;
    return effective;
}

static void warn_dar(struct check_race *race, const struct flight *flight)
{
    const struct mv *mv = mv_of(race, flight->item);
    const struct mv_operand *operand = mv->from.indirect ? &mv->from : &mv->to;
    const struct dar_write *write = NULL;
    uint64_t missing = 0;
    for (uint64_t w = race->written_count; w > 0 && race->written_count - w < DAR_WRITES; w--) {
        const struct dar_write *one = &race->written[(w - 1) % DAR_WRITES];
        const uint64_t effective = dar_effective(race, one, flight);
        const uint64_t cycles = effective > race->cycle ? effective - race->cycle : 0;
        if (effective)
            pair(race,
                 &(struct check_pair){.first = one->item,
                                      .second = flight->item,
                                      .kind = PAIR_DAR,
                                      .spare = cycles ? 0 : (race->cycle - effective) / CYCLES,
                                      .cycles = effective - one->cycle,
                                      .rule = "3.5.6"});
        if (cycles > missing) {
            missing = cycles;
            write = one;
        }
    }
    if (!write)
        return;
    struct diag at = warning(race, flight->item, operand->column, operand->length, "dar-in-flight");
    const struct diag_file other = mncore2_finding_other(race->program, &at, write->item);
    const uint64_t steps = (missing + CYCLES - 1) / CYCLES;
    at.rule = "3.5.6";
    at.missing_steps = (int32_t)steps;
    at.missing_cycles = (int32_t)missing;
    diag_add(
        race->diags, &at,
        "goes by DAR entries that the l2bmdarw of line %u%s%s may not have written yet: the old "
        "entry counts until then\nneeds %llu more empty step%s",
        at.other_line, other.of, other.name, (unsigned long long)steps, steps == 1 ? "" : "s");
}

static void issue_mv(struct check_race *race, size_t item)
{
    const struct mv *mv = mv_of(race, item);
    struct flight flight = {.item = item, .tag = mv->tag};
    mncore2_flight_of(mv, &flight.places);
    for (size_t i = 0; i < race->count; i++)
        compare(race, &race->flights[i], &flight);
    if (flight.places.dar_count)
        warn_dar(race, &flight);
    if (race->count && !race->together)
        note_together(race, item);
    if (mv->tag)
        issue_tag(race, mv, item);
    if (race->count == CHECK_FLIGHTS) {
        memmove(race->flights, race->flights + 1, (CHECK_FLIGHTS - 1) * sizeof race->flights[0]);
        race->count--;
    }
    race->flights[race->count++] = flight;
}

/* A finding at the word wait of a statement. */
static struct diag at_wait(const struct check_race *race, size_t item, const char *name)
{
    struct diag at = warning(race, item, 0, 0, name);
    size_t length = 0;
    const char *line =
        race->diags->count < DIAG_LIMIT ? mncore2_program_line(race->program, item, &length) : NULL;
    for (size_t i = 0; i + 4 <= length && line[i] != '#'; i++)
        if (memcmp(line + i, "wait", 4) == 0) {
            at.column = (uint32_t)i + 1;
            at.length = 4;
            break;
        }
    return at;
}

static void wait_tag(struct check_race *race, size_t item, uint8_t number)
{
    struct tag *tag = &race->tags[number];
    if (!tag->carried) {
        struct diag at = at_wait(race, item, "wait-without-mv");
        diag_add(race->diags, &at, "waits for tag i%02x, which no MV statement before carries",
                 number);
        return;
    }
    tag->open = false;
    bool ended[CHECK_FLIGHTS] = {false};
    for (size_t i = 0; i < race->count; i++) {
        if (race->flights[i].tag != number)
            continue;
        for (size_t k = 0; k <= i; k++)
            ended[k] |= k == i || mncore2_mv_ends_before(mv_of(race, race->flights[k].item),
                                                         mv_of(race, race->flights[i].item));
    }
    size_t kept = 0;
    for (size_t i = 0; i < race->count; i++)
        if (!ended[i])
            race->flights[kept++] = race->flights[i];
    race->count = kept;
}

/* --- PE statements ---------------------------------------------------------------------------- */

/* Of a PE statement and a transfer that it meets. */
static void pair_meets(struct check_race *race, const struct flight *flight, size_t item, bool sure)
{
    pair(race, &(struct check_pair){.first = flight->item,
                                    .second = item,
                                    .kind = PAIR_MEETS,
                                    .sure = sure,
                                    .rule = "3.6.13"});
}

static void touch_l2bm(struct check_race *race, const struct contact *contact, size_t item)
{
    for (size_t i = 0; i < race->count; i++) {
        struct flight *flight = &race->flights[i];
        if (flight->warned_pe && !race->paired)
            continue;
        const enum meeting_place place =
            mncore2_meets_l2bm(contact, &flight->places, in_doubt(race));
        if (place == MEETS_NOT)
            continue;
        pair_meets(race, flight, item, true);
        struct text_place at = {0, 0};
        if (contact->operand && race->diags->count < DIAG_LIMIT)
            at = mncore2_program_place(race->program, item, contact->operand);
        const struct use use = {contact->l2bm.write ? "writes" : "reads", SPACE_L2BM,
                                contact->l2bm.addr, contact->l2bm.length, place == MEETS_SOURCE};
        warn_race(race, warning(race, item, at.column, at.length, "mv-race"), flight, &use);
        flight->warned_pe = true;
    }
}

/* l2bmdarw changes entries that a transfer in flight uses (3.5.6). */
static void touch_dar(struct check_race *race, const struct contact *contact, size_t item)
{
    const uint32_t first = contact->dar_first;
    race->written[race->written_count++ % DAR_WRITES] =
        (struct dar_write){.item = item, .cycle = race->cycle, .first = first};
    for (size_t i = 0; i < race->count; i++) {
        struct flight *flight = &race->flights[i];
        if ((flight->warned_pe && !race->paired) || !mncore2_meets_dar(contact, &flight->places))
            continue;
        pair_meets(race, flight, item, true);
        const struct use use = {"writes", SPACE_DAR, first, CYCLES, true};
        warn_race(race, warning(race, item, 0, 0, "mv-race"), flight, &use);
        flight->warned_pe = true;
    }
}

static int issue_step(struct check_race *race, size_t item, const struct step *step)
{
    const struct contact *contact;
    if (step->wait)
        wait_tag(race, item, step->wait);
    if (mncore2_meets_item(race->meets, item, &contact) != 0)
        return -1;
    if (contact && contact->l2bm.length)
        touch_l2bm(race, contact, item);
    if (contact && contact->writes_dar)
        touch_dar(race, contact, item);
    return 0;
}

/* Transfers that are over when the item issues. */
static void end_over(struct check_race *race, size_t item)
{
    size_t kept = 0;
    for (size_t i = 0; i < race->count; i++)
        if (!race->over(race->self, race->flights[i].item, item))
            race->flights[kept++] = race->flights[i];
    race->count = kept;
}

int mncore2_check_race_item(struct check_race *race, size_t item)
{
    const struct stmt *stmt = &race->program->stmts[race->program->items[item].stmt];
    if (race->over && race->count)
        end_over(race, item);
    switch (stmt->kind) {
    case STMT_STEP: {
        const int status = issue_step(race, item, stmt->step);
        race->cycle += (stmt->step->nops ? stmt->step->nops : 1) * (uint64_t)CYCLES;
        return status;
    }
    case STMT_MV:
        issue_mv(race, item);
        return 0;
    default:
        return 0;
    }
}

void mncore2_check_race_end(struct check_race *race)
{
    for (unsigned number = 1; number < TAGS; number++) {
        const struct tag *tag = &race->tags[number];
        if (!tag->open)
            continue;
        struct diag at = warning(race, tag->item, 0, 0, "tag-never-waited");
        at.rule = "3.5.4";
        diag_add(race->diags, &at,
                 "carries tag i%02x, but nothing after it waits for it\n"
                 "wait i%02x, or leave the tag out",
                 number, number);
    }
}
