/* loops: loops and limits for a tensor over parallel units, by every strategy. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/loops/layout.h"
#include "cli/options.h"
#include "functional/text.h"
#include "host/number.h"
#include "host/text.h"
#include "timing/loops/model.h"
#include "timing/machines.h"

static const char help[] =
    "usage: takt loops [OPTION]... SHAPE\n"
    "How the loops over a tensor of SHAPE (100x30x160, innermost dimension last) are\n"
    "best divided among units that work in parallel: order, which loop, and limits,\n"
    "for each strategy:\n"
    "  alternate  a smaller limit in the last outer iteration\n"
    "  uniform    one limit that divides the loop\n"
    "  masked     the full limit always; units beyond the end do nothing\n"
    "  peeled     a second nest for the rest\n"
    "with steps, utilisation, state elements a tensor, instructions, memory entries\n"
    "that are addressed, and cycles of c = a + b (takt config loops).\n"
    "\n"
    "  --units N         units in all (default: 64)\n"
    "  --tiles N         or tiles, each with ...\n"
    "  --processors N    so many processors, each with ...\n"
    "  --math-units N    so many math units; each kind may serve a loop of its own\n"
    "  --as-written      the order of SHAPE, all units to its innermost loop\n"
    "  --print STRATEGY  the nest as a program, for takt print and takt run\n"
    "  --layout MACHINE  how the tensor, of f32, is laid over the tree of a machine\n"
    "                    whose processing elements all do the same, and what it costs\n"
    "@common\n"
    "\n"
    "@exit 0 fine\n";

enum { MOST_STEPS = 1 << 22 }; /* of a nest that is timed */

struct args {
    uint64_t units, tiles, processors, math;
    bool as_written, json;
    const char *print, *layout;
};

struct answer {
    const char *name; /* the shape as given */
    struct loops_shape shape;
    struct loops_program program; /* units alone */
    struct loops_choice choices[LOOPS_STRATEGIES];
    const struct machine *tree;
    struct loops_layout layout;
};

static char *grouped(char text[NUMBER_TEXT], uint64_t value)
{
    return number_group(text, (int64_t)value);
}

/* --- time ------------------------------------------------------------------------------------- */

/* Returns 0, or -1 when the host failed; *cycles stays where the tensors have no room. */
static int time_text(const char *text, size_t size, const struct config *config, uint64_t *cycles)
{
    struct machine_program *program = NULL;
    struct source source;
    struct diag_list diags;
    if (source_from_text(&source, "nest", text, size) != 0)
        return -1;
    diag_list_init(&diags);
    const int refused = machine_loops.language->load(&program, &source, 1, &diags);
    int status = refused < 0 ? -1 : 0;
    if (refused == 0)
        status = run_cycles(&machine_loops, program, config, cycles);
    machine_loops.language->unload(program);
    diag_list_free(&diags);
    source_close(&source);
    return status;
}

static int time_choice(const struct answer *a, const struct loops_choice *choice,
                       const struct config *config, uint64_t *cycles)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    *cycles = 0;
    if (!out)
        return -1;
    int status = loops_choice_print(&a->shape, &a->program, choice, out);
    status |= text_close(out, &text) != 0 ? -1 : 0;
    if (status == 0)
        status = time_text(text, size, config, cycles);
    free(text);
    return status;
}

/* With the outer loop next to the one that it divides, and outermost: the better one stays. */
static int time_places(const struct answer *a, struct loops_choice *choice,
                       const struct config *config)
{
    struct loops_choice other = *choice;
    other.nest.outermost = true;
    loops_generate(&a->program, &other.nest, &other.code);
    if (time_choice(a, choice, config, &choice->cycles) != 0 ||
        time_choice(a, &other, config, &other.cycles) != 0)
        return -1;
    if (other.cycles < choice->cycles)
        *choice = other;
    return 0;
}

static int choose(struct answer *a)
{
    struct config config;
    char error[MACHINE_ERROR];
    int status = machine_config(&machine_loops, &config, error, sizeof error);
    for (unsigned s = 0; s < LOOPS_STRATEGIES && status == 0; s++) {
        struct loops_choice *choice = &a->choices[s];
        loops_choose(&a->shape, &a->program, (enum loops_strategy)s, choice);
        if (choice->steps <= MOST_STEPS)
            status = time_places(a, choice, &config);
    }
    config_free(&config);
    return status == 0 ? 0 : -1;
}

/* --- text ------------------------------------------------------------------------------------- */

static double utilisation(const struct answer *a, const struct loops_choice *c)
{
    return (double)loops_shape_iterations(&a->shape) / (double)c->steps / loops_units(&a->program);
}

static void loops_text(const struct loops_choice *c, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < c->nest.rank && used < size; i++) {
        const struct loops_loop *loop = &c->nest.loops[i];
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64 "%s%s", i ? " " : "",
                                 loop->limit, loop->over ? "/" : "", loops_over_name[loop->over]);
    }
}

static void limits_text(const struct answer *a, const struct loops_choice *c, char *text,
                        size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < c->nest.rank && used < size; i++) {
        const struct loops_loop *loop = &c->nest.loops[i];
        if (!loop->over)
            continue;
        const struct loops_limits l =
            loops_limits(c->nest.strategy, loop->limit, loops_over_units(&a->program, loop->over));
        used += (size_t)snprintf(text + used, size - used, "%s", used ? "; " : "");
        if (l.outer > 1)
            used += (size_t)snprintf(text + used, size - used, "%" PRIu64 " x ", l.outer);
        used += (size_t)snprintf(text + used, size - used, "%" PRIu64, l.first);
        if (l.alternate || l.rest)
            used += (size_t)snprintf(text + used, size - used, " %s %" PRIu64,
                                     l.rest     ? "rest"
                                     : l.masked ? "mask"
                                                : "last",
                                     l.rest ? l.rest : l.alternate);
    }
}

static void print_row(const struct answer *a, const struct loops_choice *c, int loops, int limits)
{
    char steps[NUMBER_TEXT], entries[NUMBER_TEXT], cycles[NUMBER_TEXT] = "-", first[256],
                                                   second[256];
    loops_text(c, first, sizeof first);
    limits_text(a, c, second, sizeof second);
    if (c->cycles)
        grouped(cycles, c->cycles);
    text_print(stdout,
               "%-9s  %-*s  %-*s  %11s  %11.4f  %5" PRIu64 "  %12" PRIu64 "  %11s  %11s%s\n",
               loops_strategy_name[c->nest.strategy], loops, first, limits, second,
               grouped(steps, c->steps), utilisation(a, c), c->state, c->instructions,
               grouped(entries, c->entries), cycles, c->nest.outermost ? "  outer=outermost" : "");
}

static void print_choices(const struct answer *a)
{
    char number[3][NUMBER_TEXT], text[256];
    int loops = 5, limits = 6;
    const uint64_t units = loops_units(&a->program);
    text_print(stdout, "%s over %s units: %s iterations, at least %s steps\n", a->name,
               grouped(number[0], units), grouped(number[1], loops_shape_iterations(&a->shape)),
               grouped(number[2], loops_shape_bound(&a->shape, units)));
    for (unsigned s = 0; s < LOOPS_STRATEGIES; s++) {
        loops_text(&a->choices[s], text, sizeof text);
        loops = (int)strlen(text) > loops ? (int)strlen(text) : loops;
        limits_text(a, &a->choices[s], text, sizeof text);
        limits = (int)strlen(text) > limits ? (int)strlen(text) : limits;
    }
    text_print(stdout, "%-9s  %-*s  %-*s  %11s  %11s  %5s  %12s  %11s  %11s\n", "strategy", loops,
               "loops", limits, "limits", "steps", "utilisation", "state", "instructions",
               "entries", "cycles");
    for (unsigned s = 0; s < LOOPS_STRATEGIES; s++)
        print_row(a, &a->choices[s], loops, limits);
    const struct loops_choice *best = &a->choices[LOOPS_ALTERNATE];
    printf("PROOF  %s order%s, %s nests for each strategy: none has fewer steps\n",
           grouped(number[0], best->orders), best->orders == 1 ? "" : "s",
           grouped(number[1], best->tried));
    if (a->shape.as_written)
        return;
    uint64_t tried;
    const uint64_t least = loops_least_steps(&a->shape, &a->program, best, &tried);
    printf("       one loop divided by any limit, %s of them: none below %s steps\n",
           grouped(number[0], tried), grouped(number[1], least));
}

/* --- layout ----------------------------------------------------------------------------------- */

/* Words of 64 bits of two f32 each. */
static uint64_t words_of(const struct loops_layout *l)
{
    return (l->elements + 1) / 2;
}

static uint64_t elements_below(const struct machine_level *levels, unsigned level)
{
    uint64_t count = 1;
    for (unsigned l = level + 1; levels[l].name; l++)
        count *= levels[l].count;
    return count;
}

static void print_layout(const struct answer *a)
{
    const struct loops_layout *l = &a->layout;
    const struct machine_level *levels = a->tree->values->levels;
    const uint64_t iterations = loops_shape_iterations(&a->shape), words = words_of(l),
                   steps = (words + a->tree->values->step_words - 1) / a->tree->values->step_words;
    char number[4][NUMBER_TEXT];
    text_print(stdout, "LAYOUT %s: %s elements of f32 over %s %s, at least %s each\n",
               a->tree->name, grouped(number[0], iterations), grouped(number[1], l->units),
               levels[l->levels - 1].name, grouped(number[2], (iterations - 1) / l->units + 1));
    printf("  level  units  divides       used  words in one     of    filled in\n");
    for (unsigned i = 0; i < l->levels; i++) {
        const uint64_t here = words * elements_below(levels, i);
        char size[NUMBER_TEXT] = "-", fill[NUMBER_TEXT + 8] = "-", room[NUMBER_TEXT] = "-";
        if (l->dimension[i] < a->shape.rank)
            grouped(size, a->shape.size[l->dimension[i]]);
        if (levels[i].words)
            grouped(room, levels[i].words);
        if (levels[i].fill)
            snprintf(fill, sizeof fill, "%s cycles",
                     grouped(number[0], (here + levels[i].fill - 1) / levels[i].fill));
        printf("  %-5s  %5u  %7s  %9" PRIu64 "  %12s  %5s  %11s%s\n", levels[i].name,
               levels[i].count, size, l->used[i], grouped(number[1], here), room, fill,
               levels[i].words && here > levels[i].words ? "  does not fit" : "");
    }
    printf("  block ");
    for (unsigned d = 0; d < a->shape.rank; d++)
        printf("%s%" PRIu64, d ? "x" : "", l->block[d]);
    printf(": %s elements each, utilisation %.4f, %s ways tried\n", grouped(number[0], l->elements),
           (double)iterations / (double)l->elements / (double)l->units,
           grouped(number[1], l->tried));
    printf("  a pass over it: %s steps, %s cycles; without padding %s\n", grouped(number[0], steps),
           grouped(number[1], steps * a->tree->values->step_cycles),
           grouped(number[2],
                   (((iterations - 1) / l->units + 2) / 2 + a->tree->values->step_words - 1) /
                       a->tree->values->step_words * a->tree->values->step_cycles));
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *divided_json(const struct answer *a, const struct loops_choice *c)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < c->nest.rank; i++) {
        const struct loops_loop *loop = &c->nest.loops[i];
        if (!loop->over)
            continue;
        const struct loops_limits l =
            loops_limits(c->nest.strategy, loop->limit, loops_over_units(&a->program, loop->over));
        json_array_append_new(
            list, json_pack("{s:i, s:s, s:I, s:I, s:I, s:I}", "dimension", (int)c->dimension[i] + 1,
                            "over", loops_over_name[loop->over], "outer", (json_int_t)l.outer,
                            "first", (json_int_t)l.first, "alternate", (json_int_t)l.alternate,
                            "rest", (json_int_t)l.rest));
    }
    return list;
}

static json_t *choice_json(const struct answer *a, const struct loops_choice *c)
{
    json_t *order = json_array();
    for (unsigned i = 0; i < c->nest.rank; i++)
        json_array_append_new(order, json_integer((json_int_t)c->dimension[i] + 1));
    return json_pack("{s:s, s:o, s:s, s:o, s:I, s:f, s:I, s:I, s:I, s:o}", "strategy",
                     loops_strategy_name[c->nest.strategy], "order", order, "outer",
                     c->nest.outermost ? "outermost" : "beside", "divided", divided_json(a, c),
                     "steps", (json_int_t)c->steps, "utilisation", utilisation(a, c), "state",
                     (json_int_t)c->state, "instructions", (json_int_t)c->instructions, "entries",
                     (json_int_t)c->entries, "cycles",
                     c->cycles ? json_integer((json_int_t)c->cycles) : json_null());
}

static json_t *layout_json(const struct answer *a)
{
    const struct loops_layout *l = &a->layout;
    const struct machine_level *levels = a->tree->values->levels;
    const uint64_t words = words_of(l),
                   steps = (words + a->tree->values->step_words - 1) / a->tree->values->step_words;
    json_t *list = json_array(), *block = json_array();
    for (unsigned i = 0; i < l->levels; i++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:i, s:o, s:I, s:I, s:o}", "level", levels[i].name, "units",
                      (int)levels[i].count, "dimension",
                      l->dimension[i] < a->shape.rank ? json_integer(l->dimension[i] + 1)
                                                      : json_null(),
                      "used", (json_int_t)l->used[i], "words",
                      (json_int_t)(words * elements_below(levels, i)), "capacity",
                      levels[i].words ? json_integer((json_int_t)levels[i].words) : json_null()));
    for (unsigned d = 0; d < a->shape.rank; d++)
        json_array_append_new(block, json_integer((json_int_t)l->block[d]));
    return json_pack(
        "{s:s, s:o, s:o, s:I, s:f, s:I, s:I}", "machine", a->tree->name, "levels", list, "block",
        block, "elements", (json_int_t)l->elements, "utilisation",
        (double)loops_shape_iterations(&a->shape) / (double)l->elements / (double)l->units, "steps",
        (json_int_t)steps, "cycles", (json_int_t)(steps * a->tree->values->step_cycles));
}

static int print_json(const struct answer *a)
{
    json_t *shape = json_array(), *list = json_array();
    const struct loops_choice *best = &a->choices[LOOPS_ALTERNATE];
    for (unsigned d = 0; d < a->shape.rank; d++)
        json_array_append_new(shape, json_integer((json_int_t)a->shape.size[d]));
    for (unsigned s = 0; s < LOOPS_STRATEGIES; s++)
        json_array_append_new(list, choice_json(a, &a->choices[s]));
    return cli_json("loops",
                    json_pack("{s:o, s:I, s:I, s:I, s:o, s:{s:I, s:I}, s:o}", "shape", shape,
                              "units", (json_int_t)loops_units(&a->program), "iterations",
                              (json_int_t)loops_shape_iterations(&a->shape), "bound",
                              (json_int_t)loops_shape_bound(&a->shape, loops_units(&a->program)),
                              "strategies", list, "proof", "orders", (json_int_t)best->orders,
                              "nests", (json_int_t)best->tried, "layout",
                              a->tree ? layout_json(a) : json_null()),
                    JSON_INDENT(1) | JSON_REAL_PRECISION(10));
}

/* --- the command ------------------------------------------------------------------------------ */

static int take_units(const struct args *args, struct loops_program *program)
{
    if (args->units && (args->tiles || args->processors || args->math))
        return cli_usage("loops", "--units are all of them; --tiles, --processors and --math-units "
                                  "say how they are grouped");
    const uint64_t tiles = args->tiles ? args->tiles : 1,
                   processors = args->processors ? args->processors : 1;
    const uint64_t math = args->units                       ? args->units
                          : args->math                      ? args->math
                          : args->tiles || args->processors ? 1
                                                            : 64;
    if (tiles * processors > LOOPS_UNITS / math)
        return cli_usage("loops", "more than %d units", LOOPS_UNITS);
    *program = (struct loops_program){
        .tiles = (uint32_t)tiles, .processors = (uint32_t)processors, .math = (uint32_t)math};
    return EXIT_FINE;
}

static int take_tree(const char *name, struct answer *a)
{
    a->tree = machine_named(name);
    if (!a->tree || !a->tree->values->levels)
        return cli_usage("loops",
                         a->tree ? "%s has no tree of elements that all do the same"
                                 : "no machine is named '%s'",
                         name);
    if (!loops_layout(&a->shape, a->tree->values->levels, &a->layout))
        return cli_usage("loops", "a layout of that many dimensions has too many ways to try");
    return EXIT_FINE;
}

static int print_program(const struct answer *a, const char *strategy)
{
    for (unsigned s = 0; s < LOOPS_STRATEGIES; s++)
        if (strcmp(loops_strategy_name[s], strategy) == 0 &&
            loops_choice_print(&a->shape, &a->program, &a->choices[s], stdout) != 0)
            return cli_fail(EXIT_HOST, "loops", "could not write");
    return EXIT_FINE;
}

static int run(const struct args *args, const char *shape)
{
    struct answer *a = calloc(1, sizeof *a);
    if (!a)
        return cli_fail(EXIT_HOST, "loops", "out of memory");
    a->name = shape;
    int code = take_units(args, &a->program);
    if (code == EXIT_FINE && !loops_shape_parse(&a->shape, shape))
        code =
            cli_usage("loops",
                      "'%s' is not a shape: up to %d dimensions of 1 to 2147483648, 2^62 elements "
                      "in all, as in 100x30x160",
                      shape, LOOPS_RANK);
    a->shape.as_written = args->as_written;
    if (code == EXIT_FINE && args->layout)
        code = take_tree(args->layout, a);
    if (code == EXIT_FINE && choose(a) != 0)
        code = cli_fail(EXIT_HOST, "loops", "out of memory");
    if (code == EXIT_FINE && args->print)
        code = print_program(a, args->print);
    else if (code == EXIT_FINE && args->json)
        code = print_json(a);
    else if (code == EXIT_FINE) {
        print_choices(a);
        if (a->tree)
            print_layout(a);
    }
    free(a);
    return code;
}

int cmd_loops(int argc, char **argv)
{
    static const char *const strategies[] = {"alternate", "uniform", "masked", "peeled", NULL};
    struct args args = {0};
    const struct cli_option table[] = {
        {"units", .number = &args.units, .low = 1, .high = LOOPS_UNITS, .what = "units"},
        {"tiles", .number = &args.tiles, .low = 1, .high = LOOPS_TILES, .what = "tiles"},
        {"processors", .number = &args.processors, .low = 1, .high = LOOPS_UNITS},
        {"math-units", .number = &args.math, .low = 1, .high = LOOPS_UNITS},
        {"as-written", .flag = &args.as_written},
        {"print", .text = &args.print, .words = strategies},
        {"layout", .text = &args.layout},
        {"json", .flag = &args.json},
    };
    int code;
    if (!OPTIONS_TAKE("loops", help, table, argc, argv, &code))
        return code;
    if (optind + 1 != argc)
        return cli_usage("loops", optind == argc ? "which shape?" : "one shape at a time");
    if (args.print && (args.json || args.layout))
        return cli_usage("loops", "--print writes a program: --%s changes nothing",
                         args.json ? "json" : "layout");
    return run(&args, argv[optind]);
}
