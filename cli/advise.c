/* advise: what would make the program faster, each item seen to be true. */
#include <jansson.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/answer.h"
#include "analysis/utf8_json.h"
#include "cli/improve.h"
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
    "  --json             the answer as JSON on standard output (docs/json.md)\n" IMPROVE_HELP "\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

static json_t *item_json(const struct advice_item *item)
{
    json_t *edits = json_array();
    for (size_t e = 0; edits && e < item->edit_count; e++) {
        const struct advice_edit *edit = &item->edits[e];
        json_array_append_new(edits, json_pack("{s:I, s:o}", "line", (json_int_t)edit->line, "text",
                                               utf8_json(edit->text)));
    }
    return json_pack("{s:s, s:I, s:I, s:s, s:I, s:I, s:I, s:b, s:s, s:o}", "kind", item->kind,
                     "line", (json_int_t)item->line, "current", (json_int_t)item->current, "do",
                     item->sentence, "before", (json_int_t)item->before, "after",
                     (json_int_t)item->after, "saves",
                     (json_int_t)item->before - (json_int_t)item->after, "finding", item->finding,
                     "equal", item->dumps_only ? "dumps" : "dumps and state", "edits", edits);
}

static int answer_json(const struct improve *improve, const struct advice *advice)
{
    json_t *items = json_array();
    for (size_t i = 0; items && i < advice->count; i++)
        json_array_append_new(items, item_json(&advice->items[i]));
    json_t *root = json_pack(
        "{s:o, s:[I,I], s:s, s:I, s:b, s:o}", "program",
        utf8_json(improve->session.program->sources->name), "cycles", (json_int_t)advice->before,
        (json_int_t)advice->after, "equal", candidate_tried(improve->candidates, false), "tried",
        (json_int_t)advice->tried, "complete", advice->complete, "items", items);
    return cli_json("advise", root, JSON_INDENT(1));
}

static void put_item(const struct improve *improve, const struct advice_item *item, FILE *out)
{
    char saves[ANSWER_NUMBER];
    answer_number(saves, (int64_t)item->before - (int64_t)item->after);
    fprintf(out, "  %8s  %-8s ", saves, item->kind);
    if (item->line)
        fprintf(out, "%s:%u  ", improve->session.program->sources->name, item->line);
    else
        fputs("an added line  ", out);
    fprintf(out, "%s%s\n", item->sentence, item->dumps_only ? " (the state differs)" : "");
}

static int answer(const struct improve *improve, const struct advice *advice, FILE *out)
{
    char before[ANSWER_NUMBER], after[ANSWER_NUMBER];
    size_t findings = 0;
    answer_number(before, (int64_t)advice->before);
    answer_number(after, (int64_t)advice->after);
    for (size_t i = 0; i < advice->count; i++)
        findings += advice->items[i].finding;
    if (advice->count == findings)
        fprintf(out, "%s   %s cycles   nothing was found that saves any\n",
                improve->session.program->sources->name, before);
    else
        fprintf(out, "%s   %s -> %s cycles\n", improve->session.program->sources->name, before,
                after);
    for (size_t i = 0; i < advice->count; i++)
        if (!advice->items[i].finding)
            put_item(improve, &advice->items[i], out);
    if (findings)
        fputs("FINDINGS, not applied\n", out);
    for (size_t i = 0; i < advice->count; i++)
        if (advice->items[i].finding)
            put_item(improve, &advice->items[i], out);
    if (!advice->complete)
        fprintf(out, "   there is more to try: %s\n",
                advice->stopped ? "the search was stopped"
                                : "the program is too long to try everything");
    fprintf(out, "   equal dumps and state, with memories that start as %s\n",
            candidate_tried(improve->candidates, false));
    return EXIT_FINE;
}

static int advise(struct improve *improve, const char *apply)
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
    const bool standard = apply && replace_is_output(apply);
    if (code == EXIT_FINE)
        code = improve->session.json ? answer_json(improve, &advice)
                                     : answer(improve, &advice, standard ? stderr : stdout);
    advise_free(&advice);
    return code;
}

static bool served(const struct machine *machine)
{
    return machine->advice->advise;
}

int cmd_advise(int argc, char **argv)
{
    const char *apply = NULL;
    struct improve improve = {.session.command = "advise", .served = served, .given = "advice"};
    const struct cli_option table[] = {{"apply", .text = &apply}, IMPROVE_OPTIONS(improve)};
    int code;
    if (SESSION_TAKE(&improve.session, help, table, argc, argv, &code)) {
        code = improve_open(&improve, argv + optind, argc - optind, "--apply", apply);
        if (code == EXIT_FINE)
            code = advise(&improve, apply);
    }
    improve_close(&improve);
    return cli_end_json(improve.session.json, code);
}
