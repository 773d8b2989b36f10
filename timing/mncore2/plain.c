#include "timing/mncore2/plain.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

enum { STMT_TEXT = 4096 };

/* --- the plain form --------------------------------------------------------------------------- */

static int add_piece(struct plain *p, FILE *text, const struct moves_node *node, struct piece piece,
                     const char *line, size_t length)
{
    struct piece *pieces =
        grow(p->pieces, &p->piece_capacity, p->block->node_count + 1, sizeof *pieces);
    if (!pieces)
        return -1;
    p->pieces = pieces;
    fflush(text);
    piece.at = p->size;
    pieces[p->block->node_count] = piece;
    if (!moves_add_node(p->block, node))
        return -1;
    if (node->kind != NODE_WAIT)
        fprintf(text, "%.*s\n", (int)length, line);
    return ferror(text) ? -1 : 0;
}

/* The expressions of a step, one after the other; `whole` as one. */
static int add_step(struct plain *p, FILE *text, size_t item, const struct step *step)
{
    char line[STMT_TEXT];
    struct moves_node node = {.line = p->program->items[item].line, .issue = 1};
    const struct stmt *stmt = &p->program->stmts[p->program->items[item].stmt];
    if (step->wait) {
        node.kind = NODE_WAIT;
        if (add_piece(p, text, &node, (struct piece){.item = item, .tag = step->wait}, "", 0) != 0)
            return -1;
    }
    if (step->nops)
        return 0;
    if (mncore2_stmt_print(p->program, stmt, line, sizeof line) >= (int)sizeof line)
        return -1;
    char *wait = strstr(line, "; wait i");
    if (wait)
        *wait = '\0';
    node.kind = NODE_STEP;
    node.quiet = step->noforward;
    if (step->noforward || p->whole[item])
        return add_piece(p, text, &node, (struct piece){.item = item}, line, strlen(line));
    for (char *next, *at = line; at; at = next) {
        next = strstr(at, "; ");
        const size_t length = next ? (size_t)(next - at) : strlen(at);
        if (add_piece(p, text, &node, (struct piece){.item = item}, at, length) != 0)
            return -1;
        next = next ? next + 2 : NULL;
    }
    return 0;
}

static int add_item(struct plain *p, FILE *text, size_t item)
{
    const struct stmt *stmt = &p->program->stmts[p->program->items[item].stmt];
    size_t length;
    const char *line = mncore2_program_text(p->program, item, &length);
    struct moves_node node = {.line = p->program->items[item].line, .kind = NODE_FREE, .issue = 1};
    switch ((enum stmt_kind)stmt->kind) {
    case STMT_STEP:
        return add_step(p, text, item, stmt->step);
    case STMT_MVNOP:
        return 0;
    case STMT_MV:
        node.transfer = true;
        return add_piece(p, text, &node, (struct piece){.item = item, .tag = stmt->mv->tag}, line,
                         length);
    default:
        return add_piece(p, text, &node, (struct piece){.item = item}, line, length);
    }
}

/* The text, parsed. */
static int make_plain(struct plain *p)
{
    mncore2_program_free(&p->plain);
    p->plain = (struct program){.items = NULL};
    source_close(&p->source);
    free(p->text);
    p->text = NULL;
    p->block->node_count = p->block->arc_count = p->span_count = 0;
    FILE *text = open_memstream(&p->text, &p->size);
    if (!text)
        return -1;
    int status = 0;
    for (size_t i = 0; i < p->program->item_count && status == 0; i++)
        status = add_item(p, text, i);
    if (fclose(text) != 0 || status != 0 ||
        source_from_text(&p->source, "plain", p->text, p->size) != 0)
        return -1;
    status = mncore2_program_parse(&p->plain, &p->source, 1, &p->diags);
    uint32_t plain = 0;
    for (size_t n = 0; n < p->block->node_count; n++)
        if (p->block->nodes[n].kind != NODE_WAIT)
            p->pieces[n].plain = plain++;
    if (status == 0 && plain == p->plain.item_count)
        return 0;
    if (status >= 0)
        snprintf(p->error, MACHINE_ERROR, "the program cannot be divided into expressions");
    return status < 0 ? -1 : 1;
}

/* --- places ----------------------------------------------------------------------------------- */

const struct stmt *mncore2_plain_stmt(const struct plain *p, uint32_t node)
{
    return &p->plain.stmts[p->plain.items[p->pieces[node].plain].stmt];
}

static int add_span(struct plain *p, const struct span *span)
{
    struct span *spans = grow(p->spans, &p->span_capacity, p->span_count + 1, sizeof *spans);
    if (!spans)
        return -1;
    p->spans = spans;
    spans[p->span_count++] = *span;
    return 0;
}

static int space_of(uint8_t mem)
{
    static const int8_t spaces[MEM_COUNT] = {
        [MEM_LM0] = 1 + SPACE_LM0,   [MEM_LM1] = 1 + SPACE_LM1,   [MEM_GRF0] = 1 + SPACE_GRF0,
        [MEM_GRF1] = 1 + SPACE_GRF1, [MEM_T] = 1 + SPACE_T,       [MEM_OMR] = 1 + SPACE_MASK,
        [MEM_BAR0] = 1 + SPACE_BAR0, [MEM_BAR1] = 1 + SPACE_BAR1, [MEM_X] = 1 + SPACE_X,
        [MEM_Y] = 1 + SPACE_Y,       [MEM_L1BM] = 1 + SPACE_L1BM, [MEM_L2BM] = 1 + SPACE_L2BM,
        [MEM_DAR] = 1 + SPACE_DAR,   [MEM_PDM] = 1 + SPACE_PDM,   [MEM_DRAM] = 1 + SPACE_DRAM};
    return mem < MEM_COUNT ? spaces[mem] - 1 : -1;
}

/* Dumps and presets count as touching all of a memory: they are for people, not for speed. */
static int debug_places(struct plain *p, struct piece *piece, const struct debug *debug, bool write)
{
    const int space = space_of(debug->mem);
    if (space < 0)
        return 1;
    const struct span span = {.space = (uint16_t)space, .count = UINT32_MAX};
    piece->reads = !write;
    piece->writes = write;
    return add_span(p, &span);
}

/* The order of l2bmdars and l2bmdarw is that of pointers, which are no place of their own. */
static size_t keep(const struct span *spans, size_t count, struct span *kept, bool *pointers)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        *pointers |= spans[i].space == SPACE_DARBUF;
        if (spans[i].space != SPACE_DARBUF)
            kept[n++] = spans[i];
    }
    return n;
}

static int places_of(struct plain *p, uint32_t n)
{
    struct piece *piece = &p->pieces[n];
    const struct stmt *stmt = mncore2_plain_stmt(p, n);
    struct mncore2_work_storage storage;
    struct work work;
    piece->spans = p->span_count;
    if (stmt->kind >= STMT_GET)
        return debug_places(p, piece, stmt->debug, stmt->kind != STMT_GET);
    mncore2_work(&p->plain, piece->plain, &storage, &work);
    struct span kept[sizeof storage.spans / sizeof *storage.spans + 1];
    bool pointers = false;
    piece->reads = keep(work.reads, work.read_count, kept, &pointers);
    piece->writes = keep(work.writes, work.write_count, kept + piece->reads, &pointers);
    if (pointers)
        kept[piece->reads + piece->writes++] = (struct span){.space = SPACE_DARBUF, .count = 1};
    for (size_t i = 0; i < piece->reads + piece->writes; i++) {
        if (i >= piece->reads && (kept[i].space == SPACE_BAR0 || kept[i].space == SPACE_BAR1))
            p->based[kept[i].space - SPACE_BAR0] = true;
        if (add_span(p, &kept[i]) != 0)
            return -1;
    }
    return 0;
}

static int hazards_of(struct plain *p, uint32_t n)
{
    const struct stmt *stmt = mncore2_plain_stmt(p, n);
    if (stmt->kind == STMT_MV) {
        struct region region[2];
        mncore2_effect_of_mv(stmt->mv, region);
        return mncore2_hazard_profile_mv(p->hazard, region, &p->pieces[n].profile);
    }
    if (stmt->kind != STMT_STEP)
        return 0;
    struct effect effect;
    mncore2_effect_of_step(stmt->step, &effect);
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        if (stmt->step->at[group])
            p->block->nodes[n].lanes |= UINT32_C(1) << group;
    if (stmt->step->darw)
        p->block->nodes[n].lanes |= UINT32_C(1) << GROUP_L2BMDARW;
    return mncore2_hazard_profile_step(p->hazard, &effect, &p->pieces[n].profile);
}

bool mncore2_plain_meet(const struct plain *p, const struct span *a, const struct span *b)
{
    if (a->space == b->space && (a->space == SPACE_LM0 || a->space == SPACE_LM1) &&
        p->based[a->space - SPACE_LM0])
        return true;
    return span_meets(a, b);
}

/* --- steps that were divided ----------------------------------------------------------------- */

/* Whether b of the same step must come before a: it reads what a writes. */
static bool before(const struct plain *p, uint32_t a, uint32_t b)
{
    const struct piece *from = &p->pieces[a], *to = &p->pieces[b];
    for (size_t i = 0; i < from->writes; i++)
        for (size_t k = 0; k < to->reads; k++)
            if (mncore2_plain_meet(p, &p->spans[from->spans + from->reads + i],
                                   &p->spans[to->spans + k]))
                return true;
    return false;
}

/* Put the nodes [begin, end) of a step into an order in which readers come before writers. False:
 * there is none. */
static bool sort_step(struct plain *p, uint32_t begin, uint32_t end)
{
    for (; begin < end; begin++) {
        uint32_t pick = begin;
        for (; pick < end; pick++) {
            bool good = true;
            for (uint32_t k = begin; k < end && good; k++)
                good = k == pick || !before(p, pick, k);
            if (good)
                break;
        }
        if (pick == end)
            return false;
        const struct piece piece = p->pieces[pick];
        const struct moves_node node = p->block->nodes[pick];
        memmove(&p->pieces[begin + 1], &p->pieces[begin], (pick - begin) * sizeof piece);
        memmove(&p->block->nodes[begin + 1], &p->block->nodes[begin], (pick - begin) * sizeof node);
        p->pieces[begin] = piece;
        p->block->nodes[begin] = node;
    }
    return true;
}

/* *again: some steps must stay whole, and the plain form is to be made anew. */
static int order_steps(struct plain *p, bool *again)
{
    *again = false;
    const uint32_t count = (uint32_t)p->block->node_count;
    for (uint32_t n = 0; n < count; n++) {
        if (p->block->nodes[n].kind == NODE_WAIT)
            continue;
        const int status = places_of(p, n) | hazards_of(p, n);
        if (status != 0) {
            if (status > 0)
                snprintf(p->error, MACHINE_ERROR, "line %u: its memory has no places",
                         p->block->nodes[n].line);
            return status < 0 ? -1 : 1;
        }
    }
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && p->pieces[end].item == p->pieces[begin].item; end++)
            continue;
        const uint32_t first = begin + (p->block->nodes[begin].kind == NODE_WAIT);
        if (end > first && !sort_step(p, first, end))
            *again = p->whole[p->pieces[begin].item] = true;
    }
    return 0;
}

int mncore2_plain_make(struct plain *p)
{
    bool again = true;
    int status = 0;
    diag_list_init(&p->diags);
    p->whole = calloc(p->program->item_count + 1, sizeof *p->whole);
    if (!p->whole || source_from_text(&p->source, "plain", "", 0) != 0)
        return -1;
    while (status == 0 && again) {
        status = make_plain(p);
        if (status == 0)
            status = order_steps(p, &again);
    }
    return status;
}

void mncore2_plain_free(struct plain *p)
{
    mncore2_program_free(&p->plain);
    if (p->source.name)
        source_close(&p->source);
    diag_list_free(&p->diags);
    free(p->text);
    free(p->pieces);
    free(p->spans);
    free(p->whole);
}
