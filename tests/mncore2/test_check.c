/*
 * The warnings of takt check, each with a program that must raise it and its nearest neighbour that
 * must not; and that checking survives, sorts and stays near-linear.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/mncore2/check_text.h"

struct expectation {
    const char *text;
    const char *name; /* of the warning, or of the note mv-together */
    size_t count;
    uint32_t line, other; /* of the first of them */
};

static void try(const struct expectation *expected)
{
    struct check_text text;
    check_text_open(&text, expected->text);
    if (text.parsed != 0) {
        check_text_show(&text);
        fail_msg("does not parse");
    }
    check_text_run(&text, NULL);
    const bool note = strcmp(expected->name, "mv-together") == 0;
    const size_t count = check_text_count(&text, expected->name);
    const struct diag *diag = check_text_find(&text, expected->name);
    bool good = count == expected->count;
    if (good && count)
        good = diag->line == expected->line && diag->other_line == expected->other &&
               diag->severity == (note ? DIAG_NOTE : DIAG_WARNING);
    if (!good) {
        check_text_show(&text);
        fprintf(stderr, "expected %zu %s, first in line %u (%u)\n", expected->count, expected->name,
                expected->line, expected->other);
    }
    assert_true(good);
    check_text_close(&text);
}

static void try_all(const struct expectation *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        try(&expected[i]);
}

#define TRY(expected) try_all(expected, sizeof(expected) / sizeof(expected)[0])

static void never_written(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"lpassa $lm0v $ls0v\n", "never-written", 1, 1, 0},
        {"zero $lm0v\nnop/2\nlpassa $lm0v $ls0v\n", "never-written", 0, 0, 0},
        {"zero $lm0v\nnop/2\nlpassa $lm2v $ls0v\n", "never-written", 1, 3, 0},
        {"d set $lm0n0c0b0m0p0 1 0000000000000000\nlpassa $lm0v $ls0v\n", "never-written", 1, 2, 0},
        /* Once for each region; a masked write counts. */
        {"lpassa $lm0v $ls0v\nlpassa $lm0v $ls8v\n", "never-written", 1, 1, 0},
        {"zero $lr0v/$imr1\nnop\nlpassa $lr0v $ls8v\n", "never-written", 1, 1, 0},
        {"zero $omr1\nzero $lr0v/$imr1\nnop\nlpassa $lr0v $ls8v\n", "never-written", 0, 0, 0},
        {"zero $lr0v/1100\nnop\nlpassa $lr0v $ls8v\n", "never-written", 1, 3, 0},
        /* Half of what two long words hold may be written. */
        {"zero $lm0v4\nnop/2\nlpassa $llm0v $ls8v\n", "never-written", 0, 0, 0},
        {"lpassa $t $ls0v\n", "never-written", 1, 1, 0},
        {"zero $t\nnop\nlpassa $t $ls0v\n", "never-written", 0, 0, 0},
        /* Addresses unknown here: neither warn nor excuse. */
        {"zero $t\nnop\nlpassa $lmt $ls0v\n", "never-written", 0, 0, 0},
        {"zero $lmb\nnop\nlpassa $lm0v $ls0v\n", "never-written", 0, 0, 0},
        {"zero $lmb\nnop\nlpassa $ln0v $ls0v\n", "never-written", 1, 3, 0},
        /* Matrix registers by precision: double precision with u uses the upper half. */
        {"zero $lr0v\nnop\ndmmulu $lx $lr0v $nowrite\n", "never-written", 1, 3, 0},
        {"zero $lr0v\nnop\ndmwrite $lr0v $lx0\ndmmulu $lx $lr0v $nowrite\n", "never-written", 0, 0,
         0},
        {"zero $lr0v\nnop\ndmwrite $lr0v $ly0\ndmmuld $lx $lr0v $nowrite\n", "never-written", 1, 4,
         0},
        {"zero $lr0v\nnop\nfmwrite $lr0v $lx0\nfmmul $lx $r0v2 $nowrite\n", "never-written", 1, 4,
         0},
        {"zero $lr0v\nnop\nfmwrite $lr0v $lx0\nfmwrite $lr0v $lx4\nfmmul $lx $r0v2 $nowrite\n",
         "never-written", 0, 0, 0},
        /* L1BM and L2BM: some of what is read must be written, by anybody. */
        {"l1bmm $lb0 $lr0v\n", "never-written", 1, 1, 0},
        {"l2bmb $lc0 $lb0\nnop/2\nl1bmm $lb0 $lr0v\n", "never-written", 1, 1, 0},
        {"d set $lc0n0c0 1 0000000000000000\nl2bmb $lc0 $lb0\nnop/2\nl1bmm $lb0 $lr0v\n",
         "never-written", 0, 0, 0},
        {"mvp/n64i01 $d0 $lc0@.0\nnop; wait i01\nl2bmb $lc0 $lb0\n", "never-written", 0, 0, 0},
        {"mvp/n64i01 $d0 $lc0@.0\nnop; wait i01\nl2bmb $lc64 $lb0\n", "never-written", 1, 3, 0},
        {"mvp/n64 $lc0@0.0 $d0@0\n", "never-written", 1, 1, 0},
        {"zero $lr0v\nnop\nl1bmm@0 $lr0v $lb0\nnop/3\nl2bm@5 $lb0 $lc0\nnop\nmvp/n64 $lc0@0.1 $d0@0\n",
         "never-written", 0, 0, 0},
        /* A transfer that stores more than was written: 256 of 2,048 long words, by PEs; one of
         * 128, by d set. Within a unit operation a part is enough (3.5.3: it moves 64). */
        {"imm i\"1\" $lr0v\nnop/2\nl1bmd $lr0v $lb0\nnop/3\nl2bmd $lb0 $lc0\nnop/3\n"
         "mvp/n2048i01 $lc0@0.0 $d0@0\nnop; wait i01\n",
         "never-written", 1, 7, 0},
        {"imm i\"1\" $lr0v\nnop/2\nl1bmd $lr0v $lb0\nnop/3\nl2bmd $lb0 $lc0\nnop/3\n"
         "mvp/n256i01 $lc0@0.0 $d0@0\nnop; wait i01\n",
         "never-written", 0, 0, 0},
        {"d set $lc0n0c0 1 0000000000000000\nmvp/n64 $lc0@0.0 $d0@0\n", "never-written", 0, 0, 0},
        {"d set $lc0n0c0 1 0000000000000000\nmvp/n128 $lc0@0.0 $d0@0\n", "never-written", 1, 2, 0},
        {"d set $lc0n0c0 1 0000000000000000\nmvp/n64 $lc0@1.0 $d0@1\n", "never-written", 1, 2, 0},
        {"d set $lc0n0c0 1 0000000000000000\nmvrdfadd/n64 $lc0 $p0@0\n", "never-written", 1, 2, 0},
        {"d set $lc0 1 0000000000000000\nmvrdfadd/n64 $lc0 $p0@0\n", "never-written", 0, 0, 0},
        /* What is moved from where nothing has written is no better where it is moved to: one
         * warning, where it leaves. */
        {"mvp/n64i01 $p0@0 $lc0@0.0\nnop; wait i01\nl2bmb $lc0 $lb0\nnop/5\nl2bm@0 $lb0 $lc512\n"
         "nop/4\nmvp/n256i02 $lc512@0.0 $d0@0\nnop; wait i02\n",
         "never-written", 1, 7, 0},
        {"mvp/n64i01 $p0@0 $lc0@0.0\nnop; wait i01\nl2bmb $lc0 $lb0\nnop/5\nl2bm@0 $lb0 $lc512\n"
         "nop/4\nmvp/n64i02 $lc512@0.0 $d0@0\nnop; wait i02\n",
         "never-written", 0, 0, 0},
        /* d set of one PE of 4,096; of the others, too; of all. */
        {"d set $lm0n0c0b0m0p0 1 0000000000000000\nlpassa $lm0 $ls0v\nnop/3\nlpassa $lm0 $ls8v\n",
         "never-written", 1, 2, 0},
        {"d set $lm0n0 1 0000000000000000\nd set $lm0n1 1 0000000000000000\n"
         "d set $lm0n2 1 0000000000000000\nlpassa $lm0 $ls0v\n",
         "never-written", 1, 4, 0},
        {"d set $lm0n0 1 0000000000000000\nd set $lm0n1 1 0000000000000000\n"
         "d set $lm0n2 1 0000000000000000\nd set $lm0n3 1 0000000000000000\nlpassa $lm0 $ls0v\n",
         "never-written", 0, 0, 0},
        {"d set $lm0 1 0000000000000000\nlpassa $lm0 $ls0v\n", "never-written", 0, 0, 0},
        /* PDM and DRAM belong to the host too. */
        {"mvp/n64 $p0@0 $d0@0\n", "never-written", 0, 0, 0},
        /* DAR */
        {"mvp/n64nd1 $p0@0 $di0@0\n", "never-written", 1, 1, 0},
        {"d set $lc0n0c0 1 0000000000000000\nl2bmdars $lc0@.0 $dar0; l2bmdarw\nmvp/n64nd1 $p0@0 $di0@0\n",
         "never-written", 0, 0, 0},
        {"d set $lc0n0c0 1 0000000000000000\nl2bmdars $lc0@.0 $dar0; l2bmdarw\nmvp/n128nd1 $p0@0 $di0@0\n",
         "never-written", 1, 3, 0},
        {"d set $lc0n0c0 1 0000000000000000\nl2bmdars $lc0@.0 $dar0; l2bmdarw\nmvp/n128nd2 $p0@0 $di0@0\n",
         "never-written", 0, 0, 0},
    };
    TRY(cases);
}

static void forwarding(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"lpassa $aluf $ln0v\n", "never-forwarded", 1, 1, 0},
        {"zero $nowrite\nlpassa $aluf $ln0v\n", "never-forwarded", 0, 0, 0},
        {"zero $nowrite\nfvpassa $mauf $ln0v\n", "never-forwarded", 1, 2, 0},
        {"zero $nowrite; noforward\nlpassa $aluf $ln0v\n", "never-forwarded", 1, 2, 0},
        {"zero $nowrite\nnop/5\nlpassa $aluf $ln0v\n", "stale-forward", 0, 0, 0},
        {"zero $nowrite\nzero $lr0v; noforward\nlpassa $aluf $ln0v\n", "stale-forward", 0, 0, 0},
        {"zero $nowrite\nfvpassa $aluf $lr0v\nlpassa $aluf $ln0v\n", "stale-forward", 1, 3, 0},
        {"zero $nowrite\nlpassa $aluf $lr0v; noforward\nlpassa $aluf $ln0v\n", "stale-forward", 0,
         0, 0},
        {"l1bmm $lbi $lr0v\n", "never-forwarded", 1, 1, 0},
        {"l1bmm@0 $ls0v $lbi\nzero $ln0v\nl1bmm $lbi $lr0v\n", "never-forwarded", 0, 0, 0},
        {"l1bmm@0 $ls0v $lbi\nl1bmm $lbi $lr0v\n", "turn-back-kind", 0, 0, 0},
        {"l1bmrdfadd $ls0v $lbi\nl1bmm $lbi $lr0v\n", "turn-back-kind", 0, 0, 0},
        {"l1bmm@0 $ls0v $lbi\nl1bmm4 $lbi $lr0v\n", "turn-back-kind", 1, 2, 0},
        {"l1bmd+1 $ls0v $lbi\nl1bmd-1 $lbi $lr0v\n", "turn-back-kind", 1, 2, 0},
        {"l1bmd+1 $ls0v $lbi\nl1bmd+1 $lbi $lr0v\n", "turn-back-kind", 0, 0, 0},
        /* 3.6.8.20: the sum is taken modulo 16. */
        {"l1bmd+1 $ls0v $lbi\nl1bmd-15 $lbi $lr0v\n", "turn-back-kind", 0, 0, 0},
        {"l1bmd-15 $ls0v $lbi\nl1bmd+1 $lbi $lr0v\n", "turn-back-kind", 0, 0, 0},
        {"l1bmd+1 $ls0v $lbi\nl1bmd-14 $lbi $lr0v\n", "turn-back-kind", 1, 2, 0},
    };
    TRY(cases);
}

static void dead_writes(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"zero $lr0v\nzero $lr0v\n", "dead-write", 1, 1, 2},
        {"zero $lr0v\nnop\nlpassa $lr0v $ls0v\nzero $lr0v\n", "dead-write", 0, 0, 0},
        {"zero $lr0v\nnop\nlpassa $r3 $ls0v\nzero $lr0v\n", "dead-write", 0, 0, 0},
        /* Only part of it overwritten, then the rest. */
        {"zero $lr0v\nzero $lr0v/1110\n", "dead-write", 0, 0, 0},
        {"zero $lr0v\nzero $lr0v/1110\nzero $lr6\n", "dead-write", 1, 1, 3},
        {"zero $lr0v\nzero $lr2v\nzero $lr0\n", "dead-write", 1, 1, 3},
        /* An address that the cycles write again and again is one write. */
        {"imm i\"1\" $lr0\nnop/2\nlpassa $lr0 $ls0v\n", "dead-write", 0, 0, 0},
        /* May write: what was there may live on. */
        {"zero $omr1\nzero $lr0v\nzero $lr0v/$imr1\nzero $lr0v\n", "dead-write", 0, 0, 0},
        {"zero $lm0v\nzero $lm0vj1\nzero $lm0v\n", "dead-write", 0, 0, 0},
        /* Accesses at unknown addresses may be the read. */
        {"zero $t\nzero $lm0v\nnop/2\nlpassa $lmt $ls0v\nzero $lm0v\n", "dead-write", 0, 0, 0},
        {"zero $lm0v\nzero $lmb\nnop\nlpassa $lm64v $ls0v\nzero $lm0v\n", "dead-write", 0, 0, 0},
        {"zero $lm0v\nd get $lm0n0c0b0m0p0 1\nzero $lm0v\n", "dead-write", 0, 0, 0},
        {"zero $lm0v $ln0v\nzero $lm0v\n", "dead-write", 1, 1, 2},
        {"zero $t\nzero $t\n", "dead-write", 1, 1, 2},
        /* In one step reads come first. */
        {"zero $lr0v\nnop\nlinc $lr0v $lr0v\nzero $lr0v\n", "dead-write", 1, 3, 4},
        /* The end of the program reads everything. */
        {"zero $lr0v\n", "dead-write", 0, 0, 0},
    };
    TRY(cases);
}

static void masks(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"lpassa $peid $omr1/1100\nlpassa $peid $lr0/$imr1\nnop\nlpassa $lr0 $ls0v\n",
         "variable-mask", 1, 4, 2},
        {"lpassa $peid $omr1/1100\nlpassa $peid $lr0/$imr1\nnop/2\nlpassa $lr0 $ls0v\n",
         "variable-mask", 0, 0, 0},
        {"lpassa $peid $omr1/1100\nlpassa $peid $lr0/1100\nnop\nlpassa $lr0 $ls0v\n",
         "variable-mask", 0, 0, 0},
    };
    TRY(cases);
}

static void tags(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i01\n", "tag-never-waited", 0, 0, 0},
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i02\n", "tag-never-waited", 1, 1, 0},
        {"nop; wait i02\nmvp/n64i02 $p0@0 $d0@0\n", "wait-without-mv", 1, 1, 0},
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i02\n", "wait-without-mv", 1, 2, 0},
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i01\nnop; wait i01\n", "wait-without-mv", 0, 0, 0},
        {"mvp/n64i01 $p0@0 $d0@0\nmvp/n64i01 $p64@0 $d64@0\nnop; wait i01\n", "tag-reused", 1, 2,
         1},
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i01\nmvp/n64i01 $p64@0 $d64@0\nnop; wait i01\n",
         "tag-reused", 0, 0, 0},
        {"mvp/n64i01 $p0@0 $d0@0\nmvp/n64i01 $p64@0 $d64@0\nnop; wait i01\n", "tag-never-waited", 0,
         0, 0},
        {"mvp/n64 $p0@0 $d0@0\nmvp/n64 $p64@0 $d64@0\n", "tag-reused", 0, 0, 0},
    };
    TRY(cases);
}

/* 3.5.9: constraints among MV statements in flight together, "described elsewhere". */
static void in_flight_together(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i01\nmvp/n64i01 $p0@1 $d0@1\nnop; wait i01\n",
         "mv-together", 0, 0, 0},
        {"mvp/n64i01 $p0@0 $d0@0\nmvp/n64i02 $p0@1 $d0@1\nnop; wait i01\nnop; wait i02\n",
         "mv-together", 1, 2, 1},
        {"mvp/n64i01 $p0@0 $d0@0\nnop\nmvp/n64i02 $p0@1 $d0@1\nnop; wait i01\nnop; wait i02\n",
         "mv-together", 1, 3, 1},
        /* The third finds the second, the first has been waited for. */
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i01\nmvp/n64i02 $p0@1 $d0@1\nmvp/n64i03 $p0@2 $d0@2\n"
         "nop; wait i02\nnop; wait i03\n",
         "mv-together", 1, 4, 3},
        /* Once a program; without a tag nothing says when one ends, and mvnop moves nothing. */
        {"mvp/n64 $p0@0 $d0@0\nmvp/n64 $p0@1 $d0@1\nmvp/n64 $p0@2 $d0@2\n", "mv-together", 1, 2, 1},
        {"mvp/n64 $p0@0 $d0@0\nmvnop\nnop/100\n", "mv-together", 0, 0, 0},
    };
    TRY(cases);
    struct check_text text;
    check_text_open(&text, "mvp/n64 $p0@0 $d0@0\nmvp/n64 $p0@1 $d0@1\n");
    check_text_run(&text, NULL);
    assert_int_equal(text.status, 0); /* a note refuses nothing */
    assert_int_equal(text.diags.notes, 1);
    assert_int_equal(text.diags.warnings, 0);
    assert_string_equal(check_text_find(&text, "mv-together")->rule, "3.5.9");
    static const char *const names[] = {"mv-together", NULL};
    text.diags.silenced = names;
    check_text_run(&text, NULL);
    assert_int_equal(text.diags.notes, 0);
    check_text_close(&text);
}

static void races(void **state)
{
    (void)state;
    static const struct expectation cases[] = {
        /* A PE statement reads what a transfer brings. */
        {"mvp/n64i01 $d0 $lc0@.0\nl2bmb $lc0 $lb0\nnop; wait i01\n", "mv-race", 1, 2, 1},
        {"mvp/n64i01 $d0 $lc0@.0\nl2bmb $lc0 $lb0; wait i01\n", "mv-race", 0, 0, 0},
        {"mvp/n64i01 $d0 $lc0@.0\nl2bmb $lc64 $lb0\nnop; wait i01\n", "mv-race", 0, 0, 0},
        /* It writes what a transfer takes away. */
        {"mvp/n64i01 $lc0@.0 $d0\nl2bmrdfadd $lb0 $lc0\nnop; wait i01\n", "mv-race", 1, 2, 1},
        {"mvp/n64i01 $lc0@.0 $d0\nl2bmrdfadd $lb0 $lc0; wait i01\n", "mv-race", 0, 0, 0},
        {"mvp/n64i01 $lc0@.0 $d0\nl2bmb $lc0 $lb0\nnop; wait i01\n", "mv-race", 0, 0, 0},
        {"mvp/n64i01 $d0 $lc0@.0\nl2bmrdfadd $lb0 $lc0\nnop; wait i01\n", "mv-race", 1, 2, 1},
        /* Two transfers. */
        {"mvp/n64i01 $p0@0 $d0@0\nmvp/n64i02 $d0@0 $p64@1\nnop; wait i01\nnop; wait i02\n",
         "mv-race", 1, 2, 1},
        {"mvp/n64i01 $p0@0 $d0@0\nnop; wait i01\nmvp/n64i02 $d0@0 $p64@1\nnop; wait i02\n",
         "mv-race", 0, 0, 0},
        {"mvp/n64i01 $p0@0 $d0@0\nmvp/n64i02 $d64@0 $p64@1\nnop; wait i01\nnop; wait i02\n",
         "mv-race", 0, 0, 0},
        {"mvp/n64i01 $p0@0 $d0@1\nmvp/n64i02 $d0@0 $p64@1\nnop; wait i01\nnop; wait i02\n",
         "mv-race", 0, 0, 0},
        {"mvp/n64 $p0@0 $d0@0\nmvp/n64 $d512@0 $p0@0\n", "mv-race", 1, 2, 1},
        {"mvp/n64 $p0@0 $d0@0\nmvp/n64 $p0@1 $d0@0\n", "mv-race", 1, 2, 1},
        {"mvp/n64 $p0@0 $d0@0\nmvp/n64 $p0@0 $d64@1\n", "mv-race", 0, 0, 0},
        /* Units of mvd: 512 long words of PDM for 64 of each L2BM. */
        {"mvd/n64 $p0@0 $lc0\nmvp/n64 $d0@0 $p448@0\n", "mv-race", 1, 2, 1},
        {"mvd/n64 $p0@0 $lc0\nmvp/n64 $d0@0 $p512@0\n", "mv-race", 0, 0, 0},
        /* 3.2, the example without a tag: on the same way the later one ends after the earlier. */
        {"mvp/n64 $lc0@2.1 $p0@0\nmvp/n64i01 $lc64@2.1 $p64@0\nnop; wait i01\nl2bmb $lc0 $lb0\n"
         "nop/2\nl2bm@0 $lb0 $lc0\n",
         "mv-race", 0, 0, 0},
        {"mvp/n64 $lc0@2.0 $p0@0\nmvp/n64i01 $lc64@2.1 $p64@0\nnop; wait i01\nnop/2\nl2bm@0 $lb0 $lc0\n",
         "mv-race", 1, 5, 1},
        {"mvp/n64 $lc0@2.1 $p0@0\nmvp/n64p1i01 $lc64@2.1 $p64@0\nnop; wait i01\nnop/2\n"
         "l2bm@0 $lb0 $lc0\n",
         "mv-race", 1, 5, 1},
        /* The earlier one is larger, and ends later; DRAM may let the later one go first. */
        {"mvp/n128 $lc0@2.1 $p0@0\nmvp/n64i01 $lc128@2.1 $p128@0\nnop; wait i01\nnop/2\n"
         "l2bm@0 $lb0 $lc0\n",
         "mv-race", 1, 5, 1},
        {"mvp/n64 $lc0@2.1 $p0@0\nmvp/n128i01 $lc128@2.1 $p128@0\nnop; wait i01\nnop/2\n"
         "l2bm@0 $lb0 $lc0\n",
         "mv-race", 0, 0, 0},
        {"mvp/n64 $lc0@2.1 $d0@2\nmvp/n64i01 $lc64@2.1 $d64@2\nnop; wait i01\nnop/2\n"
         "l2bm@0 $lb0 $lc0\n",
         "mv-race", 1, 5, 1},
        {"mvp/n640i01 $p0@0 $lc0@0.0\nmvp/n64i02 $p640@0 $lc576@0.0\nnop; wait i01\nnop; wait i02\n",
         "mv-race", 1, 2, 1},
        {"mvp/n64i01 $p0@0 $lc0@0.0\nmvp/n640i02 $p640@0 $lc0@0.0\nnop; wait i01\nnop; wait i02\n",
         "mv-race", 0, 0, 0},
        /* Wrap-around; one finding for each transfer is enough. */
        {"mvp/n128i01 $d0 $lc32704@.0\nl2bmb $lc0 $lb0\nl2bmb $lc32704 $lb0\nnop; wait i01\n",
         "mv-race", 1, 2, 1},
        /* Entries of DAR that a transfer goes by. */
        {"l2bmdars $lc0@.0 $dar0; l2bmdarw\nmvp/n128i01nd2 $p0@0 $di0@0\nl2bmdars $lc0@.0 $dar0; "
         "l2bmdarw\nnop; wait i01\n",
         "mv-race", 1, 3, 2},
        {"l2bmdars $lc0@.0 $dar0; l2bmdarw\nmvp/n128i01nd2 $p0@0 $di0@0\nl2bmdars $lc0@.0 $dar4; "
         "l2bmdarw\nnop; wait i01\n",
         "mv-race", 0, 0, 0},
    };
    TRY(cases);
}

/* A finding can be silenced by name, and then is not counted. */
/* 3.5.6: entry i of a step's four is written in cycle i; with dar_write_latency = 6 the new one is
 * found from cycle i + 7 on, so entries 0 and 1 from the second empty step on, 2 and 3 from the
 * third. */
static void dar_in_flight(void **state)
{
    (void)state;
#define WRITE "l2bmdars $lc0@.0 $dar0; l2bmdarw\n"
    static const struct expectation cases[] = {
        {WRITE "mvp/n64nd1 $di0@0 $p0@0\n", "dar-in-flight", 1, 2, 1},
        {WRITE "nop\nmvp/n64nd1 $di0@0 $p0@0\n", "dar-in-flight", 1, 3, 1},
        {WRITE "nop/2\nmvp/n64nd1 $di0@0 $p0@0\n", "dar-in-flight", 0, 0, 0},
        /* Without nd one entry alone; $di on the other side. */
        {WRITE "nop\nmvp/n64 $di1@0 $p0@0\n", "dar-in-flight", 0, 0, 0},
        {WRITE "nop\nmvp/n64 $p0@0 $di2@0\n", "dar-in-flight", 1, 3, 1},
        {WRITE "mvp/n64 $di4@0 $p0@0\n", "dar-in-flight", 0, 0, 0},
        {WRITE "mvp/n64 $d0@0 $p0@0\n", "dar-in-flight", 0, 0, 0},
        /* Around the end: entries 1022, 1023, 0, 1. */
        {"l2bmdars $lc0@.0 $dar1022; l2bmdarw\nnop\nmvp/n64 $di1@0 $p0@0\n", "dar-in-flight", 1, 3,
         1},
        {"l2bmdars $lc0@.0 $dar1022; l2bmdarw\nnop\nmvp/n64 $di1023@0 $p0@0\n", "dar-in-flight", 0,
         0, 0},
        {"l2bmdars $lc0@.0 $dar1022; l2bmdarw\nmvp/n64nd1 $di1020@0 $p0@0\n", "dar-in-flight", 1, 2,
         1},
        /* The last of two writes is the one to wait for; a wait is a step, an MV is not. */
        {WRITE "l2bmdarw; zero $lr0v\nnop\nmvp/n128nd1 $di0@0 $p0@0\n", "dar-in-flight", 1, 4, 2},
        {WRITE "l2bmdarw; zero $lr0v\nnop\nmvp/n64nd1 $di0@0 $p0@0\n", "dar-in-flight", 0, 0, 0},
        {"mvp/n64i01 $p0@0 $lc0@0.0\n" WRITE "nop; wait i01\nmvp/n64 $di3@0 $p0@0\n",
         "dar-in-flight", 1, 4, 2},
        {WRITE "nop\nmvp/n64 $p0@1 $d0@1\nmvp/n64 $p64@2 $d64@2\nmvp/n64 $di3@0 $p0@0\n",
         "dar-in-flight", 1, 5, 1},
    };
    TRY(cases);
    struct check_text text;
    check_text_open(&text, WRITE "mvp/n64nd1 $di0@0 $p0@0\n");
    check_text_run(&text, NULL);
    const struct diag *diag = check_text_find(&text, "dar-in-flight");
    assert_string_equal(diag->rule, "3.5.6");
    assert_int_equal(diag->missing_cycles, 3 + 7 - 4);
    assert_int_equal(diag->missing_steps, 2);
    assert_int_equal(diag->column, 12);
    check_text_close(&text);
#undef WRITE
}

static void silenced(void **state)
{
    (void)state;
    static const char *const names[] = {"dead-write", "never-written", NULL};
    struct check_text text;
    check_text_open(&text, "zero $lr0v\nzero $lr0v\nlpassa $lm0v $ln0v\nlpassa $aluf $ls0v\n"
                           "lpassa $mauf $ls8v\n");
    assert_int_equal(text.parsed, 0);
    text.diags.silenced = names;
    check_text_run(&text, NULL);
    assert_int_equal(check_text_count(&text, "dead-write"), 0);
    assert_int_equal(check_text_count(&text, "never-written"), 0);
    assert_int_equal(check_text_count(&text, "never-forwarded"), 1);
    assert_int_equal(text.diags.warnings, 1);
    assert_int_equal(text.status, 0);
    check_text_close(&text);
}

/* A flat operand has no place in an auto-stride stream (1.2). */
static void flat_in_auto(void **state)
{
    (void)state;
    struct check_text text;
    check_text_open(&text, "zero $ln0v\nlpassa $lm[0,4,10,14] $lr0v\n");
    assert_int_equal(text.parsed, 0);
    check_text_run(&text, "auto");
    assert_int_equal(text.status, 1);
    assert_string_equal(check_text_find(&text, NULL)->rule, "1.2");
    assert_int_equal(check_text_find(&text, NULL)->line, 2);
    check_text_run(&text, "flat");
    assert_int_equal(text.status, 0);
    check_text_run(&text, NULL);
    assert_int_equal(text.status, 0);
    check_text_run(&text, "packed");
    assert_int_equal(text.status, -1);
    check_text_close(&text);
}

/* Findings in source order, errors before warnings of the same place. */
static void sorted(void **state)
{
    (void)state;
    struct check_text text;
    check_text_open(&text, "lpassa $lr0v $lm0v\nlpassa $lm0v $ls0v\nlpassa $lm64v $ls0v\n"
                           "mvp/n64i01 $p0@0 $d0@0\n");
    check_text_run(&text, NULL);
    for (size_t i = 1; i < text.diags.count; i++) {
        const struct diag *a = &text.diags.items[i - 1], *b = &text.diags.items[i];
        assert_true(a->line < b->line || (a->line == b->line && a->column <= b->column));
    }
    assert_int_equal(check_text_count(&text, NULL), 2);
    check_text_close(&text);
}

/* Many transfers in flight and many writes: near-linear, not quadratic. */
static void scale(void **state)
{
    (void)state;
    enum { LINES = 100000, LINE = 96 };
    char *program = malloc((size_t)LINES * LINE + 1);
    assert_non_null(program);
    double seconds[2];
    for (int turn = 0; turn < 2; turn++) {
        size_t used = 0;
        for (int i = 0; i < LINES / (turn ? 1 : 10); i++)
            used += (size_t)sprintf(
                program + used, "mvp/n64 $p%d@0 $d%d@%d\nladd $lm%dv $lr%dv $ln%dv\n",
                i % 8192 * 64, i * 64, i % 4, i % 500 * 8, i % 60 * 8, i % 500 * 8);
        struct check_text text;
        check_text_open(&text, program);
        assert_int_equal(text.parsed, 0);
        const clock_t start = clock();
        check_text_run(&text, NULL);
        seconds[turn] = (double)(clock() - start) / CLOCKS_PER_SEC;
        check_text_close(&text);
    }
    free(program);
    /* Ten times the program, at most 40 times the time: quadratic would take a hundred. */
    assert_true(seconds[1] < 40 * (seconds[0] + 0.01));
}

/* More findings than a list holds: the first ones have their places, all are counted. */
static void more_than_a_list(void **unused)
{
    (void)unused;
    enum { LINES = DIAG_LIMIT + 500 };
    static const char *const lines[2] = {"lpassa $peid $lr0v\n", " lpassa $peid $lr0v\n"};
    char *program = malloc(LINES * 24 + 1), *at = program;
    assert_non_null(program);
    for (size_t i = 0; i < LINES; i++)
        at = stpcpy(at, lines[i % 2]);
    struct check_text text;
    check_text_open(&text, program);
    check_text_run(&text, NULL);
    assert_int_equal(text.diags.errors, 0);
    assert_int_equal(text.diags.warnings, LINES - 1); /* but for the last write */
    assert_int_equal(text.diags.count, DIAG_LIMIT);
    for (size_t i = 0; i < DIAG_LIMIT; i++) {
        assert_string_equal(text.diags.items[i].name, "dead-write");
        assert_int_equal(text.diags.items[i].line, i + 1);
        assert_int_equal(text.diags.items[i].column, i % 2 ? 15 : 14);
        assert_int_equal(text.diags.items[i].length, 5);
    }
    check_text_close(&text);
    free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_written),
        cmocka_unit_test(forwarding),
        cmocka_unit_test(dead_writes),
        cmocka_unit_test(masks),
        cmocka_unit_test(tags),
        cmocka_unit_test(in_flight_together),
        cmocka_unit_test(races),
        cmocka_unit_test(dar_in_flight),
        cmocka_unit_test(silenced),
        cmocka_unit_test(flat_in_auto),
        cmocka_unit_test(sorted),
        cmocka_unit_test(scale),
        cmocka_unit_test(more_than_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
