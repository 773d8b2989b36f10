/*
 * Every rule of 3.6.3, one step or cycle too few and exactly enough. Expectations are the manual's
 * examples, the arithmetic of 3.6.3.9 (written in cycle w, readable from w + 7) and the tables of
 * 3.6.7 and 3.6.8 for the addresses of each cycle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mncore2/check_text.h"

struct edge {
    const char *text;
    const char *rule;     /* NULL: legal */
    uint32_t line, other; /* of the later and the earlier statement */
    int32_t steps, cycles;
};

static void try(const struct edge *edge, const char *packing)
{
    struct check_text text;
    check_text_open(&text, edge->text);
    if (text.parsed != 0) {
        check_text_show(&text);
        fail_msg("does not parse");
    }
    check_text_run(&text, packing);
    const size_t errors = check_text_count(&text, NULL);
    const struct diag *diag = check_text_find(&text, NULL);
    bool good = errors == (edge->rule ? 1 : 0) && text.status == (edge->rule ? 1 : 0);
    if (good && edge->rule) {
        good = strcmp(diag->rule, edge->rule) == 0 && diag->line == edge->line &&
               diag->other_line == edge->other && diag->missing_steps == edge->steps &&
               diag->missing_cycles == edge->cycles && diag->fix;
        char fix[64];
        snprintf(fix, sizeof fix, "needs %d more empty step%s", edge->steps,
                 edge->steps == 1 ? "" : "s");
        good = good && strcmp(diag->fix, fix) == 0;
        if (!good)
            fprintf(stderr, "got rule %s line %u other %u steps %d cycles %d fix %s\n", diag->rule,
                    diag->line, diag->other_line, diag->missing_steps, diag->missing_cycles,
                    diag->fix ? diag->fix : "-");
    }
    if (!good) {
        check_text_show(&text);
        fprintf(stderr, "expected: %s line %u other %u steps %d cycles %d\n",
                edge->rule ? edge->rule : "legal", edge->line, edge->other, edge->steps,
                edge->cycles);
    }
    assert_true(good);
    check_text_close(&text);
}

static void try_all(const struct edge *edges, size_t count, const char *packing)
{
    for (size_t i = 0; i < count; i++)
        try(&edges[i], packing);
}

#define TRY(edges) try_all(edges, sizeof(edges) / sizeof(edges)[0], NULL)

static void l2bm_then_mv(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        /* The manual's example and what it says about it. */
        {"l2bm@0 $lb0 $lc4096\nnop\nmvp/n4160 $lc0@.0 $d0\n", NULL, 0, 0, 0, 0},
        {"l2bm@0 $lb0 $lc4096\nmvp/n4160 $lc0@.0 $d0\n", "3.6.3.1", 2, 1, 1, 0},
        /* Without overlap there is nothing to wait for: n4096 ends just before. */
        {"l2bm@0 $lb0 $lc4096\nmvp/n4096 $lc0@.0 $d0\n", NULL, 0, 0, 0, 0},
        {"l2bm@0 $lb0 $lc4096\nmvp/n64 $lc4096@.1 $d0\n", "3.6.3.1", 2, 1, 1, 0},
        {"l2bm@0 $lb0 $lc4096\nmvp/n64 $lc4160@.1 $d0\n", NULL, 0, 0, 0, 0},
        /* l2bm@ writes 64 long words of both L2BM of each group; both regions wrap around. */
        {"l2bm@0 $lb0 $lc32736\nmvp/n64 $lc0@3.1 $p0@0\n", "3.6.3.1", 2, 1, 1, 0},
        {"l2bm@0 $lb0 $lc32736\nmvp/n64 $lc64@.0 $d0\n", NULL, 0, 0, 0, 0},
        {"l2bm@0 $lb0 $lc0\nmvp/n128 $lc32704@.0 $d0\n", "3.6.3.1", 2, 1, 1, 0},
        {"l2bm@0 $lb0 $lc64\nmvp/n128 $lc32704@.0 $d0\n", NULL, 0, 0, 0, 0},
        /* An MV statement is no step; a wait and a noforward step are. */
        {"l2bm@0 $lb0 $lc0\nmvp/n64 $p0@0 $d0@0\nmvp/n64 $lc0@.0 $d0\n", "3.6.3.1", 3, 1, 1, 0},
        {"l2bm@0 $lb0 $lc0\nnop; wait i01\nmvp/n64 $lc0@.0 $d0\n", NULL, 0, 0, 0, 0},
        {"l2bm@0 $lb0 $lc0\nimm i\"1\" $ls0v; noforward\nmvp/n64 $lc0@.0 $d0\n", NULL, 0, 0, 0, 0},
        /* Writing the region is no hazard of this rule. */
        {"l2bm@0 $lb0 $lc0\nmvp/n64 $d0 $lc0@.0\n", NULL, 0, 0, 0, 0},
        /* Reductions and mvd read L2BM too. */
        {"l2bm@0 $lb0 $lc0\nmvrdfadd/n64 $lc0 $d0\n", "3.6.3.1", 2, 1, 1, 0},
        {"l2bm@0 $lb0 $lc0\nmvd/n64 $lc0 $p0@0\n", "3.6.3.1", 2, 1, 1, 0},
    };
    TRY(edges);
}

/* The rule's title speaks of transfers and its example is l2bm@: an MV statement may follow at once
 * upon a reduction (3.6.7.6, .7) or a join (3.6.7.8). What they hold of ports stays as it is. */
static void reduced_then_mv(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        {"l2bmrdfadd $lb0 $lc4096\nmvp/n4160 $lc0@.0 $d0\n", NULL, 0, 0, 0, 0},
        {"l2bmrliadd@0/3 $lb0 $lc0\nmvrliadd/n64 $lc0 $p0@0\n", NULL, 0, 0, 0, 0},
        {"l2bmr2dfadd $lb0 $lc0\nmvp/n64 $lc192@3.1 $p0@0\n", NULL, 0, 0, 0, 0},
        {"l2bmd $lb0 $lc0\nmvp/n64 $lc192@0.0 $d0@0\n", NULL, 0, 0, 0, 0},
        {"l2bmd $lb0 $lc0\nmvd/n64 $lc0 $p0@0\n", NULL, 0, 0, 0, 0},
        /* A transfer before the reduction: same address or not, with enough steps or not. */
        {"l2bm@0 $lb0 $lc0\nl2bmrdfadd $lb0 $lc0\nmvp/n64 $lc0@.0 $d0\n", NULL, 0, 0, 0, 0},
        {"l2bmrdfadd $lb0 $lc64\nl2bm@0 $lb0 $lc0\nmvp/n128 $lc0@.0 $d0\n", "3.6.3.1", 3, 2, 1, 0},
        {"l2bmrdfadd $lb0 $lc64\nl2bm@0 $lb0 $lc0\nmvp/n64 $lc64@.0 $d0\n", NULL, 0, 0, 0, 0},
        /* 3.6.3.2 names no kind, and its port is held by all of them. */
        {"l2bmrdfadd $lb0 $lc0\nmvp/n64 $lc0@.0 $d0\nnop/2\nl2bmb $lc64 $lb64\n", "3.6.3.2", 4, 1,
         1, 0},
        {"l2bmrdfadd $lb0 $lc0\nmvp/n64 $lc0@.0 $d0\nnop/3\nl2bmb $lc64 $lb64\n", NULL, 0, 0, 0, 0},
    };
    TRY(edges);
}

static void l2bm_port(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        {"l2bm@0 $lb0 $lc0\nnop/3\nl2bmb $lc64 $lb64\n", NULL, 0, 0, 0, 0},
        {"l2bm@0 $lb0 $lc0\nnop/2\nl2bmb $lc64 $lb64\n", "3.6.3.2", 3, 1, 1, 0},
        {"l2bm@0 $lb0 $lc0\nnop\nl2bmb $lc64 $lb64\n", "3.6.3.2", 3, 1, 2, 0},
        {"l2bm@0 $lb0 $lc0\nl2bmb $lc64 $lb64\n", "3.6.3.2", 2, 1, 3, 0},
        {"l2bmrdfadd $lb0 $lc0\nnop/2\nl2bmd $lc1024 $lb4096\n", "3.6.3.2", 3, 1, 1, 0},
        {"l2bmd $lb0 $lc0\nnop/3\nl2bmb2 $lc1024 $lb4096\n", NULL, 0, 0, 0, 0},
        {"l2bmr2dfadd $lb0 $lc0\nnop/2\nl2bmb2 $lc1024 $lb4096\n", "3.6.3.2", 3, 1, 1, 0},
        /* Whatever L1B take part. */
        {"l2bm@0 $lb0 $lc0\nnop/2\nl2bmb@7 $lc64 $lb64\n", "3.6.3.2", 3, 1, 1, 0},
        /* Other steps in between count as empty; l2bmi does not use the port of L2BM. */
        {"l2bm@0 $lb0 $lc0\nimm i\"1\" $lr0v\nl2bmi@0/0 $lb0 $lb0\nnop\nl2bmb $lc64 $lb64\n", NULL,
         0, 0, 0, 0},
        /* The same direction needs nothing. */
        {"l2bm@0 $lb0 $lc0\nl2bm@0 $lb64 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb0\nl2bmb $lc64 $lb64\n", NULL, 0, 0, 0, 0},
        /* Open point: l2bmdars reads on the same side. */
        {"l2bm@0 $lb0 $lc0\nnop/3\nl2bmdars $lc256@.0 $dar0\n", NULL, 0, 0, 0, 0},
        {"l2bm@0 $lb0 $lc0\nnop/2\nl2bmdars $lc256@.1 $dar0\n", "3.6.3.2", 3, 1, 1, 0},
        {"l2bm@0 $lb0 $lc0\nl2bmdarw\n", NULL, 0, 0, 0, 0},
    };
    TRY(edges);
}

static void l1bm_port_l2b(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        {"l2bmb $lc0 $lb0\nnop/2\nl2bm@0 $lb64 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb0\nnop\nl2bm@0 $lb64 $lc64\n", "3.6.3.3", 3, 1, 1, 0},
        {"l2bmb $lc0 $lb0\nl2bm@0 $lb64 $lc64\n", "3.6.3.3", 2, 1, 2, 0},
        {"l2bmb@0 $lc0 $lb0\nl2bm@1 $lb0 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmb@[0,1] $lc0 $lb0\nnop\nl2bm@1 $lb0 $lc64\n", "3.6.3.3", 3, 1, 1, 0},
        {"l2bmb@0/1 $lc0 $lb0\nl2bm@2 $lb0 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmd@4/3 $lc0 $lb0\nl2bmrdfadd@0/3 $lb0 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmd@4/3 $lc0 $lb0\nnop\nl2bmrdfadd@0/4 $lb0 $lc64\n", "3.6.3.3", 3, 1, 1, 0},
        {"l2bmb2@3 $lc0 $lb0\nnop\nl2bmd $lb0 $lc256\n", "3.6.3.3", 3, 1, 1, 0},
        {"l2bmb2@3 $lc0 $lb0\nnop/2\nl2bmr2dfadd $lb0 $lc256\n", NULL, 0, 0, 0, 0},
        /* Inner multicast as the later one: its sources count. */
        {"l2bmb@0 $lc0 $lb0\nnop\nl2bmi@0/0 $lb64 $lb64\n", "3.6.3.3", 3, 1, 1, 0},
        {"l2bmb@0 $lc0 $lb0\nnop/2\nl2bmi@0/0 $lb64 $lb64\n", NULL, 0, 0, 0, 0},
        {"l2bmb@1 $lc0 $lb0\nl2bmi@0/0 $lb64 $lb64\n", NULL, 0, 0, 0, 0},
        {"l2bmb@4 $lc0 $lb0\nnop\nl2bmi@0/4 $lb64 $lb64\n", "3.6.3.3", 3, 1, 1, 0},
        /* 3.6.3.4 */
        {"l2bmi@0/0 $lb0 $lb0\nnop/3\nl2bm@1 $lb64 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmi@0/0 $lb0 $lb0\nnop/2\nl2bm@1 $lb64 $lc64\n", "3.6.3.4", 3, 1, 1, 0},
        {"l2bmi@0/0 $lb0 $lb0\nl2bmi@0/0 $lb64 $lb64\n", NULL, 0, 0, 0, 0},
        {"l2bmi@0/0 $lb0 $lb0\nnop/2\nl2bmi@1/0 $lb64 $lb64\n", "3.6.3.4", 3, 1, 1, 0},
        {"l2bmi@0/0 $lb0 $lb0\nnop/3\nl2bmi@1/0 $lb64 $lb64\n", NULL, 0, 0, 0, 0},
        {"l2bmi@0/0 $lb0 $lb0\nl2bm@0 $lb0 $lc64\n", NULL, 0, 0, 0, 0},
        /* 0/4 reads from 0 and 4 and writes all others. */
        {"l2bmi@0/4 $lb0 $lb0\nl2bm@4 $lb0 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmi@0/4 $lb0 $lb0\nnop/2\nl2bm@5 $lb0 $lc64\n", "3.6.3.4", 3, 1, 1, 0},
        {"l2bmi@0/6 $lb0 $lb0\nl2bmrdfadd@0/6 $lb0 $lc64\n", NULL, 0, 0, 0, 0},
        {"l2bmi@0/6 $lb0 $lb0\nl2bmrdfadd@1/6 $lb0 $lc64\n", "3.6.3.4", 2, 1, 3, 0},
    };
    TRY(edges);
}

static void l1bm_data(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        /* 3.6.3.5, 3.6.3.6, 3.6.3.7: the manual's examples and what it says about them. */
        {"l2bmi@0/0 $lb64 $lb64\nnop\nl1bmm $lb52 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmi@0/0 $lb64 $lb64\nnop\nl1bmm $lb56 $lr0v\n", "3.6.3.5", 3, 1, 1, 1},
        {"l2bmi@0/0 $lb64 $lb64\nnop/3\nl1bmm $lb112 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb64\nl1bmm $lb52 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb64\nl1bmm $lb56 $lr0v\n", "3.6.3.6", 2, 1, 1, 1},
        {"l2bmb $lc0 $lb64\nnop/2\nl1bmm $lb112 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l1bmr4dfadd $lr0v $lb48\nnop/2\nl2bmrdfadd $lb64 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmr4dfadd $lr0v $lb32\nnop/2\nl2bmrdfadd $lb64 $lc0\n", "3.6.3.7", 3, 1, 1, 1},
        {"l1bmr4dfadd $lr0v $lb0\nnop/3\nl2bmrdfadd $lb0 $lc0\n", NULL, 0, 0, 0, 0},
        /*
         * l2bmd writes 8 a cycle: $lb8 .. 15 in cycle 1, readable from 8; 16 .. 23 from 9; 24 .. 31
         * from 10. l1bmp reads one long word a cycle, here from cycle 8.
         */
        {"l2bmd $lc0 $lb0\nnop\nl1bmp $lb15 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmd $lc0 $lb0\nnop\nl1bmp $lb16 $lr0v\n", "3.6.3.6", 3, 1, 1, 1},
        {"l2bmd $lc0 $lb0\nnop\nl1bmp $lb24 $lr0v\n", "3.6.3.6", 3, 1, 1, 2},
        {"l2bmd $lc0 $lb0\nnop/2\nl1bmp $lb24 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmd $lc0 $lb0\nl1bmp $lb32 $lr0v\n", NULL, 0, 0, 0, 0},
        /* Two long words: the second comes from four further on, so $llb12 reads $lb16 first. */
        {"l2bmd $lc0 $lb0\nnop\nl1bmp $llb11 $llr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmd $lc0 $lb0\nnop\nl1bmp $llb12 $llr0v\n", "3.6.3.6", 3, 1, 1, 1},
        /* l1bmd reads 64 a cycle: $lb0 in cycle 0, where l2bmb wrote 48 .. 63 in cycle 3. */
        {"l2bmb $lc0 $lb0\nnop\nl1bmd $lb0 $lr0v\n", "3.6.3.6", 3, 1, 1, 2},
        {"l2bmb $lc0 $lb0\nnop/2\nl1bmd $lb0 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb192\nl1bmd $lb0 $lr0v\n", "3.6.3.6", 2, 1, 1, 3},
        {"l2bmb $lc0 $lb192\nnop\nl1bmd $lb0 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb256\nl1bmd $lb0 $lr0v\n", NULL, 0, 0, 0, 0},
        /* l1bmm4 $ll reads 32 a cycle. */
        {"l2bmb $lc0 $lb64\nl1bmm4 $llb0 $llr0v\n", "3.6.3.6", 2, 1, 1, 3},
        {"l2bmb $lc0 $lb96\nl1bmm4 $llb0 $llr0v\n", "3.6.3.6", 2, 1, 1, 1},
        {"l2bmb $lc0 $lb112\nl1bmm4 $llb0 $llr0v\n", NULL, 0, 0, 0, 0},
        /* Wrap-around: $lb8176 .. then $lb0 in cycle 1. */
        {"l2bmb $lc0 $lb8176\nnop\nl1bmp $lb0 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb8176\nl1bmp $lb0 $lr0v\n", "3.6.3.6", 2, 1, 1, 4},
        {"l2bmb $lc0 $lb0\nl1bmm $lb8180 $lr0v\n", NULL, 0, 0, 0, 0},
        {"l2bmb $lc0 $lb0\nl1bmm $lb8184 $lr0v\n", "3.6.3.6", 2, 1, 1, 1},
        /* A multicast reaches only those that it writes, but some L1BM always reads it. */
        {"l2bmi@0/4 $lb64 $lb64\nnop\nl1bmm $lb56 $lr0v\n", "3.6.3.5", 3, 1, 1, 1},
        {"l2bmi@0/0 $lb0 $lb64\nl1bmm $lb0 $lr0v\n", NULL, 0, 0, 0, 0},
        /* 3.6.3.7 by mode: l1bmm@ writes 4 a cycle, $ll 8, l1bmm4@ 16, $ll 32, l1bmd 64. */
        {"l1bmm@0 $lr0v $lb0\nnop/2\nl2bm@0 $lb0 $lc0\n", "3.6.3.7", 3, 1, 1, 2},
        {"l1bmm@0 $lr0v $lb0\nnop/3\nl2bm@0 $lb0 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmm@0 $llr0v $llb32\nnop/2\nl2bm@0 $lb0 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmm@0 $llr0v $llb24\nnop/2\nl2bm@0 $lb0 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmm@0 $llr0v $llb8\nnop/2\nl2bm@0 $lb0 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmm@0 $llr0v $llb0\nnop/2\nl2bm@0 $lb0 $lc0\n", "3.6.3.7", 3, 1, 1, 1},
        {"l1bmd $lr0v $lb0\nnop/2\nl2bm@0 $lb0 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmd $lr0v $lb0\nnop/2\nl2bm@0 $lb64 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmd $lr0v $lb0\nnop/2\nl2bm@0 $lb128 $lc0\n", "3.6.3.7", 3, 1, 1, 1},
        {"l1bmd $lr0v $lb0\nnop/2\nl2bm@0 $lb192 $lc0\n", "3.6.3.7", 3, 1, 1, 2},
        {"l1bmm4@0 $llr0v $llb0\nnop/2\nl2bm@0 $lb64 $lc0\n", "3.6.3.7", 3, 1, 1, 1},
        {"l1bmm4@0 $lr0v $lb0\nnop/2\nl2bmi@0/0 $lb32 $lb32\n", "3.6.3.7", 3, 1, 1, 1},
        {"l1bmm4@0 $lr0v $lb0\nnop/2\nl2bmi@0/0 $lb64 $lb0\n", NULL, 0, 0, 0, 0},
        /* With r the L1BM side is half as wide: 4 a cycle into $lb. */
        {"l1bmrffaddr $llr0v $lb0\nnop/2\nl2bm@0 $lb16 $lc0\n", NULL, 0, 0, 0, 0},
        {"l1bmrffadd $llr0v $llb0\nnop/2\nl2bm@0 $lb16 $lc0\n", "3.6.3.7", 3, 1, 1, 2},
        /* l2bmd joins 8 a cycle. */
        {"l1bmm@0 $lr0v $lb24\nnop\nl2bmd $lb0 $lc0\n", "3.6.3.7", 3, 1, 1, 1},
        {"l1bmm@0 $lr0v $lb24\nnop/2\nl2bmd $lb0 $lc0\n", NULL, 0, 0, 0, 0},
    };
    TRY(edges);
}

static void l1bm_port_pe(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        {"l1bmrdfadd $lr0v $lb0\nnop/2\nl1bmm $lb16 $ls0v\n", NULL, 0, 0, 0, 0},
        {"l1bmrdfadd $lr0v $lb0\nnop\nl1bmm $lb16 $ls0v\n", "3.6.3.8", 3, 1, 1, 0},
        {"l1bmrdfadd $lr0v $lb0\nl1bmm $lb1600 $ls0v\n", "3.6.3.8", 2, 1, 2, 0},
        {"l1bmm $lb16 $ls0v\nl1bmrdfadd $lr0v $lb0\n", NULL, 0, 0, 0, 0},
        /* Turning back needs no port, in either direction (3.6.8.2). */
        {"l1bmm@2 $lr0v $lb0\nl1bmm $lbi $lm0v; l1bmm@2 $lr8v $lb16\nl1bmm $lbi $ln8v\n", NULL, 0,
         0, 0, 0},
        {"l1bmm@2 $lr0v $lbi\nl1bmm $lb0 $lm0v\n", NULL, 0, 0, 0, 0},
        {"l1bmm@2 $lr0v $lb0\nl1bmm $lbi $lm0v\nl1bmm $lb0 $ln0v\n", "3.6.3.8", 3, 1, 1, 0},
        {"l1bmd+1 $lr0v $lb0\nl1bmd $lr0v $lb256\nnop/2\nl1bmd $lb0 $ls0v\nl1bmd+1 $lb256 $ls8v\n",
         NULL, 0, 0, 0, 0},
    };
    TRY(edges);
}

static void local_memory(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        {"lpassa $lm0v $ln0v\nnop/2\nlpassa $ln0v $lr0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $ln0v\nnop\nlpassa $ln0v $lr0v\n", "3.6.3.9", 3, 1, 1, 0},
        {"lpassa $lm0v $ln0v\nlpassa $ln0v $lr0v\n", "3.6.3.9", 2, 1, 2, 0},
        {"lpassa $lr0v $lm0v\nnop\nlpassa $lm0v $ls0v\n", "3.6.3.9", 3, 1, 1, 0},
        {"lpassa $lr0v $lm0v\nnop/2\nlpassa $lm0v $ls0v\n", NULL, 0, 0, 0, 0},
        /* Whatever the address and the mask. */
        {"lpassa $lr0v $lm0v\nnop\nlpassa $lm4000v $ls0v\n", "3.6.3.9", 3, 1, 1, 0},
        {"lpassa $lr0v $lm0v/1000\nnop\nlpassa $lm4000v $ls0v\n", "3.6.3.9", 3, 1, 1, 0},
        {"lpassa $lr0v $lm0v/1000\nnop/2\nlpassa $lm4000v $ls0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lr0v $lm0v/$imr1\nnop\nlpassa $lm4000v $ls0v\n", "3.6.3.9", 3, 1, 1, 0},
        {"maskm 0b10000\nlpassa $lr0v $lm0v\nnop\nlpassa $lm0v $ls0v\n", "3.6.3.9", 4, 2, 1, 0},
        /* LM0 and LM1 separately; a read then a write, a write then a write: nothing. */
        {"lpassa $lr0v $lm0v\nlpassa $ln0v $ls0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $ls0v\nlpassa $lr0v $lm0v\nlpassa $lr8v $lm8v\n", NULL, 0, 0, 0, 0},
        /* In one step reads come first. */
        {"linc $lm0v $lm0v\nnop/2\nlinc $lm0v $lm0v\n", NULL, 0, 0, 0, 0},
        {"linc $lm0v $lm0v\nnop\nlinc $lm0v $lm0v\n", "3.6.3.9", 3, 1, 1, 0},
        /* Every unit that writes or reads. */
        {"l1bmm $lb0 $lm0v\nnop\nl1bmm@0 $lm0v $lb64\n", "3.6.3.9", 3, 1, 1, 0},
        {"dmread $lx0 $ln0v\nnop\ndmwrite $ln0v $lx0\n", "3.6.3.9", 3, 1, 1, 0},
        {"fvpassa $lr0v $lm0v\nnop\nfvfma $ls0v $lr0v $lm8v $nowrite\n", "3.6.3.9", 3, 1, 1, 0},
        /* T-indirect and madpe are reads and writes of LM0 like others. */
        {"lpassa $lr0v $lm0v\nnop\nlpassa $lmt $ls0v\n", "3.6.3.9", 3, 1, 1, 0},
        {"lpassa $lr0v $lm0v\nnop/2\nlpassa $lmt $ls0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lr0v $lm0vj1\nnop\nlpassa $lm0vj2 $ls0v\n", "3.6.3.9", 3, 1, 1, 0},
        /* The base address register: one step, as T (open point). Reads and writes go by it. */
        {"lpassa $lr0v $lmb\nnop\nlpassa $lm0v $ls0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lr0v $lmb\nlpassa $lm0v $ls0v\n", "3.6.3.9", 2, 1, 1, 0},
        {"lpassa $lr0v $mb\nlpassa $ls0v $lm0v\n", "3.6.3.9", 2, 1, 1, 0},
        {"lpassa $lr0v $lnb\nlpassa $lm0v $ls0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lr0v $nb\nlpassa $ln0v $ls0v\n", "3.6.3.9", 2, 1, 1, 0},
        {"lpassa $lr0v $nb\nnop\nlpassa $ls0v $ln0v\n", NULL, 0, 0, 0, 0},
        /* Writing it does not hold the port of LM0. */
        {"lpassa $lr0v $lmb\nnop\nlpassa $lm0v $ls0v\n", NULL, 0, 0, 0, 0},
    };
    TRY(edges);
}

static void registers(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        /* The manual's example, its four masks. */
        {"imm f\"1.0\" $r0/1000\nnop\ndvadd $lm0v $r0e $ln0v\n", NULL, 0, 0, 0, 0},
        {"imm f\"1.0\" $r0/0100\nnop\ndvadd $lm0v $r0e $ln0v\n", NULL, 0, 0, 0, 0},
        {"imm f\"1.0\" $r0/0010\nnop\ndvadd $lm0v $r0e $ln0v\n", "3.6.3.9", 3, 1, 1, 1},
        {"imm f\"1.0\" $r0/0001\nnop\ndvadd $lm0v $r0e $ln0v\n", "3.6.3.9", 3, 1, 1, 2},
        {"imm f\"1.0\" $r0\nnop\ndvadd $lm0v $r0e $ln0v\n", "3.6.3.9", 3, 1, 1, 2},
        {"imm f\"1.0\" $r0\nnop/2\ndvadd $lm0v $r0e $ln0v\n", NULL, 0, 0, 0, 0},
        {"imm f\"1.0\" $r0/0011\nnop/2\ndvadd $lm0v $r0e $ln0v\n", NULL, 0, 0, 0, 0},
        /* The same address cycle by cycle: one empty step. */
        {"lpassa $lm0v $lr0v\nnop\nlpassa $lr0v $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $lr0v\nlpassa $lr0v $ln0v\n", "3.6.3.9", 2, 1, 1, 3},
        {"lpassa $lm0v $ls0v\nnop\nlpassa $ls0v $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $ls0v\nlpassa $ls0v $ln0v\n", "3.6.3.9", 2, 1, 1, 3},
        /* Other addresses, the other register file: nothing. */
        {"lpassa $lm0v $lr0v\nlpassa $lr8v $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $lr0v\nlpassa $ls0v $ln0v\n", NULL, 0, 0, 0, 0},
        /* Shifted by a cycle or more: $lr6 is written in cycle 3, readable in cycle 10. */
        {"lpassa $lm0v $lr0v\nnop\nlpassa $lr6v $ln0v\n", "3.6.3.9", 3, 1, 1, 2},
        {"lpassa $lm0v $lr0v\nnop\nlpassa $lr4v $ln0v\n", "3.6.3.9", 3, 1, 1, 1},
        {"lpassa $lm0v $lr0v\nnop\nlpassa $lr2v $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $lr0v\nlpassa $lr[128,128,128,0] $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $lr0v\nlpassa $lr[128,128,0,128] $ln0v\n", "3.6.3.9", 2, 1, 1, 1},
        {"imm i\"1\" $lr0/1000\nlpassa $lr[128,128,128,0] $ln0v\n", NULL, 0, 0, 0, 0},
        {"imm i\"1\" $lr0/0100\nlpassa $lr[128,128,128,0] $ln0v\n", "3.6.3.9", 2, 1, 1, 1},
        {"imm i\"1\" $lr0/0001\nnop\nlpassa $lr[0,128,128,128] $ln0v\n", "3.6.3.9", 3, 1, 1, 2},
        {"imm i\"1\" $lr0/0001\nnop\nlpassa $lr[128,128,0,0] $ln0v\n", NULL, 0, 0, 0, 0},
        {"imm i\"1\" $lr0/0001\nnop\nlpassa $lr[128,0,128,128] $ln0v\n", "3.6.3.9", 3, 1, 1, 1},
        /* Words are addresses: the other word of a long word is another one (open point). */
        {"lpassa $m0v $r0v2\nlpassa $r1v2 $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $m0v $r0v2\nlpassa $lr0v $ln0v\n", "3.6.3.9", 2, 1, 1, 3},
        {"lpassa $llm0v $llr0v\nlpassa $r15 $ln0v\n", "3.6.3.9", 2, 1, 2, 6},
        {"lpassa $llm0v $llr0v\nlpassa $r16 $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $llm0v $llr0v\nnop/2\nlpassa $r15 $ln0v\n", NULL, 0, 0, 0, 0},
        /* Wrap-around at 512 words. */
        {"lpassa $lm0v $lr508v\nlpassa $lr0v $ln0v\n", "3.6.3.9", 2, 1, 2, 5},
        {"lpassa $lm0v $lr508v\nnop\nlpassa $lr0v $ln0v\n", "3.6.3.9", 3, 1, 1, 1},
        {"lpassa $lm0v $lr508v\nlpassa $lr4v $ln0v\n", NULL, 0, 0, 0, 0},
        /* T: its slot of the cycle, by itself and as an address. */
        {"lpassa $lm0v $t\nnop\nlpassa $t $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $t\nlpassa $t $ln0v\n", "3.6.3.9", 2, 1, 1, 3},
        {"lpassa $ln0v $t\nlpassa $lmt $ls0v\n", "3.6.3.9", 2, 1, 1, 3},
        {"lpassa $ln0v $t\nnop\nlpassa $lmt $ls0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $ln0v $t\nlpassa $ls0v $lmt\n", "3.6.3.9", 2, 1, 1, 3},
        {"lpassa $lm0v $t/1000\nlpassa $t $ln0v\n", "3.6.3.9", 2, 1, 1, 3},
        /* 3.6.2: T's second long word is left alone by a mask of one, not by one of two. */
        {"lpassa $lm0v $t/0000\nlpassa $t $lln0v\n", "3.6.3.9", 2, 1, 1, 3},
        {"lpassa $lm0v $t/0000\nnop\nlpassa $t $lln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $t/ll0000\nlpassa $t $lln0v\n", NULL, 0, 0, 0, 0},
        /* a mask of one long word leaves the second one alone: word 6 is written in cycle 1 */
        {"lpassa $llm0v $llr0v/1000p\nlpassa $lr6 $ls0\n", "3.6.3.9", 2, 1, 1, 4},
        {"lpassa $llm0v $llr0v/1000p\nlpassa $lr4 $ls0\n", NULL, 0, 0, 0, 0},
        {"lpassa $llm0v $llr0v/ll1000\nlpassa $lr6 $ls0\n", NULL, 0, 0, 0, 0},
        /* Forwarding is ready in the next step, and so is a mask register. */
        {"lpassa $lm0v $lr0v\nlpassa $aluf $ln0v\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $omr1\nlpassa $ln0v $lr0v/$imr1\n", NULL, 0, 0, 0, 0},
        {"dbfn $lr0v $nowrite\ndmwrite $aluf $lx0\ndmmulu $lx $lr0v $nowrite\n", NULL, 0, 0, 0, 0},
        {"dmwrite $lr0v $lx0\ndmread $lx0 $ls0v\n", NULL, 0, 0, 0, 0},
        /* The manual's own programs: 3.7.1 and 4.3. */
        {"imm i\"100\" $s0/1000\nimm i\"101\" $s1/1000\nimm f\"8388608\" $lr0/1000\n"
         "ior $ls0v $aluf $nowrite\nfvadd $aluf -$lr0 $ls0v\n",
         NULL, 0, 0, 0, 0},
        {"imm f\"1099511627776.0\" $lr0/1000\nimm f\"1048577.0\" $nowrite\n"
         "fvfma $aluf $aluf -$lr0 $ls0/1000\n",
         NULL, 0, 0, 0, 0},
        /* 3.6.8.20: written, one step, read. */
        {"lpassa $mabid $lr0v\nnop\nl1bmd+1 $lr0v $lb0\nl1bmd-1 $lr0v $lb256; l1bmd+1 $lbi $ls0v\n"
         "l1bmd-1 $lbi $ls8v\nnop\nl1bmd $lb0 $ls16v\nl1bmd $lb256 $ls24v\n",
         NULL, 0, 0, 0, 0},
    };
    TRY(edges);
}

/* Variable masks: an entry last written under a fixed mask is 0 in the cycles masked out there. */
static void variable_masks(void **state)
{
    (void)state;
    static const struct edge edges[] = {
        {"lpassa $lm0v $omr1\nlpassa $ln0v $lr0v/$imr1\nlpassa $lr0v $ls0v\n", "3.6.3.9", 3, 2, 1,
         3},
        {"lpassa $lm0v $omr1\nlpassa $ln0v $lr0v/$imr1\nnop\nlpassa $lr0v $ls0v\n", NULL, 0, 0, 0,
         0},
        /* Written to a single address, the last cycles decide. */
        {"lpassa $lm0v $omr1/1100\nlpassa $ln0v $lr0/$imr1\nnop\nlpassa $lr0 $ls0v\n", NULL, 0, 0,
         0, 0},
        {"lpassa $lm0v $omr1/1110\nlpassa $ln0v $lr0/$imr1\nnop\nlpassa $lr0 $ls0v\n", "3.6.3.9", 4,
         2, 1, 1},
        {"lpassa $lm0v $omr1\nlpassa $ln0v $lr0/$imr1\nnop\nlpassa $lr0 $ls0v\n", "3.6.3.9", 4, 2,
         1, 2},
        /* The last writer counts, and only of that entry. */
        {"lpassa $lm0v $omr1/1100\nlpassa $lm0v $omr1\nlpassa $ln0v $lr0/$imr1\nnop\n"
         "lpassa $lr0 $ls0v\n",
         "3.6.3.9", 5, 3, 1, 2},
        {"lpassa $lm0v $omr1\nlpassa $lm0v $omr1/1100\nlpassa $ln0v $lr0/$imr1\nnop\n"
         "lpassa $lr0 $ls0v\n",
         NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $omr2/1100\nlpassa $ln0v $lr0/$imr1\nnop\nlpassa $lr0 $ls0v\n", "3.6.3.9", 4,
         2, 1, 2},
        /* The step that writes the entry still goes by the old value. */
        {"lpassa $lm0v $omr1/1100\nlpassa $ln0v $lr0/$imr1 $omr1\nnop\nlpassa $lr0 $ls0v\n", NULL,
         0, 0, 0, 0},
        /* 0 and something is 0: an entry written under that entry. */
        {"lpassa $lm0v $omr1/1100\nlpassa $lm0v $omr2/$imr1\nlpassa $ln0v $lr0/$imr2\nnop\n"
         "lpassa $lr0 $ls0v\n",
         NULL, 0, 0, 0, 0},
    };
    TRY(edges);
}

/* Hazards are those of the text, whatever its packing: the manual's example of 3.6.3.1 is an error
 * without its nop, though each packing would put one between (auto: [l2bm nop nop MV]). */
static void packed(void **state)
{
    (void)state;
    static const char *const packings[] = {"none", "auto", "flat", NULL};
    static const struct edge edges[] = {
        {"l2bm@0 $lb0 $lc4096\nmvp/n4160 $lc0@.0 $d0\n", "3.6.3.1", 2, 1, 1, 0},
        {"l2bm@0 $lb0 $lc0\nmvnop\nmvp/n64 $lc0@.0 $d0\n", "3.6.3.1", 3, 1, 1, 0},
        {"l2bm@0 $lb0 $lc0\nnop\nmvp/n64 $lc0@.0 $d0\n", NULL, 0, 0, 0, 0},
        {"lpassa $lm0v $ln0v\nmvp/n64 $p0@0 $d0@0\nlpassa $ln0v $lr0v\n", "3.6.3.9", 3, 1, 2, 0},
        {"lpassa $lm0v $ln0v\nmvp/n64 $p0@0 $d0@0\nnop/2\nlpassa $ln0v $lr0v\n", NULL, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        try_all(edges, sizeof edges / sizeof *edges, packings[i]);
}

/* All findings of a program, in order, the worst producer of each row. */
static void all_findings(void **state)
{
    (void)state;
    struct check_text text;
    check_text_open(&text, "lpassa $lm0v $ln0v $lr0v\n"
                           "lpassa $lm8v $ln8v $lr8v\n"
                           "fvadd $ln0v $lr8v $ls0v\n"
                           "l1bmm@0 $ls0v $lb0\n"
                           "l1bmm $lb0 $lm0v\n");
    assert_int_equal(text.parsed, 0);
    check_text_run(&text, NULL);
    assert_int_equal(text.status, 1);
    assert_int_equal(check_text_count(&text, NULL), 4);
    static const struct edge expected[] = {
        {NULL, "3.6.3.9", 3, 2, 2, 0}, /* LM1: written last in line 2 */
        {NULL, "3.6.3.9", 3, 2, 1, 3},
        {NULL, "3.6.3.9", 4, 3, 1, 3},
        {NULL, "3.6.3.8", 5, 4, 2, 0},
    };
    size_t next = 0;
    for (size_t i = 0; i < text.diags.count; i++) {
        const struct diag *diag = &text.diags.items[i];
        if (diag->severity != DIAG_ERROR)
            continue;
        assert_string_equal(diag->rule, expected[next].rule);
        assert_int_equal(diag->line, expected[next].line);
        assert_int_equal(diag->other_line, expected[next].other);
        assert_int_equal(diag->missing_steps, expected[next].steps);
        assert_int_equal(diag->missing_cycles, expected[next].cycles);
        next++;
    }
    check_text_close(&text);
}

/* Latencies are parameters: raised, both edges move. */
static void parameters(void **state)
{
    (void)state;
    static const struct {
        const char *set, *near, *far;
    } cases[] = {
        {"hazard_lm=4", "lpassa $lm0v $ln0v\nnop/3\nlpassa $ln0v $lr0v\n",
         "lpassa $lm0v $ln0v\nnop/4\nlpassa $ln0v $lr0v\n"},
        {"hazard_matrix_transposed=1", "dmwrite $lr0v $lx0\ndmread $lx0 $ls0v\n",
         "dmwrite $lr0v $lx0\nnop\ndmread $lx0 $ls0v\n"},
        {"hazard_matrix_product=1", "dmwrite $lr0v $ly0\ndmmulu $ly $lr0v $nowrite\n",
         "dmwrite $lr0v $lx0\ndmmulu $ly $lr0v $nowrite\n"},
        {"hazard_mask=1", "lpassa $lm0v $omr1\nlpassa $ln0v $lr0v/$imr1\n",
         "lpassa $lm0v $omr2\nlpassa $ln0v $lr0v/$imr1\n"},
        {"hazard_mask=1", "lpassa $lm0v $omr1\nlpassa $ln0v $lr0v/$imr1\n",
         "lpassa $lm0v $omr1\nnop\nlpassa $ln0v $lr0v/$imr1\n"},
        {"hazard_matrix_product=1", "dmwrite $lr0v $ly0\ndmmulu $ly $lr0v $nowrite\n",
         "dmwrite $lr0v $ly0\nnop\ndmmulu $ly $lr0v $nowrite\n"},
        {"hazard_matrix_product=2", "dmwrite $lr0v $lx0\nnop\ndmmulu $lx $lr0v $nowrite\n",
         "dmwrite $lr0v $lx0\nnop/2\ndmmulu $lx $lr0v $nowrite\n"},
        {"hazard_matrix_transposed=2", "dmwrite $lr0v $ly0\nnop\ndmread $ly0 $ls0v\n",
         "dmwrite $lr0v $ly0\nnop/2\ndmread $ly0 $ls0v\n"},
        {"pe_write_latency=10", "lpassa $lm0v $lr0v\nnop\nlpassa $lr0v $ln0v\n",
         "lpassa $lm0v $lr0v\nnop/2\nlpassa $lr0v $ln0v\n"},
        {"hazard_pe_store_l2bm=60", "l1bmd $lr0v $lb0\nnop/14\nl2bm@0 $lb0 $lc0\n",
         "l1bmd $lr0v $lb0\nnop/15\nl2bm@0 $lb0 $lc0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int far = 0; far < 2; far++) {
            struct check_text text;
            char error[256];
            check_text_open(&text, far ? cases[i].far : cases[i].near);
            assert_int_equal(text.parsed, 0);
            assert_int_equal(config_set(&text.config, cases[i].set, error, sizeof error), 0);
            check_text_run(&text, NULL);
            if (text.status != !far)
                check_text_show(&text);
            assert_int_equal(text.status, !far);
            check_text_close(&text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l2bm_then_mv),   cmocka_unit_test(reduced_then_mv),
        cmocka_unit_test(l2bm_port),      cmocka_unit_test(l1bm_port_l2b),
        cmocka_unit_test(l1bm_data),      cmocka_unit_test(l1bm_port_pe),
        cmocka_unit_test(local_memory),   cmocka_unit_test(registers),
        cmocka_unit_test(variable_masks), cmocka_unit_test(packed),
        cmocka_unit_test(all_findings),   cmocka_unit_test(parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
