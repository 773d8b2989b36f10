/*
 * takt schedule --rename: values in other places.
 *
 * By hand: programs whose best orders, and which values may move, follow from the manual. At
 * random, and for tests/naive: from another start of the memories than the command compares with,
 * the program that was found prints what the program as written prints; PE memories, L1BM and L2BM
 * hold the same wherever the program as written has changed them; and all other memories are equal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gen_program.h"
#include "tests/improved.h"
#include "tests/often.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

/* Memories whose places can change, with what names one of each, and their long words. */
static const struct memory {
    const char *name, *of;
    unsigned words;
} memories[] = {{"$lm0", "n0c0b0m0p0", 2048}, {"$ln0", "n2c1b3m7p2", 2048},
                {"$lr0", "n3c1b7m15p3", 256}, {"$ls0", "n1c0b5m2p1", 256},
                {"$lb00", "n1c0b2", 8192},    {"$lc0", "n3c1", 32768}};
enum { MEMORIES = sizeof memories / sizeof *memories };

/* --- states ----------------------------------------------------------------------------------- */

/* The text, and then all of these memories printed, or set to zero. */
static char *followed(const char *text, bool clear)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    fprintf(out, "%s\n", text);
    for (size_t m = 0; m < MEMORIES; m++) {
        const struct memory *memory = &memories[m];
        if (!clear) {
            fprintf(out, "d get %s%s %u\n", memory->name, memory->of, memory->words);
            continue;
        }
        fprintf(out, "d set %s %u ", memory->name, memory->words);
        for (unsigned i = 0; i < memory->words; i++)
            fputs("0000000000000000", out);
        fputc('\n', out);
    }
    fclose(out);
    return result;
}

static struct outcome run_followed(const char *text, const char *packing, bool clear)
{
    char *whole = followed(text, clear);
    const struct outcome outcome = improved_run(&machine_mncore2, whole, packing);
    free(whole);
    return outcome;
}

/* The dump's part of the memories: as many lines from the end. */
static char *memory_part(struct outcome *outcome)
{
    size_t lines = 0;
    char *at = outcome->dump + outcome->dump_size;
    for (size_t m = 0; m < MEMORIES; m++)
        lines += memories[m].words;
    while (lines > 0 && at > outcome->dump)
        lines -= *--at == '\n' && at + 1 < outcome->dump + outcome->dump_size;
    assert_int_equal(lines - 1, 0);
    return at;
}

static char *line_of(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    *end = '\0';
    *at = end + 1;
    return line;
}

/* Where the program as written has changed a place, the other one has left the same there. Returns
 * how many it has changed besides. */
static size_t compare_memories(char *start, char *written, char *found)
{
    size_t others = 0;
    for (size_t m = 0; m < MEMORIES; m++)
        for (unsigned i = 0; i < memories[m].words; i++) {
            const char *a = line_of(&start), *b = line_of(&written), *c = line_of(&found);
            if (strcmp(b, c) == 0)
                continue;
            if (strcmp(a, b) != 0)
                fail_msg("left differently:\n%s\n%s", b, c);
            others++;
        }
    return others;
}

static void states_agree(const char *text, const char *packing, const struct schedule *s)
{
    struct outcome cleared = run_followed(text, packing, true),
                   found_cleared = run_followed(s->text, packing, true);
    improved_equal(&cleared, &found_cleared, text);
    struct outcome start = run_followed("", packing, false),
                   written = run_followed(text, packing, false),
                   found = run_followed(s->text, packing, false);
    const size_t others = compare_memories(start.dump, memory_part(&written), memory_part(&found));
    assert_true(others == 0 || s->renamed.bytes > 0);
    assert_true(others <= s->renamed.bytes / 4);
    improved_free(&cleared);
    improved_free(&found_cleared);
    improved_free(&start);
    improved_free(&written);
    improved_free(&found);
}

/* --- what is found ---------------------------------------------------------------------------- */

/* Finds it and holds it to what it says. quits: a statement quit, after which nothing can follow.
 * False: refused. */
static bool renamed(const char *text, const char *packing, bool quits, struct schedule *s)
{
    if (!improved_renamed(&machine_mncore2, text, packing, s))
        return false;
    if (s->renamed.count && !quits)
        states_agree(text, packing, s);
    return true;
}

/* --- by hand ---------------------------------------------------------------------------------- */

struct known {
    const char *why, *text;
    uint64_t before, unrenamed, after;
    size_t values;
    const char *from; /* of the first value that moved */
};

/* Without packing: 4 cycles a step; GRF can be read two steps after it was written; the last write
 * has landed 6 cycles behind its step (3.6.3.9). */
static const struct known known[] = {
    {"two pairs that share $lr0v: the second write waits for the first read, 6 steps; with places of "
     "their own nothing waits, and the ALU has 4 steps",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $ls0v\nlpassa $lm8v $lr0v\nnop\n"
     "ladd $lr0v $lr0v $ls8v\n",
     30, 30, 22, 1, "$lr0v"},
    {"the same with a dump of the first value: it must stay where it is printed",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $ls0v\nd get $lr0n0c0b0m0p0 4\n"
     "lpassa $lm8v $lr0v\nnop\nladd $lr0v $lr0v $ls8v\n",
     30, 30, 30, 0, NULL},
    {"the same; the second write leaves two cycles of the first value, which is read again",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $ls0v\nlpassa $lm8v $lr0v/1100\nnop\n"
     "ladd $lr0v $lr0v $ls8v\n",
     30, 30, 30, 0, NULL},
    {"what was there before is read, so that the write must stay and wait",
     "ladd $lr0v $lr0v $ls0v\nlpassa $lm8v $lr0v\nnop\nladd $lr0v $lr0v $ls8v\n", 22, 22, 22, 0,
     NULL},
    {"a sum in one place: each value is read by the statement that writes the next, and moving "
     "them would gain nothing",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lm8v $lr0v\nnop\nladd $lr0v $lm16v $lr0v\n", 26, 26, 26,
     0, NULL},
    {"addresses in T: any place of LM0 may be read, so that nothing moves there",
     "lpassa $ln0v $lm0v\nnop/2\nlpassa $lm0v $ls0v\nlpassa $ln8v $lm0v\nnop/2\n"
     "lpassa $lm0v $ls8v\nlpassa $lmt $ls16v\n",
     46, 46, 46, 0, NULL},
};

static void by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct schedule s;
        assert_true(renamed(known[i].text, "none", false, &s));
        if (s.before != known[i].before || s.unrenamed != known[i].unrenamed ||
            s.after != known[i].after || s.renamed.count != known[i].values)
            fail_msg("%s: %llu, %llu, %llu cycles, %zu values", known[i].why,
                     (unsigned long long)s.before, (unsigned long long)s.unrenamed,
                     (unsigned long long)s.after, s.renamed.count);
        if (known[i].from)
            assert_string_equal(s.renamed.values[0].from, known[i].from);
        schedule_free(&s);
    }
}

/* --- all ways --------------------------------------------------------------------------------- */

static void at_random(void **state)
{
    (void)state;
    static const char *const packings[] = {NULL, "none", "flat"};
    size_t moved = 0, refused = 0;
    for (uint64_t round = 0; round < often(24); round++) {
        const bool quits = round % 4 == 3;
        const unsigned without =
            (quits ? 0u : GEN_STYLE) | (round % 2 ? GEN_INDIRECT | GEN_MASKS : 0u);
        const struct gen_options options = {.features = GEN_ALL & ~without,
                                            .statements = (unsigned)(8 + round * 7 % 50),
                                            .tightness = (unsigned)(round * 37 % 101),
                                            .sets = 2,
                                            .gets = 3};
        char *text = gen_program(round + 40000, &options, NULL);
        struct schedule s;
        if (renamed(text, packings[round / 2 % 3], quits, &s)) {
            moved += s.renamed.count > 0;
            schedule_free(&s);
        } else {
            refused++;
        }
        free(text);
    }
    if (often_long())
        print_message("%zu with values in other places, %zu refused\n", moved, refused);
    assert_true(moved > 0);
}

static void naive(void **state)
{
    (void)state;
    enum { SHORTER = 8 };
    size_t shorter = 0;
    glob_t found;
    assert_int_equal(glob("tests/naive/*.vsm", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = takt_read_file(found.gl_pathv[i], NULL);
        struct schedule s;
        assert_true(renamed(text, NULL, false, &s));
        shorter += s.after < s.unrenamed;
        schedule_free(&s);
        free(text);
    }
    globfree(&found);
    print_message("%zu shorter than with all values in their places\n", shorter);
    assert_true(shorter >= SHORTER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(at_random),
                                       cmocka_unit_test(naive)};
    return cmocka_run_group_tests_name("mncore2, rename", tests, NULL, NULL);
}
