#include "cli/expect_reports.h"

#include <stdio.h>

#include "analysis/sarif.h"
#include "cli/expect_values.h"
#include "cli/reports.h"
#include "host/file.h"
#include "host/in_use.h"

static const char unjudged[] = "not judged: takt expect ended early";

/* "expected cycles <= 1400, but it is 1500" */
static void describe(const struct expect_row *row, char *text, size_t size)
{
    char value[60];
    expectation_number(&row->expectation, row->value, value);
    if (expectation_compares_values(&row->expectation))
        snprintf(text, size, "expected %s, but the values are %s", row->text,
                 row->value != 0 ? "equal" : "not equal");
    else
        snprintf(text, size, "%s %s, %s it is %s%s", row->holds ? "as expected:" : "expected",
                 row->text, row->holds ? "" : "but", row->expectation.at_least ? "at least " : "",
                 value);
}

static int write_junit(const struct expect_reports *r, bool judged)
{
    struct junit junit;
    if (junit_open(&junit) != 0)
        return cli_fail(EXIT_HOST, "expect", "out of memory");
    for (size_t i = 0; i < r->count; i++) {
        const struct expect_row *row = &r->rows[i];
        char sentence[600];
        describe(row, sentence, sizeof sentence);
        junit_case(&junit, &(const struct junit_case){.group = r->path,
                                                      .name = row->text,
                                                      .result = !judged      ? JUNIT_ERROR
                                                                : row->holds ? JUNIT_PASSED
                                                                             : JUNIT_FAILED,
                                                      .sentence = judged ? sentence : unjudged});
    }
    if (!r->count)
        junit_case(&junit,
                   &(const struct junit_case){r->path, "expectations", JUNIT_ERROR, unjudged});
    return judged ? reports_junit("expect", r->junit, &junit)
                  : reports_early("expect", r->junit, &junit);
}

static int write_sarif(const struct expect_reports *r)
{
    struct sarif sarif;
    sarif_open(&sarif);
    for (size_t i = 0; i < r->count; i++) {
        const struct expect_row *row = &r->rows[i];
        char sentence[600];
        describe(row, sentence, sizeof sentence);
        sarif_add(&sarif, &(const struct sarif_result){.rule = row->expectation.name,
                                                       .level = row->holds ? "none" : "error",
                                                       .sentence = sentence,
                                                       .file = row->file ? row->file : r->path,
                                                       .line = row->line});
    }
    return reports_json("expect", r->sarif, sarif_log(&sarif, "expect"));
}

bool expect_reports_standard(const struct expect_reports *r)
{
    return (r->junit && replace_is_output(r->junit)) || (r->sarif && replace_is_output(r->sarif));
}

int expect_reports_early(struct expect_reports *r)
{
    if (!r->junit || replace_is_output(r->junit))
        return EXIT_FINE;
    r->early = true;
    const int code = write_junit(r, false);
    in_use_rewrite(r->junit);
    return code;
}

int expect_reports_judged(struct expect_reports *r)
{
    r->judged = true;
    const int code = r->junit ? write_junit(r, true) : EXIT_FINE;
    return code == EXIT_FINE && r->sarif ? write_sarif(r) : code;
}

int expect_reports_end(struct expect_reports *r, int code)
{
    if (!r->junit || r->early || r->judged || code == EXIT_FINE || code == EXIT_USAGE)
        return code;
    const int written = write_junit(r, false);
    return written == EXIT_FINE ? code : written;
}
