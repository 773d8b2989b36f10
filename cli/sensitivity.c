/* sensitivity: what each number that nobody has published is worth for a program, by runs. */
#include "cli/options.h"

#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "analysis/answer.h"
#include "timing/range.h"
#include "traces/sinks.h"

static const char help[] =
    "usage: takt sensitivity [OPTION]... PROGRAM...\n"
    "Run the program with each unpublished number at both ends of its plausible range\n"
    "(takt config lists them), one number at a time and then all together. The table\n"
    "is sorted by effect. Numbers given by --set or --config stay as they are.\n"
    "\n"
    "  --all             also numbers that change nothing\n"
    "  --json            the answer as JSON on standard output (docs/json.md)\n"
    "  --init KIND       as takt run\n"
    "  --load SPEC=FILE  as takt run\n"
    "  --timing-only     time without values\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE   one parameter\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

struct args {
    bool json, all;
    const char *machine_name;
    struct run_options run;
    struct cli_list files, sets, loads;
    struct cli_settings settings;
};

struct subject {
    const struct machine *machine;
    const struct config *config;
    const char *name;
    uint64_t cycles;
    struct range range;
};

/* --- text ------------------------------------------------------------------------------------- */

static double percent(const struct subject *s, uint64_t cycles)
{
    return s->cycles ? 100.0 * ((double)cycles - (double)s->cycles) / (double)s->cycles : 0;
}

static void print_ends(char *text, size_t size, const struct param *param)
{
    size_t choices = 0;
    while (param->choices && param->choices[choices])
        choices++;
    if (param->row->type == PARAM_TEXT)
        snprintf(text, size, "%zu choices", choices);
    else
        snprintf(text, size, "%.6g .. %.6g", param->plausible_low, param->plausible_high);
}

static void print_row(const struct subject *s, const struct range_row *row)
{
    char ends[64], low[ANSWER_NUMBER], high[ANSWER_NUMBER];
    const struct param *param = &s->config->params[row->param];
    print_ends(ends, sizeof ends, param);
    answer_number(low, (int64_t)row->at_low);
    answer_number(high, (int64_t)row->at_high);
    printf("  %-22s %-18s %14s %+7.1f %% %14s %+7.1f %%\n", param->row->name, ends, low,
           percent(s, row->at_low), high, percent(s, row->at_high));
}

static void print_text(const struct subject *s, bool all)
{
    const struct range *range = &s->range;
    char total[ANSWER_NUMBER], low[ANSWER_NUMBER], high[ANSWER_NUMBER];
    printf("%s   %s cycles   range %s to %s over %zu unpublished numbers\n", s->name,
           answer_number(total, (int64_t)s->cycles), answer_number(low, (int64_t)range->low),
           answer_number(high, (int64_t)range->high), range->count);
    printf("  %-22s %-18s %24s %24s\n", "parameter", "plausible", "at its least",
           "at its greatest");
    size_t still = 0;
    for (size_t i = 0; i < range->count; i++) {
        const struct range_row *row = &range->rows[i];
        if (all || row->greatest > row->least)
            print_row(s, row);
        else
            still++;
    }
    if (still)
        printf("  %zu more change nothing\n", still);
    printf("  all at their optimistic ends %s, at their pessimistic ends %s; %s is a lower bound\n",
           answer_number(total, (int64_t)range->optimistic),
           answer_number(high, (int64_t)range->pessimistic),
           answer_number(low, (int64_t)range->low));
    if (range->count && range->rows[0].greatest > range->rows[0].least) {
        const struct range_row *most = &range->rows[0];
        printf("MEASURE  %s: it moves the total by %s cycles, more than any other\n",
               s->config->params[most->param].row->name,
               answer_number(total, (int64_t)(most->greatest - most->least)));
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *row_json(const struct subject *s, const struct range_row *row)
{
    const struct param *param = &s->config->params[row->param];
    return json_pack("{s:s, s:s, s:o, s:[I, I], s:I, s:I}", "name", param->row->name, "provenance",
                     provenance_name[param->provenance], "plausible", cli_plausible(param), "at",
                     (json_int_t)row->at_low, (json_int_t)row->at_high, "least",
                     (json_int_t)row->least, "greatest", (json_int_t)row->greatest);
}

static int print_json(const struct subject *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->range.count; i++)
        json_array_append_new(rows, row_json(s, &s->range.rows[i]));
    json_t *root = json_pack("{s:s, s:s, s:I, s:{s:I, s:I}, s:I, s:I, s:o}", "program", s->name,
                             "machine", s->machine->name, "cycles", (json_int_t)s->cycles, "range",
                             "low", (json_int_t)s->range.low, "high", (json_int_t)s->range.high,
                             "optimistic", (json_int_t)s->range.optimistic, "pessimistic",
                             (json_int_t)s->range.pessimistic, "parameters", rows);
    return cli_json("sensitivity", root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

/* --- the runs --------------------------------------------------------------------------------- */

static int failed(enum run_status status, const char *error)
{
    return cli_fail(status == RUN_FAULT ? EXIT_INPUT : EXIT_HOST, "sensitivity", "%s",
                    error[0] ? error : "the program is at fault");
}

/* The run as configured, then the others. */
static int find(struct subject *s, struct machine_run *run, struct diag_list *diags)
{
    char error[MACHINE_ERROR] = "";
    struct loop_result result;
    if (loop_run(&(struct loop_run){.machine = s->machine, .run = run, .diags = diags}, error,
                 &result) != 0)
        return cli_fail(EXIT_HOST, "sensitivity", "%s", error);
    if (result.interrupted)
        return EXIT_INTERRUPTED;
    if (result.status != RUN_DONE)
        return failed(result.status, error);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct run_progress progress;
    s->machine->progress(run, &progress);
    s->cycles = progress.total;
    if (s->machine->range(run, processors > 1 ? (unsigned)processors : 1, &s->range) != 0)
        return cli_fail(EXIT_HOST, "sensitivity", "out of memory");
    return EXIT_FINE;
}

static int answer(const struct args *args, struct subject *s, const struct source *sources,
                  size_t count)
{
    char error[MACHINE_ERROR] = "";
    struct diag_list diags;
    diag_list_init(&diags);
    struct machine_program *program = NULL;
    struct machine_run *run = NULL;
    const struct sink sink = sink_null();
    int code = EXIT_FINE;
    int status = s->machine->load(&program, sources, count, &diags);
    if (status == 0)
        status = s->machine->check(program, s->config, args->settings.items, &diags);
    if (status == 0) {
        const struct run_setup setup = {program, s->config, &args->run, &sink};
        status = s->machine->open(&run, &setup, &diags, error);
    }
    if (status != 0) {
        diag_sort(&diags);
        cli_diags_errors(&diags, sources, count);
        if (args->json && diags.errors)
            cli_diags_json("sensitivity", &diags, sources, count);
        code = status < 0 || error[0] ? cli_fail(status < 0 ? EXIT_HOST : EXIT_INPUT, "sensitivity",
                                                 "%s", error[0] ? error : "out of memory")
                                      : EXIT_INPUT;
    } else {
        code = find(s, run, &diags);
        cli_diags_errors(&diags, sources, count);
    }
    if (code == EXIT_FINE && args->json)
        code = print_json(s);
    else if (code == EXIT_FINE)
        print_text(s, args->all);
    if (run)
        s->machine->close(run);
    if (program)
        s->machine->unload(program);
    range_free(&s->range);
    diag_list_free(&diags);
    return code;
}

static int sensitivity(struct args *args, char **paths, size_t count)
{
    struct config config = {0};
    struct subject s = {.machine = cli_machine_for("sensitivity", args->machine_name, paths, count),
                        .name = paths[0]};
    if (!s.machine)
        return EXIT_USAGE;
    args->run.settings = args->settings.items;
    args->run.loads = args->loads.items;
    args->run.threads = 1;
    int code = cli_stdin_once("sensitivity", paths, count, &args->files);
    if (code == EXIT_FINE)
        code = options_accept("sensitivity", s.machine, &args->run);
    if (code == EXIT_FINE)
        code = cli_config("sensitivity", s.machine, &args->files, &args->sets, &config);
    if (code != EXIT_FINE)
        return code;
    s.config = &config;
    struct source *sources = calloc(count, sizeof *sources);
    code = sources ? cli_open_sources("sensitivity", paths, count, sources)
                   : cli_fail(EXIT_HOST, "sensitivity", "out of memory");
    if (code == EXIT_FINE) {
        code = answer(args, &s, sources, count);
        cli_close_sources(sources, count);
    }
    free(sources);
    config_free(&config);
    return code;
}

int cmd_sensitivity(int argc, char **argv)
{
    struct args args = {.json = false};
    const struct cli_option table[] = {
        {"all", .flag = &args.all},
        {"json", .flag = &args.json},
        {"init", .text = &args.run.init},
        {"load", .list = &args.loads},
        {"timing-only", .flag = &args.run.timing_only},
        {"machine", .text = &args.machine_name},
        {"config", .list = &args.files},
        {"set", .list = &args.sets},
    };
    const struct cli_options options = {"sensitivity", help, table, sizeof table / sizeof *table,
                                        &args.settings};
    int code;
    if (options_take(&options, argc, argv, &code))
        code = optind < argc ? sensitivity(&args, argv + optind, (size_t)(argc - optind))
                             : cli_usage("sensitivity", "which program?");
    cli_list_free(&args.files);
    cli_list_free(&args.sets);
    cli_list_free(&args.loads);
    cli_settings_free(&args.settings);
    return cli_end_json(args.json, code);
}
