#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/expectation.h"
#include "analysis/schedule_exact.h"
#include "analysis/slacks.h"
#include "functional/directive.h"
#include "host/failure.h"
#include "host/text.h"
#include "timing/run.h"

/* --- open ------------------------------------------------------------------------------------- */

enum takt_status library_take(void *known, size_t known_size, size_t least, const void *given,
                              struct takt_error *error)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    bool good = size >= least && size % sizeof size == 0;
    for (size_t i = known_size; good && i < size; i++)
        good = ((const unsigned char *)given)[i] == 0;
    if (!good)
        return library_fail(error, TAKT_MISUSE, "the options' size is not of this library");
    memcpy(known, given, size < known_size ? size : known_size);
    return TAKT_FINE;
}

static enum takt_status contradiction(const struct takt_program *program,
                                      const struct takt_options *options, struct takt_error *error)
{
    const unsigned flags = options->flags;
    const unsigned all = 2 * (unsigned)TAKT_DIFF - 1; /* the last flag, and those before it */
    const bool timed = !(flags & TAKT_NO_TIME);
    const char *why = NULL;
    if (flags & ~all)
        why = "the flags have bits that this version does not know";
    else if (!program->legal)
        why = "a program with errors cannot be run";
    else if (!(flags & TAKT_VALUES) && (options->init || options->threads || !timed))
        why = "a run without TAKT_VALUES has no memories to begin with, no threads, and has time";
    else if (!timed && (flags & ~(unsigned)(TAKT_VALUES | TAKT_NO_TIME) || options->trace))
        why = "a run with TAKT_NO_TIME has no time to list or record";
    else if ((flags & TAKT_DETAIL) && !options->trace)
        why = "TAKT_DETAIL is of a trace";
    else if (options->threads > 256)
        why = "a run has at most 256 threads";
    return why ? library_fail(error, TAKT_MISUSE, "%s", why) : TAKT_FINE;
}

struct takt_run *library_run(struct takt_program *program, const struct run_options *options)
{
    struct takt_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->program = program;
    run->options = *options;
    run->found = &run->diags;
    atomic_fetch_add(&program->holders, 1);
    diag_list_init(&run->diags);
    return run;
}

struct run_setup library_setup(const struct takt_run *run)
{
    return (struct run_setup){run->program->program, &run->program->machine->config, &run->options,
                              &run->sink};
}

int library_prove(struct takt_run *run, size_t most, char error[MACHINE_ERROR])
{
    const struct run_setup setup = library_setup(run);
    return machine_prove(&run->proof, run->program->machine->machine, &setup, most, error);
}

int library_search(struct takt_run *run, const struct exact_effort *effort,
                   struct exact_found *found)
{
    const struct run_setup setup = library_setup(run);
    *found = (struct exact_found){.why = "it has more than 64 pieces"};
    if (run->proof.graph.node_count > EXACT_BOUND_NODES)
        return 0;
    return exact_bound_add(&run->proof.bounds, run->program->machine->machine, &setup, effort,
                           found);
}

int library_search_quickly(struct takt_run *run)
{
    struct exact_found found;
    return library_search(run, &(const struct exact_effort){.states = EXACT_BOUND_STATES}, &found);
}

int library_keep(struct takt_run *run, bool regions, char error[MACHINE_ERROR])
{
    const struct takt_program *program = run->program;
    const int some = program->machine->machine->language->regions
                         ? 1
                         : directives_regions(program->sources, program->source_count);
    store_open(&run->store, &(const struct store_options){.regions = regions && some,
                                                          .bounds = &run->proof.bounds,
                                                          .graph = &run->proof.graph});
    if (some < 0)
        snprintf(error, MACHINE_ERROR, "out of memory");
    return some < 0 ? -1 : 0;
}

int library_record(struct takt_run *run, const char *path, struct recorder_options options,
                   char error[MACHINE_ERROR])
{
    if (library_keep(run, options.kept.regions, error) != 0)
        return -1;
    options.store = &run->store;
    run->kept = path != NULL;
    const int status = recorder_open(&run->recorder, path, &options, error, MACHINE_ERROR);
    if (status != 0)
        run->recorder = NULL;
    return status;
}

struct sink library_sink(struct takt_run *run)
{
    return run->recorder ? recorder_sink(run->recorder) : store_sink(&run->store);
}

/* The host's failures where a trace is written are the trace's. */
static void say_recorder(const struct takt_run *run, bool failed, char error[MACHINE_ERROR])
{
    if (failed && run->recorder && recorder_error(run->recorder))
        snprintf(error, MACHINE_ERROR, "%s", recorder_error(run->recorder));
}

int library_begin(struct takt_run *run, struct sink sink, char error[MACHINE_ERROR])
{
    const struct run_setup setup = library_setup(run);
    run->sink = sink;
    int status = run_open(&run->run, run->program->machine->machine, &setup, run->found, error);
    say_recorder(run, status < 0, error);
    if (status == 0 && run->store.begun && store_diags(&run->store, &run->program->diags) != 0)
        status = -1;
    if (status == 0)
        run->stage = STAGE_OPEN;
    return status;
}

enum run_status library_advance(struct takt_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    run->stage = STAGE_BEGUN;
    enum run_status status = run_advance(run->run, budget, run->found, error);
    if (status == RUN_MORE && run->recorder && recorder_commit(run->recorder) != 0)
        status = RUN_FAILED;
    say_recorder(run, status == RUN_FAILED, error);
    if (status != RUN_MORE)
        run->stage = status == RUN_DONE ? STAGE_DONE : STAGE_FAILED;
    return status;
}

int library_slacks(struct takt_run *run)
{
    enum { WORK = 1 << 20 }; /* what the slowest model does in a second */
    if (!run->kept)
        return 0;
    return slacks_find(run->run, &run->store, WORK, NULL) == 0 ? recorder_slack(run->recorder) : -1;
}

int library_finish(struct takt_run *run, char error[MACHINE_ERROR])
{
    struct recorder *recorder = run->recorder;
    if (run->run && run->stage != STAGE_DONE)
        run_stop(run->run);
    if (run->run)
        run_close(run->run);
    run->run = NULL;
    run->recorder = NULL;
    return recorder ? recorder_close(recorder, error, MACHINE_ERROR) : 0;
}

static int list_bounds(struct takt_run *run)
{
    const struct bounds *bounds = &run->proof.bounds;
    run->bounds = calloc(bounds->count + 1, sizeof *run->bounds);
    for (size_t i = 0; run->bounds && i < bounds->count; i++) {
        const struct bound *bound = &bounds->rows[i];
        run->bounds[i] = (struct takt_bound){
            .class_name = bound_class_names[bound->class],
            .kind = bound_kind_names[bound->kind],
            .unit = bound->unit == GRAPH_NONE ? NULL : run->proof.graph.units[bound->unit].name,
            .cycles = bound->cycles};
    }
    return run->bounds ? 0 : -1;
}

static int open_dump(struct takt_run *run)
{
    run->options.dump = run->dump_file = text_open(&run->dump, &run->dump_size);
    return run->dump_file ? 0 : -1;
}

/* All of it: to the trace or the store, and to what is compared. */
static struct sink whole_sink(struct takt_run *run)
{
    const struct sink kept = library_sink(run);
    return run->flags & TAKT_DIFF ? sink_tee(&run->tee, kept, diff_stream_sink(&run->stream))
                                  : kept;
}

/* Without what no answer of these flags needs: warnings alone take many runs. */
static struct sink lean_sink(struct takt_run *run)
{
    const struct sink whole = whole_sink(run);
    run->ops = *whole.ops;
    if (!(run->flags & TAKT_WARNINGS))
        run->ops.warning = NULL;
    if (!(run->flags & TAKT_DIFF))
        run->ops.edge = NULL;
    if (!(run->flags & (TAKT_TRANSFERS | TAKT_VERDICT | TAKT_DIFF)))
        run->ops.transfer = NULL;
    return (struct sink){&run->ops, whole.context};
}

/* Everything up to the first cycle. Returns 0, 1 or -1, with a sentence unless findings say why. */
static int begin(struct takt_run *run, const char *trace, char *error)
{
    const struct recorder_options recorded = {.intervals = run->flags & TAKT_DETAIL,
                                              .kept.regions = true};
    int status = machine_accept(run->program->machine->machine, &run->options, error);
    if (status == 0 && run->flags & TAKT_VALUES)
        status = open_dump(run);
    if (status == 0 && run->flags & (TAKT_BOUNDS | TAKT_DEPENDENCES))
        status = library_prove(run, 0, error);
    if (status == 0 && run->flags & TAKT_BOUNDS)
        status = library_search_quickly(run);
    if (status == 0)
        status = trace ? library_record(run, trace, recorded, error)
                       : library_keep(run, run->flags & TAKT_REGIONS, error);
    if (status != 0)
        return status;
    struct sink sink = trace ? whole_sink(run) : lean_sink(run);
    if (run->flags & TAKT_DEPENDENCES ||
        (run->flags & (TAKT_BOUNDS | TAKT_REGIONS)) == (TAKT_BOUNDS | TAKT_REGIONS)) {
        starts_open(&run->starts, &sink);
        sink = starts_sink(&run->starts);
    }
    status = library_begin(run, sink, error);
    return status == 0 && run->flags & TAKT_BOUNDS ? list_bounds(run) : status;
}

/* What went wrong in the rooms below. */
static enum takt_status failed(const struct takt_run *run, int status, const char *text,
                               struct takt_error *error)
{
    if (status > 0 && !text[0])
        return library_fault(error, &run->diags, run->program->sources);
    return library_fail(error, status > 0 ? TAKT_INPUT : TAKT_HOST, "%s",
                        text[0] ? text : "out of memory");
}

enum takt_status takt_run_open(struct takt_run **result, struct takt_program *program,
                               const struct takt_options *options, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    struct takt_options known = {0};
    *result = NULL;
    if (!program)
        return library_fail(error, TAKT_MISUSE, "a run needs a program");
    enum takt_status bad = options
                               ? library_take(&known, sizeof known,
                                              offsetof(struct takt_options, init), options, error)
                               : TAKT_FINE;
    if (bad == TAKT_FINE)
        bad = contradiction(program, &known, error);
    if (bad != TAKT_FINE)
        return bad;
    options = &known;
    const struct takt_machine *m = program->machine;
    const struct run_options wanted = {.settings =
                                           program->settings ? program->settings : m->settings,
                                       .documented = options->flags & TAKT_DOCUMENTED,
                                       .timing_only = !(options->flags & TAKT_VALUES),
                                       .functional_only = options->flags & TAKT_NO_TIME,
                                       .no_range = !options->trace,
                                       .threads = options->threads ? options->threads : 1,
                                       .silenced = (const char *const *)m->silenced,
                                       .command = "libtakt"};
    struct takt_run *run = library_run(program, &wanted);
    if (!run)
        return library_no_memory(error);
    run->flags = options->flags;
    if (options->init && !(run->options.init = run->init = strdup(options->init))) {
        takt_run_close(run);
        return library_no_memory(error);
    }
    char text[MACHINE_ERROR] = "";
    const unsigned long failures = failure_count_host();
    int status = begin(run, options->trace, text);
    status = library_unless_host_failed(status, failures, text);
    if (status == 0) {
        *result = run;
        return TAKT_FINE;
    }
    const enum takt_status code = failed(run, status, text, error);
    takt_run_close(run);
    return code;
}

/* --- advance ---------------------------------------------------------------------------------- */

static int find_range(struct takt_run *run)
{
    struct takt_totals *totals = &run->rows.totals;
    if (run_range(run->run, 1, &run->range) != 0)
        return -1;
    totals->has_range = run->range.known;
    totals->range_low = run->range.low;
    totals->range_high = run->range.high;
    run->parameters = calloc(run->range.count + 1, sizeof *run->parameters);
    for (size_t i = 0; run->parameters && i < run->range.count; i++) {
        const struct range_row *row = &run->range.rows[i];
        run->parameters[i] = (struct takt_parameter){row->name, row->at_low, row->at_high};
    }
    run->sensitivity = calloc(run->range.count + 1, sizeof *run->sensitivity);
    for (size_t i = 0; run->sensitivity && i < run->range.count; i++) {
        const struct range_row *row = &run->range.rows[i];
        const struct param *param = &run->program->machine->config.params[row->param];
        run->sensitivity[i] =
            (struct takt_sensitivity){.name = row->name,
                                      .provenance = provenance_name[param->provenance],
                                      .at_low = row->at_low,
                                      .at_high = row->at_high,
                                      .least = row->least,
                                      .greatest = row->greatest};
    }
    return run->parameters && run->sensitivity ? 0 : -1;
}

static int find_verdict(struct takt_run *run)
{
    struct verdict *found = &run->limit;
    if (verdict_find(&run->store, found) != 0)
        return -1;
    verdict_print(found, run->verdict_text);
    for (int i = 0; i < found->count; i++)
        run->verdict_lines[i] =
            (struct takt_place){.file = found->lines[i].file,
                                .line = (uint32_t)found->lines[i].line,
                                .tag = found->lines[i].tag[0] ? found->lines[i].tag : NULL};
    run->verdict = (struct takt_verdict){.text = run->verdict_text,
                                         .kind = found->kind,
                                         .unit = found->unit[0] ? found->unit : NULL,
                                         .busy = found->busy,
                                         .share = found->share,
                                         .lines = run->verdict_lines,
                                         .line_count = (size_t)found->count,
                                         .cause = found->cause[0] ? found->cause : NULL};
    return 0;
}

static int find_dependences(struct takt_run *run)
{
    enum { WORK = 1 << 25 }; /* as takt deps */
    struct dependences found = {.store = &run->store, .graph = &run->proof.graph, .file = ""};
    int status = dependences_find(&found, &run->starts);
    if (status == 0)
        status = slacks_find(run->run, &run->store, WORK, NULL);
    if (status == 0)
        status = library_rows_dependences(&run->rows, &found);
    dependences_free(&found);
    return status;
}

static int settle(struct takt_run *run, char *error)
{
    if (run->dump_file && (fflush(run->dump_file) != 0 || ferror(run->dump_file)))
        return -1;
    if (library_rows_list(&run->rows, &run->store, run->flags) != 0)
        return -1;
    if (run->flags & TAKT_VERDICT && find_verdict(run) != 0)
        return -1;
    if (run->flags & TAKT_RANGE && find_range(run) != 0)
        return -1;
    if (run->flags & TAKT_DEPENDENCES && find_dependences(run) != 0)
        return -1;
    if (library_slacks(run) != 0)
        return -1;
    struct recorder *recorder = run->recorder; /* complete, it takes its name */
    run->recorder = NULL;
    return recorder ? recorder_close(recorder, error, MACHINE_ERROR) : 0;
}

enum takt_status takt_run_advance(struct takt_run *run, uint64_t budget, struct takt_error *error)
{
    if (!run)
        return library_missing(error, "run");
    char text[MACHINE_ERROR] = "";
    enum run_status status = RUN_MORE;
    const unsigned long failures = failure_count_host();
    if (run->stage >= STAGE_DONE)
        return run->stage == STAGE_DONE
                   ? TAKT_FINE
                   : library_fail(error, TAKT_MISUSE, "the run has failed before");
    do
        status = library_advance(run, budget ? budget : UINT64_MAX, text);
    while (status == RUN_MORE && budget == 0);
    if (status == RUN_MORE)
        return TAKT_MORE;
    int code = status == RUN_DONE ? 0 : status == RUN_FAULT ? 1 : -1;
    if (code == 0)
        code = settle(run, text);
    code = library_unless_host_failed(code, failures, text);
    if (code == 0)
        return TAKT_FINE;
    say_recorder(run, code < 0, text);
    run->stage = STAGE_FAILED;
    run->rows.totals = (struct takt_totals){.clock_hz = run->store.header.clock_hz};
    return failed(run, code, text, error);
}

void takt_run_close(struct takt_run *run)
{
    if (!run)
        return;
    char unused[MACHINE_ERROR];
    library_finish(run, unused);
    if (run->dump_file)
        text_close(run->dump_file, &run->dump);
    free(run->dump);
    library_rows_free(&run->rows);
    store_close(&run->store);
    starts_close(&run->starts);
    diff_stream_free(&run->stream);
    machine_proof_free(&run->proof);
    range_free(&run->range);
    free(run->bounds);
    free(run->parameters);
    free(run->sensitivity);
    diag_list_free(&run->diags);
    free(run->init);
    takt_program_close(run->program);
    free(run);
}

/* --- values ----------------------------------------------------------------------------------- */

static enum takt_status has_values(const struct takt_run *run, enum run_stage stage,
                                   struct takt_error *error)
{
    const struct machine *machine = run->program->machine->machine;
    if (!(run->flags & TAKT_VALUES))
        return library_fail(error, TAKT_MISUSE, "a run without TAKT_VALUES has none");
    if (!machine->values->places)
        return library_fail(error, TAKT_MISUSE, "programs of %s have no place to load or save",
                            machine->name);
    return run->stage == stage
               ? TAKT_FINE
               : library_fail(error, TAKT_MISUSE, "words are put %s",
                              stage == STAGE_OPEN ? "before the run advances"
                                                  : "into a run first, and got when it is done");
}

enum takt_status takt_run_put(struct takt_run *run, const char *place, const uint64_t *words,
                              size_t count, struct takt_error *error)
{
    if (!run || !place || (count && !words))
        return library_missing(error, !run ? "run" : !place ? "place" : "words");
    const enum takt_status bad = has_values(run, STAGE_OPEN, error);
    if (bad != TAKT_FINE)
        return bad;
    char text[MACHINE_ERROR] = "";
    const int status = run_put(run->run, place, words, count, text);
    return status == 0 ? TAKT_FINE : failed(run, status, text, error);
}

enum takt_status takt_run_get(struct takt_run *run, const char *place, uint64_t *words,
                              size_t count, struct takt_error *error)
{
    if (!run || !place || (count && !words))
        return library_missing(error, !run ? "run" : !place ? "place" : "words");
    const enum takt_status bad = has_values(run, STAGE_DONE, error);
    if (bad != TAKT_FINE)
        return bad;
    char text[MACHINE_ERROR] = "";
    const int status = run_get(run->run, place, words, count, text);
    return status == 0 ? TAKT_FINE : failed(run, status, text, error);
}

uint64_t takt_run_state(const struct takt_run *run)
{
    return run_hash(run->run);
}

const char *takt_run_dump(const struct takt_run *run, size_t *size)
{
    const bool done = run->stage == STAGE_DONE && run->dump;
    if (size)
        *size = done ? run->dump_size : 0;
    return done ? run->dump : "";
}

/* --- answers ---------------------------------------------------------------------------------- */

const struct takt_totals *takt_run_totals(const struct takt_run *run)
{
    static const struct takt_totals nothing = {0};
    return run->stage == STAGE_DONE ? &run->rows.totals : &nothing;
}

/* How many rows can be read: none before the run is done. */
static size_t listed(const struct takt_run *run, size_t count)
{
    return run->stage == STAGE_DONE ? count : 0;
}

size_t takt_run_units(const struct takt_run *run, const struct takt_unit **rows)
{
    *rows = run->rows.units;
    return listed(run, run->flags & TAKT_NO_TIME ? 0 : run->rows.unit_count);
}

size_t takt_run_counters(const struct takt_run *run, const struct takt_counter **rows)
{
    *rows = run->rows.counters;
    return listed(run, run->rows.counter_count);
}

size_t takt_run_statements(const struct takt_run *run, const struct takt_statement **rows)
{
    *rows = run->rows.statements;
    return listed(run, run->rows.statement_count);
}

size_t takt_run_transfers(const struct takt_run *run, const struct takt_transfer **rows)
{
    *rows = run->rows.transfers;
    return listed(run, run->rows.transfer_count);
}

size_t takt_run_bounds(const struct takt_run *run, const struct takt_bound **rows)
{
    *rows = run->bounds;
    return listed(run, run->proof.bounds.count);
}

size_t takt_run_path(const struct takt_run *run, const struct takt_step **rows)
{
    *rows = run->rows.path;
    return listed(run, run->rows.path_count);
}

size_t takt_run_sensitivity(const struct takt_run *run, const struct takt_sensitivity **rows)
{
    *rows = run->sensitivity;
    return listed(run, run->range.count);
}

size_t takt_run_dependences(const struct takt_run *run, const struct takt_dependence **rows)
{
    *rows = run->rows.dependences;
    return listed(run, run->rows.dependence_count);
}

size_t takt_run_slacks(const struct takt_run *run, const struct takt_slack **rows)
{
    *rows = run->rows.slacks;
    return listed(run, run->rows.slack_count);
}

size_t takt_run_findings(const struct takt_run *run, const struct takt_finding **rows)
{
    *rows = run->rows.findings;
    return listed(run, run->rows.finding_count);
}

/* What an expectation is about that this run did not keep; NULL: nothing. */
static const char *lacks(const struct takt_run *run, const struct expectation *e)
{
    if (run->flags & TAKT_NO_TIME)
        return "a run with TAKT_NO_TIME has no figures to be compared";
    if (e->baseline)
        return "a baseline is of takt expect alone";
    if (expectation_needs_proof(e) && !(run->flags & TAKT_BOUNDS))
        return "a run without TAKT_BOUNDS has no bounds";
    if (strcmp(e->name, "slack") == 0 && !(run->flags & TAKT_DEPENDENCES))
        return "a run without TAKT_DEPENDENCES has no exact slacks";
    if (strcmp(e->name, "warnings") == 0 && !(run->flags & TAKT_WARNINGS))
        return "a run without TAKT_WARNINGS has not looked for all of them";
    if (expectation_is_uncounted(&run->store, e))
        return "a run without TAKT_WARNINGS has not counted what is removable";
    return strcmp(e->name, "cycles") == 0 && *e->argument && !(run->flags & TAKT_REGIONS)
               ? "a run without TAKT_REGIONS does not divide its cycles"
               : NULL;
}

enum takt_status takt_run_expect(const struct takt_run *run, const char *text,
                                 struct takt_expectation *result, struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    struct expectation e;
    char why[EXPECTATION_ERROR];
    long double value;
    *result = (struct takt_expectation){.holds = false};
    if (!run || !text)
        return library_missing(error, run ? "text" : "run");
    if (run->stage != STAGE_DONE)
        return library_fail(error, TAKT_MISUSE, "only a run that is done can be as expected");
    if (expectation_parse(&e, text, strlen(text), why) != 0)
        return library_fail(error, TAKT_MISUSE, "%s", why);
    const char *missing = lacks(run, &e);
    if (missing)
        return library_fail(error, TAKT_MISUSE, "%s", missing);
    if (expectation_value(&run->store, &e, &value, why) != 0)
        return library_fail(error, TAKT_MISUSE, "%s", why);
    *result = (struct takt_expectation){.holds = expectation_holds(&e, value),
                                        .value = (double)value,
                                        .limit = (double)e.limit,
                                        .exact = !e.at_least};
    return TAKT_FINE;
}

const struct takt_verdict *takt_run_verdict(const struct takt_run *run)
{
    static const struct takt_verdict none = {.text = "", .kind = ""};
    return run->stage == STAGE_DONE && run->verdict.text ? &run->verdict : &none;
}

size_t takt_run_parameters(const struct takt_run *run, const struct takt_parameter **rows)
{
    *rows = run->parameters;
    return listed(run, run->range.count);
}
