/* fit_print: what was fitted, as text and as JSON. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit.h"
#include "analysis/json_build.h"
#include "analysis/utf8_json.h"
#include "functional/text.h"
#include "host/number.h"
#include "host/path.h"

/* Of a value above 0. */
static double off_percent(const struct fit_measurement *m, double predicted)
{
    return 100 * (predicted - m->value) / m->value;
}

/* "+1.50 %"; from 0 the difference itself: "+7". */
static void off_text(char text[40], const struct fit_measurement *m, double predicted)
{
    if (isnan(predicted))
        snprintf(text, 40, "-");
    else if (m->value > 0)
        snprintf(text, 40, "%+.2f %%", off_percent(m, predicted));
    else
        snprintf(text, 40, "%+.6g", predicted - m->value);
}

const char *fit_verdict_words(const struct fit *fit)
{
    switch (fit->verdict) {
    case FIT_EXPLAINED:
        return "explained";
    case FIT_NEARLY:
        return "nearly explained";
    case FIT_CONTRADICTS:
        return fit->interrupted ? "not explained yet" : "contradicts";
    default:
        return "nothing measured";
    }
}

/* Whether the range that the others leave is nearly all that was tried of the box. */
static bool left_open(const struct fit_row *row)
{
    const double nearly = 0.9, tried = row->tried[1] - row->tried[0];
    return tried > 0 && row->left_high - row->left_low >= nearly * tried;
}

static bool left_inside(const struct fit_row *row, const struct fit_measurement *m)
{
    return !left_open(row) && row->left_low - m->tolerance - 1e-9 <= m->value &&
           m->value <= row->left_high + m->tolerance + 1e-9;
}

struct fit_score fit_left_out(const struct fit *fit)
{
    struct fit_score score = {.count = 0};
    size_t errors = 0;
    for (size_t c = 0; c < fit->count; c++) {
        const struct fit_row *row = &fit->rows[c];
        const struct fit_measurement *m = fit->cases[c].measurement;
        if (isnan(row->left_out))
            continue;
        score.count++;
        score.open += left_open(row);
        score.inside += left_inside(row, m);
        if (m->value <= 0)
            continue;
        const double error = fabs(off_percent(m, row->left_out));
        errors++;
        score.mean += error;
        score.largest = error > score.largest ? error : score.largest;
    }
    if (errors)
        score.mean /= (double)errors;
    return score;
}

/* How far the value is from that range, as a share of the value; 0: inside, or not known. */
static double left_off(const struct fit_row *row, const struct fit_measurement *m)
{
    const double below = row->left_low - m->tolerance - m->value,
                 above = m->value - m->tolerance - row->left_high,
                 off = below > above ? below : above;
    return off > 0 && fabs(m->value) > 0 ? off / fabs(m->value) : 0; /* NAN: 0 */
}

/* --- text ------------------------------------------------------------------------------------- */

static const char *number(char text[NUMBER_TEXT], double value)
{
    if (isnan(value))
        return "-";
    return number_group(text, (int64_t)llround(value));
}

static void print_rows(const struct fit *fit, FILE *out)
{
    text_print(out, "  %-34s %12s %12s %9s %12s %9s  in range\n", "measurement", "measured",
               "fitted", "off", "by others", "off");
    for (size_t c = 0; c < fit->count; c++) {
        const struct fit_row *row = &fit->rows[c];
        const struct fit_measurement *m = fit->cases[c].measurement;
        char name[100], value[NUMBER_TEXT], fitted[NUMBER_TEXT], left[NUMBER_TEXT];
        char off[40], left_off[40];
        off_text(off, m, row->predicted);
        off_text(left_off, m, row->left_out);
        snprintf(name, sizeof name, "%.50s %.40s", path_base(m->program), m->quantity);
        text_print(out, "  %-34s %12s %12s %9s", name, number(value, m->value),
                   number(fitted, row->predicted), off);
        if (isnan(row->left_out))
            text_print(out, " %12s\n", "-");
        else
            text_print(out, " %12s %9s  %s\n", number(left, row->left_out), left_off,
                       left_open(row)        ? "open"
                       : left_inside(row, m) ? "yes"
                                             : "no");
    }
}

/* Six digits, or all before the point. */
static void short_number(char text[24], double value)
{
    snprintf(text, 24, fabs(value) >= 1e6 && fabs(value) < 1e15 ? "%.0f" : "%.6g", value);
}

static void print_span(const struct fit *fit, size_t a, const double ends[2], char text[60])
{
    char low[24], high[24];
    short_number(low, ends[0]);
    short_number(high, ends[1]);
    if (fit->space.axes[a].text)
        snprintf(text, 60, "-");
    else if (ends[0] == ends[1])
        snprintf(text, 60, "%s", low);
    else
        snprintf(text, 60, "%s .. %s", low, high);
}

/* The chosen one, those of the settings kept, and how many bounds leave. */
static void print_choices(const struct fit *fit, size_t a, FILE *out)
{
    const struct fit_number *n = &fit->numbers[a];
    const size_t all = (size_t)fit->space.axes[a].high + 1;
    size_t left = 0, shown = 0;
    char value[200];
    fit_axis_text(&fit->space, a, n->value, value, sizeof value);
    text_print(out, "  %-22s %s   in settings kept: ", fit_axis_name(&fit->space, a), value);
    for (size_t k = 0; k < all; k++) {
        left += n->choices[k];
        fit_axis_text(&fit->space, a, (double)k, value, sizeof value);
        if (n->kept[k])
            text_print(out, "%s%s", shown++ ? ", " : "", value);
    }
    text_print(out, "   left by bounds: %zu of %zu\n", left, all);
}

static void print_numbers(const struct fit *fit, FILE *out)
{
    text_print(out, "  %-22s %12s  %-20s %-20s %s\n", "number", "value", "in settings kept",
               "left by bounds", "before");
    for (size_t a = 0; a < fit->space.count; a++) {
        const struct fit_number *n = &fit->numbers[a];
        const struct fit_axis *axis = &fit->space.axes[a];
        const double before[2] = {axis->low, axis->high};
        char value[200], found[60], left[60], was[60];
        if (!n->seen)
            continue;
        fit_axis_text(&fit->space, a, n->value, value, sizeof value);
        if (axis->text) {
            print_choices(fit, a, out);
            continue;
        }
        print_span(fit, a, n->inner, found);
        print_span(fit, a, n->outer, left);
        print_span(fit, a, before, was);
        text_print(out, "  %-22s %12s  %-20s %-20s %s\n", fit_axis_name(&fit->space, a), value,
                   found, left, was);
    }
}

static void print_unseen(const struct fit *fit, FILE *out)
{
    size_t count = 0;
    for (size_t a = 0; fit->sensed && a < fit->space.count; a++)
        if (!fit->numbers[a].seen)
            text_print(out, "%s%s", count++ ? ", " : "UNSEEN   no measurement moves with ",
                       fit_axis_name(&fit->space, a));
    if (count)
        fputc('\n', out);
}

static void print_groups(const struct fit *fit, FILE *out)
{
    for (size_t g = 0; g < fit->group_count; g++) {
        const struct fit_group *group = &fit->groups[g];
        fputs("TOGETHER ", out);
        for (size_t k = 0; k < group->count; k++)
            text_print(out, "%s%s", k ? " + " : "", fit_axis_name(&fit->space, group->axes[k]));
        text_print(out, "  %.6g .. %.6g in the settings kept\n", group->low, group->high);
    }
}

/* Which measurements these are, in one line behind a word; returns how many. */
static size_t print_named(const struct fit *fit, FILE *out, const char *word, size_t flag)
{
    size_t shown = 0;
    for (size_t c = 0; c < fit->count; c++)
        if (*((const bool *)((const char *)&fit->rows[c] + flag)))
            text_print(out, "%s%s (%s)", shown++ ? ", " : word,
                       path_base(fit->cases[c].measurement->program),
                       fit->cases[c].measurement->place);
    return shown;
}

/* What lies far outside of the range that the others leave. Where all are explained, or nearly, a
 * setting gives this value with the others. */
enum { DOUBT_PERCENT = 2 };
static void print_doubt(const struct fit *fit, FILE *out)
{
    for (size_t c = 0; c < fit->count; c++)
        if (left_off(&fit->rows[c], fit->cases[c].measurement) > DOUBT_PERCENT / 100.0)
            text_print(out, "DOUBT    %s (%s): settings found for the others give %.7g to %.7g\n",
                       path_base(fit->cases[c].measurement->program),
                       fit->cases[c].measurement->place, fit->rows[c].left_low,
                       fit->rows[c].left_high);
}

/* Whether a row says by itself why none explains all. */
static bool is_settled(const struct fit *fit)
{
    bool settled = fit->part_count < 2;
    for (size_t c = 0; c < fit->count; c++)
        settled |= fit->rows[c].impossible || fit->rows[c].unreached;
    return settled;
}

static void print_undecided(const struct fit *fit, FILE *out)
{
    size_t shown = 0;
    for (size_t c = 0; c < fit->count; c++)
        if (fit->rows[c].undecided)
            text_print(out, "%s%s", shown++ ? ", " : "         not decided for: ",
                       fit->cases[c].measurement->place);
    if (shown)
        fputs(" (no search without it explained the others)\n", out);
}

static void print_conflict(const struct fit *fit, FILE *out)
{
    if (print_named(fit, out, "PROVEN   ", offsetof(struct fit_row, impossible)))
        fputs(": no plausible setting gives this\n", out);
    for (size_t c = 0; c < fit->count; c++)
        if (fit->rows[c].unreached)
            text_print(out,
                       "UNREACHED %s (%s): what was tried of the plausible ranges gives "
                       "%.10g to %.10g\n",
                       path_base(fit->cases[c].measurement->program),
                       fit->cases[c].measurement->place, fit->rows[c].tried[0],
                       fit->rows[c].tried[1]);
    if (print_named(fit, out, "CONFLICT ", offsetof(struct fit_row, conflicts)))
        fputs(": the nearest setting found misses these (a search's belief, no proof)\n", out);
    if (print_named(fit, out, "SUSPECT  ", offsetof(struct fit_row, alone))) {
        fputs(": without it a setting explains the others\n", out);
        print_undecided(fit, out);
    } else if (!is_settled(fit)) {
        fputs("UNRESOLVED no search explained all others without one of them: several may be "
              "false, or the\n         search did not find the setting (--seed, --effort)\n",
              out);
    }
    print_doubt(fit, out);
}

int fit_print_text(const struct fit *fit, FILE *out)
{
    size_t seen = 0;
    for (size_t a = 0; a < fit->space.count; a++)
        seen += fit->numbers[a].seen;
    text_print(out, "%s   %zu measurement%s", fit->list->machine->title, fit->count,
               fit->count == 1 ? "" : "s");
    if (fit->sensed)
        text_print(out, " see%s %zu of %zu unpublished numbers", fit->count == 1 ? "s" : "", seen,
                   fit->space.count);
    text_print(out, "   %s%s\n", fit_verdict_words(fit),
               fit->interrupted ? "   INTERRUPTED: the best so far" : "");
    print_rows(fit, out);
    const struct fit_score score = fit_left_out(fit);
    if (score.count)
        text_print(out,
                   "LEFT OUT each by the others alone: mean error %.2f %%, largest %.2f %%, "
                   "%zu of %zu in range, %zu open\n",
                   score.mean, score.largest, score.inside, score.count, score.open);
    if (print_named(fit, out, "REPEATED ", offsetof(struct fit_row, repeated)))
        fputs(": the others have the same measurement; fix: group: NAME, of both\n", out);
    if (fit->verdict == FIT_CONTRADICTS && !fit->interrupted)
        print_conflict(fit, out);
    text_print(out, "KEPT     %zu settings, of which %zu explain all measurements\n\n",
               fit->settings.size, fit->explaining);
    if (fit->sensed)
        print_numbers(fit, out);
    print_groups(fit, out);
    print_unseen(fit, out);
    return ferror(out) ? -1 : 0;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *real_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const struct fit *fit, size_t c)
{
    const struct fit_row *row = &fit->rows[c];
    const struct fit_measurement *m = fit->cases[c].measurement;
    json_t *seen = json_array();
    for (size_t a = 0; a < fit->space.count; a++)
        if (row->effect[a] > 0)
            build_row(&seen, json_pack("{s:s, s:f}", "name", fit_axis_name(&fit->space, a),
                                       "effect", row->effect[a]));
    return json_pack(
        "{s:o, s:o, s:o, s:f, s:f, s:o, s:[o, o], s:f, s:b, s:b, s:o, s:[o, o], "
        "s:b, s:o, s:b, s:o, s:o, s:o, s:b, s:[o, o], s:b, s:b}",
        "program", utf8_json(m->program), "place", utf8_json(m->place), "quantity",
        utf8_json(m->quantity), "value", m->value, "tolerance", m->tolerance, "fitted",
        real_json(row->predicted), "range", real_json(row->low), real_json(row->high), "excess",
        row->excess, "conflicts", row->conflicts, "others_explained", row->alone, "left_out",
        real_json(row->left_out), "left_out_range", real_json(row->left_low),
        real_json(row->left_high), "left_out_open", left_open(row), "left_out_inside",
        isnan(row->left_out) ? json_null() : json_boolean(left_inside(row, m)), "impossible",
        row->impossible, "source", utf8_json(m->source), "group", utf8_json(m->group), "sees", seen,
        "unreached", row->unreached, "tried", real_json(row->tried[0]), real_json(row->tried[1]),
        "undecided", row->undecided, "repeated", row->repeated);
}

static json_t *value_json(const struct fit *fit, size_t a, double value)
{
    char text[200];
    fit_axis_text(&fit->space, a, value, text, sizeof text);
    return fit->space.axes[a].text ? utf8_json(text) : json_real(value);
}

static json_t *number_json(const struct fit *fit, size_t a)
{
    const struct fit_number *n = &fit->numbers[a];
    const struct fit_axis *axis = &fit->space.axes[a];
    json_t *found = json_array(), *left = json_array();
    for (size_t k = 0; axis->text && k <= (size_t)axis->high; k++) {
        if (n->choices[k])
            build_row(&left, value_json(fit, a, (double)k));
        if (n->kept[k])
            build_row(&found, value_json(fit, a, (double)k));
    }
    for (unsigned k = 0; !axis->text && k < 2; k++) {
        build_row(&found, json_real(n->inner[k]));
        build_row(&left, json_real(n->outer[k]));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", fit_axis_name(&fit->space, a), "seen",
                     fit->sensed ? json_boolean(n->seen) : json_null(), "value",
                     value_json(fit, a, n->value), "found", found, "left", left);
}

static json_t *group_json(const struct fit *fit, const struct fit_group *group)
{
    json_t *names = json_array();
    for (size_t k = 0; k < group->count; k++)
        build_row(&names, json_string(fit_axis_name(&fit->space, group->axes[k])));
    return json_pack("{s:o, s:f, s:f}", "names", names, "low", group->low, "high", group->high);
}

json_t *fit_json(const struct fit *fit)
{
    const struct fit_score score = fit_left_out(fit);
    json_t *rows = json_array(), *numbers = json_array(), *groups = json_array();
    for (size_t c = 0; c < fit->count; c++)
        build_row(&rows, row_json(fit, c));
    for (size_t a = 0; a < fit->space.count; a++)
        build_row(&numbers, number_json(fit, a));
    for (size_t g = 0; g < fit->group_count; g++)
        build_row(&groups, group_json(fit, &fit->groups[g]));
    return json_pack("{s:s, s:s, s:b, s:I, s:I, s:o, s:o, s:o, s:{s:I, s:f, s:f, s:I, s:I}}",
                     "machine", fit->list->machine->name, "verdict", fit_verdict_words(fit),
                     "interrupted", fit->interrupted, "settings", (json_int_t)fit->settings.size,
                     "explaining", (json_int_t)fit->explaining, "measurements", rows, "numbers",
                     numbers, "together", groups, "left_out", "count", (json_int_t)score.count,
                     "mean_error_percent", score.mean, "largest_error_percent", score.largest,
                     "inside", (json_int_t)score.inside, "open", (json_int_t)score.open);
}
