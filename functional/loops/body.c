/* body: parses the line that a nest executes and checks the rules that make the generated nest
 * equivalent to the nest as written: indices stay inside their tensors, no two iterations write one
 * element (except sums), and no iteration reads what another one writes. */
#include <stdlib.h>
#include <string.h>

#include "functional/loops/parse.h"

#define SHOWN(word) (int)((word).length < 40 ? (word).length : 40), (word).text

/* Index sums saturate here: far beyond any dimension, far from overflow. */
#define FAR (INT64_C(1) << 62)

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The next non-blank character; '\0' at the end. */
static char look(struct line *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t' || *line->at == '\r'))
        line->at++;
    return line->at < line->end ? *line->at : '\0';
}

/* Consume a name, a number or one character. */
static struct word take(struct line *line)
{
    struct word word = {line->at, 0};
    const char c = look(line);
    word.text = line->at;
    if (c == '\0')
        return word;
    line->at++;
    if (letter(c))
        while (line->at < line->end && (letter(*line->at) || digit(*line->at)))
            line->at++;
    if (digit(c))
        while (line->at < line->end &&
               (letter(*line->at) || digit(*line->at) || *line->at == '.' ||
                ((*line->at == '-' || *line->at == '+') && (line->at[-1] | 0x20) == 'e')))
            line->at++;
    word.length = (size_t)(line->at - word.text);
    return word;
}

static bool expect(struct line *line, char c)
{
    if (look(line) == c) {
        line->at++;
        return true;
    }
    const struct word word = take(line);
    loops_error(line, word, "'%c' was expected here", c);
    return false;
}

/* --- operands --------------------------------------------------------------------------------- */

/* One term of an index: 3, x, 2*x or x*2. */
static void parse_term(const struct loops_nest *nest, struct line *line, bool negative,
                       struct loops_index *index)
{
    struct word word = take(line), name = {0};
    uint64_t factor = 1;
    bool number = word.length && digit(*word.text);
    if (number && !line_range(line, word, "index", 0, LOOPS_LIMIT, &factor))
        return;
    if (!number)
        name = word;
    if (look(line) == '*') {
        line->at++;
        word = take(line);
        if (number)
            name = word;
        else if (!line_range(line, word, "factor", 0, LOOPS_LIMIT, &factor))
            return;
    }
    const int64_t value = negative ? -(int64_t)factor : (int64_t)factor;
    if (!name.length && number) {
        index->constant += value;
        return;
    }
    for (unsigned i = 0; i < nest->rank; i++)
        if (word_is(name, nest->loops[i].name)) {
            index->times[i] += value;
            return;
        }
    loops_error(line, name, "no loop '%.*s' here\na number, or a loop of the nest", SHOWN(name));
}

static void parse_index(const struct loops_nest *nest, struct line *line, struct loops_index *index)
{
    bool negative = false, more = true;
    *index = (struct loops_index){0};
    if (look(line) == '-') {
        negative = true;
        line->at++;
    }
    for (unsigned terms = 1; more && !line->wrong; terms++) {
        parse_term(nest, line, negative, index);
        const char c = look(line);
        more = c == '+' || c == '-';
        negative = c == '-';
        line->at += more;
        if (terms == 64 && more)
            loops_error(line, ((struct word){line->at - 1, 1}), "an index has at most 64 terms");
    }
    bool small = llabs(index->constant) <= (int64_t)LOOPS_LIMIT;
    for (unsigned i = 0; i < nest->rank; i++)
        small = small && llabs(index->times[i]) <= (int64_t)LOOPS_LIMIT;
    if (!small && !line->wrong)
        loops_error(line, ((struct word){line->at - 1, 1}), "numbers of an index reach to 2^31");
}

static int64_t add_far(int64_t a, int64_t b)
{
    return a > 0 && b > FAR - a ? FAR : a < 0 && b < -FAR - a ? -FAR : a + b;
}

/* times * last, saturated; both are at most 2^37 in size. */
static int64_t reach(int64_t times, uint64_t last)
{
    const uint64_t size = (uint64_t)llabs(times);
    const int64_t product = size && last > (uint64_t)FAR / size ? FAR : (int64_t)(size * last);
    return times < 0 ? -product : product;
}

/* Check that the index stays in its dimension over all iterations. */
static void check_index(const struct loops_nest *nest, struct line *line, struct word word,
                        const struct loops_index *index, uint64_t dimension)
{
    int64_t low = index->constant, high = low;
    for (unsigned i = 0; i < nest->rank; i++) {
        const int64_t far = reach(index->times[i], nest->loops[i].limit - 1);
        *(far < 0 ? &low : &high) = add_far(far < 0 ? low : high, far);
    }
    if (low >= 0 && high < (int64_t)dimension)
        return;
    loops_error(line, word,
                "the index reaches %s%lld, and the dimension has 0 to %llu\na smaller "
                "limit, or a larger tensor",
                low > -FAR && high < FAR ? "" : "beyond ", (long long)(low < 0 ? low : high),
                (unsigned long long)dimension - 1);
}

/* a[z,2*y+1]: parse tensor and indices and compute the address. */
static void parse_element(struct loops_parser *p, struct line *line, struct word name,
                          struct loops_operand *operand)
{
    const struct loops_program *g = p->program;
    const struct loops_nest *nest = &p->nest;
    const struct loops_tensor *tensor = loops_find_tensor(g, name.text, name.length);
    for (unsigned i = 0; !tensor && i < nest->rank; i++)
        if (word_is(name, nest->loops[i].name)) {
            loops_error(line, name,
                        "a loop is no operand, '%.*s' is one of the nest\n"
                        "a tensor that holds the numbers",
                        SHOWN(name));
            return;
        }
    if (!tensor) {
        loops_error(line, name, "there is no tensor '%.*s'\ntensor %.*s f32 ... above the nest",
                    SHOWN(name), SHOWN(name));
        return;
    }
    *operand =
        (struct loops_operand){.kind = LOOPS_TENSOR, .tensor = (uint32_t)(tensor - g->tensors)};
    operand->map.base = (int64_t)tensor->base;
    if (!expect(line, '['))
        return;
    const int64_t size = loops_type_size[tensor->type];
    for (unsigned d = 0; d < tensor->rank && !line->wrong; d++) {
        look(line);
        struct word word = {line->at, 0};
        struct loops_index *index = &operand->index[d];
        parse_index(nest, line, index);
        word.length = (size_t)(line->at - word.text);
        if (!line->wrong)
            check_index(nest, line, word, index, tensor->shape[d]);
        if (line->wrong || !expect(line, d + 1 < tensor->rank ? ',' : ']'))
            return;
        operand->map.base += index->constant * tensor->stride[d] * size;
        for (unsigned i = 0; i < nest->rank; i++)
            if (nest->loops[i].limit > 1)
                operand->map.times[i] += index->times[i] * tensor->stride[d] * size;
    }
    int64_t low = operand->map.base, high = low;
    for (unsigned i = 0; i < nest->rank; i++) {
        const int64_t far = operand->map.times[i] * (int64_t)(nest->loops[i].limit - 1);
        *(far < 0 ? &low : &high) += far;
    }
    operand->map.low = (uint64_t)low;
    operand->map.high = (uint64_t)(high + size);
}

/* The arithmetic has the type of the result's tensor. */
static void parse_operand(struct loops_parser *p, struct line *line, struct loops_operand *operand)
{
    const struct loops_program *g = p->program;
    const bool real = p->nest.type == LOOPS_F32;
    look(line);
    struct word word = {line->at, 0};
    const bool negative = look(line) == '-';
    line->at += negative;
    const struct word name = take(line);
    word.length = (size_t)(line->at - word.text);
    if (name.length && digit(*name.text)) {
        operand->kind = LOOPS_NUMBER;
        loops_take_value(line, word, p->nest.type, &operand->bits);
        return;
    }
    if (negative || !name.length || !letter(*name.text)) {
        loops_error(line, word.length ? word : name, "an element or a number was expected here");
        return;
    }
    parse_element(p, line, name, operand);
    if (!line->wrong && (g->tensors[operand->tensor].type == LOOPS_F32) != real)
        loops_error(
            line, name,
            "elements of type %s do not go into %s\nf32 with f32; i8 and i32 with each other",
            loops_type_name[g->tensors[operand->tensor].type],
            loops_type_name[g->tensors[p->nest.operand[LOOPS_TO].tensor].type]);
}

/* --- elements written by the iterations ------------------------------------------------------- */

/* A loop that does not move the result sums over its iterations. With plain assignment that is an
 * error: only the last iteration would count. */
static void check_sums(struct loops_parser *p, struct line *line, struct word result)
{
    struct loops_nest *nest = &p->nest;
    for (unsigned i = 0; i < nest->rank; i++) {
        struct loops_loop *loop = &nest->loops[i];
        loop->sums = loop->limit > 1 && nest->operand[LOOPS_TO].map.times[i] == 0;
        nest->accumulates = nest->accumulates || loop->sums;
        if (!loop->sums || line->wrong)
            continue;
        if (nest->assign == LOOPS_ASSIGN_SET)
            loops_error(line, result,
                        "all iterations of loop %s write the same element\n+= or max=, or an index "
                        "that moves with %s",
                        loop->name, loop->name);
        else if (p->program->tiles > 1 &&
                 (loop->over == LOOPS_OVER_TILES || loop->over == LOOPS_OVER_UNITS))
            loops_error(line, result,
                        "loop %s goes over tiles, which have no common memory to sum in\nover "
                        "processors or math",
                        loop->name);
    }
}

/* Check that the other loops give each iteration a separate element: sorted by step size, each step
 * must exceed the range covered by all smaller ones. */
static void check_distinct(struct loops_parser *p, struct line *line, struct word result)
{
    const struct loops_nest *nest = &p->nest;
    const struct loops_map *map = &nest->operand[LOOPS_TO].map;
    bool done[LOOPS_RANK] = {false};
    int64_t covered = 0;
    while (!line->wrong) {
        unsigned least = LOOPS_RANK;
        for (unsigned i = 0; i < nest->rank; i++)
            if (!done[i] && map->times[i] &&
                (least == LOOPS_RANK || llabs(map->times[i]) < llabs(map->times[least])))
                least = i;
        if (least == LOOPS_RANK)
            return;
        done[least] = true;
        if (llabs(map->times[least]) <= covered)
            loops_error(line, result,
                        "iterations of loop %s may write elements that others write\nstrides or "
                        "indices that keep them apart",
                        nest->loops[least].name);
        covered += llabs(map->times[least]) * (int64_t)(nest->loops[least].limit - 1);
    }
}

/* Check that no iteration reads what another one writes. */
static void check_source(struct loops_parser *p, struct line *line, struct word word,
                         const struct loops_operand *operand)
{
    const struct loops_nest *nest = &p->nest;
    const struct loops_operand *to = &nest->operand[LOOPS_TO];
    if (line->wrong || operand->kind != LOOPS_TENSOR || operand->map.low >= to->map.high ||
        to->map.low >= operand->map.high)
        return;
    const bool same =
        memcmp(&operand->map, &to->map, sizeof to->map) == 0 &&
        p->program->tensors[operand->tensor].type == p->program->tensors[to->tensor].type;
    if (nest->assign != LOOPS_ASSIGN_SET)
        loops_error(line, word, "the nest accumulates in its memory\nanother tensor");
    else if (!same)
        loops_error(
            line, word,
            "other iterations may write what this reads\nthe same element as the result, or "
            "another tensor");
}

/* --- the line --------------------------------------------------------------------------------- */

static void parse_assign(struct line *line, struct loops_nest *nest)
{
    const struct word word = take(line);
    const bool plus = word_is(word, "+"), max = word_is(word, "max");
    if ((plus || max) && look(line) == '=') {
        line->at++;
        nest->assign = plus ? LOOPS_ASSIGN_ADD : LOOPS_ASSIGN_MAX;
    } else if (word_is(word, "=")) {
        nest->assign = LOOPS_ASSIGN_SET;
    } else {
        loops_error(line, word, "=, += or max= was expected here");
    }
}

static void parse_op(struct line *line, struct loops_nest *nest)
{
    const struct word word = take(line);
    for (unsigned op = LOOPS_OP_NONE + 1; op < LOOPS_OPS; op++)
        if (word_is(word, loops_op_text[op])) {
            nest->op = (uint8_t)op;
            return;
        }
    loops_error(line, word, "no operator\n+, -, * or max");
}

static void parse_parts(struct loops_parser *p, struct line *line)
{
    struct loops_nest *nest = &p->nest;
    struct word word[LOOPS_OPERANDS] = {take(line)};
    parse_element(p, line, word[LOOPS_TO], &nest->operand[LOOPS_TO]);
    if (line->wrong)
        return;
    word[LOOPS_TO].length = (size_t)(line->at - word[LOOPS_TO].text);
    const enum loops_type type = p->program->tensors[nest->operand[LOOPS_TO].tensor].type;
    nest->type = type == LOOPS_F32 ? LOOPS_F32 : LOOPS_I32;
    parse_assign(line, nest);
    if (!line->wrong && type == LOOPS_I8 && nest->assign == LOOPS_ASSIGN_ADD)
        loops_error(line, word[LOOPS_TO],
                    "sums of i8 do not stay in i8\naccumulate into i32, then narrow it in a nest");
    for (unsigned i = LOOPS_A; i < LOOPS_OPERANDS && !line->wrong; i++) {
        look(line);
        word[i].text = line->at;
        parse_operand(p, line, &nest->operand[i]);
        word[i].length = (size_t)(line->at - word[i].text);
        if (line->wrong || !look(line))
            break;
        if (i == LOOPS_A)
            parse_op(line, nest);
        else
            loops_error(line, take(line), "nothing more was expected here\none operator a body");
    }
    if (line->wrong)
        return;
    check_sums(p, line, word[LOOPS_TO]);
    check_distinct(p, line, word[LOOPS_TO]);
    check_source(p, line, word[LOOPS_A], &nest->operand[LOOPS_A]);
    check_source(p, line, word[LOOPS_B], &nest->operand[LOOPS_B]);
}

void loops_parse_body(struct loops_parser *p, struct line *line)
{
    const struct loops_place place = loops_place(p, line);
    const struct word whole = {line->start + place.column - 1, place.length};
    if (!p->open || p->has_body || (p->nest.rank == 0 && !p->bad)) {
        loops_error(line, whole,
                    !p->open      ? "a body belongs inside a nest\nnest, its loops, then the body"
                    : p->has_body ? "a nest has one body\nend, and a separate nest"
                                  : "the nest has no loop\nfor NAME LIMIT above the body");
        return;
    }
    p->nest.body = place;
    p->has_body = true;
    if (p->bad) /* the rest would only repeat errors of the loops */
        return;
    parse_parts(p, line);
}
