/* bound: how many cycles a program takes at least, in three classes, with certificates. */
#include <stdlib.h>
#include <time.h>

#include <jansson.h>

#include "analysis/bound_answer.h"
#include "cli/application_answers.h"
#include "cli/files.h"
#include "host/file.h"

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
    "  --region NAME     of this region alone: its statements as a program of their\n"
    "                    own, beside what they took from the first one's start to the\n"
    "                    end of all\n"
    "  --search SECONDS  search every order of a program of at most 64 pieces for as\n"
    "                    long as that; without it, 20,000 states of the search. Where\n"
    "                    all were searched, no order takes fewer cycles than the best\n"
    "  --proof FILE      write the bounds with all that they rest on, as text that\n"
    "                    takt certify, or another checker, accepts\n"
    "                    (docs/proofs.md)\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the program or it is too large\n";

/* Whether the proof may be written to its file. */
static int check_proof(const char *path, char *const *programs)
{
    struct cli_files files = {.out_of_memory = false};
    for (; *programs; programs++)
        files_read(&files, *programs);
    files_written(&files, "--proof", path);
    return files_check(&files, "bound");
}

static int print_proof(const void *answer, FILE *out)
{
    return bound_answer_proof(answer, out);
}

static int write_proof(const struct session *s, struct bound_answer *answer, const char *path)
{
    const struct run_setup setup = library_setup(s->running);
    answer->machine = s->machine;
    answer->setup = &setup;
    return cli_write("bound", path, print_proof, answer);
}

static int print(const struct bound_answer *answer, bool json, FILE *out)
{
    if (json)
        return cli_json("bound", bound_answer_json(answer), JSON_INDENT(1));
    return bound_answer_print(answer, out) == 0 ? EXIT_FINE
                                                : cli_fail(EXIT_HOST, "bound", "out of memory");
}

/* The run, and what is proven of it. */
static int find(struct session *s, struct starts *starts, struct bound_answer *answer)
{
    const struct sink kept = library_sink(s->running);
    starts_open(starts, &kept);
    const struct sink sink = starts_sink(starts);
    const int code = session_run(s, answer->region ? &sink : NULL);
    if (code != EXIT_FINE)
        return code;
    answer->program = s->program->sources[0].name;
    answer->starts = starts;
    const int status = bound_answer_find(answer, s->store);
    if (status > 0)
        return cli_fail(EXIT_INPUT, "bound", "the program has no region '%s'", answer->region);
    if (status < 0)
        return cli_fail(EXIT_HOST, "bound", "out of memory");
    return answer->uncertified
               ? cli_fail(EXIT_HOST, "bound", "a certificate does not hold: an error of takt")
               : EXIT_FINE;
}

/* Whether the time for the search is over. */
static bool is_over(void *self)
{
    const struct timespec *end = self;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return loop_signalled() || now.tv_sec > end->tv_sec ||
           (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

/* What an exhaustive search adds to the bounds; seconds 0: the same states on any host. */
static int search(struct session *s, uint64_t seconds)
{
    struct timespec end;
    struct exact_found found;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)seconds;
    const struct exact_effort effort = {
        .states = EXACT_BOUND_MORE, .stop = seconds ? is_over : NULL, .self = &end};
    loop_watch(true);
    const int status = library_search(s->running, &effort, &found);
    loop_watch(false);
    if (status != 0)
        return cli_fail(EXIT_HOST, "bound", "out of memory");
    if (seconds && !found.searched)
        fprintf(stderr, "takt bound: not every order was searched: %s\n", found.why);
    return EXIT_FINE;
}

int cmd_bound(int argc, char **argv)
{
    struct session s = {.command = "bound", .light = true};
    struct starts starts = {.rows = NULL};
    struct bound_answer answer = {.region = NULL};
    const char *proof = NULL;
    uint64_t most = 1000000, seconds = 0;
    const struct cli_option table[] = {
        {"region", .text = &answer.region},
        {"proof", .text = &proof, .writes = true},
        {"search", .number = &seconds, .low = 1, .high = 1000000, .what = "seconds"},
        {"most", .number = &most, .low = 1, .high = UINT32_MAX - 1, .what = "pieces of work"},
        SESSION_OPTIONS(s),
        SESSION_VALUES(s),
    };
    int code;
    const bool taken = SESSION_TAKE(&s, help, table, argc, argv, &code);
    if (taken && application_given(argv + optind, argc - optind)) {
        code = application_bound(&s, argv[optind], answer.region || proof || seconds);
    } else if (taken) {
        code = check_proof(proof, argv + optind);
        if (code == EXIT_FINE)
            code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE)
            code = session_keep_proven(&s, most, false);
        if (code == EXIT_FINE && seconds && answer.region)
            code = cli_usage("bound", "--search is about a whole program, not --region");
        if (code == EXIT_FINE && !answer.region)
            code = search(&s, seconds);
        if (code == EXIT_FINE)
            code = find(&s, &starts, &answer);
        if (code == EXIT_FINE && proof)
            code = write_proof(&s, &answer, proof);
        if (code == EXIT_FINE)
            code = print(&answer, s.json, proof && replace_is_output(proof) ? stderr : stdout);
    }
    bound_answer_free(&answer);
    session_close(&s);
    starts_close(&starts);
    return cli_end_json(s.json, code);
}
