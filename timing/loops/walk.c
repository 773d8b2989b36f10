/* walk: the steps of one tile, one after the other, and what each takes. */
#include <stdlib.h>

#include "timing/loops/model.h"

enum { PLACES = 1 << 16 }; /* places of the scoreboard, at most */

static const struct loops_nest *nest_of(const struct loops_walk *walk)
{
    return &walk->model->program->nests[walk->nest];
}

static const struct loops_part *part_of(const struct loops_walk *walk)
{
    return &walk->code.parts[walk->part];
}

static uint64_t value(const struct loops_walk *walk, enum loops_param param)
{
    return walk->model->value[param];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* How many iterations of a lane level with this limit the tile has, and the first one. */
static uint64_t share(const struct loops_program *program, const struct loops_level *level,
                      uint64_t limit, uint32_t tile, uint64_t *first)
{
    const uint64_t size =
        level->over == LOOPS_OVER_UNITS ? (uint64_t)program->processors * program->math : 1;
    *first = 0;
    if (level->over != LOOPS_OVER_UNITS && level->over != LOOPS_OVER_TILES)
        return limit;
    *first = tile * size;
    return limit <= *first ? 0 : limit - *first < size ? limit - *first : size;
}

uint64_t loops_tile_lanes(const struct loops_program *program, const struct loops_traversal *at,
                          uint32_t tile, uint64_t count[LOOPS_LEVELS],
                          int64_t offset[LOOPS_OPERANDS])
{
    uint64_t lanes = 1;
    bool tiles = false;
    for (unsigned o = 0; o < LOOPS_OPERANDS; o++)
        offset[o] = 0;
    for (unsigned k = at->part->sequential; k < at->part->count; k++) {
        const struct loops_level *level = &at->part->levels[k];
        uint64_t first;
        count[k] = share(program, level, at->limit[k], tile, &first);
        lanes *= count[k];
        tiles = tiles || level->over == LOOPS_OVER_UNITS || level->over == LOOPS_OVER_TILES;
        for (unsigned o = 0; o < LOOPS_OPERANDS; o++)
            offset[o] += at->multiplier[o][k] * (int64_t)first;
    }
    return tile && !tiles ? 0 : lanes;
}

/* The same with those that a mask switches off. */
static uint64_t all_lanes(const struct loops_walk *walk)
{
    const struct loops_part *part = part_of(walk);
    uint64_t lanes = 1, first;
    for (unsigned k = part->sequential; k < part->count; k++)
        lanes *= share(walk->model->program, &part->levels[k],
                       part->levels[k].masked ? part->levels[k].limit : walk->at.limit[k],
                       walk->tile, &first);
    return lanes;
}

/* --- banks ------------------------------------------------------------------------------------ */

static int by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The most words in one bank. The words are those of an operand's lanes; a word that
 * several want is read once. */
static uint64_t fullest_bank(uint64_t *words, uint64_t count, unsigned bits)
{
    uint64_t distinct = 0, most = 0, here = 0;
    qsort(words, count, sizeof *words, by_word);
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || words[i] != words[i - 1])
            words[distinct++] = words[i];
    for (uint64_t i = 0; i < distinct; i++)
        words[i] &= (UINT64_C(1) << bits) - 1;
    qsort(words, distinct, sizeof *words, by_word);
    for (uint64_t i = 0; i < distinct; i++) {
        here = i && words[i] == words[i - 1] ? here + 1 : 1;
        most = larger(most, here);
    }
    return most;
}

static void list_words(const struct loops_walk *walk, unsigned o, const uint64_t *count,
                       int64_t address)
{
    const struct loops_part *part = part_of(walk);
    uint64_t index[LOOPS_LEVELS] = {0};
    for (uint64_t i = 0; i < walk->step.lanes; i++) {
        walk->words[i] = (uint64_t)address / 4;
        for (unsigned k = part->count; k-- > part->sequential;) {
            address += walk->at.multiplier[o][k];
            if (++index[k] < count[k])
                break;
            address -= walk->at.multiplier[o][k] * (int64_t)count[k];
            index[k] = 0;
        }
    }
}

/* Where the operand begins moves all words by the same, which changes no bank's number of words:
 * except bytes, whose place in their word varies. */
static uint64_t bank_cycles(struct loops_walk *walk, unsigned o, const uint64_t *count,
                            int64_t address)
{
    const struct loops_part *part = part_of(walk);
    unsigned variant = 0;
    for (unsigned k = part->sequential; k < part->count; k++)
        if (part->levels[k].alternate && walk->at.limit[k] == part->levels[k].alternate)
            variant |= 1U << (k - part->sequential);
    uint64_t *known = &walk->loads[variant].cycles[o][address % 4];
    if (!*known) {
        list_words(walk, o, count, address);
        *known = fullest_bank(walk->words, walk->step.lanes,
                              (unsigned)value(walk, LOOPS_PARAM_bank_bits)) *
                 value(walk, LOOPS_PARAM_bank_interval);
    }
    return *known;
}

/* --- what a step takes ------------------------------------------------------------------------ */

static unsigned ahead(const struct loops_traversal *at)
{
    for (unsigned k = at->end; k-- > 0;)
        if (at->index[k] + 1 < at->limit[k])
            return k;
    return LOOPS_LEVELS;
}

bool loops_walk_outer(const struct loops_walk *walk)
{
    const struct loops_part *part = part_of(walk);
    const unsigned level = ahead(&walk->at);
    for (unsigned k = level; k < part->sequential; k++)
        if (part->levels[k].kind == LOOPS_OUTER)
            return true;
    return false;
}

static uint64_t control_cycles(const struct loops_walk *walk)
{
    const struct loops_part *part = part_of(walk);
    const unsigned level = ahead(&walk->at);
    uint64_t cycles = value(walk, LOOPS_PARAM_issue_interval);
    for (unsigned k = part->sequential; k < part->count; k++)
        if (part->levels[k].masked) {
            cycles += value(walk, LOOPS_PARAM_mask_interval);
            break;
        }
    if (level == LOOPS_LEVELS)
        return cycles;
    cycles += (part->sequential - 1 - level) * value(walk, LOOPS_PARAM_carry_cycles);
    const struct loops_level *up = &part->levels[level];
    if (up->kind == LOOPS_OUTER && part->levels[up->other].alternate &&
        !part->levels[up->other].masked && walk->at.index[level] + 2 == up->limit)
        cycles += value(walk, LOOPS_PARAM_switch_cycles);
    return cycles;
}

static bool run_begins(const struct loops_walk *walk)
{
    for (unsigned k = walk->trailing; k < walk->at.end; k++)
        if (walk->at.index[k])
            return false;
    return true;
}

static bool run_ends(const struct loops_walk *walk)
{
    for (unsigned k = walk->trailing; k < walk->at.end; k++)
        if (walk->at.index[k] + 1 < walk->at.limit[k])
            return false;
    return true;
}

/* Whether an earlier run used the same elements. */
static bool comes_back(const struct loops_walk *walk)
{
    for (unsigned k = 0; k < walk->at.end; k++)
        if (walk->at.index[k] && nest_of(walk)->loops[part_of(walk)->levels[k].loop].sums)
            return true;
    return false;
}

/* Addresses and accesses: of what is read, of what a sum begins with, of what is stored. */
static void fill_operands(struct loops_walk *walk, const uint64_t *count, const int64_t *offset,
                          bool loads)
{
    struct loops_step *step = &walk->step;
    const struct loops_nest *nest = nest_of(walk);
    const unsigned order[] = {LOOPS_A, LOOPS_B, LOOPS_TO, LOOPS_TO};
    uint64_t refs = 0, sum = 0, most = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned o = order[i];
        if (nest->operand[o].kind != LOOPS_TENSOR || (i == 2 && !loads) ||
            (i == 3 && !step->stores))
            continue;
        const uint64_t cycles = bank_cycles(walk, o, count, walk->at.address[o] + offset[o]);
        refs++;
        sum += cycles;
        most = larger(most, cycles);
    }
    const uint64_t ports = value(walk, LOOPS_PARAM_memory_ports);
    step->addresses = refs * all_lanes(walk);
    step->taken[LOOPS_UNIT_TRAVERSAL] = refs * value(walk, LOOPS_PARAM_address_interval);
    step->taken[LOOPS_UNIT_MEMORY] = larger(most, (sum + ports - 1) / ports);
}

static void fill_latency(struct loops_walk *walk, const uint64_t *count, bool reads)
{
    struct loops_step *step = &walk->step;
    const struct loops_nest *nest = nest_of(walk);
    const struct loops_part *part = part_of(walk);
    const bool real = nest->type == LOOPS_F32;
    const uint64_t add = value(walk, real ? LOOPS_PARAM_add_latency : LOOPS_PARAM_integer_latency);
    const uint64_t multiply =
        value(walk, real ? LOOPS_PARAM_multiply_latency : LOOPS_PARAM_integer_latency);
    uint64_t together = 1, levels = 0, sum = 0;
    for (unsigned k = part->sums; k < part->count; k++)
        together *= count[k];
    while (UINT64_C(1) << levels < together)
        levels++;
    if (nest->assign != LOOPS_ASSIGN_SET) {
        sum = nest->tree ? (levels + 1) * add : together * add;
        step->sum = nest->tree ? add : sum;
    }
    uint64_t length = nest->op == LOOPS_OP_NONE       ? 0
                      : nest->op == LOOPS_OP_MULTIPLY ? multiply
                                                      : add;
    length += sum;
    if (reads || step->stores)
        length += value(walk, LOOPS_PARAM_address_latency) + step->taken[LOOPS_UNIT_MEMORY];
    if (reads)
        length += value(walk, LOOPS_PARAM_read_latency);
    if (step->stores)
        length += value(walk, LOOPS_PARAM_write_latency);
    for (unsigned u = 0; u < LOOPS_PORTS; u++)
        length = larger(length, step->taken[u]);
    step->length = larger(length, step->control);
}

static void fill(struct loops_walk *walk)
{
    struct loops_step *step = &walk->step;
    const struct loops_nest *nest = nest_of(walk);
    const bool adds = nest->assign != LOOPS_ASSIGN_SET, begins = run_begins(walk);
    uint64_t count[LOOPS_LEVELS];
    int64_t offset[LOOPS_OPERANDS];
    *step = (struct loops_step){.stmt = 2 * (uint32_t)walk->nest + 1,
                                .stores = !adds || run_ends(walk),
                                .chained = adds && !begins,
                                .loads = adds && begins && comes_back(walk)};
    step->lanes = loops_tile_lanes(walk->model->program, &walk->at, walk->tile, count, offset);
    if (!step->lanes)
        return;
    step->control = control_cycles(walk);
    step->taken[LOOPS_UNIT_MATH] = value(walk, LOOPS_PARAM_math_interval);
    fill_operands(walk, count, offset, adds && begins);
    fill_latency(walk, count,
                 (adds && begins) || nest->operand[LOOPS_A].kind == LOOPS_TENSOR ||
                     nest->operand[LOOPS_B].kind == LOOPS_TENSOR);
}

static void fill_setup(struct loops_walk *walk)
{
    const struct loops_nest *nest = nest_of(walk);
    uint64_t state = 0;
    for (unsigned o = 0; o < LOOPS_OPERANDS; o++)
        if (nest->operand[o].kind == LOOPS_TENSOR)
            state += loops_part_state(part_of(walk));
    const uint64_t cycles = state * value(walk, LOOPS_PARAM_state_interval);
    walk->step = (struct loops_step){.stmt = 2 * (uint32_t)walk->nest,
                                     .setup = true,
                                     .lanes = 1,
                                     .control = cycles,
                                     .taken = {[LOOPS_UNIT_TRAVERSAL] = cycles},
                                     .length = cycles};
}

/* --- continuing ------------------------------------------------------------------------------- */

int loops_walk_init(struct loops_walk *walk, const struct loops_model *model, uint32_t tile)
{
    const struct loops_program *program = model->program;
    *walk = (struct loops_walk){.model = model, .tile = tile};
    walk->words = malloc(((size_t)program->processors * program->math + 1) * sizeof *walk->words);
    if (program->nest_count)
        loops_generate(program, &program->nests[0], &walk->code);
    return walk->words ? 0 : -1;
}

void loops_walk_free(struct loops_walk *walk)
{
    free(walk->words);
}

/* Which levels make a run, and how many different elements runs go to. */
static void find_runs(struct loops_walk *walk)
{
    const struct loops_nest *nest = nest_of(walk);
    const struct loops_part *part = part_of(walk);
    walk->trailing = part->sequential;
    while (walk->trailing && (nest->loops[part->levels[walk->trailing - 1].loop].sums ||
                              part->levels[walk->trailing - 1].limit == 1))
        walk->trailing--;
    walk->places = 1;
    for (unsigned k = 0; k < walk->trailing && nest->accumulates; k++)
        if (!nest->loops[part->levels[k].loop].sums)
            walk->places = walk->places > PLACES / part->levels[k].limit
                               ? PLACES
                               : walk->places * part->levels[k].limit;
}

uint32_t loops_walk_place(const struct loops_walk *walk)
{
    uint64_t place = 0;
    for (unsigned k = 0; k < walk->trailing; k++)
        if (!nest_of(walk)->loops[part_of(walk)->levels[k].loop].sums)
            place = place * part_of(walk)->levels[k].limit + walk->at.index[k];
    return (uint32_t)(place % walk->places);
}

void loops_walk_begin(struct loops_walk *walk)
{
    uint64_t count[LOOPS_LEVELS];
    int64_t offset[LOOPS_OPERANDS];
    const struct loops_part *part = part_of(walk);
    loops_traversal_start(&walk->at, nest_of(walk), part, part->sequential);
    for (unsigned i = 0; i < 1 << LOOPS_SPLITS; i++)
        walk->loads[i] = (struct loops_load){0};
    find_runs(walk);
    walk->ended = !loops_tile_lanes(walk->model->program, &walk->at, walk->tile, count, offset);
    walk->setup = true;
    fill_setup(walk);
}

void loops_walk_next(struct loops_walk *walk)
{
    if (walk->setup)
        walk->setup = false;
    else
        walk->ended = loops_traversal_next(&walk->at) == LOOPS_LEVELS;
    if (!walk->ended)
        fill(walk);
}

void loops_walk_part(struct loops_walk *walk)
{
    const struct loops_program *program = walk->model->program;
    if (++walk->part < walk->code.part_count)
        return;
    walk->part = 0;
    if (++walk->nest < program->nest_count)
        loops_generate(program, nest_of(walk), &walk->code);
}
