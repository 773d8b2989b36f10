/* fit: what measurements say of the unpublished numbers, and a chip file with what they leave. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "analysis/fit.h"
#include "analysis/fit_next.h"
#include "analysis/utf8_json.h"
#include "cli/files.h"
#include "cli/options.h"
#include "timing/machines.h"

static const char help[] =
    "usage: takt fit [OPTION]... LIST...\n"
    "Settings of the unpublished numbers that explain what was measured on one chip.\n"
    "A LIST names programs and their measured values (docs/calibrating.md). Printed\n"
    "are each measurement as fitted and as the others alone predict it, each number\n"
    "with the values in the settings kept and those that bounds leave, and what no\n"
    "measurement sees; or, when no setting explains all, measurements that contradict\n"
    "each other.\n"
    "\n"
    "  --out CHIP.yaml    write a chip file for --config, with narrower ranges\n"
    "  --compromise       write it even when the measurements contradict each other\n"
    "  --next PROGRAM     which ten measurements would shrink the range of this\n"
    "                     program most: of the LIST's without a value, and of the\n"
    "                     machine's probes, programs of one shape each; may be given\n"
    "                     again\n"
    "  --probe NAME       print a probe instead, to be measured\n"
    "  --html FILE        also write a page with each range and each residual\n"
    "  --seed N           of the search; default 1\n"
    "  --effort N         of the search, per cent of the usual; default 100\n"
    "  --threads N        default: all processors; the answer does not depend on it\n"
    "  --progress         on standard error, even when that is no terminal\n"
    "  --set KEY=VALUE    one parameter, which stays as it is\n"
    "@common\n"
    "\n"
    "An interrupt ends the search; what it has found so far is the answer.\n"
    "@exit 0 fine, 1 a list or program has errors, or the measurements contradict each "
    "other\n";

struct job {
    bool json, compromise, progress;
    const char *out, *html, *probe;
    uint64_t seed, effort, threads;
    struct cli_list files, sets, programs;
    char **lists; /* their paths */
    size_t list_count;
    struct fit_next next;
    struct fit_list list;
    struct config config;
    struct fit fit;
    char *chip; /* the text of its file */
    size_t chip_size;
};

static int read_lists(struct job *job)
{
    char error[FIT_ERROR] = "";
    for (size_t i = 0; i < job->list_count; i++) {
        struct source file;
        const int opened = source_open(&file, job->lists[i], error, sizeof error);
        if (opened != 0)
            return cli_status("fit", opened, error);
        const struct config_file text = {file.name, file.text, file.size};
        const int code = cli_fail_in("fit", fit_list_read(&job->list, &text, error), &file, error);
        source_close(&file);
        if (code != EXIT_FINE)
            return code;
    }
    return EXIT_FINE;
}

/* With the line of the list that the sentence is of; a list of standard input has been read. */
static int fail_in_list(const struct job *job, int status, const char *error)
{
    char unsaid[FIT_ERROR];
    for (size_t i = 0; status > 0 && i < job->list_count; i++) {
        const char *path = job->lists[i];
        const size_t length = strlen(path);
        struct source file;
        if (strncmp(error, path, length) != 0 || error[length] != ':' ||
            source_open(&file, path, unsaid, sizeof unsaid) != 0)
            continue;
        const int code = cli_fail_in("fit", status, &file, error);
        source_close(&file);
        return code;
    }
    return cli_status("fit", status, error);
}

static int check_chip(const struct job *job)
{
    char error[FIT_ERROR] = "";
    struct source chip;
    const int status = fit_list_chip(&job->list, &chip, error);
    if (status != 0)
        return fail_in_list(job, status, error);
    source_close(&chip);
    return EXIT_FINE;
}

/* The command line is laid over the chip of the list. */
static int open_config(struct job *job)
{
    struct cli_list files = {.count = 0};
    const int checked = job->list.chip ? check_chip(job) : EXIT_FINE;
    if (checked != EXIT_FINE)
        return checked;
    bool fine = !job->list.chip || cli_list_add(&files, job->list.chip);
    for (size_t i = 0; fine && i < job->files.count; i++)
        fine = cli_list_add(&files, job->files.items[i]);
    const int code = fine ? cli_config("fit", job->list.machine, &files, &job->sets, &job->config)
                          : cli_fail(EXIT_HOST, "fit", "out of memory");
    cli_list_free(&files);
    return code;
}

/* --- answers ---------------------------------------------------------------------------------- */

static int print_page(const void *fit, FILE *out)
{
    return fit_print_html(fit, out);
}

static int print_chip(const void *answer, FILE *out)
{
    const struct job *job = answer;
    return fwrite(job->chip, 1, job->chip_size, out) == job->chip_size ? 0 : -1;
}

enum { NEXT_SHOWN = 10 };

static void print_next(const struct job *job)
{
    const struct fit_next *next = &job->next;
    if (!job->programs.count)
        return;
    if (job->fit.interrupted || next->interrupted)
        puts("NEXT     not known: interrupted");
    else if (!next->varies)
        puts("NEXT     nothing to propose: all settings kept give the same cycles");
    else if (!next->count)
        puts("NEXT     nothing to propose: no measurement of the list lacks a value, and the "
             "machine has no probes");
    else
        puts("NEXT     by the settings kept alone, what remains of their range (an estimate: a new "
             "fit finds\n"
             "         other settings, and may leave more):");
    for (size_t i = 0; next->varies && i < next->count && i < NEXT_SHOWN; i++)
        printf("         %s%s %s  %.0f %%\n", next->rows[i].measurement->text ? "probe " : "",
               next->rows[i].measurement->program, next->rows[i].measurement->quantity,
               100 * next->rows[i].left);
}

static json_t *next_json(const struct fit_next *next)
{
    json_t *rows = json_array();
    for (size_t i = 0; next->varies && i < next->count && i < NEXT_SHOWN; i++)
        json_array_append_new(
            rows,
            json_pack("{s:b, s:o, s:o, s:f}", "probe", next->rows[i].measurement->text != NULL,
                      "program", utf8_json(next->rows[i].measurement->program), "quantity",
                      utf8_json(next->rows[i].measurement->quantity), "left", next->rows[i].left));
    return rows;
}

static int print_answer(const struct job *job)
{
    const struct fit *fit = &job->fit;
    if (job->json) {
        json_t *json = fit_json(fit);
        if (json && job->programs.count)
            json_object_set_new(json, "next", next_json(&job->next));
        return cli_json("fit", json, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    }
    const bool failed = fit_print_text(fit, stdout) != 0;
    print_next(job);
    return failed ? cli_fail(EXIT_HOST, "fit", "could not write the answer") : EXIT_FINE;
}

static int write_chip(struct job *job)
{
    char error[FIT_ERROR] = "";
    const int status = fit_make_chip(&job->fit, &job->chip, &job->chip_size, error);
    if (status != 0)
        return cli_fail(status > 0 ? EXIT_INPUT : EXIT_HOST, "fit", "%s: %s", job->out,
                        *error ? error : "out of memory");
    return cli_write("fit", job->out, print_chip, job);
}

static int answer(struct job *job)
{
    const struct fit *fit = &job->fit;
    const bool explained = fit_is_explained(fit);
    int code = print_answer(job);
    if (code == EXIT_FINE && job->html)
        code = cli_write("fit", job->html, print_page, &job->fit);
    const bool writes = job->out && fit->sensed && (explained || job->compromise);
    if (code == EXIT_FINE && writes)
        code = write_chip(job);
    if (code != EXIT_FINE)
        return code;
    if (fit->interrupted && job->out && !writes)
        cli_fail(EXIT_INTERRUPTED, "fit", "interrupted; %s was not written%s", job->out,
                 fit->sensed && !job->compromise ? ": no setting explains all measurements yet"
                                                 : "");
    if (fit->interrupted || job->next.interrupted)
        return EXIT_INTERRUPTED;
    if (!explained)
        return cli_fail(EXIT_INPUT, "fit", "no setting explains all measurements%s",
                        job->out && !job->compromise ? "; --compromise writes the nearest one"
                                                     : "");
    return EXIT_FINE;
}

/* The second and the per cent that were said last. */
static void tell_progress(unsigned percent)
{
    static time_t last;
    const time_t now = time(NULL);
    if (now != last) {
        fprintf(stderr, "\r%3u %% searched ", percent > 100 ? 100 : percent);
        fflush(stderr);
    }
    last = now;
}

static bool is_stopped(void *context)
{
    (void)context;
    return loop_signalled();
}

static int find(struct job *job)
{
    char error[FIT_ERROR] = "";
    const struct fit_options options = {.threads = job->threads ? (unsigned)job->threads
                                                                : cli_processors(),
                                        .seed = job->seed,
                                        .effort = (unsigned)job->effort,
                                        .stopped = is_stopped,
                                        .progress = job->progress ? tell_progress : NULL};
    loop_watch(true);
    int status = fit_next_check(&job->list, &job->config, (const char *const *)job->programs.items,
                                job->programs.count, error);
    if (status == 0)
        status = fit_find(&job->fit, &job->list, &job->config, &options, error);
    if (status == 0 && job->programs.count && !job->fit.interrupted)
        status = fit_next_find(&job->next, &job->fit, (const char *const *)job->programs.items,
                               job->programs.count, error);
    if (job->progress)
        fputs("\r                \r", stderr);
    const int failed = status < 0             ? EXIT_HOST
                       : job->fit.interrupted ? EXIT_INTERRUPTED
                                              : EXIT_INPUT;
    int code =
        status == 0 ? EXIT_FINE
        : failed == EXIT_INPUT
            ? fail_in_list(job, status, error)
            : cli_fail((enum exit_code)failed, "fit", "%s%s%s%s", *error ? error : "out of memory",
                       failed == EXIT_INTERRUPTED && job->out ? "; " : "",
                       failed == EXIT_INTERRUPTED && job->out ? job->out : "",
                       failed == EXIT_INTERRUPTED && job->out ? " was not written" : "");
    if (code == EXIT_FINE)
        code = answer(job);
    loop_watch(false);
    return code;
}

static int check_files(const struct job *job)
{
    struct cli_files files = {.out_of_memory = false};
    for (size_t i = 0; i < job->list_count; i++)
        files_read(&files, job->lists[i]);
    files_read_list(&files, &job->files);
    files_read_list(&files, &job->programs);
    files_written(&files, "--out", job->out);
    files_written(&files, "--html", job->html);
    return files_check(&files, "fit");
}

static int fit_lists(struct job *job)
{
    int code = check_files(job);
    if (code == EXIT_FINE)
        code = cli_stdin_once("fit", job->lists, job->list_count, &job->files);
    if (code == EXIT_FINE)
        code = read_lists(job);
    if (code == EXIT_FINE)
        code = open_config(job);
    return code == EXIT_FINE ? find(job) : code;
}

/* Of the first machine that has one of this name. */
static int print_probe(const char *name)
{
    int code = EXIT_USAGE;
    for (size_t m = 0; code == EXIT_USAGE && m < machine_count; m++) {
        struct fit_probes probes;
        if (fit_probes_list(&probes, machines[m]) != 0)
            code = EXIT_HOST;
        for (size_t i = 0; code == EXIT_USAGE && i < probes.count; i++)
            if (strcmp(probes.items[i].program, name) == 0)
                code = fwrite(probes.items[i].text, 1, probes.items[i].text_size, stdout) ==
                               probes.items[i].text_size
                           ? EXIT_FINE
                           : EXIT_HOST;
        fit_probes_free(&probes);
    }
    if (code == EXIT_USAGE)
        return cli_usage("fit", "no machine has a probe %s; --next names those that help", name);
    return code == EXIT_HOST ? cli_fail(EXIT_HOST, "fit", "could not write the probe") : code;
}

int cmd_fit(int argc, char **argv)
{
    struct job job = {.seed = 1, .effort = 100};
    const struct cli_option table[] = {
        {"out", .text = &job.out, .writes = true},
        {"compromise", .flag = &job.compromise},
        {"next", .list = &job.programs},
        {"probe", .text = &job.probe},
        {"html", .text = &job.html, .writes = true},
        {"json", .flag = &job.json},
        {"progress", .flag = &job.progress},
        {"seed", .number = &job.seed, .high = 1000000000},
        {"effort", .number = &job.effort, .low = 1, .high = 100000, .what = "per cent"},
        {"threads", .number = &job.threads, .low = 1, .high = 256},
        {"config", .list = &job.files},
        {"set", .list = &job.sets},
    };
    int code;
    job.progress = isatty(STDERR_FILENO) == 1;
    if (OPTIONS_TAKE("fit", help, table, argc, argv, &code)) {
        job.lists = argv + optind;
        job.list_count = (size_t)(argc - optind);
        code = job.probe && job.list_count ? cli_usage("fit", "--probe takes no list")
               : job.probe                 ? print_probe(job.probe)
               : job.list_count            ? fit_lists(&job)
                                           : cli_usage("fit", "which list?");
        fit_next_free(&job.next);
        fit_free(&job.fit);
        free(job.chip);
        config_free(&job.config);
        fit_list_free(&job.list);
    }
    cli_list_free(&job.files);
    cli_list_free(&job.sets);
    cli_list_free(&job.programs);
    return cli_end_json(job.json, code);
}
