/*
 * handles FILE [TRACE]: every handle of libtakt on one program, and every row on standard output,
 * for calls that fail (fail.c). It ends as a command does: 0, or the status of the first call that
 * is not fine, 1 to 3, with its sentence on standard error.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/takt.h"

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

static const char *shown(const char *text)
{
    return text ? text : "(null)";
}

static void print_findings(const struct takt_program *program)
{
    const struct takt_finding *f;
    const size_t count = takt_program_findings(program, &f);
    for (size_t i = 0; i < count; i++)
        printf("finding %s:%u:%u+%u %d %s %s %s fix %s %d %" PRIu64 " %" PRIu64 "\n", f[i].file,
               f[i].line, f[i].column, f[i].length, (int)f[i].severity, f[i].rule, f[i].name,
               f[i].text, shown(f[i].fix), f[i].missing_steps, f[i].spare_steps, f[i].spare_cycles);
}

static void print_units(const struct takt_run *run)
{
    const struct takt_unit *u;
    for (size_t i = 0, count = takt_run_units(run, &u); i < count; i++) {
        printf("unit %s %s %u %" PRIu64 " %" PRIu64 " %" PRIu64, u[i].name, u[i].kind,
               u[i].instances, u[i].busy, u[i].waiting, u[i].idle);
        for (size_t r = 0; r < u[i].reason_count; r++)
            printf(" %s %" PRIu64, u[i].reasons[r].name, u[i].reasons[r].cycles);
        putchar('\n');
    }
    const struct takt_counter *c;
    for (size_t i = 0, count = takt_run_counters(run, &c); i < count; i++)
        printf("counter %s %s %u %" PRIu64 "\n", c[i].name, shown(c[i].index_name), c[i].index,
               c[i].value);
}

static void print_statements(const struct takt_run *run)
{
    const struct takt_statement *s;
    for (size_t i = 0, count = takt_run_statements(run, &s); i < count; i++)
        printf("statement %s:%u %s %s %s %" PRIu64 " %" PRIu64 "\n", shown(s[i].file), s[i].line,
               shown(s[i].text), s[i].unit, s[i].reason, s[i].cycles, s[i].executions);
    const struct takt_transfer *t;
    for (size_t i = 0, count = takt_run_transfers(run, &t); i < count; i++)
        printf("transfer %s:%u %s %s %" PRIu64 " %" PRIu64 " %s\n", shown(t[i].file), t[i].line,
               t[i].mode, shown(t[i].tag), t[i].started, t[i].finished, shown(t[i].limited_by));
    const struct takt_step *p;
    for (size_t i = 0, count = takt_run_path(run, &p); i < count; i++)
        printf("step %" PRIu64 " %" PRIu64 " %s %s %s:%u\n", p[i].start, p[i].cycles,
               shown(p[i].unit), p[i].reason, shown(p[i].file), p[i].line);
}

static void print_proven(const struct takt_run *run)
{
    const struct takt_bound *b;
    for (size_t i = 0, count = takt_run_bounds(run, &b); i < count; i++)
        printf("bound %s %s %s %" PRIu64 "\n", b[i].class_name, b[i].kind, shown(b[i].unit),
               b[i].cycles);
    const struct takt_dependence *d;
    for (size_t i = 0, count = takt_run_dependences(run, &d); i < count; i++)
        printf("dependence %u %u %s %s %" PRIu64 " %d %" PRId64 "\n", d[i].from_line, d[i].to_line,
               d[i].kind, d[i].rule, d[i].lag, d[i].has_slack, d[i].slack);
    const struct takt_slack *s;
    for (size_t i = 0, count = takt_run_slacks(run, &s); i < count; i++)
        printf("slack %u %" PRIu64 " %d\n", s[i].line, s[i].cycles, s[i].exact);
    const struct takt_sensitivity *n;
    for (size_t i = 0, count = takt_run_sensitivity(run, &n); i < count; i++)
        printf("number %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", n[i].name,
               n[i].at_low, n[i].at_high, n[i].least, n[i].greatest);
}

static void print_run(const struct takt_run *run)
{
    const struct takt_totals *t = takt_run_totals(run);
    printf("totals %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %" PRIu64 " %" PRIu64 "\n", t->cycles,
           t->cycles_documented, t->events, t->has_range, t->range_low, t->range_high);
    print_units(run);
    print_statements(run);
    print_proven(run);
    printf("verdict %s\n", takt_run_verdict(run)->text);
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
    printf("diff %" PRId64 " %zu %d\n", diff->difference, diff->same, diff->equal);
    for (size_t i = 0; i < diff->term_count; i++)
        printf("term %" PRId64 " %s %s %s\n", diff->terms[i].cycles, diff->terms[i].reason,
               diff->terms[i].unit, diff->terms[i].text);
    for (size_t i = 0; i < diff->parameter_count; i++)
        printf("difference %s %s %s\n", diff->parameters[i].name, diff->parameters[i].a,
               diff->parameters[i].b);
    takt_diff_close(diff);
    takt_run_close(a);
    takt_run_close(b);
}

static void prove(struct takt_run *run)
{
    struct takt_proof *proof;
    need(takt_proof_open(&proof, run, NULL, &error), "takt_proof_open");
    printf("proof %" PRIu64 " %zu\n%s", proof->cycles, proof->size, proof->text);
    for (size_t i = 0; i < proof->bound_count; i++)
        printf("certificate %s\n", proof->certificates[i]);
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
    printf("app %" PRIu64 " %s\n%s\n", app->cycles, app->limit, app->json);
    for (size_t s = 0; s < app->step_count; s++)
        printf("step %s %s %" PRIu64 "\n", app->steps[s].kind, app->steps[s].text,
               app->steps[s].cycles);
    takt_app_close(app);
}

int main(int count, char **arguments)
{
    enum {
        ROWS = TAKT_VALUES | TAKT_RANGE | TAKT_BOUNDS | TAKT_STATEMENTS | TAKT_TRANSFERS |
               TAKT_PATH | TAKT_VERDICT | TAKT_DEPENDENCES | TAKT_WARNINGS | TAKT_REGIONS
    };
    static const char config[] = "clock_hz:\n  value: 1e9\n";
    struct takt_machine *machine;
    struct takt_program *program;
    if (count < 2)
        return TAKT_MISUSE;
    const struct takt_text text = {.name = arguments[1]};
    need(takt_machine_open(&machine, arguments[1], &error), "takt_machine_open");
    need(takt_machine_config(machine, "c.yaml", config, strlen(config), &error),
         "takt_machine_config");
    const enum takt_status status = takt_program_open(&program, machine, &text, 1, &error);
    if (program)
        print_findings(program);
    need(status, "takt_program_open");
    struct takt_run *run = run_of(program, ROWS, count > 2 ? arguments[2] : NULL);
    print_run(run);
    printf("state %016" PRIx64 "\n%s", takt_run_state(run), takt_run_dump(run, NULL));
    expect(run, "cycles <= 1");
    expect(run, "warnings == 0");
    prove(run);
    compare(program);
    takt_run_close(run);
    apply(takt_machine_name(machine), arguments[1]);
    takt_program_close(program);
    takt_machine_close(machine);
    return fflush(stdout) == 0 && !ferror(stdout) ? TAKT_FINE : TAKT_HOST;
}
