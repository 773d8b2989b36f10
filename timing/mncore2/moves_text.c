/* moves_text: a program of MN-Core 2 in a new order, with its comments (see plain.h). */
#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "host/grow.h"
#include "timing/mncore2/plain.h"

void mncore2_plain_put(const struct plain *p, const uint32_t *nodes, size_t count, FILE *out)
{
    const char *divider = "";
    for (size_t i = 0; i < count; i++) {
        if (p->block->nodes[nodes[i]].kind != NODE_STEP)
            continue;
        const char *text = p->text + p->pieces[nodes[i]].at;
        fprintf(out, "%s%.*s", divider, (int)strcspn(text, "\n"), text);
        divider = "; ";
    }
}

/* A line of the program that is a comment alone. */
struct remark {
    const char *text;
    uint32_t line, length;
    uint32_t next; /* line of the piece that it precedes; UINT32_MAX: of none */
    bool directive, put;
};

struct writer {
    const struct plain *p;
    FILE *out;
    struct remark *remarks;
    size_t count, capacity, first; /* first: that has not been put */
    bool *put;                     /* by item: its comment */
};

static int add_remark(struct writer *w, const char *text, uint32_t length, uint32_t line)
{
    struct remark *remarks = grow(w->remarks, &w->capacity, w->count + 1, sizeof *remarks);
    if (!remarks)
        return -1;
    w->remarks = remarks;
    const struct moves_block *block = w->p->block;
    uint32_t next = UINT32_MAX;
    for (size_t low = 0, high = block->node_count; low < high;) { /* lines do not fall */
        const size_t middle = (low + high) / 2;
        if (block->nodes[middle].line > line)
            next = block->nodes[high = middle].line;
        else
            low = middle + 1;
    }
    remarks[w->count++] = (struct remark){.text = text,
                                          .line = line,
                                          .length = length,
                                          .next = next,
                                          .directive = directive_is(text, length, false)};
    return 0;
}

static int find_remarks(struct writer *w)
{
    const struct source *source = &w->p->program->sources[0];
    uint32_t line = 1;
    int status = 0;
    for (size_t at = 0, end; at < source->size && status == 0; at = end + 1, line++) {
        for (end = at; end < source->size && source->text[end] != '\n';)
            end++;
        size_t from = at;
        while (from < end && (source->text[from] == ' ' || source->text[from] == '\t'))
            from++;
        if (from < end && source->text[from] == '#')
            status = add_remark(w, source->text + from, (uint32_t)(end - from), line);
    }
    return status;
}

static void put_remark(struct writer *w, struct remark *remark)
{
    fprintf(w->out, "%.*s\n", (int)remark->length, remark->text);
    remark->put = true;
}

/* The comments that the file begins with, up to the first other line, stay at its top. */
static void put_title(struct writer *w)
{
    for (size_t i = 0; i < w->count && w->remarks[i].line == i + 1 && !w->remarks[i].directive; i++)
        put_remark(w, &w->remarks[i]);
}

/* Comments above a line, and all directives above it. */
static void put_remarks(struct writer *w, uint32_t line)
{
    while (w->first < w->count && w->remarks[w->first].put)
        w->first++;
    for (size_t i = w->first; i < w->count && w->remarks[i].line < line; i++) {
        struct remark *r = &w->remarks[i];
        if (!r->put && (r->directive || r->next == line || line == UINT32_MAX))
            put_remark(w, r);
    }
}

/* The line that a piece came from, and once the comment after it. */
static void put_origin(struct writer *w, uint32_t n)
{
    const struct program *program = w->p->program;
    const size_t item = w->p->pieces[n].item;
    size_t length, whole;
    const char *text = mncore2_program_text(program, item, &length),
               *line = mncore2_program_line(program, item, &whole), *end = line + whole,
               *at = text + length;
    fprintf(w->out, " %u", w->p->block->nodes[n].line);
    while (at < end && *at != '#')
        at++;
    if (at < end && !w->put[item])
        fprintf(w->out, ":%.*s", (int)(end - at - 1), at + 1);
    w->put[item] = true;
}

/* The nodes of one slot that take one, and from which lines they are. */
static void put_slot(struct writer *w, const struct moves_place *places, size_t count)
{
    const struct plain *p = w->p;
    const struct moves_node *nodes = p->block->nodes;
    uint32_t exprs[MOVES_TOGETHER];
    size_t used = 0;
    uint8_t tag = 0;
    bool already = false; /* a text has noforward */
    for (size_t i = 0; i < count; i++) {
        const uint32_t n = places[i].node;
        if (nodes[n].kind == NODE_WAIT)
            tag = p->pieces[n].tag;
        else if (used < MOVES_TOGETHER)
            exprs[used++] = n;
        already |= nodes[n].quiet;
    }
    if (used && places[0].quiet && !already)
        fputs("noforward; ", w->out);
    if (used)
        mncore2_plain_put(p, exprs, used, w->out);
    else
        fputs("nop", w->out);
    if (tag)
        fprintf(w->out, "; wait i%02x", tag);
    fputs("  #", w->out);
    for (size_t i = 0; i < count; i++) {
        bool said = false;
        for (size_t k = 0; k < i; k++)
            said |= nodes[places[k].node].line == nodes[places[i].node].line;
        if (!said)
            put_origin(w, places[i].node);
    }
    fputc('\n', w->out);
}

static void put_places(struct writer *w, const struct moves_place *places)
{
    const struct plain *p = w->p;
    const size_t count = p->block->node_count;
    uint32_t slot = 0;
    put_title(w);
    for (size_t i = 0, end; i < count; i = end) {
        const uint32_t n = places[i].node;
        end = i + 1;
        while (p->block->nodes[n].kind != NODE_FREE && end < count &&
               places[end].slot == places[i].slot &&
               p->block->nodes[places[end].node].kind != NODE_FREE)
            end++;
        for (size_t k = i; k < end; k++)
            put_remarks(w, p->block->nodes[places[k].node].line);
        if (places[i].above)
            fprintf(w->out, "# %s\n", places[i].above);
        if (places[i].slot > slot)
            fprintf(w->out, places[i].slot - slot > 1 ? "nop/%u\n" : "nop\n",
                    places[i].slot - slot);
        slot = places[i].slot;
        if (p->block->nodes[n].kind == NODE_FREE) {
            const char *text = p->text + p->pieces[n].at;
            fprintf(w->out, "%.*s  #", (int)strcspn(text, "\n"), text);
            put_origin(w, n);
            fputc('\n', w->out);
            continue;
        }
        put_slot(w, places + i, end - i);
        slot++;
    }
    put_remarks(w, UINT32_MAX);
}

int mncore2_plain_write(void *context, const struct moves_place *const *orders, FILE *out)
{
    const struct plain *p = context;
    struct writer w = {
        .p = p, .out = out, .put = calloc(p->program->item_count + 1, sizeof *w.put)};
    const int status = w.put ? find_remarks(&w) : -1;
    if (status == 0)
        put_places(&w, orders[0]);
    free(w.remarks);
    free(w.put);
    return status == 0 && !p->lost && !ferror(out) ? 0 : -1;
}
