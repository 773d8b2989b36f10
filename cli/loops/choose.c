#include "cli/loops/choose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool loops_shape_parse(struct loops_shape *shape, const char *text)
{
    uint64_t iterations = 1;
    for (shape->rank = 0; shape->rank < LOOPS_RANK;) {
        uint64_t size = 0;
        const char *const from = text;
        for (; *text >= '0' && *text <= '9' && size <= LOOPS_LIMIT; text++)
            size = 10 * size + (uint64_t)(*text - '0');
        if (text == from || size < 1 || size > LOOPS_LIMIT || size > LOOPS_ITERATIONS / iterations)
            return false;
        iterations *= size;
        shape->size[shape->rank++] = size;
        if (!*text)
            return true;
        if (*text++ != 'x')
            return false;
    }
    return false;
}

uint64_t loops_shape_iterations(const struct loops_shape *shape)
{
    uint64_t iterations = 1;
    for (unsigned d = 0; d < shape->rank; d++)
        iterations *= shape->size[d];
    return iterations;
}

uint64_t loops_shape_bound(const struct loops_shape *shape, uint64_t units)
{
    return (loops_shape_iterations(shape) - 1) / units + 1;
}

/* --- one nest --------------------------------------------------------------------------------- */

struct search {
    const struct loops_shape *shape;
    const struct loops_program *program;
    struct loops_choice current, *best;
};

/* Elements from one iteration of the divided loops to the next: neighbours in memory are
 * read together. */
static uint64_t stride(const struct loops_shape *shape, const struct loops_choice *choice)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < shape->rank; i++)
        if (choice->nest.loops[i].over) {
            uint64_t stride = 1;
            for (unsigned d = choice->dimension[i] + 1; d < shape->rank; d++)
                stride *= shape->size[d];
            sum += stride;
        }
    return sum;
}

static unsigned inversions(const struct loops_choice *choice)
{
    unsigned count = 0;
    for (unsigned i = 0; i < choice->nest.rank; i++)
        for (unsigned k = 0; k < i; k++)
            count += choice->dimension[k] > choice->dimension[i];
    return count;
}

static bool better(const struct search *s)
{
    const struct loops_choice *a = &s->current, *b = s->best;
    if (!b->nest.rank || a->steps != b->steps)
        return !b->nest.rank || a->steps < b->steps;
    if (a->state != b->state)
        return a->state < b->state;
    const uint64_t here = stride(s->shape, a), there = stride(s->shape, b);
    return here != there ? here < there : inversions(a) < inversions(b);
}

/* The units have been handed out: what the nest takes. */
static void weigh(struct search *s)
{
    struct loops_choice *c = &s->current;
    loops_generate(s->program, &c->nest, &c->code);
    c->steps = c->state = c->instructions = c->entries = 0;
    for (unsigned p = 0; p < c->code.part_count; p++) {
        c->steps += c->code.parts[p].steps;
        c->state += loops_part_state(&c->code.parts[p]);
        c->instructions += loops_part_instructions(&c->code.parts[p]);
        c->entries += loops_part_addresses(&c->code.parts[p]);
    }
    const uint64_t tried = s->best->tried + 1, orders = s->best->orders;
    if (better(s))
        *s->best = *c;
    s->best->tried = tried;
    s->best->orders = orders;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* Tiles, processors and math units, from `over` on, each to a loop that has none yet or to none. */
static void hand_out(struct search *s, unsigned over)
{
    struct loops_nest *nest = &s->current.nest;
    if (over == LOOPS_OVERS) {
        weigh(s);
        return;
    }
    hand_out(s, over + 1);
    for (unsigned i = 0; i < nest->rank && loops_over_units(s->program, over) > 1; i++)
        if (!nest->loops[i].over) {
            nest->loops[i].over = (uint8_t)over;
            hand_out(s, over + 1);
            nest->loops[i].over = LOOPS_OVER_NOTHING;
        }
}

static void try_order(struct search *s)
{
    struct loops_nest *nest = &s->current.nest;
    s->best->orders++;
    for (unsigned i = 0; i < nest->rank; i++) {
        const unsigned d = s->current.dimension[i];
        nest->loops[i] = (struct loops_loop){.limit = s->shape->size[d]};
        snprintf(nest->loops[i].name, sizeof nest->loops[i].name, "d%u", d + 1);
    }
    for (unsigned i = s->shape->as_written ? nest->rank - 1 : 0; i < nest->rank; i++) {
        nest->loops[i].over = LOOPS_OVER_UNITS;
        weigh(s);
        nest->loops[i].over = LOOPS_OVER_NOTHING;
    }
    const struct loops_program *p = s->program;
    if (!s->shape->as_written && (p->tiles > 1 || p->processors > 1))
        hand_out(s, LOOPS_OVER_TILES);
}

static void permute(struct search *s, unsigned at)
{
    unsigned *d = s->current.dimension;
    const unsigned rank = s->shape->rank;
    if (at >= rank || rank > LOOPS_ORDERED || s->shape->as_written) {
        try_order(s);
        return;
    }
    for (unsigned i = at; i < rank; i++) {
        const unsigned chosen = d[i];
        memmove(d + at + 1, d + at, (i - at) * sizeof *d);
        d[at] = chosen;
        permute(s, at + 1);
        memmove(d + at, d + at + 1, (i - at) * sizeof *d);
        d[i] = chosen;
    }
}

void loops_choose(const struct loops_shape *shape, const struct loops_program *program,
                  enum loops_strategy strategy, struct loops_choice *best)
{
    struct search s = {.shape = shape, .program = program, .best = best};
    s.current.nest.rank = (uint8_t)shape->rank;
    s.current.nest.strategy = (uint8_t)strategy;
    for (unsigned i = 0; i < shape->rank; i++)
        s.current.dimension[i] = i;
    *best = (struct loops_choice){.steps = 0};
    permute(&s, 0);
}

uint64_t loops_least_steps(const struct loops_shape *shape, const struct loops_program *program,
                           const struct loops_choice *choice, uint64_t *limits)
{
    uint64_t least = UINT64_MAX;
    *limits = 0;
    for (unsigned divided = 0; divided < shape->rank; divided++) {
        uint64_t others = 1;
        for (unsigned d = 0; d < shape->rank; d++)
            others *= d == divided ? 1 : shape->size[d];
        const uint64_t size = shape->size[divided], units = loops_units(program);
        for (uint64_t limit = 1; limit <= units && limit <= size; limit++, ++*limits) {
            const uint64_t outer = (size + limit - 1) / limit;
            /* One limit alone must divide the loop. */
            if (choice->nest.strategy == LOOPS_UNIFORM && size % limit)
                continue;
            least = outer * others < least ? outer * others : least;
        }
    }
    return least;
}

/* --- as a program ----------------------------------------------------------------------------- */

static void print_indices(const struct loops_shape *shape, char name, FILE *out)
{
    fprintf(out, "%c", name);
    for (unsigned d = 0; d < shape->rank; d++)
        fprintf(out, "%sd%u", d ? "," : "[", d + 1);
    fputc(']', out);
}

int loops_choice_print(const struct loops_shape *shape, const struct loops_program *program,
                       const struct loops_choice *choice, FILE *out)
{
    fprintf(out, "units tiles=%u processors=%u math=%u\n", program->tiles, program->processors,
            program->math);
    for (char name = 'a'; name <= 'c'; name++) {
        fprintf(out, "tensor %c f32 ", name);
        for (unsigned d = 0; d < shape->rank; d++)
            fprintf(out, "%s%" PRIu64, d ? "x" : "", shape->size[d]);
        fputc('\n', out);
    }
    fprintf(out, "nest %s%s\n", loops_strategy_name[choice->nest.strategy],
            choice->nest.outermost ? " outer=outermost" : "");
    for (unsigned i = 0; i < shape->rank; i++) {
        const struct loops_loop *loop = &choice->nest.loops[i];
        fprintf(out, "for %s %" PRIu64 "%s%s\n", loop->name, loop->limit,
                loop->over ? " over " : "", loops_over_name[loop->over]);
    }
    print_indices(shape, 'c', out);
    fputs(" = ", out);
    print_indices(shape, 'a', out);
    fputs(" + ", out);
    print_indices(shape, 'b', out);
    fputs("\nend\n", out);
    return ferror(out) ? -1 : 0;
}
