/* schedule_print: the answer as text and as JSON. */
#include "analysis/schedule.h"

#include <jansson.h>

#include "analysis/utf8_json.h"
#include "functional/text.h"
#include "host/number.h"

json_t *schedule_pairs_json(const struct moves_pair *pairs, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        const struct moves_pair *p = &pairs[i];
        json_array_append_new(
            list, json_pack("{s:I, s:I, s:I, s:b, s:I, s:s}", "transfer", (json_int_t)p->transfer,
                            "access", (json_int_t)p->access, "cycles", (json_int_t)p->cycles,
                            "early", p->early, "wait", (json_int_t)p->wait, "tag", p->tag));
    }
    return list;
}

static json_t *values_json(const struct renamed *renamed)
{
    json_t *values = json_array();
    for (size_t i = 0; values && i < renamed->count; i++) {
        const struct renamed_value *v = &renamed->values[i];
        json_array_append_new(values,
                              json_pack("{s:I, s:s, s:s, s:I}", "line", (json_int_t)v->line, "from",
                                        v->from, "to", v->to, "accesses", (json_int_t)v->accesses));
    }
    return values;
}

/* With --rename. */
static json_t *renamed_json(const struct schedule *schedule)
{
    return json_pack("{s:I, s:I, s:I, s:o}", "unrenamed", (json_int_t)schedule->unrenamed,
                     "free_places", (json_int_t)schedule->free_places, "bytes",
                     (json_int_t)schedule->renamed.bytes, "values",
                     values_json(&schedule->renamed));
}

json_t *schedule_json(const struct schedule *schedule)
{
    json_t *pairs = schedule_pairs_json(schedule->pairs, schedule->pair_count);
    json_t *json =
        json_pack("{s:o, s:[I,I], s:I, s:b, s:b, s:b, s:s, s:I, s:I, s:s, s:b, s:o}", "program",
                  utf8_json(schedule->program), "cycles", (json_int_t)schedule->before,
                  (json_int_t)schedule->after, "bound", (json_int_t)schedule->bound, "same_waits",
                  schedule->same_waits, "kept", schedule->kept, "optimal", schedule->optimal,
                  "reason", schedule->reason, "pieces", (json_int_t)schedule->nodes, "tries",
                  (json_int_t)schedule->tries, "equal", schedule->equal, "stopped",
                  schedule->stopped, "pairs", pairs);
    if (json && schedule->rename)
        json_object_set_new(json, "renamed", renamed_json(schedule));
    return json;
}

void schedule_pairs_print(const struct moves_pair *pairs, size_t count, FILE *file)
{
    enum { SHOWN = 12 };
    size_t timed = 0;
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const struct moves_pair *p = &pairs[i];
        text_print(file, "   line %u does not wait for the transfer of line %u%s: ", p->access,
                   p->transfer, p->early ? " and comes before its end" : "");
        if (p->tag[0])
            text_print(file, "tag %s\n", p->tag);
        else if (p->wait)
            text_print(file, "the wait of line %u stays between them, and %llu cycles are kept\n",
                       p->wait, (unsigned long long)p->cycles);
        else
            text_print(file, "%llu cycles are kept between them\n", (unsigned long long)p->cycles);
    }
    if (count > SHOWN)
        text_print(file, "   and %zu more such pairs (--json lists them)\n", count - SHOWN);
    for (size_t i = 0; i < count; i++)
        timed += !pairs[i].tag[0] && !pairs[i].wait && !pairs[i].early;
    if (timed)
        text_print(file,
                   "   %zu of these rest%s on cycles alone: where transfers take longer than "
                   "assumed, the access may come too early (--tags)\n",
                   timed, timed == 1 ? "s" : "");
}

static void put_renamed(const struct schedule *schedule, FILE *file)
{
    enum { SHOWN = 12 };
    char cycles[NUMBER_TEXT], least[NUMBER_TEXT];
    const size_t count = schedule->renamed.count;
    if (!schedule->rename)
        return;
    number_group(cycles, (int64_t)schedule->unrenamed);
    number_group(least, (int64_t)schedule->free_places);
    if (count)
        text_print(file, "   with the places as written %s, with any at least %s\n", cycles, least);
    else
        text_print(file, "   other places save nothing%s; with any it is at least %s\n",
                   schedule->divided ? " while regions keep statements apart" : "", least);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const struct renamed_value *v = &schedule->renamed.values[i];
        text_print(file, "   line %u  %s -> %s in %u operands\n", v->line, v->from, v->to,
                   v->accesses);
    }
    if (count > SHOWN)
        text_print(file, "   and %zu more values (--json lists them)\n", count - SHOWN);
}

void schedule_print(const struct schedule *schedule, FILE *file)
{
    char before[NUMBER_TEXT], after[NUMBER_TEXT], bound[NUMBER_TEXT];
    number_group(before, (int64_t)schedule->before);
    number_group(after, (int64_t)schedule->after);
    number_group(bound, (int64_t)schedule->bound);
    text_print(file, "%s   %s -> %s cycles   any order%s%s needs %s", schedule->program, before,
               after, schedule->renamed.count ? " with the new places" : "",
               !schedule->same_waits     ? ""
               : schedule->renamed.count ? " and waits"
                                         : " with these waits",
               bound);
    if (schedule->optimal)
        text_print(file, "   optimal: %s", schedule->reason);
    if (schedule->stopped)
        fputs("   the search was stopped", file);
    if (schedule->kept)
        text_print(file, "\n   kept as written%s%s", schedule->optimal ? "" : ": ",
                   schedule->optimal ? "" : schedule->reason);
    text_print(file, "\n   equal dumps and state%s, with memories that start as %s\n",
               schedule->renamed.bytes ? " apart from the new places" : "", schedule->equal);
    if (schedule->after > schedule->before)
        fputs("   longer than as written, where an access does not wait for its transfer\n", file);
    put_renamed(schedule, file);
    schedule_pairs_print(schedule->pairs, schedule->pair_count, file);
}
