/* takt diff as a user meets it: terms add up, name what was edited, and change their sign with the
 * order of the programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/dice.h"
#include "tests/diff_kit.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

/* --- derived by hand -------------------------------------------------------------------------- */

#define STEPS                                                                                      \
    "imm f\"1.0\" $r0/0010\n"                                                                      \
    "nop/7\n"                                                                                      \
    "dvadd $lm0v $r0e $ln0v\n"

static void is_term(const json_t *answer, size_t i, const char *as_text)
{
    json_t *expected = json_loads(as_text, 0, NULL);
    assert_non_null(expected);
    const json_t *term = json_array_get(diff_get(answer, "terms"), i);
    if (!json_equal(term, expected)) {
        char *found = json_dumps(term, JSON_ENCODE_ANY);
        fail_msg("%s, expected %s", found ? found : "no term", as_text);
    }
    json_decref(expected);
}

/* A step is four cycles, a nop/n is n of them, and the last write takes 6 more (3.6.3.9); without
 * packing that is all. */
static void steps_by_hand(void **state)
{
    (void)state;
    const char *a = takt_temp_file("a.vsm", STEPS);
    const char *longer = takt_temp_file("longer.vsm", "imm f\"1.0\" $r0/0010\n"
                                                      "nop/9\n"
                                                      "dvadd $lm0v $r0e $ln0v\n");
    const char *more = takt_temp_file("more.vsm", STEPS "nop/2\ndvadd $lm0v $r0e $ln0v\n");
    json_t *answer = DIFF(a, longer, "--packing", "none");
    json_t *cycles = json_pack("[i, i]", 36 + 6, 44 + 6);
    assert_true(json_equal(diff_get(answer, "cycles"), cycles));
    assert_int_equal(json_array_size(diff_get(answer, "terms")), 1);
    is_term(answer, 0,
            "{\"reason\":\"nop\",\"unit\":\"issue\",\"line_a\":2,\"line_b\":2,\"cycles\":8}");
    assert_int_equal(diff_edits(answer, "changed"), 1);
    assert_true(json_is_true(diff_get(answer, "values_equal")));
    /* The nops begin in cycle 4 in both, but are another statement. */
    assert_int_equal(diff_number(diff_get(answer, "diverges"), "cycle"), 4);
    json_decref(answer);
    answer = DIFF(a, more, "--packing", "none");
    /* The end waits for another write, as long as before. */
    assert_int_equal(json_array_size(diff_get(answer, "terms")), 4);
    is_term(answer, 0,
            "{\"reason\":\"nop\",\"unit\":\"issue\",\"line_a\":null,\"line_b\":4,\"cycles\":8}");
    is_term(answer, 1,
            "{\"reason\":\"drained\",\"unit\":\"lm1\",\"line_a\":null,\"line_b\":5,\"cycles\":6}");
    is_term(answer, 2,
            "{\"reason\":\"busy\",\"unit\":\"issue\",\"line_a\":null,\"line_b\":5,\"cycles\":4}");
    is_term(answer, 3,
            "{\"reason\":\"drained\",\"unit\":\"lm1\",\"line_a\":3,\"line_b\":3,\"cycles\":-6}");
    assert_int_equal(diff_number(diff_get(answer, "diverges"), "cycle"), 36);
    json_decref(answer);
    json_decref(cycles);
}

/* Two transfers through one DRAM: a second one in front makes the wait for the first one longer,
 * and the cycles are charged to it. */
static void a_transfer_in_the_way(void **state)
{
    (void)state;
    static const char wait_for[] = "nop\nnop; wait i01\n";
    char one[200], two[300];
    snprintf(one, sizeof one, "mvp/n2048i01 $d0 $lc0@.0\n%s", wait_for);
    snprintf(two, sizeof two, "mvp/n2048i02 $d4096 $lc0@.1\nmvp/n2048i01 $d0 $lc0@.0\n%s",
             wait_for);
    const char *a = takt_temp_file("one.vsm", one), *b = takt_temp_file("two.vsm", two);
    json_t *answer = DIFF(a, b, "--packing", "none", "--timing-only");
    assert_non_null(answer);
    assert_int_equal(diff_edits(answer, "added"), 1);
    assert_int_equal(diff_all_edits(answer), 1);
    const json_t *first = json_array_get(diff_get(answer, "terms"), 0);
    assert_string_equal(diff_text(first, "reason"), "tag");
    assert_int_equal(diff_number(first, "line_b"), 4);
    assert_int_equal(diff_number(first, "source_b"), 1);
    assert_true(diff_number(first, "cycles") > 0);
    json_decref(answer);
}

/* A wait one statement later holds the stream 4 cycles less, since the transfer ends in the same
 * cycle: one term from where it was to where it is, not the whole wait once less and once more. */
static void a_wait_that_moves(void **state)
{
    (void)state;
    static const char text[] = "mvp/n2048i01 $d0 $lc0@.0\n"
                               "l2bmd $lc2048 $lb0%s\nl2bmd $lc4096 $lb256%s\nnop/9\n";
    char early[200], late[200];
    snprintf(early, sizeof early, text, "; wait i01", "");
    snprintf(late, sizeof late, text, "", "; wait i01");
    const char *a = takt_temp_file("early.vsm", early), *b = takt_temp_file("late.vsm", late);
    static const char *const terms[] = {
        "{\"reason\":\"tag\",\"unit\":\"dram0\",\"line_a\":2,\"line_b\":3,\"source_a\":1,"
        "\"source_b\":1,\"cycles\":-4}",
        "{\"reason\":\"tag\",\"unit\":\"dram0\",\"line_a\":3,\"line_b\":2,\"source_a\":1,"
        "\"source_b\":1,\"cycles\":4}"};
    for (unsigned i = 0; i < 2; i++) {
        json_t *answer = DIFF(i ? b : a, i ? a : b, "--packing", "none", "--timing-only");
        assert_int_equal(json_array_size(diff_get(answer, "terms")), 1);
        is_term(answer, 0, terms[i]);
        json_decref(answer);
    }
}

/* Of two regions the first has two nops more, and the second begins with what was in the first. */
static void regions_add_up(void **state)
{
    (void)state;
    const char *a = takt_temp_file("a.vsm", "# takt: begin head\nnop\nnop/3\n# takt: end\n"
                                            "# takt: begin tail\nnop/5\n# takt: end\n");
    const char *b = takt_temp_file("b.vsm", "# takt: begin head\nnop/6\n# takt: end\n"
                                            "# takt: begin tail\nnop/3\nnop/5\n# takt: end\n");
    json_t *answer = DIFF(a, b, "--packing", "none");
    json_t *expected = json_pack("[{s:s, s:i}, {s:s, s:i}]", "region", "tail", "cycles", 12,
                                 "region", "head", "cycles", 8);
    assert_int_equal(diff_number(answer, "difference"), 20);
    assert_true(json_equal(diff_get(answer, "by_region"), expected));
    json_decref(expected);
    json_decref(answer);
}

/* --- values ----------------------------------------------------------------------------------- */

static void values_are_compared(void **state)
{
    (void)state;
    const char *a = takt_temp_file("a.amx", "set\nd set $x0 1 0000000000000001\nd get $x0 8\n");
    const char *b = takt_temp_file("b.amx", "set\nd set $x0 1 0000000000000002\nd get $x0 8\n");
    const char *c = takt_temp_file("c.amx", "set\nd set $z9 1 0000000000000007\n"
                                            "d set $x0 1 0000000000000001\nd get $x0 8\n");
    json_t *answer = DIFF(a, b);
    assert_true(json_is_false(diff_get(answer, "values_equal")));
    const json_t *values = diff_get(answer, "values");
    assert_string_equal(diff_text(values, "compared"), "get");
    assert_int_equal(diff_number(values, "line"), 1);
    struct takt_result dumps[2] = {RUN("run", "--quiet", "--dump", "-", a),
                                   RUN("run", "--quiet", "--dump", "-", b)};
    const size_t column = (size_t)diff_number(values, "column") - 1;
    assert_memory_equal(dumps[0].out, dumps[1].out, column);
    assert_int_not_equal(dumps[0].out[column], dumps[1].out[column]);
    for (unsigned i = 0; i < 2; i++) {
        const char *line = diff_text(values, i ? "b" : "a");
        assert_memory_equal(dumps[i].out, line, strlen(line));
        takt_result_free(&dumps[i]);
    }
    json_decref(answer);
    /* What is printed is equal, the state is not; nor are two of the words. */
    answer = DIFF(a, c);
    assert_true(json_is_true(diff_get(answer, "values_equal")));
    json_decref(answer);
    answer = DIFF(a, c, "--compare", "get", "--compare", "state");
    assert_true(json_is_false(diff_get(answer, "values_equal")));
    assert_string_equal(diff_text(diff_get(answer, "values"), "compared"), "state");
    json_decref(answer);
    takt_expect(ARGS("diff", a, c, "--compare", "state"), 0, "not equal (state): hashes\n", NULL);
    /* Each side with the hash that a run by itself gives it. */
    for (unsigned s = 0; s < 2; s++) {
        struct takt_result alone = takt_run(ARGS("run", s ? c : a, "--hash", "--json"));
        const char *text = strstr(alone.out, "\"state\": \"");
        assert_non_null(text);
        char line[40];
        snprintf(line, sizeof line, "  %c  %.16s\n", s ? 'B' : 'A', text + strlen("\"state\": \""));
        takt_expect(ARGS("diff", a, c, "--compare", "state"), 0, line, NULL);
        json_t *both = DIFF(a, c, "--compare", "state");
        const json_t *hash = diff_get(both, "values");
        assert_memory_equal(diff_text(hash, s ? "b" : "a"), line + 5, 16);
        assert_null(json_object_get(hash, "word"));
        json_decref(both);
        takt_result_free(&alone);
    }
    takt_expect(ARGS("diff", a, b), 0, "not equal (get): line 1", NULL);
    const char *html = takt_temp_path("values.html");
    takt_expect(ARGS("diff", a, b, "--html", html), 0, NULL, NULL);
    char *page = takt_read_file(html, NULL);
    assert_non_null(strstr(page, "Values are not equal (get)"));
    free(page);
    unlink(html);
    answer = DIFF(a, c, "--compare", "x:0+8", "--compare", "z:64+16");
    assert_true(json_is_false(diff_get(answer, "values_equal")));
    values = diff_get(answer, "values");
    assert_string_equal(diff_text(values, "compared"), "z:64+16");
    assert_int_equal(diff_number(values, "word"), 8);
    assert_string_equal(diff_text(values, "a"), "0x0000000000000000");
    assert_string_equal(diff_text(values, "b"), "0x0000000000000007");
    json_decref(answer);
    answer = DIFF(a, c, "--timing-only");
    assert_true(json_is_null(diff_get(answer, "values_equal")));
    assert_true(json_is_null(diff_get(answer, "values")));
    json_decref(answer);
}

/* A trace keeps the hash of the state, if it was asked for. */
static void states_of_traces(void **state)
{
    (void)state;
    static const char program[] = "examples/amx/matmul.amx";
    char with[300];
    snprintf(with, sizeof with, "%s", takt_record(program, "--hash"));
    json_t *answer = DIFF(with, program);
    assert_true(json_is_true(diff_get(answer, "values_equal")));
    assert_string_equal(diff_text(diff_get(answer, "values"), "compared"), "state");
    json_decref(answer);
    answer = DIFF(with, program, "--init", "pattern");
    assert_true(json_is_false(diff_get(answer, "values_equal")));
    json_decref(answer);
    const char *without = takt_temp_path("without.db");
    unlink(without);
    takt_expect(ARGS("run", program, "--quiet", "--trace", without), 0, NULL, NULL);
    answer = DIFF(with, without);
    assert_true(json_is_null(diff_get(answer, "values_equal")));
    json_decref(answer);
}

/* --- traces of every machine ------------------------------------------------------------------ */

enum { MOST_TRACES = 24 };

/* Traces of these programs (NULL ends them; two of them in make test) into paths, with intervals
 * and without. Returns how many. */
static size_t record_all(const char *const *programs, char paths[][300])
{
    size_t count = 0;
    for (; *programs && (often_long() || count < 4); programs++) {
        for (unsigned detail = 0; detail < 2; detail++) {
            const char *path = takt_temp_path("pair.db");
            takt_expect(ARGS("run", *programs, "--quiet", detail ? "--detail" : "--no-detail",
                             "--trace", path),
                        0, NULL, NULL);
            assert_true(count < MOST_TRACES);
            snprintf(paths[count], sizeof paths[count], "%s.%zu", path, count);
            assert_int_equal(rename(path, paths[count++]), 0);
        }
    }
    return count;
}

/* Terms add up in both orders, and no trace differs from itself. */
static void pairs_of_traces(void **state)
{
    (void)state;
    static const char *const machines[][8] = {
        {"examples/kelvin/dot.kelvin", "examples/kelvin/matmul_aconv.kelvin",
         "examples/kelvin/matmul_vmacc.kelvin"},
        {"examples/loops/dot.loops", "examples/loops/matmul.loops", "examples/loops/conv.loops"},
        {"examples/ventus/collatz.ventus", "examples/ventus/saxpy.ventus",
         "examples/ventus/histogram.ventus", "examples/ventus/reduce.ventus"},
        {"examples/amx/block.amx", "examples/amx/matmul.amx", "examples/amx/threads.amx"},
        {"examples/mncore2/fma.vsm", "examples/mncore2/matmul.vsm", "examples/mncore2/reduce.vsm"},
    };
    static char paths[MOST_TRACES][300];
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        const size_t count = record_all(machines[m], paths);
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i; j < count && (often_long() || j < i + 2); j++) {
                json_t *answer = DIFF(paths[i], paths[j]), *other = DIFF(paths[j], paths[i]);
                assert_non_null(answer);
                assert_int_equal(diff_number(other, "difference"),
                                 -diff_number(answer, "difference"));
                if (i == j) {
                    assert_int_equal(diff_number(answer, "difference"), 0);
                    assert_int_equal(json_array_size(diff_get(answer, "terms")), 0);
                    assert_int_equal(diff_all_edits(answer), 0);
                }
                json_decref(answer);
                json_decref(other);
            }
        }
        for (size_t i = 0; i < count; i++)
            unlink(paths[i]);
    }
}

/* Of programs of several files each place says which one it means. */
static void several_files(void **state)
{
    (void)state;
    static const char amx[] = "set\nldx x=0 addr=0\nclr\n";
    char first[300], traces[2][300];
    snprintf(first, sizeof first, "%s", takt_temp_file("first.amx", amx));
    for (unsigned s = 0; s < 2; s++) {
        const char *second =
            takt_temp_file(s ? "more.amx" : "second.amx",
                           s ? "set\nldx x=0 addr=0\nldx x=1 addr=64\nldy y=0 addr=0\nclr\n" : amx);
        snprintf(traces[s], sizeof traces[s], "%s", takt_temp_path(s ? "b.db" : "a.db"));
        unlink(traces[s]);
        takt_expect(ARGS("run", first, second, "--quiet", "--trace", traces[s]), 0, NULL, NULL);
    }
    takt_expect(ARGS("diff", traces[0], traces[1], "--all"), 0, "more.amx:", NULL);
    json_t *answer = DIFF(traces[0], traces[1]);
    const json_t *term = json_array_get(diff_get(answer, "terms"), 0);
    assert_non_null(strstr(diff_text(term, "file_b"), "more.amx"));
    json_decref(answer);
}

/* --- the command ------------------------------------------------------------------------------ */

static void mistakes_are_told(void **state)
{
    (void)state;
    static const char program[] = "examples/mncore2/fma.vsm", other[] = "examples/amx/matmul.amx";
    const char *trace = takt_record(program, "--timing-only");
    takt_expect(ARGS("diff", program), 2, NULL, "two programs or traces");
    takt_expect(ARGS("diff", program, other), 2, NULL, "two machines cannot be compared");
    takt_expect(ARGS("diff", trace, other), 2, NULL, "two machines cannot be compared");
    takt_expect(ARGS("diff", trace, trace, "--set", "a=1"), 2, NULL, "nothing is run");
    takt_expect(ARGS("diff", trace, trace, "--packing", "none"), 2, NULL, "--packing changes");
    takt_expect(ARGS("diff", trace, program, "--set-a", "a=1"), 2, NULL, "--set-a changes nothing");
    takt_expect(ARGS("diff", trace, program, "--compare", "get"), 2, NULL, "has no values");
    takt_expect(ARGS("diff", program, program, "--timing-only", "--compare", "get"), 2, NULL,
                "no values to compare");
    takt_expect(ARGS("diff", program, program, "--compare", "nowhere"), 2, NULL, "nowhere");
    takt_expect(ARGS("diff", program, program, "--html", "-"), 2, NULL, "writes a file");
    takt_expect(ARGS("diff", program, program, "--html", program), 2, NULL, "write over");
    takt_expect(ARGS("diff", "-", "-"), 2, NULL, "standard input");
    takt_expect(ARGS("diff", program, program, "--config", "-"), 2, NULL, "cannot be -");
    takt_expect(ARGS("diff", program, program, "--set-b", "nothing=1"), 1, NULL, "nothing");
    takt_expect(ARGS("diff", program, "none.vsm"), 1, NULL, "none.vsm");
    takt_expect(ARGS("diff", other, other, "--interlock"), 2, NULL, "--interlock is for");
    const char *wrong = takt_temp_file("wrong.vsm", "nop\nbad $lm0\n");
    takt_expect(ARGS("diff", program, wrong), 1, NULL, "wrong.vsm:2:1: error");
    takt_expect(ARGS("diff", program, wrong, "--json"), 1, "\"ok\": false", NULL);
    takt_expect(ARGS("diff", program, "none.vsm", "--json"), 1, "\"ok\": false", NULL);
    takt_expect(ARGS("diff", "--help"), 0, "--interlock", NULL);
    struct takt_result r =
        takt_run_input(ARGS("diff", program, "-", "--machine", "mncore2"), "nop\n");
    assert_int_equal(r.exit_code, 0);
    assert_non_null(strstr(r.out, "B  -   "));
    takt_result_free(&r);
}

static size_t lines_of(const char *shown)
{
    size_t lines = 0;
    for (; *shown; shown++)
        lines += *shown == '\n';
    return lines;
}

/* However much there is to be said, until --all is given. */
static void fits_on_a_screen(void **state)
{
    (void)state;
    char *programs[2] = {NULL, NULL};
    const char *paths[2];
    struct dice dice = {11};
    for (unsigned s = 0; s < 2; s++) {
        size_t size;
        FILE *out = open_memstream(&programs[s], &size);
        for (unsigned i = 0; i < 300; i++)
            fprintf(out, (unsigned)dice_below(&dice, 2) ? "nop/%u\n" : "fvadd $lm%uv $ln0v $lr0v\n",
                    8 + 8 * (unsigned)dice_below(&dice, 9));
        fclose(out);
        paths[s] = takt_temp_file(s ? "b.vsm" : "a.vsm", programs[s]);
        free(programs[s]);
    }
    static const char all_parameters[] =
        "dram_tcl=9,dram_trp=9,dram_tras=9,dram_trcd=9,dram_trfc=99,mv_start_latency=1,"
        "mv_notice_latency=9";
    char list[sizeof all_parameters];
    strcpy(list, all_parameters);
    const char *arguments[40] = {"diff", paths[0], paths[1], "--interlock"};
    size_t count = 4;
    for (char *one = strtok(list, ","); one; one = strtok(NULL, ",")) {
        arguments[count++] = "--set-b";
        arguments[count++] = one;
    }
    struct takt_result r = takt_run(arguments);
    assert_int_equal(r.exit_code, 0);
    assert_true(lines_of(r.out) <= 40 && lines_of(r.out) > 20);
    for (const char *at = r.out, *end; (end = strchr(at, '\n')) != NULL; at = end + 1)
        assert_true(end - at <= 80);
    takt_result_free(&r);
    arguments[count] = "--all";
    r = takt_run(arguments);
    assert_true(lines_of(r.out) > 100);
    assert_null(strstr(r.out, "more; --all"));
    takt_result_free(&r);
}

/* Every element is closed, in order. */
static void well_formed(const char *written)
{
    char open[64][12];
    size_t depth = 0;
    for (const char *at = strchr(written, '<'); at; at = strchr(at + 1, '<')) {
        const bool closing = at[1] == '/';
        const char *name = at + 1 + closing;
        const size_t length = strcspn(name, " >\n");
        if (at[1] == '!' || !strncmp(name, "meta", 4))
            continue;
        assert_true(length < sizeof *open && depth < 64);
        if (closing) {
            assert_true(depth > 0 && strlen(open[depth - 1]) == length);
            assert_memory_equal(open[--depth], name, length);
            continue;
        }
        snprintf(open[depth++], sizeof *open, "%.*s", (int)length, name);
        if (!strncmp(name, "script", length) || !strncmp(name, "style", length))
            at = strstr(at, !strncmp(name, "script", length) ? "</script" : "</style") - 1;
    }
    assert_int_equal(depth, 0);
}

/* The page is well-formed, holds every byte that it needs, and stays readable with any text. */
static void page(void **state)
{
    (void)state;
    const char *b = takt_temp_file("b.vsm", "nop\n" STEPS "nop/4\n");
    const char *html = takt_temp_path("diff.html");
    const char *a = takt_temp_file("a.vsm", STEPS "nop/2\n");
    takt_expect(ARGS("diff", a, b, "--html", html, "--set-b", "mv_start_latency=3"), 0, "EDITS",
                NULL);
    size_t size;
    char *written = takt_read_file(html, &size);
    assert_non_null(written);
    static const char *const never[] = {"href=\"http", "src=", "url(", "@import", "fetch("};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        assert_null(strstr(written, never[i]));
    static const char *const always[] = {"<!doctype html>",  "default-src 'none'",
                                         "Side by side",     "<tr class=\"changed\">",
                                         "mv_start_latency", "imm f&quot;1.0&quot; $r0/0010",
                                         "class=\"n new\""};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!strstr(written, always[i]))
            fail_msg("the page lacks %s", always[i]);
    well_formed(written);
    free(written);
}

static size_t times(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

/* A program of many lines, in two regions, half of them drawn from few. */
static const char *many_lines(struct dice *dice, const char *name, size_t count)
{
    char *whole = NULL;
    size_t size;
    FILE *out = open_memstream(&whole, &size);
    fputs("# takt: begin first\n", out);
    for (size_t i = 0; i < count; i++) {
        if (i == count / 2)
            fputs("# takt: end\n# takt: begin second\n", out);
        if ((unsigned)dice_below(dice, 2))
            fprintf(out, "nop/%u\n", 1 + (unsigned)dice_below(dice, 40));
        else
            fprintf(out, "fvadd $lm%uv\t$ln%uv $lr0v\n", 8 * (unsigned)dice_below(dice, 60),
                    8 * (unsigned)dice_below(dice, 60));
    }
    fputs("# takt: end\nd getf $lr0n0c0b0m0p0 4\n", out);
    fclose(out);
    const char *path = takt_temp_file(name, whole);
    free(whole);
    return path;
}

/* What JSON counts stands in the page, as far as that goes, and the page is well formed. */
static void pages_of_any_shape(void **state)
{
    (void)state;
    enum { SIDES = 2500, TERMS = 400 }; /* as the page says of itself */
    static const size_t sizes[] = {3, 40, 300, 3000};
    struct dice dice = {21};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *a = many_lines(&dice, "a.vsm", sizes[i]);
        const char *b = many_lines(&dice, "b.vsm", sizes[i]);
        const char *html = takt_temp_path("any.html");
        json_t *answer = DIFF(a, b, "--interlock", "--set-b", "mv_start_latency=3");
        assert_non_null(answer);
        takt_expect(ARGS("diff", a, b, "--interlock", "--all", "--html", html, "--set-b",
                         "mv_start_latency=3"),
                    0, "BY REGION", NULL);
        char *written = takt_read_file(html, NULL);
        assert_non_null(written);
        well_formed(written);
        const bool whole = diff_all_edits(answer) < SIDES;
        assert_int_equal(strstr(written, "the rest is left out") == NULL, whole);
        if (whole) {
            assert_int_equal(times(written, "<td class=\"n gone\">"),
                             diff_edits(answer, "removed"));
            assert_int_equal(times(written, "<td class=\"n new\">"), diff_edits(answer, "added"));
            assert_int_equal(times(written, "<tr class=\"changed\">"),
                             diff_edits(answer, "changed"));
            assert_int_equal(times(written, "<tr class=\"moved\">"),
                             2 * diff_edits(answer, "moved"));
        }
        const bool all_terms = json_array_size(diff_get(answer, "terms")) <= TERMS;
        assert_int_equal(strstr(written, "takt diff --json has all of them") == NULL, all_terms);
        assert_non_null(strstr(written, "id=\"regions\""));
        free(written);
        json_decref(answer);
        unlink(html);
    }
}

/* How many statements the page leaves out at each of its gaps. Of 41 statements those on the given
 * lines differ. */
static size_t left_out(const size_t *edited, size_t edits, unsigned long gaps[4])
{
    static const char row[] = "<tr class=\"skipped\"><td colspan=\"9\">";
    char text[2][41 * 12] = {"", ""};
    for (size_t line = 1; line <= 41; line++) {
        bool same = true;
        for (size_t i = 0; i < edits; i++)
            same &= edited[i] != line;
        for (unsigned s = 0; s < 2; s++)
            strcat(text[s], same ? "nop\n" : s ? "zero $lm0v\n" : "zero $lm8v\n");
    }
    const char *a = takt_temp_file("a.vsm", text[0]), *b = takt_temp_file("b.vsm", text[1]);
    const char *html = takt_temp_path("gaps.html");
    takt_expect(ARGS("diff", a, b, "--html", html), 0, NULL, NULL);
    char *written = takt_read_file(html, NULL);
    assert_non_null(written);
    size_t count = 0;
    for (const char *at = written; (at = strstr(at, row)) != NULL; at++) {
        assert_true(count < 4);
        gaps[count++] = strtoul(at + sizeof row - 1, NULL, 10);
    }
    free(written);
    unlink(html);
    return count;
}

/* As many equal lines are shown before an edit as after it, at the ends of a program, too. */
static void page_shows_lines_around(void **state)
{
    (void)state;
    unsigned long gaps[4];
    assert_int_equal(left_out((const size_t[]){21}, 1, gaps), 2);
    assert_int_equal(gaps[0], gaps[1]);
    assert_in_range(gaps[0], 1, 19);
    const unsigned long around = 20 - gaps[0];
    assert_int_equal(left_out((const size_t[]){1}, 1, gaps), 1);
    assert_int_equal(gaps[0], 40 - around);
    assert_int_equal(left_out((const size_t[]){41}, 1, gaps), 1);
    assert_int_equal(gaps[0], 40 - around);
    const size_t near[] = {1, 2 * around + 2}, far[] = {1, 2 * around + 3};
    assert_int_equal(left_out(near, 2, gaps), 1); /* behind both */
    assert_int_equal(left_out(far, 2, gaps), 2);
    assert_int_equal(gaps[0], 1);
}

/* Two programs of 200,000 lines: in memory that grows with them alone. */
static void large_programs(void **state)
{
    (void)state;
    enum { LONG = 200000, EDITED = 777 };
    const char *paths[2];
    for (unsigned s = 0; s < 2; s++) {
        char *whole = NULL;
        size_t size;
        FILE *out = open_memstream(&whole, &size);
        for (unsigned i = 0; i < LONG; i++) {
            if (s && i % EDITED == 0)
                fputs("nop/5\n", out);
            fprintf(out, "fvadd $lm%uv $ln%uv $lr%uv\n", 8 * (i % 61), 8 * (i % 59), 8 * (i % 31));
        }
        fclose(out);
        paths[s] = takt_temp_file(s ? "b.vsm" : "a.vsm", whole);
        free(whole);
    }
    json_t *answer = DIFF(paths[0], paths[1], "--timing-only", "--interlock", "--packing", "none");
    assert_non_null(answer);
    assert_int_equal(diff_edits(answer, "added"), (LONG + EDITED - 1) / EDITED);
    assert_int_equal(diff_all_edits(answer), diff_edits(answer, "added"));
    assert_int_equal(diff_number(diff_get(answer, "statements"), "same"), LONG);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand),       cmocka_unit_test(a_transfer_in_the_way),
        cmocka_unit_test(values_are_compared), cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(fits_on_a_screen),    cmocka_unit_test(page),
        cmocka_unit_test(large_programs),      cmocka_unit_test(states_of_traces),
        cmocka_unit_test(regions_add_up),      cmocka_unit_test(page_shows_lines_around),
        cmocka_unit_test(pages_of_any_shape),  cmocka_unit_test(pairs_of_traces),
        cmocka_unit_test(several_files),       cmocka_unit_test(a_wait_that_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
