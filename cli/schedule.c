/* schedule: the program in a better order, with the same values. */
#include "cli/options.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/answer.h"
#include "analysis/schedule.h"
#include "analysis/utf8_json.h"
#include "cli/improve.h"
#include "host/file.h"

static const char help[] =
    "usage: takt schedule [OPTION]... PROGRAM\n"
    "Look for an order of the statements that takes fewer cycles, with waits as late\n"
    "and transfers as early as may be, and write it down. It is checked, run, timed\n"
    "and compared bit for bit before it is written; a program that gets no shorter\n"
    "stays as it is. The same program always gets the same order. - is standard\n"
    "input.\n"
    "A transfer that no wait keeps behind what touches the same places stays as far\n"
    "from it as it ended as written; the answer lists such pairs.\n"
    "\n"
    "  --out FILE         where the program goes (- is standard output)\n"
    "  --tags             give such transfers tags, and let the first access wait\n"
    "  --json             the answer as JSON on standard output (docs/json.md)\n" IMPROVE_HELP "\n"
    "exit: 0 fine, 1 the program is at fault or its order cannot be changed, 2 usage,\n"
    "3 the host failed\n";

static int answer_json(const struct improve *improve, const struct schedule *schedule)
{
    json_t *pairs = json_array();
    for (size_t i = 0; pairs && i < schedule->pair_count; i++) {
        const struct moves_pair *p = &schedule->pairs[i];
        json_array_append_new(
            pairs, json_pack("{s:I, s:I, s:I, s:b, s:s}", "transfer", (json_int_t)p->transfer,
                             "access", (json_int_t)p->access, "cycles", (json_int_t)p->cycles,
                             "early", p->early, "tag", p->tag));
    }
    json_t *root = json_pack("{s:o, s:[I,I], s:I, s:b, s:b, s:s, s:I, s:I, s:s, s:b, s:o}",
                             "program", utf8_json(improve->session.program->sources->name),
                             "cycles", (json_int_t)schedule->before, (json_int_t)schedule->after,
                             "bound", (json_int_t)schedule->bound, "kept", schedule->kept,
                             "optimal", schedule->optimal, "reason", schedule->reason, "pieces",
                             (json_int_t)schedule->nodes, "tries", (json_int_t)schedule->tries,
                             "equal", candidate_tried(improve->candidates, improve->tags),
                             "stopped", schedule->stopped, "pairs", pairs);
    return cli_json("schedule", root, JSON_INDENT(1));
}

/* Pairs that no wait of the program as written keeps in order. */
static void put_pairs(const struct schedule *schedule, FILE *file)
{
    enum { SHOWN = 12 };
    const size_t count = schedule->pair_count;
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const struct moves_pair *p = &schedule->pairs[i];
        fprintf(file, "   line %u does not wait for the transfer of line %u%s: ", p->access,
                p->transfer, p->early ? " and comes before its end" : "");
        if (p->tag[0])
            fprintf(file, "tag %s\n", p->tag);
        else
            fprintf(file, "%llu cycles are kept between them\n", (unsigned long long)p->cycles);
    }
    if (count > SHOWN)
        fprintf(file, "   and %zu more such pairs (--json lists them)\n", count - SHOWN);
}

static int answer(const struct improve *improve, const struct schedule *schedule, const char *out)
{
    char before[ANSWER_NUMBER], after[ANSWER_NUMBER], bound[ANSWER_NUMBER];
    FILE *file = replace_is_output(out) ? stderr : stdout;
    answer_number(before, (int64_t)schedule->before);
    answer_number(after, (int64_t)schedule->after);
    answer_number(bound, (int64_t)schedule->bound);
    fprintf(file, "%s   %s -> %s cycles   any order needs %s",
            improve->session.program->sources->name, before, after, bound);
    if (schedule->optimal)
        fprintf(file, "   optimal: %s", schedule->reason);
    if (schedule->stopped)
        fputs("   the search was stopped", file);
    if (schedule->kept)
        fprintf(file, "\n   kept as written%s%s", schedule->optimal ? "" : ": ",
                schedule->optimal ? "" : schedule->reason);
    fprintf(file, "\n   equal dumps and state, with memories that start as %s\n",
            candidate_tried(improve->candidates, improve->tags));
    put_pairs(schedule, file);
    return EXIT_FINE;
}

static int schedule(struct improve *improve, const char *out)
{
    char error[MACHINE_ERROR] = "";
    struct schedule schedule;
    const struct schedule_job job = {
        .setup = &improve->setup, .tags = improve->tags, .on = improve->seconds != 0};
    const int status = schedule_find(improve->candidates, &job, &schedule, error);
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
    if (code == EXIT_FINE)
        code = improve->session.json ? answer_json(improve, &schedule)
                                     : answer(improve, &schedule, out);
    schedule_free(&schedule);
    return code;
}

static bool served(const struct machine *machine)
{
    return machine->advice->moves;
}

int cmd_schedule(int argc, char **argv)
{
    const char *out = NULL;
    struct improve improve = {
        .session.command = "schedule", .served = served, .given = "other order"};
    const struct cli_option table[] = {
        {"out", .text = &out}, {"tags", .flag = &improve.tags}, IMPROVE_OPTIONS(improve)};
    int code;
    if (SESSION_TAKE(&improve.session, help, table, argc, argv, &code)) {
        code = out ? improve_open(&improve, argv + optind, argc - optind, "--out", out)
                   : cli_usage("schedule", "where to? --out FILE says it");
        if (code == EXIT_FINE)
            code = schedule(&improve, out);
    }
    improve_close(&improve);
    return cli_end_json(improve.session.json, code);
}
