/*
 * handles FILE [TRACE]: every handle of libtakt on one program, and every row on standard output,
 * for calls that fail (fail.c). handles FILE --better: those that make other programs of it, and
 * what sets up a machine. handles FILE --fit: a fit to one measurement of it. It ends as a command
 * does: 0, or the status of the first call that is not fine, 1 to 3, with its sentence on standard
 * error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/handle_rows.h"

static struct takt_error error;

static void need(enum takt_status status, const char *call)
{
    if (status == TAKT_FINE || status == TAKT_MORE)
        return;
    if (status != error.status)
        fprintf(stderr, "%s: another status in the error: ", call);
    fprintf(stderr, "%s: %s\n", call, error.text);
    fflush(stdout);
    exit((int)status);
}

static struct takt_run *run_of(struct takt_program *program, unsigned flags, const char *trace)
{
    struct takt_run *run;
    const struct takt_options options = {.size = sizeof options, .flags = flags, .trace = trace};
    need(takt_run_open(&run, program, &options, &error), "takt_run_open");
    enum takt_status status = TAKT_MORE;
    while (status == TAKT_MORE)
        need(status = takt_run_advance(run, 50, &error), "takt_run_advance");
    return run;
}

static void compare(struct takt_program *program)
{
    struct takt_diff *diff;
    struct takt_run *a = run_of(program, TAKT_DIFF | TAKT_VALUES, NULL);
    struct takt_run *b = run_of(program, TAKT_DIFF | TAKT_VALUES | TAKT_DOCUMENTED, NULL);
    need(takt_diff_open(&diff, a, b, &error), "takt_diff_open");
    handle_rows_diff(diff, stdout);
    takt_diff_close(diff);
    takt_run_close(a);
    takt_run_close(b);
}

static void prove(struct takt_run *run)
{
    struct takt_proof *proof;
    need(takt_proof_open(&proof, run, NULL, &error), "takt_proof_open");
    handle_rows_proof(proof, stdout);
    takt_proof_close(proof);
}

static void expect(const struct takt_run *run, const char *text)
{
    struct takt_expectation e;
    need(takt_run_expect(run, text, &e, &error), "takt_run_expect");
    printf("%s: %d %g\n", text, e.holds, e.value);
}

/* The program twice, and a store, on two boards. */
static void apply(const char *machine, const char *path)
{
    char name[600], yaml[1000];
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct takt_app *app;
    snprintf(name, sizeof name, "%s.yaml", path);
    snprintf(yaml, sizeof yaml,
             "machine: %s\nboards: 2\nsteps:\n- run: %s\n  times: 2\n- store: {bytes: 4096}\n",
             machine, base);
    const struct takt_text text = {.name = name, .text = yaml, .size = strlen(yaml)};
    need(takt_app_open(&app, NULL, &text, TAKT_RANGE, &error), "takt_app_open");
    handle_rows_app(app, stdout);
    takt_app_close(app);
}

/* A measurement of the program, with the shortest search. */
static void fit(const char *machine, const char *path)
{
    char name[600], yaml[1000];
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct takt_fit_search search = TAKT_FIT_SEARCH_INIT;
    struct takt_fit *found;
    search.effort = search.threads = 1;
    snprintf(name, sizeof name, "%s.yaml", path);
    snprintf(yaml, sizeof yaml,
             "machine: %s\nmeasurements:\n- program: %s\n  value: 100\n  tolerance: 50 %%\n",
             machine, base);
    const struct takt_text text = {.name = name, .text = yaml, .size = strlen(yaml)};
    need(takt_fit_open(&found, NULL, &text, 1, &search, &error), "takt_fit_open");
    handle_rows_fit(found, stdout);
    takt_fit_close(found);
}

/* Machine and program; findings are printed. */
static struct takt_program *open_program(const char *path, bool set_up)
{
    static const char config[] = "clock_hz:\n  value: 1e9\n";
    struct takt_machine *machine;
    struct takt_program *program;
    const struct takt_text text = {.name = path};
    need(takt_machine_open(&machine, path, &error), "takt_machine_open");
    need(takt_machine_config(machine, "c.yaml", config, strlen(config), &error),
         "takt_machine_config");
    if (set_up) {
        need(takt_machine_set(machine, "clock_hz=2e9", &error), "takt_machine_set");
        need(takt_machine_silence(machine, "all", &error), "takt_machine_silence");
    }
    const enum takt_status status = takt_program_open(&program, machine, &text, 1, &error);
    if (program)
        handle_rows_findings(program, stdout);
    need(status, "takt_program_open");
    takt_machine_close(machine);
    return program;
}

/* --- other programs --------------------------------------------------------------------------- */

/* As need, but an error of the input is an answer. */
static bool is_fine(enum takt_status status, const char *call)
{
    if (status != TAKT_INPUT)
        need(status, call);
    if (status == TAKT_INPUT)
        printf("%s: %s\n", call, error.text);
    return status != TAKT_INPUT;
}

/* The begin of a run of the program without the first statement that takes time. */
static void leave_out(struct takt_program *program)
{
    char line[20];
    struct takt_program *without;
    const struct takt_statement *rows;
    struct takt_run *run = run_of(program, TAKT_STATEMENTS, NULL);
    if (takt_run_statements(run, &rows) == 0)
        exit(TAKT_MISUSE);
    snprintf(line, sizeof line, "%u", rows[0].line);
    const bool is = is_fine(takt_run_without(run, &without, line, &error), "takt_run_without");
    takt_run_close(run);
    if (!is)
        return;
    handle_rows_findings(without, stdout);
    need(takt_run_open(&run, without, NULL, &error), "takt_run_open");
    takt_program_close(without);
    is_fine(takt_run_advance(run, 50, &error), "takt_run_advance");
    takt_run_close(run);
}

/* A search of this many trials. */
static bool stop(void *context)
{
    unsigned *left = context;
    return *left == 0 || --*left == 0;
}

static void improve(struct takt_program *program)
{
    unsigned left = 6;
    const struct takt_search search = {
        .size = sizeof search, .stop = stop, .context = &left, .tags = true};
    struct takt_advice *advice;
    if (!is_fine(takt_advice_open(&advice, program, &search, &error), "takt_advice_open"))
        return;
    handle_rows_advice(advice, stdout);
    takt_advice_close(advice);
}

static void reorder(struct takt_program *program, bool rename)
{
    unsigned left = 6;
    const struct takt_search search = {
        .size = sizeof search, .stop = stop, .context = &left, .rename = rename};
    struct takt_schedule *schedule;
    if (!is_fine(takt_schedule_open(&schedule, program, &search, &error), "takt_schedule_open"))
        return;
    handle_rows_schedule(schedule, stdout);
    takt_schedule_close(schedule);
}

static void overlap(struct takt_program *program)
{
    struct takt_loop *loop;
    if (!is_fine(takt_loop_open(&loop, program, "rows", NULL, &error), "takt_loop_open"))
        return;
    handle_rows_loop(loop, stdout);
    takt_loop_close(loop);
}

static void look_for_better(const char *path)
{
    struct takt_program *program = open_program(path, true);
    leave_out(program);
    improve(program);
    reorder(program, false);
    reorder(program, true);
    overlap(program);
    takt_program_close(program);
}

static void fit_program(const char *path)
{
    struct takt_machine *machine;
    need(takt_machine_open(&machine, path, &error), "takt_machine_open");
    fit(takt_machine_name(machine), path);
    takt_machine_close(machine);
}

/* --- rows ------------------------------------------------------------------------------------- */

static void list_all(const char *path, const char *trace)
{
    enum {
        ROWS = TAKT_VALUES | TAKT_RANGE | TAKT_BOUNDS | TAKT_STATEMENTS | TAKT_TRANSFERS |
               TAKT_PATH | TAKT_VERDICT | TAKT_DEPENDENCES | TAKT_WARNINGS | TAKT_REGIONS
    };
    struct takt_machine *machine;
    struct takt_program *program = open_program(path, false);
    struct takt_run *run = run_of(program, ROWS, trace);
    handle_rows_run(run, stdout);
    handle_rows_proven(run, stdout);
    printf("state %016llx\n", (unsigned long long)takt_run_state(run));
    expect(run, "cycles <= 1");
    expect(run, "warnings == 0");
    prove(run);
    compare(program);
    takt_run_close(run);
    takt_program_close(program);
    need(takt_machine_open(&machine, path, &error), "takt_machine_open");
    apply(takt_machine_name(machine), path);
    takt_machine_close(machine);
}

int main(int count, char **arguments)
{
    if (count < 2)
        return TAKT_MISUSE;
    if (count > 2 && strcmp(arguments[2], "--better") == 0)
        look_for_better(arguments[1]);
    else if (count > 2 && strcmp(arguments[2], "--fit") == 0)
        fit_program(arguments[1]);
    else
        list_all(arguments[1], count > 2 ? arguments[2] : NULL);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return TAKT_FINE;
    fprintf(stderr, "handles: standard output cannot be written\n");
    return TAKT_HOST;
}
