#include "tests/fuzz/caller.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/file.h"
#include "tests/handle_rows.h"

enum {
    SLICES = 20,
    SLICE = 200,    /* statements */
    FEW = 60,       /* statements executed by a run of which everything is computed */
    LONGEST = 4096, /* bytes of such a program */
    FEWER = 5,      /* of one that is made better */
    TRIALS = 2
};
enum {
    ROWS = TAKT_VALUES | TAKT_STATEMENTS | TAKT_TRANSFERS | TAKT_PATH | TAKT_VERDICT | TAKT_DIFF |
           TAKT_WARNINGS, /* of which counters are made, too */
    PROVEN = TAKT_RANGE | TAKT_BOUNDS | TAKT_DEPENDENCES | TAKT_REGIONS
};

/* --- what must hold --------------------------------------------------------------------------- */

void caller_must(bool holds, const char *what, const struct takt_error *error)
{
    if (holds)
        return;
    fprintf(stderr, "this does not hold: %s%s%s\n", what, error ? ": " : "",
            error ? error->text : "");
    abort();
}

void caller_check_error(enum takt_status status, const struct takt_error *error)
{
    char place[400];
    caller_must(status == error->status && status != TAKT_FINE, "the status is the error's", error);
    caller_must(*error->text, "an error has a sentence", error);
    if (error->line)
        snprintf(place, sizeof place, "%s:%u:%u: ", error->file, error->line, error->column);
    else
        snprintf(place, sizeof place, "%s%s", error->file, *error->file ? ": " : "");
    caller_must(!strncmp(error->text, place, strlen(place)), "a place is in front of the sentence",
                error);
    caller_must(!error->line == !error->column && (*error->file || !error->line),
                "a place is whole", error);
}

static void must_equal(char *a, char *b, const char *what)
{
    if (strcmp(a, b) != 0) {
        fprintf(stderr, "%s--- again:\n%s", a, b);
        caller_must(false, what, NULL);
    }
    free(a);
    free(b);
}

static void check_findings(const struct takt_program *program, enum takt_status status,
                           const struct takt_text *texts, size_t count)
{
    const struct takt_finding *rows;
    size_t errors = 0;
    for (size_t i = takt_program_findings(program, &rows); i-- > 0;) {
        bool known = false;
        for (size_t t = 0; t < count && !known; t++)
            known = strcmp(rows[i].file, texts[t].name) == 0;
        caller_must(known, "a finding is in one of the texts", NULL);
        caller_must(rows[i].length && *rows[i].text && !rows[i].line == !rows[i].column,
                    "a finding has a place and a sentence", NULL);
        errors += rows[i].severity == TAKT_ERROR;
    }
    caller_must((errors > 0) == (status == TAKT_INPUT), "a program with errors is refused", NULL);
}

/* Each unit is in one state in each cycle. */
static void check_units(const struct takt_run *run)
{
    const uint64_t cycles = takt_run_totals(run)->cycles;
    const struct takt_unit *units;
    for (size_t i = takt_run_units(run, &units); i-- > 0;) {
        uint64_t sum = 0;
        for (size_t r = 0; r < units[i].reason_count; r++)
            sum += units[i].reasons[r].cycles;
        caller_must(sum == cycles, "reasons of a unit add up to the total", NULL);
        caller_must(units[i].busy + units[i].waiting + units[i].idle == cycles,
                    "states of a unit add up to the total", NULL);
    }
}

static void check_times(const struct takt_run *run)
{
    const uint64_t cycles = takt_run_totals(run)->cycles;
    const struct takt_step *steps;
    const struct takt_transfer *t;
    uint64_t end = 0;
    for (size_t i = 0, count = takt_run_path(run, &steps); i < count; end += steps[i++].cycles)
        caller_must(steps[i].start == end, "the path has no gaps", NULL);
    caller_must(end == cycles, "the path adds up to the total", NULL);
    for (size_t i = takt_run_transfers(run, &t); i-- > 0;)
        caller_must(t[i].issued <= t[i].started && t[i].started <= t[i].finished &&
                        t[i].finished <= cycles,
                    "a transfer is issued, starts and ends within the run", NULL);
}

static void check_proven(const struct takt_run *run)
{
    const struct takt_totals *totals = takt_run_totals(run);
    const struct takt_bound *bounds;
    const struct takt_dependence *d;
    for (size_t i = takt_run_bounds(run, &bounds); i-- > 0;)
        caller_must(bounds[i].cycles <= totals->cycles, "a bound is not above the total", NULL);
    for (size_t i = takt_run_dependences(run, &d); i-- > 0;)
        caller_must(!d[i].has_slack || d[i].slack >= 0, "the run keeps dependences", NULL);
    if (totals->has_range)
        caller_must(totals->range_low <= totals->cycles && totals->cycles <= totals->range_high,
                    "the total is in its range", NULL);
}

/* --- runs ------------------------------------------------------------------------------------- */

/* NULL: it does not begin, or is refused on the way, with a sentence, or is long. */
static struct takt_run *run_of(struct takt_program *program, const struct takt_options *options,
                               uint64_t slice)
{
    struct takt_error error;
    struct takt_run *run;
    enum takt_status status = takt_run_open(&run, program, options, &error);
    if (status != TAKT_FINE) {
        caller_check_error(status, &error);
        caller_must(!run, "an open that fails leaves NULL", &error);
        return NULL;
    }
    status = TAKT_MORE;
    for (unsigned i = 0; i < SLICES && status == TAKT_MORE; i++)
        status = takt_run_advance(run, slice, &error);
    if (status == TAKT_FINE)
        return run;
    if (status != TAKT_MORE)
        caller_check_error(status, &error);
    caller_must(!takt_run_totals(run)->complete, "a run without an end has no totals", NULL);
    takt_run_close(run);
    return NULL;
}

typedef void row_printer(const struct takt_run *run, FILE *out);

static char *rows_of(const struct takt_run *run, row_printer *print)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    print(run, out);
    fclose(out);
    return text;
}

/* Values alone end in the same state, with the same output. */
static void check_values(struct takt_program *program, const struct takt_run *run)
{
    const struct takt_options options = {.size = sizeof options,
                                         .flags = TAKT_VALUES | TAKT_NO_TIME};
    struct takt_run *values = run_of(program, &options, 0);
    caller_must(values, "values alone are computed, too", NULL);
    caller_must(takt_run_state(values) == takt_run_state(run), "the state is the same", NULL);
    caller_must(!strcmp(takt_run_dump(values, NULL), takt_run_dump(run, NULL)),
                "the output is the same", NULL);
    takt_run_close(values);
}

static void check_same(const struct takt_run *a, const struct takt_run *b)
{
    struct takt_error error;
    struct takt_diff *diff;
    caller_must(takt_diff_open(&diff, a, b, &error) == TAKT_FINE, "runs can be compared", &error);
    caller_must(diff->equal && !diff->difference && !diff->term_count && !diff->parameter_count,
                "a program does not differ from itself", NULL);
    takt_diff_close(diff);
}

static void check_proof(struct takt_run *run)
{
    struct takt_error error;
    struct takt_proof *proof;
    caller_must(takt_proof_open(&proof, run, NULL, &error) == TAKT_FINE, "bounds are proven",
                &error);
    takt_proof_close(proof);
}

static void check_expected(const struct takt_run *run)
{
    char text[60];
    struct takt_error error;
    struct takt_expectation result;
    snprintf(text, sizeof text, "cycles == %llu", (unsigned long long)takt_run_totals(run)->cycles);
    caller_must(takt_run_expect(run, text, &result, &error) == TAKT_FINE && result.holds,
                "the total is as expected", &error);
}

/* The same run once more, with proofs and a trace. */
static struct takt_run *check_again(struct takt_program *program, const struct takt_run *run)
{
    const char *trace = fuzz_path("run.db");
    const struct takt_options options = {
        .size = sizeof options, .flags = ROWS | PROVEN | TAKT_DETAIL, .threads = 2, .trace = trace};
    struct takt_run *again = run_of(program, &options, 0);
    unlink(trace);
    caller_must(again, "what has run runs again", NULL);
    caller_must(takt_run_state(again) == takt_run_state(run), "two runs have one state", NULL);
    must_equal(rows_of(run, handle_rows_run), rows_of(again, handle_rows_run),
               "two runs have the same rows");
    free(rows_of(again, handle_rows_proven)); /* every text of them is read */
    check_same(run, again);
    check_proven(again);
    check_proof(again);
    check_expected(again);
    return again;
}

/* --- other programs --------------------------------------------------------------------------- */

/* Cycles of a text, 0: it does not run. */
static uint64_t cycles_of(struct takt_machine *machine, const struct takt_text *text)
{
    struct takt_error error;
    struct takt_program *program;
    const enum takt_status status = takt_program_open(&program, machine, text, 1, &error);
    caller_must(status == TAKT_FINE, "a better program is legal", &error);
    const struct takt_options options = {.size = sizeof options};
    struct takt_run *run = run_of(program, &options, 0);
    const uint64_t cycles = run ? takt_run_totals(run)->cycles : 0;
    takt_run_close(run);
    takt_program_close(program);
    return cycles;
}

static void check_without(const struct takt_run *run)
{
    char line[20];
    struct takt_error error;
    struct takt_program *without;
    const struct takt_statement *rows;
    const struct takt_options options = {.size = sizeof options, .flags = TAKT_STATEMENTS};
    if (takt_run_statements(run, &rows) == 0)
        return;
    snprintf(line, sizeof line, "%u", rows[0].line);
    const enum takt_status status = takt_run_without(run, &without, line, &error);
    if (status != TAKT_FINE) {
        caller_check_error(status, &error);
        return;
    }
    takt_run_close(run_of(without, &options, 0));
    takt_program_close(without);
}

static bool stop(void *context)
{
    unsigned *left = context;
    return *left == 0 || --*left == 0;
}

static void check_advice(struct takt_machine *machine, struct takt_program *program,
                         const char *name, uint64_t cycles)
{
    unsigned left = TRIALS;
    const struct takt_search search = {.size = sizeof search, .stop = stop, .context = &left};
    struct takt_error error;
    struct takt_advice *advice;
    const enum takt_status status = takt_advice_open(&advice, program, &search, &error);
    if (status != TAKT_FINE) {
        caller_check_error(status, &error);
        return;
    }
    const struct takt_text text = {.name = name, .text = advice->text, .size = advice->size};
    caller_must(advice->before == cycles && advice->after <= cycles, "advice is not worse", NULL);
    caller_must(cycles_of(machine, &text) == advice->after, "advice says its cycles", NULL);
    takt_advice_close(advice);
}

static void check_schedule(struct takt_machine *machine, struct takt_program *program,
                           const char *name, uint64_t cycles)
{
    unsigned left = TRIALS;
    const struct takt_search search = {.size = sizeof search, .stop = stop, .context = &left};
    struct takt_error error;
    struct takt_schedule *schedule;
    const enum takt_status status = takt_schedule_open(&schedule, program, &search, &error);
    if (status != TAKT_FINE) {
        caller_check_error(status, &error);
        return;
    }
    const struct takt_text text = {.name = name, .text = schedule->text, .size = schedule->size};
    caller_must(schedule->before == cycles && schedule->after <= cycles, "an order is not worse",
                NULL);
    caller_must(schedule->bound <= schedule->after, "no order beats its bound", NULL);
    caller_must(cycles_of(machine, &text) == schedule->after, "an order says its cycles", NULL);
    takt_schedule_close(schedule);
}

/* --- all of it -------------------------------------------------------------------------------- */

struct takt_machine *caller_machine(const char *name)
{
    struct takt_error error;
    struct takt_machine *machine;
    caller_must(takt_machine_open(&machine, name, &error) == TAKT_FINE, "a machine opens", &error);
    const enum takt_status status =
        takt_machine_option(machine, "max-instructions", "2000", &error);
    if (status != TAKT_FINE)
        caller_must(status == TAKT_MISUSE, "a machine without loops has no such option", &error);
    return machine;
}

static uint64_t executed(const struct takt_run *run)
{
    const struct takt_statement *rows;
    uint64_t sum = 0;
    for (size_t i = takt_run_statements(run, &rows); i-- > 0;)
        sum += rows[i].executions;
    return sum;
}

static void use(struct takt_machine *machine, struct takt_program *program,
                const struct takt_text *texts, size_t count)
{
    const struct takt_options options = {.size = sizeof options, .flags = ROWS};
    struct takt_run *run = run_of(program, &options, SLICE);
    if (!run)
        return;
    check_units(run);
    check_times(run);
    check_values(program, run);
    const uint64_t cycles = takt_run_totals(run)->cycles;
    if (executed(run) <= FEW && texts[0].size <= LONGEST) {
        struct takt_run *again = check_again(program, run);
        check_without(again);
        takt_run_close(again);
        if (count == 1 && executed(run) <= FEWER) {
            check_advice(machine, program, texts[0].name, cycles);
            check_schedule(machine, program, texts[0].name, cycles);
        }
    }
    takt_run_close(run);
}

void caller_program(struct takt_machine *machine, const struct takt_text *texts, size_t count)
{
    struct takt_error error;
    struct takt_program *program;
    struct takt_run *run;
    const enum takt_status status = takt_program_open(&program, machine, texts, count, &error);
    if (program)
        check_findings(program, status, texts, count);
    if (status == TAKT_FINE)
        use(machine, program, texts, count);
    else
        caller_check_error(status, &error);
    if (program && status != TAKT_FINE)
        caller_must(takt_run_open(&run, program, NULL, &error) == TAKT_MISUSE,
                    "a program with errors does not run", &error);
    takt_machine_close(machine);
    takt_program_close(program);
}

void caller_app(const struct takt_text *text)
{
    struct takt_error error;
    struct takt_app *apps[2];
    char *rows[2] = {NULL, NULL};
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        const enum takt_status status = takt_app_open(&apps[i], NULL, text, TAKT_RANGE, &error);
        FILE *out = open_memstream(&rows[i], &size);
        if (!out)
            abort();
        if (status == TAKT_FINE)
            handle_rows_app(apps[i], out);
        else
            caller_check_error(status, &error);
        fputs(status == TAKT_FINE ? "" : error.text, out);
        fclose(out);
        takt_app_close(apps[i]);
    }
    must_equal(rows[0], rows[1], "an application has one answer");
}
