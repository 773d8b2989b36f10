/*
 * One default of --packing, the same whether it is spelled or not: a program that has an operand of
 * four addresses can only be assembled in flat mode, any other is packed as auto (1.2). takt run
 * and takt check answer alike with and without the option, on the examples and on random programs,
 * legal ones and ones with hazards.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/gen_program.h"
#include "tests/mncore2/check_text.h"
#include "tests/mncore2/timing_kit.h"
#include "tests/often.h"
#include "tests/takt_process.h"

/* A bracket that opens a list of L1B stands behind @; any other opens the four addresses of an
 * operand (3.6.1.6). */
static const char *default_of(const char *text)
{
    bool comment = false;
    for (const char *at = text; *at; at++) {
        comment = (comment || *at == '#') && *at != '\n';
        if (!comment && *at == '[' && at > text && at[-1] != '@')
            return "flat";
    }
    return "auto";
}

/* --- as a user sees it ------------------------------------------------------------------------ */

static void alike(const char *const *bare, const char *const *spelled, const char *what)
{
    struct takt_result a = takt_run(bare), b = takt_run(spelled);
    if (a.exit_code != b.exit_code || strcmp(a.out, b.out) != 0 || strcmp(a.err, b.err) != 0)
        fail_msg("%s: exit %d and %d\n--- without\n%s%s--- with\n%s%s", what, a.exit_code,
                 b.exit_code, a.out, a.err, b.out, b.err);
    takt_result_free(&a);
    takt_result_free(&b);
}

static void commands_alike(const char *path)
{
    char *text = takt_read_file(path, NULL);
    assert_non_null(text);
    const char *name = default_of(text);
    free(text);
    const char *const runs[][7] = {
        {"run", path, "--json", NULL},
        {"run", path, "--json", "--packing", name, NULL},
        {"run", path, "--quiet", "--functional-only", NULL},
        {"run", path, "--quiet", "--functional-only", "--packing", name, NULL},
        {"check", path, NULL},
        {"check", path, "--packing", name, NULL},
        {"check", path, "--json", NULL},
        {"check", path, "--json", "--packing", name, NULL},
        {"print", path, "--packed", NULL},
        {"print", path, "--packed", "--packing", name, NULL},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i += 2)
        alike(runs[i], runs[i + 1], path);
}

static void examples(void **unused)
{
    (void)unused;
    glob_t files;
    assert_int_equal(glob("examples/mncore2/*.vsm", 0, NULL, &files), 0);
    assert_true(files.gl_pathc > 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        if (!strstr(files.gl_pathv[i], "judge-")) /* halves of a program */
            commands_alike(files.gl_pathv[i]);
    globfree(&files);
}

/* The programs on which the two forms differed: a nop that packing puts in is none of the text, and
 * an operand for flat mode has no place in auto. */
static void edges(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "l2bm@0 $lb0 $lc4096\nmvp/n4160 $lc0@.0 $d0\n",
        "l2bm@0 $lb0 $lc4096\nnop\nmvp/n4160 $lc0@.0 $d0\n",
        "zero $lm0v\nmvp/n64 $p0@0 $d0@0\nlpassa $lm0v $ls0v\n",
        "zero $lm0v\nmvnop\nnop/2\nlpassa $lm[0,4,2,6] $ls0v\n",
        "zero $lm0v\nmvnop\nlpassa $lm[0,4,2,6] $ls0v\n",
        "l2bmb@[0,1] $lc0 $lb0 # [0]\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        commands_alike(takt_temp_file("edge.vsm", texts[i]));
}

/* --- random programs -------------------------------------------------------------------------- */

/* Some of the nops that hazards ask for go away. */
static void drop_nops(char *text, uint64_t seed)
{
    struct dice dice = {seed};
    char *to = text;
    for (char *line = text, *next; *line; line = next) {
        const char *end = strchr(line, '\n');
        next = end ? line + (end - line) + 1 : line + strlen(line);
        const bool nop = strncmp(line, "nop", 3) == 0 && !memchr(line, ';', (size_t)(next - line));
        if (nop && dice_below(&dice, 6) == 0)
            continue;
        memmove(to, line, (size_t)(next - line));
        to += next - line;
    }
    *to = '\0';
}

static bool checked_alike(const char *text, const char *name, uint64_t seed)
{
    struct check_text bare, spelled;
    check_text_open(&bare, text);
    check_text_open(&spelled, text);
    assert_int_equal(bare.parsed, 0);
    check_text_run(&bare, NULL);
    check_text_run(&spelled, name);
    bool same = bare.status == spelled.status && bare.diags.count == spelled.diags.count;
    for (size_t i = 0; same && i < bare.diags.count; i++)
        same = bare.diags.items[i].line == spelled.diags.items[i].line &&
               strcmp(bare.diags.items[i].message, spelled.diags.items[i].message) == 0;
    if (!same) {
        check_text_show(&bare);
        check_text_show(&spelled);
        fail_msg("seed %llu: takt check and takt check --packing %s differ",
                 (unsigned long long)seed, name);
    }
    const bool legal = bare.status == 0;
    check_text_close(&bare);
    check_text_close(&spelled);
    return legal;
}

static void timed_alike(const char *text, const char *name, uint64_t seed)
{
    struct kit bare = {.values = true, .checked = true};
    struct kit spelled = {.options = {.packing = name}, .values = true, .checked = true};
    const int status = kit_run(&bare, text);
    if (status != kit_run(&spelled, text) || bare.summary.cycles != spelled.summary.cycles ||
        bare.summary.cycles_documented != spelled.summary.cycles_documented ||
        bare.hash != spelled.hash)
        fail_msg("seed %llu: takt run and takt run --packing %s differ\n%s",
                 (unsigned long long)seed, name, text);
    assert_int_equal(status, 0);
    kit_free(&bare);
    kit_free(&spelled);
}

static void random_programs(void **unused)
{
    (void)unused;
    size_t flat = 0, refused = 0;
    const size_t rounds = often(200);
    for (uint64_t seed = 0; seed < rounds; seed++) {
        const struct gen_options options = {.features =
                                                seed % 2 ? GEN_ALL : GEN_ALL & ~(unsigned)GEN_FLAT,
                                            .statements = 40,
                                            .tightness = 100,
                                            .sets = 2,
                                            .gets = 1};
        char *text = gen_program(seed, &options, NULL);
        assert_non_null(text);
        if (seed % 4 >= 2)
            drop_nops(text, seed);
        const char *name = default_of(text);
        flat += strcmp(name, "flat") == 0;
        if (checked_alike(text, name, seed))
            timed_alike(text, name, seed);
        else
            refused++;
        free(text);
    }
    /* Both defaults, and both answers, came up. */
    assert_true(flat > rounds / 8 && flat < rounds * 7 / 8);
    assert_true(refused > rounds / 8 && refused < rounds * 7 / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(edges),
                                       cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
