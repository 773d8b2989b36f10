/* parse: lines of text to tensors, nests and items. All findings of all sources are reported in one
 * run. */
#include "functional/loops/parse.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

enum { FIRST_UNITS, FIRST_TENSOR, FIRST_NEST, FIRST_FOR, FIRST_END, FIRST_D, FIRST_COUNT };
static const char *const first_word[FIRST_COUNT] = {"units", "tensor", "nest", "for", "end", "d"};

/* --- words ------------------------------------------------------------------------------------ */

static void expect_end(struct line *line)
{
    struct word word;
    if (!line->wrong && line_word(line, &word))
        loops_error(line, word, "nothing more was expected here");
}

/* A mandatory word; `after` is the position of the error if it is missing. */
static bool need_word(struct line *line, struct word after, const char *what, struct word *word)
{
    if (line_word(line, word))
        return true;
    loops_error(line, after, "%s is missing", what);
    return false;
}

/* --- units and tensors ------------------------------------------------------------------------ */

static void parse_units(struct loops_parser *p, struct line *line, struct word first)
{
    static const char *const names[] = {"tiles", "processors", "math"};
    static const uint64_t most[] = {LOOPS_TILES, LOOPS_UNITS, LOOPS_UNITS};
    struct loops_program *g = p->program;
    uint64_t count[3] = {1, 1, 1};
    bool given[3] = {false};
    struct word word, value;
    if (g->units_written || g->nest_count || p->open)
        loops_error(line, first,
                    g->units_written ? "the units are written twice"
                                     : "the units come before the first nest");
    if (line->wrong || !need_word(line, first, "the number of units", &word))
        return;
    do {
        if (!word_cut(&word, '=', &value)) {
            if (given[0] || given[1] || given[2]) {
                loops_error(line, word, "tiles=, processors= or math= was expected");
                return;
            }
            line_range(line, word, "units", 1, LOOPS_UNITS, &count[2]);
            break;
        }
        const int which = line_choose(line, word, names, 3, "kind of unit");
        if (which >= 0 && given[which])
            loops_error(line, word, "'%s' is written twice", names[which]);
        if (line->wrong || !line_range(line, value, names[which], 1, most[which], &count[which]))
            return;
        given[which] = true;
    } while (line_word(line, &word));
    expect_end(line);
    if (!line->wrong && count[0] * count[1] > LOOPS_UNITS / count[2])
        loops_error(line, first, "more than %d units", LOOPS_UNITS);
    if (line->wrong)
        return;
    g->tiles = (uint32_t)count[0];
    g->processors = (uint32_t)count[1];
    g->math = (uint32_t)count[2];
    g->units_written = true;
}

static void parse_shape(struct line *line, struct word word, struct loops_tensor *tensor)
{
    struct word rest = word;
    bool more = true;
    while (more && !line->wrong) {
        struct word size = rest;
        more = word_cut(&size, 'x', &rest);
        if (tensor->rank == LOOPS_RANK) {
            loops_error(line, size, "more than %d dimensions", LOOPS_RANK);
            return;
        }
        if (!line_range(line, size, "dimension", 1, LOOPS_LIMIT, &tensor->shape[tensor->rank++]))
            return;
    }
}

static void parse_strides(struct line *line, struct word word, struct loops_tensor *tensor)
{
    struct word rest = word;
    bool more = true;
    unsigned d = 0;
    for (; more && !line->wrong; d++) {
        struct word stride = rest;
        uint64_t number;
        more = word_cut(&stride, ',', &rest);
        const bool negative = stride.length && stride.text[0] == '-';
        const struct word size = {stride.text + negative, stride.length - negative};
        if (d == tensor->rank) {
            more = true;
            break;
        }
        if (line_range(line, size, "stride", 0, LOOPS_MEMORY, &number))
            tensor->stride[d] = negative ? -(int64_t)number : (int64_t)number;
    }
    if (!line->wrong && (d != tensor->rank || more))
        loops_error(line, word, "a stride for each of the %u dimensions is needed", tensor->rank);
    tensor->strides_written = true;
}

/* Strides of densely packed elements. */
static void pack(struct loops_tensor *tensor)
{
    uint64_t stride = 1;
    for (unsigned d = tensor->rank; d-- > 0;) {
        tensor->stride[d] = (int64_t)stride;
        stride =
            stride > LOOPS_MEMORY / tensor->shape[d] ? LOOPS_MEMORY + 1 : stride * tensor->shape[d];
    }
}

/* Place the elements in memory: base, low and high. */
static void place_tensor(struct line *line, struct word name, const struct loops_program *g,
                         struct loops_tensor *tensor)
{
    const int64_t size = loops_type_size[tensor->type], far = (int64_t)LOOPS_MEMORY + 1;
    int64_t low = 0, high = 0; /* in elements */
    for (unsigned d = 0; d < tensor->rank; d++) {
        const int64_t stride = tensor->stride[d], last = (int64_t)tensor->shape[d] - 1;
        const int64_t reach = last == 0 ? 0 : llabs(stride) > far / last ? far : stride * last;
        *(stride < 0 ? &low : &high) += stride < 0 && reach > 0 ? -reach : reach;
    }
    const int64_t room = (int64_t)LOOPS_MEMORY / size;
    if (high > room || low < -room || high - low >= room) {
        loops_error(line, name, "its elements reach over more than the memory of %llu bytes",
                    (unsigned long long)LOOPS_MEMORY);
        return;
    }
    if (!tensor->base_written)
        tensor->base = (g->memory + 63) / 64 * 64 + (uint64_t)(-low * size);
    if (tensor->base % (uint64_t)size)
        loops_error(line, name, "its base is not a multiple of the %d bytes of an element",
                    (int)size);
    else if ((int64_t)tensor->base + low * size < 0 ||
             tensor->base + (uint64_t)((high + 1) * size) > LOOPS_MEMORY)
        loops_error(line, name, "its elements are beyond the memory of %llu bytes",
                    (unsigned long long)LOOPS_MEMORY);
    tensor->low = tensor->base + (uint64_t)(low * size);
    tensor->high = tensor->base + (uint64_t)((high + 1) * size);
}

static void parse_tensor(struct loops_parser *p, struct line *line, struct word first)
{
    static const char *const fields[] = {"base", "strides"};
    struct loops_program *g = p->program;
    struct loops_tensor tensor = {0};
    struct word name, word, value;
    if (!need_word(line, first, "its name", &name) ||
        !loops_take_name(line, name, "tensor", tensor.name))
        return;
    if (loops_find_tensor(g, name.text, name.length)) {
        loops_error(line, name, "there is a tensor '%s' already", tensor.name);
        return;
    }
    if (!need_word(line, name, "its type", &word))
        return;
    const int type = line_choose(line, word, loops_type_name, LOOPS_TYPES, "type");
    if (type < 0 || !need_word(line, word, "its shape", &word))
        return;
    tensor.type = (uint8_t)type;
    parse_shape(line, word, &tensor);
    if (line->wrong)
        return;
    pack(&tensor);
    while (!line->wrong && line_word(line, &word)) {
        const bool valued = word_cut(&word, '=', &value);
        const int field = line_choose(line, word, fields, 2, "field");
        if (field >= 0 && (!valued || (field ? tensor.strides_written : tensor.base_written)))
            loops_error(line, word, valued ? "'%s' is written twice" : "'%s' needs a value",
                        fields[field]);
        if (line->wrong)
            return;
        if (field)
            parse_strides(line, value, &tensor);
        else
            tensor.base_written =
                line_range(line, value, "base", 0, LOOPS_MEMORY - 1, &tensor.base);
    }
    if (!line->wrong)
        place_tensor(line, name, g, &tensor);
    if (line->wrong)
        return;
    void *tensors = grow(g->tensors, &g->tensor_capacity, g->tensor_count + 1, sizeof tensor);
    p->memory_out = !tensors;
    if (!tensors)
        return;
    g->tensors = tensors;
    g->tensors[g->tensor_count++] = tensor;
    g->memory = tensor.high > g->memory ? tensor.high : g->memory;
}

/* --- items ------------------------------------------------------------------------------------ */

static void add_item(struct loops_parser *p, const struct loops_item *item)
{
    struct loops_program *g = p->program;
    void *items = grow(g->items, &g->item_capacity, g->item_count + 1, sizeof *item);
    p->memory_out = p->memory_out || !items;
    if (!items)
        return;
    g->items = items;
    g->items[g->item_count++] = *item;
}

static void add_value(struct loops_parser *p, uint32_t bits)
{
    struct loops_program *g = p->program;
    void *values = grow(g->values, &g->value_capacity, g->value_count + 1, sizeof bits);
    p->memory_out = p->memory_out || !values;
    if (!values)
        return;
    g->values = values;
    g->values[g->value_count++] = bits;
}

static void parse_debug(struct loops_parser *p, struct line *line, struct word first)
{
    static const char *const verbs[] = {"set", "get"};
    struct loops_program *g = p->program;
    struct word word, name;
    if (!need_word(line, first, "set or get", &word))
        return;
    const int verb = line_choose(line, word, verbs, 2, "word");
    if (verb < 0 || !need_word(line, word, "the tensor", &name))
        return;
    const struct loops_tensor *tensor = loops_find_tensor(g, name.text, name.length);
    if (!tensor) {
        loops_error(line, name, "there is no tensor '%.*s'\ntensor %.*s f32 ... above it",
                    (int)(name.length < 40 ? name.length : 40), name.text,
                    (int)(name.length < 40 ? name.length : 40), name.text);
        return;
    }
    struct loops_item item = {
        .kind = verb ? LOOPS_ITEM_GET : LOOPS_ITEM_SET,
        .place = loops_place(p, line),
        .debug = {.tensor = (uint32_t)(tensor - g->tensors), .value = g->value_count}};
    const uint64_t elements = loops_elements(tensor);
    if (!need_word(line, name, "the first element", &word) ||
        !line_range(line, word, "element", 0, elements - 1, &item.debug.first) ||
        !need_word(line, word, "the number of elements", &word) ||
        !line_range(line, word, "elements", 1, elements - item.debug.first, &item.debug.count))
        return;
    uint32_t bits;
    while (!verb && !p->memory_out && line_word(line, &word)) {
        if (!loops_take_value(line, word, tensor->type, &bits))
            return;
        if (item.debug.value_count++ == item.debug.count) {
            loops_error(line, word, "more values than the %llu elements",
                        (unsigned long long)item.debug.count);
            return;
        }
        add_value(p, bits);
    }
    if (!verb && !line->wrong && item.debug.value_count == 0)
        loops_error(line, word,
                    "a value is missing\nvalues are repeated until all elements are set");
    expect_end(line);
    if (!line->wrong)
        add_item(p, &item);
}

/* --- nests ------------------------------------------------------------------------------------ */

static void parse_nest(struct loops_parser *p, struct line *line)
{
    static const char *const outer[] = {"beside", "outermost"}, *const sum[] = {"chain", "tree"},
                             *const fields[] = {"outer", "sum"};
    bool strategy = false, given[2] = {false};
    struct word word, value;
    p->nest = (struct loops_nest){.head = loops_place(p, line)};
    p->open = true;
    p->has_body = p->bad = false;
    while (!line->wrong && line_word(line, &word)) {
        if (!word_cut(&word, '=', &value)) {
            const int which =
                line_choose(line, word, loops_strategy_name, LOOPS_STRATEGIES, "strategy");
            if (which >= 0 && strategy)
                loops_error(line, word, "a second strategy");
            p->nest.strategy = (uint8_t)(which < 0 ? 0 : which);
            strategy = true;
            continue;
        }
        const int field = line_choose(line, word, fields, 2, "field");
        if (field < 0)
            break;
        if (given[field]) {
            loops_error(line, word, "'%s' is written twice", fields[field]);
            break;
        }
        given[field] = true;
        const int which = line_choose(line, value, field ? sum : outer, 2, "value");
        *(field ? &p->nest.tree : &p->nest.outermost) = which == 1;
    }
    p->bad = line->wrong;
}

/* Parse the units that share the iterations of the loop: each kind serves one loop, and `units`
 * covers all kinds. */
static void parse_over(struct loops_parser *p, struct line *line, struct word after)
{
    struct loops_nest *nest = &p->nest;
    struct loops_loop *loop = &nest->loops[nest->rank];
    struct word word;
    if (!line_word(line, &word))
        return;
    if (!word_is(word, "over")) {
        loops_error(line, word, "nothing more was expected here\nfor NAME LIMIT [over UNITS]");
        return;
    }
    if (!need_word(line, after, "what it goes over", &word))
        return;
    const int over = line_choose(line, word, loops_over_name + 1, LOOPS_OVERS - 1, "kind of unit");
    loop->over = (uint8_t)(over + 1);
    for (unsigned i = 0; i < nest->rank && over >= 0; i++)
        if (nest->loops[i].over &&
            (nest->loops[i].over == loop->over || loop->over == LOOPS_OVER_UNITS ||
             nest->loops[i].over == LOOPS_OVER_UNITS)) {
            loops_error(line, word, "these units serve loop %s already", nest->loops[i].name);
            return;
        }
}

static void parse_for(struct loops_parser *p, struct line *line, struct word first)
{
    struct loops_nest *nest = &p->nest;
    struct word name, limit;
    if (!p->open || p->has_body || nest->rank == LOOPS_RANK) {
        loops_error(line, first,
                    !p->open      ? "a loop belongs inside a nest\nnest, then its loops"
                    : p->has_body ? "loops come before the body"
                                  : "a nest has at most 8 loops");
        return;
    }
    struct loops_loop *loop = &nest->loops[nest->rank];
    *loop = (struct loops_loop){.limit = 1};
    if (!need_word(line, first, "its name", &name) ||
        !loops_take_name(line, name, "loop", loop->name))
        return;
    for (unsigned i = 0; i < nest->rank; i++)
        if (strcmp(nest->loops[i].name, loop->name) == 0) {
            loops_error(line, name, "there is a loop '%s' already", loop->name);
            return;
        }
    if (!need_word(line, name, "its limit", &limit) ||
        !line_range(line, limit, "limit", 1, LOOPS_LIMIT, &loop->limit))
        return;
    parse_over(p, line, limit);
    expect_end(line);
    uint64_t iterations = loop->limit;
    for (unsigned i = 0; i < nest->rank && !line->wrong; i++) {
        if (nest->loops[i].limit > LOOPS_ITERATIONS / iterations) {
            loops_error(line, limit, "the nest has more than 2^62 iterations");
            return;
        }
        iterations *= nest->loops[i].limit;
    }
    nest->rank++;
}

static void close_nest(struct loops_parser *p, struct line *line, struct word word)
{
    struct loops_program *g = p->program;
    if (!p->bad && !p->has_body)
        loops_error(line, word, "the nest has no body\nas in c[x] = a[x] + b[x]");
    p->open = false;
    if (p->bad || line->wrong)
        return;
    void *nests = grow(g->nests, &g->nest_capacity, g->nest_count + 1, sizeof *g->nests);
    p->memory_out = !nests;
    if (!nests)
        return;
    g->nests = nests;
    p->nest.last = line->number;
    g->nests[g->nest_count++] = p->nest;
    add_item(p, &(struct loops_item){
                    .kind = LOOPS_ITEM_NEST, .place = p->nest.head, .nest = g->nest_count - 1});
}

/* --- lines ------------------------------------------------------------------------------------ */

static void parse_statement(struct loops_parser *p, struct line *line)
{
    struct word first;
    const char *const from = line->at;
    if (!line_word(line, &first))
        return;
    bool keyword = false;
    for (unsigned i = 0; i < FIRST_COUNT; i++)
        keyword = keyword || word_is(first, first_word[i]);
    if (!keyword && memchr(first.text, '[', (size_t)(line->end - first.text))) {
        line->at = from;
        loops_parse_body(p, line);
        return;
    }
    const int which = line_choose(line, first, first_word, FIRST_COUNT, "statement");
    const bool inside = which == FIRST_FOR || which == FIRST_END;
    if (which >= 0 && p->open && !inside) {
        loops_error(line, first, "a nest is open\nend closes it");
        return;
    }
    switch (which) {
    case FIRST_UNITS:
        parse_units(p, line, first);
        break;
    case FIRST_TENSOR:
        parse_tensor(p, line, first);
        break;
    case FIRST_NEST:
        parse_nest(p, line);
        break;
    case FIRST_FOR:
        parse_for(p, line, first);
        break;
    case FIRST_END:
        expect_end(line);
        if (p->open)
            close_nest(p, line, first);
        else
            loops_error(line, first, "no nest is open");
        break;
    case FIRST_D:
        parse_debug(p, line, first);
        break;
    default:
        break;
    }
}

static int parse_source(struct loops_parser *p, uint32_t number)
{
    const struct source *source = &p->program->sources[number];
    struct line line = {.source = number, .diags = p->diags};
    bool wrong = false;
    while (!p->memory_out && line_next(&line, source)) {
        parse_statement(p, &line);
        wrong = wrong || line.wrong;
        p->bad = p->bad || line.wrong;
    }
    if (p->open && !p->memory_out) {
        const struct loops_place *head = &p->nest.head;
        line.start = source->text + head->offset - (head->column - 1);
        line.number = head->line;
        loops_error(&line, ((struct word){source->text + head->offset, head->length}),
                    "the nest is not closed\nend after its body");
        p->open = false;
        wrong = true;
    }
    return wrong;
}

int loops_program_parse(struct loops_program *program, const struct source *sources, size_t count,
                        struct diag_list *diags)
{
    *program = (struct loops_program){
        .sources = sources, .source_count = count, .tiles = 1, .processors = 1, .math = 64};
    struct loops_parser p = {.program = program, .diags = diags};
    int wrong = 0;
    for (uint32_t i = 0; i < count && !p.memory_out; i++)
        wrong |= parse_source(&p, i);
    diag_sort(diags);
    return p.memory_out ? -1 : wrong;
}
