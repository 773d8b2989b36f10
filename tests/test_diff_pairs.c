/* takt diff on random pairs of programs that differ in one line, or in all: every term adds up, is
 * named after what was edited, and changes its sign with the order of the programs. */
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
#include "tests/gen_program.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

#define RUN(...) takt_run((const char *const[]){__VA_ARGS__, NULL})

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
    return diff_number(x, "cycles") == -diff_number(y, "cycles");
}

/* Terms of b, a are those of a, b with the other sign. */
static void negates(const json_t *answer, json_t *other)
{
    const json_t *terms = diff_get(answer, "terms");
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

/* Each row of a list has one in the other list with the same lines on the other sides. */
static void mirrors(const json_t *rows, const json_t *others)
{
    size_t i;
    const json_t *row;
    assert_int_equal(json_array_size(rows), json_array_size(others));
    json_array_foreach(rows, i, row)
    {
        size_t k = 0;
        const json_t *other = NULL;
        for (; k < json_array_size(others); k++) {
            other = json_array_get(others, k);
            if (diff_number(row, "line_a") == diff_number(other, "line_b") &&
                diff_number(row, "line_b") == diff_number(other, "line_a"))
                break;
        }
        if (k == json_array_size(others))
            fail_msg("line %" JSON_INTEGER_FORMAT " of A, %" JSON_INTEGER_FORMAT " of B",
                     diff_number(row, "line_a"), diff_number(row, "line_b"));
    }
}

/* Where several edits are equally short, exchanging the files exchanges the answer. */
static void files_in_any_order(void **state)
{
    (void)state;
    enum { PERMUTED = 4 };
    static const char same[] = "nop/2\nnop/3\nnop/4\nnop/5\n";
    const char *a = takt_temp_file("a.vsm", same);
    for (unsigned code = 0, orders = 0; orders < 24; code++) {
        char text[sizeof same] = "";
        unsigned used = 0;
        for (unsigned i = 0; i < PERMUTED; i++) {
            const unsigned line = code >> 2 * i & 3;
            used |= 1U << line;
            strncat(text, same + 6 * line, 6);
        }
        if (used != (1U << PERMUTED) - 1)
            continue;
        orders++;
        const char *b = takt_temp_file("b.vsm", text);
        for (unsigned first = 0; first < 2; first++) { /* and behind a line that both have */
            const char *files[2] = {a, b};
            for (unsigned s = 0; first && s < 2; s++) {
                char longer[sizeof same + 4];
                snprintf(longer, sizeof longer, "nop\n%s", s ? text : same);
                files[s] = takt_temp_file(s ? "b1.vsm" : "a1.vsm", longer);
            }
            json_t *answer = DIFF(files[0], files[1]), *other = DIFF(files[1], files[0]);
            assert_non_null(answer);
            assert_non_null(other);
            mirrors(json_object_get(diff_get(answer, "statements"), "moved"),
                    json_object_get(diff_get(other, "statements"), "moved"));
            json_decref(answer);
            json_decref(other);
        }
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
    const json_t *terms = diff_get(answer, "terms");
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
    const json_t *found = json_array_get(diff_get(diff_get(answer, "statements"), kinds[kind]), 0);
    /* A directive is no statement; what it governs may be another thread. */
    if (takes_time(line) && !(kind == 2 && (same_run(lines, i, place) || !found))) {
        assert_int_equal(diff_all_edits(answer), 1);
        assert_non_null(found);
        const struct lines *in = kind == 1 ? lines : &edited;
        const size_t at = (size_t)diff_number(found, kind == 1 ? "line_a" : "line_b") - 1;
        if (kind != 2)
            assert_true(same_run(in, at, place));
        const bool named = names_it_first(answer, found);
        if (!amx && kind != 2)
            assert_true(named);
        if (!amx && kind == 0) {
            assert_string_equal(diff_text(json_array_get(diff_get(answer, "terms"), 0), "reason"),
                                "nop");
            assert_int_equal(diff_number(json_array_get(diff_get(answer, "terms"), 0), "cycles"),
                             4);
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
    assert_int_equal(diff_all_edits(answer), 0);
    const json_t *parameters = diff_get(answer, "parameters");
    assert_int_equal(json_array_size(parameters), 1);
    const json_t *parameter = json_array_get(parameters, 0);
    assert_string_equal(diff_text(parameter, "name"), amx ? "load_latency" : "mv_start_latency");
    assert_true(json_integer_value(diff_get(parameter, "b")) == (amx ? 99 : 77));
    json_decref(answer);
}

static void same_terms(const json_t *answer, json_t *other)
{
    assert_non_null(other);
    if (!json_equal(diff_get(answer, "terms"), diff_get(other, "terms"))) {
        char *x = json_dumps(diff_get(answer, "terms"), 0),
             *y = json_dumps(diff_get(other, "terms"), 0);
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
                 json_string_value(json_array_get(diff_get(answer, "streams"), s)));
        struct takt_result r = RUN("query", "--json", traces[s], sql);
        assert_int_equal(r.exit_code, 0);
        json_t *rows = json_loads(r.out, 0, NULL);
        size_t i;
        const json_t *row;
        json_array_foreach(rows, i, row)
        {
            const char *name = diff_text(row, "name");
            const json_int_t before = json_integer_value(json_object_get(sums, name));
            const json_int_t cycles = diff_number(row, "cycles");
            json_object_set_new(sums, name, json_integer(before + (s ? cycles : -cycles)));
        }
        json_decref(rows);
        takt_result_free(&r);
    }
    size_t i;
    const json_t *row;
    json_array_foreach(diff_get(answer, "by_reason"), i, row)
    {
        if (diff_number(row, "cycles") != diff_number(sums, diff_text(row, "reason")))
            fail_msg("%s: %" JSON_INTEGER_FORMAT ", by totals %" JSON_INTEGER_FORMAT,
                     diff_text(row, "reason"), diff_number(row, "cycles"),
                     diff_number(sums, diff_text(row, "reason")));
        json_object_del(sums, diff_text(row, "reason"));
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
    assert_int_equal(json_array_size(diff_get(answer, "terms")), 0);
    assert_int_equal(diff_all_edits(answer), 0);
    assert_true(json_is_null(diff_get(answer, "diverges")));
    assert_true(json_is_true(diff_get(answer, "diverges_known")));
    assert_true(json_is_true(diff_get(answer, "values_equal")));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_in_any_order),
        cmocka_unit_test(random_pairs_of_steps),
        cmocka_unit_test(random_pairs_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
