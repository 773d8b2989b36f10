/* pipeline_print: the answer as text and as JSON. */
#include "analysis/pipeline.h"

#include <jansson.h>

#include "analysis/utf8_json.h"
#include "functional/text.h"
#include "host/number.h"

/* --- text ------------------------------------------------------------------------------------- */

static void put_lines(const uint32_t *lines, size_t count, const char *divider, FILE *file)
{
    enum { SHOWN = 12 };
    for (size_t i = 0; i < count && i < SHOWN; i++)
        text_print(file, "%s%u", i ? divider : "", lines[i]);
    if (count > SHOWN)
        text_print(file, "%s...", divider);
}

static void put_chain(const struct interval *interval, FILE *file)
{
    text_print(file, "the chain of line%s ", interval->line_count == 1 ? "" : "s");
    put_lines(interval->lines, interval->line_count, " > ", file);
    text_print(file, " takes %llu cycles", (unsigned long long)interval->chain);
    if (interval->turns > 1)
        text_print(file, " in %u turns", interval->turns);
}

static void put_unit(const struct pipeline *p, const struct interval_unit *unit, FILE *file)
{
    text_print(file, "%s needs %llu cycles a turn", p->unit[unit->unit],
               (unsigned long long)unit->cycles);
    if (unit->turned)
        text_print(file, ", %llu of them to turn", (unsigned long long)unit->turned);
}

static void put_limit(const struct pipeline *p, enum interval_class class, const char *what,
                      FILE *file)
{
    const struct interval *interval = &p->intervals[class];
    text_print(file, "   %s every %llu cycles at least", what,
               (unsigned long long)interval->cycles);
    if (interval->limit != INTERVAL_NOTHING)
        fputs(": ", file);
    if (interval->limit == INTERVAL_CHAIN)
        put_chain(interval, file);
    if (interval->limit == INTERVAL_UNIT)
        put_unit(p, &interval->units[0], file);
    if (interval->limit == INTERVAL_STEPS) {
        fputs("no two statements share a step of lines ", file);
        put_lines(interval->apart, interval->apart_count, ", ", file);
    }
    fputc('\n', file);
}

static void put_units(const struct pipeline *p, FILE *file)
{
    enum { SHOWN = 6 };
    const struct interval *interval = &p->intervals[INTERVAL_ANY_ORDER];
    fputs("   cycles of a turn by unit:", file);
    for (size_t i = 0; i < interval->unit_count && i < SHOWN; i++)
        text_print(file, "%s %s %llu", i ? "," : "", p->unit[interval->units[i].unit],
                   (unsigned long long)interval->units[i].cycles);
    fputs(interval->unit_count > SHOWN ? ", ...\n" : "\n", file);
}

static void put_rate(const struct pipeline_rate *rate, FILE *file)
{
    text_print(file, " every %llu cycles%s", (unsigned long long)rate->interval,
               rate->steady ? "" : " on average");
}

void pipeline_print(const struct pipeline *p, FILE *file)
{
    char before[NUMBER_TEXT], after[NUMBER_TEXT];
    number_group(before, (int64_t)p->before);
    number_group(after, (int64_t)p->after);
    text_print(file, "%s   loop %s, lines %u to %u: %u turns of %u statement%s\n", p->program,
               p->region, p->first, p->last, p->turns.count, p->turns.lines,
               p->turns.lines == 1 ? "" : "s");
    fputs("   as written a turn begins", file);
    put_rate(&p->written, file);
    fputc('\n', file);
    put_limit(p, INTERVAL_ANY_ORDER, "in any order", file);
    if (p->intervals[INTERVAL_WAITS].cycles > p->intervals[INTERVAL_ANY_ORDER].cycles)
        put_limit(p, INTERVAL_WAITS, "in any order with these waits and tags", file);
    put_limit(p, INTERVAL_FREE_PLACES, "with other registers and addresses", file);
    put_units(p, file);
    if (!p->kept) {
        fputs("   in the order found", file);
        put_rate(&p->found, file);
        text_print(file, ", %u turn%s at a time", p->stages, p->stages == 1 ? "" : "s");
    }
    text_print(file, "%s%s%s", p->kept ? "   kept as written: " : "", p->reason,
               p->optimal && !p->kept ? "   optimal: no shorter interval is possible" : "");
    if (p->same_waits)
        fputs(" with these waits and tags", file);
    text_print(file, "\n   %s -> %s cycles\n", before, after);
    text_print(file, "   equal dumps and state, with memories that start as %s\n", p->equal);
    schedule_pairs_print(p->pairs, p->pair_count, file);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *units_json(const struct pipeline *p, const struct interval *interval)
{
    json_t *units = json_array();
    for (size_t i = 0; i < interval->unit_count; i++) {
        const struct interval_unit *unit = &interval->units[i];
        json_array_append_new(units, json_pack("{s:s, s:I, s:I}", "unit", p->unit[unit->unit],
                                               "cycles", (json_int_t)unit->cycles, "turned",
                                               (json_int_t)unit->turned));
    }
    return units;
}

static json_t *lines_json(const uint32_t *lines, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(lines[i]));
    return list;
}

static json_t *interval_json(const struct pipeline *p, const struct interval *interval)
{
    return json_pack("{s:I, s:s, s:o, s:{s:I, s:o}, s:{s:I, s:I, s:o}}", "cycles",
                     (json_int_t)interval->cycles, "limit", interval_limit_names[interval->limit],
                     "units", units_json(p, interval), "steps", "cycles",
                     (json_int_t)interval->steps, "lines",
                     lines_json(interval->apart, interval->apart_count), "chain", "cycles",
                     (json_int_t)interval->chain, "turns", (json_int_t)interval->turns, "lines",
                     lines_json(interval->lines, interval->line_count));
}

static json_t *rate_json(const struct pipeline_rate *rate)
{
    return json_pack("{s:I, s:I}", "interval", (json_int_t)rate->interval, "steady",
                     (json_int_t)rate->steady);
}

json_t *pipeline_json(const struct pipeline *p)
{
    json_t *bounds = json_object();
    for (unsigned c = 0; bounds && c < INTERVAL_CLASSES; c++)
        json_object_set_new(bounds, interval_class_names[c], interval_json(p, &p->intervals[c]));
    return json_pack(
        "{s:o, s:o, s:[I,I], s:I, s:I, s:[I,I], s:o, s:o, s:o, s:I, s:I, s:b, s:b, s:b, s:s, s:I, "
        "s:s, s:b, s:o}",
        "program", utf8_json(p->program), "loop", utf8_json(p->region), "lines",
        (json_int_t)p->first, (json_int_t)p->last, "turns", (json_int_t)p->turns.count,
        "statements", (json_int_t)p->turns.lines, "cycles", (json_int_t)p->before,
        (json_int_t)p->after, "written", rate_json(&p->written), "found", rate_json(&p->found),
        "bounds", bounds, "steps", (json_int_t)p->slots, "stages", (json_int_t)p->stages, "kept",
        p->kept, "optimal", p->optimal, "same_waits", p->same_waits, "reason", p->reason, "tries",
        (json_int_t)p->tries, "equal", p->equal, "stopped", p->stopped, "pairs",
        schedule_pairs_json(p->pairs, p->pair_count));
}
