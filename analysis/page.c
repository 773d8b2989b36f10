#include "analysis/page.h"

#include <stdlib.h>

#include "analysis/html.h"
#include "analysis/page_data.h"
#include "analysis/page_part.h"
#include "host/text.h"
#include "traces/rows.h"
#include "traces/store_read.h"
#include "traces/trace.h"

static void put_pictures(struct page *p, const char *program)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = text_open(&data, &size);
    if (out)
        rows_fail(&p->rc, page_data_print(p->db, p->options->from, p->options->to, out));
    if (text_close(out, &data) != 0)
        rows_fail(&p->rc, SQLITE_NOMEM);
    if (p->rc == SQLITE_OK) {
        fputs("<section id=\"time\"><h2>Time</h2>\n<noscript><p>The pictures need the script of "
              "this page; the tables do not.</p></noscript>\n",
              p->out);
        html_picture(p->out, program, data, size);
        fputs("</section>\n", p->out);
    }
    free(data);
}

int page_print(sqlite3 *db, const struct page_options *options, FILE *out)
{
    static const char *const sections[] = {
        "time=time",     "units=units",           "stalls=stalls",     "transfers=transfers",
        "source=source", "statements=statements", "bounds=bounds",     "roofline=roofline",
        "critical=path", "parameters=parameters", "warnings=warnings", "rules=rules"};
    struct page p = {.db = db, .out = out, .rc = SQLITE_OK, .options = options};
    char program[256];
    rows_fail(&p.rc, store_read(&p.store, db));
    trace_text(db, "program", program, sizeof program);
    html_begin(out, program);
    page_story_print(&p);
    html_main(out, sections, sizeof sections / sizeof *sections);
    put_pictures(&p, program);
    page_tables_print(&p);
    page_rules_print(&p);
    html_end(out);
    store_close(&p.store);
    return p.rc != SQLITE_OK ? p.rc : fflush(out) || ferror(out) ? SQLITE_IOERR : SQLITE_OK;
}
