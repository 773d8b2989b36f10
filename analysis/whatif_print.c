/* whatif_print: the totals before and after as text and as JSON. */
#include "analysis/whatif.h"

#include <string.h>

#include <jansson.h>

#include "analysis/utf8_json.h"
#include "functional/text.h"
#include "host/number.h"

json_t *whatif_json(const struct whatif *whatif)
{
    const int64_t *cycles = whatif->cycles;
    json_t *sets = json_array(), *frees = json_array(), *settings = json_object();
    for (size_t i = 0; i < whatif->faster.count; i++)
        json_array_append_new(sets, json_string(whatif->faster.list[i]));
    for (const char *const *set = whatif->sets; set && *set; set++)
        json_array_append_new(sets, utf8_json(*set));
    for (const char *const *lines = whatif->frees; lines && *lines; lines++)
        json_array_append_new(frees, utf8_json(*lines));
    for (const struct machine_setting *s = whatif->settings; s && s->name; s++)
        if (strcmp(s->name, "freed") != 0)
            json_object_set_new(settings, s->name, *s->value ? utf8_json(s->value) : json_true());
    return json_pack("{s:o, s:s, s:[I, I], s:I, s:b, s:I, s:[I, I], s:o, s:o, s:o, s:[o, o]}",
                     "program", utf8_json(whatif->program), "machine", whatif->machine, "cycles",
                     (json_int_t)cycles[0], (json_int_t)cycles[1], "difference",
                     (json_int_t)(cycles[1] - cycles[0]), "legal", whatif->errors == 0, "errors",
                     (json_int_t)whatif->errors, "early_cycles", (json_int_t)whatif->early[0],
                     (json_int_t)whatif->early[1], "free", frees, "set", sets, "options", settings,
                     "limit", verdict_json(&whatif->limits[0]), verdict_json(&whatif->limits[1]));
}

/* What --speed has set, in lines of the terminal's width. */
static void print_speeds(const struct whatif_sets *faster, size_t width, FILE *out)
{
    size_t column = 0;
    for (size_t i = 0; i < faster->count; i++) {
        const size_t length = strlen(faster->list[i]) + 1;
        if (i && column + length > width) {
            putc('\n', out);
            column = 0;
        }
        if (!column)
            column = (size_t)fprintf(out, i ? "       " : "SET    ");
        text_print(out, " %s", faster->list[i]);
        column += length;
    }
    if (faster->count)
        putc('\n', out);
}

void whatif_print(const struct whatif *whatif, int width, FILE *out)
{
    char before[NUMBER_TEXT], after[NUMBER_TEXT], difference[NUMBER_TEXT];
    char limit[VERDICT_TEXT];
    const int64_t *cycles = whatif->cycles, d = cycles[1] - cycles[0];
    text_print(out, "%s   %s cycles -> %s   %s%s cycles, %+.1f %%\n", whatif->program,
               number_group(before, cycles[0]), number_group(after, cycles[1]), d > 0 ? "+" : "",
               number_group(difference, d),
               cycles[0] ? 100.0 * (double)d / (double)cycles[0] : 0.0);
    verdict_print(&whatif->limits[0], limit);
    text_print(out, "LIMIT   %s\n", limit);
    verdict_print(&whatif->limits[1], limit);
    text_print(out, "  then  %s\n", limit);
    print_speeds(&whatif->faster, (size_t)width, out);
    if (whatif->early[1] > whatif->early[0])
        text_print(
            out,
            "EARLY   accesses come before the end of a transfer that they meet: by %s cycles "
            "in all, as written by %s\n",
            number_group(after, (int64_t)whatif->early[1]),
            number_group(before, (int64_t)whatif->early[0]));
    if (whatif->errors)
        text_print(out, "ILLEGAL the changed program breaks %zu rule%s of time (takt check)\n",
                   whatif->errors, whatif->errors == 1 ? "" : "s");
}
