/* rename_text: the program with its new places and tags (see rename.h). */
#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/text.h"
#include "timing/mncore2/rename.h"
#include "timing/mncore2/run.h"

enum { STMT_TEXT = 4096 };

struct writer {
    const struct renaming *r;
    FILE *out;
    size_t operand; /* the next one of webs.operands */
};

/* --- statements ------------------------------------------------------------------------------- */

/* A step with its expressions. */
union copy {
    struct step step;
    char bytes[sizeof(struct step) + GROUP_COUNT * sizeof(struct expr)];
};

static void copy_step(union copy *copy, const struct step *step)
{
    size_t size = sizeof *step;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step_expr(step, group);
        if (!expr)
            continue;
        const size_t end = step->at[group] + offsetof(struct expr, in) +
                           ((size_t)expr->in_count + expr->out_count) * sizeof *expr->in;
        size = end > size ? end : size;
    }
    memcpy(copy->bytes, step, size);
}

static bool in_pe(uint8_t mem)
{
    return mem == MEM_LM0 || mem == MEM_LM1 || mem == MEM_GRF0 || mem == MEM_GRF1;
}

static void move_operand(struct operand *operand, uint32_t shift)
{
    const unsigned cycles = in_pe(operand->mem) ? CYCLES : 1;
    const uint32_t last = mncore2_space_size[mncore2_space_of(operand->mem)] - 1;
    for (unsigned i = 0; i < cycles; i++)
        operand->addr[i] = (uint16_t)((operand->addr[i] + shift) & last);
}

static uint8_t tag_of(const struct renaming *r, uint32_t item, uint8_t tag)
{
    return r->tags_of[item] ? r->tags[r->tags_of[item] - 1].to : tag;
}

static int put_step(struct writer *w, uint32_t item, const struct stmt *stmt, char text[STMT_TEXT])
{
    const struct renaming *r = w->r;
    union copy copy;
    copy_step(&copy, stmt->step);
    for (; w->operand < r->webs.operand_count && r->webs.operands[w->operand].item == item;
         w->operand++) {
        const struct web_operand *operand = &r->webs.operands[w->operand];
        move_operand((struct operand *)(void *)(copy.bytes + operand->at), r->shift[operand->web]);
    }
    copy.step.wait = tag_of(r, item, copy.step.wait);
    const struct stmt moved = {.kind = STMT_STEP, .step = &copy.step};
    return mncore2_stmt_print(r->program, &moved, text, STMT_TEXT);
}

static int put_mv(struct writer *w, uint32_t item, const struct stmt *stmt, char text[STMT_TEXT])
{
    const struct renaming *r = w->r;
    struct mv mv = *stmt->mv;
    for (; w->operand < r->webs.operand_count && r->webs.operands[w->operand].item == item;
         w->operand++) {
        const struct web_operand *operand = &r->webs.operands[w->operand];
        struct mv_operand *side = operand->at ? &mv.to : &mv.from;
        side->addr = (side->addr + r->shift[operand->web]) & (L2BM_LONGS - 1);
    }
    mv.tag = tag_of(r, item, mv.tag);
    const struct stmt moved = {.kind = STMT_MV, .mv = &mv};
    return mncore2_stmt_print(r->program, &moved, text, STMT_TEXT);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Lines without a statement; mask lines are in the statements that follow them. */
static void put_between(FILE *out, const char *at, const char *end)
{
    while (at < end) {
        const char *text = at, *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop + 1 : end;
        while (text < stop && (*text == ' ' || *text == '\t'))
            text++;
        if (text < stop && *text == '#')
            fwrite(at, 1, (size_t)(stop - at), out);
        else
            fputc('\n', out);
        at = stop;
    }
}

static int put_item(struct writer *w, uint32_t item)
{
    const struct program *program = w->r->program;
    const struct stmt *stmt = &program->stmts[program->items[item].stmt];
    char text[STMT_TEXT];
    size_t length, whole;
    const char *line = mncore2_program_line(program, item, &whole),
               *old = mncore2_program_text(program, item, &length);
    int printed = 0;
    if (stmt->kind == STMT_STEP)
        printed = put_step(w, item, stmt, text);
    else if (stmt->kind == STMT_MV)
        printed = put_mv(w, item, stmt, text);
    else
        fwrite(old, 1, length, w->out);
    while (w->operand < w->r->webs.operand_count && w->r->webs.operands[w->operand].item == item)
        w->operand++;
    if (printed >= STMT_TEXT)
        return -1;
    if (printed > 0)
        fwrite(text, 1, (size_t)printed, w->out);
    fwrite(old + length, 1, (size_t)(line + whole - old) - length, w->out);
    fputc('\n', w->out);
    return 0;
}

static int put_program(struct writer *w, size_t *end)
{
    const struct program *program = w->r->program;
    const struct source *source = &program->sources[0];
    size_t at = 0, whole;
    int status = 0;
    for (uint32_t i = 0; i < program->item_count && status == 0; i++) {
        const char *line = mncore2_program_line(program, i, &whole);
        put_between(w->out, source->text + at, line);
        status = put_item(w, i);
        at = (size_t)(line - source->text) + whole;
        while (at < source->size && source->text[at] != '\n')
            at++;
        *end = at;
        at += at < source->size;
    }
    put_between(w->out, source->text + at, source->text + source->size);
    return status;
}

/* --- what has moved --------------------------------------------------------------------------- */

static struct renamed_value *add_value(struct renamed *renamed, uint32_t line, uint32_t accesses)
{
    struct renamed_value *list =
        grow(renamed->values, &renamed->capacity, renamed->count + 1, sizeof *list);
    if (!list)
        return NULL;
    renamed->values = list;
    list[renamed->count] = (struct renamed_value){.line = line, .accesses = accesses};
    return &list[renamed->count++];
}

static void print_operand(const struct step *step, struct operand operand, uint16_t at,
                          uint32_t shift, char text[RENAMED_PLACE])
{
    const struct expr *of = NULL;
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        if (step->at[group] && step->at[group] < at &&
            (!of || (const char *)step_expr(step, group) > (const char *)of))
            of = step_expr(step, group);
    move_operand(&operand, shift);
    mncore2_place_print(of, &operand, text, RENAMED_PLACE);
}

/* The operand that begins a web. */
static void print_places(const struct renaming *r, const struct web_operand *operand,
                         struct renamed_value *value)
{
    const struct stmt *stmt = &r->program->stmts[r->program->items[operand->item].stmt];
    const uint32_t shift = r->shift[operand->web];
    if (stmt->kind == STMT_MV) {
        const struct mv_operand *side = operand->at ? &stmt->mv->to : &stmt->mv->from;
        snprintf(value->from, RENAMED_PLACE, "$lc%llu", (unsigned long long)side->addr);
        snprintf(value->to, RENAMED_PLACE, "$lc%llu",
                 (unsigned long long)((side->addr + shift) & (L2BM_LONGS - 1)));
        return;
    }
    const struct operand *old =
        (const struct operand *)(const void *)((const char *)stmt->step + operand->at);
    print_operand(stmt->step, *old, operand->at, 0, value->from);
    print_operand(stmt->step, *old, operand->at, shift, value->to);
}

static int by_line(const void *a, const void *b)
{
    const struct renamed_value *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : strcmp(x->from, y->from);
}

static int list_values(const struct renaming *r, struct renamed *renamed)
{
    const struct item *items = r->program->items;
    const struct webs *webs = &r->webs;
    for (size_t k = 0, next = 0; k < webs->operand_count; k++) {
        const struct web_operand *operand = &webs->operands[k];
        if (operand->web != next) /* webs are in the order of their first operands */
            continue;
        next++;
        if (r->shift[operand->web] == 0)
            continue;
        struct renamed_value *value =
            add_value(renamed, items[operand->item].line, webs->webs[operand->web].operands);
        if (!value)
            return -1;
        print_places(r, operand, value);
    }
    for (size_t k = 0; k < r->tag_count; k++) {
        const struct rename_tags *tags = &r->tags[k];
        if (tags->to == tags->from)
            continue;
        struct renamed_value *value = add_value(renamed, items[tags->first].line, tags->items);
        if (!value)
            return -1;
        snprintf(value->from, RENAMED_PLACE, "i%02x", tags->from);
        snprintf(value->to, RENAMED_PLACE, "i%02x", tags->to);
    }
    if (renamed->count)
        qsort(renamed->values, renamed->count, sizeof *renamed->values, by_line);
    return 0;
}

/* --- what differs at the end ------------------------------------------------------------------ */

/* Zeros in words [first, end) of a memory. */
static void put_zeros(FILE *out, unsigned space, uint32_t first, uint32_t end)
{
    static const char *const names[SPACE_COUNT] = {
        [SPACE_LM0] = "lm",  [SPACE_LM1] = "ln",  [SPACE_GRF0] = "lr",
        [SPACE_GRF1] = "ls", [SPACE_L1BM] = "lb", [SPACE_L2BM] = "lc"};
    const uint32_t words = space <= SPACE_GRF1 ? 2 : 1;
    first = first / words * words;
    const uint32_t count = (end - first + words - 1) / words;
    fprintf(out, "\nd set $%s%u %u ", names[space], first, count);
    for (uint32_t i = 0; i < count; i++)
        fputs("0000000000000000", out);
}

static void put_clear(const struct renaming *r, FILE *out, uint64_t *bytes)
{
    for (unsigned s = 0; s < SPACE_COUNT; s++) {
        const uint32_t *end = r->end[s], size = mncore2_space_size[s];
        for (uint32_t first = 0, next; end && first < size; first = next) {
            for (next = first; next < size && end[next] && end[next] != RENAME_TAKEN;)
                next++;
            if (next > first)
                put_zeros(out, s, first, next);
            *bytes += (next - first) * (s <= SPACE_GRF1 ? UINT64_C(4) : UINT64_C(8));
            next += next == first;
        }
    }
    fputc('\n', out);
}

/* ---------------------------------------------------------------------------------------------- */

static int write_all(const struct renaming *r, struct renamed *renamed)
{
    struct writer w = {.r = r, .out = text_open(&renamed->text, &renamed->size)};
    if (!w.out)
        return -1;
    int status = put_program(&w, &renamed->end);
    if (text_close(w.out, &renamed->text) != 0 || status != 0)
        return -1;
    FILE *clear = text_open(&renamed->clear, &renamed->clear_size);
    if (!clear)
        return -1;
    put_clear(r, clear, &renamed->bytes);
    return text_close(clear, &renamed->clear);
}

int mncore2_rename(const struct machine_program *program, struct renamed *renamed)
{
    struct renaming r;
    *renamed = (struct renamed){.text = NULL};
    int status = mncore2_renaming_find(&r, &program->program);
    if (status == 0)
        status = list_values(&r, renamed);
    if (status == 0 && renamed->count)
        status = write_all(&r, renamed);
    mncore2_renaming_free(&r);
    return status;
}
