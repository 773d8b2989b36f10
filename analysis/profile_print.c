#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/profile.h"
#include "analysis/utf8_json.h"
#include "host/number.h"
#include "host/path.h"

/* --- order ------------------------------------------------------------------------------------ */

struct ranked {
    uint64_t cycles, calls;
    uint32_t index;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->cycles != y->cycles ? (x->cycles < y->cycles) - (x->cycles > y->cycles)
           : x->calls != y->calls ? (x->calls < y->calls) - (x->calls > y->calls)
                                  : (x->index > y->index) - (x->index < y->index);
}

/* Called functions, by inclusive cycles. *count rows; NULL without memory. */
static struct ranked *ranked_functions(const struct profile *p, size_t *count)
{
    struct ranked *rows = calloc(p->function_count + 1, sizeof *rows);
    *count = 0;
    for (uint32_t i = 0; rows && i < p->function_count; i++)
        if (p->functions[i].calls || p->functions[i].exclusive.cycles)
            rows[(*count)++] = (struct ranked){p->functions[i].inclusive.cycles,
                                               p->functions[i].exclusive.cycles, i};
    if (rows)
        qsort(rows, *count, sizeof *rows, by_rank);
    return rows;
}

static struct ranked *ranked_lines(const struct profile *p, size_t *count)
{
    struct ranked *rows = calloc(p->line_count + 1, sizeof *rows);
    *count = 0;
    for (uint32_t i = 0; rows && i < p->line_count; i++)
        rows[(*count)++] = (struct ranked){p->lines[i].cost.cycles, p->lines[i].cost.executions, i};
    if (rows)
        qsort(rows, *count, sizeof *rows, by_rank);
    return rows;
}

static struct ranked *ranked_children(const struct profile *p, uint32_t first, size_t *count)
{
    *count = 0;
    for (uint32_t i = first; i != NONE_ID; i = p->nodes[i].next)
        ++*count;
    struct ranked *rows = calloc(*count + 1, sizeof *rows);
    size_t n = 0;
    for (uint32_t i = first; rows && i != NONE_ID; i = p->nodes[i].next)
        rows[n++] = (struct ranked){p->nodes[i].inclusive.cycles, p->nodes[i].calls, i};
    if (rows)
        qsort(rows, *count, sizeof *rows, by_rank);
    return rows;
}

/* --- text ------------------------------------------------------------------------------------- */

static double share(const struct profile *p, uint64_t cycles)
{
    return p->charged.cycles ? 100.0 * (double)cycles / (double)p->charged.cycles : 0;
}

/* "dot.c:12", or "" without a source. */
static void put_place(const struct profile *p, uint32_t stmt, char *text, size_t size)
{
    *text = '\0';
    if (stmt != NONE_ID && stmt < p->image->stmt_count) {
        const struct riscv_stmt *s = &p->image->stmts[stmt];
        if (s->file < p->image->file_count)
            snprintf(text, size, "%s:%" PRIu32, path_base(p->image->files[s->file].name), s->line);
    }
}

static void print_functions(const struct profile *p, size_t most, FILE *out)
{
    size_t count;
    struct ranked *rows = ranked_functions(p, &count);
    fprintf(out, "FUNCTIONS  %13s  %15s  %7s  %9s  function\n", "inclusive", "exclusive", "waits",
            "calls");
    for (size_t i = 0; rows && i < count && (!most || i < most); i++) {
        const struct profile_function *f = &p->functions[rows[i].index];
        char inclusive[NUMBER_TEXT], exclusive[NUMBER_TEXT], calls[NUMBER_TEXT], place[320];
        put_place(p, f->stmt, place, sizeof place);
        fprintf(
            out, "  %12s %5.1f %%  %9s %4.1f %%  %5.1f %%  %9s  %s  (%s)\n",
            number_group(inclusive, (int64_t)f->inclusive.cycles), share(p, f->inclusive.cycles),
            number_group(exclusive, (int64_t)f->exclusive.cycles), share(p, f->exclusive.cycles),
            f->exclusive.cycles ? 100.0 * (double)f->exclusive.waiting / (double)f->exclusive.cycles
                                : 0.0,
            number_group(calls, (int64_t)f->calls), f->name, place);
    }
    if (rows && most && count > most)
        fprintf(out, "  %zu more: --all\n", count - most);
    free(rows);
}

/* Less than a thousandth is left out unless all are wanted. The depth is at most the number of
 * functions, since recursion is folded. */
static void print_tree(const struct profile *p, uint32_t first, unsigned depth, bool all, FILE *out)
{
    size_t count, hidden = 0;
    struct ranked *rows = ranked_children(p, first, &count);
    for (size_t i = 0; rows && i < count; i++) {
        const struct profile_node *node = &p->nodes[rows[i].index];
        char calls[NUMBER_TEXT], place[320];
        if (!all && (share(p, node->inclusive.cycles) < 0.1 || depth >= 24)) {
            hidden++;
            continue;
        }
        put_place(p, node->site, place, sizeof place);
        fprintf(out, "  %5.1f %%  %*s%s", share(p, node->inclusive.cycles), (int)(2 * depth), "",
                p->functions[node->function].name);
        if (*place)
            fprintf(out, "  x %s from %s", number_group(calls, (int64_t)node->calls), place);
        fputc('\n', out);
        print_tree(p, node->child, depth + 1, all, out);
    }
    if (hidden)
        fprintf(out, "           %*s%zu more: --all\n", (int)(2 * depth), "", hidden);
    free(rows);
}

static void print_lines(const struct profile *p, size_t most, FILE *out)
{
    size_t count;
    struct ranked *rows = ranked_lines(p, &count);
    fprintf(out, "LINES      %13s  %7s  %12s  line\n", "cycles", "waits", "executions");
    for (size_t i = 0; rows && i < count && (!most || i < most); i++) {
        const struct profile_line *l = &p->lines[rows[i].index];
        char cycles[NUMBER_TEXT], executions[NUMBER_TEXT];
        fprintf(out, "  %12s %5.1f %%  %5.1f %%  %12s  %s:%" PRIu32 "  %s\n",
                number_group(cycles, (int64_t)l->cost.cycles), share(p, l->cost.cycles),
                l->cost.cycles ? 100.0 * (double)l->cost.waiting / (double)l->cost.cycles : 0.0,
                number_group(executions, (int64_t)l->cost.executions),
                l->file < p->image->file_count ? path_base(p->image->files[l->file].name) : "?",
                l->line, p->functions[l->function].name);
    }
    if (rows && most && count > most)
        fprintf(out, "  %zu more: --all\n", count - most);
    free(rows);
}

void profile_print(const struct profile *p, size_t most, FILE *out)
{
    char total[NUMBER_TEXT], charged[NUMBER_TEXT];
    fprintf(out, "%s   %s cycles", path_base(p->program), number_group(total, (int64_t)p->total));
    if (p->streams > 1)
        fprintf(out, ", %s of warps in functions",
                number_group(charged, (int64_t)p->charged.cycles));
    else
        fprintf(out, ", %s in functions", number_group(charged, (int64_t)p->charged.cycles));
    fputc('\n', out);
    print_functions(p, most, out);
    fputs("CALLS      inclusive\n", out);
    print_tree(p, p->root, 0, !most, out);
    print_lines(p, most, out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *place_json(const struct profile *p, uint32_t stmt)
{
    if (stmt == NONE_ID || stmt >= p->image->stmt_count)
        return json_null();
    const struct riscv_stmt *s = &p->image->stmts[stmt];
    json_t *file =
        s->file < p->image->file_count ? utf8_json(p->image->files[s->file].name) : json_null();
    return json_pack("{s:o, s:I, s:I}", "file", file, "line", (json_int_t)s->line, "pc",
                     (json_int_t)s->address);
}

static json_t *function_json(const struct profile *p, uint32_t index)
{
    const struct profile_function *f = &p->functions[index];
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I}", "name", utf8_json(f->name), "place",
                     place_json(p, f->stmt), "calls", (json_int_t)f->calls, "inclusive",
                     (json_int_t)f->inclusive.cycles, "exclusive", (json_int_t)f->exclusive.cycles,
                     "waiting", (json_int_t)f->exclusive.waiting);
}

static json_t *tree_json(const struct profile *p, uint32_t first)
{
    size_t count;
    struct ranked *rows = ranked_children(p, first, &count);
    json_t *list = rows ? json_array() : NULL;
    for (size_t i = 0; list && i < count; i++) {
        const struct profile_node *node = &p->nodes[rows[i].index];
        json_array_append_new(list,
                              json_pack("{s:o, s:o, s:I, s:I, s:I, s:o}", "function",
                                        utf8_json(p->functions[node->function].name), "from",
                                        place_json(p, node->site), "calls", (json_int_t)node->calls,
                                        "inclusive", (json_int_t)node->inclusive.cycles,
                                        "exclusive", (json_int_t)node->exclusive.cycles, "callees",
                                        tree_json(p, node->child)));
    }
    free(rows);
    return list;
}

json_t *profile_json(const struct profile *p)
{
    size_t count;
    struct ranked *rows = ranked_functions(p, &count);
    json_t *functions = json_array(), *lines = json_array();
    for (size_t i = 0; rows && i < count; i++)
        json_array_append_new(functions, function_json(p, rows[i].index));
    free(rows);
    rows = ranked_lines(p, &count);
    for (size_t i = 0; rows && i < count; i++) {
        const struct profile_line *l = &p->lines[rows[i].index];
        json_t *file =
            l->file < p->image->file_count ? utf8_json(p->image->files[l->file].name) : json_null();
        json_array_append_new(lines, json_pack("{s:o, s:I, s:o, s:I, s:I, s:I}", "file", file,
                                               "line", (json_int_t)l->line, "function",
                                               utf8_json(p->functions[l->function].name), "cycles",
                                               (json_int_t)l->cost.cycles, "waiting",
                                               (json_int_t)l->cost.waiting, "executions",
                                               (json_int_t)l->cost.executions));
    }
    free(rows);
    return json_pack("{s:o, s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "program", utf8_json(p->program),
                     "machine", p->machine, "cycles", (json_int_t)p->total, "streams",
                     (json_int_t)p->streams, "charged", (json_int_t)p->charged.cycles, "functions",
                     functions, "calls", tree_json(p, p->root), "lines", lines);
}
