#include "analysis/dependences.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/utf8_json.h"
#include "functional/text.h"

/* --- rows ------------------------------------------------------------------------------------- */

static bool is_wanted(const struct dependences *d, uint32_t region, const struct stmt_info *stmt)
{
    const char *name = store_file(d->store, stmt->file), *file = name ? name : "";
    const size_t length = strlen(file), wanted = strlen(d->file);
    const bool here = !wanted || strcmp(file, d->file) == 0 ||
                      (length > wanted && file[length - wanted - 1] == '/' &&
                       strcmp(file + length - wanted, d->file) == 0);
    return (!d->line || (here && stmt->line == d->line)) && (!d->region || stmt->region == region);
}

/* Nodes outside the machine belong to no region. */
static bool asks(const struct dependences *d, uint32_t stmt)
{
    return stmt < d->store->header.stmt_count
               ? d->wanted[stmt]
               : !d->line && (!d->region || store_region(d->store, d->region) == 0);
}

static struct dependence row_of(const struct graph *graph, const struct graph_arc *arc,
                                const uint64_t *started, const uint64_t *finished)
{
    const uint64_t from = arc->completes ? finished[arc->from] : started[arc->from];
    const uint64_t to = started[arc->to];
    return (struct dependence){.arc = arc,
                               .from = graph->nodes[arc->from].stmt,
                               .to = graph->nodes[arc->to].stmt,
                               .times = 1,
                               .known = from != STARTS_NONE && to != STARTS_NONE,
                               .slack = (int64_t)(to - from) -
                                        (int64_t)(arc->completes ? arc->after : arc->lag)};
}

int dependences_find(struct dependences *d, struct starts *starts)
{
    const size_t stmts = d->store->header.stmt_count;
    const uint32_t region = d->region ? store_region(d->store, d->region) : 0;
    uint64_t *started = NULL, *finished = NULL;
    d->wanted = calloc(stmts + 1, sizeof *d->wanted);
    d->rows = calloc(d->graph->arc_count + 1, sizeof *d->rows);
    int status = d->wanted && d->rows ? starts_nodes(starts, d->graph, &started, &finished) : -1;
    for (size_t s = 0; status == 0 && s < stmts; s++) {
        d->wanted[s] = is_wanted(d, region, &d->store->header.stmts[s]);
        d->wanted_count += d->wanted[s];
    }
    for (size_t a = 0; status == 0 && a < d->graph->arc_count; a++) {
        const struct graph_arc *arc = &d->graph->arcs[a];
        const struct dependence row = row_of(d->graph, arc, started, finished);
        if (graph_arc_told(d->graph, arc) && (asks(d, row.from) || asks(d, row.to)))
            d->rows[d->count++] = row;
    }
    free(started);
    free(finished);
    return status != 0 ? status : region == NONE_ID;
}

void dependences_free(struct dependences *d)
{
    free(d->wanted);
    free(d->rows);
}

const char *dependences_space(const struct graph *graph, const struct graph_arc *arc)
{
    return arc->kind == ARC_PORT ? "" : graph->spaces[arc->space];
}

/* --- text ------------------------------------------------------------------------------------- */

static int by_pair(const void *first, const void *second)
{
    const struct dependence *a = first, *b = second;
    const struct graph_arc *x = a->arc, *y = b->arc;
    const uint64_t keys[][2] = {
        {a->from, b->from},   {a->to, b->to},     {x->kind, y->kind}, {x->space, y->space},
        {x->first, y->first}, {x->last, y->last}, {x->lag, y->lag},   {x->completes, y->completes}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return strcmp(x->rule, y->rule);
}

static int by_pair_and_turn(const void *first, const void *second)
{
    const struct dependence *a = first, *b = second;
    const int order = by_pair(a, b);
    return order ? order : a->arc < b->arc ? -1 : a->arc > b->arc;
}

static int by_turn(const void *first, const void *second)
{
    const struct dependence *a = first, *b = second;
    return a->arc < b->arc ? -1 : a->arc > b->arc;
}

/* Makes one row of equal pairs, in the order of the first. Returns how many. */
static size_t join_rows(struct dependence *rows, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(rows, count, sizeof *rows, by_pair_and_turn);
    for (size_t i = 0; i < count; i++) {
        struct dependence *last = kept ? &rows[kept - 1] : NULL;
        if (!last || by_pair(last, &rows[i]) != 0) {
            rows[kept++] = rows[i];
            continue;
        }
        last->times++;
        if (rows[i].known && (!last->known || rows[i].slack < last->slack))
            last->slack = rows[i].slack;
        last->known |= rows[i].known;
    }
    if (kept)
        qsort(rows, kept, sizeof *rows, by_turn);
    return kept;
}

/* "-" without a line: outside the machine. */
static const char *line_of(const struct dependences *d, uint32_t stmt, char text[24])
{
    const struct stmt_info *info = store_stmt(d->store, stmt);
    snprintf(text, 24, info ? "%" PRIu32 : "-", info ? info->line : 0);
    return text;
}

static void print_row(const struct dependences *d, const struct dependence *row, FILE *out)
{
    const struct graph_arc *arc = row->arc;
    char from[24], to[24], pair[64], what[96] = "", lag[32], line[256];
    snprintf(pair, sizeof pair, "%s -> %s", line_of(d, row->from, from), line_of(d, row->to, to));
    if (arc->kind != ARC_PORT)
        snprintf(what, sizeof what, "%s %" PRIu64 "..%" PRIu64, dependences_space(d->graph, arc),
                 arc->first, arc->last);
    snprintf(lag, sizeof lag, "lag %" PRIu64, arc->lag);
    int length = snprintf(line, sizeof line, "  %-14s %-4s  %-24s %-10s %-10s", pair,
                          graph_arc_names[arc->kind], what, lag, arc->rule);
    while (length > 0 && line[length - 1] == ' ' && !row->known)
        line[--length] = '\0';
    text_put(out, line, strlen(line));
    if (row->known)
        fprintf(out, "  slack %" PRId64, row->slack);
    if (arc->completes)
        fputs("  at its end", out);
    if (row->times > 1)
        fprintf(out, "  x %" PRIu64, row->times);
    putc('\n', out);
}

static void print_slacks(const struct dependences *d, FILE *out)
{
    size_t count;
    const struct sink_slack *slacks = store_slacks(d->store, &count);
    bool any = false, loose = false;
    for (size_t i = 0; i < count; i++)
        for (uint32_t s = slacks[i].first_stmt; s <= slacks[i].last_stmt; s++) {
            if (!asks(d, s))
                continue;
            if (!any)
                fputs("could issue later, without a later end:\n", out);
            fprintf(out, "  %-14" PRIu32 " %s%" PRId64 " cycles\n", d->store->header.stmts[s].line,
                    slacks[i].exact ? "" : "at least ", slacks[i].slack);
            any = true;
            loose |= !slacks[i].exact;
        }
    if (loose)
        fputs("  'at least': runs with every delay would take too long; --line has more time\n",
              out);
    if (!any)
        fputs("how much later they could issue is not known: not executed, or not followed\n", out);
}

void dependences_print(struct dependences *d, FILE *out)
{
    d->count = join_rows(d->rows, d->count);
    for (size_t i = 0; i < d->count; i++)
        print_row(d, &d->rows[i], out);
    if (!d->count)
        fputs("  no dependences\n", out);
    print_slacks(d, out);
}

/* --- Graphviz --------------------------------------------------------------------------------- */

/* Quotes and backslashes are the only characters that Graphviz does not take in a text. */
static void put_label(const struct stmt_info *stmt, FILE *out)
{
    fprintf(out, "%" PRIu32 ": ", stmt ? stmt->line : 0);
    for (size_t i = 0; stmt && i < stmt->text_length && stmt->text[i]; i++) {
        if (stmt->text[i] == '"' || stmt->text[i] == '\\')
            putc('\\', out);
        putc(stmt->text[i] == '\n' ? ' ' : stmt->text[i], out);
    }
}

void dependences_dot(const struct dependences *d, FILE *out)
{
    static const char *const styles[ARC_KINDS] = {"solid", "dashed", "dashed", "dotted", "dotted"};
    fputs("digraph deps {\n  node [shape=box];\n", out);
    for (size_t i = 0; i < d->count; i++) {
        const struct graph_arc *arc = d->rows[i].arc;
        const uint32_t ends[2] = {arc->from, arc->to};
        for (unsigned e = 0; e < 2; e++) {
            fprintf(out, "  n%" PRIu32 " [label=\"", ends[e]);
            put_label(store_stmt(d->store, d->graph->nodes[ends[e]].stmt), out);
            fputs("\"];\n", out);
        }
        const char *space = dependences_space(d->graph, arc);
        fprintf(out, "  n%" PRIu32 " -> n%" PRIu32 " [label=\"%s%s%s %" PRIu64 "\", style=%s];\n",
                arc->from, arc->to, graph_arc_names[arc->kind], *space ? " " : "", space, arc->lag,
                styles[arc->kind]);
    }
    fputs("}\n", out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *end_json(const struct dependences *d, uint32_t stmt)
{
    const struct stmt_info *info = store_stmt(d->store, stmt);
    const char *file = info ? store_file(d->store, info->file) : NULL;
    return json_pack("{s:o, s:I}", "file", utf8_json(file ? file : ""), "line",
                     (json_int_t)(info ? info->line : 0));
}

static json_t *row_json(const struct dependences *d, const struct dependence *dependence)
{
    const struct graph_arc *arc = dependence->arc;
    json_t *row =
        json_pack("{s:o, s:o, s:s, s:I, s:s, s:b, s:b, s:b}", "from", end_json(d, dependence->from),
                  "to", end_json(d, dependence->to), "kind", graph_arc_names[arc->kind], "lag",
                  (json_int_t)arc->lag, "rule", arc->rule, "certain", arc->certain, "completes",
                  arc->completes, "adjacent", arc->adjacent);
    if (arc->kind != ARC_PORT)
        json_object_set_new(row, "place",
                            json_pack("{s:s, s:I, s:I}", "space", dependences_space(d->graph, arc),
                                      "first", (json_int_t)arc->first, "last",
                                      (json_int_t)arc->last));
    json_object_set_new(row, "slack",
                        dependence->known ? json_integer(dependence->slack) : json_null());
    return row;
}

static json_t *slacks_json(const struct dependences *d)
{
    size_t count;
    const struct sink_slack *slacks = store_slacks(d->store, &count);
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++)
        for (uint32_t s = slacks[i].first_stmt; s <= slacks[i].last_stmt; s++) {
            if (!asks(d, s))
                continue;
            json_t *row = end_json(d, s);
            json_object_set_new(row, "cycles", json_integer(slacks[i].slack));
            json_object_set_new(row, "exact", json_boolean(slacks[i].exact));
            json_array_append_new(rows, row);
        }
    return rows;
}

json_t *dependences_json(const struct dependences *d)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < d->count; i++)
        json_array_append_new(rows, row_json(d, &d->rows[i]));
    return json_pack("{s:I, s:o, s:o}", "cycles", (json_int_t)d->store->summary.cycles, "deps",
                     rows, "slack", slacks_json(d));
}
