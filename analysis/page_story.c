/* page_story: the head of a page: the total, what bounds the run as a paragraph, and what could be
 * changed. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/html.h"
#include "analysis/page.h"
#include "analysis/page_part.h"
#include "timing/machines.h"
#include "traces/rows.h"
#include "analysis/verdict.h"
#include "traces/trace.h"
#include "host/number.h"
#include "host/path.h"

enum { CHANGES_SHOWN = 8, REASONS_SHOWN = 4 };

static void put_number(const struct page *p, int64_t value)
{
    char number[NUMBER_TEXT];
    fputs(number_group(number, value), p->out);
}

/* --- the paragraph ---------------------------------------------------------------------------- */

/* "lines 18 (i01), 20 (i03) and 22" */
static void tell_lines(const struct page *p, const struct verdict *v)
{
    fputs(!v->one_file ? "" : v->count == 1 ? "line " : "lines ", p->out);
    for (int i = 0; i < v->count; i++) {
        fputs(i == 0 ? "" : i == v->count - 1 ? " and " : ", ", p->out);
        fprintf(p->out, "<a href=\"#L%" PRId64 "\">", v->lines[i].line);
        if (!v->one_file)
            html_words(p->out, path_base(v->lines[i].file));
        fprintf(p->out, "%s%" PRId64 "</a>", v->one_file ? "" : ":", v->lines[i].line);
        if (*v->lines[i].tag)
            html_put(p->out, " (%s)", v->lines[i].tag);
    }
}

/* The limit, with its lines as links. */
static void tell_limit(const struct page *p, const struct verdict *v)
{
    if (p->store.summary.limit || !*v->kind) {
        html_words(p->out,
                   p->store.summary.limit ? p->store.summary.limit : "nothing is done in it");
        return;
    }
    html_words(p->out, v->words);
    if (v->count) {
        fputs(" (", p->out);
        tell_lines(p, v);
        fputs(")", p->out);
    }
}

/* A phrase with what it means. */
static void put_term(struct page *p, const char *kind, const char *word)
{
    const struct machine *machine = machine_named(p->store.header.machine);
    const struct term *term = machine ? terms_next(machine, kind, word, NULL) : NULL;
    term = term ? term : terms_next(NULL, kind, word, NULL);
    if (term)
        html_put(p->out, "<span class=\"term\" title=\"%s\">%s</span>", term->text, term->phrase);
    else
        html_words(p->out, word);
}

/* What the first issuing unit does. */
static void tell_stream(struct page *p, int64_t total)
{
    sqlite3_stmt *s =
        rows_select(p->db,
                    "SELECT u.name, y.name, y.state, sum(t.cycles) FROM unit_total t JOIN reason y "
                    "ON y.id = t.reason JOIN unit u ON u.id = t.unit "
                    "WHERE u.id = (SELECT min(id) FROM unit WHERE kind = 'issue') AND y.state < 2 "
                    "GROUP BY y.id HAVING sum(t.cycles) > 0 ORDER BY y.state, 4 DESC, y.id",
                    &p->rc);
    int rows = 0, waits = 0;
    for (; waits < REASONS_SHOWN && rows_next(s, &p->rc); rows++) {
        const int64_t cycles = sqlite3_column_int64(s, 3);
        const bool busy = sqlite3_column_int64(s, 2) == 0;
        if (rows == 0) {
            html_put(p->out,
                     busy ? "The issuing unit %s works in " : "The issuing unit %s does not work: ",
                     rows_text(s, 0));
        } else if (!busy) {
            fputs(waits ? ", " : ". In the others: ", p->out);
        }
        if (!busy) {
            put_term(p, "reason", rows_text(s, 1));
            fputs(" in ", p->out);
            waits++;
        }
        put_number(p, cycles);
        fprintf(p->out, " cycles (%.1f %%)", 100.0 * (double)cycles / (double)total);
    }
    sqlite3_finalize(s);
    fputs(rows ? ". " : "", p->out);
}

/* The longest wait of a statement that was not yet in flight. */
static void tell_wait(struct page *p)
{
    sqlite3_stmt *s = rows_select(
        p->db,
        "SELECT d.waited, d.dst_line, d.src_line, d.src_text, d.kind FROM v_dep d "
        "WHERE d.waited > 0 AND NOT EXISTS (SELECT 1 FROM transfer t WHERE t.stmt = d.dst AND "
        "t.issued < d.first_at) ORDER BY d.waited DESC, d.id LIMIT 1",
        &p->rc);
    if (rows_next(s, &p->rc)) {
        fputs("The longest wait, ", p->out);
        put_number(p, sqlite3_column_int64(s, 0));
        fprintf(p->out, " cycles, is that of line <a href=\"#L%lld\">%lld</a> for ",
                sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 1));
        if (sqlite3_column_type(s, 2) == SQLITE_NULL) {
            fputs("a fixed latency (", p->out);
            put_term(p, "edge", rows_text(s, 4));
            fputs("). ", p->out);
        } else {
            fprintf(p->out, "line <a href=\"#L%lld\">%lld</a>, ", sqlite3_column_int64(s, 2),
                    sqlite3_column_int64(s, 2));
            html_put(p->out, "<code>%.160s</code>. ", rows_text(s, 3));
        }
    }
    sqlite3_finalize(s);
}

static void tell_bound(struct page *p)
{
    sqlite3_stmt *s = rows_select(p->db,
                                  "SELECT cycles, unit, gap, share FROM v_gap "
                                  "WHERE class = 'any-order' AND gap IS NOT NULL",
                                  &p->rc);
    if (rows_next(s, &p->rc)) {
        const int64_t gap = sqlite3_column_int64(s, 2);
        fputs("No order of these statements can take fewer than ", p->out);
        put_number(p, sqlite3_column_int64(s, 0));
        fputs(" cycles", p->out);
        if (*rows_text(s, 1))
            html_put(p->out, " (%s)", rows_text(s, 1));
        if (gap > 0) {
            fputs(", so at most ", p->out);
            put_number(p, gap);
            fprintf(p->out, " cycles, %.1f %%, can be gained by reordering them. ",
                    100 * sqlite3_column_double(s, 3));
        } else {
            fputs(", which is what it takes. ", p->out);
        }
    }
    sqlite3_finalize(s);
}

static void tell_range(struct page *p, int64_t total)
{
    const int64_t low = trace_integer(p->db, "range_low", -1);
    const int64_t documented = trace_integer(p->db, "cycles_documented", 0);
    const int64_t effect = trace_integer(p->db, "range_most_cycles", 0);
    if (low >= 0) {
        char most[200];
        fprintf(p->out,
                "%" PRId64 " constants are unpublished; over their plausible values it takes ",
                trace_integer(p->db, "range_parameters", 0));
        put_number(p, low);
        fputs(" to ", p->out);
        put_number(p, trace_integer(p->db, "range_high", 0));
        fputs(" cycles", p->out);
        if (effect > 0 && effect <= trace_integer(p->db, "range_high", 0) - low) {
            html_put(p->out, "; the largest effect is that of %s, ",
                     trace_text(p->db, "range_most", most, sizeof most));
            put_number(p, effect);
            fputs(effect == 1 ? " cycle" : " cycles", p->out);
        }
        fputs(". ", p->out);
    } else if (documented > 0 && documented != total) {
        fputs("With documented numbers alone it takes ", p->out);
        put_number(p, documented);
        fputs(" cycles. ", p->out);
    }
}

static void tell(struct page *p, const char *program, const char *machine, int64_t total)
{
    struct verdict verdict;
    if (verdict_find(&p->store, &verdict) != 0)
        rows_fail(&p->rc, SQLITE_NOMEM);
    if (p->rc != SQLITE_OK)
        return;
    fputs("<p class=\"verdict\">", p->out);
    put_number(p, total);
    fputs(" cycles; ", p->out);
    tell_limit(p, &verdict);
    char number[NUMBER_TEXT];
    html_put(p->out, "</p>\n<p class=\"story\">%s takes %s cycles on %s", program,
             number_group(number, total), machine);
    sqlite3_stmt *s =
        rows_select(p->db, "SELECT value FROM meta WHERE key = 'clock_hz' AND value > 0", &p->rc);
    if (rows_next(s, &p->rc))
        fprintf(p->out, ", %.4g us at %.6g MHz", 1e6 * (double)total / sqlite3_column_double(s, 0),
                sqlite3_column_double(s, 0) / 1e6);
    sqlite3_finalize(s);
    fputs(". ", p->out);
    tell_stream(p, total > 0 ? total : 1);
    tell_wait(p);
    tell_bound(p);
    tell_range(p, total);
    fputs("</p>\n", p->out);
}

/* --- what could be changed -------------------------------------------------------------------- */

static void put_saves(const struct page *p, int64_t cycles)
{
    fputs("<b class=\"saves\">", p->out);
    fputs(cycles > 0 ? "-" : "", p->out);
    put_number(p, cycles);
    fputs("</b> ", p->out);
}

static void put_place(const struct page *p, int64_t line)
{
    if (line > 0)
        fprintf(p->out, "<a href=\"#L%" PRId64 "\">line %" PRId64 "</a> ", line, line);
}

/* Warnings of the name "removable": that of all together has no line and goes first. */
static void put_removable(struct page *p)
{
    sqlite3_stmt *s = rows_select(p->db,
                                  "SELECT line, sentence, count(*) OVER () FROM v_warning "
                                  "WHERE name = 'removable' ORDER BY line IS NOT NULL, line",
                                  &p->rc);
    int rows = 0;
    int64_t all = 0;
    while (rows < CHANGES_SHOWN && rows_next(s, &p->rc)) {
        all = sqlite3_column_int64(s, 2);
        fputs("<li>Spare: ", p->out);
        put_place(p, sqlite3_column_int64(s, 0));
        html_put(p->out, "%s</li>\n", rows_text(s, 1));
        rows++;
    }
    sqlite3_finalize(s);
    if (all > rows)
        fprintf(p->out, "<li>%lld more in <a href=\"#warnings\">the warnings</a></li>\n",
                (long long)(all - rows));
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static int64_t number_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* The lines of an edit's text, which may be several. */
static void put_edit(const struct page *p, const json_t *edit)
{
    const char *text = json_string_value(json_object_get(edit, "text"));
    fprintf(p->out, "<li>line %" PRId64 " %s", number_of(edit, "line"), text ? "becomes" : "goes");
    while (text) {
        const char *end = strchr(text, '\n');
        fputs(" <code>", p->out);
        html_text(p->out, text, end ? (size_t)(end - text) : strlen(text));
        fputs("</code>", p->out);
        text = end ? end + 1 : NULL;
    }
    fputs("</li>", p->out);
}

/* Items that were applied, or findings. Returns how many. */
static int put_items(const struct page *p, bool findings)
{
    const json_t *items = json_object_get(p->options->advice, "items");
    size_t i;
    int count = 0;
    const json_t *item, *edit;
    json_array_foreach(items, i, item)
    {
        const json_t *edits = json_object_get(item, "edits");
        size_t e;
        if (json_is_true(json_object_get(item, "finding")) != findings)
            continue;
        if (findings && count == 0)
            fputs("<li><details><summary>To decide, not tried together</summary><ul>\n", p->out);
        fputs("<li>", p->out);
        if (!findings)
            put_saves(p, number_of(item, "saves"));
        put_place(p, number_of(item, "line"));
        html_words(p->out, text_of(item, "do"));
        fputs(json_array_size(edits) ? "<ul>" : "", p->out);
        json_array_foreach(edits, e, edit) put_edit(p, edit);
        fputs(json_array_size(edits) ? "</ul></li>\n" : "</li>\n", p->out);
        count++;
    }
    if (findings && count)
        fputs("</ul></details></li>\n", p->out);
    return count;
}

static void put_changes(struct page *p)
{
    const json_t *cycles = json_object_get(p->options->advice, "cycles");
    const int64_t removable =
        rows_value(p->db, "SELECT count(*) FROM v_warning WHERE name = 'removable'", 0, 0, 0);
    if (!cycles && !removable)
        return;
    fputs("<section id=\"changes\"><h2>What could be changed</h2>\n<ul class=\"changes\">\n",
          p->out);
    put_removable(p);
    if (!cycles) {
        fputs("</ul>\n<p>takt advise PROGRAM tries further changes.</p></section>\n", p->out);
        return;
    }
    const int items = put_items(p, false);
    put_items(p, true);
    if (items) {
        fputs("</ul>\n<p>takt advise has applied these one after the other; all of them give ",
              p->out);
        put_number(p, json_integer_value(json_array_get(cycles, 1)));
        fputs(" cycles. Lines of edits are those of the program as the changes before left it.",
              p->out);
    } else {
        fputs("</ul>\n<p>takt advise has found no change that saves cycles.", p->out);
    }
    fputs("</p></section>\n", p->out);
}

void page_story_print(struct page *p)
{
    char program[256], machine[64], command[1024];
    trace_text(p->db, "program", program, sizeof program);
    trace_text(p->db, "machine", machine, sizeof machine);
    trace_text(p->db, "command", command, sizeof command);
    html_put(p->out,
             "<a class=\"skip\" href=\"#units\">to the units</a>\n<header>\n<h1>%s on %s</h1>\n",
             program, machine);
    if (trace_complete(p->db)) {
        tell(p, program, machine, trace_integer(p->db, "total_cycles", 0));
    } else {
        const int64_t reached = trace_reached(p->db);
        fputs("<p class=\"verdict bad\">incomplete: there is no total</p>\n", p->out);
        if (reached >= 0) {
            fputs("<p class=\"story\">The run stopped at cycle ", p->out);
            put_number(p, reached);
            fputs(". What is shown is what was recorded until then.</p>\n", p->out);
        }
    }
    if (*command)
        html_put(p->out, "<p class=\"facts\"><code>%.160s</code></p>\n", command);
    put_changes(p);
    fputs("</header>\n", p->out);
}
