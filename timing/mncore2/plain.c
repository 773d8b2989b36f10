#include "timing/mncore2/plain.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "host/text.h"

enum { STMT_TEXT = 4096 };

/* Nodes of one step, and the texts of their expressions. */
struct nodes {
    uint32_t node[GROUP_COUNT];
    const char *text[GROUP_COUNT];
    size_t length[GROUP_COUNT];
    uint32_t count;
};

/* --- order in a step -------------------------------------------------------------------------- */

static bool meet(const struct graph_span *a, const struct graph_span *b)
{
    return a->space == b->space && (!a->set || (a->set & b->set)) &&
           a->first < b->first + b->count && b->first < a->first + a->count;
}

/* Whether b of the same step must come before a: it reads what a writes; or, of l2bmdars and
 * l2bmdarw, it goes by pointers that a moves (3.6.7.10). */
static bool before(const struct plain *p, uint32_t a, uint32_t b)
{
    for (size_t i = p->first_span[a]; i < p->first_span[a + 1]; i++)
        for (size_t k = p->first_span[b]; k < p->first_span[b + 1]; k++) {
            const struct graph_span one = graph_spans_at(&p->made.spans, i),
                                    other = graph_spans_at(&p->made.spans, k);
            if (((one.write && !other.write) || one.space == SPACE_DARBUF) && meet(&one, &other))
                return true;
        }
    return false;
}

static void swap(struct nodes *nodes, uint32_t from, uint32_t to)
{
    const uint32_t node = nodes->node[from];
    const char *text = nodes->text[from];
    const size_t length = nodes->length[from];
    for (; from > to; from--) {
        nodes->node[from] = nodes->node[from - 1];
        nodes->text[from] = nodes->text[from - 1];
        nodes->length[from] = nodes->length[from - 1];
    }
    nodes->node[to] = node;
    nodes->text[to] = text;
    nodes->length[to] = length;
}

/* Readers come before writers. False: there is no such order. */
static bool sort_step(const struct plain *p, struct nodes *nodes)
{
    for (uint32_t begin = 0; begin < nodes->count; begin++) {
        uint32_t pick = begin;
        for (; pick < nodes->count; pick++) {
            bool good = true;
            for (uint32_t k = begin; k < nodes->count && good; k++)
                good = k == pick || !before(p, nodes->node[pick], nodes->node[k]);
            if (good)
                break;
        }
        if (pick == nodes->count)
            return false;
        swap(nodes, pick, begin);
    }
    return true;
}

/* --- pieces ----------------------------------------------------------------------------------- */

static int add_piece(struct plain *p, FILE *text, const struct moves_node *like, struct piece piece)
{
    struct moves_node node = *like;
    const uint32_t number = (uint32_t)p->block->node_count;
    struct piece *pieces = grow(p->pieces, &p->piece_capacity, number + 1, sizeof *pieces);
    if (!pieces)
        return -1;
    p->pieces = pieces;
    fflush(text);
    piece.at = p->size;
    pieces[number] = piece;
    node.line = p->program->items[piece.item].line;
    node.written = p->slot;
    for (uint32_t n = piece.first; n < piece.first + piece.count; n++) {
        const struct graph_node *of = &p->made.graph.nodes[n];
        p->piece_of[n] = number;
        if (of->settle && of->length > node.landed)
            node.landed = (uint32_t)of->length;
        if (node.transfer)
            node.least = of->length;
        if (node.kind == NODE_STEP)
            node.lanes |= UINT32_C(1) << p->made.graph.nodes[n].part;
    }
    return moves_add_node(p->block, &node) ? 0 : -1;
}

static int put_text(FILE *text, const char *line, size_t length)
{
    fprintf(text, "%.*s\n", (int)length, line);
    return ferror(text) ? -1 : 0;
}

static int add_whole(struct plain *p, FILE *text, const struct moves_node *node, struct piece piece)
{
    p->careful |= piece.count > 1;
    return add_piece(p, text, node, piece);
}

/* The length of the canonical text of an expression in line; 0: it is not legal alone; -1. */
static int canonical(const char *text, size_t length, char line[STMT_TEXT])
{
    struct source source;
    struct program program;
    struct diag_list diags;
    int printed = 0;
    if (source_from_text(&source, "expression", text, length) != 0)
        return -1;
    diag_list_init(&diags);
    const int status = mncore2_program_parse(&program, &source, 1, &diags);
    if (status == 0 && program.stmt_count == 1)
        printed = mncore2_stmt_print(&program, &program.stmts[0], line, STMT_TEXT);
    mncore2_program_free(&program);
    diag_list_free(&diags);
    source_close(&source);
    return status < 0 ? -1 : printed < STMT_TEXT ? printed : 0;
}

/* Expressions get their texts as written. Returns 0 or -1. */
static int set_written(const struct plain *p, size_t item, struct nodes *nodes)
{
    char line[STMT_TEXT];
    size_t length;
    const char *at = mncore2_program_text(p->program, item, &length), *const end = at + length;
    for (const char *next; at < end; at = next + 1) {
        next = memchr(at, ';', (size_t)(end - at));
        next = next ? next : end;
        const char *first = at, *last = next;
        while (first < last && (*first == ' ' || *first == '\t'))
            first++;
        while (first < last && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        const int size = canonical(first, (size_t)(last - first), line);
        if (size < 0)
            return -1;
        for (uint32_t n = 0; n < nodes->count && size; n++)
            if (nodes->length[n] == (size_t)size &&
                memcmp(nodes->text[n], line, nodes->length[n]) == 0) {
                nodes->text[n] = first;
                nodes->length[n] = (size_t)(last - first);
                break;
            }
    }
    return 0;
}

/* The expressions of a step, which the nodes [first, first + count) are, one after the other. */
static int add_step(struct plain *p, FILE *text, struct piece whole)
{
    char line[STMT_TEXT];
    struct moves_node node = {.kind = NODE_WAIT, .issue = 1};
    const struct stmt *stmt = &p->program->stmts[p->program->items[whole.item].stmt];
    if (stmt->step->wait && !p->free_waits &&
        add_piece(p, text, &node, (struct piece){.item = whole.item, .tag = stmt->step->wait}) != 0)
        return -1;
    if (stmt->step->nops)
        return 0;
    if (mncore2_stmt_print(p->program, stmt, line, sizeof line) >= (int)sizeof line)
        return -1;
    char *wait = strstr(line, "; wait i");
    if (wait)
        *wait = '\0';
    node.kind = NODE_STEP;
    node.quiet = stmt->step->noforward;
    struct nodes nodes = {.count = whole.count}; /* printed in the order of the groups */
    const char *at = line;
    for (uint32_t n = 0; n < whole.count && at; n++) {
        const char *end = strstr(at, "; ");
        nodes.node[n] = whole.first + n;
        nodes.text[n] = at;
        nodes.length[n] = end ? (size_t)(end - at) : strlen(at);
        at = end ? end + 2 : NULL;
    }
    if (stmt->step->noforward || !sort_step(p, &nodes))
        return add_whole(p, text, &node, whole) != 0 ? -1 : put_text(text, line, strlen(line));
    if (!p->free_waits && set_written(p, whole.item, &nodes) != 0) /* to be written */
        return -1;
    for (uint32_t n = 0; n < nodes.count; n++) {
        const struct piece piece = {.item = whole.item, .first = nodes.node[n], .count = 1};
        if (add_piece(p, text, &node, piece) != 0 ||
            put_text(text, nodes.text[n], nodes.length[n]) != 0)
            return -1;
    }
    return 0;
}

/* A transfer with the tag that was added to it. */
static int add_tagged(struct plain *p, FILE *text, const struct moves_node *node,
                      struct piece piece)
{
    char line[STMT_TEXT];
    struct stmt stmt = p->program->stmts[p->program->items[piece.item].stmt];
    struct mv mv = *stmt.mv;
    mv.tag = piece.tag = p->tags.tag[piece.item];
    stmt.mv = &mv;
    if (mncore2_stmt_print(p->program, &stmt, line, sizeof line) >= (int)sizeof line)
        return -1;
    return add_piece(p, text, node, piece) != 0 ? -1 : put_text(text, line, strlen(line));
}

/* The waits that were added in front of an item. */
static int add_waits(struct plain *p, FILE *text, size_t item, size_t *next)
{
    const struct moves_node node = {.kind = NODE_WAIT, .issue = 1};
    int status = 0;
    for (; *next < p->tags.count && p->tags.waits[*next].item == item && status == 0; ++*next)
        status = add_piece(p, text, &node,
                           (struct piece){.item = item, .tag = p->tags.waits[*next].tag});
    return status;
}

static int add_item(struct plain *p, FILE *text, struct piece piece)
{
    const struct stmt *stmt = &p->program->stmts[p->program->items[piece.item].stmt];
    const struct moves_node node = {
        .kind = NODE_FREE, .issue = 1, .transfer = stmt->kind == STMT_MV};
    if (stmt->kind == STMT_STEP)
        return add_step(p, text, piece);
    if (stmt->kind == STMT_MVNOP)
        return 0;
    if (stmt->kind == STMT_MV)
        piece.tag = stmt->mv->tag;
    if (stmt->kind == STMT_MV && p->tags.tag && p->tags.tag[piece.item] && !piece.tag)
        return add_tagged(p, text, &node, piece);
    size_t length;
    const char *line = mncore2_program_text(p->program, piece.item, &length);
    return add_piece(p, text, &node, piece) != 0 ? -1 : put_text(text, line, length);
}

/* Steps of an item in the stream as written. */
static uint32_t steps_of(const struct program *program, size_t item)
{
    const struct stmt *stmt = &program->stmts[program->items[item].stmt];
    if (stmt->kind != STMT_STEP)
        return 0;
    return stmt->step->nops ? stmt->step->nops : 1;
}

int mncore2_plain_make(struct plain *p)
{
    const struct graph *graph = &p->made.graph;
    const struct graph_spans *spans = &p->made.spans;
    p->piece_of = calloc(graph->node_count + 1, sizeof *p->piece_of);
    p->first_span = calloc(graph->node_count + 1, sizeof *p->first_span);
    FILE *text = text_open(&p->text, &p->size);
    int status = p->piece_of && p->first_span && text ? 0 : -1;
    size_t wait = 0;
    for (size_t n = 0, s = 0; n <= graph->node_count && status == 0; n++) {
        while (s < spans->count && spans->list[s].node < n)
            s++;
        p->first_span[n] = s;
    }
    for (size_t i = 0, n = 0, end; i < p->program->item_count && status == 0; i++, n = end) {
        for (end = n; end < graph->node_count && graph->nodes[end].stmt == i;)
            end++;
        status = add_waits(p, text, i, &wait);
        if (status == 0)
            status = add_item(
                p, text,
                (struct piece){.item = i, .first = (uint32_t)n, .count = (uint32_t)(end - n)});
        p->slot += steps_of(p->program, i);
    }
    return text_close(text, &p->text) != 0 ? -1 : status;
}

void mncore2_plain_free(struct plain *p)
{
    free(p->text);
    free(p->pieces);
    free(p->piece_of);
    free(p->first_span);
    mncore2_tags_free(&p->tags);
}
