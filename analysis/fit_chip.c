/* fit_chip: a chip file of what was fitted, to be laid over the machine's. It has every difference
 * from that: numbers that the search does not vary, too, as they were set for it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fit.h"
#include "host/text.h"
#include "timing/machine.h"

struct chip {
    const struct fit *fit;
    struct config machine; /* as it is built in */
    bool *kept;            /* by axis: with its value, its documented one would make no chip */
};

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

/* A text, or a number with all its digits. */
static void put_exact(FILE *out, const struct param *param, bool documented)
{
    const double value = documented ? param->documented : param->value;
    char text[40];
    if (param->row->type == PARAM_TEXT) {
        put_quoted(out,
                   documented && param->documented_text ? param->documented_text : param->text);
        return;
    }
    snprintf(text, sizeof text, "%.15g", value);
    fprintf(out, strtod(text, NULL) == value ? "%.15g" : "%.17g", value);
}

static bool is_guess(const struct param *param)
{
    return param->provenance == PROVENANCE_ASSUMED || param->provenance == PROVENANCE_INFERRED;
}

static const char *documented_text(const struct param *param)
{
    return param->documented_text ? param->documented_text : param->text;
}

static bool same_documented(const struct param *x, const struct param *y)
{
    return x->row->type == PARAM_TEXT ? strcmp(documented_text(x), documented_text(y)) == 0
                                      : x->documented == y->documented;
}

static bool same_value(const struct param *x, const struct param *y)
{
    return x->row->type == PARAM_TEXT ? strcmp(x->text, y->text) == 0 : x->value == y->value;
}

static bool same_plausible(const struct param *x, const struct param *y)
{
    if (x->plausible != y->plausible || x->row->type != PARAM_TEXT)
        return x->plausible == y->plausible && x->plausible_low == y->plausible_low &&
               x->plausible_high == y->plausible_high &&
               x->high_is_optimistic == y->high_is_optimistic;
    size_t k = 0;
    while (x->plausible && x->choices[k] && y->choices[k] &&
           strcmp(x->choices[k], y->choices[k]) == 0)
        k++;
    return !x->plausible || (!x->choices[k] && !y->choices[k]);
}

/* The fields before the plausible range, where they are not the machine's. */
static void put_changes(FILE *out, const struct param *param, const struct param *machine)
{
    if (param->low != machine->low)
        fprintf(out, "  low: %.17g\n", param->low);
    if (param->high != machine->high)
        fprintf(out, "  high: %.17g\n", param->high);
    if (param->provenance != machine->provenance)
        fprintf(out, "  provenance: %s\n", provenance_name[param->provenance]);
    if (is_guess(param) && !same_documented(param, machine)) {
        fputs("  documented: ", out);
        put_exact(out, param, true);
        fputc('\n', out);
    }
    if (param->source && (!machine->source || strcmp(param->source, machine->source) != 0)) {
        fputs("  source: ", out);
        put_quoted(out, param->source);
        fputc('\n', out);
    }
}

static void put_own_plausible(FILE *out, const struct param *param)
{
    fputs("  plausible: [", out);
    for (size_t k = 0; param->row->type == PARAM_TEXT && param->choices[k]; k++) {
        fputs(k ? ", " : "", out);
        put_quoted(out, param->choices[k]);
    }
    if (param->row->type != PARAM_TEXT)
        fprintf(out, "%.17g, %.17g]\n  optimistic: %s\n", param->plausible_low,
                param->plausible_high, param->high_is_optimistic ? "high" : "low");
    else
        fputs("]\n", out);
    fputs("  reason: ", out);
    put_quoted(out, param->reason ? param->reason : "as before");
    fputc('\n', out);
}

/* A number that the search does not vary, where it is not the machine's. */
static void put_fixed(FILE *out, const struct chip *chip, size_t i)
{
    const struct param *param = &chip->fit->config->params[i], *machine = &chip->machine.params[i];
    const bool ranges = !param->overridden && param->plausible && !same_plausible(param, machine);
    if (!param->overridden && !ranges && same_value(param, machine) &&
        same_documented(param, machine))
        return;
    fprintf(out, "\n%s:\n  value: ", param->row->name);
    put_exact(out, param, false);
    fputc('\n', out);
    put_changes(out, param, machine);
    if (ranges)
        put_own_plausible(out, param);
}

static bool is_measured(const struct fit *fit, size_t a)
{
    return fit->numbers[a].seen && fit_is_explained(fit);
}

static void put_param(FILE *out, const struct chip *chip, size_t a)
{
    const struct fit *fit = chip->fit;
    const size_t i = fit->space.axes[a].param;
    const struct param *param = &fit->config->params[i];
    fprintf(out, "\n%s:\n  value: ", param->row->name);
    put_value(out, fit, a, fit->numbers[a].value);
    fputc('\n', out);
    if (is_measured(fit, a) && chip->kept[a]) {
        fputs("  provenance: inferred\n  documented: ", out);
        put_exact(out, param, true);
        fputc('\n', out);
    } else if (is_measured(fit, a)) {
        fputs("  provenance: measured\n", out);
    } else {
        put_changes(out, param, &chip->machine.params[i]);
    }
    if (is_measured(fit, a))
        put_sources(out, fit, a);
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

static void put_chip(FILE *out, const struct chip *chip)
{
    const struct fit *fit = chip->fit;
    fprintf(out,
            "# %s: fitted by takt fit to %zu measurements%s. To be laid over the machine's chip\n"
            "# file: takt run --config THIS PROGRAM.\n",
            fit->list->machine->title, fit->count,
            fit->verdict == FIT_CONTRADICTS ? ", which contradict each other (a compromise)" : "");
    for (size_t i = 0, a = 0; i < fit->config->count; i++)
        if (a < fit->space.count && fit->space.axes[a].param == i)
            put_param(out, chip, a++);
        else
            put_fixed(out, chip, i);
    put_joint(out, fit);
}

/* --- what the machine takes ------------------------------------------------------------------- */

/* A chip, and what it is by documented numbers alone. */
static bool is_valid(const struct machine *machine, struct config *config)
{
    char unsaid[MACHINE_ERROR];
    if (!machine->timing->valid)
        return true;
    if (machine->timing->valid(config, unsaid) != 0)
        return false;
    for (size_t i = 0; i < config->count; i++)
        config->params[i].value = config->params[i].documented;
    return machine->timing->valid(config, unsaid) == 0;
}

/* The documented value of a measured number is the measured one. false: together with those that
 * stay as they were, these are refused. */
static int is_taken(const struct chip *chip, bool *taken)
{
    const struct fit *fit = chip->fit;
    struct config variant = config_variant(fit->config);
    if (!variant.params)
        return -1;
    for (size_t a = 0; a < fit->space.count; a++) {
        const struct fit_axis *axis = &fit->space.axes[a];
        struct param *param = &variant.params[axis->param];
        const bool changes = !is_guess(param) || (is_measured(fit, a) && !chip->kept[a]);
        const double value = fit->numbers[a].value;
        if (axis->text)
            param->text = param->choices[(size_t)value];
        else
            param->value = value;
        param->documented = changes ? value : param->documented;
    }
    *taken = is_valid(fit->list->machine, &variant);
    free(variant.params);
    return 0;
}

/* Of a rule for several numbers, some may be measured and others not. Where the machine refuses
 * them together, measured numbers take their new documented value one after the other, as long as
 * it does not. */
static int keep_documented(struct chip *chip)
{
    const struct fit *fit = chip->fit;
    bool taken, more = true;
    int status = is_taken(chip, &taken);
    if (status != 0 || taken)
        return status;
    for (size_t a = 0; a < fit->space.count; a++)
        chip->kept[a] = true;
    while (status == 0 && more) {
        more = false;
        for (size_t a = 0; status == 0 && a < fit->space.count; a++) {
            if (!is_measured(fit, a) || !chip->kept[a])
                continue;
            chip->kept[a] = false;
            status = is_taken(chip, &taken);
            chip->kept[a] = !taken;
            more |= taken;
        }
    }
    return status;
}

static int read_back(const struct fit *fit, const char *text, size_t size, char error[FIT_ERROR])
{
    const struct machine *machine = fit->list->machine;
    const struct config_file file = {"the chip file", text, size};
    struct config config;
    char why[MACHINE_ERROR] = "";
    int status = machine_config(machine, &config, why, sizeof why);
    if (status != 0)
        return status;
    status = config_overlay(&config, &file, why, sizeof why);
    if (status == 0 && machine->timing->valid)
        status = machine->timing->valid(&config, why);
    if (status > 0)
        snprintf(error, FIT_ERROR, "takt would refuse what it writes: %.500s", why);
    config_free(&config);
    return status;
}

int fit_make_chip(const struct fit *fit, char **text, size_t *size, char error[FIT_ERROR])
{
    struct chip chip = {.fit = fit, .kept = calloc(fit->space.count + 1, sizeof *chip.kept)};
    FILE *out = text_open(text, size);
    int status = out && chip.kept ? 0 : -1;
    if (status == 0)
        status = machine_config(fit->list->machine, &chip.machine, error, FIT_ERROR);
    if (status == 0)
        status = keep_documented(&chip);
    if (status == 0) {
        put_chip(out, &chip);
        status = put_error(out, fit);
    }
    if (out && text_close(out, text) != 0)
        status = -1;
    if (status == 0)
        status = read_back(fit, *text, *size, error);
    config_free(&chip.machine);
    free(chip.kept);
    return status;
}
