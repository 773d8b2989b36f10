/* bound: how many cycles a program takes at least, in three classes, with certificates. */
#include "cli/options.h"

#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "analysis/answer.h"
#include "analysis/proven.h"
#include "cli/proved.h"

static const char help[] =
    "usage: takt bound [OPTION]... PROGRAM...\n"
    "Run the program, and prove how many cycles it takes at least when certain things\n"
    "may change:\n"
    "  this-order   padding and waits alone\n"
    "  any-order    the order of its statements, and what shares a step\n"
    "  free-places  also which register or address holds a value\n"
    "Each bound has a certificate: the statements of a path with the cycles from each\n"
    "to the next, or a set of statements that one unit works for.\n"
    "\n"
    "  --json            the answer as JSON on standard output (docs/json.md)\n"
    "  --most N          refuse programs of more than N pieces of work (default: 1000000)\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE   one parameter\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault or too large, 2 usage, 3 the host failed\n";

static int print_json(sqlite3 *db, int64_t cycles)
{
    int rc = SQLITE_OK;
    json_t *bounds = proven_json(db, &rc), *gap = proven_gap_json(db, &rc);
    json_t *root =
        json_pack("{s:I, s:o, s:o}", "cycles", (json_int_t)cycles, "bounds", bounds, "gap", gap);
    if (rc != SQLITE_OK) {
        json_decref(root);
        return cli_fail(EXIT_HOST, "bound", "out of memory");
    }
    return cli_json("bound", root, JSON_INDENT(1));
}

static int print_text(sqlite3 *db, const char *name, int64_t cycles)
{
    struct proven proven;
    char number[ANSWER_NUMBER];
    if (proven_find(db, &proven) != SQLITE_OK)
        return cli_fail(EXIT_HOST, "bound", "out of memory");
    printf("%s   %s cycles\n", name, answer_number(number, cycles));
    if (!proven.computed) {
        puts("  nothing to prove: no statement takes time");
        return EXIT_FINE;
    }
    printf("  %s\n  %s   %s\n  %s\n", proven.this_order, proven.any_order, proven.gap,
           proven.free_places);
    return EXIT_FINE;
}

struct answer {
    bool json;
};

static int answer(const void *context, const struct proved *proved)
{
    const struct answer *of = context;
    for (size_t i = 0; i < proved->proof.bounds.count; i++)
        if (!bound_certified(&proved->proof.bounds.rows[i], &proved->proof.graph))
            return cli_fail(EXIT_HOST, "bound", "a certificate does not hold: an error of takt");
    return of->json ? print_json(proved->db, (int64_t)proved->cycles)
                    : print_text(proved->db, proved->sources[0].name, (int64_t)proved->cycles);
}

int cmd_bound(int argc, char **argv)
{
    struct answer of = {.json = false};
    struct proved_args args = {.command = "bound", .most = 1000000};
    const struct cli_option table[] = {
        {"json", .flag = &of.json},
        {"most", .number = &args.most, .low = 1, .high = UINT32_MAX - 1, .what = "pieces of work"},
        {"machine", .text = &args.machine_name},
        {"config", .list = &args.files},
        {"set", .list = &args.sets},
    };
    const struct cli_options options = {"bound", help, table, sizeof table / sizeof *table,
                                        &args.settings};
    int code;
    if (options_take(&options, argc, argv, &code)) {
        args.json = of.json;
        code = optind < argc
                   ? proved_run(&args, argv + optind, (size_t)(argc - optind), answer, &of)
                   : cli_usage("bound", "which program?");
    }
    proved_args_free(&args);
    return cli_end_json(of.json, code);
}
