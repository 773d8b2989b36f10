/* diff: what makes one version of a program faster or slower than another. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/diff_measured.h"
#include "cli/diff_run.h"
#include "cli/files.h"
#include "host/failure.h"
#include "host/file.h"

static const char help[] =
    "usage: takt diff [OPTION]... A B\n"
    "       takt diff [OPTION]... PROGRAM MEASURED.csv\n"
    "Where two programs or finished traces of one machine differ in time: cycles, the\n"
    "statements moved, changed, added and removed, the parameters, whether both\n"
    "compute the same, and terms by statement, reason and unit that add up to the\n"
    "difference. Programs are run here, both with these options.\n"
    "With a list of measured issues (cycle,event,stream,place,word) instead of B:\n"
    "how many intervals between issues are as measured, the first that is not and\n"
    "what the run waited for, and which number or choice of the machine would make\n"
    "more of them equal.\n"
    "\n"
    "  --all              every term and every edit; every rule, kind and line of a\n"
    "                     list\n"
    "  --start            with a list: the cycle of each stream's first issue counts,\n"
    "                     too, from the run's begin\n"
    "  --exit-code        exit 1 if they differ: in cycles, statements, parameters or\n"
    "                     values\n"
    "  --html FILE        also write a page with both programs side by side\n"
    "  --compare WHAT     which values are compared (may be given again): get, what\n"
    "                     d get prints; state, all of the machine; or SPEC+COUNT as\n"
    "                     of takt run --save. Default: get, or state where nothing\n"
    "                     prints\n"
    "  --set KEY=VALUE    one parameter of both programs\n"
    "  --set-a KEY=VALUE  one parameter of A alone\n"
    "  --set-b KEY=VALUE  one parameter of B alone\n"
    "  --documented       by documented numbers alone: what no document gives is at\n"
    "                     the value that limits least\n"
    "  --threads N        values on N threads\n"
    "  --machine NAME     of the programs, instead of the one by extension\n"
    "@common\n"
    "\n"
    "@exit 0 fine, whether they differ or not, 1 errors in a program or trace, or they "
    "differ and --exit-code is given\n";

struct args {
    struct diff_options options;
    struct diff_input inputs[2];
    const char *html;
    bool all, exit_code, start;
};

/* What cannot have any effect, since a trace is what it is. */
static int contradiction(const struct args *args)
{
    const struct run_options *run = &args->options.both.run;
    const char *option = args->options.both.sets.count       ? "--set"
                         : args->options.both.files.count    ? "--config"
                         : run->documented                   ? "--documented"
                         : run->timing_only                  ? "--timing-only"
                         : run->init                         ? "--init"
                         : args->options.both.loads.count    ? "--load"
                         : run->threads > 1                  ? "--threads"
                         : args->options.compare.count       ? "--compare"
                         : args->options.both.machine_name   ? "--machine"
                         : args->options.both.silenced.count ? "--silence"
                         : args->options.both.settings.count
                             ? args->options.both.settings.items[0].name
                             : NULL;
    const bool dashes = option && option[0] == '-';
    if (option && args->inputs[0].trace && args->inputs[1].trace)
        return cli_usage("diff", "nothing is run: both are traces, %s%s changes nothing",
                         dashes ? "" : "--", option);
    if (args->options.compare.count && (args->inputs[0].trace || args->inputs[1].trace))
        return cli_usage("diff", "a trace has no values: --compare is for two programs");
    for (unsigned s = 0; s < 2; s++)
        if (args->inputs[s].trace && args->inputs[s].sets.count)
            return cli_usage("diff", "%s is a trace: --set-%c changes nothing",
                             args->inputs[s].path, 'a' + (int)s);
    if (args->inputs[0].session.machine != args->inputs[1].session.machine)
        return cli_usage("diff", "%s is of %s, %s of %s: two machines cannot be compared",
                         args->inputs[0].path, args->inputs[0].session.machine->title,
                         args->inputs[1].path, args->inputs[1].session.machine->title);
    return EXIT_FINE;
}

static int print_page(const void *answer, FILE *out)
{
    return diff_print_html(answer, out);
}

static int print(const struct args *args, const struct diff_answer *answer)
{
    int code = args->html ? cli_write("diff", args->html, print_page, answer) : EXIT_FINE;
    if (code != EXIT_FINE)
        return code;
    const int status =
        args->options.both.json ? diff_print_json(answer, stdout) : diff_print_text(answer, stdout);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "diff", "could not write the answer");
}

static bool differs(const struct diff_answer *answer)
{
    const struct diff *diff = answer->diff;
    for (unsigned s = 0; s < 2; s++)
        for (int kind = DIFF_SAME + 1; kind <= DIFF_ALONE; kind++)
            if (diff->counts[s][kind])
                return true;
    return diff->term_count || diff->value_count || diff->diverges ||
           answer->values.verdict == DIFF_UNEQUAL;
}

static int compare(struct args *args)
{
    struct diff_input *a = &args->inputs[0], *b = &args->inputs[1];
    struct strings strings = {0};
    struct diff diff = {.difference = 0};
    char *texts[2] = {NULL, NULL};
    struct diff_answer answer = {
        .diff = &diff, .names = {a->path, b->path}, .all = args->all, .width = cli_width(stdout)};
    int code = diff_input_read(a, &args->options, &strings);
    if (code == EXIT_FINE)
        code = diff_input_read(b, &args->options, &strings);
    if (code == EXIT_FINE)
        code = diff_input_values(a, b, &args->options, &answer.values, texts);
    answer.data[0] = a->data;
    answer.data[1] = b->data;
    if (code == EXIT_FINE) {
        code = diff_make(&diff, &a->side, &b->side, &strings) == 0
                   ? print(args, &answer)
                   : cli_fail(EXIT_HOST, "diff", "out of memory");
        if (code == EXIT_FINE && args->exit_code && differs(&answer))
            code = EXIT_INPUT;
        diff_free(&diff);
    }
    strings_free(&strings);
    free(texts[0]);
    free(texts[1]);
    return code;
}

static int check_files(const struct args *args, char **paths)
{
    if (args->html && replace_is_output(args->html))
        return cli_usage("diff", "--html writes a file; ./- is one of the name -");
    struct cli_files files = {.out_of_memory = false};
    for (unsigned s = 0; s < 2; s++)
        files_read(&files, paths[s]);
    files_read_list(&files, &args->options.both.files);
    files_written(&files, "--html", args->html);
    return files_check(&files, "diff");
}

static int open_inputs(struct args *args, char **paths)
{
    for (unsigned s = 0; s < 2; s++)
        args->inputs[s].path = paths[s];
    const int checked = check_files(args, paths);
    if (checked != EXIT_FINE)
        return checked;
    for (size_t i = 0; i < args->options.both.files.count; i++)
        if (strcmp(args->options.both.files.items[i], "-") == 0)
            return cli_usage("diff", "--config is read for A and for B, so it cannot be -");
    int code = cli_stdin_once("diff", paths, 2, NULL);
    for (unsigned s = 0; code == EXIT_FINE && s < 2; s++)
        code = diff_input_open(&args->inputs[s], &args->options);
    if (code == EXIT_FINE)
        code = cli_silenced("diff", args->inputs[0].session.machine, &args->options.both.silenced);
    return code == EXIT_FINE ? contradiction(args) : code;
}

/* What a list has no place for. */
static int only_of_programs(const struct args *args)
{
    const char *option = args->exit_code                     ? "--exit-code"
                         : args->inputs[0].sets.count        ? "--set-a"
                         : args->inputs[1].sets.count        ? "--set-b"
                         : args->options.compare.count       ? "--compare"
                         : args->options.both.run.documented ? "--documented"
                                                             : NULL;
    return option ? cli_usage("diff", "%s is for two programs or traces", option) : EXIT_FINE;
}

static int end_measured(struct args *args, char **paths)
{
    const struct diff_measured job = {
        .program = paths[0],
        .list = paths[1],
        .html = args->html,
        .all = args->all,
        .start = args->start,
        .both = &args->options.both,
    };
    int code = only_of_programs(args);
    if (code == EXIT_FINE)
        code = check_files(args, paths);
    if (code == EXIT_FINE)
        code = cli_stdin_once("diff", paths, 2, NULL);
    if (code == EXIT_FINE)
        code = diff_measured(&job);
    code = cli_end_json(args->options.both.json, code);
    cli_list_free(&args->inputs[0].sets);
    cli_list_free(&args->inputs[1].sets);
    cli_list_free(&args->options.compare);
    session_close(&args->options.both);
    return code;
}

int cmd_diff(int argc, char **argv)
{
    struct args args = {.options.both.command = "diff"};
    struct session *both = &args.options.both;
    struct cli_list *compare_list = &args.options.compare;
    uint64_t threads = 1;
    const struct cli_option table[] = {
        {"all", .flag = &args.all},
        {"exit-code", .flag = &args.exit_code},
        {"html", .text = &args.html},
        {"start", .flag = &args.start},
        {"compare", .list = compare_list},
        {"set-a", .list = &args.inputs[0].sets},
        {"set-b", .list = &args.inputs[1].sets},
        {"documented", .flag = &both->run.documented},
        {"threads", .number = &threads, .low = 1, .high = 256},
        SESSION_OPTIONS(*both),
        SESSION_VALUES(*both),
    };
    int code;
    if (SESSION_TAKE(both, help, table, argc, argv, &code)) {
        both->run.threads = (unsigned)threads;
        args.options.pictures = args.html;
        if (argc - optind != 2)
            code = cli_usage("diff", "two programs or traces, A and B");
        else if (both->run.timing_only &&
                 (compare_list->count || both->loads.count || both->run.init))
            code = cli_usage("diff", "--timing-only has no values to %s",
                             compare_list->count ? "compare" : "begin with");
        else if (diff_is_measured(argv[optind + 1]))
            return end_measured(&args, argv + optind);
        else if (args.start)
            code = cli_usage("diff", "--start is for a list of measured issues");
        else
            code = open_inputs(&args, argv + optind);
        if (code == EXIT_FINE) {
            loop_watch(true); /* a signal ends the run, and temporary files go */
            code = compare(&args);
            loop_watch(false);
        }
    }
    diff_input_close(&args.inputs[0]);
    diff_input_close(&args.inputs[1]);
    cli_list_free(compare_list);
    session_close(both);
    return code;
}
