/* advise_print: the items as text and as JSON. */
#include "analysis/advise.h"

#include <jansson.h>

#include "analysis/utf8_json.h"
#include "functional/text.h"
#include "host/number.h"

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

json_t *advise_json(const struct advice *advice)
{
    json_t *items = json_array();
    for (size_t i = 0; items && i < advice->count; i++)
        json_array_append_new(items, item_json(&advice->items[i]));
    return json_pack("{s:o, s:[I,I], s:s, s:I, s:b, s:o}", "program", utf8_json(advice->program),
                     "cycles", (json_int_t)advice->before, (json_int_t)advice->after, "equal",
                     advice->equal, "tried", (json_int_t)advice->tried, "complete",
                     advice->complete, "items", items);
}

static void put_item(const struct advice *advice, const struct advice_item *item, FILE *out)
{
    char saves[NUMBER_TEXT];
    number_group(saves, (int64_t)item->before - (int64_t)item->after);
    text_print(out, "  %8s  %-8s ", saves, item->kind);
    if (item->line)
        text_print(out, "%s:%u  ", advice->program, item->line);
    else
        fputs("an added line  ", out);
    text_print(out, "%s%s\n", item->sentence, item->dumps_only ? " (the state differs)" : "");
}

void advise_print(const struct advice *advice, FILE *out)
{
    char before[NUMBER_TEXT], after[NUMBER_TEXT];
    size_t findings = 0;
    number_group(before, (int64_t)advice->before);
    number_group(after, (int64_t)advice->after);
    for (size_t i = 0; i < advice->count; i++)
        findings += advice->items[i].finding;
    if (advice->count == findings)
        text_print(out, "%s   %s cycles   nothing was found that saves any\n", advice->program,
                   before);
    else
        text_print(out, "%s   %s -> %s cycles\n", advice->program, before, after);
    for (size_t i = 0; i < advice->count; i++)
        if (!advice->items[i].finding)
            put_item(advice, &advice->items[i], out);
    if (findings)
        fputs("FINDINGS, not applied\n", out);
    for (size_t i = 0; i < advice->count; i++)
        if (advice->items[i].finding)
            put_item(advice, &advice->items[i], out);
    if (!advice->complete)
        text_print(out, "   there is more to try: %s\n",
                   advice->stopped ? "the search was stopped"
                                   : "the program is too long to try everything");
    text_print(out, "   equal dumps and state, with memories that start as %s\n", advice->equal);
}
