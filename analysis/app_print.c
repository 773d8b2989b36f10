/* app_print: the answer about an application as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/app_answer.h"
#include "analysis/columns.h"
#include "host/number.h"
#include "host/path.h"

enum { STEPS_SHOWN = 24, PARTS_SHOWN = 6, BUSY_SHOWN = 6 };
static const double LEAST_SHARE = 0.0005; /* of what is listed */

/* One line of at most `width` columns. */
static void put_line(FILE *out, int width, char *line)
{
    columns_clean(line);
    int columns;
    size_t size = columns_fit(line, width, &columns);
    while (size && line[size - 1] == ' ')
        size--;
    fprintf(out, "%.*s\n", (int)size, line);
}

static void seconds(char *text, size_t size, double value)
{
    static const struct {
        double least;
        const char *unit;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {0, "ns"}};
    size_t u = 0;
    while (value < units[u].least)
        u++;
    snprintf(text, size, "%.4g %s", value * (units[u].least > 0 ? 1 / units[u].least : 1e9),
             units[u].unit);
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void print_totals(const struct app_answer *a, int width, FILE *out)
{
    char line[512], cycles[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT], time[48];
    const struct app *app = a->how.app;
    number_group(cycles, (int64_t)a->time.total);
    seconds(time, sizeof time, a->time.clock_hz > 0 ? (double)a->time.total / a->time.clock_hz : 0);
    snprintf(line, sizeof line, "%.200s   %s cycles   %s   %s, %" PRIu32 " board%s",
             path_base(app->source->name), cycles, time, app->machine->name, app->boards,
             app->boards == 1 ? "" : "s");
    put_line(out, width, line);
    number_group(cycles, (int64_t)a->documented);
    number_group(low, (int64_t)a->range.low);
    number_group(high, (int64_t)a->range.high);
    if (a->range.known)
        snprintf(line, sizeof line, "  uncertain: %s to %s; %zu constants are unpublished", low,
                 high, a->range.count);
    else
        snprintf(line, sizeof line,
                 "  documented numbers alone: %s; takt sensitivity gives the range", cycles);
    if (!a->how.options->documented)
        put_line(out, width, line);
    if (a->range.count && a->range.rows[0].greatest > a->range.rows[0].least) {
        const struct range_row *row = &a->range.rows[0];
        snprintf(line, sizeof line, "  documented numbers alone: %s; largest effect: %s, %s cycles",
                 cycles, row->name, number_group(low, (int64_t)(row->greatest - row->least)));
        put_line(out, width, line);
    }
    char limit[APP_LIMIT];
    snprintf(line, sizeof line, "LIMIT   %s", app_answer_limit(a, limit));
    put_line(out, width, line);
}

static void print_step(const struct app_answer *a, size_t s, FILE *out, int width)
{
    char line[512], text[APP_TEXT], what[APP_TEXT + 32], done[NUMBER_TEXT], own[NUMBER_TEXT];
    const struct app_step *step = &a->how.app->steps[s];
    const struct app_sum *sum = &a->time.sums[s];
    snprintf(what, sizeof what, "%*s%s %s", (int)(2 * step->depth), "", app_kind_name(step->kind),
             path_base(app_step_text(a->how.app, step, text)));
    columns_clean(what);
    number_group(done, (int64_t)sum->done);
    number_group(own, (int64_t)sum->own);
    if (step->kind == APP_REPEAT)
        snprintf(line, sizeof line, "%5" PRIu32 "  %s", step->line, what);
    else
        snprintf(line, sizeof line, "%5" PRIu32 "  %-30.30s %10s %16s %6.1f%s", step->line, what,
                 done, own, share_of(sum->exposed, a->time.total), step->with_next ? "  +" : "");
    put_line(out, width, line);
}

static void print_steps(const struct app_answer *a, int width, FILE *out)
{
    char line[256];
    const size_t count = a->how.app->count;
    snprintf(line, sizeof line, "%5s  %-30s %10s %16s %6s", "line", "step", "times", "cycles", "%");
    put_line(out, width, line);
    for (size_t s = 0; s < count && s < STEPS_SHOWN; s++)
        print_step(a, s, out, width);
    if (count > STEPS_SHOWN)
        fprintf(out, "%5s  %zu more steps: --json lists them\n", "", count - STEPS_SHOWN);
}

enum { LINE = 512 };

/* "WORD   name 12.3 %   name 4.5 %", as many as fit: false, this one does not. */
static bool add_share(char line[LINE], int width, size_t i, const char *name, double percent)
{
    const size_t before = strlen(line);
    snprintf(line + before, LINE - before, "%s%.40s %.1f %%", i ? "   " : "", name, percent);
    const bool fits = columns_of(line) <= width;
    if (!fits)
        line[before] = '\0';
    return fits;
}

static void print_shares(const struct app_answer *a, int width, FILE *out)
{
    char path[LINE] = "PATH   ", busy[LINE] = "BUSY   ", text[APP_TEXT];
    for (size_t i = 0; i < a->part_count && i < PARTS_SHOWN; i++) {
        const double share = share_of(a->parts[i].cycles, a->time.total);
        if (share < 100 * LEAST_SHARE ||
            !add_share(path, width, i, app_part_name(a, &a->parts[i], text), share))
            break;
    }
    put_line(out, width, path);
    for (size_t i = 0; i < a->busy_count && i < BUSY_SHOWN; i++)
        if (a->busy[i].share < LEAST_SHARE ||
            !add_share(busy, width, i, a->busy[i].name, 100 * a->busy[i].share))
            break;
    put_line(out, width, busy);
}

void app_answer_print(const struct app_answer *a, int width, FILE *out)
{
    char line[256], turns[NUMBER_TEXT], simulated[NUMBER_TEXT];
    uint64_t all = 0;
    bool together = false;
    for (size_t r = 0; r < a->time.row_count; r++)
        all += a->time.rows[r].turns;
    for (size_t s = 0; s < a->how.app->count; s++)
        together |= a->how.app->steps[s].with_next;
    print_totals(a, width, out);
    print_steps(a, width, out);
    if (together)
        fputs("       + begins together with the next step; % is of what took longest\n", out);
    print_shares(a, width, out);
    snprintf(line, sizeof line, "TURNS  %s, %s simulated, %zu kind%s",
             number_group(turns, (int64_t)all),
             number_group(simulated, (int64_t)a->time.turns.simulated), a->time.turns.count,
             a->time.turns.count == 1 ? "" : "s");
    put_line(out, width, line);
}
