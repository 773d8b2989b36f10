/*
 * removable: for each row of 3.6.3 a program with exactly the steps that are due, and with one
 * more; and, for random programs, against the check itself: a run may lose as many steps as it
 * says, and with one more gone the program is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "timing/machines.h"
#include "timing/mncore2/check.h"
#include "timing/mncore2/removable.h"

enum { MOST = 64 };

struct answer {
    size_t count;
    struct {
        uint32_t line;
        uint64_t steps, written, together;
    } runs[MOST];
    const struct program *program;
};

static void find(const struct program *program, const struct config *config, struct answer *answer)
{
    struct removable_list list;
    assert_int_equal(mncore2_removable_find(program, config, false, NULL, &list), 0);
    assert_true(list.count <= MOST);
    for (size_t i = 0; i < list.count; i++) {
        const struct removable *row = &list.rows[i];
        answer->runs[i].line = program->items[row->item].line;
        answer->runs[i].steps = row->steps;
        answer->runs[i].written = row->written;
        answer->runs[i].together = row->together;
    }
    answer->count = list.count;
    free(list.rows);
}

/* Returns whether the text is legal; then *answer is what could go. */
static bool ask(const char *text, struct answer *answer)
{
    struct source source;
    struct diag_list diags;
    struct program program;
    struct config config;
    char error[MACHINE_ERROR];
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k.vsm", text, strlen(text)), 0);
    assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
    if (mncore2_program_parse(&program, &source, 1, &diags) != 0) {
        diag_print(&diags, &source, 1, stderr, false);
        fail_msg("does not parse");
    }
    const bool legal = mncore2_check(&program, &config, NULL, &diags) == 0;
    *answer = (struct answer){.program = &program};
    if (legal)
        find(&program, &config, answer);
    mncore2_program_free(&program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return legal;
}

struct expectation {
    const char *before, *after; /* of a run of nops */
    unsigned due;               /* steps that the rule asks for */
};

static void both_edges(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"zero $lm0v", "lpassa $lm8v $lr0v", 2}, /* LM: the port, any address */
        {"zero $ln0v", "lpassa $ln8v $lr0v", 2},
        {"zero $lm0v", "lpassa $ln8v $lr0v", 0},
        {"zero $lr0v", "lpassa $lr0v $ls0v", 1}, /* GRF: the address */
        {"zero $lr0v", "lpassa $lr8v $ls0v", 0},
        {"zero $t", "lpassa $t $ls0v", 1},
        {"zero $lr0/1000", "lpassa $lr0v $ls0v", 1}, /* 3.6.3.9: written in 0, read in 4 .. 7 */
        {"zero $lr0v", "zero $lr0v", 0},
        {"l2bm@0 $lb0 $lc0", "l2bmb $lc64 $lb64", 3},                     /* 3.6.3.2 */
        {"l2bm@0 $lb0 $lc0", "mvp/n64i01 $lc0@.0 $d0\nnop; wait i01", 1}, /* 3.6.3.1 */
        {"l2bm@0 $lb0 $lc0", "mvp/n64i01 $lc64@.0 $d0\nnop; wait i01", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (unsigned written = 0; written <= cases[i].due + 3; written++) {
            char text[400], nops[24] = "";
            struct answer answer;
            if (written)
                snprintf(nops, sizeof nops, "nop/%u\n", written);
            snprintf(text, sizeof text, "%s\n%s%s\n", cases[i].before, nops, cases[i].after);
            const bool legal = ask(text, &answer);
            if (legal != (written >= cases[i].due))
                fail_msg("%s: legal %d", text, legal);
            if (!legal)
                continue;
            const size_t runs = written > cases[i].due;
            if (answer.count != runs ||
                (runs && (answer.runs[0].steps != written - cases[i].due ||
                          answer.runs[0].written != written || answer.runs[0].line != 2)))
                fail_msg("%s: %zu runs, %u steps", text, answer.count,
                         (unsigned)answer.runs[0].steps);
        }
    }
}

static void expect(const char *text, size_t count, uint32_t line, uint64_t steps)
{
    struct answer answer;
    if (!ask(text, &answer))
        fail_msg("not legal: %s", text);
    if (answer.count != count ||
        (count && (answer.runs[0].line != line || answer.runs[0].steps != steps)))
        fail_msg("%s\n%zu runs, line %u, %u steps", text, answer.count, answer.runs[0].line,
                 (unsigned)answer.runs[0].steps);
}

/* Behind so many distinct statements the search looks statements up in another way. */
static void among_many(void **state)
{
    (void)state;
    enum { MANY = 20000, LINE = 32 };
    static const char *const kernels[] = {
        "zero $lm0v\nnop/5\nlpassa $lm0v $lr0v\n",
        "zero $lr0v\nnop/2\nlpassa $lr0v $ls0v\nnop\n",
        "zero $lm0v\nnop\nd get $lm0n0c0b0m0p0 1\nnop/2\nlpassa $lm0v $lr0v\n",
        "mvp/n64i01 $d0@0 $lc0@0.0\nnop/2\nnop; wait i01\n",
        "zero $lm0v\nnop/2\nlpassa $lm0v $lr0v\n",
    };
    char *text = malloc(MANY * LINE + 200);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct answer alone, among;
        assert_true(ask(kernels[i], &alone));
        char *at = text + sprintf(text, "%s", kernels[i]);
        for (unsigned k = 0; k < MANY; k++)
            at += sprintf(at, "imm i\"%u\" $nowrite\n", k);
        assert_true(ask(text, &among));
        assert_int_equal(among.count, alone.count);
        for (size_t k = 0; k < alone.count; k++) {
            assert_int_equal(among.runs[k].line, alone.runs[k].line);
            assert_int_equal(among.runs[k].steps, alone.runs[k].steps);
        }
        assert_int_equal(alone.count > 0, i < 4);
    }
    free(text);
}

static void what_a_run_is(void **state)
{
    (void)state;
    /* Written one by one, with directives and comments between: one run. */
    expect("zero $lm0v\nnop\nnop # two\n\nnop\nlpassa $lm0v $lr0v\n", 1, 2, 1);
    expect("zero $lm0v\nnop\nd get $lm0n0c0b0m0p0 1\nnop/2\nlpassa $lm0v $lr0v\n", 1, 2, 1);
    /* Statements that follow between count: two runs of one, nothing to spare; each is judged
     * with the other in place. */
    expect("zero $lm0v\nnop\nzero $lr0v\nlpassa $lm0v $ls0v\n", 0, 0, 0);
    expect("zero $lm0v\nnop\nzero $lr8v\nnop\nlpassa $lm0v $ls0v\n", 2, 2, 1);
    /* A later statement owes it, the first behind the run does not. */
    expect("zero $lm0v\nnop/2\nzero $lr0v\nlpassa $lm0v $ls0v\n", 1, 2, 1);
    /* A wait is a step, and no nop to remove. */
    expect("nop; wait i01\n", 0, 0, 0);
    expect("mvp/n64i01 $d0@0 $lc0@0.0\nnop/2\nnop; wait i01\n", 1, 2, 2);
    expect("mvp/n64i01 $d0@0 $lc0@0.0\nzero $lm0v\nnop; wait i01\nnop/2\nlpassa $lm0v $ls0v\n", 1,
           4, 1);
    /* Nobody waits for the transfer: the nops may be what gives it time. */
    expect("mvp/n64 $d0@0 $lc0@0.0\nnop/20\nl2bmb $lc0 $lb0\n", 0, 0, 0);
    expect("mvp/n64 $d0@0 $lc0@0.0\nnop/20\nl2bmb $lc64 $lb0\n", 1, 2, 20);
    expect("mvp/n64 $lc0@0.0 $d0@0\nnop/20\nl2bm@0 $lb0 $lc0\nnop/9\n", 1, 4, 9);
    /* Until somebody waits for it, or for one behind it on the same way; or forever. */
    expect("mvp/n64i01 $d0@0 $lc0@0.0\nnop/2\nnop; wait i01\nnop/20\nl2bmb $lc0 $lb0\n", 2, 2, 2);
    expect("mvp/n64 $p0@0 $lc0@0.0\nmvp/n64i01 $p64@0 $lc64@0.0\nnop/2\nnop; wait i01\n"
           "l2bmb $lc0 $lb0\n",
           1, 3, 2);
    expect("mvp/n64i01 $d0@0 $lc0@0.0\nnop/20\n", 1, 2, 20);
    /* Two transfers that race, two that do not, and one tag for both. */
    expect("mvp/n64 $d0@0 $lc0@0.0\nnop/20\nmvp/n64 $lc0@0.0 $p0@0\n", 0, 0, 0);
    expect("mvp/n64 $d0@0 $lc0@0.0\nnop/20\nmvp/n64 $lc64@0.0 $p0@0\n", 1, 2, 20);
    expect("mvp/n64i01 $d0@0 $lc0@0.0\nnop/20\nmvp/n64i01 $lc64@0.0 $p0@0\n", 0, 0, 0);
    /* A race reaches over other statements to the last that takes part in it. */
    expect("mvp/n64 $d0@0 $lc0@0.0\nnop/3\nl2bmb $lc0 $lb0\nnop/3\nl2bmb $lc0 $lb64\nnop/3\n", 1, 6,
           3);
    /* At the end and alone. */
    expect("nop/5\n", 1, 1, 5);
    expect("zero $lm0v\nnop/9\n", 1, 2, 9);
    expect("zero $lm0v\n", 0, 0, 0);
    /* A mask known to be 0 in some cycles. */
    expect("zero $omr1/1000\nzero $lr0v/$imr1\nnop\nlpassa $lr[6,6,6,6] $ls0v\n", 1, 3, 1);
    expect("zero $omr1/1001\nzero $lr0v/$imr1\nnop/2\nlpassa $lr[6,6,6,6] $ls0v\n", 0, 0, 0);
}

/* What can go together: of two runs between the same pair only what the pair can spare. */
static void together(void **state)
{
    (void)state;
    struct answer answer;
    assert_true(ask("zero $lm0v\nnop\nzero $lr8v\nnop\nlpassa $lm0v $ls0v\nnop/3\n", &answer));
    assert_int_equal(answer.count, 3);
    static const uint64_t both[] = {1, 0, 3};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(answer.runs[i].together, both[i]);
}

static struct machine_needs ask_needs(const char *text, size_t item)
{
    struct source source;
    struct diag_list diags;
    struct program program;
    struct config config;
    struct machine_needs needs;
    char error[MACHINE_ERROR];
    diag_list_init(&diags);
    assert_int_equal(source_from_text(&source, "k.vsm", text, strlen(text)), 0);
    assert_int_equal(machine_config(&machine_mncore2, &config, error, sizeof error), 0);
    assert_int_equal(mncore2_program_parse(&program, &source, 1, &diags), 0);
    if (mncore2_removable_needs(&program, &config, false, NULL, item, &needs) != 0)
        needs.first = NONE_ID;
    mncore2_program_free(&program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return needs;
}

static void expect_need(struct machine_needs *needs, uint32_t first, uint32_t second,
                        uint64_t steps, const char *rule)
{
    assert_int_equal(needs->count, 1);
    assert_int_equal(needs->rows[0].first, first);
    assert_int_equal(needs->rows[0].second, second);
    assert_int_equal(needs->rows[0].steps, steps);
    assert_string_equal(needs->rows[0].rule, rule);
    free(needs->rows);
}

/* Who needs the steps of a run, the most first. */
static void who_needs_them(void **state)
{
    (void)state;
    static const char text[] =
        "zero $lm0v\nzero $lr0v\nnop\nnop/3\nlpassa $lr0v $ls0v\n"
        "lpassa $lm8v $ls8v\nmvp/n64i01 $d0@0 $lc0@0.0\nnop/5\nl2bmb $lc0 $lb0\n";
    /* LM0 needs 2 steps, of which items 1 and 4 are two; GRF0 needs one. */
    for (size_t item = 2; item < 4; item++) {
        struct machine_needs needs = ask_needs(text, item);
        assert_int_equal(needs.first, 2);
        assert_int_equal(needs.last, 3);
        assert_int_equal(needs.written, 4);
        assert_int_equal(needs.spare, 3);
        expect_need(&needs, 1, 4, 1, "3.6.3.9");
    }
    struct machine_needs race = ask_needs(text, 7);
    assert_int_equal(race.spare, 0);
    expect_need(&race, 6, 8, 5, "3.6.13");
    assert_int_equal(ask_needs(text, 0).first, NONE_ID);
    assert_int_equal(ask_needs("mvp/n64i01 $d0@0 $lc0@0.0\nnop; wait i01\n", 1).first, NONE_ID);
}

/* Entry e is written in cycle e of the step and found 7 cycles later (dar_write_latency 6), so the
 * transfer issues at 8, 8, 12 and 12 at the earliest. */
static void behind_dar(void **state)
{
    (void)state;
    static const uint64_t due[] = {1, 1, 2, 2};
    for (unsigned entry = 0; entry < 4; entry++)
        for (unsigned written = 1; written < 6; written++) {
            char text[200];
            snprintf(text, sizeof text,
                     "l2bmdars $lc0@.0 $dar0; l2bmdarw\nnop/%u\nmvp/n64 $p0@0 $di%u@0\n", written,
                     entry);
            const uint64_t spare = written > due[entry] ? written - due[entry] : 0;
            expect(text, spare > 0, 2, spare);
        }
}

enum { LINES = 14 };

static void random_line(struct dice *dice, char *line, size_t size)
{
    const unsigned a = (unsigned)(dice_next(dice) % 3) * 4, b = (unsigned)(dice_next(dice) % 3) * 4;
    static const char *const lines[] = {
        "zero $lm%uv",       "lpassa $lm%uv $lr%uv", "lpassa $lr%uv $ls%uv", "lpassa $lr%uv $lr%uv",
        "zero $lr%u/1000",   "lpassa $ls%uv $ln%uv", "lpassa $ln%uv $t",     "zero $omr1/0110",
        "zero $lr%uv/$imr1", "l1bmm@0 $lr%uv $lb0",  "l1bmp $lb0 $lr%uv",    "zero $lr%u",
    };
    const char *format = lines[dice_next(dice) % (sizeof lines / sizeof *lines)];
    char *at = line;
    unsigned values[2] = {a, b}, used = 0;
    for (; *format && (size_t)(at - line) + 8 < size; format++) {
        if (format[0] == '%' && format[1] == 'u') {
            at += snprintf(at, 8, "%u", values[used++ % 2]);
            format++;
        } else {
            *at++ = *format;
        }
    }
    *at = '\0';
}

/* Lines joined, run `skip` shorter by `less`. */
static char *join(char lines[LINES][64], const unsigned *nops, int run, uint64_t less)
{
    static char text[LINES * 80];
    char *at = text;
    for (int i = 0; i < LINES; i++) {
        const uint64_t count = nops[i] - (i == run ? less : 0);
        if (count)
            at += sprintf(at, "nop/%u", (unsigned)count);
        else
            at += sprintf(at, "#");
        at += sprintf(at, "\n%s\n", lines[i]);
    }
    return text;
}

static void as_the_check_says(void **state)
{
    (void)state;
    struct dice dice = {20261};
    unsigned judged = 0, spare = 0;
    for (int round = 0; round < (int)often(500); round++) {
        char lines[LINES][64];
        unsigned nops[LINES];
        for (int i = 0; i < LINES; i++) {
            random_line(&dice, lines[i], sizeof lines[i]);
            nops[i] = (unsigned)(dice_next(&dice) % 5);
        }
        struct answer answer, other;
        if (!ask(join(lines, nops, -1, 0), &answer))
            continue;
        for (int i = 0; i < LINES; i++) {
            uint64_t steps = 0;
            for (size_t r = 0; r < answer.count; r++)
                if (answer.runs[r].line == 2 * (uint32_t)i + 1)
                    steps = answer.runs[r].steps;
            if (!nops[i])
                continue;
            judged++;
            spare += steps > 0;
            assert_true(steps <= nops[i]);
            if (!ask(join(lines, nops, i, steps), &other))
                fail_msg("too many: %s", join(lines, nops, -1, 0));
            if (steps < nops[i] && ask(join(lines, nops, i, steps + 1), &other))
                fail_msg("too few for line %d (%u): %s", 2 * i + 1, (unsigned)steps,
                         join(lines, nops, -1, 0));
        }
    }
    assert_true(judged > 200 && spare > 50 && spare < judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_edges),        cmocka_unit_test(among_many),
        cmocka_unit_test(what_a_run_is),     cmocka_unit_test(together),
        cmocka_unit_test(who_needs_them),    cmocka_unit_test(behind_dar),
        cmocka_unit_test(as_the_check_says),
    };
    return cmocka_run_group_tests_name("removable", tests, NULL, NULL);
}
