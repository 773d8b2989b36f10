/*
 * takt whatif: its total is that of a run of the edited program, or of the machine so set, to the
 * cycle; takt expect: both edges of each comparison, and what means nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "analysis/expectation.h"
#include "tests/amx/random_program.h"
#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

/* Of takt with these arguments, or NULL when it refused the program. */
static json_t *answer(const char *const *arguments)
{
    struct takt_result r = takt_run(arguments);
    json_t *root = json_loads(r.out, 0, NULL);
    if ((r.exit_code != 0 && r.exit_code != 1) || (r.exit_code == 0 && !root))
        fail_msg("takt %s: exit %d: %.300s", arguments[0], r.exit_code, r.err);
    if (r.exit_code != 0) {
        json_decref(root);
        root = NULL;
    }
    takt_result_free(&r);
    return root;
}

static json_int_t second(const json_t *root, const char *key)
{
    return json_integer_value(json_array_get(json_object_get(root, key), 1));
}

/* Total of a run with these options, which end with NULL; -1 when the program is refused. */
static json_int_t total(const char *program, const char *const *options)
{
    const char *arguments[40] = {"run", program, "--json", "--silence", "all"};
    for (size_t i = 5; *options; i++)
        arguments[i] = *options++;
    json_t *root = answer(arguments);
    const json_int_t cycles = root ? json_integer_value(json_object_get(root, "cycles")) : -1;
    json_decref(root);
    return cycles;
}

/* The text without the lines of which `goes` says so. */
static char *without(const char *text, int (*goes)(const char *line, unsigned number, unsigned of),
                     unsigned of)
{
    char *left = malloc(strlen(text) + 2), *to = left;
    unsigned number = 1;
    assert_non_null(left);
    for (const char *at = text; *at; number++) {
        const size_t length = strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n');
        if (!goes(at, number, of)) {
            memcpy(to, at, length);
            to += length;
        }
        at += length;
    }
    *to = '\0';
    return left;
}

static int is_line(const char *line, unsigned number, unsigned of)
{
    (void)line;
    return number == of;
}

/* "nop" and "nop/n", without a wait: what --drop-nops takes. */
static int is_nop(const char *line, unsigned number, unsigned of)
{
    (void)number, (void)of;
    const size_t length = strcspn(line, "\n");
    return strncmp(line, "nop", 3) == 0 && !memchr(line, ';', length);
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* --free takes the waits for its transfer away, too: those for the tag of an "mv.../n64i04", up to
 * the next transfer that carries it. */
static void without_waits(char *text, const char *line)
{
    char carries[4], wait[12], alone[12];
    const char *tag = line + strcspn(line, " /\n");
    tag = strncmp(line, "mv", 2) == 0 && *tag == '/' ? tag + strcspn(tag, " i\n") : "";
    if (*tag != 'i')
        return;
    snprintf(carries, sizeof carries, "%.3s", tag);
    snprintf(wait, sizeof wait, "; wait %.3s", tag);
    snprintf(alone, sizeof alone, "wait %.3s", tag);
    for (char *at = text; (at = strpbrk(at, ";wi")); at++) {
        if (strncmp(at, carries, 3) == 0)
            break;
        if (strncmp(at, wait, strlen(wait)) == 0)
            memset(at, ' ', strlen(wait));
        else if (strncmp(at, alone, strlen(alone)) == 0)
            memcpy(at, "nop     ", strlen(alone));
    }
}

static const char *nth_line(const char *text, unsigned line)
{
    while (--line)
        text += strcspn(text, "\n") + 1;
    return text;
}

static const char *const none[] = {NULL};
static size_t compared; /* lines that could be freed */

/* The total without one line is that of the file without it and without waits for it. */
static void free_is_an_edit(const char *text, const char *extension, unsigned line)
{
    char name[32], lines[32];
    snprintf(name, sizeof name, "free%s", extension);
    snprintf(lines, sizeof lines, "%u", line);
    const char *program = takt_temp_file(name, text);
    struct takt_result r = takt_run(ARGS("whatif", program, "--free", lines, "--json"));
    if (r.exit_code == 2) { /* no statement there */
        assert_non_null(strstr(r.err, "no statement"));
        takt_result_free(&r);
        return;
    }
    json_t *root = json_loads(r.out, 0, NULL);
    char *edited = without(text, is_line, line);
    without_waits(edited + (nth_line(text, line) - text), nth_line(text, line));
    snprintf(name, sizeof name, "edited%s", extension);
    const json_int_t expected = total(takt_temp_file(name, edited), none);
    if (r.exit_code == 0 && json_is_true(json_object_get(root, "legal"))) {
        if (second(root, "cycles") != expected)
            fail_msg("without line %u: what if %lld, edited %lld:\n%s", line,
                     (long long)second(root, "cycles"), (long long)expected, text);
        compared++;
    } else if (expected >= 0) {
        fail_msg("without line %u: exit %d, the edited file takes %lld:\n%s\n%s", line, r.exit_code,
                 (long long)expected, text, r.err);
    }
    free(edited);
    json_decref(root);
    takt_result_free(&r);
}

static void free_at_random(void **state)
{
    (void)state;
    compared = 0;
    for (uint64_t round = 0; round < often_rare(56); round++) {
        struct dice dice = {round};
        const struct gen_options options = {.features = GEN_ALL & ~(unsigned)GEN_STYLE,
                                            .statements = 20,
                                            .tightness = round % 2 ? 50 : 0};
        char *text = gen_program(round, &options, NULL), amx[4000];
        assert_non_null(text);
        for (int i = 0; i < 2; i++)
            free_is_an_edit(text, ".vsm", 1 + (unsigned)dice_below(&dice, lines_of(text)));
        free(text);
        amx_random_program(&dice, amx, sizeof amx);
        for (int i = 0; i < 2; i++)
            free_is_an_edit(amx, ".amx", 1 + (unsigned)dice_below(&dice, lines_of(amx)));
    }
    assert_true(compared > 20);
}

/* --speed: what it lists for --set, given to a run. */
static void speed_is_a_setting(const char *program, const char *speed)
{
    json_t *root = answer(ARGS("whatif", program, "--speed", speed, "--json"));
    assert_non_null(root);
    const char *options[32] = {NULL};
    size_t count = 0, i;
    const json_t *set;
    json_array_foreach(json_object_get(root, "set"), i, set)
    {
        options[count++] = "--set";
        options[count++] = json_string_value(set);
        options[count] = NULL;
    }
    assert_true(count > 0);
    assert_int_equal(second(root, "cycles"), total(program, options));
    assert_int_equal(json_integer_value(json_array_get(json_object_get(root, "cycles"), 0)),
                     total(program, none));
    json_decref(root);
}

/* --drop-nops: the file without nops under --interlock. An access also waits, to the step, for the
 * end of a transfer that it meets, which is only more where there are MV statements. */
static void dropped_is_an_edit(const json_t *dropped, const char *edited, bool transfers)
{
    const json_int_t cycles = total(edited, ARGS("--interlock"));
    if (dropped && transfers)
        assert_true(cycles >= 0 && second(dropped, "cycles") >= cycles);
    else
        assert_int_equal(dropped ? second(dropped, "cycles") : -1, cycles);
}

static void changes_at_random(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", "auto", "flat"};
    static const char *const speeds[] = {"dram=2", "mv=1.5", "link=0.5", "l2bm=3", "pdm=2",
                                         "lm=2",   "grf=3",  "t=0.5",    "l1bm=2"};
    static const char *const amx_speeds[] = {"array=2", "ldst=4", "cpu=0.25", "ldst=0.3"};
    for (uint64_t round = 0; round < often(10); round++) {
        struct dice dice = {round};
        const unsigned left = GEN_STYLE | (round % 2 ? 0 : GEN_MV);
        const struct gen_options options = {.features = GEN_ALL & ~left, .statements = 25};
        char *text = gen_program(round + 1000, &options, NULL), amx[4000];
        assert_non_null(text);
        const char *program = takt_temp_file("change.vsm", text);
        speed_is_a_setting(program, speeds[dice_below(&dice, 9)]);

        const char *packing = packings[dice_below(&dice, 3)];
        json_t *root = answer(ARGS("whatif", program, "--packing", packing, "--json"));
        const json_int_t packed = total(program, ARGS("--packing", packing));
        if (root && json_is_true(json_object_get(root, "legal")))
            assert_int_equal(second(root, "cycles"), packed);
        else
            assert_int_equal(packed, -1);
        json_decref(root);

        root = answer(ARGS("whatif", program, "--drop-nops", "--json"));
        char *edited = without(text, is_nop, 0);
        dropped_is_an_edit(root, takt_temp_file("dropped.vsm", edited), round % 2);
        json_decref(root);
        free(edited);
        free(text);

        amx_random_program(&dice, amx, sizeof amx);
        speed_is_a_setting(takt_temp_file("change.amx", amx), amx_speeds[dice_below(&dice, 4)]);
    }
}

static void by_hand(void **state)
{
    (void)state;
    /* 3 + 2 steps of 4 cycles, and 1 to fill the unit of three; without line 2, one unit. */
    const char *program = takt_temp_file("few.vsm", "zero $lm0v\nnop/3\nzero $nowrite\n");
    takt_expect(ARGS("whatif", program, "--free", "2"), 0, "24 cycles -> 12   -12 cycles, -50.0 %",
                NULL);
    takt_expect(ARGS("whatif", program, "--free", "1-2,3"), 0, "24 cycles -> 0 ", NULL);
    takt_expect(ARGS("whatif", program, "--free", "few.vsm:2"), 0, "-> 12", NULL);
    takt_expect(ARGS("whatif", program, "--set", "mv_slot_steps_auto=1"), 0, "24 cycles -> 32",
                NULL);
    takt_expect(ARGS("whatif", program, program, "--free", "2"), 2, NULL, "NAME:LINES");
    /* A hazard of what is left: two empty steps between the write and the read of LM0. The nops
     * fill a unit of three and the next has two slots to fill; stalls fill none. */
    const char *read = takt_temp_file("read.vsm", "zero $lm0v\nnop/2\nlpassa $lm0v $nowrite\n");
    takt_expect(ARGS("whatif", read, "--free", "2"), 0, "ILLEGAL", NULL);
    takt_expect(ARGS("whatif", read, "--free", "2", "--interlock"), 0, "24 cycles -> 20", NULL);
    takt_expect(ARGS("whatif", read, "--drop-nops"), 0, "24 cycles -> 20 ", NULL);
    /* 3.6.3.9: LM0's port is held for two empty steps after a write, half as many or twice as many
     * at another speed; GRF and T can be read 6 cycles after the write: one empty step, none at 3
     * cycles, three at 12. */
    const char *near = takt_temp_file("near.vsm", "zero $lm0v\nlpassa $lm0v $nowrite\n");
    takt_expect(ARGS("whatif", near, "--interlock", "--speed", "lm=2"), 0, "   -4 cycles", NULL);
    takt_expect(ARGS("whatif", near, "--interlock", "--speed", "lm=0.5"), 0, "   +8 cycles", NULL);
    const char *grf = takt_temp_file("grf.vsm", "zero $lr0v\nlpassa $lr0v $nowrite\n");
    takt_expect(ARGS("whatif", grf, "--interlock", "--speed", "grf=2"), 0, "   -4 cycles", NULL);
    takt_expect(ARGS("whatif", grf, "--interlock", "--speed", "grf=0.5"), 0, "   +8 cycles", NULL);
    const char *t = takt_temp_file("t.vsm", "zero $t\nlpassa $t $nowrite\n");
    takt_expect(ARGS("whatif", t, "--interlock", "--speed", "t=2"), 0, "   -4 cycles", NULL);
    takt_expect(ARGS("whatif", program), 2, NULL, "what is to be changed");
    takt_expect(ARGS("whatif", program, "--interlock"), 2, NULL, "what is to be changed");
    takt_expect(ARGS("whatif", "--free", "2"), 2, NULL, "which program");
    takt_expect(ARGS("whatif", program, "--free", "4"), 2, NULL, "no statement in line 4");
    takt_expect(ARGS("whatif", program, "--free", "3-1"), 2, NULL, "as in 12");
    takt_expect(ARGS("whatif", program, "--free", "x"), 2, NULL, "as in 12");
    takt_expect(ARGS("whatif", program, "--free", "1,"), 2, NULL, "as in 12");
    takt_expect(ARGS("whatif", program, "--speed", "drm=2"), 2, NULL, "did you mean 'dram'?");
    takt_expect(ARGS("whatif", program, "--speed", "dram=0"), 2, NULL, "K above 0");
    takt_expect(ARGS("whatif", program, "--speed", "dram=1e9"), 1, NULL, "dram_port");
    const char *amx = takt_temp_file("few.amx", ".repeat 10\nmatfp f32 z=0\n.end\n");
    takt_expect(ARGS("whatif", amx, "--free", "1"), 2, NULL, "no statement in line 1");
    takt_expect(ARGS("whatif", amx, "--packing", "none"), 2, NULL, "packing");
    /* A turn takes the result's latency, 4 cycles, and the last result too. */
    takt_expect(ARGS("whatif", amx, "--speed", "array=2"), 0, "40 cycles -> 20", NULL);
}

/* --- expect ---------------------------------------------------------------------------------- */

static void edges(void **state)
{
    (void)state;
    /* 6 steps: 24 cycles, 8 of them of the ALU and 16 of nops. */
    const char *program = takt_temp_file("e.vsm", "# takt: begin one\nzero $lm0v\n# takt: end\n"
                                                  "nop/4\nzero $nowrite\n");
    static const char *const hold[] = {"cycles <= 24",           "cycles < 25",
                                       "cycles >= 24",           "cycles > 23",
                                       "cycles == 24",           "cycles != 23",
                                       "cycles<=2.4e1",          "util(issue) >= 33.3%",
                                       "busy(alu) == 8",         "wait(nop) == 16",
                                       "cycles(one) == 4",       "steps == 6",
                                       "nops.written == 4",      "gap(this-order) <= 100%",
                                       "bound(any-order) <= 24", "slack(2) >= 0",
                                       "warnings >= 0",          "warnings(mv-race) == 0",
                                       "util(alu) < 0.334"};
    static const char *const fail[] = {
        "cycles <= 23",     "cycles < 24",        "cycles >= 25",
        "cycles > 24",      "cycles == 25",       "cycles != 24",
        "cycles <= 23.999", "util(alu) >= 33.4%", "cycles(rest) < 20"};
    for (size_t i = 0; i < sizeof hold / sizeof *hold; i++)
        takt_expect(ARGS("expect", program, hold[i]), 0, "ok: ", NULL);
    for (size_t i = 0; i < sizeof fail / sizeof *fail; i++)
        takt_expect(ARGS("expect", program, fail[i]), 1, "FAILED: expected ", NULL);
    takt_expect(ARGS("expect", program, "cycles <= 23"), 1,
                "FAILED: expected cycles <= 23, but it is 24\n", NULL);
    takt_expect(ARGS("expect", program, "cycles <= 23", "cycles <= 24"), 1,
                "ok: cycles <= 24 (it is 24)\n", NULL);
    static const struct {
        const char *text, *error;
    } wrong[] = {{"cycle <= 1", "did you mean 'cycles'?"},
                 {"util(alv) <= 1", "did you mean 'alu'?"},
                 {"cycles(two) <= 1", "no region 'two'"},
                 {"slack(99) >= 0", "no line with a known slack '99'"},
                 {"util <= 1", "util has an argument"},
                 {"cycles = 1", "not an expectation"},
                 {"cycles <= ", "not an expectation"},
                 {"cycles <= 1x", "not an expectation"},
                 {"cycles <= nan", "not an expectation"},
                 {"util(alu <= 1", "not an expectation"},
                 {"<= 1", "not an expectation"},
                 {"cycles <= baseline", "--baseline"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        takt_expect(ARGS("expect", program, wrong[i].text), 2, NULL, wrong[i].error);
    takt_expect(ARGS("expect", program), 2, NULL, "nothing is expected");
    takt_expect(ARGS("expect", "/nonexistent.vsm", "cycles <= 1"), 1, NULL, "nonexistent");
}

/* Of a run of 2^53 + 1 cycles, which is no double. */
static void every_cycle_counts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool holds;
    } rows[] = {{"cycles == 9007199254740993", true},   {"cycles == 9007199254740992", false},
                {"cycles <= 9007199254740992", false},  {"cycles > 9007199254740992", true},
                {"cycles < 9007199254740992.5", false}, {"cycles < 9223372036854775808", true}};
    const struct store run = {.complete = true, .summary.cycles = 9007199254740993};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct expectation e;
        char error[EXPECTATION_ERROR], number[40];
        long double value;
        assert_int_equal(expectation_parse(&e, rows[i].text, strlen(rows[i].text), error), 0);
        assert_int_equal(expectation_value(&run, &e, &value, error), 0);
        assert_int_equal(expectation_holds(&e, value), rows[i].holds);
        expectation_number(&e, value, number);
        assert_string_equal(number, "9,007,199,254,740,993");
    }
}

static void comments_and_baseline(void **state)
{
    (void)state;
    const char *program =
        takt_temp_file("c.vsm", "# takt: expect cycles <= 24\n# takt: expect util(alu) > 0.5\n"
                                "zero $lm0v\nnop/4\nzero $nowrite\n");
    takt_expect(ARGS("expect", program), 1,
                "c.vsm:2: FAILED: expected util(alu) > 0.5, but it is 0.333333\n", NULL);
    const char *trace = takt_record(program, NULL);
    takt_expect(ARGS("expect", trace), 1, "c.vsm:1: ok: cycles <= 24 (it is 24)\n", NULL);
    takt_expect(ARGS("expect", trace, "cycles <= baseline", "--baseline", trace), 1,
                "ok: cycles <= baseline (it is 24, the baseline 24)", NULL);
    takt_expect(ARGS("expect", trace, "cycles < baseline", "--baseline", trace), 1,
                "FAILED: expected cycles < baseline, but it is 24, the baseline 24", NULL);
    /* One step more in a unit of three: its text and its cycles. */
    const char *longer = takt_temp_file("longer.vsm", "zero $lm0v\nnop/5\nzero $nowrite\n");
    takt_expect(ARGS("expect", longer, "cycles <= baseline", "--baseline", trace), 1,
                "but it is 36, the baseline 24\n\n", NULL);
    struct takt_result diffed =
        takt_run(ARGS("expect", longer, "cycles <= baseline", "--baseline", trace, "--json"));
    json_t *with_diff = json_loads(diffed.out, 0, NULL);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(with_diff, "diff"), "difference")), 12);
    json_decref(with_diff);
    takt_result_free(&diffed);
    takt_expect(ARGS("expect", takt_temp_file("c.amx", "matfp f32 z=0\n"), "cycles <= baseline",
                     "--baseline", trace),
                2, NULL, "the baseline is of mncore2, the run of amx");
    const char *wrong = takt_temp_file("w.vsm", "zero $lm0v\n# takt: expect cycle <= 24\n");
    takt_expect(ARGS("expect", wrong), 1, NULL, "w.vsm:2: nothing is called 'cycle'");
    takt_expect(ARGS("run", takt_temp_file("u.vsm", "# takt: expects x\nzero $lm0v\n")), 1, NULL,
                "u.vsm:1:9: error: there is no such directive");
    struct takt_result r = takt_run(ARGS("expect", program, "--json"));
    json_t *root = json_loads(r.out, 0, NULL);
    assert_int_equal(r.exit_code, 1);
    assert_true(json_is_false(json_object_get(root, "ok")));
    const json_t *row = json_array_get(json_object_get(root, "expectations"), 1);
    assert_true(json_is_false(json_object_get(row, "holds")));
    assert_int_equal(json_integer_value(json_object_get(row, "line")), 2);
    json_decref(root);
    takt_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(free_at_random),
        cmocka_unit_test(changes_at_random),
        cmocka_unit_test(edges),
        cmocka_unit_test(every_cycle_counts),
        cmocka_unit_test(comments_and_baseline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
