/* sensitivity: what each number that nobody has published is worth for a program, by runs. */
#include <unistd.h>

#include <jansson.h>

#include "analysis/answer.h"
#include "analysis/utf8_json.h"
#include "cli/session.h"
#include "timing/range.h"
#include "timing/run.h"
#include "traces/sinks.h"

static const char help[] =
    "usage: takt sensitivity [OPTION]... PROGRAM...\n"
    "Run the program with each unpublished number at both ends of its plausible range\n"
    "(takt config lists them), one number at a time and then all together. The table\n"
    "is sorted by effect. Numbers given by --set or --config stay as they are.\n"
    "\n"
    "  --all             also numbers that change nothing\n"
    "  --json            the answer as JSON on standard output (docs/json.md)\n"
    "  --init KIND       as takt run\n"
    "  --load SPEC=FILE  as takt run\n"
    "  --timing-only     time without values\n"
    "  --machine NAME    instead of the one that the file's extension tells\n"
    "  --config FILE     parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE   one parameter\n"
    "  --silence NAME    drop warnings of this name (may be given again); all drops\n"
    "                    every one\n"
    "  --help            this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed\n";

struct subject {
    const struct machine *machine;
    const struct config *config;
    const char *name;
    uint64_t cycles;
    struct range range;
};

/* --- text ------------------------------------------------------------------------------------- */

static double percent(const struct subject *s, uint64_t cycles)
{
    return s->cycles ? 100.0 * ((double)cycles - (double)s->cycles) / (double)s->cycles : 0;
}

static void print_ends(char *text, size_t size, const struct param *param)
{
    size_t choices = 0;
    while (param->choices && param->choices[choices])
        choices++;
    if (param->row->type == PARAM_TEXT)
        snprintf(text, size, "%zu choices", choices);
    else
        snprintf(text, size, "%.6g .. %.6g", param->plausible_low, param->plausible_high);
}

static void print_row(const struct subject *s, const struct range_row *row)
{
    char ends[64], low[ANSWER_NUMBER], high[ANSWER_NUMBER];
    const struct param *param = &s->config->params[row->param];
    print_ends(ends, sizeof ends, param);
    answer_number(low, (int64_t)row->at_low);
    answer_number(high, (int64_t)row->at_high);
    printf("  %-22s %-18s %14s %+7.1f %% %14s %+7.1f %%\n", param->row->name, ends, low,
           percent(s, row->at_low), high, percent(s, row->at_high));
}

static void print_text(const struct subject *s, bool all)
{
    const struct range *range = &s->range;
    char total[ANSWER_NUMBER], low[ANSWER_NUMBER], high[ANSWER_NUMBER];
    printf("%s   %s cycles   range %s to %s over %zu unpublished numbers\n", s->name,
           answer_number(total, (int64_t)s->cycles), answer_number(low, (int64_t)range->low),
           answer_number(high, (int64_t)range->high), range->count);
    printf("  %-22s %-18s %24s %24s\n", "parameter", "plausible", "at its least",
           "at its greatest");
    size_t still = 0;
    for (size_t i = 0; i < range->count; i++) {
        const struct range_row *row = &range->rows[i];
        if (all || row->greatest > row->least)
            print_row(s, row);
        else
            still++;
    }
    if (still)
        printf("  %zu more change nothing\n", still);
    printf("  all at the best plausible values %s, all at the worst %s; none gives less than %s\n",
           answer_number(total, (int64_t)range->optimistic),
           answer_number(high, (int64_t)range->pessimistic),
           answer_number(low, (int64_t)range->low));
    if (range->count && range->rows[0].greatest > range->rows[0].least) {
        const struct range_row *most = &range->rows[0];
        printf("MEASURE  %s: it moves the total by %s cycles, more than any other\n",
               s->config->params[most->param].row->name,
               answer_number(total, (int64_t)(most->greatest - most->least)));
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static json_t *row_json(const struct subject *s, const struct range_row *row)
{
    const struct param *param = &s->config->params[row->param];
    return json_pack("{s:s, s:s, s:o, s:[I, I], s:I, s:I}", "name", param->row->name, "provenance",
                     provenance_name[param->provenance], "plausible", cli_plausible(param), "at",
                     (json_int_t)row->at_low, (json_int_t)row->at_high, "least",
                     (json_int_t)row->least, "greatest", (json_int_t)row->greatest);
}

static int print_json(const struct subject *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->range.count; i++)
        json_array_append_new(rows, row_json(s, &s->range.rows[i]));
    json_t *root = json_pack(
        "{s:o, s:s, s:I, s:{s:I, s:I}, s:I, s:I, s:o}", "program", utf8_json(s->name), "machine",
        s->machine->name, "cycles", (json_int_t)s->cycles, "range", "low", (json_int_t)s->range.low,
        "high", (json_int_t)s->range.high, "optimistic", (json_int_t)s->range.optimistic,
        "pessimistic", (json_int_t)s->range.pessimistic, "parameters", rows);
    return cli_json("sensitivity", root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

/* --- the runs --------------------------------------------------------------------------------- */

/* The run as configured, then the others. */
static int find(struct session *s, struct range *range)
{
    const struct sink sink = sink_null();
    const int code = session_run(s, &sink);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (code == EXIT_FINE &&
        run_range(s->running->run, processors > 1 ? (unsigned)processors : 1, range) != 0)
        return cli_fail(EXIT_HOST, "sensitivity", "out of memory");
    return code;
}

static int answer(struct session *s, bool all)
{
    struct subject subject = {
        .machine = s->machine, .config = &s->chip->config, .name = s->program->sources[0].name};
    int code = session_load(s);
    if (code == EXIT_FINE)
        code = find(s, &subject.range);
    subject.cycles = s->cycles;
    if (code == EXIT_FINE && s->json)
        code = print_json(&subject);
    else if (code == EXIT_FINE)
        print_text(&subject, all);
    range_free(&subject.range);
    return code;
}

int cmd_sensitivity(int argc, char **argv)
{
    struct session s = {.command = "sensitivity"};
    bool all = false;
    const struct cli_option table[] = {
        {"all", .flag = &all}, SESSION_OPTIONS(s), SESSION_VALUES(s)};
    int code;
    if (SESSION_TAKE(&s, help, table, argc, argv, &code)) {
        code = session_open(&s, argv + optind, (size_t)(argc - optind));
        if (code == EXIT_FINE)
            code = answer(&s, all);
    }
    session_close(&s);
    return cli_end_json(s.json, code);
}
