/* page_rules: the rules that a page names, and links to what is said about each. */
#include <string.h>

#include "analysis/html.h"
#include "analysis/page_part.h"
#include "timing/machines.h"
#include "timing/terms.h"
#include "traces/rows.h"

/* Rules are sections of a manual, which the page explains, or parameters of the chip, which it
 * lists. */
static const struct term *section_of(const struct page *p, const char *rule)
{
    const struct machine *machine = machine_named(p->store.header.machine);
    return machine ? terms_next(machine, "rule", rule, NULL) : NULL;
}

static bool is_parameter(struct page *p, const char *rule)
{
    sqlite3_stmt *s = rows_select(p->db, "SELECT 1 FROM param WHERE name = ?", &p->rc);
    if (s)
        rows_fail(&p->rc, sqlite3_bind_text(s, 1, rule, -1, SQLITE_TRANSIENT));
    const bool found = s && rows_next(s, &p->rc);
    sqlite3_finalize(s);
    return found;
}

void page_rule_put(struct page *p, const char *rule)
{
    const struct term *section = section_of(p, rule);
    if (!section && !is_parameter(p, rule)) {
        html_words(p->out, rule);
        return;
    }
    html_put(p->out, "<a href=\"#rule-%s", rule);
    if (section)
        html_put(p->out, "\" title=\"%s", section->phrase);
    html_put(p->out, "\">%s</a>", rule);
}

void page_rules_print(struct page *p)
{
    sqlite3_stmt *s = rows_select(p->db,
                                  "SELECT DISTINCT r.text FROM dep d JOIN string r ON "
                                  "r.id = d.rule WHERE d.waited > 0 ORDER BY 1",
                                  &p->rc);
    bool any = false;
    while (rows_next(s, &p->rc)) {
        const struct term *section = section_of(p, rows_text(s, 0));
        if (!section)
            continue;
        if (!any)
            fputs("<section id=\"rules\"><h2>Rules</h2><p>Sections of the manual that this page "
                  "names, in our words; takt explain WORD prints the same.</p><dl>\n",
                  p->out);
        any = true;
        html_put(p->out, "<dt id=\"rule-%s\">%s %s</dt><dd>%s", section->word, section->word,
                 section->phrase, section->text);
        if (section->example)
            html_put(p->out, "<pre>%s</pre>", section->example);
        fputs("</dd>\n", p->out);
    }
    fputs(any ? "</dl></section>\n" : "", p->out);
    sqlite3_finalize(s);
}
