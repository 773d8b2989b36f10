/* docs/diagnostics.md is what takt check says about its own examples; TAKT_REGENERATE=1 writes it
 * anew. Every example must say something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_page.h"
#include "tests/mncore2/check_text.h"
#include "tests/mncore2/diag_examples.h"
#include "timing/machines.h"
#include "timing/mncore2/check.h"

static const char *named[200]; /* names that the examples brought, once each */
static size_t named_count;

static bool is_among(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count && list[i]; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

static void example(FILE *out, const struct diag_example *example)
{
    /* The examples write little: that is said of the one that has nothing else to say. */
    static const char *const silenced[] = {"never-written", NULL};
    static const char *const severity[] = {"note", "warning", "error"};
    struct check_text text;
    check_text_open(&text, example->text);
    text.diags.silenced = silenced;
    if (text.parsed == 0)
        mncore2_check(&text.program, &text.config, NULL, &text.diags);
    text.diags.silenced = NULL;
    if (text.diags.count == 0)
        mncore2_check(&text.program, &text.config, NULL, &text.diags);
    diag_sort(&text.diags);
    if (text.diags.count == 0)
        fail_msg("no finding: %s", example->text);
    fputs("```\n", out);
    for (const char *p = example->text; *p != '\0'; p++)
        fprintf(out, *p == '\f' ? "<form feed>" : "%c", *p);
    fputs("\n```\n", out);
    for (size_t i = 0; i < text.diags.count; i++) {
        const struct diag *diag = &text.diags.items[i];
        if (diag->name[0] != '\0' && !is_among(diag->name, named, named_count))
            named[named_count++] = diag->name;
        fprintf(out, "- %u:%u %s", diag->line, diag->column, severity[diag->severity]);
        if (diag->rule[0] != '\0')
            fprintf(out, " [manual %s](glossary.md#mncore2-rule-%s)", diag->rule, diag->rule);
        fprintf(out, "%s%s: `%s`", diag->name[0] != '\0' ? " " : "", diag->name, diag->message);
        if (diag->fix != NULL)
            fprintf(out, "; fix: `%s`", diag->fix);
        fputs("\n", out);
    }
    fputs("\n", out);
    check_text_close(&text);
}

static void page(FILE *out)
{
    fputs(
        "# Diagnostics\n\n"
        "What `takt check` and `takt run` say about MN-Core 2 programs, with an example of each: "
        "the text, then what\nis said about it. Made by `TAKT_REGENERATE=1` and "
        "`tests/mncore2/test_diagnostics`; do not edit.\n\n"
        "A finding is printed as `file:line:col: error: sentence [manual section]`, the line with "
        "a caret, and what\nwould fix it. All findings of a file come in one run, in source "
        "order. Warnings carry a name in brackets,\nby which they can be silenced. JSON has the "
        "same fields: `docs/json.md`.\n"
        "`takt run` and `takt print` show 50 errors of a program that they refuse, or 5 warnings, "
        "and count the rest.\nOf each transfer on its way mv-race is reported once for the first "
        "transfer and once for the first step that meets it;\nwhat else meets the same transfer "
        "shows when that is mended.\n"
        "`takt run` knows when each transfer ends: what comes before is on its first screen under "
        "EARLY, in the trace\n"
        "and in JSON as warnings of the name `early`. A wait for a tag that nothing before carries "
        "never ends:\n"
        "`takt check` takes it with a warning, as the language does (3.6.4), and `takt run` "
        "refuses it.\n\n",
        out);
    for (const struct diag_example *e = diag_examples; e->text != NULL; e++) {
        if (e->heading != NULL)
            fprintf(out, "## %s\n\n", e->heading);
        example(out, e);
    }
}

static void page_is_current(void **unused)
{
    (void)unused;
    made_page_compare("docs/diagnostics.md", page);
}

/* --silence takes the names that warnings have, and no other. */
static void names_are_listed(void **unused)
{
    (void)unused;
    assert_true(named_count > 10);
    for (size_t i = 0; i < named_count; i++)
        if (!is_among(named[i], machine_mncore2.language->warnings, SIZE_MAX))
            fail_msg("%s is not in the machine's list", named[i]);
    for (const char *const *name = machine_mncore2.language->warnings; *name; name++)
        if (!is_among(*name, named, named_count) && strcmp(*name, "removable") != 0 &&
            strcmp(*name, "early") != 0) /* that is said of runs */
            fail_msg("nothing is named %s", *name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(page_is_current),
                                       cmocka_unit_test(names_are_listed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
