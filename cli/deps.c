/* deps: what must come before what in a program: dependences and ports that turn, with their
 * lags. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/slacks.h"
#include "analysis/utf8_json.h"
#include "cli/session.h"
#include "timing/slack.h"
#include "traces/starts.h"

static const char help[] =
    "usage: takt deps [OPTION]... PROGRAM...\n"
    "What must come before what: for each pair of statements the place, the cycles that\n"
    "the second must be behind the first (lag), the rule, and the slack: how many more\n"
    "there are in the run. Then how much later each statement could issue, all that\n"
    "follows moving along, without a later end; exactly, where runs with every delay\n"
    "do not take too long. Pairs that come again and again are one row: x N, with the\n"
    "least slack.\n"
    "\n"
    "  RAW   the second reads what the first wrote\n"
    "  WAR   it writes what the first read\n"
    "  WAW   it writes what the first wrote\n"
    "  PORT  a port has to turn; holds as long as the first is first\n"
    "\n"
    "  --line [FILE:]N   only those from or to a statement of this line\n"
    "  --region NAME     only those from or to a statement of this region\n"
    "  --dot             as a graph for Graphviz\n"
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

struct listing {
    const struct session *session;
    struct starts starts;
    uint64_t *started, *finished; /* by node (traces/starts.h) */
    bool dot;
    const char *place; /* of --line; or NULL */
    char file[4096];
    uint64_t line; /* 0: all */
    const char *region;
};

/* Where a statement stands. */
struct place {
    const char *file, *text;
    size_t length; /* of text */
    uint32_t line; /* 0: in none */
    uint32_t region;
};

static struct place place_at(const struct listing *deps, uint32_t stmt)
{
    const struct store *store = deps->session->store;
    const struct stmt_info *info = store_stmt(store, stmt);
    if (!info)
        return (struct place){.file = "", .text = ""};
    return (struct place){store_file(store, info->file), info->text, info->text_length, info->line,
                          info->region};
}

static struct place place_of(const struct listing *deps, uint32_t node)
{
    return place_at(deps, deps->session->running->proof.graph.nodes[node].stmt);
}

/* Cycles that the run left between the two beyond what they need; false: that is not known. */
static bool slack_of(const struct listing *deps, const struct graph_arc *arc, int64_t *slack)
{
    const uint64_t from = arc->completes ? deps->finished[arc->from] : deps->started[arc->from];
    const uint64_t to = deps->started[arc->to];
    *slack = (int64_t)(to - from) - (int64_t)(arc->completes ? arc->after : arc->lag);
    return from != STARTS_NONE && to != STARTS_NONE;
}

/* --- forms ------------------------------------------------------------------------------------ */

static const char *space_of(const struct graph *graph, const struct graph_arc *arc)
{
    return arc->kind == ARC_PORT ? "" : graph->spaces[arc->space];
}

/* What stands outside the machine and in no line: "-". */
static const char *line_of(const struct listing *deps, uint32_t node, char text[24])
{
    const uint32_t line = place_of(deps, node).line;
    snprintf(text, 24, line ? "%" PRIu32 : "-", line);
    return text;
}

/* Pairs of executions between the same two statements for the same reason. */
struct group {
    const struct graph_arc *arc; /* the first one */
    uint32_t from, to;           /* statements */
    uint64_t times;
    bool known; /* slack: the least */
    int64_t slack;
};

static int by_pair(const void *first, const void *second)
{
    const struct group *a = first, *b = second;
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
    const struct group *a = first, *b = second;
    const int order = by_pair(a, b);
    return order ? order : a->arc < b->arc ? -1 : a->arc > b->arc;
}

static int by_turn(const void *first, const void *second)
{
    const struct group *a = first, *b = second;
    return a->arc < b->arc ? -1 : a->arc > b->arc;
}

static void print_group(const struct listing *deps, const struct group *group)
{
    const struct graph *graph = &deps->session->running->proof.graph;
    const struct graph_arc *arc = group->arc;
    char from[24], to[24], pair[64], what[96] = "", lag[32], line[256];
    snprintf(pair, sizeof pair, "%s -> %s", line_of(deps, arc->from, from),
             line_of(deps, arc->to, to));
    if (arc->kind != ARC_PORT)
        snprintf(what, sizeof what, "%s %" PRIu64 "..%" PRIu64, space_of(graph, arc), arc->first,
                 arc->last);
    snprintf(lag, sizeof lag, "lag %" PRIu64, arc->lag);
    int length = snprintf(line, sizeof line, "  %-14s %-4s  %-24s %-10s %-10s", pair,
                          graph_arc_names[arc->kind], what, lag, arc->rule);
    while (length > 0 && line[length - 1] == ' ' && !group->known)
        line[--length] = '\0';
    fputs(line, stdout);
    if (group->known)
        printf("  slack %" PRId64, group->slack);
    if (arc->completes)
        fputs("  at its end", stdout);
    if (group->times > 1)
        printf("  x %" PRIu64, group->times);
    putchar('\n');
}

/* Makes groups of arcs that are groups by themselves, in their order. Returns how many. */
static size_t join_groups(struct group *groups, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(groups, count, sizeof *groups, by_pair_and_turn);
    for (size_t i = 0; i < count; i++) {
        struct group *last = kept ? &groups[kept - 1] : NULL;
        if (!last || by_pair(last, &groups[i]) != 0) {
            groups[kept++] = groups[i];
            continue;
        }
        last->times++;
        if (groups[i].known && (!last->known || groups[i].slack < last->slack))
            last->slack = groups[i].slack;
        last->known |= groups[i].known;
    }
    if (kept)
        qsort(groups, kept, sizeof *groups, by_turn);
    return kept;
}

static json_t *end_json(struct place place)
{
    return json_pack("{s:o, s:I}", "file", utf8_json(place.file), "line", (json_int_t)place.line);
}

static json_t *arc_json(const struct listing *deps, const struct graph_arc *arc)
{
    const struct graph *graph = &deps->session->running->proof.graph;
    int64_t slack;
    json_t *row = json_pack("{s:o, s:o, s:s, s:I, s:s, s:b, s:b, s:b}", "from",
                            end_json(place_of(deps, arc->from)), "to",
                            end_json(place_of(deps, arc->to)), "kind", graph_arc_names[arc->kind],
                            "lag", (json_int_t)arc->lag, "rule", arc->rule, "certain", arc->certain,
                            "completes", arc->completes, "adjacent", arc->adjacent);
    if (arc->kind != ARC_PORT)
        json_object_set_new(row, "place",
                            json_pack("{s:s, s:I, s:I}", "space", space_of(graph, arc), "first",
                                      (json_int_t)arc->first, "last", (json_int_t)arc->last));
    json_object_set_new(row, "slack",
                        slack_of(deps, arc, &slack) ? json_integer(slack) : json_null());
    return row;
}

/* Quotes and backslashes are the only characters that Graphviz does not take in a text. */
static void put_label(struct place place)
{
    printf("%" PRIu32 ": ", place.line);
    for (const char *at = place.text; at < place.text + place.length && *at; at++) {
        if (*at == '"' || *at == '\\')
            putchar('\\');
        putchar(*at == '\n' ? ' ' : *at);
    }
}

static void print_dot(const struct listing *deps, const struct graph_arc *arc)
{
    static const char *const styles[ARC_KINDS] = {"solid", "dashed", "dashed", "dotted", "dotted"};
    const struct graph *graph = &deps->session->running->proof.graph;
    const uint32_t ends[2] = {arc->from, arc->to};
    for (unsigned e = 0; e < 2; e++) {
        printf("  n%" PRIu32 " [label=\"", ends[e]);
        put_label(place_of(deps, ends[e]));
        puts("\"];");
    }
    printf("  n%" PRIu32 " -> n%" PRIu32 " [label=\"%s %s %" PRIu64 "\", style=%s];\n", arc->from,
           arc->to, graph_arc_names[arc->kind], space_of(graph, arc), arc->lag, styles[arc->kind]);
}

/* ---------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct listing *deps, uint32_t region, struct place place)
{
    const size_t length = strlen(place.file), wanted = strlen(deps->file);
    const bool file = !wanted || strcmp(place.file, deps->file) == 0 ||
                      (length > wanted && place.file[length - wanted - 1] == '/' &&
                       strcmp(place.file + length - wanted, deps->file) == 0);
    return (!deps->line || (file && place.line == deps->line)) &&
           (!deps->region || place.region == region);
}

/* Exact slack of what is wanted. EXIT_FINE, or an exit code after saying why. */
static int find_slack(const struct listing *deps, uint32_t region)
{
    enum { FEW = 1 << 25 }; /* work, where no line is asked for */
    const size_t stmts = deps->session->store->header.stmt_count;
    bool *wanted = calloc(stmts + 1, sizeof *wanted);
    size_t found = 0;
    for (uint32_t s = 0; wanted && s < stmts; s++) {
        wanted[s] = is_wanted(deps, region, place_at(deps, s));
        found += wanted[s];
    }
    const int status = wanted ? slacks_find(deps->session->running->run, deps->session->store,
                                            deps->line ? SLACK_WORK : FEW, wanted)
                              : -1;
    free(wanted);
    if (status != 0)
        return cli_fail(EXIT_HOST, "deps", "out of memory");
    return found || !deps->line
               ? EXIT_FINE
               : cli_fail(EXIT_INPUT, "deps", "no statement stands on line %s", deps->place);
}

/* rows: of JSON; or NULL. */
static void list_slack(const struct listing *deps, uint32_t region, json_t *rows)
{
    size_t count;
    const struct sink_slack *slacks = store_slacks(deps->session->store, &count);
    bool any = false, loose = false;
    for (size_t i = 0; i < count; i++)
        for (uint32_t s = slacks[i].first_stmt; s <= slacks[i].last_stmt; s++) {
            const struct place place = place_at(deps, s);
            if (!is_wanted(deps, region, place))
                continue;
            if (rows) {
                json_t *row = end_json(place);
                json_object_set_new(row, "cycles", json_integer(slacks[i].slack));
                json_object_set_new(row, "exact", json_boolean(slacks[i].exact));
                json_array_append_new(rows, row);
                continue;
            }
            if (!any)
                puts("could issue later, without a later end:");
            printf("  %-14" PRIu32 " %s%" PRId64 " cycles\n", place.line,
                   slacks[i].exact ? "" : "at least ", slacks[i].slack);
            any = true;
            loose |= !slacks[i].exact;
        }
    if (loose)
        puts("  'at least': runs with every delay would take too long; --line has more time");
    if (!rows && !any)
        puts("how much later they could issue is not known: not executed, or not followed");
}

static int answer(const struct listing *deps)
{
    const struct graph *graph = &deps->session->running->proof.graph;
    const uint32_t region = deps->region ? store_region(deps->session->store, deps->region) : 0;
    if (region == NONE_ID)
        return cli_fail(EXIT_INPUT, "deps", "the program has no region '%s'", deps->region);
    const int code = deps->dot ? EXIT_FINE : find_slack(deps, region);
    if (code != EXIT_FINE)
        return code;
    struct group *groups = calloc(graph->arc_count + 1, sizeof *groups);
    size_t count = 0;
    if (!groups)
        return cli_fail(EXIT_HOST, "deps", "out of memory");
    json_t *rows = deps->session->json ? json_array() : NULL;
    if (deps->dot)
        puts("digraph deps {\n  node [shape=box];");
    for (size_t a = 0; a < graph->arc_count; a++) {
        const struct graph_arc *arc = &graph->arcs[a];
        if (!graph_arc_told(graph, arc))
            continue;
        if (!is_wanted(deps, region, place_of(deps, arc->from)) &&
            !is_wanted(deps, region, place_of(deps, arc->to)))
            continue;
        struct group *group = &groups[count++];
        *group = (struct group){.arc = arc,
                                .from = graph->nodes[arc->from].stmt,
                                .to = graph->nodes[arc->to].stmt,
                                .times = 1};
        group->known = slack_of(deps, arc, &group->slack);
        if (deps->session->json)
            json_array_append_new(rows, arc_json(deps, arc));
        else if (deps->dot)
            print_dot(deps, arc);
    }
    if (!deps->session->json && !deps->dot) {
        count = join_groups(groups, count);
        for (size_t g = 0; g < count; g++)
            print_group(deps, &groups[g]);
    }
    free(groups);
    if (deps->dot)
        puts("}");
    else if (!deps->session->json && !count)
        puts("  no dependences");
    json_t *slack = rows ? json_array() : NULL;
    if (!deps->dot)
        list_slack(deps, region, slack);
    if (!rows)
        return EXIT_FINE;
    json_t *root = json_pack("{s:I, s:o, s:o}", "cycles", (json_int_t)deps->session->cycles, "deps",
                             rows, "slack", slack);
    return cli_json("deps", root, JSON_INDENT(1));
}

/* The run, with when each node started. */
static int run(struct session *s, struct listing *deps)
{
    const struct sink kept = library_sink(s->running);
    starts_open(&deps->starts, &kept);
    const struct sink sink = starts_sink(&deps->starts);
    const int code = session_run(s, &sink);
    return code == EXIT_FINE && starts_nodes(&deps->starts, &s->running->proof.graph,
                                             &deps->started, &deps->finished) != 0
               ? cli_fail(EXIT_HOST, "deps", "out of memory")
               : code;
}

int cmd_deps(int argc, char **argv)
{
    struct session s = {.command = "deps", .light = true};
    struct listing deps = {.session = &s};
    uint64_t most = 1000000;
    const struct cli_option table[] = {
        {"line", .text = &deps.place},
        {"region", .text = &deps.region},
        {"dot", .flag = &deps.dot},
        {"most", .number = &most, .low = 1, .high = UINT32_MAX - 1, .what = "pieces of work"},
        SESSION_OPTIONS(s),
        SESSION_VALUES(s),
    };
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        if (s.json && deps.dot)
            code = cli_usage("deps", "--json and --dot exclude each other");
        else if (deps.place && !options_line(deps.place, deps.file, sizeof deps.file, &deps.line))
            code =
                cli_usage("deps", "--line takes N or FILE:N, a line from 1, not '%s'", deps.place);
        else
            code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE)
            code = session_keep_proven(&s, most);
        if (code == EXIT_FINE)
            code = run(&s, &deps);
        if (code == EXIT_FINE)
            code = answer(&deps);
    }
    session_close(&s);
    starts_close(&deps.starts);
    free(deps.started);
    free(deps.finished);
    return cli_end_json(s.json, code);
}
