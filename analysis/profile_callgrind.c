#include <inttypes.h>

#include "analysis/profile.h"

/* A name in one line. */
static void put_name(FILE *out, const char *key, const char *name)
{
    fputs(key, out);
    for (; *name; name++)
        fputc((unsigned char)*name < ' ' ? '?' : *name, out);
    fputc('\n', out);
}

static const char *file_of(const struct profile *p, uint32_t file)
{
    return file < p->image->file_count ? p->image->files[file].name : "???";
}

static void put_cost(uint32_t line, const struct profile_cost *cost, FILE *out)
{
    fprintf(out, "%" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", line, cost->cycles,
            cost->waiting, cost->executions);
}

static void put_calls(const struct profile *p, const struct profile_node *node, FILE *out)
{
    const struct riscv_stmt *site = &p->image->stmts[node->site],
                            *start = &p->image->stmts[p->functions[node->function].stmt];
    put_name(out, "fi=", file_of(p, site->file));
    put_name(out, "cfi=", file_of(p, start->file));
    put_name(out, "cfn=", p->functions[node->function].name);
    fprintf(out, "calls=%" PRIu64 " %" PRIu32 "\n", node->calls, start->line);
    put_cost(site->line, &node->inclusive, out);
}

void profile_callgrind(const struct profile *p, FILE *out)
{
    fputs("# callgrind format\nversion: 1\ncreator: takt\npositions: line\n", out);
    put_name(out, "cmd: ", p->program);
    fprintf(out,
            "events: Cycles Waits Instructions\nsummary: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n\n",
            p->charged.cycles, p->charged.waiting, p->charged.executions);
    for (uint32_t f = 0, line = 0; f < p->function_count; f++) {
        const struct profile_function *function = &p->functions[f];
        if (!function->calls && !function->exclusive.cycles)
            continue;
        put_name(out, "fl=", file_of(p, p->image->stmts[function->stmt].file));
        put_name(out, "fn=", function->name);
        while (line < p->line_count && p->lines[line].function < f)
            line++;
        for (; line < p->line_count && p->lines[line].function == f; line++) {
            const struct profile_line *l = &p->lines[line];
            put_name(out, "fi=", file_of(p, l->file));
            put_cost(l->line, &l->cost, out);
        }
        for (size_t i = 0; i < p->node_count; i++)
            if (p->nodes[i].parent != NONE_ID && p->nodes[p->nodes[i].parent].function == f &&
                p->nodes[i].site != NONE_ID)
                put_calls(p, &p->nodes[i], out);
        fputc('\n', out);
    }
}
