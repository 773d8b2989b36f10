/* bound: how many cycles a program takes at least, in three classes, with certificates. */
#include <jansson.h>

#include "analysis/answer.h"
#include "analysis/proven.h"
#include "cli/session.h"

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

static int answer(const struct session *s)
{
    for (size_t i = 0; i < s->proof.bounds.count; i++)
        if (!bound_certified(&s->proof.bounds.rows[i], &s->proof.graph))
            return cli_fail(EXIT_HOST, "bound", "a certificate does not hold: an error of takt");
    return s->json ? print_json(s->db, (int64_t)s->cycles)
                   : print_text(s->db, s->sources[0].name, (int64_t)s->cycles);
}

int cmd_bound(int argc, char **argv)
{
    struct session s = {.command = "bound", .run.timing_only = true};
    uint64_t most = 1000000;
    const struct cli_option table[] = {
        {"most", .number = &most, .low = 1, .high = UINT32_MAX - 1, .what = "pieces of work"},
        SESSION_OPTIONS(s),
    };
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE)
            code = session_run_proven(&s, most);
        if (code == EXIT_FINE)
            code = answer(&s);
    }
    session_close(&s);
    return cli_end_json(s.json, code);
}
