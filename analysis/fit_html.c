/* fit_html: what was fitted, in one offline page. */
#include <math.h>
#include <stdio.h>

#include "analysis/answer.h"
#include "analysis/fit.h"
#include "analysis/html.h"

enum { WIDTH = 240 };

static void put_real(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "<td class=\"n\">%.7g</td>", value);
    else
        fputs("<td class=\"n\">-</td>", out);
}

static void put_percent(FILE *out, double value, double measured)
{
    if (isfinite(value) && measured > 0)
        fprintf(out, "<td class=\"n\">%+.2f %%</td>", 100 * (value - measured) / measured);
    else
        fputs("<td class=\"n\">-</td>", out);
}

/* --- measurements ----------------------------------------------------------------------------- */

/* The measured value in the middle; the range by the others; the fitted value. A side is a tenth of
 * the value, or what the range takes. */
static void put_residual(FILE *out, const struct fit_row *row, const struct fit_measurement *m)
{
    double side = m->value / 10;
    const double points[] = {row->predicted, row->left_low, row->left_high};
    for (unsigned i = 0; i < 3; i++)
        if (isfinite(points[i]) && fabs(points[i] - m->value) > side)
            side = fabs(points[i] - m->value);
    const double unit = side > 0 ? WIDTH / 2.0 / side : 0;
    fprintf(out, "<td><svg width=\"%d\" height=\"14\" role=\"img\" aria-label=\"residual\">",
            WIDTH);
    if (isfinite(row->left_low))
        fprintf(out, "<rect x=\"%.1f\" y=\"4\" width=\"%.1f\" height=\"6\" fill=\"var(--line)\"/>",
                WIDTH / 2.0 + (row->left_low - m->value) * unit,
                (row->left_high - row->left_low) * unit + 1);
    fprintf(out,
            "<rect x=\"%d\" y=\"0\" width=\"1\" height=\"14\" fill=\"var(--soft)\"/>"
            "<circle cx=\"%.1f\" cy=\"7\" r=\"3\" fill=\"var(--busy)\"/></svg></td>",
            WIDTH / 2, WIDTH / 2.0 + (row->predicted - m->value) * unit);
}

static void put_rows(const struct fit *fit, FILE *out)
{
    static const char *const columns[] = {
        "program",        "quantity", "#measured", "#tolerance", "#fitted", "#off",
        "#by the others", "#off",     "residual",  "",           NULL};
    html_table(out, "measurements", "Measurements",
               "The middle of each picture is what was measured, the dot what the fitted chip "
               "gives, the bar what the other measurements alone leave.",
               columns);
    for (size_t c = 0; c < fit->count; c++) {
        const struct fit_row *row = &fit->rows[c];
        const struct fit_measurement *m = fit->cases[c].measurement;
        html_put(out, "<tr><td>%.160s</td><td>%.160s</td>", m->program, m->quantity);
        put_real(out, m->value);
        put_real(out, m->tolerance);
        put_real(out, row->predicted);
        put_percent(out, row->predicted, m->value);
        put_real(out, row->left_out);
        put_percent(out, row->left_out, m->value);
        put_residual(out, row, m);
        fprintf(out, "<td>%s%s</td></tr>\n", row->conflicts ? "contradicts " : "",
                row->alone && fit->verdict == FIT_CONTRADICTS ? "suspect" : "");
    }
    html_table_end(out);
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void put_box(FILE *out, const struct fit_axis *axis, const struct fit_number *n)
{
    const double unit = WIDTH / (axis->high - axis->low);
    fprintf(out,
            "<td><svg width=\"%d\" height=\"14\" role=\"img\" aria-label=\"range\">"
            "<rect x=\"0\" y=\"6\" width=\"%d\" height=\"2\" fill=\"var(--line)\"/>"
            "<rect x=\"%.1f\" y=\"4\" width=\"%.1f\" height=\"6\" fill=\"var(--line)\"/>"
            "<rect x=\"%.1f\" y=\"3\" width=\"%.1f\" height=\"8\" fill=\"var(--soft)\"/>"
            "<circle cx=\"%.1f\" cy=\"7\" r=\"4\" fill=\"var(--busy)\"/></svg></td>",
            WIDTH, WIDTH, (n->outer[0] - axis->low) * unit, (n->outer[1] - n->outer[0]) * unit + 1,
            (n->inner[0] - axis->low) * unit, (n->inner[1] - n->inner[0]) * unit + 1,
            (n->value - axis->low) * unit);
}

static void put_choices(const struct fit *fit, size_t a, const bool *which, FILE *out)
{
    char value[200];
    fputs("<td>", out);
    for (size_t k = 0, shown = 0; k <= (size_t)fit->space.axes[a].high; k++) {
        if (!which[k])
            continue;
        fit_axis_text(&fit->space, a, (double)k, value, sizeof value);
        html_put(out, shown++ ? ", %.160s" : "%.160s", value);
    }
    fputs("</td>", out);
}

static void put_number(const struct fit *fit, size_t a, FILE *out)
{
    const struct fit_number *n = &fit->numbers[a];
    const struct fit_axis *axis = &fit->space.axes[a];
    char value[200];
    fit_axis_text(&fit->space, a, n->value, value, sizeof value);
    fprintf(out, "<tr><td>%s</td><td>%s</td><td>", fit_axis_name(&fit->space, a),
            !fit->sensed ? ""
            : n->seen    ? "yes"
                         : "no");
    html_put(out, "%.160s</td>", value);
    if (axis->text) {
        put_choices(fit, a, n->kept, out);
        put_choices(fit, a, n->choices, out);
        fputs("<td></td><td></td></tr>\n", out);
        return;
    }
    fprintf(out, "<td>%.7g .. %.7g</td><td>%.7g .. %.7g</td><td>%.7g .. %.7g</td>", n->inner[0],
            n->inner[1], n->outer[0], n->outer[1], axis->low, axis->high);
    put_box(out, axis, n);
    fputs("</tr>\n", out);
}

static void put_numbers(const struct fit *fit, FILE *out)
{
    static const char *const columns[] = {"number",         "seen",   "value", "kept",
                                          "left by bounds", "before", "",      NULL};
    html_table(out, "numbers", "Numbers",
               "Kept: in the settings that were kept, which explain all measurements or come "
               "near. Left by bounds: not excluded, whatever the others are. The thin line is the "
               "range before.",
               columns);
    for (size_t a = 0; a < fit->space.count; a++)
        put_number(fit, a, out);
    fputs("</tbody></table></div>\n", out);
    for (size_t g = 0; g < fit->group_count; g++) {
        const struct fit_group *group = &fit->groups[g];
        fprintf(out, "<p>In the settings kept together: %s + %s, %.7g .. %.7g</p>\n",
                fit_axis_name(&fit->space, group->axes[0]),
                fit_axis_name(&fit->space, group->axes[1]), group->low, group->high);
    }
    fputs("</section>\n", out);
}

int fit_print_html(const struct fit *fit, FILE *out)
{
    static const char *const sections[] = {"measurements=measurements", "numbers=numbers"};
    const struct fit_score score = fit_left_out(fit);
    html_begin(out, "fit");
    fprintf(out, "<header>\n<h1>%s: %zu measurements, %s</h1>\n", fit->list->machine->title,
            fit->count, fit_verdict_words(fit));
    if (score.count)
        fprintf(out,
                "<p>Each by the others alone: mean error %.2f %%, largest %.2f %%, %zu of %zu in "
                "the range; of %zu the others leave nearly all.</p>\n",
                score.mean, score.largest, score.inside, score.count, score.open);
    fputs("</header>\n", out);
    html_main(out, sections, sizeof sections / sizeof *sections);
    put_rows(fit, out);
    put_numbers(fit, out);
    html_end(out);
    return ferror(out) ? -1 : 0;
}
