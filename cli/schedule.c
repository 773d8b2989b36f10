/* schedule: the program in a better order, with the same values. */
#include "cli/options.h"

#include <jansson.h>

#include "analysis/pipeline.h"
#include "analysis/schedule.h"
#include "cli/improve.h"
#include "host/file.h"

static const char help[] =
    "usage: takt schedule [OPTION]... PROGRAM --out FILE\n"
    "       takt schedule [OPTION]... --loop REGION PROGRAM [--out FILE]\n"
    "Look for an order of the statements that takes fewer cycles, with waits as late\n"
    "and transfers as early as may be, and write it down. It is checked, run, timed\n"
    "and compared bit for bit before it is written; a program that gets no shorter\n"
    "stays as it is. The same program always gets the same order. - is standard\n"
    "input.\n"
    "A transfer that no wait keeps behind what touches the same places stays as far\n"
    "from it as it ended as written, and after the same waits for other transfers;\n"
    "the answer lists such pairs.\n"
    "In machine code, instructions change places inside basic blocks; of an ELF file\n"
    "nothing else changes.\n"
    "\n"
    "  --out FILE         where the program goes (- is standard output)\n"
    "  --loop REGION      overlap the turns of a loop: statements of this region that\n"
    "                     follow each other three times or more, equal up to numbers.\n"
    "                     Prints how many cycles after each other its turns begin, as\n"
    "                     written, at least, and in the order found\n"
    "  --tags             give such transfers tags, and let the first access wait,\n"
    "                     also where that takes longer than an access that is early\n"
    "  --rename           values may have other registers and addresses, which no\n"
    "                     statement touches as written; and transfers other tags.\n"
    "                     All dumps are compared, and the state but for these places\n" IMPROVE_HELP
    "\n"
    "@exit 0 fine, 1 errors in the program, or its order cannot be changed\n";

static int schedule(struct improve *improve, const char *out, bool rename)
{
    char error[MACHINE_ERROR] = "";
    struct schedule schedule;
    const struct schedule_job job = {
        .setup = &improve->setup, .tags = improve->tags, .on = improve->seconds != 0};
    const int status = rename ? schedule_find_renamed(improve->candidates, &job, &schedule, error)
                              : schedule_find(improve->candidates, &job, &schedule, error);
    int code = EXIT_FINE;
    if (status != 0)
        code =
            cli_fail(status > 0 ? EXIT_INPUT : EXIT_HOST, "schedule", "%s: %s",
                     improve->session.program->sources->name, error[0] ? error : "out of memory");
    if (status == 0)
        code = schedule.kept
                   ? improve_write("schedule", out, improve->session.program->sources->text,
                                   improve->session.program->sources->size)
                   : improve_write("schedule", out, schedule.text, schedule.size);
    if (code == EXIT_FINE && improve->session.json)
        code = cli_json("schedule", schedule_json(&schedule), JSON_INDENT(1));
    else if (code == EXIT_FINE)
        schedule_print(&schedule, replace_is_output(out) ? stderr : stdout);
    schedule_free(&schedule);
    return code;
}

static int overlap(struct improve *improve, const char *region, const char *out)
{
    char error[MACHINE_ERROR] = "";
    struct pipeline pipeline;
    const struct pipeline_job job = {
        .setup = &improve->setup, .region = region, .tags = improve->tags};
    const struct source *source = improve->session.program->sources;
    const int status = pipeline_find(improve->candidates, &job, &pipeline, error);
    int code = EXIT_FINE;
    if (status != 0)
        code = cli_fail(status > 0 ? EXIT_INPUT : EXIT_HOST, "schedule", "%s: %s", source->name,
                        error[0] ? error : "out of memory");
    if (code == EXIT_FINE && out)
        code = pipeline.kept ? improve_write("schedule", out, source->text, source->size)
                             : improve_write("schedule", out, pipeline.text, pipeline.size);
    if (code == EXIT_FINE && improve->session.json)
        code = cli_json("schedule", pipeline_json(&pipeline), JSON_INDENT(1));
    else if (code == EXIT_FINE)
        pipeline_print(&pipeline, out && replace_is_output(out) ? stderr : stdout);
    pipeline_free(&pipeline);
    return code;
}

static bool overlaps(const struct machine *machine)
{
    return machine->advice->overlaps;
}

static bool served(const struct machine *machine)
{
    return machine->advice->moves;
}

static bool served_tags(const struct machine *machine)
{
    return machine->advice->tags;
}

static bool served_renamed(const struct machine *machine)
{
    return machine->advice->rename;
}

int cmd_schedule(int argc, char **argv)
{
    const char *out = NULL, *region = NULL;
    bool rename = false;
    struct improve improve = {
        .session.command = "schedule", .served = served, .given = "other order"};
    const struct cli_option table[] = {{"out", .text = &out, .writes = true},
                                       {"loop", .text = &region},
                                       {"tags", .flag = &improve.tags},
                                       {"rename", .flag = &rename},
                                       IMPROVE_OPTIONS(improve)};
    int code;
    if (SESSION_TAKE(&improve.session, help, table, argc, argv, &code)) {
        if (improve.tags) {
            improve.served = served_tags;
            improve.given = "--tags";
        }
        if (rename) {
            improve.served = served_renamed;
            improve.given = "--rename";
            improve.opened = 2;
        }
        if (region) {
            improve.served = overlaps;
            improve.given = "order of overlapped turns";
        }
        code = region && rename ? cli_usage("schedule", "--loop does not go with --rename")
               : !out && !region
                   ? cli_usage("schedule", "--out FILE is required")
                   : improve_open(&improve, argv + optind, argc - optind, "--out", out);
        if (code == EXIT_FINE)
            code = region ? overlap(&improve, region, out) : schedule(&improve, out, rename);
    }
    improve_close(&improve);
    return cli_end_json(improve.session.json, code);
}
