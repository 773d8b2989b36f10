/*
 * advise: what might be better in a program of MN-Core 2, as edits of its lines. Each is loaded,
 * checked, run and compared before it is printed. But equal values of some runs do not say that two
 * statements may change places (masks, addresses that only the run knows): the graph does.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/search.h"
#include "timing/mncore2/moves.h"
#include "host/text.h"
#include "timing/mncore2/run.h"
#include "timing/mncore2/stream.h"

enum { NEAR = 8, FAR = 32, TEXTS = 3, FEW_NOPS = 6 };

struct adviser {
    const struct program *program;
    struct graph graph;
    bool *unwaited; /* by item: a transfer without a wait before an access to what it moves */
    moves_advised *found;
    void *self;
    char *texts[TEXTS]; /* of the advice that is being made */
    size_t text_count;
    bool failed;
};

static const struct stmt *stmt_at(const struct program *program, size_t item)
{
    return &program->stmts[program->items[item].stmt];
}

/* A step that does something. */
static bool is_work(const struct program *program, size_t item)
{
    const struct stmt *stmt = stmt_at(program, item);
    return stmt->kind == STMT_STEP && !stmt->step->nops;
}

static bool is_nops(const struct program *program, size_t item)
{
    const struct stmt *stmt = stmt_at(program, item);
    return stmt->kind == STMT_STEP && stmt->step->nops && !stmt->step->wait;
}

static uint32_t line_of(const struct adviser *a, size_t item)
{
    return a->program->items[item].line;
}

/* --- order ------------------------------------------------------------------------------------ */

/* First node of an item, or of a later one. */
static size_t first_node(const struct graph *graph, size_t item)
{
    return search_u32(graph->nodes, graph->node_count, sizeof *graph->nodes,
                      offsetof(struct graph_node, stmt), item);
}

struct arcs {
    const struct graph_arc *list;
    size_t count;
};

/* Into an item. */
static struct arcs arcs_into(const struct graph *graph, size_t item)
{
    const size_t first = graph_arcs_of(graph, first_node(graph, item)),
                 end = graph_arcs_of(graph, first_node(graph, item + 1));
    return (struct arcs){graph->arcs + first, end - first};
}

/* Whether an item needs a transfer that is waited for among the items [first, end); or one that it
 * does not wait for, while something is waited for there. */
static bool needs_wait(const struct adviser *a, size_t item, size_t first, size_t end)
{
    const struct arcs arcs = arcs_into(&a->graph, item);
    for (size_t i = 0; i < arcs.count; i++) {
        const struct graph_node *node = &a->graph.nodes[arcs.list[i].from];
        for (size_t w = first; arcs.list[i].completes && w < end; w++) {
            const struct stmt *at = stmt_at(a->program, w);
            if (at->kind == STMT_STEP && at->step->wait &&
                (at->step->wait == stmt_at(a->program, node->stmt)->mv->tag ||
                 (node->waited > item && node->stmt < w)))
                return true;
        }
    }
    return false;
}

/* Whether an item must come after something among the items [first, end); shared: it would join the
 * step of the first item (reads precede writes). */
static bool needs(const struct adviser *a, size_t item, size_t first, size_t end, bool shared)
{
    const struct arcs arcs = arcs_into(&a->graph, item);
    for (size_t i = 0; i < arcs.count; i++) {
        const size_t from = a->graph.nodes[arcs.list[i].from].stmt;
        if (arcs.list[i].kind < ARC_PORT && from != item && from >= first && from < end &&
            (!shared || from > first || arcs.list[i].kind != ARC_WAR))
            return true;
    }
    return needs_wait(a, item, first, end);
}

/* --- texts ------------------------------------------------------------------------------------ */

static const char *keep(struct adviser *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static const char *keep(struct adviser *a, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        text = NULL;
        a->failed = true;
    }
    va_end(args);
    if (a->text_count < TEXTS && text)
        a->texts[a->text_count++] = text;
    else
        free(text);
    return text;
}

struct piece {
    const char *text;
    int length;
};

static struct piece statement(const struct adviser *a, size_t item)
{
    size_t length;
    const char *text = mncore2_program_text(a->program, item, &length);
    while (length && (text[length - 1] == ';' || text[length - 1] == ' '))
        length--;
    return (struct piece){text, (int)length};
}

static struct piece whole(const struct adviser *a, size_t item)
{
    size_t length;
    const char *text = mncore2_program_line(a->program, item, &length);
    return (struct piece){text, (int)length};
}

/* The line of an item with another statement in it; the rest of the line stays. */
static const char *instead(struct adviser *a, size_t item, const char *text, int length)
{
    const struct piece line = whole(a, item), old = statement(a, item);
    const int before = (int)(old.text - line.text), behind = before + old.length;
    return keep(a, "%.*s%.*s%.*s", before, line.text, length, text, line.length - behind,
                line.text + behind);
}

/* The statement without the expression that waits. */
static const char *without_wait(struct adviser *a, size_t item)
{
    const struct piece text = statement(a, item);
    char *copy = strndup(text.text, (size_t)text.length), *out = NULL;
    size_t size = 0;
    FILE *file = text_open(&out, &size);
    const char *divider = "";
    char *rest = NULL;
    for (char *part = copy && file ? strtok_r(copy, ";", &rest) : NULL; part;
         part = strtok_r(NULL, ";", &rest)) {
        part += strspn(part, " \t");
        if (strncmp(part, "wait", 4) == 0)
            continue;
        fprintf(file, "%s%s", divider, part);
        divider = "; ";
    }
    const char *line =
        text_close(file, &out) == 0 && copy ? instead(a, item, out, (int)strcspn(out, "\n")) : NULL;
    a->failed |= !line;
    free(copy);
    free(out);
    return line;
}

/* --- reporting -------------------------------------------------------------------------------- */

static int emit(struct adviser *a, const struct moves_advice *advice, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int emit(struct adviser *a, const struct moves_advice *advice, const char *format, ...)
{
    struct moves_advice whole_advice = *advice;
    char sentence[160];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    whole_advice.sentence = sentence;
    const int status = a->failed ? -1 : a->found(a->self, &whole_advice);
    while (a->text_count > 0)
        free(a->texts[--a->text_count]);
    return status;
}

static struct moves_advice about(const struct adviser *a, const char *kind, size_t item)
{
    return (struct moves_advice){.kind = kind, .line = line_of(a, item)};
}

static void edit(struct moves_advice *advice, uint32_t line, const char *text)
{
    advice->edits[advice->edit_count++] = (struct moves_edit){line, text};
}

/* --- nops ------------------------------------------------------------------------------------- */

static const char *nops(struct adviser *a, size_t item, uint32_t count)
{
    char text[24];
    snprintf(text, sizeof text, count == 1 ? "nop" : "nop/%u", count);
    return count ? instead(a, item, text, (int)strlen(text)) : NULL;
}

static int advise_nops(struct adviser *a, size_t item)
{
    const uint32_t written = stmt_at(a->program, item)->step->nops;
    int status = 0;
    for (uint32_t left = 0; left < written && status == 0; left++) {
        if (left >= FEW_NOPS && left != written / 2 && left != written - 1)
            continue;
        struct moves_advice advice = about(a, "nops", item);
        edit(&advice, advice.line, nops(a, item, left));
        status = emit(a, &advice, "%u of its %u nops can go", written - left, written);
    }
    return status;
}

/* The nops that could go all together (removable.h), line by line. */
static int advise_all_nops(struct adviser *a, const struct run_setup *setup)
{
    struct removable_list list = {.rows = NULL};
    struct arrivals arrivals = {.count = 0};
    char unused[MACHINE_ERROR];
    uint32_t *cut = calloc(a->program->item_count + 1, sizeof *cut);
    int status = cut ? mncore2_arrivals_of(&arrivals, setup, unused) : -1;
    if (status == 0)
        status = mncore2_removable_find(a->program, setup->config, false,
                                        arrivals.count ? &arrivals : NULL, &list);
    for (size_t i = 0; i < list.count && status == 0; i++)
        mncore2_removable_cut(a->program, &list.rows[i], list.rows[i].together, cut);
    for (size_t i = 0; i < a->program->item_count && status == 0; i++) {
        if (!cut[i])
            continue;
        const uint32_t written = stmt_at(a->program, i)->step->nops;
        struct moves_advice advice = about(a, "nops", i);
        advice.joint = true;
        edit(&advice, advice.line, nops(a, i, written - cut[i]));
        status = emit(a, &advice, "%u of its %u nops can go", cut[i], written);
    }
    mncore2_arrivals_free(&arrivals);
    free(list.rows);
    free(cut);
    return status;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* A step joins an earlier one, or replaces a nop there. */
static int advise_step(struct adviser *a, size_t item)
{
    const struct piece moved = statement(a, item);
    int status = 0;
    unsigned seen = 0;
    for (size_t i = item; i-- > 0 && seen < NEAR && status == 0;) {
        if (stmt_at(a->program, i)->kind != STMT_STEP)
            continue;
        seen++;
        if (needs(a, item, i, item, is_work(a->program, i)))
            continue;
        struct moves_advice advice = about(a, "share", item);
        edit(&advice, advice.line, NULL);
        if (is_work(a->program, i)) {
            const struct piece there = statement(a, i);
            const char *both =
                keep(a, "%.*s; %.*s", there.length, there.text, moved.length, moved.text);
            edit(&advice, line_of(a, i), both ? instead(a, i, both, (int)strlen(both)) : NULL);
            status = emit(a, &advice, "it can share the step of line %u", line_of(a, i));
        } else if (is_nops(a->program, i)) {
            const uint32_t count = stmt_at(a->program, i)->step->nops;
            const char *rest = nops(a, i, count - 1);
            edit(&advice, line_of(a, i),
                 rest ? keep(a, "%.*s\n%s", moved.length, moved.text, rest)
                      : instead(a, i, moved.text, moved.length));
            advice.kind = "fill";
            status = emit(a, &advice, "it can replace a nop in line %u", line_of(a, i));
        }
    }
    return status;
}

/* --- waits ------------------------------------------------------------------------------------ */

/* The wait goes with a step further down. */
static int advise_wait(struct adviser *a, size_t item)
{
    const struct step *step = stmt_at(a->program, item)->step;
    unsigned seen = 0;
    int status = 0;
    for (size_t i = item + 1; i < a->program->item_count && seen < FAR && status == 0; i++) {
        if (needs_wait(a, i - 1, item, item + 1))
            break;
        if (!is_work(a->program, i) || stmt_at(a->program, i)->step->wait)
            continue;
        seen++;
        if ((seen & (seen - 1)) != 0) /* 1, 2, 4 ... steps further */
            continue;
        struct moves_advice advice = about(a, "wait", item);
        const struct piece there = statement(a, i);
        const char *joined = keep(a, "%.*s; wait i%02x", there.length, there.text, step->wait);
        edit(&advice, advice.line, step->nops ? NULL : without_wait(a, item));
        edit(&advice, line_of(a, i), joined ? instead(a, i, joined, (int)strlen(joined)) : NULL);
        status = emit(a, &advice, "the wait can go with line %u", line_of(a, i));
    }
    return status;
}

/* --- transfers -------------------------------------------------------------------------------- */

static int find_unwaited(struct adviser *a)
{
    const struct graph_node *nodes = a->graph.nodes;
    a->unwaited = calloc(a->program->item_count + 1, sizeof *a->unwaited);
    for (size_t i = 0; a->unwaited && i < a->graph.arc_count; i++) {
        const struct graph_arc *arc = &a->graph.arcs[i];
        if (arc->completes && nodes[arc->from].waited > nodes[arc->to].stmt)
            a->unwaited[nodes[arc->from].stmt] = true;
    }
    return a->unwaited ? 0 : -1;
}

/* Whether an access may rely on the order of two transfers: it waits for the later one alone. */
static bool covers(const struct adviser *a, size_t earlier, size_t later)
{
    return a->unwaited[earlier] && stmt_at(a->program, later)->kind == STMT_MV &&
           stmt_at(a->program, later)->mv->tag;
}

static int advise_place(struct adviser *a, size_t item, size_t there)
{
    const struct piece moved = whole(a, item), stays = whole(a, there);
    const bool earlier = there < item;
    if (earlier && needs(a, item, there, item, false))
        return 0;
    for (size_t i = there; i < item; i++)
        if (covers(a, i, item))
            return 0;
    for (size_t i = item + 1; i <= there; i++)
        if (needs(a, i, item, item + 1, false) || covers(a, item, i))
            return 0;
    const struct piece first = earlier ? moved : stays, second = earlier ? stays : moved;
    struct moves_advice advice = about(a, "transfer", item);
    edit(&advice, advice.line, NULL);
    edit(&advice, line_of(a, there),
         keep(a, "%.*s\n%.*s", first.length, first.text, second.length, second.text));
    return emit(a, &advice, "the transfer can be issued %s line %u", earlier ? "before" : "behind",
                line_of(a, there));
}

/* n<size> with fewer long words. */
static int advise_size(struct adviser *a, size_t item)
{
    enum { UNIT = 64 };
    const uint64_t size = stmt_at(a->program, item)->mv->size;
    const struct piece text = statement(a, item);
    int at = 0, status = 0;
    while (at < text.length && text.text[at] != '/')
        at++;
    while (at < text.length && text.text[at] != 'n')
        at++;
    const int digits = (int)strspn(text.text + at + (at < text.length), "0123456789");
    const uint64_t less[] = {size / 2 / UNIT * UNIT, size - UNIT};
    for (unsigned i = 0; i < 2 && status == 0 && digits && size > UNIT; i++) {
        if (!less[i] || (i && less[1] == less[0]))
            continue;
        struct moves_advice advice = about(a, "size", item);
        const char *shorter = keep(a, "%.*sn%llu%.*s", at, text.text, (unsigned long long)less[i],
                                   text.length - at - 1 - digits, text.text + at + 1 + digits);
        edit(&advice, advice.line,
             shorter ? instead(a, item, shorter, (int)strlen(shorter)) : NULL);
        advice.finding = advice.dumps_only = true;
        status =
            emit(a, &advice, "nothing that is dumped needs more than %llu of its %llu long words",
                 (unsigned long long)less[i], (unsigned long long)size);
    }
    return status;
}

static int advise_transfer(struct adviser *a, size_t item)
{
    const size_t count = a->program->item_count;
    int status = 0;
    for (size_t far = 1; far <= FAR && status == 0; far *= 2) {
        if (item >= far)
            status = advise_place(a, item, item - far);
        if (status == 0 && item + far < count && far <= NEAR)
            status = advise_place(a, item, item + far);
    }
    if (status == 0 && item > 0 && (item & (item - 1)) != 0)
        status = advise_place(a, item, 0);
    return status == 0 ? advise_size(a, item) : status;
}

/* --- findings --------------------------------------------------------------------------------- */

/* A copy that may change nothing: what it writes may be there, or be overwritten. */
static int advise_copy(struct adviser *a, size_t item)
{
    const struct step *step = stmt_at(a->program, item)->step;
    unsigned exprs = 0, copies = 0;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step_expr(step, group);
        exprs += expr != NULL;
        copies += expr && (expr->insn == INSN_VPASSA || expr->insn == INSN_PASSA);
    }
    if (exprs != 1 || copies != 1 || step->wait)
        return 0;
    struct moves_advice advice = about(a, "copy", item);
    edit(&advice, advice.line, "nop");
    advice.finding = true;
    return emit(a, &advice, "the copy changes nothing");
}

static int advise_packing(struct adviser *a, const struct machine_setting *settings)
{
    static const char *const names[] = {"auto", "flat"};
    enum packing now, other;
    if (mncore2_packing_choose(a->program, machine_setting(settings, "packing"), &now) != 0)
        return 0;
    int status = 0;
    for (size_t i = 0; i < 2 && status == 0; i++) {
        if (mncore2_packing_choose(a->program, names[i], &other) != 0 || other == now)
            continue;
        const struct machine_setting list[] = {{"packing", names[i]}, {NULL, NULL}};
        struct moves_advice advice = {
            .kind = "packing", .line = 1, .settings = list, .finding = true};
        status = emit(a, &advice, "with --packing %s", names[i]);
    }
    return status;
}

static int advise_item(struct adviser *a, size_t item)
{
    const struct stmt *stmt = stmt_at(a->program, item);
    if (stmt->kind == STMT_MV)
        return advise_transfer(a, item);
    if (stmt->kind != STMT_STEP)
        return 0;
    int status = stmt->step->wait ? advise_wait(a, item) : 0;
    if (status == 0 && is_nops(a->program, item))
        status = advise_nops(a, item);
    if (status == 0 && is_work(a->program, item))
        status = advise_step(a, item);
    if (status == 0 && is_work(a->program, item))
        status = advise_copy(a, item);
    return status;
}

int mncore2_advise(const struct machine_program *program, const struct config *config,
                   const struct machine_setting *settings, moves_advised *found, void *self)
{
    struct adviser a = {.program = &program->program, .found = found, .self = self};
    char unused[MACHINE_ERROR];
    const struct run_options options = {.settings = settings};
    const struct run_setup setup = {program, config, &options, NULL};
    int status = mncore2_graph(&setup, &a.graph, unused);
    if (status == 0)
        status = find_unwaited(&a);
    if (status == 0)
        status = advise_all_nops(&a, &setup);
    for (size_t i = 0; i < a.program->item_count && status == 0; i++)
        status = advise_item(&a, i);
    if (status == 0)
        status = advise_packing(&a, settings);
    graph_free(&a.graph);
    free(a.unwaited);
    return status;
}
