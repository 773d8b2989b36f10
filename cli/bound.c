/* bound: how many cycles a program takes at least, in three classes, with certificates. */
#include <stdlib.h>

#include <jansson.h>

#include "analysis/proof_text.h"
#include "analysis/proven.h"
#include "cli/improve.h"
#include "cli/session.h"
#include "host/number.h"
#include "host/text.h"
#include "traces/starts.h"

static const char help[] =
    "usage: takt bound [OPTION]... PROGRAM...\n"
    "Run the program, and prove how many cycles it takes at least when certain things\n"
    "may change:\n"
    "  this-order   padding and waits alone\n"
    "  any-order    the order of its statements, and what shares a step\n"
    "  free-places  also which register or address holds a value\n"
    "Each bound has a certificate: the statements of a path with the cycles from each\n"
    "to the next, or a set of statements that one unit works for. Of a machine whose\n"
    "programs branch it is the instructions as this run executes them.\n"
    "\n"
    "  --region NAME     of this region alone: its statements as a program of their own,\n"
    "                    beside what they took from the first one's start to the end of all\n"
    "  --proof FILE      write the bounds with all that they rest on, as text that takt\n"
    "                    certify, or a checker of your own, accepts (docs/proofs.md)\n"
    "  --json            the answer as JSON on standard output (docs/json.md)\n"
    "  --most N          refuse programs of more than N pieces of work (default: 1000000)\n"
    "  --init KIND       as takt run; the run has values then\n"
    "  --load SPEC=FILE  the same\n"
    "  --timing-only     never with values, even where the time depends on them\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE   one parameter\n"
    "  --silence NAME    drop warnings of this name (may be given again); all drops\n"
    "                    every one\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault or too large, 2 usage, 3 the host failed\n";

static int print_json(const struct store *store)
{
    int status = 0;
    json_t *bounds = proven_json(store, &status), *gap = proven_gap_json(store);
    json_t *root = json_pack("{s:I, s:o, s:o}", "cycles", (json_int_t)store->summary.cycles,
                             "bounds", bounds, "gap", gap);
    if (status != 0) {
        json_decref(root);
        return cli_fail(EXIT_HOST, "bound", "out of memory");
    }
    return cli_json("bound", root, JSON_INDENT(1));
}

static int print_text(const struct store *store, const char *name)
{
    struct proven proven;
    char number[NUMBER_TEXT];
    if (proven_find(store, &proven) != 0)
        return cli_fail(EXIT_HOST, "bound", "out of memory");
    printf("%s   %s cycles\n", name, number_group(number, (int64_t)store->summary.cycles));
    if (!proven.computed) {
        puts("  nothing to prove: no statement takes time");
        return EXIT_FINE;
    }
    printf("  %s\n  %s   %s\n  %s\n", proven.this_order, proven.any_order, proven.gap,
           proven.free_places);
    return EXIT_FINE;
}

static int write_proof(const struct session *s, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    int status = out ? proof_write(&s->running->proof.graph, &s->running->proof.bounds, out) : -1;
    if (out && text_close(out, &text) != 0)
        status = -1;
    const int code = status == 0 ? improve_write("bound", path, text, size)
                                 : cli_fail(EXIT_HOST, "bound", "out of memory");
    free(text);
    return code;
}

static int answer(const struct session *s, const char *region)
{
    char name[2 * PROVEN_PHRASE];
    for (size_t i = 0; i < s->running->proof.bounds.count; i++)
        if (!bound_certified(&s->running->proof.bounds.rows[i], &s->running->proof.graph))
            return cli_fail(EXIT_HOST, "bound", "a certificate does not hold: an error of takt");
    snprintf(name, sizeof name, "%s%s%s", s->program->sources[0].name, region ? ": " : "",
             region ? region : "");
    return s->json ? print_json(s->store) : print_text(s->store, name);
}

/* --- a region --------------------------------------------------------------------------------- */

/* Which nodes are of statements of the region. NULL when the host has no memory. */
static bool *nodes_of(const struct store *store, const struct graph *graph, uint32_t region)
{
    bool *chosen = calloc(graph->node_count + 1, sizeof *chosen);
    for (size_t n = 0; chosen && n < graph->node_count; n++) {
        const struct stmt_info *stmt = store_stmt(store, graph->nodes[n].stmt);
        chosen[n] = stmt && stmt->region == region;
    }
    return chosen;
}

/* Cycles from the first start of a chosen node until all of them are over. */
static int span_of(struct starts *starts, const struct graph *graph, const bool *chosen,
                   uint64_t *cycles)
{
    uint64_t *started = NULL, *finished = NULL, first = UINT64_MAX, end = 0;
    const int status = starts_nodes(starts, graph, &started, &finished);
    for (size_t n = 0; n < graph->node_count && status == 0; n++) {
        if (!chosen[n] || started[n] == STARTS_NONE)
            continue;
        const uint64_t over =
            started[n] + graph->nodes[n].length - graph->nodes[n].settle; /* as a part has it */
        first = started[n] < first ? started[n] : first;
        end = over > end ? over : end;
        end = finished[n] != STARTS_NONE && finished[n] > end ? finished[n] : end;
    }
    *cycles = end > first ? end - first : 0;
    free(started);
    free(finished);
    return status;
}

/* What is proven of the region, instead of what was proven of the program. */
static int prove_region(struct takt_run *run, const bool *chosen, uint64_t cycles)
{
    struct graph part;
    const int status = graph_select(&part, &run->proof.graph, chosen);
    machine_proof_free(&run->proof);
    run->proof.graph = part;
    run->store.summary.cycles = cycles;
    return status == 0 && bounds_find(&run->proof.bounds, &run->proof.graph) == 0
               ? store_prove(&run->store)
               : -1;
}

static int run_region(struct session *s, struct starts *starts, const char *name)
{
    const struct sink kept = library_sink(s->running);
    starts_open(starts, &kept);
    const struct sink sink = starts_sink(starts);
    const int code = session_run(s, &sink);
    if (code != EXIT_FINE)
        return code;
    const uint32_t region = store_region(s->store, name);
    if (region == NONE_ID)
        return cli_fail(EXIT_INPUT, "bound", "the program has no region '%s'", name);
    const struct graph *graph = &s->running->proof.graph;
    bool *chosen = nodes_of(s->store, graph, region);
    uint64_t cycles;
    const int status = chosen && span_of(starts, graph, chosen, &cycles) == 0
                           ? prove_region(s->running, chosen, cycles)
                           : -1;
    free(chosen);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "bound", "out of memory");
}

int cmd_bound(int argc, char **argv)
{
    struct session s = {.command = "bound", .light = true};
    struct starts starts = {.rows = NULL};
    const char *region = NULL, *proof = NULL;
    uint64_t most = 1000000;
    const struct cli_option table[] = {
        {"region", .text = &region},
        {"proof", .text = &proof},
        {"most", .number = &most, .low = 1, .high = UINT32_MAX - 1, .what = "pieces of work"},
        SESSION_OPTIONS(s),
        SESSION_VALUES(s),
    };
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE)
            code = session_keep_proven(&s, most);
        if (code == EXIT_FINE)
            code = region ? run_region(&s, &starts, region) : session_run(&s, NULL);
        if (code == EXIT_FINE && proof)
            code = write_proof(&s, proof);
        if (code == EXIT_FINE)
            code = answer(&s, region);
    }
    session_close(&s);
    starts_close(&starts);
    return cli_end_json(s.json, code);
}
