/*
 * judge: the MN-Core Challenge judge, plus cycles.
 *
 * A test case is input lines, a marker where the answer goes, a suffix program and output lines: d
 * get statements whose comment holds what they must print. The parts become three sources of one
 * program in which foreign lines are blanked, so that every diagnostic keeps its file and line.
 */
#include "cli/files.h"
#include "cli/options.h"
#include "cli/reports.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/utf8_json.h"
#include "analysis/verdict.h"
#include "analysis/warned.h"
#include "cli/mncore2/expect.h"
#include "functional/directive.h"
#include "functional/mncore2/exec.h"
#include "functional/text.h"
#include "library/library.h"
#include "host/file.h"
#include "host/number.h"
#include "host/text.h"
#include "timing/machines.h"
#include "timing/mncore2/arrive.h"
#include "timing/run.h"

static const char help[] =
    "usage: takt judge [OPTION]... TESTCASE ANSWER\n"
    "Put ANSWER into TESTCASE, run it, compare what the output lines print with what\n"
    "they expect, and give the score: PE steps plus MV statements of the answer.\n"
    "One of the two may be -, standard input.\n"
    "\n"
    "  --enable-get      d get statements of the answer are executed, their lines\n"
    "                    printed\n"
    "  --enable-set      d set statements of the answer are executed; the score is\n"
    "                    then invalid\n"
    "  --poison          values as they are while transfers are in flight: until a\n"
    "                    transfer ends, its destination reads as other values\n"
    "  --dirty           memories start with a pattern instead of zero\n"
    "  --junit FILE      the verdict as JUnit XML, too\n"
    "  --trace FILE      keep the trace (SQLite) of test case and answer\n"
    "@common\n"
    "\n"
    "@exit 0 accepted, 1 not\n";

static const char marker_answer[] = "# ======= YOUR VSM WILL BE INSERTED HERE =======";
static const char marker_output[] = "# ======= Output =======";

/* The three sources of the judged program. */
enum part { PART_INPUT, PART_ANSWER, PART_REST, PART_COUNT };

struct judge {
    bool enable_get, enable_set, dirty, poison, json;
    bool interrupted;
    bool has_set; /* a d set of the answer was executed */
    struct source testcase, answer;
    struct source *parts; /* PART_COUNT */
    size_t output_offset; /* of the first line after the output marker, or of the answer marker */
    size_t bytes;         /* of the answer as the judge counts them */
    struct program program;
    uint64_t steps, mvs; /* of the answer */
    uint64_t cycles;
    int64_t documented, low, high; /* the other totals (docs/timing.md); -1: not known */
    const char *trace, *junit;     /* or NULL */
    struct verdict limit;
    json_t *early;  /* accesses before the end of a transfer: "file:line sentence" */
    size_t endless; /* item of a wait that never ends, or the program's item_count */
    size_t outputs, elements, wrong, shown;
    char why[600]; /* why the files cannot be judged */
};

/* The files cannot be judged: say why, and keep it for the JSON. */
static int __attribute__((format(printf, 2, 3))) refuse(struct judge *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(j->why, sizeof j->why, format, args);
    va_end(args);
    return cli_fail(EXIT_INPUT, "judge", "%s", j->why);
}

/* The same for a program with errors, which have been printed: the first error. */
static void refuse_program(struct judge *j, const struct diag_list *diags)
{
    for (size_t i = 0; i < diags->count && !j->why[0]; i++) {
        const struct diag *d = &diags->items[i];
        if (d->severity == DIAG_ERROR)
            snprintf(j->why, sizeof j->why, "%s:%u:%u: %s", j->parts[d->file].name, d->line,
                     d->column, d->message);
    }
}

/* The JSON of files that cannot be judged. */
static int unjudged(const struct judge *j)
{
    json_t *root = json_object();
    json_object_set_new(root, "accepted", json_false());
    json_object_set_new(root, "valid", json_false());
    json_object_set_new(root, "why", utf8_json(j->why));
    const int code = cli_json("judge", root, JSON_ENSURE_ASCII);
    return code == EXIT_FINE ? EXIT_INPUT : code;
}

/* One line of text from at: [at, *end), *next = start of the following line. */
static const char *line_end(const char *at, const char *stop, const char **next)
{
    const char *end = memchr(at, '\n', (size_t)(stop - at));
    *next = end ? end + 1 : stop;
    end = end ? end : stop;
    if (end > at && end[-1] == '\r')
        end--;
    return end;
}

static bool is_line(const char *at, const char *end, const char *text)
{
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    return (size_t)(end - at) == strlen(text) && memcmp(at, text, (size_t)(end - at)) == 0;
}

static bool starts_with_words(const char *at, const char *end, const char *first,
                              const char *second)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const size_t n = strlen(first), m = strlen(second);
    if ((size_t)(end - at) < n || memcmp(at, first, n) != 0)
        return false;
    at += n;
    const char *blank = at;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at > blank && (size_t)(end - at) >= m && memcmp(at, second, m) == 0;
}

static void blank_out(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* Split the test case and clean the answer; 0, 1 (said why) or -1. */
static int split(struct judge *j)
{
    const char *text = j->testcase.text, *stop = text + j->testcase.size;
    const char *marker = NULL, *rest = NULL, *output = NULL;
    for (const char *at = text, *next; at < stop; at = next) {
        const char *end = line_end(at, stop, &next);
        if (!marker && is_line(at, end, marker_answer)) {
            marker = at;
            rest = next;
        } else if (marker && !output && is_line(at, end, marker_output)) {
            output = next;
        }
    }
    if (!marker) {
        refuse(j, "%s: no line '%s'", j->testcase.name, marker_answer);
        return 1;
    }
    j->output_offset = (size_t)((output ? output : rest) - text);
    char *copy = malloc(j->testcase.size + 1);
    char *answer = malloc(j->answer.size + 1);
    int status = copy && answer ? 0 : -1;
    if (status == 0)
        status = source_from_text(&j->parts[PART_INPUT], j->testcase.name, text,
                                  (size_t)(marker - text));
    if (status == 0) {
        memcpy(answer, j->answer.text, j->answer.size);
        const char *answer_stop = answer + j->answer.size;
        bool first = true;
        for (char *at = answer; at < answer_stop;) {
            const char *next;
            char *end = answer + (line_end(at, answer_stop, &next) - answer);
            char *cut = at;
            while (cut < end && *cut != '#' && *cut != '!')
                cut++;
            blank_out(cut, end);
            if ((starts_with_words(at, cut, "d", "get") && !j->enable_get) ||
                (starts_with_words(at, cut, "d", "set") && !j->enable_set)) {
                blank_out(at, cut);
            } else {
                if (starts_with_words(at, cut, "d", "set"))
                    j->has_set = true;
                const char *from = at, *to = cut;
                while (from < to && isspace((unsigned char)*from))
                    from++;
                while (to > from && isspace((unsigned char)to[-1]))
                    to--;
                if (to > from) {
                    j->bytes += (size_t)(to - from) + !first;
                    first = false;
                }
            }
            at = answer + (next - answer);
        }
        status = source_from_text(&j->parts[PART_ANSWER], j->answer.name, answer, j->answer.size);
    }
    if (status == 0) {
        memcpy(copy, text, j->testcase.size);
        blank_out(copy, copy + (rest - text));
        status = source_from_text(&j->parts[PART_REST], j->testcase.name, copy, j->testcase.size);
    }
    free(copy);
    free(answer);
    return status;
}

/* --- cycles: the same program on the timing model, in flat packing ---------------------------- */

static int run_to_end(struct judge *j, struct takt_run *run)
{
    char error[MACHINE_ERROR] = "";
    struct loop_result result;
    int status = loop_run(run, false, error, &result);
    j->interrupted = status == 0 && result.interrupted;
    if (status == 0 && (result.interrupted || result.status != RUN_DONE))
        status = result.status == RUN_FAULT ? 1 : -1;
    struct run_progress progress;
    run_progress(run->run, &progress);
    j->cycles = progress.total;
    if (status != 0 && error[0])
        refuse(j, "%s", error);
    return status;
}

/* What the run says of accesses that come before a transfer has ended. */
static int read_early(struct judge *j, const struct store *store)
{
    struct warned *list = warned_list(store);
    for (size_t i = 0; list && i < store->warning_count; i++) {
        char text[400];
        if (strcmp(list[i].name, "early") != 0)
            continue;
        snprintf(text, sizeof text, "%s:%u %s", list[i].file ? list[i].file : "",
                 (unsigned)list[i].line, list[i].sentence);
        json_array_append_new(j->early, utf8_json(text));
    }
    free(list);
    return list ? 0 : -1;
}

static int record(struct judge *j, struct takt_run *run)
{
    enum { NODES = 20000 }; /* as in takt run */
    char error[MACHINE_ERROR] = "";
    int status = 0;
    if (j->trace) /* 1: too large, nothing is proven */
        status = library_prove(run, NODES, error) < 0 ? -1 : 0;
    if (status == 0 && j->trace && run->proof.bounds.count)
        status = library_search_quickly(run);
    error[0] = '\0';
    if (status == 0)
        status = j->trace ? library_record(run, j->trace,
                                           (struct recorder_options){.kept.regions = true}, error)
                          : library_keep(run, false, error);
    if (status == 0)
        status = library_begin(run, library_sink(run), error);
    if (status != 0 && error[0])
        refuse(j, "%s", error);
    if (status == 0)
        status = run_to_end(j, run);
    const struct store *store = &run->store;
    if (status == 0 && (verdict_find(store, &j->limit) != 0 || read_early(j, store) != 0))
        status = -1;
    if (status == 0) {
        j->documented = (int64_t)store->summary.cycles_documented;
        j->low = store->range.known ? (int64_t)store->range.low : -1;
        j->high = store->range.known ? (int64_t)store->range.high : -1;
    }
    const int closed = library_finish(run, error);
    if (closed != 0 && status == 0) {
        refuse(j, "%s", error);
        status = closed;
    }
    return status;
}

static const struct machine_setting settings[] = {{"packing", "flat"}, {NULL, NULL}};

static int time_program(struct judge *j, struct takt_program *program, struct diag_list *diags)
{
    const struct run_options options = {
        .settings = settings, .threads = 1, .command = "takt judge"};
    const struct takt_machine *m = program->machine;
    /* Errors of the language have been found before, but for those of directives. */
    int status =
        m->machine->language->load(&program->program, j->parts, PART_COUNT, &program->diags);
    diag_append(diags, &program->diags);
    if (status == 0)
        status = m->machine->language->check(program->program, &m->config, NULL, diags);
    j->endless = mncore2_endless_wait(&j->program, NULL);
    if (status != 0 || j->endless < j->program.item_count)
        return status;
    struct takt_run *run = library_run(program, &options);
    if (!run)
        return -1;
    run->found = diags;
    status = record(j, run);
    takt_run_close(run);
    return status;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The expectation of an output line: the text after the statement's '#'. */
static const char *expectation_of(const struct judge *j, size_t item, size_t *length)
{
    const struct item *it = &j->program.items[item];
    const char *text = j->testcase.text, *next;
    const char *at = text + it->offset, *end = line_end(at, text + j->testcase.size, &next);
    const char *hash = memchr(at, '#', (size_t)(end - at));
    if (!hash)
        return NULL;
    *length = (size_t)(end - hash - 1);
    return hash + 1;
}

/* An expectation that cannot be read: an error of the test case, whatever the answer. */
static void blame(const struct judge *j, size_t item, const char *text, size_t length,
                  const char *error, struct diag_list *diags)
{
    const char *from = text, *end = text + length;
    while (from < end && isspace((unsigned char)*from))
        from++;
    while (end > from + 1 && isspace((unsigned char)end[-1]))
        end--;
    const char *line = from;
    while (line > j->testcase.text && line[-1] != '\n')
        line--;
    diag_add(diags,
             &(const struct diag){.severity = DIAG_ERROR,
                                  .file = PART_REST,
                                  .line = j->program.items[item].line,
                                  .column = (uint32_t)(from - line) + 1,
                                  .length = (uint32_t)(end - from)},
             "%s\nas in # twice=[2, 4] / Long @[0],[1]", error);
}

/* 0; 1 when the expectation cannot be read; -1 when the host has no memory. */
static int compare(struct judge *j, size_t item, const char *dump,
                   struct expect_tolerance *tolerance, bool *have_tolerance,
                   struct diag_list *diags)
{
    enum { MOST_SHOWN = 20 };
    size_t length;
    const char *text = expectation_of(j, item, &length);
    /* A comment without '=' and '/' is just a comment. */
    if (!text || !memchr(text, '=', length) || !memchr(text, '/', length))
        return 0;
    struct expect expect;
    char error[200];
    int status = mncore2_expect_parse(&expect, text, length, error, sizeof error);
    if (status > 0)
        blame(j, item, text, length, error, diags);
    if (status != 0)
        return status;
    if (!*have_tolerance) {
        *tolerance = expect.tolerance;
        *have_tolerance = true;
    }
    expect.tolerance = *tolerance;
    j->outputs++;
    const size_t got = mncore2_expect_decode(&expect, dump);
    status = expect.lost ? -1 : 0;
    for (size_t i = 0; i < expect.values.count && status == 0; i++) {
        j->elements++;
        char message[256];
        if (mncore2_expect_equal(&expect, i, i < got, message, sizeof message))
            continue;
        j->wrong++;
        if (j->shown < MOST_SHOWN && !j->json)
            text_print(stdout, "%s:%u: %s\n", j->testcase.name, j->program.items[item].line,
                       message);
        j->shown++;
    }
    mncore2_expect_free(&expect);
    return status;
}

static int poison(struct exec *exec, const struct takt_program *program, char *error)
{
    const struct run_options options = {.settings = settings, .threads = 1};
    const struct run_setup setup = {program->program, &program->machine->config, &options, NULL};
    return mncore2_arrivals_poison(exec, &setup, 0, error);
}

static int execute(struct judge *j, const struct takt_program *program, struct diag_list *diags)
{
    char *text = NULL;
    size_t size = 0;
    FILE *dump = text_open(&text, &size);
    if (!dump)
        return -1;
    const struct exec_options exec_options = {
        .dump = dump, .init.kind = j->dirty ? INIT_PATTERN : INIT_ZERO, .threads = 1};
    char error[MACHINE_ERROR] = "";
    struct exec *exec = mncore2_exec_new(&exec_options, error, sizeof error);
    int status = exec ? 0 : -1;
    if (!exec)
        cli_fail(EXIT_HOST, "judge", "%s", error);
    if (exec && j->poison && j->endless == j->program.item_count) {
        status = poison(exec, program, error);
        if (status > 0)
            refuse(j, "%s", error);
    }
    struct expect_tolerance tolerance = {0};
    bool have_tolerance = false;
    for (size_t i = 0; status == 0 && i < j->program.item_count; i++) {
        const size_t before = size;
        status = mncore2_exec_item(exec, &j->program, i, diags);
        const struct stmt *stmt = &j->program.stmts[j->program.items[i].stmt];
        if (status != 0 || stmt->kind != STMT_GET)
            continue;
        if (fflush(dump) != 0) {
            status = -1;
            break;
        }
        const uint32_t part = mncore2_program_source(&j->program, i);
        if (part == PART_ANSWER && j->enable_get && !j->json)
            fputs(text + before, stdout);
        if (part == PART_REST && j->program.items[i].offset >= j->output_offset)
            status = compare(j, i, text + before, &tolerance, &have_tolerance, diags);
    }
    mncore2_exec_free(exec);
    if (text_close(dump, &text) != 0 && status == 0)
        status = -1;
    free(text);
    return status;
}

static void count_answer(struct judge *j)
{
    for (size_t i = 0; i < j->program.item_count; i++) {
        if (mncore2_program_source(&j->program, i) != PART_ANSWER)
            continue;
        const struct stmt *stmt = &j->program.stmts[j->program.items[i].stmt];
        if (stmt->kind == STMT_STEP)
            j->steps += stmt->step->nops ? stmt->step->nops : 1;
        else if (stmt->kind == STMT_MV || stmt->kind == STMT_MVNOP) /* 3.5.8.1 */
            j->mvs++;
    }
}

static int verdict(const struct judge *j)
{
    const bool equal = j->wrong == 0 && j->outputs > 0;
    const bool accepted = equal && !j->has_set;
    const unsigned long long score = j->steps + j->mvs;
    const bool ends = j->endless == j->program.item_count;
    if (j->json) {
        json_t *root =
            json_pack("{s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:O}", "accepted",
                      accepted, "valid", !j->has_set, "score", (json_int_t)score, "j",
                      (json_int_t)j->steps, "m", (json_int_t)j->mvs, "bytes", (json_int_t)j->bytes,
                      "elements", (json_int_t)j->elements, "wrong", (json_int_t)j->wrong, "cycles",
                      ends ? json_integer((json_int_t)j->cycles) : json_null(), "limit",
                      ends ? verdict_json(&j->limit) : json_null(), "early", j->early);
        if (ends && j->documented >= 0)
            json_object_set_new(root, "cycles_documented", json_integer(j->documented));
        if (ends && j->low >= 0)
            json_object_set_new(
                root, "range",
                json_pack("{s:I, s:I}", "low", (json_int_t)j->low, "high", (json_int_t)j->high));
        const int code = cli_json("judge", root, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
        return code == EXIT_FINE && !accepted ? EXIT_INPUT : code;
    }
    if (j->outputs == 0)
        puts("REJECTED: the test case has no output line with an expectation");
    else if (!equal)
        text_print(stdout, "REJECTED: %zu of %zu elements are wrong in %zu output line%s\n",
                   j->wrong, j->elements, j->outputs, j->outputs == 1 ? "" : "s");
    else if (j->has_set)
        text_print(
            stdout,
            "INVALID: the values are right, but the answer uses d set; score=%llu j=%llu m=%llu "
            "bytes=%zu does not count\n",
            score, (unsigned long long)j->steps, (unsigned long long)j->mvs, j->bytes);
    else
        text_print(stdout, "ACCEPTED!! score=%llu j=%llu m=%llu bytes=%zu\n", score,
                   (unsigned long long)j->steps, (unsigned long long)j->mvs, j->bytes);
    if (!ends) {
        text_print(
            stdout,
            "cycles=none: %s:%u waits for a tag that no MV statement before it carries, so that "
            "it never ends\n",
            j->parts[mncore2_program_source(&j->program, j->endless)].name,
            j->program.items[j->endless].line);
        return accepted ? EXIT_FINE : EXIT_INPUT;
    }
    char limit[VERDICT_TEXT], number[NUMBER_TEXT], high[NUMBER_TEXT];
    verdict_print(&j->limit, limit);
    text_print(stdout, "cycles=%llu (test case and answer, flat packing)\nLIMIT   %s\n",
               (unsigned long long)j->cycles, limit);
    if (j->documented >= 0)
        text_print(stdout, "TOTALS  documented numbers alone: %s",
                   number_group(number, j->documented));
    if (j->documented >= 0 && j->low >= 0)
        text_print(stdout, "   uncertain: %s to %s", number_group(number, j->low),
                   number_group(high, j->high));
    if (j->documented >= 0)
        putchar('\n');
    for (size_t i = 0; i < json_array_size(j->early); i++)
        text_print(stdout, "%-8s%s\n", i ? "" : "EARLY",
                   json_string_value(json_array_get(j->early, i)));
    return accepted ? EXIT_FINE : EXIT_INPUT;
}

static int judge_program(struct judge *j, struct takt_program *program)
{
    static const char *const all[] = {"all", NULL};
    struct diag_list diags;
    diag_list_init(&diags);
    diags.silenced = program->diags.silenced = all;
    int status = mncore2_program_parse(&j->program, j->parts, PART_COUNT, &diags);
    if (status == 0) {
        count_answer(j);
        status = time_program(j, program, &diags);
    }
    if (status == 0)
        status = execute(j, program, &diags);
    diag_sort(&diags);
    cli_diags(&diags, j->parts, PART_COUNT);
    if (status > 0)
        refuse_program(j, &diags);
    diag_list_free(&diags);
    return status;
}

static int judge(struct judge *j)
{
    const struct cli_list none = {0};
    struct takt_machine *machine = library_machine(cli_machine("mncore2", ""));
    struct takt_program *program = machine ? library_program(machine, PART_COUNT) : NULL;
    int code = program ? cli_config("judge", machine->machine, &none, &none, &machine->config)
                       : cli_fail(EXIT_HOST, "judge", "out of memory");
    if (code == EXIT_FINE) {
        j->parts = program->sources;
        int status = split(j);
        if (status == 0)
            status = judge_program(j, program);
        code = j->interrupted          ? cli_fail(EXIT_INTERRUPTED, "judge", "interrupted")
               : status == 0           ? verdict(j)
               : status > 0 && j->json ? unjudged(j)
               : status > 0            ? EXIT_INPUT
                                       : EXIT_HOST;
        mncore2_program_free(&j->program);
    }
    takt_program_close(program);
    takt_machine_close(machine);
    return code;
}

/* The code, or that of what went wrong with the report. */
static int report(const struct judge *j, int code)
{
    char wrong[120];
    snprintf(wrong, sizeof wrong, "%zu of %zu elements are wrong", j->wrong, j->elements);
    if (!j->junit || code > EXIT_INPUT)
        return code;
    const int written =
        reports_case("judge", j->junit,
                     &(const struct junit_case){.group = j->testcase.name,
                                                .name = j->answer.name,
                                                .result = code == EXIT_FINE ? JUNIT_PASSED
                                                          : j->why[0]       ? JUNIT_ERROR
                                                                            : JUNIT_FAILED,
                                                .sentence = j->why[0] ? j->why : wrong});
    return written == EXIT_FINE ? code : written;
}

static int open_file(struct judge *j, const char *path, struct source *source)
{
    char error[sizeof j->why];
    const int status = source_open(source, path, error, sizeof error);
    if (status < 0)
        return cli_fail(EXIT_HOST, "judge", "%s", error);
    if (status == 0)
        return EXIT_FINE;
    const int code = refuse(j, "%s", error);
    return j->json ? unjudged(j) : code;
}

int cmd_judge(int argc, char **argv)
{
    struct judge j = {0};
    struct cli_list silenced = {.count = 0};
    const struct cli_option table[] = {{"enable-get", .flag = &j.enable_get},
                                       {"enable-set", .flag = &j.enable_set},
                                       {"dirty", .flag = &j.dirty},
                                       {"poison", .flag = &j.poison},
                                       {"silence", .list = &silenced},
                                       {"trace", .text = &j.trace},
                                       {"junit", .text = &j.junit, .writes = true},
                                       {"json", .flag = &j.json}};
    int code;
    const bool taken = OPTIONS_TAKE("judge", help, table, argc, argv, &code);
    if (taken)
        code = cli_silenced("judge", &machine_mncore2, &silenced);
    cli_list_free(&silenced);
    if (!taken || code != EXIT_FINE)
        return code;
    if (optind + 2 != argc)
        return cli_usage("judge", "a test case and an answer are needed");
    if (j.trace && replace_is_output(j.trace))
        return cli_usage("judge", "--trace writes a file; ./- is one of the name -");
    struct cli_files files = {.out_of_memory = false};
    files_read(&files, argv[optind]);
    files_read(&files, argv[optind + 1]);
    files_trace(&files, j.trace);
    code = files_check(&files, "judge");
    if (code == EXIT_FINE)
        code = cli_stdin_once("judge", argv + optind, 2, NULL);
    if (code != EXIT_FINE)
        return code;
    code = open_file(&j, argv[optind], &j.testcase);
    if (code != EXIT_FINE)
        return code;
    code = open_file(&j, argv[optind + 1], &j.answer);
    if (code == EXIT_FINE) {
        j.early = json_array();
        code = j.early ? judge(&j) : cli_fail(EXIT_HOST, "judge", "out of memory");
        json_decref(j.early);
        code = report(&j, code);
        source_close(&j.answer);
    }
    source_close(&j.testcase);
    return code;
}
