/* machine: MN-Core 2 as the commands see it (timing/machine.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/embed.h"
#include "timing/mncore2/check.h"
#include "timing/mncore2/removable.h"
#include "timing/mncore2/run.h"

EMBED(config_mncore2_yaml, "config/mncore2/mncore2.yaml");

/* --- programs ---------------------------------------------------------------------------------- */

static int load(struct machine_program **program, const struct source *sources, size_t count,
                struct diag_list *diags)
{
    *program = calloc(1, sizeof **program);
    if (!*program)
        return -1;
    return program_parse(&(*program)->program, sources, count, diags);
}

static void unload(struct machine_program *program)
{
    if (!program)
        return;
    program_free(&program->program);
    free(program);
}

static int check(const struct machine_program *program, const struct config *config,
                 const char *packing, struct diag_list *diags)
{
    return mncore2_check(&program->program, config, packing, diags);
}

/* Warnings about nops: the rules have been checked, unless the interlock does instead. */
static bool wants_nops(const struct run_options *options)
{
    bool wants = !options->interlock && !options->functional_only;
    for (const char *const *name = options->silenced; name && *name; name++)
        wants = wants && strcmp(*name, "removable") != 0 && strcmp(*name, "all") != 0;
    return wants;
}

/* A header before the run, the model whose units it names, and the search that can be done before the run. */
struct early_header {
    struct report_header header; /* first */
    struct model model;
    struct nops nops;
};

static void header_free(struct sink_header *told)
{
    struct early_header *early = (struct early_header *)told;
    if (!early)
        return;
    report_header_free(&early->header);
    model_free(&early->model);
    nops_free(&early->nops);
    free(early);
}

static void look_for_nops(void *nops)
{
    nops_look(nops);
}

static int header(struct sink_header **told, const struct machine_program *program,
                  const struct config *config, const struct run_options *options)
{
    char unsaid[MACHINE_ERROR]; /* the run will say it */
    struct early_header *early = calloc(1, sizeof *early);
    *told = NULL;
    if (!early)
        return -1;
    int status = model_init(&early->model, config, unsaid, sizeof unsaid);
    if (status == 0)
        status = report_header(&early->header, &program->program, config, &early->model,
                               options->command);
    if (status == 0 && wants_nops(options)) {
        nops_begin(&early->nops, &program->program, config, options->documented);
        early->header.told.work = look_for_nops;
        early->header.told.work_asked = &early->nops;
    }
    *told = &early->header.told;
    if (status != 0) {
        header_free(*told);
        *told = NULL;
    }
    return status;
}

static int removable(const struct machine_program *program, const struct config *config,
                     struct diag_list *diags)
{
    return removable_diags(&program->program, config, diags);
}

static int print(const struct machine_program *program, const char *packing, bool packed, FILE *out)
{
    enum packing chosen;
    if (packing_choose(&program->program, packing, &chosen) != 0)
        return 1;
    return stream_print(&program->program, chosen, packed, out);
}

/* --- open -------------------------------------------------------------------------------------- */

static void close_run(struct machine_run *run)
{
    if (!run)
        return;
    report_free(run); /* the sink may be at what follows */
    nops_free(&run->nops);
    for (unsigned l = 0; l < run->lane_count; l++) {
        mv_free(&run->lanes[l].mv);
        hazard_window_free(run->lanes[l].window);
        hazard_free(run->lanes[l].hazard);
    }
    for (size_t d = 0; d < run->dar_count; d++)
        free(run->dars[d]);
    free(run->dars);
    free(run->landed);
    free(run->stalls);
    free(run->stmts);
    skip_close(run);
    free(run->patterns);
    classes_free(run);
    account_free(&run->account);
    model_free(&run->model);
    if (run->exec)
        exec_free(run->exec);
    free(run);
}

static int choose_packing(struct machine_run *run)
{
    if (packing_choose(run->program, run->options.packing, &run->packing) != 0) {
        snprintf(run->error, MACHINE_ERROR, "packing must be none, auto or flat, not '%.60s'",
                 run->options.packing);
        return 1;
    }
    run->packer = packer_start(run->packing);
    return 0;
}

static int open_lane(struct machine_run *run, unsigned l, size_t transfers)
{
    struct lane *lane = &run->lanes[l];
    const bool documented = l == 1 || run->options.documented;
    lane->numbers = documented ? &run->model.documented : &run->model.estimate;
    lane->tokens = lane->numbers->buffer_bytes;
    run->lane_count = l + 1;
    if (run->options.interlock) {
        lane->hazard = hazard_new(run->config, documented);
        lane->window = lane->hazard ? hazard_window_new(lane->hazard) : NULL;
        if (!lane->window)
            return -1;
    }
    return mv_init(&lane->mv, &run->model, lane->numbers, l == 0 ? &run->account : NULL, transfers);
}

static void open_nops(struct machine_run *run)
{
    struct early_header *early = (struct early_header *)run->options.early;
    if (!run->sink->ops->warning || !wants_nops(&run->options))
        return;
    if (early && early->nops.looked) {
        run->nops = early->nops;
        early->nops = (struct nops){0};
    } else {
        nops_begin(&run->nops, run->program, run->config, run->options.documented);
        nops_start(&run->nops);
    }
}

static int open_time(struct machine_run *run)
{
    const struct program *program = run->program;
    size_t transfers = 0;
    for (size_t i = 0; i < program->item_count; i++)
        transfers += program->stmts[program->items[i].stmt].kind == STMT_MV;
    run->landed = calloc(run->model.unit_count, sizeof *run->landed);
    if (!run->landed || classes_init(run) != 0 ||
        account_init(&run->account, run->model.unit_count, run->sink) != 0)
        return -1;
    for (unsigned l = 0; l < (run->options.documented ? 1u : 2u); l++)
        if (open_lane(run, l, transfers) != 0)
            return -1;
    const struct sink_ops *ops = run->sink->ops;
    open_nops(run);
    run->steps_whole = run->account.sink && ops->pattern && ops->step && ops->hold;
    run->plain = run->packing == PACKING_NONE;
    if (!run->plain) {
        run->plain = true;
        for (unsigned l = 0; l < run->lane_count; l++)
            if (run->lanes[l].numbers->supply || run->lanes[l].numbers->mv_slot_cycles)
                run->plain = false;
    }
    return skip_open(run);
}

/* "zero", "pattern", "random:SEED". */
static int choose_init(const char *init, struct exec_options *options, char *error)
{
    char *end;
    options->init = INIT_ZERO;
    if (!init || strcmp(init, "zero") == 0)
        return 0;
    if (strcmp(init, "pattern") == 0) {
        options->init = INIT_PATTERN;
        return 0;
    }
    errno = 0;
    if (strncmp(init, "random:", 7) == 0 && init[7] >= '0' && init[7] <= '9') {
        options->init = INIT_RANDOM;
        options->seed = strtoull(init + 7, &end, 0);
        if (!errno && !*end)
            return 0;
    }
    snprintf(error, MACHINE_ERROR, "--init takes zero, pattern or random:SEED, not '%.60s'",
             init);
    return 1;
}

static int check_options(const struct run_options *options, char error[MACHINE_ERROR])
{
    struct exec_options unused = {0};
    return choose_init(options->init, &unused, error) != 0 ||
                   machine_specs(options->loads, false, exec_spec, error) != 0 ||
                   machine_specs(options->saves, true, exec_spec, error) != 0
               ? 1
               : 0;
}

/* Load or save each "SPEC=FILE". */
static int move_files(struct machine_run *run, const char *const *list, bool save)
{
    for (; list && *list; list++) {
        char spec[MACHINE_SPEC];
        const char *path = machine_spec(*list, save, spec, run->error);
        if (!path)
            return 1;
        const bool big = run->options.word_order_big;
        const int status = save ? exec_save(run->exec, spec, path, big, run->error, MACHINE_ERROR)
                                : exec_load(run->exec, spec, path, big, run->error, MACHINE_ERROR);
        if (status != 0)
            return status;
    }
    return 0;
}

static int open_values(struct machine_run *run)
{
    struct exec_options options = {.dump = run->options.dump,
                                   .threads = run->options.threads,
                                   .reference = run->options.reference};
    const int status = choose_init(run->options.init, &options, run->error);
    if (status != 0)
        return status;
    run->exec = exec_new(&options, run->error, MACHINE_ERROR);
    if (!run->exec)
        return -1;
    run->dar_changed = true;
    return move_files(run, run->options.loads, false);
}

enum { DAR_LINE = 256 }; /* bytes, without the comment */

/* GROUP ENTRY ADDRESS; # begins a comment. False when the line is neither that nor empty. */
static bool read_dar_line(char *line, uint32_t *dar)
{
    line[strcspn(line, "#\n")] = '\0';
    if (line[strspn(line, " \t\r")] == '\0')
        return true;
    unsigned long long value[3];
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        line += strspn(line, " \t");
        value[i] = strtoull(line, &end, 0);
        if (end == line || errno || *line == '-')
            return false;
        line = end;
    }
    if (line[strspn(line, " \t\r")] || value[0] >= GROUPS || value[1] >= DAR_ENTRIES ||
        value[2] > UINT32_MAX)
        return false;
    dar[value[0] * DAR_ENTRIES + value[1]] = (uint32_t)value[2];
    return true;
}

/* The next line, the rest of a long comment left out. False at the end; *whole: it is one. */
static bool next_dar_line(FILE *file, char line[DAR_LINE], bool *whole)
{
    if (!fgets(line, DAR_LINE, file))
        return false;
    *whole = strchr(line, '\n') || feof(file);
    if (!*whole && strchr(line, '#')) {
        int c;
        while ((c = getc(file)) != EOF && c != '\n')
            ;
        *whole = true;
    }
    return true;
}

/* Entries not named hold 0. */
static int read_dar(struct machine_run *run)
{
    FILE *file = fopen(run->options.dar, "r");
    if (!file) {
        snprintf(run->error, MACHINE_ERROR, "%.200s: %s", run->options.dar, strerror(errno));
        return 1;
    }
    uint32_t *dar = calloc((size_t)GROUPS * DAR_ENTRIES, sizeof *dar);
    run->dars = calloc(1, sizeof *run->dars);
    int status = dar && run->dars ? 0 : -1;
    if (status != 0)
        snprintf(run->error, MACHINE_ERROR, "no memory for the DAR contents");
    char line[DAR_LINE];
    bool whole;
    for (unsigned long number = 1; status == 0 && next_dar_line(file, line, &whole); number++)
        if (!whole || !read_dar_line(line, dar)) {
            snprintf(run->error, MACHINE_ERROR,
                     "%.200s:%lu: expected GROUP (0..3) ENTRY (0..1023) ADDRESS (32 bits)",
                     run->options.dar, number);
            status = 1;
        }
    if (status == 0 && !feof(file)) {
        snprintf(run->error, MACHINE_ERROR, "%.200s: %s", run->options.dar, strerror(errno));
        status = 1;
    }
    fclose(file);
    if (status == 0) {
        run->dars[0] = dar;
        run->dar_count = run->dar_capacity = 1;
    } else {
        free(dar);
    }
    return status;
}

/* Without values an indirect address is known from a file only. */
static int open_dar(struct machine_run *run, struct diag_list *diags)
{
    if (run->options.dar)
        return read_dar(run);
    const struct program *program = run->program;
    int status = 0;
    for (size_t i = 0; i < program->item_count; i++) {
        const struct stmt *stmt = &program->stmts[program->items[i].stmt];
        if (stmt->kind != STMT_MV)
            continue;
        const struct mv_operand *operand =
            stmt->mv->from.indirect ? &stmt->mv->from : &stmt->mv->to;
        if (!operand->indirect)
            continue;
        const struct diag at = {.severity = DIAG_ERROR,
                                .file = program_source(program, i),
                                .line = program->items[i].line,
                                .column = operand->column ? operand->column : 1,
                                .length = operand->length ? operand->length : 1,
                                .missing_steps = -1,
                                .missing_cycles = -1,
                                .rule = "3.5.6",
                                .name = ""};
        diag_add(diags, &at,
                 "the time of an indirect access depends on the DAR, which a run without values "
                 "does not know\nrun with values, or give the DAR contents with --dar FILE");
        status = 1;
    }
    return status;
}

static int open_parts(struct machine_run *run, struct diag_list *diags)
{
    int status = choose_packing(run);
    if (status == 0)
        status = model_init(&run->model, run->config, run->error, MACHINE_ERROR);
    if (status == 0 && !run->options.functional_only)
        status = open_time(run);
    if (status == 0)
        status = run->options.timing_only ? open_dar(run, diags) : open_values(run);
    if (status == 0)
        status = report_begin(run);
    return status;
}

static int open_run(struct machine_run **result, const struct machine_program *program,
                    const struct config *config, const struct run_options *options,
                    const struct sink *sink, struct diag_list *diags, char error[MACHINE_ERROR])
{
    struct machine_run *run = calloc(1, sizeof *run);
    *result = NULL;
    if (!run) {
        snprintf(error, MACHINE_ERROR, "out of memory");
        return -1;
    }
    error[0] = '\0';
    run->program = &program->program;
    run->config = config;
    run->options = *options;
    run->sink = sink;
    run->error = error;
    run->skip_from = SIZE_MAX;
    const int status = open_parts(run, diags);
    if (status != 0) {
        if (status < 0 && !error[0])
            snprintf(error, MACHINE_ERROR, "out of memory");
        close_run(run);
        return status;
    }
    *result = run;
    return 0;
}

/* --- run --------------------------------------------------------------------------------------- */

static enum run_status finish(struct machine_run *run)
{
    if (!run->options.functional_only)
        run_end(run);
    if (run->exec) {
        const int status = move_files(run, run->options.saves, true);
        if (status != 0)
            return status > 0 ? RUN_FAULT : RUN_FAILED;
    }
    if (report_finish(run, true) != 0) {
        snprintf(run->error, MACHINE_ERROR, "the trace could not be written");
        return RUN_FAILED;
    }
    return RUN_DONE;
}

static enum run_status advance(struct machine_run *run, uint64_t budget, struct diag_list *diags,
                               char error[MACHINE_ERROR])
{
    run->error = error;
    if (run->finished)
        return RUN_DONE;
    /* What is known already is told first: a sink may be at it while the program runs. */
    const bool known = !run->nops.threaded && run->nops.looked;
    const enum run_status status = known && nops_tell(&run->nops, run->sink) != 0
                                       ? RUN_FAILED
                                       : run_items(run, budget, diags);
    if (status == RUN_FAILED && !error[0]) {
        FILE *dump = run->options.dump;
        snprintf(error, MACHINE_ERROR, "%s",
                 dump && ferror(dump)
                     ? "the dump could not be written"
                     : "the host failed: out of memory, or the trace could not be written");
    }
    if (status != RUN_MORE || run->next_item < run->program->item_count)
        return status;
    return finish(run);
}

static void progress(const struct machine_run *run, struct run_progress *progress)
{
    *progress = (struct run_progress){.cycles = run->lanes[0].now,
                                      .items_done = run->next_item,
                                      .items_total = run->program->item_count,
                                      .items_skipped = run->items_skipped};
}

static int stop(struct machine_run *run)
{
    return run->finished ? 0 : report_finish(run, false);
}

static uint64_t hash(const struct machine_run *run)
{
    return run->exec ? exec_hash(run->exec) : 0;
}

static int valid(const struct config *config, char error[MACHINE_ERROR])
{
    return model_check(config, error, MACHINE_ERROR);
}

/* In the order of docs/diagnostics.md. */
static const char *const warnings[] = {"host-line", "ambiguous-l2bm", "immediate-overflow", "address-wraps",
                                       "short-reduce",    "reduce-long",        "unaligned-dars",
                                       "unaligned-dram",  "set-outer-memory",   "never-written",
                                       "never-forwarded", "stale-forward",      "turn-back-kind",
                                       "dead-write",      "mv-race",            "tag-never-waited",
                                       "tag-reused",      "wait-without-mv",    "variable-mask",
                                       "removable",       NULL};

const struct machine machine_mncore2 = {
    .name = "mncore2",
    .title = "PFN MN-Core 2",
    .extensions = ".vsm",
    .params = mncore2_params,
    .param_count = PARAM_MNCORE2_COUNT,
    .warnings = warnings,
    .config_text = config_mncore2_yaml,
    .config_end = config_mncore2_yaml_end,
    .config_name = "config/mncore2/mncore2.yaml",
    .load = load,
    .unload = unload,
    .valid = valid,
    .options = check_options,
    .check = check,
    .removable = removable,
    .header = header,
    .header_free = header_free,
    .print = print,
    .open = open_run,
    .advance = advance,
    .progress = progress,
    .stop = stop,
    .hash = hash,
    .close = close_run,
};
