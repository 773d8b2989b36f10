#include "tests/handle_rows.h"

#include <inttypes.h>

static const char *shown(const char *text)
{
    return text ? text : "(null)";
}

void handle_rows_findings(const struct takt_program *program, FILE *out)
{
    const struct takt_finding *f;
    const size_t count = takt_program_findings(program, &f);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "finding %s:%u:%u+%u %d %s %s %s fix %s %d %" PRIu64 " %" PRIu64 "\n",
                f[i].file, f[i].line, f[i].column, f[i].length, (int)f[i].severity, f[i].rule,
                f[i].name, f[i].text, shown(f[i].fix), f[i].missing_steps, f[i].spare_steps,
                f[i].spare_cycles);
}

/* --- a run ------------------------------------------------------------------------------------ */

static void print_units(const struct takt_run *run, FILE *out)
{
    const struct takt_unit *u;
    for (size_t i = 0, count = takt_run_units(run, &u); i < count; i++) {
        fprintf(out, "unit %s %s %u %" PRIu64 " %" PRIu64 " %" PRIu64, u[i].name, u[i].kind,
                u[i].instances, u[i].busy, u[i].waiting, u[i].idle);
        for (size_t r = 0; r < u[i].reason_count; r++)
            fprintf(out, " %s %" PRIu64, u[i].reasons[r].name, u[i].reasons[r].cycles);
        fputc('\n', out);
    }
    const struct takt_counter *c;
    for (size_t i = 0, count = takt_run_counters(run, &c); i < count; i++)
        fprintf(out, "counter %s %s %u %" PRIu64 "\n", c[i].name, shown(c[i].index_name),
                c[i].index, c[i].value);
}

static void print_transfers(const struct takt_run *run, FILE *out)
{
    const struct takt_transfer *t;
    for (size_t i = 0, count = takt_run_transfers(run, &t); i < count; i++) {
        fprintf(out, "transfer %s:%u %s %s %" PRIu64 " %" PRIu64 " %s", shown(t[i].file), t[i].line,
                t[i].mode, shown(t[i].tag), t[i].started, t[i].finished, shown(t[i].limited_by));
        for (size_t a = 0; a < t[i].attribute_count; a++)
            fprintf(out, " %s %" PRIu64, t[i].attributes[a].name, t[i].attributes[a].value);
        fputc('\n', out);
    }
}

static void print_statements(const struct takt_run *run, FILE *out)
{
    const struct takt_statement *s;
    for (size_t i = 0, count = takt_run_statements(run, &s); i < count; i++)
        fprintf(out, "statement %s:%u %s %s %s %" PRIu64 " %" PRIu64 "\n", shown(s[i].file),
                s[i].line, shown(s[i].text), s[i].unit, s[i].reason, s[i].cycles, s[i].executions);
    const struct takt_step *p;
    for (size_t i = 0, count = takt_run_path(run, &p); i < count; i++)
        fprintf(out, "step %" PRIu64 " %" PRIu64 " %s %s %s:%u\n", p[i].start, p[i].cycles,
                shown(p[i].unit), p[i].reason, shown(p[i].file), p[i].line);
}

static void print_verdict(const struct takt_verdict *v, FILE *out)
{
    fprintf(out, "verdict %s %s %s %s\n", v->text, v->kind, shown(v->unit), shown(v->cause));
    for (size_t i = 0; i < v->line_count; i++)
        fprintf(out, "place %s:%u %s\n", shown(v->lines[i].file), v->lines[i].line,
                shown(v->lines[i].tag));
}

void handle_rows_run(const struct takt_run *run, FILE *out)
{
    const struct takt_totals *t = takt_run_totals(run);
    fprintf(out, "totals %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", t->complete, t->cycles,
            t->cycles_documented, t->events);
    print_units(run, out);
    print_statements(run, out);
    print_transfers(run, out);
    print_verdict(takt_run_verdict(run), out);
    fputs(takt_run_dump(run, NULL), out);
}

void handle_rows_proven(const struct takt_run *run, FILE *out)
{
    const struct takt_totals *t = takt_run_totals(run);
    fprintf(out, "range %d %" PRIu64 " %" PRIu64 "\n", t->has_range, t->range_low, t->range_high);
    const struct takt_bound *b;
    for (size_t i = 0, count = takt_run_bounds(run, &b); i < count; i++)
        fprintf(out, "bound %s %s %s %" PRIu64 "\n", b[i].class_name, b[i].kind, shown(b[i].unit),
                b[i].cycles);
    const struct takt_dependence *d;
    for (size_t i = 0, count = takt_run_dependences(run, &d); i < count; i++)
        fprintf(out, "dependence %s:%u %s:%u %s %s %s %" PRIu64 " %d %" PRId64 "\n",
                shown(d[i].from_file), d[i].from_line, shown(d[i].to_file), d[i].to_line, d[i].kind,
                d[i].space, d[i].rule, d[i].lag, d[i].has_slack, d[i].slack);
    const struct takt_slack *s;
    for (size_t i = 0, count = takt_run_slacks(run, &s); i < count; i++)
        fprintf(out, "slack %s:%u %" PRIu64 " %d\n", shown(s[i].file), s[i].line, s[i].cycles,
                s[i].exact);
    const struct takt_sensitivity *n;
    for (size_t i = 0, count = takt_run_sensitivity(run, &n); i < count; i++)
        fprintf(out, "number %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", n[i].name,
                n[i].provenance, n[i].at_low, n[i].at_high, n[i].least, n[i].greatest);
}

/* --- answers ---------------------------------------------------------------------------------- */

void handle_rows_proof(const struct takt_proof *proof, FILE *out)
{
    fprintf(out, "proof %" PRIu64 " %zu\n%s", proof->cycles, proof->size, proof->text);
    for (size_t i = 0; i < proof->bound_count; i++)
        fprintf(out, "certificate %s\n", proof->certificates[i]);
}

void handle_rows_diff(const struct takt_diff *diff, FILE *out)
{
    fprintf(out, "diff %" PRId64 " %zu %d\n", diff->difference, diff->same, diff->equal);
    for (size_t i = 0; i < diff->term_count; i++)
        fprintf(out, "term %" PRId64 " %s %s %s\n", diff->terms[i].cycles, diff->terms[i].reason,
                diff->terms[i].unit, diff->terms[i].text);
    for (size_t i = 0; i < diff->parameter_count; i++)
        fprintf(out, "difference %s %s %s\n", diff->parameters[i].name, diff->parameters[i].a,
                diff->parameters[i].b);
}

void handle_rows_advice(const struct takt_advice *advice, FILE *out)
{
    fprintf(out, "advice %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %s\n%s", advice->before,
            advice->after, advice->tried, advice->stopped, advice->complete, advice->equal,
            advice->text);
    for (size_t i = 0; i < advice->item_count; i++) {
        const struct takt_item *item = &advice->items[i];
        fprintf(out, "item %s %u %u %" PRIu64 " %" PRIu64 " %d %d %s\n", item->kind, item->line,
                item->current, item->before, item->after, item->finding, item->dumps_only,
                item->sentence);
        for (size_t e = 0; e < item->edit_count; e++)
            fprintf(out, "edit %u %s\n", item->edits[e].line, shown(item->edits[e].text));
    }
}

static void print_pairs(const struct takt_pair *pairs, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, "pair %u %u %" PRIu64 " %d %s\n", pairs[i].transfer, pairs[i].access,
                pairs[i].cycles, pairs[i].early, pairs[i].tag);
}

void handle_rows_schedule(const struct takt_schedule *schedule, FILE *out)
{
    fprintf(out,
            "schedule %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %d %" PRIu64 " %" PRIu64
            " %s %s\n%s",
            schedule->before, schedule->after, schedule->bound, schedule->kept, schedule->optimal,
            schedule->stopped, schedule->pieces, schedule->tries, schedule->reason, schedule->equal,
            schedule->text);
    print_pairs(schedule->pairs, schedule->pair_count, out);
    fprintf(out, "renamed %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", schedule->unrenamed,
            schedule->free_places, schedule->bytes);
    for (size_t i = 0; i < schedule->moved_count; i++)
        fprintf(out, "moved %u %u %s %s\n", schedule->moved[i].line, schedule->moved[i].accesses,
                schedule->moved[i].from, schedule->moved[i].to);
}

static void print_interval(const struct takt_interval *bound, FILE *out)
{
    fprintf(out, "interval %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %u\n", bound->class_name,
            bound->limit, bound->cycles, bound->steps, bound->chain, bound->turns);
    for (size_t i = 0; i < bound->unit_count; i++)
        fprintf(out, "load %s %" PRIu64 " %" PRIu64 "\n", bound->units[i].unit,
                bound->units[i].cycles, bound->units[i].turned);
    for (size_t i = 0; i < bound->apart_count; i++)
        fprintf(out, "apart %u\n", bound->apart[i]);
    for (size_t i = 0; i < bound->line_count; i++)
        fprintf(out, "line %u\n", bound->lines[i]);
}

void handle_rows_loop(const struct takt_loop *loop, FILE *out)
{
    fprintf(out, "loop %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %u %" PRIu64 " %u\n",
            loop->first, loop->last, loop->turns, loop->statements, loop->before, loop->after,
            loop->written.interval, loop->written.steady, loop->found.interval, loop->found.steady);
    for (size_t i = 0; i < loop->bound_count; i++)
        print_interval(&loop->bounds[i], out);
    fprintf(out, "%u %u %d %d %d %d %" PRIu64 " %s %s\n%s", loop->steps, loop->stages, loop->kept,
            loop->stopped, loop->optimal, loop->same_waits, loop->tries, loop->reason, loop->equal,
            loop->text);
    print_pairs(loop->pairs, loop->pair_count, out);
}

void handle_rows_app(const struct takt_app *app, FILE *out)
{
    fprintf(out, "app %s %u %" PRIu64 " %" PRIu64 " %d %" PRIu64 " %" PRIu64 " %s\n%s\n",
            app->machine, app->boards, app->cycles, app->cycles_documented, app->has_range,
            app->range_low, app->range_high, app->limit, app->json);
    for (size_t s = 0; s < app->step_count; s++)
        fprintf(out, "step %s %s %" PRIu64 " %" PRIu64 "\n", app->steps[s].kind, app->steps[s].text,
                app->steps[s].cycles, app->steps[s].exposed);
}

void handle_rows_fit(const struct takt_fit *fit, FILE *out)
{
    fprintf(out, "fit %s %s %d %d\n%s\n", fit->machine, fit->verdict, fit->explained, fit->stopped,
            fit->json);
    for (size_t r = 0; r < fit->row_count; r++) {
        const struct takt_fit_row *row = &fit->rows[r];
        fprintf(out, "%s %s %s %g %g: %g %g %g, %g %g %g, %d %d %d\n", row->program, row->quantity,
                row->place, row->value, row->tolerance, row->predicted, row->low, row->high,
                row->left_out, row->left_low, row->left_high, row->impossible, row->conflicts,
                row->alone);
    }
    for (size_t n = 0; n < fit->number_count; n++) {
        const struct takt_fit_number *number = &fit->numbers[n];
        fprintf(out, "%s %d %s %g %g %g %g %g\n", number->name, number->seen, number->text,
                number->value, number->found_low, number->found_high, number->left_low,
                number->left_high);
    }
    fwrite(fit->chip ? fit->chip : "", 1, fit->chip_size, out);
}
