/* app_html: the answer about an application as one offline page. */
#include <inttypes.h>

#include "analysis/app_answer.h"
#include "analysis/html.h"
#include "host/number.h"

enum { WIDTH = 240, ROWS_SHOWN = 100 };

static void put_number(FILE *out, uint64_t value)
{
    char text[NUMBER_TEXT];
    fprintf(out, "<td class=\"n\">%s</td>", number_group(text, (int64_t)value));
}

/* A share from 0 to 1 as a number and a bar. */
static void put_share(FILE *out, double share)
{
    fprintf(out,
            "<td class=\"n\">%.1f %%</td><td><svg width=\"%d\" height=\"14\" role=\"img\" "
            "aria-label=\"%.1f percent\"><rect width=\"%.1f\" height=\"14\" "
            "fill=\"var(--busy)\"/></svg></td>",
            100 * share, WIDTH, 100 * share, WIDTH * share);
}

static double share_of(const struct app_answer *a, uint64_t cycles)
{
    return a->time.total ? (double)cycles / (double)a->time.total : 0;
}

static void put_steps(const struct app_answer *a, FILE *out)
{
    static const char *const columns[] = {"#line",   "step",   "board", "#times", "#cycles",
                                          "#hidden", "#share", "",      NULL};
    const struct app *app = a->how.app;
    char text[APP_TEXT];
    html_table(out, "steps", "Steps",
               "Cycles from the beginning to the end of a step, all times together. Hidden: in "
               "which a step that began together with it took longer.",
               columns);
    for (size_t s = 0; s < app->count; s++) {
        const struct app_step *step = &app->steps[s];
        const struct app_sum *sum = &a->time.sums[s];
        fprintf(out, "<tr><td class=\"n\">%" PRIu32 "</td><td style=\"padding-left:%.1frem\">%s ",
                step->line, 0.7 + 1.2 * step->depth, app_kind_name(step->kind));
        html_words(out, app_step_text(app, step, text));
        if (step->kind == APP_REPEAT) {
            fputs("</td><td></td><td></td><td></td><td></td><td></td><td></td></tr>\n", out);
            continue;
        }
        if (step->board == APP_ALL)
            fputs("</td><td>all</td>", out);
        else
            fprintf(out, "</td><td>%" PRIu32 "</td>", step->board);
        put_number(out, sum->done);
        put_number(out, sum->own);
        put_number(out, sum->own > sum->exposed ? sum->own - sum->exposed : 0);
        put_share(out, share_of(a, sum->exposed));
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

static void put_parts(const struct app_answer *a, FILE *out)
{
    static const char *const path[] = {"what", "#cycles", "#share", "", NULL};
    static const char *const busy[] = {"unit", "#cycles", "#share", "", NULL};
    char text[APP_TEXT];
    html_table(out, "path", "What the total consists of",
               "Transfers, and the units on the critical paths of the turns; together the "
               "total.",
               path);
    for (size_t i = 0; i < a->part_count && i < ROWS_SHOWN; i++) {
        html_put(out, "<tr><td>%s</td>", app_part_name(a, &a->parts[i], text));
        put_number(out, a->parts[i].cycles);
        put_share(out, share_of(a, a->parts[i].cycles));
        fputs("</tr>\n", out);
    }
    html_table_end(out);
    html_table(out, "units", "Utilisation", "Busy cycles of all boards over the whole.", busy);
    for (size_t i = 0; i < a->busy_count && i < ROWS_SHOWN && a->busy[i].cycles; i++) {
        html_put(out, "<tr><td>%s</td>", a->busy[i].name);
        put_number(out, a->busy[i].cycles);
        put_share(out, a->busy[i].share);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

static void put_turns(const struct app_answer *a, FILE *out)
{
    static const char *const columns[] = {"#line", "#kind", "#turns", "#cycles each", NULL};
    html_table(out, "turns", "Turns",
               "Turns of a kind find the same state of the memory; each kind is simulated "
               "once. At most 100 rows: the trace has all.",
               columns);
    for (size_t r = 0; r < a->time.row_count && r < ROWS_SHOWN; r++) {
        const struct app_row *row = &a->time.rows[r];
        fprintf(out, "<tr><td class=\"n\">%" PRIu32 "</td>", a->how.app->steps[row->step].line);
        put_number(out, row->turn);
        put_number(out, row->turns);
        put_number(out, a->time.turns.turns[row->turn].cycles);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

int app_answer_html(const struct app_answer *a, FILE *out)
{
    static const char *const sections[] = {"steps=steps", "path=total", "units=units",
                                           "turns=turns"};
    char limit[APP_LIMIT], total[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
    const struct app *app = a->how.app;
    html_begin(out, "application");
    html_put(out, "<header>\n<h1>%s", app->source->name);
    fprintf(out, ": %s, %" PRIu32 " board%s</h1>\n<p class=\"verdict\">%s cycles</p>\n<p>",
            app->machine->title, app->boards, app->boards == 1 ? "" : "s",
            number_group(total, (int64_t)a->time.total));
    html_put(out, "%s</p>\n", app_answer_limit(a, limit));
    if (a->range.known)
        fprintf(out,
                "<p class=\"facts\">range %s to %s over %zu unpublished numbers; by documented "
                "numbers alone %s</p>\n",
                number_group(low, (int64_t)a->range.low),
                number_group(high, (int64_t)a->range.high), a->range.count,
                number_group(total, (int64_t)a->documented));
    fputs("</header>\n", out);
    html_main(out, sections, sizeof sections / sizeof *sections);
    put_steps(a, out);
    put_parts(a, out);
    put_turns(a, out);
    html_end(out);
    return ferror(out) ? -1 : 0;
}
