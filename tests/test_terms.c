/* Every word that answers print has a row that explains it, and the glossary holds the rows.
 * Examples of the rules of the manual are programs that the rules allow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_page.h"
#include "tests/takt_process.h"
#include "timing/machines.h"
#include "traces/edges.h"

static const struct {
    const char *machine, *program;
} examples[] = {
    {"mncore2", "examples/mncore2/fma.vsm"},    {"amx", "examples/amx/matmul.amx"},
    {"loops", "examples/loops/matmul.loops"},   {"kelvin", "examples/kelvin/dot.kelvin"},
    {"ventus", "examples/ventus/saxpy.ventus"},
};

static void need(const struct machine *machine, const char *kind, const char *word)
{
    if (!terms_next(machine, kind, word, NULL) && !terms_next(NULL, kind, word, NULL))
        fail_msg("%s: the %s '%s' has no row in timing/term.def", machine->name, kind, word);
}

static void need_column(const struct machine *machine, const char *trace, const char *sql,
                        const char *kind)
{
    struct takt_result r = takt_run((const char *const[]){"query", trace, sql, "--csv", NULL});
    assert_int_equal(r.exit_code, 0);
    size_t words = 0;
    char *rest = r.out;
    strsep(&rest, "\n"); /* the column's name */
    for (char *word; (word = strsep(&rest, "\r\n"));)
        if (*word) {
            need(machine, kind, word);
            words++;
        }
    assert_true(words > 0);
    takt_result_free(&r);
}

static void words_of_traces(void **unused)
{
    (void)unused;
    assert_int_equal(sizeof examples / sizeof *examples, machine_count);
    for (size_t i = 0; i < machine_count; i++) {
        const char *trace = takt_temp_path("terms.db");
        struct takt_result r = takt_run((const char *const[]){
            "run", examples[i].program, "--silence", "all", "--quiet", "--trace", trace, NULL});
        assert_int_equal(r.exit_code, 0);
        takt_result_free(&r);
        const struct machine *machine = machine_named(examples[i].machine);
        need_column(machine, trace, "SELECT name FROM reason", "reason");
        need_column(machine, trace, "SELECT DISTINCT kind FROM unit WHERE kind <> 'node'", "unit");
        need_column(machine, trace, "SELECT DISTINCT class FROM bound", "class");
        need_column(machine, trace, "SELECT DISTINCT kind FROM bound", "bound");
        need_column(machine, trace, "SELECT DISTINCT provenance FROM param", "origin");
    }
}

static void words_of_tables(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < machine_count; i++) {
        for (size_t e = 0; e < EDGE_KINDS; e++)
            need(machines[i], "edge", edge_rows[e].name);
        for (const char *const *name = machines[i]->language->warnings; name && *name; name++)
            need(machines[i], "warning", *name);
    }
}

/* Sections that messages name: docs/diagnostics.md has all of them. */
static void rules_of_messages(void **unused)
{
    (void)unused;
    char *page = takt_read_file("docs/diagnostics.md", NULL);
    assert_non_null(page);
    const struct machine *machine = machine_named("mncore2");
    size_t rules = 0;
    for (char *at = page; (at = strstr(at, "[manual ")); rules++) {
        at += sizeof "[manual " - 1;
        if (*at < '0' || *at > '9')
            continue;
        char *end = strchr(at, ']');
        assert_non_null(end);
        *end = '\0';
        need(machine, "rule", at);
        at = end + 1;
    }
    assert_true(rules > 200);
    free(page);
}

static void rules_have_legal_examples(void **unused)
{
    (void)unused;
    const struct machine *machine = machine_named("mncore2");
    const struct term *term = NULL;
    size_t rules = 0;
    for (; (term = terms_next(machine, "rule", NULL, term)); rules++) {
        char text[400];
        snprintf(text, sizeof text, "%s\n", term->example);
        struct takt_result r = takt_run_input(
            (const char *const[]){"check", "-", "--machine", "mncore2", "--silence", "all", NULL},
            text);
        if (r.exit_code != 0)
            fail_msg("%s: the example is refused: %s", term->word, r.err);
        takt_result_free(&r);
    }
    assert_true(rules > 180);
}

/* --- the command ------------------------------------------------------------------------------ */

static void explains(const char *word, int code, const char *text)
{
    struct takt_result r = takt_run((const char *const[]){"explain", word, NULL});
    assert_int_equal(r.exit_code, code);
    if (!strstr(code ? r.err : r.out, text))
        fail_msg("explain %s: no '%s' in:\n%s%s", word, text, r.out, r.err);
    takt_result_free(&r);
}

static void command(void **unused)
{
    (void)unused;
    explains("any order", 0, "lower bound");
    explains("3.6.3.9", 0, "two steps must lie before any read");
    explains("[manual 3.6.13]", 0, "wait");
    explains("mv_start_latency", 0, "constant, assumed");
    explains("tga", 2, "did you mean 'tag'?");
    explains("nothing-like-it", 2, "takt explain lists all");
}

/* --- the page --------------------------------------------------------------------------------- */

static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '|')
            fputs("\\|", out);
        else if (*text == '\n')
            fputs("`<br>`", out);
        else
            putc(*text, out);
}

static void write_kind(FILE *out, const struct machine *machine, const char *kind)
{
    const struct term *term = NULL;
    for (; (term = terms_next(machine, kind, NULL, term));) {
        fprintf(out, "| <a id=\"%s%s%s-", machine ? machine->name : "", machine ? "-" : "", kind);
        for (const char *c = term->word; *c; c++)
            putc(*c == ' ' ? '-' : *c, out);
        fprintf(out, "\"></a>`%s` | ", term->word);
        put_cell(out, term->phrase);
        fputs(" | ", out);
        put_cell(out, term->text);
        fputs(" | `", out);
        put_cell(out, term->example);
        fputs("` |\n", out);
    }
}

static void write_rows(FILE *out, const struct machine *machine)
{
    const struct term *rows = machine ? machine->terms : terms_shared;
    for (const struct term *row = rows; row->word; row++) {
        bool seen = false;
        for (const struct term *before = rows; before < row && !seen; before++)
            seen = strcmp(before->kind, row->kind) == 0;
        if (seen)
            continue;
        fprintf(out,
                "\n### %c%s%s\n\n| word | in sentences | meaning | example |\n|---|---|---|---|\n",
                row->kind[0] - 'a' + 'A', row->kind + 1,
                strcmp(row->kind, "rule") == 0 ? "s: sections of the manual" : "");
        write_kind(out, machine, row->kind);
    }
}

static void write_page(FILE *out)
{
    fputs(
        "# Glossary\n\nWords that `takt` prints, by kind: first those of every machine, then those "
        "of one. `takt explain WORD`\nprints the same rows. This page is written by "
        "`TAKT_REGENERATE=1 build/tests/test_terms`; do not edit.\n\n## Every machine\n",
        out);
    write_rows(out, NULL);
    for (size_t i = 0; i < machine_count; i++) {
        if (!machines[i]->terms)
            continue;
        fprintf(out, "\n## %s\n", machines[i]->title);
        write_rows(out, machines[i]);
    }
}

static void glossary(void **unused)
{
    (void)unused;
    made_page_compare("docs/glossary.md", write_page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_traces),   cmocka_unit_test(words_of_tables),
        cmocka_unit_test(rules_of_messages), cmocka_unit_test(rules_have_legal_examples),
        cmocka_unit_test(command),           cmocka_unit_test(glossary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
