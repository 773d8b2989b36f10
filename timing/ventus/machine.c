/* machine: Ventus behind the commands (timing/machine.h). */
#include "timing/machine.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "functional/ventus/listing.h"
#include "functional/ventus/place.h"
#include "functional/words.h"
#include "host/file.h"
#include "timing/ventus/model.h"

EMBED(ventus_config, "config/ventus/ventus.yaml");

struct machine_program {
    struct ventus_program program;
};

/* The values are those of the timed run, which steps the warps; without time they run alone. */
struct machine_run {
    const struct ventus_program *program;
    const struct config *config;
    struct run_options options;
    const struct sink *sink;
    struct ventus_run values;
    struct ventus_model *model; /* NULL with functional_only */
    struct range range;
    bool finished;
    struct ventus_check *check;
    bool unrecorded;         /* the sink did not take a warning */
    struct diag_list *diags; /* of the call that is on its way */
    /* --log */
    struct replace log;
    struct ventus_listed listed[VENTUS_WARPS];
    bool begun[VENTUS_WARPS];
    struct ventus_warp *first; /* warp 0 of the last workgroup */
};

static const struct param_row params[VENTUS_PARAMS] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/ventus/param.def"
};

/* --- programs --------------------------------------------------------------------------------- */

static int ventus_load(struct machine_program **out, const struct source *sources, size_t count,
                       struct diag_list *diags)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return -1;
    const int status = ventus_program_load(&(*out)->program, sources, count, diags);
    diag_sort(diags);
    return status;
}

static void ventus_unload(struct machine_program *program)
{
    if (!program)
        return;
    ventus_program_free(&program->program);
    free(program);
}

static int ventus_valid(const struct config *config, char error[MACHINE_ERROR])
{
    static const uint8_t lines[] = {VENTUS_PARAM_l1i_line, VENTUS_PARAM_l1d_line,
                                    VENTUS_PARAM_l2_line};
    for (size_t i = 0; i < sizeof lines; i++) {
        const uint64_t line = config_integer(config, lines[i], false);
        if (line < 4 || (line & (line - 1))) {
            snprintf(error, MACHINE_ERROR, "%s is a power of two of at least 4",
                     params[lines[i]].name);
            return 1;
        }
    }
    return 0;
}

/* What is no instruction of the launch's code may be data: only what runs is at fault. */
static int ventus_check(const struct machine_program *program, const struct config *config,
                        const struct machine_setting *settings, struct diag_list *diags)
{
    (void)settings;
    const struct ventus_launch *launch = ventus_program_launch(&program->program);
    const uint64_t most = config_integer(config, VENTUS_PARAM_sm_warps, false);
    if (launch->warps <= most)
        return 0;
    const struct diag at = {.severity = DIAG_ERROR,
                            .line = 1,
                            .column = 1,
                            .length = 1,
                            .missing_steps = -1,
                            .missing_cycles = -1,
                            .rule = "",
                            .name = ""};
    diag_add(diags, &at, "a workgroup of %u warps does not fit into an SM, which holds %llu",
             launch->warps, (unsigned long long)most);
    return 1;
}

static int ventus_print(const struct machine_program *program,
                        const struct machine_setting *settings, FILE *out)
{
    (void)settings;
    return ventus_program_print(&program->program, out);
}

/* --- options ---------------------------------------------------------------------------------- */

static int spec_is_fine(const char *spec, bool save, char *error, size_t error_size)
{
    struct ventus_place_words place;
    return ventus_place_parse(spec, save, &place, error, error_size);
}

enum { MOST_DEFAULT = 1000000000 };

/* --max-instructions; 0 with a sentence. */
static uint64_t most_of(const struct machine_setting *settings, char error[MACHINE_ERROR])
{
    const char *text = machine_setting(settings, "max-instructions");
    uint64_t number = 0;
    if (!text)
        return MOST_DEFAULT;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && number < UINT64_MAX / 20; at++)
        number = number * 10 + (uint64_t)(*at - '0');
    if (!*at && number)
        return number;
    snprintf(error, MACHINE_ERROR, "--max-instructions takes a number from 1, not '%.60s'", text);
    return 0;
}

static int ventus_accept(const struct run_options *options, char error[MACHINE_ERROR])
{
    if (options->init && strcmp(options->init, "zero") != 0) {
        snprintf(error, MACHINE_ERROR, "memory that a launch does not fill is zero: --init zero");
        return 1;
    }
    if (!most_of(options->settings, error))
        return 1;
    return machine_specs(options->loads, false, spec_is_fine, error) != 0 ||
           machine_specs(options->saves, true, spec_is_fine, error) != 0;
}

static int move_file(struct machine_run *run, bool save, const char *spec, const char *path,
                     char error[MACHINE_ERROR])
{
    const bool big = run->options.word_order_big;
    struct ventus_place_words place;
    uint64_t count = 0;
    if (ventus_place_parse(spec, save, &place, error, MACHINE_ERROR) != 0)
        return 1;
    uint8_t *bytes = ventus_place_find(&run->values.memory, &place, &count, error, MACHINE_ERROR);
    if (!bytes)
        return 1;
    return save ? words_save(path, big, bytes, count, error, MACHINE_ERROR)
                : words_load(path, big, bytes, count, error, MACHINE_ERROR);
}

/* The bytes of so many words at spec. */
static uint8_t *find_words(const struct machine_run *run, const char *spec, size_t words,
                           char error[MACHINE_ERROR])
{
    struct ventus_place_words place;
    uint64_t count = 0;
    if (ventus_place_parse(spec, false, &place, error, MACHINE_ERROR) != 0)
        return NULL;
    const bool other = place.count && place.count != words;
    place.count = words;
    uint8_t *bytes = ventus_place_find(&run->values.memory, &place, &count, error, MACHINE_ERROR);
    if (bytes && other)
        snprintf(error, MACHINE_ERROR, "%s: %zu words are given", spec, words);
    return other ? NULL : bytes;
}

static int put(struct machine_run *run, const char *spec, const uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    uint8_t *bytes = find_words(run, spec, count, error);
    for (size_t i = 0; bytes && i < count; i++) {
        const uint64_t word = htole64(words[i]);
        memcpy(bytes + 8 * i, &word, sizeof word);
    }
    return !bytes;
}

static int get(const struct machine_run *run, const char *spec, uint64_t *words, size_t count,
               char error[MACHINE_ERROR])
{
    const uint8_t *bytes = find_words(run, spec, count, error);
    for (size_t i = 0; bytes && i < count; i++) {
        uint64_t word;
        memcpy(&word, bytes + 8 * i, sizeof word);
        words[i] = le64toh(word);
    }
    return !bytes;
}

/* --- the listing ------------------------------------------------------------------------------ */

static void list_step(void *context, const struct ventus_warp *warp,
                      const struct ventus_effect *effect)
{
    struct machine_run *run = context;
    const struct ventus_launch *launch = ventus_program_launch(run->program);
    const uint32_t group =
        (warp->group->z * launch->grid[1] + warp->group->y) * launch->grid[0] + warp->group->x;
    const uint32_t core = group * launch->warps + warp->number;
    struct ventus_listed *listed = &run->listed[warp->number];
    if (warp->executed == 1) {
        *listed = (struct ventus_listed){.times = 0};
        ventus_listing_start(run->log.file, &run->values.exec, listed, core);
    }
    ventus_listing_step(run->log.file, &run->values.exec, listed, warp, effect, core);
    if (!warp->number)
        run->first = warp->group->warps;
}

/* Where one workgroup ran at a time, warp 0 goes on as the public simulator lets it. */
static int end_log(struct machine_run *run, bool keep, char error[MACHINE_ERROR])
{
    if (run->log.file && keep && run->first &&
        ventus_group_count(ventus_program_launch(run->program)) == 1)
        ventus_listing_tail(run->log.file, &run->values.exec, &run->listed[0], run->first, 0);
    return replace_close(&run->log, keep, error, MACHINE_ERROR);
}

/* --- findings --------------------------------------------------------------------------------- */

/* A finding about the instruction at pc. */
static void find(const struct machine_run *run, struct diag_list *diags,
                 enum diag_severity severity, uint32_t pc, const char *name, const char *sentence)
{
    char insn[VENTUS_TEXT];
    struct diag at = {.severity = severity,
                      .length = 1,
                      .missing_steps = -1,
                      .missing_cycles = -1,
                      .rule = "",
                      .name = name};
    if (ventus_program_where(run->program, pc, &at, insn) || !insn[0])
        diag_add(diags, &at, "pc 0x%08x: %s", pc, sentence);
    else
        diag_add(diags, &at, "pc 0x%08x (%s): %s", pc, insn, sentence);
}

static void warn(void *context, const struct ventus_finding *finding)
{
    struct machine_run *run = context;
    const struct ventus_launch *launch = ventus_program_launch(run->program);
    const uint32_t index = (finding->pc - launch->code) / 4;
    const struct sink_warning warning = {.stmt = run->model && index < launch->op_count ? index
                                                                                        : NONE_ID,
                                         .name = ventus_names[finding->name],
                                         .sentence = finding->sentence};
    find(run, run->diags, DIAG_WARNING, finding->pc, warning.name, warning.sentence);
    if (run->sink->ops->warning && run->sink->ops->warning(run->sink->context, &warning) != 0)
        run->unrecorded = true;
}

/* --- runs ------------------------------------------------------------------------------------- */

static void ventus_close(struct machine_run *run)
{
    char unsaid[MACHINE_ERROR];
    if (!run)
        return;
    replace_close(&run->log, false, unsaid, sizeof unsaid);
    ventus_run_free(&run->values);
    ventus_check_free(run->check);
    if (run->model)
        ventus_model_free(run->model);
    free(run->model);
    range_free(&run->range);
    free(run);
}

static int begin(struct machine_run *run, const struct ventus_model *m)
{
    static const struct reason_info reasons[] = {
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/reason.def"
#define REASON(id, name, state, limit, sentence) {name, sentence, STATE_##state, limit},
#include "timing/ventus/reason.def"
    };
    struct counter_info counters[] = {
#define COUNTER(id, name, index, unit, sentence) {name, index, unit, sentence, 0},
#include "timing/ventus/counter.def"
    };
    counters[VENTUS_COUNTER_SINGLE].peak = m ? 2.0 * m->launch->threads * m->sm_count : 0;
    const struct ventus_program *program = run->program;
    const struct riscv_image *image = &program->image;
    struct file_info *files = calloc(image->file_count + 1, sizeof *files);
    if (!files)
        return -1;
    for (size_t i = 0; i < image->file_count; i++)
        files[i] =
            (struct file_info){image->files[i].name, image->files[i].text, image->files[i].size};
    struct sink_header header = {.machine = machine_ventus.name,
                                 .command = run->options.command,
                                 .clock_hz = config_real(run->config, VENTUS_PARAM_clock_hz, false),
                                 .files = files,
                                 .file_count = image->file_count,
                                 .stmts = m ? m->stmts : NULL,
                                 .stmt_count = m ? m->stmt_count : 0,
                                 .units = m ? m->units : NULL,
                                 .unit_count = m ? m->unit_count : 0,
                                 .reasons = reasons,
                                 .reason_count = sizeof reasons / sizeof *reasons,
                                 .counters = counters,
                                 .counter_count = VENTUS_COUNTERS};
    const int status =
        machine_begin(run->sink, &header, run->config, program->sources, program->source_count);
    free(files);
    return status;
}

static int open_time(struct machine_run *run, char error[MACHINE_ERROR])
{
    snprintf(error, MACHINE_ERROR, "no memory for the timing model");
    run->model = malloc(sizeof *run->model);
    if (!run->model || ventus_model_init(run->model, run->program, run->config,
                                         run->options.documented, run->sink) != 0)
        return -1;
    run->model->kernel.run_ahead = !run->options.no_run_ahead;
    if (run->options.events) {
        run->model->kernel.observe = kernel_print_event;
        run->model->kernel.context = run->options.events;
    }
    return 0;
}

static int open_parts(struct machine_run *run, char error[MACHINE_ERROR])
{
    run->check = ventus_check_new(warn, run);
    snprintf(error, MACHINE_ERROR, "no memory for the checks");
    int status = run->check ? ventus_run_new(&run->values, run->program, error) : -1;
    const char *log = machine_setting(run->options.settings, "log");
    if (status == 0)
        status = machine_move(run->options.loads, false, move_file, run, error);
    if (status == 0)
        ventus_run_gets(&run->values, run->options.dump);
    if (status == 0 && log)
        status = replace_open(&run->log, log, error, MACHINE_ERROR);
    if (status == 0 && !run->options.functional_only)
        status = open_time(run, error);
    if (status != 0)
        return status;
    if (begin(run, run->model) != 0) {
        snprintf(error, MACHINE_ERROR, "the trace could not be begun");
        return -1;
    }
    run->values.exec.listing = run->log.file != NULL;
    run->values.exec.most = most_of(run->options.settings, error);
    run->values.exec.check = run->check;
    if (run->log.file && run->model) {
        run->model->observe = list_step;
        run->model->observer = run;
    } else if (run->log.file) {
        run->values.observe = list_step;
        run->values.context = run;
    }
    if (run->model)
        ventus_model_start(run->model, &run->values);
    error[0] = '\0';
    return 0;
}

static int ventus_open(struct machine_run **out, const struct run_setup *setup,
                       struct diag_list *diags, char error[MACHINE_ERROR])
{
    (void)diags;
    struct machine_run *run = calloc(1, sizeof *run);
    *out = NULL;
    error[0] = '\0';
    if (!run) {
        snprintf(error, MACHINE_ERROR, "no memory");
        return -1;
    }
    run->program = &setup->program->program;
    run->config = setup->config;
    run->options = *setup->options;
    run->sink = setup->sink;
    const int status = open_parts(run, error);
    if (status == 0)
        *out = run;
    else
        ventus_close(run);
    return status;
}

/* The same launch with other numbers. */
struct again {
    const struct config *config;
    bool documented, alone; /* alone: nobody waits for a port */
};

static int time_again(const struct machine_run *run, const struct again *how, uint64_t *cycles)
{
    struct ventus_model *model = malloc(sizeof *model);
    struct ventus_run values;
    char error[VENTUS_ERROR];
    int status = model ? ventus_run_new(&values, run->program, error) : -1;
    if (model) {
        if (ventus_model_init(model, run->program, how->config, how->documented, NULL) != 0)
            status = -1;
        model->alone = how->alone;
        values.exec.most = run->values.exec.most;
        if (status == 0)
            ventus_model_start(model, &values);
        while (status == 0 && !model->faulty && kernel_run(&model->kernel, UINT64_MAX))
            continue;
        *cycles = model->finish;
        if (status == 0 && model->kernel.broken)
            status = -1;
        ventus_model_free(model);
        ventus_run_free(&values);
    }
    free(model);
    return status != 0 ? -1 : 0;
}

static int retime(void *context, const struct config *config, bool alone, uint64_t *cycles)
{
    return time_again(context, &(struct again){.config = config, .alone = alone}, cycles);
}

static int find_range(struct machine_run *run, unsigned threads, struct range *range)
{
    const struct range_subject subject = {
        .config = run->config, .cycles = run->model->finish, .retime = retime, .context = run};
    return range_find(range, &subject, threads);
}

static int send_summary(struct machine_run *run, bool complete)
{
    uint64_t documented = 0;
    run->finished = true;
    if (!run->model) {
        const struct sink_summary summary = {.complete = complete};
        return run->sink->ops->finish ? run->sink->ops->finish(run->sink->context, &summary) : 0;
    }
    const bool totals = complete && !run->options.total_only && !run->options.documented;
    if (totals && time_again(run, &(struct again){run->config, true, false}, &documented) != 0)
        return -1;
    if (totals && !run->options.no_range &&
        range_is_cheap(run->config, run->model->kernel.events) &&
        find_range(run, 1, &run->range) != 0)
        return -1;
    return ventus_model_finish(run->model, complete,
                               run->options.documented ? run->model->finish : documented,
                               &run->range);
}

/* Returns 1 while there is more to do, 0; -1 when the host failed, -2 when the program is at
 * fault. */
static int step(struct machine_run *run, uint64_t budget, char error[MACHINE_ERROR])
{
    struct ventus_model *m = run->model;
    if (!m) {
        const int more = ventus_run_advance(&run->values, budget, error);
        return more < 0 ? -2 : more;
    }
    const bool more = kernel_run(&m->kernel, budget);
    if (m->faulty) {
        snprintf(error, MACHINE_ERROR, "%s", m->error);
        return -2;
    }
    if (m->kernel.broken)
        snprintf(error, MACHINE_ERROR, "cycle %llu: %s", (unsigned long long)m->kernel.now,
                 m->kernel.broken);
    else if (m->status != 0 || m->account.status != 0 || m->path.status != 0)
        snprintf(error, MACHINE_ERROR, "the trace could not be written, or memory is out");
    else
        return more;
    return -1;
}

static enum run_status ventus_advance(struct machine_run *run, uint64_t budget,
                                      struct diag_list *diags, char error[MACHINE_ERROR])
{
    error[0] = '\0';
    if (run->finished)
        return RUN_DONE;
    run->diags = diags;
    const int more = step(run, budget ? budget : 1, error);
    if (run->unrecorded) {
        snprintf(error, MACHINE_ERROR, "a warning could not be recorded");
        return RUN_FAILED;
    }
    if (more == -2) {
        char sentence[MACHINE_ERROR];
        memcpy(sentence, error, sizeof sentence);
        find(run, diags, DIAG_ERROR, run->values.fault_pc, "", sentence);
        error[0] = '\0';
    }
    if (more > 0)
        return RUN_MORE;
    if (more < 0) {
        char unsaid[MACHINE_ERROR];
        end_log(run, more == -2, unsaid);
        return more == -2 ? RUN_FAULT : RUN_FAILED;
    }
    ventus_run_end_gets(&run->values, run->options.dump);
    if (run->options.dump && ferror(run->options.dump)) {
        snprintf(error, MACHINE_ERROR, "the dump could not be written");
        return RUN_FAILED;
    }
    int status = machine_move(run->options.saves, true, move_file, run, error);
    if (status == 0)
        status = end_log(run, true, error);
    if (status != 0)
        return status > 0 ? RUN_FAULT : RUN_FAILED;
    if (send_summary(run, true) == 0)
        return RUN_DONE;
    snprintf(error, MACHINE_ERROR, "the summary could not be recorded");
    return RUN_FAILED;
}

static void ventus_progress(const struct machine_run *run, struct run_progress *progress)
{
    *progress = (struct run_progress){.items_done = run->values.steps};
    if (run->model)
        *progress = (struct run_progress){.cycles = run->model->finish,
                                          .total = run->model->finish,
                                          .items_done = run->model->kernel.events};
}

static int ventus_stop(struct machine_run *run)
{
    return run->finished ? 0 : send_summary(run, false);
}

static uint64_t ventus_hash(const struct machine_run *run)
{
    return ventus_run_hash(&run->values);
}

static const struct machine_option options[] = {
    {.commands = "run why expect",
     .name = "max-instructions",
     .argument = "N",
     .help = "a launch whose warps have not ended after N instructions\n"
             "is at fault (1000000000)"},
    {.commands = "run",
     .name = "log",
     .argument = "FILE",
     .file = MACHINE_WRITES,
     .help = "write each warp's instructions and what they wrote, as\n"
             "the public functional simulator lists them"},
    {.name = NULL},
};

const struct machine machine_ventus = {
    .name = "ventus",
    .title = "Ventus GPGPU",
    .extensions = ".metadata .ventus .yaml",
    .params = params,
    .param_count = VENTUS_PARAMS,
    .warnings = ventus_names,
    .config_text = ventus_config,
    .config_end = ventus_config_end,
    .config_name = "config/ventus/ventus.yaml",
    .options = options,
    .places = "m:ADDR (memory, in 64-bit words)",
    .load = ventus_load,
    .unload = ventus_unload,
    .valid = ventus_valid,
    .accept = ventus_accept,
    .check = ventus_check,
    .print = ventus_print,
    .open = ventus_open,
    .advance = ventus_advance,
    .progress = ventus_progress,
    .stop = ventus_stop,
    .hash = ventus_hash,
    .put = put,
    .get = get,
    .range = find_range,
    .close = ventus_close,
};
