/* takt diff as a user meets it: terms add up, name what was edited, and change their sign with the
 * order of the programs. */
#include <inttypes.h>
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
#include "tests/gen_program.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

static const json_t *get(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        fail_msg("no field %s", key);
    return value;
}

static json_int_t number(const json_t *object, const char *key)
{
    return json_integer_value(get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    return json_string_value(get(object, key));
}

/* Terms, and their sums by reason and by unit, add up to the difference of the cycles. */
static void adds_up(const json_t *answer)
{
    static const char *const lists[] = {"terms", "by_reason", "by_unit", "by_region"};
    const json_t *cycles = get(answer, "cycles");
    const json_int_t difference = number(answer, "difference");
    assert_int_equal(difference, json_integer_value(json_array_get(cycles, 1)) -
                                     json_integer_value(json_array_get(cycles, 0)));
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        json_int_t sum = 0;
        size_t i;
        const json_t *row;
        json_array_foreach(get(answer, lists[l]), i, row)
        {
            assert_int_not_equal(number(row, "cycles"), 0);
            sum += number(row, "cycles");
        }
        assert_int_equal(sum, difference);
    }
}

/* NULL: a program is at fault. */
static json_t *diff(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_t *answer = json_loads(r.out, 0, NULL);
    if (!answer || (r.exit_code != 0 && r.exit_code != 1))
        fail_msg("exit %d: %.300s %.300s", r.exit_code, r.out, r.err);
    if (r.exit_code == 0) {
        adds_up(answer);
    } else {
        json_decref(answer);
        answer = NULL;
    }
    takt_result_free(&r);
    return answer;
}

#define DIFF(...) diff((const char *const[]){"diff", "--json", __VA_ARGS__, NULL})

static size_t edits(const json_t *answer, const char *kind)
{
    return json_array_size(get(get(answer, "statements"), kind));
}

static size_t all_edits(const json_t *answer)
{
    return edits(answer, "moved") + edits(answer, "changed") + edits(answer, "added") +
           edits(answer, "removed");
}

/* --- derived by hand -------------------------------------------------------------------------- */

#define STEPS                                                                                      \
    "imm f\"1.0\" $r0/0010\n"                                                                      \
    "nop/7\n"                                                                                      \
    "dvadd $lm0v $r0e $ln0v\n"

static void is_term(const json_t *answer, size_t i, const char *as_text)
{
    json_t *expected = json_loads(as_text, 0, NULL);
    assert_non_null(expected);
    const json_t *term = json_array_get(get(answer, "terms"), i);
    if (!json_equal(term, expected)) {
        char *found = json_dumps(term, JSON_ENCODE_ANY);
        fail_msg("%s, expected %s", found ? found : "no term", as_text);
    }
    json_decref(expected);
}

/* A step is four cycles, a nop/n is n of them; without packing that is all. */
static void steps_by_hand(void **state)
{
    (void)state;
    const char *a = takt_temp_file("a.vsm", STEPS);
    const char *longer = takt_temp_file("longer.vsm", "imm f\"1.0\" $r0/0010\n"
                                                      "nop/9\n"
                                                      "dvadd $lm0v $r0e $ln0v\n");
    const char *more = takt_temp_file("more.vsm", STEPS "nop/2\ndvadd $lm0v $r0e $ln0v\n");
    json_t *answer = DIFF(a, longer, "--packing", "none");
    json_t *cycles = json_pack("[i, i]", 36, 44);
    assert_true(json_equal(get(answer, "cycles"), cycles));
    assert_int_equal(json_array_size(get(answer, "terms")), 1);
    is_term(answer, 0,
            "{\"reason\":\"nop\",\"unit\":\"issue\",\"line_a\":2,\"line_b\":2,\"cycles\":8}");
    assert_int_equal(edits(answer, "changed"), 1);
    assert_true(json_is_true(get(answer, "values_equal")));
    /* The nops begin in cycle 4 in both, but are another statement. */
    assert_int_equal(number(get(answer, "diverges"), "cycle"), 4);
    json_decref(answer);
    answer = DIFF(a, more, "--packing", "none");
    assert_int_equal(json_array_size(get(answer, "terms")), 2);
    is_term(answer, 0,
            "{\"reason\":\"nop\",\"unit\":\"issue\",\"line_a\":null,\"line_b\":4,\"cycles\":8}");
    is_term(answer, 1,
            "{\"reason\":\"busy\",\"unit\":\"issue\",\"line_a\":null,\"line_b\":5,\"cycles\":4}");
    assert_int_equal(number(get(answer, "diverges"), "cycle"), 36);
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
    assert_int_equal(edits(answer, "added"), 1);
    assert_int_equal(all_edits(answer), 1);
    const json_t *first = json_array_get(get(answer, "terms"), 0);
    assert_string_equal(text(first, "reason"), "tag");
    assert_int_equal(number(first, "line_b"), 4);
    assert_int_equal(number(first, "source_b"), 1);
    assert_true(number(first, "cycles") > 0);
    json_decref(answer);
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
    assert_int_equal(number(answer, "difference"), 20);
    assert_true(json_equal(get(answer, "by_region"), expected));
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
    assert_true(json_is_false(get(answer, "values_equal")));
    const json_t *values = get(answer, "values");
    assert_string_equal(text(values, "compared"), "get");
    assert_int_equal(number(values, "line"), 1);
    struct takt_result dumps[2] = {RUN("run", "--quiet", "--dump", "-", a),
                                   RUN("run", "--quiet", "--dump", "-", b)};
    const size_t column = (size_t)number(values, "column") - 1;
    assert_memory_equal(dumps[0].out, dumps[1].out, column);
    assert_int_not_equal(dumps[0].out[column], dumps[1].out[column]);
    for (unsigned i = 0; i < 2; i++) {
        const char *line = text(values, i ? "b" : "a");
        assert_memory_equal(dumps[i].out, line, strlen(line));
        takt_result_free(&dumps[i]);
    }
    json_decref(answer);
    /* What is printed is equal, the state is not; nor are two of the words. */
    answer = DIFF(a, c);
    assert_true(json_is_true(get(answer, "values_equal")));
    json_decref(answer);
    answer = DIFF(a, c, "--compare", "get", "--compare", "state");
    assert_true(json_is_false(get(answer, "values_equal")));
    assert_string_equal(text(get(answer, "values"), "compared"), "state");
    json_decref(answer);
    takt_expect(ARGS("diff", a, c, "--compare", "state"), 0, "not equal (state)", NULL);
    takt_expect(ARGS("diff", a, b), 0, "not equal (get): line 1", NULL);
    const char *html = takt_temp_path("values.html");
    takt_expect(ARGS("diff", a, b, "--html", html), 0, NULL, NULL);
    char *page = takt_read_file(html, NULL);
    assert_non_null(strstr(page, "Values are not equal (get)"));
    free(page);
    unlink(html);
    answer = DIFF(a, c, "--compare", "x:0+8", "--compare", "z:64+16");
    assert_true(json_is_false(get(answer, "values_equal")));
    values = get(answer, "values");
    assert_string_equal(text(values, "compared"), "z:64+16");
    assert_int_equal(number(values, "word"), 8);
    assert_string_equal(text(values, "a"), "0x0000000000000000");
    assert_string_equal(text(values, "b"), "0x0000000000000007");
    json_decref(answer);
    answer = DIFF(a, c, "--timing-only");
    assert_true(json_is_null(get(answer, "values_equal")));
    assert_true(json_is_null(get(answer, "values")));
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
    assert_true(json_is_true(get(answer, "values_equal")));
    assert_string_equal(text(get(answer, "values"), "compared"), "state");
    json_decref(answer);
    answer = DIFF(with, program, "--init", "pattern");
    assert_true(json_is_false(get(answer, "values_equal")));
    json_decref(answer);
    const char *without = takt_temp_path("without.db");
    unlink(without);
    takt_expect(ARGS("run", program, "--quiet", "--trace", without), 0, NULL, NULL);
    answer = DIFF(with, without);
    assert_true(json_is_null(get(answer, "values_equal")));
    json_decref(answer);
}

/* --- random pairs ----------------------------------------------------------------------------- */

enum { LINES = 400 };

struct lines {
    char *text; /* cut at its ends of lines */
    char *at[LINES];
    size_t count;
};

static void cut(struct lines *lines, char *whole)
{
    lines->text = whole;
    lines->count = 0;
    for (char *line = strtok(whole, "\n"); line && lines->count < LINES - 1;
         line = strtok(NULL, "\n"))
        lines->at[lines->count++] = line;
}

static const char *write_lines(const struct lines *lines, const char *name)
{
    char *whole = NULL;
    size_t size;
    FILE *out = open_memstream(&whole, &size);
    for (size_t i = 0; i < lines->count; i++)
        fprintf(out, "%s\n", lines->at[i]);
    fclose(out);
    const char *path = takt_temp_file(name, whole);
    free(whole);
    return path;
}

static void take_out(struct lines *lines, size_t i)
{
    memmove(&lines->at[i], &lines->at[i + 1], (lines->count - i - 1) * sizeof *lines->at);
    lines->count--;
}

static void put_in(struct lines *lines, size_t i, char *line)
{
    memmove(&lines->at[i + 1], &lines->at[i], (lines->count - i) * sizeof *lines->at);
    lines->at[i] = line;
    lines->count++;
}

static unsigned below(struct dice *dice, unsigned limit)
{
    return (unsigned)dice_below(dice, limit);
}

/* One thread or several, on one cluster or two, with loops. */
static char *gen_amx(struct dice *dice)
{
    char *whole = NULL;
    size_t size;
    FILE *out = open_memstream(&whole, &size);
    const unsigned threads = 1 + below(dice, 3);
    for (unsigned t = 0; t < threads; t++) {
        fprintf(out, ".thread %u\n.cluster %u\n", t, below(dice, 2));
        for (unsigned n = 3 + below(dice, 6), depth = 0; n > 0 || depth > 0; n -= n > 0) {
            const unsigned kind = below(dice, 8);
            if (depth && (n == 0 || kind == 0)) {
                fputs(".end\n", out);
                depth--;
            } else if (n && kind == 1 && depth < 2) {
                fprintf(out, ".repeat %u\n", 1 + below(dice, 9));
                depth++;
                n++;
                fprintf(out, "matfp f32 x=0 y=0 z=%u\n", below(dice, 4));
            } else if (kind < 4) {
                fprintf(out, "ld%c %c=%u addr=%u\n", kind == 2 ? 'x' : 'y', kind == 2 ? 'x' : 'y',
                        below(dice, 8), 64 * below(dice, 64));
            } else {
                fprintf(out, "matfp f%u x=0 y=0 z=%u\n", below(dice, 2) ? 32 : 64, below(dice, 4));
            }
        }
    }
    fclose(out);
    return whole;
}

/* timed: for --timing-only, which does not know DAR. */
static char *generate(struct dice *dice, bool amx, bool timed)
{
    const unsigned without = GEN_STYLE | (timed ? GEN_DAR : 0);
    const struct gen_options options = {.features = GEN_ALL & ~without,
                                        .statements = 4 + below(dice, 24),
                                        .tightness = below(dice, 101),
                                        .sets = 2,
                                        .gets = below(dice, 3)};
    char *whole = amx ? gen_amx(dice) : gen_program(dice_next(dice), &options, NULL);
    assert_non_null(whole);
    return whole;
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* Whether the stream spends cycles of its own on each execution. */
static bool takes_time(const char *line)
{
    static const char *const free_of_cost[] = {"mv", "d ", "r ", "mask", "quit", ".", "#"};
    for (size_t i = 0; i < sizeof free_of_cost / sizeof *free_of_cost; i++)
        if (begins(line, free_of_cost[i]))
            return false;
    return *line != '\0';
}

static size_t choose(struct dice *dice, const struct lines *lines)
{
    size_t i = below(dice, (unsigned)lines->count);
    for (size_t tries = 0; tries < 2 * lines->count && !takes_time(lines->at[i]); tries++)
        i = (i + 1) % lines->count;
    return i;
}

/* Lines [i, k], in either order, are all the same text: which of them was added cannot be said.
 * Directives between them are no statements. */
static bool same_run(const struct lines *lines, size_t i, size_t k)
{
    for (; i != k; i < k ? i++ : i--)
        if (lines->at[i][0] != '.' && strcmp(lines->at[i], lines->at[k]) != 0)
            return false;
    return true;
}

static bool same_row(const json_t *x, const json_t *y)
{
    static const char *const keys[] = {"reason", "unit"};
    static const char *const pairs[][2] = {{"line_a", "line_b"}, {"source_a", "source_b"}};
    for (size_t i = 0; i < 2; i++)
        if (!json_equal(json_object_get(x, keys[i]), json_object_get(y, keys[i])))
            return false;
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++) {
            const json_t *p = json_object_get(x, pairs[i][k]);
            const json_t *q = json_object_get(y, pairs[i][1 - k]);
            if ((p || q) && !json_equal(p, q))
                return false;
        }
    return number(x, "cycles") == -number(y, "cycles");
}

/* Terms of b, a are those of a, b with the other sign. */
static void negates(const json_t *answer, json_t *other)
{
    const json_t *terms = get(answer, "terms");
    json_t *others = json_object_get(other, "terms");
    size_t i;
    const json_t *term;
    assert_int_equal(json_array_size(terms), json_array_size(others));
    json_array_foreach(terms, i, term)
    {
        size_t k = 0;
        while (k < json_array_size(others) && !same_row(term, json_array_get(others, k)))
            k++;
        if (k == json_array_size(others))
            fail_msg("term %zu has no counterpart", i);
        json_array_remove(others, k);
    }
}

static bool names(const json_t *term, const json_t *edit)
{
    static const char *const keys[][2] = {{"line_a", "source_a"}, {"line_b", "source_b"}};
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < 2; k++) {
            const json_t *line = json_object_get(term, keys[s][k]);
            if (json_is_integer(line) && json_equal(line, json_object_get(edit, keys[s][0])))
                return true;
        }
    return false;
}

/* If any term names what was edited, the first does. Returns whether one does. */
static bool names_it_first(const json_t *answer, const json_t *edit)
{
    const json_t *terms = get(answer, "terms");
    size_t i;
    const json_t *term;
    json_array_foreach(terms, i, term)
    {
        if (!names(term, edit))
            continue;
        if (!names(json_array_get(terms, 0), edit))
            fail_msg("term %zu names the edit, the first does not", i);
        return true;
    }
    return false;
}

static json_t *diff_machine(bool amx, const char *a, const char *b, const char *option)
{
    return amx ? DIFF(a, b, option ? option : "--all")
               : DIFF(a, b, "--interlock", "--packing", "none", option ? option : "--all");
}

/* One line more, fewer, or elsewhere: it is found, and named first. Returns false when the edited
 * program is illegal. */
static bool one_edit(struct dice *dice, bool amx, unsigned kind, const struct lines *lines)
{
    struct lines edited = *lines;
    static char nop[] = "nop", load[] = "ldx x=7 addr=0";
    const size_t i = choose(dice, lines);
    char *const line = kind == 0 ? amx ? load : nop : lines->at[i];
    size_t place = i;
    if (kind > 0)
        take_out(&edited, i);
    if (kind == 2)
        place = below(dice, (unsigned)edited.count + 1);
    if (kind != 1)
        put_in(&edited, place, line);
    const char *a = write_lines(lines, amx ? "a.amx" : "a.vsm");
    const char *b = write_lines(&edited, amx ? "b.amx" : "b.vsm");
    json_t *answer = diff_machine(amx, a, b, "--timing-only");
    if (!answer)
        return false;
    static const char *const kinds[] = {"added", "removed", "moved"};
    const json_t *found = json_array_get(get(get(answer, "statements"), kinds[kind]), 0);
    /* A directive is no statement; what it governs may be another thread. */
    if (takes_time(line) && !(kind == 2 && (same_run(lines, i, place) || !found))) {
        assert_int_equal(all_edits(answer), 1);
        assert_non_null(found);
        const struct lines *in = kind == 1 ? lines : &edited;
        const size_t at = (size_t)number(found, kind == 1 ? "line_a" : "line_b") - 1;
        if (kind != 2)
            assert_true(same_run(in, at, place));
        const bool named = names_it_first(answer, found);
        if (!amx && kind != 2)
            assert_true(named);
        if (!amx && kind == 0) {
            assert_string_equal(text(json_array_get(get(answer, "terms"), 0), "reason"), "nop");
            assert_int_equal(number(json_array_get(get(answer, "terms"), 0), "cycles"), 4);
        }
    }
    json_t *other = diff_machine(amx, b, a, "--timing-only");
    negates(answer, other);
    json_decref(other);
    json_decref(answer);
    return true;
}

/* Nothing but the parameter is reported to differ. */
static void one_parameter(bool amx, const struct lines *lines)
{
    const char *a = write_lines(lines, amx ? "a.amx" : "a.vsm");
    json_t *answer = amx ? DIFF(a, a, "--set-b", "load_latency=99")
                         : DIFF(a, a, "--interlock", "--set-b", "mv_start_latency=77");
    if (!answer)
        fail_msg("%s", a);
    assert_int_equal(all_edits(answer), 0);
    const json_t *parameters = get(answer, "parameters");
    assert_int_equal(json_array_size(parameters), 1);
    const json_t *parameter = json_array_get(parameters, 0);
    assert_string_equal(text(parameter, "name"), amx ? "load_latency" : "mv_start_latency");
    assert_true(json_integer_value(get(parameter, "b")) == (amx ? 99 : 77));
    json_decref(answer);
}

static void same_terms(const json_t *answer, json_t *other)
{
    assert_non_null(other);
    if (!json_equal(get(answer, "terms"), get(other, "terms"))) {
        char *x = json_dumps(get(answer, "terms"), 0), *y = json_dumps(get(other, "terms"), 0);
        fail_msg("%s\n%s", x, y);
    }
    json_decref(other);
}

/* What the stream's unit has for each reason in its totals, which are counted elsewhere. */
static void reasons_are_totals(const json_t *answer, const char *const traces[2])
{
    json_t *sums = json_object();
    for (unsigned s = 0; s < 2; s++) {
        char sql[300];
        snprintf(sql, sizeof sql,
                 "SELECT y.name, sum(t.cycles) AS cycles FROM unit_total t JOIN reason y ON y.id = "
                 "t.reason JOIN unit u ON u.id = t.unit WHERE u.name = '%s' GROUP BY y.name",
                 json_string_value(json_array_get(get(answer, "streams"), s)));
        struct takt_result r = RUN("query", "--json", traces[s], sql);
        assert_int_equal(r.exit_code, 0);
        json_t *rows = json_loads(r.out, 0, NULL);
        size_t i;
        const json_t *row;
        json_array_foreach(rows, i, row)
        {
            const char *name = text(row, "name");
            const json_int_t before = json_integer_value(json_object_get(sums, name));
            const json_int_t cycles = number(row, "cycles");
            json_object_set_new(sums, name, json_integer(before + (s ? cycles : -cycles)));
        }
        json_decref(rows);
        takt_result_free(&r);
    }
    size_t i;
    const json_t *row;
    json_array_foreach(get(answer, "by_reason"), i, row)
    {
        if (number(row, "cycles") != number(sums, text(row, "reason")))
            fail_msg("%s: %" JSON_INTEGER_FORMAT ", by totals %" JSON_INTEGER_FORMAT,
                     text(row, "reason"), number(row, "cycles"), number(sums, text(row, "reason")));
        json_object_del(sums, text(row, "reason"));
    }
    const char *name;
    json_t *sum;
    json_object_foreach(sums, name, sum)
    {
        assert_int_equal(json_integer_value(sum), 0);
    }
    json_decref(sums);
}

/* Any two programs, and their traces. */
static bool two_programs(bool amx, const struct lines *x, const struct lines *y)
{
    const char *a = write_lines(x, amx ? "a.amx" : "a.vsm");
    const char *b = write_lines(y, amx ? "b.amx" : "b.vsm");
    json_t *answer = diff_machine(amx, a, b, NULL);
    if (!answer)
        return false;
    json_t *other = diff_machine(amx, b, a, NULL);
    negates(answer, other);
    json_decref(other);
    for (unsigned detail = 0; detail < 2; detail++) {
        const char *traces[2];
        for (unsigned s = 0; s < 2; s++) {
            traces[s] = takt_temp_path(s ? "b.db" : "a.db");
            unlink(traces[s]);
            takt_expect(ARGS("run", s ? b : a, detail ? "--detail" : "--quiet", "--trace",
                             traces[s], amx ? NULL : "--interlock", "--packing", "none"),
                        0, NULL, NULL);
        }
        same_terms(answer, DIFF(traces[0], traces[1]));
        if (detail)
            reasons_are_totals(answer, traces);
    }
    json_decref(answer);
    answer = diff_machine(amx, a, a, NULL);
    assert_int_equal(json_array_size(get(answer, "terms")), 0);
    assert_int_equal(all_edits(answer), 0);
    assert_true(json_is_null(get(answer, "diverges")));
    assert_true(json_is_true(get(answer, "diverges_known")));
    assert_true(json_is_true(get(answer, "values_equal")));
    json_decref(answer);
    return true;
}

static void campaign(bool amx)
{
    struct dice dice = {amx ? 3 : 5};
    const size_t rounds = often(32);
    size_t legal = 0;
    for (size_t round = 0; round < rounds; round++) {
        struct lines x, y;
        const unsigned kind = (unsigned)(round % 5);
        char *const first = generate(&dice, amx, kind < 3);
        char *const second = generate(&dice, amx, kind < 3);
        cut(&x, first);
        cut(&y, second);
        if (kind < 3) {
            legal += one_edit(&dice, amx, kind, &x);
        } else if (kind == 3) {
            one_parameter(amx, &x);
            legal++;
        } else {
            legal += two_programs(amx, &x, &y);
        }
        free(first);
        free(second);
    }
    if (getenv("TAKT_SHOW"))
        print_message("%zu of %zu pairs are legal\n", legal, rounds);
    assert_true(legal * 2 > rounds);
}

static void random_pairs_of_steps(void **state)
{
    (void)state;
    campaign(false);
}

static void random_pairs_of_threads(void **state)
{
    (void)state;
    campaign(true);
}

/* --- traces of every machine ------------------------------------------------------------------ */

enum { MOST_TRACES = 24 };

/* Traces of these programs (NULL ends them) into paths, with intervals and without. Returns how
 * many. */
static size_t record_all(const char *const *programs, char paths[][300])
{
    size_t count = 0;
    for (; *programs; programs++) {
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
        {"examples/loops/conv.loops", "examples/loops/dot.loops", "examples/loops/matmul.loops"},
        {"examples/ventus/collatz.ventus", "examples/ventus/histogram.ventus",
         "examples/ventus/saxpy.ventus", "examples/ventus/reduce.ventus"},
        {"examples/amx/block.amx", "examples/amx/matmul.amx", "examples/amx/threads.amx"},
        {"examples/mncore2/fma.vsm", "examples/mncore2/matmul.vsm", "examples/mncore2/reduce.vsm"},
    };
    static char paths[MOST_TRACES][300];
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        const size_t count = record_all(machines[m], paths);
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i; j < count; j++) {
                json_t *answer = DIFF(paths[i], paths[j]), *other = DIFF(paths[j], paths[i]);
                assert_non_null(answer);
                assert_int_equal(number(other, "difference"), -number(answer, "difference"));
                if (i == j) {
                    assert_int_equal(number(answer, "difference"), 0);
                    assert_int_equal(json_array_size(get(answer, "terms")), 0);
                    assert_int_equal(all_edits(answer), 0);
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
    const json_t *term = json_array_get(get(answer, "terms"), 0);
    assert_non_null(strstr(text(term, "file_b"), "more.amx"));
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
            fprintf(out, below(&dice, 2) ? "nop/%u\n" : "fvadd $lm%uv $ln0v $lr0v\n",
                    8 + 8 * below(&dice, 9));
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
        if (below(dice, 2))
            fprintf(out, "nop/%u\n", 1 + below(dice, 40));
        else
            fprintf(out, "fvadd $lm%uv\t$ln%uv $lr0v\n", 8 * below(dice, 60), 8 * below(dice, 60));
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
        const bool whole = all_edits(answer) < SIDES;
        assert_int_equal(strstr(written, "the rest is left out") == NULL, whole);
        if (whole) {
            assert_int_equal(times(written, "<td class=\"n gone\">"), edits(answer, "removed"));
            assert_int_equal(times(written, "<td class=\"n new\">"), edits(answer, "added"));
            assert_int_equal(times(written, "<tr class=\"changed\">"), edits(answer, "changed"));
            assert_int_equal(times(written, "<tr class=\"moved\">"), 2 * edits(answer, "moved"));
        }
        const bool all_terms = json_array_size(get(answer, "terms")) <= TERMS;
        assert_int_equal(strstr(written, "takt diff --json has all of them") == NULL, all_terms);
        assert_non_null(strstr(written, "id=\"regions\""));
        free(written);
        json_decref(answer);
        unlink(html);
    }
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
    assert_int_equal(edits(answer, "added"), (LONG + EDITED - 1) / EDITED);
    assert_int_equal(all_edits(answer), edits(answer, "added"));
    assert_int_equal(number(get(answer, "statements"), "same"), LONG);
    json_decref(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand),           cmocka_unit_test(a_transfer_in_the_way),
        cmocka_unit_test(values_are_compared),     cmocka_unit_test(random_pairs_of_steps),
        cmocka_unit_test(random_pairs_of_threads), cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(fits_on_a_screen),        cmocka_unit_test(page),
        cmocka_unit_test(large_programs),          cmocka_unit_test(states_of_traces),
        cmocka_unit_test(regions_add_up),          cmocka_unit_test(pages_of_any_shape),
        cmocka_unit_test(pairs_of_traces),         cmocka_unit_test(several_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
