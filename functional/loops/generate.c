#include "functional/loops/generate.h"

/* --- the rule --------------------------------------------------------------------------------- */

/* The minimum number of equal outer iterations: the least divisor of count that is at least count /
 * units. */
static uint64_t equal_parts(uint64_t count, uint64_t units)
{
    const uint64_t least = (count + units - 1) / units;
    uint64_t best = count;
    for (uint64_t d = 1; d <= count / d; d++)
        if (count % d == 0) {
            if (d >= least && d < best)
                best = d;
            if (count / d >= least && count / d < best)
                best = count / d;
        }
    return best;
}

struct loops_limits loops_limits(enum loops_strategy strategy, uint64_t count, uint64_t units)
{
    const uint64_t rest = count % units, whole = count / units;
    if (count <= units)
        return (struct loops_limits){.outer = 1, .first = count};
    if (rest == 0)
        return (struct loops_limits){.outer = whole, .first = units};
    if (strategy == LOOPS_UNIFORM) {
        const uint64_t outer = equal_parts(count, units);
        return (struct loops_limits){.outer = outer, .first = count / outer};
    }
    if (strategy == LOOPS_PEELED)
        return (struct loops_limits){.outer = whole, .first = units, .rest = rest};
    return (struct loops_limits){
        .outer = whole + 1, .first = units, .alternate = rest, .masked = strategy == LOOPS_MASKED};
}

uint64_t loops_over_units(const struct loops_program *program, enum loops_over over)
{
    switch (over) {
    case LOOPS_OVER_UNITS:
        return loops_units(program);
    case LOOPS_OVER_TILES:
        return program->tiles;
    case LOOPS_OVER_PROCESSORS:
        return program->processors;
    case LOOPS_OVER_MATH:
        return program->math;
    case LOOPS_OVER_NOTHING:
    case LOOPS_OVERS:
        break;
    }
    return 1;
}

/* --- parts ------------------------------------------------------------------------------------ */

/* The division of a nest's loops; bit i of `rests`: this part does the rest of loop i. */
struct division {
    const struct loops_nest *nest;
    struct loops_limits limits[LOOPS_RANK];
    unsigned rests;
};

static void add_level(struct loops_part *part, const struct loops_level *level)
{
    part->levels[part->count++] = *level;
}

static void add_outer(const struct division *d, unsigned i, struct loops_part *part)
{
    const struct loops_limits *l = &d->limits[i];
    if (!(d->rests >> i & 1) && l->outer > 1)
        add_level(part, &(struct loops_level){.loop = (uint8_t)i,
                                              .kind = LOOPS_OUTER,
                                              .other = LOOPS_LEVELS,
                                              .limit = l->outer,
                                              .factor = l->first});
}

static void add_sequential(const struct division *d, struct loops_part *part)
{
    const struct loops_nest *nest = d->nest;
    for (unsigned i = 0; i < nest->rank && nest->outermost; i++)
        if (nest->loops[i].over)
            add_outer(d, i, part);
    for (unsigned i = 0; i < nest->rank; i++)
        if (!nest->loops[i].over)
            add_level(part, &(struct loops_level){.loop = (uint8_t)i,
                                                  .kind = LOOPS_WHOLE,
                                                  .other = LOOPS_LEVELS,
                                                  .limit = nest->loops[i].limit,
                                                  .factor = 1});
        else if (!nest->outermost)
            add_outer(d, i, part);
    part->sequential = part->count;
}

static void add_lane(const struct division *d, unsigned i, struct loops_part *part)
{
    const struct loops_limits *l = &d->limits[i];
    const bool rest = d->rests >> i & 1;
    struct loops_level level = {.loop = (uint8_t)i,
                                .kind = LOOPS_INNER,
                                .other = LOOPS_LEVELS,
                                .over = d->nest->loops[i].over,
                                .limit = rest ? l->rest : l->first,
                                .alternate = l->alternate,
                                .masked = l->masked,
                                .factor = 1,
                                .start = rest ? l->outer * l->first : 0};
    for (uint8_t k = 0; k < part->sequential; k++)
        if (part->levels[k].loop == i) {
            level.other = k;
            part->levels[k].other = part->count;
        }
    add_level(part, &level);
}

/* Summing lanes come last, so that all additions to one element are adjacent. */
static void add_lanes(const struct division *d, struct loops_part *part)
{
    for (unsigned over = LOOPS_OVER_UNITS; over < LOOPS_OVERS; over++)
        for (unsigned i = 0; i < d->nest->rank; i++)
            if (d->nest->loops[i].over == over && !d->nest->loops[i].sums)
                add_lane(d, i, part);
    part->sums = part->count;
    for (unsigned i = 0; i < d->nest->rank; i++)
        if (d->nest->loops[i].over && d->nest->loops[i].sums)
            add_lane(d, i, part);
}

static void make_part(const struct division *d, struct loops_part *part)
{
    *part = (struct loops_part){.steps = 1};
    add_sequential(d, part);
    add_lanes(d, part);
    for (unsigned k = 0; k < part->sequential; k++)
        part->steps *= part->levels[k].limit;
}

/* True if the additions to an element keep the order of the loops as written: no reduction level is
 * inside a level of a loop further in. */
static bool keeps_order(const struct division *d, const struct loops_part *part)
{
    unsigned last = 0;
    bool any = false;
    for (unsigned i = 0; i < d->nest->rank; i++) /* the parts form the outermost order */
        if (d->nest->loops[i].sums) {
            if (d->limits[i].rest && any)
                return false;
            any = true;
        }
    for (unsigned k = 0; k < part->count; k++) {
        const struct loops_level *level = &part->levels[k];
        if (!d->nest->loops[level->loop].sums || level->limit == 1)
            continue;
        if (level->loop < last)
            return false;
        last = level->loop;
    }
    return true;
}

void loops_generate(const struct loops_program *program, const struct loops_nest *nest,
                    struct loops_code *code)
{
    struct division d = {.nest = nest};
    unsigned rests = 0;
    for (unsigned i = 0; i < nest->rank; i++) {
        const struct loops_loop *loop = &nest->loops[i];
        if (loop->over)
            d.limits[i] =
                loops_limits(nest->strategy, loop->limit, loops_over_units(program, loop->over));
        rests |= d.limits[i].rest ? 1U << i : 0;
    }
    *code = (struct loops_code){0};
    /* Every subset of the loops with a rest: the empty one first; the outer loop's rest last. */
    unsigned order[LOOPS_SPLITS], count = 0;
    for (unsigned i = nest->rank; i-- > 0;)
        if (rests >> i & 1)
            order[count++] = i;
    for (unsigned subset = 0; subset < 1U << count; subset++) {
        d.rests = 0;
        for (unsigned k = 0; k < count; k++)
            d.rests |= (subset >> k & 1) << order[k];
        make_part(&d, &code->parts[code->part_count++]);
    }
    code->reordered = nest->type == LOOPS_F32 && nest->assign == LOOPS_ASSIGN_ADD && !nest->tree &&
                      !keeps_order(&d, &code->parts[0]);
}

/* --- resources -------------------------------------------------------------------------------- */

uint64_t loops_part_state(const struct loops_part *part)
{
    uint64_t state = 3 * (uint64_t)part->count;
    for (unsigned k = 0; k < part->count; k++)
        state += part->levels[k].alternate != 0;
    return state;
}

uint64_t loops_part_instructions(const struct loops_part *part)
{
    uint64_t instructions = (uint64_t)part->count + 1;
    for (unsigned k = 0; k < part->count; k++)
        instructions += part->levels[k].alternate != 0;
    return instructions;
}

/* Iterations of a level, summed over all outer iterations. */
static uint64_t level_total(const struct loops_part *part, const struct loops_level *level,
                            bool masked_too)
{
    const uint64_t outer = level->other < part->count ? part->levels[level->other].limit : 1;
    return level->alternate && !(level->masked && masked_too)
               ? (outer - 1) * level->limit + level->alternate
               : outer * level->limit;
}

static uint64_t part_total(const struct loops_part *part, bool masked_too)
{
    uint64_t total = 1;
    for (unsigned k = 0; k < part->count; k++)
        if (part->levels[k].kind != LOOPS_OUTER)
            total *= level_total(part, &part->levels[k], masked_too);
    return total;
}

uint64_t loops_part_addresses(const struct loops_part *part)
{
    return part_total(part, true);
}

uint64_t loops_part_iterations(const struct loops_part *part)
{
    return part_total(part, false);
}
