/* page_part: the parts of a page (analysis/page.h), for page.c alone. */
#ifndef TAKT_ANALYSIS_PAGE_PART_H
#define TAKT_ANALYSIS_PAGE_PART_H

#include <sqlite3.h>
#include <stdio.h>

#include "traces/store.h"

struct page {
    sqlite3 *db;
    struct store store; /* of the trace */
    FILE *out;
    int rc;
    const struct page_options *options;
};

/* page_story.c: the head, with the verdict as a paragraph, and what could be changed. */
void page_story_print(struct page *p);
/* page_tables.c: units, the answers of takt report, and the source between them. */
void page_tables_print(struct page *p);
/* page_rules.c: a rule, as a link to what the page says about it; and those that waits name. */
void page_rule_put(struct page *p, const char *rule);
void page_rules_print(struct page *p);

#endif
