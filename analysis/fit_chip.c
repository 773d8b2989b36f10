/* fit_chip: a chip file of what was fitted, to be laid over the machine's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit.h"

/* A text in double quotes, as YAML takes it: bytes that are not ASCII or not printed become '?'. */
static void put_quoted(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            putc('\\', out);
        putc(byte < 0x20 || byte > 0x7e ? '?' : byte, out);
    }
    putc('"', out);
}

static void put_value(FILE *out, const struct fit *fit, size_t a, double value)
{
    char text[200];
    fit_axis_text(&fit->space, a, value, text, sizeof text);
    if (fit->space.axes[a].text)
        put_quoted(out, text);
    else
        fputs(text, out);
}

/* Of a real the ends are widened to what ten digits show, inside the old ones. */
static double rounded_end(const struct fit_axis *axis, double value, bool up)
{
    const double fine = axis->whole ? 0 : 1e-6;
    value += up ? fine : -fine;
    return value < axis->low ? axis->low : value > axis->high ? axis->high : value;
}

static void put_plausible(FILE *out, const struct fit *fit, size_t a)
{
    const struct fit_axis *axis = &fit->space.axes[a];
    const struct fit_number *number = &fit->numbers[a];
    fputs("  plausible: [", out);
    for (size_t k = 0, shown = 0; axis->text && k <= (size_t)axis->high; k++)
        if (number->choices[k]) {
            fputs(shown++ ? ", " : "", out);
            put_value(out, fit, a, (double)k);
        }
    if (!axis->text)
        fprintf(out, "%.10g, %.10g", rounded_end(axis, number->outer[0], false),
                rounded_end(axis, number->outer[1], true));
    fputs("]\n", out);
    if (!axis->text)
        fprintf(out, "  optimistic: %s\n", axis->high_is_optimistic ? "high" : "low");
}

/* What one measurement says of where it is from. */
static void put_sources(FILE *out, const struct fit *fit, size_t a)
{
    enum { MOST = 200 };
    char text[MOST + 200];
    size_t used = (size_t)snprintf(text, sizeof text, "takt fit:"), shown = 0;
    for (size_t c = 0; c < fit->count && used < MOST; c++) {
        const struct fit_measurement *m = fit->cases[c].measurement;
        if (!(fit->rows[c].effect[a] > 0))
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %.60s%s%.80s%s",
                                 shown++ ? "," : "", m->program, m->source ? " (" : "",
                                 m->source ? m->source : "", m->source ? ")" : "");
    }
    fputs("  source: ", out);
    put_quoted(out, text);
    fputc('\n', out);
}

static bool is_narrowed(const struct fit *fit, size_t a)
{
    const struct fit_number *number = &fit->numbers[a];
    const struct fit_axis *axis = &fit->space.axes[a];
    bool narrowed = number->outer[0] > axis->low || number->outer[1] < axis->high;
    for (size_t k = 0; axis->text && k <= (size_t)axis->high; k++)
        narrowed |= !number->choices[k];
    return narrowed;
}

static void put_param(FILE *out, const struct fit *fit, size_t a)
{
    const struct param *param = &fit->config->params[fit->space.axes[a].param];
    const bool measured = fit->numbers[a].seen && fit_is_explained(fit);
    fprintf(out, "\n%s:\n  value: ", param->row->name);
    put_value(out, fit, a, fit->numbers[a].value);
    fputc('\n', out);
    if (measured) {
        fputs("  provenance: measured\n", out);
        put_sources(out, fit, a);
    }
    put_plausible(out, fit, a);
    fputs("  reason: ", out);
    put_quoted(out, is_narrowed(fit, a) ? "what the measurements leave of the range before"
                    : param->reason     ? param->reason
                                        : "as before");
    fputc('\n', out);
}

/* The median of the shares by which measurements may be off. Returns 0, or -1. */
static int put_error(FILE *out, const struct fit *fit)
{
    double *shares = malloc((fit->count + 1) * sizeof *shares);
    if (!shares)
        return -1;
    for (size_t c = 0; c < fit->count; c++) {
        const struct fit_measurement *m = fit->cases[c].measurement;
        shares[c] = m->value > 0 ? fmin(m->tolerance / m->value, 1) : 0;
    }
    fprintf(out, "  error: %.6f\n", fit_median(shares, fit->count));
    free(shares);
    return 0;
}

static void put_joint(FILE *out, const struct fit *fit)
{
    fputs("\njoint:\n  parameters: [", out);
    for (size_t a = 0; a < fit->space.count; a++)
        fprintf(out, "%s%s", a ? ", " : "", fit_axis_name(&fit->space, a));
    fputs("]\n  settings:\n", out);
    for (size_t i = 0; i < fit->settings.size; i++) {
        fputs("  - \"", out);
        for (size_t a = 0; a < fit->space.count; a++) {
            char text[200];
            fit_axis_text(&fit->space, a, fit->settings.points[i * fit->space.count + a], text,
                          sizeof text);
            fprintf(out, "%s%s", a ? " " : "", text);
        }
        fputs("\"\n", out);
    }
}

int fit_print_chip(const struct fit *fit, FILE *out)
{
    fprintf(out,
            "# %s: fitted by takt fit to %zu measurements%s. To be laid over the machine's chip\n"
            "# file: takt run --config THIS PROGRAM.\n",
            fit->list->machine->title, fit->count,
            fit->verdict == FIT_CONTRADICTS ? ", which contradict each other (a compromise)" : "");
    for (size_t a = 0; a < fit->space.count; a++)
        put_param(out, fit, a);
    put_joint(out, fit);
    return put_error(out, fit) != 0 || ferror(out) ? -1 : 0;
}
