/*
 * moves: what may be moved in an AMX program, and what could be better (timing/moves.h).
 *
 * A block is a run of instructions of one section between .repeat, .end, set, clr, what sets or
 * gets values, and where a region begins or ends. A turn of a loop is over before the next begins,
 * so the order within a block may change as if it were executed once. A thread issues in order and
 * waits for its registers by itself: the new order is the old lines in other places, with their
 * comments.
 */
#include "timing/amx/moves.h"

#include <stdlib.h>
#include <string.h>

#include "functional/directive.h"
#include "timing/amx/model.h"

struct lines {
    const char *text;
    size_t size;
};

struct amx_moves {
    const struct amx_program *program;
    struct amx_model model;
    struct moves *moves;
    size_t *item;  /* of each node, block after block */
    size_t *first; /* node in item at which a block begins */
};

/* --- what depends on what --------------------------------------------------------------------- */

static const struct amx_item *item_of(const struct amx_moves *m, size_t item)
{
    return &m->program->items[item];
}

static bool moves_memory(const struct amx_item *item)
{
    return item->insn == AMX_LDX || item->insn == AMX_LDY || item->insn == AMX_LDZ ||
           item->insn == AMX_STX || item->insn == AMX_STY || item->insn == AMX_STZ;
}

static bool movable(const struct amx_item *item)
{
    return item->kind == AMX_ITEM_INSN && item->insn != AMX_SET && item->insn != AMX_CLR;
}

static const struct cost *cost_at(const struct amx_moves *m, size_t item)
{
    return &m->model.cost[PERFORMANCE][m->model.stmt_of_item[item]];
}

static int add_arcs(const struct amx_moves *m, struct moves_block *block, size_t first, size_t end)
{
    struct graph graph;
    int status = amx_graph_block(&m->model, first, end, &graph);
    for (size_t a = 0; a < graph.arc_count && status == 0; a++) {
        const struct graph_arc *arc = &graph.arcs[a];
        status =
            moves_add_arc(block, &(struct moves_arc){.from = arc->from,
                                                     .to = arc->to,
                                                     .slots = arc->lag ? (uint32_t)arc->lag : 1});
    }
    graph_free(&graph);
    return status;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static int add_block(struct amx_moves *m, size_t first, size_t end, size_t *used)
{
    struct moves_block *block = &m->moves->blocks[m->moves->block_count];
    m->first[m->moves->block_count++] = *used;
    for (size_t i = first; i < end; i++) {
        const struct cost *cost = cost_at(m, i);
        const struct moves_node node = {.line = item_of(m, i)->line,
                                        .kind = NODE_STEP,
                                        .unit = cost->port == UNIT_CPU ? 0 : 1 + cost->port,
                                        .busy = cost->interval,
                                        .issue = cost->cpu ? cost->cpu : 1};
        m->item[(*used)++] = i;
        if (!moves_add_node(block, &node))
            return -1;
    }
    return add_arcs(m, block, first, end);
}

static int add_blocks(struct amx_moves *m)
{
    size_t used = 0;
    struct directives directives;
    int status = directives_read(&directives, m->program->sources, 1, NULL) < 0 ? -1 : 0;
    for (size_t s = 0; s < m->program->section_count && status == 0; s++) {
        const size_t end = m->program->sections[s].end;
        for (size_t i = m->program->sections[s].first; i < end && status == 0;) {
            const size_t first = i;
            const uint32_t part = directives_part(&directives, 0, item_of(m, i)->line);
            while (i < end && movable(item_of(m, i)) &&
                   directives_part(&directives, 0, item_of(m, i)->line) == part)
                i++;
            if (i - first > 1)
                status = add_block(m, first, i, &used);
            i += i == first;
        }
    }
    directives_free(&directives);
    return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A line of the text, its end included. */
static struct lines line_at(const struct source *source, size_t offset)
{
    struct lines line = {.text = source->text + offset};
    while (offset + line.size < source->size && line.text[line.size] != '\n')
        line.size++;
    line.size += offset + line.size < source->size;
    return line;
}

static int length_of(const struct lines *line)
{
    return (int)(line->size - (line->size && line->text[line->size - 1] == '\n'));
}

/* The lines of the program, those of a block in their new order. */
static int write_program(void *context, const struct moves_place *const *places, FILE *out)
{
    const struct amx_moves *m = context;
    const struct source *source = &m->program->sources[0];
    size_t block = 0, node = 0, offset = 0;
    for (uint32_t number = 1; offset < source->size; number++) {
        const struct lines line = line_at(source, offset);
        while (block < m->moves->block_count && node == m->moves->blocks[block].node_count) {
            block++;
            node = 0;
        }
        struct lines put = line;
        if (block < m->moves->block_count && m->moves->blocks[block].nodes[node].line == number) {
            size_t start = item_of(m, m->item[m->first[block] + places[block][node].node])->offset;
            while (start > 0 && source->text[start - 1] != '\n')
                start--;
            put = line_at(source, start);
            node++;
        }
        fwrite(put.text, 1, put.size, out);
        if (put.size == 0 || put.text[put.size - 1] != '\n')
            fputc('\n', out);
        offset += line.size;
    }
    return ferror(out) ? -1 : 0;
}

static void free_moves(void *context)
{
    struct amx_moves *m = context;
    amx_model_free(&m->model.base);
    free(m->item);
    free(m->first);
    free(m);
}

int amx_moves(const struct amx_program *program, const struct config *config, struct moves *moves)
{
    struct amx_moves *m = calloc(1, sizeof *m);
    *moves = (struct moves){
        .slot_cycles = 1, .context = m, .write = write_program, .free = m ? free_moves : NULL};
    if (!m)
        return -1;
    m->program = program;
    m->moves = moves;
    const int status = amx_model_make(&m->model, program, config, false);
    m->item = calloc(program->item_count + 1, sizeof *m->item);
    m->first = calloc(program->item_count + 1, sizeof *m->first);
    moves->blocks = calloc(program->item_count + 1, sizeof *moves->blocks);
    if (status != 0 || !m->item || !m->first || !moves->blocks)
        return -1;
    return add_blocks(m);
}

/* --- what could be better --------------------------------------------------------------------- */

/* Whether an instruction may go to another place of its block, all by node: nothing in between
 * depends on it, or it on that. Equal values of one run do not say so. */
static bool may_pass(const struct graph *graph, size_t from, size_t to)
{
    const size_t first = to < from ? from : from + 1, end = to < from ? from + 1 : to + 1;
    for (size_t a = graph_arcs_of(graph, first); a < graph_arcs_of(graph, end); a++)
        if (to < from ? graph->arcs[a].from >= to : graph->arcs[a].from == from)
            return false;
    return true;
}

/* An instruction some lines earlier or later in its block. */
static int advise_item(const struct amx_program *program, size_t from, size_t to,
                       moves_advised *found, void *self)
{
    const struct amx_item *item = &program->items[from], *there = &program->items[to];
    const struct source *source = &program->sources[0];
    size_t start = item->offset, at = there->offset;
    while (start > 0 && source->text[start - 1] != '\n')
        start--;
    while (at > 0 && source->text[at - 1] != '\n')
        at--;
    const struct lines moved = line_at(source, start), stays = line_at(source, at);
    char *text = NULL, sentence[96];
    const struct lines first = to < from ? moved : stays, second = to < from ? stays : moved;
    if (asprintf(&text, "%.*s\n%.*s", length_of(&first), first.text, length_of(&second),
                 second.text) < 0)
        return -1;
    snprintf(sentence, sizeof sentence, "move it %s line %u", to < from ? "before" : "behind",
             there->line);
    const struct moves_advice advice = {.kind = moves_memory(item) ? "transfer" : "order",
                                        .sentence = sentence,
                                        .line = item->line,
                                        .edits = {{item->line, NULL}, {there->line, text}},
                                        .edit_count = 2};
    const int status = found(self, &advice);
    free(text);
    return status;
}

static int advise_run(const struct amx_model *model, size_t first, size_t end, moves_advised *found,
                      void *self)
{
    enum { FAR = 16 };
    struct graph graph;
    int status = amx_graph_block(model, first, end, &graph);
    for (size_t i = 0; i < end - first && status == 0; i++)
        for (size_t far = 1; far <= FAR && status == 0; far *= 2) {
            if (i >= far && may_pass(&graph, i, i - far))
                status = advise_item(model->program, first + i, first + i - far, found, self);
            if (status == 0 && i + far < end - first && may_pass(&graph, i, i + far))
                status = advise_item(model->program, first + i, first + i + far, found, self);
        }
    graph_free(&graph);
    return status;
}

int amx_advise(const struct amx_program *program, const struct config *config, moves_advised *found,
               void *self)
{
    struct amx_model model = {.program = NULL};
    int status = amx_model_make(&model, program, config, false);
    for (size_t s = 0; s < program->section_count && status == 0; s++) {
        const size_t end = program->sections[s].end;
        for (size_t i = program->sections[s].first, first = i; i <= end && status == 0; i++) {
            if (i < end && movable(&program->items[i]))
                continue;
            status = advise_run(&model, first, i, found, self);
            first = i + 1;
        }
    }
    amx_model_free(&model.base);
    return status;
}
