/* advise: what would make the program faster, each item seen to be true. */
#include <jansson.h>

#include "analysis/advise.h"
#include "analysis/sarif.h"
#include "cli/improve.h"
#include "cli/reports.h"
#include "host/file.h"

static const char help[] =
    "usage: takt advise [OPTION]... PROGRAM\n"
    "What would make the program faster. Each item was applied to the program as the\n"
    "items before it left it, checked, run, timed and compared bit for bit before it\n"
    "is printed with its cycles; they add up. Findings are for you to decide. - is\n"
    "standard input.\n"
    "\n"
    "  --apply FILE       write the program with all items, and without the findings;\n"
    "                     lines that no item touches stay as they are (- is standard\n"
    "                     output)\n"
    "  --sarif FILE       the items as SARIF 2.1.0, too\n" IMPROVE_HELP "\n"
    "@exit 0 fine, 1 errors in the program\n";

/* Items of lines that came later are about the whole file. */
static int write_sarif(const struct advice *advice, const char *path)
{
    struct sarif sarif;
    sarif_open(&sarif);
    for (size_t i = 0; i < advice->count; i++) {
        const struct advice_item *item = &advice->items[i];
        char sentence[1024];
        snprintf(sentence, sizeof sentence, "%s (saves %lld cycles)", item->sentence,
                 (long long)item->before - (long long)item->after);
        sarif_add(&sarif, &(const struct sarif_result){.rule = item->kind,
                                                       .level = "note",
                                                       .sentence = sentence,
                                                       .file = advice->program,
                                                       .line = item->line});
    }
    return reports_json("advise", path, sarif_log(&sarif, "advise"));
}

static int advise(struct improve *improve, const char *apply, const char *report)
{
    const struct source *source = improve->setup.source;
    const struct advise_job job = {.setup = &improve->setup,
                                   .text = source->text,
                                   .size = source->size,
                                   .cycles = candidate_cycles(improve->candidates),
                                   .budget = improve->seconds ? UINT64_MAX : ADVISE_BUDGET,
                                   .findings = true};
    struct advice advice;
    int code = EXIT_FINE;
    if (advise_find(improve->candidates, &job, &advice) != 0)
        code = cli_fail(EXIT_HOST, "advise", "out of memory");
    if (code == EXIT_FINE && apply)
        code = improve_write("advise", apply, advice.text, advice.size);
    if (code == EXIT_FINE && report)
        code = write_sarif(&advice, report);
    const bool standard =
        (apply && replace_is_output(apply)) || (report && replace_is_output(report));
    if (code == EXIT_FINE && improve->session.json)
        code = cli_json("advise", advise_json(&advice), JSON_INDENT(1));
    else if (code == EXIT_FINE)
        advise_print(&advice, standard ? stderr : stdout);
    advise_free(&advice);
    return code;
}

static bool served(const struct machine *machine)
{
    return machine->advice->advise;
}

int cmd_advise(int argc, char **argv)
{
    const char *apply = NULL, *report = NULL;
    struct improve improve = {.session.command = "advise", .served = served, .given = "advice"};
    const struct cli_option table[] = {{"apply", .text = &apply, .writes = true},
                                       {"sarif", .text = &report, .writes = true},
                                       IMPROVE_OPTIONS(improve)};
    int code;
    if (SESSION_TAKE(&improve.session, help, table, argc, argv, &code)) {
        code = improve_open(&improve, argv + optind, argc - optind, "--apply", apply);
        if (code == EXIT_FINE)
            code = advise(&improve, apply, report);
    }
    improve_close(&improve);
    return cli_end_json(improve.session.json, code);
}
