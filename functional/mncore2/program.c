/* program: from lines to items (manual 3.1, 3.4): comments, quit, mask lines, interning. */
#include "functional/mncore2/program.h"

#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/intern.h"
#include "functional/mncore2/parse.h"
#include "host/big_memory.h"
#include "host/grow.h"

struct builder {
    struct parser parser;
    struct pool *pool;
    struct intern intern;
    struct scratch scratch;
    bool no_memory, quit;
};

/* --- growing the program ---------------------------------------------------------------------- */

static uint32_t add_stmt(struct builder *builder, struct stmt stmt)
{
    struct program *program = builder->parser.program;
    struct stmt *stmts = program->stmt_count < INTERN_NONE
                             ? grow_big(program->stmts, &builder->pool->stmt_capacity,
                                        program->stmt_count + 1, sizeof *stmts)
                             : NULL;
    if (stmts == NULL) {
        builder->no_memory = true;
        return INTERN_NONE;
    }
    program->stmts = stmts;
    program->stmts[program->stmt_count] = stmt;
    return (uint32_t)program->stmt_count++;
}

static void add_item(struct builder *builder, uint32_t stmt)
{
    struct program *program = builder->parser.program;
    if (stmt == INTERN_NONE)
        return;
    struct item *items = grow_big(program->items, &builder->pool->item_capacity,
                                  program->item_count + 1, sizeof *items);
    if (items == NULL) {
        builder->no_memory = true;
        return;
    }
    program->items = items;
    const struct parser *parser = &builder->parser;
    program->items[program->item_count++] =
        (struct item){.stmt = stmt,
                      .line = parser->line_number,
                      .offset = (uint64_t)(parser->line - parser->source->text)};
}

static void *keep(struct builder *builder, const void *data, size_t size)
{
    void *copy = mncore2_pool_take(builder->pool, size);
    if (copy == NULL)
        builder->no_memory = true;
    else
        memcpy(copy, data, size);
    return copy;
}

/* Size of an expression in a program, which keeps only the operands present. */
static size_t expr_size(const struct expr *expr)
{
    const size_t size =
        offsetof(struct expr, in) + ((size_t)expr->in_count + expr->out_count) * sizeof expr->in[0];
    return (size + _Alignof(struct expr) - 1) / _Alignof(struct expr) * _Alignof(struct expr);
}

/* Copy the scratch into the program: the step, followed by its expressions. */
static uint32_t keep_step(struct builder *builder)
{
    const struct scratch *scratch = &builder->scratch;
    size_t size = sizeof(struct step);
    for (unsigned k = 0; k < scratch->count; k++)
        size += expr_size(&scratch->expr[k]);
    char *kept = mncore2_pool_take(builder->pool, size);
    if (kept == NULL) {
        builder->no_memory = true;
        return INTERN_NONE;
    }
    struct step *step = (struct step *)(void *)kept;
    *step = scratch->step;
    size_t at = sizeof *step;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step_expr(&scratch->step, group);
        if (expr == NULL)
            continue;
        memcpy(kept + at, expr, expr_size(expr));
        step->at[group] = (uint16_t)at;
        at += expr_size(expr);
    }
    return add_stmt(builder, (struct stmt){.kind = STMT_STEP, .step = step});
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool only_text(struct parser *parser, const char *text, const char *end)
{
    const char *from = text + mncore2_lex_plain_run(text, (size_t)(end - text)), *p = from;
    if (p == end)
        return true;
    while (p < end && (unsigned char)*p >= 0x80)
        p++;
    if (p > from)
        parse_error(parser, from, (size_t)(p - from), "3.1",
                    "characters beyond ASCII are allowed in comments only\nput a # in front");
    else
        parse_error(parser, from, 1, "3.1",
                    "a control character (0x%02x)\nuse blanks and tabs only", (unsigned char)*from);
    return false;
}

static bool is_mv(const char *text, const char *end)
{
    const char *p = text;
    while (p < end && (lex_is(*p, LEX_LOWER) || lex_is(*p, LEX_DIGIT)))
        p++;
    const struct opcode *opcode = mncore2_opcode_find(text, (size_t)(p - text));
    return opcode != NULL && opcode->kind != OPCODE_PE;
}

/* Decode a machine statement or d get and return its index. Without kept_too only its findings are
 * collected. */
static uint32_t decode(struct builder *builder, const char *text, const char *end, bool kept_too)
{
    struct parser *parser = &builder->parser;
    if (!only_text(parser, text, end))
        return INTERN_NONE;
    if (text[0] == 'd' && end - text > 1 && lex_is(text[1], LEX_BLANK)) {
        struct debug debug;
        enum stmt_kind kind;
        if (!mncore2_debug_parse(parser, text, end, &debug, &kind) || !kept_too)
            return INTERN_NONE;
        struct debug *kept = keep(builder, &debug, sizeof debug);
        return kept == NULL ? INTERN_NONE
                            : add_stmt(builder, (struct stmt){.kind = STMT_GET, .debug = kept});
    }
    if (text[0] == 'm' && is_mv(text, end)) {
        struct mv mv;
        if (!mncore2_mv_parse(parser, text, end, &mv) || !kept_too)
            return INTERN_NONE;
        if (memcmp(text, "mvn", 3) == 0)
            return add_stmt(builder, (struct stmt){.kind = STMT_MVNOP});
        struct mv *kept = keep(builder, &mv, sizeof mv);
        return kept == NULL ? INTERN_NONE
                            : add_stmt(builder, (struct stmt){.kind = STMT_MV, .mv = kept});
    }
    const bool good = mncore2_step_parse(parser, text, end, &builder->scratch);
    if (!kept_too)
        return INTERN_NONE;
    if (!good) /* takes the time of a step all the same */
        builder->scratch.step = (struct step){.nops = 1};
    return keep_step(builder);
}

static uint16_t packed_mode(const struct mask_mode *mode)
{
    return (uint16_t)(mode->letters | mode->entry << 6 | (mode->wide ? 1 : 0) << 11);
}

static void interned(struct builder *builder, const char *text, const char *end, uint32_t hash)
{
    struct parser *parser = &builder->parser;
    bool fresh;
    /* Leading blanks are part of the key: columns are relative to the line. */
    struct intern_entry *entry =
        mncore2_intern_find(&builder->intern, hash, parser->line, (size_t)(end - parser->line),
                            packed_mode(&parser->mode), &fresh);
    if (entry == NULL) {
        builder->no_memory = true;
        return;
    }
    if (fresh) {
        const size_t before = parser->diags->errors + parser->diags->warnings;
        entry->stmt = decode(builder, text, end, true);
        entry->noisy = parser->diags->errors + parser->diags->warnings != before;
    } else if (entry->noisy) {
        decode(builder, text, end, false);
    }
    if (entry->stmt == INTERN_NONE)
        return;
    add_item(builder, entry->stmt);
}

/* d set and r lines: each is a statement by itself, never interned. */
static void payload_line(struct builder *builder, const char *text, const char *end)
{
    struct debug debug;
    enum stmt_kind kind;
    if (!mncore2_debug_parse(&builder->parser, text, end, &debug, &kind))
        return;
    struct debug *kept = keep(builder, &debug, sizeof debug);
    if (kept != NULL)
        add_item(builder, add_stmt(builder, (struct stmt){.kind = (uint8_t)kind, .debug = kept}));
}

static bool is_set(const char *text, const char *end)
{
    const char *p = text + 1;
    while (p < end && lex_is(*p, LEX_BLANK))
        p++;
    return end - p > 3 && memcmp(p, "set", 3) == 0 && lex_is(p[3], LEX_BLANK);
}

static void quit_line(struct builder *builder, const char *text, const char *end)
{
    const char *p = text + 4;
    while (p < end && (lex_is(*p, LEX_BLANK) || *p == ';'))
        p++;
    if (p < end)
        parse_error(&builder->parser, p, (size_t)(end - p), "3.4.2",
                    "quit must be alone on its line\nremove the rest");
    builder->quit = true;
}

/* One line without its end, comment and surrounding blanks: [text, end) is not empty. */
struct line {
    const char *start, *text, *end;
    uint32_t number, hash;
};

static void read_line(struct builder *builder, const struct line *line)
{
    struct parser *parser = &builder->parser;
    const char *text = line->text, *end = line->end;
    const bool blank = end - text > 1 && lex_is(text[1], LEX_BLANK);
    parser->line = line->start;
    parser->line_number = line->number;
    switch (text[0]) {
    case 'd':
        if (blank && is_set(text, end)) {
            payload_line(builder, text, end);
            return;
        }
        break;
    case 'r':
        if (blank) {
            payload_line(builder, text, end);
            return;
        }
        break;
    case 'c':
        if (blank) {
            parse_warning(parser, text, (size_t)(end - text), "", "host-line",
                          "a c line describes transfers of the host and is skipped");
            return;
        }
        break;
    case 'm':
        if (end - text >= 4 && memcmp(text, "mask", 4) == 0) {
            while (end > text && (end[-1] == ';' || lex_is(end[-1], LEX_BLANK)))
                end--;
            if (only_text(parser, text, end))
                mncore2_mask_line_parse(parser, text, end);
            return;
        }
        break;
    case 'q':
        if (end - text >= 4 && memcmp(text, "quit", 4) == 0 &&
            (end - text == 4 || lex_is(text[4], LEX_BLANK) || text[4] == ';')) {
            quit_line(builder, text, end);
            return;
        }
        break;
    default:
        break;
    }
    interned(builder, text, end, line->hash);
}

/* Strip byte order mark, surrounding blanks and comment; false when nothing is left. */
static bool strip_line(struct line *line)
{
    const char *text = line->start, *end = line->end;
    if (line->number == 1 && end - text >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    while (text < end && lex_is(*text, LEX_BLANK))
        text++;
    const char *comment = memchr(text, '#', (size_t)(end - text));
    if (comment != NULL)
        end = comment;
    if (text == end)
        return false;
    while (lex_is(end[-1], LEX_BLANK)) /* *text is not blank */
        end--;
    line->text = text;
    line->end = end;
    return true;
}

/* The start of a long line suffices for the hash: such a line is a payload, or invalid. */
enum { HASHED = 512 };

static void parse_source(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    const char *next = parser->source->text, *limit = next + parser->source->size;
    parser->mode = (struct mask_mode){0};
    builder->quit = false;
    for (uint32_t number = 1; next < limit && !builder->quit && !builder->no_memory; number++) {
        const char *newline = memchr(next, '\n', (size_t)(limit - next));
        struct line line = {.start = next, .end = newline ? newline : limit, .number = number};
        next = newline ? newline + 1 : limit;
        if (!strip_line(&line))
            continue;
        const size_t length = (size_t)(line.end - line.start);
        line.hash = mncore2_intern_hash(line.start, length < HASHED ? length : HASHED);
        read_line(builder, &line);
    }
}

int mncore2_program_parse(struct program *program, const struct source *sources,
                          size_t source_count, struct diag_list *diags)
{
    *program = (struct program){.sources = sources, .source_count = source_count};
    struct builder *builder = calloc(1, sizeof *builder);
    struct pool *pool = calloc(1, sizeof *pool);
    program->pool = pool;
    program->source_first = calloc(source_count + 1, sizeof *program->source_first);
    if (pool != NULL)
        pool->first_stmt = calloc(source_count + 1, sizeof *pool->first_stmt);
    if (builder == NULL || pool == NULL || program->source_first == NULL ||
        pool->first_stmt == NULL) {
        free(builder);
        return -1;
    }
    builder->pool = pool;
    builder->parser = (struct parser){.program = program, .diags = diags};
    const size_t errors = diags->errors;
    for (size_t i = 0; i < source_count && !builder->no_memory; i++) {
        program->source_first[i] = program->item_count;
        pool->first_stmt[i] = (uint32_t)program->stmt_count;
        builder->parser.source = &sources[i];
        builder->parser.file = (uint32_t)i;
        parse_source(builder);
    }
    program->source_first[source_count] = program->item_count;
    pool->first_stmt[source_count] = (uint32_t)program->stmt_count;
    const bool no_memory = builder->no_memory;
    mncore2_intern_free(&builder->intern);
    free(builder);
    diag_sort(diags);
    return no_memory ? -1 : diags->errors != errors ? 1 : 0;
}

void mncore2_program_free(struct program *program)
{
    struct pool *pool = program->pool;
    if (pool != NULL) {
        big_memory_free(program->stmts, pool->stmt_capacity * sizeof *program->stmts);
        big_memory_free(program->items, pool->item_capacity * sizeof *program->items);
        mncore2_pool_free(pool);
    }
    free(pool);
    free(program->source_first);
    *program = (struct program){0};
}

uint32_t mncore2_program_source(const struct program *program, size_t item)
{
    size_t low = 0, high = program->source_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (program->source_first[middle] <= item)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

struct text_place mncore2_program_place(const struct program *program, size_t item,
                                        const struct operand *operand)
{
    struct text_place place = {1, 1};
    const struct step *step = program->stmts[program->items[item].stmt].step;
    struct scratch *scratch = malloc(sizeof *scratch);
    struct diag_list diags; /* reported before */
    struct line line = {.number = program->items[item].line};
    size_t length;
    if (scratch == NULL)
        return place;
    diag_list_init(&diags);
    line.start = mncore2_program_line(program, item, &length);
    line.end = line.start + length;
    struct parser parser = {.diags = &diags,
                            .source = &program->sources[mncore2_program_source(program, item)],
                            .line_number = line.number,
                            .line = line.start};
    if (strip_line(&line))
        mncore2_step_parse(&parser, line.text, line.end, scratch);
    else
        scratch->step = (struct step){0};
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *kept = step_expr(step, group), *read = step_expr(&scratch->step, group);
        if (kept == NULL || read == NULL || operand < kept->in ||
            operand >= kept->in + kept->in_count + kept->out_count)
            continue;
        place = *scratch_place(scratch, read, &read->in[operand - kept->in]);
    }
    diag_list_free(&diags);
    free(scratch);
    return place;
}

const char *mncore2_program_line(const struct program *program, size_t item, size_t *length)
{
    const struct source *source = &program->sources[mncore2_program_source(program, item)];
    const char *text = source->text + program->items[item].offset;
    const size_t left = source->size - (size_t)program->items[item].offset;
    const char *newline = memchr(text, '\n', left);
    *length = newline != NULL ? (size_t)(newline - text) : left;
    if (*length > 0 && text[*length - 1] == '\r')
        --*length;
    return text;
}

const char *mncore2_program_text(const struct program *program, size_t item, size_t *length)
{
    struct line line = {.number = program->items[item].line};
    line.start = mncore2_program_line(program, item, length);
    line.end = line.start + *length;
    if (!strip_line(&line))
        return line.start;
    *length = (size_t)(line.end - line.text);
    return line.text;
}
